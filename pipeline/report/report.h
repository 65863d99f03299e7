/* report.h - what the sections of report.html share: the result, read into the few structs they all
 * ask for. A number the result lacks is NaN, a text it lacks "". Private to the report_*.c
 * files. */
#ifndef TRIBUTARY_REPORT_REPORT_H
#define TRIBUTARY_REPORT_REPORT_H

#include "pipeline/output/result.h"
#include "pipeline/report/html.h"
#include "pipeline/support/embedded.h"

/* What the headline method says of one source. */
typedef struct trib_report_share {
    const char *id, *title;
    double share, low, high; /* low, high: NaN when not computed */
    bool below;              /* the noise floor */
    bool decoy;
    size_t place; /* in the list of the result */
} trib_report_share;

typedef struct trib_report_target {
    const json_t *json;
    const json_t *headline; /* of "methods" */
    const json_t *document; /* of "documents" */
    const char *id, *title;
    double n_grams; /* of the target */
    double floor;
    /* [n_shares] those that flow first; then by descending share, ties by id */
    trib_report_share *share;
    size_t n_shares, n_flowing;
    size_t n_sources; /* of which many may have no share, and no row */
} trib_report_target;

/* How the sentences speak of a method. */
typedef struct trib_report_method {
    const char *name;   /* NULL: any other */
    const char *verb;   /* "draws", of a target */
    const char *of;     /* what a share is a share of, after its number; %s is "3-grams" */
    const char *from;   /* between the share and the source */
    const char *author; /* what is left to the author, after its number */
    bool by_factors;
} trib_report_method;

struct trib_report {
    const json_t *result;
    const char *file, *folder; /* names of the report and of what holds the pages of the targets */
    const char *data; /* what a link to a file of the run begins with; "" when they lie beside it */
    bool is_many;     /* every target has a page of its own */
    size_t page;      /* the one being written */
    trib_html html;
    const trib_report_method *headline;
    const char *headline_name;
    bool sums_to_one;               /* the headline's shares and author */
    char ngrams[32];                /* "3-grams" */
    double threshold, cards_within; /* of lowe; of its cards, smaller when that was moved up */
    trib_report_target *target; /* [n_targets] of this page: all of them, or the one it is about */
    size_t n_targets;
    trib_report_target *targets; /* [n_all_targets] */
    size_t n_all_targets;
    trib_report_share *shares; /* of all targets, target[t].share points into it */
    const json_t **document;   /* [n_documents] sorted by id */
    size_t n_documents;
};

/* Reads a result into an empty report; everything in the report points into it. */
trib_status trib_report_read(trib_report *report, const json_t *result, trib_error *error);
void trib_report_release(trib_report *report);

/* Fields of a JSON object; NaN, "" and false where there is none of that type. */
double trib_report_number(const json_t *object, const char *key);
const char *trib_report_string(const json_t *object, const char *key);
bool trib_report_flag(const json_t *object, const char *key);
/* A setting, which the result keeps as a text; NaN when it is no number. */
double trib_report_setting(const trib_report *report, const char *group, const char *key);

/* O(log documents); the id itself and NULL when there is none of it. */
const char *trib_report_title(const trib_report *report, const char *id);
const json_t *trib_report_document(const trib_report *report, const char *id);
size_t trib_report_place(const trib_report *report,
                         const char *id); /* in report->document; n_documents: in none */
const trib_report_method *trib_report_method_find(const char *name);

