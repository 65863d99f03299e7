/* tensor_algebra.c - `tributary tensor ttv`, `ttm`, `norm`, `scale`, `permute`, `unfold`, `rebuild`
 * and `compare`, and those of two tensors: `add`, `subtract`, `times`, `pair`, `inner` and `outer`;
 * and `reduce`. */

#include "pipeline/program/tools.h"

trib_status trib_tensor_number_write(const trib_tensor_job *job, const char *name, double value,
                                     trib_error *error) {
    if (job->line->output)
        return trib_fail(error, TRIB_USAGE,
                         "the result is one number, on standard output; leave out --output");
    if (job->line->json)
        return trib_json_print(job->line->out, error, "{s:o}", name, trib_value_json(value));
    trib_write_number(job->line->out, value);
    trib_write_text(job->line->out, "\n");
    return TRIB_OK;
}

/* ---- ttv ------------------------------------------------------------------------------------- */

/* The numbers of a text, separated by blanks. */
typedef struct numbers {
    size_t n, cap;
    double *value;
    size_t columns; /* how many numbers the first line with numbers has */
    size_t uneven;  /* the first line with another number of numbers; 0: none */
} numbers;

/* Notes the length of line `line`, whose numbers begin at list->value[first]. */
static void end_line(numbers *list, size_t line, size_t first) {
    const size_t n = list->n - first;
    if (list->columns == 0) list->columns = n;
    else if (n > 0 && n != list->columns && list->uneven == 0) list->uneven = line;
}

static trib_status read_numbers(numbers *list, const char *path, trib_error *error) {
    TRIB_OWNED(trib_buffer) text = {0};
    trib_status status = trib_read_whole(path, &text, error);
    size_t line = 1, first = 0;
    const char *const end = text.text ? text.text + text.length : NULL;
    for (char *at = text.text; status == TRIB_OK && at && at < end;) {
        static const char blanks[] = " \t\r\n";
        for (; at < end && *at && strchr(blanks, *at); at++) {
            if (*at != '\n') continue;
            end_line(list, line++, first);
            first = list->n;
        }
        const size_t length = strcspn(at, blanks);
        const char after = at[length];
        double number = 0;
        if (at == end) break;
        at[length] = '\0';
        if (!trib_read_double(at, &number) || !isfinite(number))
            status =
                trib_fail(error, TRIB_INPUT, "%s:%zu: '%.40s' is not a number", path, line, at);
        else status = TRIB_APPEND(&list->value, &list->n, &list->cap, "numbers", error, &number);
        at[length] = after;
        at += length;
    }
    end_line(list, line, first);
    return status;
}

/* Reads the mode of "2=FILE", counted from 0, and returns the text after '='; NULL after an
 * error, which shows `examples`. */
static const char *read_mode(const char *word, const char *what, const char *examples,
                             const trib_view *x, uint32_t *m, trib_error *error) {
    const char *equals = strchr(word, '=');
    char digits[16];
    uint64_t mode = 0;
    if (equals) snprintf(digits, sizeof digits, "%.*s", (int)(equals - word), word);
    if (!equals || !equals[1] || !trib_read_uint(digits, &mode) || mode < 1 || mode > x->n_modes) {
        trib_fail(error, TRIB_USAGE, "'%s' is not MODE=%s, such as %s, with a mode from 1 to %u",
                  word, what, examples, (unsigned)x->n_modes);
        return NULL;
    }
    *m = (uint32_t)mode - 1;
    return equals + 1;
}

/* Reads "2=weights.txt" or "2=ones". */
static trib_status read_factor(const char *word, const trib_view *x, double *vector[],
                               trib_error *error) {
    numbers list = {0};
    uint32_t m = 0;
    const char *path = read_mode(word, "VECTOR", "2=ones or 2=weights.txt", x, &m, error);
    if (!path) return TRIB_USAGE;
    const uint32_t n = x->dim[m];
    if (vector[m])
        return trib_fail(error, TRIB_USAGE, "'%s': mode %u has a vector already", word,
                         (unsigned)m + 1);
    if (strcmp(path, "ones") == 0) {
        const trib_status status = TRIB_NEW(&vector[m], n, "a vector", error);
        for (uint32_t i = 0; status == TRIB_OK && i < n; i++) vector[m][i] = 1;
        return status;
    }
    const trib_status status = read_numbers(&list, path, error);
    vector[m] = list.value;
    if (status != TRIB_OK || list.n == n) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%s: %zu number%s where mode %u has %u indices: it needs one for each", path,
                     list.n, list.n == 1 ? "" : "s", (unsigned)m + 1, (unsigned)n);
}

