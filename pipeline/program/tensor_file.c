/* tensor_file.c - reads and writes tensors for the commands, in the form of the file's content
 * or of its name. */
#include "pipeline/program/tools.h"

/* ---- Settings -------------------------------------------------------------------------------- */

trib_status trib_tensor_settings(trib_config *config, const trib_command_line *line,
                                 trib_error *error) {
    trib_status status = trib_config_load(config, NULL, line->setting, line->n_settings,
                                          trib_config_log, line->log, error);
    if (status == TRIB_OK) status = trib_config_read_markup(config, error);
    if (status == TRIB_OK) trib_command_limit_memory(line, config);
    return status;
}

/* ---- Forms ----------------------------------------------------------------------------------- */

static trib_status no_organisation(const char *name, trib_error *error) {
    char list[256] = "";
    for (const trib_organisation *row = trib_organisations; row->name; row++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
                 row->name);
    return trib_fail(error, TRIB_CONFIG,
                     "tensor.format '%s' is not an organisation of fragments; use one of %s", name,
                     list);
}

/* The organisation of a fragment: tensor.fragment or, when that is linear, the default,
 * tensor.format, when that names an organisation; its default, hacoo, is not one of files. NULL:
 * it names none. `reason` says why `auto` chose the organisation. */
static const trib_organisation *organisation_of(const trib_hacoo *table, const trib_config *config,
                                                char reason[TRIB_REASON_MAX]) {
    const trib_organisation *linear = trib_organisation_find("linear");
    const char *format = config->tensor.format->name;
    reason[0] = '\0';
    if (config->tensor.fragment != linear)
        return trib_organisation_choose(config->tensor.fragment, config->tensor.reads,
                                        table->n_modes, table->dim, table->nnz, reason);
    return strcmp(format, "hacoo") == 0 ? linear : trib_organisation_find(format);
}

static trib_status check_fragment(const trib_hacoo *table, const trib_config *config, trib_log *log,
                                  trib_error *error) {
    char reason[TRIB_REASON_MAX];
    const trib_organisation *organisation = organisation_of(table, config, reason);
    if (!organisation) return no_organisation(config->tensor.format->name, error);
    if (reason[0])
        trib_log_say(log, TRIB_LOG_INFO, "tensor.fragment auto chose %s: %s", organisation->name,
                     reason);
    return TRIB_OK;
}

/* Writes every cell, zeros too. */
static trib_status write_npy(const trib_hacoo *table, const double *values, trib_writer *writer,
                             trib_error *error) {
    enum { MOST = 1 << 28 };                                                 /* cells; 2 GiB */
    trib_sparse x = {.place = *table, .value = (double *)(uintptr_t)values}; /* read only */
    const trib_view view = values ? trib_view_reals(&x) : trib_view_counts(&x.place);
    size_t n = 0, dim[TRIB_MAX_MODES];
    TRIB_FREED(double *) cell = NULL;
    if (!trib_dense_cells(&view, &n) || n > MOST)
        return trib_fail(
            error, TRIB_INPUT,
            "more than %d cells, and .npy needs a value for each; write .tns, or a slice", MOST);
    const trib_status status = TRIB_NEW(&cell, n, "all cells", error);
    if (status != TRIB_OK) return status;
    trib_dense_copy(cell, &view);
    for (uint32_t m = 0; m < view.n_modes; m++) dim[m] = view.dim[m];
    trib_npy_write_array(writer, cell, view.n_modes, dim);
    return TRIB_OK;
}

static const struct form {
    const char *name, *ending;
    enum { TNS, MTX, FRAGMENT, NPY } kind;
    bool compress, raw; /* of a fragment */
} forms[] = {
    {"tns", ".tns", TNS, false, false},
    {"mtx", ".mtx", MTX, false, false},
    {"fragment", ".fragment", FRAGMENT, false, false},
    {"fragment-zstd", ".fragment.zst", FRAGMENT, true, false},
    {"fragment-raw", ".fragment.raw", FRAGMENT, false, true},
    {"npy", ".npy", NPY, false, false},
};
enum { N_FORMS = sizeof forms / sizeof *forms };

