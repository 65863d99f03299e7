/* spellings.c - the spellings of a corpus under their norms, computed once for each distinct
 * spelling. */
#include "pipeline/stages/spellings.h"
#include "pipeline/config/config.h"

#include "tokenizer/language.h"

static bool has_stems(const trib_config *config) {
    return strcmp(config->tokens.stem, "none") != 0;
}

bool trib_config_has_norms(const trib_config *config) {
    return trib_config_transform(config) || config->tokens.variants || has_stems(config) ||
           config->tokens.stop.n > 0;
}

static trib_status hash_file(const char *path, trib_sha256 *hash, trib_error *error) {
    TRIB_OWNED(trib_buffer) text = {0};
    if (!path) return TRIB_OK;
    const trib_status status = trib_read_whole(path, &text, error);
    const uint64_t length = text.length;
    trib_sha256_add(hash, &length, sizeof length);
    if (length > 0) trib_sha256_add(hash, text.text, text.length);
    return status;
}

trib_status trib_config_hash_norms(const trib_config *config, trib_sha256 *hash,
                                   trib_error *error) {
    const trib_stop_list *stop = &config->tokens.stop;
    trib_status status = hash_file(config->tokens.transform_path, hash, error);
    if (status == TRIB_OK) status = hash_file(config->tokens.variants_path, hash, error);
    if (status == TRIB_OK) status = hash_file(config->corpus.markup_path, hash, error);
    for (uint32_t i = 0; i < stop->n && status == TRIB_OK; i++)
        status = hash_file(stop->item[i].path, hash, error);
    return status;
}

