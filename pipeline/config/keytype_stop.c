/* keytype_stop.c - the type of tokens.stop: words that are left out of all texts, or of the texts
 * of each language. */
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/keys.h"
#include "tokenizer/language.h"

static bool is_number(const char *text) {
    return *text && text[strspn(text, "0123456789")] == '\0';
}

uint32_t trib_stop_count(const trib_stop_words *words) {
    return is_number(words->value) ? (uint32_t)strtoul(words->value, NULL, 10) : 0;
}

static void release(void *field) {
    trib_stop_list *list = field;
    for (uint32_t i = 0; i < list->n; i++) {
        TRIB_FREE(list->item[i].language, list->item[i].value, list->item[i].path);
    }
    trib_free(list->item);
    *list = (trib_stop_list){0};
}

/* Returns a file or a number. NULL, after an error was reported, otherwise. */
static const char *value_of(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                            trib_diagnostics *diagnostics) {
    const char *text = trib_key_scalar(key, yaml, node, diagnostics);
    const bool plain = text && yaml->node[trib_yaml_resolve(yaml, node)].plain;
    if (!text) return NULL;
    if (*text && (!is_number(text) || (strlen(text) <= 9 && *text != '0')) &&
        !(plain && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)))
        return text;
    trib_diagnose(diagnostics, trib_yaml_place(yaml, node),
                  "'%s' must be a file, or a whole number from 1 to 999999999", key->path);
    return NULL;
}

/* Whether a node names a language that is not in the list yet. Reports an error if not. */
static bool is_new_language(const trib_stop_list *list, const trib_yaml *yaml, uint32_t node,
                            trib_diagnostics *diagnostics) {
    const char *language = trib_yaml_text(yaml, node);
    char code[TRIB_LANGUAGE_MAX], other[TRIB_LANGUAGE_MAX];
    trib_error why = {0};
    if (trib_language_check(language, &why) != TRIB_OK) {
        trib_diagnose(diagnostics, trib_yaml_place(yaml, node), "%s", why.message);
        return false;
    }
    trib_language_code(code, language);
    for (uint32_t i = 0; i < list->n; i++) {
        trib_language_code(other, list->item[i].language);
        if (strcmp(other, code) != 0) continue;
        trib_diagnose(diagnostics, trib_yaml_place(yaml, node),
                      "'%s' and '%s' are one language in 'tokens.stop'", list->item[i].language,
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
    if (language) status = trib_copy_text(&item->language, language, strlen(language), error);
    return status == TRIB_OK ? trib_copy_text(&item->value, value, strlen(value), error) : status;
}

static trib_status read_stop(const trib_key *key, void *field, const trib_yaml *yaml, uint32_t node,
                             trib_diagnostics *diagnostics, trib_error *error) {
    const bool is_map = trib_yaml_kind_of(yaml, node) == TRIB_YAML_MAP;
    const size_t n_errors = diagnostics->n_errors;
    trib_stop_list list = {0};
    size_t cap = 0;
    trib_status status = TRIB_OK;
    if (is_map) {
        for (uint32_t k = trib_yaml_first(yaml, node); k && status == TRIB_OK;) {
            const uint32_t at = trib_yaml_next(yaml, k);
            const char *value = value_of(key, yaml, at, diagnostics);
            if (is_new_language(&list, yaml, k, diagnostics) && value)
                status = add(&list, &cap, trib_yaml_text(yaml, k), value, error);
            k = trib_yaml_next(yaml, at);
        }
        if (list.n == 0 && diagnostics->n_errors == n_errors)
            trib_key_report(key, yaml, node, diagnostics);
    } else if (!trib_yaml_is_null(yaml, node)) {
        const char *value = value_of(key, yaml, node, diagnostics);
        if (value) status = add(&list, &cap, NULL, value, error);
    }
    if (status == TRIB_OK && diagnostics->n_errors == n_errors) {
        release(field);
        *(trib_stop_list *)field = list;
    } else release(&list);
    return status;
}

static trib_status print(const trib_key *key, const void *field, bool json, trib_buffer *out,
                         trib_error *error) {
    const trib_stop_list *list = field;
    (void)key;
    if (list->n == 0) return trib_buffer_add(out, "null", 4, error);
    if (!list->item[0].language) return trib_yaml_quote(out, list->item[0].value, json, error);
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < list->n && status == TRIB_OK; i++) {
        status = trib_buffer_print(out, error, "%s", i > 0 ? ", " : "{");
        if (status == TRIB_OK) status = trib_yaml_quote(out, list->item[i].language, json, error);
        if (status == TRIB_OK) status = trib_buffer_add(out, ": ", 2, error);
        if (status == TRIB_OK) status = trib_yaml_quote(out, list->item[i].value, json, error);
    }
    return status == TRIB_OK ? trib_buffer_add(out, "}", 1, error) : status;
}

const trib_key_type trib_key_stop = {"a file, a number, null, or a file or number by language",
                                     false, read_stop, print, release};
