/* traced_runs.c - the runs of a target's words that are traced to a source, for the running text.
 * With the method `traced` they are those of the trace; runs of one source are joined where few
 * words lie between them in both texts. Without it they are the passages; where those of several
 * sources overlap, the one with more shared n-grams has the words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/report/reading.h"

/* ---- Runs of the trace ----------------------------------------------------------------------- */

/* Whether a run follows another of the same source after few words of both texts. */
static bool follows(const trib_text_run *run, const trib_text_run *before) {
    const size_t end = before->first + before->n,
                 source_end = before->source_first + before->source_n;
    return run->source == before->source && run->first <= end + TRIB_LONGEST_GAP &&
           run->source_first >= source_end && run->source_first <= source_end + TRIB_LONGEST_GAP;
}

/* Joins a run to the one before it. */
static void join(trib_text_run *to, const trib_text_run *run) {
    const double n = (double)(to->n + run->n);
    to->probability = ((double)to->n * to->probability + (double)run->n * run->probability) / n;
    to->n = run->first + run->n - to->first;
    to->source_n = run->source_first + run->source_n - to->source_first;
}

static trib_status list_trace(trib_text_run **run, size_t *n, trib_quotes *quotes, uint32_t t,
                              trib_error *error) {
    const trib_run_results *results = quotes->results;
    const trib_target *target = &results->corpus->target[t];
    const trib_findings *findings = results->target[t].findings;
    const uint32_t order = results->config->tensor.n;
    const uint32_t *own = quotes->document[target->document].end;
    trib_status status = trib_new(run, findings->n_trace, sizeof **run, "the traced runs", error);
    for (size_t i = 0; i < findings->n_trace && status == TRIB_OK; i++) {
        const trib_traced_run *traced = &findings->trace[i];
        const uint32_t source = target->source[traced->source];
        status = trib_quotes_prepare(quotes, source, error);
        if (status != TRIB_OK) break;
        const uint32_t *theirs = quotes->document[source].end;
        const size_t first = own[traced->target] - (order - 1),
                     source_first = theirs[traced->place] - (order - 1);
        const trib_text_run one = {first,
                                   own[traced->target + traced->n - 1] - first + 1,
                                   source,
                                   source_first,
                                   theirs[traced->place + traced->n - 1] - source_first + 1,
                                   traced->probability};
        if (*n > 0 && follows(&one, &(*run)[*n - 1])) join(&(*run)[*n - 1], &one);
        else (*run)[(*n)++] = one;
    }
    return status;
}

/* ---- Runs of the passages -------------------------------------------------------------------- */

/* A passage, and what decides between two. */
typedef struct candidate {
    trib_text_run run;
    size_t n_shared; /* n-grams */
} candidate;

typedef struct candidates {
    candidate *list; /* [n] */
    size_t n, cap;
} candidates;

static int by_strength(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->n_shared != y->n_shared) return x->n_shared < y->n_shared ? 1 : -1;
    if (x->run.first != y->run.first) return x->run.first < y->run.first ? -1 : 1;
    if (x->run.source != y->run.source) return x->run.source < y->run.source ? -1 : 1;
    return x->run.source_first < y->run.source_first ? -1
                                                     : x->run.source_first > y->run.source_first;
}

