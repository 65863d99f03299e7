/* places.c - which phrases and words of a text are in the index of a library, and how their places
 * are sorted and packed. */
#include <stdio.h>

#include "pipeline/text/segment.h"

/* ---- Phrases --------------------------------------------------------------------------------- */

uint32_t trib_phrase_hash(const uint32_t *word, size_t n) {
    uint64_t h = 0;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ word[i]) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 32;
    }
    return (uint32_t)(h * UINT64_C(0xBF58476D1CE4E5B9) >> 32);
}

bool trib_window_slide(trib_window *w, size_t i, size_t n, uint64_t number) {
    w->number[i % w->size] = number;
    if (i + 1 < w->size && i + 1 < n) return false;
    size_t least = i + 1 < w->size ? 0 : i + 1 - w->size;
    for (size_t k = least + 1; k <= i; k++)
        if (w->number[k % w->size] < w->number[least % w->size]) least = k;
    if (w->last == least + 1) return false;
    w->last = least + 1;
    return true;
}

trib_status trib_phrases_choose(const uint32_t *hash, size_t n, bool all, trib_phrase_sink *take,
                                void *context, trib_error *error) {
    trib_window w = {.size = all ? 1 : TRIB_PHRASE_WINDOW};
    trib_status status = TRIB_OK;
    const size_t n_phrases = n < TRIB_PHRASE_WORDS ? 0 : n - TRIB_PHRASE_WORDS + 1;
    for (size_t i = 0; i < n_phrases && status == TRIB_OK; i++)
        if (trib_window_slide(&w, i, n_phrases, trib_phrase_hash(hash + i, TRIB_PHRASE_WORDS)))
            status = take(context, w.last - 1, (uint32_t)w.number[(w.last - 1) % w.size], error);
    return status;
}

/* ---- Packing --------------------------------------------------------------------------------- */

/* Bits that are written, the first of a byte being its highest. */
typedef struct bit_writer {
    uint8_t *bytes;
    size_t n;
    uint64_t held;
    unsigned n_held;
} bit_writer;

static void put(bit_writer *w, uint32_t value, unsigned n) {
    w->held = w->held << n | value;
    for (w->n_held += n; w->n_held >= 8;) w->bytes[w->n++] = (uint8_t)(w->held >> (w->n_held -= 8));
}

/* The Rice code of a number: its bits above the lowest k as so many ones and a zero, then these. */
static void put_rice(bit_writer *w, uint32_t number, unsigned k) {
    for (uint32_t high = number >> k; high > 0; high--) put(w, 1, 1);
    put(w, 0, 1);
    put(w, number & ((UINT32_C(1) << k) - 1), k);
}

/* The k for n numbers with a sum: that of their mean. */
static unsigned rice_of(uint64_t sum, uint64_t n) {
    unsigned k = 0;
    while (k < 31 && n > 0 && n << (k + 1) <= sum) k++;
    return k;
}

size_t trib_places_pack(uint8_t bytes[TRIB_PACKED_MOST], const trib_places *p) {
    bit_writer writer = {.bytes = bytes}, *const w = &writer;
    uint64_t gaps = 0, steps = 0, n_gaps = 0, n_steps = 0;
    uint32_t all = p->place[0] / TRIB_UNIT;
    for (size_t i = 1; i < p->n; i++) {
        const bool is_same = p->hash[i] == p->hash[i - 1];
        all |= p->place[i] / TRIB_UNIT;
        *(is_same ? &n_steps : &n_gaps) += 1;
        if (is_same) steps += (p->place[i] - p->place[i - 1]) / TRIB_UNIT;
        else gaps += p->hash[i] - p->hash[i - 1];
    }
    const unsigned of_gap = rice_of(gaps, n_gaps), of_step = rice_of(steps, n_steps);
    const unsigned width = all > 0 ? 32 - (unsigned)__builtin_clz(all) : 0;
    put(w, of_gap << 11 | of_step << 6 | width, 16);
    put(w, p->place[0] / TRIB_UNIT, width);
    for (size_t i = 1; i < p->n; i++) {
        const bool is_same = p->hash[i] == p->hash[i - 1];
        put(w, is_same, 1);
        if (is_same) put_rice(w, (p->place[i] - p->place[i - 1]) / TRIB_UNIT, of_step);
        if (is_same) continue;
        put_rice(w, p->hash[i] - p->hash[i - 1], of_gap);
        put(w, p->place[i] / TRIB_UNIT, width);
    }
    put(w, 0, 7); /* the last byte is whole */
    return w->n;
}

/* Bits that are read. The file has some bytes after their end. */
typedef struct bit_reader {
    const uint8_t *bytes;
    size_t at, end; /* in bits */
} bit_reader;

/* The next bits, at least 57, as the highest of a number. */
static uint64_t ahead(const bit_reader *r) {
    const uint8_t *const bytes = r->bytes + r->at / 8;
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) number = number << 8 | bytes[i];
    return number << r->at % 8;
}

static uint32_t take_bits(bit_reader *r, unsigned n) {
    const uint64_t number = ahead(r);
    r->at += n;
    return n > 0 ? (uint32_t)(number >> (64 - n)) : 0;
}

static uint32_t take_rice(bit_reader *r, unsigned k) {
    enum { MOST = 56 };
    uint32_t high = 0, n;
    do {
        n = (uint32_t)__builtin_clzll(~ahead(r) | UINT64_C(1) << (63 - MOST));
        high += n;
        r->at += n;
    } while (n == MOST && r->at < r->end);
    r->at++;
    return high << k | take_bits(r, k);
}

bool trib_places_unpack(trib_places *places, size_t n, uint32_t hash, const void *bytes,
                        size_t length) {
    bit_reader r = {bytes, 0, length * 8};
    const unsigned of_gap = take_bits(&r, 5), of_step = take_bits(&r, 5),
                   width = take_bits(&r, 6) % 33;
    uint32_t unit = take_bits(&r, width);
    for (places->n = 0; places->n < n && r.at <= r.end; places->n++) {
        if (places->n > 0 && take_bits(&r, 1)) unit += take_rice(&r, of_step);
        else if (places->n > 0) {
            hash += take_rice(&r, of_gap);
            unit = take_bits(&r, width);
        }
        places->hash[places->n] = hash;
        places->place[places->n] = unit * TRIB_UNIT;
    }
    return r.at <= r.end;
}

/* Sorts numbers, a[n] with the help of b[n], into b: by their upper 32 bits, 11 at a time. Of equal
 * ones the lower bits mostly ascend already. */
void trib_places_sort(uint64_t *a, uint64_t *b, size_t n) {
    enum { BITS = 11, SIZE = 1 << BITS };
    for (int shift = 32; shift < 64; shift += BITS) {
        size_t start[SIZE] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++) start[a[i] >> shift & (SIZE - 1)]++;
        for (size_t k = 0; k < SIZE; k++) {
            const size_t here = start[k];
            start[k] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++) b[start[a[i] >> shift & (SIZE - 1)]++] = a[i];
        uint64_t *const other = a;
        a = b;
        b = other;
    }
    for (size_t i = 1, k; i < n; i++) {
        const uint64_t one = a[i];
        for (k = i; k > 0 && a[k - 1] > one; k--) a[k] = a[k - 1];
        a[k] = one;
    }
}
