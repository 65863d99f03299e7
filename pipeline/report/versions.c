/* versions.c - the versions of one text: their collation as files, and a page with who descends
 * from whom, the text as any two of them have it, and the apparatus below each paragraph. */
#include "pipeline/output/versions.h"
#include "base/internal.h"

#include "pipeline/config/config.h"
#include "pipeline/report/collation.h"
#include "pipeline/report/reading.h"
#include "pipeline/report/report.h"
#include "pipeline/report/svg.h"

/* The versions, and what their page shows. */
typedef struct page {
    trib_collation collation;
    trib_stemma stemma;
    bool has_numerals;
    const trib_run_results *results;
    trib_html *html;
} page;

/* ---- The witnesses --------------------------------------------------------------------------- */

/* The digits before a word, which are no words, as one number; 0: there are none. They begin at
 * *at. */
static uint64_t digits_before(const trib_witness *w, size_t i, size_t *at) {
    enum { NEAR = 100 }; /* bytes */
    const size_t after = i > 0 ? w->end[i - 1] : 0, start = w->start[i];
    uint64_t number = 0;
    for (size_t b = start; b > after && start - b < NEAR; b--)
        if (w->text[b - 1] >= '0' && w->text[b - 1] <= '9') {
            number = number * 31 + (uint64_t)(w->text[b - 1] - '0' + 1);
            *at = b - 1;
        }
    return number;
}

/* Sets the keys of the words: the number of the word, or its spelling where it has none, and the
 * digits before it. */
static void set_keys(const page *p, trib_witness *w, size_t *start, const uint32_t *word) {
    uint64_t *const key = trib_arena_new(p->collation.arena, w->n + 1, sizeof *key);
    w->key = key;
    for (size_t i = 0; key && i < w->n; i++) {
        key[i] = word[i] != p->results->vocab->other
                     ? word[i]
                     : trib_hash_bytes(w->text + start[i], w->end[i] - start[i]);
        if (p->has_numerals) key[i] += digits_before(w, i, &start[i]) << 32;
    }
}

/* Reads the texts of the versions; the caller releases decoded[n]. */
static trib_status read_witnesses(page *p, trib_quotes *quotes, const trib_texts *ids,
                                  trib_decoded_text *decoded, trib_error *error) {
    trib_collation *const c = &p->collation;
    size_t most = 0, least = SIZE_MAX, at;
    for (size_t i = 0; i < ids->n; i++) {
        trib_witness *const w = &c->witness[i];
        while (strcmp(p->results->corpus->document[w->document].about->id, ids->item[i]) != 0)
            w->document++;
        const trib_document_words *const words = &p->results->words->document[w->document];
        const trib_quoted *const quoted = &quotes->document[w->document];
        trib_status status = trib_quotes_prepare(quotes, w->document, error);
        if (status == TRIB_OK)
            status = trib_decode_text(&decoded[i], c->arena, &quoted->text.bytes, words->encoding,
                                      quoted->place, words->n_tokens, error);
        if (status != TRIB_OK) return status;
        w->about = p->results->corpus->document[w->document].about;
        snprintf(w->sigil, sizeof w->sigil, i < 26 ? "%c" : "%c%u", (char)('A' + i % 26),
                 (unsigned)(i / 26));
        w->text = decoded[i].text.text;
        w->start = decoded[i].start;
        w->end = decoded[i].end;
        w->n = decoded[i].n;
        size_t n = 0;
        for (size_t k = 0; k < w->n; k++) n += digits_before(w, k, &at) > 0;
        most = n > most ? n : most;
        least = n < least ? n : least;
    }
    /* numbers of verses or pages that only some versions have are no readings */
    p->has_numerals = most <= 2 * least + 10;
    for (size_t i = 0; i < ids->n; i++)
        set_keys(p, &c->witness[i], decoded[i].start,
                 quotes->document[c->witness[i].document].word);
    c->paragraph = trib_arena_new(c->arena, decoded->n + 1, sizeof *c->paragraph);
    uint32_t n_paragraphs = 0;
    for (trib_text_block block = {0}; c->paragraph && trib_text_block_next(decoded, &block);) {
        for (size_t k = 0; k < block.n; k++) c->paragraph[block.first + k] = n_paragraphs;
        n_paragraphs++;
    }
    return trib_arena_check(c->arena, error);
}

