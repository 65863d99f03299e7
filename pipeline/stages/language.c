/* language.c - one background model for all targets, used if it is the same for all of them or if
 * there are many documents (docs/model.md section 8). Under `order: by-date` documents are added by
 * date, and each target uses the model after the target itself was added, so a later document does
 * not affect earlier ones. Otherwise the model is fitted to all documents at once. */
#include "pipeline/config/config.h"
#include "pipeline/stages/influence.h"
#include "pipeline/stages/tensors.h"

enum { MANY = 40 }; /* with more documents a background for each target costs too much */

/* Returns whether each target together with its sources is the whole corpus: documents are not
 * ordered by date and none is a target only. */
static bool pools_are_equal(const trib_config *config) {
    if (config->corpus.order != TRIB_ORDER_ANY) return false;
    for (uint32_t d = 0; d < config->corpus.n_documents; d++)
        if (config->corpus.document[d].role == TRIB_ROLE_TARGET) return false;
    return true;
}

bool trib_config_shares_background(const trib_config *config, uint32_t n_targets,
                                   uint32_t n_documents) {
    if (config->influence.background == 0) return false;
    if (config->influence.background_of == TRIB_BACKGROUND_AUTO)
        return n_targets > 1 && (n_documents > MANY || pools_are_equal(config));
    return config->influence.background_of == TRIB_BACKGROUND_OF_CORPUS;
}

bool trib_language_is_by_date(const trib_config *config) {
    return config->corpus.order == TRIB_ORDER_BY_DATE;
}

uint32_t trib_language_n_before(const trib_config *config, const trib_corpus *corpus,
                                const trib_target *target) {
    uint32_t i = 0;
    if (!trib_language_is_by_date(config)) return corpus->n_documents;
    while (corpus->arrival[i] != target->document) i++;
    return i + 1;
}

trib_status trib_language_take_in(trib_common_language *language, const trib_read_texts *from,
                                  uint32_t *n_arrived, uint32_t end, const trib_progress *progress,
                                  trib_error *error) {
    const uint32_t *arrival = from->corpus->arrival;
    trib_status status = TRIB_OK;
    for (; *n_arrived < end && status == TRIB_OK; ++*n_arrived) {
        const uint32_t d = arrival[*n_arrived];
        status = trib_counts_hold(from->tensors, d, error);
        if (status != TRIB_OK) break;
        status = trib_common_language_add(language, &trib_tensors_counted(from->tensors)[d],
                                          from->env->config->influence.background, progress, error);
        trib_counts_drop(from->tensors, d);
    }
    return status;
}

trib_status trib_language_begin(trib_common_language *language, const trib_read_texts *from,
                                int n_threads, const trib_progress *progress, trib_error *error) {
    const trib_config *config = from->env->config;
    if (trib_language_is_by_date(config))
        return trib_common_language_init(language, config->tensor.n, from->vocab->n_words, error);
    const uint32_t n = from->corpus->n_documents; /* the fit reads all documents together */
    uint32_t n_held = 0;
    trib_status status = TRIB_OK;
    while (n_held < n && status == TRIB_OK) {
        status = trib_counts_hold(from->tensors, n_held, error);
        n_held += status == TRIB_OK;
    }
    if (status == TRIB_OK)
        status = trib_common_language_fit(language, trib_tensors_counted(from->tensors), n,
                                          from->vocab->n_words, config->influence.background,
                                          n_threads, progress, error);
    while (n_held > 0) trib_counts_drop(from->tensors, --n_held);
    return status;
}

trib_status trib_language_rows(trib_background *background, const trib_read_texts *from,
                               const trib_common_language *language, uint32_t d,
                               trib_error *error) {
    trib_status status = trib_counts_hold(from->tensors, d, error);
    if (status != TRIB_OK) return status;
    status = trib_common_language_rows(background, language,
                                       &trib_tensors_counted(from->tensors)[d], error);
    trib_counts_drop(from->tensors, d);
    return status;
}

trib_status trib_language_of(const trib_read_texts *from, const trib_target *target, int n_threads,
                             trib_progress progress, trib_background *background,
                             trib_error *error) {
    const trib_corpus *corpus = from->corpus;
    TRIB_OWNED(trib_common_language) language = {0};
    uint32_t n_arrived = 0;
    if (background->n > 0 ||
        !trib_config_shares_background(from->env->config, corpus->n_targets, corpus->n_documents))
        return TRIB_OK;
    trib_status status = trib_language_begin(&language, from, n_threads, &progress, error);
    if (status == TRIB_OK && trib_language_is_by_date(from->env->config))
        status = trib_language_take_in(&language, from, &n_arrived,
                                       trib_language_n_before(from->env->config, corpus, target),
                                       &progress, error);
    return status == TRIB_OK
               ? trib_language_rows(background, from, &language, target->document, error)
               : status;
}
