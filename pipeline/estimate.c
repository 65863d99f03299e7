/* estimate.c - what a run would take. The constants of time are those of the kernels named beside them. */
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

/* Decomposition of one document: MTTKRP over the nonzeros, then HALS over the rows, in every mode. */
static double decomposition_seconds(const trib_config *config, double nnz, double types) {
    const double n = config->tensor.n, rank = trib_config_rank(config);
    const double iteration =
        1e-10 * nnz * n * rank + 1.5e-10 * n * types * rank * rank * config->cp.sweeps;
    return iteration * config->cp.iterations * config->cp.restarts;
}

/* The mixture of one target: B common-language components fitted to all texts, then 150 rounds of EM, then the
 * bootstrap's 40 rounds each. */
static double mixture_seconds(const trib_config *config, double words, double nnz, double all_nnz) {
    const double sources = fmax(1, config->corpus.n_documents - 1.0);
    const double background = config->influence.background < 0
                                  ? fmax(1, rint(0.3 * sqrt(words * sources)))
                                  : config->influence.background;
    const double fit = 24.0 * config->tensor.n * all_nnz * background * 2e-10;
    return fit + 150 * nnz * (sources + background) * 4e-10 +
           40.0 * config->influence.bootstrap * nnz * sources * 4e-10;
}

void trib_estimate_make(trib_estimate *estimate, const trib_config *config,
                        const uint64_t n_bytes[]) {
    bool factors = false, mixture = false;
    double factor_values = 0, decomposition = 0;
    *estimate = (trib_estimate){0};
    for (uint32_t m = 0; m < config->influence.n_methods; m++) {
        factors |= config->influence.method[m]->needs_factors;
        mixture |= config->influence.method[m]->has_evidence;
    }
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        const double words = (double)n_bytes[d] / 6, nnz = different(config->tensor.n, words);
        const double types = different(1, words);
        estimate->n_bytes += n_bytes[d];
        estimate->n_tokens += words;
        estimate->nnz += nnz;
        factor_values += types * config->tensor.n * trib_config_rank(config);
        decomposition += decomposition_seconds(config, nnz, types);
    }
    const double per_document = fmax(1, config->corpus.n_documents);
    const double words = estimate->n_tokens / per_document, nnz = estimate->nnz / per_document;
    /* a token: id, place, length, break, its n-gram; a nonzero: key, count, next, bucket, mixture; the program itself */
    estimate->memory = 21 * estimate->n_tokens + 48 * estimate->nnz + 2e7;
    estimate->seconds = 0.05 + 2e-7 * estimate->n_tokens + 1e-7 * estimate->nnz;
    if (factors) estimate->memory += 16 * factor_values; /* dense, and again sparse for distances */
    if (factors) estimate->seconds += decomposition;
    if (mixture)
        estimate->seconds += n_targets(config) * mixture_seconds(config, words, nnz, estimate->nnz);
}
