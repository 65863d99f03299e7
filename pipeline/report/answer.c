/* answer.c - the answer in words, and cautions about it. Every sentence is derived from the
 * numbers; a source below the noise floor is never said to flow into the target. */
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

#include <math.h>
#include <string.h>

enum { NAMED = 5 }; /* sources named in a sentence; the others are counted */

/* Values below (or, for the wildcard and the largest share, above) these limits add a caution. */
static const double low_fit = 0.5, large_wildcard = 0.1, few_matched = 0.01, nearly_all = 0.95,
                    low_match = 0.8;

static const char *percent(char text[TRIB_FIXED_MAX], double fraction) {
    return trib_percent(text, fraction, fraction < 0.01 ? 2 : 1);
}

static bool same_as_printed(double a, double b) {
    char one[TRIB_FIXED_MAX], other[TRIB_FIXED_MAX];
    return strcmp(percent(one, a), percent(other, b)) == 0;
}

/* Writes "its 3-grams" or "the mass of its factors". */
static void write_whole(trib_report *report, const char *of) {
    const char *hole = strstr(of, "%s");
    if (hole) trib_html_print(&report->html, "%.*s%s", (int)(hole - of), of, report->ngrams);
    else trib_html_text(&report->html, of);
}

static void write_interval(trib_html *html, const trib_report_share *share) {
    char low[TRIB_FIXED_MAX], high[TRIB_FIXED_MAX];
    if (isnan(share->low) || isnan(share->high)) return;
    trib_html_text(html, " ");
    trib_html_element(html, "span", "n interval", "(%s to %s)", percent(low, share->low),
                      percent(high, share->high));
}

/* Writes "16.4 % of its 3-grams from Mark and 14.6 % from Luke"; equal shares as "12.0 % each
 * from A and B". */
static void write_flowing(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const size_t named = target->n_flowing > NAMED ? NAMED : target->n_flowing;
    const bool more = named < target->n_flowing;
    size_t n_groups = more, group = 0;
    for (size_t s = 0; s < named; s++)
        n_groups += s == 0 || !same_as_printed(target->share[s].share, target->share[s - 1].share);
    for (size_t s = 0, end; s < named; s = end) {
        const trib_report_share *first = &target->share[s];
        for (end = s + 1; end < named && same_as_printed(first->share, target->share[end].share);)
            end++;
        trib_report_join(html, group++, n_groups);
        trib_html_begin(html, "b");
        trib_report_percent(html, first->share);
        trib_html_end(html);
        if (s == 0) {
            trib_html_text(html, " of ");
            write_whole(report, report->headline->of);
        }
        trib_html_print(html, "%s %s ", end - s > 1 ? " each" : "", report->headline->from);
        for (size_t i = s; i < end; i++) {
            trib_report_join(html, i - s, end - s);
            trib_html_foreign_element(html, "b", NULL, target->share[i].title);
            write_interval(html, &target->share[i]);
        }
    }
    if (more)
        trib_html_print(html, " and smaller shares %s %zu more", report->headline->from,
                        target->n_flowing - named);
    trib_html_text(html, ".");
}

/* Writes which of the sources named in the first sentence cannot be told apart. */
static void write_groups(trib_report *report, const trib_report_target *target) {
    for (size_t s = 0; s < target->n_flowing && s < NAMED; s++)
        if (target->share[s].members)
            trib_report_say(&report->html,
                            " What comes from {t} stands for the most part in each of them: they "
                            "cannot be told apart and have one share.",
                            target->share[s].title);
}

/* Writes the title; on the first page of a report of many pages it links to the target's page. */
static void write_target(trib_report *report, const trib_report_target *target) {
    if (report->page == 0) trib_report_target_link(report, target);
    else trib_html_foreign(&report->html, target->title);
}

static void write_first_sentence(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    if (target->n_flowing > 0) {
        write_target(report, target);
        trib_html_print(html, " %s ", report->headline->verb);
        write_flowing(report, target);
        write_groups(report, target);
    } else if (target->n_sources == 0) {
        trib_html_text(html, "Nothing can be said of ");
        write_target(report, target);
        trib_html_text(html, ": no other text of this corpus may be its source.");
    } else {
        trib_html_text(html, "Nothing is found to flow into ");
        write_target(report, target);
        trib_report_say(html, ": no source rises above the noise floor of {p}.", target->floor);
    }
}

