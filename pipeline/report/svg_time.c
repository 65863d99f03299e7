/* svg_time.c - draws an arc diagram: texts in the order of time down the page, each with its whole
 * title; an axis with their dates; and arcs from sources to targets (Wattenberg 2002). Titles are
 * moved apart where they would overlap, and a thin line joins each to its place on the axis. */
#include "pipeline/report/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/report/report.h"

enum {
    LETTERS = 44, /* a longer title has two lines */
    MOST = 100,   /* letters of a title */
    FEW = 12,     /* events, which are drawn STEP_OF_FEW apart */
    STEP_OF_FEW = 34,
    HIGH = 1000, /* of an axis of dates, unless the titles need more */
    STEP = 17,   /* pixels between two titles */
    LEADER = 34, /* from the titles to the axis */
    REACH = 420, /* of the longest arc */
    YEARS = 54,  /* room for the years at the right */
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
