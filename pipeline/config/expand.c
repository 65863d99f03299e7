/* expand.c - replaces a folder, an archive, or a file of JSON Lines or several texts of TEI in a
 * listing by the documents in it; and finds the file that a wrong name probably means. */
#include <errno.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/internal.h"
#include "pipeline/config/documents.h"
#include "pipeline/text/archive.h"
#include "pipeline/text/input.h"
#include "pipeline/text/library.h"
#include "pipeline/text/table.h"
#include "pipeline/text/text_formats.h"

/* Names of files below a folder or in an archive. */
typedef struct names {
    trib_arena arena; /* keeps the first failure, also that something cannot be listed */
    trib_names list;
} names;

/* ---- What is a text by its name -------------------------------------------------------------- */

static bool is_text_named(const char *name) {
    const trib_text_format *format = trib_text_format_named(name, NULL, 0);
    return format &&
           (format->use == TRIB_TEXT_FORMAT_TEXT || format->use == TRIB_TEXT_FORMAT_DECODED);
}

/* Whether the part of a path with n bytes is the name of a file that a program leaves beside the
 * texts: a hidden file, a lock of Word or LibreOffice ("~$x.docx", ".~lock.x.odt#"), a backup, or
 * what a system keeps of a folder. */
static bool is_hidden_part(const char *part, size_t n) {
    static const char *const whole[] = {"__MACOSX", "Thumbs.db", "desktop.ini"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (n == strlen(whole[i]) && strncasecmp(part, whole[i], n) == 0) return true;
    return part[0] == '.' || strncmp(part, "~$", 2) == 0 || part[n - 1] == '~' ||
           (n > 1 && part[0] == '#' && part[n - 1] == '#') ||
           (n > 4 && strncasecmp(part + n - 4, ".bak", 4) == 0);
}

bool trib_listing_is_hidden(const char *name) {
    for (const char *part = name; *part;) {
        const size_t n = strcspn(part, "/");
        if (n > 0 && is_hidden_part(part, n)) return true;
        part += n + (part[n] != '\0');
    }
    return false;
}

void trib_listing_leave_out(trib_listing *listing, const char *path, const char *name,
                            const char *why) {
    const char *between = *path && path[strlen(path) - 1] != '/' ? "/" : "";
    const char *file = trib_arena_print(listing->arena, "%s%s%s", path, between, name);
    TRIB_ADD(listing->arena, &listing->left_out, trib_left_out,
             {trib_shown(listing->arena, file), why});
}

void trib_listing_check_link(trib_listing *listing, const char *folder, trib_listed *listed) {
    char target[TRIB_CODE_FOLDER];
    trib_corpus_document *const about = &listed->about;
    if (!about->path || !trib_disk_links_out(folder, about->path, target)) return;
    about->link = trib_shown(listing->arena, target);
    if (!listing->follows_links)
        trib_diagnose(listing->diagnostics, listed->place,
                      "'%s' is a link to '%s', outside '%s'; copy the text there, or read it with "
                      "corpus.links: follow",
                      about->file, about->link, folder);
}

const char *trib_nearest_file(const char *path, char hint[TRIB_NEAREST_MAX]) {
    char folder[TRIB_PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    trib_guess guess = {.word = name};
    hint[0] = '\0';
    const size_t n = slash ? (size_t)(name - path) : 0;
    if (n >= sizeof folder || !*name) return hint;
    snprintf(folder, sizeof folder, "%.*s", n > 0 ? (int)n : 1, n > 0 ? path : ".");
    trib_arena arena = {0};
    trib_names there;
    (void)trib_disk_list(folder, &there, &arena);
    for (size_t i = 0; i < there.n; i++) /* of two equally near names the smaller one is taken */
        if (!trib_listing_is_hidden(there.name[i])) trib_guess_try(&guess, there.name[i]);
    trib_arena_release(&arena);
    if (*guess.best)
        snprintf(hint, TRIB_NEAREST_MAX, "; did you mean '%.*s%s'?", (int)(n < 200 ? n : 0), path,
                 guess.best);
    return hint;
}

/* ---- What is there --------------------------------------------------------------------------- */

typedef enum { FILE_ALONE, FOLDER, ARCHIVE, LINES, LIBRARY } kind_of_file;

static kind_of_file kind_of(const char *path) {
    if (trib_address_column(path)) return trib_jsonl_is_named(path) ? LINES : FILE_ALONE;
    if (strcmp(path, "-") == 0) return FILE_ALONE;
    if (trib_disk_is_folder(path)) return trib_library_is_at(path) ? LIBRARY : FOLDER;
    if (!trib_disk_is_file(path)) return FILE_ALONE;
    return trib_archive_is_named(path) ? ARCHIVE : trib_jsonl_kind(path) ? LINES : FILE_ALONE;
}

/* Adds a name to `texts`, or to the files that are left out, with the reason. `nested`: archives
 * and JSON Lines files are accepted, too. */
static void sort_out(trib_listing *listing, names *texts, const char *file, const char *name,
                     bool is_file, bool nested) {
    const bool holds = trib_archive_is_named(name) || trib_jsonl_is_named(name);
    const trib_text_format *format = trib_text_format_named(name, NULL, 0);
    const char *why = trib_listing_is_hidden(name) ? "hidden"
                      : !is_file                   ? "no regular file"
                      : holds && !nested           ? "an archive in an archive"
                      : trib_jsonl_why_named(name) ? trib_jsonl_why_named(name)
                      : trib_xlsx_is_named(name)   ? "a workbook; name it to read it"
                      : format && format->use == TRIB_TEXT_FORMAT_REFUSED ? format->left_out
                      : !holds && !is_text_named(name)                    ? "no text by its name"
                                                                          : NULL;
    if (why) trib_listing_leave_out(listing, file, name, why);
    else
        TRIB_ADD(&texts->arena, &texts->list, const char *, {trib_arena_text(&texts->arena, name)});
}

static void list_archive(trib_listing *listing, names *texts, const trib_corpus_document *from) {
    TRIB_OPENED(trib_archive) archive = {0};
    trib_member member = {0};
    trib_error *const error = &texts->arena.failure;
    if (trib_archive_open(&archive, from->path, error) != TRIB_OK) return;
    while (error->status == TRIB_OK && trib_archive_next(&archive, &member, error) == TRIB_OK &&
           member.name) {
        const size_t n = strlen(member.name);
        if (n > 0 && member.name[n - 1] != '/' && !member.is_folder)
            sort_out(listing, texts, from->file, member.name, member.is_file, false);
    }
}

/* Whether a folder is a run directory, whose pages and tables are no texts of a corpus. */
static bool is_run_directory(const char *path) {
    char name[TRIB_PATH_MAX];
    return snprintf(name, sizeof name, "%s/config.resolved.yaml", path) < (int)sizeof name &&
           trib_disk_has(name);
}

/* Lists the names below `below` in a folder, recursively. Symbolic links to folders are not
 * followed. */
static void list_folder(trib_listing *listing, names *texts, const trib_corpus_document *from,
                        const char *below, unsigned depth) {
    enum { DEPTH_MOST = 32 };
    trib_arena *const arena = &texts->arena;
    const char *path = trib_arena_print(arena, "%s/%s", from->path, below);
    trib_names here = {0};
    const bool is_deep = depth > DEPTH_MOST;
    if (is_deep || !trib_disk_list(path, &here, arena))
        trib_arena_fail(arena, TRIB_INPUT, "%s: cannot be listed: %s", path,
                        is_deep ? "folders are nested too deep" : strerror(errno));
    for (size_t i = 0; i < here.n && arena->failure.status == TRIB_OK; i++) {
        struct stat about = {0};
        const char *name = trib_arena_print(arena, "%s%s", below, here.name[i]);
        const char *full = trib_arena_print(arena, "%s/%s", from->path, name);
        const bool is_folder = trib_disk_about_name(full, &about) == 0 && S_ISDIR(about.st_mode);
        if (is_folder && is_run_directory(full))
            trib_listing_leave_out(listing, from->file, name, "a run directory");
        else if (is_folder && !trib_listing_is_hidden(name))
            list_folder(listing, texts, from, trib_arena_print(arena, "%s/", name), depth + 1);
        else sort_out(listing, texts, from->file, name, trib_disk_is_file(full), true);
    }
}

/* ---- Their documents ------------------------------------------------------------------------- */

/* A document in a folder, archive or file, with its role, author, date, language, encoding and
 * reference. */
static trib_listed begin_within(const trib_listed *from) {
    trib_listed added = trib_listed_begin(from->place);
    const trib_from title_from = added.about.title_from;
    const uint32_t line = added.about.line;
    added.about = from->about;
    added.about.id = added.about.file = added.about.path = added.about.title = NULL;
    added.about.title_from = title_from;
    added.about.line = line;
    return added;
}

/* Names a document by its file: "one_a" for "one/a.txt". The name begins with the id of the folder
 * or archive when that was given one. */
static void name_document(trib_listing *listing, trib_listed *added, const trib_listed *from,
                          bool is_alone) {
    const trib_corpus_document *holder = &from->about;
    if (from->has_id && is_alone) {
        added->has_title = strcmp(holder->title, holder->id) != 0;
        if (added->has_title) added->about.title = holder->title;
        added->about.id = holder->id;
        return;
    }
    if (from->has_id) added->before = holder->id;
    added->is_made = true;
    trib_listing_name(listing, added);
}

/* The document `name` that a folder or archive contains. */
static trib_listed make_inner(trib_listing *listing, const trib_listed *from, const char *name,
                              bool is_alone) {
    trib_listed added = begin_within(from);
    const char *between = from->about.path[strlen(from->about.path) - 1] == '/' ? "" : "/";
    const char *file = trib_arena_print(listing->arena, "%s%s%s", from->about.file, between, name);
    added.about.path = trib_arena_print(listing->arena, "%s%s%s", from->about.path, between, name);
    added.about.file = trib_shown(listing->arena, file);
    added.name_at = strlen(from->about.file) + strlen(between);
    name_document(listing, &added, from, is_alone);
    added.has_id = true;
    /* a title that is made from the name does not count as given */
    const bool has_title = added.has_title;
    trib_listing_complete(listing, &added);
    added.has_title = has_title;
    return added;
}

/* ---- JSON Lines and tables ------------------------------------------------------------------- */

/* Sets a field from one key of a JSON object. An integer is converted to text; a date gets four
 * digits. */
static void set_value(trib_listing *listing, trib_listed *added, const char *key,
                      const json_t *value) {
    char number[32];
    trib_guess guess = {.word = key};
    const trib_document_field *field = trib_document_fields;
    if (json_is_null(value) || strcmp(key, "text") == 0) return;
    for (; field->name && strcmp(field->name, key) != 0; field++)
        trib_guess_try(&guess, field->name);
    const char *text = json_is_boolean(value) ? (json_is_true(value) ? "true" : "false")
                                              : json_string_value(value);
    if (json_is_integer(value)) {
        snprintf(number, sizeof number, strcmp(key, "date") == 0 ? "%04lld" : "%lld",
                 (long long)json_integer_value(value));
        text = number;
    }
    if (field->name && text) trib_listing_set(listing, added, field, text, added->place);
    else if (field->name)
        trib_diagnose(listing->diagnostics, added->place, "\"%s\" must be a string", key);
    else if (*guess.best)
        trib_warn(listing->diagnostics, added->place, "\"%s\" is ignored%s", key,
                  trib_guess_hint(&guess));
}

/* Sets path and file of the text in a line, and its id where the line has none: "papers.17". */
static void place_text(trib_listing *listing, trib_listed *listed, const trib_lines *from,
                       uint64_t line) {
    trib_corpus_document *to = &listed->about;
    trib_arena *const arena = listing->arena;
    const bool prefixed = from->within && from->within->has_id;
    const unsigned long long number = line;
    to->path = trib_arena_print(arena, "%s/%llu", from->path, number);
    to->file = trib_arena_print(arena, "%s/%llu", from->file, number);
    if (to->id && !prefixed) return;
    const char *before =
        prefixed ? from->within->about.id : trib_listing_make_id(listing, from->file);
    listed->is_made = !to->id;
    to->id = to->id ? trib_arena_print(arena, "%s.%s", before, to->id)
                    : trib_arena_print(arena, "%s.%llu", before, number);
    if (listed->is_made && prefixed) listed->before = before;
    const char *slash = strrchr(from->file, '/');
    listed->name_at = slash ? (size_t)(slash + 1 - from->file) : 0;
}

static void leave_out(trib_listing *listing, const trib_lines *from, uint64_t line,
                      const char *why) {
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)line);
    trib_listing_leave_out(listing, from->file, number, why);
}

