/* packed.c - tests of tensor/packed.c: tables of texts, packed and unpacked, and damaged bytes. */
#include "tensor/packed.h"
#include "tensor/entry.h"
#include "tests/tensor/drawn.h"

TESTS(tensor, packed);

static trib_error error;

enum { MOST = 70000 };

/* A text: stretches of words below n_words, a shape drawn at random. */
typedef struct text {
    uint32_t n, n_words, length; /* words of an n-gram; different words; words */
    uint32_t breaks;             /* one stretch in so many words; 0: one stretch */
    bool in_order;
} text;

/* The table of a text and its sequence of n-grams. */
typedef struct counted {
    trib_hacoo table;
    uint32_t *sequence;
    size_t n;
} counted;

static void count(const text *of, uint64_t seed, counted *c) {
    static uint32_t id[MOST];
    trib_random random;
    trib_hacoo_stream stream;
    uint32_t dim[TRIB_MAX_MODES];
    trib_random_seed(&random, seed);
    for (uint32_t m = 0; m < of->n; m++) dim[m] = of->n_words;
    *c = (counted){0};
    CHECK(of->length <= MOST);
    CHECK(trib_hacoo_init(&c->table, of->n, dim, NULL, NULL) == TRIB_OK);
    CHECK(trib_new(&c->sequence, of->length + 1, sizeof *c->sequence, "a test", NULL) == TRIB_OK);
    trib_hacoo_stream_init(&stream, &c->table, c->sequence);
    for (uint32_t done = 0; done < of->length;) {
        uint32_t n = of->breaks ? 1 + (uint32_t)trib_random_below(&random, 2 * of->breaks) : MOST;
        n = n < of->length - done ? n : of->length - done;
        for (uint32_t i = 0; i < n; i++) { /* small numbers are common, the largest occurs */
            const uint64_t below = 1 + trib_random_below(&random, of->n_words);
            id[i] = trib_random_below(&random, 50) == 0
                        ? of->n_words - 1
                        : (uint32_t)trib_random_below(&random, below);
        }
        CHECK(trib_hacoo_stream_windows(&stream, n, id, NULL) == TRIB_OK);
        c->n += n >= of->n ? n - of->n + 1 : 0;
        done += n;
    }
    CHECK(trib_hacoo_stream_flush(&stream, NULL) == TRIB_OK);
    if (of->in_order) return;
    trib_free(c->sequence);
    c->sequence = NULL;
}

static void release(counted *c) {
    trib_hacoo_release(&c->table);
    trib_free(c->sequence);
}

static trib_status unpack(const counted *c, const char *bytes, size_t size,
                          trib_hacoo_arrays *arrays, trib_error *failure) {
    return trib_hacoo_unpack(&c->table, bytes, size, c->n, c->sequence != NULL, arrays, failure);
}

/* The arrays are those of the table, bit for bit. */
static void expect_same(const counted *c, const trib_hacoo_arrays *arrays) {
    const trib_hacoo *t = &c->table;
    const size_t entry = trib_is_wide(t) ? sizeof(trib_entry128) : sizeof(trib_entry64);
    EXPECT(t->nnz == 0 || memcmp(arrays->entry, t->entry, t->nnz * entry) == 0);
    EXPECT(memcmp(arrays->head, t->head, t->n_buckets * sizeof *t->head) == 0);
    EXPECT(!c->sequence || c->n == 0 ||
           memcmp(arrays->sequence, c->sequence, c->n * sizeof *c->sequence) == 0);
}

TEST(a_packed_table_is_unpacked_bit_for_bit) {
    static const text texts[] = {
        {3, 40, 5000, 12, true},          {3, 40, 5000, 12, false},
        {1, 300, 3000, 0, true},          {1, 1, 10, 0, true},
        {2, 256, 4000, 5, true},          {2, 257, 4000, 5, true},
        {3, 65536, 9000, 0, true},        {3, 65537, 9000, 30, true},
        {3, 70000, MOST, 0, true},        {3, 70000, MOST, 0, false},
        {3, UINT32_MAX, 4000, 100, true}, {4, UINT32_MAX, 4000, 100, false},
        {5, 20000000, 3000, 9, true},     {3, 9, 2, 0, true},
        {8, 60000, 3000, 20, true},       {3, 9, 0, 0, false},
        {2, 16777216, 900, 0, true},      {2, 16777217, 900, 0, true}};
    trib_hacoo_arrays arrays = {0}; /* used again and again, as it is by the program */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        counted c;
        char *bytes = NULL;
        size_t size = 0;
        count(&texts[i], i, &c);
        EXPECT_OK(trib_hacoo_pack(&c.table, c.sequence, c.n, &bytes, &size, &error));
        EXPECT_OK(unpack(&c, bytes, size, &arrays, &error));
        expect_same(&c, &arrays);
        trib_free(bytes);
        release(&c);
    }
    trib_hacoo_arrays_release(&arrays);
}

