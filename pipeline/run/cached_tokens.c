/* cached_tokens.c - the cached words of a document: the file of words.h. Its key identifies the
 * bytes of the document and how they are cut into words. When the words are cached, the document is
 * not unpacked, decoded or read again. */
#include "pipeline/run/cached.h"

#include <string.h>
#include <unicode/uversion.h>

#include "pipeline/text/byte_source.h"
#include "pipeline/text/text_formats.h"

static bool is_kept(const trib_run *run, uint32_t d) { return !run->corpus.document[d].rejected; }

/* The key: the bytes of the document, its kind, the version of its reader, its language and the
 * settings. */
static void add_key(const trib_run *run, uint32_t d, trib_identity *key) {
    const trib_document *document = &run->corpus.document[d];
    const trib_corpus_document *about = document->about;
    UVersionInfo version;
    char icu[U_MAX_VERSION_STRING_LENGTH];
    u_getVersion(version);
    u_versionToString(version, icu);
    trib_identity_add(key, "file %s\nkind %s\nreader ICU %s ", document->sha256, document->kind,
                      icu);
    if (key->failure.status == TRIB_OK)
        (void)trib_text_format_print_reader(&key->text, document->kind, &key->failure);
    trib_identity_add(key, "\nlanguage %s\nencoding %s\n", about->language ? about->language : "",
                      about->encoding ? about->encoding : "");
}

static const trib_given given[] = {TRIB_GIVEN(corpus.encoding, corpus.max_strip),
                                   TRIB_GIVEN(tokens.locale, tokens.break_at),
                                   {0, 0}};

const trib_cached_row trib_cached_tokens = {.stage = "tokens",
                                            .given = given,
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
    trib_buffer key;
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
    const bool is_same =
        trib_byte_source_stamp(document->about->path, document->has_pages) == document->stamp;
    return run->is_dry || !is_same
               ? TRIB_OK
               : trib_cached_put_piece(run, &trib_cached_tokens, d, piece, error);
}

trib_words_source trib_cached_words(trib_run *run) {
    return (trib_words_source){.context = run, .take = take, .put = put};
}
