/* finds.c - for many targets: the longest shared passages, and the largest shares of all targets
 * with the strongest phrase of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/output/result.h"
#include "pipeline/summary/page.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

enum { TOP = 20, TITLE_WIDEST = 40, TITLE_NARROWEST = 10, PHRASE_NARROWEST = 16 };

typedef struct find {
    const json_t *target, *share;
    size_t t; /* index of the target */
    double value;
    bool is_weak; /* below the noise floor */
    size_t place; /* index in the result, for ties */
} find;

static int by_value(const void *a, const void *b) {
    const find *x = a, *y = b;
    if (x->is_weak != y->is_weak) return x->is_weak ? 1 : -1;
    if (x->value != y->value) return x->value < y->value ? 1 : -1;
    return x->place < y->place ? -1 : 1;
}

/* Lists all shares, those above the noise floor first, each group in descending order: *n of them
 * in *list, which the caller releases; the first *n_strong are above the floor. The array `all`
 * receives the rows to which the list points. */
static trib_status list_finds(const trib_summary_page *p, json_t *all, find **list, size_t *n,
                              size_t *n_strong, trib_error *error) {
    const char *source = p->options->source;
    size_t t, s, cap = 0;
    json_t *target, *share;
    *list = NULL;
    *n = *n_strong = 0;
    json_array_foreach(json_object_get(p->result, "targets"), t, target) {
        const json_t *headline = trib_summary_headline(p->result, target);
        json_t *rows = source ? json_incref(json_object_get(headline, "shares"))
                              : trib_result_rows(p->result, headline);
        json_array_append_new(all, rows);
        json_array_foreach(rows, s, share) {
            const bool is_weak = json_is_true(json_object_get(share, "below_floor"));
            if (source && strcmp(source, trib_json_get_text(share, "source")) != 0) continue;
            const trib_status status =
                trib_grow(list, &cap, *n + 1, sizeof **list, "the finds", error);
            if (status != TRIB_OK) return status;
            (*list)[*n] =
                (find){target, share, t, trib_summary_number(share, "share"), is_weak, *n};
            *n_strong += !is_weak;
            ++*n;
        }
    }
    if (*n > 1) qsort(*list, *n, sizeof **list, by_value);
    return TRIB_OK;
}

/* Widths of a title and a phrase (0: omitted) in "   12.3 %  TARGET  SOURCE  PHRASE". */
static void lay_out(const trib_summary_page *p, size_t *title, size_t *phrase) {
    const size_t rest = p->layout.width - 11;
    *title = rest / 4 < TITLE_NARROWEST ? TITLE_NARROWEST : rest / 4;
    if (*title > TITLE_WIDEST) *title = TITLE_WIDEST;
    *phrase = rest > 2 * (*title + 2) ? rest - 2 * (*title + 2) : 0;
    if (*phrase >= PHRASE_NARROWEST) return;
    *phrase = 0;
    *title = (rest - 3) / 2;
}

/* Writes a title in exactly so many columns. A title that does not fit is cut in the middle, since
 * the year at its end often tells it from others. */
static const char *shorten(char *out, size_t size, const char *title, size_t columns) {
    const char *end = title + strlen(title), *tail = end;
    if (trib_columns(title) <= columns) return trib_pad(out, size, title, columns, false);
    for (const char *at = end; at > title && trib_columns(at) <= columns / 2; at--)
        if (((unsigned char)*at & 0xC0) != 0x80) tail = at; /* a whole character */
    trib_pad(out, size, title, columns - trib_columns(tail), false);
    return strcat(out, tail);
}

static void write_line(trib_summary_page *p, const char *share, const char *target,
                       const char *source, const char *phrase) {
    char a[TRIB_SUMMARY_TEXT + 4 * TRIB_PAGE_WIDEST], b[sizeof a], c[sizeof a];
    size_t title, room;
    lay_out(p, &title, &room);
    shorten(a, sizeof a, target, title);
    if (room > 0 || trib_columns(source) > title) source = shorten(b, sizeof b, source, title);
    if (room > 0 && trib_columns(phrase) > room)
        phrase = trib_pad(c, sizeof c, phrase, room, false);
    trib_summary_put(p, "%9s  %s  %s%s%s\n", share, a, source, room > 0 ? "  " : "",
                     room > 0 ? phrase : "");
}

