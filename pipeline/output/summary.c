/* summary.c - the summary of a result in the terminal: shares and phrases. */
#include "pipeline/output/summary.h"

#include "pipeline/output/summary_page.h"
#include "pipeline/support/terminal.h"

enum { MAX_WEAK = 5, FEW_PHRASES = 5, BAR_MAX = 20, TITLE_WIDEST = 50, PHRASE_WIDEST = 60 };

/* ---- The page -------------------------------------------------------------------------------- */

/* Returns the columns of a page of the given width: for a width of 80, 30 for a title and 20 for a
 * bar. */
static trib_summary_layout layout_of(size_t width) {
    trib_summary_layout layout = {.width = width > 0 ? width : 80};
    const size_t w = layout.width;
    layout.bar = w >= 72 ? BAR_MAX : w >= 60 ? BAR_MAX / 2 : 0;
    layout.title = layout.bar > 0 ? w - 30 - layout.bar : w - 28;
    if (layout.title > TITLE_WIDEST) layout.title = TITLE_WIDEST;
    layout.phrase = w - layout.title - 14;
    if (layout.phrase > PHRASE_WIDEST) layout.phrase = PHRASE_WIDEST;
    layout.count = w >= 70 ? 10 : 5;
    layout.row = w - 3 * layout.count - 10;
    if (layout.row > PHRASE_WIDEST) layout.row = PHRASE_WIDEST;
    return layout;
}

/* ---- Data from the result -------------------------------------------------------------------- */

static double known(double number) { return isnan(number) ? 0 : number; }

static int by_share(const void *a, const void *b) {
    const trib_shown_row *x = a, *y = b;
    const double s = known(x->share), t = known(y->share);
    return s != t ? (s < t) - (s > t) : strcmp(x->source, y->source);
}

/* Sorts the requested ones of all rows, largest first, and leaves out the others. */
static void take_wanted(const trib_summary_page *p, trib_shown_shares *shown) {
    const char *const source = p->options->source;
    size_t n = 0;
    for (size_t i = 0; i < shown->n; i++)
        if (!source || strcmp(source, shown->row[i].source) == 0) shown->row[n++] = shown->row[i];
    shown->n = n;
    if (n > 1) qsort(shown->row, n, sizeof *shown->row, by_share);
}

/* ---- Writing the page ------------------------------------------------------------------------ */

/* Draws a bar for a share of 0 to 1, in eighths of a column. */
static const char *bar_of(trib_summary_page *p, double share) {
    const int width = (int)p->layout.bar;
    static const char *const part[] = {"",       "\u258f", "\u258e", "\u258d",
                                       "\u258c", "\u258b", "\u258a", "\u2589"};
    int eighths = (int)(share * width * 8 + 0.5);
    const char *bar = "";
    if (eighths > width * 8) eighths = width * 8;
    for (; eighths >= 8; eighths -= 8) bar = trib_arena_print(&p->arena, "%s\u2588", bar);
    return eighths > 0 ? trib_arena_print(&p->arena, "%s%s", bar, part[eighths]) : bar;
}

/* Writes the 90 % interval of a share, " 7.6 to 27.5  ", or as many spaces. */
static void write_interval(trib_summary_page *p, const trib_shown_row *row) {
    if (isnan(row->low) || isnan(row->high)) trib_summary_put(p, "%14s", "");
    else trib_summary_put(p, "%4.1f to %4.1f  ", 100 * row->low, 100 * row->high);
}

/* Returns the reason why a share is noise; the text is short on a narrow page. */
static const char *weak_text(const trib_summary_page *p, bool decoy) {
    const bool is_wide = p->layout.width >= p->layout.title + 44;
    if (is_wide) return decoy ? "below the noise floor (decoy)" : "below the noise floor";
    return decoy ? "noise, decoy" : "noise";
}

/* Names the sources that cannot be told apart from a row: the members of its group, or, if one
 * source is shown by itself, the group and its share. */
