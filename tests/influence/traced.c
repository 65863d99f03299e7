/* traced.c - tests of influence/traced.c and influence/trellis.c against an enumeration of all
 * state sequences of a small text. */
#include "influence/trellis.h"
#include "tests/influence/texts.h"

static void measure(trib_influence *result, const trib_influence_case *c, uint32_t n_traces,
                    int n_threads) {
    const trib_influence_options options = {
        .bootstrap = n_traces, .seed = 1, .n_threads = n_threads};
    trib_error error = {0};
    EXPECT_STATUS(
        trib_influence_measure(result, trib_influence_method_find("traced"), c, &options, &error),
        TRIB_OK, error);
}

/* ---- The oracle: an enumeration of all state sequences --------------------------------------- */

/* State of a word: -1 for the author's own text, otherwise a node. */
typedef struct enumeration {
    const trib_trellis *x;
    long state[16];
    double likelihood;
    double copied[4];   /* [n_sources] probability times the n-grams copied as a whole */
    double word[16][4]; /* [words][n_sources] probability that the word is copied */
} enumeration;

static double emitted(const trib_trellis *x, size_t i, long z) {
    if (z < 0) return x->chance[i];
    if (!trib_trellis_same(x->node[z])) return x->alter * x->chance[i];
    if (!x->close) return 1 - x->alter;
    const double misread = (double)x->close[z];
    return (1 - x->alter) * (misread > 0 ? x->misread * misread : 1 - x->misread);
}

/* The probability of state b after state a: by continuing, or by a change of state. `begun`
 * distinguishes the two. */
static double moved(const trib_trellis *x, bool is_first, long a, long b, bool begun) {
    const double leave = is_first ? 0.5 : a < 0 ? x->leave : x->end * x->again;
    if (b < 0) return begun ? 0 : is_first ? 0.5 : a < 0 ? 1 - x->leave : x->end * (1 - x->again);
    if (!begun) return !is_first && a >= 0 && x->node[b].previous == (uint32_t)a ? 1 - x->end : 0;
    if (!trib_trellis_same(x->node[b])) return 0;
    return leave * x->prior[trib_trellis_source(x->node[b])] /
           (double)x->source[trib_trellis_source(x->node[b])].n;
}

static void enumerate(enumeration *e, size_t i, double p, uint32_t run, const double *copied) {
    const trib_trellis *x = e->x;
    if (p == 0) return;
    if (i == x->target.n) {
        e->likelihood += p;
        for (size_t s = 0; s < x->n_sources; s++) e->copied[s] += p * copied[s];
        for (size_t w = 0; w < x->target.n; w++)
            if (e->state[w] >= 0) e->word[w][trib_trellis_source(x->node[e->state[w]])] += p;
        return;
    }
    const long before = i > 0 ? e->state[i - 1] : -1;
    for (long z = -1; z < (long)x->first[i + 1]; z = z < 0 ? (long)x->first[i] : z + 1) {
        if (z >= (long)x->first[i + 1]) break;
        for (int begun = 0; begun < 2; begun++) {
            double now[4];
            memcpy(now, copied, sizeof now);
            uint32_t n = z < 0 || !trib_trellis_same(x->node[z]) ? 0 : begun ? 1 : run + 1;
            if (n >= x->n_modes) now[trib_trellis_source(x->node[z])]++;
            e->state[i] = z;
            enumerate(e, i + 1, p * moved(x, i == 0, before, z, begun) * emitted(x, i, z), n, now);
        }
    }
}

/* The probability of a traced run is the mean of those of its words. */
static void expect_probabilities(const trib_influence *result, const enumeration *e) {
    for (size_t i = 0; i < result->n_trace; i++) {
        const trib_traced_run *run = &result->trace[i];
        const size_t first = e->x->target.place[run->target], n = run->n + e->x->n_modes - 1;
        double sum = 0;
        for (size_t w = first; w < first + n; w++) sum += e->word[w][run->source] / e->likelihood;
        EXPECT_NEAR(run->probability, sum / (double)n, 1e-12);
    }
}

