/* fetch.c - `tributary fetch gutenberg`: fetches e-texts by number from a mirror, or makes a
 * manifest of the texts that a catalogue lists and a mirror on this machine has: one edition of
 * each work, with the year in which its author was TRIB_CATALOGUE_AGE years old. */
#include <unistd.h>

#include "pipeline/program/command.h"
#include "pipeline/program/fetch.h"
#include "pipeline/support/path.h"
#include "pipeline/support/tables.h"
#include "pipeline/text/archive.h"

/* ---- A manifest from a catalogue ------------------------------------------------------------- */

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

/* The name of the text in an archive: of the member that is called `wanted`, else of the only one
 * that ends in .txt, as in a folder of the archive. NULL: there is none, or the archive cannot be
 * read. */
static const char *member_of(trib_arena *arena, const char *path, const char *wanted) {
    TRIB_OPENED(trib_archive) archive = {0};
    trib_member member = {0};
    const char *found = NULL;
    size_t n = 0;
    bool is_named = false;
    trib_status status = trib_archive_open(&archive, path, NULL);
    while (status == TRIB_OK && !is_named &&
           (status = trib_archive_next(&archive, &member, NULL)) == TRIB_OK && member.name) {
        is_named = strcmp(member.name, wanted) == 0;
        if (!is_named &&
            !(member.is_file && trib_name_ends(member.name, strlen(member.name), ".txt")))
            continue;
        n++;
        found = trib_arena_text(arena, member.name);
    }
    return status == TRIB_OK && (is_named || n == 1) ? found : NULL;
}

/* The text at `path` in the folder `texts`; NULL when it is not there. After the path of an
 * archive, `|` and the name of its text follow. */
static const char *look_for(trib_arena *arena, const char *texts, const char *path) {
    const int n = (int)strcspn(path, "|");
    char *full = NULL;
    const char *name = trib_arena_copy(arena, path, (size_t)n), *member = NULL;
    if (trib_path_join(&full, texts, name, &arena->failure) != TRIB_OK) return NULL;
    const bool is_there = trib_disk_may(full, R_OK);
    if (is_there && path[n]) member = member_of(arena, full, path + n + 1);
    trib_free(full);
    if (!is_there || !path[n]) return is_there ? name : NULL;
    return member ? trib_arena_print(arena, "%s/%s", name, member) : NULL;
}

/* Sets the file of each entry to the first path of the layout that exists in the folder of --texts;
 * without a folder, to the first path. */
