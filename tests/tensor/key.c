/* key.c - tests of tensor/key.c: buckets as published, keys of every width. */
#include "tensor/entry.h"
#include "tests/test.h"

TESTS(tensor, key);

static trib_error error;

static trib_hacoo table_of(uint32_t n_modes, const uint32_t dim[], const char *hash,
                           size_t n_buckets) {
    trib_hacoo table;
    const trib_hacoo_options options = {.hash = trib_hash_find(hash), .n_buckets = n_buckets};
    CHECK(options.hash != NULL);
    EXPECT_OK(trib_hacoo_init(&table, n_modes, dim, &options, &error));
    return table;
}

/* ---- The published hashes, slowly ------------------------------------------------------------ */

/* A whole number of up to BITS bits, the lowest first: nothing wraps around. */
enum { BITS = 512 };
typedef struct whole {
    uint8_t bit[BITS];
} whole;

static whole sum(const whole *a, const whole *b) {
    whole s = {{0}};
    unsigned carry = 0;
    for (int i = 0; i < BITS; i++) {
        carry += a->bit[i] + b->bit[i];
        s.bit[i] = carry & 1;
        carry >>= 1;
    }
    CHECK(carry == 0);
    return s;
}

/* To the left, where `by` is negative to the right. */
static whole shifted(const whole *a, int by) {
    whole s = {{0}};
    for (int i = 0; i < BITS; i++)
        if (i - by >= 0 && i - by < BITS) s.bit[i] = a->bit[i - by];
    return s;
}

/* [C] algorithm 2, from single bits. */
static whole morton_of(uint32_t n_modes, const uint32_t index[]) {
    whole code = {{0}};
    for (uint32_t m = 0; m < n_modes; m++)
        for (uint32_t level = 0; level < 32; level++)
            code.bit[level * n_modes + m] = index[m] >> level & 1;
    return code;
}

