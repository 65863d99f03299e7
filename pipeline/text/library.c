/* library.c - the state of a library: the file MANIFEST, which names its segments and what is
 * removed from them, and is replaced as a whole. */
#include "pipeline/text/library.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>
#include <unicode/uversion.h>
#include <unistd.h>

#include "pipeline/support/path.h"

static const char head[] = "tributary library 2\n";
enum { ANY_HEAD = sizeof head - 3 }; /* without the version */

void trib_index_path(char path[TRIB_INDEX_PATH], const trib_index *index, uint64_t number) {
    if (number == 0) snprintf(path, TRIB_INDEX_PATH, "%s/MANIFEST", index->folder);
    else snprintf(path, TRIB_INDEX_PATH, "%s/%" PRIu64 ".segment", index->folder, number);
}

void trib_index_close(trib_index *index) {
    for (size_t i = 0; i < index->n; i++) trib_segment_close(&index->segment[i]);
    for (size_t i = 0; i < index->n_set; i++) trib_free((void *)(uintptr_t)index->set[i].key);
    TRIB_FREE(index->segment, index->set, index->icu);
    if (index->lock >= 0 && index->folder) (void)close(index->lock);
    if (index->sealed) trib_disk_unseal(index->folder);
    *index = (trib_index){.lock = -1};
}

trib_status trib_index_append(trib_index *index, uint64_t number, trib_error *error) {
    char path[TRIB_INDEX_PATH];
    trib_index_path(path, index, number);
    trib_status status = TRIB_GROW(&index->segment, &index->cap, index->n + 1, "segments", error);
    if (status == TRIB_OK)
        status = trib_segment_open(&index->segment[index->n], path, number, error);
    index->n += status == TRIB_OK;
    return status;
}

/* ---- Reading the manifest -------------------------------------------------------------------- */

static trib_status damaged(const char *path, size_t line, trib_error *error) {
    return trib_fail(error, TRIB_INPUT,
                     "%s:%zu: not a line that this program writes; the library "
                     "is damaged: make it again from its texts",
                     path, line);
}

trib_status trib_index_set(trib_index *index, const char *key, const char *value,
                           trib_error *error) {
    char *copy = NULL;
    const size_t n = strlen(key);
    trib_status status =
        TRIB_GROW(&index->set, &index->set_cap, index->n_set + 1, "settings", error);
    if (status == TRIB_OK) status = trib_new(&copy, n + strlen(value) + 2, 1, "a setting", error);
    if (status != TRIB_OK) return status;
    memcpy(copy, key, n);
    memcpy(copy + n + 1, value, strlen(value));
    index->set[index->n_set++] = (trib_setting){copy, copy + n + 1, "the library"};
    return TRIB_OK;
}

/* Appends a segment that could not be opened, or counts it as lost: it is missing, or what it says
 * is damaged. A file that cannot be read is not lost, and nothing is repaired. */
static trib_status append_or_lose(trib_index *index, uint64_t number, trib_error *error) {
    char path[TRIB_INDEX_PATH];
    trib_mapped_file file = {0};
    trib_index_path(path, index, number);
    trib_status status = trib_disk_has(path) ? trib_mapped_file_open(&file, path, error) : TRIB_OK;
    trib_mapped_file_close(&file);
    if (status != TRIB_OK) return status;
    status = trib_index_append(index, number, error);
    index->n_lost += status == TRIB_INPUT;
    return status == TRIB_INPUT ? TRIB_OK : status;
}

static trib_status read_line(trib_index *index, const char *path, char *line, size_t number,
                             trib_error *error) {
    uint64_t a, b;
    char rest;
    char *const equals = strchr(line, '=');
    if (strncmp(line, "set ", 4) == 0 && equals) {
        *equals = '\0';
        return trib_index_set(index, line + 4, equals + 1, error);
    }
    if (strncmp(line, "icu ", 4) == 0 && !index->icu)
        return trib_copy(&index->icu, line + 4, error);
    if (sscanf(line, "next %" SCNu64 "%c", &a, &rest) == 1) {
        index->next = a;
        return TRIB_OK;
    }
    if (sscanf(line, "segment %" SCNu64 "%c", &a, &rest) == 1 && a > 0) {
        const trib_status status = trib_index_append(index, a, error);
        return status == TRIB_INPUT && index->use == TRIB_INDEX_REPAIR
                   ? append_or_lose(index, a, error)
                   : status;
    }
    if (index->n_lost > 0 && strncmp(line, "removed ", 8) == 0 &&
        (index->n == 0 || strtoull(line + 8, NULL, 10) != index->segment[index->n - 1].number))
        return TRIB_OK; /* of a segment that is lost */
    trib_segment *const last = index->n > 0 ? &index->segment[index->n - 1] : NULL;
    if (last && sscanf(line, "removed %" SCNu64 " %" SCNu64 "%c", &a, &b, &rest) == 2 &&
        a == last->number && b < last->end.n_texts && !last->is_removed[b]) {
        last->is_removed[b] = true;
        last->n_removed++;
        return TRIB_OK;
    }
    return damaged(path, number, error);
}

