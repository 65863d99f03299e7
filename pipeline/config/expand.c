/* expand.c - replaces a folder, an archive, or a file of JSON Lines or several texts of TEI in a
 * listing by the documents in it. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "pipeline/config/documents.h"
#include "pipeline/text/archive.h"
#include "pipeline/text/input.h"
#include "pipeline/text/jsonl.h"
#include "pipeline/text/text_formats.h"

/* Names of files below a folder or in an archive. */
typedef struct names {
    char **name; /* [n] */
    size_t n, cap;
} names;

static trib_status add_name(names *list, const char *name, trib_error *error) {
    trib_status status = TRIB_GROW(&list->name, &list->cap, list->n + 1, "names", error);
    if (status == TRIB_OK) status = trib_copy(&list->name[list->n], name, error);
    if (status == TRIB_OK) list->n++;
    return status;
}

static void release_names(names *list) {
    for (size_t i = 0; i < list->n; i++) trib_free(list->name[i]);
    trib_free(list->name);
    *list = (names){0};
}

static int by_bytes(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

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

trib_status trib_listing_leave_out(trib_listing *listing, const char *path, const char *name,
                                   const char *why, trib_error *error) {
    trib_buffer file = {0}, shown = {0};
    trib_status status = TRIB_GROW(&listing->left_out, &listing->left_out_cap,
                                   listing->n_left_out + 1, "names", error);
    if (status == TRIB_OK)
        status = trib_buffer_print(&file, error, "%s%s%s", path,
                                   *path && path[strlen(path) - 1] != '/' ? "/" : "", name);
    if (status == TRIB_OK) status = trib_show_bytes(&shown, file.text, file.length, error);
    if (status == TRIB_OK) {
        listing->left_out[listing->n_left_out++] = (trib_left_out){shown.text, why};
        shown.text = NULL;
    }
    trib_buffer_release(&file);
    trib_buffer_release(&shown);
    return status;
}

/* ---- What is there --------------------------------------------------------------------------- */

typedef enum { FILE_ALONE, FOLDER, ARCHIVE, LINES } kind_of_file;

static kind_of_file kind_of(const char *path) {
    struct stat about;
    if (trib_address_column(path)) return trib_jsonl_is_named(path) ? LINES : FILE_ALONE;
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0) return FILE_ALONE;
    if (S_ISDIR(about.st_mode)) return FOLDER;
    if (!S_ISREG(about.st_mode)) return FILE_ALONE;
    return trib_archive_is_named(path) ? ARCHIVE : trib_jsonl_is_named(path) ? LINES : FILE_ALONE;
}

/* Adds a name to `texts`, or to the files that are left out, with the reason. `nested`: archives
 * and JSON Lines files are accepted, too. */
static trib_status sort_out(trib_listing *listing, names *texts, const char *file, const char *name,
                            bool is_file, bool nested, trib_error *error) {
    const bool holds = trib_archive_is_named(name) || trib_jsonl_is_named(name);
    const trib_text_format *format = trib_text_format_named(name, NULL, 0);
    const char *why = trib_listing_is_hidden(name) ? "hidden"
                      : !is_file                   ? "no regular file"
                      : holds && !nested           ? "an archive in an archive"
                      : trib_table_is_named(name)  ? "a table; name it to read its texts"
                      : trib_xlsx_is_named(name)   ? "a workbook; name it to read it"
                      : format && format->use == TRIB_TEXT_FORMAT_REFUSED ? format->left_out
                      : !holds && !is_text_named(name)                    ? "no text by its name"
                                                                          : NULL;
    return why ? trib_listing_leave_out(listing, file, name, why, error)
               : add_name(texts, name, error);
}

static trib_status list_archive(trib_listing *listing, names *texts,
                                const trib_corpus_document *from, trib_error *error) {
    trib_archive archive;
    trib_member member = {0};
    trib_status status = trib_archive_open(&archive, from->path, error);
    if (status != TRIB_OK) return status;
    while ((status = trib_archive_next(&archive, &member, error)) == TRIB_OK && member.name) {
        const size_t n = strlen(member.name);
        if (n == 0 || member.name[n - 1] == '/' || member.is_folder) continue;
        status = sort_out(listing, texts, from->file, member.name, member.is_file, false, error);
        if (status != TRIB_OK) break;
    }
    trib_archive_close(&archive);
    return status;
}

