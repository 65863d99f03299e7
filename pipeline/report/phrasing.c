/* phrasing.c - families of phrasing: a card for each, with its words, its commonest phrases, the
 * texts and years that carry it, and words that stand in each other's place. */
#include "pipeline/report/report.h"

bool trib_report_has_phrasing(const trib_report *report) { return report->result->phrasing; }

/* Writes a list with its label: words, or phrases with their number; nothing of an empty list. */
static void write_list(trib_html *html, const char *label, const trib_item_records *list,
                       bool is_counted) {
    if (list->n == 0) return;
    trib_report_say(html, "<p class='label'>{s}</p><p lang>", label);
    for (size_t i = 0; i < list->n; i++) {
        trib_report_say(html, i > 0 ? ", {t}" : "{t}", list->item[i].item);
        if (is_counted)
            trib_report_say(html, "<span class='n'> {n}\xC3\x97</span>", list->item[i].value);
    }
    trib_html_end(html);
}

static void write_family(trib_report *report, const trib_phrasing_family_record *family, size_t r) {
    trib_html *html = &report->html;
    trib_report_say(html, "<div class='card match'><h3>{z}<small> {p1} of all pairs", r + 1,
                    family->share);
    if (!isnan(family->first_year))
        trib_report_say(html, "; {f0} to {f0}", family->first_year, family->last_year);
    trib_report_say(html, "</small></h3>");
    write_list(html, "Words", &family->words, false);
    write_list(html, "Phrases, as texts have them", &family->phrases, true);
    trib_report_say(html, "<p class='label'>Texts, and what part of it each has</p><ul>");
    for (size_t i = 0; i < family->texts.n; i++) {
        const char *id = family->texts.item[i].item;
        trib_report_say(html, "<li>");
        trib_report_read_link(report, id, 0, trib_report_title(report, id));
        trib_report_say(html, "<span class='n'> {p0}</span></li>", family->texts.item[i].value);
    }
    trib_html_end(html);
    write_list(html, "In each other\xE2\x80\x99s place", &family->places, false);
    trib_html_end(html);
}

void trib_report_phrasing(trib_report *report) {
    enum { SHOWN = 6 };
    const trib_phrasing_record *found = report->result->phrasing;
    trib_html *html = &report->html;
    trib_report_say(html,
                    "<p class='intro'>Words that stand at most three words apart again and again: "
                    "{z} families of {n} words in {n} texts. ",
                    found->families.n, (double)found->words, (double)found->texts);
    if (!isnan(found->agreement))
        trib_report_say(html, "Families of other starts share {p0} of their words with these. ",
                        found->agreement);
    trib_report_numbers_in(report, "phrasing.tsv");
    trib_report_say(html, " has them all, too.</p><p class='note'>{s}</p><div class='cards'>",
                    found->cannot_show);
    trib_report_set_language(report, html, NULL);
    for (size_t r = 0; r < found->families.n; r++) {
        if (r == SHOWN)
            trib_report_say(html,
                            "</div><details class='long'><summary>{z} more</summary>"
                            "<div class='cards'>",
                            found->families.n - SHOWN);
        write_family(report, &found->families.item[r], r);
    }
    trib_html_end(html);
    if (found->families.n > SHOWN) trib_html_end(html);
}