static void write_author(trib_report *report, const trib_report_target *target) {
    const double author = trib_json_get_number(target->headline, "author");
    if (isnan(author) || target->n_sources == 0) return;
    trib_html *html = &report->html;
    trib_html_text(html, " ");
    if (author < 0.0005) {
        trib_html_text(html, "Nothing is left to the author.");
        return;
    }
    trib_report_say(html, "{p} {s}.", author, report->headline->author);
}

static void write_formula(trib_report *report, const trib_report_target *target) {
    const double formula = trib_json_get_number(target->headline, "formula");
    if (isnan(formula) || target->n_sources == 0) return;
    trib_html *html = &report->html;
    trib_html_text(html, " ");
    trib_report_percent(html, formula);
    trib_html_print(html, " are formulas, which more than %.0f texts hold and no single one gave.",
                    trib_report_setting(report, "influence", "formula"));
}

/* Writes the sources below the floor, decoys separately. */
static void write_below(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    size_t n = target->n_sources - target->n_flowing_sources, i = 0;
    size_t n_listed = target->n_flowing_sources, n_rows = 0;
    for (size_t s = target->n_flowing; s < target->n_shares; s++) {
        n_listed += target->share[s].n_members;
        n -= target->share[s].decoy ? target->share[s].n_members : 0;
        n_rows += !target->share[s].decoy;
    }
    if (n == 0 || (target->n_flowing == 0 && n > NAMED)) return;
    trib_html_text(html, " ");
    if (n > NAMED - 1 || target->n_sources > n_listed) {
        trib_html_print(html, "The other %zu sources stay", n);
    } else {
        for (size_t s = target->n_flowing; s < target->n_shares; s++) {
            if (target->share[s].decoy) continue;
            trib_report_join(html, i++, n_rows);
            trib_report_say(html, "{t} ({p})", target->share[s].title, target->share[s].share);
        }
        trib_html_text(html, n == 1 ? " stays" : " stay");
    }
    if (target->n_flowing > 0)
        trib_report_say(html, " below the noise floor of {p}", target->floor);
    else trib_html_text(html, " below it");
    trib_html_print(html, ", where %s share cannot be told from chance.", n == 1 ? "a" : "their");
}

/* Writes the strongest phrase of the strongest source, and whether other texts contain it. */
static void write_phrase(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const json_t *evidence = json_object_get(target->json, "evidence");
    for (size_t e = 0; target->n_flowing > 0 && e < json_array_size(evidence); e++) {
        const json_t *source = json_array_get(evidence, e);
        const json_t *phrases = json_object_get(source, "phrases");
        if (strcmp(trib_json_get_text(source, "source"), target->share[0].id) != 0) continue;
        const json_t *phrase = json_array_get(phrases, 0);
        for (size_t p = json_array_size(phrases); p-- > 0;)
            if (trib_json_get_number(json_array_get(phrases, p), "other_documents") == 0)
                phrase = json_array_get(phrases, p);
        if (!phrase) return;
        const char *title = trib_report_title(report, target->share[0].id);
        const bool alone = trib_json_get_number(phrase, "other_documents") == 0;
        if (alone)
            trib_html_text(html, " The strongest phrase that only these two texts share is ");
        else trib_report_say(html, " The strongest phrase it shares with {t} is ", title);
        trib_html_begin(html, "q");
        trib_report_phrase(html, json_object_get(phrase, "words"));
        trib_html_end(html);
        trib_report_say(html, ", {n}\xC3\x97 in {t} and {n}\xC3\x97 in {t}.",
                        trib_json_get_number(phrase, "target_count"), target->title,
                        trib_json_get_number(phrase, "source_count"), title);
        return;
    }
}

/* ---- Cautions -------------------------------------------------------------------------------- */

/* Writes an item of the list of cautions, and begins the list before the first item. */
static void caution(trib_report *report, size_t *n, const char *sentence, ...) {
    trib_html *html = &report->html;
    va_list parts;
    if ((*n)++ == 0) {
        trib_html_open(html, "div", "caveats");
        trib_html_element(html, "p", "label", "Read with care");
        trib_html_begin(html, "ul");
    }
    trib_html_begin(html, "li");
    va_start(parts, sentence);
    trib_report_say_parts(html, sentence, &parts);
    va_end(parts);
    trib_html_end(html);
}

static void end_caveats(trib_report *report, size_t n) {
    if (n == 0) return;
    trib_html_end(&report->html);
    trib_html_end(&report->html);
}

static void warn_of_copy(trib_report *report, const trib_report_target *target, size_t *n) {
    if (target->n_flowing == 0 || target->share[0].share < nearly_all) return;
    caution(report, n,
            "{t} explains nearly all of it. A share this high usually means a copy or "
            "another edition of the same text.",
            target->share[0].title);
}

