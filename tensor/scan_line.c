/* scan_line.c - reads any line of a text of nonzeros, word by word: the lines that the fast path of
 * scan.c leaves, and errors with their line and column. Before the nonzeros stands a header of .tns
 * (a comment of ours; "n d1 ... dn" as Lowe writes; the sizes alone as hacoo-c does; "sptensor" and
 * three lines as the Tensor Toolbox and GenTen do), or the banner and the sizes of the coordinate
 * format of Matrix Market (Boisvert, Pozo, Remington 1996: The Matrix Market exchange formats). */
#include "tensor/scan.h"

/* ---- Words ----------------------------------------------------------------------------------- */

/* A word of a line. */
typedef struct word {
    const char *at;
    size_t length;
} word;

/* A line, without its '\n', and its words. */
typedef struct line {
    trib_tns_scan *scan;
    const char *begin, *end;
    size_t n; /* words in all, of which at most TRIB_MOST_WORDS are stored */
    word word[TRIB_MOST_WORDS];
    trib_error *error;
} line;

/* Finds the words from `at` on. */
static void find_words(line *l, const char *at) {
    for (l->n = 0;; l->n++) {
        while (at < l->end && trib_is_blank(*at)) at++;
        if (at == l->end) return;
        const char *first = at;
        while (at < l->end && !trib_is_blank(*at)) at++;
        if (l->n < TRIB_MOST_WORDS) l->word[l->n] = (word){first, (size_t)(at - first)};
    }
}

/* A word as it is shown in a message: shortened, without control characters or invalid UTF-8. */
static const char *shown(word w, char text[64]) {
    enum { WIDEST = 4, MOST = 64 - WIDEST - 4 };
    size_t length = 0, i = 0;
    for (; i < w.length && length < MOST; i++) {
        const unsigned char c = (unsigned char)w.at[i];
        length +=
            (size_t)snprintf(text + length, 64 - length, c >= ' ' && c < 127 ? "%c" : "\\x%02X", c);
    }
    snprintf(text + length, 64 - length, "%s", i < w.length ? "..." : "");
    return text;
}

/* "NAME:LINE:COLUMN: " comes before the message, for a word of the line. */
static void prefix(const line *l, word w) {
    const trib_scan_state *s = l->scan->state;
    trib_error_prefix(l->error, "%s:%llu:%zu", s->reader->name, (unsigned long long)s->line,
                      (size_t)(w.at - l->begin) + 1);
}

/* Fails with the message "NAME:LINE:COLUMN: WHAT 'WORD'". */
static trib_status wrong(const line *l, word w, const char *what) {
    char text[64];
    trib_fail(l->error, TRIB_INPUT, "%s '%s'", what, shown(w, text));
    prefix(l, w);
    return TRIB_INPUT;
}

static bool read_uint(word w, uint64_t *value) {
    uint64_t read = 0;
    for (size_t i = 0; i < w.length; i++) {
        if (w.at[i] < '0' || w.at[i] > '9') return false;
        const uint64_t digit = (uint64_t)(w.at[i] - '0');
        if (read > (UINT64_MAX - digit) / 10) return false;
        read = read * 10 + digit;
    }
    *value = read;
    return w.length > 0;
}

/* ---- Before the nonzeros --------------------------------------------------------------------- */

/* Sets the dimensions and, if it `promises` one, the number of nonzeros that a header gives. */
static void set_dims(trib_tns_scan *scan, uint32_t n_modes, const uint64_t dim[], bool promises,
                     uint64_t n_promised) {
    trib_scan_state *s = scan->state;
    scan->n_modes = n_modes;
    scan->n_promised = n_promised;
    scan->notes.has_header = true;
    s->promises = promises;
    s->guess = false;
    for (uint32_t m = 0; m < n_modes; m++) {
        scan->dim[m] = (uint32_t)dim[m];
        s->high[m] = dim[m] - 1 + s->low;
    }
}

