/* chosen.c - the spelling that stands for each norm, the words that are left out, and the most
 * frequent changes. */
#include "pipeline/spelling/spellings.h"

#include <stdlib.h>
#include <string.h>

/* ---- The spelling of a norm ------------------------------------------------------------------ */

/* Whether spelling a is to be shown rather than b. */
static bool is_before(const trib_spellings *s, uint32_t a, uint32_t b) {
    if (s->count[a] != s->count[b]) return s->count[a] > s->count[b];
    return strcmp(trib_intern_word(&s->intern, a), trib_intern_word(&s->intern, b)) < 0;
}

static trib_status choose_shown(const trib_spellings *s, uint32_t n_words, trib_chosen *chosen,
                                trib_error *error) {
    uint32_t *best = NULL;
    trib_status status = trib_new(&best, n_words, sizeof *best, "the spellings of words", error);
    if (status == TRIB_OK)
        status = trib_new(&chosen->shown, n_words, sizeof *chosen->shown, "the spellings of words",
                          error);
    for (uint32_t i = 0; i < s->intern.n_words && status == TRIB_OK; i++) {
        const uint32_t word = s->word[i];
        if (chosen->shown[word] && !is_before(s, i, best[word])) continue;
        best[word] = i;
        chosen->shown[word] = trib_intern_word(&s->intern, i);
    }
    trib_free(best);
    return status;
}

/* ---- Words left out -------------------------------------------------------------------------- */

typedef struct ranked {
    uint64_t count;
    const char *shown;
    uint32_t word;
} ranked;

static int commonest_first(const void *left, const void *right) {
    const ranked *a = left, *b = right;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return strcmp(a->shown, b->shown);
}

static trib_status leave_out_commonest(const trib_spellings *s, const trib_intern *words,
                                       const uint64_t *count, trib_chosen *chosen,
                                       trib_error *error) {
    ranked *list = NULL;
    const uint32_t n = words->n_words;
    if (s->n_commonest == 0) return TRIB_OK;
    const trib_status status = trib_new(&list, n, sizeof *list, "the most frequent words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t w = 0; w < n; w++) list[w] = (ranked){count[w], chosen->shown[w], w};
    if (n > 0) qsort(list, n, sizeof *list, commonest_first);
    for (uint32_t i = 0; i < n && i < s->n_commonest; i++) chosen->left_out[list[i].word] = true;
    trib_free(list);
    return TRIB_OK;
}

static trib_status choose_left_out(const trib_spellings *s, const trib_intern *words,
                                   const uint64_t *count, trib_chosen *chosen, trib_error *error) {
    const trib_status status = trib_new(&chosen->left_out, words->n_words, sizeof *chosen->left_out,
                                        "words left out", error);
    for (uint32_t i = 0; i < s->stop.n_words && status == TRIB_OK; i++) {
        const char *norm = trib_intern_word(&s->stop, i);
        const uint32_t w = trib_intern_find(words, norm, strlen(norm));
        if (w != UINT32_MAX) chosen->left_out[w] = true;
    }
    return status == TRIB_OK ? leave_out_commonest(s, words, count, chosen, error) : status;
}

/* ---- What was changed ------------------------------------------------------------------------ */

static bool is_changed(const trib_spellings *s, const trib_intern *words, uint32_t i) {
    return strcmp(trib_intern_word(&s->intern, i), trib_intern_word(words, s->word[i])) != 0;
}

static trib_status copy(char **to, const char *text, trib_error *error) {
    const size_t size = strlen(text) + 1;
    const trib_status status = trib_new(to, size, 1, "a changed word", error);
    if (status == TRIB_OK) memcpy(*to, text, size);
    return status;
}

/* Finds the most frequent changed spellings, each inserted into its place. */
static uint32_t find_commonest(const trib_spellings *s, const trib_intern *words,
                               const trib_chosen *chosen, uint32_t top[TRIB_CHANGES_SHOWN]) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->intern.n_words; i++) {
        if (!is_changed(s, words, i) || chosen->left_out[s->word[i]]) continue;
        if (n == TRIB_CHANGES_SHOWN && !is_before(s, i, top[n - 1])) continue;
        uint32_t at = n < TRIB_CHANGES_SHOWN ? n++ : n - 1;
        for (; at > 0 && is_before(s, i, top[at - 1]); at--) top[at] = top[at - 1];
        top[at] = i;
    }
    return n;
}

static trib_status list_changes(const trib_spellings *s, const trib_intern *words,
                                const trib_chosen *chosen, trib_word_changes *changes,
                                trib_error *error) {
    uint32_t top[TRIB_CHANGES_SHOWN];
    const uint32_t n = find_commonest(s, words, chosen, top);
    trib_status status = TRIB_OK;
    for (uint32_t k = 0; k < n && status == TRIB_OK; k++) {
        trib_change *change = &changes->change[changes->n++];
        const uint32_t word = s->word[top[k]];
        change->count = s->count[top[k]];
        status = copy(&change->from, trib_intern_word(&s->intern, top[k]), error);
        if (status == TRIB_OK) status = copy(&change->norm, trib_intern_word(words, word), error);
        if (status == TRIB_OK) status = copy(&change->shown, chosen->shown[word], error);
    }
    return status;
}

/* Hashes the norms and the words left out. */
static trib_status print_hash(const trib_spellings *s, const trib_intern *words,
                              const trib_chosen *chosen, trib_word_changes *changes,
                              trib_error *error) {
    trib_sha256 *hash = NULL;
    const trib_status status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    trib_sha256_add(hash, s->hash, sizeof s->hash);
    for (uint32_t w = 0; w < words->n_words; w++) {
        const char *word = trib_intern_word(words, w);
        if (chosen->left_out[w]) trib_sha256_add(hash, word, strlen(word) + 1);
    }
    trib_sha256_close(hash, changes->hash);
    return TRIB_OK;
}

trib_status trib_spellings_choose(const trib_spellings *s, const trib_intern *words,
                                  const uint64_t *count, trib_chosen *chosen,
                                  trib_word_changes *changes, trib_error *error) {
    *chosen = (trib_chosen){0};
    trib_status status = choose_shown(s, words->n_words, chosen, error);
    if (status == TRIB_OK) status = choose_left_out(s, words, count, chosen, error);
    if (status == TRIB_OK) status = list_changes(s, words, chosen, changes, error);
    if (status == TRIB_OK) status = print_hash(s, words, chosen, changes, error);
    if (status != TRIB_OK) return status;
    changes->has_norms = true;
    changes->n_spellings = s->intern.n_words;
    changes->n_words = words->n_words;
    for (uint32_t i = 0; i < s->intern.n_words; i++) {
        if (!is_changed(s, words, i)) continue;
        changes->n_changed++;
        changes->n_changed_tokens += s->count[i];
    }
    for (uint32_t w = 0; w < words->n_words; w++) {
        if (!chosen->left_out[w]) continue;
        changes->n_left_out++;
        changes->n_left_out_tokens += count[w];
    }
    return TRIB_OK;
}

void trib_chosen_release(trib_chosen *chosen) {
    trib_free(chosen->shown);
    trib_free(chosen->left_out);
    *chosen = (trib_chosen){0};
}

void trib_word_changes_release(trib_word_changes *changes) {
    for (uint32_t k = 0; k < changes->n; k++) {
        trib_free(changes->change[k].from);
        trib_free(changes->change[k].norm);
        trib_free(changes->change[k].shown);
    }
    *changes = (trib_word_changes){0};
}
