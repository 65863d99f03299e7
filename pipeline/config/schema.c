/* schema.c - what the table of keys tells others: docs/configuration.md with its parts, one per
 * section, and the JSON Schema of a configuration (`tributary help keys --schema`), for YAML
 * language servers and validators. What the schema accepts, the loader accepts as the value of the
 * key, and the other way round; relations between keys are checked by the loader alone. The dialect
 * is draft 7, which editors know best. */

#include "pipeline/config/documents.h"
#include "pipeline/config/keys.h"
#include "pipeline/support/json.h"

/* ---- Pages: keys -----------------------------------------------------------------------------*/

static void write_values(const trib_key *key, trib_writer *writer) {
    char range[TRIB_RANGE_MAX];
    const bool is_free = key->type == &trib_key_reference; /* choices are not all */
    if (!trib_key_choice_at(key, 0).name || is_free) {
        trib_write_text(writer, key->type->what);
        if (key->most > key->least && !key->type->unit)
            trib_print(writer, " %s", trib_key_range(key, range));
    } else if (key->type->is_list) {
        trib_write_text(writer, "some of");
    }
    for (size_t i = 0; trib_key_choice_at(key, i).name; i++)
        trib_print(writer, "%s`%s`",
                   i > 0 || is_free     ? ", "
                   : key->type->is_list ? " "
                                        : "",
                   trib_key_choice_at(key, i).name);
    if (key->word && !key->row) trib_print(writer, ", or `%s`", key->word);
    if (key->other_word) trib_print(writer, ", or `%s`", key->other_word);
}

static void write_keys(const char *section, trib_writer *writer) {
    trib_write_text(writer, "\n| key | default | values | |\n| --- | --- | --- | --- |\n");
    for (const trib_key *key = trib_keys; key->path; key++) {
        if (!trib_key_is_in(key, section)) continue;
        trib_print(writer, "| `%s` | `%s` | ", key->path, key->standard);
        write_values(key, writer);
        trib_print(writer, " | %s |\n", key->help);
    }
}

/* Writes the meaning of choices that are rows of other tables. Keys with the same choices share
 * a table. */
static void write_choices(const char *section, trib_writer *writer) {
    for (const trib_key *key = trib_keys; key->path; key++) {
        const trib_key *first = trib_keys, *same = key;
        while (first->row != key->row) first++;
        if (!key->row || first != key || !trib_key_is_in(key, section)) continue;
        trib_print(writer, "\n## Values of `%s`", key->path);
        while ((++same)->path)
            if (same->row == key->row) trib_print(writer, " and `%s`", same->path);
        trib_write_text(writer, "\n\n| value | |\n| --- | --- |\n");
        for (size_t i = 0; key->row(i).name; i++)
            trib_print(writer, "| `%s` | %s |\n", key->row(i).name, key->row(i).help);
    }
}

/* ---- Pages: their texts ---------------------------------------------------------------------- */

static void write_sections(trib_writer *writer) {
    trib_write_text(writer, "| section | subject |\n| --- | --- |\n");
    for (const trib_section *section = trib_sections; section->name; section++)
        if (*section->name)
            trib_print(writer, "| [`%s`](configuration/%s.md) | %s |\n", section->name,
                       section->name, section->help);
}

static void write_own_keys(trib_writer *writer) {
    trib_print(writer, "## %s\n", trib_sections[0].help);
    write_keys("", writer);
}

static void write_presets(trib_writer *writer) {
    trib_write_text(writer, "| `preset` | | keys that it sets |\n| --- | --- | --- |\n");
    for (const trib_preset *preset = trib_presets; preset->name; preset++) {
        trib_print(writer, "| `%s` | %s |", preset->name, preset->help);
        for (size_t i = 0; preset->setting[i].key; i++)
            trib_print(writer, "%s `%s: %s`", i ? "," : "", preset->setting[i].key,
                       preset->setting[i].value);
        trib_write_text(writer, " |\n");
    }
}

