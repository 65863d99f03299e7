/* read.c - the reading page of a text: its running text, coloured and underlined by the text that
 * it shares each passage with; a legend, which is a filter; the text as a strip, which is a map;
 * and for each passage the place in the other text, or this text whole. Made from read/ID.json.
 *
 * The reading pages are pages of their own even where the rest of the report is one file: the words
 * of each target are numbered from 1, so that #w1234 names a word, and a report that quotes opens
 * faster than whole texts do. A page stands alone when the report is one file.
 *
 * Without scripts the runs link to their places in the source, which the style sheet shows, and the
 * style sheet filters. Each block of the text has the number of its first word as its id. */

#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"
#include "pipeline/result/running_text.h"
#include "pipeline/support/terminal.h"

#define RANGE    "%" PRIu64 "\xE2\x80\x93%" PRIu64
#define ELLIPSIS "[\xE2\x80\xA6]"

/* The text as its page shows it. Everything is borrowed. */
typedef struct page {
    const trib_report *report;
    const trib_report_read_page *about;
    size_t number; /* in the list of readings, from 0 */
    const trib_running_text *text;
} page;

/* Passages are numbered from 1. */
static const trib_running_passage *passage_of(const page *reading, size_t passage) {
    return &reading->text->passages.item[passage - 1];
}

/* ---- Head ------------------------------------------------------------------------------------ */

/* Writes a link to a section about the target in the report. */
static void write_report_link(trib_html *html, const page *reading, const char *section,
                              const char *text) {
    const trib_report *report = reading->report;
    if (report->is_many)
        trib_html_link(html, text, "../%s/%s.html#%s", report->folder, reading->about->id, section);
    else trib_html_link(html, text, "../%s#%s", report->file, section);
}

static void write_head(trib_html *html, const page *reading) {
    const trib_report *report = reading->report;
    const trib_report_read_page *about = reading->about;
    const trib_running_sources *sources = &reading->text->sources;
    char shown[TRIB_DATE_SHOWN];
    const char *author = about->document->author,
               *date = trib_date_shown(trib_report_text(about->document->date), shown),
               *name = trib_result_corpus_title(report->result);
    const double n_words = (double)reading->text->words;
    double traced = 0;
    for (size_t s = 0; s < sources->n; s++) traced += (double)sources->item[s].words;
    trib_report_say(html,
                    "<header class='masthead'><p class='brand'><a href='../{s}'>{t}</a>"
                    "\xE2\x80\xBA",
                    report->file, name);
    if (about->target) write_report_link(html, reading, "answer", "the answer");
    else trib_html_text(html, "a source");
    trib_report_say(html, "</p><h1>{t}</h1><p class='question'>", about->title);
    if (*author) trib_html_foreign(html, author);
    if (*author && *date) trib_html_text(html, ", ");
    trib_html_text(html, date);
    if (*author || *date) trib_html_text(html, ". ");
    trib_report_say(html,
                    "{n} words, <span data-share='{s}'>{p}</span> of them in passages shared with "
                    "{z} {s}.</p></header>",
                    n_words, about->id, traced / n_words, sources->n,
                    sources->n == 1 ? "text" : "texts");
}

/* Writes the rules of the sources: the colour and the line of those after the first eight, and what
 * hides one whose box is not checked. */
static void write_rules(trib_html *html, const page *reading) {
    enum { COLOURS = 8 };
    static const char *const line[COLOURS] = {"solid",  "double", "dashed", "dotted",
                                              "double", "dashed", "dotted", "wavy"};
    const size_t n = reading->text->sources.n;
    if (n == 0) return;
    trib_html_begin(html, "style");
    for (size_t s = COLOURS; s < n; s++)
        trib_html_print(html, ".s%zu{--c:var(--k%zu);--u:%s}", s + 1, s % COLOURS + 1,
                        line[(s + s / COLOURS) % COLOURS]);
    for (size_t s = 0; s < n; s++)
        trib_html_print(html, "%sbody:has(#f%zu:not(:checked)) main .s%zu", s > 0 ? "," : "", s + 1,
                        s + 1);
    trib_html_raw(html, "{--c:transparent;--g:transparent;--l:none}");
    trib_html_end(html);
}

