/* page.c - docs/validation.md: the template page.md, in which a line {{name}} stands for a
 * table. */
#include "tests/validate/validate.h"

#include <math.h>

enum { LINE = 4096 };

/* A number with so many digits, or a dash. */
static const char *digits(double value, int n) {
    static char text[8][32];
    static int next;
    char *out = text[next++ % 8];
    if (isnan(value)) snprintf(out, sizeof text[0], "-");
    else snprintf(out, sizeof text[0], "%.*f", n, value);
    return out;
}

static const char *bold(size_t w) { return w == 0 ? "**" : ""; }

/* ---- Planted corpora ------------------------------------------------------------------------- */

static void write_cell(const validation *v, FILE *page, const cell *in, const char *half) {
    const score first = score_planted(v, 0, in, half);
    if (first.n_cases == 0) return;
    fprintf(page,
            "**%c%s**: %zu corpora, %zu sources that were copied, %zu that were not.\n\n"
            "| method | Pearson | MAE | true | unrelated | largest | author | floor | covered |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            in->name[0] - 'a' + 'A', in->name + 1, first.n_cases, first.n_copied,
            first.n_unrelated);
    for (size_t w = 0; ways[w].name; w++) {
        const score s = score_planted(v, w, in, half);
        if (s.n_cases == 0) continue;
        fprintf(page, "| %s`%s`%s | %s | %s | %s | %s | %s | %s | %s %%", bold(w), ways[w].name,
                bold(w), digits(s.pearson, 4), digits(s.mae, 4), digits(s.of_copied, 4),
                digits(s.unrelated, 4), digits(s.worst, 3), digits(s.author, 3),
                digits(100 * s.under_floor, 0));
        if (isnan(s.covered)) fprintf(page, " | - |\n");
        else
            fprintf(page, " | %s %% (%s, %s) |\n", digits(100 * s.covered, 0),
                    digits(100 * s.covered_copied, 0), digits(100 * s.covered_unrelated, 0));
    }
    fprintf(page, "\n");
}

static void write_cells(const validation *v, FILE *page) {
    for (const cell *in = cells; in->name; in++) write_cell(v, page, in, NULL);
}

static void write_judge(const validation *v, FILE *page) {
    for (const cell *in = cells; in->name; in++) write_cell(v, page, in, "judge");
}

/* The shapes of the ladder that differ in their runs alone, in the order of the columns. */
static const char *const shapes[] = {"run5",   "run10",   "run20",   "run50",   "run100",
                                     "run500", "noise10", "noise20", "noise30", NULL};

static double error_of_shape(const validation *v, size_t w, const char *shape) {
    double error = 0, n = 0;
    for (size_t i = 0; i < v->n_planted; i++) {
        const known_case *c = &v->planted[i];
        if (!c->found[w].made) continue;
        const char *dash = strchr(c->name, '-');
        if (!dash || strcmp(dash + 1, shape) != 0) continue;
        for (size_t s = 0; s < c->n_sources; s++, n++)
            error += fabs(c->found[w].share[s] - c->truth[s]);
    }
    return n > 0 ? error / n : NAN;
}

static void write_lengths(const validation *v, FILE *page) {
    fprintf(page, "| method | 5 | 10 | 20 | 50 | 100 | 500 | 50, 10 %% | 20, 20 %% | 50, 30 %% |\n"
                  "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t w = 0; ways[w].name; w++) {
        fprintf(page, "| %s`%s`%s", bold(w), ways[w].name, bold(w));
        for (size_t s = 0; shapes[s]; s++)
            fprintf(page, " | %s", digits(error_of_shape(v, w, shapes[s]), 4));
        fprintf(page, " |\n");
    }
    fprintf(page, "\n");
}

static double error_of_case(const known_case *c, size_t w) {
    double error = 0;
    for (size_t s = 0; s < c->n_sources; s++) error += fabs(c->found[w].share[s] - c->truth[s]);
    return error / (double)c->n_sources;
}

static size_t find_way(const char *name) {
    size_t w = 0;
    while (ways[w].name && strcmp(ways[w].name, name) != 0) w++;
    return w;
}

