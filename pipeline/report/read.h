/* read.h - what the files of the reading page share. Private to pipeline/report. */
#ifndef TRIBUTARY_REPORT_READ_H
#define TRIBUTARY_REPORT_READ_H

#include "pipeline/report/report.h"
#include "pipeline/result/running_text.h"

/* The text of a target as its page shows it. Everything is borrowed. */
typedef struct trib_read_page {
    const trib_report *report;
    const trib_report_target *target;
    size_t number; /* of the target, from 0 */
    const trib_running_text *text;
} trib_read_page;

/* Passages are numbered from 1. */
static inline const trib_running_passage *trib_read_page_passage(const trib_read_page *reading,
                                                                 size_t passage) {
    return &reading->text->passages.item[passage - 1];
}
/* Adds the attribute href of the place of a passage in its source (read_beside.c). */
void trib_read_page_address(trib_html *html, const trib_read_page *reading, size_t passage);
/* Writes the places in the sources: 0: on the page; else those of a part, from 1. */
void trib_read_page_places(trib_html *html, const trib_read_page *reading, size_t part);
/* Writes the strip of the whole text (read_beside.c). */
void trib_read_page_strip(trib_html *html, const trib_read_page *reading);

#endif
