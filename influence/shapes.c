/* shapes.c - finds the diagonals of the copying model that have the same shape. */
#include "influence/trellis.h"

static const char WHAT[] = "the shapes of shared passages";

#define NO_SHAPE UINT32_MAX

/* What the search for shapes knows of the texts, and its scratch. */
typedef struct finding {
    const trib_segment *segment;
    const trib_word_order *target, *source;
    size_t n_modes;     /* words of an n-gram; a segment of so many has only the same words */
    uint32_t *plain;    /* [words of the target] shape of the single n-gram that begins there */
    trib_hacoo others;  /* one entry per hash value of a longer segment */
    uint32_t *of_entry; /* [others.nnz] its shape */
    size_t cap_entries;
    uint32_t *example; /* [n] a segment of each shape */
    size_t n, cap;
} finding;

static bool is_same(const finding *f, const trib_segment *s, size_t k) {
    return trib_segment_same(s, k, f->target, f->source);
}

static uint64_t hash_of(const finding *f, const trib_segment *s) {
    uint64_t hash = ((uint64_t)s->first << 32) + s->n;
    for (size_t k = 0; k < s->n; k++) {
        hash = (hash ^ is_same(f, s, k)) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool are_alike(const finding *f, const trib_segment *a, const trib_segment *b) {
    if (a->first != b->first || a->n != b->n) return false;
    for (size_t k = 0; k < a->n; k++)
        if (is_same(f, a, k) != is_same(f, b, k)) return false;
    return true;
}

/* Adds a shape whose example is segment g. */
static trib_status add_shape(uint32_t *shape, finding *f, size_t g, trib_error *error) {
    const trib_status status = TRIB_GROW(&f->example, &f->cap, f->n + 1, WHAT, error);
    if (status != TRIB_OK) return status;
    *shape = (uint32_t)f->n;
    f->example[f->n++] = (uint32_t)g;
    return TRIB_OK;
}

/* Sets *shape to that of segment g, which is longer than an n-gram. Where two shapes have the same
 * hash, each segment of the second gets a shape of its own, which gives the same result. */
static trib_status find_longer(uint32_t *shape, finding *f, size_t g, trib_error *error) {
    const uint64_t hash = hash_of(f, &f->segment[g]);
    const uint32_t index[] = {(uint32_t)(hash >> 33), (uint32_t)hash >> 1};
    const size_t e = trib_hacoo_find(&f->others, index);
    if (e != TRIB_NO_ENTRY) {
        *shape = f->of_entry[e];
        return are_alike(f, &f->segment[f->example[*shape]], &f->segment[g])
                   ? TRIB_OK
                   : add_shape(shape, f, g, error);
    }
    const size_t n = f->others.nnz;
    trib_status status = trib_hacoo_add(&f->others, index, 1, error);
    if (status == TRIB_OK) status = TRIB_GROW(&f->of_entry, &f->cap_entries, n + 1, WHAT, error);
    if (status == TRIB_OK) status = add_shape(shape, f, g, error);
    if (status == TRIB_OK) f->of_entry[n] = *shape;
    return status;
}

/* Sets of[n_segments] to the shape of each segment, by the order of their first segments. */
static trib_status find_shapes(uint32_t *of, finding *f, size_t n_segments, trib_error *error) {
    static const uint32_t dim[] = {UINT32_MAX, UINT32_MAX};
    trib_status status = TRIB_NEW(&f->plain, f->target->n, WHAT, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&f->others, 2, dim, NULL, error);
    for (size_t i = 0; i < f->target->n && status == TRIB_OK; i++) f->plain[i] = NO_SHAPE;
    for (size_t g = 0; g < n_segments && status == TRIB_OK; g++) {
        const trib_segment *s = &f->segment[g];
        if (s->n > f->n_modes) status = find_longer(&of[g], f, g, error);
        else if (f->plain[s->first] == NO_SHAPE)
            status = add_shape(&f->plain[s->first], f, g, error);
        if (status == TRIB_OK && s->n == f->n_modes) of[g] = f->plain[s->first];
    }
    return status;
}

static void finding_release(finding *f) {
    TRIB_FREE(f->plain, f->of_entry, f->example);
    trib_hacoo_release(&f->others);
}

/* Numbers the shapes by their first words and gives them their slots. */
static trib_status number_shapes(trib_shapes *shapes, const finding *f, size_t n_segments,
                                 trib_error *error) {
    size_t *next = NULL; /* [words of the target + 1] number of the next shape that begins there */
    uint32_t *number = NULL, *length = NULL; /* [n] new number, and words of each new number */
    uint64_t n_slots = 0;
    shapes->n = f->n;
    trib_status status = TRIB_NEW(&next, f->target->n + 1, WHAT, error);
    if (status == TRIB_OK) status = TRIB_NEW(&number, f->n, WHAT, error);
    if (status == TRIB_OK) status = TRIB_NEW(&length, f->n, WHAT, error);
    if (status == TRIB_OK) status = TRIB_NEW(&shapes->slot, f->n + 1, WHAT, error);
    if (status != TRIB_OK) goto done;
    for (size_t h = 0; h < f->n; h++) next[f->segment[f->example[h]].first + 1]++;
    for (size_t i = 0; i < f->target->n; i++) next[i + 1] += next[i];
    for (size_t h = 0; h < f->n; h++) {
        number[h] = (uint32_t)next[f->segment[f->example[h]].first]++;
        length[number[h]] = f->segment[f->example[h]].n;
    }
    for (size_t g = 0; g < n_segments; g++) shapes->of[g] = number[shapes->of[g]];
    for (size_t h = 0; h < f->n; h++) {
        n_slots += length[h] + 1;
        if (n_slots >= UINT32_MAX) {
            status = trib_fail(error, TRIB_MEMORY, "traced: more than %u words in shapes",
                               UINT32_MAX - 1);
            goto done;
        }
        shapes->slot[h + 1] = (uint32_t)n_slots;
    }
done:
    TRIB_FREE(next, number, length);
    return status;
}

/* Lists the shapes at each word of the target. */
static trib_status list_nodes(trib_shapes *shapes, const finding *f, size_t n_segments,
                              trib_error *error) {
    const size_t n_words = f->target->n, n_slots = shapes->slot[shapes->n];
    uint32_t *example = NULL; /* [n] */
    size_t *next = NULL;      /* [n_words + 1] */
    trib_status status = TRIB_NEW(&shapes->first, n_words + 1, WHAT, error);
    if (status == TRIB_OK) status = TRIB_NEW(&next, n_words + 1, WHAT, error);
    if (status == TRIB_OK) status = TRIB_NEW(&example, shapes->n, WHAT, error);
    if (status == TRIB_OK) status = TRIB_NEW(&shapes->node, n_slots - shapes->n, WHAT, error);
    if (status != TRIB_OK) goto done;
    for (size_t g = 0; g < n_segments; g++) example[shapes->of[g]] = (uint32_t)g;
    for (size_t h = 0; h < shapes->n; h++) {
        const trib_segment *s = &f->segment[example[h]];
        for (size_t k = 0; k < s->n; k++) shapes->first[s->first + k + 1]++;
    }
    for (size_t i = 0; i < n_words; i++) shapes->first[i + 1] += shapes->first[i];
    memcpy(next, shapes->first, (n_words + 1) * sizeof *next);
    for (size_t h = 0; h < shapes->n; h++) {
        const trib_segment *s = &f->segment[example[h]];
        for (size_t k = 0; k < s->n; k++) {
            const uint32_t slot = shapes->slot[h] + 1 + (uint32_t)k;
            shapes->node[next[s->first + k]++] =
                (trib_shape_node){slot, (uint32_t)h << 1 | is_same(f, s, k)};
        }
    }
done:
    TRIB_FREE(example, next);
    return status;
}

/* Counts the diagonals of each shape in each source. */
static trib_status count_shapes(trib_shapes *shapes, const finding *f, size_t n_segments,
                                size_t n_sources, trib_error *error) {
    size_t *last = NULL; /* [n] 1 + place of the shape's last element of `times`; 0: none */
    size_t cap = 0, n = 0, g = 0;
    trib_status status = TRIB_NEW(&shapes->start, n_sources + 1, WHAT, error);
    if (status == TRIB_OK) status = TRIB_NEW(&last, shapes->n, WHAT, error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++) {
        for (; g < n_segments && f->segment[g].source == s && status == TRIB_OK; g++) {
            const uint32_t shape = shapes->of[g];
            if (last[shape] > shapes->start[s]) {
                shapes->times[last[shape] - 1].n++;
                continue;
            }
            status = TRIB_GROW(&shapes->times, &cap, n + 1, WHAT, error);
            if (status != TRIB_OK) break;
            shapes->times[n++] = (trib_shape_times){shape, 1};
            last[shape] = n;
        }
        shapes->start[s + 1] = n;
    }
    trib_free(last);
    return status;
}

trib_status trib_shapes_build(trib_shapes *shapes, const trib_segment segment[], size_t n_segments,
                              uint32_t n_modes, const trib_word_order *target,
                              const trib_word_order source[], size_t n_sources, trib_error *error) {
    finding f = {.segment = segment, .target = target, .source = source, .n_modes = n_modes};
    *shapes = (trib_shapes){0};
    if (n_segments >= NO_SHAPE / 2)
        return trib_fail(error, TRIB_MEMORY, "traced: %zu shared passages, more than %u",
                         n_segments, NO_SHAPE / 2 - 1);
    trib_status status = TRIB_NEW(&shapes->of, n_segments, WHAT, error);
    if (status == TRIB_OK) status = find_shapes(shapes->of, &f, n_segments, error);
    if (status == TRIB_OK) status = number_shapes(shapes, &f, n_segments, error);
    if (status == TRIB_OK) status = list_nodes(shapes, &f, n_segments, error);
    if (status == TRIB_OK) status = count_shapes(shapes, &f, n_segments, n_sources, error);
    const size_t n_slots = status == TRIB_OK ? shapes->slot[shapes->n] : 0;
    if (status == TRIB_OK)
        status = trib_new(&shapes->weight, shapes->n, sizeof(double), WHAT, error);
    if (status == TRIB_OK)
        status = trib_new(&shapes->begun, shapes->n, sizeof(double), WHAT, error);
    if (status == TRIB_OK) status = trib_new(&shapes->copy, n_slots, sizeof(double), WHAT, error);
    if (status == TRIB_OK) status = trib_new(&shapes->later, n_slots, sizeof(double), WHAT, error);
    finding_release(&f);
    if (status != TRIB_OK) trib_shapes_release(shapes);
    return status;
}

void trib_shapes_release(trib_shapes *shapes) {
    TRIB_FREE(shapes->slot, shapes->first, shapes->node, shapes->start, shapes->times, shapes->of,
              shapes->weight, shapes->begun, shapes->copy, shapes->later);
    *shapes = (trib_shapes){0};
}
