/* arrays.c - a sparse tensor that other languages fill and read by arrays, and its
 * decompositions. */
#include "pipeline/library/arrays.h"

#include <omp.h>

#include "base/system.h"
#include "decomp/decomp.h"
#include "pipeline/library/settings_private.h"
#include "pipeline/stages/factors.h"
#include "pipeline/support/memory_limit.h"
#include "pipeline/text/archive.h"
#include "tensor/files.h"
#include "tensor/formats/formats.h"

struct trib_array {
    trib_hacoo table;
    double *value; /* [table.nnz] NULL: the counts of the table, which are all 1 otherwise */
    size_t value_cap;
    trib_tensor x; /* format NULL: not built since the last change */
};

enum { BATCH = 4096 };

/* ---- Filling --------------------------------------------------------------------------------- */

/* Checks that all indices are in range and all values finite and not 0. */
static trib_status check_entries(const trib_hacoo *table, size_t n, const uint32_t *index,
                                 const double *value, bool zeros, trib_error *error) {
    for (size_t i = 0; i < n; i++) {
        for (uint32_t m = 0; m < table->n_modes; m++)
            if (index[i * table->n_modes + m] >= table->dim[m])
                return trib_fail(
                    error, TRIB_INPUT, "nonzero %zu has index %lu in mode %u, whose size is %lu", i,
                    (unsigned long)index[i * table->n_modes + m], m, (unsigned long)table->dim[m]);
        if (value && (!isfinite(value[i]) || (value[i] == 0 && !zeros)))
            return trib_fail(error, TRIB_INPUT, "nonzero %zu has the value %g", i, value[i]);
    }
    return TRIB_OK;
}

/* Removes an entry; the last one takes its number. */
static void drop(trib_array *a, size_t e) {
    uint32_t index[TRIB_MAX_MODES];
    (void)trib_hacoo_entry(&a->table, e, index);
    if (a->value) a->value[e] = a->value[a->table.nnz - 1];
    (void)trib_hacoo_remove(&a->table, index);
}

/* Adds values that have been checked. Sums that are 0 are removed at the end, so that no entry
 * changes its number before. */
static trib_status add(trib_array *a, size_t n, const uint32_t *index, const double *value,
                       trib_error *error) {
    uint32_t entry[BATCH];
    bool has_zeros = false;
    size_t failed;
    trib_status status = TRIB_OK;
    if (n > 0) trib_tensor_release(&a->x);
    for (size_t i = 0, part; i < n && status == TRIB_OK; i += part) {
        part = n - i < BATCH ? n - i : BATCH;
        status = trib_hacoo_sum_many(&a->table, &a->value, &a->value_cap, part,
                                     index + i * a->table.n_modes, value ? value + i : NULL, entry,
                                     &failed, error);
        for (size_t j = 0; status == TRIB_OK && a->value && j < part; j++)
            has_zeros = has_zeros || a->value[entry[j]] == 0;
        if (status != TRIB_OK && failed < part)
            (void)trib_error_prefix(error, "nonzero %zu", i + failed);
    }
    for (size_t e = has_zeros ? a->table.nnz : 0; e-- > 0;)
        if (a->value[e] == 0) drop(a, e);
    return status;
}

trib_status trib_array_add(trib_array *array, size_t n, const uint32_t *index, const double *value,
                           trib_error *error) {
    const trib_status status = check_entries(&array->table, n, index, value, false, error);
    return status == TRIB_OK ? add(array, n, index, value, error) : status;
}

trib_status trib_array_set(trib_array *array, size_t n, const uint32_t *index, const double *value,
                           trib_error *error) {
    trib_status status = check_entries(&array->table, n, index, value, true, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        const uint32_t *at = index + i * array->table.n_modes;
        const size_t e = trib_hacoo_find(&array->table, at);
        trib_tensor_release(&array->x);
        if (e != TRIB_NO_ENTRY && array->value && value[i] != 0) array->value[e] = value[i];
        else if (e != TRIB_NO_ENTRY) drop(array, e);
        if (value[i] != 0 && (e == TRIB_NO_ENTRY || !array->value))
            status = add(array, 1, at, &value[i], error);
    }
    return status;
}

