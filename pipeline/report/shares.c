/* shares.c - the shares as bars. */
#include "pipeline/charts/svg.h"
#include "pipeline/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Bars ------------------------------------------------------------------------------------ */

static double axis_of(const trib_report *report) {
    double largest = 0;
    for (size_t t = 0; t < report->n_targets; t++) {
        const trib_report_target *target = &report->target[t];
        const double author = trib_json_get_number(target->headline, "author");
        if (author > largest) largest = author;
        for (size_t s = 0; s < target->n_shares; s++)
            largest = fmax(largest, fmax(target->share[s].share,
                                         isnan(target->share[s].high) ? 0 : target->share[s].high));
    }
    return trib_svg_axis(largest);
}

/* `printed`: the value of the bar as printed. */
static void write_bar_row(trib_html *html, const trib_report_target *target, const char *title,
                          const char *note, const trib_svg_bar *bar, double printed, bool foreign) {
    trib_html_open(html, "tr", bar->kind);
    trib_report_open_row_header(html, NULL);
    if (foreign) trib_html_foreign(html, title);
    else trib_html_text(html, title);
    if (note) trib_html_element(html, "small", NULL, " %s", note);
    trib_html_end(html);
    trib_html_open(html, "td", "drawn");
    trib_svg_bar_draw(html, bar);
    trib_html_end(html);
    trib_html_open(html, "td", "n");
    trib_report_part(html, target, printed);
    trib_report_interval(html, "small", bar->low, bar->high);
    trib_html_end(html);
    trib_html_end(html);
}

static void write_share_row(trib_report *report, const trib_report_target *target,
                            const trib_report_share *share, double axis) {
    char title[TRIB_FIXED_MAX];
    /* a share that is rounded to 0 is printed as less than a tenth of a per cent */
    const double printed = share->printed > 0 ? share->printed : share->share;
    trib_percent(title, printed, target->parts.decimals);
    const trib_svg_bar bar = {.value = share->share,
                              .low = share->low,
                              .high = share->high,
                              .floor = target->floor,
                              .axis = axis,
                              .kind = share->decoy   ? "decoy"
                                      : share->below ? "below"
                                                     : "flows",
                              .title = title};
    write_bar_row(&report->html, target, share->title,
                  share->decoy     ? "decoy, declared unrelated"
                  : share->below   ? "below the noise floor"
                  : share->members ? "one share, because they cannot be told apart"
                                   : NULL,
                  &bar, printed, true);
}

/* Lists the members of a group, when its title does not name them all. */
static void write_members(trib_report *report, const trib_report_share *group) {
    enum { NAMED = 5 };
    trib_html *html = &report->html;
    if (group->n_members <= NAMED) return;
    trib_html_details(html, "long", "The %zu texts that have one share", group->n_members);
    trib_html_open(html, "p", "note");
    for (size_t m = 0; m < group->n_members; m++) {
        const char *id = trib_json_get_text(json_array_get(group->members, m), "source");
        trib_report_join(html, m, group->n_members);
        trib_html_foreign(html, trib_report_title(report, id));
    }
    trib_html_text(html, ".");
    trib_html_end(html);
    trib_html_end(html);
}

/* Writes the row of n sources together, when their shares have a sum: "5 sources WHERE, together".
 */
static void write_joint_row(trib_report *report, const trib_report_target *target, size_t n,
                            const char *where, const char *kind, double printed, double axis) {
    char title[TRIB_FIXED_MAX], name[TRIB_FIXED_MAX + 64], number[TRIB_FIXED_MAX];
    if (n == 0 || !report->sums_to_one) return;
    const trib_svg_bar bar = {.value = printed,
                              .low = NAN,
                              .high = NAN,
                              .floor = NAN,
                              .axis = axis,
                              .kind = kind,
                              .title = title};
    trib_percent(title, printed, target->parts.decimals);
    snprintf(name, sizeof name, "%s source%s %s%s", trib_grouped(number, (double)n),
             n == 1 ? "" : "s", where, n == 1 ? "" : ", together");
    write_bar_row(&report->html, target, name, NULL, &bar, printed, false);
}

static void write_author_rows(trib_report *report, const trib_report_target *target, double axis) {
    const trib_parts *parts = &target->parts;
    const struct {
        const char *key, *title;
        double printed;
    } rows[] = {{"author", "Author\xE2\x80\x99s own and common language", parts->author},
                {"own", "author term alone", parts->own},
                {"common", "common language", parts->common},
                {"formula", "Formulas, in very many texts", parts->formula}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double value = trib_json_get_number(target->headline, rows[i].key);
        char title[TRIB_FIXED_MAX];
        if (isnan(value)) continue;
        trib_percent(title, rows[i].printed, parts->decimals);
        const bool only = isnan(trib_json_get_number(target->headline, "own"));
        const trib_svg_bar bar = {
            value, NAN, NAN, NAN, axis, i == 0 ? "author" : i == 3 ? "formula" : "author part",
            title};
        write_bar_row(&report->html, target,
                      i == 0 && only ? "Author: in no source" : rows[i].title, NULL, &bar,
                      rows[i].printed, false);
    }
}

static void open_bars(trib_report *report, const trib_report_target *target, const char *what) {
    char caption[512];
    snprintf(caption, sizeof caption, "%s of %.300s by %.60s", what, target->title,
             report->headline_name);
    trib_html *html = &report->html;
    trib_html_open(html, "table", "bars");
    trib_html_element(html, "caption", "hidden", "%s", caption);
    static const char *const columns[] = {"side", "drawn", "number"};
    trib_html_begin(html, "colgroup");
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        trib_html_open(html, "col", columns[c]);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_html_begin(html, "thead");
    trib_html_begin(html, "tr");
    trib_report_header_cell(html, "side", "Source");
    trib_html_element(html, "td", NULL, "%s", "");
    trib_report_header_cell(html, NULL, "Share");
    trib_report_open_rows(html);
}