static void add_line(trib_listing *listing, const trib_lines *from, const trib_jsonl *lines,
                     json_t *object, const trib_source *source, uint64_t *n_left_out) {
    const trib_place place = {source, (uint32_t)trib_jsonl_line(lines), 0, 0};
    const json_t *const text = json_object_get(object, "text");
    const bool has_text = json_is_string(text);
    const char *key;
    json_t *value;
    if (!lines->is_table && json_string_length(text) == 0 &&
        (from->within || !json_object_get(object, "file"))) {
        leave_out(listing, from, lines->n_lines, "a line without text");
        if (++*n_left_out == 1)
            trib_warn(listing->diagnostics, place,
                      "its \"%s\" is missing or empty: such lines are left out",
                      lines->column ? lines->column : "text");
        return;
    }
    if (!has_text && from->within) {
        trib_diagnose(listing->diagnostics, place, "no \"%s\" that is a string",
                      lines->column ? lines->column : "text");
        return;
    }
    trib_listed added = from->within ? begin_within(from->within) : trib_listed_begin(place);
    added.place = place;
    added.about.line = place.line;
    json_object_foreach(object, key, value) {
        if (!has_text || strcmp(key, "file") != 0) set_value(listing, &added, key, value);
    }
    if (has_text) place_text(listing, &added, from, lines->n_lines);
    trib_listing_complete(listing, &added);
    trib_listing_add(listing, &added);
}

