/* translations.h - what translated passages are found from (influence/translations.h): the units of
 * texts, and the words that are alike before anything is learnt. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_TRANSLATIONS_H
#define TRIBUTARY_STAGES_TRANSLATIONS_H

#include "influence/translations.h"
#include "pipeline/stages/text.h"

/* A text in units: what one reference holds for, or long lines, or sentences joined to 12 words or
 * more and cut at 45. `{0}` is empty. */
typedef struct trib_unit_text {
    trib_document_text text;
    trib_units units;
    size_t *from, *end; /* [units.n] the bytes of each */
    size_t start_cap, word_cap, from_cap, end_cap;
} trib_unit_text;
/* Cuts document d into units; `ids` numbers the words. Errors as trib_text_read. The caller
 * releases the units, also after a failure. */
trib_status trib_unit_text_read(trib_unit_text *made, const trib_config *config,
                                const trib_corpus *corpus, const trib_corpus_words *words,
                                uint32_t d, trib_intern *ids, trib_error *error);
/* The same of made->text, which was read. `about` has the path and the language. */
trib_status trib_unit_text_cut(trib_unit_text *made, const trib_config *config,
                               const trib_corpus_document *about, trib_intern *ids,
                               trib_error *error);
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

/* Calls `take` with what may stand for the words, by a dictionary of whose other language no words
 * are known. Errors as trib_dictionary_read. */
typedef trib_status trib_meaning_sink(void *context, uint32_t word, const char *meaning,
                                      trib_error *error);
trib_status trib_dictionary_translate(const char *path, const trib_intern *words,
                                      const trib_config *config, trib_meaning_sink *take,
                                      void *context, trib_error *error);

/* ---- Pairs of texts (translated.c) ----------------------------------------------------------- */

/* What was found in a pair of texts, in numbers. `{0}`: nothing was looked for. */
typedef struct trib_translated {
    uint32_t source;                /* document number */
    uint32_t n_units[2];            /* of the target, of the source */
    uint32_t n_verbatim;            /* units of the target that stand word for word in the source */
    uint32_t n_passages, n_covered; /* as in trib_translations */
    uint32_t n_by_chance, n_covered_by_chance; /* likewise */
    uint32_t n_planted, n_recovered;           /* passages, with translations.power */
    double shared, seeded; /* words of the target that the source has, that have a counterpart */
    bool is_evidence;      /* more was found than by chance */
} trib_translated;
/* Appends one sentence or two: what was found, what by chance, and otherwise what would help. */
trib_status trib_translated_say(trib_buffer *to, const trib_translated *about, const char *target,
                                const char *source, trib_error *error);

/* A target and a source that are compared. `{0}` is empty. */
typedef struct trib_translated_pair {
    trib_unit_text text[2];
    trib_intern words;
    trib_translations found;
    trib_translated about;
} trib_translated_pair;
/* Reads the documents target and source, and finds what is translated; nothing in texts of one
 * language. dictionary[2]: a dictionary and a table; NULL: none. Errors as trib_translation_seeds.
 * The caller releases the pair, also after a failure. */
trib_status trib_translated_find(trib_translated_pair *made, const trib_config *config,
                                 const trib_corpus *corpus, const trib_corpus_words *words,
                                 uint32_t target, uint32_t source, const char *const dictionary[2],
                                 int n_threads, trib_error *error);
/* The same of a pair whose texts were cut. */
trib_status trib_translated_compare(trib_translated_pair *p, const trib_config *config,
                                    const char *const dictionary[2], int n_threads,
                                    trib_error *error);
void trib_translated_release(trib_translated_pair *made);

/* Finds the translated passages of target t, as translations.search asks, and adds them to those of
 * `findings`; findings->translated receives the numbers. Does nothing where there are numbers
 * already. Errors as trib_translated_find. */
struct trib_findings;
struct trib_measure_inputs;
trib_status trib_translations_add(const struct trib_measure_inputs *inputs, uint32_t t,
                                  struct trib_findings *findings, int n_threads, trib_error *error);

#endif
