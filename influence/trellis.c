/* trellis.c - builds the states of the copying model: the diagonals on which the target and a
 * source share n-grams. */
#include "influence/trellis.h"

#include "influence/overlap.h"

enum {
    GAP = 8, /* most words between two shared n-grams of one diagonal that may have been altered */
    /* an n-gram that makes more pairs with a source is too common to be used */
    MAX_PAIRS = 1 << 22
};

typedef struct segments {
    trib_segment *list;
    size_t n, cap;
} segments;

/* The positions of each entry of the target's counts: place[start[e]] .. place[start[e+1]-1],
 * ascending. */
typedef struct occurrences {
    size_t *start, *place;
} occurrences;

static trib_status find_occurrences(occurrences *o, const trib_influence_document *target,
                                    const trib_word_order *order, trib_error *error) {
    trib_status status = TRIB_NEW(&o->start, target->counts->nnz + 2, "n-grams in order", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&o->place, target->n_ngrams, "n-grams in order", error);
    if (status != TRIB_OK) return status;
    for (size_t k = 0; k < target->n_ngrams; k++) o->start[target->sequence[k] + 2]++;
    for (size_t e = 2; e < target->counts->nnz + 2; e++) o->start[e] += o->start[e - 1];
    for (size_t k = 0; k < target->n_ngrams; k++)
        o->place[o->start[target->sequence[k] + 1]++] = order->place[k];
    return TRIB_OK;
}

/* Whether at most GAP words and no break lie between the end of the segment and source word j of
 * its diagonal. */
static bool reaches(const trib_segment *s, const trib_word_order *target,
                    const trib_word_order *source, size_t j) {
    const size_t end = (size_t)s->at + s->n;
    if (j > end + GAP) return false;
    for (size_t at = end; at < j; at++)
        if (source->word[at] == TRIB_BREAK || target->word[s->first + (at - s->at)] == TRIB_BREAK)
            return false;
    return true;
}

/* Adds the segments of source s, from the n-grams of it that the target holds. open[] holds 1 + the
 * number of the last segment of every diagonal, or 0. */
static trib_status add_source(segments *found, const trib_trellis *x, uint32_t s,
                              const trib_held_ngrams *held, const uint32_t *n_times,
                              const occurrences *o, size_t *open, trib_error *error) {
    const trib_word_order *source = &x->source[s];
    trib_status status = TRIB_OK;
    for (size_t k = 0; k < held->n && status == TRIB_OK; k++) {
        const uint32_t e = held->list[k].ngram;
        if ((o->start[e + 1] - o->start[e]) > MAX_PAIRS / n_times[e]) continue;
        const size_t j = source->place[held->list[k].place];
        for (size_t q = o->start[e]; q < o->start[e + 1] && status == TRIB_OK; q++) {
            size_t *last = &open[o->place[q] + source->n - j];
            if (*last && reaches(&found->list[*last - 1], &x->target, source, j)) {
                found->list[*last - 1].n = (uint32_t)j + x->n_modes - found->list[*last - 1].at;
                continue;
            }
            status = TRIB_GROW(&found->list, &found->cap, found->n + 1, "shared passages", error);
            if (status != TRIB_OK) break;
            found->list[found->n++] =
                (trib_segment){s, (uint32_t)o->place[q], (uint32_t)j, x->n_modes};
            *last = found->n;
        }
    }
    return status;
}

/* Data and scratch of the search in one source after another. Between two sources only the elements
 * used are reset to 0, because a text is longer than the parts it shares. */
typedef struct search {
    occurrences of_target;
    trib_ngram_index index;
    trib_held_ngrams held; /* n-grams of the source */
    uint32_t *n_times;     /* [nnz of the target] occurrences in the source */
    /* [words of the target and of the longest source] last segment of each diagonal */
    size_t *open;
} search;

static void search_release(search *with) {
    trib_ngram_index_close(&with->index);
    trib_held_ngrams_release(&with->held);
    TRIB_FREE(with->n_times, with->open, with->of_target.start, with->of_target.place);
}

static trib_status search_init(search *with, const trib_trellis *x, const trib_influence_case *c,
                               trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    size_t longest = 0;
    for (size_t s = 0; s < c->n_sources; s++)
        if (x->source[s].n > longest) longest = x->source[s].n;
    trib_status status = trib_ngram_index_open(&with->index, c, error);
    if (status == TRIB_OK) status = find_occurrences(&with->of_target, target, &x->target, error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&with->n_times, target->counts->nnz, "n-grams in order", error);
    return status == TRIB_OK ? TRIB_NEW(&with->open, x->target.n + longest, "diagonals", error)
                             : status;
}

