/* word_features.c - the features by which the search for allusions compares words: lemmas of a
 * table, stems, first letters, or the words themselves; and the 4-grams of characters of each
 * word. */

#include "pipeline/config/config.h"
#include "pipeline/stages/allusions.h"
#include "pipeline/support/utf8.h"
#include "tokenizer/language.h"
#include "tokenizer/norms.h"

/* ---- Spelling -------------------------------------------------------------------------------- */

/* Copies a word to `to`; in Latin, v becomes u, and j becomes i. */
static trib_status spell(trib_buffer *to, const trib_config *config, const char *word,
                         size_t length, trib_error *error) {
    trib_buffer_clear(to);
    const trib_status status = trib_buffer_add(to, word, length, error);
    for (size_t i = 0; status == TRIB_OK && config->parallels.latin && i < length; i++) {
        static const char from[] = "vjVJ", into[] = "uiUI";
        const char *at = to->text[i] ? strchr(from, to->text[i]) : NULL;
        if (at) to->text[i] = into[at - from];
    }
    return status;
}

/* The length of a word without the enclitic -que. A word of four letters, as "neque" has five, may
 * not be one with an enclitic. */
static size_t without_enclitic(const trib_config *config, const char *word, size_t length) {
    const bool has =
        config->parallels.latin && length > 4 && memcmp(word + length - 3, "que", 3) == 0;
    return has ? length - 3 : length;
}

/* The bytes of the first `n` characters of a word. */
static size_t first_characters(const char *word, size_t length, uint32_t n) {
    size_t at = 0;
    for (uint32_t i = 0; i < n && at < length; i++) {
        const size_t one = trib_utf8_length(word + at, length - at);
        at += one > 0 ? one : 1;
    }
    return at;
}

/* ---- The table of lemmas --------------------------------------------------------------------- */

/* Forms and their lemmas. `{0}` is empty. */
typedef struct lemma_table {
    trib_intern forms, lemmas;
    size_t *from;    /* [forms.n_words + 1] form f has lemma[from[f]] .. */
    uint32_t *lemma; /* numbers in `lemmas` */
    size_t from_cap, lemma_cap;
} lemma_table;

static void release_table(lemma_table *table) {
    trib_intern_release(&table->forms);
    trib_intern_release(&table->lemmas);
    TRIB_FREE(table->from, table->lemma);
}

/* Adds the lemmas of the last form, separated by spaces. */
static trib_status add_lemmas(lemma_table *table, const trib_config *config, const char *at,
                              const char *end, trib_buffer *scratch, trib_error *error) {
    const uint32_t form = table->forms.n_words - 1;
    trib_status status =
        TRIB_GROW(&table->from, &table->from_cap, (size_t)form + 2, "the table of lemmas", error);
    if (status != TRIB_OK) return status;
    if (form == 0) table->from[0] = 0;
    size_t n = table->from[form];
    while (at < end && status == TRIB_OK) {
        const char *space = memchr(at, ' ', (size_t)(end - at));
        const size_t length = (size_t)((space ? space : end) - at);
        uint32_t id = 0;
        if (length > 0) {
            status = spell(scratch, config, at, length, error);
            if (status == TRIB_OK)
                status = trib_intern_add(&table->lemmas, scratch->text, length, &id, error);
            if (status == TRIB_OK)
                status = TRIB_GROW(&table->lemma, &table->lemma_cap, n + 1, "the table of lemmas",
                                   error);
            if (status == TRIB_OK) table->lemma[n++] = id;
        }
        at += length + 1;
    }
    table->from[form + 1] = n;
    return status;
}

/* A table while it is read. */
typedef struct lemma_lines {
    lemma_table *table;
    const trib_config *config;
    trib_buffer scratch;
} lemma_lines;

