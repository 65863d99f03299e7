/* parallels.c - the section on possible allusions: pairs of places that share rare words, ranked,
 * with both texts side by side. */
#include "pipeline/report/report.h"

bool trib_report_has_parallels(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++)
        if (json_object_get(report->target[t].json, "parallels")) return true;
    return false;
}

/* Writes "score 23.7; shared: clango (4 times), tuba (12); 2 words apart". */
static void write_reason(trib_html *html, const json_t *pair) {
    const json_t *shared = json_object_get(pair, "shared"),
                 *distance = json_object_get(pair, "distance");
    char text[TRIB_FIXED_MAX];
    trib_html_open(html, "p", "note");
    trib_html_print(html,
                    "Score %s; shared: ", trib_fixed(text, trib_json_get_number(pair, "score"), 1));
    for (size_t i = 0; i < json_array_size(shared); i++) {
        const json_t *word = json_array_get(shared, i);
        if (i > 0) trib_html_text(html, ", ");
        trib_html_word(html, trib_json_get_text(word, "feature"));
        trib_html_print(html, " (%s)", trib_grouped(text, trib_json_get_number(word, "count")));
    }
    if (json_is_integer(distance))
        trib_html_print(html, "; distance %s",
                        trib_grouped(text, trib_json_get_number(pair, "distance")));
    trib_html_end(html);
}

static void write_target(trib_report *report, size_t t) {
    const trib_report_target *target = &report->target[t];
    const json_t *pairs = json_object_get(target->json, "parallels");
    trib_html *html = &report->html;
    trib_report_open_target(report, "allusions", t);
    if (json_array_size(pairs) == 0)
        trib_html_element(html, "p", "note", "No place shares a word with a source.");
    trib_html_open(html, "div", "passages");
    trib_html_begin(html, "ol");
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        trib_html_begin(html, "li");
        write_reason(html, pair);
        trib_html_open(html, "div", "beside");
        trib_report_quotation(report, json_object_get(pair, "in_target"), target->id);
        trib_report_quotation(report, json_object_get(pair, "in_source"),
                              trib_json_get_text(pair, "source"));
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_report_shown(html, json_array_size(pairs),
                      trib_json_get_number(target->json, "n_parallels"), "pairs");
    trib_html_end(html);
    trib_html_end(html);
}

void trib_report_parallels(trib_report *report) {
    trib_html_element(&report->html, "p", "intro",
                      "Places of the target and of a source that share rare words close together, "
                      "the best first. After each word is its number of occurrences in all texts. "
                      "A high score is a reason to read both places; it is no probability, and no "
                      "part of any share above. parallels.tsv has the whole list.");
    for (size_t t = 0; t < report->n_targets; t++)
        if (json_object_get(report->target[t].json, "parallels")) write_target(report, t);
}
