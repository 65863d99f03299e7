/* report.h - the room `report`: the pages of a report, made from the record of the result
 * (pipeline/result) alone. Each section of a page has a file, and a row in the table of report.c; a
 * chart is a function of pipeline/report/svg.h. The first sentences of the answer are in answer.c.
 * For a new section write a file, declare its functions at the end of this header and add the row;
 * colours and layout are in files/report.css, the optional tools in files/report.js.
 *
 * This header has the structs that the sections share. A number that the result lacks is NaN. */
#ifndef TRIBUTARY_REPORT_REPORT_H
#define TRIBUTARY_REPORT_REPORT_H

#include <inttypes.h>

#include "pipeline/output/flow_map.h"
#include "pipeline/output/output.h"
#include "pipeline/report/pages.h"
#include "pipeline/result/running_text.h"
#include "pipeline/result/shown.h"
#include "pipeline/support/html.h"
#include "pipeline/support/path.h"
#include "pipeline/support/tables.h"

typedef struct trib_report_target {
    /* Of several targets, only on the page of the target; NULL elsewhere. */
    const trib_target_record *record;
    const trib_influence_record *headline; /* of a target that has none, all is unknown */
    const trib_document_record *document;  /* of one that is not in the list, all is unknown */
    const char *id, *title;
    double floor, author, formula;
    /* Sources above the floor first; then by descending share, ties by id. Those below it are there
     * only where `record` is. */
    trib_shown_shares shares;
    size_t n_flowing;
    double below;             /* sum of the shares below the floor */
    size_t n_flowing_sources; /* members of the groups counted singly */
    size_t n_allusions;       /* pairs of places that may be allusions */
    size_t n_sources;         /* all sources; those without a share may have no row */
    /* the longest passage, one that is shown if there are: its words (0: there is none) and the id
     * of its source */
    uint64_t longest;
    const char *longest_source;
    bool has_evidence, has_notable; /* has_notable: with a notable passage of any source */
    trib_texts shown;               /* ids of the sources whose evidence is shown */
} trib_report_target;

/* A text with a reading page. */
typedef struct trib_report_read_page {
    const char *id, *title;
    const trib_document_record *document;
    const trib_report_target *target; /* NULL: it is only a source */
} trib_report_read_page;

/* The words for a method in sentences. */
typedef struct trib_report_method {
    const char *name;   /* NULL: every other method */
    const char *verb;   /* after the target: "draws" */
    const char *of;     /* after the number: what a share is a part of; %s is "3-grams" */
    const char *from;   /* between the share and the source */
    const char *author; /* after the number: the part that is left to the author */
    bool by_factors;
} trib_report_method;

/* A passage that a target shares with a source (finds.c). */
typedef struct trib_find {
    const trib_passage_record *passage; /* NULL: only the text is there */
    const char *json;                   /* its text in influence.json, of `length` bytes */
    size_t length;
    const trib_report_target *target;
    size_t source;   /* place in the documents of the result */
    size_t number;   /* in the order of the result, from 0 */
    double rarity;   /* the sum over its shared words; NaN: not in the result */
    uint64_t shared; /* words that both sides hold */
} trib_find;

struct trib_report {
    const trib_result *result;
    const char *only; /* id of the one target whose page is wanted; NULL: all pages are */
    /* names of the report's file and of the folder with the pages of the targets */
    const char *file, *folder;
    /* the start of links to files of the run; "" when the page is in the same directory */
    const char *data;
    /* the directory with read/ID.json; NULL: the report has no reading pages */
    const char *run_directory;
    trib_report_read_page *reading; /* [n_readings] the targets and other texts with such a page */
    size_t n_readings;
    bool is_site;         /* with a page of each passage, published */
    bool writes_readings; /* the reading pages are pages of this report */
    bool is_many;         /* there are several targets, and each has a page of its own */
    bool is_on_demand;    /* these pages are only made when they are asked for */
    bool has_details;     /* every target has its record; false: pages read those of theirs */
    size_t page;          /* number of the page that is being written; 0: the first */
    trib_html html;
    trib_arena *arena; /* of the page that is being written */
    trib_flow_map map; /* of that page, once it was asked for */
    trib_arena own;    /* for what lives as long as the report */
    const trib_report_method *headline;
    bool sums_to_one;           /* the headline's shares and the author's part */
    bool has_distances;         /* of up to TRIB_ALL_WRITTEN targets: one of them has distances */
    char ngrams[32];            /* "3-grams" */
    trib_report_target *target; /* [n_targets] the targets of this page: all, or one */
    size_t n_targets;
    trib_report_target *targets; /* [n_all_targets] */
    size_t n_all_targets;
    uint32_t *target_of; /* [documents] index of the target, from 1; 0: it is none */
    trib_find *find;     /* [n_finds] the rarest passages of all targets, the rarest first */
    size_t n_finds, n_all_finds, finds_cap;
};

