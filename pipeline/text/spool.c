/* spool.c - unpacks a file only once, however many documents of the run it contains, and keeps the
 * texts that were decoded. */
#include "pipeline/text/spool.h"
#include "base/internal.h"

#include <pthread.h>

#include "pipeline/support/path.h"
#include "pipeline/text/archive.h"
#include "pipeline/text/input.h"
#include "pipeline/text/library.h"
#include "pipeline/text/table.h"
#include "pipeline/text/tei.h"

trib_status trib_spool_of_texts_add(trib_spool_of_texts *spool, const char *path,
                                    trib_error *error) {
    const size_t n_file = strcmp(path, "-") == 0 ? 0 : trib_address_split(path);
    if (n_file == 0 && !spool->keeps_texts) return TRIB_OK;
    const trib_status status = trib_grow(&spool->item, &spool->cap, spool->n + 1,
                                         sizeof *spool->item, "documents to read", error);
    if (status == TRIB_OK)
        spool->item[spool->n++] = (trib_spool_of_texts_item){.path = path, .n_file = n_file};
    return status;
}

TRIB_ORDER(by_path, trib_spool_of_texts_item, strcmp(x->path, y->path));

void trib_spool_of_texts_arrange(trib_spool_of_texts *spool) {
    size_t n = 0;
    if (spool->n > 1) qsort(spool->item, spool->n, sizeof *spool->item, by_path);
    for (size_t i = 0; i < spool->n; i++)
        if (n == 0 || by_path(&spool->item[n - 1], &spool->item[i]) != 0)
            spool->item[n++] = spool->item[i];
    spool->n = n;
}

static trib_spool_of_texts_item *find(const trib_spool_of_texts *spool, const char *path) {
    const trib_spool_of_texts_item wanted = {.path = path};
    return spool->n > 0 ? bsearch(&wanted, spool->item, spool->n, sizeof *spool->item, by_path)
                        : NULL;
}

/* ---- Reading a whole file -------------------------------------------------------------------- */

/* The documents of one file; they are adjacent in the list. */
typedef struct pass {
    trib_spool_of_texts *spool;
    trib_spool_of_texts_item *first, *end;
    size_t n_left;         /* documents that are not in the scratch file yet */
    trib_status status;    /* the first failure, after which nothing is read */
    trib_error why;        /* an error of the file, or of a document in it */
    char file[4096];       /* path of the file */
    trib_buffer path, got; /* path of the current document; its bytes */
} pass;

static bool is_in_same_file(const trib_spool_of_texts_item *a, const trib_spool_of_texts_item *b) {
    return a->n_file == b->n_file && memcmp(a->path, b->path, a->n_file) == 0;
}

static void find_documents_of_file(pass *p, trib_spool_of_texts_item *one) {
    trib_spool_of_texts_item *const begin = p->spool->item, *const past = begin + p->spool->n;
    p->first = p->end = one;
    while (p->first > begin && is_in_same_file(p->first - 1, one)) p->first--;
    while (p->end < past && is_in_same_file(p->end, one)) p->end++;
    p->n_left = (size_t)(p->end - p->first);
    for (trib_spool_of_texts_item *item = p->first; item < p->end; item++) item->was_sought = true;
    snprintf(p->file, sizeof p->file, "%.*s", (int)one->n_file, one->path);
}

/* The document `name` of the file; NULL when it is not in the list, or already in the scratch
 * file. */
static trib_spool_of_texts_item *seek(pass *p, const char *name) {
    trib_buffer_clear(&p->path);
    trib_buffer_clear(&p->got);
    p->status = trib_buffer_print(&p->path, NULL, "%s/%s", p->file, name);
    trib_spool_of_texts_item *item = p->status == TRIB_OK ? find(p->spool, p->path.text) : NULL;
    return item && !item->is_there && !item->why ? item : NULL;
}

