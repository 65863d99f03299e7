/* plain.c - what readers take for the same is made the same before words are cut: characters that
 * nobody sees are left out, there is one apostrophe and one hyphen, and the end of a line does not
 * end a word that goes on in the next.
 *
 * The UTF-16 of a run is rewritten in place, and never becomes longer. Each unit that is left has
 * the place that it had. */
#include "tokenizer/token.h"

#include <pthread.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

enum {
    MAX_GAP = 200, /* units between the parts of a word */
    SOFT_HYPHEN = 0xAD,
    NOT_SIGN = 0xAC,
    OBLIQUE_HYPHEN = 0x2E17,
    QUOTE_RIGHT = 0x2019,
    WIDE_SPACE = 0x3000,
    JOINER = 0x200D,
    RHO = 0x3C1,
    RHO_PSILI = 0x1FE4,
    PARAGRAPH = 0x2029
};

typedef enum kind {
    ORDINARY,
    UNSEEN,     /* default-ignorable, but for the next one and soft hyphens */
    ZERO_SPACE, /* a border of words in Thai and its neighbours, nothing elsewhere */
    APOSTROPHE,
    QUOTE,   /* gershayim between letters of Hebrew */
    KORONIS, /* an apostrophe after a consonant of Greek */
    HYPHEN,
    DIVIDER,    /* divides a word at the end of a line */
    MIDDLE_DOT, /* of Catalan, also written as a hyphenation point */
    SPACE,
    LINE_END,
    PILCROW /* editors of Chinese write it before each end of a line */
} kind;

/* \x91 and \x92 are those of windows-1252 read as ISO 8859-1. */
static const UChar apostrophes[] =
    u"'`\x91\x92\u00B4\u02B9\u02BB\u02BC\u02BD\u02BE\u02BF\u0374\u0384\u055A\u05F3\u1FBD\u1FBF"
    u"\u1FEF\u1FFD\u1FFE\u2018\u2019\u201B\u2032\u2035\uA78B\uA78C\uFF07\uFF40";
static const UChar quotes[] = u"\"\u05F4\u201C\u201D\u201E\u201F\u2033";
static const UChar hyphens[] =
    u"\u058A\u05BE\u1400\u1806\u2010\u2011\u2E1A\u2E5D\u30A0\uFE63\uFF0D";
static const UChar others[] = u"\u00AC\u00B6\u0313\u0343\u1FE4\u2027\u2E17\u2E40";

static bool holds(const UChar *list, UChar32 c) {
    return c > 0 && c <= 0xFFFF && u_strchr(list, (UChar)c);
}

bool trib_is_divider(int32_t c) {
    return c == SOFT_HYPHEN || c == NOT_SIGN || c == OBLIQUE_HYPHEN || c == 0x2E40;
}

bool trib_is_hyphen(int32_t c) { return c == '-' || holds(hyphens, c) || trib_is_divider(c); }

static kind kind_of(UChar32 c) {
    if (c == 0x200B) return ZERO_SPACE;
    if (c <= 0xFFFF && trib_ends_line((UChar)c)) return LINE_END;
    if (u_isUWhiteSpace(c)) return SPACE;
    if (holds(apostrophes, c)) return APOSTROPHE;
    if (holds(quotes, c)) return QUOTE;
    if (holds(hyphens, c)) return HYPHEN;
    if (trib_is_divider(c)) return DIVIDER;
    if (c == 0x313 || c == 0x343 || c == RHO_PSILI) return KORONIS;
    if (c == 0x2027) return MIDDLE_DOT;
    if (c == 0xB6) return PILCROW;
    return u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ? UNSEEN : ORDINARY;
}

/* A bit for each unit of UTF-16 that is looked at: the second after letters that are not Latin. */
static uint64_t strange_units[2][1024];

