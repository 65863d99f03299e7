/* quality.c - how well the decompositions describe the texts, and which files contain the
 * numbers of the page. */
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
    trib_report_open_row(html, document->title);
    trib_report_count_cell(html, (double)factors->rank);
    trib_report_number_cell(html, factors->fit, 3);
    trib_report_percent_cell(html, factors->mass, 1);
    trib_report_count_cell(html, has_all ? (double)factors->zero : (double)NAN);
    trib_report_count_cell(html, has_all ? (double)factors->iterations : (double)NAN);
    if (restarts) trib_report_number_cell(html, factors->match, 2);
    trib_html_element(html, "td", NULL, "%s", factors->stop);
    trib_html_end(html);
}

static void write_table(trib_report *report) {
    const trib_document_records *documents = &report->result->documents;
    const bool restarts = any_restarts(report);
    trib_html *html = &report->html;
    trib_report_open_table(html, "numbers", "The decomposition of every text");
    trib_report_header_cell(html, NULL, "Text");
    trib_report_header_cells(html, "n", "Factors", "Fit", "Mass held", "Zero factors", "Iterations",
                             NULL);
    if (restarts) trib_report_header_cell(html, "n", "Restarts agree");
    trib_report_header_cell(html, NULL, "Ended because");
    trib_report_open_rows(html);
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
    trib_html_element(html, "figcaption", NULL,
                      "Fit after each of up to %zu iterations. A line that still rises at its end "
                      "would go on with a larger cp.iterations.",
                      longest);
    trib_html_end(html);
}

/* ---- The ranks that a search tried for every text -------------------------------------------- */

static const trib_rank_records *ranks_of(const trib_document_record *document) {
    static const trib_rank_records none = {0};
    return document->factors ? &document->factors->ranks : &none;
}

/* A value far below zero, where the core is not at all diagonal, has no meaning as a number. */
static void write_consistency(trib_html *html, double consistency) {
    if (consistency < -100) trib_html_element(html, "td", "n", "below -100");
    else trib_report_number_cell(html, consistency, 1);
}

static void write_ranks(trib_report *report, const trib_document_record *document) {
    trib_html *html = &report->html;
    for (size_t i = 0; i < ranks_of(document)->n; i++) {
        const trib_rank_record *rank = &ranks_of(document)->item[i];
        trib_report_open_row(html, document->title);
        trib_report_count_cell(html, (double)rank->rank);
        trib_report_count_cell(html, (double)rank->components);
        trib_report_number_cell(html, rank->error, 3);
        trib_report_number_cell(html, rank->l1_error, 3);
        write_consistency(html, rank->core_consistency);
        trib_report_count_cell(html, (double)rank->iterations);
        trib_html_element(html, "td", NULL, "%s%s", rank->chosen ? "taken: " : "",
                          rank->chosen ? trib_report_text(document->factors->rank_end) : "");
        trib_html_end(html);
    }
}

static void write_rank_table(trib_report *report) {
    trib_html *html = &report->html;
    trib_report_open_table(html, "numbers", "The ranks that were tried");
    trib_report_header_cell(html, NULL, "Text");
    trib_report_header_cells(html, "n", "Rank", "Factors left", "Error", "L1 error",
                             "Core consistency, %", "Iterations", NULL);
    trib_report_header_cell(html, NULL, "Taken because");
    trib_report_open_rows(html);
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
    double *const x = trib_arena_new(report->arena, ranks->n, sizeof *x), *const y = trib_arena_new(
                                                                              report->arena,
                                                                              ranks->n, sizeof *y);
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
    trib_html_element(html, "figcaption", NULL,
                      "Error of the model, 1 less the fit, at every rank that was tried, from "
                      "doubling to doubling. Where the line bends, further factors hold little.");
    trib_html_end(html);
}

/* The scree plot and the table with its numbers; with `cp.rank: auto`. */
static void write_all_ranks(trib_report *report) {
    double ends[2];
    if (!find_ends(report, ends)) return;
    write_rank_table(report);
    write_scree(report, ends);
}

void trib_report_quality(trib_report *report) {
    trib_html_element(
        &report->html, "p", "intro",
        "Shares by factors are as good as the factors. A fit of 1 explains every count of a text; "
        "texts of singular phrases rarely pass 0.5. What the factors do not hold says nothing "
        "about influence.");
    write_table(report);
    write_convergence(report);
    write_all_ranks(report);
}

/* ---- Files of data --------------------------------------------------------------------------- */

static bool has_csv(const trib_report *report) { return trib_report_has_format(report, "csv"); }
static bool has_json(const trib_report *report) { return trib_report_has_format(report, "json"); }
static bool has_tensors(const trib_report *report) {
    return trib_report_has_format(report, "tensors");
}

static bool has_nearest(const trib_report *report) {
    return report->has_distances && trib_report_has_format(report, "npy");
}

static bool has_factors(const trib_report *report) {
    return trib_report_has_quality(report) &&
           (trib_report_has_format(report, "factors") || trib_report_has_format(report, "npy"));
}

/* Whether the rank of some text was searched for. */
static bool has_ranks(const trib_report *report) {
    for (size_t d = 0; d < report->result->documents.n; d++) {
        const trib_factors_record *factors = report->result->documents.item[d].factors;
        if (factors && factors->ranks.item) return true;
    }
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
