/* write.c - writes a configuration as YAML, and the documentation of its keys. Both loop over the
 * table of keys. */
#include "pipeline/config/loading.h"

#include <stdio.h>
#include <string.h>

/* ---- Values ---------------------------------------------------------------------------------- */

trib_status trib_config_each(const trib_config *config, trib_config_visit visit, void *context,
                             trib_error *error) {
    trib_buffer value = {0};
    trib_status status = TRIB_OK;
    for (const trib_key *key = trib_keys; key->path && status == TRIB_OK; key++) {
        trib_buffer_clear(&value);
        status = trib_key_print(key, config, false, &value, error);
        if (status == TRIB_OK)
            visit(context, key->path, value.text, strcmp(value.text, key->standard) == 0,
                  key->effect == TRIB_KEY_RESULT);
    }
    trib_buffer_release(&value);
    return status;
}

/* ---- Documents ------------------------------------------------------------------------------- */

static trib_status print_field(trib_buffer *out, const char *name, const char *text,
                               trib_error *error) {
    if (!text) return TRIB_OK;
    const trib_status status = trib_buffer_print(out, error, "%s: ", name);
    if (status != TRIB_OK) return status;
    const trib_status quoted = trib_yaml_quote(out, text, false, error);
    return quoted == TRIB_OK ? trib_buffer_add(out, ", ", 2, error) : quoted;
}

static trib_status print_document(const trib_corpus_document *document, trib_buffer *out,
                                  trib_error *error) {
    static const char *const roles[] = {"both", "target", "source", "decoy"};
    trib_status status = trib_buffer_print(out, error, "    - {");
    for (const trib_document_field *f = trib_document_fields; f->name && status == TRIB_OK; f++) {
        const char *text = NULL;
        if (f->offset == SIZE_MAX) continue;
        memcpy(&text, (const char *)document + f->offset, sizeof text);
        status = print_field(out, f->name, text, error);
    }
    return status == TRIB_OK ? trib_buffer_print(out, error, "role: %s}\n", roles[document->role])
                             : status;
}

