/* page.c - writes lines of the terminal page and reads values from a result. */
#include "pipeline/summary/page.h"
#include "pipeline/output/stored_result.h"

#include <stdio.h>
#include <string.h>

#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

enum { TEXT_MAX = TRIB_SUMMARY_TEXT };

void trib_summary_put(trib_summary_page *p, const char *format, ...) {
    char text[4 * TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    if (p->status == TRIB_OK) p->status = trib_buffer_add(p->text, text, length, p->error);
}

void trib_summary_wrap(trib_summary_page *p, size_t indent, const char *style, const char *format,
                       ...) {
    char text[4 * TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    trib_summary_put(p, "%s%*s", style, (int)indent, "");
    if (p->status == TRIB_OK)
        p->status = trib_wrap(p->text, text, indent, p->layout.width, p->error);
    if (!*style || p->status != TRIB_OK) return;
    /* remove the newline, so that the style ends before it */
    p->text->text[--p->text->length] = '\0';
    trib_summary_put(p, "\033[0m\n");
}

const char *trib_summary_bold(const trib_summary_page *p) {
    return p->options->colors ? "\033[1m" : "";
}

const char *trib_summary_dim(const trib_summary_page *p) {
    return p->options->colors ? "\033[2m" : "";
}

const char *trib_summary_plain(const trib_summary_page *p) {
    return p->options->colors ? "\033[0m" : "";
}

double trib_summary_number(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

bool trib_summary_wants(const trib_summary_options *options, const json_t *target) {
    return !options->target || strcmp(options->target, trib_json_get_text(target, "target")) == 0;
}

const char *trib_summary_title(const trib_summary_page *p, const char *id, char out[TEXT_MAX]) {
    const char *title = trib_json_index_title(&p->documents, id);
    trib_clean(out, TEXT_MAX, title, strlen(title), false);
    return out;
}

const char *trib_summary_row_title(const trib_summary_page *p, const json_t *row,
                                   char out[TEXT_MAX]) {
    const char *title = trib_json_get_text(row, "title");
    if (!*title) return trib_summary_title(p, trib_json_get_text(row, "source"), out);
    trib_clean(out, TEXT_MAX, title, strlen(title), false);
    return out;
}

json_t *trib_summary_whole(trib_summary_page *p, size_t t) {
    json_t *target = NULL;
    if (p->status == TRIB_OK)
        p->status = trib_stored_target(p->options->stored, p->result, t, &target, p->error);
    return target;
}

json_t *trib_summary_lean(trib_summary_page *p, size_t t) {
    json_t *target = NULL;
    if (p->status == TRIB_OK)
        p->status = trib_stored_lean(p->options->stored, p->result, t, &target, p->error);
    return target;
}

const json_t *trib_summary_headline(const json_t *result, const json_t *target) {
    return json_object_get(json_object_get(target, "methods"),
                           trib_json_get_text(result, "headline"));
}

/* Returns the words of a phrase as text: "and the third day". */
const char *trib_summary_phrase(const json_t *phrase, char out[TEXT_MAX]) {
    size_t i, used = 0;
    json_t *word;
    char clean[TEXT_MAX];
    const char *before = NULL;
    out[0] = '\0';
    json_array_foreach(json_object_get(phrase, "words"), i, word) {
        const char *text = json_string_value(word) ? json_string_value(word) : "";
        trib_clean(clean, sizeof clean, text, strlen(text), false);
        if (used < TEXT_MAX)
            used += (size_t)snprintf(out + used, TEXT_MAX - used, "%s%s",
                                     before && !trib_words_run_on(before, text) ? " " : "", clean);
        before = text;
    }
    return out;
}

const json_t *trib_summary_evidence(const json_t *target, const char *source) {
    return trib_json_find(json_object_get(target, "evidence"), "source", source);
}
