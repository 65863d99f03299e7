/* pandoc_text.c - makes running text from a document in the JSON that pandoc writes (pandoc-types
 * 1.22 and later: {"pandoc-api-version": ..., "meta": ..., "blocks": [...]}).
 *
 * The blocks are parsed one at a time, since a tree of a whole book would need much memory. An
 * element is {"t": its type, "c": its contents}; an element of an unknown type is read as its
 * contents, in which only elements are text. */
#include "pipeline/text/pandoc.h"
#include "pipeline/text/text_target.h"

#include <jansson.h>
#include <string.h>

typedef trib_text_target target;

static trib_status read_value(target *to, const json_t *value, trib_error *error);

/* ---- Elements -------------------------------------------------------------------------------- */

static trib_status read_text(target *to, const json_t *contents, trib_error *error) {
    return json_is_string(contents) ? trib_text_target_add(to, json_string_value(contents),
                                                           json_string_length(contents), error)
                                    : TRIB_OK;
}

/* Code and CodeBlock: attributes and a text. */
static trib_status read_code(target *to, const json_t *contents, trib_error *error) {
    return read_text(to, json_array_get(contents, 1), error);
}

static trib_status read_space(target *to, const json_t *contents, trib_error *error) {
    (void)contents;
    return trib_text_target_space(to, error);
}

static trib_status read_line_end(target *to, const json_t *contents, trib_error *error) {
    (void)contents;
    return trib_text_target_end(to, TRIB_FLOW_LINE, error);
}

static trib_status skip(target *to, const json_t *contents, trib_error *error) {
    (void)to, (void)contents, (void)error;
    return TRIB_OK;
}

/* Two lists in turn: the lines of a LineBlock; the terms and definitions of a DefinitionList. */
static trib_status read_lines(target *to, const json_t *contents, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < json_array_size(contents) && status == TRIB_OK; i++) {
        status = read_value(to, json_array_get(contents, i), error);
        if (status == TRIB_OK) status = trib_text_target_end(to, TRIB_FLOW_LINE, error);
    }
    return status;
}

static trib_status read_definitions(target *to, const json_t *contents, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < json_array_size(contents) && status == TRIB_OK; i++)
        status = read_lines(to, json_array_get(contents, i), error);
    return status;
}

static trib_status read_quoted(target *to, const json_t *contents, trib_error *error) {
    const char *type = json_string_value(json_object_get(json_array_get(contents, 0), "t"));
    const bool is_double = type && strcmp(type, "DoubleQuote") == 0;
    trib_status status = trib_text_target_add(to, is_double ? "\u201C" : "\u2018", 3, error);
    if (status == TRIB_OK) status = read_value(to, json_array_get(contents, 1), error);
    return status == TRIB_OK ? trib_text_target_add(to, is_double ? "\u201D" : "\u2019", 3, error)
                             : status;
}

/* The first byte of the text in a value, or NUL. */
static char first_byte(const json_t *value) {
    const char *type = json_string_value(json_object_get(value, "t"));
    const json_t *contents = json_object_get(value, "c");
    char first = '\0';
    if (type && strcmp(type, "Str") == 0 && json_is_string(contents))
        return *json_string_value(contents);
    if (type) return first_byte(contents);
    for (size_t i = 0; i < json_array_size(value) && !first; i++)
        first = first_byte(json_array_get(value, i));
    return first;
}

/* A number in superscript is the number of a verse or section, and not part of a word. */
static trib_status read_superscript(target *to, const json_t *contents, trib_error *error) {
    const char first = first_byte(contents);
    const bool is_number = first >= '0' && first <= '9';
    trib_status status = is_number ? trib_text_target_space(to, error) : TRIB_OK;
    if (status == TRIB_OK) status = read_value(to, contents, error);
    return status == TRIB_OK && is_number ? trib_text_target_space(to, error) : status;
}

/* An image: its caption when it is a figure, which pandoc before 3 marks in the title. */
static trib_status read_image(target *to, const json_t *contents, trib_error *error) {
    const char *title = json_string_value(json_array_get(json_array_get(contents, 2), 1));
    if (!title || strncmp(title, "fig:", 4) != 0) return TRIB_OK;
    return read_value(to, json_array_get(contents, 1), error);
}

static trib_status read_note(target *to, const json_t *contents, trib_error *error) {
    trib_status status = trib_text_target_begin_note(to, error);
    if (status == TRIB_OK && !trib_text_target_is_silent(to))
        status = read_value(to, contents, error);
    return status == TRIB_OK ? trib_text_target_end_note(to, error) : status;
}

