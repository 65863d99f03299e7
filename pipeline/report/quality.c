/* quality.c - how well the decompositions describe the texts, and which files contain the
 * numbers of the page. */
#include "pipeline/charts/svg.h"
#include "pipeline/report/report.h"

#include <math.h>
#include <string.h>

bool trib_report_has_quality(const trib_report *report) {
    for (size_t d = 0; d < trib_report_n_documents(report); d++)
        if (json_is_object(trib_report_factors(report, d))) return true;
    return false;
}

static bool any_restarts(const trib_report *report) {
    for (size_t d = 0; d < trib_report_n_documents(report); d++)
        if (trib_json_get_number(trib_report_factors(report, d), "restarts") > 1) return true;
    return false;
}

static void write_row(trib_html *html, const json_t *document, const json_t *factors,
                      bool restarts) {
    trib_report_open_row(html, trib_json_get_text(document, "title"));
    trib_report_count_cell(html, trib_json_get_number(factors, "rank"));
    trib_report_number_cell(html, trib_json_get_number(factors, "fit"), 3);
    trib_report_percent_cell(html, trib_json_get_number(factors, "mass"), 1);
    trib_report_count_cell(html, trib_json_get_number(factors, "zero"));
    trib_report_count_cell(html, trib_json_get_number(factors, "iterations"));
    if (restarts) trib_report_number_cell(html, trib_json_get_number(factors, "match"), 2);
    trib_html_element(html, "td", NULL, "%s", trib_json_get_text(factors, "stop"));
    trib_html_end(html);
}

static void write_table(trib_report *report) {
    const json_t *documents = json_object_get(report->result, "documents");
    const bool restarts = any_restarts(report);
    trib_html *html = &report->html;
    trib_report_open_table(html, "numbers", "The decomposition of every text");
    trib_report_header_cell(html, NULL, "Text");
    trib_report_header_cells(html, "n", "Factors", "Fit", "Mass held", "Zero factors", "Iterations",
                             NULL);
    if (restarts) trib_report_header_cell(html, "n", "Restarts agree");
    trib_report_header_cell(html, NULL, "Ended because");
    trib_report_open_rows(html);
    for (size_t d = 0; d < trib_report_n_documents(report); d++)
        if (json_is_object(trib_report_factors(report, d)))
            write_row(html, json_array_get(documents, d), trib_report_factors(report, d), restarts);
    trib_report_close_table(html);
}

/* Plots the fit after each iteration for the first TRIB_SVG_LINES texts, on the axis of the
 * longest run. */
static void write_convergence(trib_report *report) {
    static const char *const marks[] = {"1", "2", "3", "4", "5", "6"};
    const json_t *documents = json_object_get(report->result, "documents");
    trib_svg_line line[TRIB_SVG_LINES];
    const char *title[TRIB_SVG_LINES];
    trib_html *html = &report->html;
    size_t n = 0, n_all = 0, longest = 0;
    for (size_t d = 0; d < trib_report_n_documents(report); d++) {
        const json_t *fits = json_object_get(trib_report_factors(report, d), "fits");
        if (json_array_size(fits) < 2) continue;
        n_all++;
        if (n == TRIB_SVG_LINES) continue;
        if (json_array_size(fits) > longest) longest = json_array_size(fits);
        title[n] = trib_json_get_text(json_array_get(documents, d), "title");
        line[n] = (trib_svg_line){fits, (unsigned)n, marks[n], NULL};
        n++;
    }
    if (n == 0) return;
    json_t *x = json_array(); /* the axis runs from 0 to 2 */
    for (size_t i = 0; i < longest; i++)
        json_array_append_new(x, trib_json_real("x", 2.0 * (double)i / (double)(longest - 1)));
    trib_html_begin(html, "figure");
    trib_svg_lines(html, x, line, n, NAN, (const double[2]){1, (double)longest},
                   "Fit after every iteration, from the first to the last; numbers in the table "
                   "above and in influence.json");
    trib_svg_legend(html, line, title, n, n_all);
    trib_html_element(html, "figcaption", NULL,
                      "Fit after each of up to %zu iterations. A line that still rises at its end "
                      "would go on with a larger cp.iterations.",
                      longest);
    trib_html_end(html);
    json_decref(x);
}

void trib_report_quality(trib_report *report) {
    trib_html_element(
        &report->html, "p", "intro",
        "Shares by factors are as good as the factors. A fit of 1 explains every count of a text; "
        "texts of singular phrases rarely pass 0.5. What the factors do not hold says nothing "
        "about influence.");
    write_table(report);
    write_convergence(report);
    trib_report_ranks(report);
}

/* ---- Files of data --------------------------------------------------------------------------- */

static bool has_csv(const trib_report *report) { return trib_report_has_format(report, "csv"); }
static bool has_json(const trib_report *report) { return trib_report_has_format(report, "json"); }
static bool has_tensors(const trib_report *report) {
    return trib_report_has_format(report, "tensors");
}

static bool has_nearest(const trib_report *report) {
    return trib_report_has_distances(report) && trib_report_has_format(report, "npy");
}

static bool has_factors(const trib_report *report) {
    return trib_report_has_quality(report) &&
           (trib_report_has_format(report, "factors") || trib_report_has_format(report, "npy"));
}

/* Whether the rank of some text was searched for. */
static bool has_ranks(const trib_report *report) {
    for (size_t d = 0; d < trib_report_n_documents(report); d++)
        if (json_object_get(trib_report_factors(report, d), "ranks")) return true;
    return false;
}

static bool has_flows(const trib_report *report) {
    return report->n_all_targets > 1 && has_csv(report);
}

void trib_report_data(trib_report *report) {
    static const struct {
        const char *file, *what;
        bool (*has)(const trib_report *report); /* NULL: always */
    } files[] = {
        {"influence.csv",
         "target, source, method, share, interval; of more than 40 sources those above the noise "
         "floor and the 20 largest",
         has_csv},
        {"influence.json", "everything on this page, for programs", has_json},
        {"phrases.csv",
         "every phrase behind every share, with its counts; below the noise floor the strongest, "
         "and how many there are",
         has_csv},
        {"map.csv", "the cells of the map of all texts", has_flows},
        {"flows.csv", "who draws on whom above the noise floor, with dates", has_flows},
        {"influence.graphml", "the network, for Gephi, yEd, igraph", trib_report_has_network},
        {"influence.dot", "the same for Graphviz", trib_report_has_network},
        {"nearest.npy", "the distance of every target factor to every source", has_nearest},
        {"ranks.csv", "the ranks tried for every text", has_ranks},
        {"inputs.tsv", "what was read, cut and not read, and why", NULL},
        {"vocab.tsv", "the words with their counts", NULL},
        {"tensors/", "the n-gram counts of every text", has_tensors},
        {"factors/", "the factors of every text", has_factors},
        {"config.resolved.yaml", "the settings, complete", NULL},
        {"manifest.json", "program, libraries and inputs", NULL},
        {"SHA256SUMS", "checksums of all of these; tributary verify looks at them", NULL},
    };
    trib_html *html = &report->html;
    trib_html_element(html, "p", "intro", "These files of the run hold every number of this page.");
    trib_html_open(html, "dl", "files");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i].has && !files[i].has(report)) continue;
        trib_html_begin(html, "dt");
        trib_html_link(html, files[i].file, "%s%s", report->data, files[i].file);
        trib_html_end(html);
        trib_html_element(html, "dd", NULL, "%s", files[i].what);
    }
    trib_html_end(html);
}
