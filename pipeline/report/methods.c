/* methods.c - the shares by every method in one table, and what the methods measure. Each column is
 * rounded by itself, so that its numbers add up (trib_parts); its first column has the numbers of
 * the bars. */
#include "pipeline/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct method_column {
    const json_t *method; /* element of "methods" of the target */
    json_t *rows;         /* its shares; those of the headline with groups as one row */
    trib_parts parts;
    bool sums_to_one;
    double listed; /* the sum of the rows written so far, as printed */
} method_column;

/* Writes what a source, or all members of a group, have by a method; a dash for nothing. A share
 * that is rounded to 0 counts as 0 and is printed as less than a tenth of a per cent. Where the
 * shares of a method do not add up, a group has the largest of its members. */
static void write_share_cell(trib_html *html, method_column *column,
                             const trib_report_share *share) {
    double exact = NAN, printed = 0;
    for (size_t r = 0; r < column->parts.n_rows; r++) {
        const json_t *row = json_array_get(column->rows, r);
        if (!trib_report_share_of(share, trib_json_get_text(row, "source"))) continue;
        const double one = trib_json_get_number(row, "share");
        exact = column->sums_to_one ? one + (isnan(exact) ? 0 : exact) : fmax(exact, one);
        printed = column->sums_to_one ? printed + column->parts.row[r]
                                      : fmax(printed, column->parts.row[r]);
    }
    column->listed += printed;
    trib_report_percent_cell(html, printed > 0 ? printed : exact, column->parts.decimals);
}

static void write_share_row(trib_report *report, method_column *columns, size_t n,
                            const trib_report_share *share) {
    trib_report_open_row(&report->html, share->title);
    for (size_t c = 0; c < n; c++) write_share_cell(&report->html, &columns[c], share);
    trib_html_end(&report->html);
}

/* What the printed rows of a column leave to other sources; NaN when its shares do not add up. */
static double rest_of(const method_column *column) {
    const trib_parts *parts = &column->parts;
    const double rest = 1 - column->listed - (isnan(parts->author) ? 0 : parts->author) -
                        (isnan(parts->formula) ? 0 : parts->formula);
    if (!column->sums_to_one || isnan(parts->author)) return NAN;
    return rest > 1e-9 ? rest : 0;
}

static double author_of(const method_column *column) { return column->parts.author; }
static double formula_of(const method_column *column) { return column->parts.formula; }
static double matched_of(const method_column *column) {
    return trib_json_get_number(column->method, "matched");
}
static double explained_of(const method_column *column) {
    return trib_json_get_number(column->method, "explained");
}

/* Writes the rows of what is not from a single source; leaves out those without a number. */
static void write_other_rows(trib_report *report, const method_column *columns, size_t n) {
    static const struct {
        const char *title;
        double (*of)(const method_column *column);
    } rows[] = {{"All other sources", rest_of},
                {"Author", author_of},
                {"Formulas, in very many texts", formula_of},
                {"Factor mass that found a source", matched_of},
                {"Text mass held by the factors", explained_of}};
    trib_html *html = &report->html;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        bool is_any = false;
        for (size_t c = 0; c < n; c++) {
            const double number = rows[r].of(&columns[c]);
            is_any = is_any || (rows[r].of == rest_of ? number > 0 : !isnan(number));
        }
        if (!is_any) continue;
        trib_html_open(html, "tr", "rest");
        trib_report_open_row_header(html, NULL);
        trib_html_text(html, rows[r].title);
        trib_html_end(html);
        for (size_t c = 0; c < n; c++)
            trib_report_percent_cell(html, rows[r].of(&columns[c]), columns[c].parts.decimals);
        trib_html_end(html);
    }
}

