/* evidence.c - the evidence for a share: phrases that occur in both texts, and patterns, which
 * are phrases that differ in one word. Every phrase shown occurs in both texts; a shortened list
 * says so. Then the author's own, possible allusions, and formulas, which very many texts hold. */

#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"

enum { PATTERNS = 14, ALTERNATIVES = 5, OPENED = 3, COMMON = 12 };

bool trib_report_has_evidence(const trib_report *report) {
    return report->target->record->evidence.n > 0;
}

/* Writes "3 commonplaces left out: ...". */
static void write_stop_phrases(trib_html *html, const trib_evidence_record *source) {
    const trib_phrase_records *phrases = &source->commonplaces;
    const uint64_t n = source->n_commonplaces;
    const size_t named = phrases->n < COMMON ? phrases->n : COMMON;
    if (n == 0) return;
    trib_report_say(html, "<p class='note commonplaces'>{n} commonplace{s} left out: ", (double)n,
                    n == 1 ? "" : "s");
    for (size_t p = 0; p < named; p++) {
        trib_report_say(html, p > 0 ? ", <q>" : "<q>");
        trib_report_phrase(html, &phrases->item[p].words);
        trib_html_end(html);
    }
    if (named < n) trib_report_say(html, " and {n} more", (double)(n - named));
    trib_report_say(html, ".</p>");
}

/* `title` is the source's; NULL for the section on the author's own phrases. */
static void write_phrases(trib_report *report, const trib_report_target *target,
                          const trib_evidence_record *source, const char *title) {
    trib_html *html = &report->html;
    char caption[700];
    if (title)
        snprintf(caption, sizeof caption, "Phrases of %.300s in %.300s", target->title, title);
    else snprintf(caption, sizeof caption, "Phrases of %.300s in no source", target->title);
    trib_html_begin(html, "div");
    trib_report_open_table(html, "numbers phrases", caption,
                           title ? "Phrase|#in target|#in source|#other texts|#share"
                                 : "Phrase|#in target|#other texts|#share");
    for (size_t p = 0; p < source->phrases.n; p++) {
        const trib_phrase_record *phrase = &source->phrases.item[p];
        trib_report_say(html, "<tr><th scope='row'>");
        trib_report_phrase(html, &phrase->words);
        /* all cells are numbers, so none needs a class */
        trib_report_say(html, "</th><td>{n}</td>", (double)phrase->target_count);
        if (title) trib_report_cells(html, "{n}", (double)phrase->source_count);
        if (phrase->other_documents == 0) trib_report_cells(html, "none");
        else trib_report_cells(html, "{n}", trib_report_number(phrase->other_documents));
        trib_report_say(html, "<td>{p2}</td></tr>", phrase->mass);
    }
    trib_report_close_table(html);
    trib_report_shown(html, source->phrases.n, (double)source->n_phrases, "phrases");
    write_stop_phrases(html, source);
    trib_html_end(html);
}

/* Writes a pattern, "the son / house of": the words of its free place one after the other. */
static void write_pattern(trib_html *html, const trib_cover_record *factor) {
    trib_report_say(html, "<bdi class='pattern' lang>");
    for (size_t m = 0; m < factor->words.n; m++) {
        const trib_texts *choices = &factor->words.item[m];
        const size_t n = choices->n, shown = n < ALTERNATIVES ? n : ALTERNATIVES;
        const bool is_free = m == factor->free_mode && n > 1;
        if (m > 0) trib_html_text(html, " ");
        if (is_free) trib_html_begin(html, "i");
        for (size_t w = 0; w < shown; w++) {
            if (w > 0) trib_html_text(html, " / ");
            trib_html_brief(html, choices->item[w]);
        }
        if (is_free) trib_html_end(html);
        if (shown < n) trib_report_say(html, "<small> {z} of {n} shown</small>", shown, (double)n);
    }
    trib_html_end(html);
}

