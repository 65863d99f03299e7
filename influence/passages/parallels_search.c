/* parallels_search.c - finds the pairs of units of two texts with the best scores (parallels.h has
 * the formula). For a unit of the target, an inverted index adds up what each unit of the source
 * shares with it: the number of features, the information of the two rarest, and the cosine of the
 * 4-grams. That gives an upper bound of the score, in which the two rarest features are neighbours.
 * Only pairs whose bound reaches the worst pair of a full list are scored exactly (as in MaxScore,
 * Turtle and Flood, Information Processing and Management 31(6), 1995).
 *
 * Every thread has a list of its own. The pairs are totally ordered, so the best pairs of all lists
 * are the best of all pairs, whatever thread found them. */
#include "base/internal.h"
#include "influence/passages/parallels_parts.h"

#include <omp.h>
#include <pthread.h>

enum { CHUNK = 32 /* units of the target that a thread takes at once */ };

/* A listed pair. */
typedef struct candidate {
    double score, cosine;
    uint32_t target, source;
} candidate;

/* What a unit of the source shares with the unit of the target, before words are matched. */
typedef struct shared {
    uint32_t n;           /* features in common */
    double first, second; /* information of the two rarest */
} shared;

/* The scores of a unit of the target with all units of the source. */
typedef struct score_row {
    double *score;  /* [n_units of the source] -INFINITY: not scored, or not worth it */
    double *cosine; /* [n_units of the source] set where there is a score */
    uint32_t *scored;
    size_t n_scored;
} score_row;

/* The state of one thread. */
typedef struct worker {
    const trib_parallel_index *index;
    const trib_parallel_options *options;
    trib_parallel_side side;
    shared *sum;       /* [n_units of the source], 0 between two rows */
    double *cosine;    /* [n_units of the source] */
    uint32_t *touched; /* [n_touched] units of the source with a common feature */
    size_t n_touched;
    score_row row[3];     /* overlapping units: of units t - 1, t and t + 1, each at t % 3 */
    candidate *candidate; /* [n_candidates] at most twice as many as are wanted */
    size_t n_candidates, cap;
    candidate worst;     /* a pair that is no better cannot be among the best */
    uint32_t first, end; /* the units of the target it scores now, without neighbours */
    uint64_t n_scored;   /* pairs of such units that share a feature */
} worker;

/* ---- The list of a thread -------------------------------------------------------------------- */

/* Whether pair a comes before pair b: by descending score, then by place. */
TRIB_ORDER(by_quality, candidate, TRIB_DOWN(score) ?: TRIB_UP(target) ?: TRIB_UP(source));

static bool is_better(const candidate *a, const candidate *b) { return by_quality(a, b) < 0; }

/* Sorts the list, and drops all but the best. */
static void sort_out(worker *w) {
    const size_t top = w->options->top;
    if (w->n_candidates > 1) qsort(w->candidate, w->n_candidates, sizeof *w->candidate, by_quality);
    if (w->n_candidates >= top) w->worst = w->candidate[(w->n_candidates = top) - 1];
}

static trib_status list_pair(worker *w, candidate pair, trib_error *error) {
    if (!is_better(&pair, &w->worst)) return TRIB_OK;
    if (w->n_candidates / 2 == w->options->top) sort_out(w);
    const trib_status status =
        TRIB_APPEND(&w->candidate, &w->n_candidates, &w->cap, "the best pairs", error, &pair);
    return status;
}

/* ---- Scoring --------------------------------------------------------------------------------- */

/* Adds up what every unit of the source shares with the unit of w->side. */
static void add_up(worker *w) {
    const trib_parallel_index *index = w->index;
    const uint32_t t = w->side.unit;
    w->n_touched = 0;
    for (size_t i = 0; i < w->side.n_features; i++) { /* the rarest first */
        const trib_parallel_feature *feature = &w->side.feature[i];
        const size_t end = index->holders_from[feature->feature + 1];
        for (size_t h = index->holders_from[feature->feature]; h < end; h++) {
            shared *sum = &w->sum[index->holder[h]];
            if (sum->n == 0) {
                w->touched[w->n_touched++] = index->holder[h];
                sum->first = feature->information;
            } else if (sum->n == 1) {
                sum->second = feature->information;
            }
            sum->n++;
        }
    }
    const size_t n_units = index->source->n_units;
    if (n_units > 0) memset(w->cosine, 0, n_units * sizeof *w->cosine);
    for (size_t g = index->grams_from[t]; g < index->grams_from[t + 1]; g++) {
        const trib_parallel_gram *gram = &index->gram[g];
        const size_t end = index->postings_from[gram->number + 1];
        for (size_t p = index->postings_from[gram->number]; p < end; p++)
            w->cosine[index->posting[p].number] += gram->weight * index->posting[p].weight;
    }
}

/* An upper bound of the score: every feature in common is matched, and the two rarest are
 * neighbours. It allows for rounding. */