static trib_status multiply(trib_tensor_job *job, double *const vector[], trib_error *error) {
    const trib_view *x = &job->x;
    const double *factor[TRIB_MAX_MODES];
    uint32_t n_left = 0;
    double number = 0;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) factor[m] = vector[m];
    for (uint32_t m = 0; m < x->n_modes; m++) n_left += !factor[m];
    if (n_left == 0) {
        trib_dense_ttv(&number, x, factor);
        return trib_tensor_number_write(job, "value", number, error);
    }
    return trib_sparse_ttv(&job->result, x, factor, error);
}

trib_status trib_tensor_do_ttv(trib_tensor_job *job, trib_error *error) {
    double *vector[TRIB_MAX_MODES] = {0};
    trib_status status = trib_tensor_load(job, 1, error);
    for (size_t i = 1; i < job->line->n_operands && status == TRIB_OK; i++)
        status = read_factor(job->line->operand[i], &job->x, vector, error);
    if (status == TRIB_OK) status = multiply(job, vector, error);
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) trib_free(vector[m]);
    return status;
}

/* ---- ttm ------------------------------------------------------------------------------------- */

/* product = product times the matrix of "2=matrix.txt", which has a row of numbers for each
 * index of the result. */
static trib_status multiply_by_matrix(trib_sparse *product, const trib_view *x, const char *word,
                                      trib_error *error) {
    numbers matrix = {0};
    trib_sparse next = {0};
    uint32_t m = 0;
    const char *path = read_mode(word, "MATRIX", "2=matrix.txt", x, &m, error);
    if (!path) return TRIB_USAGE;
    trib_status status = read_numbers(&matrix, path, error);
    const size_t n_rows = matrix.n / x->dim[m];
    if (status == TRIB_OK && matrix.uneven > 0)
        status =
            trib_fail(error, TRIB_INPUT,
                      "%s:%zu: every row of the matrix needs as many numbers as the first, %zu",
                      path, matrix.uneven, matrix.columns);
    else if (status == TRIB_OK && (matrix.columns != x->dim[m] || n_rows > UINT32_MAX))
        status = trib_fail(error, TRIB_INPUT,
                           "%s: %zu number%s in a row where mode %u has %u indices: every row of "
                           "the matrix needs one for each",
                           path, matrix.columns, matrix.columns == 1 ? "" : "s", (unsigned)m + 1,
                           (unsigned)x->dim[m]);
    if (status == TRIB_OK)
        status = trib_sparse_ttm(&next, x, m, (uint32_t)n_rows, matrix.value, error);
    trib_free(matrix.value);
    if (status != TRIB_OK) return status;
    trib_sparse_release(product);
    *product = next;
    return TRIB_OK;
}

trib_status trib_tensor_do_ttm(trib_tensor_job *job, trib_error *error) {
    trib_status status = trib_tensor_load(job, 1, error);
    for (size_t i = 1; i < job->line->n_operands && status == TRIB_OK; i++) {
        const trib_view x = i == 1 ? job->x : trib_view_reals(&job->result);
        status = multiply_by_matrix(&job->result, &x, job->line->operand[i], error);
    }
    return status;
}

/* ---- norm, scale ----------------------------------------------------------------------------- */

trib_status trib_tensor_do_norm(trib_tensor_job *job, trib_error *error) {
    const char *text = job->line->n_operands > 1 ? job->line->operand[1] : "2";
    double p = INFINITY;
    if (strcmp(text, "inf") != 0 && (!trib_read_double(text, &p) || !(p >= 1)))
        return trib_fail(error, TRIB_USAGE, "'%s' is not a number from 1, nor inf", text);
    const trib_status status = trib_tensor_load(job, 1, error);
    return status == TRIB_OK
               ? trib_tensor_number_write(job, "norm", trib_view_norm_of(&job->x, p), error)
               : status;
}

