/* token.h - private to tokenizer/: the types and functions that the files of the tokeniser share.
 *
 *     bytes --decode.c--> waiting UTF-8 --token.c--> runs of whole lines
 *     --ascii.c, or plain.c and segment.c--> words --> the caller
 *
 * The waiting text is cut only where no word can extend across the cut, so the words do not depend
 * on the cuts. Runs of lines that are pure ASCII are read by a small automaton built from ICU's own
 * answers, all other lines by ICU. */
#ifndef TRIBUTARY_TOKENIZER_TOKEN_H
#define TRIBUTARY_TOKENIZER_TOKEN_H

#include "tokenizer/tokenizer.h"

#include <unicode/ubrk.h>
#include <unicode/ucnv.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>

/* A growing array of UTF-16 units. */
typedef struct units {
    UChar *at;
    int32_t length;
    size_t cap;
} units;

/* The decoder of a document: its bytes, and the waiting text, that is, the UTF-8 that has not been
 * split into words yet. */
typedef struct decoder {
    UConverter *converter;         /* NULL: the file is UTF-8 already */
    bool detect;                   /* encoding: auto; collects the whole document before decoding */
    char found[TRIB_ENCODING_MAX]; /* the encoding detected; empty: UTF-8 */
    trib_invalid on_invalid;
    const char *name; /* of the document */
    char *text;       /* [length] the waiting text, and a NUL */
    size_t length, cap;
    /* [length] with a converter: position in the file of the character of each byte of text */
    uint64_t *origin;
    size_t origin_cap;
    uint64_t start;   /* without a converter: position of text[0] in the file */
    uint64_t n_fed;   /* bytes of the file received so far */
    uint64_t n_lines; /* newlines before text[0] */
    uint64_t n_replaced;
    /* with a converter of one byte a character: whether the bytes are UTF-8 all the same */
    bool is_of_one_byte, is_not_utf8;
    unsigned n_to_come; /* bytes of a character of UTF-8 that are still to come */
    uint64_t n_utf8;    /* characters of UTF-8 beyond ASCII */
    uint64_t n_nul[2];  /* NULs at even and at odd positions of the file */
    uint32_t lead;      /* a lead surrogate that waits for its trail surrogate, or 0 */
    uint64_t lead_origin;
} decoder;

/* The classes of an ASCII character in the automaton. A joining character has the class required on
 * both sides of it, shifted by two bits. */
enum {
    ASCII_LETTER = 1,
    ASCII_DIGIT = 2,
    ASCII_WORD = ASCII_LETTER | ASCII_DIGIT,
    ASCII_JOINS_LETTERS = ASCII_LETTER << 2,
    ASCII_JOINS_DIGITS = ASCII_DIGIT << 2,
    ASCII_HYPHEN = 16,
    ASCII_DROPPED = 32, /* a joining character that the written word leaves out */
    ASCII_GRAVE = 64    /* one that it writes as an apostrophe */
};

struct trib_tokenizer {
    trib_token_options options;
    char locale[ULOC_FULLNAME_CAPACITY]; /* canonical name, as ICU writes it */
    UBreakIterator *words, *sentences;   /* sentences: NULL unless they cause breaks */
    const UNormalizer2 *form;            /* NULL: no normalization */
    bool dotless;                        /* fold I to a dotless i, as in Turkish and Azerbaijani */
    bool use_ascii;                      /* whether the automaton may read ASCII lines */
    uint8_t ascii[256];                  /* ASCII_... of each byte */
    char lower[128];                     /* the written form of each ASCII character */
    trib_token_sink sink;
    void *context;

    decoder in;
    size_t n_searched; /* length of a prefix of in.text known to hold no cut */
    size_t n_wanted;   /* words are read when this many bytes are waiting */
    trib_status failed;
    trib_token_counts counts;

    /* breaks */
    bool broken;         /* a break lies between the last word and the current position */
    uint32_t n_newlines; /* since the last character that is not white */
    bool after_return;   /* the last character was a CR */

    /* scratch, reused between runs */
    units run;       /* of segment.c: the run in UTF-16 */
    uint32_t *place; /* [run.length + 1] position of each unit in the run's UTF-8 */
    size_t place_cap;
    units flat;        /* the run with its lines joined, for sentences */
    int32_t sentence;  /* the next sentence boundary, or UBRK_DONE */
    units raw, folded; /* of a word of segment.c */
    char *word;
    size_t word_cap;
};

/* ---- decode.c */

/* Opens a decoder for a checked encoding name. On failure it holds nothing. */
trib_status trib_decoder_open(decoder *in, const char *encoding, trib_invalid on_invalid,
                              trib_error *error);
void trib_decoder_close(decoder *in);
void trib_decoder_begin(decoder *in, const char *name);
/* Appends the next bytes of the document to in->text. */
trib_status trib_decoder_feed(decoder *in, const char *bytes, size_t n_bytes, trib_error *error);
/* Appends the bytes that the converter still holds. */
trib_status trib_decoder_end(decoder *in, trib_error *error);
/* Removes the first n bytes of in->text. */
void trib_decoder_drop(decoder *in, size_t n);
/* The position in the file of text[at]; for at == length, the end of the bytes received so far. */
uint64_t trib_decoder_place(const decoder *in, size_t at);
enum { TRIB_MARKUP = 0x206F }; /* a format character that is not used any more */
/* Converts text[from..to) to UTF-16 in `run`, with the position of each unit counted from `from`.
 * An invalid byte becomes U+FFFD, or an error (TRIB_INPUT). A lone underscore becomes TRIB_MARKUP,
 * several in a row become spaces. */
