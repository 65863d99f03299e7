/* side_by_side.c - pages that set the shares of many targets, or of several runs, side by side. The
 * first page of a report with many targets has one sentence for each, all shares in one table, and
 * the largest shares; the evidence is on the page of each target. The page of several runs has the
 * differences between the runs, and for each target a table with a column for each run. */
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOWS = 100, ANSWERS = 50, DRAWN = 6 };

/* What a source gives to a target in one of the runs; without a share, the author's part of it. */
typedef struct flow {
    const trib_report_target *target;
    const trib_report_share *share; /* NULL: of the author */
    size_t run;
} flow;

static bool is_above_floor(const flow *f) {
    return f->share && !f->share->below && !f->share->decoy;
}

/* Orders shares above the noise floor first, larger ones first, then by id of the target and of the
 * source. */
static int by_share(const void *a, const void *b) {
    const flow *x = a, *y = b;
    if (is_above_floor(x) != is_above_floor(y)) return is_above_floor(x) ? -1 : 1;
    if (!is_above_floor(x)) return 0;
    if (x->share->share != y->share->share) return x->share->share < y->share->share ? 1 : -1;
    const int by_target = strcmp(x->target->id, y->target->id);
    return by_target ? by_target : strcmp(x->share->id, y->share->id);
}

/* Orders by id of the target, then by id of the source, the author last, then by run. */
static int by_ids(const void *a, const void *b) {
    const flow *x = a, *y = b;
    const int by_target = strcmp(x->target->id, y->target->id);
    if (by_target) return by_target;
    if (!x->share != !y->share) return x->share ? -1 : 1;
    const int by_source = x->share ? strcmp(x->share->id, y->share->id) : 0;
    return by_source ? by_source : x->run < y->run ? -1 : 1;
}

/* Lists every share of every target of the runs, and the author's part, in an order. The caller
 * frees the list; it is NULL after an error, which is recorded in the writer. */
static flow *list_flows(trib_html *html, const trib_report *report, size_t n_runs, size_t *n,
                        int (*order)(const void *, const void *)) {
    trib_error *error = &html->writer->failure;
    flow *list = NULL;
    size_t n_flows = 0;
    *n = 0;
    for (size_t r = 0; r < n_runs; r++)
        for (size_t t = 0; t < report[r].n_targets; t++)
            n_flows += report[r].target[t].n_shares + 1;
    if (error->status != TRIB_OK ||
        trib_new(&list, n_flows, sizeof *list, "the report's flows", error) != TRIB_OK)
        return NULL;
    for (size_t r = 0; r < n_runs; r++)
        for (size_t t = 0; t < report[r].n_targets; t++) {
            const trib_report_target *target = &report[r].target[t];
            for (size_t s = 0; s < target->n_shares; s++)
                list[(*n)++] = (flow){target, &target->share[s], r};
            list[(*n)++] = (flow){target, NULL, r};
        }
    if (n_flows > 1) qsort(list, n_flows, sizeof *list, order);
    return list;
}

/* Lists the shares above the noise floor, the largest first. */
static flow *list_largest(trib_report *report, size_t *n) {
    flow *list = list_flows(&report->html, report, 1, n, by_share);
    size_t n_above = 0;
    while (n_above < *n && is_above_floor(&list[n_above])) n_above++;
    *n = n_above;
    return list;
}

/* Writes the cell of a share with its interval below, in parentheses when it is below the floor or
 * a decoy's; `f` NULL: not a source, a dash. */
static void write_share(trib_html *html, const flow *f) {
    char text[TRIB_FIXED_MAX];
    const trib_report_share *share = f ? f->share : NULL;
    const double part = share ? share->share
                        : f   ? trib_json_get_number(f->target->headline, "author")
                              : (double)NAN;
    trib_html_open(html, "td", "n");
    trib_html_print(html, share && !is_above_floor(f) ? "(%s)" : "%s", trib_percent(text, part, 1));
    if (share) trib_report_interval(html, "small", share->low, share->high);
    trib_html_end(html);
}

/* ---- The answers ----------------------------------------------------------------------------- */

/* Writes "Of 233 targets, 201 draw on other texts here ..., in 31 nothing rises above it, and 1
 * has no source to be compared with." */
