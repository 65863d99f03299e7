/* editions.c - tests of what the keys of corpus choose in an edition, and of recognised pages:
 * ALTO, PAGE, hOCR; editions.txt has the cases. */
#include "tests/pipeline/support/pack.h"

TESTS(text, editions);

CASES("tests/pipeline/text/editions.txt [decoded]", files_are_decoded) { a_file_is_decoded(); }

/* Appends a text many times. */
static void add_times(trib_buffer *to, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) CHECK(trib_buffer_add(to, text, strlen(text), NULL) == TRIB_OK);
}

/* Was done in a time that grows with the square of the number: minutes for these. */
TEST(elements_with_many_alternatives_are_read) {
    enum { MANY = 100000 };
    GIVEN(trib_buffer) text = {0};
    add_times(&text, "<TEI><text><choice>", 1);
    add_times(&text, "<sic/>", MANY);
    add_times(&text, "<corr>stood</corr></choice> <app>", 1);
    add_times(&text, "<rdg wit='#A'/>", MANY);
    add_times(&text, "<rdg wit='#B'>here</rdg></app></text></TEI>", 1);
    expect_decoded("a.tei reading=regularised witness=B", text.text, text.length,
                   &(decoded){"stood here\n\n", "", "", 0});
}

TEST(deeply_nested_regions_of_page_are_read) {
    enum { DEPTH = 60 };
    GIVEN(trib_buffer) text = {0}, wanted = {0};
    add_times(&text, "<PcGts><Page>", 1);
    add_times(&text,
              "<TextRegion><TextLine><TextEquiv><Unicode>one</Unicode></TextEquiv></TextLine>",
              DEPTH);
    add_times(&text, "</TextRegion>", DEPTH);
    add_times(&text, "</Page></PcGts>", 1);
    add_times(&wanted, "one\n\n", DEPTH);
    expect_decoded("a.xml", text.text, text.length, &(decoded){wanted.text, "", "", 0});
}
