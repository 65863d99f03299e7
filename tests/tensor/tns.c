/* tns.c - tests of tensor/tns.c. */
#include <unistd.h>

#include "tensor/tensor.h"
#include "tests/tensor/drawn.h"

TESTS(tensor, tns);

static trib_error error;

static trib_status read_text(trib_hacoo *table, const char *text, trib_error *failure) {
    trib_reader reader;
    trib_reader_memory(&reader, "a.tns", text, strlen(text));
    return trib_tns_read(table, NULL, &reader, NULL, NULL, failure);
}

/* The file a table is written to, whole; free with trib_buffer_release. */
static trib_buffer written(const trib_hacoo *table) {
    trib_buffer text = {0};
    trib_writer writer;
    TRIB_OPENED(trib_reader) reader = {0};
    const char *path = trib_scratch("written.tns");
    EXPECT_OK(trib_writer_open(&writer, path, &error));
    EXPECT_OK(trib_tns_write(table, NULL, &writer, &error));
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    EXPECT_OK(trib_reader_open(&reader, path, &error));
    EXPECT_OK(trib_reader_all(&reader, &text, &error));
    return text;
}

TEST(lines_are_in_the_order_of_their_indices) {
    static const uint32_t entries[][4] = {
        {1, 0, 9, 5}, {0, 2, 3, 1}, {1, 0, 10, 2}, {0, 2, 0, 7}, {0, 1, 19, UINT32_MAX}};
    GIVEN(trib_hacoo) table = empty_tensor(3, (uint32_t[]){2, 3, 20});
    for (size_t i = 0; i < 5; i++)
        EXPECT_OK(trib_hacoo_add(&table, entries[i], entries[i][3], &error));
    trib_buffer text = written(&table);
    EXPECT_TEXT(text.text,
                "# 3 2 3 20 5\n1 2 20 4294967295\n1 3 1 7\n1 3 4 1\n2 1 10 5\n2 1 11 2\n");
    trib_buffer_release(&text);
}

TEST(what_was_written_is_read_back_to_the_byte) {
    static const uint32_t dims[][TRIB_MAX_MODES] = {
        {500},
        {30, 1},
        {300, 20, 4000000000u},
        {65536, 65536, 65536, 65536, 65536, 65536, 65536, 65536}};
    static const uint32_t n_modes[] = {1, 2, 3, 8};
    for (size_t d = 0; d < 4; d++)
        for (size_t n = 0; n < 800; n += 799) {
            GIVEN(trib_hacoo) back = {0};
            trib_random random;
            trib_random_seed(&random, d);
            GIVEN(trib_hacoo) table = empty_tensor(n_modes[d], dims[d]);
            for (size_t i = 0; i < n; i++) {
                uint32_t index[TRIB_MAX_MODES];
                for (uint32_t m = 0; m < n_modes[d]; m++)
                    index[m] = (uint32_t)trib_random_below(&random, dims[d][m]);
                EXPECT_OK(trib_hacoo_add(&table, index, 1 + (uint32_t)(i % 3), &error));
            }
            trib_buffer text = written(&table);
            EXPECT_OK(read_text(&back, text.text, &error));
            EXPECT(back.nnz == table.nnz && back.total == table.total);
            EXPECT(memcmp(back.dim, table.dim, sizeof back.dim) == 0);
            trib_buffer again = written(&back);
            EXPECT_TEXT(again.text, text.text);
            trib_buffer_release(&again);
            trib_buffer_release(&text);
        }
}

TEST(frostt_files_are_read) {
    GIVEN(trib_hacoo) table = {0};
    EXPECT_OK(read_text(&table,
                        "# made by hand\r\n\r\n1\t2 3  1.0\r\n  4 1 1 3e2\n#\n# 1 1 1\n1 2 3 2\n"
                        "1 1 1 7",
                        &error));
    EXPECT(table.n_modes == 3 && table.nnz == 3 && table.total == 310);
    EXPECT(table.dim[0] == 4 && table.dim[1] == 2 && table.dim[2] == 3);
    EXPECT(trib_hacoo_get(&table, (uint32_t[]){0, 1, 2}) == 3);
    EXPECT(trib_hacoo_get(&table, (uint32_t[]){3, 0, 0}) == 300);
    trib_hacoo_release(&table);
    EXPECT_OK(read_text(&table, "# 2 6 7 0\n", &error));
    EXPECT(table.n_modes == 2 && table.nnz == 0 && table.dim[0] == 6 && table.dim[1] == 7);
    trib_hacoo_release(&table);
    EXPECT_OK(read_text(&table, "# 3 2 x y\n# 2 6 7 0\n5 1\n", &error));
    EXPECT(table.n_modes == 1 && table.dim[0] == 5); /* a header stands on the first line only */
}

