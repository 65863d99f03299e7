/* estimate.c - estimates the time and memory of a run. Times are seconds on one core. The constants
 * of time and memory were fitted to the runs of `tests/measure estimate`. */
#include "pipeline/run/run.h"

#include "pipeline/config/config.h"
#include "pipeline/output/output.h"
#include "pipeline/stages/factors.h"
#include "pipeline/stages/influence.h"
#include "pipeline/text/archive.h"

/* The number of different n-grams in a text of w words, for n from 1 on: c w^b, at most w. */
static const struct {
    double c, b;
} growth[] = {{4.58, 0.628}, {1.54, 0.897}, {1.01, 0.981}, {0.96, 0.997}, {0.97, 1.0}};
enum { N_GROWTH = sizeof growth / sizeof *growth };

static double words_of(uint64_t n_bytes) { return (double)n_bytes / 6; }

static double different(uint32_t n, double words) {
    const size_t row = (n < N_GROWTH ? n : N_GROWTH) - 1;
    return fmin(words, growth[row].c * pow(words, growth[row].b));
}

/* How many times as many n-grams are different when those with gaps count too: 2.3, 3.5 and 6 times
 * in the King James Bible with tensor.skip 1, 2 and 4. */
static double gaps(const trib_config *config) {
    return config->tensor.n > 1 ? 1 + 1.25 * config->tensor.skip : 1;
}

/* The number of different words, including <other>. */
static double types_of(const trib_config *config, double words) {
    const double types = different(1, words), size = config->vocabulary.size;
    return size > 0 ? fmin(types, size + 1) : types;
}

/* The number of iterations until the fit no longer changes, measured on texts of 500 to 800 000
 * words. It grows with the length of the text and with smaller tolerances. */
static double iterations(const trib_config *config, double nnz) {
    const double most = config->cp.iterations, tolerance = config->cp.tolerance;
    return tolerance > 0 ? fmin(most, fmax(3, pow(nnz, .22) * sqrt(1e-4 / tolerance))) : most;
}

/* The number of components of one document; without a limit, its number of different n-grams. */
static double rank_of(const trib_config *config, double nnz) {
    const uint32_t rank = trib_config_rank(config, (size_t)nnz);
    return rank > 0 ? rank : fmax(1, nnz);
}

/* Seconds for one document: the start, then MTTKRP over the nonzeros and HALS over the rows for
 * each mode and iteration. Then the factors are normalised and written, as text and as matrices. */
static double decomposition_seconds(const trib_config *config, double nnz, double types) {
    const double n = config->tensor.n, rank = rank_of(config, nnz);
    const double iteration =
        1e-10 * nnz * n * rank + 2.5e-11 * n * types * rank * rank * config->cp.sweeps;
    return config->cp.restarts * (2e-6 * nnz + iteration * iterations(config, nnz)) +
           3.3e-7 * n * types * rank;
}

/* The sizes that decide the cost of one target. */
typedef struct part {
    double words, nnz;
    double n_sources, n_listed, source_words; /* n_listed: at most influence.shortlist */
    double source_nnz;                        /* different n-grams, summed over the sources */
    double components;                        /* of the common language */
    /* n-grams in common with the listed sources, summed */
    double shared;
} part;

/* The share of words outside a limited vocabulary. It falls with the logarithm of the size. */
static double unknown(const trib_config *config, double types) {
    const double size = config->vocabulary.size;
    return size < 1 || size >= types ? 0 : pow(1 - log(size) / log(types), 1.3);
}

/* The number of pairs (position in the target, position in a source) in the model of `traced`. Two
 * n-grams are equal with probability (q^2 + .006 n)^n, where q is the share of unknown words, and
 * each such pair adds n words. The n-gram of unknown words only is omitted when it gives more than
 * 2^22 pairs with a source (influence/trellis.c). */
static double traced_places(const trib_config *config, const part *p, double types) {
    const double n = config->tensor.n, of_source = p->source_words / fmax(1, p->n_sources);
    const double q = config->vocabulary.wildcard ? unknown(config, types) : 0;
    const double pairs = p->words * of_source, of_unknown = pairs * pow(q, 2 * n);
    const double same = pairs * pow(q * q + 0.006 * n, n) - (of_unknown > 1 << 22 ? of_unknown : 0);
    return p->n_listed * fmin(pairs, n * same);
}

