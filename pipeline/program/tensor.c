/* tensor.c - what the commands `tributary tensor` share, and those that take a tensor as it is:
 * `build` makes one from a text, `convert` writes it in other forms, `check` checks a file; `get`
 * and `slice` print single values and parts, whose indices count from 1; `find` and `mask` select
 * the nonzeros that pass a test. */

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
    TRIB_OWNED(trib_run) run = {0};
    job->config.influence.bootstrap = 0; /* no method needs the n-grams in order */
    trib_status status = trib_text_run(&run, &job->config, &about, 3, job->line->log, error);
    if (status == TRIB_OK && job->line->words) status = write_words(&run, job->line->words, error);
    return status == TRIB_OK
               ? trib_tensor_write(job, trib_counts_table(&run.tensors.document[0]), NULL, error)
               : status;
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

/* ---- Indices --------------------------------------------------------------------------------- */

enum { NUMBER_MAX = 24 };

/* Reads a number from 1 to `most` of `length` digits at `text`; false when it is not one. */
static bool read_index(const char *text, size_t length, uint32_t most, uint32_t *index) {
    char digits[NUMBER_MAX];
    uint64_t number = 0;
    if (length == 0 || length >= NUMBER_MAX) return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (!trib_read_uint(digits, &number) || number < 1 || number > most) return false;
    *index = (uint32_t)(number - 1);
    return true;
}

static trib_status no_index(const char *word, const char *text, size_t length, uint32_t mode,
                            uint32_t most, trib_error *error) {
    return trib_fail(error, TRIB_USAGE, "'%s': mode %u has the indices 1 to %u, not '%.*s'", word,
                     (unsigned)mode + 1, (unsigned)most, (int)length, text);
}

/* ---- get ------------------------------------------------------------------------------------- */

/* Reads "3,1,7". */
static trib_status read_point(const char *word, const trib_tensor_file *file, uint32_t index[],
                              trib_error *error) {
    const char *at = word;
    for (uint32_t m = 0; m < file->n_modes; m++) {
        const size_t length = strcspn(at, ",");
        if (!*at || (m + 1 < file->n_modes) != (at[length] == ','))
            return trib_fail(error, TRIB_USAGE,
                             "'%s' is not an index of %u modes; it needs %u numbers from 1, with "
                             "commas between them",
                             word, (unsigned)file->n_modes, (unsigned)file->n_modes);
        if (!read_index(at, length, file->dim[m], &index[m]))
            return no_index(word, at, length, m, file->dim[m], error);
        at += length + (at[length] == ',');
    }
    return TRIB_OK;
}

/* Of a fragment it reads only the pages that may contain an index. */
static trib_status get_values(trib_tensor_file *file, size_t n, const uint32_t *index,
                              double *value, trib_error *error) {
    TRIB_FREED(uint64_t *) count = NULL;
    if (!file->fragment.n_modes) {
        const trib_view view = trib_tensor_file_view(file);
        for (size_t i = 0; i < n; i++) value[i] = trib_view_get(&view, index + i * view.n_modes);
        return TRIB_OK;
    }
    trib_status status = TRIB_NEW(&count, n, "values", error);
    if (status == TRIB_OK)
        status = trib_fragment_points(&file->fragment, 1, n, index, count, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) value[i] = (double)count[i];
    return status;
}

/* Writes a line "1 2 3 value" for each of n indices[n][n_modes] of the first file, which count from
 * 0; or the member `values` under --json. */
static trib_status write_values(const trib_tensor_job *job, size_t n, const uint32_t *index,
                                const double *value, trib_error *error) {
    const uint32_t n_modes = job->file[0].n_modes;
    const bool as_json = job->line->json;
    trib_writer *out = job->line->out;
    json_t *list = as_json ? json_array() : NULL;
    for (size_t i = 0; i < n; i++) {
        const uint32_t *at = index + i * n_modes;
        if (as_json) {
            json_array_append_new(list,
                                  json_pack("{s:o, s:o}", "index", trib_index_json(n_modes, at),
                                            "value", trib_value_json(value[i])));
            continue;
        }
        trib_index_print(out, n_modes, at);
        trib_write_text(out, " ");
        trib_write_number(out, value[i]);
        trib_write_text(out, "\n");
    }
    return as_json ? trib_json_print(out, error, "{s:o}", "values", list) : TRIB_OK;
}

