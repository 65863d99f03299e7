/* reading.h - turns a text into words: reads, unpacks, strips and decodes its file, splits it into
 * words in one pass and writes them to a file (words.h). Private to pipeline. */
#ifndef TRIBUTARY_STAGES_READING_H
#define TRIBUTARY_STAGES_READING_H

#include "pipeline/config/document.h"
#include "pipeline/store/words.h"
#include "pipeline/text/spool.h"

/* A reader of texts, for one text at a time; each thread has its own. `{0}` is closed. */
typedef struct trib_reading {
    const trib_config *config;   /* borrowed: corpus and tokens */
    trib_tokenizer *file, *utf8; /* utf8: for texts extracted from markup */
    const char *language;        /* of the tokenizers; borrowed from the configuration */
    const char *encoding;        /* of `file`; borrowed from the configuration */
    trib_spool_of_texts *spool;  /* borrowed; NULL: none */
    trib_words_writer words;
} trib_reading;

/* Returns the configured options of the tokenizer; borrows from `config`. */
trib_token_options trib_config_token_options(const trib_config *config);

/* Strips the body of a whole text as the configuration asks; the other `parts` of the text, such
 * as notes, follow the body and are not stripped (n 0: the body is all of it). `kept` must be empty
 * and receives the parts that remain; the caller releases it, also after a failure. Errors as
 * trib_strip. */
trib_status trib_config_strip(const trib_config *config, const char *path, trib_buffer *text,
                              const trib_text_ranges *parts, trib_text_ranges *kept,
                              trib_cuts *cuts, trib_error *error);

trib_status trib_reading_open(trib_reading *reading, const trib_config *config, trib_error *error);
void trib_reading_close(trib_reading *reading);
/* Reads the text of a document and writes its words to `out`. Warnings about the text are written
 * to the same file, so that they can be reported in the order of the documents. TRIB_INPUT and the
 * errors of input.h, strip.h and tokenizer.h; `out` then contains part of a file. */
trib_status trib_reading_do(trib_reading *reading, const trib_corpus_document *document,
                            trib_writer *out, trib_error *error);

#endif