/* n-grams of 40 words: a byte for a word, a bit, and two bytes for what is not new. */
TEST(an_ngram_of_running_text_takes_few_bytes) {
    const text of = {3, 200, 20000, 0, true};
    counted c;
    char *bytes = NULL;
    size_t size = 0;
    count(&of, 1, &c);
    CHECK(trib_hacoo_pack(&c.table, c.sequence, c.n, &bytes, &size, NULL) == TRIB_OK);
    EXPECT(size <= c.n + c.n / 8 + 2 * (c.n - c.table.nnz) + 64);
    trib_free(bytes);
    release(&c);
}

TEST(counts_beyond_the_sequence_are_kept) {
    const text of = {3, 30, 2000, 0, false};
    counted c;
    char *bytes = NULL;
    size_t size = 0;
    GIVEN(trib_hacoo_arrays) arrays = {0};
    uint32_t index[3];
    count(&of, 3, &c);
    trib_hacoo_entry(&c.table, c.table.nnz - 1, index);
    CHECK(trib_hacoo_set(&c.table, index, UINT32_MAX, NULL) == TRIB_OK);
    EXPECT_OK(trib_hacoo_pack(&c.table, NULL, 0, &bytes, &size, &error));
    EXPECT_OK(unpack(&c, bytes, size, &arrays, &error));
    expect_same(&c, &arrays);
    trib_free(bytes);
    release(&c);
}

TEST(what_is_not_the_table_of_a_text_is_not_packed) {
    const text of = {3, 30, 500, 0, true};
    counted c;
    char *bytes = NULL;
    size_t size = 0;
    count(&of, 4, &c);
    EXPECT(trib_hacoo_pack(&c.table, c.sequence, c.n - 1, &bytes, &size, &error) == TRIB_INTERNAL);
    c.sequence[0] = 1;
    EXPECT(trib_hacoo_pack(&c.table, c.sequence, c.n, &bytes, &size, &error) == TRIB_INTERNAL);
    EXPECT(!bytes);
    release(&c);
    GIVEN(trib_hacoo) other = empty_tensor(2, (uint32_t[]){5, 6});
    EXPECT(trib_hacoo_pack(&other, NULL, 0, &bytes, &size, &error) == TRIB_INTERNAL);
}

/* Unpacks bytes that lie at the end of an allocation, so that reading beyond them is seen. */
static trib_status unpack_alone(const counted *c, const char *bytes, size_t size,
                                trib_error *failure) {
    GIVEN(trib_hacoo_arrays) arrays = {0};
    TRIB_FREED(char *) copy = NULL;
    CHECK(trib_new(&copy, size + (size == 0), 1, "a test", NULL) == TRIB_OK);
    if (size > 0) memcpy(copy, bytes, size);
    return unpack(c, copy, size, &arrays, failure);
}

/* Every cut, and every byte altered: refused, or another table of the same size. */
TEST(damaged_bytes_are_refused_or_read_within_their_bounds) {
    static const text texts[] = {{3, 30, 160, 9, true},
                                 {3, 30, 160, 9, false},
                                 {3, 700, 160, 0, true},
                                 {5, 20000000, 90, 9, true}};
    static const uint8_t change[] = {1, 2, 0x80, 0xff};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        counted c;
        char *bytes = NULL;
        size_t size = 0, n_refused = 0;
        count(&texts[i], i, &c);
        CHECK(trib_hacoo_pack(&c.table, c.sequence, c.n, &bytes, &size, NULL) == TRIB_OK);
        EXPECT_OK(unpack_alone(&c, bytes, size, &error));
        for (size_t cut = 0; cut < size; cut++)
            EXPECT(unpack_alone(&c, bytes, cut, &error) == TRIB_INPUT);
        for (size_t at = 0; at < size; at++)
            for (size_t k = 0; k < sizeof change; k++) {
                bytes[at] = (char)(bytes[at] ^ change[k]);
                const trib_status status = unpack_alone(&c, bytes, size, &error);
                EXPECT(status == TRIB_OK || status == TRIB_INPUT);
                n_refused += status == TRIB_INPUT;
                bytes[at] = (char)(bytes[at] ^ change[k]);
            }
        EXPECT(n_refused > size);
        trib_random random;
        trib_random_seed(&random, i);
        for (int round = 0; round < 2000; round++) {
            char *noise = NULL;
            CHECK(trib_new(&noise, size, 1, "a test", NULL) == TRIB_OK);
            for (size_t at = 0; at < size; at++)
                noise[at] = at < 8 ? bytes[at] : (char)trib_random_below(&random, 256);
            const trib_status status = unpack_alone(&c, noise, size, &error);
            EXPECT(status == TRIB_OK || status == TRIB_INPUT);
            trib_free(noise);
        }
        trib_free(bytes);
        release(&c);
    }
}

static trib_status pack_and_unpack(void *context, trib_error *failure) {
    const counted *c = context;
    GIVEN(trib_hacoo_arrays) arrays = {0};
    TRIB_FREED(char *) bytes = NULL;
    size_t size = 0;
    trib_status status = trib_hacoo_pack(&c->table, c->sequence, c->n, &bytes, &size, failure);
    return status == TRIB_OK ? unpack(c, bytes, size, &arrays, failure) : status;
}

TEST(every_failing_allocation_is_reported) {
    const text of = {3, 30, 500, 0, true};
    counted c;
    count(&of, 5, &c);
    EXPECT(trib_fail_every_allocation(pack_and_unpack, &c) >= 4);
    release(&c);
}
