/* catalogue_manifest.c - writes the manifest of the texts that a catalogue lists and a mirror has:
 * one edition of each work, with the year in which its author was TRIB_CATALOGUE_AGE years old. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "pipeline/program/catalogue.h"
#include "pipeline/program/download.h"
#include "pipeline/support/path.h"
#include "pipeline/support/tables.h"
#include "pipeline/text/archive.h"

/* Where texts may be, as trib_gutenberg_path reads it; the first that exists is taken. After that
 * of an archive, `|` and the name of the text in it follow. */
static const struct layout {
    const char *name, *path[4];
} layouts[] = {
    {"mirror", {"D/N/N-0.txt", "D/N/N-8.txt", "D/N/N.txt"}},
    {"cache", {"cache/epub/N/pgN.txt", "N/pgN.txt"}},
    {"zip", {"D/N/N-0.zip|N-0.txt", "D/N/N-8.zip|N-8.txt", "D/N/N.zip|N.txt"}},
    {NULL, {NULL}},
};

static trib_status find_layout(const struct layout **found, const char *name, trib_error *error) {
    for (*found = layouts; (*found)->name; ++*found)
        if (strcmp((*found)->name, name) == 0) return TRIB_OK;
    return trib_fail(error, TRIB_USAGE, "--layout must be one of mirror, cache, zip, not '%s'",
                     name);
}

static bool ends_with_txt(const char *name) {
    const size_t n = strlen(name);
    return n >= 4 && strcasecmp(name + n - 4, ".txt") == 0;
}

/* Appends "/MEMBER" to `path`: the text of the archive `full`, which is called `wanted`, else the
 * only one that ends in .txt, as in a folder of the archive. *is_there: there is one. An archive
 * that cannot be read has none. */
static trib_status add_member(trib_buffer *path, const char *full, const char *wanted,
                              bool *is_there, trib_error *error) {
    trib_archive archive = {0};
    trib_member member = {0};
    trib_buffer text = {0};
    trib_error why = {0};
    size_t n = 0;
    bool is_named = false;
    trib_status status = TRIB_OK, read = trib_archive_open(&archive, full, &why);
    while (read == TRIB_OK && status == TRIB_OK && !is_named &&
           (read = trib_archive_next(&archive, &member, &why)) == TRIB_OK && member.name) {
        is_named = strcmp(member.name, wanted) == 0;
        if (!is_named && !(member.is_file && ends_with_txt(member.name))) continue;
        n++;
        trib_buffer_clear(&text);
        status = trib_buffer_add(&text, member.name, strlen(member.name), error);
    }
    trib_archive_close(&archive);
    *is_there = status == TRIB_OK && read == TRIB_OK && (is_named || n == 1);
    if (*is_there) status = trib_buffer_print(path, error, "/%s", text.text);
    trib_buffer_release(&text);
    return status;
}

/* Whether the text at `path` exists in the folder `texts`; of an archive, adds its text to the
 * path. */
static trib_status look_for(trib_buffer *path, const char *texts, bool *is_there,
                            trib_error *error) {
    char *bar = strchr(path->text, '|'), *full = NULL, *wanted = NULL;
    if (bar) *bar = '\0';
    trib_status status = trib_path_join(&full, texts, path->text, error);
    *is_there = status == TRIB_OK && access(full, R_OK) == 0;
    if (bar && *is_there) {
        status = trib_copy(&wanted, bar + 1, error);
        path->length = (size_t)(bar - path->text);
        if (status == TRIB_OK) status = add_member(path, full, wanted, is_there, error);
    }
    TRIB_FREE(wanted, full);
    return status;
}

/* Sets entry->file to the first path of the layout that exists in `texts`; without a folder, to the
 * first path. */
static trib_status find_file(trib_catalogue_entry *entry, const struct layout *layout,
                             const char *texts, trib_error *error) {
    trib_buffer path = {0};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < 4 && layout->path[i] && !entry->file && status == TRIB_OK; i++) {
        bool is_there = true;
        trib_buffer_clear(&path);
        status = trib_gutenberg_path(&path, entry->number, layout->path[i], error);
        if (status == TRIB_OK && texts) status = look_for(&path, texts, &is_there, error);
        if (status != TRIB_OK || !is_there) continue;
        char *bar = strchr(path.text, '|');
        if (bar) *bar = '/';
        status = trib_copy_text(&entry->file, path.text, path.length, error);
    }
    trib_buffer_release(&path);
    return status;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* How many texts the manifest has, and how many were left out for which reason. */
typedef struct tally {
    size_t n, n_without_file, n_editions, n_undated;
} tally;

static void write_row(trib_writer *manifest, const trib_catalogue_entry *entry) {
    const unsigned long long number = entry->number;
    const int year = entry->born + TRIB_CATALOGUE_AGE;
    trib_print(manifest, "pg%llu\t%s\t", number, entry->file);
    trib_write_text(manifest, entry->title);
    trib_write_text(manifest, "\t");
    trib_write_text(manifest, entry->author);
    trib_print(manifest, "\test. %s%04d no. %llu\n", year < 0 ? "-" : "", year < 0 ? -year : year,
               number);
}

