/* segment.c - a file of a library is written, opened and read. */
#include "pipeline/text/segment.h"

#include <zstd.h>

#include "base/internal.h"
#include "pipeline/text/markup.h"

enum { VERSION = 2, ORDER = 0x01020304, PACK_LEVEL = 7 };
static const char magic[8] = "TRIBLIBR";

void trib_hashed_words_release(trib_hashed_words *words) {
    TRIB_FREE(words->hash, words->from, words->end, words->spelling);
    *words = (trib_hashed_words){0};
}

/* ---- Writing --------------------------------------------------------------------------------- */

trib_status trib_segment_begin(trib_segment_writer *writer, const char *path, trib_error *error) {
    *writer = (trib_segment_writer){0};
    return trib_writer_open(&writer->out, path, error);
}

void trib_segment_writer_release(trib_segment_writer *writer) {
    trib_writer_abandon(&writer->out);
    trib_buffer_release(&writer->abouts);
    TRIB_FREE(writer->piece, writer->text, writer->block, writer->place, writer->seen);
    *writer = (trib_segment_writer){0};
}

static uint64_t sum_of(const void *record, size_t n, const void *bytes, size_t length) {
    trib_checksum_parts parts = {0};
    trib_checksum_add(&parts, record, n);
    trib_checksum_add(&parts, bytes, length);
    return trib_checksum_end(&parts);
}
#define SUM(record, bytes, length)                                                                 \
    sum_of(record, offsetof(__typeof__(*(record)), sum), bytes, length)

/* Packs bytes into packed[TRIB_PIECE], if that makes them shorter; returns their number. */
static size_t pack(char *packed, const char *bytes, size_t n) {
    const size_t length = ZSTD_compress(packed, TRIB_PIECE, bytes, n, PACK_LEVEL);
    if (!ZSTD_isError(length) && length < n) return length;
    memcpy(packed, bytes, n);
    return n;
}

static trib_status add_piece(trib_segment_writer *w, trib_segment_piece piece, const char *packed,
                             trib_error *error) {
    const trib_status status =
        TRIB_GROW(&w->piece, &w->piece_cap, w->n_pieces + 1, "pieces of texts", error);
    if (status != TRIB_OK) return status;
    piece.at = w->out.n_written;
    piece.sum = SUM(&piece, packed, piece.packed);
    w->piece[w->n_pieces++] = piece;
    trib_write(&w->out, packed, piece.packed);
    return TRIB_OK;
}

/* The line ends among the bytes from .. end - 1 of a text. */
uint64_t trib_lines_between(const trib_buffer *text, size_t from, size_t end) {
    uint64_t n = 0;
    for (size_t at = from; at < end; at++)
        n += trib_line_end(text->text, at, text->length) > 0 &&
             !(text->text[at] == '\r' && at + 1 < text->length && text->text[at + 1] == '\n');
    return n;
}

static trib_status pack_text(trib_segment_writer *w, const trib_buffer *text, trib_error *error) {
    char packed[TRIB_PIECE];
    uint64_t line = 0;
    trib_status status = TRIB_OK;
    for (size_t at = 0, n; at < text->length && status == TRIB_OK; at += n) {
        n = text->length - at < TRIB_PIECE ? text->length - at : TRIB_PIECE;
        const trib_segment_piece piece = {.line = line,
                                          .packed = (uint32_t)pack(packed, text->text + at, n),
                                          .bytes = (uint32_t)n};
        status = add_piece(w, piece, packed, error);
        line += trib_lines_between(text, at, at + n);
    }
    return status;
}

static trib_status find_piece(const char **packed, const trib_segment *s, uint64_t piece,
                              trib_error *error);

static trib_status add_pieces(trib_segment_writer *w, const trib_segment_input *input,
                              trib_error *error) {
    if (input->bytes) return pack_text(w, input->bytes, error);
    const trib_segment_text *const from = &input->from->text[input->from_text];
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < from->n_pieces && status == TRIB_OK; i++) {
        const char *packed;
        status = find_piece(&packed, input->from, from->piece + i, error);
        if (status == TRIB_OK)
            status = add_piece(w, input->from->piece[from->piece + i], packed, error);
    }
    return status;
}

