/* shares.c - the shares as bars, and as a river: streams as wide as the shares, which join into
 * one. */
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

size_t trib_report_n_decoys(const trib_report_target *target) {
    size_t n = 0;
    for (size_t s = 0; s < target->shares.n; s++) n += target->shares.row[s].decoy;
    return n;
}

/* ---- In words -------------------------------------------------------------------------------- */

static const char *percent(char text[TRIB_FIXED_MAX], const trib_report_target *target,
                           double printed) {
    return trib_percent(text, printed, target->shares.decimals);
}

void trib_report_share_interval(trib_html *html, const trib_report_target *target,
                                const trib_shown_row *share, bool is_first, bool has_brackets) {
    char low[TRIB_FIXED_MAX], high[TRIB_FIXED_MAX];
    if (isnan(share->low) || isnan(share->high)) return;
    percent(low, target, share->low);
    percent(high, target, share->high);
    const bool is_one = strcmp(low, high) == 0; /* "> 99.9 %" */
    trib_report_say(html, "{s}<span class='n interval'>{s}{s}{s}{s}{s}{s}</span>",
                    has_brackets ? " " : "", has_brackets ? "(" : ", ",
                    is_first ? "90 % interval " : "", low, is_one ? "" : " to ", is_one ? "" : high,
                    has_brackets ? ")" : "");
}

const trib_shown_row *trib_report_words_row(const trib_report *report,
                                            const trib_report_target *target, const char *source) {
    if (!target || strcmp(report->result->headline, "extent") != 0) return NULL;
    for (size_t r = 0; r < target->n_flowing; r++)
        if (strcmp(target->shares.row[r].source, source) == 0)
            return target->shares.row[r].n_members == 0 ? &target->shares.row[r] : NULL;
    return NULL;
}

void trib_report_words(trib_html *html, const trib_report_target *target, const trib_shown_row *row,
                       bool is_first) {
    const double n = (double)target->document->words;
    trib_report_say(html, "<b data-n='{z}'>", (size_t)target->document->words);
    trib_report_of(html, "data-held", target, row);
    trib_report_say(html, "{n}</b> (<span>", round(row->share * n));
    trib_report_of(html, "data-share", target, row);
    trib_report_part(html, target, row->printed);
    trib_html_end(html);
    trib_report_share_interval(html, target, row, is_first, false);
    trib_html_text(html, ")");
}

void trib_report_same_words(trib_html *html, const trib_report_target *target,
                            const trib_shown_row *row) {
    if (isnan(row->verbatim)) return;
    trib_report_say(html, ", <span>");
    trib_report_of(html, "data-same", target, row);
    trib_report_say(html, "{n}</span> of them word for word",
                    round(row->verbatim * (double)target->document->words));
}

/* ---- Bars ------------------------------------------------------------------------------------ */

static double axis_of(const trib_report *report) {
    double largest = 0;
    const trib_report_target *target = report->target;
    if (target->author > largest) largest = target->author;
    for (size_t s = 0; s < target->shares.n; s++) {
        const trib_shown_row *row = &target->shares.row[s];
        largest = fmax(largest, fmax(row->share, isnan(row->high) ? 0 : row->high));
    }
    return trib_svg_axis(largest);
}

/* `printed`: the value of the bar as printed; `row`: of a source; NULL: of others. */
static void write_bar_row(trib_html *html, const trib_report_target *target,
                          const trib_shown_row *row, const char *title, const char *note,
                          const trib_svg_bar *bar, double printed) {
    trib_report_say(
        html, row ? "<tr class='{s}'><th scope='row'>{t}" : "<tr class='{s}'><th scope='row'>{s}",
        bar->kind, title);
    if (note) trib_report_say(html, "<small> {s}</small>", note);
    trib_report_say(html, "</th><td class='drawn'>");
    trib_svg_bar_draw(html, bar);
    trib_report_say(html, "</td><td class='n'>");
    if (row || strcmp(bar->kind, "author") == 0) trib_report_of(html, "data-share", target, row);
    trib_report_part(html, target, printed);
    trib_report_interval(html, "small", bar->low, bar->high);
    trib_report_say(html, "</td></tr>");
}