/* What targets are read for: for their sentences, for all pages, or for one page of all. */
typedef enum trib_report_way {
    TRIB_REPORT_SENTENCES,
    TRIB_REPORT_PAGES,
    TRIB_REPORT_DETAILS
} trib_report_way;
/* Reads a result into a report that has its names and `only`; the report points into the result. */
trib_status trib_report_read(trib_report *report, const trib_result *result, trib_report_way way,
                             trib_error *error);
/* Reads target t with its details into the arena of the page. */
trib_status trib_report_read_target(const trib_report *report, size_t t, trib_report_target *target,
                                    trib_error *error);
void trib_report_release(trib_report *report);

/* A count; NaN: it is absent. A text; "": it is absent. */
static inline double trib_report_number(uint64_t count) {
    return count == TRIB_ABSENT ? (double)NAN : (double)count;
}
static inline const char *trib_report_text(const char *text) { return text ? text : ""; }

/* A setting of the run, such as "tensor.n"; NaN when it is not a number. */
double trib_report_setting(const trib_report *report, const char *key);
/* The language of a document, or of the corpus when it is NULL; empty: it is not known or that of
 * the page. */
const char *trib_report_language(const trib_report *report, const trib_document_record *document);
/* Names the language of the document `id`, or of the corpus when `id` is NULL, to `html`, for the
 * words that are written next, when it is known and not that of the page. */
void trib_report_set_language(const trib_report *report, trib_html *html, const char *id);
/* Whether influence.floor is auto: the floor is that of the headline method, or that of a decoy. */
bool trib_report_has_own_floor(const trib_report *report);

/* The title and the document of an id, in O(log documents); the id itself, and a document of which
 * all is unknown, when there is no such document. */
const char *trib_report_title(const trib_report *report, const char *id);
const trib_document_record *trib_report_document(const trib_report *report, const char *id);
size_t trib_report_place(const trib_report *report,
                         const char *id); /* in result->documents; its n: not found */
const trib_report_method *trib_report_method_find(const char *name);

/* Writes what comes before the i-th of n items in a sentence: nothing, ", " or " and ". */
void trib_report_join(trib_html *html, size_t i, size_t n);
/* Writes a part of a target as printed (trib_shown_shares), with the decimals of its target. */
void trib_report_part(trib_html *html, const trib_report_target *target, double printed);
/* Writes a sentence with elements and parts in it. An element begins with <NAME KEY='VALUE'> and
 * ends with </NAME> or />; one that is left open is closed by trib_html_end, or by a later
 * sentence. The attribute `lang` without a value is the language of the texts, where it is known.
 * A part stands for an argument, in their order:
 *   {t} a text of any origin (trib_html_foreign); {s} another text; {c} one in <code>
 *   {z} a size_t; {n} a number in groups of digits (double); {f2} one with 2 decimals
 *   {p} a fraction for a sentence: 16.4 %, 0.36 %; {p1} one in per cent with 1 decimal
 * Values of attributes have parts, too. */
void trib_report_say(trib_html *html, const char *sentence, ...);
void trib_report_say_parts(trib_html *html, const char *sentence, va_list *parts);
/* The words of an n-gram in order. */
void trib_report_phrase(trib_html *html, const trib_texts *words);
/* Opens an element that scrolls when it is wider than the page; `label` names it. */
void trib_report_open_region(trib_html *html, const char *name, const char *label);
/* A table, in a box that scrolls: open_table, the rows, close_table. `columns` are the titles with
 * | between them, those of numbers after a #; they have parts like a sentence. Where the columns
 * depend on the result: open_head, columns as often as needed, open_rows. */
void trib_report_open_table(trib_html *html, const char *class_name, const char *caption,
                            const char *columns, ...);
void trib_report_open_head(trib_html *html, const char *class_name, const char *caption);
void trib_report_columns(trib_html *html, const char *columns, ...);
void trib_report_open_rows(trib_html *html);
void trib_report_close_table(trib_html *html);
/* Cells of a row, like columns: "#{n}|#{p1}|{t}". */
void trib_report_cells(trib_html *html, const char *cells, ...);
/* Writes an interval in an element of class "n": "1.2 % to 3.4 %". Nothing when low > high or one
 * of them is NaN. */
