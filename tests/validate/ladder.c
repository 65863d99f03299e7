/* ladder.c - the planted corpora: every rung of ladder.tsv, cut from each pool it names, once from
 * each half. */
#include "tests/validate/validate.h"

enum { LINE = 4096 };

static void fail_to_read(const char *what, const char *line) {
    fail("cannot read '%s' in: %s", what, line);
}

/* FRACTION@WORDS, FRACTION@WORDS+TIMES or FRACTION@WORDS~SOURCE*FRACTION*NOISE. */
static void parse_source(plan *p, const char *field, const char *line) {
    const size_t s = p->c->n_sources++;
    int used = 0;
    if (s == MAX_SOURCES || sscanf(field, "%lf@%zu%n", &p->fraction[s], &p->length[s], &used) != 2)
        fail_to_read(field, line);
    if (field[used] == '\0' || sscanf(field + used, "+%zu", &p->times[s]) == 1) return;
    derivation *d = &p->derived[s];
    d->is_derived = true;
    if (sscanf(field + used, "~%zu*%lf*%lf", &d->from, &d->fraction, &d->noise) != 3 ||
        d->from >= s)
        fail_to_read(field, line);
}

/* One corpus: the rung of a line, from a pool, for the time'th time. */
static void parse(plan *p, const char *from, const char *pool_name, size_t time, bool judge) {
    char line[LINE], pools[256], again[24] = "", *rest = NULL;
    known_case *c = p->c;
    int used = 0;
    snprintf(line, sizeof line, "%s", from);
    if (sscanf(line, "%31s %255s %zu %zu %zu %31s%n", c->rung, pools, &c->n_words, &c->run_length,
               &c->n_repeats, c->change, &used) != 6)
        fail_to_read("its first columns", from);
    snprintf(c->pool, sizeof c->pool, "%s", pool_name);
    c->rung[strcspn(c->rung, "*")] = '\0';
    if (time > 0) snprintf(again, sizeof again, "-%zu", time + 1);
    snprintf(c->name, sizeof c->name, "%.23s-%.31s%.8s", c->rung, pool_name, again);
    c->judge = judge;
    c->is_first = strncmp(pools, pool_name, strlen(pool_name)) == 0;
    for (char *field = strtok_r(line + used, " \t", &rest); field;
         field = strtok_r(NULL, " \t", &rest))
        parse_source(p, field, from);
}

static void release_documents(plan *p) {
    for (size_t d = 0; d <= p->c->n_sources; d++)
        if (p->is_own[d]) free(p->document[d].word);
}

/* Plans the corpora of a line: one for each of its pools and halves, or TIMES. */
static void plan_line(plan *plans, known_case *cases, size_t *n, size_t cap, pool_table *pools,
                      const char *line, const char *directory, const char *only) {
    char names[256], rung[32], *rest = NULL;
    const char *wanted = getenv("VALIDATE_HALF");
    if (sscanf(line, "%31s %255s", rung, names) != 2) fail_to_read("its first columns", line);
    const size_t times = strchr(rung, '*') ? strtoul(strchr(rung, '*') + 1, NULL, 10) : 1;
    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        char corpus[64];
        snprintf(corpus, sizeof corpus, "%s-%s", rung, name);
        if (only && !strstr(corpus, only)) continue;
        pool *from = get_pool(pools, name, directory);
        for (size_t k = 0; k < 2 * times && from; k++) {
            const bool judge = k % 2 == 1;
            if (wanted && (strcmp(wanted, "judge") == 0) != judge) continue;
            if (*n == cap) fail_to_read("so many corpora", line);
            plans[*n] = (plan){.c = &cases[*n], .from = from};
            parse(&plans[*n], line, name, k / 2, judge);
            plant(&plans[(*n)++]);
        }
    }
}

size_t read_ladder(known_case **cases, pool_table *pools, const char *ladder, const char *directory,
                   const char *only) {
    enum { MOST = 1024 };
    FILE *file = open_file(ladder, "r");
    char line[LINE];
    size_t n = 0;
    *cases = new_array(MOST, sizeof **cases);
    plan *plans = new_array(MOST, sizeof *plans);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0') continue;
        if (strncmp(line, "pool\t", 5) == 0) add_pool(pools, line);
        else plan_line(plans, *cases, &n, MOST, pools, line, directory, only);
    }
    fclose(file);
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < n; i++) {
        const plan *p = &plans[i];
        measure_case(p->c, &p->from->words, p->document, p->c->n_sources + 1, 1);
        release_documents(&plans[i]);
    }
    free(plans);
    return n;
}
