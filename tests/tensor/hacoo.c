/* hacoo.c - the table against a plain array of counts. */
#include "tensor/tensor.h"
#include "tests/tensor/drawn.h"

TESTS(tensor, hacoo);

static trib_error error;

enum { SIDE = 12, CELLS = SIDE * SIDE * SIDE };

static void index_of(size_t cell, uint32_t index[3]) {
    for (int m = 0; m < 3; m++) {
        index[m] = (uint32_t)(cell % SIDE);
        cell /= SIDE;
    }
}

/* The table holds exactly the counts of cells, by lookup and by iteration. */
static void expect_cells(const trib_hacoo *table, const uint32_t *cells) {
    uint64_t total = 0;
    size_t nnz = 0;
    for (size_t c = 0; c < CELLS; c++) {
        uint32_t index[3], back[3];
        index_of(c, index);
        EXPECT(trib_hacoo_get(table, index) == cells[c]);
        total += cells[c];
        nnz += cells[c] > 0;
        const size_t e = trib_hacoo_find(table, index);
        EXPECT((e == TRIB_NO_ENTRY) == (cells[c] == 0));
        if (e == TRIB_NO_ENTRY) continue;
        EXPECT(e < table->nnz && trib_hacoo_entry(table, e, back) == cells[c]);
        EXPECT(trib_hacoo_count(table, e) == cells[c] && memcmp(index, back, sizeof back) == 0);
    }
    EXPECT(table->nnz == nnz && table->total == total);
}

/* Small dimensions, and the same indices under dimensions whose keys need 96 bits. */
static const uint32_t small_dim[] = {SIDE, SIDE, SIDE};
static const uint32_t large_dim[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};

TEST(any_mix_of_calls_gives_the_counts_of_an_array) {
    static uint32_t cells[CELLS];
    for (size_t kind = 0; trib_hashes[kind / 2].name; kind++) {
        const trib_hacoo_options options = {.hash = &trib_hashes[kind / 2],
                                            .load = kind == 5 ? 16 : 0,
                                            .n_buckets = kind == 1 ? 1 : 0};
        GIVEN(trib_hacoo) table = {0};
        EXPECT_OK(trib_hacoo_init(&table, 3, kind % 2 ? large_dim : small_dim, &options, &error));
        trib_random random;
        trib_random_seed(&random, kind);
        memset(cells, 0, sizeof cells);
        for (int i = 0; i < 6000; i++) {
            uint32_t index[3];
            const size_t c = trib_random_below(&random, CELLS);
            const uint32_t count = (uint32_t)trib_random_below(&random, 4);
            index_of(c, index);
            switch (trib_random_below(&random, 4)) {
            case 0:
                EXPECT(trib_hacoo_remove(&table, index) == (cells[c] > 0));
                cells[c] = 0;
                break;
            case 1:
                EXPECT_OK(trib_hacoo_set(&table, index, count, &error));
                cells[c] = count;
                break;
            default:
                EXPECT_OK(trib_hacoo_add(&table, index, count, &error));
                cells[c] += count;
            }
            if (i % 1500 == 0) expect_cells(&table, cells);
        }
        expect_cells(&table, cells);
        for (size_t c = 0; c < CELLS; c++) {
            uint32_t index[3];
            index_of(c, index);
            trib_hacoo_remove(&table, index);
            cells[c] = 0;
        }
        expect_cells(&table, cells);
    }
}

TEST(growing_keeps_every_entry_and_its_number) {
    for (size_t h = 0; trib_hashes[h].name; h++) {
        GIVEN(trib_hacoo) table = {0};
        const trib_hacoo_options options = {.hash = &trib_hashes[h], .n_buckets = 8};
        EXPECT_OK(trib_hacoo_init(&table, 2, (uint32_t[]){5000, 5000}, &options, &error));
        for (uint32_t i = 0; i < 5000; i++)
            EXPECT_OK(trib_hacoo_add(&table, (uint32_t[]){i, i * 7 % 5000}, i + 1, &error));
        EXPECT(table.n_buckets == 8192 && table.nnz == 5000); /* 5000 / .7 = 7143 */
        for (uint32_t i = 0; i < 5000; i++) {
            EXPECT(trib_hacoo_find(&table, (uint32_t[]){i, i * 7 % 5000}) == i);
            EXPECT(trib_hacoo_count(&table, i) == i + 1);
        }
    }
}

