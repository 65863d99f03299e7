/* key.c - tests of tensor/key.c: buckets as published, keys of every width. */
#include "tensor/entry.h"
#include "tests/test.h"

static trib_hacoo table_of(uint32_t n_modes, const uint32_t dim[], const char *hash,
                           size_t n_buckets) {
    trib_hacoo table;
    trib_error error = {0};
    const trib_hacoo_options options = {.hash = trib_hash_find(hash), .n_buckets = n_buckets};
    CHECK(options.hash != NULL);
    EXPECT_STATUS(trib_hacoo_init(&table, n_modes, dim, &options, &error), TRIB_OK, error);
    return table;
}

static void the_worked_example_of_16_buckets_comes_out(void) {
    static const struct {
        uint32_t index[3];
        size_t bucket;
    } wanted[] = {{{0, 0, 0}, 0}, {{0, 1, 0}, 14}, {{1, 0, 0}, 15}, {{1, 0, 2}, 15},
                  {{2, 1, 0}, 6}, {{2, 2, 2}, 8},  {{3, 0, 1}, 3},  {{3, 3, 2}, 1}};
    trib_hacoo table = table_of(3, (uint32_t[]){4, 4, 4}, "morton", 16);
    EXPECT(table.n_buckets == 16 && table.key_bits == 6);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        EXPECT(trib_hacoo_bucket(&table, wanted[i].index) == wanted[i].bucket);
    trib_hacoo_release(&table);
}

/* h = key; h += h << sx; h ^= h >> sy; h += h << sz with the figures of each table size worked by hand. */
static void packed_keys_are_hashed_by_shift_and_add(void) {
    static const struct {
        size_t n_buckets;
        uint32_t sx, sy, sz;
    } sizes[] = {{8, 0, 1, 2}, {128, 0, 1, 4}, {512, 1, 3, 5}, {1 << 17, 2, 7, 9}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        trib_hacoo table =
            table_of(3, (uint32_t[]){1000, 1000, 1000}, "packed", sizes[s].n_buckets);
        uint64_t h = UINT64_C(999) << 20 | 5 << 10 | 77;
        h += h << sizes[s].sx;
        h ^= h >> sizes[s].sy;
        h += h << sizes[s].sz;
        EXPECT(trib_hacoo_bucket(&table, (uint32_t[]){999, 5, 77}) == h % sizes[s].n_buckets);
        trib_hacoo_release(&table);
    }
}

/* 3 modes of 2, 5 and 1 bits: c0 b0 a0, b1 a1, b2, b3, b4 from the lowest. */
static void morton_codes_drop_modes_that_run_out_of_bits(void) {
    trib_hacoo table = table_of(3, (uint32_t[]){4, 32, 2}, "morton", 16);
    trib_key key = 0;
    EXPECT(trib_key_pack(&table, (uint32_t[]){2, 21, 1}, &key, false) &&
           key == (2 << 6 | 21 << 1 | 1));
    EXPECT(trib_key_morton(&table, key) == 0xAE); /* 1 0 1 0 1 1 1 0 */
    trib_hacoo_release(&table);
}

static void the_morton_table_gives_the_codes_of_the_loop(void) {
    static const uint32_t dims[][TRIB_MAX_MODES] = {
        {UINT32_MAX},
        {100, 70000},
        {12672, 12672, 12672},
        {3, 1, 1 << 20, 999},
        {65536, 65536, 65536, 65536, 65536, 65536, 65536, 65536}};
    static const uint32_t n_modes[] = {1, 2, 3, 4, 8};
    trib_morton *morton = malloc(sizeof *morton);
    CHECK(morton != NULL);
    trib_random random;
    trib_random_seed(&random, 5);
    for (size_t d = 0; d < 5; d++) {
        trib_hacoo table = table_of(n_modes[d], dims[d], "mixed", 8);
        trib_morton_init(morton, &table);
        for (int i = 0; i < 200; i++) {
            uint32_t index[TRIB_MAX_MODES], back[TRIB_MAX_MODES];
            for (uint32_t m = 0; m < n_modes[d]; m++)
                index[m] = (uint32_t)trib_random_below(&random, dims[d][m]);
            trib_key key = 0;
            const bool wide = trib_is_wide(&table);
            EXPECT(trib_key_pack(&table, index, &key, wide));
            trib_key_unpack(table.bits, table.n_modes, key, back, wide);
            EXPECT(memcmp(index, back, n_modes[d] * sizeof *index) == 0);
            EXPECT(trib_morton_code(morton, &table, key) == trib_key_morton(&table, key));
        }
        trib_hacoo_release(&table);
    }
    free(morton);
}

