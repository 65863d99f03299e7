/* segment.c - tests on real texts in many languages. */
#include "tests/tokenizer/token.h"

#include <unicode/unorm2.h>
#include <unicode/ustring.h>

TESTS(tokenizer, segment);

/* Printed by pyicu.py: the words that another program gets from the same ICU 72. */
static const struct {
    const char *file, *locale;
    uint64_t n_words;
    const char *sha256;
} languages[] = {
    {"kafka_verwandlung_de.txt", "de", 19156,
     "a8d96dc085cb4cf3877742d3f5bed8c95bb59f31b9bd543c00de014408d09ca6"},
    {"udhr_amh.txt", "am", 1020,
     "8f38665364b849770f83006690e6dd81aad75e0368199a5ec49437afbfbae577"},
    {"udhr_arb.txt", "ar", 1314,
     "34af9e59f1d46df1e054856ec917e31781ec1bf769f022e39aa8264390008f15"},
    {"udhr_ben.txt", "bn", 1388,
     "d52463ed2e2768a4e62064209fa0b84d052ad85e5357611e909446cb539c17df"},
    {"udhr_cmn_hans.txt", "zh", 1603,
     "923a132bd10ae9f69b2399edf9f310de307d051e5934573c0821bc72304e15f4"},
    {"udhr_cmn_hant.txt", "zh", 1488,
     "86972dd7678e314842cbbae2384a0f8885262a568e6d65fa103e0943ae1aa0a6"},
    {"udhr_deu_1901.txt", "de", 1610,
     "fdccd8f9620faf9598f1bc4043d9945587a75ccc4bc63629b710dfd3cf0d1060"},
    {"udhr_ell_monotonic.txt", "el", 1878,
     "a8013e713a40d8550b358c7f3a43add6dcbc7ba72d3cfde46cd084ab7410e327"},
    {"udhr_eng.txt", "en", 1723,
     "6f88cfd5571f3ad830a95babfdb48a69e77d3ce5c4951e52d1b6f46fb0eace6f"},
    {"udhr_fin.txt", "fi", 1367,
     "4662cf966c0f994449ec41cea05400405fba35fcae317ddda31470a868d64e73"},
    {"udhr_fra.txt", "fr", 1917,
     "db3ff863fa3787b0249b1c8b0a582fbddb2776717e4348f888750e0369d996e4"},
    {"udhr_heb.txt", "he", 1278,
     "9411b8a4ba4d6485c15094be01c8ff9cdaa2fcbb1e46f7cfa9f88fa5f8e4647d"},
    {"udhr_hin.txt", "hi", 2044,
     "ced421ae7b357564e78e20193f675112ac2f012fc243acc370b5a06917bc1898"},
    {"udhr_hye.txt", "hy", 1528,
     "3e995ab0cdfa4e23d7588efa8ac505bd7c7141caf1d76e90d54a8d610f8eae51"},
    {"udhr_ita.txt", "it", 1878,
     "5ff93093bade916d99f2b6d2628115cef653a6b34fa99df8f0e3081ab93e39f0"},
    {"udhr_jpn.txt", "ja", 2139,
     "68bf9b72f450a92172342b40f0e4a306175710d2a9d2f50b5d2c4677a69dec55"},
    {"udhr_kat.txt", "ka", 1380,
     "927a0a8679834891a49c9c33991214fbf15e1da0b0c1e8d43f165fb7d0ef5032"},
    {"udhr_khm.txt", "km", 1972,
     "70c106e4bb8bb27e9a777d8dff8e371a5132fa2bf2804b6ec17df9c663a393bb"},
    {"udhr_kor.txt", "ko", 1156,
     "ee1bd9ae07ac4598a57cb1692fec28b67782d28d2171fe95f328f515bb92caf5"},
    {"udhr_lao.txt", "lo", 2379,
     "a98d067bc3498e4296524bcb57cddc94851f937bfe082230538dd83dc2f9529f"},
    {"udhr_mya.txt", "my", 3371,
     "4b687f157fedff80524ac8d37f4ab45804aedd140ffae9af9496c7c8f31e9fdb"},
    {"udhr_pes_1.txt", "fa", 1821,
     "9d12c5f8094b897dfb7aab61a820620fec0da1a36bff7071c4be97f02f515097"},
    {"udhr_por_BR.txt", "pt", 1802,
     "8f8f22cc58494809604851b1a38030b73cfc06c2bee5c8abb251ce693a5743a6"},
    {"udhr_rus.txt", "ru", 1578,
     "f702ff68124ce6ebde9c46d22e69e29e7a9ccc959fb87fd40faa17bed738c940"},
    {"udhr_spa.txt", "es", 1894,
     "5b6c41a51a071c2e07890a66e4e2fcde6e7c8d6d1451e992db055004e1979f15"},
    {"udhr_tam.txt", "ta", 1278,
     "697fbffd647d3b2c64128fd143f37a4f4474c96050d00efdb800c12ad866c445"},
    {"udhr_tha.txt", "th", 2301,
     "56114d5e46e9b2ec4e06322b33d881a71effe0610e8a99f181c1ff1f7ab24848"},
    {"udhr_tur.txt", "tr", 1334,
     "60b3c0b014bccad6d309d20da2e91f340f5a959deee5909e19bdd1d94c18d079"},
    {"udhr_ukr.txt", "uk", 1546,
     "45b106211adfdeee4b533b8796721520f89c262c77b799cd4d8f097122cb722d"},
    {"udhr_vie.txt", "vi", 2468,
     "571f168364347e34c3699d8f9489a52241933028b002a8325f5ee6a80d471d51"},
};
enum { N_LANGUAGES = sizeof languages / sizeof *languages };

