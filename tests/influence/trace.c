/* trace.c - tests of the traced runs of influence/posterior.c: words that are copied from known
 * places. That their probabilities are those of the model is a test of traced.c. */
#include "influence/trellis.h"
#include "tests/influence/texts.h"

TESTS(influence, trace);

enum { N_WORDS = 400, TEXT = 8 * (N_WORDS + 100) };

static trib_influence *trace(trib_texts *texts, uint32_t shortlist) {
    const trib_influence_case c = trib_texts_case(texts, 0);
    return trib_measured(&c, "traced", &(trib_influence_options){.shortlist = shortlist});
}

/* In texts without a break, n-grams are numbered as the words they begin with. */
static void expect_run(const trib_traced_run *run, uint32_t source, uint32_t target, uint32_t place,
                       uint32_t n_words) {
    EXPECT(run->source == source && run->target == target && run->place == place &&
           run->n + 2 == n_words);
}

TEST(copied_words_are_traced_to_their_places) {
    static char target[TEXT], first[TEXT], second[TEXT];
    target[0] = first[0] = second[0] = '\0';
    trib_texts_append(first, 's', 0, N_WORDS);
    trib_texts_append(second, 'z', 0, N_WORDS);
    trib_texts_append(target, 'o', 0, 50);
    trib_texts_append(target, 'z', 120, 20);
    trib_texts_append(target, 's', 200, 15); /* words 70 to 99, of which 85 differs */
    trib_texts_append(target, 'o', 50, 1);
    trib_texts_append(target, 's', 216, 14);
    trib_texts_append(target, 'o', 51, 49);
    trib_texts_append(target, 's', 10,
                      20); /* 149 to 168, earlier in the source than the run before */
    trib_influence *result = trace(TEXTS(3, target, first, second), 0);
    CHECK(result->n_trace == 3);
    expect_run(&result->trace[0], 1, 50, 120, 20);
    expect_run(&result->trace[1], 0, 70, 200, 30);
    expect_run(&result->trace[2], 0, 149, 10, 20);
    for (size_t i = 0; i < 3; i++)
        EXPECT(result->trace[i].probability > .97 && result->trace[i].probability <= 1);
}

/* Both sources hold the passage, the first of them twice. */
TEST(a_run_keeps_its_place_where_others_are_as_probable) {
    static char target[TEXT], first[TEXT], second[TEXT];
    target[0] = first[0] = second[0] = '\0';
    trib_texts_append(first, 's', 0, 300);
    trib_texts_append(first, 's', 100, 60);
    trib_texts_append(second, 'z', 0, 300);
    trib_texts_append(second, 's', 100, 60);
    trib_texts_append(target, 'o', 0, 100);
    trib_texts_append(target, 's', 110, 40);
    trib_texts_append(target, 'o', 100, 100);
    trib_influence *result = trace(TEXTS(3, target, first), 0);
    CHECK(result->n_trace == 1);
    expect_run(&result->trace[0], 0, 100, 110, 40);
    EXPECT(result->trace[0].probability > .97);
    result = trace(TEXTS(3, target, second, second), 0);
    CHECK(result->n_trace == 1);
    expect_run(&result->trace[0], 0, 100, 310, 40);
    EXPECT(result->trace[0].probability > .45 && result->trace[0].probability < .55);
}

TEST(sources_of_a_shortlist_have_their_numbers) {
    static char target[TEXT], other[3][TEXT];
    target[0] = '\0';
    for (int i = 0; i < 3; i++) {
        other[i][0] = '\0';
        trib_texts_append(other[i], "xyz"[i], 0, N_WORDS);
    }
    trib_texts_append(target, 'o', 0, 100);
    trib_texts_append(target, 'z', 50, 30);
    trib_texts_append(target, 'o', 100, 50);
    trib_influence *result = trace(TEXTS(3, target, other[0], other[1], other[2]), 1);
    CHECK(result->n_trace == 1);
    expect_run(&result->trace[0], 2, 100, 50, 30);
}

TEST(a_text_without_copies_has_no_runs) {
    static char target[TEXT], source[TEXT];
    target[0] = source[0] = '\0';
    trib_texts_append(target, 'o', 0, 100);
    trib_texts_append(source, 's', 0, 100);
    trib_influence *result = trace(TEXTS(3, target, source), 0);
    EXPECT(result->n_trace == 0);
}
