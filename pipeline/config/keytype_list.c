/* keytype_list.c - the types of values that are lists. A single scalar is read as a list of one. */
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/keys.h"
#include "tokenizer/language.h"

/* of a list; each item is compared with those before it, so that long lists would take long */
enum { MAX_ITEMS = 4096 };

/* The item after `item`, 0 after the last. A scalar that was read as a list has only one. */
static uint32_t next_item(const trib_yaml *yaml, uint32_t list, uint32_t item) {
    return item == list ? 0 : trib_yaml_next(yaml, item);
}

/* Sets *first to the first item of a list or to the scalar itself; 0 for an empty list. Returns
 * false after it reported an error. */
static bool open_list(const trib_reading *r, uint32_t *first) {
    const trib_yaml_kind kind = trib_yaml_kind_of(r->yaml, r->node);
    size_t n = 0;
    *first = kind == TRIB_YAML_LIST ? trib_yaml_first(r->yaml, r->node) : r->node;
    if (kind == TRIB_YAML_MAP || trib_yaml_is_null(r->yaml, r->node)) {
        trib_key_report(r);
        return false;
    }
    for (uint32_t k = *first; k && n <= MAX_ITEMS; k = next_item(r->yaml, r->node, k)) n++;
    if (n > MAX_ITEMS) TRIB_REPORT(r, "'%s' has more than %d items", r->key->path, MAX_ITEMS);
    return n <= MAX_ITEMS;
}

static trib_reading at_item(const trib_reading *r, uint32_t item) {
    trib_reading at = *r;
    at.node = item;
    return at;
}

