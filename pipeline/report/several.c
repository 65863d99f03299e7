/* several.c - the page of several runs: the differences between the runs, and for each target a
 * table of its shares with a column for each run. */
#include "pipeline/report/report.h"

typedef struct page {
    trib_html html;
    const trib_several *run;
    trib_report *report; /* [n] what the report of each run reads */
    size_t n;
} page;

/* The title in the first run that has the document. */
static const char *title_of(const page *p, const char *id) {
    for (size_t r = 0; r < p->n; r++)
        if (trib_result_document_of(p->run[r].result, id))
            return trib_result_title(p->run[r].result, id);
    return id;
}

/* `column`: of a run, by its name {s}. */
static void open_table(page *p, const char *caption, const char *first, const char *column) {
    trib_html *html = &p->html;
    trib_report_open_head(html, "numbers", caption);
    trib_report_columns(html, "{s}", first);
    for (size_t r = 0; r < p->n; r++) trib_report_columns(html, column, p->run[r].name);
    trib_report_open_rows(html);
}

static void write_runs(page *p) {
    trib_html *html = &p->html;
    trib_report_open_table(html, "numbers", "The runs", "Run|Experiment|Headline|Program|Hash");
    for (size_t r = 0; r < p->n; r++) {
        const trib_result *result = p->run[r].result;
        trib_report_say(html, "<tr><th scope='row'>");
        trib_html_link(html, p->run[r].name, "%s", p->run[r].link);
        trib_html_end(html);
        trib_report_cells(html, "{t}|{s}|{s}", result->name, result->headline, result->version);
        trib_html_begin(html, "td");
        trib_html_element(html, "code", NULL, "%.8s", result->hash);
        trib_report_say(html, "</td></tr>");
    }
    trib_report_close_table(html);
}

/* ---- Differences ----------------------------------------------------------------------------- */

/* A table of what differs between the runs. */
typedef struct differences {
    const char *caption, *first; /* the title of the first column */
    int width;                   /* the bytes of a text that are shown */
    /* the text of a run by this name; NULL: it has none */
    const char *(*text_of)(const trib_result *result, const char *name);
    bool is_open; /* a row was written */
} differences;

static const char *setting_of(const trib_result *result, const char *name) {
    for (size_t i = 0; i < result->configuration.n; i++)
        if (strcmp(result->configuration.item[i].key, name) == 0)
            return result->configuration.item[i].value;
    return NULL;
}

static const char *sum_of(const trib_result *result, const char *name) {
    const trib_document_record *document = trib_result_document_of(result, name);
    return document ? document->sha256 : NULL;
}

/* Writes a row if the runs have not all the same text by this name. `first` is the run that is
 * listed; the row is written for the first run that has the name. */
static void write_differing(page *p, differences *table, size_t first, const char *name) {
    trib_html *html = &p->html;
    const char *const own = table->text_of(p->run[first].result, name);
    bool differs = false;
    for (size_t r = 0; r < p->n; r++) {
        const char *const text = table->text_of(p->run[r].result, name);
        if (text && r < first) return;
        differs = differs || !text || strcmp(text, own) != 0;
    }
    if (!differs) return;
    if (!table->is_open) open_table(p, table->caption, table->first, "{s}");
    table->is_open = true;
    trib_report_say(html, "<tr><th scope='row'>{t}</th>", name);
    for (size_t r = 0; r < p->n; r++) {
        const char *const text = table->text_of(p->run[r].result, name);
        trib_html_element(html, "td", NULL, "%.*s", table->width,
                          !text   ? "absent"
                          : *text ? text
                                  : "\xE2\x80\x93");
    }
    trib_html_end(html);
}

static void close_differences(page *p, const differences *table, const char *when_none) {
    if (table->is_open) trib_report_close_table(&p->html);
    else trib_html_element(&p->html, "p", "note", "%s", when_none);
}

static void write_settings(page *p) {
    static const char *const section[] = {"corpus.", "tokens.",    "vocabulary.", "tensor.",
                                          "cp.",     "influence.", "report."};
    differences table = {"Settings that differ", "Setting", 400, setting_of, false};
    for (size_t i = 0; i < sizeof section / sizeof *section; i++)
        for (size_t r = 0; r < p->n; r++) {
            const trib_setting_records *settings = &p->run[r].result->configuration;
            for (size_t s = 0; s < settings->n; s++)
                if (strncmp(settings->item[s].key, section[i], strlen(section[i])) == 0)
                    write_differing(p, &table, r, settings->item[s].key);
        }
    close_differences(p, &table, "The settings are the same.");
}