/* ---- The stemma ------------------------------------------------------------------------------ */

/* Draws each version in a row, the earliest first, below and to the right of its parent. */
static void draw_stemma(page *p) {
    enum { STEP = 40, HALF = STEP / 2, WIDE = 400 };
    const trib_collation *const c = &p->collation;
    const trib_stemma_entry *const entry = p->stemma.entry;
    trib_report_open_region(p->html, "div", "Stemma");
    trib_svg_open(p->html, "stemma", "Proposed stemma of the versions");
    trib_svg_size(p->html, (double)(c->n_witnesses * HALF + WIDE), (double)(c->n_witnesses * STEP));
    for (size_t w = 0; w < c->n_witnesses; w++) {
        size_t depth = 0; /* the generations before it that are drawn */
        for (size_t v = w;
             entry[v].descent == TRIB_DESCENT_TOLD || entry[v].descent == TRIB_DESCENT_ONLY;
             v = entry[v].parent)
            depth++;
        const size_t x = depth * HALF + HALF, y = w * STEP + HALF;
        if (depth > 0)
            trib_report_say(p->html, "<path class='{s}' d='M{z} {z}V{z}H{z}'/>",
                            entry[w].descent == TRIB_DESCENT_ONLY ? "only" : "told", x - HALF,
                            entry[w].parent * (size_t)STEP + HALF, y, x);
        trib_report_say(p->html, "<circle cx='{z}' cy='{z}' r='6'/>", x, y);
        trib_svg_label(p->html, NULL, (double)x + 14, (double)y + 5, c->witness[w].about->title,
                       WIDE / TRIB_SVG_LETTER - 4);
    }
    trib_report_say(p->html, "</svg></div>");
}

static void write_stemma(page *p) {
    trib_report_say(p->html, "<section id='descent'><h2>Who descends from whom</h2><p>{s}</p>",
                    p->collation.n_witnesses == 2 ? "Two versions tell no descent."
                    : p->stemma.n_told == 0       ? "The readings do not tell, so no tree is drawn."
                    : p->stemma.is_dated
                        ? "A proposal: each version hangs from the earlier one that it differs "
                          "from at the fewest places, where the readings tell that one from all "
                          "others (at 1 %). A broken line is the word of the dates alone. Lost "
                          "versions, and a second parent, are not in it."
                        : "A proposal: each version hangs from the one that it differs from at the "
                          "fewest places, where the readings tell it from all others (at 1 %). "
                          "At a broken line they do not. Without dates they do not tell which is "
                          "earlier: the top is the first text, not the oldest.");
    if (p->stemma.n_told > 0) draw_stemma(p);
    trib_html_end(p->html);
}

/* Lists the versions, with what the readings say of the parent of each. */
static void write_table(page *p) {
    static const char *const ways[2][4] = {
        {"the first text", "joined first", "not told from the next", "told by the readings"},
        {"none is earlier", "the only earlier one", "not told from the next",
         "told by the readings"}};
    const char *const *const said = ways[p->stemma.is_dated];
    const trib_collation *const c = &p->collation;
    trib_report_open_table(p->html, "numbers",
                           p->stemma.is_dated ? "The versions, the earliest first" : "The versions",
                           "Version|Text|Date|#Words|#Unlike A|Nearest|How known|#Unlike it|"
                           "#Shared, not in A|Next|#Where they differ|#With the next");
    for (size_t w = 0; w < c->n_witnesses; w++) {
        const trib_stemma_entry *const e = &p->stemma.entry[w];
        const bool has_parent = e->parent != TRIB_NO_PLACE, has_rival = e->rival != TRIB_NO_PLACE;
        size_t n_unlike = 0;
        for (size_t s = 0; s < c->n_segments; s++)
            n_unlike += trib_reading_of(c, s, w)->number != trib_reading_of(c, s, 0)->number;
        trib_html_begin(p->html, "tr");
        trib_report_cells(p->html, "{s}|{t}|{s}|#{n}|#{n}|{s}|{s}|#{n}|#{n}|{s}|#{n}|#{n}",
                          c->witness[w].sigil, c->witness[w].about->title,
                          trib_report_text(c->witness[w].about->date), (double)c->witness[w].n,
                          (double)n_unlike, has_parent ? c->witness[e->parent].sigil : "",
                          said[e->descent], has_parent ? (double)e->differ : (double)NAN,
                          has_parent ? (double)e->shared : (double)NAN,
                          has_rival ? c->witness[e->rival].sigil : "",
                          has_rival ? (double)e->with : (double)NAN,
                          has_rival ? (double)e->against : (double)NAN);
        trib_html_end(p->html);
    }
    trib_report_close_table(p->html);
}

