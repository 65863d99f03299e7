/* translations.c - tests of influence/translations.h: the scores are compared with the formula on
 * all pairs of units, and planted passages of invented languages are found. */
#include "influence/translations.h"
#include "tests/test.h"

TESTS(influence, translations);

enum { MOST_WORDS = 1 << 16 };

/* Units that are made word by word. */
typedef struct made {
    trib_units units;
    size_t start[4096];
    uint32_t word[MOST_WORDS];
} made;

static void begin(made *m) {
    m->units = (trib_units){.start = m->start, .word = m->word};
    m->start[0] = 0;
}

static void add_word(made *m, uint32_t word) { m->word[m->start[m->units.n + 1]++] = word; }

static void begin_unit(made *m) { m->start[m->units.n + 1] = m->start[m->units.n]; }

/* The words of a target are 0 .. 999 and those of a source 1000 .. 1999; the word 1000 + w means w.
 * Words are drawn so that few are frequent. */
static void add_unit(made *m, trib_random *random, uint32_t n) {
    begin_unit(m);
    for (uint32_t k = 0; k < n; k++) {
        const double u = trib_random_unit(random);
        add_word(m, (uint32_t)(1000 * u * u * u));
    }
    m->units.n++;
}

/* Adds the translation of a unit, with a tenth of its words left out and the others in another
 * order. */
static void translate(made *m, const made *from, uint32_t unit, trib_random *random) {
    begin_unit(m);
    for (size_t w = from->start[unit + 1]; w-- > from->start[unit];)
        if (trib_random_below(random, 10) > 0) add_word(m, 1000 + from->word[w]);
    m->units.n++;
}

/* A target of n units of which those from `first` to `end` - 1 are translated by the source, after
 * `before` other units of it. */
static void make(made *target, made *source, uint32_t n, uint32_t first, uint32_t end,
                 uint32_t before) {
    static made other;
    trib_random random;
    trib_random_seed(&random, 7);
    begin(target);
    begin(source);
    begin(&other);
    for (uint32_t i = 0; i < n; i++) add_unit(target, &random, 12);
    for (uint32_t i = 0; i < n; i++) add_unit(&other, &random, 12);
    for (uint32_t i = 0; i < before; i++) translate(source, &other, i, &random);
    for (uint32_t i = first; i < end; i++) translate(source, target, i, &random);
    for (uint32_t i = before; i < n; i++) translate(source, &other, i, &random);
}

/* Seeds for one word in `every`. */
static void seed(trib_word_table *seeds, uint32_t every) {
    trib_error error = {0};
    for (uint32_t w = 0; w < 1000; w += every)
        EXPECT_OK(trib_word_table_add(seeds, w, 1000 + w, 1, &error));
    EXPECT_OK(trib_word_table_settle(seeds, 2000, &error));
}

static made target, source;

/* ---- Tables ---------------------------------------------------------------------------------- */

TEST(equal_pairs_of_a_table_are_added_up) {
    GIVEN(trib_word_table) table = {0};
    trib_error error = {0};
    EXPECT_OK(trib_word_table_add(&table, 2, 5, .5F, &error));
    EXPECT_OK(trib_word_table_add(&table, 0, 4, .25F, &error));
    EXPECT_OK(trib_word_table_add(&table, 2, 5, .125F, &error));
    EXPECT_OK(trib_word_table_settle(&table, 6, &error));
    CHECK(table.n == 2 && table.start[0] == 0 && table.start[1] == 1 && table.start[2] == 1);
    EXPECT(table.start[3] == 2 && table.start[6] == 2);
    EXPECT(table.pair[0].source == 4 && table.pair[1].weight == .625F);
}

/* Two pairs of units, "a b" with "x y" and "a" with "x": by hand, one step of model 1 with .5 more
 * in each denominator gives p(x|a) = 1.5 / 2.5, p(y|a) = .5 / 2.5, p(x|b) = p(y|b) = .5 / 1.5. The
 * following steps make x the word of a and y that of b. */
TEST(pairs_of_units_teach_which_words_stand_for_each_other) {
    GIVEN(trib_word_table) table = {0};
    trib_error error = {0};
    trib_unit_pair pair[] = {{0, 0, 1}, {1, 1, 1}};
    const trib_unit_pairs pairs = {.pair = pair, .n = 2};
    const trib_unit_texts texts = {&target.units, &source.units, 4, 1};
    begin(&target);
    begin(&source);
    begin_unit(&target), add_word(&target, 0), add_word(&target, 1), target.units.n++;
    begin_unit(&target), add_word(&target, 0), target.units.n++;
    begin_unit(&source), add_word(&source, 2), add_word(&source, 3), source.units.n++;
    begin_unit(&source), add_word(&source, 2), source.units.n++;
    EXPECT_OK(trib_word_table_learn(&table, &texts, &pairs, &error));
    EXPECT_OK(trib_word_table_settle(&table, 4, &error));
    double weight[2][2] = {{0}};
    for (size_t i = 0; i < table.n; i++)
        weight[table.pair[i].target][table.pair[i].source - 2] = (double)table.pair[i].weight;
    EXPECT(weight[0][0] > .7 && weight[1][1] > .4);
    EXPECT(weight[0][1] < .2 && weight[1][0] < .2);
    EXPECT(weight[0][0] < .8); /* 2 of 2.5: a word seen twice stays doubtful */
}

