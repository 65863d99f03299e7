/* segment.c - splits text into words with ICU: UAX #29, with dictionaries for Chinese, Japanese,
 * Thai, Khmer, Lao and Burmese; writes each as the options want, and hands it out. */
#include "tokenizer/token.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

enum { RIGHT_QUOTE = 0x2019 };

/* Part of the run: one of ICU's segments, or several that hyphens join. */
typedef struct span {
    int32_t begin, end;
} span;

static bool has_letter(const UChar *run, span s) {
    while (s.begin < s.end) {
        const UChar32 c = utf16_next(run, &s.begin, s.end);
        if (u_isUAlphabetic(c)) return true;
    }
    return false;
}

static bool is_apostrophe(UChar32 c) { return c == '\'' || c == RIGHT_QUOTE; }

static bool is_hyphen(UChar32 c) { return c == '-' || c == 0x2010 || c == 0x2011; }

/* ---- Spelling ------------------------------------------------------------------------------ */

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
static trib_status spell(trib_tokenizer *t, int32_t begin, int32_t end, size_t *length,
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

/* ---- Sentences ------------------------------------------------------------------------------- */

/* In UAX #29 a newline ends a sentence. Here lines may end inside a sentence, so every line end
 * that does not end a paragraph is treated as a space. */
static trib_status open_sentences(trib_tokenizer *t, trib_error *error) {
    const int32_t n = t->run.length;
    trib_status status = trib_units_reserve(&t->flat, (size_t)n, error);
    if (status != TRIB_OK) return status;
    if (n > 0) memcpy(t->flat.at, t->run.at, (size_t)n * sizeof *t->run.at);
    t->flat.length = n;
    for (int32_t i = 0; i < n;) {
        uint32_t n_newlines = 0;
        const int32_t begin = i;
        for (; i < n && u_isUWhiteSpace(t->run.at[i]); i++) {
            const UChar c = t->run.at[i];
            const bool second = c == '\n' && i > begin && t->run.at[i - 1] == '\r';
            n_newlines += !second && (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028);
        }
        if (n_newlines == 1)
            for (int32_t j = begin; j < i; j++)
                if (t->flat.at[j] != 0x2029) t->flat.at[j] = ' ';
        if (i == begin) i++;
    }
    UErrorCode code = U_ZERO_ERROR;
    ubrk_setText(t->sentences, t->flat.at, n, &code);
    t->sentence = U_SUCCESS(code) ? ubrk_first(t->sentences) : UBRK_DONE;
    return trib_icu_status(code, "finding sentences", error);
}

/* Records whether a sentence begins between the last word and this one. A boundary inside a word is
 * ignored. */
static void pass_sentences(trib_tokenizer *t, span s) {
    while (t->sentence != UBRK_DONE && t->sentence < s.end) {
        if (t->sentence > 0 && t->sentence <= s.begin) t->broken = true;
        t->sentence = ubrk_next(t->sentences);
    }
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* The state of reading a run. */
typedef struct reading {
    trib_tokenizer *t;
    size_t from;        /* start of the run in the waiting text */
    size_t last;        /* end of the last word in the waiting text */
    span word;          /* pending, because it may continue after a hyphen; empty: none */
    int32_t hyphen_end; /* end of a hyphen directly after the pending word, or 0 */
} reading;

/* The end in the waiting text of a span of the run. Of what was left out after it, marks belong to
 * its last letter. */
static size_t end_in_text(const reading *r, int32_t end) {
    const char *const text = r->t->in.text;
    const size_t limit = r->from + r->t->place[end];
    size_t at = r->from + r->t->place[end - 1];
    if (at + 1 == limit) return limit;
    (void)utf8_next(text, &at, limit);
    for (size_t next = at; next < limit;) {
        const int32_t c = utf8_next(text, &next, limit);
        const bool is_mark = c == 0x200C || c == 0x200D || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
        if (is_mark) at = next;
    }
    return at;
}

/* Emits a span. */
static trib_status emit_span(reading *r, span s, trib_error *error) {
    trib_tokenizer *const t = r->t;
    const UChar *const run = t->run.at;
    size_t length = 0;
    trib_status status = spell(t, s.begin, s.end, &length, error);
    if (status != TRIB_OK || length == 0) return status;
    const size_t from = r->from + t->place[s.begin], to = end_in_text(r, s.end);
    if (t->options.break_at_paragraph || t->sentences)
        trib_token_pass(t, r->last, from), pass_word(t);
    if (t->sentences) pass_sentences(t, s);
    r->last = to;
    return has_letter(run, s) ? trib_token_emit(t, t->word, length, from, to, error)
                              : trib_token_emit_number(t, t->word, length, from, to, error);
}

/* Emits the pending word, in parts when apostrophes separate words. */
static trib_status emit_word(reading *r, trib_error *error) {
    span s = r->word;
    r->word = (span){0, 0};
    r->hyphen_end = 0;
    if (s.begin == s.end) return TRIB_OK;
    if (r->t->options.apostrophes != TRIB_APOSTROPHES_SPLIT) return emit_span(r, s, error);
    trib_status status = TRIB_OK;
    span part = {s.begin, s.begin};
    for (; part.end <= s.end && status == TRIB_OK; part.end++) {
        if (part.end < s.end && !is_apostrophe(r->t->run.at[part.end])) continue;
        if (part.begin < part.end) status = emit_span(r, part, error);
        part.begin = part.end + 1;
    }
    return status;
}

/* Processes one more segment of the run. A control character followed by a vowel sign is a word
 * without the control character. */
static trib_status take(reading *r, span s, int32_t rule, trib_error *error) {
    const trib_tokenizer *const t = r->t;
    if (s.end - s.begin > 1 && u_iscntrl(t->run.at[s.begin])) s.begin++;
    const bool is_word = rule >= UBRK_WORD_NUMBER || has_letter(t->run.at, s);
    trib_status status = TRIB_OK;
    if (is_word && r->hyphen_end == s.begin && r->hyphen_end > 0) {
        r->word.end = s.end;
        r->hyphen_end = 0;
    } else if (is_word) {
        status = emit_word(r, error);
        r->word = s;
    } else if (t->options.hyphens != TRIB_HYPHENS_SPLIT && r->word.begin < r->word.end &&
               r->hyphen_end == 0 && s.end == s.begin + 1 && is_hyphen(t->run.at[s.begin])) {
        r->hyphen_end = s.end;
    } else {
        status = emit_word(r, error);
    }
    return status;
}

trib_status trib_segment_run(trib_tokenizer *t, size_t from, size_t to, trib_error *error) {
    reading r = {.t = t, .from = from, .last = from};
    trib_status status =
        trib_decoder_utf16(&t->in, from, to, &t->run, &t->place, &t->place_cap, error);
    if (status == TRIB_OK) trib_plain_run(t);
    if (status == TRIB_OK && t->sentences) status = open_sentences(t, error);
    if (status != TRIB_OK) return status;
    UErrorCode code = U_ZERO_ERROR;
    ubrk_setText(t->words, t->run.at, t->run.length, &code);
    span s = {0, 0};
    status = trib_icu_status(code, "finding words", error);
    if (status == TRIB_OK) ubrk_first(t->words);
    while (status == TRIB_OK && (s.end = ubrk_next(t->words)) != UBRK_DONE) {
        status = take(&r, s, ubrk_getRuleStatus(t->words), error);
        s.begin = s.end;
    }
    if (status == TRIB_OK) status = emit_word(&r, error);
    if (status == TRIB_OK && (t->options.break_at_paragraph || t->sentences))
        trib_token_pass(t, r.last, to);
    return status;
}