/* After letters of Latin, most of what punctuation and white space is made of stays as it is. */
static void add_strange(UChar32 c) {
    const UChar32 unit = c > 0xFFFF ? U16_LEAD(c) : c;
    const kind k = kind_of(c);
    const bool is_other = k == SPACE || k == LINE_END || k == PILCROW || k == QUOTE || c == '\'' ||
                          c == QUOTE_RIGHT || c == 0x2010 || c == 0x2011;
    strange_units[is_other][unit >> 6] |= (uint64_t)1 << (unit & 63);
}

static void fill_strange(void) {
    static const UChar *const lists[] = {apostrophes, quotes, hyphens, others};
    static const UProperty properties[] = {UCHAR_DEFAULT_IGNORABLE_CODE_POINT, UCHAR_WHITE_SPACE};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const UChar *c = lists[i]; *c; c++) add_strange(*c);
    for (size_t i = 0; i < 2; i++) {
        UErrorCode code = U_ZERO_ERROR;
        const USet *set = u_getBinaryPropertySet(properties[i], &code);
        UChar32 first, last;
        for (int32_t r = 0; U_SUCCESS(code) && r < uset_getItemCount(set); r++)
            if (uset_getItem(set, r, &first, &last, NULL, 0, &code) == 0)
                for (UChar32 c = first; c <= last; c++) add_strange(c);
    }
}

/* ---- Letters --------------------------------------------------------------------------------- */

static bool is_letter(UChar32 c) {
    return c >= 0 && (u_isalpha(c) || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0);
}

/* Whether UAX #29 ignores a character inside words. */
static bool is_format(UChar32 c) {
    return u_getIntPropertyValue(c, UCHAR_WORD_BREAK) == U_WB_FORMAT;
}

static bool is_ordinary_letter(UChar32 c) { return is_letter(c) && kind_of(c) == ORDINARY; }

static bool is_hebrew(UChar32 c) { return c >= 0x5D0 && c <= 0x5F2; }

static bool is_hangul(UChar32 c) {
    return (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x1100 && c <= 0x11FF);
}

/* But for rho, which has breathings. */
static bool is_consonant_of_greek(UChar32 c) {
    return holds(u"\u03B2\u03B3\u03B4\u03B6\u03B8\u03BA\u03BB\u03BC\u03BD\u03BE\u03C0\u03C2\u03C3"
                 u"\u03C4\u03C6\u03C7\u03C8",
                 u_tolower(c));
}

/* Scripts in which words are not separated by spaces: dictionaries find them. */
typedef enum dense { SPACED, CHINESE, THAI } dense;

static dense dense_of(UChar32 c) {
    if (c < 0xE00) return SPACED;
    if (u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT) return THAI;
    UErrorCode code = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(c, &code);
    const bool is_chinese = u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC) || c == 0x30FC ||
                            c == 0xFF70 || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
    return is_chinese ? CHINESE : SPACED;
}

/* ---- Rewriting ------------------------------------------------------------------------------- */

/* The state of rewriting a run. */
typedef struct plain {
    trib_tokenizer *t;
    UChar *unit;
    uint32_t *place;
    int32_t from, n; /* unit[from..n) has not been read */
    int32_t to;      /* unit[0..to) has been rewritten */
} plain;

/* The character before the place of writing, or -1. */
static UChar32 before(const plain *p) {
    int32_t at = p->to;
    return at > 0 ? utf16_previous(p->unit, 0, &at) : U_SENTINEL;
}

/* The letter before the place of writing, without the marks on it, or -1. */
static UChar32 letter_before(const plain *p) {
    UChar32 c = U_SENTINEL;
    for (int32_t at = p->to; at > 0;) {
        c = utf16_previous(p->unit, 0, &at);
        if (!(U_GET_GC_MASK(c) & U_GC_M_MASK)) break;
    }
    return c;
}

/* The next character that is seen, from unit[*at] on, or -1; *at is its place. */
static UChar32 seen(const plain *p, int32_t *at) {
    for (int32_t next = *at; *at < p->n; *at = next) {
        const UChar32 c = utf16_next(p->unit, &next, p->n);
        const kind k = kind_of(c);
        if (k != UNSEEN && k != ZERO_SPACE && c != SOFT_HYPHEN) return c;
    }
    return U_SENTINEL;
}

