/* score.c - how right a way of measuring is. */
#include "tests/validate/validate.h"

bool is_scored(const known_case *c) { return !c->is_respelled && !c->is_revised; }
static bool is_altered(const known_case *c) {
    return c->change[0] != '-' && strcmp(c->change, "shuffle") != 0 && is_scored(c);
}
static bool is_grouped(const known_case *c) {
    for (size_t s = 0; s < c->n_sources; s++)
        if (c->is_grouped[s]) return true;
    return false;
}
static bool has_many_sources(const known_case *c) { return c->n_sources >= 10 && !is_grouped(c); }
static bool has_copies(const known_case *c) {
    for (size_t s = 0; s < c->n_sources; s++)
        if (c->truth[IN_WORDS][s] > 0) return true;
    return false;
}
static bool is_repeated(const known_case *c) { return c->n_repeats > 1; }
static bool is_of_odd_size(const known_case *c) {
    return !c->is_revised && (c->n_words < 1500 || c->n_words > 10000);
}
static bool is_plain(const known_case *c) {
    return c->change[0] == '-' && !is_repeated(c) && !is_grouped(c) && !has_many_sources(c) &&
           !is_of_odd_size(c) && has_copies(c);
}
static bool is_altered_only(const known_case *c) { return is_altered(c) && !is_of_odd_size(c); }
static bool has_nothing(const known_case *c) { return !has_copies(c) && !c->is_revised; }
static bool is_respelled(const known_case *c) { return c->is_respelled; }
static bool is_revised(const known_case *c) { return c->is_revised; }

const cell cells[] = {{"copied to the letter", is_plain},
                      {"the same, 10 to 23 sources", has_many_sources},
                      {"quoted 2, 4 and 10 times", is_repeated},
                      {"held by several sources", is_grouped},
                      {"words replaced, left out, inserted, moved", is_altered_only},
                      {"targets of 120 to 800 and of 45 000 words", is_of_odd_size},
                      {"nothing planted, and decoys", has_nothing},
                      {"characters misread, old spelling", is_respelled},
                      {"most words altered or moved", is_revised},
                      {"all but misread, respelled and revised", is_scored},
                      {NULL, NULL}};

void list_rungs(const validation *v, const char *rung[]) {
    size_t n = 0;
    for (size_t i = 0; i < v->n_planted && n < 63; i++) {
        size_t k = 0;
        while (k < n && strcmp(rung[k], v->planted[i].rung) != 0) k++;
        if (k == n) rung[n++] = v->planted[i].rung;
    }
    rung[n] = NULL;
}

/* Sums for a correlation. */
typedef struct moments {
    double n, x, y, xx, yy, xy;
} moments;

static double correlation(const moments *m) {
    return (m->xy - m->x * m->y / m->n) /
           sqrt((m->xx - m->x * m->x / m->n) * (m->yy - m->y * m->y / m->n));
}

/* Sums over the corpora of a score. */
typedef struct sums {
    score s;
    moments m;
    double share, truth; /* of copied sources */
    double n_intervals_unrelated, n_wrong;
    double *unrelated; /* [s.n_unrelated] */
    size_t cap;
} sums;

static void add_pair(sums *a, double truth, double share) {
    moments *m = &a->m;
    m->n++;
    m->x += truth;
    m->y += share;
    m->xx += truth * truth;
    m->yy += share * share;
    m->xy += truth * share;
    a->s.mae += fabs(share - truth);
}

static void add_copied(sums *a, double truth, double share) {
    add_pair(a, truth, share);
    a->s.n_copied++;
    a->s.of_copied += fabs(share - truth);
    a->truth += truth;
    a->share += share;
}

static void add_unrelated(sums *a, double share, double floor) {
    add_pair(a, 0, share);
    if (a->s.n_unrelated == a->cap) {
        a->cap = 2 * a->cap + 64;
        a->unrelated = realloc(a->unrelated, a->cap * sizeof *a->unrelated);
        if (!a->unrelated) fail("no memory");
    }
    a->unrelated[a->s.n_unrelated++] = share;
    a->s.unrelated += share;
    a->s.worst = fmax(a->s.worst, share);
    a->s.above_floor += floor > 0 && share >= floor;
}

/* 1e-9: an interval that ends at the truth, but for rounding, holds it. */
static void add_interval(sums *a, double truth, double low, double high) {
    const bool is_above = truth > high + 1e-9, is_below = truth < low - 1e-9;
    if (truth > 0) {
        a->s.n_intervals++;
        a->s.width += high - low;
        a->s.above += is_above;
        a->s.below += is_below;
        a->s.covered_copied += !is_above && !is_below;
    } else {
        a->n_intervals_unrelated++;
        a->s.covered_unrelated += !is_above && !is_below;
        a->s.low_above += low > 1e-12;
    }
}

