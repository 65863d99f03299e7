/* reading.h - a text becomes words: its file is read, unpacked, stripped, decoded and cut into
 * words as it comes, and they go into a file of words.h. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_READING_H
#define TRIBUTARY_STAGES_READING_H

#include "pipeline/config/config.h"
#include "pipeline/input/spool.h"
#include "pipeline/store/words.h"

/* What reads texts, one at a time; every thread has its own. `{0}` is closed. */
typedef struct trib_reading {
    const trib_config *config;   /* borrowed: corpus and tokens */
    trib_tokenizer *file, *utf8; /* utf8: for texts that were marked up */
    trib_spool_of_texts *spool;  /* borrowed; NULL: none */
    trib_words_writer words;
} trib_reading;

/* What a word is to a configuration; borrows from it. */
trib_token_options trib_config_token_options(const trib_config *config);

trib_status trib_reading_open(trib_reading *reading, const trib_config *config, trib_error *error);
void trib_reading_close(trib_reading *reading);
/* Reads the text in `path` and writes its words where `out` stands. What there is to say of it goes
 * into the file, so that it can be said in the order of the documents. TRIB_INPUT and what else
 * input.h, strip.h and tokenizer.h say; `out` then holds part of a file. */
trib_status trib_reading_do(trib_reading *reading, const char *path, trib_writer *out,
                            trib_error *error);

#endif