static void keys_beyond_128_bits_are_refused_with_both_remedies(void) {
    trib_hacoo table;
    trib_error error = {0};
    uint32_t dim[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) dim[m] = 65537;
    EXPECT_STATUS(trib_hacoo_init(&table, 8, dim, NULL, &error), TRIB_INPUT, error);
    EXPECT_TEXT(error.message,
                "n = 8 over a vocabulary of 65537 needs keys of 136 bits, and at most 128 are "
                "possible; choose a smaller n or a smaller vocabulary");
    EXPECT_STATUS(trib_hacoo_init(&table, 0, dim, NULL, &error), TRIB_INPUT, error);
    EXPECT_STATUS(trib_hacoo_init(&table, 9, dim, NULL, &error), TRIB_INPUT, error);
    dim[1] = 0;
    EXPECT_STATUS(trib_hacoo_init(&table, 3, dim, NULL, &error), TRIB_INPUT, error);
    EXPECT_TEXT(error.message, "mode 2 of a tensor has size 0");
    EXPECT_STATUS(trib_hacoo_init(&table, 1, dim, &(trib_hacoo_options){.load = -1}, &error),
                  TRIB_INPUT, error);
    EXPECT_STATUS(trib_hacoo_init(&table, 1, dim, &(trib_hacoo_options){.load = NAN}, &error),
                  TRIB_INPUT, error);
    EXPECT_STATUS(trib_hacoo_init(&table, 1, dim, &(trib_hacoo_options){.load = 17}, &error),
                  TRIB_INPUT, error);
    EXPECT(table.entry == NULL && table.head == NULL);
}

static void widths_are_exact_at_powers_of_two(void) {
    trib_hacoo table = table_of(5, (uint32_t[]){1, 2, 3, 4096, UINT32_MAX}, "mixed", 0);
    static const uint8_t wanted[] = {1, 1, 2, 12, 32};
    EXPECT(memcmp(table.bits, wanted, sizeof wanted) == 0 && table.key_bits == 48);
    trib_hacoo_release(&table);
}

static void hashes_are_found_by_name(void) {
    for (const trib_hash *hash = trib_hashes; hash->name; hash++) {
        EXPECT(trib_hash_find(hash->name) == hash && hash->help != NULL);
    }
    EXPECT(trib_hash_find("md5") == NULL && trib_hash_find("") == NULL);
}

CU_TestInfo trib_tests_key[] = {
    {"the worked example of 16 buckets comes out", the_worked_example_of_16_buckets_comes_out},
    {"packed keys are hashed by shift and add", packed_keys_are_hashed_by_shift_and_add},
    {"Morton codes drop modes that run out of bits", morton_codes_drop_modes_that_run_out_of_bits},
    {"the Morton table gives the codes of the loop", the_morton_table_gives_the_codes_of_the_loop},
    {"keys beyond 128 bits are refused with both remedies",
     keys_beyond_128_bits_are_refused_with_both_remedies},
    {"widths are exact at powers of two", widths_are_exact_at_powers_of_two},
    {"hashes are found by name", hashes_are_found_by_name},
    CU_TEST_INFO_NULL,
};
