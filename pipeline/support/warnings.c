/* warnings.c - collects the warnings about a result, and reports errors that differ only in names
 * and numbers once: of a thousand missing files, the first is named and the others are counted. */
#include "pipeline/support/warnings.h"

#include <ctype.h>

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

/* ---- Repeated errors ------------------------------------------------------------------------- */

/* The length of `name` when it occurs as a whole word at `at`, otherwise 0. `at` is within
 * `sentence`. */
static size_t word_at(const char *sentence, const char *at, const char *name) {
    const size_t n = name ? strlen(name) : 0;
    if (n == 0 || strncmp(at, name, n) != 0) return 0;
    const bool begins = at == sentence || !isalnum((unsigned char)at[-1]);
    return begins && !isalnum((unsigned char)at[n]) ? n : 0;
}

uint64_t trib_repeated_errors_kind(const char *sentence, const trib_repeated_errors_about *about) {
    uint64_t kind = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    for (const char *at = sentence; *at;) {
        size_t n = word_at(sentence, at, about->path);
        if (n == 0) n = word_at(sentence, at, about->id);
        if (n == 0) n = strspn(at, "0123456789");
        kind = (kind ^ (n > 0 ? 0 : (unsigned char)*at)) * UINT64_C(0x100000001B3);
        at += n > 0 ? n : 1;
    }
    return kind;
}

trib_status trib_repeated_errors_add(trib_repeated_errors *alike, const char *sentence,
                                     const trib_repeated_errors_about *about, trib_error *error) {
    const uint64_t kind = trib_repeated_errors_kind(sentence, about);
    size_t g = 0;
    while (g < alike->n_groups && alike->group[g].kind != kind) g++;
    if (g == alike->n_groups) {
        const trib_status status = TRIB_GROW(&alike->group, &alike->cap, g + 1, "errors", error);
        if (status != TRIB_OK) return status;
        alike->group[alike->n_groups++] = (trib_repeated_errors_group){.kind = kind};
    }
    trib_repeated_errors_group *group = &alike->group[g];
    if (group->n >= TRIB_ALIKE_SAID) {
        group->n++;
        return TRIB_OK;
    }
    const trib_status status = trib_copy(&group->said[group->n], sentence, error);
    group->n += status == TRIB_OK;
    return status;
}

void trib_repeated_errors_say(const trib_repeated_errors *alike,
                              void (*say)(void *context, const char *sentence), void *context) {
    char more[128];
    for (size_t g = 0; g < alike->n_groups; g++) {
        const trib_repeated_errors_group *group = &alike->group[g];
        const bool is_large = group->n > TRIB_ALIKE_SAID;
        for (size_t i = 0; i < (is_large ? 1 : group->n); i++) say(context, group->said[i]);
        if (!is_large) continue;
        snprintf(
            more, sizeof more,
            "and %zu more documents with the same error; `tributary check --json` names them all",
            group->n - 1);
        say(context, more);
    }
}

void trib_repeated_errors_release(trib_repeated_errors *alike) {
    for (size_t g = 0; g < alike->n_groups; g++)
        for (size_t i = 0; i < TRIB_ALIKE_SAID; i++) trib_free(alike->group[g].said[i]);
    trib_free(alike->group);
    *alike = (trib_repeated_errors){0};
}
