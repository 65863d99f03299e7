/* ascii.c - tests of the automaton for ASCII lines. */
#include "tests/tokenizer/token.h"

#include <unicode/ubrk.h>

TESTS(tokenizer, ascii);

/* The words of ASCII text according to ICU alone, written with the same options. */
static void icu_words(UBreakIterator *iterator, const char *text, size_t n, trib_buffer *words) {
    UChar unit[200];
    UErrorCode code = U_ZERO_ERROR;
    CHECK(n <= 200);
    for (size_t i = 0; i < n; i++) unit[i] = (UChar)text[i];
    ubrk_setText(iterator, unit, (int32_t)n, &code);
    int32_t begin = ubrk_first(iterator);
    for (int32_t end; (end = ubrk_next(iterator)) != UBRK_DONE; begin = end) {
        if (ubrk_getRuleStatus(iterator) < UBRK_WORD_NUMBER) continue;
        if (words->length > 0) CHECK(trib_buffer_add(words, "|", 1, NULL) == TRIB_OK);
        CHECK(trib_buffer_add(words, text + begin, (size_t)(end - begin), NULL) == TRIB_OK);
    }
    CHECK(U_SUCCESS(code));
}

TEST(ascii_words_are_those_of_icu) {
    static const char *const locales[] = {"en", "fi", "en_US_POSIX"};
    static const char common[] = "aZ09.,:;'\"-- \n\rbc";
    trib_random random;
    trib_random_seed(&random, 5);
    for (size_t l = 0; l < 3; l++) {
        UErrorCode code = U_ZERO_ERROR;
        UBreakIterator *iterator = ubrk_open(UBRK_WORD, locales[l], NULL, 0, &code);
        trib_token_options options = {.numbers = TRIB_NUMBERS_KEEP, .locale = locales[l]};
        GIVEN(trib_buffer) words = {0}, wanted = {0};
        CHECK(U_SUCCESS(code));
        for (int turn = 0; turn < 1000; turn++) {
            char text[60];
            const size_t n = (size_t)trib_random_below(&random, sizeof text);
            for (size_t i = 0; i < n; i++) {
                do
                    text[i] = trib_random_below(&random, 4)
                                  ? common[trib_random_below(&random, sizeof common - 1)]
                                  : (char)(1 + trib_random_below(&random, 127));
                while (text[i] == '_');
            }
            trib_buffer_clear(&words);
            trib_buffer_clear(&wanted);
            icu_words(iterator, text, n, &wanted);
            CHECK(tokenize(&options, text, n, 0, false, &words, NULL, NULL) == TRIB_OK);
            EXPECT_TEXT(words.text ? words.text : "", wanted.text ? wanted.text : "");
        }
        ubrk_close(iterator);
    }
}

/* ---- Every short string ---------------------------------------------------------------------- */

/* One character of every class that UAX #29 or a tailoring has in ASCII. A newline separates the
 * strings; a lone underscore is not handled by the automaton. */
static const char symbols[] = "a0.,:'\"- \r\f!";
enum { N_SYMBOLS = sizeof symbols - 1 };

typedef struct boundaries {
    uint32_t *from, *length; /* [n] */
    size_t n;
} boundaries;

static trib_status note_boundary(void *context, const trib_token *token, trib_error *error) {
    boundaries *b = context;
    (void)error;
    b->from[b->n] = (uint32_t)token->offset;
    b->length[b->n++] = token->n_bytes;
    return TRIB_OK;
}

/* All strings of `length` symbols that begin with `first`, each on a line; returns the bytes. */
static size_t write_strings(char *text, size_t length, size_t first) {
    size_t n_strings = 1, n = 0;
    for (size_t k = 1; k < length; k++) n_strings *= N_SYMBOLS;
    for (size_t s = 0; s < n_strings; s++) {
        text[n++] = symbols[first];
        for (size_t k = 1, rest = s; k < length; k++, rest /= N_SYMBOLS)
            text[n++] = symbols[rest % N_SYMBOLS];
        text[n++] = '\n';
    }
    return n;
}

/* Counts the words that begin or end elsewhere than ICU's. */
static size_t count_differences(UBreakIterator *iterator, const UChar *unit, size_t n,
                                const boundaries *ours) {
    UErrorCode code = U_ZERO_ERROR;
    size_t n_words = 0, n_wrong = 0;
    ubrk_setText(iterator, unit, (int32_t)n, &code);
    CHECK(U_SUCCESS(code));
    int32_t begin = ubrk_first(iterator);
    for (int32_t end; (end = ubrk_next(iterator)) != UBRK_DONE; begin = end) {
        if (ubrk_getRuleStatus(iterator) < UBRK_WORD_NUMBER) continue;
        n_wrong += n_words >= ours->n || ours->from[n_words] != (uint32_t)begin ||
                   ours->length[n_words] != (uint32_t)(end - begin);
        n_words++;
    }
    return n_wrong + (n_words != ours->n);
}

