/* svg.c - what all charts share, bars, and plots with two axes: the histogram of distances, and
 * shares against the threshold. A plot fills its box from 0 to 100 %; labels of the axes are
 * outside, in the margin of the style sheet. */
#include "pipeline/report/svg.h"

#include "pipeline/report/report.h"

void trib_svg_number(trib_html *html, const char *name, double value) {
    char text[TRIB_FIXED_MAX];
    trib_html_attribute(html, name, "%s", trib_fixed(text, value, 2));
}

void trib_svg_size(trib_html *html, double width, double height) {
    char w[TRIB_FIXED_MAX], h[TRIB_FIXED_MAX];
    trib_svg_number(html, "width", width);
    trib_svg_number(html, "height", height);
    trib_html_attribute(html, "viewBox", "0 0 %s %s", trib_fixed(w, width, 2),
                        trib_fixed(h, height, 2));
}

void trib_svg_open(trib_html *html, const char *class_name, const char *title) {
    trib_html_open(html, "svg", class_name);
    trib_html_attribute(html, "role", "img");
    trib_html_attribute(html, "aria-label", "%s", title);
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* The width of a character in letters: 0 for combining characters, 2 for the scripts of East
 * Asia. */
static unsigned width_of(const unsigned char *at) {
    if (at[0] == 0xCC || (at[0] == 0xCD && at[1] < 0xB0)) return 0;
    return at[0] >= 0xE3 ? 2 : at[0] == 0xE1 && at[1] >= 0x84 && at[1] < 0x88 ? 2 : 1;
}

unsigned trib_svg_letters(const char *text) {
    unsigned width = 0;
    for (size_t i = 0; text[i]; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            width += width_of((const unsigned char *)text + i);
    return width;
}

/* The length in bytes of a character together with the combining characters after it. */
static size_t character_at(const char *text) {
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80 ||
           (text[length] && width_of((const unsigned char *)text + length) == 0))
        length++;
    return length;
}

/* How many bytes at the start of `text`, a label, are at most `letters` wide. */
static size_t within(const char *text, unsigned letters) {
    enum { MOST = 110 };
    size_t length = 0;
    unsigned width = 0;
    while (text[length] && length < MOST) {
        const size_t next = length + character_at(text + length);
        width += width_of((const unsigned char *)text + length);
        if (width > letters || next > MOST) break;
        length = next;
    }
    return length;
}

/* Returns `text`, or in `cut` a form at most `letters` wide, with an ellipsis just before its
 * end, because many titles differ only there. */
static const char *shortened(char cut[256], const char *text, unsigned letters) {
    if (!text[within(text, letters)]) return text;
    const unsigned after = letters < 6 ? 0 : letters < 12 ? (letters - 1) / 2 : letters / 3;
    const char *end = text;
    for (unsigned width = trib_svg_letters(text); width > after; end += character_at(end))
        width -= width_of((const unsigned char *)end);
    snprintf(cut, 256, "%.*s\xE2\x80\xA6%.*s",
             (int)within(text, letters > after ? letters - after - 1 : 0), text,
             (int)within(end, after), end);
    return cut;
}

void trib_svg_label(trib_html *html, const char *class_name, double x, double y, const char *text,
                    unsigned letters) {
    char cut[256];
    trib_html_open(html, "text", class_name);
    trib_svg_number(html, "x", x);
    trib_svg_number(html, "y", y);
    trib_html_text(html, shortened(cut, text, letters));
    trib_html_end(html);
}

/* ---- Bars ------------------------------------------------------------------------------------ */

double trib_svg_axis(double largest) {
    if (!(largest > 0.05)) return 0.05;
    return fmin(1, ceil(largest * 10 - 1e-9) / 10);
}

static void line_at(trib_html *html, const char *class_name, double x, const char *y1,
                    const char *y2) {
    trib_report_say(html, "<line class='{s}' x1='{f3}%' x2='{f3}%' y1='{s}' y2='{s}'/>", class_name,
                    100 * x, 100 * x, y1, y2);
}

void trib_svg_bar_draw(trib_html *html, const trib_svg_bar *bar) {
    const double width = fmin(1, bar->value / bar->axis);
    trib_svg_open(html, "bar", bar->title);
    trib_html_attribute(html, "width", "100%%");
    trib_html_attribute(html, "height", "22");
    trib_report_say(html, "<rect class='track' y='5' width='100%' height='12'/>");
    if (width > 0)
        trib_report_say(html, "<rect class='water {s}' y='5' width='{f3}%' height='12'/>",
                        bar->kind, 100 * fmax(width, 0.002));
    if (bar->floor > 0 && bar->floor <= bar->axis)
        line_at(html, "floor", bar->floor / bar->axis, "-6", "28");
    if (bar->low <= bar->high) {
        const double low = fmin(1, bar->low / bar->axis), high = fmin(1, bar->high / bar->axis);
        trib_report_say(html, "<line class='whisker' x1='{f3}%' x2='{f3}%' y1='11' y2='11'/>",
                        100 * low, 100 * high);
        line_at(html, "whisker", low, "7.5", "14.5");
        line_at(html, "whisker", high, "7.5", "14.5");
    }
    trib_html_end(html);
}

/* ---- Plots ----------------------------------------------------------------------------------- */

enum { HEIGHT = 200, X_STEPS = 4, Y_STEPS = 2 };

static void begin_plot(trib_html *html, const char *title) {
    trib_report_say(html,
                    "<div class='plot'><svg role='img' aria-label='{s}' width='100%' height='{z}'>",
                    title, (size_t)HEIGHT);
}

static void horizontal(trib_html *html, double y, const char *label) {
    trib_report_say(html,
                    "<line class='grid' x2='100%' y1='{f2}' y2='{f2}'/>"
                    "<text class='y' x='-8' y='{f2}'>{s}</text>",
                    y, y, y + 4, label);
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
        trib_report_say(html, "<text class='x' x='{f3}%' y='{z}'>{s}</text>", 100.0 * i / X_STEPS,
                        (size_t)HEIGHT + 20,
                        ends ? trib_grouped(text, ends[i > 0])
                             : trib_fixed(text, 2.0 * i / X_STEPS, 1));
    }
}

