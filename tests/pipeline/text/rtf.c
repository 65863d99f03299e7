/* rtf.c - tests of RTF; rtf.txt has the cases. */
#include "tests/pipeline/support/pack.h"

static void groups_in_many_groups_are_rejected(void) {
    char deep[6 + 5000 + 1] = "{\\rtf1";
    memset(deep + 6, '{', 5000);
    expect_decoded("a.rtf", deep, sizeof deep - 1,
                   &(decoded){.said = "a.rtf: has groups in more than 4096 groups"});
}

CU_TestInfo trib_tests_text_rtf[] = {
    {"tests/pipeline/text/rtf.txt [decoded]", a_file_is_decoded},
    {"groups in many groups are rejected", groups_in_many_groups_are_rejected},
    CU_TEST_INFO_NULL};
