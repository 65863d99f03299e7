/* communicator.c - tests of the distribution of parts over ranks and threads. tests/mpi tests
 * several processes. */
#include "tests/test.h"

#include "pipeline/comm/parts.h"
#include "pipeline/stages/document_words.h"
#include "pipeline/support/pack.h"

TESTS(comm, communicator);

static const uint64_t sizes[] = {3, 7, 4, 5, 3};

static uint64_t size_of(const void *context, uint32_t part) {
    (void)context;
    return sizes[part] - 1; /* trib_parts_owners adds one, so that an empty part has a size */
}

/* Sizes 7, 5 and 4 go to ranks 0, 1 and 2, the first 3 to rank 2 (then 7), the second to rank 1
 * (then 8). */
TEST(the_largest_part_goes_to_the_least_loaded_rank) {
    static const int wanted[] = {2, 0, 2, 1, 1};
    int *owner = NULL;
    CHECK(trib_parts_owners(3, 5, size_of, NULL, &owner, NULL) == TRIB_OK);
    for (int i = 0; i < 5; i++) EXPECT(owner[i] == wanted[i]);
    trib_free(owner);
    CHECK(trib_parts_owners(0, 5, size_of, NULL, &owner, NULL) == TRIB_OK);
    for (int i = 0; i < 5; i++) EXPECT(owner[i] == 0);
    trib_free(owner);
    CHECK(trib_parts_owners(1, 0, size_of, NULL, &owner, NULL) == TRIB_OK && !owner);
}

TEST(a_single_rank_agrees_with_itself) {
    const trib_comm alone = {.size = 1};
    trib_error error = {0};
    GIVEN(trib_buffer) bytes = {0};
    CHECK(trib_buffer_add(&bytes, "abc", 3, NULL) == TRIB_OK);
    EXPECT(trib_comm_agree(&alone, TRIB_OK, &error) == TRIB_OK);
    trib_fail(&error, TRIB_INPUT, "a text is missing");
    EXPECT(trib_comm_agree(&alone, TRIB_INPUT, &error) == TRIB_INPUT);
    EXPECT_TEXT(error.message, "a text is missing");
    EXPECT(trib_comm_give(&alone, TRIB_OK, 0, &bytes, &error) == TRIB_OK && bytes.length == 3);
    EXPECT(trib_comm_least(&alone, 5) == 5);
}