/* ---- Scores ---------------------------------------------------------------------------------- */

static double idf(const trib_units *units, uint32_t word) {
    uint32_t n = 0;
    for (uint32_t u = 0; u < units->n; u++)
        for (size_t w = units->start[u]; w < units->start[u + 1]; w++) n += units->word[w] == word;
    return n > 0 ? log((double)units->n / n) : 0;
}

/* The cosine of units i and j, from the formula. */
static double cosine(const trib_unit_texts *texts, const trib_word_table *table, uint32_t i,
                     uint32_t j) {
    static double q[2000], y[2000];
    double qq = 0, yy = 0, qy = 0;
    memset(q, 0, sizeof q);
    memset(y, 0, sizeof y);
    for (size_t k = texts->target->start[i]; k < texts->target->start[i + 1]; k++)
        for (size_t e = 0; e < table->n; e++)
            if (table->pair[e].target == texts->target->word[k])
                q[table->pair[e].source] += idf(texts->target, texts->target->word[k]) *
                                            (double)table->pair[e].weight *
                                            idf(texts->source, table->pair[e].source);
    for (size_t k = texts->source->start[j]; k < texts->source->start[j + 1]; k++)
        y[texts->source->word[k]] = idf(texts->source, texts->source->word[k]);
    for (int w = 0; w < 2000; w++) qq += q[w] * q[w], yy += y[w] * y[w], qy += q[w] * y[w];
    return qq > 0 && yy > 0 ? qy / sqrt(qq * yy) : 0;
}

static int descending(const void *left, const void *right) {
    const double x = *(const double *)left, y = *(const double *)right;
    return (x < y) - (x > y);
}

/* The mean of the 5 best of n numbers, `step` apart. */
static double best_five(const double *x, int n, int step) {
    double all[64];
    for (int k = 0; k < n; k++) all[k] = x[k * step];
    qsort(all, (size_t)n, sizeof *all, descending);
    return (all[0] + all[1] + all[2] + all[3] + all[4]) / 5;
}

enum { N = 16 }; /* fewer than the scores that are kept of a row */

static void check_scores(uint32_t reach) {
    static double c[N][N], m[N][N];
    GIVEN(trib_word_table) seeds = {0};
    GIVEN(trib_unit_pairs) pairs = {0};
    trib_error error = {0};
    const trib_unit_texts texts = {&target.units, &source.units, 2000, 2};
    const int most = (int)reach;
    make(&target, &source, N, 0, N, 0);
    source.units.n = N;
    for (uint32_t u = 0; u < N; u++) { /* a word once a unit */
        for (size_t w = target.start[u], k = 0; w < target.start[u + 1]; w++, k++)
            target.word[w] = (uint32_t)(60 * k + w * w % 97 % 60);
        for (size_t w = source.start[u], k = 0; w < source.start[u + 1]; w++, k++)
            source.word[w] = (uint32_t)(1000 + 60 * k + w * w % 89 % 60);
    }
    seed(&seeds, 1);
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t j = 0; j < N; j++) c[i][j] = cosine(&texts, &seeds, i, j);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            m[i][j] = c[i][j];
            for (int d = -most; d <= most; d++)
                if (d != 0 && i + d >= 0 && i + d < N && j + d >= 0 && j + d < N)
                    m[i][j] += c[i + d][j + d] / 2;
        }
    EXPECT_OK(trib_unit_pairs_find(&pairs, &texts, &seeds, reach, 1, 1e9, &error));
    EXPECT(pairs.n > 0);
    for (size_t p = 0; p < pairs.n; p++) {
        const uint32_t i = pairs.pair[p].target, j = pairs.pair[p].source;
        const double of_row = best_five(m[i], N, 1), of_column = best_five(&m[0][j], N, N);
        EXPECT_NEAR((double)pairs.pair[p].score, m[i][j] - of_row / 2 - of_column / 2, 1e-5);
        EXPECT(pairs.best[i] == j && (p == 0 || pairs.pair[p - 1].score >= pairs.pair[p].score));
        for (uint32_t k = 0; k < N; k++) {
            EXPECT(m[i][k] <= 0 ||
                   m[i][k] - best_five(&m[0][k], N, N) / 2 <= m[i][j] - of_column / 2 + 1e-5);
            EXPECT(m[k][j] <= 0 ||
                   m[k][j] - best_five(m[k], N, 1) / 2 <= m[i][j] - of_row / 2 + 1e-5);
        }
    }
}

TEST(scores_are_those_of_the_formula) {
    check_scores(1);
    check_scores(2);
}

