/* side_by_side.c - the first page of a report with several targets, side by side: one
 * sentence for each, all shares in one table, and the largest shares. The evidence is on the page
 * of each target. */
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

enum { ANSWERS = 50, DRAWN = 6 };

/* ---- Flows ----------------------------------------------------------------------------------- */

/* Whether a flow is that of a source above the noise floor. */
static bool is_above(const trib_flow *flow) {
    return flow->share && trib_row_is_above(flow->share);
}

trib_flow *trib_flows_list(trib_html *html, const trib_report *report, size_t n_runs, size_t *n,
                           int (*order)(const void *, const void *)) {
    trib_error *error = &html->writer->failure;
    trib_flow *list = NULL;
    size_t n_flows = 0;
    *n = 0;
    for (size_t r = 0; r < n_runs; r++)
        for (size_t t = 0; t < report[r].n_targets; t++)
            n_flows += report[r].target[t].shares.n + 1;
    if (error->status != TRIB_OK ||
        TRIB_NEW(&list, n_flows, "the report's flows", error) != TRIB_OK)
        return NULL;
    for (size_t r = 0; r < n_runs; r++)
        for (size_t t = 0; t < report[r].n_targets; t++) {
            const trib_report_target *target = &report[r].target[t];
            for (size_t s = 0; s < target->shares.n; s++)
                list[(*n)++] = (trib_flow){target, &target->shares.row[s], r};
            list[(*n)++] = (trib_flow){target, NULL, r};
        }
    if (n_flows > 1) qsort(list, n_flows, sizeof *list, order);
    return list;
}

void trib_flow_cell(trib_html *html, const trib_flow *flow) {
    char text[TRIB_FIXED_MAX];
    const trib_shown_row *share = flow ? flow->share : NULL;
    const double part = share ? share->share : flow ? flow->target->author : (double)NAN;
    trib_html_open(html, "td", "n");
    trib_html_print(html, share && !is_above(flow) ? "(%s)" : "%s", trib_percent(text, part, 1));
    if (share) trib_report_interval(html, "small", share->low, share->high);
    trib_html_end(html);
}

/* Orders shares above the noise floor first, larger ones first, then by id of the target and of the
 * source. */
static int by_share(const void *a, const void *b) {
    const trib_flow *x = a, *y = b;
    if (is_above(x) != is_above(y)) return is_above(x) ? -1 : 1;
    if (!is_above(x)) return 0;
    if (x->share->share != y->share->share) return x->share->share < y->share->share ? 1 : -1;
    const int by_target = strcmp(x->target->id, y->target->id);
    return by_target ? by_target : strcmp(x->share->source, y->share->source);
}

/* Lists the shares above the noise floor, the largest first. */
static trib_flow *list_largest(trib_report *report, size_t *n) {
    trib_flow *list = trib_flows_list(&report->html, report, 1, n, by_share);
    size_t n_above = 0;
    while (n_above < *n && is_above(&list[n_above])) n_above++;
    *n = n_above;
    return list;
}

/* ---- The answers ----------------------------------------------------------------------------- */

/* Writes "Of 233 targets, 201 draw on other texts here ..., in 31 no source rises above it (12 of
 * these share a passage of 12 words or more with a rare word), and 1 has no source to be compared
 * with." */
static void write_counts(trib_report *report) {
    trib_html *html = &report->html;
    size_t n_drawing = 0, n_alone = 0, n_sharing = 0;
    for (size_t t = 0; t < report->n_targets; t++) {
        const trib_report_target *target = &report->target[t];
        n_drawing += target->n_flowing > 0;
        n_alone += target->n_sources == 0;
        n_sharing += target->n_flowing == 0 && target->has_notable;
    }
    const size_t n_without = report->n_targets - n_drawing - n_alone;
    char a[TRIB_FIXED_MAX];
    trib_report_say(html, "Of {n} targets, ", (double)report->n_targets);
    if (n_drawing == 0) trib_html_text(html, "none shares");
    else if (n_drawing == report->n_targets) trib_html_text(html, "all share");
    else trib_report_say(html, "{n} {s}", (double)n_drawing, n_drawing == 1 ? "shares" : "share");
    trib_html_text(html, " words with other texts here above the noise floor.");
    if (n_without > 0 && n_drawing > 0) {
        trib_html_print(html, " In %s no source rises above it",
                        n_without == 1 ? "one" : trib_grouped(a, (double)n_without));
        if (n_sharing > 0)
            trib_report_say(html,
                            "; {n} of these {s} a passage of 12 words or more with a rare word",
                            (double)n_sharing, n_sharing == 1 ? "shares" : "share");
        trib_html_text(html, ".");
    }
    if (n_alone > 0)
        trib_html_print(html, " Of %s nothing can be said: no other text of this corpus may be %s.",
                        n_alone == 1 ? "one" : trib_grouped(a, (double)n_alone),
                        n_alone == 1 ? "its source" : "their source");
}

