/* summary_passages.c - the passages that are shown first, target and source side by side in the
 * terminal, and the possible allusions, which are no part of a share. A column is filled word by
 * word. Text of a script without spaces is broken where ICU allows it, so that no line begins with
 * a comma. A word longer than the column is broken anywhere. */
#include "pipeline/output/summary_page.h"

#include "pipeline/support/terminal.h"

enum {
    SIDE_BY_SIDE =
        64,           /* columns of the narrowest page on which two texts stand beside each other */
    MOST_LINES = 24,  /* of one passage */
    PIECE_MAX = 8192, /* bytes of one piece */
    FEW_ALLUSIONS = 5
};
#define BETWEEN " \xE2\x94\x82 " /* 3 columns wide */

/* In the text of a column, these bytes stand before and after words that both texts have. */
enum { OPEN = '\1', CLOSE = '\2' };

/* A column of text that is being filled: `text` has a line for each newline, all as wide. */
typedef struct column {
    trib_summary_page *page;
    trib_buffer text;
    size_t width, at, n_lines;
    bool is_marked, is_full;
} column;

static void put(column *c, const char *text) {
    if (c->page->status == TRIB_OK)
        c->page->status = trib_buffer_add(&c->text, text, strlen(text), c->page->error);
}

static void end_line(column *c) {
    const bool styled = c->is_marked && c->page->options->colors;
    if (styled) put(c, "\033[0m");
    for (; c->at < c->width; c->at++) put(c, " ");
    put(c, "\n");
    c->at = 0;
    c->n_lines++;
    if (styled) put(c, "\033[1m");
}

/* Returns the columns of a word, without the marks that are styles. */
static size_t columns_of(const column *c, const char *word, size_t length) {
    char plain[PIECE_MAX + 1];
    size_t n = 0, n_marks = 0;
    for (size_t i = 0; i < length && n < PIECE_MAX; i++)
        if (word[i] == OPEN || word[i] == CLOSE) n_marks++;
        else plain[n++] = word[i];
    plain[n] = '\0';
    return trib_columns(plain) + (c->page->options->colors ? 0 : n_marks);
}

static void put_mark(column *c, bool opens) {
    c->is_marked = opens;
    if (c->page->options->colors) put(c, opens ? "\033[1m" : "\033[0m");
    else {
        if (c->at == c->width) end_line(c);
        put(c, opens ? "[" : "]");
        c->at++;
    }
}

/* Puts a word of `length` bytes, on the next line if it does not fit; after a space if it has
 * one. */
static void put_word(column *c, const char *word, size_t length, bool has_space) {
    const size_t wide = columns_of(c, word, length);
    if (c->at > 0 && c->at + has_space + wide > c->width) end_line(c);
    else if (c->at > 0 && has_space) {
        put(c, " ");
        c->at++;
    }
    for (size_t i = 0, n; i < length; i += n) {
        char letter[8] = {0};
        for (n = 1; i + n < length && ((unsigned char)word[i + n] & 0xC0) == 0x80 && n < 7;) n++;
        if (c->n_lines == MOST_LINES) c->is_full = true;
        if (c->is_full) return;
        if (word[i] == OPEN || word[i] == CLOSE) {
            put_mark(c, word[i] == OPEN);
            continue;
        }
        memcpy(letter, word + i, n);
        if (c->at + trib_columns(letter) > c->width) end_line(c);
        put(c, letter);
        c->at += trib_columns(letter);
    }
}

/* Joins the pieces of a quotation, every second one between OPEN and CLOSE. */
static void join_pieces(trib_summary_page *p, const trib_texts *pieces, trib_buffer *joined) {
    char clean[PIECE_MAX];
    for (size_t i = 0; i < pieces->n && p->status == TRIB_OK; i++) {
        trib_clean(clean, sizeof clean, pieces->item[i], strlen(pieces->item[i]), false);
        p->status = trib_buffer_print(joined, p->error, i % 2 == 1 ? "\1%s\2" : "%s", clean);
    }
}

