/* catalogue.c - reads the catalogue of Project Gutenberg, one row for each e-text. The fields used:
 *
 *     Text#      the number of the e-text
 *     Type       Text, Sound, ...
 *     Title      may have several lines
 *     Language   "en", or several: "en; fr"
 *     Authors    "Dickens, Charles, 1812-1870; Leech, John, 1817-1864 [Illustrator]" */
#include "base/internal.h"
#include "pipeline/program/fetch.h"

#include <ctype.h>

#include "pipeline/config/config.h"
#include "pipeline/config/diagnostic.h"
#include "pipeline/support/utf8.h"

enum { NUMBER, TYPE, TITLE, LANGUAGE, AUTHORS, N_FIELDS };
static const char *const field_names[N_FIELDS] = {"Text#", "Type", "Title", "Language", "Authors"};

void trib_catalogue_release(trib_catalogue *catalogue) {
    trib_arena_release(&catalogue->arena);
    *catalogue = (trib_catalogue){0};
}

/* ---- Authors --------------------------------------------------------------------------------- */

static bool ends_with(trib_span p, const char *end) {
    const size_t n = strlen(end);
    return p.n >= n && memcmp(p.at + p.n - n, end, n) == 0;
}

/* Reads the years "1812-1870", "750? BCE-650? BCE", "1850-" or "-1901". *is_dated tells whether
 * they have a year of birth; a year BC is 1 - year. false when these are no years. */
static bool read_years(trib_span p, int *born, bool *is_dated) {
    size_t i = 0;
    int year = 0, n_digits = 0;
    for (; i < p.n && isdigit((unsigned char)p.at[i]) && n_digits < 4; i++, n_digits++)
        year = year * 10 + (p.at[i] - '0');
    if (i < p.n && p.at[i] == '?') i++;
    const bool is_before = p.n - i >= 4 && memcmp(p.at + i, " BCE", 4) == 0;
    if (is_before) i += 4;
    if (i >= p.n || p.at[i] != '-') return false;
    for (size_t k = i + 1; k < p.n; k++)
        if (!isdigit((unsigned char)p.at[k]) && !strchr("? BCE", p.at[k])) return false;
    *is_dated = n_digits > 0;
    *born = is_before ? 1 - year : year;
    return true;
}

/* Appends a normalised form: ASCII letters in lower case, digits, and all other characters, without
 * spaces and punctuation. */
static void add_normalised(trib_buffer *to, trib_span text, trib_error *error) {
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.at[i];
        const bool is_ascii = (c & 0x80) == 0;
        const char low = is_ascii ? (char)tolower(c) : c;
        if (!is_ascii || isalnum(c)) trib_buffer_add(to, &low, 1, error);
    }
}

/* Reads one person. Only authors and translators chose the words of a text. Both decide which works
 * are the same, and `names` gets the authors. */
static void read_person(trib_catalogue_entry *entry, trib_span person, trib_buffer *names,
                        trib_buffer *same, trib_error *error) {
    const bool has_role = ends_with(person, "]"), translates = ends_with(person, "[Translator]");
    int born = 0;
    bool is_dated = false;
    if (has_role && !translates) return;
    while (translates && person.n > 0 && person.at[person.n - 1] != '[') person.n--;
    if (translates) person.n--;
    trib_span name = person = trib_trimmed(person), years = person;
    while (years.n > 0 && years.at[years.n - 1] != ',') years.n--;
    if (years.n > 0) {
        name = trib_trimmed((trib_span){person.at, years.n - 1});
        years = trib_trimmed((trib_span){person.at + years.n, person.n - years.n});
        if (!read_years(years, &born, &is_dated)) name = person;
    }
    if (is_dated && (!entry->is_dated || born > entry->born)) {
        entry->born = born;
        entry->is_dated = true;
    }
    add_normalised(same, name, error);
    if (!has_role && name.n > 0)
        trib_buffer_print(names, error, "%s%.*s", names->length > 0 ? "; " : "", (int)name.n,
                          name.at);
}

