/* packed_counts.c - n-grams in scratch files. Those of a large corpus are packed, and unpacked for
 * those who read them. Counts that nobody reads any more rest in memory, for the next reader, as
 * long as there is room; the oldest of them gives its memory to the next document. Of several
 * processes, each maps the files of the others. */
#include "pipeline/config/config.h"
#include "pipeline/stages/tensors.h"

#include <pthread.h>

#include "base/internal.h"
#include "pipeline/support/pack.h"
#include "pipeline/support/path.h"
#include "tensor/packed.h"

/* The counts of a document in memory. */
struct trib_unpacked_counts {
    trib_hacoo_arrays arrays;
    uint32_t *word; /* [n_local] */
    size_t word_cap;
    uint32_t document;
    uint32_t n_holders;                         /* 0: it rests */
    struct trib_unpacked_counts *newer, *older; /* while it rests */
};
typedef struct trib_unpacked_counts unpacked;

/* Guards the list of resting counts, n_holders, and the arrays of packed documents. */
static pthread_mutex_t holding = PTHREAD_MUTEX_INITIALIZER;

static uint64_t bytes_of(const unpacked *u) {
    return u->arrays.entry_bytes + u->arrays.head_bytes + u->arrays.sequence_bytes +
           u->word_cap * sizeof *u->word;
}

static void release(unpacked *u) {
    if (!u) return;
    trib_hacoo_arrays_release(&u->arrays);
    TRIB_FREE(u->word, u);
}

bool trib_counts_are_packed(const trib_config *config) {
    bool needs_factors = false;
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        needs_factors = needs_factors || config->influence.method[i]->needs_factors;
    return trib_config_candidates(config) > 0 && !needs_factors && config->tensor.skip == 0;
}

/* ---- Packing --------------------------------------------------------------------------------- */

/* The words, then the n-grams. *bytes belongs to the caller. */
static trib_status pack(const trib_counts *counts, char **bytes, size_t *size, size_t *word_bytes,
                        trib_error *error) {
    char *ngrams = NULL;
    size_t n = 0;
    uint32_t largest = 0;
    trib_status status =
        trib_hacoo_pack(&counts->ngrams, counts->sequence, counts->n_ngrams, &ngrams, &n, error);
    for (uint32_t i = 0; i < counts->n_local; i++)
        largest = counts->word[i] > largest ? counts->word[i] : largest;
    *word_bytes = trib_narrow_bytes((uint64_t)largest + 1);
    const size_t words = counts->n_local * *word_bytes;
    *size = words + n;
    if (status == TRIB_OK) status = trib_new(bytes, *size, 1, "packed n-grams", error);
    if (status == TRIB_OK) memcpy(*bytes + words, ngrams, n);
    for (uint32_t i = 0; status == TRIB_OK && i < counts->n_local; i++)
        trib_narrow_put(*bytes + i * *word_bytes, counts->word[i], *word_bytes);
    trib_free(ngrams);
    return status;
}

trib_status trib_counts_pack(trib_tensors *tensors, uint32_t d, trib_error *error) {
    trib_counts *counts = &tensors->document[d];
    trib_packed_counts packed = {0};
    char *bytes = NULL;
    trib_status status = pack(counts, &bytes, &packed.size, &packed.word_bytes, error);
    if (status == TRIB_OK) {
        packed.checksum = trib_checksum(bytes, packed.size);
        status = trib_spill_put(&tensors->spill, bytes, packed.size, &packed.bytes, error);
    }
    trib_free(bytes);
    if (status != TRIB_OK) return status;
    TRIB_FREE(counts->word, counts->sequence, counts->ngrams.entry, counts->ngrams.head);
    packed.has_sequence = counts->sequence != NULL;
    counts->word = counts->sequence = NULL;
    counts->ngrams.entry = NULL;
    counts->ngrams.head = NULL;
    counts->ngrams.is_spilled = true;
    counts->packed = packed;
    return TRIB_OK;
}

/* ---- Unpacking ------------------------------------------------------------------------------- */