TEST(a_spilled_table_reads_as_before) {
    for (int wide = 0; wide < 2; wide++) {
        trib_spill spill;
        uint32_t cells[CELLS] = {0};
        GIVEN(trib_hacoo) table = empty_tensor(3, wide ? large_dim : small_dim);
        for (size_t k = 0; k < 900; k++) {
            uint32_t index[3];
            const size_t cell = k * k % CELLS;
            index_of(cell, index);
            cells[cell]++;
            EXPECT_OK(trib_hacoo_add(&table, index, 1, &error));
        }
        EXPECT_OK(trib_spill_open(&spill, trib_scratch(""), true, &error));
        EXPECT_OK(trib_hacoo_spill(&table, &spill, &error));
        EXPECT(table.is_spilled);
        expect_cells(&table, cells);
        /* and through another spill, as in another process */
        const trib_hacoo_options options = {.hash = table.hash, .load = table.load};
        trib_hacoo_location place = trib_hacoo_locate(&table, &spill);
        trib_spill other;
        trib_hacoo same;
        EXPECT_OK(
            trib_spill_attach(&other, spill.writer.temporary, spill.writer.n_written, &error));
        EXPECT_OK(trib_hacoo_attach(&same, 3, wide ? large_dim : small_dim, &options, &place,
                                    &other, &error));
        EXPECT(same.entry != table.entry && same.nnz == table.nnz && same.total == table.total);
        expect_cells(&same, cells);
        trib_hacoo_release(&same);
        /* and without its arrays, which are packed */
        EXPECT_OK(trib_hacoo_attach(&same, 3, wide ? large_dim : small_dim, &options, &place, NULL,
                                    &error));
        EXPECT(!same.entry && !same.head && same.nnz == table.nnz &&
               same.n_buckets == table.n_buckets && same.total == table.total);
        trib_hacoo_release(&same);
        place.nnz = spill.writer.n_written;
        EXPECT_STATUS(trib_hacoo_attach(&same, 3, wide ? large_dim : small_dim, &options, &place,
                                        &other, &error),
                      TRIB_INTERNAL, error);
        trib_spill_close(&other);
        trib_spill_close(&spill);
    }
}

TEST(a_known_number_of_nonzeros_sizes_the_table_once) {
    GIVEN(trib_hacoo) table = {0};
    EXPECT_OK(trib_hacoo_init(&table, 1, (uint32_t[]){1000}, &(trib_hacoo_options){.expected = 700},
                              &error));
    EXPECT(table.n_buckets == 1024); /* 700 / .7 = 1000 */
    trib_memory_fail_from(0);
    for (uint32_t i = 0; i < 700; i++) EXPECT_OK(trib_hacoo_add(&table, &i, 1, &error));
    EXPECT(trib_memory_attempts() == 0 && table.n_buckets == 1024);
}

TEST(a_count_beyond_32_bits_is_an_error) {
    const uint32_t index[] = {1, 2};
    GIVEN(trib_hacoo) table = empty_tensor(2, (uint32_t[]){3, 3});
    EXPECT_OK(trib_hacoo_add(&table, index, UINT32_MAX - 1, &error));
    EXPECT_OK(trib_hacoo_add(&table, index, 1, &error));
    EXPECT_STATUS(trib_hacoo_add(&table, index, 1, &error), TRIB_INPUT, error);
    EXPECT(trib_hacoo_get(&table, index) == UINT32_MAX && table.total == UINT32_MAX);
}