static void write_share_row(trib_report *report, const trib_report_target *target,
                            const trib_shown_row *share, double axis) {
    char title[TRIB_FIXED_MAX];
    /* a share that is rounded to 0 is printed as less than a tenth of a per cent */
    const double printed = share->printed > 0 ? share->printed : share->share;
    trib_percent(title, printed, target->shares.decimals);
    const trib_svg_bar bar = {.value = share->share,
                              .low = share->low,
                              .high = share->high,
                              .floor = target->floor,
                              .axis = axis,
                              .kind = share->decoy         ? "decoy"
                                      : share->below_floor ? "below"
                                                           : "flows",
                              .title = title};
    write_bar_row(&report->html, target, share, share->title,
                  share->decoy           ? "decoy, declared unrelated"
                  : share->below_floor   ? "below the noise floor"
                  : share->n_members > 0 ? "one share, because they cannot be told apart"
                                         : NULL,
                  &bar, printed);
}

/* Lists the members of a group, when its title does not name them all. */
static void write_members(trib_report *report, const trib_shown_row *group) {
    enum { NAMED = 5 };
    trib_html *html = &report->html;
    if (group->n_members <= NAMED) return;
    trib_report_say(html,
                    "<details class='long'><summary>The {z} texts that have one share</summary>"
                    "<p class='note'>",
                    group->n_members);
    for (size_t m = 0; m < group->n_members; m++) {
        trib_report_join(html, m, group->n_members);
        trib_html_foreign(html, trib_report_title(report, group->member[m]->source));
    }
    trib_report_say(html, ".</p></details>");
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
    trib_percent(title, printed, target->shares.decimals);
    snprintf(name, sizeof name, "%s source%s %s%s", trib_grouped(number, (double)n),
             n == 1 ? "" : "s", where, n == 1 ? "" : ", together");
    write_bar_row(&report->html, target, NULL, name, NULL, &bar, printed);
}

