/* cache.c - tests of what is kept between runs: packing, entries, their damage, and the results of
 * runs with them. */
#include "tests/test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/config/keys.h"
#include "pipeline/run/cached.h"
#include "pipeline/support/json.h"

TESTS(store, cache);

static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};

TEST(numbers_come_back_bit_for_bit_and_no_more_is_read_than_there_is) {
    double doubles[] = {-0.0, 1e-310, NAN}, read[3], *array = NULL;
    uint32_t small = 7;
    uint64_t large = UINT64_MAX;
    GIVEN(trib_pack) pack = {0};
    TRIB_PACK(&pack, small);
    TRIB_PACK(&pack, large);
    TRIB_PACK(&pack, doubles);
    CHECK(pack.failure.status == TRIB_OK);
    EXPECT(pack.bytes.length == 36);
    trib_pack in = trib_pack_reading(pack.bytes.text, pack.bytes.length);
    small = 0, large = 0;
    TRIB_PACK(&in, small);
    TRIB_PACK(&in, large);
    EXPECT(small == 7 && large == UINT64_MAX);
    trib_pack again = in;
    TRIB_PACK(&in, read);
    EXPECT(memcmp(read, doubles, sizeof read) == 0);
    EXPECT(trib_pack_is_whole(&in));
    TRIB_PACK(&in, small);
    EXPECT(small == 0 && !trib_pack_is_whole(&in));
    TRIB_PACK_ARRAY(&again, array, SIZE_MAX / 8, "a test");
    EXPECT(again.is_wrong && array == NULL && again.failure.status == TRIB_OK);
}

static uint64_t answer = 42;

/* A cache in a fresh folder, and one entry in it. */
typedef struct kept {
    trib_log *log;
    trib_cache *cache;
    trib_buffer key, about;
    trib_pack result;
    char path[4096];
} kept;

static trib_status find_path(void *context, const trib_cache_file *file, trib_error *error) {
    kept *k = context;
    (void)error;
    snprintf(k->path, sizeof k->path, "%s", file->path);
    EXPECT_TEXT(file->stage, "stage");
    return TRIB_OK;
}

static void keep_one(kept *k, const char *folder) {
    trib_error error = {0};
    *k = (kept){0};
    CHECK(trib_log_open(&k->log, &silent, NULL) == TRIB_OK);
    EXPECT_OK(trib_cache_open(&k->cache, trib_scratch(folder), k->log, &error));
    CHECK(trib_cache_begin_key(k->cache, "stage", &k->key, NULL) == TRIB_OK);
    CHECK(trib_buffer_print(&k->about, NULL, "part x\n") == TRIB_OK);
    TRIB_PACK(&k->result, answer);
    EXPECT_OK(trib_cache_put(k->cache, "stage", &k->key, &k->about, &k->result, &error));
    EXPECT_OK(trib_cache_each(k->cache, find_path, k, &error));
}

static void drop(kept *k) {
    trib_buffer_release(&k->key);
    trib_buffer_release(&k->about);
    trib_pack_release(&k->result);
    trib_cache_close(k->cache);
    trib_log_close(k->log);
}

static bool finds(const kept *k) {
    GIVEN(trib_cache_entry) entry = {0};
    const bool found = trib_cache_find(k->cache, "stage", &k->key, &entry);
    if (found) {
        uint64_t read = 0;
        TRIB_PACK(&entry.result, read);
        EXPECT(read == answer && trib_pack_is_whole(&entry.result));
        EXPECT(entry.n_about == 7 && memcmp(entry.about, "part x\n", 7) == 0);
    }
    return found;
}

TEST(what_is_kept_is_found_under_its_key_alone) {
    unsigned n_asked = 0, n_found = 0;
    kept k;
    keep_one(&k, "cache-one");
    EXPECT(trib_cache_has(k.cache, "stage", &k.key));
    EXPECT(finds(&k));
    CHECK(trib_buffer_print(&k.key, NULL, "n 4\n") == TRIB_OK);
    EXPECT(!trib_cache_has(k.cache, "stage", &k.key));
    EXPECT(!finds(&k));
    trib_cache_tally(k.cache, &n_asked, &n_found);
    EXPECT(n_asked == 2 && n_found == 1);
    drop(&k);
}

static char *read_file(const char *path, size_t *length) {
    trib_buffer text = {0};
    OPENED(trib_reader) reader = {0};
    CHECK(trib_reader_open(&reader, path, NULL) == TRIB_OK);
    CHECK(trib_reader_all(&reader, &text, NULL) == TRIB_OK);
    *length = text.length;
    return text.text;
}

static void write_file(const char *path, const char *bytes, size_t length) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, path, NULL) == TRIB_OK);
    trib_write(&writer, bytes, length);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
}

