/* table.c - reads a table of text cell by cell, separated by tabs, or as RFC 4180 says; and its
 * rows as objects of JSON. */
#include "pipeline/text/table.h"

#include <strings.h>

#include "pipeline/support/json.h"
#include "pipeline/support/names.h"
#include "pipeline/support/utf8.h"
#include "tokenizer/tokenizer.h"

static void step(trib_cells *t) {
    if (*t->at == '\n') {
        t->line++;
        t->column = 1;
    } else if (((unsigned char)*t->at & 0xC0) != 0x80) {
        t->column++;
    }
    t->at++;
}

/* Reads a quoted cell, in which a quote is written twice. */
static void next_quoted(trib_cells *t, trib_error *error) {
    for (step(t); t->at < t->end; step(t)) {
        if (*t->at == '"') {
            if (t->at + 1 == t->end || t->at[1] != '"') break;
            step(t);
        }
        trib_buffer_add(&t->cell, t->at, 1, error);
    }
    if (t->at == t->end) t->complaint = "the quote of a cell is not closed";
    else step(t);
}

trib_status trib_cells_next(trib_cells *t, trib_error *error) {
    trib_buffer_clear(&t->cell);
    t->cell_line = t->line;
    t->cell_column = t->column;
    t->cell_width = 1;
    t->complaint = NULL;
    trib_buffer_add(&t->cell, "", 0, error);
    const char *start = t->at;
    if (t->separator != '\t' && t->at < t->end && *t->at == '"') next_quoted(t, error);
    const bool quoted = t->at > start;
    while (t->at < t->end && *t->at != t->separator && *t->at != '\n') {
        const bool ends_line = *t->at == '\r' && (t->at + 1 == t->end || t->at[1] == '\n');
        if (quoted && !ends_line) t->complaint = "text after the closing quote of a cell";
        if (!ends_line) trib_buffer_add(&t->cell, t->at, 1, error);
        step(t);
    }
    if (!quoted && t->line == t->cell_line && t->column > t->cell_column)
        t->cell_width = t->column - t->cell_column;
    t->row_ends = t->at == t->end || *t->at == '\n';
    if (t->at < t->end) step(t);
    return t->cell.failure;
}

void trib_cells_skip_blank_lines(trib_cells *t) {
    while (t->at < t->end && (*t->at == '\n' || *t->at == '\r')) step(t);
}

/* The bytes that end the first line, 0: none do. */
static size_t first_end(const trib_buffer *text, bool has_quotes, char end[4]) {
    bool is_in_quotes = false;
    for (size_t i = 0, n; i < text->length && text->text[i] != '\0'; i++) {
        if (has_quotes && text->text[i] == '"') is_in_quotes = !is_in_quotes;
        n = is_in_quotes ? 0 : trib_line_end(text->text, i, text->length);
        if (n > 0) return memcpy(end, text->text + i, n), n;
    }
    return 0;
}

void trib_cells_unify_lines(trib_buffer *text, bool has_quotes) {
    char end[4] = "";
    const size_t n = first_end(text, has_quotes, end);
    size_t to = 0;
    if (n == 0 || end[n - 1] == '\n') return;
    for (size_t i = 0; i < text->length; to++) {
        const bool is_end = text->length - i >= n && memcmp(text->text + i, end, n) == 0;
        text->text[to] = is_end ? '\n' : text->text[i];
        i += is_end ? n : 1;
    }
    text->text[text->length = to] = '\0';
}

/* Finds the separator of a table in its first line. Spreadsheets write ';' in languages whose
 * decimal sign is a comma, and tabs in their "Unicode text". */
static char find_separator(const char *text, size_t length) {
    size_t n_commas = 0, n_semicolons = 0, n_tabs = 0;
    for (size_t i = 0; i < length && text[i] != '\n'; i++) {
        n_commas += text[i] == ',';
        n_semicolons += text[i] == ';';
        n_tabs += text[i] == '\t';
    }
    if (n_commas + n_semicolons == 0 && n_tabs > 0) return '\t';
    return n_semicolons > n_commas ? ';' : ',';
}

void trib_cells_begin(trib_cells *cells, const char *text, size_t length, char separator) {
    const bool says = length >= 5 && strncasecmp(text, "sep=", 4) == 0;
    *cells = (trib_cells){.at = text, .end = text + length, .line = 1, .column = 1};
    cells->separator = separator ? separator : says ? text[4] : find_separator(text, length);
    if (!says) return;
    const char *end = memchr(text, '\n', length); /* the line is not the header */
    cells->at = end ? end + 1 : text + length;
    cells->line = 2;
}

