/* validate.h - what the ladder of truth shares: corpora whose sources are known, what every method
 * says of them, and how right it is. Planted corpora are listed in ladder.tsv, real ones in a table
 * of tasks. */
#ifndef TRIBUTARY_VALIDATE_H
#define TRIBUTARY_VALIDATE_H

#include "influence/influence.h"
#include "tokenizer/tokenizer.h"

enum { MAX_SOURCES = 24, MAX_WAYS = 16, MAX_POOLS = 12, MAX_GOALS = 64, N_GRAM = 3 };

/* What a share is a part of: of the target's n-grams, of its words, or of its words, those that
 * were not altered. */
enum unit { IN_NGRAMS, IN_WORDS, WORD_FOR_WORD, N_UNITS };

/* A way of measuring: a method, and the factors it works on. */
typedef struct way {
    const char *name, *method;
    enum unit unit;
    const char *solver; /* NULL: needs no factors */
    uint32_t rank;      /* 0: to the end */
    const char *rungs;  /* measured on these alone, one pool each; NULL: on all */
    bool incremental;   /* `anchored`: a background to which the documents are added one by one */
} way;
extern const way ways[]; /* ends with a row whose name is NULL; the first is the headline */
size_t find_way(const char *name);
double way_floor(const way *w); /* the method's own: a smaller share means nothing */

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
    char rung[32], change[32]; /* planted: what it tries, and what was done to copied words */
    bool judge;                /* methods were not chosen on it */
    bool is_respelled;         /* characters were misread or spelled otherwise */
    bool is_revised;           /* most copied words were altered or moved */
    bool is_first;             /* of its rung and half */
    size_t n_words, run_length, n_repeats, n_sources;
    char source[MAX_SOURCES][64];
    double truth[N_UNITS][MAX_SOURCES]; /* for a real case 1: influenced, 0: did not */
    /* Sources that hold the same passages have the number of the first of them; only the sum of
     * their truths is known. */
    size_t group[MAX_SOURCES];
    bool is_grouped[MAX_SOURCES];
    double author[N_UNITS]; /* 1 - the sum of truth, in a planted case */
    bool is_weak;           /* a real case without hard truth */
    estimate found[MAX_WAYS];
} known_case;

/* A text as a list of words. */
typedef struct word_list {
    uint32_t *word; /* [n] */
    size_t n, cap;
} word_list;

/* What a failed call of a thread says, of calls that must not fail; and how the program ends with
 * it, or with a message. */
extern _Thread_local trib_error validate_error;
void must(trib_status status);
_Noreturn void fail(const char *format, ...) TRIB_PRINTF(1, 2);
void *new_array(size_t n, size_t size);
/* Opens a file, or closes one that was written; they end the program where it fails. */
FILE *open_file(const char *path, const char *mode);
void close_file(FILE *file);

/* corpus.c: words of a file; then every wanted way on a target (the last of n documents) and its
 * sources (the others). */
bool read_words(word_list *list, trib_intern *words, const char *path);
void measure_case(known_case *c, const trib_intern *words, const word_list document[], size_t n,
                  int n_threads);

/* pools.c: a text to cut sources from, in two halves without a common passage. */
typedef struct pool {
    char name[32], kind[32], language[32];
    size_t passage; /* words; a passage so long that stands twice stays once */
    bool was_read, is_missing;
    trib_intern words;
    size_t n_words, n_removed;
    word_list half[2]; /* tune, judge: [2 n_half] the half twice, so that cuts need not wrap */
    size_t n_half[2];
} pool;
typedef struct pool_table {
    pool pool[MAX_POOLS];
    size_t n;
} pool_table;
void add_pool(pool_table *pools, const char *line);
/* Reads the pool NAME from directory/NAME.txt, once. NULL when there is no such text. */
pool *get_pool(pool_table *pools, const char *name, const char *directory);
void release_pools(pool_table *pools);