/* Writes a link that sets a text beside this one, from a word on; 0: from the first. */
static void write_both_link(trib_html *html, const page *reading, const char *other,
                            uint64_t word) {
    if (!trib_report_has_reading(reading->report, other)) return;
    trib_html_begin(html, "a");
    if (word > 0)
        trib_html_attribute(html, "href", "%s.html?with=%s#w%" PRIu64, reading->about->id, other,
                            word);
    else trib_html_attribute(html, "href", "%s.html?with=%s", reading->about->id, other);
    if (word > 0) trib_html_attribute(html, "target", "_top");
    trib_html_text(html, "both texts");
    trib_html_end(html);
}

/* ---- Legend ---------------------------------------------------------------------------------- */

static void write_legend_row(trib_html *html, const page *reading, size_t s) {
    const trib_running_source *source = &reading->text->sources.item[s];
    const trib_report_target *const target = reading->about->target;
    const char *const id = reading->about->id;
    const trib_shown_row *const row =
        trib_report_words_row(reading->report, target, source->source);
    trib_report_say(html,
                    "<li><label><input type='checkbox' checked='' id='f{z}'/> "
                    "<span class='s{z} k'>{z}</span> {t}</label><small> ",
                    s + 1, s + 1, s + 1, trib_report_title(reading->report, source->source));
    if (row) {
        trib_report_words(html, target, row, true);
        trib_html_text(html, " words");
        trib_report_same_words(html, target, row);
        trib_html_text(html, ",");
    } else {
        trib_html_begin(html, "span");
        trib_html_attribute(html, target ? "data-held" : "data-same", "%s %s", id, source->source);
        trib_report_say(html, "{n}</span> words", (double)source->words);
    }
    trib_report_say(html, " in <span data-count='{s} {s}'>{n}</span> {s} ", id, source->source,
                    (double)source->passages, source->passages == 1 ? "passage" : "passages");
    write_both_link(html, reading, source->source, 0);
    trib_report_say(html, "</small></li>");
}

static void write_legend(trib_html *html, const page *reading) {
    enum { SHOWN = 8 };
    const size_t n = reading->text->sources.n;
    if (n == 0) return;
    trib_report_say(html,
                    "<section aria-label='Sources'><fieldset class='sources'><legend>Coloured "
                    "and underlined by source; uncheck to hide</legend><ol>");
    for (size_t s = 0; s < n && s < SHOWN; s++) write_legend_row(html, reading, s);
    trib_html_end(html);
    if (n > SHOWN) trib_report_say(html, "<details><summary>{z} more</summary><ol>", n - SHOWN);
    for (size_t s = SHOWN; s < n; s++) write_legend_row(html, reading, s);
    if (n > SHOWN) trib_report_say(html, "</ol></details>");
    trib_report_say(html, "</fieldset></section>");
}

/* ---- The places in the sources --------------------------------------------------------------- */

/* Words of a text from which on the places are apart, and words of a part. */
enum { LONG_TEXT = 120000, PART = 50000 };

size_t trib_report_n_places(const trib_report *report, size_t reading) {
    const double n = trib_report_number(report->reading[reading].document->words);
    return n > LONG_TEXT ? 1 + (size_t)((n - 1) / PART) : 0;
}

static size_t part_of(const page *reading, size_t passage) {
    return 1 + (size_t)((passage_of(reading, passage)->first - 1) / PART);
}

/* The first word of the block with a word: the page has it as an id. */
static uint64_t block_of(const page *reading, uint64_t word) {
    const trib_running_blocks *blocks = &reading->text->blocks;
    size_t b = 0;
    for (size_t after = blocks->n; b + 1 < after;) {
        const size_t middle = b + (after - b) / 2;
        if (blocks->item[middle].first <= word) b = middle;
        else after = middle;
    }
    return blocks->n > 0 ? blocks->item[b].first : 1;
}

static void add_address(trib_html *html, const page *reading, size_t passage) {
    if (trib_report_n_places(reading->report, reading->number) == 0)
        trib_html_attribute(html, "href", "#p%zu", passage);
    else
        trib_html_attribute(html, "href", "%s+%zu.html#p%zu", reading->about->id,
                            part_of(reading, passage), passage);
}

