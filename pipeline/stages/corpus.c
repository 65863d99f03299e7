/* corpus.c - stage corpus: hashes the input files, selects the targets and lists the admissible
 * sources of each target. */
#include "pipeline/stages/corpus.h"
#include "base/internal.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/stages/spellings.h"
#include "pipeline/support/pack.h"
#include "pipeline/text/input.h"

/* Adds the bytes of the file or archive member at `path` to a hash. `document` (may be NULL)
 * receives what they are. */
static trib_status hash_file(trib_sha256 *hash, const char *path, trib_spool_of_texts *spool,
                             trib_document *document, trib_error *error) {
    char block[1 << 14];
    trib_byte_source stored;
    size_t got = 0;
    uint64_t n_bytes = 0;
    trib_status status = trib_byte_source_open(&stored, path, spool, error);
    if (status != TRIB_OK) return status;
    unsigned char first[8];
    const bool follows = !document || spool->follows_links; /* without one, looked at before */
    status = trib_byte_source_add_pages(&stored, path, follows, error);
    if (status == TRIB_OK)
        status = trib_reader_peek(&stored.reader, first, sizeof first, &got, error);
    if (status == TRIB_OK && document) {
        trib_input_kind(document->kind, path, &stored, first, got);
        document->stamp = stored.stamp;
        document->has_pages = stored.mets.n > 0;
    }
    while (status == TRIB_OK &&
           (status = trib_reader_read(&stored.reader, block, sizeof block, &got, error)) ==
               TRIB_OK &&
           got > 0) {
        trib_sha256_add(hash, block, got);
        n_bytes += got;
        if ((status = trib_stop_check(error)) != TRIB_OK) break;
    }
    if (document) document->n_bytes = n_bytes;
    trib_byte_source_close(&stored);
    return status;
}

/* Hashes a document's file, so that the name of the run depends on its contents. */
static trib_status hash_document(trib_document *document, trib_spool_of_texts *spool,
                                 trib_error *error) {
    trib_sha256 hash = {0};
    trib_status status = trib_address_check(document->about->path, error);
    if (status != TRIB_OK) return status;
    status = hash_file(&hash, document->about->path, spool, document, error);
    trib_sha256_end(&hash, document->sha256);
    if (status == TRIB_OK && document->n_bytes == 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: is empty; remove '%s' from the documents or give it a text",
                           document->about->path, document->about->id);
    return status;
}

trib_status trib_document_check_unchanged(const trib_document *document, trib_error *error) {
    const char *path = document->about->path;
    char sha256[TRIB_SHA256_TEXT];
    trib_sha256 hash = {0};
    if (document->stamp == 0 ||
        trib_byte_source_stamp(path, document->has_pages) == document->stamp)
        return TRIB_OK;
    const trib_status status = hash_file(&hash, path, NULL, NULL, error);
    trib_sha256_end(&hash, sha256);
    if (status != TRIB_OK || strcmp(sha256, document->sha256) == 0) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%s: was changed while the run was reading it; run again when nothing writes "
                     "to it",
                     path);
}

/* Registers the documents with the spool, so that each archive is unpacked once in a run, and each
 * text that is quoted is decoded once. */
static trib_status open_spool(const trib_config *config, trib_corpus *corpus, trib_error *error) {
    trib_status status = TRIB_NEW(&corpus->spool, 1, "archives", error);
    if (status == TRIB_OK) corpus->spool->keeps_texts = config->report.text != TRIB_TEXT_NONE;
    if (status == TRIB_OK) corpus->spool->follows_links = config->corpus.follows_links;
    for (uint32_t d = 0; d < corpus->n_documents && status == TRIB_OK; d++)
        status = trib_spool_of_texts_add(corpus->spool, corpus->document[d].about->path, error);
    if (status == TRIB_OK) trib_spool_of_texts_arrange(corpus->spool);
    return status;
}

