/* results_files.c - factors, traced runs and distances of a run, which have files of their own. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/library/results_private.h"
#include "pipeline/output/trace_file.h"
#include "pipeline/support/path.h"

/* The path of a file of the run directory. TRIB_USAGE when the run did not write it. */
static trib_status find_file(const trib_results *r, const char *name, const char *format,
                             char **path, trib_error *error) {
    const trib_status status = trib_path_join(path, r->directory, name, error);
    if (status != TRIB_OK || access(*path, F_OK) == 0) return status;
    return trib_fail(error, TRIB_USAGE,
                     "%s: this run did not write it; put '%s' into report.formats", *path, format);
}

trib_status trib_results_factors(const trib_results *results, uint32_t document, trib_ktensor *k,
                                 trib_ktns_words *words, trib_error *error) {
    char *path = NULL;
    trib_buffer name = {0};
    trib_reader reader;
    *k = (trib_ktensor){0};
    *words = (trib_ktns_words){0};
    if (document >= results->n_documents)
        return trib_fail(error, TRIB_USAGE, "%s: has no document %lu", results->directory,
                         (unsigned long)document);
    trib_status status =
        trib_buffer_print(&name, error, "factors/%s.ktns", results->document[document].id);
    if (status == TRIB_OK) status = find_file(results, name.text, "factors", &path, error);
    if (status == TRIB_OK) status = trib_reader_open(&reader, path, error);
    if (status == TRIB_OK) {
        status = trib_ktns_read_words(k, words, &reader, error);
        trib_reader_close(&reader);
    }
    trib_free(path);
    trib_buffer_release(&name);
    return status;
}

/* ---- Traced runs ----------------------------------------------------------------------------- */

trib_status trib_results_trace(const trib_results *results, uint32_t target,
                               trib_result_traced **run, size_t *n, trib_error *error) {
    trib_trace trace = {0};
    *run = NULL;
    *n = 0;
    if (target >= results->n_documents)
        return trib_fail(error, TRIB_USAGE, "%s: has no document %lu", results->directory,
                         (unsigned long)target);
    const char *id = results->document[target].id;
    trib_status status = trib_trace_read(&trace, results->directory, id, error);
    if (status == TRIB_OK) status = TRIB_NEW(run, trace.n, "traced runs", error);
    for (size_t i = 0; i < trace.n && status == TRIB_OK; i++) {
        const trib_trace_run *from = &trace.run[i];
        const uint32_t source = trib_results_find(results, trace.source[from->source]);
        if (source == TRIB_AUTHOR)
            status = trib_fail(error, TRIB_INPUT, "%s/trace/%s.runs: is damaged",
                               results->directory, id);
        (*run)[(*n)++] = (trib_result_traced){.source = source,
                                              .first = from->first,
                                              .source_first = from->source_first,
                                              .n_words = from->n_words,
                                              .probability = from->probability / 1e6,
                                              .from = from->from,
                                              .to = from->to,
                                              .source_from = from->source_from,
                                              .source_to = from->source_to};
    }
    trib_trace_release(&trace);
    if (status != TRIB_OK) {
        trib_result_traced_free(*run);
        *run = NULL;
        *n = 0;
    }
    return status;
}

void trib_result_traced_free(trib_result_traced *run) { trib_free(run); }

/* ---- Distances ------------------------------------------------------------------------------- */

/* A line of distances.names.tsv: "row<TAB>1<TAB>guide<TAB>7". */
static bool read_name(const trib_results *r, char *line, bool *is_row, trib_result_factor *factor) {
    char *field[4], *rest = line;
    uint64_t component = 0;
    for (int i = 0; i < 4; i++) {
        field[i] = rest;
        rest = rest ? strchr(rest, '\t') : NULL;
        if (rest) *rest++ = '\0';
        if (!field[i]) return false;
    }
    *is_row = strcmp(field[0], "row") == 0;
    factor->document = trib_results_find(r, field[2]);
    if (factor->document == TRIB_AUTHOR || !trib_read_uint(field[3], &component)) return false;
    factor->component = (uint32_t)(component - 1);
    return component > 0 && component <= UINT32_MAX;
}

