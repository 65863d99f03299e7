/* text_target.c - writes text and notes. */
#include "pipeline/decoders/text_target.h"

#include <string.h>

static trib_buffer *buffer_of(trib_text_target *target) {
    trib_markup_text *to = target->to;
    return target->n_notes > 0 && to->notes == TRIB_NOTES_SEPARATE ? &to->apart : &to->text;
}

bool trib_text_target_is_silent(const trib_text_target *target) {
    return target->n_notes > 0 && target->to->notes == TRIB_NOTES_DROP;
}

trib_status trib_text_target_add(trib_text_target *target, const char *text, size_t length,
                                 trib_error *error) {
    return trib_buffer_add(buffer_of(target), text, length, error);
}

trib_status trib_text_target_space(trib_text_target *target, trib_error *error) {
    trib_buffer *text = buffer_of(target);
    const size_t from = text == &target->to->apart ? target->from : 0;
    const bool is_set_apart =
        text->length == from || strchr(" \n", text->text[text->length - 1]) != NULL;
    return is_set_apart ? TRIB_OK : trib_buffer_add(text, " ", 1, error);
}

trib_status trib_text_target_end(trib_text_target *target, trib_text_flow flow, trib_error *error) {
    trib_buffer *text = buffer_of(target);
    if (flow == TRIB_FLOW_NONE) return TRIB_OK;
    if (target->n_notes > 0 && target->to->notes == TRIB_NOTES_KEEP)
        return trib_text_target_space(target, error);
    if (text == &target->to->apart && text->length == target->from) return TRIB_OK;
    return trib_text_end(text, flow, error);
}

trib_status trib_text_target_begin_note(trib_text_target *target, trib_error *error) {
    const trib_notes notes = target->to->notes;
    trib_status status = TRIB_OK;
    if (target->n_notes == 0 && notes == TRIB_NOTES_SEPARATE)
        target->from = target->to->apart.length;
    else if (notes != TRIB_NOTES_DROP) status = trib_text_target_space(target, error);
    target->n_notes++;
    return status;
}

trib_status trib_text_target_end_note(trib_text_target *target, trib_error *error) {
    const trib_notes notes = target->to->notes;
    trib_buffer *apart = &target->to->apart;
    target->n_notes--;
    if (notes == TRIB_NOTES_DROP) return TRIB_OK;
    if (notes == TRIB_NOTES_KEEP || target->n_notes > 0)
        return trib_text_target_space(target, error);
    size_t length = apart->length;
    while (length > target->from && strchr(" \n", apart->text[length - 1])) length--;
    trib_status status = TRIB_OK;
    if (length > target->from)
        status = trib_text_ranges_add(&target->to->parts, target->from, length, error);
    if (status == TRIB_OK) status = trib_text_end(apart, TRIB_FLOW_PARAGRAPH, error);
    target->from = apart->length;
    return status;
}
