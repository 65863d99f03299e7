/* frequent.c - counts the documents of n-grams in two passes. The first pass adds up all n-grams
 * that fall into one of a fixed number of counters, like one row of a count-min sketch (Cormode and
 * Muthukrishnan 2005): a counter is never below the number of documents of an n-gram in it. Only
 * n-grams with a large counter are counted one by one in the second pass. */
#include "influence/frequent.h"
#include "base/internal.h"

enum { COUNTER_MOST = UINT16_MAX, FIRST_SLOTS = 1 << 10, BLOCK = 64 };

/* The hash of entry e of a document's counts. */
TRIB_INLINE uint64_t hash_of(const trib_influence_document *document, size_t e) {
    uint32_t word[TRIB_MAX_MODES];
    const uint32_t n = document->counts->n_modes;
    trib_hacoo_entry(document->counts, e, word);
    for (uint32_t m = 0; m < n; m++) word[m] = document->word[word[m]];
    return trib_checksum(word, n * sizeof *word);
}

/* ---- The table ------------------------------------------------------------------------------- */

static trib_frequent_ngram *find_slot(const trib_frequent_ngrams *table, uint64_t hash) {
    size_t s = (size_t)hash & (table->n_slots - 1);
    while (table->slot[s].n_documents > 0 && table->slot[s].hash != hash)
        s = (s + 1) & (table->n_slots - 1);
    return &table->slot[s];
}

/* Makes the table again with n_slots slots, of the n-grams that are in more than `more_than`
 * documents. */
static trib_status make_again(trib_frequent_ngrams *table, size_t n_slots, uint32_t more_than,
                              trib_error *error) {
    trib_frequent_ngrams again = {.more_than = table->more_than, .n_slots = n_slots};
    const trib_status status =
        trib_new(&again.slot, n_slots, sizeof *again.slot, "frequent n-grams", error);
    if (status != TRIB_OK) return status;
    for (size_t s = 0; s < table->n_slots; s++)
        if (table->slot[s].n_documents > more_than) {
            *find_slot(&again, table->slot[s].hash) = table->slot[s];
            again.n++;
        }
    trib_free(table->slot);
    *table = again;
    return TRIB_OK;
}

/* Makes room for one more n-gram. */
static trib_status make_room(trib_frequent_ngrams *table, trib_error *error) {
    return table->n < table->n_slots / 2 ? TRIB_OK
                                         : make_again(table, 2 * table->n_slots, 0, error);
}

static trib_status count(trib_frequent_ngrams *table, uint64_t hash, uint32_t document,
                         trib_error *error) {
    const trib_status status = make_room(table, error);
    if (status != TRIB_OK) return status;
    trib_frequent_ngram *slot = find_slot(table, hash);
    if (slot->n_documents++ > 0) return TRIB_OK;
    slot->hash = hash;
    slot->earliest = document;
    table->n++;
    return TRIB_OK;
}

/* The number of slots for the n-grams that are in more than `more_than` documents. */
static size_t count_slots(const trib_frequent_ngrams *table, uint32_t more_than) {
    size_t n = 0, n_slots = FIRST_SLOTS;
    for (size_t s = 0; s < table->n_slots; s++) n += table->slot[s].n_documents > more_than;
    while (n_slots < 2 * n) n_slots *= 2;
    return n_slots;
}

/* ---- The passes ------------------------------------------------------------------------------ */

static trib_status hold(const trib_documents_reading *reading, uint32_t d, trib_error *error) {
    const trib_status status = trib_stop_check(error);
    return status == TRIB_OK && reading ? reading->hold(reading->context, d, error) : status;
}

static void drop(const trib_documents_reading *reading, uint32_t d) {
    if (reading) reading->drop(reading->context, d);
}

/* The number of counters: a power of two, enough for all n-grams if memory allows. */
static size_t count_counters(const trib_influence_document document[], const uint32_t order[],
                             size_t n, const trib_frequent_options *options) {
    size_t n_ngrams = 0, n_counters = 1;
    for (size_t i = 0; i < n; i++) n_ngrams += document[order[i]].counts->nnz;
    if (options->n_parts > 1) n_ngrams /= options->n_parts;
    while (n_counters < n_ngrams && 4 * n_counters <= options->most_bytes) n_counters *= 2;
    return n_counters;
}

/* One counter for each of n_counters values of a hash. */
typedef struct counters {
    uint16_t *counter;
    size_t mask;            /* n_counters - 1 */
    uint16_t large;         /* counters above it belong to n-grams that are counted one by one */
    uint32_t part, n_parts; /* as in trib_frequent_options */
} counters;

