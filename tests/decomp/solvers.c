/* solvers.c - tests of properties that every solver of the table has: the same result where it is
 * unique, the conditions of a minimum, an objective that never grows. And tests of how the
 * least-squares solvers solve a row. */
#include "decomp/loop.h"
#include "tests/decomp/sample.h"

TESTS(decomp, solvers);

static trib_cp_options options_of(const trib_solver *solver, uint32_t rank) {
    return OPTIONS(.solver = solver, .start = trib_start_find("greedy"), .rank = rank, .sweeps = 2,
                   .iterations = 20000, .seed = 1, .lift = .01);
}

/* ---- The same result ------------------------------------------------------------------------- */

/* Three components that share words in every mode, of rank exactly 3, with whole numbers as counts.
 * Their vectors are independent in every mode, so they are unique (Kruskal 1977). The second set
 * has no zeros. */
typedef uint32_t components[3][3][6];
static const components planted[2] = {
    {{{3, 1, 0, 0, 2, 0}, {0, 2, 1, 0, 0, 4}, {5, 0, 0, 1, 0, 1}},
     {{0, 0, 4, 1, 1, 0}, {3, 0, 0, 1, 0, 1}, {0, 2, 2, 0, 1, 0}},
     {{0, 2, 0, 5, 0, 1}, {0, 0, 2, 4, 1, 0}, {1, 0, 0, 0, 6, 2}}},
    {{{9, 1, 1, 1, 7, 2}, {1, 8, 1, 2, 1, 5}, {7, 1, 1, 3, 1, 1}},
     {{1, 1, 9, 2, 2, 1}, {7, 1, 2, 1, 1, 1}, {1, 6, 5, 1, 1, 1}},
     {{2, 5, 1, 9, 1, 1}, {1, 1, 5, 7, 1, 1}, {1, 1, 1, 1, 8, 4}}}};

static void plant(sample *s, const components v) {
    uint32_t entry[216 * 4];
    size_t n = 0;
    for (uint32_t z = 0; z < 216; z++) {
        const uint32_t index[3] = {z / 36, z / 6 % 6, z % 6};
        uint32_t value = 0;
        for (uint32_t r = 0; r < 3; r++)
            value += v[r][0][index[0]] * v[r][1][index[1]] * v[r][2][index[2]];
        if (value > 0)
            memcpy(entry + 4 * n++, (uint32_t[]){index[0], index[1], index[2], value},
                   4 * sizeof *entry);
    }
    *s = sample_by_hand(3, (uint32_t[]){6, 6, 6}, entry, n);
}

/* The planted components, normalised. */
static void planted_ktensor(trib_ktensor *k, const components v) {
    CHECK(trib_ktensor_init(k, 3, (uint32_t[]){6, 6, 6}, 3, NULL) == TRIB_OK);
    for (uint32_t r = 0; r < 3; r++) {
        k->lambda[r] = 1;
        for (uint32_t m = 0; m < 3; m++)
            for (uint32_t i = 0; i < 6; i++) k->factor[m][3 * i + r] = v[r][m][i];
    }
    CHECK(trib_ktensor_normalize(k, NULL) == TRIB_OK);
}

/* Where the gradient vanishes too, multiplicative updates approach a zero only like 1/iterations:
 * `mu` finds zeros to 1e-4. */
TEST(every_solver_finds_what_is_unique) {
    for (int p = 0; p < 2; p++) {
        GIVEN(sample) s = {0};
        GIVEN(trib_ktensor) wanted = {0};
        plant(&s, planted[p]);
        planted_ktensor(&wanted, planted[p]);
        for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
            GIVEN(trib_cp_trace) trace = {0};
            trib_cp_options options = options_of(solver, 3);
            const double near = p == 0 && strcmp(solver->name, "mu") == 0 ? 1e-4 : 1e-8;
            if (!solver->needs_start) continue;
            options.kkt = 1e-12;
            GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
            CHECK(k.rank == 3);
            for (uint32_t r = 0; r < 3; r++) EXPECT_NEAR(k.lambda[r] / wanted.lambda[r], 1, near);
            for (uint32_t m = 0; m < 3; m++)
                for (size_t i = 0; i < 18; i++)
                    EXPECT_NEAR(fabs(k.factor[m][i]), wanted.factor[m][i], near);
        }
    }
}

