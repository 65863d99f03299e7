/* validate.h - what the ladder of truth shares: corpora whose sources are known, what every method
 * says of them, and how right it is. Planted corpora are listed in ladder.tsv, real ones in a table
 * of tasks. */
#ifndef TRIBUTARY_VALIDATE_H
#define TRIBUTARY_VALIDATE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "influence/influence.h"
#include "tokenizer/tokenizer.h"

enum { MAX_SOURCES = 24, MAX_WAYS = 12, N_GRAM = 3 };

/* A way of measuring: a method, and the factors it works on. */
typedef struct way {
    const char *name, *method;
    const char *solver;  /* NULL: needs no factors */
    uint32_t rank;       /* 0: to the end */
    size_t most_sources; /* more take too long; 0: any number */
    bool judge_only;     /* the whole ladder takes too long */
    bool incremental;    /* `anchored`: a background to which the documents are added one by one */
} way;
extern const way ways[]; /* ends with a row whose name is NULL; the first is the headline */
#define FLOOR 0.015      /* influence.floor */

/* What one way says of one target. */
typedef struct estimate {
    bool made;
    double share[MAX_SOURCES], author;
    bool has_interval;
    double low[MAX_SOURCES], high[MAX_SOURCES];
    double matched; /* lowe: share of the target's factor mass that found a source; else NaN */
    double seconds;
} estimate;

/* One target whose sources are known. */
typedef struct known_case {
    char name[64], pool[32];
    bool judge; /* methods were not chosen on it */
    size_t n_words, run_length, n_sources;
    double noise;
    char source[MAX_SOURCES][64];
    double truth[MAX_SOURCES]; /* in n-grams; for a real case 1: influenced, 0: did not */
    double author;             /* 1 - the sum of truth, in a planted case */
    bool is_weak;              /* a real case without hard truth */
    estimate found[MAX_WAYS];
} known_case;

/* A text as a list of words. */
typedef struct word_list {
    uint32_t *word; /* [n] */
    size_t n, cap;
} word_list;

/* Ends the program with the message of a failed call. */
void check(trib_status status, const trib_error *error);
void *new_array(size_t n, size_t size);

/* corpus.c: words of a file; then every wanted way on a target (the last of n documents) and its
 * sources (the others). */
bool read_words(word_list *list, trib_intern *words, const char *path);
void measure_case(known_case *c, const trib_intern *words, const word_list document[], size_t n,
                  int n_threads);

/* cases.c */
size_t read_ladder(known_case **cases, const char *ladder, const char *pools, const char *only);
size_t read_tasks(known_case **cases, const char *tasks, const char *corpora, const char *only);

/* Everything measured. The packaged tasks can be done anywhere, the shared ones where those texts
 * are. */
typedef struct validation {
    known_case *planted, *packaged, *shared;
    size_t n_planted, n_packaged, n_shared;
} validation;

/* A set of planted corpora. */
typedef struct cell {
    const char *name;
    bool (*holds)(const known_case *c);
} cell;
extern const cell cells[]; /* ends with a row whose name is NULL */

/* score.c: how right one way is. Quantities without a case are NaN. */
typedef struct score {
    size_t n_cases, n_copied, n_unrelated;
    double pearson, mae, of_copied, unrelated, worst, author;
    double under_floor; /* cases without an unrelated source above the floor */
    double covered, covered_copied, covered_unrelated; /* truths inside the interval */
    double matched;                                    /* lowe: mean */
} score;
/* Of the planted corpora in a cell; half: NULL for both, "tune" or "judge". */
score score_planted(const validation *v, size_t w, const cell *in, const char *half);

typedef struct order_score {
    size_t n, n_ordered;     /* weak cases do not count in n_ordered */
    double ratio, unrelated; /* median of weakest true over strongest other; mean of the others */
} order_score;
order_score score_real(const known_case *c, size_t n, size_t w);
/* The smallest share of a true source and the largest of another. */
void weakest_and_strongest(const known_case *c, size_t w, double *weakest, double *strongest);

/* page.c, plots.c: the template with its {{...}} lines replaced, and the SVG beside the page. */
void write_page(const validation *v, const char *template, const char *page);
void write_plots(const validation *v, const char *directory);

#endif
