/* buffer.c - text that grows. */
#include "base/base.h"

/* Reserves space for `more` bytes and a final NUL. */
static trib_status reserve(trib_buffer *buffer, size_t more, trib_error *error) {
    size_t need = 0;
    if (buffer->failure != TRIB_OK) return buffer->failure;
    if (!trib_add(buffer->length, more, &need) || !trib_add(need, 1, &need))
        buffer->failure = trib_fail(
            error, TRIB_MEMORY, "out of memory: a text of %zu and %zu bytes", buffer->length, more);
    else buffer->failure = trib_grow(&buffer->text, &buffer->cap, need, 1, "text", error);
    return buffer->failure;
}

trib_status trib_buffer_add(trib_buffer *buffer, const char *bytes, size_t length,
                            trib_error *error) {
    trib_status status = reserve(buffer, length, error);
    if (status != TRIB_OK) return status;
    if (length > 0) memcpy(buffer->text + buffer->length, bytes, length);
    buffer->length += length;
    buffer->text[buffer->length] = '\0';
    return TRIB_OK;
}

trib_status trib_buffer_vprint(trib_buffer *buffer, trib_error *error, const char *format,
                               va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int needed = vsnprintf(NULL, 0, format, arguments);
    trib_status status = needed >= 0 ? reserve(buffer, (size_t)needed, error)
                                     : trib_fail(error, TRIB_INTERNAL, "text cannot be formatted");
    if (status == TRIB_OK) {
        vsnprintf(buffer->text + buffer->length, (size_t)needed + 1, format, again);
        buffer->length += (size_t)needed;
    }
    va_end(again);
    return status;
}

trib_status trib_buffer_print(trib_buffer *buffer, trib_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const trib_status status = trib_buffer_vprint(buffer, error, format, arguments);
    va_end(arguments);
    return status;
}

void trib_buffer_clear(trib_buffer *buffer) {
    buffer->length = 0;
    if (buffer->text) buffer->text[0] = '\0';
}

void trib_buffer_release(trib_buffer *buffer) {
    trib_free(buffer->text);
    *buffer = (trib_buffer){0};
}
