/* json.c - jansson through our allocator. jansson answers a failed allocation with NULL, passes NULL on and in the end
 * leaves something out; so every failure is remembered here, and whoever builds JSON asks once, at the end. */
#include "pipeline/json.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool failed;

static void *remember(size_t size) {
    void *memory = trib_raw_malloc(size);
    if (!memory) atomic_store(&failed, true);
    return memory;
}

void trib_json_open(void) {
    json_set_alloc_funcs(remember, trib_raw_free);
    atomic_store(&failed, false);
}

bool trib_json_failed(void) { return atomic_exchange(&failed, false); }

json_t *trib_json_text(const char *text) {
    trib_buffer shown = {0};
    trib_status status = TRIB_OK;
    json_t *string = json_string(text);
    if (string) return string;
    for (; *text && status == TRIB_OK; text++)
        status = (unsigned char)*text < 0x80
                     ? trib_buffer_add(&shown, text, 1, NULL)
                     : trib_buffer_print(&shown, NULL, "\\x%02X", (unsigned)(unsigned char)*text);
    if (status != TRIB_OK) atomic_store(&failed, true);
    else string = json_string(shown.text ? shown.text : "");
    trib_buffer_release(&shown);
    return string;
}

trib_status trib_json_dump(const json_t *value, trib_writer *writer, trib_error *error) {
    char *text = value ? json_dumps(value, JSON_INDENT(1)) : NULL;
    const bool lacks_something = trib_json_failed();
    if (!text || lacks_something) {
        trib_raw_free(text);
        return trib_fail(error, TRIB_MEMORY, "out of memory: writing JSON");
    }
    trib_write_text(writer, text);
    trib_write_text(writer, "\n");
    trib_raw_free(text);
    return TRIB_OK;
}

trib_status trib_json_write(json_t *value, trib_writer *writer, trib_error *error) {
    const trib_status status = trib_json_dump(value, writer, error);
    json_decref(value);
    return status;
}