/* Keeps p->why as the error of the documents from `first` on that are not in the scratch file. */
static void keep_error(pass *p, trib_spool_of_texts_item *first, size_t n) {
    trib_spool_of_texts *spool = p->spool;
    if (TRIB_GROW(&spool->why, &spool->cap_why, spool->n_why + 1, "errors", NULL) != TRIB_OK ||
        trib_copy(&spool->why[spool->n_why], p->why.message, NULL) != TRIB_OK)
        return;
    for (trib_spool_of_texts_item *item = first; item < first + n; item++)
        if (!item->is_there && !item->why) item->why = spool->why[spool->n_why], p->n_left--;
    spool->n_why++;
}

/* Writes the bytes of a document. An error of its own does not end the pass. */
static void put(pass *p, trib_spool_of_texts_item *item) {
    trib_writer *scratch = &p->spool->scratch;
    if (p->status == TRIB_INPUT) {
        keep_error(p, item, 1);
        p->status = TRIB_OK;
        return;
    }
    if (p->status != TRIB_OK) return;
    item->from = scratch->n_written;
    item->size = p->got.length;
    trib_write(scratch, p->got.text, p->got.length);
    p->status = trib_writer_flush(scratch, &p->spool->no_room);
    item->is_there = p->status == TRIB_OK;
    p->n_left--;
}

/* Writes the texts of a file of TEI: of p->file, or of its member `name`, whose bytes are read. */
static void put_texts(pass *p, const trib_tei_texts *texts, const char *name) {
    TRIB_OWNED(trib_buffer) number = {0};
    for (size_t i = 0; i < texts->n && p->n_left > 0 && p->status == TRIB_OK; i++) {
        trib_buffer_clear(&number);
        p->status = trib_buffer_print(&number, NULL, "%s%s%zu", name, *name ? "/" : "", i + 1);
        trib_spool_of_texts_item *item = p->status == TRIB_OK ? seek(p, number.text) : NULL;
        if (!item) continue;
        p->status = trib_tei_texts_add(texts, i, &p->got, &p->why);
        put(p, item);
    }
}

/* The texts of TEI in the member `name` of the archive that are wanted; *n is their number. */
static trib_spool_of_texts_item *texts_in(pass *p, const char *name, size_t *n) {
    trib_buffer_clear(&p->path);
    *n = 0;
    if (trib_buffer_print(&p->path, NULL, "%s/%s/", p->file, name) != TRIB_OK) return NULL;
    trib_spool_of_texts_item *low = p->first, *high = p->end;
    while (low < high) { /* the first document that does not come before "file/name/" */
        trib_spool_of_texts_item *middle = low + (high - low) / 2;
        if (strcmp(middle->path, p->path.text) < 0) low = middle + 1;
        else high = middle;
    }
    while (low + *n < p->end && strncmp(low[*n].path, p->path.text, p->path.length) == 0) ++*n;
    return low;
}

/* Writes the texts of TEI in the current member, of which n are wanted. */
static void read_member(pass *p, trib_archive *archive, const char *name,
                        trib_spool_of_texts_item *wanted, size_t n) {
    TRIB_OPENED(trib_tei_texts) texts = {0};
    TRIB_OWNED(trib_buffer) first = {0}, full = {0};
    trib_status status = trib_buffer_print(&full, NULL, "%s/%s", p->file, name);
    if (status == TRIB_OK)
        status = trib_tei_member_open(&texts, &first, archive, full.text, &p->why);
    if (status == TRIB_OK) put_texts(p, &texts, name);
    else if (status == TRIB_INPUT) keep_error(p, wanted, n);
    else p->status = status;
}

