/* keytype_list.c - the types of values that are lists. A single scalar is read as a list of one. */
#include "pipeline/config/keys.h"

#include <string.h>

/* of a list; each item is compared with those before it, so that long lists would take long */
enum { MAX_ITEMS = 4096 };

/* The item after `item`, 0 after the last. A scalar that was read as a list has only one. */
static uint32_t next_item(const trib_yaml *yaml, uint32_t list, uint32_t item) {
    return item == list ? 0 : trib_yaml_next(yaml, item);
}

/* Sets *first to the first item of a list or to the scalar itself; 0 for an empty list. Returns
 * false after it reported an error. */
static bool open_list(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                      trib_diagnostics *diagnostics, uint32_t *first) {
    const trib_yaml_kind kind = trib_yaml_kind_of(yaml, node);
    size_t n = 0;
    *first = kind == TRIB_YAML_LIST ? trib_yaml_first(yaml, node) : node;
    if (kind == TRIB_YAML_MAP || trib_yaml_is_null(yaml, node)) {
        trib_key_report(key, yaml, node, diagnostics);
        return false;
    }
    for (uint32_t k = *first; k && n <= MAX_ITEMS; k = next_item(yaml, node, k)) n++;
    if (n > MAX_ITEMS)
        trib_diagnose(diagnostics, trib_yaml_place(yaml, node), "'%s' has more than %d items",
                      key->path, MAX_ITEMS);
    return n <= MAX_ITEMS;
}

/* Whether the text of an item also occurs earlier in the list. Reports an error if so. */
static bool is_repeated(const trib_key *key, const trib_yaml *yaml, uint32_t first, uint32_t item,
                        trib_diagnostics *diagnostics) {
    for (uint32_t k = first; k != item; k = trib_yaml_next(yaml, k))
        if (trib_yaml_kind_of(yaml, k) == TRIB_YAML_SCALAR &&
            strcmp(trib_yaml_text(yaml, k), trib_yaml_text(yaml, item)) == 0) {
            trib_diagnose(diagnostics, trib_yaml_place(yaml, item), "'%s' occurs twice in '%s'",
                          trib_yaml_text(yaml, item), key->path);
            return true;
        }
    return false;
}

static void release_texts(void *field) {
    trib_text_list *list = field;
    for (uint32_t i = 0; i < list->n; i++) trib_free(list->item[i]);
    trib_free(list->item);
    *list = (trib_text_list){0};
}

static trib_status read_texts(const trib_key *key, void *field, const trib_yaml *yaml,
                              uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    trib_text_list list = {0};
    size_t cap = 0;
    uint32_t first = 0;
    trib_status status = TRIB_OK;
    const size_t n_errors = diagnostics->n_errors;
    if (!open_list(key, yaml, node, diagnostics, &first)) return TRIB_OK;
    for (uint32_t k = first; k && status == TRIB_OK; k = next_item(yaml, node, k)) {
        const char *text = trib_key_scalar(key, yaml, k, diagnostics);
        if (!text || is_repeated(key, yaml, first, k, diagnostics)) continue;
        if ((key->choice || key->row) && trib_key_choose(key, yaml, k, diagnostics) == SIZE_MAX)
            continue;
        status = TRIB_GROW(&list.item, &cap, list.n + 1, "a list", error);
        if (status == TRIB_OK)
            status = trib_copy_text(&list.item[list.n], text, strlen(text), error);
        if (status == TRIB_OK) list.n++;
    }
    if (status != TRIB_OK || diagnostics->n_errors > n_errors) {
        release_texts(&list);
        return status;
    }
    release_texts(field);
    *(trib_text_list *)field = list;
    return TRIB_OK;
}

static trib_status print_item(bool json, const char *text, bool *first, trib_buffer *out,
                              trib_error *error) {
    const trib_status status = *first ? TRIB_OK : trib_buffer_add(out, ", ", 2, error);
    *first = false;
    return status == TRIB_OK ? trib_yaml_quote(out, text, json, error) : status;
}

static trib_status print_texts(const trib_key *key, const void *field, bool json, trib_buffer *out,
                               trib_error *error) {
    const trib_text_list *list = field;
    bool first = true;
    (void)key;
    trib_status status = trib_buffer_add(out, "[", 1, error);
    for (uint32_t i = 0; i < list->n && status == TRIB_OK; i++)
        status = print_item(json, list->item[i], &first, out, error);
    return status == TRIB_OK ? trib_buffer_add(out, "]", 1, error) : status;
}

static trib_status read_flags(const trib_key *key, void *field, const trib_yaml *yaml,
                              uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    bool flag[TRIB_MAX_LIST] = {false};
    uint32_t first = 0;
    (void)error;
    const size_t n_errors = diagnostics->n_errors;
    if (!open_list(key, yaml, node, diagnostics, &first)) return TRIB_OK;
    for (uint32_t k = first; k; k = next_item(yaml, node, k)) {
        const size_t i = trib_key_choose(key, yaml, k, diagnostics);
        if (i != SIZE_MAX && !is_repeated(key, yaml, first, k, diagnostics)) flag[i] = true;
    }
    if (diagnostics->n_errors > n_errors) return TRIB_OK;
    for (size_t i = 0; key->choice[i]; i++) ((bool *)field)[i] = flag[i];
    return TRIB_OK;
}

