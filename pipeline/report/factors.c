/* factors.c - the sections about methods that compare factors: a card for each factor of a target
 * that matches one of a source, with the words of every mode, the phrases that occur in both texts,
 * and, as a number, the factor's mass on n-grams that do not occur; the distances between factors,
 * and the shares at every other threshold. */
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

/* ---- Matched factors ------------------------------------------------------------------------- */

enum { WORDS = 6, CARDS = 6 };

static void write_facts(trib_report *report, const trib_match_record *match) {
    trib_html *html = &report->html;
    trib_report_say(html,
                    "<dl class='facts'><div><dt>weight</dt><dd class='n'>{p2}</dd></div>"
                    "<div><dt>distance</dt><dd class='n'>{f3}</dd></div>"
                    "<div><dt>phantom mass</dt><dd class='n'>{p0}</dd></div>",
                    match->weight, match->distance, match->phantom_mass);
    if (!isnan(match->wildcard_mass))
        trib_report_say(html, "<div><dt>with wildcard</dt><dd class='n'>{p0}</dd></div>",
                        match->wildcard_mass);
    if (*trib_report_text(match->next_source))
        trib_report_say(html,
                        "<div><dt>next best</dt><dd>{t}<span class='n'> {f3}</span></dd></div>",
                        trib_report_title(report, match->next_source), match->next_distance);
    else trib_report_say(html, "<div><dt>next best</dt><dd>none</dd></div>");
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
    trib_report_say(html,
                    "<div class='modes' role='group' aria-label='Words by place' tabindex='0'>");
    for (size_t m = 0; m < match->words.n; m++) {
        const trib_word_values *words = &match->words.item[m];
        const size_t n = words->n, shown = n_shown(report, words);
        const uint64_t all = m < match->n_words.n ? match->n_words.item[m] : 0;
        trib_report_say(html, "<div><ul>");
        for (size_t w = 0; w < shown; w++) {
            trib_html_begin(html, "li");
            trib_html_word(html, words->item[w].word);
            trib_report_say(html, "<span class='n'> {p0}</span></li>", words->item[w].value);
        }
        trib_html_end(html);
        if (shown < all || shown < n)
            trib_report_say(html, "<small>{z} of {n} shown</small>", shown,
                            fmax((double)all, (double)n));
        trib_html_end(html);
    }
    trib_html_end(html);
}

static void write_attested(trib_html *html, const trib_match_record *match) {
    if (match->phrases.n == 0) {
        trib_report_say(html, "<p class='note'>No n-gram of it is attested in both texts.</p>");
        return;
    }
    trib_report_say(html, "<p class='label'>Attested in both</p><ul class='attested'>");
    for (size_t p = 0; p < match->phrases.n; p++) {
        const trib_held_record *phrase = &match->phrases.item[p];
        trib_html_begin(html, "li");
        trib_report_phrase(html, &phrase->words);
        trib_report_say(html, "<span class='n'> {n}\xC3\x97 and {n}\xC3\x97</span></li>",
                        (double)phrase->target_count, (double)phrase->source_count);
    }
    trib_html_end(html);
    trib_report_shown(html, match->phrases.n, (double)match->n_phrases, "phrases");
}

