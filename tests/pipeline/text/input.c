/* input.c - tests of compressed documents: every compression, and damaged files. */
#include "tests/test.h"

#include "pipeline/text/input.h"

TESTS(text, input);

static trib_status read_text(const char *path, size_t step, trib_buffer *text, trib_error *error) {
    char block[300];
    OPENED(trib_input) input = {0};
    size_t got = 0;
    trib_status status = trib_input_open(&input, path, NULL, NULL, error);
    if (status != TRIB_OK) return status;
    do {
        status = trib_input_read(&input, block, step, &got, error);
        if (status == TRIB_OK) status = trib_buffer_add(text, block, got, error);
    } while (status == TRIB_OK && got > 0);
    return status;
}

static void expect_text(const char *path, size_t step, const char *wanted, size_t length) {
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    EXPECT_OK(read_text(path, step, &text, &error));
    EXPECT(text.length == length && (length == 0 || memcmp(text.text, wanted, length) == 0));
}

static void expect_refusal(const char *path, const char *holds) {
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    EXPECT_STATUS(read_text(path, 300, &text, &error), TRIB_INPUT, error);
    EXPECT(strncmp(error.message, path, strlen(path)) == 0 && strstr(error.message, holds));
    if (!strstr(error.message, holds)) EXPECT_TEXT(error.message, holds);
}

TEST(plain_files_are_read_unchanged) {
    static const char *const texts[] = {
        "", "x", "BZh", "BZh9 is a word", "BZh91AY", "\x1f plain", "\xFD\x37z text", "plain text"};
    const char *path = trib_scratch("plain.txt.gz"); /* its name does not matter */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        trib_write_bytes(path, texts[i], strlen(texts[i]));
        for (size_t step = 1; step < 10; step += 4)
            expect_text(path, step, texts[i], strlen(texts[i]));
    }
    expect_refusal(trib_scratch("missing"), "cannot be opened");
    expect_refusal(trib_scratch(""), "is a directory");
}

#include <archive.h>
#include <archive_entry.h>

static const struct {
    const char *name;
    int (*add)(struct archive *archive);
} kinds[] = {{"gzip", archive_write_add_filter_gzip},
             {"bzip2", archive_write_add_filter_bzip2},
             {"xz", archive_write_add_filter_xz},
             {"zstd", archive_write_add_filter_zstd}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* Writes a file with `text` compressed; false where this libarchive does not support the
 * compression. */
static bool pack(size_t kind, const char *path, const char *text, size_t length) {
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    CHECK(a != NULL && entry != NULL);
    const bool can = kinds[kind].add(a) == ARCHIVE_OK;
    if (can) {
        archive_write_set_format_raw(a);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_pathname(entry, "x");
        CHECK(archive_write_open_filename(a, path) == ARCHIVE_OK);
        CHECK(archive_write_header(a, entry) == ARCHIVE_OK);
        if (length > 0) CHECK(archive_write_data(a, text, length) == (la_ssize_t)length);
        CHECK(archive_write_close(a) == ARCHIVE_OK);
    }
    archive_entry_free(entry);
    archive_write_free(a);
    return can;
}

static char *make_long_text(size_t length) {
    char *text = NULL;
    trib_random random;
    CHECK(trib_new(&text, length, 1, "", NULL) == TRIB_OK);
    trib_random_seed(&random, 1);
    for (size_t i = 0; i < length; i++) text[i] = (char)('a' + trib_random_below(&random, 26));
    return text;
}

TEST(every_compression_is_read) {
    enum { LONG = 300000 };
    static const char small[] = "the grey heron\nstood in the reeds\n";
    GIVEN(trib_owned_text) text = make_long_text(LONG);
    for (size_t k = 0; k < N_KINDS; k++) {
        const char *path = trib_scratch(kinds[k].name);
        if (!pack(k, path, small, sizeof small - 1)) continue;
        for (size_t step = 1; step <= 300; step += 23)
            expect_text(path, step, small, sizeof small - 1);
        if (pack(k, path, "", 0)) expect_text(path, 10, "", 0);
        if (pack(k, path, text, LONG)) expect_text(path, 300, text, LONG);
    }
}

TEST(damaged_and_truncated_files_are_rejected) {
    enum { LONG = 20000 };
    GIVEN(trib_owned_text) text = make_long_text(LONG);
    for (size_t k = 0; k < N_KINDS; k++) {
        char path[4096];
        OPENED(trib_reader) reader = {0};
        GIVEN(trib_buffer) packed = {0};
        snprintf(path, sizeof path, "%s", trib_scratch(kinds[k].name));
        if (!pack(k, path, text, LONG)) continue;
        CHECK(trib_reader_open(&reader, path, NULL) == TRIB_OK);
        CHECK(trib_reader_all(&reader, &packed, NULL) == TRIB_OK);
        for (size_t i = 0; i < 8; i++) {
            const size_t n = 16 + (packed.length - 20) * i / 8;
            trib_write_bytes(path, packed.text, n);
            expect_refusal(path, kinds[k].name);
        }
        memset(packed.text + 10, 0xFF, packed.length - 10); /* after the header */
        trib_write_bytes(path, packed.text, packed.length);
        expect_refusal(path, kinds[k].name);
    }
}

TEST(files_that_unpack_too_far_are_rejected) {
    GIVEN(trib_owned_text) blank = NULL;
    const size_t length = TRIB_UNPACKED_FREE + (1 << 20);
    CHECK(trib_new(&blank, length, 1, "", NULL) == TRIB_OK);
    const char *path = trib_scratch("bomb");
    if (pack(3, path, blank, length)) {
        OPENED(trib_input) input = {0};
        trib_error error = {0};
        size_t got = 1;
        uint64_t n = 0;
        CHECK(trib_input_open(&input, path, NULL, NULL, &error) == TRIB_OK);
        trib_status status = TRIB_OK;
        while (status == TRIB_OK && got > 0) {
            status = trib_input_read(&input, blank, 1 << 20, &got, &error);
            n += got;
        }
        EXPECT(status == TRIB_INPUT && n <= TRIB_UNPACKED_FREE + (1 << 20));
        EXPECT(strstr(error.message, "unpacks to more than 1000 times its size") != NULL);
    }
}

static trib_status read_once(void *context, trib_error *error) {
    GIVEN(trib_buffer) text = {0};
    const trib_status status = read_text(context, 300, &text, error);
    return status;
}

TEST(every_allocation_may_fail) {
    for (size_t k = 0; k < N_KINDS; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s", trib_scratch(kinds[k].name));
        if (pack(k, path, "the grey heron", 14)) trib_fail_every_allocation(read_once, path);
    }
}
