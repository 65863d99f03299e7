/* repeated_errors.c - tests of errors that are reported together: which are similar, how many are
 * reported, and which parts are ignored. */
#include "pipeline/support/warnings.h"

#include "tests/test.h"

TESTS(support, repeated_errors);

static char heard[1 << 12];

static void hear(void *context, const char *sentence) {
    (void)context;
    strcat(heard, sentence);
    strcat(heard, "|");
}

static void add(trib_repeated_errors *alike, const char *form, const char *path, const char *id) {
    char sentence[256];
    snprintf(sentence, sizeof sentence, form, path, id);
    CHECK(trib_repeated_errors_add(alike, sentence, &(trib_repeated_errors_about){path, id},
                                   NULL) == TRIB_OK);
}

TEST(a_thousand_similar_errors_are_reported_once) {
    GIVEN(trib_repeated_errors) alike = {0};
    char path[32], id[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(path, sizeof path, "t/%c%d.txt", 'a' + i % 26, i);
        snprintf(id, sizeof id, "%c%d", 'a' + i % 26, i);
        add(&alike, "%s: '%s' is missing", path, id);
        if (i % 500 == 0) add(&alike, "%s: '%s' is empty", path, id);
    }
    *heard = '\0';
    trib_repeated_errors_say(&alike, hear, NULL);
    EXPECT_TEXT(heard, "t/a0.txt: 'a0' is missing|and 999 more documents with the same error; "
                       "`tributary check --json` names them all|"
                       "t/a0.txt: 'a0' is empty|t/g500.txt: 'g500' is empty|");
}

TEST(a_few_similar_errors_are_reported_each) {
    GIVEN(trib_repeated_errors) alike = {0};
    add(&alike, "%s: '%s' is missing", "a.txt", "a");
    add(&alike, "%s: '%s' is missing", "b.txt", "b");
    add(&alike, "%s: '%s' is missing", "c.txt", "c");
    *heard = '\0';
    trib_repeated_errors_say(&alike, hear, NULL);
    EXPECT_TEXT(heard, "a.txt: 'a' is missing|b.txt: 'b' is missing|c.txt: 'c' is missing|");
}

TEST(names_match_whole_words_and_numbers_are_ignored) {
    const trib_repeated_errors_about none = {NULL, NULL}, letter = {NULL, "a"}, other = {NULL, "b"};
    EXPECT(trib_repeated_errors_kind("byte 17 of 4", &none) ==
           trib_repeated_errors_kind("byte 1234 of 56", &none));
    EXPECT(trib_repeated_errors_kind("'a' has a bad end", &letter) !=
           trib_repeated_errors_kind("'b' has a bad end", &none));
    EXPECT(trib_repeated_errors_kind("'a': cannot be read", &letter) ==
           trib_repeated_errors_kind("'b': cannot be read", &other));
    EXPECT(trib_repeated_errors_kind("missing", &none) !=
           trib_repeated_errors_kind("empty", &none));
    EXPECT(trib_repeated_errors_kind("", &none) == trib_repeated_errors_kind("", &letter));
}

static trib_status add_three(void *context, trib_error *error) {
    (void)context;
    GIVEN(trib_repeated_errors) alike = {0};
    trib_status status = TRIB_OK;
    for (int i = 0; i < 3 && status == TRIB_OK; i++)
        status = trib_repeated_errors_add(&alike, i < 2 ? "missing" : "empty",
                                          &(trib_repeated_errors_about){NULL, NULL}, error);
    return status;
}

TEST(every_allocation_may_fail) { EXPECT(trib_fail_every_allocation(add_three, NULL) > 2); }
