/* tokenizer.h - from bytes to words, from words to a vocabulary, from word ids to n-gram windows.
 *
 * Bytes of one document go into a trib_tokenizer in any chunks; words come out through a callback,
 * each with its place in the original file. trib_intern gives words provisional ids while
 * documents are read (each text is tokenised once); trib_vocab numbers them finally, commonest
 * first. Words: UAX #29 with ICU's dictionaries for Chinese, Japanese, Thai, Khmer, Lao and
 * Burmese. */
#ifndef TRIBUTARY_TOKENIZER_H
#define TRIBUTARY_TOKENIZER_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Words (token.c) ------------------------------------------------------------------------- */

/* The Unicode normalisation of words. */
typedef enum {
    TRIB_NORMALIZE_NONE, /* as written */
    TRIB_NORMALIZE_NFC,  /* composed characters */
    TRIB_NORMALIZE_NFKC  /* likewise, and compatibility characters replaced */
} trib_normalize;

/* The case of words. */
typedef enum {
    TRIB_CASE_NONE, /* as written */
    TRIB_CASE_FOLD  /* folded: "The" is "the" */
} trib_case;

/* Apostrophes inside words. */
typedef enum {
    TRIB_APOSTROPHES_STRAIGHT, /* U+2019 becomes U+0027 */
    TRIB_APOSTROPHES_KEEP,     /* as written */
    TRIB_APOSTROPHES_SPLIT,    /* a boundary between words */
    TRIB_APOSTROPHES_JOIN      /* left out: "dont" */
} trib_apostrophes;

/* Hyphens inside words. */
typedef enum {
    TRIB_HYPHENS_SPLIT, /* a boundary between words (UAX #29) */
    TRIB_HYPHENS_JOIN,  /* left out: "well-known" is "wellknown" */
    TRIB_HYPHENS_KEEP   /* "well-known" is one word */
} trib_hyphens;

/* Tokens without a letter. */
typedef enum {
    TRIB_NUMBERS_DROP, /* left out; the words around them are neighbours */
    TRIB_NUMBERS_KEEP, /* words like others */
    TRIB_NUMBERS_CLASS /* all become the word "<number>" */
} trib_numbers;

/* Bytes that are invalid in the encoding of a text. */
typedef enum {
    TRIB_INVALID_ERROR,  /* the text is refused */
    TRIB_INVALID_REPLACE /* they become U+FFFD and are counted */
} trib_invalid;

/* What a word is; `{0}` is valid: English, UTF-8, words as they are written, without numbers. */
typedef struct trib_token_options {
    /* For the boundaries of words and sentences: BCP 47 or a name of ICU; NULL: "en". Borrowed
     * while the tokeniser is open. */
    const char *locale;
    /* NULL or "utf-8"; a name of an ICU converter; or "auto": UTF-8 if the whole document is, else
     * what ICU finds most likely (words come at the end only). Borrowed while the tokeniser is
     * open. */
    const char *encoding;
    trib_normalize normalize;     /* Unicode normalisation of words */
    trib_case letter_case;        /* case of words */
    trib_apostrophes apostrophes; /* inside words */
    trib_hyphens hyphens;         /* inside words */
    trib_numbers numbers;         /* tokens without a letter */
    bool break_at_sentence;       /* no n-gram spans the end of a sentence */
    bool break_at_paragraph;      /* no n-gram spans an empty line */
    trib_invalid on_invalid;      /* bytes that are invalid in the encoding */
} trib_token_options;

/* One word. `text` lives during the callback only. */
typedef struct trib_token {
    const char *text; /* normalised UTF-8, zero-terminated, at least one byte */
    size_t length;    /* bytes of text */
    uint64_t offset;  /* of its first byte in the original file */
    /* it spans there, with invisible characters and markup inside the word but not at its ends */
    uint32_t n_bytes;
    bool after_break; /* a break lies between it and the word before */
} trib_token;

/* Receives a word; a status other than TRIB_OK ends the document with it. */
typedef trib_status (*trib_token_sink)(void *context, const trib_token *token, trib_error *error);

