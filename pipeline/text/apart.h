/* apart.h - work on foreign bytes in a process of its own, which is in a sandbox: it can read what
 * it is sent and write its answer, and nothing else. Private to pipeline.
 *
 * Libraries in C that parse files (libxml2, libarchive) have had holes. A file that uses one gets
 * hold of a process that has no file but that one, no network and no memory of this program. The
 * process executes the program anew, does one work after the other, and ends with this program.
 * What it answers is not trusted. */
#ifndef TRIBUTARY_TEXT_APART_H
#define TRIBUTARY_TEXT_APART_H

#include "pipeline/support/pack.h"
#include "pipeline/text/markup.h"

/* A kind of work, on a record of the caller. Apart, it is done on another record, which begins as
 * zeros; only what is packed passes from one to the other. */
typedef struct trib_apart_work {
    trib_status (*work)(void *record, trib_markup_bytes file, trib_error *error);
    /* What is asked, and what is answered; NULL: nothing. */
    void (*ask)(trib_pack *pack, void *record), (*answer)(trib_pack *pack, void *record);
    void (*release)(void *record); /* of the record apart */
    size_t size;                   /* of the record, in bytes */
    /* It begins with the record apart that the work before has left; it leaves its record. */
    bool goes_on, leaves;
} trib_apart_work;

typedef struct trib_apart_process trib_apart_process;

enum { TRIB_APART_SECONDS = 600 }; /* of processor time for one work */
#define TRIB_APART_WORD "read-apart"

/* From now on, works are done apart; `seconds` of processor time for one. The program must call
 * trib_apart_serve when it is executed with the arguments TRIB_APART_WORD and a number. Without a
 * call, as in the library, each work is done in the process itself. */
void trib_apart_begin(unsigned seconds);
/* Ends the processes. No other thread may use one. */
void trib_apart_end(void);
/* Does works until the program that sends them ends; `memory` is how many bytes of it may be
 * allocated. Returns the exit status. */
int trib_apart_serve(const char *memory);
/* Why works are not done apart, NULL: they are. Starts a process to find out. */
const char *trib_apart_refused(void);

/* Does a work on `record`, apart where there is a sandbox. `file` has the name for messages, and
 * the bytes. The status and the error are those of the work. TRIB_INPUT when it crashes or takes
 * too long, TRIB_INTERRUPTED, TRIB_MEMORY also when no process can be started. */
trib_status trib_apart_do(const trib_apart_work *work, void *record, trib_markup_bytes file,
                          trib_error *error);

/* For several works on one record apart: takes a process, NULL where there is no sandbox. */
trib_status trib_apart_open(trib_apart_process **process, trib_error *error);
/* Does one. If `descriptor` is not negative, the bytes are the first file.length of that file. */
trib_status trib_apart_continue(trib_apart_process **process, const trib_apart_work *work,
                                void *record, trib_markup_bytes file, int descriptor,
                                trib_error *error);
/* Gives the process back; NULL is legal. */
void trib_apart_close(trib_apart_process **process);

/* Pack a text that ends with NUL, or is NULL; bytes (a trib_buffer), to which those that are read
 * are appended; and a function of this program, to ask alone. */
void trib_pack_string(trib_pack *pack, char **text);
void trib_pack_buffer(trib_pack *pack, void *buffer);
void trib_pack_function(trib_pack *pack, void (**function)(void));
void trib_apart_release_buffer(void *buffer);
/* The row of a work that appends to a trib_buffer. */
#define TRIB_APART_ADDS(work)                                                                      \
    { work, NULL, trib_pack_buffer, trib_apart_release_buffer, sizeof(trib_buffer), false, false }

#endif
