/* summary.c - the summary of a result in the terminal: shares and phrases. */
#include "pipeline/summary/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/diagnostic.h"
#include "pipeline/output/result.h"
#include "pipeline/output/stored_result.h"
#include "pipeline/summary/page.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

enum {
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

/* ---- Data from the result -------------------------------------------------------------------- */

/* A row of the shares, and its share as printed. */
typedef struct shown_share {
    json_t *row;
    double printed;
} shown_share;

static int by_share(const void *a, const void *b) {
    const json_t *x = ((const shown_share *)a)->row, *y = ((const shown_share *)b)->row;
    const double s = trib_summary_number(x, "share"), t = trib_summary_number(y, "share");
    return s != t ? (s < t) - (s > t)
                  : strcmp(trib_json_get_text(x, "source"), trib_json_get_text(y, "source"));
}

/* Lists the requested ones of all shares, largest first: *n of them in *share, which the caller
 * releases. */
static trib_status wanted_shares(const trib_summary_page *p, const json_t *all,
                                 const trib_parts *parts, shown_share **share, size_t *n,
                                 trib_error *error) {
    const char *source = p->options->source;
    *n = 0;
    const trib_status status =
        trib_new(share, json_array_size(all) + 1, sizeof **share, "the shares", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_t *value = json_array_get(all, i);
        if (!source || strcmp(source, trib_json_get_text(value, "source")) == 0)
            (*share)[(*n)++] = (shown_share){value, parts->row[i]};
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

trib_status trib_summary_check_names(const json_t *result, const trib_summary_options *options,
                                     trib_error *error) {
    const char *wanted = options->target, *source = options->source;
    trib_guess guess = {.word = wanted}, guess_source = {.word = source};
    bool has_target = !wanted, has_source = !source;
    size_t t, s;
    json_t *target, *share;
    json_array_foreach(json_object_get(result, "targets"), t, target) {
        const char *id = trib_json_get_text(target, "target");
        json_t *lean = NULL;
        if (wanted) trib_guess_try(&guess, id);
        has_target = has_target || strcmp(id, wanted) == 0;
        if (!source || !trib_summary_wants(options, target)) continue;
        const trib_status status = trib_stored_lean(options->stored, result, t, &lean, error);
        if (status != TRIB_OK) return status;
        json_array_foreach(json_object_get(trib_summary_headline(result, lean), "shares"), s,
                           share) {
            id = trib_json_get_text(share, "source");
            trib_guess_try(&guess_source, id);
            has_source = has_source || strcmp(id, source) == 0;
        }
        has_source = has_source || is_left_out(result, lean, source);
        json_decref(lean);
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
        trib_summary_wrap(p, 4, trib_summary_dim(p),
                          "one share, because they cannot be told apart: %s",
                          trib_summary_row_title(p, share, title));
    if (!*first || !p->options->source) return;
    json_t *rows = trib_result_rows(&p->documents, trib_summary_headline(p->result, target));
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *row = json_array_get(rows, r);
        const json_t *member = json_array_get(json_object_get(row, "members"), 0);
        if (strcmp(trib_json_get_text(member, "group"), first) != 0) continue;
        if (json_is_number(json_object_get(row, "low")))
            snprintf(interval, sizeof interval, " (%.1f to %.1f)",
                     100 * trib_summary_number(row, "low"), 100 * trib_summary_number(row, "high"));
        trib_summary_wrap(p, 4, trib_summary_dim(p), "cannot be told apart: %s; together %.1f %%%s",
                          trib_summary_row_title(p, row, title),
                          100 * trib_summary_number(row, "share"), interval);
    }
    json_decref(rows);
}

/* Quotes the longest passage shared with a source: 79 words: "concerning John, ...". */
static void write_quoted(trib_summary_page *p, const json_t *target, const char *source) {
    char quoted[TEXT_MAX], cell[TEXT_MAX], words[40] = "";
    double n_words = 0;
    trib_summary_quoted(p, target, source, &n_words, quoted);
    if (n_words > 0) snprintf(words, sizeof words, "%.0f words: ", n_words);
    const size_t used = trib_columns(words) + 2, /* with the quotation marks */
        room = p->layout.phrase > used + 8 ? p->layout.phrase - used : 8;
    if (trib_columns(quoted) > room)
        strcpy(quoted, trib_pad(cell, sizeof cell, quoted, room, false));
    if (*quoted) trib_summary_put(p, "%s\u201c%s\u201d\n", words, quoted);
    else trib_summary_put(p, "\n");
}

static void write_share(trib_summary_page *p, const json_t *target, const json_t *share,
                        double printed) {
    char title[TEXT_MAX], cell[TEXT_MAX], bar[3 * BAR_MAX + 4];
    const bool weak = json_is_true(json_object_get(share, "below_floor"));
    const bool decoy = json_is_true(json_object_get(share, "decoy"));
    trib_pad(cell, sizeof cell, trib_summary_row_title(p, share, title), p->layout.title, false);
    trib_summary_put(p, "  %s%s %6.1f %%  ", weak ? trib_summary_dim(p) : "", cell, 100 * printed);
    if (p->options->phrases && !weak) write_interval(p, share);
    if (weak) trib_summary_put(p, "%s%s\n", weak_text(p, decoy), trib_summary_plain(p));
    else if (p->options->phrases)
        trib_summary_put(p, "%s%s\n", bar_of(p, trib_summary_number(share, "share"), bar),
                         decoy ? " decoy" : "");
    else if (decoy) trib_summary_put(p, "decoy\n");
    else write_quoted(p, target, trib_json_get_text(share, "source"));
    write_members(p, target, share);
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
        trib_summary_wrap(p, 0, trib_summary_dim(p),
                          "a shuffled target: not measured, since %s compares factors",
                          trib_json_get_text(p->result, "headline"));
    else if (!*source)
        trib_summary_wrap(p, 0, trib_summary_dim(p), "a shuffled target: nothing from any source");
    else
        trib_summary_wrap(p, 0, trib_summary_dim(p), "a shuffled target: at most %.*f %% from %s",
                          largest < 0.01 ? 2 : 1, 100 * largest,
                          trib_summary_title(p, source, from));
}

static void write_heading(trib_summary_page *p, const json_t *target) {
    char title[TEXT_MAX], cell[TEXT_MAX], method[80], from[TEXT_MAX];
    snprintf(method, sizeof method, "by %.40s", trib_json_get_text(p->result, "headline"));
    const size_t room = p->layout.width - 1 - trib_columns(method);
    trib_summary_title(p, trib_json_get_text(target, "target"), title);
    trib_summary_put(p, "%s%s%s %s\n", trib_summary_bold(p),
                     trib_pad(cell, sizeof cell, title, room, false), trib_summary_plain(p),
                     method);
    if (!p->options->phrases) return;
    const char *floor_from = trib_json_get_text(target, "floor_from");
    const bool rule = strcmp(floor_from, "rule") == 0 || !*floor_from;
    const bool own = rule && has_own_floor(p);
    const double floor = trib_summary_number(target, "floor");
    trib_summary_wrap(p, 0, trib_summary_dim(p), "noise floor%s%s %.*f %%%s%s%s", own ? " of " : "",
                      own ? trib_json_get_text(p->result, "headline") : "", floor < 0.01 ? 2 : 1,
                      100 * floor, rule ? "" : ", the share of the decoy ",
                      rule ? "" : trib_summary_title(p, floor_from, from),
                      has_intervals(p, target) ? "; a to b: the 90 % interval" : "");
    write_null(p, target);
}

/* Writes why no source is above the floor, and how long the longest shared passage is. */
static void write_nothing(trib_summary_page *p, const json_t *target, size_t n) {
    const trib_chosen_passage longest = trib_passages_choose(p->result, target, NULL).longest;
    const double floor = 100 * trib_summary_number(target, "floor");
    char title[TEXT_MAX];
    if (n == 0) trib_summary_wrap(p, 2, "", "no other text of this corpus may be its source");
    else if (!longest.passage) trib_summary_wrap(p, 2, "", "nothing is found to flow into it");
    else
        trib_summary_wrap(p, 2, "",
                          "no source gives more than %.*f %%; the longest shared passage has %.0f "
                          "words (%s)",
                          floor < 1 ? 2 : 1, floor, trib_summary_number(longest.passage, "shared"),
                          trib_summary_title(p, longest.source, title));
}

/* Writes a line of the shares that is not of one source. */
static void write_part(trib_summary_page *p, const char *label, double part, bool has_bar) {
    char cell[TEXT_MAX], bar[3 * BAR_MAX + 4];
    trib_pad(cell, sizeof cell, label, p->layout.title, false);
    trib_summary_put(p, "  %s %6.1f %%", cell, 100 * part);
    if (has_bar && p->options->phrases && *bar_of(p, part, bar))
        trib_summary_put(p, "  %14s%s", "", bar);
    trib_summary_put(p, "\n");
}

/* Writes the sources below the floor as one line; `explain` names the largest of them. */
static void write_below(trib_summary_page *p, const json_t *target, const trib_parts *parts,
                        const shown_share *share, size_t n) {
    const double n_sources = trib_summary_number(target, "n_sources");
    char title[TEXT_MAX], label[64], list[MAX_WEAK * (TEXT_MAX + 32)] = "";
    size_t n_weak = 0, n_members = 0, n_named = 0;
    for (size_t s = 0; s < n; s++) {
        const json_t *members = json_object_get(share[s].row, "members");
        if (trib_row_flows(share[s].row)) {
            n_members += members ? json_array_size(members) : 1;
            continue;
        }
        n_weak += members ? json_array_size(members) : 1;
        if (share[s].printed <= 0 || n_named == MAX_WEAK) continue;
        const size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s%s%s %.1f %%", n_named++ > 0 ? ", " : "",
                 trib_summary_row_title(p, share[s].row, title),
                 json_is_true(json_object_get(share[s].row, "decoy")) ? " (decoy)" : "",
                 100 * share[s].printed);
    }
    if (n_sources > (double)(n_weak + n_members)) n_weak = (size_t)n_sources - n_members;
    if (n_weak == 0) return;
    if (p->layout.title < 27) snprintf(label, sizeof label, "%zu below the floor", n_weak);
    else
        snprintf(label, sizeof label, "%zu source%s below the floor", n_weak,
                 n_weak == 1 ? "" : "s");
    write_part(p, label, parts->below, false);
    if (n_named > 0 && p->options->phrases)
        trib_summary_wrap(p, 4, trib_summary_dim(p), "the largest of these: %s", list);
}

/* Writes the remainder after the shares of all sources: the author's part, and that of the
 * formulas. */
static void write_rest(trib_summary_page *p, const trib_parts *parts) {
    const bool is_brief = p->layout.title < 27;
    write_part(p, is_brief ? "own, common" : "the author's own and common",
               isnan(parts->author) ? 0 : parts->author, true);
    if (!isnan(parts->formula))
        write_part(p, is_brief ? "formulas" : "formulas of many texts", parts->formula, true);
}

/* Writes the shares of the sources above the noise floor in a sentence. */
static void write_sentence(trib_summary_page *p, const shown_share *share, size_t n) {
    enum { NAMED = 3 };
    char title[TEXT_MAX], text[NAMED * (TEXT_MAX + 64)] = "";
    size_t n_named = 0;
    for (size_t s = 0; s < n && n_named < NAMED; s++) {
        const json_t *row = share[s].row, *low = json_object_get(row, "low"),
                     *high = json_object_get(row, "high");
        const size_t at = strlen(text);
        if (!trib_row_flows(row)) continue;
        snprintf(text + at, sizeof text - at, "%s%.1f %% from %s", n_named > 0 ? ", " : "",
                 100 * share[s].printed, trib_summary_row_title(p, row, title));
        const size_t end = strlen(text);
        if (json_is_number(low) && json_is_number(high))
            snprintf(text + end, sizeof text - end, " (%s%.1f to %.1f)",
                     n_named == 0 ? "90 % interval " : "", 100 * json_number_value(low),
                     100 * json_number_value(high));
        n_named++;
    }
    if (n_named > 0) trib_summary_wrap(p, 2, "", "%s", text);
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
    trib_summary_wrap(p, 2, trib_summary_dim(p),
                      "most likely predecessors (a ranking, not shares): %s", list);
}

/* Writes the longest shared passage in a line, when it is of a source that has no row. */
static void write_longest(trib_summary_page *p, const json_t *target, const shown_share *share,
                          size_t n) {
    const trib_chosen_passage longest = trib_passages_choose(p->result, target, NULL).longest;
    char title[TEXT_MAX], text[TEXT_MAX], line[2 * TEXT_MAX], cell[TEXT_MAX];
    if (!longest.passage) return;
    for (size_t s = 0; s < n; s++)
        if (trib_row_flows(share[s].row) &&
            strcmp(trib_json_get_text(share[s].row, "source"), longest.source) == 0)
            return;
    snprintf(line, sizeof line, "longest shared passage: %.0f words with %s%s",
             trib_summary_number(longest.passage, "shared"),
             trib_summary_title(p, longest.source, title),
             *trib_summary_shared_text(longest.passage, text) ? ", \xE2\x80\x9C" : "");
    const size_t used = trib_columns(line) + 3;
    if (*text && p->layout.width > used + 16)
        trib_summary_put(p, "  %s%s%s\xE2\x80\x9D%s\n", trib_summary_dim(p), line,
                         trib_columns(text) > p->layout.width - used
                             ? trib_pad(cell, sizeof cell, text, p->layout.width - used, false)
                             : text,
                         trib_summary_plain(p));
    else
        trib_summary_wrap(p, 2, trib_summary_dim(p), "longest shared passage: %.0f words with %s",
                          trib_summary_number(longest.passage, "shared"), title);
}

/* Writes the evidence of a target and its shares: in `run` the shares alone, and the longest
 * passage in a line. */
static void write_shares(trib_summary_page *p, const json_t *target, const trib_parts *parts,
                         const shown_share *share, size_t n) {
    bool flows = p->options->source != NULL;
    for (size_t s = 0; s < n; s++) flows = flows || trib_row_flows(share[s].row);
    if (!flows) write_nothing(p, target, n);
    else if (p->options->phrases && !p->options->source) write_sentence(p, share, n);
    if (p->options->phrases) trib_summary_passages(p, target);
    for (size_t s = 0; s < n; s++)
        if (p->options->source || trib_row_flows(share[s].row))
            write_share(p, target, share[s].row, share[s].printed);
    if (p->options->source) return;
    write_below(p, target, parts, share, n);
    write_rest(p, parts);
    write_ranking(p, target);
    if (flows && !p->options->phrases) write_longest(p, target, share, n);
}

static void write_target(trib_summary_page *p, const json_t *target) {
    const json_t *headline = trib_summary_headline(p->result, target);
    /* one source is shown by itself; otherwise a group is one row */
    json_t *rows = p->options->source ? json_incref(json_object_get(headline, "shares"))
                                      : trib_result_rows(&p->documents, headline);
    shown_share *share = NULL;
    trib_parts parts = {0};
    size_t n = 0;
    if (p->status == TRIB_OK) p->status = trib_json_check("the result", p->error);
    if (p->status == TRIB_OK) p->status = trib_parts_make(&parts, headline, rows, p->error);
    if (p->status == TRIB_OK) p->status = wanted_shares(p, rows, &parts, &share, &n, p->error);
    if (p->status != TRIB_OK || (n == 0 && p->options->source)) goto done;
    if (p->text->length > 0) trib_summary_put(p, "\n");
    write_heading(p, target);
    write_shares(p, target, &parts, share, n);
    for (size_t s = 0; s < n && p->options->phrases; s++)
        if (p->options->source || !json_is_true(json_object_get(share[s].row, "below_floor")))
            trib_summary_phrases(p, target, share[s].row);
    if (p->options->phrases) trib_summary_allusions(p, target);
done:
    trib_parts_release(&parts);
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
                           .status = trib_summary_check_names(result, options, error),
                           .error = error};
    if (p.status == TRIB_OK)
        p.status = trib_json_index_open(&p.documents, json_object_get(result, "documents"), error);
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
            json_t *whole = trib_summary_whole(&p, t);
            if (whole) write_target(&p, whole);
            is_small =
                is_small || json_object_get(trib_summary_headline(result, whole), "left_out");
            json_decref(whole);
        }
    }
    if (p.status == TRIB_OK && options->source && page.length == 0)
        trib_summary_wrap(&p, 0, "", "nothing of '%s' is found in %s%s%s: its share is 0 %%%s",
                          options->source, options->target ? "'" : "any target",
                          options->target ? options->target : "", options->target ? "'" : "",
                          is_small ? " or too small to be listed" : "");
    if (p.status == TRIB_OK && page.length > 0 && options->phrases) trib_summary_same_words(&p);
    if (p.status == TRIB_OK && page.length > 0)
        p.status = trib_buffer_add(text, page.text, page.length, error);
    trib_buffer_release(&page);
    trib_json_index_close(&p.documents);
    return p.status;
}
