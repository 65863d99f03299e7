/* factorisations.c - decompositions of tensors of other languages (arrays.h). */
#include <omp.h>

#include "decomp/decomp.h"
#include "pipeline/config/config.h"
#include "pipeline/library/arrays_private.h"
#include "pipeline/stages/factors.h"
#include "pipeline/support/json.h"
#include "pipeline/support/memory_limit.h"

struct trib_factorisation {
    trib_ktensor k;
    trib_ktns_words words;
    uint32_t n_iterations;
    const char *stop;
};

/* Checks that the settings fit the modes of the tensor. */
static trib_status fit_modes(trib_config *config, uint32_t n_modes, trib_error *error) {
    const trib_mode_numbers *const penalty[] = {&config->cp.l1, &config->cp.l2};
    for (int p = 0; p < 2; p++)
        if (penalty[p]->n > 1 && penalty[p]->n != n_modes)
            return trib_fail(error, TRIB_CONFIG,
                             "cp.l%d has %u numbers, and the tensor %u modes; give one, or one for "
                             "each",
                             p + 1, (unsigned)penalty[p]->n, (unsigned)n_modes);
    config->tensor.n = n_modes;
    return TRIB_OK;
}

static trib_status decompose(trib_factorisation *d, const trib_array *array,
                             const trib_config *config, const trib_progress *progress,
                             trib_error *error) {
    static const trib_progress silent = {0};
    const int n_threads = trib_memory_threads(
        config->resources.threads > 0 ? config->resources.threads : omp_get_max_threads());
    char reason[TRIB_REASON_MAX];
    trib_tensor x = {0};
    trib_cp_trace trace = {0};
    trib_rank_search search = {0};
    const trib_cp_options options =
        trib_config_cp_options(config, n_threads, progress ? *progress : silent);
    const trib_format *format =
        trib_format_choose(config->tensor.format, &array->table, trib_config_rank(config),
                           config->cp.iterations, reason);
    trib_status status = trib_tensor_build_cut(&x, format, config->tensor.cut, &array->table,
                                               array->value, n_threads, error);
    if (status == TRIB_OK && config->cp.rank == TRIB_RANK_AUTO)
        status = trib_cp_search(&d->k, &x, &options, config->cp.max_rank, &search, &trace, error);
    else if (status == TRIB_OK) status = trib_cp(&d->k, &x, &options, &trace, error);
    d->n_iterations = trace.first + (uint32_t)trace.n_steps;
    d->stop = status == TRIB_OK ? trib_stop_text(trace.stop) : "";
    trib_rank_search_release(&search);
    trib_cp_trace_release(&trace);
    trib_tensor_release(&x);
    return status;
}

trib_status trib_array_cp(trib_array *array, const char *const settings[],
                          const trib_progress *progress, trib_factorisation **factors,
                          trib_error *error) {
    trib_config config = {0};
    *factors = NULL;
    trib_json_share();
    trib_status status = trib_settings_read(&config, NULL, NULL, settings, NULL, error);
    if (status != TRIB_OK) return status;
    status = fit_modes(&config, array->table.n_modes, error);
    if (status == TRIB_OK) status = TRIB_NEW(factors, 1, "a decomposition", error);
    if (status == TRIB_OK) status = decompose(*factors, array, &config, progress, error);
    trib_config_release(&config);
    if (status == TRIB_OK) return TRIB_OK;
    trib_factorisation_close(*factors);
    *factors = NULL;
    return status;
}

/* ---- Files ----------------------------------------------------------------------------------- */

trib_status trib_factorisation_load(trib_factorisation **factors, const char *path,
                                    trib_error *error) {
    trib_reader reader;
    trib_status status = TRIB_NEW(factors, 1, "a decomposition", error);
    if (status != TRIB_OK) return status;
    trib_factorisation *d = *factors;
    d->stop = "";
    status = trib_reader_open_file(&reader, path, error);
    if (status == TRIB_OK) {
        status = trib_ktns_read_words(&d->k, &d->words, &reader, error);
        trib_reader_close(&reader);
    }
    if (status == TRIB_OK) return TRIB_OK;
    trib_factorisation_close(d);
    *factors = NULL;
    return status;
}

trib_status trib_factorisation_save(const trib_factorisation *factors, const char *path,
                                    trib_error *error) {
    trib_writer writer;
    const trib_status status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    trib_ktns_write(&factors->k, factors->words.word, &writer);
    return trib_writer_commit(&writer, NULL, error);
}

void trib_factorisation_close(trib_factorisation *factors) {
    if (!factors) return;
    trib_ktensor_release(&factors->k);
    trib_ktns_words_release(&factors->words);
    trib_free(factors);
}

/* ---- Reading --------------------------------------------------------------------------------- */

uint32_t trib_factorisation_n_modes(const trib_factorisation *d) { return d->k.n_modes; }
uint32_t trib_factorisation_rank(const trib_factorisation *d) { return d->k.rank; }
uint32_t trib_factorisation_dim(const trib_factorisation *d, uint32_t mode) {
    return d->k.dim[mode];
}
const double *trib_factorisation_lambda(const trib_factorisation *d) { return d->k.lambda; }
const double *trib_factorisation_factor(const trib_factorisation *d, uint32_t mode) {
    return d->k.factor[mode];
}
double trib_factorisation_fit(const trib_factorisation *d) { return d->k.fit; }
uint32_t trib_factorisation_iterations(const trib_factorisation *d) { return d->n_iterations; }
const char *trib_factorisation_stop(const trib_factorisation *d) { return d->stop; }
const char *trib_factorisation_word(const trib_factorisation *d, uint32_t i) {
    return d->words.word && i < d->words.n ? d->words.word[i] : NULL;
}
