/* tensor_pairs.c - `tributary tensor add`, `subtract`, `times`, `pair`, `inner` and `reduce`. */
#include <string.h>

#include "pipeline/tools/tools.h"

/* ---- Two tensors ----------------------------------------------------------------------------- */

/* Both operands; the command releases them whatever its status. */
typedef struct operands {
    trib_config config;
    trib_tensor_file file[2];
    trib_view x, y;
} operands;

static trib_status load_both(operands *o, const trib_command_line *line, trib_log *log,
                             trib_error *error) {
    trib_status status = trib_tensor_settings(&o->config, line, log, error);
    const char *const path[] = {line->operand[0], line->operand[line->n_operands - 1]};
    for (size_t i = 0; i < 2 && status == TRIB_OK; i++)
        status = trib_tensor_file_load(&o->file[i], path[i], line, &o->config, log, error);
    if (status != TRIB_OK) return status;
    o->x = trib_tensor_file_view(&o->file[0]);
    o->y = trib_tensor_file_view(&o->file[1]);
    return TRIB_OK;
}

static void release_both(operands *o) {
    trib_tensor_file_release(&o->file[0]);
    trib_tensor_file_release(&o->file[1]);
    trib_config_release(&o->config);
}

static trib_status pair(const char *name, const trib_command_line *line, trib_log *log,
                        trib_writer *out, trib_error *error) {
    operands o = {0};
    trib_sparse z = {0};
    trib_status status = trib_tensor_file_check_output(line, error);
    if (status == TRIB_OK) status = load_both(&o, line, log, error);
    if (status == TRIB_OK) {
        status = trib_sparse_pair(&z, &o.x, &o.y, trib_pairing_find(name), error);
        if (status != TRIB_OK)
            trib_error_prefix(error, "%s and %s", trib_input_name(line->operand[0]),
                              trib_input_name(line->operand[line->n_operands - 1]));
    }
    if (status == TRIB_OK)
        status = trib_tensor_file_write(&z.place, z.value, line, &o.config, log, out, error);
    trib_sparse_release(&z);
    release_both(&o);
    return status;
}

trib_status trib_command_tensor_add(const trib_command_line *line, trib_log *log, trib_writer *out,
                                    trib_error *error) {
    return pair("add", line, log, out, error);
}

trib_status trib_command_tensor_subtract(const trib_command_line *line, trib_log *log,
                                         trib_writer *out, trib_error *error) {
    return pair("subtract", line, log, out, error);
}

trib_status trib_command_tensor_times(const trib_command_line *line, trib_log *log,
                                      trib_writer *out, trib_error *error) {
    return pair("times", line, log, out, error);
}

trib_status trib_command_tensor_pair(const trib_command_line *line, trib_log *log, trib_writer *out,
                                     trib_error *error) {
    char names[256];
    size_t length = 0;
    for (const trib_pairing *row = trib_pairings; row->name; row++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                   row == trib_pairings ? "" : ", ", row->name);
    if (!trib_pairing_find(line->operand[1]))
        return trib_fail(error, TRIB_USAGE,
                         "'%s' is not an operation on pairs of values; use one of %s",
                         line->operand[1], names);
    return pair(line->operand[1], line, log, out, error);
}

trib_status trib_command_tensor_inner(const trib_command_line *line, trib_log *log,
                                      trib_writer *out, trib_error *error) {
    operands o = {0};
    double inner = 0;
    trib_status status = load_both(&o, line, log, error);
    if (status == TRIB_OK) {
        status = trib_view_inner(&inner, &o.x, &o.y, error);
        if (status != TRIB_OK)
            trib_error_prefix(error, "%s and %s", trib_input_name(line->operand[0]),
                              trib_input_name(line->operand[1]));
    }
    if (status == TRIB_OK) status = trib_tensor_number_write(inner, "inner", line, out, error);
    release_both(&o);
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
static trib_status write_place(const reduction *r, const trib_view *x,
                               const trib_command_line *line, trib_writer *out, trib_error *error) {
    uint32_t index[TRIB_MAX_MODES] = {0};
    trib_sparse negative = {0};
    if (line->output)
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
    if (line->json)
        return trib_json_write(
            json_pack("{s:i, s:o}", "schema", 1, "index", trib_index_json(x->n_modes, index)), out,
            error);
    trib_index_print(out, x->n_modes, index);
    trib_write_text(out, "\n");
    return TRIB_OK;
}

static trib_status reduce(const reduction *r, const trib_view *x, const trib_command_line *line,
                          const trib_config *config, trib_log *log, trib_writer *out,
                          trib_error *error) {
    const bool all = r->n_given == 0 || r->n_given == x->n_modes;
    trib_sparse z = {0};
    uint32_t index = 0;
    trib_status status = TRIB_OK;
    if (r->argsum) {
        status = trib_view_argsum(x, r->mode, &index, error);
        if (status != TRIB_OK) return status;
        return trib_tensor_number_write(index + 1.0, "index", line, out, error);
    }
    if (all && !r->by) return write_place(r, x, line, out, error);
    if (all) return trib_tensor_number_write(trib_view_reduce(x, r->by), r->name, line, out, error);
    if (r->by) status = trib_sparse_collapse(&z, x, r->modes, r->by, error);
    else if (r->argmax) status = trib_sparse_argmax(&z, x, r->mode, error);
    else status = trib_sparse_argmin(&z, x, r->mode, error);
    if (status == TRIB_OK)
        status = trib_tensor_file_write(&z.place, z.value, line, config, log, out, error);
    trib_sparse_release(&z);
    return status;
}

trib_status trib_command_tensor_reduce(const trib_command_line *line, trib_log *log,
                                       trib_writer *out, trib_error *error) {
    trib_config config = {0};
    trib_tensor_file file = {0};
    reduction r = {0};
    trib_view x = {0};
    trib_status status = read_reduction(&r, line->operand[1], error);
    if (status == TRIB_OK) status = trib_tensor_file_check_output(line, error);
    if (status == TRIB_OK) status = trib_tensor_operand_load(&config, &file, line, log, error);
    if (status == TRIB_OK) {
        x = trib_tensor_file_view(&file);
        status = read_modes(&r, &x, line, error);
    }
    if (status == TRIB_OK) status = reduce(&r, &x, line, &config, log, out, error);
    trib_tensor_file_release(&file);
    trib_config_release(&config);
    return status;
}
