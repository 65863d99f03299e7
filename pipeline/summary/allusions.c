/* allusions.c - the possible allusions of a target, which are no part of a share. */
#include <stdint.h>
#include <string.h>

#include "pipeline/output/result.h"
#include "pipeline/summary/page.h"
#include "pipeline/support/json.h"

enum { FEW = 5 };

json_t *trib_summary_wanted_allusions(const trib_summary_options *options, const json_t *target) {
    const json_t *all = json_object_get(target, "parallels");
    const size_t most = options->top > 0 ? options->top : options->source ? SIZE_MAX : FEW;
    json_t *wanted = json_array();
    for (size_t i = 0; i < json_array_size(all) && json_array_size(wanted) < most; i++) {
        json_t *pair = json_array_get(all, i);
        if (!options->source || strcmp(trib_json_get_text(pair, "source"), options->source) == 0)
            json_array_append(wanted, pair);
    }
    return wanted;
}

void trib_summary_allusions(trib_summary_page *p, const json_t *target) {
    json_t *pairs = trib_summary_wanted_allusions(p->options, target);
    if (json_array_size(pairs) > 0) {
        trib_summary_put(p, "\n");
        trib_summary_wrap(p, 2, trib_summary_dim(p),
                          "possible allusions (a ranking, not shares), the first %zu",
                          json_array_size(pairs));
    }
    for (size_t i = 0; i < json_array_size(pairs) && p->status == TRIB_OK; i++)
        p->status = trib_parallel_describe(p->text, trib_json_get_text(target, "target"),
                                           json_array_get(pairs, i), p->error);
    json_decref(pairs);
}