/* Checks the last line, which has the checksum of the others, and cuts it off. */
static trib_status check_sum(trib_buffer *text, const char *path, trib_error *error) {
    char wanted[32];
    size_t at = text->length > 0 ? text->length - 1 : 0;
    while (at > 0 && text->text[at - 1] != '\n') at--;
    if (text->length < sizeof head || strncmp(text->text, head, ANY_HEAD) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: not the manifest of a library", path);
    if (strncmp(text->text, head, sizeof head - 1) != 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s: made by another version of this program; make the library again, in "
                         "another folder",
                         path);
    snprintf(wanted, sizeof wanted, "sum %016" PRIx64 "\n", trib_checksum(text->text, at));
    if (strcmp(text->text + at, wanted) != 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s: its checksum differs; the library is damaged: make it again from its "
                         "texts",
                         path);
    text->length = at;
    text->text[at] = '\0';
    return TRIB_OK;
}

static trib_status read_manifest(trib_index *index, trib_error *error) {
    char path[TRIB_INDEX_PATH];
    TRIB_OWNED(trib_buffer) text = {0};
    trib_index_path(path, index, 0);
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK) status = check_sum(&text, path, error);
    size_t number = 1;
    char *line = text.text ? text.text + sizeof head - 1 : NULL;
    for (char *end; status == TRIB_OK && *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        status = read_line(index, path, line, ++number, error);
    }
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static void version(char text[U_MAX_VERSION_STRING_LENGTH]) {
    UVersionInfo icu;
    u_getVersion(icu);
    u_versionToString(icu, text);
}

/* Takes the lock of the one writer; makes the folder if there is none. */
static trib_status begin_writing(trib_index *index, trib_error *error) {
    const trib_status status = trib_directory_create(index->folder, error);
    if (status != TRIB_OK) return status;
    index->lock = trib_disk_open(index->folder, O_RDONLY | O_DIRECTORY);
    if (index->lock < 0)
        return trib_fail(error, TRIB_OUTPUT, "%s: cannot be opened: %s", index->folder,
                         strerror(errno));
    if (flock(index->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return TRIB_OK;
    return trib_fail(error, TRIB_USAGE,
                     "%s: another program is writing to this library; try again when it is done",
                     index->folder);
}

/* A new library lies in an empty folder. */
static trib_status begin_new(trib_index *index, trib_error *error) {
    char icu[U_MAX_VERSION_STRING_LENGTH];
    trib_arena arena = {0};
    trib_names names = {0};
    const bool is_empty = trib_disk_list(index->folder, &names, &arena) && names.n == 0;
    const trib_status status = trib_arena_check(&arena, error);
    trib_arena_release(&arena);
    if (status != TRIB_OK) return status;
    if (!is_empty)
        return trib_fail(error, TRIB_USAGE,
                         "%s: not a library, and not an empty folder; name another", index->folder);
    version(icu);
    index->next = 1;
    return trib_copy(&index->icu, icu, error);
}

/* Whether what was read misses a file that the manifest names: a writer has joined segments since
 * the manifest was read, and the next one names others. */
static bool is_outdated(const trib_index *index, uint64_t next) {
    TRIB_OPENED(trib_index) now = {.folder = index->folder, .lock = -1};
    const trib_status status = read_manifest(&now, NULL);
    const bool is = status == TRIB_OK || now.next != next;
    now.folder = NULL;
    return is;
}

static trib_status read_again(trib_index *index, trib_error *error) {
    enum { TRIES = 8 };
    const char *const folder = index->folder;
    trib_status status = read_manifest(index, error);
    for (int i = 0; i < TRIES && status == TRIB_INPUT && is_outdated(index, index->next); i++) {
        const trib_index old = *index;
        index->lock = -1;
        index->folder = NULL;
        index->sealed = false;
        trib_index_close(index);
        index->folder = folder;
        index->lock = old.lock;
        index->sealed = old.sealed;
        status = read_manifest(index, error);
    }
    return status;
}

trib_status trib_index_open(trib_index *index, const char *folder, trib_index_use use,
                            trib_error *error) {
    const bool writes = use != TRIB_INDEX_READ;
    char path[TRIB_INDEX_PATH], icu[U_MAX_VERSION_STRING_LENGTH];
    *index = (trib_index){.folder = folder, .lock = -1, .use = use};
    trib_index_path(path, index, 0);
    if (strlen(folder) > TRIB_PATH_MAX) return trib_fail(error, TRIB_USAGE, "path too long");
    trib_status status = writes ? begin_writing(index, error) : TRIB_OK;
    if (status == TRIB_OK) status = trib_disk_seal(folder, error);
    index->sealed = status == TRIB_OK;
    if (status == TRIB_OK && !trib_disk_has(path)) {
        status = writes ? begin_new(index, error)
                        : trib_fail(error, TRIB_INPUT,
                                    "%s: no library is here; `tributary index add %s TEXT...` "
                                    "makes one",
                                    folder, folder);
    } else if (status == TRIB_OK) status = read_again(index, error);
    version(icu);
    if (status == TRIB_OK && (!index->icu || strcmp(index->icu, icu) != 0))
        status = trib_fail(error, TRIB_INPUT,
                           "%s: its texts were cut into words by ICU %s, and this program has ICU "
                           "%s, which may cut them elsewhere; make the library again",
                           folder, index->icu ? index->icu : "of unknown version", icu);
    if (status != TRIB_OK) trib_index_close(index);
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Removes the files of segments that the library does not name, and what a killed writer left. */
static void remove_others(const trib_index *index, trib_arena *arena) {
    trib_names names = {0};
    if (!trib_disk_list(index->folder, &names, arena)) return;
    for (size_t i = 0; i < names.n; i++) {
        char path[TRIB_INDEX_PATH], rest[16] = "";
        uint64_t number = 0;
        const bool is_segment = sscanf(names.name[i], "%" SCNu64 "%15s", &number, rest) == 2 &&
                                strcmp(rest, ".segment") == 0;
        bool is_named = !is_segment && !trib_writer_is_temporary(names.name[i]);
        for (size_t k = 0; k < index->n && !is_named; k++)
            is_named = is_segment && index->segment[k].number == number;
        snprintf(path, sizeof path, "%s/%s", index->folder, names.name[i]);
        if (!is_named) (void)trib_disk_remove(path);
    }
}

trib_status trib_index_commit(trib_index *index, trib_error *error) {
    char path[TRIB_INDEX_PATH];
    TRIB_OWNED(trib_buffer) text = {0};
    TRIB_OWNED(trib_arena) arena = {0};
    trib_buffer_print(&text, error, "%sicu %s\n", head, index->icu);
    for (size_t i = 0; i < index->n_set; i++)
        trib_buffer_print(&text, error, "set %s=%s\n", index->set[i].key, index->set[i].value);
    trib_status status = trib_buffer_print(&text, error, "next %" PRIu64 "\n", index->next);
    for (size_t i = 0; i < index->n; i++) {
        const trib_segment *const s = &index->segment[i];
        status = trib_buffer_print(&text, error, "segment %" PRIu64 "\n", s->number);
        for (size_t k = 0; k < s->end.n_texts; k++)
            if (s->is_removed[k])
                status = trib_buffer_print(&text, error, "removed %" PRIu64 " %zu\n", s->number, k);
    }
    trib_index_path(path, index, 0);
    if (status == TRIB_OK)
        status = trib_buffer_print(&text, error, "sum %016" PRIx64 "\n",
                                   trib_checksum(text.text, text.length));
    if (status == TRIB_OK) status = trib_write_whole(path, text.text, text.length, error);
    if (status == TRIB_OK) {
        remove_others(index, &arena);
        status = trib_arena_check(&arena, error);
    }
    return status;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

bool trib_library_is_at(const char *folder) {
    const trib_index index = {.folder = folder};
    char path[TRIB_INDEX_PATH], first[ANY_HEAD];
    trib_index_path(path, &index, 0);
    const int file = trib_disk_open(path, O_RDONLY);
    const ssize_t n = file >= 0 ? read(file, first, sizeof first) : -1;
    if (file >= 0) (void)close(file);
    return n == (ssize_t)sizeof first && memcmp(first, head, sizeof first) == 0;
}

trib_status trib_index_each(const trib_index *index, trib_library_sink *take, void *context,
                            trib_error *error) {
    trib_status status = TRIB_OK;
    bool goes_on = true;
    for (size_t i = 0; i < index->n; i++)
        for (size_t k = 0; k < index->segment[i].end.n_texts && status == TRIB_OK && goes_on; k++) {
            trib_indexed_text about;
            if (index->segment[i].is_removed[k]) continue;
            status = trib_segment_about(&index->segment[i], k, &about, error);
            if (status == TRIB_OK)
                status = take(context, &index->segment[i], k, &about, &goes_on, error);
        }
    return status;
}

/* A text that is looked for. */
typedef struct wanted_text {
    const char *id;
    trib_buffer *to;
    bool is_there;
} wanted_text;

static trib_status take_wanted(void *context, const trib_segment *segment, size_t text,
                               const trib_indexed_text *about, bool *goes_on, trib_error *error) {
    wanted_text *const wanted = context;
    if (strcmp(about->id, wanted->id) != 0) return TRIB_OK;
    *goes_on = false;
    wanted->is_there = true;
    return trib_segment_bytes(segment, text, 0, UINT64_MAX, wanted->to, NULL, error);
}

trib_status trib_library_text(const char *folder, const char *id, trib_buffer *to,
                              trib_error *error) {
    TRIB_OPENED(trib_index) index = {0};
    wanted_text wanted = {id, to, false};
    trib_status status = trib_index_open(&index, folder, TRIB_INDEX_READ, error);
    if (status != TRIB_OK) return status;
    status = trib_index_each(&index, take_wanted, &wanted, error);
    return status == TRIB_OK && !wanted.is_there
               ? trib_fail(error, TRIB_INPUT,
                           "%s: this library has no text '%s'; `tributary index ls %s` lists them",
                           folder, id, folder)
               : status;
}