/* Who took from whom is said only where dates tell. */
static const char *from_or_with(const trib_report *report, const trib_flow *flow) {
    return trib_texts_are_dated(report->result, flow->target->id, flow->share->source) ? "from"
                                                                                       : "with";
}

static void write_strongest(trib_report *report, const trib_flow *list, size_t n) {
    trib_html *html = &report->html;
    char a[TRIB_FIXED_MAX], b[TRIB_FIXED_MAX];
    size_t tied = 0;
    if (n == 0) return;
    trib_percent(a, list[0].share->share, 1);
    while (tied < n && strcmp(a, trib_percent(b, list[tied].share->share, 1)) == 0) tied++;
    trib_report_say(html, " The largest {s} <b>", tied == 1 ? "share is" : "shares are");
    if (tied == 1) trib_report_of(html, "data-share", list[0].target, list[0].share);
    trib_report_say(html, "{p}</b>", list[0].share->share);
    if (tied > 3) {
        trib_report_say(html, " in {n} pairs of texts.", (double)tied);
        return;
    }
    trib_html_text(html, tied == 1 ? ", " : " each, ");
    for (size_t i = 0; i < tied; i++) {
        trib_report_join(html, i, tied);
        trib_html_text(html, "of ");
        trib_report_target_link(report, list[i].target);
        trib_report_say(html, " {s} {t}", from_or_with(report, &list[i]), list[i].share->title);
    }
    trib_html_text(html, ".");
}

/* Whether a target shares anything; the count of the others says all that there is to say. */
static bool is_telling(const trib_report_target *target) {
    return target->n_flowing > 0 || target->longest > 0 || target->n_allusions > 0;
}

/* Lists the answer for each target that shares anything; when there are very many, for those with
 * the largest shares. */
static void list_answers(trib_report *report, const trib_flow *list, size_t n) {
    trib_html *html = &report->html;
    const bool is_all = report->n_targets <= ANSWERS;
    const size_t n_entries = is_all ? report->n_targets : n;
    size_t n_listed = 0, n_telling = 0;
    for (size_t t = 0; t < report->n_targets; t++) n_telling += is_telling(&report->target[t]);
    if (n_telling == 0) return;
    trib_html_open(html, "ul", "answers");
    for (size_t i = 0; i < n_entries && n_listed < ANSWERS; i++) {
        const trib_report_target *target = is_all ? &report->target[i] : list[i].target;
        /* this target came before, with its largest share */
        if (is_all ? !is_telling(target) : list[i].share != target->shares.row) continue;
        trib_html_open(html, "li", target->n_flowing > 0 ? NULL : "none");
        trib_report_answer_lead(report, target);
        trib_html_end(html);
        n_listed++;
    }
    trib_html_end(html);
    trib_report_shown(html, n_listed, (double)n_telling, "targets");
}

/* Writes what the pages of the targets have, and how one is made that is not written. */
static void write_pages(trib_report *report) {
    static const char contents[] = "with its phrases, passages, caveats and the shares by every "
                                   "method";
    if (report->is_on_demand)
        trib_report_say(&report->html,
                        "<p class='note'>{c} makes the page of a target, {s}: RUN is the directory "
                        "of this page, ID an id of documents.csv, or all for the pages of all.</p>",
                        "tributary report RUN --target ID", contents);
    else
        trib_report_say(&report->html,
                        "<p class='note'>Every target has a page of its own, {s}.</p>", contents);
    if (trib_report_has_short_texts(report))
        trib_report_say(&report->html,
                        "<p class='note'>The texts are short and quoted there; with {c} they have "
                        "pages to read, coloured by source, too.</p>",
                        "report.target_pages: all");
}

void trib_report_answers(trib_report *report) {
    trib_html *html = &report->html;
    size_t n = 0;
    trib_flow *list = list_largest(report, &n);
    trib_html_open(html, "p", "lead");
    write_counts(report);
    write_strongest(report, list, n);
    trib_html_end(html);
    write_pages(report);
    trib_report_reading(report);
    list_answers(report, list, n);
    trib_report_warnings(report);
    trib_report_limits_link(report);
    trib_free(list);
}

/* ---- All shares ------------------------------------------------------------------------------ */

static void draw_piece(trib_html *html, double from, double width) {
    if (width > 0)
        trib_report_say(html, "<rect x='{f2}%' width='{f2}%' height='12'/>", 100 * from,
                        100 * width);
}

/* Draws a part of another kind than the sources above the floor. */
static void draw_part(trib_html *html, const char *kind, double from, double width) {
    if (!(width > 0)) return;
    trib_report_say(html, "<g class='water {s}'>", kind);
    draw_piece(html, from, width);
    trib_html_end(html);
}

/* Draws the target as one bar: its strongest sources, the rest above the floor, the sources
 * below it, the formulas; the author's part stays empty. */
