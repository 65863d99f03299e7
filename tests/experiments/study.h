/* study.h - the five organisations of Dong, Wu, Byna 2024 as Algorithms 1 to 3 print them: plain
 * buffers of 8 bytes a number, built, reordered, written and read in steps that are timed one by
 * one. */
#ifndef TRIBUTARY_STUDY_H
#define TRIBUTARY_STUDY_H

#include "tests/experiments/experiment.h"

typedef enum study_organisation {
    STUDY_COO,
    STUDY_LINEAR,
    STUDY_GCSR,
    STUDY_GCSC,
    STUDY_CSF,
    N_STUDY
} study_organisation;

/* The buffers a writer is given. */
typedef struct study_points {
    uint32_t n_modes;
    uint64_t dim[TRIB_MAX_MODES];
    size_t n;
    uint64_t *index; /* [n][n_modes] row-major, or shuffled */
    uint64_t *value; /* [n] */
} study_points;

/* Seconds of processor time, and bytes. */
typedef struct study_times {
    double build, reorder, write, others;
    double extract,
        query; /* of a region, from the middle of every mode a tenth of it long, cell by cell */
    double writing, reading; /* sums of these; set by who measures */
    uint64_t n_bytes;
} study_times;

void study_points_of(study_points *x, const trib_hacoo *table, bool shuffled);
void study_points_release(study_points *x);
/* `radix`: sorts as our library does, instead of by comparing. `path` NULL: builds and reorders
 * only. */
study_times study_measure(const study_points *x, study_organisation organisation, bool radix,
                          const char *path);

#endif