/* "a <bdi>", "b" and "c": the i-th of n items is preceded by what it needs. */
void trib_report_join(trib_html *html, size_t i, size_t n);
void trib_report_percent(trib_html *html, double fraction); /* in a sentence: 16.4 %, 0.36 % */
/* A cell of a table: number right-aligned. */
void trib_report_percent_cell(trib_html *html, double fraction, int decimals);
void trib_report_count_cell(trib_html *html, double count);
/* Words of an n-gram in order. */
void trib_report_phrase(trib_html *html, const json_t *words);
/* Opens a box that scrolls by itself, for wide tables; end it twice. */
void trib_report_open_table(trib_html *html, const char *class_name, const char *caption);
void trib_report_close_table(trib_html *html);
void trib_report_header_cell(trib_html *html, const char *class_name, const char *text);
/* "12 of 340 shown", when not all are. */
void trib_report_shown(trib_html *html, size_t shown, double all, const char *what);
/* A link to something in the report's first page, from whichever page this is. */
void trib_report_link(trib_report *report, const char *anchor, const char *text);
/* A link to the page of a target, when it has one, else its title. */
void trib_report_target_link(trib_report *report, const trib_report_target *target);
/* The heading of a target inside a section: <h3 id="SECTION-NUMBER">. */
void trib_report_target_heading(trib_report *report, const char *section, size_t t);

/* What the methods of the run measure. */
void trib_report_meanings(trib_report *report);
/* Whether a target has so many sources that its page tells of noise in tables alone. */
bool trib_report_is_brief(const trib_report_target *target);
/* Whether such a target is so short that its phrases and passages show most of it. */
bool trib_report_is_short(const trib_report_target *target);
/* Whether this is the page of such a target: it has no charts, and its explanations stand on the
 * first page. */
bool trib_report_is_short_page(const trib_report *report);
/* Whether a source, by its "source", lies above the noise floor of the target and is no decoy. */
bool trib_report_flows(const trib_report_target *target, const json_t *source);
/* Inside section evidence: passages side by side, and where along the target its sources are
 * present. */
void trib_report_passages(trib_report *report, const trib_report_target *target,
                          const json_t *source);
void trib_report_strips(trib_report *report, const trib_report_target *target);

/* <head> with style and the title "SUBJECT . OF"; the script, at the end of the body. */
void trib_report_head(trib_html *html, const char *subject, const char *of, const char *shared);
void trib_report_tail(trib_html *html, const char *shared);

/* report.css and report.js, in this order, embedded by the build without their comments. */
extern const trib_embedded_file trib_report_files[];

/* On the first page, what the sections of a short page show. */
void trib_report_reading(trib_report *report);
/* The first sentences of the answer: what flows into the target, and what is left to its author. */
void trib_report_answer_lead(trib_report *report, const trib_report_target *target);
void trib_report_warnings(trib_report *report); /* of the run */
/* Beside the distances: what is to be said of methods that compare factors, when the headline does
 * not. */
void trib_report_factor_caveats(trib_report *report, const trib_report_target *target);
void trib_report_limits_link(trib_report *report);
/* The sections, in the order of the page. A section is left out when `has` says so. */
void trib_report_answer(trib_report *report);
void trib_report_answers(trib_report *report); /* of many targets, on the first page */
void trib_report_shares(trib_report *report);
void trib_report_all_shares(trib_report *report); /* the same */
bool trib_report_has_map(const trib_report *report);
void trib_report_map(trib_report *report);
bool trib_report_has_network(const trib_report *report);
void trib_report_network(trib_report *report);
bool trib_report_has_evidence(const trib_report *report);
void trib_report_evidence(trib_report *report);
bool trib_report_has_matches(const trib_report *report);
void trib_report_matches(trib_report *report);
bool trib_report_has_distances(const trib_report *report);
void trib_report_distances(trib_report *report);
bool trib_report_has_own(const trib_report *report);
void trib_report_own(trib_report *report);
bool trib_report_has_quality(const trib_report *report);
void trib_report_quality(trib_report *report);
void trib_report_ranks(trib_report *report); /* with `cp.rank: auto`; part of the quality */
size_t trib_report_n_documents(const trib_report *report);
const json_t *trib_report_factors(const trib_report *report, size_t d); /* NULL: none */
void trib_report_made(trib_report *report);
void trib_report_data(trib_report *report);

#endif
