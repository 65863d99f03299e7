/* report.c - `tributary report`: writes the pages of a finished run again from influence.json,
 * or one page of several runs. */
#include <ctype.h>
#include <errno.h>

#include "pipeline/output/result.h"
#include "pipeline/program/command.h"
#include "pipeline/report/pages.h"
#include "pipeline/result/result.h"
#include "pipeline/support/json.h"

/* Writes a page. When `sums` is not NULL, adds the SHA-256 of the page under its name in the
 * run. */
static trib_status write_page(trib_report *report, size_t page, const char *path, const char *name,
                              json_t *sums, trib_error *error) {
    char sha256[TRIB_SHA256_TEXT];
    trib_writer writer = {.file = -1};
    trib_status status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    status = trib_report_write_page(report, page, &writer, error);
    status = trib_writer_end(&writer, status, sha256, error);
    if (status == TRIB_OK && sums) trib_json_set_text(sums, name, sha256);
    return status;
}

/* Writes SHA256SUMS of a run with the new sums of its pages; pages that it did not list are
 * added at the end. Does nothing when the file is absent: then the run is not finished. */
static trib_status write_sums(const char *directory, json_t *sums, trib_error *error) {
    TRIB_OWNED(trib_buffer) path = {0}, old = {0};
    trib_reader reader;
    trib_writer writer;
    const char *name;
    json_t *sha256;
    trib_status status = trib_buffer_print(&path, error, "%s/SHA256SUMS", directory);
    if (status != TRIB_OK || !trib_disk_has(path.text)) return status;
    status = trib_reader_open(&reader, path.text, error);
    if (status != TRIB_OK) return status;
    status = trib_reader_all(&reader, &old, error);
    trib_reader_close(&reader);
    if (status == TRIB_OK) status = trib_writer_open(&writer, path.text, error);
    if (status != TRIB_OK) return status;
    for (char *line = old.text, *next; line && *line; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        name = length > TRIB_SHA256_TEXT + 1 ? line + TRIB_SHA256_TEXT + 1 : "";
        sha256 = json_object_get(sums, name);
        if (sha256) trib_print(&writer, "%s  %s\n", json_string_value(sha256), name);
        else trib_print(&writer, "%s\n", line);
        if (sha256) json_object_del(sums, name);
    }
    json_object_foreach(sums, name, sha256)
        trib_print(&writer, "%s  %s\n", json_string_value(sha256), name);
    status = trib_writer_commit(&writer, NULL, error);
    return status;
}

/* What is written of the report of a run. */
typedef struct pages {
    const trib_result *result;
    const char *run;              /* its directory */
    const char *directory, *file; /* of the first page */
    const char *folder;           /* of the pages of many targets, beside the first page */
    const char *data;   /* the start of links to the run's files; NULL: in the same directory */
    const char *target; /* only its page; "all": those of all targets; NULL: as the run did */
} pages;

/* Whether --target is the id of a target. */
static bool has_target(const pages *p) {
    return trib_result_target_place(p->result, p->target) < p->result->targets.n;
}

/* Finds the target that --target names, unless it is `all`. */
static trib_status find_target(const pages *p, const char **id, trib_error *error) {
    *id = p->target;
    if (!p->target || has_target(p) || strcmp(p->target, "all") == 0) return TRIB_OK;
    const trib_status status = trib_result_find_target(p->result, p->run, p->target, id, error);
    if (status == TRIB_USAGE) trib_error_prefix(error, "--target");
    return status;
}

/* Opens the report. *only is the page that is to be written alone, or 0 when all are. */
static trib_status open_report(trib_report **report, const pages *p, size_t *only,
                               trib_error *error) {
    *only = 0;
    const bool is_all = p->target && strcmp(p->target, "all") == 0 && !has_target(p);
    trib_status status =
        trib_report_open(report, p->result, is_all ? NULL : p->target, p->file, p->folder, error);
    if (status != TRIB_OK) return status;
    if (p->data) trib_report_data_in(*report, p->data);
    /* the reading pages link to the run's own report */
    status =
        trib_report_reads(*report, p->run, !p->data && strcmp(p->file, "report.html") == 0, error);
    if (status != TRIB_OK || !p->target) return status;
    if (is_all && trib_report_has_folder(*report)) {
        trib_report_demand_all(*report);
        return TRIB_OK;
    }
    *only = trib_report_page_of(*report, p->target);
    return *only > 0
               ? TRIB_OK
               : trib_fail(error, TRIB_USAGE,
                           "--target: %s has one target, and one page; leave --target out", p->run);
}

/* Writes the pages. With a target, sets *made to the path of its page. */
static trib_status write_pages(const pages *p, trib_buffer *made, trib_error *error) {
    json_t *sums = p->data ? NULL : json_object(); /* of pages in the run's own directory */
    trib_report *report = NULL;
    TRIB_OWNED(trib_buffer) name = {0}, path = {0};
    size_t only;
    trib_status status = open_report(&report, p, &only, error);
    const size_t n_pages = status == TRIB_OK ? trib_report_n_pages(report) : 0;
    const bool has_folder = status == TRIB_OK && trib_report_has_folder(report);
    if (has_folder) status = trib_buffer_print(&path, error, "%s/%s", p->directory, p->folder);
    if (has_folder && status == TRIB_OK && trib_disk_make_folder(path.text) != 0 && errno != EEXIST)
        status = trib_fail(error, TRIB_OUTPUT, "%s: cannot be created: %s", path.text,
                           trib_disk_reason(errno));
    /* the first page last: it links to the others */
    for (size_t page = n_pages; page-- > 0 && status == TRIB_OK;) {
        if (only > 0 ? page != only : !trib_report_page_is_written(report, page)) continue;
        trib_buffer_clear(&path);
        status = trib_report_page_name(report, page, &name, error);
        if (status == TRIB_OK)
            status = trib_buffer_print(&path, error, "%s/%s", p->directory, name.text);
        if (status == TRIB_OK) status = write_page(report, page, path.text, name.text, sums, error);
    }
    if (only > 0 && status == TRIB_OK) {
        trib_buffer_clear(made);
        status = trib_buffer_add(made, path.text, path.length, error);
    }
    if (sums && status == TRIB_OK) status = write_sums(p->directory, sums, error);
    json_decref(sums);
    trib_report_close(report);
    return status;
}

