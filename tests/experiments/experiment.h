/* experiment.h - the experiments of docs/experiments.md: what publications on sparse tensors
 * measured, measured here. Each prints its tables in Markdown. Not part of `make check`. */
#ifndef TRIBUTARY_EXPERIMENT_H
#define TRIBUTARY_EXPERIMENT_H

#include "influence/influence.h"
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
void experiment_lowe(const experiment_texts *texts);
void experiment_fragments(const experiment_texts *texts);

/* Whether QUICK=1 asks for the short form: every experiment then ends within about ten seconds,
 * and its numbers mean nothing. Texts are cut to QUICK_WORDS words and experiment_time does one
 * round; an experiment makes its own tensors smaller. */
enum { QUICK_WORDS = 20000, QUICK_NONZEROS = 20000 };
bool experiment_quick(void);
/* `n` nonzeros or what else there is, at most QUICK_NONZEROS of them in the short form. */
size_t experiment_size(size_t n);

/* By how many percent ours is less than theirs. */
double experiment_less(double ours, double theirs);
/* "agrees", "agrees in 2 of 6", "does not agree" or, of none, "cannot be told": of n comparisons
 * with a publication, so many came out as there. The short form proves nothing, and says so. */
const char *experiment_verdict(size_t n_same, size_t n);

/* One way of doing the work, and what it took of `repetitions` rounds in which all take their
 * turn. */
typedef struct experiment_way {
    void (*run)(void *context);
    void *context;
    double processor; /* seconds, the median: who else is at work hardly shows, nor does the disk */
    double wall;      /* by the clock on the wall */
} experiment_way;
void experiment_time(experiment_way way[], size_t n, int repetitions);
typedef struct experiment_seconds {
    double wall, processor;
} experiment_seconds;
experiment_seconds experiment_now(void);
double experiment_processor(void); /* seconds of processor time so far */

/* The tensors of FROSTT that [C] measures, dimensions and nonzeros as published, to be drawn at
 * random. Ends with a NULL name. */
extern const synthetic experiment_frostt[];
/* Takes tensors from the files in a folder, uber.tns or uber.tns.gz, where they are there. Ends
 * the program when the folder or a file in it is none. */
void experiment_frostt_in(const char *path);
/* Fills `table` with a row of experiment_frostt, or with at most so many of its nonzeros in
 * random order (0: all; the short form: few). true: from a file. */
bool experiment_tensor(trib_hacoo *table, const synthetic *what, size_t at_most);

/* Random factors of a table, in factor[n_modes]; returns space for the largest (main.c). */
double *experiment_factors(const trib_hacoo *table, uint32_t rank, double *factor[]);

/* A fragment of a table. */
typedef struct experiment_fragment {
    const trib_hacoo *table;
    trib_fragment_options options;
    char path[64];
    uint64_t n_bytes; /* set by writing it */
} experiment_fragment;
void experiment_write_fragment(void *fragment); /* fragments.c */

/* The seven papers that stand for the Conference corpus, one behind the other: words
 * first[d] .. first[d+1]-1 (documents.c). false when they are not there. */
bool experiment_conference(bench_text *text, size_t first[]);
/* The published classes of factors beside ours, of the stories and of the papers (classes.c). */
void experiment_story_classes(const trib_influence_document *document, uint32_t n_words);
void experiment_paper_classes(void);

/* Coordinates in lexicographic order, found by bisection, inserted by moving what is behind them:
 * what HaCOO is compared with (insertion.c). */
typedef struct sorted_coo {
    uint32_t n_modes;
    size_t nnz, cap;
    uint32_t *index; /* [nnz][n_modes] */
    double *value;   /* [nnz] */
} sorted_coo;
void sorted_init(sorted_coo *x, uint32_t n_modes, size_t cap); /* cap: the most there will be */
void sorted_add(sorted_coo *x, const uint32_t index[]);        /* adds 1 */
void sorted_release(sorted_coo *x);

#endif