static void close_bars(trib_html *html) {
    trib_html_end(html);
    trib_html_end(html);
}

/* What a shuffled target receives, if one was measured. */
static void write_null(trib_report *report, const trib_report_target *target) {
    const json_t *null = json_object_get(target->json, "null");
    const char *source = trib_json_get_text(null, "source");
    const double share = trib_json_get_number(null, "largest");
    if (!null) return;
    if (json_object_get(null, "not_measured"))
        trib_report_say(&report->html,
                        " A shuffled target was not measured, since the method {c} compares "
                        "factors.",
                        report->headline_name);
    else if (!*source)
        trib_html_text(&report->html,
                       " With its words shuffled, the text receives nothing from any source.");
    else
        trib_report_say(&report->html,
                        " With its words shuffled, the text receives at most {p}, from {t}.",
                        share < .0001 ? .0001 : share, trib_report_title(report, source));
}

/* The scale below the bars: its ends and the floor. */
static void write_scale(trib_report *report, const trib_report_target *target, double axis) {
    trib_html *html = &report->html;
    char end[TRIB_FIXED_MAX], floor_text[TRIB_FIXED_MAX];
    trib_html_open(html, "p", "scale");
    trib_html_print(html, "Bars run from 0 to %s. ", trib_percent(end, axis, 0));
    if (target->floor > 0) {
        trib_html_print(html, "The dashed line is the noise floor, %s",
                        trib_percent(floor_text, target->floor, target->floor < 0.01 ? 2 : 1));
        const char *from = trib_json_get_text(target->json, "floor_from");
        if (*from && strcmp(from, "rule") != 0)
            trib_report_say(html, ", the share of the decoy {t}", trib_report_title(report, from));
        else {
            if (trib_report_has_own_floor(report))
                trib_report_say(html, ", that of the method {c}", report->headline_name);
            else trib_html_text(html, ", as influence.floor sets it");
            size_t n_decoys = 0;
            for (size_t s = 0; s < target->n_shares; s++) n_decoys += target->share[s].decoy;
            trib_html_text(html, n_decoys == 0   ? "; no decoy was declared"
                                 : n_decoys == 1 ? "; the decoy gets no more"
                                                 : "; no decoy gets more");
        }
        trib_html_text(html, ".");
    }
    for (size_t s = 0; s < target->n_shares; s++)
        if (target->share[s].low <= target->share[s].high) {
            trib_html_text(html, " Whiskers are 90\xE2\x80\xAF% intervals.");
            break;
        }
    write_null(report, target);
    trib_html_end(html);
}

static void write_bars(trib_report *report, const trib_report_target *target, double axis) {
    trib_html *html = &report->html;
    const size_t n_below = target->n_shares - target->n_flowing;
    const size_t most = trib_report_is_brief(target)
                            ? json_array_size(json_object_get(target->json, "evidence"))
                            : SIZE_MAX;
    const size_t n_drawn = target->n_flowing < most ? target->n_flowing : most;
    open_bars(report, target, "Shares");
    for (size_t s = 0; s < n_drawn; s++) write_share_row(report, target, &target->share[s], axis);
    size_t n_more = 0;
    double more = 0;
    for (size_t s = n_drawn; s < target->n_flowing; s++) {
        n_more += target->share[s].n_members;
        more += target->share[s].printed;
    }
    write_joint_row(report, target, n_more, "more above the noise floor", "flows", more, axis);
    write_joint_row(report, target, target->n_sources - target->n_flowing_sources,
                    "below the noise floor", "below", target->parts.below, axis);
    write_author_rows(report, target, axis);
    close_bars(html);
    for (size_t g = 0; g < target->n_flowing; g++) write_members(report, &target->share[g]);
    if (trib_report_is_brief(target)) {
        trib_html_element(html, "p", "note",
                          "%zu of %zu sources are drawn. influence.csv has the largest shares; "
                          "most of the others have none.",
                          n_drawn, target->n_sources);
    } else if (n_below > 0) {
        trib_html_details(html, "long", "%zu %s below the noise floor or %s", n_below,
                          n_below == 1 ? "text" : "texts", n_below == 1 ? "a decoy" : "decoys");
        open_bars(report, target, "Shares below the floor");
        for (size_t s = target->n_flowing; s < target->n_shares; s++)
            write_share_row(report, target, &target->share[s], axis);
        close_bars(html);
        trib_html_end(html);
    }
    write_scale(report, target, axis);
}

static void write_intro(trib_report *report) {
    trib_html *html = &report->html;
    trib_report_say_in(html, "p", "intro",
                       "How much of each target every source explains, by {c}. What lies below the "
                       "noise floor is what unrelated texts get, too.",
                       report->headline_name);
}

void trib_report_shares(trib_report *report) {
    trib_html *html = &report->html;
    const double axis = axis_of(report);
    const bool has_table = json_array_size(json_object_get(report->result, "methods")) > 1;
    if (!trib_report_is_short_page(report)) write_intro(report);
    for (size_t t = 0; t < report->n_targets; t++) {
        trib_report_open_target(report, "shares", t);
        if (!has_table || !trib_report_is_short_page(report))
            write_bars(report, &report->target[t], axis);
        trib_report_methods(report, &report->target[t]);
        if (!trib_report_is_short_page(report)) trib_report_ranking(report, &report->target[t]);
        trib_html_end(html);
    }
    if (report->page == 0 && json_array_size(json_object_get(report->result, "methods")) > 0)
        trib_report_meanings(report);
}