void trib_report_interval(trib_html *html, const char *name, double low, double high);
/* How many of n rows a table of all texts or targets has: the first page of a large corpus shall
 * stay small. */
enum { TRIB_REPORT_MANY_ROWS = 500, TRIB_REPORT_ROWS = 100 };
size_t trib_report_rows(size_t n);
/* Writes "100 of 7126 texts shown; all are in documents.csv" when not all have a row. */
void trib_report_rows_shown(trib_report *report, size_t n, const char *what, const char *file);
/* Writes "12 of 340 shown" when not all are shown. */
void trib_report_shown(trib_html *html, size_t shown, double all, const char *what);
/* Whether a document has a reading page. O(log documents + readings of texts that are no
 * target). */
bool trib_report_has_reading(const trib_report *report, const char *id);
/* Writes words of a document, as a link to its word `first` (from 1) on its reading page, or to the
 * page when `first` is 0; without a link when there is no such page. */
void trib_report_read_link(trib_report *report, const char *id, double first, const char *text);
/* Draws a row of the strip of a reading page, TRIB_STRIP_ROW high: in each bin a bar, the higher
 * the more of its words are in passages of source s (`is_rest`: of all sources from s on). */
enum { TRIB_STRIP_ROW = 10, TRIB_STRIP_BINS = 120 };
void trib_report_strip_row(trib_html *html, const trib_running_text *text, size_t s, bool is_rest,
                           size_t n_bins);
/* Writes a reading page, part 0, or one of the parts with the places in the other texts, which a
 * long text has (read.c). */
trib_status trib_report_write_reading(const trib_report *report, size_t reading, size_t part,
                                      trib_writer *writer, trib_error *error);
size_t trib_report_n_places(const trib_report *report, size_t reading); /* number of these parts */
/* A link to an element of the first page, from any page. */
void trib_report_link(trib_report *report, const char *anchor, const char *text);
/* A link to the page of a target when it has one, else its title. */
void trib_report_target_link(trib_report *report, const trib_report_target *target);
/* Draws the origin of the target's mass: streams as wide as the headline shares, which join into
 * one (shares.c). */
void trib_report_river(trib_report *report, const trib_report_target *target);
/* The target with an id, whatever the page; NULL: none. */
const trib_report_target *trib_report_target_of(const trib_report *report, const char *id);
/* The passage of a find, read into the arena where only its text is there. */
const trib_passage_record *trib_report_passage(const trib_report *report, size_t find,
                                               trib_arena *arena);
/* The pages of passages of a site, from 0, as trib_report_page_name and trib_report_write_page. */
size_t trib_report_n_passage_pages(const trib_report *report);
trib_status trib_report_passage_name(const trib_report *report, size_t page, trib_buffer *name,
                                     trib_error *error);
trib_status trib_report_write_passage(const trib_report *report, size_t page, trib_writer *writer,
                                      trib_error *error);
/* Writes who made a site and its licence, as far as the settings say it. */
void trib_report_credit(trib_html *html, const trib_result *result);
/* Begins a link to the evidence of a source in a target, from any page; where none is shown, to the
 * target's shares or page. */
void trib_report_open_pair(trib_report *report, const trib_report_target *target,
                           const char *source);
/* Adds the "id" that such a link leads to, to the element that was just begun. */
void trib_report_pair_id(trib_html *html, const trib_report_target *target, const char *source);

/* The table with the shares by every method; nothing when there is one (methods.c). */
void trib_report_methods(trib_report *report, const trib_report_target *target);
/* Explains what each method of the run measures. */
void trib_report_meanings(trib_report *report);
/* Whether a target has so many sources that sources below the floor are only in tables. */
bool trib_report_is_brief(const trib_report_target *target);
/* The number of the sources of a target that are decoys. */
size_t trib_report_n_decoys(const trib_report_target *target);
/* Whether the evidence leaves out sources that tell nothing: with many sources, or many targets. */
bool trib_report_is_selective(const trib_report *report, const trib_report_target *target);
/* Whether a source is above the noise floor or shares a notable passage, which is evidence whatever
 * the share. `record`: that of the target. */
bool trib_report_is_telling(const trib_report *report, const trib_report_target *target,
                            const trib_target_record *record, const char *source);
