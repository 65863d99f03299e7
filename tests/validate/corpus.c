/* corpus.c - a case from lists of words: documents counted over their own ids, factors where a way
 * needs them, then every way of measuring. */
#include "pipeline/stages/folds.h"
#include "tests/validate/validate.h"

#include <time.h>
#include <unistd.h>

typedef struct corpus {
    trib_influence_document document[MAX_SOURCES + 1];
    trib_hacoo counts[MAX_SOURCES + 1];
    uint32_t source[MAX_SOURCES];
    trib_influence_case c;
} corpus;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    void **both = context;
    word_list *list = both[0];
    const trib_status status =
        trib_grow(&list->word, &list->cap, list->n + 1, sizeof *list->word, "words", error);
    if (status != TRIB_OK) return status;
    return trib_intern_add(both[1], token->text, token->length, &list->word[list->n++], error);
}

bool read_words(word_list *list, trib_intern *words, const char *path) {
    const trib_token_options options = {.on_invalid = TRIB_INVALID_REPLACE};
    trib_tokenizer *tokenizer = NULL;
    TRIB_OWNED(trib_buffer) bytes = {0};
    if (access(path, R_OK) != 0) return false;
    must(trib_read_whole(path, &bytes, &validate_error));
    must(trib_tokenizer_open(&tokenizer, &options, &validate_error));
    trib_tokenizer_begin(tokenizer, path, take_word, (void *[]){list, words});
    must(trib_tokenizer_feed(tokenizer, bytes.text, bytes.length, &validate_error));
    must(trib_tokenizer_end(tokenizer, NULL, &validate_error));
    trib_tokenizer_close(tokenizer);
    return true;
}

/* ---- Counting -------------------------------------------------------------------------------- */

typedef struct ranked {
    const char *text;
    uint32_t id;
    uint64_t count;
} ranked;

/* Descending count, ties by code point. */
static int by_rank(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return strcmp(x->text, y->text);
}

static void count_document(corpus *m, size_t d, const trib_intern *words, const word_list *list) {
    trib_influence_document *document = &m->document[d];
    uint32_t *own =
        new_array(words->n_words, sizeof *own); /* id + 1, then the document's own + 1 */
    ranked *rank = new_array(list->n, sizeof *rank);
    uint32_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const uint32_t id = list->word[i];
        if (own[id] == 0) {
            rank[n] = (ranked){trib_intern_word(words, id), id, 0};
            own[id] = ++n;
        }
        rank[own[id] - 1].count++;
    }
    qsort(rank, n, sizeof *rank, by_rank);
    uint32_t *word = new_array(n, sizeof *word);
    for (uint32_t i = 0; i < n; i++) {
        word[i] = rank[i].id;
        own[rank[i].id] = i;
    }
    uint32_t dim[TRIB_MAX_MODES] = {n, n, n};
    uint32_t *sequence = new_array(list->n, sizeof *sequence);
    must(trib_hacoo_init(&m->counts[d], N_GRAM, dim, NULL, &validate_error));
    for (size_t i = 0; i + N_GRAM <= list->n; i++) {
        uint32_t index[N_GRAM];
        for (size_t k = 0; k < N_GRAM; k++) index[k] = own[list->word[i + k]];
        must(trib_hacoo_add(&m->counts[d], index, 1, &validate_error));
        sequence[i] = (uint32_t)trib_hacoo_find(&m->counts[d], index);
    }
    *document = (trib_influence_document){.counts = &m->counts[d],
                                          .word = word,
                                          .n_local = n,
                                          .n_words = list->n,
                                          .sequence = sequence,
                                          .n_ngrams = list->n >= N_GRAM ? list->n - N_GRAM + 1 : 0};
    free(own);
    free(rank);
}

/* ---- Factors --------------------------------------------------------------------------------- */

static void find_factors(const corpus *m, const way *w, trib_factors *factors,
                         trib_factor_distances *distances, int n_threads) {
    const trib_cp_options options = {.solver = trib_solver_find(w->solver),
                                     .start = trib_start_find("greedy"),
                                     .rank = w->rank,
                                     .sweeps = 2,
                                     .iterations = 100,
                                     .tolerance = 1e-5,
                                     .restarts = 1,
                                     .seed = 1,
                                     .n_threads = n_threads};
    for (uint32_t d = 0; d < m->c.n_documents; d++) {
        TRIB_OWNED(trib_tensor) tensor = {0};
        TRIB_OWNED(trib_ktensor) k = {0};
        must(trib_tensor_build(&tensor, trib_format_find("hacoo"), m->document[d].counts, NULL,
                               n_threads, &validate_error));
        must(trib_cp(&k, &tensor, &options, NULL, &validate_error));
        must(trib_factors_add(factors, d, &k, m->document[d].word, &validate_error));
    }
    must(trib_factor_distances_find(distances, factors, factors, m->c.n_documents, n_threads,
                                    &validate_error));
}

