/* formulas.c - lists the passages of the targets that are formulas. The words of each target are
 * read once, in order, and formula_list.c collects the passages. How many documents hold an n-gram
 * is read from the concordance of all documents, or, with candidates, from the list of frequent
 * n-grams. */
#include "base/internal.h"
#include "pipeline/config/config.h"
#include "pipeline/stages/formula_list.h"
#include "pipeline/stages/tensors.h"

enum { STOP_CHECK_INTERVAL = 1 << 16 };

typedef struct search {
    const trib_read_texts *in;
    const trib_corpus_index *index;
    const struct way *way;
    trib_formula_list list;
    uint32_t *own; /* [n_words] by_frequency: zeros, or a document's own ids + 1 */
} search;

/* An n-gram in the corpus. */
typedef struct known_ngram {
    uint64_t name;        /* different n-grams have different names */
    uint32_t n_documents; /* documents that hold it; 0: too few for a formula */
} known_ngram;

/* The two ways to learn which documents hold an n-gram. */
typedef struct way {
    /* looks up n-gram i of a document */
    known_ngram (*look_up)(const search *s, uint32_t document, size_t i);
    /* finds the earliest document that holds all n-grams of passage p */
    trib_status (*find_earliest)(const search *s, size_t p, uint32_t *earliest, trib_error *error);
} way;

static bool is_earlier(const trib_read_texts *in, uint32_t a, uint32_t b) {
    return trib_document_is_earlier(&in->corpus->document[a], &in->corpus->document[b]);
}

/* ---- By the concordance ---------------------------------------------------------------------- */

/* The number in the concordance of n-gram i of a document. */
static uint32_t ngram_at(const search *s, uint32_t document, size_t i) {
    const trib_concordance *k = &s->index->concordance;
    return k->number[k->first[document] + s->in->tensors->document[document].sequence[i]];
}

static known_ngram look_up_number(const search *s, uint32_t document, size_t i) {
    const trib_concordance *k = &s->index->concordance;
    const uint32_t ngram = ngram_at(s, document, i);
    return (known_ngram){ngram, (uint32_t)(k->start[ngram + 1] - k->start[ngram])};
}

TRIB_SEARCH(first_holder, trib_holder, uint32_t, x->document < key);

static bool is_held(const trib_concordance *k, uint32_t ngram, uint32_t document) {
    const trib_holder *const holder = k->holder + k->start[ngram];
    const size_t n = k->start[ngram + 1] - k->start[ngram], i = first_holder(holder, n, document);
    return i < n && holder[i].document == document;
}

static bool is_whole_in(const search *s, const trib_formula *passage, uint32_t document) {
    bool is_whole = true;
    for (size_t i = 0; is_whole && i < passage->n_ngrams; i++)
        is_whole = is_held(&s->index->concordance,
                           ngram_at(s, passage->document, passage->first_ngram + i), document);
    return is_whole;
}

static trib_status find_among_holders(const search *s, size_t p, uint32_t *earliest,
                                      trib_error *error) {
    const trib_read_texts *in = s->in;
    const trib_formula *passage = &s->list.passage[p];
    const trib_concordance *k = &s->index->concordance;
    const uint32_t ngram = ngram_at(s, passage->document, passage->first_ngram);
    (void)error;
    *earliest = passage->document;
    for (size_t h = k->start[ngram]; h < k->start[ngram + 1]; h++) {
        const uint32_t d = k->holder[h].document;
        if (is_earlier(in, d, *earliest) && is_whole_in(s, passage, d)) *earliest = d;
    }
    return TRIB_OK;
}

static const way by_concordance = {look_up_number, find_among_holders};

/* ---- By the frequent n-grams ----------------------------------------------------------------- */

static known_ngram look_up_hash(const search *s, uint32_t document, size_t i) {
    const trib_frequent_ngram *ngram =
        trib_frequent_entry(&s->index->formulas, &s->in->tensors->view[document],
                            s->in->tensors->document[document].sequence[i]);
    return ngram ? (known_ngram){ngram->hash, ngram->n_documents} : (known_ngram){0};
}

