/* notes.h - how the notes of a file with markup are read (corpus.notes). */
#ifndef TRIBUTARY_MARKUP_NOTES_H
#define TRIBUTARY_MARKUP_NOTES_H

/* Notes are left out; kept in place, as words of their own; or moved after the text, so that no
 * n-gram crosses the border of a note. */
typedef enum { TRIB_NOTES_DROP, TRIB_NOTES_KEEP, TRIB_NOTES_SEPARATE } trib_notes;

#endif