/* Finds the close words among those of the texts. */
static void find_close(trib_close_words *close, const trib_texts *texts) {
    const uint32_t n = texts->words.n_words;
    const char **word = NULL;
    uint64_t *count = NULL;
    trib_error error = {0};
    CHECK(trib_new(&word, n, sizeof *word, "words", NULL) == TRIB_OK);
    CHECK(trib_new(&count, n, sizeof *count, "words", NULL) == TRIB_OK);
    for (uint32_t w = 0; w < n; w++) {
        word[texts->final[w]] = trib_intern_word(&texts->words, w);
        count[w] = 1;
    }
    EXPECT_STATUS(trib_close_words_find(close, word, count, n, UINT32_MAX, &error), TRIB_OK, error);
    trib_free(word);
    trib_free(count);
}

static void expect_every_trace(uint32_t n, const char *const text[], size_t n_texts, bool is_traced,
                               bool has_close) {
    static const double none[4] = {0};
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_trellis x;
    trib_influence result;
    trib_error error = {0};
    const trib_progress nobody = {0};
    trib_texts_count(&texts, n, text, n_texts);
    trib_influence_case c = trib_texts_case(&texts, 0, source);
    trib_close_words close = {0};
    if (has_close) find_close(&close, &texts);
    if (has_close) c.close = &close;
    EXPECT_STATUS(trib_trellis_build(&x, &c, &error), TRIB_OK, error);
    CHECK(x.target.n <= 16 && c.n_sources <= 4);
    EXPECT_STATUS(trib_trellis_fit(&x, &nobody, &error), TRIB_OK, error);
    enumeration e = {.x = &x};
    enumerate(&e, 0, 1, 0, none);
    EXPECT_NEAR(x.log_likelihood, log(e.likelihood), 1e-10);
    measure(&result, &c, 0, 1);
    double author = 1;
    for (size_t s = 0; s < c.n_sources; s++) {
        const double share = e.copied[s] / e.likelihood / (double)texts.document[0].n_ngrams;
        EXPECT_NEAR(result.share[s], share, 1e-12);
        author -= share;
    }
    EXPECT_NEAR(result.author, author, 1e-12);
    EXPECT_NEAR(result.own + result.common, result.author, 1e-12);
    EXPECT((result.n_trace > 0) == is_traced);
    expect_probabilities(&result, &e);
    trib_influence_release(&result);
    trib_trellis_release(&x);
    trib_close_words_release(&close);
    trib_texts_release(&texts);
}

static void shares_equal_an_enumeration_of_all_state_sequences(void) {
    expect_every_trace(2, (const char *[]){"a b c d e f", "a b c x d e f", "y c d e z"}, 3, true,
                       false);
    expect_every_trace(3, (const char *[]){"a b c d e f g h", "a b c x e f g h", "p q d e f r"}, 3,
                       true, false);
    expect_every_trace(3, (const char *[]){"a b c d e f g h", "a b c x e f g h", "a b c d x f g h"},
                       3, true, false);
    expect_every_trace(1, (const char *[]){"a b a", "b a", "a c"}, 3, false, false);
    expect_every_trace(3, (const char *[]){"a b c a b c", "a b c a b c"}, 2, true, false);
}

static void so_do_shares_with_close_words(void) {
    expect_every_trace(2,
                       (const char *[]){"we saw the kinge sit on hys throne",
                                        "you saw the king sit on his throne", "they saw the kin"},
                       3, false, true);
    expect_every_trace(3,
                       (const char *[]){"alpha bravo charlie delta ecko foxtrot golf",
                                        "alpha brava charlie delta echo foxtrott golf"},
                       2, false, true);
    expect_every_trace(2, (const char *[]){"one two three", "six seven eight"}, 2, false, true);
}

enum { OWN_WORDS = 300, COPIED = 200, SOURCE_WORDS = 2000 };

/* Adds a word of six letters that says a number; misread: its third letter is another one. */
static void add_word(trib_buffer *text, uint64_t number, bool is_misread) {
    char word[] = "aaaaaa ";
    for (size_t i = 0; i < 6; i++, number /= 5) word[i] = "abdeo"[(number + 2 * i) % 5];
    if (is_misread) word[2] = 'z';
    CHECK(trib_buffer_add(text, word, 7, NULL) == TRIB_OK);
}