static void write_members(trib_summary_page *p, const trib_target_record *target,
                          const trib_shown_row *row) {
    const trib_influence_record *const headline = trib_target_headline(p->result, target);
    const trib_share_record *const share = trib_method_share(headline, row->source);
    char interval[64] = "";
    if (row->n_members > 0)
        trib_summary_wrap(p, 4, trib_summary_dim(p),
                          "one share, because they cannot be told apart: %s",
                          trib_summary_row_title(p, row));
    if (row->n_members > 0 || !share || !share->group || !p->options->source) return;
    const trib_shown_shares groups = trib_shown_shares_make(p->result, headline, true, &p->arena);
    for (size_t r = 0; r < groups.n; r++) {
        const trib_shown_row *const group = &groups.row[r];
        if (group->n_members == 0 || strcmp(group->member[0]->group, share->group) != 0) continue;
        if (!isnan(group->low))
            snprintf(interval, sizeof interval, " (%.1f to %.1f)", 100 * group->low,
                     100 * group->high);
        trib_summary_wrap(p, 4, trib_summary_dim(p), "cannot be told apart: %s; together %.1f %%%s",
                          trib_summary_row_title(p, group), 100 * group->share, interval);
    }
}

/* Quotes the longest passage shared with a source: 79 words: "concerning John, ...". */
static void write_quoted(trib_summary_page *p, const trib_target_record *target,
                         const char *source) {
    char words[40] = "";
    uint64_t n_words = 0;
    const char *quoted = trib_summary_quoted(p, target, source, &n_words);
    if (n_words > 0) snprintf(words, sizeof words, "%llu words: ", (unsigned long long)n_words);
    const size_t used = trib_columns(words) + 2, /* with the quotation marks */
        room = p->layout.phrase > used + 8 ? p->layout.phrase - used : 8;
    if (trib_columns(quoted) > room) quoted = trib_summary_pad(p, quoted, room);
    if (*quoted) trib_summary_put(p, "%s\u201c%s\u201d\n", words, quoted);
    else trib_summary_put(p, "\n");
}

static void write_share(trib_summary_page *p, const trib_target_record *target,
                        const trib_shown_row *row) {
    const bool weak = row->below_floor, decoy = row->decoy;
    trib_summary_put(p, "  %s%s %6.1f %%  ", weak ? trib_summary_dim(p) : "",
                     trib_summary_pad(p, trib_summary_row_title(p, row), p->layout.title),
                     100 * row->printed);
    if (p->options->phrases && !weak) write_interval(p, row);
    if (weak) trib_summary_put(p, "%s%s\n", weak_text(p, decoy), trib_summary_plain(p));
    else if (p->options->phrases)
        trib_summary_put(p, "%s%s\n", bar_of(p, known(row->share)), decoy ? " decoy" : "");
    else if (decoy) trib_summary_put(p, "decoy\n");
    else write_quoted(p, target, row->source);
    write_members(p, target, row);
}

static bool has_intervals(const trib_summary_page *p, const trib_target_record *target) {
    const trib_influence_record *const headline = trib_target_headline(p->result, target);
    for (size_t s = 0; headline && s < headline->shares.n; s++)
        if (!isnan(headline->shares.item[s].low)) return true;
    return false;
}

/* Writes what a shuffled target receives, if one was asked for. */
static void write_null(trib_summary_page *p, const trib_target_record *target) {
    const trib_null_record *const null = target->null;
    if (!null) return;
    const double largest = fmax(known(null->largest), .0001); /* an upper limit */
    if (null->not_measured)
        trib_summary_wrap(p, 0, trib_summary_dim(p),
                          "a shuffled target: not measured, since %s compares factors",
                          trib_summary_clean(p, p->result->headline));
    else if (!null->source || !*null->source)
        trib_summary_wrap(p, 0, trib_summary_dim(p), "a shuffled target: nothing from any source");
    else
        trib_summary_wrap(p, 0, trib_summary_dim(p), "a shuffled target: at most %.*f %% from %s",
                          largest < 0.01 ? 2 : 1, 100 * largest,
                          trib_summary_title(p, null->source));
}

