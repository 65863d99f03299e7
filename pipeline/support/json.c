/* json.c - an allocator for jansson that records failures, and numbers with the fewest digits that
 * read back as the same number. When an allocation fails, jansson returns NULL, accepts NULL as a
 * value, and silently omits it. Therefore failures are recorded here for each thread, and the
 * thread that builds JSON checks once, at the end. */
#include "pipeline/support/json.h"
#include "base/internal.h"
#include "base/system.h"

#include <pthread.h>

static _Thread_local bool failed;
/* the key of a number that is not finite; NULL: none */
static _Thread_local const char *not_finite;

/* The allocator under jansson. It is set before the first use and never changed again. */
static json_malloc_t allocate;

static void *remember(size_t size) {
    void *memory = allocate(size);
    if (!memory) failed = true;
    return memory;
}

void trib_json_begin(void) {
    failed = false;
    not_finite = NULL;
}

void trib_json_open(void) {
    allocate = trib_raw_malloc;
    json_set_alloc_funcs(remember, trib_raw_free);
    trib_json_begin();
}

/* Keeps the allocator that is in use: jansson may later free values that the calling program made
 * before, and the calling program values made here. */
static void wrap_allocator(void) {
    json_free_t release = NULL;
    if (allocate) return;
    json_get_alloc_funcs(&allocate, &release);
    json_set_alloc_funcs(remember, release);
}

void trib_json_share(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, wrap_allocator);
    trib_json_begin();
}

bool trib_json_failed(void) {
    const bool has_failed = failed;
    failed = false;
    return has_failed;
}

trib_status trib_json_load(json_t **value, const char *path, trib_error *error) {
    TRIB_OWNED(trib_buffer) text = {0};
    *value = NULL;
    if (!trib_disk_has(path)) return TRIB_OK;
    const trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK && text.length > 0) *value = json_loadb(text.text, text.length, 0, NULL);
    return trib_json_failed() ? trib_fail(error, TRIB_MEMORY, "%s: out of memory", path) : status;
}

json_t *trib_json_real(const char *what, double value) {
    if (isfinite(value)) return json_real(value);
    not_finite = what;
    return json_null();
}

trib_status trib_json_check(const char *name, trib_error *error) {
    const char *what = not_finite;
    not_finite = NULL;
    if (trib_json_failed()) return trib_fail(error, TRIB_MEMORY, "out of memory: %s", name);
    if (!what) return TRIB_OK;
    return trib_fail(error, TRIB_INTERNAL, "%s: the number '%s' is not finite", name, what);
}

json_t *trib_json_text(const char *text) {
    TRIB_OWNED(trib_buffer) shown = {0};
    trib_status status = TRIB_OK;
    json_t *string = text ? json_string(text) : json_null();
    if (string) return string;
    for (; *text && status == TRIB_OK; text++)
        status = (unsigned char)*text < 0x80
                     ? trib_buffer_add(&shown, text, 1, NULL)
                     : trib_buffer_print(&shown, NULL, "\\x%02X", (unsigned)(unsigned char)*text);
    if (status != TRIB_OK) failed = true;
    else string = json_string(shown.text ? shown.text : "");
    return string;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_string(trib_writer *writer, const char *text, size_t length) {
    const char *clean = text, *end = text + length; /* start of characters that need no escape */
    trib_write_text(writer, "\"");
    for (; text < end; text++) {
        static const char plain[] = "\"\\\b\f\n\r\t", escaped[] = "\"\\bfnrt";
        const char *found = *text ? strchr(plain, *text) : NULL;
        if (!found && (unsigned char)*text >= 0x20) continue;
        trib_write(writer, clean, (size_t)(text - clean));
        clean = text + 1;
        if (found) trib_print(writer, "\\%c", escaped[found - plain]);
        else trib_print(writer, "\\u%04X", (unsigned)(unsigned char)*text);
    }
    trib_write(writer, clean, (size_t)(end - clean));
    trib_write_text(writer, "\"");
}

void trib_write_json(trib_writer *writer, const char *text) {
    write_string(writer, text, strlen(text));
}

/* Writes a number with a decimal point or an exponent, so that it is read back as a real. */
static void write_real(trib_writer *writer, double value) {
    char text[TRIB_NUMBER_MAX];
    trib_write_text(writer, trib_number(text, value));
    if (!strpbrk(text, ".e")) trib_write_text(writer, ".0");
}

static void write_integer(trib_writer *writer, json_int_t value) {
    const json_int_t exact = (json_int_t)1
                             << 53; /* within the exact range of double; formatted without printf */
    if (value > -exact && value < exact) trib_write_number(writer, (double)value);
    else trib_print(writer, "%" JSON_INTEGER_FORMAT, value);
}

/* The state of writing a value. Values at a depth below `lines` share one line. */
typedef struct output {
    trib_writer *writer;
    size_t lines;
    const char *comma, *colon; /* separators on a shared line, with or without a space */
} output;

static void break_line(const output *out, size_t depth) {
    if (depth > out->lines) return;
    trib_write_text(out->writer, "\n");
    for (; depth > 0; depth--) trib_write_text(out->writer, " ");
}

static void write_value(const output *out, const json_t *value, size_t depth);

/* Whether a list is written on one line: a list of numbers or words in an object of a list, such as
 * a curve. */
static bool is_one_line(const output *out, const json_t *array, size_t depth) {
    enum { LISTS = 4 };
    if (depth < LISTS || depth >= out->lines) return depth >= out->lines;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (json_is_object(item) || json_is_array(item)) return false;
    }
    return true;
}

