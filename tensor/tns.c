/* tns.c - tensors as text: one nonzero a line, indices from 1, the form of FROSTT (frostt.io). */
#include "tensor/order.h"
#include "tensor/tensor.h"

#include <string.h>

trib_status trib_tns_write(const trib_hacoo *table, trib_writer *writer, trib_error *error) {
    uint32_t *order = NULL;
    trib_status status = trib_new(&order, table->nnz, sizeof *order, "sorting", error);
    if (status == TRIB_OK) status = trib_order_entries(table, false, order, error);
    if (status != TRIB_OK) goto done;
    trib_print(writer, "# %u", table->n_modes);
    for (uint32_t m = 0; m < table->n_modes; m++) trib_print(writer, " %u", table->dim[m]);
    trib_print(writer, " %zu\n", table->nnz);
    for (size_t i = 0; i < table->nnz; i++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t count = trib_hacoo_entry(table, order[i], index);
        for (uint32_t m = 0; m < table->n_modes; m++)
            trib_print(writer, "%llu ", (unsigned long long)index[m] + 1);
        trib_print(writer, "%u\n", count);
    }
done:
    trib_free(order);
    return status;
}

/* A text being read, and what has been found in it. */
typedef struct source {
    const char *name;
    const char *at, *end; /* what is left */
    const char *line_start;
    size_t line;      /* its number, from 1 */
    uint32_t n_modes; /* 0: not known yet */
    bool has_header;
    uint64_t promised; /* nonzeros, by the header */
    uint32_t dim[TRIB_MAX_MODES];
    uint32_t *entry; /* [n][n_modes+1] indices from 0 and the count */
    size_t n, cap;   /* entries; words allocated */
} source;

enum { TOKEN_MAX = 48 };

typedef struct token {
    const char *at; /* where it starts in the text */
    char text[TOKEN_MAX];
    bool whole; /* it fitted, and is free of NULs */
} token;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_space(char c) { return is_blank(c) || c == '\n'; }

/* The next word of the line, blanks skipped; false at the line's end. */
static bool next_token(source *s, token *word) {
    while (s->at < s->end && is_blank(*s->at)) s->at++;
    if (s->at == s->end || *s->at == '\n') return false;
    size_t n = 0;
    word->at = s->at;
    while (s->at + n < s->end && !is_space(s->at[n])) n++;
    word->whole = n < TOKEN_MAX && !memchr(s->at, 0, n);
    memcpy(word->text, s->at, n < TOKEN_MAX ? n : TOKEN_MAX - 1);
    word->text[n < TOKEN_MAX ? n : TOKEN_MAX - 1] = '\0';
    s->at += n;
    return true;
}

static void skip_line(source *s) {
    const char *end = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->at = end ? end : s->end;
}

static trib_status wrong(const source *s, const char *at, trib_error *error, const char *what,
                         const char *text) {
    return trib_fail(error, TRIB_INPUT, "%s:%zu:%zu: %s%s%s%s", s->name, s->line,
                     (size_t)(at - s->line_start) + 1, what, *text ? " '" : "", text,
                     *text ? "'" : "");
}

/* "# n_modes dim1 dim2 ... nnz" on the first line; any other comment is passed over. */
static void read_comment(source *s) {
    uint64_t number[TRIB_MAX_MODES + 2];
    size_t n = 0;
    token word;
    s->at++;
    bool is_header = s->line == 1;
    while (is_header && next_token(s, &word))
        is_header = word.whole && n < TRIB_MAX_MODES + 2 && trib_read_uint(word.text, &number[n++]);
    skip_line(s);
    if (!is_header || n < 3 || number[0] != n - 2) return;
    for (size_t m = 1; m + 1 < n; m++)
        if (number[m] < 1 || number[m] > UINT32_MAX) return;
    s->has_header = true;
    s->n_modes = (uint32_t)number[0];
    s->promised = number[n - 1];
    for (uint32_t m = 0; m < s->n_modes; m++) s->dim[m] = (uint32_t)number[m + 1];
}

/* Whole numbers from 1 to 2^32-1; values may be written as 3.0 or 3e0, as FROSTT does. */
static bool read_index(const token *word, uint32_t *index) {
    uint64_t number = 0;
    if (!word->whole || !trib_read_uint(word->text, &number) || number < 1 || number > UINT32_MAX)
        return false;
    *index = (uint32_t)number - 1;
    return true;
}

