/* yaml.c - builds a tree with places from libyaml's events. All nodes are in one array and refer to
 * each other by index. The stack of open lists and mappings is bounded, and so is the depth of the
 * tree. */
#include "pipeline/config/yaml.h"

#include <strings.h>
#include <yaml.h>

enum { MAX_DEPTH = 16, MAX_KEYS = 256, MAX_ALIASES = 256 };

/* A list or mapping whose end has not been read yet. */
typedef struct open_node {
    uint32_t node, last; /* last: its latest child, 0: none yet */
    uint32_t n_children;
} open_node;

typedef struct builder {
    trib_yaml *yaml;
    trib_diagnostics *diagnostics;
    open_node open[MAX_DEPTH];
    size_t depth;
    uint32_t n_documents, n_aliases;
    bool wrong; /* an error was reported; the tree cannot be used */
    trib_error *error;
} builder;

/* ---- Reading the tree ------------------------------------------------------------------------ */

uint32_t trib_yaml_resolve(const trib_yaml *yaml, uint32_t node) {
    return yaml->node[node].kind == TRIB_YAML_ALIAS ? yaml->node[node].first : node;
}

trib_yaml_kind trib_yaml_kind_of(const trib_yaml *yaml, uint32_t node) {
    return yaml->node[trib_yaml_resolve(yaml, node)].kind;
}

const char *trib_yaml_text(const trib_yaml *yaml, uint32_t node) {
    return yaml->text.text + yaml->node[trib_yaml_resolve(yaml, node)].text;
}

bool trib_yaml_is_null(const trib_yaml *yaml, uint32_t node) {
    const trib_yaml_node *n = &yaml->node[trib_yaml_resolve(yaml, node)];
    if (n->kind != TRIB_YAML_SCALAR || !n->plain) return false;
    const char *text = trib_yaml_text(yaml, node);
    return !*text || !strcmp(text, "~") || !strcmp(text, "null") || !strcmp(text, "Null") ||
           !strcmp(text, "NULL");
}

uint32_t trib_yaml_first(const trib_yaml *yaml, uint32_t node) {
    return yaml->node[trib_yaml_resolve(yaml, node)].first;
}

uint32_t trib_yaml_next(const trib_yaml *yaml, uint32_t node) { return yaml->node[node].next; }

uint32_t trib_yaml_find(const trib_yaml *yaml, uint32_t map, const char *key) {
    if (trib_yaml_kind_of(yaml, map) != TRIB_YAML_MAP) return 0;
    for (uint32_t k = trib_yaml_first(yaml, map); k; k = trib_yaml_next(yaml, yaml->node[k].next))
        if (strcmp(trib_yaml_text(yaml, k), key) == 0) return yaml->node[k].next;
    return 0;
}

trib_place trib_yaml_place(const trib_yaml *yaml, uint32_t node) {
    const trib_yaml_node *n = &yaml->node[node];
    return (trib_place){&yaml->source, n->line, n->column, n->width};
}

const char *trib_yaml_describe(const trib_yaml *yaml, uint32_t node, char text[128]) {
    const trib_yaml_kind kind = trib_yaml_kind_of(yaml, node);
    if (kind == TRIB_YAML_LIST) return "a list";
    if (kind == TRIB_YAML_MAP) return "a mapping";
    if (trib_yaml_is_null(yaml, node)) return "nothing";
    const char *scalar = trib_yaml_text(yaml, node);
    snprintf(text, 128, strlen(scalar) > 60 ? "'%.60s...'" : "'%s'", scalar);
    return text;
}

void trib_yaml_release(trib_yaml *yaml) {
    trib_source_release(&yaml->source);
    trib_free(yaml->node);
    trib_buffer_release(&yaml->text);
    *yaml = (trib_yaml){0};
}

/* ---- Building it ----------------------------------------------------------------------------- */

static void wrong(builder *b, trib_place place, const char *sentence) {
    trib_diagnose(b->diagnostics, place, "%s", sentence);
    b->wrong = true;
}

static trib_place place_of(const trib_yaml *yaml, const yaml_mark_t *start,
                           const yaml_mark_t *end) {
    const size_t width =
        start->line == end->line && end->column > start->column ? end->column - start->column : 1;
    return (trib_place){&yaml->source, (uint32_t)start->line + 1, (uint32_t)start->column + 1,
                        (uint32_t)width};
}