static void write_fields(trib_writer *writer) {
    trib_write_text(writer, "| field | |\n| --- | --- |\n");
    for (const trib_document_field *field = trib_document_fields; field->name; field++)
        trib_print(writer, "| `%s` | %s |\n", field->name, field->help);
}

/* Writes a text of pages/. A line that is one of these words stands for a table. */
static void write_page(const char *name, trib_writer *writer) {
    static const struct {
        const char *word;
        void (*write)(trib_writer *writer);
    } parts[] = {{"{sections}\n", write_sections},
                 {"{experiment}\n", write_own_keys},
                 {"{presets}\n", write_presets},
                 {"{fields}\n", write_fields}};
    const trib_embedded_file *page = trib_config_pages;
    while (strcmp(page->name, name) != 0) page++;
    for (const char *line = (const char *)page->bytes; *line;) {
        const size_t n = strcspn(line, "\n") + 1;
        size_t p = 0;
        while (p < 4 && strncmp(line, parts[p].word, n) != 0) p++;
        if (p < 4) parts[p].write(writer);
        else trib_write(writer, line, n);
        line += n;
    }
}

void trib_config_write_docs(const trib_section *section, trib_writer *writer) {
    if (!section) {
        write_page("configuration.md", writer);
        return;
    }
    trib_print(writer, "# %s: %s\n\n", section->name, section->help);
    trib_print(writer,
               "These are the keys of the section `%s` of an [experiment](../configuration.md).\n",
               section->name);
    if (section->more)
        trib_print(writer, "[%s](../%s) explains the subject.\n", section->more, section->more);
    write_keys(section->name, writer);
    if (strcmp(section->name, "corpus") == 0) write_page("documents.md", writer);
    write_choices(section->name, writer);
}

/* ---- The schema: values ---------------------------------------------------------------------- */

/* What one of several schemas accepts. Takes ownership. */
static json_t *either(json_t *one, json_t *other) {
    return json_pack("{s:[o, o]}", "anyOf", one, other);
}

static json_t *object_of(json_t *properties) {
    return json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
                     "additionalProperties", 0);
}

/* A limit that is a whole number is written as one. */
static void set_limit(json_t *schema, const char *name, double limit) {
    if (limit == floor(limit) && fabs(limit) < 1e15)
        json_object_set_new(schema, name, json_integer((json_int_t)limit));
    else if (isfinite(limit)) trib_json_set_real(schema, name, limit);
}

static json_t *number_in_range(const trib_key *key, const char *type) {
    json_t *schema = json_pack("{s:s}", "type", type);
    set_limit(schema, "minimum", key->least);
    set_limit(schema, "maximum", key->most);
    return schema;
}

/* "^([0-9]+\.?[0-9]*|\.[0-9]+) *(TiB|...)$" */
static json_t *amount(const trib_key *key) {
    char pattern[160];
    int n = snprintf(pattern, sizeof pattern, "^([0-9]+\\.?[0-9]*|\\.[0-9]+) *(");
    for (const trib_amount_unit *unit = key->type->unit; unit->name; unit++)
        n += snprintf(pattern + n, sizeof pattern - (size_t)n, "%s%s",
                      unit == key->type->unit ? "" : "|", unit->name);
    snprintf(pattern + n, sizeof pattern - (size_t)n, ")$");
    return json_pack("{s:s, s:s}", "type", "string", "pattern", pattern);
}

/* A word as it can stand in YAML: 'false' and '1' also without quotes. */
static void add_choice(json_t *choices, const char *name) {
    uint64_t number = 0;
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        json_array_append_new(choices, json_boolean(*name == 't'));
    else if (trib_read_uint(name, &number))
        json_array_append_new(choices, json_integer((json_int_t)number));
    json_array_append_new(choices, json_string(name));
}

