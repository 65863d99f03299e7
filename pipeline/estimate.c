/* estimate.c - what a run would take. Constants of time are seconds on one core, fitted with those of memory to the runs of
 * `tests/measure estimate`. */
#include "pipeline/estimate.h"

#include <math.h>
#include <string.h>

#include "pipeline/factors.h"

/* Different n-grams of a text of w words, by n (from 1): c w^b, never more than w. */
static const struct {
    double c, b;
} growth[] = {{4.58, 0.628}, {1.54, 0.897}, {1.01, 0.981}, {0.96, 0.997}, {0.97, 1.0}};
enum { N_GROWTH = sizeof growth / sizeof *growth };

static double different(uint32_t n, double words) {
    const size_t row = (n < N_GROWTH ? n : N_GROWTH) - 1;
    return fmin(words, growth[row].c * pow(words, growth[row].b));
}

static uint32_t n_targets(const trib_config *config) {
    const trib_text_list *target = &config->corpus.target;
    return target->n == 1 && strcmp(target->item[0], "all") == 0 ? config->corpus.n_documents
                                                                 : target->n;
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

/* B common-language components. */
static double background(const trib_config *config, double words) {
    const double sources = fmax(1, config->corpus.n_documents - 1.0);
    return config->influence.background < 0 ? fmax(1, rint(0.3 * sqrt(words * sources)))
                                            : config->influence.background;
}

/* The mixture of one target: 150 rounds of EM over its n-grams, then the bootstrap's 40 rounds each where it is the
 * headline. */
static double mixture_seconds(const trib_config *config, double words, double nnz) {
    const double sources = fmax(1, config->corpus.n_documents - 1.0);
    const bool intervals = config->influence.headline == trib_influence_method_find("anchored");
    return 150 * nnz * (sources + background(config, words)) * 4e-10 +
           (intervals ? 40.0 : 0) * config->influence.bootstrap * nnz * sources * 7e-10;
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

void trib_estimate_make(trib_estimate *estimate, const trib_config *config,
                        const uint64_t n_bytes[]) {
    const needs need = needs_of(config);
    const uint32_t n_documents = config->corpus.n_documents;
    double factor_values = 0, decomposition = 0;
    *estimate = (trib_estimate){0};
    for (uint32_t d = 0; d < n_documents; d++) {
        const double words = (double)n_bytes[d] / 6, nnz = different(config->tensor.n, words);
        double types = different(1, words);
        if (config->vocabulary.size > 0) types = fmin(types, config->vocabulary.size + 1.0);
        estimate->n_bytes += n_bytes[d];
        estimate->n_tokens += words;
        estimate->nnz += nnz;
        factor_values += types * config->tensor.n * trib_config_rank(config);
        decomposition += decomposition_seconds(config, nnz, types);
    }
    const double per_document = fmax(1, n_documents);
    const double words = estimate->n_tokens / per_document, nnz = estimate->nnz / per_document;
    double types = different(1, estimate->n_tokens);
    if (config->vocabulary.size > 0) types = fmin(types, config->vocabulary.size + 1.0);
    /* the program itself, then tokens, and n-grams of a document or of all */
    estimate->memory = 1.35e7 + 27 * estimate->n_tokens;
    estimate->seconds = 0.015 + 3e-7 * estimate->n_tokens;
    if (need.traces) {
        estimate->memory += 70 * estimate->n_tokens;
        estimate->seconds += 4e-7 * estimate->n_tokens;
    }
    if (need.factors) { /* of every document, dense and sparse; the distances of all pairs */
        const double n_factors = per_document * trib_config_rank(config);
        estimate->memory += 14 * factor_values + 8 * n_factors * n_factors;
        estimate->seconds += decomposition + 6e-7 * n_factors * n_factors;
    }
    if (need.mixture) { /* the background is fitted once, to all n-grams */
        const double b = background(config, words);
        estimate->memory += 350 * estimate->nnz + 16.0 * config->tensor.n * types * b;
        estimate->seconds += 24.0 * config->tensor.n * estimate->nnz * b * 1e-9 +
                             n_targets(config) * mixture_seconds(config, words, nnz);
    }
}
