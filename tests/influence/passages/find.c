/* find.c - tests of influence/passages/find.c. */
#include "influence/passages/passages.h"
#include "tests/influence/texts.h"

TESTS(passages, find);

static trib_status try_to_find(trib_passages *passages, trib_texts *texts, size_t gap,
                               uint32_t wildcard, trib_error *error) {
    const trib_influence_case c = trib_texts_case(texts, 0);
    const trib_passages_wanted all = {(const uint8_t[]){1}, NULL, wildcard, gap};
    *passages = (trib_passages){0};
    return trib_passages_find(passages, &all, &c, NULL, 1, error);
}

/* The passages are there until the next call. */
static const trib_passages *find(trib_texts *texts, size_t gap, uint32_t wildcard) {
    static trib_passages passages;
    trib_error error = {0};
    trib_passages_release(&passages);
    EXPECT_STATUS(try_to_find(&passages, texts, gap, wildcard, &error), TRIB_OK, error);
    return &passages;
}

/* Whether the words under n-gram i of text 0 and n-gram j of text 1 are the same. */
static bool same_words(const trib_texts *texts, size_t i, size_t j) {
    for (uint32_t m = 0; m < texts->n_modes; m++)
        if (texts->document[0].word[texts->stream[0][i + m]] !=
            texts->document[1].word[texts->stream[1][j + m]])
            return false;
    return true;
}

TEST(runs_are_joined_over_a_gap) {
    /* bigrams: "a b c d" and "f g h" are shared, one word differs between them */
    trib_texts *texts = TEXTS(2, "x a b c d e f g h y", "q a b c d z f g h");
    const trib_passages *passages = find(texts, 2, UINT32_MAX);
    CHECK(passages->n == 1);
    const trib_passage *p = passages->passage;
    EXPECT(p->target == 1 && p->source == 1 && p->n_target == 7 && p->n_source == 7);
    EXPECT(p->n_shared == 5);
    EXPECT_NEAR(p->mass, 5 / 9.0, 1e-15);
    passages = find(texts, 1, UINT32_MAX); /* too far apart */
    CHECK(passages->n == 2);
    EXPECT(passages->passage[0].n_shared == 3 && passages->passage[1].n_shared == 2);
}

TEST(order_in_the_source_counts) {
    trib_texts *texts = TEXTS(2, "a b c x d e f", "d e f x a b c");
    const trib_passages *passages = find(texts, 10, UINT32_MAX);
    CHECK(passages->n == 2); /* the second run lies before the first in the source */
    EXPECT(passages->passage[0].target == 0 && passages->passage[0].source == 4);
    EXPECT(passages->passage[1].target == 4 && passages->passage[1].source == 0);
}

TEST(the_longest_run_wins) {
    trib_texts *texts = TEXTS(2, "a b c d e", "a b c z b c d e");
    const trib_passages *passages = find(texts, 0, UINT32_MAX);
    CHECK(passages->n == 2);
    EXPECT(passages->passage[0].target == 1 && passages->passage[0].source == 4 &&
           passages->passage[0].n_shared == 3);
    EXPECT(passages->passage[1].target == 0 &&
           passages->passage[1].n_shared == 1); /* the rest of the second run */
}

TEST(a_wildcard_equals_nothing) {
    trib_texts *texts = TEXTS(2, "a b c", "a b c");
    uint32_t b = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (texts->stream[0][1] == i) b = texts->document[0].word[i];
    const trib_passages *passages = find(texts, 5, b);
    EXPECT(passages->n == 0);
}

TEST(texts_that_share_nothing_have_no_passages) {
    trib_texts *texts = TEXTS(3, "a b c d", "w x y z");
    const trib_passages *passages = find(texts, 5, UINT32_MAX);
    EXPECT(passages->n == 0);
}

/* On invented texts: marked words are shared, every n-gram lies in at most one passage, and no run
 * is missed. */
TEST(passages_hold_what_both_texts_hold) {
    char *text[2];
    text[1] = trib_texts_invent(1, 900, NULL);
    text[0] = trib_texts_invent(2, 900, text[1]);
    trib_texts *texts = trib_texts_count(3, (const char *const *)text, 2);
    const trib_passages *passages = find(texts, 6, UINT32_MAX);
    CHECK(passages->n > 3);
    const size_t n = texts->document[0].n_ngrams, n_source = texts->document[1].n_ngrams;
    uint8_t *seen = calloc(n, 1), *shared = calloc(n, 1);
    size_t n_shared = 0, n_marked = 0;
    CHECK(seen && shared);
    for (size_t r = 0; r < passages->n_runs; r++)
        memset(shared + passages->run[r].target, 1, passages->run[r].n);
    for (size_t p = 0; p < passages->n; p++) {
        const trib_passage *passage = &passages->passage[p];
        n_shared += passage->n_shared;
        EXPECT(passage->n_shared > 0 && passage->n_shared <= passage->n_target);
        EXPECT(p == 0 || passage->mass <= passage[-1].mass);
        EXPECT(passage->source + passage->n_source <= n_source);
        EXPECT(same_words(texts, passage->target, passage->source));
        EXPECT(same_words(texts, passage->target + passage->n_target - 1,
                          passage->source + passage->n_source - 1));
        for (size_t k = 0; k < passage->n_target; k++) EXPECT(seen[passage->target + k]++ == 0);
    }
    for (size_t i = 0; i < n; i++) {
        n_marked += shared[i];
        bool held = false;
        for (size_t j = 0; j < n_source && !held; j++) held = same_words(texts, i, j);
        EXPECT(held || !shared[i]);
        for (size_t j = 0; j + 20 < n_source; j++) { /* a run of 20 has a rare n-gram */
            size_t length = 0;
            while (length < 20 && i + length < n && same_words(texts, i + length, j + length))
                length++;
            EXPECT(length < 20 || shared[i]);
        }
    }
    EXPECT(n_shared == n_marked);
    free(seen);
    free(shared);
    free(text[0]);
    free(text[1]);
}

static trib_status find_again(void *context, trib_error *error) {
    trib_passages passages;
    const trib_status status = try_to_find(&passages, context, 3, UINT32_MAX, error);
    trib_passages_release(&passages);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    EXPECT(trib_fail_every_allocation(find_again, TEXTS(2, "a b c d", "b c d a b")) > 6);
}
