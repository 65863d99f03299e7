/* texts.c - documents for the tests of influence/, by a plain and slow implementation: sorted lists
 * of words. */
#include "tests/influence/texts.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>

/* Splits a text into words: one or more letters, optionally with one apostrophe between letters, in
 * lower case. Letters beyond U+FFFF are ignored. */
static void take_words(trib_texts *texts, size_t d, const char *text) {
    enum { LONGEST = 200 };
    UChar word[LONGEST];
    char encoded[3 * LONGEST];
    const int32_t length = (int32_t)strlen(text); /* at least the length in UTF-16 */
    UChar *unit = calloc((size_t)length + 2, sizeof *unit);
    int32_t n = 0, n_bytes = 0;
    bool after_apostrophe = false;
    UErrorCode problem = U_ZERO_ERROR;
    size_t cap = 0, n_words = 0;
    CHECK(unit != NULL);
    u_strFromUTF8(unit, length + 1, NULL, text, length, &problem);
    for (const UChar *at = unit; at <= unit + length; at++) {
        const bool joins =
            n > 0 && !after_apostrophe && (*at == '\'' || *at == 0x2019) && u_isalpha(at[1]);
        if (u_isalpha(*at) || joins) {
            CHECK(n < LONGEST);
            word[n++] = (UChar)u_tolower(*at);
            after_apostrophe = after_apostrophe || joins;
        } else if (n > 0) {
            u_strToUTF8(encoded, sizeof encoded, &n_bytes, word, n, &problem);
            CHECK(trib_grow(&texts->stream[d], &cap, n_words + 1, sizeof(uint32_t), "words",
                            NULL) == TRIB_OK);
            CHECK(trib_intern_add(&texts->words, encoded, (size_t)n_bytes,
                                  &texts->stream[d][n_words++], NULL) == TRIB_OK);
            n = 0;
            after_apostrophe = false;
        }
    }
    CHECK(U_SUCCESS(problem));
    texts->document[d].n_words = n_words;
    free(unit);
}

typedef struct ranked {
    const char *word;
    uint64_t count;
    uint32_t id;
} ranked;

/* Descending count, ties by code point. */
static int by_rank(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return strcmp(x->word, y->word);
}

static ranked *rank_words(const trib_texts *texts, size_t first, size_t end) {
    ranked *rank = calloc(texts->words.n_words + 1, sizeof *rank);
    CHECK(rank != NULL);
    for (uint32_t w = 0; w < texts->words.n_words; w++)
        rank[w] = (ranked){trib_intern_word(&texts->words, w), 0, w};
    for (size_t d = first; d < end; d++)
        for (size_t i = 0; i < texts->document[d].n_words; i++) rank[texts->stream[d][i]].count++;
    qsort(rank, texts->words.n_words, sizeof *rank, by_rank);
    return rank;
}

static void number_words(trib_texts *texts) {
    ranked *rank = rank_words(texts, 0, texts->n);
    texts->final = calloc(texts->words.n_words + 1, sizeof *texts->final);
    CHECK(texts->final != NULL);
    for (uint32_t v = 0; v < texts->words.n_words; v++) texts->final[rank[v].id] = v;
    free(rank);
}

