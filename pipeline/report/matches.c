/* matches.c - the factors of a target that match one of a source: a card for each, with the
 * words of every mode, the phrases that occur in both texts, and, as a number, the factor's mass
 * on n-grams that do not occur. */
#include "pipeline/report/report.h"

#include <string.h>

enum { WORDS = 6, CARDS = 6 };

bool trib_report_has_matches(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++)
        if (report->target[t].record->distances) return true;
    return false;
}

static void write_fact(trib_html *html, const char *name, const char *value) {
    trib_html_begin(html, "div");
    trib_html_element(html, "dt", NULL, "%s", name);
    trib_html_element(html, "dd", "n", "%s", value);
    trib_html_end(html);
}

static void write_facts(trib_report *report, const trib_match_record *match) {
    trib_html *html = &report->html;
    char text[TRIB_FIXED_MAX];
    trib_html_open(html, "dl", "facts");
    write_fact(html, "weight", trib_percent(text, match->weight, 2));
    write_fact(html, "distance", trib_fixed(text, match->distance, 3));
    write_fact(html, "phantom mass", trib_percent(text, match->phantom_mass, 0));
    if (!isnan(match->wildcard_mass))
        write_fact(html, "with wildcard", trib_percent(text, match->wildcard_mass, 0));
    trib_html_begin(html, "div");
    trib_html_element(html, "dt", NULL, "next best");
    trib_html_begin(html, "dd");
    if (*trib_report_text(match->next_source)) {
        trib_html_foreign(html, trib_report_title(report, match->next_source));
        trib_html_element(html, "span", "n", " %s", trib_fixed(text, match->next_distance, 3));
    } else trib_html_text(html, "none");
    trib_html_end(html);
    trib_html_end(html);
    trib_html_end(html);
}

/* The number of a mode's words that a card shows; on a short page, words of less than half a per
 * cent are left out. */
static size_t n_shown(const trib_report *report, const trib_word_values *words) {
    const size_t n = words->n < WORDS ? words->n : WORDS;
    size_t shown = 0;
    if (!trib_report_is_short_page(report)) return n;
    while (shown < n && words->item[shown].value >= TRIB_SHORT_LEAST_WORD) shown++;
    return shown;
}

/* Writes the words of all modes side by side, in the order of the text. */
static void write_modes(trib_report *report, const trib_match_record *match) {
    trib_html *html = &report->html;
    trib_html_tag(html, "div", "class", "modes", "role", "group", "aria-label", "Words by place",
                  "tabindex", "0", NULL);
    for (size_t m = 0; m < match->words.n; m++) {
        const trib_word_values *words = &match->words.item[m];
        const size_t n = words->n, shown = n_shown(report, words);
        const uint64_t all = m < match->n_words.n ? match->n_words.item[m] : 0;
        char text[TRIB_FIXED_MAX];
        trib_html_begin(html, "div");
        trib_html_begin(html, "ul");
        for (size_t w = 0; w < shown; w++) {
            trib_html_begin(html, "li");
            trib_html_word(html, words->item[w].word);
            trib_html_element(html, "span", "n", " %s",
                              trib_percent(text, words->item[w].value, 0));
            trib_html_end(html);
        }
        trib_html_end(html);
        if (shown < all || shown < n)
            trib_html_element(html, "small", NULL, "%zu of %s shown", shown,
                              trib_grouped(text, fmax((double)all, (double)n)));
        trib_html_end(html);
    }
    trib_html_end(html);
}

static void write_attested(trib_html *html, const trib_match_record *match) {
    char in_target[TRIB_FIXED_MAX], in_source[TRIB_FIXED_MAX];
    if (match->phrases.n == 0) {
        trib_html_element(html, "p", "note", "No n-gram of it is attested in both texts.");
        return;
    }
    trib_html_element(html, "p", "label", "Attested in both");
    trib_html_open(html, "ul", "attested");
    for (size_t p = 0; p < match->phrases.n; p++) {
        const trib_held_record *phrase = &match->phrases.item[p];
        trib_html_begin(html, "li");
        trib_report_phrase(html, &phrase->words);
        trib_html_element(html, "span", "n", " %s\xC3\x97 and %s\xC3\x97",
                          trib_grouped(in_target, (double)phrase->target_count),
                          trib_grouped(in_source, (double)phrase->source_count));
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_report_shown(html, match->phrases.n, (double)match->n_phrases, "phrases");
}

static void write_match(trib_report *report, const trib_match_record *match) {
    trib_html *html = &report->html;
    char own[TRIB_FIXED_MAX], other[TRIB_FIXED_MAX];
    trib_html_open(html, "div", "card match");
    trib_html_open(html, "h4", NULL);
    trib_report_say(html, "like {t}", trib_report_title(report, match->source));
    trib_html_element(html, "small", NULL, " factor %s of the target, %s of the source",
                      trib_fixed(own, (double)match->component, 0),
                      trib_fixed(other, trib_report_number(match->source_component), 0));
    trib_html_end(html);
    write_facts(report, match);
    write_modes(report, match);
    write_attested(html, match);
    trib_html_end(html);
}

static void write_matches(trib_report *report, const trib_match_records *matches, size_t first,
                          size_t end) {
    trib_html_open(&report->html, "div", "cards");
    for (size_t i = first; i < end; i++) write_match(report, &matches->item[i]);
    trib_html_end(&report->html);
}

static void write_target(trib_report *report, size_t t) {
    const trib_match_records *matches = &report->target[t].record->matches;
    const size_t n = matches->n, first = n < CARDS ? n : CARDS;
    trib_html *html = &report->html;
    trib_report_set_language(report, html, report->target[t].id);
    trib_report_open_target(report, "matches", t);
    if (n == 0) {
        trib_html_element(html, "p", "note",
                          "None of its factors is that close to a factor of a source.");
    } else {
        write_matches(report, matches, 0, first);
        if (first < n) {
            trib_html_details(html, "long", "%zu more", n - first);
            write_matches(report, matches, first, n);
            trib_html_end(html);
        }
        trib_report_shown(html, n, (double)report->target[t].record->n_matches, "matched factors");
    }
    trib_html_end(html);
}

static bool any_wildcard(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++) {
        const trib_match_records *matches = &report->target[t].record->matches;
        if (matches->n > 0 && !isnan(matches->item[0].wildcard_mass)) return true;
    }
    return false;
}

void trib_report_matches(trib_report *report) {
    char threshold[TRIB_NUMBER_MAX];
    trib_html_element(&report->html, "p", "intro",
                      "A factor is a set of words for each place of a phrase, weighted. These are "
                      "the factors of the target whose distance to a factor of a source is at most "
                      "%s (0: the same; 2: nothing in common). The phantom mass is what the factor "
                      "puts on phrases that the target does not hold%s.",
                      trib_number(threshold, report->matches_within),
                      any_wildcard(report)
                          ? "; with wildcard, what it puts on phrases with a word outside the "
                            "vocabulary, where different words look the same"
                          : "");
    for (size_t t = 0; t < report->n_targets; t++) write_target(report, t);
}