static trib_status write_form(const struct form *form, const trib_hacoo *table,
                              const double *values, const trib_config *config, trib_writer *writer,
                              trib_error *error) {
    char reason[TRIB_REASON_MAX];
    if (form->kind == TNS) return trib_tns_write(table, values, writer, error);
    if (form->kind == MTX) return trib_mtx_write(table, values, writer, error);
    if (form->kind == NPY) return write_npy(table, values, writer, error);
    const trib_fragment_options options = {.organisation = organisation_of(table, config, reason),
                                           .compress = form->compress,
                                           .raw = form->raw};
    return trib_fragment_write(table, &options, writer, error);
}

/* The form by --to or by the name of the output; NULL after an error. */
static const struct form *output_form(const trib_command_line *line, trib_error *error) {
    if (line->form) return &forms[line->form - 1];
    if (!line->output || strcmp(line->output, "-") == 0) return &forms[0];
    size_t length = strlen(line->output);
    if (trib_name_ends(line->output, length, ".gz")) length -= strlen(".gz");
    const bool packed = line->output[length] != '\0';
    for (size_t f = 0; f < N_FORMS; f++)
        if (trib_name_ends(line->output, length, forms[f].ending) &&
            !(packed && forms[f].kind == FRAGMENT))
            return &forms[f];
    trib_fail(error, TRIB_USAGE,
              "--output %s: the name has no known ending; use .tns, .mtx or .npy, with .gz to "
              "compress it, or .fragment, .fragment.zst or .fragment.raw",
              line->output);
    return NULL;
}

trib_status trib_tensor_check_output(const trib_command_line *line, trib_error *error) {
    if (!output_form(line, error)) return TRIB_USAGE;
    if (line->json && line->form && !line->output)
        return trib_fail(error, TRIB_USAGE,
                         "--json is a form of its own; leave out --to, or write to a file with -o");
    return TRIB_OK;
}

/* ---- Texts and JSON -------------------------------------------------------------------------- */

const char *trib_input_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *trib_size_text(char text[TRIB_SIZE_TEXT], uint32_t n_modes, const uint32_t dim[]) {
    int length = 0;
    text[0] = '\0';
    for (uint32_t m = 0; m < n_modes; m++)
        length += snprintf(text + length, (size_t)(TRIB_SIZE_TEXT - length), "%s%u", m ? " x " : "",
                           (unsigned)dim[m]);
    return text;
}

json_t *trib_size_json(uint32_t n_modes, const uint32_t dim[]) {
    json_t *list = json_array();
    for (uint32_t m = 0; m < n_modes; m++) json_array_append_new(list, json_integer(dim[m]));
    return list;
}

json_t *trib_index_json(uint32_t n_modes, const uint32_t index[]) {
    json_t *list = json_array();
    for (uint32_t m = 0; m < n_modes; m++)
        json_array_append_new(list, json_integer((json_int_t)index[m] + 1));
    return list;
}

json_t *trib_value_json(double value) {
    return value >= -9e15 && value <= 9e15 && value == (double)(json_int_t)value
               ? json_integer((json_int_t)value)
               : trib_json_real("value", value);
}