/* The phrases of a text are collected. */
typedef struct collecting {
    trib_segment_writer *writer;
    const trib_hashed_words *words;
} collecting;

static trib_status collect(void *context, size_t phrase, uint32_t hash, trib_error *error) {
    const collecting *const c = context;
    trib_segment_writer *const w = c->writer;
    const trib_status status =
        TRIB_GROW(&w->place, &w->place_cap, w->n_places + 1, "places of phrases", error);
    const uint64_t place = w->n_bytes + c->words->from[phrase] / TRIB_UNIT * TRIB_UNIT;
    if (status == TRIB_OK) w->place[w->n_places++] = (uint64_t)hash << 32 | (uint32_t)place;
    return status;
}

/* Collects the phrases and the rare words of a text. */
static trib_status collect_all(collecting *c, trib_error *error) {
    trib_segment_writer *const w = c->writer;
    const uint32_t *const hash = c->words->hash;
    trib_window rare = {.size = TRIB_WORD_WINDOW};
    trib_status status = TRIB_OK;
    if (!w->seen) status = TRIB_NEW(&w->seen, 1 << 16, "words of a text", error);
    if (status == TRIB_OK)
        status = trib_phrases_choose(hash, c->words->n, false, collect, c, error);
    for (size_t i = 0; i < c->words->n && status == TRIB_OK; i++)
        if (trib_window_slide(&rare, i, c->words->n,
                              (uint64_t)w->seen[hash[i] >> 16]++ << 32 | hash[i]))
            status = collect(c, rare.last - 1, trib_phrase_hash(hash + rare.last - 1, 1), error);
    return status;
}

static trib_status add_about(trib_segment_writer *w, const trib_indexed_text *about,
                             trib_error *error) {
    const char *const *const field = (const char *const *)about;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < TRIB_INDEXED_FIELDS && status == TRIB_OK; i++) {
        const char *const text = field[i] ? field[i] : "";
        status = trib_buffer_add(&w->abouts, text, strlen(text) + 1, error);
    }
    return status;
}

trib_status trib_segment_add(trib_segment_writer *w, const trib_segment_input *input,
                             trib_error *error) {
    const trib_segment_text *const from = input->from ? &input->from->text[input->from_text] : NULL;
    const uint64_t n_bytes = input->bytes ? input->bytes->length : from->n_bytes;
    collecting c = {w, input->words};
    trib_status status = TRIB_GROW(&w->text, &w->text_cap, w->n_texts + 1, "texts", error);
    if (status == TRIB_OK && n_bytes + TRIB_UNIT > UINT32_MAX - w->n_bytes)
        status = trib_fail(error, TRIB_INPUT, "%s: too long for a library", input->about.id);
    if (status == TRIB_OK && input->words) status = collect_all(&c, error);
    if (status != TRIB_OK) return status;
    trib_segment_text *const text = &w->text[w->n_texts];
    *text = (trib_segment_text){.about_at = w->abouts.length,
                                .first_byte = w->n_bytes,
                                .n_bytes = n_bytes,
                                .n_words = input->words ? input->words->n : from->n_words,
                                .piece = w->n_pieces,
                                .year = input->year,
                                .year_end = input->year_end};
    status = add_pieces(w, input, error);
    text->n_pieces = w->n_pieces - text->piece;
    if (status == TRIB_OK) status = add_about(w, &input->about, error);
    text->about_size = w->abouts.length - text->about_at;
    w->n_texts += status == TRIB_OK;
    w->n_words += text->n_words;
    w->n_bytes += (n_bytes + TRIB_UNIT - 1) / TRIB_UNIT * TRIB_UNIT;
    return status;
}