static void write_heading(trib_summary_page *p, const trib_target_record *target) {
    char method[80];
    snprintf(method, sizeof method, "by %.40s", trib_summary_clean(p, p->result->headline));
    const size_t room = p->layout.width - 1 - trib_columns(method);
    trib_summary_put(p, "%s%s%s %s\n", trib_summary_bold(p),
                     trib_summary_pad(p, trib_summary_title(p, target->target), room),
                     trib_summary_plain(p), method);
    if (!p->options->phrases) return;
    const char *floor_from = target->floor_from;
    const bool rule = strcmp(floor_from, "rule") == 0 || !*floor_from;
    const bool own = rule && strcmp(trib_result_setting(p->result, "influence.floor"), "auto") == 0;
    const double floor = known(target->floor);
    trib_summary_wrap(p, 0, trib_summary_dim(p), "noise floor%s%s %.*f %%%s%s%s", own ? " of " : "",
                      own ? trib_summary_clean(p, p->result->headline) : "", floor < 0.01 ? 2 : 1,
                      100 * floor, rule ? "" : ", the share of the decoy ",
                      rule ? "" : trib_summary_title(p, floor_from),
                      has_intervals(p, target) ? "; a to b: the 90 % interval" : "");
    write_null(p, target);
}

/* Writes why no source is above the floor, and what there is below it. */
static void write_nothing(trib_summary_page *p, const trib_target_record *target, size_t n) {
    const trib_shown_passage longest = trib_shown_passages_choose(p->result, target, NULL).longest;
    const double floor = 100 * known(target->floor);
    const char *found = "";
    if (longest.passage)
        found = trib_arena_print(&p->arena, "; the longest shared passage has %llu words (%s)",
                                 (unsigned long long)trib_passage_words(longest.passage),
                                 trib_summary_title(p, longest.source));
    if (target->parallels.n > 0)
        found =
            trib_arena_print(&p->arena, "%s; possible allusions: %zu", found, target->parallels.n);
    if (n == 0) trib_summary_wrap(p, 2, "", "no other text of this corpus may be its source");
    else
        trib_summary_wrap(p, 2, "", "no source shares more than %.*f %%%s", floor < 1 ? 2 : 1,
                          floor, found);
}

/* Writes a line of the shares that is not of one source. */
static void write_part(trib_summary_page *p, const char *label, double part, bool has_bar) {
    trib_summary_put(p, "  %s %6.1f %%", trib_summary_pad(p, label, p->layout.title), 100 * part);
    if (has_bar && p->options->phrases && *bar_of(p, part))
        trib_summary_put(p, "  %14s%s", "", bar_of(p, part));
    trib_summary_put(p, "\n");
}

/* Writes the sources below the floor as one line; `explain` names the largest of them. */
static void write_below(trib_summary_page *p, const trib_target_record *target,
                        const trib_shown_shares *shown) {
    char label[64];
    const char *list = "";
    size_t n_weak = 0, n_members = 0, n_named = 0;
    for (size_t s = 0; s < shown->n; s++) {
        const trib_shown_row *const row = &shown->row[s];
        const size_t n_here = row->n_members > 0 ? row->n_members : 1;
        if (trib_row_is_above(row)) {
            n_members += n_here;
            continue;
        }
        n_weak += n_here;
        if (row->printed <= 0 || n_named == MAX_WEAK) continue;
        list = trib_arena_print(&p->arena, "%s%s%s%s %.1f %%", list, n_named++ > 0 ? ", " : "",
                                trib_summary_row_title(p, row), row->decoy ? " (decoy)" : "",
                                100 * row->printed);
    }
    if (target->n_sources > n_weak + n_members) n_weak = target->n_sources - n_members;
    if (n_weak == 0) return;
    if (p->layout.title < 27) snprintf(label, sizeof label, "%zu below the floor", n_weak);
    else
        snprintf(label, sizeof label, "%zu source%s below the floor", n_weak,
                 n_weak == 1 ? "" : "s");
    write_part(p, label, shown->below, false);
    if (n_named > 0 && p->options->phrases)
        trib_summary_wrap(p, 4, trib_summary_dim(p), "the largest of these: %s", list);
}