/* Reads the authors of an entry; `names` and `same` are empty. */
static trib_status read_authors(trib_catalogue *catalogue, trib_catalogue_entry *entry,
                                const char *authors, trib_buffer *names, trib_buffer *same,
                                trib_error *error) {
    for (const char *at = authors; *at;) {
        const size_t n = strcspn(at, ";");
        read_person(entry, trib_trimmed((trib_span){at, n}), names, same, error);
        at += n + (at[n] == ';');
    }
    trib_buffer_add(same, "/", 1, error);
    add_normalised(same, (trib_span){entry->title, strlen(entry->title)}, error);
    if (names->failure != TRIB_OK || same->failure != TRIB_OK) return TRIB_MEMORY;
    entry->author =
        trib_arena_copy(&catalogue->arena, names->text ? names->text : "", names->length);
    entry->same = trib_arena_copy(&catalogue->arena, same->text, same->length);
    return trib_arena_check(&catalogue->arena, error);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The state of reading the catalogue. */
typedef struct reading {
    trib_catalogue *catalogue;
    const char *language;
    trib_diagnostics diagnostics;
    trib_source_cells table;
    size_t column[N_FIELDS], n_columns;
    trib_buffer field[N_FIELDS], names, same; /* of the current row */
} reading;

/* Joins the lines of a text and its runs of white space. */
static void put_on_one_line(trib_buffer *text) {
    size_t n = 0;
    for (size_t i = 0; i < text->length; i++) {
        const bool is_white = (unsigned char)text->text[i] <= ' ';
        if (!is_white) text->text[n++] = text->text[i];
        else if (n > 0 && text->text[n - 1] != ' ') text->text[n++] = ' ';
    }
    while (n > 0 && text->text[n - 1] == ' ') n--;
    if (text->text) text->text[n] = '\0';
    text->length = n;
}

/* Reads the cells of a row into their fields; of the header, finds the columns of the fields. *n is
 * their number, *first the place of the first. */
static trib_status read_cells(reading *r, bool is_header, size_t *n, trib_place *first,
                              trib_error *error) {
    const trib_buffer *cell = &r->table.cells.cell;
    trib_status status = TRIB_OK;
    for (int f = 0; f < N_FIELDS; f++) trib_buffer_clear(&r->field[f]);
    *n = 0;
    for (r->table.cells.row_ends = false; status == TRIB_OK && !r->table.cells.row_ends; ++*n) {
        status = trib_source_cells_next(&r->table, &r->diagnostics, error);
        if (*n == 0) *first = r->table.place;
        for (int f = 0; f < N_FIELDS && status == TRIB_OK; f++)
            if (is_header && strcmp(cell->text, field_names[f]) == 0) r->column[f] = *n;
            else if (!is_header && r->column[f] == *n)
                status = trib_buffer_add(&r->field[f], cell->text, cell->length, error);
    }
    for (int f = 0; f < N_FIELDS && status == TRIB_OK; f++) {
        status = trib_buffer_add(&r->field[f], "", 0, error);
        if (status == TRIB_OK) put_on_one_line(&r->field[f]);
    }
    return status;
}

/* Finds the columns that are used. */
static trib_status read_header(reading *r, trib_error *error) {
    trib_place first = {0};
    for (int f = 0; f < N_FIELDS; f++) r->column[f] = SIZE_MAX;
    const trib_status status = read_cells(r, true, &r->n_columns, &first, error);
    for (int f = 0; f < N_FIELDS && status == TRIB_OK && r->diagnostics.n_errors == 0; f++)
        if (r->column[f] == SIZE_MAX)
            trib_diagnose(&r->diagnostics, first,
                          "no column '%s'; this is not pg_catalog.csv of Project Gutenberg",
                          field_names[f]);
    return status;
}

/* Why a row cannot be used; NULL when it can. */
static const char *mistake_in(const reading *r, size_t n, uint64_t *number) {
    if (n != r->n_columns) return "has more or fewer cells than the header";
    const char *text = r->field[NUMBER].text;
    if (!trib_read_uint(text, number) || *number == 0 || *number >= 100000000)
        return "does not begin with the number of an e-text";
    for (int f = 0; f < N_FIELDS; f++)
        if (!trib_is_utf8(r->field[f].text, r->field[f].length)) return "is not UTF-8";
    return NULL;
}

static trib_status add_entry(reading *r, uint64_t number, uint32_t line, trib_error *error) {
    trib_catalogue *catalogue = r->catalogue;
    trib_catalogue_entry *entry = trib_arena_append(&catalogue->arena, catalogue, sizeof *entry);
    if (!entry) return trib_arena_check(&catalogue->arena, error);
    *entry = (trib_catalogue_entry){
        .number = number,
        .line = line,
        .title = trib_arena_copy(&catalogue->arena, r->field[TITLE].text, r->field[TITLE].length)};
    trib_buffer_clear(&r->names);
    trib_buffer_clear(&r->same);
    return read_authors(catalogue, entry, r->field[AUTHORS].text, &r->names, &r->same, error);
}

static trib_status read_row(reading *r, trib_error *error) {
    size_t n;
    uint64_t number = 0;
    trib_place place = {0};
    trib_status status = read_cells(r, false, &n, &place, error);
    if (status != TRIB_OK || r->diagnostics.n_errors > 0) return status;
    const char *mistake = mistake_in(r, n, &number);
    if (mistake) {
        trib_warn(&r->diagnostics, place, "this row %s; it is skipped", mistake);
        r->catalogue->n_bad++;
    } else if (strcmp(r->field[TYPE].text, "Text") != 0) r->catalogue->n_other_type++;
    else if (r->language && strcmp(r->field[LANGUAGE].text, r->language) != 0)
        r->catalogue->n_other_language++;
    else status = add_entry(r, number, place.line, error);
    return status;
}

/* ---- The catalogue --------------------------------------------------------------------------- */

TRIB_ORDER(by_number, trib_catalogue_entry, TRIB_UP(number) ?: TRIB_UP(line));

/* Sorts the entries, and drops all but the first of each number. */
static void sort_entries(reading *r) {
    trib_catalogue *catalogue = r->catalogue;
    size_t n = 0;
    if (catalogue->n > 0)
        qsort(catalogue->entry, catalogue->n, sizeof *catalogue->entry, by_number);
    for (size_t i = 0; i < catalogue->n; i++) {
        trib_catalogue_entry *entry = &catalogue->entry[i];
        if (n > 0 && catalogue->entry[n - 1].number == entry->number) {
            trib_warn(&r->diagnostics, (trib_place){r->table.source, entry->line, 1, 1},
                      "number %llu is also on line %u; it is skipped",
                      (unsigned long long)entry->number, catalogue->entry[n - 1].line);
            catalogue->n_bad++;
        } else catalogue->entry[n++] = *entry;
    }
    catalogue->n = n;
}

trib_status trib_catalogue_parse(trib_catalogue *catalogue, const trib_source *source,
                                 const char *language, trib_log *log, trib_error *error) {
    reading r = {.catalogue = catalogue,
                 .language = language,
                 .diagnostics = {.report = log ? trib_config_log : NULL, .context = log},
                 .table = {.source = source,
                           .cells = {.at = source->text.text,
                                     .end = source->text.text + source->text.length,
                                     .separator = ',',
                                     .line = 1,
                                     .column = 1}}};
    trib_status status = read_header(&r, error);
    while (status == TRIB_OK && r.diagnostics.n_errors == 0) {
        trib_cells_skip_blank_lines(&r.table.cells);
        if (r.table.cells.at == r.table.cells.end) break;
        status = read_row(&r, error);
    }
    if (status == TRIB_OK) sort_entries(&r);
    trib_diagnostics_end(&r.diagnostics);
    if (status == TRIB_OK && r.diagnostics.n_errors > 0)
        status = trib_fail(error, TRIB_INPUT, "%s: cannot be used; get it again", source->name);
    for (int f = 0; f < N_FIELDS; f++) trib_buffer_release(&r.field[f]);
    trib_buffer_release(&r.names);
    trib_buffer_release(&r.same);
    trib_cells_release(&r.table.cells);
    return status;
}

trib_status trib_catalogue_read(trib_catalogue *catalogue, const char *path, const char *language,
                                trib_log *log, trib_error *error) {
    TRIB_OWNED(trib_source) source = {.name = path};
    trib_buffer *text = &source.text;
    trib_status status = trib_read_whole(path, text, error);
    if (status == TRIB_OK) status = trib_buffer_add(text, "", 0, error);
    if (status == TRIB_OK && text->length >= 3 && memcmp(text->text, "\xEF\xBB\xBF", 3) == 0)
        memmove(text->text, text->text + 3, (text->length -= 3) + 1);
    return status == TRIB_OK ? trib_catalogue_parse(catalogue, &source, language, log, error)
                             : status;
}

static int by_work(const void *a, const void *b) {
    const trib_catalogue_entry *x = *(trib_catalogue_entry *const *)a;
    const trib_catalogue_entry *y = *(trib_catalogue_entry *const *)b;
    const int order = strcmp(x->same, y->same);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

trib_status trib_catalogue_group(trib_catalogue *catalogue, trib_error *error) {
    TRIB_FREED(trib_catalogue_entry **) list = NULL;
    size_t n = 0;
    trib_status status = TRIB_NEW(&list, catalogue->n, "the catalogue", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < catalogue->n; i++)
        if (catalogue->entry[i].file) list[n++] = &catalogue->entry[i];
    if (n > 0) qsort(list, n, sizeof(trib_catalogue_entry *), by_work);
    for (size_t i = 1, first = 0; i < n; i++) {
        if (strcmp(list[i]->same, list[first]->same) == 0)
            list[i]->edition_of = list[first]->number;
        else first = i;
    }
    return status;
}