static json_t *words_of(const trib_key *key) {
    json_t *choices = json_array();
    if (trib_key_choice_at(key, 0).name)
        for (size_t i = 0; trib_key_choice_at(key, i).name; i++)
            add_choice(choices, trib_key_choice_at(key, i).name);
    else {
        if (key->word) add_choice(choices, key->word);
        if (key->other_word) add_choice(choices, key->other_word);
    }
    return json_pack("{s:o}", "enum", choices);
}

/* A file, or how many words; in tokens.stop also null, or one of both for each language. */
static json_t *file_or_count(bool is_of_language) {
    json_t *file = is_of_language ? json_pack("{s:s}", "type", "string")
                                  : json_pack("{s:[s, s]}", "type", "string", "null");
    trib_json_set_text(file, "pattern", "^([1-9][0-9]{0,8}|.*[^0-9].*)$");
    return either(
        file, json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 1, "maximum", 999999999));
}

static json_t *stop_words(void) {
    return either(file_or_count(false),
                  json_pack("{s:s, s:i, s:o}", "type", "object", "minProperties", 1,
                            "additionalProperties", file_or_count(true)));
}

/* A value that is no list, or an item of a list. */
static json_t *scalar(const trib_key *key) {
    const trib_key_type *type = key->type;
    json_t *schema;
    if (type == &trib_key_stop) return stop_words();
    if (type == &trib_key_count || type == &trib_key_large)
        schema = number_in_range(key, "integer");
    else if (type == &trib_key_number || type == &trib_key_numbers)
        schema = number_in_range(key, "number");
    else if (type->unit) schema = amount(key);
    else if (type == &trib_key_path || type == &trib_key_reference)
        schema =
            json_pack("{s:[s, s, s], s:i}", "type", "string", "number", "null", "minLength", 1);
    else if (trib_key_choice_at(key, 0).name) return words_of(key);
    else schema = json_pack("{s:[s, s]}", "type", "string", "number");
    if (strcmp(key->path, "output") == 0) json_object_set_new(schema, "minLength", json_integer(1));
    return key->word ? either(schema, words_of(key)) : schema;
}

/* A value of a key. */
static json_t *value_of(const trib_key *key) {
    if (!key->type->is_list) return scalar(key);
    json_t *list = json_pack("{s:s, s:o}", "type", "array", "items", scalar(key));
    if (key->type == &trib_key_numbers) {
        json_object_set_new(list, "minItems", json_integer(1));
        json_object_set_new(list, "maxItems", json_integer(TRIB_MAX_NGRAM));
    } else json_object_set_new(list, "uniqueItems", json_true());
    if (key->type == &trib_key_rows) json_object_set_new(list, "minItems", json_integer(1));
    return either(scalar(key), list);
}

/* The default as a value of JSON. */
static json_t *standard_of(const trib_key *key) {
    const char *text = key->standard;
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (value || *text != '[') return value ? value : json_string(text);
    value = json_array();
    for (const char *item = text + 1; *item && *item != ']';) {
        const size_t length = strcspn(item, ",]");
        json_array_append_new(value, json_stringn(item, length));
        item += length + strspn(item + length, ", ");
    }
    return value;
}

/* ---- The parts of a file --------------------------------------------------------------------- */

static json_t *reference_to(const trib_key *key) {
    char pointer[128];
    snprintf(pointer, sizeof pointer, "#/definitions/%s", key->path);
    return json_pack("{s:s}", "$ref", pointer);
}

static json_t *name_of_file(void) {
    return json_pack("{s:[s, s, s]}", "type", "string", "number", "boolean");
}

static json_t *documents(void) {
    json_t *properties = json_object();
    for (const trib_document_field *field = trib_document_fields; field->name; field++) {
        json_t *schema;
        if (strcmp(field->name, "file") == 0) schema = name_of_file();
        else if (strcmp(field->name, "role") == 0) {
            json_t *roles = json_array();
            for (size_t i = 0; trib_role_names[i]; i++)
                json_array_append_new(roles, json_string(trib_role_names[i]));
            json_array_append_new(roles, json_null());
            schema = json_pack("{s:o}", "enum", roles);
        } else
            schema = json_pack("{s:[s, s, s, s]}", "type", "string", "number", "boolean", "null");
        trib_json_set_text(schema, "description", field->help);
        json_object_set_new(properties, field->name, schema);
    }
    json_t *fields = object_of(properties);
    json_object_set_new(fields, "required", json_pack("[s]", "file"));
    return json_pack("{s:s, s:s, s:o}", "description",
                     "the texts, each with its fields or only its file", "type", "array", "items",
                     either(name_of_file(), fields));
}

