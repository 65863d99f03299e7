/* answer.c - the answer in words, the passages that show it, and what follows them. Every sentence
 * is derived from the numbers; a source below the noise floor is never said to flow into the
 * target. The numbers of a target are printed so that they add up. Cautions stand below. */
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"
#include "pipeline/support/path.h"

enum { NAMED = 5 }; /* sources named in a sentence; the others are counted */

/* Writes "its 3-grams" or "the mass of its factors". */
static void write_whole(trib_report *report) {
    const char *of = report->headline->of, *hole = strstr(of, "%s");
    if (hole) trib_html_print(&report->html, "%.*s%s", (int)(hole - of), of, report->ngrams);
    else trib_html_text(&report->html, of);
}

/* Whether the target only shares with the sources that are named: a method would say that it draws
 * on them, and not all have dates. */
static bool only_shares(const trib_report *report, const trib_report_target *target) {
    bool is_dated = true;
    for (size_t s = 0; s < target->n_flowing && s < NAMED; s++)
        is_dated = is_dated &&
                   trib_texts_are_dated(report->result, target->id, target->shares.row[s].source);
    return !is_dated && strcmp(report->headline->verb, "draws") == 0;
}

/* Writes "16.4 % of its 3-grams from Mark and 14.6 % from Luke"; equal shares as "12.0 % each
 * from A and B". */
static void write_flowing(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const size_t named = target->n_flowing > NAMED ? NAMED : target->n_flowing;
    const bool more = named < target->n_flowing;
    size_t n_groups = more, group = 0;
    double rest = 0;
    const char *const from = only_shares(report, target) ? "with" : report->headline->from;
    for (size_t s = 0; s < named; s++)
        n_groups += s == 0 || target->shares.row[s].printed != target->shares.row[s - 1].printed;
    for (size_t s = 0, end; s < named; s = end) {
        const trib_shown_row *first = &target->shares.row[s];
        for (end = s + 1; end < named && first->printed == target->shares.row[end].printed;) end++;
        trib_report_join(html, group++, n_groups);
        trib_html_begin(html, "b");
        if (end - s == 1) trib_report_of(html, "data-share", target, first);
        trib_report_part(html, target, first->printed);
        trib_html_end(html);
        if (s == 0) {
            trib_html_text(html, " of ");
            write_whole(report);
        }
        trib_html_print(html, "%s %s ", end - s > 1 ? " each" : "", from);
        for (size_t i = s; i < end; i++) {
            trib_report_join(html, i - s, end - s);
            trib_report_say(html, "<b>{t}</b>", target->shares.row[i].title);
            trib_report_share_interval(html, target, &target->shares.row[i], i == 0, true);
        }
    }
    for (size_t s = named; s < target->n_flowing; s++) rest += target->shares.row[s].printed;
    if (more) {
        trib_report_join(html, group, n_groups);
        trib_report_part(html, target, rest);
        trib_html_print(html, " %s %zu more", from, target->n_flowing - named);
        if (target->n_flowing - named > 1 && report->sums_to_one) trib_html_text(html, " together");
    }
    trib_html_text(html, ".");
}

/* Writes the title; on the first page of a report of many pages it links to the target's page. */
static void write_target(trib_report *report, const trib_report_target *target) {
    if (report->page == 0) trib_report_target_link(report, target);
    else trib_html_foreign(&report->html, target->title);
}

/* Of two translations of one book names and speeches are shared, letter for letter less than this
 * part of the words of passages. */
static const double SAME_MATTER = .4;

/* Writes "Of the 23 684 words of Matthew, 9 290 (39 %, 90 % interval 38 % to 40 %) stand in
 * passages shared with Mark, 6 110 of them word for word; ..." */