static trib_status unpack(unpacked *u, const trib_counts *counts, trib_error *error) {
    const trib_packed_counts *packed = &counts->packed;
    const size_t words = counts->n_local * packed->word_bytes;
    trib_status status = TRIB_OK;
    if (trib_checksum(packed->bytes, packed->size) != packed->checksum)
        return trib_fail(error, TRIB_INPUT,
                         "the scratch file of n-grams has changed since it was written");
    if (u->word_cap < counts->n_local) {
        trib_free(u->word);
        u->word = NULL;
        u->word_cap = 0;
        status = TRIB_GROW(&u->word, &u->word_cap, counts->n_local, "a document's words", error);
    }
    for (uint32_t i = 0; i < counts->n_local && status == TRIB_OK; i++)
        u->word[i] = trib_narrow_get(packed->bytes + i * packed->word_bytes, packed->word_bytes);
    return status == TRIB_OK
               ? trib_hacoo_unpack(&counts->ngrams, packed->bytes + words, packed->size - words,
                                   counts->n_ngrams, packed->has_sequence, &u->arrays, error)
               : status;
}

/* Takes the packed counts out of memory; they lie in the file of the rank that counted them. */
static void rest_packed(const trib_tensors *tensors, uint32_t d) {
    const trib_packed_counts *packed = &tensors->document[d].packed;
    const int owner = tensors->owner[d];
    const bool is_shared = owner < tensors->n_shared && tensors->shared[owner].n_segments > 0;
    trib_spill_rest_array(is_shared ? &tensors->shared[owner] : &tensors->spill, packed->bytes,
                          packed->size);
}

/* Shows the counts to their readers, or takes them away: u is NULL. */
static void show(const trib_tensors *tensors, uint32_t d, const unpacked *u) {
    trib_counts *counts = &tensors->document[d];
    counts->word = u ? u->word : NULL;
    counts->sequence = u && counts->packed.has_sequence ? u->arrays.sequence : NULL;
    counts->ngrams.entry = u ? u->arrays.entry : NULL;
    counts->ngrams.head = u ? u->arrays.head : NULL;
    tensors->view[d].word = counts->word;
    tensors->view[d].sequence = counts->sequence;
}

/* ---- Resting --------------------------------------------------------------------------------- */

static void rest(trib_resting_counts *resting, unpacked *u) {
    u->newer = NULL;
    u->older = resting->newest;
    if (u->older) u->older->newer = u;
    else resting->oldest = u;
    resting->newest = u;
}

static void wake(trib_resting_counts *resting, unpacked *u) {
    if (u->newer) u->newer->older = u->older;
    else resting->newest = u->older;
    if (u->older) u->older->newer = u->newer;
    else resting->oldest = u->newer;
}

/* Takes the oldest resting counts from their document; NULL: none rest. */
static unpacked *take_oldest(const trib_tensors *tensors) {
    trib_resting_counts *resting = tensors->resting;
    unpacked *u = resting->oldest;
    if (!u) return NULL;
    wake(resting, u);
    tensors->document[u->document].packed.unpacked = NULL;
    resting->bytes -= bytes_of(u);
    return u;
}

/* Shows the unpacked counts of document d, if there are any, to one more holder. */
static bool hold_unpacked(const trib_tensors *tensors, uint32_t d) {
    unpacked *u = tensors->document[d].packed.unpacked;
    if (!u) return false;
    if (u->n_holders++ > 0) return true;
    wake(tensors->resting, u);
    show(tensors, d, u);
    return true;
}

static bool is_packed(const trib_tensors *tensors, uint32_t d) {
    return tensors->is_packed && tensors->document[d].packed.bytes;
}

/* ---- Holding --------------------------------------------------------------------------------- */

/* Unpacks into *u, which is made when it is NULL. When memory is short, counts that rest are
 * released. */
static trib_status make(const trib_tensors *tensors, uint32_t d, unpacked **u, trib_error *error) {
    for (bool has_tried = false;; has_tried = true) {
        trib_status status = *u ? TRIB_OK : TRIB_NEW(u, 1, "unpacked n-grams", error);
        if (status == TRIB_OK) status = unpack(*u, &tensors->document[d], error);
        rest_packed(tensors, d);
        if (status == TRIB_OK) return TRIB_OK;
        release(*u);
        *u = NULL;
        if (status != TRIB_MEMORY || has_tried) return status;
        pthread_mutex_lock(&holding);
        for (unpacked *old; (old = take_oldest(tensors));) release(old);
        pthread_mutex_unlock(&holding);
    }
}