static bool is_missing(const trib_corpus_document *document) {
    return !trib_disk_has(document->path) && errno == ENOENT &&
           !trib_address_is_there(document->path);
}

/* Says of a text that is not there where it is listed, and which file may be meant. */
static trib_status fail_missing(const trib_config *config, const trib_corpus_document *document,
                                trib_error *error) {
    enum { FEW = 1000 }; /* of more documents the folders are not searched again and again */
    char hint[TRIB_NEAREST_MAX] = "", file[TRIB_PATH_MAX] = "", listed[TRIB_PATH_MAX + 32] = "";
    const char *manifest = config->corpus.manifest;
    const bool is_obtained = config->corpus.obtain; /* the end of the message says how */
    if (config->corpus.n_documents <= FEW && !is_obtained) trib_nearest_file(document->path, hint);
    if (manifest && manifest[0] != '/' && strcmp(config->directory, ".") != 0)
        snprintf(file, sizeof file, "%s/%s", config->directory, manifest);
    else snprintf(file, sizeof file, "%s", manifest ? manifest : config->path);
    if (trib_disk_has(file))
        snprintf(listed, sizeof listed, " (listed in %s:%u)", file, (unsigned)document->line);
    return trib_fail(
        error, TRIB_INPUT, "%s: cannot be opened: No such file or directory%s%s", document->path,
        listed, *hint || is_obtained || !*listed ? hint : "; write the file or correct its name");
}

/* Context of the parallel loop that hashes the documents. */
typedef struct hashing {
    const trib_config *config;
    const trib_comm *comm;
    trib_corpus *corpus;
} hashing;

/* Hashes one document. A document that cannot be read is marked; the run rejects it after all
 * documents have been hashed. */
static trib_status hash_part(void *context, uint32_t d, int n_threads, trib_progress progress,
                             trib_error *error) {
    const hashing *h = context;
    trib_document *document = &h->corpus->document[d];
    trib_error why = {0};
    (void)n_threads;
    (void)progress;
    trib_status status;
    const char *path = document->about->path;
    if (h->comm->size > 1 &&
        (strcmp(path, "-") == 0 || strncmp(path, TRIB_INPUT_LINES "/", 10) == 0))
        status = trib_fail(&why, TRIB_INPUT,
                           "standard input reaches one process alone; give '%s' a file",
                           document->about->id);
    else if (is_missing(document->about)) status = fail_missing(h->config, document->about, &why);
    else status = hash_document(document, h->corpus->spool, &why);
    if (status == TRIB_OK) return TRIB_OK;
    if (status != TRIB_INPUT) return trib_fail(error, status, "%s", why.message);
    memset(document->sha256, 0, sizeof document->sha256);
    return trib_document_reject(document, &why, error);
}

/* Returns the size of a document's file in bytes, or 0 for a text in an archive, whose size is
 * unknown. */
static uint64_t file_size(const void *context, uint32_t d) {
    const hashing *h = context;
    struct stat about;
    const bool is_file =
        trib_disk_about(h->corpus->document[d].about->path, &about) == 0 && S_ISREG(about.st_mode);
    return is_file ? (uint64_t)about.st_size : 0;
}

static void pack_document(void *context, uint32_t d, trib_pack *pack) {
    const hashing *h = context;
    trib_document *document = &h->corpus->document[d];
    TRIB_PACK(pack, document->sha256);
    TRIB_PACK(pack, document->n_bytes);
    TRIB_PACK(pack, document->stamp);
    trib_pack_bool(pack, &document->has_pages);
    TRIB_PACK(pack, document->kind);
    trib_document_pack_rejected(document, pack);
}

/* Hashes all documents; every rank reads its share of them. */
static trib_status hash_documents(const trib_environment *env, trib_corpus *corpus,
                                  trib_error *error) {
    static const trib_part_row documents = {
        .work = hash_part, .size = file_size, .pack = pack_document};
    const trib_workers workers = trib_environment_workers(env);
    hashing h = {env->config, env->comm, corpus};
    return trib_parts_do(&workers, open_spool(env->config, corpus, error), corpus->n_documents,
                         &documents, &h, error);
}

