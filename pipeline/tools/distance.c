/* distance.c - `tributary distance`: measures the L1 distance between every two components of
 * decompositions in files. */
#include <string.h>

#include "pipeline/command/command.h"
#include "pipeline/support/json.h"
#include "pipeline/support/tables.h"
#include "pipeline/tools/factor_files.h"
#include "pipeline/tools/tools.h"

typedef struct job {
    const trib_command_line *line;
    trib_config config;
    trib_factor_files files;
    double *matrix;              /* [n][n]; NULL with --nearest */
    trib_factor_distances found; /* with --nearest */
} job;

/* ---- Forms of output ------------------------------------------------------------------------- */

static void write_component(const job *j, size_t f, trib_writer *writer) {
    const trib_factors *all = &j->files.factors;
    trib_write_cell(writer, j->files.path[all->document[f]]);
    trib_print(writer, ",%lu", (unsigned long)all->component[f] + 1);
}

/* Writes a line for every two components, the first before the second. */
static void write_pairs(const job *j, trib_writer *writer) {
    const size_t n = j->files.factors.n;
    trib_write_text(writer, "file,component,other_file,other_component,distance\n");
    for (size_t p = 0; p < n; p++)
        for (size_t q = p + 1; q < n; q++) {
            write_component(j, p, writer);
            trib_write_text(writer, ",");
            write_component(j, q, writer);
            trib_write_text(writer, ",");
            trib_write_number(writer, j->matrix[p * n + q]);
            trib_write_text(writer, "\n");
        }
}

/* Writes a line for every component and every file but its own. */
static void write_nearest(const job *j, trib_writer *writer) {
    const trib_factors *all = &j->files.factors;
    trib_write_text(writer, "file,component,lambda,other_file,nearest_component,distance\n");
    for (size_t f = 0; f < all->n; f++)
        for (uint32_t d = 0; d < j->files.n; d++) {
            const size_t at = f * j->files.n + d;
            const uint32_t which = j->found.which[at];
            if (d == all->document[f]) continue;
            write_component(j, f, writer);
            trib_write_text(writer, ",");
            trib_write_number(writer, all->lambda[f]);
            trib_write_text(writer, ",");
            trib_write_cell(writer, j->files.path[d]);
            trib_write_text(writer, ",");
            if (which != UINT32_MAX)
                trib_print(writer, "%lu", (unsigned long)all->component[which] + 1);
            trib_write_text(writer, ",");
            trib_write_number(writer, j->found.nearest[at]);
            trib_write_text(writer, "\n");
        }
}

static void write_csv(const job *j, trib_writer *writer) {
    if (j->line->nearest) write_nearest(j, writer);
    else write_pairs(j, writer);
}

/* Writes the arrays in the form of distances.npy and nearest.npy. */
static void write_npy(const job *j, trib_writer *writer) {
    const size_t n = j->files.factors.n;
    if (j->line->nearest) trib_npy_write(writer, j->found.nearest, n, j->files.n);
    else trib_npy_write(writer, j->matrix, n, n);
}

static const struct form {
    const char *name, *ending;
    void (*write)(const job *j, trib_writer *writer);
} forms[] = {{"csv", ".csv", write_csv}, {"npy", ".npy", write_npy}};
enum { N_FORMS = sizeof forms / sizeof *forms };

/* The form by --to or by the name of the output; NULL after an error. */
static const struct form *output_form(const trib_command_line *line, trib_error *error) {
    if (line->form) return &forms[line->form - 1];
    if (!line->output || strcmp(line->output, "-") == 0) return &forms[0];
    const size_t length = strlen(line->output);
    for (size_t f = 0; f < N_FORMS; f++) {
        const size_t n = strlen(forms[f].ending);
        if (length > n && strcmp(line->output + length - n, forms[f].ending) == 0) return &forms[f];
    }
    trib_fail(error, TRIB_USAGE,
              "--output %s: the name has no known ending; use .csv or .npy, or add --to",
              line->output);
    return NULL;
}