static trib_status end_block(trib_segment_writer *w, trib_error *error) {
    trib_places *const p = &w->pending;
    uint8_t bytes[TRIB_PACKED_MOST];
    const trib_status status =
        TRIB_GROW(&w->block, &w->block_cap, w->n_blocks + 1, "blocks of places", error);
    if (status != TRIB_OK || p->n == 0) return status;
    const size_t n = trib_places_pack(bytes, p);
    /* the sum is completed when the hash of the next block is known */
    w->block[w->n_blocks++] = (trib_segment_block){.at = w->out.n_written,
                                                   .hash = p->hash[0],
                                                   .bytes = (uint32_t)n,
                                                   .sum = trib_checksum(bytes, n)};
    trib_write(&w->out, bytes, n);
    w->n_written += p->n;
    p->n = 0;
    return TRIB_OK;
}

trib_status trib_segment_place(trib_segment_writer *w, uint32_t hash, uint32_t place,
                               trib_error *error) {
    trib_places *const p = &w->pending;
    const trib_status status = p->n == TRIB_BLOCK_PLACES ? end_block(w, error) : TRIB_OK;
    if (status != TRIB_OK) return status;
    p->hash[p->n] = hash;
    p->place[p->n++] = place;
    return TRIB_OK;
}

static trib_status write_places(trib_segment_writer *w, trib_error *error) {
    TRIB_FREED(uint64_t *) scratch = NULL;
    trib_status status = TRIB_NEW(&scratch, w->n_places, "places of phrases", error);
    if (status == TRIB_OK && w->n_places > 0) trib_places_sort(w->place, scratch, w->n_places);
    for (size_t i = 0; i < w->n_places && status == TRIB_OK; i++)
        if (i == 0 || scratch[i] != scratch[i - 1])
            status =
                trib_segment_place(w, (uint32_t)(scratch[i] >> 32), (uint32_t)scratch[i], error);
    return status == TRIB_OK ? end_block(w, error) : status;
}

/* Writes an array at a multiple of 8 bytes; returns its place. */
static uint64_t write_array(trib_writer *out, const void *array, size_t size) {
    static const char zeros[8] = "";
    trib_write(out, zeros, (size_t)(-out->n_written % 8));
    const uint64_t at = out->n_written;
    if (size > 0) trib_write(out, array, size);
    return at;
}

static uint64_t block_sum(const trib_segment_block *block, size_t b, size_t n, uint64_t bytes) {
    const uint32_t hash[2] = {block[b].hash, b + 1 < n ? block[b + 1].hash : UINT32_MAX};
    return sum_of(hash, sizeof hash, &bytes, sizeof bytes);
}

