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
            trib_html_begin(html, "b");
            trib_html_foreign(html, target->share[i].title);
            trib_html_end(html);
            write_interval(html, &target->share[i]);
        }
    }
    if (more)
        trib_html_print(html, " and smaller shares %s %zu more", report->headline->from,
                        target->n_flowing - named);
    trib_html_text(html, ".");
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
    } else if (target->n_sources == 0) {
        trib_html_text(html, "Nothing can be said of ");
        write_target(report, target);
        trib_html_text(html, ": no other text of this corpus may be its source.");
    } else {
        trib_html_text(html, "Nothing is found to flow into ");
        write_target(report, target);
        trib_html_text(html, ": no source rises above the noise floor of ");
        trib_report_percent(html, target->floor);
        trib_html_text(html, ".");
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
    trib_report_percent(html, author);
    trib_html_print(html, " %s.", report->headline->author);
}

/* Writes the sources below the floor, decoys separately. */
static void write_below(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    size_t n = target->n_sources - target->n_flowing, i = 0;
    for (size_t s = target->n_flowing; s < target->n_shares; s++) n -= target->share[s].decoy;
    if (n == 0 || (target->n_flowing == 0 && n > NAMED)) return;
    trib_html_text(html, " ");
    if (n > NAMED - 1 || target->n_sources > target->n_shares) {
        trib_html_print(html, "The other %zu sources stay", n);
    } else {
        for (size_t s = target->n_flowing; s < target->n_shares; s++) {
            if (target->share[s].decoy) continue;
            trib_report_join(html, i++, n);
            trib_html_foreign(html, target->share[s].title);
            trib_html_text(html, " (");
            trib_report_percent(html, target->share[s].share);
            trib_html_text(html, ")");
        }
        trib_html_text(html, n == 1 ? " stays" : " stay");
    }
    if (target->n_flowing > 0) {
        trib_html_text(html, " below the noise floor of ");
        trib_report_percent(html, target->floor);
    } else {
        trib_html_text(html, " below it");
    }
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
        char in_target[TRIB_FIXED_MAX], in_source[TRIB_FIXED_MAX];
        const bool alone = trib_json_get_number(phrase, "other_documents") == 0;
        trib_html_print(html, " The strongest phrase %s ",
                        alone ? "that only these two texts share is" : "it shares with");
        if (!alone) {
            trib_html_foreign(html, target->share[0].title);
            trib_html_text(html, " is ");
        }
        trib_html_begin(html, "q");
        trib_report_phrase(html, json_object_get(phrase, "words"));
        trib_html_end(html);
        trib_html_print(html, ", %s\xC3\x97 in ",
                        trib_grouped(in_target, trib_json_get_number(phrase, "target_count")));
        trib_html_foreign(html, target->title);
        trib_html_print(html, " and %s\xC3\x97 in ",
                        trib_grouped(in_source, trib_json_get_number(phrase, "source_count")));
        trib_html_foreign(html, target->share[0].title);
        trib_html_text(html, ".");
        return;
    }
}

/* ---- Cautions -------------------------------------------------------------------------------- */

/* Begins an item of the list of cautions, and the list before the first item. */
static trib_html *caveat(trib_report *report, size_t *n) {
    trib_html *html = &report->html;
    if ((*n)++ == 0) {
        trib_html_open(html, "div", "caveats");
        trib_html_element(html, "p", "label", "Read with care");
        trib_html_begin(html, "ul");
    }
    trib_html_begin(html, "li");
    return html;
}

static void end_caveats(trib_report *report, size_t n) {
    if (n == 0) return;
    trib_html_end(&report->html);
    trib_html_end(&report->html);
}

static void warn_of_copy(trib_report *report, const trib_report_target *target, size_t *n) {
    if (target->n_flowing == 0 || target->share[0].share < nearly_all) return;
    trib_html *html = caveat(report, n);
    trib_html_foreign(html, target->share[0].title);
    trib_html_text(html, " explains nearly all of it. A share this high usually means a copy or "
                         "another edition of the same text.");
    trib_html_end(html);
}

static void warn_of_overlap(trib_report *report, const trib_report_target *target, size_t *n) {
    if (target->n_flowing < 2) return;
    const trib_report_share *first = &target->share[0], *second = &target->share[1];
    if (!(second->high >= first->low) || !(first->high >= second->low)) return;
    trib_html *html = caveat(report, n);
    trib_html_text(html, "The intervals of ");
    trib_html_foreign(html, first->title);
    trib_html_text(html, " and ");
    trib_html_foreign(html, second->title);
    trib_html_text(html, " overlap: which of the two is larger is not certain.");
    trib_html_end(html);
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
        trib_html *html = caveat(report, n);
        trib_html_foreign(html, decoy->title);
        trib_html_text(html, " was declared unrelated, yet gets ");
        trib_report_percent(html, decoy->share);
        if (beaten > 0)
            trib_html_print(html, ", no less than %zu of the sources: %s nothing.", beaten,
                            beaten == 1 ? "that share says" : "their shares say");
        else trib_html_text(html, ": shares near it say nothing.");
        trib_html_end(html);
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
        if (!best || strcmp(best, target->share[0].id) == 0 ||
            trib_json_get_number(method, "matched") < few_matched)
            continue;
        trib_html *html = caveat(report, n);
        trib_html_text(html, "The methods disagree: by ");
        trib_html_element(html, "code", NULL, "%s", name);
        trib_html_text(html, " the strongest source is ");
        trib_html_foreign(html, trib_report_title(report, best));
        trib_html_text(html, ", not ");
        trib_html_foreign(html, target->share[0].title);
        trib_html_text(html, ".");
        trib_html_end(html);
    }
}

