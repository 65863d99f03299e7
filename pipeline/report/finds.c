/* finds.c - the section with all passages of all pairs. The page holds the beginning of the list
 * and, with many targets, the strongest finds in words. The script gets the whole list from
 * finds_list.c, and sorts and filters it. */
#include "pipeline/report/finds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/documents.h"

enum {
    SENTENCES = 10,
    SENTENCE_WORDS = 32,
    LISTED = TRIB_FINDS_LISTED,
    LISTED_ALONE = 30,
    LISTED_WORDS = 60,
    PRINTED = 10
};

static uint64_t last_of(const trib_place_record *side) { return side->first + side->words - 1; }

/* The first and the last year in which a text may have been written. */
typedef struct years {
    double first, last;
} years;

/* Returns true if the document has a date. */
static bool read_years(const trib_document_record *document, years *found) {
    return trib_date_years(trib_report_text(document->date), &found->first, &found->last);
}

/* ---- The strongest in words ------------------------------------------------------------------ */

static bool overlap(const trib_place_record *a, const trib_place_record *b) {
    return a->first <= last_of(b) && b->first <= last_of(a);
}

/* Whether two finds are about the same words: of the target, or of the source. */
static bool say_the_same(const trib_find *a, const trib_find *b) {
    return (a->target == b->target && overlap(a->passage->target, b->passage->target)) ||
           (a->source == b->source && overlap(a->passage->source, b->passage->source));
}

/* Returns the byte after the first `most` words of `text`, and lowers *most by their number. */
static size_t length_of_words(const char *text, size_t *most) {
    size_t n = 0;
    while (text[n] != '\0') {
        n += strspn(text + n, " ");
        if (text[n] == '\0' || *most == 0) break;
        n += strcspn(text + n, " ");
        --*most;
    }
    return n;
}

/* Writes up to `most` words of the passage from its first shared word on; `marked`: the shared ones
 * in an element of their own. */
static void write_words(trib_html *html, const trib_place_record *side, size_t most, bool marked) {
    trib_buffer part = {0};
    bool is_whole = !side->cut;
    const size_t n = side->text.n, after = n % 2 == 1 && n > 1 ? n - 1 : n;
    for (size_t i = 1; i < after; i++) {
        const char *text = side->text.item[i];
        const size_t length = length_of_words(text, &most);
        trib_buffer_clear(&part);
        if (trib_buffer_add(&part, text, length, &html->writer->failure) != TRIB_OK) break;
        if (marked && i % 2 == 1) trib_html_begin(html, "mark");
        trib_html_prose(html, part.text ? part.text : "");
        if (marked && i % 2 == 1) trib_html_end(html);
        if (text[length] != '\0' || (most == 0 && i + 1 < after)) {
            is_whole = false;
            break;
        }
    }
    const bool has_space = part.length > 0 && part.text[part.length - 1] == ' ';
    if (!is_whole) trib_html_print(html, "%s\xE2\x80\xA6", has_space ? "" : " ");
    trib_buffer_release(&part);
}

/* Opens the quotation of the words of a find in its target. */
static void open_quotation(trib_report *report, const trib_find *find, const char *name) {
    trib_html *html = &report->html;
    trib_report_set_language(report, html, find->target->id);
    trib_html_begin(html, name);
    trib_html_attribute(html, "dir", "auto");
    if (html->language) trib_html_attribute(html, "lang", "%s", html->language);
}

static const trib_document_record *source_of(const trib_report *report, const trib_find *find) {
    return &report->result->documents.item[find->source];
}

/* Writes "In 1898 William McKinley repeats 137 words of 1897". Says "share" instead of "repeats"
 * unless the source is older. */
static void write_sentence(trib_report *report, const trib_find *find) {
    const trib_document_record *target = find->target->document, *source = source_of(report, find);
    char shown[2][TRIB_DATE_SHOWN];
    const char *author = target->author, *other = source->author,
               *title = trib_report_title(report, source->id),
               *date = trib_date_shown(trib_report_text(target->date), shown[0]),
               *source_date = trib_date_shown(trib_report_text(source->date), shown[1]);
    trib_html *html = &report->html;
    const size_t n = (size_t)find->shared;
    years year, source_year;
    if (!read_years(target, &year) || !read_years(source, &source_year) ||
        source_year.last >= year.first)
        trib_report_say(html, "{t} and {t} share {z} words", find->target->title, title, n);
    else if (!*author || !*other || !strstr(find->target->title, author) || !strstr(title, other))
        trib_report_say(html, "{t} ({s}) repeats {z} words of {t} ({s})", find->target->title, date,
                        n, title, source_date);
    else if (strcmp(author, other) == 0)
        trib_report_say(html, "In {s} {t} repeats {z} words of {s}", date, author, n, source_date);
    else
        trib_report_say(html, "In {s} {t} repeats {z} words of {t}, {s}", date, author, n, other,
                        source_date);
}

