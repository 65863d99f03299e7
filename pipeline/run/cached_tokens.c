/* cached_tokens.c - the cached words of a document: the file of words.h. Its key identifies the
 * bytes of the document and how they are cut into words. When the words are cached, the document is
 * not unpacked, decoded or read again. */
#include "pipeline/run/cached.h"

#include <string.h>
#include <unicode/uversion.h>

#include "pipeline/decoders/text_formats.h"
#include "pipeline/input/byte_source.h"

static bool is_kept(const trib_run *run, uint32_t d) { return !run->corpus.document[d].rejected; }

/* The key: the bytes of the document, its kind, the version of its reader, its language and the
 * settings. */
static trib_status add_key(const trib_run *run, uint32_t d, trib_buffer *key, trib_error *error) {
    const trib_document *document = &run->corpus.document[d];
    UVersionInfo version;
    char icu[U_MAX_VERSION_STRING_LENGTH];
    u_getVersion(version);
    u_versionToString(version, icu);
    trib_status status = trib_buffer_print(key, error, "file %s\nkind %s\nreader ICU %s ",
                                           document->sha256, document->kind, icu);
    if (status == TRIB_OK) status = trib_text_format_print_reader(key, document->kind, error);
    if (status == TRIB_OK) status = trib_buffer_print(key, error, "\n");
    if (status == TRIB_OK && document->about->language)
        status = trib_buffer_print(key, error, "language %s\n", document->about->language);
    if (status == TRIB_OK && document->about->encoding)
        status = trib_buffer_print(key, error, "encoding %s\n", document->about->encoding);
    return status == TRIB_OK ? trib_cached_settings(run->env.config, "tokens", key, error) : status;
}

const trib_cached_row trib_cached_tokens = {.stage = "tokens",
                                            .count = trib_cached_documents,
                                            .is_kept = is_kept,
                                            .key = add_key,
                                            .name = trib_cached_id};

/* Sets *good to whether the words can be opened, and then *n_words to their number. */
static trib_status look_at(const trib_reader *reader, uint64_t from, uint64_t length, bool *good,
                           uint64_t *n_words, trib_error *error) {
    trib_error failure = {0};
    trib_words words;
    const trib_status status = trib_words_open(&words, reader, from, length, &failure);
    *good = status == TRIB_OK;
    if (status == TRIB_OK) *n_words = words.n_tokens;
    if (status == TRIB_OK) trib_words_close(&words);
    if (status == TRIB_OK || status == TRIB_INPUT) return TRIB_OK;
    if (error) *error = failure;
    return status;
}

static trib_status take(void *context, uint32_t d, trib_writer *out, const trib_reader *reader,
                        bool *taken, uint64_t *n_words, trib_error *error) {
    const trib_run *run = context;
    const uint64_t from = out->n_written;
    uint64_t length = 0;
    trib_buffer key = {0};
    *taken = false;
    if (run->corpus.document[d].rejected) return TRIB_OK;
    trib_status status = trib_cached_key(run, &trib_cached_tokens, d, &key, error);
    if (status == TRIB_OK)
        status = trib_cache_copy(run->cache, "tokens", &key, out, &length, taken, error);
    if (status == TRIB_OK && *taken) {
        status = trib_writer_flush(out, error);
        if (status == TRIB_OK) status = look_at(reader, from, length, taken, n_words, error);
        if (status == TRIB_OK && !*taken)
            trib_cache_report(run->cache, "tokens", &key, "its contents are invalid");
    }
    trib_buffer_release(&key);
    return status;
}

static trib_status put(void *context, uint32_t d, trib_error *error) {
    const trib_run *run = context;
    const trib_document *document = &run->corpus.document[d];
    const trib_document_words *words = &run->words.document[d];
    const trib_cache_piece piece = {words->file, words->from, words->size};
    trib_buffer key = {0}, about = {0};
    if (run->is_dry ||
        trib_byte_source_stamp(document->about->path, document->has_pages) != document->stamp)
        return TRIB_OK;
    trib_status status = trib_cached_key(run, &trib_cached_tokens, d, &key, error);
    if (status == TRIB_OK) status = trib_cached_about(run, &trib_cached_tokens, d, &about, error);
    if (status == TRIB_OK)
        status = trib_cache_put_piece(run->cache, "tokens", &key, &about, piece, error);
    trib_buffer_release(&key);
    trib_buffer_release(&about);
    return status;
}

trib_words_source trib_cached_words(trib_run *run) {
    return (trib_words_source){.context = run, .take = take, .put = put};
}
