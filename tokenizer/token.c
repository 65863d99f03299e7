/* token.c - the tokeniser object: opens and closes it, and decides where the text may be cut. */
#include "tokenizer/token.h"

#include <assert.h>
#include <unicode/uchar.h>

enum {
    BLOCK = 1 << 16,     /* bytes to collect before words are read */
    MAX_LINES = 1 << 20, /* bytes of lines that go on in the next before one ends */
    MAX_UNCUT = 1 << 29  /* bytes that may wait without a place to cut */
};

/* ---- Opening and closing --------------------------------------------------------------------- */

static trib_status open_iterators(trib_tokenizer *t, trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    t->words = ubrk_open(UBRK_WORD, t->locale, NULL, 0, &code);
    if (U_SUCCESS(code) && t->options.break_at_sentence)
        t->sentences = ubrk_open(UBRK_SENTENCE, t->locale, NULL, 0, &code);
    if (U_SUCCESS(code) && t->options.normalize == TRIB_NORMALIZE_NFC)
        t->form = unorm2_getNFCInstance(&code);
    if (U_SUCCESS(code) && t->options.normalize == TRIB_NORMALIZE_NFKC)
        t->form = unorm2_getNFKCInstance(&code);
    return trib_icu_status(code, "opening word boundaries", error);
}

static bool is_dotless(const char *locale) {
    char language[ULOC_LANG_CAPACITY] = "";
    UErrorCode code = U_ZERO_ERROR;
    uloc_getLanguage(locale, language, ULOC_LANG_CAPACITY, &code);
    return strcmp(language, "tr") == 0 || strcmp(language, "az") == 0;
}

trib_status trib_tokenizer_open(trib_tokenizer **tokenizer, const trib_token_options *options,
                                trib_error *error) {
    *tokenizer = NULL;
    trib_tokenizer *t = NULL;
    trib_status status = TRIB_NEW(&t, 1, "a tokeniser", error);
    if (status != TRIB_OK) return status;
    t->options = *options;
    status = trib_check_locale(options->locale ? options->locale : "en", t->locale, error);
    if (status == TRIB_OK)
        status = trib_decoder_open(&t->in, options->encoding, options->on_invalid, error);
    if (status == TRIB_OK) status = open_iterators(t, error);
    if (status == TRIB_OK) {
        t->dotless = options->letter_case == TRIB_CASE_FOLD && is_dotless(t->locale);
        t->use_ascii = !t->sentences && !t->dotless;
        status = trib_ascii_open(t, error);
    }
    if (status == TRIB_OK) *tokenizer = t;
    else trib_tokenizer_close(t);
    return status;
}

void trib_tokenizer_close(trib_tokenizer *tokenizer) {
    trib_tokenizer *const t = tokenizer;
    if (!t) return;
    if (t->words) ubrk_close(t->words);
    if (t->sentences) ubrk_close(t->sentences);
    trib_decoder_close(&t->in);
    TRIB_FREE(t->run.at, t->place, t->flat.at, t->raw.at, t->folded.at, t->word, t);
}

/* ---- Cutting --------------------------------------------------------------------------------- */

/* Whether the waiting text may be cut before text[at], which begins a line or is a space: no word
 * goes on there. */
static bool is_cut(const trib_tokenizer *t, size_t at) {
    const unsigned char *const text = (const unsigned char *)t->in.text;
    if (t->options.equivalence == TRIB_EQUIVALENCE_NONE) return true;
    size_t end = at;
    for (int white = 0; white < 4 && end > 0 && text[end - 1] <= ' '; white++) end--;
    const unsigned before = end > 0 ? text[end - 1] : ' ';
    return (before < 0x80 && before > ' ' && before != '_') || !trib_plain_goes_on(t, at);
}

/* The last cut within the lines of text[from..to), or 0: before a space, or before a comma or full
 * stop of Chinese, of which no dictionary reads more than what is between two of them. */
