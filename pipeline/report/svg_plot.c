/* svg_plot.c - plots with two axes: the histogram of distances, and shares against the
 * threshold. The plot fills its box from 0 to 100 %; labels of the axes are outside, in the
 * margin of the style sheet. */
#include "pipeline/report/svg.h"

#include <math.h>
#include <stdio.h>

enum { HEIGHT = 200, X_STEPS = 4, Y_STEPS = 2 };

static void begin_plot(trib_html *html, const char *title) {
    trib_html_open(html, "div", "plot");
    trib_html_tag(html, "svg", "role", "img", NULL);
    trib_html_attribute(html, "aria-label", "%s", title);
    trib_html_attribute(html, "width", "100%%");
    trib_html_attribute(html, "height", "%d", HEIGHT);
}

static void end_plot(trib_html *html) {
    trib_html_end(html);
    trib_html_end(html);
}

static void horizontal(trib_html *html, double y, const char *label) {
    trib_html_tag(html, "line", "class", "grid", "x2", "100%", NULL);
    trib_svg_number(html, "y1", y);
    trib_svg_number(html, "y2", y);
    trib_html_end(html);
    trib_html_tag(html, "text", "class", "y", "x", "-8", NULL);
    trib_svg_number(html, "y", y + 4);
    trib_html_text(html, label);
    trib_html_end(html);
}

/* Draws the axes; the lower one has distances from 0 to 2, or texts at its ends. */
static void draw_axes(trib_html *html, double y_end, bool in_percent, const double ends[2]) {
    char text[TRIB_FIXED_MAX];
    for (int i = 0; i <= Y_STEPS; i++) {
        const double value = y_end * i / Y_STEPS;
        horizontal(html, HEIGHT - (double)HEIGHT * i / Y_STEPS,
                   in_percent ? trib_percent(text, value, 0) : trib_grouped(text, value));
    }
    for (int i = 0; i <= X_STEPS; i += ends ? X_STEPS : 1) {
        trib_html_open(html, "text", "x");
        trib_svg_per_cent(html, "x", (double)i / X_STEPS);
        trib_html_attribute(html, "y", "%d", HEIGHT + 20);
        if (ends) trib_html_text(html, trib_grouped(text, ends[i > 0]));
        else trib_html_text(html, trib_fixed(text, 2.0 * i / X_STEPS, 1));
        trib_html_end(html);
    }
}

static void draw_threshold(trib_html *html, double threshold) {
    char text[TRIB_NUMBER_MAX];
    if (!(threshold >= 0 && threshold <= 2)) return;
    trib_html_open(html, "line", "threshold");
    trib_svg_per_cent(html, "x1", threshold / 2);
    trib_svg_per_cent(html, "x2", threshold / 2);
    trib_html_attribute(html, "y1", "-6");
    trib_html_attribute(html, "y2", "%d", HEIGHT);
    trib_html_end(html);
    trib_html_open(html, "text", threshold > 1.5 ? "threshold before" : "threshold");
    trib_svg_per_cent(html, "x", threshold / 2);
    trib_html_attribute(html, "y", "-10");
    trib_html_print(html, "threshold %s", trib_number(text, threshold));
    trib_html_end(html);
}

static double item(trib_svg_numbers numbers, size_t i) {
    return i < numbers.n && !isnan(numbers.item[i]) ? numbers.item[i] : 0;
}

/* The next of 2, 4, 10, 20, 40, 100 ...; half of each is a whole number. */
static double round_up(double largest) {
    double end = 2;
    for (int step = 0; end < largest && step < 60; step++) end *= step % 3 == 1 ? 2.5 : 2;
    return end;
}

void trib_svg_histogram(trib_html *html, trib_svg_numbers edges, const uint64_t *counts, size_t n,
                        double threshold, const char *title) {
    double largest = 0;
    for (size_t b = 0; b < n; b++) largest = fmax(largest, (double)counts[b]);
    const double end = round_up(largest);
    begin_plot(html, title);
    draw_axes(html, end, false, NULL);
    for (size_t b = 0; b < n && b + 1 < edges.n; b++) {
        const double low = item(edges, b), high = item(edges, b + 1);
        const double tall = HEIGHT * (double)counts[b] / end;
        if (!(tall > 0)) continue;
        trib_html_open(html, "rect", high <= threshold + 1e-9 ? "water flows" : "water below");
        trib_svg_per_cent(html, "x", low / 2 + 0.001);
        trib_svg_per_cent(html, "width", fmax((high - low) / 2 - 0.002, 0.001));
        trib_svg_number(html, "y", HEIGHT - tall);
        trib_svg_number(html, "height", tall);
        trib_html_end(html);
    }
    draw_threshold(html, threshold);
    end_plot(html);
}