static trib_status print_flags(const trib_key *key, const void *field, bool json, trib_buffer *out,
                               trib_error *error) {
    bool first = true;
    trib_status status = trib_buffer_add(out, "[", 1, error);
    for (size_t i = 0; key->choice[i] && status == TRIB_OK; i++)
        if (((const bool *)field)[i]) status = print_item(json, key->choice[i], &first, out, error);
    return status == TRIB_OK ? trib_buffer_add(out, "]", 1, error) : status;
}

/* Same layout as in trib_config.influence: pointers to rows, then their number. */
typedef struct row_list {
    const void *row[TRIB_MAX_LIST];
    uint32_t n;
} row_list;
_Static_assert(offsetof(row_list, n) == offsetof(trib_config, influence.n_methods) -
                                            offsetof(trib_config, influence.method),
               "a list of rows lies in trib_config as here");

static trib_status read_rows(const trib_key *key, void *field, const trib_yaml *yaml, uint32_t node,
                             trib_diagnostics *diagnostics, trib_error *error) {
    row_list list = {.n = 0};
    uint32_t first = 0;
    (void)error;
    const size_t n_errors = diagnostics->n_errors;
    if (!open_list(key, yaml, node, diagnostics, &first)) return TRIB_OK;
    for (uint32_t k = first; k; k = next_item(yaml, node, k)) {
        const size_t i = trib_key_choose(key, yaml, k, diagnostics);
        if (i == SIZE_MAX || is_repeated(key, yaml, first, k, diagnostics)) continue;
        if (list.n < TRIB_MAX_LIST) list.row[list.n++] = key->row(i).row;
    }
    if (list.n == 0 && diagnostics->n_errors == n_errors)
        trib_diagnose(diagnostics, trib_yaml_place(yaml, node), "'%s' is empty", key->path);
    if (diagnostics->n_errors > n_errors) return TRIB_OK;
    memcpy(field, list.row, sizeof list.row);
    memcpy((char *)field + offsetof(row_list, n), &list.n, sizeof list.n);
    return TRIB_OK;
}

static trib_status print_rows(const trib_key *key, const void *field, bool json, trib_buffer *out,
                              trib_error *error) {
    row_list list;
    bool first = true;
    memcpy(list.row, field, sizeof list.row);
    memcpy(&list.n, (const char *)field + offsetof(row_list, n), sizeof list.n);
    trib_status status = trib_buffer_add(out, "[", 1, error);
    for (uint32_t i = 0; i < list.n && status == TRIB_OK; i++)
        for (size_t k = 0; key->row(k).name && status == TRIB_OK; k++)
            if (key->row(k).row == list.row[i])
                status = print_item(json, key->row(k).name, &first, out, error);
    return status == TRIB_OK ? trib_buffer_add(out, "]", 1, error) : status;
}

static trib_status read_numbers(const trib_key *key, void *field, const trib_yaml *yaml,
                                uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    trib_mode_numbers list = {.n = 0};
    uint32_t first = 0;
    trib_status status = TRIB_OK;
    const size_t n_errors = diagnostics->n_errors;
    if (!open_list(key, yaml, node, diagnostics, &first)) return TRIB_OK;
    for (uint32_t k = first; k && status == TRIB_OK; k = next_item(yaml, node, k), list.n++)
        if (list.n < TRIB_MAX_MODES)
            status = trib_key_number.read(key, &list.item[list.n], yaml, k, diagnostics, error);
    if (list.n == 0 || list.n > TRIB_MAX_MODES) trib_key_report(key, yaml, node, diagnostics);
    if (status == TRIB_OK && diagnostics->n_errors == n_errors) memcpy(field, &list, sizeof list);
    return status;
}

static trib_status print_numbers(const trib_key *key, const void *field, bool json,
                                 trib_buffer *out, trib_error *error) {
    const trib_mode_numbers *list = field;
    const bool several = list->n > 1;
    trib_status status = several ? trib_buffer_add(out, "[", 1, error) : TRIB_OK;
    for (uint32_t i = 0; i < list->n && status == TRIB_OK; i++) {
        if (i > 0) status = trib_buffer_add(out, ", ", 2, error);
        if (status == TRIB_OK)
            status = trib_key_number.print(key, &list->item[i], json, out, error);
    }
    return status == TRIB_OK && several ? trib_buffer_add(out, "]", 1, error) : status;
}

/* ---- The table ------------------------------------------------------------------------------- */

const trib_key_type trib_key_flags = {"a list of words", true, read_flags, print_flags, NULL},
                    trib_key_rows = {"a list of names", true, read_rows, print_rows, NULL},
                    trib_key_numbers = {"a number, or one for every mode in a list", true,
                                        read_numbers, print_numbers, NULL},
                    trib_key_texts = {"a list of words", true, read_texts, print_texts,
                                      release_texts};