static int by_place(const void *a, const void *b) {
    const trib_text_run *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* The n-grams that a passage has at least. One of a single n-gram is listed as a phrase only; with
 * many targets most passages of two are found by chance, and the pages would be twice as large. */
static size_t least_shared(const trib_corpus *corpus) {
    enum { MANY = 12, LEAST = 2, LEAST_OF_MANY = 3 };
    return corpus->n_targets > MANY ? LEAST_OF_MANY : LEAST;
}

/* Adds the passages with one source. */
static trib_status add_passages(candidates *to, trib_quotes *quotes, uint32_t target,
                                const trib_passages *passages, trib_error *error) {
    const uint32_t n = quotes->results->config->tensor.n;
    trib_status status = trib_quotes_prepare(quotes, passages->source, error);
    if (status != TRIB_OK) return status;
    const uint32_t *own = quotes->document[target].end,
                   *theirs = quotes->document[passages->source].end;
    for (size_t p = 0; p < passages->n && status == TRIB_OK; p++) {
        const trib_passage *passage = &passages->passage[p];
        if (passage->n_shared < least_shared(quotes->results->corpus)) continue;
        const size_t first = own[passage->target] - (n - 1),
                     last = own[passage->target + passage->n_target - 1],
                     source_first = theirs[passage->source] - (n - 1),
                     source_last = theirs[passage->source + passage->n_source - 1];
        status =
            trib_grow(&to->list, &to->cap, to->n + 1, sizeof *to->list, "the traced runs", error);
        if (status == TRIB_OK)
            to->list[to->n++] = (candidate){{first, last - first + 1, passages->source,
                                             source_first, source_last - source_first + 1, NAN},
                                            passage->n_shared};
    }
    return status;
}

/* Reduces a run to the longest part of it whose words no other run has. */
static void keep_free(trib_text_run *run, const uint8_t *taken) {
    size_t first = run->first, n = 0;
    const size_t end = run->first + run->n;
    for (size_t w = run->first, from = w; w <= end; w++)
        if (w == end || taken[w]) {
            if (w - from > n) first = from, n = w - from;
            from = w + 1;
        }
    run->first = first;
    run->n = n;
}

/* Cuts a run to the words from the first to the last that agree, in both texts. */
static trib_status trim(trib_text_run *run, const trib_quotes *quotes, uint32_t target,
                        trib_error *error) {
    uint8_t *own = NULL;
    trib_status status = trib_new(&own, run->n + run->source_n, 1, "a traced run", error);
    if (status != TRIB_OK) return status;
    uint8_t *theirs = own + run->n;
    trib_text_run_align(run, quotes, target, own, theirs);
    size_t end = run->n, source_end = run->source_n, first = 0, source_first = 0;
    while (end > 0 && !own[end - 1]) end--;
    while (source_end > 0 && !theirs[source_end - 1]) source_end--;
    while (first < end && !own[first]) first++;
    while (source_first < source_end && !theirs[source_first]) source_first++;
    run->first += first;
    run->source_first += source_first;
    run->n = end - first;
    run->source_n = source_end - source_first;
    trib_free(own);
    return TRIB_OK;
}

static trib_status list_passages(trib_text_run **run, size_t *n, trib_quotes *quotes, uint32_t t,
                                 trib_error *error) {
    const trib_run_results *results = quotes->results;
    const trib_findings *findings = results->target[t].findings;
    const uint32_t target = results->corpus->target[t].document, least = results->config->tensor.n;
    candidates found = {0};
    uint8_t *taken = NULL;
    trib_status status = TRIB_OK;
    for (uint32_t s = 0; findings->passages && s < findings->n_sources && status == TRIB_OK; s++)
        if (findings->passages[s].n > 0)
            status = add_passages(&found, quotes, target, &findings->passages[s], error);
    if (status == TRIB_OK) status = trib_new(run, found.n, sizeof **run, "the traced runs", error);
    if (status == TRIB_OK)
        status = trib_new(&taken, results->words->document[target].n_tokens, 1, "the traced words",
                          error);
    if (found.n > 0) qsort(found.list, found.n, sizeof *found.list, by_strength);
    for (size_t i = 0; i < found.n && status == TRIB_OK; i++) {
        trib_text_run one = found.list[i].run;
        keep_free(&one, taken);
        if (one.n < least) continue;
        status = trim(&one, quotes, target, error);
        if (one.n < least || status != TRIB_OK) continue;
        memset(taken + one.first, 1, one.n);
        (*run)[(*n)++] = one;
    }
    if (*n > 0) qsort(*run, *n, sizeof **run, by_place);
    trib_free(taken);
    trib_free(found.list);
    return status;
}

trib_status trib_text_runs_list(trib_text_run **run, size_t *n, trib_quotes *quotes, uint32_t t,
                                trib_error *error) {
    const trib_run_results *results = quotes->results;
    *run = NULL;
    *n = 0;
    const trib_status status =
        trib_quotes_prepare(quotes, results->corpus->target[t].document, error);
    if (status != TRIB_OK) return status;
    return trib_method_of_trace(results->config) ? list_trace(run, n, quotes, t, error)
                                                 : list_passages(run, n, quotes, t, error);
}

/* ---- Words that agree ------------------------------------------------------------------------ */

typedef struct pair {
    const uint32_t *own, *theirs; /* ids of the words */
    size_t n, m;
    uint32_t wildcard; /* stands for different words */
} pair;

static bool agree(const pair *p, size_t i, size_t j) {
    return i < p->n && j < p->m && p->own[i] == p->theirs[j] && p->own[i] != p->wildcard &&
           p->own[i] != TRIB_NO_WORD;
}

/* Finds the nearest place after (i, j) where `least` words in a row agree. */
static bool find_next(const pair *p, size_t least, size_t *i, size_t *j) {
    enum { FARTHEST = 24 }; /* words of both texts together */
    for (size_t all = 1; all <= FARTHEST; all++)
        for (size_t k = 0; k <= all; k++) {
            const size_t x = *i + k, y = *j + all - k;
            if (!agree(p, x, y) || (least > 1 && !agree(p, x + 1, y + 1))) continue;
            *i = x;
            *j = y;
            return true;
        }
    return false;
}

void trib_text_run_align(const trib_text_run *run, const trib_quotes *quotes, uint32_t target,
                         uint8_t *own, uint8_t *theirs) {
    const trib_vocab *vocab = quotes->results->vocab;
    const pair p = {quotes->document[target].word + run->first,
                    quotes->document[run->source].word + run->source_first, run->n, run->source_n,
                    vocab->other};
    for (size_t i = 0, j = 0; i < p.n && j < p.m; i++, j++) {
        if (!agree(&p, i, j) && !find_next(&p, 2, &i, &j) && !find_next(&p, 1, &i, &j)) continue;
        own[i] = theirs[j] = 1;
    }
}
