/* mtx.c - tests of tensor/mtx.c: Matrix Market texts. */
#include "tensor/tensor.h"
#include "tests/test.h"

TESTS(tensor, mtx);

static trib_error error;

static trib_status read_text(trib_hacoo *table, double **values, const char *text,
                             trib_error *failure) {
    trib_reader reader;
    trib_reader_memory(&reader, "a.mtx", text, strlen(text));
    return trib_tns_read(table, values, &reader, NULL, NULL, failure);
}

#define BANNER "%%MatrixMarket matrix coordinate "

/* Compares with rows of numbers, "5 1 0; 0 0 7". */
static void expect_matrix(const char *text, const char *wanted) {
    GIVEN(trib_hacoo) table = {0};
    TRIB_FREED(double *) values = NULL;
    size_t nnz = 0;
    uint32_t i = 0, j = 0;
    EXPECT_OK(read_text(&table, &values, text, &error));
    CHECK(table.n_modes == 2);
    for (const char *at = wanted; *at; j++) {
        char *end;
        const double want = strtod(at, &end);
        CHECK(i < table.dim[0] && j < table.dim[1] && end > at);
        const size_t e = trib_hacoo_find(&table, (uint32_t[]){i, j});
        const double found = e == TRIB_NO_ENTRY ? 0
                             : values           ? values[e]
                                                : trib_hacoo_count(&table, e);
        EXPECT_NEAR(found, want, 0);
        nnz += want != 0;
        at = end;
        if (*end == ' ') continue;
        EXPECT(j + 1 == table.dim[1]);
        j = UINT32_MAX; /* the next row */
        i++;
        at += *end == ';';
    }
    EXPECT(i == table.dim[0]);
    EXPECT(table.nnz == nnz);
}

CASES("tests/tensor/mtx.txt [matrix]", a_matrix_is_read) {
    expect_matrix(trib_case_text("text"), trib_case_text("matrix"));
}

TEST(a_full_batch_has_room_for_its_mirror) {
    enum { N = 5000 };
    GIVEN(trib_buffer) text = {0};
    GIVEN(trib_hacoo) table = {0};
    trib_buffer_print(&text, NULL,
                      "%%%%MatrixMarket matrix coordinate pattern symmetric\n%d %d %d\n", N + 1,
                      N + 1, N);
    for (int i = 1; i <= N; i++) trib_buffer_print(&text, NULL, "%d %d\n", i + 1, i);
    EXPECT_OK(read_text(&table, NULL, text.text, &error));
    EXPECT(table.nnz == 2 * N && table.total == 2 * N);
    for (uint32_t i = 0; i < N; i++)
        EXPECT(trib_hacoo_get(&table, (uint32_t[]){i, i + 1}) == 1 &&
               trib_hacoo_get(&table, (uint32_t[]){i + 1, i}) == 1);
}

CASES("tests/tensor/mtx.txt [wrong]", a_text_is_wrong) {
    trib_hacoo table;
    double *values;
    EXPECT_REFUSED(read_text(&table, &values, trib_case_text("text"), &error), TRIB_INPUT,
                   trib_case_text("says"));
    EXPECT(table.entry == NULL && values == NULL);
}

TEST(negative_values_are_no_counts) {
    trib_hacoo table;
    EXPECT_STATUS(read_text(&table, NULL, BANNER "real skew-symmetric\n2 2 0\n", &error),
                  TRIB_INPUT, error);
    EXPECT_TEXT(error.message, "a.mtx:1:39: values must be whole numbers from 1 to 4294967295, and "
                               "half of these are negative: 'skew-symmetric'");
    EXPECT_STATUS(read_text(&table, NULL, BANNER "integer general\n2 2 1\n1 1 -1\n", &error),
                  TRIB_INPUT, error);
}

static trib_buffer written(const trib_hacoo *table, const double *values) {
    trib_buffer text = {0};
    trib_writer writer;
    TRIB_OPENED(trib_reader) reader = {0};
    const char *path = trib_scratch("written.mtx");
    EXPECT_OK(trib_writer_open(&writer, path, &error));
    EXPECT_OK(trib_mtx_write(table, values, &writer, &error));
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    EXPECT_OK(trib_reader_open(&reader, path, &error));
    EXPECT_OK(trib_reader_all(&reader, &text, &error));
    return text;
}

TEST(a_matrix_is_written_in_the_order_of_its_rows) {
    GIVEN(trib_hacoo) table = {0};
    EXPECT_OK(trib_hacoo_build(&table, 2, (uint32_t[]){3, 4}, NULL, 3,
                               (uint32_t[]){2, 0, 0, 3, 0, 1}, (uint32_t[]){7, 8, 9}, &error));
    trib_buffer text = written(&table, NULL);
    EXPECT_TEXT(text.text, BANNER "integer general\n3 4 3\n1 2 9\n1 4 8\n3 1 7\n");
    trib_buffer_release(&text);
    text = written(&table, (double[]){0.25, -1, 1e-9});
    EXPECT_TEXT(text.text, BANNER "real general\n3 4 3\n1 2 1e-09\n1 4 -1\n3 1 0.25\n");
    expect_matrix(text.text, "0 1e-9 0 -1; 0 0 0 0; 0.25 0 0 0");
    trib_buffer_release(&text);
    trib_hacoo_release(&table);
    trib_writer writer;
    EXPECT_OK(trib_hacoo_init(&table, 3, (uint32_t[]){3, 4, 5}, NULL, &error));
    EXPECT_OK(trib_writer_open(&writer, trib_scratch("cube.mtx"), &error));
    EXPECT_REFUSED(trib_mtx_write(&table, NULL, &writer, &error), TRIB_INPUT,
                   "a Matrix Market text has 2 modes, and this tensor has 3; write .tns");
    trib_writer_abandon(&writer);
}
