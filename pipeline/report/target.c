/* target.c - reads the result into the structs that the sections share. Of stored targets little
 * stays in memory: their shares above the noise floor, and what the pages about all targets say of
 * their passages. */
#include "pipeline/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Orders sources above the floor first, then larger shares, then ids. */
static int compare_shares(const void *a, const void *b) {
    const trib_report_share *x = a, *y = b;
    const int x_flows = !x->below && !x->decoy, y_flows = !y->below && !y->decoy;
    if (x_flows != y_flows) return y_flows - x_flows;
    if (x->share != y->share) return x->share < y->share ? 1 : -1;
    return strcmp(x->id, y->id);
}

/* Returns the same id in memory of the report's result; `id` itself when no document has it. */
static const char *own_id(const trib_report *report, const char *id) {
    const json_t *document = trib_report_document(report, id);
    return document ? trib_json_get_text(document, "id") : id;
}

static void read_share(const trib_report *report, trib_report_share *share, const json_t *row) {
    share->id = own_id(report, trib_json_get_text(row, "source"));
    share->members = json_object_get(row, "members");
    share->n_members = share->members ? json_array_size(share->members) : 1;
    share->title =
        share->members ? trib_json_get_text(row, "title") : trib_report_title(report, share->id);
    share->share = trib_json_get_number(row, "share");
    share->low = trib_json_get_number(row, "low");
    share->high = trib_json_get_number(row, "high");
    share->decoy = trib_json_get_flag(row, "decoy");
    share->below = trib_json_get_flag(row, "below_floor") || isnan(share->share);
    if (isnan(share->share)) share->share = 0;
}

/* Keeps what the shares above the floor point to after the target is released. */
static void keep_rows(trib_report *report, const trib_report_target *target, const json_t *rows) {
    for (size_t s = 0; s < target->n_flowing; s++) {
        const trib_report_share *share = &target->share[s];
        if (share->members || !trib_report_document(report, share->id))
            json_array_append(report->rows, json_array_get(rows, share->place));
    }
}

/* Reads the shares to the end of report->shares; is_whole: also those below the floor. The rows of
 * groups are new objects, which live in report->rows. */
static trib_status read_shares(trib_report *report, trib_report_target *target,
                               const json_t *headline, bool is_whole, trib_error *error) {
    json_t *rows = trib_result_rows(&report->documents, headline);
    const size_t n = json_array_size(rows);
    trib_status status = trib_parts_make(&target->parts, headline, rows, error);
    if (status == TRIB_OK && n > 0)
        status = TRIB_GROW(&report->shares, &report->shares_cap, report->n_shares + n,
                           "the report's shares", error);
    target->share = report->shares ? report->shares + report->n_shares : NULL;
    for (size_t s = 0; s < n && status == TRIB_OK; s++) {
        trib_report_share *share = &target->share[s];
        *share = (trib_report_share){.place = s, .printed = target->parts.row[s]};
        read_share(report, share, json_array_get(rows, s));
        target->n_flowing += !share->below && !share->decoy;
        target->n_flowing_sources += !share->below && !share->decoy ? share->n_members : 0;
    }
    trib_free(target->parts.row);
    target->parts.row = NULL;
    if (status == TRIB_OK && n > 1) qsort(target->share, n, sizeof *target->share, compare_shares);
    for (size_t s = target->n_flowing; s < n && status == TRIB_OK; s++)
        target->below += target->share[s].share;
    target->n_shares = status != TRIB_OK ? 0 : is_whole ? n : target->n_flowing;
    report->n_shares += target->n_shares;
    if (is_whole) json_array_append(report->rows, rows);
    else if (status == TRIB_OK) keep_rows(report, target, rows);
    json_decref(rows);
    return status;
}

/* Reads which passage is the longest, and whose evidence is shown. */
static trib_status read_evidence(trib_report *report, trib_report_target *target,
                                 const json_t *json, trib_error *error) {
    const json_t *evidence = json_object_get(json, "evidence");
    const trib_chosen_passages chosen = trib_passages_choose(report->result, json, NULL);
    target->has_evidence = json_array_size(evidence) > 0;
    target->has_notable = chosen.n_notable > 0;
    target->longest =
        chosen.longest.passage ? trib_json_get_number(chosen.longest.passage, "shared") : 0;
    target->longest_source = chosen.longest.passage ? own_id(report, chosen.longest.source) : "";
    trib_status status = TRIB_OK;
    const size_t before = report->n_shown;
    for (size_t e = 0; e < json_array_size(evidence) && status == TRIB_OK; e++) {
        const json_t *source = json_array_get(evidence, e);
        const char *id = trib_json_get_text(source, "source");
        if (trib_report_is_selective(report, target) &&
            !trib_report_is_telling(report, target, json, source))
            continue;
        status = TRIB_GROW(&report->shown, &report->shown_cap, report->n_shown + 1,
                           "the report's sources", error);
        if (status == TRIB_OK) report->shown[report->n_shown++] = own_id(report, id);
    }
    target->n_shown = report->n_shown - before;
    return status;
}