/* The document's own ids, its counts and their sequence. */
static void count_windows(trib_texts *texts, size_t d) {
    trib_influence_document *document = &texts->document[d];
    const uint32_t n_words = texts->words.n_words;
    ranked *rank = rank_words(texts, d, d + 1);
    uint32_t *own = calloc(n_words + 1, sizeof *own);
    uint32_t *word = calloc(n_words + 1, sizeof *word);
    uint32_t *sequence = calloc(document->n_words + 1, sizeof *sequence);
    CHECK(own && word && sequence);
    while (document->n_local < n_words && rank[document->n_local].count > 0) {
        own[rank[document->n_local].id] = document->n_local;
        word[document->n_local] = texts->final[rank[document->n_local].id];
        document->n_local++;
    }
    for (size_t i = 0; i < document->n_words; i++) texts->stream[d][i] = own[texts->stream[d][i]];
    uint32_t dim[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < texts->n_modes; m++)
        dim[m] = document->n_local > 0 ? document->n_local : 1;
    CHECK(trib_hacoo_init(&texts->counts[d], texts->n_modes, dim, NULL, NULL) == TRIB_OK);
    for (size_t i = 0; i + texts->n_modes <= document->n_words; i++) {
        const uint32_t *window = texts->stream[d] + i;
        CHECK(trib_hacoo_add(&texts->counts[d], window, 1, NULL) == TRIB_OK);
        sequence[document->n_ngrams++] = (uint32_t)trib_hacoo_find(&texts->counts[d], window);
    }
    document->counts = &texts->counts[d];
    document->word = word;
    document->sequence = sequence;
    free(own);
    free(rank);
}

static void release(trib_texts *texts) {
    for (size_t d = 0; d < texts->n; d++) {
        free((void *)texts->document[d].word);
        free((void *)texts->document[d].sequence);
        trib_hacoo_release(&texts->counts[d]);
        trib_free(texts->stream[d]);
    }
    trib_intern_release(&texts->words);
    free(texts->final);
}

enum { LIVE = 8 }; /* documents and results that are there at the same time */

trib_texts *trib_texts_count(uint32_t n_modes, const char *const text[], size_t n) {
    static trib_texts all[LIVE];
    static size_t n_calls;
    trib_texts *texts = &all[n_calls++ % LIVE];
    CHECK(n <= TRIB_MAX_TEXTS);
    release(texts);
    *texts = (trib_texts){.n = n, .n_modes = n_modes};
    for (size_t d = 0; d < n; d++) take_words(texts, d, text[d]);
    number_words(texts);
    for (size_t d = 0; d < n; d++) count_windows(texts, d);
    return texts;
}

trib_texts *trib_texts_read(uint32_t n_modes, const char *const name[], size_t n) {
    trib_buffer text[TRIB_MAX_TEXTS] = {0};
    const char *start[TRIB_MAX_TEXTS];
    bool found = true;
    CHECK(n <= TRIB_MAX_TEXTS);
    for (size_t d = 0; found && d < n; d++) {
        char relative[512];
        snprintf(relative, sizeof relative, "corpora/%s.txt", name[d]);
        const char *path = trib_shared(relative);
        OPENED(trib_reader) reader = {0};
        found = path && trib_reader_open(&reader, path, NULL) == TRIB_OK;
        if (!found) continue;
        CHECK(trib_reader_all(&reader, &text[d], NULL) == TRIB_OK);
        start[d] = text[d].text ? text[d].text : "";
    }
    trib_texts *texts = found ? trib_texts_count(n_modes, start, n) : NULL;
    for (size_t d = 0; d < TRIB_MAX_TEXTS; d++) trib_buffer_release(&text[d]);
    return texts;
}

trib_texts *trib_texts_invented(uint32_t n_modes, size_t n_words, const char *from) {
    const size_t n = strlen(from);
    char *text[TRIB_MAX_TEXTS] = {0};
    CHECK(n <= TRIB_MAX_TEXTS);
    for (size_t d = 0; d < n; d++) {
        const bool copies = from[d] >= '0' && from[d] <= '9';
        text[d] = trib_texts_invent(d + 1, from[d] == '-' ? 0 : n_words,
                                    copies ? text[from[d] - '0'] : NULL);
    }
    trib_texts *texts = trib_texts_count(n_modes, (const char *const *)text, n);
    for (size_t d = 0; d < n; d++) free(text[d]);
    return texts;
}