/* The largest fibres of a tensor without zeros are all of one component. From them, `als` would
 * stop at a fit of .768 here. */
TEST(als_finds_the_components_of_a_tensor_without_zeros) {
    double vector[3][12][2];
    GIVEN(sample) s = {0};
    trib_random random;
    trib_random_seed(&random, 6);
    for (size_t v = 0; v < 72; v++) {
        const double unit = trib_random_unit(&random);
        ((double *)vector)[v] = unit * unit * unit;
    }
    CHECK(trib_hacoo_init(&s.counts, 3, (uint32_t[]){12, 12, 12}, NULL, NULL) == TRIB_OK);
    s.value = calloc(12 * 12 * 12, sizeof *s.value);
    CHECK(s.value != NULL);
    for (uint32_t z = 0; z < 12 * 12 * 12; z++) {
        const uint32_t index[3] = {z / 144, z / 12 % 12, z % 12};
        for (int r = 0; r < 2; r++)
            s.value[z] += vector[0][index[0]][r] * vector[1][index[1]][r] * vector[2][index[2]][r];
        CHECK(trib_hacoo_add(&s.counts, index, 1, NULL) == TRIB_OK);
    }
    sample_in_format(&s, trib_format_find("coo"));
    trib_cp_options options =
        OPTIONS(.solver = trib_solver_find("als"), .rank = 2, .seed = 1, .tolerance = 1e-4);
    GIVEN(trib_ktensor) k = cp_of(&s.x, &options, NULL);
    EXPECT_NEAR(k.fit, 1, 1e-3);
}

/* Every third cell of the set without zeros is unknown: the others determine it, as they do not
 * where it counts as 0. */
