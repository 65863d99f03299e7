/* blas.c - the functions of OpenBLAS. */
#include "decomp/blas.h"

#ifdef TRIB_OPENBLAS
#include <pthread.h>

#include "base/system.h"

trib_blas_functions trib_blas;

trib_status trib_blas_load(trib_error *error) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define NAME(name) #name,
    static const char *const names[] = {TRIB_BLAS_FUNCTIONS(NAME)};
#undef NAME
    trib_status status = TRIB_OK;
    pthread_mutex_lock(&lock);
    if (!trib_blas.cblas_dgemm)
        status =
            trib_loaded_fill(&trib_blas, TRIB_OPENBLAS, names, sizeof names / sizeof *names, error);
    if (status == TRIB_OK) trib_blas.openblas_set_num_threads(1);
    pthread_mutex_unlock(&lock);
    return status;
}
#else
#define FUNCTION(name) name,
trib_blas_functions trib_blas = {TRIB_BLAS_FUNCTIONS(FUNCTION)};
#undef FUNCTION

trib_status trib_blas_load(trib_error *error) {
    (void)error;
    trib_blas.openblas_set_num_threads(1);
    return TRIB_OK;
}
#endif
