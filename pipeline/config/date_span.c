/* date_span.c - the decimal years of days, months and years of the proleptic Gregorian calendar. */
#include "pipeline/config/date_parts.h"

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