static void write_counts(trib_report *report) {
    trib_html *html = &report->html;
    size_t n_drawing = 0, n_alone = 0;
    for (size_t t = 0; t < report->n_targets; t++) {
        n_drawing += report->target[t].n_flowing > 0;
        n_alone += report->target[t].n_sources == 0;
    }
    const size_t n_without = report->n_targets - n_drawing - n_alone;
    char a[TRIB_FIXED_MAX];
    trib_report_say(html, "Of {n} targets, ", (double)report->n_targets);
    if (n_drawing == 0) trib_html_text(html, "none draws");
    else if (n_drawing == report->n_targets) trib_html_text(html, "all draw");
    else trib_report_say(html, "{n} {s}", (double)n_drawing, n_drawing == 1 ? "draws" : "draw");
    trib_html_text(html, " on other texts here above the noise floor.");
    if (n_without > 0 && n_drawing > 0)
        trib_html_print(html, " Into %s nothing is found to flow.",
                        n_without == 1 ? "one" : trib_grouped(a, (double)n_without));
    if (n_alone > 0)
        trib_html_print(html, " Of %s nothing can be said: no other text of this corpus may be %s.",
                        n_alone == 1 ? "one" : trib_grouped(a, (double)n_alone),
                        n_alone == 1 ? "its source" : "their source");
}

static void write_strongest(trib_report *report, const flow *list, size_t n) {
    trib_html *html = &report->html;
    char a[TRIB_FIXED_MAX], b[TRIB_FIXED_MAX];
    size_t tied = 0;
    if (n == 0) return;
    trib_percent(a, list[0].share->share, 1);
    while (tied < n && strcmp(a, trib_percent(b, list[tied].share->share, 1)) == 0) tied++;
    trib_html_text(html, tied == 1 ? " The strongest flow is " : " The strongest flows are ");
    trib_html_begin(html, "b");
    trib_report_percent(html, list[0].share->share);
    trib_html_end(html);
    if (tied > 3) {
        trib_html_print(html, " in %s pairs of texts.", trib_grouped(b, (double)tied));
        return;
    }
    trib_html_text(html, tied == 1 ? ", " : " each, ");
    for (size_t i = 0; i < tied; i++) {
        trib_report_join(html, i, tied);
        trib_report_say(html, "from {t} into ", list[i].share->title);
        trib_report_target_link(report, list[i].target);
    }
    trib_html_text(html, ".");
}

/* Lists the answer for each target; when there are very many, for those with the largest shares. */
static void list_answers(trib_report *report, const flow *list, size_t n) {
    trib_html *html = &report->html;
    const bool is_all = report->n_targets <= ANSWERS;
    const size_t n_entries = is_all ? report->n_targets : n;
    size_t n_listed = 0;
    trib_html_open(html, "ul", "answers");
    for (size_t i = 0; i < n_entries && n_listed < ANSWERS; i++) {
        const trib_report_target *target = is_all ? &report->target[i] : list[i].target;
        /* this target came before, with its largest share */
        if (!is_all && list[i].share != target->share) continue;
        trib_html_begin(html, "li");
        trib_report_answer_lead(report, target);
        trib_html_end(html);
        n_listed++;
    }
    trib_html_end(html);
    trib_report_shown(html, n_listed, (double)report->n_targets, "targets");
}

void trib_report_answers(trib_report *report) {
    trib_html *html = &report->html;
    size_t n = 0;
    flow *list = list_largest(report, &n);
    trib_html_open(html, "p", "lead");
    write_counts(report);
    write_strongest(report, list, n);
    trib_html_end(html);
    trib_html_element(html, "p", "note",
                      "Every target has a page of its own, with its phrases, passages, caveats "
                      "and the shares by every method.");
    trib_report_reading(report);
    list_answers(report, list, n);
    trib_report_warnings(report);
    trib_report_limits_link(report);
    trib_free(list);
}

/* ---- All shares ------------------------------------------------------------------------------ */

static void draw_piece(trib_html *html, double from, double width) {
    char text[TRIB_FIXED_MAX];
    if (!(width > 0)) return;
    trib_html_begin(html, "rect");
    trib_html_attribute(html, "x", "%s%%", trib_fixed(text, 100 * from, 2));
    trib_html_attribute(html, "width", "%s%%", trib_fixed(text, 100 * width, 2));
    trib_html_attribute(html, "height", "12");
    trib_html_end(html);
}

/* Draws the target as one bar: its strongest sources, the rest above the floor, the sources
 * below it, the formulas; the author's part stays empty. */
