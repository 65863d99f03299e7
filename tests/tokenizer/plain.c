/* plain.c - tests of what is made the same before words are cut: a slow twin, made of regular
 * expressions over the whole text, has the same words. */
#include "tests/tokenizer/token.h"

#include <unicode/uregex.h>
#include <unicode/ustring.h>

TESTS(tokenizer, plain);

CASES("tests/tokenizer/plain.txt [words]", texts_have_words) { a_text_has_words(); }

/* ---- The twin -------------------------------------------------------------------------------- */

#define LETTER    "[\\p{Alphabetic}\\p{M}]"
#define CHINESE   "[\\p{Ideographic}\\p{Hiragana}\\p{Katakana}\\u30FC]"
#define THAI      "\\p{LineBreak=SA}"
#define HEBREW    "[\\u05D0-\\u05F2]"
#define POINTED   HEBREW "\\p{M}{0,4}"
#define LINE      "(?:\\r\\n|[\\n\\r\\u0085\\u2028])"
#define GAP       "[\\t \\u00A0\\u3000\\u00B6\\u00AD\\u200B]*"
#define ONE_LINE  GAP LINE GAP
#define SINGLE    "['`\\u00B4\\u02BC\\u2018\\u2019]"
#define DOUBLE    "[\"\\u05F4\\u201D]"
#define CONSONANT "[\\u03BB\\u03C0\\u03B4]"

/* In this order. */
static const struct {
    const char *pattern, *with;
} rules[] = {
    {"__+", " "},
    {"_", ""},
    {"[\\p{DI}&&[^\\u00AD\\u200B]]", ""},
    {"\\u00AD(?!" ONE_LINE ")", ""},
    {"(?<!" THAI "\\s{0,9})\\u200B(?!\\s*" THAI ")", ""},
    /* apostrophes */
    {"(?<=" POINTED ")" DOUBLE "(?=[\\p{Alphabetic}\\p{M}\\u200B]+" DOUBLE ")(?=" HEBREW ")",
     "\\u201E"},
    {"(?<=" POINTED ")" DOUBLE "(?=" HEBREW ")", "\""},
    {"(?<=" POINTED ")" SINGLE SINGLE "(?=" HEBREW ")", "\""},
    {"(?<=[\\uAC00-\\uD7A3]\\p{M}{0,4})" SINGLE "(?=[\\uAC00-\\uD7A3])", "\\u201D"},
    {"(?<![0-9]\\p{M}{0,4})" SINGLE "|" SINGLE "(?![0-9])", "\\u2019"},
    {"(?<=" CONSONANT ")\\u0313(?=" LETTER ")", "\\u2019"},
    {"(?<=" CONSONANT ")\\u0313", ""},
    /* divided words */
    {"(?<=" LETTER ")[\\u00AD\\u00AC]" ONE_LINE "(?=" LETTER ")", ""},
    {"(?<=" LETTER ")\\u2E17" ONE_LINE "\\u2E17?(?=[\\p{Alphabetic}\\p{M}&&[^\\p{Lu}]])", ""},
    {"(?<=\\p{Lu})\\u2E17" ONE_LINE "\\u2E17?(?=" LETTER ")", ""},
    {"\\u00AD", ""},
    /* scripts without spaces */
    {"(?<=" CHINESE ")[\\t \\u00A0\\u3000\\u00B6]*" LINE "[\\t \\u00A0\\u00B6]*(?=" CHINESE ")",
     ""},
    {"(?<=" CHINESE ")[ \\u00A0\\u3000]+(?=" CHINESE ")", ""},
    {"(?<=" THAI ")\\u00B6*" LINE "[\\t \\u00A0\\u00B6]*(?=" THAI ")", ""},
    /* hyphens */
    {"[\\u2E17\\u30A0\\uFE63\\uFF0D]", "\\u2010"},
};

static void replace_all(UChar **text, const char *pattern, const char *with) {
    UErrorCode code = U_ZERO_ERROR;
    UChar units[400], by[20];
    u_uastrcpy(units, pattern);
    u_unescape(with, by, 20);
    URegularExpression *rule = uregex_open(units, -1, 0, NULL, &code);
    uregex_setText(rule, *text, -1, &code);
    CHECK(U_SUCCESS(code));
    const size_t cap = 2 * (size_t)u_strlen(*text) + 1;
    UChar *to = NULL;
    CHECK(TRIB_NEW(&to, cap, "a text", NULL) == TRIB_OK);
    uregex_replaceAll(rule, by, -1, to, (int32_t)cap, &code);
    CHECK(U_SUCCESS(code));
    uregex_close(rule);
    trib_free(*text);
    *text = to;
}