static void write_words(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const size_t named = target->n_flowing > NAMED ? NAMED : target->n_flowing;
    const double n_words = (double)target->document->words;
    double rest = 0;
    trib_report_say(html, "Of the {n} words of ", n_words);
    write_target(report, target);
    for (size_t s = 0; s < named; s++) {
        const trib_shown_row *const row = &target->shares.row[s];
        const double words = round(row->share * n_words), verbatim = round(row->verbatim * n_words);
        trib_html_text(html, s > 0 ? "; " : ", ");
        trib_report_words(html, target, row, s == 0);
        trib_report_say(html, " {s}with <b>{t}</b>",
                        s > 0        ? ""
                        : words == 1 ? "stands in passages shared "
                                     : "stand in passages shared ",
                        row->title);
        trib_report_same_words(html, target, row);
        if (verbatim < SAME_MATTER * words)
            trib_html_text(html, ", as few as in another translation or a badly misread copy");
    }
    for (size_t s = named; s < target->n_flowing; s++) rest += target->shares.row[s].printed;
    if (named < target->n_flowing) {
        trib_html_text(html, "; ");
        trib_report_part(html, target, rest);
        trib_report_say(html, " with {z} more", target->n_flowing - named);
        if (target->n_flowing - named > 1) trib_html_text(html, " together");
    }
    trib_html_text(html, ".");
}

/* Writes which of the sources named in the first sentence is a near copy, and which cannot be told
 * apart. */
static void write_groups(trib_report *report, const trib_report_target *target) {
    for (size_t s = 0; s < target->n_flowing && s < NAMED; s++) {
        const trib_shown_row *const row = &target->shares.row[s];
        if (trib_row_is_copy(row))
            trib_report_say(&report->html,
                            " {t} is a near copy of it, another edition or its ancestor: what both "
                            "have from other texts is counted with it, and the share says nothing "
                            "of them.",
                            row->title);
        if (row->n_members > 0)
            trib_report_say(&report->html,
                            " What comes from {t} stands for the most part in each of them: they "
                            "cannot be told apart and have one share.",
                            row->title);
    }
}

/* Writes that no source is above the floor, and what there is below it: passages and possible
 * allusions are evidence whatever the share of their source. */
static void write_none_flows(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const size_t n_allusions = target->n_allusions;
    trib_html_text(html, "No source shares with ");
    write_target(report, target);
    trib_report_say(html, " more than {p} of ", target->floor);
    write_whole(report);
    trib_html_text(html, ", the noise floor");
    if (target->longest > 0)
        trib_report_say(html, "; the longest shared passage has {n} words ({t})",
                        (double)target->longest, trib_report_title(report, target->longest_source));
    else if (target->has_evidence) trib_html_text(html, ", and none a long passage");
    if (n_allusions > 0)
        trib_report_say(html, "; {z} {s} of places with the same rare words may be {s}",
                        n_allusions, n_allusions == 1 ? "pair" : "pairs",
                        n_allusions == 1 ? "an allusion" : "allusions");
    trib_html_text(html, ".");
}

void trib_report_first_sentence(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    if (target->n_flowing > 0 && strcmp(report->result->headline, "extent") == 0) {
        write_words(report, target);
        write_groups(report, target);
    } else if (target->n_flowing > 0) {
        write_target(report, target);
        trib_html_print(html, " %s ",
                        only_shares(report, target) ? "shares" : report->headline->verb);
        write_flowing(report, target);
        write_groups(report, target);
    } else if (target->n_sources == 0) {
        trib_html_text(html, "Nothing can be said of ");
        write_target(report, target);
        trib_html_text(html, ": no other text of this corpus may be its source.");
    } else write_none_flows(report, target);
}

/* Writes what falls to the sources below the floor. Shares that overlap have no sum. */
static void write_below(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const size_t n = target->n_sources - target->n_flowing_sources;
    if (n == 0 || (target->n_flowing == 0 && !report->sums_to_one)) return;
    if (target->n_flowing == 0) {
        if (n == 1) trib_html_text(html, " The only source gets ");
        else trib_report_say(html, " All {z} sources together get ", n);
        trib_report_part(html, target, target->shares.below);
        trib_html_text(html, ", which cannot be told from chance.");
        return;
    }
    const bool has_sum = report->sums_to_one && target->shares.below > 0;
    trib_html_text(html, " ");
    if (has_sum) trib_report_part(html, target, target->shares.below);
    trib_report_say(html,
                    "{s}{z} other {s} below the noise floor of {p}, where {s} share cannot be told "
                    "from chance.",
                    has_sum ? " fall to " : "", n,
                    has_sum  ? n == 1 ? "source" : "sources"
                    : n == 1 ? "source stays"
                             : "sources stay",
                    target->floor, n == 1 ? "a" : "their");
}

