/* date.c - converts dates of documents to a span of decimal years: those of ISO 8601 here, all
 * others with date_words.c and date_forms.c. */
#include "pipeline/config/date.h"
#include "pipeline/config/date_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Reads exactly n digits. */
static bool read_digits(const char **text, int n, int *value) {
    *value = 0;
    for (int i = 0; i < n; i++, (*text)++) {
        if (**text < '0' || **text > '9') return false;
        *value = *value * 10 + (**text - '0');
    }
    return true;
}

/* Skips a prefix that marks an approximate or an estimated date: "c.", "ca.", "circa", "est.". */
static const char *skip_about(const char *text) {
    static const char *const words[] = {"circa", "ca.", "ca", "c.", "c", "est."};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t n = strlen(words[w]);
        if (strncasecmp(text, words[w], n) != 0) continue;
        for (text += n; *text == ' ';) text++;
        break;
    }
    return text;
}

/* Reads " no. 1342", a number below TRIB_DATE_PLACES, if the text goes on like this. */
static bool read_place(const char **text, double *place) {
    if (strncmp(*text, " no. ", 5) != 0) return true;
    const char *const digits = *text += 5;
    for (*place = 0; **text >= '0' && **text <= '9'; ++*text) *place = *place * 10 + (**text - '0');
    return *text > digits && *place < TRIB_DATE_PLACES;
}

bool trib_date_is_estimated(const char *text) { return strncasecmp(text, "est.", 4) == 0; }

const char *trib_date_shown(const char *text, char shown[TRIB_DATE_SHOWN]) {
    const char *number = strstr(text, " no. ");
    size_t n = number ? (size_t)(number - text) : strlen(text);
    if (n >= TRIB_DATE_SHOWN)
        for (n = TRIB_DATE_SHOWN - 1; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;) n--;
    snprintf(shown, TRIB_DATE_SHOWN, "%.*s", (int)n, text);
    return shown;
}

/* ---- ISO 8601 -------------------------------------------------------------------------------- */

static bool read_iso(const char *text, double *year, double *year_end) {
    int y = 0, month = 0, day = 0;
    text = skip_about(text);
    const bool negative = *text == '-';
    text += negative;
    if (!read_digits(&text, 4, &y)) return false;
    if (*text == '-') {
        text++;
        if (!read_digits(&text, 2, &month) || month < 1 || month > 12) return false;
        if (*text == '-') {
            text++;
            if (!read_digits(&text, 2, &day) || day < 1) return false;
        }
    }
    if (*text == '?') text++;
    double place = -1; /* of TRIB_DATE_PLACES; -1: none */
    if (!read_place(&text, &place) || *text || (negative && y == 0)) return false;
    if (negative) y = -y;
    double start, end;
    if (!trib_date_in_year(y, month, day, &start, &end)) return false;
    const double part = (end - start) / TRIB_DATE_PLACES;
    *year = y + (place < 0 ? start : start + part * place);
    *year_end = y + (place < 0 ? end : start + part * (place + 1));
    return true;
}

/* ---- All forms ------------------------------------------------------------------------------- */

bool trib_date_read(const char *text, double *year, double *year_end) {
    trib_date_part part[TRIB_DATE_PARTS];
    if (read_iso(text, year, year_end)) return true;
    const size_t n = trib_date_cut(part, text);
    return n > 0 && trib_date_parse(part, n, year, year_end);
}

bool trib_date_is_iso(const char *text) {
    double year, year_end;
    return read_iso(text, &year, &year_end);
}

void trib_date_close(double *year, double *year_end) {
    if (isinf(*year)) *year = *year_end - 1;
    if (isinf(*year_end)) *year_end = *year + 1;
}

double trib_date_point(double year, double year_end) {
    trib_date_close(&year, &year_end);
    return year_end - year > 1 ? (year + (year_end - 1)) / 2 : year;
}

bool trib_date_years(const char *text, double *first, double *last) {
    double year, year_end;
    if (!trib_date_read(text, &year, &year_end)) return false;
    *first = floor(year);
    *last = ceil(year_end) - 1;
    return true;
}
