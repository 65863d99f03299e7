/* segment.h - a file of a library: some texts, their words, and where each phrase stands.
 *
 *     data      for each text its bytes as decoded, in pieces of at most 64 KiB, packed
 *     pieces    a trib_segment_piece for each
 *     abouts    what is said of each text: its fields, each ended by a NUL
 *     texts     a trib_segment_text for each
 *     postings  blocks of 128 places in ascending order of hash, then place: a bit (the hash is the
 *               one before), and the distance of the place; or that of the hash, and the place.
 *               Distances are Rice codes, whose parameters begin the block
 *     blocks    a trib_segment_block for each
 *     end       a trib_segment_end
 *
 * A phrase is 5 words in succession. Of any 4 phrases in succession the one with the least hash is
 * in the file, so that 8 equal words share at least one. Of any 5 words in succession the rarest so
 * far is in the file, too: passages of a dozen words that were altered share some. A place is 256
 * bytes of a text; each text begins with one. Words are compared without case, marks and spelling
 * variants (trib_fold); words without letters do not count. Numbers have the byte order of the
 * machine, which the end records. What is read has a checksum of its own, so that a place that is
 * looked up costs a page or two. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_SEGMENT_H
#define TRIBUTARY_TEXT_SEGMENT_H

#include "base/arena.h"

enum {
    TRIB_PHRASE_WORDS = 5,
    TRIB_PHRASE_WINDOW = 4,
    TRIB_WORD_WINDOW = 5,
    TRIB_UNIT = 256,      /* bytes of a place */
    TRIB_PIECE = 1 << 16, /* bytes of text */
    TRIB_BLOCK_PLACES = 128,
    TRIB_SEGMENT_WORDS = 1 << 24 /* words after which a new segment is begun */
};

/* What is said of a text, in this order. */
typedef struct trib_indexed_text {
    const char *id, *title, *author, *date, *language, *file, *name, *sha256, *kind;
    const char *references; /* a line for each: the first byte for which it holds, and its label */
} trib_indexed_text;
enum { TRIB_INDEXED_FIELDS = sizeof(trib_indexed_text) / sizeof(char *) };

typedef struct trib_segment_piece {
    uint64_t at, line; /* its packed bytes in the file; line ends before it */
    uint32_t packed, bytes;
    uint64_t sum; /* of the packed bytes and of the members before */
} trib_segment_piece;
typedef struct trib_segment_text {
    uint64_t about_at, about_size;
    uint64_t first_byte, n_bytes; /* of the texts of the segment */
    uint64_t n_words, piece, n_pieces;
    double year, year_end; /* as in trib_corpus_document */
    uint64_t sum;          /* of what is said of it, and of the members before */
} trib_segment_text;
typedef struct trib_segment_block {
    uint64_t at;
    uint32_t hash, bytes; /* the first hash of the block; its bytes */
    uint64_t sum;         /* of its bytes, its hash and that of the next block */
} trib_segment_block;
typedef struct trib_segment_end {
    char name[8];
    uint32_t version, order;
    uint64_t n_texts, n_pieces, n_blocks, n_places, n_words, n_bytes;
    uint64_t pieces_at, texts_at, blocks_at;
    uint64_t sum;
} trib_segment_end;

/* An open segment. `{0}` may be closed. */
typedef struct trib_segment {
    uint64_t number;
    char *path;
    trib_mapped_file file;
    trib_segment_end end;
    const trib_segment_piece *piece; /* [end.n_pieces] */
    const trib_segment_text *text;   /* [end.n_texts] */
    const trib_segment_block *block; /* [end.n_blocks] */
    bool *is_removed;                /* [end.n_texts] */
    uint64_t n_removed;
} trib_segment;

trib_status trib_segment_open(trib_segment *segment, const char *path, uint64_t number,
                              trib_error *error);
void trib_segment_close(trib_segment *segment);
/* What is said of a text; borrowed from the segment. TRIB_INPUT when it is damaged. */
trib_status trib_segment_about(const trib_segment *segment, size_t text, trib_indexed_text *about,
                               trib_error *error);
/* Appends the pieces of a text that hold its bytes from .. end - 1. *skipped (may be NULL) receives
 * the bytes of the text before them. TRIB_INPUT when one is damaged. */
trib_status trib_segment_bytes(const trib_segment *segment, size_t text, uint64_t from,
                               uint64_t end, trib_buffer *to, uint64_t *skipped, trib_error *error);
/* The line ends among the bytes from .. end - 1 of a text. */
uint64_t trib_lines_between(const trib_buffer *text, size_t from, size_t end);
/* The text that holds a byte of the segment. */
size_t trib_segment_text_at(const trib_segment *segment, uint64_t byte);

/* A segment is read here and there from now on: in a library that is not in memory each page costs
 * some .1 ms, unless pages were announced together before. These announce what is known of a hash,
 * and bytes of a text with what is said of it. */
