/* passages.c - passages of target and source side by side, those below the answer among them, and
 * the places of the target where each source is present. */
#include "pipeline/report/report.h"

/* Returns how many bytes of a text make `most` letters, cut after a whole word where there is one;
 * all of them when the text is shorter. *n_letters is set to the letters of that beginning. */
static size_t beginning(const char *text, size_t most, size_t *n_letters) {
    size_t n = 0, last_space = 0, at = 0;
    for (; text[at]; at++) {
        if (((unsigned char)text[at] & 0xC0) == 0x80) continue; /* not the first byte of a letter */
        if (n == most) break;
        if (text[at] == ' ') last_space = at;
        n++;
    }
    *n_letters = n;
    return text[at] && last_space > 0 ? last_space : at;
}

/* Writes at most `most` letters. The pieces alternate: every second one occurs in both texts. */
static void write_pieces(trib_html *html, const trib_place_record *place, size_t most) {
    char *cut = NULL;
    trib_report_say(html, "<blockquote dir='auto' lang>");
    for (size_t i = 0; i < place->text.n && !cut; i++) {
        const char *text = place->text.item[i];
        size_t n_letters = 0;
        const size_t n_bytes = beginning(text, most, &n_letters);
        most -= n_letters;
        if (text[n_bytes] && trib_copy_text(&cut, text, n_bytes, &html->writer->failure) != TRIB_OK)
            break;
        if (i % 2 == 1) trib_html_begin(html, "mark");
        trib_html_prose(html, cut ? cut : text);
        if (i % 2 == 1) trib_html_end(html);
    }
    if (place->cut || cut) trib_html_text(html, " \xE2\x80\xA6");
    trib_html_end(html);
    trib_free(cut);
}

/* Quotes at most `most` letters of a place. */
static void write_quotation(trib_report *report, const trib_place_record *place, const char *id,
                            size_t most) {
    trib_html *html = &report->html;
    const double first = (double)place->first, words = (double)place->words,
                 all = trib_report_number(trib_report_document(report, id)->words);
    const char *language = html->language;
    trib_html_begin(html, "figure");
    trib_report_set_language(report, html, id);
    if (place->text.n > 0) write_pieces(html, place, most);
    html->language = language;
    const char *reference = trib_report_text(place->reference);
    trib_report_say(html, "<figcaption>{t}{s}{t}, words {n} to {n} of {n} ",
                    trib_report_title(report, id), trib_place_gap(reference), reference, first,
                    first + words - 1, all);
    if (trib_report_has_reading(report, id)) trib_report_read_link(report, id, first, "read");
    trib_report_say(html, "</figcaption></figure>");
}

/* Names the passage as judgements do (judge.js). */
void trib_report_key(trib_html *html, const char *target, const trib_place_record *here,
                     const char *source, const trib_place_record *there) {
    trib_html_attribute(html, "data-key", TRIB_KEY, target, source, here->first,
                        here->first + here->words - 1, there->first,
                        there->first + there->words - 1);
}

static void write_beside(trib_report *report, const trib_place_record *here, const char *target,
                         const trib_place_record *there, const char *source, size_t most) {
    trib_html_open(&report->html, "div", "beside");
    trib_report_key(&report->html, target, here, source, there);
    write_quotation(report, here, target, most);
    write_quotation(report, there, source, most);
    trib_html_end(&report->html);
}

void trib_report_beside(trib_report *report, const trib_place_record *here, const char *target,
                        const trib_place_record *there, const char *source) {
    write_beside(report, here, target, there, source, SIZE_MAX);
}

/* Writes the end of the caption of one side of a translated passage. */
static void write_unit_head(trib_report *report, const trib_place_record *place, const char *id) {
    trib_html *html = &report->html;
    const char *reference = trib_report_text(place->reference);
    trib_report_say(html, "<th scope='col'>{t}{s}{t}, words {n} to {n} ",
                    trib_report_title(report, id), trib_place_gap(reference), reference,
                    (double)place->first, (double)(place->first + place->words - 1));
    if (trib_report_has_reading(report, id))
        trib_report_read_link(report, id, (double)place->first, "read");
    trib_html_end(html);
}