static void write_array(const output *out, const json_t *array, size_t depth) {
    const size_t n = json_array_size(array);
    const bool one_line = is_one_line(out, array, depth);
    trib_write_text(out->writer, "[");
    for (size_t i = 0; i < n; i++) {
        if (i > 0) trib_write_text(out->writer, one_line ? out->comma : ",");
        if (!one_line) break_line(out, depth + 1);
        write_value(out, json_array_get(array, i), depth + 1);
    }
    if (n > 0 && !one_line) break_line(out, depth);
    trib_write_text(out->writer, "]");
}

static void write_object(const output *out, const json_t *object, size_t depth) {
    json_t *mutable = (json_t *)(uintptr_t)object; /* the iteration does not modify it */
    size_t n = 0;
    trib_write_text(out->writer, "{");
    for (void *at = json_object_iter(mutable); at; at = json_object_iter_next(mutable, at)) {
        const char *key = json_object_iter_key(at);
        if (n++ > 0) trib_write_text(out->writer, depth < out->lines ? "," : out->comma);
        break_line(out, depth + 1);
        write_string(out->writer, key, strlen(key));
        trib_write_text(out->writer, out->colon);
        write_value(out, json_object_iter_value(at), depth + 1);
    }
    if (n > 0 && depth < out->lines) break_line(out, depth);
    trib_write_text(out->writer, "}");
}

static void write_value(const output *out, const json_t *value, size_t depth) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        write_object(out, value, depth);
        break;
    case JSON_ARRAY:
        write_array(out, value, depth);
        break;
    case JSON_STRING:
        write_string(out->writer, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        write_integer(out->writer, json_integer_value(value));
        break;
    case JSON_REAL:
        write_real(out->writer, json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        trib_write_text(out->writer, json_is_true(value) ? "true" : "false");
        break;
    case JSON_NULL:
        trib_write_text(out->writer, "null");
    }
}

/* Whether the value could be allocated, for the file that is written. */
static trib_status check_value(const json_t *value, const trib_writer *writer, trib_error *error) {
    const char *name = strcmp(writer->path, "-") == 0 ? "standard output" : writer->path;
    const trib_status status = trib_json_check(name, error);
    return status == TRIB_OK && !value ? trib_fail(error, TRIB_MEMORY, "out of memory: %s", name)
                                       : status;
}

trib_status trib_json_dump_lines(const json_t *value, size_t lines, trib_writer *writer,
                                 trib_error *error) {
    const bool is_tight = lines < TRIB_JSON_LINES;
    const output out = {writer, lines, is_tight ? "," : ", ", is_tight ? ":" : ": "};
    const trib_status status = check_value(value, writer, error);
    if (status != TRIB_OK) return status;
    write_value(&out, value, 0);
    trib_write_text(writer, "\n");
    return TRIB_OK;
}

trib_status trib_json_write(json_t *value, trib_writer *writer, trib_error *error) {
    const trib_status status = trib_json_dump_lines(value, TRIB_JSON_LINES, writer, error);
    json_decref(value);
    return status;
}

trib_status trib_json_print(trib_writer *writer, trib_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    json_t *document = json_pack("{s:i}", "schema", 1),
           *members = json_vpack_ex(NULL, 0, format, arguments);
    va_end(arguments);
    if (!members || json_object_update(document, members) != 0) {
        json_decref(document);
        document = NULL;
    }
    json_decref(members);
    return trib_json_write(document, writer, error);
}

void trib_json_set_count(json_t *object, const char *key, uint64_t count) {
    json_object_set_new(object, key, json_integer((json_int_t)count));
}

void trib_json_set_text(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, text ? json_string(text) : json_null());
}

const char *trib_json_get_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}
