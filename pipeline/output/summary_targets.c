/* summary_targets.c - the targets and sources that a summary is asked for, and the summary as
 * records: for each target its evidence and its shares. */
#include "pipeline/output/summary.h"

#include "pipeline/config/diagnostic.h"
#include "pipeline/output/summary_page.h"

/* ---- What the options name ------------------------------------------------------------------- */

/* Returns whether a text is a source of this target whose row was omitted, because it has no share
 * or a small one. */
static bool is_left_out(const trib_result *result, const trib_target_record *target,
                        const char *source) {
    const trib_influence_record *const headline = trib_target_headline(result, target);
    const trib_document_record *const document = trib_result_document_of(result, source);
    return target->n_sources > (headline ? headline->shares.n : 0) &&
           strcmp(source, target->target) != 0 && document && strcmp(document->role, "target") != 0;
}

/* Looks for the source that the options name among those of target t. */
static trib_status look_for_source(const trib_result *result, const char *source, size_t t,
                                   trib_guess *guess, bool *has_source, trib_error *error) {
    TRIB_OWNED(trib_arena) arena = {0};
    const trib_target_record *const lean = trib_target_read_lean(result, t, &arena);
    const trib_influence_record *const headline = trib_target_headline(result, lean);
    for (size_t s = 0; headline && s < headline->shares.n; s++) {
        const char *const id = headline->shares.item[s].source;
        trib_guess_try(guess, id);
        *has_source = *has_source || strcmp(id, source) == 0;
    }
    *has_source = *has_source || is_left_out(result, lean, source);
    const trib_status status = trib_arena_check(&arena, error);
    return status;
}

trib_status trib_summary_check_names(const trib_result *result, const trib_summary_options *options,
                                     trib_error *error) {
    const char *wanted = options->target, *source = options->source;
    trib_guess guess = {.word = wanted}, guess_source = {.word = source};
    bool has_target = !wanted, has_source = !source;
    trib_status status = TRIB_OK;
    for (size_t t = 0; t < result->targets.n && status == TRIB_OK; t++) {
        const char *const id = result->targets.item[t].id;
        if (wanted) trib_guess_try(&guess, id);
        has_target = has_target || strcmp(id, wanted) == 0;
        if (source && trib_summary_wants(options, id))
            status = look_for_source(result, source, t, &guess_source, &has_source, error);
    }
    if (status != TRIB_OK) return status;
    if (!has_target)
        return trib_fail(error, TRIB_USAGE, "no target '%s' in this run%s", wanted,
                         trib_guess_hint(&guess));
    if (!has_source)
        return trib_fail(error, TRIB_USAGE, "no source '%s' %s%s%s%s", source,
                         wanted ? "of '" : "in this run", wanted ? wanted : "", wanted ? "'" : "",
                         trib_guess_hint(&guess_source));
    return TRIB_OK;
}

/* ---- Records --------------------------------------------------------------------------------- */

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
    one->translations = trib_summary_wanted_translations(options, target, arena);
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
