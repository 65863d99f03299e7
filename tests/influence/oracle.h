/* oracle.h - the decompositions of Lowe's three stories and the matrices of their distances
 * (docs/model.md section 8). */
#ifndef TRIBUTARY_TEST_ORACLE_H
#define TRIBUTARY_TEST_ORACLE_H

#include "influence/influence.h"
#include "tests/test.h"

enum { N_ORACLE = 36 };

/* Scales columns to sum 1 and puts their mass into lambda; components keep their order. */
static inline void oracle_normalize(trib_ktensor *k) {
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t r = 0; r < k->rank; r++) {
            double sum = 0;
            for (uint32_t i = 0; i < k->dim[m]; i++) sum += k->factor[m][i * k->rank + r];
            for (uint32_t i = 0; i < k->dim[m]; i++) k->factor[m][i * k->rank + r] /= sum;
            k->lambda[r] *= sum;
        }
}

/* Reads the 36 factors in the order of the matrices: cat 17, dog 13, seq 6. False when the oracle
 * files are not available. */
static inline bool oracle_factors(trib_factors *factors, bool normalized) {
    static const char *const path[] = {"oracles/cat.ktns", "oracles/dog.ktns", "oracles/seq.ktns"};
    for (uint32_t d = 0; d < 3; d++) {
        const char *const full = trib_shared(path[d]);
        trib_reader reader;
        trib_ktensor k = {0};
        if (!full) return false;
        CHECK(trib_reader_open(&reader, full, NULL) == TRIB_OK);
        CHECK(trib_ktns_read(&k, &reader, NULL) == TRIB_OK);
        if (normalized) oracle_normalize(&k);
        CHECK(trib_factors_add(factors, d, &k, NULL, NULL) == TRIB_OK);
        trib_ktensor_release(&k);
        trib_reader_close(&reader);
    }
    CHECK(factors->n == N_ORACLE);
    return true;
}

/* 36 rows of 36 numbers. */
static inline bool oracle_matrix(const char *path, double matrix[N_ORACLE * N_ORACLE]) {
    const char *const full = trib_shared(path);
    trib_reader reader;
    trib_buffer text = {0};
    if (!full) return false;
    CHECK(trib_reader_open(&reader, full, NULL) == TRIB_OK);
    CHECK(trib_reader_all(&reader, &text, NULL) == TRIB_OK);
    trib_reader_close(&reader);
    char *at = text.text;
    for (size_t i = 0; i < N_ORACLE * N_ORACLE; i++) {
        char *after = at;
        matrix[i] = strtod(at, &after);
        CHECK(after > at);
        at = after;
    }
    trib_buffer_release(&text);
    return true;
}

#endif
