/* passages.c - passages of target and source side by side, those below the answer among them, and
 * the places of the target where each source is present. */
#include "pipeline/report/report.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Returns how many bytes of a text make `most` letters, cut after a whole word where there is one;
 * all of them when the text is shorter. *n_letters is set to the letters of that beginning. */
static size_t beginning(const char *text, size_t most, size_t *n_letters) {
    size_t n = 0, last_space = 0, at = 0;
    for (; text[at]; at++) {
        if (((unsigned char)text[at] & 0xC0) == 0x80) continue; /* not the first byte of a letter */
        if (n == most) break;
        if (text[at] == ' ') last_space = at;
        n++;
    }
    *n_letters = n;
    return text[at] && last_space > 0 ? last_space : at;
}

/* Writes at most `most` letters. The pieces alternate: every second one occurs in both texts. */
static void write_pieces(trib_html *html, const json_t *pieces, size_t most, bool is_cut) {
    char *cut = NULL;
    trib_html_tag(html, "blockquote", "dir", "auto", NULL);
    if (html->language) trib_html_attribute(html, "lang", "%s", html->language);
    for (size_t i = 0; i < json_array_size(pieces) && !cut; i++) {
        const char *text = json_string_value(json_array_get(pieces, i));
        size_t n_letters = 0;
        const size_t n_bytes = beginning(text ? text : "", most, &n_letters);
        most -= n_letters;
        if (text && text[n_bytes] &&
            trib_copy_text(&cut, text, n_bytes, &html->writer->failure) != TRIB_OK)
            break;
        if (i % 2 == 1) trib_html_begin(html, "mark");
        trib_html_prose(html, cut ? cut : text ? text : "");
        if (i % 2 == 1) trib_html_end(html);
    }
    if (is_cut || cut) trib_html_text(html, " \xE2\x80\xA6");
    trib_html_end(html);
    trib_free(cut);
}

/* Quotes at most `most` letters of a place. */
static void write_quotation(trib_report *report, const json_t *side, const char *id, size_t most) {
    trib_html *html = &report->html;
    const json_t *pieces = json_object_get(side, "text");
    const double first = trib_json_get_number(side, "first"),
                 words = trib_json_get_number(side, "words"),
                 all = trib_json_get_number(trib_report_document(report, id), "words");
    const char *language = html->language;
    trib_html_begin(html, "figure");
    trib_report_set_language(report, html, id);
    if (json_array_size(pieces) > 0)
        write_pieces(html, pieces, most, trib_json_get_flag(side, "cut"));
    html->language = language;
    trib_html_begin(html, "figcaption");
    const char *reference = trib_json_get_text(side, "reference");
    trib_report_say(html, "{t}{s}{t}, words {n} to {n} of {n} ", trib_report_title(report, id),
                    trib_reference_gap(reference), reference, first, first + words - 1, all);
    trib_report_read_link(report, id, first, "read");
    trib_html_end(html);
    trib_html_end(html);
}

void trib_report_quotation(trib_report *report, const json_t *side, const char *id) {
    write_quotation(report, side, id, SIZE_MAX);
}

static void write_chosen(trib_report *report, const trib_report_target *target,
                         const trib_chosen_passage *chosen, const char *what) {
    enum { LETTERS = 1800 }; /* about 300 words; a copied chapter would fill the page */
    const size_t most = trib_report_is_short_page(report) ? SIZE_MAX : LETTERS;
    const json_t *here = json_object_get(chosen->passage, "target");
    trib_html *html = &report->html;
    if (!chosen->passage) return;
    const json_t *there = json_object_get(chosen->passage, "source");
    const char *reference = trib_json_get_text(here, "reference"),
               *source_reference = trib_json_get_text(there, "reference");
    trib_report_say_in(html, "h4", NULL, "{s}{s}{t}: {n} words in common with {t}{s}{t}", what,
                       *reference ? ", " : "", reference,
                       trib_json_get_number(chosen->passage, "shared"),
                       trib_report_title(report, chosen->source),
                       trib_reference_gap(source_reference), source_reference);
    trib_html_open(html, "div", "beside");
    write_quotation(report, here, target->id, most);
    write_quotation(report, there, chosen->source, most);
    trib_html_end(html);
}

void trib_report_chosen_passages(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const trib_chosen_passages chosen = trib_passages_choose(report->result, target->json, NULL);
    const size_t n_shown = 1 + (chosen.rarest.passage != NULL);
    if (!chosen.longest.passage) return;
    trib_html_open(html, "div", "chosen");
    write_chosen(report, target, &chosen.longest, "The longest shared passage");
    write_chosen(report, target, &chosen.rarest, "The shared passage with the rarest words");
    trib_html_open(html, "p", "note");
    trib_html_text(html, "Words in bold and underlined stand in both texts.");
    if (chosen.n_notable > n_shown)
        trib_report_say(html, " {n} more passages of 12 shared words or more have a rare word.",
                        (double)(chosen.n_notable - n_shown));
    trib_html_end(html);
    trib_html_end(html);
}