/* With candidates, as many sources of average size as are chosen, besides the decoys, stand for
 * them. */
static void limit_sources(const trib_config *config, part *p, double n_decoys) {
    const double most = trib_config_candidates(config) + n_decoys;
    if (trib_config_candidates(config) == 0 || p->n_sources <= most) return;
    p->source_words *= most / p->n_sources;
    p->n_sources = most;
}

static part part_of(const trib_config *config, uint32_t d, const uint64_t n_bytes[]) {
    const trib_corpus_document *document = config->corpus.document;
    const double n = config->tensor.n, words = words_of(n_bytes[d]);
    const uint32_t most = config->influence.shortlist;
    part p = {.words = words, .nnz = gaps(config) * different(config->tensor.n, words)};
    double n_decoys = 0;
    for (uint32_t s = 0; s < config->corpus.n_documents; s++) {
        if (!trib_config_is_source(config, &document[s], &document[d])) continue;
        p.n_sources++;
        p.source_words += words_of(n_bytes[s]);
        n_decoys += document[s].role == TRIB_ROLE_DECOY;
    }
    limit_sources(config, &p, n_decoys);
    p.source_nnz = p.n_sources * gaps(config) *
                   different(config->tensor.n, p.source_words / fmax(1, p.n_sources));
    p.n_listed = most > 0 ? fmin(p.n_sources, most) : p.n_sources;
    p.components = config->influence.background < 0 ? fmax(1, rint(0.3 * sqrt(words * p.n_sources)))
                                                    : config->influence.background;
    /* a text of 30 000 words contains a tenth of the 3-grams of another */
    const double in_one =
        pow(0.25, n - 3) * 0.1 * sqrt(p.source_words / fmax(1, p.n_sources) / 3e4);
    p.shared = p.nnz * p.n_listed * fmin(1, in_one);
    return p;
}

/* Seconds for the mixture of one target: 150 iterations of EM over its n-grams, then the intervals.
 * Each bootstrap resample draws the n-grams again and iterates about ten times over them. */
static double mixture_seconds(const trib_config *config, const part *p, double components) {
    return 150 * (p->nnz * components * 4e-10 + (p->nnz * 9 + p->shared) * 1e-9) +
           config->influence.bootstrap * (p->nnz * 12 + p->shared * 10) * 1e-9;
}

/* Seconds to fit the common language to all n-grams at once; by date, to one document after the
 * other, which takes a quarter of that. */
static double background_seconds(const trib_config *config, double nnz, double components) {
    const double n = config->tensor.n, once = 24 * n * n * nnz * components * 2.3e-10;
    return config->corpus.order == TRIB_ORDER_BY_DATE ? once / 4 : once;
}

/* Seconds for the distance of two factors. It walks a staircase (influence/factors/distance.c)
 * over the shared words of two modes, for every combination of shared words in the other modes.
 * With four or more modes the staircase has up to 2^13 pairs or triples of words. The number of
 * words of a factor is about that of its document divided by the rank. */
static double distance_seconds(const trib_config *config, double types, double rank) {
    const double held = fmax(1, types / rank), n = config->tensor.n;
    if (n <= 3) return 6e-8 + 1.9e-9 * pow(held, fmax(1, n - 1));
    const double swept = fmin(8192, pow(held, n / 2));
    return 8e-7 + 1e-7 * swept + 3e-9 * pow(held, n) / swept;
}

uint64_t trib_estimate_bytes(const char *path, uint64_t n_bytes) {
    static const struct {
        const char *suffix;
        double times; /* unpacked size / packed size of long English texts */
    } packed[] = {{".gz", 2.7},  {".zip", 2.7}, {".epub", 2.7},
                  {".bz2", 3.5}, {".xz", 3.4},  {".zst", 3}};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (trib_name_ends(path, strlen(path), packed[i].suffix))
            return (uint64_t)((double)n_bytes * packed[i].times);
    return n_bytes;
}

