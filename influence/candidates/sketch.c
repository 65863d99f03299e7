/* sketch.c - samples the n-grams of a document by hash (FracMinHash, Irber et al. 2022). The hash
 * of an n-gram is a polynomial of the mixed hashes of its words, mixed again: a fixed function, so
 * that sketches of different runs and machines agree. */
#include "influence/candidates/sketch.h"
#include "base/internal.h"

/* The functions that mix hashes are fixed: sketches that were stored depend on them. */

/* Mixes all bits: the finaliser of splitmix64 (Steele, Lea, Flood 2014), a bijection. */
static inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The hash of a vocabulary word: of word_hash[word], or of its id when word_hash is NULL. */
static inline uint64_t mix_word(uint32_t word, const uint64_t *word_hash) {
    return mix((word_hash ? word_hash[word] : word) + UINT64_C(0x9E3779B97F4A7C15));
}

/* Appends a word's hash to a sequence, which starts with 0 and ends with mix. */
static inline uint64_t mix_next(uint64_t sum, uint64_t word) {
    return sum * UINT64_C(0xD6E8FEB86659FD93) + word;
}

uint32_t trib_sketch_rate(uint64_t n_ngrams, size_t n_documents) {
    const double samples = TRIB_SKETCH_FLOOR * (double)n_ngrams / TRIB_SKETCH_SAMPLES;
    uint32_t rate = 1;
    if (n_documents <= TRIB_SKETCH_COMPLETE) return 1;
    while (rate < UINT32_C(1) << 30 && 2.0 * rate <= samples) rate *= 2;
    return rate;
}

trib_status trib_sketch_rate_of_corpus(uint32_t *rate, const uint64_t n_ngrams[],
                                       const uint8_t *is_target, size_t n_documents,
                                       uint64_t most_entries, trib_error *error) {
    uint32_t *wanted = NULL; /* [n] the rates for the targets */
    size_t n = 0;
    double total = 0;
    *rate = 1;
    const trib_status status = TRIB_NEW(&wanted, n_documents, "the rate of sketches", error);
    if (status != TRIB_OK) return status;
    for (size_t d = 0; d < n_documents; d++) {
        total += (double)n_ngrams[d];
        if (!is_target || is_target[d]) wanted[n++] = trib_sketch_rate(n_ngrams[d], n_documents);
    }
    if (n > 0) {
        qsort(wanted, n, sizeof *wanted, trib_by_uint32);
        *rate = wanted[n / 4];
    }
    while (n_documents > TRIB_SKETCH_COMPLETE && most_entries > 0 && *rate < UINT32_C(1) << 30 &&
           total / *rate > (double)most_entries)
        *rate *= 2;
    trib_free(wanted);
    return TRIB_OK;
}

/* Sorts the entries and joins those with equal hashes. */
static trib_status finish(trib_sketch *sketch, trib_error *error) {
    const trib_status status = trib_sketch_sort(&sketch->entry, sketch->n, 1, error);
    if (status != TRIB_OK) return status;
    sketch->cap = sketch->n;
    sketch->n = trib_sketch_join(sketch->entry, sketch->n);
    return TRIB_OK;
}

static trib_status add(trib_sketch *sketch, uint64_t hash, uint32_t number, uint32_t count,
                       trib_error *error) {
    const trib_status status = TRIB_APPEND(&sketch->entry, &sketch->n, &sketch->cap, "a sketch",
                                           error, &(trib_sketch_entry){hash, number, count});
    return status;
}

trib_status trib_sketch_build(trib_sketch *sketch, const trib_influence_document *document,
                              uint32_t number, const trib_sketch_options *options,
                              trib_error *error) {
    const trib_hacoo *counts = document->counts;
    const uint32_t rate = options->rate > 0 ? options->rate : 1, n_modes = counts->n_modes;
    sketch->n = 0;
    if ((rate & (rate - 1)) != 0)
        return trib_fail(error, TRIB_INTERNAL, "the rate %u of a sketch is no power of two", rate);
    trib_status status =
        TRIB_GROW(&sketch->word, &sketch->word_cap, document->n_local, "a sketch", error);
    for (uint32_t i = 0; status == TRIB_OK && i < document->n_local; i++)
        sketch->word[i] = mix_word(document->word[i], options->word_hash);
    for (size_t e = 0; status == TRIB_OK && e < counts->nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        uint64_t sum = 0;
        const uint32_t count = trib_hacoo_entry(counts, e, index);
        for (uint32_t m = 0; m < n_modes; m++) sum = mix_next(sum, sketch->word[index[m]]);
        const uint64_t hash = mix(sum);
        const bool is_taken = (hash & (rate - 1)) == 0 ||
                              (options->wanted && trib_wanted_hashes_have(options->wanted, hash));
        if (is_taken && (!options->only || trib_wanted_hashes_have(options->only, hash)))
            status = add(sketch, hash, number, count, error);
    }
    return status == TRIB_OK ? finish(sketch, error) : status;
}

/* ---- Runs of words --------------------------------------------------------------------------- */

enum { WINDOW = TRIB_RUN_WORDS - TRIB_RUN_GRAM + 1 };

/* Replaces hash[n] of words by those of TRIB_RUN_GRAM words from each on; returns their number. */
static size_t hash_grams(uint64_t *hash, size_t n) {
    if (n < TRIB_RUN_GRAM) return 0;
    for (size_t i = 0; i + TRIB_RUN_GRAM <= n; i++) {
        uint64_t sum = 0;
        for (size_t k = 0; k < TRIB_RUN_GRAM; k++) sum = mix_next(sum, hash[i + k]);
        hash[i] = mix(sum);
    }
    return n - TRIB_RUN_GRAM + 1;
}

