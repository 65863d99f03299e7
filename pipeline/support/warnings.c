/* warnings.c - collects the warnings about a result. */
#include "pipeline/support/warnings.h"

#include <stdarg.h>
#include <stdio.h>

trib_status trib_warnings_add(trib_warnings *warnings, trib_error *error, const char *format, ...) {
    trib_error text = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text.message, sizeof text.message, format, arguments);
    va_end(arguments);
    trib_status status =
        TRIB_GROW(&warnings->text, &warnings->cap, warnings->n + 1, "warnings", error);
    if (status == TRIB_OK) status = trib_copy(&warnings->text[warnings->n], text.message, error);
    if (status != TRIB_OK) return status;
    warnings->n++;
    trib_log_say(warnings->log, TRIB_LOG_WARNING, "%s", text.message);
    return TRIB_OK;
}

void trib_warnings_release(trib_warnings *warnings) {
    for (size_t w = 0; w < warnings->n; w++) trib_free(warnings->text[w]);
    trib_free(warnings->text);
    *warnings = (trib_warnings){.log = warnings->log};
}
