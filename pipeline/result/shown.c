/* shown.c - the rows of a target, rounded so that the printed numbers add up, and its passages that
 * are shown first. Each number is cut to whole units; the units that the sum lacks go to the
 * numbers that lost most (the method of largest remainders). So no printed number is off by a unit
 * or more. */
#include "pipeline/result/shown.h"

#include "base/internal.h"

/* ---- Groups ---------------------------------------------------------------------------------- */

/* The titles of a group as text: "A, B or C", and of many "A, B, C or 36 others". */
static const char *join_titles(const trib_result *result, const trib_shown_row *row,
                               trib_arena *arena) {
    enum { MOST = 5, NAMED = 3 };
    const size_t n = row->n_members, named = n > MOST ? NAMED : n;
    const char *joined = "";
    for (size_t i = 0; i < named; i++) {
        const char *const between = i == 0 ? "" : i + 1 < n ? ", " : " or ";
        joined = trib_arena_print(arena, "%s%s%s", joined, between,
                                  trib_result_title(result, row->member[i]->source));
    }
    return named == n ? joined : trib_arena_print(arena, "%s or %zu others", joined, n - named);
}

/* Makes the row of a group: that of its member with the largest share (of equal ones the first),
 * with the numbers of the group. */
static void make_group(trib_shown_row *row, const trib_result *result,
                       const trib_influence_record *method, const trib_group_record *group,
                       const char *first, trib_arena *arena) {
    const trib_share_records *const shares = &method->shares;
    const trib_share_record *largest = NULL;
    *row = (trib_shown_row){.share = group->share,
                            .low = group->low,
                            .high = group->high,
                            .below_floor = group->below_floor};
    row->member = trib_arena_new(arena, shares->n, sizeof *row->member);
    for (size_t s = 0; row->member && s < shares->n; s++) {
        const trib_share_record *const member = &shares->item[s];
        if (!member->group || strcmp(member->group, first) != 0) continue;
        row->member[row->n_members++] = member;
        if (!largest || member->share > largest->share) largest = member;
        row->decoy = row->decoy || member->decoy;
    }
    row->source = largest ? largest->source : "";
    row->title = join_titles(result, row, arena);
}

static void make_rows(trib_shown_shares *shown, const trib_result *result,
                      const trib_influence_record *method, bool is_grouped, trib_arena *arena) {
    const trib_share_records *const shares = &method->shares;
    for (size_t s = 0; s < shares->n; s++) {
        const trib_share_record *const share = &shares->item[s];
        trib_shown_row *const row = &shown->row[shown->n];
        const trib_group_record *const group =
            is_grouped && share->group ? trib_method_group(method, share->group) : NULL;
        bool is_listed = false; /* with an earlier member */
        for (size_t i = 0; group && i < s && !is_listed; i++)
            is_listed = shares->item[i].group && strcmp(shares->item[i].group, share->group) == 0;
        if (is_listed) continue;
        shown->n++;
        if (group) make_group(row, result, method, group, share->group, arena);
        else
            *row = (trib_shown_row){.source = share->source,
                                    .title = trib_result_title(result, share->source),
                                    .share = share->share,
                                    .low = share->low,
                                    .high = share->high,
                                    .below_floor = share->below_floor,
                                    .decoy = share->decoy};
    }
}

bool trib_row_is_above(const trib_shown_row *row) {
    return !isnan(row->share) && !row->below_floor && !row->decoy;
}

bool trib_row_has(const trib_shown_row *row, const char *id) {
    if (strcmp(row->source, id) == 0) return true;
    for (size_t m = 0; row->member && m < row->n_members; m++)
        if (strcmp(row->member[m]->source, id) == 0) return true;
    return false;
}

double trib_row_verbatim(const trib_target_record *target, const trib_shown_row *row) {
    const trib_influence_record *verbatim = trib_target_method(target, "verbatim");
    double share = 0;
    for (size_t s = 0; verbatim && s < verbatim->shares.n; s++)
        if (trib_row_has(row, verbatim->shares.item[s].source))
            share += verbatim->shares.item[s].share;
    return verbatim ? share : (double)NAN;
}

bool trib_share_is_above(const trib_share_record *share) {
    return share && !isnan(share->share) && !share->below_floor && !share->decoy;
}

/* ---- Rounding -------------------------------------------------------------------------------- */

/* A number in units of the last decimal. */
typedef struct part {
    double value, units;
    size_t place;
} part;