/* Whether the text of an item also occurs earlier in the list. Reports an error if so. */
static bool is_repeated(const trib_reading *item, uint32_t first) {
    const char *text = trib_yaml_text(item->yaml, item->node);
    for (uint32_t k = first; k != item->node; k = trib_yaml_next(item->yaml, k))
        if (trib_yaml_kind_of(item->yaml, k) == TRIB_YAML_SCALAR &&
            strcmp(trib_yaml_text(item->yaml, k), text) == 0) {
            TRIB_REPORT(item, "'%s' occurs twice in '%s'", text, item->key->path);
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

static trib_status read_texts(const trib_reading *r, void *field) {
    const size_t n_errors = r->diagnostics->n_errors;
    trib_text_list list = {0};
    size_t cap = 0;
    uint32_t first = 0;
    trib_status status = TRIB_OK;
    if (!open_list(r, &first)) return TRIB_OK;
    for (uint32_t k = first; k && status == TRIB_OK; k = next_item(r->yaml, r->node, k)) {
        const trib_reading item = at_item(r, k);
        const char *text = trib_key_scalar(&item);
        if (!text || is_repeated(&item, first)) continue;
        if ((r->key->choice || r->key->row) && trib_key_choose(&item) == SIZE_MAX) continue;
        status = TRIB_GROW(&list.item, &cap, list.n + 1, "a list", r->error);
        if (status == TRIB_OK) status = trib_copy(&list.item[list.n], text, r->error);
        if (status == TRIB_OK) list.n++;
    }
    if (status != TRIB_OK || r->diagnostics->n_errors > n_errors) {
        release_texts(&list);
        return status;
    }
    release_texts(field);
    *(trib_text_list *)field = list;
    return TRIB_OK;
}

/* Prints the next item of a list, with what comes before it. */
static void print_item(const trib_printing *p, bool *is_next, const char *text) {
    trib_buffer_print(p->out, p->error, "%s", *is_next ? ", " : "[");
    if (text) trib_key_quote(p, text);
    *is_next = true;
}

static void end_list(const trib_printing *p, bool has_items) {
    trib_buffer_print(p->out, p->error, "%s", has_items ? "]" : "[]");
}

static void print_texts(const trib_printing *p, const void *field) {
    const trib_text_list *list = field;
    bool is_next = false;
    for (uint32_t i = 0; i < list->n; i++) print_item(p, &is_next, list->item[i]);
    end_list(p, is_next);
}

static trib_status read_flags(const trib_reading *r, void *field) {
    const size_t n_errors = r->diagnostics->n_errors;
    bool flag[TRIB_MAX_LIST] = {false};
    uint32_t first = 0;
    if (!open_list(r, &first)) return TRIB_OK;
    for (uint32_t k = first; k; k = next_item(r->yaml, r->node, k)) {
        const trib_reading item = at_item(r, k);
        const size_t i = trib_key_choose(&item);
        if (i != SIZE_MAX && !is_repeated(&item, first)) flag[i] = true;
    }
    if (r->diagnostics->n_errors > n_errors) return TRIB_OK;
    for (size_t i = 0; r->key->choice[i]; i++) ((bool *)field)[i] = flag[i];
    return TRIB_OK;
}

static void print_flags(const trib_printing *p, const void *field) {
    bool is_next = false;
    for (size_t i = 0; p->key->choice[i]; i++)
        if (((const bool *)field)[i]) print_item(p, &is_next, p->key->choice[i]);
    end_list(p, is_next);
}

/* Same layout as in trib_config.influence: pointers to rows, then their number. */
typedef struct row_list {
    const void *row[TRIB_MAX_LIST];
    uint32_t n;
} row_list;
_Static_assert(offsetof(row_list, n) == offsetof(trib_config, influence.n_methods) -
                                            offsetof(trib_config, influence.method),
               "a list of rows lies in trib_config as here");

static trib_status read_rows(const trib_reading *r, void *field) {
    const size_t n_errors = r->diagnostics->n_errors;
    row_list list = {.n = 0};
    uint32_t first = 0;
    if (!open_list(r, &first)) return TRIB_OK;
    for (uint32_t k = first; k; k = next_item(r->yaml, r->node, k)) {
        const trib_reading item = at_item(r, k);
        const size_t i = trib_key_choose(&item);
        if (i == SIZE_MAX || is_repeated(&item, first)) continue;
        if (list.n < TRIB_MAX_LIST) list.row[list.n++] = r->key->row(i).row;
    }
    if (list.n == 0 && r->diagnostics->n_errors == n_errors)
        TRIB_REPORT(r, "'%s' is empty", r->key->path);
    if (r->diagnostics->n_errors > n_errors) return TRIB_OK;
    memcpy(field, list.row, sizeof list.row);
    memcpy((char *)field + offsetof(row_list, n), &list.n, sizeof list.n);
    return TRIB_OK;
}

static void print_rows(const trib_printing *p, const void *field) {
    row_list list;
    bool is_next = false;
    memcpy(list.row, field, sizeof list.row);
    memcpy(&list.n, (const char *)field + offsetof(row_list, n), sizeof list.n);
    for (uint32_t i = 0; i < list.n; i++)
        for (size_t k = 0; p->key->row(k).name; k++)
            if (p->key->row(k).row == list.row[i]) print_item(p, &is_next, p->key->row(k).name);
    end_list(p, is_next);
}

static trib_status read_numbers(const trib_reading *r, void *field) {
    const size_t n_errors = r->diagnostics->n_errors;
    trib_mode_numbers list = {.n = 0};
    uint32_t first = 0;
    if (!open_list(r, &first)) return TRIB_OK;
    for (uint32_t k = first; k; k = next_item(r->yaml, r->node, k), list.n++) {
        const trib_reading item = at_item(r, k);
        if (list.n < TRIB_MAX_MODES) (void)trib_key_number.read(&item, &list.item[list.n]);
    }
    if (list.n == 0 || list.n > TRIB_MAX_MODES) trib_key_report(r);
    if (r->diagnostics->n_errors == n_errors) memcpy(field, &list, sizeof list);
    return TRIB_OK;
}

static void print_numbers(const trib_printing *p, const void *field) {
    const trib_mode_numbers *list = field;
    bool is_next = false;
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->n > 1) print_item(p, &is_next, NULL);
        trib_key_number.print(p, &list->item[i]);
    }
    if (list->n > 1) end_list(p, true);
}

/* ---- Words that are left out ----------------------------------------------------------------- */

static bool is_number(const char *text) {
    return *text && text[strspn(text, "0123456789")] == '\0';
}

uint32_t trib_stop_count(const trib_stop_words *words) {
    return is_number(words->value) ? (uint32_t)strtoul(words->value, NULL, 10) : 0;
}

static void release_stop(void *field) {
    trib_stop_list *list = field;
    for (uint32_t i = 0; i < list->n; i++)
        TRIB_FREE(list->item[i].language, list->item[i].value, list->item[i].path);
    trib_free(list->item);
    *list = (trib_stop_list){0};
}

