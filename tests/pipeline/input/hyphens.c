/* hyphens.c - tests of words divided at line ends, and of the heads of pages. */
#include "pipeline/input/hyphens.h"

#include "tests/test.h"

/* Joins a text, and expects it without the bytes that divided words; heads are spaces. */
static void expect_joined(const char *text, const char *wanted) {
    trib_joined joined = {0};
    trib_error error = {0};
    trib_buffer bytes = {0}, clean = {0};
    const size_t length = strlen(text);
    CHECK(trib_buffer_add(&bytes, text, length, NULL) == TRIB_OK);
    EXPECT_STATUS(trib_join_hyphens(&joined, bytes.text, length, &error), TRIB_OK, error);
    size_t from = 0;
    for (size_t i = 0; i < joined.hyphens.n; i++) {
        const trib_range gap = joined.hyphens.range[i];
        EXPECT(gap.from >= from && gap.to >= gap.from + 2);
        CHECK(trib_buffer_add(&clean, bytes.text + from, gap.from - from, NULL) == TRIB_OK);
        for (size_t b = gap.from; b < gap.to; b++) EXPECT((unsigned char)bytes.text[b] >= 0x80);
        from = gap.to;
    }
    CHECK(trib_buffer_add(&clean, bytes.text + from, length - from, NULL) == TRIB_OK);
    EXPECT(bytes.length == length && joined.hyphens.n <= joined.n_divided);
    EXPECT_TEXT(clean.text, wanted);
    trib_buffer_release(&bytes);
    trib_buffer_release(&clean);
    trib_joined_release(&joined);
}

static void divided_words_are_joined(void) {
    expect_joined("the rep-\nresentative", "the representative");
    expect_joined("an ense-\r\n\t\xC3\xB1"
                  "anza",
                  "an ense\xC3\xB1"
                  "anza");
    expect_joined("Einrich\u2E17\n\u2E17tungen", "Einrichtungen");
    expect_joined("IN ENG-\nLAND", "IN ENGLAND");
    expect_joined("so\u00AD\nmething", "something");
    expect_joined("so\u2010\nlely", "solely");
}

static void the_words_of_the_text_decide(void) {
    expect_joined("some thing of something, some-\nthing", "some thing of something, something");
    expect_joined("much used and worn, much-\nworn", "much used and worn, much-\nworn");
    expect_joined("a semi-wild re-\nwild semi-\nwild", "a semi-wild rewild semi-\nwild");
    expect_joined("MUCH Worn much-\nworn", "MUCH Worn much-\nworn");
}

static void what_is_no_divided_word_stays(void) {
    static const char *const same[] = {"Schleswig-\nHolstein",
                                       "he said -\nthen",
                                       "word-\n\nnext",
                                       "12-\n13",
                                       "word-",
                                       "word-\n",
                                       "a-b",
                                       "",
                                       "-\nx"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) expect_joined(same[i], same[i]);
}

static void heads_of_pages_are_left_out(void) {
    expect_joined("## p. 12 (#34) ####\n\n12\nfirst con-\n\n## p. 13 (#35) ####\n13\nsequence\n4\n",
                  "                   \n\n  \nfirst consequence\n \n");
    expect_joined("THE HERON 1\none di-\n\fTHE HERON 2\nvided\n\fTHE HERON 3\nthree\n- 7 -\n",
                  "           \none divided\n\f           \nthree\n     \n");
    /* too seldom for a head */
    expect_joined("THE HERON\none\n\fTHE HERON\ntwo\n", "THE HERON\none\n\fTHE HERON\ntwo\n");
    /* three times, but on two pages */
    expect_joined("O heron\nO heron\none\n\fO heron\ntwo\n",
                  "O heron\nO heron\none\n\fO heron\ntwo\n");
    /* no pages: numbers are part of the text */
    expect_joined("12\nfirst\n13\n", "12\nfirst\n13\n");
}

static void only_roman_numerals_are_numbers_of_pages(void) {
    expect_joined(
        "civil\none\n\fxviiii\ntwo\n\fCXLIV\nthree\n\f- ix -\nfour\n\fVi\nfive\n\fill\nsix\n\f"
        "Page c\nseven\n\f12-13\neight\n\f",
        "civil\none\n\f      \ntwo\n\f     \nthree\n\f      \nfour\n\fVi\nfive\n\fill\nsix\n\f"
        "      \nseven\n\f     \neight\n\f");
}

static void other_encodings_are_left_as_they_are(void) {
    char text[] = "caf\xE9 rep-\nresent";
    trib_joined joined = {0};
    EXPECT(trib_join_hyphens(&joined, text, sizeof text - 1, NULL) == TRIB_OK);
    EXPECT_TEXT(text, "caf\xE9 rep-\nresent");
    EXPECT(joined.hyphens.remark != NULL && joined.n_divided == 0);
    trib_joined_release(&joined);
}

CU_TestInfo trib_tests_input_hyphens[] = {
    {"divided words are joined", divided_words_are_joined},
    {"the words of the text decide", the_words_of_the_text_decide},
    {"what is no divided word stays", what_is_no_divided_word_stays},
    {"heads of pages are left out", heads_of_pages_are_left_out},
    {"only Roman numerals are numbers of pages", only_roman_numerals_are_numbers_of_pages},
    {"other encodings are left as they are", other_encodings_are_left_as_they_are},
    CU_TEST_INFO_NULL};
