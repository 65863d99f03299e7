/* near_duplicates.c - tests of near duplicates against all pairs compared by hand. */
#include "base/internal.h"
#include "pipeline/config/config.h"
#include "pipeline/stages/candidates.h"

#include "tests/test.h"

TESTS(stages, near_duplicates);

enum { N_WORDS = 50, N_MOST = 8, LENGTH = 1500 };

static const trib_comm alone = {.size = 1};

/* Documents of words 0 .. N_WORDS - 1, counted as 3-grams. */
typedef struct shelf {
    trib_environment env;
    trib_warnings warnings;
    trib_config config;
    trib_corpus corpus;
    trib_tensors tensors;
    trib_corpus_document about[N_MOST];
    trib_influence_document view[N_MOST];
    trib_document document[N_MOST];
    trib_hacoo counts[N_MOST];
    uint32_t word[N_WORDS];
    uint32_t text[N_MOST][LENGTH];
} shelf;

static void open_shelf(shelf *s, uint32_t n) {
    static char *const ids[N_MOST] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const uint32_t dim[3] = {N_WORDS, N_WORDS, N_WORDS};
    s->config = (trib_config){0};
    s->config.tensor.n = 3;
    s->warnings = (trib_warnings){0};
    s->env = (trib_environment){
        .config = &s->config, .comm = &alone, .n_threads = 1, .warnings = &s->warnings};
    s->corpus = (trib_corpus){.document = s->document, .n_documents = n};
    s->tensors = (trib_tensors){.view = s->view, .n_documents = n};
    for (uint32_t w = 0; w < N_WORDS; w++) s->word[w] = w;
    for (uint32_t d = 0; d < n; d++) {
        const trib_hacoo_options options = {.load = 0.7};
        s->about[d] = (trib_corpus_document){.id = ids[d]};
        s->document[d] = (trib_document){.about = &s->about[d]};
        CHECK(trib_hacoo_init(&s->counts[d], 3, dim, &options, NULL) == TRIB_OK);
        for (size_t i = 0; i + 3 <= LENGTH; i++)
            CHECK(trib_hacoo_add(&s->counts[d], &s->text[d][i], 1, NULL) == TRIB_OK);
        s->view[d] = (trib_influence_document){
            .counts = &s->counts[d], .word = s->word, .n_local = N_WORDS, .n_words = LENGTH};
    }
}

static void close_shelf(shelf *s) {
    for (uint32_t d = 0; d < s->corpus.n_documents; d++) trib_hacoo_release(&s->counts[d]);
    trib_warnings_release(&s->warnings);
}

/* Texts by chance; text d > 0 is text 0 with every `step[d]`-th word another, or one of its own
 * where step is 0. */
static void write_texts(shelf *s, uint32_t n, const uint32_t step[]) {
    trib_random random;
    trib_random_seed(&random, 1);
    for (uint32_t d = 0; d < n; d++)
        for (uint32_t i = 0; i < LENGTH; i++)
            s->text[d][i] = d > 0 && step[d] > 0 && i % step[d] != 1
                                ? s->text[0][i]
                                : (uint32_t)trib_random_below(&random, N_WORDS);
}

/* The oracle: every different 3-gram of one text is looked up in the other. */
static size_t count_both(const shelf *s, uint32_t a, uint32_t b) {
    size_t n = 0;
    for (size_t e = 0; e < s->counts[a].nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(&s->counts[a], e, index);
        n += trib_hacoo_get(&s->counts[b], index) > 0;
    }
    return n;
}

/* Lists the pairs; the caller frees *pair. */
static size_t find(shelf *s, double threshold, uint32_t other, trib_near **pair) {
    trib_error error = {0};
    size_t n = 1;
    s->config.corpus.near_duplicate = threshold;
    EXPECT_OK(trib_near_duplicates_list(&s->env, TRIB_OK, &s->tensors, other, pair, &n, &error));
    return n;
}

/* The share of their n-grams that both hold. */
static double resemblance(const trib_near *pair) {
    return (double)pair->n_both / (double)(pair->n_first + pair->n_second - pair->n_both);
}

TEST(pairs_above_the_threshold_are_found) {
    static const uint32_t step[N_MOST] = {0, 400, 0, 50, 3000, 20, 0, 8};
    static const double thresholds[] = {0.3, 0.5, 0.8, 0.95, 1};
    static shelf s;
    write_texts(&s, N_MOST, step);
    open_shelf(&s, N_MOST);
    for (size_t t = 0; t < sizeof thresholds / sizeof *thresholds; t++) {
        trib_near *pair = NULL;
        size_t at = 0;
        const size_t n = find(&s, thresholds[t], TRIB_NO_WORD, &pair);
        for (uint32_t a = 0; a < N_MOST; a++)
            for (uint32_t b = a + 1; b < N_MOST; b++) {
                const trib_near wanted = {a, b, s.counts[a].nnz, s.counts[b].nnz,
                                          count_both(&s, a, b)};
                if (resemblance(&wanted) < thresholds[t]) continue;
                CHECK(at < n);
                EXPECT(pair[at].first == a && pair[at].second == b);
                EXPECT(pair[at].n_first == wanted.n_first && pair[at].n_second == wanted.n_second);
                EXPECT(pair[at].n_both == wanted.n_both);
                at++;
            }
        EXPECT(at == n && (t > 1 || n >= 3));
        trib_free(pair);
    }
    close_shelf(&s);
}

TEST(a_warning_names_both) {
    static const uint32_t step[2] = {0, 3000};
    static shelf s;
    trib_error error = {0};
    write_texts(&s, 2, step);
    for (uint32_t i = 0; i < LENGTH; i++) s.text[1][i] = s.text[0][i];
    open_shelf(&s, 2);
    const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    CHECK(trib_log_open(&s.env.log, &silent, NULL) == TRIB_OK);
    s.warnings.log = s.env.log;
    trib_near *pair = NULL;
    EXPECT(find(&s, 0, TRIB_NO_WORD, &pair) == 0); /* 0 switches it off */
    const size_t n = find(&s, 0.8, TRIB_NO_WORD, &pair);
    EXPECT_OK(trib_near_duplicates_warn(&s.env, &s.corpus, pair, n, &error));
    trib_free(pair);
    CHECK(s.warnings.n == 1);
    EXPECT_TEXT(
        s.warnings.text[0],
        "'a' and 'b' are near duplicates: both have 100.0 % of their different 3-grams (100.0 "
        "% of the first's, 100.0 % of the second's); what one gives the other gives too");
    CHECK(find(&s, 1, 0, &pair) == 1);
    EXPECT(pair[0].n_first < s.counts[0].nnz); /* what holds <other> does not count */
    trib_free(pair);
    trib_log_close(s.env.log);
    close_shelf(&s);
}

static trib_status find_once(void *context, trib_error *error) {
    shelf *s = context;
    trib_near *pair = NULL;
    size_t n = 0;
    s->config.corpus.near_duplicate = 0.5;
    const trib_status status =
        trib_near_duplicates_list(&s->env, TRIB_OK, &s->tensors, TRIB_NO_WORD, &pair, &n, error);
    trib_free(pair);
    return status;
}

TEST(every_allocation_may_fail) {
    static const uint32_t step[2] = {0, 400};
    static shelf s;
    write_texts(&s, 2, step);
    open_shelf(&s, 2);
    trib_fail_every_allocation(find_once, &s);
    open_shelf(&s, 0);
    trib_fail_every_allocation(find_once, &s);
}
