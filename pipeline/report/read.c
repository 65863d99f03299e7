/* read.c - the reading page of a target: its running text, coloured and underlined by the source
 * that each run of words is traced to; a legend, which is a filter; the text as a strip, which is a
 * map; and for each run the place in the source. Made from read/ID.json.
 *
 * The reading pages are pages of their own even where the rest of the report is one file: the words
 * of each target are numbered from 1, so that #w1234 names a word, and a report that quotes opens
 * faster than whole texts do. A page stands alone when the report is one file.
 *
 * Without scripts the runs link to their places in the source, which the style sheet shows, and the
 * style sheet filters. Each block of the text has the number of its first word as its id. */

#include "pipeline/report/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>

#include "pipeline/config/documents.h"
#include "pipeline/support/utf8.h"

#define ELLIPSIS "[\xE2\x80\xA6]"

/* Whether the first letter with a direction, in the pieces of a text, runs from right to left. */
static bool begins_right_to_left(const trib_texts *pieces) {
    for (size_t p = 0; p < pieces->n; p++) {
        const char *text = pieces->item[p];
        const size_t length = strlen(text);
        for (size_t i = 0; i < length;) {
            const UChar32 c = trib_utf8_next(text, length, &i);
            const UCharDirection direction = c > 0 ? u_charDirection(c) : U_OTHER_NEUTRAL;
            if (direction == U_LEFT_TO_RIGHT) return false;
            if (direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC) return true;
        }
    }
    return false;
}

/* ---- Head ------------------------------------------------------------------------------------ */

/* Writes a link to the answer about the target in the report. */
static void write_report_link(trib_html *html, const trib_read_page *reading) {
    const trib_report *report = reading->report;
    if (report->is_many)
        trib_html_link(html, "the answer", "../%s/%s.html#answer", report->folder,
                       reading->target->id);
    else trib_html_link(html, "the answer", "../%s#answer-%zu", report->file, reading->number + 1);
}

static void write_head(trib_html *html, const trib_read_page *reading) {
    const trib_report *report = reading->report;
    const trib_report_target *target = reading->target;
    const trib_running_sources *sources = &reading->text->sources;
    char shown[TRIB_DATE_SHOWN];
    const char *author = target->document->author,
               *date = trib_date_shown(trib_report_text(target->document->date), shown),
               *name = report->result->name;
    const double n_words = (double)reading->text->words;
    double traced = 0;
    for (size_t s = 0; s < sources->n; s++) traced += (double)sources->item[s].words;
    trib_html_open(html, "header", "masthead");
    trib_html_open(html, "p", "brand");
    trib_html_begin(html, "a");
    trib_html_attribute(html, "href", "../%s", report->file);
    trib_html_foreign(html, *name ? name : "The report");
    trib_html_end(html);
    trib_html_text(html, "\xE2\x80\xBA");
    write_report_link(html, reading);
    trib_html_end(html);
    trib_html_foreign_element(html, "h1", NULL, target->title);
    trib_html_open(html, "p", "question");
    if (*author) trib_html_foreign(html, author);
    if (*author && *date) trib_html_text(html, ", ");
    trib_html_text(html, date);
    if (*author || *date) trib_html_text(html, ". ");
    trib_report_say(html, "{n} words, {p} of them in runs that are traced to {z} {s}.", n_words,
                    traced / n_words, sources->n, sources->n == 1 ? "text" : "texts");
    trib_html_end(html);
    trib_html_end(html);
}

/* Writes the rules of the sources: the colour and the line of those after the first eight, and what
 * hides one whose box is not checked. */
static void write_rules(trib_html *html, const trib_read_page *reading) {
    enum { COLOURS = 8 };
    static const char *const line[COLOURS] = {"solid",  "double", "dashed", "dotted",
                                              "double", "dashed", "dotted", "wavy"};
    const size_t n = reading->text->sources.n;
    if (n == 0) return;
    trib_html_begin(html, "style");
    for (size_t s = COLOURS; s < n; s++)
        trib_html_print(html, ".s%zu{--c:var(--k%zu);--u:%s}", s + 1, s % COLOURS + 1,
                        line[(s + s / COLOURS) % COLOURS]);
    for (size_t s = 0; s < n; s++)
        trib_html_print(html, "%sbody:has(#f%zu:not(:checked)) main .s%zu", s > 0 ? "," : "", s + 1,
                        s + 1);
    trib_html_raw(html, "{--c:transparent;--g:transparent;--l:none}");
    trib_html_end(html);
}