/* Returns a file or a number. NULL, after an error was reported, otherwise. */
static const char *value_of(const trib_reading *r) {
    const char *text = trib_key_scalar(r);
    if (!text) return NULL;
    const bool plain = r->yaml->node[trib_yaml_resolve(r->yaml, r->node)].plain;
    if (*text && (!is_number(text) || (strlen(text) <= 9 && *text != '0')) &&
        !(plain && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)))
        return text;
    TRIB_REPORT(r, "'%s' must be a file, or a whole number from 1 to 999999999", r->key->path);
    return NULL;
}

/* Whether a node names a language that is not in the list yet. Reports an error if not. */
static bool is_new_language(const trib_reading *r, const trib_stop_list *list) {
    const char *language = trib_yaml_text(r->yaml, r->node);
    char code[TRIB_LANGUAGE_MAX], other[TRIB_LANGUAGE_MAX];
    trib_error why = {0};
    if (trib_language_check(language, &why) != TRIB_OK) {
        TRIB_REPORT(r, "%s", why.message);
        return false;
    }
    trib_language_code(code, language);
    for (uint32_t i = 0; i < list->n; i++) {
        trib_language_code(other, list->item[i].language);
        if (strcmp(other, code) != 0) continue;
        TRIB_REPORT(r, "'%s' and '%s' are one language in 'tokens.stop'", list->item[i].language,
                    language);
        return false;
    }
    return true;
}

/* Adds an item; `language` NULL: all texts. */
static trib_status add(trib_stop_list *list, size_t *cap, const char *language, const char *value,
                       trib_error *error) {
    trib_status status = TRIB_GROW(&list->item, cap, (size_t)list->n + 1, "words left out", error);
    if (status != TRIB_OK) return status;
    trib_stop_words *item = &list->item[list->n++];
    *item = (trib_stop_words){0};
    status = trib_copy(&item->language, language, error);
    return status == TRIB_OK ? trib_copy(&item->value, value, error) : status;
}

static trib_status read_stop(const trib_reading *r, void *field) {
    const size_t n_errors = r->diagnostics->n_errors;
    trib_stop_list list = {0};
    size_t cap = 0;
    trib_status status = TRIB_OK;
    if (trib_yaml_kind_of(r->yaml, r->node) == TRIB_YAML_MAP) {
        for (uint32_t k = trib_yaml_first(r->yaml, r->node), at; k && status == TRIB_OK;
             k = trib_yaml_next(r->yaml, at)) {
            at = trib_yaml_next(r->yaml, k);
            const trib_reading name = at_item(r, k), item = at_item(r, at);
            const char *value = value_of(&item);
            if (is_new_language(&name, &list) && value)
                status = add(&list, &cap, trib_yaml_text(r->yaml, k), value, r->error);
        }
        if (list.n == 0 && r->diagnostics->n_errors == n_errors) trib_key_report(r);
    } else if (!trib_yaml_is_null(r->yaml, r->node)) {
        const char *value = value_of(r);
        if (value) status = add(&list, &cap, NULL, value, r->error);
    }
    if (status == TRIB_OK && r->diagnostics->n_errors == n_errors) {
        release_stop(field);
        *(trib_stop_list *)field = list;
    } else release_stop(&list);
    return status;
}

static void print_stop(const trib_printing *p, const void *field) {
    const trib_stop_list *list = field;
    const bool is_map = list->n > 0 && list->item[0].language;
    if (!is_map) trib_key_quote(p, list->n > 0 ? list->item[0].value : NULL);
    for (uint32_t i = 0; i < list->n && is_map; i++) {
        trib_buffer_print(p->out, p->error, "%s", i > 0 ? ", " : "{");
        trib_key_quote(p, list->item[i].language);
        trib_buffer_add(p->out, ": ", 2, p->error);
        trib_key_quote(p, list->item[i].value);
    }
    if (is_map) trib_buffer_add(p->out, "}", 1, p->error);
}

/* ---- The table ------------------------------------------------------------------------------- */

const trib_key_type trib_key_flags = {"a list of words", true, read_flags, print_flags, NULL},
                    trib_key_rows = {"a list of names", true, read_rows, print_rows, NULL},
                    trib_key_numbers = {"a number, or one for every mode in a list", true,
                                        read_numbers, print_numbers, NULL},
                    trib_key_texts = {"a list of words", true, read_texts, print_texts,
                                      release_texts},
                    trib_key_stop = {"a file, a number, null, or a file or number by language",
                                     false, read_stop, print_stop, release_stop};