/* ---- The page -------------------------------------------------------------------------------- */

/* Writes the rules that show the words of the two versions that are chosen, and the choices. */
static void write_rules(page *p) {
    const trib_collation *const c = &p->collation;
    const size_t n = c->n_witnesses;
    trib_html_begin(p->html, "style");
    trib_html_raw(p->html,
                  "p>span>span{display:none}p>span>span+span{margin-inline-start:.25em}.stemma "
                  "path{fill:none;stroke:var(--water);stroke-width:2}"
                  ".stemma .only{stroke-dasharray:4 4}.stemma circle{fill:var(--water)}"
                  ".stemma text{fill:var(--ink)}fieldset{border:0;padding:0;margin:0 0 .75rem;"
                  "font:.875rem/1.6 var(--sans)}legend{padding:0;color:var(--muted)}"
                  ".apparatus{font-size:.875rem;border-left:2px solid "
                  "var(--rule);padding-left:1rem;list-style:none}");
    for (size_t w = 0; w < n * n; w++) {
        const char *const a = c->witness[w / n].sigil, *const b = c->witness[w % n].sigil;
        if (w < n)
            trib_html_print(p->html,
                            "body:has(#a%s:checked) .%s{display:inline;text-decoration:line-through"
                            ";background:var(--careground)}body:has(#b%s:checked) .%s{display:"
                            "inline;text-decoration:underline;background:var(--s1)}",
                            b, b, b, b);
        trib_html_print(p->html,
                        "body:has(#a%s:checked):has(#b%s:checked) .%s.%s{text-decoration:none;"
                        "background:none}",
                        a, b, a, b);
    }
    trib_html_end(p->html);
}

/* Writes the choice of one of the two versions. */
static void write_choice(page *p, const char *side, const char *title, size_t chosen) {
    trib_report_say(p->html, "<fieldset><legend>{s}</legend>", title);
    for (size_t w = 0; w < p->collation.n_witnesses; w++) {
        const char *const sigil = p->collation.witness[w].sigil;
        trib_report_say(p->html, "<label><input type='radio' name='{s}' id='{s}{s}'>", side, side,
                        sigil);
        if (w == chosen) trib_html_attribute(p->html, "checked", "%s", "");
        trib_html_end(p->html);
        trib_report_say(p->html, " {s}</label> ", sigil);
    }
    trib_html_end(p->html);
}

static trib_status write_page(const void *what, trib_writer *writer, trib_error *error) {
    page here = *(const page *)what, *const p = &here;
    const trib_collation *const c = &p->collation;
    trib_html html;
    trib_html_init(&html, writer);
    html.is_terse = true;
    p->html = &html;
    trib_report_open_page(&html, "Versions", c->witness->about->title, NULL, false);
    write_rules(p);
    trib_report_say(&html,
                    "<a class='skip' href='#text'>Skip to the text</a><header class='masthead'>"
                    "<p class='brand'><a href='../report.html'>The report</a></p><h1>Versions of "
                    "{t}</h1><p class='question'>{z} texts, {n} places of variation. Punctuation "
                    "and case are not compared{s}.</p></header><main>",
                    c->witness->about->title, c->n_witnesses, (double)c->n_places,
                    p->has_numerals ? "" : ", nor are numerals, which not all have");
    write_table(p);
    write_stemma(p);
    trib_report_say(&html, "<section id='text'><h2>What differs</h2>");
    write_choice(p, "a", "Struck: only in", 0);
    write_choice(p, "b", "Underlined: only in", c->n_witnesses - 1);
    trib_collation_write_text(&html, c, false);
    trib_report_say(&html, "</section></main>");
    trib_report_close_page(&html, NULL, false);
    trib_html_release(&html);
    if (writer->failure.status != TRIB_OK && error) *error = writer->failure;
    return writer->failure.status;
}

