/* words.c - writes and reads the words of a document; the layout is in words.h. A wrong checksum
 * means damage. A file with right checksums may still have been forged, so every number that could
 * lead outside an array is checked. Both kinds of files are rejected. */
#include "pipeline/store/words.h"
#include "base/internal.h"
#include "pipeline/support/pack.h"

/* The end of a file, as in words.h. */
typedef struct trailer {
    char name[8];
    uint32_t version, in_block;
    uint64_t length, checksum;
} trailer;
static const char name[8] = {'T', 'R', 'I', 'B', 'W', 'O', 'R', 'D'};
_Static_assert(sizeof(trailer) == TRIB_WORDS_TRAILER, "the trailer has no gaps");

static const char what_block[] = "a block of words";

/* ---- The list -------------------------------------------------------------------------------- */

/* A word of a file with spellings: words->text has room for all of them. */
static void pack_spelling(trib_words *words, uint32_t w, trib_pack *pack) {
    size_t *const start = &words->start[w];
    uint64_t length = pack->reads ? 0 : start[1] - start[0] - 1;
    trib_pack_varint(pack, &length);
    trib_pack_expect(pack, length > 0 && length <= (uint64_t)(pack->end - pack->at));
    if (!trib_pack_is_good(pack)) return;
    char *const text = words->text + start[0];
    trib_pack_bytes(pack, text, (size_t)length);
    if (!pack->reads) return;
    trib_pack_expect(pack, !memchr(text, 0, (size_t)length));
    text[length] = '\0';
    start[1] = start[0] + (size_t)length + 1;
}

/* A word of a numbered file. */
static void pack_number(trib_words *words, uint32_t w, trib_pack *pack) {
    size_t *const start = &words->start[w];
    uint64_t number = 0, length = 0;
    if (!pack->reads) {
        number = words->id[w] == TRIB_NO_WORD ? 0 : (uint64_t)words->id[w] + 1;
        length = start[1] - start[0] - 1;
    }
    trib_pack_varint(pack, &number);
    trib_pack_varint(pack, &length);
    trib_pack_expect(pack, number <= TRIB_NO_WORD && length > 0 && length < SIZE_MAX - start[0]);
    if (!pack->reads || !trib_pack_is_good(pack)) return;
    words->id[w] = number > 0 ? (uint32_t)(number - 1) : TRIB_NO_WORD;
    start[1] = start[0] + (size_t)length + 1;
}

static void pack_words(trib_words *words, unsigned version, trib_pack *pack) {
    uint64_t n_tokens = 0;
    for (uint32_t w = 0; w < words->n_words && trib_pack_is_good(pack); w++) {
        if (version == TRIB_WORDS_NUMBERED) pack_number(words, w, pack);
        else pack_spelling(words, w, pack);
        trib_pack_varint(pack, &words->count[w]);
        trib_pack_expect(pack,
                         words->count[w] > 0 && words->count[w] <= words->n_tokens - n_tokens);
        n_tokens += words->count[w];
    }
    trib_pack_expect(pack, n_tokens == words->n_tokens);
}

/* The bytes and the checksum of each block. The blocks have n_bytes in total. */
static void pack_blocks(trib_words *words, uint64_t n_bytes, trib_pack *pack) {
    for (size_t b = 0; b < words->n_blocks && trib_pack_is_good(pack); b++) {
        uint64_t n = pack->reads ? 0 : words->position[b + 1] - words->position[b];
        trib_pack_varint(pack, &n);
        trib_pack_expect(pack, n <= n_bytes);
        n_bytes -= n;
        if (pack->reads) words->position[b + 1] = words->position[b] + n;
        TRIB_PACK(pack, words->checksum[b]);
    }
    trib_pack_expect(pack, n_bytes == 0);
}

/* Makes the arrays of the words when they are read. None is larger than the file. */
static void allocate(trib_words *words, unsigned version, uint64_t from, size_t length,
                     trib_error *error) {
    static const char what[] = "the words of a text";
    const size_t n_words = words->n_words, n_blocks = words->n_blocks;
    /* in the list, the length and count of a word take more space than its NUL */
    trib_status status = version == TRIB_WORDS_NUMBERED
                             ? TRIB_NEW(&words->id, n_words, what, error)
                             : trib_new(&words->text, length, 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&words->start, n_words + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&words->count, n_words, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&words->position, n_blocks + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&words->checksum, n_blocks, what, error);
    if (status == TRIB_OK) words->position[0] = from;
}

