/* decoy.c - tests of influence/passages/decoy.c. */
#include "influence/passages/passages.h"
#include "tests/influence/texts.h"

TESTS(passages, decoy);

/* Appends n of the next 60 words of a text, and returns where the others end. */
static const char *append_words(char *to, const char *from, size_t n) {
    for (size_t i = 0; i < 60; i++) {
        const size_t length = strcspn(from, " ") + 1;
        if (i < n) strncat(to, from, length);
        from += length;
    }
    return from;
}

/* Counts a target of which 40 % are runs of 20 words of the first source. */
static trib_texts *count_copied(void) {
    static char target[40000];
    GIVEN(trib_owned_text)
    source = trib_texts_invent(1, 2000, NULL), other = trib_texts_invent(2, 2000, NULL);
    GIVEN(owned_text) own = trib_texts_invent(3, 2000, NULL);
    const char *at_source = source, *at_own = own;
    *target = '\0';
    for (size_t k = 0; k < 30; k++) {
        at_source = append_words(target, at_source, 20);
        at_own = append_words(target, at_own, 30);
    }
    trib_texts *corpus = TEXTS(3, target, source, other);
    return corpus;
}

/* Sums how often each of the target's own words occurs in the first mode. */
static void count_words(const trib_influence_document *document, uint64_t *n) {
    uint32_t index[TRIB_MAX_MODES];
    for (uint32_t i = 0; i < document->n_local; i++) n[i] = 0;
    for (size_t e = 0; e < document->counts->nnz; e++) {
        const uint32_t count = trib_hacoo_entry(document->counts, e, index);
        n[index[0]] += count;
    }
}

TEST(a_shuffled_target_has_the_same_words_in_another_order) {
    GIVEN(trib_decoy) decoy = {0}, again = {0}, other = {0};
    trib_error error = {0};
    uint32_t index[TRIB_MAX_MODES];
    size_t n_kept = 0, n_missing = 0, n_same = 0;
    trib_texts *corpus = count_copied();
    const trib_influence_case c = trib_texts_case(corpus, 0);
    const trib_influence_document *target = &corpus->document[0];
    EXPECT_OK(trib_decoy_make(&decoy, &c, 7, &error));
    EXPECT_OK(trib_decoy_make(&again, &c, 7, &error));
    EXPECT_OK(trib_decoy_make(&other, &c, 8, &error));
    CHECK(decoy.document.n_ngrams == target->n_ngrams && decoy.document.word == target->word);
    EXPECT(decoy.counts.total == target->counts->total);
    EXPECT(decoy.n_blocks > target->n_words / 4 && decoy.n_blocks <= target->n_words);
    uint64_t *before = calloc(target->n_local, sizeof *before),
             *after = calloc(target->n_local, sizeof *after);
    CHECK(before && after);
    count_words(target, before);
    count_words(&decoy.document, after);
    /* the last two words begin no n-gram */
    for (uint32_t i = 0; i < target->n_local; i++)
        n_missing += before[i] > after[i] ? before[i] - after[i] : 0;
    EXPECT(n_missing <= 2);
    for (size_t e = 0; e < decoy.counts.nnz; e++) {
        const uint32_t n = trib_hacoo_entry(&decoy.counts, e, index);
        n_kept += trib_hacoo_get(target->counts, index) > 0 ? n : 0;
    }
    EXPECT(n_kept < target->n_ngrams / 4);
    for (size_t k = 0; k < target->n_ngrams; k++) {
        EXPECT(decoy.sequence[k] == again.sequence[k]);
        n_same += decoy.sequence[k] == other.sequence[k];
    }
    EXPECT(n_same < target->n_ngrams);
    free(before);
    free(after);
}

TEST(a_shuffled_copy_stays_below_the_floor) {
    static const char *const methods[] = {"traced", "split"};
    trib_texts *corpus = count_copied();
    const trib_influence_case c = trib_texts_case(corpus, 0);
    const trib_influence_options options = {.bootstrap = 20, .seed = 1, .n_threads = 2};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const trib_influence_method *method = trib_influence_method_find(methods[m]);
        trib_influence_null null;
        trib_error error = {0};
        trib_influence *shares = trib_measured(&c, method->name, &options);
        EXPECT_OK(trib_influence_null_measure(&null, method, &c, &options, &error));
        EXPECT(shares->share[0] > .3);
        EXPECT(null.is_measured && null.largest < method->floor && null.mean <= null.largest);
        EXPECT(null.seed == 1 && null.n_blocks > 0);
    }
}

TEST(a_method_that_needs_factors_has_no_shuffled_target) {
    trib_influence_null null = {.is_measured = true};
    const trib_influence_case c = {0};
    const trib_influence_options options = {0};
    EXPECT(trib_influence_null_measure(&null, trib_influence_method_find("lowe"), &c, &options,
                                       NULL) == TRIB_OK);
    EXPECT(!null.is_measured);
}

/* The context is the case. */
static trib_status try_decoy(void *context, trib_error *error) {
    GIVEN(trib_decoy) decoy = {0};
    const trib_status status = trib_decoy_make(&decoy, context, 1, error);
    return status;
}

TEST(a_shuffled_target_reports_every_failing_allocation) {
    trib_influence_case c = trib_texts_case(TEXTS(2, "a b c a b d", "x a b y a b z", "e f"), 0);
    EXPECT(trib_fail_every_allocation(try_decoy, &c) > 5);
}

/* "a b" stands in the source after x and y, and before y and z; all other words stand alone. */
TEST(only_turns_of_phrase_stay_together) {
    GIVEN(trib_decoy) decoy = {0};
    trib_error error = {0};
    const trib_influence_case c = trib_texts_case(TEXTS(2, "a b c a b d", "x a b y a b z c a"), 0);
    EXPECT_OK(trib_decoy_make(&decoy, &c, 1, &error));
    EXPECT(decoy.n_blocks == 4); /* a b, c, a b, d */
}
