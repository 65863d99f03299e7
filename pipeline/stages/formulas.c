/* formulas.c - lists the passages of the targets that are formulas. The words of each target are
 * read once, in order. A hash table of the passages found so far recognises a passage that another
 * target has, too; equal hashes are confirmed by comparing the n-grams. How many documents hold an
 * n-gram is read from the concordance of all documents, or, with candidates, from the list of
 * frequent n-grams. */
#include "pipeline/stages/influence.h"

#include <stdlib.h>
#include <string.h>

enum { STOP_CHECK_INTERVAL = 1 << 16, LEAST_SLOTS = 1 << 10 };

/* The passages found so far, in the order in which they were found. */
typedef struct search {
    const trib_formulas_inputs *in;
    const struct way *way;
    trib_formula *passage; /* [n] */
    size_t n, cap;
    size_t *slot;   /* [n_slots] number of a passage + 1; 0: empty */
    size_t n_slots; /* a power of two above 2 n, or 0 */
    uint32_t *own;  /* [n_words] by_frequency: zeros, or a document's own ids + 1 */
} search;

/* An n-gram in the corpus. */
typedef struct known_ngram {
    uint64_t name;        /* different n-grams have different names */
    uint32_t n_documents; /* documents that hold it; 0: too few for a formula */
} known_ngram;

/* The two ways to learn which documents hold an n-gram. */
typedef struct way {
    /* looks up n-gram i of a document */
    known_ngram (*look_up)(const trib_formulas_inputs *in, uint32_t document, size_t i);
    /* returns the earliest document that holds all n-grams of a passage */
    uint32_t (*find_earliest)(const search *s, const trib_formula *passage);
} way;

static bool is_earlier(const trib_formulas_inputs *in, uint32_t a, uint32_t b) {
    return trib_document_is_earlier(&in->corpus->document[a], &in->corpus->document[b]);
}

/* ---- By the concordance ---------------------------------------------------------------------- */

/* The number in the concordance of n-gram i of a document. */
static uint32_t ngram_at(const trib_formulas_inputs *in, uint32_t document, size_t i) {
    const trib_concordance *k = &in->index->concordance;
    return k->number[k->first[document] + in->tensors->document[document].sequence[i]];
}

static known_ngram look_up_number(const trib_formulas_inputs *in, uint32_t document, size_t i) {
    const trib_concordance *k = &in->index->concordance;
    const uint32_t ngram = ngram_at(in, document, i);
    return (known_ngram){ngram, (uint32_t)(k->start[ngram + 1] - k->start[ngram])};
}

static bool is_held(const trib_concordance *k, uint32_t ngram, uint32_t document) {
    size_t low = k->start[ngram], high = k->start[ngram + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (k->holder[middle].document == document) return true;
        if (k->holder[middle].document < document) low = middle + 1;
        else high = middle;
    }
    return false;
}

static bool is_whole_in(const trib_formulas_inputs *in, const trib_formula *passage,
                        uint32_t document) {
    bool is_whole = true;
    for (size_t i = 0; is_whole && i < passage->n_ngrams; i++)
        is_whole = is_held(&in->index->concordance,
                           ngram_at(in, passage->document, passage->first_ngram + i), document);
    return is_whole;
}

static uint32_t find_among_holders(const search *s, const trib_formula *passage) {
    const trib_formulas_inputs *in = s->in;
    const trib_concordance *k = &in->index->concordance;
    const uint32_t ngram = ngram_at(in, passage->document, passage->first_ngram);
    uint32_t earliest = passage->document;
    for (size_t h = k->start[ngram]; h < k->start[ngram + 1]; h++) {
        const uint32_t d = k->holder[h].document;
        if (is_earlier(in, d, earliest) && is_whole_in(in, passage, d)) earliest = d;
    }
    return earliest;
}

static const way by_concordance = {look_up_number, find_among_holders};

/* ---- By the frequent n-grams ----------------------------------------------------------------- */

static const trib_frequent_ngram *frequent_at(const trib_formulas_inputs *in, uint32_t document,
                                              size_t i) {
    return trib_frequent_entry(&in->index->formulas, &in->tensors->view[document],
                               in->tensors->document[document].sequence[i]);
}

