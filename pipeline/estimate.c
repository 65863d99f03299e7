/* estimate.c - what a run would take. Constants of time are seconds on one core, fitted with those of memory to the runs of
 * `tests/measure estimate`. */
#include "pipeline/estimate.h"

#include <math.h>
#include <string.h>

#include "pipeline/factors.h"
#include "pipeline/language.h"
#include "pipeline/run.h"

/* Different n-grams of a text of w words, by n (from 1): c w^b, never more than w. */
static const struct {
    double c, b;
} growth[] = {{4.58, 0.628}, {1.54, 0.897}, {1.01, 0.981}, {0.96, 0.997}, {0.97, 1.0}};
enum { N_GROWTH = sizeof growth / sizeof *growth };

static double different(uint32_t n, double words) {
    const size_t row = (n < N_GROWTH ? n : N_GROWTH) - 1;
    return fmin(words, growth[row].c * pow(words, growth[row].b));
}

/* The iterations until the fit no longer changes: more for longer texts. */
static double iterations(const trib_config *config, double nnz) {
    const double most = config->cp.iterations;
    return config->cp.tolerance > 0 ? fmin(most, fmax(3, nnz / 400)) : most;
}

/* Decomposition of one document: the start, MTTKRP over the nonzeros and HALS over the rows in every mode and iteration;
 * then the factors normalised and written, as text and as matrices. */
static double decomposition_seconds(const trib_config *config, double nnz, double types) {
    const double n = config->tensor.n, rank = trib_config_rank(config);
    const double iteration =
        1e-10 * nnz * n * rank + 2.5e-11 * n * types * rank * rank * config->cp.sweeps;
    return config->cp.restarts * (2e-6 * nnz + iteration * iterations(config, nnz)) +
           3.3e-7 * n * types * rank;
}

/* What it takes to measure one target, given how many sources it has. */
typedef struct part {
    double words, nnz, n_sources, n_listed; /* listed: not more than influence.shortlist */
} part;

static part part_of(const trib_config *config, uint32_t d, double words) {
    const trib_corpus_document *document = config->corpus.document;
    const uint32_t most = config->influence.shortlist;
    part p = {.words = words, .nnz = different(config->tensor.n, words)};
    for (uint32_t s = 0; s < config->corpus.n_documents; s++)
        p.n_sources += trib_config_is_source(config, &document[s], &document[d]);
    p.n_listed = most > 0 ? fmin(p.n_sources, most) : p.n_sources;
    return p;
}

/* B common-language components. */
static double background(const trib_config *config, const part *p) {
    return config->influence.background < 0 ? fmax(1, rint(0.3 * sqrt(p->words * p->n_sources)))
                                            : config->influence.background;
}

/* The mixture of one target: 150 rounds of EM over its n-grams, then 40 rounds for each resample of its intervals. */
static double mixture_seconds(const trib_config *config, const part *p) {
    return 150 * p->nnz * (p->n_listed + background(config, p)) * 4e-10 +
           40.0 * config->influence.bootstrap * p->nnz * p->n_listed * 7e-10;
}

/* The background fitted to all n-grams. */
static double background_seconds(const trib_config *config, const part *p, double nnz) {
    return 24.0 * config->tensor.n * nnz * background(config, p) * 7e-10;
}

/* The distance of two factors walks a staircase over the words both hold in two modes for every combination of such words in
 * the others. A factor holds about the words of its document divided by the rank. */
static double distance_seconds(const trib_config *config, double types) {
    const double held = fmax(1, types / trib_config_rank(config));
    return 8e-7 + 3e-9 * pow(held, fmax(1, config->tensor.n - 1.0));
}

static bool has_suffix(const char *path, const char *suffix) {
    const size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcmp(path + n - m, suffix) == 0;
}

uint64_t trib_estimate_bytes(const char *path, uint64_t n_bytes) {
    static const struct {
        const char *suffix;
        double times; /* English text of some length */
    } packed[] = {{".gz", 2.7},  {".zip", 2.7}, {".epub", 2.7},
                  {".bz2", 3.5}, {".xz", 3.4},  {".zst", 3}};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (has_suffix(path, packed[i].suffix))
            return (uint64_t)((double)n_bytes * packed[i].times);
    return n_bytes;
}

/* What the methods and the options of a configuration need. */
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

/* Adds what targets take: the traces of one at a time, the mixture of one, what is found about all and shown. */
static void add_targets(trib_estimate *estimate, const trib_config *config,
                        const uint64_t n_bytes[], const needs *need) {
    const bool is_shared =
        trib_config_shares_background(config, estimate->n_targets, config->corpus.n_documents);
    double longest = 0, most_components = 0, fits = 0;
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        if (!trib_config_is_target(config, &config->corpus.document[d])) continue;
        const part p = part_of(config, d, (double)n_bytes[d] / 6);
        longest = fmax(longest, p.words);
        estimate->memory += need->traces ? 1.2e6 : 0.4e6; /* phrases, and all pages */
        estimate->seconds += 0.012;
        if (need->traces) estimate->seconds += 7e-6 * p.words;
        if (!need->mixture) continue;
        most_components = fmax(most_components, background(config, &p));
        estimate->seconds += mixture_seconds(config, &p);
        const double fit = background_seconds(config, &p, estimate->nnz);
        fits = is_shared ? fmax(fits, fit) : fits + fit;
    }
    estimate->seconds += fits;
    if (need->traces) estimate->memory += 500 * longest;
    if (!need->mixture) return;
    double types = different(1, estimate->n_tokens);
    if (config->vocabulary.size > 0) types = fmin(types, config->vocabulary.size + 1.0);
    estimate->memory += 350 * estimate->nnz + 16.0 * config->tensor.n * types * most_components;
}

void trib_estimate_make(trib_estimate *estimate, const trib_config *config,
                        const uint64_t n_bytes[]) {
    const needs need = needs_of(config);
    const uint32_t n_documents = config->corpus.n_documents;
    double factor_values = 0, decomposition = 0, all_types = 0;
    *estimate = (trib_estimate){0};
    for (uint32_t d = 0; d < n_documents; d++) {
        const double words = (double)n_bytes[d] / 6, nnz = different(config->tensor.n, words);
        double types = different(1, words);
        if (config->vocabulary.size > 0) types = fmin(types, config->vocabulary.size + 1.0);
        estimate->n_bytes += n_bytes[d];
        estimate->n_tokens += words;
        estimate->nnz += nnz;
        estimate->n_targets += trib_config_is_target(config, &config->corpus.document[d]);
        all_types += types;
        factor_values += types * config->tensor.n * trib_config_rank(config);
        decomposition += decomposition_seconds(config, nnz, types);
    }
    /* the program itself, then tokens, and n-grams of a document or of all */
    const double tensors = 25 * estimate->n_tokens, most = (double)config->resources.memory / 4;
    estimate->memory = 1.35e7 + 2 * estimate->n_tokens + (most > 0 ? fmin(tensors, most) : tensors);
    estimate->seconds = 0.015 + 3e-7 * estimate->n_tokens;
    if (need.factors) { /* of every document, dense and sparse; the distances of all pairs */
        const double n_factors = fmax(1, n_documents) * trib_config_rank(config);
        estimate->memory += 14 * factor_values + 8 * n_factors * n_factors;
        estimate->seconds +=
            decomposition +
            n_factors * n_factors / 2 * distance_seconds(config, all_types / fmax(1, n_documents));
    }
    add_targets(estimate, config, n_bytes, &need);
}
