/* oracle.h - the decompositions of Lowe's three stories and the matrices of their distances (docs/model.md section 8). */
#ifndef TRIBUTARY_TEST_ORACLE_H
#define TRIBUTARY_TEST_ORACLE_H

#include "influence/influence.h"
#include "tests/test.h"

enum { N_ORACLE = 36 };

/* Reads numbers separated by white space; *end is moved behind them. false when one is missing. */
static inline bool oracle_numbers(const char **end, double *value, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char *after = NULL;
        value[i] = strtod(*end, &after);
        if (after == *end) return false;
        *end = after;
    }
    return true;
}

static inline bool oracle_text(const char *path, trib_buffer *text) {
    const char *full = trib_shared(path);
    trib_reader reader;
    if (!full) return false;
    CHECK(trib_reader_open(&reader, full, NULL) == TRIB_OK);
    CHECK(trib_reader_all(&reader, text, NULL) == TRIB_OK);
    trib_reader_close(&reader);
    return true;
}

/* Adds one decomposition in the dense form "R dim1 dim2 dim3", then per component lambda and its columns. */
static inline void oracle_add(trib_factors *factors, uint32_t document, const char *text,
                              bool normalized) {
    double head[4], column[3][64], lambda;
    CHECK(oracle_numbers(&text, head, 4));
    const uint32_t rank = (uint32_t)head[0], dim = (uint32_t)head[1];
    CHECK(dim <= 64);
    for (uint32_t r = 0; r < rank; r++) {
        CHECK(oracle_numbers(&text, &lambda, 1));
        trib_ktensor k = {.n_modes = 3, .rank = 1, .lambda = &lambda};
        for (uint32_t m = 0; m < 3; m++) {
            CHECK(oracle_numbers(&text, column[m], dim));
            double sum = 0;
            for (uint32_t i = 0; i < dim; i++) sum += column[m][i];
            for (uint32_t i = 0; i < dim && normalized; i++) column[m][i] /= sum;
            k.dim[m] = dim;
            k.factor[m] = column[m];
        }
        CHECK(trib_factors_add(factors, document, &k, NULL, NULL) == TRIB_OK);
    }
}

/* The 36 factors in the order of the matrices: cat 17, dog 13, seq 6. false when the oracles are not here. */
static inline bool oracle_factors(trib_factors *factors, bool normalized) {
    static const char *const path[] = {"oracles/cat.ktns", "oracles/dog.ktns", "oracles/seq.ktns"};
    for (uint32_t d = 0; d < 3; d++) {
        trib_buffer text = {0};
        if (!oracle_text(path[d], &text)) return false;
        oracle_add(factors, d, text.text, normalized);
        trib_buffer_release(&text);
    }
    CHECK(factors->n == N_ORACLE);
    return true;
}

static inline bool oracle_matrix(const char *path, double matrix[N_ORACLE * N_ORACLE]) {
    trib_buffer text = {0};
    if (!oracle_text(path, &text)) return false;
    const char *end = text.text;
    CHECK(oracle_numbers(&end, matrix, N_ORACLE * N_ORACLE));
    trib_buffer_release(&text);
    return true;
}

#endif
