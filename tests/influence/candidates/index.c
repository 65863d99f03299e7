/* index.c - tests of influence/candidates/index.c. */
#include "tests/influence/candidates/corpus.h"

#include <unistd.h>

TESTS(candidates, index);

enum { N_DOCUMENTS = 40, N_ENTRIES = 60000, N_HASHES = 9000 };

/* Entries of few hashes, some of them in most documents; hash and document can repeat. */
static trib_sketch_entry *draw_entries(uint64_t seed) {
    trib_random random;
    trib_sketch_entry *entry = calloc(N_ENTRIES, sizeof *entry);
    CHECK(entry != NULL);
    trib_random_seed(&random, seed);
    for (size_t i = 0; i < N_ENTRIES; i++) {
        trib_random hash = {(uint64_t)(N_HASHES * pow(trib_random_unit(&random), 3))};
        entry[i] = (trib_sketch_entry){trib_random_u64(&hash) & ~UINT64_C(3),
                                       (uint32_t)trib_random_below(&random, N_DOCUMENTS),
                                       1 + (uint32_t)trib_random_below(&random, 3)};
    }
    return entry;
}

static void build(trib_sketch_index *index, const trib_sketch_entry *entry, uint32_t n_partitions,
                  uint32_t most_holders, int n_threads, bool in_reverse) {
    trib_error error = {0};
    const trib_sketch_index_options options = {.directory = trib_scratch(""),
                                               .n_documents = N_DOCUMENTS,
                                               .n_partitions = n_partitions,
                                               .most_holders = most_holders};
    EXPECT_OK(trib_sketch_index_open(index, &options, &error));
    if (in_reverse) {
#pragma omp parallel for num_threads(n_threads)
        for (size_t i = N_ENTRIES; i > 0; i--)
            CHECK(trib_sketch_index_add(index, &entry[i - 1], 1, NULL) == TRIB_OK);
    } else {
        EXPECT_OK(trib_sketch_index_add(index, entry, N_ENTRIES, &error));
    }
    EXPECT(index->n_entries == N_ENTRIES);
    EXPECT_OK(trib_sketch_index_build(index, n_threads, &error));
}

static int by_hash(const void *a, const void *b) {
    const trib_sketch_entry *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->document > y->document) - (x->document < y->document);
}

/* Compares the groups, in order of hashes, with sorted entries. */
static void compare(const trib_sketch_index *index, const trib_sketch_entry *entry,
                    uint32_t most_holders) {
    trib_sketch_entry *sorted = calloc(N_ENTRIES, sizeof *sorted);
    CHECK(sorted != NULL);
    memcpy(sorted, entry, N_ENTRIES * sizeof *sorted);
    qsort(sorted, N_ENTRIES, sizeof *sorted, by_hash);
    uint32_t p = 0;
    size_t g = 0, n_alone = 0, n_common = 0, n_kept = 0;
    for (size_t i = 0, end; i < N_ENTRIES; i = end) {
        trib_holder holder[N_DOCUMENTS];
        size_t n = 0;
        for (end = i; end < N_ENTRIES && sorted[end].hash == sorted[i].hash; end++)
            if (n > 0 && holder[n - 1].document == sorted[end].document)
                holder[n - 1].count += sorted[end].count;
            else holder[n++] = (trib_holder){sorted[end].document, sorted[end].count};
        if (n == 1) n_alone++;
        else if (most_holders > 0 && n > most_holders) n_common += n;
        if (n == 1 || (most_holders > 0 && n > most_holders)) continue;
        while (g == index->groups[p].n_groups) p++, g = 0;
        CHECK(p == trib_sketch_partition(sorted[i].hash, index->n_partitions));
        const trib_sketch_groups *groups = &index->groups[p];
        CHECK(groups->start[g + 1] - groups->start[g] == n);
        EXPECT(groups->zeros[g] == __builtin_ctzll(sorted[i].hash));
        EXPECT(memcmp(groups->holder + groups->start[g], holder, n * sizeof *holder) == 0);
        n_kept += n;
        g++;
    }
    while (p < index->n_partitions && g == index->groups[p].n_groups) p++, g = 0;
    EXPECT(p == index->n_partitions);
    EXPECT(index->n_alone == n_alone && index->n_common == n_common && index->n_kept == n_kept);
    free(sorted);
}

/* The groups of each document are those that list it as a holder. */
static void compare_lists(const trib_sketch_index *index) {
    for (uint32_t p = 0; p < index->n_partitions; p++) {
        const trib_sketch_groups *groups = &index->groups[p];
        uint32_t at[N_DOCUMENTS];
        if (groups->n_groups == 0) continue;
        memcpy(at, groups->first, sizeof at);
        for (uint32_t g = 0; g < groups->n_groups; g++)
            for (uint32_t h = groups->start[g]; h < groups->start[g + 1]; h++)
                EXPECT(groups->group[at[groups->holder[h].document]++] == g);
        for (uint32_t d = 0; d < N_DOCUMENTS; d++) EXPECT(at[d] == groups->first[d + 1]);
        EXPECT(groups->first[N_DOCUMENTS] == groups->n_holders);
    }
}

