/* write.c - writes a configuration as YAML, in a loop over the table of keys. */
#include "pipeline/config/loading.h"

#include <string.h>

/* ---- Values ---------------------------------------------------------------------------------- */

trib_status trib_config_print_given(const trib_config *config, const trib_given *given,
                                    trib_buffer *to, trib_error *error) {
    trib_status status = TRIB_OK;
    for (; given && given->size > 0; given++)
        for (const trib_key *key = trib_keys; key->path && status == TRIB_OK; key++) {
            if (key->effect != TRIB_KEY_RESULT || key->offset - given->offset >= given->size)
                continue;
            status = trib_buffer_print(to, error, "%s ", key->path);
            if (status == TRIB_OK) status = trib_key_print(key, config, false, to, error);
            if (status == TRIB_OK) status = trib_buffer_print(to, error, "\n");
        }
    return status;
}

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

static void print_documents(const trib_config *config, trib_buffer *out, trib_error *error) {
    static const char *const roles[] = {"both", "target", "source", "decoy"};
    trib_buffer_print(out, error, "  documents:\n");
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        const trib_corpus_document *document = &config->corpus.document[d];
        trib_buffer_print(out, error, "    - {");
        for (const trib_document_field *f = trib_document_fields; f->name; f++) {
            const char *text = NULL;
            if (f->offset != SIZE_MAX)
                memcpy(&text, (const char *)document + f->offset, sizeof text);
            if (!text) continue;
            trib_buffer_print(out, error, "%s: ", f->name);
            trib_yaml_quote(out, text, false, error);
            trib_buffer_add(out, ", ", 2, error);
        }
        trib_buffer_print(out, error, "role: %s}\n", roles[document->role]);
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool is_written(const trib_key *key, unsigned how) {
    return key->effect == TRIB_KEY_RESULT ||
           (key->effect == TRIB_KEY_MACHINE && !(how & TRIB_CONFIG_RESULT));
}

static void print_key(const trib_key *key, const trib_config *config, unsigned how,
                      trib_buffer *out, trib_error *error) {
    const bool alone = trib_key_is_in(key, "");
    trib_buffer_print(out, error, "%s%s: ", alone ? "" : "  ", trib_key_name(key));
    const size_t start = out->length;
    if (trib_key_print(key, config, false, out, error) == TRIB_OK && (how & TRIB_CONFIG_MARKED) &&
        strcmp(out->text + start, key->standard) != 0)
        trib_buffer_print(out, error, "  # default: %s", key->standard);
    trib_buffer_add(out, "\n", 1, error);
}

trib_status trib_config_print(const trib_config *config, unsigned how, trib_buffer *out,
                              trib_error *error) {
    trib_buffer_print(out, error, "tributary: 1\n");
    for (const trib_section *section = trib_sections; section->name; section++) {
        bool begun = !*section->name;
        for (const trib_key *key = trib_keys; key->path; key++) {
            if (!trib_key_is_in(key, section->name) || !is_written(key, how)) continue;
            if (!begun) trib_buffer_print(out, error, "%s:\n", section->name);
            begun = true;
            print_key(key, config, how, out, error);
        }
        if (strcmp(section->name, "corpus") == 0) print_documents(config, out, error);
    }
    return trib_buffer_add(out, "", 0, error);
}

void trib_config_write(const trib_config *config, trib_writer *writer, unsigned how) {
    trib_buffer text = {0};
    trib_error error = {0};
    const trib_status status = trib_config_print(config, how, &text, &error);
    if (status == TRIB_OK) trib_write(writer, text.text, text.length);
    else if (writer->failure.status == TRIB_OK) writer->failure = error;
    trib_buffer_release(&text);
}
