/* text_target.h - where a decoder writes the text that it meets: the text of the file, or that of a
 * note, which is read as trib_markup_text.notes says. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_TEXT_TARGET_H
#define TRIBUTARY_TEXT_TEXT_TARGET_H

#include "pipeline/text/markup.h"

/* `{.to = ...}` is the start of a file. */
typedef struct trib_text_target {
    trib_markup_text *to;
    size_t n_notes; /* notes around the current place */
    size_t from;    /* start of the current note in to->apart */
} trib_text_target;

/* Whether text at the current place is not read, since it is in a note and notes are dropped. Then
 * nothing must be added. */
bool trib_text_target_is_silent(const trib_text_target *target);
trib_status trib_text_target_add(trib_text_target *target, const char *text, size_t length,
                                 trib_error *error);
/* Adds a space, unless there is white space or nothing before it. */
trib_status trib_text_target_space(trib_text_target *target, trib_error *error);
/* Ends a line or paragraph; in a note that is read in its place, only a word. */
trib_status trib_text_target_end(trib_text_target *target, trib_text_flow flow, trib_error *error);
/* Begin and end of a note; a note in a note is part of it. */
trib_status trib_text_target_begin_note(trib_text_target *target, trib_error *error);
trib_status trib_text_target_end_note(trib_text_target *target, trib_error *error);

#endif
