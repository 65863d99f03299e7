/* programs.h - runs the programs of others that convert files (pdftotext, pandoc). Private to
 * pipeline.
 *
 * A file can be crafted to attack its reader. Therefore a program receives the file on its standard
 * input, so that no file name and no shell is involved; it must not write files, and it is killed
 * when it exceeds limits on time, memory or output. To use another program, call trib_program_run
 * with a description of it. */
#ifndef TRIBUTARY_TEXT_PROGRAMS_H
#define TRIBUTARY_TEXT_PROGRAMS_H

#include "base/internal.h"
#include "pipeline/text/markup.h"

enum { TRIB_PROGRAM_MESSAGES_MOST = 1 << 20 }; /* bytes of messages that are read */

typedef struct trib_program_limits {
    int silence;     /* seconds without output */
    int whole;       /* seconds in total */
    int processor;   /* seconds of processor time */
    uint64_t memory; /* bytes of address space */
} trib_program_limits;

typedef struct trib_program {
    const char *name;             /* "pdftotext": a name looked up in PATH, or a path */
    const char *const *arguments; /* after the name, ended by NULL; at most 15 */
    const char *a_file;           /* what it reads: "a PDF" */
    const char *package;          /* the package that contains it: "poppler-utils" */
    trib_program_limits limits;
} trib_program;

/* Appends the standard output of a program to `text`, and the printable ASCII of its standard error
 * to `messages`, in lines. TRIB_INPUT when the program is not installed (the message names the
 * package), fails, or exceeds a limit, and when this process ignores SIGCHLD, so that the system
 * does not say how the program ended; TRIB_MEMORY when no process can be started. */
trib_status trib_program_run(trib_buffer *text, trib_buffer *messages, const trib_program *program,
                             trib_markup_bytes input, trib_error *error);

/* Appends name, size and time of the file of a program in PATH, "pdftotext 55936 1675900000", or
 * "no pdftotext". A replaced program has another time, unless it is a copy. Starts no process. */
trib_status trib_program_print(trib_buffer *to, const char *name, trib_error *error);

/* Sets a limit of this process (RLIMIT_...), as far as the one that it has allows. */
void trib_program_limit(int what, uint64_t soft, uint64_t hard);

/* ---- Their sandbox (sandbox.c) --------------------------------------------------------------- */

/* Finds a program in PATH, or as the path that it is. */
bool trib_program_find(char file[TRIB_CODE_FOLDER], const char *name);
/* Makes the rules of the files that a program may read. Returns a descriptor; -1 without a sandbox
 * (resources.sandbox, or the kernel has no Landlock). */
int trib_sandbox_make(const char *program);
/* In the new process: closes what it would inherit when it executes the program, and enters the
 * sandbox. */
void trib_sandbox_enter(int rules);
/* What the kernel has for it: "Landlock and seccomp", one of both, or NULL. */
const char *trib_sandbox_kind(void);
/* Closes this process, for ever: it may use memory, its open files 0 to 2, and files whose
 * descriptors it receives (apart.h). Returns why not; NULL: it is closed. */
const char *trib_sandbox_enter_apart(void);

/* ---- pdftotext and pandoc -------------------------------------------------------------------- */

/* Does the work of trib_pdf_text, with this program and these limits. */
trib_status trib_pdf_convert(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                             const char *program, const trib_program_limits *limits,
                             trib_error *error);

/* pandoc reads LaTeX, Markdown, Org and MediaWiki. It runs with --sandbox: it reads no other file
 * and no network. Formulas, citations and the metadata of the file are not read. Notes are read as
 * trib_markup_text.notes says. TRIB_INPUT when pandoc is not installed (the message names the
 * package) or cannot read the file, and when the file is not UTF-8 though its format demands it. */

/* The limits of pandoc for a file of `n_bytes`. */
trib_program_limits trib_pandoc_limits(uint64_t n_bytes);

/* Does the work of trib_pandoc_text, for the format `format` of pandoc, with this program and these
 * limits. */
trib_status trib_pandoc_convert(trib_markup_text *to, trib_markup_bytes file, const char *format,
                                const char *a_file, const char *program,
                                const trib_program_limits *limits, trib_error *error);

/* Appends the text of a document in the JSON of pandoc (pandoc_text.c). TRIB_INPUT when it is not
 * such JSON, or nested more than 2048 deep. */
trib_status trib_pandoc_json_text(trib_markup_text *to, const char *name, const char *bytes,
                                  size_t length, trib_error *error);

/* Appends a LaTeX file in UTF-8 as pandoc shall read it: definitions of common macros that pandoc
 * does not know, those of the file, and the body of the document (latex.c). */
trib_status trib_latex_prepare(trib_buffer *to, const char *text, size_t length, trib_error *error);
/* The encoding that \usepackage[...]{inputenc} names, as ICU calls it; NULL: none, or UTF-8. */
const char *trib_latex_encoding(const char *text, size_t length);

#endif
