/* tei_texts.h - the texts of a file of TEI that has several: the members of a <teiCorpus>, or of a
 * <group> (TEI P5, chapters 15 and 4.3.1), or several in one <TEI>, which the schema does not allow
 * but some files have. Private to pipeline.
 *
 * Each <text> without a <group> in it is a text of its own, in the order of the file. What stands
 * around a <group> (<front>, <back>) belongs to none of them. */
#ifndef TRIBUTARY_TEXT_TEI_TEXTS_H
#define TRIBUTARY_TEXT_TEI_TEXTS_H

#include "pipeline/text/header.h"
#include "pipeline/text/markup.h"

typedef enum {
    TRIB_TEI_ONE,    /* no TEI */
    TRIB_TEI_UNSURE, /* TEI with at most one text so far: more of the file is needed */
    TRIB_TEI_SEVERAL /* it may have several texts */
} trib_tei_count;
/* What the first `n` bytes of an XML file say about the number of its texts. */
trib_tei_count trib_tei_texts_begin(const char *first, size_t n);

/* A parsed file. `{0}` is empty. */
typedef struct trib_tei_texts {
    void *document;      /* xmlDoc */
    const void **text;   /* [n] xmlNode: the texts */
    const void **around; /* [n_around] xmlNode: front and back around groups, with words */
    size_t n, cap, n_around, around_cap;
} trib_tei_texts;
/* Parses a file and finds its texts; none in a file that is not TEI. TRIB_INPUT when it cannot be
 * parsed. */
trib_status trib_tei_texts_open(trib_tei_texts *texts, trib_markup_bytes file, trib_error *error);
void trib_tei_texts_close(trib_tei_texts *texts);
/* Appends text `i` as a file of TEI of its own, in UTF-8. */
trib_status trib_tei_texts_add(const trib_tei_texts *texts, size_t i, trib_buffer *to,
                               trib_error *error);
/* Title, author and date of text `i`, from the header of its <TEI>, otherwise from those of the
 * corpora around it. The title of a member of a <group>, of one of several texts in a <TEI>, and of
 * a text whose <TEI> has none, is its first heading, otherwise that of the whole with the number of
 * the text. */
trib_status trib_tei_texts_about(const trib_tei_texts *texts, size_t i, trib_tei_about *about,
                                 trib_is_date *is_date, trib_error *error);
/* The name of element `i` of those around groups: "front" or "back", a literal. */
const char *trib_tei_texts_around(const trib_tei_texts *texts, size_t i);

#endif
