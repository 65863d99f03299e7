/* quality.c - how well the decompositions describe the texts. */
#include "base/internal.h"
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

static const char *const marks[TRIB_SVG_LINES] = {"1", "2", "3", "4", "5", "6"};

bool trib_report_has_quality(const trib_report *report) {
    for (size_t d = 0; d < report->result->documents.n; d++)
        if (report->result->documents.item[d].factors) return true;
    return false;
}

static bool any_restarts(const trib_report *report) {
    for (size_t d = 0; d < report->result->documents.n; d++) {
        const trib_factors_record *factors = report->result->documents.item[d].factors;
        if (factors && trib_report_number(factors->restarts) > 1) return true;
    }
    return false;
}

static void write_row(trib_html *html, const trib_document_record *document, bool restarts) {
    const trib_factors_record *factors = document->factors;
    const bool has_all = factors->format != NULL; /* they were made with their tensor */
    trib_report_say(html, "<tr><th scope='row'>{t}</th>", document->title);
    trib_report_cells(html, "#{n}|#{f3}|#{p1}|#{n}|#{n}", (double)factors->rank, factors->fit,
                      factors->mass, has_all ? (double)factors->zero : (double)NAN,
                      has_all ? (double)factors->iterations : (double)NAN);
    if (restarts) trib_report_cells(html, "#{f2}", factors->match);
    trib_report_say(html, "<td>{s}</td></tr>", factors->stop);
}

static void write_table(trib_report *report) {
    const trib_document_records *documents = &report->result->documents;
    const bool restarts = any_restarts(report);
    trib_html *html = &report->html;
    trib_report_open_table(
        html, "numbers", "The decomposition of every text",
        restarts ? "Text|#Factors|#Fit|#Mass held|#Zero factors|#Iterations|#Restarts agree|Ended "
                   "because"
                 : "Text|#Factors|#Fit|#Mass held|#Zero factors|#Iterations|Ended because");
    for (size_t d = 0; d < documents->n; d++)
        if (documents->item[d].factors) write_row(html, &documents->item[d], restarts);
    trib_report_close_table(html);
}

/* Plots the fit after each iteration for the first TRIB_SVG_LINES texts, on the axis of the
 * longest run. */
static void write_convergence(trib_report *report) {
    const trib_document_records *documents = &report->result->documents;
    trib_svg_line line[TRIB_SVG_LINES];
    const char *title[TRIB_SVG_LINES];
    trib_html *html = &report->html;
    size_t n = 0, n_all = 0, longest = 0;
    for (size_t d = 0; d < documents->n; d++) {
        const trib_factors_record *factors = documents->item[d].factors;
        if (!factors || factors->fits.n < 2) continue;
        n_all++;
        if (n == TRIB_SVG_LINES) continue;
        if (factors->fits.n > longest) longest = factors->fits.n;
        title[n] = documents->item[d].title;
        line[n] = (trib_svg_line){
            .y = {factors->fits.item, factors->fits.n}, .style = (unsigned)n, .mark = marks[n]};
        n++;
    }
    double *x = trib_arena_new(report->arena, longest, sizeof *x);
    if (n == 0 || !x) return;
    for (size_t i = 0; i < longest; i++) /* the axis runs from 0 to 2 */
        x[i] = 2.0 * (double)i / (double)(longest - 1);
    trib_html_begin(html, "figure");
    trib_svg_lines(html, (trib_svg_numbers){x, longest}, line, n, NAN,
                   (const double[2]){1, (double)longest},
                   "Fit after every iteration, from the first to the last; numbers in the table "
                   "above and in influence.json");
    trib_svg_legend(html, line, title, n, n_all);
    trib_report_say(html,
                    "<figcaption>Fit after each of up to {z} iterations. A line that still rises "
                    "at its end would go on with a larger cp.iterations.</figcaption></figure>",
                    longest);
}

/* ---- The ranks that a search tried for every text -------------------------------------------- */