/* Writes the remainder after the shares of all sources: the author's part, and that of the
 * formulas. */
static void write_rest(trib_summary_page *p, const trib_shown_shares *parts) {
    const bool is_brief = p->layout.title < 27;
    write_part(p, is_brief ? "own, common" : "the author's own and common",
               isnan(parts->author) ? 0 : parts->author, true);
    if (!isnan(parts->formula))
        write_part(p, is_brief ? "formulas" : "formulas of many texts", parts->formula, true);
}

/* "30.4 % from Mark (90 % interval 27.5 to 33.7)", or, of words in passages, "111 of 365 words
 * (30.4 %, 90 % interval 27.5 to 33.7) stand in passages shared with Mark, 80 of them word for
 * word"; a row that is not the first is shorter. */
static const char *describe_row(trib_summary_page *p, const trib_target_record *target,
                                const trib_shown_row *row, bool is_first) {
    const trib_document_record *const document = trib_result_document_of(p->result, target->target);
    const bool is_of_words = document && strcmp(p->result->headline, "extent") == 0;
    const double n_words = is_of_words ? (double)document->words : 0;
    const double words = round(row->share * n_words),
                 verbatim = round(trib_row_verbatim(target, row) * n_words);
    const char *const title = trib_summary_row_title(p, row);
    const char *interval = "";
    if (!isnan(row->low) && !isnan(row->high))
        interval = trib_arena_print(&p->arena, "%s%.1f to %.1f", is_first ? "90 % interval " : "",
                                    100 * row->low, 100 * row->high);
    if (!is_of_words)
        return trib_arena_print(
            &p->arena, *interval ? "%.1f %% %s %s (%s)" : "%.1f %% %s %s", 100 * row->printed,
            trib_texts_are_dated(p->result, target->target, row->source) ? "from" : "with", title,
            interval);
    const char *text = trib_arena_print(&p->arena, "%.0f", words);
    if (is_first) text = trib_arena_print(&p->arena, "%s of %.0f words", text, n_words);
    text = trib_arena_print(&p->arena, "%s (%.1f %%%s%s) %swith %s", text, 100 * row->printed,
                            *interval ? ", " : "", interval,
                            !is_first    ? ""
                            : words == 1 ? "stands in passages shared "
                                         : "stand in passages shared ",
                            title);
    return isnan(verbatim)
               ? text
               : trib_arena_print(&p->arena, "%s, %.0f of them word for word", text, verbatim);
}

/* Writes the shares of the sources above the noise floor in a sentence. */
static void write_sentence(trib_summary_page *p, const trib_target_record *target,
                           const trib_shown_shares *shown) {
    enum { NAMED = 3 };
    const char *const comma = strcmp(p->result->headline, "extent") == 0 ? "; " : ", ";
    const char *text = "";
    size_t n_named = 0;
    for (size_t s = 0; s < shown->n && n_named < NAMED; s++) {
        if (!trib_row_is_above(&shown->row[s])) continue;
        text = trib_arena_print(&p->arena, "%s%s%s", text, n_named > 0 ? comma : "",
                                describe_row(p, target, &shown->row[s], n_named == 0));
        n_named++;
    }
    if (n_named > 0) trib_summary_wrap(p, 2, "", "%s", text);
    if (shown->n > 0 && trib_row_is_copy(&shown->row[0]))
        trib_summary_wrap(
            p, 2, "",
            "%s is a near copy of it, another edition or its ancestor: what both have "
            "from other texts is counted with it",
            trib_summary_row_title(p, &shown->row[0]));
}

