/* evidence.c - the phrases through which a source explains a target (docs/model.md section 5). For
 * the copying model, E_s(z) is the number of occurrences of n-gram z that its posterior assigns to
 * source s; for the mixture it is T(z) pi_s P_s(z) / mix(z). The file also builds the fibre cover
 * of E_s. Only n-grams that occur in both texts have mass, so every phrase shown was written in
 * both (section 6). */
#include "influence/evidence.h"
#include "base/internal.h"
#include "decomp/decomp.h"
#include "influence/overlap.h"

enum { STOP_CHECK_INTERVAL = 1 << 16 }; /* n-grams between two checks for a stop */

/* A phrase and its sort key. */
typedef struct place {
    double value;
    size_t phrase;
} place;

/* Descending by value, ties by number. */
TRIB_ORDER(by_value, place, TRIB_DOWN(value) ?: TRIB_UP(phrase));

double trib_phrase_weight(const trib_phrase *phrase, size_t n_documents) {
    return trib_logarithm(((double)n_documents + 1) / (phrase->n_other_documents + 2.0));
}

trib_status trib_evidence_rank(size_t **order, const trib_evidence *evidence, size_t n_documents,
                               trib_error *error) {
    const size_t n = evidence->n_phrases;
    TRIB_FREED(place *) ranked = NULL;
    *order = NULL;
    trib_status status = TRIB_NEW(&ranked, n, "the ranking of phrases", error);
    if (status == TRIB_OK) status = TRIB_NEW(order, n, "the ranking of phrases", error);
    for (size_t p = 0; p < n && status == TRIB_OK; p++) {
        const trib_phrase *phrase = &evidence->phrase[p];
        const double weight = n_documents > 0 ? trib_phrase_weight(phrase, n_documents) : 1;
        ranked[p] = (place){phrase->mass * weight, p};
    }
    if (n > 1 && status == TRIB_OK) qsort(ranked, n, sizeof *ranked, by_value);
    for (size_t p = 0; p < n && status == TRIB_OK; p++) (*order)[p] = ranked[p].phrase;
    return status;
}

/* Sorts phrases by descending mass; ties keep the target's order, so other documents have no effect
 * on it. */
static trib_status order_phrases(trib_evidence *evidence, trib_error *error) {
    const size_t n = evidence->n_phrases;
    size_t *order = NULL;
    trib_phrase *phrase = NULL;
    trib_status status = trib_evidence_rank(&order, evidence, 0, error);
    if (status == TRIB_OK) status = TRIB_NEW(&phrase, n, "evidence", error);
    for (size_t p = 0; p < n && status == TRIB_OK; p++) phrase[p] = evidence->phrase[order[p]];
    trib_free(order);
    if (status != TRIB_OK) return status;
    trib_free(evidence->phrase);
    evidence->phrase = phrase;
    return TRIB_OK;
}

/* The target's n-grams in the listed sources, grouped by source. */
typedef struct ascribed {
    const trib_overlap *overlap; /* with the listed sources: the case's, or `own` */
    trib_overlap *own;
    size_t *first; /* [n_listed + 1] source i has pair[first[i]] .. pair[first[i+1]-1] */
    size_t *pair;  /* numbers of entries of overlap.shared, ascending for each source */
    /* [n_entries] number of documents that hold the n-gram, without the target */
    uint32_t *n_holders;
} ascribed;

static void ascribed_release(ascribed *a) {
    trib_overlap_free(a->own);
    TRIB_FREE(a->first, a->pair, a->n_holders);
}

/* Makes the phrase of entry h of overlap.shared. False when its mass is 0. */
static bool make_phrase(trib_phrase *phrase, const trib_influence_case *c,
                        const trib_influence *result, const ascribed *a, size_t h) {
    const trib_influence_document *target = &c->document[c->target];
    const trib_shared_ngram *shared = &a->overlap->shared[h];
    const size_t e = shared->entry, s = result->listed[shared->document];
    const uint32_t *index = a->overlap->index + e * a->overlap->n_modes;
    const double mass = result->credit ? result->credit[h]
                                       : a->overlap->count[e] * result->weight[s] *
                                             shared->frequency / fmax(result->mix[e], 1e-300);
    *phrase = (trib_phrase){.in_target = a->overlap->count[e],
                            .in_source = shared->count,
                            .n_other_documents = a->n_holders[e] - (result->source[s] != c->target),
                            .mass = mass / (double)target->counts->total};
    for (uint32_t m = 0; m < a->overlap->n_modes; m++) phrase->word[m] = target->word[index[m]];
    return phrase->mass > 0;
}

