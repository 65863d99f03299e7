/* index.c - an inverted file of sketches, built by partitioning and sorting on disk. */
#include "base/internal.h"
#include "influence/candidates/sketch.h"

#include <pthread.h>

/* Entries are written in chunks of CHUNK. A partition of an index that knows its size has about
 * PARTITION entries, or PER_DOCUMENT entries for each document if that is more, because every
 * partition has a list for each document. */
enum { CHUNK = 2048, PARTITION = 1 << 18, PER_DOCUMENT = 16 };

/* The entries of a partition: chunks in the scratch file, and the rest in memory. */
typedef struct trib_sketch_part {
    trib_sketch_entry *waiting; /* [CHUNK] */
    size_t n_waiting;
    uint64_t *chunk; /* [n_chunks] offsets in the scratch file */
    size_t n_chunks, cap;
} trib_sketch_part;

static const char what[] = "the index of n-grams";

trib_status trib_sketch_index_open(trib_sketch_index *index,
                                   const trib_sketch_index_options *options, trib_error *error) {
    const uint64_t by_documents = (uint64_t)PER_DOCUMENT * options->n_documents;
    uint64_t n_partitions = options->n_partitions;
    if (n_partitions == 0)
        n_partitions =
            options->n_expected / (by_documents > PARTITION ? by_documents : PARTITION) + 1;
    if (options->n_partitions == 0 && options->least_partitions > 1) /* each gets as many */
        n_partitions += (options->least_partitions - n_partitions % options->least_partitions) %
                        options->least_partitions;
    if (options->n_partitions == 0 && n_partitions > TRIB_SKETCH_MAX_PARTITIONS)
        n_partitions = TRIB_SKETCH_MAX_PARTITIONS;
    *index = (trib_sketch_index){.n_documents = options->n_documents,
                                 .n_partitions = (uint32_t)n_partitions,
                                 .most_holders = options->most_holders};
    if (n_partitions > TRIB_SKETCH_MAX_PARTITIONS)
        return trib_fail(error, TRIB_INTERNAL, "%s has too many partitions", what);
    trib_status status = trib_writer_scratch(&index->writer, options->directory, false, error);
    if (status == TRIB_OK)
        status = trib_spill_open(&index->spill, options->directory, false, error);
    if (status == TRIB_OK) status = TRIB_NEW(&index->part, n_partitions, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&index->groups, n_partitions, what, error);
    if (status != TRIB_OK) trib_sketch_index_close(index);
    return status;
}

/* Writes the entries that wait, all but the last of the partition's chunks being full. */
static trib_status write_chunk(trib_sketch_index *index, trib_sketch_part *part,
                               trib_error *error) {
    const trib_status status = TRIB_GROW(&part->chunk, &part->cap, part->n_chunks + 1, what, error);
    if (status != TRIB_OK) return status;
    part->chunk[part->n_chunks++] = index->writer.n_written;
    trib_write(&index->writer, part->waiting, CHUNK * sizeof *part->waiting);
    part->n_waiting = 0;
    if (index->writer.failure.status != TRIB_OK && error) *error = index->writer.failure;
    return index->writer.failure.status;
}

static trib_status add_one(trib_sketch_index *index, const trib_sketch_entry *entry,
                           trib_error *error) {
    trib_sketch_part *part = &index->part[trib_sketch_partition(entry->hash, index->n_partitions)];
    trib_status status = TRIB_OK;
    if (entry->document >= index->n_documents)
        return trib_fail(error, TRIB_INTERNAL, "document %u of %u in %s", entry->document,
                         index->n_documents, what);
    if (!part->waiting) status = trib_new(&part->waiting, CHUNK, sizeof *entry, what, error);
    if (status == TRIB_OK && part->n_waiting == CHUNK) status = write_chunk(index, part, error);
    if (status == TRIB_OK) part->waiting[part->n_waiting++] = *entry;
    return status;
}

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER; /* to the scratch files */

trib_status trib_sketch_index_add(trib_sketch_index *index, const trib_sketch_entry entry[],
                                  size_t n, trib_error *error) {
    trib_status status = TRIB_OK;
    pthread_mutex_lock(&writing);
    for (size_t i = 0; status == TRIB_OK && i < n; i++) status = add_one(index, &entry[i], error);
    if (status == TRIB_OK) index->n_entries += n;
    pthread_mutex_unlock(&writing);
    return status;
}

/* ---- Grouping a partition -------------------------------------------------------------------- */

/* The entries of a partition in memory, and their groups. `{0}` is empty. */
typedef struct grouping {
    trib_sketch_entry *entry; /* [n] */
    size_t n, n_groups;
    uint64_t n_alone, n_common;
    uint32_t *start, *first, *group; /* as in trib_sketch_groups */
    uint8_t *zeros;
    trib_holder *holder;
} grouping;

static void grouping_release(grouping *g) {
    TRIB_FREE(g->entry, g->start, g->first, g->group, g->zeros, g->holder);
    *g = (grouping){0};
}

static trib_status read_entries(grouping *g, const trib_sketch_index *index, trib_sketch_part *part,
                                trib_error *error) {
    const trib_reader reader = trib_writer_reader(&index->writer);
    if (part->n_chunks * CHUNK + part->n_waiting > UINT32_MAX)
        return trib_fail(error, TRIB_INPUT, "a partition of %s has more than 2^32-1 entries", what);
    g->n = part->n_chunks * CHUNK + part->n_waiting;
    trib_status status = TRIB_NEW(&g->entry, g->n, what, error);
    for (size_t c = 0; status == TRIB_OK && c < part->n_chunks; c++)
        status = trib_reader_at(&reader, part->chunk[c], g->entry + c * CHUNK,
                                CHUNK * sizeof *g->entry, error);
    if (status == TRIB_OK && part->n_waiting > 0)
        memcpy(g->entry + part->n_chunks * CHUNK, part->waiting,
               part->n_waiting * sizeof *g->entry);
    TRIB_FREE(part->waiting, part->chunk);
    *part = (trib_sketch_part){0};
    return status;
}