/* Returns whether a document's counts, which are held, have all n-grams of passage p. */
static bool is_counted_in(const search *s, size_t p, uint32_t document) {
    const trib_counts *in = &s->in->tensors->document[document];
    const uint32_t n = in->ngrams.n_modes, *word = trib_formula_list_words(&s->list, p);
    uint32_t index[TRIB_MAX_MODES];
    bool is_whole = true;
    for (uint32_t w = 0; w < in->n_local; w++) s->own[in->word[w]] = w + 1;
    for (size_t i = 0; is_whole && i < s->list.passage[p].n_ngrams; i++) {
        for (uint32_t m = 0; m < n; m++) {
            index[m] = s->own[word[i + m]];
            is_whole = is_whole && index[m]-- > 0;
        }
        is_whole = is_whole && trib_hacoo_find(&in->ngrams, index) != TRIB_NO_ENTRY;
    }
    for (uint32_t w = 0; w < in->n_local; w++) s->own[in->word[w]] = 0;
    return is_whole;
}

/* A document that holds all n-grams is not earlier than the first holder of any of them. Of these
 * holders, only the latest can hold them all, and it is then the earliest that does. */
static trib_status find_among_first(const search *s, size_t p, uint32_t *earliest,
                                    trib_error *error) {
    const trib_read_texts *in = s->in;
    const trib_frequent_ngrams *formulas = &s->index->formulas;
    const uint32_t n = in->env->config->tensor.n, *word = trib_formula_list_words(&s->list, p);
    uint32_t latest = trib_frequent_words(formulas, word, n)->earliest;
    for (size_t i = 1; i < s->list.passage[p].n_ngrams; i++) {
        const uint32_t d = trib_frequent_words(formulas, word + i, n)->earliest;
        if (is_earlier(in, latest, d)) latest = d;
    }
    *earliest = s->list.passage[p].document;
    if (!is_earlier(in, latest, *earliest)) return TRIB_OK;
    const trib_status status = trib_counts_hold(in->tensors, latest, error);
    if (status != TRIB_OK) return status;
    if (is_counted_in(s, p, latest)) *earliest = latest;
    trib_counts_drop(in->tensors, latest);
    return TRIB_OK;
}

static const way by_frequency = {look_up_hash, find_among_first};

/* ---- Passages -------------------------------------------------------------------------------- */

/* Lists the words of a passage, whose document is held: those of its first n-gram, and the last of
 * each later one. */
static void list_words(const search *s, const trib_formula *passage, uint32_t *to) {
    const trib_counts *counts = &s->in->tensors->document[passage->document];
    const uint32_t n = counts->ngrams.n_modes;
    uint32_t index[TRIB_MAX_MODES];
    for (size_t i = 0; i < passage->n_ngrams; i++) {
        trib_hacoo_entry(&counts->ngrams, counts->sequence[passage->first_ngram + i], index);
        for (uint32_t m = i == 0 ? 0 : n - 1; m < n; m++) *to++ = counts->word[index[m]];
    }
}

/* Adds a passage of target t, which has its place, or counts the target. */
static trib_status add_passage(search *s, uint32_t t, trib_formula *passage, trib_error *error) {
    uint32_t *word = NULL;
    passage->n_documents = UINT32_MAX;
    for (size_t i = 0; i < passage->n_ngrams; i++) {
        const known_ngram ngram = s->way->look_up(s, passage->document, passage->first_ngram + i);
        if (ngram.n_documents < passage->n_documents) passage->n_documents = ngram.n_documents;
        passage->hash = (passage->hash ^ ngram.name) * 0x9E3779B97F4A7C15u;
        passage->hash ^= passage->hash >> 32;
    }
    const trib_status status = trib_formula_list_room(&s->list, passage->n_words, &word, error);
    if (status != TRIB_OK) return status;
    list_words(s, passage, word);
    return trib_formula_list_add(&s->list, passage, t, error);
}

/* ---- The words of a target ------------------------------------------------------------------- */

static trib_status end_passage(search *s, uint32_t t, trib_formula *passage, trib_error *error) {
    trib_status status = TRIB_OK;
    passage->n_words = passage->n_ngrams + s->in->env->config->tensor.n - 1;
    if (passage->n_ngrams > 0) status = add_passage(s, t, passage, error);
    *passage = (trib_formula){.document = s->in->corpus->target[t].document};
    return status;
}

