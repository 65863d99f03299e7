/* keys.h - the table of configuration keys, made from keys.txt. The loader, --set, --print-config,
 * the manual page and docs/configuration.md with its parts are all made from it. Private to
 * pipeline. */
#ifndef TRIBUTARY_CONFIG_KEYS_H
#define TRIBUTARY_CONFIG_KEYS_H

#include "pipeline/config/config.h"
#include "pipeline/config/yaml.h"
#include "pipeline/support/path.h"

/* Whether a key can change results. */
typedef enum {
    TRIB_KEY_RESULT,  /* can change a byte of the run directory; part of trib_config.hash */
    TRIB_KEY_MACHINE, /* cannot: paths, and resources such as threads */
    TRIB_KEY_HOST,    /* nor does a run record it: right for one computer alone */
    TRIB_KEY_SAID,    /* of a text: can change pages alone, and is written only where it is set */
    /* names the list of documents; the documents themselves are written out instead */
    TRIB_KEY_LISTING
} trib_key_effect;

/* One value that a key may have. */
typedef struct trib_choice {
    const char *name; /* NULL: past the last choice */
    const char *help; /* or NULL */
    const void *row;  /* the value of the field, when the choices are rows of another table */
} trib_choice;

typedef struct trib_key trib_key;

/* A key, and the node that gives its value. Mistakes are reported to `diagnostics`; texts and lists
 * are put into `arena`, which keeps the first failure. */
typedef struct trib_reading {
    const trib_key *key;
    const trib_yaml *yaml;
    uint32_t node;
    trib_diagnostics *diagnostics;
    trib_arena *arena;
} trib_reading;
#define TRIB_REPORT(r, ...)                                                                        \
    trib_diagnose((r)->diagnostics, trib_yaml_place((r)->yaml, (r)->node), __VA_ARGS__)

/* Where a value is printed: as YAML on one line, or as JSON. */
typedef struct trib_printing {
    const trib_key *key;
    trib_buffer *out;
    bool json;
    trib_error *error;
} trib_printing;

/* A unit of an amount, and how many of the smallest it has. */
typedef struct trib_amount_unit {
    const char *name; /* NULL: past the last unit */
    double size;
} trib_amount_unit;

/* How values of a type are read and printed. The types are rows of tables in keytype.c and
 * keytype_list.c. */
typedef struct trib_key_type {
    const char *what; /* "a whole number", for messages and documentation */
    /* Replaces the value at `field`. Reports an invalid value and leaves the field as it is. */
    void (*read)(const trib_reading *r, void *field);
    void (*print)(const trib_printing *p, const void *field);
    const trib_amount_unit *unit; /* of an amount, largest first; NULL: not an amount */
} trib_key_type;

struct trib_key {
    const char *path; /* "cp.rank" */
    size_t offset;    /* of the field in trib_config */
    const trib_key_type *type;
    const char *standard; /* the default, in printed form */
    double least, most;   /* the range of a number, both ends allowed */
    const char *word;    /* a word that stands for NaN in a field of trib_key_number, for NULL in */
    uint64_t word_value; /* one of trib_key_row, else for this number: "all", "auto", "none" */
    struct {
        const char *word;
        uint64_t value;
    } other[4]; /* more such words; only counts have them */
    trib_key_effect effect;
    /* The allowed words, ended by NULL. The field holds the index of one. */
    const char *const *choice;
    trib_choice (*row)(size_t i); /* or the allowed rows; the field holds a pointer to one */
    const char *help;             /* one line of Markdown */
    /* the value that stands for `auto` in a result for which no text needed more; NULL: none */
    const char *unneeded;
};

/* Used by the types (keytype.c). Reports "'cp.rank' must be a whole number, not 'many'". */
void trib_key_report(const trib_reading *r);
/* Returns the text of a scalar. NULL, after an error was reported, when the node is not one. */
const char *trib_key_scalar(const trib_reading *r);
/* Returns the index of the choice that a scalar names. SIZE_MAX, after an error that lists the
 * choices, when there is no such choice. */
size_t trib_key_choose(const trib_reading *r);
/* Prints a text, or null. */
void trib_key_quote(const trib_printing *p, const char *text);

extern const trib_key_type trib_key_count, /* uint32_t, int32_t */
    trib_key_large,                        /* uint64_t */
    trib_key_number,                       /* double */
    trib_key_numbers,                      /* trib_mode_numbers */
    trib_key_bytes,                        /* uint64_t, "2 GiB" */
    trib_key_seconds,                      /* double, "30 min" */
    trib_key_text,                         /* const char *, never NULL */
    trib_key_path,                         /* const char *, NULL for null */
    trib_key_reference, /* const char *, NULL for null: a pattern of references */
    trib_key_choice,    /* an enum: the index of a choice */
    trib_key_flag,      /* bool, choice 0 is false */
    trib_key_flags,     /* one bool per choice, in consecutive fields */
    trib_key_row,       /* pointer to a row */
    trib_key_rows,      /* array of TRIB_MAX_LIST pointers and a uint32_t */
    trib_key_stop,      /* trib_stop_list */
    trib_key_texts;     /* trib_text_list; limited to the choices when there are any */

/* Each returns row i of another table as a choice (keys.c). */
trib_choice trib_choose_strip(size_t i), trib_choose_preset(size_t i), trib_choose_hash(size_t i),
    trib_choose_solver(size_t i), trib_choose_method(size_t i), trib_choose_reference(size_t i),
    trib_choose_organisation(size_t i), trib_choose_format(size_t i), trib_choose_start(size_t i);

extern const trib_key trib_keys[]; /* made from keys.txt; the last row has path NULL */
/* The sections in their order, the first of them "" of the keys outside all sections; the last is
 * NULL. */
extern const char *const trib_sections[];
bool trib_is_section(const char *name);
/* A preset is a list of settings. */
struct trib_preset {
    const char *name, *help;
    struct {
        const char *key, *value;
    } setting[10]; /* ended by key NULL */
};
extern const trib_preset trib_presets[]; /* the last row has name NULL */

const trib_key *trib_key_find(const char *path); /* NULL when there is no such key */
/* Choice i of a key. Its name is NULL for every i past the last choice. */
trib_choice trib_key_choice_at(const trib_key *key, size_t i);
/* Converts "2 GiB" to bytes and "30 d" to seconds. false when the text is not such an amount. */
bool trib_bytes_read(const char *text, double *bytes);
bool trib_seconds_read(const char *text, double *seconds);
/* The path of a key without its section: "rank" for "cp.rank". */
const char *trib_key_name(const trib_key *key);
/* Whether a key belongs to a section. "" is the section of keys outside all others. */
bool trib_key_is_in(const trib_key *key, const char *section);

/* Writes the allowed numbers of a key: "from 1 to 8" or "at least 0". */
enum { TRIB_RANGE_MAX = 96 };
const char *trib_key_range(const trib_key *key, char text[TRIB_RANGE_MAX]);

static inline void *trib_key_field(const trib_key *key, trib_config *config) {
    return (char *)config + key->offset;
}
/* Appends the value of a key as YAML on one line, or as JSON. In YAML, the default value equals
 * key->standard. */
trib_status trib_key_print(const trib_key *key, const trib_config *config, bool json,
                           trib_buffer *out, trib_error *error);

#endif
