/* pandoc_text.c - makes running text from a document in the JSON that pandoc writes (pandoc-types
 * 1.22 and later: {"pandoc-api-version": ..., "meta": ..., "blocks": [...]}).
 *
 * The blocks are parsed one at a time, since a tree of a whole book would need much memory. An
 * element is {"t": its type, "c": its contents}; an element of an unknown type is read as its
 * contents, in which only elements are text. */
#include "pipeline/text/programs.h"

#include <jansson.h>
#include <strings.h>

/* Where the text goes. */
typedef struct target {
    trib_text_target text;
    trib_error *error;
} target;

static void read_value(target *to, const json_t *value);

/* ---- Elements -------------------------------------------------------------------------------- */

/* Whether the format of the file is one of these. */
static bool is_from(const target *to, const char *formats) {
    return to->text.to->format && trib_is_among(formats, to->text.to->format);
}

static void add(target *to, const char *text, size_t length) {
    trib_text_target_add(&to->text, text, length, to->error);
}

static void end(target *to, trib_text_flow flow) {
    trib_text_target_end(&to->text, flow, to->error);
}

/* A dotless i below another mark, as LaTeX writes it, is an i; a switch of a wiki, "__NOTOC__", is
 * no text. */
static void read_text(target *to, const json_t *contents) {
    const char *text = json_is_string(contents) ? json_string_value(contents) : "";
    const char *const end = text + json_string_length(contents);
    if (strncmp(text, "__", 2) == 0 && is_from(to, "MediaWiki")) return;
    for (const char *at = text; (at = strstr(at, "\u0131")) != NULL; at += 2) {
        if (at[2] != '\xCC') continue;
        add(to, text, (size_t)(at - text));
        add(to, "i", 1);
        text = at + 2;
    }
    if (text < end) add(to, text, (size_t)(end - text));
}

/* Code and CodeBlock: attributes and a text. */
static void read_code(target *to, const json_t *contents) {
    read_text(to, json_array_get(contents, 1));
}

static void read_space(target *to, const json_t *contents) {
    (void)contents;
    trib_text_target_space(&to->text, to->error);
}

static void read_line_end(target *to, const json_t *contents) {
    (void)contents;
    end(to, TRIB_FLOW_LINE);
}

static void skip(target *to, const json_t *contents) { (void)to, (void)contents; }

/* Two lists in turn: the lines of a LineBlock; the terms and definitions of a DefinitionList. */
static void read_lines(target *to, const json_t *contents) {
    for (size_t i = 0; i < json_array_size(contents); i++) {
        read_value(to, json_array_get(contents, i));
        end(to, TRIB_FLOW_LINE);
    }
}

static void read_definitions(target *to, const json_t *contents) {
    for (size_t i = 0; i < json_array_size(contents); i++)
        read_lines(to, json_array_get(contents, i));
}

static void read_quoted(target *to, const json_t *contents) {
    const char *type = json_string_value(json_object_get(json_array_get(contents, 0), "t"));
    const bool is_double = type && strcmp(type, "DoubleQuote") == 0;
    add(to, is_double ? "\u201C" : "\u2018", 3);
    read_value(to, json_array_get(contents, 1));
    add(to, is_double ? "\u201D" : "\u2019", 3);
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
static void read_superscript(target *to, const json_t *contents) {
    const char first = first_byte(contents);
    const bool is_number = first >= '0' && first <= '9';
    if (is_number) read_space(to, NULL);
    read_value(to, contents);
    if (is_number) read_space(to, NULL);
}

/* An image: its caption when it is a figure, which pandoc before 3 marks in the title. In a wiki it
 * is one if it says more than the name of the file. */
static void read_image(target *to, const json_t *contents) {
    const json_t *target_of = json_array_get(contents, 2);
    const char *file = json_string_value(json_array_get(target_of, 0));
    const char *title = json_string_value(json_array_get(target_of, 1));
    const bool is_shown = title && (strncmp(title, "fig:", 4) == 0 ||
                                    (is_from(to, "MediaWiki") && file && strcmp(title, file) != 0));
    if (!is_shown) return;
    end(to, TRIB_FLOW_LINE);
    read_value(to, json_array_get(contents, 1));
    end(to, TRIB_FLOW_LINE);
}

/* Whether a link of a wiki is no part of the text: a category, or the same page in another
 * language, "de:Meer". */
static bool is_behind_page(const char *page) {
    static const char *const categories[] = {
        "category:", "kategorie:", "cat\u00E9gorie:", "categoria:", "categor\u00EDa:"};
    const size_t n = strspn(page, "abcdefghijklmnopqrstuvwxyz");
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        if (strncasecmp(page, categories[i], strlen(categories[i])) == 0) return true;
    return (n == 2 || n == 3) && page[n] == ':';
}

/* A link; of a reference to a label, which LaTeX makes a number, nothing. */
static void read_link(target *to, const json_t *contents) {
    const char *page = json_string_value(json_array_get(json_array_get(contents, 2), 0));
    if (page && is_from(to, "MediaWiki") && is_behind_page(page)) return;
    const json_t *pairs = json_array_get(json_array_get(contents, 0), 2);
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const char *key = json_string_value(json_array_get(json_array_get(pairs, i), 0));
        if (key && strcmp(key, "reference-type") == 0) return;
    }
    read_value(to, contents);
}

