/* word_index.c - finds words of a vocabulary: a hash table with open addressing in a scratch file,
 * whose pages the system can drop. A slot holds the number of a word and half of its hash, so that
 * a search rarely reads a wrong word. */
#include "base/internal.h"
#include "tokenizer/word_runs.h"

#include <string.h>

/* The upper half of the hash in a slot, above the id + 1. */
#define HASH_OF_SLOT UINT64_C(0xFFFFFFFF00000000)

trib_status trib_word_index_open(trib_word_index *index, const trib_vocab *vocab,
                                 const char *scratch, trib_error *error) {
    size_t n = 1;
    while (n / 2 < vocab->n_words) n *= 2;
    *index = (trib_word_index){.vocab = vocab, .mask = n - 1};
    const trib_status status =
        trib_scratch_array_open(&index->slots, n, sizeof(uint64_t), scratch, error);
    if (status != TRIB_OK) return status;
    uint64_t *const slot = index->slots.bytes;
    for (uint32_t id = 0; id < vocab->n_words; id++) {
        if (id == vocab->other) continue;
        const char *word = trib_vocab_norm(vocab, id);
        const uint64_t hash = trib_hash_bytes(word, strlen(word));
        size_t at = (size_t)hash & index->mask;
        while (slot[at] != 0) at = (at + 1) & index->mask;
        slot[at] = (hash & HASH_OF_SLOT) | (id + UINT64_C(1));
    }
    return TRIB_OK;
}

uint32_t trib_word_index_find(const trib_word_index *index, const char *word, size_t length) {
    const uint64_t *const slot = index->slots.bytes;
    const uint64_t hash = trib_hash_bytes(word, length);
    for (size_t at = (size_t)hash & index->mask; slot[at] != 0; at = (at + 1) & index->mask) {
        if (((slot[at] ^ hash) & HASH_OF_SLOT) != 0) continue;
        const uint32_t id = (uint32_t)slot[at] - 1;
        const char *other = trib_vocab_norm(index->vocab, id);
        if (strncmp(other, word, length) == 0 && other[length] == '\0') return id;
    }
    return TRIB_NO_WORD;
}

void trib_word_index_close(trib_word_index *index) {
    trib_scratch_array_close(&index->slots);
    *index = (trib_word_index){0};
}