static void write_corpora(const validation *v, FILE *page) {
    static const char *const compared[] = {"traced", "anchored", "split", "runs", NULL};
    fprintf(page, "| corpus | half | words | run | noise | sources | author |");
    for (size_t i = 0; compared[i]; i++) fprintf(page, " `%s` |", compared[i]);
    fprintf(page, "\n| --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; compared[i]; i++) fprintf(page, " --- |");
    fprintf(page, "\n");
    for (size_t k = 0; k < v->n_planted; k++) {
        const known_case *c = &v->planted[k];
        size_t n_copied = 0;
        for (size_t s = 0; s < c->n_sources; s++) n_copied += c->truth[s] > 0;
        fprintf(page, "| %s | %s | %zu | %zu | %g | %zu of %zu | %s |", c->name,
                c->judge ? "judge" : "tune", c->n_words, c->run_length, c->noise, n_copied,
                c->n_sources, digits(c->author, 3));
        for (size_t i = 0; compared[i]; i++)
            fprintf(page, " %s |", digits(error_of_case(c, find_way(compared[i])), 4));
        fprintf(page, "\n");
    }
    fprintf(page, "\nThe last columns are mean absolute errors.\n\n");
}

/* ---- Real texts ------------------------------------------------------------------------------ */

static void write_orders(FILE *page, const char *what, const known_case *c, size_t n) {
    size_t n_hard = 0;
    for (size_t i = 0; i < n; i++) n_hard += !c[i].is_weak;
    if (n == 0) return;
    fprintf(page,
            "**%s**: %zu tasks, %zu with a known answer.\n\n"
            "| method | ordered | ratio | unrelated |\n| --- | --- | --- | --- |\n",
            what, n, n_hard);
    for (size_t w = 0; ways[w].name; w++) {
        const order_score s = score_real(c, n, w);
        if (isnan(s.ratio)) continue;
        fprintf(page, "| %s`%s`%s | %zu of %zu | %s | %s |\n", bold(w), ways[w].name, bold(w),
                s.n_ordered, n_hard, digits(s.ratio, 1), digits(s.unrelated, 4));
    }
    fprintf(page, "\n");
}

static void write_known(const validation *v, FILE *page) {
    write_orders(page, "Texts of Debian packages", v->packaged, v->n_packaged);
    write_orders(page, "The tasks of the shared corpora", v->shared, v->n_shared);
}

static void write_task(FILE *page, const known_case *c) {
    static const char *const compared[] = {"traced", "anchored", "split", "lowe-soft/fibre", NULL};
    fprintf(page, "| %s |", c->name);
    for (size_t i = 0; compared[i]; i++) {
        double weakest, strongest;
        if (!c->found[find_way(compared[i])].made) continue;
        weakest_and_strongest(c, find_way(compared[i]), &weakest, &strongest);
        fprintf(page, " %s, %s%s |", digits(weakest, 4), digits(strongest, 4),
                weakest > strongest ? "" : " (!)");
    }
    fprintf(page, "\n");
}

static void write_tasks(const validation *v, FILE *page) {
    fprintf(page, "The weakest true source and the strongest other; (!) out of order:\n\n"
                  "| target | `traced` | `anchored` | `split` | `lowe-soft/fibre` |\n"
                  "| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < v->n_packaged; i++) write_task(page, &v->packaged[i]);
    for (size_t i = 0; i < v->n_shared; i++) write_task(page, &v->shared[i]);
    fprintf(page, "\n");
}

static void write_lowe(const validation *v, FILE *page) {
    const cell *all = cells;
    while (all[1].name) all++;
    fprintf(page, "| method | factors | mass matched | Pearson | MAE of copied sources | "
                  "unrelated |\n| --- | --- | --- | --- | --- | --- |\n");
    for (size_t w = 0; ways[w].name; w++) {
        const score s = score_planted(v, w, all, NULL);
        if (!ways[w].solver) continue;
        fprintf(page, "| `%s` | `%s`, %s | %s%s | %s | %s | %s |\n", ways[w].method, ways[w].solver,
                ways[w].rank ? "100" : "all", digits(100 * s.matched, 1),
                isnan(s.matched) ? "" : " %", digits(s.pearson, 3), digits(s.of_copied, 4),
                digits(s.unrelated, 4));
    }
    fprintf(page, "\n");
}

/* ---- The page -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*write)(const validation *v, FILE *page);
} tables[] = {{"cells", write_cells},     {"judge", write_judge},
              {"lengths", write_lengths}, {"corpora", write_corpora},
              {"known", write_known},     {"tasks", write_tasks},
              {"lowe", write_lowe},       {NULL, NULL}};

void write_page(const validation *v, const char *template, const char *path) {
    FILE *from = fopen(template, "r"), *page = fopen(path, "w");
    char line[LINE];
    if (!from || !page) {
        fprintf(stderr, "validate: cannot open %s\n", from ? path : template);
        exit(EXIT_FAILURE);
    }
    bool after_table = false;
    while (fgets(line, sizeof line, from)) {
        size_t t = 0;
        while (tables[t].name && (strncmp(line, "{{", 2) != 0 ||
                                  strncmp(line + 2, tables[t].name, strlen(tables[t].name)) != 0))
            t++;
        if (tables[t].name) tables[t].write(v, page);
        else if (!after_table || line[0] != '\n') fputs(line, page);
        after_table = tables[t].name != NULL; /* tables end in an empty line of their own */
    }
    fclose(from);
    if (fclose(page) != 0) {
        fprintf(stderr, "validate: cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
}
