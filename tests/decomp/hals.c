/* hals.c - tests of decomp/hals.c and dense.c against the formulas, element by element. */
#include "decomp/dense.h"
#include "tests/decomp/sample.h"

TESTS(decomp, hals);

/* One entry of M = X_(m) (khatri-rao of the others). */
static double mttkrp_entry(const sample *s, double *const *a, uint32_t rank, uint32_t mode,
                           uint32_t i, uint32_t r) {
    double sum = 0;
    for (size_t e = 0; e < s->counts.nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        double product = trib_hacoo_entry(&s->counts, e, index);
        if (index[mode] != i) continue;
        for (uint32_t m = 0; m < s->counts.n_modes; m++)
            if (m != mode) product *= a[m][(size_t)index[m] * rank + r];
        sum += product;
    }
    return sum;
}

/* One entry of G: the product over the other modes of A' A. */
static double gram_entry(const sample *s, double *const *a, uint32_t rank, uint32_t mode,
                         uint32_t r, uint32_t q) {
    double product = 1;
    for (uint32_t m = 0; m < s->counts.n_modes; m++) {
        double sum = 0;
        for (uint32_t i = 0; i < s->counts.dim[m]; i++)
            sum += a[m][(size_t)i * rank + r] * a[m][(size_t)i * rank + q];
        if (m != mode) product *= sum;
    }
    return product;
}

/* Does one iteration by the formula, column by column over whole columns. */
static void iterate(const sample *s, double *const *a, uint32_t rank, const trib_cp_options *o) {
    for (uint32_t m = 0; m < s->counts.n_modes; m++)
        for (uint32_t sweep = 0; sweep < o->sweeps; sweep++)
            for (uint32_t r = 0; r < rank; r++)
                for (uint32_t i = 0; i < s->counts.dim[m]; i++) {
                    double *row = a[m] + (size_t)i * rank;
                    double rest = mttkrp_entry(s, a, rank, m, i, r) - o->l1[m] - o->l2[m] * row[r];
                    for (uint32_t q = 0; q < rank; q++)
                        rest -= row[q] * gram_entry(s, a, rank, m, q, r);
                    const double diagonal = gram_entry(s, a, rank, m, r, r) + o->l2[m];
                    row[r] = fmax(0, row[r] + (diagonal > 0 ? rest / diagonal : 0));
                }
}

static void check_against_formula(uint32_t n_modes, uint32_t rank, uint32_t sweeps, double l1,
                                  double l2) {
    double *a[TRIB_MAX_MODES];
    trib_cp_options options = {.solver = trib_solver_find("hals"),
                               .rank = rank,
                               .sweeps = sweeps,
                               .iterations = 2,
                               .n_threads = 1};
    for (uint32_t m = 0; m < n_modes; m++) {
        options.l1[m] = l1 * m;
        options.l2[m] = l2 / (1 + m);
    }
    GIVEN(sample) s = sample_at_random(rank, n_modes, (uint32_t[]){13, 8, 10, 3}, 70, 4);
    GIVEN(trib_ktensor) k = zero_ktensor(n_modes, s.x.dim, rank);
    CHECK(trib_start_find("greedy")->fill(&k, &s.x, 0, NULL) == TRIB_OK);
    for (uint32_t m = 0; m < n_modes; m++) {
        a[m] = calloc((size_t)s.x.dim[m] * rank, sizeof(double));
        CHECK(a[m] != NULL);
        for (size_t i = 0; i < (size_t)s.x.dim[m] * rank; i++)
            a[m][i] = k.factor[m][i] * pow(k.lambda[i % rank], 1.0 / n_modes);
    }
    for (uint32_t n = 0; n < options.iterations; n++) iterate(&s, a, rank, &options);
    CHECK(trib_cp_solve(&k, &s.x, &options, NULL, NULL) == TRIB_OK);
    for (uint32_t m = 0; m < n_modes; m++) {
        for (size_t i = 0; i < (size_t)s.x.dim[m] * rank; i++)
            EXPECT_NEAR(k.factor[m][i], a[m][i], 1e-9);
        free(a[m]);
    }
}

TEST(every_step_is_the_column_by_column_formula) {
    for (uint32_t n_modes = 2; n_modes <= 4; n_modes++)
        for (uint32_t sweeps = 1; sweeps <= 3; sweeps += 2) {
            check_against_formula(n_modes, 3, sweeps, 0, 0);
            check_against_formula(n_modes, 8, sweeps, 0, 0);
            check_against_formula(n_modes, 19, sweeps, .05, .1);
        }
}

TEST(more_sweeps_fit_no_worse_per_iteration) {
    GIVEN(sample) s = sample_at_random(9, 3, (uint32_t[]){40, 40, 40}, 900, 3);
    double last = 0;
    for (uint32_t sweeps = 1; sweeps <= 4; sweeps *= 2) {
        const trib_cp_options options = OPTIONS(.rank = 6, .sweeps = sweeps, .iterations = 1);
        GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
        EXPECT(k.fit >= last - 1e-3);
        last = k.fit;
    }
}

TEST(penalties_shrink_the_model) {
    GIVEN(sample) s = sample_at_random(9, 3, (uint32_t[]){40, 40, 40}, 900, 3);
    double mass[3];
    for (int i = 0; i < 3; i++) {
        trib_cp_options options = OPTIONS(.rank = 6, .sweeps = 2, .iterations = 10);
        for (uint32_t m = 0; m < 3; m++) {
            options.l1[m] = i == 1 ? 1 : 0;
            options.l2[m] = i == 2 ? 1 : 0;
        }
        GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
        mass[i] = 0;
        for (uint32_t r = 0; r < k.rank; r++) mass[i] += k.lambda[r];
    }
    EXPECT(mass[1] < mass[0] && mass[2] < mass[0]);
}

TEST(gram_matrices_are_sums_over_rows) {
    GIVEN(trib_dense) one = {0}, many = {0};
    trib_random random;
    const uint32_t dim[] = {1, 7, 1000, 20000};
    trib_random_seed(&random, 3);
    GIVEN(trib_ktensor) k = zero_ktensor(4, dim, 13);
    for (uint32_t m = 0; m < 4; m++)
        for (size_t i = 0; i < (size_t)dim[m] * 13; i++) k.factor[m][i] = trib_random_unit(&random);
    CHECK(trib_dense_init(&one, &k, 0, 1, NULL) == TRIB_OK);
    CHECK(trib_dense_init(&many, &k, 0, 7, NULL) == TRIB_OK);
    CHECK(one.stride == 16);
    for (uint32_t m = 0; m < 4; m++) {
        trib_dense_gram(&one, m);
        trib_dense_gram(&many, m);
        EXPECT(memcmp(one.gram[m], many.gram[m], 16 * 16 * sizeof(double)) == 0);
        for (size_t r = 0; r < 16; r++)
            for (size_t s = 0; s < 16; s++) {
                double sum = 0;
                for (size_t i = 0; r < 13 && s < 13 && i < dim[m]; i++)
                    sum += k.factor[m][i * 13 + r] * k.factor[m][i * 13 + s];
                EXPECT_NEAR(one.gram[m][r * 16 + s], sum, 1e-12 * dim[m]);
            }
    }
}
