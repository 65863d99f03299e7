/* ktensor_io.c - tests of decomp/ktensor_io.c. */
#include <unistd.h>

#include "tests/decomp/sample.h"

TESTS(decomp, ktensor_io);

static trib_error error;

static void write_ktensor(const trib_ktensor *k, const char *const *word, const char *path) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    trib_ktns_write(k, word, &writer);
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
}

static trib_status read_text(const char *text, trib_ktensor *k, trib_error *failure) {
    trib_reader reader;
    trib_reader_memory(&reader, "k.ktns", text, strlen(text));
    return trib_ktns_read(k, &reader, failure);
}

static const char small[] = "ktensor 1\n"
                            "modes 2\n"
                            "dims 2 3\n"
                            "rank 2\n"
                            "fit 0.5\n"
                            "component 1 lambda 3\n"
                            "mode 1 2\n"
                            "1 0.25 the\n"
                            "2 0.75 cat\n"
                            "mode 2 1\n"
                            "3 1 sat\n"
                            "component 2 lambda 0.1\n"
                            "mode 1 1\n"
                            "1 1 the\n"
                            "mode 2 0\n";

TEST(a_small_ktensor_is_written_as_documented) {
    GIVEN(trib_ktensor) k = {0};
    GIVEN(trib_buffer) text = {0};
    const char *const word[] = {"the", "cat", "sat"};
    EXPECT_OK(read_text(small, &k, &error));
    CHECK(k.rank == 2 && k.n_modes == 2 && k.fit == .5 && k.lambda[1] == .1);
    EXPECT(k.factor[0][2] == .75 && k.factor[1][4] == 1 && k.factor[1][5] == 0);
    write_ktensor(&k, word, trib_scratch("small.ktns"));
    trib_read_bytes(trib_scratch("small.ktns"), &text);
    EXPECT_TEXT(text.text, small);
}

TEST(the_form_of_the_tensor_toolbox_is_written_as_documented) {
    static const char wanted[] = "ktensor\n2\n2 3\n2\n3 0.1\n"
                                 "matrix\n2\n2 2\n0.25 1\n0.75 0\n"
                                 "matrix\n2\n3 2\n0 0\n0 0\n1 0\n";
    GIVEN(trib_ktensor) k = {0};
    trib_writer writer;
    GIVEN(trib_buffer) text = {0};
    EXPECT_OK(read_text(small, &k, &error));
    CHECK(trib_writer_open(&writer, trib_scratch("small.ktensor"), &error) == TRIB_OK);
    trib_ktensor_write_text(&k, &writer);
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    trib_read_bytes(trib_scratch("small.ktensor"), &text);
    EXPECT_TEXT(text.text, wanted);
}

TEST(a_ktensor_is_read_back_to_the_bit) {
    trib_ktensor k, back;
    trib_reader reader;
    const trib_cp_options options = OPTIONS(.rank = 5, .sweeps = 1, .iterations = 3);
    GIVEN(sample) s = sample_at_random(8, 3, (uint32_t[]){30, 20, 25}, 200, 3);
    CHECK(trib_cp(&k, &s.x, &options, NULL, NULL) == TRIB_OK);
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s", trib_scratch("k.ktns"));
        if (i == 1) k.fit = NAN;
        write_ktensor(&k, NULL, path);
        CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
        EXPECT_OK(trib_ktns_read(&back, &reader, &error));
        trib_reader_close(&reader);
        EXPECT(i == 1 ? isnan(back.fit) : back.fit == k.fit);
        back.fit = k.fit;
        EXPECT(same_ktensor(&k, &back));
        trib_ktensor_release(&back);
    }
    trib_ktensor_release(&k);
}

static trib_status read_words(const char *text, trib_ktensor *k, trib_ktns_words *words,
                              trib_error *failure) {
    trib_reader reader;
    trib_reader_memory(&reader, "k.ktns", text, strlen(text));
    return trib_ktns_read_words(k, words, &reader, failure);
}

TEST(words_are_read_with_the_index_they_name) {
    trib_ktensor k;
    trib_ktns_words words;
    EXPECT_OK(read_words(small, &k, &words, &error));
    CHECK(words.n == 3 && words.word != NULL);
    EXPECT_TEXT(words.word[0], "the");
    EXPECT_TEXT(words.word[1], "cat");
    EXPECT_TEXT(words.word[2], "sat");
    trib_ktns_words_release(&words);
    trib_ktensor_release(&k);
    EXPECT_OK(read_words("1 2\n3 .5 .5\n", &k, &words, &error));
    EXPECT(words.word == NULL && words.n == 0);
    trib_ktns_words_release(&words);
    trib_ktensor_release(&k);
    char two[sizeof small];
    memcpy(two, small, sizeof small);
    memcpy(strstr(strstr(two, "component 2"), "the"), "cow", 3);
    EXPECT_REFUSED(read_words(two, &k, &words, &error), TRIB_INPUT,
                   "k.ktns:14: this index has two different words");
    EXPECT(words.word == NULL && words.text.text == NULL && k.rank == 0);
}