/* Removes the hashes that give no candidates, and counts the groups. */
static void reduce(grouping *g, uint32_t most_holders) {
    const size_t n_all = g->n;
    g->n = 0;
    for (size_t i = 0, end; i < n_all; i = end) {
        for (end = i + 1; end < n_all && g->entry[end].hash == g->entry[i].hash;) end++;
        if (end - i == 1) {
            g->n_alone++;
        } else if (most_holders > 0 && end - i > most_holders) {
            g->n_common += end - i;
        } else {
            memmove(g->entry + g->n, g->entry + i, (end - i) * sizeof *g->entry);
            g->n += end - i;
            g->n_groups++;
        }
    }
}

/* Makes the lists of holders, and those of each document's groups by a counting sort. */
static trib_status list_groups(grouping *g, uint32_t n_documents, trib_error *error) {
    size_t at = SIZE_MAX;
    trib_status status = TRIB_NEW(&g->start, g->n_groups + 1, what, error);
    if (status == TRIB_OK) status = trib_new(&g->zeros, g->n_groups, 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&g->holder, g->n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&g->group, g->n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&g->first, (size_t)n_documents + 2, what, error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < g->n; i++) g->first[g->entry[i].document + 2]++;
    for (size_t d = 0; d < n_documents; d++) g->first[d + 2] += g->first[d + 1];
    for (size_t i = 0; i < g->n; i++) {
        const trib_sketch_entry *entry = &g->entry[i];
        if (i == 0 || entry[-1].hash != entry->hash) {
            g->start[++at] = (uint32_t)i;
            g->zeros[at] = entry->hash ? (uint8_t)__builtin_ctzll(entry->hash) : 64;
        }
        g->holder[i] = (trib_holder){entry->document, entry->count};
        g->group[g->first[entry->document + 1]++] = (uint32_t)at;
    }
    g->start[g->n_groups] = (uint32_t)g->n;
    return TRIB_OK;
}

/* Moves the groups to the mapped file. */
static trib_status store(trib_sketch_index *index, uint32_t p, const grouping *g,
                         trib_error *error) {
    trib_sketch_groups *to = &index->groups[p];
    trib_spill *spill = &index->spill;
    index->n_alone += g->n_alone;
    index->n_common += g->n_common;
    index->n_kept += g->n;
    if (g->n == 0) return TRIB_OK;
    *to = (trib_sketch_groups){.n_groups = g->n_groups, .n_holders = g->n};
    trib_status status =
        trib_spill_put(spill, g->start, (g->n_groups + 1) * sizeof *g->start, &to->start, error);
    if (status == TRIB_OK) status = trib_spill_put(spill, g->zeros, g->n_groups, &to->zeros, error);
    if (status == TRIB_OK)
        status = trib_spill_put(spill, g->holder, g->n * sizeof *g->holder, &to->holder, error);
    if (status == TRIB_OK)
        status = trib_spill_put(spill, g->group, g->n * sizeof *g->group, &to->group, error);
    if (status == TRIB_OK)
        status =
            trib_spill_put(spill, g->first, ((size_t)index->n_documents + 1) * sizeof *g->first,
                           &to->first, error);
    return status;
}

static trib_status build_partition(trib_sketch_index *index, uint32_t p, trib_error *error) {
    grouping g = {0};
    if (index->part[p].n_chunks + index->part[p].n_waiting == 0)
        return TRIB_OK; /* such as partitions of other processes */
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK) status = read_entries(&g, index, &index->part[p], error);
    if (status == TRIB_OK) status = trib_sketch_sort(&g.entry, g.n, index->n_partitions, error);
    if (status == TRIB_OK) g.n = trib_sketch_join(g.entry, g.n);
    if (status == TRIB_OK) {
        reduce(&g, index->most_holders);
        status = list_groups(&g, index->n_documents, error);
    }
    if (status == TRIB_OK) {
        pthread_mutex_lock(&writing);
        status = store(index, p, &g, error);
        pthread_mutex_unlock(&writing);
    }
    grouping_release(&g);
    return status;
}

trib_status trib_sketch_index_build(trib_sketch_index *index, int n_threads, trib_error *error) {
    size_t failed = SIZE_MAX;
    trib_status status = trib_writer_flush(&index->writer, error);
    if (status != TRIB_OK) return status;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (uint32_t p = 0; p < index->n_partitions; p++) {
        trib_error failure = {0};
        const trib_status one = build_partition(index, p, &failure);
        trib_keep_first(p, one, &failure, &failed, &status, error);
    }
    trib_writer_abandon(&index->writer);
    return status;
}

void trib_sketch_index_rest(const trib_sketch_index *index) { trib_spill_rest(&index->spill); }

void trib_sketch_index_close(trib_sketch_index *index) {
    for (uint32_t p = 0; index->part && p < index->n_partitions; p++) {
        TRIB_FREE(index->part[p].waiting, index->part[p].chunk);
    }
    TRIB_FREE(index->part, index->groups);
    trib_spill_close(&index->spill);
    trib_writer_abandon(&index->writer);
    *index = (trib_sketch_index){0};
}
