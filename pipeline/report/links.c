/* links.c - links that several sections write: to the evidence of one source in one target, and to
 * the files of the run. */
#include <string.h>

#include "pipeline/report/report.h"

const trib_report_target *trib_report_target_of(const trib_report *report, const char *id) {
    for (size_t t = 0; t < report->n_all_targets; t++)
        if (strcmp(report->targets[t].id, id) == 0) return &report->targets[t];
    return NULL;
}

void trib_report_pair_id(trib_html *html, const trib_report_target *target, const char *source) {
    trib_html_attribute(html, "id", "%s:%s", target->id, source);
}

/* Whether the report shows evidence of the source. */
static bool is_shown(const trib_report *report, const trib_report_target *target,
                     const char *source) {
    const json_t *row = trib_json_find(json_object_get(target->json, "evidence"), "source", source);
    return row && (!trib_report_is_selective(report, target) ||
                   trib_report_is_telling(report, target, row));
}

void trib_report_open_pair(trib_report *report, const trib_report_target *target,
                           const char *source) {
    trib_html *html = &report->html;
    const bool is_below = report->page > 0; /* the page lies in the folder of the targets */
    trib_html_begin(html, "a");
    if (report->is_on_demand && !(is_below && target == report->target))
        return; /* there may be no such page: no link */
    if (!report->is_many && !is_shown(report, target, source))
        trib_html_attribute(html, "href", "#shares-%zu", (size_t)(target - report->targets) + 1);
    else if (!report->is_many) trib_html_attribute(html, "href", "#%s:%s", target->id, source);
    else if (is_shown(report, target, source))
        trib_html_attribute(html, "href", "%s%s%s.html#%s:%s", is_below ? "" : report->folder,
                            is_below ? "" : "/", target->id, target->id, source);
    else
        trib_html_attribute(html, "href", "%s%s%s.html", is_below ? "" : report->folder,
                            is_below ? "" : "/", target->id);
}

/* ---- Files of the run ------------------------------------------------------------------------ */

bool trib_report_has_format(const trib_report *report, const char *format) {
    const json_t *configuration = json_object_get(report->result, "configuration");
    const char *formats = trib_json_get_text(json_object_get(configuration, "report"), "formats");
    return !*formats || strstr(formats, format);
}

void trib_report_numbers_in(trib_report *report, const char *table) {
    const char *file = trib_report_has_format(report, "csv") ? table : "influence.json";
    trib_html_link(&report->html, file, "%s%s", report->data, file);
}
