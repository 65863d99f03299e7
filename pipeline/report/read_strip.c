/* read_strip.c - the whole text as a strip that is a map: a row for each of the sources with the
 * most words and one for all others, and links to the places. */
#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "pipeline/report/read.h"

/* A bin has at least BIN words. */
enum { ROWS = 5, ROW = 10, BINS = 120, FEW_BINS = 60, BIN = 100 };

size_t trib_read_page_source(const trib_read_page *reading, size_t passage) {
    const double s = trib_json_get_number(json_array_get(reading->passages, passage - 1), "source");
    return s >= 0 && s < (double)reading->n_sources ? (size_t)s : 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
/* Whether the first letter with a direction, in the pieces of a block, runs from right to left. */
static bool begins_right_to_left(const json_t *pieces) {
    for (size_t p = 0; p < json_array_size(pieces); p++) {
        const char *text = json_string_value(json_array_get(pieces, p));
        for (size_t i = 0; text && text[i];) {
            UChar32 c;
            U8_NEXT(text, i, -1, c);
            const UCharDirection direction = c > 0 ? u_charDirection(c) : U_OTHER_NEUTRAL;
            if (direction == U_LEFT_TO_RIGHT) return false;
            if (direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC) return true;
        }
    }
    return false;
}
#pragma GCC diagnostic pop

void trib_read_page_open(trib_read_page *reading, const trib_report *report, size_t target,
                         json_t *text) {
    *reading = (trib_read_page){.report = report,
                                .target = &report->targets[target],
                                .number = target,
                                .sources = json_object_get(text, "sources"),
                                .passages = json_object_get(text, "passages"),
                                .blocks = json_object_get(text, "blocks"),
                                .n_words = trib_json_get_number(text, "words")};
    reading->n_sources = json_array_size(reading->sources);
    for (size_t s = 0; s < reading->n_sources; s++) {
        json_t *source = json_array_get(reading->sources, s);
        const char *id = trib_json_get_text(source, "source");
        bool is_read = false;
        for (size_t t = 0; t < report->n_all_targets && !is_read; t++)
            is_read = strcmp(report->targets[t].id, id) == 0;
        json_object_set_new(source, "is_read", json_boolean(is_read));
        reading->traced += trib_json_get_number(source, "words");
    }
    reading->is_right_to_left =
        begins_right_to_left(json_object_get(json_array_get(reading->blocks, 0), "text"));
    size_t b = 0;
    for (size_t p = 0; p < json_array_size(reading->passages); p++) { /* both by their place */
        json_t *passage = json_array_get(reading->passages, p);
        const double at = trib_json_get_number(passage, "first");
        while (b + 1 < json_array_size(reading->blocks) &&
               trib_json_get_number(json_array_get(reading->blocks, b + 1), "first") <= at)
            b++;
        json_object_set(passage, "block",
                        json_object_get(json_array_get(reading->blocks, b), "first"));
    }
}

/* Adds the words of the passages of a row to the bins: of one source, or of all from `s` on. */
static void fill(double *bin, size_t n_bins, const trib_read_page *reading, size_t s,
                 bool is_rest) {
    const double width = reading->n_words / (double)n_bins;
    for (size_t p = 1; p <= json_array_size(reading->passages); p++) {
        const size_t source = trib_read_page_source(reading, p);
        if (is_rest ? source < s : source != s) continue;
        const json_t *passage = json_array_get(reading->passages, p - 1);
        double at = trib_json_get_number(passage, "first") - 1;
        const double end = at + trib_json_get_number(passage, "words");
        for (size_t b = (size_t)(at / width); b < n_bins && at < end; b++) {
            const double next = width * (double)(b + 1) < end ? width * (double)(b + 1) : end;
            bin[b] += (next - at) / width;
            at = next;
        }
    }
}

/* Draws a row: in each bin a bar, the higher the more of its words are traced. */
static void draw_row(trib_html *html, const trib_read_page *reading, size_t s, bool is_rest,
                     size_t n_bins) {
    double bin[BINS] = {0};
    char path[BINS * 32] = "", *at = path;
    fill(bin, n_bins, reading, s, is_rest);
    for (size_t b = 0; b < n_bins; b++) {
        const int height = bin[b] > 0 ? 2 + (int)((ROW - 3) * (bin[b] < 1 ? bin[b] : 1) + 0.5) : 0;
        if (height > 0)
            at += snprintf(at, 32, "M%zu %zuv-%dh1v%dz", b, (s + 1) * ROW, height, height);
    }
    trib_html_begin(html, "path");
    if (is_rest) trib_html_attribute(html, "class", "others");
    else trib_html_attribute(html, "class", "s%zu", s + 1);
    trib_html_attribute(html, "d", "%s", path);
    trib_html_end(html);
}

/* The first word of the last block that begins at or before a word. */
static double block_of(const trib_read_page *reading, double word, size_t *b) {
    while (*b + 1 < json_array_size(reading->blocks) &&
           trib_json_get_number(json_array_get(reading->blocks, *b + 1), "first") <= word)
        ++*b;
    return trib_json_get_number(json_array_get(reading->blocks, *b), "first");
}

static void write_links(trib_html *html, const trib_read_page *reading, size_t n_rows,
                        size_t n_bins) {
    size_t block = 0;
    for (size_t b = 0; b < n_bins; b++) {
        const double word = reading->n_words * (double)b / (double)n_bins + 1;
        trib_html_begin(html, "a");
        trib_html_attribute(html, "href", "#w%.0f", block_of(reading, word, &block));
        trib_html_attribute(html, "tabindex", "-1");
        trib_html_begin(html, "path");
        trib_html_attribute(html, "d", "M%zu 0h1v%zuh-1z", b, n_rows * ROW);
        trib_html_end(html);
        trib_html_end(html);
    }
}

void trib_read_page_strip(trib_html *html, const trib_read_page *reading) {
    const size_t n_rows = reading->n_sources < ROWS ? reading->n_sources : ROWS,
                 most = reading->report->is_many ? FEW_BINS : BINS,
                 full = 1 + (size_t)reading->n_words / BIN, n_bins = full < most ? full : most;
    if (n_rows == 0 || n_bins == 0) return;
    trib_html_tag(html, "div", "class", "strip", "aria-hidden", "true", NULL);
    trib_html_begin(html, "ol");
    for (size_t s = 0; s < n_rows; s++) {
        const bool is_rest = s + 1 == ROWS && reading->n_sources > ROWS;
        trib_html_begin(html, "li");
        if (is_rest) trib_html_text(html, "+");
        else trib_html_print(html, "%zu", s + 1);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_html_begin(html, "svg");
    trib_html_attribute(html, "viewBox", "0 0 %zu %zu", n_bins, n_rows * ROW);
    trib_html_attribute(html, "preserveAspectRatio", "none");
    for (size_t s = 0; s < n_rows; s++)
        draw_row(html, reading, s, s + 1 == ROWS && reading->n_sources > ROWS, n_bins);
    write_links(html, reading, n_rows, n_bins);
    trib_html_end(html);
    trib_html_end(html);
}
