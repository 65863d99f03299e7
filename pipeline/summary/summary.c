/* summary.c - the summary of a result in the terminal: shares and phrases. */
#include "pipeline/summary/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/diagnostic.h"
#include "pipeline/output/result.h"
#include "pipeline/summary/page.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

enum {
    FEW_PHRASES = 5,
    MAX_WEAK = 5,
    TEXT_MAX = TRIB_SUMMARY_TEXT,
    BAR_MAX = 20,
    TITLE_WIDEST = 50,
    PHRASE_WIDEST = 60
};

/* ---- The page -------------------------------------------------------------------------------- */

/* Returns the columns of a page of the given width: for a width of 80, 30 for a title and 20 for a
 * bar. */
static trib_summary_layout layout_of(size_t width) {
    trib_summary_layout layout = {.width = width > 0 ? width : 80};
    const size_t w = layout.width;
    layout.bar = w >= 72 ? BAR_MAX : w >= 60 ? BAR_MAX / 2 : 0;
    layout.title = layout.bar > 0 ? w - 30 - layout.bar : w - 28;
    if (layout.title > TITLE_WIDEST) layout.title = TITLE_WIDEST;
    layout.phrase = w - layout.title - 14;
    if (layout.phrase > PHRASE_WIDEST) layout.phrase = PHRASE_WIDEST;
    layout.count = w >= 70 ? 10 : 5;
    layout.row = w - 3 * layout.count - 10;
    if (layout.row > PHRASE_WIDEST) layout.row = PHRASE_WIDEST;
    return layout;
}

static const char *bold(const trib_summary_page *p) { return p->options->colors ? "\033[1m" : ""; }
static const char *dim(const trib_summary_page *p) { return p->options->colors ? "\033[2m" : ""; }
static const char *plain(const trib_summary_page *p) { return p->options->colors ? "\033[0m" : ""; }

/* ---- Data from the result -------------------------------------------------------------------- */

static int by_share(const void *a, const void *b) {
    const json_t *x = *(const json_t *const *)a, *y = *(const json_t *const *)b;
    const double s = trib_summary_number(x, "share"), t = trib_summary_number(y, "share");
    return s != t ? (s < t) - (s > t)
                  : strcmp(trib_json_get_text(x, "source"), trib_json_get_text(y, "source"));
}

/* Lists the requested ones of all shares, largest first: *n of them in *share, which the caller
 * releases. */
