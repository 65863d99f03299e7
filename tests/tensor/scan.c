/* scan.c - tests of tensor/scan.c and tensor/scan_line.c: the stream of nonzeros of a text. */
#include "tensor/tensor.h"
#include "tests/test.h"

TESTS(tensor, scan);

/* All nonzeros of a text, one after the other, and what became of it. */
typedef struct rows {
    uint32_t *index;
    double *value;
    uint64_t *line;
    size_t n, index_cap, value_cap, line_cap;
    trib_tns_notes notes;
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    trib_status status;
    trib_error error;
} rows;

static void release(rows *r) {
    trib_free(r->index);
    trib_free(r->value);
    trib_free(r->line);
}

static rows scanned(const char *text, size_t length, const trib_tns_options *options) {
    rows r = {0};
    TRIB_OPENED(trib_reader) reader = {0};
    trib_tns_scan scan;
    trib_reader_memory(&reader, "a.tns", text, length);
    r.status = trib_tns_open(&scan, &reader, options, &r.error);
    while (r.status == TRIB_OK && (r.status = trib_tns_next(&scan, &r.error)) == TRIB_OK) {
        if (scan.n == 0) break;
        CHECK(trib_grow(&r.index, &r.index_cap, (r.n + scan.n) * scan.n_modes, 4, "", NULL) ==
              TRIB_OK);
        CHECK(trib_grow(&r.value, &r.value_cap, r.n + scan.n, 8, "", NULL) == TRIB_OK);
        CHECK(trib_grow(&r.line, &r.line_cap, r.n + scan.n, 8, "", NULL) == TRIB_OK);
        memcpy(r.index + r.n * scan.n_modes, scan.index, scan.n * scan.n_modes * 4);
        memcpy(r.value + r.n, scan.value, scan.n * 8);
        memcpy(r.line + r.n, scan.line, scan.n * 8);
        r.n += scan.n;
    }
    r.notes = scan.notes;
    r.n_modes = scan.n_modes;
    memcpy(r.dim, scan.dim, sizeof r.dim);
    trib_tns_close(&scan);
    return r;
}

static void blanks(trib_buffer *text, trib_random *random, bool at_least_one) {
    static const char *const some[] = {"", " ", "\t", "  ", " \t ", "      "};
    const char *chosen = some[trib_random_below(random, 6)];
    if (at_least_one && !*chosen) chosen = " ";
    trib_buffer_print(text, NULL, "%s", chosen);
}

/* A value as text, in one of many spellings. */
static void spell(char text[64], trib_random *random, bool counts) {
    static const char *const spelling[] = {"%.0f",  "%.1f", "%.3e",  "%.17g", "%g",
                                           "%+.0f", "%.6f", "%.0f.", "%.25f", "%010.3f"};
    if (counts) {
        snprintf(text, 64, trib_random_below(random, 4) ? "%.0f" : "%.1f",
                 1 + (double)trib_random_below(random, 4000000000u));
    } else {
        const double value =
            (trib_random_unit(random) - 0.5) * pow(10, (double)trib_random_below(random, 24) - 12);
        snprintf(text, 64, spelling[trib_random_below(random, 10)], value);
    }
}

/* The oracle is the generator: what it wrote must be read, whatever the blocks, spellings, blanks
 * and ends of lines. */
TEST(what_is_written_in_any_manner_is_read) {
    static const size_t blocks[] = {1, 17, 64, 1000, 0};
    for (uint64_t seed = 0; seed < 60; seed++) {
        trib_random random;
        trib_random_seed(&random, seed);
        const uint32_t n_modes = 1 + (uint32_t)(seed % TRIB_MAX_MODES);
        const bool counts = seed % 3 == 0;
        const size_t n = seed == 59 ? 9000 : 1 + trib_random_below(&random, 300);
        uint32_t *index;
        double *value;
        uint64_t *line, at = 1;
        CHECK(trib_new(&index, n * n_modes, 4, "", NULL) == TRIB_OK);
        CHECK(trib_new(&value, n, 8, "", NULL) == TRIB_OK);
        CHECK(trib_new(&line, n, 8, "", NULL) == TRIB_OK);
        GIVEN(trib_buffer) text = {0};
        for (size_t i = 0; i < n; i++) {
            for (; trib_random_below(&random, 8) == 0; at++) {
                blanks(&text, &random, false);
                trib_buffer_print(&text, NULL, "%s\n",
                                  trib_random_below(&random, 2) ? "" : "# c 1");
            }
            for (uint32_t m = 0; m < n_modes; m++) {
                const uint64_t most = UINT64_C(1) << (1 + trib_random_below(&random, 32));
                const uint32_t j = (uint32_t)(1 + trib_random_below(&random, most - 1));
                index[i * n_modes + m] = j;
                blanks(&text, &random, m > 0);
                trib_buffer_print(&text, NULL, trib_random_below(&random, 9) ? "%u" : "%012u", j);
            }
            char number[64];
            spell(number, &random, counts);
            blanks(&text, &random, true);
            trib_buffer_print(&text, NULL, "%s", number);
            CHECK(trib_read_double(number, &value[i]));
            blanks(&text, &random, false);
            line[i] = at++;
            if (i + 1 < n || seed % 2) trib_buffer_print(&text, NULL, seed % 5 ? "\n" : "\r\n");
        }
        for (size_t b = 0; b < 5; b++) {
            const trib_tns_options options = {.block = blocks[b], .counts = counts};
            rows r = scanned(text.text, text.length, &options);
            EXPECT_STATUS(r.status, TRIB_OK, r.error);
            CHECK(r.n == n && r.n_modes == n_modes && r.notes.n_rows == n);
            EXPECT(memcmp(r.index, index, n * n_modes * 4) == 0);
            EXPECT(memcmp(r.value, value, n * 8) == 0);
            EXPECT(memcmp(r.line, line, n * 8) == 0);
            release(&r);
        }
        trib_free(index);
        trib_free(value);
        trib_free(line);
    }
}

