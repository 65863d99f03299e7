/* date.c - converts dates of documents in the forms of ISO 8601 to a span of decimal years. */
#include "pipeline/config/documents.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

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
    const size_t n = number ? (size_t)(number - text) : strlen(text);
    snprintf(shown, TRIB_DATE_SHOWN, "%.*s", (int)(n < TRIB_DATE_SHOWN ? n : TRIB_DATE_SHOWN),
             text);
    return shown;
}

bool trib_date_read(const char *text, double *year, double *year_end) {
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
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
    const bool leap = is_leap(y);
    const double length = leap ? 366 : 365;
    double start = 0, end = length;
    if (month > 0) {
        start = before[month - 1] + (leap && month > 2);
        end = before[month] + (leap && month > 1);
    }
    if (day > end - start) return false;
    if (day > 0) {
        start += day - 1;
        end = start + 1;
    }
    start /= length;
    end /= length;
    const double part = (end - start) / TRIB_DATE_PLACES;
    *year = y + (place < 0 ? start : start + part * place);
    *year_end = y + (place < 0 ? end : start + part * (place + 1));
    return true;
}
