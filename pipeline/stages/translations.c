/* translations.c - cuts texts into the units that may translate each other, and finds the words
 * that are alike in both. */
#include "pipeline/stages/translations.h"

#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "pipeline/config/config.h"
#include "pipeline/stages/tokens.h"
#include "tensor/hacoo.h"
#include "tokenizer/norms.h"

static const char what[] = "the units of a text";

/* ---- Units ----------------------------------------------------------------------------------- */

enum { LEAST = 12, MOST = 45, LEAST_VERSE = 4, LEAST_LINE = 14, MOST_MEAN = 60, SHINGLE = 4 };

typedef enum { BY_SENTENCE, BY_LINE, BY_REFERENCE } cutting;

/* Chooses how a text of n_words is cut: by units of its own, if these have as many words in the
 * mean as verses or paragraphs, and more than the lines of a page. */
static cutting choose(const trib_document_text *text, size_t n_words) {
    const size_t n = text->references.n;
    size_t n_lines = 0;
    for (size_t i = 0; i < text->n_lines; i++) {
        const size_t end = i + 1 < text->n_lines ? text->line[i + 1] : text->bytes.length;
        n_lines += end > text->line[i] + 2;
    }
    if (n > 1 && n_words >= LEAST_VERSE * n && n_words <= MOST_MEAN * n) return BY_REFERENCE;
    return n_words >= LEAST_LINE * n_lines && n_words <= MOST_MEAN * n_lines ? BY_LINE
                                                                             : BY_SENTENCE;
}

/* Adds a word, to a new unit if is_new. */
static trib_status add_word(trib_unit_text *u, const trib_placed_word *word, bool is_new,
                            trib_error *error) {
    const size_t n = u->units.n + is_new;
    trib_status status = TRIB_GROW(&u->units.start, &u->start_cap, n + 1, what, error);
    if (status == TRIB_OK) status = TRIB_GROW(&u->from, &u->from_cap, n, what, error);
    if (status == TRIB_OK) status = TRIB_GROW(&u->end, &u->end_cap, n, what, error);
    const size_t at = status == TRIB_OK ? u->units.start[u->units.n] : 0;
    if (status == TRIB_OK) status = TRIB_GROW(&u->units.word, &u->word_cap, at + 1, what, error);
    if (status != TRIB_OK) return status;
    u->units.n = (uint32_t)n;
    u->units.word[at] = word->id;
    u->units.start[n] = at + 1;
    if (is_new) u->from[n - 1] = word->offset;
    u->end[n - 1] = word->end;
    return TRIB_OK;
}

/* The words of a text, while it is read. */
typedef struct reading {
    trib_intern *words;
    trib_placed_word *word; /* [n] */
    size_t n, cap;
} reading;

static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    reading *const r = context;
    trib_placed_word word = {0, token->offset, token->offset + token->n_bytes, token->after_break};
    const trib_status status =
        trib_intern_add(r->words, token->text, token->length, &word.id, error);
    return status == TRIB_OK ? TRIB_APPEND(&r->word, &r->n, &r->cap, what, error, &word) : status;
}

/* Cuts a text into words: also numbers, in their spelling, and with the ends of sentences. */
static trib_status read_words(reading *r, const trib_config *config, const trib_document_text *text,
                              const trib_corpus_document *about, trib_error *error) {
    trib_token_options options = trib_config_token_options(config);
    trib_tokenizer *tokenizer = NULL;
    options.locale = trib_config_language(config, about);
    options.encoding = text->encoding;
    options.numbers = TRIB_NUMBERS_KEEP;
    options.break_at_sentence = options.break_at_paragraph = true;
    options.on_invalid = TRIB_INVALID_REPLACE;
    trib_status status = trib_tokenizer_open(&tokenizer, &options, error);
    if (status == TRIB_OK) {
        trib_tokenizer_begin(tokenizer, about->path, take_word, r);
        status = trib_tokenizer_feed(tokenizer, text->bytes.text ? text->bytes.text : "",
                                     text->bytes.length, error);
        const trib_status ended =
            trib_tokenizer_end(tokenizer, NULL, status == TRIB_OK ? error : NULL);
        if (status == TRIB_OK) status = ended;
    }
    trib_tokenizer_close(tokenizer);
    return status;
}

