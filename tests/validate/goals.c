/* goals.c - what is wanted of the headline on corpora that nobody tuned it to, and whether it is
 * so. A goal is judged on the half `judge`; `tune` stands beside it. */
#include "tests/validate/validate.h"

static const char *const halves[] = {"tune", "judge"};

/* One number of a score. */
typedef double quantity(const score *s);
static double of_copied(const score *s) { return s->of_copied; }
static double unrelated(const score *s) { return s->unrelated; }
static double author(const score *s) { return s->author; }
static double recovered(const score *s) { return 100 * s->recovered; }
static double covered(const score *s) { return 100 * s->covered_copied; }
static double low_above(const score *s) { return 100 * s->low_above; }
static double above_floor(const score *s) { return 100 * s->above_floor; }
static double width(const score *s) { return s->width; }
static double wrong(const score *s) { return s->wrong; }

/* Of the headline, unless another way is named. */
static const struct {
    const char *name, *way, *rung;
    size_t shortest, longest; /* words in a run */
    quantity *of;
    double least, most;
    int digits;
} wanted[] = {
    {"runs of 8 words and more: mean error", NULL, NULL, 8, 0, of_copied, NAN, .0025, 4},
    {"the same, word for word", "verbatim", NULL, 8, 0, of_copied, NAN, .0025, 4},
    {"mean share of unrelated sources", NULL, NULL, 0, 0, unrelated, NAN, .0005, 5},
    {"mean error of the author's share", NULL, NULL, 0, 0, author, NAN, .010, 4},
    {"quoted 2 times: recovered, %", NULL, "repeat2", 0, 0, recovered, 95, NAN, 1},
    {"quoted 4 times: recovered, %", NULL, "repeat4", 0, 0, recovered, 95, NAN, 1},
    {"quoted 10 times: recovered, %", NULL, "repeat10", 0, 0, recovered, 95, NAN, 1},
    {"said 2 times by the source: recovered, %", NULL, "said2", 0, 0, recovered, 95, 105, 1},
    {"said 4 times by the source: recovered, %", NULL, "said4", 0, 0, recovered, 95, 105, 1},
    {"said 8 times by the source: recovered, %", NULL, "said8", 0, 0, recovered, 95, 105, 1},
    {"witnesses and ancestors: mean share of those not quoted", NULL, NULL, 0, 0, wrong, NAN, .003,
     4},
    {"2 witnesses: recovered, %", NULL, "witness2", 0, 0, recovered, 95, 105, 1},
    {"3 witnesses: recovered, %", NULL, "witness3", 0, 0, recovered, 95, 105, 1},
    {"5 witnesses: recovered, %", NULL, "witness5", 0, 0, recovered, 95, 105, 1},
    {"10 witnesses: recovered, %", NULL, "witness10", 0, 0, recovered, 95, 105, 1},
    {"two sources that overlap by half: recovered, %", NULL, "overlap", 0, 0, recovered, 95, 105,
     1},
    {"an ancestor and the copy quoted: recovered, %", NULL, "chain", 0, 0, recovered, 95, 105, 1},
    {"an ancestor, the copy quoted, its sibling: recovered, %", NULL, "sibling", 0, 0, recovered,
     95, 105, 1},
    {"runs of 4 words: recovered, %", NULL, "run4", 0, 0, recovered, 85, NAN, 1},
    {"runs of 5 words: recovered, %", NULL, "run5", 0, 0, recovered, 92, NAN, 1},
    {"runs of 6 words: recovered, %", NULL, "run6", 0, 0, recovered, 96, NAN, 1},
    {"runs of 4 words: mean share of unrelated sources", NULL, "run4", 0, 0, unrelated, NAN, .0006,
     5},
    {"runs of 5 words: mean share of unrelated sources", NULL, "run5", 0, 0, unrelated, NAN, .0006,
     5},
    {"runs of 6 words: mean share of unrelated sources", NULL, "run6", 0, 0, unrelated, NAN, .0006,
     5},
    {"intervals hold the truth, runs of 4 words, %", NULL, NULL, 4, 4, covered, 85, 96, 0},
    {"intervals hold the truth, runs of 5 words, %", NULL, NULL, 5, 5, covered, 85, 96, 0},
    {"intervals hold the truth, runs of 6 words, %", NULL, NULL, 6, 6, covered, 85, 96, 0},
    {"intervals hold the truth, runs of 8 words, %", NULL, NULL, 8, 8, covered, 85, 96, 0},
    {"intervals hold the truth, runs of 10 to 15 words, %", NULL, NULL, 10, 15, covered, 85, 96, 0},
    {"intervals hold the truth, runs of 20 to 40 words, %", NULL, NULL, 20, 40, covered, 85, 96, 0},
    {"intervals hold the truth, runs of 50 words or more, %", NULL, NULL, 50, 0, covered, 85, 96,
     0},
    {"width of the intervals, runs of 8 words and more", NULL, NULL, 8, 0, width, NAN, .02, 4},
    {"unrelated sources whose interval starts above 0, %", NULL, NULL, 0, 0, low_above, NAN, 2, 1},
};