/* Leaves out the n-grams that are formulas. */
static void leave_out_formulas(trib_held_ngrams *held, const uint8_t *formula) {
    size_t n = 0;
    for (size_t k = 0; k < held->n; k++)
        if (!formula[held->list[k].ngram]) held->list[n++] = held->list[k];
    held->n = n;
}

static trib_status search_source(segments *found, search *with, const trib_trellis *x,
                                 const trib_influence_case *c, uint32_t s, trib_error *error) {
    trib_held_ngrams *held = &with->held;
    const size_t n_before = found->n;
    if (x->target.n + x->source[s].n > UINT32_MAX)
        return trib_fail(error, TRIB_MEMORY, "traced: texts of %zu and %zu words, more than %u",
                         x->target.n, x->source[s].n, UINT32_MAX);
    trib_status status = trib_ngram_index_read(held, &with->index, c->source[s], error);
    if (status != TRIB_OK) return status;
    if (x->formula) leave_out_formulas(held, x->formula);
    for (size_t k = 0; k < held->n; k++) with->n_times[held->list[k].ngram]++;
    status = add_source(found, x, s, held, with->n_times, &with->of_target, with->open, error);
    for (size_t g = n_before; g < found->n; g++)
        with->open[found->list[g].first + x->source[s].n - found->list[g].at] = 0;
    for (size_t k = 0; k < held->n; k++) with->n_times[held->list[k].ngram] = 0;
    return status;
}

static trib_status find_segments(segments *found, const trib_trellis *x,
                                 const trib_influence_case *c, trib_error *error) {
    search with = {0};
    trib_status status = search_init(&with, x, c, error);
    for (size_t s = 0; s < c->n_sources && status == TRIB_OK; s++)
        status = search_source(found, &with, x, c, (uint32_t)s, error);
    search_release(&with);
    return status;
}

/* Fills x->begun and x->begun_shape. next[target.n + 1] is overwritten. */
static trib_status list_begun(trib_trellis *x, const segments *found, size_t *next,
                              trib_error *error) {
    static const char what[] = "the states of the target's words";
    trib_status status = TRIB_NEW(&x->begun, found->n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&x->begun_shape, found->n, what, error);
    if (status != TRIB_OK) return status;
    memset(next, 0, (x->target.n + 1) * sizeof *next);
    for (size_t g = 0; g < found->n; g++) next[found->list[g].first + 1]++;
    for (size_t i = 0; i < x->target.n; i++) next[i + 1] += next[i];
    for (size_t g = 0; g < found->n; g++) {
        const size_t b = next[found->list[g].first]++;
        x->begun[b] = found->list[g].at;
        x->begun_shape[b] = x->shapes.of[g];
    }
    return TRIB_OK;
}

/* Makes the nodes of each word of the target from the segments. */
static trib_status make_nodes(trib_trellis *x, const segments *found, trib_error *error) {
    static const char what[] = "the states of the target's words";
    size_t *next = NULL; /* [target.n + 1] place of the next node of each word */
    trib_status status = TRIB_NEW(&x->first, x->target.n + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&next, x->target.n + 1, what, error);
    if (status != TRIB_OK) goto done;
    for (size_t g = 0; g < found->n; g++)
        for (size_t k = 0; k < found->list[g].n; k++) x->first[found->list[g].first + k + 1]++;
    for (size_t i = 0; i < x->target.n; i++) x->first[i + 1] += x->first[i];
    if (x->first[x->target.n] >= UINT32_MAX) {
        status =
            trib_fail(error, TRIB_MEMORY, "traced: %zu places shared with sources, more than %u",
                      x->first[x->target.n], UINT32_MAX - 1);
        goto done;
    }
    status = TRIB_NEW(&x->node, x->first[x->target.n], what, error);
    if (status != TRIB_OK) goto done;
    memcpy(next, x->first, (x->target.n + 1) * sizeof *next);
    for (size_t g = 0; g < found->n; g++) {
        const trib_segment *s = &found->list[g];
        uint32_t previous = (uint32_t)x->first[x->target.n];
        for (size_t k = 0; k < s->n; k++) {
            const uint32_t z = (uint32_t)next[s->first + k]++;
            const bool is_same = trib_segment_same(s, k, &x->target, x->source);
            x->node[z] = (trib_trellis_node){previous, s->source << 1 | is_same};
            previous = z;
        }
    }
    status = list_begun(x, found, next, error);
done:
    trib_free(next);
    return status;
}