/* Writes the list of files and, without -o, the distances row by row, in the order of the files
 * and their components. */
static trib_status write_json(const job *j, const struct form *form, trib_writer *out,
                              trib_error *error) {
    const trib_factors *all = &j->files.factors;
    const double *value = j->line->nearest ? j->found.nearest : j->matrix;
    const size_t width = j->line->nearest ? j->files.n : all->n;
    json_t *list = json_array(), *rows = json_array();
    for (uint32_t d = 0; d < j->files.n; d++)
        json_array_append_new(list,
                              json_pack("{s:o, s:I}", "file", trib_json_text(j->files.path[d]),
                                        "components", (json_int_t)j->files.k[d].rank));
    json_t *document =
        json_pack("{s:i, s:I, s:o}", "schema", 1, "modes", (json_int_t)all->n_modes, "files", list);
    for (size_t f = 0; f < all->n && !j->line->output; f++) {
        json_t *row = json_array();
        for (size_t i = 0; i < width; i++)
            json_array_append_new(row, trib_json_real("row", value[f * width + i]));
        json_array_append_new(rows, row);
    }
    if (j->line->output) {
        json_object_set_new(document, "file", trib_json_text(j->line->output));
        trib_json_set_text(document, "form", form->name);
    } else {
        json_object_set(document, j->line->nearest ? "nearest" : "distances", rows);
    }
    json_decref(rows);
    return trib_json_write(document, out, error);
}

static trib_status write_result(const job *j, const struct form *form, trib_writer *out,
                                trib_error *error) {
    const bool to_out = j->line->output && strcmp(j->line->output, "-") == 0;
    trib_writer file;
    if (to_out || (!j->line->output && !j->line->json)) {
        form->write(j, out);
        return TRIB_OK;
    }
    trib_status status = TRIB_OK;
    if (j->line->output) {
        status = trib_writer_open(&file, j->line->output, error);
        if (status != TRIB_OK) return status;
        form->write(j, &file);
        status = trib_writer_commit(&file, NULL, error);
    }
    return status == TRIB_OK && j->line->json ? write_json(j, form, out, error) : status;
}

/* ---- The command ----------------------------------------------------------------------------- */

static trib_status measure(job *j, trib_error *error) {
    const trib_factors *all = &j->files.factors;
    const int n_threads = trib_command_threads(j->line, &j->config);
    size_t cells = 0;
    if (j->line->nearest)
        return trib_factor_distances_find(&j->found, all, all, j->files.n, n_threads, error);
    if (!trib_multiply(all->n, all->n, &cells))
        return trib_fail(error, TRIB_MEMORY, "out of memory: the distances");
    const trib_status status =
        trib_new(&j->matrix, cells, sizeof *j->matrix, "the distances", error);
    return status == TRIB_OK
               ? trib_factor_matrix(all, all, NULL, j->matrix, n_threads, (trib_progress){0}, error)
               : status;
}

trib_status trib_command_distance(const trib_command_line *line, trib_log *log, trib_writer *out,
                                  trib_error *error) {
    job j = {.line = line};
    const struct form *form = output_form(line, error);
    if (!form) return TRIB_USAGE;
    trib_status status = trib_tensor_settings(&j.config, line, log, error);
    if (status == TRIB_OK)
        status = trib_factor_files_read(&j.files, line->operand, (uint32_t)line->n_operands,
                                        &j.config, error);
    if (status == TRIB_OK) status = measure(&j, error);
    if (status == TRIB_OK) {
        trib_log_say(log, TRIB_LOG_INFO, "%zu component%s of %u file%s", j.files.factors.n,
                     j.files.factors.n == 1 ? "" : "s", (unsigned)j.files.n,
                     j.files.n == 1 ? "" : "s");
        status = write_result(&j, form, out, error);
    }
    trib_factor_distances_release(&j.found);
    trib_free(j.matrix);
    trib_factor_files_release(&j.files);
    trib_config_release(&j.config);
    return status;
}
