/* network.c - the network of many documents: who draws on whom, as a drawing (time.c) and as
 * tables; the order of time in it, what contradicts that order, and what reached a text through
 * others. */
#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGES = 500, EDGES_OF_MANY = 100, PATHS = 60, NAMED = 8 };

/* The graph of the result, prepared for this section. */
typedef struct network {
    trib_report *report;
    const json_t *order;
    const json_t **edge, **path; /* [n_edges], [n_paths] by descending share */
    size_t n_edges, n_paths;
    size_t n_texts;
} network;

bool trib_report_has_network(const trib_report *report) {
    return json_array_size(json_object_get(json_object_get(report->result, "graph"), "order")) > 1;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static int by_number(const json_t *x, const json_t *y, const char *key) {
    const double a = trib_json_get_number(x, key), b = trib_json_get_number(y, key);
    if (a != b) return a < b ? 1 : -1;
    const int target = strcmp(trib_json_get_text(x, "target"), trib_json_get_text(y, "target"));
    return target ? target
                  : strcmp(trib_json_get_text(x, "source"), trib_json_get_text(y, "source"));
}

static int by_share(const void *a, const void *b) {
    return by_number(*(const json_t *const *)a, *(const json_t *const *)b, "share");
}

static int by_through(const void *a, const void *b) {
    return by_number(*(const json_t *const *)a, *(const json_t *const *)b, "through");
}

static trib_status read_list(const json_t *list, const json_t ***item, size_t *n,
                             int (*order)(const void *, const void *), trib_error *error) {
    const trib_status status = TRIB_NEW(item, json_array_size(list), "the network", error);
    for (size_t i = 0; status == TRIB_OK && i < json_array_size(list); i++)
        (*item)[(*n)++] = json_array_get(list, i);
    if (*n > 0) qsort(*item, *n, sizeof **item, order);
    return status;
}

static trib_status read_network(network *w, trib_error *error) {
    const json_t *graph = json_object_get(w->report->result, "graph");
    w->order = json_object_get(graph, "order");
    w->n_texts = json_array_size(w->order);
    trib_status status = TRIB_OK;
    for (size_t i = 0; status == TRIB_OK && i < w->n_texts; i++)
        if (!json_is_string(json_array_get(w->order, i)))
            status =
                trib_fail(error, TRIB_INPUT, "influence.json: 'order' of the graph holds no id");
    if (status == TRIB_OK)
        status = read_list(json_object_get(graph, "edges"), &w->edge, &w->n_edges, by_share, error);
    if (status == TRIB_OK)
        status =
            read_list(json_object_get(graph, "paths"), &w->path, &w->n_paths, by_through, error);
    return status;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

static void write_title(const network *w, const char *id) {
    trib_html_foreign(&w->report->html, trib_report_title(w->report, id));
}

static void write_intro(const network *w) {
    static const char *const how[][2] = {
        {"dates", "The order of time is that of the dates."},
        {"shares",
         "No text has a date, so the order is the one that most influence runs along. Shares alone "
         "cannot tell a source from its copy: it is a proposal, which dates would decide."},
        {"dates and shares",
         "Where dates say nothing the order is the one that most influence runs along: "
         "there it is a proposal."}};
    trib_html *html = &w->report->html;
    const char *from =
        trib_json_get_text(json_object_get(w->report->result, "graph"), "order_from");
    trib_html_open(html, "p", "intro");
    trib_html_text(
        html,
        "Earlier texts stand above later ones. An arc runs from a source to the text that draws on "
        "it, the wider the larger the share, and is a link to the evidence; only what is above the "
        "noise floor is drawn. A dotted arc is an ancestor\xE2\x80\x99s: what it gives stands in a "
        "text in between, too. A dashed one runs against time. ");
    for (size_t i = 0; i < sizeof how / sizeof *how; i++)
        if (strcmp(how[i][0], from) == 0) trib_html_text(html, how[i][1]);
    trib_html_end(html);
}

/* Marks the documents with an edge: has[n_documents]. */
static void mark_ends(const network *w, uint8_t *has) {
    static const char *const ends[] = {"source", "target"};
    for (size_t e = 0; e < w->n_edges; e++)
        for (size_t i = 0; i < 2; i++) {
            const size_t d = trib_report_place(w->report, trib_json_get_text(w->edge[e], ends[i]));
            if (d < w->report->documents.n) has[d] = 1;
        }
}

/* Lists the texts without an edge. */
static void write_lonely(const network *w, const uint8_t *has) {
    trib_html *html = &w->report->html;
    size_t n = 0, n_named = 0;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < w->n_texts; i++) {
            const char *id = json_string_value(json_array_get(w->order, i));
            const size_t d = trib_report_place(w->report, id);
            if (d < w->report->documents.n && has[d]) continue;
            if (round == 0) n++;
            else if (n_named < NAMED) {
                trib_report_join(html, n_named++, n < NAMED ? n : NAMED);
                write_title(w, id);
            }
        }
        if (n == 0) return;
        if (round == 0) {
            trib_html_open(html, "p", "note");
            trib_html_text(html, "Nothing above the noise floor joins ");
        }
    }
    if (n > NAMED) trib_html_print(html, " and %zu more", n - NAMED);
    trib_html_text(html, " to the others.");
    trib_html_end(html);
}