TEST(the_longest_numbers_are_read) {
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"9007199254740993", 9007199254740992.0}, /* 2^53 + 1: halfway, to even */
        {"123456789012345678", 123456789012345680.0},
        {"99999999999999999999", 1e20},
        {"0.000000000000000000001", 1e-21},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"4.9e-324", 4.9e-324},
        {"1e-400", 0},
        {"0.1234567890123456789", 0.1234567890123456789},
        {"12345678.12345678", 12345678.12345678},
        {"1E22", 1e22},
        {"1e23", 1e23},
        {"3e-22", 3e-22},
        {"00000000000000000000000000000001", 1},
        {"-0", -0.0},
        {".5", 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[80];
        snprintf(text, sizeof text, "1 2 1\n1 1 %s\n", cases[i].text);
        rows r = scanned(text, strlen(text), NULL);
        EXPECT_STATUS(r.status, TRIB_OK, r.error);
        CHECK(r.n == 2);
        EXPECT(memcmp(&r.value[1], &cases[i].value, 8) == 0);
        release(&r);
    }
    static const char *const wrong[] = {"1e400", "nan", "inf",   "0x10", "1e",  "1e+",
                                        "--1",   "1-",  "1.2.3", ".",    "1,5", "1e5.0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[80], message[160];
        snprintf(text, sizeof text, "1 2 1\n1 1 %s\n", wrong[i]);
        snprintf(message, sizeof message,
                 "a.tns:2:5: a value must be a finite decimal number, not '%s'", wrong[i]);
        rows r = scanned(text, strlen(text), NULL);
        EXPECT_STATUS(r.status, TRIB_INPUT, r.error);
        EXPECT_TEXT(r.error.message, message);
        release(&r);
    }
}

/* `n` times a byte between two texts. */
static trib_buffer long_text(const char *before, char byte, size_t n, const char *after) {
    trib_buffer text = {0};
    trib_buffer_print(&text, NULL, "%s", before);
    for (size_t i = 0; i < n; i++) trib_buffer_add(&text, &byte, 1, NULL);
    trib_buffer_print(&text, NULL, "%s", after);
    return text;
}

TEST(a_long_line_is_a_comment_or_an_error) {
    enum { LONG = 1200000 };
    trib_buffer text = long_text("1 1 1\n  # ", 'x', LONG, "# 1 2\n2 1 3\n");
    rows r = scanned(text.text, text.length, NULL);
    EXPECT_STATUS(r.status, TRIB_OK, r.error);
    EXPECT(r.n == 2 && r.line[1] == 3);
    release(&r);
    trib_buffer_release(&text);
    text = long_text("#", ' ', LONG, " 1 7 1\n3 1\n"); /* what is left must not become a header */
    r = scanned(text.text, text.length, NULL);
    EXPECT_STATUS(r.status, TRIB_OK, r.error);
    EXPECT(r.n == 1 && r.dim[0] == 3 && !r.notes.has_header);
    release(&r);
    trib_buffer_release(&text);
    text = long_text("1 1 1\n2 1 ", '3', LONG, "\n");
    r = scanned(text.text, text.length, NULL);
    EXPECT_STATUS(r.status, TRIB_INPUT, r.error);
    EXPECT_TEXT(r.error.message, "a.tns:2: a line of more than 1048576 bytes");
    release(&r);
    trib_buffer_release(&text);
    text = long_text("1 1 1\n2 1 ", ' ', 400000, "7\n"); /* longer than a block, and a nonzero */
    r = scanned(text.text, text.length, NULL);
    EXPECT_STATUS(r.status, TRIB_OK, r.error);
    EXPECT(r.n == 2 && r.value[1] == 7);
    release(&r);
    trib_buffer_release(&text);
}

TEST(a_mark_of_byte_order_is_passed_over) {
    static const char text[] = "\xEF\xBB\xBF# 2 3 4 1\r\n3 4 5\r\n";
    rows r = scanned(text, sizeof text - 1, NULL);
    EXPECT_STATUS(r.status, TRIB_OK, r.error);
    EXPECT(r.n == 1 && r.notes.has_header && r.dim[1] == 4);
    release(&r);
    rows other = scanned("\xFF\xFE"
                         "1\0 \0",
                         6, NULL);
    EXPECT_STATUS(other.status, TRIB_INPUT, other.error);
    EXPECT_TEXT(other.error.message, "a.tns:1:1: an index must be a whole number up to 4294967295, "
                                     "not '\\xFF\\xFE1\\x00'");
    release(&other);
}

static trib_status scan_all(void *context, trib_error *error) {
    trib_reader reader;
    trib_tns_scan scan;
    const trib_tns_options small = {.block = 16};
    trib_reader_memory(&reader, "a.tns", context, strlen(context));
    trib_status status = trib_tns_open(&scan, &reader, &small, error);
    if (status != TRIB_OK) return status;
    do status = trib_tns_next(&scan, error);
    while (status == TRIB_OK && scan.n > 0);
    trib_tns_close(&scan);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    char text[] = "1 2 3 4\n2 2                                            3 1\n3 2 3 1\n";
    EXPECT(trib_fail_every_allocation(scan_all, text) == 8);
}