/* A target of which no more is known than which it is. */
static trib_report_target name_target(const trib_report *report, size_t t) {
    const json_t *json = json_array_get(json_object_get(report->result, "targets"), t);
    const char *id = trib_json_get_text(json, "target");
    const json_t *document = trib_report_document(report, id);
    return (trib_report_target){.json = json,
                                .id = id,
                                .title = trib_report_title(report, id),
                                .document = document,
                                .n_grams = trib_json_get_number(document, "ngrams"),
                                .longest_source = ""};
}

/* Reads a target that has its name; is_whole: `json` has its details, and lives as long as the
 * report. */
static trib_status read_target(trib_report *report, trib_report_target *target, const json_t *json,
                               bool is_whole, trib_error *error) {
    const json_t *headline =
        json_object_get(json_object_get(json, "methods"), report->headline_name);
    if (is_whole) {
        target->json = json;
        target->headline = headline;
    }
    target->floor = trib_json_get_number(json, "floor");
    target->formula = trib_json_get_number(headline, "formula");
    const json_t *n_sources = json_object_get(json, "n_sources");
    target->n_sources = n_sources ? (size_t)json_integer_value(n_sources)
                                  : json_array_size(json_object_get(headline, "shares"));
    const trib_status status = read_shares(report, target, headline, is_whole, error);
    return status == TRIB_OK ? read_evidence(report, target, json, error) : status;
}

static trib_status read_targets(trib_report *report, trib_error *error) {
    const size_t n = json_array_size(json_object_get(report->result, "targets"));
    trib_status status = TRIB_NEW(&report->targets, n, "the report's targets", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&report->target_of, report->documents.n, "the report's targets", error);
    for (size_t t = 0; t < n && status == TRIB_OK; t++) {
        trib_report_target *target = &report->targets[t];
        json_t *json = NULL;
        *target = name_target(report, t);
        if (!report->only || !report->stored || strcmp(target->id, report->only) == 0)
            status = trib_stored_lean(report->stored, report->result, t, &json, error);
        if (json) status = read_target(report, target, json, !report->stored, error);
        const size_t place = trib_report_place(report, target->id);
        if (place < report->documents.n && report->target_of[place] == 0)
            report->target_of[place] = (uint32_t)t + 1;
        json_decref(json);
    }
    /* the lists have their places now */
    size_t n_shares = 0, n_shown = 0;
    for (size_t t = 0; t < n && status == TRIB_OK; t++) {
        trib_report_target *target = &report->targets[t];
        target->share = target->n_shares > 0 ? report->shares + n_shares : NULL;
        target->shown = target->n_shown > 0 ? report->shown + n_shown : NULL;
        n_shares += target->n_shares;
        n_shown += target->n_shown;
    }
    return status;
}

trib_status trib_report_read(trib_report *report, const json_t *result, trib_error *error) {
    report->result = result;
    report->headline_name = trib_json_get_text(result, "headline");
    report->headline = trib_report_method_find(report->headline_name);
    report->sums_to_one = trib_json_get_flag(
        trib_json_find(json_object_get(result, "methods"), "name", report->headline_name),
        "sums_to_one");
    report->threshold = trib_json_get_number(result, "threshold");
    report->matches_within = json_object_get(result, "matches_within")
                                 ? trib_json_get_number(result, "matches_within")
                                 : report->threshold;
    const double n = trib_report_setting(report, "tensor", "n");
    if (n >= 1 && n <= 64) snprintf(report->ngrams, sizeof report->ngrams, "%d-grams", (int)n);
    else snprintf(report->ngrams, sizeof report->ngrams, "n-grams");
    const size_t n_targets = json_array_size(json_object_get(result, "targets"));
    trib_status status =
        trib_json_index_open(&report->documents, json_object_get(result, "documents"), error);
    if (status != TRIB_OK) return status;
    report->is_many = n_targets > TRIB_REPORT_TARGETS;
    report->is_on_demand = report->is_many && trib_pages_are_on_demand(result);
    trib_json_begin();
    report->rows = json_array();
    status = read_targets(report, error);
    report->target = report->targets;
    report->n_targets = report->n_all_targets = status == TRIB_OK ? n_targets : 0;
    return status == TRIB_OK ? trib_json_check("the report's shares", error) : status;
}

trib_status trib_report_read_details(trib_report *report, size_t t, json_t **details,
                                     trib_error *error) {
    const size_t n = report->n_all_targets;
    const trib_report_target *targets = report->targets;
    report->rows = json_array();
    report->shares = NULL;
    report->shown = NULL;
    report->n_shares = report->shares_cap = report->n_shown = report->shown_cap = 0;
    report->targets = NULL;
    trib_status status = trib_stored_target(report->stored, report->result, t, details, error);
    if (status == TRIB_OK) status = TRIB_NEW(&report->targets, n, "a page", error);
    if (status != TRIB_OK) return status;
    memcpy(report->targets, targets, n * sizeof *targets);
    report->targets[t] = name_target(report, t);
    status = read_target(report, &report->targets[t], *details, true, error);
    report->targets[t].share = report->shares;
    report->targets[t].shown = report->shown;
    return status;
}

void trib_report_drop_details(trib_report *report, json_t *details) {
    TRIB_FREE(report->targets, report->shares, report->shown);
    json_decref(report->rows);
    json_decref(details);
}
