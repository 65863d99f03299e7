/* summary_page.c - writes lines of the terminal page and reads values from a result. */
#include "pipeline/output/summary_page.h"
#include "pipeline/output/summary.h"

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

bool trib_summary_wants(const trib_summary_options *options, const char *target) {
    return !options->target || strcmp(options->target, target) == 0;
}

const char *trib_summary_clean(trib_summary_page *p, const char *text) {
    char out[TEXT_MAX];
    return trib_arena_copy(&p->arena, out, trib_clean(out, sizeof out, text, strlen(text), false));
}

const char *trib_summary_title(trib_summary_page *p, const char *id) {
    return trib_summary_clean(p, trib_result_title(p->result, id));
}

const char *trib_summary_row_title(trib_summary_page *p, const trib_shown_row *row) {
    return trib_summary_clean(p, row->title);
}

const char *trib_summary_reference(trib_summary_page *p, const trib_place_record *place) {
    return trib_summary_clean(p, place->reference ? place->reference : "");
}

const char *trib_summary_pad(trib_summary_page *p, const char *text, size_t columns) {
    char *const out = trib_arena_new(&p->arena, 4 * columns + strlen(text) + 1, 1);
    return out ? trib_pad(out, 4 * columns + strlen(text) + 1, text, columns, false) : "";
}

const trib_target_record *trib_summary_whole(const trib_result *result,
                                             const trib_summary_options *options, size_t t,
                                             trib_arena *arena) {
    const trib_target_record *const target = trib_target_read(result, t, arena);
    for (size_t e = 0; options->all_phrases && e < target->evidence.n; e++)
        trib_phrases_put(options->all_phrases, target->target, &target->evidence.item[e],
                         result->documents.n, arena);
    return target;
}

void trib_summary_end(trib_summary_page *p) {
    if (p->status == TRIB_OK) p->status = trib_arena_check(&p->arena, p->error);
    trib_arena_release(&p->arena);
}

const char *trib_summary_phrase(trib_summary_page *p, const trib_texts *words) {
    const char *phrase = "";
    for (size_t i = 0; i < words->n; i++) {
        const bool has_space = i > 0 && !trib_words_run_on(words->item[i - 1], words->item[i]);
        phrase = trib_arena_print(&p->arena, "%s%s%s", phrase, has_space ? " " : "",
                                  trib_summary_clean(p, words->item[i]));
    }
    return phrase;
}
