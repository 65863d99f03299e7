/* keys.c - what the keys of keys.txt may be set to, the presets, and how a key is looked up. */
#include "pipeline/config/keys.h"
#include "pipeline/text/strip.h"

/* ---- What may be chosen ---------------------------------------------------------------------- */

/* Each function returns row i of another table as a choice. */
#define ROWS(function, table)                                                                      \
    trib_choice function(size_t i) {                                                               \
        return (trib_choice){table[i].name, table[i].help, &table[i]};                             \
    }
ROWS(trib_choose_strip, trib_strippers)
ROWS(trib_choose_preset, trib_presets)
ROWS(trib_choose_hash, trib_hashes)
ROWS(trib_choose_solver, trib_solvers)
ROWS(trib_choose_method, trib_influence_methods)
ROWS(trib_choose_reference, trib_reference_schemes)
trib_choice trib_choose_organisation(size_t i) {
    const trib_organisation *row = i == 0 ? &trib_organisation_auto : &trib_organisations[i - 1];
    return (trib_choice){row->name, row->help, row};
}
trib_choice trib_choose_format(size_t i) {
    const trib_format *format = i == 0 ? &trib_format_auto : trib_formats[i - 1];
    return format ? (trib_choice){format->name, format->help, format} : (trib_choice){0};
}
trib_choice trib_choose_start(size_t i) {
    if (i == 0)
        return (trib_choice){"auto", "`greedy` for `solver: apr`, otherwise `energy`", NULL};
    return (trib_choice){trib_starts[i - 1].name, trib_starts[i - 1].help, &trib_starts[i - 1]};
}

/* ---- Looking it up --------------------------------------------------------------------------- */

const trib_key *trib_key_find(const char *path) {
    const trib_key *key = trib_keys;
    while (key->path && strcmp(key->path, path) != 0) key++;
    return key->path ? key : NULL;
}

bool trib_is_section(const char *name) {
    size_t s = 1; /* after "" */
    while (trib_sections[s] && strcmp(trib_sections[s], name) != 0) s++;
    return trib_sections[s] != NULL;
}

const char *trib_key_name(const trib_key *key) {
    const char *dot = strchr(key->path, '.');
    return dot ? dot + 1 : key->path;
}

bool trib_key_is_in(const trib_key *key, const char *section) {
    const size_t length = strlen(section);
    if (length == 0) return strchr(key->path, '.') == NULL;
    return strncmp(key->path, section, length) == 0 && key->path[length] == '.';
}

trib_status trib_key_print(const trib_key *key, const trib_config *config, bool json,
                           trib_buffer *out, trib_error *error) {
    key->type->print(&(trib_printing){key, out, json, error}, (const char *)config + key->offset);
    return trib_buffer_add(out, "", 0, error);
}
