/* json_span.c - finds the parts of a JSON text by its brackets and strings. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif
#include "pipeline/support/json_span.h"

#include <string.h>
#include <sys/mman.h>

#include "pipeline/support/json.h"

static const char *skip_space(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
    return at;
}

/* Returns the end of the string that begins here; NULL when it has none. */
static const char *skip_string(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\') at++;
    return at < end ? at + 1 : NULL;
}

/* Returns the end of the value that begins here; NULL when it has none. */
static const char *skip_value(const char *at, const char *end) {
    size_t depth = 0;
    while (at && at < end) {
        switch (*at) {
        case '"':
            at = skip_string(at, end);
            if (depth == 0) return at;
            break;
        case '{':
        case '[':
            depth++;
            at++;
            break;
        case '}':
        case ']':
            if (depth == 0) return at;
            at++;
            if (--depth == 0) return at;
            break;
        case ',':
            if (depth == 0) return at;
            at++;
            break;
        default:
            at++;
        }
    }
    return NULL;
}

trib_json_items trib_json_items_of(trib_json_span value) {
    trib_json_items items = {.rest = value};
    items.rest.at = value.at ? skip_space(value.at, value.end) : NULL;
    const bool has_items = items.rest.at && items.rest.at < items.rest.end &&
                           (*items.rest.at == '{' || *items.rest.at == '[');
    items.is_object = has_items && *items.rest.at == '{';
    if (has_items) items.rest.at++;
    else items.rest.at = NULL;
    return items;
}

static bool fail(trib_json_items *items) {
    items->is_wrong = true;
    items->rest.at = NULL;
    return false;
}

bool trib_json_items_next_key(trib_json_items *items, trib_json_span *key) {
    const char *const end = items->rest.end;
    if (!items->rest.at) return false;
    const char *at = skip_space(items->rest.at, end);
    *key = (trib_json_span){at, at};
    if (at < end && *at == (items->is_object ? '}' : ']')) {
        items->rest.at = NULL;
        items->after = at + 1;
        return false;
    }
    if (items->is_object) {
        if (at == end || *at != '"' || !(at = skip_string(at, end))) return fail(items);
        key->end = at;
        at = skip_space(at, end);
        if (at == end || *at != ':') return fail(items);
        at = skip_space(at + 1, end);
    }
    items->rest.at = at;
    return true;
}

/* Goes on after a value. */
static bool go_on(trib_json_items *items, const char *at) {
    const char *const end = items->rest.end;
    at = skip_space(at, end);
    if (at == end || (*at != ',' && *at != (items->is_object ? '}' : ']'))) return fail(items);
    items->rest.at = *at == ',' ? at + 1 : at;
    return true;
}

bool trib_json_items_value(trib_json_items *items, trib_json_span *value) {
    value->at = items->rest.at;
    const char *const at = skip_value(value->at, items->rest.end);
    if (!at || at == value->at) return fail(items);
    value->end = at;
    while (value->end[-1] == ' ' || value->end[-1] == '\n' || value->end[-1] == '\r' ||
           value->end[-1] == '\t')
        value->end--;
    return go_on(items, at);
}

bool trib_json_items_leave(trib_json_items *items, const trib_json_items *inner) {
    return inner->after ? go_on(items, inner->after) : fail(items);
}

bool trib_json_items_next(trib_json_items *items, trib_json_span *key, trib_json_span *value) {
    return trib_json_items_next_key(items, key) && trib_json_items_value(items, value);
}

bool trib_json_span_is(trib_json_span text, const char *characters) {
    const size_t length = strlen(characters);
    return text.at && (size_t)(text.end - text.at) == length &&
           memcmp(text.at, characters, length) == 0;
}

trib_json_span trib_json_span_member(trib_json_span object, const char *key) {
    const size_t length = strlen(key);
    trib_json_items items = trib_json_items_of(object);
    trib_json_span name, value;
    while (items.is_object && trib_json_items_next(&items, &name, &value))
        if ((size_t)(name.end - name.at) == length + 2 && memcmp(name.at + 1, key, length) == 0)
            return value;
    return (trib_json_span){0};
}

trib_status trib_json_span_parse(json_t **value, trib_json_span text, const char *name,
                                 trib_error *error) {
    json_error_t wrong;
    *value = text.at < text.end
                 ? json_loadb(text.at, (size_t)(text.end - text.at), JSON_DECODE_ANY, &wrong)
                 : NULL;
    if (trib_json_failed()) {
        json_decref(*value);
        *value = NULL;
        return trib_fail(error, TRIB_MEMORY, "%s: out of memory", name);
    }
    return *value ? TRIB_OK : trib_fail(error, TRIB_INPUT, "%s: not the JSON of a run", name);
}

void trib_json_texts_rest(const trib_json_texts *texts) {
    if (texts->map) (void)madvise(texts->map, texts->n_mapped, MADV_DONTNEED);
}

void trib_json_texts_rest_after(const trib_json_texts *texts, size_t t) {
    enum { READ = 32 };
    if (t % READ == READ - 1) trib_json_texts_rest(texts);
}