static void draw_whole(trib_html *html, const trib_report_target *target) {
    const double formula = trib_json_get_number(target->headline, "formula");
    double at = 0, more = 0, below = 0;
    trib_html_tag(html, "svg", "class", "whole", "aria-hidden", "true", "height", "12", NULL);
    if (target->n_flowing > 0) trib_html_open(html, "g", "water flows");
    for (size_t s = 0; s < target->n_shares; s++) {
        const double share = target->share[s].share;
        if (s >= target->n_flowing) below += share;
        else if (s >= DRAWN) more += share;
        else {
            draw_piece(html, at, share);
            at += share;
        }
    }
    draw_piece(html, at, more);
    if (target->n_flowing > 0) trib_html_end(html);
    if (below > 0) {
        trib_html_open(html, "g", "water below");
        draw_piece(html, at + more, below);
        trib_html_end(html);
    }
    if (formula > 0) {
        trib_html_open(html, "g", "water formula");
        draw_piece(html, at + more + below, formula);
        trib_html_end(html);
    }
    trib_html_end(html);
}

static bool has_formulas(const trib_report *report) {
    bool is_any = false;
    for (size_t t = 0; t < report->n_targets; t++)
        is_any = is_any || trib_json_get_number(report->target[t].headline, "formula") > 0;
    return is_any;
}

static void write_row(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    double flowing = 0;
    for (size_t s = 0; s < target->n_flowing; s++) flowing += target->share[s].share;
    trib_html_begin(html, "tr");
    trib_report_open_row_header(html, NULL);
    trib_report_target_link(report, target);
    trib_html_end(html);
    if (report->sums_to_one) {
        trib_html_open(html, "td", "drawn");
        draw_whole(html, target);
        trib_html_end(html);
        trib_report_percent_cell(html, target->n_sources > 0 ? flowing : (double)NAN, 1);
    }
    trib_report_count_cell(html, (double)target->n_flowing);
    trib_html_begin(html, "td");
    if (target->n_flowing > 0) trib_html_foreign(html, target->share[0].title);
    else trib_html_text(html, "\xE2\x80\x93");
    trib_html_end(html);
    trib_report_percent_cell(html, target->n_flowing > 0 ? target->share[0].share : (double)NAN, 1);
    trib_report_percent_cell(html, trib_json_get_number(target->headline, "author"), 1);
    trib_report_percent_cell(html, target->floor, 1);
    trib_html_end(html);
}

