/* budget.c - what the files of a run may cost at most. */
#include "pipeline/text/archive.h"

#include <stdatomic.h>

static struct {
    _Atomic uint64_t unpacked, members, parts, programs;
    atomic_bool sandbox;
} budget = {UINT64_C(1) << 40, 1 << 20, 1 << 14, UINT64_C(1) << 40, true};
static _Atomic uint64_t n_spent; /* bytes unpacked */

void trib_budget_begin(const trib_budget *given) {
    budget.unpacked = given->unpacked;
    budget.members = given->members;
    budget.parts = given->parts;
    budget.programs = given->programs;
    budget.sandbox = given->sandbox;
    n_spent = 0;
}

trib_budget trib_budget_now(void) {
    return (trib_budget){budget.unpacked, budget.members, budget.parts, budget.programs,
                         budget.sandbox};
}

void trib_budget_spend(uint64_t n) { n_spent += n; }

uint64_t trib_budget_unpacked(void) { return atomic_load(&n_spent); }

trib_status trib_parts_check(const char *name, const char *parts, uint64_t n, trib_error *error) {
    if (n <= budget.parts) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT,
                     "%s: has more than %llu %s; split it, or raise resources.parts", name,
                     (unsigned long long)budget.parts, parts);
}

trib_status trib_unpacked_check(const char *name, uint64_t n_file, uint64_t n_out, uint64_t n_new,
                                trib_error *error) {
    if (n_out > TRIB_UNPACKED_MOST)
        return trib_fail(error, TRIB_INPUT, "%s: unpacks to more than 64 GiB; is this a text?",
                         name);
    if (n_out > TRIB_UNPACKED_FREE && n_out / TRIB_UNPACKED_RATIO > n_file)
        return trib_fail(error, TRIB_INPUT,
                         "%s: unpacks to more than %llu times its size; if it is a text, unpack it "
                         "by hand",
                         name, (unsigned long long)TRIB_UNPACKED_RATIO);
    if (atomic_fetch_add(&n_spent, n_new) + n_new > budget.unpacked)
        return trib_fail(error, TRIB_MEMORY,
                         "%s: the run has unpacked more than %g GiB, all files together; raise "
                         "resources.unpacked, or unpack the texts by hand",
                         name, (double)budget.unpacked / 0x1p30);
    return TRIB_OK;
}
