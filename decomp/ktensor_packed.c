/* ktensor_packed.c - Kruskal tensors in a compact binary form: every word once, and values up to 1
 * as multiples of 2^-53. Most values of a fitted column are tiny, so that a multiple takes 5 bytes
 * instead of 8. decomp.h describes the layout at trib_ktns_write_packed. */
#include "decomp/ktensor_packed.h"

#include <math.h>
#include <string.h>

enum { SINGLE = 1, HAS_FIT = 2, MULTIPLES = 4, MORE = 0x80, SEVEN_BITS = 0x7F };
enum { PLACES = 53 }; /* binary; the spacing of doubles below 1 */

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_whole(trib_writer *writer, uint64_t value) {
    unsigned char bytes[10];
    size_t n = 0;
    for (; value > SEVEN_BITS; value >>= 7) bytes[n++] = (unsigned char)(value | MORE);
    bytes[n++] = (unsigned char)value;
    trib_write(writer, bytes, n);
}

static bool has_multiples(const trib_ktensor *k) {
    for (uint32_t m = 0; m < k->n_modes; m++)
        for (size_t i = 0; i < (size_t)k->dim[m] * k->rank; i++)
            if (!(k->factor[m][i] >= 0 && k->factor[m][i] <= 1)) return false;
    return true;
}

/* Returns the multiple of 2^-PLACES nearest to a value from 0 to 1. */
static uint64_t multiple_of(double value) { return (uint64_t)rint(ldexp(value, PLACES)); }

static void write_column(const trib_ktensor *k, uint32_t m, uint32_t r, bool multiples,
                         trib_writer *writer) {
    const double *column = k->factor[m] + r;
    uint32_t nnz = 0, next = 0;
    for (uint32_t i = 0; i < k->dim[m]; i++) {
        const double value = column[(size_t)i * k->rank];
        nnz += multiples ? multiple_of(value) > 0 : value != 0;
    }
    write_whole(writer, nnz);
    for (uint32_t i = 0; i < k->dim[m]; i++) {
        const double value = column[(size_t)i * k->rank];
        const uint64_t multiple = multiples ? multiple_of(value) : 0;
        if (multiples ? multiple == 0 : value == 0) continue;
        write_whole(writer, i - next);
        if (multiples) write_whole(writer, multiple);
        else trib_write_double(writer, value);
        next = i + 1;
    }
}

