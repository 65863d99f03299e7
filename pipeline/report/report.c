/* report.c - report.html: one page made from the result alone, without anything from the
 * network, and complete without its script. A section is a row of the table below; the page, its
 * contents and the numbers of the sections follow the rows. Of several targets each has a page with
 * its own sections, so that every page loads fast, and the first page links to them. */
#include <unistd.h>

#include "pipeline/report/report.h"
#include "pipeline/support/names.h"

/* Where a section is written when the targets have pages of their own. CLOSED sections, about how
 * it was computed, are opened by the reader. */
enum { FIRST_PAGE, TARGET_PAGES, CLOSED };

static const struct section {
    const char *id, *title;
    bool (*has)(const trib_report *report); /* NULL: always */
    void (*write)(trib_report *report);
    unsigned place;
    void (*write_many)(trib_report *report); /* on the first page, instead of `write` */
} sections[] = {
    {"answer", "The answer", NULL, trib_report_answer, TARGET_PAGES, trib_report_answers},
    {"shares", "Influence", NULL, trib_report_shares, TARGET_PAGES, trib_report_all_shares},
    {"finds", "Finds", trib_report_has_finds, trib_report_finds, FIRST_PAGE, NULL},
    {"map", "The map of all texts", trib_report_has_map, trib_report_map, FIRST_PAGE, NULL},
    {"network", "Who shares with whom", trib_report_has_network, trib_report_network, FIRST_PAGE,
     NULL},
    {"versions", "Versions of one text", trib_report_has_versions, trib_report_versions, FIRST_PAGE,
     NULL},
    {"evidence", "The phrases behind it", trib_report_has_evidence, trib_report_evidence,
     TARGET_PAGES, NULL},
    {"allusions", "Possible allusions", trib_report_has_parallels, trib_report_parallels,
     TARGET_PAGES, NULL},
    {"formulas", "Formulas: what very many texts hold", trib_report_has_formulas,
     trib_report_formulas, CLOSED, NULL},
    {"phrasing", "Families of phrasing", trib_report_has_phrasing, trib_report_phrasing, FIRST_PAGE,
     NULL},
    {"own", "The author\xE2\x80\x99s own", trib_report_has_own, trib_report_own, TARGET_PAGES,
     NULL},
    {"accepted", "Accepted passages", trib_report_has_accepted, trib_report_accepted, FIRST_PAGE,
     NULL},
    {"limits", "What this method cannot show", NULL, trib_report_limits, FIRST_PAGE, NULL},
    {"matches", "Matched factors", trib_report_has_distances, trib_report_matches,
     TARGET_PAGES | CLOSED, NULL},
    {"distances", "Distances and the threshold", trib_report_has_distances, trib_report_distances,
     TARGET_PAGES | CLOSED, NULL},
    {"quality", "Quality of the model", trib_report_has_quality, trib_report_quality, CLOSED, NULL},
    {"made", "How this was made", NULL, trib_report_made, CLOSED, NULL},
    {"data", "The data", NULL, trib_report_data, FIRST_PAGE, NULL},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* A single page contains its style sheet and its script; the pages of many targets load them from
 * their own folder. */
static const char *shared_by(const trib_report *report) { return report->page > 0 ? "" : NULL; }

/* The function that writes a section on this page; NULL when the page does not have it. */
static void (*writer_of(const trib_report *report, const struct section *section))(trib_report *) {
    const bool is_of_target = section->place & TARGET_PAGES,
               is_here = !report->is_many || is_of_target == (report->page > 0);
    if (!is_here) return section->write_many && report->page == 0 ? section->write_many : NULL;
    if (is_of_target && report->n_targets == 0 && section != sections) return NULL;
    return !section->has || section->has(report) ? section->write : NULL;
}

/* Writes the hatchings of the charts, so that no meaning depends on colour alone. */
static void write_patterns(trib_html *html) {
    static const struct {
        const char *id, *path;
    } patterns[] = {{"hatch", "M-1 1l2-2M0 6l6-6M5 7l2-2"},
                    {"dots", "M1 1h1.6v1.6h-1.6zM4 4h1.6v1.6h-1.6z"}};
    trib_report_say(html, "<svg class='patterns' width='0' height='0' aria-hidden='true'><defs>");
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        trib_report_say(html,
                        "<pattern id='{s}' width='6' height='6' patternUnits='userSpaceOnUse'>"
                        "<path class='{s}' d='{s}'/></pattern>",
                        patterns[i].id, patterns[i].id, patterns[i].path);
    trib_report_say(html, "</defs></svg>");
}

static void write_masthead(trib_report *report) {
    trib_html *html = &report->html;
    const bool is_short = trib_report_is_short_page(report);
    trib_report_say(html, "<header class='masthead'><p class='brand'>");
    if (!is_short)
        trib_report_say(html, "<svg viewBox='0 0 28 20' width='28' height='20' aria-hidden='true'>"
                              "<path class='stream' d='M1 3C11 3 12 10 27 10'/>"
                              "<path class='stream' d='M1 10H27'/>"
                              "<path class='stream' d='M1 17C9 17 14 10 27 10'/></svg>");
    trib_report_say(html, "tributary</p><h1>{t}</h1>",
                    report->page > 0 ? report->target->title
                                     : trib_result_corpus_title(report->result));
    const trib_document_records *const documents = &report->result->documents;
    size_t n_dated = 0;
    for (size_t d = 0; d < documents->n; d++)
        n_dated += *trib_report_text(documents->item[d].date) != '\0';
    if (!is_short)
        trib_report_say(html,
                        "<p class='question'>Which {s} {s}, how much, and through which "
                        "passages?</p>",
                        n_dated == documents->n ? "earlier texts flow into"
                                                : "other texts share words with",
                        report->n_targets == 1 ? "this one" : "these");
    trib_html_end(html);
}

/* Writes the links from the page of a target to the pages before and after it and to the first
 * page. */
static void write_neighbours(trib_report *report) {
    trib_html *html = &report->html;
    trib_report_say(html, "<nav class='neighbours' aria-label='Report'><ul><li>All: ");
    trib_report_link(report, "answer", trib_result_corpus_title(report->result));
    trib_html_end(html);
    if (report->page > 1 && !report->is_on_demand) {
        trib_report_say(html, "<li>Before: ");
        trib_report_target_link(report, &report->targets[report->page - 2]);
        trib_html_end(html);
    }
    if (report->page < report->n_all_targets && !report->is_on_demand) {
        trib_report_say(html, "<li>Next: ");
        trib_report_target_link(report, &report->targets[report->page]);
        trib_html_end(html);
    }
    trib_report_say(html, "</ul></nav>");
}

static void write_contents(trib_report *report) {
    trib_html *html = &report->html;
    trib_report_say(html, "<nav class='contents' aria-label='Contents'><ol>");
    for (size_t s = 0; s < N_SECTIONS; s++)
        if (writer_of(report, &sections[s]))
            trib_report_say(html, "<li><a href='#{s}'>{s}</a></li>", sections[s].id,
                            sections[s].title);
    trib_report_say(html, "</ol></nav>");
}

static void write_body(trib_report *report) {
    trib_html *html = &report->html;
    trib_report_say(html, "<a class='skip' href='#answer'>Skip to the answer</a>");
    if (!trib_report_is_short_page(report)) write_patterns(html);
    write_masthead(report);
    if (report->page > 0) write_neighbours(report);
    if (!trib_report_is_short_page(report)) write_contents(report);
    trib_report_say(html, "<main data-run='{s}'>", report->result->hash);
    if (report->page > 0) trib_html_attribute(html, "data-finds", "finds.js");
    trib_report_curated(report);
    size_t number = 0;
    for (size_t s = 0; s < N_SECTIONS; s++) {
        void (*const write)(trib_report *) = writer_of(report, &sections[s]);
        if (!write) continue;
        trib_report_say(html, "<section id='{s}' aria-labelledby='{s}-title'>", sections[s].id,
                        sections[s].id);
        if (sections[s].write == trib_report_distances) { /* read by the slider of the script */
            char threshold[TRIB_NUMBER_MAX];
            trib_html_attribute(html, "data-threshold", "%s",
                                trib_number(threshold, report->result->threshold));
        }
        trib_report_say(html, "<h2 id='{s}-title'><span class='number'>{z}</span> {s}</h2>",
                        sections[s].id, ++number, sections[s].title);
        if (sections[s].place & CLOSED)
            trib_report_say(html, "<details class='methods'><summary>Show</summary>");
        write(report);
        if (sections[s].place & CLOSED) trib_html_end(html);
        trib_html_end(html);
    }
    trib_report_say(html,
                    "</main><footer><p>Made by tributary from influence.json, which holds every "
                    "number on this page. Nothing here was fetched from anywhere.</p>");
    if (report->is_site) {
        trib_report_credit(html, report->result);
        trib_html_link(html, "All passages", "%spassage/index.html", report->page > 0 ? "../" : "");
    }
    trib_html_end(html);
}

bool trib_report_has_folder(const trib_report *report) { return report->is_many; }

/* The pages are: the first; the targets, the shared files and the files of the list of finds, if
 * there are many targets; the reading pages. */
static size_t first_finds(const trib_report *report) {
    return report->is_many ? 1 + report->n_all_targets + TRIB_REPORT_N_FILES : 1;
}

static size_t first_reading(const trib_report *report) {
    return first_finds(report) + (report->is_many ? trib_report_n_finds_files(report) : 0);
}

static bool is_finds(const trib_report *report, size_t page) {
    return page >= first_finds(report) && page < first_reading(report);
}

/* The pages of passages are the last. */
static size_t first_passage(const trib_report *report) {
    size_t n = first_reading(report);
    for (size_t r = 0; report->writes_readings && r < report->n_readings; r++)
        n += 1 + trib_report_n_places(report, r);
    return n;
}

size_t trib_report_n_pages(const trib_report *report) {
    return first_passage(report) + trib_report_n_passage_pages(report);
}

void trib_report_demand_all(trib_report *report) { report->is_on_demand = false; }

bool trib_report_page_is_written(const trib_report *report, size_t page) {
    return !report->is_on_demand || page == 0 || page > report->n_all_targets;
}

size_t trib_report_page_of(const trib_report *report, const char *id) {
    const trib_report_target *target = report->is_many ? trib_report_target_of(report, id) : NULL;
    return target ? (size_t)(target - report->targets) + 1 : 0;
}

/* The text and the part of it that a reading page is for. */
static size_t reading_of(const trib_report *report, size_t page, size_t *part) {
    size_t r = 0;
    *part = page - first_reading(report);
    while (*part > trib_report_n_places(report, r)) *part -= 1 + trib_report_n_places(report, r++);
    return r;
}

trib_status trib_report_page_name(const trib_report *report, size_t page, trib_buffer *name,
                                  trib_error *error) {
    trib_buffer_clear(name);
    const size_t reading = first_reading(report), passage = first_passage(report);
    if (page >= passage) return trib_report_passage_name(report, page - passage, name, error);
    if (page == 0) return trib_buffer_print(name, error, "%s", report->file);
    if (page == first_finds(report) && page < reading)
        return trib_buffer_print(name, error, "%s/finds.js", report->folder);
    if (is_finds(report, page))
        return trib_buffer_print(name, error, "%s/finds-%zu.js", report->folder,
                                 page - first_finds(report) + 1);
    if (page > report->n_all_targets && page < reading)
        return trib_buffer_print(name, error, "%s/%s", report->folder,
                                 trib_report_files[page - report->n_all_targets - 1].name);
    size_t part = 0;
    const char *id = page < reading ? report->targets[page - 1].id
                                    : report->reading[reading_of(report, page, &part)].id;
    if (!trib_id_is_written_right(id))
        return trib_fail(error, TRIB_INPUT, "influence.json: '%s' is no id of a document", id);
    if (part > 0) return trib_buffer_print(name, error, "read/%s+%zu.html", id, part);
    return trib_buffer_print(name, error, "%s/%s.html", page < reading ? report->folder : "read",
                             id);
}

/* Writes the first page, or that of a target, which has an arena. */
static trib_status write_main(trib_report *report, trib_writer *writer, trib_error *error) {
    const char *name = trib_result_corpus_title(report->result);
    trib_html *html = &report->html;
    trib_html_init(html, writer);
    html->is_terse = report->is_many;
    trib_report_set_language(report, html, NULL);
    trib_report_open_page(html, report->page > 0 ? report->target->title : name,
                          report->page > 0 ? name : "influence", shared_by(report), false);
    write_body(report);
    trib_report_close_page(html, shared_by(report), false);
    trib_html_release(html);
    if (writer->failure.status != TRIB_OK && error) *error = writer->failure;
    return writer->failure.status == TRIB_OK ? trib_arena_check(report->arena, error)
                                             : writer->failure.status;
}

trib_status trib_report_write_page(const trib_report *whole, size_t page, trib_writer *writer,
                                   trib_error *error) {
    trib_report here = *whole, *report = &here; /* other threads may write other pages */
    trib_report_target target;
    trib_arena arena = {0};
    trib_status status = TRIB_OK;
    const size_t passage = first_passage(whole);
    if (page >= passage) return trib_report_write_passage(whole, page - passage, writer, error);
    if (page >= first_reading(whole)) {
        size_t part;
        const size_t r = reading_of(whole, page, &part);
        return trib_report_write_reading(whole, r, part, writer, error);
    }
    if (is_finds(whole, page)) {
        trib_write_text(writer, "tributary_finds=");
        trib_report_finds_data(whole, page - first_finds(whole), writer);
        trib_write_text(writer, ";\n");
        return writer->failure.status;
    }
    if (page > whole->n_all_targets) {
        const trib_embedded_file *file = &trib_report_files[page - whole->n_all_targets - 1];
        trib_write(writer, file->bytes, file->n_bytes);
        return writer->failure.status;
    }
    report->page = page;
    report->arena = &arena;
    if (page > 0) {
        report->target = &target;
        report->n_targets = 1;
        status = trib_report_read_target(report, page - 1, &target, error);
    }
    if (status == TRIB_OK) status = write_main(report, writer, error);
    trib_flow_map_release(&report->map);
    trib_arena_release(&arena);
    return status;
}

trib_status trib_report_open(trib_report **report, const trib_result *result, const char *only,
                             const char *file, const char *folder, trib_error *error) {
    trib_status status = TRIB_NEW(report, 1, "the report", error);
    if (status != TRIB_OK) return status;
    (*report)->file = file;
    (*report)->folder = folder;
    (*report)->data = "";
    (*report)->only = only;
    status = trib_report_read(*report, result, TRIB_REPORT_PAGES, error);
    if (status == TRIB_OK) return TRIB_OK;
    trib_report_close(*report);
    *report = NULL;
    return status;
}

/* Whether a run has the text of a document. */
static bool has_text(const char *run_directory, const char *id) {
    char path[TRIB_PATH_MAX];
    return snprintf(path, sizeof path, "%s/read/%s.json", run_directory, id) < (int)sizeof path &&
           trib_disk_has(path);
}

trib_status trib_report_reads(trib_report *report, const char *run_directory, bool writes,
                              trib_error *error) {
    const trib_document_records *const documents = &report->result->documents;
    if (report->n_all_targets == 0 || !has_text(run_directory, report->targets[0].id))
        return TRIB_OK;
    report->reading =
        trib_arena_new(&report->own, report->n_all_targets + documents->n, sizeof *report->reading);
    if (!report->reading) return trib_arena_check(&report->own, error);
    for (size_t t = 0; t < report->n_all_targets; t++) {
        const trib_report_target *const target = &report->targets[t];
        report->reading[report->n_readings++] =
            (trib_report_read_page){target->id, target->title, target->document, target};
    }
    const bool is_few = report->n_all_targets <= TRIB_REPORT_TARGETS;
    for (size_t d = 0; d < documents->n && is_few; d++) {
        const trib_document_record *const document = &documents->item[d];
        if (report->target_of[d] > 0 || !trib_id_is_written_right(document->id) ||
            !has_text(run_directory, document->id))
            continue;
        report->reading[report->n_readings++] = (trib_report_read_page){
            document->id, trib_report_title(report, document->id), document, NULL};
    }
    report->run_directory = run_directory;
    report->writes_readings = writes;
    return TRIB_OK;
}

void trib_report_for_site(trib_report *report) { report->is_site = true; }

void trib_report_data_in(trib_report *report, const char *link) { report->data = link; }

void trib_report_close(trib_report *report) {
    if (report) trib_report_release(report);
    trib_free(report);
}

trib_status trib_report_write_html(const trib_result *result, trib_writer *writer,
                                   trib_error *error) {
    trib_report *report = NULL;
    trib_status status = trib_report_open(&report, result, NULL, "report.html", "targets", error);
    if (status == TRIB_OK) status = trib_report_write_page(report, 0, writer, error);
    trib_report_close(report);
    return status;
}

/* ---- The first sentence for a terminal ------------------------------------------------------- */

/* Appends HTML as text, so that the terminal and the page say the same: without tags, with each
 * character that was escaped. */
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
    trib_status status = trib_writer_scratch(&writer, trib_path_temporary(), false, error);
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

trib_status trib_report_sentences(const trib_result *result, trib_buffer *text, trib_error *error) {
    trib_report report = {.file = "report.html", .folder = "targets", .data = ""};
    size_t n_drawing = 0;
    trib_status status = trib_report_read(&report, result, TRIB_REPORT_SENTENCES, error);
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