static trib_status read_names(const trib_results *r, const char *path, trib_result_distances *d,
                              trib_error *error) {
    trib_buffer text = {0};
    size_t row_cap = 0, column_cap = 0;
    trib_status status = trib_read_whole(path, &text, error);
    char *line = text.text ? strchr(text.text, '\n') : NULL; /* after the header */
    if (line) line++;
    while (line && *line && status == TRIB_OK) {
        char *end = strchr(line, '\n');
        bool is_row = false;
        trib_result_factor factor;
        if (end) *end = '\0';
        if (!read_name(r, line, &is_row, &factor)) {
            status = trib_fail(error, TRIB_INPUT, "%s: is damaged", path);
            break;
        }
        size_t *n = is_row ? &d->n_rows : &d->n_columns;
        status = is_row ? TRIB_GROW(&d->row, &row_cap, *n + 1, "names", error)
                        : TRIB_GROW(&d->column, &column_cap, *n + 1, "names", error);
        if (status == TRIB_OK) (is_row ? d->row : d->column)[(*n)++] = factor;
        line = end ? end + 1 : NULL;
    }
    trib_buffer_release(&text);
    return status;
}

/* Reads a .npy file of doubles, as trib_npy_write makes it. Its shape must be that which the file
 * of names gives. */
static trib_status read_matrix(const char *path, trib_result_distances *d, trib_error *error) {
    enum { FIXED = 10 }; /* bytes before the header: magic, version, length of the header */
    trib_buffer bytes = {0};
    char shape[64];
    size_t n_values = 0, skipped = 0;
    trib_status status = trib_read_whole(path, &bytes, error);
    if (status != TRIB_OK) {
        trib_buffer_release(&bytes);
        return status;
    }
    snprintf(shape, sizeof shape, "'shape': (%zu, %zu)", d->n_rows, d->n_columns);
    if (bytes.length > FIXED && memcmp(bytes.text, "\x93NUMPY\x01\x00", 8) == 0)
        skipped = FIXED + (unsigned char)bytes.text[8] + 256U * (unsigned char)bytes.text[9];
    bool is_whole = skipped > 0 && skipped <= bytes.length &&
                    trib_multiply(d->n_rows, d->n_columns, &n_values) &&
                    (bytes.length - skipped) / sizeof(double) == n_values &&
                    (bytes.length - skipped) % sizeof(double) == 0;
    if (is_whole) {
        bytes.text[skipped - 1] = '\0'; /* the newline that ends the header */
        is_whole = strstr(bytes.text + FIXED, shape) && strstr(bytes.text + FIXED, "'<f8'");
    }
    if (!is_whole) status = trib_fail(error, TRIB_INPUT, "%s: is damaged", path);
    if (status == TRIB_OK) status = TRIB_NEW(&d->value, n_values, "distances", error);
    if (status == TRIB_OK && n_values > 0)
        memcpy(d->value, bytes.text + skipped, n_values * sizeof *d->value);
    trib_buffer_release(&bytes);
    return status;
}

trib_status trib_results_distances(const trib_results *results, trib_result_distances *distances,
                                   trib_error *error) {
    char *matrix = NULL, *names = NULL;
    *distances = (trib_result_distances){0};
    trib_status status = find_file(results, "distances.npy", "npy", &matrix, error);
    if (status == TRIB_OK) status = find_file(results, "distances.names.tsv", "npy", &names, error);
    if (status == TRIB_OK) status = read_names(results, names, distances, error);
    if (status == TRIB_OK) status = read_matrix(matrix, distances, error);
    TRIB_FREE(matrix, names);
    if (status != TRIB_OK) trib_result_distances_release(distances);
    return status;
}

void trib_result_distances_release(trib_result_distances *distances) {
    TRIB_FREE(distances->row, distances->column, distances->value);
    *distances = (trib_result_distances){0};
}
