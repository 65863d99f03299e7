/* json.c - the summary of a result as JSON: for each target its evidence and its shares. */
#include "pipeline/summary/summary.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/summary/page.h"
#include "pipeline/support/json.h"

/* Returns the evidence with its `top` strongest phrases and factors (0: all). The caller releases
 * it with json_decref. */
static json_t *strongest_of(json_t *evidence, size_t top) {
    static const char *const lists[] = {"phrases", "factors"};
    if (top == 0) return json_incref(evidence);
    json_t *copy = json_copy(evidence);
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        const json_t *all = json_object_get(evidence, lists[l]);
        if (json_array_size(all) <= top) continue;
        json_t *few = json_array();
        for (size_t i = 0; i < top; i++) json_array_append(few, json_array_get(all, i));
        json_object_set_new(copy, lists[l], few);
    }
    return copy;
}

static int by_share(const void *a, const void *b) {
    const json_t *x = *(const json_t *const *)a, *y = *(const json_t *const *)b;
    const double s = trib_summary_number(x, "share"), t = trib_summary_number(y, "share");
    return s != t ? (s < t) - (s > t)
                  : strcmp(trib_json_get_text(x, "source"), trib_json_get_text(y, "source"));
}

/* Lists the requested ones of all shares, largest first: *n of them in *share, which the caller
 * releases. */
static trib_status wanted_shares(const json_t *all, const char *source, json_t ***share, size_t *n,
                                 trib_error *error) {
    *n = 0;
    const trib_status status =
        trib_new(share, json_array_size(all) + 1, sizeof **share, "the shares", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_t *value = json_array_get(all, i);
        if (!source || strcmp(source, trib_json_get_text(value, "source")) == 0)
            (*share)[(*n)++] = value;
    }
    qsort(*share, *n, sizeof **share, by_share);
    return TRIB_OK;
}

/* Adds the passages that are shown first, each with its source. */
static void add_passages(json_t *one, const json_t *result, const json_t *target,
                         const char *source) {
    const trib_chosen_passages chosen = trib_passages_choose(result, target, source);
    const struct {
        const char *key;
        trib_chosen_passage passage;
    } list[] = {{"longest_passage", chosen.longest}, {"rarest_passage", chosen.rarest}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (!list[i].passage.passage) continue;
        json_t *about = json_object();
        trib_json_set_text(about, "with", list[i].passage.source);
        json_object_update(about, (json_t *)(uintptr_t)list[i].passage.passage);
        json_object_set_new(one, list[i].key, about);
    }
}

/* Makes the object of one target. */
static json_t *make_target(const json_t *result, const trib_summary_options *options,
                           const json_t *target, json_t *const *share, size_t n) {
    const json_t *headline = trib_summary_headline(result, target);
    json_t *shares = json_array(), *evidence = json_array();
    for (size_t s = 0; s < n; s++) {
        json_t *why = trib_json_find(json_object_get(target, "evidence"), "source",
                                     trib_json_get_text(share[s], "source"));
        json_array_append(shares, share[s]);
        if (why) json_array_append_new(evidence, strongest_of(why, options->top));
    }
    json_t *one = json_object();
    trib_json_set_text(one, "target", trib_json_get_text(target, "target"));
    trib_json_set_text(one, "method", trib_json_get_text(result, "headline"));
    if (options->phrases) add_passages(one, result, target, options->source);
    trib_json_set_real(one, "floor", trib_summary_number(target, "floor"));
    trib_json_set_real(one, "author", trib_summary_number(headline, "author"));
    json_object_set_new(one, "shares", shares);
    json_t *formula = json_object_get(headline, "formula");
    if (formula) json_object_set(one, "formula", formula);
    json_t *ranking = json_object_get(target, "ranking");
    if (ranking && !options->source) json_object_set(one, "ranking", ranking);
    json_t *groups = json_object_get(headline, "groups");
    if (groups) json_object_set(one, "groups", groups);
    if (options->phrases) json_object_set(one, "evidence", evidence);
    if (options->phrases && json_object_get(target, "parallels"))
        json_object_set_new(one, "parallels", trib_summary_wanted_allusions(options, target));
    json_decref(evidence);
    return one;
}

trib_status trib_summary_json(const json_t *result, const trib_summary_options *options,
                              json_t **targets, trib_error *error) {
    trib_summary_page p = {.options = options, .result = result, .error = error};
    trib_status status = trib_summary_check_names(result, options, error);
    size_t t;
    json_t *target;
    *targets = json_array();
    json_array_foreach(json_object_get(result, "targets"), t, target) {
        json_t **share = NULL;
        size_t n = 0;
        if (!trib_summary_wants(options, target) || status != TRIB_OK) continue;
        json_t *whole = trib_summary_whole(&p, t);
        status = p.status;
        if (status == TRIB_OK)
            status = wanted_shares(json_object_get(trib_summary_headline(result, whole), "shares"),
                                   options->source, &share, &n, error);
        if (status == TRIB_OK)
            json_array_append_new(*targets, make_target(result, options, whole, share, n));
        trib_free(share);
        json_decref(whole);
    }
    if (status == TRIB_OK) return TRIB_OK;
    json_decref(*targets);
    *targets = NULL;
    return status;
}
