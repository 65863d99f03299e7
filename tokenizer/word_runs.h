/* word_runs.h - the vocabulary of a corpus with more different words than should be in memory.
 * Private to the program.
 *
 * The words collected so far are moved to a scratch file, ordered by their bytes, and collecting
 * goes on with an empty table: each part that was moved is a run. At the end the runs are merged
 * into the vocabulary, which is the same as that of one table. */
#ifndef TRIBUTARY_TOKENIZER_WORD_RUNS_H
#define TRIBUTARY_TOKENIZER_WORD_RUNS_H

#include "tokenizer/tokenizer.h"

/* ---- Parts of vocab.c ------------------------------------------------------------------------ */

#define TRIB_OTHER_WORD "<other>"

/* More different words than these do not stay in memory. A larger number would double the slots of
 * the table of words. */
enum { TRIB_WORDS_IN_MEMORY = 1000000 };
/* Allocates a vocabulary for n words of n_text bytes with their NULs: in memory with `scratch`
 * NULL, otherwise in a file in that folder. have_norms, for a file only: n_text includes the norms
 * of the words. */
trib_status trib_vocab_allocate(trib_vocab *vocab, size_t n, size_t n_text, bool have_norms,
                                const char *scratch, trib_error *error);
/* Reports that no word of n_words reaches the minima. Returns TRIB_CONFIG. */
trib_status trib_vocab_fail_minima(const trib_vocab_options *options, unsigned long n_words,
                                   trib_error *error);

/* ---- Runs (word_runs.c) ---------------------------------------------------------------------- */

/* A word of a run. */
typedef struct trib_run_word {
    uint64_t count;
    uint32_t n_documents;
    uint32_t id; /* its id in the table, which begins anew with each run */
} trib_run_word;

/* The words of one run by the order of their bytes, in a mapped file. */
typedef struct trib_word_run {
    const char *text;          /* the words, each followed by a NUL */
    const trib_run_word *word; /* [n] */
    uint32_t n;
    size_t n_text;
} trib_word_run;

/* `{0}` is empty. */
typedef struct trib_word_runs {
    trib_spill spill;   /* the file; open with the first run */
    trib_word_run *run; /* [n] */
    size_t n, cap;
    uint32_t n_ids; /* words of all runs; the provisional ids of run r begin with those before it */
    bool is_named;  /* the file gets a name, by which other processes open it */
} trib_word_runs;

/* Reports that the runs have more words than have ids. Returns TRIB_INPUT. */
trib_status trib_word_runs_fail_number(trib_error *error);
/* Writes n different words as a run: `text` has them by id, n_text bytes with a NUL after each. The
 * id of a word among all runs is then its id here plus the n_ids of before. count[n] and
 * n_documents[n] are by id. After a failure the runs are unchanged. TRIB_OUTPUT, TRIB_MEMORY;
 * TRIB_INPUT when there are too many words. */
trib_status trib_word_runs_add(trib_word_runs *runs, uint32_t n, const char *text, size_t n_text,
                               const uint64_t *count, const uint32_t *n_documents,
                               const char *scratch, trib_error *error);

/* The words of all runs, each once, in the order of their bytes; in scratch files. `{0}` is
 * empty. */
typedef struct trib_merged_words {
    uint32_t n;                     /* words */
    size_t n_text;                  /* bytes of them, with a NUL after each */
    trib_scratch_array text;        /* the words */
    trib_scratch_array count;       /* uint64_t [n] occurrences in all runs */
    trib_scratch_array n_documents; /* uint32_t [n] */
    trib_scratch_array of;          /* uint32_t by id, [runs->n_ids]: the number of the word here */
} trib_merged_words;
/* Merges the runs. Afterwards *all is to be closed. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_word_runs_join(const trib_word_runs *runs, const char *scratch,
                                trib_merged_words *all, trib_error *error);
void trib_merged_words_close(trib_merged_words *all);

/* Stands between a word and its norm; lower than any byte of a word, so that the order of words is
 * not changed by their norms. */
#define TRIB_BEFORE_NORM "\x01"
/* Builds the vocabulary of all runs, as trib_vocab_build does from one table. With
 * options->have_norms, each word of the runs is a spelling, TRIB_BEFORE_NORM and a norm, and no two
 * norms are alike. With options->fixed, one of the runs has the words (or norms) of that list,
 * without occurrences. *final_id receives an array of uint32_t by id, [runs->n_ids], which
 * the caller closes. Its memory, apart from scratch files, does not grow with the words. */
trib_status trib_word_runs_merge(const trib_word_runs *runs, const trib_vocab_options *options,
                                 const char *scratch, trib_vocab *vocab,
                                 trib_scratch_array *final_id, trib_error *error);
void trib_word_runs_release(trib_word_runs *runs);

#endif
