/* svg.h - the charts of the report. Coordinates are in per cent, so that text keeps its size at
 * every width. Every chart is an image with a title; its numbers are in a table beside it. */
#ifndef TRIBUTARY_REPORT_SVG_H
#define TRIBUTARY_REPORT_SVG_H

#include "pipeline/support/html.h"

/* Opens the image of a chart; `title` describes it to readers who do not see it. More attributes
 * may follow. */
void trib_svg_open(trib_html *html, const char *class_name, const char *title);
/* Adds the size of the image in pixels, which is the size of its coordinates too. */
void trib_svg_size(trib_html *html, double width, double height);
/* Adds an attribute: a number with 2 decimals. */
void trib_svg_number(trib_html *html, const char *name, double value);

/* A bar from 0 to `value` on an axis that ends at `axis`, with its interval (NaN: none) and the
 * floor (NaN: none). */
typedef struct trib_svg_bar {
    double value, low, high, floor, axis;
    const char *kind;  /* flows | below | decoy | author | formula: selects the filling */
    const char *title; /* a description for readers who do not see the bar; escaped here */
} trib_svg_bar;
void trib_svg_bar_draw(trib_html *html, const trib_svg_bar *bar);

/* The end of an axis for values up to `largest`: 0.05, 0.1, 0.2, 0.3 ... 1. */
double trib_svg_axis(double largest);

/* Draws text at a point, shortened to so many letters with an ellipsis near its end;
 * a letter is about TRIB_SVG_LETTER pixels wide. */
enum { TRIB_SVG_LETTER = 8 };
void trib_svg_label(trib_html *html, const char *class_name, double x, double y, const char *text,
                    unsigned letters);
unsigned trib_svg_letters(const char *text);

/* Draws texts, or groups of them, on an axis of time that runs down, and arcs from sources to
 * targets, as wide as their shares (time.c). */
typedef struct trib_svg_event {
    const char *title;
    double when; /* in years; NaN for one: the axis has only the order of the events */
} trib_svg_event;
typedef struct trib_svg_arc {
    uint32_t from, to; /* events */
    double share;
    bool ancestor, backward; /* drawn dotted, dashed */
} trib_svg_arc;
typedef struct trib_svg_time {
    size_t n_events, n_arcs;
    const trib_svg_event *event; /* [n_events] the earliest first */
    const trib_svg_arc *arc;     /* [n_arcs] */
    /* Begins the link of an arc, and writes the <title> that describes it. */
    void (*open_link)(void *context, size_t arc);
    void *context;
    const char *id; /* of the drawing; the ids of its title and description begin with it */
    const char *title, *description;
} trib_svg_time;
void trib_svg_time_draw(trib_html *html, const trib_svg_time *time);

/* Numbers of a chart. One that is not known (NaN) counts as 0. */
typedef struct trib_svg_numbers {
    const double *item;
    size_t n;
} trib_svg_numbers;

/* Draws counts[n] in bins between n + 1 edges, with the threshold. */
void trib_svg_histogram(trib_html *html, trib_svg_numbers edges, const uint64_t *counts, size_t n,
                        double threshold, const char *title);

/* Draws at most TRIB_SVG_LINES + 1 lines over `x`, from 0 to 2, each with a mark at its end. The
 * axis has distances from 0 to 2, or the given texts at its ends. */
enum { TRIB_SVG_LINES = 6 };
typedef struct trib_svg_line {
    trib_svg_numbers y;
    unsigned style; /* 0 .. TRIB_SVG_LINES - 1, or TRIB_SVG_LINES for the author */
    const char *mark;
    trib_svg_numbers x; /* its own x; `item` NULL: the x of all lines */
} trib_svg_line;
void trib_svg_lines(trib_html *html, trib_svg_numbers x, const trib_svg_line *line, size_t n_lines,
                    double threshold, const double ends[2], const char *title);
/* Writes the legend of the lines, and that n of n_all are drawn. */
void trib_svg_legend(trib_html *html, const trib_svg_line *line, const char *const title[],
                     size_t n, size_t n_all);
/* Draws the sample of a line for a legend. */
void trib_svg_line_sample(trib_html *html, unsigned style);

#endif
