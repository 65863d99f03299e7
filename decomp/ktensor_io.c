/* ktensor_io.c - reads and writes Kruskal tensors as text or in a compact binary form (.ktns), and
 * writes arrays as NPY 1.0 files. */
#include "decomp/decomp.h"

#include <inttypes.h>

/* ---- Writing text and arrays ----------------------------------------------------------------- */

static void write_column(const trib_ktensor *k, uint32_t m, uint32_t r, const char *const *word,
                         trib_writer *writer) {
    const double *column = k->factor[m] + r;
    uint32_t nnz = 0;
    for (uint32_t i = 0; i < k->dim[m]; i++) nnz += column[(size_t)i * k->rank] != 0;
    trib_print(writer, "mode %" PRIu32 " %" PRIu32 "\n", m + 1, nnz);
    for (uint32_t i = 0; i < k->dim[m]; i++) {
        const double value = column[(size_t)i * k->rank];
        if (value == 0) continue;
        trib_print(writer, "%" PRIu32 " ", i + 1);
        trib_write_number(writer, value);
        if (word) {
            trib_write_text(writer, " ");
            trib_write_text(writer, word[i]);
        }
        trib_write_text(writer, "\n");
    }
}

void trib_ktns_write(const trib_ktensor *k, const char *const *word, trib_writer *writer) {
    trib_print(writer, "ktensor 1\nmodes %" PRIu32 "\ndims", k->n_modes);
    for (uint32_t m = 0; m < k->n_modes; m++) trib_print(writer, " %" PRIu32, k->dim[m]);
    trib_print(writer, "\nrank %" PRIu32 "\nfit ", k->rank);
    /* the format's word for a fit that was not computed */
    if (isnan(k->fit)) trib_write_text(writer, "nan");
    else trib_write_number(writer, k->fit);
    trib_write_text(writer, k->single ? "\nprecision single\n" : "\n");
    for (uint32_t r = 0; r < k->rank; r++) {
        trib_print(writer, "component %" PRIu32 " lambda ", r + 1);
        trib_write_number(writer, k->lambda[r]);
        trib_write_text(writer, "\n");
        for (uint32_t m = 0; m < k->n_modes; m++) write_column(k, m, r, word, writer);
    }
}

/* Writes n numbers as one line. */
static void write_line(trib_writer *writer, const double *value, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0) trib_write_text(writer, " ");
        trib_write_number(writer, value[i]);
    }
    trib_write_text(writer, "\n");
}

void trib_ktensor_write_text(const trib_ktensor *k, trib_writer *writer) {
    trib_print(writer, "ktensor\n%" PRIu32 "\n", k->n_modes);
    for (uint32_t m = 0; m < k->n_modes; m++)
        trib_print(writer, "%s%" PRIu32, m > 0 ? " " : "", k->dim[m]);
    trib_print(writer, "\n%" PRIu32 "\n", k->rank);
    write_line(writer, k->lambda, k->rank);
    for (uint32_t m = 0; m < k->n_modes; m++) {
        trib_print(writer, "matrix\n2\n%" PRIu32 " %" PRIu32 "\n", k->dim[m], k->rank);
        for (uint32_t i = 0; i < k->dim[m]; i++)
            write_line(writer, k->rank > 0 ? k->factor[m] + (size_t)i * k->rank : NULL, k->rank);
    }
}

void trib_npy_write_array(trib_writer *writer, const double *value, uint32_t n_modes,
                          const size_t dim[]) {
    enum { PREFIX = 10, BLOCK = 64, DIGITS = 22 };
    char header[2 * BLOCK + TRIB_MAX_MODES * DIGITS], shape[TRIB_MAX_MODES * DIGITS] = "";
    size_t n = 1, at = 0;
    for (uint32_t m = 0; m < n_modes; m++) {
        const char *after = n_modes == 1 ? "," : m + 1 < n_modes ? ", " : "";
        at += (size_t)snprintf(shape + at, sizeof shape - at, "%zu%s", dim[m], after);
        n *= dim[m];
    }
    const int used = snprintf(header, sizeof header,
                              "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", shape);
    /* padded with spaces and a newline to a multiple of 64, with the ten bytes before the header */
    const size_t length = ((size_t)used + 1 + PREFIX + BLOCK - 1) / BLOCK * BLOCK - PREFIX;
    const unsigned char size[2] = {(unsigned char)(length & 255), (unsigned char)(length >> 8)};
    trib_write(writer, "\x93NUMPY\1\0", 8);
    trib_write(writer, size, sizeof size);
    trib_print(writer, "%-*s\n", (int)length - 1, header);
    for (size_t i = 0; i < n; i++) trib_write_double(writer, value[i]);
}