static known_ngram look_up_hash(const trib_formulas_inputs *in, uint32_t document, size_t i) {
    const trib_frequent_ngram *ngram = frequent_at(in, document, i);
    return ngram ? (known_ngram){ngram->hash, ngram->n_documents} : (known_ngram){0};
}

/* Returns whether a document's counts hold all n-grams of a passage. */
static bool is_counted_in(const search *s, const trib_formula *passage, uint32_t document) {
    const trib_counts *from = &s->in->tensors->document[passage->document];
    const trib_counts *in = &s->in->tensors->document[document];
    uint32_t index[TRIB_MAX_MODES];
    bool is_whole = true;
    for (uint32_t w = 0; w < in->n_local; w++) s->own[in->word[w]] = w + 1;
    for (size_t i = 0; is_whole && i < passage->n_ngrams; i++) {
        trib_hacoo_entry(&from->ngrams, from->sequence[passage->first_ngram + i], index);
        for (uint32_t m = 0; m < from->ngrams.n_modes; m++) {
            index[m] = s->own[from->word[index[m]]];
            is_whole = is_whole && index[m]-- > 0;
        }
        is_whole = is_whole && trib_hacoo_find(&in->ngrams, index) != TRIB_NO_ENTRY;
    }
    for (uint32_t w = 0; w < in->n_local; w++) s->own[in->word[w]] = 0;
    return is_whole;
}

/* A document that holds all n-grams is not earlier than the first holder of any of them. Of these
 * holders, only the latest can hold them all, and it is then the earliest that does. */
static uint32_t find_among_first(const search *s, const trib_formula *passage) {
    const trib_formulas_inputs *in = s->in;
    uint32_t latest = frequent_at(in, passage->document, passage->first_ngram)->earliest;
    for (size_t i = 1; i < passage->n_ngrams; i++) {
        const uint32_t d = frequent_at(in, passage->document, passage->first_ngram + i)->earliest;
        if (is_earlier(in, latest, d)) latest = d;
    }
    return is_earlier(in, latest, passage->document) && is_counted_in(s, passage, latest)
               ? latest
               : passage->document;
}

static const way by_frequency = {look_up_hash, find_among_first};

/* ---- Different passages ---------------------------------------------------------------------- */

static bool are_equal(const search *s, const trib_formula *a, const trib_formula *b) {
    bool equal = a->hash == b->hash && a->n_ngrams == b->n_ngrams;
    for (size_t i = 0; equal && i < a->n_ngrams; i++)
        equal = s->way->look_up(s->in, a->document, a->first_ngram + i).name ==
                s->way->look_up(s->in, b->document, b->first_ngram + i).name;
    return equal;
}

/* The slot of a passage: the one that holds an equal passage, or an empty one. */
static size_t find_slot(const search *s, const trib_formula *passage) {
    size_t at = (size_t)passage->hash & (s->n_slots - 1);
    while (s->slot[at] > 0 && !are_equal(s, &s->passage[s->slot[at] - 1], passage))
        at = (at + 1) & (s->n_slots - 1);
    return at;
}

/* Makes room for one more passage. */
static trib_status make_room(search *s, trib_error *error) {
    trib_status status =
        trib_grow(&s->passage, &s->cap, s->n + 1, sizeof *s->passage, "the formulas", error);
    if (status != TRIB_OK || s->n_slots > 2 * (s->n + 1)) return status;
    trib_free(s->slot);
    s->slot = NULL;
    s->n_slots = s->n_slots > 0 ? 2 * s->n_slots : LEAST_SLOTS;
    status = trib_new(&s->slot, s->n_slots, sizeof *s->slot, "the formulas", error);
    for (size_t p = 0; p < s->n && status == TRIB_OK; p++)
        s->slot[find_slot(s, &s->passage[p])] = p + 1;
    return status;
}