static void add_case(sums *a, const known_case *c, size_t w) {
    const estimate *const e = &c->found[w];
    const double *const truths = c->truth[ways[w].unit], floor = way_floor(&ways[w]);
    for (size_t i = 0; i < c->n_sources; i++) {
        double truth = truths[i], share = e->share[i];
        if (c->is_grouped[i]) {
            if (truth <= 0) a->n_wrong++, a->s.wrong += share;
            if (c->group[i] != i) continue;
            for (size_t k = i + 1; k < c->n_sources; k++)
                if (c->group[k] == i) truth += truths[k], share += e->share[k];
            if (truth > 0) add_copied(a, truth, share);
            continue;
        }
        if (truth > 0) add_copied(a, truth, share);
        else add_unrelated(a, share, floor);
        if (e->has_interval) add_interval(a, truth, e->low[i], e->high[i]);
    }
    a->s.n_cases++;
    a->s.author += fabs(e->author - c->author[ways[w].unit]);
    a->s.matched += e->matched;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The smallest value that a fraction of the sorted values do not exceed. */
static double quantile_of(const double *sorted, size_t n, double fraction) {
    if (n == 0) return NAN;
    const double at = ceil(fraction * (double)n) - 1;
    return sorted[at < 0 ? 0 : (size_t)at];
}

static score divide(sums *a) {
    score s = a->s;
    const double copied = (double)s.n_copied, unrelated = (double)s.n_unrelated,
                 cases = (double)s.n_cases, intervals = (double)s.n_intervals;
    if (a->unrelated) qsort(a->unrelated, s.n_unrelated, sizeof *a->unrelated, by_value);
    s.quantile[0] = quantile_of(a->unrelated, s.n_unrelated, .95);
    s.quantile[1] = quantile_of(a->unrelated, s.n_unrelated, .99);
    s.pearson = correlation(&a->m);
    s.mae /= a->m.n;
    s.of_copied /= copied;
    s.recovered = a->share / a->truth;
    s.unrelated /= unrelated;
    s.above_floor /= unrelated;
    s.wrong /= a->n_wrong;
    s.covered_copied /= intervals;
    s.above /= intervals;
    s.below /= intervals;
    s.width /= intervals;
    s.covered_unrelated /= a->n_intervals_unrelated;
    s.low_above /= a->n_intervals_unrelated;
    s.author /= cases;
    s.matched /= cases;
    return s;
}

static bool is_selected(const selection *in, const known_case *c) {
    return (!in->half || c->judge == (strcmp(in->half, "judge") == 0)) &&
           (!in->holds || in->holds(c)) && (!in->rung || strcmp(in->rung, c->rung) == 0) &&
           c->run_length >= in->shortest && (!in->longest || c->run_length <= in->longest);
}

score score_planted(const validation *v, size_t w, const selection *in) {
    sums a = {0};
    for (size_t i = 0; i < v->n_planted; i++) {
        const known_case *c = &v->planted[i];
        if (c->found[w].made && is_selected(in, c)) add_case(&a, c, w);
    }
    const score s = divide(&a);
    free(a.unrelated);
    return s;
}

void weakest_and_strongest(const known_case *c, size_t w, double *weakest, double *strongest) {
    *weakest = 1;
    *strongest = 0;
    for (size_t s = 0; s < c->n_sources; s++) {
        const double share = c->found[w].share[s];
        if (c->truth[ways[w].unit][s] > 0) *weakest = fmin(*weakest, share);
        else *strongest = fmax(*strongest, share);
    }
}

order_score score_real(const known_case *c, size_t n, size_t w) {
    order_score s = {.n = n};
    if (n == 0) return (order_score){.ratio = NAN, .unrelated = NAN};
    for (size_t i = 0; i < n; i++)
        if (!c[i].found[w].made) return (order_score){.ratio = NAN, .unrelated = NAN};
    double *ratio = new_array(n, sizeof *ratio), others = 0;
    for (size_t i = 0; i < n; i++) {
        double weakest, strongest;
        weakest_and_strongest(&c[i], w, &weakest, &strongest);
        ratio[i] = weakest <= 0 ? 0 : fmin(weakest / fmax(strongest, 1e-300), 10000);
        s.n_ordered += !c[i].is_weak && weakest > strongest;
        for (size_t k = 0; k < c[i].n_sources; k++)
            if (c[i].truth[ways[w].unit][k] == 0) {
                s.unrelated += c[i].found[w].share[k];
                others++;
            }
    }
    qsort(ratio, n, sizeof *ratio, by_value);
    s.ratio = n % 2 ? ratio[n / 2] : (ratio[n / 2 - 1] + ratio[n / 2]) / 2;
    s.unrelated /= others;
    free(ratio);
    return s;
}