/* The target comes last, as if by date. */
static void find_background(trib_background *background, const corpus *m) {
    TRIB_OWNED(trib_common_language) language = {0};
    must(trib_common_language_init(&language, N_GRAM, m->c.n_words, &validate_error));
    for (size_t d = 0; d < m->c.n_documents; d++)
        must(trib_common_language_add(&language, &m->document[d], -1, &(trib_progress){0},
                                      &validate_error));
    must(trib_common_language_rows(background, &language, &m->document[m->c.target],
                                   &validate_error));
}

/* The words without what spellings differ in, for the methods that count words. */
static void find_folds(trib_folds *folds, const trib_intern *words) {
    const char **spelling = new_array(words->n_words, sizeof *spelling);
    for (uint32_t w = 0; w < words->n_words; w++) spelling[w] = trib_intern_word(words, w);
    must(trib_folds_make(folds, spelling, words->n_words, UINT32_MAX, &validate_error));
    free(spelling);
}

/* ---- Measuring ------------------------------------------------------------------------------- */

static void measure(estimate *e, const trib_influence_case *c, const way *w, int n_threads) {
    TRIB_OWNED(trib_influence) result = {0};
    const trib_influence_options options = {.threshold = 0.2,
                                            .background = -1,
                                            .bootstrap = 200,
                                            .run = 6,
                                            .seed = 1,
                                            .n_threads = n_threads};
    must(trib_influence_measure(&result, trib_influence_method_find(w->method), c, &options,
                                &validate_error));
    e->made = true;
    e->author = result.author;
    e->matched = result.matched;
    e->has_interval = result.low != NULL;
    for (size_t s = 0; s < c->n_sources; s++) {
        e->share[s] = result.share[s];
        if (result.low) e->low[s] = result.low[s], e->high[s] = result.high[s];
    }
}

/* Whether a list, separated by blanks, has the word. */
static bool is_listed(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, word, n) == 0) return true;
        at += n;
    }
    return false;
}

/* Whether a way is measured on a case. Real cases have no rung. */
static bool is_wanted(const way *w, const known_case *c) {
    const char *only = getenv("VALIDATE_ONLY");
    if (only && !is_listed(only, w->name)) return false;
    return !w->rungs || c->rung[0] == '\0' || (c->is_first && is_listed(w->rungs, c->rung));
}

void measure_case(known_case *c, const trib_intern *words, const word_list document[], size_t n,
                  int n_threads) {
    corpus m = {0};
    const char *solver = NULL;
    TRIB_OWNED(trib_factors) factors = {0};
    TRIB_OWNED(trib_factor_distances) distances = {0};
    trib_background background = {0};
    TRIB_OWNED(trib_folds) folds = {0};
    for (size_t d = 0; d < n; d++) count_document(&m, d, words, &document[d]);
    for (uint32_t s = 0; s + 1 < n; s++) m.source[s] = s;
    m.c = (trib_influence_case){.document = m.document,
                                .n_documents = n,
                                .n_words = words->n_words,
                                .target = (uint32_t)n - 1,
                                .source = m.source,
                                .n_sources = n - 1};
    for (size_t w = 0; ways[w].name; w++) {
        if (!is_wanted(&ways[w], c)) continue;
        const double start = now();
        if (ways[w].solver && (!solver || strcmp(solver, ways[w].solver) != 0)) {
            trib_factor_distances_release(&distances);
            trib_factors_release(&factors);
            find_factors(&m, &ways[w], &factors, &distances, n_threads);
            solver = ways[w].solver;
        }
        if (ways[w].incremental) find_background(&background, &m);
        if (ways[w].unit != IN_NGRAMS && !folds.fold) find_folds(&folds, words);
        m.c.folds = ways[w].unit != IN_NGRAMS ? &folds : NULL;
        m.c.background = ways[w].incremental ? &background : NULL;
        m.c.factors = ways[w].solver ? &factors : NULL;
        m.c.distances = ways[w].solver ? &distances : NULL;
        measure(&c->found[w], &m.c, &ways[w], n_threads);
        c->found[w].seconds = now() - start;
        trib_background_release(&background);
    }
    for (size_t d = 0; d < n; d++) {
        trib_hacoo_release(&m.counts[d]);
        free((void *)m.document[d].word);
        free((void *)m.document[d].sequence);
    }
}