static const trib_rank_records *ranks_of(const trib_document_record *document) {
    static const trib_rank_records none = {0};
    return document->factors ? &document->factors->ranks : &none;
}

static void write_ranks(trib_report *report, const trib_document_record *document) {
    trib_html *html = &report->html;
    for (size_t i = 0; i < ranks_of(document)->n; i++) {
        const trib_rank_record *rank = &ranks_of(document)->item[i];
        trib_report_say(html, "<tr><th scope='row'>{t}</th>", document->title);
        trib_report_cells(html, "#{n}|#{n}|#{f3}|#{f3}", (double)rank->rank,
                          (double)rank->components, rank->error, rank->l1_error);
        /* a value far below zero, where the core is not at all diagonal, has no meaning */
        trib_report_cells(html, rank->core_consistency < -100 ? "#below -100" : "#{f1}",
                          rank->core_consistency);
        trib_report_say(html, "<td class='n'>{n}</td><td>{s}{s}</td></tr>",
                        (double)rank->iterations, rank->chosen ? "taken: " : "",
                        rank->chosen ? trib_report_text(document->factors->rank_end) : "");
    }
}

static void write_rank_table(trib_report *report) {
    trib_html *html = &report->html;
    trib_report_open_table(html, "numbers", "The ranks that were tried",
                           "Text|#Rank|#Factors left|#Error|#L1 error|#Core consistency, %|"
                           "#Iterations|Taken because");
    for (size_t d = 0; d < report->result->documents.n; d++)
        write_ranks(report, &report->result->documents.item[d]);
    trib_report_close_table(html);
}

/* Finds the smallest and the largest rank that was tried for any text; false when none was. */
static bool find_ends(const trib_report *report, double ends[2]) {
    ends[0] = INFINITY;
    ends[1] = 0;
    for (size_t d = 0; d < report->result->documents.n; d++) {
        const trib_rank_records *ranks = ranks_of(&report->result->documents.item[d]);
        for (size_t i = 0; i < ranks->n; i++) {
            ends[0] = fmin(ends[0], (double)ranks->item[i].rank);
            ends[1] = fmax(ends[1], (double)ranks->item[i].rank);
        }
    }
    return ends[1] > 0;
}

/* The line of one text: the errors, and the positions of their ranks on a logarithmic axis that
 * runs from 0 to 2. */
static trib_svg_line make_line(trib_report *report, const trib_rank_records *ranks,
                               const double ends[2], size_t number) {
    double *const x = trib_arena_new(report->arena, ranks->n, sizeof *x);
    double *const y = trib_arena_new(report->arena, ranks->n, sizeof *y);
    for (size_t i = 0; x && y && i < ranks->n; i++) {
        const double at = trib_logarithm((double)ranks->item[i].rank / ends[0]);
        x[i] = 2 * at / trib_logarithm(ends[1] / ends[0]);
        y[i] = fmin(1, ranks->item[i].error);
    }
    return (trib_svg_line){.y = {y, y ? ranks->n : 0},
                           .style = (unsigned)number,
                           .mark = marks[number],
                           .x = {x, x ? ranks->n : 0}};
}

static void write_scree(trib_report *report, const double ends[2]) {
    trib_svg_line line[TRIB_SVG_LINES];
    const char *title[TRIB_SVG_LINES];
    trib_html *html = &report->html;
    size_t n = 0, n_all = 0;
    for (size_t d = 0; d < report->result->documents.n; d++) {
        const trib_document_record *document = &report->result->documents.item[d];
        if (ranks_of(document)->n < 2) continue;
        n_all++;
        if (n == TRIB_SVG_LINES) continue;
        line[n] = make_line(report, ranks_of(document), ends, n);
        title[n++] = document->title;
    }
    if (n == 0) return;
    trib_html_begin(html, "figure");
    trib_svg_lines(html, (trib_svg_numbers){0}, line, n, NAN, ends,
                   "Error at every rank that was tried; numbers in the table above");
    trib_svg_legend(html, line, title, n, n_all);
    trib_report_say(
        html, "<figcaption>Error of the model, 1 less the fit, at every rank that was tried, from "
              "doubling to doubling. Where the line bends, further factors hold little."
              "</figcaption></figure>");
}

