/* tensor.c - what the commands `tributary tensor` share, and three of them: `build` makes a
 * tensor from a text, `convert` writes it in other forms, and `check` checks a file. */
#include <string.h>

#include "pipeline/program/tools.h"
#include "pipeline/run/run.h"

/* ---- build ----------------------------------------------------------------------------------- */

static trib_status write_words(const trib_run *run, const char *path, trib_error *error) {
    const trib_counts *document = &run->tensors.document[0];
    trib_writer writer;
    const trib_status status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < document->n_local; i++)
        trib_print(&writer, "%s\n", run->vocab.word[document->word[i]]);
    return trib_writer_commit(&writer, NULL, error);
}

/* Runs the stages up to the tensor for one document that no configuration lists. */
trib_status trib_tensor_do_build(trib_tensor_job *job, trib_error *error) {
    char *path = (char *)(uintptr_t)job->line->operand[0];
    const trib_corpus_document about = {.id = path, .file = path, .path = path};
    trib_run run;
    job->config.influence.bootstrap = 0; /* no method needs the n-grams in order */
    trib_status status = trib_text_run(&run, &job->config, &about, 3, job->line->log, error);
    if (status == TRIB_OK && job->line->words) status = write_words(&run, job->line->words, error);
    if (status == TRIB_OK)
        status = trib_tensor_write(job, trib_counts_table(&run.tensors.document[0]), NULL, error);
    trib_run_release(&run);
    return status;
}

/* ---- convert --------------------------------------------------------------------------------- */

/* sum += other */
static trib_status add_file(trib_tensor_file *sum, trib_tensor_file *other, trib_error *error) {
    trib_sparse both;
    const trib_view x = trib_tensor_file_view(sum), y = trib_tensor_file_view(other);
    const bool alike = x.n_modes == y.n_modes && memcmp(x.dim, y.dim, sizeof x.dim) == 0;
    if (alike && !x.real && !y.real)
        return trib_hacoo_merge(&sum->tensor.place, &other->tensor.place, NULL, error);
    char of_x[TRIB_SIZE_TEXT], of_y[TRIB_SIZE_TEXT];
    if (!alike)
        return trib_fail(error, TRIB_INPUT, "two tensors of different sizes, %s and %s",
                         trib_size_text(of_x, x.n_modes, x.dim),
                         trib_size_text(of_y, y.n_modes, y.dim));
    const trib_status status = trib_sparse_plus(&both, 1, &x, 1, &y, error);
    if (status != TRIB_OK) return status;
    trib_sparse_release(&sum->tensor);
    sum->tensor = both;
    return TRIB_OK;
}

trib_status trib_tensor_do_convert(trib_tensor_job *job, trib_error *error) {
    const trib_command_line *line = job->line;
    trib_tensor_file *sum = &job->file[0], *next = &job->file[1];
    trib_status status = trib_tensor_load(job, 1, error);
    for (size_t i = 1; i < line->n_operands && status == TRIB_OK; i++) {
        status = trib_tensor_file_load(next, line->operand[i], line, &job->config, error);
        if (status != TRIB_OK) break;
        status = add_file(sum, next, error);
        if (status != TRIB_OK) trib_error_prefix(error, "%s", line->operand[i]);
        trib_tensor_file_release(next);
    }
    return status == TRIB_OK ? trib_tensor_write(job, &sum->tensor.place, sum->tensor.value, error)
                             : status;
}

/* ---- check ----------------------------------------------------------------------------------- */

/* The contents of a file, as far as a single pass over it shows them. */
typedef struct sight {
    const char *form, *organisation; /* organisation: of a fragment only */
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    uint64_t nnz, n_repeated; /* n_repeated: entries with the same index as the entry before them */
    bool is_sorted;
    char note[256];
} sight;

static int compare_index(const uint32_t *a, const uint32_t *b, uint32_t n_modes) {
    for (uint32_t m = 0; m < n_modes; m++)
        if (a[m] != b[m]) return a[m] < b[m] ? -1 : 1;
    return 0;
}

