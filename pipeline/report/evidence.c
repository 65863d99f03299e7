/* evidence.c - the evidence for a share: phrases that occur in both texts, and patterns, which
 * are phrases that differ in one word. Every phrase shown occurs in both texts; a shortened list
 * says so. Then the author's own, possible allusions, and formulas, which very many texts hold. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"

enum { PATTERNS = 14, ALTERNATIVES = 5, OPENED = 3, COMMON = 12 };

bool trib_report_has_evidence(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++)
        if (report->target[t].record->evidence.n > 0) return true;
    return false;
}

/* Writes "3 commonplaces left out: ...". */
static void write_stop_phrases(trib_html *html, const trib_evidence_record *source) {
    const trib_phrase_records *phrases = &source->commonplaces;
    const uint64_t n = source->n_commonplaces;
    const size_t named = phrases->n < COMMON ? phrases->n : COMMON;
    char text[TRIB_FIXED_MAX];
    if (n == 0) return;
    trib_html_open(html, "p", "note commonplaces");
    trib_html_print(html, "%s commonplace%s left out: ", trib_grouped(text, (double)n),
                    n == 1 ? "" : "s");
    for (size_t p = 0; p < named; p++) {
        if (p > 0) trib_html_text(html, ", ");
        trib_html_begin(html, "q");
        trib_report_phrase(html, &phrases->item[p].words);
        trib_html_end(html);
    }
    if (named < n) trib_html_print(html, " and %s more", trib_grouped(text, (double)(n - named)));
    trib_html_text(html, ".");
    trib_html_end(html);
}

static void write_cell(trib_html *html, const char *text) {
    trib_html_element(html, "td", NULL, "%s", text);
}

