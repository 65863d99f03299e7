/* sketch.c - tests of influence/candidates/sketch.c. */
#include "tests/influence/candidates/corpus.h"

TESTS(candidates, sketch);

static void sketch_at(trib_sketch *sketch, const drawn_corpus *corpus, uint32_t d, uint32_t rate) {
    CHECK(trib_sketch_build(sketch, &corpus->document[d], d, &(trib_sketch_options){.rate = rate},
                            NULL) == TRIB_OK);
}

TEST(a_sketch_at_rate_one_holds_every_ngram) {
    for (uint32_t n_modes = 1; n_modes <= 5; n_modes++) {
        GIVEN(trib_sketch) sketch = {0};
        drawn_corpus *corpus = drawn_corpus_init(n_modes, 3, 50, 1000);
        drawn_corpus_count(corpus, n_modes);
        for (uint32_t d = 0; d < 3; d++) {
            uint64_t total = 0;
            sketch_at(&sketch, corpus, d, 1);
            EXPECT(sketch.n == corpus->counts[d].nnz);
            for (size_t i = 0; i < sketch.n; i++) {
                total += sketch.entry[i].count;
                EXPECT(sketch.entry[i].document == d);
                EXPECT(i == 0 || sketch.entry[i].hash > sketch.entry[i - 1].hash);
            }
            EXPECT(total == corpus->counts[d].total);
        }
    }
}

/* Within five standard deviations of n/s, too. */
TEST(sketches_nest_and_sample_one_in_s) {
    GIVEN(trib_sketch) all = {0}, some = {0};
    drawn_corpus *corpus = drawn_corpus_init(1, 1, 5000, 40000);
    drawn_corpus_count(corpus, 3);
    sketch_at(&all, corpus, 0, 1);
    for (uint32_t rate = 1; rate <= 64; rate *= 2) {
        size_t n = 0;
        sketch_at(&some, corpus, 0, rate);
        for (size_t i = 0; i < all.n; i++) {
            if (all.entry[i].hash % rate != 0) continue;
            CHECK(n < some.n);
            EXPECT(memcmp(&all.entry[i], &some.entry[n++], sizeof *some.entry) == 0);
        }
        EXPECT(n == some.n);
        const double mean = (double)all.n / rate;
        EXPECT_NEAR((double)some.n, mean, 5 * sqrt(mean) + 1e-9);
    }
    EXPECT(trib_sketch_build(&some, &corpus->document[0], 0, &(trib_sketch_options){.rate = 3},
                             NULL) == TRIB_INTERNAL);
}

/* The same text with the vocabulary in reverse. */
TEST(hashes_of_words_make_sketches_of_other_vocabularies_equal) {
    enum { WORDS = 300 };
    GIVEN(trib_sketch) a = {0}, b = {0};
    uint64_t hash[2][WORDS];
    drawn_corpus *one = drawn_corpus_init(7, 1, WORDS, 3000);
    drawn_corpus *other = drawn_corpus_init(7, 1, WORDS, 3000);
    for (uint32_t w = 0; w < WORDS; w++)
        hash[0][w] = hash[1][WORDS - 1 - w] = trib_checksum(&w, sizeof w);
    for (size_t i = 0; i < other->length[0]; i++) other->word[0][i] = WORDS - 1 - other->word[0][i];
    drawn_corpus_count(one, 3);
    drawn_corpus_count(other, 3);
    for (int with = 0; with < 2; with++) {
        CHECK(
            trib_sketch_build(&a, &one->document[0], 4,
                              &(trib_sketch_options){.rate = 2, .word_hash = with ? hash[0] : NULL},
                              NULL) == TRIB_OK);
        CHECK(
            trib_sketch_build(&b, &other->document[0], 4,
                              &(trib_sketch_options){.rate = 2, .word_hash = with ? hash[1] : NULL},
                              NULL) == TRIB_OK);
        CHECK(a.n > 0);
        EXPECT((a.n == b.n && memcmp(a.entry, b.entry, a.n * sizeof *a.entry) == 0) == with);
    }
}

