/* traced.c - tests of influence/traced.c and influence/trellis.c against an enumeration of all
 * state sequences of a small text. */
#include "influence/trellis.h"
#include "tests/influence/texts.h"

TESTS(influence, traced);

static trib_influence *measure(const trib_influence_case *c, uint32_t n_traces, int n_threads) {
    return trib_measured(
        c, "traced",
        &(trib_influence_options){.bootstrap = n_traces, .seed = 1, .n_threads = n_threads});
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
    return trib_trellis_same(x->node[z]) ? 1 - x->alter : x->alter * x->chance[i];
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

static void expect_every_trace(trib_texts *texts, bool is_traced) {
    static const double none[4] = {0};
    GIVEN(trib_trellis) x = {0};
    trib_error error = {0};
    const trib_progress nobody = {0};
    const trib_influence_case c = trib_texts_case(texts, 0);
    EXPECT_OK(trib_trellis_build(&x, &c, &error));
    CHECK(x.target.n <= 16 && c.n_sources <= 4);
    EXPECT_OK(trib_trellis_fit(&x, &nobody, &error));
    enumeration e = {.x = &x};
    enumerate(&e, 0, 1, 0, none);
    EXPECT_NEAR(x.log_likelihood, log(e.likelihood), 1e-10);
    trib_influence *result = measure(&c, 0, 1);
    double author = 1;
    for (size_t s = 0; s < c.n_sources; s++) {
        const double share = e.copied[s] / e.likelihood / (double)texts->document[0].n_ngrams;
        EXPECT_NEAR(result->share[s], share, 1e-12);
        author -= share;
    }
    EXPECT_NEAR(result->author, author, 1e-12);
    EXPECT_NEAR(result->own + result->common, result->author, 1e-12);
    EXPECT((result->n_trace > 0) == is_traced);
    expect_probabilities(result, &e);
}

TEST(shares_equal_an_enumeration_of_all_state_sequences) {
    expect_every_trace(TEXTS(2, "a b c d e f", "a b c x d e f", "y c d e z"), true);
    expect_every_trace(TEXTS(3, "a b c d e f g h", "a b c x e f g h", "p q d e f r"), true);
    expect_every_trace(TEXTS(3, "a b c d e f g h", "a b c x e f g h", "a b c d x f g h"), true);
    expect_every_trace(TEXTS(1, "a b a", "b a", "a c"), false);
    expect_every_trace(TEXTS(3, "a b c a b c", "a b c a b c"), true);
}

/* ---- Facts ----------------------------------------------------------------------------------- */

/* A third of the target is passages of the first source; the second source is as long and shares
 * none. */
TEST(copied_passages_are_found_and_chance_is_not) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 2000, "..0"), 2);
    trib_influence *result = measure(&c, 0, 1);
    EXPECT(result->share[0] > .25 && result->share[0] < .4);
    EXPECT(result->share[1] < .005);
    EXPECT(result->credit && !result->weight && !result->low);
}

/* The share found, as a fraction of the truth, in a target of 1000 words with 24 passages of 9
 * words that n_sources hold. */
static double found_of_quotations(int n_times, size_t n_sources) {
    enum { N_PASSAGES = 24, LENGTH = 9, EVERY = 40 };
    char target[8000] = "", witness[3][12001] = {"", "", ""};
    trib_random random;
    double found = 0;
    trib_random_seed(&random, 1);
    for (int i = 0, n = 0; i < 1000; i++) {
        trib_texts_append(target, 'o',
                          (int)trib_random_below(&random, 1 + trib_random_below(&random, 500)), 1);
        if (i % EVERY != EVERY - 1 || n == N_PASSAGES) continue;
        trib_texts_append(target, 's', n % (N_PASSAGES / n_times) * 80, LENGTH);
        n++;
    }
    for (int i = 0; i < 2000; i++)
        for (size_t s = 0; s < 3; s++)
            trib_texts_append(witness[s], i % 80 < 15 ? 's' : "xyz"[s], i, 1);
    trib_texts *texts = trib_texts_count(
        3, (const char *[]){target, witness[0], witness[1], witness[2]}, 1 + n_sources);
    const trib_influence_case c = trib_texts_case(texts, 0);
    trib_influence *result = measure(&c, 0, 1);
    for (size_t s = 0; s < n_sources; s++) found += result->share[s];
    found *= (double)texts->document[0].n_ngrams / (N_PASSAGES * (LENGTH - 2));
    return found;
}

