/* token.c - tests of the tokeniser: words, options, places, breaks. */
#include "tests/tokenizer/token.h"

/* ---- Words as text --------------------------------------------------------------------------- */

typedef struct list {
    trib_buffer *words;
    bool places;
} list;

static trib_status append(void *context, const trib_token *token, trib_error *error) {
    const list *to = context;
    CHECK(token->length > 0 && token->text[token->length] == '\0');
    CHECK(strlen(token->text) == token->length);
    if (to->words->length > 0 || token->after_break) {
        trib_status status = trib_buffer_add(to->words, token->after_break ? "/" : "|", 1, error);
        if (status != TRIB_OK) return status;
    }
    if (!to->places) return trib_buffer_add(to->words, token->text, token->length, error);
    return trib_buffer_print(to->words, error, "%s@%llu+%lu", token->text,
                             (unsigned long long)token->offset, (unsigned long)token->n_bytes);
}

trib_status tokenize(const trib_token_options *options, const char *text, size_t n, size_t chunk,
                     bool places, trib_buffer *words, trib_token_counts *counts,
                     trib_error *error) {
    trib_tokenizer *tokenizer = NULL;
    trib_random random;
    list to = {words, places};
    trib_random_seed(&random, chunk);
    trib_status status = trib_tokenizer_open(&tokenizer, options, error);
    if (status != TRIB_OK) return status;
    trib_tokenizer_begin(tokenizer, "a.txt", append, &to);
    for (size_t at = 0; at < n && status == TRIB_OK;) {
        size_t size = chunk ? 1 + (size_t)trib_random_below(&random, 2 * chunk - 1) : n;
        if (size > n - at) size = n - at;
        status = trib_tokenizer_feed(tokenizer, text + at, size, error);
        at += size;
    }
    const trib_status ended =
        trib_tokenizer_end(tokenizer, counts, status == TRIB_OK ? error : NULL);
    trib_tokenizer_close(tokenizer);
    return status == TRIB_OK ? ended : status;
}

