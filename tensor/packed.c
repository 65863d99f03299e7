/* packed.c - packs a table of n-grams as the text that it counts. An n-gram begins with the last
 * n - 1 words of the one before it, and entries are numbered as they first appear: so each n-gram
 * needs its last word, and a bit that says whether it is new or, if it is not, its number.
 *
 *     8 bytes     n_stretches, n_counts
 *     bits        n-gram k is new: bit k % 8 of byte k / 8
 *     stretches   4 bytes each: the n-grams of a stretch, in which each follows from the last
 *     counts      8 bytes each: entry and count, of entries that are not counted by the sequence
 *     words       of each stretch, n - 1 more than it has n-grams; each as many bytes as the
 *                 largest index needs
 *     repeats     the entries of n-grams that are not new, as many bytes as the largest needs
 *
 * Without a sequence the entries themselves are the n-grams, and all counts but 1 are listed. */
#include "tensor/packed.h"
#include "tensor/entry.h"

/* The number and size of the parts. */
typedef struct layout {
    size_t n, n_repeats;                                  /* n-grams; those that are not new */
    uint32_t n_stretches, n_counts;                       /* as in the bytes */
    size_t id_bytes, entry_bytes;                         /* of a word and of a repeat */
    size_t bits, stretches, counts, words, repeats, size; /* places in the bytes */
} layout;

/* Places the parts. All numbers are below 2^32, so that no sum exceeds 2^37. */
static bool place(layout *l, const trib_hacoo *table, uint64_t n) {
    if (n > UINT32_MAX || table->nnz > n || l->n_stretches > n || l->n_counts > table->nnz)
        return false;
    const uint64_t n_words = n + (uint64_t)l->n_stretches * (table->n_modes - 1);
    l->n = (size_t)n;
    l->n_repeats = l->n - table->nnz;
    l->id_bytes = trib_narrow_bytes(table->dim[0]);
    l->entry_bytes = trib_narrow_bytes(table->nnz);
    if (n_words > SIZE_MAX / 32) return false;
    l->bits = 2 * sizeof(uint32_t);
    l->stretches = l->bits + (l->n + 7) / 8;
    l->counts = l->stretches + l->n_stretches * sizeof(uint32_t);
    l->words = l->counts + l->n_counts * 2 * sizeof(uint32_t);
    l->repeats = l->words + (size_t)n_words * l->id_bytes;
    l->size = l->repeats + l->n_repeats * l->entry_bytes + TRIB_NARROW_MARGIN;
    return true;
}

/* All bits of a key but those of mode 0: what the next n-gram begins with. */
static trib_key tail_mask(const trib_hacoo *table) {
    return ((trib_key)1 << (table->key_bits - table->bits[0])) - 1;
}

/* ---- Packing --------------------------------------------------------------------------------- */

/* The n-grams of a table in their order. */
typedef struct source {
    const trib_hacoo *table;
    const uint32_t *sequence; /* NULL: the entries in order */
    bool wide;
} source;

static uint32_t entry_at(const source *s, size_t k) {
    return s->sequence ? s->sequence[k] : (uint32_t)k;
}

static trib_key key_at(const source *s, size_t k) {
    return trib_entry_key(s->table->entry, entry_at(s, k), s->wide);
}

/* Whether n-gram k begins with the end of the one before it. */
static bool follows(const source *s, size_t k) {
    return k > 0 && key_at(s, k) >> s->table->bits[0] == (key_at(s, k - 1) & tail_mask(s->table));
}

/* Counts the parts; false when the table does not count these n-grams. */
static bool measure(const source *s, size_t n, layout *l) {
    size_t n_new = 0;
    *l = (layout){0};
    for (size_t k = 0; k < n; k++) {
        const uint32_t e = entry_at(s, k);
        if (e > n_new || e >= s->table->nnz) return false;
        n_new += e == n_new;
        l->n_stretches += !follows(s, k);
    }
    for (size_t e = 0; !s->sequence && e < n; e++)
        l->n_counts += trib_hacoo_count(s->table, e) != 1;
    return n_new == s->table->nnz && (!s->sequence || s->table->total == n) &&
           place(l, s->table, n);
}

/* Where the next number of each part is written. */
typedef struct output {
    char *stretch, *count, *word, *repeat;
} output;

static void put(char **to, uint32_t value, size_t n_bytes) {
    trib_narrow_put(*to, value, n_bytes);
    *to += n_bytes;
}