/* Writes the reference of a side after the title of its text, if it has one. */
static void write_reference(trib_html *html, const trib_place_record *side) {
    trib_html_text(html, trib_place_gap(side->reference));
    if (*trib_report_text(side->reference)) trib_html_foreign(html, side->reference);
}

/* Opens a link to the find in the list. */
static void open_own_link(trib_html *html, const trib_find *find) {
    char id[TRIB_FIND_ID_MAX];
    trib_find_id(find, id);
    trib_html_begin(html, "a");
    trib_html_attribute(html, "href", "#find-%s", id);
}

/* Writes the strongest finds in words. Of finds about the same words only the strongest is
 * written. */
static void write_sentences(trib_report *report) {
    const trib_find *said[SENTENCES];
    trib_html *html = &report->html;
    size_t n_said = 0;
    trib_html_open(html, "ol", "strongest");
    for (size_t f = 0; f < report->n_finds && f < LISTED && n_said < SENTENCES; f++) {
        const trib_find *find = &report->find[f];
        bool is_new = true;
        for (size_t s = 0; s < n_said; s++) is_new = is_new && !say_the_same(find, said[s]);
        if (!is_new) continue;
        said[n_said++] = find;
        const trib_place_record *side = find->passage->target;
        trib_html_begin(html, "li");
        open_own_link(html, find);
        write_sentence(report, find);
        trib_html_end(html);
        if (side->text.n > 0) {
            trib_html_text(html, ": ");
            open_quotation(report, find, "q");
            write_words(html, side, SENTENCE_WORDS, false);
            trib_html_end(html);
        }
        trib_html_end(html);
    }
    trib_html_end(html);
}

/* ---- The beginning of the list --------------------------------------------------------------- */

/* Writes "words 12 to 34", as a link to these words on the reading page of the text `id` when there
 * is one. */
static void write_range(trib_report *report, const char *id, const trib_place_record *side) {
    const double at = (double)side->first;
    char first[TRIB_FIXED_MAX], last[TRIB_FIXED_MAX], text[2 * TRIB_FIXED_MAX + 16];
    snprintf(text, sizeof text, "words %s to %s", trib_grouped(first, at),
             trib_grouped(last, (double)last_of(side)));
    if (report->run_directory && trib_report_is_target(report, id))
        trib_report_read_link(report, id, at, text);
    else trib_html_text(&report->html, text);
}

/* Writes how many years are between two texts: " · 3 years between", or "2–4" for ranges. */
static void write_years(trib_html *html, const trib_document_record *target,
                        const trib_document_record *source) {
    years a, b;
    if (!read_years(target, &a) || !read_years(source, &b)) return;
    const double least = fmax(0, fmax(a.first - b.last, b.first - a.last)),
                 most = fmax(a.last - b.first, b.last - a.first);
    if (most == 0 || (least == 0 && isinf(most))) return;
    trib_html_print(html, " \xC2\xB7 %s%.0f", isinf(most) ? "at least " : "", least);
    if (least < most && !isinf(most)) trib_html_print(html, "\xE2\x80\x93%.0f", most);
    trib_html_print(html, " year%s between", (isinf(most) ? least : most) == 1 ? "" : "s");
}

static void write_find(trib_report *report, const trib_find *find) {
    const trib_place_record *side = find->passage->target, *there = find->passage->source;
    const trib_document_record *source = source_of(report, find);
    trib_html *html = &report->html;
    char id[TRIB_FIND_ID_MAX], text[TRIB_FIXED_MAX], each[TRIB_FIXED_MAX];
    trib_find_id(find, id);
    trib_html_begin(html, "li");
    trib_html_attribute(html, "id", "find-%s", id);
    trib_html_open(html, "p", "measures");
    trib_html_element(html, "b", NULL, "%s words", trib_grouped(text, (double)find->shared));
    if (!isnan(find->rarity))
        trib_html_print(html, " \xC2\xB7 rarity %s (%s a word)", trib_fixed(text, find->rarity, 0),
                        trib_fixed(each, find->rarity / (double)find->shared, 1));
    trib_html_print(html, " \xC2\xB7 %s of the target", trib_percent(text, find->passage->mass, 2));
    write_years(html, find->target->document, source);
    trib_html_end(html);
    trib_html_open(html, "p", "places");
    trib_report_target_link(report, find->target);
    write_reference(html, side);
    trib_html_text(html, ", ");
    write_range(report, find->target->id, side);
    trib_html_text(html, " \xE2\x86\x90 ");
    trib_html_foreign(html, trib_report_title(report, source->id));
    write_reference(html, there);
    trib_html_text(html, ", ");
    write_range(report, source->id, there);
    trib_html_text(html, " ");
    open_own_link(html, find);
    trib_html_text(html, "Link");
    trib_html_end(html);
    trib_html_end(html);
    if (side->text.n > 0) {
        open_quotation(report, find, "blockquote");
        write_words(html, side, LISTED_WORDS, true);
        trib_html_end(html);
    }
    trib_html_end(html);
}

