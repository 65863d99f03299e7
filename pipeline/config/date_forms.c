/* date_forms.c - the forms of written dates: a table of forms of a single date, and ranges between
 * two of them. A form reads all parts or does not apply. */
#include "pipeline/config/date_parts.h"

#include <math.h>
#include <string.h>

typedef struct parts {
    const trib_date_part *at, *end;
} parts;
typedef struct span {
    double from, to; /* [from, to) in decimal years */
} span;

/* Words for a part of a century. */
enum { SOME = TRIB_DATE_EARLY | TRIB_DATE_MIDDLE | TRIB_DATE_LATE };

/* ---- Single parts ---------------------------------------------------------------------------- */

static bool take_sign(parts *p, char sign) {
    if (p->at == p->end || p->at->sign != sign) return false;
    p->at++;
    return true;
}

static bool take_word(parts *p, const char *word) {
    if (p->at == p->end || strcmp(p->at->word, word) != 0) return false;
    p->at++;
    return true;
}

static bool take_meaning(parts *p, unsigned meaning) {
    if (p->at == p->end || !(trib_date_meanings(p->at->word) & meaning)) return false;
    p->at++;
    return true;
}

/* Takes a number from 1 to `most` of at most two digits, all of them known. */
static bool take_number(parts *p, int most, int *number) {
    const trib_date_part *part = p->at;
    if (part == p->end || part->n_digits < 1 || part->n_digits > 2 || part->n_unknown > 0 ||
        part->number < 1 || part->number > most)
        return false;
    *number = part->number;
    p->at++;
    return true;
}

/* Takes a Roman number up to 39. */
static bool take_roman(parts *p, int most, int *number) {
    static const char *const tens[] = {"", "x", "xx", "xxx"};
    static const char *const ones[] = {"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"};
    if (p->at == p->end) return false;
    for (int n = 1; n <= most && n < 40; n++) {
        const size_t length = strlen(tens[n / 10]);
        if (strncmp(p->at->word, tens[n / 10], length) != 0) continue;
        const char *rest = p->at->word + length;
        const bool is_ordinal = strncmp(rest, ones[n % 10], strlen(ones[n % 10])) == 0 &&
                                strcmp(rest + strlen(ones[n % 10]), "e") == 0; /* "XIXe" */
        if (strcmp(rest, ones[n % 10]) != 0 && !is_ordinal) continue;
        *number = n;
        p->at++;
        return true;
    }
    return false;
}

static bool take_month(parts *p, int *month) {
    if (p->at == p->end || (*month = trib_date_month(p->at->word)) == 0) return false;
    p->at++;
    return true;
}

/* Takes "BC", "B.C.", "BCE", "v. Chr.", "a. C.", or "AD" and such. */
static bool take_era(parts *p, bool *is_before) {
    static const struct {
        const char *word[3];
        bool is_before;
    } eras[] = {{{"b", "c", "e"}, true},  {{"b", "c", NULL}, true},    {{"v", "chr", NULL}, true},
                {{"a", "c", NULL}, true}, {{"n", "chr", NULL}, false}, {{"a", "d", NULL}, false},
                {{"d", "c", NULL}, false}};
    for (size_t e = 0; e < sizeof eras / sizeof *eras; e++) {
        parts next = *p;
        bool is_it = true;
        for (size_t w = 0; w < 3 && eras[e].word[w] && is_it; w++)
            is_it = take_word(&next, eras[e].word[w]);
        if (!is_it) continue;
        *is_before = eras[e].is_before;
        *p = next;
        return true;
    }
    *is_before = p->at < p->end && (trib_date_meanings(p->at->word) & TRIB_DATE_BC) != 0;
    return take_meaning(p, TRIB_DATE_BC | TRIB_DATE_AD);
}

/* Takes the short end of two years: "72" of "1871/72", "2" of "1871/2". The "02" of "1901-02" is
 * a month. */
static bool take_short_end(parts *p, int year, int *last) {
    parts next = *p;
    if (!take_sign(&next, '/') && !take_sign(&next, '-')) return false;
    if (next.at == next.end || next.at->n_digits < 1 || next.at->n_digits > 2 ||
        next.at->n_unknown > 0)
        return false;
    const int unit = next.at->n_digits == 1 ? 10 : 100, end = next.at->number;
    if (p->at->sign == '-' && unit == 100 && end >= 1 && end <= 12) return false;
    const bool is_turn = unit == 100 && end == 0 && year % 100 == 99; /* 1899/00 */
    if (end <= year % unit && !is_turn) return false;
    *last = year - year % unit + end + (is_turn ? 100 : 0);
    next.at++;
    *p = next;
    return true;
}