/* Reports the files in a folder or archive of texts that are not read. Hidden ones, such as the
 * locks of a word processor, are no surprise and are only counted. */
static void report_left_out(const trib_environment *env) {
    const trib_left_out *out = env->config->corpus.left_out, *first = NULL;
    size_t n = 0, n_hidden = 0;
    for (size_t i = 0; i < env->config->corpus.n_left_out; i++) {
        if (strcmp(out[i].why, "hidden") == 0) {
            n_hidden++;
            continue;
        }
        if (n++ == 0) first = &out[i];
    }
    if (n > 0)
        trib_log_say(
            env->log, TRIB_LOG_INFO,
            "%zu file%s beside the texts %s not read ('%s': %s%s); inputs.tsv has the list", n,
            n > 1 ? "s" : "", n > 1 ? "are" : "is", first->file, first->why, n > 1 ? ", ..." : "");
    if (n_hidden > 0)
        trib_log_say(env->log, TRIB_LOG_DEBUG, "%zu hidden file%s beside the texts %s not read",
                     n_hidden, n_hidden > 1 ? "s" : "", n_hidden > 1 ? "are" : "is");
}

/* Computes the hash of the whole run, over the settings that can change a result and over the id
 * and contents of every input. */
trib_status trib_corpus_hash(const trib_config *config, trib_corpus *corpus, trib_error *error) {
    const char *const listed[] = {
        config->vocabulary.path, config->report.commonplaces_path, config->parallels.lemmas_path,
        config->translations.dictionary_path, config->translations.table_path};
    trib_sha256 hash = {0};
    trib_status status = TRIB_OK;
    trib_sha256_add(&hash, config->hash, strlen(config->hash));
    for (uint32_t d = 0; d < corpus->n_documents; d++) {
        const char *id = corpus->document[d].about->id;
        trib_sha256_add(&hash, id, strlen(id) + 1);
        trib_sha256_add(&hash, corpus->document[d].sha256, TRIB_SHA256_TEXT);
    }
    for (size_t i = 0; i < sizeof listed / sizeof *listed && status == TRIB_OK; i++)
        if (listed[i]) status = hash_file(&hash, listed[i], NULL, NULL, error);
    if (status == TRIB_OK) status = trib_config_hash_norms(config, &hash, error);
    trib_sha256_end(&hash, corpus->hash);
    return status;
}

bool trib_config_is_target(const trib_config *config, const trib_corpus_document *document) {
    if (document->role != TRIB_ROLE_BOTH && document->role != TRIB_ROLE_TARGET) return false;
    for (uint32_t i = 0; i < config->corpus.target.n; i++) {
        const char *asked = config->corpus.target.item[i];
        if (strcmp(asked, "all") == 0 || strcmp(asked, document->id) == 0) return true;
    }
    return false;
}

bool trib_config_is_source(const trib_config *config, const trib_corpus_document *source,
                           const trib_corpus_document *target) {
    if (source == target || source->role == TRIB_ROLE_TARGET) return false;
    return config->corpus.order == TRIB_ORDER_ANY || source->year_end <= target->year;
}

trib_status trib_corpus_ends(const trib_config *config, const trib_corpus *corpus, double **end,
                             trib_error *error) {
    const trib_status status = TRIB_NEW(end, corpus->n_documents, "the documents", error);
    for (uint32_t d = 0; d < corpus->n_documents && status == TRIB_OK; d++) {
        const trib_corpus_document *about = corpus->document[d].about;
        (*end)[d] = about->role == TRIB_ROLE_TARGET          ? (double)NAN
                    : config->corpus.order == TRIB_ORDER_ANY ? (double)-INFINITY
                                                             : about->year_end;
    }
    return status;
}

