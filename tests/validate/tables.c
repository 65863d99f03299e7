/* tables.c - what was measured, for programs: goals.tsv and corpora.tsv beside the plots, and
 * sources.tsv, every source of every corpus by every way, where $VALIDATE_SOURCES says. */
#include "tests/validate/validate.h"

#include <math.h>

static FILE *open_table(const char *directory, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "validate: cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
    return file;
}

static void close_table(FILE *file) {
    if (fclose(file) == 0) return;
    fprintf(stderr, "validate: cannot write a table\n");
    exit(EXIT_FAILURE);
}

static const char *half_of(const known_case *c) { return c->judge ? "judge" : "tune"; }

static void write_goals(const validation *v, const char *directory) {
    goal goals[MAX_GOALS];
    const size_t n = list_goals(v, goals, MAX_GOALS);
    FILE *file = open_table(directory, "goals.tsv");
    fprintf(file, "goal\tleast\tmost\ttune\tjudge\tmet\n");
    for (size_t i = 0; i < n; i++) {
        const goal *g = &goals[i];
        fprintf(file, "%s\t%s\t%s\t%s\t%s\t%s\n", g->name, digits(g->least, 4), digits(g->most, 4),
                digits(g->found[0], g->digits + 1), digits(g->found[1], g->digits + 1),
                isnan(g->found[1]) ? "-"
                : is_met(g, 1)     ? "met"
                                   : "missed");
    }
    close_table(file);
}

/* The mean error of a corpus by one way; groups count by their sums. */
static double error_of(const known_case *c, size_t w) {
    double error = 0, n = 0;
    if (!c->found[w].made) return NAN;
    for (size_t s = 0; s < c->n_sources; s++) {
        double truth = c->truth[s], share = c->found[w].share[s];
        if (c->is_grouped[s] && c->group[s] != s) continue;
        for (size_t k = s + 1; c->is_grouped[s] && k < c->n_sources; k++)
            if (c->is_grouped[k] && c->group[k] == s)
                truth += c->truth[k], share += c->found[w].share[k];
        error += fabs(share - truth);
        n++;
    }
    return error / n;
}

static void write_corpora(const validation *v, const char *directory) {
    FILE *file = open_table(directory, "corpora.tsv");
    fprintf(file, "corpus\thalf\tpool\twords\trun\ttimes\tchange\tsources\tauthor");
    for (size_t w = 0; ways[w].name; w++)
        if (!ways[w].rungs) fprintf(file, "\t%s", ways[w].name);
    fprintf(file, "\n");
    for (size_t i = 0; i < v->n_planted; i++) {
        const known_case *c = &v->planted[i];
        fprintf(file, "%s\t%s\t%s\t%zu\t%zu\t%zu\t%s\t%zu\t%.4f", c->rung, half_of(c), c->pool,
                c->n_words, c->run_length, c->n_repeats, c->change, c->n_sources, c->author);
        for (size_t w = 0; ways[w].name; w++)
            if (!ways[w].rungs) fprintf(file, "\t%s", digits(error_of(c, w), 5));
        fprintf(file, "\n");
    }
    close_table(file);
}

static void write_sources(const validation *v, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "validate: cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
    fprintf(file, "corpus\thalf\trun\tmethod\tsource\tgroup\ttruth\tshare\tlow\thigh\n");
    for (size_t i = 0; i < v->n_planted; i++)
        for (size_t w = 0; ways[w].name; w++) {
            const known_case *c = &v->planted[i];
            const estimate *e = &c->found[w];
            for (size_t s = 0; e->made && s < c->n_sources; s++)
                fprintf(file, "%s\t%s\t%zu\t%s\t%s\t%s\t%.6f\t%.6f\t%s\t%s\n", c->name, half_of(c),
                        c->run_length, ways[w].name, c->source[s],
                        c->is_grouped[s] ? c->source[c->group[s]] : "-", c->truth[s], e->share[s],
                        digits(e->has_interval ? e->low[s] : NAN, 6),
                        digits(e->has_interval ? e->high[s] : NAN, 6));
        }
    close_table(file);
}

void write_tables(const validation *v, const char *directory) {
    const char *path = getenv("VALIDATE_SOURCES");
    write_goals(v, directory);
    write_corpora(v, directory);
    if (path && path[0]) write_sources(v, path);
}
