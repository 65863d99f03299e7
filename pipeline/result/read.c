/* read.c - reads records from JSON, by the table of fields. Members that the table does not have
 * are passed over; one of another type is as if it were absent. */
#include "pipeline/result/fields.h"

#include "pipeline/support/utf8.h"

enum { DEEPEST = 512, LONGEST_NUMBER = 100 };

static void read_field(trib_record_reader *r, const trib_field *field, void *record);

static bool fail(trib_record_reader *r) {
    r->is_wrong = true;
    r->at = r->end;
    return false;
}

/* The next character that is no white space; '\0' at the end. */
static char next(trib_record_reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
    return r->at < r->end ? *r->at : '\0';
}

static bool take(trib_record_reader *r, char wanted) {
    if (next(r) != wanted) return fail(r);
    r->at++;
    return true;
}

/* Goes to the next item of a list or an object, of which `n` were read; false after the last. */
static bool next_item(trib_record_reader *r, size_t n, char close) {
    if (next(r) == close) {
        r->at++;
        return false;
    }
    return !r->is_wrong && (n == 0 || take(r, ','));
}

/* ---- Texts and numbers ----------------------------------------------------------------------- */

/* Reads four hexadecimal digits; -1 when they are none. */
static int32_t read_hex(trib_record_reader *r) {
    int32_t code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        const char *const digits = "0123456789abcdef0123456789ABCDEF";
        const char *const found = r->at < r->end && *r->at ? strchr(digits, *r->at) : NULL;
        if (!found) return -1;
        code = 16 * code + (int32_t)((found - digits) % 16);
    }
    return code;
}

/* Reads what follows a backslash to out[4]; returns its bytes, 0 when it is wrong. */
static size_t read_escape(trib_record_reader *r, char out[4]) {
    static const char plain[] = "\"\\/\b\f\n\r\t", escaped[] = "\"\\/bfnrt";
    const char c = r->at < r->end ? *r->at++ : '\0';
    const char *const found = c ? strchr(escaped, c) : NULL;
    if (found) {
        out[0] = plain[found - escaped];
        return 1;
    }
    int32_t code = c == 'u' ? read_hex(r) : -1;
    if (code >= 0xD800 && code < 0xDC00 && r->end - r->at > 2 && r->at[0] == '\\' &&
        r->at[1] == 'u') { /* a surrogate, and the second */
        r->at += 2;
        const int32_t low = read_hex(r);
        code =
            low >= 0xDC00 && low < 0xE000 ? 0x10000 + (code - 0xD800) * 0x400 + low - 0xDC00 : -1;
    }
    if (code <= 0 || (code >= 0xD800 && code < 0xE000)) return 0;
    size_t n = 0;
    if (code < 0x80) out[n++] = (char)code;
    else {
        const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        out[n++] = (char)((0xFF00 >> (more + 1) & 0xFF) | code >> 6 * more);
        for (int i = more; i-- > 0;) out[n++] = (char)(0x80 | (code >> 6 * i & 0x3F));
    }
    return n;
}

/* Reads a text to `out`, which has as many bytes as it has in JSON; NULL: passes over it. Returns
 * the bytes. */
static size_t read_characters(trib_record_reader *r, char *out) {
    size_t n = 0;
    (void)take(r, '"');
    while (r->at < r->end && *r->at != '"') {
        char character[4];
        const char *from = r->at;
        size_t length;
        if (*from == '\\') {
            r->at++;
            length = read_escape(r, character);
            from = character;
        } else {
            while (r->at < r->end && (signed char)*r->at >= ' ' && *r->at != '"' && *r->at != '\\')
                r->at++;
            length = (size_t)(r->at - from);
            if (length == 0) r->at += length = trib_utf8_length(from, (size_t)(r->end - from));
            if ((unsigned char)*from < ' ') length = 0;
        }
        if (length == 0) {
            fail(r);
            return 0;
        }
        if (out) memcpy(out + n, from, length);
        n += length;
    }
    (void)take(r, '"');
    return n;
}

static const char *read_text(trib_record_reader *r) {
    const char *const begin = r->at;
    (void)read_characters(r, NULL);
    char *const text = r->is_wrong ? NULL : trib_arena_new(r->arena, (size_t)(r->at - begin), 1);
    if (!text) return "";
    r->at = begin;
    (void)read_characters(r, text);
    return text;
}