bool trib_report_has_finds(const trib_report *report) { return report->n_finds > 0; }

void trib_report_finds(trib_report *report) {
    const size_t most = report->is_many ? LISTED : LISTED_ALONE;
    const size_t n = report->n_finds < most ? report->n_finds : most;
    trib_html *html = &report->html;
    trib_html_open(html, "p", "intro");
    trib_html_text(html, "The strongest passages of every two texts");
    if (trib_report_has_format(report, "csv")) {
        trib_html_text(html, " (");
        trib_report_numbers_in(report, "passages.tsv");
        trib_html_text(html, " has all)");
    }
    trib_html_text(html, ", the rarest first: the rarity of a passage is the sum of the rarities "
                         "of its words, so it grows with the length. The target stands before the "
                         "arrow, the source after it. The words that both texts hold are "
                         "underlined.");
    trib_html_end(html);
    if (report->is_many) write_sentences(report);
    trib_html_begin(html, "div");
    trib_html_attribute(html, "id", "finds-list");
    trib_html_attribute(html, "data-run", "%s", report->result->hash);
    if (report->is_many) {
        trib_html_attribute(html, "data-from", "%s/finds.js", report->folder);
        if (!report->is_on_demand) trib_html_attribute(html, "data-pages", "%s/", report->folder);
    }
    if (report->run_directory) {
        trib_html_attribute(html, "data-read", "%sread/", report->data);
        trib_html_attribute(html, "data-words", "%sdata/words.js", report->data);
    }
    trib_html_open(html, "ol", "finds");
    for (size_t f = 0; f < n; f++) write_find(report, &report->find[f]);
    trib_html_end(html);
    if (n > PRINTED) /* as in report.css */
        trib_html_element(html, "p", "note printed", "In print, the first %d finds.", PRINTED);
    if (n < report->n_all_finds) {
        char shown[TRIB_FIXED_MAX], all[TRIB_FIXED_MAX];
        trib_html_open(html, "p", "shown");
        trib_html_print(html, "%s of %s finds shown, the strongest first. All are in ",
                        trib_grouped(shown, (double)n),
                        trib_grouped(all, (double)report->n_all_finds));
        trib_html_link(html, "passages.tsv", "%spassages.tsv", report->data);
        trib_html_text(html, ".");
        trib_html_end(html);
    }
    trib_html_end(html);
    if (!report->is_many) {
        trib_html_begin(html, "script");
        trib_html_attribute(html, "type", "application/json");
        trib_html_attribute(html, "id", "finds-data");
        trib_html_raw(html, "");
        trib_report_finds_data(report, 0, html->writer);
        trib_html_end(html);
    }
}

/* ---- The appendix with the accepted passages ------------------------------------------------- */

bool trib_report_has_accepted(const trib_report *report) {
    return report->result->judgements != NULL;
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
    trib_html_open(html, "div", "beside");
    trib_report_quotation(report, find->passage->target, find->target->id);
    trib_report_quotation(report, find->passage->source, source_of(report, find)->id);
    trib_html_end(html);
    if (*note) trib_report_say_in(html, "p", "note", "Note: {t}", note);
    trib_html_end(html);
}

/* Writes the list; `order` are the finds in the order of the list. */
static void write_list(trib_report *report, const trib_find **order) {
    trib_html *html = &report->html;
    const trib_report_target *target = NULL;
    trib_html_open(html, "div", "passages accepted");
    for (size_t f = 0; f < report->n_finds; f++) {
        if (order[f]->target != target) {
            if (target) trib_html_end(html);
            target = order[f]->target;
            trib_html_foreign_element(html, "h3", NULL, target->title);
            trib_html_begin(html, "ol");
            if (f > 0) trib_html_attribute(html, "start", "%zu", f + 1);
        }
        write_accepted(report, order[f]);
    }
    if (target) trib_html_end(html);
    trib_html_end(html);
}

void trib_report_accepted(trib_report *report) {
    const trib_judgements_record *judgements = report->result->judgements;
    trib_html *html = &report->html;
    const trib_find **order = NULL;
    trib_report_say_in(html, "p", "intro",
                       "The passages that were accepted, with their places in both texts: "
                       "{n} were accepted, {n} were rejected. This report leaves all others out of "
                       "its lists of passages; shares and phrases are those of the run.",
                       (double)judgements->accepted, (double)judgements->rejected);
    if (trib_new(&order, report->n_finds, sizeof *order, "the accepted passages",
                 &html->writer->failure) != TRIB_OK)
        return;
    for (size_t f = 0; f < report->n_finds; f++) order[f] = &report->find[f];
    if (report->n_finds > 1) qsort(order, report->n_finds, sizeof *order, compare_places);
    write_list(report, order);
    trib_free(order);
}
