/* tokenizer.h - splits bytes into words, collects words in a vocabulary, and forms n-gram windows
 * of word ids.
 *
 * The bytes of a document go into a trib_tokenizer in chunks of any size. Words are passed to a
 * callback, each with its position in the original file. trib_intern gives words provisional ids
 * while documents are read, so each text is tokenised only once. trib_vocab assigns the final ids,
 * the most frequent word first. Words follow UAX #29, with ICU's dictionaries for Chinese,
 * Japanese, Thai, Khmer, Lao and Burmese. */
#ifndef TRIBUTARY_TOKENIZER_H
#define TRIBUTARY_TOKENIZER_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Words (token.c) ------------------------------------------------------------------------- */

/* The Unicode normalization form of words. */
typedef enum {
    TRIB_NORMALIZE_NONE, /* as written */
    TRIB_NORMALIZE_NFC,  /* composed characters */
    TRIB_NORMALIZE_NFKC  /* as NFC, with compatibility characters replaced */
} trib_normalize;

/* The case of words. */
typedef enum {
    TRIB_CASE_NONE, /* as written */
    TRIB_CASE_FOLD  /* full case folding: "The" becomes "the" */
} trib_case;

/* Apostrophes inside words. */
typedef enum {
    TRIB_APOSTROPHES_STRAIGHT, /* U+2019 becomes U+0027 */
    TRIB_APOSTROPHES_KEEP,     /* as written */
    TRIB_APOSTROPHES_SPLIT,    /* separate words */
    TRIB_APOSTROPHES_JOIN      /* removed: "don't" becomes "dont" */
} trib_apostrophes;

/* Hyphens inside words. */
typedef enum {
    TRIB_HYPHENS_SPLIT, /* separate words (UAX #29) */
    TRIB_HYPHENS_JOIN,  /* removed: "well-known" becomes "wellknown" */
    TRIB_HYPHENS_KEEP   /* "well-known" is one word */
} trib_hyphens;

/* Tokens without a letter. */
typedef enum {
    TRIB_NUMBERS_DROP, /* removed; the words around them become neighbours */
    TRIB_NUMBERS_KEEP, /* treated like words */
    TRIB_NUMBERS_CLASS /* replaced by the word "<number>" */
} trib_numbers;

/* What readers take for the same, before words are cut (plain.c). */
typedef enum {
    TRIB_EQUIVALENCE_NONE, /* as written */
    TRIB_EQUIVALENCE_PLAIN /* unseen characters are left out, one apostrophe, one hyphen, lines */
} trib_equivalence;

/* Bytes that are invalid in the encoding of a text. */
typedef enum {
    TRIB_INVALID_ERROR,  /* the text is rejected */
    TRIB_INVALID_REPLACE /* replaced by U+FFFD and counted */
} trib_invalid;

/* How text is split into words. `{0}` is valid: English, UTF-8, words as written, without
 * numbers. */
typedef struct trib_token_options {
    /* Locale for the boundaries of words and sentences: BCP 47 or an ICU name; NULL: "en". Borrowed
     * while the tokeniser is open. */
    const char *locale;
    /* NULL or "utf-8"; the name of an ICU converter; or "auto": UTF-8 if the whole document is
     * valid UTF-8, otherwise the most likely encoding according to ICU (all words then come at the
     * end). Borrowed while the tokeniser is open. */
    const char *encoding;
    trib_equivalence equivalence; /* what readers take for the same */
    trib_normalize normalize;     /* normalization form of words */
    trib_case letter_case;        /* case of words */
    trib_apostrophes apostrophes; /* apostrophes inside words */
    trib_hyphens hyphens;         /* hyphens inside words */
    trib_numbers numbers;         /* tokens without a letter */
    bool break_at_sentence;       /* no n-gram spans the end of a sentence */
    bool break_at_paragraph;      /* no n-gram spans an empty line */
    trib_invalid on_invalid;      /* bytes that are invalid in the encoding */
} trib_token_options;

/* One word. `text` is valid during the callback only. */
typedef struct trib_token {
    const char *text; /* normalised UTF-8, zero-terminated, at least one byte */
    size_t length;    /* bytes of text */
    uint64_t offset;  /* position of its first byte in the original file */
    /* its length in the file, including invisible characters and markup inside the word but not at
     * its ends */
    uint32_t n_bytes;
    bool after_break; /* a break lies between it and the previous word */
} trib_token;

/* Receives a word. A status other than TRIB_OK ends the document with that status. */
typedef trib_status (*trib_token_sink)(void *context, const trib_token *token, trib_error *error);