/* Appends a node and makes it the next child of the innermost open one. */
static trib_status add_node(builder *b, trib_yaml_kind kind, const yaml_event_t *event,
                            uint32_t *number) {
    trib_yaml *yaml = b->yaml;
    *number = 0;
    trib_status status =
        TRIB_GROW(&yaml->node, &yaml->cap, yaml->n_nodes + 2, "YAML nodes", b->error);
    if (status != TRIB_OK) return status;
    if (yaml->n_nodes == 0) yaml->node[yaml->n_nodes++] = (trib_yaml_node){0};
    const trib_place place = place_of(yaml, &event->start_mark, &event->end_mark);
    *number = (uint32_t)yaml->n_nodes++; /* fits: at most one node per byte of 16 MiB */
    yaml->node[*number] = (trib_yaml_node){.kind = kind,
                                           .line = place.line,
                                           .column = place.column,
                                           .width = place.width,
                                           .anchor = SIZE_MAX};
    if (b->depth > 0) {
        open_node *parent = &b->open[b->depth - 1];
        if (parent->last) yaml->node[parent->last].next = *number;
        else yaml->node[parent->node].first = *number;
        parent->last = *number;
        parent->n_children++;
    }
    return TRIB_OK;
}

static trib_status add_text(builder *b, const void *bytes, size_t length, size_t *start) {
    *start = b->yaml->text.length;
    return trib_buffer_add(&b->yaml->text, bytes, length + 1, b->error);
}

static trib_status set_anchor(builder *b, uint32_t node, const yaml_char_t *anchor) {
    if (!anchor) return TRIB_OK;
    size_t start = 0;
    const trib_status status = add_text(b, anchor, strlen((const char *)anchor), &start);
    b->yaml->node[node].anchor = start;
    return status;
}

/* Reports a key that is not a scalar or already occurs in its mapping. */
static void check_key(builder *b, uint32_t node) {
    const trib_yaml *yaml = b->yaml;
    const open_node *parent = b->depth > 0 ? &b->open[b->depth - 1] : NULL;
    if (!parent || yaml->node[parent->node].kind != TRIB_YAML_MAP || parent->n_children % 2 == 0)
        return;
    const trib_place place = trib_yaml_place(yaml, node);
    if (yaml->node[node].kind != TRIB_YAML_SCALAR) {
        wrong(b, place, "a key must be a word");
        return;
    }
    if (parent->n_children > 2 * MAX_KEYS) {
        if (parent->n_children == 2 * MAX_KEYS + 1)
            wrong(b, place, "more than 256 keys in one mapping");
        return;
    }
    const char *key = trib_yaml_text(yaml, node);
    for (uint32_t k = yaml->node[parent->node].first; k != node;
         k = yaml->node[yaml->node[k].next].next)
        if (yaml->node[k].kind == TRIB_YAML_SCALAR && strcmp(trib_yaml_text(yaml, k), key) == 0) {
            trib_diagnose(b->diagnostics, place, "duplicate key '%s'; the first is on line %u", key,
                          yaml->node[k].line);
            return;
        }
}

static trib_status add_scalar(builder *b, const yaml_event_t *event) {
    uint32_t node = 0;
    trib_status status = add_node(b, TRIB_YAML_SCALAR, event, &node);
    if (status != TRIB_OK) return status;
    const char *value = (const char *)event->data.scalar.value;
    size_t start = 0;
    status = add_text(b, value, event->data.scalar.length, &start);
    if (status == TRIB_OK) status = set_anchor(b, node, event->data.scalar.anchor);
    if (status != TRIB_OK) return status;
    b->yaml->node[node].text = start;
    b->yaml->node[node].plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (strlen(value) != event->data.scalar.length)
        trib_diagnose(b->diagnostics, trib_yaml_place(b->yaml, node),
                      "a text cannot contain a NUL character");
    check_key(b, node);
    return TRIB_OK;
}

/* Refers to the latest complete node with that anchor. A node that is still open would contain
 * itself. */
