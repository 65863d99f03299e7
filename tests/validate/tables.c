/* tables.c - everything that was measured, as tables; and sources.tsv, every source of every corpus
 * by every way, where $VALIDATE_SOURCES says. */
#include "tests/validate/validate.h"

static const char *const halves[] = {"judge", "tune", NULL};

/* A number with so many digits, or a dash. */
const char *digits(double value, int n) {
    static char text[16][32];
    static int next;
    char *out = text[next++ % 16];
    if (isnan(value)) snprintf(out, sizeof text[0], "-");
    else snprintf(out, sizeof text[0], "%.*f", n, value);
    return out;
}

static const char *percent(double fraction, int n) { return digits(100 * fraction, n); }

static const char *half_of(const known_case *c) { return c->judge ? "judge" : "tune"; }

static void write_pools(const validation *v, FILE *file) {
    for (size_t i = 0; i < v->pools.n; i++) {
        const pool *p = &v->pools.pool[i];
        if (p->was_read)
            fprintf(file, "%s\t%s\t%s\t%zu\t%zu\t%zu\t%zu\n", p->name, p->kind, p->language,
                    p->n_words, p->n_removed, p->n_half[0], p->n_half[1]);
    }
}

static void write_goals(const validation *v, FILE *file) {
    goal goals[MAX_GOALS];
    const size_t n = list_goals(v, goals, MAX_GOALS);
    for (size_t i = 0; i < n; i++) {
        const goal *g = &goals[i];
        fprintf(file, "%s\t%s\t%s\t%s\t%s\t%s\n", g->name, digits(g->least, 4), digits(g->most, 4),
                digits(g->found[0], g->digits + 1), digits(g->found[1], g->digits + 1),
                isnan(g->found[1]) ? "-"
                : is_met(g, 1)     ? "met"
                                   : "missed");
    }
}

/* The mean error of a corpus by one way; groups count by their sums. */
static double error_of(const known_case *c, size_t w) {
    double error = 0, n = 0;
    if (!c->found[w].made) return NAN;
    for (size_t s = 0; s < c->n_sources; s++) {
        double truth = c->truth[ways[w].unit][s], share = c->found[w].share[s];
        if (c->is_grouped[s] && c->group[s] != s) continue;
        for (size_t k = s + 1; c->is_grouped[s] && k < c->n_sources; k++)
            if (c->is_grouped[k] && c->group[k] == s)
                truth += c->truth[ways[w].unit][k], share += c->found[w].share[k];
        error += fabs(share - truth);
        n++;
    }
    return error / n;
}

static void write_corpora(const validation *v, FILE *file) { /* the header goes on by ways */
    for (size_t w = 0; ways[w].name; w++)
        if (!ways[w].rungs) fprintf(file, "\t%s", ways[w].name);
    fprintf(file, "\n");
    for (size_t i = 0; i < v->n_planted; i++) {
        const known_case *c = &v->planted[i];
        fprintf(file, "%s\t%s\t%s\t%zu\t%zu\t%zu\t%s\t%zu\t%.4f", c->rung, half_of(c), c->pool,
                c->n_words, c->run_length, c->n_repeats, c->change, c->n_sources,
                c->author[IN_WORDS]);
        for (size_t w = 0; ways[w].name; w++)
            if (!ways[w].rungs) fprintf(file, "\t%s", digits(error_of(c, w), 5));
        fprintf(file, "\n");
    }
}

/* Every method on every kind of corpus. */
static void write_methods(const validation *v, FILE *file) {
    for (const cell *in = cells; in->name; in++)
        for (size_t h = 0; halves[h]; h++)
            for (size_t w = 0; ways[w].name; w++) {
                const selection those = {.half = halves[h], .holds = in->holds};
                const size_t n_cases = score_planted(v, 0, &those).n_cases;
                const score s = score_planted(v, w, &those);
                if (s.n_cases < n_cases || n_cases == 0) continue;
                fprintf(file, "%s\t%s\t%zu\t%zu\t%zu\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
                        in->name, halves[h], n_cases, s.n_copied, s.n_unrelated, ways[w].name,
                        digits(s.pearson, 4), digits(s.of_copied, 4), percent(s.recovered, 0),
                        digits(s.unrelated, 4), digits(s.worst, 3), digits(s.author, 3),
                        percent(s.covered_copied, 0), percent(s.low_above, 0));
            }
}

