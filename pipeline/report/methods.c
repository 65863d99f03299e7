/* methods.c - the shares by every method in one table, and what the methods measure. Each column is
 * rounded by itself, so that its numbers add up (trib_shown_shares); its first column has the
 * numbers of the bars. */
#include "pipeline/report/report.h"

typedef struct method_column {
    const trib_influence_record *method; /* NULL: the target has none */
    trib_shown_shares shares;            /* those of the headline with groups as one row */
    const trib_report_target *target;    /* NULL: not of the headline */
    bool sums_to_one;
    double listed; /* the sum of the rows written so far, as printed */
} method_column;

/* Writes the cell of a part of a target, with the decimals of its column. */
static void write_part_cell(trib_html *html, const method_column *column, double part,
                            const trib_shown_row *row) {
    char text[TRIB_FIXED_MAX];
    trib_html_open(html, "td", "n");
    if (column->target && (row || part == column->shares.author))
        trib_report_of(html, "data-share", column->target, row);
    trib_html_text(html, trib_percent(text, part, column->shares.decimals));
    trib_html_end(html);
}

/* Writes what a source, or all members of a group, have by a method; a dash for nothing. A share
 * that is rounded to 0 counts as 0 and is printed as less than a tenth of a per cent. Where the
 * shares of a method do not add up, a group has the largest of its members. */
static void write_share_cell(trib_html *html, method_column *column, const trib_shown_row *share) {
    double exact = NAN, printed = 0;
    for (size_t r = 0; r < column->shares.n; r++) {
        const trib_shown_row *row = &column->shares.row[r];
        if (!trib_row_has(share, row->source)) continue;
        exact =
            column->sums_to_one ? row->share + (isnan(exact) ? 0 : exact) : fmax(exact, row->share);
        printed = column->sums_to_one ? printed + row->printed : fmax(printed, row->printed);
    }
    column->listed += printed;
    write_part_cell(html, column, printed > 0 ? printed : exact, share);
}

static void write_share_row(trib_report *report, method_column *columns, size_t n,
                            const trib_shown_row *share) {
    trib_report_say(&report->html, "<tr><th scope='row'>{t}</th>", share->title);
    for (size_t c = 0; c < n; c++) write_share_cell(&report->html, &columns[c], share);
    trib_html_end(&report->html);
}

/* What the printed rows of a column leave to other sources; NaN when its shares do not add up. */
static double rest_of(const method_column *column) {
    const trib_shown_shares *parts = &column->shares;
    const double rest = 1 - column->listed - (isnan(parts->author) ? 0 : parts->author) -
                        (isnan(parts->formula) ? 0 : parts->formula);
    if (!column->sums_to_one || isnan(parts->author)) return NAN;
    return rest > 1e-9 ? rest : 0;
}

static double author_of(const method_column *column) { return column->shares.author; }
static double formula_of(const method_column *column) { return column->shares.formula; }
static double matched_of(const method_column *column) {
    return column->method ? column->method->matched : (double)NAN;
}
static double explained_of(const method_column *column) {
    return column->method ? column->method->explained : (double)NAN;
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
        trib_report_say(html, "<tr class='rest'><th scope='row'>{s}</th>", rows[r].title);
        for (size_t c = 0; c < n; c++)
            write_part_cell(html, &columns[c], rows[r].of(&columns[c]), NULL);
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
    for (size_t s = 0; s < target->shares.n; s++) {
        const trib_shown_row *share = &target->shares.row[s];
        if (is_brief && s >= target->n_flowing && (share->n_members > 0 || n_rows >= most))
            continue;
        write_share_row(report, columns, n, share);
        n_rows++;
    }
    write_other_rows(report, columns, n);
}