/* Quotes words of the document `id`. */
static void write_quotation(trib_html *html, const page *reading, const char *id,
                            const trib_texts *pieces) {
    trib_report_set_language(reading->report, html, id);
    trib_report_say(html, "<blockquote dir='auto' lang>");
    for (size_t i = 0; i < pieces->n; i++) {
        const bool is_inside = i > 0 && i + 1 < pieces->n;
        const char *element = i % 2 == 1                                       ? "mark"
                              : is_inside && strcmp(pieces->item[i], " ") != 0 ? "i"
                                                                               : NULL;
        if (element) trib_html_begin(html, element);
        trib_html_prose(html, pieces->item[i]);
        if (element) trib_html_end(html);
    }
    trib_html_end(html);
}

/* Writes a range of words as a link to the page `id`.html; NULL: to this page. The page replaces
 * the one around a frame, when the places are apart. */
static void write_words(trib_html *html, const char *id, bool is_apart, uint64_t address,
                        uint64_t first, uint64_t words) {
    trib_html_begin(html, "a");
    if (id) trib_html_attribute(html, "href", "%s.html#w%" PRIu64, id, address);
    else trib_html_attribute(html, "href", "#w%" PRIu64, address);
    if (is_apart) trib_html_attribute(html, "target", "_top");
    trib_html_print(html, RANGE, first, first + words - 1);
    trib_html_end(html);
}

static void write_step(trib_html *html, const page *reading, size_t p, const char *arrow) {
    trib_html_begin(html, "a");
    add_address(html, reading, p);
    trib_html_attribute(html, "class", "step");
    trib_html_text(html, arrow);
    trib_html_end(html);
}

/* Names the other passages with half of the words of this one, or of their own, in it. They are
 * near it, since passages are in the order of the text. */
static void write_witnesses(trib_html *html, const page *reading, size_t p) {
    enum { SHOWN = 8, NEAR = 200 };
    const trib_running_passage *const one = passage_of(reading, p);
    size_t n = 0;
    for (size_t q = p > NEAR ? p - NEAR : 1; q <= reading->text->passages.n && q < p + NEAR; q++) {
        const trib_running_passage *const other = passage_of(reading, q);
        const uint64_t first = one->first > other->first ? one->first : other->first,
                       ends[] = {one->first + one->words, other->first + other->words},
                       end = ends[0] < ends[1] ? ends[0] : ends[1],
                       fewer = one->words < other->words ? one->words : other->words;
        if (q == p || end <= first || 2 * (end - first) < fewer || n == SHOWN) continue;
        trib_html_text(html, n++ == 0 ? "Also in " : ", ");
        trib_html_begin(html, "a");
        add_address(html, reading, q);
        trib_html_foreign(
            html,
            trib_report_title(reading->report, reading->text->sources.item[other->source].source));
        trib_html_text(html, trib_place_gap(trib_report_text(other->source_reference)));
        trib_html_foreign(html, trib_report_text(other->source_reference));
        trib_html_end(html);
    }
    if (n > 0) trib_html_text(html, ". ");
}

/* Writes where the words are here and there, with links, and how sure it is. */
static const double SURE = .995;
static void write_facts(trib_html *html, const page *reading, size_t p, const char *source) {
    const trib_running_passage *one = passage_of(reading, p);
    const bool is_apart = trib_report_n_places(reading->report, reading->number) > 0;
    trib_html_begin(html, "p");
    if (one->reference && *one->reference) trib_report_say(html, "Here {t}. ", one->reference);
    trib_html_text(html, "Words ");
    write_words(html, is_apart ? reading->about->id : NULL, is_apart, block_of(reading, one->first),
                one->first, one->words);
    trib_html_text(html, " here, ");
    if (trib_report_has_reading(reading->report, source))
        write_words(html, source, is_apart, one->source_first, one->source_first,
                    one->source_words);
    else trib_html_print(html, RANGE, one->source_first, one->source_first + one->source_words - 1);
    if (one->translated) trib_html_text(html, " there; in translation");
    else trib_html_print(html, " there; %" PRIu64 " word for word", one->agree);
    if (one->altered > 0) trib_html_print(html, ", %" PRIu64 " altered", one->altered);
    if (one->probability < SURE) trib_report_say(html, "; {p} likely", one->probability);
    trib_html_text(html, ". ");
    write_witnesses(html, reading, p);
    write_both_link(html, reading, source, one->first);
    if (p > 1) write_step(html, reading, p - 1, "\xE2\x86\x90");
    if (p < reading->text->passages.n) write_step(html, reading, p + 1, "\xE2\x86\x92");
    trib_html_end(html);
}

