/* svg_network.c - draws a directed graph in layers (Sugiyama, Tagawa and Toda 1981): texts are
 * in rows, in the order of time down the page; an arrow bends between the rows that it crosses;
 * each row is sorted by the mean position of the neighbours. */
#include "pipeline/report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    IN_ROW = 6,
    LETTERS = 25,
    BOX = 34,
    ROW = 92,
    GAP = 22,
    BEND = 10,
    MARGIN = 12,
    SWEEPS = 8,
    FEW = 24
};

/* An element that takes space in a row: a text, or an arrow that crosses the row. */
typedef struct item {
    uint32_t row;
    double width, x; /* x of its centre */
    double sum;      /* of the positions of its neighbours in the row that was sorted before */
    uint32_t n_sum;
} item;

typedef struct layout {
    const trib_svg_network *network;
    item *item; /* [n_items] texts first, then the bends of every arrow, from top to bottom */
    size_t n_items;
    size_t *bend;    /* [n_arrows + 1] the first bend of each arrow */
    uint32_t *place; /* [n_items] items row by row, from left to right */
    size_t *start;   /* [n_rows + 1] start of each row in `place` */
    uint32_t n_rows;
    double width;
} layout;

static uint32_t upper(const trib_svg_arrow *arrow) {
    return arrow->from < arrow->to ? arrow->from : arrow->to;
}
static uint32_t lower(const trib_svg_arrow *arrow) {
    return arrow->from < arrow->to ? arrow->to : arrow->from;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Puts texts into the current row until it is full or contains a text with an arrow to or from
 * the next one. */
static void find_rows(layout *l) {
    const trib_svg_network *network = l->network;
    uint32_t first = 0;
    for (uint32_t u = 0; u < network->n_texts; u++) {
        bool fits = u - first < IN_ROW;
        for (size_t a = 0; a < network->n_arrows && fits; a++)
            fits = lower(&network->arrow[a]) != u || upper(&network->arrow[a]) < first;
        if (!fits) first = u, l->n_rows++;
        const unsigned letters = trib_svg_letters(network->text[u]);
        l->item[u] = (item){.row = l->n_rows,
                            .width = 20 + 7.5 * (letters < 4         ? 4
                                                 : letters < LETTERS ? letters
                                                                     : LETTERS)};
    }
    l->n_rows += network->n_texts > 0;
}

static trib_status make_items(layout *l, trib_error *error) {
    const trib_svg_network *network = l->network;
    size_t cap = network->n_texts;
    trib_status status = trib_new(&l->item, cap, sizeof *l->item, "a drawing", error);
    if (status == TRIB_OK)
        status = trib_new(&l->bend, network->n_arrows + 1, sizeof *l->bend, "a drawing", error);
    if (status != TRIB_OK) return status;
    find_rows(l);
    l->n_items = network->n_texts;
    for (size_t a = 0; a < network->n_arrows && status == TRIB_OK; a++) {
        const uint32_t above = l->item[upper(&network->arrow[a])].row,
                       below = l->item[lower(&network->arrow[a])].row;
        l->bend[a] = l->n_items;
        status = trib_grow(&l->item, &cap, l->n_items + below - above, sizeof *l->item, "a drawing",
                           error);
        for (uint32_t r = above + 1; r < below && status == TRIB_OK; r++)
            l->item[l->n_items++] = (item){.row = r, .width = BEND};
    }
    l->bend[network->n_arrows] = l->n_items;
    if (status == TRIB_OK)
        status = trib_new(&l->place, l->n_items, sizeof *l->place, "a drawing", error);
    if (status == TRIB_OK)
        status = trib_new(&l->start, (size_t)l->n_rows + 1, sizeof *l->start, "a drawing", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < l->n_items; i++) l->start[l->item[i].row]++;
    for (uint32_t r = 1; r <= l->n_rows; r++) l->start[r] += l->start[r - 1];
    for (size_t i = l->n_items; i-- > 0;) l->place[--l->start[l->item[i].row]] = (uint32_t)i;
    return TRIB_OK;
}

/* The item of an arrow in a row that it crosses or ends in. */
static uint32_t item_of(const layout *l, size_t a, uint32_t row) {
    const trib_svg_arrow *arrow = &l->network->arrow[a];
    const uint32_t above = upper(arrow), below = lower(arrow);
    if (row == l->item[above].row) return above;
    if (row == l->item[below].row) return below;
    return (uint32_t)l->bend[a] + row - l->item[above].row - 1;
}

/* ---- Order in the rows ----------------------------------------------------------------------- */

static void set_places(layout *l, uint32_t row) {
    double width = 0;
    for (size_t i = l->start[row]; i < l->start[row + 1]; i++)
        width += l->item[l->place[i]].width + (i > l->start[row] ? GAP : 0);
    double x = -width / 2;
    for (size_t i = l->start[row]; i < l->start[row + 1]; i++) {
        item *it = &l->item[l->place[i]];
        it->x = x + it->width / 2;
        x += it->width + GAP;
    }
    l->width = fmax(l->width, width + 2 * MARGIN);
}

/* Sorts a row by the mean position of the neighbours in row `by`; by insertion, which is stable. */
static void order_row(layout *l, uint32_t row, uint32_t by) {
    for (size_t i = l->start[row]; i < l->start[row + 1]; i++)
        l->item[l->place[i]].sum = 0, l->item[l->place[i]].n_sum = 0;
    for (size_t a = 0; a < l->network->n_arrows; a++) {
        const uint32_t above = l->item[upper(&l->network->arrow[a])].row,
                       below = l->item[lower(&l->network->arrow[a])].row;
        const uint32_t high = row < by ? row : by, low = row < by ? by : row;
        if (above > high || below < low) continue;
        item *it = &l->item[item_of(l, a, row)];
        it->sum += l->item[item_of(l, a, by)].x;
        it->n_sum++;
    }
    for (size_t i = l->start[row]; i < l->start[row + 1]; i++) {
        item *it = &l->item[l->place[i]];
        it->sum = it->n_sum > 0 ? it->sum / it->n_sum : it->x;
    }
    for (size_t i = l->start[row] + 1; i < l->start[row + 1]; i++) {
        const uint32_t moved = l->place[i];
        size_t at = i;
        for (; at > l->start[row] && l->item[l->place[at - 1]].sum > l->item[moved].sum; at--)
            l->place[at] = l->place[at - 1];
        l->place[at] = moved;
    }
    set_places(l, row);
}

static void order_rows(layout *l) {
    for (uint32_t r = 0; r < l->n_rows; r++) set_places(l, r);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (uint32_t r = 1; r < l->n_rows; r++) order_row(l, r, r - 1);
        for (uint32_t r = l->n_rows; r-- > 1;) order_row(l, r - 1, r);
    }
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static void point(trib_buffer *path, trib_error *error, const char *command, double x, double y) {
    char a[TRIB_FIXED_MAX], b[TRIB_FIXED_MAX];
    trib_status status = trib_buffer_print(path, error, "%s%s %s ", command, trib_fixed(a, x, 1),
                                           trib_fixed(b, y, 1));
    (void)status; /* the error is recorded in `error` */
}

/* The point where an arrow meets its lower or its upper box; arrows at one side of a box are in
 * the order of their other ends. */
static double anchor(const layout *l, size_t a, bool at_lower) {
    const trib_svg_arrow *arrow = l->network->arrow;
    const uint32_t box = at_lower ? lower(&arrow[a]) : upper(&arrow[a]);
    const item *it = &l->item[box];
    const uint32_t other = at_lower ? it->row - 1 : it->row + 1;
    const double far = l->item[item_of(l, a, other)].x;
    double n = 0, before = 0;
    for (size_t b = 0; b < l->network->n_arrows; b++) {
        if ((at_lower ? lower(&arrow[b]) : upper(&arrow[b])) != box) continue;
        const double x = l->item[item_of(l, b, other)].x;
        n++;
        before += x < far || (x == far && b < a);
    }
    const double span = fmin(it->width - 16, 34 * n);
    return it->x + span * ((before + 0.5) / n - 0.5);
}

/* Draws an arrow from box to box, downwards, or upwards when it runs against time: curves
 * between rows, straight lines through them. */
static void draw_arrow(trib_html *html, const layout *l, size_t a, trib_buffer *path) {
    const trib_svg_arrow *arrow = &l->network->arrow[a];
    const bool down = arrow->from < arrow->to;
    trib_error *error = &html->writer->failure;
    const uint32_t first = l->item[arrow->from].row, last = l->item[arrow->to].row;
    double x = 0, y = 0, width = 1.2 + 10 * arrow->share;
    char text[TRIB_FIXED_MAX];
    trib_buffer_clear(path);
    for (uint32_t r = first;; r += down ? 1u : UINT32_MAX) {
        const item *it = &l->item[item_of(l, a, r)];
        const double top = MARGIN + (double)ROW * r, bottom = top + BOX;
        double at = it->x;
        if (r == first || r == last) at = anchor(l, a, (r == last) == down);
        const double in = down ? top : bottom, out = down ? bottom : top;
        const double end = r == last ? in + (down ? -5 : 5) : in;
        if (r == first) point(path, error, "M", at, out);
        else {
            point(path, error, "C", x, (y + end) / 2);
            point(path, error, "", at, (y + end) / 2);
            point(path, error, "", at, end);
            if (r != last) point(path, error, "L", at, out);
        }
        if (r == last && path->text) {
            trib_html_begin(html, "path");
            trib_html_attribute(html, "class", "arrow%s%s", down ? "" : " back",
                                arrow->ancestor ? " ancestor" : "");
            trib_html_attribute(html, "d", "%s", path->text);
            trib_html_attribute(html, "stroke-width", "%s", trib_fixed(text, width, 1));
            trib_html_end(html);
            char share[TRIB_FIXED_MAX];
            if (l->network->n_arrows <= FEW)
                trib_svg_label(html, "share", (x + 3 * at) / 4, (y + 3 * end) / 4,
                               trib_percent(share, arrow->share, 0), 12);
        }
        if (r == last) return;
        x = at;
        y = out;
    }
}

/* Draws a title in one line, or in two lines broken at a space. */
static void draw_title(trib_html *html, double x, double top, const char *title) {
    char first[4 * LETTERS + 1];
    size_t end = 0;
    if (trib_svg_letters(title) > LETTERS)
        for (size_t i = 1; title[i] && i < sizeof first; i++) {
            if (title[i] != ' ') continue;
            memcpy(first, title, i);
            first[i] = '\0';
            if (trib_svg_letters(first) <= LETTERS) end = i;
        }
    if (end == 0) {
        trib_svg_label(html, "name", x, top + BOX / 2.0 + 4, title, LETTERS);
        return;
    }
    memcpy(first, title, end);
    first[end] = '\0';
    trib_svg_label(html, "name", x, top + BOX / 2.0 - 4, first, LETTERS);
    trib_svg_label(html, "name", x, top + BOX / 2.0 + 13, title + end + 1, LETTERS);
}

static void draw_text(trib_html *html, const item *it, const char *title) {
    const double top = MARGIN + (double)ROW * it->row;
    const struct {
        const char *name;
        double value;
    } box[] = {{"x", it->x - it->width / 2}, {"y", top}, {"width", it->width}, {"height", BOX}};
    char text[TRIB_FIXED_MAX];
    trib_html_open(html, "rect", "text");
    for (size_t i = 0; i < sizeof box / sizeof *box; i++)
        trib_html_attribute(html, box[i].name, "%s", trib_fixed(text, box[i].value, 1));
    trib_html_attribute(html, "rx", "4");
    trib_html_end(html);
    draw_title(html, it->x, top, title);
}

static void draw_head(trib_html *html) {
    trib_html_begin(html, "defs");
    trib_html_tag(html, "marker", "id", "arrowhead", "markerUnits", "userSpaceOnUse", "markerWidth",
                  "14", "markerHeight", "14", "refX", "5", "refY", "7", "orient", "auto", NULL);
    trib_html_tag(html, "path", "class", "arrowhead", "d", "M1 1L11 7L1 13z", NULL);
    trib_html_end(html);
    trib_html_end(html);
    trib_html_end(html);
}

void trib_svg_network_draw(trib_html *html, const trib_svg_network *network) {
    layout l = {.network = network};
    trib_buffer path = {0};
    char text[4][TRIB_FIXED_MAX];
    if (html->writer->failure.status != TRIB_OK ||
        make_items(&l, &html->writer->failure) != TRIB_OK)
        goto done;
    order_rows(&l);
    const double height = 2 * MARGIN + (double)ROW * (l.n_rows - 1) + BOX;
    trib_html_tag(html, "svg", "class", "network", "role", "img", NULL);
    trib_html_attribute(html, "aria-label", "%s", network->title);
    trib_html_attribute(html, "width", "%s", trib_fixed(text[0], l.width, 0));
    trib_html_attribute(html, "height", "%s", trib_fixed(text[1], height, 0));
    trib_html_attribute(html, "viewBox", "%s 0 %s %s", trib_fixed(text[2], -l.width / 2, 1),
                        trib_fixed(text[3], l.width, 1), text[1]);
    draw_head(html);
    for (size_t a = 0; a < network->n_arrows; a++) draw_arrow(html, &l, a, &path);
    for (uint32_t u = 0; u < network->n_texts; u++) draw_text(html, &l.item[u], network->text[u]);
    trib_html_end(html);
done:
    trib_buffer_release(&path);
    trib_free(l.item);
    trib_free(l.bend);
    trib_free(l.place);
    trib_free(l.start);
}