/* With many sources, the rows are those above the noise floor and some below it. */
static void write_rows(trib_report *report, const trib_report_target *target,
                       method_column *columns, size_t n) {
    enum { MOST = 10, MOST_OF_SHORT = 5 };
    const bool is_brief = trib_report_is_brief(target);
    const size_t most = trib_report_is_short_page(report) ? MOST_OF_SHORT : MOST;
    size_t n_rows = 0;
    for (size_t s = 0; s < target->n_shares; s++) {
        const trib_report_share *share = &target->share[s];
        if (is_brief && s >= target->n_flowing && (share->members || n_rows >= most)) continue;
        write_share_row(report, columns, n, share);
        n_rows++;
    }
    write_other_rows(report, columns, n);
}

static void write_table(trib_report *report, const trib_report_target *target,
                        method_column *columns, size_t n) {
    const json_t *methods = json_object_get(report->result, "methods");
    trib_html *html = &report->html;
    char caption[400];
    snprintf(caption, sizeof caption, "Shares of %.300s by every method", target->title);
    /* collapsed, also in print, when it would be a table of noise */
    trib_html_open(html, "details", target->n_flowing > 0 ? NULL : "long");
    if (target->n_flowing > 0) trib_html_attribute(html, "open", "open");
    trib_html_element(html, "summary", NULL,
                      trib_report_is_short_page(report) ? "By every method; influence.csv has more"
                                                        : "The same by every method");
    trib_report_open_table(html, "numbers methods", caption);
    trib_report_header_cell(html, NULL, "Source");
    for (size_t c = 0; c < n; c++)
        trib_report_header_cell(html, "n", trib_json_get_text(json_array_get(methods, c), "name"));
    trib_report_open_rows(html);
    write_rows(report, target, columns, n);
    trib_report_close_table(html);
    trib_html_end(html);
}

void trib_report_methods(trib_report *report, const trib_report_target *target) {
    const json_t *methods = json_object_get(report->result, "methods"),
                 *of_target = json_object_get(target->json, "methods");
    const size_t n = json_array_size(methods);
    trib_error *failure = &report->html.writer->failure;
    method_column *columns = NULL;
    if (n < 2) return;
    trib_status status = TRIB_NEW(&columns, n, "the methods", failure);
    for (size_t c = 0; c < n && status == TRIB_OK; c++) {
        const json_t *method = json_array_get(methods, c);
        columns[c].method = json_object_get(of_target, trib_json_get_text(method, "name"));
        columns[c].sums_to_one = trib_json_get_flag(method, "sums_to_one");
        columns[c].rows = columns[c].method == target->headline
                              ? trib_result_rows(&report->documents, target->headline)
                              : json_incref(json_object_get(columns[c].method, "shares"));
        status = trib_parts_make(&columns[c].parts, columns[c].method, columns[c].rows, failure);
    }
    if (status == TRIB_OK) write_table(report, target, columns, n);
    for (size_t c = 0; columns && c < n; c++) {
        trib_parts_release(&columns[c].parts);
        json_decref(columns[c].rows);
    }
    trib_free(columns);
}

void trib_report_meanings(trib_report *report) {
    const json_t *methods = json_object_get(report->result, "methods");
    trib_html *html = &report->html;
    trib_html_details(html, NULL, "What the methods measure");
    trib_html_open(html, "dl", "meanings");
    for (size_t m = 0; m < json_array_size(methods); m++) {
        const json_t *method = json_array_get(methods, m);
        const char *name = trib_json_get_text(method, "name");
        trib_html_begin(html, "dt");
        trib_html_element(html, "code", NULL, "%s", name);
        if (strcmp(name, report->headline_name) == 0)
            trib_html_element(html, "small", NULL, " the headline of this report");
        trib_html_end(html);
        trib_html_element(html, "dd", NULL, "%s.%s", trib_json_get_text(method, "help"),
                          trib_json_get_flag(method, "sums_to_one")
                              ? ""
                              : " Its shares overlap and do not add up.");
    }
    trib_html_end(html);
    trib_html_end(html);
}