static void warn_of_factors(trib_report *report, const trib_report_target *target, size_t *n) {
    const json_t *methods = json_object_get(target->json, "methods");
    const double matched = trib_json_get_number(json_object_get(methods, "lowe"), "matched");
    const json_t *factors = json_object_get(target->document, "factors");
    const double fit = trib_json_get_number(factors, "fit");
    if (matched < few_matched) {
        trib_html *html = caveat(report, n);
        trib_html_begin(html, "code");
        trib_html_text(html, "lowe");
        trib_html_end(html);
        if (matched > 0) {
            trib_html_text(html, " matched only ");
            trib_report_percent(html, matched);
            trib_html_text(html, " of the factor mass: its shares rest on next to nothing.");
        } else {
            trib_html_text(html, " matched no factor at all: it has no shares to speak of.");
        }
        trib_html_end(html);
    }
    if (fit < low_fit &&
        (json_object_get(methods, "lowe") || json_object_get(methods, "lowe-soft"))) {
        char text[TRIB_FIXED_MAX], rank[TRIB_FIXED_MAX];
        trib_html *html = caveat(report, n);
        trib_html_print(html,
                        "Its %s factors reproduce the text with a fit of %s, where 1 is perfect: "
                        "methods that compare factors see part of it only.",
                        trib_grouped(rank, trib_json_get_number(factors, "rank")),
                        trib_fixed(text, fit, 2));
        trib_html_end(html);
    }
}

/* A nonnegative decomposition has many local optima: the results of other starts show how much
 * depends on this one. */
static void warn_of_restarts(trib_report *report, const trib_report_target *target, size_t *n) {
    const json_t *methods = json_object_get(target->json, "methods");
    const json_t *factors = json_object_get(target->document, "factors");
    const double restarts = trib_json_get_number(factors, "restarts"),
                 match = trib_json_get_number(factors, "match");
    char count[TRIB_FIXED_MAX], score[TRIB_FIXED_MAX], best[TRIB_FIXED_MAX], worst[TRIB_FIXED_MAX];
    if (!json_object_get(methods, "lowe") && !json_object_get(methods, "lowe-soft")) return;
    if (!(restarts > 1 && match < low_match)) return;
    trib_html *html = caveat(report, n);
    trib_html_print(
        html,
        "Its factors hang on where the decomposition starts: those of %s restarts match "
        "each other with a score of %s, where 1 is the same, at fits from %s to %s. "
        "Other starts would give other shares by ",
        trib_grouped(count, restarts), trib_fixed(score, match, 2),
        trib_fixed(worst, trib_json_get_number(factors, "worst_fit"), 3),
        trib_fixed(best, trib_json_get_number(factors, "fit"), 3));
    trib_html_element(html, "code", NULL, "lowe");
    trib_html_text(html, ".");
    trib_html_end(html);
}

static void warn_of_text(trib_report *report, const trib_report_target *target, size_t *n) {
    const double share = trib_json_get_number(target->document, "wildcard_ngrams");
    const double replaced = trib_json_get_number(target->document, "replaced");
    char text[TRIB_FIXED_MAX];
    if (share > large_wildcard) {
        trib_html *html = caveat(report, n);
        trib_report_percent(html, share);
        trib_html_print(html,
                        " of its %s hold a word outside the vocabulary, where different words "
                        "look the same.",
                        report->ngrams);
        trib_html_end(html);
    }
    if (replaced > 0) {
        trib_html *html = caveat(report, n);
        trib_html_print(html, "%s undecodable %s of its file %s replaced.",
                        trib_grouped(text, replaced), replaced == 1 ? "place" : "places",
                        replaced == 1 ? "was" : "were");
        trib_html_end(html);
    }
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
        trib_html_begin(html, "li");
        trib_html_foreign(html, text ? text : "");
        trib_html_end(html);
    }
    trib_html_end(html);
    if (n > FEW_WARNINGS) trib_html_end(html);
    trib_html_end(html);
}

void trib_report_answer_lead(trib_report *report, const trib_report_target *target) {
    write_first_sentence(report, target);
    write_author(report, target);
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
