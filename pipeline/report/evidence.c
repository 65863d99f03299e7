/* evidence.c - the evidence for a share: phrases that occur in both texts, and patterns, which
 * are phrases that differ in one word. Every phrase shown occurs in both texts; a shortened list
 * says so. */
#include "pipeline/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATTERNS = 14, ALTERNATIVES = 5, OPENED = 3, COMMON = 12 };

bool trib_report_has_evidence(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++)
        if (json_array_size(json_object_get(report->target[t].json, "evidence")) > 0) return true;
    return false;
}

/* Writes "3 commonplaces left out: ...". */
static void write_stop_phrases(trib_html *html, const json_t *source) {
    const json_t *phrases = json_object_get(source, "commonplaces");
    const double n = trib_json_get_number(source, "n_commonplaces");
    const size_t n_listed = json_array_size(phrases);
    const size_t named = n_listed < COMMON ? n_listed : COMMON;
    char text[TRIB_FIXED_MAX];
    if (!(n > 0)) return;
    trib_html_open(html, "p", "note commonplaces");
    trib_html_print(html, "%s commonplace%s left out: ", trib_grouped(text, n), n == 1 ? "" : "s");
    for (size_t p = 0; p < named; p++) {
        if (p > 0) trib_html_text(html, ", ");
        trib_html_begin(html, "q");
        trib_report_phrase(html, json_object_get(json_array_get(phrases, p), "words"));
        trib_html_end(html);
    }
    if ((double)named < n)
        trib_html_print(html, " and %s more", trib_grouped(text, n - (double)named));
    trib_html_text(html, ".");
    trib_html_end(html);
}

static void write_cell(trib_html *html, const char *text) {
    trib_html_element(html, "td", NULL, "%s", text);
}

