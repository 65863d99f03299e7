/* rejected.c - documents that cannot be used: all are found before the run ends or goes on without them, and every one stands
 * in inputs.tsv with the reason. */
#include "pipeline/run/rejected.h"

#include <string.h>

#include "pipeline/config/documents.h"
#include "pipeline/output/directory.h"
#include "pipeline/output/inputs.h"
#include "pipeline/support/repeated_errors.h"

trib_status trib_run_reject(trib_run_document *document, const trib_error *why, trib_error *error) {
    if (document->refused) return TRIB_OK;
    return trib_copy_text(&document->refused, why->message, strlen(why->message), error);
}

uint32_t trib_run_count_rejected(const trib_run *run) {
    uint32_t n = 0;
    for (uint32_t d = 0; d < run->n_documents; d++) n += run->document[d].refused != NULL;
    return n;
}

/* The others move up; to[d] is the new number of document d where it stays. */
static void move_documents(trib_run *run, uint32_t *to) {
    uint32_t kept = 0;
    for (uint32_t d = 0; d < run->n_documents; d++) {
        const trib_run_document *document = &run->document[d];
        to[d] = kept;
        if (document->refused) {
            trib_run_rejected *refused = &run->refused[run->n_refused++];
            *refused =
                (trib_run_rejected){document->about, document->n_bytes, "", document->refused};
            memcpy(refused->kind, document->kind, sizeof refused->kind);
        } else if (kept++ < d) {
            run->document[to[d]] = *document;
        }
    }
    for (uint32_t d = kept; d < run->n_documents; d++) run->document[d] = (trib_run_document){0};
    run->n_documents = kept;
}

/* Numbers list[n] anew, without those that went: ascending numbers stay so. */
static uint32_t renumber(uint32_t *list, uint32_t n, const bool *is_gone, const uint32_t *to) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!is_gone[list[i]]) list[kept++] = to[list[i]];
    return kept;
}

static trib_status move_targets(trib_run *run, const bool *is_gone, const uint32_t *to,
                                trib_error *error) {
    uint32_t kept = 0;
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < run->n_targets; t++) {
        trib_run_target *target = &run->target[t];
        if (is_gone[target->document]) {
            trib_free(target->source);
            continue;
        }
        const uint32_t before = target->n_sources;
        target->document = to[target->document];
        target->n_sources = renumber(target->source, before, is_gone, to);
        if (before > 0 && target->n_sources == 0 && status == TRIB_OK)
            status = trib_run_warn(run, error,
                                   "'%s' has no source left: all of it counts as the author's",
                                   run->document[target->document].about->id);
        run->target[kept++] = *target;
    }
    for (uint32_t t = kept; t < run->n_targets; t++) run->target[t] = (trib_run_target){0};
    run->n_targets = kept;
    return status;
}

/* Without them the run goes on; each is named, of many the first. */
static trib_status tell_skipped(trib_run *run, trib_error *error) {
    enum { NAMED = 20 };
    trib_status status = TRIB_OK;
    for (uint32_t r = 0; r < run->n_refused && r < NAMED && status == TRIB_OK; r++)
        status = trib_run_warn(run, error, "'%s' is left out: %s", run->refused[r].about->id,
                               run->refused[r].why);
    if (status == TRIB_OK && run->n_refused > NAMED)
        status =
            trib_run_warn(run, error, "%u more documents are left out; inputs.tsv has them all",
                          (unsigned)run->n_refused - NAMED);
    return status;
}

static void say_error(void *context, const char *sentence) {
    trib_log_say(context, TRIB_LOG_ERROR, "%s", sentence);
}

/* The only one, or how many; then all are said before, those that are alike together. */
static trib_status fail_refused(const trib_run *run, uint32_t n_all, trib_error *error) {
    char obtain[TRIB_OBTAIN_MAX];
    trib_repeated_errors alike = {0};
    trib_status status = TRIB_OK;
    trib_config_obtain(run->config, obtain);
    if (run->n_refused == 1)
        return trib_fail(error, TRIB_INPUT, "%s%s", run->refused[0].why, obtain);
    for (uint32_t r = 0; r < run->n_refused && status == TRIB_OK; r++) {
        const trib_corpus_document *about = run->refused[r].about;
        status =
            trib_repeated_errors_add(&alike, run->refused[r].why,
                                     &(trib_repeated_errors_about){about->path, about->id}, error);
    }
    if (status == TRIB_OK) trib_repeated_errors_say(&alike, say_error, run->log);
    trib_repeated_errors_release(&alike);
    if (status != TRIB_OK) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%u of %u documents cannot be used; mend or remove them, or go on without "
                     "them by corpus.on_error: skip%s",
                     (unsigned)run->n_refused, (unsigned)n_all, obtain);
}

/* Takes the refused out of the run, into its list of them. */
static trib_status take_out(trib_run *run, trib_error *error) {
    const uint32_t n = run->n_documents, n_targets = run->n_targets;
    const bool skips = run->config->corpus.skips_refused;
    uint32_t *to = NULL;
    bool *is_gone = NULL;
    trib_status status = trib_new(&to, n, sizeof *to, "documents", error);
    if (status == TRIB_OK) status = trib_new(&is_gone, n, sizeof *is_gone, "documents", error);
    if (status == TRIB_OK)
        status = trib_new(&run->refused, trib_run_count_rejected(run), sizeof *run->refused,
                          "documents", error);
    if (status != TRIB_OK) goto done;
    for (uint32_t d = 0; d < n; d++) is_gone[d] = run->document[d].refused != NULL;
    move_documents(run, to);
    status = skips ? tell_skipped(run, error) : fail_refused(run, n, error);
    if (status != TRIB_OK) goto done;
    if (run->arrival) renumber(run->arrival, n, is_gone, to);
    status = move_targets(run, is_gone, to, error);
    if (status == TRIB_OK && (run->n_documents == 0 || (n_targets > 0 && run->n_targets == 0)))
        status = trib_fail(error, TRIB_INPUT, "no %s is left: corpus.on_error: skip left out %s",
                           n_targets > 0 ? "target" : "document",
                           (n_targets > 0 ? n_targets : n) > 1 ? "all of them" : "the only one");
done:
    trib_free(to);
    trib_free(is_gone);
    return status;
}

trib_status trib_run_finish_rejected(trib_run *run, trib_error *error) {
    if (trib_run_count_rejected(run) == 0) return TRIB_OK;
    trib_status status = take_out(run, error);
    if (status != TRIB_INPUT || !run->is_open || run->team.rank > 0) return status;
    trib_error failure = {0};
    const trib_status written =
        trib_directory_write(run, "inputs.tsv", trib_inputs_write, NULL, &failure);
    return written == TRIB_OK ? status : trib_fail(error, written, "%s", failure.message);
}

void trib_run_release_rejected(trib_run *run) {
    for (uint32_t r = 0; r < run->n_refused; r++) trib_free(run->refused[r].why);
    trib_free(run->refused);
    run->refused = NULL;
    run->n_refused = 0;
}