/* Writes a passage in a line: its length, its first shared words, and its places as links. */
static void write_brief_passage(trib_report *report, const trib_report_target *target,
                                const char *source, const json_t *passage) {
    enum { LETTERS = 70 };
    trib_html *html = &report->html;
    const json_t *here = json_object_get(passage, "target"),
                 *there = json_object_get(passage, "source"),
                 *pieces = json_object_get(here, "text");
    const char *text = json_string_value(json_array_get(pieces, 1));
    char *cut = NULL, word[64], number[TRIB_FIXED_MAX];
    size_t n_letters = 0;
    const size_t n_bytes = beginning(text ? text : "", LETTERS, &n_letters);
    trib_html_begin(html, "li");
    trib_report_say(html, "{n} words: ", trib_json_get_number(passage, "shared"));
    if (text && trib_copy_text(&cut, text, n_bytes, &html->writer->failure) == TRIB_OK) {
        trib_html_word(html, cut);
        if (text[n_bytes] || json_array_size(pieces) > 3) trib_html_text(html, "\xE2\x80\xA6");
    }
    trib_free(cut);
    trib_html_begin(html, "small");
    const json_t *const side[] = {here, there};
    const char *const id[] = {target->id, source};
    for (size_t s = 0; s < 2; s++) {
        const double first = trib_json_get_number(side[s], "first");
        snprintf(word, sizeof word, "word %s", trib_grouped(number, first));
        trib_html_text(html, s == 0 ? " " : " \xE2\x86\x90 ");
        if (report->run_directory && trib_report_is_target(report, id[s]))
            trib_report_read_link(report, id[s], first, word);
        else trib_html_text(html, word);
    }
    trib_html_end(html);
    trib_html_end(html);
}

/* Whether a passage is written in a line: on the page of a short target one that the answer quotes,
 * in a report of many targets those after the first. The reading page and the list of finds have
 * them whole, too. */
static bool is_brief(const trib_report *report, const trib_chosen_passages *quoted,
                     const json_t *passages, size_t p) {
    enum { WHOLE = 4 };
    const json_t *passage = json_array_get(passages, p);
    if (trib_report_is_short_page(report))
        return passage == quoted->longest.passage || passage == quoted->rarest.passage;
    return report->is_many && report->run_directory && json_array_size(passages) > WHOLE + 1 &&
           p >= WHOLE;
}

static void write_whole(trib_report *report, const trib_report_target *target, const char *id,
                        const json_t *passage) {
    trib_html *html = &report->html;
    trib_html_begin(html, "li");
    trib_html_open(html, "div", "beside");
    trib_report_quotation(report, json_object_get(passage, "target"), target->id);
    trib_report_quotation(report, json_object_get(passage, "source"), id);
    trib_html_end(html);
    trib_html_end(html);
}

void trib_report_passages(trib_report *report, const trib_report_target *target,
                          const json_t *source) {
    enum { PRINTED = 5 }; /* as in report.css */
    const json_t *passages = json_object_get(source, "passages");
    const char *id = trib_json_get_text(source, "source");
    const size_t n = json_array_size(passages);
    trib_html *html = &report->html;
    trib_chosen_passages quoted = {0};
    size_t n_brief = 0;
    const double n_same = trib_json_get_number(source, "n_same_places");
    if (n_same > 0)
        trib_html_element(html, "p", "note", "%.0f %s that %s shown with another source.", n_same,
                          n_same == 1 ? "passage stands at a place" : "passages stand at places",
                          n_same == 1 ? "is" : "are");
    if (n == 0) return;
    if (trib_report_is_short_page(report))
        quoted = trib_passages_choose(report->result, target->json, NULL);
    for (size_t p = 0; p < n; p++) n_brief += is_brief(report, &quoted, passages, p);
    trib_html_open(html, "div", "passages");
    trib_html_element(html, "p", "label", "Passages");
    if (n_brief < n) {
        trib_html_begin(html, "ol");
        for (size_t p = 0; p < n; p++)
            if (!is_brief(report, &quoted, passages, p))
                write_whole(report, target, id, json_array_get(passages, p));
        trib_html_end(html);
    }
    if (n_brief > 0) {
        trib_html_open(html, "ol", "brief");
        for (size_t p = 0; p < n; p++)
            if (is_brief(report, &quoted, passages, p))
                write_brief_passage(report, target, id, json_array_get(passages, p));
        trib_html_end(html);
    }
    if (n - n_brief > PRINTED)
        trib_html_element(html, "p", "note printed", "In print, the first %d of %zu.", PRINTED, n);
    trib_report_shown(html, json_array_size(passages), trib_json_get_number(source, "n_passages"),
                      "passages");
    trib_html_end(html);
}