static void write_table(trib_report *report, const trib_report_target *target,
                        method_column *columns, size_t n) {
    const trib_method_records *methods = &report->result->methods;
    trib_html *html = &report->html;
    char caption[400];
    snprintf(caption, sizeof caption, "Shares of %.300s by every method", target->title);
    /* collapsed, also in print, when it would be a table of noise */
    trib_html_open(html, "details", target->n_flowing > 0 ? NULL : "long");
    if (target->n_flowing > 0) trib_html_attribute(html, "open", "open");
    trib_html_element(html, "summary", NULL,
                      trib_report_is_short_page(report) ? "By every method; influence.csv has more"
                                                        : "The same by every method");
    trib_report_open_head(html, "numbers methods", caption);
    trib_report_columns(html, "Source");
    for (size_t c = 0; c < n; c++) trib_report_columns(html, "#{s}", methods->item[c].name);
    trib_report_open_rows(html);
    write_rows(report, target, columns, n);
    trib_report_close_table(html);
    trib_html_end(html);
}

void trib_report_methods(trib_report *report, const trib_report_target *target) {
    const trib_method_records *methods = &report->result->methods;
    method_column *columns = NULL;
    if (methods->n < 2) return;
    columns = trib_arena_new(report->arena, methods->n, sizeof *columns);
    for (size_t c = 0; columns && c < methods->n; c++) {
        const char *name = methods->item[c].name;
        const bool is_headline = strcmp(name, report->result->headline) == 0;
        const trib_influence_record *method = trib_target_method(target->record, name);
        columns[c] =
            (method_column){.method = method,
                            .target = is_headline ? target : NULL,
                            .shares = is_headline ? target->shares
                                                  : trib_shown_shares_make(report->result, method,
                                                                           false, report->arena),
                            .sums_to_one = methods->item[c].sums_to_one};
    }
    if (columns) write_table(report, target, columns, methods->n);
}

void trib_report_meanings(trib_report *report) {
    const trib_method_records *methods = &report->result->methods;
    trib_html *html = &report->html;
    trib_report_say(html,
                    "<details><summary>What the methods measure</summary><dl class='meanings'>");
    for (size_t m = 0; m < methods->n; m++) {
        const trib_method_record *method = &methods->item[m];
        trib_report_say(html, "<dt>{c}", method->name);
        if (strcmp(method->name, report->result->headline) == 0)
            trib_report_say(html, "<small> the headline of this report</small>");
        trib_report_say(html, "</dt><dd>{s}.{s}</dd>", method->help,
                        method->sums_to_one ? "" : " Its shares overlap and do not add up.");
    }
    trib_report_say(html, "</dl></details>");
}

/* ---- The ranking of a target's sources, which is no share ------------------------------------ */

/* The headline share of a source; NaN where it has no row. */
static double share_of(const trib_report_target *target, const char *id) {
    for (size_t s = 0; s < target->shares.n; s++)
        if (strcmp(target->shares.row[s].source, id) == 0) return target->shares.row[s].share;
    return (double)NAN;
}

void trib_report_ranking(trib_report *report, const trib_report_target *target) {
    enum { SHOWN = 5 };
    const trib_ranked_records *ranking = &target->record->ranking;
    const size_t shown = ranking->n < SHOWN ? ranking->n : SHOWN;
    trib_html *html = &report->html;
    char caption[400];
    if (ranking->n < 2) return;
    snprintf(caption, sizeof caption, "Ranking of the sources of %.300s", target->title);
    trib_report_say(html,
                    "<details><summary>A ranking: the most likely predecessor</summary><p>Which "
                    "source this text most likely descends from, by split, traced and the titles "
                    "together. This is a ranking, not a share: its scores only order the sources "
                    "of one target. How much a source explains is its share.</p>");
    trib_report_open_table(html, "numbers", caption, "#Rank|Source|#Score|#Share");
    for (size_t i = 0; i < shown; i++)
        trib_report_say(html,
                        "<tr><td class='n'>{z}</td><th scope='row'>{t}</th><td class='n'>{f4}</td>"
                        "<td class='n'>{p1}</td></tr>",
                        i + 1, trib_report_title(report, ranking->item[i].source),
                        ranking->item[i].score, share_of(target, ranking->item[i].source));
    trib_report_close_table(html);
    trib_report_shown(html, shown, (double)ranking->n, "sources");
    trib_html_end(html);
}
