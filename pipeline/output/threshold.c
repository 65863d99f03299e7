/* threshold.c - changes a finished result to another threshold of `lowe`: the shares are read from
 * the stored curve; the values derived from them (floor, matches, network) are updated or
 * removed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/output/result.h"
#include "pipeline/stages/influence.h"

/* The change. */
typedef struct move {
    const trib_result *result;
    double threshold, floor; /* floor: as configured; NaN is auto */
    bool is_headline;        /* lowe is the headline method */
    size_t n_curves;         /* targets with curves, of those that were changed */
} move;

/* Finds the index of the threshold in the stored curve. Other thresholds are rejected, because the
 * curve is exact only at its points. */
static trib_status stored_point(const trib_reals *stored, double threshold, size_t *point,
                                trib_error *error) {
    const double *const at = stored->item;
    size_t nearest = 0;
    for (size_t i = 0; i < stored->n; i++)
        if (fabs(at[i] - threshold) < fabs(at[nearest] - threshold)) nearest = i;
    if (stored->n == 0 || fabs(at[nearest] - threshold) > 1e-9)
        return trib_fail(
            error, TRIB_USAGE,
            "--threshold %g: not stored; the nearest that is: %g. For any other, run with "
            "--set influence.threshold=%g",
            threshold, stored->n > 0 ? at[nearest] : 0.0, threshold);
    *point = nearest;
    return TRIB_OK;
}

/* Marks the changed shares that are below the floor. If lowe is the headline method, the floor of
 * the target is updated too. */
static void move_floor(const move *to, trib_target_record *target, trib_share_records *shares) {
    trib_floor floor = trib_floor_begin(to->floor, trib_influence_method_find("lowe"));
    for (size_t s = 0; s < shares->n; s++)
        if (shares->item[s].decoy)
            trib_floor_raise(&floor, shares->item[s].source, shares->item[s].share);
    for (size_t s = 0; s < shares->n; s++)
        shares->item[s].below_floor = trib_floor_covers(&floor, shares->item[s].share);
    if (!to->is_headline) return;
    target->floor = floor.share;
    target->floor_from = floor.decoy ? floor.decoy : "rule";
}

/* Removes the listed matches of factors above the threshold. */
static void keep_matches(trib_target_record *target, double threshold) {
    trib_match_records *const matches = &target->matches;
    size_t n = 0;
    for (size_t i = 0; i < matches->n; i++)
        if (!(matches->item[i].distance > threshold)) matches->item[n++] = matches->item[i];
    if (n < matches->n) target->n_matches = n; /* how many were not listed is unknown */
    matches->n = n;
}

/* Makes the shares by lowe at a point of the curves. A source has a row if it had one before or if
 * its share is now above 0. */
static void move_shares(const trib_result *result, trib_share_records *shares,
                        const trib_curve_records *curves, size_t point, trib_arena *arena) {
    const trib_document_records *const documents = &result->documents;
    const trib_share_records before = *shares;
    const trib_document_record *found;
    const trib_share_record **row = trib_arena_new(arena, documents->n, sizeof *row);
    double *const value = trib_arena_new(arena, documents->n, sizeof *value);
    if (!row || !value) return;
    for (size_t s = 0; s < before.n; s++)
        if ((found = trib_result_document_of(result, before.item[s].source)))
            row[found - documents->item] = &before.item[s];
    for (size_t c = 0; c < curves->n; c++) {
        const trib_step_records *const steps = &curves->item[c].steps;
        if (!(found = trib_result_document_of(result, curves->item[c].source))) continue;
        for (size_t i = 0; i < steps->n && steps->item[i].place <= point; i++)
            value[found - documents->item] = steps->item[i].share;
    }
    trib_arena_list(arena, shares);
    for (size_t d = 0; d < documents->n; d++) {
        if (!row[d] && !(value[d] > 0)) continue;
        trib_share_record *const share = trib_arena_append(arena, shares, sizeof *share);
        if (!share) return;
        *share = row[d] ? *row[d]
                        : (trib_share_record){.source = documents->item[d].id,
                                              .low = (double)NAN,
                                              .high = (double)NAN};
        share->share = value[d];
        share->decoy = share->decoy || strcmp(documents->item[d].role, "decoy") == 0;
    }
}

/* Writes the sum of the shares whose curves are not stored as "left_out". */
static void note_left_out(trib_influence_record *lowe, uint64_t n_sources, trib_arena *arena) {
    double rest = 1 - lowe->author;
    for (size_t s = 0; s < lowe->shares.n; s++) rest -= lowe->shares.item[s].share;
    lowe->left_out = NULL;
    if (!(rest > 1e-9) || n_sources <= lowe->shares.n) return;
    lowe->left_out = trib_arena_new(arena, 1, sizeof *lowe->left_out);
    if (lowe->left_out) *lowe->left_out = (trib_left_out_record){n_sources - lowe->shares.n, rest};
}

/* Changes the shares by lowe of one target to a point of its stored curve. A target without sources
 * or factors has no curve, and no share at any threshold. */
static trib_status move_target(void *context, trib_target_record *target, trib_arena *arena,
                               trib_error *error) {
    move *const to = context;
    const trib_distances_record *const distances = target->distances;
    trib_influence_record *lowe = NULL;
    for (size_t m = 0; m < target->methods.n; m++)
        if (strcmp(target->methods.item[m].method, "lowe") == 0) lowe = &target->methods.item[m];
    if (!lowe) return trib_fail(error, TRIB_USAGE, "--threshold: this run has no shares by lowe");
    if (distances) {
        size_t point = 0;
        const trib_status status =
            stored_point(&distances->thresholds, to->threshold, &point, error);
        if (status != TRIB_OK) return status;
        to->n_curves++;
        move_shares(to->result, &lowe->shares, &distances->steps, point, arena);
        lowe->author = point < distances->author.n ? distances->author.item[point] : 0;
        note_left_out(lowe, target->n_sources, arena);
        if (!isnan(lowe->matched)) lowe->matched = 1 - lowe->author;
        keep_matches(target, to->threshold);
    }
    move_floor(to, target, &lowe->shares);
    return TRIB_OK;
}

trib_status trib_result_move_threshold(trib_result *result, double threshold, trib_error *error) {
    const char *const written = trib_result_setting(result, "influence.floor");
    move to = {result, threshold, (double)NAN, strcmp(result->headline, "lowe") == 0, 0};
    const bool has_graph = to.is_headline && result->graph;
    char used[TRIB_NUMBER_MAX], now[TRIB_NUMBER_MAX];
    if (strcmp(written, "auto") != 0 && !trib_read_double(written, &to.floor))
        return trib_fail(error, TRIB_INPUT, "influence.json: influence.floor is no number or auto");
    const trib_status status = trib_result_change(result, move_target, &to, error);
    if (status != TRIB_OK) return status;
    if (to.n_curves == 0)
        return trib_fail(error, TRIB_USAGE,
                         "--threshold: this run has no distances; its methods did not ask for "
                         "them");
    trib_texts_add(
        &result->arena, &result->warnings,
        trib_arena_print(
            &result->arena,
            "The shares by lowe are those at threshold %s; the run itself used %s. Matched factors "
            "have cards within both.%s",
            trib_number(now, threshold), trib_number(used, result->threshold),
            has_graph ? " The network is that of the run, and left out." : ""));
    if (has_graph) result->graph = NULL;
    result->matches_within = fmin(threshold, result->threshold);
    result->threshold = threshold;
    return trib_arena_check(&result->arena, error);
}