void expect_words(const trib_token_options *options, const char *text, const char *wanted) {
    trib_buffer words = {0};
    trib_error error = {0};
    EXPECT_STATUS(tokenize(options, text, strlen(text), 0, false, &words, NULL, &error), TRIB_OK,
                  error);
    EXPECT_TEXT(words.text ? words.text : "", wanted);
    trib_buffer_release(&words);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static const trib_token_options defaults = {DEFAULTS};

static void words_are_those_of_uax_29(void) {
    expect_words(&defaults, "", "");
    expect_words(&defaults, " .,;!\n--\n", "");
    expect_words(&defaults, "One", "one");
    expect_words(&defaults, "The cat's \"cradle\", can't. 'Tis", "the|cat's|cradle|can't|tis");
    expect_words(&defaults, "well-known e.g. 3rd 3.14 a1.5b A.B.", "well|known|e.g|3rd|a1.5b|a.b");
    expect_words(
        &defaults,
        "stra\xC3\x9F"
        "e \xC3\x89T\xC3\x89 \xCE\xA3\xCE\xAF\xCF\x83\xCF\x85\xCF\x86\xCE\xBF\xCF\x82",
        "strasse|\xC3\xA9t\xC3\xA9|\xCF\x83\xCE\xAF\xCF\x83\xCF\x85\xCF\x86\xCE\xBF\xCF\x83");
    expect_words(&defaults, "e\xCC\x81t\xC3\xA9 cafe\xCC\x81.", "\xC3\xA9t\xC3\xA9|caf\xC3\xA9");
    /* U+0390 has no single lower-case partner; its folding must be recomposed */
    expect_words(&defaults, "\xCE\x90", "\xCE\x90");
    expect_words(&defaults, "\xF0\x90\x90\x80\xF0\x90\x90\x81", "\xF0\x90\x90\xA8\xF0\x90\x90\xA9");
}

static void control_bytes_and_marks_separate_or_vanish(void) {
    expect_words(&defaults, "\xEF\xBB\xBFthe\r\ncat\fsat\von\rit", "the|cat|sat|on|it");
    expect_words(&defaults,
                 "a\x01"
                 "b\x7F"
                 "c\xC2\x85"
                 "d",
                 "a|b|c|d");
    expect_words(&defaults,
                 "un\xC2\xAD"
                 "happy \xE2\x80\x8Fwords\xE2\x80\x8E wo\xE2\x81\xA0rd",
                 "unhappy|words|word");
    trib_buffer words = {0};
    trib_error error = {0};
    EXPECT_STATUS(tokenize(&defaults, "a\0b", 3, 0, true, &words, NULL, &error), TRIB_OK, error);
    EXPECT_TEXT(words.text, "a@0+1|b@2+1");
    trib_buffer_clear(&words);
    /* a vowel sign forms one segment with a preceding control byte, and is a word on its own */
    EXPECT_STATUS(
        tokenize(&defaults, "a\0\xDE\xAF b\t\xE0\xA4\xBE", 10, 0, true, &words, NULL, &error),
        TRIB_OK, error);
    EXPECT_TEXT(words.text, "a@0+1|\xDE\xAF@2+2|b@5+1|\xE0\xA4\xBE@7+3");
    trib_buffer_release(&words);
}

static void underscores_are_markup(void) {
    expect_words(&defaults, "_word_ _two words_, (_italic_)", "word|two|words|italic");
    expect_words(&defaults, "the _Pequod_'s _im_possible foo_bar",
                 "the|pequod's|impossible|foobar");
    expect_words(&defaults, "name____date __init__ _ __", "name|date|init");
}

static void apostrophes_are_straightened_kept_or_split(void) {
    const char *text = "don\xE2\x80\x99t rock'n'roll \xE2\x80\x98so\xE2\x80\x99";
    expect_words(&defaults, text, "don't|rock'n'roll|so");
    expect_words(&(trib_token_options){DEFAULTS, .apostrophes = TRIB_APOSTROPHES_KEEP}, text,
                 "don\xE2\x80\x99t|rock'n'roll|so");
    expect_words(&(trib_token_options){DEFAULTS, .apostrophes = TRIB_APOSTROPHES_SPLIT}, text,
                 "don|t|rock|n|roll|so");
    expect_words(&(trib_token_options){DEFAULTS, .apostrophes = TRIB_APOSTROPHES_SPLIT,
                                       .hyphens = TRIB_HYPHENS_KEEP},
                 "don't-you l\xE2\x80\x99\xC3\xA9t\xC3\xA9", "don|t-you|l|\xC3\xA9t\xC3\xA9");
}

static void apostrophes_are_left_out(void) {
    const trib_token_options joined = {DEFAULTS, .apostrophes = TRIB_APOSTROPHES_JOIN};
    expect_words(&joined,
                 "don't Don\xE2\x80\x99T 'tis rock'n'roll \xE2\x80\x98so\xE2\x80\x99 o'- dogs'",
                 "dont|dont|tis|rocknroll|so|o|dogs");
    expect_words(&joined, "l\xE2\x80\x99\xC3\xA9t\xC3\xA9 l'\xC3\xA9t\xC3\xA9 don't-you",
                 "l\xC3\xA9t\xC3\xA9|l\xC3\xA9t\xC3\xA9|dont|you");
    expect_words(&(trib_token_options){DEFAULTS, .apostrophes = TRIB_APOSTROPHES_JOIN,
                                       .hyphens = TRIB_HYPHENS_JOIN},
                 "don't-you jack-o'-lantern", "dontyou|jacko|lantern");
    expect_words(&(trib_token_options){DEFAULTS, .apostrophes = TRIB_APOSTROPHES_JOIN,
                                       .hyphens = TRIB_HYPHENS_KEEP},
                 "don't-you don\xE2\x80\x99t-you", "dont-you|dont-you");
    expect_words(&(trib_token_options){DEFAULTS, .apostrophes = TRIB_APOSTROPHES_JOIN,
                                       .numbers = TRIB_NUMBERS_KEEP},
                 "1'000 1\xE2\x80\x99"
                 "000",
                 "1000|1000");
    trib_buffer words = {0};
    trib_error error = {0};
    const char *const text = "I don't. Don\xE2\x80\x99t!";
    EXPECT_STATUS(tokenize(&joined, text, strlen(text), 0, true, &words, NULL, &error), TRIB_OK,
                  error);
    EXPECT_TEXT(words.text, "i@0+1|dont@2+5|dont@9+7"); /* places are those of the text */
    trib_buffer_release(&words);
}

static void hyphens_are_split_joined_or_kept(void) {
    const char *text =
        "well-known mother-in-law no--dash -x- non\xE2\x80\x90stop 1914-1918 a-\nb a- b";
    expect_words(&defaults, text, "well|known|mother|in|law|no|dash|x|non|stop|a|b|a|b");
    expect_words(&(trib_token_options){DEFAULTS, .hyphens = TRIB_HYPHENS_JOIN}, text,
                 "wellknown|motherinlaw|no|dash|x|nonstop|a|b|a|b");
    expect_words(&(trib_token_options){DEFAULTS, .hyphens = TRIB_HYPHENS_KEEP}, text,
                 "well-known|mother-in-law|no|dash|x|non-stop|a|b|a|b");
}

static void numbers_are_dropped_kept_or_classed(void) {
    const char *text = "In 1492, 3.14 of 1,000 R2D2 \xD9\xA1\xD9\xA2 IV";
    trib_token_counts counts;
    trib_error error = {0};
    trib_buffer words = {0};
    EXPECT_STATUS(tokenize(&defaults, text, strlen(text), 0, false, &words, &counts, &error),
                  TRIB_OK, error);
    EXPECT_TEXT(words.text, "in|of|r2d2|iv");
    EXPECT(counts.n_dropped_numbers == 4 && counts.n_words == 4 && counts.n_bytes == strlen(text));
    trib_buffer_release(&words);
    expect_words(&(trib_token_options){DEFAULTS, .numbers = TRIB_NUMBERS_KEEP}, text,
                 "in|1492|3.14|of|1,000|r2d2|\xD9\xA1\xD9\xA2|iv");
    expect_words(&(trib_token_options){DEFAULTS, .numbers = TRIB_NUMBERS_CLASS}, text,
                 "in|<number>|<number>|of|<number>|r2d2|<number>|iv");
}

static void case_and_normal_form_can_be_left_alone(void) {
    const char *text = "The \xEF\xAC\x81rst e\xCC\x81t\xC3\xA9 \xC7\xB0";
    expect_words(&(trib_token_options){0}, text, "The|\xEF\xAC\x81rst|e\xCC\x81t\xC3\xA9|\xC7\xB0");
    expect_words(&(trib_token_options){.letter_case = TRIB_CASE_FOLD}, text,
                 "the|first|e\xCC\x81t\xC3\xA9|j\xCC\x8C");
    expect_words(&(trib_token_options){.normalize = TRIB_NORMALIZE_NFKC}, text,
                 "The|first|\xC3\xA9t\xC3\xA9|\xC7\xB0");
    expect_words(&defaults, text, "the|first|\xC3\xA9t\xC3\xA9|\xC7\xB0");
}

static void the_locale_tailors_words(void) {
    expect_words(&defaults, "EU:n Istanbul", "eu|n|istanbul");
    expect_words(&(trib_token_options){DEFAULTS, .locale = "fi"}, "EU:n \xC3\xA4:n",
                 "eu:n|\xC3\xA4:n");
    expect_words(&(trib_token_options){DEFAULTS, .locale = "tr-TR"}, "Istanbul \xC4\xB0zmir",
                 "\xC4\xB1stanbul|izmir");
    expect_words(&(trib_token_options){DEFAULTS, .locale = "th"},
                 "\xE0\xB8\xAA\xE0\xB8\xA7\xE0\xB8\xB1\xE0\xB8\xAA\xE0\xB8\x94\xE0\xB8\xB5\xE0\xB8"
                 "\x8A\xE0\xB8\xB2\xE0\xB8\xA7\xE0\xB9\x82\xE0\xB8\xA5\xE0\xB8\x81",
                 "\xE0\xB8\xAA\xE0\xB8\xA7\xE0\xB8\xB1\xE0\xB8\xAA\xE0\xB8\x94\xE0\xB8\xB5|"
                 "\xE0\xB8\x8A\xE0\xB8\xB2\xE0\xB8\xA7|\xE0\xB9\x82\xE0\xB8\xA5\xE0\xB8\x81");
}

static void unknown_names_are_rejected_with_the_nearest_known_one(void) {
    trib_tokenizer *tokenizer = NULL;
    trib_error error = {0};
    EXPECT_STATUS(
        trib_tokenizer_open(&tokenizer, &(trib_token_options){.locale = "englsh"}, &error),
        TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, "unknown locale 'englsh'; did you mean 'en'?");
    EXPECT_STATUS(trib_tokenizer_open(&tokenizer, &(trib_token_options){.locale = "q!-x"}, &error),
                  TRIB_CONFIG, error);
    EXPECT_STATUS(
        trib_tokenizer_open(&tokenizer, &(trib_token_options){.encoding = "widnows-1252"}, &error),
        TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, "unknown encoding 'widnows-1252'; did you mean 'windows-1252'?");
    EXPECT_STATUS(
        trib_tokenizer_open(&tokenizer, &(trib_token_options){.encoding = "nonsense here"}, &error),
        TRIB_CONFIG, error);
    EXPECT_STATUS(trib_tokenizer_open(&tokenizer, &(trib_token_options){.encoding = ""}, &error),
                  TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, "unknown encoding ''; set corpus.encoding to utf-8, auto or an ICU "
                               "converter name");
    EXPECT(tokenizer == NULL);
    trib_tokenizer_close(tokenizer);
}

/* ---- Breaks ---------------------------------------------------------------------------------- */

static void paragraphs_end_at_empty_lines(void) {
    const trib_token_options options = {DEFAULTS, .break_at_paragraph = true};
    expect_words(&options, "\n\none two\nthree\n\nfour\r\nfive\r\n \t\r\n\r\nsix\n*\nseven\n",
                 "one|two|three/four|five/six|seven");
    expect_words(&options, "one\n1492\ntwo\n\n1492\n\nthree\f\nfour\n\ffive\xE2\x80\xA9six",
                 "one|two/three|four|five/six");
    expect_words(&options, "\xC3\xA9\n\nb\n\n\xC3\xA9\n \xE3\x80\x80\nb", "\xC3\xA9/b/\xC3\xA9/b");
    expect_words(&defaults, "one\n\ntwo", "one|two");
}

static void sentences_go_on_across_lines(void) {
    const trib_token_options options = {DEFAULTS, .break_at_sentence = true};
    expect_words(&options,
                 "The cat sat. It slept\non the mat! \"Why?\" he\nsaid.\nNo one 3.14 knew",
                 "the|cat|sat/it|slept|on|the|mat/why/he|said/no|one|knew");
    expect_words(&options, "A heading\r\n\r\nA text\r\nof e.g. two lines",
                 "a|heading/a|text|of|e.g|two|lines");
}

/* ---- Chunks and documents -------------------------------------------------------------------- */

static void borders_may_lie_anywhere(void) {
    static const char text[] = "\xEF\xBB\xBF"
                               "caf\xC3\xA9\r\n\r\n_it_'s \xF0\x9D\x92\x9C"
                               "b don\xE2\x80\x99t\n \r\n__x";
    const trib_token_options options = {DEFAULTS, .break_at_paragraph = true};
    trib_buffer words = {0};
    trib_error error = {0};
    for (size_t chunk = 0; chunk < 12; chunk++) {
        trib_buffer_clear(&words);
        EXPECT_STATUS(tokenize(&options, text, sizeof text - 1, chunk, true, &words, NULL, &error),
                      TRIB_OK, error);
        EXPECT_TEXT(words.text, "caf\xC3\xA9@3+5/it's@13+5|\xF0\x9D\x92\x9C"
                                "b@19+5|don't@25+7/x@38+1");
    }
    trib_buffer_release(&words);
}

static trib_status count_only(void *context, const trib_token *token, trib_error *error) {
    (void)error;
    *(uint64_t *)context += token->length;
    return TRIB_OK;
}

/* Feeds `unit` until n bytes are reached, in pieces of odd sizes. */
static void feed_one_line(const char *locale, const char *unit, size_t n, uint64_t n_words,
                          uint64_t n_letters) {
    trib_tokenizer *tokenizer = NULL;
    trib_error error = {0};
    trib_token_counts counts;
    uint64_t letters = 0;
    trib_buffer text = {0};
    while (text.length < n) CHECK(trib_buffer_add(&text, unit, strlen(unit), NULL) == TRIB_OK);
    const trib_token_options options = {DEFAULTS, .locale = locale};
    CHECK(trib_tokenizer_open(&tokenizer, &options, NULL) == TRIB_OK);
    trib_tokenizer_begin(tokenizer, "long.txt", count_only, &letters);
    for (size_t at = 0; at < text.length; at += 99991) {
        const size_t left = text.length - at;
        EXPECT_STATUS(
            trib_tokenizer_feed(tokenizer, text.text + at, left < 99991 ? left : 99991, &error),
            TRIB_OK, error);
    }
    EXPECT_STATUS(trib_tokenizer_end(tokenizer, &counts, &error), TRIB_OK, error);
    const uint64_t n_units = text.length / strlen(unit);
    EXPECT(counts.n_words == n_words * (n_words > 1 || n_letters < 9 ? n_units : 1));
    EXPECT(letters == n_letters * n_units);
    trib_tokenizer_close(tokenizer);
    trib_buffer_release(&text);
}

static void a_line_of_ten_megabytes_is_read(void) {
    feed_one_line("en", "well said, ", 10000000, 2, 8);
    feed_one_line("en", "\xC3\xA9t\xC3\xA9 well ", 3000000, 2, 9);
    feed_one_line("zh", "\xE4\xBA\xBA\xE4\xBA\xBA\xE6\x9C\x89\xE3\x80\x82", 600000, 2,
                  9);                                     /* no space at all */
    feed_one_line("en", "uninterrupted", 1300000, 1, 13); /* one word */
}

typedef struct stop {
    int left;
} stop;

static trib_status stop_after(void *context, const trib_token *token, trib_error *error) {
    stop *to = context;
    if (to->left-- > 0) return TRIB_OK;
    return trib_fail(error, TRIB_INTERRUPTED, "stopped at %s", token->text);
}

static void a_sink_can_stop_and_the_tokeniser_goes_on(void) {
    trib_tokenizer *tokenizer = NULL;
    trib_error error = {0};
    trib_token_counts counts;
    stop to = {1};
    CHECK(trib_tokenizer_open(&tokenizer, &defaults, NULL) == TRIB_OK);
    trib_tokenizer_begin(tokenizer, "a.txt", stop_after, &to);
    EXPECT_STATUS(trib_tokenizer_feed(tokenizer, "one two three ", 14, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_tokenizer_end(tokenizer, NULL, &error), TRIB_INTERRUPTED, error);
    EXPECT_TEXT(error.message, "stopped at two");
    for (int turn = 0; turn < 2; turn++) { /* the second time after invalid bytes */
        to.left = 10;
        trib_tokenizer_begin(tokenizer, "b.txt", stop_after, &to);
        EXPECT_STATUS(trib_tokenizer_feed(tokenizer, "four five", 9, &error), TRIB_OK, error);
        EXPECT_STATUS(trib_tokenizer_end(tokenizer, &counts, &error), TRIB_OK, error);
        EXPECT(to.left == 8 && counts.n_words == 2 && counts.n_bytes == 9);
        trib_tokenizer_begin(tokenizer, "c.txt", stop_after, &to);
        EXPECT_STATUS(trib_tokenizer_feed(tokenizer, "\xC3\xA9 \xFF ", 5, &error), TRIB_OK, error);
        EXPECT_STATUS(trib_tokenizer_end(tokenizer, NULL, &error), TRIB_INPUT, error);
        EXPECT(trib_tokenizer_feed(tokenizer, "x", 1, NULL) == TRIB_INPUT);
    }
    trib_tokenizer_close(tokenizer);
}

static trib_status tokenize_mixed(void *context, trib_error *error) {
    static const char text[] =
        "The cat\n\xC3\x89T\xC3\x89 \xC7\xB0 e\xCC\x81 \xEF\xAC\x81. A mat.\n\nIt sat\n";
    trib_tokenizer *tokenizer = NULL;
    uint64_t n = 0;
    trib_status status = trib_tokenizer_open(&tokenizer, context, error);
    if (status != TRIB_OK) return status;
    trib_tokenizer_begin(tokenizer, "a.txt", count_only, &n);
    status = trib_tokenizer_feed(tokenizer, text, sizeof text - 1, error);
    if (status == TRIB_OK) status = trib_tokenizer_end(tokenizer, NULL, error);
    trib_tokenizer_close(tokenizer);
    return status;
}

static void every_failing_allocation_is_reported(void) {
    trib_token_options options = {DEFAULTS, .break_at_sentence = true};
    EXPECT(trib_fail_every_allocation(tokenize_mixed, &options) > 6);
    options.break_at_sentence = false;
    options.encoding = "iso-8859-1";
    EXPECT(trib_fail_every_allocation(tokenize_mixed, &options) > 6);
    options.encoding = "auto";
    EXPECT(trib_fail_every_allocation(tokenize_mixed, &options) > 4);
}

CU_TestInfo trib_tests_tokenizer_token[] = {
    {"words are those of UAX #29", words_are_those_of_uax_29},
    {"control bytes and marks separate or vanish", control_bytes_and_marks_separate_or_vanish},
    {"underscores are markup", underscores_are_markup},
    {"apostrophes are straightened, kept or split", apostrophes_are_straightened_kept_or_split},
    {"apostrophes are left out", apostrophes_are_left_out},
    {"hyphens are split, joined or kept", hyphens_are_split_joined_or_kept},
    {"numbers are dropped, kept or classed", numbers_are_dropped_kept_or_classed},
    {"case and normal form can be left alone", case_and_normal_form_can_be_left_alone},
    {"the locale tailors words", the_locale_tailors_words},
    {"unknown names are rejected with the nearest known one",
     unknown_names_are_rejected_with_the_nearest_known_one},
    {"paragraphs end at empty lines", paragraphs_end_at_empty_lines},
    {"sentences go on across lines", sentences_go_on_across_lines},
    {"borders may lie anywhere", borders_may_lie_anywhere},
    {"a line of ten megabytes is read", a_line_of_ten_megabytes_is_read},
    {"a sink can stop and the tokeniser goes on", a_sink_can_stop_and_the_tokeniser_goes_on},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
