/* date.c - converts dates of documents to a span of decimal years. Dates of ISO 8601 are read as
 * they are written; all others are cut into parts (date_words.c) and read by a table of forms of a
 * single date, and by ranges between two of them. A form reads all parts or does not apply. */
#include "pipeline/config/date.h"
#include "pipeline/config/date_parts.h"

#include <strings.h>

#include "base/base.h"

/* ---- The calendar ---------------------------------------------------------------------------- */

static bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

/* Where a day of a year lies in it, from 0 to 1: [*start, *end). `day` 0: the month; `month` 0,
 * too: the year. false when there is no such day. */
static bool find_in_year(int year, int month, int day, double *start, double *end) {
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

/* A period between two years, or a month or a day of them. */
typedef struct period {
    int year, year_last; /* 0 is 1 BC */
    int month, day;      /* 0: all */
} period;
typedef struct span {
    double from, to; /* [from, to) in decimal years */
} span;

/* The decimal years of a period. false when there is no such day. */
static bool span_of(period of, span *to) {
    double start, end, unused;
    if (!find_in_year(of.year, of.month, of.day, &start, &unused) ||
        !find_in_year(of.year_last, of.month, of.day, &unused, &end))
        return false;
    *to = (span){of.year + start, of.year_last + end};
    return true;
}

/* ---- ISO 8601 -------------------------------------------------------------------------------- */

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
    if (*text == 'T' && day > 0) text += strspn(text, "T0123456789:.+-Z");
    uint64_t place = 0; /* of TRIB_DATE_PLACES */
    const bool has_place = strncmp(text, " no. ", 5) == 0;
    if (has_place ? !trib_read_uint(text + 5, &place) || place >= TRIB_DATE_PLACES : *text != '\0')
        return false;
    if (negative && y == 0) return false;
    if (negative) y = -y;
    double start, end;
    if (!find_in_year(y, month, day, &start, &end)) return false;
    const double part = (end - start) / TRIB_DATE_PLACES;
    *year = y + (has_place ? start + part * (double)place : start);
    *year_end = y + (has_place ? start + part * (double)(place + 1) : end);
    return true;
}

/* ---- Single parts ---------------------------------------------------------------------------- */

typedef struct parts {
    const trib_date_part *at, *end;
} parts;