/* The costly computations that the methods of a configuration need. */
typedef struct needs {
    bool factors, mixture, traces;
} needs;

static needs needs_of(const trib_config *config) {
    needs n = {false, false, false};
    for (uint32_t m = 0; m < config->influence.n_methods; m++) {
        const trib_influence_method *method = config->influence.method[m];
        n.factors |= method->needs_factors;
        n.mixture |= method == trib_influence_method_find("anchored");
        n.traces |= method == trib_influence_method_find("traced");
    }
    return n;
}

/* The memory of a target's findings and pages. Those of many targets are in scratch files, except
 * the shares; with candidates they grow with the length of the target, and of few sources all are
 * written. */
static double findings_memory(const trib_config *config, uint32_t n_targets, const part *p,
                              bool traces) {
    enum { SHARES = 60000 }; /* and the longest passages: bytes */
    const double most = traces ? 1.2e6 : 0.4e6;
    if (n_targets > TRIB_ALL_WRITTEN) return SHARES;
    if (trib_config_candidates(config) == 0) return most;
    const double one = traces ? 1.5e5 + 95 * p->words : 2e4;
    return fmin(most, p->n_sources <= TRIB_ALL_WRITTEN ? 2 * one : one);
}

/* Adds the time and memory of all targets. The model of `traced` and the mixture exist for one
 * target at a time, the shares for all, and of few targets the findings and pages. */
static void add_targets(trib_estimate *estimate, const trib_config *config,
                        const uint64_t n_bytes[], const needs *need) {
    const bool is_shared =
        trib_config_shares_background(config, estimate->n_targets, config->corpus.n_documents);
    const double all_types = different(1, estimate->n_tokens);
    const bool grows = is_shared && config->corpus.order == TRIB_ORDER_BY_DATE;
    const double of_all = config->influence.background >= 0
                              ? config->influence.background
                              : (grows ? 0.2 : 0.3) * sqrt(estimate->n_tokens);
    const double pooled = gaps(config) * different(config->tensor.n, estimate->n_tokens);
    double most_components = is_shared ? of_all : 0, longest = 0, most_places = 0, shared = 0;
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        if (!trib_config_is_target(config, &config->corpus.document[d])) continue;
        const part p = part_of(config, d, n_bytes);
        estimate->memory += findings_memory(config, estimate->n_targets, &p, need->traces);
        estimate->seconds += 0.012;
        if (estimate->n_candidates > 0) estimate->seconds += 4.9e-8 * p.source_nnz; /* its index */
        if (need->traces) {
            const double places = traced_places(config, &p, all_types);
            longest = fmax(longest, p.words);
            most_places = fmax(most_places, places);
            const double listed = p.source_words * p.n_listed / fmax(1, p.n_sources);
            estimate->seconds += 9e-7 * p.words + 2.3e-7 * listed + 1.9e-7 * places;
        }
        if (!need->mixture) continue;
        estimate->seconds += mixture_seconds(config, &p, is_shared ? of_all : p.components);
        shared = estimate->n_candidates > 0 ? fmax(shared, p.shared) : shared + p.shared;
        if (is_shared) continue;
        estimate->seconds += background_seconds(config, pooled, p.components);
        most_components = fmax(most_components, p.components);
    }
    estimate->memory += 500 * longest + 24 * most_places;
    if (!need->mixture) return;
    if (is_shared) estimate->seconds += background_seconds(config, pooled, of_all);
    const double rows = config->tensor.n * types_of(config, estimate->n_tokens) * most_components;
    const bool is_pooled = estimate->n_candidates == 0 || !grows;
    estimate->memory += (is_pooled ? 250 * pooled : 0) + 80 * shared + (grows ? 4 : 16) * rows;
}

/* Adds the search for possible allusions: every place of a target is compared with every place of
 * its sources, and the index of one source is in memory. Windows overlap, so that each word is in
 * two of them. */