/* Counts of one document. */
typedef struct trib_token_counts {
    uint64_t n_bytes;           /* bytes read */
    uint64_t n_words;           /* words */
    uint64_t n_dropped_numbers; /* tokens without a letter that were left out */
    uint64_t n_replaced;        /* invalid sequences that were replaced */
    /* by TRIB_EQUIVALENCE_PLAIN */
    uint64_t n_unseen;      /* characters that nobody sees, which were left out */
    uint64_t n_apostrophes; /* apostrophes in words other than U+0027 and U+2019 */
    uint64_t n_hyphens;     /* hyphens in words other than U+002D, U+2010 and U+2011 */
    uint64_t n_joined;      /* line ends and spaces within words */
} trib_token_counts;

/* Whether a character is a hyphen, one at the end of a line among them; and whether it is written
 * only where a word is divided: U+00AC, U+00AD, U+2E17, U+2E40 (plain.c). */
bool trib_is_hyphen(int32_t c);
bool trib_is_divider(int32_t c);

/* TRIB_CONFIG for an encoding that ICU does not know, with the nearest name that it knows; "auto"
 * is one. */
trib_status trib_encoding_check(const char *encoding, trib_error *error);

/* What the first bytes of a file show (names.c): whether they have as many control bytes as no
 * text in an encoding of bytes has; whether they are UTF-16, with a byte order mark or without, or
 * UTF-32 with one ("UTF-16LE", "UTF-32BE", or NULL); and whether an encoding is one of bytes,
 * unlike UTF-16. NULL is UTF-8. */
bool trib_bytes_are_binary(const char *bytes, size_t n);
const char *trib_utf16_find(const char *bytes, size_t n);
/* The likely encoding of bytes, "UTF-8" when nothing is known. */
enum { TRIB_ENCODING_MAX = 64 };
void trib_encoding_guess(char name[TRIB_ENCODING_MAX], const char *bytes, size_t n);
bool trib_encoding_is_of_bytes(const char *encoding);

/* A tokeniser processes many documents, one at a time: begin, feed..., end. It must not be shared
 * between threads. */
typedef struct trib_tokenizer trib_tokenizer;

/* Opens a tokeniser. TRIB_CONFIG for a locale or encoding that ICU does not know; the message
 * suggests the nearest known name, if any. */
trib_status trib_tokenizer_open(trib_tokenizer **tokenizer, const trib_token_options *options,
                                trib_error *error);
void trib_tokenizer_close(trib_tokenizer *tokenizer); /* NULL is legal */
/* Begins a document. `name` appears in messages and is borrowed until `end`. */
void trib_tokenizer_begin(trib_tokenizer *tokenizer, const char *name, trib_token_sink sink,
                          void *context);
/* Processes the next bytes of the document. Any division into chunks gives the same words. A byte
 * order mark, soft hyphens and other format characters (Word_Break=Format) are not part of a word;
 * CRLF, form feeds, NULs and other control bytes separate words. Underscores are markup: a single
 * one is removed (`_italics_`, `_Pequod_'s`; foo_bar becomes foobar), several separate words
 * (`Name____Date`). With TRIB_EQUIVALENCE_PLAIN, no default-ignorable character is part of a
 * word or cuts it, whatever readers take for an apostrophe or a hyphen is one, a soft hyphen,
 * U+00AC or U+2E17 at the end of a line joins the halves of a word, and neither the end of a line
 * nor, in Chinese and Japanese, a space cuts a word of a script without spaces, unless 1 MiB of
 * lines go on like that. A single line end inside a paragraph does not end a sentence. TRIB_INPUT
 * for invalid bytes: the message gives file, byte offset from 0, line, the byte, its likely
 * encoding and the remedy. TRIB_INPUT also for UTF-16 read as UTF-8 and for 512 MiB without a place
 * to cut. After a failure, further calls return the same status without a message until `begin`.
 * Time and memory are linear in the longest line (the longest paragraph, when sentences cause
 * breaks). */
trib_status trib_tokenizer_feed(trib_tokenizer *tokenizer, const char *bytes, size_t n_bytes,
                                trib_error *error);
/* Ends the document and emits its remaining words. Afterwards the tokeniser is ready for `begin`
 * again, also after a failure. counts may be NULL. */
trib_status trib_tokenizer_end(trib_tokenizer *tokenizer, trib_token_counts *counts,
                               trib_error *error);

/* The encoding of the last document, after `end`: the requested name or, with "auto", the detected
 * one ("UTF-8" also for plain ASCII). Valid until the next `begin`. */
const char *trib_tokenizer_encoding(const trib_tokenizer *tokenizer);

/* Whether the last document was read in an encoding of one byte a character although it is valid
 * UTF-8 with characters beyond ASCII. */
bool trib_tokenizer_is_misread(const trib_tokenizer *tokenizer);

/* Appends bytes of a file as UTF-8, for a quotation (decode.c). `encoding` is the name of an ICU
 * converter, NULL for UTF-8. Invalid bytes become U+FFFD. At most 512 MiB. */
