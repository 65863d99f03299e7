/* close.h - pairs of words that are nearly the same, such as a word and what a recogniser or an old
 * printer made of it.
 *
 * Two words are close when a few edits of characters make one the other: one edit for words of two
 * or three characters, two for longer ones. They are found by deletion neighbourhoods: two words
 * within d edits have a common word that at most d deletions make of each (Garbe's symmetric
 * deletions; Bocek, Hunt and Stiller 2007). Work is linear in the vocabulary, times the square of
 * the length of a word. Private to the program. */
#ifndef TRIBUTARY_INFLUENCE_CLOSE_H
#define TRIBUTARY_INFLUENCE_CLOSE_H

#include "base/base.h"

/* The close words of every word of a vocabulary. `{0}` is empty: no words are close. */
typedef struct trib_close_words {
    uint32_t n_words;
    size_t *start;  /* [n_words + 1] word v has the close words start[v] .. start[v + 1] - 1 */
    uint32_t *word; /* ascending within a word */
    /* probability that the word v, where it is misread, becomes this one; over the close words of v
     * they sum to less than 1, since it may become a word that the vocabulary lacks */
    float *chance;
} trib_close_words;

/* Finds the close words of a vocabulary. word[n] are spellings in UTF-8, of which word `other` has
 * none (UINT32_MAX: all have one); count[n] their occurrences, and a word without any is close to
 * none. How likely an edit is, is learnt
 * from pairs of a rare word and one at least ten times as frequent. A word has at most 256 close
 * words, the most likely ones. Returns TRIB_MEMORY. */
trib_status trib_close_words_find(trib_close_words *close, const char *const word[],
                                  const uint64_t count[], uint32_t n, uint32_t other,
                                  trib_error *error);
void trib_close_words_release(trib_close_words *close);
/* The probability that `word`, where it is misread, becomes the close word `as`; 0 if they are not
 * close. */
static inline float trib_close_chance(const trib_close_words *close, uint32_t word, uint32_t as) {
    size_t low = close->start[word], high = close->start[word + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (close->word[middle] < as) low = middle + 1;
        else high = middle;
    }
    return low < close->start[word + 1] && close->word[low] == as ? close->chance[low] : 0;
}

#endif
