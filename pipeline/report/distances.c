/* distances.c - the distances between the factors of a target and those of the sources, and the
 * shares at every other threshold. */
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool trib_report_has_distances(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++)
        if (report->target[t].record->distances) return true;
    return false;
}

static double item(const trib_reals *numbers, size_t i) {
    return i < numbers->n ? numbers->item[i] : (double)NAN;
}

static void write_histogram_table(trib_html *html, const trib_distances_record *distances) {
    char low[TRIB_FIXED_MAX], high[TRIB_FIXED_MAX];
    trib_html_details(html, "long", "The histogram as a table");
    trib_report_open_table(html, "numbers narrow",
                           "Factors by distance to their nearest source factor");
    trib_report_header_cell(html, NULL, "Distance");
    trib_report_header_cell(html, "n", "Factors");
    trib_report_open_rows(html);
    for (size_t b = 0; b < distances->counts.n; b++) {
        if (distances->counts.item[b] == 0) continue;
        trib_html_begin(html, "tr");
        trib_report_open_row_header(html, NULL);
        trib_html_print(html, "%s to %s", trib_fixed(low, item(&distances->edges, b), 2),
                        trib_fixed(high, item(&distances->edges, b + 1), 2));
        trib_html_end(html);
        trib_report_count_cell(html, (double)distances->counts.item[b]);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_html_end(html);
}

static void write_histogram(trib_report *report, const trib_distances_record *distances) {
    trib_html *html = &report->html;
    const trib_reals *edges = &distances->edges;
    const trib_whole_numbers *counts = &distances->counts;
    const double limit = report->result->threshold;
    double within = 0, all = 0;
    for (size_t b = 0; b < counts->n; b++) {
        all += (double)counts->item[b];
        if (item(edges, b + 1) <= limit + 1e-9) within += (double)counts->item[b];
    }
    char threshold[TRIB_NUMBER_MAX], a[TRIB_FIXED_MAX], n[TRIB_FIXED_MAX], title[200];
    trib_number(threshold, limit);
    trib_grouped(a, within);
    trib_grouped(n, all);
    snprintf(title, sizeof title,
             "Histogram of the distance of %s factors to their nearest source factor, from 0 to 2; "
             "threshold %s",
             n, threshold);
    trib_html_begin(html, "figure");
    trib_svg_histogram(html, (trib_svg_numbers){edges->item, edges->n}, counts->item, counts->n,
                       limit, title);
    trib_html_element(html, "figcaption", NULL,
                      "Factors by their distance to the nearest factor of a source (0: the same; "
                      "2: nothing in common). %s of %s lie in the bins up to the threshold, filled "
                      "solid.",
                      a, n);
    trib_html_end(html);
    write_histogram_table(html, distances);
}

enum { FULL_TABLE = 40 }; /* with more sources, the table has only those that are drawn */

/* The line of a source; lines are ordered by the area under them. */
typedef struct curve {
    const char *id, *title;
    double *share; /* at every threshold */
    double area;
} curve;

static int compare_curves(const void *a, const void *b) {
    const curve *x = a, *y = b;
    if (x->area != y->area) return x->area < y->area ? 1 : -1;
    return strcmp(x->id, y->id);
}

static void write_legend(trib_html *html, const curve *curves, size_t drawn, size_t n) {
    trib_html_open(html, "ul", "legend");
    for (size_t c = 0; c < drawn; c++) {
        trib_html_begin(html, "li");
        trib_svg_line_sample(html, (unsigned)c);
        trib_report_say(html, " {z} {t}", c + 1, curves[c].title);
        trib_html_end(html);
    }
    trib_html_begin(html, "li");
    trib_svg_line_sample(html, TRIB_SVG_LINES);
    trib_html_text(html, " A the author");
    trib_html_end(html);
    if (drawn < n)
        trib_html_element(html, "li", NULL, "%zu of %zu sources drawn; all in %s", drawn, n,
                          n > FULL_TABLE ? "influence.json" : "the table");
    trib_html_end(html);
}

static void write_curve_table(trib_html *html, const trib_distances_record *distances,
                              const curve *curves, size_t n) {
    char text[TRIB_FIXED_MAX];
    trib_html_details(html, "long", "The shares as a table");
    trib_report_open_table(html, "numbers", "Share by lowe at every threshold");
    trib_report_header_cell(html, "n", "Threshold");
    for (size_t c = 0; c < n; c++) trib_report_foreign_header_cell(html, curves[c].title);
    trib_report_header_cell(html, "n", "Author");
    trib_report_open_rows(html);
    for (size_t i = 0; i < distances->thresholds.n; i++) {
        trib_html_begin(html, "tr");
        trib_report_open_row_header(html, "n");
        trib_html_text(html, trib_fixed(text, distances->thresholds.item[i], 2));
        trib_html_end(html);
        for (size_t c = 0; c < n; c++) trib_report_percent_cell(html, curves[c].share[i], 1);
        trib_report_percent_cell(html, item(&distances->author, i), 1);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_html_end(html);
}

/* Makes the curve of a source from its steps. */
static curve make_curve(const trib_report *report, const trib_curve_record *record, size_t n) {
    curve made = {record->source, trib_report_title(report, record->source),
                  trib_arena_new(report->arena, n, sizeof *made.share), 0};
    double share = 0;
    for (size_t i = 0, step = 0; made.share && i < n; i++) {
        while (step < record->steps.n && record->steps.item[step].place <= i)
            share = record->steps.item[step++].share;
        made.share[i] = share;
        if (share > 0) made.area += share;
    }
    return made;
}

static void write_curves(trib_report *report, const trib_distances_record *distances) {
    static const char *const marks[] = {"1", "2", "3", "4", "5", "6"};
    trib_html *html = &report->html;
    const trib_reals *thresholds = &distances->thresholds, *author = &distances->author;
    const size_t n = distances->steps.n, n_points = thresholds->n;
    curve *curves = trib_arena_new(report->arena, n, sizeof *curves);
    trib_svg_line lines[TRIB_SVG_LINES + 1];
    size_t drawn = 0;
    for (size_t c = 0; curves && c < n; c++)
        curves[c] = make_curve(report, &distances->steps.item[c], n_points);
    if (report->arena->failure.status != TRIB_OK) return;
    if (n > 1) qsort(curves, n, sizeof *curves, compare_curves);
    for (; drawn < n && drawn < TRIB_SVG_LINES; drawn++)
        lines[drawn] = (trib_svg_line){
            .y = {curves[drawn].share, n_points}, .style = (unsigned)drawn, .mark = marks[drawn]};
    lines[drawn] =
        (trib_svg_line){.y = {author->item, author->n}, .style = TRIB_SVG_LINES, .mark = "A"};
    trib_html_begin(html, "figure");
    trib_svg_lines(html, (trib_svg_numbers){thresholds->item, n_points}, lines, drawn + 1,
                   report->result->threshold, NULL,
                   "Share of each source and of the author by lowe, for thresholds from 0 to 2");
    write_legend(html, curves, drawn, n);
    trib_report_say_in(html, "figcaption", NULL,
                       "Shares by {c} at every threshold. A result worth keeping does not hang on "
                       "one.",
                       "lowe");
    trib_html_end(html);
    write_curve_table(html, distances, curves, n > FULL_TABLE ? drawn : n);
}

void trib_report_distances(trib_report *report) {
    trib_html *html = &report->html;
    for (size_t t = 0; t < report->n_targets; t++) {
        const trib_distances_record *distances = report->target[t].record->distances;
        if (!distances) continue;
        trib_report_open_target(report, "distances", t);
        trib_report_factor_caveats(report, &report->target[t]);
        if (trib_report_is_short_page(report)) {
            trib_html_element(
                html, "p", "note",
                "influence.json has the distances, and the shares at every threshold.");
            trib_html_end(html);
            continue;
        }
        trib_html_open(html, "div", "pair");
        trib_html_begin(html, "div");
        write_histogram(report, distances);
        trib_html_end(html);
        trib_html_begin(html, "div");
        write_curves(report, distances);
        trib_html_end(html);
        trib_html_end(html);
        trib_html_end(html);
    }
}
