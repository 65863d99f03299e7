/* ids.c - tests of ids and normal forms (names.c). */
#include "pipeline/support/names.h"

#include <string.h>

#include "tests/test.h"

static void a_name_becomes_an_id(void) {
    const char *name = trib_case_text("name");
    trib_buffer id = {0};
    trib_error error = {0};
    const trib_id_from from = {name, strlen(name), *trib_case_text("codes") != '\0'};
    EXPECT_STATUS(trib_id_add(&id, from, &error), TRIB_OK, error);
    EXPECT_TEXT(id.text, trib_case_text("id"));
    EXPECT(id.text && trib_id_is_written_right(id.text));
    trib_buffer_release(&id);
}

static void a_name_is_composed_and_folded(void) {
    char *copy = NULL;
    CHECK(trib_name_composed(&copy, trib_case_text("text"), NULL) == TRIB_OK);
    EXPECT_TEXT(copy, trib_case_text("composed"));
    trib_free(copy);
    CHECK(trib_name_folded(&copy, trib_case_text("text"), NULL) == TRIB_OK);
    EXPECT_TEXT(copy, trib_case_text("folded"));
    trib_free(copy);
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

CU_TestInfo trib_tests_support_ids[] = {
    {"tests/pipeline/support/ids.txt [id]", a_name_becomes_an_id},
    {"tests/pipeline/support/ids.txt [copies]", a_name_is_composed_and_folded},
    {"an id is cut between characters", an_id_is_cut_between_characters},
    {"ids are letters, digits and three signs", ids_are_letters_digits_and_three_signs},
    {"every allocation may fail", every_allocation_may_fail},
    CU_TEST_INFO_NULL};
