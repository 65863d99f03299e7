/* document_words.h - the words of the documents after stages tokens and vocabulary. The words of
 * each document are in an unnamed file (words.h); memory holds the counts over all documents.
 * Private to pipeline. */
#ifndef TRIBUTARY_STAGES_DOCUMENT_WORDS_H
#define TRIBUTARY_STAGES_DOCUMENT_WORDS_H

#include "pipeline/stages/corpus.h"
#include "pipeline/stages/spellings.h"
#include "pipeline/store/words.h"
#include "tokenizer/word_runs.h"

/* How a document is spelt: a bit for each row of the table in looks.c. */
typedef struct trib_looks {
    uint32_t has, lacks; /* what the row says; the opposite of it */
} trib_looks;

/* What `auto` has chosen for a corpus. `{0}`: nothing that changes a word. */
typedef struct trib_taken {
    char *transform;   /* for tokens.transform; NULL: none */
    uint32_t n_joined; /* documents with words that `join_hyphens: auto` has joined */
    char **line;       /* [n] what and why, for the reader */
    size_t n, cap;
} trib_taken;
/* Adds a copy of a line. TRIB_MEMORY. */
trib_status trib_taken_say(trib_taken *taken, const char *line, trib_error *error);

/* The words of one document. */
typedef struct trib_document_words {
    trib_token_counts counts;
    /* the parts that were stripped; n_texts 0: stripping is off */
    trib_cuts cuts;
    char encoding[TRIB_ENCODING_MAX]; /* character encoding of the file */
    uint32_t n_divided;               /* words that `join_hyphens: auto` has joined */
    trib_account account;
    trib_looks looks;        /* with `tokens.transform: auto` */
    int rank;                /* of the process that reads the text */
    const trib_reader *file; /* the file with the words (words.h) */
    /* byte range in `file`; for other ranks' documents set by stage tensors */
    uint64_t from, size;
    /* with several ranks: byte range of an own document in the file for other ranks */
    uint64_t numbered_from, numbered_size;
    /* the words come from another rank, as numbers without spellings */
    bool is_numbered;
    size_t n_tokens;
    uint32_t n_words;  /* distinct words before the vocabulary is cut */
    uint32_t n_joined; /* words already added to the counts of the corpus */
    uint32_t *joined;  /* [n_words] their provisional ids, until all words are added */
    /* the file with the ids of the words, from byte ids_from on: provisional after stage tokens,
     * those of the vocabulary after stage vocabulary; NULL: none yet, or is_numbered */
    const trib_reader *ids;
    uint64_t ids_from;
} trib_document_words;

/* What the file of a document is: as it was read, where its name and first bytes do not say it. */
const char *trib_document_kind(const trib_document *document, const trib_document_words *words);

/* Words of several documents in an unnamed file: one for each thread that reads texts. */
typedef struct trib_words_spill {
    trib_writer writer;
    trib_reader reader; /* reads the same file */
} trib_words_spill;

/* The file in which another rank has written the words of its documents. */
typedef struct trib_shared_words {
    char *path;
    trib_reader reader;
    bool is_open;
} trib_shared_words;

/* The words of all documents. `{0}` is empty. */
typedef struct trib_corpus_words {
    trib_document_words *document; /* [n_documents] */
    uint32_t n_documents;
    trib_words_spill *spill; /* [n_spills] */
    int n_spills;
    trib_words_spill ids[2]; /* ids of the words of each document: provisional, of the vocabulary */
    trib_taken taken;        /* what `auto` has chosen; stage tokens */
    trib_word_changes changes; /* what norms have changed; stage vocabulary */
    trib_writer numbered;      /* the words of this rank's documents, for the other ranks */
    trib_shared_words *shared; /* [n_shared] by rank; NULL: a single process */
    int n_shared;
} trib_corpus_words;

trib_status trib_corpus_words_init(trib_corpus_words *words, uint32_t n_documents,
                                   trib_error *error);
void trib_corpus_words_release(trib_corpus_words *words);
/* Stores id[n_words] of a document in an unnamed file in the folder `scratch`; trib_document_words
 * then has them. Several threads may call it for different documents. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_corpus_words_put_ids(trib_corpus_words *words, trib_document_words *document,
                                      const uint32_t id[], bool are_final, const char *scratch,
                                      trib_error *error);
/* Reads the ids into *id, [n_words], which the caller releases; NULL if there are none. */
trib_status trib_document_words_ids(const trib_document_words *document, uint32_t **id,
                                    trib_error *error);

/* The distinct words of the documents of this rank under provisional ids, used until stage
 * vocabulary. If words have norms, the ids are those of the spellings. `{0}` is empty. */