/* Finds where the part of a text that begins at `from` may be broken first; `to` is its end. A mark
 * that opens belongs to what follows. */
static size_t next_break(trib_line_breaks *breaks, const char *text, size_t from, size_t to) {
    size_t at = trib_line_breaks_next(breaks, from, to);
    if (at < to && at == from + 1 && text[from] == OPEN) at = trib_line_breaks_next(breaks, at, to);
    return at < to && text[at - 1] == OPEN ? at - 1 : at;
}

static void fill(column *c, const trib_place_record *side) {
    trib_buffer joined = {0};
    trib_line_breaks *breaks = NULL;
    join_pieces(c->page, &side->text, &joined);
    const char *text = joined.text ? joined.text : "";
    if (c->page->status == TRIB_OK)
        c->page->status = trib_line_breaks_open(&breaks, text, joined.length, c->page->error);
    for (size_t at = 0; breaks && text[at] && !c->is_full;) {
        bool has_space = true;
        at += strspn(text + at, " ");
        for (const size_t end = at + strcspn(text + at, " "); at < end; has_space = false) {
            const size_t to = next_break(breaks, text, at, end);
            put_word(c, text + at, to - at, has_space);
            at = to;
        }
    }
    trib_line_breaks_close(breaks);
    trib_buffer_release(&joined);
    if (c->is_marked && c->page->options->colors) put(c, "\033[0m");
    c->is_marked = false;
    if (c->at > 0) end_line(c);
    if ((side->text.item && side->cut) || c->is_full) {
        put(c, "\xE2\x80\xA6");
        c->at = 1;
        end_line(c);
    }
}

/* Writes the next line of a column, or spaces when there is none. */
static const char *put_line(trib_summary_page *p, const column *c, const char *line, bool is_last) {
    const size_t length = line ? strcspn(line, "\n") : 0;
    const bool is_isolated = trib_is_right_to_left(line ? line : "", length);
    if (p->status != TRIB_OK) return NULL;
    if (is_isolated) trib_summary_put(p, TRIB_ISOLATE);
    if (length > 0) p->status = trib_buffer_add(p->text, line, length, p->error);
    else if (!is_last) trib_summary_put(p, "%*s", (int)c->width, "");
    if (is_last) { /* no spaces at the end of a line */
        while (p->text->length > 0 && p->text->text[p->text->length - 1] == ' ') p->text->length--;
        if (p->text->text) p->text->text[p->text->length] = '\0';
    }
    if (is_isolated) trib_summary_put(p, TRIB_ISOLATE_END);
    return line && line[length] ? line + length + 1 : NULL;
}

static const char *caption_of(trib_summary_page *p, const trib_place_record *side, const char *id,
                              size_t width) {
    const double first = (double)side->first, last = first + (double)side->words - 1;
    const char *const place = trib_summary_reference(p, side);
    return trib_summary_pad(p,
                            trib_arena_print(&p->arena, "%s%swords %.0f to %.0f of %s", place,
                                             *place ? ", " : "", first, last,
                                             trib_summary_title(p, id)),
                            width);
}

/* The same without spaces at its end. */
static const char *caption_alone(trib_summary_page *p, const trib_place_record *side,
                                 const char *id, size_t width) {
    const char *const caption = caption_of(p, side, id, width);
    size_t n = strlen(caption);
    while (n > 0 && caption[n - 1] == ' ') n--;
    return trib_arena_copy(&p->arena, caption, n);
}