/* The list of a file whose blocks have n_bytes and begin at byte `from`. */
static void pack_list(trib_words *words, unsigned version, uint64_t from, uint64_t n_bytes,
                      trib_pack *pack) {
    trib_words_about *const about = &words->about;
    const size_t length = (size_t)(pack->end - pack->at);
    uint64_t n_words = words->n_words;
    trib_pack_varint(pack, &words->n_tokens);
    trib_pack_varint(pack, &n_words);
    if (pack->reads) {
        const uint64_t n_blocks =
            words->n_tokens / TRIB_WORDS_BLOCK + (words->n_tokens % TRIB_WORDS_BLOCK > 0);
        trib_pack_expect(pack, words->n_tokens <= n_bytes && n_words <= words->n_tokens &&
                                   n_words <= length / 3 && n_words < TRIB_NO_WORD - 2 &&
                                   n_blocks <= length / 9);
        if (!trib_pack_is_good(pack)) return;
        words->n_words = (uint32_t)n_words;
        words->n_blocks = (size_t)n_blocks;
        allocate(words, version, from, length, &pack->failure);
    }
    if (!trib_pack_is_good(pack)) return;
    pack_words(words, version, pack);
    pack_blocks(words, n_bytes, pack);
    TRIB_PACK(pack, *about);
    trib_pack_expect(pack, memchr(about->encoding, 0, sizeof about->encoding) &&
                               memchr(about->remark, 0, sizeof about->remark));
}

/* ---- Writing --------------------------------------------------------------------------------- */

enum { TOKEN_MAX = 3 * TRIB_VARINT_MAX };

/* Writes the code of a word, usually one or two bytes. For codes below 2^14 it always writes two,
 * to avoid a branch; the return value says how many count. */
static inline size_t put_code(uint8_t *at, uint64_t code) {
    if (code >= 1 << 14) return trib_varint_put(at, code);
    const bool more = code >= 0x80;
    at[0] = (uint8_t)((code & 0x7F) | (unsigned)more << 7);
    at[1] = (uint8_t)(code >> 7);
    return 1 + (size_t)more;
}

enum { ROW = 512, MANY = 16 * ROW };

trib_status trib_words_begin(trib_words_writer *writer, trib_writer *out,
                             const trib_text_ranges *parts, trib_error *error) {
    writer->out = out;
    writer->parts = parts;
    writer->part = 0;
    trib_intern_clear(&writer->intern);
    writer->n_blocks = writer->n_block = writer->n_in_block = 0;
    writer->n_common = writer->most_common = 0;
    writer->row_from = 0;
    writer->row_to = ROW;
    writer->least_common = UINT32_MAX;
    writer->end = writer->n_tokens = 0;
    return writer->block ? TRIB_OK
                         : trib_new(&writer->block, (size_t)TRIB_WORDS_BLOCK * TOKEN_MAX, 1,
                                    what_block, error);
}

/* Returns a failure of the disk, which also stops the reading, or of memory. */
static trib_status end_block(trib_words_writer *writer, trib_error *error) {
    const size_t n = writer->n_blocks;
    trib_status status =
        TRIB_GROW(&writer->position, &writer->position_cap, n + 2, what_block, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&writer->checksum, &writer->checksum_cap, n + 1, what_block, error);
    if (status != TRIB_OK) return status;
    if (n == 0) writer->position[0] = writer->out->n_written;
    trib_write(writer->out, writer->block, writer->n_block);
    writer->checksum[n] = trib_checksum(writer->block, writer->n_block);
    writer->position[n + 1] = writer->position[n] + writer->n_block;
    writer->n_blocks++;
    writer->n_block = writer->n_in_block = 0;
    writer->end = 0;
    const trib_error *failure = &writer->out->failure;
    if (failure->status != TRIB_OK && error) *error = *failure;
    return failure->status;
}

/* Moves on to the part that contains a word, and returns whether an earlier part has the word
 * before it, so that something was cut between them. */
static bool begins_part(trib_words_writer *writer, uint64_t offset) {
    const trib_text_ranges *parts = writer->parts;
    const size_t before = writer->part;
    if (!parts) return false;
    while (writer->part + 1 < parts->n && parts->range[writer->part + 1].from <= offset)
        writer->part++;
    return writer->part > before && writer->n_tokens > 0;
}

