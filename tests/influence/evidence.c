/* evidence.c - tests of influence/evidence.c. */
#include "influence/evidence.h"
#include "tests/influence/texts.h"

TESTS(influence, evidence);

static trib_influence *measure(const trib_influence_case *c, int32_t background) {
    return trib_measured(c, "anchored", &(trib_influence_options){.background = background});
}

/* The evidence of source s. It is there until the next call but one. */
static trib_evidence *build(const trib_influence_case *c, const trib_influence *result, size_t s) {
    static trib_evidence both[2];
    static size_t n_calls;
    trib_evidence *evidence = &both[n_calls++ % 2], all[TRIB_MAX_TEXTS] = {{0}};
    trib_error error = {0};
    trib_evidence_release(evidence);
    EXPECT_OK(trib_evidence_build(all, c, result, 3, &error));
    for (size_t other = 0; other < result->n_sources; other++)
        if (other != s) trib_evidence_release(&all[other]);
    *evidence = all[s];
    trib_influence_case with = *c; /* an overlap made before gives the same evidence */
    struct trib_overlap *overlap;
    EXPECT_OK(trib_overlap_of_listed(&overlap, c, result, &error));
    with.overlap = overlap;
    EXPECT_OK(trib_evidence_build(all, &with, result, 1, &error));
    EXPECT(all[s].n_phrases == evidence->n_phrases && all[s].share == evidence->share);
    for (size_t other = 0; other < result->n_sources; other++) trib_evidence_release(&all[other]);
    trib_overlap_free(overlap);
    CHECK(evidence->n_phrases == 0 || evidence->phrase);
    return evidence;
}

/* Bigrams, no background: target and source share only "a b", which is half of either. */
TEST(a_small_case_worked_by_hand) {
    trib_texts *texts = TEXTS(2, "a b c", "a b d", "x a b", "b a");
    trib_influence_case c = trib_texts_case(texts, 0);
    c.n_sources = 1;
    trib_influence *result = measure(&c, 0);
    trib_evidence *evidence = build(&c, result, 0);
    EXPECT(evidence->target == 0 && evidence->source == 1);
    CHECK(evidence->n_phrases == 1 && evidence->n_factors == 1);
    const trib_phrase *phrase = evidence->phrase;
    EXPECT(phrase->in_target == 1 && phrase->in_source == 1 && phrase->n_other_documents == 1);
    EXPECT(trib_texts_times(texts, 0, phrase->word) == 1 &&
           trib_texts_times(texts, 1, phrase->word) == 1);
    EXPECT_NEAR(phrase->mass, result->share[0], 1e-15);
    const trib_evidence_factor *factor = evidence->factor; /* a tie: the last mode is free */
    EXPECT(factor->free_mode == 1 && factor->fixed[0] == phrase->word[0] && factor->n == 1);
    EXPECT(factor->fixed[1] == TRIB_NO_FREE_WORD && evidence->free_word[0] == phrase->word[1]);
    EXPECT_NEAR(factor->mass, result->share[0], 1e-15);
}

TEST(phrases_are_attested_in_both_texts_with_their_counts) {
    trib_texts *texts = trib_texts_invented(3, 800, "...0");
    const trib_influence_case c = trib_texts_case(texts, 3);
    trib_influence *result = measure(&c, -1);
    trib_evidence *evidence = build(&c, result, 0);
    CHECK(evidence->n_phrases > 50);
    for (size_t i = 0; i < evidence->n_phrases; i++) {
        const trib_phrase *phrase = &evidence->phrase[i];
        EXPECT(phrase->in_target > 0 &&
               phrase->in_target == trib_texts_times(texts, 3, phrase->word));
        EXPECT(phrase->in_source > 0 &&
               phrase->in_source == trib_texts_times(texts, 0, phrase->word));
        EXPECT(phrase->n_other_documents == (trib_texts_times(texts, 1, phrase->word) > 0) + 0u +
                                                (trib_texts_times(texts, 2, phrase->word) > 0));
        EXPECT(phrase->mass > 0 && (i == 0 || phrase->mass <= phrase[-1].mass));
    }
}

TEST(masses_add_up_to_the_share) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 800, "...0"), 3);
    for (int32_t background = -1; background <= 0; background++) {
        trib_influence *result = measure(&c, background);
        for (size_t s = 0; s < 3; s++) {
            trib_evidence *evidence = build(&c, result, s);
            const double tolerance = 1e-12 * result->share[s];
            double phrases = 0, factors = 0, words = 0;
            for (size_t i = 0; i < evidence->n_phrases; i++) phrases += evidence->phrase[i].mass;
            for (size_t f = 0; f < evidence->n_factors; f++) {
                const trib_evidence_factor *factor = &evidence->factor[f];
                double mass = 0;
                factors += factor->mass;
                EXPECT(f == 0 || factor->mass <= factor[-1].mass * (1 + 1e-12));
                for (size_t i = 0; i < factor->n; i++)
                    mass += evidence->free_mass[factor->first + i];
                EXPECT_NEAR(mass, factor->mass, tolerance);
                words += mass;
            }
            EXPECT_NEAR(evidence->share, result->share[s], tolerance);
            EXPECT_NEAR(phrases, result->share[s], tolerance);
            EXPECT_NEAR(factors, result->share[s], tolerance);
            EXPECT_NEAR(words, result->share[s], tolerance);
        }
    }
}

