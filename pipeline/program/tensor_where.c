/* tensor_where.c - `tributary tensor find` and `mask`: selects the nonzeros that pass a test. */
#include <string.h>

#include "pipeline/program/tools.h"

/* ---- Tests ----------------------------------------------------------------------------------- */

/* A comparison with a number. */
typedef struct test {
    bool (*holds)(double value, double bound);
    double bound;
} test;

static bool equal(double value, double bound) { return value == bound; }
static bool unequal(double value, double bound) { return value != bound; }
static bool above(double value, double bound) { return value > bound; }
static bool at_least(double value, double bound) { return value >= bound; }
static bool below(double value, double bound) { return value < bound; }
static bool at_most(double value, double bound) { return value <= bound; }

/* Named as in test(1). */
static const struct {
    const char *name;
    bool (*holds)(double value, double bound);
} tests[] = {{"eq", equal},    {"ne", unequal}, {"gt", above},
             {"ge", at_least}, {"lt", below},   {"le", at_most}};

static trib_status read_test(test *t, const char *name, const char *bound, trib_error *error) {
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strcmp(name, tests[i].name) == 0) t->holds = tests[i].holds;
    if (!t->holds)
        return trib_fail(error, TRIB_USAGE, "'%s' is not a test; use eq, ne, gt, ge, lt or le",
                         name);
    if (!bound) return trib_fail(error, TRIB_USAGE, "%s needs a number", name);
    return trib_read_double(bound, &t->bound)
               ? TRIB_OK
               : trib_fail(error, TRIB_USAGE, "%s needs a number, not '%s'", name, bound);
}

static bool passes(double value, void *context) {
    const test *t = context;
    return t->holds(value, t->bound);
}

/* ---- find ------------------------------------------------------------------------------------ */

/* Removes the nonzeros that do not pass. */
static void keep_passing(trib_region *found, uint32_t n_modes, test *t) {
    size_t n = 0;
    for (size_t i = 0; i < found->n; i++) {
        if (!passes(found->value[i], t)) continue;
        memmove(found->index + n * n_modes, found->index + i * n_modes,
                n_modes * sizeof *found->index);
        found->value[n++] = found->value[i];
    }
    found->n = n;
}

trib_status trib_tensor_do_find(trib_tensor_job *job, trib_error *error) {
    const trib_command_line *line = job->line;
    trib_region found = {0};
    test t = {0};
    trib_status status = TRIB_OK;
    if (line->n_operands > 1)
        status =
            read_test(&t, line->operand[1], line->n_operands > 2 ? line->operand[2] : NULL, error);
    if (status == TRIB_OK) status = trib_tensor_load(job, 1, error);
    if (status == TRIB_OK) status = trib_view_find(&job->x, &found, error);
    if (status == TRIB_OK && t.holds) keep_passing(&found, job->x.n_modes, &t);
    if (status == TRIB_OK)
        status = trib_tensor_values_write(job, found.n, found.index, found.value, error);
    trib_region_release(&found);
    return status;
}

/* ---- mask ------------------------------------------------------------------------------------ */

trib_status trib_tensor_do_mask(trib_tensor_job *job, trib_error *error) {
    test t = {0};
    trib_status status = read_test(&t, job->line->operand[1], job->line->operand[2], error);
    if (status == TRIB_OK) status = trib_tensor_load(job, 1, error);
    if (status == TRIB_OK) status = trib_sparse_mask(&job->result, &job->x, passes, &t, error);
    return status == TRIB_OK ? trib_tensor_write_result(job, error) : status;
}