trib_status trib_tensor_do_scale(trib_tensor_job *job, trib_error *error) {
    double by = 0;
    if (!trib_read_double(job->line->operand[1], &by) || !isfinite(by))
        return trib_fail(error, TRIB_USAGE, "'%s' is not a number", job->line->operand[1]);
    const trib_status status = trib_tensor_load(job, 1, error);
    return status == TRIB_OK ? trib_sparse_scale(&job->result, by, &job->x, error) : status;
}

/* ---- permute, unfold ------------------------------------------------------------------------- */

/* Reads the operands from number `first` on as different modes, counted from 0. */
static trib_status read_modes(const trib_tensor_job *job, size_t first, uint32_t mode[],
                              uint32_t *n, trib_error *error) {
    const trib_command_line *line = job->line;
    uint32_t modes = 0;
    *n = 0;
    for (size_t i = first; i < line->n_operands; i++) {
        uint64_t m = 0;
        if (!trib_read_uint(line->operand[i], &m) || m < 1 || m > job->x.n_modes)
            return trib_fail(error, TRIB_USAGE, "'%s' is not a mode; modes are 1 to %u",
                             line->operand[i], (unsigned)job->x.n_modes);
        if (modes >> (m - 1) & 1)
            return trib_fail(error, TRIB_USAGE, "mode %u is given twice", (unsigned)m);
        modes |= UINT32_C(1) << (m - 1);
        mode[(*n)++] = (uint32_t)m - 1;
    }
    return TRIB_OK;
}

trib_status trib_tensor_do_permute(trib_tensor_job *job, trib_error *error) {
    uint32_t order[TRIB_MAX_MODES], n = 0;
    trib_status status = trib_tensor_load(job, 1, error);
    if (status == TRIB_OK) status = read_modes(job, 1, order, &n, error);
    if (status == TRIB_OK && n < job->x.n_modes)
        status = trib_fail(error, TRIB_USAGE, "an order needs each of the %u modes",
                           (unsigned)job->x.n_modes);
    return status == TRIB_OK ? trib_sparse_permute(&job->result, &job->x, order, error) : status;
}

trib_status trib_tensor_do_unfold(trib_tensor_job *job, trib_error *error) {
    uint32_t mode[TRIB_MAX_MODES], n = 0;
    trib_status status = trib_tensor_load(job, 1, error);
    if (status == TRIB_OK) status = read_modes(job, 1, mode, &n, error);
    return status == TRIB_OK ? trib_sparse_unfold(&job->result, &job->x, mode[0], error) : status;
}

/* ---- rebuild --------------------------------------------------------------------------------- */

trib_status trib_tensor_do_rebuild(trib_tensor_job *job, trib_error *error) {
    const char *path = job->line->operand[0];
    const bool at_nonzeros = job->line->n_operands > 1;
    trib_reader reader;
    TRIB_OWNED(trib_ktensor) k = {0};
    trib_view x;
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    status = trib_ktns_read(&k, &reader, error);
    trib_reader_close(&reader);
    if (status == TRIB_OK && at_nonzeros)
        status = trib_tensor_file_load(&job->file[0], job->line->operand[1], job->line,
                                       &job->config, error);
    if (status == TRIB_OK && at_nonzeros) x = trib_tensor_file_view(&job->file[0]);
    if (status == TRIB_OK) {
        status = trib_ktensor_sum(&job->result, &k, at_nonzeros ? &x : NULL, error);
        if (status != TRIB_OK) trib_error_prefix(error, "%s", trib_input_name(path));
    }
    return status;
}

/* ---- compare --------------------------------------------------------------------------------- */

static json_t *difference_json(const trib_difference *d, const trib_view *x) {
    if (d->n == 0) return json_null();
    return json_pack("{s:o, s:o, s:o}", "index", trib_index_json(x->n_modes, d->index), "first",
                     trib_value_json(d->x), "second", trib_value_json(d->y));
}

