/* finds_list.c - all passages of all pairs in one list, the rarest first. The rarity of a passage
 * is a sum over its words, so a long passage of rare words comes before a short one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/report/finds.h"

static double first_of(const json_t *passage, const char *side) {
    return trib_json_get_number(json_object_get(passage, side), "first");
}

static trib_find make_find(const trib_report *report, const trib_report_target *target,
                           const json_t *source, const json_t *passage) {
    const char *id = trib_json_get_text(source, "source");
    return (trib_find){.passage = passage,
                       .target = target,
                       .source = trib_report_place(report, id),
                       .shared = trib_json_get_number(passage, "shared"),
                       .rarity = trib_json_get_number(passage, "rarity"),
                       .mass = trib_json_get_number(passage, "mass")};
}

/* Orders by descending rarity, then length; ties are in the order of the result. A rarity that is
 * not known counts as 0. */
static int compare_finds(const void *a, const void *b) {
    const trib_find *x = a, *y = b;
    const double left = isnan(x->rarity) ? 0 : x->rarity, right = isnan(y->rarity) ? 0 : y->rarity;
    if (left != right) return left < right ? 1 : -1;
    if (x->shared != y->shared) return x->shared < y->shared ? 1 : -1;
    return x->number < y->number ? -1 : x->number > y->number;
}

trib_status trib_report_finds_read(trib_report *report, trib_error *error) {
    size_t n = 0;
    for (size_t t = 0; t < report->n_all_targets; t++) {
        const json_t *evidence = json_object_get(report->targets[t].json, "evidence");
        for (size_t e = 0; e < json_array_size(evidence); e++)
            n += json_array_size(json_object_get(json_array_get(evidence, e), "passages"));
    }
    const trib_status status = trib_new(&report->find, n, sizeof *report->find, "the finds", error);
    if (status != TRIB_OK) return status;
    for (size_t t = 0; t < report->n_all_targets; t++) {
        const trib_report_target *target = &report->targets[t];
        const json_t *evidence = json_object_get(target->json, "evidence");
        for (size_t e = 0; e < json_array_size(evidence); e++) {
            const json_t *source = json_array_get(evidence, e),
                         *passages = json_object_get(source, "passages");
            for (size_t p = 0; p < json_array_size(passages); p++) {
                trib_find find = make_find(report, target, source, json_array_get(passages, p));
                if (!(find.shared > 0) || find.source == report->n_documents) continue;
                find.number = report->n_finds;
                report->find[report->n_finds++] = find;
            }
        }
    }
    if (report->n_finds > 1)
        qsort(report->find, report->n_finds, sizeof *report->find, compare_finds);
    return TRIB_OK;
}

void trib_find_id(const trib_find *find, char id[TRIB_FIND_ID_MAX]) {
    const char *given = trib_json_get_text(find->passage, "id");
    if (*given) {
        snprintf(id, TRIB_FIND_ID_MAX, "%s", given);
        for (char *c = id; *c; c++) /* an id in HTML has no spaces */
            if (*c == ' ') *c = '-';
    } else
        snprintf(id, TRIB_FIND_ID_MAX, "%s-%.0f-%zu-%.0f", find->target->id,
                 first_of(find->passage, "target"), find->source,
                 first_of(find->passage, "source"));
}
