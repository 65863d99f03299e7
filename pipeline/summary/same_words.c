/* same_words.c - which words a run has counted as the same word. */
#include "pipeline/summary/page.h"
#include "pipeline/support/json.h"

/* Adds "haue = have (12)" for each of the most frequent changes, separated by commas. */
static trib_status list_changes(const json_t *changes, trib_buffer *list, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < json_array_size(changes) && status == TRIB_OK; i++) {
        const json_t *change = json_array_get(changes, i);
        status = trib_buffer_print(list, error, "%s%s = %s (%.0f)", i > 0 ? ", " : "",
                                   trib_json_get_text(change, "spelling"),
                                   trib_json_get_text(change, "norm"),
                                   trib_json_get_number(change, "count"));
    }
    return status;
}

void trib_summary_same_words(trib_summary_page *p) {
    const json_t *words = json_object_get(p->result, "same_words");
    trib_buffer list = {0};
    if (!words || p->status != TRIB_OK) return;
    p->status = list_changes(json_object_get(words, "changes"), &list, p->error);
    trib_summary_put(p, "\n");
    trib_summary_wrap(p, 0, trib_summary_dim(p),
                      "%.0f of %.0f different words have a norm unlike their spelling%s%s",
                      trib_summary_number(words, "changed"),
                      trib_summary_number(words, "spellings"),
                      list.length > 0 ? ", most often " : "", list.text ? list.text : "");
    if (trib_summary_number(words, "left_out") > 0)
        trib_summary_wrap(p, 0, trib_summary_dim(p), "%.0f words are left out (%.0f occurrences)",
                          trib_summary_number(words, "left_out"),
                          trib_summary_number(words, "left_out_tokens"));
    trib_buffer_release(&list);
}
