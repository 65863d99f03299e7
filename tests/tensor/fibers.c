/* fibers.c - tests of tensor/order.c: collisions by length of fiber, against a comparison of all
 * pairs. */
#include "tensor/tensor.h"
#include "tests/test.h"

TESTS(tensor, fibers);

static trib_error error;

static trib_hacoo table_of(uint32_t n_modes, uint32_t side, const char *hash, size_t n_buckets) {
    trib_hacoo table;
    uint32_t dim[TRIB_MAX_MODES];
    const trib_hacoo_options options = {
        .hash = trib_hash_find(hash), .n_buckets = n_buckets, .load = 16};
    for (uint32_t m = 0; m < n_modes; m++) dim[m] = side;
    CHECK(options.hash != NULL);
    EXPECT_OK(trib_hacoo_init(&table, n_modes, dim, &options, &error));
    return table;
}

static void add(trib_hacoo *table, const uint32_t index[]) {
    EXPECT_OK(trib_hacoo_add(table, index, 1, &error));
}

/* The worked example in 16 buckets: (0,0,0) 0, (0,1,0) 14, (1,0,0) 15, (1,0,2) 15, (2,1,0) 6,
 * (2,2,2) 8, (3,0,1) 3, (3,3,2) 1. Along mode 1 (0,0,0) (1,0,0) and (0,1,0) (2,1,0) are fibers,
 * along mode 2 (0,0,0) (0,1,0), along mode 3 (1,0,0) (1,0,2), which meet. */
TEST(the_fibers_of_the_worked_example_are_counted) {
    static const uint32_t index[][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 0, 2},
                                        {2, 1, 0}, {2, 2, 2}, {3, 0, 1}, {3, 3, 2}};
    static const size_t wanted[3][2][4] = {/* fibers, entries, sharing, within */
                                           {{4, 4, 1, 0}, {2, 4, 1, 0}},
                                           {{6, 6, 2, 0}, {1, 2, 0, 0}},
                                           {{6, 6, 0, 0}, {1, 2, 2, 1}}};
    trib_hacoo table = table_of(3, 4, "morton", 16);
    for (size_t i = 0; i < 8; i++) add(&table, index[i]);
    for (uint32_t m = 0; m < 3; m++) {
        trib_fiber_class class[TRIB_FIBER_CLASSES];
        EXPECT_OK(trib_hacoo_fibers_of(&table, m, class, &error));
        for (size_t k = 0; k < 2; k++) {
            EXPECT(class[k].n_fibers == wanted[m][k][0] && class[k].n_entries == wanted[m][k][1]);
            EXPECT(class[k].n_sharing == wanted[m][k][2] && class[k].n_within == wanted[m][k][3]);
            /* two entries meet in one of 16 buckets with 1/16 */
            EXPECT_NEAR(class[k].by_chance, k == 0 ? 0 : (double)class[k].n_fibers / 16, 1e-12);
        }
        for (size_t k = 2; k < TRIB_FIBER_CLASSES; k++) EXPECT(class[k].n_entries == 0);
    }
    trib_hacoo_release(&table);
}

/* Whether two indices are in one fiber along mode m. */
static bool same_fiber(uint32_t n_modes, uint32_t m, const uint32_t a[], const uint32_t b[]) {
    for (uint32_t k = 0; k < n_modes; k++)
        if (k != m && a[k] != b[k]) return false;
    return true;
}

enum { MOST = 400 };

static void expect_pairs(const trib_hacoo *table, uint32_t m) {
    static uint32_t index[MOST][TRIB_MAX_MODES];
    static size_t bucket[MOST];
    trib_fiber_class class[TRIB_FIBER_CLASSES], wanted[TRIB_FIBER_CLASSES] = {{0}};
    EXPECT_OK(trib_hacoo_fibers_of(table, m, class, &error));
    CHECK(table->nnz <= MOST);
    for (size_t e = 0; e < table->nnz; e++) {
        trib_hacoo_entry(table, e, index[e]);
        bucket[e] = (size_t)trib_hacoo_bucket(table, index[e]);
    }
    for (size_t e = 0; e < table->nnz; e++) {
        size_t n = 0, k = 0;
        bool shares_bucket = false, meets = false, is_first = true;
        for (size_t f = 0; f < table->nnz; f++) {
            const bool same = same_fiber(table->n_modes, m, index[e], index[f]);
            const bool shares = bucket[e] == bucket[f];
            n += same;
            shares_bucket |= f != e && shares;
            meets |= f < e && shares && same;
            is_first &= f >= e || !same;
        }
        while (k + 1 < TRIB_FIBER_CLASSES && n >= trib_fiber_shortest[k + 1]) k++;
        wanted[k].n_fibers += is_first;
        wanted[k].n_entries++;
        wanted[k].n_sharing += shares_bucket;
        wanted[k].n_within += meets;
    }
    for (size_t k = 0; k < TRIB_FIBER_CLASSES; k++)
        EXPECT(
            class[k].n_fibers == wanted[k].n_fibers && class[k].n_entries == wanted[k].n_entries &&
            class[k].n_sharing == wanted[k].n_sharing && class[k].n_within == wanted[k].n_within);
}

TEST(fibers_agree_with_a_comparison_of_all_pairs) {
    static const struct {
        uint32_t n_modes, side, drawn;
    } shapes[] = {{1, 900, 900}, {2, 900, 20}, {3, 40, 9}, {4, UINT32_MAX, 5}, {8, 65536, 3}};
    trib_random random;
    trib_random_seed(&random, 3);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (const trib_hash *hash = trib_hashes; hash->name; hash++) {
            trib_hacoo table = table_of(shapes[s].n_modes, shapes[s].side, hash->name, 64);
            for (int i = 0; i < MOST; i++) {
                uint32_t index[TRIB_MAX_MODES];
                for (uint32_t m = 0; m < shapes[s].n_modes; m++)
                    index[m] = (uint32_t)trib_random_below(&random, shapes[s].drawn);
                add(&table, index);
            }
            for (uint32_t m = 0; m < shapes[s].n_modes; m++) expect_pairs(&table, m);
            trib_hacoo_release(&table);
        }
}

static trib_status look(void *context, trib_error *failure) {
    trib_fiber_class class[TRIB_FIBER_CLASSES];
    return trib_hacoo_fibers_of(context, 1, class, failure);
}

TEST(a_table_without_entries_has_no_fibers) {
    trib_hacoo table = table_of(2, 5, "mixed", 8);
    trib_fiber_class class[TRIB_FIBER_CLASSES];
    EXPECT_OK(trib_hacoo_fibers_of(&table, 0, class, &error));
    EXPECT(class[0].n_fibers == 0 && class[TRIB_FIBER_CLASSES - 1].n_entries == 0);
    for (uint32_t i = 0; i < 5; i++) add(&table, (uint32_t[]){i, i});
    EXPECT(trib_fail_every_allocation(look, &table) >= 3);
    trib_hacoo_release(&table);
}