static void write_inputs(page *p) {
    differences table = {"Texts that differ, by their SHA-256", "Text", 8, sum_of, false};
    for (size_t r = 0; r < p->n; r++)
        for (size_t d = 0; d < p->run[r].result->documents.n; d++)
            write_differing(p, &table, r, p->run[r].result->documents.item[d].id);
    close_differences(p, &table, "The texts are the same.");
}

/* ---- The shares of the runs ------------------------------------------------------------------ */

/* Orders by id of the target, then by id of the source, the author last, then by run. */
static int by_ids(const void *a, const void *b) {
    const trib_flow *x = a, *y = b;
    const int by_target = strcmp(x->target->id, y->target->id);
    if (by_target) return by_target;
    if (!x->share != !y->share) return x->share ? -1 : 1;
    const int by_source = x->share ? strcmp(x->share->source, y->share->source) : 0;
    return by_source ? by_source : x->run < y->run ? -1 : 1;
}

/* Whether two flows are in one row: from one source, or of the author, into one target. */
static bool is_same_row(const trib_flow *a, const trib_flow *b) {
    return strcmp(a->target->id, b->target->id) == 0 && !a->share == !b->share &&
           (!a->share || strcmp(a->share->source, b->share->source) == 0);
}

/* Writes the row of the first flow, with a cell for each run; returns how many flows are in it. */
static size_t write_flow_row(page *p, const trib_flow *list, size_t n) {
    trib_html *html = &p->html;
    size_t in_row = 0;
    if (list->share)
        trib_report_say(html, "<tr><th scope='row'>{t}</th>", title_of(p, list->share->source));
    else trib_report_say(html, "<tr class='rest'><th scope='row'>Author</th>");
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
    trib_report_say(html, "<h2>Shares</h2><p class='intro'>By the headline method of each run. In "
                          "parentheses: below the noise floor, or a decoy. A dash: not a source "
                          "there.</p>");
    for (size_t f = 0; f < n;) {
        const char *id = list[f].target->id;
        char caption[400];
        trib_report_say(html, "<article class='target'><h3 id='shares-{z}'>{t}</h3>", ++n_targets,
                        title_of(p, id));
        snprintf(caption, sizeof caption, "Shares of %.300s by the headline of each run",
                 title_of(p, id));
        open_table(p, caption, "Source", "#{s}");
        while (f < n && strcmp(list[f].target->id, id) == 0)
            f += write_flow_row(p, &list[f], n - f);
        trib_report_close_table(html);
        trib_html_end(html);
    }
    trib_free(list);
}

static void write_page(page *p) {
    trib_html *html = &p->html;
    trib_report_open_page(html, "several runs", "influence", NULL, false);
    trib_report_say(html, "<header class='masthead'><h1>{z} runs side by side</h1></header><main>",
                    p->n);
    write_runs(p);
    trib_report_say(html, "<section><h2>What differs</h2>");
    write_settings(p);
    write_inputs(p);
    trib_report_say(html, "</section><section>");
    write_shares(p);
    trib_report_say(html, "</section></main>");
    trib_report_close_page(html, NULL, false);
}

trib_status trib_report_write_several(const trib_several *run, size_t n_runs, const char *path,
                                      trib_error *error) {
    page p = {.run = run, .n = n_runs};
    trib_writer writer;
    trib_status status = TRIB_NEW(&p.report, n_runs, "runs", error);
    for (size_t r = 0; r < n_runs && status == TRIB_OK; r++)
        status = trib_report_read(&p.report[r], run[r].result, TRIB_REPORT_DETAILS, error);
    if (status == TRIB_OK) status = trib_writer_open(&writer, path, error);
    if (status == TRIB_OK) {
        trib_html_init(&p.html, &writer);
        write_page(&p);
        trib_html_release(&p.html);
        status = trib_writer_commit(&writer, NULL, error); /* reports a failure while writing */
    }
    for (size_t r = 0; p.report && r < n_runs; r++) trib_report_release(&p.report[r]);
    trib_free(p.report);
    return status;
}
