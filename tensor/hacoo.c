/* hacoo.c - the table: buckets of chained entries over one array of entries.
 *
 *     head[bucket] -> entry -> next -> next        entry[0 .. nnz-1] in the order of insertion
 *
 * It is separate chaining as in [P] and [C], but growth relinks entry numbers instead of moving
 * entries, and a scan of the array visits every nonzero without reading a bucket. */
#include "tensor/entry.h"

enum { MIN_BUCKETS = 8, DEFAULT_BUCKETS = 128 };
enum { AHEAD = 16 }; /* entries whose bucket is prefetched */
static const double default_load = 0.7, max_load = 16;

static size_t entry_size(const trib_hacoo *table) {
    return trib_is_wide(table) ? sizeof(trib_entry128) : sizeof(trib_entry64);
}

static size_t power_of_two(double at_least) {
    size_t n = MIN_BUCKETS;
    while ((double)n < at_least && n <= SIZE_MAX / 2) n *= 2;
    return n;
}

/* Sets bits[] and key_bits, and checks their limits. */
static trib_status set_key_width(trib_hacoo *table, trib_error *error) {
    uint32_t largest = 0;
    for (uint32_t m = 0; m < table->n_modes; m++) {
        const uint32_t dim = table->dim[m];
        if (dim == 0) return trib_fail(error, TRIB_INPUT, "mode %u of a tensor has size 0", m + 1);
        uint8_t bits = 1;
        while (bits < 32 && UINT64_C(1) << bits < dim) bits++;
        table->bits[m] = bits;
        table->key_bits += bits;
        if (dim > largest) largest = dim;
    }
    if (table->key_bits > 128)
        return trib_fail(
            error, TRIB_INPUT,
            "n = %u over a vocabulary of %u needs keys of %u bits, and at most 128 are "
            "possible; choose a smaller n or a smaller vocabulary",
            table->n_modes, largest, table->key_bits);
    return TRIB_OK;
}

/* Where buckets are prefetched, their numbers are computed twice. */
TRIB_INLINE void link_entries(trib_hacoo *table, bool wide, bool prefetches) {
    uint32_t *const head = table->head;
    for (size_t e = table->nnz;
         e-- > 0;) { /* last first, so that chains stay in order of insertion */
        if (prefetches && e >= AHEAD)
            __builtin_prefetch(
                &head[trib_key_bucket(table, trib_entry_key(table->entry, e - AHEAD, wide), wide)],
                1);
        const size_t b = trib_key_bucket(table, trib_entry_key(table->entry, e, wide), wide);
        *trib_entry_next(table->entry, e, wide) = head[b];
        head[b] = (uint32_t)e;
    }
}

void trib_hacoo_link(trib_hacoo *table) {
    enum { IN_CACHE = 1 << 17 }; /* buckets */
    memset(table->head, 0xff, table->n_buckets * sizeof *table->head);
    if (trib_is_wide(table)) link_entries(table, true, true);
    else if (table->n_buckets > IN_CACHE) link_entries(table, false, true);
    else link_entries(table, false, false);
}

/* Links the existing entries into n_buckets new buckets. */
static trib_status relink(trib_hacoo *table, size_t n_buckets, trib_error *error) {
    uint32_t *head = NULL;
    size_t cap = 0;
    const trib_status status = TRIB_GROW(&head, &cap, n_buckets, "hash buckets", error);
    if (status != TRIB_OK) return status;
    trib_free(table->head);
    table->head = head;
    table->n_buckets = n_buckets;
    trib_hacoo_link(table);
    return TRIB_OK;
}

trib_status trib_hacoo_init(trib_hacoo *table, uint32_t n_modes, const uint32_t dim[],
                            const trib_hacoo_options *options, trib_error *error) {
    static const trib_hacoo_options defaults = {0};
    const trib_hacoo_options *o = options ? options : &defaults;
    *table = (trib_hacoo){.n_modes = n_modes};
    table->hash = o->hash ? o->hash : trib_hash_find("mixed");
    table->load = o->load == 0 ? default_load : o->load;
    if (n_modes < 1 || n_modes > TRIB_MAX_MODES)
        return trib_fail(error, TRIB_INPUT, "a tensor of %u modes; 1 to %d are possible", n_modes,
                         TRIB_MAX_MODES);
    if (!(table->load > 0 && table->load <= max_load))
        return trib_fail(error, TRIB_INPUT,
                         "a load of %g entries per bucket; it must be in (0, %g]", table->load,
                         max_load);
    memcpy(table->dim, dim, n_modes * sizeof *dim);
    trib_status status = set_key_width(table, error);
    double wanted = o->n_buckets ? (double)o->n_buckets : DEFAULT_BUCKETS;
    if (o->expected) wanted = (double)o->expected / table->load;
    if (status == TRIB_OK) status = relink(table, power_of_two(wanted), error);
    if (status == TRIB_OK && o->expected)
        status = trib_grow(&table->entry, &table->cap, o->expected, entry_size(table),
                           "hash entries", error);
    if (status != TRIB_OK) trib_hacoo_release(table);
    return status;
}

