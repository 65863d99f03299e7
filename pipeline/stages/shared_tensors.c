/* shared_tensors.c - maps the n-grams that other processes counted. */
#include "pipeline/stages/tensors.h"

#include "pipeline/config/config.h"
#include "pipeline/support/pack.h"
#include "pipeline/support/path.h"

static void pack_packed(const trib_packed_counts *packed, const trib_spill *spill, trib_pack *out) {
    trib_pack_u64(out, trib_spill_place(spill, packed->bytes));
    trib_pack_u64(out, packed->size);
    trib_pack_u64(out, packed->checksum);
    trib_pack_u64(out, packed->word_bytes);
    trib_pack_u32(out, packed->has_sequence);
}

static void pack_counts(const void *context, uint32_t d, trib_pack *out) {
    const trib_tensors *tensors = context;
    const trib_counts *counts = &tensors->document[d];
    const trib_hacoo_location at = trib_hacoo_locate(&counts->ngrams, &tensors->spill);
    trib_pack_u32(out, counts->n_local);
    trib_pack_u64(out, counts->n_ngrams);
    trib_pack_u64(out, counts->n_wildcard_ngrams);
    trib_pack_array(out, &at, 1, sizeof at);
    if (tensors->is_packed) {
        pack_packed(&counts->packed, &tensors->spill, out);
        return;
    }
    trib_pack_u64(out, trib_spill_place(&tensors->spill, counts->word));
    trib_pack_u32(out, counts->sequence != NULL);
    trib_pack_u64(out, trib_spill_place(&tensors->spill, counts->sequence));
    if (!tensors->skip_view) return;
    const trib_hacoo_location skips = trib_hacoo_locate(&counts->skips, &tensors->spill);
    trib_pack_array(out, &skips, 1, sizeof skips);
}

/* The context of packing and unpacking. */
typedef struct received {
    const trib_config *config;
    trib_tensors *tensors;
} received;

static void pack_part(const void *context, uint32_t d, trib_pack *out) {
    pack_counts(((const received *)context)->tensors, d, out);
}

static void unpack_packed(trib_counts *counts, const trib_spill *spill, trib_unpack *in) {
    trib_packed_counts *packed = &counts->packed;
    const uint64_t at = trib_unpack_u64(in);
    packed->size = (size_t)trib_unpack_u64(in);
    packed->checksum = trib_unpack_u64(in);
    packed->word_bytes = (size_t)trib_unpack_u64(in);
    packed->has_sequence = trib_unpack_u32(in) > 0;
    packed->bytes = trib_spill_array(spill, at, packed->size, 1);
    trib_unpack_expect(in, packed->bytes && packed->word_bytes >= 1 && packed->word_bytes <= 4 &&
                               counts->n_local <= packed->size / packed->word_bytes);
}

/* The arrays of a document whose counts are not packed. */
static void unpack_arrays(trib_counts *counts, const trib_spill *spill, trib_unpack *in) {
    counts->word = trib_spill_array(spill, trib_unpack_u64(in), counts->n_local, sizeof(uint32_t));
    const bool has_sequence = trib_unpack_u32(in) > 0;
    const uint64_t sequence = trib_unpack_u64(in);
    if (has_sequence)
        counts->sequence = trib_spill_array(spill, sequence, counts->n_ngrams, sizeof(uint32_t));
    trib_unpack_expect(in, counts->word && (counts->sequence || !has_sequence));
}

static trib_status unpack_part(void *context, uint32_t d, trib_unpack *in, trib_error *error) {
    const received *to = context;
    const trib_spill *spill = &to->tensors->shared[to->tensors->owner[d]];
    const trib_hacoo_options options = {.hash = to->config->tensor.hash,
                                        .load = to->config->tensor.load};
    trib_counts *counts = &to->tensors->document[d];
    trib_hacoo_location at = {0}, skips = {0};
    uint32_t dim[TRIB_MAX_MODES];
    counts->n_local = trib_unpack_u32(in);
    counts->n_ngrams = (size_t)trib_unpack_u64(in);
    counts->n_wildcard_ngrams = trib_unpack_u64(in);
    trib_unpack_into(in, &at, 1, sizeof at);
    if (to->tensors->is_packed) unpack_packed(counts, spill, in);
    else unpack_arrays(counts, spill, in);
    if (to->tensors->skip_view) trib_unpack_into(in, &skips, 1, sizeof skips);
    for (uint32_t m = 0; m < to->config->tensor.n; m++) dim[m] = counts->n_local;
    counts->ngrams.is_spilled = true; /* the arrays above are not this process's */
    if (in->is_wrong) return TRIB_OK;
    trib_status status = trib_hacoo_attach(&counts->ngrams, to->config->tensor.n, dim, &options,
                                           &at, to->tensors->is_packed ? NULL : spill, error);
    counts->ngrams.is_spilled = true;
    if (status != TRIB_OK || !to->tensors->skip_view) return status;
    status = trib_hacoo_attach(&counts->skips, to->config->tensor.n, dim, &options, &skips, spill,
                               error);
    counts->skips.is_spilled = true;
    return status;
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

static void pack_file(void *context, int from, trib_pack *out) {
    const trib_tensors *tensors = context;
    const bool has_file = tensors->n_spilled > 0; /* otherwise the rank has no documents */
    (void)from;
    trib_pack_text(out, has_file ? tensors->spill.writer.temporary : "");
    trib_pack_u64(out, has_file ? tensors->spill.writer.n_written : 0);
}

/* Maps the file of another rank. */
static trib_status attach(void *context, int from, trib_unpack *in, trib_error *error) {
    const trib_tensors *tensors = context;
    char path[TRIB_PATH_MAX] = "";
    trib_unpack_text(in, path, sizeof path);
    const uint64_t size = trib_unpack_u64(in);
    return in->is_wrong ? TRIB_OK : trib_spill_attach(&tensors->shared[from], path, size, error);
}

trib_status trib_share_tensors(const trib_environment *env, trib_status status,
                               trib_tensors *tensors, trib_error *error) {
    static const trib_message file = {pack_file, attach, false};
    const trib_comm *comm = env->comm;
    const trib_part_row documents = {
        .pack = pack_part, .unpack = unpack_part, .owner = tensors->owner};
    received to = {env->config, tensors};
    if (comm->size <= 1) return status;
    if (status == TRIB_OK)
        status =
            TRIB_NEW(&tensors->shared, (size_t)comm->size, "the n-grams of other ranks", error);
    if (status == TRIB_OK) tensors->n_shared = comm->size;
    if (status == TRIB_OK) status = finish_own(comm, tensors, error);
    status = trib_comm_tell_all(comm, status, &file, tensors, error);
    return trib_parts_share(comm, status, tensors->n_documents, &documents, &to, error);
}
