/* date.c - converts dates of documents in the forms of ISO 8601 to a span of decimal years. */
#include "pipeline/config/documents.h"

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

/* Skips a prefix that marks an approximate date: "c.", "ca.", "circa". */
static const char *skip_about(const char *text) {
    static const char *const words[] = {"circa", "ca.", "ca", "c.", "c"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t n = strlen(words[w]);
        if (strncasecmp(text, words[w], n) != 0) continue;
        for (text += n; *text == ' ';) text++;
        break;
    }
    return text;
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
    if (*text || (negative && y == 0)) return false;
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
    *year = y + start / length;
    *year_end = end == length ? y + 1 : y + end / length;
    return true;
}
