/* stream.c - insertions on their way against the same insertions one by one. */
#include "tensor/tensor.h"
#include "tests/tensor/drawn.h"

TESTS(tensor, stream);

static trib_error error;

enum { N = 5000, MODES = 3, LARGEST = 40 };

/* Many small indices, few large ones, counts 0 to 3; keys of 18 or of 96 bits. */
typedef struct insertions {
    uint32_t dim[MODES], index[N][MODES], count[N];
} insertions;

static insertions *make_insertions(bool wide, uint64_t seed) {
    insertions *x = calloc(1, sizeof *x);
    CHECK(x != NULL);
    trib_random random;
    trib_random_seed(&random, seed);
    for (int m = 0; m < MODES; m++) x->dim[m] = wide ? UINT32_MAX : LARGEST;
    for (int i = 0; i < N; i++) {
        for (int m = 0; m < MODES; m++)
            x->index[i][m] =
                (uint32_t)trib_random_below(&random, 1 + trib_random_below(&random, LARGEST));
        x->count[i] = (uint32_t)trib_random_below(&random, 4);
    }
    return x;
}

static void one_by_one(trib_hacoo *table, const insertions *x, const trib_hacoo_options *options) {
    EXPECT_OK(trib_hacoo_init(table, MODES, x->dim, options, &error));
    for (int i = 0; i < N; i++) EXPECT_OK(trib_hacoo_add(table, x->index[i], x->count[i], &error));
}

/* The same entries under the same numbers, found by lookup too. */
static void expect_same(const trib_hacoo *a, const trib_hacoo *b) {
    EXPECT(a->nnz == b->nnz && a->total == b->total);
    for (size_t e = 0; e < a->nnz && e < b->nnz; e++) {
        uint32_t x[TRIB_MAX_MODES], y[TRIB_MAX_MODES];
        EXPECT(trib_hacoo_entry(a, e, x) == trib_hacoo_entry(b, e, y));
        EXPECT(memcmp(x, y, a->n_modes * sizeof *x) == 0);
        EXPECT(trib_hacoo_find(a, x) == e && trib_hacoo_find(b, x) == e);
    }
}

static void expect_numbers(const trib_hacoo *table, const insertions *x, const uint32_t *entry) {
    for (int i = 0; i < N; i++)
        EXPECT(entry[i] ==
               (x->count[i] ? (uint32_t)trib_hacoo_find(table, x->index[i]) : UINT32_MAX));
}

TEST(a_stream_gives_the_table_of_insertions_one_by_one) {
    for (size_t kind = 0; trib_hashes[kind / 2].name; kind++) {
        insertions *x = make_insertions(kind % 2, kind);
        const trib_hacoo_options options = {.hash = &trib_hashes[kind / 2], .n_buckets = 8};
        GIVEN(trib_hacoo) wanted = {0}, table = {0};
        one_by_one(&wanted, x, &options);
        static uint32_t entry[N];
        EXPECT_OK(trib_hacoo_init(&table, MODES, x->dim, &options, &error));
        trib_hacoo_stream stream;
        trib_hacoo_stream_init(&stream, &table, entry);
        for (int i = 0; i < N; i++) {
            EXPECT_OK(trib_hacoo_stream_push(&stream, x->index[i], x->count[i], &error));
            if (i % 777 == 0) EXPECT_OK(trib_hacoo_stream_flush(&stream, &error));
        }
        EXPECT_OK(trib_hacoo_stream_flush(&stream, &error));
        EXPECT(stream.n_pushed == N && stream.n_added == N);
        EXPECT(table.n_buckets == wanted.n_buckets);
        expect_same(&table, &wanted);
        expect_numbers(&table, x, entry);
        free(x);
    }
}

/* Windows over N numbers, `alike` or of modes of two sizes, pushed after one single insertion, in
 * pieces. */
TEST(windows_are_the_insertions_one_by_one) {
    for (int kind = 0; kind < 4; kind++) {
        const bool wide = kind % 2, alike = kind < 2;
        insertions *x = make_insertions(wide, 13);
        const uint32_t *id = x->index[0];
        if (!alike && wide) x->dim[1]--;
        if (!alike && !wide) x->dim[2]++;
        static uint32_t entry[N];
        GIVEN(trib_hacoo) wanted = empty_tensor(MODES, x->dim);
        GIVEN(trib_hacoo) table = empty_tensor(MODES, x->dim);
        trib_hacoo_stream stream;
        trib_hacoo_stream_init(&stream, &table, entry);
        EXPECT_OK(trib_hacoo_stream_push(&stream, id, 1, &error));
        EXPECT_OK(trib_hacoo_add(&wanted, id, 1, &error));
        for (size_t at = 0, n = 0; at + n <= N; at += n, n = n * 3 % 101 + 1) {
            EXPECT_OK(trib_hacoo_stream_windows(&stream, n, id + at, &error));
            for (size_t i = at; i + MODES <= at + n; i++)
                EXPECT_OK(trib_hacoo_add(&wanted, id + i, 1, &error));
            if (at % 5 == 0) EXPECT_OK(trib_hacoo_stream_flush(&stream, &error));
        }
        EXPECT_OK(trib_hacoo_stream_flush(&stream, &error));
        expect_same(&table, &wanted);
        free(x);
    }
}

