/* document_words.h - the words of the documents, as stages tokens and vocabulary leave them: each
 * document's are in a file without a name (words.h), and memory holds what is counted over all of
 * them. Private to pipeline. */
#ifndef TRIBUTARY_STAGES_DOCUMENT_WORDS_H
#define TRIBUTARY_STAGES_DOCUMENT_WORDS_H

#include "pipeline/store/words.h"

/* The words of one document. */
typedef struct trib_document_words {
    trib_token_counts counts;
    trib_cuts cuts;                   /* what was stripped; n_texts 0: nothing was asked for */
    char encoding[TRIB_ENCODING_MAX]; /* what the file is written in */
    int rank;                         /* of the process that reads it */
    const trib_reader *file;          /* holds the words (words.h), */
    uint64_t from, size;              /* in these bytes; of other ranks from stage tensors on */
    bool is_numbered;                 /* the file is a numbered one: another rank's */
    size_t n_tokens;
    uint32_t n_words;  /* different ones, before the vocabulary is cut */
    uint32_t n_joined; /* of them in the word counts of all documents */
    /* [n_words] of its words: provisional after tokens, the vocabulary's after vocabulary; NULL
     * when numbered */
    uint32_t *id;
} trib_document_words;

/* Words of several documents, in a file without a name: one for every thread that reads texts. */
typedef struct trib_words_spill {
    trib_writer writer;
    trib_reader reader; /* of it */
} trib_words_spill;

/* The words of all documents. `{0}` is empty. */
typedef struct trib_corpus_words {
    trib_document_words *document; /* [n_documents] */
    uint32_t n_documents;
    trib_words_spill *spill; /* [n_spills] */
    int n_spills;
} trib_corpus_words;

trib_status trib_corpus_words_init(trib_corpus_words *words, uint32_t n_documents,
                                   trib_error *error);
void trib_corpus_words_release(trib_corpus_words *words);

/* The different words of the documents of this rank, under provisional ids, until stage vocabulary.
 * `{0}` is empty. */
typedef struct trib_word_counts {
    trib_intern intern;
    uint64_t *count;       /* [intern.n_words] occurrences */
    uint32_t *n_documents; /* [intern.n_words] how many documents hold it */
    size_t count_cap, n_documents_cap;
} trib_word_counts;

/* A word, `count` times in `n_documents` more documents; *id receives its provisional id. */
trib_status trib_word_counts_add(trib_word_counts *counts, const char *word, size_t length,
                                 uint64_t count, uint32_t n_documents, uint32_t *id,
                                 trib_error *error);
void trib_word_counts_release(trib_word_counts *counts);

/* The file of a document's words, to be closed; several threads may open it. Of another rank's
 * document from stage tensors on, without spellings. */
trib_status trib_document_words_open(const trib_document_words *document, trib_words *words,
                                     trib_error *error);
/* Their ids, [n_words]: document->id or what a numbered file holds. */
static inline const uint32_t *trib_document_word_ids(const trib_document_words *document,
                                                     const trib_words *words) {
    return words->id ? words->id : document->id;
}

/* Reads the words of a document from any place, one block of them in memory. */
typedef struct trib_words_cursor {
    const trib_document_words *document;
    trib_words words;
    trib_words_block block;
} trib_words_cursor;
typedef struct trib_placed_word {
    uint32_t id;        /* as in document->id */
    size_t offset, end; /* bytes in the file of the text */
    bool after_break;
} trib_placed_word;
trib_status trib_words_cursor_open(trib_words_cursor *cursor, const trib_document_words *document,
                                   trib_error *error);
void trib_words_cursor_close(trib_words_cursor *cursor); /* `{0}` is legal */
trib_status trib_words_cursor_at(trib_words_cursor *cursor, size_t i, trib_placed_word *word,
                                 trib_error *error);

#endif
