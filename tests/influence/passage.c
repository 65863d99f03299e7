/* passage.c - tests of the passages of a target: texts whose copied words are known. */
#include "influence/evidence.h"
#include "tests/influence/texts.h"

TESTS(influence, passage);

enum { WORDS = 600, LONG = 16 };

/* The words of an invented text, and the target that a test makes of them. */
static char source[WORDS][LONG], target[2 * WORDS][LONG];
static size_t n_target;

static char *join(char (*word)[LONG], size_t n) {
    char *text = calloc(n + 1, LONG + 1);
    CHECK(text != NULL);
    for (size_t i = 0, at = 0; i < n; i++) at += (size_t)sprintf(text + at, "%s ", word[i]);
    return text;
}

static void invent(void) {
    GIVEN(owned_text) text = trib_texts_invent(7, WORDS, NULL);
    const char *at = text;
    for (int i = 0, used = 0; i < WORDS; i++, at += used)
        CHECK(sscanf(at, "%15s%n", source[i], &used) == 1);
    n_target = 0;
}

static void take(size_t first, size_t n) {
    for (size_t i = first; i < first + n; i++) memcpy(target[n_target++], source[i], LONG);
}

static void add_own(size_t n) {
    for (; n > 0; n--, n_target++)
        snprintf(target[n_target], LONG, "q%cz%c", 'a' + (int)(n_target % 26),
                 'a' + (int)(n_target / 26 % 26));
}

/* Measures the target with the source, once or twice, and another text. */
static const trib_influence *measure(size_t n_copies) {
    static char *text[4];
    const trib_influence_options options = {.n_threads = 1};
    for (size_t i = 0; i < 4; i++) free(text[i]);
    text[0] = join(target, n_target);
    text[1] = join(source, WORDS);
    text[2] = n_copies > 1 ? join(source, WORDS) : trib_texts_invent(9, WORDS, NULL);
    text[3] = trib_texts_invent(8, WORDS, NULL);
    const trib_influence_case c =
        trib_texts_case(trib_texts_count(3, (const char *const *)text, 4), 0);
    return trib_measured(&c, "extent", &options);
}

/* Checks that the passages of a result are sound: their runs lie in them in order, their numbers
 * add up, and no word of the target is in two passages of a source. */
static void expect_sound(const trib_influence *result) {
    for (size_t s = 0, next = 0; s < result->n_passages; s++) {
        const trib_passages *const all = &result->passages[s];
        bool used[2 * WORDS] = {false};
        double mass = 0;
        while (result->source[next] != all->source) next++;
        for (size_t p = 0; p < all->n; p++) {
            const trib_passage *const passage = &all->passage[p];
            uint32_t n = 0, n_equal = 0, end = passage->target;
            mass += passage->mass;
            CHECK(passage->n_runs > 0 && passage->first_run + passage->n_runs <= all->n_runs);
            EXPECT(passage->belief > 0 && passage->belief <= 1 && passage->score > 0);
            for (uint32_t r = 0; r < passage->n_runs; r++) {
                const trib_shared_run *const run = &all->run[passage->first_run + r];
                EXPECT(run->n > 0 && run->kind != TRIB_OWN && run->target >= end);
                end = run->target + run->n;
                n += run->n;
                if (run->kind == TRIB_EQUAL || run->kind == TRIB_MOVED) n_equal += run->n;
                for (uint32_t w = run->target; w < end; w++) {
                    EXPECT(!used[w]);
                    used[w] = true;
                }
                for (uint32_t k = 0; k < run->n; k++)
                    EXPECT((run->kind != TRIB_EQUAL && run->kind != TRIB_MOVED) ||
                           strcmp(target[run->target + k], source[run->source + k]) == 0);
                if (run->source == UINT32_MAX) continue;
                EXPECT(run->source >= passage->source &&
                       run->source + run->n <= passage->source + passage->n_source);
            }
            EXPECT(end == passage->target + passage->n_target);
            EXPECT(n == passage->n_words && n_equal == passage->n_equal);
        }
        EXPECT_NEAR(mass, result->share[next], 1e-6);
    }
}

TEST(a_passage_has_its_words_and_what_was_altered) {
    invent();
    add_own(50);
    take(100, 40);
    strcpy(target[70], "zzzz"); /* replaced */
    add_own(50);
    const trib_influence *result = measure(1);
    expect_sound(result);
    CHECK(result->n_passages >= 1 && result->passages[0].n == 1);
    const trib_passage *p = result->passages[0].passage;
    EXPECT(p->target == 50 && p->n_target == 40 && p->source == 100 && p->n_source == 40);
    EXPECT(p->n_words == 40 && p->n_equal == 39 && p->n_runs == 3 && p->belief > .99);
    EXPECT(result->passages[0].run[p->first_run + 1].kind == TRIB_REPLACED);
}

TEST(what_the_author_inserted_is_in_no_run) {
    invent();
    add_own(30);
    take(200, 60);
    add_own(20);
    take(260, 60);
    add_own(30);
    const trib_influence *result = measure(1);
    expect_sound(result);
    CHECK(result->n_passages >= 1 && result->passages[0].n == 1);
    const trib_passage *p = result->passages[0].passage;
    EXPECT(p->n_target == 140 && p->n_words == 120 && p->n_source == 120);
}

TEST(two_equal_sources_have_half_of_each_passage) {
    invent();
    add_own(30);
    take(0, 50);
    add_own(30);
    take(300, 70);
    const trib_influence *result = measure(2);
    expect_sound(result);
    CHECK(result->n_passages >= 2 && result->passages[0].n == 2 && result->passages[1].n == 2);
    for (int s = 0; s < 2; s++) {
        const trib_passage *p = result->passages[s].passage;
        EXPECT(p[0].n_words == 70 && p[1].n_words == 50); /* by mass */
        EXPECT_NEAR(p[0].mass, 35.0 / (double)n_target, 1e-3);
        EXPECT_NEAR(p[1].mass, 25.0 / (double)n_target, 1e-3);
    }
}