static double bound(const worker *w, uint32_t s) {
    const shared *sum = &w->sum[s];
    const double weight = w->options->distance;
    const double one = TRIB_PARALLEL_SINGLE - weight * trib_logarithm((double)TRIB_PARALLEL_APART);
    const double two = sum->n > 1 ? sum->second - weight * trib_logarithm(2) : one;
    const double more = sum->n > 2 ? TRIB_PARALLEL_MORE * (sum->n - 2) : 0;
    const double most = sum->first + (two > one ? two : one) + more +
                        trib_parallel_likeness(w->index, w->side.unit, s, w->cosine[s]);
    return most + 1e-9 * (1 + fabs(most));
}

/* Scores unit t of the target with every unit of the source that may enter the list. They are
 * listed, or, with overlapping units, written to `to`. */
static trib_status score_unit(worker *w, uint32_t t, score_row *to, trib_error *error) {
    trib_status status = trib_parallel_side_set(&w->side, t, error);
    if (status != TRIB_OK) return status;
    add_up(w);
    if (t >= w->first && t < w->end) w->n_scored += w->n_touched;
    for (size_t i = 0; i < w->n_touched; i++) {
        const uint32_t s = w->touched[i];
        const bool may_enter = bound(w, s) >= w->worst.score;
        candidate pair = {.cosine = w->cosine[s], .target = t, .source = s};
        w->sum[s].n = 0;
        if (!may_enter || status != TRIB_OK) continue;
        status =
            trib_parallel_score(&w->side, s, pair.cosine, w->options->distance, &pair.score, error);
        if (status != TRIB_OK) continue;
        if (!to) {
            status = list_pair(w, pair, error);
            continue;
        }
        to->score[s] = pair.score;
        to->cosine[s] = pair.cosine;
        to->scored[to->n_scored++] = s;
    }
    return status;
}

/* ---- Overlapping units ----------------------------------------------------------------------- */

static void clear_row(score_row *row) {
    for (size_t i = 0; i < row->n_scored; i++) row->score[row->scored[i]] = -INFINITY;
    row->n_scored = 0;
}

/* Whether none of the 8 neighbours of a pair is better. A neighbour that was not scored is worse
 * than all pairs that can still be listed. */
static bool is_best_nearby(const worker *w, const candidate *pair) {
    const uint32_t n = w->index->source->n_units;
    for (int dt = -1; dt <= 1; dt++)
        for (int ds = -1; ds <= 1; ds++) {
            const int64_t t = (int64_t)pair->target + dt, s = (int64_t)pair->source + ds;
            if ((dt == 0 && ds == 0) || t < 0 || s < 0 || s >= n) continue;
            const candidate other = {w->row[t % 3].score[s], 0, (uint32_t)t, (uint32_t)s};
            if (is_better(&other, pair)) return false;
        }
    return true;
}

static trib_status list_row(worker *w, uint32_t t, trib_error *error) {
    const score_row *row = &w->row[t % 3];
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < row->n_scored && status == TRIB_OK; i++) {
        const uint32_t s = row->scored[i];
        const candidate pair = {row->score[s], row->cosine[s], t, s};
        if (is_best_nearby(w, &pair)) status = list_pair(w, pair, error);
    }
    return status;
}

/* Fills the row of unit t; of no unit when t is beyond the text. */
static trib_status fill_row(worker *w, uint32_t t, trib_error *error) {
    clear_row(&w->row[t % 3]);
    return t < w->index->target->n_units ? score_unit(w, t, &w->row[t % 3], error) : TRIB_OK;
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Scores the units first .. end - 1 of the target. */
static trib_status score_units(worker *w, uint32_t first, uint32_t end, trib_error *error) {
    trib_status status = TRIB_OK;
    w->first = first;
    w->end = end;
    for (int i = 0; w->options->overlap && i < 3; i++) clear_row(&w->row[i]);
    if (w->options->overlap && first > 0) status = fill_row(w, first - 1, error);
    if (w->options->overlap && status == TRIB_OK) status = fill_row(w, first, error);
    for (uint32_t t = first; t < end && status == TRIB_OK; t++) {
        status = w->options->overlap ? fill_row(w, t + 1, error) : score_unit(w, t, NULL, error);
        if (w->options->overlap && status == TRIB_OK) status = list_row(w, t, error);
    }
    return status;
}

static trib_status open_worker(worker *w, const trib_parallel_index *index,
                               const trib_parallel_options *options, trib_error *error) {
    const uint32_t n = index->source->n_units;
    static const char what[] = "the scores of pairs";
    w->index = index;
    w->options = options;
    w->worst.score = -INFINITY;
    trib_status status = trib_parallel_side_init(&w->side, index, error);
    if (status == TRIB_OK) status = TRIB_NEW(&w->sum, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&w->cosine, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&w->touched, n, what, error);
    for (int i = 0; options->overlap && i < 3 && status == TRIB_OK; i++) {
        score_row *row = &w->row[i];
        status = TRIB_NEW(&row->score, n, what, error);
        for (uint32_t s = 0; status == TRIB_OK && s < n; s++) row->score[s] = -INFINITY;
        if (status == TRIB_OK) status = TRIB_NEW(&row->cosine, n, what, error);
        if (status == TRIB_OK) status = TRIB_NEW(&row->scored, n, what, error);
    }
    return status;
}

static void close_worker(worker *w) {
    trib_parallel_side_release(&w->side);
    for (int i = 0; i < 3; i++) {
        TRIB_FREE(w->row[i].score, w->row[i].cosine, w->row[i].scored);
    }
    TRIB_FREE(w->sum, w->cosine, w->touched, w->candidate);
}

/* ---- Search ---------------------------------------------------------------------------------- */

static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;

/* Scores all pairs, chunks of the target's units on several threads. */
static trib_status search(worker *workers, int n_workers, trib_progress progress,
                          trib_error *error) {
    const uint32_t n = workers->index->target->n_units;
    const uint32_t n_chunks = (n + CHUNK - 1) / CHUNK;
    uint32_t n_done = 0;
    trib_status status = TRIB_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_workers)
    for (uint32_t c = 0; c < n_chunks; c++) {
        worker *w = &workers[omp_get_thread_num()];
        trib_error failure = {0};
        trib_status one = trib_stop_check(&failure);
        const uint32_t end = (c + 1) * CHUNK < n ? (c + 1) * CHUNK : n;
        if (one == TRIB_OK) one = score_units(w, c * CHUNK, end, &failure);
        pthread_mutex_lock(&joining);
        if (one == TRIB_OK && status == TRIB_OK &&
            !trib_progress_tick(&progress, ++n_done, n_chunks))
            one = trib_fail(&failure, TRIB_INTERRUPTED, "stopped");
        if (one != TRIB_OK && status == TRIB_OK) {
            status = one;
            if (error) *error = failure;
        }
        pthread_mutex_unlock(&joining);
    }
    return status;
}

