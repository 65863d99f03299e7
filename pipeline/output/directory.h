/* directory.h - the run directory: made, refused or found complete; every file in it written whole and summed. Private
 * to pipeline. */
#ifndef TRIBUTARY_OUTPUT_DIRECTORY_H
#define TRIBUTARY_OUTPUT_DIRECTORY_H

#include "pipeline/run/run.h"

/* Finds out where the run writes (run->directory) and makes the directory. *complete: the same run is already there
 * whole, nothing is to do. TRIB_USAGE when something else is there, or an incomplete run without --resume. */
trib_status trib_directory_open(trib_run *run, const trib_run_options *options, bool *complete,
                                trib_error *error);
/* Only looks, and says it when the run is there whole. */
trib_status trib_directory_look(trib_run *run, const trib_run_options *options, bool *complete,
                                trib_error *error);
/* Writes how it ended into `status`, which makes a whole run complete; without effect when the directory was not opened or
 * was found complete. Returns `how`, or why that could not be written. */
trib_status trib_directory_close(trib_run *run, trib_status how, trib_error *error);

/* The first file of a complete run that is not there; "" when all are. TRIB_INPUT when SHA256SUMS cannot be read. */
trib_status trib_directory_missing(const char *directory, char missing[TRIB_PATH_MAX],
                                   trib_error *error);

/* Whether there is nothing in a directory, or no directory. */
bool trib_directory_is_empty(const char *path);

/* Writes one file of the run directory: `write` fills it, then it is synced, renamed and remembered for SHA256SUMS. */
typedef trib_status (*trib_file_write)(const trib_run *run, const void *what, trib_writer *writer,
                                       trib_error *error);
trib_status trib_directory_write(trib_run *run, const char *name, trib_file_write write,
                                 const void *what, trib_error *error);
/* Makes a directory and those it lies in, where they are not there. TRIB_USAGE when something else has its name. */
trib_status trib_directory_create(const char *path, trib_error *error);
/* A directory below it. */
trib_status trib_directory_make(trib_run *run, const char *name, trib_error *error);
/* SHA256SUMS over everything written so far, sorted by name, in the format of sha256sum(1). */
trib_status trib_directory_sums(trib_run *run, trib_error *error);

#endif