static void draw_line(trib_html *html, trib_svg_numbers x, const trib_svg_line *line) {
    char text[TRIB_FIXED_MAX];
    const size_t n = x.n < line->y.n ? x.n : line->y.n;
    trib_html_begin(html, "path");
    trib_html_attribute(html, "class", "line line%u", line->style);
    trib_html_attribute(html, "vector-effect", "non-scaling-stroke");
    trib_write_text(html->writer, " d=\"");
    for (size_t i = 0; i < n; i++) {
        trib_write_text(html->writer, i ? "L" : "M");
        trib_write_text(html->writer, trib_fixed(text, item(x, i) * 500, 2));
        trib_write_text(html->writer, " ");
        trib_write_text(html->writer, trib_fixed(text, HEIGHT * (1 - item(line->y, i)), 2));
    }
    trib_write_text(html->writer, "\"");
    trib_html_end(html);
}

/* Draws the marks at the ends of the lines from the lowest up, each without overlap with the one
 * below. */
static void draw_marks(trib_html *html, const trib_svg_line *line, size_t n_lines) {
    bool drawn[TRIB_SVG_LINES + 1] = {false};
    double free_above = HEIGHT + 16;
    for (size_t turn = 0; turn < n_lines; turn++) {
        size_t lowest = n_lines;
        double least = INFINITY;
        for (size_t l = 0; l < n_lines; l++) {
            const double end = item(line[l].y, line[l].y.n - 1);
            if (drawn[l] || !(end < least)) continue;
            least = end;
            lowest = l;
        }
        if (lowest == n_lines) return;
        drawn[lowest] = true;
        free_above = fmin(free_above - 12, HEIGHT * (1 - least) + 4);
        trib_html_tag(html, "text", "class", "mark", "x", "100%", "dx", "6", NULL);
        trib_svg_number(html, "y", free_above);
        trib_html_text(html, line[lowest].mark);
        trib_html_end(html);
    }
}

void trib_svg_lines(trib_html *html, trib_svg_numbers x, const trib_svg_line *line, size_t n_lines,
                    double threshold, const double ends[2], const char *title) {
    begin_plot(html, title);
    draw_axes(html, 1, true, ends);
    draw_threshold(html, threshold);
    trib_html_tag(html, "svg", "width", "100%", NULL);
    trib_html_attribute(html, "height", "%d", HEIGHT);
    trib_html_attribute(html, "viewBox", "0 0 1000 %d", HEIGHT);
    trib_html_attribute(html, "preserveAspectRatio", "none");
    for (size_t l = 0; l < n_lines; l++) draw_line(html, line[l].x.item ? line[l].x : x, &line[l]);
    trib_html_end(html);
    draw_marks(html, line, n_lines);
    end_plot(html);
}

void trib_svg_line_sample(trib_html *html, unsigned style) {
    trib_html_tag(html, "svg", "class", "sample", "width", "34", "height", "10", "aria-hidden",
                  "true", NULL);
    trib_html_begin(html, "path");
    trib_html_attribute(html, "class", "line line%u", style);
    trib_html_attribute(html, "d", "M1 5H33");
    trib_html_end(html);
    trib_html_end(html);
}

void trib_svg_legend(trib_html *html, const trib_svg_line *line, const char *const title[],
                     size_t n, size_t n_all) {
    trib_html_open(html, "ul", "legend");
    for (size_t i = 0; i < n; i++) {
        trib_html_begin(html, "li");
        trib_svg_line_sample(html, line[i].style);
        trib_html_print(html, " %s ", line[i].mark);
        trib_html_foreign(html, title[i]);
        trib_html_end(html);
    }
    if (n < n_all) trib_html_element(html, "li", NULL, "%zu of %zu texts drawn", n, n_all);
    trib_html_end(html);
}