static trib_status wanted_shares(const trib_summary_page *p, const json_t *all, json_t ***share,
                                 size_t *n, trib_error *error) {
    const char *source = p->options->source;
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

/* Returns whether a text is a source of this target whose row was omitted, because it has no share
 * or a small one. */
static bool is_left_out(const json_t *result, const json_t *target, const char *source) {
    const json_t *shares = json_object_get(trib_summary_headline(result, target), "shares");
    const json_t *document = trib_json_find(json_object_get(result, "documents"), "id", source);
    return trib_summary_number(target, "n_sources") > (double)json_array_size(shares) &&
           strcmp(source, trib_json_get_text(target, "target")) != 0 && document &&
           strcmp(trib_json_get_text(document, "role"), "target") != 0;
}

/* Checks that the target and source named in the options exist. */
static trib_status check_names(const json_t *result, const trib_summary_options *options,
                               trib_error *error) {
    const char *wanted = options->target, *source = options->source;
    trib_guess guess = {.word = wanted}, guess_source = {.word = source};
    bool has_target = !wanted, has_source = !source;
    size_t t, s;
    json_t *target, *share;
    json_array_foreach(json_object_get(result, "targets"), t, target) {
        const char *id = trib_json_get_text(target, "target");
        if (wanted) trib_guess_try(&guess, id);
        has_target = has_target || strcmp(id, wanted) == 0;
        if (!trib_summary_wants(options, target)) continue;
        json_array_foreach(json_object_get(trib_summary_headline(result, target), "shares"), s,
                           share) {
            id = trib_json_get_text(share, "source");
            if (source) trib_guess_try(&guess_source, id);
            has_source = has_source || strcmp(id, source) == 0;
        }
        has_source = has_source || is_left_out(result, target, source);
    }
    if (!has_target)
        return trib_fail(error, TRIB_USAGE, "no target '%s' in this run%s", wanted,
                         trib_guess_hint(&guess));
    if (!has_source)
        return trib_fail(error, TRIB_USAGE, "no source '%s' %s%s%s%s", source,
                         wanted ? "of '" : "in this run", wanted ? wanted : "", wanted ? "'" : "",
                         trib_guess_hint(&guess_source));
    return TRIB_OK;
}

/* ---- Writing the page ------------------------------------------------------------------------ */

/* Draws a bar for a share of 0 to 1, in eighths of a column. */
static const char *bar_of(const trib_summary_page *p, double share, char out[3 * BAR_MAX + 4]) {
    const int width = (int)p->layout.bar;
    static const char *const part[] = {"",       "\u258f", "\u258e", "\u258d",
                                       "\u258c", "\u258b", "\u258a", "\u2589"};
    int eighths = (int)(share * width * 8 + 0.5);
    if (eighths > width * 8) eighths = width * 8;
    char *at = out;
    *at = '\0';
    for (; eighths >= 8; eighths -= 8) at += sprintf(at, "\u2588");
    if (eighths > 0) strcpy(at, part[eighths]);
    return out;
}

/* Writes the 90 % interval of a share, " 7.6 to 27.5  ", or as many spaces. */
static void write_interval(trib_summary_page *p, const json_t *share) {
    const json_t *low = json_object_get(share, "low"), *high = json_object_get(share, "high");
    if (json_is_number(low) && json_is_number(high))
        trib_summary_put(p, "%4.1f to %4.1f  ", 100 * json_number_value(low),
                         100 * json_number_value(high));
    else trib_summary_put(p, "%14s", "");
}

/* Returns the reason why a share is noise; the text is short on a narrow page. */
static const char *weak_text(const trib_summary_page *p, bool decoy) {
    const bool is_wide = p->layout.width >= p->layout.title + 44;
    if (is_wide) return decoy ? "below the noise floor (decoy)" : "below the noise floor";
    return decoy ? "noise, decoy" : "noise";
}

/* Names the sources that cannot be told apart from a row: the members of its group, or, if one
 * source is shown by itself, the group and its share. */
static void write_members(trib_summary_page *p, const json_t *target, const json_t *share) {
    const char *first = trib_json_get_text(share, "group");
    char title[TEXT_MAX], interval[64] = "";
    if (json_object_get(share, "members"))
        trib_summary_wrap(p, 4, dim(p), "one share, because they cannot be told apart: %s",
                          trib_summary_row_title(p, share, title));
    if (!*first || !p->options->source) return;
    json_t *rows = trib_result_rows(p->result, trib_summary_headline(p->result, target));
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *row = json_array_get(rows, r);
        const json_t *member = json_array_get(json_object_get(row, "members"), 0);
        if (strcmp(trib_json_get_text(member, "group"), first) != 0) continue;
        if (json_is_number(json_object_get(row, "low")))
            snprintf(interval, sizeof interval, " (%.1f to %.1f)",
                     100 * trib_summary_number(row, "low"), 100 * trib_summary_number(row, "high"));
        trib_summary_wrap(p, 4, dim(p), "cannot be told apart: %s; together %.1f %%%s",
                          trib_summary_row_title(p, row, title),
                          100 * trib_summary_number(row, "share"), interval);
    }
    json_decref(rows);
}