static trib_status hash_word(void *context, const trib_token *token, trib_error *error) {
    (void)error;
    trib_sha256_add(context, token->text, token->length);
    trib_sha256_add(context, "\n", 1);
    return TRIB_OK;
}

TEST(thirty_languages_give_the_words_of_pyicu) {
    UVersionInfo icu;
    u_getVersion(icu);
    for (size_t i = 0; i < N_LANGUAGES; i++) {
        char name[100], sha256[TRIB_SHA256_TEXT];
        snprintf(name, sizeof name, "corpora/multilingual/%s", languages[i].file);
        const char *path = trib_shared(name);
        if (!path) return;
        GIVEN(trib_buffer) text = {0};
        trib_read_bytes(path, &text);
        trib_error error = {0};
        trib_tokenizer *tokenizer = NULL;
        trib_token_counts counts = {0};
        trib_sha256 hash = {0};
        trib_token_options options = {DEFAULTS, .locale = languages[i].locale};
        options.equivalence = TRIB_EQUIVALENCE_NONE;
        EXPECT_OK(trib_tokenizer_open(&tokenizer, &options, &error));
        trib_tokenizer_begin(tokenizer, languages[i].file, hash_word, &hash);
        EXPECT_OK(trib_tokenizer_feed(tokenizer, text.text, text.length, &error));
        EXPECT_OK(trib_tokenizer_end(tokenizer, &counts, &error));
        trib_sha256_end(&hash, sha256);
        /* dictionaries differ between versions of ICU; the checksums are those of version 72 */
        if (icu[0] == 72) {
            EXPECT(counts.n_words == languages[i].n_words);
            EXPECT_TEXT(sha256, languages[i].sha256);
        }
        trib_tokenizer_close(tokenizer);
    }
    if (icu[0] != 72) trib_skip("checksums are those of ICU 72");
}

