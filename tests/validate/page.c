/* page.c - docs/validation.md and its parts: the template page.md, in which a line {{name}} stands
 * for a table, and a line "<!-- page: NAME -->" begins the page of that name beside the first. */
#include "tests/validate/validate.h"

#include <math.h>
#include <unistd.h>

enum { LINE = 4096 };

/* A number with so many digits, or a dash. */
const char *digits(double value, int n) {
    static char text[16][32];
    static int next;
    char *out = text[next++ % 16];
    if (isnan(value)) snprintf(out, sizeof text[0], "-");
    else snprintf(out, sizeof text[0], "%.*f", n, value);
    return out;
}

/* A fraction in percent, or a dash. */
static const char *percent(double fraction, int n) {
    static char text[16][32];
    static int next;
    char *out = text[next++ % 16];
    if (isnan(fraction)) snprintf(out, sizeof text[0], "-");
    else snprintf(out, sizeof text[0], "%.*f %%", n, 100 * fraction);
    return out;
}

static const char *bold(bool is_bold) { return is_bold ? "**" : ""; }

/* ---- Pools and goals ------------------------------------------------------------------------- */

static void write_pools(const validation *v, FILE *page) {
    fprintf(page, "| pool | kind | language | words | repeated, removed | tune | judge |\n"
                  "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < v->pools.n; i++) {
        const pool *p = &v->pools.pool[i];
        if (p->is_missing) fprintf(page, "| %s | missing when this page was written |\n", p->name);
        else if (p->was_read)
            fprintf(page, "| %s | %s | %s | %zu | %zu | %zu | %zu |\n", p->name, p->kind,
                    p->language, p->n_words, p->n_removed, p->n_half[0], p->n_half[1]);
    }
    fprintf(page, "\n");
}

static void write_goals(const validation *v, FILE *page) {
    goal goals[MAX_GOALS];
    const size_t n = list_goals(v, goals, MAX_GOALS);
    size_t n_met = 0, n_judged = 0;
    fprintf(page, "| goal | wanted | tune | judge | |\n| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < n; i++) {
        const goal *g = &goals[i];
        if (isnan(g->found[1])) continue;
        n_judged++;
        n_met += is_met(g, 1);
        fprintf(page, "| %s | %s | %s | %s | %s |\n", g->name, bound_of(g),
                digits(g->found[0], g->digits), digits(g->found[1], g->digits),
                is_met(g, 1) ? "met" : "**missed**");
    }
    fprintf(page, "\n%zu of %zu goals are met on `judge`.\n\n", n_met, n_judged);
}

/* ---- Planted corpora ------------------------------------------------------------------------- */

static void write_cell(const validation *v, FILE *page, const cell *in, const char *half) {
    const selection those = {.half = half, .holds = in->holds};
    const score first = score_planted(v, 0, &those);
    if (first.n_cases == 0) return;
    fprintf(page,
            "**%c%s** (`%s`): %zu corpora,\n%zu copied sources or groups, %zu others.\n\n"
            "| method | Pearson | true | recovered | unrelated | largest | author | covered | "
            "low > 0 |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            in->name[0] - 'a' + 'A', in->name + 1, half, first.n_cases, first.n_copied,
            first.n_unrelated);
    for (size_t w = 0; ways[w].name; w++) {
        const score s = score_planted(v, w, &those);
        if (s.n_cases < first.n_cases) continue;
        fprintf(page, "| %s`%s`%s | %s | %s | %s | %s | %s | %s | %s | %s |\n", bold(w == 0),
                ways[w].name, bold(w == 0), digits(s.pearson, 4), digits(s.of_copied, 4),
                percent(s.recovered, 0), digits(s.unrelated, 4), digits(s.worst, 3),
                digits(s.author, 3), percent(s.covered_copied, 0), percent(s.low_above, 0));
    }
    fprintf(page, "\n");
}

static void write_judge(const validation *v, FILE *page) {
    for (const cell *in = cells; in->name; in++) write_cell(v, page, in, "judge");
}

static void write_tune(const validation *v, FILE *page) {
    for (const cell *in = cells; in->name; in++) write_cell(v, page, in, "tune");
}