/* Sets *orders to those of the case, or to x->own_orders with the documents of this case alone. */
static trib_status find_orders(trib_trellis *x, const trib_influence_case *c,
                               const trib_word_orders **orders, trib_error *error) {
    uint32_t *among = NULL;
    size_t n = 0;
    *orders = c->orders ? c->orders : &x->own_orders;
    trib_status status = TRIB_NEW(&x->source, c->n_sources, "sources", error);
    if (status == TRIB_OK && !c->orders) {
        status = trib_case_documents(&among, &n, c, error);
        if (status == TRIB_OK)
            status = trib_word_orders_build(&x->own_orders, c->document, c->n_documents, among, n,
                                            c->n_words, error);
        trib_free(among);
    }
    if (status != TRIB_OK) return status;
    x->target = (*orders)->document[c->target];
    for (size_t s = 0; s < c->n_sources; s++) x->source[s] = (*orders)->document[c->source[s]];
    return TRIB_OK;
}

static trib_status allocate(trib_trellis *x, trib_error *error) {
    static const char what[] = "the copying model";
    const size_t n = x->target.n, n_nodes = x->first[n];
    trib_status status = trib_new(&x->prior, x->n_sources, sizeof(double), what, error);
    if (status == TRIB_OK) status = trib_new(&x->begin, x->n_sources, sizeof(double), what, error);
    if (status == TRIB_OK) status = trib_new(&x->own, n, sizeof(double), what, error);
    if (status == TRIB_OK) status = trib_new(&x->entering, n, sizeof(double), what, error);
    if (status == TRIB_OK) status = trib_new(&x->scale, n, sizeof(double), what, error);
    if (status == TRIB_OK) status = trib_new(&x->onward, n, sizeof(double), what, error);
    if (status == TRIB_OK) status = trib_new(&x->ending, n, sizeof(double), what, error);
    if (status == TRIB_OK) status = trib_new(&x->copy, n_nodes + 1, sizeof(double), what, error);
    if (status == TRIB_OK) status = trib_new(&x->later, n_nodes + 1, sizeof(double), what, error);
    return status;
}

/* Finds the formulas among the target's n-grams. */
static trib_status find_formulas(trib_trellis *x, const trib_influence_case *c, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    uint64_t n = 0;
    trib_status status = trib_formula_find(&x->formula, &n, c, error);
    if (status != TRIB_OK || !x->formula) return status;
    status = trib_new(&x->formula_at, x->target.n, 1, "formulas", error);
    for (size_t k = 0; k < target->n_ngrams && status == TRIB_OK; k++)
        x->formula_at[x->target.place[k]] = x->formula[target->sequence[k]];
    return status;
}

trib_status trib_trellis_build(trib_trellis *x, const trib_influence_case *c, trib_error *error) {
    segments found = {0};
    *x = (trib_trellis){.n_sources = c->n_sources,
                        .n_modes = c->document[c->target].counts->n_modes};
    const trib_word_orders *orders = NULL;
    trib_status status = find_orders(x, c, &orders, error);
    if (status == TRIB_OK) status = find_formulas(x, c, error);
    if (status == TRIB_OK) status = find_segments(&found, x, c, error);
    if (status == TRIB_OK)
        status = trib_shapes_build(&x->shapes, found.list, found.n, x->n_modes, &x->target,
                                   x->source, x->n_sources, error);
    if (status == TRIB_OK) status = make_nodes(x, &found, error);
    trib_free(found.list); /* freed first, since the nodes' probabilities need the memory */
    if (status == TRIB_OK) status = TRIB_NEW(&x->chance, x->target.n, "chances", error);
    if (status == TRIB_OK)
        status = trib_word_chances(x->chance, orders, c->target, c->source, c->n_sources,
                                   c->n_words, error);
    if (status == TRIB_OK) status = allocate(x, error);
    if (status != TRIB_OK) trib_trellis_release(x);
    return status;
}

void trib_trellis_release(trib_trellis *x) {
    trib_word_orders_release(&x->own_orders);
    TRIB_FREE(x->source, x->chance, x->formula, x->formula_at, x->first, x->node, x->begun,
              x->begun_shape);
    trib_shapes_release(&x->shapes);
    TRIB_FREE(x->prior, x->begin, x->own, x->copy, x->entering, x->scale, x->onward, x->ending,
              x->later);
    *x = (trib_trellis){0};
}