trib_status trib_decoder_utf16(decoder *in, size_t from, size_t to, units *run, uint32_t **place,
                               size_t *place_cap, trib_error *error);

/* ---- names.c */

/* Writes the canonical name of `locale` to `name`. TRIB_CONFIG when its language is unknown; the
 * message suggests the nearest name. */
trib_status trib_check_locale(const char *locale, char name[ULOC_FULLNAME_CAPACITY],
                              trib_error *error);
/* Reports an encoding that ICU does not know (TRIB_CONFIG), with the nearest known name. */
trib_status trib_unknown_encoding(const char *encoding, trib_error *error);
/* Converts ICU's error `code`: TRIB_MEMORY, TRIB_INTERNAL, or TRIB_OK for a success. `what` names
 * the operation. */
trib_status trib_icu_status(UErrorCode code, const char *what, trib_error *error);
trib_status trib_units_reserve(units *text, size_t length, trib_error *error);

/* ---- ascii.c */

/* Fills t->ascii and t->lower from the answers of t->words. */
trib_status trib_ascii_open(trib_tokenizer *t, trib_error *error);
/* Emits the words of in.text[from..to), whole lines of ASCII without underscores. */
trib_status trib_ascii_run(trib_tokenizer *t, size_t from, size_t to, trib_error *error);

/* ---- plain.c */

/* Rewrites t->run and t->place by TRIB_EQUIVALENCE_PLAIN, and counts what it changes. With
 * TRIB_EQUIVALENCE_NONE only what UAX #29 ignores inside words is left out: soft hyphens, byte
 * order marks, direction marks. */
void trib_plain_run(trib_tokenizer *t);
/* Whether a word may go on across in.text[at], the begin of a line or a space, so that it is no
 * place to cut. */
bool trib_plain_goes_on(const trib_tokenizer *t, size_t at);

/* ---- segment.c */

/* Emits the words of in.text[from..to). */
trib_status trib_segment_run(trib_tokenizer *t, size_t from, size_t to, trib_error *error);

/* Emits one word: `text`, from in.text[from..to). */
trib_status trib_token_emit(trib_tokenizer *t, const char *text, size_t length, size_t from,
                            size_t to, trib_error *error);
/* The same for a token without a letter, which is kept, dropped or replaced according to the
 * options. */
trib_status trib_token_emit_number(trib_tokenizer *t, const char *text, size_t length, size_t from,
                                   size_t to, trib_error *error);
/* Finds paragraph ends in in.text[from..to), which holds no word. When paragraphs or sentences
 * cause breaks, it must be called for all text between words. */
void trib_token_pass(trib_tokenizer *t, size_t from, size_t to);
/* Resets the search for paragraph ends after a word. */
static inline void pass_word(trib_tokenizer *t) { t->n_newlines = 0, t->after_return = false; }

/* ---- Code points */

/* ICU's macros do the same, but cause compiler warnings. */

/* Returns the code point at text[*at], with *at < length, and moves *at past it. Returns -1 for an
 * ill-formed sequence (Unicode, table 3-7) and moves *at past its maximal well-formed part, by at
 * least one byte; that part is what one U+FFFD replaces (Unicode, section 3.9, U+FFFD substitution
 * of maximal subparts). */
static inline int32_t utf8_next(const char *text, size_t *at, size_t length) {
    const unsigned char *const s = (const unsigned char *)text;
    const unsigned lead = s[(*at)++];
    if (lead < 0x80) return (int32_t)lead;
    if (lead < 0xC2 || lead > 0xF4) return -1;
    const int n_trail = 1 + (lead >= 0xE0) + (lead >= 0xF0);
    /* the range of the second byte excludes overlong forms, surrogates and numbers above 10FFFF */
    unsigned low = 0x80, high = 0xBF;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    uint32_t c = lead & (0x3Fu >> n_trail);
    for (int i = 0; i < n_trail; i++) {
        if (*at >= length || s[*at] < low || s[*at] > high) return -1;
        c = c << 6 | (s[(*at)++] & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    return (int32_t)c;
}

static inline bool utf8_is_valid(const char *text, size_t length) {
    bool valid = true;
    for (size_t i = 0; i < length && valid;) valid = utf8_next(text, &i, length) >= 0;
    return valid;
}

/* Returns the code point at text[*at], with *at < end, and moves *at past it. An unpaired surrogate
 * is returned as it is. */
static inline int32_t utf16_next(const uint16_t *text, int32_t *at, int32_t end) {
    const int32_t c = text[(*at)++];
    if ((c & 0xFC00) != 0xD800 || *at == end || (text[*at] & 0xFC00) != 0xDC00) return c;
    return ((c & 0x3FF) << 10 | (text[(*at)++] & 0x3FF)) + 0x10000;
}

/* Returns the code point that ends at *at, with *at > begin, and moves *at before it. */
static inline int32_t utf16_previous(const uint16_t *text, int32_t begin, int32_t *at) {
    const int32_t c = text[--*at];
    if ((c & 0xFC00) != 0xDC00 || *at == begin || (text[*at - 1] & 0xFC00) != 0xD800) return c;
    return ((text[--*at] & 0x3FF) << 10 | (c & 0x3FF)) + 0x10000;
}

#endif