static void hash_text(const char *text, trib_sha256 *hash) {
    trib_sha256_add(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Hashes what norms depend on besides the spelling. */
static trib_status print_hash(trib_spellings *s, const trib_config *config, trib_error *error) {
    const char *const text[] = {trib_config_transform(config), config->tokens.variants,
                                config->tokens.stems, config->tokens.languages};
    const trib_stop_list *stop = &config->tokens.stop;
    trib_sha256 hash = {0};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) hash_text(text[i], &hash);
    for (uint32_t i = 0; i < stop->n; i++) {
        hash_text(stop->item[i].language, &hash);
        hash_text(stop->item[i].value, &hash);
    }
    const trib_status status = trib_config_hash_norms(config, &hash, error);
    trib_sha256_end(&hash, s->hash);
    return status;
}

static trib_status open_norms(trib_norms **norms, const trib_config *config, trib_error *error) {
    const trib_norm_options options = {.transform = trib_config_transform(config),
                                       .transform_path = config->tokens.transform_path,
                                       .variants = config->tokens.variants_path,
                                       .stem = config->tokens.stems,
                                       .tokens = {.locale = config->tokens.locale,
                                                  .normalize = config->tokens.normalize,
                                                  .letter_case = config->tokens.letter_case,
                                                  .equivalence = config->tokens.equivalence,
                                                  .apostrophes = config->tokens.apostrophes,
                                                  .hyphens = config->tokens.hyphens,
                                                  .numbers = config->tokens.numbers}};
    return trib_norms_open(norms, &options, error);
}

/* ---- Languages ------------------------------------------------------------------------------- */

static trib_status read_languages(trib_spellings *s, const trib_config *config, trib_error *error) {
    trib_status status = TRIB_OK;
    for (const char *at = config->tokens.languages; at && *at && status == TRIB_OK;) {
        const size_t n = strcspn(at, " ");
        uint32_t id;
        status = trib_intern_add(&s->languages, at, n, &id, error);
        at += n + (at[n] == ' ');
    }
    s->n_languages = s->languages.n_words > 0 ? s->languages.n_words : 1;
    return status;
}

uint32_t trib_spellings_language(const trib_spellings *s, const trib_config *config,
                                 const trib_corpus_document *document) {
    char code[TRIB_LANGUAGE_MAX];
    if (s->n_languages <= 1) return 0;
    trib_language_code(code, trib_config_language(config, document));
    const uint32_t id = trib_intern_find(&s->languages, code, strlen(code));
    return id == UINT32_MAX ? 0 : id;
}

enum { DIGIT = 255 }; /* a byte of the number of a language is not 0 */

static trib_status set_key(trib_buffer *to, uint32_t language, const char *word, size_t length,
                           trib_error *error) {
    const char prefix[TRIB_OF_LANGUAGE] = {(char)(language / DIGIT % DIGIT + 1),
                                           (char)(language % DIGIT + 1)};
    trib_buffer_clear(to);
    trib_buffer_add(to, prefix, sizeof prefix, error);
    return trib_buffer_add(to, word, length, error);
}

trib_status trib_spellings_key(trib_spellings *s, uint32_t language, const char *word,
                               size_t length, const char **key, size_t *n, trib_error *error) {
    *key = word;
    *n = length;
    if (s->n_languages <= 1) return TRIB_OK;
    const trib_status status = set_key(&s->key, language, word, length, error);
    *key = s->key.text;
    *n = s->key.length;
    return status;
}

uint32_t trib_spellings_language_of(const trib_spellings *s, const char *key) {
    const unsigned char *byte = (const unsigned char *)key;
    return s->n_languages > 1 ? (byte[0] - 1u) * DIGIT + byte[1] - 1u : 0;
}

trib_status trib_spellings_norm(trib_spellings *s, const char *key, size_t length,
                                const char **norm, size_t *n, trib_error *error) {
    if (s->n_languages <= 1)
        return trib_norms_of(s->norms, TRIB_ANY_LANGUAGE, key, length, norm, n, error);
    const uint32_t language = trib_spellings_language_of(s, key);
    trib_status status = trib_norms_of(s->norms, language, key + TRIB_OF_LANGUAGE,
                                       length - TRIB_OF_LANGUAGE, norm, n, error);
    if (status == TRIB_OK) status = set_key(&s->norm, language, *norm, *n, error);
    *norm = s->norm.text;
    *n = s->norm.length;
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Reads a list of words to leave out of the texts of a language. */
static trib_status read_stop_words(trib_spellings *s, uint32_t language, const char *path,
                                   trib_error *error) {
    TRIB_OWNED(trib_intern) list = {0};
    const bool are_alike = s->n_languages <= 1;
    trib_status status = trib_norms_read_list(s->norms, are_alike ? TRIB_ANY_LANGUAGE : language,
                                              path, &list, error);
    for (uint32_t i = 0; i < list.n_words && status == TRIB_OK; i++) {
        const char *word = trib_intern_word(&list, i);
        size_t n;
        uint32_t id;
        status = trib_spellings_key(s, language, word, strlen(word), &word, &n, error);
        if (status == TRIB_OK) status = trib_intern_add(&s->stop, word, n, &id, error);
    }
    return status;
}

/* Whether an item of tokens.stop is for texts of a language. */
static bool is_of(const trib_spellings *s, const trib_stop_words *words, uint32_t language) {
    char code[TRIB_LANGUAGE_MAX];
    if (!words->language) return true;
    trib_language_code(code, words->language);
    return language < s->languages.n_words &&
           strcmp(code, trib_intern_word(&s->languages, language)) == 0;
}

static trib_status read_stop(trib_spellings *s, const trib_config *config, trib_error *error) {
    const trib_stop_list *stop = &config->tokens.stop;
    trib_status status = TRIB_NEW(&s->n_commonest, s->n_languages, "languages", error);
    for (uint32_t language = 0; language < s->n_languages; language++)
        for (uint32_t i = 0; i < stop->n && status == TRIB_OK; i++) {
            const trib_stop_words *words = &stop->item[i];
            if (!is_of(s, words, language)) continue;
            s->n_commonest[language] = trib_stop_count(words);
            if (words->path) status = read_stop_words(s, language, words->path, error);
        }
    return status;
}

trib_status trib_spellings_open(trib_spellings *s, const trib_config *config, trib_error *error) {
    if (s->norms || !trib_config_has_norms(config)) return TRIB_OK;
    trib_status status = read_languages(s, config, error);
    if (status == TRIB_OK) status = open_norms(&s->norms, config, error);
    if (status == TRIB_OK) status = read_stop(s, config, error);
    return status == TRIB_OK ? print_hash(s, config, error) : status;
}

void trib_spellings_forget(trib_spellings *s) {
    trib_intern_release(&s->intern);
    trib_free(s->spelling);
    s->spelling = NULL;
    s->cap = 0;
}

void trib_spellings_release(trib_spellings *s) {
    trib_spellings_forget(s);
    trib_norms_close(s->norms);
    trib_intern_release(&s->languages);
    trib_intern_release(&s->stop);
    trib_free(s->n_commonest);
    trib_buffer_release(&s->key);
    trib_buffer_release(&s->norm);
    *s = (trib_spellings){0};
}

trib_status trib_spellings_find(trib_spellings *s, const char *spelling, size_t length,
                                uint32_t *id, trib_error *error) {
    const uint32_t n = s->intern.n_words;
    trib_status status =
        TRIB_GROW(&s->spelling, &s->cap, (size_t)n + 1, "the spellings of words", error);
    if (status == TRIB_OK) status = trib_intern_add(&s->intern, spelling, length, id, error);
    if (status == TRIB_OK && *id == n) s->spelling[n] = (trib_spelling){.norm = UINT32_MAX};
    return status;
}

trib_status trib_spellings_sort_key(const trib_spellings *s, uint32_t i, const char *norm,
                                    trib_buffer *key, trib_error *error) {
    const size_t prefix = trib_spellings_prefix(s);
    const char *spelling = trib_intern_word(&s->intern, i);
    trib_buffer_add(key, norm + prefix, strlen(norm + prefix), error);
    trib_buffer_add(key, TRIB_KEY_PART, 1, error);
    trib_buffer_add(key, spelling + prefix, strlen(spelling + prefix), error);
    if (prefix > 0) trib_buffer_add(key, TRIB_KEY_PART, 1, error);
    trib_buffer_add(key, spelling, prefix, error);
    return trib_buffer_add(key, "", 1, error);
}