TEST(a_window_with_a_wrong_id_is_refused) {
    const uint32_t id[] = {0, 1, 2, 3, 0, 1};
    for (uint32_t third = 3; third <= 4; third++) { /* sizes alike or not */
        for (size_t first = 0; first < 4; first++) {
            GIVEN(trib_hacoo) table = empty_tensor(3, (uint32_t[]){3, 3, third});
            trib_hacoo_stream stream;
            trib_hacoo_stream_init(&stream, &table, NULL);
            EXPECT_STATUS(trib_hacoo_stream_windows(&stream, 6 - first, id + first, &error),
                          TRIB_INTERNAL, error);
            EXPECT(strstr(error.message, "index 3 of mode ") != NULL);
            EXPECT_OK(trib_hacoo_stream_flush(&stream, &error));
            EXPECT(table.nnz == (size_t)(first == 0) + (size_t)(first < 2 && third == 4));
        }
    }
}

TEST(a_table_is_built_from_its_insertions_in_one_call) {
    for (int wide = 0; wide < 2; wide++) {
        insertions *x = make_insertions(wide, 7);
        GIVEN(trib_hacoo) wanted = {0}, built = {0};
        static uint32_t entry[N];
        one_by_one(&wanted, x, NULL);
        GIVEN(trib_hacoo) table = empty_tensor(MODES, x->dim);
        EXPECT_OK(trib_hacoo_add_many(&table, 0, NULL, NULL, NULL, &error));
        EXPECT_OK(trib_hacoo_add_many(&table, N, x->index[0], x->count, entry, &error));
        expect_same(&table, &wanted);
        expect_numbers(&table, x, entry);
        EXPECT_OK(trib_hacoo_build(&built, MODES, x->dim, NULL, N, x->index[0], x->count, &error));
        expect_same(&built, &wanted);
        EXPECT(built.n_buckets == 8192 && built.cap >= N); /* 5000 / .7 = 7143 */
        trib_hacoo_release(&built);
        EXPECT_OK(trib_hacoo_build(&built, MODES, x->dim, NULL, N, x->index[0], NULL, &error));
        EXPECT(built.total == N);
        free(x);
    }
}

TEST(parts_of_a_text_merge_to_the_table_of_the_whole) {
    for (int wide = 0; wide < 2; wide++) {
        insertions *x = make_insertions(wide, 11);
        GIVEN(trib_hacoo) wanted = {0};
        one_by_one(&wanted, x, NULL);
        static const size_t cut[] = {0, 1, 33, N / 2, N};
        for (size_t c = 0; c < sizeof cut / sizeof *cut; c++) {
            GIVEN(trib_hacoo) first = {0}, second = {0};
            static uint32_t entry[N];
            EXPECT_OK(trib_hacoo_build(&first, MODES, x->dim, NULL, cut[c], x->index[0], x->count,
                                       &error));
            const size_t rest = N - cut[c];
            EXPECT_OK(trib_hacoo_build(&second, MODES, x->dim, NULL, rest,
                                       rest ? x->index[cut[c]] : NULL, x->count + cut[c], &error));
            EXPECT_OK(trib_hacoo_merge(&first, &second, entry, &error));
            expect_same(&first, &wanted);
            for (size_t e = 0; e < second.nnz; e++) {
                uint32_t index[MODES];
                trib_hacoo_entry(&second, e, index);
                EXPECT(entry[e] == trib_hacoo_find(&first, index));
            }
            EXPECT_OK(trib_hacoo_merge(&first, &first, NULL, &error));
            EXPECT(first.nnz == wanted.nnz && first.total == 2 * wanted.total);
        }
        free(x);
    }
}

TEST(tables_of_different_dimensions_do_not_merge) {
    GIVEN(trib_hacoo) a = empty_tensor(2, (uint32_t[]){3, 3});
    GIVEN(trib_hacoo) b = empty_tensor(2, (uint32_t[]){3, 4});
    GIVEN(trib_hacoo) c = empty_tensor(1, (uint32_t[]){3});
    EXPECT_STATUS(trib_hacoo_merge(&a, &b, NULL, &error), TRIB_INTERNAL, error);
    EXPECT_REFUSED(trib_hacoo_merge(&a, &c, NULL, &error), TRIB_INTERNAL,
                   "two tables of different dimensions are merged");
}

