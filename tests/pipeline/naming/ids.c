/* ids.c - tests of pipeline/naming/ids.c. */
#include "pipeline/naming/ids.h"

#include <string.h>

#include "tests/test.h"

/* Expects the id made from a name. */
static void expect_id(const char *name, bool codes, const char *wanted) {
    trib_buffer id = {0};
    trib_error error = {0};
    const trib_status status = trib_id_add(&id, (trib_id_from){name, strlen(name), codes}, &error);
    EXPECT_STATUS(status, TRIB_OK, error);
    EXPECT_TEXT(id.text, wanted);
    EXPECT(id.text && trib_id_is_written_right(id.text));
    trib_buffer_release(&id);
}

static void an_ascii_name_keeps_its_id(void) {
    expect_id("a  b(1).tar", false, "a__b_1_.tar");
    expect_id("a  b", true, "a_20_20b");
    expect_id("=\"y\"", false, "__y_");
    expect_id("", false, "_");
}

static void letters_of_any_script_are_kept(void) {
    expect_id("Чехов", false, "Чехов");
    expect_id("孔子", false, "孔子");
    expect_id("حديث ١", false, "حديث_١");
    expect_id("हिन्दी", false, "हिन्दी");
    expect_id("Brief 09 – Müller", false, "Brief_09_Müller");
    expect_id("Brief 09 – Müller", true, "Brief_2009_20_2013_20Müller");
    expect_id("– –", false, "_");
}

static void names_are_composed(void) {
    expect_id("E\u0301mile", false, "Émile");
    expect_id("E\u0301mile", true, "E_301mile");
    expect_id("\u0301mile", false, "_mile"); /* an id cannot begin with a mark */
}

static void characters_that_are_not_seen_are_left_out(void) {
    expect_id("می\u200cخواهم", false, "میخواهم");
    expect_id("می\u200cخواهم", true, "می_200cخواهم");
    expect_id("\u200e", false, "_");
}

static void an_id_is_cut_between_characters(void) {
    trib_buffer id = {0};
    char name[3 * 100 + 1] = "";
    for (int i = 0; i < 100; i++) strcat(name, "孔");
    CHECK(trib_id_add(&id, (trib_id_from){name, strlen(name), false}, NULL) == TRIB_OK);
    EXPECT(id.length == 198);
    EXPECT(trib_id_is_written_right(id.text));
    trib_buffer_release(&id);
}

static void ids_are_letters_digits_and_three_signs(void) {
    static const char *const right[] = {"a", "_.-", "Émile", "李白", "١", "ক্ষ"};
    static const char *const wrong[] = {"",      "a b",      "a/b",      "a\u2013b", "\u0301a",
                                        "a\xC3", "a\u200cb", "a\u202eb", "€"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        EXPECT(trib_id_is_written_right(right[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        EXPECT(!trib_id_is_written_right(wrong[i]));
}

static void expect_copies(const char *text, const char *composed, const char *folded) {
    char *copy = NULL;
    CHECK(trib_name_composed(&copy, text, NULL) == TRIB_OK);
    EXPECT_TEXT(copy, composed);
    trib_free(copy);
    CHECK(trib_name_folded(&copy, text, NULL) == TRIB_OK);
    EXPECT_TEXT(copy, folded);
    trib_free(copy);
}

static void names_are_folded(void) {
    expect_copies("", "", "");
    expect_copies("Brief_09-Z", "Brief_09-Z", "brief_09-z");
    expect_copies("A\u030ANGSTRÖM", "ÅNGSTRÖM", "ångström");
    expect_copies("ЧЕХОВ", "ЧЕХОВ", "чехов");
    expect_copies("Straße", "Straße", "strasse");
    expect_copies("\u0390", "\u0390", "\u0390"); /* grows, and is composed again */
    expect_copies("\uFDFA\U0001D160", "\uFDFA\U0001D158\U0001D165\U0001D16E",
                  "\uFDFA\U0001D158\U0001D165\U0001D16E");
    expect_copies("a\xFF", "a\xFF", "a\xFF");
}

static trib_status make_all(void *none, trib_error *error) {
    trib_buffer id = {0};
    char *folded = NULL;
    (void)none;
    trib_status status = trib_id_add(&id, (trib_id_from){"Émile Zola", 11, false}, error);
    if (status == TRIB_OK) status = trib_name_folded(&folded, "Émile", error);
    trib_buffer_release(&id);
    trib_free(folded);
    return status;
}

static void every_allocation_may_fail(void) {
    EXPECT(trib_fail_every_allocation(make_all, NULL) > 3);
}

CU_TestInfo trib_tests_naming_ids[] = {
    {"an ascii name keeps its id", an_ascii_name_keeps_its_id},
    {"letters of any script are kept", letters_of_any_script_are_kept},
    {"names are composed", names_are_composed},
    {"characters that are not seen are left out", characters_that_are_not_seen_are_left_out},
    {"an id is cut between characters", an_id_is_cut_between_characters},
    {"ids are letters, digits and three signs", ids_are_letters_digits_and_three_signs},
    {"names are folded", names_are_folded},
    {"every allocation may fail", every_allocation_may_fail},
    CU_TEST_INFO_NULL};