/* Words for a part of a century. */
enum { SOME = TRIB_DATE_EARLY | TRIB_DATE_MIDDLE | TRIB_DATE_LATE };

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
    char roman[8];
    for (int n = 1; n <= most && n < 40 && p->at < p->end; n++) {
        snprintf(roman, sizeof roman, "%s%s", tens[n / 10], ones[n % 10]);
        const size_t length = strlen(roman);
        const char *rest = p->at->word + length;
        if (strncmp(p->at->word, roman, length) != 0 || (*rest && strcmp(rest, "e") != 0))
            continue; /* "XIXe" is an ordinal */
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
    } eras[] = {{{"av", "j", "c"}, true},    {{"ap", "j", "c"}, false},  {{"b", "c", "e"}, true},
                {{"b", "c", NULL}, true},    {{"v", "chr", NULL}, true}, {{"a", "c", NULL}, true},
                {{"n", "chr", NULL}, false}, {{"a", "d", NULL}, false},  {{"d", "c", NULL}, false}};
    for (size_t e = 0; e < sizeof eras / sizeof *eras; e++) {
        parts next = *p;
        bool is_it = true;
        for (size_t w = 0; w < 3 && eras[e].word[w] && is_it; w++, (void)take_sign(&next, '-'))
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
static bool take_year(parts *p, period *to) {
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

static bool finish(parts p, period when, span *to) { return p.at == p.end && span_of(when, to); }

/* ---- Forms of a single date ------------------------------------------------------------------ */

static bool take_ordinal(parts *p) {
    return take_sign(p, '.') || take_meaning(p, TRIB_DATE_ORDINAL);
}

static void take_between(parts *p) {
    (void)take_sign(p, ',');
    while (take_meaning(p, TRIB_DATE_OF)) continue;
}

/* Reads a day, a month and a year in the order of `form`: d a day, m the name of a month, n its
 * number and a sign, y a year or years; and what may be missing: o the mark of an ordinal, b words
 * between, c a comma. */
static bool read_in_order(parts p, const char *form, span *to) {
    period when = {0};
    for (; *form; form++) {
        if (*form == 'o') (void)take_ordinal(&p);
        else if (*form == 'b') take_between(&p);
        else if (*form == 'c') (void)take_sign(&p, ',');
        else if (*form == 'd'   ? !take_number(&p, 31, &when.day)
                 : *form == 'm' ? !take_month(&p, &when.month)
                 : *form == 'y' ? !take_year(&p, &when)
                                : !take_number(&p, 12, &when.month) ||
                                      (!take_sign(&p, '.') && !take_sign(&p, '/')))
            return false;
    }
    return finish(p, when, to);
}

/* "1870s", "1800s" */
static bool read_decade(parts p, span *to) {
    if (p.at == p.end || p.at->n_digits != 4 || p.at->number % 10 != 0) return false;
    period when = {.year = p.at->number};
    when.year_last = when.year + (when.year % 100 == 0 ? 99 : 9);
    p.at++;
    return (take_word(&p, "s") || take_word(&p, "er")) && finish(p, when, to);
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
    period when = {0};
    const char sign = sign_of(p);
    if (sign == 0 || !take_number(&p, 31, &first) || !take_sign(&p, sign)) return false;
    const bool is_roman = take_roman(&p, 12, &second); /* its full stop belongs to it */
    if (!is_roman && !take_number(&p, 31, &second)) return false;
    if (!take_sign(&p, sign) && !is_roman) return false;
    if (!take_year(&p, &when) || p.at < p.end) return false;
    span reading[2];
    size_t n = 0;
    for (int swap = 0; swap < (sign == '.' || is_roman ? 1 : 2); swap++) {
        when.day = swap ? second : first;
        when.month = swap ? first : second;
        if (when.month <= 12 && finish(p, when, &reading[n])) n++;
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
    period when = {.year = p.at->number, .year_last = p.at->number};
    p.at += 2;
    if (take_word(&p, "xx")) {
        if (take_sign(&p, sign) && !take_word(&p, "xx")) return false;
        return finish(p, when, to);
    }
    const bool has_zero = p.at < p.end && p.at->n_digits == 2;
    if (has_zero && p.at->number >= 21 && p.at->number <= 41) /* a season of EDTF */
        return p.at++, finish(p, when, to);
    if (!take_number(&p, 12, &when.month)) return false;
    if (!take_sign(&p, sign)) return has_zero && finish(p, when, to);
    if (take_word(&p, "xx")) return finish(p, when, to);
    return take_number(&p, 31, &when.day) && finish(p, when, to);
}

/* The years of a century, of which `part` is the first half, the middle or the second half. People
 * begin a century with the year 1800 or with 1801; it has both. */
static period years_of_century(int n, bool is_before, unsigned part) {
    period all = {.year = 100 * (n - 1), .year_last = 100 * n};
    if (n == 1 && !is_before) all.year = 1;
    if (is_before) all = (period){.year = 1 - 100 * n, .year_last = -100 * (n - 1)};
    period some = all;
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
    parts half = p;
    if (take_number(&half, 2, &n) && take_ordinal(&half) && take_meaning(&half, TRIB_DATE_HALF)) {
        part = n == 1 ? TRIB_DATE_EARLY : TRIB_DATE_LATE;
        take_between(&half);
        p = half;
    } else if (p.at < p.end && (part = trib_date_meanings(p.at->word) & SOME) != 0) {
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
    return finish(p, (period){.year = year, .year_last = year}, to);
}

static bool read_form(parts p, span *to) {
    static const char *const orders[] = {
        "y",      /* "1871", "1871/72", "187X" */
        "dobmby", /* "5 March 1871", "3. Mai 1871", "1er mai 1871", "5 de marzo de 1871" */
        "mby",    /* "March 1871" */
        "mdoby",  /* "May 5, 1871" */
        "ycm",    /* "1871, March" */
        "ycmdo",  /* "1871 March 5" */
        "ny",     /* "3.1871", "03/1871" */
    };
    static bool (*const forms[])(parts p, span * to) = {
        read_decade, read_numbers, read_numbers_year_first, read_century, read_before_christ};
    for (size_t f = 0; f < sizeof orders / sizeof *orders; f++)
        if (read_in_order(p, orders[f], to)) return true;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        if (forms[f](p, to)) return true;
    return false;
}

/* A single date, perhaps marked as an estimate, or "early 1871", which is certain of the year. */
static bool read_single(parts p, span *to) {
    (void)take_meaning(&p, TRIB_DATE_ABOUT);
    while (take_meaning(&p, TRIB_DATE_LEAD)) continue;
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

/* ---- All forms ------------------------------------------------------------------------------- */

bool trib_date_read(const char *text, double *year, double *year_end) {
    trib_date_part part[TRIB_DATE_PARTS];
    span found;
    if (read_iso(text, year, year_end)) return true;
    parts p = {part, part + trib_date_cut(part, text)};
    while (p.end > p.at && (p.end[-1].sign == '.' || p.end[-1].sign == ',') &&
           !(p.end - p.at > 1 && p.end[-2].sign != 0))
        p.end--;
    if (!read_single(p, &found) && !read_open(p, &found) && !read_range(p, &found)) return false;
    *year = found.from;
    *year_end = found.to;
    return true;
}

bool trib_date_is_iso(const char *text) {
    double year, year_end;
    return read_iso(text, &year, &year_end);
}

bool trib_date_years(const char *text, double *first, double *last) {
    double year, year_end;
    if (!trib_date_read(text, &year, &year_end)) return false;
    *first = floor(year);
    *last = ceil(year_end) - 1;
    return true;
}

const char *trib_date_shown(const char *text, char shown[TRIB_DATE_SHOWN]) {
    const char *number = strstr(text, " no. ");
    size_t n = number ? (size_t)(number - text) : strlen(text);
    if (n >= TRIB_DATE_SHOWN)
        for (n = TRIB_DATE_SHOWN - 1; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;) n--;
    snprintf(shown, TRIB_DATE_SHOWN, "%.*s", (int)n, text);
    const bool is_before = *shown == '-' || strncmp(shown, "0000", 4) == 0;
    if (!trib_date_is_iso(shown) || !(is_before || *shown == '0')) return shown;
    char *rest = shown;
    const long year = strtol(shown, &rest, 10);
    snprintf(shown, TRIB_DATE_SHOWN, is_before ? "%ld BC" : "AD %ld", is_before ? 1 - year : year);
    return shown;
}