trib_status trib_listing_lines(trib_listing *listing, const trib_lines *from, trib_error *error) {
    TRIB_OPENED(trib_jsonl) lines = {0};
    bool is_there = true;
    /* a source without its text, so that messages can name file and line */
    trib_source *source = trib_arena_new(listing->arena, 1, sizeof *source);
    if (!source) return trib_arena_check(listing->arena, error);
    *source = (trib_source){.is_elsewhere = true};
    uint64_t n_left_out = 0, n_objects = 0;
    trib_status status = trib_jsonl_open(&lines, from->path, error);
    if (status != TRIB_OK) return status;
    source->name = trib_arena_print(listing->arena, "%s", lines.name);
    while (status == TRIB_OK && (status = trib_jsonl_next(&lines, &is_there, error)) == TRIB_OK &&
           is_there) {
        json_auto_t *object = NULL;
        status = trib_jsonl_object(&lines, &object, error);
        if (status == TRIB_INPUT && listing->skips_refused && !lines.is_table && !lines.records &&
            !lines.marked) {
            leave_out(listing, from, lines.n_lines, "a line that is not JSON");
            trib_warn(listing->diagnostics, (trib_place){source, (uint32_t)lines.n_lines, 0, 0},
                      "is not a line of JSON: it is left out");
            *error = (trib_error){0};
            status = TRIB_OK;
        }
        if (status == TRIB_OK && object)
            add_line(listing, from, &lines, object, source, &n_left_out);
        n_objects += object != NULL;
    }
    if (status == TRIB_OK && n_objects > 0 && n_objects == n_left_out)
        trib_diagnose(listing->diagnostics, (trib_place){source, 1, 0, 0},
                      "no line has a \"%s\" that is a text; name the key as in '%s#KEY'",
                      lines.column ? lines.column : "text", from->file);
    return status;
}