/* A fifth of a text is copied, and every fourth word of the copy misread. */
static void a_passage_of_misread_words_is_found_whole(void) {
    trib_buffer text[2] = {{0}, {0}};
    uint64_t number[SOURCE_WORDS];
    trib_random random;
    trib_texts texts;
    trib_close_words close;
    trib_influence result;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_random_seed(&random, 1);
    for (size_t i = 0; i < SOURCE_WORDS; i++) number[i] = trib_random_below(&random, 15000);
    for (size_t i = 0; i < SOURCE_WORDS; i++) add_word(&text[1], number[i], false);
    for (size_t i = 0; i < 2 * OWN_WORDS; i++)
        add_word(&text[0], trib_random_below(&random, 15000), false);
    for (size_t i = 0; i < COPIED; i++) add_word(&text[0], number[500 + i], i % 4 == 0);
    trib_texts_count(&texts, 3, (const char *[]){text[0].text, text[1].text}, 2);
    find_close(&close, &texts);
    trib_influence_case c = trib_texts_case(&texts, 0, source);
    const double truth = (double)(COPIED - 2) / (2 * OWN_WORDS + COPIED - 2);
    measure(&result, &c, 50, 1);
    EXPECT(result.share[0] < 0.3 * truth);
    trib_influence_release(&result);
    c.close = &close;
    measure(&result, &c, 50, 2);
    EXPECT_NEAR(result.share[0], truth, 0.03 * truth);
    EXPECT(result.low[0] <= truth && truth <= result.high[0]);
    EXPECT_NEAR(result.share[0] + result.author, 1, 1e-12);
    EXPECT_NEAR(result.own + result.common, result.author, 1e-12);
    trib_influence_release(&result);
    trib_close_words_release(&close);
    trib_texts_release(&texts);
    for (size_t i = 0; i < 2; i++) trib_buffer_release(&text[i]);
}

/* ---- Facts ----------------------------------------------------------------------------------- */

static void a_target_that_is_also_a_source_scores_1(void) {
    trib_texts texts;
    trib_influence result;
    char *text[3];
    for (uint64_t d = 0; d < 3; d++) text[d] = trib_texts_invent(d + 1, 2000, NULL);
    trib_texts_count(&texts, 3, (const char *const *)text, 3);
    trib_influence_case c = {.document = texts.document,
                             .n_documents = 3,
                             .n_words = texts.words.n_words,
                             .source = (uint32_t[]){0, 1, 2},
                             .n_sources = 3};
    measure(&result, &c, 0, 1);
    EXPECT(result.share[0] >= .999 && result.share[0] <= 1 + 1e-12);
    trib_influence_release(&result);
    c.source = (uint32_t[]){0};
    c.n_sources = 1;
    measure(&result, &c, 0, 1);
    EXPECT(result.share[0] >= .999);
    trib_influence_release(&result);
    trib_texts_release(&texts);
    for (int d = 0; d < 3; d++) free(text[d]);
}

/* A third of the target is passages of the first source; the second source is as long and shares
 * none. */
static void copied_passages_are_found_and_chance_is_not(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    char *text[3];
    for (uint64_t d = 0; d < 3; d++)
        text[d] = trib_texts_invent(d + 1, 2000, d == 2 ? text[0] : NULL);
    trib_texts_count(&texts, 3, (const char *const *)text, 3);
    const trib_influence_case c = trib_texts_case(&texts, 2, source);
    measure(&result, &c, 0, 1);
    EXPECT(result.share[0] > .25 && result.share[0] < .4);
    EXPECT(result.share[1] < .005);
    EXPECT(result.credit && !result.weight && !result.low);
    trib_influence_release(&result);
    trib_texts_release(&texts);
    for (int d = 0; d < 3; d++) free(text[d]);
}

/* Writes a word of four letters for each number. */
static void write_word(char *text, char kind, int number) {
    char word[8] = {kind,
                    (char)('a' + number / 676),
                    (char)('a' + number / 26 % 26),
                    (char)('a' + number % 26),
                    ' ',
                    '\0'};
    strcat(text, word);
}

