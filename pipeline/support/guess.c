/* guess.c - the name that was probably meant. */
#include "pipeline/support/guess.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORD = TRIB_GUESS_MAX - 1 };

/* Optimal string alignment distance by its recurrence, with three rows. Both words have at most
 * MAX_WORD bytes. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[3][MAX_WORD + 1];
    const size_t n = strlen(b);
    for (size_t j = 0; j <= n; j++) row[0][j] = j;
    size_t i = 0;
    for (; a[i]; i++) {
        size_t *now = row[(i + 1) % 3];
        const size_t *before = row[i % 3], *two_before = row[(i + 2) % 3];
        now[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t best = before[j] + (a[i] != b[j]);
            if (before[j + 1] + 1 < best) best = before[j + 1] + 1;
            if (now[j] + 1 < best) best = now[j] + 1;
            const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            if (swapped && two_before[j - 1] + 1 < best) best = two_before[j - 1] + 1;
            now[j + 1] = best;
        }
    }
    return row[i % 3][n];
}

void trib_guess_try(trib_guess *guess, const char *candidate) {
    const size_t length = strlen(guess->word);
    if (length > MAX_WORD || strlen(candidate) > MAX_WORD) return;
    const bool begins = length > 2 && strncmp(guess->word, candidate, length) == 0;
    const size_t distance = begins ? 1 : edit_distance(guess->word, candidate);
    const size_t most = length < 6 ? 1 + (length > 3) : length / 3;
    if (distance > most || distance >= strlen(candidate)) return;
    if (*guess->best && distance >= guess->distance) return;
    snprintf(guess->best, sizeof guess->best, "%s", candidate);
    guess->distance = distance;
}

const char *trib_guess_hint(trib_guess *guess) {
    if (!*guess->best) return "";
    snprintf(guess->hint, sizeof guess->hint, "; did you mean '%s'?", guess->best);
    return guess->hint;
}
