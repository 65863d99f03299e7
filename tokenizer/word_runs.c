/* word_runs.c - writes the words of a corpus in sorted runs and merges them. Merging goes through
 * the words in the order of their bytes, which is the order of words that are equally frequent.
 * Word ids then follow from the number of words of each count: those of the words that occur c
 * times begin after all words that are more frequent. So no list of words is sorted, except that of
 * the few very frequent ones. The arrays lie in scratch files. */
#include "tokenizer/word_runs.h"
#include "base/internal.h"

/* ---- Writing a run --------------------------------------------------------------------------- */

typedef struct sorted_word {
    const char *word;
    uint32_t id;
} sorted_word;

TRIB_ORDER(by_bytes, sorted_word, strcmp(x->word, y->word));

/* Stores the n words of `list` in the file. */
static trib_status put_run(trib_word_runs *runs, const sorted_word *list, uint32_t n,
                           size_t n_bytes, const uint64_t *count, const uint32_t *n_documents,
                           trib_error *error) {
    trib_word_run run = {.n = n, .n_text = n_bytes};
    trib_run_word *word = NULL;
    char *text = NULL;
    size_t n_text = 0;
    trib_status status = TRIB_NEW(&word, n, "a run of words", error);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++)
        word[i] = (trib_run_word){count[list[i].id], n_documents[list[i].id], list[i].id};
    if (status == TRIB_OK)
        status = trib_spill_put(&runs->spill, word, n * sizeof *word, &run.word, error);
    trib_free(word);
    if (status == TRIB_OK) status = trib_new(&text, run.n_text, 1, "a run of words", error);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        const size_t size = strlen(list[i].word) + 1;
        memcpy(text + n_text, list[i].word, size);
        n_text += size;
    }
    if (status == TRIB_OK)
        status = trib_spill_put(&runs->spill, text, run.n_text, &run.text, error);
    trib_free(text);
    if (status != TRIB_OK) return status;
    trib_spill_rest(&runs->spill);
    runs->run[runs->n++] = run;
    runs->n_ids += n;
    return TRIB_OK;
}

trib_status trib_word_runs_fail_number(trib_error *error) {
    return trib_fail(error, TRIB_INPUT, "more than %lu different words",
                     (unsigned long)(UINT32_MAX / 2));
}

trib_status trib_word_runs_add(trib_word_runs *runs, uint32_t n, const char *text, size_t n_text,
                               const uint64_t *count, const uint32_t *n_documents,
                               const char *scratch, trib_error *error) {
    TRIB_FREED(sorted_word *) list = NULL;
    trib_status status = TRIB_OK;
    if (n > UINT32_MAX / 2 - runs->n_ids) return trib_word_runs_fail_number(error);
    if (!runs->spill.writer.path)
        status = trib_spill_open(&runs->spill, scratch, runs->is_named, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&runs->run, &runs->cap, runs->n + 1, "runs of words", error);
    if (status == TRIB_OK) status = TRIB_NEW(&list, n, "a run of words", error);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++, text += strlen(text) + 1)
        list[i] = (sorted_word){text, i};
    if (status == TRIB_OK) {
        if (n > 1) qsort(list, n, sizeof *list, by_bytes);
        status = put_run(runs, list, n, n_text, count, n_documents, error);
    }
    return status;
}

void trib_word_runs_release(trib_word_runs *runs) {
    trib_spill_close(&runs->spill);
    trib_free(runs->run);
    *runs = (trib_word_runs){0};
}

/* ---- Merging --------------------------------------------------------------------------------- */

/* The next word of a run; `first` is the id of the first word of the run's table. */
typedef struct cursor {
    const char *text;
    const trib_run_word *word, *end;
    uint32_t first;
} cursor;

/* Restores the heap, of which only the first element may be out of place. */
static void sift(cursor *heap, size_t n) {
    const cursor moved = heap[0];
    size_t at = 0;
    for (size_t child = 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && strcmp(heap[child + 1].text, heap[child].text) < 0) child++;
        if (strcmp(moved.text, heap[child].text) <= 0) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static trib_status open_merged(trib_merged_words *all, const trib_word_runs *runs,
                               const char *scratch, trib_error *error) {
    size_t n_text = 0;
    for (size_t r = 0; r < runs->n; r++) n_text += runs->run[r].n_text;
    const struct {
        trib_scratch_array *array;
        size_t n, size;
    } arrays[] = {{&all->text, n_text, 1},
                  {&all->count, runs->n_ids, sizeof(uint64_t)},
                  {&all->n_documents, runs->n_ids, sizeof(uint32_t)},
                  {&all->of, runs->n_ids, sizeof(uint32_t)}};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && status == TRIB_OK; i++)
        status =
            trib_scratch_array_open(arrays[i].array, arrays[i].n, arrays[i].size, scratch, error);
    return status;
}

void trib_merged_words_close(trib_merged_words *all) {
    trib_scratch_array_close(&all->text);
    trib_scratch_array_close(&all->count);
    trib_scratch_array_close(&all->n_documents);
    trib_scratch_array_close(&all->of);
    *all = (trib_merged_words){0};
}

