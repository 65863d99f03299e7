/* summary_allusions.c - the possible allusions of a target, which are no part of a share. */
#include <stdint.h>
#include <string.h>

#include "pipeline/output/summary_page.h"
#include "pipeline/support/terminal.h"

enum { FEW = 5 };

/* Writes a place: its words, and its text with the shared words in brackets. */
static void write_place(trib_summary_page *p, const char *id, const trib_place_record *place) {
    char clean[1 << 13];
    trib_buffer text = {0};
    for (size_t i = 0; i < place->text.n && p->status == TRIB_OK; i++)
        p->status =
            trib_buffer_print(&text, p->error, i % 2 == 1 ? "[%s]" : "%s", place->text.item[i]);
    trib_clean(clean, sizeof clean, text.text ? text.text : "", text.length, false);
    if (p->status == TRIB_OK)
        p->status = trib_buffer_print(p->text, p->error, "    %s, words %llu to %llu:\n", id,
                                      (unsigned long long)place->first,
                                      (unsigned long long)(place->first + place->words - 1));
    if (p->status == TRIB_OK && *clean)
        p->status = trib_buffer_print(p->text, p->error, "      %s\n", clean);
    trib_buffer_release(&text);
}

static void write_pair(trib_summary_page *p, const char *target, const trib_parallel_record *pair) {
    trib_summary_put(p, "%llu. score %.2f, shared:", (unsigned long long)pair->rank, pair->score);
    for (size_t i = 0; i < pair->shared.n; i++) {
        const trib_shared_word_record *const word = &pair->shared.item[i];
        char clean[256];
        trib_clean(clean, sizeof clean, word->feature, strlen(word->feature), false);
        trib_summary_put(p, "%s %s (%llu)", i > 0 ? "," : "", clean,
                         (unsigned long long)word->count);
    }
    if (pair->distance != TRIB_ABSENT)
        trib_summary_put(p, ", distance %llu", (unsigned long long)pair->distance);
    trib_summary_put(p, "\n");
    write_place(p, target, pair->in_target);
    write_place(p, pair->source, pair->in_source);
}

trib_parallel_records trib_summary_wanted_allusions(const trib_summary_options *options,
                                                    const trib_target_record *target,
                                                    trib_arena *arena) {
    const size_t most = options->top > 0 ? options->top : options->source ? SIZE_MAX : FEW;
    trib_parallel_records wanted;
    trib_arena_list(arena, &wanted);
    for (size_t i = 0; i < target->parallels.n && wanted.n < most; i++) {
        const trib_parallel_record *const pair = &target->parallels.item[i];
        if (options->source && strcmp(pair->source, options->source) != 0) continue;
        trib_parallel_record *const row = trib_arena_append(arena, &wanted, sizeof *row);
        if (row) *row = *pair;
    }
    return wanted;
}

void trib_summary_allusions(trib_summary_page *p, const trib_target_record *target,
                            trib_arena *arena) {
    const trib_parallel_records pairs = trib_summary_wanted_allusions(p->options, target, arena);
    if (pairs.n > 0) {
        trib_summary_put(p, "\n");
        trib_summary_wrap(p, 2, trib_summary_dim(p),
                          "possible allusions (a ranking, not shares), the first %zu", pairs.n);
    }
    for (size_t i = 0; i < pairs.n; i++) write_pair(p, target->target, &pairs.item[i]);
}
