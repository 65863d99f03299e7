/* account.h - the account of a text: what was read of it, and what was left out. A decoder counts
 * while it reads (pipeline/text/account.c). Private to pipeline. */
#ifndef TRIBUTARY_SUPPORT_ACCOUNT_H
#define TRIBUTARY_SUPPORT_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The counts of an account: name, title of a column, and what it counts. Words of parts and words
 * left out are counted before the text is cut into words: about so many. */
#define TRIB_ACCOUNT_COUNTS(ROW)                                                                   \
    ROW(headings, "Headings", "words of headings")                                                 \
    ROW(front, "Front matter", "words of title pages, prefaces and other front matter")            \
    ROW(notes, "Notes", "words of notes that are read")                                            \
    ROW(notes_out, "Notes left out", "words of notes that are left out (corpus.notes)")            \
    ROW(forms_out, "Other forms",                                                                  \
        "words of other forms and readings (corpus.reading, corpus.witness)")                      \
    ROW(furniture_out, "Page furniture", "words of running heads, page numbers and menus")         \
    ROW(others_out, "Other elements",                                                              \
        "words of other elements that are not read, such as a header")                             \
    ROW(stripped_out, "Stripped", "words that corpus.strip cut")                                   \
    ROW(numbers_out, "Numbers", "words without a letter (tokens.numbers)")                         \
    ROW(joined, "Joined", "words divided at line ends that are joined")                            \
    ROW(unseen, "Unseen", "soft hyphens and other characters nobody sees, left out")               \
    ROW(lost, "Lost", "characters that are lost, U+FFFD instead")                                  \
    ROW(signs, "Signs of markup", "signs of markup in the text that is read, such as <p>, about")  \
    ROW(alone, "Nowhere else", "words that occur once in the whole corpus")                        \
    ROW(short_alone, "Short and nowhere else", "of these, words of up to three letters")

#define TRIB_ACCOUNT_MEMBER(name, title, what) uint64_t name;
/* A number for each of them. */
typedef struct trib_account_counts {
    TRIB_ACCOUNT_COUNTS(TRIB_ACCOUNT_MEMBER)
} trib_account_counts;
#undef TRIB_ACCOUNT_MEMBER

enum {
    TRIB_ACCOUNT_ROWS = sizeof(trib_account_counts) / sizeof(uint64_t),
    TRIB_ACCOUNT_COLUMNS = TRIB_ACCOUNT_ROWS + 4,
    TRIB_ACCOUNT_WORDS = 20, /* that are shown at the beginning and at the end */
    TRIB_ACCOUNT_NAMES = 8,
    TRIB_ACCOUNT_SIGNS = 6,
};

/* An element, and how many words or times. */
typedef struct trib_named_count {
    char name[24];
    uint32_t n;
} trib_named_count;

/* The account of a text. `{0}` is empty. */
typedef struct trib_account {
    trib_account_counts counts;
    char kind[32];                                 /* the format that it was read as */
    trib_named_count left_out[TRIB_ACCOUNT_NAMES]; /* words of elements that are not read */
    trib_named_count unknown[TRIB_ACCOUNT_NAMES];  /* elements in no table of markup */
    uint32_t sign[TRIB_ACCOUNT_SIGNS];             /* of counts.signs */
    uint32_t least_common, most_common; /* of 512 words in a row, those common before (words.h) */
    char begins[320], ends[320];        /* the first and the last words */
} trib_account;

/* A count by its place in TRIB_ACCOUNT_COUNTS. */
static inline uint64_t trib_account_count(const trib_account_counts *counts, size_t i) {
    uint64_t n;
    memcpy(&n, (const char *)counts + i * sizeof n, sizeof n);
    return n;
}

#endif
