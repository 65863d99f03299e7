/* start.c - tests of decomp/start.c. */
#include "tests/decomp/sample.h"

/* (0,0,*) 3 2, then (1,1,1) 1: vectors .9 of the fibre, .1 of the marginal; a third component of marginals. */
static void the_greedy_start_blends_fibres_with_marginals(void) {
    static const uint32_t entry[] = {0, 0, 0, 3, 0, 0, 1, 2, 1, 1, 1, 1};
    sample s;
    trib_ktensor k;
    sample_by_hand(&s, 3, (uint32_t[]){2, 2, 2}, entry, 3);
    CHECK(trib_ktensor_init(&k, 3, s.x.dim, 3, NULL) == TRIB_OK);
    CHECK(trib_start_find("greedy")->fill(&k, &s.x, 0, NULL) == TRIB_OK);
    EXPECT_NEAR(k.lambda[0], 5, 0);
    EXPECT_NEAR(k.lambda[1], 1, 0);
    EXPECT_NEAR(k.lambda[2], 6e-10, 1e-24);
    static const double wanted[3][2][3] = {
        {{.9 + .1 * 5 / 6, .1 * 5 / 6, 5. / 6}, {.1 / 6, .9 + .1 / 6, 1. / 6}},
        {{.9 + .1 * 5 / 6, .1 * 5 / 6, 5. / 6}, {.1 / 6, .9 + .1 / 6, 1. / 6}},
        {{.54 + .05, .05, .5}, {.36 + .05, .95, .5}}};
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t r = 0; r < 3; r++)
                EXPECT_NEAR(k.factor[m][i * 3 + r], wanted[m][i][r], 1e-15);
    trib_ktensor_release(&k);
    sample_release(&s);
}

static void a_random_start_is_its_seed(void) {
    sample s;
    trib_ktensor k[3];
    const uint32_t dim[] = {20, 12, 30};
    static const uint64_t seed[3] = {7, 7, 8};
    sample_at_random(&s, 1, 3, dim, 40, 3);
    for (size_t i = 0; i < 3; i++) {
        CHECK(trib_ktensor_init(&k[i], 3, dim, 5, NULL) == TRIB_OK);
        CHECK(trib_start_find("random")->fill(&k[i], &s.x, seed[i], NULL) == TRIB_OK);
    }
    EXPECT(same_ktensor(&k[0], &k[1]) && !same_ktensor(&k[0], &k[2]));
    for (uint32_t r = 0; r < 5; r++) EXPECT_NEAR(k[0].lambda[r], s.x.total / 5, 1e-12);
    for (size_t i = 0; i < 3; i++) trib_ktensor_release(&k[i]);
    sample_release(&s);
}

static void words_that_do_not_occur_start_at_zero(void) {
    static const uint32_t entry[] = {0, 2, 1, 1, 3, 2, 0, 2};
    sample s;
    sample_by_hand(&s, 3, (uint32_t[]){4, 4, 4}, entry, 2);
    for (const trib_start *start = trib_starts; start->name; start++) {
        trib_ktensor k;
        CHECK(trib_ktensor_init(&k, 3, s.x.dim, 3, NULL) == TRIB_OK);
        CHECK(start->fill(&k, &s.x, 5, NULL) == TRIB_OK);
        for (uint32_t r = 0; r < 3; r++) EXPECT(k.lambda[r] > 0);
        static const bool occurs[3][4] = {{1, 0, 0, 1}, {0, 0, 1, 0}, {1, 1, 0, 0}};
        for (uint32_t m = 0; m < 3; m++)
            for (uint32_t r = 0; r < 3; r++) {
                double sum = 0;
                for (uint32_t i = 0; i < 4; i++) {
                    sum += k.factor[m][i * 3 + r];
                    EXPECT((k.factor[m][i * 3 + r] > 0) == occurs[m][i]);
                }
                EXPECT_NEAR(sum, 1, 1e-15);
            }
        trib_ktensor_release(&k);
    }
    sample_release(&s);
}

CU_TestInfo trib_tests_start[] = {
    {"the greedy start blends fibres with marginals",
     the_greedy_start_blends_fibres_with_marginals},
    {"a random start is its seed", a_random_start_is_its_seed},
    {"words that do not occur start at zero", words_that_do_not_occur_start_at_zero},
    CU_TEST_INFO_NULL,
};
