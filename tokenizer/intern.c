/* intern.c - maps words to provisional ids: a text of all words one after another, with an
 * open-addressing hash table over it. The slot of a word of up to eight bytes, as most are, holds
 * the word itself, so that a lookup need not read the text. The slot of a longer word holds its
 * hash, so that a lookup rarely reads a wrong word. Growing the table reads no words. */
#include "base/internal.h"
#include "tokenizer/tokenizer.h"

#include <assert.h>

enum { MIN_SLOTS = 256, SHORT = 8 };

/* The bytes of a word of up to eight as a number. Two words of the same length have the same number
 * only when they are equal. */
static inline uint64_t bytes_of(const char *word, size_t length) {
    uint32_t first = 0, last = 0;
    if (length >= 4) {
        memcpy(&first, word, 4);
        memcpy(&last, word + length - 4, 4);
    } else if (length > 0) {
        first = (uint32_t)(unsigned char)word[0] << 8 | (unsigned char)word[length - 1];
        last = (unsigned char)word[length / 2];
    }
    return (uint64_t)last << 32 | first;
}

static inline uint64_t key_of(const char *word, size_t length) {
    return length <= SHORT ? bytes_of(word, length) : trib_hash_bytes(word, length);
}

/* The first slot of a key: the upper bits of a product, folded over the lower ones. */
static inline size_t place_of(uint64_t key, uint32_t length, size_t mask) {
    const uint64_t product = (key ^ (uint64_t)length << 56) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(product ^ product >> 32) & mask;
}

static inline uint32_t length_of(size_t length) {
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

/* Returns the slot that holds the word, or the free slot for it. The table must have a free
 * slot. */
static inline trib_intern_slot *slot_of(const trib_intern *intern, uint64_t key, const char *word,
                                        size_t length) {
    const size_t mask = intern->n_slots - 1;
    const uint32_t shown = length_of(length);
    for (size_t at = place_of(key, shown, mask);; at = (at + 1) & mask) {
        trib_intern_slot *slot = &intern->slot[at];
        if (slot->id == 0) return slot;
        if (slot->key != key || slot->length != shown) continue;
        if (length <= SHORT) return slot;
        const size_t start = intern->start[slot->id - 1];
        if (intern->start[slot->id] - start == length + 1 &&
            memcmp(intern->text + start, word, length) == 0)
            return slot;
    }
}

/* Grows the table so that one more word fits at a load of at most one half. */
static trib_status grow_slots(trib_intern *intern, trib_error *error) {
    if (((size_t)intern->n_words + 1) * 2 <= intern->n_slots) return TRIB_OK;
    const size_t n_slots = intern->n_slots ? 2 * intern->n_slots : MIN_SLOTS;
    trib_intern_slot *slot = NULL;
    trib_status status = TRIB_NEW(&slot, n_slots, "the table of words", error);
    if (status != TRIB_OK) return status;
    for (size_t s = 0; s < intern->n_slots; s++) {
        const trib_intern_slot old = intern->slot[s];
        if (old.id == 0) continue;
        size_t at = place_of(old.key, old.length, n_slots - 1);
        while (slot[at].id != 0) at = (at + 1) & (n_slots - 1);
        slot[at] = old;
    }
    trib_free(intern->slot);
    intern->slot = slot;
    intern->n_slots = n_slots;
    return TRIB_OK;
}

static trib_status add_new(trib_intern *intern, uint64_t key, const char *word, size_t length,
                           uint32_t *id, trib_error *error) {
    if (intern->n_words >= TRIB_NO_WORD - 2)
        return trib_fail(error, TRIB_INPUT, "more than %lu different words",
                         (unsigned long)intern->n_words);
    trib_status status = grow_slots(intern, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&intern->start, &intern->cap, (size_t)intern->n_words + 2,
                           "the table of words", error);
    if (status == TRIB_OK)
        status = trib_grow(&intern->text, &intern->text_cap, intern->n_text + length + 1, 1,
                           "the text of the words", error);
    if (status != TRIB_OK) return status;
    /* found before the word is in the text, so that the search cannot meet it */
    trib_intern_slot *slot = slot_of(intern, key, word, length);
    *id = intern->n_words++;
    *slot = (trib_intern_slot){key, length_of(length), *id + 1};
    memcpy(intern->text + intern->n_text, word, length);
    intern->text[intern->n_text + length] = '\0';
    intern->start[*id] = intern->n_text;
    intern->n_text += length + 1;
    intern->start[*id + 1] = intern->n_text;
    return TRIB_OK;
}

trib_status trib_intern_add(trib_intern *intern, const char *word, size_t length, uint32_t *id,
                            trib_error *error) {
    const uint64_t key = key_of(word, length);
    if (intern->n_slots > 0) {
        const trib_intern_slot *slot = slot_of(intern, key, word, length);
        if (slot->id != 0) {
            *id = slot->id - 1;
            return TRIB_OK;
        }
    }
    return add_new(intern, key, word, length, id, error);
}

uint32_t trib_intern_find(const trib_intern *intern, const char *word, size_t length) {
    if (intern->n_slots == 0) return TRIB_NO_WORD;
    /* a free slot has id 0, which gives TRIB_NO_WORD */
    return slot_of(intern, key_of(word, length), word, length)->id - 1;
}

const char *trib_intern_word(const trib_intern *intern, uint32_t id) {
    assert(id < intern->n_words);
    return intern->text + intern->start[id];
}

void trib_intern_clear(trib_intern *intern) {
    if (intern->slot) memset(intern->slot, 0, intern->n_slots * sizeof *intern->slot);
    intern->n_words = 0;
    intern->n_text = 0;
}

void trib_intern_release(trib_intern *intern) {
    TRIB_FREE(intern->start, intern->text, intern->slot);
    *intern = (trib_intern){0};
}