/* ---- Libraries ------------------------------------------------------------------------------- */

/* The texts of a library on their way into a listing. */
typedef struct stored_texts {
    trib_listing *to;
    const trib_listed *from;
} stored_texts;

static trib_status add_stored(void *context, const trib_segment *segment, size_t text,
                              const trib_indexed_text *about, bool *goes_on, trib_error *error) {
    const stored_texts *const s = context;
    const trib_listed *const from = s->from;
    trib_arena *const arena = s->to->arena;
    const struct {
        const char *key, *text;
    } fields[] = {{"title", about->title},
                  {"author", about->author},
                  {"date", about->date},
                  {"language", about->language}};
    trib_listed added = begin_within(from);
    (void)segment, (void)text, (void)error;
    for (const trib_document_field *field = trib_document_fields; field->name; field++)
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (*fields[i].text && strcmp(fields[i].key, field->name) == 0)
                trib_listing_set(s->to, &added, field, fields[i].text, added.place);
    added.about.id = from->has_id ? trib_arena_print(arena, "%s.%s", from->about.id, about->id)
                                  : trib_arena_print(arena, "%s", about->id);
    added.about.path = trib_arena_print(arena, "%s/%s", from->about.path, about->id);
    added.about.file = trib_arena_print(arena, "%s/%s", from->about.file, about->id);
    added.about.library = from->about.path;
    added.has_id = added.is_stored = true;
    if (arena->failure.status == TRIB_OK) trib_listing_complete(s->to, &added);
    trib_listing_add(s->to, &added);
    *goes_on = arena->failure.status == TRIB_OK;
    return TRIB_OK;
}

