/* score.c - how right a way of measuring is. */
#include "tests/validate/validate.h"

#include <math.h>

static bool is_plain(const known_case *c) {
    return c->noise == 0 && c->n_words >= 1500 && c->n_sources < 10;
}
static bool has_many_sources(const known_case *c) { return c->n_sources >= 10; }
static bool is_noisy(const known_case *c) { return c->noise > 0; }
static bool is_short(const known_case *c) { return c->noise == 0 && c->n_words < 1500; }
static bool any(const known_case *c) {
    (void)c;
    return true;
}

const cell cells[] = {{"copied to the letter, at least 1500 words", is_plain},
                      {"the same, 10 or 20 sources", has_many_sources},
                      {"words replaced", is_noisy},
                      {"targets of 300 and 800 words", is_short},
                      {"all", any},
                      {NULL, NULL}};

/* Sums for a correlation. */
typedef struct moments {
    double n, x, y, xx, yy, xy;
} moments;

static void add_pair(moments *m, double x, double y) {
    m->n++;
    m->x += x;
    m->y += y;
    m->xx += x * x;
    m->yy += y * y;
    m->xy += x * y;
}

static double correlation(const moments *m) {
    return (m->xy - m->x * m->y / m->n) /
           sqrt((m->xx - m->x * m->x / m->n) * (m->yy - m->y * m->y / m->n));
}

static void add_case(score *s, moments *m, const known_case *c, const estimate *e) {
    double worst = 0;
    for (size_t i = 0; i < c->n_sources; i++) {
        const double truth = c->truth[i], share = e->share[i];
        const bool covered = e->low[i] <= truth && truth <= e->high[i];
        add_pair(m, truth, share);
        s->mae += fabs(share - truth);
        if (truth > 0) {
            s->n_copied++;
            s->of_copied += fabs(share - truth);
            s->covered_copied += covered;
        } else {
            s->n_unrelated++;
            s->unrelated += share;
            s->covered_unrelated += covered;
            worst = fmax(worst, share);
        }
    }
    s->n_cases++;
    s->worst = fmax(s->worst, worst);
    s->under_floor += worst < FLOOR;
    s->author += fabs(e->author - c->author);
    s->matched += e->matched;
}

score score_planted(const validation *v, size_t w, const cell *in, const char *half) {
    score s = {0};
    moments m = {0};
    bool has_interval = true;
    for (size_t i = 0; i < v->n_planted; i++) {
        const known_case *c = &v->planted[i];
        if (!c->found[w].made || !in->holds(c) ||
            (half && c->judge != (strcmp(half, "judge") == 0)))
            continue;
        has_interval = has_interval && c->found[w].has_interval;
        add_case(&s, &m, c, &c->found[w]);
    }
    const double copied = (double)s.n_copied, unrelated = (double)s.n_unrelated,
                 cases = (double)s.n_cases;
    s.pearson = correlation(&m);
    s.covered = has_interval ? (s.covered_copied + s.covered_unrelated) / m.n : NAN;
    s.covered_copied = has_interval ? s.covered_copied / copied : NAN;
    s.covered_unrelated = has_interval ? s.covered_unrelated / unrelated : NAN;
    s.mae /= m.n;
    s.of_copied /= copied;
    s.unrelated /= unrelated;
    s.author /= cases;
    s.under_floor /= cases;
    s.matched /= cases;
    return s;
}

void weakest_and_strongest(const known_case *c, size_t w, double *weakest, double *strongest) {
    *weakest = 1;
    *strongest = 0;
    for (size_t s = 0; s < c->n_sources; s++) {
        const double share = c->found[w].share[s];
        if (c->truth[s] > 0) *weakest = fmin(*weakest, share);
        else *strongest = fmax(*strongest, share);
    }
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

order_score score_real(const known_case *c, size_t n, size_t w) {
    order_score s = {.n = n};
    for (size_t i = 0; i < n; i++)
        if (!c[i].found[w].made) return (order_score){.ratio = NAN, .unrelated = NAN};
    double *ratio = new_array(n, sizeof *ratio), others = 0;
    for (size_t i = 0; i < n; i++) {
        double weakest, strongest;
        weakest_and_strongest(&c[i], w, &weakest, &strongest);
        ratio[i] = weakest <= 0 ? 0 : fmin(weakest / fmax(strongest, 1e-300), 10000);
        s.n_ordered += !c[i].is_weak && weakest > strongest;
        for (size_t k = 0; k < c[i].n_sources; k++)
            if (c[i].truth[k] == 0) {
                s.unrelated += c[i].found[w].share[k];
                others++;
            }
    }
    qsort(ratio, n, sizeof *ratio, by_value);
    s.ratio = n == 0 ? NAN : n % 2 ? ratio[n / 2] : (ratio[n / 2 - 1] + ratio[n / 2]) / 2;
    s.unrelated /= others;
    free(ratio);
    return s;
}
