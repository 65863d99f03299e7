/* svg.c - what all charts share, and bars. Plots with two axes are in svg_plot.c. */
#include "pipeline/report/svg.h"

#include <math.h>

void trib_svg_number(trib_html *html, const char *name, double value) {
    char text[TRIB_FIXED_MAX];
    trib_html_attribute(html, name, "%s", trib_fixed(text, value, 2));
}

void trib_svg_per_cent(trib_html *html, const char *name, double fraction) {
    char text[TRIB_FIXED_MAX];
    trib_html_attribute(html, name, "%s%%", trib_fixed(text, 100 * fraction, 3));
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

/* ---- Bars ------------------------------------------------------------------------------------ */

double trib_svg_axis(double largest) {
    if (!(largest > 0.05)) return 0.05;
    return fmin(1, ceil(largest * 10 - 1e-9) / 10);
}

static void line_at(trib_html *html, const char *class_name, double x, const char *y1,
                    const char *y2) {
    trib_html_open(html, "line", class_name);
    trib_svg_per_cent(html, "x1", x);
    trib_svg_per_cent(html, "x2", x);
    trib_html_attribute(html, "y1", "%s", y1);
    trib_html_attribute(html, "y2", "%s", y2);
    trib_html_end(html);
}

void trib_svg_bar_draw(trib_html *html, const trib_svg_bar *bar) {
    const double width = fmin(1, bar->value / bar->axis);
    trib_svg_open(html, "bar", bar->title);
    trib_html_attribute(html, "width", "100%%");
    trib_html_attribute(html, "height", "22");
    trib_html_tag(html, "rect", "class", "track", "y", "5", "width", "100%", "height", "12", NULL);
    trib_html_end(html);
    if (width > 0) {
        trib_html_begin(html, "rect");
        trib_html_attribute(html, "class", "water %s", bar->kind);
        trib_html_attribute(html, "y", "5");
        trib_svg_per_cent(html, "width", fmax(width, 0.002));
        trib_html_attribute(html, "height", "12");
        trib_html_end(html);
    }
    if (bar->floor > 0 && bar->floor <= bar->axis)
        line_at(html, "floor", bar->floor / bar->axis, "-6", "28");
    if (bar->low <= bar->high) {
        const double low = fmin(1, bar->low / bar->axis), high = fmin(1, bar->high / bar->axis);
        trib_html_open(html, "line", "whisker");
        trib_svg_per_cent(html, "x1", low);
        trib_svg_per_cent(html, "x2", high);
        trib_html_attribute(html, "y1", "11");
        trib_html_attribute(html, "y2", "11");
        trib_html_end(html);
        line_at(html, "whisker", low, "7.5", "14.5");
        line_at(html, "whisker", high, "7.5", "14.5");
    }
    trib_html_end(html);
}
