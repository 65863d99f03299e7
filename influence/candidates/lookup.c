/* lookup.c - the candidates of single targets in the stored, sorted entries of a corpus. The index
 * lists the hashes of every document; here a target's own sketch is looked up instead, which reads
 * only what it shares with others. */
#include "influence/candidates/candidates.h"
#include "influence/candidates/sums.h"

#include <string.h>

/* The first entry from `from` on whose hash is not below `hash`. Hashes are random numbers, so
 * the search begins where the hash should lie and doubles its steps from there. */
static size_t find_hash(const trib_sketch_entries *all, size_t from, uint64_t hash) {
    const double place = (double)hash / 18446744073709551616.0 * (double)all->n;
    size_t low = from, high = (size_t)place, step = 16;
    if (high >= all->n) high = all->n > 0 ? all->n - 1 : 0;
    if (high > low && all->entry[high].hash < hash) {
        low = high;
    } else {
        while (high > low + step && all->entry[high - step].hash >= hash) {
            high -= step;
            step *= 2;
        }
        if (high > low + step) low = high - step;
    }
    for (step = 16; low + step < all->n && all->entry[low + step].hash < hash; step *= 2)
        low += step;
    high = low + step < all->n ? low + step : all->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (all->entry[middle].hash < hash) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Copies the holders of a hash, at most `most`, and returns how many there are. *at is where the
 * search begins, and then the end of the hash's entries. */
static size_t list_holders(const trib_sketch_entries *all, size_t *at, uint64_t hash,
                           trib_holder *holder, size_t most) {
    const size_t first = find_hash(all, *at, hash);
    for (*at = first; *at < all->n && all->entry[*at].hash == hash; ++*at)
        if (*at - first < most)
            holder[*at - first] = (trib_holder){all->entry[*at].document, all->entry[*at].count};
    return *at - first;
}

/* Lists the holders of a hash among the documents of the index and the added ones. Returns how many
 * there are, or 0 if too many documents of the index hold it. at: as in list_holders, of both. */
static size_t list_all_holders(const trib_candidate_lookup *in, const trib_sketch_entries *all,
                               const trib_sketch_entries *added, size_t at[2], uint64_t hash,
                               trib_holder *holder, size_t most, size_t n_all) {
    const size_t n = list_holders(all, &at[0], hash, holder, most);
    if (n > most) return 0;
    for (size_t h = 0; in->number && h < n; h++)
        holder[h].document = in->number[holder[h].document];
    return added ? n + list_holders(added, &at[1], hash, holder + n, n_all - n) : n;
}

trib_status trib_candidates_look_up(trib_candidate_list *list, uint32_t target,
                                    const trib_candidate_lookup *in, trib_candidate_sums *sums,
                                    trib_error *error) {
    const trib_candidate_search *search = in->search;
    const uint32_t n = search->ngrams->n_documents, limit = search->ngrams->most_holders;
    const size_t most = limit > 0 && limit < n ? limit : n;
    trib_holder *holder = NULL;
    size_t at[2] = {0};
    const trib_status status = TRIB_NEW(&holder, n, "the candidates", error);
    if (status != TRIB_OK) return status;
    trib_candidate_sums_begin(sums, search, target);
    for (size_t i = 0; i < in->own_ngrams->n; i++) {
        const size_t k = list_all_holders(in, in->ngrams, in->added_ngrams, at,
                                          in->own_ngrams->entry[i].hash, holder, most, n);
        if (k > 1) trib_candidate_sums_split(sums, holder, k, target);
    }
    memset(at, 0, sizeof at);
    for (size_t i = 0; i < in->own_runs->n; i++) {
        const size_t k = list_all_holders(in, in->runs, in->added_runs, at,
                                          in->own_runs->entry[i].hash, holder, most, n);
        if (k > 1) trib_candidate_sums_count(sums, holder, k);
    }
    trib_free(holder);
    return trib_candidate_sums_choose(list, sums, search, target, error);
}