/* ---- Making, files --------------------------------------------------------------------------- */

/* Returns `status`, after which a tensor that failed is gone. */
static trib_status opened(trib_array **array, trib_status status) {
    if (status == TRIB_OK) return status;
    trib_array_close(*array);
    *array = NULL;
    return status;
}

trib_status trib_array_open(trib_array **array, uint32_t n_modes, const uint32_t dim[], size_t n,
                            const uint32_t *index, const double *value, trib_error *error) {
    trib_status status = TRIB_NEW(array, 1, "a tensor", error);
    if (status != TRIB_OK) return status;
    const trib_hacoo_options options = {.expected = n};
    status = trib_hacoo_init(&(*array)->table, n_modes, dim, &options, error);
    if (status == TRIB_OK) status = trib_array_add(*array, n, index, value, error);
    return opened(array, status);
}

static const char magic[] = "TRIBFRAG";

trib_status trib_array_load(trib_array **array, const char *path, trib_error *error) {
    TRIB_OPENED(trib_reader) reader = {0};
    char first[8] = "";
    size_t got = 0;
    trib_status status = TRIB_NEW(array, 1, "a tensor", error);
    if (status == TRIB_OK) status = trib_reader_open_file(&reader, path, error);
    if (status != TRIB_OK) return opened(array, status);
    status = trib_reader_peek(&reader, first, sizeof first, &got, error);
    if (status == TRIB_OK && got == sizeof first && memcmp(first, magic, sizeof first) == 0) {
        TRIB_OPENED(trib_fragment) fragment = {0};
        status = trib_fragment_open(&fragment, path, error);
        if (status == TRIB_OK)
            status = trib_fragment_read(&fragment, 1, &(*array)->table, NULL, error);
    } else if (status == TRIB_OK) {
        status = trib_tns_read(&(*array)->table, &(*array)->value, &reader, NULL, NULL, error);
        (*array)->value_cap = status == TRIB_OK && (*array)->value ? (*array)->table.nnz : 0;
    }
    return opened(array, status);
}

trib_status trib_array_save(const trib_array *array, const char *path, trib_error *error) {
    const size_t n = strlen(path);
    const bool is_fragment = trib_name_ends(path, n, ".fragment"),
               is_matrix = trib_name_ends(path, n, ".mtx");
    trib_writer writer;
    if (!is_fragment && !is_matrix && !trib_name_ends(path, n, ".tns"))
        return trib_fail(error, TRIB_USAGE,
                         "%s: a tensor is written as .tns, .mtx or .fragment; end the name so",
                         path);
    if (is_fragment && array->value)
        return trib_fail(error, TRIB_INPUT,
                         "%s: a fragment holds counts, and values of this tensor are none; write "
                         ".tns",
                         path);
    trib_status status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    if (is_fragment) status = trib_fragment_write(&array->table, NULL, &writer, error);
    else if (is_matrix) status = trib_mtx_write(&array->table, array->value, &writer, error);
    else status = trib_tns_write(&array->table, array->value, &writer, error);
    return trib_writer_end(&writer, status, NULL, error);
}

void trib_array_close(trib_array *array) {
    if (!array) return;
    trib_tensor_release(&array->x);
    trib_hacoo_release(&array->table);
    TRIB_FREE(array->value, array);
}

/* ---- Reading --------------------------------------------------------------------------------- */

uint32_t trib_array_n_modes(const trib_array *array) { return array->table.n_modes; }
uint32_t trib_array_dim(const trib_array *array, uint32_t mode) { return array->table.dim[mode]; }
uint64_t trib_array_nnz(const trib_array *array) { return array->table.nnz; }
bool trib_array_has_counts(const trib_array *array) { return !array->value; }

void trib_array_get(const trib_array *array, size_t n, const uint32_t *index, double *value) {
    for (size_t i = 0; i < n; i++) {
        const size_t e = trib_hacoo_find(&array->table, index + i * array->table.n_modes);
        value[i] = e == TRIB_NO_ENTRY ? 0
                   : array->value     ? array->value[e]
                                      : trib_hacoo_count(&array->table, e);
    }
}