TEST(wanted_ngrams_are_taken_at_any_rate) {
    GIVEN(trib_sketch) target = {0}, some = {0}, all = {0};
    GIVEN(trib_wanted_hashes) wanted = {0};
    drawn_corpus *corpus = drawn_corpus_init(3, 2, 60, 4000);
    drawn_corpus_count(corpus, 2);
    sketch_at(&target, corpus, 0, 1);
    sketch_at(&all, corpus, 1, 1);
    EXPECT(!trib_wanted_hashes_have(&wanted, 5) && !trib_wanted_hashes_have(&wanted, 0));
    CHECK(trib_wanted_hashes_add(&wanted, &target, NULL) == TRIB_OK);
    CHECK(trib_wanted_hashes_add(&wanted, &target, NULL) == TRIB_OK);
    EXPECT(wanted.n == target.n);
    CHECK(trib_sketch_build(&some, &corpus->document[1], 1,
                            &(trib_sketch_options){.rate = 1024, .wanted = &wanted},
                            NULL) == TRIB_OK);
    size_t n = 0, t = 0;
    for (size_t i = 0; i < all.n; i++) {
        const uint64_t hash = all.entry[i].hash;
        while (t < target.n && target.entry[t].hash < hash) t++;
        const bool is_wanted = t < target.n && target.entry[t].hash == hash;
        EXPECT(trib_wanted_hashes_have(&wanted, hash) == is_wanted);
        if (!is_wanted && hash % 1024 != 0) continue;
        CHECK(n < some.n);
        EXPECT(some.entry[n++].hash == hash);
    }
    EXPECT(n == some.n && n > 100 && n < all.n);
    CHECK(trib_sketch_build(&some, &corpus->document[1], 1,
                            &(trib_sketch_options){.rate = 4, .only = &wanted}, NULL) == TRIB_OK);
    n = 0;
    for (size_t i = 0; i < all.n; i++) {
        const uint64_t hash = all.entry[i].hash;
        if (hash % 4 != 0 || !trib_wanted_hashes_have(&wanted, hash)) continue;
        CHECK(n < some.n);
        EXPECT(some.entry[n].hash == hash && some.entry[n].count == all.entry[i].count);
        n++;
    }
    EXPECT(n == some.n && n > 20);
    target.entry[0].hash = 0;
    CHECK(trib_wanted_hashes_add(&wanted, &target, NULL) == TRIB_OK);
    EXPECT(trib_wanted_hashes_have(&wanted, 0));
}

/* 1.5 % of 18000 are 270: 33 samples at s = 8, 16 at s = 16. */
TEST(rates_leave_25_samples_of_a_hundredth_and_a_half) {
    EXPECT(trib_sketch_rate(18000, 301) == 8);
    EXPECT(trib_sketch_rate(18000, 300) == 1);
    EXPECT(trib_sketch_rate(3333, 1000) == 1);
    EXPECT(trib_sketch_rate(3334, 1000) == 2);
    EXPECT(trib_sketch_rate(0, 1000) == 1);
    EXPECT(trib_sketch_rate(UINT64_MAX, 1000) == UINT32_C(1) << 30);
    enum { N = 400 };
    uint64_t n_ngrams[N];
    uint8_t is_target[N];
    uint32_t rate;
    for (int d = 0; d < N; d++) {
        n_ngrams[d] = d < 90 ? 100 : 18000;
        is_target[d] = d < 100;
    }
    CHECK(trib_sketch_rate_of_corpus(&rate, n_ngrams, NULL, N, 0, NULL) == TRIB_OK);
    EXPECT(rate == 8); /* fewer than a quarter are short */
    CHECK(trib_sketch_rate_of_corpus(&rate, n_ngrams, is_target, N, 0, NULL) == TRIB_OK);
    EXPECT(rate == 1);
    CHECK(trib_sketch_rate_of_corpus(&rate, n_ngrams, NULL, N, 300000, NULL) == TRIB_OK);
    EXPECT(rate == 32);
    CHECK(trib_sketch_rate_of_corpus(&rate, n_ngrams, NULL, 300, 300000, NULL) == TRIB_OK);
    EXPECT(rate == 1);
    CHECK(trib_sketch_rate_of_corpus(&rate, n_ngrams, NULL, 0, 1, NULL) == TRIB_OK);
    EXPECT(rate == 1);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static size_t n_equal(const trib_sketch *a, const trib_sketch *b) {
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++) n += a->entry[i].hash == b->entry[j].hash;
    return n;
}

/* `shared` uncommon words of otherwise different texts are equal, with other common words between
 * them. Words below 10 are common. */
