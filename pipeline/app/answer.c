/* answer.c - bodies of requests and of answers. */
#include "pipeline/app/exchange.h"

trib_status trib_app_refuse(trib_exchange *x, unsigned status, trib_error *error,
                            const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    x->status = status;
    return trib_fail(error, TRIB_USAGE, "%s", text);
}

trib_status trib_app_json_read(trib_exchange *x, trib_error *error) {
    json_error_t where;
    const bool has = x->body.length > 0;
    x->json = json_loadb(has ? x->body.text : "{}", has ? x->body.length : 2,
                         JSON_REJECT_DUPLICATES, &where);
    if (trib_json_failed()) return trib_fail(error, TRIB_MEMORY, "out of memory");
    if (json_is_object(x->json)) return TRIB_OK;
    return trib_app_refuse(x, 400, error, "the request is no object of JSON: %s",
                           x->json ? "it is something else" : where.text);
}

static int add_bytes(const char *bytes, size_t n, void *to) {
    return trib_buffer_add(to, bytes, n, NULL) == TRIB_OK ? 0 : -1;
}

trib_status trib_app_answer(trib_exchange *x, trib_error *error, const char *format, ...) {
    json_error_t wrong;
    va_list arguments;
    va_start(arguments, format);
    json_t *value = json_vpack_ex(&wrong, 0, format, arguments);
    va_end(arguments);
    x->type = "application/json; charset=utf-8";
    trib_status status = trib_json_check("the answer", error);
    if (status == TRIB_OK &&
        json_dump_callback(value, add_bytes, &x->answer, JSON_COMPACT | JSON_ENCODE_ANY) != 0)
        status = trib_fail(error, TRIB_INTERNAL, "an answer cannot be written: %s", wrong.text);
    json_decref(value);
    return status;
}
