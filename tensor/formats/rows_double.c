/* rows_double.c - the sums of rows.c with factors in double precision. */
#include "base/internal.h"
#include "tensor/formats/rows_sum.h"

TRIB_KERNEL static void add_narrow_rows(uint32_t rank, const trib_rows_side *x,
                                        const trib_rows_job *task) {
    trib_rows_add((trib_rows_way){2, rank, 0, true, false}, x, task);
}

/* For many words or large factors; reading their rows then takes longer than choosing. */
TRIB_KERNEL static void add_far_rows(uint32_t rank, const trib_rows_side *x,
                                     const trib_rows_job *task, uint32_t ahead, bool narrow) {
    trib_rows_add((trib_rows_way){2, rank, ahead, narrow, false}, x, task);
}

TRIB_KERNEL static void add_rows_of_two(uint32_t rank, const trib_rows_side *x,
                                        const trib_rows_job *task, uint32_t ahead, bool narrow) {
    trib_rows_add((trib_rows_way){1, rank, ahead, narrow, false}, x, task);
}

TRIB_KERNEL static void add_rows_of_four(uint32_t rank, const trib_rows_side *x,
                                         const trib_rows_job *task, uint32_t ahead, bool narrow) {
    trib_rows_add((trib_rows_way){3, rank, ahead, narrow, false}, x, task);
}

TRIB_KERNEL static void add_narrow_rows_of_four(uint32_t rank, const trib_rows_side *x,
                                                const trib_rows_job *task) {
    trib_rows_add((trib_rows_way){3, rank, 0, true, false}, x, task);
}

/* For any other number of modes. */
TRIB_KERNEL static void add_rows_of_any(uint32_t n_others, uint32_t rank, const trib_rows_side *x,
                                        const trib_rows_job *task, uint32_t ahead, bool narrow) {
    trib_rows_add_any((trib_rows_way){n_others, rank, ahead, narrow, false}, x, task);
}

void trib_rows_sum(uint32_t n_others, uint32_t rank, const trib_rows_side *x,
                   const trib_rows_job *task, uint32_t ahead, bool narrow) {
    if (n_others == 3 && narrow && ahead == 0) add_narrow_rows_of_four(rank, x, task);
    else if (n_others == 3) add_rows_of_four(rank, x, task, ahead, narrow);
    else if (n_others == 1) add_rows_of_two(rank, x, task, ahead, narrow);
    else if (n_others != 2) add_rows_of_any(n_others, rank, x, task, ahead, narrow);
    else if (narrow && ahead == 0) add_narrow_rows(rank, x, task);
    else add_far_rows(rank, x, task, ahead, narrow);
}