/* Writes what is left to the author, and what formulas are. */
static void write_rest(trib_report *report, const trib_report_target *target) {
    const double author = target->shares.author, formula = target->shares.formula;
    trib_html *html = &report->html;
    if (target->n_sources == 0) return;
    if (author == 0) trib_html_text(html, " Nothing is left to the author.");
    else if (!isnan(author)) {
        trib_report_say(html, " <span data-share='{s} -'>", target->id);
        trib_report_part(html, target, author);
        trib_report_say(html, "</span> {s}.", report->headline->author);
    }
    if (isnan(formula)) return;
    trib_html_text(html, " ");
    trib_report_part(html, target, formula);
    trib_report_say(html, " are formulas, which more than {f0} texts hold and no single one gave.",
                    trib_report_setting(report, "influence.formula"));
}

/* Writes the strongest phrase of the strongest source, and whether other texts contain it. */
static void write_phrase(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const char *id = target->n_flowing > 0 ? target->shares.row[0].source : "";
    const trib_evidence_record *source = trib_target_evidence(target->record, id);
    if (target->n_flowing == 0 || !source || source->phrases.n == 0) return;
    const trib_phrase_record *phrase = &source->phrases.item[0];
    for (size_t p = source->phrases.n; p-- > 0;)
        if (source->phrases.item[p].other_documents == 0) phrase = &source->phrases.item[p];
    const char *title = trib_report_title(report, id);
    if (phrase->other_documents == 0)
        trib_html_text(html, " The strongest phrase that only these two texts share is ");
    else trib_report_say(html, " The strongest phrase it shares with {t} is ", title);
    trib_html_begin(html, "q");
    trib_report_phrase(html, &phrase->words);
    trib_report_say(html, "</q>, {n}\xC3\x97 in {t} and {n}\xC3\x97 in {t}.",
                    (double)phrase->target_count, target->title, (double)phrase->source_count,
                    title);
}

/* ---- Cautions -------------------------------------------------------------------------------- */

/* Each is derived from numbers of the result. Values below (or, for the wildcard, above) these
 * limits add a caution. */
static const double low_fit = 0.5, large_wildcard = 0.1, few_matched = 0.01, low_match = 0.8;

/* Writes an item of the list of cautions, and begins the list before the first item. */
static void caution(trib_report *report, size_t *n, const char *sentence, ...) {
    trib_html *html = &report->html;
    va_list parts;
    if ((*n)++ == 0)
        trib_report_say(html, "<div class='caveats'><p class='label'>Read with care</p><ul>");
    trib_html_begin(html, "li");
    va_start(parts, sentence);
    trib_report_say_parts(html, sentence, &parts);
    va_end(parts);
    trib_html_end(html);
}

static void end_caveats(trib_report *report, size_t n) {
    if (n > 0) trib_report_say(&report->html, "</ul></div>");
}

static void warn_of_overlap(trib_report *report, const trib_report_target *target, size_t *n) {
    if (target->n_flowing < 2) return;
    const trib_shown_row *first = &target->shares.row[0], *second = &target->shares.row[1];
    if (!(second->high >= first->low) || !(first->high >= second->low)) return;
    caution(report, n,
            "The intervals of {t} and {t} overlap: which of the two is larger is not "
            "certain.",
            first->title, second->title);
}

/* Warns when a decoy sets the floor, and counts the sources with no larger share. */
static void warn_of_decoys(trib_report *report, const trib_report_target *target, size_t *n) {
    const trib_shown_shares *shares = &target->shares;
    const char *floor_from = target->record->floor_from;
    for (size_t d = 0; d < shares->n; d++) {
        const trib_shown_row *decoy = &shares->row[d];
        size_t beaten = 0;
        for (size_t s = 0; s < shares->n; s++)
            beaten += !shares->row[s].decoy && shares->row[s].share <= decoy->share;
        if (!decoy->decoy || strcmp(floor_from, decoy->source) != 0) continue;
        if (beaten > 0)
            caution(report, n,
                    "{t} was declared unrelated, yet gets {p}, no less than {z} of the sources: "
                    "{s} nothing.",
                    decoy->title, decoy->share, beaten,
                    beaten == 1 ? "that share says" : "their shares say");
        else
            caution(report, n,
                    "{t} was declared unrelated, yet gets {p}: shares near it say nothing.",
                    decoy->title, decoy->share);
    }
}

