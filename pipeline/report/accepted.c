/* accepted.c - the appendix of a report of judged passages: every accepted passage with its places
 * in both texts, in the order of the targets, for print. */
#include "pipeline/report/finds.h"

#include <stdlib.h>
#include <string.h>

bool trib_report_has_accepted(const trib_report *report) {
    return json_object_get(report->result, "judgements") != NULL;
}

/* Orders by target, then by place in the target. */
static int compare_places(const void *a, const void *b) {
    const trib_find *const *x = a, *const *y = b;
    if ((*x)->target != (*y)->target) return (*x)->target < (*y)->target ? -1 : 1;
    const double left = trib_json_get_number(json_object_get((*x)->passage, "target"), "first"),
                 right = trib_json_get_number(json_object_get((*y)->passage, "target"), "first");
    if (left != right) return left < right ? -1 : 1;
    return (*x)->number < (*y)->number ? -1 : (*x)->number > (*y)->number;
}

static void write_accepted(trib_report *report, const trib_find *find) {
    trib_html *html = &report->html;
    const json_t *source = report->document[find->source];
    const char *note = trib_json_get_text(find->passage, "note");
    trib_html_begin(html, "li");
    trib_html_open(html, "div", "beside");
    trib_report_quotation(report, json_object_get(find->passage, "target"), find->target->id);
    trib_report_quotation(report, json_object_get(find->passage, "source"),
                          trib_json_get_text(source, "id"));
    trib_html_end(html);
    if (*note) trib_report_say_in(html, "p", "note", "Note: {t}", note);
    trib_html_end(html);
}

/* Writes the list; `order` are the finds in the order of the list. */
static void write_list(trib_report *report, const trib_find **order) {
    trib_html *html = &report->html;
    const trib_report_target *target = NULL;
    trib_html_open(html, "div", "passages accepted");
    for (size_t f = 0; f < report->n_finds; f++) {
        if (order[f]->target != target) {
            if (target) trib_html_end(html);
            target = order[f]->target;
            trib_html_foreign_element(html, "h3", NULL, target->title);
            trib_html_begin(html, "ol");
            if (f > 0) trib_html_attribute(html, "start", "%zu", f + 1);
        }
        write_accepted(report, order[f]);
    }
    if (target) trib_html_end(html);
    trib_html_end(html);
}

void trib_report_accepted(trib_report *report) {
    const json_t *judgements = json_object_get(report->result, "judgements");
    trib_html *html = &report->html;
    const trib_find **order = NULL;
    trib_report_say_in(html, "p", "intro",
                       "The passages that were accepted, with their places in both texts: "
                       "{n} were accepted, {n} were rejected. This report leaves all others out of "
                       "its lists of passages; shares and phrases are those of the run.",
                       trib_json_get_number(judgements, "accepted"),
                       trib_json_get_number(judgements, "rejected"));
    if (trib_new(&order, report->n_finds, sizeof *order, "the accepted passages",
                 &html->writer->failure) != TRIB_OK)
        return;
    for (size_t f = 0; f < report->n_finds; f++) order[f] = &report->find[f];
    if (report->n_finds > 1) qsort(order, report->n_finds, sizeof *order, compare_places);
    write_list(report, order);
    trib_free(order);
}