TEST(the_dense_oracles_are_read) {
    static const char *const name[] = {"oracles/cat.ktns", "oracles/dog.ktns", "oracles/seq.ktns"};
    for (size_t i = 0; i < 3; i++) {
        const char *path = trib_shared(name[i]);
        GIVEN(trib_ktensor) k = {0};
        trib_reader reader;
        if (!path) return;
        CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
        EXPECT_OK(trib_ktns_read(&k, &reader, &error));
        trib_reader_close(&reader);
        if (i == 0) EXPECT(k.rank == 17 && k.n_modes == 3 && k.dim[0] == 30);
        EXPECT(i > 0 || (k.factor[0][8 * 17] == 1 && k.factor[1][0] == 1));
        CHECK(trib_ktensor_normalize(&k, &error) == TRIB_OK);
        EXPECT(k.rank > 0 && k.lambda[0] >= k.lambda[k.rank - 1]);
    }
}

static trib_status read_bytes(const trib_buffer *bytes, size_t length, trib_ktensor *k,
                              trib_ktns_words *words, trib_error *failure) {
    trib_reader reader;
    trib_reader_memory(&reader, "k.ktns", bytes->text, length);
    return trib_ktns_read_words(k, words, &reader, failure);
}

static void write_packed(const trib_ktensor *k, const char *const *word, trib_buffer *bytes) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, trib_scratch("packed.ktns"), &error) == TRIB_OK);
    trib_ktns_write_packed(k, word, &writer);
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    trib_read_bytes(trib_scratch("packed.ktns"), bytes);
}

TEST(a_packed_ktensor_holds_the_same_bits_and_words) {
    static const char expected[] = "ktensor 2\n"
                                   "\2\2\3\2\6\0\0\0\0\0\0\xE0\x3F" /* .5 */
                                   "\3the\ncat\nsat\n"
                                   "\0\0\0\0\0\0\x08\x40"                 /* component 1: 3 */
                                   "\2\0\x80\x80\x80\x80\x80\x80\x80\4"   /* .25: 2^51 of 2^53 */
                                   "\0\x80\x80\x80\x80\x80\x80\x80\x0C"   /* .75 */
                                   "\1\2\x80\x80\x80\x80\x80\x80\x80\x10" /* 1 */
                                   "\x9A\x99\x99\x99\x99\x99\xB9\x3F"     /* component 2: .1 */
                                   "\1\0\x80\x80\x80\x80\x80\x80\x80\x10"
                                   "\0";
    const char *const word[] = {"the", "cat", "sat"};
    for (int i = 0; i < 3; i++) {
        GIVEN(trib_ktensor) k = {0}, back = {0};
        GIVEN(trib_ktns_words) words = {0};
        GIVEN(trib_buffer) bytes = {0};
        CHECK(read_text(small, &k, &error) == TRIB_OK);
        if (i > 0) k.fit = NAN;
        k.single = i == 2;
        write_packed(&k, i == 2 ? NULL : word, &bytes);
        if (i == 0) CHECK(bytes.length == sizeof expected - 1);
        if (i == 0) EXPECT(memcmp(bytes.text, expected, bytes.length) == 0);
        EXPECT_OK(read_bytes(&bytes, bytes.length, &back, &words, &error));
        EXPECT(i == 0 ? back.fit == k.fit : isnan(back.fit));
        EXPECT(back.single == k.single);
        back.fit = k.fit;
        EXPECT(same_ktensor(&k, &back));
        EXPECT((words.word == NULL) == (i == 2));
        if (words.word) EXPECT_TEXT(words.word[2], "sat");
    }
}

TEST(packed_values_are_multiples_of_the_spacing_below_1) {
    static const struct {
        double value, read;
        size_t bytes; /* with the index; 0: it is left out */
    } of[] = {{1, 1, 9},
              {0.1, 0.1, 9},
              {0x1.234567894p-21, 0x1.23456789p-21, 6},
              {0x1p-53, 0x1p-53, 2},
              {0x1p-55, 0, 0},
              {1.5, 1.5, 9}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[120];
        GIVEN(trib_ktensor) k = {0}, back = {0};
        GIVEN(trib_buffer) bytes = {0}, without = {0};
        snprintf(text, sizeof text,
                 "ktensor 1\nmodes 1\ndims 2\nrank 1\nfit 0.5\n"
                 "component 1 lambda 1\nmode 1 1\n1 0.5\n");
        CHECK(read_text(text, &k, &error) == TRIB_OK);
        write_packed(&k, NULL, &without);
        k.factor[0][1] = of[i].value;
        write_packed(&k, NULL, &bytes);
        EXPECT_OK(read_bytes(&bytes, bytes.length, &back, NULL, &error));
        EXPECT(fabs(back.factor[0][1] - of[i].read) <= (of[i].value > 1 ? 0 : 0x1p-54));
        EXPECT(bytes.length - without.length == of[i].bytes);
    }
}