/* A number, with its value as a count where it is whole and not negative, else TRIB_ABSENT. */
static double read_number(trib_record_reader *r, uint64_t *count) {
    char text[LONGEST_NUMBER];
    double value = 0;
    size_t n = 0, digits = 0;
    bool is_whole = true;
    *count = TRIB_ABSENT;
    for (; r->at < r->end && *r->at && strchr("+-.0123456789eE", *r->at); r->at++) {
        if (n + 1 == sizeof text) break;
        is_whole = is_whole && *r->at != '.' && *r->at != 'e' && *r->at != 'E';
        text[n++] = *r->at;
    }
    text[n] = '\0';
    const char *const first = text + (text[0] == '-');
    digits = strspn(first, "0123456789");
    const char *const point = first + digits;
    if (digits == 0 || (digits > 1 && *first == '0') ||
        (*point == '.' && strspn(point + 1, "0123456789") == 0) || !trib_read_double(text, &value))
        fail(r);
    if (is_whole) { /* as jansson has it: an integer of 64 bits with a sign */
        const bool is_negative = text[0] == '-';
        if (!trib_read_uint(first, count) || *count > (uint64_t)INT64_MAX + is_negative) fail(r);
        if (is_negative) *count = TRIB_ABSENT;
    }
    return value;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Passes over a value. */
static void skip(trib_record_reader *r) {
    static const char *const words[] = {"true", "false", "null"};
    const char c = next(r), close = c == '{' ? '}' : ']';
    uint64_t count;
    if (c == '"') {
        (void)read_characters(r, NULL);
    } else if (c == '{' || c == '[') {
        if (++r->depth > DEEPEST) fail(r);
        else r->at++;
        for (size_t n = 0; next_item(r, n, close); n++) {
            if (c == '{') (void)next(r), (void)read_characters(r, NULL), (void)take(r, ':');
            skip(r);
        }
        r->depth--;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        (void)read_number(r, &count);
    } else {
        for (size_t i = 0; i < 3; i++) {
            const size_t length = strlen(words[i]);
            if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i], length) != 0) continue;
            r->at += length;
            return;
        }
        fail(r);
    }
}

static bool is_key(const trib_field *field, const char *key, size_t length) {
    return strlen(field->name) == length && memcmp(field->name, key, length) == 0;
}

/* Makes the records that are always there and were not read. */
static void complete(trib_record_reader *r, const trib_record_type *type, void *record) {
    for (size_t i = 0; i < type->n; i++) {
        const trib_field *const field = &type->field[i];
        if (field->type != TRIB_FIELD_RECORD || field->when != TRIB_FIELD_ALWAYS ||
            !trib_field_is_absent(field, record))
            continue;
        void *const part = trib_record_new(r->arena, field->of);
        memcpy(trib_field_of(field, record), &part, sizeof part);
        if (part) complete(r, field->of, part);
    }
}

/* The field of the next key, the first to be looked at being `from`; NULL: the table has none. */
static const trib_field *read_key(trib_record_reader *r, const trib_record_type *type,
                                  size_t from) {
    (void)next(r);
    const char *key = r->at + 1;
    (void)read_characters(r, NULL);
    size_t length = r->is_wrong ? 0 : (size_t)(r->at - key) - 1;
    (void)take(r, ':');
    for (size_t i = 0; i < type->n && !r->is_wrong; i++)
        if (is_key(&type->field[(from + i) % type->n], key, length))
            return &type->field[(from + i) % type->n];
    return NULL;
}

static void read_object(trib_record_reader *r, const trib_record_type *type, void *record) {
    const trib_field *field = NULL;
    (void)take(r, '{');
    for (size_t n = 0; next_item(r, n, '}'); n++) {
        const trib_field *const found =
            read_key(r, type, field ? (size_t)(field - type->field) + 1 : 0);
        if (found && !(r->is_lean && found->is_detail)) read_field(r, found, record);
        else skip(r);
        if (found) field = found;
    }
    complete(r, type, record);
}

static void read_record(trib_record_reader *r, const trib_record_type *type, void *record) {
    const char c = next(r);
    if (type->form == TRIB_RECORD_VALUE) read_field(r, &type->field[type->n - 1], record);
    else if (type->form == TRIB_RECORD_OBJECT && c == '{') read_object(r, type, record);
    else if (type->form == TRIB_RECORD_ROW && c == '[') {
        size_t n = 0;
        r->at++;
        for (; next_item(r, n, ']'); n++)
            if (n < type->n) read_field(r, &type->field[n], record);
            else skip(r);
    } else {
        skip(r);
        complete(r, type, record);
    }
}

/* Appends a record of a type to a list. */
static void *append(trib_record_reader *r, const trib_record_type *type, void *list) {
    void *const item = trib_arena_append(r->arena, list, type->size);
    if (item) trib_record_begin(type, item);
    else r->at = r->end; /* the arena has the failure */
    return item;
}

static void read_map(trib_record_reader *r, const trib_field *field, void *list) {
    const trib_record_type *const type = field->of;
    (void)take(r, '{');
    for (size_t n = 0; next_item(r, n, '}'); n++) {
        (void)next(r);
        const char *const key = read_text(r);
        (void)take(r, ':');
        if (r->is_lean && strcmp(key, r->only) != 0 && strcmp(key, "verbatim") != 0) {
            skip(r);
            continue;
        }
        void *const item = append(r, type, list);
        if (!item) return;
        memcpy(trib_field_of(&type->field[0], item), &key, sizeof key);
        read_record(r, type, item);
    }
}