void trib_ktns_write_packed(const trib_ktensor *k, const char *const *word, trib_writer *writer) {
    const bool multiples = has_multiples(k);
    uint32_t n_words = 0;
    trib_write_text(writer, TRIB_KTNS_PACKED);
    write_whole(writer, k->n_modes);
    for (uint32_t m = 0; m < k->n_modes; m++) {
        write_whole(writer, k->dim[m]);
        if (word && k->dim[m] > n_words) n_words = k->dim[m];
    }
    write_whole(writer, k->rank);
    write_whole(writer, (k->single ? SINGLE : 0) | (isnan(k->fit) ? 0 : HAS_FIT) |
                            (multiples ? MULTIPLES : 0));
    if (!isnan(k->fit)) trib_write_double(writer, k->fit);
    write_whole(writer, n_words);
    for (uint32_t i = 0; i < n_words; i++) trib_print(writer, "%s\n", word[i]);
    for (uint32_t r = 0; r < k->rank; r++) {
        trib_write_double(writer, k->lambda[r]);
        for (uint32_t m = 0; m < k->n_modes; m++) write_column(k, m, r, multiples, writer);
    }
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* The remaining bytes. After the first error, which is stored, every read returns 0. */
typedef struct packed {
    char *at, *end;
    const char *fault;
} packed;

static void expect(packed *in, bool holds, const char *fault) {
    if (!holds && !in->fault) in->fault = fault;
}

static uint64_t read_whole(packed *in, uint64_t most) {
    uint64_t value = 0;
    for (unsigned shift = 0; !in->fault; shift += 7) {
        expect(in, in->at < in->end, "the file ends too early");
        expect(in, shift < 63, "a number is too large");
        if (in->fault) return 0;
        const unsigned char byte = (unsigned char)*in->at++;
        value |= (uint64_t)(byte & SEVEN_BITS) << shift;
        if (!(byte & MORE)) break;
    }
    expect(in, value <= most, "a number is too large");
    return in->fault ? 0 : value;
}

static double read_double(packed *in) {
    double value = 0;
    uint64_t bits = 0;
    expect(in, in->end - in->at >= (ptrdiff_t)sizeof value, "the file ends too early");
    if (in->fault) return 0;
    for (unsigned b = 0; b < sizeof bits; b++) bits |= (uint64_t)(unsigned char)*in->at++ << 8 * b;
    memcpy(&value, &bits, sizeof value);
    expect(in, isfinite(value), "a value is not finite");
    return in->fault ? 0 : value;
}

/* Reads an entry of a factor or a lambda, which must not be negative. */
static double read_mass(packed *in) {
    const double value = read_double(in);
    expect(in, value >= 0, "a value is below 0");
    return value;
}

static trib_status read_words(packed *in, trib_ktns_words *words, uint32_t n, trib_error *error) {
    if (words && n > 0) {
        words->n = n;
        const trib_status status = TRIB_NEW(&words->word, n, "words", error);
        if (status != TRIB_OK) return status;
    }
    for (uint32_t i = 0; i < n && !in->fault; i++) {
        char *end = memchr(in->at, '\n', (size_t)(in->end - in->at));
        expect(in, end && !memchr(in->at, '\0', (size_t)(end - in->at)), "a word is damaged");
        if (in->fault) break;
        *end = '\0';
        if (words) words->word[i] = in->at;
        in->at = end + 1;
    }
    return TRIB_OK;
}

static void read_column(packed *in, trib_ktensor *k, uint32_t m, uint32_t r, bool multiples) {
    const uint64_t nnz = read_whole(in, k->dim[m]);
    for (uint64_t e = 0, next = 0; e < nnz && !in->fault; e++, next++) {
        next += read_whole(in, k->dim[m]);
        expect(in, next < k->dim[m], "an index is out of range");
        const double value = multiples
                                 ? ldexp((double)read_whole(in, UINT64_C(1) << PLACES), -PLACES)
                                 : read_mass(in);
        if (!in->fault) k->factor[m][(size_t)next * k->rank + r] = value;
    }
}

bool trib_ktns_is_packed(const trib_buffer *file) {
    const size_t n = strlen(TRIB_KTNS_PACKED);
    return file->length >= n && memcmp(file->text, TRIB_KTNS_PACKED, n) == 0;
}

/* Every word takes at least a byte, every component a lambda and a byte for each mode. A file that
 * announces more than it can hold is rejected before anything is allocated. */
trib_status trib_ktns_unpack(trib_ktensor *k, trib_ktns_words *words, trib_buffer *file,
                             const char *name, trib_error *error) {
    packed in = {file->text + strlen(TRIB_KTNS_PACKED), file->text + file->length, NULL};
    uint32_t dim[TRIB_MAX_MODES] = {0};
    const uint32_t n_modes = (uint32_t)read_whole(&in, TRIB_MAX_MODES);
    expect(&in, n_modes > 0, "no dimensions");
    for (uint32_t m = 0; m < n_modes; m++) dim[m] = (uint32_t)read_whole(&in, UINT32_MAX);
    const uint32_t rank = (uint32_t)read_whole(&in, UINT32_MAX);
    const uint64_t flags = read_whole(&in, SINGLE | HAS_FIT | MULTIPLES);
    const double fit = flags & HAS_FIT ? read_double(&in) : (double)NAN;
    const uint32_t n_words = (uint32_t)read_whole(&in, UINT32_MAX);
    for (uint32_t m = 0; m < n_modes; m++)
        expect(&in, dim[m] > 0 && (n_words == 0 || dim[m] <= n_words), "a dimension has no words");
    expect(&in, n_words + (sizeof(double) + n_modes) * rank <= (size_t)(in.end - in.at),
           "it announces more than it holds");
    trib_status status = in.fault ? TRIB_OK : read_words(&in, words, n_words, error);
    if (status == TRIB_OK && !in.fault) status = trib_ktensor_init(k, n_modes, dim, rank, error);
    if (status != TRIB_OK) return status;
    k->fit = fit;
    k->single = (flags & SINGLE) != 0;
    for (uint32_t r = 0; r < rank && !in.fault; r++) {
        k->lambda[r] = read_mass(&in);
        for (uint32_t m = 0; m < n_modes; m++) read_column(&in, k, m, r, (flags & MULTIPLES) != 0);
    }
    expect(&in, in.at == in.end, "more bytes than the rank says");
    return in.fault ? trib_fail(error, TRIB_INPUT, "%s: a damaged ktensor file: %s", name, in.fault)
                    : TRIB_OK;
}