uint32_t trib_texts_times(const trib_texts *texts, size_t d, const uint32_t word[]) {
    const trib_influence_document *document = &texts->document[d];
    uint32_t n = 0;
    for (size_t g = 0; g < document->n_ngrams; g++) {
        bool same = true;
        for (uint32_t m = 0; m < texts->n_modes; m++)
            same = same && document->word[texts->stream[d][g + m]] == word[m];
        n += same;
    }
    return n;
}

trib_influence_case trib_texts_case_of_all(trib_texts *texts, uint32_t target) {
    for (uint32_t d = 0; d < texts->n; d++) texts->source[target][d] = d;
    return (trib_influence_case){.document = texts->document,
                                 .n_documents = texts->n,
                                 .n_words = texts->words.n_words,
                                 .target = target,
                                 .source = texts->source[target],
                                 .n_sources = texts->n};
}

trib_influence_case trib_texts_case(trib_texts *texts, uint32_t target) {
    trib_influence_case c = trib_texts_case_of_all(texts, target);
    c.n_sources = 0;
    for (uint32_t d = 0; d < texts->n; d++)
        if (d != target) texts->source[target][c.n_sources++] = d;
    return c;
}

trib_influence *trib_measured(const trib_influence_case *c, const char *method,
                              const trib_influence_options *options) {
    static trib_influence all[LIVE];
    static size_t n_calls;
    trib_influence *result = &all[n_calls++ % LIVE];
    trib_influence_options given = options ? *options : (trib_influence_options){.background = -1};
    trib_error error = {0};
    if (given.n_threads == 0) given.n_threads = 1;
    trib_influence_release(result);
    EXPECT_OK(
        trib_influence_measure(result, trib_influence_method_find(method), c, &given, &error));
    CHECK(result->share != NULL || c->n_sources == 0);
    return result;
}

typedef struct measurement {
    const char *method;
    const trib_influence_options *options;
    trib_influence_case c;
} measurement;

static trib_status measure(void *context, trib_error *error) {
    const measurement *m = context;
    GIVEN(trib_influence) result = {0};
    const trib_status status = trib_influence_measure(
        &result, trib_influence_method_find(m->method), &m->c, m->options, error);
    return status;
}

static bool refuse(void *context, double done, double total) {
    (void)context, (void)done, (void)total;
    return false;
}
const trib_progress trib_refusal = {refuse, NULL};

size_t trib_texts_starve(const char *method, const trib_influence_options *options,
                         const char *const text[], size_t n) {
    measurement m = {method, options, trib_texts_case(trib_texts_count(2, text, n), 0)};
    return trib_fail_every_allocation(measure, &m);
}

/* Writes one word and a space; words with small numbers are more likely. */
static size_t invent_word(char *at, trib_random *random) {
    const double u = trib_random_unit(random);
    unsigned number = (unsigned)(500 * u * u);
    size_t n = 0;
    do at[n++] = "abcdefghijklmnopqrstuvwxyz"[number % 26];
    while ((number /= 26) > 0);
    at[n++] = ' ';
    return n;
}

char *trib_texts_invent(uint64_t seed, size_t n_words, const char *from) {
    enum { PASSAGE = 60 }; /* bytes, some 25 words: one after every 50 words */
    const size_t n_from = from ? strlen(from) : 0;
    trib_random random;
    trib_random_seed(&random, seed);
    char *text = calloc(n_words * 8 + PASSAGE, 1);
    CHECK(text != NULL);
    for (size_t n = 0, w = 1; w <= n_words; w++) {
        n += invent_word(text + n, &random);
        if (n_from <= PASSAGE || w % 50 != 0) continue;
        memcpy(text + n, from + trib_random_below(&random, n_from - PASSAGE), PASSAGE);
        n += PASSAGE;
        text[n - 1] = ' ';
    }
    return text;
}

void trib_texts_append(char *text, char kind, int first, int n) {
    char *at = text + strlen(text);
    for (int i = first; i < first + n; i++)
        at += sprintf(at, "%c%c%c%c ", kind, 'a' + i / 676, 'a' + i / 26 % 26, 'a' + i % 26);
}
