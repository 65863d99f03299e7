/* hicoo_predict.c - estimates alpha_b and c_b of HiCOO before it is built, from a sample of whole
 * blocks. [H] leaves this to future work.
 *
 * A sample of single nonzeros would split blocks, so blocks would seem smaller and more numerous
 * than they are. Here a hash of the position of a block decides whether the block is in the sample,
 * so either all of its nonzeros are counted or none. At first every block is in the sample. Each
 * time the sample exceeds 4096 blocks, one more bit of the hash must be 0, and blocks that no
 * longer qualify are removed (adaptive sampling, Wegman; Flajolet 1990). Every block is then in the
 * sample with the same probability, 2^-level. So the number of blocks in the sample times 2^level
 * is an unbiased estimate of the number of all blocks, and the mean logarithm of their nonzeros is
 * one of the mean over all blocks. */
#include "base/internal.h"
#include "tensor/entry.h"
#include "tensor/formats/formats.h"

enum { MOST = 4096, SLOTS = 4 * MOST };

typedef struct block {
    /* The key of its nonzeros without the low bits of every mode. */
    trib_key place;
    uint64_t hash;
    uint32_t nnz; /* 0: the slot is empty */
} block;

typedef struct sample {
    block *slot; /* [SLOTS] linear probing */
    size_t n;
    uint32_t level; /* the hashes of the blocks begin with this many zeros */
} sample;

/* The finaliser of MurmurHash3. */
static uint64_t stir(uint64_t x) {
    x = (x ^ x >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    x = (x ^ x >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

static uint64_t hash_of(trib_key place) {
    const uint64_t high = (uint64_t)(place >> 64);
    return stir((high ? stir(high) : 0) ^ ((uint64_t)place + UINT64_C(0x9E3779B97F4A7C15)));
}

static bool is_in(uint64_t hash, uint32_t level) { return level == 0 || hash >> (64 - level) == 0; }

static block *slot_of(block *slot, trib_key place, uint64_t hash) {
    size_t at = hash % SLOTS;
    while (slot[at].nnz > 0 && slot[at].place != place) at = (at + 1) % SLOTS;
    return &slot[at];
}

/* Moves the blocks that qualify for the next level from one array to the other, which is empty. */
static void thin(sample *s, block *other) {
    block *from = s->slot;
    s->slot = other;
    s->level++;
    s->n = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        if (from[i].nnz > 0 && is_in(from[i].hash, s->level)) {
            *slot_of(other, from[i].place, from[i].hash) = from[i];
            s->n++;
        }
        from[i].nnz = 0;
    }
}

/* All bits of a key except the low `bits` bits of each mode. */
static trib_key mask_of(const trib_hacoo *table, uint32_t bits) {
    trib_key mask = 0;
    for (uint32_t m = 0; m < table->n_modes; m++) {
        const uint64_t mode = (UINT64_C(1) << table->bits[m]) - 1;
        const uint64_t inner = (UINT64_C(1) << bits) - 1;
        mask = mask << table->bits[m] | (mode & ~inner);
    }
    return mask;
}

TRIB_INLINE void count(sample *s, block *slots, const trib_hacoo *table, trib_key mask, bool wide) {
    for (size_t e = 0; e < table->nnz; e++) {
        const trib_key place = trib_entry_key(table->entry, e, wide) & mask;
        const uint64_t hash = hash_of(place);
        if (!is_in(hash, s->level)) continue;
        block *at = slot_of(s->slot, place, hash);
        if (at->nnz++ > 0) continue;
        at->place = place;
        at->hash = hash;
        for (s->n++; s->n > MOST;) thin(s, s->slot == slots ? slots + SLOTS : slots);
    }
}

trib_status trib_hicoo_predict(const trib_hacoo *table, uint32_t side,
                               trib_hicoo_prediction *prediction, trib_error *error) {
    TRIB_FREED(block *) slots = NULL;
    uint32_t bits = 0;
    double logs = 0;
    *prediction = (trib_hicoo_prediction){.block = side ? side : TRIB_BLOCK_MAX};
    const trib_status status = TRIB_NEW(&slots, 2 * SLOTS, "a sample", error);
    if (status != TRIB_OK || table->nnz == 0) return status;
    sample s = {.slot = slots};
    while (prediction->block >> bits > 1) bits++;
    if (trib_is_wide(table)) count(&s, slots, table, mask_of(table, bits), true);
    else count(&s, slots, table, mask_of(table, bits), false);
    for (size_t i = 0; i < SLOTS; i++) {
        if (s.slot[i].nnz == 0) continue;
        logs += trib_logarithm(s.slot[i].nnz);
        prediction->nnz += s.slot[i].nnz;
    }
    const double n = (double)s.n, share = ldexp(1, -(int)s.level);
    prediction->n_blocks = s.n;
    if (s.n > 0) {
        prediction->block_ratio = n / share / (double)table->nnz;
        prediction->slice_size = trib_exponential(logs / n) / prediction->block;
        prediction->deviation = sqrt((1 - share) / n);
    }
    return TRIB_OK;
}
