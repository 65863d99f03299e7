/* frequent.c - tests of influence/frequent.c against a concordance. */
#include "influence/frequent.h"
#include "tests/influence/texts.h"

TESTS(influence, frequent);

enum { N = 6 };

/* Finds the frequent n-grams of each part of the hashes, and adds those of the other parts to those
 * of the last. n_parts is 0: at once. */
static void find_in_parts(trib_frequent_ngrams *found, const trib_influence_case *c,
                          const uint32_t *order, uint32_t more_than, size_t bytes,
                          uint32_t n_parts) {
    trib_frequent_ngrams of[3];
    trib_frequent_options options = {.more_than = more_than,
                                     .n_parts = n_parts,
                                     .most_bytes = bytes,
                                     .n_threads = (int)(more_than % 3) + 1};
    const uint32_t last = n_parts > 0 ? n_parts - 1 : 0;
    for (; options.part <= last; options.part++)
        CHECK(trib_frequent_find(&of[options.part], c->document, order, N, &options, NULL, NULL) ==
              TRIB_OK);
    *found = of[last];
    for (uint32_t p = 0; p < last; p++) {
        EXPECT(more_than > 3 || of[p].n > 0);
        for (size_t s = 0; s < of[p].n_slots; s++)
            if (of[p].slot[s].n_documents > 0)
                CHECK(trib_frequent_add(found, &of[p].slot[s], NULL) == TRIB_OK);
        trib_frequent_release(&of[p]);
    }
}

/* With few counters many n-grams fall into each, and the result must be the same. */
TEST(frequent_ngrams_are_those_of_many_documents) {
    const uint32_t order[N] = {3, 1, 4, 0, 5, 2};
    GIVEN(trib_concordance) k = {0};
    const trib_influence_case c = trib_texts_case(trib_texts_invented(2, 300, "...111"), 0);
    CHECK(trib_concordance_build(&k, c.document, N, c.n_words, NULL) == TRIB_OK);
    for (uint32_t more_than = 1; more_than < N; more_than++)
        for (size_t bytes = 4; bytes <= 1 << 20; bytes <<= 6) {
            const uint32_t n_parts = more_than % 2 ? 3 : 0;
            trib_frequent_ngrams found;
            size_t n_frequent = 0;
            find_in_parts(&found, &c, order, more_than, bytes, n_parts);
            for (size_t g = 0; g < k.n_ngrams; g++)
                n_frequent += k.start[g + 1] - k.start[g] > more_than;
            EXPECT(found.n == n_frequent);
            EXPECT(more_than > 3 || found.n > 0);
            for (uint32_t d = 0; d < N; d++)
                for (size_t e = 0; e < c.document[d].counts->nnz; e++) {
                    const size_t g = k.number[k.first[d] + e], n = k.start[g + 1] - k.start[g];
                    const trib_frequent_ngram *one = trib_frequent_entry(&found, &c.document[d], e);
                    EXPECT((one != NULL) == (n > more_than));
                    if (!one) continue;
                    EXPECT(one->n_documents == n);
                    uint32_t first = 0; /* in `order` */
                    for (bool is_there = false; !is_there; first += !is_there)
                        for (size_t h = k.start[g]; h < k.start[g + 1]; h++)
                            is_there = is_there || k.holder[h].document == order[first];
                    EXPECT(one->earliest == order[first]);
                }
            trib_frequent_release(&found);
        }
}

/* The shares with formulas from either are the same. */
TEST(formulas_are_the_same_from_both) {
    const uint32_t order[N] = {0, 1, 2, 3, 4, 5};
    trib_frequent_ngrams frequent;
    uint8_t *by_concordance = NULL, *by_frequency = NULL;
    uint64_t n = 0, n_again = 0;
    trib_influence_case c = trib_texts_case(trib_texts_invented(2, 300, "...111"), 4);
    c.formula = 3;
    CHECK(trib_formula_find(&by_concordance, &n, &c, NULL) == TRIB_OK);
    find_in_parts(&frequent, &c, order, c.formula, 1 << 10, 0);
    c.frequent = &frequent;
    CHECK(trib_formula_find(&by_frequency, &n_again, &c, NULL) == TRIB_OK);
    EXPECT(n > 0 && n == n_again);
    EXPECT(memcmp(by_concordance, by_frequency, c.document[4].counts->nnz) == 0);
    trib_free(by_concordance);
    trib_free(by_frequency);
    trib_frequent_release(&frequent);
}

enum { MANY = 16, LONG = 2000, SHORT = 60 };

/* The n-grams of the documents `only` among the frequent n-grams are the same as without `only`. */
static void compare_only(const trib_influence_document *document, const uint32_t *order,
                         const uint32_t *only, size_t n_only, uint32_t n_parts, int n_threads) {
    trib_frequent_options options = {
        .more_than = 3, .n_parts = n_parts, .most_bytes = 1 << 20, .n_threads = n_threads};
    size_t n_found = 0, n_listed = 0, n_all = 0;
    for (; options.part <= (n_parts > 0 ? n_parts - 1 : 0); options.part++) {
        trib_frequent_ngrams all, own;
        options.only = NULL;
        CHECK(trib_frequent_find(&all, document, order, MANY, &options, NULL, NULL) == TRIB_OK);
        options.only = only;
        options.n_only = n_only;
        CHECK(trib_frequent_find(&own, document, order, MANY, &options, NULL, NULL) == TRIB_OK);
        for (size_t i = 0; i < n_only; i++)
            for (size_t e = 0; e < document[only[i]].counts->nnz; e++) {
                const trib_frequent_ngram *a = trib_frequent_entry(&all, &document[only[i]], e),
                                          *b = trib_frequent_entry(&own, &document[only[i]], e);
                EXPECT((a != NULL) == (b != NULL));
                n_found += a && b;
                if (a && b) EXPECT(a->n_documents == b->n_documents && a->earliest == b->earliest);
            }
        n_all += all.n;
        n_listed += own.n;
        trib_frequent_release(&all);
        trib_frequent_release(&own);
    }
    EXPECT(n_found > 3);
    EXPECT(n_listed > 0 && n_listed < n_all); /* the others are left out */
}

TEST(ngrams_of_few_documents_are_counted_alone) {
    char *text[MANY];
    uint32_t order[MANY];
    const uint32_t only[] = {15, 6};
    for (uint32_t d = 0; d < MANY; d++) {
        order[d] = (d * 7 + 3) % MANY;
        text[d] = trib_texts_invent(d + 1, d == 6 || d == 15 ? SHORT : LONG,
                                    d > 2 && d % 3 == 0 ? text[1] : NULL);
    }
    const trib_influence_case c =
        trib_texts_case(trib_texts_count(2, (const char *const *)text, MANY), 0);
    for (int d = 0; d < MANY; d++) free(text[d]);
    for (int n_threads = 1; n_threads <= 4; n_threads++)
        for (uint32_t n_parts = 0; n_parts <= 3; n_parts += 3)
            compare_only(c.document, order, only, (size_t)(1 + n_threads % 2), n_parts, n_threads);
}