TEST(an_index_out_of_range_is_refused_and_never_aliased) {
    const uint32_t bad[] = {1, 3};
    GIVEN(trib_hacoo) table = empty_tensor(2, (uint32_t[]){3, 3});
    EXPECT_OK(trib_hacoo_add(&table, (uint32_t[]){1, 2}, 1, &error));
    EXPECT_REFUSED(trib_hacoo_add(&table, bad, 1, &error), TRIB_INTERNAL,
                   "index 3 of mode 2 is not below its size 3");
    EXPECT_STATUS(trib_hacoo_set(&table, bad, 1, &error), TRIB_INTERNAL, error);
    EXPECT_STATUS(trib_hacoo_set(&table, bad, 0, &error), TRIB_INTERNAL, error);
    EXPECT(trib_hacoo_get(&table, bad) == 0 && trib_hacoo_find(&table, bad) == TRIB_NO_ENTRY);
    EXPECT(!trib_hacoo_remove(&table, bad) && trib_hacoo_bucket(&table, bad) == TRIB_NO_ENTRY);
    EXPECT(table.nnz == 1);
}

/* 16 buckets of the worked example: buckets 0 14 15 15 6 8 3 1, one collision. */
TEST(spread_is_that_of_the_worked_example) {
    static const uint32_t index[][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 0, 2},
                                        {2, 1, 0}, {2, 2, 2}, {3, 0, 1}, {3, 3, 2}};
    GIVEN(trib_hacoo) table = {0};
    const trib_hacoo_options options = {.hash = trib_hash_find("morton"), .n_buckets = 16};
    EXPECT_OK(trib_hacoo_init(&table, 3, (uint32_t[]){4, 4, 4}, &options, &error));
    trib_hacoo_spread spread;
    trib_hacoo_spread_of(&table, &spread);
    EXPECT(spread.collision_rate == 0 && spread.mean_probes == 0 && spread.max_probes == 0);
    for (size_t i = 0; i < 8; i++) EXPECT_OK(trib_hacoo_add(&table, index[i], 1, &error));
    trib_hacoo_spread_of(&table, &spread);
    EXPECT(spread.n_used_buckets == 7 && spread.max_probes == 2);
    EXPECT(trib_hacoo_chain(&table, 15) == 2 && trib_hacoo_chain(&table, 14) == 1);
    EXPECT(trib_hacoo_chain(&table, 2) == 0);
    EXPECT(trib_hacoo_bytes(&table) == 8 * 16 + 16 * 4);
    EXPECT_NEAR(spread.collision_rate, 1. / 8, 0);
    EXPECT_NEAR(spread.mean_probes, 9. / 8, 0);
}

TEST(the_default_hash_spreads_like_chance) {
    GIVEN(trib_hacoo) table = empty_tensor(3, (uint32_t[]){4096, 4096, 4096});
    for (uint32_t i = 0; i < 60000; i++) /* runs along each mode: what weak mixers trip over */
        EXPECT_OK(trib_hacoo_add(
            &table,
            (uint32_t[]){i % 3 == 0 ? i % 4096 : i % 7, i % 3 == 1 ? i % 4096 : i % 5, i / 20}, 1,
            &error));
    trib_hacoo_spread spread;
    trib_hacoo_spread_of(&table, &spread);
    const double load = (double)table.nnz / (double)table.n_buckets;
    EXPECT_NEAR(spread.mean_probes, 1 + load / 2, 0.01); /* [Knuth 6.4, separate chaining] */
    EXPECT_NEAR(spread.collision_rate, 1 - (1 - exp(-load)) / load, 0.01);
}

TEST(an_empty_value_is_a_table_without_entries) {
    GIVEN(trib_hacoo) table = {0};
    const uint32_t index[] = {0};
    EXPECT(trib_hacoo_get(&table, index) == 0 && !trib_hacoo_remove(&table, index));
}

static trib_status count_some(void *context, trib_error *failure) {
    GIVEN(trib_hacoo) table = {0};
    trib_status status = trib_hacoo_init(&table, 3, context, NULL, failure);
    for (uint32_t i = 0; status == TRIB_OK && i < 2000; i++)
        status = trib_hacoo_add(&table, (uint32_t[]){i % 12, i % 11, i % 7}, 1, failure);
    EXPECT(status == TRIB_OK || table.total == 0 || table.total < 2000);
    return status;
}

TEST(every_failing_allocation_of_a_table_is_reported) {
    uint32_t dim[3];
    memcpy(dim, small_dim, sizeof dim);
    EXPECT(trib_fail_every_allocation(count_some, dim) > 5);
    memcpy(dim, large_dim, sizeof dim);
    EXPECT(trib_fail_every_allocation(count_some, dim) > 5);
}