/* Reads the header "# n_modes dim1 dim2 ... nnz" on the first line; any other comment is
 * skipped. */
static void read_comment(line *l) {
    uint64_t number[TRIB_MOST_WORDS];
    if (l->scan->state->line != 1) return;
    find_words(l, l->word[0].at + 1);
    if (l->n < 3 || l->n > TRIB_MOST_WORDS) return;
    for (size_t i = 0; i < l->n; i++)
        if (!read_uint(l->word[i], &number[i])) return;
    if (number[0] != l->n - 2) return;
    for (size_t m = 1; m + 1 < l->n; m++)
        if (number[m] < 1 || number[m] > UINT32_MAX) return;
    set_dims(l->scan, (uint32_t)number[0], number + 1, true, number[l->n - 1]);
}

/* Whether a word is this one, in upper or lower case. */
static bool is(word w, const char *name) {
    size_t i = 0;
    for (; i < w.length && name[i]; i++) {
        const char c = w.at[i];
        if ((c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c) != name[i]) return false;
    }
    return i == w.length && name[i] == '\0';
}

static trib_status read_banner(const line *l) {
    trib_scan_state *s = l->scan->state;
    const word *w = l->word;
    if (l->n != 5)
        return trib_fail(l->error, TRIB_INPUT,
                         "%s:1: a Matrix Market text begins '%%%%MatrixMarket matrix coordinate "
                         "integer general'",
                         s->reader->name);
    if (!is(w[1], "matrix") || !is(w[2], "coordinate"))
        return wrong(l, w[is(w[1], "matrix") ? 2 : 1], "only 'matrix coordinate' can be read, not");
    s->is_pattern = is(w[3], "pattern");
    if (!s->is_pattern && !is(w[3], "integer") && !is(w[3], "real"))
        return wrong(l, w[3], "values must be integer, real or pattern, not");
    s->symmetry = is(w[4], "symmetric")        ? TRIB_MTX_SYMMETRIC
                  : is(w[4], "skew-symmetric") ? TRIB_MTX_SKEW
                                               : TRIB_MTX_GENERAL;
    if (s->symmetry == TRIB_MTX_GENERAL && !is(w[4], "general"))
        return wrong(l, w[4], "a matrix must be general, symmetric or skew-symmetric, not");
    if (s->symmetry == TRIB_MTX_SKEW && s->counts)
        return wrong(l, w[4],
                     "values must be whole numbers from 1 to 4294967295, and half of these are "
                     "negative:");
    return TRIB_OK;
}

static trib_status read_sizes(const line *l) {
    uint64_t number[3];
    if (l->n != 3)
        return wrong(l, l->word[0],
                     "the numbers of rows, columns and nonzeros should be here, not");
    for (size_t i = 0; i < 3; i++)
        if (!read_uint(l->word[i], &number[i]) ||
            (i < 2 && (number[i] < 1 || number[i] > UINT32_MAX)))
            return wrong(l, l->word[i],
                         i < 2 ? "a size must be a whole number from 1 to 4294967295, not"
                               : "the number of nonzeros must be a whole number, not");
    if (l->scan->state->symmetry != TRIB_MTX_GENERAL && number[0] != number[1])
        return wrong(l, l->word[1], "a symmetric matrix has as many columns as rows, not");
    set_dims(l->scan, 2, number, true, number[2]);
    return TRIB_OK;
}

/* ---- Nonzeros -------------------------------------------------------------------------------- */

/* Reads a number such as 3.0, 3e0 or -0.25; with `counts` only whole numbers from 1 to 2^32-1. */
static bool read_value(const trib_scan_state *s, word w, double *value) {
    char text[4 * TRIB_NUMBER_MAX];
    if (w.length >= sizeof text || memchr(w.at, 0, w.length)) return false;
    memcpy(text, w.at, w.length);
    text[w.length] = '\0';
    if (!trib_read_double(text, value)) return false;
    return !s->counts ||
           (*value >= 1 && *value <= UINT32_MAX && (double)(uint32_t)*value == *value);
}