/* A section may be empty. */
static json_t *section_of(const trib_section *section) {
    json_t *properties = json_object();
    for (const trib_key *key = trib_keys; key->path; key++)
        if (trib_key_is_in(key, section->name))
            json_object_set_new(properties, trib_key_name(key), reference_to(key));
    if (strcmp(section->name, "corpus") == 0)
        json_object_set_new(properties, "documents", documents());
    json_t *schema = object_of(properties);
    json_object_set_new(schema, "type", json_pack("[s, s]", "object", "null"));
    trib_json_set_text(schema, "description", section->help);
    return schema;
}

/* Keys that a sweep can vary, with one value or, in a grid and an exclusion, a list of them. */
static json_t *axes(bool many) {
    json_t *properties = json_object();
    for (const trib_key *key = trib_keys; key->path; key++) {
        const bool varies = key->effect == TRIB_KEY_RESULT || strcmp(key->path, "preset") == 0;
        if (!varies || key->type == &trib_key_path || key->type == &trib_key_stop) continue;
        json_t *one = reference_to(key);
        json_t *list = json_pack("{s:s, s:i, s:O}", "type", "array", "minItems", 1, "items", one);
        if (many) {
            one = either(one, json_incref(list));
            json_object_set_new(one, "minItems",
                                json_integer(1)); /* also where a value is a list */
        }
        json_decref(list);
        json_object_set_new(properties, key->path, one);
    }
    return object_of(properties);
}

static json_t *sweep(void) {
    json_t *properties = json_object();
    json_object_set_new(properties, "grid", axes(true));
    json_object_set_new(properties, "list",
                        json_pack("{s:s, s:o}", "type", "array", "items", axes(false)));
    json_object_set_new(properties, "exclude",
                        json_pack("{s:s, s:o}", "type", "array", "items", axes(true)));
    json_object_set_new(properties, "failures",
                        json_pack("{s:s, s:i}", "type", "integer", "minimum", 0));
    json_t *schema = object_of(properties);
    trib_json_set_text(schema, "description",
                       "The settings of `tributary sweep`, which a run ignores");
    return schema;
}

static json_t *definitions(void) {
    json_t *all = json_object();
    for (const trib_key *key = trib_keys; key->path; key++) {
        json_t *schema = value_of(key);
        trib_json_set_text(schema, "description", key->help);
        json_object_set_new(schema, "default", standard_of(key));
        json_object_set_new(all, key->path, schema);
    }
    return all;
}

trib_status trib_config_write_schema(trib_writer *writer, trib_error *error) {
    trib_json_begin();
    json_t *properties = json_object();
    json_object_set_new(
        properties, "tributary",
        json_pack("{s:[i, s], s:s}", "enum", 1, "1", "description", "the version of the format"));
    for (const trib_key *key = trib_keys; key->path; key++)
        if (trib_key_is_in(key, "")) json_object_set_new(properties, key->path, reference_to(key));
    for (const trib_section *section = trib_sections; section->name; section++)
        if (*section->name) json_object_set_new(properties, section->name, section_of(section));
    json_object_set_new(properties, "sweep", sweep());
    json_t *schema = object_of(properties);
    trib_json_set_text(schema, "$schema", "http://json-schema.org/draft-07/schema#");
    trib_json_set_text(schema, "title", "An experiment of tributary");
    json_object_set_new(schema, "required", json_pack("[s]", "tributary"));
    json_object_set_new(schema, "definitions", definitions());
    return trib_json_write(schema, writer, error);
}