/* `title` is the source's; NULL for the section on the author's own phrases. */
static void write_phrases(trib_report *report, const trib_report_target *target,
                          const json_t *source, const char *title) {
    const json_t *phrases = json_object_get(source, "phrases");
    trib_html *html = &report->html;
    char caption[700], text[TRIB_FIXED_MAX];
    if (title)
        snprintf(caption, sizeof caption, "Phrases of %.300s in %.300s", target->title, title);
    else snprintf(caption, sizeof caption, "Phrases of %.300s in no source", target->title);
    trib_html_begin(html, "div");
    trib_report_open_table(html, "numbers phrases", caption);
    trib_report_header_cell(html, NULL, "Phrase");
    trib_report_header_cell(html, "n", "in target");
    if (title) trib_report_header_cell(html, "n", "in source");
    trib_report_header_cells(html, "n", "other texts", "share", NULL);
    trib_report_open_rows(html);
    for (size_t p = 0; p < json_array_size(phrases); p++) {
        const json_t *phrase = json_array_get(phrases, p);
        const double others = trib_json_get_number(phrase, "other_documents");
        trib_html_begin(html, "tr");
        trib_report_open_row_header(html, NULL);
        trib_report_phrase(html, json_object_get(phrase, "words"));
        trib_html_end(html);
        /* all cells are numbers, so none needs a class */
        write_cell(html, trib_grouped(text, trib_json_get_number(phrase, "target_count")));
        if (title)
            write_cell(html, trib_grouped(text, trib_json_get_number(phrase, "source_count")));
        write_cell(html, others == 0 ? "none" : trib_grouped(text, others));
        write_cell(html, trib_percent(text, trib_json_get_number(phrase, "mass"), 2));
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_shown(html, json_array_size(phrases), trib_json_get_number(source, "n_phrases"),
                      "phrases");
    write_stop_phrases(html, source);
    trib_html_end(html);
}

/* Writes a pattern, "the son / house of": the words of its free place one after the other. */
static void write_pattern(trib_html *html, const json_t *factor) {
    const json_t *words = json_object_get(factor, "words");
    const double free_mode = trib_json_get_number(factor, "free_mode");
    trib_html_open(html, "bdi", "pattern");
    if (html->language) trib_html_attribute(html, "lang", "%s", html->language);
    for (size_t m = 0; m < json_array_size(words); m++) {
        const json_t *choices = json_array_get(words, m);
        const size_t n = json_array_size(choices), shown = n < ALTERNATIVES ? n : ALTERNATIVES;
        const bool is_free = (double)m == free_mode && n > 1;
        char all[TRIB_FIXED_MAX];
        if (m > 0) trib_html_text(html, " ");
        if (is_free) trib_html_begin(html, "i");
        for (size_t w = 0; w < shown; w++) {
            const char *word = json_string_value(json_array_get(choices, w));
            if (w > 0) trib_html_text(html, " / ");
            trib_html_brief(html, word ? word : "");
        }
        if (is_free) trib_html_end(html);
        if (shown < n)
            trib_html_element(html, "small", NULL, " %zu of %s shown", shown,
                              trib_grouped(all, (double)n));
    }
    trib_html_end(html);
}

static void write_patterns(trib_html *html, const json_t *source) {
    const json_t *factors = json_object_get(source, "factors");
    const size_t n = json_array_size(factors), shown = n < PATTERNS ? n : PATTERNS;
    char text[TRIB_FIXED_MAX];
    const double all = trib_json_get_number(source, "n_factors");
    if (n == 0) return;
    trib_html_open(html, "div", "patterns");
    trib_html_element(html, "p", "label", "Patterns");
    trib_html_begin(html, "ol");
    for (size_t f = 0; f < shown; f++) {
        const json_t *factor = json_array_get(factors, f);
        trib_html_begin(html, "li");
        write_pattern(html, factor);
        trib_html_element(html, "span", "n", " %s",
                          trib_percent(text, trib_json_get_number(factor, "mass"), 2));
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_report_shown(html, shown, isnan(all) ? (double)n : all, "patterns");
    trib_html_end(html);
}

static void write_source(trib_report *report, const trib_report_target *target,
                         const json_t *source, bool open) {
    trib_html *html = &report->html;
    const char *title = trib_report_title(report, trib_json_get_text(source, "source"));
    trib_html_open(html, "details", "card");
    trib_report_pair_id(html, target, trib_json_get_text(source, "source"));
    if (open) trib_html_attribute(html, "open", "open");
    trib_html_begin(html, "summary");
    trib_report_say_in(html, "span", "from", "with {t}", title);
    trib_html_text(html, " ");
    trib_report_percent(html, trib_json_get_number(source, "share"));
    if (!trib_report_flows(target, source)) trib_html_text(html, ", below the noise floor");
    trib_html_end(html);
    /* passages first: a long one says more than the phrases that it is made of */
    trib_report_passages(report, target, source);
    if (trib_report_is_selective(report, target) && !trib_report_flows(target, source)) {
        /* below the floor, phrases are what any two texts share; phrases.csv has them */
    } else if (trib_report_is_short_page(report) &&
               json_array_size(json_object_get(source, "passages")) > 0) {
        /* the phrases of such a target are seen in its passages */
    } else if (json_array_size(json_object_get(source, "phrases")) == 0 &&
               !json_object_get(source, "commonplaces")) {
        trib_html_element(html, "p", "note", "No phrase occurs in both texts.");
    } else {
        trib_html_open(html, "div", "sides");
        write_phrases(report, target, source, title);
        write_patterns(html, source);
        trib_html_end(html);
    }
    trib_html_end(html);
}

/* Writes how many sources were not measured, or not weighed. */
static void write_weighed(trib_report *report, const trib_report_target *target) {
    const json_t *weighed = json_object_get(target->headline, "weighed");
    const json_t *admissible = json_object_get(target->json, "admissible");
    if (json_integer_value(admissible) > (json_int_t)target->n_sources)
        trib_html_element(
            &report->html, "p", "note",
            "Of %lld texts that may be sources, the %zu that share the most with this "
            "text were chosen by samples of their n-grams and measured; the others "
            "have no share.",
            (long long)json_integer_value(admissible), target->n_sources);
    if (!json_is_integer(weighed)) return;
    trib_html_element(&report->html, "p", "note",
                      "Of %zu sources the %lld with the largest shares by split were weighed; the "
                      "others have no share.",
                      target->n_sources, (long long)json_integer_value(weighed));
}

static void write_noise(trib_report *report, const trib_report_target *target, size_t n) {
    const json_t *evidence = json_object_get(target->json, "evidence");
    trib_html *html = &report->html;
    if (trib_report_is_selective(report, target)) return;
    trib_html_details(html, "long", "%zu %s below the noise floor or %s", n,
                      n == 1 ? "text" : "texts", n == 1 ? "a decoy" : "decoys");
    for (size_t e = 0; e < json_array_size(evidence); e++)
        if (!trib_report_is_telling(report, target, target->json, json_array_get(evidence, e)))
            write_source(report, target, json_array_get(evidence, e), false);
    trib_html_end(html);
}

static void write_target(trib_report *report, size_t t) {
    const trib_report_target *target = &report->target[t];
    const json_t *evidence = json_object_get(target->json, "evidence");
    trib_html *html = &report->html;
    size_t n_shown = 0, n_below = 0;
    trib_report_set_language(report, html, target->id);
    trib_report_open_target(report, "evidence", t);
    write_weighed(report, target);
    trib_report_strips(report, target);
    for (size_t e = 0; e < json_array_size(evidence); e++) {
        const json_t *source = json_array_get(evidence, e);
        if (trib_report_is_telling(report, target, target->json, source))
            write_source(report, target, source, n_shown++ < OPENED);
        else n_below++;
    }
    if (target->n_flowing == 0)
        trib_html_element(html, "p", "note", "No source rises above the noise floor.");
    if (n_below > 0) write_noise(report, target, n_below);
    const double n_same = trib_json_get_number(target->json, "n_same_places");
    if (n_same > 0)
        trib_html_element(html, "p", "note", "%.0f more %s at places that are shown with %s.",
                          n_same,
                          n_same == 1 ? "source has its passages" : "sources have their passages",
                          trib_report_is_short(target)
                              ? "another; passages.tsv counts them, and alignments.jsonl "
                                "(report.formats: alignments) lists them"
                              : "three others; passages.tsv lists them");
    if (trib_report_is_selective(report, target))
        trib_html_element(html, "p", "note",
                          "phrases.csv has the strongest phrases of every source.");
    trib_html_end(html);
}

static const char evidence_intro[] =
    "Every phrase below is written in both texts. Its share is its part of the "
    "target; \xE2\x80\x9Cnone\xE2\x80\x9D in other texts means that of all texts "
    "here only these two hold it, which makes it the more telling. Phrases are ordered by "
    "share "
    "times log((texts + 1) / texts that hold the phrase): what few texts hold comes before "
    "what "
    "many hold. A pattern "
    "gathers phrases that differ in one word; all patterns of a source together add "
    "up to its share. Passages stand side by side in the spelling of the texts; the words "
    "of a run that both hold are heavier and underlined.";
static const char own_intro[] =
    "What stands in no source, the most frequent first. Nobody here wrote it "
    "before; whether somebody elsewhere did, no text here can tell.";

void trib_report_reading(trib_report *report) {
    trib_html *html = &report->html;
    size_t n_short = 0;
    for (size_t t = 0; t < report->n_targets; t++)
        n_short += trib_report_is_short(&report->target[t]);
    if (n_short == 0) return;
    trib_html_tag(html, "details", "id", "reading", NULL);
    trib_html_element(html, "summary", NULL, "How to read the page of a target");
    trib_html_element(html, "p", NULL, "The phrases behind it: %s", evidence_intro);
    trib_html_element(html, "p", NULL, "The author\xE2\x80\x99s own: %s", own_intro);
    trib_html_end(html);
}

void trib_report_evidence(trib_report *report) {
    trib_html *html = &report->html;
    if (trib_report_is_short_page(report)) {
        trib_html_open(html, "p", "intro");
        trib_report_link(report, "reading", "How to read this page");
        trib_html_end(html);
    } else trib_html_element(html, "p", "intro", "%s", evidence_intro);
    for (size_t t = 0; t < report->n_targets; t++) write_target(report, t);
}

/* ---- The author's own ------------------------------------------------------------------------ */

/* On the page of a short target the answer has its own share. */
bool trib_report_has_own(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++) {
        const json_t *own = json_object_get(report->target[t].json, "own");
        if (json_array_size(json_object_get(own, "phrases")) > 0 ||
            (json_is_object(own) && !trib_report_is_short_page(report)))
            return true;
    }
    return false;
}

void trib_report_own(trib_report *report) {
    trib_html *html = &report->html;
    char text[TRIB_FIXED_MAX];
    if (!trib_report_is_short_page(report)) trib_html_element(html, "p", "intro", "%s", own_intro);
    for (size_t t = 0; t < report->n_targets; t++) {
        const trib_report_target *target = &report->target[t];
        const json_t *own = json_object_get(target->json, "own");
        if (!json_is_object(own)) continue;
        trib_report_set_language(report, html, target->id);
        trib_report_open_target(report, "own", t);
        trib_html_element(html, "p", NULL, "%s of its %s stand in no source.",
                          trib_percent(text, trib_json_get_number(own, "share"), 1),
                          report->ngrams);
        if (trib_report_is_short(target))
            trib_html_element(html, "p", "note", "Those that it has once are not listed.");
        if (json_array_size(json_object_get(own, "phrases")) > 0) {
            trib_html_open(html, "div", "sides");
            write_phrases(report, target, own, NULL);
            write_patterns(html, own);
            trib_html_end(html);
        }
        trib_html_end(html);
    }
}