trib_status trib_excerpt(trib_buffer *utf8, const char *encoding, const char *bytes, size_t n_bytes,
                         trib_error *error);

/* Whether a unit of UTF-16 ends a line; CR and LF together end one. */
static inline bool trib_ends_line(uint16_t unit) {
    return unit == '\n' || unit == '\r' || unit == 0x85 || unit == 0x2028 || unit == 0x2029;
}

/* The bytes of the line end at text[at], at < length, or 0: LF, CRLF, CR, and in UTF-8 U+0085,
 * U+2028 and U+2029. */
static inline size_t trib_line_end(const char *text, size_t at, size_t length) {
    const unsigned char *const s = (const unsigned char *)text + at;
    const size_t left = length - at;
    if (*s == '\n') return 1;
    if (*s == '\r') return left > 1 && s[1] == '\n' ? 2 : 1;
    if (*s == 0xC2) return left > 1 && s[1] == 0x85 ? 2 : 0;
    if (*s == 0xE2) return left > 2 && s[1] == 0x80 && (s[2] | 1) == 0xA9 ? 3 : 0;
    return 0;
}

/* ---- Interning (intern.c) -------------------------------------------------------------------- */

/* A slot of the table of words; id 0 when it is free. */
typedef struct trib_intern_slot {
    uint64_t key;    /* the bytes of a word of up to eight, the hash of a longer one */
    uint32_t length; /* length of the word; UINT32_MAX: that or more */
    uint32_t id;     /* id of the word, + 1 */
} trib_intern_slot;

/* Words by provisional id, in order of first appearance. `{0}` is empty. */
typedef struct trib_intern {
    uint32_t n_words;        /* number of different words */
    size_t cap;              /* words allocated for in `start` */
    size_t *start;           /* [n_words + 1] position of each word in `text` */
    char *text;              /* the words, each followed by a NUL */
    size_t n_text, text_cap; /* bytes of text, used and allocated */
    trib_intern_slot *slot;  /* [n_slots] hash table with open addressing */
    size_t n_slots;          /* a power of two, or 0 */
} trib_intern;

/* Sets *id to the id of a word (any bytes but NUL), which is added if it is new. After a failure
 * the table is unchanged. */
trib_status trib_intern_add(trib_intern *intern, const char *word, size_t length, uint32_t *id,
                            trib_error *error);
/* The id of a word, or UINT32_MAX. */
uint32_t trib_intern_find(const trib_intern *intern, const char *word, size_t length);
/* The word of an id, zero-terminated; valid until the next word is added. */
const char *trib_intern_word(const trib_intern *intern, uint32_t id);
/* Removes all words but keeps the memory. */
void trib_intern_clear(trib_intern *intern);
void trib_intern_release(trib_intern *intern);

/* ---- Vocabulary (vocab.c) -------------------------------------------------------------------- */

/* Not an id: n-gram windows break here. */
#define TRIB_NO_WORD UINT32_MAX
/* Not an id either: the word is left out, and the words around it become neighbours. */
#define TRIB_LEFT_OUT (UINT32_MAX - 1)

/* Which words a vocabulary holds; `{0}` is valid: all words. */
typedef struct trib_vocab_options {
    uint32_t size;          /* largest number of words; 0: no limit */
    uint64_t min_count;     /* smallest number of occurrences in the corpus */
    uint32_t min_documents; /* smallest number of documents with the word */
    bool wildcard; /* other words become <other> (true), or break the n-gram window (false) */
    /* if not NULL: the vocabulary is exactly these words, and size and minima are ignored; words
     * that do not occur have count 0 */
    const trib_intern *fixed;
    bool have_norms;     /* words have norms (word_runs.h) */
    uint32_t n_left_out; /* norms that are left out, for the message when no word is left */
} trib_vocab_options;

/* The words of a vocabulary by id: descending corpus count, ties by code point, then by norm.
 * <other>, if present, has the last id. `{0}` is empty. */
typedef struct trib_vocab {
    uint32_t n_words; /* number of words, including <other> */
    uint32_t other;   /* id of <other>, or TRIB_NO_WORD */
    char **word;      /* [n_words] pointers into text */
    uint64_t *count;  /* [n_words] occurrences in the corpus */
    /* [n_words] documents that hold the word; for <other>, those of its most widespread word */
    uint32_t *n_documents;
    /* the words, each followed by a NUL, and then their norms, if they have some */
    char *text;
    char **norm;       /* [n_words] the norms in `text`, no two alike; NULL: each word is its own */
    bool has_twins;    /* two words of different norms have one spelling */
    uint64_t n_tokens; /* tokens of the corpus */
    uint64_t n_other;  /* tokens that became <other> or a break */
    /* holds these arrays when they are large; otherwise empty */
    trib_scratch_array file;
    /* with several processes, the file that all of them map: holds large arrays apart from word */
    trib_spill shared;
} trib_vocab;