static void add_allusions(trib_estimate *estimate, const trib_config *config,
                          const uint64_t n_bytes[]) {
    const bool is_double = config->parallels.unit == TRIB_UNIT_WINDOWS;
    double longest = 0;
    if (config->parallels.unit == TRIB_UNIT_NONE) return;
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        longest = fmax(longest, words_of(n_bytes[d]));
        if (!trib_config_is_target(config, &config->corpus.document[d])) continue;
        const part p = part_of(config, d, n_bytes);
        estimate->seconds += (is_double ? 4.7e-10 : 1.9e-10) * p.words * p.source_words;
    }
    estimate->memory += (is_double ? 320 : 170) * longest + 5 * estimate->n_tokens;
}

/* The memory of the tokens and of the n-grams, which lie in memory as long as they are few; with
 * candidates all of them lie in a scratch file, and the sketches of the choice and the counters of
 * formulas (pipeline/stages/influence.c) are in memory. */
static double memory_of_texts(const trib_config *config, const trib_estimate *estimate) {
    const double tables =
        config->tensor.skip > 0 ? 1 + gaps(config) : 1; /* with gaps, and without */
    const double tensors = 25 * tables * estimate->n_tokens,
                 most = (double)config->resources.memory / 4;
    if (estimate->n_candidates > 0)
        return 1.2e7 + 8 * estimate->n_tokens + fmin(2.7e8, 3 * estimate->nnz);
    return 2 * estimate->n_tokens + (most > 0 ? fmin(tensors, most) : tensors);
}

void trib_estimate_make(trib_estimate *estimate, const trib_config *config,
                        const uint64_t n_bytes[]) {
    const needs need = needs_of(config);
    const uint32_t n_documents = config->corpus.n_documents;
    double factor_values = 0, n_factors = 0, n_of_targets = 0, decomposition = 0, all_types = 0;
    *estimate = (trib_estimate){.n_candidates = trib_config_candidates(config)};
    for (uint32_t d = 0; d < n_documents; d++) {
        const double words = words_of(n_bytes[d]);
        const double nnz = gaps(config) * different(config->tensor.n, words);
        const double types = types_of(config, words);
        estimate->n_bytes += n_bytes[d];
        estimate->n_tokens += words;
        estimate->nnz += nnz;
        if (trib_config_is_target(config, &config->corpus.document[d])) {
            estimate->n_targets++;
            n_of_targets += rank_of(config, nnz);
        }
        all_types += types;
        factor_values += types * config->tensor.n * rank_of(config, nnz);
        n_factors += rank_of(config, nnz);
        decomposition += decomposition_seconds(config, nnz, types);
    }
    estimate->memory = 1.35e7 + memory_of_texts(config, estimate);
    estimate->seconds = 0.015 + 3e-7 * estimate->n_tokens;
    if (need.factors) { /* dense and sparse factors of all documents; the nearest factor in each */
        const double n = fmax(1, n_documents), rank = fmax(1, n_factors / n);
        const double pairs = n_of_targets * (n_factors - n_of_targets / 2);
        estimate->memory += 14 * factor_values + 12 * n_factors * n;
        const double matrix = config->report.npy ? 8 * n_factors * n_factors : 0;
        if (matrix <= TRIB_DISTANCES_MOST) estimate->memory += matrix;
        estimate->seconds += decomposition + pairs * distance_seconds(config, all_types / n, rank);
    }
    add_targets(estimate, config, n_bytes, &need);
    add_allusions(estimate, config, n_bytes);
    estimate->seconds *= 0.87; /* the constants were fitted while other programs were running */
}

void trib_estimate_add_words(trib_estimate *estimate, const trib_config *config, uint64_t n_bytes,
                             uint32_t n_words) {
    const double size = config->vocabulary.size, words = words_of(n_bytes);
    const double usual = types_of(config, words),
                 types = size > 0 ? fmin(n_words, size + 1) : n_words;
    const double nnz = gaps(config) * different(config->tensor.n, words);
    if (types <= 2 * usual) return;
    estimate->memory += 200 * (types - usual); /* the words themselves, and their places */
    if (!needs_of(config).factors) return;
    estimate->memory += 14 * (types - usual) * config->tensor.n * rank_of(config, nnz);
    estimate->seconds += 0.87 * (decomposition_seconds(config, nnz, types) -
                                 decomposition_seconds(config, nnz, usual));
}