trib_status trib_counts_hold(const trib_tensors *tensors, uint32_t d, trib_error *error) {
    if (!is_packed(tensors, d)) return TRIB_OK;
    trib_counts *counts = &tensors->document[d];
    trib_resting_counts *resting = tensors->resting;
    pthread_mutex_lock(&holding);
    const bool is_there = hold_unpacked(tensors, d);
    const bool is_full =
        resting->oldest && resting->bytes + bytes_of(resting->oldest) > resting->most;
    unpacked *u = !is_there && is_full ? take_oldest(tensors) : NULL;
    pthread_mutex_unlock(&holding);
    if (is_there) return TRIB_OK;
    const trib_status status = make(tensors, d, &u, error);
    if (status != TRIB_OK) return status;
    pthread_mutex_lock(&holding);
    const bool came_second = hold_unpacked(tensors, d); /* after another thread */
    if (!came_second) {
        u->document = d;
        u->n_holders = 1;
        counts->packed.unpacked = u;
        resting->bytes += bytes_of(u);
        show(tensors, d, u);
    }
    pthread_mutex_unlock(&holding);
    if (came_second) release(u);
    return TRIB_OK;
}

void trib_counts_drop(const trib_tensors *tensors, uint32_t d) {
    unpacked *excess = NULL; /* a list by `older` */
    if (!is_packed(tensors, d)) return;
    pthread_mutex_lock(&holding);
    trib_resting_counts *resting = tensors->resting;
    unpacked *u = tensors->document[d].packed.unpacked;
    if (--u->n_holders == 0) {
        show(tensors, d, NULL);
        rest(resting, u);
    }
    while (resting->bytes > resting->most && (u = take_oldest(tensors))) {
        u->older = excess;
        excess = u;
    }
    pthread_mutex_unlock(&holding);
    while ((u = excess)) {
        excess = u->older;
        release(u);
    }
}

trib_status trib_counts_hold_all(const trib_tensors *tensors, uint32_t first, const uint32_t list[],
                                 size_t n, trib_error *error) {
    trib_status status = trib_counts_hold(tensors, first, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        status = trib_counts_hold(tensors, list[i], error);
        if (status != TRIB_OK) trib_counts_drop_all(tensors, first, list, i);
    }
    return status;
}

void trib_counts_drop_all(const trib_tensors *tensors, uint32_t first, const uint32_t list[],
                          size_t n) {
    for (size_t i = 0; i < n; i++) trib_counts_drop(tensors, list[i]);
    trib_counts_drop(tensors, first);
}

void trib_counts_forget(const trib_tensors *tensors) {
    if (!tensors->is_packed) return;
    pthread_mutex_lock(&holding);
    tensors->resting->most = 0;
    for (unpacked *u; (u = take_oldest(tensors));) release(u);
    pthread_mutex_unlock(&holding);
}

void trib_unpacked_release(trib_tensors *tensors) {
    for (unpacked *u; tensors->resting && (u = take_oldest(tensors));) release(u);
    for (uint32_t d = 0; d < tensors->n_documents; d++)
        release(tensors->document[d].packed.unpacked); /* held by a stage that failed */
}

/* ---- Several processes ----------------------------------------------------------------------- */

/* The context of packing. */
typedef struct sharing {
    const trib_config *config;
    trib_tensors *tensors;
} sharing;

/* An array of n elements in the file of the rank that counted the document. */
static void *pack_place(trib_pack *pack, const trib_spill *spill, const void *array, size_t n,
                        size_t size) {
    uint64_t at = pack->reads ? 0 : trib_spill_place(spill, array);
    TRIB_PACK(pack, at);
    if (!pack->reads || !trib_pack_is_good(pack)) return NULL;
    void *const found = trib_spill_array(spill, at, n, size);
    trib_pack_expect(pack, found != NULL);
    return found;
}

/* The counts as they lie in the file, packed or not. */
static void pack_place_of_counts(trib_counts *counts, bool is_packed, const trib_spill *spill,
                                 trib_pack *pack) {
    trib_packed_counts packed = counts->packed;
    bool has_sequence = is_packed ? packed.has_sequence : counts->sequence != NULL;
    trib_pack_bool(pack, &has_sequence);
    if (!is_packed) {
        uint32_t *const word = pack_place(pack, spill, counts->word, counts->n_local, sizeof *word),
                        *sequence = NULL;
        if (has_sequence)
            sequence = pack_place(pack, spill, counts->sequence, counts->n_ngrams, sizeof *word);
        if (!pack->reads) return;
        counts->word = word;
        counts->sequence = sequence;
        return;
    }
    TRIB_PACK(pack, packed.size);
    TRIB_PACK(pack, packed.checksum);
    TRIB_PACK(pack, packed.word_bytes);
    trib_pack_expect(pack, packed.word_bytes >= 1 && packed.word_bytes <= 4 &&
                               counts->n_local <= packed.size / packed.word_bytes);
    packed.bytes = pack_place(pack, spill, packed.bytes, packed.size, 1);
    packed.has_sequence = has_sequence;
    if (pack->reads) counts->packed = packed;
}

