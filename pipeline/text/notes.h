/* notes.h - how the notes of a file with markup, and the marks of its editor or recogniser, are
 * read (corpus.notes, corpus.reading and others). */
#ifndef TRIBUTARY_TEXT_NOTES_H
#define TRIBUTARY_TEXT_NOTES_H

#include <stdbool.h>

/* Notes are left out; kept in place, as words of their own; or moved after the text, so that no
 * n-gram crosses the border of a note. */
typedef enum { TRIB_NOTES_DROP, TRIB_NOTES_KEEP, TRIB_NOTES_SEPARATE } trib_notes;

/* What is read of a <choice> of TEI: the form of the source, or the corrected, regularised or
 * expanded one. */
typedef enum { TRIB_FORM_SOURCE, TRIB_FORM_REGULARISED } trib_form;

/* Options for editions and recognised pages. `{0}` reads the source and its lemmas, with all
 * words. */
typedef struct trib_edition {
    trib_form reading;
    char *witness; /* the witness of an apparatus that is read; NULL or "": the lemma. Borrowed */
    bool drops_speakers, drops_stage; /* <speaker> and <stage> of TEI */
    /* 0 to 1: words of ALTO, PAGE and hOCR whose recogniser was less sure are left out; words
     * without a confidence are read */
    double min_confidence;
    const char *rules; /* a table of markup, which comes before all others, or NULL. Borrowed */
} trib_edition;

#endif
