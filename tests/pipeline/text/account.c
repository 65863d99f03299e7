/* account.c - tests of what an account says of a text; account.txt has the cases. */
#include "pipeline/store/words.h"
#include "pipeline/text/input.h"
#include "tests/test.h"

TESTS(text, account);

/* Reads a file with notes read as `notes` says, and lists what of its account is not empty. */
static void account_of(trib_buffer *said, const char *path, trib_notes notes) {
    static const trib_account_counts none;
    const trib_input_options options = {.notes = notes};
    trib_error error = {0};
    OPENED(trib_input) input = {0};
    CHECK(trib_input_open(&input, path, NULL, &options, &error) == TRIB_OK);
    const trib_account *account = &input.made.account;
    trib_buffer_print(said, &error, "%s", account->kind);
    for (size_t i = 0; i < TRIB_ACCOUNT_COLUMNS; i++) {
        char text[TRIB_ACCOUNT_TEXT];
        trib_account_cell(text, account, i);
        if (i < TRIB_ACCOUNT_ROWS
                ? trib_account_count(&account->counts, i) != trib_account_count(&none, i)
                : *text != '\0')
            trib_buffer_print(said, &error, " %s", text);
        if (i < TRIB_ACCOUNT_ROWS && trib_account_count(&account->counts, i) > 0)
            trib_buffer_print(said, &error, "@%zu", i);
    }
}

/* The places of counts: 0 headings, 1 front, 2 notes, 3 notes_out, 4 forms_out, 5 furniture_out,
 * 6 others_out, 9 joined, 11 lost. */
CASES("tests/pipeline/text/account.txt [account]", what_is_read_and_left_out_is_counted) {
    static const char *const names[] = {"drop", "keep", "separate"};
    size_t n, notes = 0;
    GIVEN(trib_buffer) said = {0};
    const char *bytes = trib_case_bytes("bytes", &n);
    trib_write_bytes(trib_scratch(trib_case_text("file")), bytes, n);
    while (strcmp(names[notes], trib_case_text("notes")) != 0) notes++;
    account_of(&said, trib_scratch(trib_case_text("file")), (trib_notes)notes);
    EXPECT_TEXT(said.text, trib_case_text("account"));
}

CASES("tests/pipeline/text/account.txt [words]", words_are_counted_as_runs_of_letters) {
    size_t n;
    const char *text = trib_case_bytes("text", &n);
    EXPECT((double)trib_words_in(text, n) == trib_case_number("words"));
}

TEST(names_beyond_the_room_are_left_out_and_no_list_is_cut) {
    trib_account account = {.kind = "XML"};
    char text[TRIB_ACCOUNT_TEXT], name[64];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "anElementWithAnEndlessNameOf%dWords", i);
        trib_named_count_add(account.left_out, i % 2 ? name : name + 4, UINT32_MAX);
        snprintf(name, sizeof name, "e%d", i);
        trib_named_count_add(account.unknown, name, 1 + (uint64_t)i);
        trib_named_count_add(account.unknown, "e3", 1);
    }
    trib_account_cell(text, &account, TRIB_ACCOUNT_ROWS);
    EXPECT(strlen(text) < sizeof text && text[0] == '<');
    trib_account_cell(text, &account, TRIB_ACCOUNT_ROWS + 1);
    EXPECT_TEXT(text, "<e0> 1, <e3> 24, <e1> 2, <e2> 3, <e4> 5, <e5> 6, <e6> 7, <e7> 8");
}

/* ---- What cannot be a text ------------------------------------------------------------------- */

/* Scans a text of n words that consists of `unit`, of n_unit words, again and again. */
static const char *doubt_of(const char *unit, size_t n_unit, size_t n, char why[200]) {
    trib_account account = {.least_common = UINT32_MAX};
    GIVEN(trib_buffer) text = {0}, doubt = {0};
    for (size_t i = 0; i < n; i += n_unit)
        CHECK(trib_buffer_add(&text, unit, strlen(unit), NULL) == TRIB_OK);
    trib_account_scan(&account, text.text, text.length);
    const bool doubts = trib_account_doubt(&account, n, &doubt, NULL);
    EXPECT(doubts == (doubt.length > 0));
    snprintf(why, 200, "%s", doubt.text ? doubt.text : "");
    return why;
}

CASES("tests/pipeline/text/account.txt [doubts]", what_cannot_be_a_text_is_named) {
    char why[200];
    (void)doubt_of(trib_case_text("unit"), (size_t)trib_case_number("words"), 400, why);
    const char *wanted = trib_case_text("says");
    EXPECT(*wanted ? strstr(why, wanted) != NULL : *why == '\0');
}

/* Writes a text of n words; word i is that of `word`. */
static trib_account account_of_words(size_t n, const char *(*word)(size_t i, char to[16])) {
    GIVEN(trib_words_writer) writer = {0};
    OPENED(trib_words) words = {0};
    trib_writer out;
    trib_error error = {0};
    const trib_words_about about = {.encoding = "utf-8"};
    CHECK(trib_writer_scratch(&out, trib_scratch(""), false, &error) == TRIB_OK);
    CHECK(trib_words_begin(&writer, &out, NULL, &error) == TRIB_OK);
    for (size_t i = 0; i < n; i++) {
        char text[16];
        const char *at = word(i, text);
        const trib_token token = {at, strlen(at), i * 20, (uint32_t)strlen(at), false};
        CHECK(trib_words_add(&writer, &token, &error) == TRIB_OK);
    }
    CHECK(trib_words_end(&writer, &about, &error) == TRIB_OK);
    CHECK(trib_writer_flush(&out, &error) == TRIB_OK);
    const trib_reader reader = trib_writer_reader(&out);
    CHECK(trib_words_open(&words, &reader, 0, out.n_written, &error) == TRIB_OK);
    const trib_account account = words.about.account;
    trib_writer_abandon(&out);
    return account;
}

static const char *number(size_t i, char to[16]) {
    snprintf(to, 16, "%zu", i);
    return to;
}

TEST(the_first_and_the_last_words_are_shown) {
    EXPECT_TEXT(account_of_words(1, number).begins, "0");
    EXPECT_TEXT(account_of_words(1, number).ends, "0");
    EXPECT_TEXT(account_of_words(20, number).ends,
                "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19");
    EXPECT_TEXT(account_of_words(21, number).begins,
                "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19");
    EXPECT_TEXT(account_of_words(21, number).ends,
                "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20");
    EXPECT_TEXT(account_of_words(5000, number).ends,
                "4980 4981 4982 4983 4984 4985 4986 4987 4988 4989 4990 4991 4992 4993 4994 4995 "
                "4996 4997 4998 4999");
}

/* Half of the words are forty common ones of a language, the second from word 10000 on. */
static const char *two_languages(size_t i, char to[16]) {
    if (i % 2) snprintf(to, 16, "%c%zu", i < 10000 ? 'a' : 'b', i / 2 % 40);
    else snprintf(to, 16, "w%zu", i * 7919 % 5000);
    return to;
}

static const char *one_language(size_t i, char to[16]) { return two_languages(i % 10000, to); }

TEST(a_text_in_two_languages_is_doubted) {
    GIVEN(trib_buffer) why = {0};
    const trib_account one = account_of_words(20000, one_language),
                       two = account_of_words(20000, two_languages);
    EXPECT(!trib_account_doubt(&one, 20000, &why, NULL));
    EXPECT(trib_account_doubt(&two, 20000, &why, NULL) && strstr(why.text, "languages"));
}