static trib_status add_alias(builder *b, const yaml_event_t *event) {
    uint32_t node = 0;
    const trib_status status = add_node(b, TRIB_YAML_ALIAS, event, &node);
    if (status != TRIB_OK) return status;
    if (++b->n_aliases > MAX_ALIASES) {
        wrong(b, trib_yaml_place(b->yaml, node), "more than 256 aliases");
        return TRIB_CONFIG;
    }
    const char *anchor = (const char *)event->data.alias.anchor;
    const trib_yaml *yaml = b->yaml;
    uint32_t target = node - 1;
    while (target > 0 && (yaml->node[target].anchor == SIZE_MAX ||
                          strcmp(yaml->text.text + yaml->node[target].anchor, anchor) != 0))
        target--;
    bool open = false;
    for (size_t i = 0; i < b->depth; i++) open = open || b->open[i].node == target;
    b->yaml->node[node].first = target;
    if (target == 0 || open) {
        trib_diagnose(b->diagnostics, trib_yaml_place(yaml, node),
                      open ? "alias '*%s' is inside its own anchor"
                           : "alias '*%s' has no anchor before it",
                      anchor);
        b->wrong = true;
    }
    check_key(b, node);
    return TRIB_OK;
}

static trib_status open_collection(builder *b, trib_yaml_kind kind, const yaml_event_t *event,
                                   const yaml_char_t *anchor) {
    uint32_t node = 0;
    trib_status status = add_node(b, kind, event, &node);
    if (status == TRIB_OK) status = set_anchor(b, node, anchor);
    if (status != TRIB_OK) return status;
    b->yaml->node[node].width = 1;
    check_key(b, node);
    if (b->depth == MAX_DEPTH) {
        wrong(b, trib_yaml_place(b->yaml, node), "nested more than 16 deep");
        return TRIB_CONFIG;
    }
    b->open[b->depth++] = (open_node){.node = node};
    return TRIB_OK;
}

/* The tag of a node, or NULL. */
static const yaml_char_t *tag_of(const yaml_event_t *event) {
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.tag;
    default:
        return NULL;
    }
}