/* Every word of every fibre, with the fibre's fixed words, is one of the phrases, and none comes
 * twice. */
TEST(factors_are_made_of_phrases) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 800, "...0"), 3);
    trib_influence *result = measure(&c, -1);
    trib_evidence *evidence = build(&c, result, 0);
    double *left = calloc(evidence->n_phrases, sizeof *left);
    CHECK(left != NULL);
    for (size_t i = 0; i < evidence->n_phrases; i++) left[i] = evidence->phrase[i].mass;
    for (size_t f = 0; f < evidence->n_factors; f++) {
        const trib_evidence_factor *factor = &evidence->factor[f];
        for (size_t w = factor->first; w < factor->first + factor->n; w++) {
            size_t i = 0, n_same = 0;
            for (; i < evidence->n_phrases; i++, n_same = 0) {
                for (uint32_t m = 0; m < 3; m++)
                    n_same += evidence->phrase[i].word[m] ==
                              (m == factor->free_mode ? evidence->free_word[w] : factor->fixed[m]);
                if (n_same == 3) break;
            }
            CHECK(i < evidence->n_phrases);
            left[i] -= evidence->free_mass[w];
        }
    }
    for (size_t i = 0; i < evidence->n_phrases; i++) EXPECT_NEAR(left[i], 0, 1e-18);
    free(left);
}

TEST(a_source_without_a_share_has_no_evidence) {
    trib_texts *texts = TEXTS(3, "a b c d", "x y z", "", "a b c");
    for (uint32_t target = 0; target < 3; target++) {
        const trib_influence_case c = trib_texts_case(texts, target);
        const trib_influence_options options = {.n_threads = 1};
        trib_influence *result = trib_measured(&c, "anchored", &options);
        for (size_t s = 0; s < 3; s++) {
            trib_evidence *evidence = build(&c, result, s);
            EXPECT((evidence->n_phrases > 0) == (target == 0 && s == 2));
            EXPECT((evidence->share > 0) == (target == 0 && s == 2));
        }
    }
}

TEST(the_authors_evidence_is_the_n_grams_no_source_holds) {
    GIVEN(trib_evidence) own = {0};
    trib_error error = {0};
    /* bigrams of the target: ab, bc and twice xy; the third text, which is not a source, also has
     * one of them */
    trib_influence_case c = trib_texts_case(TEXTS(2, "a b c q x y x y", "a b d", "b c"), 0);
    c.n_sources = 1;
    EXPECT_OK(trib_evidence_of_author(&own, &c, &error));
    CHECK(own.n_phrases == 5); /* bc cq qx xy yx */
    EXPECT(own.source == 0 && own.phrase[0].in_target == 2 && own.phrase[0].in_source == 0);
    EXPECT_NEAR(own.phrase[0].mass, 2 / 7.0, 1e-15);
    EXPECT_NEAR(own.share, 6 / 7.0, 1e-15);
    size_t n_others = 0;
    for (size_t i = 0; i < 5; i++) n_others += own.phrase[i].n_other_documents;
    EXPECT(n_others == 1);
}

/* Compares field by field, because padding bytes are undefined. */
static bool same_phrases(const trib_phrase *a, const trib_phrase *b, size_t n) {
    bool same = true;
    for (size_t p = 0; p < n; p++)
        same = same && memcmp(a[p].word, b[p].word, sizeof a[p].word) == 0 &&
               a[p].in_target == b[p].in_target && a[p].in_source == b[p].in_source &&
               a[p].n_other_documents == b[p].n_other_documents && a[p].mass == b[p].mass;
    return same;
}

TEST(phrases_removed_by_a_cut_are_still_counted) {
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 800, "...0"), 3);
    trib_influence *result = measure(&c, -1);
    trib_evidence *whole = build(&c, result, 0);
    trib_evidence *cut = build(&c, result, 0);
    trib_evidence_cut(cut, 7);
    EXPECT(cut->n_phrases == 7 && cut->n_all_phrases == whole->n_phrases && cut->n_factors == 7);
    EXPECT(cut->n_all_factors == whole->n_factors && cut->share == whole->share);
    EXPECT(same_phrases(cut->phrase, whole->phrase, 7));
    for (size_t f = 0; f < 7; f++) {
        CHECK(cut->factor[f].n == whole->factor[f].n);
        EXPECT(memcmp(cut->free_word + cut->factor[f].first,
                      whole->free_word + whole->factor[f].first,
                      cut->factor[f].n * sizeof *cut->free_word) == 0);
    }
    trib_evidence_cut(cut, 0);
    EXPECT(cut->n_phrases == 0 && cut->n_all_phrases == whole->n_phrases);
}