/* Adds the smallest of every WINDOW hashes, once for each place where it stands; of a shorter text,
 * the smallest of all. They are mixed again, as the smallest do not divide evenly. */
static trib_status winnow(trib_sketch *sketch, const uint64_t *hash, size_t n, uint32_t number,
                          const trib_wanted_hashes *only, trib_error *error) {
    const size_t window = n < WINDOW ? n : WINDOW;
    size_t least = SIZE_MAX; /* the last place of the smallest hash of the window */
    trib_status status = TRIB_OK;
    for (size_t i = 0; status == TRIB_OK && n > 0 && i + window <= n; i++) {
        const size_t before = least;
        if (least == SIZE_MAX || least < i) {
            least = i;
            for (size_t k = i + 1; k < i + window; k++)
                if (hash[k] <= hash[least]) least = k;
        } else if (hash[i + window - 1] <= hash[least]) {
            least = i + window - 1;
        }
        if (least == before) continue;
        const uint64_t chosen = mix(hash[least]);
        if (!only || trib_wanted_hashes_have(only, chosen))
            status = add(sketch, chosen, number, 1, error);
    }
    return status;
}

trib_status trib_sketch_runs(trib_sketch *sketch, const uint32_t word[], size_t n, uint32_t number,
                             const trib_sketch_options *options, const uint8_t *is_common,
                             trib_error *error) {
    const uint64_t *const word_hash = options ? options->word_hash : NULL;
    const trib_wanted_hashes *const only = options ? options->only : NULL;
    size_t n_uncommon = 0;
    sketch->n = 0;
    trib_status status = TRIB_GROW(&sketch->word, &sketch->word_cap, n, "a sketch", error);
    for (size_t i = 0; status == TRIB_OK && i < n; i++)
        if (word[i] != UINT32_MAX && !(is_common && is_common[word[i]]))
            sketch->word[n_uncommon++] = mix_word(word[i], word_hash);
    if (status == TRIB_OK)
        status =
            winnow(sketch, sketch->word, hash_grams(sketch->word, n_uncommon), number, only, error);
    return status == TRIB_OK ? finish(sketch, error) : status;
}

void trib_sketch_release(trib_sketch *sketch) {
    TRIB_FREE(sketch->entry, sketch->word);
    *sketch = (trib_sketch){0};
}

/* ---- Sets of hashes -------------------------------------------------------------------------- */

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

/* ---- Sorting of entries ---------------------------------------------------------------------- */

/* Ascending by hash, then by document. */
TRIB_ORDER(by_hash, trib_sketch_entry, TRIB_UP(hash) ?: TRIB_UP(document));

static void insert_all(trib_sketch_entry *entry, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const trib_sketch_entry one = entry[i];
        size_t at = i;
        for (; at > 0 && by_hash(&entry[at - 1], &one) > 0; at--) entry[at] = entry[at - 1];
        entry[at] = one;
    }
}

/* The highest bits of the place of a hash in its interval. */
TRIB_INLINE size_t bucket_of(uint64_t hash, uint32_t n_partitions, uint32_t bits) {
    return (uint32_t)((hash >> 32) * n_partitions) >> (32 - bits);
}

trib_status trib_sketch_sort(trib_sketch_entry **entry, size_t n, uint32_t n_partitions,
                             trib_error *error) {
    enum { FEW = 32, MAX_BITS = 20 };
    static const char order[] = "the order of n-grams";
    if (n < 2) return TRIB_OK; /* there may be no array */
    trib_sketch_entry *sorted = NULL;
    uint32_t *end = NULL; /* [2^bits + 1] first where each bucket begins, then where it ends */
    uint32_t bits = 1;
    while (bits < MAX_BITS && (size_t)4 << bits < n) bits++;
    const size_t n_buckets = (size_t)1 << bits;
    trib_status status = TRIB_NEW(&sorted, n, order, error);
    if (status == TRIB_OK) status = TRIB_NEW(&end, n_buckets + 1, order, error);
    if (status == TRIB_OK) {
        for (size_t i = 0; i < n; i++) end[bucket_of((*entry)[i].hash, n_partitions, bits) + 1]++;
        for (size_t b = 0; b < n_buckets; b++) end[b + 1] += end[b];
        for (size_t i = 0; i < n; i++)
            sorted[end[bucket_of((*entry)[i].hash, n_partitions, bits)]++] = (*entry)[i];
        for (size_t b = 0, from = 0; b < n_buckets; from = end[b++])
            if (end[b] - from <= FEW) insert_all(sorted + from, end[b] - from);
            else qsort(sorted + from, end[b] - from, sizeof *sorted, by_hash);
        trib_free(*entry);
        *entry = sorted;
        sorted = NULL;
    }
    TRIB_FREE(sorted, end);
    return status;
}

size_t trib_sketch_join(trib_sketch_entry entry[], size_t n) {
    size_t n_joined = 0;
    for (size_t i = 0; i < n; i++) {
        trib_sketch_entry *last = n_joined > 0 ? &entry[n_joined - 1] : NULL;
        if (!last || by_hash(last, &entry[i]) != 0) entry[n_joined++] = entry[i];
        else if (last->count > UINT32_MAX - entry[i].count) last->count = UINT32_MAX;
        else last->count += entry[i].count;
    }
    return n_joined;
}