/* Adds a line. Of two lines with one form, the first counts. */
static trib_status add_line(void *context, const char *line, size_t length, size_t number,
                            trib_error *error) {
    lemma_lines *lines = context;
    lemma_table *table = lines->table;
    const trib_config *config = lines->config;
    trib_buffer *scratch = &lines->scratch;
    const char *tab = memchr(line, '\t', length);
    if (!tab || tab == line)
        return trib_fail(error, TRIB_CONFIG,
                         "%s:%zu: no form before a tab; a line has a form, a tab, and its lemmas "
                         "separated by spaces",
                         config->parallels.lemmas_path, number);
    if (number == 1 && tab - line == 4 && memcmp(line, "form", 4) == 0) return TRIB_OK; /* header */
    const uint32_t n_before = table->forms.n_words;
    uint32_t form;
    trib_status status = spell(scratch, config, line, (size_t)(tab - line), error);
    if (status == TRIB_OK)
        status = trib_intern_add(&table->forms, scratch->text, scratch->length, &form, error);
    if (status != TRIB_OK || table->forms.n_words == n_before) return status;
    return add_lemmas(table, config, tab + 1, line + length, scratch, error);
}

static trib_status read_table(lemma_table *table, const trib_config *config, trib_error *error) {
    lemma_lines lines = {.table = table, .config = config};
    trib_status status = trib_table_lines(config->parallels.lemmas_path, add_line, &lines, error);
    if (status == TRIB_OK && table->lemmas.n_words == 0)
        status = trib_fail(error, TRIB_CONFIG, "%s: the table has no lemma",
                           config->parallels.lemmas_path);
    trib_buffer_release(&lines.scratch);
    return status;
}

trib_status trib_lemmas_check(const trib_config *config, trib_error *error) {
    lemma_table table = {0};
    const bool is_read = config->parallels.lemmas_path &&
                         config->parallels.unit != TRIB_UNIT_NONE &&
                         (config->parallels.feature == TRIB_FEATURE_AUTO ||
                          config->parallels.feature == TRIB_FEATURE_LEMMAS);
    const trib_status status = is_read ? read_table(&table, config, error) : TRIB_OK;
    release_table(&table);
    return status;
}

/* ---- Features -------------------------------------------------------------------------------- */

/* The state of computing the features. */
typedef struct building {
    trib_word_features *made;
    const trib_config *config;
    trib_feature kind; /* never TRIB_FEATURE_AUTO */
    lemma_table table;
    trib_stemmer *stemmer; /* with TRIB_FEATURE_STEMS */
    trib_intern grams;
    trib_buffer word, scratch;
    size_t feature_cap, gram_cap, count_cap;
} building;

/* Adds a feature to the last word, once, and `count` to the occurrences of the feature. */
static trib_status add_feature(building *b, uint32_t word, const char *name, size_t length,
                               uint64_t count, trib_error *error) {
    trib_word_features *made = b->made;
    const uint32_t n_before = made->names.n_words;
    size_t *end = &made->features_from[word + 1];
    uint32_t id = 0;
    trib_status status = trib_intern_add(&made->names, name, length, &id, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&made->count, &b->count_cap, (size_t)made->names.n_words,
                           "the features of words", error);
    if (status == TRIB_OK)
        status =
            TRIB_GROW(&made->feature, &b->feature_cap, *end + 1, "the features of words", error);
    if (status != TRIB_OK) return status;
    if (id == n_before) made->count[id] = 0;
    for (size_t f = made->features_from[word]; f < *end; f++)
        if (made->feature[f] == id) return TRIB_OK;
    made->feature[(*end)++] = id;
    made->count[id] += count;
    return TRIB_OK;
}

/* A word that the table lacks is a lemma of its own. */
static trib_status add_lemma_features(building *b, uint32_t word, uint64_t count,
                                      trib_error *error) {
    const size_t bare = without_enclitic(b->config, b->word.text, b->word.length);
    uint32_t form = trib_intern_find(&b->table.forms, b->word.text, b->word.length);
    trib_status status = TRIB_OK;
    if (form == UINT32_MAX) form = trib_intern_find(&b->table.forms, b->word.text, bare);
    if (form == UINT32_MAX) return add_feature(b, word, b->word.text, bare, count, error);
    for (size_t l = b->table.from[form]; l < b->table.from[form + 1] && status == TRIB_OK; l++) {
        const char *name = trib_intern_word(&b->table.lemmas, b->table.lemma[l]);
        status = add_feature(b, word, name, strlen(name), count, error);
    }
    return status;
}