TEST(missing_cells_are_filled_and_do_not_count) {
    GIVEN(sample) s = {0};
    GIVEN(trib_ktensor) wanted = {0};
    uint32_t missing[72][3];
    plant(&s, planted[1]);
    planted_ktensor(&wanted, planted[1]);
    for (uint32_t z = 0; z < 72; z++) {
        const uint32_t cell = 3 * z + z / 2 % 3;
        memcpy(missing[z], (uint32_t[]){cell / 36, cell / 6 % 6, cell % 6}, sizeof missing[z]);
        CHECK(trib_hacoo_remove(&s.counts, missing[z]));
    }
    sample_in_format(&s, trib_format_find("coo"));
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        GIVEN(trib_ktensor) k = {0};
        GIVEN(trib_cp_trace) trace = {0};
        trib_error error = {0};
        trib_cp_options options = options_of(solver, 3);
        options.missing = missing[0];
        options.n_missing = 72;
        options.iterations = 4000;
        if (!solver->rows) {
            EXPECT(trib_cp(&k, &s.x, &options, NULL, &error) == TRIB_CONFIG);
            continue;
        }
        CHECK(trib_cp(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
        EXPECT_NEAR(k.fit, 1, 1e-3);
        for (size_t z = 0; z < 72; z++)
            EXPECT_NEAR(trib_ktensor_value(&k, missing[z]) /
                            trib_ktensor_value(&wanted, missing[z]),
                        1, .1);
        for (size_t i = 1; i < trace.n_steps && strcmp(solver->name, "admm") != 0; i++)
            EXPECT(trace.step[i].objective <= trace.step[i - 1].objective * (1 + 1e-9) + 1e-6);
        options.missing = NULL;
        options.n_missing = 0;
        GIVEN(trib_ktensor) zeros = cp_of(&s.x, &options, NULL);
        EXPECT(zeros.fit < .95);
    }
}

/* ---- The conditions of a minimum ------------------------------------------------------------- */

/* Derivative of half the squared error by one entry of factor m, and the diagonal of its Hessian,
 * from the dense definition. */
static double derivative(const sample *s, const trib_ktensor *k, uint32_t m, uint32_t i, uint32_t r,
                         double *hessian) {
    uint32_t index[3];
    double sum = 0;
    *hessian = 0;
    for (index[0] = 0; index[0] < k->dim[0]; index[0]++)
        for (index[1] = 0; index[1] < k->dim[1]; index[1]++)
            for (index[2] = 0; index[2] < k->dim[2]; index[2]++) {
                double product = k->lambda[r];
                if (index[m] != i) continue;
                for (uint32_t o = 0; o < 3; o++)
                    if (o != m) product *= k->factor[o][index[o] * k->rank + r];
                sum += product *
                       (trib_ktensor_value(k, index) - (double)trib_hacoo_get(&s->counts, index));
                *hessian += product * product;
            }
    return sum;
}

/* The KKT residual as defined in decomp.h, the largest over the modes, at k. */
static double residual_of(const sample *s, const trib_ktensor *k, const trib_cp_options *o) {
    double largest = 0;
    for (uint32_t m = 0; m < 3; m++) {
        double sum = 0;
        for (uint32_t i = 0; i < k->dim[m]; i++)
            for (uint32_t r = 0; r < k->rank; r++) {
                double hessian = 0;
                const double a = k->factor[m][i * k->rank + r];
                const double slope = derivative(s, k, m, i, r, &hessian) + o->l1[m] + o->l2[m] * a;
                hessian += o->l2[m];
                if (hessian <= 0) continue;
                double next = a - slope / hessian;
                if (!o->solver->negative) next = fmax(0, next);
                sum += hessian * (a - next) * (a - next);
            }
        largest = fmax(largest, sqrt(sum) / s->x.norm);
    }
    return largest;
}

TEST(the_kkt_conditions_hold_where_a_solver_stops) {
    GIVEN(sample) s = sample_at_random(8, 3, (uint32_t[]){9, 7, 8}, 120, 4);
    for (const trib_solver *solver = trib_solvers; solver->name; solver++)
        for (int penalised = 0; solver->rows && penalised < 2; penalised++) {
            GIVEN(trib_cp_trace) trace = {0};
            trib_cp_options options = options_of(solver, 3);
            options.kkt = 1e-6;
            for (uint32_t m = 0; penalised && m < 3; m++) {
                options.l1[m] = solver->negative ? 0 : .1 * m;
                options.l2[m] = .2 * (3 - m);
            }
            GIVEN(trib_ktensor) k = zero_ktensor(3, s.x.dim, 3);
            CHECK(options.start->fill(&k, &s.x, 1, NULL) == TRIB_OK);
            CHECK(trib_cp_solve(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
            EXPECT(trace.stop == TRIB_STOP_KKT);
            EXPECT(residual_of(&s, &k, &options) < 3e-6);
        }
}

TEST(the_trace_reports_the_residual_at_the_first_mode) {
    GIVEN(trib_cp_trace) trace = {0};
    GIVEN(sample) s = sample_at_random(8, 3, (uint32_t[]){9, 1, 1}, 9, 4);
    trib_cp_options options = options_of(trib_solver_find("hals"), 2);
    options.iterations = 1;
    options.measure_kkt = true;
    options.fixed = 6; /* one mode changes: the residual reported is the one found in it */
    options.l1[0] = .3;
    options.l2[0] = .2;
    GIVEN(trib_ktensor) k = zero_ktensor(3, s.x.dim, 2);
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t i = 0; i < 2 * k.dim[m]; i++) k.factor[m][i] = 1 + i % 3;
    k.lambda[0] = k.lambda[1] = 1;
    double wanted = 0; /* of the free mode alone */
    for (uint32_t i = 0; i < 9; i++)
        for (uint32_t r = 0; r < 2; r++) {
            double hessian = 0;
            const double a = k.factor[0][2 * i + r];
            const double slope = derivative(&s, &k, 0, i, r, &hessian) + .3 + .2 * a;
            const double d = a - fmax(0, a - slope / (hessian + .2));
            wanted += (hessian + .2) * d * d;
        }
    CHECK(trib_cp_solve(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
    EXPECT_NEAR(trace.step[0].kkt, sqrt(wanted) / s.x.norm, 1e-12);
}

/* ---- The objective never grows --------------------------------------------------------------- */

TEST(only_the_objective_of_admm_may_grow) {
    sample s;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        s = sample_at_random(seed, 3, (uint32_t[]){50, 30, 40}, 700, 6);
        for (const trib_solver *solver = trib_solvers; solver->name; solver++)
            for (uint32_t rank = 2; rank <= 34; rank += 16) {
                GIVEN(trib_cp_trace) trace = {0};
                trib_cp_options options = options_of(solver, rank);
                options.iterations = 30;
                options.start = trib_start_find(seed == 1 ? "greedy" : "random");
                for (uint32_t m = 0; solver->rows && m < 3; m++) {
                    options.l1[m] = solver->negative ? 0 : .05 * (double)seed * m;
                    options.l2[m] = .1 * (double)(seed - 1);
                }
                GIVEN(trib_ktensor) k = cp_of(&s.x, &options, &trace);
                const bool wanders = strcmp(solver->name, "admm") == 0;
                for (size_t i = 1; i < trace.n_steps; i++)
                    EXPECT(wanders ||
                           trace.step[i].objective <= trace.step[i - 1].objective * (1 + 1e-11) +
                                                          1e-12 * s.x.norm * s.x.norm);
                EXPECT(trace.step[trace.n_steps - 1].objective <= trace.step[0].objective);
            }
        sample_release(&s);
    }
}

/* ---- One row --------------------------------------------------------------------------------- */

enum { STRIDE = 8, ROWS = 24 };

/* A problem of `rank` columns, rows and their MTTKRP; G = B'B of random B, a third of whose entries
 * is 0. */
typedef struct problem {
    trib_mode_problem of;
    _Alignas(64) double gram[STRIDE * STRIDE];
    _Alignas(64) double prepared[2 * STRIDE * STRIDE];
    _Alignas(64) double a[ROWS * STRIDE];
    _Alignas(64) double m[ROWS * STRIDE];
    _Alignas(64) double kept[ROWS * STRIDE];
    _Alignas(64) double scratch[8192];
} problem;

static void make_problem(problem *p, uint32_t rank, uint64_t seed) {
    trib_random random;
    double b[12][STRIDE];
    trib_random_seed(&random, seed);
    memset(p, 0, sizeof *p);
    p->of = (trib_mode_problem){.gram = p->gram,
                                .rank = rank,
                                .stride = STRIDE,
                                .l1 = .1,
                                .l2 = .05,
                                .sweeps = 2,
                                .prepared = p->prepared};
    for (size_t i = 0; i < 12; i++)
        for (size_t r = 0; r < STRIDE; r++)
            b[i][r] = trib_random_below(&random, 3) ? trib_random_unit(&random) : 0;
    for (size_t r = 0; r < rank; r++)
        for (size_t q = 0; q < rank; q++)
            for (size_t i = 0; i < 12; i++) p->gram[r * STRIDE + q] += b[i][r] * b[i][q];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t r = 0; r < rank; r++) {
            p->a[i * STRIDE + r] = trib_random_below(&random, 2) ? trib_random_unit(&random) : 0;
            p->m[i * STRIDE + r] = 3 * trib_random_unit(&random) - .5;
        }
}

static double objective(const problem *p, const double *a, const double *m) {
    double sum = 0;
    for (size_t r = 0; r < p->of.rank; r++) {
        sum += a[r] * (p->of.l1 - m[r]) + p->of.l2 / 2 * a[r] * a[r];
        for (size_t q = 0; q < p->of.rank; q++) sum += a[r] * p->gram[r * STRIDE + q] * a[q] / 2;
    }
    return sum;
}

/* Solves (G + l2) x = m - l1 on a set of columns by elimination; false where it is singular. */
static bool solve_on(const problem *p, const double *m, unsigned set, double x[STRIDE]) {
    double g[STRIDE][STRIDE + 1];
    size_t column[STRIDE], n = 0;
    for (size_t r = 0; r < p->of.rank; r++)
        if (set >> r & 1) column[n++] = r;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            g[i][j] = p->gram[column[i] * STRIDE + column[j]] + (i == j ? p->of.l2 : 0);
        g[i][n] = m[column[i]] - p->of.l1;
    }
    for (size_t i = 0; i < n; i++) {
        if (fabs(g[i][i]) < 1e-12) return false;
        for (size_t j = 0; j < n; j++) {
            const double by = j != i ? g[j][i] / g[i][i] : 0;
            for (size_t c = i; j != i && c <= n; c++) g[j][c] -= by * g[i][c];
        }
    }
    memset(x, 0, STRIDE * sizeof *x);
    for (size_t i = 0; i < n; i++) x[column[i]] = g[i][n] / g[i][i];
    return true;
}

/* The least objective over all sets of columns whose solution is not negative. */
static double least_objective(const problem *p, const double *m) {
    double least = 0;
    for (unsigned set = 0; set < 1U << p->of.rank; set++) {
        double x[STRIDE];
        bool allowed = solve_on(p, m, set, x);
        for (size_t r = 0; r < p->of.rank; r++) allowed = allowed && x[r] >= 0;
        if (allowed) least = fmin(least, objective(p, x, m));
    }
    return least;
}

static void update(problem *p, const trib_least_squares *rows) {
    CHECK(!rows->scratch_size || rows->scratch_size(STRIDE) <= 8192);
    CHECK(!rows->prepared_size || rows->prepared_size(STRIDE) <= 2 * STRIDE * STRIDE);
    if (rows->prepare) CHECK(rows->prepare(&p->of, NULL) == TRIB_OK);
    rows->update(&p->of, ROWS, p->a, p->m, p->kept, p->scratch);
}

TEST(a_row_is_never_made_worse) {
    static problem p, before;
    for (const trib_solver *solver = trib_solvers; solver->name; solver++)
        for (uint32_t rank = 1; solver->rows && rank <= STRIDE; rank++) {
            const bool exact = strcmp(solver->name, "bpp") == 0;
            if (strcmp(solver->name, "admm") == 0) continue;
            make_problem(&p, rank, 100 + rank);
            if (solver->negative) p.of.l1 = 0;
            if (strcmp(solver->name, "mu") == 0)
                for (size_t i = 0; i < ROWS * STRIDE; i++) p.m[i] = fabs(p.m[i]);
            before = p;
            update(&p, solver->rows);
            for (size_t i = 0; i < ROWS; i++) {
                const double *a = p.a + i * STRIDE, *m = p.m + i * STRIDE;
                EXPECT(objective(&p, a, m) <=
                       objective(&p, before.a + i * STRIDE, before.m + i * STRIDE) + 1e-12);
                if (exact) EXPECT_NEAR(objective(&p, a, m), least_objective(&p, m), 1e-11);
                for (size_t r = 0; r < STRIDE; r++)
                    EXPECT(r < rank ? solver->negative || a[r] >= 0 : a[r] == 0);
            }
        }
}

TEST(als_solves_the_normal_equations) {
    static problem p;
    make_problem(&p, 7, 5);
    p.of.l1 = 0;
    update(&p, &trib_als_rows);
    for (size_t i = 0; i < ROWS; i++) {
        double x[STRIDE];
        CHECK(solve_on(&p, p.m + i * STRIDE, 127, x));
        for (size_t r = 0; r < 7; r++) EXPECT_NEAR(p.a[i * STRIDE + r], x[r], 1e-9);
    }
}

/* Two equal columns: any split of their sum is a minimum. */
TEST(every_solver_handles_a_singular_gram_matrix) {
    static problem p;
    for (const trib_solver *solver = trib_solvers; solver->name; solver++) {
        if (!solver->rows) continue;
        make_problem(&p, 2, 6);
        for (size_t r = 0; r < 2; r++)
            for (size_t q = 0; q < 2; q++) p.gram[r * STRIDE + q] = 2;
        for (size_t i = 0; i < ROWS; i++) {
            p.m[i * STRIDE] = p.m[i * STRIDE + 1] = (double)i / 4;
            p.a[i * STRIDE] = p.a[i * STRIDE + 1] = .5;
        }
        p.of.l1 = p.of.l2 = 0;
        p.of.sweeps = 50;
        update(&p, solver->rows);
        for (size_t i = 0; i < ROWS; i++) {
            const double *a = p.a + i * STRIDE;
            EXPECT_NEAR(2 * (a[0] + a[1]), p.m[i * STRIDE], .05 * (1 + p.m[i * STRIDE]));
        }
    }
}

TEST(ccd_sweeps_until_columns_converge) {
    static problem few, many;
    make_problem(&few, 8, 9);
    few.of.l1 = 0;
    many = few;
    many.of.gram = many.gram;
    many.of.prepared = many.prepared;
    update(&few, &trib_hals_rows);
    update(&many, &trib_ccd_rows);
    double gained = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const double *m = few.m + i * STRIDE, least = least_objective(&few, m);
        const double by_hals = objective(&few, few.a + i * STRIDE, m) - least;
        const double by_ccd = objective(&many, many.a + i * STRIDE, m) - least;
        EXPECT(by_ccd <= by_hals + 1e-12);
        gained += by_hals - by_ccd;
    }
    EXPECT(gained > 0);
}

