/* synthetic.c - bands, random cells, boxes and Zipf indices from a seeded generator. */
#include "tests/bench/synthetic.h"

const synthetic synthetic_tensors[] = {
    {"band-2", SYNTHETIC_BAND, 2, {200000, 200000}, 0, 1},
    {"random-2", SYNTHETIC_RANDOM, 2, {20000, 20000}, 600000, 0},
    {"mixed-2", SYNTHETIC_MIXED, 2, {20000, 20000}, 600000, 0},
    {"band-3", SYNTHETIC_BAND, 3, {80000, 80000, 80000}, 0, 1},
    {"random-3", SYNTHETIC_RANDOM, 3, {1500, 1500, 1500}, 600000, 0},
    {"mixed-3", SYNTHETIC_MIXED, 3, {1500, 1500, 1500}, 600000, 0},
    {"band-4", SYNTHETIC_BAND, 4, {40000, 40000, 40000, 40000}, 0, 1},
    {"random-4", SYNTHETIC_RANDOM, 4, {400, 400, 400, 400}, 600000, 0},
    {"mixed-4", SYNTHETIC_MIXED, 4, {400, 400, 400, 400}, 600000, 0},
    /* Sizes of the modes as published, nonzeros fewer. */
    {"nell2-like", SYNTHETIC_ZIPF, 3, {12092, 9184, 28818}, 1000000, 0},
    {"nell2-like-5M", SYNTHETIC_ZIPF, 3, {12092, 9184, 28818}, 5000000, 0},
    {"nips-like", SYNTHETIC_ZIPF, 4, {2482, 2862, 14036, 17}, 1000000, 0},
    {"uber-like", SYNTHETIC_ZIPF, 4, {183, 24, 1140, 1717}, 1000000, 0},
    {"enron-like", SYNTHETIC_ZIPF, 4, {6066, 5699, 244268, 1176}, 1000000, 0},
    {"delicious-like", SYNTHETIC_ZIPF, 3, {53292, 1726226, 248030}, 1000000, 0},
    {NULL, SYNTHETIC_BAND, 0, {0}, 0, 0},
};

static trib_status add(trib_hacoo *table, const uint32_t index[], trib_random *random,
                       trib_error *error) {
    return trib_hacoo_set(table, index, 1 + (uint32_t)trib_random_below(random, 5), error);
}

/* The cells with smallest index i are i plus offsets of 0 to width, one of them 0. */
static trib_status make_band(trib_hacoo *table, const synthetic *what, trib_random *random,
                             trib_error *error) {
    const uint32_t n = what->n_modes, base = what->width + 1;
    uint32_t smallest = UINT32_MAX, index[TRIB_MAX_MODES];
    size_t n_offsets = 1;
    for (uint32_t m = 0; m < n; m++) {
        n_offsets *= base;
        if (what->dim[m] < smallest) smallest = what->dim[m];
    }
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < smallest; i++)
        for (size_t code = 0; code < n_offsets && status == TRIB_OK; code++) {
            bool zero = false, inside = true;
            size_t left = code;
            for (uint32_t m = 0; m < n; m++, left /= base) {
                index[m] = i + (uint32_t)(left % base);
                zero |= left % base == 0;
                inside &= index[m] < what->dim[m];
            }
            if (zero && inside) status = add(table, index, random, error);
        }
    return status;
}

/* Stirs the numbers below dim: x -> (x * odd + shift) walked along its cycle until it is below. */
static uint32_t stir(uint32_t x, uint32_t dim) {
    uint32_t bits = 1;
    while (bits < 32 && UINT64_C(1) << bits < dim) bits++;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t y = x;
    do y = (y * UINT64_C(0x9E3779B1) + 12345) & mask;
    while (y >= dim);
    return (uint32_t)y;
}

/* Low indices often: density proportional to 1 / (x + dim / 50), then stirred. */
static uint32_t zipf_below(uint32_t dim, double unit) {
    return stir((uint32_t)((double)dim / 50 * (pow(51, unit) - 1)), dim);
}

/* Draws what is missing, as often as it takes; a cell drawn again counts for more. */
static trib_status make_filled(trib_hacoo *table, const synthetic *what, trib_random *random,
                               trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    trib_status status = TRIB_OK;
    while (table->nnz < what->nnz && status == TRIB_OK) {
        trib_hacoo_stream stream;
        trib_hacoo_stream_init(&stream, table, NULL);
        for (size_t n = what->nnz - table->nnz; n > 0 && status == TRIB_OK; n--) {
            for (uint32_t m = 0; m < what->n_modes; m++)
                index[m] = zipf_below(what->dim[m], trib_random_unit(random));
            status = trib_hacoo_stream_push(&stream, index, 1, error);
        }
        if (status == TRIB_OK) status = trib_hacoo_stream_flush(&stream, error);
    }
    return status;
}

static trib_status make_drawn(trib_hacoo *table, const synthetic *what, size_t n,
                              trib_random *random, trib_error *error) {
    uint32_t index[TRIB_MAX_MODES];
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        for (uint32_t m = 0; m < what->n_modes; m++) {
            const double unit = trib_random_unit(random);
            index[m] = what->pattern == SYNTHETIC_ZIPF ? zipf_below(what->dim[m], unit)
                                                       : (uint32_t)(unit * what->dim[m]);
        }
        status = add(table, index, random, error);
    }
    return status;
}

/* A box of n cells or a few more, in the middle. */
static trib_status make_box(trib_hacoo *table, const synthetic *what, size_t n, trib_random *random,
                            trib_error *error) {
    uint32_t side = 1, index[TRIB_MAX_MODES];
    while (pow(side, what->n_modes) < (double)n) side++;
    trib_status status = TRIB_OK;
    for (size_t cell = 0; cell < n && status == TRIB_OK; cell++) {
        size_t left = cell;
        for (uint32_t m = 0; m < what->n_modes; m++, left /= side)
            index[m] = (what->dim[m] / 2 + (uint32_t)(left % side)) % what->dim[m];
        status = add(table, index, random, error);
    }
    return status;
}

trib_status synthetic_make(trib_hacoo *table, const synthetic *what, uint64_t seed,
                           trib_error *error) {
    trib_random random;
    trib_random_seed(&random, seed);
    const trib_hacoo_options options = {.expected =
                                            what->pattern == SYNTHETIC_FILLED ? what->nnz : 0};
    trib_status status = trib_hacoo_init(table, what->n_modes, what->dim, &options, error);
    if (status != TRIB_OK) return status;
    const size_t n_box = what->pattern == SYNTHETIC_MIXED ? what->nnz / 2 : 0;
    if (what->pattern == SYNTHETIC_BAND) status = make_band(table, what, &random, error);
    else if (what->pattern == SYNTHETIC_FILLED) status = make_filled(table, what, &random, error);
    else status = make_box(table, what, n_box, &random, error);
    if (status == TRIB_OK && what->pattern != SYNTHETIC_BAND && what->pattern != SYNTHETIC_FILLED)
        status = make_drawn(table, what, what->nnz - n_box, &random, error);
    if (status != TRIB_OK) trib_hacoo_release(table);
    return status;
}