/* Copies the best pairs of all threads to `found`. */
static trib_status collect(trib_parallels *found, const worker *workers, int n_workers,
                           trib_error *error) {
    const size_t top = workers->options->top;
    TRIB_FREED(candidate *) all = NULL;
    size_t n = 0;
    for (int i = 0; i < n_workers; i++) {
        n += workers[i].n_candidates;
        found->n_scored += workers[i].n_scored;
    }
    trib_status status = TRIB_NEW(&all, n, "the best pairs", error);
    n = 0;
    for (int i = 0; status == TRIB_OK && i < n_workers; i++)
        for (size_t j = 0; j < workers[i].n_candidates; j++) all[n++] = workers[i].candidate[j];
    if (status == TRIB_OK && n > 1) qsort(all, n, sizeof *all, by_quality);
    if (n > top) n = top;
    if (status == TRIB_OK) status = TRIB_NEW(&found->pair, n, "the best pairs", error);
    for (size_t i = 0; status == TRIB_OK && i < n; i++)
        found->pair[i] = (trib_parallel){.score = all[i].score,
                                         .cosine = all[i].cosine,
                                         .target = all[i].target,
                                         .source = all[i].source};
    if (status == TRIB_OK) found->n = n;
    return status;
}

/* Scores the listed pairs again, to store which words they match. */
static trib_status match(trib_parallels *found, worker *w, trib_error *error) {
    size_t cap = 0;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < found->n && status == TRIB_OK; i++) {
        trib_parallel *pair = &found->pair[i];
        status = trib_parallel_side_set(&w->side, pair->target, error);
        if (status == TRIB_OK)
            status = trib_parallel_score(&w->side, pair->source, pair->cosine, w->options->distance,
                                         &pair->score, error);
        const size_t n = w->side.n_matches;
        if (status == TRIB_OK)
            status = TRIB_GROW(&found->match, &cap, found->n_matches + n, "matched words", error);
        if (status != TRIB_OK) break;
        memcpy(found->match + found->n_matches, w->side.match, n * sizeof *found->match);
        pair->distance = w->side.distance;
        pair->first_match = found->n_matches;
        pair->n_matches = (uint32_t)n;
        found->n_matches += n;
    }
    return status;
}

trib_status trib_parallels_find(trib_parallels *found, const trib_parallel_lexicon *lexicon,
                                const trib_parallel_text *target, const trib_parallel_text *source,
                                const trib_parallel_options *options, trib_progress progress,
                                trib_error *error) {
    trib_parallel_index index;
    worker *workers = NULL;
    int n_workers = 0; /* opened, also in part */
    *found = (trib_parallels){0};
    trib_status status = trib_parallel_index_build(&index, lexicon, target, source, error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&workers, (size_t)options->n_threads, "threads", error);
    while (status == TRIB_OK && n_workers < options->n_threads)
        status = open_worker(&workers[n_workers++], &index, options, error);
    if (status == TRIB_OK) status = search(workers, n_workers, progress, error);
    if (status == TRIB_OK) status = collect(found, workers, n_workers, error);
    if (status == TRIB_OK) status = match(found, workers, error);
    for (int i = 0; i < n_workers; i++) close_worker(&workers[i]);
    trib_free(workers);
    trib_parallel_index_release(&index);
    if (status != TRIB_OK) trib_parallels_release(found);
    return status;
}

void trib_parallels_release(trib_parallels *found) {
    TRIB_FREE(found->pair, found->match);
    *found = (trib_parallels){0};
}