/* Every rung by the headline, and the mean error of other methods: of copied sources, or, where
 * none is, the mean share of the unrelated. */
static void write_rungs(const validation *v, FILE *file) {
    static const char *const compared[] = {"verbatim", "traced", "anchored", "split", NULL};
    const char *rung[64];
    list_rungs(v, rung);
    for (size_t h = 0; halves[h]; h++)
        for (size_t r = 0; rung[r]; r++) {
            const selection those = {.half = halves[h], .rung = rung[r]};
            const score s = score_planted(v, 0, &those);
            if (s.n_cases == 0) continue;
            fprintf(file, "%s\t%s\t%zu\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", rung[r], halves[h],
                    s.n_cases, digits(s.of_copied, 4), percent(s.recovered, 0),
                    digits(s.unrelated, 5), s.n_unrelated ? digits(s.worst, 4) : "-",
                    digits(s.author, 4), percent(s.covered_copied, 0), percent(s.above, 0),
                    percent(s.below, 0), percent(s.low_above, 0));
            for (size_t i = 0; compared[i]; i++) {
                const score other = score_planted(v, find_way(compared[i]), &those);
                fprintf(file, "\t%s",
                        digits(other.n_copied > 0 ? other.of_copied : other.unrelated, 4));
            }
            fprintf(file, "\n");
        }
}

const band bands[] = {{"4", 4, 4},
                      {"5", 5, 5},
                      {"6", 6, 6},
                      {"8", 8, 8},
                      {"10 to 15", 10, 15},
                      {"20 to 40", 20, 40},
                      {"50 and more", 50, 0},
                      {NULL, 0, 0}};

score score_band(const validation *v, size_t w, const band *in, const char *half) {
    const selection those = {
        .half = half, .holds = is_scored, .shortest = in->shortest, .longest = in->longest};
    return score_planted(v, w, &those);
}

static void write_intervals(const validation *v, FILE *file) {
    static const char *const shown[] = {"extent", "verbatim", "traced", "anchored", NULL};
    for (size_t i = 0; shown[i]; i++)
        for (size_t b = 0; bands[b].name; b++)
            for (size_t h = 0; halves[h]; h++) {
                const score s = score_band(v, find_way(shown[i]), &bands[b], halves[h]);
                if (s.n_intervals == 0) continue;
                fprintf(file, "%s\t%s\t%s\t%zu\t%s\t%s\t%s\t%s\n", shown[i], bands[b].name,
                        halves[h], s.n_intervals, percent(s.covered_copied, 0), percent(s.above, 0),
                        percent(s.below, 0), digits(s.width, 4));
            }
}

static bool is_decoy(const known_case *c) { return strcmp(c->change, "shuffle") == 0; }

static void write_floors(const validation *v, FILE *file) {
    for (size_t w = 0; ways[w].name; w++) {
        if (ways[w].rungs) continue;
        const score decoy = score_planted(v, w, &(selection){.holds = is_decoy});
        for (size_t h = 0; halves[h]; h++) {
            const selection those = {.half = halves[h], .holds = is_scored};
            const score s = score_planted(v, w, &those);
            if (s.n_unrelated == 0) continue;
            fprintf(file, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", ways[w].name, halves[h],
                    digits(way_floor(&ways[w]), 4), digits(s.quantile[0], 4),
                    digits(s.quantile[1], 4), percent(s.above_floor, 1), digits(decoy.worst, 4));
        }
    }
}

/* Real texts: of each task the weakest true source and the strongest other. */
static void write_tasks_of(FILE *file, const known_case *c, size_t n) {
    static const char *const shown[] = {"extent", "traced",          "anchored",
                                        "split",  "lowe-soft/fibre", NULL};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; shown[k]; k++) {
            const size_t w = find_way(shown[k]);
            double weakest, strongest;
            if (!c[i].found[w].made) continue;
            weakest_and_strongest(&c[i], w, &weakest, &strongest);
            fprintf(file, "%s\t%s\t%s\t%s\t%s\n", c[i].name, shown[k], digits(weakest, 4),
                    digits(strongest, 4), weakest > strongest ? "yes" : "no");
        }
}

