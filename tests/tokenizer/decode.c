/* decode.c - tests of encodings, invalid bytes and places in files that are not UTF-8. */
#include "tests/tokenizer/token.h"

TESTS(tokenizer, decode);
CASES("tests/tokenizer/decode.txt [refused]", texts_are_refused) { a_text_is_refused(); }

CASES("tests/tokenizer/decode.txt [words]", texts_have_words) { a_text_has_words(); }

static trib_status hear_nothing(void *context, const trib_token *token, trib_error *error) {
    (void)context, (void)token, (void)error;
    return TRIB_OK;
}

TEST(the_detected_encoding_is_reported) {
    static const struct {
        const char *asked, *text, *told;
    } cases[] = {{NULL, "caf\xC3\xA9", "UTF-8"},
                 {"latin1", "caf\xE9", "latin1"},
                 {"auto", "caf\xC3\xA9", "UTF-8"},
                 {"auto", "a caf\xE9 \x93on the hill\x94", "windows-1252"},
                 {"auto", "plain", "UTF-8"}}; /* the encoding of the previous document is gone */
    trib_tokenizer *t = NULL;
    const char *asked = "";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (i == 0 || cases[i].asked != asked) {
            trib_tokenizer_close(t);
            CHECK(trib_tokenizer_open(&t, &(trib_token_options){.encoding = cases[i].asked},
                                      NULL) == TRIB_OK);
            asked = cases[i].asked;
        }
        trib_tokenizer_begin(t, "x", hear_nothing, NULL);
        EXPECT(trib_tokenizer_feed(t, cases[i].text, strlen(cases[i].text), NULL) == TRIB_OK);
        EXPECT(trib_tokenizer_end(t, NULL, NULL) == TRIB_OK);
        EXPECT_TEXT(trib_tokenizer_encoding(t), cases[i].told);
    }
    trib_tokenizer_close(t);
}
