/* stemma.c - who descends from whom, by the readings that versions share. It is a proposal, made
 * only where the readings tell one parent from every other. */
#include "pipeline/stages/versions.h"

/* Whether a reading is known: a stretch that is lacked is one reading, where it begins. */
static bool is_known(const trib_collation *c, size_t s, size_t w) {
    return trib_reading_of(c, s, w)->number != TRIB_NO_PLACE || s == 0 ||
           c->segment[s].lacking != c->segment[s - 1].lacking;
}

/* The places where two witnesses differ, or agree; with a third: where that one differs from the
 * second, too. */
static uint32_t count(const trib_collation *c, bool agree, size_t v, size_t w, size_t third) {
    uint32_t n = 0;
    for (size_t s = 0; s < c->n_segments; s++) {
        const uint32_t a = trib_reading_of(c, s, v)->number, b = trib_reading_of(c, s, w)->number;
        n += is_known(c, s, v) && is_known(c, s, w) && (a == b) == agree &&
             (third == TRIB_NO_PLACE ||
              (is_known(c, s, third) && trib_reading_of(c, s, third)->number != b));
    }
    return n;
}

/* Whether v may be the parent of w: it is earlier or, without dates, is joined to the tree. */
static bool may_be(const trib_collation *c, size_t v, size_t w, const bool *is_joined) {
    return is_joined ? is_joined[v] : c->witness[v].about->year_end <= c->witness[w].about->year;
}

/* Chooses the parent of a witness. */
static trib_stemma_entry choose(const trib_collation *c, size_t w, const bool *is_joined) {
    static const double SQUARE = 6.63; /* of a normal deviate, at 1 % */
    trib_stemma_entry entry = {.parent = TRIB_NO_PLACE, .rival = TRIB_NO_PLACE};
    for (uint32_t v = 0; v < c->n_witnesses; v++) {
        const bool may = may_be(c, v, w, is_joined);
        const uint32_t n = may ? count(c, false, v, w, TRIB_NO_PLACE) : 0;
        if (!may || (entry.parent != TRIB_NO_PLACE && n >= entry.differ)) continue;
        entry.parent = v;
        entry.differ = n;
    }
    if (entry.parent == TRIB_NO_PLACE) return entry;
    entry.shared = count(c, true, w, entry.parent, 0);
    for (uint32_t v = 0; v < c->n_witnesses; v++) {
        if (v == entry.parent || !may_be(c, v, w, is_joined)) continue;
        const uint32_t with = count(c, true, w, entry.parent, v),
                       against = count(c, true, w, v, entry.parent);
        if (entry.rival != TRIB_NO_PLACE &&
            (int64_t)with - against >= (int64_t)entry.with - entry.against)
            continue; /* another is nearer */
        entry.rival = v;
        entry.with = with;
        entry.against = against;
    }
    const double n = (double)entry.with + entry.against,
                 lead = (double)entry.with - entry.against - 1; /* corrected for continuity */
    entry.descent = entry.rival == TRIB_NO_PLACE           ? TRIB_DESCENT_ONLY
                    : lead > 0 && lead * lead > SQUARE * n ? TRIB_DESCENT_TOLD
                                                           : TRIB_DESCENT_SILENT;
    return entry;
}

trib_stemma trib_stemma_make(const trib_collation *c) {
    const size_t n = c->n_witnesses;
    trib_stemma stemma = {.entry = trib_arena_new(c->arena, n, sizeof *stemma.entry)};
    bool *const is_joined = trib_arena_new(c->arena, n, sizeof *is_joined);
    if (!stemma.entry || !is_joined) return stemma;
    for (size_t w = 0; w < n; w++) {
        stemma.entry[w] = choose(c, w, NULL);
        stemma.is_dated = stemma.is_dated || stemma.entry[w].parent != TRIB_NO_PLACE;
    }
    /* without dates: joins the version that is nearest to one that is joined, again and again */
    for (size_t round = 1; !stemma.is_dated && round < n; round++) {
        size_t best = 0;
        is_joined[0] = true;
        for (size_t w = 1; w < n; w++) {
            if (is_joined[w]) continue;
            stemma.entry[w] = choose(c, w, is_joined);
            if (best == 0 || stemma.entry[w].differ < stemma.entry[best].differ) best = w;
        }
        is_joined[best] = true;
    }
    for (size_t w = 0; w < n; w++) stemma.n_told += stemma.entry[w].descent == TRIB_DESCENT_TOLD;
    return stemma;
}