void trib_hacoo_release(trib_hacoo *table) {
    if (!table->is_spilled) {
        TRIB_FREE(table->entry, table->head);
    }
    *table = (trib_hacoo){0};
}

trib_status trib_hacoo_spill(trib_hacoo *table, trib_spill *spill, trib_error *error) {
    void *entry = NULL;
    uint32_t *head = NULL;
    trib_status status =
        trib_spill_put(spill, table->entry, table->nnz * entry_size(table), &entry, error);
    if (status == TRIB_OK)
        status = trib_spill_put(spill, table->head, table->n_buckets * sizeof *head, &head, error);
    if (status != TRIB_OK) return status;
    TRIB_FREE(table->entry, table->head);
    table->entry = entry;
    table->head = head;
    table->cap = table->nnz;
    table->is_spilled = true;
    return TRIB_OK;
}

trib_hacoo_location trib_hacoo_locate(const trib_hacoo *table, const trib_spill *spill) {
    return (trib_hacoo_location){.nnz = table->nnz,
                                 .n_buckets = table->n_buckets,
                                 .total = table->total,
                                 .entry = trib_spill_place(spill, table->entry),
                                 .head = trib_spill_place(spill, table->head)};
}

trib_status trib_hacoo_attach(trib_hacoo *table, uint32_t n_modes, const uint32_t dim[],
                              const trib_hacoo_options *options, const trib_hacoo_location *place,
                              const trib_spill *spill, trib_error *error) {
    const trib_hacoo_options few = {.hash = options->hash, .load = options->load, .n_buckets = 1};
    const trib_status status = trib_hacoo_init(table, n_modes, dim, &few, error);
    if (status != TRIB_OK) return status;
    trib_free(table->head);
    table->head = NULL;
    table->nnz = table->cap = (size_t)place->nnz;
    table->n_buckets = (size_t)place->n_buckets;
    table->total = place->total;
    table->is_spilled = true;
    if (!spill) return TRIB_OK;
    table->entry = trib_spill_array(spill, place->entry, place->nnz, entry_size(table));
    table->head = trib_spill_array(spill, place->head, place->n_buckets, sizeof *table->head);
    if (table->entry && table->head) return TRIB_OK;
    trib_hacoo_release(table);
    return trib_fail(error, TRIB_INTERNAL,
                     "the n-grams of a document are not where they should be");
}

TRIB_INLINE uint32_t *seek(const trib_hacoo *table, trib_key key, bool wide) {
    return trib_hacoo_seek(table, trib_key_bucket(table, key, wide), key, wide);
}

trib_status trib_hacoo_outside(const trib_hacoo *table, const uint32_t index[], trib_error *error) {
    for (uint32_t m = 0; m < table->n_modes; m++)
        if (index[m] >= table->dim[m])
            return trib_fail(error, TRIB_INTERNAL, "index %u of mode %u is not below its size %u",
                             index[m], m + 1, table->dim[m]);
    return trib_fail(error, TRIB_INTERNAL, "an index is out of range");
}

trib_status trib_hacoo_make_room(trib_hacoo *table, trib_error *error) {
    if (table->nnz == UINT32_MAX)
        return trib_fail(error, TRIB_INPUT, "more than %u different n-grams in one tensor",
                         UINT32_MAX);
    trib_status status = TRIB_OK;
    if (table->nnz == table->cap) {
        /* Twice the capacity if memory allows: large arrays are moved less often. */
        const size_t twice = table->cap < UINT32_MAX / 2 ? 2 * table->cap + 1 : UINT32_MAX;
        status =
            trib_grow(&table->entry, &table->cap, twice, entry_size(table), "hash entries", error);
        if (status == TRIB_MEMORY)
            status = trib_grow(&table->entry, &table->cap, table->nnz + 1, entry_size(table),
                               "hash entries", error);
    }
    if (status == TRIB_OK && (double)(table->nnz + 1) > table->load * (double)table->n_buckets)
        status = relink(table, 2 * table->n_buckets, error);
    return status;
}

/* Finds the entry at `index`, or makes one with count 0. *e receives its number. */
TRIB_INLINE trib_status locate(trib_hacoo *table, const uint32_t index[], uint32_t *e, bool wide,
                               trib_error *error) {
    trib_key key = 0;
    if (!trib_key_pack(table, index, &key, wide)) return trib_hacoo_outside(table, index, error);
    return trib_hacoo_place(table, trib_key_bucket(table, key, wide), key, e, wide, error);
}

trib_status trib_hacoo_add(trib_hacoo *table, const uint32_t index[], uint32_t count,
                           trib_error *error) {
    const bool wide = trib_is_wide(table);
    uint32_t e = 0;
    if (count == 0) return TRIB_OK;
    const trib_status status =
        wide ? locate(table, index, &e, true, error) : locate(table, index, &e, false, error);
    return status == TRIB_OK ? trib_hacoo_raise(table, e, count, wide, error) : status;
}