static void write_share(trib_summary_page *p, const json_t *target, const json_t *share) {
    char title[TEXT_MAX], cell[TEXT_MAX], phrase[TEXT_MAX], bar[3 * BAR_MAX + 4];
    const char *source = trib_json_get_text(share, "source");
    const bool weak = json_is_true(json_object_get(share, "below_floor"));
    const bool decoy = json_is_true(json_object_get(share, "decoy"));
    const size_t room = p->layout.phrase - 2; /* without the quotation marks */
    const json_t *strongest =
        json_array_get(json_object_get(trib_summary_evidence(target, source), "phrases"), 0);
    trib_pad(cell, sizeof cell, trib_summary_row_title(p, share, title), p->layout.title, false);
    trib_summary_put(p, "  %s%s %6.1f %%  ", weak ? dim(p) : "", cell,
                     100 * trib_summary_number(share, "share"));
    if (p->options->phrases && !weak) write_interval(p, share);
    if (weak) trib_summary_put(p, "%s%s\n", weak_text(p, decoy), plain(p));
    else if (p->options->phrases)
        trib_summary_put(p, "%s%s\n", bar_of(p, trib_summary_number(share, "share"), bar),
                         decoy ? " decoy" : "");
    else if (strongest) {
        trib_summary_phrase(strongest, phrase);
        if (trib_columns(phrase) > room) trib_pad(cell, sizeof cell, phrase, room, false);
        else strcpy(cell, phrase);
        trib_summary_put(p, "\u201c%s\u201d\n", cell);
    } else trib_summary_put(p, "%s\n", decoy ? "decoy" : "");
    write_members(p, target, share);
}

static size_t n_phrases_shown(const trib_summary_page *p, size_t n_stored) {
    const size_t most = p->options->top > 0  ? p->options->top
                        : p->options->source ? n_stored
                                             : FEW_PHRASES;
    return n_stored < most ? n_stored : most;
}

/* Writes the names of the columns. A label that does not fit beside them gets its own line. */
static void write_phrases_heading(trib_summary_page *p, const char *label) {
    const int count = (int)p->layout.count;
    const size_t room = p->layout.row + 2;
    char cell[TEXT_MAX];
    if (trib_columns(label) > room) {
        trib_summary_wrap(p, 2, dim(p), "%s", label);
        label = "";
    }
    trib_summary_put(p, "  %s%s %*s %*s %*s%s\n", dim(p),
                     trib_pad(cell, sizeof cell, label, room, false), count, "here", count, "there",
                     count + 2, count < 10 ? "others" : "other texts", plain(p));
}

static void write_phrases(trib_summary_page *p, const json_t *target, const json_t *share) {
    char title[TEXT_MAX], phrase[TEXT_MAX], cell[TEXT_MAX];
    const int count = (int)p->layout.count;
    const char *source = trib_json_get_text(share, "source");
    const json_t *evidence = trib_summary_evidence(target, source);
    const json_t *phrases = json_object_get(evidence, "phrases");
    const json_int_t n = json_integer_value(json_object_get(evidence, "n_phrases"));
    const size_t shown = n_phrases_shown(p, json_array_size(phrases));
    const json_int_t n_common = json_integer_value(json_object_get(evidence, "n_commonplaces"));
    if (n + n_common == 0) return;
    trib_summary_put(p, "\n");
    trib_summary_wrap(p, 2, bold(p), "%s", trib_summary_row_title(p, share, title));
    snprintf(phrase, sizeof phrase, "phrases: %lld shared, the strongest %zu", (long long)n, shown);
    write_phrases_heading(p, phrase);
    for (size_t i = 0; i < shown; i++) {
        const json_t *one = json_array_get(phrases, i);
        trib_pad(cell, sizeof cell, trib_summary_phrase(one, phrase), p->layout.row, false);
        trib_summary_put(p, "    %s %*lld %*lld %*lld\n", cell, count,
                         (long long)json_integer_value(json_object_get(one, "target_count")), count,
                         (long long)json_integer_value(json_object_get(one, "source_count")),
                         count + 2,
                         (long long)json_integer_value(json_object_get(one, "other_documents")));
    }
    if (n_common > 0)
        trib_summary_put(p, "    %s%lld commonplace%s left out%s\n", dim(p), (long long)n_common,
                         n_common == 1 ? "" : "s", plain(p));
}

