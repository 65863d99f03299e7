/* segment.c - splits text into words with ICU: UAX #29, with dictionaries for Chinese, Japanese,
 * Thai, Khmer, Lao and Burmese. */
#include "tokenizer/token.h"

#include <string.h>
#include <unicode/uchar.h>

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

static bool is_apostrophe(UChar c) { return c == '\'' || c == 0x2019; }

static bool is_hyphen_segment(const UChar *run, span s) {
    return s.end == s.begin + 1 &&
           (run[s.begin] == '-' || run[s.begin] == 0x2010 || run[s.begin] == 0x2011);
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
    trib_status status = trib_spell(t, s.begin, s.end, &length, error);
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
               r->hyphen_end == 0 && is_hyphen_segment(t->run.at, s)) {
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
