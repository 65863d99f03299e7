/* notes.h - what becomes of the notes of a marked-up text (corpus.notes). */
#ifndef TRIBUTARY_INPUT_NOTES_H
#define TRIBUTARY_INPUT_NOTES_H

/* Left out; read where they stand, as words of their own; or read behind the text, no n-gram
 * reaching into one. */
typedef enum { TRIB_NOTES_DROP, TRIB_NOTES_KEEP, TRIB_NOTES_SEPARATE } trib_notes;

#endif