/* Reads the settings of a section; "" is that of the settings without one. */
static void read_settings(trib_record_reader *r, const char *section, trib_setting_records *list) {
    r->at++;
    for (size_t n = 0; next_item(r, n, '}'); n++) {
        (void)next(r);
        const char *const key = read_text(r);
        (void)take(r, ':');
        const char c = next(r);
        if (c == '{' && !*section) read_settings(r, key, list);
        else if (c != '"') skip(r);
        else {
            trib_setting_record *const setting = trib_arena_append(r->arena, list, sizeof *setting);
            if (!setting) return;
            setting->key = *section ? trib_arena_print(r->arena, "%s.%s", section, key) : key;
            setting->value = read_text(r);
        }
    }
}

/* Finds the text of a target, and its id. */
static void read_target_text(trib_record_reader *r, const trib_field *field, void *list) {
    trib_target_text *const item = trib_arena_append(r->arena, list, sizeof *item);
    trib_target_record target = {0};
    const trib_record_type id = {0, TRIB_RECORD_OBJECT, field->of->field, 1};
    if (!item) return;
    trib_record_begin(&id, &target);
    (void)next(r);
    item->json = r->at;
    read_record(r, &id, &target);
    item->id = target.target;
    item->length = (size_t)(r->at - item->json);
    trib_result_rest(r->file, ((trib_target_texts *)list)->n);
}

static void read_list(trib_record_reader *r, const trib_field *field, void *list) {
    r->at++;
    for (size_t n = 0; next_item(r, n, ']'); n++) {
        const char c = next(r);
        uint64_t count = TRIB_ABSENT;
        if (field->type == TRIB_FIELD_RECORDS) {
            void *const item = append(r, field->of, list);
            const char *const begin = r->at;
            if (item) read_record(r, field->of, item);
            if (item && field->of == &trib_type_passage) {
                ((trib_passage_record *)item)->json = begin;
                ((trib_passage_record *)item)->length = (size_t)(r->at - begin);
            }
        } else if (field->type == TRIB_FIELD_TARGETS) {
            read_target_text(r, field, list);
        } else if (field->type == TRIB_FIELD_TEXTS) {
            const char *const text = c == '"' ? read_text(r) : (skip(r), "");
            TRIB_ADD(r->arena, list, const char *, {text});
        } else {
            const bool is_number = c == '-' || (c >= '0' && c <= '9');
            const double value = is_number ? read_number(r, &count) : (skip(r), (double)NAN);
            void *const item = trib_arena_append(r->arena, list, sizeof value);
            if (!item) return;
            if (field->type == TRIB_FIELD_NUMBERS) *(double *)item = value;
            else *(uint64_t *)item = count == TRIB_ABSENT ? 0 : count;
        }
    }
}

static void read_field(trib_record_reader *r, const trib_field *field, void *record) {
    void *const member = trib_field_of(field, record);
    const char c = next(r);
    const bool is_number = c == '-' || (c >= '0' && c <= '9');
    uint64_t count = TRIB_ABSENT;
    if (r->arena->failure.status != TRIB_OK || ++r->depth > DEEPEST) {
        fail(r);
    } else if (field->type == TRIB_FIELD_TEXT && c == '"') {
        *(const char **)member = read_text(r);
    } else if (field->type == TRIB_FIELD_FLAG && (c == 't' || c == 'f')) {
        *(bool *)member = c == 't';
        skip(r);
    } else if (field->type == TRIB_FIELD_NUMBER && is_number) {
        *(double *)member = read_number(r, &count);
    } else if (field->type == TRIB_FIELD_COUNT && is_number) {
        (void)read_number(r, &count);
        if (count != TRIB_ABSENT) *(uint64_t *)member = count;
    } else if (field->type == TRIB_FIELD_RECORD && c == '{') {
        void *const part = trib_record_new(r->arena, field->of);
        memcpy(member, &part, sizeof part);
        if (part) read_record(r, field->of, part);
    } else if (field->type == TRIB_FIELD_MAP && c == '{') {
        trib_arena_list(r->arena, member);
        read_map(r, field, member);
    } else if (field->type == TRIB_FIELD_SETTINGS && c == '{') {
        trib_arena_list(r->arena, member);
        read_settings(r, "", member);
    } else if (field->type >= TRIB_FIELD_TEXTS && field->type != TRIB_FIELD_MAP &&
               field->type != TRIB_FIELD_SETTINGS && c == '[') {
        trib_arena_list(r->arena, member);
        read_list(r, field, member);
    } else {
        skip(r);
    }
    r->depth--;
}

bool trib_record_read(trib_record_reader *r, const struct trib_record_type *type, void *record) {
    trib_record_begin(type, record);
    read_record(r, type, record);
    return !r->is_wrong && next(r) == '\0' && r->at == r->end;
}