static void write_find(trib_summary_page *p, const find *found) {
    char target[TRIB_SUMMARY_TEXT], source[TRIB_SUMMARY_TEXT], quoted[TRIB_SUMMARY_TEXT],
        line[TRIB_SUMMARY_TEXT + 32], share[32];
    double n_words = 0;
    json_t *whole = trib_summary_whole(p, found->t);
    if (!whole) return;
    trib_summary_quoted(p, whole, trib_json_get_text(found->share, "source"), &n_words, quoted);
    if (n_words > 0) snprintf(line, sizeof line, "%.0f words: %s", n_words, quoted);
    else snprintf(line, sizeof line, "%s", quoted);
    snprintf(share, sizeof share, "%.1f %%", 100 * found->value);
    write_line(p, share, trib_summary_title(p, trib_json_get_text(found->target, "target"), target),
               trib_summary_row_title(p, found->share, source), line);
    json_decref(whole);
}

/* Writes the number of targets and which of their shares are shown. */
static void write_heading(trib_summary_page *p, size_t n_shown, size_t n_strong) {
    const size_t n_targets = json_array_size(json_object_get(p->result, "targets"));
    const char *method = trib_json_get_text(p->result, "headline");
    if (n_strong > 0)
        trib_summary_wrap(p, 0, "",
                          "%zu targets; the %zu largest of %zu shares above the noise floor, by %s",
                          n_targets, n_shown, n_strong, method);
    else
        trib_summary_wrap(p, 0, "",
                          "%zu targets; no share above the noise floor, the %zu largest below it, "
                          "by %s",
                          n_targets, n_shown, method);
    trib_summary_put(p, "\n");
    if (n_shown > 0) write_line(p, "share", "target", "source", "longest passage");
}

/* ---- Passages -------------------------------------------------------------------------------- */

/* The longest shared passage of a target. */
typedef struct longest {
    double words;
    size_t place; /* index of the target, for ties */
} longest;

static int by_words(const void *a, const void *b) {
    const longest *x = a, *y = b;
    if (x->words != y->words) return x->words < y->words ? 1 : -1;
    return x->place < y->place ? -1 : 1;
}

/* Lists the longest shared passages of all targets, one of each target. */
static void write_passages(trib_summary_page *p) {
    enum { MOST = 10 };
    const json_t *targets = json_object_get(p->result, "targets");
    const size_t n_targets = json_array_size(targets);
    const size_t most = p->options->top > 0 ? p->options->top : MOST;
    char target[TRIB_SUMMARY_TEXT], source[TRIB_SUMMARY_TEXT], text[TRIB_SUMMARY_TEXT], words[32];
    longest *list = NULL;
    size_t n = 0;
    if (p->status == TRIB_OK)
        p->status = trib_new(&list, n_targets, sizeof *list, "the passages", p->error);
    for (size_t t = 0; t < n_targets && p->status == TRIB_OK; t++) {
        const json_t *about = json_array_get(targets, t);
        const trib_chosen_passage chosen =
            trib_passages_choose(p->result, about, p->options->source).longest;
        if (chosen.passage) list[n++] = (longest){trib_summary_number(chosen.passage, "shared"), t};
    }
    if (n > 1) qsort(list, n, sizeof *list, by_words);
    for (size_t i = 0; i < n && i < most; i++) {
        if (i == 0) {
            trib_summary_wrap(p, 0, "", "the longest shared passages, at most one of each target:");
            trib_summary_put(p, "\n");
            write_line(p, "words", "target", "source", "passage");
        }
        json_t *whole = trib_summary_whole(p, list[i].place);
        if (!whole) break;
        const trib_chosen_passage chosen =
            trib_passages_choose(p->result, whole, p->options->source).longest;
        snprintf(words, sizeof words, "%.0f", list[i].words);
        write_line(p, words, trib_summary_title(p, trib_json_get_text(whole, "target"), target),
                   trib_summary_title(p, chosen.source, source),
                   trib_summary_shared_text(chosen.passage, text));
        json_decref(whole);
    }
    if (n > 0) trib_summary_put(p, "\n");
    trib_free(list);
}

void trib_summary_finds(trib_summary_page *p) {
    const size_t top = p->options->top > 0 ? p->options->top : TOP;
    find *list = NULL;
    json_t *all = json_array();
    size_t n = 0, n_strong = 0;
    if (p->status == TRIB_OK) p->status = list_finds(p, all, &list, &n, &n_strong, p->error);
    if (p->status == TRIB_OK) p->status = trib_json_check("the result", p->error);
    if (n_strong > 0) n = n_strong;
    if (n > top) n = top;
    if (n == 0 && p->options->source) { /* trib_summary_write reports it */
        trib_free(list);
        json_decref(all);
        return;
    }
    write_passages(p);
    write_heading(p, n, n_strong);
    for (size_t f = 0; f < n; f++) write_find(p, &list[f]);
    if (p->options->phrases) {
        trib_summary_put(p, "\n");
        trib_summary_wrap(
            p, 0, "",
            "'--target ID' shows one target, '--target ID --source ID' all phrases of "
            "one source in it, '--source ID' where it went, '--top N' more.");
    }
    trib_free(list);
    json_decref(all);
}
