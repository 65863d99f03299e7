/* directory.h - the run directory: created, rejected, or found complete. Each file in it is written
 * completely before it gets its name, and is listed in SHA256SUMS. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_DIRECTORY_H
#define TRIBUTARY_OUTPUT_DIRECTORY_H

#include "base/arena.h"
#include "pipeline/stages/corpus.h"
#include "pipeline/support/path.h"

/* A written file of the run directory. */
typedef struct trib_written_file {
    const char *name; /* relative to the run directory */
    char sha256[TRIB_SHA256_TEXT];
} trib_written_file;

typedef struct trib_run_directory {
    const trib_config *config; /* these three are borrowed */
    const trib_corpus *corpus; /* after stage corpus */
    trib_log *log;
    int n_threads;           /* for `status` */
    char *path;              /* set as soon as it is known */
    trib_written_file *file; /* [n_files] files written so far */
    size_t n_files;
    trib_arena files;       /* what these lie in */
    bool is_open, is_whole; /* is_open: the run is being written; is_whole: every file is written */
} trib_run_directory;

/* Options for opening a run directory. */
typedef struct trib_directory_options {
    const char *path; /* -o: the run directory itself; NULL: from config.output */
    bool resume;      /* continue an incomplete run */
    bool renew;       /* empty a directory of a run of other texts */
    bool keeps_other; /* refuse a directory of a run of other texts or settings */
} trib_directory_options;

/* Determines directory->path and creates the directory. *complete: the same run is already there
 * and complete. A run of other texts or settings is renamed to PATH.1, PATH.2, ..., unless an
 * option says otherwise. TRIB_USAGE if the directory contains something else, an incomplete run
 * without --resume, or a run that another process is working on. */
trib_status trib_directory_open(trib_run_directory *directory,
                                const trib_directory_options *options, bool *complete,
                                trib_error *error);
/* Says, in an arena, what differs between the run in the directory and the one that is about to be
 * written: "text added: b; settings: cp.rank 50 instead of 100" (change.c). */
const char *trib_directory_change(trib_arena *arena, const trib_run_directory *directory);
/* Sets *complete if the same run is there and complete, and logs it; creates and changes
 * nothing. */
trib_status trib_directory_look(trib_run_directory *directory,
                                const trib_directory_options *options, bool *complete,
                                trib_error *error);
/* Writes the status `how` to the file `status`, which marks a whole run as complete. Does nothing
 * if the directory was not opened or was found complete. Returns `how`, or the error of writing.
 * The path is not released. */
trib_status trib_directory_close(trib_run_directory *directory, trib_status how, trib_error *error);
void trib_directory_release(trib_run_directory *directory);

/* Composes the path of a file in the run directory. TRIB_OUTPUT if it is too long. */
trib_status trib_directory_path(const trib_run_directory *directory, char path[TRIB_PATH_MAX],
                                trib_error *error, const char *format, ...) TRIB_PRINTF(4, 5);

/* Sets `missing` to the first file of a complete run that does not exist, or to "" if all exist.
 * TRIB_INPUT if SHA256SUMS cannot be read. */
trib_status trib_directory_missing(const char *directory, char missing[TRIB_PATH_MAX],
                                   trib_error *error);

/* Returns whether a directory is empty or does not exist. */
bool trib_directory_is_empty(const char *path);

/* Writes one file of the run directory: `write` produces its contents from `what`; then the file is
 * synced, renamed and recorded for SHA256SUMS. Several threads may write different files. */
typedef trib_status trib_file_write(const void *what, trib_writer *writer, trib_error *error);
trib_status trib_directory_write(trib_run_directory *directory, const char *name,
                                 trib_file_write *write, const void *what, trib_error *error);
/* Creates a directory in the run directory. */
trib_status trib_directory_make(const trib_run_directory *directory, const char *name,
                                trib_error *error);
/* Writes SHA256SUMS for all files written so far, sorted by name, in the format of sha256sum(1). */
trib_status trib_directory_sums(trib_run_directory *directory, trib_error *error);

#endif