/* Takes a year, years such as "1871/72" or "187X", or a year of an era. */
static bool take_year(parts *p, trib_date_period *to) {
    bool is_before = false;
    parts next = *p;
    const bool has_era = take_era(&next, &is_before);
    if (next.at == next.end || next.at->n_digits < 1 || next.at->n_digits > 4) return false;
    const trib_date_part *part = next.at++;
    to->year = to->year_last = part->number;
    for (unsigned i = 0, unit = 1; i < part->n_unknown; i++, unit *= 10)
        to->year_last += 9 * (int)unit;
    const bool is_era = has_era || take_era(&next, &is_before);
    if (is_before) {
        to->year = 1 - to->year_last;
        to->year_last = 1 - part->number;
    } else if (part->n_unknown == 0) (void)take_short_end(&next, part->number, &to->year_last);
    if (part->n_digits < 3 && !is_era) return false;
    if (is_era && part->number == 0) return false;
    *p = next;
    return true;
}

static bool finish(parts p, trib_date_period period, span *to) {
    return p.at == p.end && trib_date_span(period, &to->from, &to->to);
}

/* ---- Forms of a single date ------------------------------------------------------------------ */

static bool take_ordinal(parts *p) {
    return take_sign(p, '.') || take_meaning(p, TRIB_DATE_ORDINAL);
}

static void take_between(parts *p) {
    (void)take_sign(p, ',');
    while (take_meaning(p, TRIB_DATE_OF)) continue;
}

/* "1871", "1871/72", "187X" */
static bool read_year(parts p, span *to) {
    trib_date_period period = {0};
    return take_year(&p, &period) && finish(p, period, to);
}

/* "1870s", "1800s" */
static bool read_decade(parts p, span *to) {
    if (p.at == p.end || p.at->n_digits != 4 || p.at->number % 10 != 0) return false;
    trib_date_period period = {.year = p.at->number};
    period.year_last = period.year + (period.year % 100 == 0 ? 99 : 9);
    p.at++;
    return (take_word(&p, "s") || take_word(&p, "er")) && finish(p, period, to);
}

/* "5 March 1871", "3. Mai 1871", "1er mai 1871", "5 de marzo de 1871", "March 1871" */
static bool read_day_first(parts p, span *to) {
    trib_date_period period = {0};
    if (take_number(&p, 31, &period.day)) {
        (void)take_ordinal(&p);
        take_between(&p);
    }
    if (!take_month(&p, &period.month)) return false;
    take_between(&p);
    return take_year(&p, &period) && finish(p, period, to);
}

/* "May 5, 1871" */
static bool read_month_first(parts p, span *to) {
    trib_date_period period = {0};
    if (!take_month(&p, &period.month) || !take_number(&p, 31, &period.day)) return false;
    (void)take_ordinal(&p);
    take_between(&p);
    return take_year(&p, &period) && finish(p, period, to);
}

/* "1871 March 5", "1871, March" */
static bool read_year_first(parts p, span *to) {
    trib_date_period period = {0};
    if (!take_year(&p, &period)) return false;
    (void)take_sign(&p, ',');
    if (!take_month(&p, &period.month)) return false;
    if (take_number(&p, 31, &period.day)) (void)take_ordinal(&p);
    return finish(p, period, to);
}

/* The sign between the numbers of a date, or 0. */
static char sign_of(parts p) {
    if (p.end - p.at < 2) return 0;
    const char sign = p.at[1].sign;
    return sign == '.' || sign == '/' || sign == '-' ? sign : 0;
}

/* "3.5.1871", "3.V.1871"; "3/5/1871" and "3-5-1871" are both 3 May and 5 March. */
static bool read_numbers(parts p, span *to) {
    int first = 0, second = 0;
    trib_date_period period = {0};
    const char sign = sign_of(p);
    if (sign == 0 || !take_number(&p, 31, &first) || !take_sign(&p, sign)) return false;
    const bool is_roman = take_roman(&p, 12, &second); /* its full stop belongs to it */
    if (!is_roman && !take_number(&p, 31, &second)) return false;
    if (!take_sign(&p, sign) && !is_roman) return false;
    if (!take_year(&p, &period) || p.at < p.end) return false;
    span reading[2];
    size_t n = 0;
    for (int swap = 0; swap < (sign == '.' || is_roman ? 1 : 2); swap++) {
        period.day = swap ? second : first;
        period.month = swap ? first : second;
        if (period.month <= 12 && finish(p, period, &reading[n])) n++;
    }
    if (n == 0) return false;
    *to = n == 1
              ? reading[0]
              : (span){fmin(reading[0].from, reading[1].from), fmax(reading[0].to, reading[1].to)};
    return true;
}

