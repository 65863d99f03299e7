/* text_target.c - writes text and notes. */
#include "pipeline/text/text_target.h"

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
    return trib_text_space(text, from, error);
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
    target->n_notes--;
    if (notes == TRIB_NOTES_DROP) return TRIB_OK;
    if (notes == TRIB_NOTES_KEEP || target->n_notes > 0)
        return trib_text_target_space(target, error);
    return trib_markup_end_note(target->to, &target->from, error);
}
