/* factor_files.c - reads decompositions for the commands that take several. Words are matched by
 * their spelling, because each file numbers them in its own way. */
#include "pipeline/tools/factor_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns whose sum differs from 1 by no more than this are not changed in any bit. */
static const double ROUNDING = 1e-12;

static uint32_t largest_dimension(const trib_ktensor *k) {
    uint32_t n = 0;
    for (uint32_t m = 0; m < k->n_modes; m++)
        if (k->dim[m] > n) n = k->dim[m];
    return n;
}

/* Scales columns to sum 1 and moves their mass into lambda. Unlike trib_ktensor_normalize it
 * does not reorder the components. */
static trib_status normalize(trib_ktensor *k, const char *path, trib_error *error) {
    for (uint32_t r = 0; r < k->rank; r++) {
        for (uint32_t m = 0; m < k->n_modes; m++) {
            double sum = 0;
            for (size_t i = 0; i < k->dim[m]; i++) sum += k->factor[m][i * k->rank + r];
            if (fabs(sum - 1) <= ROUNDING) continue;
            for (size_t i = 0; i < k->dim[m] && sum > 0; i++) k->factor[m][i * k->rank + r] /= sum;
            k->lambda[r] *= sum;
        }
        if (!(k->lambda[r] > 0))
            return trib_fail(error, TRIB_INPUT,
                             "%s: component %u is zero, so it has no distance from any other", path,
                             (unsigned)r + 1);
    }
    return TRIB_OK;
}

static bool occurs(const trib_ktensor *k, uint32_t i) {
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (uint32_t r = 0; i < k->dim[m] && r < k->rank; r++)
            if (k->factor[m][(size_t)i * k->rank + r] > 0) return true;
    return false;
}

/* Removes the rows of indices that do not occur: a run lists the words of a whole document, and
 * these have none here. */
static void drop_nameless(trib_ktensor *k, trib_ktns_words *words) {
    uint32_t n = 0, left[TRIB_MAX_MODES] = {0};
    for (uint32_t i = 0; i < words->n; i++) {
        if (!words->word[i]) continue;
        for (uint32_t m = 0; m < k->n_modes; m++) {
            if (i >= k->dim[m]) continue;
            memmove(k->factor[m] + (size_t)n * k->rank, k->factor[m] + (size_t)i * k->rank,
                    k->rank * sizeof(double));
            left[m] = n + 1;
        }
        words->word[n++] = words->word[i];
    }
    words->n = n;
    memcpy(k->dim, left, sizeof left);
}

/* Gives every index of a file an id: by its word, or by its number when there are no words. */
static trib_status number_words(trib_factor_files *files, uint32_t d, trib_ktns_words *words,
                                trib_error *error) {
    trib_ktensor *k = &files->k[d];
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; words->word && i < words->n; i++)
        if (!words->word[i] && occurs(k, i))
            return trib_fail(error, TRIB_INPUT,
                             "%s: index %u has no word, but other indices have one", files->path[d],
                             (unsigned)i + 1);
    if (words->word) drop_nameless(k, words);
    const uint32_t n = words->word ? words->n : largest_dimension(k);
    files->n_indices[d] = n;
    status = trib_new(&files->word[d], n, sizeof **files->word, "word ids", error);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        char number[16];
        const char *word = words->word ? words->word[i] : number;
        snprintf(number, sizeof number, "%u", (unsigned)i + 1);
        status = trib_intern_add(&files->words, word, strlen(word), &files->word[d][i], error);
    }
    return status;
}

/* Rejects two indices with the same word. */
static trib_status check_words(const trib_ktns_words *words, const char *path, trib_error *error) {
    trib_intern seen = {0};
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; words->word && i < words->n && status == TRIB_OK; i++) {
        uint32_t id = 0;
        const uint32_t n = seen.n_words;
        if (!words->word[i]) continue;
        status = trib_intern_add(&seen, words->word[i], strlen(words->word[i]), &id, error);
        if (status == TRIB_OK && seen.n_words == n)
            status = trib_fail(error, TRIB_INPUT, "%s: two indices have the word '%s'", path,
                               words->word[i]);
    }
    trib_intern_release(&seen);
    return status;
}