/* "1871/3/5", "1871-3-5", "1871.3.5", "1871/03", "1871-XX-XX", "1871-03-XX" */
static bool read_numbers_year_first(parts p, span *to) {
    const char sign = sign_of(p);
    if (p.at == p.end || p.at->n_digits != 4 || p.at->n_unknown > 0 || sign == 0) return false;
    trib_date_period period = {.year = p.at->number, .year_last = p.at->number};
    p.at += 2;
    if (take_word(&p, "xx")) {
        if (take_sign(&p, sign) && !take_word(&p, "xx")) return false;
        return finish(p, period, to);
    }
    const bool has_zero = p.at < p.end && p.at->n_digits == 2;
    if (!take_number(&p, 12, &period.month)) return false;
    if (!take_sign(&p, sign)) return has_zero && finish(p, period, to);
    if (take_word(&p, "xx")) return finish(p, period, to);
    return take_number(&p, 31, &period.day) && finish(p, period, to);
}

/* "3.1871", "03/1871" */
static bool read_month_number(parts p, span *to) {
    trib_date_period period = {0};
    return take_number(&p, 12, &period.month) && (take_sign(&p, '.') || take_sign(&p, '/')) &&
           take_year(&p, &period) && finish(p, period, to);
}

/* The years of a century, of which `part` is the first half, the middle or the second half. People
 * begin a century with the year 1800 or with 1801; it has both. */
static trib_date_period years_of_century(int n, bool is_before, unsigned part) {
    trib_date_period all = {.year = 100 * (n - 1), .year_last = 100 * n};
    if (n == 1 && !is_before) all.year = 1;
    if (is_before) all = (trib_date_period){.year = 1 - 100 * n, .year_last = -100 * (n - 1)};
    trib_date_period some = all;
    if (part & TRIB_DATE_EARLY) some.year_last = all.year_last - 50;
    if (part & TRIB_DATE_MIDDLE) some.year = all.year + 25, some.year_last = all.year_last - 25;
    if (part & TRIB_DATE_LATE) some.year = all.year_last - 50;
    return some;
}

/* "19th century", "late 19th c.", "first half of the 19th century", "19. Jahrhundert", "XIXe
 * siècle", "secolo XIX", "1st century BC" */
static bool read_century(parts p, span *to) {
    unsigned part = 0;
    int n = 0;
    bool is_before = false;
    if (p.at < p.end && (part = trib_date_meanings(p.at->word) & SOME) != 0) {
        p.at++;
        if (!take_sign(&p, '-')) (void)take_meaning(&p, TRIB_DATE_HALF);
        take_between(&p);
    }
    const bool is_named = take_meaning(&p, TRIB_DATE_CENTURY);
    if (!take_number(&p, 30, &n) && !take_roman(&p, 30, &n)) return false;
    const bool is_ordinal = take_ordinal(&p);
    (void)take_sign(&p, '-');
    if (!is_named && !take_meaning(&p, TRIB_DATE_CENTURY) && !(is_ordinal && take_word(&p, "c")))
        return false;
    (void)take_era(&p, &is_before);
    return finish(p, years_of_century(n, is_before, part), to);
}

/* "-0043" in a range */
static bool read_before_christ(parts p, span *to) {
    if (!take_sign(&p, '-') || p.at == p.end || p.at->n_digits != 4 || p.at->number == 0)
        return false;
    const int year = -p.at++->number;
    return finish(p, (trib_date_period){.year = year, .year_last = year}, to);
}

