/* base.c - tests of base/. */
#include "base/internal.h"
#include "tests/test.h"

#include <sys/stat.h>
#include <unistd.h>

TESTS(base, base);

static trib_error error;

TEST(splitmix64_gives_its_published_numbers) {
    trib_random random;
    trib_random_seed(&random, 1234567);
    static const uint64_t wanted[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                      UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                      UINT64_C(16408922859458223821)};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        EXPECT(trib_random_u64(&random) == wanted[i]);
    trib_random_seed(&random, 1234567);
    trib_random_skip(&random, 0);
    trib_random_skip(&random, 3);
    EXPECT(trib_random_u64(&random) == wanted[3]);
}

TEST(numbers_round_trip_in_their_shortest_form) {
    char text[TRIB_NUMBER_MAX];
    EXPECT_TEXT(trib_number(text, 0.1), "0.1");
    EXPECT_TEXT(trib_number(text, 1e-300), "1e-300");
    EXPECT_TEXT(trib_number(text, -2), "-2");
    EXPECT_TEXT(trib_number(text, 90), "90");
    EXPECT_TEXT(trib_number(text, -1000000), "-1000000");
    EXPECT_TEXT(trib_number(text, 0), "0");
    EXPECT_TEXT(trib_number(text, 1e22), "1e+22");
    trib_random random;
    trib_random_seed(&random, 1);
    for (int i = 0; i < 1000; i++) {
        const double value =
            trib_random_unit(&random) * pow(10, (double)trib_random_below(&random, 600) - 300);
        double back = 0;
        EXPECT(trib_read_double(trib_number(text, value), &back) && back == value);
    }
}