trib_status trib_tensor_do_get(trib_tensor_job *job, trib_error *error) {
    const trib_command_line *line = job->line;
    trib_tensor_file *file = &job->file[0];
    TRIB_FREED(uint32_t *) index = NULL;
    TRIB_FREED(double *) value = NULL;
    const size_t n = line->n_operands - 1;
    trib_status status = trib_tensor_file_open(file, line->operand[0], line, &job->config, error);
    if (status == TRIB_OK)
        status = trib_new(&index, n, file->n_modes * sizeof *index, "indices", error);
    if (status == TRIB_OK) status = TRIB_NEW(&value, n, "values", error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        status = read_point(line->operand[i + 1], file, index + i * file->n_modes, error);
    if (status == TRIB_OK) status = get_values(file, n, index, value, error);
    return status == TRIB_OK ? write_values(job, n, index, value, error) : status;
}

/* ---- slice ----------------------------------------------------------------------------------- */

/* The parts that the ranges name: axes of a view, and lists of indices for some modes of the
 * view. */
typedef struct choice {
    trib_box box; /* contains every index that is needed */
    trib_axis axis[TRIB_MAX_AXES];
    uint32_t n_axes, n_modes;       /* axes and modes of the view so far */
    uint32_t *list[TRIB_MAX_MODES]; /* [n] the indices of each mode of the view; NULL: all */
    uint32_t n[TRIB_MAX_MODES];
    bool has_lists;
} choice;

/* Reads "7,3,3" or "7,": the indices themselves, to be copied in this order. */
static trib_status read_list(const char *word, uint32_t mode, uint32_t most, choice *c,
                             trib_error *error) {
    uint32_t **list = &c->list[c->n_modes], n = 1;
    for (const char *comma = strchr(word, ','); comma; comma = strchr(comma + 1, ','))
        n += comma[1] != '\0';
    trib_status status = TRIB_NEW(list, n, "chosen indices", error);
    const char *at = word;
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        const size_t length = strcspn(at, ",");
        if (!read_index(at, length, most, &(*list)[i]))
            status = no_index(word, at, length, mode, most, error);
        at += length + (at[length] == ',');
    }
    c->n[c->n_modes] = n;
    c->has_lists = true;
    return status;
}

/* Reads one RANGE, for mode `mode` of the file. */
static trib_status read_range(const char *word, const trib_tensor_file *whole, uint32_t *mode,
                              choice *c, trib_error *error) {
    uint32_t first = 0, last = 0;
    trib_axis axis = trib_all();
    trib_status status = TRIB_OK;
    if (c->n_axes == TRIB_MAX_AXES || c->n_modes == TRIB_MAX_MODES)
        return trib_fail(error, TRIB_USAGE, "'%s': more than %d modes", word, TRIB_MAX_MODES);
    if (strcmp(word, "new") == 0) {
        c->axis[c->n_axes++] = trib_new_axis();
        c->n_modes++;
        return TRIB_OK;
    }
    if (*mode == whole->n_modes)
        return trib_fail(error, TRIB_USAGE, "'%s': the tensor has only %u modes", word,
                         (unsigned)whole->n_modes);
    const uint32_t m = (*mode)++, most = whole->dim[m];
    uint32_t *lower = &c->box.lower[m], *upper = &c->box.upper[m];
    const char *colon = strchr(word, ':');
    if (strchr(word, ',')) {
        status = read_list(word, m, most, c, error);
    } else if (colon && strcmp(word, ":") != 0) {
        if (!read_index(word, (size_t)(colon - word), most, &first))
            return no_index(word, word, (size_t)(colon - word), m, most, error);
        if (!read_index(colon + 1, strlen(colon + 1), most, &last))
            return no_index(word, colon + 1, strlen(colon + 1), m, most, error);
        if (last < first) return trib_fail(error, TRIB_USAGE, "'%s' ends before it begins", word);
        axis = trib_interval(first, last - first + 1);
        *lower = first;
        *upper = last + 1;
    } else if (!colon) {
        if (!read_index(word, strlen(word), most, &first))
            return no_index(word, word, strlen(word), m, most, error);
        axis = trib_point(first);
        *lower = first;
        *upper = first + 1;
    }
    c->axis[c->n_axes++] = axis;
    c->n_modes += axis.kind != TRIB_AXIS_POINT;
    return status;
}

/* Copies the part as real values; `part` is a view of the tensor, to which the lists are
 * applied. */
static trib_status copy_part(trib_sparse *copy, const trib_view *part, const choice *c,
                             trib_error *error) {
    const uint32_t *list[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) list[m] = c->list[m];
    return c->has_lists ? trib_sparse_select(copy, part, list, c->n, error)
                        : trib_sparse_copy(copy, part, error);
}