static bool has_intervals(const trib_summary_page *p, const json_t *target) {
    const json_t *shares = json_object_get(trib_summary_headline(p->result, target), "shares");
    for (size_t s = 0; s < json_array_size(shares); s++)
        if (json_is_number(json_object_get(json_array_get(shares, s), "low"))) return true;
    return false;
}

/* Whether the floor is that of the headline method, not a number of the configuration. */
static bool has_own_floor(const trib_summary_page *p) {
    const json_t *influence =
        json_object_get(json_object_get(p->result, "configuration"), "influence");
    return strcmp(trib_json_get_text(influence, "floor"), "auto") == 0;
}

/* Writes what a shuffled target receives, if one was asked for. */
static void write_null(trib_summary_page *p, const json_t *target) {
    const json_t *null = json_object_get(target, "null");
    const char *source = trib_json_get_text(null, "source");
    const double share = trib_summary_number(null, "largest");
    const double largest = share < .0001 ? .0001 : share; /* an upper limit */
    char from[TEXT_MAX];
    if (!null) return;
    if (json_object_get(null, "not_measured"))
        trib_summary_wrap(p, 0, dim(p),
                          "a shuffled target: not measured, since %s compares factors",
                          trib_json_get_text(p->result, "headline"));
    else if (!*source)
        trib_summary_wrap(p, 0, dim(p), "a shuffled target: nothing from any source");
    else
        trib_summary_wrap(p, 0, dim(p), "a shuffled target: at most %.*f %% from %s",
                          largest < 0.01 ? 2 : 1, 100 * largest,
                          trib_summary_title(p, source, from));
}

static void write_heading(trib_summary_page *p, const json_t *target) {
    char title[TEXT_MAX], cell[TEXT_MAX], method[80], from[TEXT_MAX];
    snprintf(method, sizeof method, "by %.40s", trib_json_get_text(p->result, "headline"));
    const size_t room = p->layout.width - 1 - trib_columns(method);
    trib_summary_title(p, trib_json_get_text(target, "target"), title);
    trib_summary_put(p, "%s%s%s %s\n", bold(p), trib_pad(cell, sizeof cell, title, room, false),
                     plain(p), method);
    if (!p->options->phrases) return;
    const char *floor_from = trib_json_get_text(target, "floor_from");
    const bool rule = strcmp(floor_from, "rule") == 0 || !*floor_from;
    const bool own = rule && has_own_floor(p);
    const double floor = trib_summary_number(target, "floor");
    trib_summary_wrap(p, 0, dim(p), "noise floor%s%s %.*f %%%s%s%s", own ? " of " : "",
                      own ? trib_json_get_text(p->result, "headline") : "", floor < 0.01 ? 2 : 1,
                      100 * floor, rule ? "" : ", the share of the decoy ",
                      rule ? "" : trib_summary_title(p, floor_from, from),
                      has_intervals(p, target) ? "; a to b: the 90 % interval" : "");
    write_null(p, target);
}

/* Explains an empty list of shares and a list with noise only. */
static void write_nothing(trib_summary_page *p, size_t n, size_t n_weak) {
    if (n == 0) trib_summary_wrap(p, 2, "", "no other text of this corpus may be its source");
    else if (n_weak == n) trib_summary_wrap(p, 2, "", "nothing is found to flow into it");
}

/* Writes the remainder after the shares of all sources: the author's part, and that of the
 * formulas. */
static void write_rest(trib_summary_page *p, const json_t *target) {
    static const struct {
        const char *key, *label, *brief;
    } rest[] = {{"author", "the author's own and common", "own, common"},
                {"formula", "formulas of many texts", "formulas"}};
    char cell[TEXT_MAX], bar[3 * BAR_MAX + 4];
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        const json_t *headline = trib_summary_headline(p->result, target);
        if (i > 0 && !json_object_get(headline, rest[i].key)) continue;
        const double part = trib_summary_number(headline, rest[i].key);
        trib_pad(cell, sizeof cell, p->layout.title < 27 ? rest[i].brief : rest[i].label,
                 p->layout.title, false);
        trib_summary_put(p, "  %s %6.1f %%", cell, 100 * part);
        if (p->options->phrases && *bar_of(p, part, bar)) trib_summary_put(p, "  %14s%s", "", bar);
        trib_summary_put(p, "\n");
    }
}

