/* concordance.c - tests of influence/concordance.c and of the overlaps of counts.c. */
#include "influence/overlap.h"
#include "tests/influence/texts.h"

TESTS(influence, concordance);

enum { N = 5 };

/* The concordance is there until the next call. */
static trib_concordance *build(const trib_texts *texts) {
    static trib_concordance only, *k = &only;
    trib_error error = {0};
    trib_concordance_release(k);
    EXPECT_OK(trib_concordance_build(k, texts->document, texts->n, texts->words.n_words, &error));
    CHECK(k->start && k->n_documents == texts->n);
    return k;
}

/* Every entry of every document is listed once among the holders of its n-gram, and nowhere
 * else. */
TEST(every_entry_is_listed_once_as_a_holder) {
    trib_texts *texts = trib_texts_invented(2, 400, "..-00");
    const trib_concordance *k = build(texts);
    size_t n_held = 0;
    for (uint32_t d = 0; d < N; d++) {
        EXPECT(k->first[d + 1] - k->first[d] == texts->counts[d].nnz);
        for (size_t e = 0; e < texts->counts[d].nnz; e++) {
            const uint32_t g = k->number[k->first[d] + e];
            size_t n_found = 0;
            CHECK(g < k->n_ngrams);
            for (size_t h = k->start[g]; h < k->start[g + 1]; h++) {
                n_found += k->holder[h].document == d &&
                           k->holder[h].count == trib_hacoo_count(&texts->counts[d], e);
                EXPECT(h == k->start[g] || k->holder[h - 1].document < k->holder[h].document);
            }
            EXPECT(n_found == 1);
            n_held += n_found;
        }
    }
    EXPECT(k->start[k->n_ngrams] == n_held && k->n_ngrams < n_held);
}

/* The common n-grams of a text are those that another document holds too, at all their places. */
TEST(common_n_grams_are_those_of_several_documents) {
    trib_texts *texts = trib_texts_invented(2, 400, "..-00");
    const trib_concordance *k = build(texts);
    size_t at = 0, n_others = 0;
    for (uint32_t d = 0; d < N; d++) {
        const trib_influence_document *text = &texts->document[d];
        EXPECT(k->first_common[d] == at);
        for (size_t i = 0; i < text->n_ngrams; i++) {
            const uint32_t g = k->number[k->first[d] + text->sequence[i]];
            if (k->start[g + 1] - k->start[g] < 2) {
                n_others++;
                continue;
            }
            EXPECT(at < k->first_common[N] && k->common[at].place == i && k->common[at].ngram == g);
            at++;
        }
    }
    EXPECT(k->first_common[N] == at && at > 100 && n_others > 100);
}

TEST(without_texts_no_common_n_grams_are_listed) {
    trib_texts *texts = trib_texts_invented(2, 400, "..-00");
    const uint32_t *sequence = texts->document[1].sequence;
    texts->document[1].sequence = NULL;
    const trib_concordance *k = build(texts);
    EXPECT(k->common == NULL);
    texts->document[1].sequence = sequence;
}

/* The concordance of one target equals its part of the concordance of all documents, for any number
 * of threads. */
TEST(the_concordance_of_one_target_is_part_of_the_whole) {
    trib_concordance own;
    trib_error error = {0};
    trib_texts *texts = trib_texts_invented(2, 400, "..-00");
    const trib_concordance *all = build(texts);
    for (uint32_t target = 0; target < N; target++)
        for (int n_threads = 1; n_threads <= 3; n_threads += 2) {
            EXPECT_OK(trib_concordance_of_target(&own, texts->document, N, texts->words.n_words,
                                                 target, NULL, 0, n_threads, &error));
            CHECK(own.n_ngrams == texts->counts[target].nnz && own.n_documents == N);
            for (size_t e = 0; e < own.n_ngrams; e++) {
                const uint32_t g = all->number[all->first[target] + e];
                const size_t h = own.start[own.number[own.first[target] + e]];
                const size_t n = all->start[g + 1] - all->start[g];
                CHECK(own.start[e + 1] - own.start[e] == n);
                for (size_t i = 0; i < n; i++)
                    EXPECT(own.holder[h + i].document == all->holder[all->start[g] + i].document &&
                           own.holder[h + i].count == all->holder[all->start[g] + i].count);
            }
            trib_concordance_release(&own);
        }
}

/* ---- Overlaps -------------------------------------------------------------------------------- */

