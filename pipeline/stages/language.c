/* language.c - one background for all targets, where it is the same for all or documents are many (docs/model.md section 8). Under `order: by-date` documents
 * are taken in by date and each target is given what stands when it is in, so a later document changes nothing for those
 * before it; otherwise it is fitted to all of them at once. */
#include "pipeline/stages/language.h"

#include <stdlib.h>

#include "pipeline/stages/findings.h"
#include "pipeline/store/cached.h"

enum { MANY = 40 }; /* documents, beyond which a background for every target costs too much */

/* Whether every target and its sources are the same documents, all of them: without dates, when no target is a target only. */
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

bool trib_language_is_shared(const trib_run *run) {
    return trib_config_shares_background(run->config, run->n_targets, run->n_documents);
}

/* ---- The order of arrival ------------------------------------------------------------------------------------------ */

typedef struct dated {
    double year, year_end;
    uint32_t number;
} dated;

/* What ends first comes first, ties by beginning, then by number. */
static int by_date(const void *a, const void *b) {
    const dated *x = a, *y = b;
    if (x->year_end != y->year_end) return x->year_end < y->year_end ? -1 : 1;
    if (x->year != y->year) return x->year < y->year ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool is_by_date(const trib_run *run) {
    return run->config->corpus.order == TRIB_ORDER_BY_DATE;
}

trib_status trib_language_order(trib_run *run, trib_error *error) {
    const uint32_t n = run->n_documents;
    dated *list = NULL;
    trib_status status = trib_new(&list, n, sizeof *list, "the order of documents", error);
    if (status == TRIB_OK)
        status = trib_new(&run->arrival, n, sizeof *run->arrival, "the order of documents", error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++)
        list[d] = (dated){run->document[d].about->year, run->document[d].about->year_end, d};
    if (status == TRIB_OK && is_by_date(run)) qsort(list, n, sizeof *list, by_date);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) run->arrival[i] = list[i].number;
    trib_free(list);
    return status;
}

/* How many documents the background of a target takes in. */
static uint32_t n_before(const trib_run *run, const trib_run_target *target) {
    uint32_t i = 0;
    if (!is_by_date(run)) return run->n_documents;
    while (run->arrival[i] != target->document) i++;
    return i + 1;
}

/* "background PRINT of N by date": the first n documents, and whether they are taken in one after the other. */
static trib_status print_first(const trib_run *run, uint32_t n, trib_buffer *key,
                               trib_error *error) {
    char print[TRIB_SHA256_TEXT];
    trib_sha256 *hash = NULL;
    const trib_status status = trib_sha256_open(&hash, error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < n; i++)
        trib_sha256_add(hash, run->document[run->arrival[i]].counts_print, TRIB_SHA256_TEXT);
    trib_sha256_close(hash, print);
    return trib_buffer_print(key, error, "background %s of %u %s\n", print, (unsigned)n,
                             is_by_date(run) ? "by date" : "at once");
}

trib_status trib_language_print(const trib_run *run, const trib_run_target *target,
                                trib_buffer *key, trib_error *error) {
    return trib_language_is_shared(run)
               ? print_first(run, n_before(run, target), key, error)
               : trib_buffer_print(key, error, "background of the target\n");
}

/* ---- The language as it is kept --------------------------------------------------------------------------------------- */

/* Beside the shares, since with one later document only its own are to do. */
static const char folder[] = "influence";

static trib_status key_of(const trib_run *run, uint32_t n, trib_buffer *key, trib_error *error) {
    trib_status status = trib_cache_begin_key(run->cache, folder, key, error);
    if (status == TRIB_OK)
        status = trib_buffer_print(key, error, "language of %d components\n",
                                   (int)run->config->influence.background);
    return status == TRIB_OK ? print_first(run, n, key, error) : status;
}

static void pack(const trib_common_language *language, trib_pack *out) {
    trib_pack_u32(out, language->n);
    trib_pack_u32(out, language->n_rows);
    trib_pack_u64(out, language->n_documents);
    trib_pack_u64(out, language->n_tokens);
    trib_pack_array(out, language->total, language->n, sizeof *language->total);
    for (uint32_t i = 0; i < language->n_rows; i++) {
        const trib_language_row *row = &language->row[i];
        trib_pack_u32(out, row->n);
        trib_pack_array(out, row->mass, (size_t)language->n_modes * row->n, sizeof *row->mass);
    }
}

