/* arrays.h - sparse tensors and their decompositions behind pointers, given and taken as plain
 * arrays: for other languages, whose programs do not know the layout of C's structs
 * (bindings/python). C and C++ have the same and more in hacoo.h, formats.h and decomp.h.
 *
 *     trib_array *x;
 *     trib_factorisation *d;
 *     trib_array_open(&x, 3, dim, n, index, NULL, &error);
 *     trib_array_cp(x, settings, NULL, &d, &error);
 *     const double *a = trib_factorisation_factor(d, 0);
 *
 * Modes and indices count from 0. One object may be used by one thread at a time. */
#ifndef TRIBUTARY_LIBRARY_ARRAYS_H
#define TRIBUTARY_LIBRARY_ARRAYS_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Sparse tensors (arrays.c) --------------------------------------------------------------- */

/* A sparse tensor: the hash table HaCOO, and the format that products read. */
typedef struct trib_array trib_array;

/* Makes a tensor of n_modes modes (1 to TRIB_MAX_MODES) of sizes dim[n_modes] with value[n] at
 * index[n][n_modes], row-major; `value` NULL: 1 each. Values at the same place are added. Values
 * are finite and not 0. While all sums are whole numbers from 1 to 2^32-1 they are stored as
 * counts, else as doubles. Everything is copied. TRIB_INPUT for an index out of range, another
 * value, or a shape that hacoo.h rejects; TRIB_MEMORY. On failure *array is NULL. */
trib_status trib_array_open(trib_array **array, uint32_t n_modes, const uint32_t dim[], size_t n,
                            const uint32_t *index, const double *value, trib_error *error);
/* Reads a tensor from a file, as `tributary cp` does: .tns, Matrix Market or a fragment, the texts
 * also packed by gzip. TRIB_INPUT, TRIB_MEMORY; *array is NULL then. */
trib_status trib_array_load(trib_array **array, const char *path, trib_error *error);
/* Writes a tensor to a file: Matrix Market where the name ends in .mtx, a fragment where it ends in
 * .fragment, and .tns. TRIB_USAGE for another ending. TRIB_INPUT for Matrix Market unless there are
 * 2 modes, and for a fragment unless all values are counts. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_array_save(const trib_array *array, const char *path, trib_error *error);
/* Releases a tensor; NULL is legal. */
void trib_array_close(trib_array *array);

/* The number of modes. */
uint32_t trib_array_n_modes(const trib_array *array);
/* The size of a mode below n_modes. */
uint32_t trib_array_dim(const trib_array *array, uint32_t mode);
/* The number of nonzeros. */
uint64_t trib_array_nnz(const trib_array *array);
/* Whether all values are stored as counts. */
bool trib_array_has_counts(const trib_array *array);

/* Adds value[n] (1 each if NULL) at index[n][n_modes]; nonzeros are made where there are none, and
 * removed where the sum is 0: the last one then takes the place of it. Errors as trib_array_open;
 * what comes before the first failure has been added then. */
trib_status trib_array_add(trib_array *array, size_t n, const uint32_t *index, const double *value,
                           trib_error *error);
/* Sets value[n] at index[n][n_modes]; 0 removes a nonzero. Errors as trib_array_add. */
trib_status trib_array_set(trib_array *array, size_t n, const uint32_t *index, const double *value,
                           trib_error *error);
/* value[n] receives the values at index[n][n_modes]; 0 where there is none or the index is out of
 * range. */
void trib_array_get(const trib_array *array, size_t n, const uint32_t *index, double *value);
/* Copies nonzeros first .. first+n-1, in the order in which they were added, into index[n][n_modes]
 * and value[n]. */
void trib_array_entries(const trib_array *array, size_t first, size_t n, uint32_t *index,
                        double *value);

/* Organises the nonzeros for products, in the format of this name (`tributary help formats`; NULL:
 * hacoo), for n_threads threads (at least 1). Nothing is done where that is so already. TRIB_USAGE
 * for an unknown name, TRIB_MEMORY. */
