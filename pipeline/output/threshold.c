/* threshold.c - changes a finished result to another threshold of `lowe`: the shares are read from
 * the stored curve; the values derived from them (floor, matches, network) are updated or
 * removed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/output/result.h"
#include "pipeline/stages/floor.h"

/* Expands the steps of a curve to one value for each of n thresholds. */
static json_t *expand(const json_t *steps, size_t n) {
    json_t *curve = json_array();
    double value = 0;
    for (size_t i = 0, next = 0; i < n; i++) {
        const json_t *step = json_array_get(steps, next);
        if (step && json_integer_value(json_array_get(step, 0)) <= (json_int_t)i) {
            value = json_number_value(json_array_get(step, 1));
            next++;
        }
        json_array_append_new(curve, trib_json_real("curve", value));
    }
    return curve;
}

json_t *trib_result_curves(const json_t *distances) {
    json_t *curves = json_object_get(distances, "shares"), *steps;
    const char *id;
    if (curves) return json_incref(curves);
    curves = json_object();
    json_object_foreach(json_object_get(distances, "steps"), id, steps) json_object_set_new(
        curves, id, expand(steps, json_array_size(json_object_get(distances, "thresholds"))));
    return curves;
}

/* Finds the index of `threshold` in the stored curve. Other thresholds are rejected, because the
 * curve is exact only at its points. */
static trib_status stored_point(const json_t *distances, double threshold, size_t *point,
                                trib_error *error) {
    const json_t *thresholds = json_object_get(distances, "thresholds");
    const size_t n = json_array_size(thresholds);
    size_t nearest = 0;
    for (size_t i = 0; i < n; i++)
        if (fabs(json_number_value(json_array_get(thresholds, i)) - threshold) <
            fabs(json_number_value(json_array_get(thresholds, nearest)) - threshold))
            nearest = i;
    const double stored = json_number_value(json_array_get(thresholds, nearest));
    if (n == 0 || fabs(stored - threshold) > 1e-9)
        return trib_fail(
            error, TRIB_USAGE,
            "--threshold %g: not stored; the nearest that is: %g. For any other, run with "
            "--set influence.threshold=%g",
            threshold, stored, threshold);
    *point = nearest;
    return TRIB_OK;
}

/* Marks the changed shares that are below the floor. If lowe is the headline method, the floor of
 * the target is updated too. */
static void move_floor(json_t *target, const json_t *shares, double configured, bool is_headline) {
    trib_floor floor = trib_floor_begin(configured, trib_influence_method_find("lowe"));
    json_t *share;
    size_t s;
    json_array_foreach((json_t *)(uintptr_t)shares, s, share) {
        const char *source = json_string_value(json_object_get(share, "source"));
        if (source && json_is_true(json_object_get(share, "decoy")))
            trib_floor_raise(&floor, source, json_number_value(json_object_get(share, "share")));
    }
    json_array_foreach((json_t *)(uintptr_t)shares, s, share) {
        const double value = json_number_value(json_object_get(share, "share"));
        if (trib_floor_covers(&floor, value))
            json_object_set_new(share, "below_floor", json_true());
        else (void)json_object_del(share, "below_floor");
    }
    if (!is_headline) return;
    trib_json_set_real(target, "floor", floor.share);
    trib_json_set_text(target, "floor_from", floor.decoy ? floor.decoy : "rule");
}

/* Removes the listed matches of factors above the threshold. */
static void keep_matches(json_t *target, double threshold) {
    json_t *matches = json_object_get(target, "matches");
    const size_t n = json_array_size(matches);
    for (size_t i = n; i-- > 0;)
        if (json_number_value(json_object_get(json_array_get(matches, i), "distance")) > threshold)
            (void)json_array_remove(matches, i);
    if (json_array_size(matches) < n) /* the number of matches that were not listed is unknown */
        trib_json_set_count(target, "n_matches", json_array_size(matches));
}

/* Makes the shares by lowe at a point of the curves. A source has a row if it had one before or if
 * its share is now above 0. */
static json_t *move_shares(const json_t *documents, const json_t *before, const json_t *curves,
                           size_t point) {
    json_t *shares = json_array(), *document;
    size_t d;
    json_array_foreach((json_t *)(uintptr_t)documents, d, document) {
        const char *id = json_string_value(json_object_get(document, "id"));
        const char *role = json_string_value(json_object_get(document, "role"));
        json_t *row = trib_json_find(before, "source", id);
        const double value =
            json_number_value(json_array_get(json_object_get(curves, id ? id : ""), point));
        if (!row && !(value > 0)) continue;
        row = row ? json_incref(row) : json_pack("{s:s}", "source", id);
        trib_json_set_real(row, "share", value);
        if (role && strcmp(role, "decoy") == 0) json_object_set_new(row, "decoy", json_true());
        json_array_append_new(shares, row);
    }
    return shares;
}

