/* format.c - every format against a sum written from the formula ([K] section 3.4):
 *
 *     out[i_m, r] = sum over the nonzeros with index i_m of
 *                   value * product over the other modes k of factor_k[i_k, r] */
#include "tensor/formats/formats.h"
#include "tests/tensor/drawn.h"

#include <sys/mman.h>
#include <unistd.h>

TESTS(formats, format);

static trib_error error;

typedef struct shape {
    const char *name;
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    size_t n_drawn;
    bool zipf;
} shape;

/* Nonzeros of a shape; Zipf draws low indices far more often, as texts do. */
static trib_hacoo draw(const shape *s, const char *hash, uint64_t seed) {
    trib_hacoo table;
    trib_random random;
    trib_random_seed(&random, seed);
    EXPECT_OK(trib_hacoo_init(&table, s->n_modes, s->dim,
                              &(trib_hacoo_options){.hash = trib_hash_find(hash)}, &error));
    for (size_t i = 0; i < s->n_drawn; i++) {
        uint32_t index[TRIB_MAX_MODES];
        for (uint32_t m = 0; m < s->n_modes; m++) {
            const double unit = trib_random_unit(&random);
            index[m] =
                s->zipf ? (uint32_t)(pow(s->dim[m], unit) - 1) : (uint32_t)(unit * s->dim[m]);
        }
        EXPECT_OK(trib_hacoo_add(&table, index, 1 + (uint32_t)(i % 7 == 0) * 3, &error));
    }
    return table;
}

static void oracle(const trib_hacoo *x, const double *values, uint32_t mode, uint32_t rank,
                   double *const factor[], double *out) {
    for (size_t i = 0; i < (size_t)x->dim[mode] * rank; i++) out[i] = 0;
    for (size_t e = 0; e < x->nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t count = trib_hacoo_entry(x, e, index);
        for (uint32_t r = 0; r < rank; r++) {
            double term = values ? values[e] : count;
            for (uint32_t m = 0; m < x->n_modes; m++)
                if (m != mode) term *= factor[m][(size_t)index[m] * rank + r];
            out[(size_t)index[mode] * rank + r] += term;
        }
    }
}

/* What all formats of a table are compared with. */
typedef struct operands {
    const trib_hacoo *x;
    const double *values; /* NULL: the counts of x */
    uint32_t rank;
    double *factor[TRIB_MAX_MODES]; /* in [0, 1) with a few zeros */
    float *single[TRIB_MAX_MODES];  /* the same in single precision */
    double *wanted[TRIB_MAX_MODES]; /* the product of each mode */
    double *out[2];                 /* for the largest mode */
    size_t largest;                 /* doubles in out */
} operands;

static void *get(size_t n, size_t size) {
    void *array = malloc(n * size);
    CHECK(array != NULL);
    return array;
}

static operands operands_of(const trib_hacoo *x, const double *values, uint32_t rank) {
    operands o = {.x = x, .values = values, .rank = rank};
    trib_random random;
    trib_random_seed(&random, rank);
    for (uint32_t m = 0; m < x->n_modes; m++) {
        const size_t size = (size_t)x->dim[m] * rank;
        o.factor[m] = get(size, sizeof(double));
        o.single[m] = get(size, sizeof(float));
        o.wanted[m] = get(size, sizeof(double));
        for (size_t i = 0; i < size; i++) {
            o.factor[m][i] = i % 11 == 3 ? 0 : trib_random_unit(&random);
            o.single[m][i] = (float)o.factor[m][i];
        }
        if (size > o.largest) o.largest = size;
    }
    for (uint32_t m = 0; m < x->n_modes; m++) oracle(x, values, m, rank, o.factor, o.wanted[m]);
    for (int i = 0; i < 2; i++) o.out[i] = get(o.largest, sizeof(double));
    return o;
}

static void operands_release(operands *o) {
    for (int m = 0; m < TRIB_MAX_MODES; m++) {
        free(o->factor[m]);
        free(o->single[m]);
        free(o->wanted[m]);
    }
    for (int i = 0; i < 2; i++) free(o->out[i]);
}

/* Nothing is negative, so a sum is as near as its terms. */
static void expect_near(const operands *o, uint32_t mode, double tolerance) {
    const size_t size = (size_t)o->x->dim[mode] * o->rank;
    const double *wanted = o->wanted[mode], *out = o->out[0];
    bool near = true;
    for (size_t i = 0; i < size; i++)
        near = near && fabs(out[i] - wanted[i]) <= tolerance * fabs(wanted[i]);
    EXPECT(near);
}