/* plant.c: the documents of a corpus. */
typedef struct derivation {
    bool is_derived;
    size_t from;            /* number of the source it is taken from */
    double fraction, noise; /* of its passages; of their words, replaced */
} derivation;
typedef struct plan {
    known_case *c;
    pool *from;
    double fraction[MAX_SOURCES];
    size_t length[MAX_SOURCES]; /* words */
    size_t times[MAX_SOURCES];  /* how often the source says its words; 0 and 1: once */
    derivation derived[MAX_SOURCES];
    word_list document[MAX_SOURCES + 1]; /* the sources, then the target */
    bool is_own[MAX_SOURCES + 1];        /* not a view of the pool: to be freed */
} plan;
/* Cuts and makes the documents of a plan, and finds its truth. */
void plant(plan *p);

/* write.c: writes the corpus planted from text[0], the author's own, and n - 1 FRACTION:SOURCE into
 * a directory; number: words of the target, of a run, and the seed. */
void write_planted(const char *directory, const char *const number[3], char **text, size_t n);

/* ladder.c, cases.c */
size_t read_ladder(known_case **cases, pool_table *pools, const char *ladder, const char *directory,
                   const char *only);
size_t read_tasks(known_case **cases, const char *tasks, const char *corpora, const char *only);

/* Everything measured. The packaged tasks can be done anywhere, the shared ones where those texts
 * are. */
typedef struct validation {
    pool_table pools;
    known_case *planted, *packaged, *shared;
    size_t n_planted, n_packaged, n_shared;
} validation;

/* A set of planted corpora. */
typedef struct cell {
    const char *name;
    bool (*holds)(const known_case *c);
} cell;
extern const cell cells[];           /* ends with a row whose name is NULL; the last is `scored` */
bool is_scored(const known_case *c); /* all but misread, respelled and revised ones */

/* Which planted corpora. NULL: any. */
typedef struct selection {
    const char *half; /* "tune" or "judge" */
    bool (*holds)(const known_case *c);
    const char *rung;
    size_t shortest, longest; /* words in a run; 0: any */
} selection;

/* score.c: how right one way is. Quantities without a case are NaN. A group of sources that hold
 * the same passages counts as one source, by its sum; it has no interval. */
typedef struct score {
    size_t n_cases, n_copied, n_unrelated, n_intervals;
    double pearson, mae, of_copied, unrelated, worst, author;
    double recovered; /* sum of the shares of copied sources over that of their truths */
    double covered_copied, covered_unrelated; /* truths inside the interval */
    double above, below;                      /* copied: truths above and below the interval */
    double width;                             /* copied: of the interval, mean */
    double low_above;                         /* unrelated: the low end above 0 */
    double above_floor;                       /* unrelated: shares above the way's floor */
    double wrong;       /* mean share of sources that hold passages quoted from another */
    double quantile[2]; /* of the unrelated: 95 and 99 % */
    double matched;     /* lowe: mean */
} score;
score score_planted(const validation *v, size_t w, const selection *in);
/* The rungs in their order; NULL ends them. [64] */
void list_rungs(const validation *v, const char *rung[]);

typedef struct order_score {
    size_t n, n_ordered;     /* weak cases do not count in n_ordered */
    double ratio, unrelated; /* median of weakest true over strongest other; mean of the others */
} order_score;
order_score score_real(const known_case *c, size_t n, size_t w);
/* The smallest share of a true source and the largest of another. */
void weakest_and_strongest(const known_case *c, size_t w, double *weakest, double *strongest);

/* goals.c: what is wanted of the headline, and whether it is so. */
typedef struct goal {
    char name[96];
    double least, most; /* NaN: no bound */
    double found[2];    /* tune, judge; NaN: not measured */
    int digits;
} goal;
size_t list_goals(const validation *v, goal goals[], size_t most);
bool is_met(const goal *g, int half);
const char *bound_of(const goal *g); /* "at most .0030" */

/* The intervals of corpora whose runs have so many words. */
typedef struct band {
    const char *name;
    size_t shortest, longest; /* 0: any */
} band;
extern const band bands[]; /* ends with a row whose name is NULL */
score score_band(const validation *v, size_t w, const band *in, const char *half);

/* page.c, tables.c, plots.c: the template with its {{...}} lines replaced, the tables and the SVG.
 */
void write_page(const validation *v, const char *template, const char *page);
void write_plots(const validation *v, const char *directory);
void write_tables(const validation *v, const char *directory);
const char *digits(double value, int n); /* a number with so many digits, or a dash */

#endif
