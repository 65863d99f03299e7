/* words.c - any bytes as the words of a document with correct checksums, so that the code after
 * their check is reached: the words are in order, and the counts add up to at most the length of
 * the list. */
#include "pipeline/store/words.h"
#include "base/internal.h"
#include "tests/fuzz/fuzz.h"

static uint64_t take(const uint8_t *at, int size) {
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static void put(uint8_t *at, uint64_t value, int size) {
    for (int i = 0; i < size; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* Writes the correct checksums of blocks, words, directory and trailer. */
static void make_right(uint8_t *bytes, size_t size) {
    if (size < TRIB_WORDS_HEADER + TRIB_WORDS_TRAILER) return;
    uint8_t *const trailer = bytes + size - TRIB_WORDS_TRAILER, *block = bytes + TRIB_WORDS_HEADER;
    const size_t rest = size - TRIB_WORDS_HEADER - TRIB_WORDS_TRAILER;
    const uint64_t n_bytes = take(trailer + 8, 8), n_list = take(trailer + 16, 8);
    if (n_bytes > rest || n_list > rest - n_bytes) return;
    uint8_t *const list = block + n_bytes, *const directory = list + n_list;
    const uint64_t n_blocks = take(trailer, 8) / TRIB_WORDS_BLOCK + 1;
    for (uint64_t b = 0; b < n_blocks && directory + 12 * (b + 1) <= trailer; b++) {
        const uint64_t length = take(directory + 12 * b, 4);
        if (length > (uint64_t)(list - block)) break;
        put(directory + 12 * b + 4, trib_checksum(block, (size_t)length), 8);
        block += length;
    }
    put(trailer + 32, trib_checksum(list, (size_t)n_list), 8);
    put(trailer + 40, trib_checksum(directory, (size_t)(trailer - directory)), 8);
    uint8_t head[TRIB_WORDS_HEADER + 48];
    memcpy(head, bytes, TRIB_WORDS_HEADER);
    memcpy(head + TRIB_WORDS_HEADER, trailer, 48);
    put(trailer + 48, trib_checksum(head, sizeof head), 8);
}

static void read_words(const trib_words *words) {
    trib_words_block block;
    uint64_t end = 0, n = 0;
    if (trib_words_block_init(&block, NULL) != TRIB_OK) return;
    for (uint64_t i = 0; i < words->n_tokens; i += TRIB_WORDS_BLOCK) {
        end = 0;
        if (trib_words_at(words, i, &block, NULL) != TRIB_OK) break;
        FUZZ_CHECK(block.first == i && block.n <= TRIB_WORDS_BLOCK && block.n > 0);
        for (size_t k = 0; k < block.n; k++) {
            FUZZ_CHECK(block.id[k] < words->n_words && block.offset[k] >= end);
            FUZZ_CHECK(*trib_words_spelling(words, block.id[k]) != '\0');
            end = block.offset[k] + block.length[k];
            n++;
        }
    }
    FUZZ_CHECK(n <= words->n_tokens);
    trib_words_block_release(&block);
}

FUZZ_TARGET(words) {
    uint8_t *copy = NULL;
    trib_reader reader;
    trib_words words;
    if (size == 0 || trib_new(&copy, size, 1, "a copy", NULL) != TRIB_OK) return;
    memcpy(copy, bytes, size);
    make_right(copy, size);
    trib_reader_memory(&reader, "x", copy, size);
    if (trib_words_open(&words, &reader, 0, size, NULL) == TRIB_OK) {
        read_words(&words);
        trib_words_close(&words);
    }
    trib_free(copy);
}