/* Writes the sum of the shares whose curves are not stored as "left_out". */
static void note_left_out(json_t *lowe, double n_sources, double author) {
    const json_t *shares = json_object_get(lowe, "shares"), *share;
    double rest = 1 - author;
    size_t s;
    json_array_foreach(shares, s, share) rest -= json_number_value(json_object_get(share, "share"));
    (void)json_object_del(lowe, "left_out");
    if (!(rest > 1e-9) || !(n_sources > (double)json_array_size(shares))) return;
    json_t *left_out = json_object();
    json_object_set_new(left_out, "sources",
                        json_integer((json_int_t)n_sources - (json_int_t)json_array_size(shares)));
    trib_json_set_real(left_out, "share", rest);
    json_object_set_new(lowe, "left_out", left_out);
}

/* Changes the shares by lowe of one target to a point of its stored curve. A target without sources
 * or factors has no curve, and no share at any threshold. */
static trib_status move_target(json_t *target, const json_t *documents, double threshold,
                               trib_error *error) {
    const json_t *distances = json_object_get(target, "distances");
    json_t *lowe = json_object_get(json_object_get(target, "methods"), "lowe");
    size_t point = 0;
    if (!json_is_object(distances)) return TRIB_OK;
    const trib_status status = stored_point(distances, threshold, &point, error);
    if (status != TRIB_OK) return status;
    json_t *curves = trib_result_curves(distances);
    json_object_set_new(lowe, "shares",
                        move_shares(documents, json_object_get(lowe, "shares"), curves, point));
    json_decref(curves);
    const double author =
        json_number_value(json_array_get(json_object_get(distances, "author"), point));
    note_left_out(lowe, json_number_value(json_object_get(target, "n_sources")), author);
    trib_json_set_real(lowe, "author", author);
    if (json_object_get(lowe, "matched")) trib_json_set_real(lowe, "matched", 1 - author);
    keep_matches(target, threshold);
    return TRIB_OK;
}

/* Checks that the targets have shares by lowe and that at least one has a curve. */
static trib_status find_curves(const json_t *targets, trib_error *error) {
    size_t t, n_curves = 0;
    const json_t *target;
    json_array_foreach(targets, t, target) {
        if (!json_object_get(json_object_get(target, "methods"), "lowe"))
            return trib_fail(error, TRIB_USAGE, "--threshold: this run has no shares by lowe");
        n_curves += json_is_object(json_object_get(target, "distances"));
    }
    return n_curves > 0
               ? TRIB_OK
               : trib_fail(
                     error, TRIB_USAGE,
                     "--threshold: this run has no distances; its methods did not ask for them");
}

trib_status trib_result_move_threshold(json_t *result, double threshold, trib_error *error) {
    json_t *target, *targets = json_object_get(result, "targets");
    const char *headline = json_string_value(json_object_get(result, "headline"));
    const char *written = json_string_value(json_object_get(
        json_object_get(json_object_get(result, "configuration"), "influence"), "floor"));
    const bool is_headline = headline && strcmp(headline, "lowe") == 0;
    const bool has_graph = is_headline && json_object_get(result, "graph");
    char note[256], used[TRIB_NUMBER_MAX], now[TRIB_NUMBER_MAX];
    double floor = (double)NAN; /* auto */
    size_t t;
    trib_status status = find_curves(targets, error);
    if (status == TRIB_OK &&
        !(written && (strcmp(written, "auto") == 0 || trib_read_double(written, &floor))))
        status =
            trib_fail(error, TRIB_INPUT, "influence.json: influence.floor is no number or auto");
    json_array_foreach(targets, t, target) {
        if (status == TRIB_OK)
            status = move_target(target, json_object_get(result, "documents"), threshold, error);
        if (status != TRIB_OK) return status;
        const json_t *lowe = json_object_get(json_object_get(target, "methods"), "lowe");
        move_floor(target, json_object_get(lowe, "shares"), floor, is_headline);
    }
    if (status != TRIB_OK) return status;
    if (has_graph) (void)json_object_del(result, "graph");
    const double before = json_number_value(json_object_get(result, "threshold"));
    snprintf(
        note, sizeof note,
        "The shares by lowe are those at threshold %s; the run itself used %s. Matched factors "
        "have cards within both.%s",
        trib_number(now, threshold), trib_number(used, before),
        has_graph ? " The network is that of the run, and left out." : "");
    json_array_append_new(json_object_get(result, "warnings"), json_string(note));
    trib_json_set_real(result, "threshold", threshold);
    trib_json_set_real(result, "matches_within", fmin(threshold, before));
    return trib_json_check("the result", error);
}