static bool read_form(parts p, span *to) {
    static bool (*const forms[])(parts p, span * to) = {
        read_year,       read_decade,        read_day_first,    read_month_first,
        read_year_first, read_numbers,       read_month_number, read_numbers_year_first,
        read_century,    read_before_christ,
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        if (forms[f](p, to)) return true;
    return false;
}

/* A single date, perhaps marked as an estimate, or "early 1871", which is certain of the year. */
static bool read_single(parts p, span *to) {
    (void)take_meaning(&p, TRIB_DATE_ABOUT);
    if (read_form(p, to)) return true;
    if (!take_meaning(&p, SOME)) return false;
    take_between(&p);
    return read_form(p, to);
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* Reads the beginning of a range, which may lack what its end has: "5" of "5-7 March 1871". */
static bool read_beginning(parts p, parts end, span *to) {
    trib_date_part whole[TRIB_DATE_PARTS];
    const size_t n = (size_t)(p.end - p.at), n_end = (size_t)(end.end - end.at);
    if (read_single(p, to)) return true;
    for (size_t lent = 1; lent < n_end && lent <= 3 && n + lent <= TRIB_DATE_PARTS; lent++) {
        memcpy(whole, p.at, n * sizeof *whole);
        memcpy(whole + n, end.end - lent, lent * sizeof *whole);
        if (read_single((parts){whole, whole + n + lent}, to)) return true;
    }
    return false;
}

/* Whether parts are "..", or none: an open end in EDTF. */
static bool is_open(parts p) {
    return p.at == p.end || (p.end - p.at == 2 && p.at[0].sign == '.' && p.at[1].sign == '.');
}

/* Reads "A-B", "A/B", "A to B" at the separator `s`. */
static bool read_between(parts p, const trib_date_part *s, span *to) {
    const parts first = {p.at, s}, second = {s + 1, p.end};
    span a = {-HUGE_VAL, -HUGE_VAL}, b = {HUGE_VAL, HUGE_VAL};
    const bool opens = s->sign == '/' && is_open(first), closes = s->sign == '/' && is_open(second);
    if (opens && closes) return false;
    if (!closes && !read_single(second, &b)) return false;
    if (!opens && !read_beginning(first, second, &a)) return false;
    if (a.from > b.from || a.to > b.to) return false;
    *to = (span){a.from, b.to};
    return true;
}

static bool read_range(parts p, span *to) {
    static const unsigned between = TRIB_DATE_UNTIL | TRIB_DATE_AND;
    (void)take_meaning(&p, TRIB_DATE_BETWEEN);
    for (const trib_date_part *s = p.at; s < p.end; s++)
        if ((s->sign == '-' || s->sign == '/' || (trib_date_meanings(s->word) & between)) &&
            read_between(p, s, to))
            return true;
    return false;
}

/* "before 1880", "not after 1880", "until 1880", "since 1880" */
static bool read_open(parts p, span *to) {
    span end;
    const bool is_not = take_meaning(&p, TRIB_DATE_NOT);
    if (p.at == p.end) return false;
    const unsigned meaning = trib_date_meanings(p.at++->word);
    (void)take_meaning(&p, TRIB_DATE_OF);
    if (!read_single(p, &end)) return false;
    *to = (span){-HUGE_VAL, HUGE_VAL};
    if (meaning & (is_not ? TRIB_DATE_AFTER : TRIB_DATE_UNTIL)) to->to = end.to;
    else if (meaning & (is_not ? TRIB_DATE_BEFORE : TRIB_DATE_SINCE)) to->from = end.from;
    else if (!is_not && (meaning & TRIB_DATE_BEFORE)) to->to = end.from;
    else if (!is_not && (meaning & TRIB_DATE_AFTER)) to->from = end.to;
    else return false;
    return true;
}

bool trib_date_parse(const trib_date_part *part, size_t n, double *year, double *year_end) {
    parts p = {part, part + n};
    span found;
    while (p.end > p.at && (p.end[-1].sign == '.' || p.end[-1].sign == ',') &&
           !(p.end - p.at > 1 && p.end[-2].sign != 0))
        p.end--;
    if (!read_single(p, &found) && !read_open(p, &found) && !read_range(p, &found)) return false;
    *year = found.from;
    *year_end = found.to;
    return true;
}

/* ---- The calendar ---------------------------------------------------------------------------- */

static bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

bool trib_date_in_year(int year, int month, int day, double *start, double *end) {
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    const bool leap = is_leap(year);
    const double length = leap ? 366 : 365;
    *start = 0;
    *end = length;
    if (month > 0) {
        *start = before[month - 1] + (leap && month > 2);
        *end = before[month] + (leap && month > 1);
    }
    if (day > *end - *start) return false;
    if (day > 0) {
        *start += day - 1;
        *end = *start + 1;
    }
    *start /= length;
    *end /= length;
    return true;
}

bool trib_date_span(trib_date_period period, double *year, double *year_end) {
    double start, end, unused;
    if (!trib_date_in_year(period.year, period.month, period.day, &start, &unused) ||
        !trib_date_in_year(period.year_last, period.month, period.day, &unused, &end))
        return false;
    *year = period.year + start;
    *year_end = period.year_last + end;
    return true;
}