static trib_status print_documents(const trib_config *config, trib_buffer *out, trib_error *error) {
    trib_status status = trib_buffer_print(out, error, "  documents:\n");
    for (uint32_t d = 0; d < config->corpus.n_documents && status == TRIB_OK; d++)
        status = print_document(&config->corpus.document[d], out, error);
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool is_written(const trib_key *key, unsigned how) {
    return key->effect == TRIB_KEY_RESULT ||
           (key->effect == TRIB_KEY_MACHINE && !(how & TRIB_CONFIG_RESULT));
}

static trib_status print_key(const trib_key *key, const trib_config *config, unsigned how,
                             trib_buffer *out, trib_error *error) {
    const bool alone = trib_key_is_in(key, "");
    trib_status status =
        trib_buffer_print(out, error, "%s%s: ", alone ? "" : "  ", trib_key_name(key));
    const size_t start = out->length;
    if (status == TRIB_OK) status = trib_key_print(key, config, false, out, error);
    if (status != TRIB_OK) return status;
    if ((how & TRIB_CONFIG_MARKED) && strcmp(out->text + start, key->standard) != 0)
        return trib_buffer_print(out, error, "  # default: %s\n", key->standard);
    return trib_buffer_add(out, "\n", 1, error);
}

static trib_status print_section(const trib_section *section, const trib_config *config,
                                 unsigned how, trib_buffer *out, trib_error *error) {
    bool begun = !*section->name;
    trib_status status = TRIB_OK;
    for (const trib_key *key = trib_keys; key->path && status == TRIB_OK; key++) {
        if (!trib_key_is_in(key, section->name) || !is_written(key, how)) continue;
        if (!begun) status = trib_buffer_print(out, error, "%s:\n", section->name);
        begun = true;
        if (status == TRIB_OK) status = print_key(key, config, how, out, error);
    }
    if (status == TRIB_OK && strcmp(section->name, "corpus") == 0)
        status = print_documents(config, out, error);
    return status;
}

trib_status trib_config_print(const trib_config *config, unsigned how, trib_buffer *out,
                              trib_error *error) {
    trib_status status = trib_buffer_print(out, error, "tributary: 1\n");
    for (const trib_section *section = trib_sections; section->name && status == TRIB_OK; section++)
        status = print_section(section, config, how, out, error);
    return status;
}

void trib_config_write(const trib_config *config, trib_writer *writer, unsigned how) {
    trib_buffer text = {0};
    trib_error error = {0};
    const trib_status status = trib_config_print(config, how, &text, &error);
    if (status == TRIB_OK) trib_write(writer, text.text, text.length);
    else if (writer->failure.status == TRIB_OK) writer->failure = error;
    trib_buffer_release(&text);
}

/* ---- Documentation --------------------------------------------------------------------------- */

static void write_values(const trib_key *key, trib_writer *writer) {
    char range[TRIB_RANGE_MAX];
    const bool is_free = key->type == &trib_key_reference; /* choices are not all */
    if (!trib_key_choice_at(key, 0).name || is_free) {
        trib_write_text(writer, key->type->what);
        if (key->most > key->least && key->type != &trib_key_bytes &&
            key->type != &trib_key_seconds)
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
    if (key->word) trib_print(writer, ", or `%s`", key->word);
    if (key->other_word) trib_print(writer, ", or `%s`", key->other_word);
}

static void write_section_docs(const trib_section *section, trib_writer *writer) {
    trib_print(writer, "\n## %s%s%s\n\n| key | default | values | |\n| --- | --- | --- | --- |\n",
               *section->name ? section->name : "", *section->name ? ": " : "", section->help);
    for (const trib_key *key = trib_keys; key->path; key++) {
        if (!trib_key_is_in(key, section->name)) continue;
        trib_print(writer, "| `%s` | `%s` | ", key->path, key->standard);
        write_values(key, writer);
        trib_print(writer, " | %s |\n", key->help);
    }
}

/* Writes the meaning of choices that are rows of other tables. */
static void write_choices(trib_writer *writer) {
    trib_write_text(writer, "\n## Names\n\n| key | name | |\n| --- | --- | --- |\n");
    for (const trib_key *key = trib_keys; key->path; key++)
        for (size_t i = 0; key->row && !key->type->is_list && key->row(i).name; i++)
            trib_print(writer, "| `%s` | `%s` | %s |\n", key->path, key->row(i).name,
                       key->row(i).help);
    trib_write_text(writer,
                    "\n## Presets\n\n| preset | | keys that it sets |\n| --- | --- | --- |\n");
    for (const trib_preset *preset = trib_presets; preset->name; preset++) {
        if (!preset->setting[0].key) continue;
        trib_print(writer, "| `%s` | %s |", preset->name, preset->help);
        for (size_t i = 0; preset->setting[i].key; i++)
            trib_print(writer, "%s `%s: %s`", i ? "," : "", preset->setting[i].key,
                       preset->setting[i].value);
        trib_write_text(writer, " |\n");
    }
}

void trib_config_write_docs(trib_writer *writer) {
    trib_write_text(
        writer,
        "# Configuration\n\n"
        "An experiment is a YAML 1.2 file (`yes` and `no` are plain words) that begins with\n"
        "`tributary: 1`. The key `cp.rank` is written as `rank` in the section `cp`. Every key has "
        "a\n"
        "default, except `corpus.target` and the list of documents. Later settings override "
        "earlier\n"
        "ones, in this order: the defaults, the preset, the file, `--set KEY=VALUE`, a "
        "command-line\n"
        "option for the key. A path in a file is relative to that file, and a path on the command\n"
        "line to the current directory. This page is generated from the table of keys in the "
        "program.\n\n"
        "`tributary help keys --schema` prints the keys as a JSON Schema. An editor with a YAML "
        "language\n"
        "server completes and checks a file that begins with\n"
        "`# yaml-language-server: $schema=tributary.schema.json`.\n");
    for (const trib_section *section = trib_sections; section->name; section++)
        write_section_docs(section, writer);
    trib_write_text(writer, "\n## Documents\n\n"
                            "Documents are listed under `corpus.documents`, or in the file that "
                            "`corpus.manifest` names:\n"
                            "YAML with the same list under `documents`, JSON Lines (`.jsonl`), or "
                            "a table with a header\n"
                            "line (`.tsv`; `.csv` as in RFC 4180). An entry of a YAML list may "
                            "also be only a file name.\n"
                            "\n| field | |\n| --- | --- |\n");
    for (const trib_document_field *field = trib_document_fields; field->name; field++)
        trib_print(writer, "| `%s` | %s |\n", field->name, field->help);
    write_choices(writer);
}