static void print_difference(trib_writer *out, const trib_difference *d, const trib_view *x) {
    trib_print(out, "%zu value%s; first at ", d->n, d->n == 1 ? " differs" : "s differ");
    trib_index_print(out, x->n_modes, d->index);
    trib_write_text(out, ": ");
    trib_write_number(out, d->x);
    trib_write_text(out, " and ");
    trib_write_number(out, d->y);
    trib_write_text(out, "; at most ");
    trib_write_number(out, d->largest);
    trib_write_text(out, " apart\n");
}

static trib_status tell_difference(trib_tensor_job *job, double tolerance, trib_error *error) {
    const trib_view *x = &job->x, *y = &job->y;
    trib_writer *out = job->line->out;
    trib_difference d;
    char of_x[TRIB_SIZE_TEXT], of_y[TRIB_SIZE_TEXT];
    const bool alike = trib_view_compare(&d, x, y, tolerance), same = alike && d.n == 0;
    trib_size_text(of_x, x->n_modes, x->dim);
    trib_size_text(of_y, y->n_modes, y->dim);
    trib_status status = TRIB_OK;
    if (job->line->json)
        status =
            trib_json_print(out, error, "{s:b, s:[o, o], s:I, s:o, s:o}", "same", same, "sizes",
                            trib_size_json(x->n_modes, x->dim), trib_size_json(y->n_modes, y->dim),
                            "values", (json_int_t)d.n, "where", difference_json(&d, x), "largest",
                            trib_value_json(d.largest));
    else if (!alike) trib_print(out, "the sizes differ: %s and %s\n", of_x, of_y);
    else if (same) trib_print(out, "the same: %s, %zu nonzeros\n", of_x, trib_view_nnz(x));
    else print_difference(out, &d, x);
    if (status != TRIB_OK || same) return status;
    return trib_fail(error, TRIB_DIFFERS, "the tensors differ");
}

trib_status trib_tensor_do_compare(trib_tensor_job *job, trib_error *error) {
    const char *text = job->line->tolerance;
    double tolerance = 0;
    if (text && (!trib_read_double(text, &tolerance) || !(tolerance >= 0)))
        return trib_fail(error, TRIB_USAGE, "--tolerance needs a number from 0, not '%s'", text);
    const trib_status status = trib_tensor_load(job, 2, error);
    return status == TRIB_OK ? tell_difference(job, tolerance, error) : status;
}

/* ---- Two tensors ----------------------------------------------------------------------------- */

static void name_operands(const trib_tensor_job *job, trib_error *error) {
    trib_error_prefix(error, "%s and %s", trib_input_name(job->line->operand[0]),
                      trib_input_name(job->line->operand[job->line->n_operands - 1]));
}

static trib_status no_pairing(const char *name, trib_error *error) {
    char names[256];
    size_t length = 0;
    for (const trib_pairing *row = trib_pairings; row->name; row++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                   row == trib_pairings ? "" : ", ", row->name);
    return trib_fail(error, TRIB_USAGE,
                     "'%s' is not an operation on pairs of values; use one of %s", name, names);
}

/* `tensor pair` names the operation; `tensor add` and others are named for it. */
trib_status trib_tensor_do_pair(trib_tensor_job *job, trib_error *error) {
    const char *command = trib_command_rest(job->line->command, "tensor");
    const char *name = strcmp(command, "pair") == 0 ? job->line->operand[1] : command;
    const trib_pairing *pairing = trib_pairing_find(name);
    if (!pairing) return no_pairing(name, error);
    trib_status status = trib_tensor_load(job, 2, error);
    if (status != TRIB_OK) return status;
    status = trib_sparse_pair(&job->result, &job->x, &job->y, pairing, error);
    if (status != TRIB_OK) name_operands(job, error);
    return status;
}

trib_status trib_tensor_do_inner(trib_tensor_job *job, trib_error *error) {
    double inner = 0;
    trib_status status = trib_tensor_load(job, 2, error);
    if (status != TRIB_OK) return status;
    status = trib_view_inner(&inner, &job->x, &job->y, error);
    if (status == TRIB_OK) return trib_tensor_number_write(job, "inner", inner, error);
    name_operands(job, error);
    return status;
}

