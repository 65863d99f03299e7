/* page.c - docs/validation.md: the template page.md, in which a line {{name}} stands for a short
 * table. The complete tables are files of their own (tables.c). */
#include "tests/validate/validate.h"

#include <unistd.h>

enum { LINE = 4096 };

/* A fraction in percent, or a dash. */
static const char *percent(double fraction, int n) {
    static char text[16][32];
    static int next;
    char *out = text[next++ % 16];
    if (isnan(fraction)) snprintf(out, sizeof text[0], "-");
    else snprintf(out, sizeof text[0], "%.*f %%", n, 100 * fraction);
    return out;
}

/* How many goals are met, and those that are not. */
static void write_goals(const validation *v, FILE *page) {
    goal goals[MAX_GOALS];
    const size_t n = list_goals(v, goals, MAX_GOALS);
    size_t n_met = 0, n_judged = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(goals[i].found[1])) continue;
        n_judged++;
        n_met += is_met(&goals[i], 1);
    }
    fprintf(page,
            "%zu of %zu goals are met on `judge`. The others:\n\n"
            "| goal | wanted | tune | judge |\n| --- | --- | --- | --- |\n",
            n_met, n_judged);
    for (size_t i = 0; i < n; i++) {
        const goal *g = &goals[i];
        if (!isnan(g->found[1]) && !is_met(g, 1))
            fprintf(page, "| %s | %s | %s | %s |\n", g->name, bound_of(g),
                    digits(g->found[0], g->digits), digits(g->found[1], g->digits));
    }
    fprintf(page, "\n");
}

/* Every method on the corpora that have goals, on `judge`. */
static void write_methods(const validation *v, FILE *page) {
    const selection those = {.half = "judge", .holds = is_scored};
    const size_t n_cases = score_planted(v, 0, &those).n_cases;
    fprintf(page, "| method | true | recovered | unrelated | largest | author | covered | low > 0 "
                  "|\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t w = 0; ways[w].name; w++) {
        const score s = score_planted(v, w, &those);
        if (s.n_cases < n_cases) continue;
        fprintf(page, "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", ways[w].name,
                digits(s.of_copied, 4), percent(s.recovered, 0), digits(s.unrelated, 4),
                digits(s.worst, 3), digits(s.author, 3), percent(s.covered_copied, 0),
                percent(s.low_above, 0));
    }
    fprintf(page, "\n");
}

/* The intervals of the headline. */
static void write_intervals(const validation *v, FILE *page) {
    fprintf(page, "| words in a run | sources | covered, tune | covered, judge | above | below |\n"
                  "| --- | --- | --- | --- | --- | --- |\n");
    for (size_t b = 0; bands[b].name; b++) {
        const score tune = score_band(v, 0, &bands[b], "tune");
        const score judge = score_band(v, 0, &bands[b], "judge");
        if (judge.n_intervals == 0) continue;
        fprintf(page, "| %s | %zu | %s | %s | %s | %s |\n", bands[b].name, judge.n_intervals,
                percent(tune.covered_copied, 0), percent(judge.covered_copied, 0),
                percent(judge.above, 0), percent(judge.below, 0));
    }
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

static const struct {
    const char *name;
    void (*write)(const validation *v, FILE *page);
} tables[] = {{"goals", write_goals},
              {"methods", write_methods},
              {"intervals", write_intervals},
              {"lowe", write_lowe},
              {NULL, NULL}};

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
    FILE *from = open_file(template, "r"), *page = open_file(path, "w");
    char line[LINE];
    bool after_table = false;
    while (fgets(line, sizeof line, from)) after_table = write_line(v, line, after_table, page);
    fclose(from);
    /* the empty line of a table at its end is taken back */
    if (after_table && (fflush(page) != 0 || ftruncate(fileno(page), ftell(page) - 1) != 0))
        fail("cannot write %s", path);
    close_file(page);
}