/* Writes the first sources of the ranking, which is not one of shares. */
static void write_ranking(trib_summary_page *p, const json_t *target) {
    enum { FIRST = 3 };
    const json_t *ranking = json_object_get(target, "ranking");
    char title[TEXT_MAX], list[FIRST * (TEXT_MAX + 8)] = "";
    if (!p->options->phrases || json_array_size(ranking) < 2) return;
    for (size_t i = 0; i < FIRST && i < json_array_size(ranking); i++) {
        const char *id = trib_json_get_text(json_array_get(ranking, i), "source");
        const size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s%zu. %s", i > 0 ? ", " : "", i + 1,
                 trib_summary_title(p, id, title));
    }
    trib_summary_wrap(p, 2, dim(p), "most likely predecessors (a ranking, not shares): %s", list);
}

/* Returns the pairs of the target's possible allusions that the options ask for. The caller
 * releases the array with json_decref. */
static json_t *wanted_allusions(const trib_summary_options *options, const json_t *target) {
    const json_t *all = json_object_get(target, "parallels");
    const size_t most = options->top > 0 ? options->top : options->source ? SIZE_MAX : FEW_PHRASES;
    json_t *wanted = json_array();
    for (size_t i = 0; i < json_array_size(all) && json_array_size(wanted) < most; i++) {
        json_t *pair = json_array_get(all, i);
        if (!options->source || strcmp(trib_json_get_text(pair, "source"), options->source) == 0)
            json_array_append(wanted, pair);
    }
    return wanted;
}

/* Writes the first possible allusions, which are no part of a share. */
static void write_allusions(trib_summary_page *p, const json_t *target) {
    json_t *pairs = wanted_allusions(p->options, target);
    if (json_array_size(pairs) > 0) {
        trib_summary_put(p, "\n");
        trib_summary_wrap(p, 2, dim(p), "possible allusions (a ranking, not shares), the first %zu",
                          json_array_size(pairs));
    }
    for (size_t i = 0; i < json_array_size(pairs) && p->status == TRIB_OK; i++)
        p->status = trib_parallel_describe(p->text, trib_json_get_text(target, "target"),
                                           json_array_get(pairs, i), p->error);
    json_decref(pairs);
}

static void write_target(trib_summary_page *p, const json_t *target) {
    const json_t *headline = trib_summary_headline(p->result, target);
    /* one source is shown by itself; otherwise a group is one row */
    json_t *rows = p->options->source ? json_incref(json_object_get(headline, "shares"))
                                      : trib_result_rows(p->result, headline);
    json_t **share = NULL;
    size_t n = 0, n_weak = 0;
    if (p->status == TRIB_OK) p->status = trib_json_check("the result", p->error);
    if (p->status == TRIB_OK) p->status = wanted_shares(p, rows, &share, &n, p->error);
    if (p->status != TRIB_OK || (n == 0 && p->options->source)) goto done;
    if (p->text->length > 0) trib_summary_put(p, "\n");
    write_heading(p, target);
    for (size_t s = 0; s < n; s++) {
        if (json_is_true(json_object_get(share[s], "below_floor")) && n_weak++ >= MAX_WEAK)
            continue;
        write_share(p, target, share[s]);
    }
    if (n_weak > MAX_WEAK)
        trib_summary_wrap(p, 2, dim(p), "... and %zu more below the noise floor",
                          n_weak - MAX_WEAK);
    if (!p->options->source) {
        write_nothing(p, n, n_weak);
        write_rest(p, target);
        write_ranking(p, target);
    }
    for (size_t s = 0; s < n && p->options->phrases; s++)
        if (p->options->source || !json_is_true(json_object_get(share[s], "below_floor")))
            write_phrases(p, target, share[s]);
    if (p->options->phrases) write_allusions(p, target);
done:
    trib_free(share);
    json_decref(rows);
}