/* Writes the words of n-gram k: all of them, or only the last. */
static void put_words(const source *s, size_t k, bool all, const layout *l, output *to) {
    uint32_t index[TRIB_MAX_MODES];
    const uint32_t n_modes = s->table->n_modes;
    trib_hacoo_entry(s->table, entry_at(s, k), index);
    for (uint32_t m = all ? 0 : n_modes - 1; m < n_modes; m++)
        put(&to->word, index[m], l->id_bytes);
}

static void write_parts(const source *s, const layout *l, char *bytes) {
    output to = {bytes + l->stretches, bytes + l->counts, bytes + l->words, bytes + l->repeats};
    char *head = bytes;
    size_t n_new = 0, length = 0;
    put(&head, l->n_stretches, sizeof(uint32_t));
    put(&head, l->n_counts, sizeof(uint32_t));
    for (size_t k = 0; k < l->n; k++) {
        const uint32_t e = entry_at(s, k);
        const bool begins = !follows(s, k);
        if (begins && k > 0) put(&to.stretch, (uint32_t)length, sizeof(uint32_t));
        length = begins ? 1 : length + 1;
        put_words(s, k, begins, l, &to);
        if (e == n_new) bytes[l->bits + k / 8] |= (char)(1 << k % 8), n_new++;
        else put(&to.repeat, e, l->entry_bytes);
        if (s->sequence || trib_hacoo_count(s->table, e) == 1) continue;
        put(&to.count, e, sizeof(uint32_t));
        put(&to.count, trib_hacoo_count(s->table, e), sizeof(uint32_t));
    }
    if (l->n > 0) put(&to.stretch, (uint32_t)length, sizeof(uint32_t));
}

trib_status trib_hacoo_pack(const trib_hacoo *table, const uint32_t *sequence, size_t n,
                            char **bytes, size_t *size, trib_error *error) {
    const source s = {table, sequence, trib_is_wide(table)};
    layout l;
    *bytes = NULL;
    if (!trib_modes_are_alike(table) || !measure(&s, sequence ? n : table->nnz, &l))
        return trib_fail(error, TRIB_INTERNAL, "a table that does not count the given n-grams");
    const trib_status status = trib_new(bytes, l.size, 1, "packed n-grams", error);
    if (status == TRIB_OK) write_parts(&s, &l, *bytes);
    *size = l.size;
    return status;
}

/* ---- Unpacking ------------------------------------------------------------------------------- */

/* Gives an array room for `bytes` bytes; what it holds is lost. */
static trib_status make_room(void *pointer, size_t *cap, size_t bytes, trib_error *error) {
    void *array = NULL;
    memcpy(&array, pointer, sizeof array);
    if (*cap >= bytes) return TRIB_OK;
    trib_free(array);
    array = NULL;
    *cap = 0;
    const trib_status status = trib_grow(&array, cap, bytes, 1, "unpacked n-grams", error);
    memcpy(pointer, &array, sizeof array);
    return status;
}

/* Reads the numbers of the parts; false when they do not agree with the table or the size. */
static bool read_layout(layout *l, const trib_hacoo *table, const char *bytes, size_t size,
                        uint64_t n) {
    const uint64_t word = sizeof(uint32_t);
    size_t n_new = 0;
    *l = (layout){0};
    if (size < 2 * word || !trib_modes_are_alike(table)) return false;
    l->n_stretches = trib_narrow_get(bytes, word);
    l->n_counts = trib_narrow_get(bytes + word, word);
    if (!place(l, table, n) || l->size != size) return false;
    for (size_t i = l->bits; i < l->stretches; i++)
        n_new += (size_t)__builtin_popcount((uint8_t)bytes[i]);
    const unsigned used = l->n % 8; /* bits of the last byte; 0: all */
    const bool is_clean = used == 0 || (uint8_t)bytes[l->stretches - 1] >> used == 0;
    return n_new == table->nnz && is_clean;
}