void trib_cells_release(trib_cells *t) { trib_buffer_release(&t->cell); }

/* ---- Tables ---------------------------------------------------------------------------------- */

enum { COLUMNS_MOST = 4096 };

static bool has_tabs(const char *path) {
    return trib_name_ends(path, trib_unpacked_name_length(path), ".tsv .tab");
}

bool trib_table_is_named(const char *path) {
    return trib_name_ends(path, trib_unpacked_name_length(path), ".csv .tsv .tab");
}

/* ---- The text -------------------------------------------------------------------------------- */

static trib_status check_utf8(const trib_table *table, trib_error *error) {
    const trib_buffer *text = &table->text;
    unsigned long long line = 1;
    for (size_t i = 0, n; i < text->length; i += n) {
        n = trib_utf8_length(text->text + i, text->length - i);
        if (n == 0 || text->text[i] == '\0')
            return trib_fail(error, TRIB_INPUT,
                             "%s:%llu: is not UTF-8 (0x%02X); save the table as \"CSV UTF-8\", or "
                             "convert it (`iconv -f WINDOWS-1252 -t UTF-8`)",
                             table->name, line, (unsigned)(unsigned char)text->text[i]);
        line += text->text[i] == '\n';
    }
    return TRIB_OK;
}

static trib_status decode(trib_table *table, const char *bytes, size_t length, trib_error *error) {
    const bool is_utf16 =
        length >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0);
    if (is_utf16) return trib_excerpt(&table->text, "UTF-16", bytes, length, error);
    const size_t mark = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return trib_buffer_add(&table->text, bytes + mark, length - mark, error);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static trib_status next_cell(trib_table *table, trib_error *error) {
    trib_cells *cells = &table->cells;
    const trib_status status = trib_cells_next(cells, error);
    if (status == TRIB_OK && cells->complaint)
        return trib_fail(error, TRIB_INPUT, "%s:%u:%u: %s", table->name, cells->cell_line,
                         cells->cell_column, cells->complaint);
    return status;
}

static trib_status read_header(trib_table *table, trib_error *error) {
    trib_status status = TRIB_OK;
    do {
        status = next_cell(table, error);
        if (status == TRIB_OK && table->n_columns == COLUMNS_MOST)
            status = trib_fail(error, TRIB_INPUT, "%s:1: has more than %d columns", table->name,
                               (int)COLUMNS_MOST);
        if (status == TRIB_OK)
            status = trib_grow(&table->column, &table->cap, table->n_columns + 1,
                               sizeof *table->column, "columns", error);
        if (status == TRIB_OK)
            status = trib_copy_text(&table->column[table->n_columns], table->cells.cell.text,
                                    table->cells.cell.length, error);
        if (status == TRIB_OK) table->n_columns++;
    } while (status == TRIB_OK && !table->cells.row_ends);
    return status;
}

static size_t find_column(const trib_table *table, const char *name) {
    size_t c = 0;
    while (c < table->n_columns && strcasecmp(table->column[c], name) != 0) c++;
    return c;
}

/* Finds the column whose cells have most bytes; the first of equals. */
static trib_status find_longest(trib_table *table, trib_error *error) {
    const trib_cells begin = table->cells;
    TRIB_FREED(uint64_t *) n_bytes = NULL;
    trib_status status = trib_new(&n_bytes, table->n_columns, sizeof *n_bytes, "columns", error);
    for (size_t c = 0; status == TRIB_OK && table->cells.at < table->cells.end;) {
        if (c == 0) trib_cells_skip_blank_lines(&table->cells);
        if (table->cells.at == table->cells.end) break;
        status = next_cell(table, error);
        if (status == TRIB_OK && c < table->n_columns) n_bytes[c] += table->cells.cell.length;
        c = table->cells.row_ends ? 0 : c + 1;
    }
    table->text_column = 0;
    for (size_t c = 1; status == TRIB_OK && c < table->n_columns; c++)
        if (n_bytes[c] > n_bytes[table->text_column]) table->text_column = c;
    const trib_buffer cell = table->cells.cell;
    table->cells = begin;
    table->cells.cell = cell;
    return status;
}

/* Reports that there is no column of a name, and which there are. */
static trib_status fail_column(const trib_table *table, const char *column, trib_error *error) {
    TRIB_OWNED(trib_buffer) names = {0};
    for (size_t c = 0; c < table->n_columns && c < 12; c++)
        trib_buffer_print(&names, error, "%s'%.40s'", c > 0 ? ", " : "", table->column[c]);
    trib_status status = names.failure;
    if (status == TRIB_OK)
        status = trib_fail(error, TRIB_INPUT, "%s:1: has no column '%s'; its columns are %s%s",
                           table->name, column, names.text, table->n_columns > 12 ? ", ..." : "");
    return status;
}