void trib_array_entries(const trib_array *array, size_t first, size_t n, uint32_t *index,
                        double *value) {
    for (size_t i = 0; i < n; i++) {
        const uint32_t count =
            trib_hacoo_entry(&array->table, first + i, index + i * array->table.n_modes);
        value[i] = array->value ? array->value[first + i] : count;
    }
}

/* ---- Products -------------------------------------------------------------------------------- */

trib_status trib_array_build(trib_array *array, const char *format, int n_threads,
                             trib_error *error) {
    const trib_format *wanted = trib_format_find(format ? format : "hacoo");
    trib_tensor *x = &array->x;
    if (!wanted)
        return trib_fail(error, TRIB_USAGE,
                         "there is no format '%s' of a tensor; 'tributary help formats' lists them",
                         format);
    n_threads = n_threads < 1 ? 1 : trib_process_threads(n_threads);
    if (x->format && x->format == wanted && x->n_threads == n_threads) return TRIB_OK;
    n_threads = trib_memory_threads(n_threads);
    trib_tensor_release(x);
    return trib_tensor_build(x, wanted, &array->table, array->value, n_threads, error);
}

trib_status trib_array_mttkrp(const trib_array *array, uint32_t mode, uint32_t rank,
                              const double *const factor[], double *out, trib_error *error) {
    if (!array->x.format)
        return trib_fail(error, TRIB_USAGE, "the tensor is not built for products");
    if (mode >= array->table.n_modes || rank == 0)
        return trib_fail(error, TRIB_USAGE, "there is no mode %u, or no component", mode);
    trib_mttkrp(&array->x, mode, rank, factor, out, trib_process_threads(array->x.n_threads));
    return TRIB_OK;
}

/* ---- Decompositions -------------------------------------------------------------------------- */

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
                             const trib_config *config, const trib_factorisation *from,
                             const trib_progress *progress, trib_error *error) {
    static const trib_progress silent = {0};
    const int n_threads = trib_memory_threads(
        config->resources.threads > 0 ? config->resources.threads : omp_get_max_threads());
    char reason[TRIB_REASON_MAX];
    TRIB_OWNED(trib_tensor) x = {0};
    TRIB_OWNED(trib_cp_trace) trace = {0};
    TRIB_OWNED(trib_rank_search) search = {0};
    trib_cp_options options =
        trib_config_cp_options(config, n_threads, progress ? *progress : silent);
    options.from = from ? &from->k : NULL;
    options.exactly = from;
    if (from) options.rank = from->k.rank;
    const trib_format *format = trib_format_choose(config->tensor.format, &array->table,
                                                   trib_config_rank(config, array->table.nnz),
                                                   config->cp.iterations, reason);
    trib_status status = trib_tensor_build_cut(&x, format, config->tensor.cut, &array->table,
                                               array->value, n_threads, error);
    if (status == TRIB_OK && TRIB_RANK_IS_SEARCHED(options.rank))
        status = trib_cp_search(&d->k, &x, &options, config->cp.max_rank, &search, &trace, error);
    else if (status == TRIB_OK) status = trib_cp(&d->k, &x, &options, &trace, error);
    d->n_iterations = trace.first + (uint32_t)trace.n_steps;
    d->stop = status == TRIB_OK ? trib_stop_text(trace.stop) : "";
    return status;
}

/* Whether factors can be where a decomposition of the tensor starts. */
static trib_status fit_start(const trib_array *array, const trib_config *config,
                             const trib_ktensor *k, trib_error *error) {
    const trib_hacoo *table = &array->table;
    bool negative = false;
    if (k->n_modes != table->n_modes ||
        memcmp(k->dim, table->dim, k->n_modes * sizeof *k->dim) != 0 || k->rank == 0)
        return trib_fail(error, TRIB_CONFIG, "the factors to start from have other sizes");
    for (uint32_t r = 0; r < k->rank; r++) negative = negative || k->lambda[r] < 0;
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (size_t i = 0; i < (size_t)k->dim[m] * k->rank; i++)
            negative = negative || k->factor[m][i] < 0;
    if (negative && !config->cp.solver->negative)
        return trib_fail(error, TRIB_CONFIG,
                         "the factors to start from have values below 0, which the solver %s does "
                         "not give; choose als",
                         config->cp.solver->name);
    return TRIB_OK;
}

