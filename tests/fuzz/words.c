/* words.c - any bytes as the words of a document with correct checksums, so that the code after
 * their check is reached: the words are in order, and the counts add up to at most the length of
 * the list. */
#include "pipeline/store/words.h"
#include "base/internal.h"
#include "pipeline/support/pack.h"
#include "tests/fuzz/fuzz.h"

static uint64_t read_number(trib_pack *in) {
    uint64_t number = 0;
    trib_pack_varint(in, &number);
    return number;
}

/* Writes the correct checksums of blocks and list. */
static void make_right(char *bytes, size_t size) {
    uint64_t n = 0, checksum;
    char *const trailer = bytes + size - TRIB_WORDS_TRAILER, *block = bytes;
    if (size < TRIB_WORDS_TRAILER) return;
    memcpy(&n, trailer + 16, sizeof n);
    if (n > size - TRIB_WORDS_TRAILER) return;
    char *const list = trailer - n;
    trib_pack in = trib_pack_reading(list, n);
    const uint64_t n_blocks = read_number(&in) / TRIB_WORDS_BLOCK + 1;
    for (uint64_t n_words = read_number(&in); n_words > 0 && !in.is_wrong; n_words--) {
        const uint64_t length = read_number(&in);
        trib_pack_expect(&in, length <= (uint64_t)(in.end - in.at));
        if (!in.is_wrong) in.at += length;
        (void)read_number(&in);
    }
    for (uint64_t b = 0; b < n_blocks; b++) {
        const uint64_t length = read_number(&in);
        if (in.is_wrong || length > (uint64_t)(list - block) || in.end - in.at < 8) break;
        checksum = trib_checksum(block, (size_t)length);
        memcpy(list + (in.at - list), &checksum, sizeof checksum);
        in.at += sizeof checksum;
        block += length;
    }
    checksum = trib_checksum(list, (size_t)n + TRIB_WORDS_TRAILER - sizeof checksum);
    memcpy(trailer + 24, &checksum, sizeof checksum);
}

static void read_words(const trib_words *words) {
    TRIB_OWNED(trib_words_block) block = {0};
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
}

FUZZ_TARGET(words) {
    char *copy = NULL;
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
