/* flows.c - lists the shares of targets as flows, and writes the cell of one. */
#include "pipeline/report/report.h"

#include <math.h>
#include <stdlib.h>

bool trib_flow_is_above_floor(const trib_flow *flow) {
    return flow->share && !flow->share->below && !flow->share->decoy;
}

trib_flow *trib_flows_list(trib_html *html, const trib_report *report, size_t n_runs, size_t *n,
                           int (*order)(const void *, const void *)) {
    trib_error *error = &html->writer->failure;
    trib_flow *list = NULL;
    size_t n_flows = 0;
    *n = 0;
    for (size_t r = 0; r < n_runs; r++)
        for (size_t t = 0; t < report[r].n_targets; t++)
            n_flows += report[r].target[t].n_shares + 1;
    if (error->status != TRIB_OK ||
        TRIB_NEW(&list, n_flows, "the report's flows", error) != TRIB_OK)
        return NULL;
    for (size_t r = 0; r < n_runs; r++)
        for (size_t t = 0; t < report[r].n_targets; t++) {
            const trib_report_target *target = &report[r].target[t];
            for (size_t s = 0; s < target->n_shares; s++)
                list[(*n)++] = (trib_flow){target, &target->share[s], r};
            list[(*n)++] = (trib_flow){target, NULL, r};
        }
    if (n_flows > 1) qsort(list, n_flows, sizeof *list, order);
    return list;
}

void trib_flow_cell(trib_html *html, const trib_flow *flow) {
    char text[TRIB_FIXED_MAX];
    const trib_report_share *share = flow ? flow->share : NULL;
    const double part = share  ? share->share
                        : flow ? trib_json_get_number(flow->target->headline, "author")
                               : (double)NAN;
    trib_html_open(html, "td", "n");
    trib_html_print(html, share && !trib_flow_is_above_floor(flow) ? "(%s)" : "%s",
                    trib_percent(text, part, 1));
    if (share) trib_report_interval(html, "small", share->low, share->high);
    trib_html_end(html);
}
