/* distances.c - the distances between the factors of a target and those of the sources, and the
 * shares at every other threshold. */
#include "pipeline/charts/svg.h"
#include "pipeline/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool trib_report_has_distances(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++)
        if (json_is_object(json_object_get(report->target[t].json, "distances"))) return true;
    return false;
}

static double item(const json_t *array, size_t i) {
    const json_t *value = json_array_get(array, i);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void write_histogram_table(trib_html *html, const json_t *edges, const json_t *counts) {
    char low[TRIB_FIXED_MAX], high[TRIB_FIXED_MAX];
    trib_html_details(html, "long", "The histogram as a table");
    trib_report_open_table(html, "numbers narrow",
                           "Factors by distance to their nearest source factor");
    trib_report_header_cell(html, NULL, "Distance");
    trib_report_header_cell(html, "n", "Factors");
    trib_report_open_rows(html);
    for (size_t b = 0; b < json_array_size(counts); b++) {
        if (!(item(counts, b) > 0)) continue;
        trib_html_begin(html, "tr");
        trib_report_open_row_header(html, NULL);
        trib_html_print(html, "%s to %s", trib_fixed(low, item(edges, b), 2),
                        trib_fixed(high, item(edges, b + 1), 2));
        trib_html_end(html);
        trib_report_count_cell(html, item(counts, b));
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_html_end(html);
}

static void write_histogram(trib_report *report, const json_t *distances) {
    trib_html *html = &report->html;
    const json_t *edges = json_object_get(distances, "edges");
    const json_t *counts = json_object_get(distances, "counts");
    double within = 0, all = 0;
    for (size_t b = 0; b < json_array_size(counts); b++) {
        all += item(counts, b);
        if (item(edges, b + 1) <= report->threshold + 1e-9) within += item(counts, b);
    }
    char threshold[TRIB_NUMBER_MAX], a[TRIB_FIXED_MAX], n[TRIB_FIXED_MAX], title[200];
    trib_number(threshold, report->threshold);
    trib_grouped(a, within);
    trib_grouped(n, all);
    snprintf(title, sizeof title,
             "Histogram of the distance of %s factors to their nearest source factor, from 0 to 2; "
             "threshold %s",
             n, threshold);
    trib_html_begin(html, "figure");
    trib_svg_histogram(html, edges, counts, report->threshold, title);
    trib_html_element(html, "figcaption", NULL,
                      "Factors by their distance to the nearest factor of a source (0: the same; "
                      "2: nothing in common). %s of %s lie in the bins up to the threshold, filled "
                      "solid.",
                      a, n);
    trib_html_end(html);
    write_histogram_table(html, edges, counts);
}

enum { FULL_TABLE = 40 }; /* with more sources, the table has only those that are drawn */

/* The line of a source; lines are ordered by the area under them. */
typedef struct curve {
    const char *id, *title;
    const json_t *share;
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

static void write_curve_table(trib_html *html, const json_t *thresholds, const curve *curves,
                              size_t n, const json_t *author) {
    char text[TRIB_FIXED_MAX];
    trib_html_details(html, "long", "The shares as a table");
    trib_report_open_table(html, "numbers", "Share by lowe at every threshold");
    trib_report_header_cell(html, "n", "Threshold");
    for (size_t c = 0; c < n; c++) {
        trib_report_foreign_header_cell(html, curves[c].title);
    }
    trib_report_header_cell(html, "n", "Author");
    trib_report_open_rows(html);
    for (size_t i = 0; i < json_array_size(thresholds); i++) {
        trib_html_begin(html, "tr");
        trib_report_open_row_header(html, "n");
        trib_html_text(html, trib_fixed(text, item(thresholds, i), 2));
        trib_html_end(html);
        for (size_t c = 0; c < n; c++) trib_report_percent_cell(html, item(curves[c].share, i), 1);
        trib_report_percent_cell(html, item(author, i), 1);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_html_end(html);
}

static void write_curves(trib_report *report, const json_t *distances) {
    static const char *const marks[] = {"1", "2", "3", "4", "5", "6"};
    trib_html *html = &report->html;
    const json_t *thresholds = json_object_get(distances, "thresholds");
    const json_t *author = json_object_get(distances, "author");
    json_t *shares = trib_result_curves(distances);
    curve *curves = NULL;
    const char *id;
    json_t *share;
    trib_svg_line lines[TRIB_SVG_LINES + 1];
    size_t n = 0, drawn = 0;
    trib_error *error = &html->writer->failure;
    if (error->status != TRIB_OK ||
        TRIB_NEW(&curves, json_object_size(shares), "the report's curves", error) != TRIB_OK)
        goto done;
    json_object_foreach(shares, id, share) {
        curves[n] = (curve){id, trib_report_title(report, id), share, 0};
        for (size_t i = 0; i < json_array_size(share); i++)
            if (item(share, i) > 0) curves[n].area += item(share, i);
        n++;
    }
    if (n > 1) qsort(curves, n, sizeof *curves, compare_curves);
    for (; drawn < n && drawn < TRIB_SVG_LINES; drawn++)
        lines[drawn] = (trib_svg_line){curves[drawn].share, (unsigned)drawn, marks[drawn], NULL};
    lines[drawn] = (trib_svg_line){author, TRIB_SVG_LINES, "A", NULL};
    trib_html_begin(html, "figure");
    trib_svg_lines(html, thresholds, lines, drawn + 1, report->threshold, NULL,
                   "Share of each source and of the author by lowe, for thresholds from 0 to 2");
    write_legend(html, curves, drawn, n);
    trib_report_say_in(html, "figcaption", NULL,
                       "Shares by {c} at every threshold. A result worth keeping does not hang on "
                       "one.",
                       "lowe");
    trib_html_end(html);
    write_curve_table(html, thresholds, curves, n > FULL_TABLE ? drawn : n, author);
done:
    trib_free(curves);
    json_decref(shares);
}

void trib_report_distances(trib_report *report) {
    trib_html *html = &report->html;
    for (size_t t = 0; t < report->n_targets; t++) {
        const json_t *distances = json_object_get(report->target[t].json, "distances");
        if (!json_is_object(distances)) continue;
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