/* An index is 0 and no option says what the first index is: indices count from 0. */
static trib_status start_at_zero(const line *l, word w) {
    trib_tns_scan *scan = l->scan;
    trib_scan_state *s = scan->state;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++)
        if (s->largest[m] == UINT32_MAX)
            return wrong(l, w,
                         "indices that count from 0 end at 4294967294, and 4294967295 stood "
                         "before this");
    s->low = 0;
    s->guess = false;
    scan->notes.base = 0;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) s->high[m] = UINT32_MAX - 1;
    snprintf(scan->notes.warning, sizeof scan->notes.warning,
             "indices are taken to count from 0, since line %llu has a 0",
             (unsigned long long)s->line);
    return TRIB_OK;
}

static trib_status read_index(const line *l, uint32_t m) {
    trib_tns_scan *scan = l->scan;
    trib_scan_state *s = scan->state;
    const word w = l->word[m];
    uint64_t number = 0;
    const bool is_whole = read_uint(w, &number) && number <= UINT32_MAX;
    if (is_whole && number == 0 && s->guess) {
        const trib_status status = start_at_zero(l, w);
        if (status != TRIB_OK) return status;
    }
    if (is_whole && number >= s->low && scan->notes.has_header && number > s->high[m])
        return wrong(l, w, "an index beyond the size in the header:");
    if (!is_whole || number < s->low || number > s->high[m])
        return wrong(l, w,
                     s->guess ? "an index must be a whole number up to 4294967295, not"
                     : s->low ? "an index must be a whole number from 1 to 4294967295, not"
                              : "an index that counts from 0 must be a whole number up to "
                                "4294967294, not");
    if (number > s->largest[m]) s->largest[m] = number;
    scan->index[scan->n * scan->n_modes + m] = (uint32_t)number;
    return TRIB_OK;
}

/* Reads one nonzero. The first one determines the number of modes, unless there is a header. */
static trib_status read_entry(const line *l) {
    trib_tns_scan *scan = l->scan;
    const trib_scan_state *s = scan->state;
    const size_t n = l->n, n_values = !s->is_pattern;
    if (scan->n_modes == 0 && n < 2) return wrong(l, l->word[0], "an index and no value:");
    if (scan->n_modes == 0 && n > TRIB_MAX_MODES + 1) {
        trib_fail(l->error, TRIB_INPUT,
                  "%zu indices and a value on a line; a tensor has at most %d modes", n - 1,
                  TRIB_MAX_MODES);
        prefix(l, l->word[TRIB_MAX_MODES]);
        return TRIB_INPUT;
    }
    if (scan->n_modes == 0) scan->n_modes = (uint32_t)n - 1;
    if (n != scan->n_modes + n_values) {
        trib_fail(l->error, TRIB_INPUT, "%zu %s where %u indices%s should be", n,
                  n == 1 ? "number" : "numbers", scan->n_modes, n_values ? " and a value" : "");
        prefix(l, l->word[0]);
        return TRIB_INPUT;
    }
    for (uint32_t m = 0; m < scan->n_modes; m++) {
        const trib_status status = read_index(l, m);
        if (status != TRIB_OK) return status;
    }
    double *value = &scan->value[scan->n];
    *value = 1;
    if (n_values && !read_value(s, l->word[n - 1], value))
        return wrong(l, l->word[n - 1],
                     s->counts ? "a value must be a whole number from 1 to 4294967295, not"
                               : "a value must be a finite decimal number, not");
    const uint32_t *index = scan->index + scan->n * scan->n_modes;
    if (s->symmetry == TRIB_MTX_SKEW && index[0] == index[1])
        return wrong(l, l->word[0], "a skew-symmetric matrix has nothing on its diagonal:");
    scan->line[scan->n++] = s->line;
    return TRIB_OK;
}

/* ---- Headers of .tns ------------------------------------------------------------------------- */

