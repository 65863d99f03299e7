/* intern.c - words to provisional ids: a text of all words behind one another, and an open-addressing table over it.
 * Half of each word's hash stands in its slot, so that a probe rarely reads a wrong word and growing reads none. */
#include "tokenizer/tokenizer.h"

#include <assert.h>
#include <string.h>

enum { FEWEST_SLOTS = 256 };

/* The slot that holds the word, or the free one where it belongs. Needs a free slot. */
static size_t slot_of(const trib_intern *intern, uint64_t hash, const char *word, size_t length) {
    const size_t mask = intern->n_slots - 1;
    size_t at = (size_t)hash & mask;
    for (; intern->slot[at] != 0; at = (at + 1) & mask) {
        if (intern->slot[at] >> 32 != hash >> 32) continue;
        const uint32_t id = (uint32_t)intern->slot[at] - 1;
        const size_t start = intern->start[id];
        if (intern->start[id + 1] - start == length + 1 &&
            memcmp(intern->text + start, word, length) == 0)
            break;
    }
    return at;
}

/* Room for one more word at a load of at most a half. The low bits of a hash, which choose a slot, are not kept: the
 * words are hashed again, in the order of their text. */
static trib_status grow_slots(trib_intern *intern, trib_error *error) {
    if (((size_t)intern->n_words + 1) * 2 <= intern->n_slots) return TRIB_OK;
    const size_t n_slots = intern->n_slots ? 2 * intern->n_slots : FEWEST_SLOTS;
    uint64_t *slot = NULL;
    trib_status status = trib_new(&slot, n_slots, sizeof *slot, "the table of words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t id = 0; id < intern->n_words; id++) {
        const size_t start = intern->start[id];
        const uint64_t hash =
            trib_hash_bytes(intern->text + start, intern->start[id + 1] - start - 1);
        size_t at = (size_t)hash & (n_slots - 1);
        while (slot[at] != 0) at = (at + 1) & (n_slots - 1);
        slot[at] = hash >> 32 << 32 | (id + 1);
    }
    trib_free(intern->slot);
    intern->slot = slot;
    intern->n_slots = n_slots;
    return TRIB_OK;
}

trib_status trib_intern_add(trib_intern *intern, const char *word, size_t length, uint32_t *id,
                            trib_error *error) {
    const uint64_t hash = trib_hash_bytes(word, length);
    if (intern->n_slots > 0) {
        const uint64_t found = intern->slot[slot_of(intern, hash, word, length)];
        if (found != 0) {
            *id = (uint32_t)found - 1;
            return TRIB_OK;
        }
    }
    if (intern->n_words >= TRIB_NO_WORD - 2)
        return trib_fail(error, TRIB_INPUT, "more than %lu different words",
                         (unsigned long)intern->n_words);
    trib_status status = grow_slots(intern, error);
    if (status == TRIB_OK)
        status = trib_grow(&intern->start, &intern->cap, (size_t)intern->n_words + 2,
                           sizeof *intern->start, "the table of words", error);
    if (status == TRIB_OK)
        status = trib_grow(&intern->text, &intern->text_cap, intern->n_text + length + 1, 1,
                           "the text of the words", error);
    if (status != TRIB_OK) return status;
    *id = intern->n_words++;
    memcpy(intern->text + intern->n_text, word, length);
    intern->text[intern->n_text + length] = '\0';
    intern->start[*id] = intern->n_text;
    intern->n_text += length + 1;
    intern->start[*id + 1] = intern->n_text;
    /* only now is the word in the text, so the search cannot meet it */
    const size_t mask = intern->n_slots - 1;
    size_t at = (size_t)hash & mask;
    while (intern->slot[at] != 0) at = (at + 1) & mask;
    intern->slot[at] = hash >> 32 << 32 | (*id + 1);
    return TRIB_OK;
}

uint32_t trib_intern_find(const trib_intern *intern, const char *word, size_t length) {
    if (intern->n_slots == 0) return TRIB_NO_WORD;
    const uint64_t found =
        intern->slot[slot_of(intern, trib_hash_bytes(word, length), word, length)];
    return found != 0 ? (uint32_t)found - 1 : TRIB_NO_WORD;
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
    trib_free(intern->start);
    trib_free(intern->text);
    trib_free(intern->slot);
    *intern = (trib_intern){0};
}