/* `title` is the source's; NULL for the section on the author's own phrases. */
static void write_phrases(trib_report *report, const trib_report_target *target,
                          const trib_evidence_record *source, const char *title) {
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
    for (size_t p = 0; p < source->phrases.n; p++) {
        const trib_phrase_record *phrase = &source->phrases.item[p];
        const double others = trib_report_number(phrase->other_documents);
        trib_html_begin(html, "tr");
        trib_report_open_row_header(html, NULL);
        trib_report_phrase(html, &phrase->words);
        trib_html_end(html);
        /* all cells are numbers, so none needs a class */
        write_cell(html, trib_grouped(text, (double)phrase->target_count));
        if (title) write_cell(html, trib_grouped(text, (double)phrase->source_count));
        write_cell(html, others == 0 ? "none" : trib_grouped(text, others));
        write_cell(html, trib_percent(text, phrase->mass, 2));
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_shown(html, source->phrases.n, (double)source->n_phrases, "phrases");
    write_stop_phrases(html, source);
    trib_html_end(html);
}

/* Writes a pattern, "the son / house of": the words of its free place one after the other. */
static void write_pattern(trib_html *html, const trib_cover_record *factor) {
    trib_html_open(html, "bdi", "pattern");
    if (html->language) trib_html_attribute(html, "lang", "%s", html->language);
    for (size_t m = 0; m < factor->words.n; m++) {
        const trib_texts *choices = &factor->words.item[m];
        const size_t n = choices->n, shown = n < ALTERNATIVES ? n : ALTERNATIVES;
        const bool is_free = m == factor->free_mode && n > 1;
        char all[TRIB_FIXED_MAX];
        if (m > 0) trib_html_text(html, " ");
        if (is_free) trib_html_begin(html, "i");
        for (size_t w = 0; w < shown; w++) {
            if (w > 0) trib_html_text(html, " / ");
            trib_html_brief(html, choices->item[w]);
        }
        if (is_free) trib_html_end(html);
        if (shown < n)
            trib_html_element(html, "small", NULL, " %zu of %s shown", shown,
                              trib_grouped(all, (double)n));
    }
    trib_html_end(html);
}

static void write_patterns(trib_html *html, const trib_evidence_record *source) {
    const size_t n = source->factors.n, shown = n < PATTERNS ? n : PATTERNS;
    const size_t all = source->n_factors > n ? source->n_factors : n;
    char text[TRIB_FIXED_MAX];
    if (n == 0) return;
    trib_html_open(html, "div", "patterns");
    trib_html_element(html, "p", "label", "Patterns");
    trib_html_begin(html, "ol");
    for (size_t f = 0; f < shown; f++) {
        const trib_cover_record *factor = &source->factors.item[f];
        trib_html_begin(html, "li");
        write_pattern(html, factor);
        trib_html_element(html, "span", "n", " %s", trib_percent(text, factor->mass, 2));
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_report_shown(html, shown, (double)all, "patterns");
    trib_html_end(html);
}

static void write_source(trib_report *report, const trib_report_target *target,
                         const trib_evidence_record *source, bool open) {
    trib_html *html = &report->html;
    const char *id = trib_report_text(source->source), *title = trib_report_title(report, id);
    const bool flows = trib_report_flows(target, id);
    trib_html_open(html, "details", "card");
    trib_report_pair_id(html, target, id);
    if (open) trib_html_attribute(html, "open", "open");
    trib_html_begin(html, "summary");
    trib_report_say_in(html, "span", "from", "with {t}", title);
    trib_html_text(html, " ");
    trib_report_percent(html, source->share);
    if (!flows) trib_html_text(html, ", below the noise floor");
    trib_html_end(html);
    /* passages first: a long one says more than the phrases that it is made of */
    trib_report_passages(report, target, source);
    if (trib_report_is_selective(report, target) && !flows) {
        /* below the floor, phrases are what any two texts share; phrases.csv has them */
    } else if (trib_report_is_short_page(report) && source->passages.n > 0) {
        /* the phrases of such a target are seen in its passages */
    } else if (source->phrases.n == 0 && !source->commonplaces.item) {
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
    const uint64_t weighed = target->headline->weighed, admissible = target->record->admissible;
    if (admissible != TRIB_ABSENT && admissible > target->n_sources)
        trib_html_element(&report->html, "p", "note",
                          "Of %" PRIu64
                          " texts that may be sources, the %zu that share the most with this "
                          "text were chosen by samples of their n-grams and measured; the others "
                          "have no share.",
                          admissible, target->n_sources);
    if (weighed == TRIB_ABSENT) return;
    trib_html_element(&report->html, "p", "note",
                      "Of %zu sources the %" PRIu64
                      " with the largest shares by split were weighed; "
                      "the others have no share.",
                      target->n_sources, weighed);
}

/* Whether the i-th source of the evidence is telling. */
static bool is_telling(const trib_report *report, const trib_report_target *target, size_t i) {
    const char *id = trib_report_text(target->record->evidence.item[i].source);
    return trib_report_is_telling(report, target, target->record, id);
}

static void write_noise(trib_report *report, const trib_report_target *target, size_t n) {
    const trib_evidence_records *evidence = &target->record->evidence;
    trib_html *html = &report->html;
    if (trib_report_is_selective(report, target)) return;
    trib_html_details(html, "long", "%zu %s below the noise floor or %s", n,
                      n == 1 ? "text" : "texts", n == 1 ? "a decoy" : "decoys");
    for (size_t e = 0; e < evidence->n; e++)
        if (!is_telling(report, target, e)) write_source(report, target, &evidence->item[e], false);
    trib_html_end(html);
}

static void write_target(trib_report *report, size_t t) {
    const trib_report_target *target = &report->target[t];
    const trib_evidence_records *evidence = &target->record->evidence;
    trib_html *html = &report->html;
    size_t n_shown = 0, n_below = 0;
    trib_report_set_language(report, html, target->id);
    trib_report_open_target(report, "evidence", t);
    write_weighed(report, target);
    trib_report_strips(report, target);
    for (size_t e = 0; e < evidence->n; e++)
        if (is_telling(report, target, e))
            write_source(report, target, &evidence->item[e], n_shown++ < OPENED);
        else n_below++;
    if (target->n_flowing == 0)
        trib_html_element(html, "p", "note", "No source rises above the noise floor.");
    if (n_below > 0) write_noise(report, target, n_below);
    const uint64_t n_same = target->record->n_same_places;
    if (n_same > 0)
        trib_html_element(html, "p", "note",
                          "%" PRIu64 " more %s at places that are shown with %s.", n_same,
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
        const trib_evidence_record *own = report->target[t].record->own;
        if (own && (own->phrases.n > 0 || !trib_report_is_short_page(report))) return true;
    }
    return false;
}

void trib_report_own(trib_report *report) {
    trib_html *html = &report->html;
    char text[TRIB_FIXED_MAX];
    if (!trib_report_is_short_page(report)) trib_html_element(html, "p", "intro", "%s", own_intro);
    for (size_t t = 0; t < report->n_targets; t++) {
        const trib_report_target *target = &report->target[t];
        const trib_evidence_record *own = target->record->own;
        if (!own) continue;
        trib_report_set_language(report, html, target->id);
        trib_report_open_target(report, "own", t);
        trib_html_element(html, "p", NULL, "%s of its %s stand in no source.",
                          trib_percent(text, own->share, 1), report->ngrams);
        if (trib_report_is_short(target))
            trib_html_element(html, "p", "note", "Those that it has once are not listed.");
        if (own->phrases.n > 0) {
            trib_html_open(html, "div", "sides");
            write_phrases(report, target, own, NULL);
            write_patterns(html, own);
            trib_html_end(html);
        }
        trib_html_end(html);
    }
}

/* ---- Possible allusions ---------------------------------------------------------------------- */

bool trib_report_has_parallels(const trib_report *report) {
    for (size_t t = 0; t < report->n_targets; t++)
        if (report->target[t].record->parallels.item) return true;
    return false;
}

/* Writes "score 23.7; shared: clango (4 times), tuba (12); 2 words apart". */
static void write_reason(trib_html *html, const trib_parallel_record *pair) {
    char text[TRIB_FIXED_MAX];
    trib_html_open(html, "p", "note");
    trib_html_print(html, "Score %s; shared: ", trib_fixed(text, pair->score, 1));
    for (size_t i = 0; i < pair->shared.n; i++) {
        if (i > 0) trib_html_text(html, ", ");
        trib_html_word(html, pair->shared.item[i].feature);
        trib_html_print(html, " (%s)", trib_grouped(text, (double)pair->shared.item[i].count));
    }
    if (pair->distance != TRIB_ABSENT)
        trib_html_print(html, "; distance %s", trib_grouped(text, (double)pair->distance));
    trib_html_end(html);
}

static void write_pairs(trib_report *report, size_t t) {
    const trib_report_target *target = &report->target[t];
    const trib_parallel_records *pairs = &target->record->parallels;
    trib_html *html = &report->html;
    trib_report_open_target(report, "allusions", t);
    if (pairs->n == 0)
        trib_html_element(html, "p", "note", "No place shares a word with a source.");
    trib_html_open(html, "div", "passages");
    trib_html_begin(html, "ol");
    for (size_t i = 0; i < pairs->n; i++) {
        const trib_parallel_record *pair = &pairs->item[i];
        trib_html_begin(html, "li");
        write_reason(html, pair);
        trib_html_open(html, "div", "beside");
        trib_report_quotation(report, pair->in_target, target->id);
        trib_report_quotation(report, pair->in_source, pair->source);
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_report_shown(html, pairs->n, trib_report_number(target->record->n_parallels), "pairs");
    trib_html_end(html);
    trib_html_end(html);
}

void trib_report_parallels(trib_report *report) {
    trib_html_element(&report->html, "p", "intro",
                      "Places of the target and of a source that share rare words close together, "
                      "the best first. After each word is its number of occurrences in all texts. "
                      "A high score is a reason to read both places; it is no probability, and no "
                      "part of any share above. parallels.tsv has the whole list.");
    for (size_t t = 0; t < report->n_targets; t++)
        if (report->target[t].record->parallels.item) write_pairs(report, t);
}

/* ---- Formulas -------------------------------------------------------------------------------- */

bool trib_report_has_formulas(const trib_report *report) { return report->result->formulas.n > 0; }

static void write_formula(trib_report *report, const trib_formula_record *formula) {
    char shown[TRIB_DATE_SHOWN];
    trib_html *html = &report->html;
    trib_html_begin(html, "tr");
    trib_report_count_cell(html, (double)formula->words);
    trib_report_count_cell(html, (double)formula->documents);
    trib_report_count_cell(html, (double)formula->targets);
    trib_html_foreign_element(html, "td", NULL, trib_report_title(report, formula->first));
    trib_html_foreign_element(html, "td", NULL,
                              trib_date_shown(trib_report_text(formula->date), shown));
    trib_html_foreign_element(html, "td", NULL, formula->text);
    trib_html_end(html);
}

void trib_report_formulas(trib_report *report) {
    const trib_formula_records *formulas = &report->result->formulas;
    trib_html *html = &report->html;
    trib_html_element(html, "p", "intro",
                      "The longest passages of the targets all of whose n-grams stand in more than "
                      "%.0f texts. No source is credited with them. The earliest text is the first "
                      "of this corpus to have the passage, which need not be its origin. "
                      "formulas.tsv has more of them.",
                      trib_report_setting(report, "influence.formula"));
    trib_report_open_table(html, "numbers", "Formulas, the longest first");
    trib_report_header_cells(html, "n", "Words", "Texts", "Targets", NULL);
    trib_report_header_cells(html, NULL, "The earliest", "Its date", "Passage", NULL);
    trib_report_open_rows(html);
    for (size_t i = 0; i < formulas->n; i++) write_formula(report, &formulas->item[i]);
    trib_report_close_table(html);
    trib_report_shown(html, formulas->n, (double)report->result->n_formulas, "passages");
}
