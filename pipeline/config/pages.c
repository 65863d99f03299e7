/* pages.c - writes docs/configuration.md and its parts, one per section, from the table of keys. */
#include "pipeline/config/documents.h"
#include "pipeline/config/keys.h"

#include <string.h>

/* ---- Keys ------------------------------------------------------------------------------------ */

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

/* ---- The overview ---------------------------------------------------------------------------- */

static void write_presets(trib_writer *writer) {
    trib_write_text(
        writer, "\n## Presets\n\n"
                "A preset sets several keys as in a publication. Keys in the file override it.\n\n"
                "| `preset` | | keys that it sets |\n| --- | --- | --- |\n");
    for (const trib_preset *preset = trib_presets; preset->name; preset++) {
        trib_print(writer, "| `%s` | %s |", preset->name, preset->help);
        for (size_t i = 0; preset->setting[i].key; i++)
            trib_print(writer, "%s `%s: %s`", i ? "," : "", preset->setting[i].key,
                       preset->setting[i].value);
        trib_write_text(writer, " |\n");
    }
}

static void write_overview(trib_writer *writer) {
    trib_write_text(
        writer,
        "# Which settings does an experiment have?\n\n"
        "An experiment is a YAML 1.2 file (`yes` and `no` are plain words) that begins with\n"
        "`tributary: 1`:\n\n"
        "```yaml\n"
        "tributary: 1\n"
        "corpus:\n"
        "  documents: [bay.txt, {file: heron.txt, author: Lowe, date: 1865}]\n"
        "  target: heron\n"
        "cp: {rank: 50}\n"
        "```\n\n"
        "The key `cp.rank` is written as `rank` in the section `cp`. Every key has a default,\n"
        "except `corpus.target` and the list of documents. A path in a file is relative to that\n"
        "file, and a path on the command line to the current directory.\n\n"
        "Later settings override earlier ones, in this order: the defaults, the preset, the\n"
        "file, `--set KEY=VALUE`, a command-line option for the key.\n\n"
        "## The sections\n\n"
        "Each section has a page with its keys, their defaults and their values.\n\n"
        "| section | subject |\n| --- | --- |\n");
    for (const trib_section *section = trib_sections; section->name; section++)
        if (*section->name)
            trib_print(writer, "| [`%s`](configuration/%s.md) | %s |\n", section->name,
                       section->name, section->help);
    trib_write_text(
        writer, "\nThe fields of a document (`id`, `file`, `date`, `role` and others) are "
                "described under\n[Documents](configuration/corpus.md#documents). The section "
                "`sweep`, which asks\nfor many runs, is described in [cluster.md](cluster.md).\n");
    trib_print(writer, "\n## %s\n", trib_sections[0].help);
    write_keys("", writer);
    write_presets(writer);
    trib_write_text(writer,
                    "\n## Help while writing\n\n"
                    "`tributary help keys` prints all keys on the terminal. `tributary check` "
                    "reports the\nerrors of a file before it is run. `tributary help keys "
                    "--schema` prints the keys as a\nJSON Schema. An editor with a YAML language "
                    "server completes and checks a file that\nbegins with\n"
                    "`# yaml-language-server: $schema=tributary.schema.json`.\n\n"
                    "This page and its parts are generated from the table of keys in the "
                    "program\n(`tributary help keys [SECTION] --markdown`).\n");
}

/* ---- The parts ------------------------------------------------------------------------------- */

static void write_document_fields(trib_writer *writer) {
    trib_write_text(writer,
                    "\n## Documents\n\n"
                    "Documents are listed under `corpus.documents`, or in the file that\n"
                    "`corpus.manifest` names: YAML with the same list under `documents`, JSON "
                    "Lines\n(`.jsonl`), or a table with a header line (`.tsv`; `.csv` as in RFC "
                    "4180). An entry of\na YAML list may also be only a file name. "
                    "[Many texts at once](../inputs/many.md) explains\nentries that stand for "
                    "several texts.\n"
                    "\n| field | |\n| --- | --- |\n");
    for (const trib_document_field *field = trib_document_fields; field->name; field++)
        trib_print(writer, "| `%s` | %s |\n", field->name, field->help);
}

void trib_config_write_docs(const trib_section *section, trib_writer *writer) {
    if (!section) {
        write_overview(writer);
        return;
    }
    trib_print(writer, "# %s: %s\n\n", section->name, section->help);
    trib_print(writer,
               "These are the keys of the section `%s` of an [experiment](../configuration.md).\n",
               section->name);
    if (section->more)
        trib_print(writer, "[%s](../%s) explains the subject.\n", section->more, section->more);
    write_keys(section->name, writer);
    if (strcmp(section->name, "corpus") == 0) write_document_fields(writer);
    write_choices(section->name, writer);
}
