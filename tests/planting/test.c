/* test.c - tests of planting.c. The expected targets come from an independent program in
 * another language that draws the same random numbers. */
#include "tests/test.h"
#include "tests/planting/planting.h"

TESTS(planting, test);

enum { N_SOURCES = 3, LONGEST = 40 };

/* Source s holds 1000 (s + 1), 1000 (s + 1) + 1, ...; the author's own text 9000, 9001, ... */
typedef struct texts {
    uint32_t word[N_SOURCES + 1][LONGEST];
    trib_synth_text text[N_SOURCES];
} texts;

static trib_synth_plan plan_of(texts *t, size_t n_sources, const size_t *length, size_t own_length,
                               const double *fraction) {
    for (size_t s = 0; s <= N_SOURCES; s++)
        for (uint32_t i = 0; i < LONGEST; i++)
            t->word[s][i] = (s < N_SOURCES ? 1000 * ((uint32_t)s + 1) : 9000) + i;
    for (size_t s = 0; s < n_sources; s++) t->text[s] = (trib_synth_text){t->word[s], length[s]};
    return (trib_synth_plan){.source = t->text,
                             .fraction = fraction,
                             .n_sources = n_sources,
                             .own = {t->word[N_SOURCES], own_length}};
}

static trib_synth_plan three_sources(texts *t) {
    static const double fraction[] = {.3, .25, .1};
    trib_synth_plan plan = plan_of(t, 3, (const size_t[]){20, 9, 3}, 40, fraction);
    plan.n_words = 40;
    plan.run_length = 4;
    plan.seed = 1;
    return plan;
}

static trib_synth_plan two_noisy_sources(texts *t) {
    static const double fraction[] = {.5, .35};
    trib_synth_plan plan = plan_of(t, 2, (const size_t[]){20, 9}, 11, fraction);
    plan.n_words = 40;
    plan.run_length = 6;
    plan.noise = .3;
    plan.seed = UINT64_C(12345678901234567890);
    return plan;
}

static trib_synth planted(const trib_synth_plan *plan) {
    trib_synth synth;
    trib_error error = {0};
    EXPECT_OK(trib_synth_plant(&synth, plan, &error));
    return synth;
}
/* A planted target that is released at the end of its block. */
#define PLANTED(name, plan)                                                                        \
    __attribute__((cleanup(trib_synth_release))) trib_synth name = planted(plan)

static void expect_words(const trib_synth *synth, const uint32_t *word, size_t n) {
    CHECK(synth->n_words == n);
    for (size_t i = 0; i < n; i++) EXPECT(synth->word[i] == word[i]);
}

TEST(a_plan_gives_the_reference_target) {
    static const uint32_t wanted[] = {1016, 1017, 1018, 1019, 2000, 2001, 3000, 2004, 2005, 2006,
                                      2007, 1012, 1013, 1014, 1015, 2000, 2001, 2002, 2003, 9029,
                                      9030, 9017, 9018, 9019, 9020, 3000, 3001, 3002, 9025, 9026,
                                      9027, 9028, 1000, 1001, 1002, 1003, 9021, 9022, 9023, 9024};
    texts t;
    const trib_synth_plan plan = three_sources(&t);
    PLANTED(synth, &plan);
    expect_words(&synth, wanted, 40);
    EXPECT(synth.n_runs == 12);
    double words[4], ngrams[4];
    trib_synth_truth(&synth, 3, 3, words, ngrams);
    EXPECT_NEAR(words[0], 12 / 40., 1e-15);
    EXPECT_NEAR(words[1], 10 / 40., 1e-15);
    EXPECT_NEAR(words[2], 4 / 40., 1e-15);
    EXPECT_NEAR(words[3], 14 / 40., 1e-15);
    EXPECT_NEAR(ngrams[0], 6 / 38., 1e-15);
    EXPECT_NEAR(ngrams[1], 4 / 38., 1e-15);
    EXPECT_NEAR(ngrams[2], 1 / 38., 1e-15);
    EXPECT_NEAR(ngrams[3], 27 / 38., 1e-15);
}