typedef struct measured {
    trib_influence_case c;
    trib_influence *result;
} measured;

static trib_status build_once(void *context, trib_error *error) {
    const measured *m = context;
    GIVEN(trib_evidence) evidence = {0};
    size_t *order = NULL;
    trib_status status = trib_evidence_build(&evidence, &m->c, m->result, 1, error);
    if (status == TRIB_OK) status = trib_evidence_rank(&order, &evidence, 4, error);
    trib_evidence_release(&evidence);
    trib_free(order);
    if (status == TRIB_OK) status = trib_evidence_of_author(&evidence, &m->c, error);
    return status;
}

TEST(failing_allocations_are_reported_and_a_stop_request_is_obeyed) {
    trib_texts *texts = TEXTS(2, "a b c d e", "a b c e d e");
    measured m = {.c = trib_texts_case(texts, 0)};
    m.result = measure(&m.c, 0);
    EXPECT(trib_fail_every_allocation(build_once, &m) > 15);
    EXPECT(trib_stop_at_every_look(build_once, &m) > 5);
}

/* With `traced`, an n-gram has at most the mass of its occurrences, and the masses sum to the
 * share. */
TEST(the_evidence_of_traced_is_each_sources_credit) {
    trib_texts *texts = trib_texts_invented(3, 800, "...0");
    const trib_influence_case c = trib_texts_case(texts, 3);
    trib_influence *result = trib_measured(&c, "traced", NULL);
    for (size_t s = 0; s < 3; s++) {
        double phrases = 0, factors = 0;
        trib_evidence *evidence = build(&c, result, s);
        for (size_t i = 0; i < evidence->n_phrases; i++) {
            const trib_phrase *phrase = &evidence->phrase[i];
            phrases += phrase->mass;
            EXPECT(phrase->in_target == trib_texts_times(texts, 3, phrase->word));
            EXPECT(phrase->in_source > 0 &&
                   phrase->in_source == trib_texts_times(texts, s, phrase->word));
            EXPECT(phrase->mass * (double)texts->counts[3].total <= phrase->in_target + 1e-9);
        }
        for (size_t f = 0; f < evidence->n_factors; f++) factors += evidence->factor[f].mass;
        EXPECT_NEAR(phrases, result->share[s], 1e-12);
        EXPECT_NEAR(factors, result->share[s], 1e-12);
    }
}

/* Of 4 documents, log(5 / those that hold the phrase): the third phrase, .1 log(5/2) = .0916,
 * before the first, .3 log(5/4) = .0669, before the second and the last, both .05 log(5/3) = .0255,
 * in their order. */
TEST(phrases_are_ranked_by_mass_and_rarity) {
    static const size_t expected[] = {2, 0, 1, 3};
    trib_phrase phrase[] = {{.mass = .3, .n_other_documents = 2},
                            {.mass = .05, .n_other_documents = 1},
                            {.mass = .1, .n_other_documents = 0},
                            {.mass = .05, .n_other_documents = 1}};
    const trib_evidence evidence = {.phrase = phrase, .n_phrases = 4};
    trib_error error = {0};
    size_t *order;
    EXPECT_NEAR(trib_phrase_weight(&phrase[0], 4), .22314355131420976, 1e-15);
    EXPECT_NEAR(trib_phrase_weight(&phrase[2], 2), .40546510810816438, 1e-15);
    EXPECT_OK(trib_evidence_rank(&order, &evidence, 4, &error));
    for (size_t p = 0; p < 4; p++) EXPECT(order[p] == expected[p]);
    trib_free(order);
    EXPECT_OK(trib_evidence_rank(&order, &(trib_evidence){0}, 4, &error));
    trib_free(order);
}

/* "a b" occurs three times in the target and in all eight texts, "p q" once in the target and in
 * two texts. */
TEST(a_rare_phrase_comes_before_a_common_one_of_more_mass) {
    static const char *const text[] = {"a b x a b y a b z p q r",
                                       "a b u a b v p q w",
                                       "a b c",
                                       "d a b",
                                       "a b e",
                                       "f a b",
                                       "a b g",
                                       "h a b"};
    trib_error error = {0};
    size_t *order;
    trib_influence_case c =
        trib_texts_case(trib_texts_count(2, text, sizeof text / sizeof *text), 0);
    c.n_sources = 1;
    trib_influence *result = measure(&c, 0);
    trib_evidence *evidence = build(&c, result, 0);
    CHECK(evidence->n_phrases == 2);
    EXPECT(evidence->phrase[0].in_target == 3 && evidence->phrase[0].n_other_documents == 6);
    EXPECT(evidence->phrase[1].in_target == 1 && evidence->phrase[1].n_other_documents == 0);
    EXPECT_OK(trib_evidence_rank(&order, evidence, c.n_documents, &error));
    EXPECT(order[0] == 1 && order[1] == 0);
    trib_free(order);
}