/* Reads the words as numbers from 1 to 2^32-1. */
static bool read_sizes_of(const line *l, uint64_t number[]) {
    bool are = l->n <= TRIB_MOST_WORDS;
    for (size_t i = 0; are && i < l->n; i++)
        are = read_uint(l->word[i], &number[i]) && number[i] >= 1 && number[i] <= UINT32_MAX;
    return are;
}

/* Holds the first line if it may be a header: the order; sizes; the order, sizes and perhaps the
 * number of nonzeros. */
static bool hold(const line *l) {
    trib_held_line *held = &l->scan->state->held;
    bool holds = read_sizes_of(l, held->number);
    if (l->n == 1) holds = holds && held->number[0] <= TRIB_MAX_MODES;
    if (l->n == TRIB_MOST_WORDS) holds = holds && held->number[0] == TRIB_MAX_MODES;
    for (size_t i = 0; holds && i < l->n; i++) holds = held->number[i] <= l->scan->state->high[0];
    if (!holds) return false;
    held->n = l->n;
    held->line = l->scan->state->line;
    held->column = (size_t)(l->word[0].at - l->begin) + 1;
    return true;
}

/* Puts the line that has been held at the front of the batch, as a nonzero. */
static void put_first(trib_tns_scan *scan) {
    trib_scan_state *s = scan->state;
    const uint32_t n_modes = scan->n_modes = (uint32_t)s->held.n - 1;
    memmove(scan->index + n_modes, scan->index, scan->n * n_modes * sizeof *scan->index);
    memmove(scan->value + 1, scan->value, scan->n * sizeof *scan->value);
    memmove(scan->line + 1, scan->line, scan->n * sizeof *scan->line);
    for (uint32_t m = 0; m < n_modes; m++) {
        scan->index[m] = (uint32_t)s->held.number[m];
        if (s->held.number[m] > s->largest[m]) s->largest[m] = s->held.number[m];
    }
    scan->value[0] = (double)s->held.number[n_modes];
    scan->line[0] = s->held.line;
    scan->n++;
    s->held.n = 0;
}

trib_status trib_scan_held(trib_tns_scan *scan, trib_error *error) {
    trib_scan_state *s = scan->state;
    const trib_held_line *held = &s->held;
    const uint32_t n_modes = scan->n_modes;
    bool fits = true, goes_back = false; /* to indices before those of a nonzero in this line */
    if (held->n == 1)
        return trib_fail(error, TRIB_INPUT, "%s:%llu:%zu: an index and no value: '%llu'",
                         s->reader->name, (unsigned long long)held->line, held->column,
                         (unsigned long long)held->number[0]);
    for (size_t i = 0; i < scan->n; i++) {
        const uint32_t *index = scan->index + i * n_modes;
        uint32_t same = 0;
        while (same < n_modes && index[same] == held->number[same]) same++;
        goes_back = goes_back || (same < n_modes && index[same] < held->number[same]);
        for (uint32_t m = 0; m < n_modes; m++)
            fits = fits && index[m] <= held->number[m + 1] - 1 + s->low;
    }
    const bool maybe = n_modes == 0 ? held->n > 2 && held->number[0] == held->n - 1 : fits;
    if (!maybe) {
        put_first(scan);
        return TRIB_OK;
    }
    if (!goes_back)
        return trib_fail(error, TRIB_INPUT,
                         "%s:%llu: is it a nonzero, or the order and the sizes of the tensor? "
                         "Begin the text with '# ORDER SIZES NONZEROS'",
                         s->reader->name, (unsigned long long)held->line);
    set_dims(scan, n_modes, held->number + 1, false, 0);
    snprintf(scan->notes.warning, sizeof scan->notes.warning,
             "line %llu is taken for the order and the sizes of the tensor",
             (unsigned long long)held->line);
    s->held.n = 0;
    return TRIB_OK;
}

