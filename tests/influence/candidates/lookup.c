/* lookup.c - tests of the lookups of influence/candidates/candidates.c. */
#include "base/internal.h"
#include "tests/influence/candidates/corpus.h"

TESTS(candidates, lookup);

enum { N = 30, RATE = 2, MOST_HOLDERS = 20 };

/* Joins the entries of all partitions, as a run stores them. */
static trib_sketch_entry *join(const trib_sketch_index *index, size_t *n) {
    trib_sketch_entry *all = NULL;
    size_t at = 0;
    *n = 0;
    for (uint32_t p = 0; p < index->n_partitions; p++) *n += index->entries[p].n;
    CHECK(trib_new(&all, *n, sizeof *all, "entries", NULL) == TRIB_OK);
    for (uint32_t p = 0; p < index->n_partitions; p++)
        for (size_t i = 0; i < index->entries[p].n; i++) all[at++] = index->entries[p].entry[i];
    return all;
}

/* Entries without those of added documents, which go to *added; the others are numbered among
 * themselves. Every third document is added. */
static trib_sketch_entry *divide(trib_sketch_entries *all, trib_sketch_entries *added) {
    trib_sketch_entry *rest = NULL, *entry = (trib_sketch_entry *)all->entry;
    size_t n = 0;
    CHECK(trib_new(&rest, all->n, sizeof *rest, "entries", NULL) == TRIB_OK);
    *added = (trib_sketch_entries){.entry = rest};
    for (size_t i = 0; i < all->n; i++) {
        if (entry[i].document % 3 == 2) {
            rest[added->n++] = entry[i];
            continue;
        }
        entry[n] = entry[i];
        entry[n++].document -= entry[i].document / 3;
    }
    all->n = n;
    return rest;
}

/* is_divided: every third document is added to an index of the others. */
static void compare(uint32_t n_partitions, uint32_t most_holders, bool is_divided) {
    trib_candidate_list list[N] = {{0}}, one = {0};
    trib_candidate_sums sums;
    trib_sketch own_ngrams = {0}, own_runs = {0};
    uint32_t every[N], number[N];
    bool is_added[N];
    drawn_corpus *corpus = drawn_corpus_init(5, N, 80, 1000);
    for (uint32_t d = 1; d < N; d++) drawn_corpus_plant(corpus, d / 2, d, 20 * d % 300, 5 * d);
    corpus->length[3] = 1; /* without n-grams */
    drawn_corpus_count(corpus, 2);
    drawn_index *index = drawn_corpus_index(corpus, RATE, most_holders, n_partitions, 1);
    for (uint32_t d = 0, n = 0; d < N; d++) {
        every[d] = d;
        is_added[d] = d % 3 == 2;
        if (!is_added[d]) number[n++] = d;
    }
    trib_candidate_search search = {.ngrams = &index->ngrams,
                                    .runs = &index->runs,
                                    .n_ngrams = corpus->n_ngrams,
                                    .rate = RATE,
                                    .rank = every,
                                    .most = 5,
                                    .most_by_runs = 3,
                                    .n_threads = 1};
    CHECK(trib_candidates_find(list, every, N, &search, NULL) == TRIB_OK);
    trib_sketch_entries of_ngrams, of_runs;
    trib_sketch_entry *const ngram = join(&index->ngrams, &of_ngrams.n);
    trib_sketch_entry *const run = join(&index->runs, &of_runs.n);
    of_ngrams.entry = ngram;
    of_runs.entry = run;
    for (size_t i = 1; i < of_ngrams.n; i++) EXPECT(ngram[i - 1].hash <= ngram[i].hash);
    trib_sketch_entries more_ngrams = {0}, more_runs = {0};
    trib_sketch_entry *added_ngram = NULL, *added_run = NULL;
    if (is_divided) {
        added_ngram = divide(&of_ngrams, &more_ngrams);
        added_run = divide(&of_runs, &more_runs);
        search.is_added = is_added;
    }
    const trib_sketch_index none = {.n_documents = N, .most_holders = most_holders};
    search.ngrams = &none;
    search.runs = NULL;
    const trib_candidate_lookup in = {.search = &search,
                                      .ngrams = &of_ngrams,
                                      .runs = &of_runs,
                                      .own_ngrams = &own_ngrams,
                                      .own_runs = &own_runs,
                                      .number = is_divided ? number : NULL,
                                      .added_ngrams = is_divided ? &more_ngrams : NULL,
                                      .added_runs = is_divided ? &more_runs : NULL};
    CHECK(trib_candidate_sums_init(&sums, N, NULL) == TRIB_OK);
    for (uint32_t t = N; t-- > 0;) {
        const trib_sketch_options options = {.rate = trib_candidate_rate(&search, t)};
        CHECK(trib_sketch_build(&own_ngrams, &corpus->document[t], t, &options, NULL) == TRIB_OK);
        CHECK(trib_sketch_runs(&own_runs, corpus->word[t], corpus->length[t], t, NULL, NULL,
                               NULL) == TRIB_OK);
        CHECK(trib_candidates_look_up(&one, t, &in, &sums, NULL) == TRIB_OK);
        CHECK(one.n == list[t].n);
        EXPECT(one.n == 0 ||
               memcmp(one.candidate, list[t].candidate, one.n * sizeof *one.candidate) == 0);
        trib_candidate_list_release(&one);
    }
    EXPECT(list[N - 1].n >= 5);
    for (uint32_t t = 0; t < N; t++) trib_candidate_list_release(&list[t]);
    trib_candidate_sums_release(&sums);
    trib_sketch_release(&own_ngrams);
    trib_sketch_release(&own_runs);
    trib_free(ngram);
    trib_free(run);
    trib_free(added_ngram);
    trib_free(added_run);
}

TEST(a_target_looked_up_has_the_candidates_of_the_index) {
    compare(1, 0, false);
    compare(8, MOST_HOLDERS, false);
}

TEST(added_documents_are_found_like_those_of_the_index) { compare(1, 0, true); }

TEST(an_added_target_is_looked_up_at_the_rate_of_the_index) {
    const uint64_t n_ngrams[] = {10, 10};
    const bool is_added[] = {false, true};
    const trib_sketch_index none = {.n_documents = 2};
    const trib_candidate_search search = {
        .ngrams = &none, .n_ngrams = n_ngrams, .rate = 8, .has_wanted = true, .is_added = is_added};
    EXPECT(trib_candidate_rate(&search, 0) == 1);
    EXPECT(trib_candidate_rate(&search, 1) == 8);
}

TEST(an_empty_store_gives_no_candidates) {
    const uint64_t n_ngrams[] = {10, 10};
    const trib_sketch_index none = {.n_documents = 2};
    const trib_candidate_search search = {.ngrams = &none, .n_ngrams = n_ngrams, .rate = 1};
    const trib_sketch_entries nothing = {0};
    trib_sketch_entry entry = {.hash = 7, .document = 0, .count = 1};
    const trib_sketch own = {.entry = &entry, .n = 1}, own_runs = {0};
    const trib_candidate_lookup in = {.search = &search,
                                      .ngrams = &nothing,
                                      .runs = &nothing,
                                      .own_ngrams = &own,
                                      .own_runs = &own_runs};
    trib_candidate_sums sums;
    trib_candidate_list list = {0};
    CHECK(trib_candidate_sums_init(&sums, 2, NULL) == TRIB_OK);
    CHECK(trib_candidates_look_up(&list, 0, &in, &sums, NULL) == TRIB_OK);
    EXPECT(list.n == 0);
    trib_candidate_list_release(&list);
    trib_candidate_sums_release(&sums);
}