/* Adds a passage of target t, which has its place, or counts the target. */
static trib_status add_passage(search *s, uint32_t t, trib_formula *passage, trib_error *error) {
    passage->n_documents = UINT32_MAX;
    for (size_t i = 0; i < passage->n_ngrams; i++) {
        const known_ngram ngram =
            s->way->look_up(s->in, passage->document, passage->first_ngram + i);
        if (ngram.n_documents < passage->n_documents) passage->n_documents = ngram.n_documents;
        passage->hash = (passage->hash ^ ngram.name) * 0x9E3779B97F4A7C15u;
        passage->hash ^= passage->hash >> 32;
    }
    const trib_status status = make_room(s, error);
    if (status != TRIB_OK) return status;
    size_t *slot = &s->slot[find_slot(s, passage)];
    if (*slot == 0) {
        s->passage[s->n] = *passage;
        *slot = ++s->n;
    } else if (s->passage[*slot - 1].last_target == t) return TRIB_OK;
    s->passage[*slot - 1].n_targets++;
    s->passage[*slot - 1].last_target = t;
    return TRIB_OK;
}

/* ---- The words of a target ------------------------------------------------------------------- */

static trib_status end_passage(search *s, uint32_t t, trib_formula *passage, trib_error *error) {
    trib_status status = TRIB_OK;
    passage->n_words = passage->n_ngrams + s->in->config->tensor.n - 1;
    if (passage->n_ngrams > 0) status = add_passage(s, t, passage, error);
    *passage = (trib_formula){.document = s->in->corpus->target[t].document};
    return status;
}

static trib_status read_target(search *s, uint32_t t, trib_words_cursor *text, trib_error *error) {
    const trib_config *config = s->in->config;
    const uint32_t d = s->in->corpus->target[t].document, n = config->tensor.n;
    trib_formula passage = {.document = d};
    trib_ngram window;
    trib_placed_word word;
    trib_status status = TRIB_OK;
    size_t g = 0;
    trib_ngram_init(&window, n);
    for (size_t i = 0; i < text->document->n_tokens && status == TRIB_OK; i++) {
        if (i % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        if (status == TRIB_OK) status = trib_words_cursor_at(text, i, &word, error);
        if (status != TRIB_OK) break;
        if (word.after_break) trib_ngram_break(&window);
        const bool is_ngram = trib_ngram_push(&window, word.id);
        const bool is_formula =
            is_ngram && s->way->look_up(s->in, d, g).n_documents > config->influence.formula;
        if (!is_formula || word.after_break) status = end_passage(s, t, &passage, error);
        if (is_formula && passage.n_ngrams++ == 0) {
            passage.first_ngram = g;
            passage.first_word = i + 1 - n;
        }
        g += is_ngram;
    }
    return status == TRIB_OK ? end_passage(s, t, &passage, error) : status;
}

static trib_status read_targets(search *s, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < s->in->corpus->n_targets && status == TRIB_OK; t++) {
        const uint32_t d = s->in->corpus->target[t].document;
        trib_words_cursor text = {0};
        if (!s->in->tensors->document[d].sequence || !s->in->words->document[d].file) continue;
        status = trib_words_cursor_open(&text, &s->in->words->document[d], error);
        if (status == TRIB_OK) status = read_target(s, t, &text, error);
        trib_words_cursor_close(&text);
        trib_tensors_rest(s->in->tensors);
    }
    return status;
}

/* ---- The longest ----------------------------------------------------------------------------- */

/* The vocabulary id of word w of a passage: word w of its first n-gram, or the last word of a later
 * one. */
static uint32_t word_of(const trib_formulas_inputs *in, const trib_formula *passage, size_t w) {
    const trib_counts *counts = &in->tensors->document[passage->document];
    const uint32_t n = counts->ngrams.n_modes;
    const size_t ngram = passage->first_ngram + (w < n ? 0 : w - n + 1);
    uint32_t index[TRIB_MAX_MODES];
    trib_hacoo_entry(&counts->ngrams, counts->sequence[ngram], index);
    return counts->word[index[w < n ? w : n - 1]];
}

/* A passage while it is sorted. */
typedef struct ranked {
    const trib_formulas_inputs *in;
    const trib_formula *passage;
} ranked;

