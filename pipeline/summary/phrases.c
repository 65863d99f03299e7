/* phrases.c - the strongest phrases that a target shares with a source, as a table. */
#include <stdio.h>

#include "pipeline/summary/page.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

enum { FEW_PHRASES = 5, TEXT_MAX = TRIB_SUMMARY_TEXT };

static size_t n_phrases_shown(const trib_summary_page *p, size_t n_stored) {
    const size_t most = p->options->top > 0  ? p->options->top
                        : p->options->source ? n_stored
                                             : FEW_PHRASES;
    return n_stored < most ? n_stored : most;
}

/* Writes the names of the columns. A label that does not fit beside them gets its own line. */
static void write_phrases_heading(trib_summary_page *p, const char *label) {
    const int count = (int)p->layout.count;
    const size_t room = p->layout.row + 2;
    char cell[TEXT_MAX];
    if (trib_columns(label) > room) {
        trib_summary_wrap(p, 2, trib_summary_dim(p), "%s", label);
        label = "";
    }
    trib_summary_put(p, "  %s%s %*s %*s %*s%s\n", trib_summary_dim(p),
                     trib_pad(cell, sizeof cell, label, room, false), count, "here", count, "there",
                     count + 2, count < 10 ? "others" : "other texts", trib_summary_plain(p));
}

void trib_summary_phrases(trib_summary_page *p, const json_t *target, const json_t *share) {
    char title[TEXT_MAX], phrase[TEXT_MAX], cell[TEXT_MAX];
    const int count = (int)p->layout.count;
    const char *source = trib_json_get_text(share, "source");
    const json_t *evidence = trib_summary_evidence(target, source);
    const json_t *phrases = json_object_get(evidence, "phrases");
    const json_int_t n = json_integer_value(json_object_get(evidence, "n_phrases"));
    const size_t shown = n_phrases_shown(p, json_array_size(phrases));
    const json_int_t n_common = json_integer_value(json_object_get(evidence, "n_commonplaces"));
    if (n + n_common == 0) return;
    trib_summary_put(p, "\n");
    trib_summary_wrap(p, 2, trib_summary_bold(p), "%s", trib_summary_row_title(p, share, title));
    snprintf(phrase, sizeof phrase, "phrases: %lld shared, the strongest %zu", (long long)n, shown);
    write_phrases_heading(p, phrase);
    for (size_t i = 0; i < shown; i++) {
        const json_t *one = json_array_get(phrases, i);
        trib_pad(cell, sizeof cell, trib_summary_phrase(one, phrase), p->layout.row, false);
        trib_summary_put(p, "    %s %*lld %*lld %*lld\n", cell, count,
                         (long long)json_integer_value(json_object_get(one, "target_count")), count,
                         (long long)json_integer_value(json_object_get(one, "source_count")),
                         count + 2,
                         (long long)json_integer_value(json_object_get(one, "other_documents")));
    }
    if (n_common > 0)
        trib_summary_put(p, "    %s%lld commonplace%s left out%s\n", trib_summary_dim(p),
                         (long long)n_common, n_common == 1 ? "" : "s", trib_summary_plain(p));
}
