/* target.c - reads the result into the structs that the sections share. Of targets with pages of
 * their own little stays in memory: their shares above the noise floor, and what the pages about
 * all targets say of their passages. */

#include "pipeline/report/report.h"

/* Orders sources above the floor first, then larger shares, then ids. */
static int compare_rows(const void *a, const void *b) {
    const trib_shown_row *x = a, *y = b;
    const int x_flows = trib_row_is_above(x), y_flows = trib_row_is_above(y);
    if (x_flows != y_flows) return y_flows - x_flows;
    if (x->share != y->share) return x->share < y->share ? 1 : -1;
    return strcmp(x->source, y->source);
}

/* Returns the same id in memory of the result; a copy when no document has it. */
static const char *own_id(const trib_report *report, const char *id, trib_arena *arena) {
    if (!id) return ""; /* evidence of no source */
    const size_t place = trib_report_place(report, id);
    return place < report->result->documents.n ? report->result->documents.item[place].id
                                               : trib_arena_copy(arena, id, strlen(id));
}

/* Copies the rows above the floor to an arena that outlives the record of the target. */
static void keep_rows(const trib_report *report, trib_report_target *target, trib_arena *arena) {
    trib_shown_row *const row = trib_arena_new(arena, target->n_flowing, sizeof *row);
    target->shares.n = row ? target->n_flowing : 0;
    for (size_t s = 0; s < target->shares.n; s++) {
        const trib_shown_row *const from = &target->shares.row[s];
        const bool is_group = from->n_members > 0;
        row[s] = *from;
        row[s].source = own_id(report, from->source, arena);
        row[s].title = is_group ? trib_arena_copy(arena, from->title, strlen(from->title))
                                : trib_report_title(report, row[s].source);
        row[s].member = NULL; /* how many they are is all that is said of them there */
    }
    target->shares.row = row;
}

static void read_shares(const trib_report *report, trib_report_target *target,
                        const trib_target_record *record, const trib_influence_record *headline,
                        trib_arena *arena) {
    target->shares = trib_shown_shares_make(report->result, headline, true, arena);
    trib_shown_row *const row = target->shares.row;
    const size_t n = target->shares.n;
    for (size_t s = 0; s < n; s++) {
        const bool is_above = trib_row_is_above(&row[s]);
        const size_t n_sources = row[s].n_members > 0 ? row[s].n_members : 1;
        target->n_flowing += is_above;
        target->n_flowing_sources += is_above ? n_sources : 0;
        row[s].below_floor = row[s].below_floor || isnan(row[s].share);
        if (isnan(row[s].share)) row[s].share = 0;
        row[s].verbatim = trib_row_verbatim(record, &row[s]);
    }
    if (n > 1) qsort(row, n, sizeof *row, compare_rows);
    for (size_t s = target->n_flowing; s < n; s++) target->below += row[s].share;
}

/* Reads which passage is the longest, and whose evidence is shown. */
static void read_evidence(const trib_report *report, trib_report_target *target,
                          const trib_target_record *record, trib_arena *arena) {
    const trib_shown_passages chosen = trib_shown_passages_choose(report->result, record, NULL);
    target->has_evidence = record->evidence.n > 0;
    target->has_notable = chosen.n_notable > 0;
    if (chosen.longest.passage) {
        target->longest = trib_passage_words(chosen.longest.passage);
        target->longest_source = own_id(report, chosen.longest.source, arena);
    }
    for (size_t e = 0; e < record->evidence.n; e++) {
        const trib_passage_records *const passages = &record->evidence.item[e].passages;
        for (size_t p = 0; !chosen.longest.passage && p < passages->n; p++)
            if (trib_passage_words(&passages->item[p]) > target->longest) {
                target->longest = trib_passage_words(&passages->item[p]);
                target->longest_source = own_id(report, record->evidence.item[e].source, arena);
            }
        const char *id = trib_report_text(record->evidence.item[e].source);
        if (trib_report_is_selective(report, target) &&
            !trib_report_is_telling(report, target, record, id))
            continue;
        const char **const shown = trib_arena_append(arena, &target->shown, sizeof *shown);
        if (shown) *shown = own_id(report, id, arena);
    }
}

/* A target of which no more is known than which it is. */
static trib_report_target name_target(const trib_report *report, size_t t) {
    const char *id = report->result->targets.item[t].id;
    return (trib_report_target){.id = id,
                                .title = trib_report_title(report, id),
                                .document = trib_report_document(report, id),
                                .floor = (double)NAN,
                                .author = (double)NAN,
                                .formula = (double)NAN,
                                .longest_source = ""};
}