trib_status trib_segment_commit(trib_segment_writer *w, trib_error *error) {
    trib_segment_end end = {.version = VERSION, .order = ORDER};
    memcpy(end.name, magic, sizeof magic);
    end.pieces_at = write_array(&w->out, w->piece, w->n_pieces * sizeof *w->piece);
    const uint64_t abouts = write_array(&w->out, w->abouts.text, w->abouts.length);
    for (size_t i = 0; i < w->n_texts; i++) {
        trib_segment_text *const text = &w->text[i];
        const char *const about = w->abouts.text + text->about_at;
        text->about_at += abouts;
        text->sum = SUM(text, about, text->about_size);
    }
    end.texts_at = write_array(&w->out, w->text, w->n_texts * sizeof *w->text);
    const trib_status status = write_places(w, error);
    if (status != TRIB_OK) return status;
    for (size_t b = 0; b < w->n_blocks; b++)
        w->block[b].sum = block_sum(w->block, b, w->n_blocks, w->block[b].sum);
    end.blocks_at = write_array(&w->out, w->block, w->n_blocks * sizeof *w->block);
    end.n_texts = w->n_texts;
    end.n_pieces = w->n_pieces;
    end.n_blocks = w->n_blocks;
    end.n_places = w->n_written;
    end.n_words = w->n_words;
    end.n_bytes = w->n_bytes;
    end.sum = trib_checksum(&end, offsetof(trib_segment_end, sum));
    write_array(&w->out, &end, sizeof end);
    return trib_writer_commit(&w->out, NULL, error);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static trib_status damaged(const trib_segment *segment, const char *what, trib_error *error) {
    return trib_fail(error, TRIB_INPUT,
                     "%s: %s damaged; `tributary index check --repair` saves the texts that are "
                     "whole",
                     segment->path, what);
}

/* Whether n records of a size lie in the file, at a multiple of 8 bytes. */
static bool lies_in(const trib_segment *s, uint64_t at, uint64_t n, size_t size) {
    return at % 8 == 0 && at <= s->file.length && n <= (s->file.length - at) / size;
}

static trib_status read_end(trib_segment *s, trib_error *error) {
    trib_segment_end *const end = &s->end;
    if (s->file.length < sizeof *end || s->file.length % 8 != 0)
        return damaged(s, "its end is", error);
    memcpy(end, s->file.bytes + s->file.length - sizeof *end, sizeof *end);
    if (memcmp(end->name, magic, sizeof magic) != 0 ||
        (end->order == ORDER && end->sum != trib_checksum(end, offsetof(trib_segment_end, sum))))
        return damaged(s, "its end is", error);
    if (end->order != ORDER || end->version != VERSION)
        return trib_fail(error, TRIB_INPUT,
                         "%s: made by another version of this program, or on a machine with "
                         "another order of bytes; make the library again",
                         s->path);
    if (!lies_in(s, end->pieces_at, end->n_pieces, sizeof *s->piece) ||
        !lies_in(s, end->texts_at, end->n_texts, sizeof *s->text) ||
        !lies_in(s, end->blocks_at, end->n_blocks, sizeof *s->block))
        return damaged(s, "its end is", error);
    const char *const bytes = s->file.bytes;
    s->piece = (const void *)(bytes + end->pieces_at);
    s->text = (const void *)(bytes + end->texts_at);
    s->block = (const void *)(bytes + end->blocks_at);
    return TRIB_NEW(&s->is_removed, (size_t)end->n_texts, "texts that were removed", error);
}

trib_status trib_segment_open(trib_segment *segment, const char *path, uint64_t number,
                              trib_error *error) {
    *segment = (trib_segment){.number = number};
    trib_status status = trib_copy(&segment->path, path, error);
    if (status == TRIB_OK) status = trib_mapped_file_open(&segment->file, path, error);
    trib_mapped_file_scatter(&segment->file, true);
    if (status == TRIB_OK) status = read_end(segment, error);
    trib_mapped_file_scatter(&segment->file, false);
    if (status != TRIB_OK) trib_segment_close(segment);
    return status;
}

void trib_segment_close(trib_segment *segment) {
    trib_mapped_file_close(&segment->file);
    TRIB_FREE(segment->path, segment->is_removed);
    *segment = (trib_segment){0};
}

/* Whether `size` bytes from `at` lie in the file. */
static bool has(const trib_segment *s, uint64_t at, uint64_t size) {
    return at <= s->file.length && size <= s->file.length - at;
}

trib_status trib_segment_about(const trib_segment *s, size_t text, trib_indexed_text *about,
                               trib_error *error) {
    const trib_segment_text *const t = &s->text[text];
    const char **const field = (const char **)about;
    if (!has(s, t->about_at, t->about_size) ||
        t->sum != SUM(t, s->file.bytes + t->about_at, t->about_size))
        return damaged(s, "what it says of a text is", error);
    const char *at = s->file.bytes + t->about_at, *const end = at + t->about_size;
    for (size_t i = 0; i < TRIB_INDEXED_FIELDS; i++) {
        const char *const stop = memchr(at, 0, (size_t)(end - at));
        if (!stop) return damaged(s, "what it says of a text is", error);
        field[i] = at;
        at = stop + 1;
    }
    return TRIB_OK;
}

/* Sets the bytes of a piece, which are whole. */
static trib_status find_piece(const char **packed, const trib_segment *s, uint64_t piece,
                              trib_error *error) {
    if (piece >= s->end.n_pieces) return damaged(s, "a text is", error);
    const trib_segment_piece *const p = &s->piece[piece];
    if (!has(s, p->at, p->packed) || p->bytes > TRIB_PIECE || p->packed > p->bytes)
        return damaged(s, "a text is", error);
    *packed = s->file.bytes + p->at;
    return p->sum == SUM(p, *packed, p->packed) ? TRIB_OK : damaged(s, "a text is", error);
}

/* Appends a piece. */
static trib_status unpack(const trib_segment *s, uint64_t piece, trib_buffer *to,
                          trib_error *error) {
    const char *packed;
    const trib_status status = find_piece(&packed, s, piece, error);
    if (status != TRIB_OK) return status;
    const trib_segment_piece *const p = &s->piece[piece];
    if (p->packed == p->bytes) return trib_buffer_add(to, packed, p->bytes, error);
    const trib_status made =
        TRIB_GROW(&to->text, &to->cap, to->length + p->bytes + 1, "a text", error);
    if (made != TRIB_OK) return made;
    if (ZSTD_decompress(to->text + to->length, p->bytes, packed, p->packed) != p->bytes)
        return damaged(s, "a text is", error);
    to->length += p->bytes;
    to->text[to->length] = '\0';
    return TRIB_OK;
}

trib_status trib_segment_bytes(const trib_segment *s, size_t text, uint64_t from, uint64_t end,
                               trib_buffer *to, uint64_t *skipped, trib_error *error) {
    const trib_segment_text *const t = &s->text[text];
    uint64_t i = from / TRIB_PIECE;
    trib_status status = TRIB_OK;
    if (skipped) *skipped = i * TRIB_PIECE;
    for (; i * TRIB_PIECE < end && i < t->n_pieces && status == TRIB_OK; i++)
        status = unpack(s, t->piece + i, to, error);
    return status;
}

size_t trib_segment_text_at(const trib_segment *s, uint64_t byte) {
    size_t low = 0, high = (size_t)s->end.n_texts;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (s->text[middle].first_byte <= byte) low = middle;
        else high = middle;
    }
    return low;
}