/* A row has a unit of each text: a piece that both have, with what follows it. */
static void write_units(trib_report *report, const trib_place_record *const side[2],
                        const char *const id[2]) {
    trib_html *html = &report->html;
    const char *language = html->language;
    trib_report_say(html, "<table class='units'><tr>");
    for (int s = 0; s < 2; s++) write_unit_head(report, side[s], id[s]);
    trib_html_end(html);
    for (size_t i = 1; i < side[0]->text.n && i < side[1]->text.n; i += 2) {
        trib_html_begin(html, "tr");
        for (int s = 0; s < 2; s++) {
            const trib_texts *const pieces = &side[s]->text;
            trib_report_set_language(report, html, id[s]);
            trib_report_say(html, "<td dir='auto' lang>");
            trib_html_prose(html, pieces->item[i]);
            if (i + 2 < pieces->n) trib_html_prose(html, pieces->item[i + 1]);
            else if (side[s]->cut) trib_html_text(html, " \xE2\x80\xA6");
            trib_html_end(html);
        }
        trib_html_end(html);
    }
    trib_html_end(html);
    html->language = language;
}

void trib_report_passage_beside(trib_report *report, const trib_passage_record *passage,
                                const char *target, const char *source) {
    const trib_place_record *const side[] = {passage->target, passage->source};
    const char *const id[] = {target, source};
    if (!passage->translated || side[0]->text.n == 0) {
        trib_report_beside(report, side[0], target, side[1], source);
        return;
    }
    trib_html_open(&report->html, "div", "translated");
    trib_report_key(&report->html, target, side[0], source, side[1]);
    trib_report_say(&report->html, "<p class='note'>In translation, unit by unit.</p>");
    write_units(report, side, id);
    trib_html_end(&report->html);
}

static void write_chosen(trib_report *report, const trib_report_target *target,
                         const trib_shown_passage *chosen, const char *what) {
    enum { LETTERS = 1800 }; /* about 300 words; a copied chapter would fill the page */
    const size_t most = trib_report_is_short_page(report) ? SIZE_MAX : LETTERS;
    trib_html *html = &report->html;
    if (!chosen->passage) return;
    const trib_place_record *here = chosen->passage->target, *there = chosen->passage->source;
    const char *reference = trib_report_text(here->reference),
               *source_reference = trib_report_text(there->reference);
    trib_report_say(html, "<h3>{s}{s}{t}: {n} words in common with {t}{s}{t}", what,
                    *reference ? ", " : "", reference, (double)trib_passage_words(chosen->passage),
                    trib_report_title(report, chosen->source), trib_place_gap(source_reference),
                    source_reference);
    if (chosen->passage->shared < trib_passage_words(chosen->passage))
        trib_report_say(html, ", {n} word for word", (double)chosen->passage->shared);
    trib_report_say(html, "</h3>");
    write_beside(report, here, target->id, there, chosen->source, most);
}

void trib_report_chosen_passages(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const trib_shown_passages chosen =
        trib_shown_passages_choose(report->result, target->record, NULL);
    const size_t n_shown = 1 + (chosen.rarest.passage != NULL);
    if (!chosen.longest.passage) return;
    trib_html_open(html, "div", "chosen");
    write_chosen(report, target, &chosen.longest, "The longest shared passage");
    write_chosen(report, target, &chosen.rarest, "The shared passage with the rarest words");
    trib_report_say(html,
                    "<p class='note'>Words in bold and underlined are word for word the same.");
    if (chosen.n_notable > n_shown)
        trib_report_say(html,
                        " {n} more passages of 12 words or more word for word have a rare word.",
                        (double)(chosen.n_notable - n_shown));
    trib_report_say(html, "</p></div>");
}