/* Makes a text plain in UTF-8, by all rules. */
static void make_plain(trib_buffer *to, const trib_buffer *text) {
    UErrorCode code = U_ZERO_ERROR;
    UChar *units = NULL;
    char *bytes = NULL;
    int32_t n = 0;
    CHECK(TRIB_NEW(&units, text->length + 1, "a text", NULL) == TRIB_OK);
    u_strFromUTF8(units, (int32_t)text->length + 1, NULL, text->text, (int32_t)text->length, &code);
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        replace_all(&units, rules[r].pattern, rules[r].with);
    CHECK(TRIB_NEW(&bytes, 2 * text->length + 1, "a text", NULL) == TRIB_OK);
    u_strToUTF8(bytes, (int32_t)(2 * text->length + 1), &n, units, -1, &code);
    CHECK(U_SUCCESS(code) && trib_buffer_add(to, bytes, (size_t)n, NULL) == TRIB_OK);
    TRIB_FREE(units, bytes);
}

static void add(trib_buffer *to, const char *text) {
    CHECK(trib_buffer_add(to, text, strlen(text), NULL) == TRIB_OK);
}

/* Words and what stands between them. */
static const char *const nasty[] = {
    "a",
    "b",
    "B",
    "é",
    "λ",
    "ε",
    "ש",
    "ב",
    "人",
    "有",
    "か",
    "ー",
    "ก",
    "า",
    "ข",
    "한",
    "1",
    "2",
    "'",
    "`",
    "´",
    "‘",
    "’",
    "ʼ",
    "\"",
    "״",
    "”",
    "λ\xCC\x93",
    "-",
    "⸗",
    "゠",
    "－",
    "\xC2\xAD",
    "¬",
    "\xE2\x80\x8C",
    "\xEF\xB8\x80",
    "\xF3\xA0\x84\x80",
    "\xE2\x81\xA0",
    "\xE2\x80\x8B",
    "¶",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\xC2\x85",
    "\xE2\x80\xA8",
    " ",
    " ",
    "\xE3\x80\x80",
    "\t",
    "。",
    ".",
    "_",
};

static void add_nasty(trib_buffer *text, trib_random *random, size_t n, const char *between) {
    for (size_t i = 0; i < n; i++) {
        add(text, nasty[trib_random_below(random, sizeof nasty / sizeof *nasty)]);
        if (i % 8 == 7) add(text, between);
    }
}

static void compare(const trib_buffer *text, size_t chunk) {
    trib_token_options options = {DEFAULTS, .locale = "ja"};
    GIVEN(trib_buffer) plain = {0}, words = {0}, wanted = {0};
    trib_error error = {0};
    EXPECT_OK(tokenize(&options, text->text, text->length, chunk, false, &words, NULL, &error));
    make_plain(&plain, text);
    options.equivalence = TRIB_EQUIVALENCE_NONE;
    EXPECT_OK(tokenize(&options, plain.text, plain.length, 0, false, &wanted, NULL, &error));
    EXPECT_TEXT(words.text ? words.text : "", wanted.text ? wanted.text : "");
}

TEST(random_texts_have_the_words_of_the_twin) {
    trib_random random;
    trib_random_seed(&random, 37);
    for (size_t turn = 0; turn < 500; turn++) {
        GIVEN(trib_buffer) text = {0};
        add_nasty(&text, &random, 1 + trib_random_below(&random, 24), "");
        compare(&text, turn % 4);
    }
}

/* Texts of more than a block, which are cut. */
TEST(long_texts_have_the_words_of_the_twin) {
    static const char *const between[] = {"", "a\n", "人\n", "b c ", "人。", "\n\n", "ก ข"};
    trib_random random;
    trib_random_seed(&random, 38);
    for (size_t turn = 0; turn < 21; turn++) {
        GIVEN(trib_buffer) text = {0};
        add_nasty(&text, &random, 40000, between[turn % 7]);
        compare(&text, turn % 2 ? 10000 : 0);
    }
}

/* ---- Lines that go on ------------------------------------------------------------------------ */

TEST(lines_without_an_end_are_cut_at_the_same_places_for_any_chunks) {
    static const char *const signs[] = {"人", "有", "下", "海", "水", "夜", "半", "一", "二", "大"};
    const trib_token_options options = {DEFAULTS, .locale = "zh"};
    trib_buffer text = {0}, words[3] = {{0}, {0}, {0}};
    trib_random random;
    trib_random_seed(&random, 39);
    for (size_t i = 0; text.length < 2500000; i++)
        add(&text, i % 12 == 11 ? "\n" : signs[trib_random_below(&random, 10)]);
    for (size_t i = 0; i < 3; i++)
        CHECK(tokenize(&options, text.text, text.length, i * 70001, false, &words[i], NULL, NULL) ==
              TRIB_OK);
    EXPECT(strcmp(words[0].text, words[1].text) == 0 && strcmp(words[0].text, words[2].text) == 0);
    trib_buffer_release(&text);
    for (size_t i = 0; i < 3; i++) trib_buffer_release(&words[i]);
}
