/* markup.c - the text of a file with markup: its lines and notes, its end. */
#include "pipeline/text/markup.h"

#include <string.h>

bool trib_is_among(const char *words, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = words; n > 0 && (at = strstr(at, word)); at++)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

trib_status trib_text_ranges_add(trib_text_ranges *kept, size_t from, size_t to,
                                 trib_error *error) {
    const trib_status status =
        TRIB_GROW(&kept->range, &kept->cap, kept->n + 1, "what is kept of a text", error);
    if (status == TRIB_OK) kept->range[kept->n++] = (trib_range){from, to};
    return status;
}

void trib_text_ranges_release(trib_text_ranges *kept) {
    trib_free(kept->range);
    *kept = (trib_text_ranges){0};
}

trib_status trib_text_end(trib_buffer *text, trib_text_flow flow, trib_error *error) {
    size_t n = 0;
    if (flow == TRIB_FLOW_NONE || text->length == 0) return TRIB_OK;
    while (n < text->length && n < 2 && text->text[text->length - 1 - n] == '\n') n++;
    const size_t wanted = flow == TRIB_FLOW_PARAGRAPH ? 2 : 1;
    return n < wanted ? trib_buffer_add(text, "\n\n", wanted - n, error) : TRIB_OK;
}

trib_status trib_text_space(trib_buffer *text, size_t from, trib_error *error) {
    return text->length == from || strchr(" \n", text->text[text->length - 1])
               ? TRIB_OK
               : trib_buffer_add(text, " ", 1, error);
}

trib_status trib_markup_end_note(trib_markup_text *to, size_t *from, trib_error *error) {
    trib_buffer *apart = &to->apart;
    size_t length = apart->length;
    while (length > *from && strchr(" \n", apart->text[length - 1])) length--;
    trib_status status = TRIB_OK;
    if (length > *from) status = trib_text_ranges_add(&to->parts, *from, length, error);
    if (status == TRIB_OK) status = trib_text_end(apart, TRIB_FLOW_PARAGRAPH, error);
    *from = apart->length;
    return status;
}

trib_status trib_markup_finish(trib_markup_text *to, trib_error *error) {
    trib_text_ranges parts = {0};
    const size_t body = to->text.length;
    trib_status status = TRIB_OK;
    if (to->parts.n == 0) return TRIB_OK;
    if (body > 0) status = trib_text_ranges_add(&parts, 0, body, error);
    if (status == TRIB_OK && body > 0) status = trib_buffer_add(&to->text, "\n", 1, error);
    const size_t from = to->text.length;
    if (status == TRIB_OK) /* the last reference of the text does not hold for the notes */
        status = trib_references_add(&to->references, from, from, "", 0, error);
    for (size_t p = 0; p < to->parts.n && status == TRIB_OK; p++)
        status = trib_text_ranges_add(&parts, from + to->parts.range[p].from,
                                      from + to->parts.range[p].to, error);
    if (status == TRIB_OK)
        status = trib_buffer_add(&to->text, to->apart.text, to->apart.length, error);
    trib_text_ranges_release(&to->parts);
    trib_buffer_release(&to->apart);
    to->parts = parts;
    return status;
}

void trib_markup_release(trib_markup_text *to) {
    trib_buffer_release(&to->text);
    trib_buffer_release(&to->apart);
    trib_text_ranges_release(&to->parts);
    trib_references_release(&to->references);
    trib_buffer_release(&to->divided);
    *to = (trib_markup_text){0};
}
