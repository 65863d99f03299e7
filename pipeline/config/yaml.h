/* yaml.h - parses YAML with libyaml into a tree whose nodes know their places. Private to pipeline.
 *
 * A text is one document of scalars, lists and mappings whose keys are scalars. An alias refers to
 * a node and never copies it, so that the tree cannot grow beyond the text. Rejected with a place:
 * tabs, tags, duplicate keys, a second document, nesting deeper than 16, more than 256 aliases in a
 * text, more than 256 keys in a mapping. */
#ifndef TRIBUTARY_CONFIG_YAML_H
#define TRIBUTARY_CONFIG_YAML_H

#include "pipeline/config/diagnostic.h"

typedef enum { TRIB_YAML_SCALAR, TRIB_YAML_LIST, TRIB_YAML_MAP, TRIB_YAML_ALIAS } trib_yaml_kind;

typedef struct trib_yaml_node {
    trib_yaml_kind kind;
    bool plain;                   /* a scalar without quotes */
    uint32_t line, column, width; /* as in trib_place */
    /* first child: the first item of a list, the first key of a mapping, the node of an alias; 0:
     * none */
    uint32_t first;
    /* next sibling: the next item, the value of a key, or the key after a value; 0: none */
    uint32_t next;
    size_t text;   /* offset in trib_yaml.text of a scalar's text, which ends with NUL */
    size_t anchor; /* offset of its anchor in trib_yaml.text; SIZE_MAX: none */
} trib_yaml_node;

/* `{0}` is empty. */
typedef struct trib_yaml {
    trib_source source;   /* owned */
    trib_yaml_node *node; /* [n_nodes]; index 0 is unused, 1 is the root */
    size_t n_nodes, cap;
    trib_buffer text; /* all scalars and anchors */
} trib_yaml;

/* Reads and parses a file. Every error in it is reported, and the tree is then empty. The only
 * failure is TRIB_MEMORY. `path` is borrowed. */
trib_status trib_yaml_read(trib_yaml *yaml, const char *path, trib_diagnostics *diagnostics,
                           trib_error *error);
/* Parses text in memory. `name` is borrowed. */
trib_status trib_yaml_parse(trib_yaml *yaml, const char *name, const char *text,
                            trib_diagnostics *diagnostics, trib_error *error);
/* Makes a tree of one unquoted scalar, whatever characters it contains. */
trib_status trib_yaml_plain(trib_yaml *yaml, const char *name, const char *text, trib_error *error);
void trib_yaml_release(trib_yaml *yaml);

static inline bool trib_yaml_is_empty(const trib_yaml *yaml) { return yaml->n_nodes < 2; }
/* The node an alias stands for; any other node itself. */
uint32_t trib_yaml_resolve(const trib_yaml *yaml, uint32_t node);
/* The kind of a node, after aliases are resolved. */
trib_yaml_kind trib_yaml_kind_of(const trib_yaml *yaml, uint32_t node);
const char *trib_yaml_text(const trib_yaml *yaml, uint32_t node); /* the text of a scalar */
bool trib_yaml_is_null(const trib_yaml *yaml, uint32_t node); /* whether it is empty, ~ or null */
uint32_t trib_yaml_first(const trib_yaml *yaml, uint32_t node);
uint32_t trib_yaml_next(const trib_yaml *yaml, uint32_t node);
/* For the node of each key of a mapping; that of its value comes next. */
#define TRIB_YAML_KEYS(yaml, map, key)                                                             \
    for (uint32_t key = trib_yaml_first(yaml, map); key;                                           \
         key = trib_yaml_next(yaml, trib_yaml_next(yaml, key)))
/* The value of a key of a mapping, 0 when it is absent. */
uint32_t trib_yaml_find(const trib_yaml *yaml, uint32_t map, const char *key);
trib_place trib_yaml_place(const trib_yaml *yaml, uint32_t node);
/* Describes a node for an error message: "a list", "a mapping", "nothing", or its quoted text. */
const char *trib_yaml_describe(const trib_yaml *yaml, uint32_t node, char text[128]);

/* Appends `text`, which is UTF-8, as a YAML scalar on one line. It is unquoted where that reads
 * back as the same text, otherwise in double quotes. With `json`, it is always quoted and uses only
 * the escapes of JSON. */
trib_status trib_yaml_quote(trib_buffer *out, const char *text, bool json, trib_error *error);

#endif
