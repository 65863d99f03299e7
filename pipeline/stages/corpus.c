/* corpus.c - stage corpus: which bytes go in, which documents are targets, and who may be a source of whom. */
#include "pipeline/stages/language.h"

#include <string.h>
#include <sys/stat.h>

#include "pipeline/input/byte_source.h"
#include "pipeline/run/rejected.h"
#include "pipeline/support/pack.h"

/* Adds the bytes at an address to a hash; *n_bytes is how many. `kind` (may be NULL) is what they are. */
static trib_status hash_file(trib_sha256 *hash, const char *path, trib_spool_of_texts *shelf,
                             uint64_t *n_bytes, char kind[TRIB_KIND_MAX], trib_error *error) {
    char block[1 << 14];
    trib_byte_source stored;
    size_t got = 0;
    trib_status status = trib_byte_source_open(&stored, path, shelf, error);
    if (status != TRIB_OK) return status;
    *n_bytes = 0;
    unsigned char first[8];
    status = trib_reader_peek(&stored.reader, first, sizeof first, &got, error);
    if (status == TRIB_OK && kind) trib_input_kind(kind, path, &stored, first, got);
    while (status == TRIB_OK &&
           (status = trib_reader_read(&stored.reader, block, sizeof block, &got, error)) ==
               TRIB_OK &&
           got > 0) {
        trib_sha256_add(hash, block, got);
        *n_bytes += got;
        if ((status = trib_stop_check(error)) != TRIB_OK) break;
    }
    trib_byte_source_close(&stored);
    return status;
}

/* Hashes a document's file, so that the run's name depends on what is in it. */
static trib_status hash_document(trib_run_document *document, trib_spool_of_texts *shelf,
                                 trib_error *error) {
    trib_sha256 *hash = NULL;
    trib_status status = trib_address_check(document->about->path, error);
    if (status == TRIB_OK) status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    document->stamp = trib_address_stamp(document->about->path);
    status =
        hash_file(hash, document->about->path, shelf, &document->n_bytes, document->kind, error);
    trib_sha256_close(hash, document->sha256);
    if (status == TRIB_OK && document->n_bytes == 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: is empty; remove '%s' from the documents or give it a text",
                           document->about->path, document->about->id);
    return status;
}

trib_status trib_run_check_unchanged(const trib_run_document *document, trib_error *error) {
    const char *path = document->about->path;
    char sha256[TRIB_SHA256_TEXT];
    trib_sha256 *hash = NULL;
    uint64_t n_bytes = 0;
    if (document->stamp == 0 || trib_address_stamp(path) == document->stamp) return TRIB_OK;
    trib_status status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    status = hash_file(hash, path, NULL, &n_bytes, NULL, error);
    trib_sha256_close(hash, sha256);
    if (status != TRIB_OK || strcmp(sha256, document->sha256) == 0) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%s: was changed while the run was reading it; run again when nothing writes "
                     "to it",
                     path);
}

/* Notes which of them lie in archives, so that each of these is unpacked once in a run. */
static trib_status open_shelf(trib_run *run, trib_error *error) {
    trib_status status = trib_new(&run->shelf, 1, sizeof *run->shelf, "archives", error);
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++)
        status = trib_spool_of_texts_add(run->shelf, run->document[d].about->path, error);
    if (status == TRIB_OK) trib_spool_of_texts_arrange(run->shelf);
    return status;
}

/* Hashes one. One that cannot be read is refused when all texts were looked at. */
static trib_status hash_part(trib_run *run, uint32_t d, int n_threads, trib_progress progress,
                             trib_error *error) {
    trib_run_document *document = &run->document[d];
    trib_error why = {0};
    (void)n_threads;
    (void)progress;
    trib_status status;
    if (run->team.size > 1 && strcmp(document->about->path, "-") == 0)
        status = trib_fail(&why, TRIB_INPUT,
                           "standard input reaches one process alone; give '%s' a file",
                           document->about->id);
    else status = hash_document(document, run->shelf, &why);
    if (status == TRIB_OK) return TRIB_OK;
    if (status != TRIB_INPUT) return trib_fail(error, status, "%s", why.message);
    memset(document->sha256, 0, sizeof document->sha256);
    return trib_run_reject(document, &why, error);
}

/* Bytes of the file; of a text in an archive none are known, and all of these are alike. */
static uint64_t file_size(const trib_run *run, uint32_t d) {
    struct stat about;
    const bool is_file = stat(run->document[d].about->path, &about) == 0 && S_ISREG(about.st_mode);
    return is_file ? (uint64_t)about.st_size : 0;
}

