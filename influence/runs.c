/* runs.c - the baseline method `runs`: the part of the target that lies inside runs of at least k
 * words that a source also holds. How common a run is in other sources does not matter. A run of k
 * words is a run of k - n + 1 n-grams. The runs of the source are sorted by hash; those of the
 * target are looked up and compared. */
#include "base/internal.h"
#include "influence/methods.h"
#include "influence/order.h"
#include "influence/overlap.h"

/* A window of consecutive n-grams of the source that begins at `first`. */
typedef struct window {
    uint64_t hash;
    size_t first;
} window;

TRIB_ORDER(by_hash, window, TRIB_UP(hash) ?: TRIB_UP(first));

/* Lists the windows of `length` consecutive n-grams of a text whose n-grams all occur in the
 * target, sorted by hash. Returns their number. */
static size_t list_windows(window *list, const uint32_t *entry, size_t n, size_t length) {
    size_t n_windows = 0, held = 0; /* number of consecutive n-grams of the target up to here */
    for (size_t i = 0; i < n; i++) {
        held = entry[i] == TRIB_NOT_INDEXED ? 0 : held + 1;
        if (held < length) continue;
        const size_t first = i + 1 - length;
        list[n_windows++] = (window){trib_hash_bytes(entry + first, length * sizeof *entry), first};
    }
    if (n_windows > 1) qsort(list, n_windows, sizeof *list, by_hash);
    return n_windows;
}

TRIB_SEARCH(first_window, window, uint64_t, x->hash < key);

/* Whether one of the listed windows equals ngram[length]. */
static bool holds(const window *list, size_t n, const uint32_t *entry, const uint32_t *ngram,
                  size_t length) {
    const uint64_t hash = trib_hash_bytes(ngram, length * sizeof *ngram);
    for (size_t i = first_window(list, n, hash); i < n && list[i].hash == hash; i++)
        if (memcmp(entry + list[i].first, ngram, length * sizeof *ngram) == 0) return true;
    return false;
}

/* Marks the target's n-grams inside runs whose words equal those of the source. */
static trib_status mark_equal(uint8_t *inside, const trib_influence_document *target,
                              const uint32_t *entry, size_t n_entries, size_t length,
                              trib_error *error) {
    TRIB_FREED(window *) list = NULL;
    const trib_status status = TRIB_NEW(&list, n_entries, "shared runs", error);
    if (status != TRIB_OK) return status;
    const size_t n = list_windows(list, entry, n_entries, length);
    size_t matched_to = 0; /* n-grams before this one are already marked */
    for (size_t i = 0; n > 0 && i + length <= target->n_ngrams; i++) {
        if (!holds(list, n, entry, target->sequence + i, length)) continue;
        const size_t from = matched_to > i ? matched_to : i;
        memset(inside + from, 1, i + length - from);
        matched_to = i + length;
    }
    return TRIB_OK;
}

/* ---- The method ------------------------------------------------------------------------------ */

/* What is read for one source after another. */
typedef struct matching {
    const trib_influence_case *c;
    uint32_t *own_id;
    uint8_t *inside; /* [n_ngrams of the target] 1: in a run of this source */
    size_t run;      /* words, at least n */
} matching;

static void matching_release(matching *m) { TRIB_FREE(m->own_id, m->inside); }

static trib_status matching_init(matching *m, const trib_influence_case *c, size_t run,
                                 trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    *m = (matching){.c = c, .run = run};
    trib_status status = trib_ngram_index_words(&m->own_id, c, error);
    return status == TRIB_OK ? trib_new(&m->inside, target->n_ngrams, 1, "shared runs", error)
                             : status;
}

/* Fills m->inside for one source. */
static trib_status match_source(matching *m, uint32_t document, trib_error *error) {
    const trib_influence_document *target = &m->c->document[m->c->target];
    const trib_influence_document *source = &m->c->document[document];
    const size_t length = m->run - target->counts->n_modes + 1;
    TRIB_FREED(uint32_t *) entry = NULL;
    if (target->n_ngrams > 0) memset(m->inside, 0, target->n_ngrams);
    trib_status status = trib_ngram_index_build(&entry, target, source, m->own_id, error);
    return status == TRIB_OK ? mark_equal(m->inside, target, entry, source->n_ngrams, length, error)
                             : status;
}

/* Formulas are part of runs, but they do not count. */
trib_status trib_runs_measure(trib_influence *result, const trib_influence_case *c,
                              const trib_influence_options *options, trib_error *error) {
    const trib_influence_document *target = &c->document[c->target];
    const uint32_t n_modes = target->counts->n_modes;
    const size_t n = target->n_ngrams;
    matching m;
    uint8_t *shared = NULL; /* [n] 1: some source holds a run with this n-gram */
    uint8_t *formulas = NULL;
    uint64_t n_formula = 0;
    trib_status status =
        matching_init(&m, c, options->run > n_modes ? options->run : n_modes, error);
    if (status == TRIB_OK) status = trib_new(&shared, n, 1, "shared runs", error);
    if (status == TRIB_OK) status = trib_formula_find(&formulas, &n_formula, c, error);
    size_t n_own = n - (size_t)n_formula;
    for (size_t s = 0; s < c->n_sources && status == TRIB_OK && n > 0; s++) {
        size_t n_matched = 0;
        status = match_source(&m, c->source[s], error);
        for (size_t i = 0; i < n && status == TRIB_OK; i++) {
            if (!m.inside[i] || (formulas && formulas[target->sequence[i]])) continue;
            shared[i] = 1;
            n_matched++;
        }
        result->share[s] = (double)n_matched / (double)n;
    }
    for (size_t i = 0; status == TRIB_OK && i < n; i++) n_own -= shared[i];
    result->author = n > 0 ? (double)n_own / (double)n : 1;
    TRIB_FREE(formulas, shared);
    matching_release(&m);
    return status;
}
