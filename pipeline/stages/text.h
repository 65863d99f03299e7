/* text.h - the text of a document as it was decoded, for all who quote it: its bytes, lines,
 * characters and references. Places in it are bytes. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_TEXT_H
#define TRIBUTARY_STAGES_TEXT_H

#include "pipeline/stages/corpus.h"
#include "pipeline/stages/document_words.h"

/* `{0}` is empty. */
typedef struct trib_document_text {
    trib_buffer bytes;
    const char *encoding; /* name of an ICU converter; borrowed; NULL: UTF-8 */
    size_t *line;         /* [n_lines] the first byte of each line */
    size_t n_lines, cap;  /* n_lines: at least 1 of a text that was read */
    uint64_t *begins; /* [length / 64 + 1] bit b of word i: a character begins at byte 64i + b */
    size_t *n_before; /* [length / 64 + 1] characters that begin before byte 64i */
    trib_references references;
    bool has_numbers; /* where no reference holds, the lines are numbered; there are several */
} trib_document_text;

/* Reads the text of document d; only its bytes, or all but their references that are shown beside
 * it, when numbers are no words (tokens.numbers). TRIB_INPUT when the file has changed since stage
 * corpus; the errors of trib_input_open and trib_references_find. The caller releases it, also
 * after a failure. */
trib_status trib_text_read_bytes(trib_document_text *text, const trib_config *config,
                                 const trib_corpus *corpus, uint32_t d, trib_error *error);
trib_status trib_text_read(trib_document_text *text, const trib_config *config,
                           const trib_corpus *corpus, const trib_corpus_words *words, uint32_t d,
                           trib_error *error);
/* Finds the lines and the characters of the bytes. In UTF-16 and UTF-32 all is one line. Takes a
 * quarter of the memory of the text. TRIB_MEMORY; TRIB_INTERNAL for an encoding that ICU does not
 * have. */
trib_status trib_text_find_lines(trib_document_text *text, trib_error *error);
void trib_text_release(trib_document_text *text);

/* Appends the bytes from .. end - 1 in UTF-8, with each run of white space replaced by one space.
 * Bytes after the end of the text are left out. */
trib_status trib_text_quote(trib_buffer *to, const trib_document_text *text, size_t from,
                            size_t end, trib_error *error);
/* The number of the line, from 1, that has this byte. */
size_t trib_text_line_at(const trib_document_text *text, size_t byte);
/* The number of Unicode characters before this byte, which begins a character or is the end of the
 * text. */
size_t trib_text_character_at(const trib_document_text *text, size_t byte);
/* Writes the reference of the bytes from .. end - 1: "3:7", or else "line 7" or "lines 7-9", with
 * an en dash. "" when there is none: the text is one line, or asks for no references. */
void trib_text_reference(char reference[TRIB_REFERENCE_MAX], const trib_document_text *text,
                         size_t from, size_t end);
/* The reference that holds at a byte; NULL where none does, and lines are counted instead. */
const char *trib_text_reference_at(const trib_document_text *text, size_t byte);

/* Whether only texts with the marks of Project Gutenberg are stripped. */
bool trib_config_strips_auto(const trib_config *config);
/* Strips the body of a whole text as the configuration asks; the other `parts` of the text, such
 * as notes, follow the body and are not stripped (n 0: the body is all of it). `kept` must be empty
 * and receives the parts that remain; the caller releases it, also after a failure. Errors as
 * trib_strip. */
trib_status trib_config_strip(const trib_config *config, const char *path, trib_buffer *text,
                              const trib_text_ranges *parts, trib_text_ranges *kept,
                              trib_cuts *cuts, trib_error *error);

#endif
