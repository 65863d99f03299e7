/* page.h - for the tests of the report: renders into memory, and checks pages strictly: every
 * tag must be balanced, every identifier unique, and every link must have a destination. */
#ifndef TRIBUTARY_TEST_PAGE_H
#define TRIBUTARY_TEST_PAGE_H

#include "base/base.h"
#include "pipeline/output/result.h"
#include "pipeline/report/pages.h"

/* The first fault of a page, or NULL; valid until the next call. */
const char *trib_page_fault(const char *page);

/* How often `part` occurs in `page`. */
size_t trib_page_count(const char *page, const char *part);

/* The record of a result; the last four of them are valid. */
const trib_result *trib_page_record(const json_t *result);
/* Writes the report of a result to a file. */
trib_status trib_page_render(const trib_result *result, const char *path, trib_error *error);
/* Renders the page of a result and checks it. The last eight pages are valid. */
char *trib_page_of(json_t *result);
/* A result with one target "t" with the title Target; `shares` is the JSON of the rows of
 * `method`, with apostrophes for quotes. */
json_t *trib_page_result(const char *method, const char *shares, const char *more);
/* Page `number` of the report, whose name is expected, with the texts of a run to read (NULL:
 * none). The last eight pages are valid. */
char *trib_page_number(const json_t *result, const char *run, size_t number, const char *name);
/* Sets a member or an item of a result, "targets/0/floor=0.03", or removes it where there is no
 * value; in the value stand apostrophes for quotes. */
void trib_page_change(json_t *result, const char *format, ...) TRIB_PRINTF(2, 3);
/* Expects sentences on the page of a result: each on a line after "+ ", or its absence after "- ".
 * Releases the result. */
void trib_page_lines(json_t *result, const char *lines);
/* Expects the sentence on the page of a result or, when `said` is false, its absence; the second
 * releases the result. */
void trib_page_says(const trib_result *result, const char *sentence, bool said);
void trib_page_expect(json_t *result, const char *sentence, bool said);

#endif
