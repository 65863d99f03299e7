/* plots.c - the plots of docs/validation.md, as SVG that reads on light and dark paper. */
#include "tests/validate/validate.h"

static FILE *open_plot(const char *directory, const char *name, int width, int height,
                       const char *title) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *svg = open_file(path, "w");
    fprintf(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n"
            "<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, title, width, height);
    return svg;
}

static void close_plot(FILE *svg) {
    fprintf(svg, "</svg>\n");
    close_file(svg);
}

/* ---- Shares against the truth ---------------------------------------------------------------- */

enum { SIDE = 240, LEFT = 44, TOP = 34, APART = 30 };
#define LARGEST 0.5

static void draw_panel(FILE *svg, const validation *v, const char *name, int x0) {
    const size_t w = find_way(name);
    fprintf(svg,
            "<text x=\"%d\" y=\"20\" font-weight=\"bold\">%s</text>\n"
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n"
            "<path d=\"M%d %dl%d %d\" stroke=\"#888\" stroke-dasharray=\"3 3\"/>\n",
            x0, name, x0, TOP, SIDE, SIDE, x0, TOP + SIDE, SIDE, -SIDE);
    for (int tick = 0; tick <= 5; tick++) {
        const int at = SIDE * tick / 5;
        fprintf(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%g</text>\n",
                x0 + at, TOP + SIDE + 16, tick / 10.);
        if (x0 == LEFT)
            fprintf(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#555\">%g</text>\n",
                    x0 - 6, TOP + SIDE - at + 4, tick / 10.);
    }
    for (int altered = 0; altered < 2; altered++) { /* the points of one colour are one path */
        fprintf(svg,
                "<path stroke=\"%s\" stroke-width=\"5\" stroke-linecap=\"round\" "
                "stroke-opacity=\".55\" d=\"",
                altered ? "#c2410c" : "#1d4ed8");
        for (size_t i = 0; i < v->n_planted; i++) {
            const known_case *c = &v->planted[i];
            for (size_t s = 0; s < c->n_sources && altered == (c->change[0] != '-'); s++)
                if (c->found[w].made && !c->is_grouped[s])
                    fprintf(svg, "M%.1f %.1fh0\n",
                            x0 + SIDE * fmin(1, c->truth[ways[w].unit][s] / LARGEST),
                            TOP + SIDE * (1 - fmin(1, c->found[w].share[s] / LARGEST)));
        }
        fprintf(svg, "\"/>\n");
    }
}

static void plot_shares(const validation *v, const char *directory) {
    static const char *const shown[] = {"extent", "traced", "anchored"};
    FILE *svg = open_plot(directory, "shares.svg", LEFT + 3 * (SIDE + APART), TOP + SIDE + 44,
                          "Shares against the truth, by extent, traced and anchored");
    for (int p = 0; p < 3; p++) draw_panel(svg, v, shown[p], LEFT + p * (SIDE + APART));
    fprintf(svg,
            "<text x=\"%d\" y=\"%d\" fill=\"#1d4ed8\">copied to the letter</text>\n"
            "<text x=\"%d\" y=\"%d\" fill=\"#c2410c\">words changed, misread or respelled</text>\n",
            LEFT, TOP + SIDE + 36, LEFT + 150, TOP + SIDE + 36);
    close_plot(svg);
}

/* ---- Error by length of run ------------------------------------------------------------------ */

static const int lengths[] = {4, 5, 6, 8, 10, 20, 50, 100, 500, 0};

/* The mean error of the rungs runN, of copied sources, on `judge`. */
static double error_of_length(const validation *v, size_t w, int length) {
    char rung[16];
    snprintf(rung, sizeof rung, "run%d", length);
    return score_planted(v, w, &(selection){.half = "judge", .rung = rung}).of_copied;
}

static void plot_lengths(const validation *v, const char *directory) {
    static const struct {
        const char *name, *color;
    } shown[] = {{"extent", "#1d4ed8"},
                 {"traced", "#7c3aed"},
                 {"anchored", "#15803d"},
                 {"split", "#c2410c"},
                 {"containment", "#555"}};
    enum { WIDTH = 620, HEIGHT = 260, X0 = 60, Y0 = 20, STEP = 54 };
    FILE *svg = open_plot(directory, "lengths.svg", WIDTH, HEIGHT + 60,
                          "Mean absolute error of copied sources by length of run, judge");
    for (int tick = 0; tick <= 4; tick++) { /* .0001, .001, .01, .1, 1 */
        const int y = Y0 + HEIGHT * (4 - tick) / 4;
        fprintf(svg,
                "<path d=\"M%d %dh%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%d\" "
                "text-anchor=\"end\" fill=\"#555\">%g</text>\n",
                X0, y, 8 * STEP, X0 - 6, y + 4, pow(10, tick - 4));
    }
    for (int i = 0; lengths[i]; i++)
        fprintf(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%d</text>\n",
                X0 + i * STEP, Y0 + HEIGHT + 18, lengths[i]);
    fprintf(svg, "<text x=\"%d\" y=\"%d\" fill=\"#555\">words in a copied run</text>\n", X0,
            Y0 + HEIGHT + 36);
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        double y = 0;
        fprintf(svg, "<path fill=\"none\" stroke-width=\"2\" stroke=\"%s\" d=\"", shown[k].color);
        for (int i = 0; lengths[i]; i++) {
            const double error = error_of_length(v, find_way(shown[k].name), lengths[i]);
            y = Y0 - HEIGHT * log10(fmax(error, 1e-4)) / 4;
            fprintf(svg, "%s%d %.1f", i ? "L" : "M", X0 + i * STEP, y);
        }
        fprintf(svg, "\"/>\n<text x=\"%d\" y=\"%.1f\" fill=\"%s\">%s</text>\n", X0 + 8 * STEP + 8,
                y + 4, shown[k].color, shown[k].name);
    }
    close_plot(svg);
}

void write_plots(const validation *v, const char *directory) {
    plot_shares(v, directory);
    plot_lengths(v, directory);
}
