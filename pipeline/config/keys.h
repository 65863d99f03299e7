/* keys.h - the table of configuration keys, from which the loader, --set, --print-config, the
 * manual page and docs/configuration.md come. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_KEYS_H
#define TRIBUTARY_CONFIG_KEYS_H

#include "pipeline/config/yaml.h"

/* What a key has to do with results. */
typedef enum {
    TRIB_KEY_RESULT,  /* can change a byte of the run directory: part of trib_config.hash */
    TRIB_KEY_MACHINE, /* cannot: where things are, how fast it goes */
    TRIB_KEY_LISTING  /* says where the list of documents is, which is written out instead */
} trib_key_effect;

/* One value a key may take. */
typedef struct trib_choice {
    const char *name; /* NULL: there is none */
    const char *help; /* or NULL */
    const void *row;  /* what is stored, for rows of another table */
} trib_choice;

typedef struct trib_key trib_key;

/* How values of a kind are read, printed and released: a row of the table in keytype.c. */
typedef struct trib_key_type {
    const char *what; /* "a whole number": in messages and documentation */
    bool is_list;     /* of scalars; a single scalar is a list of one */
    /* Replaces the value at `field` by that of a node; complains and leaves it when that is
     * wrong. */
    trib_status (*read)(const trib_key *key, void *field, const trib_yaml *yaml, uint32_t node,
                        trib_diagnostics *complaints, trib_error *error);
    /* Appends the value as YAML on one line, or as JSON. */
    trib_status (*print)(const trib_key *key, const void *field, bool json, trib_buffer *out,
                         trib_error *error);
    void (*release)(void *field); /* NULL: nothing to free */
} trib_key_type;

struct trib_key {
    const char *path; /* "cp.rank" */
    const trib_key_type *type;
    size_t offset;          /* of its field in trib_config */
    const char *standard;   /* the default, as it is printed */
    trib_key_effect effect; /* on results */
    double least, most;     /* of a number, both allowed */
    const char *word;       /* that stands for ... */
    uint64_t word_value;    /* ... this number: "all", "auto", "none" */
    const char *other_word; /* another one, of a count */
    uint64_t other_value;
    /* the words allowed, ended by NULL; the field holds the number of one */
    const char *const *choice;
    trib_choice (*row)(size_t i); /* or the rows allowed; the field holds a pointer to one */
    const char *help;             /* one line of Markdown */
};

/* For the kinds themselves (keytype.c). "'cp.rank' must be a whole number, not 'many'". */
void trib_key_report(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                     trib_diagnostics *complaints);
/* The text of a scalar, or NULL after a complaint. */
const char *trib_key_scalar(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                            trib_diagnostics *complaints);
/* The number of the choice a scalar names, SIZE_MAX after a complaint that lists them. */
size_t trib_key_choose(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                       trib_diagnostics *complaints);

extern const trib_key_type trib_key_count, /* uint32_t, int32_t */
    trib_key_large,                        /* uint64_t */
    trib_key_number,                       /* double */
    trib_key_numbers,                      /* trib_mode_numbers */
    trib_key_bytes,                        /* uint64_t, "2 GiB" */
    trib_key_seconds,                      /* double, "30 min" */
    trib_key_text,                         /* char *, never NULL */
    trib_key_path,                         /* char *, NULL for null */
    trib_key_choice,                       /* an enum, the number of a choice */
    trib_key_flag,                         /* bool, choice 0 is false */
    trib_key_flags,                        /* bool per choice, side by side */
    trib_key_row,                          /* pointer to a row */
    trib_key_rows,                         /* array of TRIB_MAX_LIST pointers and a uint32_t */
    trib_key_texts; /* trib_text_list; choices, when there are any, restrict */

extern const trib_key trib_keys[]; /* ends with a row whose path is NULL */
/* Sections in their order, what each is about; ends with a row whose name is NULL. The keys of ""
 * stand alone. */
typedef struct trib_section {
    const char *name, *help;
} trib_section;
extern const trib_section trib_sections[];
const trib_section *trib_section_find(const char *name);
/* A preset is a list of settings. */
struct trib_preset {
    const char *name, *help;
    struct {
        const char *key, *value;
    } setting[10]; /* ends with a key NULL */
};
extern const trib_preset trib_presets[]; /* ends with a row whose name is NULL */

const trib_key *trib_key_find(const char *path); /* NULL when there is none */
/* Choice i of a key: its name is NULL from the last on. */
trib_choice trib_key_choice_at(const trib_key *key, size_t i);
/* "2 GiB" in bytes, "30 d" in seconds; false when it is no such text. */
bool trib_bytes_read(const char *text, double *bytes);
bool trib_seconds_read(const char *text, double *seconds);
/* Where a key's section ends in its path: "rank" of "cp.rank". */
const char *trib_key_name(const trib_key *key);
/* Whether a key belongs to a section; "" has the keys that stand alone. */
bool trib_key_is_in(const trib_key *key, const char *section);

/* "from 1 to 8" or "at least 0": the numbers a key allows. */
enum { TRIB_RANGE_MAX = 96 };
const char *trib_key_range(const trib_key *key, char text[TRIB_RANGE_MAX]);

static inline void *trib_key_field(const trib_key *key, trib_config *config) {
    return (char *)config + key->offset;
}
/* The value of a key as YAML on one line, which is key->standard for the default; or as JSON. */
trib_status trib_key_print(const trib_key *key, const trib_config *config, bool json,
                           trib_buffer *out, trib_error *error);

#endif