/* Writes the first sources of the ranking, which is not one of shares. */
static void write_ranking(trib_summary_page *p, const trib_target_record *target) {
    enum { FIRST = 3 };
    const char *list = "";
    if (!p->options->phrases || target->ranking.n < 2) return;
    for (size_t i = 0; i < FIRST && i < target->ranking.n; i++)
        list = trib_arena_print(&p->arena, "%s%s%zu. %s", list, i > 0 ? ", " : "", i + 1,
                                trib_summary_title(p, target->ranking.item[i].source));
    trib_summary_wrap(p, 2, trib_summary_dim(p),
                      "most likely predecessors (a ranking, not shares): %s", list);
}

/* Writes the longest shared passage in a line, when it is of a source that has no row. */
static void write_longest(trib_summary_page *p, const trib_target_record *target,
                          const trib_shown_shares *shown) {
    const trib_shown_passage longest = trib_shown_passages_choose(p->result, target, NULL).longest;
    if (!longest.passage) return;
    for (size_t s = 0; s < shown->n; s++)
        if (trib_row_is_above(&shown->row[s]) && strcmp(shown->row[s].source, longest.source) == 0)
            return;
    const char *const text = trib_summary_shared_text(p, longest.passage);
    const char *const line =
        trib_arena_print(&p->arena, "longest shared passage: %llu words with %s",
                         (unsigned long long)trib_passage_words(longest.passage),
                         trib_summary_title(p, longest.source));
    const size_t used = trib_columns(line) + 6; /* with the indentation, a comma and quotes */
    if (*text && p->layout.width > used + 16)
        trib_summary_put(p, "  %s%s, \u201c%s\u201d%s\n", trib_summary_dim(p), line,
                         trib_columns(text) > p->layout.width - used
                             ? trib_summary_pad(p, text, p->layout.width - used)
                             : text,
                         trib_summary_plain(p));
    else trib_summary_wrap(p, 2, trib_summary_dim(p), "%s", line);
}

/* Writes the evidence of a target and its shares: in `run` the shares alone, and the longest
 * passage in a line. */
static void write_shares(trib_summary_page *p, const trib_target_record *target,
                         const trib_shown_shares *shown) {
    bool flows = p->options->source != NULL;
    for (size_t s = 0; s < shown->n; s++) flows = flows || trib_row_is_above(&shown->row[s]);
    if (!flows) write_nothing(p, target, shown->n);
    else if (p->options->phrases && !p->options->source) write_sentence(p, target, shown);
    if (p->options->phrases) trib_summary_passages(p, target);
    for (size_t s = 0; s < shown->n; s++)
        if (p->options->source || trib_row_is_above(&shown->row[s]))
            write_share(p, target, &shown->row[s]);
    if (p->options->source) return;
    write_below(p, target, shown);
    write_rest(p, shown);
    write_ranking(p, target);
    if (flows && !p->options->phrases) write_longest(p, target, shown);
}

/* ---- Phrases and words ----------------------------------------------------------------------- */

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
    if (trib_columns(label) > room) {
        trib_summary_wrap(p, 2, trib_summary_dim(p), "%s", label);
        label = "";
    }
    trib_summary_put(p, "  %s%s %*s %*s %*s%s\n", trib_summary_dim(p),
                     trib_summary_pad(p, label, room), count, "here", count, "there", count + 2,
                     count < 10 ? "others" : "other texts", trib_summary_plain(p));
}