static void merge(trib_merged_words *all, cursor *heap, size_t n) {
    char *const text = all->text.bytes, *last = NULL;
    uint64_t *const count = all->count.bytes;
    uint32_t *const n_documents = all->n_documents.bytes, *const of = all->of.bytes;
    while (n > 0) {
        cursor *next = &heap[0];
        const size_t size = strlen(next->text) + 1;
        if (!last || strcmp(last, next->text) != 0) {
            last = memcpy(text + all->n_text, next->text, size);
            all->n_text += size;
            all->n++;
        }
        count[all->n - 1] += next->word->count;
        n_documents[all->n - 1] += next->word->n_documents;
        of[next->first + next->word->id] = all->n - 1;
        next->text += size;
        if (++next->word == next->end) heap[0] = heap[--n];
        if (n > 0) sift(heap, n);
    }
}

trib_status trib_word_runs_join(const trib_word_runs *runs, const char *scratch,
                                trib_merged_words *all, trib_error *error) {
    cursor *heap = NULL;
    size_t n = 0;
    uint32_t first = 0;
    *all = (trib_merged_words){0};
    trib_status status = open_merged(all, runs, scratch, error);
    if (status == TRIB_OK) status = TRIB_NEW(&heap, runs->n, "merging runs of words", error);
    for (size_t r = 0; r < runs->n && status == TRIB_OK; r++) {
        const trib_word_run *run = &runs->run[r];
        if (run->n > 0) {
            size_t at = n++; /* the heap grows at its end */
            const cursor added = {run->text, run->word, run->word + run->n, first};
            for (; at > 0 && strcmp(added.text, heap[(at - 1) / 2].text) < 0; at = (at - 1) / 2)
                heap[at] = heap[(at - 1) / 2];
            heap[at] = added;
        }
        first += run->n;
    }
    if (status == TRIB_OK) merge(all, heap, n);
    trib_free(heap);
    if (runs->n > 0) trib_spill_rest(&runs->spill);
    return status;
}

/* ---- Numbering ------------------------------------------------------------------------------- */

/* Words that occur less often are numbered by their counts alone. */
enum { FREQUENT = 1 << 16 };

typedef struct frequent_word {
    uint64_t count;
    uint32_t word;
} frequent_word;

TRIB_ORDER(commonest_first, frequent_word, TRIB_DOWN(count) ?: TRIB_UP(word));

/* Where the norm of a word of the runs begins: after the spelling that stands for it, if words have
 * norms. */
static size_t norm_at(const trib_vocab_options *options, const char *word) {
    return options->have_norms ? strcspn(word, TRIB_BEFORE_NORM) + 1 : 0;
}

/* Sets id[all->n] to 0 for each word that is chosen, otherwise to TRIB_NO_WORD. */
static void choose_words(const trib_merged_words *all, const trib_vocab_options *options,
                         uint32_t *id) {
    const uint64_t *const count = all->count.bytes;
    const uint32_t *const n_documents = all->n_documents.bytes;
    const char *word = all->text.bytes;
    for (uint32_t m = 0; m < all->n; m++) {
        const size_t length = strlen(word), at = norm_at(options, word);
        const bool is_chosen =
            options->fixed
                ? trib_intern_find(options->fixed, word + at, length - at) != TRIB_NO_WORD
                : count[m] >= options->min_count && n_documents[m] >= options->min_documents;
        id[m] = is_chosen ? 0 : TRIB_NO_WORD;
        word += length + 1;
    }
}

/* The numbers of the words: id[all->n] receives the rank of each that is chosen, otherwise
 * TRIB_NO_WORD. next[FREQUENT] is zero. *n_chosen receives their number. */
static trib_status rank_words(const trib_merged_words *all, const trib_vocab_options *options,
                              uint32_t *next, uint32_t *id, uint32_t *n_chosen, trib_error *error) {
    const uint64_t *const count = all->count.bytes;
    frequent_word *list = NULL;
    size_t n = 0, cap = 0;
    choose_words(all, options, id);
    for (uint32_t m = 0; m < all->n; m++) {
        if (id[m] == TRIB_NO_WORD) continue;
        if (count[m] < FREQUENT) {
            next[count[m]]++;
            continue;
        }
        const trib_status status = TRIB_GROW(&list, &cap, n + 1, "the frequent words", error);
        if (status != TRIB_OK) {
            trib_free(list);
            return status;
        }
        list[n++] = (frequent_word){count[m], m};
    }
    if (n > 1) qsort(list, n, sizeof *list, commonest_first);
    for (size_t i = 0; i < n; i++) id[list[i].word] = (uint32_t)i;
    trib_free(list);
    uint32_t first = (uint32_t)n;
    for (size_t c = FREQUENT; c-- > 0;) {
        const uint32_t n_words = next[c];
        next[c] = first;
        first += n_words;
    }
    for (uint32_t m = 0; m < all->n; m++)
        if (count[m] < FREQUENT && id[m] != TRIB_NO_WORD) id[m] = next[count[m]]++;
    const bool is_cut = !options->fixed && options->size > 0 && options->size < first;
    *n_chosen = is_cut ? options->size : first;
    for (uint32_t m = 0; m < all->n; m++)
        if (id[m] != TRIB_NO_WORD && id[m] >= *n_chosen) id[m] = TRIB_NO_WORD;
    return TRIB_OK;
}

