/* chosen.c - the spelling that stands for each norm, the words that are left out, and the most
 * frequent changes. */
#include "pipeline/spelling/spellings.h"

#include <stdlib.h>
#include <string.h>

/* ---- Spellings of norms ---------------------------------------------------------------------- */

/* A spelling of a norm, in texts of all languages. */
typedef struct spelt {
    const char *text, *norm;
    uint64_t count;
    uint32_t word; /* number of the norm */
    bool left_out;
} spelt;

/* Whether spelling a is to be shown rather than b. */
static bool is_before(const spelt *a, const spelt *b) {
    if (a->count != b->count) return a->count > b->count;
    const int order = strcmp(a->text, b->text);
    return order != 0 ? order < 0 : strcmp(a->norm, b->norm) < 0;
}

static bool is_changed(const spelt *s) { return strcmp(s->text, s->norm) != 0; }

static int by_norm(const void *left, const void *right) {
    const spelt *a = left, *b = right;
    if (a->word != b->word) return a->word < b->word ? -1 : 1;
    if (a->left_out != b->left_out) return a->left_out ? 1 : -1;
    return strcmp(a->text, b->text);
}

/* Lists the spellings in *list; those of one norm in several languages become one. Returns their
 * number in *n. */
static trib_status list_spellings(const trib_spellings *s, const trib_norm_counts *counts,
                                  spelt **list, uint32_t *n, trib_error *error) {
    const size_t prefix = trib_spellings_prefix(s);
    const uint32_t n_all = s->intern.n_words;
    const trib_status status =
        trib_new(list, n_all, sizeof **list, "the spellings of words", error);
    *n = 0;
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < n_all; i++) {
        const uint32_t word = s->spelling[i].norm, norm = counts->norm ? counts->norm[word] : word;
        (*list)[i] =
            (spelt){trib_intern_word(&s->intern, i) + prefix, trib_intern_word(counts->norms, norm),
                    s->spelling[i].count, norm, counts->left_out[word]};
    }
    if (prefix > 0 && n_all > 0) qsort(*list, n_all, sizeof **list, by_norm);
    for (uint32_t i = 0; i < n_all; i++) {
        if (prefix > 0 && *n > 0 && by_norm(&(*list)[*n - 1], &(*list)[i]) == 0)
            (*list)[*n - 1].count += (*list)[i].count;
        else (*list)[(*n)++] = (*list)[i];
    }
    return TRIB_OK;
}

/* A spelling that is left out is shown only if no other has its norm. */
static trib_status choose_shown(const spelt *list, uint32_t n, uint32_t n_norms,
                                trib_chosen *chosen, trib_error *error) {
    const spelt **best = NULL;
    trib_status status = trib_new(&best, n_norms, sizeof *best, "the spellings of words", error);
    if (status == TRIB_OK)
        status = trib_new(&chosen->shown, n_norms, sizeof *chosen->shown, "the spellings of words",
                          error);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        const spelt *s = &list[i], *b = best[s->word];
        if (b && (s->left_out != b->left_out ? s->left_out : !is_before(s, b))) continue;
        best[s->word] = s;
        chosen->shown[s->word] = s->text;
    }
    trib_free(best);
    return status;
}

/* ---- Words left out -------------------------------------------------------------------------- */

typedef struct ranked {
    uint64_t count;
    const char *shown; /* the most frequent spelling */
    uint64_t n_shown;  /* its occurrences */
    uint32_t word, language;
} ranked;

static int commonest_first(const void *left, const void *right) {
    const ranked *a = left, *b = right;
    if (a->language != b->language) return a->language < b->language ? -1 : 1;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return strcmp(a->shown, b->shown);
}

/* Finds the most frequent spelling of each word. */
static void find_shown(const trib_spellings *s, ranked *list) {
    for (uint32_t i = 0; i < s->intern.n_words; i++) {
        const char *text = trib_intern_word(&s->intern, i);
        const uint64_t count = s->spelling[i].count;
        ranked *to = &list[s->spelling[i].norm];
        if (to->shown &&
            (count < to->n_shown || (count == to->n_shown && strcmp(text, to->shown) > 0)))
            continue;
        to->shown = text;
        to->n_shown = count;
    }
}

static trib_status leave_out_commonest(const trib_spellings *s, const trib_intern *words,
                                       const uint64_t *count, bool *left_out, trib_error *error) {
    ranked *list = NULL;
    const uint32_t n = words->n_words;
    bool has_some = false;
    for (uint32_t k = 0; k < s->n_languages; k++) has_some = has_some || s->n_commonest[k] > 0;
    if (!has_some || n == 0) return TRIB_OK;
    const trib_status status = trib_new(&list, n, sizeof *list, "the most frequent words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t w = 0; w < n; w++) {
        list[w].count = count[w];
        list[w].word = w;
        list[w].language = trib_spellings_language_of(s, trib_intern_word(words, w));
    }
    find_shown(s, list);
    qsort(list, n, sizeof *list, commonest_first);
    for (uint32_t i = 0, first = 0; i < n; i++) {
        if (list[i].language != list[first].language) first = i;
        if (i - first < s->n_commonest[list[i].language]) left_out[list[i].word] = true;
    }
    trib_free(list);
    return TRIB_OK;
}