/* What a tokeniser counted in one document. */
typedef struct trib_token_counts {
    uint64_t n_bytes;           /* bytes read */
    uint64_t n_words;           /* words */
    uint64_t n_dropped_numbers; /* tokens without a letter that were left out */
    uint64_t n_replaced;        /* invalid sequences that were replaced */
} trib_token_counts;

/* One tokeniser serves many documents, one at a time: begin, feed..., end. Not shared between
 * threads. */
typedef struct trib_tokenizer trib_tokenizer;

/* TRIB_CONFIG for a locale or encoding ICU does not know (with the nearest it does, where there is
 * one). */
trib_status trib_tokenizer_open(trib_tokenizer **tokenizer, const trib_token_options *options,
                                trib_error *error);
void trib_tokenizer_close(trib_tokenizer *tokenizer); /* NULL is legal */
/* `name` stands in messages, borrowed until end. */
void trib_tokenizer_begin(trib_tokenizer *tokenizer, const char *name, trib_token_sink sink,
                          void *context);
/* Any chunking gives the same words. A byte order mark, soft hyphens and other format characters
 * (Word_Break=Format) are no part of a word; CRLF, form feeds, NULs and other control bytes
 * separate words. Underscores are markup: a single one vanishes (`_italics_`, `_Pequod_'s`;
 * foo_bar is foobar), several separate (`Name____Date`). A single line end inside a paragraph does
 * not end a sentence. TRIB_INPUT for invalid bytes: file, byte offset from 0, line, the byte and
 * its likely encoding, and the remedy; for UTF-16 taken for UTF-8; for 512 MiB without a place to
 * cut. Any failure ends the document: later calls return its status, with no message, until
 * `begin`. Time and memory are linear in the longest line (the longest paragraph, when sentences
 * break). */
trib_status trib_tokenizer_feed(trib_tokenizer *tokenizer, const char *bytes, size_t n_bytes,
                                trib_error *error);
/* Emits what is pending; the tokeniser is ready for `begin` again, after a failure too. counts may
 * be NULL. */
trib_status trib_tokenizer_end(trib_tokenizer *tokenizer, trib_token_counts *counts,
                               trib_error *error);

/* The encoding the last document was read in, after `end`: the name that was asked for or, with
 * "auto", what was found ("UTF-8" for plain ASCII too). Valid until the next `begin`. */
const char *trib_tokenizer_encoding(const trib_tokenizer *tokenizer);

/* Appends bytes of a file as UTF-8, for a quotation (excerpt.c): `encoding` is an ICU converter's
 * name, NULL for UTF-8; what is invalid becomes U+FFFD. At most 512 MiB. */
trib_status trib_excerpt(trib_buffer *utf8, const char *encoding, const char *bytes, size_t n_bytes,
                         trib_error *error);

/* ---- Interning (intern.c) -------------------------------------------------------------------- */

/* A place in the table of words; id 0 when it is free. */
typedef struct trib_intern_slot {
    uint64_t key;    /* the bytes of a word of up to eight, the hash of a longer one */
    uint32_t length; /* of the word; UINT32_MAX: that or more */
    uint32_t id;     /* of the word, + 1 */
} trib_intern_slot;

/* Words by provisional id, in order of first appearance. `{0}` is empty. */
typedef struct trib_intern {
    uint32_t n_words;        /* different words */
    size_t cap;              /* words for which `start` has room */
    size_t *start;           /* [n_words + 1] of each word in text */
    char *text;              /* the words, each followed by a NUL */
    size_t n_text, text_cap; /* bytes of text, used and allocated */
    trib_intern_slot *slot;  /* [n_slots] open addressing */
    size_t n_slots;          /* a power of two, or 0 */
} trib_intern;

/* The id of a word (any bytes but NUL), new or old. After a failure the table is as before. */
trib_status trib_intern_add(trib_intern *intern, const char *word, size_t length, uint32_t *id,
                            trib_error *error);