/* ---- Places ---------------------------------------------------------------------------------- */

trib_status trib_segment_block_read(const trib_segment *s, size_t b, trib_places *places,
                                    trib_error *error) {
    static const char what[] = "its index is";
    const trib_segment_block *const block = &s->block[b];
    const uint64_t n_places = s->end.n_places - (uint64_t)b * TRIB_BLOCK_PLACES;
    const size_t n = n_places < TRIB_BLOCK_PLACES ? (size_t)n_places : TRIB_BLOCK_PLACES;
    if (!has(s, block->at, (uint64_t)block->bytes + TRIB_PACKED_SLACK))
        return damaged(s, what, error);
    const char *const bytes = s->file.bytes + block->at;
    if (block->sum !=
        block_sum(s->block, b, (size_t)s->end.n_blocks, trib_checksum(bytes, block->bytes)))
        return damaged(s, what, error);
    return trib_places_unpack(places, n, block->hash, bytes, block->bytes)
               ? TRIB_OK
               : damaged(s, what, error);
}

TRIB_SEARCH(block_among, trib_segment_block, uint64_t, x->hash < key);

enum { PARTS = 32, BLOCKS_AROUND = 256, BLOCKS_MOST = 20, TABLE_MOST = 2 << 20 };

/* The first block of part i of all. */
static size_t part_at(const trib_segment *s, size_t i) {
    return (size_t)(s->end.n_blocks * i / PARTS);
}