static bool read_count(const token *word, uint32_t *count) {
    double number = 0;
    if (!word->whole || !trib_read_double(word->text, &number) ||
        !(number >= 1 && number <= UINT32_MAX))
        return false;
    *count = (uint32_t)number;
    return (double)*count == number;
}

/* One nonzero. The first tells how many modes there are, unless the header did. */
static trib_status read_entry(source *s, trib_error *error) {
    token word[TRIB_MAX_MODES + 1];
    uint32_t n = 0;
    while (n < TRIB_MAX_MODES + 1 && next_token(s, &word[n])) n++;
    token more;
    if (next_token(s, &more))
        return wrong(s, more.at, error, "more than 8 indices and a value on a line:", more.text);
    if (n < 2) return wrong(s, word[0].at, error, "an index and no value:", word[0].text);
    if (s->n_modes == 0) s->n_modes = n - 1;
    const uint32_t n_modes = s->n_modes;
    if (n != n_modes + 1)
        return trib_fail(error, TRIB_INPUT,
                         "%s:%zu:%zu: %u numbers where %u indices and a value should be", s->name,
                         s->line, (size_t)(word[0].at - s->line_start) + 1, n, n_modes);
    const trib_status status = trib_grow(&s->entry, &s->cap, (s->n + 1) * (n_modes + 1),
                                         sizeof *s->entry, "a tensor's text", error);
    if (status != TRIB_OK) return status;
    uint32_t *entry = s->entry + s->n * (n_modes + 1);
    for (uint32_t m = 0; m < n_modes; m++) {
        if (!read_index(&word[m], &entry[m]))
            return wrong(s, word[m].at, error,
                         "an index must be a whole number from 1 to 4294967295, not", word[m].text);
        if (s->has_header && entry[m] >= s->dim[m])
            return wrong(s, word[m].at, error,
                         "an index beyond the size in the header:", word[m].text);
        if (!s->has_header && entry[m] >= s->dim[m]) s->dim[m] = entry[m] + 1;
    }
    if (!read_count(&word[n_modes], &entry[n_modes]))
        return wrong(s, word[n_modes].at, error,
                     "a value must be a whole number from 1 to 4294967295, not",
                     word[n_modes].text);
    s->n++;
    return TRIB_OK;
}

static trib_status read_lines(source *s, trib_error *error) {
    while (s->at < s->end) {
        s->line++;
        s->line_start = s->at;
        while (s->at < s->end && is_blank(*s->at)) s->at++;
        if (s->at < s->end && *s->at == '#') {
            read_comment(s);
        } else if (s->at < s->end && *s->at != '\n') {
            const trib_status status = read_entry(s, error);
            if (status != TRIB_OK) return status;
        }
        if (s->at < s->end) s->at++; /* the line's end */
    }
    if (s->n_modes == 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s: no nonzero and no header, so the tensor has no size", s->name);
    if (s->has_header && s->promised != s->n)
        return trib_fail(error, TRIB_INPUT,
                         "%s: %zu nonzeros where the header promises %llu; is it cut?", s->name,
                         s->n, (unsigned long long)s->promised);
    return TRIB_OK;
}

static trib_status fill_table(trib_hacoo *table, const source *s, const trib_hacoo_options *options,
                              trib_error *error) {
    trib_hacoo_options sized = options ? *options : (trib_hacoo_options){0};
    if (!sized.expected) sized.expected = s->n;
    trib_status status = trib_hacoo_init(table, s->n_modes, s->dim, &sized, error);
    for (size_t i = 0; status == TRIB_OK && i < s->n; i++) {
        const uint32_t *entry = s->entry + i * (s->n_modes + 1);
        status = trib_hacoo_add(table, entry, entry[s->n_modes], error);
    }
    if (status != TRIB_OK) {
        trib_error_prefix(error, "%s", s->name);
        trib_hacoo_release(table);
    }
    return status;
}

trib_status trib_tns_read(trib_hacoo *table, trib_reader *reader, const trib_hacoo_options *options,
                          trib_error *error) {
    trib_buffer text = {0};
    source s = {.name = reader->name};
    *table = (trib_hacoo){0};
    trib_status status = trib_reader_all(reader, &text, error);
    if (status == TRIB_OK && text.length > 0) {
        s.at = text.text;
        s.end = text.text + text.length;
    }
    if (status == TRIB_OK) status = read_lines(&s, error);
    if (status == TRIB_OK) status = fill_table(table, &s, options, error);
    trib_free(s.entry);
    trib_buffer_release(&text);
    return status;
}