double trib_config_begin(const trib_config *config, const trib_corpus_document *target) {
    return config->corpus.order == TRIB_ORDER_ANY ? (double)INFINITY : target->year;
}

bool trib_config_has_target_pages(const trib_config *config, size_t n_targets) {
    const uint32_t most = config->report.target_pages;
    return n_targets <= TRIB_REPORT_TARGETS || n_targets <= (most > 0 ? most : TRIB_TARGET_PAGES);
}

uint32_t trib_config_candidates(const trib_config *config) {
    enum { ALL_UP_TO = 500, MOST = 160 };
    if (config->influence.candidates > 0) return config->influence.candidates;
    return config->corpus.is_chosen || config->corpus.n_documents > ALL_UP_TO ? MOST : 0;
}

/* Lists the sources of a target; if candidates are chosen among them later, only counts them. */
static trib_status find_sources(const trib_environment *env, const trib_corpus *corpus,
                                const double *end, trib_target *target, trib_error *error) {
    const trib_corpus_document *about = corpus->document[target->document].about;
    const bool are_listed = trib_config_candidates(env->config) == 0;
    trib_status status =
        are_listed ? TRIB_NEW(&target->source, corpus->n_documents, "a list of sources", error)
                   : TRIB_OK;
    if (status != TRIB_OK) return status;
    const double begin = trib_config_begin(env->config, about);
    for (uint32_t d = 0; d < corpus->n_documents; d++) {
        if (!(end[d] <= begin) || d == target->document) continue;
        if (are_listed) target->source[target->n_sources++] = d;
        target->n_admissible++;
    }
    if (target->n_admissible > 0) return TRIB_OK;
    return trib_warnings_add(
        env->warnings, error, "'%s' has no admissible source%s: all of it counts as the author's",
        about->id,
        env->config->corpus.order == TRIB_ORDER_BY_DATE ? " (no document is older)" : "");
}

/* Fills corpus->arrival. */
static trib_status find_arrival(const trib_config *config, trib_corpus *corpus, trib_error *error) {
    if (config->corpus.order == TRIB_ORDER_BY_DATE)
        return trib_corpus_by_date(corpus, &corpus->arrival, error);
    const trib_status status =
        TRIB_NEW(&corpus->arrival, corpus->n_documents, "the order of documents", error);
    for (uint32_t d = 0; d < corpus->n_documents && status == TRIB_OK; d++) corpus->arrival[d] = d;
    return status;
}

trib_status trib_stage_corpus(const trib_environment *env, trib_corpus *corpus, trib_error *error) {
    const trib_config *config = env->config;
    const uint32_t n = config->corpus.n_documents;
    trib_status status = TRIB_NEW(&corpus->document, n, "the documents", error);
    if (status == TRIB_OK) status = TRIB_NEW(&corpus->target, n, "the targets", error);
    if (status != TRIB_OK) return status;
    corpus->n_documents = n;
    corpus->is_chosen = config->corpus.is_chosen;
    for (uint32_t d = 0; d < n; d++) {
        corpus->document[d].about = &config->corpus.document[d];
        if (trib_config_is_target(config, corpus->document[d].about))
            corpus->target[corpus->n_targets++].document = d;
    }
    report_left_out(env);
    status = hash_documents(env, corpus, error);
    if (status == TRIB_OK && corpus->spool->no_room.status != TRIB_OK)
        status = trib_warnings_add(env->warnings, error,
                                   "texts of archives are read one by one, which takes long: %s; "
                                   "set TMPDIR to a folder with room",
                                   corpus->spool->no_room.message);
    if (status == TRIB_OK) status = trib_corpus_hash(config, corpus, error);
    return status == TRIB_OK ? find_arrival(config, corpus, error) : status;
}