static void warn_of_overlap(trib_report *report, const trib_report_target *target, size_t *n) {
    if (target->n_flowing < 2) return;
    const trib_report_share *first = &target->share[0], *second = &target->share[1];
    if (!(second->high >= first->low) || !(first->high >= second->low)) return;
    caution(report, n,
            "The intervals of {t} and {t} overlap: which of the two is larger is not "
            "certain.",
            first->title, second->title);
}

/* Warns when a decoy sets the floor, and counts the sources with no larger share. */
static void warn_of_decoys(trib_report *report, const trib_report_target *target, size_t *n) {
    const char *floor_from = trib_json_get_text(target->json, "floor_from");
    for (size_t d = 0; d < target->n_shares; d++) {
        const trib_report_share *decoy = &target->share[d];
        size_t beaten = 0;
        for (size_t s = 0; s < target->n_shares; s++)
            beaten += !target->share[s].decoy && target->share[s].share <= decoy->share;
        if (!decoy->decoy || strcmp(floor_from, decoy->id) != 0) continue;
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
static const char *strongest(const json_t *shares) {
    const char *best = NULL;
    double most = 0;
    for (size_t s = 0; s < json_array_size(shares); s++) {
        const json_t *row = json_array_get(shares, s);
        const double share = trib_json_get_number(row, "share");
        if (trib_json_get_flag(row, "decoy") || !(share > most)) continue;
        most = share;
        best = trib_json_get_text(row, "source");
    }
    return best;
}

static void warn_of_disagreement(trib_report *report, const trib_report_target *target, size_t *n) {
    const json_t *methods = json_object_get(report->result, "methods");
    const json_t *said = json_object_get(target->json, "methods");
    if (target->n_flowing == 0) return;
    for (size_t m = 0; m < json_array_size(methods); m++) {
        const char *name = trib_json_get_text(json_array_get(methods, m), "name");
        const json_t *method = json_object_get(said, name);
        const char *best = strongest(json_object_get(method, "shares"));
        if (!best || trib_report_share_of(&target->share[0], best) ||
            trib_json_get_number(method, "matched") < few_matched)
            continue;
        caution(report, n, "The methods disagree: by {c} the strongest source is {t}, not {t}.",
                name, trib_report_title(report, best), target->share[0].title);
    }
}

static void warn_of_factors(trib_report *report, const trib_report_target *target, size_t *n) {
    const json_t *methods = json_object_get(target->json, "methods");
    const double matched = trib_json_get_number(json_object_get(methods, "lowe"), "matched");
    const json_t *factors = json_object_get(target->document, "factors");
    const double fit = trib_json_get_number(factors, "fit");
    if (matched < few_matched && matched > 0)
        caution(report, n,
                "{c} matched only {p} of the factor mass: its shares rest on next to nothing.",
                "lowe", matched);
    else if (matched < few_matched)
        caution(report, n, "{c} matched no factor at all: it has no shares to speak of.", "lowe");
    if (fit < low_fit &&
        (json_object_get(methods, "lowe") || json_object_get(methods, "lowe-soft"))) {
        char text[TRIB_FIXED_MAX];
        caution(report, n,
                "Its {n} factors reproduce the text with a fit of {s}, where 1 is perfect: "
                "methods that compare factors see part of it only.",
                trib_json_get_number(factors, "rank"), trib_fixed(text, fit, 2));
    }
}

/* A nonnegative decomposition has many local optima: the results of other starts show how much
 * depends on this one. */
static void warn_of_restarts(trib_report *report, const trib_report_target *target, size_t *n) {
    const json_t *methods = json_object_get(target->json, "methods");
    const json_t *factors = json_object_get(target->document, "factors");
    const double restarts = trib_json_get_number(factors, "restarts"),
                 match = trib_json_get_number(factors, "match");
    char score[TRIB_FIXED_MAX], best[TRIB_FIXED_MAX], worst[TRIB_FIXED_MAX];
    if (!json_object_get(methods, "lowe") && !json_object_get(methods, "lowe-soft")) return;
    if (!(restarts > 1 && match < low_match)) return;
    caution(report, n,
            "Its factors hang on where the decomposition starts: those of {n} restarts match "
            "each other with a score of {s}, where 1 is the same, at fits from {s} to {s}. "
            "Other starts would give other shares by {c}.",
            restarts, trib_fixed(score, match, 2),
            trib_fixed(worst, trib_json_get_number(factors, "worst_fit"), 3),
            trib_fixed(best, trib_json_get_number(factors, "fit"), 3), "lowe");
}

static void warn_of_text(trib_report *report, const trib_report_target *target, size_t *n) {
    const double share = trib_json_get_number(target->document, "wildcard_ngrams");
    const double replaced = trib_json_get_number(target->document, "replaced");
    if (share > large_wildcard)
        caution(report, n,
                "{p} of its {s} hold a word outside the vocabulary, where different words "
                "look the same.",
                share, report->ngrams);
    if (replaced > 0)
        caution(report, n, "{n} undecodable {s} of its file {s} replaced.", replaced,
                replaced == 1 ? "place" : "places", replaced == 1 ? "was" : "were");
}

/* Whether the remarks on the factors stand beside their distances, because the headline method
 * does not use factors. */
static bool speaks_of_factors_apart(const trib_report *report, const trib_report_target *target) {
    return !report->headline->by_factors &&
           json_is_object(json_object_get(target->json, "distances"));
}

void trib_report_factor_caveats(trib_report *report, const trib_report_target *target) {
    size_t n = 0;
    if (!speaks_of_factors_apart(report, target)) return;
    warn_of_factors(report, target, &n);
    warn_of_restarts(report, target, &n);
    end_caveats(report, n);
}

static void write_caveats(trib_report *report, const trib_report_target *target) {
    size_t n = 0;
    warn_of_copy(report, target, &n);
    warn_of_overlap(report, target, &n);
    warn_of_decoys(report, target, &n);
    warn_of_disagreement(report, target, &n);
    if (!speaks_of_factors_apart(report, target)) {
        warn_of_factors(report, target, &n);
        warn_of_restarts(report, target, &n);
    }
    warn_of_text(report, target, &n);
    end_caveats(report, n);
}

void trib_report_limits_link(trib_report *report) {
    trib_html *html = &report->html;
    trib_html_open(html, "p", "limits");
    trib_html_text(html, "Shared phrases do not prove that one author read the other. ");
    trib_report_link(report, "limits", "What this method cannot show");
    trib_html_end(html);
}

void trib_report_warnings(trib_report *report) {
    enum { FEW_WARNINGS = 10 };
    const json_t *warnings = json_object_get(report->result, "warnings");
    const size_t n = json_array_size(warnings);
    trib_html *html = &report->html;
    if (n == 0) return;
    trib_html_open(html, "div", "caveats");
    if (n > FEW_WARNINGS) {
        trib_html_begin(html, "details");
        trib_html_element(html, "summary", "label", "%zu warnings of the run", n);
    } else trib_html_element(html, "p", "label", "Said during the run");
    trib_html_begin(html, "ul");
    for (size_t w = 0; w < json_array_size(warnings); w++) {
        const char *text = json_string_value(json_array_get(warnings, w));
        trib_html_foreign_element(html, "li", NULL, text ? text : "");
    }
    trib_html_end(html);
    if (n > FEW_WARNINGS) trib_html_end(html);
    trib_html_end(html);
}

void trib_report_answer_lead(trib_report *report, const trib_report_target *target) {
    write_first_sentence(report, target);
    write_author(report, target);
    write_formula(report, target);
}

void trib_report_answer(trib_report *report) {
    trib_html *html = &report->html;
    if (report->n_targets == 0)
        trib_html_element(html, "p", "lead", "There is no target to speak of.");
    for (size_t t = 0; t < report->n_targets; t++) {
        const trib_report_target *target = &report->target[t];
        trib_html_open(html, "article", "answer");
        trib_html_open(html, "div", "words");
        trib_report_target_heading(report, "answer", t);
        if (report->run_directory) {
            trib_html_open(html, "p", "note");
            trib_report_read_link(report, target->id, 0, "Read the text, coloured by source");
            trib_html_end(html);
        }
        trib_html_open(html, "p", "lead");
        trib_report_answer_lead(report, target);
        trib_html_end(html);
        trib_html_open(html, "p", "detail");
        write_below(report, target);
        write_phrase(report, target);
        if (!report->sums_to_one && target->n_flowing > 1)
            trib_html_text(html, " These shares overlap and do not add up.");
        trib_html_end(html);
        write_caveats(report, target);
        trib_html_end(html);
        if (report->sums_to_one && target->n_sources > 0 && !trib_report_is_short_page(report))
            trib_svg_river(report, target);
        trib_html_end(html);
    }
    if (report->page == 0) trib_report_warnings(report);
    trib_report_limits_link(report);
}