static size_t cut_within(const trib_tokenizer *t, size_t from, size_t to) {
    const char *const text = t->in.text;
    for (size_t i = to; i > from + 1; i--) {
        const char *at = text + i - 1;
        if (*at == ' ' && is_cut(t, i - 1)) return i - 1;
        if (t->options.equivalence == TRIB_EQUIVALENCE_NONE || to - i < 2) continue;
        if (memcmp(at, "\xE3\x80\x81", 3) == 0 || memcmp(at, "\xE3\x80\x82", 3) == 0 ||
            memcmp(at, "\xEF\xBC\x8C", 3) == 0)
            return i - 1;
    }
    return 0;
}

/* Returns the last position where the waiting text may be cut, or 0. A word boundary of UAX #29
 * depends on the surrounding text: an apostrophe joins two letters, and a dictionary examines a
 * whole run of Thai. But a newline ends every word (WB3a, WB3b) and every dictionary run. So does a
 * space: no rule joins it to the text on its left, only to another space (WB3d) or marks (WB4) on
 * its right, and spaces are not words; words that go on across them are plain.c's. ICU finds
 * boundaries from left to right, each from the previous one alone, so the text after a cut does not
 * depend on the text before it. The cut is therefore after a newline or, in a very long line,
 * before a space; without either, the text waits for more input. Sentences continue across a
 * newline, so when they are wanted only an empty line is a cut. */
static size_t last_cut(const trib_tokenizer *t) {
    const char *const text = t->in.text;
    if (t->sentences) {
        for (size_t i = t->in.length; i > t->n_searched; i--) {
            if (text[i - 1] != '\n') continue;
            size_t before = i - 1;
            while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t' ||
                                  text[before - 1] == '\r'))
                before--;
            if (before > 0 && text[before - 1] == '\n') return i;
        }
        return 0;
    }
    for (size_t i = t->in.length; i > t->n_searched; i--)
        if (text[i - 1] == '\n' && is_cut(t, i)) return i;
    const size_t cut = cut_within(t, t->n_searched, t->in.length);
    if (cut > 0 || t->in.length < MAX_LINES || t->options.equivalence == TRIB_EQUIVALENCE_NONE)
        return cut;
    const char *newline = memchr(text + MAX_LINES - 1, '\n', t->in.length - MAX_LINES + 1);
    return newline ? (size_t)(newline - text) + 1 : 0;
}

/* Whether the ASCII automaton can read text[from..to). */
static bool is_plain(const char *text, size_t from, size_t to) {
    unsigned strange = 0;
    for (size_t i = from; i < to; i++)
        strange |= ((unsigned char)text[i] & 0x80u) | (unsigned)(text[i] == '_');
    return strange == 0;
}

/* A line, with the lines on which it goes on. */
typedef struct line {
    size_t end;
    bool is_plain; /* the ASCII automaton can read it */
    bool is_last;  /* after too many lines, it ends where it should go on */
} line;

/* The line of text[..to) that begins at `from`. */
static line read_line(const trib_tokenizer *t, size_t from, size_t to) {
    const char *const text = t->in.text;
    line l = {.end = from};
    for (;;) {
        const size_t begin = l.end;
        const char *newline = memchr(text + begin, '\n', to - begin);
        l.end = newline ? (size_t)(newline - text) + 1 : to;
        if (begin == from) l.is_plain = is_plain(text, from, l.end);
        if (l.is_plain || l.end == to || is_cut(t, l.end)) return l;
        const size_t cut = cut_within(t, begin, l.end);
        if (cut > 0) from = cut;
        l.is_last = l.end - from >= MAX_LINES;
        if (l.is_last) return l;
    }
}

/* Reads the words of the first n waiting bytes, in groups of lines that are all ASCII or all
 * not. */