/* Whether the dates show that the first text ends before the second begins. */
static bool is_earlier(const network *w, const char *first, const char *second) {
    const json_t *a = trib_report_document(w->report, first);
    const json_t *b = trib_report_document(w->report, second);
    double year, end, begin, year_end;
    return trib_date_read(trib_json_get_text(a, "date"), &year, &end) &&
           trib_date_read(trib_json_get_text(b, "date"), &begin, &year_end) && end <= begin;
}

static void write_contradictions(const network *w) {
    trib_html *html = &w->report->html;
    char share[TRIB_FIXED_MAX];
    size_t n = 0, n_named = 0;
    for (size_t e = 0; e < w->n_edges; e++) n += trib_json_get_flag(w->edge[e], "backward");
    if (n == 0) return;
    trib_html_open(html, "div", "caveats");
    trib_html_element(html, "p", "label", "Against the order of time");
    trib_html_begin(html, "ul");
    for (size_t e = 0; e < w->n_edges && n_named < NAMED; e++) {
        if (!trib_json_get_flag(w->edge[e], "backward")) continue;
        n_named++;
        trib_html_begin(html, "li");
        const char *target = trib_json_get_text(w->edge[e], "target"),
                   *source = trib_json_get_text(w->edge[e], "source");
        const bool is_dated = is_earlier(w, target, source);
        write_title(w, target);
        trib_html_text(html, is_dated ? " would draw on the later " : " would draw on ");
        write_title(w, source);
        trib_html_print(html, "%s: %s.", is_dated ? "" : ", which only the shares place later",
                        trib_percent(share, trib_json_get_number(w->edge[e], "share"), 1));
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_report_shown(html, n_named, (double)n, "contradictions");
    trib_html_element(
        html, "p", NULL, "%s",
        "Where dates are known, corpus.order: by-date keeps later texts from being sources.");
    trib_html_end(html);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void open_table(const network *w, const char *summary, const char *caption) {
    trib_html_details(&w->report->html, "long", "%s", summary);
    trib_report_open_table(&w->report->html, "numbers", caption);
    trib_report_header_cells(&w->report->html, NULL, "Source", "Target", NULL);
}

static void write_ends(const network *w, const json_t *edge) {
    trib_html *html = &w->report->html;
    trib_html_begin(html, "tr");
    trib_report_open_row_header(html, NULL);
    const char *source = trib_json_get_text(edge, "source");
    const json_t *members = json_object_get(edge, "members");
    write_title(w, source);
    for (size_t m = 0; m < json_array_size(members); m++) {
        const char *id = json_string_value(json_array_get(members, m));
        if (!id || strcmp(id, source) == 0) continue;
        trib_html_text(html, " or ");
        write_title(w, id);
    }
    trib_html_end(html);
    trib_html_begin(html, "td");
    write_title(w, trib_json_get_text(edge, "target"));
    trib_html_end(html);
}

/* Writes "98.0 % in Beta, 12.0 % in Gamma; an ancestor". */
static void write_between(const network *w, const json_t *edge) {
    trib_html *html = &w->report->html;
    const json_t *between = json_object_get(edge, "between");
    char share[TRIB_FIXED_MAX];
    trib_html_begin(html, "td");
    for (size_t b = 0; b < json_array_size(between) && b < NAMED; b++) {
        const json_t *one = json_array_get(between, b);
        trib_html_print(html, "%s%s in ", b > 0 ? ", " : "",
                        trib_percent(share, trib_json_get_number(one, "held"), 0));
        write_title(w, trib_json_get_text(one, "id"));
    }
    if (json_array_size(between) > NAMED)
        trib_html_print(html, " and %zu more", json_array_size(between) - NAMED);
    if (trib_json_get_flag(edge, "ancestor")) trib_html_text(html, ": an ancestor");
    if (trib_json_get_flag(edge, "backward")) trib_html_text(html, "against the order of time");
    trib_html_end(html);
}

static void write_edges(const network *w) {
    trib_html *html = &w->report->html;
    open_table(w, "The network as a table", "Who draws on whom, the strongest first");
    trib_report_header_cells(html, "n", "Share", "of that in between", NULL);
    trib_report_header_cell(html, NULL, "Held in between");
    trib_report_open_rows(html);
    const size_t most = w->n_texts > TRIB_REPORT_MANY_ROWS ? EDGES_OF_MANY : EDGES,
                 n = w->n_edges < most ? w->n_edges : most;
    for (size_t e = 0; e < n; e++) {
        write_ends(w, w->edge[e]);
        trib_report_percent_cell(html, trib_json_get_number(w->edge[e], "share"), 1);
        trib_report_percent_cell(html, trib_json_get_number(w->edge[e], "held"), 0);
        write_between(w, w->edge[e]);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_shown(html, n, (double)w->n_edges, "edges");
    trib_html_end(html);
}

static void write_paths(const network *w) {
    trib_html *html = &w->report->html;
    if (w->n_paths == 0) return;
    open_table(w, "What reaches a text through others",
               "Sums over all paths of the products of their shares");
    trib_report_header_cells(html, "n", "direct", "through others", NULL);
    trib_report_header_cell(html, NULL, "Strongest path");
    trib_report_open_rows(html);
    for (size_t p = 0; p < w->n_paths && p < PATHS; p++) {
        const json_t *along = json_object_get(w->path[p], "along");
        write_ends(w, w->path[p]);
        trib_report_percent_cell(html, trib_json_get_number(w->path[p], "direct"), 1);
        trib_report_percent_cell(html, trib_json_get_number(w->path[p], "through"), 1);
        trib_html_begin(html, "td");
        for (size_t i = 0; i < json_array_size(along); i++) {
            const char *id = json_string_value(json_array_get(along, i));
            if (i > 0) trib_html_text(html, " \xE2\x86\x92 ");
            write_title(w, id ? id : "");
        }
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_shown(html, w->n_paths < PATHS ? w->n_paths : PATHS, (double)w->n_paths, "paths");
    trib_html_end(html);
}

static void write_order(const network *w) {
    trib_html *html = &w->report->html;
    trib_html_details(html, "long", "The order of time");
    trib_html_begin(html, "ol");
    for (size_t i = 0; i < trib_report_rows(w->n_texts); i++) {
        const char *id = json_string_value(json_array_get(w->order, i));
        char shown[TRIB_DATE_SHOWN];
        const char *date =
            trib_date_shown(trib_json_get_text(trib_report_document(w->report, id), "date"), shown);
        trib_html_begin(html, "li");
        write_title(w, id);
        if (*date) trib_html_element(html, "small", NULL, " %s", date);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_report_rows_shown(w->report, w->n_texts, "texts", "documents.csv");
    trib_html_end(html);
}

void trib_report_network(trib_report *report) {
    network w = {.report = report};
    uint8_t *has = NULL;
    trib_error *error = &report->html.writer->failure;
    if (error->status == TRIB_OK && read_network(&w, error) == TRIB_OK &&
        TRIB_NEW(&has, report->documents.n, "the network", error) == TRIB_OK) {
        mark_ends(&w, has);
        write_intro(&w);
        trib_report_time(report, w.edge, w.n_edges);
        write_lonely(&w, has);
        write_contradictions(&w);
        write_edges(&w);
        write_paths(&w);
        write_order(&w);
    }
    TRIB_FREE(has, w.edge, w.path);
}