TEST(a_passage_is_found_however_often_it_is_quoted_and_held) {
    static const int times[] = {1, 2, 4, 12};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        for (size_t n_sources = 1; n_sources <= 3; n_sources++) {
            const double found = found_of_quotations(times[k], n_sources);
            EXPECT(found > .8 && found < 1.05);
        }
}

TEST(the_order_of_sources_does_not_matter) {
    char *text[4];
    for (uint64_t d = 0; d < 4; d++)
        text[d] = trib_texts_invent(d + 1, 600, d == 3 ? text[1] : NULL);
    /* The last source holds a passage twice that the target and another hold once. */
    GIVEN(owned_text) twice = calloc(strlen(text[0]) + 2 * strlen(text[2]) + 1, 1);
    CHECK(twice != NULL);
    sprintf(twice, "%s%.200s %.200s", text[0], text[1], text[1]);
    const trib_influence_case c = trib_texts_case(TEXTS(3, twice, text[1], text[2], text[3]), 3);
    const trib_influence_case d = trib_texts_case(TEXTS(3, text[2], text[1], twice, text[3]), 3);
    trib_influence *first = measure(&c, 0, 1);
    trib_influence *second = measure(&d, 0, 7);
    for (size_t s = 0; s < 3; s++) EXPECT_NEAR(first->share[s], second->share[2 - s], 1e-12);
    EXPECT_NEAR(first->author, second->author, 1e-12);
    for (int i = 0; i < 4; i++) free(text[i]);
}

TEST(a_text_of_one_word_over_and_over_is_traced) {
    static char word[2 * 300 + 1];
    for (size_t i = 0; i < 300; i++) memcpy(word + 2 * i, "a ", 2);
    const trib_influence_case c = trib_texts_case(TEXTS(3, word, word), 0);
    trib_influence *result = measure(&c, 20, 2);
    EXPECT(result->share[0] >= 0 && result->share[0] <= 1 + 1e-12);
    EXPECT_NEAR(result->share[0] + result->author, 1, 1e-12);
}

static bool stop(void *context, double done, double total) {
    (void)done, (void)total;
    return ++*(int *)context < 3;
}

TEST(the_fit_stops_when_asked) {
    trib_influence result;
    trib_error error = {0};
    int n_ticks = 0;
    const trib_influence_options options = {.n_threads = 1, .progress = {stop, &n_ticks}};
    const trib_influence_case c = trib_texts_case(TEXTS(2, "a b c d", "b c d"), 0);
    EXPECT_STATUS(
        trib_influence_measure(&result, trib_influence_method_find("traced"), &c, &options, &error),
        TRIB_INTERRUPTED, error);
    EXPECT(n_ticks == 3);
}

/* For a single target, words are numbered in its own sources; for several targets once, in all
 * documents. */
TEST(shared_orders_change_no_bit) {
    GIVEN(trib_word_orders) orders = {0};
    trib_error error = {0};
    trib_texts *texts = trib_texts_invented(3, 400, "..12");
    trib_influence_case c = trib_texts_case(texts, 3);
    c.source++; /* leaves out document 0, whose words are numbered too */
    c.n_sources--;
    trib_influence *alone = measure(&c, 20, 1);
    EXPECT_OK(
        trib_word_orders_build(&orders, texts->document, texts->n, NULL, 0, c.n_words, &error));
    c.orders = &orders;
    trib_influence *together = measure(&c, 20, 2);
    CHECK(alone->n_sources == 2 && together->n_sources == 2);
    EXPECT(alone->author < 0.9 && alone->author == together->author);
    EXPECT(memcmp(alone->share, together->share, 2 * sizeof *alone->share) == 0);
    EXPECT(memcmp(alone->low, together->low, 2 * sizeof *alone->low) == 0);
    EXPECT(alone->log_likelihood == together->log_likelihood);
}