/* Compares with the definition: every n-gram of the target is searched in every text. */
TEST(the_overlap_equals_a_search_in_every_text) {
    trib_texts *texts = trib_texts_invented(3, 700, ".0.-");
    const trib_influence_case c = trib_texts_case_of_all(texts, 1);
    GIVEN(trib_overlap) overlap = {0};
    trib_error error = {0};
    EXPECT_OK(trib_overlap_build(&overlap, &c, c.source, 4, &error));
    CHECK(overlap.n_entries == texts->counts[1].nnz);
    size_t n_shared = 0;
    for (size_t e = 0; e < overlap.n_entries; e++) {
        const trib_shared_ngram *h = overlap.shared + overlap.start[e];
        for (uint32_t d = 0; d < 4; d++) {
            const uint32_t *index = overlap.index + 3 * e, *word = texts->document[1].word;
            const uint32_t count = trib_texts_times(
                texts, d, (uint32_t[]){word[index[0]], word[index[1]], word[index[2]]});
            if (count == 0) continue;
            n_shared++;
            CHECK(h < overlap.shared + overlap.start[e + 1]);
            EXPECT(h->document == d && h->entry == e && h->count == count);
            EXPECT(h->frequency == count / (double)texts->document[d].n_ngrams);
            h++;
        }
    }
    EXPECT(n_shared == overlap.start[overlap.n_entries] && n_shared > overlap.n_entries);
}

/* Overlaps read from a concordance equal those found by lookup. */
TEST(overlaps_equal_those_found_by_lookup) {
    for (uint32_t n_modes = 1; n_modes <= 3; n_modes++) {
        trib_texts *texts = trib_texts_invented(n_modes, 400, "..-00");
        const trib_concordance *k = build(texts);
        for (uint32_t target = 0; target < N; target++) {
            trib_influence_case c = trib_texts_case_of_all(texts, target);
            const uint32_t document[] = {0, 2, 3, 4};
            GIVEN(trib_overlap) slow = {0}, fast = {0};
            CHECK(trib_overlap_build(&slow, &c, document, 4, NULL) == TRIB_OK);
            c.concordance = k;
            CHECK(trib_overlap_build(&fast, &c, document, 4, NULL) == TRIB_OK);
            CHECK(slow.n_entries == fast.n_entries);
            const size_t n = slow.start[slow.n_entries];
            EXPECT(memcmp(slow.start, fast.start, (slow.n_entries + 1) * sizeof *slow.start) == 0);
            for (size_t h = 0; h < n; h++) {
                const trib_shared_ngram *a = &slow.shared[h], *b = &fast.shared[h];
                EXPECT(a->entry == b->entry && a->document == b->document);
                EXPECT(a->count == b->count && a->frequency == b->frequency);
            }
        }
    }
}

TEST(an_empty_corpus_has_no_n_grams) {
    GIVEN(trib_concordance) k = {0};
    CHECK(trib_concordance_build(&k, NULL, 0, 0, NULL) == TRIB_OK);
    EXPECT(k.n_ngrams == 0 && k.first[0] == 0);
}

TEST(documents_of_different_n_are_an_internal_error) {
    trib_concordance k;
    trib_error error = {0};
    trib_overlap overlap;
    trib_texts *texts = TEXTS(2, "a b c", "a b");
    trib_texts *other = TEXTS(3, "a b c", "a b");
    const trib_influence_document document[] = {texts->document[0], other->document[1]};
    EXPECT_STATUS(trib_concordance_build(&k, document, 2, texts->words.n_words, &error),
                  TRIB_INTERNAL, error);
    EXPECT(k.first == NULL);
    trib_influence_case c = trib_texts_case(texts, 0);
    c.document = document;
    EXPECT_STATUS(trib_overlap_build(&overlap, &c, c.source, 1, &error), TRIB_INTERNAL, error);
}

static trib_status attempt(void *context, trib_error *error) {
    const trib_texts *texts = context;
    GIVEN(trib_concordance) k = {0};
    const trib_status status =
        trib_concordance_build(&k, texts->document, texts->n, texts->words.n_words, error);
    return status;
}

static trib_status attempt_of_target(void *context, trib_error *error) {
    const trib_texts *texts = context;
    GIVEN(trib_concordance) k = {0};
    const trib_status status = trib_concordance_of_target(
        &k, texts->document, texts->n, texts->words.n_words, 0, NULL, 0, 1, error);
    return status;
}

static trib_status attempt_overlap(void *context, trib_error *error) {
    const trib_influence_case c = trib_texts_case(context, 0);
    GIVEN(trib_overlap) overlap = {0};
    const trib_status status = trib_overlap_build(&overlap, &c, c.source, c.n_sources, error);
    EXPECT(status == TRIB_OK || overlap.shared == NULL);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    trib_texts *texts = TEXTS(2, "a b c", "a b", "b c");
    EXPECT(trib_fail_every_allocation(attempt, texts) > 5);
    EXPECT(trib_fail_every_allocation(attempt_overlap, texts) > 6);
}

TEST(a_search_can_be_stopped_in_every_document) {
    trib_texts *texts = TEXTS(2, "a b c", "a b", "b c");
    EXPECT(trib_stop_at_every_look(attempt, texts) > 3);
    EXPECT(trib_stop_at_every_look(attempt_of_target, texts) >= 3);
    EXPECT(trib_stop_at_every_look(attempt_overlap, texts) >= 4);
}