/* ---- Passages -------------------------------------------------------------------------------- */

TEST(a_planted_passage_is_found_with_seeds_for_few_words) {
    GIVEN(trib_word_table) seeds = {0};
    GIVEN(trib_translations) found = {0};
    trib_error error = {0};
    const trib_unit_texts texts = {&target.units, &source.units, 2000, 1};
    make(&target, &source, 400, 100, 220, 50);
    seed(&seeds, 3);
    EXPECT_OK(trib_translations_find(&found, &texts, &seeds, &error));
    uint32_t n_right = 0;
    for (size_t k = 0; k < found.n; k++) {
        const trib_translated_passage *const p = &found.passage[k];
        if (p->first + 50 == p->from + 100) n_right += p->last - p->first + 1;
        EXPECT(p->n_pairs >= 2 && p->last >= p->first && p->to >= p->from);
        EXPECT(k == 0 || p->first >= p[-1].first);
    }
    EXPECT(n_right >= 110 && found.n_covered <= n_right + 8);
    EXPECT(found.n_covered_by_chance <= 8 && found.learnt.n > 200);
    size_t n_taught = 0; /* words that had no seeds */
    for (size_t i = 0; i < found.learnt.n; i++)
        n_taught += found.learnt.pair[i].target % 3 > 0 &&
                    found.learnt.pair[i].source == 1000 + found.learnt.pair[i].target;
    EXPECT(n_taught > 80);
    for (uint32_t i = 110; i < 210; i++) EXPECT(found.best[i] == i - 50);
}

TEST(texts_that_have_nothing_in_common_give_nothing) {
    GIVEN(trib_word_table) seeds = {0};
    GIVEN(trib_translations) found = {0};
    trib_error error = {0};
    const trib_unit_texts texts = {&target.units, &source.units, 2000, 1};
    make(&target, &source, 400, 0, 0, 400);
    seed(&seeds, 1);
    EXPECT_OK(trib_translations_find(&found, &texts, &seeds, &error));
    EXPECT(found.n_covered <= 8);
}

TEST(the_number_of_threads_changes_nothing) {
    GIVEN(trib_word_table) seeds = {0};
    trib_translations found[2];
    trib_error error = {0};
    make(&target, &source, 400, 100, 220, 50);
    seed(&seeds, 3);
    for (int k = 0; k < 2; k++) {
        const trib_unit_texts texts = {&target.units, &source.units, 2000, k == 0 ? 1 : 5};
        EXPECT_OK(trib_translations_find(&found[k], &texts, &seeds, &error));
    }
    CHECK(found[0].n == found[1].n && found[0].learnt.n == found[1].learnt.n);
    EXPECT(memcmp(found[0].passage, found[1].passage, found[0].n * sizeof *found[0].passage) == 0);
    EXPECT(memcmp(found[0].learnt.pair, found[1].learnt.pair,
                  found[0].learnt.n * sizeof *found[0].learnt.pair) == 0);
    EXPECT(memcmp(found[0].best, found[1].best, 400 * sizeof *found[0].best) == 0);
    trib_translations_release(&found[0]);
    trib_translations_release(&found[1]);
}

/* ---- Odd texts ------------------------------------------------------------------------------- */

/* Units without words, one unit, and equal units have no passages; the last are 10^5, in which no
 * word is rare, so that no score is computed. */
TEST(odd_texts_give_nothing) {
    GIVEN(trib_word_table) seeds = {0};
    trib_error error = {0};
    static size_t start[100001];
    static uint32_t word[2][100000];
    static const uint32_t number[] = {0, 1, 2, 100000};
    seed(&seeds, 1);
    for (uint32_t i = 0; i < 100000; i++) word[1][i] = 1000;
    for (int k = 0; k < 4; k++) {
        GIVEN(trib_translations) found = {0};
        const trib_units units = {start, word[0], number[k]}, others = {start, word[1], number[k]};
        const trib_unit_texts texts = {&units, &others, 2000, 2};
        for (uint32_t i = 0; i < number[k]; i++) start[i + 1] = k == 2 ? 0 : i + 1;
        EXPECT_OK(trib_translations_find(&found, &texts, &seeds, &error));
        EXPECT(found.n == 0 && found.n_covered == 0);
    }
}

static trib_status attempt(void *context, trib_error *error) {
    GIVEN(trib_translations) found = {0};
    const trib_unit_texts texts = {&target.units, &source.units, 2000, 1};
    const trib_status status = trib_translations_find(&found, &texts, context, error);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    GIVEN(trib_word_table) seeds = {0};
    make(&target, &source, 60, 0, 60, 0);
    seed(&seeds, 1);
    EXPECT(trib_fail_every_allocation(attempt, &seeds) > 50);
}

TEST(a_stop_ends_the_rounds) {
    GIVEN(trib_word_table) seeds = {0};
    make(&target, &source, 60, 0, 60, 0);
    seed(&seeds, 1);
    EXPECT(trib_stop_at_every_look(attempt, &seeds) > 12);
}
