/* words.h - the words of one document in a file: written while its text is cut into words, read in
 * blocks. Private to pipeline.
 *
 * A document numbers its own words in the order they first appear. A word of the text is that
 * number and its place in the file, in one or two bytes mostly: for a word one byte behind the one
 * before, as long in the file as it is spelt, and without a break before it, the number is all.
 * Nothing grows with the text but the file: its writer holds the document's vocabulary and a block,
 * its reader one block of 4096 words more.
 *
 *     header, 16 bytes: "TRIBWORD", version 1 u32, words in a block u32
 *     blocks            each can be read without the others
 *     words             for each its length, its bytes, how often it occurs
 *     directory         for each block its bytes u32, their checksum u64
 *     about             what trib_words_about holds
 *     trailer, 64 bytes
 *          0  words of the text, u64; 8 bytes of all blocks, u64; 16 bytes of the words, u64
 *         24  different words, u32; 28 bytes of about, u32
 *         32  checksum of the words, u64; 40 of directory and about, u64
 *         48  checksum of the header and bytes 0 .. 47, u64; 56 "TRIBWEND"
 *
 * Numbers with a size are little-endian; all others are varints, 7 bits a byte, the lowest first. A
 * word of the text is 2 id, or 2 id + 1 and then 2 gap + break, where gap is the bytes since the
 * end of the word before in its block (at the block's start: of the file), and the difference of
 * its length in the file from that of its spelling, zigzag.
 *
 * Once there is a vocabulary a document can do without its spellings: in a numbered file, version
 * 2, the words are for each its id in the vocabulary + 1, or 0 where it has none, the length of its
 * spelling, how often it occurs. All else is the same. */
#ifndef TRIBUTARY_STORE_WORDS_H
#define TRIBUTARY_STORE_WORDS_H

#include "pipeline/input/strip.h"
#include "tokenizer/tokenizer.h"

enum {
    TRIB_ENCODING_MAX = 64,
    TRIB_REMARK_MAX = 256,
    TRIB_WORDS_BLOCK = 4096, /* words */
    TRIB_WORDS_HEADER = 16,
    TRIB_WORDS_TRAILER = 64,
    TRIB_WORDS_SPELT = 1, /* versions */
    TRIB_WORDS_NUMBERED = 2,
};

/* What is known of a text besides its words. */
typedef struct trib_words_about {
    trib_token_counts counts;
    trib_cuts cuts;                   /* n_texts 0: nothing was asked for */
    char encoding[TRIB_ENCODING_MAX]; /* what the file is written in */
    char remark[TRIB_REMARK_MAX];     /* of the stripper, or empty */
    uint64_t remark_line;
} trib_words_about;

/* ---- Writing (words_write.c) ----------------------------------------------------------------- */

/* Serves many documents, one at a time: begin, add..., end. `{0}` is ready for begin. */
typedef struct trib_words_writer {
    trib_writer *out;   /* borrowed */
    trib_intern intern; /* the document's own words */
    uint64_t *count;    /* [intern.n_words] */
    size_t count_cap;
    uint8_t *block; /* the block being filled */
    size_t n_block;
    uint32_t n_in_block;        /* words in it */
    uint64_t end;               /* of the last word in the file; 0 at the start of a block */
    uint64_t n_tokens, n_bytes; /* in all; n_bytes: of finished blocks */
    trib_buffer directory;
} trib_words_writer;

/* Begins a file where `out` stands, which may hold others before it. */
trib_status trib_words_begin(trib_words_writer *writer, trib_writer *out, trib_error *error);
/* The next word; its offset is not before the end of the last one. */
trib_status trib_words_add(trib_words_writer *writer, const trib_token *token, bool after_break,
                           trib_error *error);
trib_status trib_words_end(trib_words_writer *writer, const trib_words_about *about,
                           trib_error *error);
void trib_words_writer_release(trib_words_writer *writer);

/* ---- Reading (words.c) ----------------------------------------------------------------------- */

typedef struct trib_words {
    const trib_reader *reader; /* borrowed; nothing in it changes */
    uint64_t n_tokens;
    uint32_t n_words;
    size_t *start; /* [n_words + 1] of each word in text */
    char *text;    /* the words by id, each followed by a NUL; NULL in a numbered file, */
    uint32_t *id;  /* [n_words] where they have ids in the vocabulary, or TRIB_NO_WORD; else NULL */
    uint64_t *count; /* [n_words] */
    size_t n_blocks;
    uint64_t *position; /* [n_blocks + 1] of each block in the reader */
    uint64_t *checksum; /* [n_blocks] */
    trib_words_about about;
} trib_words;

/* Reads all but the blocks of the file of `length` bytes that begins at byte `from`. TRIB_INPUT,
 * naming the reader, for what is no such file, of another version, or damaged. Several threads may
 * read one trib_words. */
trib_status trib_words_open(trib_words *words, const trib_reader *reader, uint64_t from,
                            uint64_t length, trib_error *error);
/* The same for a numbered file. */
trib_status trib_words_open_numbered(trib_words *words, const trib_reader *reader, uint64_t from,
                                     uint64_t length, trib_error *error);
void trib_words_close(trib_words *words);
/* Copies the file of `length` bytes at byte `from`, which was opened before, to where `out`
 * stands. */
trib_status trib_words_copy(const trib_reader *reader, uint64_t from, uint64_t length,
                            trib_writer *out, trib_error *error);

/* The numbered file of these words, whose ids in the vocabulary are id[n_words] (or TRIB_NO_WORD),
 * behind what `file` holds (words_write.c). */
trib_status trib_words_number(const trib_words *words, const uint32_t *id, trib_buffer *file,
                              trib_error *error);

/* Not of a numbered file. */
static inline const char *trib_words_spelling(const trib_words *words, uint32_t id) {
    return words->text + words->start[id];
}

/* One block, decoded. */
typedef struct trib_words_block {
    bool ids_only;        /* set by who reads neither offset nor length: they are not filled */
    uint64_t first;       /* number of its first word in the text */
    size_t n;             /* words; 0: nothing is read */
    uint32_t *id;         /* [n] the document's own */
    uint64_t *offset;     /* [n] of its first byte in the file */
    uint32_t *length;     /* [n] bytes there */
    uint8_t *after_break; /* [n] a break lies before it */
    uint8_t *bytes;       /* scratch */
    size_t cap;
} trib_words_block;

trib_status trib_words_block_init(trib_words_block *block, trib_error *error);
void trib_words_block_release(trib_words_block *block);
/* Makes `block` the one that holds word i of the text, i < n_tokens; nothing is read when it is
 * already. TRIB_INPUT when the file is damaged there. */
trib_status trib_words_at(const trib_words *words, uint64_t i, trib_words_block *block,
                          trib_error *error);

#endif
