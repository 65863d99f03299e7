/* yaml.h - a YAML text as a tree whose every node knows its place, through libyaml's events.
 * Private to pipeline.
 *
 * One document of scalars, lists and mappings with scalar keys. An alias is a reference, never a
 * copy, so nothing expands. Refused with a place: tabs, tags, duplicate keys, a second document,
 * nesting beyond 16, more than 256 aliases in a text or keys in a mapping. */
#ifndef TRIBUTARY_CONFIG_YAML_H
#define TRIBUTARY_CONFIG_YAML_H

#include "pipeline/config/diagnostic.h"

typedef enum { TRIB_YAML_SCALAR, TRIB_YAML_LIST, TRIB_YAML_MAP, TRIB_YAML_ALIAS } trib_yaml_kind;

typedef struct trib_yaml_node {
    trib_yaml_kind kind;
    bool plain;                   /* a scalar without quotes */
    uint32_t line, column, width; /* as in trib_place */
    /* child: a list's first item, a mapping's first key; an alias's node; 0: none */
    uint32_t first;
    uint32_t next; /* sibling: the next item; a key's value, a value's next key; 0: none */
    size_t text;   /* scalar: where its zero-terminated text starts in trib_yaml.text */
    size_t anchor; /* the same for its anchor; SIZE_MAX: none */
} trib_yaml_node;

/* `{0}` is empty. */
typedef struct trib_yaml {
    trib_source source;   /* owned */
    trib_yaml_node *node; /* [n_nodes]; 0 is none, 1 the root */
    size_t n_nodes, cap;
    trib_buffer text; /* of all scalars and anchors */
} trib_yaml;

/* Reads and parses a file. Everything wrong with it is a complaint, and then the tree is empty;
 * only TRIB_MEMORY is a failure. `path` is borrowed. */
trib_status trib_yaml_read(trib_yaml *yaml, const char *path, trib_diagnostics *complaints,
                           trib_error *error);
/* The same of text in memory; `name` is borrowed. */
trib_status trib_yaml_parse(trib_yaml *yaml, const char *name, const char *text,
                            trib_diagnostics *complaints, trib_error *error);
/* A tree of one scalar without quotes, whatever its characters are. */
trib_status trib_yaml_plain(trib_yaml *yaml, const char *name, const char *text, trib_error *error);
void trib_yaml_release(trib_yaml *yaml);

static inline bool trib_yaml_is_empty(const trib_yaml *yaml) { return yaml->n_nodes < 2; }
/* The node an alias stands for, or the node itself. */
uint32_t trib_yaml_resolve(const trib_yaml *yaml, uint32_t node);
/* Of the node, after aliases. */
trib_yaml_kind trib_yaml_kind_of(const trib_yaml *yaml, uint32_t node);
const char *trib_yaml_text(const trib_yaml *yaml, uint32_t node); /* of a scalar */
bool trib_yaml_is_null(const trib_yaml *yaml, uint32_t node);     /* nothing, ~ or null */
uint32_t trib_yaml_first(const trib_yaml *yaml, uint32_t node);
uint32_t trib_yaml_next(const trib_yaml *yaml, uint32_t node);
/* The value of a key of a mapping, 0 when it is absent. */
uint32_t trib_yaml_find(const trib_yaml *yaml, uint32_t map, const char *key);
trib_place trib_yaml_place(const trib_yaml *yaml, uint32_t node);
/* "a list", "a mapping", "nothing", or the text quoted: what stands where something else should. */
const char *trib_yaml_describe(const trib_yaml *yaml, uint32_t node, char text[128]);

/* Appends `text` as a YAML scalar on one line: as it stands where that reads back as the same text,
 * else in double quotes; always quoted, with JSON's escapes only, when `json` is set. `text` is
 * UTF-8. */
trib_status trib_yaml_quote(trib_buffer *out, const char *text, bool json, trib_error *error);

#endif