/* The share found, as a fraction of the truth, in a target of 1000 words with 24 passages of 9
 * words that n_sources hold. */
static double found_of_quotations(int n_times, size_t n_sources) {
    enum { N_PASSAGES = 24, LENGTH = 9, EVERY = 40 };
    char target[8000] = "", witness[3][12001] = {"", "", ""};
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    trib_random random;
    double found = 0;
    trib_random_seed(&random, 1);
    for (int i = 0, n = 0; i < 1000; i++) {
        write_word(target, 'o',
                   (int)trib_random_below(&random, 1 + trib_random_below(&random, 500)));
        if (i % EVERY != EVERY - 1 || n == N_PASSAGES) continue;
        for (int k = 0; k < LENGTH; k++)
            write_word(target, 's', n % (N_PASSAGES / n_times) * 80 + k);
        n++;
    }
    for (int i = 0; i < 2000; i++)
        for (size_t s = 0; s < 3; s++) write_word(witness[s], i % 80 < 15 ? 's' : "xyz"[s], i);
    trib_texts_count(&texts, 3, (const char *[]){target, witness[0], witness[1], witness[2]},
                     1 + n_sources);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    measure(&result, &c, 0, 1);
    for (size_t s = 0; s < n_sources; s++) found += result.share[s];
    found *= (double)texts.document[0].n_ngrams / (N_PASSAGES * (LENGTH - 2));
    trib_influence_release(&result);
    trib_texts_release(&texts);
    return found;
}

static void a_passage_is_found_however_often_it_is_quoted_and_held(void) {
    static const int times[] = {1, 2, 4, 12};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        for (size_t n_sources = 1; n_sources <= 3; n_sources++) {
            const double found = found_of_quotations(times[k], n_sources);
            EXPECT(found > .8 && found < 1.05);
        }
}

static void the_order_of_sources_does_not_matter(void) {
    trib_texts one, other;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence first, second;
    char *text[4];
    for (uint64_t d = 0; d < 4; d++)
        text[d] = trib_texts_invent(d + 1, 600, d == 3 ? text[1] : NULL);
    /* The last source holds a passage twice that the target and another hold once. */
    char *twice = calloc(strlen(text[0]) + 2 * strlen(text[2]) + 1, 1);
    CHECK(twice != NULL);
    sprintf(twice, "%s%.200s %.200s", text[0], text[1], text[1]);
    trib_texts_count(&one, 3, (const char *[]){twice, text[1], text[2], text[3]}, 4);
    trib_texts_count(&other, 3, (const char *[]){text[2], text[1], twice, text[3]}, 4);
    free(twice);
    const trib_influence_case c = trib_texts_case(&one, 3, source);
    measure(&first, &c, 0, 1);
    const trib_influence_case d = trib_texts_case(&other, 3, source);
    measure(&second, &d, 0, 7);
    for (size_t s = 0; s < 3; s++) EXPECT_NEAR(first.share[s], second.share[2 - s], 1e-12);
    EXPECT_NEAR(first.author, second.author, 1e-12);
    trib_influence_release(&first);
    trib_influence_release(&second);
    trib_texts_release(&one);
    trib_texts_release(&other);
    for (int i = 0; i < 4; i++) free(text[i]);
}

static void without_sources_or_n_grams_the_author_has_the_whole_share(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    trib_texts_count(&texts, 3, (const char *[]){"a b c d", "a", "", "x y z"}, 4);
    for (uint32_t target = 0; target < 4; target++) {
        trib_influence_case c = trib_texts_case(&texts, target, source);
        for (int with = 0; with < 2; with++, c.n_sources = 0) {
            measure(&result, &c, 10, 1);
            EXPECT(result.author == 1 && result.own == 1 && result.common == 0);
            for (size_t s = 0; s < c.n_sources; s++) EXPECT(result.share[s] == 0);
            trib_influence_release(&result);
        }
    }
    trib_texts_release(&texts);
}