/* Into the language of no document; the first n give its words their rows. */
static trib_status unpack(trib_common_language *language, const trib_run *run, uint32_t n,
                          trib_unpack *in, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++)
        if (run->view[run->arrival[i]].counts->total > 0)
            status = trib_common_language_number(language, &run->view[run->arrival[i]], error);
    language->n = trib_unpack_u32(in);
    trib_unpack_expect(in, trib_unpack_u32(in) == language->n_rows);
    language->n_documents = (size_t)trib_unpack_u64(in);
    language->n_tokens = trib_unpack_u64(in);
    if (status == TRIB_OK)
        status = trib_unpack_array(in, &language->total, language->n, sizeof *language->total,
                                   "the background", error);
    for (uint32_t i = 0; i < language->n_rows && status == TRIB_OK && !in->is_wrong; i++) {
        trib_language_row *row = &language->row[i];
        const uint32_t n_here = trib_unpack_u32(in);
        trib_unpack_expect(in, n_here <= language->n);
        if (in->is_wrong) break;
        status = trib_unpack_array(in, &row->mass, (size_t)language->n_modes * n_here,
                                   sizeof *row->mass, "the background", error);
        row->n = n_here;
    }
    return status;
}

/* Goes on from the language of as many of the first `most` documents as the cache has. */
static trib_status take(trib_run *run, uint32_t most, trib_error *error) {
    trib_status status = TRIB_OK;
    bool taken = false;
    for (uint32_t n = most; run->cache && n > 0 && status == TRIB_OK && !taken; n--) {
        trib_buffer key = {0};
        trib_cache_entry entry = {0};
        status = key_of(run, n, &key, error);
        if (status == TRIB_OK && trib_cache_has(run->cache, folder, &key))
            status = trib_cache_find(run->cache, folder, &key, &entry, &taken, error);
        if (status == TRIB_OK && taken) {
            status = unpack(&run->language, run, n, &entry.result, error);
            taken = trib_unpack_is_whole(&entry.result);
            if (status == TRIB_OK && !taken) {
                trib_cache_report(run->cache, folder, &key, "makes no sense");
                trib_common_language_release(&run->language);
                status = trib_common_language_init(&run->language, run->config->tensor.n,
                                                   run->vocab.n_words, error);
            }
        }
        if (taken) run->n_arrived = n;
        trib_cache_entry_release(&entry);
        trib_buffer_release(&key);
    }
    return status;
}

static trib_status keep(trib_run *run, trib_error *error) {
    trib_buffer key = {0}, about = {0};
    trib_pack result = {0};
    trib_status status = key_of(run, run->n_arrived, &key, error);
    if (status == TRIB_OK) status = trib_buffer_print(&about, error, "part the common language\n");
    if (status == TRIB_OK && !trib_cache_has(run->cache, folder, &key)) {
        pack(&run->language, &result);
        status = trib_cache_put(run->cache, folder, &key, &about, &result, error);
    }
    trib_pack_release(&result);
    trib_buffer_release(&about);
    trib_buffer_release(&key);
    return status;
}

/* ---- Taking documents in --------------------------------------------------------------------------------------------- */

/* Takes in what comes before number `end` of the order. */
static trib_status take_in(trib_common_language *language, const trib_run *run, uint32_t *n_arrived,
                           uint32_t end, const trib_progress *progress, trib_error *error) {
    trib_status status = TRIB_OK;
    for (; *n_arrived < end && status == TRIB_OK; ++*n_arrived)
        status = trib_common_language_add(language, &run->view[run->arrival[*n_arrived]],
                                          run->config->influence.background, progress, error);
    return status;
}

/* The language of no document yet, or, unless by date, of all. */
static trib_status begin(trib_common_language *language, const trib_run *run, int n_threads,
                         const trib_progress *progress, trib_error *error) {
    if (is_by_date(run))
        return trib_common_language_init(language, run->config->tensor.n, run->vocab.n_words,
                                         error);
    return trib_common_language_fit(language, run->view, run->n_documents, run->vocab.n_words,
                                    run->config->influence.background, n_threads, progress, error);
}