/* [C] section 3.1: the indices from 1 written one after the other, and read as one number. */
static whole digits_of(uint32_t n_modes, const uint32_t index[]) {
    char text[8 * 10 + 1];
    int n = 0;
    for (uint32_t m = 0; m < n_modes; m++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%llu", index[m] + 1ULL);
    whole number = {{0}};
    for (const char *c = text; *c; c++) {
        const whole two = shifted(&number, 1), eight = shifted(&number, 3);
        const unsigned value = (unsigned)(*c - '0');
        const whole digit = {{value & 1, value >> 1 & 1, value >> 2 & 1, value >> 3 & 1}};
        number = sum(&two, &eight);
        number = sum(&number, &digit);
    }
    return number;
}

/* [C] algorithms 3 and 4, with the sz of the worked example. */
static size_t shifted_and_added(whole h, size_t n_buckets) {
    const int bits = (int)round(log2((double)n_buckets));
    const int sx = (int)fmax(0, ceil(bits / 8.) - 1), sy = (int)fmax(1, 4 * sx - 1);
    const whole left = shifted(&h, sx);
    h = sum(&h, &left);
    const whole right = shifted(&h, -sy);
    for (int i = 0; i < BITS; i++) h.bit[i] ^= right.bit[i];
    const whole far = shifted(&h, (int)ceil(bits / 2.));
    h = sum(&h, &far);
    size_t bucket = 0;
    for (int i = bits; i-- > 0;) bucket = 2 * bucket + h.bit[i];
    return bucket;
}

TEST(the_published_buckets_are_those_of_numbers_of_any_length) {
    static const uint32_t dims[][TRIB_MAX_MODES] = {
        {UINT32_MAX},
        {100, 70000},
        {12762, 12762, 12762},
        {3, 1, 1 << 20, 999},
        {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
        {1605, 4198, 1631, 4209, 868131},
        {65536, 65536, 65536, 65536, 65536, 65536, 65536, 65536}};
    static const uint32_t n_modes[] = {1, 2, 3, 4, 4, 5, 8};
    trib_random random;
    trib_random_seed(&random, 7);
    for (size_t n_buckets = 8; n_buckets <= 1 << 20; n_buckets *= 8)
        for (size_t d = 0; d < sizeof n_modes / sizeof *n_modes; d++) {
            trib_hacoo digits = table_of(n_modes[d], dims[d], "digits", n_buckets);
            trib_hacoo morton = table_of(n_modes[d], dims[d], "morton", n_buckets);
            for (int i = 0; i < 40; i++) {
                uint32_t index[TRIB_MAX_MODES];
                for (uint32_t m = 0; m < n_modes[d]; m++) {
                    index[m] = (uint32_t)trib_random_below(&random, dims[d][m]);
                    if (i % 3 == 0) index[m] %= 10; /* small indices are frequent words */
                    if (i == 39) index[m] = dims[d][m] - 1;
                }
                EXPECT(trib_hacoo_bucket(&digits, index) ==
                       shifted_and_added(digits_of(n_modes[d], index), n_buckets));
                EXPECT(trib_hacoo_bucket(&morton, index) ==
                       shifted_and_added(morton_of(n_modes[d], index), n_buckets));
            }
            trib_hacoo_release(&digits);
            trib_hacoo_release(&morton);
        }
}

/* ---- Buckets by hand ------------------------------------------------------------------------- */

/* Indices are given from 0 and written from 1. (sx, sy, sz) are (0, 1, 2), (0, 1, 4) and (1, 3, 5)
 * for 16, 128 and 512 buckets:
 *     123        246 ^ 123 = 141                   141 (1 + 4) = 705        = 44 * 16 + 1
 *     7421       14842 ^ 7421 = 9479               9479 (1 + 16) = 161143   = 1258 * 128 + 119
 *     91099100   273297300 ^ 34162162 = 306408038  306408038 (1 + 32)       = 19748955 * 512 + 294
 */
TEST(decimal_digits_side_by_side_are_hashed_as_printed) {
    trib_hacoo two = table_of(2, (uint32_t[]){100, 100}, "digits", 16);
    EXPECT(two.hash->number(&two, (uint32_t[]){0, 22}) == 123);
    EXPECT(trib_hacoo_bucket(&two, (uint32_t[]){0, 22}) == 1);
    trib_hacoo_release(&two);
    trib_hacoo three = table_of(3, (uint32_t[]){100, 100, 100}, "digits", 128);
    EXPECT(three.hash->number(&three, (uint32_t[]){6, 41, 0}) == 7421);
    EXPECT(trib_hacoo_bucket(&three, (uint32_t[]){6, 41, 0}) == 119);
    trib_hacoo_release(&three);
    trib_hacoo four = table_of(4, (uint32_t[]){100, 100, 100, 100}, "digits", 512);
    EXPECT(four.hash->number(&four, (uint32_t[]){8, 9, 98, 99}) == 91099100);
    EXPECT(trib_hacoo_bucket(&four, (uint32_t[]){8, 9, 98, 99}) == 294);
    trib_hacoo_release(&four);
}

/* 1 23 4, 12 3 4 and 1 2 34 are 1234, 12 34 5 and 123 4 5 are 12345: three entries come after
 * another of their digits. */
TEST(indices_of_the_same_digits_stay_apart) {
    static const uint32_t index[][3] = {{0, 22, 3},  {11, 2, 3},  {0, 1, 33},
                                        {11, 33, 4}, {122, 3, 4}, {0, 22, 4}};
    enum { N = sizeof index / sizeof *index };
    for (int wide = 0; wide < 2; wide++) {
        const uint32_t dim = wide ? UINT32_MAX : 1000;
        trib_hacoo table = table_of(3, (uint32_t[]){dim, dim, dim}, "digits", 128);
        EXPECT(trib_is_wide(&table) == (wide == 1));
        for (uint32_t i = 0; i < N; i++) EXPECT_OK(trib_hacoo_add(&table, index[i], i + 1, &error));
        EXPECT(table.nnz == N);
        for (uint32_t i = 0; i < N; i++) EXPECT(trib_hacoo_get(&table, index[i]) == i + 1);
        EXPECT(trib_hacoo_bucket(&table, index[0]) == trib_hacoo_bucket(&table, index[1]));
        trib_hacoo_spread spread;
        trib_hacoo_spread_of(&table, &spread);
        EXPECT(spread.n_aliases == 3 && spread.max_probes >= 3);
        EXPECT(trib_hacoo_remove(&table, index[1]) && trib_hacoo_get(&table, index[1]) == 0);
        EXPECT(trib_hacoo_get(&table, index[0]) == 1 && trib_hacoo_get(&table, index[2]) == 3);
        trib_hacoo_release(&table);
    }
}

TEST(the_worked_example_of_16_buckets_comes_out) {
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

/* h = key; h += h << sx; h ^= h >> sy; h += h << sz with the figures of each table size worked by
 * hand. */
TEST(packed_keys_are_hashed_by_shift_and_add) {
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

/* 3 modes of 2, 5 and 1 bits: a0 b0 c0, a1 b1 0, 0 b2 0, 0 b3 0, 0 b4 0 from the lowest. The index
 * 2 21 1 is 0 1 1, 1 0 0, 0 1 0, 0 0 0, 0 1 0, or 8334; with 64 buckets, sx, sy, sz = 0 1 3, (16668
 * ^ 8334) (1 + 8) = 224802 = 3512 * 64 + 34. Without the zeros it is 0xAE: (348 ^ 174) 9 = 4482 =
 * 70 * 64 + 2. */
TEST(morton_codes_keep_zeros_for_modes_that_run_out_of_bits) {
    static const uint32_t dim[] = {4, 32, 2}, index[] = {2, 21, 1};
    trib_hacoo whole_code = table_of(3, dim, "morton", 64);
    trib_hacoo compact = table_of(3, dim, "morton-compact", 64);
    EXPECT(whole_code.hash->number(&whole_code, index) == 8334);
    EXPECT(trib_hacoo_bucket(&whole_code, index) == 34);
    EXPECT(compact.hash->number(&compact, index) == 0xAE);
    EXPECT(trib_hacoo_bucket(&compact, index) == 2);
    trib_hacoo_release(&whole_code);
    trib_hacoo_release(&compact);
}

/* 3 modes of 2, 5 and 1 bits: a0 b0 c0, a1 b1, b2, b3, b4 from the lowest. */
TEST(compact_morton_codes_drop_modes_that_run_out_of_bits) {
    trib_hacoo table = table_of(3, (uint32_t[]){4, 32, 2}, "morton-compact", 16);
    trib_key key = 0;
    EXPECT(trib_key_pack(&table, (uint32_t[]){2, 21, 1}, &key, false) &&
           key == (2 << 6 | 21 << 1 | 1));
    EXPECT(trib_key_morton(&table, key) == 0xAE); /* 1 0 1 0 1 1 1 0 */
    trib_hacoo_release(&table);
}

TEST(the_morton_table_gives_the_codes_of_the_loop) {
    static const uint32_t dims[][TRIB_MAX_MODES] = {
        {UINT32_MAX},
        {100, 70000},
        {12672, 12672, 12672},
        {3, 1, 1 << 20, 999},
        {65536, 65536, 65536, 65536, 65536, 65536, 65536, 65536}};
    static const uint32_t n_modes[] = {1, 2, 3, 4, 8};
    trib_morton *morton = malloc(sizeof *morton), *inverse = malloc(sizeof *inverse);
    CHECK(morton != NULL && inverse != NULL);
    trib_random random;
    trib_random_seed(&random, 5);
    for (size_t d = 0; d < 5; d++) {
        trib_hacoo table = table_of(n_modes[d], dims[d], "mixed", 8);
        trib_morton_init(morton, &table, false);
        trib_morton_init(inverse, &table, true);
        for (int i = 0; i < 200; i++) {
            uint32_t index[TRIB_MAX_MODES], back[TRIB_MAX_MODES];
            for (uint32_t m = 0; m < n_modes[d]; m++)
                index[m] = (uint32_t)trib_random_below(&random, dims[d][m]);
            trib_key key = 0;
            const bool wide = trib_is_wide(&table);
            EXPECT(trib_key_pack(&table, index, &key, wide));
            trib_key_unpack(table.bits, table.n_modes, key, back, wide);
            EXPECT(memcmp(index, back, n_modes[d] * sizeof *index) == 0);
            const trib_key code = trib_key_morton(&table, key);
            EXPECT(trib_morton_move(morton, table.key_bits, key, wide) == code);
            EXPECT(trib_morton_move(inverse, table.key_bits, code, wide) == key);
        }
        trib_hacoo_release(&table);
    }
    free(morton);
    free(inverse);
}

TEST(keys_beyond_128_bits_are_refused_with_both_remedies) {
    trib_hacoo table;
    uint32_t dim[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) dim[m] = 65537;
    EXPECT_REFUSED(trib_hacoo_init(&table, 8, dim, NULL, &error), TRIB_INPUT,
                   "n = 8 over a vocabulary of 65537 needs keys of 136 bits, and at most 128 are "
                   "possible; choose a smaller n or a smaller vocabulary");
    EXPECT_STATUS(trib_hacoo_init(&table, 0, dim, NULL, &error), TRIB_INPUT, error);
    EXPECT_STATUS(trib_hacoo_init(&table, 9, dim, NULL, &error), TRIB_INPUT, error);
    dim[1] = 0;
    EXPECT_REFUSED(trib_hacoo_init(&table, 3, dim, NULL, &error), TRIB_INPUT,
                   "mode 2 of a tensor has size 0");
    EXPECT_STATUS(trib_hacoo_init(&table, 1, dim, &(trib_hacoo_options){.load = -1}, &error),
                  TRIB_INPUT, error);
    EXPECT_STATUS(trib_hacoo_init(&table, 1, dim, &(trib_hacoo_options){.load = NAN}, &error),
                  TRIB_INPUT, error);
    EXPECT_STATUS(trib_hacoo_init(&table, 1, dim, &(trib_hacoo_options){.load = 17}, &error),
                  TRIB_INPUT, error);
    EXPECT(table.entry == NULL && table.head == NULL);
}

TEST(widths_are_exact_at_powers_of_two) {
    trib_hacoo table = table_of(5, (uint32_t[]){1, 2, 3, 4096, UINT32_MAX}, "mixed", 0);
    static const uint8_t wanted[] = {1, 1, 2, 12, 32};
    EXPECT(memcmp(table.bits, wanted, sizeof wanted) == 0 && table.key_bits == 48);
    trib_hacoo_release(&table);
}

TEST(hashes_are_found_by_name) {
    for (const trib_hash *hash = trib_hashes; hash->name; hash++) {
        EXPECT(trib_hash_find(hash->name) == hash && hash->help != NULL);
    }
    EXPECT(trib_hash_find("md5") == NULL && trib_hash_find("") == NULL);
}