TEST(groups_are_the_same_for_any_partitions_threads_and_order) {
    static const uint32_t most[] = {0, 5, N_DOCUMENTS};
    trib_sketch_entry *entry = draw_entries(1);
    for (size_t m = 0; m < 3; m++)
        for (uint32_t n_partitions = 1; n_partitions <= 64; n_partitions *= 4)
            for (int n_threads = 1; n_threads <= 4; n_threads *= 4)
                for (int in_reverse = 0; in_reverse < 2; in_reverse++) {
                    OPENED(trib_sketch_index) index = {0};
                    build(&index, entry, n_partitions, most[m], n_threads, in_reverse);
                    CHECK(index.n_kept > 100);
                    EXPECT(m == 1 ? index.n_common > 0 : index.n_common == 0);
                    compare(&index, entry, most[m]);
                    compare_lists(&index);
                }
    free(entry);
}

TEST(partitions_are_intervals_of_all_hashes) {
    EXPECT(trib_sketch_partition(0, 7) == 0 && trib_sketch_partition(UINT64_MAX, 7) == 6);
    for (uint64_t i = 0, before = 0; i < 1000; i++) {
        const uint32_t p = trib_sketch_partition(i << 54, 7);
        EXPECT(p >= before);
        before = p;
    }
}

TEST(an_index_without_entries_has_no_groups) {
    OPENED(trib_sketch_index) index = {0};
    trib_sketch_index_close(&index);
    const trib_sketch_index_options options = {.directory = trib_scratch(""), .n_documents = 2};
    CHECK(trib_sketch_index_open(&index, &options, NULL) == TRIB_OK);
    EXPECT(index.n_partitions == 1);
    CHECK(trib_sketch_index_build(&index, 1, NULL) == TRIB_OK);
    EXPECT(index.groups[0].n_groups == 0 && index.n_kept == 0);
}

TEST(what_does_not_fit_is_an_error) {
    OPENED(trib_sketch_index) index = {0};
    trib_error error = {0};
    const trib_sketch_entry entry = {.document = 2};
    EXPECT(trib_sketch_index_open(&index, &(trib_sketch_index_options){.directory = "/nowhere"},
                                  &error) == TRIB_OUTPUT);
    EXPECT(strstr(error.message, "/nowhere") != NULL);
    EXPECT(trib_sketch_index_open(
               &index,
               &(trib_sketch_index_options){.directory = trib_scratch(""), .n_partitions = 4097},
               NULL) == TRIB_INTERNAL);
    CHECK(trib_sketch_index_open(&index,
                                 &(trib_sketch_index_options){.directory = trib_scratch(""),
                                                              .n_documents = 2,
                                                              .n_expected = UINT64_MAX},
                                 NULL) == TRIB_OK);
    EXPECT(index.n_partitions == TRIB_SKETCH_MAX_PARTITIONS);
    EXPECT(trib_sketch_index_add(&index, &entry, 1, NULL) == TRIB_INTERNAL);
}

/* 400 000 entries of 16 bytes, of which memory holds a tenth. */
TEST(the_memory_of_an_index_is_bounded_by_its_partitions) {
    enum { MANY = 400000, PARTITIONS = 32, LIMIT = 2 << 20 };
    OPENED(trib_sketch_index) index = {0};
    trib_error error = {0};
    trib_random random;
    const trib_sketch_index_options options = {
        .directory = trib_scratch(""), .n_documents = N_DOCUMENTS, .n_partitions = PARTITIONS};
    trib_random_seed(&random, 1);
    const uint64_t before = trib_memory_limit(trib_memory_in_use() + LIMIT);
    EXPECT_OK(trib_sketch_index_open(&index, &options, &error));
    for (uint32_t i = 0; i < MANY; i++) {
        trib_random hash = {trib_random_below(&random, MANY / 2)};
        const trib_sketch_entry entry = {trib_random_u64(&hash), i % N_DOCUMENTS, 1};
        CHECK(trib_sketch_index_add(&index, &entry, 1, &error) == TRIB_OK);
    }
    EXPECT_OK(trib_sketch_index_build(&index, 1, &error));
    EXPECT(index.n_kept > MANY / 2);
    trib_memory_limit(before);
}

static trib_status index_all(void *context, trib_error *error) {
    const trib_sketch_entry *entry = context;
    OPENED(trib_sketch_index) index = {0};
    const trib_sketch_index_options options = {
        .directory = trib_scratch(""), .n_documents = N_DOCUMENTS, .n_partitions = 2};
    trib_status status = trib_sketch_index_open(&index, &options, error);
    if (status == TRIB_OK) status = trib_sketch_index_add(&index, entry, N_ENTRIES, error);
    if (status == TRIB_OK) status = trib_sketch_index_build(&index, 2, error);
    return status;
}

TEST(every_failed_allocation_is_reported_and_stops_are_heeded) {
    trib_sketch_entry *entry = draw_entries(2);
    EXPECT(trib_fail_every_allocation(index_all, entry) > 10);
    EXPECT(trib_stop_at_every_look(index_all, entry) == 2);
    free(entry);
}