typedef struct trib_word_counts {
    trib_intern intern; /* the words, or the norms */
    /* [intern.n_words] occurrences, and number of documents that contain the word; without norms */
    uint64_t *count;
    uint32_t *n_documents;
    size_t count_cap, n_documents_cap;
    trib_spellings spellings; /* of the norms; closed: the words are as written */
    /* with norms: [intern.n_words] the document, counted from 1, that has contained it last, so
     * that a document with two spellings of a word counts once */
    uint32_t *last_document;
    size_t last_cap;
    uint32_t document; /* the one that is being added, counted from 1 */
    uint32_t language; /* and its language (trib_spellings_language) */
    /* with more different words, those of the documents so far go to a scratch file before the next
     * document is added; 0: never */
    uint32_t most_words;
    trib_word_runs runs; /* the words in that file; the ids of those in memory begin after them */
} trib_word_counts;

/* Adds `count` occurrences of a word in `n_documents` further documents. *id receives the
 * provisional id of the word. */
trib_status trib_word_counts_add(trib_word_counts *counts, const char *word, size_t length,
                                 uint64_t count, uint32_t n_documents, uint32_t *id,
                                 trib_error *error);
/* The number of words in memory, norms and their spellings. */
uint32_t trib_word_counts_n(const trib_word_counts *counts);
/* Adds the `count` occurrences of a spelling in the document that counts->document numbers, whose
 * language is counts->language. With norms, nothing is counted yet. *id receives its id among the
 * words in memory. */
trib_status trib_word_counts_add_spelling(trib_word_counts *counts, const char *spelling,
                                          size_t length, uint64_t count, uint32_t *id,
                                          trib_error *error);
/* With norms: adds the occurrences of the n spellings of that document, by their provisional ids.
 * All words of a document together, since the processor then waits for several places in memory at
 * a time. */
void trib_word_counts_add_norms(trib_word_counts *counts, uint32_t n, const uint64_t count[],
                                const uint32_t id[]);
/* Moves all words to the file: with norms, the spellings by trib_spellings_sort_key. */
trib_status trib_word_counts_move(trib_word_counts *counts, const char *scratch, trib_error *error);
/* Releases the words that were moved, but not their number and the norms of words. */
void trib_word_counts_forget(trib_word_counts *counts);
void trib_word_counts_release(trib_word_counts *counts);

/* Opens the words of a document, with their ids; the caller closes them. Several threads may call
 * this. The words of another rank's document are available from stage tensors on, without
 * spellings. */
trib_status trib_document_words_open(const trib_document_words *document, trib_words *words,
                                     trib_error *error);

/* Reads the words of a document at any position; holds one block of them in memory. */
typedef struct trib_words_cursor {
    const trib_document_words *document;
    trib_words words;
    trib_words_block block;
} trib_words_cursor;
typedef struct trib_placed_word {
    uint32_t id;        /* provisional or of the vocabulary */
    size_t offset, end; /* byte range of the word in the file of the text */
    bool after_break;
} trib_placed_word;
trib_status trib_words_cursor_open(trib_words_cursor *cursor, const trib_document_words *document,
                                   trib_error *error);
void trib_words_cursor_close(trib_words_cursor *cursor); /* `{0}` is legal */
trib_status trib_words_cursor_at(trib_words_cursor *cursor, size_t i, trib_placed_word *word,
                                 trib_error *error);

/* ---- Several processes ----------------------------------------------------------------------- */

/* Each process reads its own documents and counts their vocabulary; the vocabularies are merged,
 * cut and numbered once; then each process writes its words as numbers where the others can read
 * them. With one process these do nothing, apart from trib_share_word_runs. All ranks call them in
 * the same order; `status` is that of comm.h. */

/* Sends the results of reading the documents from each rank (trib_document_words.rank) to all: why
 * a document is rejected, or its number of words and about[d], [n_documents]. */
trib_status trib_share_found_words(const trib_comm *comm, trib_status status, trib_corpus *corpus,
                                   trib_corpus_words *words, trib_words_about *about,
                                   trib_error *error);

/* Each rank writes the words of its documents, as ids of the vocabulary, to a file in the folder
 * `scratch`, which all ranks must see. Afterwards trib_document_words_open opens the words of any
 * document. TRIB_OUTPUT; TRIB_INPUT when the file of another rank cannot be opened. */
trib_status trib_share_words(const trib_comm *comm, trib_status status, trib_corpus_words *words,
                             const char *scratch, trib_error *error);

/* The number of words of all ranks together, each counted once for every rank and run that has it:
 * whether they all go to files. */
uint64_t trib_share_n_words(const trib_comm *comm, const trib_word_counts *counts);
/* Makes a vocabulary of runs; *final_id receives the ids of their words, [runs->n_ids]. */
typedef trib_status (*trib_runs_merge)(void *context, const trib_word_runs *runs, trib_vocab *vocab,
                                       trib_scratch_array *final_id, trib_error *error);
/* Rank 0 makes the vocabulary of the runs of all ranks, which are named with several of them
 * (shared_vocabulary.c). *final_id receives the ids of the words of this rank, [own->n_ids]. The
 * ranks share the file of the vocabulary, in the folder `scratch`. */
trib_status trib_share_word_runs(const trib_comm *comm, trib_status status, trib_word_runs *own,
                                 trib_runs_merge merge, void *context, const char *scratch,
                                 trib_vocab *vocab, trib_scratch_array *final_id,
                                 trib_error *error);

#endif