static void draw_threshold(trib_html *html, double threshold) {
    char text[TRIB_NUMBER_MAX];
    if (!(threshold >= 0 && threshold <= 2)) return;
    trib_report_say(html,
                    "<line class='threshold' x1='{f3}%' x2='{f3}%' y1='-6' y2='{z}'/>"
                    "<text class='threshold{s}' x='{f3}%' y='-10'>threshold {s}</text>",
                    50 * threshold, 50 * threshold, (size_t)HEIGHT,
                    threshold > 1.5 ? " before" : "", 50 * threshold, trib_number(text, threshold));
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
        trib_report_say(html,
                        "<rect class='water {s}' x='{f3}%' width='{f3}%' y='{f2}' height='{f2}'/>",
                        high <= threshold + 1e-9 ? "flows" : "below", 100 * (low / 2 + 0.001),
                        100 * fmax((high - low) / 2 - 0.002, 0.001), HEIGHT - tall, tall);
    }
    draw_threshold(html, threshold);
    trib_report_say(html, "</svg></div>");
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
        trib_report_say(html, "<text class='mark' x='100%' dx='6' y='{f2}'>{s}</text>", free_above,
                        line[lowest].mark);
    }
}

void trib_svg_lines(trib_html *html, trib_svg_numbers x, const trib_svg_line *line, size_t n_lines,
                    double threshold, const double ends[2], const char *title) {
    begin_plot(html, title);
    draw_axes(html, 1, true, ends);
    draw_threshold(html, threshold);
    trib_report_say(
        html, "<svg width='100%' height='{z}' viewBox='0 0 1000 {z}' preserveAspectRatio='none'>",
        (size_t)HEIGHT, (size_t)HEIGHT);
    for (size_t l = 0; l < n_lines; l++) draw_line(html, line[l].x.item ? line[l].x : x, &line[l]);
    trib_html_end(html);
    draw_marks(html, line, n_lines);
    trib_report_say(html, "</svg></div>");
}

void trib_svg_line_sample(trib_html *html, unsigned style) {
    trib_report_say(html,
                    "<svg class='sample' width='34' height='10' aria-hidden='true'>"
                    "<path class='line line{z}' d='M1 5H33'/></svg>",
                    (size_t)style);
}

void trib_svg_legend(trib_html *html, const trib_svg_line *line, const char *const title[],
                     size_t n, size_t n_all) {
    trib_html_open(html, "ul", "legend");
    for (size_t i = 0; i < n; i++) {
        trib_html_begin(html, "li");
        trib_svg_line_sample(html, line[i].style);
        trib_report_say(html, " {s} {t}</li>", line[i].mark, title[i]);
    }
    if (n < n_all) trib_report_say(html, "<li>{z} of {z} texts drawn</li>", n, n_all);
    trib_html_end(html);
}
