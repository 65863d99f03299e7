/* versions.c - which texts are versions of one text. The passages of the run say it, and which
 * words stand for which. Two texts are versions when at least HALF of the words of each stand in
 * passages of both, in one order. So are a text and an abridged one: at least PART of the shorter
 * and LEAST of the longer, when no other text shares more than HALF of so much with one of them;
 * else a collection would be a version of each of its parts. */
#include "pipeline/output/versions.h"

static const double HALF = .5, PART = .4, LEAST = .25;

/* The passages of a target with one of its sources. */
typedef struct pair {
    uint32_t target, source; /* documents */
    const trib_passages *passages;
    uint32_t n_same; /* words of the target for which one of the source stands */
    bool is_whole, is_abridged;
} pair;
TRIB_RECORD_LIST(pair_list, pair);

/* Counts the words of a pair, and says whether they can matter. */
static bool weigh(pair *p, const trib_corpus_words *words, trib_arena *scratch) {
    const size_t n = words->document[p->target].n_tokens, m = words->document[p->source].n_tokens;
    const double shorter = (double)(n < m ? n : m), longer = (double)(n < m ? m : n);
    for (size_t r = 0; r < p->passages->n_runs; r++)
        if (p->passages->run[r].source != UINT32_MAX) p->n_same += p->passages->run[r].n;
    if (p->n_same < HALF * LEAST * shorter) return false;
    if (p->n_same < PART * shorter || p->n_same < LEAST * longer) return true;
    uint32_t *const beside = trib_arena_new(scratch, n + 1, sizeof *beside);
    if (!beside) return false;
    memset(beside, 0xFF, n * sizeof *beside); /* TRIB_NO_PLACE */
    for (size_t r = 0; r < p->passages->n_runs; r++) {
        const trib_shared_run *const run = &p->passages->run[r];
        for (uint32_t k = 0; run->source != UINT32_MAX && k < run->n; k++)
            beside[run->target + k] = run->source + k;
    }
    const double n_order = (double)trib_words_in_order(beside, n, m, scratch);
    p->is_whole = n_order >= HALF * longer;
    p->is_abridged = n_order >= PART * shorter && n_order >= LEAST * longer;
    return true;
}

/* Lists the pairs that can matter. */
static trib_status list_pairs(pair_list *list, const trib_run_results *results, trib_arena *arena,
                              trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < results->corpus->n_targets && status == TRIB_OK; t++) {
        const trib_findings *const findings = results->target[t].findings;
        for (uint32_t s = 0; findings->passages && s < findings->n_sources; s++) {
            const trib_passages *const passages = &findings->passages[s];
            pair one = {.target = results->corpus->target[t].document,
                        .source = passages->source,
                        .passages = passages};
            trib_arena scratch = {0};
            const bool is_one = passages->n > 0 && weigh(&one, results->words, &scratch);
            if (status == TRIB_OK) status = trib_arena_check(&scratch, error);
            trib_arena_release(&scratch);
            pair *const added = is_one ? trib_arena_append(arena, list, sizeof *added) : NULL;
            if (added) *added = one;
        }
    }
    return status == TRIB_OK ? trib_arena_check(arena, error) : status;
}

/* Whether a text that is in no group of the pair shares too much with one of them. */
static bool has_rival(const pair_list *list, const pair *p, const uint32_t *group) {
    const uint32_t a = group[p->target], b = group[p->source];
    for (size_t i = 0; i < list->n; i++) {
        const pair *const other = &list->item[i];
        const uint32_t x = group[other->target], y = group[other->source];
        if ((x == a || x == b) != (y == a || y == b) && other->n_same > HALF * p->n_same)
            return true;
    }
    return false;
}

/* Joins the groups of the pairs that are versions; a group has the number of its earliest text. */
static void join(pair_list *list, uint32_t *group) {
    for (bool joins = true; joins;) {
        joins = false;
        for (size_t p = 0; p < list->n; p++) {
            uint32_t *const a = &group[list->item[p].target], *const b =
                                                                  &group[list->item[p].source];
            if (!list->item[p].is_whole || *a == *b) continue;
            joins = true;
            *a = *b = *a < *b ? *a : *b;
        }
    }
}

