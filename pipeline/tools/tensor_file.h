/* tensor_file.h - tensors in files, whatever their form, for the commands that take one. Private to
 * pipeline. */
#ifndef TRIBUTARY_TOOLS_TENSOR_FILE_H
#define TRIBUTARY_TOOLS_TENSOR_FILE_H

#include "pipeline/command/command.h"
#include "pipeline/support/json.h"

/* A tensor in a file. `{0}` is empty. */
typedef struct trib_tensor_file {
    const char *form; /* "tns", "mtx" or "fragment" */
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    trib_sparse tensor;     /* value NULL: the values are the counts of tensor.place */
    trib_fragment fragment; /* open, when it is one: then `tensor` is empty until it is read */
    trib_buffer held;       /* its bytes, from standard input */
} trib_tensor_file;

/* Defaults and --set, without a file. Complaints go to the log. */
trib_status trib_tensor_settings(trib_config *config, const trib_command_line *line, trib_log *log,
                                 trib_error *error);
/* Whether a stream begins as a fragment does; it stays to be read. */
trib_status trib_is_fragment(trib_reader *reader, bool *is_fragment, trib_error *error);
/* How a text is read; `table` may be NULL. */
trib_tns_options trib_tensor_text_options(const trib_command_line *line,
                                          const trib_hacoo_options *table);
/* Opens a file ("-": standard input) by what is in it: a fragment, or a text, packed or not, which
 * is read here. `config` says how the table is made. Warnings go to the log. */
trib_status trib_tensor_file_open(trib_tensor_file *file, const char *path,
                                  const trib_command_line *line, const trib_config *config,
                                  trib_log *log, trib_error *error);
/* Opens the fragment that `reader`, opened on `path`, begins with; file is {0} before, and is
 * released after a failure too. */
trib_status trib_tensor_file_fragment(trib_tensor_file *file, trib_reader *reader, const char *path,
                                      trib_error *error);
/* Reads a fragment, or what of it lies in the box (NULL: all); nothing happens to a text. */
trib_status trib_tensor_file_read(trib_tensor_file *file, const trib_box *box,
                                  const trib_config *config, trib_error *error);
/* Both. */
trib_status trib_tensor_file_load(trib_tensor_file *file, const char *path,
                                  const trib_command_line *line, const trib_config *config,
                                  trib_log *log, trib_error *error);
/* The settings of a command (trib_tensor_settings), and the tensor that its first operand names
 * (trib_tensor_file_load). The caller releases both, whatever the status. */
trib_status trib_tensor_operand_load(trib_config *config, trib_tensor_file *file,
                                     const trib_command_line *line, trib_log *log,
                                     trib_error *error);
void trib_tensor_file_release(trib_tensor_file *file);
/* Once it is read. */
trib_view trib_tensor_file_view(trib_tensor_file *file);

/* Writes a tensor where the command line says: to the file of -o, in the form of --to or of its
 * name, or to `out`, as JSON under --json. values[nnz] replace the counts unless NULL. TRIB_USAGE
 * when the name tells no form; TRIB_INPUT when the form cannot hold this tensor. */
trib_status trib_tensor_file_write(const trib_hacoo *table, const double *values,
                                   const trib_command_line *line, const trib_config *config,
                                   trib_log *log, trib_writer *out, trib_error *error);
/* TRIB_USAGE before any work is done when -o and --to do not go together with the rest. */
trib_status trib_tensor_file_check_output(const trib_command_line *line, trib_error *error);

/* The name of an input in what is shown. */
const char *trib_input_name(const char *path);
/* "3 x 4 x 5" */
enum { TRIB_SIZE_TEXT = TRIB_MAX_MODES * 14 };
const char *trib_size_text(char text[TRIB_SIZE_TEXT], uint32_t n_modes, const uint32_t dim[]);
json_t *trib_size_json(uint32_t n_modes, const uint32_t dim[]);
/* Prints "1 2 3" from indices that count from 0; as JSON, an array. */
void trib_index_print(trib_writer *out, uint32_t n_modes, const uint32_t index[]);
json_t *trib_index_json(uint32_t n_modes, const uint32_t index[]);
json_t *trib_value_json(double value); /* a whole number without a point */
/* A result that is one number, alone on its line or as the member `name` under --json; TRIB_USAGE
 * with -o. */
trib_status trib_tensor_number_write(double value, const char *name, const trib_command_line *line,
                                     trib_writer *out, trib_error *error);
/* A line "1 2 3 value" for each of n indices[n][n_modes], which count from 0; or the member
 * `values` under --json. */
trib_status trib_tensor_values_write(uint32_t n_modes, size_t n, const uint32_t *index,
                                     const double *value, bool as_json, trib_writer *out,
                                     trib_error *error);

#endif
