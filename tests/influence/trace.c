/* trace.c - tests of the traced runs of influence/posterior.c: words that are copied from known
 * places. That their probabilities are those of the model is a test of traced.c. */
#include "influence/trellis.h"
#include "tests/influence/texts.h"

enum { N_WORDS = 400, TEXT = 8 * (N_WORDS + 100) };

/* Appends the words from .. to - 1 of a text whose words all differ; `kind` names the text. */
static void write_words(char *text, char kind, int from, int to) {
    for (int i = from; i < to; i++) {
        char word[8] = {kind, (char)('a' + i / 26), (char)('a' + i % 26), ' ', '\0'};
        strcat(text, word);
    }
}

static void trace(trib_influence *result, trib_texts *texts, uint32_t shortlist,
                  const char *const text[], size_t n) {
    const trib_influence_options options = {.shortlist = shortlist, .n_threads = 1};
    uint32_t source[TRIB_MAX_TEXTS];
    trib_error error = {0};
    trib_texts_count(texts, 3, text, n);
    const trib_influence_case c = trib_texts_case(texts, 0, source);
    EXPECT_STATUS(
        trib_influence_measure(result, trib_influence_method_find("traced"), &c, &options, &error),
        TRIB_OK, error);
}

/* In texts without a break, n-grams are numbered as the words they begin with. */
static void expect_run(const trib_traced_run *run, uint32_t source, uint32_t target, uint32_t place,
                       uint32_t n_words) {
    EXPECT(run->source == source && run->target == target && run->place == place &&
           run->n + 2 == n_words);
}

static void copied_words_are_traced_to_their_places(void) {
    static char target[TEXT], first[TEXT], second[TEXT];
    trib_texts texts;
    trib_influence result;
    target[0] = first[0] = second[0] = '\0';
    write_words(first, 's', 0, N_WORDS);
    write_words(second, 'z', 0, N_WORDS);
    write_words(target, 'o', 0, 50);
    write_words(target, 'z', 120, 140);
    write_words(target, 's', 200, 215); /* words 70 to 99, of which 85 differs */
    write_words(target, 'o', 50, 51);
    write_words(target, 's', 216, 230);
    write_words(target, 'o', 51, 100);
    write_words(target, 's', 10, 30); /* 149 to 168, earlier in the source than the run before */
    trace(&result, &texts, 0, (const char *[]){target, first, second}, 3);
    CHECK(result.n_trace == 3);
    expect_run(&result.trace[0], 1, 50, 120, 20);
    expect_run(&result.trace[1], 0, 70, 200, 30);
    expect_run(&result.trace[2], 0, 149, 10, 20);
    for (size_t i = 0; i < 3; i++)
        EXPECT(result.trace[i].probability > .97 && result.trace[i].probability <= 1);
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

/* Both sources hold the passage, the first of them twice. */
static void a_run_keeps_its_place_where_others_are_as_probable(void) {
    static char target[TEXT], first[TEXT], second[TEXT];
    trib_texts texts;
    trib_influence result;
    target[0] = first[0] = second[0] = '\0';
    write_words(first, 's', 0, 300);
    write_words(first, 's', 100, 160);
    write_words(second, 'z', 0, 300);
    write_words(second, 's', 100, 160);
    write_words(target, 'o', 0, 100);
    write_words(target, 's', 110, 150);
    write_words(target, 'o', 100, 200);
    trace(&result, &texts, 0, (const char *[]){target, first}, 2);
    CHECK(result.n_trace == 1);
    /* an expression that occurs twice may be the language's: the model gives its last word up */
    expect_run(&result.trace[0], 0, 100, 110, 39);
    EXPECT(result.trace[0].probability > .97);
    trib_influence_release(&result);
    trib_texts_release(&texts);
    trace(&result, &texts, 0, (const char *[]){target, second, second}, 3);
    CHECK(result.n_trace == 1);
    expect_run(&result.trace[0], 0, 100, 310, 40);
    EXPECT(result.trace[0].probability > .45 && result.trace[0].probability < .55);
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

static void sources_of_a_shortlist_have_their_numbers(void) {
    static char target[TEXT], other[3][TEXT];
    trib_texts texts;
    trib_influence result;
    target[0] = '\0';
    for (int i = 0; i < 3; i++) {
        other[i][0] = '\0';
        write_words(other[i], "xyz"[i], 0, N_WORDS);
    }
    write_words(target, 'o', 0, 100);
    write_words(target, 'z', 50, 80);
    write_words(target, 'o', 100, 150);
    trace(&result, &texts, 1, (const char *[]){target, other[0], other[1], other[2]}, 4);
    CHECK(result.n_trace == 1);
    expect_run(&result.trace[0], 2, 100, 50, 30);
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

static void a_text_without_copies_has_no_runs(void) {
    static char target[TEXT], source[TEXT];
    trib_texts texts;
    trib_influence result;
    target[0] = source[0] = '\0';
    write_words(target, 'o', 0, 100);
    write_words(source, 's', 0, 100);
    trace(&result, &texts, 0, (const char *[]){target, source}, 2);
    EXPECT(result.n_trace == 0);
    trib_influence_release(&result);
    trib_texts_release(&texts);
}

CU_TestInfo trib_tests_influence_trace[] = {
    {"copied words are traced to their places", copied_words_are_traced_to_their_places},
    {"a run keeps its place where others are as probable",
     a_run_keeps_its_place_where_others_are_as_probable},
    {"sources of a shortlist have their numbers", sources_of_a_shortlist_have_their_numbers},
    {"a text without copies has no runs", a_text_without_copies_has_no_runs},
    CU_TEST_INFO_NULL,
};
