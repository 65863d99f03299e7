/* rehearsal.h - invented books in the layout of a mirror of Project Gutenberg, for rehearsals at
 * any scale: a language learnt from texts of Debian packages, authors with words of their own, and
 * passages that a book takes from older books, all of which is written down. Two books that took
 * nothing from one another share what unrelated English books share. */
#ifndef TRIBUTARY_TESTS_REHEARSAL_H
#define TRIBUTARY_TESTS_REHEARSAL_H

#include "base/arena.h"
#include "base/base.h"

/* ---- Language (language.c) ------------------------------------------------------------------- */

/* A word of a text, and what stands after it. */
typedef enum { SPACE, COMMA, STOP, PARAGRAPH } ending;
typedef struct word {
    const char *text; /* lower case, unless it is a name or a heading; not terminated */
    uint8_t length;
    uint8_t end; /* an `ending` */
} word;

/* Symbols of the chain: the commonest words, then marks, then classes of all other words. */
enum { N_COMMON = 250, A_COMMA = N_COMMON, A_STOP, FIRST_CLASS };
enum { A_NAME = FIRST_CLASS, AN_ING, AN_ED, AN_LY, AN_S, A_SHORT, A_LONG, N_SYMBOLS };
enum { N_CLASSES = N_SYMBOLS - FIRST_CLASS };

/* A chain of order 2 over symbols, and the words of every class, each as often as it occurs. */
typedef struct language {
    trib_buffer text; /* the pools; words point into it */
    word common[N_COMMON];
    uint32_t *from;   /* [N_SYMBOLS * N_SYMBOLS + 1] where the successors of a pair begin */
    uint16_t *symbol; /* [from[last]] successors */
    word *of[N_CLASSES];
    size_t n_of[N_CLASSES];
} language;
void learn(language *l, char **pools, int n_pools);
void release_language(language *l);

/* A word that looks like English and is determined by `number`. It lies in `to`. */
enum { LONGEST_WORD = 24 };
size_t invent(const language *l, uint64_t number, char to[LONGEST_WORD]);

/* ---- Books (book.c) -------------------------------------------------------------------------- */

typedef enum { REGULAR, EDITION, FOREIGN, SOUND, UNDATED } book_kind;

typedef struct book {
    uint32_t number; /* in the catalogue, from 1 */
    book_kind kind;
    uint32_t author; /* index */
    uint32_t origin; /* EDITION: index of the book it is an edition of; else its own */
    uint32_t n_words;
} book;

typedef struct author {
    uint32_t born;
    uint64_t seed;
    char name[LONGEST_WORD + 16];
} author;

/* Words that a target takes from the text of a source's own. */
typedef struct passage {
    uint32_t source;      /* index of the book */
    uint32_t from, n;     /* words of the source's own text */
    uint32_t at;          /* words of the target's own text before it */
    float changed;        /* fraction of its words that are replaced */
    uint32_t target_from; /* set by compose: words of the target before it */
} passage;

typedef struct plan {
    uint64_t seed;
    language language;
    book *book;
    size_t n_books, n_regular;
    author *author;
    size_t n_authors;
    uint32_t *by_year; /* [n_regular] indices of regular books, oldest first */
} plan;
uint32_t year_of(const plan *p, size_t b);

/* A text in the making: reused from book to book. */
typedef struct text {
    word *word;
    size_t n, cap;
    trib_arena arena; /* of the invented words */
} text;
void release_text(text *t);

/* Writes the words of a book's own to `own` (emptied before), as many as it has words. */
void write_own(text *own, const plan *p, size_t b);
/* Appends a publisher's or a transcriber's page, the same in all books that hold it. */
void add_boilerplate(text *to, const plan *p, size_t b);

/* What one book takes from older ones: passages sorted by `at`. At most MOST_PASSAGES. */
enum { MOST_SOURCES = 5, MOST_PASSAGES = 20000 };
typedef struct borrowing {
    passage *passage;
    size_t n;
} borrowing;
void borrow(borrowing *taken, const plan *p, size_t b);
/* The whole text: headings, own words, passages. */
void compose(text *whole, borrowing *taken, const plan *p, size_t b);

/* ---- Files (mirror.c) ------------------------------------------------------------------------ */

void title_of(const plan *p, size_t b, char title[static 96]);
void write_book(const char *to, const plan *p, size_t b, const text *whole);
void write_lists(const char *to, const plan *p);
/* Opens TO/NAME for writing, or ends the program. */
FILE *create(const char *to, const char *name);
void finish(FILE *file, const char *name);

void *reserve(size_t n, size_t size); /* zeroed; ends the program when there is no memory */
_Noreturn void fail(const char *message);

#endif