/* ---- Legend ---------------------------------------------------------------------------------- */

static void write_legend_row(trib_html *html, const trib_read_page *reading, size_t s) {
    const trib_running_source *source = &reading->text->sources.item[s];
    trib_html_begin(html, "li");
    trib_html_begin(html, "label");
    trib_html_tag(html, "input", "type", "checkbox", "checked", "", NULL);
    trib_html_attribute(html, "id", "f%zu", s + 1);
    trib_html_end(html);
    trib_html_text(html, " ");
    trib_html_begin(html, "span");
    trib_html_attribute(html, "class", "s%zu k", s + 1);
    trib_html_print(html, "%zu", s + 1);
    trib_html_end(html);
    trib_html_text(html, " ");
    trib_html_foreign(html, trib_report_title(reading->report, source->source));
    trib_html_end(html);
    trib_report_say_in(html, "small", NULL, " {n} words in {n} {s}", (double)source->words,
                       (double)source->passages, source->passages == 1 ? "passage" : "passages");
    trib_html_end(html);
}

static void write_legend(trib_html *html, const trib_read_page *reading) {
    enum { SHOWN = 8 };
    const size_t n = reading->text->sources.n;
    if (n == 0) return;
    trib_html_tag(html, "section", "aria-label", "Sources", NULL);
    trib_html_open(html, "fieldset", "sources");
    trib_html_element(html, "legend", NULL, "Coloured and underlined by source; uncheck to hide");
    trib_html_begin(html, "ol");
    for (size_t s = 0; s < n && s < SHOWN; s++) write_legend_row(html, reading, s);
    trib_html_end(html);
    if (n > SHOWN) {
        trib_html_details(html, NULL, "%zu more", n - SHOWN);
        trib_html_begin(html, "ol");
        for (size_t s = SHOWN; s < n; s++) write_legend_row(html, reading, s);
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_html_end(html);
}

/* ---- The text -------------------------------------------------------------------------------- */

/* Writes piece `i` of a block with its references, of which *next is the next. They are empty
 * elements, which the style sheet shows in the margin, since the words of the text are counted by
 * its characters. In a wrapped block line breaks are spaces. */
static void write_piece(trib_html *html, const trib_running_block *block, size_t i, size_t *next) {
    const char *piece = block->text.item[i];
    const size_t length = strlen(piece);
    trib_buffer part = {0};
    for (size_t at = 0, end; at < length; at = end) {
        const trib_running_reference *reference =
            *next < block->references.n ? &block->references.item[*next] : NULL;
        if (reference && (reference->piece != i || reference->byte >= length)) reference = NULL;
        end = reference ? (size_t)reference->byte : length;
        trib_buffer_clear(&part);
        if (end <= at) {
            trib_html_begin(html, "b");
            trib_html_attribute(html, "data-r", "%s", reference->reference);
            trib_html_end(html);
            ++*next;
            end = at;
            continue;
        }
        if (trib_buffer_add(&part, piece + at, end - at, &html->writer->failure) != TRIB_OK) break;
        for (size_t c = 0; c < part.length; c++)
            if (block->wrapped && part.text[c] == '\n') part.text[c] = ' ';
        trib_html_text(html, part.text);
    }
    trib_buffer_release(&part);
}

/* Begins a piece that is traced: a link to the place in the source, with the number of the source
 * before the first piece of a run. */
static void begin_traced(trib_html *html, const trib_read_page *reading, size_t passage,
                         bool is_first) {
    const uint64_t s = trib_read_page_passage(reading, passage)->source + 1;
    trib_html_begin(html, "a");
    trib_read_page_address(html, reading, passage);
    if (trib_report_n_places(reading->report, reading->number) > 0)
        trib_html_attribute(html, "target", "place");
    trib_html_attribute(html, "class", "s%" PRIu64, s);
    if (is_first) trib_html_attribute(html, "data-s", "%" PRIu64, s);
}

/* Whether what stands between two pieces has words: white space and other characters. */
static bool are_words(const char *text) {
    return strpbrk(text, " \n") && text[strspn(text, " \n")];
}

/* Writes a block; *last is the run of the last traced piece before it. Words that stand between
 * words of one run and differ from the source are in an element of their own. */
static void write_block(trib_html *html, const trib_read_page *reading,
                        const trib_running_block *block, size_t *last) {
    size_t reference = 0;
    if (block->omitted) trib_html_element(html, "p", "cut", ELLIPSIS);
    trib_html_begin(html, "p");
    trib_html_attribute(html, "id", "w%" PRIu64, block->first);
    trib_html_attribute(html, "data-w", "%s", block->starts);
    if (block->reference && *block->reference)
        trib_html_attribute(html, "data-r", "%s", block->reference);
    for (size_t i = 0; i < block->text.n; i++) {
        const size_t next = trib_running_passage_at(block, i / 2);
        const bool is_traced = i % 2 == 1,
                   is_between = !is_traced && i > 0 && i + 1 < block->text.n,
                   is_different = is_between && next == *last && are_words(block->text.item[i]);
        if (is_traced) begin_traced(html, reading, next, next != *last);
        if (is_different) trib_html_begin(html, "i");
        if (is_different)
            trib_html_attribute(html, "class", "s%" PRIu64,
                                trib_read_page_passage(reading, next)->source + 1);
        write_piece(html, block, i, &reference);
        if (is_traced || is_different) trib_html_end(html);
        if (is_traced) *last = next;
    }
    trib_html_end(html);
}

/* Writes the blocks in groups, which the browser lays out when they come into view. */
static void write_text(trib_html *html, const trib_read_page *reading) {
    enum { GROUP = 600 }; /* words */
    const trib_running_blocks *blocks = &reading->text->blocks;
    uint64_t n_words = 0;
    size_t last = 0;
    trib_html_tag(html, "main", "id", "text", NULL);
    if (html->language) trib_html_attribute(html, "lang", "%s", html->language);
    for (size_t b = 0; b < blocks->n; b++) {
        if (n_words == 0) trib_html_begin(html, "div");
        write_block(html, reading, &blocks->item[b], &last);
        n_words += blocks->item[b].words;
        if (n_words < GROUP && b + 1 < blocks->n) continue;
        trib_html_end(html);
        n_words = 0;
    }
    trib_html_end(html);
}

/* ---- The page -------------------------------------------------------------------------------- */

/* Writes the page, or one of its parts. */
static void write_page(trib_html *html, const trib_read_page *reading, size_t part) {
    const trib_report *report = reading->report;
    const trib_running_blocks *blocks = &reading->text->blocks;
    char shared[600];
    const char *name = report->result->name;
    snprintf(shared, sizeof shared, "../%s/", report->folder);
    trib_report_open_reading(html, reading->target->title, *name ? name : "reading",
                             report->is_many ? shared : NULL);
    if (part == 0) {
        if (blocks->n > 0 && begins_right_to_left(&blocks->item[0].text))
            trib_html_attribute(html, "class", "rtl");
        trib_html_tag(html, "a", "class", "skip", "href", "#text", NULL);
        trib_html_text(html, "Skip to the text");
        trib_html_end(html);
    }
    write_rules(html, reading);
    if (part == 0) {
        write_head(html, reading);
        write_legend(html, reading);
        trib_read_page_strip(html, reading);
        trib_html_open(html, "div", "reader");
        write_text(html, reading);
    }
    trib_read_page_places(html, reading, part);
    if (part == 0) trib_html_end(html);
    trib_report_close_reading(html, report->is_many ? shared : NULL);
}

trib_status trib_report_write_reading(const trib_report *report, size_t target, size_t part,
                                      trib_writer *writer, trib_error *error) {
    trib_arena arena = {0};
    trib_html html;
    trib_read_page reading = {
        .report = report, .target = &report->targets[target], .number = target};
    const char *directory = report->run_directory, *id = reading.target->id;
    trib_status status = trib_running_text_read(&reading.text, &arena, directory, id, error);
    if (status == TRIB_OK && !reading.text)
        status = trib_fail(error, TRIB_INPUT, "%s/read/%s.json is missing", directory, id);
    else if (status == TRIB_OK && reading.text->words != reading.target->document->words)
        status = trib_fail(error, TRIB_INPUT,
                           "%s/read/%s.json has %" PRIu64 " words, influence.json %" PRIu64
                           " of '%s'; run again",
                           directory, id, reading.text->words, reading.target->document->words, id);
    if (status == TRIB_OK) {
        trib_html_init(&html, writer);
        html.is_terse = true;
        trib_report_set_language(report, &html, id);
        write_page(&html, &reading, part);
        trib_html_release(&html);
        status = writer->failure.status;
        if (status != TRIB_OK && error) *error = writer->failure;
    }
    trib_arena_release(&arena);
    return status;
}