static void write_place(trib_html *html, const page *reading, size_t p) {
    const trib_running_passage *one = passage_of(reading, p);
    const char *source = reading->text->sources.item[one->source].source,
               *reference = trib_report_text(one->source_reference);
    const char *const about = reading->about->id;
    const bool is_target = reading->about->target != NULL;
    const uint64_t here[] = {one->first, one->first + one->words - 1},
                   there[] = {one->source_first, one->source_first + one->source_words - 1},
                   *const first = is_target ? here : there,
                   *const second = is_target ? there : here;
    trib_html_begin(html, "article");
    trib_html_attribute(html, "id", "p%zu", p);
    trib_html_attribute(html, "data-key", TRIB_KEY, is_target ? about : source,
                        is_target ? source : about, first[0], first[1], second[0], second[1]);
    trib_report_say(html, "<h2><b class='s{z}'>{z}</b> {t}{s}", (size_t)one->source + 1,
                    (size_t)one->source + 1, trib_report_title(reading->report, source),
                    trib_place_gap(reference));
    if (*reference) trib_html_foreign(html, reference);
    trib_html_end(html);
    write_facts(html, reading, p, source);
    write_quotation(html, reading, source, &one->text);
    trib_html_end(html);
}

/* Writes the places in the sources: 0: on the page, with what says how to use them; else those of
 * a part, from 1. */
static void write_places(trib_html *html, const page *reading, size_t part) {
    const bool is_apart = trib_report_n_places(reading->report, reading->number) > 0;
    const trib_report *const report = reading->report;
    const trib_report_target *const target = reading->about->target;
    const size_t n_allusions = target ? target->n_allusions : 0;
    char number[TRIB_FIXED_MAX];
    if (part == 0) {
        trib_report_say(html,
                        "<aside class='places' aria-label='The source' tabindex='-1' "
                        "data-run='{s}' data-n='{z}'>",
                        report->result->hash, (size_t)reading->text->words);
        if (report->is_many)
            trib_html_attribute(html, "data-finds", "../%s/finds.js", report->folder);
        trib_report_say(html, "<p class='hint'>{s}",
                        reading->text->passages.n == 0
                            ? "This text shares no passage with a source."
                            : "Choose a coloured passage: the other text stands here, and a link "
                              "that sets both texts side by side. Keys: j and k for the next "
                              "passage and the one before, a to accept it, r to reject it, n for a "
                              "note. Choose a word: its number stands in the "
                              "address of the page, for a footnote.");
        if (n_allusions > 0) {
            trib_html_text(html,
                           " Pairs of places with the same rare words, which may be allusions: ");
            write_report_link(html, reading, "allusions",
                              trib_grouped(number, (double)n_allusions));
            trib_html_text(html, ".");
        }
        trib_report_say(html, "</p><a class='close' href='#text' aria-label='Close'>\xC3\x97</a>");
    } else trib_report_say(html, "<section class='places part' aria-label='The source'>");
    if (part == 0 && is_apart)
        trib_report_say(html, "<iframe name='place' title='The source'></iframe>");
    for (size_t p = 1; p <= reading->text->passages.n; p++)
        if (!is_apart || part_of(reading, p) == part) write_place(html, reading, p);
    trib_html_end(html);
}

/* ---- The strip ------------------------------------------------------------------------------- */

/* A row for each of the sources with the most words and one for all others. A bin has at least BIN
 * words. */
enum { ROWS = 5, FEW_BINS = 60, BIN = 100 };

static void write_links(trib_html *html, const page *reading, size_t n_rows, size_t n_bins) {
    size_t first = 0;
    uint64_t here = block_of(reading, 1);
    for (size_t b = 1; b <= n_bins; b++) { /* a link for all bins of a block */
        const double word = (double)reading->text->words * (double)b / (double)n_bins + 1;
        const uint64_t next = b < n_bins ? block_of(reading, (uint64_t)word) : 0;
        if (next == here) continue;
        trib_report_say(html, "<a href='#w{z}' tabindex='-1'><path d='M{z} 0h{z}v{z}h-{z}z'/></a>",
                        (size_t)here, first, b - first, n_rows * TRIB_STRIP_ROW, b - first);
        first = b;
        here = next;
    }
}

