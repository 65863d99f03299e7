/* listing.c - reads documents from a table (TSV, CSV) and from a pattern of file names. */
#include "pipeline/config/diagnostic.h"
#include "pipeline/config/documents.h"
#include "pipeline/text/table.h"
#include "pipeline/text/text_formats.h"

#include <glob.h>
#include <string.h>
#include <strings.h>

/* ---- Tables ---------------------------------------------------------------------------------- */

enum { MAX_COLUMNS = 64 };
typedef struct header {
    const trib_document_field *field[MAX_COLUMNS]; /* NULL: the column is ignored */
    size_t n;
} header;

/* Columns that `tributary documents` writes beside those that are read. */
static const char *const written[] = {"words",     "title_from",    "author_from",
                                      "date_from", "language_from", "file_date"};

static bool is_written(const char *name) {
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (strcasecmp(name, written[i]) == 0) return true;
    return false;
}

/* The field that a column names, in any case of letters. The last row, with name NULL, when there
 * is none. */
static const trib_document_field *find_field(const char *name, trib_guess *guess) {
    const char *wanted = strcasecmp(name, "filename") == 0 ? "file" : name;
    const trib_document_field *field = trib_document_fields;
    for (; field->name && strcasecmp(field->name, wanted) != 0; field++)
        trib_guess_try(guess, field->name);
    return field;
}

/* Reads the header line: which field each column has. */
static trib_status read_header(trib_source_cells *t, header *columns, trib_diagnostics *diagnostics,
                               trib_error *error) {
    bool has_file = false;
    const trib_place first = {t->source, t->cells.line, 1, 1};
    for (t->cells.row_ends = false; !t->cells.row_ends;) {
        const trib_status status = trib_source_cells_next(t, diagnostics, error);
        if (status != TRIB_OK) return status;
        if (columns->n == MAX_COLUMNS) {
            trib_diagnose(diagnostics, t->place, "more than %d columns", MAX_COLUMNS);
            return TRIB_OK;
        }
        const char *name = t->cells.cell.text;
        trib_guess guess = {.word = name};
        const trib_document_field *field = find_field(name, &guess);
        if (!field->name && *guess.best && !is_written(name))
            trib_warn(diagnostics, t->place, "column '%s' is ignored%s", name,
                      trib_guess_hint(&guess));
        for (size_t i = 0; field->name && i < columns->n; i++)
            if (columns->field[i] == field)
                trib_diagnose(diagnostics, t->place, "column '%s' occurs twice", field->name);
        columns->field[columns->n++] = field->name ? field : NULL;
        has_file = has_file || (field->name && strcmp(field->name, "file") == 0);
    }
    if (!has_file)
        trib_diagnose(diagnostics, first,
                      "no column 'file'; the first line names the columns: file, title, author, "
                      "date, id, role");
    return TRIB_OK;
}

static trib_status read_row(trib_listing *listing, trib_source_cells *t, const header *columns,
                            trib_diagnostics *diagnostics, trib_error *error) {
    trib_listed *listed = NULL;
    const uint32_t line = t->cells.line;
    size_t n = 0;
    trib_status status =
        trib_listing_add(listing, (trib_place){t->source, line, 1, 1}, &listed, error);
    for (t->cells.row_ends = false; status == TRIB_OK && !t->cells.row_ends; n++) {
        status = trib_source_cells_next(t, diagnostics, error);
        if (status != TRIB_OK || n >= columns->n || !columns->field[n] || t->cells.cell.length == 0)
            continue;
        const char *text = t->cells.cell.text;
        /* the apostrophe that keeps spreadsheets from taking a text for a formula */
        if (*text == '\'' && text[1] != '\0' && strchr("=+-@\t\r", text[1])) text++;
        status = trib_listing_set(listed, columns->field[n], text, t->place, diagnostics, error);
        if (strcmp(columns->field[n]->name, "file") == 0 && !listed->about.id)
            listed->place = t->place;
    }
    if (status == TRIB_OK && n > columns->n)
        trib_diagnose(diagnostics, (trib_place){t->source, line, 1, 1},
                      "%zu cells under a header of %zu", n, columns->n);
    return status == TRIB_OK ? trib_listing_complete(listed, diagnostics, error) : status;
}

