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

static trib_status damaged(const trib_reader *reader, const char *what, trib_error *error) {
    return trib_fail(error, TRIB_INPUT, "%s: %s damaged; make the file again", reader->name, what);
}

/* Reads the list with its trailer; *length receives the bytes of the list. The caller frees *list,
 * also after a failure. */
static trib_status read_end(trib_words *words, unsigned version, uint64_t from, uint64_t *length,
                            char **list, trib_error *error) {
    char trailer[TRIB_WORDS_TRAILER] = "";
    uint64_t n = 0, checksum = 0;
    const trib_reader *reader = words->reader;
    const uint64_t rest = *length < sizeof trailer ? 0 : *length - sizeof trailer;
    trib_status status = *length < sizeof trailer
                             ? TRIB_OK
                             : trib_reader_at(reader, from + rest, trailer, sizeof trailer, error);
    if (status != TRIB_OK) return status;
    trib_unpack in = {trailer + 8, trailer + sizeof trailer, false};
    if (memcmp(trailer, "TRIBWORD", 8) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: does not hold the words of a text", reader->name);
    const unsigned found = trib_unpack_u32(&in), in_block = trib_unpack_u32(&in);
    n = trib_unpack_u64(&in);
    checksum = trib_unpack_u64(&in);
    if (found != version)
        return trib_fail(error, TRIB_INPUT,
                         "%s: words of version %u, this program reads version %u", reader->name,
                         found, version);
    if (n > rest || in_block != TRIB_WORDS_BLOCK) return damaged(reader, "its end is", error);
    const size_t all = (size_t)n + sizeof trailer;
    status = trib_new(list, all, 1, "the words of a text", error);
    if (status == TRIB_OK) status = trib_reader_at(reader, from + rest - n, *list, all, error);
    if (status == TRIB_OK && trib_checksum(*list, all - sizeof checksum) != checksum)
        status = damaged(reader, "its end is", error);
    *length = n;
    return status;
}

static void read_word(trib_words *words, uint32_t w, trib_unpack *in) {
    const uint64_t length = trib_unpack_varint(in);
    trib_unpack_expect(in, length > 0 && length <= (uint64_t)(in->end - in->at));
    if (in->is_wrong) return;
    char *const text = words->text + words->start[w];
    trib_unpack_into(in, text, (size_t)length, 1);
    trib_unpack_expect(in, !memchr(text, 0, (size_t)length));
    text[length] = '\0';
    words->start[w + 1] = words->start[w] + (size_t)length + 1;
}

static void read_number(trib_words *words, uint32_t w, trib_unpack *in) {
    const uint64_t number = trib_unpack_varint(in), length = trib_unpack_varint(in);
    trib_unpack_expect(in,
                       number <= TRIB_NO_WORD && length > 0 && length < SIZE_MAX - words->start[w]);
    if (in->is_wrong) return;
    words->id[w] = number > 0 ? (uint32_t)(number - 1) : TRIB_NO_WORD;
    words->start[w + 1] = words->start[w] + (size_t)length + 1;
}

static void read_words(trib_words *words, unsigned version, trib_unpack *in) {
    uint64_t n_tokens = 0;
    for (uint32_t w = 0; w < words->n_words && !in->is_wrong; w++) {
        if (version == TRIB_WORDS_NUMBERED) read_number(words, w, in);
        else read_word(words, w, in);
        words->count[w] = trib_unpack_varint(in);
        trib_unpack_expect(in,
                           words->count[w] > 0 && words->count[w] <= words->n_tokens - n_tokens);
        n_tokens += words->count[w];
    }
    trib_unpack_expect(in, n_tokens == words->n_tokens);
}

/* The blocks have n_bytes in total and begin at byte `from` of the reader. */
static void read_blocks(trib_words *words, uint64_t from, uint64_t n_bytes, trib_unpack *in) {
    words->position[0] = from;
    for (size_t b = 0; b < words->n_blocks && !in->is_wrong; b++) {
        const uint64_t n = trib_unpack_varint(in);
        trib_unpack_expect(in, n <= n_bytes);
        n_bytes -= n;
        words->position[b + 1] = words->position[b] + n;
        words->checksum[b] = trib_unpack_u64(in);
    }
    trib_unpack_expect(in, n_bytes == 0);
}

/* Reads the list of a file whose blocks have n_bytes. No array is larger than the file. */
static trib_status read_list(trib_words *words, unsigned version, uint64_t from, uint64_t n_bytes,
                             trib_unpack in, trib_error *error) {
    static const char what[] = "the words of a text";
    const bool is_numbered = version == TRIB_WORDS_NUMBERED;
    const size_t length = (size_t)(in.end - in.at);
    words->n_tokens = trib_unpack_varint(&in);
    const uint64_t n_words = trib_unpack_varint(&in);
    const uint64_t n_blocks =
        words->n_tokens / TRIB_WORDS_BLOCK + (words->n_tokens % TRIB_WORDS_BLOCK > 0);
    trib_unpack_expect(&in, words->n_tokens <= n_bytes && n_words <= words->n_tokens &&
                                n_words <= length / 3 && n_words < TRIB_NO_WORD - 2 &&
                                n_blocks <= length / 9);
    if (in.is_wrong) return damaged(words->reader, "its end is", error);
    words->n_words = (uint32_t)n_words;
    words->n_blocks = (size_t)n_blocks;
    /* in the list, the length and count of a word take more space than its NUL */
    trib_status status = is_numbered ? TRIB_NEW(&words->id, n_words, what, error)
                                     : trib_new(&words->text, length, 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&words->start, n_words + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&words->count, n_words, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&words->position, n_blocks + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&words->checksum, n_blocks, what, error);
    if (status != TRIB_OK) return status;
    read_words(words, version, &in);
    read_blocks(words, from, n_bytes, &in);
    trib_words_about *const about = &words->about;
    trib_unpack_into(&in, about, 1, sizeof *about);
    trib_unpack_expect(&in, memchr(about->encoding, 0, sizeof about->encoding) &&
                                memchr(about->remark, 0, sizeof about->remark));
    return trib_unpack_is_whole(&in) ? TRIB_OK
                                     : damaged(words->reader, "its list of words is", error);
}

static trib_status open_version(trib_words *words, unsigned version, const trib_reader *reader,
                                uint64_t from, uint64_t length, trib_error *error) {
    uint64_t n = length;
    char *list = NULL;
    *words = (trib_words){.reader = reader};
    trib_status status = read_end(words, version, from, &n, &list, error);
    if (status == TRIB_OK)
        status = read_list(words, version, from, length - n - TRIB_WORDS_TRAILER,
                           (trib_unpack){list, list + n, false}, error);
    trib_free(list);
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
    TRIB_FREE(words->start, words->text, words->id, words->count, words->position, words->checksum);
    *words = (trib_words){0};
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

trib_status trib_words_block_init(trib_words_block *block, trib_error *error) {
    *block = (trib_words_block){0};
    trib_status status = TRIB_NEW(&block->id, TRIB_WORDS_BLOCK, "a block of words", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&block->offset, TRIB_WORDS_BLOCK, "a block of words", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&block->length, TRIB_WORDS_BLOCK, "a block of words", error);
    if (status == TRIB_OK)
        status = trib_new(&block->after_break, TRIB_WORDS_BLOCK, 1, "a block of words", error);
    if (status != TRIB_OK) trib_words_block_release(block);
    return status;
}

void trib_words_block_release(trib_words_block *block) {
    TRIB_FREE(block->id, block->offset, block->length, block->after_break, block->bytes);
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