/* Whether a folder is a run directory, whose pages and tables are no texts of a corpus. */
static bool is_run_directory(const char *path) {
    char name[TRIB_PATH_MAX];
    struct stat about;
    return snprintf(name, sizeof name, "%s/config.resolved.yaml", path) < (int)sizeof name &&
           stat(name, &about) == 0;
}

/* Lists the names below `below` in a folder, recursively. Symbolic links to folders are not
 * followed. */
static trib_status list_folder(trib_listing *listing, names *texts,
                               const trib_corpus_document *from, const char *below, unsigned depth,
                               trib_error *error) {
    enum { DEPTH_MOST = 32 };
    trib_buffer full = {0}, name = {0};
    names here = {0};
    trib_status status = trib_buffer_print(&full, error, "%s/%s", from->path, below);
    DIR *folder = status == TRIB_OK ? opendir(full.text) : NULL;
    if (status == TRIB_OK && (!folder || depth > DEPTH_MOST))
        status = trib_fail(error, TRIB_INPUT, "%s: cannot be listed: %s", full.text,
                           folder ? "folders are nested too deep" : strerror(errno));
    for (const struct dirent *entry; status == TRIB_OK && (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = add_name(&here, entry->d_name, error);
    if (folder) closedir(folder);
    if (here.n > 0) qsort(here.name, here.n, sizeof *here.name, by_bytes);
    for (size_t i = 0; i < here.n && status == TRIB_OK; i++) {
        struct stat about = {0};
        trib_buffer_clear(&name);
        trib_buffer_clear(&full);
        status = trib_buffer_print(&name, error, "%s%s", below, here.name[i]);
        if (status == TRIB_OK)
            status = trib_buffer_print(&full, error, "%s/%s", from->path, name.text);
        if (status != TRIB_OK) break;
        const bool is_there = lstat(full.text, &about) == 0;
        if (is_there && S_ISDIR(about.st_mode) && is_run_directory(full.text)) {
            status =
                trib_listing_leave_out(listing, from->file, name.text, "a run directory", error);
            continue;
        }
        if (is_there && S_ISDIR(about.st_mode) && !trib_listing_is_hidden(name.text)) {
            status = trib_buffer_add(&name, "/", 1, error);
            if (status == TRIB_OK)
                status = list_folder(listing, texts, from, name.text, depth + 1, error);
            continue;
        }
        const bool is_file = stat(full.text, &about) == 0 && S_ISREG(about.st_mode);
        status = sort_out(listing, texts, from->file, name.text, is_file, true, error);
    }
    release_names(&here);
    trib_buffer_release(&full);
    trib_buffer_release(&name);
    return status;
}

/* ---- Their documents ------------------------------------------------------------------------- */

/* Copies author, date, language, encoding, reference and role from the folder, archive or file that
 * contains the document. */
static trib_status inherit(trib_corpus_document *to, const trib_corpus_document *from,
                           trib_error *error) {
    trib_status status = TRIB_OK;
    to->role = from->role;
    to->year = from->year;
    to->year_end = from->year_end;
    if (from->author) status = trib_copy(&to->author, from->author, error);
    if (from->date && status == TRIB_OK) status = trib_copy(&to->date, from->date, error);
    if (from->language && status == TRIB_OK)
        status = trib_copy(&to->language, from->language, error);
    if (from->encoding && status == TRIB_OK)
        status = trib_copy(&to->encoding, from->encoding, error);
    if (from->reference && status == TRIB_OK)
        status = trib_copy(&to->reference, from->reference, error);
    return status;
}

/* Names a document by its file: "one_a" for "one/a.txt". The name begins with the id of the folder
 * or archive when that was given one. */
static trib_status name_document(trib_listed *added, const trib_listed *from, bool is_alone,
                                 trib_error *error) {
    trib_corpus_document *to = &added->about;
    const trib_corpus_document *holder = &from->about;
    trib_status status = TRIB_OK;
    if (from->has_id && is_alone) {
        if (strcmp(holder->title, holder->id) != 0) {
            added->has_title = true;
            status = trib_copy(&to->title, holder->title, error);
        }
        return status == TRIB_OK ? trib_copy(&to->id, holder->id, error) : status;
    }
    if (from->has_id) status = trib_copy(&added->before, holder->id, error);
    added->is_made = true;
    return status == TRIB_OK ? trib_listing_name(added, error) : status;
}

/* Appends the document `name` that a folder or archive contains. */
static trib_status add_inner(trib_listing *listing, const trib_listed *from, const char *name,
                             bool is_alone, trib_diagnostics *diagnostics, trib_error *error) {
    trib_listed *added = NULL;
    trib_buffer path = {0}, file = {0}, shown = {0};
    trib_status status = trib_listing_add(listing, from->place, &added, error);
    if (status != TRIB_OK) return status;
    const char *between = from->about.path[strlen(from->about.path) - 1] == '/' ? "" : "/";
    status = trib_buffer_print(&path, error, "%s%s%s", from->about.path, between, name);
    if (status == TRIB_OK)
        status = trib_buffer_print(&file, error, "%s%s%s", from->about.file, between, name);
    if (status == TRIB_OK) status = trib_show_bytes(&shown, file.text, file.length, error);
    added->about.path = path.text;
    added->about.file = shown.text;
    added->name_at = strlen(from->about.file) + strlen(between);
    trib_buffer_release(&file);
    if (status == TRIB_OK) status = name_document(added, from, is_alone, error);
    if (status == TRIB_OK) status = inherit(&added->about, &from->about, error);
    added->has_id = true;
    /* a title that is made from the name does not count as given */
    const bool has_title = added->has_title;
    if (status == TRIB_OK) status = trib_listing_complete(added, diagnostics, error);
    added->has_title = has_title;
    return status;
}

/* ---- JSON Lines and tables ------------------------------------------------------------------- */

/* Sets a field from one key of a JSON object. An integer is converted to text; a date gets four
 * digits. */
static trib_status set_value(trib_listed *added, const char *key, const json_t *value,
                             trib_place place, trib_diagnostics *diagnostics, trib_error *error) {
    char number[32];
    trib_guess guess = {.word = key};
    const trib_document_field *field = trib_document_fields;
    if (json_is_null(value) || strcmp(key, "text") == 0) return TRIB_OK;
    for (; field->name && strcmp(field->name, key) != 0; field++)
        trib_guess_try(&guess, field->name);
    if (!field->name) {
        if (*guess.best)
            trib_warn(diagnostics, place, "\"%s\" is ignored%s", key, trib_guess_hint(&guess));
        return TRIB_OK;
    }
    const char *text = json_string_value(value);
    if (json_is_integer(value)) {
        snprintf(number, sizeof number, strcmp(key, "date") == 0 ? "%04lld" : "%lld",
                 (long long)json_integer_value(value));
        text = number;
    }
    if (text) return trib_listing_set(added, field, text, place, diagnostics, error);
    trib_diagnose(diagnostics, place, "\"%s\" must be a string", key);
    return TRIB_OK;
}

/* Adds the file to the sources that the listing owns, without its text, so that messages can name
 * file and line. */
static trib_status add_source(trib_listing *listing, const char *path, const trib_source **source,
                              trib_error *error) {
    trib_status status =
        TRIB_GROW(&listing->source, &listing->source_cap, listing->n_sources + 1, "names", error);
    trib_source *made = NULL;
    char *name = NULL;
    if (status == TRIB_OK) status = TRIB_NEW(&made, 1, "names", error);
    if (status == TRIB_OK) status = trib_copy(&name, path, error);
    if (status != TRIB_OK) {
        trib_free(made);
        return status;
    }
    *made = (trib_source){.name = name, .is_elsewhere = true};
    *source = listing->source[listing->n_sources++] = made;
    return TRIB_OK;
}

/* Sets path and file of the text in a line, and its id where the line has none: "papers.17". */
static trib_status place_text(trib_listed *listed, const trib_lines *from, uint64_t line,
                              trib_error *error) {
    trib_corpus_document *to = &listed->about;
    const bool prefixed = from->within && from->within->has_id;
    const unsigned long long number = line;
    trib_buffer path = {0}, file = {0}, id = {0};
    char *stem = NULL;
    trib_status status = trib_buffer_print(&path, error, "%s/%llu", from->path, number);
    if (status == TRIB_OK) status = trib_buffer_print(&file, error, "%s/%llu", from->file, number);
    to->path = path.text;
    to->file = file.text;
    if (status == TRIB_OK) status = trib_listing_make_id(&stem, from->file, error);
    const char *before = prefixed ? from->within->about.id : stem;
    if (status != TRIB_OK || (to->id && !prefixed)) goto done;
    status = to->id ? trib_buffer_print(&id, error, "%s.%s", before, to->id)
                    : trib_buffer_print(&id, error, "%s.%llu", before, number);
    listed->is_made = !to->id;
    trib_free(to->id);
    to->id = id.text;
    if (listed->is_made && prefixed && status == TRIB_OK)
        status = trib_copy(&listed->before, before, error);
    const char *slash = strrchr(from->file, '/');
    listed->name_at = slash ? (size_t)(slash + 1 - from->file) : 0;
done:
    trib_free(stem);
    return status;
}

static trib_status add_line(trib_listing *listing, const trib_lines *from, const trib_jsonl *lines,
                            json_t *object, const trib_source *source,
                            trib_diagnostics *diagnostics, trib_error *error) {
    const trib_place place = {source, (uint32_t)trib_jsonl_line(lines), 0, 0};
    const bool has_text = json_is_string(json_object_get(object, "text"));
    trib_listed *added = NULL;
    const char *key;
    json_t *value;
    if (!has_text && (from->within || !json_object_get(object, "file"))) {
        trib_diagnose(diagnostics, place, "no \"%s\" that is a string%s",
                      lines->column ? lines->column : "text",
                      from->within ? "" : ", and no \"file\"");
        return TRIB_OK;
    }
    trib_status status = trib_listing_add(listing, place, &added, error);
    if (status == TRIB_OK && from->within)
        status = inherit(&added->about, &from->within->about, error);
    json_object_foreach(object, key, value) {
        if (status == TRIB_OK && !(has_text && strcmp(key, "file") == 0))
            status = set_value(added, key, value, place, diagnostics, error);
    }
    if (status == TRIB_OK && has_text) status = place_text(added, from, lines->n_lines, error);
    return status == TRIB_OK ? trib_listing_complete(added, diagnostics, error) : status;
}

trib_status trib_listing_lines(trib_listing *listing, const trib_lines *from,
                               trib_diagnostics *diagnostics, trib_error *error) {
    trib_jsonl lines = {0};
    const trib_source *source = NULL;
    bool is_there = true;
    trib_status status = add_source(listing, from->path, &source, error);
    if (status == TRIB_OK) status = trib_jsonl_open(&lines, from->path, error);
    if (status != TRIB_OK) return status;
    while ((status = trib_jsonl_next(&lines, &is_there, error)) == TRIB_OK && is_there) {
        json_t *object = NULL;
        status = trib_jsonl_object(&lines, &object, error);
        if (status == TRIB_OK && object)
            status = add_line(listing, from, &lines, object, source, diagnostics, error);
        json_decref(object);
        if (status != TRIB_OK) break;
    }
    trib_jsonl_close(&lines);
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static trib_status expand(trib_listing *to, trib_listed *from, trib_diagnostics *diagnostics,
                          trib_error *error);

/* Appends one file of a folder or archive. A file that contains documents itself is expanded
 * again. */
static trib_status expand_inner(trib_listing *to, const trib_listed *from, const char *name,
                                bool is_alone, trib_diagnostics *diagnostics, trib_error *error) {
    trib_listing one = {0};
    trib_status status = add_inner(&one, from, name, is_alone, diagnostics, error);
    if (status == TRIB_OK) status = expand(to, &one.item[0], diagnostics, error);
    trib_listing_release(&one);
    return status;
}

static trib_status expand_names(trib_listing *to, trib_listed *from, kind_of_file kind,
                                trib_diagnostics *diagnostics, trib_error *error) {
    names texts = {0};
    const char *path = from->about.path;
    trib_status status = kind == FOLDER ? list_folder(to, &texts, &from->about, "", 0, error)
                                        : list_archive(to, &texts, &from->about, error);
    if (status == TRIB_OK && texts.n == 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: contains no file with the name of a text (.txt, .md, .html, .xml, "
                           ".epub, .pdf and such)",
                           path);
    if (texts.n > 0) qsort(texts.name, texts.n, sizeof *texts.name, by_bytes);
    for (size_t i = 0; i < texts.n && status == TRIB_OK; i++)
        status = expand_inner(to, from, texts.name[i], texts.n == 1, diagnostics, error);
    release_names(&texts);
    return status;
}

/* Makes the title of text `i` of a file that was given one: "Poems: The Heron", or "Poems 2" where
 * the text has no title of its own. */
static trib_status title_text(trib_listed *added, const char *given, const trib_tei_about *about,
                              size_t i, trib_error *error) {
    trib_buffer title = {0};
    const bool is_named = *about->title && !about->is_numbered;
    const trib_status status = is_named
                                   ? trib_buffer_print(&title, error, "%s: %s", given, about->title)
                                   : trib_buffer_print(&title, error, "%s %zu", given, i + 1);
    added->has_title = true;
    added->about.title = title.text;
    return status;
}

/* Appends a text of a file of TEI. */
static trib_status add_text(trib_listing *to, const trib_listed *from, const trib_tei_about *about,
                            size_t i, trib_diagnostics *diagnostics, trib_error *error) {
    trib_listed *added = NULL;
    const trib_lines within = {from->about.path, from->about.file, from};
    trib_status status = trib_listing_add(to, from->place, &added, error);
    if (status == TRIB_OK) status = inherit(&added->about, &from->about, error);
    if (status == TRIB_OK) status = place_text(added, &within, i + 1, error);
    if (status == TRIB_OK && from->has_title)
        status = title_text(added, from->about.title, about, i, error);
    if (status == TRIB_OK) status = trib_listing_header(added, about, error);
    return status == TRIB_OK ? trib_listing_complete(added, diagnostics, error) : status;
}

/* Appends all texts of a file of TEI. */
static trib_status add_texts(trib_listing *to, const trib_listed *from, const trib_tei_summary *tei,
                             trib_diagnostics *diagnostics, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < tei->n_texts && status == TRIB_OK; i++)
        status = add_text(to, from, &tei->about[i], i, diagnostics, error);
    for (size_t i = 0; i < tei->n_around && status == TRIB_OK; i++)
        status = trib_listing_leave_out(to, from->about.file, tei->around[i],
                                        "around a group of texts", error);
    return status;
}

/* Appends a file: as the document that it is, or as the texts of TEI in it. */
static trib_status add_file(trib_listing *to, trib_listed *from, trib_diagnostics *diagnostics,
                            trib_error *error) {
    const char *path = from->about.path;
    const trib_tei_summary *tei = NULL;
    trib_listed *added = NULL;
    uint64_t number = 0;
    trib_status status = TRIB_OK;
    if (path && strcmp(path, "-") != 0) status = trib_listing_tei(to, path, &tei, &number, error);
    if (status == TRIB_OK && tei && tei->n_texts > 0 && number == 0)
        return add_texts(to, from, tei, diagnostics, error);
    if (status == TRIB_OK) status = trib_listing_add(to, from->place, &added, error);
    if (status != TRIB_OK) return status;
    *added = *from;
    from->about = (trib_corpus_document){0};
    from->before = NULL;
    if (!tei || !tei->about || number > tei->n_texts) return TRIB_OK;
    return trib_listing_header(added, &tei->about[number > 0 ? number - 1 : 0], error);
}

/* Appends the documents that `from` stands for; a plain file stands for itself. */
static trib_status expand(trib_listing *to, trib_listed *from, trib_diagnostics *diagnostics,
                          trib_error *error) {
    const kind_of_file kind = from->about.path ? kind_of(from->about.path) : FILE_ALONE;
    trib_error why = {0};
    trib_status status;
    if (kind == FILE_ALONE) return add_file(to, from, diagnostics, error);
    if (kind == LINES)
        status = trib_listing_lines(to, &(trib_lines){from->about.path, from->about.file, from},
                                    diagnostics, &why);
    else status = expand_names(to, from, kind, diagnostics, &why);
    if (status != TRIB_INPUT && status != TRIB_OK)
        return trib_fail(error, status, "%s", why.message);
    if (status == TRIB_INPUT) trib_diagnose(diagnostics, from->place, "%s", why.message);
    return TRIB_OK;
}

trib_status trib_listing_expand(trib_listing *listing, trib_diagnostics *diagnostics,
                                trib_error *error) {
    trib_listing from = *listing;
    trib_status status = TRIB_OK;
    listing->item = NULL; /* the other fields keep their values */
    listing->n = listing->cap = 0;
    for (size_t i = 0; i < from.n && status == TRIB_OK; i++)
        status = expand(listing, &from.item[i], diagnostics, error);
    trib_listing_close_tei(listing);
    trib_listing_release(&(trib_listing){.item = from.item, .n = from.n});
    return status;
}