/* Whether the n-grams of a hash are counted here. */
TRIB_INLINE bool is_own(const counters *c, uint64_t hash) {
    return c->n_parts <= 1 || (hash >> 32) * c->n_parts >> 32 == c->part;
}

TRIB_INLINE uint16_t *counter_of(const counters *c, uint64_t hash) {
    return &c->counter[hash >> 32 & c->mask];
}

/* The hashes of at most `most` entries from e on; their counters, which are anywhere in memory, are
 * fetched ahead. */
static size_t hash_block(uint64_t hash[], size_t most, const counters *c,
                         const trib_influence_document *document, size_t e) {
    const size_t left = document->counts->nnz - e, n = left < most ? left : most;
    for (size_t i = 0; i < n; i++) {
        hash[i] = hash_of(document, e + i);
        if (is_own(c, hash[i])) __builtin_prefetch(counter_of(c, hash[i]), 1);
    }
    return n;
}

/* The first pass over a document. */
static void raise_counters(const counters *c, const trib_influence_document *document) {
    uint64_t hash[BLOCK];
    for (size_t e = 0, n; e < document->counts->nnz; e += n) {
        n = hash_block(hash, BLOCK, c, document, e);
        for (size_t i = 0; i < n; i++) {
            uint16_t *place = counter_of(c, hash[i]);
            if (is_own(c, hash[i]) && *place < COUNTER_MOST) ++*place;
        }
    }
}

/* The second pass over document d. */
static trib_status count_large(trib_frequent_ngrams *found, const counters *c,
                               const trib_influence_document *document, uint32_t d,
                               trib_error *error) {
    uint64_t hash[BLOCK];
    trib_status status = TRIB_OK;
    for (size_t e = 0, n; e < document->counts->nnz && status == TRIB_OK; e += n) {
        n = hash_block(hash, BLOCK, c, document, e);
        for (size_t i = 0; i < n && status == TRIB_OK; i++)
            if (is_own(c, hash[i]) && *counter_of(c, hash[i]) > c->large)
                status = count(found, hash[i], d, error);
    }
    return status;
}

trib_status trib_frequent_find(trib_frequent_ngrams *found,
                               const trib_influence_document document[], const uint32_t order[],
                               size_t n, const trib_frequent_options *options,
                               const trib_documents_reading *reading, trib_error *error) {
    const uint32_t more_than = options->more_than;
    const size_t n_counters = count_counters(document, order, n, options);
    counters c = {.mask = n_counters - 1,
                  .large = more_than < COUNTER_MOST ? (uint16_t)more_than : COUNTER_MOST - 1,
                  .part = options->part,
                  .n_parts = options->n_parts};
    *found = (trib_frequent_ngrams){.more_than = more_than};
    trib_status status =
        trib_new(&c.counter, n_counters, sizeof *c.counter, "the counts of n-grams", error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        status = hold(reading, order[i], error);
        if (status != TRIB_OK) break;
        raise_counters(&c, &document[order[i]]);
        drop(reading, order[i]);
    }
    if (status == TRIB_OK) status = make_again(found, FIRST_SLOTS, 0, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        status = hold(reading, order[i], error);
        if (status != TRIB_OK) break;
        status = count_large(found, &c, &document[order[i]], order[i], error);
        drop(reading, order[i]);
    }
    trib_free(c.counter);
    if (status == TRIB_OK)
        status = make_again(found, count_slots(found, more_than), more_than, error);
    if (status != TRIB_OK) trib_frequent_release(found);
    return status;
}

trib_status trib_frequent_add(trib_frequent_ngrams *frequent, const trib_frequent_ngram *ngram,
                              trib_error *error) {
    const trib_status status = make_room(frequent, error);
    if (status != TRIB_OK) return status;
    *find_slot(frequent, ngram->hash) = *ngram;
    frequent->n++;
    return TRIB_OK;
}

static const trib_frequent_ngram *find(const trib_frequent_ngrams *frequent, uint64_t hash) {
    const trib_frequent_ngram *slot = find_slot(frequent, hash);
    return slot->n_documents > 0 ? slot : NULL;
}

const trib_frequent_ngram *trib_frequent_entry(const trib_frequent_ngrams *frequent,
                                               const trib_influence_document *document, size_t e) {
    return frequent->n > 0 ? find(frequent, hash_of(document, e)) : NULL;
}

const trib_frequent_ngram *trib_frequent_words(const trib_frequent_ngrams *frequent,
                                               const uint32_t word[], uint32_t n) {
    return frequent->n > 0 ? find(frequent, trib_checksum(word, n * sizeof *word)) : NULL;
}

void trib_frequent_release(trib_frequent_ngrams *frequent) {
    trib_free(frequent->slot);
    *frequent = (trib_frequent_ngrams){0};
}