/* The id of the source with the largest share, decoys excluded; NULL when no source has a share. */
static const char *strongest(const trib_influence_record *method) {
    const char *best = NULL;
    double most = 0;
    for (size_t s = 0; method && s < method->shares.n; s++) {
        const trib_share_record *row = &method->shares.item[s];
        if (row->decoy || !(row->share > most)) continue;
        most = row->share;
        best = row->source;
    }
    return best;
}

/* Of the methods that compare factors, or of all others. */
static void warn_of_disagreement(trib_report *report, const trib_report_target *target,
                                 bool by_factors, size_t *n) {
    if (target->n_flowing == 0) return;
    for (size_t m = 0; m < report->result->methods.n; m++) {
        const char *name = report->result->methods.item[m].name;
        const trib_influence_record *method = trib_target_method(target->record, name);
        if (trib_report_method_find(name)->by_factors != by_factors) continue;
        const char *best = strongest(method);
        if (!best || trib_row_has(&target->shares.row[0], best) || method->matched < few_matched)
            continue;
        caution(report, n, "The methods disagree: by {c} the strongest source is {t}, not {t}.",
                name, trib_report_title(report, best), target->shares.row[0].title);
    }
}

/* Whether a method of the target compares factors. */
static bool uses_factors(const trib_report_target *target) {
    return trib_target_method(target->record, "lowe") ||
           trib_target_method(target->record, "lowe-soft");
}

static void warn_of_factors(trib_report *report, const trib_report_target *target, size_t *n) {
    const trib_influence_record *lowe = trib_target_method(target->record, "lowe");
    const trib_factors_record *factors = target->document->factors;
    const double matched = lowe ? lowe->matched : (double)NAN;
    if (matched < few_matched && matched > 0)
        caution(report, n,
                "{c} matched only {p} of the factor mass: its shares rest on next to nothing.",
                "lowe", matched);
    else if (matched < few_matched)
        caution(report, n, "{c} matched no factor at all: it has no shares to speak of.", "lowe");
    if (factors && factors->fit < low_fit && uses_factors(target)) {
        char text[TRIB_FIXED_MAX];
        caution(report, n,
                "Its {n} factors reproduce the text with a fit of {s}, where 1 is perfect: "
                "methods that compare factors see part of it only.",
                (double)factors->rank, trib_fixed(text, factors->fit, 2));
    }
}

/* A nonnegative decomposition has many local optima: the results of other starts show how much
 * depends on this one. */
static void warn_of_restarts(trib_report *report, const trib_report_target *target, size_t *n) {
    const trib_factors_record *factors = target->document->factors;
    char score[TRIB_FIXED_MAX], best[TRIB_FIXED_MAX], worst[TRIB_FIXED_MAX];
    if (!factors || !uses_factors(target)) return;
    if (!(trib_report_number(factors->restarts) > 1 && factors->match < low_match)) return;
    caution(report, n,
            "Its factors hang on where the decomposition starts: those of {n} restarts match "
            "each other with a score of {s}, where 1 is the same, at fits from {s} to {s}. "
            "Other starts would give other shares by {c}.",
            (double)factors->restarts, trib_fixed(score, factors->match, 2),
            trib_fixed(worst, factors->worst_fit, 3), trib_fixed(best, factors->fit, 3), "lowe");
}