TEST(numbers_of_any_size_are_exchanged) {
    uint64_t number[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
    static const size_t bytes[] = {1, 1, 1, 2, 2, 3, 5, 10};
    GIVEN(trib_pack) pack = {0};
    for (size_t i = 0; i < 8; i++) {
        const size_t before = pack.bytes.length;
        trib_pack_varint(&pack, &number[i]);
        EXPECT(pack.bytes.length == before + bytes[i]);
    }
    const char *const at = pack.bytes.text, *const end = at + pack.bytes.length;
    trib_pack in = trib_pack_reading(at, pack.bytes.length);
    for (size_t i = 0; i < 8; i++) {
        uint64_t read = 7;
        trib_pack_varint(&in, &read);
        EXPECT(read == number[i]);
    }
    EXPECT(trib_pack_is_whole(&in));
    in = trib_pack_reading(end - 10, 9); /* truncated */
    trib_pack_varint(&in, number);
    EXPECT(number[0] == 0 && in.is_wrong);
    pack.bytes.text[pack.bytes.length - 1] = 2; /* 65 bits */
    in = trib_pack_reading(end - 10, 10);
    trib_pack_varint(&in, number);
    EXPECT(number[0] == 0 && in.is_wrong);
}

TEST(a_single_rank_has_all_words) {
    const trib_comm alone = {.size = 1};
    trib_corpus corpus = {0};
    trib_corpus_words words = {0};
    GIVEN(trib_word_counts) counts = {0};
    trib_error error = {0};
    uint32_t id = 7;
    EXPECT_OK(trib_word_counts_add(&counts, "harbour", 7, 3, 1, &id, &error));
    EXPECT_OK(trib_word_counts_add(&counts, "harbour", 7, 40, 2, &id, &error));
    EXPECT_OK(trib_share_found_words(&alone, TRIB_OK, &corpus, &words, NULL, &error));
    EXPECT_OK(trib_share_words(&alone, TRIB_OK, &words, ".", &error));
    EXPECT(id == 0 && counts.intern.n_words == 1);
    EXPECT(counts.count[0] == 43 && counts.n_documents[0] == 3);
}

static trib_status collect(void *context, const void *item, size_t n, trib_error *error) {
    return trib_buffer_add(context, item, n * 2, error);
}

TEST(a_single_rank_exchanges_with_itself) {
    const trib_comm alone = {.size = 1};
    const void *const item[] = {"a1b2c3"};
    const size_t n[] = {3}, none[] = {0};
    GIVEN(trib_buffer) got = {0};
    char copy[4] = "....";
    EXPECT(trib_comm_exchange(&alone, TRIB_OK, item, n, 2, collect, &got, NULL) == TRIB_OK);
    EXPECT(got.length == 6 && memcmp(got.text, "a1b2c3", 6) == 0);
    EXPECT(trib_comm_exchange(&alone, TRIB_OK, item, none, 2, collect, &got, NULL) == TRIB_OK);
    EXPECT(got.length == 6 && trib_comm_n_sent(&alone) == 0);
    trib_comm_all_to_all(&alone, "abcd", (int[]){2}, (int[]){1}, copy, (int[]){2}, (int[]){2});
    EXPECT(memcmp(copy, "..bc", 4) == 0);
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* The number of threads each part received. */
static int given[5];

static trib_status note(void *context, uint32_t part, int n_threads, trib_progress progress,
                        trib_error *error) {
    (void)context;
    (void)progress;
    given[part] = n_threads;
    (void)error;
    return TRIB_OK;
}

static uint64_t one_is_huge(const void *context, uint32_t part) {
    (void)context;
    return part == 2 ? 1000 : 10;
}

TEST(a_huge_part_gets_all_threads_and_small_parts_one_each) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    const trib_part_row huge = {.work = note, .size = one_is_huge}, alike = {.work = note};
    const trib_comm alone = {.size = 1};
    trib_workers workers = {.comm = &alone, .n_threads = 2};
    CHECK(trib_log_open(&workers.log, &silent, NULL) == TRIB_OK);
    CHECK(trib_parts_do(&workers, TRIB_OK, 5, &huge, NULL, NULL) == TRIB_OK);
    for (int i = 0; i < 5; i++) EXPECT(given[i] == (i == 2 ? 2 : 1));
    CHECK(trib_parts_do(&workers, TRIB_OK, 5, &alike, NULL, NULL) == TRIB_OK);
    for (int i = 0; i < 5; i++) EXPECT(given[i] == 1);
    CHECK(trib_parts_do(&workers, TRIB_OK, 1, &alike, NULL, NULL) == TRIB_OK);
    EXPECT(given[0] == 2);
    workers.n_threads = 7; /* fewer parts than threads */
    CHECK(trib_parts_do(&workers, TRIB_OK, 2, &alike, NULL, NULL) == TRIB_OK);
    EXPECT(given[0] == 7 && given[1] == 7);
    trib_log_close(workers.log);
}

/* The number of running parts, and the result of each. */
static _Atomic int n_at_work;
static int n_begun[5], n_forgotten[5], n_beside[5];

/* Every part lacks memory the first time, and the part `too_large` always. */
static int too_large;

static trib_status fit_alone(void *context, uint32_t part, int n_threads, trib_progress progress,
                             trib_error *error) {
    const int n = ++n_at_work;
    const bool again = n_begun[part]++ > 0;
    (void)context;
    (void)progress;
    if (again) n_beside[part] = n - 1, given[part] = n_threads;
    n_at_work--;
    return again && (int)part != too_large ? TRIB_OK : trib_fail(error, TRIB_MEMORY, "no memory");
}

static void forget(void *context, uint32_t part) {
    (void)context;
    n_forgotten[part]++;
}

TEST(a_part_that_lacks_memory_is_repeated_alone) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    const trib_part_row alike = {.work = fit_alone, .forget = forget}, once = {.work = fit_alone};
    const trib_comm alone = {.size = 1};
    trib_workers workers = {.comm = &alone, .n_threads = 4};
    trib_error error = {0};
    too_large = -1;
    CHECK(trib_log_open(&workers.log, &silent, NULL) == TRIB_OK);
    EXPECT_OK(trib_parts_do(&workers, TRIB_OK, 5, &alike, NULL, &error));
    for (int i = 0; i < 5; i++) {
        EXPECT(n_begun[i] == 2 && n_forgotten[i] == 1);
        EXPECT(n_beside[i] == 0 && given[i] == 1);
    }
    too_large = 3;
    memset(n_begun, 0, sizeof n_begun);
    EXPECT_STATUS(trib_parts_do(&workers, TRIB_OK, 5, &alike, NULL, &error), TRIB_MEMORY, error);
    EXPECT(n_begun[3] == 2);
    memset(n_begun, 0, sizeof n_begun);
    EXPECT_STATUS(trib_parts_do(&workers, TRIB_OK, 5, &once, NULL, &error), TRIB_MEMORY, error);
    EXPECT(n_begun[0] == 1);
    trib_log_close(workers.log);
}
