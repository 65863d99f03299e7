/* phrases.h - the words of texts as a library has them (text/segment.h). Private to pipeline. */
#ifndef TRIBUTARY_STAGES_PHRASES_H
#define TRIBUTARY_STAGES_PHRASES_H

#include "pipeline/stages/corpus.h"
#include "pipeline/text/library.h"
#include "tokenizer/norms.h"

/* What reads words by the settings of a library, for one thread. `{.config = config}` is ready. */
typedef struct trib_word_reader {
    const trib_config *config; /* borrowed */
    char *encoding;            /* of the open tokenizer */
    trib_tokenizer *tokenizer;
    trib_transform *transform;
    trib_hashed_words words; /* what was read last */
    trib_buffer references;  /* of the document that was read last, as in trib_indexed_text */
} trib_word_reader;
/* Reads the words of bytes that stand at byte `base` of a text, into reader->words. TRIB_INPUT for
 * bytes that are invalid in the encoding; in "UTF-8" they are replaced. */
trib_status trib_word_reader_read(trib_word_reader *reader, const char *name, const char *encoding,
                                  const trib_buffer *bytes, uint64_t base, trib_error *error);
/* Reads a document and its words; `text` receives it in UTF-8, without what is stripped. `spool`
 * may be NULL. TRIB_INPUT when it cannot be read or has no words. */
trib_status trib_word_reader_document(trib_word_reader *reader, const trib_document *document,
                                      trib_spool_of_texts *spool, trib_buffer *text,
                                      trib_error *error);
void trib_word_reader_close(trib_word_reader *reader);

#endif