/* Writes a character in the place of unit[from..next). */
static void put(plain *p, UChar c, int32_t next) {
    p->unit[p->to] = c;
    p->place[p->to++] = p->place[p->from];
    p->from = next;
}

static void copy(plain *p, int32_t next) {
    while (p->from < next) put(p, p->unit[p->from], p->from + 1);
}

/* White space, with unseen characters in it. */
typedef struct gap {
    int32_t end;
    unsigned n_lines;       /* line ends */
    bool begins_with_space; /* before the first line end */
    bool has_border;        /* of columns, or a pilcrow */
    bool is_indented;       /* a wide space at the begin of a line begins a paragraph */
    bool has_zero_space;
} gap;

static gap read_gap(const plain *p, int32_t at) {
    gap g = {.end = at};
    bool was_return = false;
    bool has_page = false;
    const int32_t last = p->n - at > MAX_GAP ? at + MAX_GAP : p->n;
    for (; g.end < last; g.end = at) {
        const UChar32 c = utf16_next(p->unit, &at, p->n);
        const kind k = kind_of(c);
        has_page = has_page || c == '\f';
        if (k == LINE_END) g.n_lines += c == PARAGRAPH ? 2 : !(was_return && c == '\n');
        else if (k == ZERO_SPACE) g.has_zero_space = true;
        else if (k == SPACE) {
            g.begins_with_space = g.begins_with_space || g.n_lines == 0;
            g.has_border = g.has_border || c == '\t';
            g.is_indented = g.is_indented || (c == WIDE_SPACE && g.n_lines > 0);
        } else if (k == PILCROW) g.has_border = true;
        else if (k != UNSEEN && c != SOFT_HYPHEN) break;
        if (k != UNSEEN && k != ZERO_SPACE && c != SOFT_HYPHEN) was_return = c == '\r';
    }
    if (has_page && g.n_lines <= 2) g.n_lines = 1; /* a page ends no paragraph */
    return g;
}

/* White space between two letters of a script without spaces is left out. In Chinese and Japanese
 * all of it is, within a paragraph and not between columns; in the others, only a line end, for
 * spaces separate phrases. */
static void take_gap(plain *p, int32_t next) {
    const dense left = dense_of(before(p));
    if (left == SPACED) {
        copy(p, next);
        return;
    }
    const gap g = read_gap(p, p->from);
    int32_t at = g.end;
    const dense right = dense_of(seen(p, &at));
    const bool is_line = g.n_lines == 1 && !g.is_indented;
    const bool is_joined = left == CHINESE ? is_line || (g.n_lines == 0 && !g.has_border)
                                           : is_line && !g.begins_with_space && !g.has_zero_space;
    if (left != right || !is_joined) {
        copy(p, next);
        return;
    }
    p->t->counts.n_joined++;
    p->from = g.end;
}

/* A hyphen that is written only where a word is divided. */
static void take_divider(plain *p, UChar32 c, int32_t next) {
    const UChar32 left = before(p);
    const gap g = read_gap(p, next);
    int32_t end = g.end, after = end;
    UChar32 right = seen(p, &end);
    if (c == OBLIQUE_HYPHEN && right == c)
        after = ++end, right = seen(p, &end); /* printers repeat it */
    const bool can_be_one =
        is_letter(left) && is_ordinary_letter(right) &&
        (c == SOFT_HYPHEN || c == NOT_SIGN || !u_isupper(right) || u_isupper(left));
    if (g.n_lines == 1 && can_be_one) {
        p->t->counts.n_joined++;
        p->from = after;
    } else if (c == SOFT_HYPHEN) {
        p->t->counts.n_unseen++;
        p->from = next;
    } else if (c == NOT_SIGN) copy(p, next);
    else put(p, 0x2010, next);
}

