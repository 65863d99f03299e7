/* same_words.c - which words count as the same word, and the most frequent of them. */
#include "pipeline/report/report.h"

static void write_changes(trib_report *report, const json_t *changes) {
    trib_html *html = &report->html;
    trib_report_open_table(html, "numbers", "The most frequent changed words");
    trib_report_header_cells(html, NULL, "As written", "Counted as", "Shown as", NULL);
    trib_report_header_cells(html, "n", "Occurrences", NULL);
    trib_report_open_rows(html);
    for (size_t i = 0; i < json_array_size(changes); i++) {
        const json_t *change = json_array_get(changes, i);
        trib_html_begin(html, "tr");
        trib_report_open_row_header(html, NULL);
        trib_html_foreign(html, trib_json_get_text(change, "spelling"));
        trib_html_end(html);
        trib_html_foreign_element(html, "td", NULL, trib_json_get_text(change, "norm"));
        trib_html_foreign_element(html, "td", NULL, trib_json_get_text(change, "shown"));
        trib_report_count_cell(html, trib_json_get_number(change, "count"));
        trib_html_end(html);
    }
    trib_report_close_table(html);
}

void trib_report_same_words(trib_report *report) {
    const json_t *words = json_object_get(report->result, "same_words");
    const json_t *changes = json_object_get(words, "changes");
    trib_html *html = &report->html;
    if (!json_is_object(words)) return;
    trib_html_element(html, "h3", NULL, "Words that count as the same word");
    trib_html_open(html, "p", NULL);
    trib_report_say(
        html,
        "Of {n} different words as written, {n} have a norm, the form by which they are "
        "compared, unlike their spelling ({n} occurrences); {n} different words are "
        "left to count. ",
        trib_json_get_number(words, "spellings"), trib_json_get_number(words, "changed"),
        trib_json_get_number(words, "changed_tokens"),
        trib_json_get_number(words, "words") - trib_json_get_number(words, "left_out"));
    if (trib_json_get_number(words, "left_out") > 0)
        trib_report_say(html, "{n} words are left out ({n} occurrences). ",
                        trib_json_get_number(words, "left_out"),
                        trib_json_get_number(words, "left_out_tokens"));
    trib_html_text(html, "Quotations show the words as written; where one word stands for several "
                         "spellings, it is the most frequent of them.");
    trib_html_end(html);
    if (json_array_size(changes) > 0) write_changes(report, changes);
}