static void write_left_out(trib_writer *others, const trib_catalogue_entry *entry,
                           const char *why) {
    trib_print(others, "%llu\t", (unsigned long long)entry->number);
    trib_write_tab_cell(others, entry->title);
    trib_write_text(others, "\t");
    trib_write_tab_cell(others, entry->author);
    trib_print(others, "\t%s\n", why);
}

static tally write_rows(const trib_catalogue *catalogue, trib_writer *manifest,
                        trib_writer *others) {
    tally sum = {0};
    trib_write_text(manifest, "id\tfile\ttitle\tauthor\tdate\n");
    trib_write_text(others, "number\ttitle\tauthor\twhy\n");
    for (size_t i = 0; i < catalogue->n; i++) {
        const trib_catalogue_entry *entry = &catalogue->entry[i];
        char why[64] = "";
        if (!entry->file) {
            sum.n_without_file++;
            snprintf(why, sizeof why, "no file");
        } else if (entry->edition_of) {
            sum.n_editions++;
            snprintf(why, sizeof why, "the same work as %llu",
                     (unsigned long long)entry->edition_of);
        } else if (!entry->is_dated) {
            sum.n_undated++;
            snprintf(why, sizeof why, "no year of birth");
        } else {
            sum.n++;
            write_row(manifest, entry);
            continue;
        }
        write_left_out(others, entry, why);
    }
    return sum;
}

/* "books.tsv" gives "books.left-out.tsv". */
static trib_status name_others(trib_buffer *name, const char *manifest, trib_error *error) {
    const size_t n = strlen(manifest);
    const bool is_tsv = n > 4 && strcmp(manifest + n - 4, ".tsv") == 0;
    return trib_buffer_print(name, error, "%.*s.left-out.tsv", (int)(is_tsv ? n - 4 : n), manifest);
}

static trib_status write_tables(const trib_catalogue *catalogue,
                                const trib_catalogue_choice *choice, trib_log *log,
                                trib_error *error) {
    trib_writer manifest = {0}, others = {0};
    trib_buffer name = {0};
    trib_status status = name_others(&name, choice->manifest, error);
    if (status == TRIB_OK) status = trib_writer_open(&others, name.text, error);
    if (status == TRIB_OK) status = trib_writer_open(&manifest, choice->manifest, error);
    if (status != TRIB_OK) goto done;
    const tally sum = write_rows(catalogue, &manifest, &others);
    if (sum.n == 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: no text is left for a manifest: %zu without a file, %zu without a "
                           "year of birth, %zu of other languages",
                           choice->catalogue, sum.n_without_file, sum.n_undated,
                           catalogue->n_other_language);
    if (status == TRIB_OK) status = trib_writer_commit(&others, NULL, error);
    if (status == TRIB_OK) status = trib_writer_commit(&manifest, NULL, error);
    if (status == TRIB_OK) {
        trib_log_say(log, TRIB_LOG_INFO,
                     "%s: %zu texts; left out: %zu of other types, %zu of other languages, %zu bad "
                     "rows",
                     choice->manifest, sum.n, catalogue->n_other_type, catalogue->n_other_language,
                     catalogue->n_bad);
        trib_log_say(log, TRIB_LOG_INFO,
                     "%s: %zu without a file, %zu later editions, %zu without a year of birth",
                     name.text, sum.n_without_file, sum.n_editions, sum.n_undated);
    }
done:
    trib_writer_abandon(&manifest);
    trib_writer_abandon(&others);
    trib_buffer_release(&name);
    return status;
}

static trib_status find_files(trib_catalogue *catalogue, const trib_catalogue_choice *choice,
                              const struct layout *layout, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < catalogue->n && status == TRIB_OK; i++)
        status = find_file(&catalogue->entry[i], layout, choice->texts, error);
    return status;
}

trib_status trib_catalogue_manifest(const trib_catalogue_choice *choice, trib_log *log,
                                    trib_error *error) {
    const struct layout *layout = NULL;
    trib_catalogue catalogue = {0};
    if (strcmp(choice->manifest, "-") == 0)
        return trib_fail(error, TRIB_USAGE,
                         "-o must name a file; what is left out is listed in another beside it");
    trib_status status = find_layout(&layout, choice->layout ? choice->layout : "mirror", error);
    if (status == TRIB_OK && choice->texts && access(choice->texts, X_OK) != 0)
        status =
            trib_fail(error, TRIB_INPUT, "%s: no such folder; --texts is the folder of the mirror",
                      choice->texts);
    if (status == TRIB_OK)
        status = trib_catalogue_read(&catalogue, choice->catalogue, choice->language, log, error);
    if (status == TRIB_OK) status = find_files(&catalogue, choice, layout, error);
    if (status == TRIB_OK) status = trib_catalogue_group(&catalogue, error);
    if (status == TRIB_OK) status = write_tables(&catalogue, choice, log, error);
    trib_catalogue_release(&catalogue);
    return status;
}