static void a_text_of_one_word_over_and_over_is_traced(void) {
    static char word[2 * 300 + 1];
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    for (size_t i = 0; i < 300; i++) memcpy(word + 2 * i, "a ", 2);
    trib_texts_count(&texts, 3, (const char *[]){word, word}, 2);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    measure(&result, &c, 20, 2);
    EXPECT(result.share[0] >= 0 && result.share[0] <= 1 + 1e-12);
    EXPECT_NEAR(result.share[0] + result.author, 1, 1e-12);
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

static bool stop(void *context, double done, double total) {
    (void)done, (void)total;
    return ++*(int *)context < 3;
}

static void the_fit_stops_when_asked(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence result;
    trib_error error = {0};
    int n_ticks = 0;
    const trib_influence_options options = {.n_threads = 1, .progress = {stop, &n_ticks}};
    trib_texts_count(&texts, 2, (const char *[]){"a b c d", "b c d"}, 2);
    const trib_influence_case c = trib_texts_case(&texts, 0, source);
    EXPECT_STATUS(
        trib_influence_measure(&result, trib_influence_method_find("traced"), &c, &options, &error),
        TRIB_INTERRUPTED, error);
    EXPECT(n_ticks == 3);
    trib_texts_release(&texts);
}

static void every_failing_allocation_is_reported(void) {
    const trib_influence_options options = {.bootstrap = 5, .n_threads = 1};
    EXPECT(trib_texts_starve("traced", &options, (const char *[]){"a b c d", "b c d", "a b"}, 3) >
           25);
}

/* For a single target, words are numbered in its own sources; for several targets once, in all
 * documents. */
static void shared_orders_change_no_bit(void) {
    trib_texts texts;
    trib_word_orders orders;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_influence alone, together;
    trib_error error = {0};
    char *first = trib_texts_invent(3, 400, NULL), *second = trib_texts_invent(4, 400, first);
    char *third = trib_texts_invent(5, 400, second), *other = trib_texts_invent(6, 400, NULL);
    trib_texts_count(&texts, 3, (const char *[]){other, first, third, second}, 4);
    trib_influence_case c = trib_texts_case(&texts, 2, source);
    c.source++; /* leaves out document 0, whose words are numbered too */
    c.n_sources--;
    measure(&alone, &c, 20, 1);
    EXPECT_STATUS(
        trib_word_orders_build(&orders, texts.document, texts.n, NULL, 0, c.n_words, &error),
        TRIB_OK, error);
    c.orders = &orders;
    measure(&together, &c, 20, 2);
    CHECK(alone.n_sources == 2 && together.n_sources == 2);
    EXPECT(alone.author < 0.9 && alone.author == together.author);
    EXPECT(memcmp(alone.share, together.share, 2 * sizeof *alone.share) == 0);
    EXPECT(memcmp(alone.low, together.low, 2 * sizeof *alone.low) == 0);
    EXPECT(alone.log_likelihood == together.log_likelihood);
    trib_influence_release(&alone);
    trib_influence_release(&together);
    trib_word_orders_release(&orders);
    trib_texts_release(&texts);
    free(first), free(second), free(third), free(other);
}

CU_TestInfo trib_tests_influence_traced[] = {
    {"shared orders change no bit", shared_orders_change_no_bit},
    {"shares equal an enumeration of all state sequences",
     shares_equal_an_enumeration_of_all_state_sequences},
    {"so do shares with close words", so_do_shares_with_close_words},
    {"a passage of misread words is found whole", a_passage_of_misread_words_is_found_whole},
    {"a target that is also a source scores 1", a_target_that_is_also_a_source_scores_1},
    {"copied passages are found and chance is not", copied_passages_are_found_and_chance_is_not},
    {"a passage is found however often it is quoted and held",
     a_passage_is_found_however_often_it_is_quoted_and_held},
    {"the order of sources does not matter", the_order_of_sources_does_not_matter},
    {"without sources or n-grams the author has the whole share",
     without_sources_or_n_grams_the_author_has_the_whole_share},
    {"a text of one word over and over is traced", a_text_of_one_word_over_and_over_is_traced},
    {"the fit stops when asked", the_fit_stops_when_asked},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
