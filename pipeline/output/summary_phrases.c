/* summary_phrases.c - the strongest phrases that a target shares with a source, as a table. */
#include <stdio.h>

#include "pipeline/output/summary_page.h"
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

void trib_summary_phrases(trib_summary_page *p, const trib_target_record *target,
                          const trib_shown_row *row) {
    char title[TEXT_MAX], phrase[TEXT_MAX], cell[TEXT_MAX];
    const int count = (int)p->layout.count;
    const trib_evidence_record *const evidence = trib_target_evidence(target, row->source);
    if (!evidence || evidence->n_phrases + evidence->n_commonplaces == 0) return;
    const size_t shown = n_phrases_shown(p, evidence->phrases.n);
    const unsigned long long n_common = evidence->n_commonplaces;
    trib_summary_put(p, "\n");
    trib_summary_wrap(p, 2, trib_summary_bold(p), "%s", trib_summary_row_title(row, title));
    snprintf(phrase, sizeof phrase, "phrases: %llu shared, the strongest %zu",
             (unsigned long long)evidence->n_phrases, shown);
    write_phrases_heading(p, phrase);
    for (size_t i = 0; i < shown; i++) {
        const trib_phrase_record *const one = &evidence->phrases.item[i];
        trib_pad(cell, sizeof cell, trib_summary_phrase(&one->words, phrase), p->layout.row, false);
        trib_summary_put(p, "    %s %*llu %*llu %*llu\n", cell, count,
                         (unsigned long long)one->target_count, count,
                         (unsigned long long)one->source_count, count + 2,
                         (unsigned long long)one->other_documents);
    }
    if (n_common > 0)
        trib_summary_put(p, "    %s%llu commonplace%s left out%s\n", trib_summary_dim(p), n_common,
                         n_common == 1 ? "" : "s", trib_summary_plain(p));
}
