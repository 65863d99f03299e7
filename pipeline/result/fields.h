/* fields.h - the table of fields: how each record of a result lies in memory and in influence.json.
 * What reads and writes records goes through the table. Private to the room. */
#ifndef TRIBUTARY_RESULT_FIELDS_H
#define TRIBUTARY_RESULT_FIELDS_H

#include "pipeline/result/record.h"

typedef enum trib_field_type {
    TRIB_FIELD_TEXT,    /* const char * */
    TRIB_FIELD_FLAG,    /* bool */
    TRIB_FIELD_COUNT,   /* uint64_t */
    TRIB_FIELD_NUMBER,  /* double */
    TRIB_FIELD_RECORD,  /* a pointer to a record */
    TRIB_FIELD_MEMBERS, /* a record whose members are written as if they were the outer one's */
    TRIB_FIELD_TEXTS,   /* lists of these: {item, n} */
    TRIB_FIELD_COUNTS,
    TRIB_FIELD_NUMBERS,
    TRIB_FIELD_RECORDS,
    TRIB_FIELD_MAP,      /* a list of records, written as an object: their first members are keys */
    TRIB_FIELD_SETTINGS, /* a list of settings, written as objects by section */
    TRIB_FIELD_TARGETS   /* a list of the JSON texts of targets */
} trib_field_type;

/* When a field is written. */
typedef enum trib_field_when {
    TRIB_FIELD_ALWAYS,
    TRIB_FIELD_IF,       /* unless it is absent (record.h) */
    TRIB_FIELD_POSITIVE, /* a count: unless it is 0 */
    TRIB_FIELD_NULL      /* always; null when it is absent, and so is an unknown number of a list */
} trib_field_when;

struct trib_record_type;

typedef struct trib_field {
    const char *name; /* in influence.json */
    size_t offset;    /* in the record */
    trib_field_type type;
    trib_field_when when;
    bool is_detail;   /* lists of many targets do without it */
    const char *with; /* it is written only where this member of the record is there; NULL: any */
    const struct trib_record_type *of; /* of records */
} trib_field;

/* How a record is written. */
typedef enum trib_record_form {
    TRIB_RECORD_OBJECT,
    TRIB_RECORD_ROW,  /* a list of the members' values */
    TRIB_RECORD_VALUE /* the value of its only member, but for the key of a map */
} trib_record_form;

typedef struct trib_record_type {
    size_t size;
    trib_record_form form;
    const trib_field *field; /* [n] */
    size_t n;
} trib_record_type;

/* Made from record.h and running_text.h by records.awk. */
extern const trib_record_type trib_type_result, trib_type_target, trib_type_passage,
    trib_type_manifest, trib_type_summary, trib_type_families, trib_type_running_text;

/* The member of a record that a field describes. */
static inline void *trib_field_of(const trib_field *field, const void *record) {
    return (char *)(uintptr_t)record + field->offset;
}
/* Whether a member is absent, and whether a field is written. */
bool trib_field_is_absent(const trib_field *field, const void *record);
bool trib_field_is_written(const trib_record_type *type, const trib_field *field,
                           const void *record);
/* Sets the members of a zeroed record as they are where nothing is known. */
void trib_record_begin(const trib_record_type *type, void *record);
/* Makes such a record; NULL after a failure. */
void *trib_record_new(trib_arena *arena, const trib_record_type *type);

/* Writes a record as a file of JSON. Values deeper than `lines` are on one line, without spaces
 * where these are fewer than usual (write.c). TRIB_INTERNAL when a number is not finite. */
trib_status trib_record_write(const trib_record_type *type, const void *record, size_t lines,
                              trib_writer *writer, trib_error *error);

/* ---- Reading (read.c) ------------------------------------------------------------------------ */

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