CASES("tests/tensor/tns.txt [wrong]", a_text_is_wrong) {
    trib_hacoo table;
    EXPECT_REFUSED(read_text(&table, trib_case_text("text"), &error), TRIB_INPUT,
                   trib_case_text("says"));
    EXPECT(table.entry == NULL && table.head == NULL);
}

TEST(a_zero_byte_is_shown) {
    trib_hacoo table;
    trib_reader reader;
    trib_reader_memory(&reader, "a.tns", "1 1\0 1", 6);
    EXPECT_REFUSED(trib_tns_read(&table, NULL, &reader, NULL, NULL, &error), TRIB_INPUT,
                   "a.tns:1:3: an index must be a whole number up to 4294967295, not "
                   "'1\\x00'");
}

TEST(a_line_of_a_hundred_modes_is_refused) {
    char text[512] = "1 1 1 1\n";
    trib_hacoo table;
    for (int i = 0; i < 101; i++) strcat(text + 8, "1 ");
    EXPECT_REFUSED(read_text(&table, text + 8, &error), TRIB_INPUT,
                   "a.tns:1:17: 100 indices and a value on a line; a tensor has at "
                   "most 8 modes");
    EXPECT_REFUSED(read_text(&table, text, &error), TRIB_INPUT,
                   "a.tns:2:1: 101 numbers where 3 indices and a value should be");
}

static trib_status read_values(trib_hacoo *table, double **values, const char *text,
                               const trib_tns_options *options, trib_tns_notes *notes,
                               trib_error *failure) {
    trib_reader reader;
    trib_reader_memory(&reader, "a.tns", text, strlen(text));
    return trib_tns_read(table, values, &reader, options, notes, failure);
}

TEST(values_that_are_no_counts_stand_beside_the_table) {
    static const char *const texts[] = {
        "2 1 2\n1 3 -0.5\n2 1 1e-3\n1 1 7\n2 1 +4\n",
        "# 2 2 3 5\n2 1 2.0\n1 3 -5e-1\n2 1 .001\n1 1 7.\n2 1 4e0\n"};
    for (size_t i = 0; i < 2; i++) {
        GIVEN(trib_hacoo) table = {0};
        double *values;
        trib_tns_notes notes;
        EXPECT_OK(read_values(&table, &values, texts[i], NULL, &notes, &error));
        CHECK(table.nnz == 3 && values);
        EXPECT(notes.n_rows == 5 && notes.n_duplicates == 2 && table.total == 3);
        EXPECT(values[0] == 2 + 1e-3 + 4 && values[1] == -0.5 && values[2] == 7);
        EXPECT(trib_hacoo_find(&table, (uint32_t[]){0, 2}) == 1);
        for (size_t e = 0; e < 3; e++) EXPECT(trib_hacoo_count(&table, e) == 1);
        trib_free(values);
    }
    trib_hacoo table;
    double *values;
    EXPECT_OK(read_values(&table, &values, "1 2.0\n1 1\n", NULL, NULL, &error));
    EXPECT(values == NULL && table.total == 3 && table.nnz == 1);
    trib_hacoo_release(&table);
    EXPECT_REFUSED(read_values(&table, &values, "1 nan\n", NULL, NULL, &error), TRIB_INPUT,
                   "a.tns:1:3: a value must be a finite decimal number, not 'nan'");
    EXPECT_STATUS(read_values(&table, &values, "1 1e308\n\n1 1e308\n", NULL, NULL, &error),
                  TRIB_INPUT, error);
    EXPECT_TEXT(error.message, "a.tns:3: the sum of duplicates is too large");
    EXPECT(values == NULL && table.entry == NULL);
}

TEST(duplicates_are_refused_where_wanted) {
    static const trib_tns_options refusing = {.refuse_duplicates = true};
    static const char *const texts[] = {"1 2 1\n\n1 1 1\n#\n1 2 5\n", "# 2 2 2 3\n1 1 1\n\n1 2 "
                                                                      "1\n1 2 5\n"};
    for (size_t i = 0; i < 2; i++) {
        trib_hacoo table;
        EXPECT_REFUSED(
            read_values(&table, NULL, texts[i], &refusing, NULL, &error), TRIB_INPUT,
            "a.tns:5: the same indices as in an earlier line, and duplicates are not allowed");
    }
}