static trib_status add_words(trib_unit_text *u, const reading *r, cutting by, trib_error *error) {
    const trib_references *const references = &u->text.references;
    size_t m = 0, before = 0, n_words = 0; /* marks before the word; place of the last; its unit */
    trib_status status = TRIB_GROW(&u->units.start, &u->start_cap, 1, what, error);
    if (status == TRIB_OK) u->units.start[0] = 0;
    for (size_t i = 0; i < r->n && status == TRIB_OK; i++) {
        const trib_placed_word word = r->word[i];
        while (m < references->n && references->mark[m].from <= word.offset) m++;
        if (m > 0 && word.offset < references->mark[m - 1].to) continue; /* it is the reference */
        const size_t place = by == BY_LINE ? trib_text_line_at(&u->text, word.offset) : m;
        const bool is_new =
            n_words == 0 ||
            (by == BY_SENTENCE ? n_words >= MOST || (n_words >= LEAST && word.after_break)
                               : place != before);
        status = add_word(u, &word, is_new, error);
        before = place;
        n_words = is_new ? 1 : n_words + 1;
    }
    return status;
}

trib_status trib_unit_text_read(trib_unit_text *made, const trib_config *config,
                                const trib_corpus *corpus, const trib_corpus_words *words,
                                uint32_t d, trib_intern *ids, trib_error *error) {
    const trib_status status = trib_text_read(&made->text, config, corpus, words, d, error);
    return status == TRIB_OK
               ? trib_unit_text_cut(made, config, corpus->document[d].about, ids, error)
               : status;
}

trib_status trib_unit_text_cut(trib_unit_text *made, const trib_config *config,
                               const trib_corpus_document *about, trib_intern *ids,
                               trib_error *error) {
    reading r = {.words = ids};
    trib_status status = read_words(&r, config, &made->text, about, error);
    if (status == TRIB_OK) status = add_words(made, &r, choose(&made->text, r.n), error);
    trib_free(r.word);
    return status;
}

void trib_unit_text_release(trib_unit_text *made) {
    trib_text_release(&made->text);
    TRIB_FREE(made->units.start, made->units.word, made->from, made->end);
    *made = (trib_unit_text){0};
}

trib_status trib_units_take_verbatim(trib_units *target, const trib_units *source, uint32_t *n,
                                     uint32_t n_words, trib_error *error) {
    const uint32_t dim[SHINGLE] = {n_words, n_words, n_words, n_words};
    TRIB_OWNED(trib_hacoo) known = {0};
    trib_hacoo_stream stream;
    size_t from = 0, to = 0;
    trib_status status = trib_hacoo_init(&known, SHINGLE, dim, NULL, error);
    *n = 0;
    if (status != TRIB_OK) return status;
    trib_hacoo_stream_init(&stream, &known, NULL);
    status = trib_hacoo_stream_windows(&stream, source->start[source->n], source->word, error);
    if (status == TRIB_OK) status = trib_hacoo_stream_flush(&stream, error);
    for (uint32_t i = 0; i < target->n && status == TRIB_OK; i++) {
        const size_t end = target->start[i + 1];
        size_t n_equal = 0;
        for (size_t w = from; w + SHINGLE <= end; w++)
            n_equal += trib_hacoo_find(&known, target->word + w) < known.nnz;
        const bool is_verbatim = n_equal > 0 && 2 * n_equal + SHINGLE > end - from;
        *n += is_verbatim;
        for (; from < end; from++)
            if (!is_verbatim) target->word[to++] = target->word[from];
        target->start[i + 1] = to;
    }
    return status;
}

/* ---- Words that are alike -------------------------------------------------------------------- */

enum { TARGET = 1, SOURCE = 2, SHORT = 4, LONG = 60, ALIKE = 3 };

/* Three letters of a word in Latin script, after its first letter. */
typedef struct group {
    uint32_t letters, word;
} group;
TRIB_ORDER(by_letters, group, TRIB_UP(letters) ?: TRIB_UP(word));

/* The groups of the words of a target, word by word, and of a source, by letters. */
typedef struct groups {
    group *of[2];
    size_t n[2], cap[2];
    uint32_t *n_groups; /* [n_words] of each word, 0 if it is short or very long */
    uint32_t *n_common; /* [n_words] of a word of the source with one of the target */
} groups;

