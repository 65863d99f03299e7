/* stemma.c - who descends from whom, by the readings that versions share. It is a proposal, made
 * only where the readings tell one parent from every other. */
#include "pipeline/stages/versions.h"

/* Whether two readings differ, or agree; both false where one is not known: a stretch that is
 * lacked is one reading, where it begins. */
static bool is_known(const trib_collation *c, size_t s, size_t w) {
    return trib_reading_of(c, s, w)->number != TRIB_NO_PLACE || s == 0 ||
           c->segment[s].lacking != c->segment[s - 1].lacking;
}
static bool have(const trib_collation *c, size_t s, size_t v, size_t w, bool is_same) {
    return is_known(c, s, v) && is_known(c, s, w) &&
           (trib_reading_of(c, s, v)->number == trib_reading_of(c, s, w)->number) == is_same;
}
static bool differ(const trib_collation *c, size_t s, size_t v, size_t w) {
    return have(c, s, v, w, false);
}
static bool agree(const trib_collation *c, size_t s, size_t v, size_t w) {
    return have(c, s, v, w, true);
}

/* Compares a witness with its parent and a rival, and keeps the rival that is nearest to it. */
static void compare(trib_stemma_entry *entry, const trib_collation *c, size_t w, size_t rival) {
    uint32_t with = 0, against = 0;
    for (size_t s = 0; s < c->n_segments; s++) {
        if (!differ(c, s, entry->parent, rival)) continue;
        with += agree(c, s, w, entry->parent);
        against += agree(c, s, w, rival);
    }
    if (entry->rival != TRIB_NO_PLACE &&
        (int64_t)with - against >= (int64_t)entry->with - entry->against)
        return;
    entry->rival = (uint32_t)rival;
    entry->with = with;
    entry->against = against;
}

/* Chooses the parent of a witness among may_be[n_witnesses]. */
static void choose(trib_stemma_entry *entry, const trib_collation *c, size_t w,
                   const bool *may_be) {
    static const double SQUARE = 6.63; /* of a normal deviate, at 1 % */
    *entry = (trib_stemma_entry){.parent = TRIB_NO_PLACE, .rival = TRIB_NO_PLACE};
    for (uint32_t v = 0; v < c->n_witnesses; v++) {
        uint32_t n = 0;
        for (size_t s = 0; may_be[v] && s < c->n_segments; s++) n += differ(c, s, v, w);
        if (!may_be[v] || (entry->parent != TRIB_NO_PLACE && n >= entry->differ)) continue;
        entry->parent = v;
        entry->differ = n;
    }
    if (entry->parent == TRIB_NO_PLACE) return;
    for (size_t v = 0; v < c->n_witnesses; v++)
        if (v != entry->parent && may_be[v]) compare(entry, c, w, v);
    for (size_t s = 0; s < c->n_segments; s++)
        entry->shared += agree(c, s, w, entry->parent) && differ(c, s, w, 0);
    const double n = (double)entry->with + entry->against, /* with its correction for continuity */
        lead = (double)entry->with - entry->against - 1;
    entry->descent = entry->rival == TRIB_NO_PLACE          ? TRIB_DESCENT_ONLY
                     : lead > 0 && lead * lead > SQUARE * n ? TRIB_DESCENT_TOLD
                                                            : TRIB_DESCENT_SILENT;
}

size_t trib_stemma_make(trib_stemma_entry *entry, const trib_collation *c,
                        const bool *may_descend) {
    const size_t n = c->n_witnesses;
    bool *const is_joined = trib_arena_new(c->arena, n, sizeof *is_joined), is_dated = false;
    size_t n_told = 0;
    for (size_t i = 0; i < n * n; i++) is_dated = is_dated || may_descend[i];
    for (size_t w = 0; is_joined && w < n; w++) choose(&entry[w], c, w, may_descend + n * w);
    /* without dates: joins the version that is nearest to one that is joined, again and again */
    for (size_t round = 1; is_joined && !is_dated && round < n; round++) {
        size_t best = n;
        is_joined[0] = true;
        for (size_t w = 1; w < n; w++) {
            if (is_joined[w]) continue;
            choose(&entry[w], c, w, is_joined);
            if (best == n || entry[w].differ < entry[best].differ) best = w;
        }
        is_joined[best] = true;
    }
    for (size_t w = 0; w < n; w++) n_told += entry[w].descent == TRIB_DESCENT_TOLD;
    return n_told;
}