/* ---- Strips along the target ----------------------------------------------------------------- */

static double part(const json_t *strip, size_t i) {
    const double percent = json_number_value(json_array_get(strip, i));
    return percent > 0 && percent <= 100 ? percent / 100 : 0;
}

/* Draws one row: for every part of the target in which the source is present, a bar as high as
 * its share of that part. */
static void draw_strip(trib_html *html, const json_t *strip, const char *title) {
    const size_t n = json_array_size(strip);
    trib_buffer path = {0};
    for (size_t i = 0, end; i < n; i = end) { /* equal neighbours make one bar */
        const double height = 100 * part(strip, i);
        for (end = i + 1; end < n && 100 * part(strip, end) == height; end++) continue;
        if (height > 0 &&
            trib_buffer_print(&path, &html->writer->failure, "M%zu 100v-%.0fh%zuv%.0fz", i, height,
                              end - i, height) != TRIB_OK)
            break;
    }
    trib_html_begin(html, "svg");
    trib_html_attribute(html, "viewBox", "0 0 %zu 100", n);
    trib_html_attribute(html, "preserveAspectRatio", "none");
    trib_html_attribute(html, "role", "img");
    trib_html_attribute(html, "aria-label", "%s", title);
    trib_html_open(html, "path", "water flows");
    trib_html_attribute(html, "d", "%s", path.text ? path.text : "");
    trib_html_end(html);
    trib_html_end(html);
    trib_buffer_release(&path);
}

/* The same as a table in tenths of the target, for readers who do not see the drawing. */
static void write_strip_table(trib_report *report, const trib_report_target *target,
                              const json_t *evidence) {
    enum { PARTS = 10 };
    trib_html *html = &report->html;
    char text[TRIB_FIXED_MAX];
    trib_html_details(html, "long", "The strips as a table");
    trib_report_open_table(html, "numbers", "Words in shared runs, by tenths of the target");
    trib_report_header_cell(html, NULL, "Source");
    for (int p = 1; p <= PARTS; p++) {
        snprintf(text, sizeof text, "%d", p);
        trib_report_header_cell(html, "n", text);
    }
    trib_report_open_rows(html);
    for (size_t e = 0; e < json_array_size(evidence); e++) {
        const json_t *source = json_array_get(evidence, e),
                     *strip = json_object_get(source, "strip");
        const size_t n = json_array_size(strip);
        if (!trib_report_flows(target, source) || n < PARTS) continue;
        trib_report_open_row(html, trib_report_title(report, trib_json_get_text(source, "source")));
        for (size_t p = 0; p < PARTS; p++) {
            double sum = 0;
            const size_t first = p * n / PARTS, end = (p + 1) * n / PARTS;
            for (size_t i = first; i < end; i++) sum += part(strip, i);
            trib_report_percent_cell(html, sum / (double)(end - first), 0);
        }
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_html_end(html);
}

void trib_report_strips(trib_report *report, const trib_report_target *target) {
    const json_t *evidence = json_object_get(target->json, "evidence");
    trib_html *html = &report->html;
    char title[700];
    size_t n_strips = 0;
    for (size_t e = 0; e < json_array_size(evidence); e++)
        n_strips += json_object_get(json_array_get(evidence, e), "strip") != NULL;
    if (target->n_flowing == 0 || n_strips == 0) return;
    trib_html_open(html, "figure", "strips");
    trib_html_begin(html, "dl");
    enum { DRAWN = 10 }; /* the others are in the table below the figure */
    size_t n_drawn = 0;
    for (size_t e = 0; e < json_array_size(evidence) && n_drawn < DRAWN; e++) {
        const json_t *source = json_array_get(evidence, e);
        if (!trib_report_flows(target, source) || !json_object_get(source, "strip")) continue;
        n_drawn++;
        const char *name = trib_report_title(report, trib_json_get_text(source, "source"));
        snprintf(title, sizeof title, "Where %.300s is present in %.300s, from beginning to end",
                 name, target->title);
        trib_html_foreign_element(html, "dt", NULL, name);
        trib_html_begin(html, "dd");
        draw_strip(html, json_object_get(source, "strip"), title);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_html_element(
        html, "figcaption", NULL,
        "Where along the target, from its beginning on the left to its end, its words "
        "run along each source: the higher, the more of them.");
    trib_html_end(html);
    write_strip_table(report, target, evidence);
}
