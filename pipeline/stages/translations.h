/* translations.h - what translated passages are found from (influence/translations.h): the units of
 * texts, and the words that are alike before anything is learnt. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_TRANSLATIONS_H
#define TRIBUTARY_STAGES_TRANSLATIONS_H

#include "influence/translations.h"
#include "pipeline/stages/text.h"

/* The settings that the words of the texts need. */
enum { TRIB_TRANSLATION_SETTINGS = 3 };
extern const trib_setting trib_translation_settings[TRIB_TRANSLATION_SETTINGS];

/* A text in units: what one reference holds for, or long lines, or sentences joined to 12 words or
 * more and cut at 45. `{0}` is empty. */
typedef struct trib_unit_text {
    trib_document_text text;
    trib_units units;
    size_t *from, *end; /* [units.n] the bytes of each */
    size_t start_cap, word_cap, from_cap, end_cap;
} trib_unit_text;
/* Cuts document d into units; words have the ids that stage tokens gave them. Errors as
 * trib_text_read. The caller releases the units, also after a failure. */
trib_status trib_unit_text_read(trib_unit_text *made, const trib_config *config,
                                const trib_corpus *corpus, const trib_corpus_words *words,
                                uint32_t d, trib_error *error);
void trib_unit_text_release(trib_unit_text *made);

/* Empties the units of a target of whose sequences of 4 words at least half stand in the source: no
 * translations. *n receives how many. TRIB_MEMORY. */
trib_status trib_units_take_verbatim(trib_units *target, const trib_units *source, uint32_t *n,
                                     uint32_t n_words, trib_error *error);

/* The words that may stand for each other, settled: words and numbers that are equal, words whose
 * letters in Latin script are much alike, and what dictionary[n] and learnt tables say (NULL: no
 * file). Errors as trib_dictionary_read. */
trib_status trib_translation_seeds(trib_word_table *seeds, const trib_unit_texts *texts,
                                   const trib_config *config, const trib_intern *words,
                                   const char *const dictionary[], size_t n, trib_error *error);
/* Adds what a dictionary says (dictionary.c): that of a dictd server, FILE.index beside FILE.dict
 * or FILE.dict.dz; or a table of word, tab, words, and perhaps a tab and a weight. Either language
 * may be first. side[word] has bit 1 for a word of the target, 2 for one of the source. TRIB_INPUT
 * or TRIB_CONFIG, with file and line. */
trib_status trib_dictionary_read(trib_word_table *seeds, const char *path, const uint8_t side[],
                                 const trib_config *config, const trib_intern *words,
                                 trib_error *error);

#endif
