/* time.c - the figure of the section about the network: texts in the order of time, and arcs from
 * sources to the texts that draw on them. Of more texts than can be drawn, the groups of the map
 * are. The drawing is an arc diagram (Wattenberg 2002): texts down the page, each with its whole
 * title; an axis with their dates; and arcs. Titles are moved apart where they would overlap, and a
 * thin line joins each to its place on the axis. */

#include "base/internal.h"
#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

enum {
    LETTERS = 44, /* a longer title has two lines */
    MOST = 100,   /* letters of a title */
    FEW = 12,     /* events, which are drawn STEP_OF_FEW apart */
    STEP_OF_FEW = 34,
    HIGH = 1000, /* of an axis of dates, unless the titles need more */
    STEP = 17,   /* pixels between two titles */
    LEADER = 34, /* from the titles to the axis */
    REACH = 420, /* of the longest arc */
    YEARS = 76,  /* room for the years at the right */
    TOP = 14,
    WIDEST = 16, /* pixels of the widest arc */
    TICKS = 10
};

typedef struct layout {
    const trib_svg_time *time;
    double *label, *place; /* [n_events] y of the title and of the point on the axis */
    double axis, height;   /* x of the axis; the lowest y of a title */
    double largest;        /* share */
    double reach;          /* of the widest arc */
    double step;           /* pixels of a line of a title */
    bool is_dated;
} layout;

/* ---- Places ---------------------------------------------------------------------------------- */

/* Breaks a title at the space nearest to its middle; returns the byte after which the second line
 * begins, 0: one line. */
static size_t break_of(const char *title) {
    const size_t length = strlen(title);
    size_t best = 0;
    if (trib_svg_letters(title) <= LETTERS) return 0;
    for (size_t i = 1; i < length; i++)
        if (title[i] == ' ' && (best == 0 || fabs((double)i - (double)length / 2) <
                                                 fabs((double)best - (double)length / 2)))
            best = i;
    return best;
}

static double width_of(const char *title) {
    char first[4 * MOST + 1];
    const size_t at = break_of(title);
    if (at == 0 || at >= sizeof first) return fmin(trib_svg_letters(title), MOST);
    memcpy(first, title, at);
    first[at] = '\0';
    return fmin(fmax(trib_svg_letters(first), trib_svg_letters(title + at + 1)), MOST);
}

static double lines_of(const char *title) { return break_of(title) > 0 ? 2 : 1; }

/* Moves the titles apart: down where they overlap, then up from the end of the axis. */
static void place_labels(layout *l) {
    const trib_svg_event *event = l->time->event;
    const size_t n = l->time->n_events;
    for (size_t i = 0; i < n; i++) {
        l->label[i] = l->place[i];
        if (i == 0) continue;
        const double apart =
            l->step * (lines_of(event[i].title) + lines_of(event[i - 1].title)) / 2;
        l->label[i] = fmax(l->label[i], l->label[i - 1] + apart);
    }
    for (size_t i = n; i-- > 0;) {
        double lowest = l->height;
        if (i + 1 < n)
            lowest = l->label[i + 1] -
                     l->step * (lines_of(event[i].title) + lines_of(event[i + 1].title)) / 2;
        l->label[i] = fmin(l->label[i], lowest);
    }
}

/* How far an arc reaches to the right. */
static double reach_of(const layout *l, size_t a) {
    const trib_svg_arc *arc = &l->time->arc[a];
    const double span = fabs(l->place[arc->to] - l->place[arc->from]);
    return fmin(REACH, 26 + 0.55 * span) + (arc->backward ? 22 : 0);
}

