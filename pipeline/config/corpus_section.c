/* corpus_section.c - finds the documents of a configuration, whichever way they are listed: in the
 * file, in a manifest (YAML, JSON Lines, a table) or by a pattern of file names; and sorts them by
 * id. */
#include "pipeline/config/loading.h"

#include <errno.h>
#include <glob.h>
#include <strings.h>
#include <unistd.h>

#include "base/system.h"
#include "pipeline/text/library.h"
#include "pipeline/text/table.h"
#include "pipeline/text/text_formats.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

enum { MAX_COLUMNS = 64, MAX_VALUES = 50, MAX_VALUE = 100 };
/* A column: a field, or one whose values may group the documents. */
typedef struct column {
    const trib_document_field *field; /* NULL: it is none */
    const char *name;                 /* of a column that is no field; NULL: it is ignored */
    const char *value[MAX_VALUES];    /* [n_values] its different values */
    size_t n_values, n_cells;         /* cells that are not empty */
} column;
typedef struct header {
    column item[MAX_COLUMNS]; /* [n] */
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

/* A copy of a name or a value, in which control characters and those of `marks`, which separate
 * them, are replaced. */
static const char *part_of(trib_listing *listing, const char *text, const char *marks) {
    char *part = trib_arena_new(listing->arena, strlen(text) + 1, 1);
    for (size_t i = 0; part && text[i]; i++) part[i] = (unsigned char)text[i] < ' ' ? ' ' : text[i];
    for (size_t i = 0; part && part[i]; i++)
        if (strchr(marks, part[i])) part[i] = ',';
    return part ? part : "";
}

/* Reads the header line: which field each column has. */
static void read_header(trib_listing *listing, trib_source_cells *t, header *columns) {
    trib_diagnostics *const diagnostics = listing->diagnostics;
    bool has_file = false;
    const trib_place first = {t->source, t->cells.line, 1, 1};
    for (t->cells.row_ends = false; !t->cells.row_ends;) {
        if (trib_source_cells_next(t, diagnostics, &listing->arena->failure) != TRIB_OK) return;
        if (columns->n == MAX_COLUMNS) {
            trib_diagnose(diagnostics, t->place, "more than %d columns", MAX_COLUMNS);
            return;
        }
        const char *name = t->cells.cell.text;
        trib_guess guess = {.word = name};
        const trib_document_field *field = find_field(name, &guess);
        if (!field->name && *guess.best && !is_written(name))
            trib_warn(diagnostics, t->place, "column '%s' is ignored%s", name,
                      trib_guess_hint(&guess));
        for (size_t i = 0; field->name && i < columns->n; i++)
            if (columns->item[i].field == field)
                trib_diagnose(diagnostics, t->place, "column '%s' occurs twice", field->name);
        const bool is_other = !field->name && *name && !*guess.best && !is_written(name);
        columns->item[columns->n++] =
            (column){.field = field->name ? field : NULL,
                     .name = is_other ? part_of(listing, name, ":;") : NULL};
        has_file = has_file || (field->name && strcmp(field->name, "file") == 0);
    }
    if (!has_file)
        trib_diagnose(diagnostics, first,
                      "no column 'file'; the first line names the columns: file, title, author, "
                      "date, id, role");
}

/* Notes a value of a column that is no field. One with long or many values is ignored. */
static const char *note_value(trib_listing *listing, column *at, const char *text) {
    const char *value = part_of(listing, text, ";");
    size_t v = 0;
    while (v < at->n_values && strcmp(at->value[v], value) != 0) v++;
    if (v == MAX_VALUES || strlen(value) > MAX_VALUE) at->name = NULL;
    else if (v == at->n_values) at->value[at->n_values++] = value;
    at->n_cells++;
    return value;
}

/* Gives the documents from `first` on their values in the columns of which two have one value. */
static void set_columns(trib_listing *listing, const header *columns, size_t first) {
    for (size_t d = first; d < listing->n; d++)
        for (size_t c = 0; c < columns->n && listing->item[d].cell; c++) {
            const column *const at = &columns->item[c];
            const char **to = &listing->item[d].about.columns;
            if (at->name && at->n_values < at->n_cells && listing->item[d].cell[c])
                *to = trib_arena_print(listing->arena, "%s%s%s: %s", *to ? *to : "",
                                       *to ? "; " : "", at->name, listing->item[d].cell[c]);
        }
}

static void read_row(trib_listing *listing, trib_source_cells *t, header *columns) {
    const trib_place row = {t->source, t->cells.line, 1, 1};
    trib_listed listed = trib_listed_begin(row);
    listed.cell = trib_arena_new(listing->arena, columns->n, sizeof *listed.cell);
    size_t n = 0, n_full = 0;
    for (t->cells.row_ends = false; !t->cells.row_ends; n++) {
        if (trib_source_cells_next(t, listing->diagnostics, &listing->arena->failure) != TRIB_OK)
            return;
        n_full += t->cells.cell.length > 0;
        if (n >= columns->n || t->cells.cell.length == 0) continue;
        column *const at = &columns->item[n];
        const char *text = t->cells.cell.text;
        /* the apostrophe that keeps spreadsheets from taking a text for a formula */
        if (*text == '\'' && text[1] != '\0' && strchr("=+-@\t\r", text[1])) text++;
        if (at->field) trib_listing_set(listing, &listed, at->field, text, t->place);
        else if (at->name && listed.cell) listed.cell[n] = note_value(listing, at, text);
        if (at->field && strcmp(at->field->name, "file") == 0 && !listed.about.id)
            listed.place = t->place;
    }
    if (n_full == 0) return; /* spreadsheets write rows of separators */
    if (n > columns->n)
        trib_diagnose(listing->diagnostics, row, "%zu cells under a header of %zu", n, columns->n);
    trib_listing_complete(listing, &listed);
    trib_listing_add(listing, &listed);
}

void trib_listing_table(trib_listing *listing, trib_source *source, char separator) {
    const char *text = source->text.text;
    if (!text || source->text.length == 0) {
        trib_diagnose(listing->diagnostics, (trib_place){.source = source}, "is empty");
        return;
    }
    const size_t n_errors = listing->diagnostics->n_errors;
    header columns = {.n = 0};
    trib_cells_unify_lines(&source->text, separator != '\t');
    const size_t length = source->text.length;
    trib_source_cells t = {.source = source};
    trib_cells_begin(&t.cells, text, length, separator == '\t' ? '\t' : 0);
    read_header(listing, &t, &columns);
    const bool readable = listing->diagnostics->n_errors == n_errors;
    const size_t first = listing->n;
    while (readable && listing->arena->failure.status == TRIB_OK && t.cells.at < t.cells.end) {
        trib_cells_skip_blank_lines(&t.cells);
        if (t.cells.at < t.cells.end) read_row(listing, &t, &columns);
    }
    if (listing->arena->failure.status == TRIB_OK) set_columns(listing, &columns, first);
    trib_cells_release(&t.cells);
}

/* ---- Manifests ------------------------------------------------------------------------------- */

/* Keys a manifest may contain besides `documents`. The loader ignores them. */
static const char *const manifest_keys[] = {"documents", "title", "notes", "obtain", NULL};

static void read_manifest(trib_loading *l) {
    const trib_yaml *yaml = &l->manifest;
    const size_t n_errors = l->diagnostics.n_errors;
    (void)trib_yaml_read(&l->manifest, l->listing_path, &l->diagnostics, &l->config->arena.failure);
    if (!trib_loading_goes_on(l) || l->diagnostics.n_errors > n_errors) return;
    const uint32_t documents = trib_yaml_is_empty(yaml) ? 0 : trib_yaml_find(yaml, 1, "documents");
    if (!documents) {
        trib_diagnose(&l->diagnostics, (trib_place){.source = &yaml->source}, "no 'documents'");
        return;
    }
    TRIB_YAML_KEYS(yaml, 1, k) {
        trib_guess guess = {.word = trib_yaml_text(yaml, k)};
        size_t i = 0;
        for (; manifest_keys[i] && strcmp(manifest_keys[i], guess.word) != 0; i++)
            trib_guess_try(&guess, manifest_keys[i]);
        if (!manifest_keys[i])
            trib_diagnose(&l->diagnostics, trib_yaml_place(yaml, k),
                          "unknown key '%s' in a manifest%s", guess.word, trib_guess_hint(&guess));
    }
    trib_listing_yaml(&l->listing, yaml, documents, true);
}

/* Whether the manifest could be read; reports it if not. */
static bool is_readable(trib_loading *l, const trib_error *why) {
    return trib_settled(&l->diagnostics, trib_loading_place(l, "corpus.manifest", 0), "",
                        TRIB_INPUT, why, &l->config->arena.failure);
}

/* Reads a manifest in JSON Lines. The text of a document is in its line or in a file of its own. */
static void read_lines(trib_loading *l) {
    const trib_config *config = l->config;
    const char *root = trib_loading_join(l, config->corpus.root ? config->corpus.root : ".");
    TRIB_FREED(char *) file = NULL;
    trib_error why = {0};
    if (trib_path_relative(&file, root, l->listing_path, &why) == TRIB_OK)
        (void)trib_listing_lines(&l->listing, &(trib_lines){l->listing_path, file, NULL}, &why);
    (void)is_readable(l, &why);
}

/* Reads JSON Lines from standard input, which a run reads again and again in a temporary file. */
static void read_standard_input(trib_loading *l) {
    trib_byte_source input;
    trib_error why = {0};
    const trib_status status = trib_byte_source_open(&input, "-", NULL, &why);
    trib_byte_source_close(&input);
    if (status == TRIB_OK)
        (void)trib_listing_lines(&l->listing, &(trib_lines){TRIB_INPUT_LINES, "-", NULL}, &why);
    (void)is_readable(l, &why);
}

/* Reads the first sheet of a workbook into l->table. */
static bool read_workbook(trib_loading *l) {
    TRIB_OWNED(trib_buffer) bytes = {0};
    trib_error why = {0};
    l->table = (trib_source){.name = l->listing_path};
    if (trib_read_whole(l->listing_path, &bytes, &why) == TRIB_OK)
        (void)trib_xlsx_table(
            &l->table.text,
            (trib_markup_bytes){l->listing_path, bytes.text ? bytes.text : "", bytes.length}, &why);
    return is_readable(l, &why);
}

/* Reads the file that corpus.manifest names. When corpus.root is not set, the directory of that
 * file becomes the root. */
static void read_listing_file(trib_loading *l) {
    trib_config *config = l->config;
    const char *manifest = config->corpus.manifest, *slash = strrchr(manifest, '/');
    const bool tsv = trib_name_ends(manifest, strlen(manifest), ".tsv .tab");
    bool readable = false;
    if (strcmp(manifest, "-") == 0) {
        read_standard_input(l);
        return;
    }
    if (!config->corpus.root && slash) {
        char *folder = NULL;
        (void)trib_path_directory(&folder, manifest, &config->arena.failure);
        const char *root = trib_kept(&config->arena, folder);
        if (strcmp(root, ".") != 0) config->corpus.root = root;
    }
    l->listing_path = trib_loading_join(l, manifest);
    if (!trib_loading_goes_on(l)) return;
    if (trib_jsonl_is_named(manifest) && !trib_jsonl_why_named(manifest)) {
        read_lines(l);
        return;
    }
    const bool is_workbook = trib_xlsx_is_named(manifest);
    if (!tsv && !is_workbook && !trib_name_ends(manifest, strlen(manifest), ".csv")) {
        read_manifest(l);
        return;
    }
    if (is_workbook) readable = read_workbook(l);
    else
        (void)trib_source_read(&l->table, l->listing_path, &readable, &l->diagnostics,
                               &config->arena.failure);
    if (readable) trib_listing_table(&l->listing, &l->table, tsv ? '\t' : ',');
}

/* ---- Patterns -------------------------------------------------------------------------------- */

/* Joins the root, whose wildcard characters are escaped, and the pattern. */
static const char *make_pattern(trib_arena *arena, const char *root, const char *pattern,
                                size_t *n_root) {
    trib_buffer full = {0};
    *n_root = 0;
    if (root && pattern[0] != '/') {
        for (const char *c = root; *c; c++)
            (void)trib_buffer_print(&full, &arena->failure, strchr("*?[]\\", *c) ? "\\%c" : "%c",
                                    *c);
        *n_root = strlen(root);
        if (*n_root > 0 && root[*n_root - 1] != '/') {
            (void)trib_buffer_add(&full, "/", 1, &arena->failure);
            (*n_root)++;
        }
    }
    (void)trib_buffer_print(&full, &arena->failure, "%s", pattern);
    return trib_kept(arena, full.text);
}

/* Why a file that matches a pattern is left out; NULL: it is a document. */
static const char *why_left_out(const char *path, const char *pattern) {
    /* a pattern such as "*.bak" asks for such files, and one without a wildcard names its file */
    const bool asks_hidden = !strpbrk(pattern, "*?[") || trib_listing_is_hidden(pattern);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const trib_text_format *format = trib_text_format_named(path, NULL, 0);
    if (path[strlen(path) - 1] == '/') return "a folder";
    if (trib_listing_is_hidden(name) && !asks_hidden) return "hidden";
    if (format && format->use == TRIB_TEXT_FORMAT_REFUSED) return format->left_out;
    if (trib_jsonl_why_named(path) && !trib_jsonl_why_named(pattern))
        return trib_jsonl_why_named(path);
    if (trib_xlsx_is_named(path) && !trib_xlsx_is_named(pattern))
        return "a workbook; name it to read it";
    return NULL;
}

/* Appends every regular file whose name matches `pattern` under `root` (NULL: the current
 * directory), with its path. */
static void list_matches(trib_listing *listing, const char *root, const char *pattern,
                         trib_place place) {
    size_t n_root = 0, n_files = 0;
    glob_t found = {0};
    const trib_text_format *refused = NULL;
    const char *full = make_pattern(listing->arena, root, pattern, &n_root);
    if (listing->arena->failure.status != TRIB_OK) return;
    const int failure = glob(full, GLOB_MARK, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc && failure == 0; i++) {
        const char *path = found.gl_pathv[i], *why = why_left_out(path, pattern);
        const trib_text_format *format = trib_text_format_named(path, NULL, 0);
        if (why) {
            trib_listing_leave_out(listing, "", path + n_root, why);
            if (format && why == format->left_out) refused = format;
            continue;
        }
        trib_listed listed = trib_listed_begin(place);
        listed.about.path = trib_arena_print(listing->arena, "%s", path);
        listed.about.file = trib_shown(listing->arena, path + n_root);
        if (!trib_path_leads_out(pattern)) /* a pattern of another folder names it */
            trib_listing_check_link(listing, root ? root : ".", &listed);
        trib_listing_complete(listing, &listed);
        trib_listing_add(listing, &listed);
        n_files++;
    }
    globfree(&found);
    if (failure == GLOB_NOSPACE)
        trib_arena_fail(listing->arena, TRIB_MEMORY, "out of memory: matching file names");
    else if (n_files == 0 && refused)
        trib_diagnose(listing->diagnostics, place,
                      "no file that matches '%s' is in a readable format: %s; %s", pattern,
                      refused->left_out, refused->remedy);
    else if (n_files == 0)
        trib_diagnose(listing->diagnostics, place, "no file matches '%s' in '%s'", pattern,
                      root ? root : ".");
}

/* ---- Order ----------------------------------------------------------------------------------- */

static void check_unique(trib_loading *l) {
    const trib_listed *first = l->listing.item;
    for (size_t i = 1; i < l->listing.n; i++) {
        const trib_listed *item = &l->listing.item[i];
        const char *id = item->about.id;
        if (strcmp(first->about.id, id) != 0) {
            first = item;
            continue;
        }
        if (!*id) continue; /* an error was already reported */
        const bool is_same = item->place.source == first->place.source &&
                             item->place.line == first->place.line &&
                             item->place.column == first->place.column;
        if (is_same && first->about.file && item->about.file &&
            strcmp(first->about.file, item->about.file) == 0)
            trib_diagnose(&l->diagnostics, item->place,
                          "'%s' is in its archive twice; pack it again with one of them",
                          item->about.file);
        else if (l->config->corpus.glob || is_same || item->place.source != first->place.source)
            trib_diagnose(&l->diagnostics, item->place,
                          "'%s' and '%s' would both have the id '%s'; list them under "
                          "'documents' with ids of their own",
                          first->about.file, item->about.file, id);
        else
            trib_diagnose(&l->diagnostics, item->place,
                          "duplicate id '%s'; the first is on line %u", id, first->place.line);
    }
}

static bool is_input(const trib_corpus_document *document) {
    return document->file && strcmp(document->file, "-") == 0;
}

/* Reports a second document that names standard input, which can be read only once. */
static void check_input(trib_loading *l) {
    bool is_listed = false;
    for (size_t i = 0; i < l->listing.n; i++) {
        if (!is_input(&l->listing.item[i].about)) continue;
        if (is_listed)
            trib_diagnose(&l->diagnostics, l->listing.item[i].place,
                          "standard input ('-') can be one document only");
        is_listed = true;
    }
}

/* A manifest with `obtain` may come from somebody else; the command `fetch` writes such manifests.
 * Its file names must stay below the root that the experiment sets. A manifest without `obtain` was
 * written by the user and may name absolute paths. */
static void check_inside(trib_loading *l) {
    const bool is_own =
        trib_yaml_is_empty(&l->manifest) || !trib_yaml_find(&l->manifest, 1, "obtain");
    for (size_t i = 0; i < l->listing.n; i++) {
        const trib_listed *item = &l->listing.item[i];
        const char *file = item->about.file;
        if (!file || item->about.path || !trib_path_leads_out(file) || (is_own && *file == '/'))
            continue;
        trib_diagnose(&l->diagnostics, item->place,
                      "'%s' is outside the folder of texts; %s names files below corpus.root%s",
                      file, is_own ? "a manifest" : "a manifest with 'obtain'",
                      is_own ? ", or absolute paths" : "");
    }
}

/* A script named `obtain` may lie beside the manifest (as in corpora/); it writes the texts to the
 * folder `texts` beside it. When that folder is the root, the message about missing texts suggests
 * this command. */
static void find_obtain(trib_loading *l, const char *root) {
    const trib_yaml *yaml = &l->manifest;
    trib_arena *const arena = &l->config->arena;
    const uint32_t obtain = trib_yaml_is_empty(yaml) ? 0 : trib_yaml_find(yaml, 1, "obtain");
    const uint32_t kind = obtain ? trib_yaml_find(yaml, obtain, "kind") : 0;
    if (!kind || trib_yaml_kind_of(yaml, kind) != TRIB_YAML_SCALAR ||
        strcmp(trib_yaml_text(yaml, kind), "folder") == 0)
        return;
    char *beside = NULL, *script = NULL, *texts = NULL, *name = NULL;
    trib_error *const error = &arena->failure;
    if (trib_path_directory(&beside, l->listing_path, error) == TRIB_OK &&
        trib_path_join(&script, beside, "obtain", error) == TRIB_OK &&
        trib_path_join(&texts, beside, "texts", error) == TRIB_OK &&
        trib_path_stem(&name, l->listing_path, error) == TRIB_OK && trib_disk_may(script, X_OK) &&
        strcmp(root, texts) == 0)
        l->config->corpus.obtain = trib_arena_print(arena, "%s %s", script, name);
    TRIB_FREE(beside, script, texts, name);
}

const char *trib_config_obtain(const trib_config *config, char remedy[TRIB_OBTAIN_MAX]) {
    *remedy = '\0';
    for (uint32_t d = 0; config->corpus.obtain && d < config->corpus.n_documents; d++) {
        const char *path = config->corpus.document[d].path;
        if (trib_disk_has(path) || errno != ENOENT) continue;
        snprintf(remedy, TRIB_OBTAIN_MAX, "; `%s` obtains the missing texts",
                 config->corpus.obtain);
        break;
    }
    return remedy;
}

/* Sets the paths of the documents, once the root is known. */
static void find_paths(trib_loading *l, const char *root) {
    for (size_t i = 0; i < l->listing.n && trib_loading_goes_on(l); i++) {
        trib_corpus_document *document = &l->listing.item[i].about;
        char *path = NULL;
        if (!document->file || document->path) continue;
        (void)trib_path_join(&path, is_input(document) ? "." : root, document->file,
                             &l->config->arena.failure);
        document->path = trib_kept(&l->config->arena, path);
        if (l->config->corpus.manifest && *document->file != '/')
            trib_listing_check_link(&l->listing, root, &l->listing.item[i]);
    }
}

/* Moves the documents from the listing to the configuration. */
static void take_over(trib_loading *l) {
    trib_config *config = l->config;
    const trib_listing *listing = &l->listing;
    config->corpus.document =
        trib_arena_new(&config->arena, listing->n, sizeof *config->corpus.document);
    if (!config->corpus.document) return;
    /* fits: at most one document per byte of 16 MiB */
    config->corpus.n_documents = (uint32_t)listing->n;
    for (size_t i = 0; i < listing->n; i++) config->corpus.document[i] = listing->item[i].about;
    config->corpus.left_out = listing->left_out;
    config->corpus.n_left_out = listing->n_left_out;
}

/* Appends the library, which is replaced by its texts as a folder is. */
static void list_library(trib_loading *l, const char *root) {
    trib_listed listed = trib_listed_begin(trib_loading_place(l, "corpus.library", 0));
    char *path = NULL;
    listed.about.file = l->config->corpus.library;
    (void)trib_path_join(&path, root, listed.about.file, &l->config->arena.failure);
    listed.about.path = trib_kept(&l->config->arena, path);
    if (!trib_loading_goes_on(l)) return;
    if (!trib_library_is_at(listed.about.path)) {
        trib_diagnose(&l->diagnostics, listed.place,
                      "'%s' is no library; `tributary index add %s TEXT...` makes one",
                      listed.about.file, listed.about.path);
        return;
    }
    trib_listing_complete(&l->listing, &listed);
    trib_listing_add(&l->listing, &listed);
}

/* ---- The whole ------------------------------------------------------------------------------- */

void trib_loading_documents(trib_loading *l) {
    trib_config *config = l->config;
    const int n_listings =
        (l->documents != 0) + (config->corpus.manifest != NULL) + (config->corpus.glob != NULL);
    const trib_place whole = {.source = &l->file.source};
    const trib_place place = config->corpus.manifest ? trib_loading_place(l, "corpus.manifest", 0)
                             : config->corpus.glob   ? trib_loading_place(l, "corpus.glob", 0)
                                                     : whole;
    if (n_listings > 1 || (n_listings == 0 && !config->corpus.library)) {
        trib_diagnose(&l->diagnostics, place,
                      n_listings == 0
                          ? "no documents: corpus needs one of documents, manifest, glob, library"
                          : "corpus needs one of documents, manifest, glob, not %d",
                      n_listings);
        return;
    }
    const size_t n_errors = l->diagnostics.n_errors;
    trib_listing *const listing = &l->listing;
    *listing = (trib_listing){.arena = &config->arena,
                              .diagnostics = &l->diagnostics,
                              .follows_links = config->corpus.follows_links,
                              .skips_refused = config->corpus.skips_refused};
    if (config->corpus.manifest) read_listing_file(l);
    const char *root =
        config->corpus.root ? trib_loading_join(l, config->corpus.root) : config->directory;
    if (config->corpus.glob)
        list_matches(listing, strcmp(root, ".") == 0 ? NULL : root, config->corpus.glob, place);
    if (l->documents) trib_listing_yaml(listing, &l->file, l->documents, false);
    if (!trib_loading_goes_on(l)) return;
    if (config->corpus.library) list_library(l, root);
    if (config->corpus.manifest) check_inside(l);
    find_paths(l, root);
    find_obtain(l, root);
    trib_listing_expand(listing);
    if (listing->n > 0) {
        trib_listing_tell_apart(listing);
        check_unique(l);
        check_input(l);
        take_over(l);
    } else if (trib_loading_goes_on(l) && l->diagnostics.n_errors == n_errors)
        trib_diagnose(&l->diagnostics, place, "the list of documents is empty");
}
