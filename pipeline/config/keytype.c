/* keytype.c - the types of single values: how a value is read from a node, printed so that it can
 * be read again, and released. */
#include "pipeline/config/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/config/documents.h"

_Static_assert(sizeof(trib_order) == sizeof(unsigned) && sizeof(int) == sizeof(uint32_t),
               "an enum and an int are stored as 32 bits");

trib_choice trib_key_choice_at(const trib_key *key, size_t i) {
    if (key->row) return key->row(i);
    return (trib_choice){.name = key->choice ? key->choice[i] : NULL};
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* Prints whole numbers without an exponent. */
static void show_number(char text[TRIB_NUMBER_MAX], double value) {
    if (value == floor(value) && fabs(value) < 1e15) snprintf(text, TRIB_NUMBER_MAX, "%.0f", value);
    else trib_number(text, value);
}

const char *trib_key_range(const trib_key *key, char text[TRIB_RANGE_MAX]) {
    char least[TRIB_NUMBER_MAX], most[TRIB_NUMBER_MAX];
    show_number(least, key->least);
    show_number(most, key->most);
    if (key->most >= (double)INT64_MAX) snprintf(text, TRIB_RANGE_MAX, "at least %s", least);
    else snprintf(text, TRIB_RANGE_MAX, "from %s to %s", least, most);
    return text;
}

/* ---- Saying what is wrong -------------------------------------------------------------------- */

void trib_key_report(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                     trib_diagnostics *diagnostics) {
    char text[128], word[64] = "";
    if (key->other_word) snprintf(word, sizeof word, ", '%s' or '%s'", key->word, key->other_word);
    else if (key->word) snprintf(word, sizeof word, " or '%s'", key->word);
    trib_diagnose(diagnostics, trib_yaml_place(yaml, node), "'%s' must be %s%s, not %s", key->path,
                  key->type->what, word, trib_yaml_describe(yaml, node, text));
}

static void report_range(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                         trib_diagnostics *diagnostics) {
    char range[TRIB_RANGE_MAX], text[128];
    trib_diagnose(diagnostics, trib_yaml_place(yaml, node), "'%s' must be %s, not %s", key->path,
                  trib_key_range(key, range), trib_yaml_describe(yaml, node, text));
}

/* YAML 1.1 reads yes, no, on and off as booleans. When a key is true or false, the word for it is
 * suggested; when it has the choice 'none', a word for false most likely means 'none'. */
static const char *boolean_hint(const trib_key *key, const char *word) {
    static const char *const booleans[] = {"yes", "no", "on", "off", "true", "false", NULL};
    bool has_none = key->word && strcmp(key->word, "none") == 0, is_flag = false;
    for (size_t i = 0; trib_key_choice_at(key, i).name; i++) {
        has_none = has_none || strcmp(trib_key_choice_at(key, i).name, "none") == 0;
        is_flag = is_flag || strcmp(trib_key_choice_at(key, i).name, "true") == 0;
    }
    for (size_t i = 0; booleans[i]; i++)
        if (strcmp(word, booleans[i]) == 0 && is_flag)
            return i % 2 == 0 ? "; did you mean 'true'?" : "; did you mean 'false'?";
        else if (strcmp(word, booleans[i]) == 0)
            return has_none && (i == 1 || i == 3 || i == 5)
                       ? "; it is not on or off; did you mean 'none'?"
                       : "; it is not on or off";
    return "";
}

const char *trib_key_scalar(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                            trib_diagnostics *diagnostics) {
    if (trib_yaml_kind_of(yaml, node) == TRIB_YAML_SCALAR && !trib_yaml_is_null(yaml, node))
        return trib_yaml_text(yaml, node);
    trib_key_report(key, yaml, node, diagnostics);
    return NULL;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Reads a whole number within the range, or the word of the key. Returns false after it reported an
 * error. */
static bool read_whole(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                       trib_diagnostics *diagnostics, uint64_t *value) {
    const char *text = trib_key_scalar(key, yaml, node, diagnostics);
    if (!text) return false;
    if (key->word && strcmp(text, key->word) == 0) {
        *value = key->word_value;
        return true;
    }
    if (key->other_word && strcmp(text, key->other_word) == 0) {
        *value = key->other_value;
        return true;
    }
    double number = 0;
    const bool is_number = yaml->node[trib_yaml_resolve(yaml, node)].plain &&
                           trib_read_double(text, &number) && strpbrk(text, ".eE+") == NULL;
    if (is_number && trib_read_uint(text, value) && number >= key->least && number <= key->most)
        return true;
    if (is_number) report_range(key, yaml, node, diagnostics);
    else trib_key_report(key, yaml, node, diagnostics);
    return false;
}

static trib_status read_count(const trib_key *key, void *field, const trib_yaml *yaml,
                              uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    uint64_t value = 0;
    (void)error;
    if (!read_whole(key, yaml, node, diagnostics, &value)) return TRIB_OK;
    const uint32_t count = (uint32_t)value; /* no overflow: the ranges in the table fit 32 bits */
    memcpy(field, &count, sizeof count);
    return TRIB_OK;
}

static trib_status read_large(const trib_key *key, void *field, const trib_yaml *yaml,
                              uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    uint64_t value = 0;
    (void)error;
    if (read_whole(key, yaml, node, diagnostics, &value)) memcpy(field, &value, sizeof value);
    return TRIB_OK;
}

/* The word of a number stands for NaN. */
static trib_status read_number(const trib_key *key, void *field, const trib_yaml *yaml,
                               uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    const char *text = trib_key_scalar(key, yaml, node, diagnostics);
    double value = 0;
    (void)error;
    if (!text) return TRIB_OK;
    if (key->word && strcmp(text, key->word) == 0) {
        value = (double)NAN;
        memcpy(field, &value, sizeof value);
    } else if (!yaml->node[trib_yaml_resolve(yaml, node)].plain || !trib_read_double(text, &value))
        trib_key_report(key, yaml, node, diagnostics);
    else if (value < key->least || value > key->most) report_range(key, yaml, node, diagnostics);
    else memcpy(field, &value, sizeof value);
    return TRIB_OK;
}

static trib_status print_word(const trib_key *key, bool json, trib_buffer *out, trib_error *error) {
    return trib_yaml_quote(out, key->word, json, error);
}

static trib_status print_count(const trib_key *key, const void *field, bool json, trib_buffer *out,
                               trib_error *error) {
    uint32_t value = 0;
    memcpy(&value, field, sizeof value);
    if (key->word && value == key->word_value) return print_word(key, json, out, error);
    if (key->other_word && value == key->other_value)
        return trib_yaml_quote(out, key->other_word, json, error);
    return trib_buffer_print(out, error, "%u", value);
}

static trib_status print_large(const trib_key *key, const void *field, bool json, trib_buffer *out,
                               trib_error *error) {
    uint64_t value = 0;
    memcpy(&value, field, sizeof value);
    if (key->word && value == key->word_value) return print_word(key, json, out, error);
    return trib_buffer_print(out, error, "%llu", (unsigned long long)value);
}

static trib_status print_number(const trib_key *key, const void *field, bool json, trib_buffer *out,
                                trib_error *error) {
    double value = 0;
    char text[TRIB_NUMBER_MAX];
    memcpy(&value, field, sizeof value);
    if (key->word && isnan(value)) return print_word(key, json, out, error);
    show_number(text, value);
    return trib_buffer_print(out, error, "%s", text);
}

/* ---- Numbers with units ---------------------------------------------------------------------- */

typedef struct unit {
    const char *name;
    double size;
} unit;

/* Largest first. A value is printed in the first unit that divides it. */
static const unit memory_units[] = {
    {"TiB", 0x1p40}, {"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"TB", 1e12},
    {"GB", 1e9},     {"MB", 1e6},     {"kB", 1e3},     {"B", 1},        {NULL, 0}};
static const unit time_units[] = {{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}, {NULL, 0}};

/* Converts "2 GiB" or "2GiB" to the smallest unit. */
static bool scale(const char *text, const unit *units, double *value) {
    const size_t n_digits = strspn(text, "0123456789.");
    const char *name = text + n_digits + strspn(text + n_digits, " ");
    char digits[32] = "";
    if (n_digits < sizeof digits) memcpy(digits, text, n_digits);
    while (units->name && strcmp(units->name, name) != 0) units++;
    if (!units->name || !trib_read_double(digits, value)) return false;
    *value *= units->size;
    return true;
}

const char *trib_key_unit(const trib_key *key, size_t i) {
    if (key->type == &trib_key_bytes) return memory_units[i].name;
    return key->type == &trib_key_seconds ? time_units[i].name : NULL;
}

bool trib_bytes_read(const char *text, double *bytes) { return scale(text, memory_units, bytes); }
bool trib_seconds_read(const char *text, double *seconds) {
    return scale(text, time_units, seconds);
}

/* Reads a number with its unit, or key->word, which stands for key->word_value. Returns false after
 * it reported an error. */
static bool read_with_unit(const trib_key *key, const unit *units, const trib_yaml *yaml,
                           uint32_t node, trib_diagnostics *diagnostics, double *value) {
    const char *text = trib_key_scalar(key, yaml, node, diagnostics);
    if (!text) return false;
    *value = (double)key->word_value;
    if (strcmp(text, key->word) == 0) return true;
    char shown[128];
    const trib_place place = trib_yaml_place(yaml, node);
    if (!scale(text, units, value)) {
        trib_diagnose(diagnostics, place, "'%s' must be %s or '%s', not %s%s", key->path,
                      key->type->what, key->word, trib_yaml_describe(yaml, node, shown),
                      boolean_hint(key, text));
        return false;
    }
    if (*value >= key->least && *value <= key->most) return true;
    trib_diagnose(diagnostics, place, "'%s' is out of range: %s", key->path,
                  trib_yaml_describe(yaml, node, shown));
    return false;
}

static trib_status print_with_unit(const trib_key *key, const unit *units, double value, bool json,
                                   trib_buffer *out, trib_error *error) {
    if (value == (double)key->word_value) return print_word(key, json, out, error);
    while (units[1].name && (value / units->size) != (double)(uint64_t)(value / units->size))
        units++;
    char text[TRIB_NUMBER_MAX], whole[TRIB_NUMBER_MAX + 8];
    show_number(text, value / units->size);
    snprintf(whole, sizeof whole, "%s %s", text, units->name);
    return trib_yaml_quote(out, whole, json, error);
}

static trib_status read_bytes(const trib_key *key, void *field, const trib_yaml *yaml,
                              uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    double value = 0;
    (void)error;
    if (!read_with_unit(key, memory_units, yaml, node, diagnostics, &value)) return TRIB_OK;
    const uint64_t bytes = (uint64_t)value;
    memcpy(field, &bytes, sizeof bytes);
    return TRIB_OK;
}

static trib_status print_bytes(const trib_key *key, const void *field, bool json, trib_buffer *out,
                               trib_error *error) {
    uint64_t value = 0;
    memcpy(&value, field, sizeof value);
    return print_with_unit(key, memory_units, (double)value, json, out, error);
}

static trib_status read_seconds(const trib_key *key, void *field, const trib_yaml *yaml,
                                uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    double value = 0;
    (void)error;
    if (read_with_unit(key, time_units, yaml, node, diagnostics, &value))
        memcpy(field, &value, sizeof value);
    return TRIB_OK;
}

static trib_status print_seconds(const trib_key *key, const void *field, bool json,
                                 trib_buffer *out, trib_error *error) {
    double value = 0;
    memcpy(&value, field, sizeof value);
    return print_with_unit(key, time_units, value, json, out, error);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void release_text(void *field) {
    char *old = NULL;
    memcpy(&old, field, sizeof old);
    trib_free(old);
    memset(field, 0, sizeof old);
}

static trib_status replace_text(void *field, const char *text, trib_error *error) {
    char *copy = NULL;
    const trib_status status = trib_copy_text(&copy, text, strlen(text), error);
    if (status != TRIB_OK) return status;
    release_text(field);
    memcpy(field, &copy, sizeof copy);
    return TRIB_OK;
}

/* Returns the text of a scalar that is no boolean. NULL, after an error was reported, otherwise. */
static const char *text_of(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                           trib_diagnostics *diagnostics) {
    const char *text = trib_key_scalar(key, yaml, node, diagnostics);
    const bool plain = text && yaml->node[trib_yaml_resolve(yaml, node)].plain;
    if (!plain || (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)) return text;
    trib_diagnose(diagnostics, trib_yaml_place(yaml, node),
                  "'%s' must be a text, not the boolean %s; quote it if it is one", key->path,
                  text);
    return NULL;
}

static trib_status read_text(const trib_key *key, void *field, const trib_yaml *yaml, uint32_t node,
                             trib_diagnostics *diagnostics, trib_error *error) {
    const char *text = text_of(key, yaml, node, diagnostics);
    return text ? replace_text(field, text, error) : TRIB_OK;
}

static trib_status read_path(const trib_key *key, void *field, const trib_yaml *yaml, uint32_t node,
                             trib_diagnostics *diagnostics, trib_error *error) {
    if (trib_yaml_is_null(yaml, node)) {
        release_text(field);
        return TRIB_OK;
    }
    const char *text = text_of(key, yaml, node, diagnostics);
    if (text && *text) return replace_text(field, text, error);
    if (text) trib_diagnose(diagnostics, trib_yaml_place(yaml, node), "'%s' is empty", key->path);
    return TRIB_OK;
}

static trib_status read_reference(const trib_key *key, void *field, const trib_yaml *yaml,
                                  uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    const size_t n_errors = diagnostics->n_errors;
    if (trib_yaml_kind_of(yaml, node) == TRIB_YAML_SCALAR && !trib_yaml_is_null(yaml, node))
        trib_reference_diagnose(trib_yaml_text(yaml, node), trib_yaml_place(yaml, node),
                                diagnostics);
    return diagnostics->n_errors > n_errors ? TRIB_OK
                                            : read_path(key, field, yaml, node, diagnostics, error);
}

static trib_status print_text(const trib_key *key, const void *field, bool json, trib_buffer *out,
                              trib_error *error) {
    const char *text = NULL;
    (void)key;
    memcpy(&text, field, sizeof text);
    if (!text) return trib_buffer_add(out, "null", 4, error);
    return trib_yaml_quote(out, text, json, error);
}

/* ---- Choices --------------------------------------------------------------------------------- */

size_t trib_key_choose(const trib_key *key, const trib_yaml *yaml, uint32_t node,
                       trib_diagnostics *diagnostics) {
    const char *text = trib_key_scalar(key, yaml, node, diagnostics);
    if (!text) return SIZE_MAX;
    trib_guess guess = {.word = text};
    char list[512] = "";
    size_t length = 0;
    for (size_t i = 0; trib_key_choice_at(key, i).name; i++) {
        const char *name = trib_key_choice_at(key, i).name;
        if (strcmp(name, text) == 0) return i;
        trib_guess_try(&guess, name);
        const int n = snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", name);
        length += n > 0 && (size_t)n < sizeof list - length ? (size_t)n : 0;
    }
    const char *hint = boolean_hint(key, text);
    char shown[128];
    trib_diagnose(diagnostics, trib_yaml_place(yaml, node), "'%s' must be one of %s, not %s%s",
                  key->path, list, trib_yaml_describe(yaml, node, shown),
                  *hint ? hint : trib_guess_hint(&guess));
    return SIZE_MAX;
}

static trib_status read_choice(const trib_key *key, void *field, const trib_yaml *yaml,
                               uint32_t node, trib_diagnostics *diagnostics, trib_error *error) {
    const size_t i = trib_key_choose(key, yaml, node, diagnostics);
    const unsigned choice = (unsigned)i;
    (void)error;
    if (i != SIZE_MAX) memcpy(field, &choice, sizeof choice);
    return TRIB_OK;
}

static trib_status print_choice(const trib_key *key, const void *field, bool json, trib_buffer *out,
                                trib_error *error) {
    unsigned choice = 0;
    memcpy(&choice, field, sizeof choice);
    return trib_yaml_quote(out, key->choice[choice], json, error);
}

static trib_status read_flag(const trib_key *key, void *field, const trib_yaml *yaml, uint32_t node,
                             trib_diagnostics *diagnostics, trib_error *error) {
    const size_t i = trib_key_choose(key, yaml, node, diagnostics);
    (void)error;
    if (i != SIZE_MAX) *(bool *)field = i > 0;
    return TRIB_OK;
}

static trib_status print_flag(const trib_key *key, const void *field, bool json, trib_buffer *out,
                              trib_error *error) {
    const char *word = key->choice[*(const bool *)field];
    const bool is_truth = strcmp(key->choice[1], "true") == 0; /* no text: never quoted */
    return is_truth ? trib_buffer_add(out, word, strlen(word), error)
                    : trib_yaml_quote(out, word, json, error);
}

static trib_status read_row(const trib_key *key, void *field, const trib_yaml *yaml, uint32_t node,
                            trib_diagnostics *diagnostics, trib_error *error) {
    const size_t i = trib_key_choose(key, yaml, node, diagnostics);
    (void)error;
    if (i == SIZE_MAX) return TRIB_OK;
    const void *row = key->row(i).row;
    memcpy(field, &row, sizeof row);
    return TRIB_OK;
}

static trib_status print_row(const trib_key *key, const void *field, bool json, trib_buffer *out,
                             trib_error *error) {
    const void *row = NULL;
    memcpy(&row, field, sizeof row);
    for (size_t i = 0; key->row(i).name; i++)
        if (key->row(i).row == row) return trib_yaml_quote(out, key->row(i).name, json, error);
    return trib_buffer_add(out, "null", 4, error);
}

/* ---- The table ------------------------------------------------------------------------------- */

const trib_key_type trib_key_count = {"a whole number", false, read_count, print_count, NULL},
                    trib_key_large = {"a whole number", false, read_large, print_large, NULL},
                    trib_key_number = {"a number", false, read_number, print_number, NULL},
                    trib_key_bytes = {"an amount of memory such as '2 GiB'", false, read_bytes,
                                      print_bytes, NULL},
                    trib_key_seconds = {"a time such as '30 min'", false, read_seconds,
                                        print_seconds, NULL},
                    trib_key_text = {"a text", false, read_text, print_text, release_text},
                    trib_key_path = {"a path or null", false, read_path, print_text, release_text},
                    trib_key_reference = {"a regular expression", false, read_reference, print_text,
                                          release_text},
                    trib_key_choice = {"a word", false, read_choice, print_choice, NULL},
                    trib_key_flag = {"a word", false, read_flag, print_flag, NULL},
                    trib_key_row = {"a name", false, read_row, print_row, NULL};
