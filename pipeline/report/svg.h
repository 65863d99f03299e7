/* svg.h - the charts of the report. Coordinates are in per cent, so that text keeps its size at
 * every width. Every chart is an image with a title; its numbers are in a table beside it. */
#ifndef TRIBUTARY_REPORT_SVG_H
#define TRIBUTARY_REPORT_SVG_H

#include "pipeline/report/report.h"

/* Opens the image of a chart; `title` describes it to readers who do not see it. More attributes
 * may follow. */
void trib_svg_open(trib_html *html, const char *class_name, const char *title);
/* Adds the size of the image in pixels, which is the size of its coordinates too. */
void trib_svg_size(trib_html *html, double width, double height);
/* Add an attribute: a number with 2 decimals, or a fraction in per cent with 3. */
void trib_svg_number(trib_html *html, const char *name, double value);
void trib_svg_per_cent(trib_html *html, const char *name, double fraction);

/* Draws the origin of the target's mass: streams as wide as the headline shares, which join into
 * one. */
void trib_svg_river(trib_report *report, const trib_report_target *target);

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

/* Cells of shares: rows x columns, with labels. value(context, row, column) is NaN for an empty
 * cell; a cell for which it sets *faint is shown in parentheses. */
typedef struct trib_svg_map {
    size_t n_rows, n_columns;
    const char *(*row)(const void *context, size_t row);
    const char *(*column)(const void *context, size_t column);
    double (*value)(const void *context, size_t row, size_t column, bool *faint);
    const void *context;
    const char *title;
} trib_svg_map;
void trib_svg_map_draw(trib_html *html, const trib_svg_map *map);
/* Maps with more cells are drawn without numbers. */
enum { TRIB_SVG_CELLS = 2000 };
bool trib_svg_map_is_fine(const trib_svg_map *map);
/* How dark a share is drawn, 0 .. 6; and the limits of the classes, for the legend. */
unsigned trib_svg_shade(double share);

/* Draws text at a point, shortened to so many letters with an ellipsis near its end; a letter is
 * about TRIB_SVG_LETTER pixels wide. */
enum { TRIB_SVG_LETTER = 8 };
void trib_svg_label(trib_html *html, const char *class_name, double x, double y, const char *text,
                    unsigned letters);
unsigned trib_svg_letters(const char *text);

/* Draws texts from top to bottom in the order of time, and arrows from sources to targets, as
 * wide as their shares (svg_network.c). */
typedef struct trib_svg_arrow {
    uint32_t from, to; /* indices of texts in the order of time */
    double share;
    bool ancestor; /* drawn dotted */
} trib_svg_arrow;
typedef struct trib_svg_network {
    uint32_t n_texts;
    const char *const *text; /* [n_texts] titles, the earliest first */
    size_t n_arrows;
    const trib_svg_arrow *arrow; /* arrows against the order of time are dashed */
    const char *title;
} trib_svg_network;
void trib_svg_network_draw(trib_html *html, const trib_svg_network *network);

/* Draws counts in bins between n + 1 edges (arrays of JSON), with the threshold. */
void trib_svg_histogram(trib_html *html, const json_t *edges, const json_t *counts,
                        double threshold, const char *title);

/* Draws at most TRIB_SVG_LINES + 1 lines over `x`, an array of JSON from 0 to 2, each with a
 * mark at its end. The axis has distances from 0 to 2, or the given texts at its ends. */
enum { TRIB_SVG_LINES = 6 };
typedef struct trib_svg_line {
    const json_t *y;
    unsigned style; /* 0 .. TRIB_SVG_LINES - 1, or TRIB_SVG_LINES for the author */
    const char *mark;
    const json_t *x; /* its own x; NULL: the x of all lines */
} trib_svg_line;
void trib_svg_lines(trib_html *html, const json_t *x, const trib_svg_line *line, size_t n_lines,
                    double threshold, const double ends[2], const char *title);
/* Writes the legend of the lines, and that n of n_all are drawn. */
void trib_svg_legend(trib_html *html, const trib_svg_line *line, const char *const title[],
                     size_t n, size_t n_all);
/* Draws the sample of a line for a legend. */
void trib_svg_line_sample(trib_html *html, unsigned style);

#endif
