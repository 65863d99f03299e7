/* mtx.c - tests of tensor/mtx.c: Matrix Market texts. */
#include "tensor/tensor.h"
#include "tests/test.h"

static trib_status read_text(trib_hacoo *table, double **values, const char *text,
                             trib_error *error) {
    trib_reader reader;
    trib_reader_memory(&reader, "a.mtx", text, strlen(text));
    return trib_tns_read(table, values, &reader, NULL, NULL, error);
}

/* Compares with wanted[rows][columns]. */
static void expect_matrix(const char *text, uint32_t n_rows, uint32_t n_columns,
                          const double *wanted) {
    trib_hacoo table;
    double *values;
    trib_error error = {0};
    size_t nnz = 0;
    EXPECT_STATUS(read_text(&table, &values, text, &error), TRIB_OK, error);
    CHECK(table.n_modes == 2 && table.dim[0] == n_rows && table.dim[1] == n_columns);
    for (uint32_t i = 0; i < n_rows; i++)
        for (uint32_t j = 0; j < n_columns; j++) {
            const size_t e = trib_hacoo_find(&table, (uint32_t[]){i, j});
            const double want = wanted[i * n_columns + j];
            const double found = e == TRIB_NO_ENTRY ? 0
                                 : values           ? values[e]
                                                    : trib_hacoo_count(&table, e);
            EXPECT(found == want);
            nnz += want != 0;
        }
    EXPECT(table.nnz == nnz);
    trib_free(values);
    trib_hacoo_release(&table);
}

static void every_kind_is_read(void) {
    expect_matrix("%%MatrixMarket matrix coordinate integer general\n% by hand\n\n 2 3 3 \n1 1 5\n"
                  "2 3 7\r\n%\n1 2 1\n",
                  2, 3, (double[]){5, 1, 0, 0, 0, 7});
    expect_matrix("%%MatrixMarket MATRIX Coordinate Real General\n2 2 3\n1 1 -0.5\n2 1 1e3\n2 1 1",
                  2, 2, (double[]){-0.5, 0, 1001, 0});
    expect_matrix("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 2 \n", 2, 2,
                  (double[]){0, 1, 0, 1});
    expect_matrix(
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 4\n3 1 2\n3 2 9\n", 3, 3,
        (double[]){4, 0, 2, 0, 0, 9, 2, 9, 0});
    expect_matrix("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n2 2", 2, 2,
                  (double[]){0, 1, 1, 1});
    expect_matrix("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 2.5\n", 2, 2,
                  (double[]){0, -2.5, 2.5, 0});
    expect_matrix("%%MatrixMarket matrix coordinate integer general\n4 1 0\n", 4, 1,
                  (double[]){0, 0, 0, 0});
}

static void a_full_batch_has_room_for_its_mirror(void) {
    enum { N = 5000 };
    trib_buffer text = {0};
    trib_hacoo table;
    trib_error error = {0};
    trib_buffer_print(&text, NULL,
                      "%%%%MatrixMarket matrix coordinate pattern symmetric\n%d %d %d\n", N + 1,
                      N + 1, N);
    for (int i = 1; i <= N; i++) trib_buffer_print(&text, NULL, "%d %d\n", i + 1, i);
    EXPECT_STATUS(read_text(&table, NULL, text.text, &error), TRIB_OK, error);
    EXPECT(table.nnz == 2 * N && table.total == 2 * N);
    for (uint32_t i = 0; i < N; i++)
        EXPECT(trib_hacoo_get(&table, (uint32_t[]){i, i + 1}) == 1 &&
               trib_hacoo_get(&table, (uint32_t[]){i + 1, i}) == 1);
    trib_hacoo_release(&table);
    trib_buffer_release(&text);
}