/* Computes |A - A before|^2 + |U - U before|^2 after each step. Rows come in blocks of 8, so that a
 * step ends with its block. */
TEST(steps_of_admm_never_lengthen) {
    static problem p, before;
    make_problem(&p, 8, 11);
    double last = INFINITY;
    for (int step = 0; step < 6; step++) {
        before = p;
        update(&p, &trib_admm_rows);
        double moved = 0;
        for (size_t i = 0; i < ROWS * STRIDE; i++) {
            moved += (p.a[i] - before.a[i]) * (p.a[i] - before.a[i]);
            if (step > 0) moved += (p.kept[i] - before.kept[i]) * (p.kept[i] - before.kept[i]);
        }
        if (step > 1) EXPECT(moved <= last * (1 + 1e-12));
        last = moved;
    }
    for (size_t i = 0; i < ROWS; i++) {
        const double *a = p.a + i * STRIDE, *m = p.m + i * STRIDE;
        EXPECT_NEAR(objective(&p, a, m), least_objective(&p, m), .05);
    }
}

/* ---- Zeros that should not be ---------------------------------------------------------------- */

/* X = (1,1)' (1,1) from A = (1,0): without lifting, the second row would stay 0. */
TEST(apr_frees_inadmissible_zeros) {
    GIVEN(sample)
    s = sample_by_hand(2, (uint32_t[]){2, 2}, (uint32_t[]){0, 0, 4, 0, 1, 1, 1, 0, 1, 1, 1, 4}, 4);
    double objective_of[2];
    for (int lifted = 0; lifted < 2; lifted++) {
        GIVEN(trib_cp_trace) trace = {0};
        trib_cp_options options = options_of(trib_solver_find("apr"), 2);
        options.lift = lifted ? .01 : 0;
        options.iterations = 300;
        GIVEN(trib_ktensor) k = zero_ktensor(2, s.x.dim, 2);
        static const double first[4] = {1, .5, 0, .5}, second[4] = {1, 0, 0, 1};
        memcpy(k.factor[0], first, sizeof first);
        memcpy(k.factor[1], second, sizeof second);
        k.lambda[0] = k.lambda[1] = 5;
        CHECK(trib_cp_solve(&k, &s.x, &options, &trace, NULL) == TRIB_OK);
        for (size_t i = 1; i < trace.n_steps; i++)
            EXPECT(trace.step[i].objective <= trace.step[i - 1].objective + 1e-12);
        objective_of[lifted] = trace.step[trace.n_steps - 1].objective;
        EXPECT((k.factor[0][2] > 0) == (lifted == 1));
    }
    EXPECT_NEAR(objective_of[1], 0, 1e-6);
    EXPECT(objective_of[0] > .1);
}
