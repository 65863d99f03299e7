/* spell.c - the written form of a word as UTF-8: its apostrophes, hyphens, normalization form and
 * case. It goes to the function of the caller, with the break before it. */
#include "tokenizer/token.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

enum { RIGHT_QUOTE = 0x2019 };

static bool is_hyphen(UChar32 c) { return c == '-' || c == 0x2010 || c == 0x2011; }

static bool is_apostrophe(UChar32 c) { return c == '\'' || c == RIGHT_QUOTE; }

/* Handles most words of most texts: ASCII, perhaps with a curly apostrophe.
 * Returns false for any other word. */
static bool spell_plainly(trib_tokenizer *t, int32_t begin, int32_t end, size_t *length) {
    const bool straight = t->options.apostrophes == TRIB_APOSTROPHES_STRAIGHT;
    const bool drop_apostrophes = t->options.apostrophes == TRIB_APOSTROPHES_JOIN;
    const bool drop_hyphens = t->options.hyphens == TRIB_HYPHENS_JOIN;
    size_t n = 0;
    for (int32_t i = begin; i < end; i++) {
        const UChar c = t->run.at[i];
        if (c == '-' && drop_hyphens) continue;
        if (drop_apostrophes && is_apostrophe(c)) continue;
        if (c == 'I' && t->dotless) return false;
        if (c < 0x80) t->word[n++] = t->lower[c];
        else if (c == RIGHT_QUOTE && straight) t->word[n++] = '\'';
        else return false;
    }
    t->word[n] = '\0';
    *length = n;
    return true;
}

static trib_status copy_letters(trib_tokenizer *t, int32_t begin, int32_t end, trib_error *error) {
    const UChar *const run = t->run.at;
    trib_status status = trib_units_reserve(&t->raw, (size_t)(end - begin), error);
    int32_t n = 0;
    for (int32_t i = begin; i < end && status == TRIB_OK;) {
        UChar32 c = utf16_next(run, &i, end);
        if (is_hyphen(c)) {
            if (t->options.hyphens == TRIB_HYPHENS_JOIN) continue;
            c = '-';
        }
        if (is_apostrophe(c)) {
            if (t->options.apostrophes == TRIB_APOSTROPHES_JOIN) continue;
            if (t->options.apostrophes == TRIB_APOSTROPHES_STRAIGHT) c = '\'';
        }
        if (c > 0xFFFF) t->raw.at[n++] = U16_LEAD(c), c = U16_TRAIL(c);
        t->raw.at[n++] = (UChar)c;
    }
    t->raw.length = n;
    return status;
}

/* Text below U+0300 is always in NFC, but not always in NFKC. */
static bool is_normalized(const trib_tokenizer *t, UErrorCode *code) {
    if (!t->form) return true;
    int32_t i = 0;
    if (t->options.normalize == TRIB_NORMALIZE_NFC)
        while (i < t->raw.length && t->raw.at[i] < 0x300) i++;
    return i == t->raw.length ||
           unorm2_quickCheck(t->form, t->raw.at, t->raw.length, code) == UNORM_YES;
}

/* Rewrites raw in the normalization form, or with its case folded: full folding, sharp s becomes
 * ss. */
static trib_status rewrite(trib_tokenizer *t, bool folds, const char *what, trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    const uint32_t option = t->dotless ? U_FOLD_CASE_EXCLUDE_SPECIAL_I : U_FOLD_CASE_DEFAULT;
    const units raw = t->raw;
    trib_status status = TRIB_OK;
    if (!folds && is_normalized(t, &code)) return trib_icu_status(code, what, error);
    do {
        code = U_ZERO_ERROR;
        const int32_t cap = (int32_t)t->folded.cap;
        t->folded.length =
            folds ? u_strFoldCase(t->folded.at, cap, raw.at, raw.length, option, &code)
                  : unorm2_normalize(t->form, raw.at, raw.length, t->folded.at, cap, &code);
        if (code == U_BUFFER_OVERFLOW_ERROR)
            status = trib_units_reserve(&t->folded, (size_t)t->folded.length, error);
    } while (status == TRIB_OK && code == U_BUFFER_OVERFLOW_ERROR);
    if (status == TRIB_OK) status = trib_icu_status(code, what, error);
    if (status == TRIB_OK) t->raw = t->folded, t->folded = raw;
    return status;
}

static trib_status normalize(trib_tokenizer *t, trib_error *error) {
    return rewrite(t, false, "normalising", error);
}

/* Case folding comes between two normalizations, because folding neither preserves a normalization
 * form nor is independent of it (Unicode, section 3.13, canonical caseless matching). */
trib_status trib_spell(trib_tokenizer *t, int32_t begin, int32_t end, size_t *length,
                       trib_error *error) {
    trib_status status =
        trib_grow(&t->word, &t->word_cap, (size_t)(end - begin) + 1, 1, "a word", error);
    if (status != TRIB_OK || spell_plainly(t, begin, end, length)) return status;
    status = copy_letters(t, begin, end, error);
    if (status == TRIB_OK) status = normalize(t, error);
    if (status == TRIB_OK && t->options.letter_case == TRIB_CASE_FOLD) {
        status = rewrite(t, true, "case folding", error);
        if (status == TRIB_OK) status = normalize(t, error);
    }
    if (status == TRIB_OK)
        status =
            trib_grow(&t->word, &t->word_cap, 3 * (size_t)t->raw.length + 1, 1, "a word", error);
    if (status != TRIB_OK) return status;
    UErrorCode code = U_ZERO_ERROR;
    int32_t n = 0;
    u_strToUTF8(t->word, (int32_t)t->word_cap, &n, t->raw.at, t->raw.length, &code);
    *length = (size_t)n;
    return trib_icu_status(code, "writing a word as UTF-8", error);
}

/* ---- Handing words out ----------------------------------------------------------------------- */

trib_status trib_token_emit(trib_tokenizer *t, const char *text, size_t length, size_t from,
                            size_t to, trib_error *error) {
    const uint64_t offset = trib_decoder_place(&t->in, from);
    const trib_token token = {.text = text,
                              .length = length,
                              .offset = offset,
                              .n_bytes = (uint32_t)(trib_decoder_place(&t->in, to) - offset),
                              .after_break = t->broken && t->counts.n_words > 0};
    t->broken = false;
    t->counts.n_words++;
    return t->sink(t->context, &token, error);
}

trib_status trib_token_emit_number(trib_tokenizer *t, const char *text, size_t length, size_t from,
                                   size_t to, trib_error *error) {
    static const char class[] = "<number>";
    if (t->options.numbers == TRIB_NUMBERS_KEEP)
        return trib_token_emit(t, text, length, from, to, error);
    if (t->options.numbers == TRIB_NUMBERS_CLASS)
        return trib_token_emit(t, class, sizeof class - 1, from, to, error);
    t->counts.n_dropped_numbers++;
    return TRIB_OK;
}

/* A paragraph ends at U+2029 or at an empty line, that is, two line ends with only white space
 * between them. A form feed counts as white space, because a page can end inside a paragraph. */
void trib_token_pass(trib_tokenizer *t, size_t from, size_t to) {
    const char *const text = t->in.text;
    while (from < to) {
        const int32_t c = utf8_next(text, &from, to);
        if (c == '\n' && t->after_return) {
            t->after_return = false;
            continue;
        }
        t->after_return = c == '\r';
        if (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028) t->n_newlines++;
        else if (c == 0x2029) t->n_newlines += 2;
        else if (c < 0 || !u_isUWhiteSpace(c)) t->n_newlines = 0;
        if (t->n_newlines >= 2) t->broken = true;
    }
}