static size_t n_of_shared_run(uint64_t seed, size_t shared) {
    enum { LENGTH = 200, COMMON = 10 };
    uint32_t word[2][2 * LENGTH];
    size_t n[2] = {0};
    uint8_t is_common[COMMON + 3 * LENGTH] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    trib_random random;
    trib_sketch sketch[2] = {{0}};
    trib_random_seed(&random, seed);
    const size_t place[2] = {trib_random_below(&random, LENGTH - shared),
                             trib_random_below(&random, LENGTH - shared)};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < LENGTH; i++) {
            const bool is_shared = i >= place[k] && i < place[k] + shared;
            if (trib_random_below(&random, 2))
                word[k][n[k]++] =
                    trib_random_below(&random, 9) ? (uint32_t)(seed + i) % COMMON : UINT32_MAX;
            word[k][n[k]++] =
                (uint32_t)(COMMON + (is_shared ? 2 * LENGTH + i - place[k] : k * LENGTH + i));
        }
    for (uint32_t k = 0; k < 2; k++)
        CHECK(trib_sketch_runs(&sketch[k], word[k], n[k], k, NULL, is_common, NULL) == TRIB_OK);
    const size_t found = n_equal(&sketch[0], &sketch[1]);
    EXPECT(sketch[0].n > LENGTH / 8 && sketch[0].n < LENGTH / 2);
    trib_sketch_release(&sketch[0]);
    trib_sketch_release(&sketch[1]);
    return found;
}

TEST(a_run_of_12_uncommon_words_gives_an_equal_fingerprint) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        EXPECT(n_of_shared_run(seed, TRIB_RUN_WORDS) >= 1);
        EXPECT(n_of_shared_run(seed, TRIB_RUN_GRAM - 1) == 0);
    }
}

TEST(texts_shorter_than_a_run_give_one_fingerprint_or_none) {
    static const uint32_t word[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    GIVEN(trib_sketch) sketch = {0};
    for (size_t n = 0; n <= TRIB_RUN_WORDS; n++) {
        CHECK(trib_sketch_runs(&sketch, word, n, 0, NULL, NULL, NULL) == TRIB_OK);
        EXPECT(sketch.n == (n >= TRIB_RUN_GRAM));
    }
}

/* A text that repeats one word has equal hashes everywhere. */
TEST(repeated_words_give_one_hash) {
    uint32_t word[100] = {0};
    GIVEN(trib_sketch) sketch = {0};
    CHECK(trib_sketch_runs(&sketch, word, 100, 3, NULL, NULL, NULL) == TRIB_OK);
    CHECK(sketch.n == 1);
    EXPECT(sketch.entry[0].document == 3 && sketch.entry[0].count == 100 - TRIB_RUN_WORDS + 1);
}

static trib_status sketch_all(void *context, trib_error *error) {
    const drawn_corpus *corpus = context;
    GIVEN(trib_sketch) sketch = {0};
    GIVEN(trib_wanted_hashes) wanted = {0};
    trib_status status = trib_sketch_build(&sketch, &corpus->document[0], 0,
                                           &(trib_sketch_options){.rate = 1}, error);
    if (status == TRIB_OK) status = trib_wanted_hashes_add(&wanted, &sketch, error);
    if (status == TRIB_OK)
        status =
            trib_sketch_runs(&sketch, corpus->word[1], corpus->length[1], 0, NULL, NULL, error);
    return status;
}

TEST(every_failed_allocation_is_reported) {
    drawn_corpus *corpus = drawn_corpus_init(3, 2, 60, 4000);
    drawn_corpus_count(corpus, 3);
    EXPECT(trib_fail_every_allocation(sketch_all, corpus) > 4);
}

TEST(runs_can_be_those_of_another_text_only) {
    GIVEN(trib_sketch) other = {0}, all = {0}, some = {0};
    GIVEN(trib_wanted_hashes) only = {0};
    drawn_corpus *corpus = drawn_corpus_init(3, 2, 60, 4000);
    CHECK(trib_sketch_runs(&other, corpus->word[0], corpus->length[0], 0, NULL, NULL, NULL) ==
          TRIB_OK);
    CHECK(trib_sketch_runs(&all, corpus->word[1], corpus->length[1], 1, NULL, NULL, NULL) ==
          TRIB_OK);
    for (size_t i = 0; i < all.n; i += 5) /* some that the other has, too */
        if (i < other.n) other.entry[i].hash = all.entry[i].hash;
    CHECK(trib_wanted_hashes_add(&only, &other, NULL) == TRIB_OK);
    CHECK(trib_sketch_runs(&some, corpus->word[1], corpus->length[1], 1,
                           &(trib_sketch_options){.only = &only}, NULL, NULL) == TRIB_OK);
    size_t n = 0;
    for (size_t i = 0; i < all.n; i++) {
        if (!trib_wanted_hashes_have(&only, all.entry[i].hash)) continue;
        CHECK(n < some.n);
        EXPECT(memcmp(&some.entry[n++], &all.entry[i], sizeof *all.entry) == 0);
    }
    EXPECT(n == some.n && n > 20 && n < all.n);
}
