/* keytype_list.c - the types of values that are lists. A single scalar is read as a list of one. */

#include "pipeline/config/keys.h"
#include "tokenizer/language.h"

/* of a list; each item is compared with those before it, so that long lists would take long */
enum { MAX_ITEMS = 4096 };

/* The item after `item`, 0 after the last. A scalar that was read as a list has only one. */
static uint32_t next_item(const trib_yaml *yaml, uint32_t list, uint32_t item) {
    return item == list ? 0 : trib_yaml_next(yaml, item);
}

/* Takes an item of a list into `to`; `first` is the first item. */
typedef void taking(const trib_reading *item, uint32_t first, void *to);

/* Hands each item of a list, or a scalar as a list of one, to `take`. Returns false after an error
 * was reported. */
static bool take_items(const trib_reading *r, taking *take, void *to) {
    const trib_yaml_kind kind = trib_yaml_kind_of(r->yaml, r->node);
    const size_t n_errors = r->diagnostics->n_errors;
    const uint32_t first = kind == TRIB_YAML_LIST ? trib_yaml_first(r->yaml, r->node) : r->node;
    size_t n = 0;
    if (kind == TRIB_YAML_MAP || trib_yaml_is_null(r->yaml, r->node)) {
        trib_key_report(r);
        return false;
    }
    for (uint32_t k = first; k && n <= MAX_ITEMS; k = next_item(r->yaml, r->node, k)) n++;
    if (n > MAX_ITEMS) TRIB_REPORT(r, "'%s' has more than %d items", r->key->path, MAX_ITEMS);
    trib_reading item = *r;
    for (uint32_t k = first; k && n <= MAX_ITEMS; k = next_item(r->yaml, r->node, k)) {
        item.node = k;
        take(&item, first, to);
    }
    return r->diagnostics->n_errors == n_errors;
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

/* Prints the next item of a list, with what comes before it. */
static void print_item(const trib_printing *p, bool *is_next, const char *text) {
    trib_buffer_print(p->out, p->error, "%s", *is_next ? ", " : "[");
    if (text) trib_key_quote(p, text);
    *is_next = true;
}

static void end_list(const trib_printing *p, bool has_items) {
    trib_buffer_print(p->out, p->error, "%s", has_items ? "]" : "[]");
}

static void take_text(const trib_reading *item, uint32_t first, void *to) {
    const char *text = trib_key_scalar(item);
    const bool has_choices = item->key->choice || item->key->row;
    if (!text || is_repeated(item, first)) return;
    if (has_choices && trib_key_choose(item) == SIZE_MAX) return;
    TRIB_ADD(item->arena, to, const char *, {trib_arena_print(item->arena, "%s", text)});
}

static void read_texts(const trib_reading *r, void *field) {
    trib_text_list list = {0};
    if (take_items(r, take_text, &list)) *(trib_text_list *)field = list;
}

static void print_texts(const trib_printing *p, const void *field) {
    const trib_text_list *list = field;
    bool is_next = false;
    for (size_t i = 0; i < list->n; i++) print_item(p, &is_next, list->item[i]);
    end_list(p, is_next);
}

static void take_flag(const trib_reading *item, uint32_t first, void *to) {
    const size_t i = trib_key_choose(item);
    if (i != SIZE_MAX && !is_repeated(item, first)) ((bool *)to)[i] = true;
}

static void read_flags(const trib_reading *r, void *field) {
    bool flag[TRIB_MAX_LIST] = {false};
    if (!take_items(r, take_flag, flag)) return;
    for (size_t i = 0; r->key->choice[i]; i++) ((bool *)field)[i] = flag[i];
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

static void take_row(const trib_reading *item, uint32_t first, void *to) {
    row_list *list = to;
    const size_t i = trib_key_choose(item);
    if (i != SIZE_MAX && !is_repeated(item, first) && list->n < TRIB_MAX_LIST)
        list->row[list->n++] = item->key->row(i).row;
}

static void read_rows(const trib_reading *r, void *field) {
    row_list list = {.n = 0};
    if (!take_items(r, take_row, &list)) return;
    if (list.n == 0) {
        TRIB_REPORT(r, "'%s' is empty", r->key->path);
        return;
    }
    memcpy(field, list.row, sizeof list.row);
    memcpy((char *)field + offsetof(row_list, n), &list.n, sizeof list.n);
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

static void take_number(const trib_reading *item, uint32_t first, void *to) {
    trib_mode_numbers *list = to;
    (void)first;
    if (list->n < TRIB_MAX_MODES) trib_key_number.read(item, &list->item[list->n]);
    list->n++;
}

static void read_numbers(const trib_reading *r, void *field) {
    trib_mode_numbers list = {.n = 0};
    const bool is_read = take_items(r, take_number, &list);
    if (list.n > TRIB_MAX_MODES || (is_read && list.n == 0)) trib_key_report(r);
    else if (is_read) *(trib_mode_numbers *)field = list;
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
    for (size_t i = 0; i < list->n; i++) {
        trib_language_code(other, list->item[i].language);
        if (strcmp(other, code) != 0) continue;
        TRIB_REPORT(r, "'%s' and '%s' are one language in 'tokens.stop'", list->item[i].language,
                    language);
        return false;
    }
    return true;
}

/* Adds the file or number at the node of `r`; `language` NULL: of all texts. */
static void add_stop(const trib_reading *r, const trib_reading *language, trib_stop_list *list) {
    const char *text = trib_key_scalar(r);
    const bool plain = r->yaml->node[trib_yaml_resolve(r->yaml, r->node)].plain;
    const bool is_right = text && *text &&
                          (!is_number(text) || (strlen(text) <= 9 && *text != '0')) &&
                          !(plain && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0));
    if (text && !is_right)
        TRIB_REPORT(r, "'%s' must be a file, or a whole number from 1 to 999999999", r->key->path);
    if ((language && !is_new_language(language, list)) || !is_right) return;
    trib_stop_words *item = trib_arena_append(r->arena, list, sizeof *item);
    if (!item) return;
    item->value = trib_arena_print(r->arena, "%s", text);
    if (language)
        item->language =
            trib_arena_print(r->arena, "%s", trib_yaml_text(language->yaml, language->node));
}

static void read_stop(const trib_reading *r, void *field) {
    const size_t n_errors = r->diagnostics->n_errors;
    const bool is_map = trib_yaml_kind_of(r->yaml, r->node) == TRIB_YAML_MAP;
    trib_stop_list list = {0};
    trib_reading name = *r, item = *r;
    for (uint32_t k = is_map ? trib_yaml_first(r->yaml, r->node) : 0; k;
         k = trib_yaml_next(r->yaml, item.node)) {
        name.node = k;
        item.node = trib_yaml_next(r->yaml, k);
        add_stop(&item, &name, &list);
    }
    if (!is_map && !trib_yaml_is_null(r->yaml, r->node)) add_stop(r, NULL, &list);
    if (r->diagnostics->n_errors > n_errors) return;
    if (is_map && list.n == 0) trib_key_report(r);
    else *(trib_stop_list *)field = list;
}

static void print_stop(const trib_printing *p, const void *field) {
    const trib_stop_list *list = field;
    const bool is_map = list->n > 0 && list->item[0].language;
    if (!is_map) trib_key_quote(p, list->n > 0 ? list->item[0].value : NULL);
    for (size_t i = 0; i < list->n && is_map; i++) {
        trib_buffer_print(p->out, p->error, "%s", i > 0 ? ", " : "{");
        trib_key_quote(p, list->item[i].language);
        trib_buffer_add(p->out, ": ", 2, p->error);
        trib_key_quote(p, list->item[i].value);
    }
    if (is_map) trib_buffer_add(p->out, "}", 1, p->error);
}

/* ---- The table ------------------------------------------------------------------------------- */

const trib_key_type trib_key_flags = {"a list of words", read_flags, print_flags, NULL},
                    trib_key_rows = {"a list of names", read_rows, print_rows, NULL},
                    trib_key_numbers = {"a number, or one for every mode in a list", read_numbers,
                                        print_numbers, NULL},
                    trib_key_texts = {"a list of words", read_texts, print_texts, NULL},
                    trib_key_stop = {"a file, a number, null, or a file or number by language",
                                     read_stop, print_stop, NULL};