/* Reads a target that has its name. `record` lies in `arena` where it is kept, else in another. */
static void read_target(const trib_report *report, trib_report_target *target,
                        const trib_target_record *record, trib_arena *rows, trib_arena *arena) {
    static const trib_influence_record none = {.author = (double)NAN,
                                               .formula = (double)NAN,
                                               .own = (double)NAN,
                                               .common = (double)NAN,
                                               .explained = (double)NAN,
                                               .matched = (double)NAN,
                                               .weighed = TRIB_ABSENT};
    const trib_influence_record *headline = trib_target_headline(report->result, record);
    const bool is_kept = rows == arena;
    if (!headline) headline = &none;
    target->record = is_kept ? record : NULL;
    target->headline = is_kept ? headline : NULL;
    target->floor = record->floor;
    target->author = headline->author;
    target->formula = headline->formula;
    target->n_allusions = record->parallels.n;
    target->n_sources = record->n_sources > 0 ? record->n_sources : headline->shares.n;
    read_shares(report, target, record, headline, rows);
    read_evidence(report, target, record, arena);
    if (!is_kept) keep_rows(report, target, arena);
}

trib_status trib_report_read_target(const trib_report *report, size_t t, trib_report_target *target,
                                    trib_error *error) {
    const trib_target_record *record = trib_target_read(report->result, t, report->arena);
    *target = name_target(report, t);
    read_target(report, target, record, report->arena, report->arena);
    return trib_arena_check(report->arena, error);
}

/* Reads a target, and what is said of its passages on the first page. */
static trib_status add_target(trib_report *report, size_t t, trib_report_way way,
                              trib_error *error) {
    trib_arena of_target = {0};
    trib_arena *const arena = report->has_details ? &report->own : &of_target;
    trib_report_target *const target = &report->targets[t];
    const trib_target_record *const record = way == TRIB_REPORT_SENTENCES
                                                 ? trib_target_read_lean(report->result, t, arena)
                                                 : trib_target_read(report->result, t, arena);
    read_target(report, target, record, arena, &report->own);
    if (record->distances && report->n_all_targets <= TRIB_ALL_WRITTEN)
        report->has_distances = true;
    trib_status status = trib_arena_check(&report->own, error);
    if (status == TRIB_OK) status = trib_arena_check(arena, error);
    if (status == TRIB_OK && way == TRIB_REPORT_PAGES)
        status = trib_report_finds_add(report, t, record, error);
    trib_arena_release(&of_target);
    return status;
}

static trib_status read_targets(trib_report *report, trib_report_way way, trib_error *error) {
    const size_t n = report->result->targets.n;
    report->targets = trib_arena_new(&report->own, n, sizeof *report->targets);
    report->target_of =
        trib_arena_new(&report->own, report->result->documents.n, sizeof *report->target_of);
    trib_status status = trib_arena_check(&report->own, error);
    if (status != TRIB_OK) return status;
    report->target = report->targets;
    report->n_targets = report->n_all_targets = n;
    for (size_t t = 0; t < n; t++) {
        report->targets[t] = name_target(report, t);
        const size_t place = trib_report_place(report, report->targets[t].id);
        if (place < report->result->documents.n && report->target_of[place] == 0)
            report->target_of[place] = (uint32_t)t + 1;
    }
    for (size_t t = 0; t < n && status == TRIB_OK && (!report->only || report->has_details); t++)
        status = add_target(report, t, way, error);
    return status == TRIB_OK && way == TRIB_REPORT_PAGES ? trib_report_finds_finish(report, error)
                                                         : status;
}

trib_status trib_report_read(trib_report *report, const trib_result *result, trib_report_way way,
                             trib_error *error) {
    report->result = result;
    report->headline = trib_report_method_find(result->headline);
    for (size_t m = 0; m < result->methods.n; m++)
        if (strcmp(result->methods.item[m].name, result->headline) == 0)
            report->sums_to_one = result->methods.item[m].sums_to_one;
    const double n = trib_report_setting(report, "tensor.n");
    if (n >= 1 && n <= 64) snprintf(report->ngrams, sizeof report->ngrams, "%d-grams", (int)n);
    else snprintf(report->ngrams, sizeof report->ngrams, "n-grams");
    report->is_many = result->targets.n > 1;
    report->is_on_demand = trib_pages_are_on_demand(result);
    report->has_details =
        way == TRIB_REPORT_DETAILS || (way == TRIB_REPORT_PAGES && !report->is_many);
    return read_targets(report, way, error);
}