trib_status trib_summary_write(const json_t *result, const trib_summary_options *options,
                               trib_buffer *text, trib_error *error) {
    trib_buffer page = {0};
    trib_summary_page p = {.text = &page,
                           .options = options,
                           .result = result,
                           .layout = layout_of(options->columns),
                           .status = check_names(result, options, error),
                           .error = error};
    trib_json_begin();
    const json_t *targets = json_object_get(result, "targets");
    size_t t;
    json_t *target;
    bool is_small = false; /* shares above 0 were omitted too */
    if (p.status == TRIB_OK && !options->target && json_array_size(targets) > TRIB_SUMMARY_TARGETS)
        trib_summary_finds(&p);
    else {
        json_array_foreach((json_t *)targets, t, target) {
            if (!trib_summary_wants(options, target)) continue;
            write_target(&p, target);
            is_small =
                is_small || json_object_get(trib_summary_headline(result, target), "left_out");
        }
    }
    if (p.status == TRIB_OK && options->source && page.length == 0)
        trib_summary_wrap(&p, 0, "", "nothing of '%s' is found in %s%s%s: its share is 0 %%%s",
                          options->source, options->target ? "'" : "any target",
                          options->target ? options->target : "", options->target ? "'" : "",
                          is_small ? " or too small to be listed" : "");
    if (p.status == TRIB_OK && page.length > 0)
        p.status = trib_buffer_add(text, page.text, page.length, error);
    trib_buffer_release(&page);
    return p.status;
}

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

trib_status trib_summary_json(const json_t *result, const trib_summary_options *options,
                              json_t **targets, trib_error *error) {
    const trib_summary_page p = {.options = options, .result = result};
    trib_status status = check_names(result, options, error);
    size_t t;
    json_t *target;
    *targets = json_array();
    json_array_foreach(json_object_get(result, "targets"), t, target) {
        json_t **share = NULL;
        size_t n = 0;
        if (!trib_summary_wants(options, target)) continue;
        const json_t *headline = trib_summary_headline(result, target);
        if (status == TRIB_OK)
            status = wanted_shares(&p, json_object_get(headline, "shares"), &share, &n, error);
        json_t *shares = json_array(), *evidence = json_array();
        for (size_t s = 0; status == TRIB_OK && s < n; s++) {
            json_t *why = trib_json_find(json_object_get(target, "evidence"), "source",
                                         trib_json_get_text(share[s], "source"));
            json_array_append(shares, share[s]);
            if (why) json_array_append_new(evidence, strongest_of(why, options->top));
        }
        json_t *one = json_pack(
            "{s:s, s:s, s:o, s:o, s:o}", "target", trib_json_get_text(target, "target"), "method",
            trib_json_get_text(result, "headline"), "floor",
            trib_json_real("floor", trib_summary_number(target, "floor")), "author",
            trib_json_real("author",
                           trib_summary_number(trib_summary_headline(result, target), "author")),
            "shares", shares);
        json_t *formula = json_object_get(headline, "formula");
        if (formula) json_object_set(one, "formula", formula);
        json_t *ranking = json_object_get(target, "ranking");
        if (ranking && !options->source) json_object_set(one, "ranking", ranking);
        json_t *groups = json_object_get(headline, "groups");
        if (groups) json_object_set(one, "groups", groups);
        if (options->phrases) json_object_set(one, "evidence", evidence);
        if (options->phrases && json_object_get(target, "parallels"))
            json_object_set_new(one, "parallels", wanted_allusions(options, target));
        json_array_append_new(*targets, one);
        json_decref(evidence);
        trib_free(share);
    }
    if (status == TRIB_OK) return TRIB_OK;
    json_decref(*targets);
    *targets = NULL;
    return status;
}