/* Checks that a file has the modes of the first, and words when the first has words. */
static trib_status check_alike(const trib_factor_files *files, uint32_t d, bool first_has_words,
                               bool has_words, trib_error *error) {
    const trib_ktensor *first = &files->k[0], *k = &files->k[d];
    if (k->n_modes != first->n_modes)
        return trib_fail(error, TRIB_INPUT,
                         "%s: has %u modes, and %s has %u; n-grams of different lengths have no "
                         "distance",
                         files->path[d], (unsigned)k->n_modes, files->path[0],
                         (unsigned)first->n_modes);
    if (has_words != first_has_words)
        return trib_fail(
            error, TRIB_INPUT, "%s: has %swords, and %s has %s; all files must have words, or none",
            files->path[d], has_words ? "" : "no ", files->path[0], has_words ? "none" : "them");
    for (uint32_t m = 0; m < k->n_modes && !has_words; m++)
        if (k->dim[m] != first->dim[m])
            return trib_fail(error, TRIB_INPUT,
                             "%s: mode %u has %u indices, and in %s %u; without words in the files "
                             "an index must mean the same in all",
                             files->path[d], (unsigned)m + 1, (unsigned)k->dim[m], files->path[0],
                             (unsigned)first->dim[m]);
    return TRIB_OK;
}

static trib_status read_one(trib_factor_files *files, uint32_t d, bool *first_has_words,
                            trib_error *error) {
    trib_reader reader;
    trib_ktns_words words = {0};
    trib_status status = trib_reader_open(&reader, files->path[d], error);
    if (status != TRIB_OK) return status;
    status = trib_ktns_read_words(&files->k[d], &words, &reader, error);
    trib_reader_close(&reader);
    if (status == TRIB_OK && d == 0) *first_has_words = words.word != NULL;
    if (status == TRIB_OK && files->k[d].rank > 0)
        status = check_alike(files, d, *first_has_words, words.word != NULL, error);
    if (status == TRIB_OK) status = normalize(&files->k[d], files->path[d], error);
    if (status == TRIB_OK) status = check_words(&words, files->path[d], error);
    if (status == TRIB_OK) status = number_words(files, d, &words, error);
    if (status == TRIB_OK)
        status = trib_factors_add(&files->factors, d, &files->k[d], files->word[d], error);
    trib_ktns_words_release(&words);
    return status;
}

trib_status trib_factor_files_read(trib_factor_files *files, const char *const path[], uint32_t n,
                                   const trib_config *config, trib_error *error) {
    bool has_words = false;
    *files = (trib_factor_files){.n = n, .path = path};
    trib_status status = trib_new(&files->k, n, sizeof *files->k, "the factors", error);
    if (status == TRIB_OK)
        status = trib_new(&files->word, n, sizeof *files->word, "the factors", error);
    if (status == TRIB_OK)
        status = trib_new(&files->n_indices, n, sizeof *files->n_indices, "the factors", error);
    if (status == TRIB_OK && config->vocabulary.path)
        status = trib_vocab_read_file(&files->words, config->vocabulary.path, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++)
        status = read_one(files, d, &has_words, error);
    return status;
}

void trib_factor_files_release(trib_factor_files *files) {
    for (uint32_t d = 0; d < files->n; d++) {
        if (files->k) trib_ktensor_release(&files->k[d]);
        if (files->word) trib_free(files->word[d]);
    }
    trib_free(files->k);
    trib_free(files->word);
    trib_free(files->n_indices);
    trib_intern_release(&files->words);
    trib_factors_release(&files->factors);
    *files = (trib_factor_files){0};
}
