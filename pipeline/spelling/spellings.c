/* spellings.c - the spellings of a corpus under their norms, computed once for each distinct
 * spelling. */
#include "pipeline/spelling/spellings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The number of tokens.stop; 0: it is the name of a file, or there is none. */
static uint32_t n_commonest(const trib_config *config) {
    const char *stop = config->tokens.stop;
    return stop && !config->tokens.stop_path ? (uint32_t)strtoul(stop, NULL, 10) : 0;
}

static bool has_stems(const trib_config *config) {
    return strcmp(config->tokens.stem, "none") != 0;
}

bool trib_config_has_norms(const trib_config *config) {
    return config->tokens.transform || config->tokens.variants || has_stems(config) ||
           config->tokens.stop;
}

trib_status trib_config_hash_norms(const trib_config *config, trib_sha256 *hash,
                                   trib_error *error) {
    const char *const path[] = {config->tokens.transform_path, config->tokens.variants_path,
                                config->tokens.stop_path};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < sizeof path / sizeof *path && status == TRIB_OK; i++) {
        trib_buffer text = {0};
        if (!path[i]) continue;
        status = trib_read_whole(path[i], &text, error);
        const uint64_t length = text.length;
        trib_sha256_add(hash, &length, sizeof length);
        if (length > 0) trib_sha256_add(hash, text.text, text.length);
        trib_buffer_release(&text);
    }
    return status;
}

static trib_token_options token_options(const trib_config *config) {
    return (trib_token_options){
        .locale = config->tokens.locale,
        .normalize = config->tokens.normalize,
        .letter_case = config->tokens.letter_case,
        .apostrophes = config->tokens.apostrophes,
        .hyphens = config->tokens.hyphens,
        .numbers = config->tokens.numbers,
    };
}

/* Hashes what norms depend on besides the spelling. */
static trib_status print_hash(trib_spellings *s, const trib_config *config, trib_error *error) {
    const char *const text[] = {config->tokens.transform, config->tokens.variants,
                                config->tokens.stems, config->tokens.stop};
    trib_sha256 *hash = NULL;
    trib_status status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        trib_sha256_add(hash, text[i] ? text[i] : "", text[i] ? strlen(text[i]) + 1 : 1);
    status = trib_config_hash_norms(config, hash, error);
    trib_sha256_close(hash, s->hash);
    return status;
}

trib_status trib_config_norms_open(trib_norms **norms, const trib_config *config,
                                   trib_error *error) {
    const trib_norm_options options = {.transform = config->tokens.transform,
                                       .transform_path = config->tokens.transform_path,
                                       .variants = config->tokens.variants_path,
                                       .stem = config->tokens.stems,
                                       .tokens = token_options(config)};
    *norms = NULL;
    return trib_config_has_norms(config) ? trib_norms_open(norms, &options, error) : TRIB_OK;
}

trib_status trib_spellings_open(trib_spellings *s, const trib_config *config, trib_error *error) {
    if (s->norms || !trib_config_has_norms(config)) return TRIB_OK;
    trib_status status = trib_config_norms_open(&s->norms, config, error);
    s->n_commonest = n_commonest(config);
    if (status == TRIB_OK && config->tokens.stop_path)
        status = trib_norms_read_list(s->norms, config->tokens.stop_path, &s->stop, error);
    return status == TRIB_OK ? print_hash(s, config, error) : status;
}

void trib_spellings_release(trib_spellings *s) {
    trib_norms_close(s->norms);
    trib_intern_release(&s->intern);
    trib_intern_release(&s->stop);
    trib_free(s->count);
    trib_free(s->word);
    *s = (trib_spellings){0};
}

trib_status trib_spellings_find(trib_spellings *s, const char *spelling, size_t length,
                                uint32_t *id, trib_error *error) {
    const uint32_t n = s->intern.n_words;
    trib_status status = trib_grow(&s->count, &s->count_cap, (size_t)n + 1, sizeof *s->count,
                                   "the spellings of words", error);
    if (status == TRIB_OK)
        status = trib_grow(&s->word, &s->word_cap, (size_t)n + 1, sizeof *s->word,
                           "the spellings of words", error);
    if (status == TRIB_OK) status = trib_intern_add(&s->intern, spelling, length, id, error);
    if (status == TRIB_OK && *id == n) s->count[n] = 0, s->word[n] = UINT32_MAX;
    return status;
}
