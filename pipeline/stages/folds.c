/* folds.c - words as the method `extent` compares them: their letters in lower case, without marks,
 * u for v and i for j; and their stems, the first five letters. A sample of such words says which
 * texts have them. */
#include "pipeline/stages/folds.h"

#include <unicode/uchar.h>

#include "base/internal.h"
#include "pipeline/support/utf8.h"

enum { STEM = 5 };

/* The letters of a word in ASCII. Returns the number of them, or -1 for another word. */
static int fold_ascii(char *to, const char *word) {
    int n = 0;
    for (; *word; word++) {
        if ((unsigned char)*word >= 0x80) return -1;
        const char letter = (char)(*word >= 'A' && *word <= 'Z' ? *word - 'A' + 'a' : *word);
        if (letter >= 'a' && letter <= 'z' && n < TRIB_LETTERS)
            to[n++] = letter == 'v' ? 'u' : letter == 'j' ? 'i' : letter;
    }
    return n;
}

trib_status trib_fold(trib_transform *transform, const char *word, char to[TRIB_FOLD_MAX],
                      size_t *n, trib_error *error) {
    const char *text;
    size_t length = 0;
    const int n_ascii = fold_ascii(to, word);
    *n = n_ascii > 0 ? (size_t)n_ascii : 0;
    if (n_ascii >= 0) return TRIB_OK;
    const trib_status status =
        trib_transform_do(transform, word, strlen(word), &text, &length, error);
    size_t at = 0, end = 0;
    for (int n_letters = 0; status == TRIB_OK && at < length && n_letters < TRIB_LETTERS;) {
        const size_t from = at;
        const UChar32 letter = trib_utf8_next(text, length, &at);
        if (letter < 0 || !u_isalpha(letter)) continue;
        memcpy(to + end, text + from, at - from);
        end += at - from;
        n_letters++;
    }
    *n = end;
    return status;
}

/* Sets the letters of a folded word. Returns the length of its stem in bytes. */
static size_t spell(uint32_t *letters, const char *word) {
    const size_t length = strlen(word);
    size_t at = 0, stem = 0;
    for (int n = 0; at < length && n < TRIB_LETTERS; n++) {
        letters[n] = (uint32_t)trib_utf8_next(word, length, &at);
        if (n < STEM) stem = at;
    }
    return stem;
}

static trib_status number_stems(trib_folds *folds, const trib_intern *words, trib_error *error) {
    TRIB_OWNED(trib_intern) stems = {0};
    trib_status status = TRIB_NEW(&folds->stem, words->n_words, "stems", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&folds->letters, (size_t)words->n_words * (TRIB_LETTERS + 1), "letters",
                          error);
    for (uint32_t f = 0; f < words->n_words && status == TRIB_OK; f++) {
        const char *const word = trib_intern_word(words, f);
        const size_t length = spell(folds->letters + (size_t)f * (TRIB_LETTERS + 1), word);
        status = trib_intern_add(&stems, word, length, &folds->stem[f], error);
    }
    folds->n_folds = words->n_words;
    folds->n_stems = stems.n_words;
    return status;
}

trib_status trib_folds_make(trib_folds *folds, const char *const word[], uint32_t n, uint32_t other,
                            trib_error *error) {
    trib_intern words = {0};
    trib_transform *transform = NULL;
    *folds = (trib_folds){.n_words = n};
    trib_status status = trib_transform_open(&transform, "letters", NULL, error);
    if (status == TRIB_OK) status = TRIB_NEW(&folds->fold, n, "folded words", error);
    for (uint32_t w = 0; w < n && status == TRIB_OK; w++) {
        char letters[TRIB_FOLD_MAX];
        size_t length = 0;
        folds->fold[w] = TRIB_NO_FOLD;
        if (w == other) continue;
        status = trib_fold(transform, word[w], letters, &length, error);
        if (status == TRIB_OK && length > 0)
            status = trib_intern_add(&words, letters, length, &folds->fold[w], error);
    }
    if (status == TRIB_OK) status = number_stems(folds, &words, error);
    trib_transform_close(transform);
    trib_intern_release(&words);
    if (status != TRIB_OK) trib_folds_release(folds);
    return status;
}

void trib_folds_release(trib_folds *folds) {
    TRIB_FREE(folds->fold, folds->stem, folds->letters);
    *folds = (trib_folds){0};
}

/* ---- Samples --------------------------------------------------------------------------------- */

enum { SAMPLE = 1 << 18 };

uint64_t trib_fold_number(const char *letters, size_t n) { return trib_checksum(letters, n); }

TRIB_ORDER(by_number, trib_sampled_fold, TRIB_UP(number));

void trib_fold_sample_settle(trib_fold_sample *s) {
    size_t n = 0;
    if (s->n > 0) qsort(s->word, s->n, sizeof *s->word, by_number);
    for (size_t i = 0; i < s->n; i++)
        if (n > 0 && s->word[n - 1].number == s->word[i].number)
            s->word[n - 1].bits |= s->word[i].bits;
        else s->word[n++] = s->word[i];
    s->n = n < SAMPLE ? n : SAMPLE;
    if (n > SAMPLE) s->below = s->word[SAMPLE - 1].number;
}

trib_status trib_fold_sample_add(trib_fold_sample *s, const trib_sampled_fold *word,
                                 trib_error *error) {
    if (s->n >= 4 * SAMPLE) trib_fold_sample_settle(s);
    if (word->number > s->below) return TRIB_OK;
    const trib_status status =
        TRIB_APPEND(&s->word, &s->n, &s->cap, "words to compare", error, word);
    return status;
}

uint32_t trib_fold_sample_find(const trib_fold_sample *s, uint64_t number) {
    const trib_sampled_fold wanted = {number, 0}, *const found =
                                                      s->n > 0 ? bsearch(&wanted, s->word, s->n,
                                                                         sizeof *s->word, by_number)
                                                               : NULL;
    return found ? found->bits : 0;
}