/* Reads a text; one batch at a time is in memory. */
static trib_status see_text(sight *s, trib_reader *reader, const trib_tns_options *options,
                            trib_error *error) {
    uint32_t last[TRIB_MAX_MODES];
    trib_tns_scan scan;
    trib_status status = trib_tns_open(&scan, reader, options, error);
    if (status != TRIB_OK) return status;
    s->is_sorted = true;
    while ((status = trib_tns_next(&scan, error)) == TRIB_OK && scan.n > 0) {
        for (size_t i = 0; i < scan.n; i++) {
            const uint32_t *index = scan.index + i * scan.n_modes;
            const int order = s->nnz++ == 0 ? -1 : compare_index(last, index, scan.n_modes);
            s->n_repeated += order == 0;
            s->is_sorted = s->is_sorted && order <= 0;
            memcpy(last, index, scan.n_modes * sizeof *last);
        }
    }
    s->form = scan.notes.format;
    s->n_modes = scan.n_modes;
    memcpy(s->dim, scan.dim, sizeof s->dim);
    memcpy(s->note, scan.notes.warning, sizeof s->note);
    trib_tns_close(&scan);
    return status;
}

/* Reads a fragment; one page at a time is in memory. */
static trib_status see_fragment(sight *s, trib_tensor_file *file, trib_error *error) {
    s->form = file->form;
    s->organisation = file->fragment.organisation->name;
    s->n_modes = file->n_modes;
    memcpy(s->dim, file->dim, sizeof s->dim);
    s->nnz = file->fragment.nnz;
    return trib_fragment_verify(&file->fragment, error);
}

static trib_status tell_json(const sight *s, trib_writer *out, trib_error *error) {
    json_t *document =
        json_pack("{s:i, s:s, s:o, s:I}", "schema", 1, "form", s->form, "size",
                  trib_size_json(s->n_modes, s->dim), "nonzeros", (json_int_t)s->nnz);
    if (s->organisation) trib_json_set_text(document, "organisation", s->organisation);
    else {
        json_object_set_new(document, "sorted", json_boolean(s->is_sorted));
        trib_json_set_count(document, "repeated", s->n_repeated);
    }
    return trib_json_write(document, out, error);
}

static void tell(const sight *s, const char *path, trib_writer *out) {
    char size[TRIB_SIZE_TEXT];
    trib_print(out, "%s: %s, %s, %llu nonzero%s, %s", trib_input_name(path), s->form,
               trib_size_text(size, s->n_modes, s->dim), (unsigned long long)s->nnz,
               s->nnz == 1 ? "" : "s",
               s->organisation ? s->organisation
               : s->is_sorted  ? "sorted"
                               : "not sorted");
    if (s->n_repeated > 0)
        trib_print(out, ", %llu at the index before them", (unsigned long long)s->n_repeated);
    trib_write_text(out, "\n");
}

trib_status trib_tensor_do_check(trib_tensor_job *job, trib_error *error) {
    trib_reader reader;
    sight s = {0};
    bool is_fragment = false;
    const char *path = job->line->operand[0];
    const trib_tns_options options = trib_tensor_text_options(job->line, NULL);
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    status = trib_is_fragment(&reader, &is_fragment, error);
    if (status == TRIB_OK)
        status = is_fragment ? trib_tensor_file_fragment(&job->file[0], &reader, path, error)
                             : see_text(&s, &reader, &options, error);
    trib_reader_close(&reader);
    if (status == TRIB_OK && is_fragment) status = see_fragment(&s, &job->file[0], error);
    if (status == TRIB_OK && *s.note) trib_log_say(job->line->log, TRIB_LOG_WARNING, "%s", s.note);
    if (status == TRIB_OK && job->line->json) status = tell_json(&s, job->line->out, error);
    else if (status == TRIB_OK) tell(&s, path, job->line->out);
    return status;
}

/* ---- The commands ---------------------------------------------------------------------------- */

trib_status trib_command_tensor(const trib_command_line *line, trib_error *error) {
    trib_tensor_job job = {.line = line};
    const bool writes = trib_flag_find(line->table, line->command, "--output", 8, 0);
    trib_status status = writes ? trib_tensor_check_output(line, error) : TRIB_OK;
    if (status == TRIB_OK) status = trib_tensor_settings(&job.config, line, error);
    if (status == TRIB_OK) status = line->command->tensor(&job, error);
    if (status == TRIB_OK && job.result.place.n_modes > 0)
        status = trib_tensor_write(&job, &job.result.place, job.result.value, error);
    trib_sparse_release(&job.result);
    trib_tensor_file_release(&job.file[0]);
    trib_tensor_file_release(&job.file[1]);
    trib_config_release(&job.config);
    return status;
}