static void warn_of_text(trib_report *report, const trib_report_target *target, size_t *n) {
    const double share = target->document->wildcard_ngrams;
    const uint64_t replaced = target->document->replaced;
    if (share > large_wildcard)
        caution(report, n,
                "{p} of its {s} hold a word outside the vocabulary, where different words "
                "look the same.",
                share, report->ngrams);
    if (replaced > 0)
        caution(report, n, "{n} undecodable {s} of its file {s} replaced.", (double)replaced,
                replaced == 1 ? "place" : "places", replaced == 1 ? "was" : "were");
}

/* Whether the remarks on the factors stand beside their distances, because the headline method
 * does not use factors. */
static bool speaks_of_factors_apart(const trib_report *report, const trib_report_target *target) {
    return !report->headline->by_factors && target->record->distances;
}

void trib_report_factor_caveats(trib_report *report, const trib_report_target *target) {
    size_t n = 0;
    if (!speaks_of_factors_apart(report, target)) return;
    warn_of_disagreement(report, target, true, &n);
    warn_of_factors(report, target, &n);
    warn_of_restarts(report, target, &n);
    end_caveats(report, n);
}

static void write_caveats(trib_report *report, const trib_report_target *target) {
    size_t n = 0;
    warn_of_overlap(report, target, &n);
    warn_of_decoys(report, target, &n);
    warn_of_disagreement(report, target, false, &n);
    if (!speaks_of_factors_apart(report, target)) {
        warn_of_disagreement(report, target, true, &n);
        warn_of_factors(report, target, &n);
        warn_of_restarts(report, target, &n);
    }
    warn_of_text(report, target, &n);
    end_caveats(report, n);
}

/* ---- The section ----------------------------------------------------------------------------- */

void trib_report_limits_link(trib_report *report) {
    trib_html *html = &report->html;
    trib_report_say(html, "<p class='limits'>Shared phrases do not prove that one author read the "
                          "other. ");
    trib_report_link(report, "limits", "What this method cannot show");
    trib_html_end(html);
}

void trib_report_answer_lead(trib_report *report, const trib_report_target *target) {
    trib_report_first_sentence(report, target);
    write_below(report, target);
    write_rest(report, target);
}

/* Writes what follows the passages: a phrase where there is no passage, and cautions. */
static void write_detail(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const bool has_passage =
        trib_shown_passages_choose(report->result, target->record, NULL).longest.passage != NULL;
    const bool overlaps = !report->sums_to_one && target->n_flowing > 1;
    trib_html_open(html, "div", "detail");
    if (!has_passage || overlaps) {
        trib_html_begin(html, "p");
        if (!has_passage) write_phrase(report, target);
        if (overlaps) trib_html_text(html, " These shares overlap and do not add up.");
        trib_html_end(html);
    }
    for (size_t i = 0; i < target->record->translations.n; i++)
        trib_report_say(html, "<p class='translations'>{t}</p>",
                        target->record->translations.item[i].sentence);
    write_caveats(report, target);
    trib_html_end(html);
}

void trib_report_answer(trib_report *report) {
    trib_html *html = &report->html;
    const trib_report_target *target = report->target;
    if (report->n_targets == 0) {
        trib_report_say(html, "<p class='lead'>There is no target to speak of.</p>");
    } else {
        const char *const best = target->n_flowing > 0 ? target->shares.row[0].source : "";
        trib_report_set_language(report, html, target->id);
        trib_report_say(html, "<article class='answer'><div class='words'>");
        if (report->run_directory) {
            trib_html_open(html, "p", "note");
            trib_report_read_link(report, target->id, 0, "Read the text, coloured by source");
            if (trib_report_has_reading(report, best))
                trib_report_say(html,
                                " <a href='{s}{s}read/{s}.html?with={s}'>Read both texts side by "
                                "side</a>",
                                report->page > 0 ? "../" : "", report->data, target->id, best);
            trib_html_end(html);
        }
        trib_html_open(html, "p", "lead");
        trib_report_answer_lead(report, target);
        trib_report_say(html, "</p></div>");
        trib_report_chosen_passages(report, target);
        if (report->sums_to_one && target->n_flowing > 0 && !trib_report_is_short_page(report))
            trib_report_river(report, target);
        write_detail(report, target);
        trib_html_end(html);
    }
    if (report->page == 0) trib_report_warnings(report);
    trib_report_limits_link(report);
}