static void write_tasks(const validation *v, FILE *file) {
    write_tasks_of(file, v->packaged, v->n_packaged);
    write_tasks_of(file, v->shared, v->n_shared);
}

static void write_orders_of(FILE *file, const char *texts, const known_case *c, size_t n) {
    size_t n_hard = 0;
    for (size_t i = 0; i < n; i++) n_hard += !c[i].is_weak;
    for (size_t w = 0; n > 0 && ways[w].name; w++) {
        const order_score s = score_real(c, n, w);
        if (!isnan(s.ratio))
            fprintf(file, "%s\t%s\t%zu\t%zu\t%s\t%s\n", texts, ways[w].name, n_hard, s.n_ordered,
                    digits(s.ratio, 1), digits(s.unrelated, 4));
    }
}

static void write_orders(const validation *v, FILE *file) {
    write_orders_of(file, "packages", v->packaged, v->n_packaged);
    write_orders_of(file, "shared", v->shared, v->n_shared);
}

static void write_sources(const validation *v, FILE *file) {
    for (size_t i = 0; i < v->n_planted; i++)
        for (size_t w = 0; ways[w].name; w++) {
            const known_case *c = &v->planted[i];
            const estimate *e = &c->found[w];
            for (size_t s = 0; e->made && s < c->n_sources; s++)
                fprintf(file, "%s\t%s\t%zu\t%s\t%s\t%s\t%.6f\t%.6f\t%s\t%s\n", c->name, half_of(c),
                        c->run_length, ways[w].name, c->source[s],
                        c->is_grouped[s] ? c->source[c->group[s]] : "-", c->truth[ways[w].unit][s],
                        e->share[s], digits(e->has_interval ? e->low[s] : NAN, 6),
                        digits(e->has_interval ? e->high[s] : NAN, 6));
        }
}

static const struct {
    const char *name, *header;
    void (*write)(const validation *v, FILE *file);
} tables[] = {
    {"pools", "pool\tkind\tlanguage\twords\trepeated_removed\ttune\tjudge\n", write_pools},
    {"goals", "goal\tleast\tmost\ttune\tjudge\tmet\n", write_goals},
    {"methods",
     "corpora\thalf\tn\tcopied\tothers\tmethod\tpearson\terror\trecovered_percent\tunrelated\t"
     "largest\tauthor\tcovered_percent\tlow_above_0_percent\n",
     write_methods},
    {"rungs",
     "rung\thalf\tn\terror\trecovered_percent\tunrelated\tlargest\tauthor\tcovered_percent\t"
     "above_percent\tbelow_percent\tlow_above_0_percent\tverbatim\ttraced\tanchored\tsplit\n",
     write_rungs},
    {"intervals",
     "method\trun\thalf\tsources\tcovered_percent\tabove_percent\tbelow_percent\twidth\n",
     write_intervals},
    {"floors",
     "method\thalf\tfloor\tquantile_95\tquantile_99\tabove_floor_percent\tlargest_of_decoys\n",
     write_floors},
    {"orders", "texts\tmethod\ttasks\tordered\tratio\tunrelated\n", write_orders},
    {"tasks", "target\tmethod\tweakest_true\tstrongest_other\tordered\n", write_tasks},
    {"corpora", "corpus\thalf\tpool\twords\trun\ttimes\tchange\tsources\tauthor", write_corpora},
    {NULL, NULL, NULL},
};

static void write_table(const validation *v, const char *path, const char *header,
                        void (*write)(const validation *v, FILE *file)) {
    FILE *file = open_file(path, "w");
    fputs(header, file);
    write(v, file);
    close_file(file);
}

void write_tables(const validation *v, const char *directory) {
    const char *sources = getenv("VALIDATE_SOURCES");
    char path[1024];
    for (size_t i = 0; tables[i].name; i++) {
        snprintf(path, sizeof path, "%s/%s.tsv", directory, tables[i].name);
        write_table(v, path, tables[i].header, tables[i].write);
    }
    if (sources && sources[0])
        write_table(v, sources,
                    "corpus\thalf\trun\tmethod\tsource\tgroup\ttruth\tshare\tlow\thigh\n",
                    write_sources);
}
