/* experiment.h - the experiments of docs/experiments.md: what publications on sparse tensors measured, measured here. Each
 * prints its tables in Markdown. Not part of `make check`. */
#ifndef TRIBUTARY_EXPERIMENT_H
#define TRIBUTARY_EXPERIMENT_H

#include "tests/bench/bench.h"
#include "tests/bench/synthetic.h"

enum { N_TEXTS = 4 };

/* The texts that are there. */
typedef struct experiment_texts {
    size_t n;
    bench_text text[N_TEXTS];
} experiment_texts;

void experiment_hash(const experiment_texts *texts);
void experiment_insertion(const experiment_texts *texts);
void experiment_mttkrp(const experiment_texts *texts);
void experiment_documents(const experiment_texts *texts);
void experiment_hicoo(const experiment_texts *texts);
void experiment_storage(const experiment_texts *texts);
void experiment_fragments(const experiment_texts *texts);

/* One way of doing the work, and what it took of `repetitions` rounds in which all take their turn. */
typedef struct experiment_way {
    void (*run)(void *context);
    void *context;
    double processor; /* seconds, the median: who else is at work hardly shows, nor does the disk */
} experiment_way;
void experiment_time(experiment_way way[], size_t n, int repetitions);
double experiment_processor(void); /* seconds of processor time so far */

/* Tensors of FROSTT as [C] lists them, drawn at random: the dimensions are the published ones. Ends with a NULL name. */
extern const synthetic experiment_frostt[];

#endif
