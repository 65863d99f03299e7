/* ranks.c - the ranks that a search tried for every text: the scree plot and the table with its
 * numbers. */
#include "base/internal.h"
#include "pipeline/charts/svg.h"
#include "pipeline/report/report.h"

#include <math.h>

static const json_t *ranks_of(const trib_report *report, size_t d) {
    return json_object_get(trib_report_factors(report, d), "ranks");
}

static const char *title_of(const trib_report *report, size_t d) {
    const json_t *documents = json_object_get(report->result, "documents");
    return trib_json_get_text(json_array_get(documents, d), "title");
}

/* A value far below zero, where the core is not at all diagonal, has no meaning as a number. */
static void write_consistency(trib_html *html, const json_t *row) {
    if (trib_json_get_number(row, "core_consistency") < -100)
        trib_html_element(html, "td", "n", "below -100");
    else trib_report_number_cell(html, trib_json_get_number(row, "core_consistency"), 1);
}

static void write_ranks(trib_report *report, size_t d) {
    const json_t *ranks = ranks_of(report, d);
    trib_html *html = &report->html;
    for (size_t i = 0; i < json_array_size(ranks); i++) {
        const json_t *rank = json_array_get(ranks, i);
        const bool chosen = json_is_true(json_object_get(rank, "chosen"));
        trib_report_open_row(html, title_of(report, d));
        trib_report_count_cell(html, trib_json_get_number(rank, "rank"));
        trib_report_count_cell(html, trib_json_get_number(rank, "components"));
        trib_report_number_cell(html, trib_json_get_number(rank, "error"), 3);
        trib_report_number_cell(html, trib_json_get_number(rank, "l1_error"), 3);
        write_consistency(html, rank);
        trib_report_count_cell(html, trib_json_get_number(rank, "iterations"));
        trib_html_element(html, "td", NULL, "%s%s", chosen ? "taken: " : "",
                          chosen ? trib_json_get_text(trib_report_factors(report, d), "rank_end")
                                 : "");
        trib_html_end(html);
    }
}

static void write_table(trib_report *report) {
    trib_html *html = &report->html;
    trib_report_open_table(html, "numbers", "The ranks that were tried");
    trib_report_header_cell(html, NULL, "Text");
    trib_report_header_cells(html, "n", "Rank", "Factors left", "Error", "L1 error",
                             "Core consistency, %", "Iterations", NULL);
    trib_report_header_cell(html, NULL, "Taken because");
    trib_report_open_rows(html);
    for (size_t d = 0; d < trib_report_n_documents(report); d++) write_ranks(report, d);
    trib_report_close_table(html);
}

/* Finds the smallest and the largest rank that was tried for any text; false when none was. */
static bool find_ends(const trib_report *report, double ends[2]) {
    ends[0] = INFINITY;
    ends[1] = 0;
    for (size_t d = 0; d < trib_report_n_documents(report); d++)
        for (size_t i = 0; i < json_array_size(ranks_of(report, d)); i++) {
            const double rank =
                trib_json_get_number(json_array_get(ranks_of(report, d), i), "rank");
            ends[0] = fmin(ends[0], rank);
            ends[1] = fmax(ends[1], rank);
        }
    return ends[1] > 0;
}

/* For one text: the errors, and the positions of their ranks on a logarithmic axis that runs
 * from 0 to 2. */
static void place(const json_t *ranks, const double ends[2], json_t *x, json_t *y) {
    for (size_t i = 0; i < json_array_size(ranks); i++) {
        const json_t *rank = json_array_get(ranks, i);
        const double at = trib_logarithm(trib_json_get_number(rank, "rank") / ends[0]);
        json_array_append_new(x, trib_json_real("x", 2 * at / trib_logarithm(ends[1] / ends[0])));
        json_array_append_new(y, trib_json_real("y", fmin(1, trib_json_get_number(rank, "error"))));
    }
}

static void write_scree(trib_report *report, const double ends[2]) {
    static const char *const marks[] = {"1", "2", "3", "4", "5", "6"};
    json_t *x[TRIB_SVG_LINES], *y[TRIB_SVG_LINES];
    trib_svg_line line[TRIB_SVG_LINES];
    const char *title[TRIB_SVG_LINES];
    trib_html *html = &report->html;
    size_t n = 0, n_all = 0;
    for (size_t d = 0; d < trib_report_n_documents(report); d++) {
        if (json_array_size(ranks_of(report, d)) < 2) continue;
        n_all++;
        if (n == TRIB_SVG_LINES) continue;
        x[n] = json_array();
        y[n] = json_array();
        place(ranks_of(report, d), ends, x[n], y[n]);
        line[n] = (trib_svg_line){y[n], (unsigned)n, marks[n], x[n]};
        title[n++] = title_of(report, d);
    }
    if (n == 0) return;
    trib_html_begin(html, "figure");
    trib_svg_lines(html, NULL, line, n, NAN, ends,
                   "Error at every rank that was tried; numbers in the table above");
    trib_svg_legend(html, line, title, n, n_all);
    trib_html_element(html, "figcaption", NULL,
                      "Error of the model, 1 less the fit, at every rank that was tried, from "
                      "doubling to doubling. Where the line bends, further factors hold little.");
    trib_html_end(html);
    for (size_t i = 0; i < n; i++) {
        json_decref(x[i]);
        json_decref(y[i]);
    }
}

void trib_report_ranks(trib_report *report) {
    double ends[2];
    if (!find_ends(report, ends)) return;
    write_table(report);
    write_scree(report, ends);
}