trib_status trib_array_build(trib_array *array, const char *format, int n_threads,
                             trib_error *error);
/* trib_mttkrp of the tensor as it was built: out[dim[mode]][rank] = X_(mode) times the Khatri-Rao
 * product of the factors factor[m], [dim[m]][rank] row-major; factor[mode] is not read and may be
 * NULL. The bits do not depend on the number of threads. TRIB_USAGE when it was not built since the
 * last change, or for a mode or rank out of range. */
trib_status trib_array_mttkrp(const trib_array *array, uint32_t mode, uint32_t rank,
                              const double *const factor[], double *out, trib_error *error);

/* ---- Decompositions (factorisations.c) ------------------------------------------------------- */

/* X ~ sum_r lambda_r a_r o b_r o ..., as decomp.h describes. */
typedef struct trib_factorisation trib_factorisation;

/* Decomposes a tensor, as `tributary cp` does, with the same bits. `settings` holds texts
 * "KEY=VALUE" of the keys of cp, tensor.format and resources.threads, such as "cp.rank=50", and
 * ends with NULL; it may be NULL. The decomposition starts from the factors `from`, which have the
 * sizes of the tensor and then give the rank; NULL: as the settings say. `progress` receives the
 * number of iterations done and may stop, which is no error; it may be NULL. TRIB_CONFIG for a
 * wrong setting or start, TRIB_MEMORY, and the errors of trib_cp; *factors is NULL then. */
trib_status trib_array_cp(trib_array *array, const char *const settings[],
                          const trib_factorisation *from, const trib_progress *progress,
                          trib_factorisation **factors, trib_error *error);
/* Makes a decomposition of lambda[rank], factor[n_modes], each [dim[m]][rank] row-major, and
 * word[largest dim] (NULL: none). Everything is copied. TRIB_INPUT, TRIB_MEMORY; *factors is NULL
 * then. */
trib_status trib_factorisation_open(trib_factorisation **factors, uint32_t n_modes,
                                    const uint32_t dim[], uint32_t rank, const double *lambda,
                                    const double *const factor[], double fit, bool is_single,
                                    const char *const word[], trib_error *error);
/* Reads a file of factors (.ktns). TRIB_INPUT, TRIB_MEMORY; *factors is NULL then. */
trib_status trib_factorisation_load(trib_factorisation **factors, const char *path,
                                    trib_error *error);
/* Writes a file of factors, the same bytes as `tributary cp`. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_factorisation_save(const trib_factorisation *factors, const char *path,
                                    trib_error *error);
/* Releases a decomposition and its arrays; NULL is legal. */
void trib_factorisation_close(trib_factorisation *factors);

/* The number of modes. */
uint32_t trib_factorisation_n_modes(const trib_factorisation *factors);
/* The number of components; fewer than asked for where some became zero. */
uint32_t trib_factorisation_rank(const trib_factorisation *factors);
/* The size of a mode below n_modes. */
uint32_t trib_factorisation_dim(const trib_factorisation *factors, uint32_t mode);
/* [rank] the weights, descending; valid until close. */
const double *trib_factorisation_lambda(const trib_factorisation *factors);
/* [dim][rank] the factor matrix of a mode, row-major; the absolute values of a column add up to 1;
 * valid until close. */
const double *trib_factorisation_factor(const trib_factorisation *factors, uint32_t mode);
/* 1 - |X - model| / |X|, at most 1; NaN when not known. */
double trib_factorisation_fit(const trib_factorisation *factors);
/* Whether products read the factors in single precision. */
bool trib_factorisation_is_single(const trib_factorisation *factors);
/* The iterations that were done; 0 of a file. */
uint32_t trib_factorisation_iterations(const trib_factorisation *factors);
/* Why they ended, in words; "" of a file. */
const char *trib_factorisation_stop(const trib_factorisation *factors);
/* The word that index i stands for in every mode; NULL where a file has none, and beyond the
 * largest mode. Valid until close. */
const char *trib_factorisation_word(const trib_factorisation *factors, uint32_t i);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