/* The id of a word, or UINT32_MAX. */
uint32_t trib_intern_find(const trib_intern *intern, const char *word, size_t length);
/* Zero-terminated; valid until the next word is added. */
const char *trib_intern_word(const trib_intern *intern, uint32_t id);
/* Forgets the words and keeps the memory. */
void trib_intern_clear(trib_intern *intern);
void trib_intern_release(trib_intern *intern);

/* ---- Vocabulary (vocab.c) -------------------------------------------------------------------- */

/* No id: the windows break here. */
#define TRIB_NO_WORD UINT32_MAX

/* Which words a vocabulary has; `{0}` is valid: all. */
typedef struct trib_vocab_options {
    uint32_t size;          /* at most so many words; 0: all */
    uint64_t min_count;     /* at least so many occurrences in the corpus */
    uint32_t min_documents; /* in at least so many documents */
    bool wildcard; /* true: every other word becomes <other>; false: the window breaks there */
    /* when not NULL, exactly these words (those that do not occur are kept, with count 0); size
     * and the minima do not matter then */
    const trib_intern *fixed;
} trib_vocab_options;

/* Words by id: descending corpus count, ties by code point. <other>, if there is one, has the last
 * id. `{0}` is empty. */
typedef struct trib_vocab {
    uint32_t n_words;      /* with <other> */
    uint32_t other;        /* id of <other>, or TRIB_NO_WORD */
    char **word;           /* [n_words] into text */
    uint64_t *count;       /* [n_words] occurrences in the corpus */
    uint32_t *n_documents; /* [n_words] that hold it; for <other>, its most widespread word */
    char *text;            /* the words, each followed by a NUL */
    uint64_t n_tokens;     /* of the corpus */
    uint64_t n_other;      /* tokens that became <other> or a break */
} trib_vocab;

/* Numbers the words of `intern` finally; <other> exists when `wildcard` is set and some word is
 * left out. count[n] and n_documents[n] belong to provisional ids. final_id[n] receives the id of
 * each provisional id: a word's, vocab->other, or TRIB_NO_WORD. TRIB_CONFIG when no word is
 * left. */
trib_status trib_vocab_build(trib_vocab *vocab, const trib_intern *intern, const uint64_t *count,
                             const uint32_t *n_documents, const trib_vocab_options *options,
                             uint32_t *final_id, trib_error *error);
void trib_vocab_release(trib_vocab *vocab);
/* Tab-separated: id, word, count, documents; with a header line. */
void trib_vocab_write(const trib_vocab *vocab, trib_writer *writer);
/* A word list, in addition to the words already there: one word a line, which a tab ends; blank
 * lines and # comments are skipped. A vocab.tsv, known by its header line, gives its word column,
 * without <other>. Words are taken as they stand: they should be spelt as the tokeniser spells
 * them. TRIB_CONFIG with file and line for a line that is not UTF-8 or, in a vocab.tsv, has no
 * word; and for a list without words. */
trib_status trib_vocab_read_list(trib_intern *words, trib_reader *reader, trib_error *error);
/* The same of a file; TRIB_INPUT when it cannot be read. */
trib_status trib_vocab_read_file(trib_intern *words, const char *path, trib_error *error);

/* ---- n-gram windows (ngram.c) ---------------------------------------------------------------- */

enum { TRIB_MAX_NGRAM = 8 };

/* The last n ids. */
typedef struct trib_ngram {
    uint32_t n;                  /* 1 .. TRIB_MAX_NGRAM */
    uint32_t n_held;             /* ids held, at most n */
    uint32_t id[TRIB_MAX_NGRAM]; /* oldest first */
} trib_ngram;

/* Empties a window of n ids. */
void trib_ngram_init(trib_ngram *window, uint32_t n);
void trib_ngram_break(trib_ngram *window); /* the next window starts afresh */
/* Shifts an id in; true when the window is full: window->id is an n-gram. TRIB_NO_WORD breaks. */
bool trib_ngram_push(trib_ngram *window, uint32_t id);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