TEST(noise_replaces_the_words_the_reference_replaces) {
    static const uint32_t wanted[] = {1000, 9009, 1002, 1003, 1004, 9000, 9003, 9004, 9005, 9006,
                                      9007, 9008, 1012, 9009, 1014, 1015, 9010, 1017, 1006, 9010,
                                      2000, 2001, 9003, 2001, 2002, 2003, 2004, 2005, 2000, 2001,
                                      2002, 2003, 2004, 2005, 1006, 1007, 1008, 1009, 1010, 9002};
    texts t;
    const trib_synth_plan plan = two_noisy_sources(&t);
    PLANTED(synth, &plan);
    expect_words(&synth, wanted, 40);
    /* 1002 1003 1004, then 1006 .. 1010; 2001 .. 2005 after one altered word, then 2000 .. 2005 */
    double words[3], ngrams[3];
    trib_synth_truth(&synth, 2, 3, words, ngrams);
    EXPECT_NEAR(words[0], 20 / 40., 1e-15);
    EXPECT_NEAR(words[1], 14 / 40., 1e-15);
    EXPECT_NEAR(ngrams[0], (1 + 3) / 38., 1e-15);
    EXPECT_NEAR(ngrams[1], (3 + 4) / 38., 1e-15);
    EXPECT_NEAR(ngrams[2], (38 - 11) / 38., 1e-15);
}

TEST(every_word_comes_from_the_place_its_run_names) {
    texts t;
    const trib_synth_plan plan = three_sources(&t);
    PLANTED(synth, &plan);
    size_t at = 0;
    for (size_t r = 0; r < synth.n_runs; r++) {
        const trib_synth_run *run = &synth.run[r];
        EXPECT(run->first == at);
        for (size_t i = 0; i < run->n; i++, at++)
            EXPECT(synth.word[at] == t.word[run->source][run->place + i]);
    }
    EXPECT(at == synth.n_words);
}

TEST(a_passage_is_quoted_as_often_as_asked) {
    static const double fraction[] = {.5};
    texts t;
    trib_synth_plan plan = plan_of(&t, 1, (const size_t[]){40}, 40, fraction);
    size_t n_at[LONGEST] = {0};
    plan.n_words = 40;
    plan.run_length = 5;
    plan.repeats = 4;
    PLANTED(synth, &plan);
    for (size_t r = 0; r < synth.n_runs; r++)
        if (synth.run[r].source == 0) n_at[synth.run[r].place]++;
    size_t n_places = 0;
    for (size_t i = 0; i < LONGEST; i++) {
        EXPECT(n_at[i] == 0 || n_at[i] == 4);
        n_places += n_at[i] > 0;
    }
    EXPECT(n_places == 1);
    double words[2], ngrams[2];
    trib_synth_truth(&synth, 1, 3, words, ngrams);
    EXPECT_NEAR(words[0], .5, 1e-15);
    EXPECT_NEAR(ngrams[0], 4 * 3 / 38., 1e-15);
}