TEST(a_damaged_packed_file_is_rejected) {
    const char *const word[] = {"the", "cat", "sat"};
    trib_ktensor k, back;
    GIVEN(trib_buffer) bytes = {0};
    CHECK(read_text(small, &k, &error) == TRIB_OK);
    write_packed(&k, word, &bytes);
    for (size_t n = strlen("ktensor 2\n"); n < bytes.length; n++) {
        EXPECT_STATUS(read_bytes(&bytes, n, &back, NULL, &error), TRIB_INPUT, error);
        EXPECT(strncmp(error.message, "k.ktns: a damaged ktensor file: ", 32) == 0);
    }
    /* no truncated file causes harm */
    for (size_t n = strlen("ktensor 2\n"); n < bytes.length; n++) {
        const char was = bytes.text[n];
        bytes.text[n] = (char)0xFF;
        if (read_bytes(&bytes, bytes.length, &back, NULL, NULL) == TRIB_OK)
            trib_ktensor_release(&back);
        bytes.text[n] = was;
    }
    trib_ktensor_release(&k);
}

CASES("tests/decomp/ktensor_io.txt [wrong]", a_file_is_malformed) {
    trib_ktensor k;
    EXPECT_REFUSED(read_text(trib_case_text("text"), &k, &error), TRIB_INPUT,
                   trib_case_text("says"));
    EXPECT(k.lambda == NULL);
}

TEST(a_zero_byte_is_rejected) {
    trib_ktensor k;
    trib_reader reader;
    trib_reader_memory(&reader, "k.ktns", "1 1\0\n", 5);
    EXPECT_REFUSED(trib_ktns_read(&k, &reader, &error), TRIB_INPUT, "k.ktns: holds a zero byte");
}

TEST(a_truncated_file_is_never_taken_for_a_whole_one) {
    for (size_t length = 0; length + 1 < strlen(small); length++) {
        GIVEN(trib_ktensor) k = {0};
        trib_reader reader;
        trib_reader_memory(&reader, "k.ktns", small, length);
        EXPECT(trib_ktns_read(&k, &reader, NULL) == TRIB_INPUT);
    }
}

TEST(an_npy_file_is_a_header_of_whole_lines_and_the_bytes) {
    const double value[6] = {1, -2.5, 1e300, 0, .1, 6};
    for (size_t n_columns = 0; n_columns <= 3; n_columns += 3) {
        trib_writer writer;
        GIVEN(trib_buffer) text = {0};
        char path[4096];
        snprintf(path, sizeof path, "%s", trib_scratch("array.npy"));
        CHECK(trib_writer_open(&writer, path, NULL) == TRIB_OK);
        trib_npy_write_array(&writer, value, n_columns == 0 ? 1 : 2,
                             (size_t[]){n_columns == 0 ? 6 : 2, n_columns});
        CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
        trib_read_bytes(path, &text);
        CHECK(text.length > 10 && memcmp(text.text, "\x93NUMPY\1\0", 8) == 0);
        const size_t header =
            10 + (size_t)(unsigned char)text.text[8] + 256 * (size_t)(unsigned char)text.text[9];
        EXPECT(header % 64 == 0 && text.length == header + sizeof value);
        EXPECT(text.text[header - 1] == '\n');
        const char *wanted = n_columns == 0
                                 ? "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }"
                                 : "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
        EXPECT(strncmp(text.text + 10, wanted, strlen(wanted)) == 0);
        EXPECT(memcmp(text.text + header, value, sizeof value) == 0); /* little-endian hosts */
    }
}

static trib_status read_small(void *context, trib_error *failure) {
    GIVEN(trib_ktensor) k = {0};
    return read_text(context, &k, failure);
}

TEST(every_failing_allocation_of_reading_is_reported) {
    char text[sizeof small];
    memcpy(text, small, sizeof small);
    EXPECT(trib_fail_every_allocation(read_small, text) > 3);
}

TEST(a_number_that_is_not_finite_is_never_written) {
    const char *path = trib_scratch("not finite");
    for (int place = 0; place < 4; place++) { /* lambda, a factor, the fit, an array */
        trib_writer writer;
        GIVEN(trib_ktensor) k = zero_ktensor(1, (uint32_t[]){2}, 1);
        k.fit = place == 2 ? -(double)INFINITY : (double)NAN; /* NaN: not computed */
        k.lambda[0] = place == 0 ? (double)NAN : 1;
        k.factor[0][0] = 1;
        k.factor[0][1] = place == 1 || place == 3 ? (double)INFINITY : 0;
        CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
        if (place < 3) trib_ktns_write(&k, NULL, &writer);
        else trib_npy_write_array(&writer, k.factor[0], 2, (size_t[]){2, 1});
        EXPECT_STATUS(trib_writer_commit(&writer, NULL, &error), TRIB_INTERNAL, error);
        EXPECT(strstr(error.message, path) && strstr(error.message, "is not finite"));
        EXPECT(access(path, F_OK) != 0);
    }
}
