/* read_beside.c - what stands beside the text of a reading page: for each traced run the words of
 * the source around it, and the whole text as a strip that is a map. The page holds the places in
 * the sources, hidden until one is chosen. Those of a long text are in parts, read/ID+N.html, each
 * for some of its words, and the page shows them in a frame; else it would open slowly. */
#include "pipeline/report/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RANGE "%" PRIu64 "\xE2\x80\x93%" PRIu64

/* ---- The places in the sources --------------------------------------------------------------- */

/* Words of a text from which on the places are apart, and words of a part. */
enum { LONG_TEXT = 120000, PART = 50000 };

size_t trib_report_n_places(const trib_report *report, size_t target) {
    const double n = trib_report_number(report->targets[target].document->words);
    return n > LONG_TEXT ? 1 + (size_t)((n - 1) / PART) : 0;
}

static size_t part_of(const trib_read_page *reading, size_t passage) {
    return 1 + (size_t)((trib_read_page_passage(reading, passage)->first - 1) / PART);
}

/* The first word of the block with a word: the page has it as an id. */
static uint64_t block_of(const trib_read_page *reading, uint64_t word) {
    const trib_running_blocks *blocks = &reading->text->blocks;
    size_t b = 0;
    for (size_t after = blocks->n; b + 1 < after;) {
        const size_t middle = b + (after - b) / 2;
        if (blocks->item[middle].first <= word) b = middle;
        else after = middle;
    }
    return blocks->n > 0 ? blocks->item[b].first : 1;
}

void trib_read_page_address(trib_html *html, const trib_read_page *reading, size_t passage) {
    if (trib_report_n_places(reading->report, reading->number) == 0)
        trib_html_attribute(html, "href", "#p%zu", passage);
    else
        trib_html_attribute(html, "href", "%s+%zu.html#p%zu", reading->target->id,
                            part_of(reading, passage), passage);
}

/* Quotes words of the document `id`. */
static void write_quotation(trib_html *html, const trib_read_page *reading, const char *id,
                            const trib_texts *pieces) {
    trib_html_begin(html, "blockquote");
    trib_report_set_language(reading->report, html, id);
    if (html->language) trib_html_attribute(html, "lang", "%s", html->language);
    for (size_t i = 0; i < pieces->n; i++) {
        const bool is_inside = i > 0 && i + 1 < pieces->n;
        const char *element = i % 2 == 1                                       ? "mark"
                              : is_inside && strcmp(pieces->item[i], " ") != 0 ? "i"
                                                                               : NULL;
        if (element) trib_html_begin(html, element);
        trib_html_prose(html, pieces->item[i]);
        if (element) trib_html_end(html);
    }
    trib_html_end(html);
}

/* Writes a range of words as a link to the page `id`.html; NULL: to this page. The page replaces
 * the one around a frame, when the places are apart. */
static void write_words(trib_html *html, const char *id, bool is_apart, uint64_t address,
                        uint64_t first, uint64_t words) {
    trib_html_begin(html, "a");
    if (id) trib_html_attribute(html, "href", "%s.html#w%" PRIu64, id, address);
    else trib_html_attribute(html, "href", "#w%" PRIu64, address);
    if (is_apart) trib_html_attribute(html, "target", "_top");
    trib_html_print(html, RANGE, first, first + words - 1);
    trib_html_end(html);
}

static void write_step(trib_html *html, const trib_read_page *reading, size_t p,
                       const char *arrow) {
    trib_html_begin(html, "a");
    trib_read_page_address(html, reading, p);
    trib_html_text(html, arrow);
    trib_html_end(html);
}

/* Writes where the words are here and there, with links, and how sure it is. */
static void write_facts(trib_html *html, const trib_read_page *reading, size_t p,
                        const char *source) {
    const trib_running_passage *one = trib_read_page_passage(reading, p);
    const bool is_apart = trib_report_n_places(reading->report, reading->number) > 0;
    trib_html_begin(html, "p");
    if (one->reference && *one->reference) trib_report_say(html, "Here {t}. ", one->reference);
    trib_html_text(html, "Words ");
    write_words(html, is_apart ? reading->target->id : NULL, is_apart,
                block_of(reading, one->first), one->first, one->words);
    trib_html_text(html, " here, ");
    if (trib_report_is_target(reading->report, source))
        write_words(html, source, is_apart, one->source_first, one->source_first,
                    one->source_words);
    else trib_html_print(html, RANGE, one->source_first, one->source_first + one->source_words - 1);
    trib_html_print(html, " there; %" PRIu64 " agree", one->agree);
    if (!isnan(one->probability))
        trib_report_say(html, "; copied with probability {p}", one->probability);
    if (p > 1) write_step(html, reading, p - 1, "\xE2\x86\x90");
    if (p < reading->text->passages.n) write_step(html, reading, p + 1, "\xE2\x86\x92");
    trib_html_end(html);
}

