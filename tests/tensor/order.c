/* order.c - sorted entries against qsort and codes bit by bit, for tables of every shape of key. */
#include "tensor/entry.h"
#include "tests/tensor/drawn.h"

TESTS(tensor, order);

static trib_error error;

/* Shapes of up to 64 and of up to 128 bits. 40000 draws are sorted by several threads. */
static const struct shape {
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    size_t n;
    double skew;
} shapes[] = {
    {1, {UINT32_MAX}, 900, 0},
    {2, {9, 7}, 300, 0},
    {2, {1000, 1000}, 0, 0},
    {2, {1000, 1000}, 1, 0},
    {3, {12672, 12672, 12672}, 40000, 1},
    {3, {UINT32_MAX, 3, UINT32_MAX}, 40000, 0}, /* 66 bits */
    {4, {183, 24, 1140, 1717}, 40000, 0},
    {5, {60, 60, 60, 60, 60}, 2000, 1},
    {6, {1, 2, 3, 4, 5, 6}, 5000, 0},
    {7, {1 << 18, 1 << 18, 1 << 18, 1 << 18, 1 << 18, 1 << 18, 1 << 18}, 3000, 1}, /* 126 bits */
    {8, {256, 256, 256, 256, 256, 256, 256, 256}, 3000, 1},                        /* 64 bits */
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static trib_hacoo drawn(const struct shape *s) {
    return drawn_tensor(s->n_modes, s->dim, s->n, s->skew);
}

typedef struct numbered {
    trib_key key;
    uint32_t entry;
} numbered;

static int by_key(const void *a, const void *b) {
    const numbered *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static uint32_t *zeros(size_t n) {
    uint32_t *x = calloc(n + 1, sizeof *x);
    CHECK(x != NULL);
    return x;
}

/* order[n] is that of qsort by key[n]. */
static void expect_order(const uint32_t *order, numbered *sorted, size_t n) {
    size_t n_equal = 0;
    for (size_t i = 0; i < n; i++) sorted[i].entry = (uint32_t)i;
    qsort(sorted, n, sizeof *sorted, by_key);
    for (size_t i = 0; i < n; i++) n_equal += order[i] == sorted[i].entry;
    EXPECT(n_equal == n);
}

TEST(entries_are_in_the_order_of_their_keys_and_codes) {
    for (size_t s = 0; s < N_SHAPES; s++)
        for (int way = 0; way < 4; way++) {
            trib_hacoo x = drawn(&shapes[s]);
            uint32_t *order = zeros(x.nnz);
            numbered *sorted = malloc((x.nnz + 1) * sizeof *sorted);
            CHECK(sorted != NULL);
            EXPECT_OK(trib_order_entries(&x, way & 1, order, way & 2 ? 3 : 1, &error));
            for (size_t e = 0; e < x.nnz; e++) {
                sorted[e].key = trib_entry_key(x.entry, e, trib_is_wide(&x));
                if (way & 1) sorted[e].key = trib_key_morton(&x, sorted[e].key);
            }
            expect_order(order, sorted, x.nnz);
            free(order);
            free(sorted);
            trib_hacoo_release(&x);
        }
}

TEST(modes_can_come_in_any_order) {
    for (size_t s = 0; s < N_SHAPES; s++) {
        trib_hacoo x = drawn(&shapes[s]);
        uint32_t *order = zeros(x.nnz), mode[TRIB_MAX_MODES];
        numbered *sorted = malloc((x.nnz + 1) * sizeof *sorted);
        CHECK(sorted != NULL);
        for (uint32_t k = 0; k < x.n_modes; k++) mode[k] = (k + 2 * x.n_modes - 2) % x.n_modes;
        EXPECT_OK(trib_order_by_modes(&x, mode, order, &error));
        for (size_t e = 0; e < x.nnz; e++) {
            uint32_t index[TRIB_MAX_MODES];
            trib_hacoo_entry(&x, e, index);
            sorted[e].key = 0;
            for (uint32_t k = 0; k < x.n_modes; k++)
                sorted[e].key = sorted[e].key << x.bits[mode[k]] | index[mode[k]];
        }
        expect_order(order, sorted, x.nnz);
        free(order);
        free(sorted);
        trib_hacoo_release(&x);
    }
}

static trib_key number_of(const void *context, size_t i) { return ((const trib_key *)context)[i]; }

/* Numbers that share most bits, in which few values occur, and that are all the same. */
TEST(equal_numbers_stay_in_order) {
    enum { N = 40000 };
    trib_random random;
    trib_random_seed(&random, 3);
    trib_key *number = malloc(N * sizeof *number);
    numbered *sorted = malloc(N * sizeof *sorted);
    CHECK(number != NULL && sorted != NULL);
    static const uint32_t n_values[] = {1, 2, 30, 5000, 100000};
    for (size_t v = 0; v < 5; v++)
        for (uint32_t place = 0; place < 128; place += 37)
            for (size_t n = 0; n <= N; n = n < 2 ? n + 1 : n < 30 ? 5 * n : 20 * n) {
                uint32_t *order = zeros(n);
                for (size_t i = 0; i < n; i++) {
                    const trib_key value = trib_random_below(&random, n_values[v]);
                    number[i] = sorted[i].key = value << place | (place > 20 ? 7 : 0);
                }
                EXPECT_OK(trib_order_numbers(n, 128, number_of, number, order, 2, &error));
                expect_order(order, sorted, n);
                free(order);
            }
    free(number);
    free(sorted);
}

/* Codes and values of keys of 64 bits, from counts and from given values. */
TEST(codes_come_with_their_values) {
    for (size_t s = 0; s < N_SHAPES; s++)
        for (int way = 0; way < 4; way++) {
            trib_hacoo x = drawn(&shapes[s]);
            uint32_t *order = zeros(x.nnz);
            uint64_t *code = malloc((x.nnz + 1) * sizeof *code);
            double *value = malloc((x.nnz + 1) * sizeof *value);
            double *given = malloc((x.nnz + 1) * sizeof *given);
            CHECK(code != NULL && value != NULL && given != NULL);
            for (size_t e = 0; e < x.nnz; e++) given[e] = 1.5 * (double)e;
            const double *values = way & 1 ? given : NULL;
            if (!trib_is_wide(&x)) {
                EXPECT_OK(trib_order_entries(&x, true, order, 1, &error));
                EXPECT_OK(trib_order_codes(&x, values, code, value, way & 2 ? 3 : 1, &error));
                size_t n_right = 0;
                for (size_t i = 0; i < x.nnz; i++) {
                    const uint32_t e = order[i];
                    n_right += code[i] == trib_key_morton(&x, trib_entry_key(x.entry, e, false)) &&
                               value[i] == (values ? given[e] : trib_hacoo_count(&x, e));
                }
                EXPECT(n_right == x.nnz);
            }
            free(order);
            free(code);
            free(value);
            free(given);
            trib_hacoo_release(&x);
        }
}

typedef struct outputs {
    trib_hacoo x;
    uint32_t order[600];
    uint64_t code[600];
    double value[600];
} outputs;

static trib_status sort_all_ways(void *context, trib_error *failure) {
    outputs *o = context;
    trib_status status = trib_order_entries(&o->x, true, o->order, 2, failure);
    if (status == TRIB_OK) status = trib_order_codes(&o->x, NULL, o->code, o->value, 2, failure);
    return status;
}

TEST(every_allocation_may_fail) {
    static outputs o;
    o.x = drawn_tensor(3, (uint32_t[]){40, 50, 60}, 600, 0);
    EXPECT(trib_fail_every_allocation(sort_all_ways, &o) >= 8);
    trib_hacoo_release(&o.x);
}
