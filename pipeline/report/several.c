/* several.c - the page of several runs: the differences between the runs, and for each target a
 * table of its shares with a column for each run. */
#include "pipeline/report/report.h"

#include <stdio.h>
#include <string.h>

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
        for (size_t d = 0; d < p->report[r].documents.n; d++) {
            const json_t *document = p->report[r].documents.item[d];
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

/* Orders by id of the target, then by id of the source, the author last, then by run. */
static int by_ids(const void *a, const void *b) {
    const trib_flow *x = a, *y = b;
    const int by_target = strcmp(x->target->id, y->target->id);
    if (by_target) return by_target;
    if (!x->share != !y->share) return x->share ? -1 : 1;
    const int by_source = x->share ? strcmp(x->share->id, y->share->id) : 0;
    return by_source ? by_source : x->run < y->run ? -1 : 1;
}

/* Whether two flows are in one row: from one source, or of the author, into one target. */
static bool is_same_row(const trib_flow *a, const trib_flow *b) {
    return strcmp(a->target->id, b->target->id) == 0 && !a->share == !b->share &&
           (!a->share || strcmp(a->share->id, b->share->id) == 0);
}

/* Writes the row of the first flow, with a cell for each run; returns how many flows are in it. */
static size_t write_flow_row(page *p, const trib_flow *list, size_t n) {
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
        trib_flow_cell(html, is_there ? &list[in_row++] : NULL);
    }
    trib_html_end(html);
    return in_row;
}

static void write_shares(page *p) {
    trib_html *html = &p->html;
    size_t n = 0, n_targets = 0;
    trib_flow *list = trib_flows_list(html, p->report, p->n, &n, by_ids);
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
    trib_status status = TRIB_NEW(&p.text, n_runs, "a row", error);
    if (status == TRIB_OK) status = TRIB_NEW(&p.report, n_runs, "runs", error);
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
    TRIB_FREE(p.report, p.text);
    return status;
}