static void read_heading(target *to, const json_t *contents) {
    const trib_buffer *text = &to->text.to->text;
    const size_t from = text->length;
    read_value(to, contents);
    if (text->length > from)
        to->text.to->account.counts.headings +=
            trib_words_in(text->text + from, text->length - from);
}

static void read_note(target *to, const json_t *contents) {
    trib_text_target_begin_note(&to->text, to->error);
    read_value(to, contents);
    trib_text_target_end_note(&to->text, to->error);
}

/* The elements that are not simply read as their contents. */
static const struct element {
    const char *types;
    void (*read)(target *to, const json_t *contents);
    trib_text_flow flow; /* ended before and after it */
} elements[] = {
    {"Str", read_text, TRIB_FLOW_NONE},
    {"Space", read_space, TRIB_FLOW_NONE},
    {"SoftBreak LineBreak", read_line_end, TRIB_FLOW_NONE},
    {"Code", read_code, TRIB_FLOW_NONE},
    {"Quoted", read_quoted, TRIB_FLOW_NONE},
    {"Superscript", read_superscript, TRIB_FLOW_NONE},
    {"Image", read_image, TRIB_FLOW_NONE},
    {"Link", read_link, TRIB_FLOW_NONE},
    {"Note", read_note, TRIB_FLOW_NONE},
    {"Cite Math RawInline RawBlock", skip, TRIB_FLOW_NONE},
    {"Plain", read_value, TRIB_FLOW_LINE},
    {"Header", read_heading, TRIB_FLOW_PARAGRAPH},
    {"Para BlockQuote OrderedList BulletList Table Div", read_value, TRIB_FLOW_PARAGRAPH},
    {"CodeBlock", read_code, TRIB_FLOW_PARAGRAPH},
    {"LineBlock", read_lines, TRIB_FLOW_PARAGRAPH},
    {"DefinitionList", read_definitions, TRIB_FLOW_PARAGRAPH},
};

static void read_element(target *to, const char *type, const json_t *contents) {
    for (size_t e = 0; e < sizeof elements / sizeof *elements; e++) {
        if (!trib_is_among(elements[e].types, type)) continue;
        end(to, elements[e].flow);
        elements[e].read(to, contents);
        end(to, elements[e].flow);
        return;
    }
    read_value(to, contents);
}

/* Reads an element, or a list of values; a string outside an element is an attribute. The depth is
 * limited by the parser. */
static void read_value(target *to, const json_t *value) {
    const char *type = json_string_value(json_object_get(value, "t"));
    if (type) read_element(to, type, json_object_get(value, "c"));
    for (size_t i = 0; !type && i < json_array_size(value); i++)
        read_value(to, json_array_get(value, i));
}

/* What of the metadata readers see above the text. In formats with a front matter, that has it. */
static void read_front(target *to, const json_t *meta) {
    static const char *const shown[] = {"title", "subtitle", "author", "date", "abstract"};
    const bool has_all = is_from(to, "LaTeX");
    const trib_buffer *text = &to->text.to->text;
    const size_t from = text->length;
    for (size_t i = has_all ? 0 : 4; i < sizeof shown / sizeof *shown; i++) {
        const json_t *value = json_object_get(meta, shown[i]);
        if (!value) continue;
        end(to, TRIB_FLOW_PARAGRAPH);
        read_value(to, value);
        end(to, TRIB_FLOW_PARAGRAPH);
    }
    if (text->length > from)
        to->text.to->account.counts.front += trib_words_in(text->text + from, text->length - from);
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

/* Reads the blocks; false when they are not as pandoc writes them. */
static bool read_blocks(target *to, text *json, trib_status *status) {
    bool is_good = take(json, '[');
    if (is_good && take(json, ']')) return true;
    while (is_good && *status == TRIB_OK) {
        json_t *block = next_value(json);
        is_good = block != NULL;
        read_value(to, block);
        json_decref(block);
        *status = trib_stop_check(to->error);
        if (!take(json, ',')) break;
    }
    return is_good && (*status != TRIB_OK || take(json, ']'));
}

trib_status trib_pandoc_json_text(trib_markup_text *to, const char *name, const char *bytes,
                                  size_t length, trib_error *error) {
    target whole = {.text = {.to = to}, .error = error};
    text json = {bytes, bytes + length};
    trib_status status = TRIB_OK;
    bool is_good = take(&json, '{');
    while (is_good && status == TRIB_OK) {
        json_t *key = next_value(&json);
        const bool is_blocks =
            key && json_is_string(key) && strcmp(json_string_value(key), "blocks") == 0;
        is_good = key && take(&json, ':');
        if (is_good && is_blocks) is_good = read_blocks(&whole, &json, &status);
        else if (is_good) {
            json_auto_t *value = next_value(&json);
            is_good = value != NULL;
            read_front(&whole, value);
        }
        json_decref(key);
        if (!take(&json, ',')) break;
    }
    if (status != TRIB_OK) return status;
    trib_text_end(&to->text, TRIB_FLOW_LINE, error);
    status = trib_markup_status(to);
    return status == TRIB_OK && (!is_good || !take(&json, '}'))
               ? trib_fail(error, TRIB_INPUT,
                           "%s: pandoc wrote JSON that cannot be read, or the file is nested too "
                           "deep; convert it to plain text",
                           name)
               : status;
}