TEST(a_wrong_index_is_refused_after_all_before_it_are_added) {
    trib_hacoo table;
    const uint32_t index[] = {0, 2, 1, 3, 0};
    EXPECT_OK(trib_hacoo_init(&table, 1, (uint32_t[]){3}, NULL, &error));
    EXPECT_REFUSED(trib_hacoo_add_many(&table, 5, index, NULL, NULL, &error), TRIB_INTERNAL,
                   "index 3 of mode 1 is not below its size 3");
    EXPECT(table.nnz == 3 && table.total == 3);
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, &table, NULL);
    EXPECT_STATUS(trib_hacoo_stream_push(&stream, &index[3], 1, &error), TRIB_INTERNAL, error);
    EXPECT(stream.n_pushed == 0);
    trib_hacoo_release(&table);
    EXPECT_STATUS(trib_hacoo_build(&table, 1, (uint32_t[]){3}, NULL, 5, index, NULL, &error),
                  TRIB_INTERNAL, error);
    EXPECT(table.nnz == 0 && table.entry == NULL && table.head == NULL);
}

TEST(a_count_beyond_32_bits_stays_pending) {
    const uint32_t index[] = {1, 1, 2, 9}, count[] = {UINT32_MAX, 1, 1, 1};
    uint32_t entry[4];
    GIVEN(trib_hacoo) table = empty_tensor(1, (uint32_t[]){3});
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, &table, entry);
    for (int i = 0; i < 3; i++)
        EXPECT_OK(trib_hacoo_stream_push(&stream, &index[i], count[i], &error));
    EXPECT_STATUS(trib_hacoo_stream_flush(&stream, &error), TRIB_INPUT, error);
    EXPECT_STATUS(trib_hacoo_stream_flush(&stream, &error), TRIB_INPUT, error);
    EXPECT(stream.n_added == 1 && table.nnz == 1 && table.total == UINT32_MAX);
    trib_hacoo_release(&table);
    EXPECT_OK(trib_hacoo_init(&table, 1, (uint32_t[]){3}, NULL, &error));
    /* Of two failures the one of the earlier insertion is told. */
    EXPECT_STATUS(trib_hacoo_add_many(&table, 4, index, count, NULL, &error), TRIB_INPUT, error);
    EXPECT(table.nnz == 1 && table.total == UINT32_MAX);
}

static trib_status stream_some(void *context, trib_error *failure) {
    const insertions *x = context;
    GIVEN(trib_hacoo) table = {0}, other = {0};
    trib_status status =
        trib_hacoo_build(&table, MODES, x->dim, NULL, N / 2, x->index[0], NULL, failure);
    if (status == TRIB_OK) status = trib_hacoo_init(&other, MODES, x->dim, NULL, failure);
    if (status == TRIB_OK)
        status = trib_hacoo_add_many(&other, N / 2, x->index[N / 2], NULL, NULL, failure);
    if (status == TRIB_OK) status = trib_hacoo_merge(&table, &other, NULL, failure);
    EXPECT(status != TRIB_OK || table.total == N);
    return status;
}

TEST(every_failing_allocation_of_a_stream_is_reported) {
    for (int wide = 0; wide < 2; wide++) {
        insertions *x = make_insertions(wide, 3);
        EXPECT(trib_fail_every_allocation(stream_some, x) > 8);
        free(x);
    }
}

TEST(a_failed_allocation_loses_no_insertion) {
    insertions *x = make_insertions(false, 5);
    GIVEN(trib_hacoo) wanted = {0};
    one_by_one(&wanted, x, NULL);
    GIVEN(trib_hacoo) table = empty_tensor(MODES, x->dim);
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, &table, NULL);
    int n_failed = 0;
    for (int i = 0; i < N; i++) {
        trib_memory_fail_from(1);
        const trib_status status =
            trib_hacoo_stream_push(&stream, x->index[i], x->count[i], &error);
        trib_memory_fail_from(0);
        if (status == TRIB_OK) continue;
        EXPECT(status == TRIB_MEMORY);
        n_failed++;
        EXPECT_OK(trib_hacoo_stream_push(&stream, x->index[i], x->count[i], &error));
    }
    EXPECT_OK(trib_hacoo_stream_flush(&stream, &error));
    EXPECT(n_failed > 5);
    expect_same(&table, &wanted);
    free(x);
}