/* Writes a passage in a line: its length, its first shared words, and its places as links. */
static void write_brief_passage(trib_report *report, const trib_report_target *target,
                                const char *source, const trib_passage_record *passage) {
    enum { LETTERS = 70 };
    trib_html *html = &report->html;
    const trib_place_record *const side[] = {passage->target, passage->source};
    const trib_texts *pieces = &side[0]->text;
    const char *text = pieces->n > 1 ? pieces->item[1] : NULL;
    char *cut = NULL, word[64], number[TRIB_FIXED_MAX];
    size_t n_letters = 0;
    const size_t n_bytes = beginning(text ? text : "", LETTERS, &n_letters);
    trib_html_begin(html, "li");
    trib_report_key(html, target->id, side[0], source, side[1]);
    trib_report_say(html, "{n} words: ", (double)trib_passage_words(passage));
    if (text && trib_copy_text(&cut, text, n_bytes, &html->writer->failure) == TRIB_OK) {
        trib_html_word(html, cut);
        if (text[n_bytes] || pieces->n > 3) trib_html_text(html, "\xE2\x80\xA6");
    }
    trib_free(cut);
    trib_html_begin(html, "small");
    const char *const id[] = {target->id, source};
    for (size_t s = 0; s < 2; s++) {
        const double first = (double)side[s]->first;
        snprintf(word, sizeof word, "word %s", trib_grouped(number, first));
        trib_html_text(html, s == 0 ? " " : " \xE2\x86\x90 ");
        trib_report_read_link(report, id[s], first, word);
    }
    trib_report_say(html, "</small></li>");
}

/* Whether a passage is written in a line: on the page of a short target one that the answer quotes,
 * in a report of many targets those after the first. The reading page and the list of finds have
 * them whole, too. */
static bool is_brief(const trib_report *report, const trib_shown_passages *quoted,
                     const trib_passage_records *passages, size_t p) {
    enum { WHOLE = 4 };
    const trib_passage_record *passage = &passages->item[p];
    if (trib_report_is_short_page(report))
        return passage == quoted->longest.passage || passage == quoted->rarest.passage;
    return report->is_many && report->run_directory && passages->n > WHOLE + 1 && p >= WHOLE;
}

void trib_report_passages(trib_report *report, const trib_report_target *target,
                          const trib_evidence_record *source) {
    enum { PRINTED = 5 }; /* as in report.css */
    const trib_passage_records *passages = &source->passages;
    const char *id = trib_report_text(source->source);
    const size_t n = passages->n;
    trib_html *html = &report->html;
    trib_shown_passages quoted = {0};
    size_t n_brief = 0;
    const uint64_t n_same = source->n_same_places;
    if (n_same > 0)
        trib_report_say(html, "<p class='note'>{z} {s} shown with another source.</p>",
                        (size_t)n_same,
                        n_same == 1 ? "passage stands at a place that is"
                                    : "passages stand at places that are");
    if (n == 0) return;
    if (trib_report_is_short_page(report))
        quoted = trib_shown_passages_choose(report->result, target->record, NULL);
    for (size_t p = 0; p < n; p++) n_brief += is_brief(report, &quoted, passages, p);
    trib_report_say(html, "<div class='passages'><p class='label'>Passages</p>");
    if (n_brief < n) trib_html_begin(html, "ol");
    for (size_t p = 0; p < n; p++) {
        if (is_brief(report, &quoted, passages, p)) continue;
        trib_html_begin(html, "li");
        trib_report_passage_beside(report, &passages->item[p], target->id, id);
        trib_html_end(html);
    }
    if (n_brief < n) trib_html_end(html);
    if (n_brief > 0) {
        trib_html_open(html, "ol", "brief");
        for (size_t p = 0; p < n; p++)
            if (is_brief(report, &quoted, passages, p))
                write_brief_passage(report, target, id, &passages->item[p]);
        trib_html_end(html);
    }
    if (n - n_brief > PRINTED)
        trib_report_say(html, "<p class='note printed'>In print, the first {z} of {z}.</p>",
                        (size_t)PRINTED, n);
    trib_report_shown(html, n, (double)source->n_passages, "passages");
    trib_html_end(html);
}

/* ---- Strips along the target ----------------------------------------------------------------- */

static double part(const trib_whole_numbers *strip, size_t i) {
    return strip->item[i] <= 100 ? (double)strip->item[i] / 100 : 0;
}

/* Draws one row: for every part of the target in which the source is present, a bar as high as
 * its share of that part. */
