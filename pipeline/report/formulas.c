/* formulas.c - the section on formulas: the longest passages that very many texts hold, once for
 * the corpus, with the earliest text that has each of them. */
#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"

bool trib_report_has_formulas(const trib_report *report) {
    return json_array_size(json_object_get(report->result, "formulas")) > 0;
}

static void write_passage(trib_report *report, const json_t *passage) {
    char shown[TRIB_DATE_SHOWN];
    static const char *const counts[] = {"words", "documents", "targets"};
    trib_html *html = &report->html;
    trib_html_begin(html, "tr");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        trib_report_count_cell(html, trib_json_get_number(passage, counts[i]));
    trib_html_begin(html, "td");
    trib_html_foreign(html, trib_report_title(report, trib_json_get_text(passage, "first")));
    trib_html_end(html);
    trib_html_foreign_element(html, "td", NULL,
                              trib_date_shown(trib_json_get_text(passage, "date"), shown));
    trib_html_foreign_element(html, "td", NULL, trib_json_get_text(passage, "text"));
    trib_html_end(html);
}

void trib_report_formulas(trib_report *report) {
    const json_t *formulas = json_object_get(report->result, "formulas");
    trib_html *html = &report->html;
    trib_html_element(html, "p", "intro",
                      "The longest passages of the targets all of whose n-grams stand in more than "
                      "%.0f texts. No source is credited with them. The earliest text is the first "
                      "of this corpus to have the passage, which need not be its origin. "
                      "formulas.tsv has more of them.",
                      trib_report_setting(report, "influence", "formula"));
    trib_report_open_table(html, "numbers", "Formulas, the longest first");
    trib_report_header_cells(html, "n", "Words", "Texts", "Targets", NULL);
    trib_report_header_cells(html, NULL, "The earliest", "Its date", "Passage", NULL);
    trib_report_open_rows(html);
    for (size_t i = 0; i < json_array_size(formulas); i++)
        write_passage(report, json_array_get(formulas, i));
    trib_report_close_table(html);
    trib_report_shown(html, json_array_size(formulas),
                      trib_json_get_number(report->result, "n_formulas"), "passages");
}