trib_status trib_listing_table(trib_listing *listing, trib_source *source, char separator,
                               trib_diagnostics *diagnostics, trib_error *error) {
    const char *text = source->text.text;
    if (!text || source->text.length == 0) {
        trib_diagnose(diagnostics, (trib_place){.source = source}, "is empty");
        return TRIB_OK;
    }
    const size_t length = source->text.length;
    trib_cells_unify_lines(&source->text, separator != '\t');
    trib_source_cells t = {.source = source};
    trib_cells_begin(&t.cells, text, length, separator == '\t' ? '\t' : 0);
    header columns = {.n = 0};
    const size_t n_errors = diagnostics->n_errors;
    trib_status status = read_header(&t, &columns, diagnostics, error);
    const bool readable = diagnostics->n_errors == n_errors;
    while (status == TRIB_OK && readable && t.cells.at < t.cells.end) {
        trib_cells_skip_blank_lines(&t.cells);
        if (t.cells.at < t.cells.end) status = read_row(listing, &t, &columns, diagnostics, error);
    }
    trib_cells_release(&t.cells);
    return status;
}

/* ---- Patterns -------------------------------------------------------------------------------- */

/* Joins the root, whose wildcard characters are escaped, and the pattern. */
static trib_status make_pattern(trib_buffer *full, const char *root, const char *pattern,
                                size_t *n_root, trib_error *error) {
    trib_status status = TRIB_OK;
    *n_root = 0;
    if (root && pattern[0] != '/') {
        for (const char *c = root; *c && status == TRIB_OK; c++)
            status = trib_buffer_print(full, error, strchr("*?[]\\", *c) ? "\\%c" : "%c", *c);
        *n_root = strlen(root);
        if (status == TRIB_OK && *n_root > 0 && root[*n_root - 1] != '/') {
            status = trib_buffer_add(full, "/", 1, error);
            (*n_root)++;
        }
    }
    return status == TRIB_OK ? trib_buffer_add(full, pattern, strlen(pattern), error) : status;
}

static trib_status add_match(trib_listing *listing, const char *path, size_t n_root,
                             trib_place place, trib_diagnostics *diagnostics, trib_error *error) {
    trib_listed *listed = NULL;
    trib_buffer shown = {0};
    trib_status status = trib_listing_add(listing, place, &listed, error);
    if (status == TRIB_OK) status = trib_copy(&listed->about.path, path, error);
    if (status == TRIB_OK)
        status = trib_show_bytes(&shown, path + n_root, strlen(path + n_root), error);
    if (status == TRIB_OK)
        status = trib_copy_text(&listed->about.file, shown.text, shown.length, error);
    trib_buffer_release(&shown);
    return status == TRIB_OK ? trib_listing_complete(listed, diagnostics, error) : status;
}

trib_status trib_listing_glob(trib_listing *listing, const char *root, const char *pattern,
                              trib_place place, trib_diagnostics *diagnostics, trib_error *error) {
    trib_buffer full = {0};
    size_t n_root = 0;
    trib_status status = make_pattern(&full, root, pattern, &n_root, error);
    if (status != TRIB_OK) {
        trib_buffer_release(&full);
        return status;
    }
    glob_t found = {0};
    size_t n_files = 0;
    const trib_text_format *refused = NULL;
    /* a pattern such as "*.bak" asks for such files, and one without a wildcard names its file */
    const bool asks_hidden = !strpbrk(pattern, "*?[") || trib_listing_is_hidden(pattern);
    const int failure = glob(full.text, GLOB_MARK, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc && failure == 0 && status == TRIB_OK; i++) {
        const char *path = found.gl_pathv[i];
        if (path[strlen(path) - 1] == '/') {
            status = trib_listing_leave_out(listing, "", path + n_root, "a folder", error);
            continue;
        }
        const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
        if (trib_listing_is_hidden(name) && !asks_hidden) {
            status = trib_listing_leave_out(listing, "", path + n_root, "hidden", error);
            continue;
        }
        const trib_text_format *format = trib_text_format_named(path, NULL, 0);
        if (format && format->use == TRIB_TEXT_FORMAT_REFUSED) {
            status = trib_listing_leave_out(listing, "", path + n_root, format->left_out, error);
            refused = format;
            continue;
        }
        const bool is_table = trib_table_is_named(path) && !trib_table_is_named(pattern);
        if (is_table || (trib_xlsx_is_named(path) && !trib_xlsx_is_named(pattern))) {
            status = trib_listing_leave_out(listing, "", path + n_root,
                                            is_table ? "a table; name it to read its texts"
                                                     : "a workbook; name it to read it",
                                            error);
            continue;
        }
        n_files++;
        status = add_match(listing, path, n_root, place, diagnostics, error);
    }
    globfree(&found);
    if (failure == GLOB_NOSPACE)
        status = trib_fail(error, TRIB_MEMORY, "out of memory: matching file names");
    else if (status == TRIB_OK && n_files == 0 && refused)
        trib_diagnose(diagnostics, place,
                      "no file that matches '%s' is in a readable format: %s; %s", pattern,
                      refused->left_out, refused->remedy);
    else if (status == TRIB_OK && n_files == 0)
        trib_diagnose(diagnostics, place, "no file matches '%s' in '%s'", pattern, root);
    trib_buffer_release(&full);
    return status;
}
