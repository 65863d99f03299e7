/* directory.h - the run directory: made, refused or found complete; every file in it written whole
 * and summed. Private to pipeline. */
#ifndef TRIBUTARY_OUTPUT_DIRECTORY_H
#define TRIBUTARY_OUTPUT_DIRECTORY_H

#include "pipeline/stages/corpus.h"
#include "pipeline/support/path.h"

/* A file of the run directory that is written. */
typedef struct trib_written_file {
    char *name; /* below the run directory */
    char sha256[TRIB_SHA256_TEXT];
} trib_written_file;

typedef struct trib_run_directory {
    const trib_config *config; /* these three are borrowed */
    const trib_corpus *corpus; /* after stage corpus */
    trib_log *log;
    int n_threads;           /* for `status` */
    char *path;              /* set as soon as it is known */
    trib_written_file *file; /* [n_files] so far */
    size_t n_files, file_cap;
    bool is_open, is_whole; /* being written; every file is there */
} trib_run_directory;

/* How a directory is asked for. */
typedef struct trib_directory_options {
    const char *path; /* -o: the run directory itself; NULL: from config.output */
    bool resume;      /* an incomplete run directory is taken up */
    bool renew;       /* one of other texts is emptied */
} trib_directory_options;

/* Finds out where the run writes (directory->path) and makes the directory. *complete: the same run
 * is already there whole, nothing is to do. TRIB_USAGE when something else is there, or an
 * incomplete run without --resume. */
trib_status trib_directory_open(trib_run_directory *directory,
                                const trib_directory_options *options, bool *complete,
                                trib_error *error);
/* Only looks, and says it when the run is there whole. */
trib_status trib_directory_look(trib_run_directory *directory,
                                const trib_directory_options *options, bool *complete,
                                trib_error *error);
/* Writes how it ended into `status`, which makes a whole run complete; without effect when the
 * directory was not opened or was found complete. Returns `how`, or why that could not be written.
 * The path stays. */
trib_status trib_directory_close(trib_run_directory *directory, trib_status how, trib_error *error);
void trib_directory_release(trib_run_directory *directory);

/* One file name under the run directory. TRIB_OUTPUT when it is too long. */
trib_status trib_directory_path(const trib_run_directory *directory, char path[TRIB_PATH_MAX],
                                trib_error *error, const char *format, ...) TRIB_PRINTF(4, 5);

/* The first file of a complete run that is not there; "" when all are. TRIB_INPUT when SHA256SUMS
 * cannot be read. */
trib_status trib_directory_missing(const char *directory, char missing[TRIB_PATH_MAX],
                                   trib_error *error);

/* Whether there is nothing in a directory, or no directory. */
bool trib_directory_is_empty(const char *path);

/* Writes one file of the run directory: `write` fills it from `what`, then it is synced, renamed
 * and remembered for SHA256SUMS. Several threads may write different files. */
typedef trib_status (*trib_file_write)(const void *what, trib_writer *writer, trib_error *error);
trib_status trib_directory_write(trib_run_directory *directory, const char *name,
                                 trib_file_write write, const void *what, trib_error *error);
/* A directory below it. */
trib_status trib_directory_make(const trib_run_directory *directory, const char *name,
                                trib_error *error);
/* SHA256SUMS over everything written so far, sorted by name, in the format of sha256sum(1). */
trib_status trib_directory_sums(trib_run_directory *directory, trib_error *error);

#endif