static void draw_whole(trib_html *html, const trib_report_target *target) {
    double at = 0, more = 0;
    trib_report_say(html, "<svg class='whole' aria-hidden='true' height='12'>");
    if (target->n_flowing > 0) trib_html_open(html, "g", "water flows");
    for (size_t s = 0; s < target->n_flowing; s++) {
        const double share = target->shares.row[s].share;
        if (s >= DRAWN) more += share;
        else {
            draw_piece(html, at, share);
            at += share;
        }
    }
    draw_piece(html, at, more);
    if (target->n_flowing > 0) trib_html_end(html);
    draw_part(html, "below", at + more, target->below);
    draw_part(html, "formula", at + more + target->below, target->formula);
    trib_html_end(html);
}

static bool has_formulas(const trib_report *report) {
    bool is_any = false;
    for (size_t t = 0; t < report->n_targets; t++) is_any = is_any || report->target[t].formula > 0;
    return is_any;
}

static void write_row(trib_report *report, const trib_report_target *target) {
    const bool has_flow = target->n_flowing > 0;
    trib_html *html = &report->html;
    double flowing = 0;
    for (size_t s = 0; s < target->n_flowing; s++) flowing += target->shares.row[s].printed;
    trib_html_open(html, "tr", has_flow ? NULL : "none");
    trib_report_say(html, "<th scope='row'>");
    trib_report_target_link(report, target);
    trib_html_end(html);
    if (report->sums_to_one) {
        trib_report_say(html, "<td class='drawn'>");
        draw_whole(html, target);
        trib_report_say(html, "</td><td class='n' data-share='{s}'>{p1}</td>", target->id,
                        target->n_sources > 0 ? flowing : (double)NAN);
    }
    trib_report_cells(html, has_flow ? "#{n}|{t}" : "#{n}|{s}", (double)target->n_flowing,
                      has_flow ? target->shares.row[0].title : "\xE2\x80\x93");
    trib_report_say(html, "<td class='n'>");
    if (has_flow) trib_report_of(html, "data-share", target, target->shares.row);
    trib_report_say(html, "{p1}</td><td class='n' data-share='{s} -'>{p1}</td>",
                    has_flow ? target->shares.row[0].printed : (double)NAN, target->id,
                    target->shares.author);
    if (report->sums_to_one) trib_report_cells(html, "#{p1}", target->shares.below);
    if (report->sums_to_one && has_formulas(report))
        trib_report_cells(html, "#{p1}", target->shares.formula);
    trib_report_cells(html, "#{p1}", target->floor);
    trib_html_end(html);
}

/* Of very many targets: those with the largest shares, then others in their order. */
static void write_strongest_rows(trib_report *report, const trib_flow *list, size_t n,
                                 size_t most) {
    size_t n_rows = 0;
    for (size_t i = 0; i < n && n_rows < most; i++) {
        if (list[i].share != list[i].target->shares.row) continue; /* not its largest */
        write_row(report, list[i].target);
        n_rows++;
    }
    for (size_t t = 0; t < report->n_targets && n_rows < most; t++) {
        if (report->target[t].n_flowing > 0) continue;
        write_row(report, &report->target[t]);
        n_rows++;
    }
}

void trib_report_all_shares(trib_report *report) {
    trib_html *html = &report->html;
    size_t n = 0;
    trib_flow *list = list_largest(report, &n);
    trib_report_say(html,
                    "<p class='intro'>How much of each target its sources explain, by {c}. What "
                    "lies below the noise floor is what unrelated texts get, too{s}</p>",
                    report->result->headline,
                    report->sums_to_one
                        ? "; it is hatched in the bars, whose blank part is the author\xE2\x80"
                          "\x99s own and the common language."
                        : ". Its shares overlap and do not add up.");
    if (report->sums_to_one && has_formulas(report))
        trib_report_say(html, "<p class='note'>The grey part of a bar is formulas, which very many "
                              "texts hold.</p>");
    trib_report_open_head(html, "numbers wholes", "Shares of every target");
    trib_report_columns(html, "Target");
    if (report->sums_to_one)
        trib_report_say(html, "<th class='drawn' scope='col'><span class='hidden'>Drawn</span></th>"
                              "<th class='n' scope='col'>All sources</th>");
    trib_report_columns(html, "#Above the floor|The strongest|#Its share|#Author");
    if (report->sums_to_one) trib_report_columns(html, "#Below the floor");
    if (report->sums_to_one && has_formulas(report)) trib_report_columns(html, "#Formulas");
    trib_report_columns(html, "#Noise floor");
    trib_report_open_rows(html);
    const size_t n_rows = trib_report_rows(report->n_targets);
    if (n_rows == report->n_targets)
        for (size_t t = 0; t < n_rows; t++) write_row(report, &report->target[t]);
    else write_strongest_rows(report, list, n, n_rows);
    trib_report_close_table(html);
    trib_report_rows_shown(report, report->n_targets, "targets", "influence.csv");
    trib_report_say(html, "<p class='note printed'>Targets with nothing above the noise floor are "
                          "left out in print.</p>");
    trib_report_meanings(report);
    trib_free(list);
}