/* Writes the strongest phrases of a row of shares, as a table. */
static void write_phrases(trib_summary_page *p, const trib_target_record *target,
                          const trib_shown_row *row) {
    const int count = (int)p->layout.count;
    const trib_evidence_record *const evidence = trib_target_evidence(target, row->source);
    if (!evidence || evidence->n_phrases + evidence->n_commonplaces == 0) return;
    const size_t shown = n_phrases_shown(p, evidence->phrases.n);
    const unsigned long long n_common = evidence->n_commonplaces;
    trib_summary_put(p, "\n");
    trib_summary_wrap(p, 2, trib_summary_bold(p), "%s", trib_summary_row_title(p, row));
    write_phrases_heading(p, trib_arena_print(&p->arena, "phrases: %llu shared, the strongest %zu",
                                              (unsigned long long)evidence->n_phrases, shown));
    for (size_t i = 0; i < shown; i++) {
        const trib_phrase_record *const one = &evidence->phrases.item[i];
        trib_summary_put(p, "    %s %*llu %*llu %*llu\n",
                         trib_summary_pad(p, trib_summary_phrase(p, &one->words), p->layout.row),
                         count, (unsigned long long)one->target_count, count,
                         (unsigned long long)one->source_count, count + 2,
                         (unsigned long long)one->other_documents);
    }
    if (n_common > 0)
        trib_summary_put(p, "    %s%llu commonplace%s left out%s\n", trib_summary_dim(p), n_common,
                         n_common == 1 ? "" : "s", trib_summary_plain(p));
}

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

/* Writes which words count as the same word, if any do. */
static void write_same_words(trib_summary_page *p) {
    const trib_same_words_record *const words = p->result->same_words;
    TRIB_OWNED(trib_buffer) list = {0};
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
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Writes a target. *is_small: shares above 0 were omitted. */
static void write_target(trib_summary_page *p, size_t t, bool *is_small) {
    const trib_target_record *const target =
        trib_summary_whole(p->result, p->options, t, &p->arena);
    const trib_influence_record *const headline = trib_target_headline(p->result, target);
    /* one source is shown by itself; otherwise a group is one row */
    trib_shown_shares shown =
        trib_shown_shares_make(p->result, headline, !p->options->source, &p->arena);
    take_wanted(p, &shown);
    *is_small = *is_small || (headline && headline->left_out);
    if (p->status == TRIB_OK) p->status = trib_arena_check(&p->arena, p->error);
    if (p->status == TRIB_OK && (shown.n > 0 || !p->options->source)) {
        if (p->text->length > 0) trib_summary_put(p, "\n");
        write_heading(p, target);
        write_shares(p, target, &shown);
        for (size_t s = 0; s < shown.n && p->options->phrases; s++)
            if (p->options->source || !shown.row[s].below_floor)
                write_phrases(p, target, &shown.row[s]);
        trib_summary_translations(p, target);
        if (p->options->phrases) trib_summary_allusions(p, target);
    }
    trib_summary_end(p);
}

trib_status trib_summary_write(const trib_result *result, const trib_summary_options *options,
                               trib_buffer *text, trib_error *error) {
    TRIB_OWNED(trib_buffer) page = {0};
    trib_summary_page p = {.text = &page,
                           .options = options,
                           .result = result,
                           .layout = layout_of(options->columns),
                           .status = trib_summary_check_names(result, options, error),
                           .error = error};
    bool is_small = false; /* shares above 0 were omitted too */
    if (p.status == TRIB_OK && !options->target && result->targets.n > TRIB_SUMMARY_TARGETS)
        trib_summary_finds(&p);
    else
        for (size_t t = 0; t < result->targets.n && p.status == TRIB_OK; t++)
            if (trib_summary_wants(options, result->targets.item[t].id))
                write_target(&p, t, &is_small);
    if (p.status == TRIB_OK && options->source && page.length == 0)
        trib_summary_wrap(&p, 0, "", "nothing of '%s' is found in %s%s%s: its share is 0 %%%s",
                          options->source, options->target ? "'" : "any target",
                          options->target ? options->target : "", options->target ? "'" : "",
                          is_small ? " or too small to be listed" : "");
    if (p.status == TRIB_OK && page.length > 0 && options->phrases) write_same_words(&p);
    if (p.status == TRIB_OK && page.length > 0)
        p.status = trib_buffer_add(text, page.text, page.length, error);
    return p.status;
}