/* Khanda ta of Bengali and the chillus of Malayalam: once a consonant, a virama and a joiner. */
static const UChar joined[] =
    u"\u09A4\u09CE\u0D15\u0D7F\u0D23\u0D7A\u0D28\u0D7B\u0D2E\u0D54\u0D2F\u0D55"
    u"\u0D30\u0D7C\u0D32\u0D7D\u0D33\u0D7E\u0D34\u0D56";

static void take_unseen(plain *p, UChar32 c, int32_t next) {
    const UChar virama = p->to > 1 ? p->unit[p->to - 1] : 0;
    const UChar *of =
        virama == 0x9CD || virama == 0xD4D ? u_strchr(joined, p->unit[p->to - 2]) : NULL;
    if (c == JOINER && of && (of - joined) % 2 == 0) p->unit[--p->to - 1] = of[1];
    p->t->counts.n_unseen += c != TRIB_MARKUP && c != 0x61C && (c != 0xFEFF || p->from > 0);
    p->from = next;
}

/* An apostrophe, or a single quotation mark, which no word holds at its ends. */
static void take_apostrophe(plain *p, UChar32 c, int32_t next) {
    const UChar32 left = letter_before(p);
    int32_t at = next;
    const UChar32 right = seen(p, &at);
    int32_t after = at + 1;
    if (is_hebrew(left) && kind_of(right) == APOSTROPHE && is_hebrew(seen(p, &after))) {
        p->t->counts.n_apostrophes++; /* two of them are a gershayim */
        put(p, '"', at + 1);
    } else if (u_isdigit(left) && u_isdigit(right)) copy(p, next);
    else if (is_hangul(left) && is_hangul(right)) put(p, 0x201D, next); /* they quote there */
    else {
        p->t->counts.n_apostrophes +=
            c != '\'' && c != QUOTE_RIGHT && is_letter(left) && is_letter(right);
        put(p, QUOTE_RIGHT, next);
    }
}

/* A double quotation mark between two letters of Hebrew is a gershayim, unless another follows at
 * the end of the word. */
static void take_quote(plain *p, UChar32 c, int32_t next) {
    int32_t at = next;
    if (!is_hebrew(letter_before(p)) || !is_hebrew(seen(p, &at))) {
        copy(p, next);
        return;
    }
    UChar32 right = 'a';
    for (at = next; is_letter(right);) {
        right = seen(p, &at);
        if (is_letter(right)) (void)utf16_next(p->unit, &at, p->n);
    }
    const bool is_quote = kind_of(right) == QUOTE;
    p->t->counts.n_apostrophes += !is_quote && c != '"';
    put(p, is_quote ? 0x201D : '"', next);
}

/* Whether a smooth breathing is an apostrophe: after a consonant, and after rho at the end of a
 * longer word. */
static bool is_koronis(const plain *p, UChar32 c, int32_t next) {
    int32_t at = p->to;
    const UChar32 left = at > 0 ? utf16_previous(p->unit, 0, &at) : U_SENTINEL;
    const UChar32 first = at > 0 ? utf16_previous(p->unit, 0, &at) : U_SENTINEL;
    if (c != RHO_PSILI && left != RHO) return is_consonant_of_greek(left);
    return is_letter(c == RHO_PSILI ? left : first) && !is_letter(seen(p, &next));
}

static void take_strange(plain *p, UChar32 c, int32_t next) {
    const bool keeps = p->t->options.apostrophes == TRIB_APOSTROPHES_KEEP;
    int32_t at = next;
    const kind k = kind_of(c);
    if (p->t->options.equivalence == TRIB_EQUIVALENCE_NONE) {
        if (is_format(c)) p->from = next;
        else copy(p, next);
    } else if (k == SPACE || k == LINE_END || k == PILCROW) take_gap(p, next);
    else if (k == UNSEEN) take_unseen(p, c, next);
    else if (k == DIVIDER) take_divider(p, c, next);
    else if (k == APOSTROPHE && !keeps) take_apostrophe(p, c, next);
    else if (k == QUOTE && !keeps) take_quote(p, c, next);
    else if (k == MIDDLE_DOT) put(p, 0xB7, next);
    else if (k == KORONIS && !keeps && is_koronis(p, c, next)) {
        p->t->counts.n_apostrophes++;
        if (c == RHO_PSILI) put(p, RHO, next);
        else if (is_ordinary_letter(seen(p, &at))) put(p, QUOTE_RIGHT, next);
        else p->from = next;
    } else if (k == HYPHEN) {
        p->t->counts.n_hyphens += c > 0x2011 && is_letter(before(p)) && is_letter(seen(p, &at));
        put(p, 0x2010, next);
    } else if (k == ZERO_SPACE && dense_of(before(p)) != THAI && dense_of(seen(p, &at)) != THAI) {
        p->t->counts.n_unseen++;
        p->from = next;
    } else copy(p, next);
}

