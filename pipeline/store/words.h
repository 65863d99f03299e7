/* words.h - the words of one document in a file: written while its text is cut into words, read in
 * blocks. Private to pipeline.
 *
 * A document numbers its own words in the order they first appear. The text is stored as codes, one
 * for each word. A code has the word's number; its position follows only where it is unusual: most
 * words begin one byte after the word before, have as many bytes in the document as in their
 * spelling, and follow no break. Such a code usually takes one or two bytes. Only the file grows
 * with the text: its writer holds the document's vocabulary and one block in memory, its reader
 * another block of 4096 words.
 *
 *     blocks   each can be read without the others
 *     list     words of the text and different words; for each word its length, its bytes, how
 *              often it occurs; for each block its bytes and their checksum u64; a trib_words_about
 *     trailer  "TRIBWORD", version u32, words in a block u32, bytes of the list u64, checksum of
 *              all from the list to here u64
 *
 * Numbers without a size are varints of 7 bits a byte, the lowest first.
 * The code of a word is 2 id, or 2 id + 1 when its position follows. The position is 2 gap + break,
 * then a length difference. The gap is the number of bytes since the end of the previous word in
 * the block; for the first word of a block, since the start of the document. The difference is the
 * word's length in the document minus that of its spelling, zigzag-encoded.
 *
 * Once there is a vocabulary, a document no longer needs its spellings. In a numbered file, version
 * 2, the list has for each word its id in the vocabulary + 1 (0 if it has none), the
 * length of its spelling, and how often it occurs. All else is the same. */
#ifndef TRIBUTARY_STORE_WORDS_H
#define TRIBUTARY_STORE_WORDS_H

#include "pipeline/text/strip.h"
#include "tokenizer/tokenizer.h"

enum {
    TRIB_REMARK_MAX = 256,
    TRIB_WORDS_BLOCK = 4096, /* words */
    TRIB_WORDS_TRAILER = 32,
    TRIB_WORDS_SPELT = 1, /* versions */
    TRIB_WORDS_NUMBERED = 2,
};

/* Facts about a text other than its words. */
typedef struct trib_words_about {
    trib_token_counts counts;
    trib_cuts cuts;                   /* n_texts 0: stripping is off */
    char encoding[TRIB_ENCODING_MAX]; /* the encoding of the file */
    char remark[TRIB_REMARK_MAX];     /* remark of the stripper, or empty */
    uint64_t remark_line;
    uint32_t n_divided;   /* words that `join_hyphens: auto` has joined */
    trib_account account; /* trib_words_end adds the words it begins and ends with */
} trib_words_about;

/* ---- Writing --------------------------------------------------------------------------------- */

/* Writes many documents, one at a time: begin, add..., end. `{0}` is ready for begin. */
typedef struct trib_words_writer {
    trib_writer *out;              /* borrowed */
    const trib_text_ranges *parts; /* borrowed; the parts of the text with words; empty: one part */
    size_t part;                   /* the part of the last word */
    trib_intern intern;            /* the document's own words */
    uint64_t *count;               /* [intern.n_words] */
    size_t count_cap;
    uint8_t *block; /* the current block */
    size_t n_block;
    uint32_t n_in_block; /* words in it */
    uint64_t end;        /* of the last word in the document; 0 at the start of a block */
    uint64_t n_tokens;   /* in total */
    size_t n_blocks;     /* finished */
    uint64_t *position;  /* [n_blocks + 1] start of each in `out` */
    uint64_t *checksum;  /* [n_blocks] */
    size_t position_cap, checksum_cap;
    uint32_t first[TRIB_ACCOUNT_WORDS], last[32]; /* words; last: word i is at i % 32 */
    uint64_t row_from, row_to;                    /* the next row of words that is looked at */
    /* words of it that are one of 200 of all before; the least and the most of any such row */
    uint32_t n_common, least_common, most_common;
} trib_words_writer;

/* Begins a file at the current position of `out`, which may already contain other files. A break
 * comes before the first word of each of `parts`, borrowed until end, which must be known before
 * the first word is added; NULL or empty: no such breaks. */
trib_status trib_words_begin(trib_words_writer *writer, trib_writer *out,
                             const trib_text_ranges *parts, trib_error *error);
/* Adds the next word to a trib_words_writer, as the sink of a tokenizer. Its offset must not be
 * before the end of the last word. */
trib_status trib_words_add(void *writer, const trib_token *token, trib_error *error);
trib_status trib_words_end(trib_words_writer *writer, const trib_words_about *about,
                           trib_error *error);
void trib_words_writer_release(trib_words_writer *writer);

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct trib_words {
    const trib_reader *reader; /* borrowed; must not change while in use */
    uint64_t n_tokens;
    uint32_t n_words;
    size_t *start; /* [n_words + 1] start of each word in text */
    char *text;    /* the words by id, each followed by a NUL; NULL in a numbered file */
    /* [n_words] ids in the vocabulary or TRIB_NO_WORD, of a numbered file; otherwise NULL, or set
     * by who opens the file; trib_words_close releases it */
    uint32_t *id;
    uint64_t *count; /* [n_words] */
    size_t n_blocks;
    uint64_t *position; /* [n_blocks + 1] start of each block in the reader */
    uint64_t *checksum; /* [n_blocks] */
    trib_words_about about;
} trib_words;

/* Reads all but the blocks of a file of `length` bytes that begins at byte `from`. TRIB_INPUT,
 * naming the reader, for a file that is of another kind or version, or damaged. Several threads may
 * use one trib_words. */
trib_status trib_words_open(trib_words *words, const trib_reader *reader, uint64_t from,
                            uint64_t length, trib_error *error);
/* The same for a numbered file. */
trib_status trib_words_open_numbered(trib_words *words, const trib_reader *reader, uint64_t from,
                                     uint64_t length, trib_error *error);
void trib_words_close(trib_words *words);

/* Writes the words, which are not numbered, to `out` without those of left_out[n_words]. A break
 * before one of these comes before the next word. The others keep the order of their ids. *n_left
 * receives the words of the new text. */
trib_status trib_words_without(const trib_words *words, const bool *left_out,
                               trib_words_writer *writer, trib_writer *out, uint64_t *n_left,
                               trib_error *error);

/* Appends the numbered file of these words to `file`. id[n_words] are their ids in the vocabulary,
 * or TRIB_NO_WORD. */
trib_status trib_words_number(const trib_words *words, const uint32_t *id, trib_buffer *file,
                              trib_error *error);

/* Not for a numbered file. */
static inline const char *trib_words_spelling(const trib_words *words, uint32_t id) {
    return words->text + words->start[id];
}

/* A decoded block. */
typedef struct trib_words_block {
    /* set by a caller that needs neither offset nor length; they are not filled */
    bool ids_only;
    uint64_t first;       /* position of its first word in the text */
    size_t n;             /* words; 0: no block has been read */
    uint32_t *id;         /* [n] the document's own ids */
    uint64_t *offset;     /* [n] of the first byte in the document */
    uint32_t *length;     /* [n] bytes in the document */
    uint8_t *after_break; /* [n] a break comes before the word */
    uint8_t *bytes;       /* scratch */
    size_t cap;
} trib_words_block;

trib_status trib_words_block_init(trib_words_block *block, trib_error *error);
void trib_words_block_release(trib_words_block *block);
/* Makes `block` the one that contains word i of the text, i < n_tokens. Reads nothing if it already
 * does. TRIB_INPUT when the file is damaged there. */
trib_status trib_words_at(const trib_words *words, uint64_t i, trib_words_block *block,
                          trib_error *error);

#endif