trib_status trib_result_add_versions(trib_result *result, const trib_run_results *results,
                                     trib_error *error) {
    const trib_corpus *const corpus = results->corpus;
    trib_arena arena = {0};
    pair_list list = {0};
    uint32_t *by_date = NULL;
    trib_status status = list_pairs(&list, results, &arena, error);
    uint32_t *const group = trib_arena_new(&arena, corpus->n_documents, sizeof *group);
    if (status == TRIB_OK) status = trib_arena_check(&arena, error);
    if (status == TRIB_OK && list.n > 0) status = trib_corpus_by_date(corpus, &by_date, error);
    for (uint32_t d = 0; by_date && d < corpus->n_documents; d++) group[by_date[d]] = d;
    if (by_date) join(&list, group);
    for (size_t p = 0; by_date && p < list.n; p++)
        list.item[p].is_abridged =
            list.item[p].is_abridged && !has_rival(&list, &list.item[p], group);
    for (size_t p = 0; p < list.n; p++) list.item[p].is_whole |= list.item[p].is_abridged;
    if (by_date) join(&list, group);
    for (uint32_t g = 0; by_date && g < corpus->n_documents; g++) {
        trib_texts ids = {0};
        for (uint32_t d = g; d < corpus->n_documents && ids.n < TRIB_MOST_WITNESSES; d++)
            if (group[by_date[d]] == g)
                trib_texts_add(&result->arena, &ids, corpus->document[by_date[d]].about->id);
        trib_version_record *const one =
            ids.n > 1 ? trib_arena_append(&result->arena, &result->versions, sizeof *one) : NULL;
        if (one) *one = (trib_version_record){ids, trib_results_have_texts(results)};
    }
    trib_free(by_date);
    trib_arena_release(&arena);
    return status == TRIB_OK ? trib_arena_check(&result->arena, error) : status;
}

/* ---- Alignment ------------------------------------------------------------------------------- */

/* Sets which words of a witness stand for which of its guide, by the passages of both. */
static void align(trib_witness *w, const trib_witness *guide, const pair *of,
                  const trib_quotes *quotes, trib_arena *arena) {
    static const uint8_t weights[] = {
        [TRIB_EQUAL] = 4, [TRIB_MOVED] = 4, [TRIB_CLOSE] = 3, [TRIB_REPLACED] = 1};
    const bool is_target = of->target == w->document;
    const uint32_t *const held = quotes->document[w->document].held,
                          *const there = quotes->document[guide->document].held;
    uint8_t *const weight = trib_arena_new(arena, w->n + 1, 1);
    w->beside = trib_arena_new(arena, w->n + 1, sizeof *w->beside);
    w->moved = trib_arena_new(arena, w->n + 1, sizeof *w->moved);
    if (arena->failure.status != TRIB_OK) return;
    memset(w->beside, 0xFF, w->n * sizeof *w->beside); /* TRIB_NO_PLACE */
    for (size_t r = 0; r < of->passages->n_runs; r++) {
        const trib_shared_run *const run = &of->passages->run[r];
        for (uint32_t k = 0; run->source != UINT32_MAX && k < run->n; k++) {
            const uint32_t i = held[(is_target ? run->target : run->source) + k];
            if (weight[i] >= weights[run->kind]) continue;
            weight[i] = weights[run->kind];
            w->beside[i] = there[(is_target ? run->source : run->target) + k];
        }
    }
    trib_witness_order(w, weight, guide, arena);
}

trib_status trib_versions_collate(trib_collation *c, const trib_quotes *quotes, trib_error *error) {
    const size_t n = c->n_witnesses;
    pair_list list = {0};
    uint32_t *const order = trib_arena_new(c->arena, n, sizeof *order),
                    *const number =
                        trib_arena_new(c->arena, quotes->results->corpus->n_documents, 4);
    bool *const is_in = trib_arena_new(c->arena, n, sizeof *is_in);
    trib_status status = list_pairs(&list, quotes->results, c->arena, error);
    c->order = order;
    for (size_t w = 0; status == TRIB_OK && w < n; w++)
        number[c->witness[w].document] = (uint32_t)w + 1;
    for (size_t round = 1; status == TRIB_OK && round < n; round++) {
        const pair *best = NULL; /* of one that is aligned, and one that is not */
        is_in[0] = true;
        for (size_t p = 0; p < list.n; p++) {
            const uint32_t a = number[list.item[p].target], b = number[list.item[p].source];
            if (a > 0 && b > 0 && is_in[a - 1] != is_in[b - 1] &&
                (!best || list.item[p].n_same > best->n_same))
                best = &list.item[p];
        }
        if (!best) return trib_fail(error, TRIB_INTERNAL, "versions share no passages");
        const uint32_t a = number[best->target] - 1, b = number[best->source] - 1,
                       w = is_in[a] ? b : a;
        c->witness[w].guide = is_in[a] ? a : b;
        align(&c->witness[w], &c->witness[c->witness[w].guide], best, quotes, c->arena);
        is_in[order[round] = w] = true;
        status = trib_arena_check(c->arena, error);
    }
    if (status == TRIB_OK) trib_collation_make(c);
    return status == TRIB_OK ? trib_arena_check(c->arena, error) : status;
}