bool trib_report_has_versions(const trib_report *report) { return report->result->versions.n > 0; }

void trib_report_versions(trib_report *report) {
    const trib_version_records *const versions = &report->result->versions;
    for (size_t v = 0; v < versions->n; v++) {
        const trib_texts *const texts = &versions->item[v].texts;
        trib_report_say(&report->html, "<p>{n} texts are versions of one: ", (double)texts->n);
        for (size_t i = 0; i < texts->n; i++) {
            trib_report_join(&report->html, i, texts->n);
            trib_report_say(&report->html, "{t}", trib_report_title(report, texts->item[i]));
        }
        trib_html_text(&report->html, ". ");
        if (versions->item[v].is_read)
            trib_html_link(&report->html, "What differs, and who descends from whom",
                           "%sversions/%s.html", report->data, texts->item[0]);
        trib_html_end(&report->html);
    }
}

/* ---- The files ------------------------------------------------------------------------------- */

static trib_status write_files(trib_run_directory *directory, const page *p, trib_error *error) {
    const trib_config *const config = p->results->config;
    const struct {
        bool is_wanted;
        const char *suffix;
        trib_file_write *write;
        const void *what;
    } files[] = {{config->report.csv, "csv", trib_collation_write_csv, &p->collation},
                 {config->report.tei, "tei.xml", trib_collation_write_tei, &p->collation},
                 {config->report.alignments, "json", trib_collation_write_json, &p->collation},
                 {config->report.html, "html", write_page, p}};
    trib_buffer name = {0};
    trib_status status = TRIB_OK;
    for (size_t f = 0; f < sizeof files / sizeof *files && status == TRIB_OK; f++) {
        trib_buffer_clear(&name);
        status = trib_buffer_print(&name, error, "versions/%s.%s", p->collation.witness->about->id,
                                   files[f].suffix);
        if (status == TRIB_OK && files[f].is_wanted)
            status =
                trib_directory_write(directory, name.text, files[f].write, files[f].what, error);
    }
    trib_buffer_release(&name);
    return status;
}

static trib_status write_versions(trib_run_directory *directory, trib_quotes *quotes,
                                  const trib_texts *ids, trib_error *error) {
    trib_arena arena = {0};
    page p = {.results = quotes->results, .collation = {.n_witnesses = ids->n, .arena = &arena}};
    trib_decoded_text *const decoded = trib_arena_new(&arena, ids->n, sizeof *decoded);
    p.collation.witness = trib_arena_new(&arena, ids->n, sizeof *p.collation.witness);
    trib_status status = trib_arena_check(&arena, error);
    if (status == TRIB_OK) status = read_witnesses(&p, quotes, ids, decoded, error);
    if (status == TRIB_OK) status = trib_versions_collate(&p.collation, quotes, error);
    if (status == TRIB_OK) p.stemma = trib_stemma_make(&p.collation);
    if (status == TRIB_OK) status = trib_arena_check(&arena, error);
    if (status == TRIB_OK) status = write_files(directory, &p, error);
    for (size_t w = 0; decoded && w < ids->n; w++) trib_buffer_release(&decoded[w].text);
    trib_arena_release(&arena);
    return status;
}

trib_status trib_versions_write(trib_run_directory *directory, const trib_run_results *results,
                                trib_error *error) {
    const trib_version_records *const versions = &results->result->versions;
    trib_quotes quotes = {0};
    if (versions->n == 0 || !trib_results_have_texts(results)) return TRIB_OK;
    trib_status status = trib_quotes_open(&quotes, results, error);
    if (status == TRIB_OK) status = trib_directory_make(directory, "versions", error);
    for (size_t v = 0; v < versions->n && status == TRIB_OK; v++) {
        trib_quotes_enter(&quotes);
        status = write_versions(directory, &quotes, &versions->item[v].texts, error);
        trib_quotes_leave(&quotes);
    }
    trib_quotes_close(&quotes);
    return status;
}