void trib_index_print(trib_writer *out, uint32_t n_modes, const uint32_t index[]) {
    for (uint32_t m = 0; m < n_modes; m++)
        trib_print(out, "%s%llu", m ? " " : "", (unsigned long long)index[m] + 1);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static trib_hacoo_options table_options(const trib_config *config) {
    return (trib_hacoo_options){.hash = config->tensor.hash,
                                .load = config->tensor.load,
                                .n_buckets = (size_t)config->tensor.buckets};
}

trib_tns_options trib_tensor_text_options(const trib_command_line *line,
                                          const trib_hacoo_options *table) {
    return (trib_tns_options){
        .base = line->base ? (trib_tns_base)(line->base - 1) : TRIB_TNS_BASE_GUESS, .table = table};
}

static trib_status load_text(trib_tensor_file *file, trib_reader *reader,
                             const trib_command_line *line, const trib_config *config,
                             trib_error *error) {
    const trib_hacoo_options table = table_options(config);
    const trib_tns_options options = trib_tensor_text_options(line, &table);
    trib_tns_notes notes = {0};
    const trib_status status =
        trib_tns_read(&file->tensor.place, &file->tensor.value, reader, &options, &notes, error);
    if (status == TRIB_OK && *notes.warning)
        trib_log_say(line->log, TRIB_LOG_WARNING, "%s", notes.warning);
    if (file->tensor.value) file->tensor.cap = file->tensor.place.nnz;
    file->form = notes.format;
    file->n_modes = file->tensor.place.n_modes;
    memcpy(file->dim, file->tensor.place.dim, sizeof file->dim);
    return status;
}

trib_status trib_is_fragment(trib_reader *reader, bool *is_fragment, trib_error *error) {
    static const char magic[] = "TRIBFRAG";
    char begin[sizeof magic - 1];
    size_t got = 0;
    const trib_status status = trib_reader_peek(reader, begin, sizeof begin, &got, error);
    *is_fragment = status == TRIB_OK && got == sizeof begin && memcmp(begin, magic, got) == 0;
    return status;
}

trib_status trib_tensor_file_fragment(trib_tensor_file *file, trib_reader *reader, const char *path,
                                      trib_error *error) {
    trib_fragment *fragment = &file->fragment;
    file->form = "fragment";
    trib_status status = TRIB_OK;
    if (strcmp(path, "-") == 0 || reader->memory) {
        status = trib_reader_all(reader, &file->held, error);
        if (status == TRIB_OK)
            status = trib_fragment_open_memory(fragment, trib_input_name(path), file->held.text,
                                               file->held.length, error);
    } else {
        status = trib_fragment_open(fragment, path, error);
    }
    file->n_modes = fragment->n_modes;
    memcpy(file->dim, fragment->dim, sizeof file->dim);
    return status;
}

trib_status trib_tensor_file_from(trib_tensor_file *file, trib_reader *reader, const char *path,
                                  const trib_command_line *line, const trib_config *config,
                                  trib_error *error) {
    bool is_fragment = false;
    *file = (trib_tensor_file){0};
    trib_status status = trib_is_fragment(reader, &is_fragment, error);
    if (status == TRIB_OK)
        status = is_fragment ? trib_tensor_file_fragment(file, reader, path, error)
                             : load_text(file, reader, line, config, error);
    if (status != TRIB_OK) trib_tensor_file_release(file);
    return status;
}

trib_status trib_tensor_file_open(trib_tensor_file *file, const char *path,
                                  const trib_command_line *line, const trib_config *config,
                                  trib_error *error) {
    TRIB_OPENED(trib_reader) reader = {0};
    *file = (trib_tensor_file){0};
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    return trib_tensor_file_from(file, &reader, path, line, config, error);
}

trib_status trib_tensor_file_read(trib_tensor_file *file, const trib_box *box,
                                  const trib_config *config, trib_error *error) {
    const trib_hacoo_options options = table_options(config);
    if (!file->fragment.n_modes) return TRIB_OK;
    return box ? trib_fragment_region(&file->fragment, 1, box, &file->tensor.place, &options, error)
               : trib_fragment_read(&file->fragment, 1, &file->tensor.place, &options, error);
}

trib_status trib_tensor_file_load(trib_tensor_file *file, const char *path,
                                  const trib_command_line *line, const trib_config *config,
                                  trib_error *error) {
    trib_status status = trib_tensor_file_open(file, path, line, config, error);
    if (status == TRIB_OK) status = trib_tensor_file_read(file, NULL, config, error);
    if (status != TRIB_OK) trib_tensor_file_release(file);
    return status;
}

trib_status trib_tensor_load(trib_tensor_job *job, size_t n_files, trib_error *error) {
    const trib_command_line *line = job->line;
    const char *const path[] = {line->operand[0], line->operand[line->n_operands - 1]};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < n_files && status == TRIB_OK; i++)
        status = trib_tensor_file_load(&job->file[i], path[i], line, &job->config, error);
    if (status == TRIB_OK) job->x = trib_tensor_file_view(&job->file[0]);
    if (status == TRIB_OK && n_files > 1) job->y = trib_tensor_file_view(&job->file[1]);
    return status;
}