static int by_remainder(const void *a, const void *b) {
    const part *x = a, *y = b;
    const double lost_x = x->value - x->units, lost_y = y->value - y->units;
    if (lost_x != lost_y) return lost_x < lost_y ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

TRIB_ORDER(by_place, part, TRIB_UP(place));

/* Sets the units of parts[n] so that they add up to `sum`, a whole number; if their values do not,
 * each is rounded by itself. */
static void round_parts(part *parts, size_t n, double sum) {
    double values = 0, missing = sum;
    for (size_t i = 0; i < n; i++) {
        /* 2.9999999 stands for 3 */
        parts[i].units = floor(parts[i].value + 1e-6);
        parts[i].place = i;
        values += parts[i].value;
        missing -= parts[i].units;
    }
    if (n == 0) return;
    if (fabs(values - sum) > 1 || missing < 0 || missing > (double)n) {
        for (size_t i = 0; i < n; i++) parts[i].units = round(parts[i].value);
        return;
    }
    qsort(parts, n, sizeof *parts, by_remainder);
    for (size_t i = 0; i < n && (double)i < missing; i++) parts[i].units++;
    qsort(parts, n, sizeof *parts, by_place);
}

static double known(double number) { return isnan(number) ? 0 : number; }

/* With one decimal, a source above the floor would be printed as 0. */
static int decimals_of(const trib_shown_shares *shown) {
    for (size_t r = 0; r < shown->n; r++)
        if (trib_row_is_above(&shown->row[r]) && shown->row[r].share < 0.0005) return 2;
    return 1;
}

/* Rounds the rows above the floor and the three other parts, then the rows below it. */
static void round_all(trib_shown_shares *shown, part *list, double left_out) {
    const double whole = 100 * trib_power(10, (uint32_t)shown->decimals);
    size_t n = 0;
    double below = left_out;
    for (size_t r = 0; r < shown->n; r++) {
        const double share = known(shown->row[r].share);
        if (trib_row_is_above(&shown->row[r])) list[n++].value = share * whole;
        else below += share;
    }
    list[n++].value = below * whole;
    list[n++].value = known(shown->author) * whole;
    list[n++].value = known(shown->formula) * whole;
    round_parts(list, n, whole);
    n = 0;
    for (size_t r = 0; r < shown->n; r++)
        if (trib_row_is_above(&shown->row[r])) shown->row[r].printed = list[n++].units / whole;
    const double below_units = list[n++].units, author_units = list[n++].units;
    shown->below = below_units / whole;
    if (!isnan(shown->author)) shown->author = author_units / whole;
    if (!isnan(shown->formula)) shown->formula = list[n].units / whole;
    n = 0;
    for (size_t r = 0; r < shown->n; r++)
        if (!trib_row_is_above(&shown->row[r]))
            list[n++].value = known(shown->row[r].share) * whole;
    list[n++].value = left_out * whole;
    round_parts(list, n, below_units);
    n = 0;
    for (size_t r = 0; r < shown->n; r++)
        if (!trib_row_is_above(&shown->row[r])) shown->row[r].printed = list[n++].units / whole;
    if (isnan(shown->own) || isnan(shown->common)) return;
    list[0].value = shown->own * whole;
    list[1].value = shown->common * whole;
    round_parts(list, 2, author_units);
    shown->own = list[0].units / whole;
    shown->common = list[1].units / whole;
}

trib_shown_shares trib_shown_shares_make(const trib_result *result,
                                         const trib_influence_record *method, bool is_grouped,
                                         trib_arena *arena) {
    static const trib_influence_record none = {
        .author = (double)NAN, .formula = (double)NAN, .own = (double)NAN, .common = (double)NAN};
    if (!method) method = &none;
    trib_shown_shares shown = {.author = method->author,
                               .formula = method->formula,
                               .own = method->own,
                               .common = method->common};
    part *const list = trib_arena_new(arena, method->shares.n + 3, sizeof *list);
    shown.row = trib_arena_new(arena, method->shares.n, sizeof *shown.row);
    if (!list || !shown.row) return shown;
    make_rows(&shown, result, method, is_grouped, arena);
    shown.decimals = decimals_of(&shown);
    round_all(&shown, list, method->left_out ? known(method->left_out->share) : 0);
    return shown;
}

/* ---- Passages -------------------------------------------------------------------------------- */

static double n_words(const trib_passage_record *passage) {
    return (double)trib_passage_words(passage);
}

/* The mean weight of the words that are word for word the same. */
static double mean_rarity(const trib_passage_record *passage) {
    return isnan(passage->rarity) || passage->shared == 0
               ? 0
               : passage->rarity / (double)passage->shared;
}

/* Whether two passages have words of the target in common. */
static bool overlap(const trib_passage_record *a, const trib_passage_record *b) {
    return a->target->first < b->target->first + b->target->words &&
           b->target->first < a->target->first + a->target->words;
}

/* Whether `a` comes before `b`: by larger `x`, then by larger `y`, then by the order of the target,
 * then by the id of the source. */
static bool is_before(const trib_shown_passage *a, const trib_shown_passage *b,
                      double (*x)(const trib_passage_record *),
                      double (*y)(const trib_passage_record *)) {
    if (!b->passage) return true;
    if (x(a->passage) != x(b->passage)) return x(a->passage) > x(b->passage);
    if (y(a->passage) != y(b->passage)) return y(a->passage) > y(b->passage);
    if (a->passage->target->first != b->passage->target->first)
        return a->passage->target->first < b->passage->target->first;
    return strcmp(a->source, b->source) < 0;
}

/* Takes the best of the passages of all wanted sources, and the longest that is translated: of
 * sources below the noise floor only notable ones, and with `longest` only notable ones at other
 * places of the target. Returns how many passages are notable. */
static size_t choose(trib_shown_passage *best, const trib_influence_record *headline,
                     const trib_target_record *target, const char *wanted,
                     const trib_passage_record *longest, trib_shown_passage *translated) {
    size_t n_notable = 0;
    for (size_t e = 0; e < target->evidence.n; e++) {
        const trib_evidence_record *const about = &target->evidence.item[e];
        const char *const id = about->source ? about->source : "";
        if ((wanted && strcmp(wanted, id) != 0) || about->passages.n == 0) continue;
        const trib_share_record *const share = trib_method_share(headline, id);
        if (share && share->decoy) continue;
        for (size_t p = 0; p < about->passages.n; p++) {
            const trib_shown_passage next = {&about->passages.item[p], id};
            if (next.passage->translated) {
                if (is_before(&next, translated, n_words, mean_rarity)) *translated = next;
                continue;
            }
            n_notable += next.passage->notable;
            if (!next.passage->notable && (longest || !trib_share_is_above(share))) continue;
            if (longest && overlap(longest, next.passage)) continue;
            if (longest ? is_before(&next, best, mean_rarity, n_words)
                        : is_before(&next, best, n_words, mean_rarity))
                *best = next;
        }
    }
    return n_notable;
}

trib_shown_passages trib_shown_passages_choose(const trib_result *result,
                                               const trib_target_record *target,
                                               const char *source) {
    const trib_influence_record *const headline = trib_target_headline(result, target);
    trib_shown_passages chosen = {0};
    chosen.n_notable = choose(&chosen.longest, headline, target, source, NULL, &chosen.translated);
    if (chosen.longest.passage)
        choose(&chosen.rarest, headline, target, source, chosen.longest.passage,
               &chosen.translated);
    return chosen;
}

void trib_passages_keep_longest(trib_passage_records *passages) {
    trib_shown_passage longest = {0}, notable = {0};
    for (size_t p = 0; p < passages->n; p++) {
        const trib_shown_passage next = {&passages->item[p], ""};
        if (is_before(&next, &longest, n_words, mean_rarity)) longest = next;
        if (next.passage->notable && is_before(&next, &notable, n_words, mean_rarity))
            notable = next;
    }
    if (passages->n < 2) return;
    const trib_passage_record first = *longest.passage;
    if (notable.passage && notable.passage != longest.passage) {
        passages->item[1] = *notable.passage; /* the longest may lie there */
        passages->n = 2;
    } else {
        passages->n = 1;
    }
    passages->item[0] = first;
}

const char *trib_place_gap(const char *reference) {
    if (!reference || !*reference) return "";
    return *reference >= '0' && *reference <= '9' ? " " : ", ";
}

const char *trib_family_shown(const trib_result *result, trib_arena *arena,
                              const trib_passage_record *passage, const char *source,
                              bool is_brief) {
    enum { NAMED = 8 };
    static const char in_translation[] = "in translation";
    const trib_family_record *const family = passage->family;
    const char *text = "";
    size_t n = 0;
    if (!family) return passage->translated ? in_translation : text;
    for (size_t i = 0; i < family->witnesses.n && n < NAMED; i++) {
        const char *const id = family->witnesses.item[i];
        const trib_document_record *const document = trib_result_document_of(result, id);
        if (strcmp(id, source) == 0) continue;
        text = trib_arena_print(arena, "%s%s%s", text, n++ > 0 ? ", " : "also in ",
                                trib_result_title(result, id));
        if (document && document->date && *document->date)
            text = trib_arena_print(arena, "%s (%s)", text, document->date);
    }
    if (family->witnesses.n > n + 1)
        text = trib_arena_print(arena, "%s and %zu more", text, family->witnesses.n - n - 1);
    if (family->places != TRIB_ABSENT)
        text = trib_arena_print(arena, "%s%s%.0f times here", text, *text ? "; " : "",
                                (double)family->places);
    if (family->documents > family->witnesses.n + 1)
        text = trib_arena_print(arena, "%s%s%.0f texts hold it", text, *text ? "; " : "",
                                (double)family->documents);
    if (family->said && !(is_brief && !*text && strcmp(family->said, "silent") == 0))
        text = trib_arena_print(arena, "%s%s%s", text, *text ? "; " : "", family->said);
    if (family->by)
        text = trib_arena_print(arena, "%s (\xE2\x80\x9C%s\xE2\x80\x9D)", text, family->by);
    if (!passage->translated) return text;
    return *text ? trib_arena_print(arena, "%s; %s", in_translation, text) : in_translation;
}

bool trib_row_is_copy(const trib_shown_row *row) {
    return trib_row_is_above(row) && row->share >= .95;
}

bool trib_texts_are_dated(const trib_result *result, const char *target, const char *source) {
    const trib_document_record *const text[] = {trib_result_document_of(result, target),
                                                trib_result_document_of(result, source)};
    return text[0] && text[1] && text[0]->date && *text[0]->date && text[1]->date && *text[1]->date;
}
