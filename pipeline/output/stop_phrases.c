/* stop_phrases.c - stop phrases, which are not evidence of influence: those that most documents
 * contain and those in a list. They count in every share and are only excluded from the ranking of
 * phrases. */
#include "pipeline/output/result.h"
#include "pipeline/support/utf8.h"

#include "pipeline/config/config.h"
#include "pipeline/stages/spellings.h"
#include "pipeline/stages/tokens.h"

enum { FEWEST = 10 }; /* documents: in a small corpus every shared phrase is in many of them */

/* A list of phrases while its file is read. */
typedef struct reading {
    trib_stop_phrases *found;
    trib_spellings spellings; /* closed: words are as written */
    uint32_t language;        /* the phrases are read as those of texts of this language */
    trib_intern vocabulary;   /* the norms of the vocabulary, with its ids */
    size_t word_cap, start_cap;
} reading;

static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    reading *r = context;
    trib_stop_phrases *found = r->found;
    const char *word = token->text;
    size_t n = token->length;
    trib_status status =
        TRIB_GROW(&found->word, &r->word_cap, found->n_words + 1, "commonplaces", error);
    const size_t prefix = trib_spellings_prefix(&r->spellings);
    if (status == TRIB_OK && r->spellings.norms) {
        status = trib_spellings_key(&r->spellings, r->language, word, n, &word, &n, error);
        if (status == TRIB_OK)
            status = trib_spellings_norm(&r->spellings, word, n, &word, &n, error);
    }
    if (status == TRIB_OK)
        found->word[found->n_words++] = trib_intern_find(&r->vocabulary, word + prefix, n - prefix);
    return status;
}

static trib_status take_line(reading *r, trib_tokenizer *tokenizer, const char *path,
                             const char *line, size_t length, trib_error *error) {
    trib_stop_phrases *found = r->found;
    trib_tokenizer_begin(tokenizer, path, take_word, r);
    (void)trib_tokenizer_feed(tokenizer, line, length, error);
    trib_status status = trib_tokenizer_end(tokenizer, NULL, error); /* its failure, too */
    if (status != TRIB_OK || found->n_words == found->start[found->n]) return status;
    status = TRIB_GROW(&found->start, &r->start_cap, found->n + 2, "commonplaces", error);
    if (status == TRIB_OK) found->start[++found->n] = found->n_words;
    return status;
}

static trib_status take_lines(reading *r, trib_tokenizer *tokenizer, const char *path,
                              const trib_buffer *text, trib_error *error) {
    trib_status status = TRIB_OK;
    unsigned n_lines = 0;
    for (size_t at = 0; at < text->length && status == TRIB_OK;) {
        const char *line = text->text + at;
        const char *feed = memchr(line, '\n', text->length - at);
        const size_t length = feed ? (size_t)(feed - line) : text->length - at;
        at += length + 1;
        n_lines++;
        if (*line == '#') continue;
        for (size_t i = 0; i < length && status == TRIB_OK;) {
            const size_t n = trib_utf8_length(line + i, length - i);
            if (n == 0)
                status = trib_fail(error, TRIB_INPUT,
                                   "%s:%u: not UTF-8; a list of commonplaces has a phrase a line, "
                                   "in UTF-8",
                                   path, n_lines);
            i += n;
        }
        if (status == TRIB_OK) status = take_line(r, tokenizer, path, line, length, error);
    }
    return status;
}

static trib_status read_list(trib_stop_phrases *found, const trib_config *config,
                             const trib_vocab *vocab, trib_error *error) {
    const char *path = config->report.commonplaces_path;
    reading r = {.found = found};
    trib_token_options options = trib_config_token_options(config);
    trib_tokenizer *tokenizer = NULL;
    TRIB_OWNED(trib_buffer) text = {0};
    options.encoding = NULL;
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK) status = trib_spellings_open(&r.spellings, config, error);
    for (uint32_t w = 0; w < vocab->n_words && status == TRIB_OK; w++) {
        const char *norm = trib_vocab_norm(vocab, w);
        uint32_t id = 0; /* equals w, since all norms are distinct */
        status = trib_intern_add(&r.vocabulary, norm, strlen(norm), &id, error);
    }
    if (status == TRIB_OK)
        status = TRIB_GROW(&found->start, &r.start_cap, 1, "commonplaces", error);
    if (status == TRIB_OK) found->start[0] = 0;
    if (status == TRIB_OK) status = trib_tokenizer_open(&tokenizer, &options, error);
    do {
        if (status == TRIB_OK) status = take_lines(&r, tokenizer, path, &text, error);
    } while (++r.language < r.spellings.n_languages);
    trib_tokenizer_close(tokenizer);
    trib_intern_release(&r.vocabulary);
    trib_spellings_release(&r.spellings);
    return status;
}

trib_status trib_stop_phrases_open(trib_stop_phrases *found, const trib_config *config,
                                   const trib_vocab *vocab, uint32_t n_documents,
                                   trib_error *error) {
    *found = (trib_stop_phrases){.n_modes = config->tensor.n,
                                 .n_documents = n_documents,
                                 .share = config->report.commonplace};
    return config->report.commonplaces_path ? read_list(found, config, vocab, error) : TRIB_OK;
}

void trib_stop_phrases_close(trib_stop_phrases *found) {
    TRIB_FREE(found->word, found->start);
    *found = (trib_stop_phrases){0};
}

/* Returns whether the n words of `part` occur consecutively in the m words of `whole`. */
static bool stands_in(const uint32_t *part, size_t n, const uint32_t *whole, size_t m) {
    for (size_t i = 0; i + n <= m; i++)
        if (memcmp(part, whole + i, n * sizeof *part) == 0) return true;
    return false;
}

bool trib_stop_phrases_hold(const trib_stop_phrases *found, const trib_phrase *phrase) {
    const double n_holding = phrase->n_other_documents + 2.0;
    if (n_holding >= FEWEST && n_holding > found->share * found->n_documents) return true;
    for (size_t i = 0; i < found->n; i++) {
        const uint32_t *word = found->word + found->start[i];
        const size_t n = found->start[i + 1] - found->start[i];
        if (n < found->n_modes ? stands_in(word, n, phrase->word, found->n_modes)
                               : stands_in(phrase->word, found->n_modes, word, n))
            return true;
    }
    return false;
}
