/* mttkrp.c - reads a tensor from a .tns file and multiplies it by random factors (MTTKRP), in two
 * formats, which must agree: mttkrp FILE.tns
 *     cc mttkrp.c -o mttkrp $(pkg-config --cflags --libs tributary) -lm */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tributary/tributary.h>

enum { RANK = 8, THREADS = 2 };
static trib_error error;

static void check(trib_status status) {
    if (status == TRIB_OK) return;
    fprintf(stderr, "error: %s\n", error.message);
    exit(trib_status_get(status)->exit_status);
}

/* *out is the product along the first mode: a row for each of its indices. */
static void multiply(const char *format, const trib_hacoo *table, const double *values,
                     const double *const factor[], double **out) {
    trib_tensor x;
    check(trib_tensor_build(&x, trib_format_find(format), table, values, THREADS, &error));
    check(trib_new_aligned(out, x.dim[0], RANK * sizeof **out, "the product", &error));
    trib_mttkrp(&x, 0, RANK, factor, *out, THREADS);
    printf("%s: %zu nonzeros, %.3f at the first place\n", format, x.nnz, **out);
    trib_tensor_release(&x);
}

int main(int argc, char **argv) {
    trib_reader reader;
    trib_hacoo table;
    trib_random random;
    double *values, *factor[TRIB_MAX_MODES], *product[2], largest = 0;
    if (argc != 2) return fprintf(stderr, "usage: mttkrp FILE.tns\n"), 2;
    check(trib_reader_open(&reader, argv[1], &error));
    check(trib_tns_read(&table, &values, &reader, NULL, NULL, &error));
    trib_reader_close(&reader);

    trib_random_seed(&random, 1);
    for (uint32_t m = 0; m < table.n_modes; m++) {
        const size_t n = (size_t)table.dim[m] * RANK; /* a row of RANK values for each index */
        check(trib_new_aligned(&factor[m], n, sizeof *factor[m], "a factor", &error));
        for (size_t i = 0; i < n; i++) factor[m][i] = trib_random_unit(&random);
    }
    multiply("coo", &table, values, (const double *const *)factor, &product[0]);
    multiply("hicoo", &table, values, (const double *const *)factor, &product[1]);
    for (size_t i = 0; i < (size_t)table.dim[0] * RANK; i++)
        largest = fmax(largest, fabs(product[0][i] - product[1][i]) / fmax(1, product[0][i]));
    printf("the products %s\n", largest < 1e-12 ? "agree" : "differ");

    for (uint32_t m = 0; m < table.n_modes; m++) trib_free(factor[m]);
    for (int f = 0; f < 2; f++) trib_free(product[f]);
    trib_free(values);
    trib_hacoo_release(&table);
    return largest < 1e-12 ? 0 : 1;
}