/* Tries digits one by one: the shortest form that reads back. */
static const char *digits_tried(char text[TRIB_NUMBER_MAX], double value) {
    const double size = fabs(value);
    int digits = 1, whole = 0;
    for (; digits < 17; digits++) {
        snprintf(text, TRIB_NUMBER_MAX, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    for (double power = 1; size < 1e16 && power <= size; power *= 10) whole++;
    snprintf(text, TRIB_NUMBER_MAX, "%.*g", whole > digits ? whole : digits, value);
    return text;
}

TEST(numbers_are_written_with_the_fewest_digits_that_suffice) {
    static const double edges[] = {
        1e-10, 1e-5, 1e-4, .1, .5, 1, 9.5, 10, 99.5, 1e3, 1e14, 1e15, 4503599627370496.0};
    char text[TRIB_NUMBER_MAX], tried[TRIB_NUMBER_MAX];
    trib_random random;
    EXPECT_TEXT(digits_tried(tried, 0.00012), "0.00012");
    EXPECT_TEXT(digits_tried(tried, 0.000012), "1.2e-05");
    EXPECT_TEXT(digits_tried(tried, 120.5), "120.5");
    EXPECT_TEXT(digits_tried(tried, 1.0 / 3), "0.3333333333333333");
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        double below = edges[i], above = edges[i];
        for (int n = 0; n < 50; n++, below = nextafter(below, 0), above = nextafter(above, 1e300)) {
            EXPECT_TEXT(trib_number(text, below), digits_tried(tried, below));
            EXPECT_TEXT(trib_number(text, -above), digits_tried(tried, -above));
        }
    }
    trib_random_seed(&random, 2);
    for (int i = 0; i < 20000; i++) {
        const int scale = (int)trib_random_below(&random, 34) - 14,
                  kind = (int)trib_random_below(&random, 3);
        double value = trib_random_unit(&random) * pow(10, scale);
        if (kind == 1) value = round(value * 1e6) / 1e6; /* few digits */
        if (kind == 2)
            value = (double)trib_random_below(&random, 1 << 20) / (1 << 20) * value; /* halves */
        EXPECT_TEXT(trib_number(text, value), digits_tried(tried, value));
    }
}

TEST(only_whole_numbers_are_read) {
    double value = 7;
    uint64_t whole = 7;
    EXPECT(!trib_read_double("1,5", &value) && !trib_read_double("", &value) &&
           !trib_read_double("1e999", &value));
    EXPECT(!trib_read_double("0x10", &value) && !trib_read_double("1 ", &value) && value == 7);
    EXPECT(trib_read_uint("18446744073709551615", &whole) && whole == UINT64_MAX);
    EXPECT(!trib_read_uint("18446744073709551616", &whole) && !trib_read_uint("-1", &whole));
}

TEST(sha256_of_abc_is_the_published_one) {
    trib_sha256 hash = {0};
    char text[TRIB_SHA256_TEXT] = "";
    trib_sha256_add(&hash, "abc", 3);
    trib_sha256_end(&hash, text);
    EXPECT_TEXT(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(checksum_in_parts_is_that_of_the_whole) {
    unsigned char bytes[200];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(7 * i + i / 3);
    for (size_t length = 0; length <= sizeof bytes; length += 1 + length / 40)
        for (size_t part = 1; part < 70; part++) {
            trib_checksum_parts parts = {0};
            for (size_t at = 0; at < length; at += part)
                trib_checksum_add(&parts, bytes + at, length - at < part ? length - at : part);
            EXPECT(trib_checksum_end(&parts) == trib_checksum(bytes, length));
        }
}

/* Adds bytes in pieces of any size, or at once. */
static void sum(char text[TRIB_SHA256_TEXT], const void *bytes, size_t length,
                trib_random *random) {
    trib_sha256 hash = {0};
    for (size_t at = 0, n; at < length; at += n) {
        n = random ? (size_t)trib_random_below(random, 200) : length;
        if (n > length - at) n = length - at;
        trib_sha256_add(&hash, (const char *)bytes + at, n);
    }
    trib_sha256_end(&hash, text);
}

TEST(sha256_is_that_of_the_standard_and_the_same_in_pieces) {
    enum { MOST = 1000 };
    uint8_t bytes[MOST];
    char wanted[TRIB_SHA256_TEXT], text[TRIB_SHA256_TEXT];
    sum(text, "abc", 3, NULL); /* FIPS 180-2, appendix B */
    EXPECT_TEXT(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sum(text, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, NULL);
    EXPECT_TEXT(text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    trib_random random;
    trib_random_seed(&random, 3);
    for (size_t i = 0; i < MOST; i++) bytes[i] = (uint8_t)trib_random_below(&random, 256);
    for (size_t length = 0; length <= MOST; length += length < 300 ? 1 : 25) {
        sum(text, bytes, length, &random);
        sum(wanted, bytes, length, NULL);
        EXPECT_TEXT(text, wanted);
    }
}

TEST(checksums_are_those_of_xxh64) {
    char many[100];
    memset(many, 'a', sizeof many);
    EXPECT(trib_checksum("", 0) == UINT64_C(0xEF46DB3751D8E999));
    EXPECT(trib_checksum("a", 1) == UINT64_C(0xD24EC4F1A98C6E5B));
    EXPECT(trib_checksum("abc", 3) == UINT64_C(0x44BC2CF5AD770999));
    EXPECT((uint32_t)trib_checksum(many, sizeof many) ==
           0xB1DECFB3); /* as a frame of zstd has it */
}

TEST(a_long_message_is_cut_between_characters) {
    char text[TRIB_MESSAGE_MAX * 2] = "x";
    for (size_t i = 1; i + 2 < sizeof text; i += 2) memcpy(text + i, "\xC3\xA9", 3);
    EXPECT(trib_fail(&error, TRIB_INPUT, "%s", text) == TRIB_INPUT);
    EXPECT(strlen(error.message) % 2 == 1 && strlen(error.message) > TRIB_MESSAGE_MAX - 4);
    EXPECT(trib_error_prefix(&error, "%s", "here") == TRIB_INPUT &&
           strncmp(error.message, "here: x", 7) == 0);
}

TEST(a_written_file_appears_only_when_complete) {
    trib_writer writer;
    const char *path = trib_scratch("a file");
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    trib_print(&writer, "%d lines\n", 2);
    EXPECT(access(path, F_OK) != 0);
    char sha256[TRIB_SHA256_TEXT];
    EXPECT_OK(trib_writer_commit(&writer, sha256, &error));
    OPENED(trib_reader) reader = {0};
    GIVEN(trib_buffer) text = {0};
    CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
    EXPECT(trib_reader_all(&reader, &text, &error) == TRIB_OK);
    EXPECT_TEXT(text.text, "2 lines\n");
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    trib_write_text(&writer, "half");
    trib_writer_abandon(&writer);
    struct stat about;
    EXPECT(stat(path, &about) == 0 && about.st_size == 8);
}

TEST(a_number_that_is_not_finite_is_never_written) {
    static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    static const char *const names[] = {"(nan)", "(inf)", "(-inf)"};
    const char *path = trib_scratch("numbers");
    for (int i = 0; i < 6; i++) {
        trib_writer writer;
        CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
        trib_write_number(&writer, 1.5);
        if (i < 3) trib_write_number(&writer, values[i]);
        else trib_write_double(&writer, values[i % 3]);
        EXPECT_STATUS(trib_writer_commit(&writer, NULL, &error), TRIB_INTERNAL, error);
        EXPECT(strstr(error.message, path) && strstr(error.message, names[i % 3]));
        EXPECT(access(path, F_OK) != 0);
    }
}

TEST(a_full_device_is_an_output_error) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, "/dev/full", &error) == TRIB_OK);
    trib_write_text(&writer, "x");
    EXPECT_REFUSED(trib_writer_commit(&writer, NULL, &error), TRIB_OUTPUT,
                   "/dev/full: cannot be written: No space left on device");
}

TEST(a_scratch_file_is_read_again_and_leaves_nothing) {
    trib_writer writer;
    char read[5] = "";
    const char *directory = trib_scratch("scratch");
    CHECK(mkdir(directory, 0700) == 0);
    EXPECT_OK(trib_writer_scratch(&writer, directory, false, &error));
    for (int i = 0; i < 40000; i++) trib_print(&writer, "%04d", i % 10000);
    EXPECT_OK(trib_writer_flush(&writer, &error));
    const trib_reader reader = trib_writer_reader(&writer);
    EXPECT_OK(trib_reader_at(&reader, 4 * 31234, read, 4, &error));
    EXPECT_TEXT(read, "1234");
    EXPECT(rmdir(directory) == 0); /* it was empty throughout */
    trib_writer_abandon(&writer);
    EXPECT_REFUSED(trib_writer_scratch(&writer, "tests/nowhere", false, &error), TRIB_OUTPUT,
                   "tests/nowhere: a file cannot be created there: No such file or directory");
}

TEST(a_missing_file_and_a_directory_are_input_errors) {
    trib_reader reader;
    EXPECT_REFUSED(trib_reader_open(&reader, "tests/nowhere/at all", &error), TRIB_INPUT,
                   "tests/nowhere/at all: cannot be opened: No such file or directory");
    EXPECT_REFUSED(trib_reader_open(&reader, "/", &error), TRIB_INPUT,
                   "/: cannot be opened: it is a directory where a file should be");
}

static trib_status write_a_file(void *context, trib_error *failure) {
    trib_writer writer;
    trib_status status = trib_writer_open(&writer, context, failure);
    if (status != TRIB_OK) return status;
    for (int i = 0; i < 600; i++) trib_print(&writer, "%600d", i);
    return trib_writer_commit(&writer, NULL, failure);
}

TEST(only_a_regular_file_is_opened_where_one_is_required) {
    OPENED(trib_reader) reader = {0};
    const char *path = trib_scratch("pipe");
    CHECK(mkfifo(path, 0600) == 0);
    EXPECT_STATUS(trib_reader_open_file(&reader, path, &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "is a pipe") != NULL);
    EXPECT_STATUS(trib_reader_open_file(&reader, "/dev/zero", &error), TRIB_INPUT, error);
    EXPECT_STATUS(trib_reader_open_file(&reader, trib_scratch(""), &error), TRIB_INPUT, error);
    unlink(path);
    CHECK(fclose(fopen(path, "w")) == 0);
    EXPECT_OK(trib_reader_open_file(&reader, path, &error));
}

TEST(every_failing_allocation_of_a_writer_is_reported) {
    char path[4096];
    snprintf(path, sizeof path, "%s", trib_scratch("failing"));
    EXPECT(trib_fail_every_allocation(write_a_file, path) > 3);
}

TEST(an_allocation_beyond_the_limit_fails) {
    char *small = NULL, *large = NULL;
    trib_memory_limit(UINT64_C(1) << 40);
    EXPECT_STATUS(trib_new(&large, (size_t)1 << 41, 1, "a test", &error), TRIB_MEMORY, error);
    EXPECT(large == NULL &&
           strstr(error.message,
                  "exceed the limit of 1099511627776 bytes in total (from resources.memory, "
                  "ulimit -v or the container)"));
    EXPECT_OK(trib_new(&small, 100, 1, "a test", &error));
    trib_memory_limit(0);
    trib_free(small);
}

TEST(bytes_are_read_from_any_place) {
    trib_writer writer;
    OPENED(trib_reader) reader = {0};
    char got[8] = "";
    uint64_t size = 0;
    const char *path = trib_scratch("six.bytes");
    EXPECT_OK(trib_writer_open(&writer, path, &error));
    trib_write_text(&writer, "abcdef");
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    for (int from_memory = 0; from_memory < 2; from_memory++) {
        if (from_memory) trib_reader_memory(&reader, "m", "abcdef", 6);
        else EXPECT_OK(trib_reader_open(&reader, path, &error));
        EXPECT_OK(trib_reader_size(&reader, &size, &error));
        EXPECT(size == 6);
        EXPECT_OK(trib_reader_at(&reader, 3, got, 3, &error));
        EXPECT_TEXT(got, "def");
        EXPECT_OK(trib_reader_at(&reader, 6, got, 0, &error));
        EXPECT_STATUS(trib_reader_at(&reader, 4, got, 3, &error), TRIB_INPUT, error);
        EXPECT_STATUS(trib_reader_at(&reader, UINT64_MAX, got, 3, &error), TRIB_INPUT, error);
        trib_reader_close(&reader);
    }
    EXPECT_OK(trib_reader_open(&reader, "/dev/null", &error));
    EXPECT_STATUS(trib_reader_size(&reader, &size, &error), TRIB_INPUT, error);
}

TEST(sizes_that_overflow_are_errors) {
    double *array = NULL;
    EXPECT_STATUS(trib_new(&array, SIZE_MAX / 4, sizeof *array, "a test", &error), TRIB_MEMORY,
                  error);
    EXPECT(array == NULL);
    size_t cap = 0;
    EXPECT_STATUS(trib_grow(&array, &cap, SIZE_MAX / 4, sizeof *array, "a test", &error),
                  TRIB_MEMORY, error);
    EXPECT(array == NULL && cap == 0);
}

TEST(of_tasks_that_fail_the_lowest_number_is_reported) {
    trib_error failure = {0};
    trib_status status = TRIB_OK;
    size_t failed = SIZE_MAX;
    trib_keep_first(1, TRIB_OK, &failure, &failed, &status, &error);
    EXPECT(status == TRIB_OK && failed == SIZE_MAX);
    trib_keep_first(7, trib_fail(&failure, TRIB_INPUT, "seven"), &failure, &failed, &status,
                    &error);
    trib_keep_first(2, trib_fail(&failure, TRIB_MEMORY, "two"), &failure, &failed, &status, &error);
    trib_keep_first(3, trib_fail(&failure, TRIB_INPUT, "three"), &failure, &failed, &status, NULL);
    EXPECT(status == TRIB_MEMORY && failed == 2 && strcmp(error.message, "two") == 0);
}

TEST(first_bytes_are_in_the_order_of_strcmp) {
    static const char *const text[] = {"",        "a",        "aa",          "ab",
                                       "abcdefg", "abcdefgh", "abcdefghi",   "b",
                                       "\x7f",    "\xc3\xa9", "\xe2\x80\xa6"};
    const size_t n = sizeof text / sizeof *text;
    for (size_t i = 0; i + 1 < n; i++) {
        const uint64_t here = trib_first_bytes(text[i]), next = trib_first_bytes(text[i + 1]);
        EXPECT(strcmp(text[i], text[i + 1]) < 0);
        EXPECT(strlen(text[i]) == 8 ? here == next : here < next);
    }
}