/* Covers E_s / |T| by fibres. The tensor uses the target's own ids, so ties between fibres depend
 * on the target's words alone. */
static trib_status cover(trib_fibre_cover *found, const trib_hacoo *counts, const uint32_t *entry,
                         const double *mass, size_t n, trib_error *error) {
    uint32_t *index = NULL; /* [n][n_modes] */
    trib_status status =
        trib_new(&index, n, counts->n_modes * sizeof *index, "the n-grams of a source", error);
    for (size_t i = 0; status == TRIB_OK && i < n; i++)
        trib_hacoo_entry(counts, entry[i], index + i * counts->n_modes);
    if (status == TRIB_OK)
        status =
            trib_fibre_cover_list(found, counts->n_modes, counts->dim, index, mass, n, 0, error);
    trib_free(index);
    return status;
}

/* Copies the fibres of the cover into the evidence, in vocabulary ids. */
static trib_status copy_factors(trib_evidence *evidence, const trib_fibre_cover *found,
                                const trib_influence_document *target, trib_error *error) {
    trib_status status = TRIB_NEW(&evidence->factor, found->n_fibres, "evidence", error);
    if (status == TRIB_OK) status = TRIB_NEW(&evidence->free_word, found->nnz, "evidence", error);
    if (status == TRIB_OK) status = TRIB_NEW(&evidence->free_mass, found->nnz, "evidence", error);
    if (status != TRIB_OK) return status;
    for (size_t f = 0; f < found->n_fibres; f++) {
        const trib_fibre *fibre = &found->fibre[f];
        trib_evidence_factor *factor = &evidence->factor[evidence->n_factors++];
        evidence->n_all_factors = evidence->n_factors;
        *factor = (trib_evidence_factor){.mass = fibre->mass,
                                         .free_mode = fibre->free_mode,
                                         .first = fibre->first,
                                         .n = fibre->n};
        for (uint32_t m = 0; m < target->counts->n_modes; m++)
            factor->fixed[m] =
                m == fibre->free_mode ? TRIB_NO_FREE_WORD : target->word[fibre->fixed[m]];
    }
    for (size_t i = 0; i < found->nnz; i++) {
        evidence->free_word[i] = target->word[found->index[i]];
        evidence->free_mass[i] = found->value[i];
    }
    return TRIB_OK;
}

/* The entry of the target and the mass of each phrase, while the evidence is being built. */
typedef struct listed {
    uint32_t *entry; /* [n] */
    double *mass;    /* [n] */
    size_t n, entry_cap, mass_cap, phrase_cap;
} listed;

static trib_status list_phrase(listed *list, trib_evidence *evidence, const trib_phrase *phrase,
                               size_t e, trib_error *error) {
    const size_t n = list->n;
    trib_status status =
        trib_grow(&evidence->phrase, &list->phrase_cap, n + 1, sizeof *phrase, "evidence", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&list->entry, &list->entry_cap, n + 1, "evidence", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&list->mass, &list->mass_cap, n + 1, "evidence", error);
    if (status != TRIB_OK) return status;
    evidence->phrase[n] = *phrase;
    evidence->n_phrases = evidence->n_all_phrases = n + 1;
    evidence->share += phrase->mass;
    list->entry[n] = (uint32_t)e;
    list->mass[n] = phrase->mass;
    list->n++;
    return TRIB_OK;
}

/* Builds the fibre cover of the listed phrases, then sorts the phrases. */
static trib_status finish(trib_evidence *evidence, const listed *list,
                          const trib_influence_document *target, trib_error *error) {
    TRIB_OWNED(trib_fibre_cover) found = {0};
    if (list->n == 0) return TRIB_OK;
    trib_status status = cover(&found, target->counts, list->entry, list->mass, list->n, error);
    if (status == TRIB_OK) status = copy_factors(evidence, &found, target, error);
    return status == TRIB_OK ? order_phrases(evidence, error) : status;
}