trib_status trib_tensor_do_outer(trib_tensor_job *job, trib_error *error) {
    const trib_status status = trib_tensor_load(job, 2, error);
    return status == TRIB_OK ? trib_sparse_outer(&job->result, &job->x, &job->y, error) : status;
}

/* ---- reduce ---------------------------------------------------------------------------------- */

/* The reduction that the operands name. */
typedef struct reduction {
    const trib_reduction *by; /* NULL: argmax, argmin or argsum */
    bool argmax, argmin, argsum;
    const char *name;
    uint32_t modes, n_given, mode; /* modes: the set as bits; n_given of them; the first one */
} reduction;

static trib_status read_reduction(reduction *r, const char *name, trib_error *error) {
    r->name = name;
    r->by = trib_reduction_find(name);
    r->argmax = strcmp(name, "argmax") == 0;
    r->argmin = strcmp(name, "argmin") == 0;
    r->argsum = strcmp(name, "argsum") == 0;
    if (r->by || r->argmax || r->argmin || r->argsum) return TRIB_OK;
    return trib_fail(error, TRIB_USAGE,
                     "'%s' is not a reduction; use sum, max, min, count, argmax, argmin or argsum",
                     name);
}

static trib_status read_reduced(reduction *r, const trib_tensor_job *job, trib_error *error) {
    uint32_t mode[TRIB_MAX_MODES] = {0};
    const trib_status status = read_modes(job, 2, mode, &r->n_given, error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < r->n_given; i++) r->modes |= UINT32_C(1) << mode[i];
    r->mode = mode[0];
    if (r->argsum && r->n_given != 1)
        return trib_fail(error, TRIB_USAGE, "argsum needs one mode, whose slices it sums");
    if ((r->argmax || r->argmin) && r->n_given > 1)
        return trib_fail(error, TRIB_USAGE,
                         "%s needs one mode, or none for the place in the whole tensor", r->name);
    return TRIB_OK;
}

/* Writes the index of the largest or smallest of all values. */
static trib_status write_place(const trib_tensor_job *job, const reduction *r, trib_error *error) {
    const trib_view *x = &job->x;
    uint32_t index[TRIB_MAX_MODES] = {0};
    trib_sparse negative = {0};
    if (job->line->output)
        return trib_fail(error, TRIB_USAGE,
                         "the result is one index, on standard output; leave out --output");
    if (r->argmin) {
        const trib_status status = trib_sparse_scale(&negative, -1, x, error);
        if (status != TRIB_OK) return status;
        const trib_view view = trib_view_reals(&negative);
        trib_view_max(&view, index);
        trib_sparse_release(&negative);
    } else {
        trib_view_max(x, index);
    }
    if (job->line->json)
        return trib_json_print(job->line->out, error, "{s:o}", "index",
                               trib_index_json(x->n_modes, index));
    trib_index_print(job->line->out, x->n_modes, index);
    trib_write_text(job->line->out, "\n");
    return TRIB_OK;
}

trib_status trib_tensor_do_reduce(trib_tensor_job *job, trib_error *error) {
    const trib_view *x = &job->x;
    reduction r = {0};
    uint32_t index = 0;
    trib_status status = read_reduction(&r, job->line->operand[1], error);
    if (status == TRIB_OK) status = trib_tensor_load(job, 1, error);
    if (status == TRIB_OK) status = read_reduced(&r, job, error);
    if (status == TRIB_OK && r.argsum) status = trib_view_argsum(x, r.mode, &index, error);
    if (status != TRIB_OK) return status;
    const bool all = r.n_given == 0 || r.n_given == x->n_modes;
    if (r.argsum) return trib_tensor_number_write(job, "index", index + 1.0, error);
    if (all && !r.by) return write_place(job, &r, error);
    if (all) return trib_tensor_number_write(job, r.name, trib_view_reduce(x, r.by), error);
    if (r.by) return trib_sparse_collapse(&job->result, x, r.modes, r.by, error);
    return r.argmax ? trib_sparse_argmax(&job->result, x, r.mode, error)
                    : trib_sparse_argmin(&job->result, x, r.mode, error);
}
