/* frequent.c - counts the documents of n-grams in two passes. The first pass adds up all n-grams
 * that fall into one of a fixed number of counters, like one row of a count-min sketch (Cormode and
 * Muthukrishnan 2005): a counter is never below the number of documents of an n-gram in it. Only
 * n-grams with a large counter are counted one by one in the second pass. When only the n-grams of
 * few documents matter, one pass counts them alone. */
#include "influence/frequent.h"
#include "base/internal.h"

#include <pthread.h>

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

/* Safe while other threads count. */
TRIB_INLINE bool is_empty(const trib_frequent_ngram *slot) {
    return __atomic_load_n(&slot->n_documents, __ATOMIC_RELAXED) == 0;
}

static trib_frequent_ngram *find_slot(const trib_frequent_ngrams *table, uint64_t hash) {
    size_t s = (size_t)hash & (table->n_slots - 1);
    while (!is_empty(&table->slot[s]) && table->slot[s].hash != hash)
        s = (s + 1) & (table->n_slots - 1);
    return &table->slot[s];
}

/* Makes the table again with n_slots slots, of the n-grams that are in more than `more_than`
 * documents. */
static trib_status make_again(trib_frequent_ngrams *table, size_t n_slots, uint32_t more_than,
                              trib_error *error) {
    trib_frequent_ngrams again = {.more_than = table->more_than, .n_slots = n_slots};
    const trib_status status = TRIB_NEW(&again.slot, n_slots, "frequent n-grams", error);
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

/* Counts an n-gram in document number `place`. */
static trib_status count(trib_frequent_ngrams *table, uint64_t hash, uint32_t place,
                         trib_error *error) {
    const trib_status status = make_room(table, error);
    if (status != TRIB_OK) return status;
    trib_frequent_ngram *slot = find_slot(table, hash);
    if (slot->n_documents++ == 0) {
        *slot = (trib_frequent_ngram){.hash = hash, .n_documents = 1, .earliest = place};
        table->n++;
    } else if (place < slot->earliest) slot->earliest = place;
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

/* One counter for each of n_counters values of a hash. */
typedef struct counters {
    uint16_t *counter; /* NULL: the n-grams of options->only are counted, in `found` */
    size_t mask;       /* n_counters - 1 */
    uint16_t large;    /* counters above it belong to n-grams that are counted one by one */
} counters;

/* The search while it runs. In `found`, the earliest document is given by its place in `order`. */
typedef struct search {
    const trib_influence_document *document;
    const uint32_t *order; /* [n] */
    size_t n;
    const trib_frequent_options *options;
    const trib_documents_reading *reading;
    counters c;
    trib_frequent_ngrams *found;
} search;

static trib_status hold(const search *s, uint32_t d, trib_error *error) {
    const trib_status status = trib_stop_check(error);
    return status == TRIB_OK && s->reading ? s->reading->hold(s->reading->context, d, error)
                                           : status;
}

static void drop(const search *s, uint32_t d) {
    if (s->reading) s->reading->drop(s->reading->context, d);
}

/* Whether the n-grams of a hash are counted here. */
TRIB_INLINE bool is_own(const search *s, uint64_t hash) {
    const uint32_t n_parts = s->options->n_parts;
    return n_parts <= 1 || (hash >> 32) * n_parts >> 32 == s->options->part;
}

TRIB_INLINE uint16_t *counter_of(const counters *c, uint64_t hash) {
    return &c->counter[hash >> 32 & c->mask];
}

/* The hashes of at most `most` entries from *e on that are counted here; *e is moved behind these
 * entries. What the hashes count in, which is anywhere in memory, is fetched ahead. */
static size_t hash_block(uint64_t hash[], size_t most, const search *s,
                         const trib_influence_document *document, size_t *e) {
    const size_t left = document->counts->nnz - *e, end = *e + (left < most ? left : most);
    size_t n = 0;
    for (; *e < end; ++*e) {
        hash[n] = hash_of(document, *e);
        if (!is_own(s, hash[n])) continue;
        if (s->c.counter) __builtin_prefetch(counter_of(&s->c, hash[n]), 1);
        else __builtin_prefetch(&s->found->slot[hash[n] & (s->found->n_slots - 1)]);
        n++;
    }
    return n;
}

/* Raises a counter that other threads raise, too. */
static void raise_counter(uint16_t *counter) {
    uint16_t now = __atomic_load_n(counter, __ATOMIC_RELAXED);
    while (now < COUNTER_MOST &&
           !__atomic_compare_exchange_n(counter, &now, (uint16_t)(now + 1), true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {}
}

/* The first pass over document order[place]. */
static trib_status raise_counters(search *s, size_t place, trib_error *error) {
    const trib_influence_document *document = &s->document[s->order[place]];
    const bool is_alone = s->options->n_threads <= 1;
    uint64_t hash[BLOCK];
    (void)error;
    for (size_t e = 0, n; e < document->counts->nnz;) {
        n = hash_block(hash, BLOCK, s, document, &e);
        for (size_t i = 0; i < n; i++) {
            uint16_t *counter = counter_of(&s->c, hash[i]);
            if (!is_alone) raise_counter(counter);
            else if (*counter < COUNTER_MOST) ++*counter;
        }
    }
    return TRIB_OK;
}

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER; /* guards the table of a search */

/* The second pass. */
static trib_status count_large(search *s, size_t place, trib_error *error) {
    const trib_influence_document *document = &s->document[s->order[place]];
    uint64_t hash[BLOCK];
    trib_status status = TRIB_OK;
    for (size_t e = 0; e < document->counts->nnz && status == TRIB_OK;) {
        const size_t n = hash_block(hash, BLOCK, s, document, &e);
        size_t n_large = 0;
        for (size_t i = 0; i < n; i++)
            if (*counter_of(&s->c, hash[i]) > s->c.large) hash[n_large++] = hash[i];
        if (n_large == 0) continue;
        pthread_mutex_lock(&counting);
        for (size_t i = 0; i < n_large && status == TRIB_OK; i++)
            status = count(s->found, hash[i], (uint32_t)place, error);
        pthread_mutex_unlock(&counting);
    }
    return status;
}

/* Reads all documents, several at a time. */
static trib_status read_all(search *s, trib_status (*read)(search *, size_t, trib_error *),
                            trib_error *error) {
    const int n_threads = s->options->n_threads > 1 ? s->options->n_threads : 1;
    size_t failed = SIZE_MAX;
    trib_status status = TRIB_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (size_t i = 0; i < s->n; i++) {
        trib_error failure = {0};
        trib_status one = hold(s, s->order[i], &failure);
        if (one == TRIB_OK) {
            one = read(s, i, &failure);
            drop(s, s->order[i]);
        }
        trib_keep_first(i, one, &failure, &failed, &status, error);
    }
    return status;
}

static trib_status find_all(search *s, size_t n_counters, trib_error *error) {
    const uint32_t more_than = s->options->more_than;
    s->c.mask = n_counters - 1;
    s->c.large = more_than < COUNTER_MOST ? (uint16_t)more_than : COUNTER_MOST - 1;
    trib_status status = TRIB_NEW(&s->c.counter, n_counters, "the counts of n-grams", error);
    if (status == TRIB_OK) status = read_all(s, raise_counters, error);
    if (status == TRIB_OK) status = read_all(s, count_large, error);
    trib_free(s->c.counter);
    return status;
}

/* ---- The n-grams of some documents ----------------------------------------------------------- */

/* Puts the n-grams of a document into the table, as if one document held them, after all others. */
static trib_status put_own(search *s, uint32_t d, trib_error *error) {
    uint64_t hash[BLOCK];
    trib_status status = hold(s, d, error);
    if (status != TRIB_OK) return status;
    for (size_t e = 0; e < s->document[d].counts->nnz && status == TRIB_OK;) {
        const size_t n = hash_block(hash, BLOCK, s, &s->document[d], &e);
        for (size_t i = 0; i < n && status == TRIB_OK; i++) {
            if (find_slot(s->found, hash[i])->n_documents == 0)
                status = count(s->found, hash[i], UINT32_MAX, error);
        }
    }
    drop(s, d);
    return status;
}

/* Counts document order[place] for the n-grams in the table. */
static trib_status count_known(search *s, size_t place, trib_error *error) {
    const trib_influence_document *document = &s->document[s->order[place]];
    uint64_t hash[BLOCK];
    (void)error;
    for (size_t e = 0; e < document->counts->nnz;) {
        const size_t n = hash_block(hash, BLOCK, s, document, &e);
        for (size_t i = 0; i < n; i++) {
            trib_frequent_ngram *slot = find_slot(s->found, hash[i]);
            if (is_empty(slot)) continue;
            uint32_t earliest = __atomic_load_n(&slot->earliest, __ATOMIC_RELAXED);
            while (place < earliest &&
                   !__atomic_compare_exchange_n(&slot->earliest, &earliest, (uint32_t)place, true,
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
            __atomic_fetch_add(&slot->n_documents, 1, __ATOMIC_RELAXED);
        }
    }
    return TRIB_OK;
}

static trib_status find_own(search *s, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < s->options->n_only && status == TRIB_OK; i++)
        status = put_own(s, s->options->only[i], error);
    if (status == TRIB_OK) status = read_all(s, count_known, error);
    for (size_t i = 0; i < s->found->n_slots; i++)
        s->found->slot[i].n_documents -= s->found->slot[i].n_documents > 0;
    return status;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* The n-grams of documents list[n], each counted once for every document, in this part. */
static size_t count_ngrams(const search *s, const uint32_t list[], size_t n) {
    const size_t n_parts = s->options->n_parts > 1 ? s->options->n_parts : 1;
    size_t n_ngrams = 0;
    for (size_t i = 0; i < n; i++) n_ngrams += s->document[list[i]].counts->nnz;
    return n_ngrams / n_parts;
}

trib_status trib_frequent_find(trib_frequent_ngrams *found,
                               const trib_influence_document document[], const uint32_t order[],
                               size_t n, const trib_frequent_options *options,
                               const trib_documents_reading *reading, trib_error *error) {
    search s = {document, order, n, options, reading, .found = found};
    const size_t n_ngrams = count_ngrams(&s, order, n),
                 n_own = options->only ? count_ngrams(&s, options->only, options->n_only) : 0;
    size_t n_counters = 1; /* a power of two, enough for all n-grams if memory allows */
    while (n_counters < n_ngrams && 4 * n_counters <= options->most_bytes) n_counters *= 2;
    /* a table of the n-grams has at most four slots for each */
    const bool are_few =
        options->only && n_own <= n_counters * sizeof(uint16_t) / (4 * sizeof(trib_frequent_ngram));
    *found = (trib_frequent_ngrams){.more_than = options->more_than};
    trib_status status = make_again(found, FIRST_SLOTS, 0, error);
    if (status == TRIB_OK) status = are_few ? find_own(&s, error) : find_all(&s, n_counters, error);
    if (status == TRIB_OK)
        status =
            make_again(found, count_slots(found, options->more_than), options->more_than, error);
    for (size_t i = 0; status == TRIB_OK && i < found->n_slots; i++)
        if (found->slot[i].n_documents > 0)
            found->slot[i].earliest = order[found->slot[i].earliest];
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
