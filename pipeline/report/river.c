/* river.c - the origin of the target's mass: streams as wide as the headline shares, which join
 * into one. */
#include <math.h>
#include <stdio.h>

#include "pipeline/charts/svg.h"
#include "pipeline/report/report.h"

/* streams with a name of their own; heights in pixels */
enum { NAMED = 5, WHOLE = 190, SLOT = 36, GAP = 10 };

typedef struct stream {
    const char *title; /* NULL: the same as `label` */
    char label[64];
    const char *kind;
    double share, printed;
} stream;

/* Lists the named sources, the rest above the floor, the sources below it, and the author;
 * returns the number of streams. */
static size_t list_streams(const trib_report_target *target, stream list[NAMED + 4]) {
    size_t n = 0;
    double more = 0, more_printed = 0;
    for (size_t s = 0; s < target->n_flowing; s++) {
        const trib_report_share *share = &target->share[s];
        if (s < NAMED)
            list[n++] = (stream){share->title, "", "flows", share->share, share->printed};
        else more += share->share, more_printed += share->printed;
    }
    if (more > 0) {
        list[n] = (stream){NULL, "", "flows", more, more_printed};
        snprintf(list[n].label, sizeof list[n].label, "%zu more sources",
                 target->n_flowing - NAMED);
        n++;
    }
    const trib_parts *parts = &target->parts;
    if (parts->below > 0) {
        list[n] = (stream){NULL, "", "below", parts->below, parts->below};
        snprintf(list[n].label, sizeof list[n].label, "%zu below the noise floor",
                 target->n_sources - target->n_flowing_sources);
        n++;
    }
    const double author = trib_json_get_number(target->headline, "author");
    if (author > 0 && parts->author > 0)
        list[n++] = (stream){NULL, "author and common language", "author", author, parts->author};
    const double formula = trib_json_get_number(target->headline, "formula");
    if (formula > 0 && parts->formula > 0)
        list[n++] =
            (stream){NULL, "formulas, in very many texts", "formula", formula, parts->formula};
    return n;
}

static double slot_of(const stream *s) { return fmax(SLOT, s->share * WHOLE + GAP); }

static void draw_stream(trib_html *html, const stream *s, double left, double right) {
    char path[10 * TRIB_FIXED_MAX], a[4][TRIB_FIXED_MAX];
    const double thick = s->share * WHOLE;
    trib_fixed(a[0], left, 2);
    trib_fixed(a[1], right, 2);
    trib_fixed(a[2], right + thick, 2);
    trib_fixed(a[3], left + thick, 2);
    snprintf(path, sizeof path, "M0 %sC55 %s 45 %s 100 %sV%sC45 %s 55 %s 0 %sZ", a[0], a[0], a[1],
             a[1], a[2], a[2], a[3], a[3]);
    trib_html_begin(html, "path");
    trib_html_attribute(html, "class", "water %s", s->kind);
    trib_html_attribute(html, "d", "%s", path);
    trib_html_end(html);
}

void trib_report_river(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    stream list[NAMED + 4];
    const size_t n = list_streams(target, list);
    double height = 0, mouth = 0;
    for (size_t s = 0; s < n; s++) {
        height += slot_of(&list[s]);
        mouth += list[s].share * WHOLE;
    }
    char text[TRIB_FIXED_MAX];
    trib_html_open(html, "figure", "river");
    trib_html_begin(html, "ul");
    for (size_t s = 0; s < n; s++) {
        trib_html_open(html, "li", list[s].kind);
        trib_html_attribute(html, "style", "height:%spx", trib_fixed(text, slot_of(&list[s]), 2));
        trib_html_begin(html, "span");
        if (list[s].title) trib_html_foreign(html, list[s].title);
        else trib_html_text(html, list[s].label);
        trib_html_end(html);
        trib_html_print(html, " ");
        trib_report_part(html, target, list[s].printed);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_svg_open(html, NULL, "Streams as wide as the shares, joining into the whole text");
    trib_html_attribute(html, "viewBox", "0 0 100 %s", trib_fixed(text, fmax(height, 1), 2));
    trib_html_attribute(html, "preserveAspectRatio", "none");
    trib_svg_number(html, "height", height);
    double left = 0, right = (height - mouth) / 2;
    for (size_t s = 0; s < n; s++) {
        const double slot = slot_of(&list[s]), thick = list[s].share * WHOLE;
        draw_stream(html, &list[s], left + (slot - thick) / 2, right);
        left += slot;
        right += thick;
    }
    trib_html_end(html);
    trib_html_foreign_element(html, "figcaption", NULL, target->title);
    trib_html_end(html);
}