/* Every rung by the headline, on one half. */
static void write_rungs_of(const validation *v, FILE *page, const char *half) {
    const char *rung[64];
    list_rungs(v, rung);
    fprintf(page,
            "**`%s`**\n\n| rung | corpora | true | recovered | unrelated | largest | author | "
            "covered | above | below | low > 0 |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            half);
    for (size_t r = 0; rung[r]; r++) {
        const score s = score_planted(v, 0, &(selection){.half = half, .rung = rung[r]});
        if (s.n_cases == 0) continue;
        fprintf(page, "| %s | %zu | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", rung[r],
                s.n_cases, digits(s.of_copied, 4), percent(s.recovered, 0), digits(s.unrelated, 5),
                s.n_unrelated ? digits(s.worst, 4) : "-", digits(s.author, 4),
                percent(s.covered_copied, 0), percent(s.above, 0), percent(s.below, 0),
                percent(s.low_above, 0));
    }
    fprintf(page, "\n");
}

static void write_rungs(const validation *v, FILE *page) {
    write_rungs_of(v, page, "judge");
    write_rungs_of(v, page, "tune");
}

/* ---- Which method to believe ----------------------------------------------------------------- */

static const char *const compared[] = {"traced", "anchored", "runs", "lowe-matched", "split", NULL};

/* The mean error of a rung by a method, on one half: of copied sources, or, where none is, the
 * mean share of the unrelated. */
static double error_of_rung(const validation *v, const char *method, const char *rung,
                            const char *half) {
    const score s = score_planted(v, find_way(method), &(selection){.half = half, .rung = rung});
    return s.n_copied > 0 ? s.of_copied : s.unrelated;
}

static void write_best_row(const validation *v, FILE *page, const char *rung) {
    static const char *const halves[] = {"judge", "tune"};
    double error[2][8], best[2] = {INFINITY, INFINITY};
    for (int h = 0; h < 2; h++)
        for (size_t i = 0; compared[i]; i++) {
            error[h][i] = error_of_rung(v, compared[i], rung, halves[h]);
            best[h] = fmin(best[h], error[h][i]);
        }
    fprintf(page, "| %s |", rung);
    for (size_t i = 0; compared[i]; i++) {
        for (int h = 0; h < 2; h++) {
            const bool is_best = error[h][i] <= best[h] && isfinite(best[h]);
            fprintf(page, " %s%s%s%s", bold(is_best), digits(error[h][i], 4), bold(is_best),
                    h == 0 ? "," : " |");
        }
    }
    fprintf(page, "\n");
}

/* The rungs on which a method errs less than the headline on both halves. */
static void write_better(const validation *v, FILE *page, const char *method) {
    const char *rung[64];
    size_t n = 0;
    list_rungs(v, rung);
    fprintf(page, "`%s` errs less than `%s` on both halves at:", method, ways[0].name);
    for (size_t r = 0; rung[r]; r++) {
        const double judge = error_of_rung(v, method, rung[r], "judge");
        const double tune = error_of_rung(v, method, rung[r], "tune");
        if (!(judge < error_of_rung(v, ways[0].name, rung[r], "judge")) ||
            !(tune < error_of_rung(v, ways[0].name, rung[r], "tune")))
            continue;
        fprintf(page, "%s\n%s (%s, not %s, on `judge`)", n++ > 0 ? "," : "", rung[r],
                digits(judge, 4), digits(error_of_rung(v, ways[0].name, rung[r], "judge"), 4));
    }
    fprintf(page, "%s.\n\n", n > 0 ? "" : " no rung");
}

static void write_best(const validation *v, FILE *page) {
    const char *rung[64];
    list_rungs(v, rung);
    write_better(v, page, "runs");
    write_better(v, page, "anchored");
    fprintf(page, "| rung |");
    for (size_t i = 0; compared[i]; i++) fprintf(page, " `%s` |", compared[i]);
    fprintf(page, "\n| --- |");
    for (size_t i = 0; compared[i]; i++) fprintf(page, " --- |");
    fprintf(page, "\n");
    for (size_t r = 0; rung[r]; r++) write_best_row(v, page, rung[r]);
    fprintf(page, "\n");
}

/* ---- Intervals and floors -------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t shortest, longest;
} bands[] = {{"4", 4, 4},
             {"5", 5, 5},
             {"6", 6, 6},
             {"8", 8, 8},
             {"10 to 15", 10, 15},
             {"20 to 40", 20, 40},
             {"50 and more", 50, 0},
             {NULL, 0, 0}};

static void write_coverage(const validation *v, FILE *page) {
    static const char *const shown[] = {"traced", "anchored", NULL};
    fprintf(page, "| method | run | half | sources | covered | above | below |\n"
                  "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; shown[i]; i++)
        for (size_t b = 0; bands[b].name; b++)
            for (int h = 1; h >= 0; h--) {
                const selection in = {.half = h ? "judge" : "tune",
                                      .holds = is_scored,
                                      .shortest = bands[b].shortest,
                                      .longest = bands[b].longest};
                const score s = score_planted(v, find_way(shown[i]), &in);
                if (s.n_intervals == 0) continue;
                fprintf(page, "| `%s` | %s | %s | %zu | %s | %s | %s |\n", shown[i], bands[b].name,
                        in.half, s.n_intervals, percent(s.covered_copied, 0), percent(s.above, 0),
                        percent(s.below, 0));
            }
    fprintf(page, "\n");
}

static bool is_decoy(const known_case *c) { return strcmp(c->change, "shuffle") == 0; }

static void write_floors(const validation *v, FILE *page) {
    fprintf(page, "| method | floor | 95 %%, 99 %% on tune | 95 %%, 99 %% on judge | "
                  "decoys, largest | above it, tune | above it, judge |\n"
                  "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t w = 0; ways[w].name; w++) {
        if (ways[w].rungs) continue;
        const score tune = score_planted(v, w, &(selection){.half = "tune", .holds = is_scored});
        const score judge = score_planted(v, w, &(selection){.half = "judge", .holds = is_scored});
        const score decoy = score_planted(v, w, &(selection){.holds = is_decoy});
        if (tune.n_unrelated == 0) continue;
        fprintf(page, "| `%s` | %s | %s, %s | %s, %s | %s | %s | %s |\n", ways[w].name,
                digits(way_floor(&ways[w]), 4), digits(tune.quantile[0], 4),
                digits(tune.quantile[1], 4), digits(judge.quantile[0], 4),
                digits(judge.quantile[1], 4), digits(decoy.worst, 4), percent(tune.above_floor, 1),
                percent(judge.above_floor, 1));
    }
    fprintf(page, "\n");
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
        fprintf(page, "| %s`%s`%s | %zu of %zu | %s | %s |\n", bold(w == 0), ways[w].name,
                bold(w == 0), s.n_ordered, n_hard, digits(s.ratio, 1), digits(s.unrelated, 4));
    }
    fprintf(page, "\n");
}

static void write_known(const validation *v, FILE *page) {
    write_orders(page, "Texts of Debian packages", v->packaged, v->n_packaged);
    write_orders(page, "The tasks of the shared corpora", v->shared, v->n_shared);
}

static void write_task(FILE *page, const known_case *c) {
    static const char *const shown[] = {"traced", "anchored", "split", "lowe-soft/fibre", NULL};
    fprintf(page, "| %s |", c->name);
    for (size_t i = 0; shown[i]; i++) {
        double weakest, strongest;
        if (!c->found[find_way(shown[i])].made) continue;
        weakest_and_strongest(c, find_way(shown[i]), &weakest, &strongest);
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

static bool is_of_the_part(const known_case *c) { return c->found[find_way("lowe")].made; }

static void write_lowe(const validation *v, FILE *page) {
    fprintf(page, "| method | factors | mass matched | Pearson | MAE of copied sources | "
                  "unrelated |\n| --- | --- | --- | --- | --- | --- |\n");
    for (size_t w = 0; ways[w].name; w++) {
        const score s = score_planted(v, w, &(selection){.holds = is_of_the_part});
        if (s.n_cases == 0 || (!ways[w].solver && w > 0)) continue;
        fprintf(page, "| `%s` | %s%s%s | %s%s | %s | %s | %s |\n", ways[w].method,
                ways[w].solver ? "`" : "none", ways[w].solver ? ways[w].solver : "",
                !ways[w].solver ? ""
                : ways[w].rank  ? "`, 100"
                                : "`, all",
                ways[w].solver ? digits(100 * s.matched, 1) : "-",
                ways[w].solver && !isnan(s.matched) ? " %" : "", digits(s.pearson, 3),
                digits(s.of_copied, 4), digits(s.unrelated, 4));
    }
    fprintf(page, "\n");
}

/* ---- The page -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*write)(const validation *v, FILE *page);
} tables[] = {{"pools", write_pools},       {"goals", write_goals},   {"judge", write_judge},
              {"tune", write_tune},         {"rungs", write_rungs},   {"best", write_best},
              {"coverage", write_coverage}, {"floors", write_floors}, {"known", write_known},
              {"tasks", write_tasks},       {"lowe", write_lowe},     {NULL, NULL}};

/* Opens a page, or ends the program. */
static FILE *open_page(const char *path, const char *mode) {
    FILE *page = fopen(path, mode);
    if (page) return page;
    fprintf(stderr, "validate: cannot open %s\n", path);
    exit(EXIT_FAILURE);
}

/* Ends a page; the empty line of a table at its end is taken back. */
static void close_page(FILE *page, bool after_table) {
    const bool is_cut =
        !after_table || (fflush(page) == 0 && ftruncate(fileno(page), ftell(page) - 1) == 0);
    if (fclose(page) == 0 && is_cut) return;
    fprintf(stderr, "validate: cannot write a page\n");
    exit(EXIT_FAILURE);
}

/* Writes a line of the template, or the table that it stands for. Returns whether it was one. */
static bool write_line(const validation *v, const char *line, bool after_table, FILE *page) {
    size_t t = 0;
    while (tables[t].name && (strncmp(line, "{{", 2) != 0 ||
                              strncmp(line + 2, tables[t].name, strlen(tables[t].name)) != 0))
        t++;
    if (tables[t].name) tables[t].write(v, page);
    else if (!after_table || line[0] != '\n') fputs(line, page);
    return tables[t].name != NULL; /* tables end in an empty line of their own */
}

void write_page(const validation *v, const char *template, const char *path) {
    FILE *from = open_page(template, "r"), *page = open_page(path, "w");
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    char line[LINE], name[100], part[LINE];
    bool after_table = false;
    while (fgets(line, sizeof line, from)) {
        if (sscanf(line, "<!-- page: %99s -->", name) == 1) {
            snprintf(part, sizeof part, "%.*s%s", folder, path, name);
            close_page(page, after_table);
            page = open_page(part, "w");
            after_table = false;
        } else after_table = write_line(v, line, after_table, page);
    }
    fclose(from);
    close_page(page, after_table);
}