void trib_segment_scatter(const trib_segment *segment);
void trib_segment_announce_hash(const trib_segment *segment, uint32_t hash);
void trib_segment_announce_bytes(const trib_segment *segment, size_t text, uint64_t from,
                                 uint64_t end);
/* At most so many places have a hash. They are announced, not read. */
uint64_t trib_segment_most_places(const trib_segment *segment, uint32_t hash);
/* Calls `take` with the first byte of each place of a hash. TRIB_INPUT when the postings are
 * damaged. */
typedef void trib_place_sink(void *context, uint32_t place);
trib_status trib_segment_places(const trib_segment *segment, uint32_t hash, trib_place_sink *take,
                                void *context, trib_error *error);
/* Decodes block b into hash and place, *n of each, at most TRIB_BLOCK_PLACES. */
typedef struct trib_places {
    uint32_t hash[TRIB_BLOCK_PLACES], place[TRIB_BLOCK_PLACES];
    size_t n;
} trib_places;
trib_status trib_segment_block_read(const trib_segment *segment, size_t b, trib_places *places,
                                    trib_error *error);

/* ---- Phrases --------------------------------------------------------------------------------- */

/* The words of a text, or of a part of one, that have letters. `{0}` is empty. */
typedef struct trib_hashed_words {
    uint32_t *hash;       /* [n] */
    uint64_t *from, *end; /* [n] their bytes */
    size_t n, cap, from_cap, end_cap;
    trib_arena *spellings; /* NULL, or borrowed: keeps spelling[n] */
    const char **spelling;
    size_t spelling_cap;
} trib_hashed_words;
void trib_hashed_words_release(trib_hashed_words *words);
/* The hash of n words: of a phrase, or of one. */
uint32_t trib_phrase_hash(const uint32_t *word, size_t n);
/* Calls `take` with the number of each phrase of n words that the index has, or of all. */
typedef trib_status trib_phrase_sink(void *context, size_t phrase, uint32_t hash,
                                     trib_error *error);
trib_status trib_phrases_choose(const uint32_t *hash, size_t n, bool all, trib_phrase_sink *take,
                                void *context, trib_error *error);

/* The last numbers of a row. `{.size = n}` is before the first. */
typedef struct trib_window {
    size_t size, last; /* last: the item that was chosen last, from 1 */
    uint64_t number[TRIB_WORD_WINDOW];
} trib_window;
/* Moves on to item i of n. Whether another item than before has the least number: last - 1. */
bool trib_window_slide(trib_window *window, size_t i, size_t n, uint64_t number);

/* Packs places, at least 1; returns the number of bytes. Sorts a[n], with the help of b[n], into b.
 * Unpacks n places, the first with a hash; false when they do not end where the bytes do, after
 * which some more can be read. */
enum { TRIB_PACKED_MOST = TRIB_BLOCK_PLACES * 9 + 64, TRIB_PACKED_SLACK = 32 };
size_t trib_places_pack(uint8_t bytes[TRIB_PACKED_MOST], const trib_places *places);
bool trib_places_unpack(trib_places *places, size_t n, uint32_t hash, const void *bytes,
                        size_t length);
void trib_places_sort(uint64_t *a, uint64_t *b, size_t n);

/* ---- Writing --------------------------------------------------------------------------------- */

/* A segment that is being written. `{0}` may be released. */
typedef struct trib_segment_writer {
    trib_writer out;
    trib_segment_piece *piece;
    trib_segment_text *text;
    trib_segment_block *block;
    trib_buffer abouts;
    uint64_t *place; /* [n_places] hash << 32 | place */
    uint32_t *seen;  /* [65536] words so far, by the first bits of their hashes */
    size_t n_pieces, piece_cap, n_texts, text_cap, n_blocks, block_cap, n_places, place_cap;
    uint64_t n_words, n_bytes;
    trib_places pending; /* of the next block */
    uint64_t n_written;  /* places */
} trib_segment_writer;

trib_status trib_segment_begin(trib_segment_writer *writer, const char *path, trib_error *error);
/* A text that is added. */
typedef struct trib_segment_input {
    trib_indexed_text about;
    double year, year_end;
    const trib_hashed_words *words; /* NULL: its phrases are added later */
    const trib_buffer *bytes;       /* the text in UTF-8; NULL: the pieces of `from` as they are */
    const trib_segment *from;
    size_t from_text;
} trib_segment_input;
trib_status trib_segment_add(trib_segment_writer *writer, const trib_segment_input *input,
                             trib_error *error);
/* Writes a place; in ascending order of hash, then place. */
trib_status trib_segment_place(trib_segment_writer *writer, uint32_t hash, uint32_t place,
                               trib_error *error);
/* Ends the file: it is there under its name. */
trib_status trib_segment_commit(trib_segment_writer *writer, trib_error *error);
void trib_segment_writer_release(trib_segment_writer *writer);

#endif