static int by_length(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    const trib_formula *p = x->passage, *q = y->passage;
    if (p->n_words != q->n_words) return p->n_words < q->n_words ? 1 : -1;
    if (p->n_documents != q->n_documents) return p->n_documents < q->n_documents ? 1 : -1;
    for (size_t w = 0; w < p->n_words; w++) {
        const uint32_t u = word_of(x->in, p, w), v = word_of(y->in, q, w);
        if (u != v) return strcmp(x->in->vocab->word[u], x->in->vocab->word[v]);
    }
    return 0;
}

static trib_status quote(const trib_formulas_inputs *in, trib_formula *passage, trib_error *error) {
    const trib_text extent = in->config->report.text;
    const bool is_cut = extent != TRIB_TEXT_FULL && passage->n_words > TRIB_FORMULA_SNIPPET;
    const size_t n = extent == TRIB_TEXT_NONE ? 0
                     : is_cut                 ? TRIB_FORMULA_SNIPPET
                                              : passage->n_words;
    trib_buffer text = {0};
    trib_status status = trib_buffer_add(&text, "", 0, error);
    for (size_t w = 0; w < n && status == TRIB_OK; w++)
        status = trib_buffer_print(&text, error, "%s%s", w > 0 ? " " : "",
                                   in->vocab->word[word_of(in, passage, w)]);
    if (status == TRIB_OK && is_cut && n > 0)
        status = trib_buffer_print(&text, error, " \xE2\x80\xA6");
    if (status == TRIB_OK)
        status = trib_copy_text(&passage->text, text.text ? text.text : "", text.length, error);
    trib_buffer_release(&text);
    return status;
}

/* Sorts the passages and completes those that are listed. */
static trib_status choose(trib_formulas *found, const search *s, trib_error *error) {
    ranked *list = NULL;
    const size_t n = s->n < TRIB_FORMULAS_MOST ? s->n : TRIB_FORMULAS_MOST;
    trib_status status = trib_new(&list, s->n, sizeof *list, "the formulas", error);
    if (status == TRIB_OK)
        status = trib_new(&found->passage, n, sizeof *found->passage, "the formulas", error);
    for (size_t p = 0; p < s->n && status == TRIB_OK; p++)
        list[p] = (ranked){s->in, &s->passage[p]};
    if (status == TRIB_OK && s->n > 1) qsort(list, s->n, sizeof *list, by_length);
    for (size_t p = 0; p < n && status == TRIB_OK; p++) {
        trib_formula *passage = &found->passage[found->n++];
        *passage = *list[p].passage;
        passage->earliest = s->way->find_earliest(s, passage);
        status = quote(s->in, passage, error);
    }
    found->n_all = s->n;
    trib_free(list);
    return status;
}

static bool is_possible(const trib_formulas_inputs *in) {
    const uint32_t formula = in->config->influence.formula;
    bool counts_ngrams = false;
    for (uint32_t i = 0; i < in->config->influence.n_methods; i++)
        counts_ngrams = counts_ngrams || !in->config->influence.method[i]->needs_factors;
    return counts_ngrams && formula > 0 && formula < in->corpus->n_documents &&
           (in->index->n_targets > 0 || in->index->concordance.n_documents > 0);
}

trib_status trib_formulas_find(trib_formulas *found, const trib_formulas_inputs *inputs,
                               trib_error *error) {
    const bool has_candidates = inputs->index->n_targets > 0;
    search s = {.in = inputs, .way = has_candidates ? &by_frequency : &by_concordance};
    trib_status status = TRIB_OK;
    *found = (trib_formulas){0};
    if (!is_possible(inputs)) return TRIB_OK;
    if (has_candidates)
        status = trib_new(&s.own, inputs->vocab->n_words, sizeof *s.own, "the formulas", error);
    if (status == TRIB_OK) status = read_targets(&s, error);
    if (status == TRIB_OK) status = choose(found, &s, error);
    trib_free(s.passage);
    trib_free(s.slot);
    trib_free(s.own);
    if (status != TRIB_OK) trib_formulas_release(found);
    return status;
}

void trib_formulas_release(trib_formulas *formulas) {
    for (size_t p = 0; p < formulas->n; p++) trib_free(formulas->passage[p].text);
    trib_free(formulas->passage);
    *formulas = (trib_formulas){0};
}