TEST(an_entry_with_any_byte_altered_or_cut_off_is_not_found) {
    size_t length = 0;
    kept k;
    keep_one(&k, "cache-damage");
    GIVEN(trib_owned_text) bytes = read_file(k.path, &length);
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= 0x10;
        write_file(k.path, bytes, length);
        bytes[i] ^= 0x10;
        EXPECT(!finds(&k));
        write_file(k.path, bytes, i);
        EXPECT(!finds(&k));
    }
    write_file(k.path, bytes, length);
    EXPECT(finds(&k));
    drop(&k);
}

/* The result of the entry, copied into a file without a name; its bytes are at `copy`. */
static bool copies(const kept *k, char *copy, uint64_t *length) {
    trib_error error = {0};
    trib_writer writer;
    EXPECT_OK(trib_writer_scratch(&writer, "/tmp", false, &error));
    trib_write(&writer, "before", 6);
    const bool found = trib_cache_copy(k->cache, "stage", &k->key, &writer, length);
    EXPECT_OK(trib_writer_flush(&writer, &error));
    const trib_reader reader = trib_writer_reader(&writer);
    if (found) EXPECT(writer.n_written == 6 + *length);
    if (found) EXPECT(trib_reader_at(&reader, 6, copy, (size_t)*length, NULL) == TRIB_OK);
    trib_writer_abandon(&writer);
    return found;
}

/* Opening a pipe waits for somebody who writes to it. */
TEST(an_entry_that_is_a_pipe_is_not_waited_for) {
    kept k;
    keep_one(&k, "cache-pipe");
    CHECK(unlink(k.path) == 0 && mkfifo(k.path, 0600) == 0);
    EXPECT(!finds(&k));
    drop(&k);
}

TEST(a_piece_of_a_file_is_kept_copied_and_refused_when_damaged) {
    enum { LONG = 70000 }; /* of several blocks */
    static char bytes[LONG + 5], copy[LONG];
    trib_error error = {0};
    trib_reader reader;
    uint64_t length = 0;
    size_t n = 0;
    kept k;
    keep_one(&k, "cache-piece");
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i * i >> 3);
    trib_reader_memory(&reader, "a test", bytes, sizeof bytes);
    EXPECT_OK(trib_cache_put_piece(k.cache, "stage", &k.key, &k.about,
                                   (trib_cache_piece){&reader, 5, LONG}, &error));
    EXPECT(copies(&k, copy, &length) && length == LONG && memcmp(copy, bytes + 5, LONG) == 0);
    GIVEN(trib_owned_text) file = read_file(k.path, &n);
    for (size_t i = 0; i < n; i += i < 300 ? 1 : 9973) {
        file[i] ^= 0x10;
        write_file(k.path, file, n);
        file[i] ^= 0x10;
        EXPECT(!copies(&k, copy, &length));
        write_file(k.path, file, i);
        EXPECT(!copies(&k, copy, &length));
    }
    write_file(k.path, file, n);
    CHECK(trib_buffer_print(&k.key, NULL, "n 4\n") == TRIB_OK);
    EXPECT(!copies(&k, copy, &length));
    drop(&k);
}

TEST(a_cache_that_cannot_be_written_is_no_failure) {
    trib_error error = {0};
    const char *path = trib_scratch("cache-file");
    kept k = {0};
    write_file(path, "x", 1);
    CHECK(trib_log_open(&k.log, &silent, NULL) == TRIB_OK);
    EXPECT_OK(trib_cache_open(&k.cache, path, k.log, &error));
    CHECK(trib_buffer_print(&k.key, NULL, "key") == TRIB_OK);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(trib_cache_put(k.cache, "stage", &k.key, &k.about, &k.result, &error));
    EXPECT(trib_log_n_warnings(k.log) == 1);
    EXPECT(!finds(&k));
    drop(&k);
}

static trib_status keep_and_find(void *context, trib_error *error) {
    kept *k = context;
    GIVEN(trib_cache_entry) entry = {0};
    GIVEN(trib_pack) result = {0};
    TRIB_PACK(&result, answer);
    const trib_status status =
        trib_cache_put(k->cache, "stage", &k->key, &k->about, &result, error);
    EXPECT(status != TRIB_OK || trib_cache_find(k->cache, "stage", &k->key, &entry));
    return status;
}

TEST(every_allocation_may_fail) {
    kept k;
    keep_one(&k, "cache-memory");
    EXPECT(trib_fail_every_allocation(keep_and_find, &k) > 2);
    drop(&k);
}

/* Whether the key of a part of this row has the line of this setting. */
static bool is_given(const trib_cached_row *row, const trib_config *config, const char *path) {
    GIVEN(trib_buffer) text = {0}, line = {0};
    CHECK(trib_buffer_print(&line, NULL, "\n%s ", path) == TRIB_OK);
    CHECK(trib_buffer_print(&text, NULL, "\n") == TRIB_OK);
    CHECK(trib_config_print_given(config, row->given, &text, NULL) == TRIB_OK);
    const bool found = strstr(text.text, line.text) != NULL;
    return found;
}