static void write_patterns(trib_html *html, const trib_evidence_record *source) {
    const size_t n = source->factors.n, shown = n < PATTERNS ? n : PATTERNS;
    const size_t all = source->n_factors > n ? source->n_factors : n;
    if (n == 0) return;
    trib_report_say(html, "<div class='patterns'><p class='label'>Patterns</p><ol>");
    for (size_t f = 0; f < shown; f++) {
        trib_html_begin(html, "li");
        write_pattern(html, &source->factors.item[f]);
        trib_report_say(html, "<span class='n'> {p2}</span></li>", source->factors.item[f].mass);
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
    const trib_share_record *const share = trib_method_share(target->headline, id);
    trib_html_open(html, "details", "card");
    trib_report_pair_id(html, target, id);
    if (open) trib_html_attribute(html, "open", "open");
    trib_report_say(html, "<summary><span class='from'>with {t}</span> {p}{s}</summary>", title,
                    share ? share->share : source->share, flows ? "" : ", below the noise floor");
    /* passages first: a long one says more than the phrases that it is made of */
    trib_report_passages(report, target, source);
    if (trib_report_is_selective(report, target) && !flows) {
        /* below the floor, phrases are what any two texts share; phrases.csv has them */
    } else if (trib_report_is_short_page(report) && source->passages.n > 0) {
        /* the phrases of such a target are seen in its passages */
    } else if (source->phrases.n == 0 && !source->commonplaces.item) {
        trib_report_say(html, "<p class='note'>No phrase occurs in both texts.</p>");
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
        trib_report_say(&report->html,
                        "<p class='note'>Of {z} texts that may be sources, the {z} that share the "
                        "most with this text were chosen by samples of their n-grams and measured; "
                        "the others have no share.</p>",
                        (size_t)admissible, target->n_sources);
    if (weighed != TRIB_ABSENT)
        trib_report_say(&report->html,
                        "<p class='note'>Of {z} sources the {z} with the largest shares by split "
                        "were weighed; the others have no share.</p>",
                        target->n_sources, (size_t)weighed);
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
    trib_report_say(
        html, "<details class='long'><summary>{z} {s} below the noise floor{s}</summary>", n,
        n == 1 ? "text" : "texts", trib_report_n_decoys(target) > 0 ? " or decoys" : "");
    for (size_t e = 0; e < evidence->n; e++)
        if (!is_telling(report, target, e)) write_source(report, target, &evidence->item[e], false);
    trib_html_end(html);
}

static void write_sources(trib_report *report) {
    const trib_report_target *target = report->target;
    const trib_evidence_records *evidence = &target->record->evidence;
    trib_html *html = &report->html;
    size_t n_shown = 0, n_below = 0;
    trib_report_set_language(report, html, target->id);
    write_weighed(report, target);
    trib_report_strips(report, target);
    for (size_t e = 0; e < evidence->n; e++)
        if (is_telling(report, target, e))
            write_source(report, target, &evidence->item[e], n_shown++ < OPENED);
        else n_below++;
    if (target->n_flowing == 0)
        trib_report_say(html, "<p class='note'>No source rises above the noise floor.</p>");
    if (n_below > 0) write_noise(report, target, n_below);
    const uint64_t n_same = target->record->n_same_places;
    if (n_same > 0)
        trib_report_say(html, "<p class='note'>{z} more {s} at places that are shown with {s}.</p>",
                        (size_t)n_same,
                        n_same == 1 ? "source has its passages" : "sources have their passages",
                        trib_report_is_short(target)
                            ? "another; passages.tsv counts them, and alignments.jsonl "
                              "(report.formats: alignments) lists them"
                            : "three others; passages.tsv lists them");
    if (trib_report_is_selective(report, target))
        trib_report_say(html, "<p class='note'>phrases.csv has the strongest phrases of every "
                              "source.</p>");
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
    "up to its share of n-grams. Passages stand side by side in the spelling of the texts; the "
    "words "
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
    trib_report_say(html,
                    "<details id='reading'><summary>How to read the page of a target</summary>"
                    "<p>The phrases behind it: {s}</p><p>The author\xE2\x80\x99s own: {s}</p>"
                    "</details>",
                    evidence_intro, own_intro);
}

void trib_report_evidence(trib_report *report) {
    trib_html *html = &report->html;
    if (trib_report_is_short_page(report)) {
        trib_html_open(html, "p", "intro");
        trib_report_link(report, "reading", "How to read this page");
        trib_html_end(html);
    } else trib_report_say(html, "<p class='intro'>{s}</p>", evidence_intro);
    write_sources(report);
}

/* ---- The author's own ------------------------------------------------------------------------ */

/* On the page of a short target the answer has its own share. */
bool trib_report_has_own(const trib_report *report) {
    const trib_evidence_record *own = report->target->record->own;
    return own && (own->phrases.n > 0 || !trib_report_is_short_page(report));
}

void trib_report_own(trib_report *report) {
    trib_html *html = &report->html;
    if (!trib_report_is_short_page(report))
        trib_report_say(html, "<p class='intro'>{s}</p>", own_intro);
    const trib_report_target *target = report->target;
    const trib_evidence_record *own = target->record->own;
    trib_report_set_language(report, html, target->id);
    trib_report_say(html, "<p>{p1} of its {s} stand in no source.</p>", own->share, report->ngrams);
    if (trib_report_is_short(target))
        trib_report_say(html, "<p class='note'>Those that it has once are not listed.</p>");
    if (own->phrases.n == 0) return;
    trib_html_open(html, "div", "sides");
    write_phrases(report, target, own, NULL);
    write_patterns(html, own);
    trib_html_end(html);
}

/* ---- Possible allusions ---------------------------------------------------------------------- */

bool trib_report_has_parallels(const trib_report *report) {
    return report->target->record->parallels.item != NULL;
}

/* Writes "score 23.7; shared: clango (4 times), tuba (12); 2 words apart". */
static void write_reason(trib_html *html, const trib_parallel_record *pair) {
    trib_report_say(html, "<p class='note'>Score {f1}; shared: ", pair->score);
    for (size_t i = 0; i < pair->shared.n; i++) {
        if (i > 0) trib_html_text(html, ", ");
        trib_html_word(html, pair->shared.item[i].feature);
        trib_report_say(html, " ({n})", (double)pair->shared.item[i].count);
    }
    if (pair->distance != TRIB_ABSENT)
        trib_report_say(html, "; distance {n}", (double)pair->distance);
    trib_html_end(html);
}

static void write_pairs(trib_report *report) {
    const trib_report_target *target = report->target;
    const trib_parallel_records *pairs = &target->record->parallels;
    trib_html *html = &report->html;
    if (pairs->n == 0)
        trib_report_say(html, "<p class='note'>No place shares a word with a source.</p>");
    trib_report_say(html, "<div class='passages'><ol>");
    for (size_t i = 0; i < pairs->n; i++) {
        const trib_parallel_record *pair = &pairs->item[i];
        trib_html_begin(html, "li");
        write_reason(html, pair);
        trib_report_beside(report, pair->in_target, target->id, pair->in_source, pair->source);
        if (pair->note) trib_report_say(html, "<p class='note'>Note: {t}</p>", pair->note);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_report_shown(html, pairs->n, trib_report_number(target->record->n_parallels), "pairs");
    trib_html_end(html);
}

void trib_report_parallels(trib_report *report) {
    trib_report_say(&report->html,
                    "<p class='intro'>Places of the target and of a source that share rare words "
                    "close together, "
                    "the best first. After each word is its number of occurrences in all texts. "
                    "A high score is a reason to read both places; it is no probability, and no "
                    "part of any share above. ");
    trib_html_link(&report->html, "parallels.tsv", "%s%sparallels.tsv",
                   report->page > 0 ? "../" : "", report->data);
    trib_html_text(&report->html, " has the whole list.");
    trib_html_end(&report->html);
    write_pairs(report);
}

/* ---- Formulas -------------------------------------------------------------------------------- */

bool trib_report_has_formulas(const trib_report *report) { return report->result->formulas.n > 0; }

static void write_formula(trib_report *report, const trib_formula_record *formula) {
    char shown[TRIB_DATE_SHOWN];
    trib_html *html = &report->html;
    trib_html_begin(html, "tr");
    trib_report_cells(html, "#{n}|#{n}|#{n}|{t}|{t}|{t}", (double)formula->words,
                      (double)formula->documents, (double)formula->targets,
                      trib_report_title(report, formula->first),
                      trib_date_shown(trib_report_text(formula->date), shown), formula->text);
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
    trib_report_open_table(html, "numbers", "Formulas, the longest first",
                           "#Words|#Texts|#Targets|The earliest|Its date|Passage");
    for (size_t i = 0; i < formulas->n; i++) write_formula(report, &formulas->item[i]);
    trib_report_close_table(html);
    trib_report_shown(html, formulas->n, (double)report->result->n_formulas, "passages");
}