/* Makes a link from the page to a file of a run; characters with a meaning in URLs are written
 * as %XX. */
static trib_status make_link(char **link, const char *directory, const char *file, const char *page,
                             trib_error *error) {
    char *folder = NULL, *seen = NULL;
    trib_buffer text = {0};
    trib_status status = trib_path_directory(&folder, page, error);
    if (status == TRIB_OK) status = trib_path_relative(&seen, folder, directory, error);
    for (const char *at = seen; status == TRIB_OK && at && *at; at++) {
        const bool plain = isalnum((unsigned char)*at) || strchr("/-_.~", *at);
        status = plain ? trib_buffer_add(&text, at, 1, error)
                       : trib_buffer_print(&text, error, "%%%02X", (unsigned)(unsigned char)*at);
    }
    if (status == TRIB_OK) status = trib_buffer_print(&text, error, "/%s", file);
    TRIB_FREE(folder, seen);
    *link = text.text;
    return status;
}

/* Opens a result, and reduces it to the passages that a person accepted, if that is asked for. */
static trib_status open_run(trib_result *result, const trib_command_line *line, const char *run,
                            trib_error *error) {
    trib_status status = trib_result_open(result, run, error);
    if (status == TRIB_OK && line->judgements)
        status = trib_result_judge(result, line->judgements, error);
    return status;
}

/* Opens the results of the runs, and makes the links to their reports for the page that is
 * written. */
static trib_status open_runs(trib_several *run, trib_result *open, const trib_command_line *line,
                             const char *page, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t r = 0; r < line->n_operands && status == TRIB_OK; r++) {
        const char *name = line->operand[r];
        char *link = NULL;
        status = open_run(&open[r], line, name, error);
        if (status == TRIB_OK) status = make_link(&link, name, "report.html", page, error);
        run[r] = (trib_several){&open[r], name, link};
    }
    return status;
}

/* The path of the page, and of the folder for its other pages: -o FILE, else in the run, or in
 * the current directory for a page of several runs. */
static trib_status name_page(const trib_command_line *line, trib_buffer *path, trib_buffer *folder,
                             trib_error *error) {
    const char *end = line->judgements ? "-accepted" : "";
    char *stem = NULL;
    trib_status status = TRIB_OK;
    if (line->output) {
        status = trib_path_stem(&stem, line->output, error);
        if (status == TRIB_OK) status = trib_buffer_print(folder, error, "%s-targets", stem);
        trib_free(stem);
        return status == TRIB_OK ? trib_buffer_print(path, error, "%s", line->output) : status;
    }
    if (line->n_operands > 1) return trib_buffer_print(path, error, "runs.html");
    status = trib_buffer_print(folder, error, "targets%s", end);
    return status == TRIB_OK
               ? trib_buffer_print(path, error, "%s/report%s.html", line->operand[0], end)
               : status;
}

trib_status trib_command_report(const trib_command_line *line, trib_error *error) {
    const size_t n = line->n_operands;
    trib_several *run = NULL;
    trib_result *open = NULL;
    TRIB_OWNED(trib_buffer) path = {0}, folder = {0};
    char *directory = NULL, *data = NULL, *file = NULL;
    if (line->judgements && n > 1)
        return trib_fail(error, TRIB_USAGE,
                         "--judgements is about the passages of one run; name one run");
    if (line->target && n > 1)
        return trib_fail(error, TRIB_USAGE, "--target is about a page of one run; name one run");
    trib_status status = TRIB_NEW(&run, n, "the runs", error);
    if (status == TRIB_OK) status = TRIB_NEW(&open, n, "the runs", error);
    if (status == TRIB_OK) status = name_page(line, &path, &folder, error);
    if (status == TRIB_OK) status = trib_path_directory(&directory, path.text, error);
    if (status == TRIB_OK) status = open_runs(run, open, line, path.text, error);
    if (status == TRIB_OK && n > 1) status = trib_report_write_several(run, n, path.text, error);
    else if (status == TRIB_OK) {
        const char *slash = strrchr(path.text, '/'), *name = slash ? slash + 1 : path.text;
        if (line->output) status = make_link(&data, line->operand[0], "", path.text, error);
        if (status == TRIB_OK) status = trib_copy(&file, name, error);
        pages p = {run->result, line->operand[0], directory, file, folder.text, data, line->target};
        if (status == TRIB_OK) status = find_target(&p, &p.target, error);
        if (status == TRIB_OK) status = write_pages(&p, &path, error);
    }
    if (status == TRIB_OK && line->json)
        status = trib_json_print(line->out, error, "{s:o}", "report", trib_json_text(path.text));
    else if (status == TRIB_OK) trib_print(line->out, "%s\n", path.text);
    for (size_t r = 0; run && r < n; r++) {
        trib_free((char *)(uintptr_t)run[r].link);
        if (open) trib_result_release(&open[r]);
    }
    TRIB_FREE(run, open, file, directory, data);
    return status;
}