static void what_is_wrong_is_named_with_its_place(void) {
#define BANNER "%%MatrixMarket matrix coordinate "
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"%%MatrixMarket matrix\n1 1 1\n", "a.mtx:1: a Matrix Market text begins '%%MatrixMarket "
                                           "matrix coordinate integer general'"},
        {"%%MatrixMarket vector coordinate real general\n",
         "a.mtx:1:16: only 'matrix coordinate' can be read, not 'vector'"},
        {"%%MatrixMarket matrix array real general\n2 2\n",
         "a.mtx:1:23: only 'matrix coordinate' can be read, not 'array'"},
        {BANNER "complex general\n1 1 1\n1 1 1 1\n",
         "a.mtx:1:34: values must be integer, real or pattern, not 'complex'"},
        {BANNER "real hermitian\n1 1 0\n",
         "a.mtx:1:39: a matrix must be general, symmetric or skew-symmetric, not 'hermitian'"},
        {BANNER "real general\n% only this\n",
         "a.mtx: no nonzero and no header, so the tensor has no size"},
        {BANNER "real general\n2 2\n",
         "a.mtx:2:1: the numbers of rows, columns and nonzeros should "
         "be here, not '2'"},
        {BANNER "real general\n0 2 0\n",
         "a.mtx:2:1: a size must be a whole number from 1 to 4294967295, not '0'"},
        {BANNER "real general\n1 2 x\n",
         "a.mtx:2:5: the number of nonzeros must be a whole number, not 'x'"},
        {BANNER "real symmetric\n1 2 0\n",
         "a.mtx:2:3: a symmetric matrix has as many columns as rows, not '2'"},
        {BANNER "real general\n2 2 1\n1 1\n",
         "a.mtx:3:1: 2 numbers where 2 indices and a value should be"},
        {BANNER "pattern general\n2 2 1\n1 1 1\n",
         "a.mtx:3:1: 3 numbers where 2 indices should be"},
        {BANNER "real general\n2 2 1\n0 1 1\n",
         "a.mtx:3:1: an index must be a whole number from 1 to 4294967295, not '0'"},
        {BANNER "real general\n2 2 1\n1 3 1\n",
         "a.mtx:3:3: an index beyond the size in the header: '3'"},
        {BANNER "real general\n2 2 2\n1 1 1\n",
         "a.mtx: 1 nonzeros where the header says 2; is the text cut short?"},
        {BANNER "real skew-symmetric\n2 2 1\n1 1 1\n",
         "a.mtx:3:1: a skew-symmetric matrix has nothing on its diagonal: '1'"},
        {BANNER "real skew-symmetric\n2 2 1\n2 2 1\n",
         "a.mtx:3:1: a skew-symmetric matrix has nothing on its diagonal: '2'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        trib_hacoo table;
        double *values;
        trib_error error = {0};
        EXPECT_STATUS(read_text(&table, &values, wrong[i].text, &error), TRIB_INPUT, error);
        EXPECT_TEXT(error.message, wrong[i].message);
        EXPECT(table.entry == NULL && values == NULL);
    }
    trib_hacoo table;
    trib_error error = {0};
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
    trib_reader reader;
    trib_error error = {0};
    const char *path = trib_scratch("written.mtx");
    EXPECT_STATUS(trib_writer_open(&writer, path, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_mtx_write(table, values, &writer, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_writer_commit(&writer, NULL, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_reader_open(&reader, path, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_reader_all(&reader, &text, &error), TRIB_OK, error);
    trib_reader_close(&reader);
    return text;
}

static void a_matrix_is_written_in_the_order_of_its_rows(void) {
    trib_hacoo table;
    trib_error error = {0};
    EXPECT_STATUS(trib_hacoo_build(&table, 2, (uint32_t[]){3, 4}, NULL, 3,
                                   (uint32_t[]){2, 0, 0, 3, 0, 1}, (uint32_t[]){7, 8, 9}, &error),
                  TRIB_OK, error);
    trib_buffer text = written(&table, NULL);
    EXPECT_TEXT(text.text, BANNER "integer general\n3 4 3\n1 2 9\n1 4 8\n3 1 7\n");
    trib_buffer_release(&text);
    text = written(&table, (double[]){0.25, -1, 1e-9});
    EXPECT_TEXT(text.text, BANNER "real general\n3 4 3\n1 2 1e-09\n1 4 -1\n3 1 0.25\n");
    expect_matrix(text.text, 3, 4, (double[]){0, 1e-9, 0, -1, 0, 0, 0, 0, 0.25, 0, 0, 0});
    trib_buffer_release(&text);
    trib_hacoo_release(&table);
    trib_writer writer;
    EXPECT_STATUS(trib_hacoo_init(&table, 3, (uint32_t[]){3, 4, 5}, NULL, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_writer_open(&writer, trib_scratch("cube.mtx"), &error), TRIB_OK, error);
    EXPECT_STATUS(trib_mtx_write(&table, NULL, &writer, &error), TRIB_INPUT, error);
    EXPECT_TEXT(error.message,
                "a Matrix Market text has 2 modes, and this tensor has 3; write .tns");
    trib_writer_abandon(&writer);
    trib_hacoo_release(&table);
}

CU_TestInfo trib_tests_tensor_mtx[] = {
    {"every kind is read", every_kind_is_read},
    {"a full batch has room for its mirror", a_full_batch_has_room_for_its_mirror},
    {"what is wrong is named with its place", what_is_wrong_is_named_with_its_place},
    {"a matrix is written in the order of its rows", a_matrix_is_written_in_the_order_of_its_rows},
    CU_TEST_INFO_NULL,
};