/* Adds one event to the tree. Any status other than TRIB_OK ends the reading. */
static trib_status take(builder *b, const yaml_event_t *event) {
    const trib_place place = place_of(b->yaml, &event->start_mark, &event->end_mark);
    if (tag_of(event))
        trib_diagnose(b->diagnostics, place, "tag '%s': tags are not supported",
                      (const char *)tag_of(event));
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++b->n_documents < 2) return TRIB_OK;
        wrong(b, place, "a second YAML document begins; a file may contain only one");
        return TRIB_CONFIG;
    case YAML_SCALAR_EVENT:
        return add_scalar(b, event);
    case YAML_ALIAS_EVENT:
        return add_alias(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(b, TRIB_YAML_LIST, event, event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return open_collection(b, TRIB_YAML_MAP, event, event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return TRIB_OK;
    default:
        return TRIB_OK;
    }
}

/* Reports an error that libyaml found. */
static trib_status report_syntax(builder *b, const yaml_parser_t *parser) {
    if (parser->error == YAML_MEMORY_ERROR)
        return trib_fail(b->error, TRIB_MEMORY, "out of memory: reading YAML");
    const char *problem = parser->problem ? parser->problem : "cannot be read as YAML";
    const yaml_mark_t mark = parser->problem_mark;
    const trib_place place = {&b->yaml->source, (uint32_t)mark.line + 1, (uint32_t)mark.column + 1,
                              1};
    if (parser->error == YAML_READER_ERROR)
        trib_diagnose(b->diagnostics, (trib_place){.source = &b->yaml->source}, "%s (byte %zu)",
                      problem, parser->problem_offset + 1);
    else if (parser->context && parser->context_mark.line != mark.line)
        trib_diagnose(b->diagnostics, place, "%s (%s that began on line %zu)", problem,
                      parser->context, parser->context_mark.line + 1);
    else if (parser->context)
        trib_diagnose(b->diagnostics, place, "%s (%s)", problem, parser->context);
    else trib_diagnose(b->diagnostics, place, "%s", problem);
    return TRIB_CONFIG;
}

/* Reports every line with a tab outside comments: a tab looks like spaces, but YAML does not allow
 * it for indentation. */
static bool has_tabs(const trib_source *source, trib_diagnostics *diagnostics) {
    const char *text = source->text.text;
    bool found = false, comment = false, reported = false;
    uint32_t line = 1, column = 1;
    for (size_t i = 0; i < source->text.length; i++) {
        comment = comment || text[i] == '#';
        if (text[i] == '\t' && !comment && !reported) {
            trib_diagnose(diagnostics, (trib_place){source, line, column, 1},
                          "a tab; YAML needs spaces (in a quoted text, write \\t)");
            found = reported = true;
        }
        column += ((unsigned char)text[i] & 0xC0) != 0x80;
        if (text[i] != '\n') continue;
        comment = reported = false;
        line++;
        column = 1;
    }
    return found;
}

/* Builds the tree of yaml->source. */
static trib_status build(trib_yaml *yaml, trib_diagnostics *diagnostics, trib_error *error) {
    if (has_tabs(&yaml->source, diagnostics)) return TRIB_OK;
    builder b = {.yaml = yaml, .diagnostics = diagnostics, .error = error};
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return trib_fail(error, TRIB_MEMORY, "out of memory: reading YAML");
    const char *text = yaml->source.text.text;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)(text ? text : ""),
                                 yaml->source.text.length);
    trib_status status = TRIB_OK;
    for (bool more = true; more && status == TRIB_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = report_syntax(&b, &parser);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        status = take(&b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (status == TRIB_CONFIG || b.wrong) yaml->n_nodes = 0;
    return status == TRIB_CONFIG ? TRIB_OK : status;
}

trib_status trib_yaml_read(trib_yaml *yaml, const char *path, trib_diagnostics *diagnostics,
                           trib_error *error) {
    bool readable = false;
    *yaml = (trib_yaml){0};
    trib_status status = trib_source_read(&yaml->source, path, &readable, diagnostics, error);
    if (status == TRIB_OK && readable) status = build(yaml, diagnostics, error);
    return status;
}

trib_status trib_yaml_parse(trib_yaml *yaml, const char *name, const char *text,
                            trib_diagnostics *diagnostics, trib_error *error) {
    *yaml = (trib_yaml){.source.name = name};
    const trib_status status = trib_buffer_add(&yaml->source.text, text, strlen(text), error);
    return status == TRIB_OK ? build(yaml, diagnostics, error) : status;
}

trib_status trib_yaml_plain(trib_yaml *yaml, const char *name, const char *text,
                            trib_error *error) {
    *yaml = (trib_yaml){.source.name = name};
    builder b = {.yaml = yaml, .error = error};
    const yaml_event_t nowhere = {.type = YAML_SCALAR_EVENT};
    uint32_t node = 0;
    trib_status status = add_node(&b, TRIB_YAML_SCALAR, &nowhere, &node);
    if (status == TRIB_OK) status = add_text(&b, text, strlen(text), &yaml->node[node].text);
    if (status == TRIB_OK) yaml->node[node].plain = true;
    return status;
}

/* ---- Writing scalars ------------------------------------------------------------------------- */

/* Whether every YAML 1.1 and 1.2 reader reads this unquoted text as the same text: it is not empty,
 * does not begin with a digit or sign, contains no special character, and is not a word with a
 * meaning, such as `yes`. */
static bool is_safe_plain(const char *text) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789_./- ";
    static const char *const reserved[] = {"null", "true", "false", "yes", "no",
                                           "on",   "off",  "y",     "n",   NULL};
    for (size_t i = 0; reserved[i]; i++)
        if (strcasecmp(text, reserved[i]) == 0) return false;
    const size_t length = strlen(text);
    const bool relative = text[0] == '.' && (!text[1] || text[1] == '.' || text[1] == '/');
    return length > 0 && (memchr(allowed, text[0], 52) || text[0] == '/' || relative) &&
           strspn(text, allowed) == length && text[length - 1] != ' ';
}

trib_status trib_yaml_quote(trib_buffer *out, const char *text, bool json, trib_error *error) {
    if (!json && is_safe_plain(text)) return trib_buffer_add(out, text, strlen(text), error);
    trib_buffer_add(out, "\"", 1, error);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') trib_buffer_print(out, error, "\\%c", *text);
        else if ((unsigned char)*text < 0x20 || *text == 0x7F)
            trib_buffer_print(out, error, "\\u%04x", (unsigned)(unsigned char)*text);
        else trib_buffer_add(out, text, 1, error);
    }
    return trib_buffer_add(out, "\"", 1, error);
}
