/* library.c - any bytes as a segment of a library, with a correct end, so that the code behind its
 * check is reached. */
#include <unistd.h>

#include "base/internal.h"
#include "pipeline/config/config.h"
#include "pipeline/index/index.h"
#include "tests/fuzz/fuzz.h"

static uint64_t sum(const void *record, size_t n, const void *bytes, size_t length) {
    trib_checksum_parts parts = {0};
    trib_checksum_add(&parts, record, n);
    trib_checksum_add(&parts, bytes, length);
    return trib_checksum_end(&parts);
}
#define SUM(record, bytes, length) sum(record, offsetof(__typeof__(*(record)), sum), bytes, length)

static bool has(const trib_buffer *file, uint64_t at, uint64_t size) {
    return at <= file->length && size <= file->length - at;
}

/* Writes the checksums of what an end names. */
static void make_sums_right(trib_buffer *file, const trib_segment_end *end) {
    char *const bytes = file->text;
    trib_segment_text *const text = (void *)(bytes + end->texts_at);
    trib_segment_piece *const piece = (void *)(bytes + end->pieces_at);
    trib_segment_block *const block = (void *)(bytes + end->blocks_at);
    if (!has(file, end->texts_at, end->n_texts * sizeof *text) ||
        !has(file, end->pieces_at, end->n_pieces * sizeof *piece) ||
        !has(file, end->blocks_at, end->n_blocks * sizeof *block))
        return;
    for (size_t i = 0; i < end->n_texts; i++)
        if (has(file, text[i].about_at, text[i].about_size))
            text[i].sum = SUM(&text[i], bytes + text[i].about_at, (size_t)text[i].about_size);
    for (size_t i = 0; i < end->n_pieces; i++)
        if (has(file, piece[i].at, piece[i].packed))
            piece[i].sum = SUM(&piece[i], bytes + piece[i].at, piece[i].packed);
    for (size_t b = 0; b < end->n_blocks; b++) {
        const uint32_t hash[2] = {block[b].hash,
                                  b + 1 < end->n_blocks ? block[b + 1].hash : UINT32_MAX};
        if (!has(file, block[b].at, block[b].bytes)) continue;
        const uint64_t of_bytes = trib_checksum(bytes + block[b].at, block[b].bytes);
        block[b].sum = sum(hash, sizeof hash, &of_bytes, sizeof of_bytes);
    }
}

/* Writes the end of a segment: what it says lies in the file. */
static void make_right(trib_buffer *file) {
    trib_segment_end end;
    if (file->length < sizeof end) return;
    memcpy(&end, file->text + file->length - sizeof end, sizeof end);
    memcpy(end.name, "TRIBLIBR", sizeof end.name);
    end.version = 2;
    end.order = 0x01020304;
    end.n_texts %= 8, end.n_pieces %= 8, end.n_blocks %= 8;
    const uint64_t rest = file->length - sizeof end;
    end.pieces_at %= rest + 1, end.texts_at %= rest + 1, end.blocks_at %= rest + 1;
    end.pieces_at &= ~UINT64_C(7), end.texts_at &= ~UINT64_C(7), end.blocks_at &= ~UINT64_C(7);
    make_sums_right(file, &end);
    end.sum = trib_checksum(&end, offsetof(trib_segment_end, sum));
    memcpy(file->text + file->length - sizeof end, &end, sizeof end);
}

static void look_up(const trib_index *index) {
    TRIB_OWNED(trib_config) config = {0};
    TRIB_OWNED(trib_findings_list) list = {0};
    static const char words[] = "ten words of a passage that stands in the small library";
    const trib_buffer passage = {.text = (char *)(uintptr_t)words, .length = sizeof words - 1};
    if (trib_config_load(&config, NULL, NULL, 0, NULL, NULL, NULL) == TRIB_OK &&
        trib_index_find(index, &config, &passage, &list, NULL) == TRIB_OK)
        for (size_t i = 0; i < list.n; i++)
            FUZZ_CHECK(trib_found_quote(&list, &list.found[i], NULL) != TRIB_OK ||
                       (list.found[i].n_equal <= list.found[i].n_words &&
                        list.found[i].from < list.found[i].end));
}

FUZZ_TARGET(library) {
    char path[64];
    TRIB_OWNED(trib_buffer) file = {0};
    trib_segment segment = {0};
    snprintf(path, sizeof path, "/tmp/tributary-fuzz-%ld", (long)getpid());
    trib_writer writer;
    if (trib_buffer_add(&file, (const char *)bytes, size - size % 8, NULL) != TRIB_OK) return;
    make_right(&file);
    if (trib_writer_open(&writer, path, NULL) == TRIB_OK) {
        trib_write(&writer, file.text, file.length);
        (void)trib_writer_commit(&writer, NULL, NULL);
    }
    if (trib_segment_open(&segment, path, 1, NULL) == TRIB_OK) {
        trib_index index = {.segment = &segment, .n = 1, .lock = -1};
        TRIB_OWNED(trib_buffer) text = {0};
        trib_places places;
        for (size_t i = 0; i < segment.end.n_texts; i++) {
            trib_indexed_text about;
            (void)trib_segment_about(&segment, i, &about, NULL);
            (void)trib_segment_bytes(&segment, i, 0, UINT64_MAX, &text, NULL, NULL);
        }
        for (size_t b = 0; b < segment.end.n_blocks; b++)
            (void)trib_segment_block_read(&segment, b, &places, NULL);
        look_up(&index);
        trib_segment_close(&segment);
    }
    (void)unlink(path);
}