static void write_strip(trib_html *html, const page *reading) {
    const size_t n_sources = reading->text->sources.n, n_rows = n_sources < ROWS ? n_sources : ROWS,
                 most = reading->report->is_many ? FEW_BINS : TRIB_STRIP_BINS,
                 full = 1 + (size_t)reading->text->words / BIN, n_bins = full < most ? full : most;
    if (n_rows == 0) return;
    trib_report_say(html, "<div class='strip' aria-hidden='true'><ol>");
    for (size_t s = 0; s < n_rows; s++)
        if (s + 1 == ROWS && n_sources > ROWS) trib_report_say(html, "<li>+</li>");
        else trib_report_say(html, "<li>{z}</li>", s + 1);
    trib_report_say(html, "</ol><svg viewBox='0 0 {z} {z}' preserveAspectRatio='none'>", n_bins,
                    n_rows * TRIB_STRIP_ROW);
    for (size_t s = 0; s < n_rows; s++)
        trib_report_strip_row(html, reading->text, s, s + 1 == ROWS && n_sources > ROWS, n_bins);
    write_links(html, reading, n_rows, n_bins);
    trib_report_say(html, "</svg></div>");
}

/* ---- The text -------------------------------------------------------------------------------- */

/* Writes piece `i` of a block with its references, of which *next is the next. They are empty
 * elements, which the style sheet shows in the margin, since the words of the text are counted by
 * its characters. In a wrapped block line breaks are spaces. */
static void write_piece(trib_html *html, const trib_running_block *block, size_t i, size_t *next) {
    const char *piece = block->text.item[i];
    const size_t length = strlen(piece);
    trib_buffer part = {0};
    for (size_t at = 0, end; at < length; at = end) {
        const trib_running_reference *reference =
            *next < block->references.n ? &block->references.item[*next] : NULL;
        if (reference && (reference->piece != i || reference->byte >= length)) reference = NULL;
        end = reference ? (size_t)reference->byte : length;
        trib_buffer_clear(&part);
        if (end <= at) {
            trib_report_say(html, "<b data-r='{s}'></b>", reference->reference);
            ++*next;
            end = at;
            continue;
        }
        if (trib_buffer_add(&part, piece + at, end - at, &html->writer->failure) != TRIB_OK) break;
        for (size_t c = 0; c < part.length; c++)
            if (block->wrapped && part.text[c] == '\n') part.text[c] = ' ';
        trib_html_text(html, part.text);
    }
    trib_buffer_release(&part);
}

/* Begins a piece of a passage: a link to the place in the other text, with the number of the word
 * there (0: unknown), and at the first piece with the number of that text. */
static void begin_traced(trib_html *html, const page *reading, size_t passage, uint64_t beside,
                         bool is_first) {
    const uint64_t s = passage_of(reading, passage)->source + 1;
    trib_html_begin(html, "a");
    add_address(html, reading, passage);
    if (trib_report_n_places(reading->report, reading->number) > 0)
        trib_html_attribute(html, "target", "place");
    trib_html_attribute(html, "class", "s%" PRIu64, s);
    if (is_first) trib_html_attribute(html, "data-s", "%" PRIu64, s);
    if (beside > 0) trib_html_attribute(html, "data-t", "%" PRIu64, beside);
}

/* Whether what stands between two pieces has words: white space and other characters. */
static bool are_words(const char *text) {
    return strpbrk(text, " \n") && text[strspn(text, " \n")];
}

/* Writes a block; *last is the run of the last traced piece before it. Words that stand between
 * words of one run and differ from the source are in an element of their own. */