static trib_status read_words(trib_tokenizer *t, size_t n, trib_error *error) {
    trib_status status = TRIB_OK;
    if (n > MAX_UNCUT)
        return trib_fail(error, TRIB_INPUT,
                         "%s: more than 512 MiB from byte %llu on without %s; is this a text?",
                         t->in.name, (unsigned long long)trib_decoder_place(&t->in, 0),
                         t->sentences ? "an empty line" : "a newline or a space");
    if (!t->use_ascii) status = trib_segment_run(t, 0, n, error);
    size_t from = t->use_ascii ? 0 : n;
    line next = from < n ? read_line(t, from, n) : (line){.end = n};
    while (from < n && status == TRIB_OK) {
        line run = next;
        while (run.end < n) {
            next = read_line(t, run.end, n);
            if (run.is_last || next.is_plain != run.is_plain) break;
            run = next;
        }
        status = run.is_plain ? trib_ascii_run(t, from, run.end, error)
                              : trib_segment_run(t, from, run.end, error);
        from = run.end;
    }
    if (status == TRIB_OK) trib_decoder_drop(&t->in, n);
    return status;
}

static trib_status read_up_to_cut(trib_tokenizer *t, trib_error *error) {
    if (t->in.length < t->n_wanted || t->in.detect) return TRIB_OK;
    const size_t n = last_cut(t);
    trib_status status = TRIB_OK;
    if (n > 0) status = read_words(t, n, error);
    /* reports the error */
    else if (t->in.length > MAX_UNCUT) status = read_words(t, t->in.length, error);
    /* without a place to cut, wait until there is twice as much, so that the search stays linear */
    t->n_searched = n > 0 ? 0 : t->in.length;
    t->n_wanted = n > 0 ? BLOCK : 2 * t->in.length;
    return status;
}

/* ---- One document ---------------------------------------------------------------------------- */

void trib_tokenizer_begin(trib_tokenizer *tokenizer, const char *name, trib_token_sink sink,
                          void *context) {
    trib_tokenizer *const t = tokenizer;
    assert(sink);
    trib_decoder_begin(&t->in, name);
    t->sink = sink;
    t->context = context;
    t->n_searched = 0;
    t->n_wanted = BLOCK;
    t->failed = TRIB_OK;
    t->counts = (trib_token_counts){0};
    t->broken = false;
    t->n_newlines = 0;
    t->after_return = false;
}

trib_status trib_tokenizer_feed(trib_tokenizer *tokenizer, const char *bytes, size_t n_bytes,
                                trib_error *error) {
    trib_tokenizer *const t = tokenizer;
    /* block by block, so that a whole file handed over at once is not copied as a whole */
    while (n_bytes > 0 && t->failed == TRIB_OK) {
        const size_t n = n_bytes < BLOCK ? n_bytes : BLOCK;
        t->failed = trib_decoder_feed(&t->in, bytes, n, error);
        if (t->failed == TRIB_OK) t->failed = read_up_to_cut(t, error);
        bytes += n;
        n_bytes -= n;
    }
    return t->failed;
}

trib_status trib_tokenizer_end(trib_tokenizer *tokenizer, trib_token_counts *counts,
                               trib_error *error) {
    trib_tokenizer *const t = tokenizer;
    if (t->failed == TRIB_OK) t->failed = trib_decoder_end(&t->in, error);
    if (t->failed == TRIB_OK) t->failed = read_words(t, t->in.length, error);
    t->counts.n_bytes = t->in.n_fed;
    t->counts.n_replaced = t->in.n_replaced;
    if (counts) *counts = t->counts;
    t->in.length = 0;
    return t->failed;
}

bool trib_tokenizer_is_misread(const trib_tokenizer *tokenizer) {
    const decoder *in = &tokenizer->in;
    return in->is_of_one_byte && !in->is_not_utf8 && in->n_to_come == 0 && in->n_utf8 > 0;
}

const char *trib_tokenizer_encoding(const trib_tokenizer *tokenizer) {
    const decoder *in = &tokenizer->in;
    if (in->detect) return *in->found ? in->found : "UTF-8";
    return tokenizer->options.encoding ? tokenizer->options.encoding : "UTF-8";
}