/* Unpacks entries and sequence; false when a number is out of range. */
TRIB_INLINE bool read_ngrams(const trib_hacoo *table, const layout *l, const char *bytes,
                             const trib_hacoo_arrays *to, bool has_sequence, bool wide) {
    const unsigned shift = table->bits[0];
    const trib_key mask = tail_mask(table);
    const uint32_t dim = table->dim[0], n_before = table->n_modes - 1;
    const char *word = bytes + l->words, *repeat = bytes + l->repeats;
    size_t n_new = 0, k = 0;
    uint32_t largest = 0;
    for (uint32_t s = 0; s < l->n_stretches; s++) {
        const size_t length = trib_narrow_get(bytes + l->stretches + s * sizeof(uint32_t), 4);
        trib_key key = 0;
        if (length == 0 || length > l->n - k) return false;
        for (uint32_t m = 0; m < n_before; m++, word += l->id_bytes) {
            const uint32_t id = trib_narrow_get(word, l->id_bytes);
            largest = id > largest ? id : largest;
            key = key << shift | id;
        }
        for (const size_t end = k + length; k < end; k++, word += l->id_bytes) {
            const uint32_t id = trib_narrow_get(word, l->id_bytes);
            largest = id > largest ? id : largest;
            if (wide) key = (key & mask) << shift | id;
            else key = ((uint64_t)key & (uint64_t)mask) << shift | id;
            uint32_t e = (uint32_t)n_new;
            if ((uint8_t)bytes[l->bits + k / 8] >> k % 8 & 1) {
                if (wide)
                    ((trib_entry128 *)to->entry)[n_new] =
                        (trib_entry128){(uint64_t)key, (uint64_t)(key >> 64), 1, TRIB_CHAIN_END};
                else
                    ((trib_entry64 *)to->entry)[n_new] =
                        (trib_entry64){(uint64_t)key, 1, TRIB_CHAIN_END};
                n_new++;
            } else {
                e = trib_narrow_get(repeat, l->entry_bytes);
                repeat += l->entry_bytes;
                if (e >= n_new) return false;
                ++*trib_entry_count(to->entry, e, wide);
            }
            if (has_sequence) to->sequence[k] = e;
        }
    }
    return k == l->n && (l->n == 0 || largest < dim);
}

/* Sets the listed counts, which ascend by entry; false when one is out of range. */
static bool read_counts(const trib_hacoo *table, const layout *l, const char *bytes) {
    const size_t word = sizeof(uint32_t);
    uint64_t total = l->n;
    uint32_t least = 0;
    for (uint32_t i = 0; i < l->n_counts; i++) {
        const char *at = bytes + l->counts + i * 2 * word;
        const uint32_t e = trib_narrow_get(at, word), count = trib_narrow_get(at + word, word);
        if (e < least || e >= table->nnz || count == 0) return false;
        *trib_entry_count(table->entry, e, trib_is_wide(table)) = count;
        total += (uint64_t)count - 1;
        least = e + 1;
    }
    return total == table->total;
}

trib_status trib_hacoo_unpack(const trib_hacoo *table, const char *bytes, size_t size, size_t n,
                              bool has_sequence, trib_hacoo_arrays *arrays, trib_error *error) {
    const bool wide = trib_is_wide(table);
    const size_t entry = wide ? sizeof(trib_entry128) : sizeof(trib_entry64);
    trib_hacoo filled = *table;
    layout l;
    trib_status status = TRIB_OK;
    bool holds = read_layout(&l, table, bytes, size, has_sequence ? n : table->nnz) &&
                 (!has_sequence || l.n_counts == 0);
    if (holds) status = make_room(&arrays->entry, &arrays->entry_bytes, table->nnz * entry, error);
    if (holds && status == TRIB_OK)
        status = make_room(&arrays->head, &arrays->head_bytes,
                           table->n_buckets * sizeof *arrays->head, error);
    if (holds && status == TRIB_OK && has_sequence)
        status = make_room(&arrays->sequence, &arrays->sequence_bytes, n * sizeof *arrays->sequence,
                           error);
    if (status != TRIB_OK) return status;
    filled.entry = arrays->entry;
    filled.head = arrays->head;
    if (holds)
        holds = wide ? read_ngrams(table, &l, bytes, arrays, has_sequence, true)
                     : read_ngrams(table, &l, bytes, arrays, has_sequence, false);
    if (!holds || !read_counts(&filled, &l, bytes))
        return trib_fail(error, TRIB_INPUT, "the packed n-grams of a document are damaged");
    trib_hacoo_link(&filled);
    return TRIB_OK;
}

void trib_hacoo_arrays_release(trib_hacoo_arrays *arrays) {
    TRIB_FREE(arrays->entry, arrays->head, arrays->sequence);
    *arrays = (trib_hacoo_arrays){0};
}