TEST(a_key_has_the_settings_that_its_stage_is_given) {
    GIVEN(trib_config) config = {0};
    trib_error error = {0};
    EXPECT_OK(trib_config_load(&config, NULL, NULL, 0, NULL, NULL, &error));
    for (const trib_key *key = trib_keys; key->path; key++) {
        const bool is_result = key->effect == TRIB_KEY_RESULT;
        if (trib_key_is_in(key, "cp"))
            EXPECT(is_given(&trib_cached_factors, &config, key->path) == is_result);
        if (trib_key_is_in(key, "parallels"))
            EXPECT(is_given(&trib_cached_parallels, &config, key->path) == is_result);
        if (trib_key_is_in(key, "report"))
            EXPECT(is_given(&trib_cached_evidence, &config, key->path) ==
                   (strcmp(key->path, "report.top_phrases") == 0 ||
                    strcmp(key->path, "report.doubtful") == 0));
    }
    EXPECT(is_given(&trib_cached_tokens, &config, "tokens.case") &&
           is_given(&trib_cached_tokens, &config, "corpus.strip") &&
           !is_given(&trib_cached_tokens, &config, "tokens.stem") &&
           !is_given(&trib_cached_tokens, &config, "corpus.order"));
    EXPECT(is_given(&trib_cached_tensors, &config, "tensor.n") &&
           !is_given(&trib_cached_tensors, &config, "tensor.format") &&
           is_given(&trib_cached_factors, &config, "tensor.superblock"));
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static const trib_setting few[] = {{"cp.solver", "hals", "a test"}, {"cp.rank", "3", "a test"}};

/* Runs the small experiment; returns how many entries it found. */
static unsigned run_toy(const char *directory, const char *cache_directory,
                        const trib_setting *setting, size_t n_settings, int n_threads) {
    trib_run_options options = {.directory = {.path = directory, .resume = true},
                                .n_threads = n_threads};
    trib_error error = {0};
    GIVEN(trib_config) config = {0};
    GIVEN(trib_run) run = {0};
    trib_log *log = NULL;
    unsigned n_found = 0;
    trib_json_open();
    CHECK(trib_log_open(&log, &silent, NULL) == TRIB_OK);
    if (cache_directory) EXPECT_OK(trib_cache_open(&options.cache, cache_directory, log, &error));
    EXPECT_OK(
        trib_config_load(&config, "configs/toy.yaml", setting, n_settings, NULL, NULL, &error));
    EXPECT_OK(trib_run_execute(&run, &config, &options, log, &error));
    n_found = run.n_taken;
    trib_cache_close(options.cache);
    trib_log_close(log);
    return n_found;
}

static void expect_same_sums(const char *a, const char *b) {
    char path[2][4200];
    size_t length[2];
    snprintf(path[0], sizeof path[0], "%s/SHA256SUMS", a);
    snprintf(path[1], sizeof path[1], "%s/SHA256SUMS", b);
    char *text[2] = {read_file(path[0], &length[0]), read_file(path[1], &length[1])};
    EXPECT_TEXT(text[0], text[1]);
    trib_free(text[0]);
    trib_free(text[1]);
}

static trib_status damage(void *context, const trib_cache_file *file, trib_error *error) {
    size_t length = 0, *n = context;
    (void)error;
    GIVEN(trib_owned_text) bytes = read_file(file->path, &length);
    if (*n % 3 == 0) bytes[length / 2] ^= 1;
    write_file(file->path, bytes, *n % 3 == 1 ? length / 2 : length);
    ++*n;
    return TRIB_OK;
}

TEST(runs_with_without_and_with_a_damaged_cache_write_the_same_bytes) {
    char cold[4096], first[4096], second[4096], third[4096], folder[4096];
    size_t n = 0;
    trib_log *log = NULL;
    trib_cache *cache = NULL;
    if (access("configs/toy.yaml", R_OK) != 0) {
        trib_skip("configs/toy.yaml is not in this directory");
        return;
    }
    snprintf(cold, sizeof cold, "%s", trib_scratch("kept-cold"));
    snprintf(first, sizeof first, "%s", trib_scratch("kept-first"));
    snprintf(second, sizeof second, "%s", trib_scratch("kept-second"));
    snprintf(third, sizeof third, "%s", trib_scratch("kept-third"));
    snprintf(folder, sizeof folder, "%s", trib_scratch("kept-cache"));
    EXPECT(run_toy(cold, NULL, few, 2, 1) == 0);
    EXPECT(run_toy(first, folder, few, 2, 1) == 0);
    const unsigned n_all = run_toy(second, folder, few, 2, 7);
    EXPECT(n_all >= 3);
    CHECK(trib_log_open(&log, &silent, NULL) == TRIB_OK);
    CHECK(trib_cache_open(&cache, folder, log, NULL) == TRIB_OK);
    CHECK(trib_cache_each(cache, damage, &n, NULL) == TRIB_OK);
    trib_cache_close(cache);
    trib_log_close(log);
    EXPECT(n == n_all);
    EXPECT(run_toy(third, folder, few, 2, 1) == n_all / 3);
    expect_same_sums(cold, first);
    expect_same_sums(cold, second);
    expect_same_sums(cold, third);
}