trib_status trib_table_open(trib_table *table, const char *name, const char *bytes, size_t length,
                            const char *column, trib_error *error) {
    *table = (trib_table){.name = name};
    trib_status status = decode(table, bytes, length, error);
    trib_cells_unify_lines(&table->text, !has_tabs(name));
    if (status == TRIB_OK) status = check_utf8(table, error);
    const char *text = table->text.text ? table->text.text : "";
    const size_t n = table->text.length;
    trib_cells_begin(&table->cells, text, n, has_tabs(name) ? '\t' : 0);
    if (status == TRIB_OK && table->cells.at == table->cells.end)
        status = trib_fail(error, TRIB_INPUT, "%s: is empty; its first line must name the columns",
                           name);
    if (status == TRIB_OK) status = read_header(table, error);
    table->has_date = find_column(table, "date") < table->n_columns;
    if (status == TRIB_OK) table->text_column = find_column(table, column ? column : "text");
    if (status == TRIB_OK && table->text_column == table->n_columns)
        status = column ? fail_column(table, column, error) : find_longest(table, error);
    if (status != TRIB_OK) trib_table_close(table);
    return status;
}

void trib_table_close(trib_table *table) {
    for (size_t c = 0; c < table->n_columns; c++) trib_free(table->column[c]);
    trib_free(table->column);
    trib_cells_release(&table->cells);
    trib_buffer_release(&table->text);
    *table = (trib_table){0};
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The key of a column in the object of a row, or NULL when it is not read. */
static const char *key_of(const trib_table *table, size_t column) {
    static const char *const keys[] = {"id", "title", "author", "date", "role"};
    const char *name = table->column[column];
    if (column == table->text_column) return "text";
    if (!table->has_date && strcasecmp(name, "year") == 0) return "date";
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strcasecmp(name, keys[k]) == 0) return keys[k];
    return NULL;
}

/* Sets a key of a row from a cell. */
static trib_status set_key(json_t *row, const char *key, trib_buffer *cell, trib_error *error) {
    static const char *const roles[] = {"both", "target", "source", "decoy"};
    char year[8];
    bool is_role = strcmp(key, "role") != 0;
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
        is_role = is_role || strcmp(cell->text, roles[r]) == 0;
    if (!is_role || json_object_get(row, key)) return TRIB_OK;
    if (strcmp(key, "id") == 0) {
        TRIB_OWNED(trib_buffer) id = {0};
        const trib_status status =
            trib_id_add(&id, (trib_id_from){cell->text, cell->length, false}, error);
        if (status == TRIB_OK) trib_json_set_text(row, key, id.text);
        return status;
    }
    const bool is_year = strcmp(key, "date") == 0 && cell->length < 4 &&
                         strspn(cell->text, "0123456789") == cell->length;
    if (is_year) snprintf(year, sizeof year, "%0*d%.3s", (int)(4 - cell->length), 0, cell->text);
    json_object_set_new(row, key,
                        is_year ? json_string(year) : json_stringn(cell->text, cell->length));
    return TRIB_OK;
}

trib_status trib_table_next(trib_table *table, json_t **object, trib_error *error) {
    trib_cells *cells = &table->cells;
    *object = NULL;
    trib_cells_skip_blank_lines(cells);
    if (cells->at == cells->end) return TRIB_OK;
    table->line = cells->line;
    json_t *row = json_object();
    size_t c = 0;
    trib_status status = row ? TRIB_OK : trib_fail(error, TRIB_MEMORY, "out of memory: a row");
    do {
        if (status == TRIB_OK) status = next_cell(table, error);
        const char *key = status == TRIB_OK && c < table->n_columns ? key_of(table, c) : NULL;
        if (key && (cells->cell.length > 0 || c == table->text_column))
            status = set_key(row, key, &cells->cell, error);
        c++;
    } while (status == TRIB_OK && !cells->row_ends);
    if (status == TRIB_OK && c > table->n_columns)
        status = trib_fail(error, TRIB_INPUT,
                           "%s:%u: %zu cells under a header of %zu; write a text with a separator "
                           "between quotes",
                           table->name, table->line, c, table->n_columns);
    if (status != TRIB_OK) json_decref(row);
    else *object = row;
    return status;
}