/* Takes account of the row of words that ended; of many words one row of four is looked at. */
static void end_row(trib_words_writer *writer) {
    const uint32_t n = writer->n_common;
    if (writer->row_to > ROW && n < writer->least_common) writer->least_common = n;
    if (writer->row_to > ROW && n > writer->most_common) writer->most_common = n;
    writer->n_common = 0;
    writer->row_from = writer->row_to + (writer->row_to < MANY ? 0 : 3 * ROW);
    writer->row_to = writer->row_from + ROW;
}

/* Takes account of a word that is about to be counted. */
static inline void look_at(trib_words_writer *writer, uint32_t id) {
    enum { ONE_OF = 200 };
    const uint64_t n = writer->n_tokens;
    writer->last[n % 32] = id;
    if (n < writer->row_from) return;
    if (n < TRIB_ACCOUNT_WORDS) writer->first[n] = id;
    writer->n_common += writer->count[id] * ONE_OF > n;
    if (n + 1 == writer->row_to) end_row(writer);
}

trib_status trib_words_add(void *context, const trib_token *token, trib_error *error) {
    trib_words_writer *writer = context;
    const bool after_break = begins_part(writer, token->offset) || token->after_break;
    uint32_t id = 0;
    const uint32_t n_words = writer->intern.n_words;
    trib_status status = trib_intern_add(&writer->intern, token->text, token->length, &id, error);
    if (status == TRIB_OK && id == n_words) {
        status = TRIB_GROW(&writer->count, &writer->count_cap, (size_t)id + 1,
                           "the counts of words", error);
        if (status == TRIB_OK) writer->count[id] = 0;
    }
    if (status != TRIB_OK) return status;
    look_at(writer, id);
    writer->count[id]++;
    const uint64_t gap = token->offset - writer->end;
    uint8_t *const at = writer->block + writer->n_block;
    size_t n;
    if (gap == 1 && !after_break && token->n_bytes == token->length) {
        n = put_code(at, (uint64_t)id << 1);
    } else {
        n = put_code(at, (uint64_t)id << 1 | 1);
        n += trib_varint_put(at + n, gap << 1 | after_break);
        const int64_t more = (int64_t)token->n_bytes - (int64_t)token->length;
        n += trib_varint_put(at + n, (uint64_t)more << 1 ^ (more < 0 ? UINT64_MAX : 0));
    }
    writer->n_block += n;
    writer->end = token->offset + token->n_bytes;
    writer->n_tokens++;
    return ++writer->n_in_block == TRIB_WORDS_BLOCK ? end_block(writer, error) : TRIB_OK;
}

/* The list, and the trailer. */
static trib_status end_list(trib_words *words, unsigned version, trib_pack *list,
                            trib_error *error) {
    pack_list(words, version, 0, 0, list);
    trailer end = {.version = version, .in_block = TRIB_WORDS_BLOCK, .length = list->bytes.length};
    memcpy(end.name, name, sizeof name);
    trib_pack_bytes(list, &end, offsetof(trailer, checksum));
    if (list->failure.status == TRIB_OK)
        end.checksum = trib_checksum(list->bytes.text, list->bytes.length);
    TRIB_PACK(list, end.checksum);
    return trib_pack_check(list, error);
}

/* Writes up to TRIB_ACCOUNT_WORDS words, from word `from` on, as many as there is room for. */
static void show(const trib_words_writer *writer, char *text, size_t size, uint64_t from) {
    size_t length = 0;
    for (uint64_t i = from; i < writer->n_tokens && i < from + TRIB_ACCOUNT_WORDS; i++) {
        const uint32_t id = from > 0 ? writer->last[i % 32] : writer->first[i];
        const char *word = trib_intern_word(&writer->intern, id);
        if (length + strlen(word) + 2 > size) break;
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > from ? " " : "", word);
    }
}