static void expect_same_bits(const operands *o, uint32_t mode) {
    EXPECT(memcmp(o->out[0], o->out[1], (size_t)o->x->dim[mode] * o->rank * sizeof(double)) == 0);
}

/* The same from factors in single precision. */
static void compare_single(const trib_tensor *one, const trib_tensor *seven, const operands *o) {
    for (uint32_t mode = 0; mode < o->x->n_modes; mode++) {
        trib_mttkrp_single(one, mode, o->rank, (const float *const *)o->single, o->out[0], 1);
        trib_mttkrp_single(seven, mode, o->rank, (const float *const *)o->single, o->out[1], 7);
        expect_near(o, mode, 1e-6);
        expect_same_bits(o, mode);
    }
}

/* One format: against the oracle, and 1 thread against 7 and against lanes computed by one. */
static void compare(const trib_format *format, const operands *o) {
    GIVEN(trib_tensor) one = {0}, seven = {0};
    EXPECT_OK(trib_tensor_build(&one, format, o->x, o->values, 1, &error));
    EXPECT_OK(trib_tensor_build(&seven, format, o->x, o->values, 7, &error));
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < o->largest; k++) o->out[i][k] = NAN;
    for (uint32_t mode = 0; mode < o->x->n_modes; mode++) {
        const double *const *factor = (const double *const *)o->factor;
        trib_memory_fail_from(0);
        trib_mttkrp(&one, mode, o->rank, factor, o->out[0], 1);
        trib_mttkrp(&seven, mode, o->rank, factor, o->out[1], 7);
        EXPECT(trib_memory_attempts() == 0);
        expect_near(o, mode, 1e-12);
        expect_same_bits(o, mode);
        trib_mttkrp(&seven, mode, o->rank, factor, o->out[1], 1);
        expect_same_bits(o, mode);
        trib_mttkrp(&one, mode, o->rank, factor, o->out[1], 7);
        expect_same_bits(o, mode);
    }
    if (format->mttkrp_single) compare_single(&one, &seven, o);
}

/* Every format. */
static void compare_all(const trib_hacoo *x, const double *values, uint32_t rank) {
    operands o = operands_of(x, values, rank);
    for (const trib_format *const *format = trib_formats; *format; format++) compare(*format, &o);
    operands_release(&o);
}

/* Ranks above 7 only where factors have few rows, and those above 19 where they also have few
 * modes: long factors cost much, and differ in their indices alone. */
static void compare_formats(const shape *s) {
    static const uint32_t ranks[] = {1, 7, 8, 19, 50, 56, 100};
    uint64_t n_rows = 0;
    for (uint32_t m = 0; m < s->n_modes; m++) n_rows += s->dim[m];
    const uint32_t highest = n_rows > 10000 ? 7 : s->n_modes > 3 ? 19 : 100;
    for (size_t h = 0; trib_hashes[h].name; h++) {
        TRIB_OWNED(trib_hacoo) x = draw(s, trib_hashes[h].name, 3 + h);
        double *values = get(x.nnz + 1, sizeof *values);
        for (size_t e = 0; e < x.nnz; e++) values[e] = 0.25 + (double)(e % 13) / 7;
        if (x.hash->number) {
            compare_all(&x, NULL, highest < 16 ? highest : 16);
        } else {
            compare_all(&x, NULL, 16);
            compare_all(&x, values, 16);
            for (size_t r = 0; s->n_drawn > 1 && ranks[r] < highest; r++)
                if (!trib_is_slow() || r % 2) compare_all(&x, r % 2 ? values : NULL, ranks[r]);
            if (s->n_drawn > 1) compare_all(&x, NULL, highest);
        }
        free(values);
    }
}

TEST(every_format_equals_the_formula_for_any_number_of_modes) {
    for (uint32_t n_modes = 1; n_modes <= TRIB_MAX_MODES; n_modes++) {
        shape s = {"random", n_modes, {0}, 300, false};
        for (uint32_t m = 0; m < n_modes; m++) s.dim[m] = 20 + 7 * m;
        compare_formats(&s);
    }
}

TEST(every_format_equals_the_formula_on_zipf_indices) {
    for (uint32_t n_modes = 2; n_modes <= 5; n_modes++) {
        shape s = {"zipf", n_modes, {0}, 2000, true};
        for (uint32_t m = 0; m < n_modes; m++) s.dim[m] = 700;
        compare_formats(&s);
    }
}

