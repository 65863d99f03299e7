/* rejected.c - documents that cannot be used. All of them are found before the run fails or
 * continues without them, and inputs.tsv lists each with the reason. */
#include "pipeline/run/rejected.h"

#include <stdio.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/output/files.h"
#include "pipeline/support/repeated_errors.h"

/* Moves the rejected documents to their list, and the others up. to[d] is the new number of a
 * remaining document d. */
static void move_documents(trib_corpus *corpus, trib_corpus_words *words, uint32_t *to) {
    uint32_t kept = 0;
    for (uint32_t d = 0; d < corpus->n_documents; d++) {
        const trib_document *document = &corpus->document[d];
        const bool is_read = d < words->n_documents;
        to[d] = kept;
        if (document->rejected) {
            trib_rejected *rejected = &corpus->rejected[corpus->n_rejected++];
            *rejected = (trib_rejected){document->about, document->n_bytes, "", document->rejected};
            memcpy(rejected->kind, document->kind, sizeof rejected->kind);
            if (is_read) trib_free(words->document[d].joined);
        } else if (kept++ < d) {
            corpus->document[to[d]] = *document;
            if (is_read) words->document[to[d]] = words->document[d];
        }
    }
    for (uint32_t d = kept; d < corpus->n_documents; d++) corpus->document[d] = (trib_document){0};
    corpus->n_documents = kept;
    if (words->n_documents > kept) words->n_documents = kept;
}

/* Renumbers list[n] and drops the rejected documents. The order stays the same. */
static uint32_t renumber(uint32_t *list, uint32_t n, const bool *is_gone, const uint32_t *to) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!is_gone[list[i]]) list[kept++] = to[list[i]];
    return kept;
}

static trib_status move_targets(trib_corpus *corpus, const bool *is_gone, const uint32_t *to,
                                trib_warnings *warnings, trib_error *error) {
    uint32_t kept = 0;
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < corpus->n_targets; t++) {
        trib_target *target = &corpus->target[t];
        if (is_gone[target->document]) {
            trib_free(target->source);
            continue;
        }
        const uint32_t before = target->n_sources;
        target->document = to[target->document];
        target->n_sources = renumber(target->source, before, is_gone, to);
        if (before > 0 && target->n_sources == 0 && status == TRIB_OK)
            status = trib_warnings_add(warnings, error,
                                       "'%s' has no source left: all of it counts as the author's",
                                       corpus->document[target->document].about->id);
        corpus->target[kept++] = *target;
    }
    for (uint32_t t = kept; t < corpus->n_targets; t++) corpus->target[t] = (trib_target){0};
    corpus->n_targets = kept;
    return status;
}

/* Adds a warning for each skipped document, up to NAMED of them, and one for the rest. */
static trib_status report_skipped(const trib_corpus *corpus, trib_warnings *warnings,
                                  trib_error *error) {
    enum { NAMED = 20 };
    trib_status status = TRIB_OK;
    for (uint32_t r = 0; r < corpus->n_rejected && r < NAMED && status == TRIB_OK; r++)
        status = trib_warnings_add(warnings, error, "'%s' is left out: %s",
                                   corpus->rejected[r].about->id, corpus->rejected[r].why);
    if (status == TRIB_OK && corpus->n_rejected > NAMED)
        status = trib_warnings_add(warnings, error,
                                   "%u more documents are left out; inputs.tsv has them all",
                                   (unsigned)corpus->n_rejected - NAMED);
    return status;
}

static void say_error(void *context, const char *sentence) {
    trib_log_say(context, TRIB_LOG_ERROR, "%s", sentence);
}

/* Fails with the reason of a single rejected document, or with their number. With several, the
 * reasons are logged first, equal ones together. */
static trib_status fail_rejected(const trib_environment *env, const trib_corpus *corpus,
                                 uint32_t n_all, trib_error *error) {
    char obtain[TRIB_OBTAIN_MAX];
    trib_repeated_errors alike = {0};
    trib_status status = TRIB_OK;
    trib_config_obtain(env->config, obtain);
    if (corpus->n_rejected == 1)
        return trib_fail(error, TRIB_INPUT, "%s%s", corpus->rejected[0].why, obtain);
    for (uint32_t r = 0; r < corpus->n_rejected && status == TRIB_OK; r++) {
        const trib_corpus_document *about = corpus->rejected[r].about;
        status =
            trib_repeated_errors_add(&alike, corpus->rejected[r].why,
                                     &(trib_repeated_errors_about){about->path, about->id}, error);
    }
    if (status == TRIB_OK) trib_repeated_errors_say(&alike, say_error, env->log);
    trib_repeated_errors_release(&alike);
    if (status != TRIB_OK) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%u of %u documents cannot be used; mend or remove them, or go on without "
                     "them by corpus.on_error: skip%s",
                     (unsigned)corpus->n_rejected, (unsigned)n_all, obtain);
}

/* Moves the rejected documents to the list of rejected documents, and renumbers the rest. */
static trib_status take_out(const trib_environment *env, trib_corpus *corpus,
                            trib_corpus_words *words, trib_error *error) {
    const uint32_t n = corpus->n_documents, n_targets = corpus->n_targets;
    char obtain[TRIB_OBTAIN_MAX];
    uint32_t *to = NULL;
    bool *is_gone = NULL;
    trib_status status = TRIB_NEW(&to, n, "documents", error);
    if (status == TRIB_OK) status = TRIB_NEW(&is_gone, n, "documents", error);
    if (status == TRIB_OK)
        status =
            TRIB_NEW(&corpus->rejected, trib_corpus_count_rejected(corpus), "documents", error);
    if (status != TRIB_OK) goto done;
    for (uint32_t d = 0; d < n; d++) is_gone[d] = corpus->document[d].rejected != NULL;
    move_documents(corpus, words, to);
    status = env->config->corpus.skips_refused ? report_skipped(corpus, env->warnings, error)
                                               : fail_rejected(env, corpus, n, error);
    if (status != TRIB_OK) goto done;
    if (corpus->arrival) renumber(corpus->arrival, n, is_gone, to);
    status = move_targets(corpus, is_gone, to, env->warnings, error);
    if (status == TRIB_OK &&
        (corpus->n_documents == 0 || (n_targets > 0 && corpus->n_targets == 0)))
        status = trib_fail(error, TRIB_INPUT, "no %s is left: corpus.on_error: skip left out %s%s",
                           n_targets > 0 ? "target" : "document",
                           (n_targets > 0 ? n_targets : n) > 1 ? "all of them" : "the only one",
                           trib_config_obtain(env->config, obtain));
done:
    TRIB_FREE(to, is_gone);
    return status;
}

trib_status trib_run_finish_rejected(trib_run *run, trib_error *error) {
    if (trib_corpus_count_rejected(&run->corpus) == 0) return TRIB_OK;
    trib_status status = take_out(&run->env, &run->corpus, &run->words, error);
    if (status != TRIB_INPUT || !run->directory.is_open || run->comm.rank > 0) return status;
    trib_error failure = {0};
    const trib_status written = trib_inputs_write(&run->directory, &run->words, &failure);
    return written == TRIB_OK ? status : trib_fail(error, written, "%s", failure.message);
}