/* Makes the result of a part; of counts it has counts again. */
static trib_status take_part(trib_tensor_job *job, const trib_view *part, const choice *c,
                             trib_error *error) {
    if (part->n_modes == 0)
        return trib_tensor_number_write(job, "value", trib_view_get(part, part->dim), error);
    TRIB_OWNED(trib_sparse) copy = {0};
    trib_sparse *const to = part->real ? &job->result : &copy;
    trib_status status = copy_part(to, part, c, error);
    if (status != TRIB_OK || part->real) return status;
    const trib_view values = trib_view_reals(&copy);
    return trib_sparse_counts(&job->result.place, &values, error);
}

trib_status trib_tensor_do_slice(trib_tensor_job *job, trib_error *error) {
    const trib_command_line *line = job->line;
    trib_tensor_file *file = &job->file[0];
    trib_view part;
    choice c = {0};
    uint32_t mode = 0;
    trib_status status = trib_tensor_file_open(file, line->operand[0], line, &job->config, error);
    memcpy(c.box.upper, file->dim, sizeof file->dim);
    for (size_t i = 1; i < line->n_operands && status == TRIB_OK; i++)
        status = read_range(line->operand[i], file, &mode, &c, error);
    if (status == TRIB_OK) status = trib_tensor_file_read(file, &c.box, &job->config, error);
    if (status == TRIB_OK) {
        const trib_view whole = trib_tensor_file_view(file);
        status = trib_view_take(&part, &whole, c.n_axes, c.axis, error);
    }
    if (status == TRIB_OK) status = take_part(job, &part, &c, error);
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) trib_free(c.list[m]);
    return status;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* A comparison with a number. */
typedef struct test {
    bool (*holds)(double value, double bound);
    double bound;
} test;

static bool equal(double value, double bound) { return value == bound; }
static bool unequal(double value, double bound) { return value != bound; }
static bool above(double value, double bound) { return value > bound; }
static bool at_least(double value, double bound) { return value >= bound; }
static bool below(double value, double bound) { return value < bound; }
static bool at_most(double value, double bound) { return value <= bound; }

/* Named as in test(1). */
static const struct {
    const char *name;
    bool (*holds)(double value, double bound);
} tests[] = {{"eq", equal},    {"ne", unequal}, {"gt", above},
             {"ge", at_least}, {"lt", below},   {"le", at_most}};

static trib_status read_test(test *t, const char *name, const char *bound, trib_error *error) {
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strcmp(name, tests[i].name) == 0) t->holds = tests[i].holds;
    if (!t->holds)
        return trib_fail(error, TRIB_USAGE, "'%s' is not a test; use eq, ne, gt, ge, lt or le",
                         name);
    if (!bound) return trib_fail(error, TRIB_USAGE, "%s needs a number", name);
    return trib_read_double(bound, &t->bound)
               ? TRIB_OK
               : trib_fail(error, TRIB_USAGE, "%s needs a number, not '%s'", name, bound);
}

static bool passes(double value, void *context) {
    const test *t = context;
    return t->holds(value, t->bound);
}

/* ---- find ------------------------------------------------------------------------------------ */

/* Removes the nonzeros that do not pass. */
static void keep_passing(trib_region *found, uint32_t n_modes, test *t) {
    size_t n = 0;
    for (size_t i = 0; i < found->n; i++) {
        if (!passes(found->value[i], t)) continue;
        memmove(found->index + n * n_modes, found->index + i * n_modes,
                n_modes * sizeof *found->index);
        found->value[n++] = found->value[i];
    }
    found->n = n;
}

trib_status trib_tensor_do_find(trib_tensor_job *job, trib_error *error) {
    const trib_command_line *line = job->line;
    TRIB_OWNED(trib_region) found = {0};
    test t = {0};
    trib_status status = TRIB_OK;
    if (line->n_operands > 1)
        status =
            read_test(&t, line->operand[1], line->n_operands > 2 ? line->operand[2] : NULL, error);
    if (status == TRIB_OK) status = trib_tensor_load(job, 1, error);
    if (status == TRIB_OK) status = trib_view_find(&job->x, &found, error);
    if (status == TRIB_OK && t.holds) keep_passing(&found, job->x.n_modes, &t);
    return status == TRIB_OK ? write_values(job, found.n, found.index, found.value, error) : status;
}

/* ---- mask ------------------------------------------------------------------------------------ */

trib_status trib_tensor_do_mask(trib_tensor_job *job, trib_error *error) {
    test t = {0};
    trib_status status = read_test(&t, job->line->operand[1], job->line->operand[2], error);
    if (status == TRIB_OK) status = trib_tensor_load(job, 1, error);
    return status == TRIB_OK ? trib_sparse_mask(&job->result, &job->x, passes, &t, error) : status;
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