void trib_tensor_file_release(trib_tensor_file *file) {
    trib_sparse_release(&file->tensor);
    trib_fragment_close(&file->fragment);
    trib_buffer_release(&file->held);
    *file = (trib_tensor_file){0};
}

trib_view trib_tensor_file_view(trib_tensor_file *file) {
    return file->tensor.value ? trib_view_reals(&file->tensor)
                              : trib_view_counts(&file->tensor.place);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Writes every nonzero as [index..., value]. */
static trib_status write_json(const trib_hacoo *table, const double *values, trib_writer *out,
                              trib_error *error) {
    json_t *nonzeros = json_array();
    for (size_t e = 0; e < table->nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t count = trib_hacoo_entry(table, e, index);
        json_t *nonzero = trib_index_json(table->n_modes, index);
        json_array_append_new(nonzero, trib_value_json(values ? values[e] : count));
        json_array_append_new(nonzeros, nonzero);
    }
    return trib_json_print(out, error, "{s:o, s:o}", "size",
                           trib_size_json(table->n_modes, table->dim), "nonzeros", nonzeros);
}

/* Under --json, prints what was written to the file. */
static trib_status tell(const trib_tensor_job *job, const trib_hacoo *table,
                        const struct form *form, trib_error *error) {
    if (!job->line->json) return TRIB_OK;
    return trib_json_print(job->line->out, error, "{s:o, s:s, s:o, s:I}", "file",
                           trib_json_text(job->line->output), "form", form->name, "size",
                           trib_size_json(table->n_modes, table->dim), "nonzeros",
                           (json_int_t)table->nnz);
}

/* Writes a fragment of values that are counts, such as those of a mask or of a sum of counts. */
static trib_status write_counts(const trib_tensor_job *job, const trib_hacoo *table,
                                const double *values, trib_error *error) {
    trib_sparse x = {.place = *table, .value = (double *)(uintptr_t)values}; /* read only */
    const trib_view view = trib_view_reals(&x);
    TRIB_OWNED(trib_hacoo) counts = {0};
    trib_status status = trib_sparse_counts(&counts, &view, error);
    if (status == TRIB_INPUT)
        status = trib_fail(
            error, TRIB_INPUT,
            "a fragment contains counts only, and this tensor has other values; write .tns");
    return status == TRIB_OK ? trib_tensor_write(job, &counts, NULL, error) : status;
}

trib_status trib_tensor_write(const trib_tensor_job *job, const trib_hacoo *table,
                              const double *values, trib_error *error) {
    const trib_command_line *line = job->line;
    const trib_config *config = &job->config;
    const struct form *form = output_form(line, error);
    if (!form) return TRIB_USAGE;
    const bool to_out = !line->output || strcmp(line->output, "-") == 0;
    if (to_out && line->json) return write_json(table, values, job->line->out, error);
    if (form->kind == FRAGMENT && values) return write_counts(job, table, values, error);
    trib_writer writer;
    char size[TRIB_SIZE_TEXT];
    trib_status status = TRIB_OK;
    if (form->kind == FRAGMENT) status = check_fragment(table, config, job->line->log, error);
    if (status == TRIB_OK && to_out)
        return write_form(form, table, values, config, job->line->out, error);
    if (status == TRIB_OK) status = trib_writer_open(&writer, line->output, error);
    if (status != TRIB_OK) return status;
    trib_log_say(job->line->log, TRIB_LOG_INFO, "%s: %s, %zu nonzero%s", line->output,
                 trib_size_text(size, table->n_modes, table->dim), table->nnz,
                 table->nnz == 1 ? "" : "s");
    if (trib_name_ends(line->output, strlen(line->output), ".gz")) trib_writer_pack(&writer);
    status = write_form(form, table, values, config, &writer, error);
    status = trib_writer_end(&writer, status, NULL, error);
    return status == TRIB_OK ? tell(job, table, form, error) : status;
}
