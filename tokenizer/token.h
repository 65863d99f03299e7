/* token.h - what the files of the tokeniser share (private to tokenizer/).
 *
 *     bytes --decode.c--> UTF-8 that waits --token.c--> runs of whole lines
 *     --ascii.c or segment.c--> spans --spell.c--> words --emit.c--> the caller
 *
 * The waiting text is cut only where no word can reach across, so the words do not depend on the
 * cuts. Runs of lines that are pure ASCII are read by a small automaton made from ICU's own
 * answers, all others by ICU. */
#ifndef TRIBUTARY_TOKENIZER_TOKEN_H
#define TRIBUTARY_TOKENIZER_TOKEN_H

#include "tokenizer/tokenizer.h"

#include <unicode/ubrk.h>
#include <unicode/ucnv.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>

/* Growing UTF-16. */
typedef struct units {
    UChar *at;
    int32_t length;
    size_t cap;
} units;

/* The bytes of a document, and the UTF-8 they become, from the first that has not been read for
 * words. */
typedef struct decoder {
    UConverter *converter; /* NULL: the file is UTF-8 already */
    bool detect;           /* encoding: auto; collects the whole document first */
    char found[UCNV_MAX_CONVERTER_NAME_LENGTH]; /* what it turned out to be; empty: UTF-8 */
    trib_invalid on_invalid;
    const char *name; /* of the document */
    char *text;       /* [length] and a NUL */
    size_t length, cap;
    /* [length] with a converter: place in the file of the character of each byte of text */
    uint64_t *origin;
    size_t origin_cap;
    uint64_t start;   /* place of text[0] in the file, without a converter */
    uint64_t n_fed;   /* bytes of the file so far */
    uint64_t n_lines; /* newlines before text[0] */
    uint64_t n_replaced;
    uint64_t n_nul[2]; /* NULs at even and at odd places of the file */
    uint32_t lead;     /* a first surrogate that waits for its second, or 0 */
    uint64_t lead_origin;
} decoder;

/* What the automaton knows of an ASCII character. A joint is written two bits above what must stand
 * on both its sides. */
enum {
    ASCII_LETTER = 1,
    ASCII_DIGIT = 2,
    ASCII_WORD = ASCII_LETTER | ASCII_DIGIT,
    ASCII_JOINS_LETTERS = ASCII_LETTER << 2,
    ASCII_JOINS_DIGITS = ASCII_DIGIT << 2,
    ASCII_HYPHEN = 16,
    ASCII_DROPPED = 32 /* a joint that is no part of the word as it is written */
};

struct trib_tokenizer {
    trib_token_options options;
    char locale[ULOC_FULLNAME_CAPACITY]; /* as ICU writes it */
    UBreakIterator *words, *sentences;   /* sentences: NULL unless they break */
    const UNormalizer2 *form;            /* NULL: none */
    bool dotless;                        /* fold I to a dotless i, as in Turkish and Azerbaijani */
    bool use_ascii;                      /* the automaton may read ASCII lines */
    uint8_t ascii[256];                  /* ASCII_... of each byte */
    char lower[128];                     /* as each ASCII character is written */
    trib_token_sink sink;
    void *context;

    decoder in;
    size_t n_searched; /* a prefix of in.text known to hold no cut */
    size_t n_wanted;   /* read for words when so much is waiting */
    trib_status failed;
    trib_token_counts counts;

    /* breaks */
    bool broken;         /* a break lies between the last word and here */
    uint32_t n_newlines; /* since the last character that is not white */
    bool after_return;   /* the last character was a CR */

    /* scratch, kept between runs */
    units run;       /* of segment.c: the run in UTF-16 */
    uint32_t *place; /* [run.length + 1] of each unit in the run's UTF-8 */
    size_t place_cap;
    units flat;        /* the run with its lines joined, for sentences */
    int32_t sentence;  /* the next sentence boundary, or UBRK_DONE */
    units raw, folded; /* of spell.c */
    char *word;
    size_t word_cap;
};

/* ---- decode.c */

/* For a checked encoding name; on failure nothing is held. */
trib_status trib_decoder_open(decoder *in, const char *encoding, trib_invalid on_invalid,
                              trib_error *error);
void trib_decoder_close(decoder *in);
void trib_decoder_begin(decoder *in, const char *name);
/* Adds the next bytes of the document to in->text. */
trib_status trib_decoder_feed(decoder *in, const char *bytes, size_t n_bytes, trib_error *error);
/* Adds what was held back. */
trib_status trib_decoder_end(decoder *in, trib_error *error);
/* Forgets the first n bytes of in->text. */
void trib_decoder_drop(decoder *in, size_t n);
/* Place in the file of text[at]; of the end of the file's bytes so far for at == length. */
uint64_t trib_decoder_place(const decoder *in, size_t at);
/* text[from..to) as UTF-16 in `run`, with the place of each unit counted from `from`. Invalid bytes
 * become U+FFFD or TRIB_INPUT. A lone underscore becomes a soft hyphen, a run of them spaces. */
trib_status trib_decoder_utf16(decoder *in, size_t from, size_t to, units *run, uint32_t **place,
                               size_t *place_cap, trib_error *error);

/* ---- names.c */

/* `locale` as ICU writes it. TRIB_CONFIG when its language is unknown, naming the nearest. */
trib_status trib_check_locale(const char *locale, char name[ULOC_FULLNAME_CAPACITY],
                              trib_error *error);
/* TRIB_CONFIG for an encoding ICU does not know, naming the nearest. */
trib_status trib_unknown_encoding(const char *encoding, trib_error *error);
/* ICU's failure `code` of `what`: TRIB_MEMORY or TRIB_INTERNAL; TRIB_OK for a success. */
trib_status trib_icu_status(UErrorCode code, const char *what, trib_error *error);
trib_status trib_units_reserve(units *text, size_t length, trib_error *error);

/* ---- ascii.c */

/* Fills t->ascii and t->lower by asking t->words. */
trib_status trib_ascii_open(trib_tokenizer *t, trib_error *error);
/* The words of in.text[from..to), whole lines of ASCII without underscores. */
trib_status trib_ascii_run(trib_tokenizer *t, size_t from, size_t to, trib_error *error);

/* ---- segment.c */

/* The words of in.text[from..to). */
trib_status trib_segment_run(trib_tokenizer *t, size_t from, size_t to, trib_error *error);

/* ---- spell.c */

/* A character that UAX #29 ignores inside words and that no word shows: a soft hyphen, a byte order
 * mark, a direction. */
bool trib_is_format(UChar32 c);
/* Writes run[begin..end) into t->word as the options say; *length 0 when nothing is left of it. */
trib_status trib_spell(trib_tokenizer *t, int32_t begin, int32_t end, size_t *length,
                       trib_error *error);

/* ---- emit.c */

/* Hands out one word: `text`, from in.text[from..to). */
trib_status trib_token_give(trib_tokenizer *t, const char *text, size_t length, size_t from,
                            size_t to, trib_error *error);
/* The same for a token without a letter: drops or renames it if the options say so. */
trib_status trib_token_give_number(trib_tokenizer *t, const char *text, size_t length, size_t from,
                                   size_t to, trib_error *error);
/* Looks for paragraph ends in in.text[from..to), which holds no word. Must see every such stretch
 * when paragraphs or sentences break. */
void trib_token_pass(trib_tokenizer *t, size_t from, size_t to);
/* What `trib_token_pass` needs to know of a word. */
static inline void pass_word(trib_tokenizer *t) { t->n_newlines = 0, t->after_return = false; }

#endif
