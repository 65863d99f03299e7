/* network.c - the network of many documents: who draws on whom, as a drawing (time.c) and as
 * tables; the order of time in it, what contradicts that order, and what reached a text through
 * others. */
#include "pipeline/report/report.h"

enum { EDGES = 500, EDGES_OF_MANY = 100, PATHS = 60, NAMED = 8 };

/* The graph of the result, prepared for this section. */
typedef struct network {
    trib_report *report;
    const trib_texts *order;
    const trib_edge_record **edge; /* [n_edges] by descending share */
    const trib_path_record **path; /* [n_paths] likewise */
    size_t n_edges, n_paths;
} network;

bool trib_report_has_network(const trib_report *report) {
    const trib_graph_record *const graph = report->result->graph;
    return graph && graph->order.n > 1 && graph->edges.n > 0;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static int by_ends(double a, const char *target, const char *source, double b,
                   const char *other_target, const char *other_source) {
    if (a != b) return a < b ? 1 : -1;
    const int order = strcmp(target, other_target);
    return order ? order : strcmp(source, other_source);
}

static int by_share(const void *a, const void *b) {
    const trib_edge_record *x = *(const trib_edge_record *const *)a,
                           *y = *(const trib_edge_record *const *)b;
    return by_ends(x->share, x->target, x->source, y->share, y->target, y->source);
}

static int by_through(const void *a, const void *b) {
    const trib_path_record *x = *(const trib_path_record *const *)a,
                           *y = *(const trib_path_record *const *)b;
    return by_ends(x->through, x->target, x->source, y->through, y->target, y->source);
}

static bool read_network(network *w) {
    const trib_graph_record *graph = w->report->result->graph;
    w->order = &graph->order;
    w->edge = trib_arena_new(w->report->arena, graph->edges.n, sizeof *w->edge);
    w->path = trib_arena_new(w->report->arena, graph->paths.n, sizeof *w->path);
    if (!w->edge || !w->path) return false;
    for (; w->n_edges < graph->edges.n; w->n_edges++)
        w->edge[w->n_edges] = &graph->edges.item[w->n_edges];
    for (; w->n_paths < graph->paths.n; w->n_paths++)
        w->path[w->n_paths] = &graph->paths.item[w->n_paths];
    if (w->n_edges > 1) qsort(w->edge, w->n_edges, sizeof *w->edge, by_share);
    if (w->n_paths > 1) qsort(w->path, w->n_paths, sizeof *w->path, by_through);
    return true;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

static void write_title(const network *w, const char *id) {
    trib_html_foreign(&w->report->html, trib_report_title(w->report, id));
}

/* Whether dates tell which text is the earlier, of some at least. */
static bool has_dates(const network *w) {
    return strstr(w->report->result->graph->order_from, "dates") != NULL;
}

static void write_intro(const network *w) {
    trib_html *html = &w->report->html;
    trib_report_say(html, "<p class='intro'>");
    if (has_dates(w))
        trib_html_text(html, "Earlier texts stand above later ones. An arc runs from a source to "
                             "the text that draws on it");
    else
        trib_html_text(html, "No text has a date, and shares cannot tell a source from its copy: "
                             "the order of the texts says nothing. An arc joins texts that share "
                             "words");
    trib_html_text(html, ", the wider the larger the share, and is a link to the evidence; only "
                         "what is above the noise floor is drawn. ");
    if (has_dates(w))
        trib_html_text(html, "A dotted arc is an ancestor\xE2\x80\x99s: what it gives stands in a "
                             "text in between, too. A dashed one runs against time. ");
    if (has_dates(w))
        trib_html_text(html, strcmp(w->report->result->graph->order_from, "dates") == 0
                                 ? "The order of time is that of the dates."
                                 : "Where dates do not tell which text is earlier, nothing does.");
    trib_html_end(html);
}

/* Marks the documents with an edge: has[n_documents]. */
static void mark_ends(const network *w, uint8_t *has) {
    for (size_t e = 0; e < w->n_edges; e++)
        for (size_t i = 0; i < 2; i++) {
            const size_t d =
                trib_report_place(w->report, i == 0 ? w->edge[e]->source : w->edge[e]->target);
            if (d < w->report->result->documents.n) has[d] = 1;
        }
}

/* Lists the texts without an edge. */
static void write_lonely(const network *w, const uint8_t *has) {
    trib_html *html = &w->report->html;
    trib_texts lonely = {0};
    for (size_t i = 0; i < w->order->n; i++) {
        const size_t d = trib_report_place(w->report, w->order->item[i]);
        if (d == w->report->result->documents.n || !has[d])
            trib_texts_add(w->report->arena, &lonely, w->order->item[i]);
    }
    if (lonely.n == 0) return;
    trib_report_say(html, "<p class='note'>Nothing above the noise floor joins ");
    for (size_t i = 0; i < lonely.n && i < NAMED; i++) {
        trib_report_join(html, i, lonely.n < NAMED ? lonely.n : NAMED);
        write_title(w, lonely.item[i]);
    }
    if (lonely.n > NAMED) trib_report_say(html, " and {z} more", lonely.n - NAMED);
    trib_report_say(html, " to the others.</p>");
}

static void write_contradictions(const network *w) {
    trib_html *html = &w->report->html;
    size_t n = 0, n_named = 0;
    for (size_t e = 0; e < w->n_edges; e++) n += w->edge[e]->backward;
    if (n == 0) return;
    trib_report_say(html,
                    "<div class='caveats'><p class='label'>Against the order of time</p><ul>");
    for (size_t e = 0; e < w->n_edges && n_named < NAMED; e++) {
        if (!w->edge[e]->backward) continue;
        n_named++;
        const char *target = w->edge[e]->target, *source = w->edge[e]->source;
        trib_report_say(html, "<li>{t} would draw on the later {t}: {p1}.</li>",
                        trib_report_title(w->report, target), trib_report_title(w->report, source),
                        w->edge[e]->share);
    }
    trib_html_end(html);
    trib_report_shown(html, n_named, (double)n, "contradictions");
    trib_report_say(html, "<p>Where dates are known, corpus.order: by-date keeps later texts from "
                          "being sources.</p></div>");
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void open_table(const network *w, const char *summary, const char *caption,
                       const char *columns) {
    trib_report_say(&w->report->html, "<details class='long'><summary>{s}</summary>", summary);
    trib_report_open_table(&w->report->html, "numbers", caption, columns);
}

/* `members`: of a group of sources; may be empty. */
static void write_ends(const network *w, const char *source, const trib_texts *members,
                       const char *target) {
    trib_html *html = &w->report->html;
    trib_report_say(html, "<tr><th scope='row'>{t}", trib_report_title(w->report, source));
    for (size_t m = 0; m < members->n; m++) {
        if (!*members->item[m] || strcmp(members->item[m], source) == 0) continue;
        trib_report_say(html, " or {t}", trib_report_title(w->report, members->item[m]));
    }
    trib_report_say(html, "</th><td>{t}</td>", trib_report_title(w->report, target));
}

/* Writes "98.0 % in Beta, 12.0 % in Gamma; an ancestor". */
static void write_between(const network *w, const trib_edge_record *edge) {
    trib_html *html = &w->report->html;
    const trib_between_records *between = &edge->between;
    trib_html_begin(html, "td");
    for (size_t b = 0; b < between->n && b < NAMED; b++)
        trib_report_say(html, "{s}{p0} in {t}", b > 0 ? ", " : "", between->item[b].held,
                        trib_report_title(w->report, between->item[b].id));
    if (between->n > NAMED) trib_report_say(html, " and {z} more", between->n - NAMED);
    if (edge->ancestor) trib_html_text(html, ": an ancestor");
    if (edge->backward) trib_html_text(html, "against the order of time");
    trib_html_end(html);
}

static void write_edges(const network *w) {
    trib_html *html = &w->report->html;
    open_table(w, "The network as a table",
               has_dates(w) ? "Who draws on whom, the strongest first"
                            : "Who shares with whom, the strongest first",
               "Source|Target|#Share|#of that in between|Held in between");
    const size_t most = w->order->n > TRIB_REPORT_MANY_ROWS ? EDGES_OF_MANY : EDGES,
                 n = w->n_edges < most ? w->n_edges : most;
    for (size_t e = 0; e < n; e++) {
        write_ends(w, w->edge[e]->source, &w->edge[e]->members, w->edge[e]->target);
        trib_report_cells(html, "#{p1}|#{p0}", w->edge[e]->share, w->edge[e]->held);
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
               "Sums over all paths of the products of their shares",
               "Source|Target|#direct|#through others|Strongest path");
    for (size_t p = 0; p < w->n_paths && p < PATHS; p++) {
        const trib_path_record *path = w->path[p];
        write_ends(w, path->source, &(trib_texts){0}, path->target);
        trib_report_say(html, "<td class='n'>{p1}</td><td class='n'>{p1}</td><td>", path->direct,
                        path->through);
        for (size_t i = 0; i < path->along.n; i++) {
            if (i > 0) trib_html_text(html, " \xE2\x86\x92 ");
            write_title(w, path->along.item[i]);
        }
        trib_report_say(html, "</td></tr>");
    }
    trib_report_close_table(html);
    trib_report_shown(html, w->n_paths < PATHS ? w->n_paths : PATHS, (double)w->n_paths, "paths");
    trib_html_end(html);
}

void trib_report_network(trib_report *report) {
    network w = {.report = report};
    uint8_t *const has = trib_arena_new(report->arena, report->result->documents.n, sizeof *has);
    if (!has || !read_network(&w)) return;
    mark_ends(&w, has);
    write_intro(&w);
    trib_report_time(report, w.edge, w.n_edges);
    write_lonely(&w, has);
    write_contradictions(&w);
    write_edges(&w);
    write_paths(&w);
}
