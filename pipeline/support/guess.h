/* guess.h - "did you mean". Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_GUESS_H
#define TRIBUTARY_SUPPORT_GUESS_H

#include <stddef.h>

/* Finds the candidate that `word` most likely stands for: the one with the fewest insertions,
 * deletions, replacements and swaps of neighbouring letters (at most a third of the letters), or
 * one that begins with `word`. It keeps a copy, so candidates need not outlive the call. */
enum { TRIB_GUESS_MAX = 64 }; /* bytes of the longest candidate that is looked at, with its end */
typedef struct trib_guess {
    const char *word;
    char best[TRIB_GUESS_MAX]; /* "": none */
    size_t distance;
    char hint[96];
} trib_guess;
void trib_guess_try(trib_guess *guess, const char *candidate);
/* Returns "; did you mean 'threshold'?", or "" when no candidate was found. */
const char *trib_guess_hint(trib_guess *guess);

#endif