static trib_status find_files(trib_catalogue *catalogue, const char *texts,
                              const struct layout *layout, trib_error *error) {
    trib_arena *arena = &catalogue->arena;
    for (size_t e = 0; e < catalogue->n; e++)
        for (size_t i = 0; i < 4 && layout->path[i] && !catalogue->entry[e].file; i++) {
            trib_catalogue_entry *entry = &catalogue->entry[e];
            const char *path = trib_gutenberg_path(arena, entry->number, layout->path[i]);
            const char *bar = strchr(path, '|');
            if (texts) entry->file = look_for(arena, texts, path);
            else if (!bar) entry->file = path;
            else entry->file = trib_arena_print(arena, "%.*s/%s", (int)(bar - path), path, bar + 1);
        }
    return trib_arena_check(arena, error);
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

/* Writes the manifest, and beside it the table of what was left out, whose name ends in
 * ".left-out.tsv". TRIB_INPUT when nothing is left. */
static trib_status write_tables(const trib_catalogue *catalogue, const char *path, const char *from,
                                trib_log *log, trib_error *error) {
    trib_writer manifest = {0}, others = {0};
    TRIB_OWNED(trib_buffer) name = {0};
    trib_status status = name_others(&name, path, error);
    if (status == TRIB_OK) status = trib_writer_open(&others, name.text, error);
    if (status == TRIB_OK) status = trib_writer_open(&manifest, path, error);
    if (status != TRIB_OK) goto done;
    const tally sum = write_rows(catalogue, &manifest, &others);
    if (sum.n == 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: no text is left for a manifest: %zu without a file, %zu without a "
                           "year of birth, %zu of other languages",
                           from, sum.n_without_file, sum.n_undated, catalogue->n_other_language);
    if (status == TRIB_OK) status = trib_writer_commit(&others, NULL, error);
    if (status == TRIB_OK) status = trib_writer_commit(&manifest, NULL, error);
    if (status == TRIB_OK) {
        trib_log_say(log, TRIB_LOG_INFO,
                     "%s: %zu texts; left out: %zu of other types, %zu of other languages, %zu bad "
                     "rows",
                     path, sum.n, catalogue->n_other_type, catalogue->n_other_language,
                     catalogue->n_bad);
        trib_log_say(log, TRIB_LOG_INFO,
                     "%s: %zu without a file, %zu later editions, %zu without a year of birth",
                     name.text, sum.n_without_file, sum.n_editions, sum.n_undated);
    }
done:
    trib_writer_abandon(&manifest);
    trib_writer_abandon(&others);
    return status;
}

static trib_status make_manifest(const trib_command_line *line, trib_error *error) {
    const char *path = line->output ? line->output : "gutenberg.tsv";
    const struct layout *layout = NULL;
    TRIB_OWNED(trib_catalogue) catalogue = {0};
    if (line->n_operands > 0)
        return trib_fail(error, TRIB_USAGE,
                         "--catalogue fetches nothing, so it takes no number such as '%s'",
                         line->operand[0]);
    if (strcmp(path, "-") == 0)
        return trib_fail(error, TRIB_USAGE,
                         "-o must name a file; what is left out is listed in another beside it");
    trib_status status = find_layout(&layout, line->layout ? line->layout : "mirror", error);
    if (status == TRIB_OK && line->texts && !trib_disk_may(line->texts, X_OK))
        status = trib_fail(error, TRIB_INPUT,
                           "%s: no such folder; --texts is the folder of the mirror", line->texts);
    if (status == TRIB_OK)
        status = trib_catalogue_read(&catalogue, line->catalogue, line->language, line->log, error);
    if (status == TRIB_OK) status = find_files(&catalogue, line->texts, layout, error);
    if (status == TRIB_OK) status = trib_catalogue_group(&catalogue, error);
    if (status == TRIB_OK)
        status = write_tables(&catalogue, path, line->catalogue, line->log, error);
    if (status == TRIB_OK) trib_print(line->out, "%s\n", path);
    return status;
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Reads a number of seconds; *seconds keeps its value when `given` is NULL. */
static trib_status read_seconds(double *seconds, const char *flag, const char *given,
                                trib_error *error) {
    if (!given || (trib_read_double(given, seconds) && *seconds >= 0 && *seconds <= 3600))
        return TRIB_OK;
    return trib_fail(error, TRIB_USAGE, "%s needs seconds from 0 to 3600, not '%s'", flag, given);
}

trib_status trib_command_fetch_gutenberg(const trib_command_line *line, trib_error *error) {
    if (line->catalogue) return make_manifest(line, error);
    if (line->n_operands == 0 || line->language || line->texts || line->layout)
        return trib_fail(error, TRIB_USAGE,
                         line->n_operands == 0
                             ? "fetch gutenberg needs the numbers of texts, or --catalogue"
                             : "--language, --texts and --layout need --catalogue");
    const char *directory = line->output ? line->output : "gutenberg";
    const char *mirror = line->mirror ? line->mirror : TRIB_GUTENBERG_MIRROR;
    double wait = 2, timeout = 60;
    trib_fetch fetch = {0};
    uint64_t number = 0;
    trib_status status = read_seconds(&wait, "--wait", line->wait, error);
    if (status == TRIB_OK) status = read_seconds(&timeout, "--timeout", line->timeout, error);
    for (size_t i = 0; i < line->n_operands && status == TRIB_OK; i++)
        if (!trib_read_uint(line->operand[i], &number) || number == 0 || number >= 100000000)
            status = trib_fail(
                error, TRIB_USAGE,
                "'%s' is not the number of an e-text; of gutenberg.org/ebooks/1342 it is 1342",
                line->operand[i]);
    if (status == TRIB_OK)
        status = trib_fetch_open(&fetch, line->log, wait, timeout < 1 ? 1 : (long)timeout, error);
    if (status == TRIB_OK) trib_log_catch_signals(line->log, 0);
    size_t n_failed = 0;
    for (size_t i = 0; i < line->n_operands && status == TRIB_OK; i++) {
        trib_error why = {0};
        trib_read_uint(line->operand[i], &number);
        status = trib_fetch_etext(&fetch, mirror, directory, number, &why);
        if (status == TRIB_INPUT) { /* continue: the other texts may exist */
            trib_log_say(line->log, TRIB_LOG_ERROR, "%s", why.message);
            n_failed++;
            status = TRIB_OK;
        } else if (status != TRIB_OK) status = trib_fail(error, status, "%s", why.message);
    }
    if (status == TRIB_OK && n_failed < line->n_operands)
        trib_print(line->out, "%s/gutenberg.yaml\n", directory);
    if (status == TRIB_OK && n_failed > 0)
        status = trib_fail(error, TRIB_INPUT, "%zu of %zu texts could not be fetched", n_failed,
                           line->n_operands);
    trib_fetch_close(&fetch);
    return status;
}