static void write_place(trib_html *html, const trib_read_page *reading, size_t p) {
    const trib_running_passage *one = trib_read_page_passage(reading, p);
    const char *source = reading->text->sources.item[one->source].source,
               *reference = trib_report_text(one->source_reference);
    trib_html_begin(html, "article");
    trib_html_attribute(html, "id", "p%zu", p);
    trib_html_begin(html, "h2");
    trib_html_begin(html, "b");
    trib_html_attribute(html, "class", "s%" PRIu64, one->source + 1);
    trib_html_print(html, "%" PRIu64, one->source + 1);
    trib_html_end(html);
    trib_html_text(html, " ");
    trib_html_foreign(html, trib_report_title(reading->report, source));
    trib_html_text(html, trib_place_gap(reference));
    if (*reference) trib_html_foreign(html, reference);
    trib_html_end(html);
    write_quotation(html, reading, source, &one->text);
    write_facts(html, reading, p, source);
    trib_html_end(html);
}

/* Begins the part of a page for the places, with what says how to use it. */
static void begin_places(trib_html *html, const trib_read_page *reading) {
    trib_html_tag(html, "aside", "class", "places", "aria-label", "The source", "tabindex", "-1",
                  NULL);
    if (reading->text->passages.n == 0)
        trib_html_element(html, "p", "hint", "No run of this text is traced to a source.");
    else
        trib_html_element(html, "p", "hint",
                          "Choose a coloured passage: its source stands here. Keys: n and p for "
                          "the next passage and the one before. Choose a word: its number stands "
                          "in the address of the page, for a footnote.");
    trib_html_tag(html, "a", "class", "close", "href", "#text", "aria-label", "Close", NULL);
    trib_html_text(html, "\xC3\x97");
    trib_html_end(html);
}

void trib_read_page_places(trib_html *html, const trib_read_page *reading, size_t part) {
    const bool is_apart = trib_report_n_places(reading->report, reading->number) > 0;
    if (part == 0) begin_places(html, reading);
    else trib_html_tag(html, "section", "class", "places part", "aria-label", "The source", NULL);
    if (part == 0 && is_apart) {
        trib_html_tag(html, "iframe", "name", "place", "title", "The source", NULL);
        trib_html_end(html);
    }
    for (size_t p = 1; p <= reading->text->passages.n; p++)
        if (!is_apart || part_of(reading, p) == part) write_place(html, reading, p);
    trib_html_end(html);
}

/* ---- The strip ------------------------------------------------------------------------------- */

/* A row for each of the sources with the most words and one for all others. A bin has at least BIN
 * words. */
enum { ROWS = 5, ROW = 10, BINS = 120, FEW_BINS = 60, BIN = 100 };

/* Adds the words of the passages of a row to the bins: of one source, or of all from `s` on. */
static void fill(double *bin, size_t n_bins, const trib_running_text *text, size_t s,
                 bool is_rest) {
    const double width = (double)text->words / (double)n_bins;
    for (size_t p = 0; p < text->passages.n; p++) {
        const trib_running_passage *passage = &text->passages.item[p];
        if (is_rest ? passage->source < s : passage->source != s) continue;
        double at = (double)passage->first - 1;
        const double end = at + (double)passage->words;
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
    fill(bin, n_bins, reading->text, s, is_rest);
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

static void write_links(trib_html *html, const trib_read_page *reading, size_t n_rows,
                        size_t n_bins) {
    size_t first = 0;
    uint64_t here = block_of(reading, 1);
    for (size_t b = 1; b <= n_bins; b++) { /* a link for all bins of a block */
        const double word = (double)reading->text->words * (double)b / (double)n_bins + 1;
        const uint64_t next = b < n_bins ? block_of(reading, (uint64_t)word) : 0;
        if (next == here) continue;
        trib_html_begin(html, "a");
        trib_html_attribute(html, "href", "#w%" PRIu64, here);
        trib_html_attribute(html, "tabindex", "-1");
        trib_html_begin(html, "path");
        trib_html_attribute(html, "d", "M%zu 0h%zuv%zuh-%zuz", first, b - first, n_rows * ROW,
                            b - first);
        trib_html_end(html);
        trib_html_end(html);
        first = b;
        here = next;
    }
}

void trib_read_page_strip(trib_html *html, const trib_read_page *reading) {
    const size_t n_sources = reading->text->sources.n, n_rows = n_sources < ROWS ? n_sources : ROWS,
                 most = reading->report->is_many ? FEW_BINS : BINS,
                 full = 1 + (size_t)reading->text->words / BIN, n_bins = full < most ? full : most;
    if (n_rows == 0) return;
    trib_html_tag(html, "div", "class", "strip", "aria-hidden", "true", NULL);
    trib_html_begin(html, "ol");
    for (size_t s = 0; s < n_rows; s++) {
        const bool is_rest = s + 1 == ROWS && n_sources > ROWS;
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
        draw_row(html, reading, s, s + 1 == ROWS && n_sources > ROWS, n_bins);
    write_links(html, reading, n_rows, n_bins);
    trib_html_end(html);
    trib_html_end(html);
}