static trib_status count_holders(ascribed *a, const trib_influence_case *c, trib_error *error) {
    const size_t n = c->document[c->target].counts->nnz;
    const trib_concordance *k = NULL;
    TRIB_OWNED(trib_concordance) own = {0};
    trib_status status = trib_case_concordance(&k, &own, c, NULL, 0, error);
    if (status == TRIB_OK) status = TRIB_NEW(&a->n_holders, n, "evidence", error);
    for (size_t e = 0; e < n && status == TRIB_OK; e++) {
        const size_t g = k->number[k->first[c->target] + e];
        a->n_holders[e] = (uint32_t)(k->start[g + 1] - k->start[g] - 1); /* without the target */
    }
    return status;
}

static trib_status ascribe(ascribed *a, const trib_influence_case *c, const trib_influence *result,
                           trib_error *error) {
    const size_t n = result->n_listed;
    trib_status status = count_holders(a, c, error);
    if (status == TRIB_OK && !c->overlap)
        status = trib_overlap_of_listed(&a->own, c, result, error);
    a->overlap = c->overlap ? c->overlap : a->own;
    const size_t n_pairs = status == TRIB_OK ? a->overlap->start[a->overlap->n_entries] : 0;
    if (status == TRIB_OK) status = TRIB_NEW(&a->first, n + 2, "evidence", error);
    if (status == TRIB_OK) status = TRIB_NEW(&a->pair, n_pairs, "evidence", error);
    if (status == TRIB_OK) { /* a counting sort by source */
        for (size_t h = 0; h < n_pairs; h++) a->first[a->overlap->shared[h].document + 2]++;
        for (size_t i = 2; i < n + 2; i++) a->first[i] += a->first[i - 1];
        for (size_t h = 0; h < n_pairs; h++)
            a->pair[a->first[a->overlap->shared[h].document + 1]++] = h;
    }
    return status;
}

static trib_status build_one(trib_evidence *evidence, const trib_influence_case *c,
                             const trib_influence *result, const ascribed *a, size_t i,
                             trib_error *error) {
    listed list = {0};
    trib_status status = trib_stop_check(error);
    for (size_t p = a->first[i]; p < a->first[i + 1] && status == TRIB_OK; p++) {
        trib_phrase phrase;
        if (p % STOP_CHECK_INTERVAL == 0) status = trib_stop_check(error);
        if (status == TRIB_OK && make_phrase(&phrase, c, result, a, a->pair[p]))
            status =
                list_phrase(&list, evidence, &phrase, a->overlap->shared[a->pair[p]].entry, error);
    }
    if (status == TRIB_OK) status = finish(evidence, &list, &c->document[c->target], error);
    TRIB_FREE(list.entry, list.mass);
    return status;
}

trib_status trib_evidence_build(trib_evidence *evidence, const trib_influence_case *c,
                                const trib_influence *result, int n_threads, trib_error *error) {
    ascribed a = {0};
    size_t failed = SIZE_MAX; /* the first source that failed */
    for (size_t s = 0; s < result->n_sources; s++)
        evidence[s] = (trib_evidence){.target = c->target, .source = result->source[s]};
    trib_status status = ascribe(&a, c, result, error);
    const size_t n = status == TRIB_OK ? result->n_listed : 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t i = 0; i < n; i++) {
        trib_error failure = {0};
        const trib_status one = build_one(&evidence[result->listed[i]], c, result, &a, i, &failure);
        trib_keep_first(i, one, &failure, &failed, &status, error);
    }
    ascribed_release(&a);
    return status;
}

/* Whether a source of the case holds n-gram g. is_source[n_documents] is 1 for its sources.
 * *n_others is the number of documents that hold the n-gram and are not sources of the case. */
static bool is_borrowed(const trib_influence_case *c, const trib_concordance *k,
                        const uint8_t *is_source, size_t g, uint32_t *n_others) {
    *n_others = 0;
    for (size_t h = k->start[g]; h < k->start[g + 1]; h++) {
        const uint32_t document = k->holder[h].document;
        if (document == c->target) continue;
        if (is_source[document]) return true;
        ++*n_others;
    }
    return false;
}