/* The end of the units from unit[p->from] on that stay as they are. */
static int32_t ordinary_end(const plain *p) {
    const uint64_t *const strange = strange_units[0], *const other = strange_units[1];
    int32_t i = p->from;
    for (UChar left = p->to > 0 ? p->unit[p->to - 1] : 0; i < p->n; left = p->unit[i++]) {
        const UChar c = p->unit[i];
        if (strange[c >> 6] >> (c & 63) & 1) break;
        if (left >= 0x300 && other[c >> 6] >> (c & 63) & 1 && (c != ' ' || left >= 0xE00)) break;
    }
    return i;
}

void trib_plain_run(trib_tokenizer *t) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, fill_strange);
    plain p = {.t = t, .unit = t->run.at, .place = t->place, .n = t->run.length};
    for (;;) {
        const int32_t n = ordinary_end(&p) - p.from;
        if (p.to < p.from) {
            memmove(p.unit + p.to, p.unit + p.from, (size_t)n * sizeof *p.unit);
            memmove(p.place + p.to, p.place + p.from, (size_t)n * sizeof *p.place);
        }
        p.to += n;
        p.from += n;
        if (p.from == p.n) break;
        int32_t next = p.from;
        const UChar32 c = utf16_next(p.unit, &next, p.n);
        take_strange(&p, c, next);
    }
    p.place[p.to] = p.place[p.n];
    t->run.length = p.to;
}

/* ---- Where a text may be cut ----------------------------------------------------------------- */

/* The character before text[*at], which moves to its begin. */
static UChar32 utf8_before(const char *text, size_t *at) {
    size_t end = *at, from = --*at;
    while (from > 0 && end - from < 4 && ((unsigned char)text[from] & 0xC0) == 0x80) from--;
    size_t next = from;
    const int32_t c = utf8_next(text, &next, end);
    if (c < 0 || next != end) return U_SENTINEL;
    *at = from;
    return c;
}

bool trib_plain_goes_on(const trib_tokenizer *t, size_t at) {
    const char *const text = t->in.text;
    const size_t first = at > 3 * MAX_GAP ? at - 3 * MAX_GAP : 0; /* no gap begins before */
    const bool is_space = text[at] == ' '; /* at the end of the text there is a NUL */
    size_t next = at + 1;
    unsigned n_lines = 0;
    bool was_feed = false, has_page = false;
    while (at > first) {
        const UChar32 c = utf8_before(text, &at);
        const kind k = c == '_' ? UNSEEN : kind_of(c);
        if (k == LINE_END) n_lines += c == PARAGRAPH ? 2 : !(was_feed && c == '\r');
        else if (n_lines == 2 && !has_page && k != SPACE && k != UNSEEN && k != ZERO_SPACE)
            return false;
        else if (k == DIVIDER) return true;
        else if (k != SPACE && k != PILCROW && k != UNSEEN && k != ZERO_SPACE) {
            const dense d = dense_of(c);
            if (d != THAI || !is_space || n_lines > 0) return d != SPACED;
            return next >= t->in.length || dense_of(utf8_next(text, &next, t->in.length)) != THAI;
        }
        has_page = has_page || c == '\f';
        if (n_lines > 2) return false;
        if (k != UNSEEN && k != ZERO_SPACE) was_feed = c == '\n';
    }
    return false;
}
