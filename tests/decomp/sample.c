/* sample.c - tensors for the tests of decomp/. */
#include "tests/decomp/sample.h"

#include <ctype.h>

void sample_release(sample *s) {
    trib_tensor_release(&s->x);
    trib_hacoo_release(&s->counts);
    free(s->value);
    *s = (sample){0};
}

void sample_in_format(sample *s, const trib_format *format) {
    trib_tensor_release(&s->x);
    CHECK(trib_tensor_build(&s->x, format, &s->counts, s->value, 1, NULL) == TRIB_OK);
}

sample sample_by_hand(uint32_t n_modes, const uint32_t dim[], const uint32_t *entry, size_t n) {
    sample s = {0};
    CHECK(trib_hacoo_init(&s.counts, n_modes, dim, NULL, NULL) == TRIB_OK);
    for (size_t i = 0; i < n; i++, entry += n_modes + 1)
        CHECK(trib_hacoo_add(&s.counts, entry, entry[n_modes], NULL) == TRIB_OK);
    sample_in_format(&s, trib_format_find("coo"));
    return s;
}

sample sample_at_random(uint64_t seed, uint32_t n_modes, const uint32_t dim[], size_t n,
                        uint32_t most) {
    sample s = {0};
    trib_random random;
    trib_random_seed(&random, seed);
    CHECK(trib_hacoo_init(&s.counts, n_modes, dim, NULL, NULL) == TRIB_OK);
    for (size_t i = 0; i < n; i++) {
        uint32_t index[TRIB_MAX_MODES];
        for (uint32_t m = 0; m < n_modes; m++) {
            const double unit = trib_random_unit(&random);
            index[m] = (uint32_t)(unit * unit * dim[m]);
        }
        const uint32_t count = 1 + (uint32_t)trib_random_below(&random, most);
        CHECK(trib_hacoo_set(&s.counts, index, count, NULL) == TRIB_OK);
    }
    sample_in_format(&s, trib_format_find("coo"));
    return s;
}

/* ---- From a text ----------------------------------------------------------------------------- */

typedef struct type {
    const char *word;
    size_t place; /* of a token */
    uint32_t count, id;
} type;

static int by_word(const void *a, const void *b) {
    const type *left = a, *right = b;
    const int order = strcmp(left->word, right->word);
    return order != 0 ? order : (left->place > right->place) - (left->place < right->place);
}

static int by_count(const void *a, const void *b) {
    const type *left = a, *right = b;
    if (left->count != right->count) return left->count > right->count ? -1 : 1;
    return strcmp(left->word, right->word);
}

static int by_place(const void *a, const void *b) {
    const type *left = a, *right = b;
    return (left->place > right->place) - (left->place < right->place);
}

/* Replaces text by its words, each zero-terminated; returns how many. */
static size_t split_words(char *text, type *token) {
    size_t n = 0;
    bool inside = false;
    for (char *c = text; *c; c++) {
        const bool letter = isalpha((unsigned char)*c) != 0;
        if (letter && !inside) {
            token[n] = (type){.word = c, .place = n};
            n++;
        }
        *c = letter ? (char)tolower((unsigned char)*c) : '\0';
        inside = letter;
    }
    return n;
}

/* Numbers every token by its word; returns the number of types. */
static uint32_t number_words(type *token, size_t n) {
    uint32_t n_types = 0;
    qsort(token, n, sizeof *token, by_word);
    for (size_t first = 0, end = 0; first < n; first = end) {
        while (end < n && strcmp(token[end].word, token[first].word) == 0) end++;
        for (size_t i = first; i < end; i++) token[i].count = (uint32_t)(end - first);
    }
    qsort(token, n, sizeof *token, by_count);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && strcmp(token[i].word, token[i - 1].word) != 0) n_types++;
        token[i].id = n_types;
    }
    qsort(token, n, sizeof *token, by_place);
    return n > 0 ? n_types + 1 : 0;
}

bool sample_text(sample *s, const char *path) {
    const char *full = trib_shared(path);
    trib_reader reader;
    GIVEN(trib_buffer) text = {0};
    if (!full) return false;
    CHECK(trib_reader_open(&reader, full, NULL) == TRIB_OK);
    CHECK(trib_reader_all(&reader, &text, NULL) == TRIB_OK);
    trib_reader_close(&reader);
    type *token = calloc(text.length + 1, sizeof *token);
    CHECK(token != NULL);
    const size_t n = split_words(text.text, token);
    const uint32_t n_types = number_words(token, n);
    *s = (sample){0};
    CHECK(trib_hacoo_init(&s->counts, 3, (uint32_t[]){n_types, n_types, n_types}, NULL, NULL) ==
          TRIB_OK);
    for (size_t i = 0; i + 3 <= n; i++) {
        const uint32_t index[3] = {token[i].id, token[i + 1].id, token[i + 2].id};
        CHECK(trib_hacoo_add(&s->counts, index, 1, NULL) == TRIB_OK);
    }
    free(token);
    sample_in_format(s, trib_format_find("coo"));
    return true;
}

typedef struct decomposition {
    const trib_tensor *x;
    const trib_cp_options *options;
} decomposition;

static trib_status decompose(void *context, trib_error *error) {
    const decomposition *d = context;
    GIVEN(trib_ktensor) k = {0};
    GIVEN(trib_cp_trace) trace = {0};
    return trib_cp(&k, d->x, d->options, &trace, error);
}

size_t fail_every_allocation_of_cp(const trib_tensor *x, const trib_cp_options *options) {
    decomposition d = {x, options};
    return trib_fail_every_allocation(decompose, &d);
}

trib_ktensor cp_of(const trib_tensor *x, const trib_cp_options *options, trib_cp_trace *trace) {
    trib_ktensor k;
    CHECK(trib_cp(&k, x, options, trace, NULL) == TRIB_OK);
    return k;
}

trib_fibre_cover cover_of(const trib_tensor *x, size_t limit) {
    trib_fibre_cover cover;
    CHECK(trib_fibre_cover_build(&cover, x, limit, NULL) == TRIB_OK);
    return cover;
}

trib_ktensor zero_ktensor(uint32_t n_modes, const uint32_t dim[], uint32_t rank) {
    trib_ktensor k;
    CHECK(trib_ktensor_init(&k, n_modes, dim, rank, NULL) == TRIB_OK);
    return k;
}

bool same_ktensor(const trib_ktensor *a, const trib_ktensor *b) {
    if (a->n_modes != b->n_modes || a->rank != b->rank) return false;
    bool same = memcmp(&a->fit, &b->fit, sizeof a->fit) == 0 &&
                memcmp(a->lambda, b->lambda, a->rank * sizeof(double)) == 0;
    for (uint32_t m = 0; m < a->n_modes; m++)
        same =
            same && a->dim[m] == b->dim[m] &&
            memcmp(a->factor[m], b->factor[m], (size_t)a->dim[m] * a->rank * sizeof(double)) == 0;
    return same;
}