/* ---- The compact form ------------------------------------------------------------------------ */

/* Every word once, and values up to 1 as multiples of 2^-53: most values of a fitted column are
 * tiny, so that a multiple takes 5 bytes instead of 8. decomp.h describes the layout at
 * trib_ktns_write_packed. */

enum { SINGLE = 1, HAS_FIT = 2, MULTIPLES = 4, MORE = 0x80, SEVEN_BITS = 0x7F };
#define PACKED_LINE "ktensor 2\n"
enum { PLACES = 53 }; /* binary; the spacing of doubles below 1 */

static void put_whole(trib_writer *writer, uint64_t value) {
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

static void put_column(const trib_ktensor *k, uint32_t m, uint32_t r, bool multiples,
                       trib_writer *writer) {
    const double *column = k->factor[m] + r;
    uint32_t nnz = 0, next = 0;
    for (uint32_t i = 0; i < k->dim[m]; i++) {
        const double value = column[(size_t)i * k->rank];
        nnz += multiples ? multiple_of(value) > 0 : value != 0;
    }
    put_whole(writer, nnz);
    for (uint32_t i = 0; i < k->dim[m]; i++) {
        const double value = column[(size_t)i * k->rank];
        const uint64_t multiple = multiples ? multiple_of(value) : 0;
        if (multiples ? multiple == 0 : value == 0) continue;
        put_whole(writer, i - next);
        if (multiples) put_whole(writer, multiple);
        else trib_write_double(writer, value);
        next = i + 1;
    }
}

void trib_ktns_write_packed(const trib_ktensor *k, const char *const *word, trib_writer *writer) {
    const bool multiples = has_multiples(k);
    uint32_t n_words = 0;
    trib_write_text(writer, PACKED_LINE);
    put_whole(writer, k->n_modes);
    for (uint32_t m = 0; m < k->n_modes; m++) {
        put_whole(writer, k->dim[m]);
        if (word && k->dim[m] > n_words) n_words = k->dim[m];
    }
    put_whole(writer, k->rank);
    put_whole(writer, (k->single ? SINGLE : 0) | (isnan(k->fit) ? 0 : HAS_FIT) |
                          (multiples ? MULTIPLES : 0));
    if (!isnan(k->fit)) trib_write_double(writer, k->fit);
    put_whole(writer, n_words);
    for (uint32_t i = 0; i < n_words; i++) trib_print(writer, "%s\n", word[i]);
    for (uint32_t r = 0; r < k->rank; r++) {
        trib_write_double(writer, k->lambda[r]);
        for (uint32_t m = 0; m < k->n_modes; m++) put_column(k, m, r, multiples, writer);
    }
}

/* The remaining bytes. After the first error, which is stored, every read returns 0. */
typedef struct packed {
    char *at, *end;
    const char *fault;
} packed;

static void expect(packed *in, bool holds, const char *fault) {
    if (!holds && !in->fault) in->fault = fault;
}

static uint64_t take_whole(packed *in, uint64_t most) {
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

static double take_double(packed *in) {
    double value = 0;
    uint64_t bits = 0;
    expect(in, in->end - in->at >= (ptrdiff_t)sizeof value, "the file ends too early");
    if (in->fault) return 0;
    for (unsigned b = 0; b < sizeof bits; b++) bits |= (uint64_t)(unsigned char)*in->at++ << 8 * b;
    memcpy(&value, &bits, sizeof value);
    expect(in, isfinite(value), "a value is not finite");
    return in->fault ? 0 : value;
}

static trib_status take_words(packed *in, trib_ktns_words *words, uint32_t n, trib_error *error) {
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

static void take_column(packed *in, trib_ktensor *k, uint32_t m, uint32_t r, bool multiples) {
    const uint64_t nnz = take_whole(in, k->dim[m]);
    for (uint64_t e = 0, next = 0; e < nnz && !in->fault; e++, next++) {
        next += take_whole(in, k->dim[m]);
        expect(in, next < k->dim[m], "an index is out of range");
        const double value = multiples
                                 ? ldexp((double)take_whole(in, UINT64_C(1) << PLACES), -PLACES)
                                 : take_double(in);
        if (!in->fault) k->factor[m][(size_t)next * k->rank + r] = value;
    }
}

static bool is_packed(const trib_buffer *file) {
    const size_t n = strlen(PACKED_LINE);
    return file->length >= n && memcmp(file->text, PACKED_LINE, n) == 0;
}

/* Every word takes at least a byte, every component a lambda and a byte for each mode. A file that
 * announces more than it can hold is rejected before anything is allocated. */
static trib_status unpack(trib_ktensor *k, trib_ktns_words *words, trib_buffer *file,
                          const char *name, trib_error *error) {
    packed in = {file->text + strlen(PACKED_LINE), file->text + file->length, NULL};
    uint32_t dim[TRIB_MAX_MODES] = {0};
    const uint32_t n_modes = (uint32_t)take_whole(&in, TRIB_MAX_MODES);
    expect(&in, n_modes > 0, "no dimensions");
    for (uint32_t m = 0; m < n_modes; m++) dim[m] = (uint32_t)take_whole(&in, UINT32_MAX);
    const uint32_t rank = (uint32_t)take_whole(&in, UINT32_MAX);
    const uint64_t flags = take_whole(&in, SINGLE | HAS_FIT | MULTIPLES);
    const double fit = flags & HAS_FIT ? take_double(&in) : (double)NAN;
    const uint32_t n_words = (uint32_t)take_whole(&in, UINT32_MAX);
    for (uint32_t m = 0; m < n_modes; m++)
        expect(&in, dim[m] > 0 && (n_words == 0 || dim[m] <= n_words), "a dimension has no words");
    expect(&in, n_words + (sizeof(double) + n_modes) * rank <= (size_t)(in.end - in.at),
           "it announces more than it holds");
    trib_status status = in.fault ? TRIB_OK : take_words(&in, words, n_words, error);
    if (status == TRIB_OK && !in.fault) status = trib_ktensor_init(k, n_modes, dim, rank, error);
    if (status != TRIB_OK) return status;
    k->fit = fit;
    k->single = (flags & SINGLE) != 0;
    for (uint32_t r = 0; r < rank && !in.fault; r++) {
        k->lambda[r] = take_double(&in);
        for (uint32_t m = 0; m < n_modes; m++) take_column(&in, k, m, r, (flags & MULTIPLES) != 0);
    }
    expect(&in, in.at == in.end, "more bytes than the rank says");
    return in.fault ? trib_fail(error, TRIB_INPUT, "%s: a damaged ktensor file: %s", name, in.fault)
                    : TRIB_OK;
}

/* ---- Reading text ---------------------------------------------------------------------------- */

/* Splits a text into lines and a line into words. */
typedef struct scanner {
    const char *name;
    char *next; /* the remaining lines */
    char *word; /* the rest of the current line */
    size_t line;
    trib_ktns_words *words; /* receives the words; NULL: not wanted */
    trib_error *error;
} scanner;

static trib_status reject(const scanner *s, const char *what) {
    return trib_fail(s->error, TRIB_INPUT, "%s:%zu: %s", s->name, s->line, what);
}

/* Moves to the next line; false at the end of the text. */
static bool next_line(scanner *s) {
    s->line++;
    s->word = s->next;
    if (*s->next == '\0') return false;
    s->next += strcspn(s->next, "\n");
    if (*s->next == '\n') *s->next++ = '\0';
    return true;
}

/* The next word of the line; "" at its end. */
static const char *next_word(scanner *s) {
    char *word = s->word + strspn(s->word, " \t\r");
    s->word = word + strcspn(word, " \t\r");
    if (*s->word != '\0') *s->word++ = '\0';
    return word;
}

static bool read_whole(scanner *s, uint64_t least, uint64_t most, uint64_t *value) {
    return trib_read_uint(next_word(s), value) && *value >= least && *value <= most;
}

/* Reads an entry of a factor or a lambda. */
static bool read_value(scanner *s, double *value) { return trib_read_double(next_word(s), value); }

static bool read_keyword(scanner *s, const char *keyword) {
    return strcmp(next_word(s), keyword) == 0;
}

static bool at_end_of_line(scanner *s) { return *next_word(s) == '\0'; }

/* Reads dimensions up to the end of the line into dim[]. The rank and these shape `k`. */
static trib_status read_dims(scanner *s, uint32_t dim[], uint32_t *n_modes) {
    uint64_t value = 0;
    const char *word;
    for (*n_modes = 0; *(word = next_word(s)) != '\0'; dim[(*n_modes)++] = (uint32_t)value) {
        if (*n_modes == TRIB_MAX_MODES) return reject(s, "too many modes");
        if (!trib_read_uint(word, &value) || value == 0 || value > UINT32_MAX)
            return reject(s, "a dimension should be a whole number from 1 to 2^32-1");
    }
    return *n_modes > 0 ? TRIB_OK : reject(s, "no dimensions");
}

static trib_status read_header(scanner *s, trib_ktensor *k) {
    uint64_t modes = 0, rank = 0;
    uint32_t dim[TRIB_MAX_MODES], n_modes = 0;
    double fit = NAN;
    if (!next_line(s) || !read_keyword(s, "modes") || !read_whole(s, 1, TRIB_MAX_MODES, &modes) ||
        !at_end_of_line(s))
        return reject(s, "expected 'modes' and a number from 1 to 8");
    if (!next_line(s) || !read_keyword(s, "dims")) return reject(s, "expected 'dims'");
    const trib_status status = read_dims(s, dim, &n_modes);
    if (status != TRIB_OK) return status;
    if (n_modes != modes) return reject(s, "there should be one dimension for each mode");
    if (!next_line(s) || !read_keyword(s, "rank") || !read_whole(s, 0, UINT32_MAX, &rank) ||
        !at_end_of_line(s))
        return reject(s, "expected 'rank' and a whole number");
    if (rank > strlen(s->next)) return reject(s, "more components than the file has bytes");
    if (!next_line(s) || !read_keyword(s, "fit")) return reject(s, "expected 'fit'");
    const char *word = next_word(s);
    if ((strcmp(word, "nan") != 0 && !trib_read_double(word, &fit)) || !at_end_of_line(s))
        return reject(s, "expected 'fit' and a number or nan");
    static const char label[] = "precision single\n";
    const bool single = strncmp(s->next, label, strlen(label)) == 0;
    if (single) (void)next_line(s);
    const trib_status made = trib_ktensor_init(k, n_modes, dim, (uint32_t)rank, s->error);
    k->fit = fit;
    k->single = single;
    return made;
}

/* Stores the word of an index, which must be the same wherever the index occurs. */
static trib_status note_word(scanner *s, const trib_ktensor *k, size_t index, const char *word) {
    trib_ktns_words *words = s->words;
    if (!words || *word == '\0') return TRIB_OK;
    for (uint32_t m = 0; m < k->n_modes && !words->word; m++)
        if (k->dim[m] > words->n) words->n = k->dim[m];
    if (!words->word) {
        const trib_status status = TRIB_NEW(&words->word, words->n, "words", s->error);
        if (status != TRIB_OK) return status;
    }
    if (words->word[index] && strcmp(words->word[index], word) != 0)
        return reject(s, "this index has two different words");
    words->word[index] = word;
    return TRIB_OK;
}

static trib_status read_column(scanner *s, trib_ktensor *k, uint32_t m, uint32_t r) {
    uint64_t mode = 0, nnz = 0, index = 0, last = 0;
    if (!next_line(s) || !read_keyword(s, "mode") || !read_whole(s, m + 1, m + 1, &mode) ||
        !read_whole(s, 0, k->dim[m], &nnz) || !at_end_of_line(s))
        return reject(s, "expected 'mode', its number and how many values follow");
    for (; nnz > 0; nnz--, last = index) {
        double value = 0;
        if (!next_line(s)) return reject(s, "the file ends within a component");
        if (!read_whole(s, 1, k->dim[m], &index)) return reject(s, "an index is out of range");
        if (index <= last) return reject(s, "indices should ascend");
        if (!read_value(s, &value)) return reject(s, "a value should be a number");
        k->factor[m][(size_t)(index - 1) * k->rank + r] = value;
        const trib_status status = note_word(s, k, (size_t)index - 1, next_word(s));
        if (status != TRIB_OK) return status;
    }
    return TRIB_OK;
}

static trib_status read_sparse(scanner *s, trib_ktensor *k) {
    trib_status status = read_header(s, k);
    for (uint32_t r = 0; status == TRIB_OK && r < k->rank; r++) {
        uint64_t number = 0;
        if (!next_line(s) || !read_keyword(s, "component") ||
            !read_whole(s, r + 1ull, r + 1ull, &number) || !read_keyword(s, "lambda") ||
            !read_value(s, &k->lambda[r]) || !at_end_of_line(s))
            return reject(s, "expected 'component', its number, 'lambda' and a number");
        for (uint32_t m = 0; status == TRIB_OK && m < k->n_modes; m++)
            status = read_column(s, k, m, r);
    }
    return status;
}

/* Reads "R dim1 dim2 ...", then one line per component: lambda, then its dense columns one after
 * the other. */
static trib_status read_dense(scanner *s, uint64_t rank, trib_ktensor *k) {
    uint32_t dim[TRIB_MAX_MODES], n_modes = 0;
    trib_status status = read_dims(s, dim, &n_modes);
    if (status != TRIB_OK) return status;
    size_t n = 1, needed = 0; /* numbers in a line, and the fewest bytes they take */
    for (uint32_t m = 0; m < n_modes; m++) n += dim[m];
    if (!trib_multiply(n, 2 * (size_t)rank, &needed) || needed > strlen(s->next) + 1)
        return reject(s, "more numbers announced than the file holds");
    status = trib_ktensor_init(k, n_modes, dim, (uint32_t)rank, s->error);
    for (uint32_t r = 0; status == TRIB_OK && r < k->rank; r++) {
        if (!next_line(s)) return reject(s, "the file ends before the last component");
        if (!read_value(s, &k->lambda[r])) return reject(s, "lambda should be a number");
        for (uint32_t m = 0; m < n_modes; m++)
            for (uint32_t i = 0; i < dim[m]; i++)
                if (!read_value(s, &k->factor[m][(size_t)i * k->rank + r]))
                    return reject(s, "a value is missing or not a number");
        if (!at_end_of_line(s)) return reject(s, "more values than the dimensions say");
    }
    return status;
}

trib_status trib_ktns_read(trib_ktensor *k, trib_reader *reader, trib_error *error) {
    return trib_ktns_read_words(k, NULL, reader, error);
}

void trib_ktns_words_release(trib_ktns_words *words) {
    trib_free(words->word);
    trib_buffer_release(&words->text);
    *words = (trib_ktns_words){0};
}

trib_status trib_ktns_read_words(trib_ktensor *k, trib_ktns_words *words, trib_reader *reader,
                                 trib_error *error) {
    trib_buffer text = {0};
    *k = (trib_ktensor){0};
    if (words) *words = (trib_ktns_words){0};
    trib_status status = trib_reader_all(reader, &text, error);
    if (status != TRIB_OK) goto done;
    scanner s = {.name = reader->name,
                 .next = text.text ? text.text : (char[1]){""},
                 .words = words,
                 .error = error};
    uint64_t rank = 0;
    if (is_packed(&text)) {
        status = unpack(k, words, &text, reader->name, error);
        goto done;
    }
    if (text.text && strlen(text.text) != text.length) {
        status = trib_fail(error, TRIB_INPUT, "%s: holds a zero byte", reader->name);
        goto done;
    }
    const char *first = next_line(&s) ? next_word(&s) : "";
    if (strcmp(first, "ktensor") == 0)
        status = read_keyword(&s, "1") && at_end_of_line(&s)
                     ? read_sparse(&s, k)
                     : reject(&s, "only versions 1 and 2 of ktensor files are known");
    else if (trib_read_uint(first, &rank) && rank <= UINT32_MAX) status = read_dense(&s, rank, k);
    else status = reject(&s, "not a ktensor file: expected 'ktensor 1' or rank and dimensions");
    while (status == TRIB_OK && next_line(&s))
        if (!at_end_of_line(&s)) status = reject(&s, "more lines than the rank says");
done:
    if (status == TRIB_OK && words) {
        words->text = text; /* the words point into the text */
        return status;
    }
    if (status != TRIB_OK) trib_ktensor_release(k);
    if (words) trib_ktns_words_release(words);
    trib_buffer_release(&text);
    return status;
}