static void find_places(layout *l) {
    const trib_svg_time *time = l->time;
    const size_t n = time->n_events;
    double lines = 0, widest = 0;
    l->is_dated = n > 1;
    for (size_t i = 0; i < n; i++) {
        lines += lines_of(time->event[i].title);
        widest = fmax(widest, width_of(time->event[i].title));
        l->is_dated = l->is_dated && !isnan(time->event[i].when);
    }
    l->is_dated = l->is_dated && time->event[n - 1].when > time->event[0].when;
    for (size_t a = 0; a < time->n_arcs; a++) l->largest = fmax(l->largest, time->arc[a].share);
    l->axis = widest * TRIB_SVG_LETTER * 0.92 + LEADER + 10;
    l->step = n > FEW ? STEP : STEP_OF_FEW;
    const double first = TOP + STEP * lines_of(time->event[0].title) / 2,
                 needed = l->step * (lines - 1);
    /* dates that are close to each other need a longer axis */
    l->height = first + fmax(l->is_dated ? fmin(HIGH, 1.6 * needed) : 0, fmax(needed, STEP));
    double before = 0;
    for (size_t i = 0; i < n; i++) {
        const double span = time->event[n - 1].when - time->event[0].when;
        l->place[i] = first + (l->is_dated ? (time->event[i].when - time->event[0].when) / span
                                           : before / fmax(1, lines - 1)) *
                                  (l->height - first);
        before += lines_of(time->event[i].title);
    }
    place_labels(l);
    for (size_t a = 0; a < time->n_arcs; a++) l->reach = fmax(l->reach, reach_of(l, a));
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static void draw_line(trib_html *html, const char *class_name, double x1, double y1, double x2,
                      double y2) {
    trib_report_say(html, "<path class='{s}' d='M{f1} {f1}L{f1} {f1}'/>", class_name, x1, y1, x2,
                    y2);
}

/* The years of the axis, at its right end: a round number of years apart. */
static void draw_years(trib_html *html, const layout *l) {
    const trib_svg_time *time = l->time;
    const double from = time->event[0].when, to = time->event[time->n_events - 1].when;
    double step = 1;
    if (!l->is_dated) return;
    for (unsigned i = 0; (to - from) / step > TICKS; i++) step *= i % 3 == 1 ? 2.5 : 2;
    const double top = l->place[0], bottom = l->place[time->n_events - 1];
    for (double year = ceil(from / step) * step; year <= to; year += step) {
        /* 60 BC is the year -59 of ISO 8601, and there is no year 0 */
        const double at = year < 0 ? year + 1 : year == 0 ? 1 : year;
        const double y = top + (at - from) / (to - from) * (bottom - top);
        char text[TRIB_FIXED_MAX], shown[TRIB_FIXED_MAX + 4];
        trib_fixed(text, year < 0 ? -year : at, 0);
        snprintf(shown, sizeof shown, "%s%s", text, year < 0 ? " BC" : "");
        if (at > to) continue;
        draw_line(html, "grid", l->axis, y, l->axis + l->reach + 12, y);
        trib_svg_label(html, "year", l->axis + l->reach + 16, y + 4, shown, MOST);
    }
}

/* A curve from the source's point to the target's; within one group, a loop. */
static void draw_arc(trib_html *html, const layout *l, size_t a) {
    const trib_svg_arc *arc = &l->time->arc[a];
    const double from = l->place[arc->from], to = l->place[arc->to];
    /* an arc against time is wider, so that it does not cover the one with time */
    const double reach = reach_of(l, a) / 0.75;
    const double loop = arc->from == arc->to ? 8 : 0;
    const double far = l->axis + reach, top = from - loop, bottom = to + loop;
    trib_report_say(html,
                    "<path class='arc{s}{s}' d='M{f1} {f1}C{f1} {f1} {f1} {f1} {f1} {f1}' "
                    "stroke-width='{f1}'/>",
                    arc->backward ? " back" : "", arc->ancestor ? " ancestor" : "", l->axis, top,
                    far, top, far, bottom, l->axis + 5, bottom,
                    fmax(1.5, WIDEST * arc->share / l->largest));
}

static void draw_title(trib_html *html, double x, double y, const char *title) {
    char first[4 * MOST + 1];
    const size_t at = break_of(title);
    if (at == 0 || at >= sizeof first) {
        trib_svg_label(html, "name", x, y + 4, title, MOST);
        return;
    }
    memcpy(first, title, at);
    first[at] = '\0';
    trib_svg_label(html, "name", x, y - 4, first, MOST);
    trib_svg_label(html, "name", x, y + 11, title + at + 1, MOST);
}

static void draw_events(trib_html *html, const layout *l) {
    for (size_t i = 0; i < l->time->n_events; i++) {
        draw_title(html, l->axis - LEADER, l->label[i], l->time->event[i].title);
        draw_line(html, "leader", l->axis - LEADER + 5, l->label[i], l->axis, l->place[i]);
        trib_report_say(html, "<circle class='event' cx='{f1}' cy='{f1}' r='3'/>", l->axis,
                        l->place[i]);
    }
}

void trib_svg_time_draw(trib_html *html, const trib_svg_time *time) {
    trib_error *error = &html->writer->failure;
    layout l = {.time = time};
    if (error->status != TRIB_OK || time->n_events == 0) return;
    trib_status status = TRIB_NEW(&l.label, time->n_events, "a drawing", error);
    if (status == TRIB_OK) status = TRIB_NEW(&l.place, time->n_events, "a drawing", error);
    if (status != TRIB_OK) goto done;
    find_places(&l);
    trib_report_say(html,
                    "<svg class='time' role='group' aria-labelledby='{s}-title' "
                    "aria-describedby='{s}-desc'>",
                    time->id, time->id);
    trib_svg_size(html, l.axis + l.reach + YEARS, l.height + 2 * STEP);
    trib_report_say(html,
                    "<title id='{s}-title'>{s}</title><desc id='{s}-desc'>{s}</desc><defs>"
                    "<marker id='arrowhead' markerUnits='userSpaceOnUse' markerWidth='9' "
                    "markerHeight='10' refX='3' refY='5' orient='auto'>"
                    "<path class='arrowhead' d='M0 1L8 5L0 9z'/></marker></defs>",
                    time->id, time->title, time->id, time->description);
    draw_years(html, &l);
    draw_line(html, "axis", l.axis, l.place[0], l.axis, l.place[time->n_events - 1]);
    for (size_t a = 0; a < time->n_arcs; a++) {
        time->open_link(time->context, a);
        draw_arc(html, &l, a);
        trib_html_end(html);
    }
    draw_events(html, &l);
    trib_html_end(html);
done:
    TRIB_FREE(l.label, l.place);
}

/* ---- The texts of a report ------------------------------------------------------------------- */

enum { ARCS = 150, NAMED = 160 };

/* The pair that an arc links to. */
typedef struct pair {
    const char *source, *target;
} pair;

typedef struct drawing {
    trib_report *report;
    const trib_edge_record **edge; /* [n_edges] by descending share */
    size_t n_edges;
    const trib_flow_map *map;
    size_t n_texts; /* with a flow */
    bool is_grouped;
    uint32_t *place;                /* [n_documents or n_nodes] event, UINT32_MAX: not drawn */
    char (*title)[NAMED];           /* [n_events] */
    trib_svg_event *event;          /* [n_events] */
    trib_svg_arc *arc;              /* [n_arcs] */
    pair *pair;                     /* [n_arcs] */
    size_t n_events, n_arcs, n_all; /* n_all: arcs, with those that are not drawn */
} drawing;

/* The length of a text, or of its beginning that has at most so many bytes and divides no
 * character. */
static int cut(const char *text, size_t most) {
    size_t length = strlen(text);
    if (length >= most)
        for (length = most; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;) length--;
    return (int)length;
}

/* A title, and behind it a date that it does not contain. */
static void set_title(char title[NAMED], const char *name, const char *date) {
    const bool has_date = strstr(name, date) != NULL;
    snprintf(title, NAMED, "%.*s%s%.*s", cut(name, NAMED - 40), name,
             *date && !has_date ? ", " : "", cut(has_date ? "" : date, 30), has_date ? "" : date);
}

static void open_link(void *context, size_t a) {
    const drawing *d = context;
    trib_html *html = &d->report->html;
    const trib_svg_arc *arc = &d->arc[a];
    const trib_report_target *target = trib_report_target_of(d->report, d->pair[a].target);
    char number[TRIB_NUMBER_MAX];
    if (target) trib_report_open_pair(d->report, target, d->pair[a].source);
    else trib_html_begin(html, "g"); /* not a result of this program */
    trib_html_attribute(html, "data-share", "%s", trib_number(number, arc->share));
    trib_report_say(html,
                    arc->share < 0.01 ? "<title>{s} \xE2\x86\x92 {s}: {p2}{s}{s}</title>"
                                      : "<title>{s} \xE2\x86\x92 {s}: {p1}{s}{s}</title>",
                    d->title[arc->from], d->title[arc->to], arc->share,
                    arc->ancestor ? ", an ancestor" : "",
                    arc->backward ? ", against the order of time" : "");
}

/* ---- Single texts ---------------------------------------------------------------------------- */

static size_t document_of(const drawing *d, const char *id) {
    return trib_report_place(d->report, id);
}

/* Marks the texts of the largest flows, at most so many; returns how many. */
static size_t mark_texts(drawing *d, size_t most) {
    const size_t n_documents = d->report->result->documents.n;
    size_t n = 0;
    for (size_t i = 0; i < n_documents; i++) d->place[i] = UINT32_MAX;
    for (size_t e = 0; e < d->n_edges; e++) {
        const size_t from = document_of(d, d->edge[e]->source),
                     to = document_of(d, d->edge[e]->target);
        if (from == n_documents || to == n_documents) continue; /* not a result of this program */
        const size_t more = (d->place[from] ? 1u : 0u) + (d->place[to] ? 1u : 0u);
        if (n + more > most) break;
        n += more;
        d->place[from] = d->place[to] = 0;
    }
    return n;
}

/* Makes an event of each marked text, in the order of time of the result. */
static void add_texts(drawing *d) {
    const trib_texts *order = &d->report->result->graph->order;
    for (size_t i = 0; i < order->n; i++) {
        const char *id = order->item[i];
        const size_t place = document_of(d, id);
        if (place == d->report->result->documents.n || d->place[place] != 0) continue;
        const char *date = trib_report_text(d->report->result->documents.item[place].date);
        char shown[TRIB_DATE_SHOWN];
        double year = NAN, end = NAN;
        if (!trib_date_read(date, &year, &end)) year = end = (double)NAN;
        set_title(d->title[d->n_events], trib_report_title(d->report, id),
                  trib_date_shown(date, shown));
        d->event[d->n_events] = (trib_svg_event){d->title[d->n_events], trib_date_point(year, end)};
        d->place[place] = (uint32_t)++d->n_events; /* counted from 1 until all have one */
    }
    for (size_t i = 0; i < d->report->result->documents.n; i++)
        d->place[i] = d->place[i] == 0 ? UINT32_MAX : d->place[i] - (d->place[i] != UINT32_MAX);
}

/* Dates place a text only when they agree with the order. */
static void check_dates(drawing *d) {
    bool is_ordered = true;
    for (size_t i = 0; i < d->n_events; i++)
        is_ordered = is_ordered && !isnan(d->event[i].when) &&
                     (i == 0 || d->event[i].when >= d->event[i - 1].when);
    for (size_t i = 0; i < d->n_events && !is_ordered; i++) d->event[i].when = (double)NAN;
}

static void add_edges(drawing *d) {
    for (size_t e = 0; e < d->n_edges; e++) {
        const trib_edge_record *edge = d->edge[e];
        const pair ends = {edge->source, edge->target};
        const size_t from = document_of(d, ends.source), to = document_of(d, ends.target);
        if (from == d->report->result->documents.n || to == d->report->result->documents.n)
            continue;
        d->n_all++;
        if (d->n_arcs == ARCS || d->place[from] == UINT32_MAX || d->place[to] == UINT32_MAX)
            continue;
        d->pair[d->n_arcs] = ends;
        d->arc[d->n_arcs++] = (trib_svg_arc){.from = d->place[from],
                                             .to = d->place[to],
                                             .share = fmin(1, fmax(0, edge->share)),
                                             .ancestor = edge->ancestor,
                                             .backward = edge->backward};
    }
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* The year of the first text, or "1869-1876". */
static void set_years(char years[TRIB_FIXED_MAX], const trib_map_node *node) {
    const double first = floor(node->from), last = ceil(node->to) - 1;
    years[0] = '\0';
    if (isnan(node->from) || first < 1) return;
    if (first == last) snprintf(years, TRIB_FIXED_MAX, "%.0f", first);
    else snprintf(years, TRIB_FIXED_MAX, "%.0f\xE2\x80\x93%.0f", first, last);
}

static bool has_flow(const trib_flow_map *map, size_t i) {
    for (size_t j = 0; j < map->n_nodes; j++)
        if (map->cell[i * map->n_nodes + j].n_flows + map->cell[j * map->n_nodes + i].n_flows > 0)
            return true;
    return false;
}

TRIB_ORDER(compare_arcs, trib_svg_arc, TRIB_DOWN(share) ?: TRIB_UP(from) ?: TRIB_UP(to));

static void add_groups(drawing *d) {
    const trib_flow_map *map = d->map;
    for (size_t i = 0; i < map->n_nodes; i++) {
        char years[TRIB_FIXED_MAX];
        d->place[i] = UINT32_MAX;
        if (!has_flow(map, i)) continue;
        set_years(years, &map->node[i]);
        set_title(d->title[d->n_events], map->node[i].name,
                  strcmp(map->by, "author") == 0 ? years : "");
        d->event[d->n_events] = (trib_svg_event){d->title[d->n_events], map->node[i].from};
        d->place[i] = (uint32_t)d->n_events++;
    }
}

/* The arcs of the groups, and behind their order the pairs. */
static void add_group_arcs(drawing *d) {
    const trib_flow_map *map = d->map;
    const size_t n = map->n_nodes;
    trib_svg_arc *const all = trib_arena_new(d->report->arena, n * n, sizeof *all);
    if (!all) return;
    for (uint32_t s = 0; s < n; s++)
        for (uint32_t t = 0; t < n; t++)
            if (map->cell[s * n + t].n_flows > 0)
                all[d->n_all++] = (trib_svg_arc){.from = s,
                                                 .to = t,
                                                 .share = map->cell[s * n + t].share,
                                                 .backward = map->node[s].from > map->node[t].from};
    if (d->n_all > 1) qsort(all, d->n_all, sizeof *all, compare_arcs);
    for (; d->n_arcs < d->n_all && d->n_arcs < ARCS; d->n_arcs++) {
        const trib_map_cell *cell = &map->cell[all[d->n_arcs].from * n + all[d->n_arcs].to];
        d->pair[d->n_arcs] = (pair){cell->source, cell->target};
        d->arc[d->n_arcs] = all[d->n_arcs];
        d->arc[d->n_arcs].from = d->place[all[d->n_arcs].from];
        d->arc[d->n_arcs].to = d->place[all[d->n_arcs].to];
    }
}

/* ---- The figure ------------------------------------------------------------------------------ */

/* Returns false after a failure, which the arena has. */
static bool make(drawing *d) {
    const size_t most = d->report->result->documents.n + TRIB_FLOW_MAP_TEXTS;
    trib_arena *const arena = d->report->arena;
    d->place = trib_arena_new(arena, most, sizeof *d->place);
    d->title = trib_arena_new(arena, TRIB_FLOW_MAP_TEXTS, sizeof *d->title);
    d->event = trib_arena_new(arena, TRIB_FLOW_MAP_TEXTS, sizeof *d->event);
    d->arc = trib_arena_new(arena, ARCS, sizeof *d->arc);
    d->pair = trib_arena_new(arena, ARCS, sizeof *d->pair);
    if (arena->failure.status != TRIB_OK) return false;
    d->n_texts = mark_texts(d, SIZE_MAX);
    d->is_grouped = d->n_texts > TRIB_FLOW_MAP_TEXTS && strcmp(d->map->by, "text") != 0;
    if (d->is_grouped) {
        add_groups(d);
        add_group_arcs(d);
    } else {
        if (d->n_texts > TRIB_FLOW_MAP_TEXTS) mark_texts(d, TRIB_FLOW_MAP_TEXTS);
        add_texts(d);
        add_edges(d);
    }
    check_dates(d);
    return d->n_arcs > 0;
}

static void write_figure(drawing *d) {
    trib_html *html = &d->report->html;
    const trib_svg_time time = {
        .n_events = d->n_events,
        .n_arcs = d->n_arcs,
        .event = d->event,
        .arc = d->arc,
        .open_link = open_link,
        .context = d,
        .id = "time",
        .title = "Texts in the order of time, and what flows between them",
        .description = "The earliest is at the top. An arc runs from a source to the text that "
                       "draws on it, and is a link to the evidence. The tables below list the "
                       "same."};
    if (d->is_grouped)
        trib_report_say(html,
                        "<p class='note'>{n} texts have a flow, too many for one drawing, so it "
                        "adds them up by {s}, like the map; each stands at the date of its first "
                        "text.</p>",
                        (double)d->n_texts, d->map->by);
    trib_report_open_region(html, "figure", "Time");
    trib_svg_time_draw(html, &time);
    trib_html_end(html);
    trib_report_shown(html, d->n_arcs, (double)d->n_all, "arcs");
    trib_report_say(html, "<p class='note'>The widest arc is {p}. The numbers are in ",
                    d->n_arcs > 0 ? d->arc[0].share : 0);
    trib_report_numbers_in(d->report, d->is_grouped ? "map.csv" : "flows.csv");
    trib_report_say(html, ".</p>");
}

void trib_report_time(trib_report *report, const trib_edge_record **edge, size_t n_edges) {
    drawing d = {.report = report, .edge = edge, .n_edges = n_edges};
    if (n_edges > 0) d.map = trib_report_flow_map(report);
    if (d.map && make(&d)) write_figure(&d);
}
