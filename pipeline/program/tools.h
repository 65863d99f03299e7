/* tools.h - the commands on tensors in files, `cp` and those of `tensor`, and what they share:
 * files of any form. For a new form add a row to the table in tensor_file.c. */
#ifndef TRIBUTARY_PROGRAM_TOOLS_H
#define TRIBUTARY_PROGRAM_TOOLS_H

#include "pipeline/config/config.h"
#include "pipeline/program/command.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "tokenizer/tokenizer.h"

/* A tensor in a file. `{0}` is empty. */
typedef struct trib_tensor_file {
    const char *form; /* "tns", "mtx" or "fragment" */
    uint32_t n_modes, dim[TRIB_MAX_MODES];
    trib_sparse tensor; /* value NULL: the values are the counts of tensor.place */
    /* the open fragment, when it is one; then `tensor` is empty until trib_tensor_file_read */
    trib_fragment fragment;
    trib_buffer held; /* its bytes, when they come from standard input */
} trib_tensor_file;

/* Fills the configuration with the defaults and --set, without a file. Diagnostics go to the
 * log. */
trib_status trib_tensor_settings(trib_config *config, const trib_command_line *line,
                                 trib_error *error);
/* The account of a text as an object. */
json_t *trib_account_json(const trib_account *account);
/* Runs the first n_stages of tokens, vocabulary and tensors for one document that no configuration
 * lists. The caller releases the run, after a failure too. */
trib_status trib_text_run(trib_run *run, trib_config *config, const trib_corpus_document *about,
                          size_t n_stages, trib_log *log, trib_error *error);
/* Whether a stream begins as a fragment does; the bytes remain to be read. */
trib_status trib_is_fragment(trib_reader *reader, bool *is_fragment, trib_error *error);
/* The options for reading a text; `table` may be NULL. */
trib_tns_options trib_tensor_text_options(const trib_command_line *line,
                                          const trib_hacoo_options *table);
/* Opens a file ("-": standard input) by its content: a fragment, which stays open, or a text,
 * compressed or not, which is read here. `config` says how the table is built. Warnings go to
 * the log. */
trib_status trib_tensor_file_open(trib_tensor_file *file, const char *path,
                                  const trib_command_line *line, const trib_config *config,
                                  trib_error *error);
/* The same of a reader that was opened on `path`, or has its bytes. */
trib_status trib_tensor_file_from(trib_tensor_file *file, trib_reader *reader, const char *path,
                                  const trib_command_line *line, const trib_config *config,
                                  trib_error *error);
/* Opens the fragment at the start of `reader`, opened on `path`. `file` must be {0}; the caller
 * releases it after a failure too. */
trib_status trib_tensor_file_fragment(trib_tensor_file *file, trib_reader *reader, const char *path,
                                      trib_error *error);
/* Reads a fragment, or the part of it inside the box (NULL: all). Does nothing for a text. */
trib_status trib_tensor_file_read(trib_tensor_file *file, const trib_box *box,
                                  const trib_config *config, trib_error *error);
/* Opens and reads a file. */
trib_status trib_tensor_file_load(trib_tensor_file *file, const char *path,
                                  const trib_command_line *line, const trib_config *config,
                                  trib_error *error);
void trib_tensor_file_release(trib_tensor_file *file);
/* The tensor after reading. */
trib_view trib_tensor_file_view(trib_tensor_file *file);

/* One command on tensors, while it runs. */
typedef struct trib_tensor_job {
    const trib_command_line *line; /* borrowed */
    trib_config config;            /* the defaults and --set */
    trib_tensor_file file[2];      /* of the first operand; of the last */
    trib_view x, y;                /* these tensors, after trib_tensor_load */
    trib_sparse result;            /* what the work makes, if it makes a tensor */
} trib_tensor_job;
/* Reads the tensor of the first operand into x and, when n_files is 2, of the last into y. */
trib_status trib_tensor_load(trib_tensor_job *job, size_t n_files, trib_error *error);
/* What the commands do. A job has its settings, and nothing is loaded; -o and --to were checked
 * when the command writes a tensor. job->result, if it is made, is written afterwards. */
trib_tensor_work trib_tensor_do_build, trib_tensor_do_convert, trib_tensor_do_check,
    trib_tensor_do_stats, trib_tensor_do_get, trib_tensor_do_find, trib_tensor_do_slice,
    trib_tensor_do_mask, trib_tensor_do_ttv, trib_tensor_do_ttm, trib_tensor_do_norm,
    trib_tensor_do_compare, trib_tensor_do_pair, trib_tensor_do_inner, trib_tensor_do_outer,
    trib_tensor_do_reduce, trib_tensor_do_scale, trib_tensor_do_permute, trib_tensor_do_unfold,
    trib_tensor_do_rebuild;
/* Writes a tensor to the file of -o, in the form of --to or of its name, or to `out`, as JSON
 * under --json. values[nnz] replace the counts unless NULL. TRIB_USAGE when the name does not
 * determine a form; TRIB_INPUT when the form cannot represent this tensor. */
trib_status trib_tensor_write(const trib_tensor_job *job, const trib_hacoo *table,
                              const double *values, trib_error *error);
/* Returns TRIB_USAGE when -o and --to do not fit the other arguments. */
trib_status trib_tensor_check_output(const trib_command_line *line, trib_error *error);

/* The name of an input for messages: its path, or "standard input". */
const char *trib_input_name(const char *path);
/* "3 x 4 x 5" */
enum { TRIB_SIZE_TEXT = TRIB_MAX_MODES * 14 };
const char *trib_size_text(char text[TRIB_SIZE_TEXT], uint32_t n_modes, const uint32_t dim[]);
json_t *trib_size_json(uint32_t n_modes, const uint32_t dim[]);
/* Prints "1 2 3" from indices that count from 0; as JSON, an array. */
void trib_index_print(trib_writer *out, uint32_t n_modes, const uint32_t index[]);
json_t *trib_index_json(uint32_t n_modes, const uint32_t index[]);
json_t *trib_value_json(double value); /* an integer when the value is a whole number */
/* Writes a result that is one number, alone on its line or as the member `name` under --json.
 * TRIB_USAGE with -o. */
trib_status trib_tensor_number_write(const trib_tensor_job *job, const char *name, double value,
                                     trib_error *error);

#endif
