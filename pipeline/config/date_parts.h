/* date_parts.h - the parts of a written date: numbers, words, signs. Private to config. */
#ifndef TRIBUTARY_CONFIG_DATE_PARTS_H
#define TRIBUTARY_CONFIG_DATE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

/* A part of a date. Blanks, brackets and signs of doubt (? ~ %) are no parts, and neither is the
 * full stop after a word. */
enum { TRIB_DATE_PARTS = 24, TRIB_DATE_WORD = 24, TRIB_DATE_BYTES = 96 };
typedef struct trib_date_part {
    char sign;                 /* '-' (any dash), '/', '.' or ','; 0: a number or a word */
    int number;                /* -1: a word */
    unsigned n_digits;         /* of a number, with those that are unknown */
    unsigned n_unknown;        /* "187X": 1; they are 0 in `number` */
    char word[TRIB_DATE_WORD]; /* folded to lower case, UTF-8; "" for others */
} trib_date_part;

/* Cuts a text into parts, and returns their number; 0 when it has other characters than a date can
 * have, or is too long (date_words.c). */
size_t trib_date_cut(trib_date_part part[TRIB_DATE_PARTS], const char *text);
/* The month that a word names, or at least three letters with which the names of only one month
 * begin; 0: none. */
int trib_date_month(const char *word);
/* What else words of a date mean. A word can mean several things, a bit each. */
typedef enum {
    TRIB_DATE_ABOUT = 1,
    TRIB_DATE_BEFORE = 1 << 1,
    TRIB_DATE_AFTER = 1 << 2,
    TRIB_DATE_UNTIL = 1 << 3, /* between the ends of a range, or up to and with its end */
    TRIB_DATE_SINCE = 1 << 4,
    TRIB_DATE_BETWEEN = 1 << 5, /* at the beginning of a range */
    TRIB_DATE_AND = 1 << 6,     /* between the ends of a range */
    TRIB_DATE_NOT = 1 << 7,
    TRIB_DATE_OF = 1 << 8, /* between day, month and year */
    TRIB_DATE_ORDINAL = 1 << 9,
    TRIB_DATE_CENTURY = 1 << 10,
    TRIB_DATE_EARLY = 1 << 11,
    TRIB_DATE_MIDDLE = 1 << 12,
    TRIB_DATE_LATE = 1 << 13,
    TRIB_DATE_HALF = 1 << 14,
    TRIB_DATE_BC = 1 << 15,
    TRIB_DATE_AD = 1 << 16,
    TRIB_DATE_LEAD = 1 << 17, /* it may stand before a date, and adds nothing to it */
} trib_date_meaning;
unsigned trib_date_meanings(const char *word);

#endif