/* A window counts when its words follow each other in the source, whatever was done to the run. */
TEST(the_truth_counts_unbroken_windows) {
    static const double fraction[] = {.6};
    texts t;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        trib_synth_plan plan = plan_of(&t, 1, (const size_t[]){40}, 40, fraction);
        plan.n_words = 40;
        plan.run_length = 12;
        plan.seed = seed;
        plan.deleted = seed % 3 == 0 ? .2 : 0;
        plan.inserted = seed % 3 == 1 ? .2 : 0;
        plan.piece = seed % 3 == 2 ? 4 : 0;
        PLANTED(synth, &plan);
        size_t n_unbroken = 0, n_copied = 0;
        for (size_t i = 0; i < synth.n_words; i++) {
            const uint32_t *w = synth.word + i;
            n_copied += *w < 9000;
            if (i + 3 <= synth.n_words && w[0] < 9000 && w[1] == w[0] + 1 && w[2] == w[0] + 2)
                n_unbroken++;
        }
        double words[2], ngrams[2];
        trib_synth_truth(&synth, 1, 3, words, ngrams);
        /* Runs that happen to continue each other make windows that no single run holds. */
        size_t n_across = 0;
        for (size_t r = 0; r + 1 < synth.n_runs; r++) {
            const size_t last = synth.run[r + 1].first - 1;
            if (synth.word[last] < 9000 && synth.word[last + 1] == synth.word[last] + 1)
                n_across += 2;
        }
        const double counted = ngrams[0] * (double)(synth.n_words - 2);
        EXPECT(counted <= (double)n_unbroken + 1e-9);
        EXPECT(counted + (double)n_across >= (double)n_unbroken - 1e-9);
        EXPECT(counted < (double)n_copied - 2);
        if (plan.deleted > 0) EXPECT(n_copied <= 24);
        if (plan.inserted > 0 || plan.piece > 0) EXPECT(n_copied == 24);
    }
}

TEST(a_source_shorter_than_a_run_is_copied_again_and_again) {
    texts t;
    static const double all[] = {1};
    trib_synth_plan plan = plan_of(&t, 1, (const size_t[]){7}, 0, all);
    plan.n_words = 10;
    plan.run_length = 50;
    PLANTED(synth, &plan);
    EXPECT(synth.n_words == 10 && synth.n_runs == 2);
    double words[2], ngrams[2];
    trib_synth_truth(&synth, 1, 3, words, ngrams);
    EXPECT(words[0] == 1 && words[1] == 0);
    EXPECT_NEAR(ngrams[0], 6 / 8., 1e-15);
    trib_synth_truth(&synth, 1, 11, words, ngrams); /* no window so long */
    EXPECT(ngrams[0] == 0 && ngrams[1] == 0);
}

TEST(a_target_without_sources_is_all_its_author_s) {
    texts t;
    trib_synth_plan plan = plan_of(&t, 0, NULL, 1, NULL);
    plan.n_words = 5;
    plan.run_length = 2;
    PLANTED(synth, &plan);
    expect_words(&synth, (const uint32_t[]){9000, 9000, 9000, 9000, 9000}, 5);
    double words[1], ngrams[1];
    trib_synth_truth(&synth, 0, 3, words, ngrams);
    EXPECT(words[0] == 1 && ngrams[0] == 1);
}

TEST(an_inconsistent_plan_is_rejected) {
    static const double too_much[] = {.6, .5, 0}, negative[] = {-.1, 0, 0};
    texts t;
    trib_synth synth;
    trib_synth_plan plan[10];
    for (size_t i = 0; i < 10; i++) plan[i] = three_sources(&t);
    trib_synth_text empty[3] = {t.text[0], {NULL, 0}, t.text[2]};
    plan[0].n_words = 0;
    plan[1].run_length = 0;
    plan[2].noise = 1.5;
    plan[3].noise = NAN;
    plan[4].fraction = too_much;
    plan[5].fraction = negative;
    plan[6].own.n = 0;
    plan[7].source = empty;
    plan[8].deleted = -.5;
    plan[9].inserted = 1.5;
    for (size_t i = 0; i < 10; i++) {
        trib_error error = {0};
        EXPECT(trib_synth_plant(&synth, &plan[i], &error) == TRIB_USAGE);
        EXPECT(error.message[0] != '\0' && !synth.word && !synth.run);
    }
}

static trib_status attempt(void *context, trib_error *error) {
    trib_synth synth;
    const trib_status status = trib_synth_plant(&synth, context, error);
    if (status == TRIB_OK) trib_synth_release(&synth);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    texts t;
    trib_synth_plan plan = three_sources(&t);
    plan.n_words = 20000; /* more than a few blocks of the arena hold */
    plan.inserted = plan.deleted = .3;
    plan.piece = 2;
    EXPECT(trib_fail_every_allocation(attempt, &plan) > 8);
}