static void attach_counts(const sharing *s, trib_hacoo *ngrams, uint32_t n_local,
                          const trib_hacoo_location *at, const trib_spill *spill, trib_pack *pack) {
    const trib_hacoo_options options = {.hash = s->config->tensor.hash,
                                        .load = s->config->tensor.load};
    uint32_t dim[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < s->config->tensor.n; m++) dim[m] = n_local;
    if (trib_pack_is_good(pack))
        (void)trib_hacoo_attach(ngrams, s->config->tensor.n, dim, &options, at, spill,
                                &pack->failure);
    ngrams->is_spilled = true; /* its arrays are not this process's */
}

static void pack_counts(void *context, uint32_t d, trib_pack *pack) {
    const sharing *s = context;
    trib_tensors *tensors = s->tensors;
    trib_counts *counts = &tensors->document[d];
    const trib_spill *spill = pack->reads ? &tensors->shared[tensors->owner[d]] : &tensors->spill;
    trib_hacoo_location at = {0}, skips = {0};
    if (!pack->reads) at = trib_hacoo_locate(&counts->ngrams, spill);
    if (!pack->reads && tensors->skip_view) skips = trib_hacoo_locate(&counts->skips, spill);
    TRIB_PACK(pack, counts->n_local);
    TRIB_PACK(pack, counts->n_ngrams);
    TRIB_PACK(pack, counts->n_wildcard_ngrams);
    TRIB_PACK(pack, at);
    TRIB_PACK(pack, skips);
    pack_place_of_counts(counts, tensors->is_packed, spill, pack);
    if (!pack->reads) return;
    attach_counts(s, &counts->ngrams, counts->n_local, &at, tensors->is_packed ? NULL : spill,
                  pack);
    if (tensors->skip_view) attach_counts(s, &counts->skips, counts->n_local, &skips, spill, pack);
}

/* Makes the file of this rank complete for others. */
static trib_status finish_own(const trib_comm *comm, trib_tensors *tensors, trib_error *error) {
    for (uint32_t d = 0; d < tensors->n_documents; d++)
        if (tensors->owner[d] == comm->rank && !tensors->document[d].ngrams.is_spilled)
            return trib_fail(error, TRIB_MEMORY,
                             "no address space is left for the scratch file of n-grams, which "
                             "several processes need");
    return tensors->n_spilled > 0 ? trib_writer_sync(&tensors->spill.writer, error) : TRIB_OK;
}

/* The file of rank `from`, which the others map. A rank without documents has none. */
static void pack_file(void *context, int from, trib_pack *pack) {
    const trib_tensors *tensors = context;
    char path[TRIB_PATH_MAX] = "";
    uint64_t size = tensors->n_spilled > 0 ? tensors->spill.writer.n_written : 0;
    if (!pack->reads && tensors->n_spilled > 0)
        snprintf(path, sizeof path, "%s", tensors->spill.writer.temporary);
    trib_pack_text(pack, path, sizeof path);
    TRIB_PACK(pack, size);
    if (pack->reads && trib_pack_is_good(pack))
        (void)trib_spill_attach(&tensors->shared[from], path, size, &pack->failure);
}

trib_status trib_share_tensors(const trib_environment *env, trib_status status,
                               trib_tensors *tensors, trib_error *error) {
    const trib_comm *comm = env->comm;
    const trib_part_row documents = {.pack = pack_counts, .owner = tensors->owner};
    sharing s = {env->config, tensors};
    if (comm->size <= 1) return status;
    if (status == TRIB_OK)
        status =
            TRIB_NEW(&tensors->shared, (size_t)comm->size, "the n-grams of other ranks", error);
    if (status == TRIB_OK) tensors->n_shared = comm->size;
    if (status == TRIB_OK) status = finish_own(comm, tensors, error);
    status = trib_comm_tell_all(comm, status, false, pack_file, tensors, error);
    return trib_parts_share(comm, status, tensors->n_documents, &documents, &s, error);
}
