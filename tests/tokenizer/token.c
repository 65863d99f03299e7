/* token.c - tests of the tokeniser: words, options, places, breaks. */
#include "tests/tokenizer/token.h"

TESTS(tokenizer, token);

CASES("tests/tokenizer/token.txt [words]", texts_have_words) { a_text_has_words(); }

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

/* The options of a case, such as "apostrophes=join locale=fi", the keys of the configuration; the
 * rest is as there by default. */
static bool has(const char *option) { return strstr(trib_case_text("options"), option) != NULL; }

static trib_token_options options_of_case(char locale[40], char encoding[40]) {
    const char *at = trib_case_text("options"), *l = strstr(at, "locale="),
               *e = strstr(at, "encoding=");
    if (l) sscanf(l, "locale=%39s", locale);
    if (e) sscanf(e, "encoding=%39s", encoding);
    return (trib_token_options){
        .equivalence = has("equivalence=none") ? TRIB_EQUIVALENCE_NONE : TRIB_EQUIVALENCE_PLAIN,
        .normalize = has("normalize=none")   ? TRIB_NORMALIZE_NONE
                     : has("normalize=nfkc") ? TRIB_NORMALIZE_NFKC
                                             : TRIB_NORMALIZE_NFC,
        .letter_case = has("case=none") ? TRIB_CASE_NONE : TRIB_CASE_FOLD,
        .apostrophes = has("apostrophes=keep")    ? TRIB_APOSTROPHES_KEEP
                       : has("apostrophes=split") ? TRIB_APOSTROPHES_SPLIT
                       : has("apostrophes=join")  ? TRIB_APOSTROPHES_JOIN
                                                  : TRIB_APOSTROPHES_STRAIGHT,
        .hyphens = has("hyphens=join")   ? TRIB_HYPHENS_JOIN
                   : has("hyphens=keep") ? TRIB_HYPHENS_KEEP
                                         : TRIB_HYPHENS_SPLIT,
        .numbers = has("numbers=keep")    ? TRIB_NUMBERS_KEEP
                   : has("numbers=class") ? TRIB_NUMBERS_CLASS
                                          : TRIB_NUMBERS_DROP,
        .break_at_paragraph = has("break_at=paragraph"),
        .break_at_sentence = has("break_at=sentence"),
        .on_invalid = has("on_invalid=replace") ? TRIB_INVALID_REPLACE : TRIB_INVALID_ERROR,
        .locale = l ? locale : NULL,
        .encoding = e ? encoding : NULL};
}

/* The words, or a message, for any chunking. */
void a_text_has_words(void) {
    char locale[40], encoding[40];
    const trib_token_options options = options_of_case(locale, encoding);
    size_t n;
    const char *text = trib_case_bytes("text", &n);
    for (size_t chunk = 0; chunk < 12; chunk++) {
        GIVEN(trib_buffer) words = {0};
        trib_error error = {0};
        trib_token_counts counts;
        EXPECT_OK(tokenize(&options, text, n, chunk, has("places"), &words, &counts, &error));
        EXPECT_TEXT(words.text ? words.text : "", trib_case_text("words"));
        EXPECT(counts.n_bytes == n);
        EXPECT_NEAR((double)counts.n_replaced, trib_case_number("replaced"), 0);
        EXPECT_NEAR((double)counts.n_dropped_numbers, trib_case_number("dropped"), 0);
    }
}

void a_text_is_refused(void) {
    char locale[40], encoding[40];
    const trib_token_options options = options_of_case(locale, encoding);
    size_t n;
    const char *text = trib_case_bytes("text", &n);
    for (size_t chunk = 0; chunk < 8; chunk++) {
        GIVEN(trib_buffer) words = {0};
        trib_error error = {0};
        EXPECT_STATUS(tokenize(&options, text, n, chunk, false, &words, NULL, &error), TRIB_INPUT,
                      error);
        EXPECT_TEXT(error.message, trib_case_text("says"));
    }
}

static const trib_token_options defaults = {DEFAULTS};

TEST(unknown_names_are_rejected_with_the_nearest_known_one) {
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

/* ---- Chunks and documents -------------------------------------------------------------------- */

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
    GIVEN(trib_buffer) text = {0};
    while (text.length < n) CHECK(trib_buffer_add(&text, unit, strlen(unit), NULL) == TRIB_OK);
    const trib_token_options options = {DEFAULTS, .locale = locale};
    CHECK(trib_tokenizer_open(&tokenizer, &options, NULL) == TRIB_OK);
    trib_tokenizer_begin(tokenizer, "long.txt", count_only, &letters);
    for (size_t at = 0; at < text.length; at += 99991) {
        const size_t left = text.length - at;
        EXPECT_OK(
            trib_tokenizer_feed(tokenizer, text.text + at, left < 99991 ? left : 99991, &error));
    }
    EXPECT_OK(trib_tokenizer_end(tokenizer, &counts, &error));
    const uint64_t n_units = text.length / strlen(unit);
    EXPECT(counts.n_words == n_words * (n_words > 1 || n_letters < 9 ? n_units : 1));
    EXPECT(letters == n_letters * n_units);
    trib_tokenizer_close(tokenizer);
}

TEST(a_line_of_ten_megabytes_is_read) {
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

TEST(a_sink_can_stop_and_the_tokeniser_goes_on) {
    trib_tokenizer *tokenizer = NULL;
    trib_error error = {0};
    trib_token_counts counts;
    stop to = {1};
    CHECK(trib_tokenizer_open(&tokenizer, &defaults, NULL) == TRIB_OK);
    trib_tokenizer_begin(tokenizer, "a.txt", stop_after, &to);
    EXPECT_OK(trib_tokenizer_feed(tokenizer, "one two three ", 14, &error));
    EXPECT_STATUS(trib_tokenizer_end(tokenizer, NULL, &error), TRIB_INTERRUPTED, error);
    EXPECT_TEXT(error.message, "stopped at two");
    for (int turn = 0; turn < 2; turn++) { /* the second time after invalid bytes */
        to.left = 10;
        trib_tokenizer_begin(tokenizer, "b.txt", stop_after, &to);
        EXPECT_OK(trib_tokenizer_feed(tokenizer, "four five", 9, &error));
        EXPECT_OK(trib_tokenizer_end(tokenizer, &counts, &error));
        EXPECT(to.left == 8 && counts.n_words == 2 && counts.n_bytes == 9);
        trib_tokenizer_begin(tokenizer, "c.txt", stop_after, &to);
        EXPECT_OK(trib_tokenizer_feed(tokenizer, "\xC3\xA9 \xFF ", 5, &error));
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

TEST(every_failing_allocation_is_reported) {
    trib_token_options options = {DEFAULTS, .break_at_sentence = true};
    EXPECT(trib_fail_every_allocation(tokenize_mixed, &options) > 6);
    options.break_at_sentence = false;
    options.encoding = "iso-8859-1";
    EXPECT(trib_fail_every_allocation(tokenize_mixed, &options) > 6);
    options.encoding = "auto";
    EXPECT(trib_fail_every_allocation(tokenize_mixed, &options) > 4);
}
