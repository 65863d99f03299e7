/* matches.c - the factors of a target that match one of a source: a card for each, with the
 * words of every mode, the phrases that occur in both texts, and, as a number, the factor's mass
 * on n-grams that do not occur. */
#include "pipeline/report/report.h"

#include <math.h>
#include <string.h>

enum { WORDS = 6, CARDS = 6 };

bool trib_report_has_matches(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++)
        if (json_is_array(json_object_get(report->target[t].json, "matches")) &&
            !json_is_null(json_object_get(report->target[t].json, "distances")))
            return true;
    return false;
}

static void write_fact(trib_html *html, const char *name, const char *value) {
    trib_html_begin(html, "div");
    trib_html_element(html, "dt", NULL, "%s", name);
    trib_html_element(html, "dd", "n", "%s", value);
    trib_html_end(html);
}

static void write_facts(trib_report *report, const json_t *match) {
    trib_html *html = &report->html;
    char text[TRIB_FIXED_MAX];
    trib_html_open(html, "dl", "facts");
    write_fact(html, "weight", trib_percent(text, trib_json_get_number(match, "weight"), 2));
    write_fact(html, "distance", trib_fixed(text, trib_json_get_number(match, "distance"), 3));
    write_fact(html, "phantom mass",
               trib_percent(text, trib_json_get_number(match, "phantom_mass"), 0));
    if (json_is_number(json_object_get(match, "wildcard_mass")))
        write_fact(html, "with wildcard",
                   trib_percent(text, trib_json_get_number(match, "wildcard_mass"), 0));
    trib_html_begin(html, "div");
    trib_html_element(html, "dt", NULL, "next best");
    trib_html_begin(html, "dd");
    const char *next = trib_json_get_text(match, "next_source");
    if (*next) {
        trib_html_foreign(html, trib_report_title(report, next));
        trib_html_element(html, "span", "n", " %s",
                          trib_fixed(text, trib_json_get_number(match, "next_distance"), 3));
    } else {
        trib_html_text(html, "none");
    }
    trib_html_end(html);
    trib_html_end(html);
    trib_html_end(html);
}

/* The number of a mode's words that a card shows; on a short page, words of less than half a per
 * cent are left out. */
static size_t n_shown(const trib_report *report, const json_t *words) {
    const size_t n = json_array_size(words) < WORDS ? json_array_size(words) : WORDS;
    size_t shown = 0;
    if (!trib_report_is_short_page(report)) return n;
    while (shown < n && json_number_value(json_array_get(json_array_get(words, shown), 1)) >=
                            TRIB_SHORT_LEAST_WORD)
        shown++;
    return shown;
}

/* Writes the words of all modes side by side, in the order of the text. */
static void write_modes(trib_report *report, const json_t *modes, const json_t *n_words) {
    trib_html *html = &report->html;
    trib_html_tag(html, "div", "class", "modes", "role", "group", "aria-label", "Words by place",
                  "tabindex", "0", NULL);
    for (size_t m = 0; m < json_array_size(modes); m++) {
        const json_t *words = json_array_get(modes, m);
        const size_t n = json_array_size(words), shown = n_shown(report, words);
        char text[TRIB_FIXED_MAX];
        trib_html_begin(html, "div");
        trib_html_begin(html, "ul");
        for (size_t w = 0; w < shown; w++) {
            const json_t *pair = json_array_get(words, w);
            const char *word = json_string_value(json_array_get(pair, 0));
            trib_html_begin(html, "li");
            trib_html_word(html, word ? word : "");
            trib_html_element(html, "span", "n", " %s",
                              trib_percent(text, json_number_value(json_array_get(pair, 1)), 0));
            trib_html_end(html);
        }
        trib_html_end(html);
        const json_int_t all =
            /* results of older versions have no n_words, which reads as 0 */
            json_integer_value(json_array_get(n_words, m));
        if ((json_int_t)shown < all || shown < n)
            trib_html_element(html, "small", NULL, "%zu of %s shown", shown,
                              trib_grouped(text, fmax((double)all, (double)n)));
        trib_html_end(html);
    }
    trib_html_end(html);
}

static void write_attested(trib_html *html, const json_t *phrases, double n_all) {
    char in_target[TRIB_FIXED_MAX], in_source[TRIB_FIXED_MAX];
    if (json_array_size(phrases) == 0) {
        trib_html_element(html, "p", "note", "No n-gram of it is attested in both texts.");
        return;
    }
    trib_html_element(html, "p", "label", "Attested in both");
    trib_html_open(html, "ul", "attested");
    for (size_t p = 0; p < json_array_size(phrases); p++) {
        const json_t *phrase = json_array_get(phrases, p);
        trib_html_begin(html, "li");
        trib_report_phrase(html, json_object_get(phrase, "words"));
        trib_html_element(html, "span", "n", " %s\xC3\x97 and %s\xC3\x97",
                          trib_grouped(in_target, trib_json_get_number(phrase, "target_count")),
                          trib_grouped(in_source, trib_json_get_number(phrase, "source_count")));
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_report_shown(html, json_array_size(phrases), n_all, "phrases");
}

static void write_match(trib_report *report, const json_t *match) {
    trib_html *html = &report->html;
    char own[TRIB_FIXED_MAX], other[TRIB_FIXED_MAX];
    trib_html_open(html, "div", "card match");
    trib_html_open(html, "h4", NULL);
    trib_report_say(html, "like {t}",
                    trib_report_title(report, trib_json_get_text(match, "source")));
    trib_html_element(html, "small", NULL, " factor %s of the target, %s of the source",
                      trib_fixed(own, trib_json_get_number(match, "component"), 0),
                      trib_fixed(other, trib_json_get_number(match, "source_component"), 0));
    trib_html_end(html);
    write_facts(report, match);
    write_modes(report, json_object_get(match, "words"), json_object_get(match, "n_words"));
    write_attested(html, json_object_get(match, "phrases"),
                   trib_json_get_number(match, "n_phrases"));
    trib_html_end(html);
}

static void write_matches(trib_report *report, const json_t *matches, size_t first, size_t end) {
    trib_html_open(&report->html, "div", "cards");
    for (size_t i = first; i < end; i++) write_match(report, json_array_get(matches, i));
    trib_html_end(&report->html);
}

static void write_target(trib_report *report, size_t t) {
    const json_t *matches = json_object_get(report->target[t].json, "matches");
    const size_t n = json_array_size(matches), first = n < CARDS ? n : CARDS;
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
        trib_report_shown(html, n, trib_json_get_number(report->target[t].json, "n_matches"),
                          "matched factors");
    }
    trib_html_end(html);
}

static bool any_wildcard(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++) {
        const json_t *matches = json_object_get(report->target[t].json, "matches");
        if (json_is_number(json_object_get(json_array_get(matches, 0), "wildcard_mass")))
            return true;
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