TEST(every_format_equals_the_formula_on_wide_keys) {
    for (uint32_t n_modes = 5; n_modes <= TRIB_MAX_MODES; n_modes++) {
        shape s = {"wide", n_modes, {0}, 400, n_modes % 2 == 0};
        for (uint32_t m = 0; m < n_modes; m++) s.dim[m] = m == 1 ? 1000 : 9000;
        compare_formats(&s);
    }
}

TEST(every_format_equals_the_formula_with_one_huge_mode) {
    compare_formats(&(shape){"huge", 3, {30, 70001, 2}, 3000, false});
    compare_formats(&(shape){"huge", 1, {70001}, 3000, true});
    compare_formats(&(shape){"large", 3, {30, 60000, 2}, 3000, true}); /* indices of 16 bits */
}

/* A factor of 2^32-1 rows, of which only those of nonzeros are touched: a file with holes. */
TEST(every_format_multiplies_beside_a_mode_of_any_size) {
    enum { RANK = 1, DIM = 40 };
    const uint32_t dim[] = {DIM, UINT32_MAX, DIM};
    const size_t size = (size_t)UINT32_MAX * RANK * sizeof(double);
    FILE *file = tmpfile();
    double *huge = MAP_FAILED;
    if (file && ftruncate(fileno(file), (off_t)size) == 0)
        huge = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    if (huge == MAP_FAILED) {
        if (file) fclose(file);
        trib_skip("no file of 32 GiB, even of holes");
        return;
    }
    shape s = {"huge", 3, {dim[0], dim[1], dim[2]}, 300, true};
    trib_hacoo x = draw(&s, "mixed", 2);
    double a[DIM], b[DIM], wanted[DIM], out[2][DIM];
    for (int i = 0; i < DIM; i++) b[i] = a[i] = 1.0 / (1 + i);
    for (size_t e = 0; e < x.nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(&x, e, index);
        huge[index[1]] = 1 + index[1] % 7;
    }
    const double *const factor[] = {a, huge, b};
    for (const trib_format *const *format = trib_formats; *format; format++) {
        GIVEN(trib_tensor) one = {0}, seven = {0};
        CHECK(trib_tensor_build(&one, *format, &x, NULL, 1, NULL) == TRIB_OK);
        CHECK(trib_tensor_build(&seven, *format, &x, NULL, 7, NULL) == TRIB_OK);
        for (uint32_t mode = 0; mode < 3; mode += 2) {
            oracle(&x, NULL, mode, RANK, (double *const[]){a, huge, b}, wanted);
            trib_mttkrp(&one, mode, RANK, factor, out[0], 1);
            trib_mttkrp(&seven, mode, RANK, factor, out[1], 7);
            EXPECT(memcmp(out[0], out[1], sizeof out[0]) == 0);
            for (int i = 0; i < DIM; i++) EXPECT_NEAR(out[0][i], wanted[i], 1e-12 * wanted[i]);
        }
    }
    trib_hacoo_release(&x);
    munmap(huge, size);
    fclose(file);
}

TEST(every_format_holds_nothing_and_one) {
    for (uint32_t n_modes = 1; n_modes <= TRIB_MAX_MODES; n_modes++)
        for (size_t n_drawn = 0; n_drawn < 2; n_drawn++) {
            shape s = {"small", n_modes, {0}, n_drawn, false};
            for (uint32_t m = 0; m < n_modes; m++) s.dim[m] = m == 2 ? 1 : 5;
            compare_formats(&s);
        }
}

TEST(every_format_multiplies_what_is_all_ones) {
    for (uint32_t n_modes = 1; n_modes <= 4; n_modes++) {
        trib_hacoo x = draw(&(shape){"ones", n_modes, {9, 9, 9, 9}, 100, false}, "mixed", 1);
        double *ones = malloc((x.nnz + 1) * sizeof *ones);
        CHECK(ones != NULL);
        for (size_t e = 0; e < x.nnz; e++) ones[e] = 1;
        for (uint32_t rank = 6; rank <= 16; rank += 5) compare_all(&x, ones, rank);
        free(ones);
        trib_hacoo_release(&x);
    }
}

/* Worked by hand: X(0,1) = 2, X(2,1) = 3, X(2,0) = 1; factor of mode 1 (1, 10), of mode 0 (1, 2,
 * 4). */