trib_status trib_array_cp(trib_array *array, const char *const settings[],
                          const trib_factorisation *from, const trib_progress *progress,
                          trib_factorisation **factors, trib_error *error) {
    trib_config config = {0};
    *factors = NULL;
    trib_status status = trib_settings_read(&config, NULL, NULL, settings, NULL, error);
    if (status != TRIB_OK) return status;
    status = fit_modes(&config, array->table.n_modes, error);
    if (status == TRIB_OK && from) status = fit_start(array, &config, &from->k, error);
    if (status == TRIB_OK) status = TRIB_NEW(factors, 1, "a decomposition", error);
    if (status == TRIB_OK) status = decompose(*factors, array, &config, from, progress, error);
    trib_config_release(&config);
    if (status == TRIB_OK) return TRIB_OK;
    trib_factorisation_close(*factors);
    *factors = NULL;
    return status;
}

trib_status trib_factorisation_open(trib_factorisation **factors, uint32_t n_modes,
                                    const uint32_t dim[], uint32_t rank, const double *lambda,
                                    const double *const factor[], double fit, bool is_single,
                                    const char *const word[], trib_error *error) {
    size_t bytes = 0, n_words = 0;
    trib_status status = TRIB_NEW(factors, 1, "a decomposition", error);
    if (status != TRIB_OK) return status;
    trib_factorisation *d = *factors;
    d->stop = "";
    status = trib_ktensor_init(&d->k, n_modes, dim, rank, error);
    for (uint32_t m = 0; m < n_modes && status == TRIB_OK; m++) {
        if (rank > 0) memcpy(d->k.factor[m], factor[m], (size_t)dim[m] * rank * sizeof *factor[m]);
        if (dim[m] > n_words) n_words = dim[m];
    }
    if (status == TRIB_OK && rank > 0) memcpy(d->k.lambda, lambda, rank * sizeof *lambda);
    d->k.fit = fit;
    d->k.single = is_single;
    for (size_t i = 0; word && i < n_words; i++) bytes += strlen(word[i]) + 1;
    if (status == TRIB_OK && word) status = TRIB_NEW(&d->words.word, n_words, "words", error);
    if (status == TRIB_OK && word) status = TRIB_NEW(&d->words.text.text, bytes, "words", error);
    char *at = d->words.text.text;
    for (size_t i = 0; status == TRIB_OK && word && i < n_words; i++, at += strlen(at) + 1) {
        memcpy(at, word[i], strlen(word[i]) + 1);
        d->words.word[i] = at;
        d->words.n = (uint32_t)n_words;
    }
    if (status == TRIB_OK) return TRIB_OK;
    trib_factorisation_close(d);
    *factors = NULL;
    return status;
}

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

uint32_t trib_factorisation_n_modes(const trib_factorisation *d) { return d->k.n_modes; }
uint32_t trib_factorisation_rank(const trib_factorisation *d) { return d->k.rank; }
uint32_t trib_factorisation_dim(const trib_factorisation *d, uint32_t mode) {
    return d->k.dim[mode];
}
const double *trib_factorisation_lambda(const trib_factorisation *d) { return d->k.lambda; }
const double *trib_factorisation_factor(const trib_factorisation *d, uint32_t mode) {
    return d->k.factor[mode];
}
bool trib_factorisation_is_single(const trib_factorisation *d) { return d->k.single; }
double trib_factorisation_fit(const trib_factorisation *d) { return d->k.fit; }
uint32_t trib_factorisation_iterations(const trib_factorisation *d) { return d->n_iterations; }
const char *trib_factorisation_stop(const trib_factorisation *d) { return d->stop; }
const char *trib_factorisation_word(const trib_factorisation *d, uint32_t i) {
    return d->words.word && i < d->words.n ? d->words.word[i] : NULL;
}
