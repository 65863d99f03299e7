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
#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"

#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>

#include "pipeline/report/read.h"
#include "pipeline/report/reading.h"
#include "pipeline/support/utf8.h"

#define ELLIPSIS "[\xE2\x80\xA6]"

/* ---- The text that is shown ------------------------------------------------------------------ */

/* Whether the first letter with a direction, in the pieces of a block, runs from right to left. */
static bool begins_right_to_left(const json_t *pieces) {
    for (size_t p = 0; p < json_array_size(pieces); p++) {
        const char *text = json_string_value(json_array_get(pieces, p));
        const size_t length = json_string_length(json_array_get(pieces, p));
        for (size_t i = 0; i < length;) {
            const UChar32 c = trib_utf8_next(text, length, &i);
            const UCharDirection direction = c > 0 ? u_charDirection(c) : U_OTHER_NEUTRAL;
            if (direction == U_LEFT_TO_RIGHT) return false;
            if (direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC) return true;
        }
    }
    return false;
}

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

/* ---- Links ----------------------------------------------------------------------------------- */

/* Adds the address of the target in the report, or of one of its sources there, in each case the
 * section's heading. */
static void add_report_address(trib_html *html, const trib_read_page *reading,
                               const char *section) {
    const trib_report *report = reading->report;
    if (report->is_many)
        trib_html_attribute(html, "href", "../%s/%s.html#%s", report->folder, reading->target->id,
                            section);
    else
        trib_html_attribute(html, "href", "../%s#%s-%zu", report->file, section,
                            reading->number + 1);
}

/* ---- Head ------------------------------------------------------------------------------------ */

static void write_head(trib_html *html, const trib_read_page *reading) {
    const trib_report *report = reading->report;
    const trib_report_target *target = reading->target;
    char shown[TRIB_DATE_SHOWN];
    const char *author = target->document->author,
               *date = trib_date_shown(trib_report_text(target->document->date), shown),
               *name = report->result->name;
    trib_html_open(html, "header", "masthead");
    trib_html_open(html, "p", "brand");
    trib_html_begin(html, "a");
    trib_html_attribute(html, "href", "../%s", report->file);
    trib_html_foreign(html, *name ? name : "The report");
    trib_html_end(html);
    trib_html_text(html, "\xE2\x80\xBA");
    trib_html_begin(html, "a");
    add_report_address(html, reading, "answer");
    trib_html_text(html, "the answer");
    trib_html_end(html);
    trib_html_end(html);
    trib_html_foreign_element(html, "h1", NULL, target->title);
    trib_html_open(html, "p", "question");
    if (*author) trib_html_foreign(html, author);
    if (*author && *date) trib_html_text(html, ", ");
    trib_html_text(html, date);
    if (*author || *date) trib_html_text(html, ". ");
    trib_report_say(html, "{n} words, {p} of them in runs that are traced to {z} {s}.",
                    reading->n_words, reading->traced / reading->n_words, reading->n_sources,
                    reading->n_sources == 1 ? "text" : "texts");
    trib_html_end(html);
    trib_html_end(html);
}

/* Writes the rules of the sources: the colour and the line of those after the first eight, and what
 * hides one whose box is not checked. */
static void write_rules(trib_html *html, const trib_read_page *reading) {
    enum { COLOURS = 8 };
    static const char *const line[COLOURS] = {"solid",  "double", "dashed", "dotted",
                                              "double", "dashed", "dotted", "wavy"};
    if (reading->n_sources == 0) return;
    trib_html_begin(html, "style");
    for (size_t s = COLOURS; s < reading->n_sources; s++)
        trib_html_print(html, ".s%zu{--c:var(--k%zu);--u:%s}", s + 1, s % COLOURS + 1,
                        line[(s + s / COLOURS) % COLOURS]);
    for (size_t s = 0; s < reading->n_sources; s++)
        trib_html_print(html, "%sbody:has(#f%zu:not(:checked)) main .s%zu", s > 0 ? "," : "", s + 1,
                        s + 1);
    trib_html_raw(html, "{--c:transparent;--g:transparent;--l:none}");
    trib_html_end(html);
}

/* ---- Legend ---------------------------------------------------------------------------------- */