trib_status trib_words_end(trib_words_writer *writer, const trib_words_about *about,
                           trib_error *error) {
    TRIB_OWNED(trib_pack) list = {0};
    const trib_intern *intern = &writer->intern;
    trib_status status = writer->n_in_block > 0 ? end_block(writer, error) : TRIB_OK;
    trib_words words = {.n_tokens = writer->n_tokens,
                        .n_words = intern->n_words,
                        .start = intern->start,
                        .text = intern->text,
                        .count = writer->count,
                        .n_blocks = writer->n_blocks,
                        .position = writer->position,
                        .checksum = writer->checksum,
                        .about = *about};
    trib_account *const account = &words.about.account;
    const uint64_t n = writer->n_tokens;
    show(writer, account->begins, sizeof account->begins, 0);
    show(writer, account->ends, sizeof account->ends,
         n > TRIB_ACCOUNT_WORDS ? n - TRIB_ACCOUNT_WORDS : 0);
    account->least_common = writer->least_common;
    account->most_common = writer->most_common;
    if (status == TRIB_OK) status = end_list(&words, TRIB_WORDS_SPELT, &list, error);
    if (status == TRIB_OK) trib_write(writer->out, list.bytes.text, list.bytes.length);
    return status;
}

trib_status trib_words_number(const trib_words *words, const uint32_t *id, trib_buffer *file,
                              trib_error *error) {
    TRIB_OWNED(trib_pack) list = {0};
    trib_words numbered = *words;
    const uint64_t from = words->position[0];
    const size_t n = (size_t)(words->position[words->n_blocks] - from);
    numbered.id = (uint32_t *)(uintptr_t)id;
    trib_status status = end_list(&numbered, TRIB_WORDS_NUMBERED, &list, error);
    if (status == TRIB_OK)
        status = trib_grow(&file->text, &file->cap, file->length + n + 1, 1, "the words of a text",
                           error);
    if (status == TRIB_OK && n > 0)
        status = trib_reader_at(words->reader, from, file->text + file->length, n, error);
    if (status == TRIB_OK) file->length += n;
    return status == TRIB_OK ? trib_buffer_add(file, list.bytes.text, list.bytes.length, error)
                             : status;
}

void trib_words_writer_release(trib_words_writer *writer) {
    trib_intern_release(&writer->intern);
    TRIB_FREE(writer->count, writer->block, writer->position, writer->checksum);
    *writer = (trib_words_writer){0};
}

/* ---- Opening --------------------------------------------------------------------------------- */

static trib_status damaged(const trib_reader *reader, const char *what, trib_error *error) {
    return trib_fail(error, TRIB_INPUT, "%s: %s damaged; make the file again", reader->name, what);
}

/* Reads the list with its trailer; *length receives the bytes of the list. The caller frees *list,
 * also after a failure. */