TEST(any_chunking_gives_the_same_words) {
    static const char *const files[][2] = {{"udhr_eng.txt", "en"},      {"udhr_tha.txt", "th"},
                                           {"udhr_cmn_hans.txt", "zh"}, {"udhr_jpn.txt", "ja"},
                                           {"udhr_mya.txt", "my"},      {"udhr_hin.txt", "hi"},
                                           {"udhr_tur.txt", "tr"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[100];
        snprintf(name, sizeof name, "corpora/multilingual/%s", files[i][0]);
        const char *path = trib_shared(name);
        if (!path) return;
        GIVEN(trib_buffer) text = {0}, whole = {0}, again = {0};
        trib_read_bytes(path, &text);
        trib_error error = {0};
        const trib_token_options options = {DEFAULTS, .locale = files[i][1],
                                            .break_at_paragraph = true,
                                            .break_at_sentence = i == 0};
        /* repeated three times, to exceed a block */
        for (int turn = 0; turn < 2; turn++) {
            const size_t length = text.length;
            GIVEN(trib_owned_text) copy = NULL;
            CHECK(trib_copy_text(&copy, text.text, length, NULL) == TRIB_OK);
            CHECK(trib_buffer_add(&text, copy, length, NULL) == TRIB_OK);
        }
        EXPECT_OK(tokenize(&options, text.text, text.length, 0, true, &whole, NULL, &error));
        for (size_t chunk = 1; chunk <= 17; chunk++) {
            trib_buffer_clear(&again);
            EXPECT_OK(
                tokenize(&options, text.text, text.length, chunk, true, &again, NULL, &error));
            EXPECT(again.length == whole.length &&
                   memcmp(again.text, whole.text, whole.length) == 0);
        }
    }
}

/* ---- Places ---------------------------------------------------------------------------------- */

typedef struct original {
    const trib_buffer *text;
    uint64_t last; /* end of the last word */
    size_t n_wrong;
} original;

/* Computes NFC, full case folding and NFC again of n bytes of UTF-8 that hold no characters the
 * tokeniser removes. */
static void spelt(const char *bytes, size_t n, char *word, size_t size) {
    UChar a[512], b[512];
    int32_t length = 0;
    UErrorCode code = U_ZERO_ERROR;
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&code);
    u_strFromUTF8(a, 512, &length, bytes, (int32_t)n, &code);
    for (int32_t i = 0; i < length; i++)
        if (a[i] == 0x2019) a[i] = '\'';
    length = unorm2_normalize(nfc, a, length, b, 512, &code);
    length = u_strFoldCase(a, 512, b, length, U_FOLD_CASE_DEFAULT, &code);
    length = unorm2_normalize(nfc, a, length, b, 512, &code);
    u_strToUTF8(word, (int32_t)size, NULL, b, length, &code);
    CHECK(U_SUCCESS(code));
}

static trib_status look_up(void *context, const trib_token *token, trib_error *error) {
    (void)error;
    original *in = context;
    char word[1024] = "";
    CHECK(token->offset >= in->last && token->offset + token->n_bytes <= in->text->length);
    in->last = token->offset + token->n_bytes;
    spelt(in->text->text + token->offset, token->n_bytes, word, sizeof word);
    in->n_wrong += strcmp(word, token->text) != 0;
    return TRIB_OK;
}

TEST(the_bytes_at_a_words_place_spell_it) {
    for (size_t i = 0; i < N_LANGUAGES; i++) {
        char name[100];
        snprintf(name, sizeof name, "corpora/multilingual/%s", languages[i].file);
        const char *path = trib_shared(name);
        if (!path) return;
        /* these remove characters, or fold differently */
        if (strstr("tr fa bn", languages[i].locale)) continue;
        GIVEN(trib_buffer) text = {0};
        trib_read_bytes(path, &text);
        trib_error error = {0};
        trib_tokenizer *tokenizer = NULL;
        original in = {&text, 0, 0};
        const trib_token_options options = {DEFAULTS, .locale = languages[i].locale};
        CHECK(trib_tokenizer_open(&tokenizer, &options, NULL) == TRIB_OK);
        trib_tokenizer_begin(tokenizer, languages[i].file, look_up, &in);
        for (size_t at = 0; at < text.length; at += 1001) {
            const size_t left = text.length - at;
            EXPECT_OK(
                trib_tokenizer_feed(tokenizer, text.text + at, left < 1001 ? left : 1001, &error));
        }
        EXPECT_OK(trib_tokenizer_end(tokenizer, NULL, &error));
        EXPECT(in.last > 0);
        EXPECT_NEAR((double)in.n_wrong, 0, 0);
        trib_tokenizer_close(tokenizer);
    }
}
