/* summary_same_words.c - which words a run has counted as the same word. */
#include "pipeline/output/summary_page.h"
#include "pipeline/support/terminal.h"

#include <string.h>

static trib_status add_word(const char *word, trib_buffer *list, trib_error *error) {
    char clean[TRIB_SUMMARY_TEXT];
    const size_t length = trib_clean(clean, sizeof clean, word, strlen(word), false);
    const bool is_isolated = trib_is_right_to_left(clean, length);
    return trib_buffer_print(list, error, "%s%s%s", is_isolated ? TRIB_ISOLATE : "", clean,
                             is_isolated ? TRIB_ISOLATE_END : "");
}

/* Adds "haue = have (12)" for each of the most frequent changes, separated by commas. */
static trib_status list_changes(const trib_change_records *changes, trib_buffer *list,
                                trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < changes->n && status == TRIB_OK; i++) {
        const trib_change_record *const change = &changes->item[i];
        if (i > 0) status = trib_buffer_add(list, ", ", 2, error);
        if (status == TRIB_OK) status = add_word(change->spelling, list, error);
        if (status == TRIB_OK) status = trib_buffer_add(list, " = ", 3, error);
        if (status == TRIB_OK) status = add_word(change->norm, list, error);
        if (status == TRIB_OK)
            status = trib_buffer_print(list, error, " (%.0f)", (double)change->count);
    }
    return status;
}

void trib_summary_same_words(trib_summary_page *p) {
    const trib_same_words_record *const words = p->result->same_words;
    trib_buffer list = {0};
    if (!words || p->status != TRIB_OK) return;
    p->status = list_changes(&words->changes, &list, p->error);
    trib_summary_put(p, "\n");
    trib_summary_wrap(p, 0, trib_summary_dim(p),
                      "%.0f of %.0f different words have a norm unlike their spelling%s%s",
                      (double)words->changed, (double)words->spellings,
                      list.length > 0 ? ", most often " : "", list.text ? list.text : "");
    if (words->left_out > 0)
        trib_summary_wrap(p, 0, trib_summary_dim(p), "%.0f words are left out (%.0f occurrences)",
                          (double)words->left_out, (double)words->left_out_tokens);
    trib_buffer_release(&list);
}