static void draw_strip(trib_html *html, const trib_whole_numbers *strip, const char *title) {
    const size_t n = strip->n;
    trib_buffer path = {0};
    for (size_t i = 0, end; i < n; i = end) { /* equal neighbours make one bar */
        const double height = 100 * part(strip, i);
        for (end = i + 1; end < n && 100 * part(strip, end) == height; end++) continue;
        if (height > 0 &&
            trib_buffer_print(&path, &html->writer->failure, "M%zu 100v-%.0fh%zuv%.0fz", i, height,
                              end - i, height) != TRIB_OK)
            break;
    }
    trib_report_say(html,
                    "<svg viewBox='0 0 {z} 100' preserveAspectRatio='none' role='img' "
                    "aria-label='{s}'><path class='water flows' d='{s}'/></svg>",
                    n, title, path.text ? path.text : "");
    trib_buffer_release(&path);
}

/* The same as a table in tenths of the target, for readers who do not see the drawing. */
static void write_strip_table(trib_report *report, const trib_report_target *target) {
    enum { PARTS = 10 };
    trib_html *html = &report->html;
    trib_report_say(html, "<details class='long'><summary>The strips as a table</summary>");
    trib_report_open_table(html, "numbers", "Words in passages, by tenths of the target",
                           "Source|#1|#2|#3|#4|#5|#6|#7|#8|#9|#10");
    for (size_t e = 0; e < target->record->evidence.n; e++) {
        const char *id = trib_report_text(target->record->evidence.item[e].source);
        const trib_whole_numbers *strip = &target->record->evidence.item[e].strip;
        const size_t n = strip->n;
        if (!trib_report_flows(target, id) || n < PARTS) continue;
        trib_report_say(html, "<tr><th scope='row'>{t}</th>", trib_report_title(report, id));
        for (size_t p = 0; p < PARTS; p++) {
            double sum = 0;
            const size_t first = p * n / PARTS, end = (p + 1) * n / PARTS;
            for (size_t i = first; i < end; i++) sum += part(strip, i);
            trib_report_cells(html, "#{p0}", sum / (double)(end - first));
        }
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_html_end(html);
}

void trib_report_strips(trib_report *report, const trib_report_target *target) {
    const trib_evidence_records *evidence = &target->record->evidence;
    trib_html *html = &report->html;
    char title[700];
    size_t n_strips = 0;
    for (size_t e = 0; e < evidence->n; e++) n_strips += evidence->item[e].strip.item != NULL;
    if (target->n_flowing == 0 || n_strips == 0) return;
    trib_report_say(html, "<figure class='strips'><dl>");
    enum { DRAWN = 10 }; /* the others are in the table below the figure */
    size_t n_drawn = 0;
    for (size_t e = 0; e < evidence->n && n_drawn < DRAWN; e++) {
        const char *id = trib_report_text(evidence->item[e].source);
        const trib_whole_numbers *strip = &evidence->item[e].strip;
        if (!trib_report_flows(target, id) || !strip->item) continue;
        n_drawn++;
        const char *name = trib_report_title(report, id);
        snprintf(title, sizeof title, "Where %.300s is present in %.300s, from beginning to end",
                 name, target->title);
        trib_report_say(html, "<dt>{t}</dt><dd>", name);
        draw_strip(html, strip, title);
        trib_html_end(html);
    }
    trib_report_say(
        html, "</dl><figcaption>Where along the target, from its beginning on the left to "
              "its end, its words stand in passages of each source: the higher, the more of them."
              "</figcaption></figure>");
    write_strip_table(report, target);
}

/* ---- The strip of a reading page ------------------------------------------------------------ */

/* Adds the words of the passages of a row to the bins: of one source, or of all from `s` on. */
static void fill(double *bin, size_t n_bins, const trib_running_text *text, size_t s,
                 bool is_rest) {
    const double width = (double)text->words / (double)n_bins;
    for (size_t p = 0; p < text->passages.n; p++) {
        const trib_running_passage *passage = &text->passages.item[p];
        if (is_rest ? passage->source < s : passage->source != s) continue;
        double at = (double)passage->first - 1;
        const double end = at + (double)passage->words;
        for (size_t b = (size_t)(at / width); b < n_bins && at < end; b++) {
            const double next = width * (double)(b + 1) < end ? width * (double)(b + 1) : end;
            bin[b] += (next - at) / width;
            at = next;
        }
    }
}

void trib_report_strip_row(trib_html *html, const trib_running_text *text, size_t s, bool is_rest,
                           size_t n_bins) {
    enum { ROW = TRIB_STRIP_ROW };
    double bin[TRIB_STRIP_BINS] = {0};
    char path[TRIB_STRIP_BINS * 32] = "", *at = path;
    fill(bin, n_bins, text, s, is_rest);
    for (size_t b = 0; b < n_bins; b++) {
        const int height = bin[b] > 0 ? 2 + (int)((ROW - 3) * (bin[b] < 1 ? bin[b] : 1) + 0.5) : 0;
        if (height > 0)
            at += snprintf(at, 32, "M%zu %zuv-%dh1v%dz", b, (s + 1) * ROW, height, height);
    }
    if (is_rest) trib_report_say(html, "<path class='others' d='{s}'/>", path);
    else trib_report_say(html, "<path class='s{z}' d='{s}'/>", s + 1, path);
}

/* ---- The appendix with the accepted passages ------------------------------------------------- */

bool trib_report_has_accepted(const trib_report *report) {
    return report->result->judgements != NULL;
}

/* Writes who judged how many passages, and what this report makes of it. */
void trib_report_curated(trib_report *report) {
    const trib_judgements_record *const n = report->result->judgements;
    trib_html *html = &report->html;
    if (!n) return;
    const double judged = (double)(n->accepted + n->rejected + n->disputed);
    trib_report_say(html,
                    "<p class='curated'><b>A curated report.</b> Of {n} passages {n} were "
                    "judged",
                    (double)n->passages, judged);
    if (*trib_report_text(n->judges)) trib_report_say(html, " by {t}", n->judges);
    trib_report_say(html, ": {n} were accepted, {n} were rejected", (double)n->accepted,
                    (double)n->rejected);
    if (n->disputed > 0)
        trib_report_say(html, ", and of {n} the judges disagree", (double)n->disputed);
    trib_html_text(html, ".");
    if (n->both > 0) {
        trib_report_say(html, " Both judged {n} of them", (double)n->both);
        if (!isnan(n->kappa)) trib_report_say(html, ", with an agreement of kappa {f2}", n->kappa);
        trib_html_text(html, ".");
    }
    trib_report_say(html,
                    " Lists of passages have the accepted ones. What was rejected counts for "
                    "nothing in shares by {c}, tables and figures, which have no intervals "
                    "then; phrases and other methods are those of the run.</p>",
                    report->result->headline);
}

/* Orders by target, then by place in the target. */
static int compare_places(const void *a, const void *b) {
    const trib_find *const *x = a, *const *y = b;
    if ((*x)->target != (*y)->target) return (*x)->target < (*y)->target ? -1 : 1;
    const uint64_t left = (*x)->passage->target->first, right = (*y)->passage->target->first;
    if (left != right) return left < right ? -1 : 1;
    return (*x)->number < (*y)->number ? -1 : (*x)->number > (*y)->number;
}

static void write_accepted(trib_report *report, const trib_find *find) {
    trib_html *html = &report->html;
    const char *note = trib_report_text(find->passage->note);
    trib_html_begin(html, "li");
    trib_report_passage_beside(report, find->passage, find->target->id,
                               report->result->documents.item[find->source].id);
    if (*note) trib_report_say(html, "<p class='note'>Note: {t}</p>", note);
    trib_html_end(html);
}

void trib_report_accepted(trib_report *report) {
    const trib_find **const order = trib_arena_new(report->arena, report->n_finds, sizeof *order);
    const trib_report_target *target = NULL;
    trib_html *html = &report->html;
    trib_report_say(html,
                    "<p class='intro'>The passages that were accepted, with their places in both "
                    "texts.</p><div class='passages accepted'>");
    for (size_t f = 0; order && f < report->n_finds; f++) order[f] = &report->find[f];
    if (order && report->n_finds > 1) qsort(order, report->n_finds, sizeof *order, compare_places);
    for (size_t f = 0; order && f < report->n_finds; f++) {
        if (order[f]->target != target) {
            if (target) trib_html_end(html);
            target = order[f]->target;
            trib_report_say(html, "<h3>{t}</h3><ol>", target->title);
            if (f > 0) trib_html_attribute(html, "start", "%zu", f + 1);
        }
        write_accepted(report, order[f]);
    }
    if (target) trib_html_end(html);
    trib_html_end(html);
}