/* The elements that are not simply read as their contents. */
static const struct element {
    const char *type;
    trib_status (*read)(target *to, const json_t *contents, trib_error *error);
    trib_text_flow flow; /* ended before and after it */
} elements[] = {
    {"Str", read_text, TRIB_FLOW_NONE},
    {"Space", read_space, TRIB_FLOW_NONE},
    {"SoftBreak", read_space, TRIB_FLOW_NONE},
    {"LineBreak", read_line_end, TRIB_FLOW_NONE},
    {"Code", read_code, TRIB_FLOW_NONE},
    {"Quoted", read_quoted, TRIB_FLOW_NONE},
    {"Superscript", read_superscript, TRIB_FLOW_NONE},
    {"Image", read_image, TRIB_FLOW_NONE},
    {"Note", read_note, TRIB_FLOW_NONE},
    {"Cite", skip, TRIB_FLOW_NONE},
    {"Math", skip, TRIB_FLOW_NONE},
    {"RawInline", skip, TRIB_FLOW_NONE},
    {"RawBlock", skip, TRIB_FLOW_NONE},
    {"Plain", read_value, TRIB_FLOW_LINE},
    {"Para", read_value, TRIB_FLOW_PARAGRAPH},
    {"Header", read_value, TRIB_FLOW_PARAGRAPH},
    {"CodeBlock", read_code, TRIB_FLOW_PARAGRAPH},
    {"LineBlock", read_lines, TRIB_FLOW_PARAGRAPH},
    {"DefinitionList", read_definitions, TRIB_FLOW_PARAGRAPH},
    {"BlockQuote", read_value, TRIB_FLOW_PARAGRAPH},
    {"OrderedList", read_value, TRIB_FLOW_PARAGRAPH},
    {"BulletList", read_value, TRIB_FLOW_PARAGRAPH},
    {"Table", read_value, TRIB_FLOW_PARAGRAPH},
    {"Div", read_value, TRIB_FLOW_PARAGRAPH},
};

static trib_status read_element(target *to, const char *type, const json_t *contents,
                                trib_error *error) {
    for (size_t e = 0; e < sizeof elements / sizeof *elements; e++) {
        if (strcmp(elements[e].type, type) != 0) continue;
        trib_status status = trib_text_target_end(to, elements[e].flow, error);
        if (status == TRIB_OK) status = elements[e].read(to, contents, error);
        return status == TRIB_OK ? trib_text_target_end(to, elements[e].flow, error) : status;
    }
    return read_value(to, contents, error);
}

/* Reads an element, or a list of values; a string outside an element is an attribute. The depth is
 * limited by the parser. */
static trib_status read_value(target *to, const json_t *value, trib_error *error) {
    const char *type = json_string_value(json_object_get(value, "t"));
    trib_status status = TRIB_OK;
    if (type) return read_element(to, type, json_object_get(value, "c"), error);
    for (size_t i = 0; i < json_array_size(value) && status == TRIB_OK; i++)
        status = read_value(to, json_array_get(value, i), error);
    return status;
}

/* ---- The document ---------------------------------------------------------------------------- */

/* The JSON, and how far it was read. */
typedef struct text {
    const char *at, *end;
} text;

static void skip_white(text *json) {
    while (json->at < json->end && strchr(" \t\r\n", *json->at) && *json->at) json->at++;
}

static bool take(text *json, char byte) {
    skip_white(json);
    if (json->at == json->end || *json->at != byte) return false;
    json->at++;
    return true;
}

/* Parses the next value; NULL when there is none. A number is only read as part of another. */
static json_t *next_value(text *json) {
    json_error_t about;
    skip_white(json);
    json_t *value = json_loadb(json->at, (size_t)(json->end - json->at),
                               JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &about);
    if (value) json->at += about.position;
    return value;
}

static trib_status fail(const char *name, trib_error *error) {
    return trib_fail(error, TRIB_INPUT,
                     "%s: pandoc wrote JSON that cannot be read, or the file is nested too deep; "
                     "convert it to plain text",
                     name);
}

static trib_status read_blocks(target *to, text *json, const char *name, trib_error *error) {
    trib_status status = TRIB_OK;
    if (!take(json, '[')) return fail(name, error);
    if (take(json, ']')) return TRIB_OK;
    do {
        json_t *block = next_value(json);
        status = block ? read_value(to, block, error) : fail(name, error);
        json_decref(block);
        if (status == TRIB_OK) status = trib_stop_check(error);
    } while (status == TRIB_OK && take(json, ','));
    return status == TRIB_OK && !take(json, ']') ? fail(name, error) : status;
}

trib_status trib_pandoc_json_text(trib_markup_text *to, const char *name, const char *bytes,
                                  size_t length, trib_error *error) {
    target whole = {.to = to};
    text json = {bytes, bytes + length};
    trib_status status = take(&json, '{') ? TRIB_OK : fail(name, error);
    while (status == TRIB_OK) {
        json_t *key = next_value(&json);
        const bool is_blocks =
            key && json_is_string(key) && strcmp(json_string_value(key), "blocks") == 0;
        if (!key || !take(&json, ':')) status = fail(name, error);
        else if (is_blocks) status = read_blocks(&whole, &json, name, error);
        else {
            json_t *value = next_value(&json);
            if (!value) status = fail(name, error);
            json_decref(value);
        }
        json_decref(key);
        if (status == TRIB_OK && !take(&json, ',')) break;
    }
    if (status == TRIB_OK && !take(&json, '}')) status = fail(name, error);
    return status == TRIB_OK ? trib_text_end(&to->text, TRIB_FLOW_LINE, error) : status;
}
