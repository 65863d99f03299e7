/* ascii.c - the words of ASCII lines, with ICU's boundaries and without ICU.
 *
 * In ASCII, UAX #29 comes down to runs of letters and digits, joined across one character where the rules allow it
 * between two letters (WB6, WB7) or two digits (WB11, WB12). Which characters are which is asked of the iterator itself
 * when the tokeniser opens, so that tailorings hold here too (in Finnish a colon joins letters, and @ is one). */
#include "tokenizer/token.h"

#include <string.h>

/* Whether the iterator sees no boundary within `text`; *rule receives the status of its first segment. */
static bool is_one_segment(UBreakIterator *words, const UChar *text, int32_t length, int32_t *rule,
                           UErrorCode *code) {
    ubrk_setText(words, text, length, code);
    if (U_FAILURE(*code)) return false;
    ubrk_first(words);
    const bool is_one = ubrk_next(words) == length;
    *rule = ubrk_getRuleStatus(words);
    return is_one;
}

trib_status ascii_open(trib_tokenizer *t, trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    for (UChar c = 0; c < 128; c++) {
        const bool is_upper = c >= 'A' && c <= 'Z', is_lower = c >= 'a' && c <= 'z';
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
        if (is_upper || is_lower) class |= ASCII_ALPHABETIC;
        t->ascii[c] = (uint8_t) class;
        t->lower[c] = (char)(fold && is_upper ? c + 'a' - 'A' : c);
    }
    if (t->options.apostrophes == TRIB_APOSTROPHES_SPLIT) t->ascii['\''] = 0;
    if (t->options.hyphens != TRIB_HYPHENS_SPLIT) t->ascii['-'] |= ASCII_HYPHEN;
    return icu_status(code, "reading the word rules", error);
}

/* A run ends behind a newline, before a space, or at the NUL behind the text: none of them is part of a word, so a word
 * cannot leave the run and its loops need no other end. */
trib_status ascii_run(trib_tokenizer *t, size_t from, size_t to, trib_error *error) {
    const unsigned char *const text = (const unsigned char *)t->in.text;
    const uint8_t *const class = t->ascii;
    const bool drop_hyphens = t->options.hyphens == TRIB_HYPHENS_JOIN;
    const bool breaks = t->options.break_at_paragraph;
    trib_status status = trib_grow(&t->word, &t->word_cap, to - from + 1, 1, "a word", error);
    char *const word = t->word;
    size_t i = from, last = from;
    while (status == TRIB_OK) {
        while (i < to && !(class[text[i]] & ASCII_WORD)) i++;
        if (i == to) break;
        const size_t start = i;
        size_t length = 0;
        unsigned seen = 0;
        for (;;) {
            do {
                seen |= class[text[i]];
                word[length++] = t->lower[text[i++]];
            } while (class[text[i]] & ASCII_WORD);
            const unsigned joint = class[text[i]];
            if (joint == 0) break;
            const unsigned left = class[text[i - 1]], right = class[text[i + 1]];
            if (joint & ASCII_HYPHEN && right & ASCII_WORD) {
                if (!drop_hyphens) word[length++] = '-';
            } else if (joint >> 2 & left & right & ASCII_WORD) {
                word[length++] = (char)text[i];
            } else {
                break;
            }
            i++;
        }
        word[length] = '\0';
        if (breaks) pass(t, last, start), pass_word(t), last = i;
        status = seen & ASCII_ALPHABETIC ? give(t, word, length, start, i, error)
                                         : give_number(t, word, length, start, i, error);
    }
    if (breaks) pass(t, last, to);
    return status;
}
