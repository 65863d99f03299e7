/* svg_map.c - the map of shares. A small map shows the number in each cell; a large one has
 * cells without numbers, drawn as one path for each shade, so that 50 000 cells need no more
 * elements than fifty. */
#include "pipeline/report/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL_HEIGHT = 34, LETTER = TRIB_SVG_LETTER };

unsigned trib_svg_shade(double share) {
    static const double limits[] = {0.01, 0.025, 0.05, 0.1, 0.2, 0.4};
    unsigned shade = 0;
    while (shade < 6 && share >= limits[shade]) shade++;
    return shade;
}

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

static void draw_cell(trib_html *html, double x, double y, double width, double share, bool faint) {
    char text[TRIB_FIXED_MAX], shown[TRIB_FIXED_MAX + 4];
    const bool empty = isnan(share);
    trib_html_begin(html, "rect");
    if (empty) trib_html_attribute(html, "class", "none");
    else trib_html_attribute(html, "class", "shade%u", trib_svg_shade(share));
    trib_svg_number(html, "x", x);
    trib_svg_number(html, "y", y);
    trib_svg_number(html, "width", width - 2);
    trib_svg_number(html, "height", CELL_HEIGHT - 2);
    trib_html_end(html);
    if (empty) return;
    trib_fixed(text, 100 * share, 1);
    snprintf(shown, sizeof shown, faint ? "(%s)" : "%s", text);
    trib_html_begin(html, "text");
    trib_html_attribute(html, "class", "cell on%u", trib_svg_shade(share));
    trib_svg_number(html, "x", x + (width - 2) / 2);
    trib_svg_number(html, "y", y + CELL_HEIGHT / 2.0 + 4);
    trib_html_text(html, shown);
    trib_html_end(html);
}

static void draw_numbered(trib_html *html, const trib_svg_map *map) {
    unsigned widest = 4;
    for (size_t r = 0; r < map->n_rows; r++) {
        const unsigned letters = trib_svg_letters(map->row(map->context, r));
        if (letters > widest) widest = letters;
    }
    if (widest > 26) widest = 26;
    const double left = widest * LETTER + 16, top = 26;
    const double width = fmin(130, fmax(66, 600 / (double)(map->n_columns ? map->n_columns : 1)));
    const double w = left + width * (double)map->n_columns,
                 h = top + CELL_HEIGHT * (double)map->n_rows;
    trib_svg_open(html, "map", map->title);
    trib_svg_size(html, w, h);
    for (size_t c = 0; c < map->n_columns; c++)
        trib_svg_label(html, "column", left + width * ((double)c + 0.5) - 1, 16,
                       map->column(map->context, c), (unsigned)(width / LETTER) - 1);
    for (size_t r = 0; r < map->n_rows; r++) {
        const double y = top + CELL_HEIGHT * (double)r;
        trib_svg_label(html, "row", left - 10, y + CELL_HEIGHT / 2.0 + 4, map->row(map->context, r),
                       widest);
        for (size_t c = 0; c < map->n_columns; c++) {
            bool faint = false;
            const double share = map->value(map->context, r, c, &faint);
            draw_cell(html, left + width * (double)c, y, width, share, faint);
        }
    }
    trib_html_end(html);
}

/* ---- Many cells ------------------------------------------------------------------------------ */

enum {
    SHADES = 7,
    NONE = SHADES,
    LABEL_EVERY = 15 /* pixels */,
    WIDE_LABEL = 14,
    ROW_LABEL = 22 /* letters */
};

/* The kind of a cell: shades 1 .. 6 for a share above the floor; the lightest for other shares;
 * hatched where no share is possible. */
static unsigned kind_of(const trib_svg_map *map, size_t row, size_t column) {
    bool faint = false;
    const double share = map->value(map->context, row, column, &faint);
    return isnan(share) ? NONE : faint ? 0 : trib_svg_shade(share);
}

/* Adds all cells of one kind to one path; runs of cells in a column become one rectangle.
 * Returns how many rectangles. */