trib_status trib_language_of(const trib_run *run, trib_run_target *target, int n_threads,
                             trib_progress progress, trib_error *error) {
    trib_common_language language = {0};
    uint32_t n_arrived = 0;
    if (target->background.n > 0 || !trib_language_is_shared(run)) return TRIB_OK;
    trib_status status = begin(&language, run, n_threads, &progress, error);
    if (status == TRIB_OK && is_by_date(run))
        status = take_in(&language, run, &n_arrived, n_before(run, target), &progress, error);
    if (status == TRIB_OK)
        status = trib_common_language_rows(&target->background, &language,
                                           &run->view[target->document], error);
    trib_common_language_release(&language);
    return status;
}

/* ---- Targets one after the other -------------------------------------------------------------------------------------- */

/* Whether a target is going to be measured: *wanted is false when the cache has what needs its background. */
static trib_status is_wanted(const trib_run *run, const trib_cached_row *row, uint32_t t,
                             bool *wanted, trib_error *error) {
    const uint32_t n = run->config->influence.n_methods;
    const bool is_evidence = row == &trib_cached_evidence;
    const trib_influence_method *of_evidence = trib_method_of_evidence(run->config);
    trib_status status = TRIB_OK;
    *wanted = false;
    for (uint32_t i = 0; i < n && status == TRIB_OK && !*wanted; i++) {
        const trib_influence_method *method = run->config->influence.method[i];
        trib_buffer key = {0};
        if (!method->needs_background) continue;
        if (is_evidence && (method != of_evidence || !run->target[t].influence[i].is_brief))
            continue;
        if (run->cache)
            status = trib_cached_key(run, row, is_evidence ? t : t * n + i, &key, error);
        *wanted =
            status == TRIB_OK && !(run->cache && trib_cache_has(run->cache, row->stage, &key));
        trib_buffer_release(&key);
    }
    return status;
}

/* Gives a target its background, where it is wanted: `wanted` of the run says so. */
static trib_status prepare(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                           trib_error *error) {
    trib_run_target *target = &run->target[t];
    trib_status status = TRIB_OK;
    (void)n_threads;
    if (!target->wants_background) return TRIB_OK;
    if (is_by_date(run))
        status =
            take_in(&run->language, run, &run->n_arrived, n_before(run, target), &progress, error);
    return status == TRIB_OK ? trib_common_language_rows(&target->background, &run->language,
                                                         &run->view[target->document], error)
                             : status;
}

/* The targets in the order of arrival. */
static void find_order(const trib_run *run, uint32_t *order) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < run->n_documents; i++)
        for (uint32_t t = 0; t < run->n_targets; t++)
            if (run->target[t].document == run->arrival[i]) order[k++] = t;
}

trib_status trib_language_parts(trib_run *run, const trib_cached_row *row,
                                const trib_part_row *parts, trib_error *error) {
    trib_part_row prepared = *parts;
    const trib_progress progress = trib_log_progress(run->log);
    const bool shared = trib_language_is_shared(run);
    uint32_t *order = NULL, first = 0; /* documents that the first background takes in */
    bool any = false;
    trib_status status =
        trib_new(&order, run->n_targets, sizeof *order, "the order of targets", error);
    if (status == TRIB_OK) find_order(run, order);
    for (uint32_t i = 0; i < run->n_targets && status == TRIB_OK; i++) {
        trib_run_target *target = &run->target[order[i]];
        bool wanted = false;
        if (shared) status = is_wanted(run, row, order[i], &wanted, error);
        target->wants_background = wanted;
        if (wanted && !any) first = n_before(run, target);
        any |= wanted;
    }
    if (status == TRIB_OK && any)
        status = begin(&run->language, run, run->n_threads, &progress, error);
    if (status == TRIB_OK && any && is_by_date(run)) status = take(run, first, error);
    const uint32_t n_taken = run->n_arrived;
    prepared.prepare = any ? prepare : NULL;
    prepared.order = order;
    status = trib_comm_agree(&run->team, status, error);
    if (status == TRIB_OK) status = trib_run_parts(run, run->n_targets, &prepared, error);
    if (status == TRIB_OK && run->cache && run->n_arrived > n_taken) status = keep(run, error);
    trib_common_language_release(&run->language);
    run->n_arrived = 0;
    trib_free(order);
    return status;
}
