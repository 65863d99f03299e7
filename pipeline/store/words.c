/* words.c - reads the words of a document; the layout is in words.h. A wrong checksum means damage.
 * A file with right checksums may still have been forged, so every number that could lead outside
 * an array is checked. Both kinds of files are rejected. */
#include "pipeline/store/words.h"
#include "base/internal.h"

#include <string.h>

/* The bytes that have not been read yet. */
typedef struct bytes {
    const uint8_t *at, *end;
} bytes;

/* Returns false when the bytes end or the number has more than 64 bits. */
static inline bool take_varint(bytes *b, uint64_t *value) {
    uint64_t v = 0;
    for (int shift = 0; b->at < b->end && shift < 64; shift += 7) {
        const uint64_t byte = *b->at++;
        if (shift == 63 && byte > 1) return false;
        v |= (byte & 0x7F) << shift;
        if (byte >= 0x80) continue;
        *value = v;
        return true;
    }
    return false;
}

static uint64_t take_fixed(const uint8_t *at, int size) {
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static trib_status damaged(const trib_reader *reader, const char *what, trib_error *error) {
    return trib_fail(error, TRIB_INPUT, "%s: %s damaged; make the file again", reader->name, what);
}

/* The contents of the trailer. */
typedef struct trailer {
    uint64_t n_blocks_bytes, n_list;
    uint32_t n_about;
    uint64_t list_checksum, directory_checksum;
} trailer;

static trib_status read_trailer(trib_words *words, trailer *t, uint64_t from, uint64_t length,
                                unsigned version, trib_error *error) {
    const trib_reader *reader = words->reader;
    uint8_t both[TRIB_WORDS_HEADER + TRIB_WORDS_TRAILER];
    const uint8_t *const end = both + TRIB_WORDS_HEADER;
    const bool fits = length >= sizeof both;
    trib_status status =
        fits ? trib_reader_at(reader, from, both, TRIB_WORDS_HEADER, error) : TRIB_OK;
    if (status != TRIB_OK) return status;
    if (!fits || memcmp(both, "TRIBWORD", 8) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: does not hold the words of a text", reader->name);
    if (take_fixed(both + 8, 4) != version)
        return trib_fail(error, TRIB_INPUT,
                         "%s: words of version %llu, this program reads version %u", reader->name,
                         (unsigned long long)take_fixed(both + 8, 4), version);
    status = trib_reader_at(reader, from + length - TRIB_WORDS_TRAILER, both + TRIB_WORDS_HEADER,
                            TRIB_WORDS_TRAILER, error);
    if (status != TRIB_OK) return status;
    if (memcmp(end + 56, "TRIBWEND", 8) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: is cut off; make the file again", reader->name);
    if (take_fixed(end + 48, 8) != trib_checksum(both, TRIB_WORDS_HEADER + 48) ||
        take_fixed(both + 12, 4) != TRIB_WORDS_BLOCK)
        return damaged(reader, "its beginning or end is", error);
    words->n_tokens = take_fixed(end, 8);
    words->n_words = (uint32_t)take_fixed(end + 24, 4);
    *t = (trailer){take_fixed(end + 8, 8), take_fixed(end + 16, 8),
                   (uint32_t)take_fixed(end + 28, 4), take_fixed(end + 32, 8),
                   take_fixed(end + 40, 8)};
    /* these checks ensure that no sum below overflows, and that no allocation is larger than the
     * file */
    const uint64_t rest = length - sizeof both;
    const uint64_t n_blocks =
        words->n_tokens / TRIB_WORDS_BLOCK + (words->n_tokens % TRIB_WORDS_BLOCK > 0);
    if (t->n_blocks_bytes > rest || t->n_list > rest || n_blocks > rest / 12 ||
        t->n_blocks_bytes + t->n_list + 12 * n_blocks + t->n_about != rest ||
        words->n_tokens > t->n_blocks_bytes || words->n_words > t->n_list / 3 ||
        words->n_words > words->n_tokens || words->n_words >= TRIB_NO_WORD - 2)
        return damaged(reader, "its end is", error);
    words->n_blocks = (size_t)n_blocks;
    return TRIB_OK;
}

/* Reads a section and checks its checksum. Allocates one byte more than its length, so that an
 * empty section is not NULL. */
static trib_status read_section(const trib_reader *reader, uint64_t from, size_t length,
                                uint64_t checksum, const char *what, uint8_t **section,
                                trib_error *error) {
    trib_status status = trib_new(section, length + 1, 1, "the words of a text", error);
    if (status == TRIB_OK && length > 0)
        status = trib_reader_at(reader, from, *section, length, error);
    if (status == TRIB_OK && trib_checksum(*section, length) != checksum)
        status = damaged(reader, what, error);
    return status;
}

static bool read_word(trib_words *words, uint32_t w, bytes *b) {
    uint64_t length = 0;
    if (!take_varint(b, &length) || length == 0 || length > (uint64_t)(b->end - b->at) ||
        memchr(b->at, 0, (size_t)length))
        return false;
    char *const text = words->text + words->start[w];
    memcpy(text, b->at, (size_t)length);
    text[length] = '\0';
    words->start[w + 1] = words->start[w] + (size_t)length + 1;
    b->at += length;
    return take_varint(b, &words->count[w]) && words->count[w] > 0;
}

static bool read_number(trib_words *words, uint32_t w, bytes *b) {
    uint64_t number = 0, length = 0;
    if (!take_varint(b, &number) || number > TRIB_NO_WORD || !take_varint(b, &length) ||
        length == 0 || length >= SIZE_MAX - words->start[w])
        return false;
    words->id[w] = number > 0 ? (uint32_t)(number - 1) : TRIB_NO_WORD;
    words->start[w + 1] = words->start[w] + (size_t)length + 1;
    return take_varint(b, &words->count[w]) && words->count[w] > 0;
}

static trib_status read_list(trib_words *words, const uint8_t *list, size_t length,
                             unsigned version, trib_error *error) {
    const size_t n = words->n_words;
    bytes b = {list, list + length};
    uint64_t n_tokens = 0;
    /* in the list, the length and count of a word take more space than its NUL */
    trib_status status =
        version == TRIB_WORDS_NUMBERED
            ? trib_new(&words->id, n, sizeof *words->id, "a document's words", error)
            : trib_new(&words->text, length, 1, "the words of a text", error);
    if (status == TRIB_OK)
        status = trib_new(&words->start, n + 1, sizeof *words->start, "the words of a text", error);
    if (status == TRIB_OK)
        status = trib_new(&words->count, n, sizeof *words->count, "the words of a text", error);
    if (status != TRIB_OK) return status;
    for (uint32_t id = 0; id < words->n_words; id++) {
        const bool good =
            version == TRIB_WORDS_NUMBERED ? read_number(words, id, &b) : read_word(words, id, &b);
        if (!good || words->count[id] > words->n_tokens - n_tokens)
            return damaged(words->reader, "its list of words is", error);
        n_tokens += words->count[id];
    }
    return b.at == b.end && n_tokens == words->n_tokens
               ? TRIB_OK
               : damaged(words->reader, "its list of words is", error);
}

static bool take_text(bytes *b, char *text, size_t size) {
    uint64_t length = 0;
    if (!take_varint(b, &length) || length >= size || length > (uint64_t)(b->end - b->at))
        return false;
    memcpy(text, b->at, (size_t)length);
    text[length] = '\0';
    b->at += length;
    return true;
}

static bool read_about(trib_words_about *about, bytes b) {
    uint64_t n_texts = 0;
    uint64_t *const number[] = {&about->counts.n_bytes,
                                &about->counts.n_words,
                                &about->counts.n_dropped_numbers,
                                &about->counts.n_replaced,
                                &about->cuts.before.n_bytes,
                                &about->cuts.before.n_lines,
                                &about->cuts.between.n_bytes,
                                &about->cuts.between.n_lines,
                                &about->cuts.after.n_bytes,
                                &about->cuts.after.n_lines,
                                &n_texts,
                                &about->remark_line};
    bool good = true;
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        good = good && take_varint(&b, number[i]);
    about->cuts.n_texts = (uint32_t)n_texts;
    return good && n_texts <= UINT32_MAX && take_text(&b, about->encoding, TRIB_ENCODING_MAX) &&
           take_text(&b, about->remark, TRIB_REMARK_MAX) && b.at == b.end;
}

/* The blocks begin at byte `from` of the reader and have n_bytes in total. */
static trib_status read_directory(trib_words *words, const uint8_t *directory, size_t n_about,
                                  uint64_t from, uint64_t n_bytes, trib_error *error) {
    const size_t n = words->n_blocks;
    const uint8_t *const about = directory + 12 * n;
    trib_status status =
        trib_new(&words->position, n + 1, sizeof *words->position, "the words of a text", error);
    if (status == TRIB_OK)
        status =
            trib_new(&words->checksum, n, sizeof *words->checksum, "the words of a text", error);
    if (status != TRIB_OK) return status;
    words->position[0] = from;
    for (size_t b = 0; b < n; b++) {
        words->position[b + 1] = words->position[b] + take_fixed(directory + 12 * b, 4);
        words->checksum[b] = take_fixed(directory + 12 * b + 4, 8);
    }
    return words->position[n] - from == n_bytes &&
                   read_about(&words->about, (bytes){about, about + n_about})
               ? TRIB_OK
               : damaged(words->reader, "its directory is", error);
}

static trib_status open_version(trib_words *words, unsigned version, const trib_reader *reader,
                                uint64_t from, uint64_t length, trib_error *error) {
    trailer t = {0};
    uint8_t *list = NULL, *directory = NULL;
    *words = (trib_words){.reader = reader};
    trib_status status = read_trailer(words, &t, from, length, version, error);
    if (status != TRIB_OK) goto done;
    const uint64_t blocks = from + TRIB_WORDS_HEADER, behind = blocks + t.n_blocks_bytes;
    const size_t n_directory = 12 * words->n_blocks + t.n_about;
    status = read_section(reader, behind, (size_t)t.n_list, t.list_checksum, "its list of words is",
                          &list, error);
    if (status == TRIB_OK)
        status = read_section(reader, behind + t.n_list, n_directory, t.directory_checksum,
                              "its directory is", &directory, error);
    if (status == TRIB_OK) status = read_list(words, list, (size_t)t.n_list, version, error);
    if (status == TRIB_OK)
        status = read_directory(words, directory, t.n_about, blocks, t.n_blocks_bytes, error);
done:
    trib_free(list);
    trib_free(directory);
    if (status != TRIB_OK) trib_words_close(words);
    return status;
}

trib_status trib_words_open(trib_words *words, const trib_reader *reader, uint64_t from,
                            uint64_t length, trib_error *error) {
    return open_version(words, TRIB_WORDS_SPELT, reader, from, length, error);
}

trib_status trib_words_open_numbered(trib_words *words, const trib_reader *reader, uint64_t from,
                                     uint64_t length, trib_error *error) {
    return open_version(words, TRIB_WORDS_NUMBERED, reader, from, length, error);
}

void trib_words_close(trib_words *words) {
    trib_free(words->start);
    trib_free(words->text);
    trib_free(words->id);
    trib_free(words->count);
    trib_free(words->position);
    trib_free(words->checksum);
    *words = (trib_words){0};
}

trib_status trib_words_copy(const trib_reader *reader, uint64_t from, uint64_t length,
                            trib_writer *out, trib_error *error) {
    char block[1 << 14];
    trib_status status = TRIB_OK;
    while (length > 0 && status == TRIB_OK) {
        const size_t n = length < sizeof block ? (size_t)length : sizeof block;
        status = trib_reader_at(reader, from, block, n, error);
        if (status == TRIB_OK) trib_write(out, block, n);
        from += n;
        length -= n;
    }
    return status;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

trib_status trib_words_block_init(trib_words_block *block, trib_error *error) {
    *block = (trib_words_block){0};
    trib_status status =
        trib_new(&block->id, TRIB_WORDS_BLOCK, sizeof *block->id, "a block of words", error);
    if (status == TRIB_OK)
        status = trib_new(&block->offset, TRIB_WORDS_BLOCK, sizeof *block->offset,
                          "a block of words", error);
    if (status == TRIB_OK)
        status = trib_new(&block->length, TRIB_WORDS_BLOCK, sizeof *block->length,
                          "a block of words", error);
    if (status == TRIB_OK)
        status = trib_new(&block->after_break, TRIB_WORDS_BLOCK, 1, "a block of words", error);
    if (status != TRIB_OK) trib_words_block_release(block);
    return status;
}

void trib_words_block_release(trib_words_block *block) {
    trib_free(block->id);
    trib_free(block->offset);
    trib_free(block->length);
    trib_free(block->after_break);
    trib_free(block->bytes);
    *block = (trib_words_block){0};
}

/* Reads what follows an odd code: the gap before the word, and its length in the file. */
static bool take_place(bytes *b, uint64_t spelling, uint64_t *gap, uint64_t *length,
                       uint8_t *after_break) {
    uint64_t difference = 0;
    if (!take_varint(b, gap) || !take_varint(b, &difference)) return false;
    *after_break = *gap & 1;
    *gap >>= 1;
    *length = spelling + (difference >> 1 ^ (difference & 1 ? UINT64_MAX : 0));
    return *length <= UINT32_MAX;
}

/* Reads the code of a word, usually one or two bytes. */
static inline bool take_code(bytes *b, uint64_t *code) {
    if (b->end - b->at < 2 || (b->at[0] >= 0x80 && b->at[1] >= 0x80)) return take_varint(b, code);
    const unsigned more = b->at[0] >= 0x80;
    *code = (b->at[0] & 0x7Fu) | (more ? (unsigned)b->at[1] << 7 : 0);
    b->at += 1 + more;
    return true;
}

static bool decode(const trib_words *words, trib_words_block *block, bytes b) {
    const size_t *const start = words->start;
    uint64_t end = 0;
    for (size_t i = 0; i < block->n; i++) {
        uint64_t code = 0, gap = 1;
        if (!take_code(&b, &code) || code >> 1 >= words->n_words) return false;
        const uint32_t id = (uint32_t)(code >> 1);
        uint64_t length = start[id + 1] - start[id] - 1;
        block->after_break[i] = 0;
        if (code & 1 && !take_place(&b, length, &gap, &length, &block->after_break[i]))
            return false;
        if (gap > UINT64_MAX - end - length) return false;
        block->id[i] = id;
        block->offset[i] = end + gap;
        block->length[i] = (uint32_t)length;
        end += gap + length;
    }
    return b.at == b.end;
}

/* The same, without the positions in the file. */
static bool decode_ids(const trib_words *words, trib_words_block *block, bytes b) {
    for (size_t i = 0; i < block->n; i++) {
        uint64_t code = 0, gap = 0, difference = 0;
        if (!take_code(&b, &code) || code >> 1 >= words->n_words) return false;
        if (code & 1 && !(take_varint(&b, &gap) && take_varint(&b, &difference))) return false;
        block->id[i] = (uint32_t)(code >> 1);
        block->after_break[i] = gap & 1;
    }
    return b.at == b.end;
}

trib_status trib_words_at(const trib_words *words, uint64_t i, trib_words_block *block,
                          trib_error *error) {
    if (i >= block->first && i - block->first < block->n) return TRIB_OK;
    const size_t number = (size_t)(i / TRIB_WORDS_BLOCK);
    const uint64_t left = words->n_tokens - (uint64_t)number * TRIB_WORDS_BLOCK;
    const uint64_t from = words->position[number];
    const size_t length = (size_t)(words->position[number + 1] - from);
    block->n = 0;
    trib_status status =
        trib_grow(&block->bytes, &block->cap, length, 1, "a block of words", error);
    if (status == TRIB_OK)
        status = trib_reader_at(words->reader, from, block->bytes, length, error);
    if (status != TRIB_OK) return status;
    block->first = (uint64_t)number * TRIB_WORDS_BLOCK;
    block->n = left < TRIB_WORDS_BLOCK ? (size_t)left : TRIB_WORDS_BLOCK;
    const bytes b = {block->bytes, block->bytes + length};
    if (trib_checksum(block->bytes, length) == words->checksum[number] &&
        (block->ids_only ? decode_ids(words, block, b) : decode(words, block, b)))
        return TRIB_OK;
    block->n = 0;
    return damaged(words->reader, "a block of its words is", error);
}