static void compare_strings(const char *locale, size_t longest) {
    size_t most = longest + 1;
    for (size_t k = 1; k < longest; k++) most *= N_SYMBOLS;
    const trib_token_options options = {.locale = locale, .numbers = TRIB_NUMBERS_KEEP};
    trib_tokenizer *tokenizer = NULL;
    boundaries ours = {0};
    GIVEN(trib_owned_text) text = NULL;
    TRIB_FREED(UChar *) unit = NULL;
    UErrorCode code = U_ZERO_ERROR;
    UBreakIterator *iterator = ubrk_open(UBRK_WORD, locale, NULL, 0, &code);
    CHECK(U_SUCCESS(code) && trib_tokenizer_open(&tokenizer, &options, NULL) == TRIB_OK);
    CHECK(trib_new(&text, most, 1, "strings", NULL) == TRIB_OK);
    CHECK(trib_new(&unit, most, sizeof *unit, "strings", NULL) == TRIB_OK);
    CHECK(trib_new(&ours.from, most, sizeof *ours.from, "words", NULL) == TRIB_OK);
    CHECK(trib_new(&ours.length, most, sizeof *ours.length, "words", NULL) == TRIB_OK);
    for (size_t length = 1; length <= longest; length++)
        for (size_t first = 0; first < N_SYMBOLS; first++) {
            const size_t n = write_strings(text, length, first);
            for (size_t i = 0; i < n; i++) unit[i] = (UChar)text[i];
            ours.n = 0;
            trib_tokenizer_begin(tokenizer, "strings", note_boundary, &ours);
            CHECK(trib_tokenizer_feed(tokenizer, text, n, NULL) == TRIB_OK);
            CHECK(trib_tokenizer_end(tokenizer, NULL, NULL) == TRIB_OK);
            CHECK(count_differences(iterator, unit, n, &ours) == 0);
        }
    ubrk_close(iterator);
    trib_tokenizer_close(tokenizer);
    trib_free(ours.from);
    trib_free(ours.length);
}

TEST(every_string_of_up_to_six_symbols_has_the_boundaries_of_icu) {
    compare_strings("en", 6);
    compare_strings("fi", 5); /* a colon joins letters */
    compare_strings("en_US_POSIX", 5);
}

/* ---- Options --------------------------------------------------------------------------------- */

/* Puts a letter beyond ASCII in front of every line, so that ICU reads them all. */
TEST(automaton_and_icu_agree_on_every_option) {
    static const char common[] = "aZ09.,'`- \nbc--x-''";
    trib_random random;
    trib_random_seed(&random, 6);
    for (unsigned turn = 0; turn < 1440; turn++) {
        const trib_token_options options = {.equivalence = (trib_equivalence)(turn / 144 % 2),
                                            .normalize = TRIB_NORMALIZE_NFC,
                                            .letter_case = (trib_case)(turn % 2),
                                            .apostrophes = (trib_apostrophes)(turn / 2 % 4),
                                            .hyphens = (trib_hyphens)(turn / 8 % 3),
                                            .numbers = (trib_numbers)(turn / 24 % 3),
                                            .break_at_paragraph = turn / 72 % 2};
        GIVEN(trib_buffer) plain = {0}, marked = {0}, by_automaton = {0}, by_icu = {0};
        for (int line = 0; line < 6; line++) {
            char text[16];
            size_t n = 0;
            for (; n < 15; n++) text[n] = common[trib_random_below(&random, sizeof common - 1)];
            text[n++] = '\n';
            CHECK(trib_buffer_add(&plain, text, n, NULL) == TRIB_OK);
        }
        /* a lone U+200B separates words and is not a word; as white space it would end no
         * paragraph */
        for (size_t i = 0; i < plain.length; i++) {
            const bool first = i == 0 || plain.text[i - 1] == '\n';
            if (first && plain.text[i] != '\n' && plain.text[i] != ' ')
                CHECK(trib_buffer_add(&marked, "\xE2\x80\x8B", 3, NULL) == TRIB_OK);
            CHECK(trib_buffer_add(&marked, plain.text + i, 1, NULL) == TRIB_OK);
        }
        CHECK(tokenize(&options, plain.text, plain.length, 0, false, &by_automaton, NULL, NULL) ==
              TRIB_OK);
        CHECK(tokenize(&options, marked.text, marked.length, 0, false, &by_icu, NULL, NULL) ==
              TRIB_OK);
        EXPECT_TEXT(by_automaton.text ? by_automaton.text : "", by_icu.text ? by_icu.text : "");
    }
}