static trib_status read_end(trib_words *words, unsigned version, uint64_t from, uint64_t *length,
                            char **list, trib_error *error) {
    trailer end = {.name = ""};
    const trib_reader *reader = words->reader;
    const uint64_t rest = *length < sizeof end ? 0 : *length - sizeof end;
    trib_status status = *length < sizeof end
                             ? TRIB_OK
                             : trib_reader_at(reader, from + rest, &end, sizeof end, error);
    if (status != TRIB_OK) return status;
    if (memcmp(end.name, name, sizeof name) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: does not hold the words of a text", reader->name);
    if (end.version != version)
        return trib_fail(error, TRIB_INPUT,
                         "%s: words of version %u, this program reads version %u", reader->name,
                         (unsigned)end.version, version);
    if (end.length > rest || end.in_block != TRIB_WORDS_BLOCK)
        return damaged(reader, "its end is", error);
    const size_t all = (size_t)end.length + sizeof end;
    status = trib_new(list, all, 1, "the words of a text", error);
    if (status == TRIB_OK)
        status = trib_reader_at(reader, from + rest - end.length, *list, all, error);
    if (status == TRIB_OK && trib_checksum(*list, all - sizeof end.checksum) != end.checksum)
        status = damaged(reader, "its end is", error);
    *length = end.length;
    return status;
}

static trib_status open_version(trib_words *words, unsigned version, const trib_reader *reader,
                                uint64_t from, uint64_t length, trib_error *error) {
    uint64_t n = length;
    TRIB_FREED(char *) list = NULL;
    *words = (trib_words){.reader = reader};
    trib_status status = read_end(words, version, from, &n, &list, error);
    if (status == TRIB_OK) {
        trib_pack pack = trib_pack_reading(list, n);
        pack_list(words, version, from, length - n - TRIB_WORDS_TRAILER, &pack);
        status = trib_pack_check(&pack, error);
        if (status == TRIB_OK && !trib_pack_is_whole(&pack))
            status = damaged(reader, "its list of words is", error);
    }
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
    trib_status status = TRIB_NEW(&block->id, TRIB_WORDS_BLOCK, what_block, error);
    if (status == TRIB_OK) status = TRIB_NEW(&block->offset, TRIB_WORDS_BLOCK, what_block, error);
    if (status == TRIB_OK) status = TRIB_NEW(&block->length, TRIB_WORDS_BLOCK, what_block, error);
    if (status == TRIB_OK)
        status = trib_new(&block->after_break, TRIB_WORDS_BLOCK, 1, what_block, error);
    if (status != TRIB_OK) trib_words_block_release(block);
    return status;
}

void trib_words_block_release(trib_words_block *block) {
    TRIB_FREE(block->id, block->offset, block->length, block->after_break, block->bytes);
    *block = (trib_words_block){0};
}

/* Reads what follows an odd code: the gap before the word, and its length in the file. */
static bool take_place(trib_unread *b, uint64_t spelling, uint64_t *gap, uint64_t *length,
                       uint8_t *after_break) {
    uint64_t difference = 0;
    if (!trib_varint_take(b, gap) || !trib_varint_take(b, &difference)) return false;
    *after_break = *gap & 1;
    *gap >>= 1;
    *length = spelling + (difference >> 1 ^ (difference & 1 ? UINT64_MAX : 0));
    return *length <= UINT32_MAX;
}

/* Reads the code of a word, usually one or two bytes. */
static inline bool take_code(trib_unread *b, uint64_t *code) {
    if (b->end - b->at < 2 || (b->at[0] >= 0x80 && b->at[1] >= 0x80))
        return trib_varint_take(b, code);
    const unsigned more = b->at[0] >= 0x80;
    *code = (b->at[0] & 0x7Fu) | (more ? (unsigned)b->at[1] << 7 : 0);
    b->at += 1 + more;
    return true;
}

static bool decode(const trib_words *words, trib_words_block *block, trib_unread b) {
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
static bool decode_ids(const trib_words *words, trib_words_block *block, trib_unread b) {
    for (size_t i = 0; i < block->n; i++) {
        uint64_t code = 0, gap = 0, difference = 0;
        if (!take_code(&b, &code) || code >> 1 >= words->n_words) return false;
        if (code & 1 && !(trib_varint_take(&b, &gap) && trib_varint_take(&b, &difference)))
            return false;
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
    trib_status status = trib_grow(&block->bytes, &block->cap, length, 1, what_block, error);
    if (status == TRIB_OK)
        status = trib_reader_at(words->reader, from, block->bytes, length, error);
    if (status != TRIB_OK) return status;
    block->first = (uint64_t)number * TRIB_WORDS_BLOCK;
    block->n = left < TRIB_WORDS_BLOCK ? (size_t)left : TRIB_WORDS_BLOCK;
    const trib_unread b = {block->bytes, block->bytes + length};
    if (trib_checksum(block->bytes, length) == words->checksum[number] &&
        (block->ids_only ? decode_ids(words, block, b) : decode(words, block, b)))
        return TRIB_OK;
    block->n = 0;
    return damaged(words->reader, "a block of its words is", error);
}

/* ---- Without some words ---------------------------------------------------------------------- */

trib_status trib_words_without(const trib_words *words, const bool *left_out,
                               trib_words_writer *writer, trib_writer *out, uint64_t *n_left,
                               trib_error *error) {
    TRIB_OWNED(trib_words_block) block = {0};
    bool after_break = false;
    trib_status status = trib_words_block_init(&block, error);
    if (status == TRIB_OK) status = trib_words_begin(writer, out, NULL, error);
    for (uint64_t i = 0; i < words->n_tokens && status == TRIB_OK; i++) {
        status = trib_words_at(words, i, &block, error);
        if (status != TRIB_OK) break;
        const size_t k = (size_t)(i - block.first);
        const uint32_t id = block.id[k];
        after_break = after_break || block.after_break[k];
        if (left_out[id]) continue;
        const trib_token token = {.text = trib_words_spelling(words, id),
                                  .length = words->start[id + 1] - words->start[id] - 1,
                                  .offset = block.offset[k],
                                  .n_bytes = block.length[k],
                                  .after_break = after_break};
        status = trib_words_add(writer, &token, error);
        after_break = false;
    }
    *n_left = writer->n_tokens;
    return status == TRIB_OK ? trib_words_end(writer, &words->about, error) : status;
}
