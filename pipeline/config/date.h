/* date.h - dates of documents: a day, a month, a year, or a range, in the forms in which people and
 * catalogues write them. Private to pipeline. */
#ifndef TRIBUTARY_CONFIG_DATE_H
#define TRIBUTARY_CONFIG_DATE_H

#include <stdbool.h>

/* Reads a date of the proleptic Gregorian calendar: [*year, *year_end) are the decimal years
 * between which it is certain to lie. false when the text is not a date.
 *
 * - ISO 8601 with a year of four digits: "1865-04-15", "1623-11", "0070" or "-0043" (44 BC).
 *   "c. 1776", "ca. 1776", "1776?" and "est. 1776" are the year 1776. Of it, "1776 no. 1342" is
 *   only part 1342 of TRIB_DATE_PLACES, so that of two texts with otherwise equal dates the one
 *   with the smaller number is older.
 * - Days and months as they are written: "5 March 1871", "May 5, 1871", "3. Mai 1871", "3.5.1871"
 *   (day before month), "3/5/1871" (both readings), "44 BC".
 * - Ranges: "1871-1873", "1871/72", "March-May 1871", "1870s", "late 19th century", and those of
 *   EDTF (ISO 8601-2): "1871-03/1871-05", "187X". An open range has an infinite end: "before
 *   1880", "after 1870", "1871/..".
 *
 * Names of months are those of ICU in the languages of date_words.c. Safe for several threads. */
enum { TRIB_DATE_PLACES = 100000000 };
bool trib_date_read(const char *text, double *year, double *year_end);
/* Whether a date has the first of these forms. */
bool trib_date_is_iso(const char *text);
/* What a message says of a text that is not a date: the forms that are accepted. */
#define TRIB_DATE_FORMS                                                                            \
    "write 1865-04-15, 1623-11, 0070 or -0043 (44 BC), 5 March 1871, 3.5.1871; a range as "        \
    "1871-1873, 1871/72, before 1880, 19th century; an estimate as c. 1871, 1871? or est. 1871"

/* Replaces an infinite end of a range by the year beside its known end: "before 1880" is then 1879,
 * "after 1870" is 1871. */
void trib_date_close(double *year, double *year_end);
/* The decimal year at which a text is drawn and counted: where a day, a month or a year begins, the
 * middle of a longer range, the year beside the known end of an open one. NaN for NaN. */
double trib_date_point(double year, double year_end);
/* The first and the last year of a date, as whole numbers of ISO 8601, where 0 is 1 BC. An open end
 * is -HUGE_VAL or HUGE_VAL. false when the text is not a date. */
bool trib_date_years(const char *text, double *first, double *last);

/* Whether a date is marked as an estimate: "est. 1843". */
bool trib_date_is_estimated(const char *text);
/* Copies a date without a number ("no. 7"), cut between two characters when it is longer, and
 * returns the copy; the year of one before 1000 in the form of ISO 8601 ("AD 85", "44 BC"). */
enum { TRIB_DATE_SHOWN = 64 };
const char *trib_date_shown(const char *text, char shown[TRIB_DATE_SHOWN]);

#endif