static trib_status list_groups(groups *g, const uint8_t side[], const trib_intern *words,
                               trib_error *error) {
    trib_transform *transform = NULL;
    trib_status status =
        trib_transform_open(&transform, "Any-Latin; Latin-ASCII; Lower", NULL, error);
    for (uint32_t w = 0; w < words->n_words && status == TRIB_OK; w++) {
        const char *const word = trib_intern_word(words, w), *text = word;
        char ends[LONG + 3] = "^"; /* its ends are letters too */
        size_t n = 0;
        if (side[w] == 0) continue;
        status = trib_transform_do(transform, word, strlen(word), &text, &n, error);
        if (status != TRIB_OK || n < SHORT || n > LONG) continue;
        memcpy(ends + 1, text, n);
        ends[n + 1] = '$';
        g->n_groups[w] = (uint32_t)n;
        for (size_t i = 0; i < n; i++)
            for (int k = 0; k < 2 && status == TRIB_OK; k++) {
                const unsigned char *const at = (const unsigned char *)ends + i;
                if (!(side[w] & (k == 0 ? TARGET : SOURCE))) continue;
                status =
                    TRIB_APPEND(&g->of[k], &g->n[k], &g->cap[k], what, error,
                                &(group){(uint32_t)(unsigned char)*text << 24 |
                                             (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2],
                                         w});
            }
    }
    if (g->n[1] > 0) qsort(g->of[1], g->n[1], sizeof **g->of, by_letters);
    trib_transform_close(transform);
    return status;
}

TRIB_SEARCH(first_group, group, uint32_t, x->letters < key);

/* Adds the words of the source most like the word of the target whose groups begin at `first`, by
 * half of Dice's coefficient: groups in common are counted first, then read. */
static trib_status add_alike(trib_word_table *seeds, groups *g, size_t first, trib_error *error) {
    const uint32_t word = g->of[0][first].word, n = g->n_groups[word];
    trib_word_pair best[ALIKE] = {{0}};
    trib_status status = TRIB_OK;
    for (int counts = 1; counts >= 0; counts--)
        for (size_t i = first; i < first + n; i++)
            for (size_t k = first_group(g->of[1], g->n[1], g->of[0][i].letters);
                 k < g->n[1] && g->of[1][k].letters == g->of[0][i].letters; k++) {
                const uint32_t s = g->of[1][k].word;
                const float half = (float)g->n_common[s] / (float)(n + g->n_groups[s]);
                int at = ALIKE - 1;
                if (counts) g->n_common[s]++;
                if (counts) continue;
                g->n_common[s] = 0; /* it is met only once more */
                if (s == word || half < .25F || !(half > best[at].weight)) continue;
                for (; at > 0 && half > best[at - 1].weight; at--) best[at] = best[at - 1];
                best[at] = (trib_word_pair){word, s, half < .5F ? half : .5F};
            }
    for (int k = 0; k < ALIKE && best[k].weight > 0 && status == TRIB_OK; k++)
        status = trib_word_table_add(seeds, word, best[k].source, best[k].weight, error);
    return status;
}

/* Adds the words that stand in both texts. */
static trib_status add_equal(trib_word_table *seeds, const uint8_t side[], const trib_intern *words,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t w = 0; w < words->n_words && status == TRIB_OK; w++) {
        const char *const word = trib_intern_word(words, w);
        size_t n_letters = 0;
        for (const char *c = word; *c; c++) n_letters += ((unsigned char)*c & 0xC0) != 0x80;
        const bool is_sure = n_letters >= SHORT || strpbrk(word, "0123456789");
        if (side[w] == (TARGET | SOURCE))
            status = trib_word_table_add(seeds, w, w, is_sure ? 1 : .5F, error);
    }
    return status;
}

static void mark_words(uint8_t side[], const trib_units *units, uint8_t bit) {
    for (size_t w = 0; w < units->start[units->n]; w++) side[units->word[w]] |= bit;
}

trib_status trib_translation_seeds(trib_word_table *seeds, const trib_unit_texts *texts,
                                   const trib_config *config, const trib_intern *words,
                                   const char *const dictionary[], size_t n, trib_error *error) {
    groups g = {.n_groups = NULL};
    uint8_t *side = NULL;
    trib_status status = TRIB_NEW(&side, words->n_words, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&g.n_groups, words->n_words, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&g.n_common, words->n_words, what, error);
    if (status == TRIB_OK) {
        mark_words(side, texts->target, TARGET);
        mark_words(side, texts->source, SOURCE);
        status = add_equal(seeds, side, words, error);
    }
    if (status == TRIB_OK) status = list_groups(&g, side, words, error);
    for (size_t i = 0; i < g.n[0] && status == TRIB_OK; i += g.n_groups[g.of[0][i].word])
        status = add_alike(seeds, &g, i, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        if (dictionary[i])
            status = trib_dictionary_read(seeds, dictionary[i], side, config, words, error);
    TRIB_FREE(g.of[0], g.of[1], g.n_groups, g.n_common, side);
    return status == TRIB_OK ? trib_word_table_settle(seeds, words->n_words, error) : status;
}