/* Where a block with a hash may be, as if hashes were spread evenly within a part. */
static size_t guess_block(const trib_segment *s, uint64_t hash) {
    size_t i = 0;
    if (s->end.n_blocks < PARTS) return 0;
    while (i + 1 < PARTS && s->block[part_at(s, i + 1)].hash < hash) i++;
    const size_t first = part_at(s, i), n = part_at(s, i + 1) - first;
    const uint64_t low = s->block[first].hash,
                   high = i + 1 < PARTS ? s->block[first + n].hash : UINT64_C(1) << 32;
    return hash > low && high > low ? first + (size_t)((hash - low) * n / (high - low)) : first;
}

/* The first block whose hash is at least `hash`. It is sought around the guess, so that few pages
 * are read. */
static size_t first_block(const trib_segment *s, uint64_t hash) {
    const size_t n = (size_t)s->end.n_blocks, guess = guess_block(s, hash);
    size_t low = guess, high = guess, step = BLOCKS_AROUND;
    for (; low > 0 && s->block[low - 1].hash >= hash; step *= 4)
        high = low - 1, low = low > step ? low - step : 0;
    for (; high < n && s->block[high].hash < hash; step *= 4)
        low = high + 1, high = n - high > step ? high + step : n;
    return low + block_among(s->block + low, high - low, hash);
}

void trib_segment_scatter(const trib_segment *s) {
    const uint64_t texts = s->end.n_texts * sizeof *s->text;
    const uint64_t pieces = s->end.n_pieces * sizeof *s->piece;
    trib_mapped_file_scatter(&s->file, true);
    if (texts <= TABLE_MOST) trib_mapped_file_announce(&s->file, s->end.texts_at, texts);
    if (pieces <= TABLE_MOST) trib_mapped_file_announce(&s->file, s->end.pieces_at, pieces);
    for (size_t i = 0; i < PARTS; i++)
        trib_mapped_file_announce(&s->file, s->end.blocks_at + part_at(s, i) * sizeof *s->block, 1);
}

void trib_segment_announce_hash(const trib_segment *s, uint32_t hash) {
    const size_t guess = guess_block(s, hash);
    const size_t first = guess > BLOCKS_AROUND ? guess - BLOCKS_AROUND : 0;
    trib_mapped_file_announce(&s->file, s->end.blocks_at + first * sizeof *s->block,
                              2 * BLOCKS_AROUND * sizeof *s->block);
}

void trib_segment_announce_bytes(const trib_segment *s, size_t text, uint64_t from, uint64_t end) {
    const trib_segment_text *const t = &s->text[text];
    const uint64_t first = from / TRIB_PIECE, last = end / TRIB_PIECE;
    trib_mapped_file_announce(&s->file, t->about_at, t->about_size);
    for (uint64_t i = first; i <= last && i < t->n_pieces && t->piece + i < s->end.n_pieces; i++)
        trib_mapped_file_announce(&s->file, s->piece[t->piece + i].at,
                                  s->piece[t->piece + i].packed);
}

uint64_t trib_segment_most_places(const trib_segment *s, uint32_t hash) {
    const size_t first = first_block(s, hash), n = first_block(s, (uint64_t)hash + 1) - first + 1;
    const size_t from = first > 0 ? first - 1 : 0, end = from + (n < BLOCKS_MOST ? n : BLOCKS_MOST);
    if (end < s->end.n_blocks)
        trib_mapped_file_announce(&s->file, s->block[from].at,
                                  s->block[end].at - s->block[from].at);
    return n * TRIB_BLOCK_PLACES;
}

trib_status trib_segment_places(const trib_segment *s, uint32_t hash, trib_place_sink *take,
                                void *context, trib_error *error) {
    const size_t first = first_block(s, hash);
    trib_status status = TRIB_OK;
    for (size_t b = first > 0 ? first - 1 : 0; b < s->end.n_blocks && status == TRIB_OK; b++) {
        trib_places places;
        if (s->block[b].hash > hash) break;
        status = trib_segment_block_read(s, b, &places, error);
        for (size_t i = 0; status == TRIB_OK && i < places.n; i++)
            if (places.hash[i] == hash) take(context, places.place[i]);
    }
    return status;
}
