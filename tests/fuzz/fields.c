/* fields.c - any bytes as choices among what the table of fields allows, and a little beyond it: a
 * result whose members have their types, with edges of numbers, lengths and references; it is read
 * whole and by targets, and the page is made from it. So the readers are reached that a text which
 * the fuzzer changes byte by byte hardly ever reaches. */
#include "pipeline/result/fields.h"
#include "pipeline/report/pages.h"
#include "tests/fuzz/fuzz.h"

/* What decides: bytes, and then zeros. */
typedef struct choices {
    const uint8_t *at, *end;
    trib_buffer text; /* what is made of them */
} choices;

static unsigned choose(choices *c, unsigned n) { return c->at < c->end ? *c->at++ % n : 0; }

static void put(choices *c, const char *text) {
    (void)trib_buffer_add(&c->text, text, strlen(text), NULL);
}

static void put_one(choices *c, const char *const *words, unsigned n) {
    put(c, words[choose(c, n)]);
}
#define PUT_ONE(c, ...)                                                                            \
    put_one(c, (const char *const[]){__VA_ARGS__},                                                 \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void put_record(choices *c, const trib_record_type *type, bool is_inner);

static void put_text(choices *c) {
    PUT_ONE(c, "\"a\"", "\"b\"", "\"c\"", "\"traced\"", "\"extent\"", "\"a:1\"", "\"<b>&\"", "\"\"",
            "\"../x\"", "\"\\u001b[2J\\u202e\"", "\"1850\"", "\"heron\"", "\"\\ud83d\\ude00\"");
}
static void put_count(choices *c) {
    PUT_ONE(c, "0", "1", "2", "3", "5", "12", "255", "65536", "4294967295", "4294967296",
            "9007199254740992", "9223372036854775807", "-1", "1.5", "null");
}
static void put_number(choices *c) {
    PUT_ONE(c, "0", "1", "0.5", "0.25", "-1", "1e-308", "1e308", "-1e308", "2", "100", "null");
}

/* A list of up to four, rarely of many. */
static unsigned length(choices *c) {
    const unsigned n = choose(c, 32);
    return n == 31 ? 300 : n % 5;
}

static void put_value(choices *c, const trib_field *f) {
    const bool is_list =
        f->type >= TRIB_FIELD_TEXTS && f->type != TRIB_FIELD_MAP && f->type != TRIB_FIELD_SETTINGS;
    const bool is_map = f->type == TRIB_FIELD_MAP || f->type == TRIB_FIELD_SETTINGS;
    const unsigned n = is_list || is_map ? length(c) : 1;
    if (choose(c, 64) == 63) { /* of another type */
        PUT_ONE(c, "null", "[]", "{}", "\"x\"", "0", "true", "[[]]", "[null]", "{\"a\":1}");
        return;
    }
    if (is_list || is_map) put(c, is_list ? "[" : "{");
    for (unsigned i = 0; i < n; i++) {
        if (i > 0) put(c, ",");
        if (is_map) put_text(c), put(c, ":");
        switch (f->type) {
        case TRIB_FIELD_TEXT:
        case TRIB_FIELD_TEXTS:
            put_text(c);
            break;
        case TRIB_FIELD_FLAG:
            PUT_ONE(c, "false", "true");
            break;
        case TRIB_FIELD_COUNT:
        case TRIB_FIELD_COUNTS:
            put_count(c);
            break;
        case TRIB_FIELD_NUMBER:
        case TRIB_FIELD_NUMBERS:
            put_number(c);
            break;
        case TRIB_FIELD_SETTINGS:
            PUT_ONE(c, "{\"n\":3}", "{\"a\":\"b\",\"c\":[1]}", "{}");
            break;
        case TRIB_FIELD_TARGETS:
            put_record(c, &trib_type_target, false);
            break;
        default:
            put_record(c, f->of, f->type == TRIB_FIELD_MEMBERS);
            break;
        }
    }
    if (is_list || is_map) put(c, is_list ? "]" : "}");
}

static void put_record(choices *c, const trib_record_type *type, bool is_inner) {
    enum { LARGEST = 1 << 20 };
    const bool is_object = type->form == TRIB_RECORD_OBJECT && !is_inner;
    const bool is_value = type->form == TRIB_RECORD_VALUE;
    bool is_first = true;
    if (c->text.length > LARGEST) {
        put(c, is_inner ? "\"x\":0" : "null");
        return;
    }
    if (!is_value && !is_inner) put(c, is_object ? "{" : "[");
    for (size_t i = 0; i < type->n; i++) {
        const trib_field *const f = &type->field[i];
        const bool is_schema = strcmp(f->name, "schema") == 0;
        const unsigned skips = f->when == TRIB_FIELD_ALWAYS || f->when == TRIB_FIELD_NULL ? 32 : 2;
        if (is_value ? i + 1 < type->n : !is_schema && choose(c, skips) == skips - 1) continue;
        if (!is_first) put(c, ",");
        is_first = false;
        if (type->form == TRIB_RECORD_OBJECT && f->type != TRIB_FIELD_MEMBERS)
            put(c, "\""), put(c, f->name), put(c, "\":");
        if (is_schema) put(c, "1");
        else put_value(c, f);
    }
    if (is_inner && is_first) put(c, "\"x\":0");
    if (!is_value && !is_inner) put(c, is_object ? "}" : "]");
}

FUZZ_TARGET(fields) {
    TRIB_OWNED(trib_result) result = {0};
    trib_writer writer;
    choices c = {.at = bytes, .end = bytes + size};
    put_record(&c, &trib_type_result, false);
    if (trib_result_read(&result, "x", c.text.text, c.text.length, NULL) == TRIB_OK &&
        trib_writer_open(&writer, "/dev/null", NULL) == TRIB_OK) {
        const trib_status status = trib_report_write_html(&result, &writer, NULL);
        FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
        trib_writer_abandon(&writer);
    }
    trib_buffer_release(&c.text);
}