/* Whether such a target is short (trib_target_is_short): its phrases and passages show most of its
 * text, and each place is listed with one source. */
bool trib_report_is_short(const trib_report_target *target);
/* Whether this is the page of such a target: it has no charts, a passage is quoted once, and the
 * explanations are on the first page. */
bool trib_report_is_short_page(const trib_report *report);
/* Whether a source is above the noise floor of the target and not a decoy. */
bool trib_report_flows(const trib_report_target *target, const char *source);
/* Whether the run wrote no texts to read because they are short (trib_results_have_texts). */
bool trib_report_has_short_texts(const trib_report *report);
/* Below the answer: the longest passage and the one with the rarest words, target and source side
 * by side. Nothing when there is no passage. */
void trib_report_chosen_passages(trib_report *report, const trib_report_target *target);
/* Part of the section about shares: the ranking of a target's sources. */
void trib_report_ranking(trib_report *report, const trib_report_target *target);
/* Parts of the section evidence: passages side by side, and the places of the target where its
 * sources are present. */
void trib_report_passages(trib_report *report, const trib_report_target *target,
                          const trib_evidence_record *source);
void trib_report_strips(trib_report *report, const trib_report_target *target);
/* Quotes places of two documents side by side, the shared words marked, with the numbers of their
 * words below. */
void trib_report_beside(trib_report *report, const trib_place_record *here, const char *target,
                        const trib_place_record *there, const char *source);
/* Writes a passage like this, or, if it is translated, unit by unit. */
void trib_report_passage_beside(trib_report *report, const trib_passage_record *passage,
                                const char *target, const char *source);

/* The name of a passage: both ids, and the first and the last word in both. */
#define TRIB_KEY "%s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
void trib_report_key(trib_html *html, const char *target, const trib_place_record *here,
                     const char *source, const trib_place_record *there);

/* Says what the number of the element that was just begun is of, so that the page can compute it
 * again (numbers.js): the row of a source or of a group, or, NULL, the author of the target. */
void trib_report_of(trib_html *html, const char *attribute, const trib_report_target *target,
                    const trib_shown_row *row);

/* ---- Shares of many targets or runs (side_by_side.c) ----------------------------------------- */

/* What a source gives to a target in one of the runs; without a share, the author's part of it. */
typedef struct trib_flow {
    const trib_report_target *target;
    const trib_shown_row *share; /* NULL: of the author */
    size_t run;
} trib_flow;

/* Lists every share of every target of n_runs runs, and the author's part, in an order of
 * trib_flow. The caller releases the list with trib_free; it is NULL after an error, which is
 * recorded in the writer. */
trib_flow *trib_flows_list(trib_html *html, const trib_report *report, size_t n_runs, size_t *n,
                           int (*order)(const void *, const void *));
/* Writes the cell of a share with its interval below, in parentheses when it is below the floor or
 * a decoy's; `flow` NULL: not a source, a dash. */
void trib_flow_cell(trib_html *html, const trib_flow *flow);

/* ---- Pages ----------------------------------------------------------------------------------- */

/* Begins a page: <head> with the style and the title "SUBJECT . OF", and <body>; close_page ends it
 * with the script. `shared`: the folder of the files with both, as seen from the page: "" or with a
 * final '/'; NULL: the page contains them. A reading page has the style of the report and its own,
 * and its own script. */
void trib_report_open_page(trib_html *html, const char *subject, const char *of, const char *shared,
                           bool is_reading);
void trib_report_close_page(trib_html *html, const char *shared, bool is_reading);

/* The style sheets and scripts, embedded by the build without their comments (Makefile). */
enum {
    TRIB_REPORT_STYLE_SHEET,
    TRIB_REPORT_SCRIPT,
    TRIB_READ_STYLE_SHEET,
    TRIB_READ_SCRIPT,
    TRIB_REPORT_N_FILES
};
extern const trib_embedded_file trib_report_files[];

/* On the first page: explains the elements that the sections of a short page show. */
void trib_report_reading(trib_report *report);
/* The first sentences of the answer: what flows into the target, and the part left to its
 * author. */
void trib_report_first_sentence(trib_report *report, const trib_report_target *target);
/* Writes the interval of a share. The first of a sentence says what it is. It stands in brackets of
 * its own or, after a comma, in those of the share. */
void trib_report_share_interval(trib_html *html, const trib_report_target *target,
                                const trib_shown_row *row, bool is_first, bool has_brackets);
