/* summary_targets.c - the summary of a result as records: for each target its evidence and its
 * shares. */
#include "pipeline/output/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/output/summary_page.h"

static double known(double number) { return isnan(number) ? 0 : number; }

static int by_share(const void *a, const void *b) {
    const trib_share_record *x = a, *y = b;
    const double s = known(x->share), t = known(y->share);
    return s != t ? (s < t) - (s > t) : strcmp(x->source, y->source);
}

/* A passage that is shown first, with its source; NULL: there is none. */
static trib_shown_passage_record *make_passage(const trib_shown_passage *chosen,
                                               trib_arena *arena) {
    trib_shown_passage_record *const record =
        chosen->passage ? trib_arena_new(arena, 1, sizeof *record) : NULL;
    if (record) *record = (trib_shown_passage_record){chosen->source, *chosen->passage};
    return record;
}

/* Adds the evidence from the sources of the shares, with its `top` strongest phrases and factors
 * (0: all). */
static void add_evidence(trib_summary_target_record *one, const trib_target_record *target,
                         size_t top, trib_arena *arena) {
    trib_arena_list(arena, &one->evidence);
    for (size_t s = 0; s < one->shares.n; s++) {
        const trib_evidence_record *const why =
            trib_target_evidence(target, one->shares.item[s].source);
        trib_evidence_record *const row =
            why ? trib_arena_append(arena, &one->evidence, sizeof *row) : NULL;
        if (!row) continue;
        *row = *why;
        if (top > 0 && row->phrases.n > top) row->phrases.n = top;
        if (top > 0 && row->factors.n > top) row->factors.n = top;
    }
}

static void fill_target(trib_summary_target_record *one, const trib_result *result,
                        const trib_summary_options *options, const trib_target_record *target,
                        trib_arena *arena) {
    const trib_influence_record *const headline = trib_target_headline(result, target);
    *one = (trib_summary_target_record){.target = target->target,
                                        .method = result->headline,
                                        .floor = known(target->floor),
                                        .author = headline ? known(headline->author) : 0,
                                        .formula = headline ? headline->formula : (double)NAN};
    for (size_t s = 0; headline && s < headline->shares.n; s++) {
        const trib_share_record *const share = &headline->shares.item[s];
        if (options->source && strcmp(options->source, share->source) != 0) continue;
        trib_share_record *const row = trib_arena_append(arena, &one->shares, sizeof *row);
        if (row) *row = *share;
    }
    if (one->shares.n > 1)
        qsort(one->shares.item, one->shares.n, sizeof *one->shares.item, by_share);
    if (headline) one->groups = headline->groups;
    if (!options->source) one->ranking = target->ranking;
    if (!options->phrases) return;
    const trib_shown_passages chosen = trib_shown_passages_choose(result, target, options->source);
    one->longest_passage = make_passage(&chosen.longest, arena);
    one->rarest_passage = make_passage(&chosen.rarest, arena);
    add_evidence(one, target, options->top, arena);
    if (target->parallels.item)
        one->parallels = trib_summary_wanted_allusions(options, target, arena);
}

trib_status trib_summary_targets(const trib_result *result, const trib_summary_options *options,
                                 trib_summary_target_records *targets, trib_arena *arena,
                                 trib_error *error) {
    const trib_status status = trib_summary_check_names(result, options, error);
    if (status != TRIB_OK) return status;
    trib_arena_list(arena, targets);
    for (size_t t = 0; t < result->targets.n; t++) {
        if (!trib_summary_wants(options, result->targets.item[t].id)) continue;
        const trib_target_record *const target = trib_summary_whole(result, options, t, arena);
        trib_summary_target_record *const one = trib_arena_append(arena, targets, sizeof *one);
        if (one) fill_target(one, result, options, target, arena);
    }
    return trib_arena_check(arena, error);
}