static void read_archive(pass *p) {
    TRIB_OPENED(trib_archive) archive = {0};
    trib_member member = {0};
    size_t n = 0;
    p->status = trib_archive_open(&archive, p->file, &p->why);
    if (p->status != TRIB_OK) return;
    while (p->n_left > 0 && p->status == TRIB_OK &&
           (p->status = trib_archive_next(&archive, &member, &p->why)) == TRIB_OK && member.name) {
        if (!member.is_file) continue;
        archive.n_out = 0; /* the limit is that of a member that is read alone */
        trib_spool_of_texts_item *item =
            trib_tei_file_is_named(member.name) ? texts_in(p, member.name, &n) : NULL;
        if (item && n > 0) {
            read_member(p, &archive, member.name, item, n);
        } else if ((item = seek(p, member.name)) != NULL) {
            p->status = trib_archive_read(&archive, &p->got, &p->why);
            put(p, item);
        }
    }
}

static void read_lines(pass *p) {
    TRIB_OPENED(trib_jsonl) lines = {0};
    char number[24];
    bool is_there = true;
    p->status = trib_jsonl_open(&lines, p->file, &p->why);
    if (p->status != TRIB_OK) return;
    while (p->n_left > 0 && p->status == TRIB_OK &&
           (p->status = trib_jsonl_next(&lines, &is_there, &p->why)) == TRIB_OK && is_there) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)lines.n_lines);
        trib_spool_of_texts_item *item = seek(p, number);
        if (!item) continue;
        p->status = trib_jsonl_add(&lines, &p->got, &p->why);
        put(p, item);
    }
}

static void read_tei(pass *p) {
    TRIB_OPENED(trib_tei_texts) texts = {0};
    trib_buffer first = {0};
    p->status = trib_tei_file_open(&texts, &first, p->file, &p->why);
    trib_buffer_release(&first);
    if (p->status == TRIB_OK) put_texts(p, &texts, "");
}

static trib_status take_stored(void *context, const trib_segment *segment, size_t text,
                               const trib_indexed_text *about, bool *goes_on, trib_error *error) {
    pass *const p = context;
    trib_spool_of_texts_item *const item = seek(p, about->id);
    (void)error;
    if (item) {
        p->status = trib_segment_bytes(segment, text, 0, UINT64_MAX, &p->got, NULL, &p->why);
        put(p, item);
    }
    *goes_on = p->n_left > 0;
    return p->status;
}

static void read_library(pass *p) {
    TRIB_OPENED(trib_index) index = {0};
    p->status = trib_index_open(&index, p->file, TRIB_INDEX_READ, &p->why);
    if (p->status != TRIB_OK) return;
    p->status = trib_index_each(&index, take_stored, p, &p->why);
}

static trib_status open_scratch(trib_spool_of_texts *spool) {
    if (spool->is_open) return TRIB_OK;
    const trib_status status =
        trib_writer_scratch(&spool->scratch, trib_path_temporary(), false, &spool->no_room);
    spool->is_open = status == TRIB_OK;
    if (spool->is_open) spool->reader = trib_writer_reader(&spool->scratch);
    return status;
}

/* Reads all documents of a file into the scratch file. An error of the file is that of all
 * documents that could not be read. */
static void read_whole_file(trib_spool_of_texts *spool, trib_spool_of_texts_item *one) {
    pass p = {.spool = spool};
    find_documents_of_file(&p, one);
    if (p.n_left < 2 || one->n_file >= sizeof p.file)
        return; /* for a single document there is nothing to gain */
    if (open_scratch(spool) != TRIB_OK) return;
    spool->n_passes++;
    if (trib_library_is_at(p.file)) read_library(&p);
    else if (trib_archive_is_named(p.file)) read_archive(&p);
    else if (trib_tei_file_is_named(p.file)) read_tei(&p);
    else if (trib_jsonl_kind(p.file)) read_lines(&p);
    if (p.status == TRIB_INPUT) keep_error(&p, p.first, (size_t)(p.end - p.first));
    trib_buffer_release(&p.path);
    trib_buffer_release(&p.got);
}

/* ---- Reading a document ---------------------------------------------------------------------- */