static void write_beside(trib_summary_page *p, const trib_passage_record *passage,
                         const char *target, const char *source) {
    const size_t width = (p->layout.width - 2 - 3) / 2;
    const trib_place_record *const here = passage->target, *const there = passage->source;
    column left = {.page = p, .width = width}, right = {.page = p, .width = width};
    trib_summary_put(p, "  %s%s%s%s%s\n", trib_summary_dim(p), caption_of(p, here, target, width),
                     BETWEEN, caption_alone(p, there, source, width), trib_summary_plain(p));
    fill(&left, here);
    fill(&right, there);
    const char *one = left.text.text, *other = right.text.text;
    while (p->status == TRIB_OK && ((one && *one) || (other && *other))) {
        trib_summary_put(p, "  ");
        one = put_line(p, &left, one, false);
        trib_summary_put(p, BETWEEN);
        other = put_line(p, &right, other, true);
        trib_summary_put(p, "\n");
    }
    trib_buffer_release(&left.text);
    trib_buffer_release(&right.text);
}

/* Writes the two texts below each other. */
static void write_stacked(trib_summary_page *p, const trib_passage_record *passage,
                          const char *target, const char *source) {
    const trib_place_record *const sides[] = {passage->target, passage->source};
    const char *const ids[] = {target, source};
    for (int i = 0; i < 2; i++) {
        const trib_place_record *const side = sides[i];
        column c = {.page = p, .width = p->layout.width - 4};
        trib_summary_put(p, "  %s%s%s\n", trib_summary_dim(p),
                         caption_alone(p, side, ids[i], p->layout.width - 2),
                         trib_summary_plain(p));
        fill(&c, side);
        for (const char *line = c.text.text; line && *line && p->status == TRIB_OK;) {
            trib_summary_put(p, "    ");
            line = put_line(p, &c, line, true);
            trib_summary_put(p, "\n");
        }
        trib_buffer_release(&c.text);
    }
}

static void write_chosen(trib_summary_page *p, const char *target, const trib_shown_passage *chosen,
                         const char *what) {
    if (!chosen->passage) return;
    const char *const here = trib_summary_reference(p, chosen->passage->target),
                      *const there = trib_summary_reference(p, chosen->passage->source);
    const uint64_t shared = chosen->passage->shared, n = trib_passage_words(chosen->passage);
    trib_summary_put(p, "\n");
    const bool is_copied = !chosen->passage->translated && shared < n;
    trib_summary_wrap(
        p, 2, trib_summary_bold(p), "%s%s%s: %.0f words %s %s%s%s%s", what, *here ? ", " : "", here,
        (double)n, chosen->passage->translated ? "from" : "in common with",
        trib_summary_title(p, chosen->source), trib_place_gap(there), there,
        is_copied ? trib_arena_print(&p->arena, ", %.0f word for word", (double)shared) : "");
    const char *const family =
        trib_family_shown(p->result, &p->arena, chosen->passage, chosen->source, true);
    if (*family) trib_summary_wrap(p, 2, trib_summary_dim(p), "%s", family);
    if (p->layout.width >= SIDE_BY_SIDE) write_beside(p, chosen->passage, target, chosen->source);
    else write_stacked(p, chosen->passage, target, chosen->source);
}

void trib_summary_passages(trib_summary_page *p, const trib_target_record *target) {
    const trib_shown_passages chosen =
        trib_shown_passages_choose(p->result, target, p->options->source);
    const char *id = target->target;
    if (!chosen.longest.passage) return;
    write_chosen(p, id, &chosen.longest, "the longest shared passage");
    write_chosen(p, id, &chosen.rarest, "the shared passage with the rarest words");
    if (chosen.longest.passage->target->text.n > 0)
        trib_summary_wrap(p, 2, trib_summary_dim(p), "words in %s are word for word the same",
                          p->options->colors ? "bold" : "brackets");
    trib_summary_put(p, "\n");
}

