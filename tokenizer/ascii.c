/* ascii.c - splits ASCII lines into words at ICU's boundaries, without calling ICU.
 *
 * In ASCII, the words of UAX #29 are runs of letters and digits, joined across one character where
 * the rules allow it between two letters (WB6, WB7) or two digits (WB11, WB12). When the tokeniser
 * opens, it asks ICU's iterator for the class of each character, so that the tailorings of a locale
 * apply here too (in Finnish a colon joins letters, and @ is a letter). */
#include "tokenizer/token.h"

/* Whether the iterator finds no boundary within `text`; *rule receives the status of its first
 * segment. */
static bool is_one_segment(UBreakIterator *words, const UChar *text, int32_t length, int32_t *rule,
                           UErrorCode *code) {
    ubrk_setText(words, text, length, code);
    if (U_FAILURE(*code)) return false;
    ubrk_first(words);
    const bool is_one = ubrk_next(words) == length;
    *rule = ubrk_getRuleStatus(words);
    return is_one;
}

trib_status trib_ascii_open(trib_tokenizer *t, trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    for (UChar c = 0; c < 128; c++) {
        const bool is_upper = c >= 'A' && c <= 'Z';
        const UChar of_letters[] = {'a', c, 'a'}, of_digits[] = {'0', c, '0'};
        const bool fold = t->options.letter_case == TRIB_CASE_FOLD;
        unsigned class = 0;
        int32_t rule = 0, ignored = 0;
        is_one_segment(t->words, &c, 1, &rule, &code);
        const bool joins_letters = is_one_segment(t->words, of_letters, 3, &ignored, &code);
        const bool joins_digits = is_one_segment(t->words, of_digits, 3, &ignored, &code);
        if (rule >= UBRK_WORD_LETTER) class = ASCII_LETTER;
        else if (rule >= UBRK_WORD_NUMBER) class = ASCII_DIGIT;
        else
            class = (joins_letters ? ASCII_JOINS_LETTERS : 0u) |
                    (joins_digits ? ASCII_JOINS_DIGITS : 0u);
        t->ascii[c] = (uint8_t) class;
        t->lower[c] = (char)(fold && is_upper ? c + 'a' - 'A' : c);
    }
    if (t->options.apostrophes == TRIB_APOSTROPHES_SPLIT) t->ascii['\''] = 0;
    if (t->options.apostrophes == TRIB_APOSTROPHES_JOIN) t->ascii['\''] |= ASCII_DROPPED;
    if (t->options.equivalence == TRIB_EQUIVALENCE_PLAIN &&
        t->options.apostrophes != TRIB_APOSTROPHES_KEEP && t->ascii['\''])
        t->ascii['`'] = (t->ascii['\''] & (ASCII_JOINS_LETTERS | ASCII_DROPPED)) | ASCII_GRAVE;
    if (t->options.hyphens != TRIB_HYPHENS_SPLIT) t->ascii['-'] |= ASCII_HYPHEN;
    if (t->options.hyphens == TRIB_HYPHENS_JOIN) t->ascii['-'] |= ASCII_DROPPED;
    return trib_icu_status(code, "reading the word rules", error);
}

/* ---- Eight bytes at a time ------------------------------------------------------------------- */

enum { STEP = 8 };
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define HIGH       EACH(0x80)

/* Loads eight characters, the first in the lowest byte. */
static inline uint64_t load(const unsigned char *text) {
    uint64_t eight;
    memcpy(&eight, text, sizeof eight);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight;
}

/* Sets the high bit of every byte in low..high. All bytes are below 0x80, so no sum carries into
 * the next byte. */
static inline uint64_t within(uint64_t eight, unsigned low, unsigned high) {
    return (eight + EACH(0x80 - low)) & ~(eight + EACH(0x7F - high)) & HIGH;
}

/* Counts how many of the next characters, up to eight, are a-z, A-Z or 0-9; *seen gets a bit when
 * one is a letter. Few words are longer than eight, so for most words no branch depends on their
 * length. */
static inline size_t count_word(const unsigned char *text, uint64_t *seen) {
    const uint64_t eight = load(text);
    const uint64_t letters = within(eight | EACH(0x20), 'a', 'z');
    const uint64_t others = ~(letters | within(eight, '0', '9')) & HIGH;
    *seen |= letters & (others - 1) &
             ~others; /* the bits before the first other character; all bits when there is none */
    return others ? (size_t)__builtin_ctzll(others) / 8 : STEP;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* Copies text[from..to) as its words are written, followed by STEP NULs. */
static trib_status copy_run(trib_tokenizer *t, size_t from, size_t to, trib_error *error) {
    const size_t length = to - from;
    trib_status status =
        trib_grow(&t->word, &t->word_cap, length + STEP, 1, "a run of words", error);
    if (status != TRIB_OK) return status;
    const unsigned char *const text = (const unsigned char *)t->in.text + from;
    unsigned char *const copy = (unsigned char *)t->word;
    const unsigned difference = t->options.letter_case == TRIB_CASE_FOLD ? 'a' - 'A' : 0;
    for (size_t i = 0; i < length; i++)
        copy[i] = (unsigned char)(text[i] + (text[i] >= 'A' && text[i] <= 'Z' ? difference : 0));
    memset(copy + length, 0, STEP);
    return TRIB_OK;
}

/* Removes the dropped characters from the n characters at `word` and writes graves as apostrophes.
 * Returns how many are left. */
static size_t write_joints(trib_tokenizer *t, char *word, size_t n) {
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned class = t->ascii[(unsigned char)word[i]];
        if (class & ASCII_GRAVE) t->counts.n_apostrophes++;
        if (!(class & ASCII_DROPPED)) word[left++] = (char)(class & ASCII_GRAVE ? '\'' : word[i]);
    }
    return left;
}

/* Emits the words from the copy. Each is terminated by a NUL over the character after it, which has
 * been examined by then. */
trib_status trib_ascii_run(trib_tokenizer *t, size_t from, size_t to, trib_error *error) {
    const uint8_t *const class = t->ascii;
    const bool breaks = t->options.break_at_paragraph;
    trib_status status = copy_run(t, from, to, error);
    if (status != TRIB_OK) return status;
    const unsigned char *const copy = (const unsigned char *)t->word;
    const size_t n = to - from;
    size_t i = 0, last = 0;
    while (status == TRIB_OK) {
        while (i < n && !(class[copy[i]] & ASCII_WORD)) i++;
        if (i == n) break;
        const size_t start = i;
        uint64_t seen = 0;
        unsigned changed = 0;
        for (;;) {
            size_t step = count_word(copy + i, &seen);
            i += step;
            if (step == STEP) continue;
            const unsigned joint = class[copy[i]];
            if (joint == 0) break;
            if (!(joint & ASCII_WORD)) { /* a tailoring that makes it no letter */
                const unsigned left = class[copy[i - 1]], right = class[copy[i + 1]];
                const bool hyphen = joint & ASCII_HYPHEN && right & ASCII_WORD;
                if (!hyphen && !(joint >> 2 & left & right & ASCII_WORD)) break;
                changed |= joint & (ASCII_DROPPED | ASCII_GRAVE);
            }
            i++;
        }
        char *const word = t->word + start;
        const size_t length = changed ? write_joints(t, word, i - start) : i - start;
        word[length] = '\0';
        if (breaks) trib_token_pass(t, from + last, from + start), pass_word(t), last = i;
        status = seen ? trib_token_emit(t, word, length, from + start, from + i, error)
                      : trib_token_emit_number(t, word, length, from + start, from + i, error);
    }
    if (breaks) trib_token_pass(t, from + last, to);
    return status;
}