/* What makes word `id` another word than all others. Borrowed. */
static inline const char *trib_vocab_norm(const trib_vocab *vocab, uint32_t id) {
    return vocab->norm ? vocab->norm[id] : vocab->word[id];
}
/* The name of word `id` in files that tell words by their names: its spelling where no two words
 * have one, otherwise its norm. Borrowed. */
static inline const char *trib_vocab_name(const trib_vocab *vocab, uint32_t id) {
    return vocab->has_twins ? vocab->norm[id] : vocab->word[id];
}
/* Assigns the final ids to the words of `intern`. <other> exists when `wildcard` is set and some
 * word is left out. count[n] and n_documents[n] are indexed by provisional id. final_id[n] receives
 * the final id of each provisional id: that of the word, vocab->other or TRIB_NO_WORD. TRIB_CONFIG
 * when no word is left. */
trib_status trib_vocab_build(trib_vocab *vocab, const trib_intern *intern, const uint64_t *count,
                             const uint32_t *n_documents, const trib_vocab_options *options,
                             uint32_t *final_id, trib_error *error);
void trib_vocab_release(trib_vocab *vocab);
/* The bytes of all words with their NULs, which lie in `text` in the order of their ids. */
size_t trib_vocab_text_size(const trib_vocab *vocab);
/* Writes the vocabulary with a header line and tab-separated columns: id, word, count,
 * documents. */
void trib_vocab_write(const trib_vocab *vocab, trib_writer *writer);
/* Adds the words of a list: one word per line, ended by a tab or the line end; blank lines and #
 * comments are skipped. Of a vocab.tsv, recognised by its header line, the word column is read,
 * without <other>. Words are not normalised, so they must be written as the tokeniser writes them.
 * TRIB_CONFIG with file and line for a line that is not UTF-8 or, in a vocab.tsv, has no word; and
 * for a list without words. */
trib_status trib_vocab_read_list(trib_intern *words, trib_reader *reader, trib_error *error);
/* The same for a file. TRIB_INPUT when it cannot be read. */
trib_status trib_vocab_read_file(trib_intern *words, const char *path, trib_error *error);

/* ---- n-gram windows (vocab.c) ---------------------------------------------------------------- */

enum { TRIB_MAX_NGRAM = 8 };

/* A window of the last n ids. */
typedef struct trib_ngram {
    uint32_t n;                  /* 1 .. TRIB_MAX_NGRAM */
    uint32_t n_held;             /* ids in the window, at most n */
    uint32_t id[TRIB_MAX_NGRAM]; /* oldest first */
} trib_ngram;

/* Initialises an empty window of n ids. */
void trib_ngram_init(trib_ngram *window, uint32_t n);
void trib_ngram_break(trib_ngram *window); /* empties the window */
/* Appends an id; true when the window is full and window->id is an n-gram. TRIB_NO_WORD empties the
 * window. */
bool trib_ngram_push(trib_ngram *window, uint32_t id);

enum {
    TRIB_MAX_SKIP = 8,
    TRIB_SKIP_HELD = 64 /* >= (TRIB_MAX_NGRAM - 1) * (TRIB_MAX_SKIP + 1) + 1, the longest window */
};

/* The last ids, for n-grams with gaps. A skip-gram is n words in their order, with the same number
 * g of words left out between any two neighbours, 0 <= g <= skip; its words lie in a window of
 * (n - 1) (g + 1) + 1 words. With g = 0 it is an n-gram. These are the skip-grams of
 * tokenize_skip_ngrams in the R package textreuse (Mullen), not the larger number in which each gap
 * is chosen for itself (Guthrie and others 2006). */
typedef struct trib_skip_ngrams {
    uint32_t n;                  /* 1 .. TRIB_MAX_NGRAM */
    uint64_t n_held;             /* ids since the last break */
    uint32_t id[TRIB_SKIP_HELD]; /* id number i is at i % TRIB_SKIP_HELD */
} trib_skip_ngrams;

/* Initialises an empty window for skip-grams of n ids. */
void trib_skip_init(trib_skip_ngrams *window, uint32_t n);
void trib_skip_break(trib_skip_ngrams *window); /* empties the window */
void trib_skip_push(trib_skip_ngrams *window, uint32_t id);
/* Writes the skip-gram with `gap` <= TRIB_MAX_SKIP words left out that ends at the last id into
 * ngram[n]; false when it would begin before the last break. */
bool trib_skip_read(const trib_skip_ngrams *window, uint32_t gap, uint32_t ngram[]);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
