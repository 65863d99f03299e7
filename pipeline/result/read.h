/* read.h - reads records from JSON. Private to the room. */
#ifndef TRIBUTARY_RESULT_READ_H
#define TRIBUTARY_RESULT_READ_H

#include "pipeline/result/fields.h"

/* A JSON text that is read. */
typedef struct trib_record_reader {
    const char *at, *end;         /* what is left of it */
    trib_arena *arena;            /* for the records, and for failures */
    const char *only;             /* the only key of maps that is read, where is_lean */
    const trib_mapped_file *file; /* NULL, or the file that holds the text */
    size_t depth;
    bool is_lean;  /* details are passed over */
    bool is_wrong; /* the text is not JSON */
} trib_record_reader;

/* Reads a zeroed record of a type. Returns false when the text is not JSON; a failure of the arena
 * makes it false, too. */
bool trib_record_read(trib_record_reader *reader, const trib_record_type *type, void *record);
/* The same of a whole file, whose first member is the schema 1. `name` is used in messages
 * (result.c). TRIB_INPUT, TRIB_MEMORY. */
trib_status trib_record_read_file(trib_record_reader reader, const char *name,
                                  const struct trib_record_type *type, void *record,
                                  trib_error *error);
/* Takes a file out of memory, now and then: when n targets of it were read. */
static inline void trib_result_rest(const trib_mapped_file *file, size_t n) {
    enum { READ = 32 };
    if (file && n % READ == 0) trib_mapped_file_rest(file);
}

#endif
