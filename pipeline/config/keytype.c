/* keytype.c - the types of single values: how a value is read from a node, printed so that it can
 * be read again, and released. */
#include "pipeline/config/keys.h"

#include "pipeline/config/documents.h"

_Static_assert(sizeof(trib_order) == sizeof(unsigned) && sizeof(int) == sizeof(uint32_t),
               "an enum and an int are stored as 32 bits");

trib_choice trib_key_choice_at(const trib_key *key, size_t i) {
    if (key->row && key->word && i == 0) return (trib_choice){.name = key->word}; /* no row */
    if (key->row) return key->row(key->word ? i - 1 : i);
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

/* How many words a key has beside its first one. */
static size_t other_words(const trib_key *key) {
    size_t n = 0;
    while (n < sizeof key->other / sizeof *key->other && key->other[n].word) n++;
    return n;
}

void trib_key_report(const trib_reading *r) {
    const trib_key *key = r->key;
    char text[128], word[96] = "";
    const size_t n = other_words(key);
    size_t length = 0;
    for (size_t i = 0; key->word && i <= n; i++)
        length += (size_t)snprintf(word + length, sizeof word - length, "%s'%s'",
                                   i == n ? " or " : ", ", i ? key->other[i - 1].word : key->word);
    TRIB_REPORT(r, "'%s' must be %s%s, not %s", key->path, key->type->what, word,
                trib_yaml_describe(r->yaml, r->node, text));
}

static void report_range(const trib_reading *r) {
    char range[TRIB_RANGE_MAX], text[128];
    TRIB_REPORT(r, "'%s' must be %s, not %s", r->key->path, trib_key_range(r->key, range),
                trib_yaml_describe(r->yaml, r->node, text));
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

const char *trib_key_scalar(const trib_reading *r) {
    if (trib_yaml_kind_of(r->yaml, r->node) == TRIB_YAML_SCALAR &&
        !trib_yaml_is_null(r->yaml, r->node))
        return trib_yaml_text(r->yaml, r->node);
    trib_key_report(r);
    return NULL;
}

static bool is_plain(const trib_reading *r) {
    return r->yaml->node[trib_yaml_resolve(r->yaml, r->node)].plain;
}

/* The same for a scalar that is a text: true and false must be quoted. */
static const char *words_of(const trib_reading *r) {
    const char *text = trib_key_scalar(r);
    if (!text || !is_plain(r) || (strcmp(text, "true") != 0 && strcmp(text, "false") != 0))
        return text;
    TRIB_REPORT(r, "'%s' must be a text, not the boolean %s; quote it if it is one", r->key->path,
                text);
    return NULL;
}

void trib_key_quote(const trib_printing *p, const char *text) {
    if (text) trib_yaml_quote(p->out, text, p->json, p->error);
    else trib_buffer_add(p->out, "null", 4, p->error);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Reads a whole number within the range, or the word of the key. Returns false after it reported an
 * error. */
static bool read_whole(const trib_reading *r, uint64_t *value) {
    const trib_key *key = r->key;
    const char *text = trib_key_scalar(r);
    double number = 0;
    if (!text) return false;
    if (key->word && strcmp(text, key->word) == 0) {
        *value = key->word_value;
        return true;
    }
    for (size_t i = 0; i < other_words(key); i++)
        if (strcmp(text, key->other[i].word) == 0) {
            *value = key->other[i].value;
            return true;
        }
    const bool is_number =
        is_plain(r) && trib_read_double(text, &number) && strpbrk(text, ".eE+") == NULL;
    if (is_number && trib_read_uint(text, value) && number >= key->least && number <= key->most)
        return true;
    if (is_number) report_range(r);
    else trib_key_report(r);
    return false;
}

static void read_count(const trib_reading *r, void *field) {
    uint64_t value = 0;
    /* no overflow: the ranges in the table fit 32 bits */
    if (read_whole(r, &value)) *(uint32_t *)field = (uint32_t)value;
}

static void read_large(const trib_reading *r, void *field) {
    uint64_t value = 0;
    if (read_whole(r, &value)) *(uint64_t *)field = value;
}

/* The word of a number stands for NaN. */
static void read_number(const trib_reading *r, void *field) {
    const char *text = trib_key_scalar(r);
    double value = 0;
    if (!text) return;
    if (r->key->word && strcmp(text, r->key->word) == 0) *(double *)field = (double)NAN;
    else if (!is_plain(r) || !trib_read_double(text, &value)) trib_key_report(r);
    else if (value < r->key->least || value > r->key->most) report_range(r);
    else *(double *)field = value;
}

static void print_large(const trib_printing *p, const void *field) {
    const uint64_t value = *(const uint64_t *)field;
    if (p->key->word && value == p->key->word_value) trib_key_quote(p, p->key->word);
    else trib_buffer_print(p->out, p->error, "%llu", (unsigned long long)value);
}

static void print_count(const trib_printing *p, const void *field) {
    const uint64_t value = *(const uint32_t *)field;
    const size_t n = other_words(p->key);
    size_t i = 0;
    while (i < n && value != p->key->other[i].value) i++;
    if (i < n) trib_key_quote(p, p->key->other[i].word);
    else print_large(p, &value);
}

static void print_number(const trib_printing *p, const void *field) {
    const double value = *(const double *)field;
    char text[TRIB_NUMBER_MAX];
    show_number(text, value);
    if (p->key->word && isnan(value)) trib_key_quote(p, p->key->word);
    else trib_buffer_print(p->out, p->error, "%s", text);
}

/* ---- Numbers with units ---------------------------------------------------------------------- */

static const trib_amount_unit memory_units[] = {
    {"TiB", 0x1p40}, {"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"TB", 1e12},
    {"GB", 1e9},     {"MB", 1e6},     {"kB", 1e3},     {"B", 1},        {NULL, 0}};
static const trib_amount_unit time_units[] = {
    {"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}, {NULL, 0}};

/* Converts "2 GiB" or "2GiB" to the smallest unit. */
static bool scale(const char *text, const trib_amount_unit *units, double *value) {
    const size_t n_digits = strspn(text, "0123456789.");
    const char *name = text + n_digits + strspn(text + n_digits, " ");
    char digits[32] = "";
    if (n_digits < sizeof digits) memcpy(digits, text, n_digits);
    while (units->name && strcmp(units->name, name) != 0) units++;
    if (!units->name || !trib_read_double(digits, value)) return false;
    *value *= units->size;
    return true;
}

bool trib_bytes_read(const char *text, double *bytes) { return scale(text, memory_units, bytes); }
bool trib_seconds_read(const char *text, double *seconds) {
    return scale(text, time_units, seconds);
}

/* Reads a number with its unit, or key->word, which stands for key->word_value. Returns false after
 * it reported an error. */
static bool read_amount(const trib_reading *r, double *value) {
    const trib_key *key = r->key;
    const char *text = trib_key_scalar(r);
    char shown[128];
    if (!text) return false;
    *value = (double)key->word_value;
    if (strcmp(text, key->word) == 0) return true;
    if (!scale(text, key->type->unit, value))
        TRIB_REPORT(r, "'%s' must be %s or '%s', not %s%s", key->path, key->type->what, key->word,
                    trib_yaml_describe(r->yaml, r->node, shown), boolean_hint(key, text));
    else if (*value >= key->least && *value <= key->most) return true;
    else
        TRIB_REPORT(r, "'%s' is out of range: %s", key->path,
                    trib_yaml_describe(r->yaml, r->node, shown));
    return false;
}

/* Prints it in the first unit that divides it. */
static void print_amount(const trib_printing *p, double value) {
    char text[TRIB_NUMBER_MAX], whole[TRIB_NUMBER_MAX + 8];
    const trib_amount_unit *unit = p->key->type->unit;
    while (unit[1].name && value / unit->size != (double)(uint64_t)(value / unit->size)) unit++;
    show_number(text, value / unit->size);
    snprintf(whole, sizeof whole, "%s %s", text, unit->name);
    trib_key_quote(p, value == (double)p->key->word_value ? p->key->word : whole);
}

static void read_bytes(const trib_reading *r, void *field) {
    double value = 0;
    if (read_amount(r, &value)) *(uint64_t *)field = (uint64_t)value;
}

static void print_bytes(const trib_printing *p, const void *field) {
    print_amount(p, (double)*(const uint64_t *)field);
}

static void read_seconds(const trib_reading *r, void *field) {
    double value = 0;
    if (read_amount(r, &value)) *(double *)field = value;
}

static void print_seconds(const trib_printing *p, const void *field) {
    print_amount(p, *(const double *)field);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void read_text(const trib_reading *r, void *field) {
    const char *text = words_of(r);
    if (text) *(const char **)field = trib_arena_print(r->arena, "%s", text);
}

static void read_path(const trib_reading *r, void *field) {
    const bool is_null = trib_yaml_is_null(r->yaml, r->node);
    const char *text = is_null ? NULL : words_of(r);
    if (is_null) *(const char **)field = NULL;
    else if (text && !*text) TRIB_REPORT(r, "'%s' is empty", r->key->path);
    else if (text) *(const char **)field = trib_arena_print(r->arena, "%s", text);
}

static void read_reference(const trib_reading *r, void *field) {
    const size_t n_errors = r->diagnostics->n_errors;
    if (trib_yaml_kind_of(r->yaml, r->node) == TRIB_YAML_SCALAR &&
        !trib_yaml_is_null(r->yaml, r->node))
        trib_reference_diagnose(trib_yaml_text(r->yaml, r->node), trib_yaml_place(r->yaml, r->node),
                                r->diagnostics);
    if (r->diagnostics->n_errors == n_errors) read_path(r, field);
}

static void print_text(const trib_printing *p, const void *field) {
    trib_key_quote(p, *(const char *const *)field);
}

/* ---- Choices --------------------------------------------------------------------------------- */

size_t trib_key_choose(const trib_reading *r) {
    const char *text = trib_key_scalar(r), *name;
    if (!text) return SIZE_MAX;
    trib_guess guess = {.word = text};
    char list[512] = "", shown[128];
    size_t length = 0;
    for (size_t i = 0; (name = trib_key_choice_at(r->key, i).name) != NULL; i++) {
        if (strcmp(name, text) == 0) return i;
        trib_guess_try(&guess, name);
        const int n = snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", name);
        length += n > 0 && (size_t)n < sizeof list - length ? (size_t)n : 0;
    }
    const char *hint = boolean_hint(r->key, text);
    TRIB_REPORT(r, "'%s' must be one of %s, not %s%s", r->key->path, list,
                trib_yaml_describe(r->yaml, r->node, shown),
                *hint ? hint : trib_guess_hint(&guess));
    return SIZE_MAX;
}

static void read_choice(const trib_reading *r, void *field) {
    const size_t i = trib_key_choose(r);
    if (i != SIZE_MAX) *(unsigned *)field = (unsigned)i;
}

/* Prints a word; true and false are no text, and never quoted. */
static void print_word(const trib_printing *p, const char *word) {
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        trib_buffer_add(p->out, word, strlen(word), p->error);
    else trib_key_quote(p, word);
}

static void print_choice(const trib_printing *p, const void *field) {
    print_word(p, p->key->choice[*(const unsigned *)field]);
}

static void read_flag(const trib_reading *r, void *field) {
    const size_t i = trib_key_choose(r);
    if (i != SIZE_MAX) *(bool *)field = i > 0;
}

static void print_flag(const trib_printing *p, const void *field) {
    print_word(p, p->key->choice[*(const bool *)field]);
}

static void read_row(const trib_reading *r, void *field) {
    const size_t i = trib_key_choose(r);
    if (i == SIZE_MAX) return;
    const void *row = trib_key_choice_at(r->key, i).row;
    memcpy(field, &row, sizeof row);
}

static void print_row(const trib_printing *p, const void *field) {
    const void *row = NULL;
    size_t i = 0;
    memcpy(&row, field, sizeof row);
    while (trib_key_choice_at(p->key, i).name && trib_key_choice_at(p->key, i).row != row) i++;
    trib_key_quote(p, trib_key_choice_at(p->key, i).name);
}

/* ---- The table ------------------------------------------------------------------------------- */

const trib_key_type trib_key_count = {"a whole number", read_count, print_count, NULL},
                    trib_key_large = {"a whole number", read_large, print_large, NULL},
                    trib_key_number = {"a number", read_number, print_number, NULL},
                    trib_key_bytes = {"an amount of memory such as '2 GiB'", read_bytes,
                                      print_bytes, memory_units},
                    trib_key_seconds = {"a time such as '30 min'", read_seconds, print_seconds,
                                        time_units},
                    trib_key_text = {"a text", read_text, print_text, NULL},
                    trib_key_path = {"a path or null", read_path, print_text, NULL},
                    trib_key_reference = {"a regular expression", read_reference, print_text, NULL},
                    trib_key_choice = {"a word", read_choice, print_choice, NULL},
                    trib_key_flag = {"a word", read_flag, print_flag, NULL},
                    trib_key_row = {"a name", read_row, print_row, NULL};