static trib_status read_target(search *s, uint32_t t, trib_words_cursor *text, trib_error *error) {
    const trib_config *config = s->in->env->config;
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
            is_ngram && s->way->look_up(s, d, g).n_documents > config->influence.formula;
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
        if (!s->in->words->document[d].file) continue;
        status = trib_counts_hold(s->in->tensors, d, error);
        if (status != TRIB_OK) break;
        if (s->in->tensors->document[d].sequence) {
            status = trib_words_cursor_open(&text, &s->in->words->document[d], error);
            if (status == TRIB_OK) status = read_target(s, t, &text, error);
            trib_words_cursor_close(&text);
        }
        trib_counts_drop(s->in->tensors, d);
        trib_tensors_rest(s->in->tensors);
    }
    return status;
}

/* ---- The longest ----------------------------------------------------------------------------- */

static trib_status quote(const search *s, size_t p, trib_formula *passage, trib_error *error) {
    const trib_read_texts *in = s->in;
    const uint32_t *word = trib_formula_list_words(&s->list, p);
    const trib_text extent = in->env->config->report.text;
    const bool is_cut = extent != TRIB_TEXT_FULL && passage->n_words > TRIB_FORMULA_SNIPPET;
    const size_t n = extent == TRIB_TEXT_NONE ? 0
                     : is_cut                 ? TRIB_FORMULA_SNIPPET
                                              : passage->n_words;
    TRIB_OWNED(trib_buffer) text = {0};
    trib_status status = trib_buffer_add(&text, "", 0, error);
    for (size_t w = 0; w < n && status == TRIB_OK; w++)
        status =
            trib_buffer_print(&text, error, "%s%s", w > 0 ? " " : "", in->vocab->word[word[w]]);
    if (status == TRIB_OK && is_cut && n > 0)
        status = trib_buffer_print(&text, error, " \xE2\x80\xA6");
    if (status == TRIB_OK)
        status = trib_copy_text(&passage->text, text.text ? text.text : "", text.length, error);
    return status;
}

/* Completes the passages that are listed. */
static trib_status choose(trib_formulas *found, search *s, trib_error *error) {
    trib_formula_list *list = &s->list;
    trib_status status = trib_formula_list_finish(list, error);
    if (status == TRIB_OK) status = TRIB_NEW(&found->passage, list->n, "the formulas", error);
    for (size_t p = 0; p < list->n && status == TRIB_OK; p++) {
        trib_formula *passage = &found->passage[found->n++];
        *passage = list->passage[p];
        status = s->way->find_earliest(s, p, &passage->earliest, error);
        if (status == TRIB_OK) status = quote(s, p, passage, error);
    }
    return status;
}

static bool is_possible(const trib_read_texts *in, const trib_corpus_index *index) {
    const uint32_t formula = in->env->config->influence.formula;
    bool counts_ngrams = false;
    for (uint32_t i = 0; i < in->env->config->influence.n_methods; i++)
        counts_ngrams = counts_ngrams || !in->env->config->influence.method[i]->needs_factors;
    return counts_ngrams && formula > 0 && formula < in->corpus->n_documents &&
           (index->n_targets > 0 || index->concordance.n_documents > 0);
}

trib_status trib_formulas_find(trib_formulas *found, const trib_read_texts *texts,
                               const trib_corpus_index *index, trib_error *error) {
    const bool has_candidates = index->n_targets > 0;
    search s = {
        .in = texts, .index = index, .way = has_candidates ? &by_frequency : &by_concordance};
    trib_formula_list_open(&s.list, (const char *const *)texts->vocab->word);
    trib_status status = TRIB_OK;
    *found = (trib_formulas){0};
    if (!is_possible(texts, index)) return TRIB_OK;
    if (has_candidates) status = TRIB_NEW(&s.own, texts->vocab->n_words, "the formulas", error);
    if (status == TRIB_OK) status = read_targets(&s, error);
    if (status == TRIB_OK) status = choose(found, &s, error);
    trib_formula_list_release(&s.list);
    trib_free(s.own);
    if (status != TRIB_OK) trib_formulas_release(found);
    return status;
}

void trib_formulas_release(trib_formulas *formulas) {
    for (size_t p = 0; p < formulas->n; p++) trib_free(formulas->passage[p].text);
    trib_free(formulas->passage);
    *formulas = (trib_formulas){0};
}
