/* ranking.c - in the section about shares: the ranking of a target's sources, which is no share. */
#include "pipeline/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 5 };

/* The headline share of a source; NaN where it has no row. */
static double share_of(const trib_report_target *target, const char *id) {
    for (size_t s = 0; s < target->n_shares; s++)
        if (strcmp(target->share[s].id, id) == 0) return target->share[s].share;
    return (double)NAN;
}

void trib_report_ranking(trib_report *report, const trib_report_target *target) {
    const json_t *ranking = json_object_get(target->json, "ranking");
    trib_html *html = &report->html;
    char caption[400];
    if (json_array_size(ranking) < 2) return;
    snprintf(caption, sizeof caption, "Ranking of the sources of %.300s", target->title);
    trib_html_details(html, NULL, "A ranking: the most likely predecessor");
    trib_html_element(html, "p", NULL, "%s",
                      "Which source this text most likely descends from, by split, traced and the "
                      "titles together. This is a ranking, not a share: its scores only order the "
                      "sources of one target. How much a source explains is its share.");
    trib_report_open_table(html, "numbers", caption);
    trib_report_header_cells(html, "n", "Rank", NULL);
    trib_report_header_cells(html, NULL, "Source", NULL);
    trib_report_header_cells(html, "n", "Score", "Share", NULL);
    trib_report_open_rows(html);
    for (size_t i = 0; i < json_array_size(ranking) && i < SHOWN; i++) {
        const json_t *row = json_array_get(ranking, i);
        const char *id = trib_json_get_text(row, "source");
        trib_html_begin(html, "tr");
        trib_report_count_cell(html, (double)(i + 1));
        trib_report_open_row_header(html, NULL);
        trib_html_foreign(html, trib_report_title(report, id));
        trib_html_end(html);
        trib_report_number_cell(html, trib_json_get_number(row, "score"), 4);
        trib_report_percent_cell(html, share_of(target, id), 1);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_shown(html, json_array_size(ranking) < SHOWN ? json_array_size(ranking) : SHOWN,
                      (double)json_array_size(ranking), "sources");
    trib_html_end(html);
}