static size_t add_runs(trib_buffer *path, const unsigned char *kind, const trib_svg_map *map,
                       unsigned wanted, unsigned size, trib_error *error, trib_status *status) {
    size_t n = 0;
    for (size_t c = 0; c < map->n_columns; c++)
        for (size_t r = 0, end; r < map->n_rows && *status == TRIB_OK; r = end) {
            const unsigned char *column = kind + c * map->n_rows;
            for (end = r + 1; end < map->n_rows && column[end] == column[r];) end++;
            if (column[r] != wanted) continue;
            *status = trib_buffer_print(path, error, "M%zu %zuh%uv%zuh-%uz", c * size, r * size,
                                        size, (end - r) * size, size);
            n++;
        }
    return n;
}

static void draw_kinds(trib_html *html, const trib_svg_map *map, const unsigned char *kind,
                       unsigned size) {
    trib_error *error = &html->writer->failure;
    trib_buffer path = {0};
    trib_status status = TRIB_OK;
    for (unsigned k = 0; k <= NONE && status == TRIB_OK; k++) {
        trib_buffer_clear(&path);
        if (add_runs(&path, kind, map, k, size, error, &status) == 0 || status != TRIB_OK) continue;
        trib_html_begin(html, "path");
        if (k == NONE) trib_html_attribute(html, "class", "none");
        else trib_html_attribute(html, "class", "shade%u", k);
        trib_html_attribute(html, "d", "%s", path.text);
        trib_html_end(html);
    }
    trib_buffer_release(&path);
}

static void draw_fine(trib_html *html, const trib_svg_map *map) {
    trib_error *error = &html->writer->failure;
    const size_t longest = map->n_rows > map->n_columns ? map->n_rows : map->n_columns;
    const unsigned size = longest > 310 ? 3 : longest > 103 ? (unsigned)(932 / longest) : 9;
    const size_t every = (LABEL_EVERY + size - 1) / size, apart = WIDE_LABEL * LETTER / size;
    const double left = ROW_LABEL * LETTER + 10, top = 26;
    char text[2][TRIB_FIXED_MAX];
    unsigned char *kind = NULL;
    size_t n_cells = 0;
    if (!trib_multiply(map->n_rows, map->n_columns, &n_cells)) n_cells = SIZE_MAX;
    if (error->status != TRIB_OK || trib_new(&kind, n_cells, 1, "the map", error) != TRIB_OK)
        return;
    for (size_t c = 0; c < map->n_columns; c++)
        for (size_t r = 0; r < map->n_rows; r++)
            kind[c * map->n_rows + r] = (unsigned char)kind_of(map, r, c);
    const double w = left + fmax((double)(size * map->n_columns), WIDE_LABEL * LETTER),
                 h = top + (double)(size * map->n_rows) + 4;
    trib_svg_open(html, "map fine", map->title);
    trib_svg_size(html, w, h);
    for (size_t c = 0; c == 0 || c + apart <= map->n_columns; c += apart)
        trib_svg_label(html, "first", left + (double)(c * size), 16, map->column(map->context, c),
                       WIDE_LABEL - 1);
    for (size_t r = 0; r < map->n_rows; r += every)
        trib_svg_label(html, "row", left - 10, top + (double)(r * size) + 9,
                       map->row(map->context, r), ROW_LABEL);
    trib_html_begin(html, "g");
    trib_html_attribute(html, "transform", "translate(%s %s)", trib_fixed(text[0], left, 0),
                        trib_fixed(text[1], top, 0));
    draw_kinds(html, map, kind, size);
    trib_html_end(html);
    trib_html_end(html);
    trib_free(kind);
}

bool trib_svg_map_is_fine(const trib_svg_map *map) {
    return map->n_rows > 0 && map->n_columns > TRIB_SVG_CELLS / map->n_rows;
}

void trib_svg_map_draw(trib_html *html, const trib_svg_map *map) {
    if (trib_svg_map_is_fine(map)) draw_fine(html, map);
    else draw_numbered(html, map);
}
