/* loading.c - loads configurations from texts and collects the errors and warnings. */
#include "tests/pipeline/config/loading.h"
#include "base/internal.h"

static trib_buffer said; /* errors and warnings of the current load */
static size_t n_errors, n_warnings;

static void hear(void *context, bool is_error, const char *message) {
    char directory[4096];
    const int length = snprintf(directory, sizeof directory, "%s/", trib_scratch(""));
    (void)context;
    if (is_error) n_errors++;
    else n_warnings++;
    trib_memory_fail_from(0); /* reporting allocates nothing, but this function does */
    for (const char *at = message; *at; at++) {
        if (strncmp(at, directory, (size_t)length) == 0) at += length;
        trib_buffer_add(&said, at, 1, NULL);
    }
    trib_buffer_add(&said, "\n", 1, NULL);
}

void write_scratch(const char *name, const void *bytes, size_t length) {
    trib_write_bytes(trib_scratch(name), bytes, length);
}

static void load(loaded *result, bool is_for_run, const char *path, const trib_setting *setting,
                 size_t n_settings) {
    *result = (loaded){.status = TRIB_OK};
    n_errors = n_warnings = 0;
    result->status = is_for_run
                         ? trib_config_load_for_run(&result->config, path, setting, n_settings,
                                                    hear, NULL, &(trib_comm){0}, &result->error)
                         : trib_config_load(&result->config, path, setting, n_settings, hear, NULL,
                                            &result->error);
    trib_buffer_add(&said, "", 0, NULL);
    result->said = said.text;
    said = (trib_buffer){0};
    result->n_errors = n_errors;
    result->n_warnings = n_warnings;
    EXPECT((result->status == TRIB_CONFIG) == (n_errors > 0));
}

void load_file(loaded *result, const char *path, const trib_setting *setting, size_t n_settings) {
    load(result, false, path, setting, n_settings);
}

void load_text(loaded *result, const char *name, const char *text, const trib_setting *setting,
               size_t n_settings) {
    char path[4096];
    write_scratch(name, text, strlen(text));
    snprintf(path, sizeof path, "%s", trib_scratch(name));
    load_file(result, path, setting, n_settings);
}

void load_for_run(loaded *result, const char *name, const char *text, const trib_setting *setting,
                  size_t n_settings) {
    char path[4096];
    write_scratch(name, text, strlen(text));
    snprintf(path, sizeof path, "%s", trib_scratch(name));
    load(result, true, path, setting, n_settings);
}

void release_loaded(loaded *result) {
    trib_config_release(&result->config);
    trib_free(result->said);
    *result = (loaded){.status = TRIB_OK};
}

void expect_diagnostics(const char *text, const char *wanted) {
    loaded result;
    load_text(&result, "e.yaml", text, NULL, 0);
    EXPECT_TEXT(result.said, wanted);
    release_loaded(&result);
}

void expect_one_error(const loaded *result, const char *wanted) {
    char first[1024];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(result->said, "\n"), result->said);
    EXPECT_TEXT(first + (strlen(first) > 7 ? 7 : 0), wanted);
    EXPECT(result->n_errors == 1 && result->status == TRIB_CONFIG);
}