TEST(a_worked_matrix_comes_out) {
    GIVEN(trib_hacoo) x = empty_tensor(2, (uint32_t[]){3, 2});
    static const uint32_t entries[][3] = {{0, 1, 2}, {2, 1, 3}, {2, 0, 1}};
    for (int i = 0; i < 3; i++) EXPECT_OK(trib_hacoo_add(&x, entries[i], entries[i][2], &error));
    const double a[] = {1, 2, 4}, b[] = {1, 10};
    const double *const factor[] = {a, b};
    for (const trib_format *const *format = trib_formats; *format; format++) {
        GIVEN(trib_tensor) tensor = {0};
        double out[3];
        EXPECT_OK(trib_tensor_build(&tensor, *format, &x, NULL, 2, &error));
        EXPECT(tensor.nnz == 3 && tensor.total == 6 && tensor.dim[0] == 3 && tensor.dim[1] == 2);
        EXPECT_NEAR(tensor.norm, sqrt(14), 1e-15);
        trib_mttkrp(&tensor, 0, 1, factor, out, 2);
        EXPECT(out[0] == 20 && out[1] == 0 && out[2] == 31);
        trib_mttkrp(&tensor, 1, 1, factor, out, 2);
        EXPECT(out[0] == 4 && out[1] == 14);
    }
}

/* Every nonzero is read exactly once, in pieces of any size and any order of calls. */
TEST(every_format_reads_back_what_was_put_in) {
    const shape shapes[] = {{"narrow", 3, {90, 5, 700}, 3000, true},
                            {"wide", 6, {9000, 4000, 9000, 9000, 4, 9000}, 1500, true}};
    for (size_t k = 0; k < 2; k++) {
        trib_hacoo x = draw(&shapes[k], "mixed", 17);
        double *values = malloc(x.nnz * sizeof *values);
        bool *seen = malloc(x.nnz * sizeof *seen);
        CHECK(values != NULL && seen != NULL);
        for (size_t e = 0; e < x.nnz; e++) values[e] = (double)e + 0.5;
        for (const trib_format *const *format = trib_formats; *format; format++) {
            trib_tensor tensor;
            EXPECT_OK(trib_tensor_build(&tensor, *format, &x, values, 3, &error));
            EXPECT(trib_tensor_bytes(&tensor) > 0);
            memset(seen, 0, x.nnz * sizeof *seen);
            size_t n = 0, at = 0;
            for (size_t left = x.nnz; left > 0; left -= n) { /* from the end */
                uint32_t index[37 * TRIB_MAX_MODES];
                double value[37];
                n = left < 37 ? left : 37;
                at = left - n;
                trib_tensor_read(&tensor, at, n, index, value);
                for (size_t i = 0; i < n; i++) {
                    const size_t e = trib_hacoo_find(&x, index + i * x.n_modes);
                    CHECK(e != TRIB_NO_ENTRY && !seen[e]);
                    seen[e] = true;
                    EXPECT(value[i] == values[e]);
                }
            }
            trib_tensor_release(&tensor);
            EXPECT(trib_tensor_bytes(&tensor) == 0);
        }
        free(values);
        free(seen);
        trib_hacoo_release(&x);
    }
}

typedef struct build_case {
    const trib_format *format;
    const trib_hacoo *x;
} build_case;

static trib_status build_one(void *context, trib_error *failure) {
    const build_case *c = context;
    GIVEN(trib_tensor) tensor = {0};
    const trib_status status = trib_tensor_build(&tensor, c->format, c->x, NULL, 3, failure);
    EXPECT(status == TRIB_OK || tensor.data == NULL);
    return status;
}

TEST(every_failing_allocation_of_a_build_is_reported) {
    trib_hacoo x = draw(&(shape){"random", 3, {40, 40, 40}, 200, false}, "mixed", 1);
    for (const trib_format *const *format = trib_formats; *format; format++)
        EXPECT(trib_fail_every_allocation(build_one, &(build_case){*format, &x}) > 3);
    trib_hacoo_release(&x);
}

TEST(every_build_can_be_stopped) {
    trib_hacoo x = draw(&(shape){"random", 3, {40, 40, 40}, 200, false}, "mixed", 1);
    for (const trib_format *const *format = trib_formats; *format; format++)
        EXPECT(trib_stop_at_every_look(build_one, &(build_case){*format, &x}) >= 2);
    trib_hacoo_release(&x);
}

TEST(formats_are_found_by_name) {
    for (const trib_format *const *format = trib_formats; *format; format++)
        EXPECT(trib_format_find((*format)->name) == *format && (*format)->help != NULL);
    EXPECT(trib_format_find("none") == NULL);
    trib_tensor empty = {0};
    trib_tensor_release(&empty);
    EXPECT(trib_tensor_bytes(&empty) == 0);
}