trib_status trib_corpus_find_sources(const trib_environment *env, trib_corpus *corpus,
                                     trib_error *error) {
    double *end = NULL;
    trib_status status = trib_corpus_ends(env->config, corpus, &end, error);
    for (uint32_t t = 0; t < corpus->n_targets && status == TRIB_OK; t++)
        status = find_sources(env, corpus, end, &corpus->target[t], error);
    trib_free(end);
    return status;
}

void trib_corpus_release(trib_corpus *corpus) {
    for (uint32_t d = 0; d < corpus->n_documents; d++) trib_free(corpus->document[d].rejected);
    for (uint32_t r = 0; r < corpus->n_rejected; r++) trib_free(corpus->rejected[r].why);
    for (uint32_t t = 0; t < corpus->n_targets; t++) trib_free(corpus->target[t].source);
    if (corpus->spool) trib_spool_of_texts_close(corpus->spool);
    TRIB_FREE(corpus->spool, corpus->document, corpus->rejected, corpus->target, corpus->arrival,
              corpus->is_measured);
    *corpus = (trib_corpus){0};
}

/* ---- Documents ------------------------------------------------------------------------------- */

bool trib_document_is_earlier(const trib_document *x, const trib_document *y) {
    const trib_corpus_document *a = x->about, *b = y->about;
    if (!a->date != !b->date) return a->date != NULL;
    if (a->date && a->year_end != b->year_end) return a->year_end < b->year_end;
    if (a->date && a->year != b->year) return a->year < b->year;
    return x < y;
}

static int by_earliness(const void *a, const void *b) {
    const trib_document *const *x = a, *const *y = b;
    return trib_document_is_earlier(*y, *x) - trib_document_is_earlier(*x, *y);
}

bool trib_corpus_has_titles(const trib_corpus *corpus) {
    for (uint32_t d = 0; d < corpus->n_documents; d++) {
        const trib_corpus_document *about = corpus->document[d].about;
        if (strcmp(about->title, about->id) == 0) return false;
    }
    return true;
}

trib_status trib_corpus_by_date(const trib_corpus *corpus, uint32_t **order, trib_error *error) {
    static const char what[] = "the order of documents";
    const uint32_t n = corpus->n_documents;
    const trib_document **list = NULL;
    trib_status status = TRIB_NEW(&list, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(order, n, what, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) list[d] = &corpus->document[d];
    if (status == TRIB_OK) qsort(list, n, sizeof *list, by_earliness);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++)
        (*order)[i] = (uint32_t)(list[i] - corpus->document);
    trib_free(list);
    return status;
}

void trib_corpus_measure(trib_corpus *corpus, uint32_t t) {
    const trib_target *target = &corpus->target[t];
    corpus->is_measured[target->document] = true;
    for (uint32_t s = 0; s < target->n_sources; s++) corpus->is_measured[target->source[s]] = true;
}

TRIB_SEARCH(first_target, trib_target, uint32_t, x->document < key);

uint32_t trib_corpus_target_of(const trib_corpus *corpus, uint32_t d) {
    const uint32_t t = (uint32_t)first_target(corpus->target, corpus->n_targets, d);
    return t < corpus->n_targets && corpus->target[t].document == d ? t : corpus->n_targets;
}

trib_status trib_document_reject(trib_document *document, const trib_error *why,
                                 trib_error *error) {
    if (document->rejected) return TRIB_OK;
    return trib_copy(&document->rejected, why->message, error);
}

void trib_document_pack_rejected(trib_document *document, trib_pack *pack) {
    trib_error why = {.status = TRIB_INPUT};
    if (document->rejected) snprintf(why.message, sizeof why.message, "%s", document->rejected);
    trib_pack_text(pack, why.message, sizeof why.message);
    if (pack->reads && *why.message && trib_pack_is_good(pack))
        (void)trib_document_reject(document, &why, &pack->failure);
}

uint32_t trib_corpus_count_rejected(const trib_corpus *corpus) {
    uint32_t n = 0;
    for (uint32_t d = 0; d < corpus->n_documents; d++) n += corpus->document[d].rejected != NULL;
    return n;
}