static void pack_document(const trib_run *run, uint32_t d, trib_pack *out) {
    const trib_run_document *document = &run->document[d];
    const char *why = document->refused ? document->refused : "";
    trib_pack_array(out, document->sha256, sizeof document->sha256, 1);
    trib_pack_u64(out, document->n_bytes);
    trib_pack_u64(out, document->stamp);
    trib_pack_array(out, document->kind, sizeof document->kind, 1);
    trib_pack_u64(out, strlen(why));
    trib_pack_array(out, why, strlen(why), 1);
}

static trib_status unpack_document(trib_run *run, uint32_t d, trib_unpack *in, trib_error *error) {
    trib_run_document *document = &run->document[d];
    char *why = NULL;
    trib_unpack_into(in, document->sha256, sizeof document->sha256, 1);
    document->n_bytes = trib_unpack_u64(in);
    document->stamp = trib_unpack_u64(in);
    trib_unpack_into(in, document->kind, sizeof document->kind, 1);
    const size_t n = (size_t)trib_unpack_u64(in);
    trib_status status = trib_unpack_array(in, &why, n, 1, "why a text is refused", error);
    if (status == TRIB_OK && n > 0) status = trib_copy_text(&document->refused, why, n, error);
    trib_free(why);
    return status;
}

/* Every rank reads its share of the texts. */
static const trib_part_row hashing = {
    .work = hash_part, .size = file_size, .pack = pack_document, .unpack = unpack_document};

static trib_status hash_documents(trib_run *run, trib_error *error) {
    trib_status status = trib_comm_agree(&run->team, open_shelf(run, error), error);
    return status == TRIB_OK ? trib_run_parts(run, run->n_documents, &hashing, error) : status;
}

/* What lies beside the texts and is not read. */
static void tell_left_out(const trib_run *run) {
    const size_t n = run->config->corpus.n_left_out;
    const trib_left_out *out = run->config->corpus.left_out;
    if (n > 0)
        trib_log_say(
            run->log, TRIB_LOG_INFO,
            "%zu file%s beside the texts %s not read ('%s': %s%s); inputs.tsv has the list", n,
            n > 1 ? "s" : "", n > 1 ? "are" : "is", out->file, out->why, n > 1 ? ", ..." : "");
}

/* The hash of the whole run: the settings that can change a result, and every input by id and contents. */
static trib_status hash_run(trib_run *run, trib_error *error) {
    trib_sha256 *hash = NULL;
    uint64_t n_bytes = 0;
    trib_status status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    trib_sha256_add(hash, run->config->hash, strlen(run->config->hash));
    for (uint32_t d = 0; d < run->n_documents; d++) {
        const char *id = run->document[d].about->id;
        trib_sha256_add(hash, id, strlen(id) + 1);
        trib_sha256_add(hash, run->document[d].sha256, TRIB_SHA256_TEXT);
    }
    if (run->config->vocabulary.path)
        status = hash_file(hash, run->config->vocabulary.path, NULL, &n_bytes, NULL, error);
    if (status == TRIB_OK && run->config->report.commonplaces_path)
        status =
            hash_file(hash, run->config->report.commonplaces_path, NULL, &n_bytes, NULL, error);
    trib_sha256_close(hash, run->hash);
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

static trib_status find_sources(trib_run *run, trib_run_target *target, trib_error *error) {
    const trib_corpus_document *about = run->document[target->document].about;
    trib_status status = trib_new(&target->source, run->n_documents, sizeof *target->source,
                                  "a list of sources", error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < run->n_documents; d++)
        if (trib_config_is_source(run->config, run->document[d].about, about))
            target->source[target->n_sources++] = d;
    if (target->n_sources > 0) return TRIB_OK;
    return trib_run_warn(
        run, error, "'%s' has no admissible source%s: all of it counts as the author's", about->id,
        run->config->corpus.order == TRIB_ORDER_BY_DATE ? " (no document is older)" : "");
}

trib_status trib_stage_corpus(trib_run *run, trib_error *error) {
    const trib_config *config = run->config;
    const uint32_t n = config->corpus.n_documents;
    trib_status status = trib_new(&run->document, n, sizeof *run->document, "the documents", error);
    if (status == TRIB_OK)
        status = trib_new(&run->target, n, sizeof *run->target, "the targets", error);
    if (status != TRIB_OK) return status;
    run->n_documents = n;
    for (uint32_t d = 0; d < n; d++) {
        run->document[d].about = &config->corpus.document[d];
        if (trib_config_is_target(config, run->document[d].about))
            run->target[run->n_targets++].document = d;
    }
    tell_left_out(run);
    status = hash_documents(run, error);
    if (status == TRIB_OK) status = hash_run(run, error);
    for (uint32_t t = 0; t < run->n_targets && status == TRIB_OK; t++)
        status = find_sources(run, &run->target[t], error);
    return status == TRIB_OK ? trib_language_order(run, error) : status;
}