/* Reads the line after the one that has been held. */
static trib_status read_second(line *l) {
    trib_tns_scan *scan = l->scan;
    trib_scan_state *s = scan->state;
    trib_held_line *held = &s->held;
    const size_t n = held->n;
    uint64_t size[TRIB_MOST_WORDS];
    if (n == 1 && l->n == held->number[0] && read_sizes_of(l, size)) {
        set_dims(scan, (uint32_t)l->n, size, false, 0);
        s->at_header = TRIB_AT_NUMBER_IF_ANY;
        held->n = 0;
        return TRIB_OK;
    }
    if (n == 1) return trib_scan_held(scan, l->error);
    if (l->n == n && n > 2 && held->number[0] == n - 1) {
        scan->n_modes = (uint32_t)n - 1;
        return read_entry(l);
    }
    const bool sizes = l->n == n + 1 && n <= TRIB_MAX_MODES;
    const bool all = l->n == n - 1 && held->number[0] == n - 2;
    if (sizes) set_dims(scan, (uint32_t)n, held->number, false, 0);
    else if (all) set_dims(scan, (uint32_t)n - 2, held->number + 1, true, held->number[n - 1]);
    else put_first(scan);
    held->n = 0;
    return read_entry(l);
}

/* Reads a line of the header of sptensor, or one number more after order and sizes. */
static trib_status read_header_line(line *l) {
    trib_tns_scan *scan = l->scan;
    trib_scan_state *s = scan->state;
    const trib_header_line at = s->at_header;
    uint64_t number[TRIB_MOST_WORDS] = {0};
    s->at_header = 0;
    if (at >= TRIB_AT_NUMBER) {
        if (l->n == 1 && read_uint(l->word[0], &number[0])) {
            s->promises = true;
            scan->n_promised = number[0];
            return TRIB_OK;
        }
        if (at == TRIB_AT_NUMBER_IF_ANY) return read_entry(l);
        return wrong(l, l->word[0], "the number of nonzeros should be here, not");
    }
    if (!read_sizes_of(l, number) ||
        (at == TRIB_AT_ORDER && (l->n > 1 || *number > TRIB_MAX_MODES)))
        return wrong(l, l->word[0],
                     at == TRIB_AT_ORDER ? "the order, from 1 to 8, should be here, not"
                                         : "the sizes, from 1 to 4294967295, should be here, not");
    s->at_header = at == TRIB_AT_ORDER ? TRIB_AT_SIZES : TRIB_AT_NUMBER;
    if (at == TRIB_AT_ORDER) s->held.number[0] = number[0];
    else if (l->n == s->held.number[0]) set_dims(scan, (uint32_t)l->n, number, false, 0);
    else return wrong(l, l->word[0], "as many sizes as the order should be here, not");
    return TRIB_OK;
}

static trib_status read_tns(line *l) {
    trib_scan_state *s = l->scan->state;
    if (s->at_header) return read_header_line(l);
    if (s->held.n > 0 && l->scan->n_modes == 0) return read_second(l);
    if (l->scan->n_modes > 0) return read_entry(l);
    if (l->n == 1 && is(l->word[0], "sptensor")) {
        s->at_header = TRIB_AT_ORDER;
        return TRIB_OK;
    }
    return hold(l) ? TRIB_OK : read_entry(l);
}

trib_status trib_scan_line(trib_tns_scan *scan, const char *begin, const char *end,
                           trib_error *error) {
    const trib_scan_state *s = scan->state;
    line l = {.scan = scan, .begin = begin, .end = end, .error = error};
    find_words(&l, begin);
    if (s->is_mtx && s->line == 1) return read_banner(&l);
    if (l.n == 0) return TRIB_OK;
    if (*l.word[0].at == (s->is_mtx ? '%' : '#')) {
        if (!s->is_mtx) read_comment(&l);
        return TRIB_OK;
    }
    if (!s->is_mtx) return read_tns(&l);
    return scan->n_modes == 0 ? read_sizes(&l) : read_entry(&l);
}
