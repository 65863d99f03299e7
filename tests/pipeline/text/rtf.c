/* rtf.c - tests of RTF; rtf.txt has the cases. */
#include "tests/pipeline/support/pack.h"

TESTS(text, rtf);

CASES("tests/pipeline/text/rtf.txt [decoded]", files_are_decoded) { a_file_is_decoded(); }

TEST(groups_in_many_groups_are_rejected) {
    char deep[6 + 5000 + 1] = "{\\rtf1";
    memset(deep + 6, '{', 5000);
    expect_decoded("a.rtf", deep, sizeof deep - 1,
                   &(decoded){.said = "a.rtf: has groups in more than 4096 groups"});
}
