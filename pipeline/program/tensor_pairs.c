/* tensor_pairs.c - `tributary tensor add`, `subtract`, `times`, `pair`, `inner` and `reduce`. */
#include <string.h>

#include "pipeline/program/tools.h"

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
    if (status == TRIB_OK) return trib_tensor_write_result(job, error);
    name_operands(job, error);
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

/* ---- reduce ---------------------------------------------------------------------------------- */

/* The reduction that the operands name. */
typedef struct reduction {
    const trib_reduction *by; /* NULL: argmax, argmin or argsum */
    bool argmax, argmin, argsum;
    const char *name;
    uint32_t modes, n_given, mode; /* modes: the set as bits; n_given of them; the last one */
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

static trib_status read_modes(reduction *r, const trib_view *x, const trib_command_line *line,
                              trib_error *error) {
    for (size_t i = 2; i < line->n_operands; i++) {
        uint64_t mode = 0;
        if (!trib_read_uint(line->operand[i], &mode) || mode < 1 || mode > x->n_modes)
            return trib_fail(error, TRIB_USAGE, "'%s' is not a mode; modes are 1 to %u",
                             line->operand[i], (unsigned)x->n_modes);
        r->mode = (uint32_t)mode - 1;
        if (r->modes >> r->mode & 1)
            return trib_fail(error, TRIB_USAGE, "mode %u is given twice", (unsigned)mode);
        r->modes |= UINT32_C(1) << r->mode;
        r->n_given++;
    }
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
        return trib_json_write(
            json_pack("{s:i, s:o}", "schema", 1, "index", trib_index_json(x->n_modes, index)),
            job->out, error);
    trib_index_print(job->out, x->n_modes, index);
    trib_write_text(job->out, "\n");
    return TRIB_OK;
}

trib_status trib_tensor_do_reduce(trib_tensor_job *job, trib_error *error) {
    const trib_view *x = &job->x;
    reduction r = {0};
    uint32_t index = 0;
    trib_status status = read_reduction(&r, job->line->operand[1], error);
    if (status == TRIB_OK) status = trib_tensor_load(job, 1, error);
    if (status == TRIB_OK) status = read_modes(&r, x, job->line, error);
    if (status == TRIB_OK && r.argsum) status = trib_view_argsum(x, r.mode, &index, error);
    if (status != TRIB_OK) return status;
    const bool all = r.n_given == 0 || r.n_given == x->n_modes;
    if (r.argsum) return trib_tensor_number_write(job, "index", index + 1.0, error);
    if (all && !r.by) return write_place(job, &r, error);
    if (all) return trib_tensor_number_write(job, r.name, trib_view_reduce(x, r.by), error);
    if (r.by) status = trib_sparse_collapse(&job->result, x, r.modes, r.by, error);
    else if (r.argmax) status = trib_sparse_argmax(&job->result, x, r.mode, error);
    else status = trib_sparse_argmin(&job->result, x, r.mode, error);
    return status == TRIB_OK ? trib_tensor_write_result(job, error) : status;
}