/* Of a text: the dimension, the base and the warning. */
CASES("tests/tensor/tns.txt [base]", indices_have_a_base) {
    const char *base = trib_case_text("base");
    const uint32_t dim = (uint32_t)trib_case_number("dimension");
    const trib_tns_options options = {.base = strcmp(base, "one") == 0    ? TRIB_TNS_BASE_ONE
                                              : strcmp(base, "zero") == 0 ? TRIB_TNS_BASE_ZERO
                                                                          : TRIB_TNS_BASE_GUESS};
    GIVEN(trib_hacoo) table = {0};
    trib_tns_notes notes;
    EXPECT_OK(read_values(&table, NULL, trib_case_text("text"), &options, &notes, &error));
    EXPECT(table.dim[0] == dim && notes.base == (uint32_t)trib_case_number("found"));
    EXPECT(table.nnz > 0 && trib_hacoo_get(&table, (uint32_t[]){dim - 1, 1}) == 2);
    EXPECT_TEXT(notes.warning, trib_case_text("warning"));
}

/* Of a text: the sizes, the nonzeros, the sum of their values and the warning. */
CASES("tests/tensor/tns.txt [header]", headers_of_other_programs_are_read) {
    GIVEN(trib_hacoo) table = {0};
    trib_buffer size = {0};
    trib_tns_notes notes;
    EXPECT_OK(read_values(&table, NULL, trib_case_text("text"), NULL, &notes, &error));
    for (uint32_t m = 0; m < table.n_modes; m++)
        EXPECT_OK(trib_buffer_print(&size, &error, "%s%u", m ? " " : "", table.dim[m]));
    EXPECT_TEXT(size.text, trib_case_text("size"));
    EXPECT(table.nnz == (size_t)trib_case_number("nonzeros"));
    EXPECT((double)table.total == trib_case_number("total"));
    EXPECT_TEXT(notes.warning, trib_case_text("warning"));
    trib_buffer_release(&size);
}

/* A header is decided by the first batch; a later index beyond it is an error. */
TEST(an_index_beyond_a_header_is_named_far_from_it) {
    trib_buffer text = {0};
    trib_hacoo table;
    EXPECT_OK(trib_buffer_print(&text, &error, "3 9 9 9\n"));
    for (int i = 0; i < 5000; i++)
        EXPECT_OK(trib_buffer_print(&text, &error, "%d 1 1 1\n", 1 + i % 9));
    EXPECT_OK(trib_buffer_print(&text, &error, "1 10 1 1\n"));
    EXPECT_REFUSED(read_text(&table, text.text, &error), TRIB_INPUT,
                   "a.tns:5002:3: an index beyond the size in the header: '10'");
    trib_buffer_release(&text);
}

TEST(a_zero_is_wrong_where_indices_count_from_one) {
    trib_hacoo table;
    const trib_tns_options one = {.base = TRIB_TNS_BASE_ONE};
    EXPECT_REFUSED(read_values(&table, NULL, "0 1 1\n", &one, NULL, &error), TRIB_INPUT,
                   "a.tns:1:1: an index must be a whole number from 1 to 4294967295, not '0'");
}

TEST(values_are_written_and_read_back) {
    static const double wanted[] = {0.1, -2.5e-300, 1e300, 12345678};
    GIVEN(trib_hacoo) back = {0};
    double *values = NULL;
    trib_writer writer;
    trib_reader reader;
    const char *path = trib_scratch("values.tns");
    GIVEN(trib_hacoo) table = empty_tensor(1, (uint32_t[]){9});
    for (uint32_t i = 4; i-- > 0;)
        EXPECT_OK(trib_hacoo_add(&table, (uint32_t[]){2 * i}, 1, &error));
    EXPECT_OK(trib_writer_open(&writer, path, &error));
    EXPECT_OK(trib_tns_write(&table, wanted, &writer, &error));
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    EXPECT_OK(trib_reader_open(&reader, path, &error));
    EXPECT_OK(trib_tns_read(&back, &values, &reader, NULL, NULL, &error));
    trib_reader_close(&reader);
    CHECK(values && back.nnz == 4 && back.dim[0] == 9);
    for (uint32_t i = 0; i < 4; i++)
        EXPECT(values[trib_hacoo_find(&back, (uint32_t[]){2 * i})] == wanted[3 - i]);
    trib_free(values);
}