static void write_legend_row(trib_html *html, const trib_read_page *reading, size_t s) {
    const json_t *source = json_array_get(reading->sources, s);
    const double passages = trib_json_get_number(source, "passages");
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
    trib_html_foreign(html,
                      trib_report_title(reading->report, trib_json_get_text(source, "source")));
    trib_html_end(html);
    trib_html_begin(html, "small");
    trib_report_say(html, " {n} words in {n} {s}", trib_json_get_number(source, "words"), passages,
                    passages == 1 ? "passage" : "passages");
    trib_html_end(html);
    trib_html_end(html);
}

static void write_legend(trib_html *html, const trib_read_page *reading) {
    enum { SHOWN = 8 };
    if (reading->n_sources == 0) return;
    trib_html_tag(html, "section", "aria-label", "Sources", NULL);
    trib_html_open(html, "fieldset", "sources");
    trib_html_element(html, "legend", NULL, "Coloured and underlined by source; uncheck to hide");
    trib_html_begin(html, "ol");
    for (size_t s = 0; s < reading->n_sources && s < SHOWN; s++) write_legend_row(html, reading, s);
    trib_html_end(html);
    if (reading->n_sources > SHOWN) {
        trib_html_details(html, NULL, "%zu more", reading->n_sources - SHOWN);
        trib_html_begin(html, "ol");
        for (size_t s = SHOWN; s < reading->n_sources; s++) write_legend_row(html, reading, s);
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_html_end(html);
}

/* ---- The text -------------------------------------------------------------------------------- */

/* A block while it is written. */
typedef struct block_text {
    const json_t *pieces, *references;
    bool is_wrapped;  /* line breaks are spaces */
    size_t reference; /* the next */
} block_text;

/* Returns where in piece `i` the next reference begins to hold, and sets *label; SIZE_MAX: in no
 * place of it. */
static size_t next_reference(const block_text *block, size_t i, const char **label) {
    const json_t *next = json_array_get(block->references, block->reference);
    if (!next || json_integer_value(json_array_get(next, 1)) != (json_int_t)i) return SIZE_MAX;
    *label = json_string_value(json_array_get(next, 0));
    return (size_t)json_integer_value(json_array_get(next, 2));
}

/* Writes piece `i` with its references: empty elements, which the style sheet shows in the margin,
 * since the words of the text are counted by its characters. */
static void write_piece(trib_html *html, block_text *block, size_t i) {
    const json_t *piece = json_array_get(block->pieces, i);
    const size_t length = json_string_length(piece);
    trib_buffer part = {0};
    for (size_t at = 0, end; at < length; at = end) {
        const char *label = "";
        const size_t place = next_reference(block, i, &label);
        end = place > at && place < length ? place : length;
        trib_buffer_clear(&part);
        if (place <= at) {
            trib_html_begin(html, "b");
            trib_html_attribute(html, "data-r", "%s", label ? label : "");
            trib_html_end(html);
            block->reference++;
            end = at;
            continue;
        }
        if (trib_buffer_add(&part, json_string_value(piece) + at, end - at,
                            &html->writer->failure) != TRIB_OK)
            break;
        for (size_t c = 0; c < part.length; c++)
            if (block->is_wrapped && part.text[c] == '\n') part.text[c] = ' ';
        trib_html_text(html, part.text);
    }
    trib_buffer_release(&part);
}

/* Writes a piece that is traced: a link to the place in the source, with the number of the source
 * before the first piece of a run. */
static void write_traced(trib_html *html, const trib_read_page *reading, size_t passage,
                         bool is_first, block_text *block, size_t i) {
    const size_t s = trib_read_page_source(reading, passage) + 1;
    trib_html_begin(html, "a");
    trib_read_page_address(html, reading, passage);
    if (trib_report_n_places(reading->report, reading->number) > 0)
        trib_html_attribute(html, "target", "place");
    trib_html_attribute(html, "class", "s%zu", s);
    if (is_first) trib_html_attribute(html, "data-s", "%zu", s);
    write_piece(html, block, i);
    trib_html_end(html);
}

/* Writes words of the target that stand between words of one run and differ from the source. */
static void write_different(trib_html *html, const trib_read_page *reading, size_t passage,
                            block_text *block, size_t i) {
    const char *text = json_string_value(json_array_get(block->pieces, i));
    if (!text || text[strcspn(text, " \n") + strspn(text, " \n")] == '\0') {
        write_piece(html, block, i);
        return;
    }
    trib_html_begin(html, "i");
    trib_html_attribute(html, "class", "s%zu", trib_read_page_source(reading, passage) + 1);
    write_piece(html, block, i);
    trib_html_end(html);
}

/* Writes a block; *last is the run of the last traced piece before it. */
static void write_block(trib_html *html, const trib_read_page *reading, const json_t *block,
                        size_t *last) {
    const json_t *passages = json_object_get(block, "passages");
    const char *reference = trib_json_get_text(block, "reference");
    block_text text = {.pieces = json_object_get(block, "text"),
                       .references = json_object_get(block, "references"),
                       .is_wrapped = trib_json_get_flag(block, "wrapped")};
    const size_t n = json_array_size(text.pieces);
    if (trib_json_get_flag(block, "omitted")) trib_html_element(html, "p", "cut", ELLIPSIS);
    trib_html_begin(html, "p");
    trib_html_attribute(html, "id", "w%.0f", trib_json_get_number(block, "first"));
    trib_html_attribute(html, "data-w", "%s", trib_json_get_text(block, "starts"));
    if (*reference) trib_html_attribute(html, "data-r", "%s", reference);
    for (size_t i = 0; i < n; i++) {
        const size_t next = (size_t)json_integer_value(json_array_get(passages, i / 2));
        if (i % 2 == 1) {
            write_traced(html, reading, next, next != *last, &text, i);
            *last = next;
        } else if (i + 1 < n && i > 0 && next == *last) {
            write_different(html, reading, next, &text, i);
        } else {
            write_piece(html, &text, i);
        }
    }
    trib_html_end(html);
}

/* Writes the blocks in groups, which the browser lays out when they come into view. */
static void write_text(trib_html *html, const trib_read_page *reading) {
    enum { GROUP = 600 }; /* words */
    double n_words = 0;
    size_t last = 0;
    trib_html_tag(html, "main", "id", "text", NULL);
    if (html->language) trib_html_attribute(html, "lang", "%s", html->language);
    for (size_t b = 0; b < json_array_size(reading->blocks); b++) {
        const json_t *block = json_array_get(reading->blocks, b);
        if (n_words == 0) trib_html_begin(html, "div");
        write_block(html, reading, block, &last);
        n_words += trib_json_get_number(block, "words");
        if (n_words < GROUP && b + 1 < json_array_size(reading->blocks)) continue;
        trib_html_end(html);
        n_words = 0;
    }
    trib_html_end(html);
}

/* ---- The page -------------------------------------------------------------------------------- */

/* Writes the page, or one of its parts. */
static trib_status write_page(trib_html *html, const trib_read_page *reading, size_t part) {
    const trib_report *report = reading->report;
    char shared[600];
    const char *name = report->result->name;
    snprintf(shared, sizeof shared, "../%s/", report->folder);
    trib_report_open_reading(html, reading->target->title, *name ? name : "reading",
                             report->is_many ? shared : NULL);
    if (part > 0) {
        write_rules(html, reading);
        trib_read_page_part(html, reading, part);
        trib_report_close_reading(html, report->is_many ? shared : NULL);
        return html->writer->failure.status;
    }
    if (reading->is_right_to_left) trib_html_attribute(html, "class", "rtl");
    trib_html_tag(html, "a", "class", "skip", "href", "#text", NULL);
    trib_html_text(html, "Skip to the text");
    trib_html_end(html);
    write_rules(html, reading);
    write_head(html, reading);
    write_legend(html, reading);
    trib_read_page_strip(html, reading);
    trib_html_open(html, "div", "reader");
    write_text(html, reading);
    trib_read_page_places(html, reading);
    trib_html_end(html);
    trib_report_close_reading(html, report->is_many ? shared : NULL);
    return html->writer->failure.status;
}

trib_status trib_report_write_reading(const trib_report *report, size_t target, size_t part,
                                      trib_writer *writer, trib_error *error) {
    json_t *text = NULL;
    trib_html html;
    trib_read_page reading;
    trib_status status =
        trib_running_text_load(&text, report->run_directory, report->targets[target].id, error);
    if (status == TRIB_OK && !text)
        return trib_fail(error, TRIB_INPUT, "%s/read/%s.json is missing", report->run_directory,
                         report->targets[target].id);
    if (status != TRIB_OK) return status;
    trib_html_init(&html, writer);
    html.is_terse = true;
    trib_report_set_language(report, &html, report->targets[target].id);
    trib_read_page_open(&reading, report, target, text);
    status = write_page(&html, &reading, part);
    if (status != TRIB_OK && error) *error = writer->failure;
    trib_html_release(&html);
    json_decref(text);
    return status;
}