/* The scree plot and the table with its numbers; with `cp.rank: auto`. */
static void write_all_ranks(trib_report *report) {
    double ends[2];
    if (!find_ends(report, ends)) return;
    write_rank_table(report);
    write_scree(report, ends);
}

/* ---- How near the texts are ------------------------------------------------------------------ */

/* Writes the row of a source, if it is one of a target. `row` has room for all targets. */
static void write_near_row(trib_report *report, const trib_document_record *source,
                           const trib_near_record **row) {
    const trib_near_records *list = &report->result->distances;
    trib_html *html = &report->html;
    bool is_any = false;
    for (size_t t = 0; t < report->n_all_targets; t++) row[t] = NULL;
    for (size_t i = 0; i < list->n; i++) {
        const trib_report_target *const target =
            trib_report_target_of(report, list->item[i].target);
        if (!target || strcmp(list->item[i].source, source->id) != 0) continue;
        row[target - report->targets] = &list->item[i];
        is_any = true;
    }
    if (!is_any) return;
    trib_report_say(html, "<tr><th scope='row'>{t}</th>", source->title);
    for (size_t t = 0; t < report->n_all_targets; t++) {
        const double near = row[t] ? 1 - row[t]->mean_distance / 2 : 0;
        if (row[t])
            trib_report_say(html, "<td class='s{z}' title='{p1} within the threshold'>{f2}</td>",
                            (size_t)trib_report_shade(near * near), row[t]->matched,
                            row[t]->mean_distance);
        else trib_report_say(html, "<td></td>");
    }
    trib_html_end(html);
}

static void write_near(trib_report *report) {
    static const char caption[] = "Mean distance of the factors of each target (columns) to the "
                                  "nearest factor of each source (rows)";
    const trib_document_records *documents = &report->result->documents;
    const trib_near_record **row =
        trib_arena_new(report->arena, report->n_all_targets, sizeof *row);
    trib_html *html = &report->html;
    if (report->result->distances.n == 0 || !row) return;
    trib_report_say(html,
                    "<h3>How near the texts are by their factors</h3><p class='note'>{s}, from 0 "
                    "(the same) to 2 (nothing in common), the darker the nearer. What texts share "
                    "by genre and language brings them near, too: this is no influence. The same "
                    "numbers are in ",
                    caption);
    trib_report_numbers_in(report, "distances.csv");
    trib_report_say(html, ".</p>");
    trib_report_open_region(html, "figure", caption);
    trib_report_say(html,
                    "<table class='matrix roomy'><caption class='hidden'>{s}</caption><thead><tr>"
                    "<td></td>",
                    caption);
    for (size_t t = 0; t < report->n_all_targets; t++)
        trib_report_say(html, "<th scope='col'><span>{t}</span></th>", report->targets[t].title);
    trib_report_open_rows(html);
    for (size_t d = 0; d < documents->n; d++) write_near_row(report, &documents->item[d], row);
    trib_report_close_table(html);
}

void trib_report_quality(trib_report *report) {
    trib_html_element(
        &report->html, "p", "intro",
        "Shares by factors are as good as the factors. A fit of 1 explains every count of a text; "
        "texts of singular phrases rarely pass 0.5. What the factors do not hold says nothing "
        "about influence.%s",
        strcmp(trib_result_setting(report->result, "cp.rank"), "budget") != 0
            ? ""
            : " A text has 200 000 / different n-grams factors, at least 50 and at most 100 "
              "(cp.rank: budget).");
    write_table(report);
    write_convergence(report);
    write_all_ranks(report);
    write_near(report);
}