/* The whole of a shared file, or NULL after skipping; free with trib_buffer_release. */
static const char *shared_text(const char *name, const char *suffix, trib_buffer *text) {
    char path[64];
    trib_reader file;
    snprintf(path, sizeof path, "corpora/toy/%s%s", name, suffix);
    const char *found = trib_shared(path);
    if (!found) return NULL;
    EXPECT_OK(trib_reader_open(&file, found, &error));
    EXPECT_OK(trib_reader_all(&file, text, &error));
    trib_reader_close(&file);
    return text->text;
}

/* Id of the next word of *at in the vocabulary, lines of "word<tab>id" with ids from 1; 0 at the
 * end. */
static uint32_t next_id(char **at, const char *vocabulary) {
    char *word = strtok_r(NULL, " \t\r\n.,;:!?\"", at);
    if (!word) return 0;
    const size_t length = strlen(word);
    for (char *c = word; *c; c++) *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 'a' - 'A' : *c);
    for (const char *line = vocabulary; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, word, length) == 0 && line[length] == '\t')
            return (uint32_t)strtoul(line + length, NULL, 10);
    }
    CU_FAIL_FATAL("a word that is not in the vocabulary");
    return 0;
}

/* The published toy tensors hold the windows of their texts but the last one ([L] stops one early,
 * docs/model.md section 7). Their first line, "3 30 30 30" without '#', could be a nonzero as well:
 * it is not read here. */
TEST(the_toy_tensors_are_the_windows_of_their_texts) {
    static const char *const toys[] = {"cat", "dog", "seq"};
    for (size_t i = 0; i < 3; i++) {
        GIVEN(trib_buffer) tns = {0}, text = {0}, vocabulary = {0};
        GIVEN(trib_hacoo) published = {0};
        if (!shared_text(toys[i], ".tns", &tns) || !shared_text(toys[i], ".txt", &text) ||
            !shared_text("vocabulary", ".tsv", &vocabulary))
            return;
        EXPECT_OK(read_text(&published, strchr(tns.text, '\n'), &error));
        GIVEN(trib_hacoo) counted = empty_tensor(3, (uint32_t[]){30, 30, 30});
        uint32_t id[100], n = 0;
        for (char *at = text.text; n < 100 && (id[n] = next_id(&at, vocabulary.text)) > 0; n++)
            id[n]--;
        for (uint32_t w = 0; w + 3 < n; w++) EXPECT_OK(trib_hacoo_add(&counted, id + w, 1, &error));
        EXPECT(published.nnz == counted.nnz && published.total == counted.total);
        for (size_t e = 0; e < counted.nnz; e++) {
            uint32_t index[3];
            const uint32_t count = trib_hacoo_entry(&counted, e, index);
            EXPECT(trib_hacoo_get(&published, index) == count);
        }
    }
}

static trib_status read_and_write(void *context, trib_error *failure) {
    GIVEN(trib_hacoo) table = {0};
    trib_writer writer;
    TRIB_FREED(double *) values = NULL;
    trib_status status = read_values(&table, &values, context, NULL, NULL, failure);
    if (status != TRIB_OK) return status;
    status = trib_writer_open(&writer, trib_scratch("failing.tns"), failure);
    if (status == TRIB_OK) {
        status = trib_tns_write(&table, values, &writer, failure);
        if (status == TRIB_OK) status = trib_writer_commit(&writer, NULL, failure);
        else trib_writer_abandon(&writer);
    }
    return status;
}

TEST(every_failing_allocation_is_reported) {
    char text[] = "1 2 3 4\n2 2 3 1\n3 2 3 1\n4 2 3 1\n5 2 3 1\n6 2 3 1\n";
    char real[] = "# 1 5 2\n1 2.5\n5 1\n";
    EXPECT(trib_fail_every_allocation(read_and_write, text) > 8);
    EXPECT(trib_fail_every_allocation(read_and_write, real) > 8);
}

TEST(a_value_that_is_not_finite_is_never_written) {
    static const double values[] = {1, (double)INFINITY};
    GIVEN(trib_hacoo) table = {0};
    trib_writer writer;
    const char *path = trib_scratch("not finite.tns");
    CHECK(trib_hacoo_init(&table, 1, (uint32_t[]){2}, NULL, &error) == TRIB_OK);
    for (uint32_t i = 0; i < 2; i++) CHECK(trib_hacoo_add(&table, &i, 1, &error) == TRIB_OK);
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    EXPECT_STATUS(trib_tns_write(&table, values, &writer, &error), TRIB_INTERNAL, error);
    EXPECT(strstr(error.message, path) && strstr(error.message, "is not finite"));
    trib_writer_abandon(&writer);
    EXPECT(access(path, F_OK) != 0);
}