trib_status trib_hacoo_set(trib_hacoo *table, const uint32_t index[], uint32_t count,
                           trib_error *error) {
    trib_key key = 0;
    if (!trib_key_pack(table, index, &key, true)) return trib_hacoo_outside(table, index, error);
    if (count == 0) {
        trib_hacoo_remove(table, index);
        return TRIB_OK;
    }
    uint32_t e = 0;
    const trib_status status = locate(table, index, &e, trib_is_wide(table), error);
    if (status != TRIB_OK) return status;
    uint32_t *cell = trib_entry_count(table->entry, e, trib_is_wide(table));
    table->total = table->total - *cell + count;
    *cell = count;
    return TRIB_OK;
}

size_t trib_hacoo_find(const trib_hacoo *table, const uint32_t index[]) {
    const bool wide = trib_is_wide(table);
    trib_key key = 0;
    if (table->nnz == 0 || !trib_key_pack(table, index, &key, wide)) return TRIB_NO_ENTRY;
    const uint32_t e = *seek(table, key, wide);
    return e == TRIB_CHAIN_END ? TRIB_NO_ENTRY : e;
}

uint32_t trib_hacoo_get(const trib_hacoo *table, const uint32_t index[]) {
    const size_t e = trib_hacoo_find(table, index);
    return e == TRIB_NO_ENTRY ? 0 : trib_hacoo_count(table, e);
}

bool trib_hacoo_remove(trib_hacoo *table, const uint32_t index[]) {
    const bool wide = trib_is_wide(table);
    trib_key key = 0;
    if (table->nnz == 0 || !trib_key_pack(table, index, &key, wide)) return false;
    uint32_t *link = seek(table, key, wide);
    const size_t e = *link, last = table->nnz - 1, size = entry_size(table);
    if (e == TRIB_CHAIN_END) return false;
    table->total -= *trib_entry_count(table->entry, e, wide);
    *link = *trib_entry_next(table->entry, e, wide);
    if (e != last) {
        *seek(table, trib_entry_key(table->entry, last, wide), wide) = (uint32_t)e;
        memcpy((char *)table->entry + e * size, (char *)table->entry + last * size, size);
    }
    table->nnz--;
    return true;
}

uint32_t trib_hacoo_entry(const trib_hacoo *table, size_t e, uint32_t index[]) {
    const bool wide = trib_is_wide(table);
    trib_key_unpack(table->bits, table->n_modes, trib_entry_key(table->entry, e, wide), index,
                    wide);
    return *trib_entry_count(table->entry, e, wide);
}

uint32_t trib_hacoo_count(const trib_hacoo *table, size_t e) {
    return *trib_entry_count(table->entry, e, trib_is_wide(table));
}

size_t trib_hacoo_bucket(const trib_hacoo *table, const uint32_t index[]) {
    const bool wide = trib_is_wide(table);
    trib_key key = 0;
    return trib_key_pack(table, index, &key, wide) ? trib_key_bucket(table, key, wide)
                                                   : TRIB_NO_ENTRY;
}

size_t trib_hacoo_bytes(const trib_hacoo *table) {
    return table->nnz * entry_size(table) + table->n_buckets * sizeof *table->head;
}

size_t trib_hacoo_chain(const trib_hacoo *table, size_t bucket) {
    const bool wide = trib_is_wide(table);
    size_t length = 0;
    for (uint32_t e = table->head[bucket]; e != TRIB_CHAIN_END;
         e = *trib_entry_next(table->entry, e, wide))
        length++;
    return length;
}

/* Whether an entry before entry e in its chain has the same number. Equal numbers are always in the
 * same bucket. */
static bool is_alias(const trib_hacoo *table, uint32_t first, uint32_t e) {
    uint32_t index[TRIB_MAX_MODES];
    trib_hacoo_entry(table, e, index);
    const uint64_t number = table->hash->number(table, index);
    for (; first != e; first = *trib_entry_next(table->entry, first, trib_is_wide(table))) {
        trib_hacoo_entry(table, first, index);
        if (table->hash->number(table, index) == number) return true;
    }
    return false;
}

void trib_hacoo_spread_of(const trib_hacoo *table, trib_hacoo_spread *spread) {
    const bool wide = trib_is_wide(table);
    double probes = 0;
    *spread = (trib_hacoo_spread){0};
    for (size_t b = 0; b < table->n_buckets; b++) {
        size_t depth = 0;
        for (uint32_t e = table->head[b]; e != TRIB_CHAIN_END;
             e = *trib_entry_next(table->entry, e, wide)) {
            probes += (double)++depth;
            spread->n_aliases += table->hash->aliases && is_alias(table, table->head[b], e);
        }
        spread->n_used_buckets += depth > 0;
        if (depth > spread->max_probes) spread->max_probes = depth;
    }
    if (table->nnz == 0) return;
    spread->collision_rate = (double)(table->nnz - spread->n_used_buckets) / (double)table->nnz;
    spread->mean_probes = probes / (double)table->nnz;
}
