/* pages.h - the pages that show a result in a browser. Private to pipeline. */
#ifndef TRIBUTARY_REPORT_PAGES_H
#define TRIBUTARY_REPORT_PAGES_H

#include "pipeline/config/document.h" /* TRIB_REPORT_TARGETS */
#include "pipeline/result/result.h"

/* The pages of a report, from a result alone (no clock, no path of this machine in them): the
 * report itself, and of several targets one more for each of them, in a folder beside it, which the
 * report links to. */
typedef struct trib_report trib_report;
/* The result and both names, of the report's file and of the folder, are borrowed. With `only`, the
 * id of a target, borrowed, no other page than that of this target may be written; NULL: all may.
 * Where targets have pages of their own, their details are read when the page is written. */
trib_status trib_report_open(trib_report **report, const trib_result *result, const char *only,
                             const char *file, const char *folder, trib_error *error);
void trib_report_close(trib_report *report); /* NULL is legal */
/* Makes the report one of a site: it names its licence, and a page of each passage, the style sheet
 * that these share, and a list of all are pages of it, too. */
void trib_report_for_site(trib_report *report);
/* Says that the files of the run do not lie beside the report: `link`, borrowed, leads there and
 * ends in '/'. */
void trib_report_data_in(trib_report *report, const char *link);
/* Says where the run is, a borrowed path. When it has the texts of the targets (read/ID.json), the
 * pages link to the reading pages, read/ID.html, and `writes` makes these pages of the report.
 * TRIB_MEMORY. */
trib_status trib_report_reads(trib_report *report, const char *run_directory, bool writes,
                              trib_error *error);
/* Whether a run wrote no pages of its targets (report.target_pages). */
bool trib_pages_are_on_demand(const trib_result *result);
/* Adds the pages of all targets to those that the report writes, and links to them. */
void trib_report_demand_all(trib_report *report);
/* Whether a page is written with the others: not that of a target whose pages are on demand. */
bool trib_report_page_is_written(const trib_report *report, size_t page);
/* The number of the page of a target; 0 when there is none with this id, or one page for all. */
size_t trib_report_page_of(const trib_report *report, const char *id);
/* Whether the targets have pages of their own, in the folder. */
bool trib_report_has_folder(const trib_report *report);
size_t trib_report_n_pages(const trib_report *report);
/* Its name below the directory of the report: FILE for page 0, "FOLDER/ID.html" for the others. */
trib_status trib_report_page_name(const trib_report *report, size_t page, trib_buffer *name,
                                  trib_error *error);
/* Several threads may write pages of one report. */
trib_status trib_report_write_page(const trib_report *report, size_t page, trib_writer *writer,
                                   trib_error *error);
/* Page 0 alone. */
trib_status trib_report_write_html(const trib_result *result, trib_writer *writer,
                                   trib_error *error);
/* Appends the first sentence of the answer for each target as plain text, a line each; of more than
 * TRIB_REPORT_TARGETS one line for all. */
trib_status trib_report_sentences(const trib_result *result, trib_buffer *text, trib_error *error);
/* A run on a page of several. */
typedef struct trib_several {
    const trib_result *result;
    const char *name; /* as it was named on the command line */
    const char *link; /* its report, as seen from the page */
} trib_several;
/* Writes a page with the shares of several runs side by side, and what differs between them
 * (several.c), to a file. */
trib_status trib_report_write_several(const trib_several *run, size_t n_runs, const char *path,
                                      trib_error *error);

#endif
