/* summary_finds.c - for many targets: the longest shared passages, and the largest shares of all
 * targets with the strongest phrase of each. */

#include "base/internal.h"
#include "pipeline/output/summary_page.h"
#include "pipeline/support/terminal.h"

enum { TOP = 20, TITLE_WIDEST = 40, TITLE_NARROWEST = 10, PHRASE_NARROWEST = 16 };

/* A share of the list. */
typedef struct find {
    size_t t, row; /* target, and row among its shares */
    double value;
    bool is_weak; /* below the noise floor */
    size_t place; /* index in the result, for ties */
} find;

/* The longest shared passage of a target. */
typedef struct longest {
    uint64_t words;
    size_t place; /* index of the target, for ties */
} longest;

/* What is listed of all targets. */
typedef struct finds {
    find *share; /* [n] those above the noise floor first, each group in descending order */
    size_t n, cap, n_shares, n_strong; /* n_shares: of all targets; n_strong of them are above */
    longest *passage;                  /* [n_passages] */
    size_t n_passages;
} finds;

static void release(finds *list) {
    trib_free(list->share);
    trib_free(list->passage);
}

TRIB_ORDER(by_value, find, TRIB_UP(is_weak) ?: TRIB_DOWN(value) ?: TRIB_UP(place));

TRIB_ORDER(by_words, longest, TRIB_DOWN(words) ?: TRIB_UP(place));

/* Sorts the shares, and leaves out all but the first. */
static void take_first(finds *list, size_t most) {
    if (list->n > 1) qsort(list->share, list->n, sizeof *list->share, by_value);
    if (list->n > most) list->n = most;
}

/* The rows of a target, in which a source that is asked for stands by itself. */
static trib_shown_shares rows_of(trib_summary_page *p, const trib_target_record *target) {
    return trib_shown_shares_make(p->result, trib_target_headline(p->result, target),
                                  !p->options->source, &p->arena);
}

/* Adds the shares and the longest passage of target t. */
static void add_target(trib_summary_page *p, size_t t, size_t most, finds *list) {
    const char *const source = p->options->source;
    const trib_target_record *const target = trib_target_read_lean(p->result, t, &p->arena);
    const trib_passage_record *const longest_here =
        trib_shown_passages_choose(p->result, target, source).longest.passage;
    const trib_shown_shares rows = rows_of(p, target);
    if (longest_here)
        list->passage[list->n_passages++] = (longest){trib_passage_words(longest_here), t};
    for (size_t s = 0; s < rows.n && p->status == TRIB_OK; s++) {
        const trib_shown_row *const row = &rows.row[s];
        if (source && strcmp(source, row->source) != 0) continue;
        p->status = trib_grow(&list->share, &list->cap, list->n + 1, sizeof *list->share,
                              "the finds", p->error);
        if (p->status != TRIB_OK) break;
        list->share[list->n++] =
            (find){t, s, isnan(row->share) ? 0 : row->share, row->below_floor, list->n_shares++};
        list->n_strong += !row->below_floor;
    }
    trib_summary_end(p);
    if (list->n > 2 * most) take_first(list, most);
}

/* Lists the `most` largest shares of all targets, and the longest passages. */
static void list_finds(trib_summary_page *p, size_t most, finds *list) {
    const size_t n_targets = p->result->targets.n;
    if (p->status == TRIB_OK)
        p->status =
            trib_new(&list->passage, n_targets, sizeof *list->passage, "the passages", p->error);
    for (size_t t = 0; t < n_targets && p->status == TRIB_OK; t++) add_target(p, t, most, list);
    take_first(list, most);
    if (list->n_passages > 1)
        qsort(list->passage, list->n_passages, sizeof *list->passage, by_words);
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
    uint64_t n_words = 0;
    const trib_target_record *const whole =
        trib_summary_whole(p->result, p->options, found->t, &p->arena);
    const trib_shown_shares rows = rows_of(p, whole);
    if (found->row < rows.n) {
        const trib_shown_row *const row = &rows.row[found->row];
        const char *const quoted = trib_summary_quoted(p, whole, row->source, &n_words);
        write_line(p, trib_arena_print(&p->arena, "%.1f %%", 100 * found->value),
                   trib_summary_title(p, whole->target), trib_summary_row_title(p, row),
                   n_words > 0 ? trib_arena_print(&p->arena, "%llu words: %s",
                                                  (unsigned long long)n_words, quoted)
                               : quoted);
    }
    trib_summary_end(p);
}

/* Writes the number of targets and which of their shares are shown. */
static void write_heading(trib_summary_page *p, size_t n_shown, size_t n_strong) {
    const size_t n_targets = p->result->targets.n;
    const char *method = p->result->headline;
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

/* Lists the longest shared passages of all targets, one of each target. */
static void write_passages(trib_summary_page *p, const finds *list) {
    enum { MOST = 10 };
    const size_t most = p->options->top > 0 ? p->options->top : MOST, n = list->n_passages;
    for (size_t i = 0; i < n && i < most; i++) {
        if (i == 0) {
            trib_summary_wrap(p, 0, "", "the longest shared passages, at most one of each target:");
            trib_summary_put(p, "\n");
            write_line(p, "words", "target", "source", "passage");
        }
        const trib_target_record *const whole =
            trib_summary_whole(p->result, p->options, list->passage[i].place, &p->arena);
        const trib_shown_passage chosen =
            trib_shown_passages_choose(p->result, whole, p->options->source).longest;
        if (chosen.passage)
            write_line(
                p, trib_arena_print(&p->arena, "%llu", (unsigned long long)list->passage[i].words),
                trib_summary_title(p, whole->target), trib_summary_title(p, chosen.source),
                trib_summary_shared_text(p, chosen.passage));
        trib_summary_end(p);
    }
    if (n > 0) trib_summary_put(p, "\n");
}

void trib_summary_finds(trib_summary_page *p) {
    const size_t top = p->options->top > 0 ? p->options->top : TOP;
    finds list = {0};
    list_finds(p, top, &list);
    const size_t n = list.n_strong > 0 && list.n > list.n_strong ? list.n_strong : list.n;
    if (n == 0 && p->options->source) { /* trib_summary_write reports it */
        release(&list);
        return;
    }
    write_passages(p, &list);
    write_heading(p, n, list.n_strong);
    for (size_t f = 0; f < n; f++) write_find(p, &list.share[f]);
    if (p->options->phrases) {
        trib_summary_put(p, "\n");
        trib_summary_wrap(
            p, 0, "",
            "'--target ID' shows one target, '--target ID --source ID' all phrases of "
            "one source in it, '--source ID' where it went, '--top N' more.");
    }
    release(&list);
}
