/* translations.c - tests of pipeline/stages/translations.h: words that are alike, dictionaries, and
 * what is quoted word for word. How texts are cut into units is tested by golden/translations. */
#include "pipeline/stages/translations.h"
#include "pipeline/config/config.h"
#include "tests/test.h"

TESTS(stages, translations);

/* Two texts of one unit each, of the words of two lists. */
typedef struct texts {
    trib_intern words;
    uint32_t word[2][64];
    size_t start[2][2];
    trib_units units[2];
    trib_unit_texts both;
    const char *dictionary;
    trib_config config;
} texts;

static void make(texts *t, const char *target, const char *source) {
    trib_error error = {0};
    *t = (texts){.both = {&t->units[0], &t->units[1], 0, 1}};
    EXPECT_OK(trib_config_load(&t->config, NULL, NULL, 0, NULL, NULL, &error));
    for (int k = 0; k < 2; k++) {
        const char *at = k == 0 ? target : source;
        size_t n = 0;
        for (size_t length; *at; at += length + (at[length] == ' ')) {
            length = strcspn(at, " ");
            EXPECT_OK(trib_intern_add(&t->words, at, length, &t->word[k][n++], &error));
        }
        t->start[k][1] = n;
        t->units[k] = (trib_units){t->start[k], t->word[k], 1};
    }
    t->both.n_words = t->words.n_words;
}

static trib_status find(trib_word_table *seeds, texts *t, trib_error *error) {
    return trib_translation_seeds(seeds, &t->both, &t->config, &t->words, &t->dictionary, 1, error);
}

static void release(texts *t) {
    trib_intern_release(&t->words);
    trib_config_release(&t->config);
}

/* The weight of a pair of words; 0: it is none. */
static double weight(const texts *t, const trib_word_table *seeds, const char *target,
                     const char *source) {
    const uint32_t a = trib_intern_find(&t->words, target, strlen(target)),
                   b = trib_intern_find(&t->words, source, strlen(source));
    for (size_t i = 0; i < seeds->n; i++)
        if (seeds->pair[i].target == a && seeds->pair[i].source == b)
            return (double)seeds->pair[i].weight;
    return 0;
}

#define EXPECT_WEIGHT(target, source, wanted)                                                      \
    EXPECT_NEAR(weight(&t, &seeds, target, source), wanted, 1e-6)

TEST(words_that_are_alike_stand_for_each_other) {
    GIVEN(trib_word_table) seeds = {0};
    trib_error error = {0};
    texts t;
    make(&t, "maria 12 et \xD0\xB2\xD0\xB0\xD0\xB2\xD0\xB8\xD0\xBB\xD0\xBE\xD0\xBD terra",
         "maria 12 et vavilon babylon mariam ferra");
    EXPECT_OK(find(&seeds, &t, &error));
    EXPECT_WEIGHT("maria", "maria", 1);
    EXPECT_WEIGHT("12", "12", 1);
    EXPECT_WEIGHT("et", "et", .5);
    EXPECT_WEIGHT("\xD0\xB2\xD0\xB0\xD0\xB2\xD0\xB8\xD0\xBB\xD0\xBE\xD0\xBD", "vavilon", .5);
    EXPECT_WEIGHT("maria", "mariam", 4. / 11); /* ^ma mar ari ria, of 5 and 6 groups */
    EXPECT_WEIGHT("terra", "ferra", 0);        /* another first letter */
    EXPECT(seeds.n == 5);
    release(&t);
}

TEST(a_dictionary_may_have_either_language_first) {
    static const char *const tables[] = {"domus\thouse, home\nmagnus\tgreat\t.25\nres publica\tx\n",
                                         "house\tdomus\nhome\tdomus\ngreat\tmagnus\t.25\n"};
    for (int k = 0; k < 2; k++) {
        GIVEN(trib_word_table) seeds = {0};
        trib_error error = {0};
        texts t;
        make(&t, "domus magnus domusque domibus", "house home great");
        t.dictionary = trib_write_scratch("words.tsv", tables[k]);
        EXPECT_OK(find(&seeds, &t, &error));
        EXPECT_WEIGHT("domus", "house", .5);
        EXPECT_WEIGHT("domus", "home", .5);
        EXPECT_WEIGHT("domusque", "home", .5); /* the longest common beginning */
        EXPECT_WEIGHT("domibus", "home", 0);   /* three letters in common */
        EXPECT_WEIGHT("magnus", "great", .25);
        release(&t);
    }
}

/* Notes, brackets and the first line are left out; the fourth column is that of some servers. */
TEST(a_dictionary_of_dictd_is_read) {
    GIVEN(trib_word_table) seeds = {0};
    trib_error error = {0};
    texts t;
    make(&t, "domus magnus", "house home great note large");
    trib_write_scratch("words.dict", "domus /x/\nhouse, home <n>\n   Note: note\n"
                                     "magnus\n[adj] great\n");
    t.dictionary = trib_write_scratch("words.index", "\tA\tB\ndomus\tA\to\nmagnus\to\tT\tMagnus\n");
    EXPECT_OK(find(&seeds, &t, &error));
    EXPECT_WEIGHT("domus", "house", .5);
    EXPECT_WEIGHT("domus", "home", .5);
    EXPECT_WEIGHT("magnus", "great", 1);
    EXPECT(seeds.n == 3);
    release(&t);
}

TEST(units_that_stand_in_the_source_are_emptied) {
    trib_error error = {0};
    texts t;
    uint32_t n = 0;
    make(&t, "a b c d e f", "x a b c d e y f");
    EXPECT_OK(trib_units_take_verbatim(&t.units[0], &t.units[1], &n, t.words.n_words, &error));
    EXPECT(n == 1 && t.units[0].start[1] == 0); /* two of three groups of four words */
    release(&t);
    make(&t, "a b c d e f", "x a b c d y e f");
    EXPECT_OK(trib_units_take_verbatim(&t.units[0], &t.units[1], &n, t.words.n_words, &error));
    EXPECT(n == 0 && t.units[0].start[1] == 6);
    release(&t);
}

static trib_status attempt(void *context, trib_error *error) {
    GIVEN(trib_word_table) seeds = {0};
    return find(&seeds, context, error);
}

TEST(every_failing_allocation_is_reported) {
    texts t;
    make(&t, "domus magnus terra", "house home great terran");
    t.dictionary = trib_write_scratch("words.tsv", "house\tdomus\nhome\tdomus\n");
    EXPECT(trib_fail_every_allocation(attempt, &t) > 10);
    release(&t);
}
