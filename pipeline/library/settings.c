/* settings.c - reads a configuration with settings "KEY=VALUE" of the caller. */
#include <string.h>

#include "pipeline/library/arrays_private.h"

/* What is wrong with a configuration: for the caller's function, and the errors for the message. */
typedef struct complaints {
    const trib_callbacks *callbacks; /* may be NULL */
    trib_buffer errors;
} complaints;

static void hear(void *context, bool is_error, const char *message) {
    complaints *c = context;
    const trib_callbacks *callbacks = c->callbacks;
    if (is_error && c->errors.length < TRIB_MESSAGE_MAX)
        (void)trib_buffer_print(&c->errors, NULL, "\n%s", message);
    if (callbacks && callbacks->message)
        callbacks->message(callbacks->context, is_error ? "error" : "warning", message);
}

/* Settings of the form "KEY=VALUE". `{0}` is empty. */
typedef struct setting_list {
    trib_setting *item; /* [n] */
    char **key;         /* [n] owned */
    size_t n;
} setting_list;

static void release_settings(setting_list *s) {
    for (size_t i = 0; s->key && i < s->n; i++) trib_free(s->key[i]);
    TRIB_FREE(s->key, s->item);
}

static trib_status split_settings(setting_list *s, const char *const text[], trib_error *error) {
    *s = (setting_list){0};
    while (text && text[s->n]) s->n++;
    trib_status status = TRIB_NEW(&s->item, s->n, "settings", error);
    if (status == TRIB_OK) status = TRIB_NEW(&s->key, s->n, "settings", error);
    for (size_t i = 0; i < s->n && status == TRIB_OK; i++) {
        const char *equals = strchr(text[i], '=');
        if (!equals) return trib_fail(error, TRIB_USAGE, "setting '%s': is not KEY=VALUE", text[i]);
        status = trib_copy_text(&s->key[i], text[i], (size_t)(equals - text[i]), error);
        s->item[i] = (trib_setting){s->key[i], equals + 1, text[i]};
    }
    return status;
}

static trib_status read_config(trib_config *config, const char *name, const char *yaml,
                               const setting_list *s, const trib_callbacks *callbacks,
                               trib_error *error) {
    complaints c = {.callbacks = callbacks};
    const trib_status status =
        yaml ? trib_config_parse(config, name, yaml, s->item, s->n, hear, &c, error)
             : trib_config_load(config, name, s->item, s->n, hear, &c, error);
    if (status == TRIB_CONFIG && error && c.errors.length > 0)
        (void)trib_fail(error, status, "%s%s", error->message, c.errors.text);
    trib_buffer_release(&c.errors);
    return status;
}

trib_status trib_settings_read(trib_config *config, const char *name, const char *yaml,
                               const char *const settings[], const trib_callbacks *callbacks,
                               trib_error *error) {
    setting_list s;
    trib_status status = split_settings(&s, settings, error);
    if (status == TRIB_OK) status = read_config(config, name, yaml, &s, callbacks, error);
    release_settings(&s);
    return status;
}