static void write_block(trib_html *html, const page *reading, const trib_running_block *block,
                        size_t *last) {
    size_t reference = 0;
    if (block->omitted) trib_html_element(html, "p", "cut", ELLIPSIS);
    trib_html_begin(html, "p");
    trib_html_attribute(html, "id", "w%" PRIu64, block->first);
    trib_html_attribute(html, "data-w", "%s", block->starts);
    if (block->reference && *block->reference)
        trib_html_attribute(html, "data-r", "%s", block->reference);
    for (size_t i = 0; i < block->text.n; i++) {
        const size_t next = trib_running_passage_at(block, i / 2);
        const bool is_traced = i % 2 == 1,
                   is_between = !is_traced && i > 0 && i + 1 < block->text.n,
                   is_different = is_between && next == *last && are_words(block->text.item[i]);
        if (is_traced)
            begin_traced(html, reading, next,
                         i / 2 < block->beside.n ? block->beside.item[i / 2] : 0, next != *last);
        if (is_different) trib_html_begin(html, "i");
        if (is_different)
            trib_html_attribute(html, "class", "s%" PRIu64, passage_of(reading, next)->source + 1);
        write_piece(html, block, i, &reference);
        if (is_traced || is_different) trib_html_end(html);
        if (is_traced) *last = next;
    }
    trib_html_end(html);
}

/* Writes the blocks in groups, which the browser lays out when they come into view. */
static void write_text(trib_html *html, const page *reading) {
    enum { GROUP = 600 }; /* words */
    const trib_running_blocks *blocks = &reading->text->blocks;
    uint64_t n_words = 0;
    size_t last = 0;
    trib_report_say(html, "<main id='text' lang>");
    for (size_t b = 0; b < blocks->n; b++) {
        if (n_words == 0) trib_html_begin(html, "div");
        write_block(html, reading, &blocks->item[b], &last);
        n_words += blocks->item[b].words;
        if (n_words < GROUP && b + 1 < blocks->n) continue;
        trib_html_end(html);
        n_words = 0;
    }
    trib_html_end(html);
}

/* ---- The page -------------------------------------------------------------------------------- */

/* Writes the page, or one of its parts. */
static void write_page(trib_html *html, const page *reading, size_t part) {
    const trib_report *report = reading->report;
    const trib_running_blocks *blocks = &reading->text->blocks;
    char shared[600];
    const char *const name = trib_result_corpus_title(report->result);
    snprintf(shared, sizeof shared, "../%s/", report->folder);
    trib_report_open_page(html, reading->about->title, name, report->is_many ? shared : NULL, true);
    if (part == 0) {
        const char *first = "";
        for (size_t i = 0; blocks->n > 0 && !*first && i < blocks->item[0].text.n; i++)
            first = blocks->item[0].text.item[i];
        if (trib_is_right_to_left(first, strlen(first))) trib_html_attribute(html, "class", "rtl");
        trib_report_say(html, "<a class='skip' href='#text'>Skip to the text</a>");
    }
    write_rules(html, reading);
    if (part == 0) {
        write_head(html, reading);
        write_legend(html, reading);
        write_strip(html, reading);
        trib_html_open(html, "div", "reader");
        write_text(html, reading);
    }
    write_places(html, reading, part);
    if (part == 0) trib_html_end(html);
    trib_report_close_page(html, report->is_many ? shared : NULL, true);
}

trib_status trib_report_write_reading(const trib_report *report, size_t number, size_t part,
                                      trib_writer *writer, trib_error *error) {
    trib_arena arena = {0};
    trib_html html;
    page reading = {.report = report, .about = &report->reading[number], .number = number};
    const char *directory = report->run_directory, *id = reading.about->id;
    trib_status status = trib_running_text_read(&reading.text, &arena, directory, id, error);
    if (status == TRIB_OK && !reading.text)
        status = trib_fail(error, TRIB_INPUT, "%s/read/%s.json is missing", directory, id);
    else if (status == TRIB_OK && reading.text->words != reading.about->document->words)
        status = trib_fail(error, TRIB_INPUT,
                           "%s/read/%s.json has %" PRIu64 " words, influence.json %" PRIu64
                           " of '%s'; run again",
                           directory, id, reading.text->words, reading.about->document->words, id);
    if (status == TRIB_OK) {
        trib_html_init(&html, writer);
        html.is_terse = true;
        trib_report_set_language(report, &html, id);
        write_page(&html, &reading, part);
        trib_html_release(&html);
        status = writer->failure.status;
        if (status != TRIB_OK && error) *error = writer->failure;
    }
    trib_arena_release(&arena);
    return status;
}