/* The row of a source whose words the answer names; NULL: there is none, as in a group. */
const trib_shown_row *trib_report_words_row(const trib_report *report,
                                            const trib_report_target *target, const char *source);
/* Writes the words of a row, "8 646 (36.5 %, 90 % interval 35.8 % to 41.2 %)", and ", 6 117 of them
 * word for word" where that is known. */
void trib_report_words(trib_html *html, const trib_report_target *target, const trib_shown_row *row,
                       bool is_first);
void trib_report_same_words(trib_html *html, const trib_report_target *target,
                            const trib_shown_row *row);
void trib_report_answer_lead(trib_report *report, const trib_report_target *target);
void trib_report_warnings(trib_report *report); /* warnings of the run */
/* Beside the distances: cautions about methods that compare factors, when the headline method
 * does not. */
void trib_report_factor_caveats(trib_report *report, const trib_report_target *target);
void trib_report_limits_link(trib_report *report);
/* The sections, in the order of the page. A section is omitted when its `has` function returns
 * false. Those of a target are about report->target, the only one of the page. */
void trib_report_answer(trib_report *report);
void trib_report_answers(trib_report *report); /* of many targets, on the first page */
void trib_report_shares(trib_report *report);
void trib_report_all_shares(trib_report *report); /* of many targets, on the first page */
/* A file of the list of finds has TRIB_FINDS_MOST. A report of many targets has at most
 * TRIB_FINDS_FILES of them, a single page one. The others, which are weaker, are on the pages of
 * the targets, and in passages.tsv. */
enum { TRIB_FINDS_MOST = 10000, TRIB_FINDS_FILES = 10 };
/* Adds the passages of a target to report->find, which trib_report_release releases, and puts them
 * in order when all are added. All finds of a result that was judged are kept whole. */
trib_status trib_report_finds_add(trib_report *report, size_t target,
                                  const trib_target_record *record, trib_error *error);
trib_status trib_report_finds_finish(trib_report *report, trib_error *error);
/* The number of files of the list: 1 or more; of a single page, which has the list itself, 1.
 * Writes one, from 0. */
size_t trib_report_n_finds_files(const trib_report *report);
void trib_report_finds_data(const trib_report *report, size_t file, trib_writer *writer);
bool trib_report_has_finds(const trib_report *report);
void trib_report_finds(trib_report *report);
void trib_report_curated(trib_report *report); /* at the head of a page, when it was judged */
bool trib_report_has_versions(const trib_report *report);
void trib_report_versions(trib_report *report);
bool trib_report_has_accepted(const trib_report *report);
void trib_report_accepted(trib_report *report);
bool trib_report_has_map(const trib_report *report);
void trib_report_map(trib_report *report);
/* The flows between all texts, read once for a page. NULL after a failure, which the writer has. */
const trib_flow_map *trib_report_flow_map(trib_report *report);
/* The class of a share on the logarithmic scale of the map: 0, below 0.1 %, to 6. */
unsigned trib_report_shade(double share);
/* The figure of the section about the network: edges of the graph, by descending share (time.c). */
void trib_report_time(trib_report *report, const trib_edge_record **edge, size_t n_edges);
bool trib_report_has_network(const trib_report *report);
void trib_report_network(trib_report *report);
bool trib_report_has_evidence(const trib_report *report);
void trib_report_evidence(trib_report *report);
bool trib_report_has_parallels(const trib_report *report);
void trib_report_parallels(trib_report *report);
void trib_report_matches(trib_report *report);
bool trib_report_has_distances(const trib_report *report);
void trib_report_distances(trib_report *report);
bool trib_report_has_formulas(const trib_report *report);
void trib_report_formulas(trib_report *report);
bool trib_report_has_phrasing(const trib_report *report);
void trib_report_phrasing(trib_report *report);
bool trib_report_has_own(const trib_report *report);
void trib_report_own(trib_report *report);
bool trib_report_has_quality(const trib_report *report);
void trib_report_quality(trib_report *report);
void trib_report_limits(trib_report *report);
void trib_report_made(trib_report *report);
void trib_report_data(trib_report *report);
/* Whether report.formats names a format; a result without that setting has all formats. */
bool trib_report_has_format(const trib_report *report, const char *format);
/* Links to the table with the numbers of a figure, or to influence.json when the run wrote no
 * tables. */
void trib_report_numbers_in(trib_report *report, const char *table);

#endif