static void write_match(trib_report *report, const trib_match_record *match) {
    trib_html *html = &report->html;
    trib_report_say(html,
                    "<div class='card match'><h3>like {t}<small> factor {f0} of the target, {f0} "
                    "of the source</small></h3>",
                    trib_report_title(report, match->source), (double)match->component,
                    trib_report_number(match->source_component));
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

static void write_target_matches(trib_report *report) {
    const trib_match_records *matches = &report->target->record->matches;
    const size_t n = matches->n, first = n < CARDS ? n : CARDS;
    trib_html *html = &report->html;
    trib_report_set_language(report, html, report->target->id);
    if (n == 0) {
        trib_report_say(html, "<p class='note'>None of its factors is that close to a factor of a "
                              "source.</p>");
    } else {
        write_matches(report, matches, 0, first);
        if (first < n) {
            trib_report_say(html, "<details class='long'><summary>{z} more</summary>", n - first);
            write_matches(report, matches, first, n);
            trib_html_end(html);
        }
        trib_report_shown(html, n, (double)report->target->record->n_matches, "matched factors");
    }
}

void trib_report_matches(trib_report *report) {
    const trib_match_records *matches = &report->target->record->matches;
    char threshold[TRIB_NUMBER_MAX];
    trib_html_element(&report->html, "p", "intro",
                      "A factor is a set of words for each place of a phrase, weighted. These are "
                      "the factors of the target whose distance to a factor of a source is at most "
                      "%s (0: the same; 2: nothing in common). The phantom mass is what the factor "
                      "puts on phrases that the target does not hold%s.",
                      trib_number(threshold, report->result->threshold),
                      matches->n > 0 && !isnan(matches->item[0].wildcard_mass)
                          ? "; with wildcard, what it puts on phrases with a word outside the "
                            "vocabulary, where different words look the same"
                          : "");
    write_target_matches(report);
}

/* ---- Distances ------------------------------------------------------------------------------- */

bool trib_report_has_distances(const trib_report *report) {
    return report->target->record->distances != NULL;
}

static double item(const trib_reals *numbers, size_t i) {
    return i < numbers->n ? numbers->item[i] : (double)NAN;
}

static void write_histogram_table(trib_html *html, const trib_distances_record *distances) {
    trib_report_say(html, "<details class='long'><summary>The histogram as a table</summary>");
    trib_report_open_table(html, "numbers narrow",
                           "Factors by distance to their nearest source factor",
                           "Distance|#Factors");
    for (size_t b = 0; b < distances->counts.n; b++)
        if (distances->counts.item[b] > 0)
            trib_report_say(html,
                            "<tr><th scope='row'>{f2} to {f2}</th><td class='n'>{n}</td></tr>",
                            item(&distances->edges, b), item(&distances->edges, b + 1),
                            (double)distances->counts.item[b]);
    trib_report_close_table(html);
    trib_html_end(html);
}

static void write_histogram(trib_report *report, const trib_distances_record *distances) {
    trib_html *html = &report->html;
    const trib_reals *edges = &distances->edges;
    const trib_whole_numbers *counts = &distances->counts;
    const double limit = report->result->threshold;
    double within = 0, all = 0;
    for (size_t b = 0; b < counts->n; b++) {
        all += (double)counts->item[b];
        if (item(edges, b + 1) <= limit + 1e-9) within += (double)counts->item[b];
    }
    char threshold[TRIB_NUMBER_MAX], n[TRIB_FIXED_MAX], title[200];
    snprintf(title, sizeof title,
             "Histogram of the distance of %s factors to their nearest source factor, from 0 to 2; "
             "threshold %s",
             trib_grouped(n, all), trib_number(threshold, limit));
    trib_html_begin(html, "figure");
    trib_svg_histogram(html, (trib_svg_numbers){edges->item, edges->n}, counts->item, counts->n,
                       limit, title);
    trib_report_say(html,
                    "<figcaption>Factors by their distance to the nearest factor of a source (0: "
                    "the same; 2: nothing in common). {n} of {n} lie in the bins up to the "
                    "threshold, filled solid.</figcaption></figure>",
                    within, all);
    write_histogram_table(html, distances);
}

enum { FULL_TABLE = 40 }; /* with more sources, the table has only those that are drawn */

/* The line of a source; lines are ordered by the area under them. */
typedef struct curve {
    const char *id, *title;
    double *share; /* at every threshold */
    double area;
} curve;

static int compare_curves(const void *a, const void *b) {
    const curve *x = a, *y = b;
    if (x->area != y->area) return x->area < y->area ? 1 : -1;
    return strcmp(x->id, y->id);
}

static void write_legend(trib_html *html, const curve *curves, size_t drawn, size_t n) {
    trib_html_open(html, "ul", "legend");
    for (size_t c = 0; c < drawn; c++) {
        trib_html_begin(html, "li");
        trib_svg_line_sample(html, (unsigned)c);
        trib_report_say(html, " {z} {t}</li>", c + 1, curves[c].title);
    }
    trib_html_begin(html, "li");
    trib_svg_line_sample(html, TRIB_SVG_LINES);
    trib_report_say(html, " A the author</li>");
    if (drawn < n)
        trib_report_say(html, "<li>{z} of {z} sources drawn; all in {s}</li>", drawn, n,
                        n > FULL_TABLE ? "influence.json" : "the table");
    trib_html_end(html);
}

static void write_curve_table(trib_html *html, const trib_distances_record *distances,
                              const curve *curves, size_t n) {
    trib_report_say(html, "<details class='long'><summary>The shares as a table</summary>");
    trib_report_open_head(html, "numbers", "Share by lowe at every threshold");
    trib_report_columns(html, "#Threshold");
    for (size_t c = 0; c < n; c++) trib_report_columns(html, "#{t}", curves[c].title);
    trib_report_columns(html, "#Author");
    trib_report_open_rows(html);
    for (size_t i = 0; i < distances->thresholds.n; i++) {
        trib_report_say(html, "<tr><th class='n' scope='row'>{f2}</th>",
                        distances->thresholds.item[i]);
        for (size_t c = 0; c < n; c++) trib_report_cells(html, "#{p1}", curves[c].share[i]);
        trib_report_say(html, "<td class='n'>{p1}</td></tr>", item(&distances->author, i));
    }
    trib_report_close_table(html);
    trib_html_end(html);
}

/* Makes the curve of a source from its steps. */
static curve make_curve(const trib_report *report, const trib_curve_record *record, size_t n) {
    curve made = {record->source, trib_report_title(report, record->source),
                  trib_arena_new(report->arena, n, sizeof *made.share), 0};
    double share = 0;
    for (size_t i = 0, step = 0; made.share && i < n; i++) {
        while (step < record->steps.n && record->steps.item[step].place <= i)
            share = record->steps.item[step++].share;
        made.share[i] = share;
        if (share > 0) made.area += share;
    }
    return made;
}

static void write_curves(trib_report *report, const trib_distances_record *distances) {
    static const char *const marks[] = {"1", "2", "3", "4", "5", "6"};
    trib_html *html = &report->html;
    const trib_reals *thresholds = &distances->thresholds, *author = &distances->author;
    const size_t n = distances->steps.n, n_points = thresholds->n;
    curve *curves = trib_arena_new(report->arena, n, sizeof *curves);
    trib_svg_line lines[TRIB_SVG_LINES + 1];
    size_t drawn = 0;
    for (size_t c = 0; curves && c < n; c++)
        curves[c] = make_curve(report, &distances->steps.item[c], n_points);
    if (report->arena->failure.status != TRIB_OK) return;
    if (n > 1) qsort(curves, n, sizeof *curves, compare_curves);
    for (; drawn < n && drawn < TRIB_SVG_LINES; drawn++)
        lines[drawn] = (trib_svg_line){
            .y = {curves[drawn].share, n_points}, .style = (unsigned)drawn, .mark = marks[drawn]};
    lines[drawn] =
        (trib_svg_line){.y = {author->item, author->n}, .style = TRIB_SVG_LINES, .mark = "A"};
    trib_html_begin(html, "figure");
    trib_svg_lines(html, (trib_svg_numbers){thresholds->item, n_points}, lines, drawn + 1,
                   report->result->threshold, NULL,
                   "Share of each source and of the author by lowe, for thresholds from 0 to 2");
    write_legend(html, curves, drawn, n);
    trib_report_say(html,
                    "<figcaption>Shares by {c} at every threshold. A result worth keeping does not "
                    "hang on one.</figcaption></figure>",
                    "lowe");
    write_curve_table(html, distances, curves, n > FULL_TABLE ? drawn : n);
}

void trib_report_distances(trib_report *report) {
    trib_html *html = &report->html;
    const trib_distances_record *distances = report->target->record->distances;
    trib_report_factor_caveats(report, report->target);
    if (trib_report_is_short_page(report)) {
        trib_report_say(html, "<p class='note'>influence.json has the distances, and the shares at "
                              "every threshold.</p>");
        return;
    }
    trib_report_say(html, "<div class='pair'><div>");
    write_histogram(report, distances);
    trib_report_say(html, "</div><div>");
    write_curves(report, distances);
    trib_report_say(html, "</div></div>");
}