trib_status trib_spellings_leave_out(const trib_spellings *s, const trib_intern *words,
                                     const uint64_t *count, bool *left_out, trib_error *error) {
    for (uint32_t i = 0; i < s->stop.n_words; i++) {
        const char *norm = trib_intern_word(&s->stop, i);
        const uint32_t w = trib_intern_find(words, norm, strlen(norm));
        if (w != UINT32_MAX) left_out[w] = true;
    }
    return leave_out_commonest(s, words, count, left_out, error);
}

/* ---- What was changed ------------------------------------------------------------------------ */

static trib_status copy(char **to, const char *text, trib_error *error) {
    const size_t size = strlen(text) + 1;
    const trib_status status = trib_new(to, size, 1, "a changed word", error);
    if (status == TRIB_OK) memcpy(*to, text, size);
    return status;
}

/* Finds the most frequent changed spellings, each inserted into its place. */
static uint32_t find_commonest(const spelt *list, uint32_t n_all,
                               const spelt *top[TRIB_CHANGES_SHOWN]) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_all; i++) {
        const spelt *s = &list[i];
        if (!is_changed(s) || s->left_out) continue;
        if (n == TRIB_CHANGES_SHOWN && !is_before(s, top[n - 1])) continue;
        uint32_t at = n < TRIB_CHANGES_SHOWN ? n++ : n - 1;
        for (; at > 0 && is_before(s, top[at - 1]); at--) top[at] = top[at - 1];
        top[at] = s;
    }
    return n;
}

static trib_status list_changes(const spelt *list, uint32_t n_all, const trib_chosen *chosen,
                                trib_word_changes *changes, trib_error *error) {
    const spelt *top[TRIB_CHANGES_SHOWN];
    const uint32_t n = find_commonest(list, n_all, top);
    trib_status status = TRIB_OK;
    for (uint32_t k = 0; k < n && status == TRIB_OK; k++) {
        trib_change *change = &changes->change[changes->n++];
        change->count = top[k]->count;
        status = copy(&change->from, top[k]->text, error);
        if (status == TRIB_OK) status = copy(&change->norm, top[k]->norm, error);
        if (status == TRIB_OK) status = copy(&change->shown, chosen->shown[top[k]->word], error);
    }
    return status;
}

/* Hashes the norms and the words left out. */
static trib_status print_hash(const trib_spellings *s, const trib_norm_counts *counts,
                              trib_word_changes *changes, trib_error *error) {
    trib_sha256 *hash = NULL;
    const trib_status status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    trib_sha256_add(hash, s->hash, sizeof s->hash);
    for (uint32_t w = 0; w < counts->words->n_words; w++) {
        const char *word = trib_intern_word(counts->words, w);
        if (counts->left_out[w]) trib_sha256_add(hash, word, strlen(word) + 1);
    }
    trib_sha256_close(hash, changes->hash);
    return TRIB_OK;
}

static void count_changes(const spelt *list, uint32_t n, const trib_norm_counts *counts,
                          trib_word_changes *changes) {
    changes->has_norms = true;
    changes->n_spellings = n;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_changed(&list[i])) continue;
        changes->n_changed++;
        changes->n_changed_tokens += list[i].count;
    }
    for (uint32_t w = 0; w < counts->words->n_words; w++) {
        if (!counts->left_out[w]) continue;
        changes->n_left_out++;
        changes->n_left_out_tokens += counts->count[w];
    }
    changes->n_words = counts->norms->n_words;
    if (!counts->norm) return;
    changes->n_words = changes->n_left_out; /* a norm may be left out of one language alone */
    for (uint32_t i = 0; i < n; i++)        /* by norm, spellings that are not left out first */
        changes->n_words += !list[i].left_out && (i == 0 || list[i].word != list[i - 1].word);
}

trib_status trib_spellings_choose(const trib_spellings *s, const trib_norm_counts *counts,
                                  trib_chosen *chosen, trib_word_changes *changes,
                                  trib_error *error) {
    spelt *list = NULL;
    uint32_t n = 0;
    *chosen = (trib_chosen){0};
    trib_status status = list_spellings(s, counts, &list, &n, error);
    if (status == TRIB_OK) status = choose_shown(list, n, counts->norms->n_words, chosen, error);
    if (status == TRIB_OK) status = list_changes(list, n, chosen, changes, error);
    if (status == TRIB_OK) status = print_hash(s, counts, changes, error);
    if (status == TRIB_OK) count_changes(list, n, counts, changes);
    trib_free(list);
    return status;
}

void trib_chosen_release(trib_chosen *chosen) {
    trib_free(chosen->shown);
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
