/* caveats.c - cautions about an answer: each is derived from numbers of the result and stands where
 * its number is outside a limit. */
#include "pipeline/report/report.h"

#include <string.h>

/* Values below (or, for the wildcard and the largest share, above) these limits add a caution. */
static const double low_fit = 0.5, large_wildcard = 0.1, few_matched = 0.01, nearly_all = 0.95,
                    low_match = 0.8;

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

static void warn_of_copy(trib_report *report, const trib_report_target *target, size_t *n) {
    if (target->n_flowing == 0 || target->shares.row[0].share < nearly_all) return;
    caution(report, n,
            "{t} explains nearly all of it. A share this high usually means a copy or "
            "another edition of the same text.",
            target->shares.row[0].title);
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
        if (!best || trib_report_row_has(&target->shares.row[0], best) ||
            method->matched < few_matched)
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

void trib_report_caveats(trib_report *report, const trib_report_target *target) {
    size_t n = 0;
    warn_of_copy(report, target, &n);
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

void trib_report_warnings(trib_report *report) {
    enum { FEW_WARNINGS = 10 };
    const trib_texts *warnings = &report->result->warnings;
    const size_t n = warnings->n;
    trib_html *html = &report->html;
    if (n == 0) return;
    trib_html_open(html, "div", "caveats");
    if (n > FEW_WARNINGS) {
        trib_html_begin(html, "details");
        trib_html_element(html, "summary", "label", "%zu warnings of the run", n);
    } else trib_html_element(html, "p", "label", "Said during the run");
    trib_html_begin(html, "ul");
    for (size_t w = 0; w < n; w++) trib_html_foreign_element(html, "li", NULL, warnings->item[w]);
    trib_html_end(html);
    if (n > FEW_WARNINGS) trib_html_end(html);
    trib_html_end(html);
}
