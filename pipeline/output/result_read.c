/* result_read.c - reads influence.json of a finished run. */
#include <stdio.h>
#include <unistd.h>

#include "pipeline/output/result.h"

trib_status trib_result_parse(json_t **result, const char *name, const char *text, size_t length,
                              trib_error *error) {
    json_error_t wrong;
    *result = json_loadb(length > 0 ? text : "", length, 0, &wrong);
    if (trib_json_failed() || (!*result && json_error_code(&wrong) == json_error_out_of_memory)) {
        /* jansson reports a string that it could not allocate as a syntax error */
        json_decref(*result);
        *result = NULL;
        return trib_fail(error, TRIB_MEMORY, "%s: out of memory", name);
    }
    if (!*result)
        return trib_fail(error, TRIB_INPUT, "%s:%d:%d: not the JSON of a run: %s", name, wrong.line,
                         wrong.column, wrong.text);
    if (json_integer_value(json_object_get(*result, "schema")) == 1) return TRIB_OK;
    json_decref(*result);
    *result = NULL;
    return trib_fail(error, TRIB_INPUT, "%s: not of schema 1, which this version reads", name);
}

trib_status trib_result_load(json_t **result, const char *run_directory, trib_error *error) {
    char path[TRIB_PATH_MAX];
    trib_buffer text = {0};
    *result = NULL;
    if (snprintf(path, sizeof path, "%s/influence.json", run_directory) >= (int)sizeof path)
        return trib_fail(error, TRIB_USAGE, "%s: path too long", run_directory);
    if (access(path, F_OK) != 0)
        return trib_fail(error, TRIB_USAGE, "%s: no finished run here (no influence.json)",
                         run_directory);
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK) status = trib_result_parse(result, path, text.text, text.length, error);
    trib_buffer_release(&text);
    return status;
}