trib_status trib_evidence_of_author(trib_evidence *evidence, const trib_influence_case *c,
                                    trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    const trib_hacoo *counts = target->counts;
    const trib_concordance *k = NULL;
    TRIB_OWNED(trib_concordance) own = {0};
    listed list = {0};
    uint8_t *formulas = NULL, *is_source = NULL;
    uint64_t n_formula = 0;
    *evidence = (trib_evidence){.target = c->target, .source = c->target};
    trib_status status = trib_case_concordance(&k, &own, c, NULL, 0, error);
    if (status == TRIB_OK) status = trib_formula_find(&formulas, &n_formula, c, error);
    if (status == TRIB_OK) status = trib_new(&is_source, c->n_documents, 1, "evidence", error);
    for (size_t s = 0; s < c->n_sources && status == TRIB_OK; s++) is_source[c->source[s]] = 1;
    for (size_t e = 0; status == TRIB_OK && e < counts->nnz; e++) {
        trib_phrase phrase = {0};
        if (e % STOP_CHECK_INTERVAL == 0 && (status = trib_stop_check(error)) != TRIB_OK) break;
        if ((formulas && formulas[e]) ||
            is_borrowed(c, k, is_source, k->number[k->first[c->target] + e],
                        &phrase.n_other_documents))
            continue;
        uint32_t index[TRIB_MAX_MODES];
        phrase.in_target = trib_hacoo_entry(counts, e, index);
        for (uint32_t m = 0; m < counts->n_modes; m++) phrase.word[m] = target->word[index[m]];
        phrase.mass = phrase.in_target / (double)counts->total;
        status = list_phrase(&list, evidence, &phrase, e, error);
    }
    if (status == TRIB_OK) status = finish(evidence, &list, target, error);
    TRIB_FREE(is_source, formulas, list.entry, list.mass);
    if (status != TRIB_OK) trib_evidence_release(evidence);
    return status;
}

/* Moves the first n elements into a smaller array and frees the old one; when the allocation fails,
 * the old array stays. */
static void shrink(void *array, size_t n, size_t size) {
    void **pointer = array, *smaller = NULL;
    if (!*pointer || trib_new(&smaller, n, size, "evidence", NULL) != TRIB_OK) return;
    if (n > 0) memcpy(smaller, *pointer, n * size);
    trib_free(*pointer);
    *pointer = smaller;
}

void trib_evidence_cut(trib_evidence *evidence, size_t most) {
    size_t n_free = 0;
    if (evidence->n_phrases > most) evidence->n_phrases = most;
    if (evidence->n_factors > most) evidence->n_factors = most;
    for (size_t f = 0; f < evidence->n_factors; f++) {
        trib_evidence_factor *factor = &evidence->factor[f];
        memmove(evidence->free_word + n_free, evidence->free_word + factor->first,
                factor->n * sizeof *evidence->free_word);
        memmove(evidence->free_mass + n_free, evidence->free_mass + factor->first,
                factor->n * sizeof *evidence->free_mass);
        factor->first = n_free; /* moves down only, so no later factor is overwritten */
        n_free += factor->n;
    }
    shrink(&evidence->phrase, evidence->n_phrases, sizeof *evidence->phrase);
    shrink(&evidence->factor, evidence->n_factors, sizeof *evidence->factor);
    shrink(&evidence->free_word, n_free, sizeof *evidence->free_word);
    shrink(&evidence->free_mass, n_free, sizeof *evidence->free_mass);
}

void trib_evidence_release(trib_evidence *evidence) {
    TRIB_FREE(evidence->phrase, evidence->factor, evidence->free_word, evidence->free_mass);
    *evidence = (trib_evidence){0};
}

/* ---- Influence through another document ------------------------------------------------------ */

trib_status trib_evidence_held(const trib_evidence *evidence, const trib_influence_document *by,
                               uint32_t n_words, uint8_t *held, trib_error *error) {
    uint32_t *own_id = NULL; /* 1 + the document's id of a vocabulary word; 0: it lacks the word */
    const trib_status status = TRIB_NEW(&own_id, n_words, "a map of words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < by->n_local; i++) own_id[by->word[i]] = i + 1;
    for (size_t p = 0; p < evidence->n_phrases; p++) {
        uint32_t index[TRIB_MAX_MODES];
        bool known = by->n_local > 0;
        for (uint32_t m = 0; known && m < by->counts->n_modes; m++) {
            index[m] = own_id[evidence->phrase[p].word[m]] - 1;
            known = index[m] != UINT32_MAX;
        }
        if (known && trib_hacoo_get(by->counts, index) > 0) held[p] = 1;
    }
    trib_free(own_id);
    return TRIB_OK;
}

double trib_evidence_held_share(const trib_evidence *evidence, const uint8_t *held) {
    double all = 0, part = 0;
    for (size_t p = 0; p < evidence->n_phrases; p++) {
        all += evidence->phrase[p].mass;
        if (held[p]) part += evidence->phrase[p].mass;
    }
    return all > 0 ? part / all : 0;
}
