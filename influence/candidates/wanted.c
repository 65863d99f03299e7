/* wanted.c - a set of hashes by open addressing with linear probing. Hashes are random numbers, so
 * their highest bits choose the slot. */
#include "influence/candidates/sketch.h"

enum { FIRST_SLOTS = 1024 };

static size_t slot_of(const trib_wanted_hashes *wanted, uint64_t hash) {
    size_t at = (size_t)((hash >> 32) * wanted->n_slots >> 32);
    while (wanted->slot[at] != 0 && wanted->slot[at] != hash)
        at = at + 1 < wanted->n_slots ? at + 1 : 0;
    return at;
}

bool trib_wanted_hashes_have(const trib_wanted_hashes *wanted, uint64_t hash) {
    if (hash == 0) return wanted->has_zero;
    return wanted->n > 0 && wanted->slot[slot_of(wanted, hash)] == hash;
}

/* Makes room for n more hashes; at most two thirds of the slots are filled. */
static trib_status make_room(trib_wanted_hashes *wanted, size_t n, trib_error *error) {
    trib_wanted_hashes larger = {.n = wanted->n,
                                 .n_slots = wanted->n_slots ? wanted->n_slots : FIRST_SLOTS,
                                 .has_zero = wanted->has_zero};
    while ((wanted->n + n) * 3 > larger.n_slots * 2) larger.n_slots *= 2;
    if (larger.n_slots == wanted->n_slots) return TRIB_OK;
    if (larger.n_slots > UINT32_MAX)
        return trib_fail(error, TRIB_INPUT, "too many n-grams of short targets: more than 2^31");
    const trib_status status = TRIB_NEW(&larger.slot, larger.n_slots, "n-grams of targets", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < wanted->n_slots; i++)
        if (wanted->slot[i] != 0) larger.slot[slot_of(&larger, wanted->slot[i])] = wanted->slot[i];
    trib_free(wanted->slot);
    *wanted = larger;
    return TRIB_OK;
}

trib_status trib_wanted_hashes_add(trib_wanted_hashes *wanted, const trib_sketch *sketch,
                                   trib_error *error) {
    const trib_status status = make_room(wanted, sketch->n, error);
    for (size_t i = 0; status == TRIB_OK && i < sketch->n; i++) {
        const uint64_t hash = sketch->entry[i].hash;
        if (hash == 0) {
            wanted->has_zero = true;
            continue;
        }
        uint64_t *slot = &wanted->slot[slot_of(wanted, hash)];
        wanted->n += *slot == 0;
        *slot = hash;
    }
    return status;
}

void trib_wanted_hashes_release(trib_wanted_hashes *wanted) {
    trib_free(wanted->slot);
    *wanted = (trib_wanted_hashes){0};
}
