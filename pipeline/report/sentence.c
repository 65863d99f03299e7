/* sentence.c - the sentence that the report begins with, as plain text for a terminal. It is the
 * HTML of the page without its tags, so that both say the same. */
#include <string.h>

#include "pipeline/report/report.h"
#include "pipeline/support/path.h"

/* Appends HTML as text: without tags, with each character that was escaped. */
static trib_status add_plain(trib_buffer *text, const char *html, trib_error *error) {
    static const struct {
        const char *name, *character;
    } entities[] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}};
    trib_status status = TRIB_OK;
    while (*html && status == TRIB_OK) {
        size_t n = 1, e = 0;
        if (*html == '<') {
            const char *end = strchr(html, '>'); /* the writer escapes '>' in attributes */
            html = end ? end + 1 : html + strlen(html);
            continue;
        }
        while (e < sizeof entities / sizeof *entities &&
               strncmp(html, entities[e].name, strlen(entities[e].name)) != 0)
            e++;
        if (*html == '&' && e < sizeof entities / sizeof *entities) {
            n = strlen(entities[e].name);
            status = trib_buffer_print(text, error, "%s", entities[e].character);
        } else if (*html != '\n') status = trib_buffer_add(text, html, 1, error);
        html += n;
    }
    return status;
}

/* Appends what `writer` has, a scratch file with HTML, as text. */
static trib_status take_text(trib_writer *writer, trib_buffer *text, trib_error *error) {
    trib_buffer html = {0};
    trib_status status = trib_writer_flush(writer, error);
    const trib_reader reader = trib_writer_reader(writer);
    char block[1 << 12];
    for (uint64_t at = 0; at < writer->n_written && status == TRIB_OK;) {
        const uint64_t left = writer->n_written - at;
        const size_t n = left < sizeof block ? (size_t)left : sizeof block;
        status = trib_reader_at(&reader, at, block, n, error);
        if (status == TRIB_OK) status = trib_buffer_add(&html, block, n, error);
        at += n;
    }
    if (status == TRIB_OK && html.text) status = add_plain(text, html.text, error);
    trib_buffer_release(&html);
    return status;
}

static trib_status add_sentence(trib_report *report, const trib_report_target *target,
                                trib_buffer *text, trib_error *error) {
    trib_writer writer = {.file = -1};
    trib_status status = trib_writer_scratch(&writer, trib_path_temporary(), error);
    if (status != TRIB_OK) return status;
    trib_html_init(&report->html, &writer);
    report->html.is_terse = true;
    trib_report_first_sentence(report, target);
    trib_html_release(&report->html);
    status = take_text(&writer, text, error);
    if (status == TRIB_OK) status = trib_buffer_add(text, "\n", 1, error);
    trib_writer_abandon(&writer);
    return status;
}

trib_status trib_report_sentences(const json_t *result, const trib_stored_targets *stored,
                                  trib_buffer *text, trib_error *error) {
    trib_report report = {.file = "report.html",
                          .folder = "targets",
                          .data = "",
                          .stored = stored && stored->n > 0 ? stored : NULL};
    size_t n_drawing = 0;
    trib_status status = trib_report_read(&report, result, error);
    report.target = report.targets;
    report.n_targets = report.n_all_targets;
    for (size_t t = 0; t < report.n_all_targets && status == TRIB_OK; t++) {
        n_drawing += report.targets[t].n_flowing > 0;
        if (report.n_all_targets <= TRIB_REPORT_TARGETS)
            status = add_sentence(&report, &report.targets[t], text, error);
    }
    if (status == TRIB_OK && report.n_all_targets > TRIB_REPORT_TARGETS)
        status = trib_buffer_print(text, error,
                                   "Of %zu texts, %zu have a source above the noise floor.\n",
                                   report.n_all_targets, n_drawing);
    trib_report_release(&report);
    return status;
}
