/* scan_words.c - the words of a line of a text of nonzeros, and error messages that show a word
 * with its line and column. */
#include "tensor/scan.h"

#include <stdio.h>

size_t trib_scan_fields(const char *at, const char *end, trib_field field[], size_t n_max) {
    size_t n = 0;
    while (true) {
        while (at < end && trib_is_blank(*at)) at++;
        if (at == end) return n;
        const char *first = at;
        while (at < end && !trib_is_blank(*at)) at++;
        if (n < n_max) field[n] = (trib_field){first, (size_t)(at - first)};
        n++;
    }
}

/* A word as it is shown in a message: shortened, without control characters or invalid UTF-8. */
static const char *shown(trib_field field, char text[64]) {
    enum { WIDEST = 4, MOST = 64 - WIDEST - 4 };
    size_t length = 0, i = 0;
    for (; i < field.length && length < MOST; i++) {
        const unsigned char c = (unsigned char)field.at[i];
        length +=
            (size_t)snprintf(text + length, 64 - length, c >= ' ' && c < 127 ? "%c" : "\\x%02X", c);
    }
    snprintf(text + length, 64 - length, "%s", i < field.length ? "..." : "");
    return text;
}

const char *trib_scan_place(const trib_tns_scan *scan, const char *line, trib_field field,
                            char text[64]) {
    snprintf(text, 64, "%llu:%zu", (unsigned long long)scan->state->line,
             (size_t)(field.at - line) + 1);
    return text;
}

trib_status trib_scan_wrong(const trib_tns_scan *scan, const char *line, trib_field field,
                            trib_error *error, const char *what) {
    char where[64], word[64];
    return trib_fail(error, TRIB_INPUT, "%s:%s: %s '%s'", scan->state->reader->name,
                     trib_scan_place(scan, line, field, where), what, shown(field, word));
}

bool trib_scan_uint(trib_field field, uint64_t *value) {
    uint64_t read = 0;
    for (size_t i = 0; i < field.length; i++) {
        if (field.at[i] < '0' || field.at[i] > '9') return false;
        const uint64_t digit = (uint64_t)(field.at[i] - '0');
        if (read > (UINT64_MAX - digit) / 10) return false;
        read = read * 10 + digit;
    }
    *value = read;
    return field.length > 0;
}

void trib_scan_set_dims(trib_tns_scan *scan, uint32_t n_modes, const uint64_t dim[],
                        uint64_t n_promised) {
    trib_scan_state *s = scan->state;
    scan->n_modes = n_modes;
    scan->n_promised = n_promised;
    scan->notes.has_header = true;
    s->guess = false;
    for (uint32_t m = 0; m < n_modes; m++) {
        scan->dim[m] = (uint32_t)dim[m];
        s->high[m] = dim[m] - 1 + s->low;
    }
}