static void write_flows(trib_report *report, const flow *list, size_t n) {
    const size_t shown = n < FLOWS ? n : FLOWS;
    trib_html *html = &report->html;
    if (n == 0) return;
    trib_html_element(html, "h3", NULL, "The strongest flows");
    trib_report_open_table(html, "numbers", "Shares above the noise floor, the largest first");
    trib_report_header_cells(html, NULL, "From", "Into", NULL);
    trib_report_header_cells(html, "n", "Share, 90 % interval", NULL);
    trib_report_open_rows(html);
    for (size_t f = 0; f < shown; f++) {
        trib_report_open_row(html, list[f].share->title);
        trib_html_begin(html, "td");
        trib_report_target_link(report, list[f].target);
        trib_html_end(html);
        write_share(html, &list[f]);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_shown(html, shown, (double)n, "flows");
}

void trib_report_all_shares(trib_report *report) {
    trib_html *html = &report->html;
    size_t n = 0;
    flow *list = list_largest(report, &n);
    trib_report_say_in(html, "p", "intro",
                       "How much of each target its sources explain, by {c}. What lies below the "
                       "noise floor is what unrelated texts get, too{s}",
                       report->headline_name,
                       report->sums_to_one
                           ? "; it is hatched in the bars, whose blank part is the author\xE2\x80"
                             "\x99s own and the common language."
                           : ". Its shares overlap and do not add up.");
    if (report->sums_to_one && has_formulas(report))
        trib_html_element(html, "p", "note",
                          "The grey part of a bar is formulas, which very many texts hold.");
    trib_report_open_table(html, "numbers wholes", "Shares of every target");
    trib_report_header_cell(html, NULL, "Target");
    if (report->sums_to_one) {
        trib_html_tag(html, "th", "class", "drawn", "scope", "col", NULL);
        trib_html_element(html, "span", "hidden", "Drawn");
        trib_html_end(html);
        trib_report_header_cell(html, "n", "All sources");
    }
    trib_report_header_cell(html, "n", "Above the floor");
    trib_report_header_cell(html, NULL, "The strongest");
    trib_report_header_cells(html, "n", "Its share", "Author", "Noise floor", NULL);
    trib_report_open_rows(html);
    for (size_t t = 0; t < report->n_targets; t++) write_row(report, &report->target[t]);
    trib_report_close_table(html);
    trib_report_meanings(report);
    write_flows(report, list, n);
    trib_free(list);
}

/* ---- Several runs ---------------------------------------------------------------------------- */

typedef struct page {
    trib_html html;
    const trib_several *run;
    trib_report *report; /* [n] what the report of each run reads */
    const json_t **text; /* [n] texts by name, on which the runs may differ */
    size_t n;
} page;

/* The title in the first run that has the document. */
static const char *title_of(const page *p, const char *id) {
    for (size_t r = 0; r < p->n; r++)
        if (trib_report_document(&p->report[r], id)) return trib_report_title(&p->report[r], id);
    return id;
}

/* `kind`: the class of the cells of a run, "n" for numbers. */
static void open_table(page *p, const char *caption, const char *first, const char *kind) {
    trib_html *html = &p->html;
    trib_report_open_table(html, "numbers", caption);
    trib_report_header_cell(html, NULL, first);
    for (size_t r = 0; r < p->n; r++) trib_report_header_cell(html, kind, p->run[r].name);
    trib_report_open_rows(html);
}

static void write_runs(page *p) {
    trib_html *html = &p->html;
    trib_report_open_table(html, "numbers", "The runs");
    trib_report_header_cells(html, NULL, "Run", "Experiment", "Headline", "Program", "Hash", NULL);
    trib_report_open_rows(html);
    for (size_t r = 0; r < p->n; r++) {
        const json_t *result = p->run[r].result;
        trib_html_begin(html, "tr");
        trib_report_open_row_header(html, NULL);
        trib_html_link(html, p->run[r].name, "%s", p->run[r].link);
        trib_html_end(html);
        trib_html_foreign_element(html, "td", NULL, trib_json_get_text(result, "name"));
        trib_html_element(html, "td", NULL, "%s", trib_json_get_text(result, "headline"));
        trib_html_element(html, "td", NULL, "%s", trib_json_get_text(result, "version"));
        trib_html_begin(html, "td");
        trib_html_element(html, "code", NULL, "%.8s", trib_json_get_text(result, "hash"));
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_report_close_table(html);
}

/* ---- Differences ----------------------------------------------------------------------------- */

/* A table of what differs between the runs. */
typedef struct differences {
    const char *caption, *first; /* the title of the first column */
    int width;                   /* the bytes of a text that are shown */
    bool is_open;                /* a row was written */
} differences;

static const char *text_of(const json_t *texts, const char *name) {
    const char *text = json_string_value(json_object_get(texts, name));
    return !text ? "absent" : *text ? text : "\xE2\x80\x93";
}

/* Writes a row for every SECTION.NAME in p->text for which the runs have not all the same text. */
static void write_differing(page *p, const char *section, differences *table) {
    trib_html *html = &p->html;
    for (size_t first = 0; first < p->n; first++) {
        const char *name;
        json_t *value;
        json_object_foreach((json_t *)(uintptr_t)p->text[first], name, value) {
            bool is_first = true, differs = false; /* first: no earlier run has the name */
            char title[160];
            for (size_t r = 0; r < p->n; r++) {
                is_first = is_first && (r >= first || !json_object_get(p->text[r], name));
                differs = differs ||
                          strcmp(text_of(p->text[r], name), text_of(p->text[first], name)) != 0;
            }
            if (!is_first || !differs) continue;
            if (!table->is_open) open_table(p, table->caption, table->first, NULL);
            table->is_open = true;
            snprintf(title, sizeof title, "%s%s%s", section, *section ? "." : "", name);
            trib_report_open_row(html, title);
            for (size_t r = 0; r < p->n; r++)
                trib_html_element(html, "td", NULL, "%.*s", table->width,
                                  text_of(p->text[r], name));
            trib_html_end(html);
        }
    }
}

static void close_differences(page *p, const differences *table, const char *when_none) {
    if (table->is_open) trib_report_close_table(&p->html);
    else trib_html_element(&p->html, "p", "note", "%s", when_none);
}

static void write_settings(page *p) {
    static const char *const section[] = {"corpus", "tokens",    "vocabulary", "tensor",
                                          "cp",     "influence", "report"};
    differences table = {"Settings that differ", "Setting", 400, false};
    for (size_t i = 0; i < sizeof section / sizeof *section; i++) {
        for (size_t r = 0; r < p->n; r++)
            p->text[r] =
                json_object_get(json_object_get(p->run[r].result, "configuration"), section[i]);
        write_differing(p, section[i], &table);
    }
    close_differences(p, &table, "The settings are the same.");
}

static void write_inputs(page *p) {
    differences table = {"Texts that differ, by their SHA-256", "Text", 8, false};
    for (size_t r = 0; r < p->n; r++) {
        json_t *sums = json_object();
        for (size_t d = 0; d < p->report[r].n_documents; d++) {
            const json_t *document = p->report[r].document[d];
            json_object_set(sums, trib_json_get_text(document, "id"),
                            json_object_get(document, "sha256"));
        }
        p->text[r] = sums;
    }
    write_differing(p, "", &table);
    close_differences(p, &table, "The texts are the same.");
    for (size_t r = 0; r < p->n; r++) json_decref((json_t *)(uintptr_t)p->text[r]);
}

/* ---- The shares of the runs ------------------------------------------------------------------ */

/* Whether two flows are in one row: from one source, or of the author, into one target. */
static bool is_same_row(const flow *a, const flow *b) {
    return strcmp(a->target->id, b->target->id) == 0 && !a->share == !b->share &&
           (!a->share || strcmp(a->share->id, b->share->id) == 0);
}

/* Writes the row of the first flow, with a cell for each run; returns how many flows are in it. */
static size_t write_flow_row(page *p, const flow *list, size_t n) {
    trib_html *html = &p->html;
    size_t in_row = 0;
    if (list->share) trib_report_open_row(html, title_of(p, list->share->id));
    else {
        trib_html_open(html, "tr", "rest");
        trib_report_open_row_header(html, NULL);
        trib_html_text(html, "Author");
        trib_html_end(html);
    }
    for (size_t r = 0; r < p->n; r++) {
        const bool is_there =
            in_row < n && list[in_row].run == r && is_same_row(list, &list[in_row]);
        write_share(html, is_there ? &list[in_row++] : NULL);
    }
    trib_html_end(html);
    return in_row;
}

static void write_shares(page *p) {
    trib_html *html = &p->html;
    size_t n = 0, n_targets = 0;
    flow *list = list_flows(html, p->report, p->n, &n, by_ids);
    trib_html_element(html, "h2", NULL, "Shares");
    trib_html_element(html, "p", "intro",
                      "By the headline method of each run. In parentheses: below the noise floor, "
                      "or a decoy. A dash: not a source there.");
    for (size_t f = 0; f < n;) {
        const char *id = list[f].target->id;
        char caption[400];
        trib_html_open(html, "article", "target");
        trib_html_begin(html, "h3");
        trib_html_attribute(html, "id", "shares-%zu", ++n_targets);
        trib_html_foreign(html, title_of(p, id));
        trib_html_end(html);
        snprintf(caption, sizeof caption, "Shares of %.300s by the headline of each run",
                 title_of(p, id));
        open_table(p, caption, "Source", "n");
        while (f < n && strcmp(list[f].target->id, id) == 0)
            f += write_flow_row(p, &list[f], n - f);
        trib_report_close_table(html);
        trib_html_end(html);
    }
    trib_free(list);
}

static void write_page(page *p) {
    trib_html *html = &p->html;
    trib_report_open_page(html, "several runs", "influence", NULL);
    trib_html_open(html, "header", "masthead");
    trib_html_element(html, "h1", NULL, "%zu runs side by side", p->n);
    trib_html_end(html);
    trib_html_begin(html, "main");
    write_runs(p);
    trib_html_begin(html, "section");
    trib_html_element(html, "h2", NULL, "What differs");
    write_settings(p);
    write_inputs(p);
    trib_html_end(html);
    trib_html_begin(html, "section");
    write_shares(p);
    trib_html_end(html);
    trib_html_end(html);
    trib_report_close_page(html, NULL);
}

trib_status trib_report_write_several(const trib_several *run, size_t n_runs, const char *path,
                                      trib_error *error) {
    page p = {.run = run, .n = n_runs};
    trib_writer writer;
    trib_status status = trib_new(&p.text, n_runs, sizeof *p.text, "a row", error);
    if (status == TRIB_OK) status = trib_new(&p.report, n_runs, sizeof *p.report, "runs", error);
    for (size_t r = 0; r < n_runs && status == TRIB_OK; r++)
        status = trib_report_read(&p.report[r], run[r].result, error);
    if (status == TRIB_OK) status = trib_writer_open(&writer, path, error);
    if (status == TRIB_OK) {
        trib_html_init(&p.html, &writer);
        write_page(&p);
        trib_html_release(&p.html);
        status = trib_writer_commit(&writer, NULL, error); /* reports a failure while writing */
    }
    for (size_t r = 0; p.report && r < n_runs; r++) trib_report_release(&p.report[r]);
    trib_free(p.report);
    trib_free(p.text);
    return status;
}