static void write_author_rows(trib_report *report, const trib_report_target *target, double axis) {
    const trib_shown_shares *shares = &target->shares;
    const trib_influence_record *exact = target->headline;
    const struct {
        double value, printed;
        const char *title;
    } rows[] = {{exact->author, shares->author, "Author\xE2\x80\x99s own and common language"},
                {exact->own, shares->own, "author term alone"},
                {exact->common, shares->common, "common language"},
                {exact->formula, shares->formula, "Formulas, in very many texts"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char title[TRIB_FIXED_MAX];
        if (isnan(rows[i].value)) continue;
        trib_percent(title, rows[i].printed, shares->decimals);
        const bool only = isnan(exact->own);
        const trib_svg_bar bar = {
            rows[i].value, NAN,  NAN,
            NAN,           axis, i == 0 ? "author" : i == 3 ? "formula" : "author part",
            title};
        write_bar_row(&report->html, target, NULL,
                      i == 0 && only ? "Author: in no source" : rows[i].title, NULL, &bar,
                      rows[i].printed);
    }
}

static void open_bars(trib_report *report, const trib_report_target *target, const char *what) {
    char caption[512];
    snprintf(caption, sizeof caption, "%s of %.300s by %.60s", what, target->title,
             report->result->headline);
    trib_report_say(&report->html,
                    "<table class='bars'><caption class='hidden'>{s}</caption><colgroup>"
                    "<col class='side'/><col class='drawn'/><col class='number'/></colgroup>"
                    "<thead><tr><th class='side' scope='col'>Source</th><td></td>"
                    "<th scope='col'>Share</th>",
                    caption);
    trib_report_open_rows(&report->html);
}

static void close_bars(trib_html *html) { trib_report_say(html, "</tbody></table>"); }

/* What a shuffled target receives, if one was measured. */
static void write_null(trib_report *report, const trib_report_target *target) {
    const trib_null_record *null = target->record->null;
    if (!null) return;
    if (null->not_measured)
        trib_report_say(&report->html,
                        " A shuffled target was not measured, since the method {c} compares "
                        "factors.",
                        report->result->headline);
    else if (!*trib_report_text(null->source))
        trib_html_text(&report->html,
                       " With its words shuffled, the text receives nothing from any source.");
    else
        trib_report_say(
            &report->html, " With its words shuffled, the text receives at most {p}, from {t}.",
            null->largest < .0001 ? .0001 : null->largest, trib_report_title(report, null->source));
}

/* The scale below the bars: its ends and the floor. */
static void write_scale(trib_report *report, const trib_report_target *target, double axis) {
    trib_html *html = &report->html;
    trib_report_say(html, "<p class='scale'>Bars run from 0 to {p0}. ", axis);
    if (target->floor > 0) {
        trib_report_say(html,
                        target->floor < 0.01 ? "The dashed line is the noise floor, {p2}"
                                             : "The dashed line is the noise floor, {p1}",
                        target->floor);
        const char *from = target->record->floor_from;
        if (*from && strcmp(from, "rule") != 0)
            trib_report_say(html, ", the share of the decoy {t}", trib_report_title(report, from));
        else {
            if (trib_report_has_own_floor(report))
                trib_report_say(html, ", that of the method {c}", report->result->headline);
            else trib_html_text(html, ", as influence.floor sets it");
            const size_t n_decoys = trib_report_n_decoys(target);
            trib_html_text(html, n_decoys == 0   ? "; no decoy was declared"
                                 : n_decoys == 1 ? "; the decoy gets no more"
                                                 : "; no decoy gets more");
        }
        trib_html_text(html, ".");
    }
    for (size_t s = 0; s < target->shares.n; s++)
        if (target->shares.row[s].low <= target->shares.row[s].high) {
            trib_html_text(html, " Whiskers are 90\xE2\x80\xAF% intervals.");
            break;
        }
    write_null(report, target);
    trib_html_end(html);
}

static void write_bars(trib_report *report, const trib_report_target *target, double axis) {
    trib_html *html = &report->html;
    const size_t n_below = target->shares.n - target->n_flowing;
    const size_t most = trib_report_is_brief(target) ? target->record->evidence.n : SIZE_MAX;
    const size_t n_drawn = target->n_flowing < most ? target->n_flowing : most;
    open_bars(report, target, "Shares");
    for (size_t s = 0; s < n_drawn; s++)
        write_share_row(report, target, &target->shares.row[s], axis);
    size_t n_more = 0;
    double more = 0;
    for (size_t s = n_drawn; s < target->n_flowing; s++) {
        const size_t n_members = target->shares.row[s].n_members;
        n_more += n_members > 0 ? n_members : 1;
        more += target->shares.row[s].printed;
    }
    write_joint_row(report, target, n_more, "more above the noise floor", "flows", more, axis);
    write_joint_row(report, target, target->n_sources - target->n_flowing_sources,
                    "below the noise floor", "below", target->shares.below, axis);
    write_author_rows(report, target, axis);
    close_bars(html);
    for (size_t g = 0; g < target->n_flowing; g++) write_members(report, &target->shares.row[g]);
    if (trib_report_is_brief(target)) {
        trib_html_element(html, "p", "note",
                          "%zu of %zu sources are drawn. influence.csv has the largest shares; "
                          "most of the others have none.",
                          n_drawn, target->n_sources);
    } else if (n_below > 0) {
        trib_report_say(html,
                        "<details class='long'><summary>{z} {s} below the noise floor{s}</summary>",
                        n_below, n_below == 1 ? "text" : "texts",
                        trib_report_n_decoys(target) > 0 ? " or decoys" : "");
        open_bars(report, target, "Shares below the floor");
        for (size_t s = target->n_flowing; s < target->shares.n; s++)
            write_share_row(report, target, &target->shares.row[s], axis);
        close_bars(html);
        trib_html_end(html);
    }
    write_scale(report, target, axis);
}

void trib_report_shares(trib_report *report) {
    trib_html *html = &report->html;
    const double axis = axis_of(report);
    const bool has_table = report->result->methods.n > 1;
    if (!trib_report_is_short_page(report))
        trib_report_say(html,
                        "<p class='intro'>How much of each target every source explains, by {c}. "
                        "What lies below the noise floor is what unrelated texts get, too.</p>",
                        report->result->headline);
    if (!has_table || !trib_report_is_short_page(report)) write_bars(report, report->target, axis);
    trib_report_methods(report, report->target);
    if (!trib_report_is_short_page(report)) trib_report_ranking(report, report->target);
    if (report->page == 0 && report->result->methods.n > 0) trib_report_meanings(report);
}

/* ---- The river ------------------------------------------------------------------------------- */

/* streams with a name of their own; heights in pixels */
enum { NAMED = 5, WHOLE = 190, SLOT = 36, GAP = 10 };

typedef struct stream {
    const char *title; /* NULL: the same as `label` */
    char label[64];
    const char *kind;
    double share, printed;
    const trib_shown_row *row; /* NULL: not of one source */
} stream;

/* Lists the named sources, the rest above the floor, the sources below it, and the author;
 * returns the number of streams. */
static size_t list_streams(const trib_report_target *target, stream list[NAMED + 4]) {
    size_t n = 0;
    double more = 0, more_printed = 0;
    for (size_t s = 0; s < target->n_flowing; s++) {
        const trib_shown_row *share = &target->shares.row[s];
        if (s < NAMED)
            list[n++] = (stream){share->title, "", "flows", share->share, share->printed, share};
        else more += share->share, more_printed += share->printed;
    }
    if (more > 0) {
        list[n] = (stream){NULL, "", "flows", more, more_printed, NULL};
        snprintf(list[n].label, sizeof list[n].label, "%zu more sources",
                 target->n_flowing - NAMED);
        n++;
    }
    const trib_shown_shares *parts = &target->shares;
    if (parts->below > 0) {
        list[n] = (stream){NULL, "", "below", parts->below, parts->below, NULL};
        snprintf(list[n].label, sizeof list[n].label, "%zu below the noise floor",
                 target->n_sources - target->n_flowing_sources);
        n++;
    }
    if (target->author > 0 && parts->author > 0)
        list[n++] = (stream){
            NULL, "author and common language", "author", target->author, parts->author, NULL};
    if (target->formula > 0 && parts->formula > 0)
        list[n++] = (stream){
            NULL, "formulas, in very many texts", "formula", target->formula, parts->formula, NULL};
    return n;
}

static double slot_of(const stream *s) { return fmax(SLOT, s->share * WHOLE + GAP); }

static void draw_stream(trib_html *html, const stream *s, double left, double right) {
    char path[10 * TRIB_FIXED_MAX], a[4][TRIB_FIXED_MAX];
    const double thick = s->share * WHOLE;
    trib_fixed(a[0], left, 2);
    trib_fixed(a[1], right, 2);
    trib_fixed(a[2], right + thick, 2);
    trib_fixed(a[3], left + thick, 2);
    snprintf(path, sizeof path, "M0 %sC55 %s 45 %s 100 %sV%sC45 %s 55 %s 0 %sZ", a[0], a[0], a[1],
             a[1], a[2], a[2], a[3], a[3]);
    trib_report_say(html, "<path class='water {s}' d='{s}'/>", s->kind, path);
}

void trib_report_river(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    stream list[NAMED + 4];
    const size_t n = list_streams(target, list);
    double height = 0, mouth = 0;
    for (size_t s = 0; s < n; s++) {
        height += slot_of(&list[s]);
        mouth += list[s].share * WHOLE;
    }
    char text[TRIB_FIXED_MAX];
    trib_report_say(html, "<figure class='river'><ul>");
    for (size_t s = 0; s < n; s++) {
        trib_report_say(html,
                        list[s].title ? "<li class='{s}' style='height:{f2}px'><span>{t}</span> <b>"
                                      : "<li class='{s}' style='height:{f2}px'><span>{s}</span> "
                                        "<b>",
                        list[s].kind, slot_of(&list[s]),
                        list[s].title ? list[s].title : list[s].label);
        if (list[s].row || strcmp(list[s].kind, "author") == 0)
            trib_report_of(html, "data-share", target, list[s].row);
        trib_report_part(html, target, list[s].printed);
        trib_report_say(html, "</b></li>");
    }
    trib_html_end(html);
    trib_svg_open(html, NULL, "Streams as wide as the shares, joining into the whole text");
    trib_html_attribute(html, "viewBox", "0 0 100 %s", trib_fixed(text, fmax(height, 1), 2));
    trib_html_attribute(html, "preserveAspectRatio", "none");
    trib_svg_number(html, "height", height);
    double left = 0, right = (height - mouth) / 2;
    for (size_t s = 0; s < n; s++) {
        const double slot = slot_of(&list[s]), thick = list[s].share * WHOLE;
        draw_stream(html, &list[s], left + (slot - thick) / 2, right);
        left += slot;
        right += thick;
    }
    trib_report_say(html, "</svg><figcaption>{t}</figcaption></figure>", target->title);
}