/* Copies the words of the vocabulary, and then their norms, from the runs to vocab->text. */
static void copy_words(trib_vocab *vocab, const trib_vocab_options *options) {
    char *text = vocab->text;
    for (uint32_t i = 0; i < vocab->n_words; i++) {
        const char *from = vocab->word[i];
        const size_t at = i == vocab->other ? 0 : norm_at(options, from);
        const size_t length = at > 0 ? at - 1 : strlen(from);
        if (vocab->norm) vocab->norm[i] = vocab->word[i] + at;
        vocab->word[i] = memcpy(text, from, length);
        text[length] = '\0';
        text += length + 1;
    }
    for (uint32_t i = 0; vocab->norm && i < vocab->n_words; i++) {
        const size_t size = strlen(vocab->norm[i]) + 1;
        vocab->norm[i] = memcpy(text, vocab->norm[i], size);
        text += size;
    }
}

/* Whether two words of different norms have one spelling. */
static bool are_twins(const char *word, const char *next) {
    const size_t length = strcspn(word, TRIB_BEFORE_NORM);
    return strncmp(word, next, length + 1) == 0;
}

/* Fills the vocabulary with the n words that have an id, and <other>. */
static trib_status fill(trib_vocab *vocab, const trib_merged_words *all,
                        const trib_vocab_options *options, const uint32_t *id, uint32_t n,
                        const char *scratch, trib_error *error) {
    static char other[] = TRIB_OTHER_WORD;
    const uint64_t *const count = all->count.bytes;
    const uint32_t *const n_documents = all->n_documents.bytes;
    char *word = all->text.bytes, *last = NULL;
    uint32_t n_left_out = 0, widest = 0;
    trib_status status = trib_vocab_allocate(vocab, (size_t)n + 1, all->n_text + 2 * sizeof other,
                                             options->have_norms, scratch, error);
    if (status != TRIB_OK) return status;
    for (uint32_t m = 0; m < all->n; m++, word += strlen(word) + 1) {
        vocab->n_tokens += count[m];
        if (id[m] != TRIB_NO_WORD) {
            vocab->word[id[m]] = word; /* for now */
            vocab->count[id[m]] = count[m];
            vocab->n_documents[id[m]] = n_documents[m];
            if (options->have_norms && last && are_twins(last, word)) vocab->has_twins = true;
            last = word;
            continue;
        }
        n_left_out++;
        vocab->n_other += count[m];
        if (n_documents[m] > widest) widest = n_documents[m];
    }
    vocab->n_words = n;
    if (options->wildcard && n_left_out > 0) {
        vocab->other = vocab->n_words++;
        vocab->word[n] = other;
        vocab->count[n] = vocab->n_other;
        vocab->n_documents[n] = widest;
    }
    copy_words(vocab, options);
    return TRIB_OK;
}

static trib_status number(trib_vocab *vocab, trib_merged_words *all,
                          const trib_vocab_options *options, uint32_t n_ids, const char *scratch,
                          trib_error *error) {
    TRIB_OPENED(trib_scratch_array) ids = {0};
    uint32_t *next = NULL, n = 0;
    trib_status status = TRIB_NEW(&next, FREQUENT, "the vocabulary", error);
    if (status == TRIB_OK)
        status = trib_scratch_array_open(&ids, all->n, sizeof(uint32_t), scratch, error);
    uint32_t *const id = ids.bytes, *const of = all->of.bytes;
    if (status == TRIB_OK) status = rank_words(all, options, next, id, &n, error);
    if (status == TRIB_OK && n == 0) status = trib_vocab_fail_minima(options, all->n, error);
    if (status == TRIB_OK) status = fill(vocab, all, options, id, n, scratch, error);
    for (uint32_t p = 0; p < n_ids && status == TRIB_OK; p++)
        of[p] = id[of[p]] == TRIB_NO_WORD ? vocab->other : id[of[p]];
    trib_free(next);
    return status;
}

trib_status trib_word_runs_merge(const trib_word_runs *runs, const trib_vocab_options *options,
                                 const char *scratch, trib_vocab *vocab,
                                 trib_scratch_array *final_id, trib_error *error) {
    trib_merged_words all;
    *vocab = (trib_vocab){.other = TRIB_NO_WORD};
    *final_id = (trib_scratch_array){0};
    trib_status status = trib_word_runs_join(runs, scratch, &all, error);
    if (status == TRIB_OK) status = number(vocab, &all, options, runs->n_ids, scratch, error);
    if (status == TRIB_OK) {
        *final_id = all.of;
        all.of = (trib_scratch_array){0};
        trib_scratch_array_rest(&vocab->file);
    } else trib_vocab_release(vocab);
    trib_merged_words_close(&all);
    return status;
}