static void expand_library(trib_listing *to, const trib_listed *from) {
    trib_index index;
    trib_error why = {0};
    stored_texts texts = {to, from};
    const size_t n = to->n;
    trib_status status = trib_index_open(&index, from->about.path, TRIB_INDEX_READ, &why);
    if (status == TRIB_OK) {
        status = trib_index_each(&index, add_stored, &texts, &why);
        trib_index_close(&index);
    }
    if (status == TRIB_OK && to->n == n && to->arena->failure.status == TRIB_OK)
        trib_fail(&why, TRIB_INPUT, "%s: this library has no texts", from->about.path);
    (void)trib_settled(to->diagnostics, from->place, "", TRIB_INPUT, &why, &to->arena->failure);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void expand(trib_listing *to, const trib_listed *from);

/* Appends the files of a folder or archive. A file that contains documents itself is expanded
 * again. */
static void expand_names(trib_listing *to, const trib_listed *from, kind_of_file kind) {
    names texts = {0};
    if (kind == FOLDER) list_folder(to, &texts, &from->about, "", 0);
    else list_archive(to, &texts, &from->about);
    if (texts.list.n == 0)
        trib_arena_fail(&texts.arena, TRIB_INPUT,
                        "%s: contains no file with the name of a text (.txt, .md, .html, .xml, "
                        ".epub, .pdf and such)",
                        from->about.path);
    if (texts.list.n > 0)
        qsort(texts.list.name, texts.list.n, sizeof *texts.list.name, trib_by_text);
    const bool is_listed = trib_settled(to->diagnostics, from->place, "", TRIB_INPUT,
                                        &texts.arena.failure, &to->arena->failure);
    for (size_t i = 0; i < texts.list.n && is_listed && to->arena->failure.status == TRIB_OK; i++) {
        trib_listed inner = make_inner(to, from, texts.list.name[i], texts.list.n == 1);
        if (kind == FOLDER) trib_listing_check_link(to, from->about.path, &inner);
        expand(to, &inner);
    }
    trib_arena_release(&texts.arena);
}

/* Appends text `i` of a file of TEI. Where the file was given a title, that of the text is "Poems:
 * The Heron", or "Poems 2" where it has none of its own. */
static void add_text(trib_listing *to, const trib_listed *from, const trib_tei_about *about,
                     size_t i) {
    const trib_lines within = {from->about.path, from->about.file, from};
    const char *given = from->about.title;
    trib_listed added = begin_within(from);
    place_text(to, &added, &within, i + 1);
    if (from->has_title) {
        added.has_title = true;
        added.about.title = *about->title && !about->is_numbered
                                ? trib_arena_print(to->arena, "%s: %s", given, about->title)
                                : trib_arena_print(to->arena, "%s %zu", given, i + 1);
    }
    trib_listing_header(to, &added, about);
    trib_listing_complete(to, &added);
    trib_listing_add(to, &added);
}

/* Appends a file: as the document that it is, or as the texts of TEI in it. */
static void add_file(trib_listing *to, const trib_listed *from) {
    const char *path = from->about.path;
    uint64_t number = 0;
    const trib_tei_summary *tei =
        path && strcmp(path, "-") != 0 ? trib_listing_tei(to, path, &number) : NULL;
    if (tei && tei->n_texts > 0 && number == 0) {
        for (size_t i = 0; i < tei->n_texts; i++) add_text(to, from, &tei->about[i], i);
        for (size_t i = 0; i < tei->n_around; i++)
            trib_listing_leave_out(to, from->about.file, tei->around[i], "around a group of texts");
        return;
    }
    trib_listed added = *from;
    const size_t n_file = path && strcmp(path, "-") != 0 ? trib_address_split(path) : 0;
    const char *const within = n_file > 0 ? trib_arena_copy(to->arena, path, n_file) : NULL;
    if (within && trib_library_is_at(within)) {
        added.about.library = within;
        if (added.is_made) added.about.id = added.about.path + n_file + 1;
        if (added.is_made && !added.has_title) added.about.title = added.about.id;
    }
    if (tei && tei->about && number <= tei->n_texts)
        trib_listing_header(to, &added, &tei->about[number > 0 ? number - 1 : 0]);
    trib_listing_add(to, &added);
}

/* Appends the documents that `from` stands for; a plain file stands for itself. */
static void expand(trib_listing *to, const trib_listed *from) {
    const kind_of_file kind = from->about.path ? kind_of(from->about.path) : FILE_ALONE;
    trib_error why = {0};
    if (from->about.pages && from->about.path && (kind == FOLDER || kind == ARCHIVE)) {
        trib_listed book = *from;
        size_t n = strlen(book.about.path);
        while (n > 1 && book.about.path[n - 1] == '/') n--;
        book.about.path = trib_arena_print(to->arena, "%.*s/", (int)n, book.about.path);
        trib_listing_add(to, &book);
        return;
    }
    if (from->about.pages && from->about.path && kind != LINES)
        trib_diagnose(to->diagnostics, from->place,
                      "'pages: true' is for a folder or an archive of pages, or a file of several "
                      "texts, which '%s' is not",
                      from->about.file);
    if (kind == FILE_ALONE || from->about.pages) add_file(to, from);
    else if (kind == LIBRARY) expand_library(to, from);
    else if (kind != LINES) expand_names(to, from, kind);
    else {
        (void)trib_listing_lines(to, &(trib_lines){from->about.path, from->about.file, from}, &why);
        (void)trib_settled(to->diagnostics, from->place, "", TRIB_INPUT, &why, &to->arena->failure);
    }
}

void trib_listing_expand(trib_listing *listing) {
    trib_listed *const item = listing->item;
    const size_t n = listing->n;
    listing->item = NULL; /* the other fields keep their values */
    listing->n = listing->cap = 0;
    for (size_t i = 0; i < n; i++) expand(listing, &item[i]);
    trib_listing_close_tei(listing);
    trib_free(item);
}