static trib_status add_features(building *b, uint32_t word, uint64_t count, trib_error *error) {
    const char *name = b->word.text;
    size_t length = without_enclitic(b->config, name, b->word.length);
    trib_status status = TRIB_OK;
    if (b->kind == TRIB_FEATURE_LEMMAS) return add_lemma_features(b, word, count, error);
    if (b->kind == TRIB_FEATURE_STEMS)
        status = trib_stemmer_stem(b->stemmer, name, length, &name, &length, error);
    if (b->kind == TRIB_FEATURE_LETTERS)
        length = first_characters(name, length, b->config->parallels.letters);
    return status == TRIB_OK ? add_feature(b, word, name, length, count, error) : status;
}

/* Adds the 4-grams of "_word_". */
static trib_status add_grams(building *b, uint32_t word, trib_error *error) {
    size_t *end = &b->made->grams_from[word + 1];
    trib_buffer_clear(&b->scratch);
    trib_status status = trib_buffer_print(&b->scratch, error, "_%s_", b->word.text);
    for (size_t at = 0; status == TRIB_OK; at++) {
        const char *from = b->scratch.text + at;
        const size_t left = b->scratch.length - at, n = first_characters(from, left, 4);
        uint32_t id = 0;
        if (first_characters(from, left, 3) == left) break; /* fewer than four */
        status = trib_intern_add(&b->grams, from, n, &id, error);
        if (status == TRIB_OK)
            status =
                TRIB_GROW(&b->made->gram, &b->gram_cap, *end + 1, "the 4-grams of words", error);
        if (status == TRIB_OK) b->made->gram[(*end)++] = id;
        at += first_characters(from, left, 1) - 1;
    }
    return status;
}

static trib_status add_words(building *b, const trib_vocab *vocab, trib_error *error) {
    trib_word_features *made = b->made;
    trib_status status = TRIB_OK;
    for (uint32_t id = 0; id < vocab->n_words && status == TRIB_OK; id++) {
        made->features_from[id + 1] = made->features_from[id];
        made->grams_from[id + 1] = made->grams_from[id];
        if (id == vocab->other) continue; /* stands for different words */
        status = spell(&b->word, b->config, vocab->word[id], strlen(vocab->word[id]), error);
        if (status == TRIB_OK) status = add_features(b, id, vocab->count[id], error);
        if (status == TRIB_OK) status = add_grams(b, id, error);
    }
    return status;
}

/* Opens what the kind of feature needs. */
static trib_status open_kind(building *b, trib_error *error) {
    b->kind = b->config->parallels.feature;
    if (b->kind == TRIB_FEATURE_AUTO)
        b->kind = b->config->parallels.lemmas_path ? TRIB_FEATURE_LEMMAS : TRIB_FEATURE_LETTERS;
    if (b->kind == TRIB_FEATURE_LEMMAS) return read_table(&b->table, b->config, error);
    if (b->kind == TRIB_FEATURE_STEMS)
        return trib_stemmer_open(&b->stemmer, trib_config_stem_language(b->config), error);
    return TRIB_OK;
}

trib_status trib_word_features_build(trib_word_features *features, const trib_config *config,
                                     const trib_vocab *vocab, trib_error *error) {
    building b = {.made = features, .config = config};
    const size_t n = (size_t)vocab->n_words + 1;
    trib_status status = open_kind(&b, error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&features->features_from, n, "the features of words", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&features->grams_from, n, "the 4-grams of words", error);
    if (status == TRIB_OK) status = add_words(&b, vocab, error);
    features->lexicon = (trib_parallel_lexicon){
        .n_forms = vocab->n_words,
        .n_features = features->names.n_words,
        .n_grams = b.grams.n_words,
        .features_from = features->features_from,
        .feature = features->feature,
        .count = features->count,
        .n_words = vocab->n_tokens > 0 ? vocab->n_tokens : 1,
        .grams_from = features->grams_from,
        .gram = features->gram,
    };
    release_table(&b.table);
    trib_stemmer_close(b.stemmer);
    trib_intern_release(&b.grams);
    trib_buffer_release(&b.word);
    trib_buffer_release(&b.scratch);
    return status;
}

void trib_word_features_release(trib_word_features *features) {
    trib_intern_release(&features->names);
    TRIB_FREE(features->features_from, features->grams_from, features->feature, features->gram,
              features->count);
    *features = (trib_word_features){0};
}