const char *trib_summary_shared_text(trib_summary_page *p, const trib_passage_record *passage) {
    const trib_texts *const pieces = &passage->target->text;
    char out[TRIB_SUMMARY_TEXT] = "";
    size_t used = 0;
    for (size_t i = 1; i < pieces->n && used + 1 < sizeof out; i++) {
        const char *const text = pieces->item[i];
        if (i + 1 == pieces->n && i % 2 == 0) break; /* the context after it */
        used += trib_clean(out + used, sizeof out - used, text, strlen(text), false);
    }
    return trib_arena_copy(&p->arena, out, used);
}

const char *trib_summary_quoted(trib_summary_page *p, const trib_target_record *target,
                                const char *source, uint64_t *n_words) {
    const trib_passage_record *const longest =
        trib_shown_passages_choose(p->result, target, source).longest.passage;
    const trib_evidence_record *const evidence = trib_target_evidence(target, source);
    const char *const text = longest ? trib_summary_shared_text(p, longest) : "";
    *n_words = *text ? trib_passage_words(longest) : 0;
    if (*text) return text;
    return evidence && evidence->phrases.n > 0
               ? trib_summary_phrase(p, &evidence->phrases.item[0].words)
               : "";
}

/* ---- Translations ---------------------------------------------------------------------------- */

trib_translation_records trib_summary_wanted_translations(const trib_summary_options *options,
                                                          const trib_target_record *target,
                                                          trib_arena *arena) {
    trib_translation_records wanted = {0};
    for (size_t i = 0; i < target->translations.n; i++) {
        const trib_translation_record *const one = &target->translations.item[i];
        if (options->source && strcmp(options->source, one->source) != 0) continue;
        trib_translation_record *const row = trib_arena_append(arena, &wanted, sizeof *row);
        if (row) *row = *one;
    }
    return wanted;
}

void trib_summary_translations(trib_summary_page *p, const trib_target_record *target) {
    enum { NOT_FOUND = 3 };
    const trib_translation_records all =
        trib_summary_wanted_translations(p->options, target, &p->arena);
    size_t n = 0, n_left_out = 0;
    for (size_t i = 0; i < all.n; i++) {
        const trib_translation_record *const one = &all.item[i];
        if (one->found == 0 && (!p->options->phrases || n_left_out >= NOT_FOUND)) continue;
        n_left_out += one->found == 0;
        if (n++ == 0) trib_summary_put(p, "\n");
        trib_summary_wrap(p, 2, "", "%s", one->sentence);
    }
    if (!p->options->phrases) return;
    const trib_shown_passages chosen =
        trib_shown_passages_choose(p->result, target, p->options->source);
    write_chosen(p, target->target, &chosen.translated, "the longest translated passage");
}

/* ---- Possible allusions ---------------------------------------------------------------------- */

/* Writes a place: its words, and its text with the shared words in brackets. */
static void write_allusion_place(trib_summary_page *p, const char *id,
                                 const trib_place_record *place) {
    char clean[1 << 13];
    TRIB_OWNED(trib_buffer) text = {0};
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
}

static void write_allusion(trib_summary_page *p, const char *target,
                           const trib_parallel_record *pair) {
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
    write_allusion_place(p, target, pair->in_target);
    write_allusion_place(p, pair->source, pair->in_source);
}

trib_parallel_records trib_summary_wanted_allusions(const trib_summary_options *options,
                                                    const trib_target_record *target,
                                                    trib_arena *arena) {
    const size_t most = options->top > 0  ? options->top
                        : options->source ? SIZE_MAX
                                          : FEW_ALLUSIONS;
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

void trib_summary_allusions(trib_summary_page *p, const trib_target_record *target) {
    const trib_parallel_records pairs =
        trib_summary_wanted_allusions(p->options, target, &p->arena);
    if (pairs.n > 0) {
        trib_summary_put(p, "\n");
        trib_summary_wrap(p, 2, trib_summary_dim(p),
                          "possible allusions (a ranking, not shares), the first %zu", pairs.n);
    }
    for (size_t i = 0; i < pairs.n; i++) write_allusion(p, target->target, &pairs.item[i]);
}
