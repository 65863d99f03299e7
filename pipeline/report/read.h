/* read.h - what the files of the reading page share. Private to pipeline/report. */
#ifndef TRIBUTARY_REPORT_READ_H
#define TRIBUTARY_REPORT_READ_H

#include "pipeline/report/report.h"
#include "pipeline/support/json.h"

/* The text of a target as its page shows it. Everything is borrowed. */
typedef struct trib_read_page {
    const trib_report *report;
    const trib_report_target *target;
    size_t number; /* of the target, from 0 */
    const json_t *sources, *passages, *blocks;
    size_t n_sources;
    double n_words, traced;
    bool is_right_to_left; /* by the first letters of the text */
} trib_read_page;

/* `text` is the contents of read/ID.json. Adds to its passages the member "block": the first word
 * of the block with their first word, which the page has as an id; and to the sources "is_read":
 * they have a reading page. */
void trib_read_page_open(trib_read_page *reading, const trib_report *report, size_t target,
                         json_t *text);
/* The number of the source of a passage, both from the lists; passages are numbered from 1. */
static inline size_t trib_read_page_source(const trib_read_page *reading, size_t passage) {
    const double s = trib_json_get_number(json_array_get(reading->passages, passage - 1), "source");
    return s >= 0 && s < (double)reading->n_sources ? (size_t)s : 0;
}
/* Adds the attribute href of the place of a passage in its source (read_beside.c). */
void trib_read_page_address(trib_html *html, const trib_read_page *reading, size_t passage);
/* Writes the part of the page for the places in the sources. */
void trib_read_page_places(trib_html *html, const trib_read_page *reading);
/* Writes the places of a part, from 1. */
void trib_read_page_part(trib_html *html, const trib_read_page *reading, size_t part);
/* Writes the strip of the whole text (read_beside.c). */
void trib_read_page_strip(trib_html *html, const trib_read_page *reading);

#endif