/* The number on both halves. */
static void measure_goal(const validation *v, goal *g, size_t i) {
    for (int h = 0; h < 2; h++) {
        const selection in = {.half = halves[h],
                              .holds = is_scored,
                              .rung = wanted[i].rung,
                              .shortest = wanted[i].shortest,
                              .longest = wanted[i].longest};
        const score s = score_planted(v, wanted[i].way ? find_way(wanted[i].way) : 0, &in);
        g->found[h] = wanted[i].of(&s);
    }
}

/* The chance that a source of a heavy revision has a larger share than one of no copy: the area
 * under the curve of true over false alarms. */
static double area_of(const validation *v, bool judge) {
    double n_pairs = 0, n_larger = 0;
    for (size_t i = 0; i < v->n_planted; i++)
        for (size_t k = 0; k < v->n_planted; k++) {
            const known_case *a = &v->planted[i], *b = &v->planted[k];
            if (strcmp(a->rung, "heavy") != 0 || strncmp(b->change, "revise", 6) != 0) continue;
            if (a->judge != judge || b->judge != judge) continue;
            for (size_t s = 0; s < b->n_sources; s++) {
                if (b->truth[IN_WORDS][s] > 0) continue;
                const double more = a->found[0].share[0] - b->found[0].share[s];
                n_larger += more > 0 ? 1 : more < 0 ? 0 : .5;
                n_pairs++;
            }
        }
    return n_larger / n_pairs;
}

/* Of every way measured on all corpora: the unrelated sources above its floor. */
static size_t list_floors(const validation *v, goal goals[], size_t n, size_t most) {
    for (size_t w = 0; ways[w].name && n < most; w++) {
        if (ways[w].rungs) continue;
        goal *g = &goals[n++];
        *g = (goal){.least = NAN, .most = 1, .digits = 2};
        snprintf(g->name, sizeof g->name, "unrelated sources above the floor of `%s`, %g, %%",
                 ways[w].name, way_floor(&ways[w]));
        for (int h = 0; h < 2; h++) {
            const selection in = {.half = halves[h], .holds = is_scored};
            const score s = score_planted(v, w, &in);
            g->found[h] = above_floor(&s);
        }
    }
    return n;
}

size_t list_goals(const validation *v, goal goals[], size_t most) {
    size_t n = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && n < most; i++) {
        goals[n] =
            (goal){.least = wanted[i].least, .most = wanted[i].most, .digits = wanted[i].digits};
        snprintf(goals[n].name, sizeof goals[n].name, "%s", wanted[i].name);
        measure_goal(v, &goals[n++], i);
    }
    if (n < most)
        goals[n++] = (goal){"heavy revisions against none: AUC",
                            .997,
                            NAN,
                            {area_of(v, false), area_of(v, true)},
                            4};
    n = list_floors(v, goals, n, most);
    if (n + 2 > most || v->n_shared == 0) return n;
    const order_score order = score_real(v->shared, v->n_shared, 0);
    goals[n++] = (goal){"tasks of the shared corpora in order",
                        16,
                        NAN,
                        {NAN, isnan(order.ratio) ? NAN : (double)order.n_ordered},
                        0};
    goals[n++] =
        (goal){"weakest true source over strongest other, median", 50, NAN, {NAN, order.ratio}, 1};
    return n;
}

bool is_met(const goal *g, int half) {
    return !(g->found[half] < g->least) && !(g->found[half] > g->most);
}

const char *bound_of(const goal *g) {
    static char text[64];
    const int n = g->digits > 1 ? 4 : 0;
    if (isnan(g->least)) snprintf(text, sizeof text, "at most %s", digits(g->most, n));
    else if (isnan(g->most)) snprintf(text, sizeof text, "at least %s", digits(g->least, n));
    else snprintf(text, sizeof text, "%s to %s", digits(g->least, n), digits(g->most, n));
    return text;
}