/* Appends n bytes of the scratch file to a buffer. */
static trib_status add_bytes(const trib_spool_of_texts *spool, uint64_t at, size_t n,
                             trib_buffer *to, trib_error *error) {
    trib_status status =
        trib_grow(&to->text, &to->cap, to->length + n + 1, 1, "a text in an archive", error);
    if (status == TRIB_OK && n > 0)
        status = trib_reader_at(&spool->reader, at, to->text + to->length, n, error);
    if (status != TRIB_OK) return status;
    to->length += n;
    to->text[to->length] = '\0';
    return TRIB_OK;
}

static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

trib_status trib_spool_of_texts_take(trib_spool_of_texts *spool, const char *path, trib_buffer *to,
                                     bool *is_there, trib_error *error) {
    trib_spool_of_texts_item *item = find(spool, path);
    pthread_mutex_lock(&reading);
    if (item && !item->was_sought) read_whole_file(spool, item);
    *is_there = item && item->is_there;
    const char *why = item ? item->why : NULL;
    spool->n_alone += !*is_there && !why;
    pthread_mutex_unlock(&reading);
    if (why) return trib_fail(error, TRIB_INPUT, "%s", why);
    if (!*is_there) return TRIB_OK;
    return add_bytes(spool, item->from, (size_t)item->size, to, error);
}

/* ---- Decoded texts --------------------------------------------------------------------------- */

bool trib_spool_of_texts_may_keep(const trib_spool_of_texts *spool, const char *path) {
    return spool->keeps_texts && find(spool, path);
}

void trib_spool_of_texts_keep(trib_spool_of_texts *spool, const char *path,
                              const trib_markup_text *text, bool is_utf8) {
    trib_spool_of_texts_item *item = spool->keeps_texts ? find(spool, path) : NULL;
    const size_t n = text->text.length;
    trib_pack pack = {0};
    if (!item || n > TRIB_SPOOL_LONGEST) return;
    pthread_mutex_lock(&reading);
    trib_writer *const scratch = &spool->scratch;
    if (!item->is_decoded && spool->n_kept + n <= TRIB_SPOOL_MOST &&
        open_scratch(spool) == TRIB_OK) {
        trib_pack_bool(&pack, &is_utf8);
        trib_markup_pack(&pack, (void *)(uintptr_t)text);
        item->text = scratch->n_written;
        item->n_text = pack.bytes.length;
        trib_write(scratch, pack.bytes.text, pack.bytes.length);
        item->is_decoded =
            trib_pack_is_good(&pack) && trib_writer_flush(scratch, &spool->no_room) == TRIB_OK;
        spool->n_kept += n;
        trib_pack_release(&pack);
    }
    pthread_mutex_unlock(&reading);
}

trib_status trib_spool_of_texts_text(trib_spool_of_texts *spool, const char *path,
                                     trib_markup_text *text, bool *is_utf8, bool *is_there,
                                     trib_error *error) {
    const trib_spool_of_texts_item *item = spool->keeps_texts ? find(spool, path) : NULL;
    TRIB_OWNED(trib_buffer) bytes = {0};
    pthread_mutex_lock(&reading);
    *is_there = item && item->is_decoded;
    pthread_mutex_unlock(&reading);
    if (!*is_there) return TRIB_OK;
    const trib_status status = add_bytes(spool, item->text, (size_t)item->n_text, &bytes, error);
    trib_pack pack = trib_pack_reading(bytes.text, bytes.length);
    if (status != TRIB_OK) return status;
    trib_pack_bool(&pack, is_utf8);
    trib_markup_pack(&pack, text);
    if (trib_pack_check(&pack, error) != TRIB_OK || trib_pack_is_whole(&pack))
        return pack.failure.status;
    return trib_fail(error, TRIB_INPUT, "%s: its copy in the scratch file is damaged", path);
}

void trib_spool_of_texts_close(trib_spool_of_texts *spool) {
    if (spool->is_open) trib_writer_abandon(&spool->scratch);
    for (size_t i = 0; i < spool->n_why; i++) trib_free(spool->why[i]);
    TRIB_FREE(spool->item, spool->why);
    *spool = (trib_spool_of_texts){0};
}
