/* candidates.c - tests of influence/candidates/candidates.c. */
#include "influence/influence.h"
#include "tests/influence/candidates/corpus.h"

TESTS(candidates, candidates);

enum { N = 30 };

static const uint32_t every[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};

static void release(trib_candidate_list list[]) {
    for (uint32_t t = 0; t < N; t++) trib_candidate_list_release(&list[t]);
}

/* The candidates of all documents; they are there until the next call with the same `slot`. */
static const trib_candidate_list *find(int slot, const trib_candidate_search *search) {
    static trib_candidate_list lists[2][N];
    trib_error error = {0};
    release(lists[slot]);
    EXPECT_OK(trib_candidates_find(lists[slot], every, N, search, &error));
    return lists[slot];
}

/* Documents of different lengths; some share passages. */
static drawn_corpus *draw(uint64_t seed) {
    drawn_corpus *corpus = drawn_corpus_init(seed, N, 80, 1000);
    for (uint32_t d = 1; d < N; d++) drawn_corpus_plant(corpus, d / 2, d, 20 * d % 300, 5 * d);
    corpus->length[3] = 1; /* without n-grams */
    corpus->length[4] = 0;
    drawn_corpus_count(corpus, 2);
    return corpus;
}

static trib_candidate_search search_of(const drawn_index *index, const drawn_corpus *corpus,
                                       uint32_t rate) {
    return (trib_candidate_search){
        .ngrams = &index->ngrams, .n_ngrams = corpus->n_ngrams, .rate = rate, .n_threads = 1};
}

/* Compares each list with the exact shares without formulas; admits(t, s) says which sources are
 * admissible. */
static void compare(const trib_candidate_list list[], const drawn_corpus *corpus, uint32_t formula,
                    bool (*admits)(uint32_t target, uint32_t source)) {
    for (uint32_t t = 0; t < N; t++) {
        uint32_t source[N];
        size_t n = 0, n_positive = 0;
        for (uint32_t s = 0; s < N; s++)
            if (s != t && admits(t, s)) source[n++] = s;
        GIVEN(trib_influence) exact = {0};
        const trib_influence_case c = {.document = corpus->document,
                                       .n_documents = N,
                                       .n_words = corpus->n_words,
                                       .target = t,
                                       .source = source,
                                       .n_sources = n,
                                       .formula = formula};
        CHECK(trib_influence_measure(&exact, trib_influence_method_find("split"), &c,
                                     &(trib_influence_options){.n_threads = 1}, NULL) == TRIB_OK);
        for (size_t s = 0; s < n; s++) {
            size_t i = 0;
            while (i < list[t].n && list[t].candidate[i].document != source[s]) i++;
            n_positive += exact.share[s] > 0;
            EXPECT((i < list[t].n) == (exact.share[s] > 0));
            if (i < list[t].n) EXPECT_NEAR(list[t].candidate[i].share, exact.share[s], 1e-9);
        }
        EXPECT(list[t].n == n_positive);
        for (size_t i = 1; i < list[t].n; i++)
            EXPECT(list[t].candidate[i].share <= list[t].candidate[i - 1].share);
    }
}

static bool all(uint32_t target, uint32_t source) { return target != source; }
static bool by_rank(uint32_t target, uint32_t source) { return source / 3 < target / 3; }
static bool odd(uint32_t target, uint32_t source) {
    return by_rank(target, source) && source % 2 == 1;
}

static void admit_odd(void *context, uint32_t target, uint8_t *is_source) {
    (void)target;
    for (uint32_t d = 0; d < N; d += 2) is_source[d] = 0;
    ++*(int *)context;
}

TEST(a_complete_index_gives_the_exact_shares_by_split) {
    uint32_t rank[N];
    int n_calls = 0;
    for (uint32_t d = 0; d < N; d++) rank[d] = d / 3;
    drawn_corpus *corpus = draw(1);
    drawn_index *index = drawn_corpus_index(corpus, 1, 0, 3, 1);
    trib_candidate_search search = search_of(index, corpus, 1);
    compare(find(0, &search), corpus, 0, all);
    search.rank = rank;
    compare(find(0, &search), corpus, 0, by_rank);
    search.restrict_sources = admit_odd;
    search.context = &n_calls;
    compare(find(0, &search), corpus, 0, odd);
    EXPECT(n_calls == N);
}

/* What more than D documents hold is what the exact methods call a formula. */
TEST(hashes_of_many_documents_are_the_formulas_of_split) {
    enum { MOST = 15 };
    drawn_corpus *corpus = draw(1);
    drawn_index *index = drawn_corpus_index(corpus, 1, MOST, 3, 1);
    EXPECT(index->ngrams.n_common > 0);
    trib_candidate_search search = search_of(index, corpus, 1);
    compare(find(0, &search), corpus, MOST, all);
}

/* ---- Sampled --------------------------------------------------------------------------------- */

/* The share of a source from the formula, over sampled n-grams that at most `most` documents
 * hold. */
static double estimate(const trib_sketch sketch[], const drawn_corpus *corpus, uint32_t t,
                       uint32_t s, uint32_t rate, size_t most) {
    double share = 0;
    for (size_t i = 0; i < sketch[t].n; i++) {
        double sum = 0, part = 0;
        size_t n_holders = 0;
        for (uint32_t d = 0; d < N; d++)
            for (size_t k = 0; k < sketch[d].n; k++) {
                if (sketch[d].entry[k].hash != sketch[t].entry[i].hash) continue;
                const double p = sketch[d].entry[k].count / (double)corpus->n_ngrams[d];
                n_holders++;
                if (d < t) sum += p;
                if (d == s) part = p;
            }
        if (n_holders <= most && part > 0) share += sketch[t].entry[i].count * part / sum;
    }
    return share * rate / (double)corpus->n_ngrams[t];
}

TEST(a_sampled_index_gives_the_estimate_of_the_formula) {
    enum { RATE = 2, MOST = 12 };
    trib_sketch sketch[N] = {{0}};
    drawn_corpus *corpus = draw(2);
    drawn_index *index = drawn_corpus_index(corpus, RATE, MOST, 2, 1);
    EXPECT(index->ngrams.n_common > 0);
    trib_candidate_search search = search_of(index, corpus, RATE);
    search.rank = every;
    search.most = 7;
    search.n_threads = 2;
    const trib_candidate_list *list = find(0, &search);
    for (uint32_t d = 0; d < N; d++)
        CHECK(trib_sketch_build(&sketch[d], &corpus->document[d], d,
                                &(trib_sketch_options){.rate = RATE}, NULL) == TRIB_OK);
    for (uint32_t t = 0; t < N; t += 5) {
        bool is_listed[N] = {false};
        for (size_t i = 0; i < list[t].n; i++) {
            const trib_candidate *c = &list[t].candidate[i];
            is_listed[c->document] = true;
            EXPECT(c->document < t);
            EXPECT_NEAR(c->share, estimate(sketch, corpus, t, c->document, RATE, MOST), 1e-9);
        }
        for (uint32_t s = 0; s < t; s++)
            if (!is_listed[s] && list[t].n > 0)
                EXPECT(estimate(sketch, corpus, t, s, RATE, MOST) <=
                       (list[t].n < 7 ? 0 : list[t].candidate[6].share + 1e-9));
        EXPECT(list[t].n <= 7);
    }
    for (uint32_t d = 0; d < N; d++) trib_sketch_release(&sketch[d]);
}

static bool are_equal(const trib_candidate_list a[], const trib_candidate_list b[]) {
    for (uint32_t t = 0; t < N; t++)
        if (a[t].n != b[t].n || (a[t].n > 0 && memcmp(a[t].candidate, b[t].candidate,
                                                      a[t].n * sizeof *a[t].candidate) != 0))
            return false;
    return true;
}

TEST(threads_and_partitions_do_not_change_a_bit) {
    static const uint32_t n_partitions[] = {1, 2, 8};
    const trib_candidate_list *first = NULL;
    size_t n_by_runs = 0;
    drawn_corpus *corpus = draw(3);
    for (size_t p = 0; p < 3; p++)
        for (int n_threads = 1; n_threads <= 16; n_threads *= n_threads == 2 ? 2 : n_threads + 1) {
            drawn_index *index = drawn_corpus_index(corpus, 2, 20, n_partitions[p], n_threads);
            const trib_candidate_list *list =
                find(first != NULL, &(trib_candidate_search){.ngrams = &index->ngrams,
                                                             .runs = &index->runs,
                                                             .n_ngrams = corpus->n_ngrams,
                                                             .rate = 2,
                                                             .rank = every,
                                                             .most = 5,
                                                             .most_by_runs = 3,
                                                             .n_threads = n_threads});
            if (!first) first = list;
            EXPECT(are_equal(first, list));
        }
    for (uint32_t t = 0; t < N; t++) n_by_runs += first[t].n > 5 ? first[t].n - 5 : 0;
    EXPECT(first[N - 1].n >= 5 && n_by_runs > 0);
}

/* Two processes, each with one of two partitions, add their sums. */
TEST(sums_of_parts_of_the_index_add_up) {
    trib_candidate_list one = {0};
    GIVEN(trib_candidate_sums) part = {0}, sum = {0};
    drawn_corpus *corpus = draw(4);
    drawn_index *index = drawn_corpus_index(corpus, 1, 0, 2, 1);
    trib_candidate_search search = search_of(index, corpus, 1);
    search.runs = &index->runs;
    search.most = 4;
    const trib_candidate_list *list = find(0, &search);
    CHECK(trib_candidate_sums_init(&sum, N, NULL) == TRIB_OK);
    CHECK(trib_candidate_sums_init(&part, N, NULL) == TRIB_OK);
    for (uint32_t t = 0; t < N; t++) {
        memset(sum.mass, 0, N * sizeof *sum.mass);
        memset(sum.n_runs, 0, N * sizeof *sum.n_runs);
        for (uint32_t p = 0; p < 2; p++) {
            trib_sketch_index of_ngrams = index->ngrams, of_runs = index->runs;
            of_ngrams.n_partitions = of_runs.n_partitions = 1;
            of_ngrams.groups += p;
            of_runs.groups += p;
            search.ngrams = &of_ngrams;
            search.runs = &of_runs;
            trib_candidate_sums_of(&part, &search, &t, 1);
            for (uint32_t s = 0; s < N; s++) {
                sum.mass[s] += part.mass[s];
                sum.n_runs[s] += part.n_runs[s];
            }
        }
        search.ngrams = &index->ngrams;
        search.runs = &index->runs;
        CHECK(trib_candidate_sums_choose(&one, &sum, &search, t, NULL) == TRIB_OK);
        CHECK(one.n == list[t].n);
        EXPECT(one.n == 0 ||
               memcmp(one.candidate, list[t].candidate, one.n * sizeof *one.candidate) == 0);
        trib_candidate_list_release(&one);
    }
}

/* ---- Finding --------------------------------------------------------------------------------- */

/* 400 documents; each of the last 100 has a passage, 1.5 to 4 % of it, of an earlier one. */
TEST(planted_borrowings_are_candidates) {
    enum { MANY = 400, FIRST = 300, LENGTH = 8000, MOST = 20 };
    uint32_t rank[MANY], target[MANY - FIRST], rate = 0;
    size_t n_found = 0, n_by_runs = 0;
    trib_candidate_list list[MANY - FIRST] = {{0}};
    trib_error error = {0};
    drawn_corpus *corpus = drawn_corpus_init(5, MANY, 3000, LENGTH);
    for (uint32_t d = 0; d < MANY; d++) rank[d] = d;
    for (uint32_t t = FIRST; t < MANY; t++) {
        target[t - FIRST] = t;
        drawn_corpus_plant(corpus, t * 7 % FIRST, t, 0, corpus->length[t] * (15 + t % 26) / 1000);
    }
    drawn_corpus_count(corpus, 3);
    CHECK(trib_sketch_rate_of_corpus(&rate, corpus->n_ngrams, NULL, MANY, 0, NULL) == TRIB_OK);
    EXPECT(rate == 2);
    drawn_index *index = drawn_corpus_index(corpus, rate, 50, 4, 1);
    trib_candidate_search search = search_of(index, corpus, rate);
    search.rank = rank;
    search.most = MOST;
    search.n_threads = 2;
    for (int by_runs = 0; by_runs < 2; by_runs++) {
        if (by_runs) search.most = 1, search.runs = &index->runs;
        EXPECT_OK(trib_candidates_find(list, target, MANY - FIRST, &search, &error));
        for (uint32_t t = FIRST; t < MANY; t++) {
            trib_candidate_list *l = &list[t - FIRST];
            for (size_t i = 0; i < l->n; i++) {
                const bool is_planted = l->candidate[i].document == t * 7 % FIRST;
                if (!by_runs) n_found += is_planted;
                else n_by_runs += is_planted && l->candidate[i].n_runs > 0;
            }
            trib_candidate_list_release(l);
        }
    }
    EXPECT(n_found == MANY - FIRST);
    EXPECT(n_by_runs == MANY - FIRST);
}

/* Target 1 shares 12 words with document 0 and hundreds with the others. */
TEST(a_source_with_a_run_of_12_words_is_a_candidate_beyond_the_limit) {
    enum { FEW = 6, LENGTH = 2000 };
    const uint32_t target = 1;
    GIVEN(trib_candidate_list) list = {0};
    drawn_corpus *corpus = drawn_corpus_init(6, FEW, 4000, LENGTH);
    for (uint32_t d = 2; d < FEW; d++) drawn_corpus_plant(corpus, d, 1, 100 * d, 100);
    drawn_corpus_plant(corpus, 0, 1, 900, TRIB_RUN_WORDS);
    drawn_corpus_count(corpus, 3);
    drawn_index *index = drawn_corpus_index(corpus, 1, 0, 1, 1);
    trib_candidate_search search = search_of(index, corpus, 1);
    search.most = FEW - 2;
    CHECK(trib_candidates_find(&list, &target, 1, &search, NULL) == TRIB_OK);
    EXPECT(list.n == FEW - 2);
    for (size_t i = 0; i < list.n; i++) EXPECT(list.candidate[i].document != 0);
    trib_candidate_list_release(&list);
    search.runs = &index->runs;
    search.most_by_runs = 1;
    CHECK(trib_candidates_find(&list, &target, 1, &search, NULL) == TRIB_OK);
    CHECK(list.n == FEW - 1);
    EXPECT(list.candidate[FEW - 2].document == 0 && list.candidate[FEW - 2].n_runs >= 1);
    EXPECT(list.candidate[FEW - 2].share > 0);
}

/* A short target in an index of rate 8, with its own n-grams wanted: as from a complete index. */
TEST(a_short_target_is_found_by_its_wanted_ngrams) {
    enum { MANY = 310, SHORT = 309, LENGTH = 1000 };
    OPENED(trib_sketch_index) index = {0};
    GIVEN(trib_sketch) sketch = {0};
    GIVEN(trib_wanted_hashes) wanted = {0};
    GIVEN(trib_candidate_list) list = {0}, exact = {0};
    const uint32_t target = SHORT;
    drawn_corpus *corpus = drawn_corpus_init(8, MANY, 100, LENGTH);
    corpus->length[SHORT] = 60;
    drawn_corpus_count(corpus, 2);
    drawn_index *complete = drawn_corpus_index(corpus, 1, 0, 1, 1);
    const trib_sketch_index_options options = {.directory = trib_scratch(""), .n_documents = MANY};
    CHECK(trib_sketch_index_open(&index, &options, NULL) == TRIB_OK);
    CHECK(trib_sketch_build(&sketch, &corpus->document[SHORT], SHORT,
                            &(trib_sketch_options){.rate = 1}, NULL) == TRIB_OK);
    CHECK(trib_wanted_hashes_add(&wanted, &sketch, NULL) == TRIB_OK);
    for (uint32_t d = 0; d < MANY; d++) {
        CHECK(trib_sketch_build(&sketch, &corpus->document[d], d,
                                &(trib_sketch_options){.rate = 8, .wanted = &wanted},
                                NULL) == TRIB_OK);
        CHECK(trib_sketch_index_add(&index, sketch.entry, sketch.n, NULL) == TRIB_OK);
    }
    CHECK(trib_sketch_index_build(&index, 1, NULL) == TRIB_OK);
    EXPECT(index.n_kept < complete->ngrams.n_kept / 2);
    trib_candidate_search search = search_of(complete, corpus, 1);
    CHECK(trib_candidates_find(&exact, &target, 1, &search, NULL) == TRIB_OK);
    search.ngrams = &index;
    search.rate = 8;
    search.has_wanted = true;
    CHECK(trib_candidates_find(&list, &target, 1, &search, NULL) == TRIB_OK);
    CHECK(list.n == exact.n && list.n > 100);
    EXPECT(memcmp(list.candidate, exact.candidate, list.n * sizeof *list.candidate) == 0);
}

/* Targets of 6700 n-grams are looked up at rate 4, whatever finer rate the index has. */
TEST(an_index_at_a_finer_rate_gives_the_same_candidates) {
    enum { MANY = 301, LENGTH = 6702 };
    const trib_candidate_list *first = NULL;
    drawn_corpus *corpus = drawn_corpus_init(10, MANY, 1000, 2 * LENGTH);
    for (uint32_t d = 0; d < MANY; d++) corpus->length[d] = LENGTH;
    drawn_corpus_count(corpus, 3);
    for (uint32_t rate = 4; rate >= 1; rate /= 2) {
        const drawn_index *index = drawn_corpus_index(corpus, rate, 20, 2, 1);
        const trib_candidate_list *list =
            find(first != NULL, &(trib_candidate_search){.ngrams = &index->ngrams,
                                                         .n_ngrams = corpus->n_ngrams,
                                                         .rate = rate,
                                                         .most = 50,
                                                         .n_threads = 1});
        if (!first) first = list;
        EXPECT(first[0].n == 50 && are_equal(first, list));
    }
}

/* With so many documents, the sums of four targets fill a block. */
TEST(targets_of_several_blocks_have_their_own_candidates) {
    enum { MANY = 700000, TARGETS = 11 };
    static uint64_t n_ngrams[MANY];
    trib_candidate_list all[TARGETS] = {{0}}, one = {0};
    OPENED(trib_sketch_index) index = {0};
    uint32_t target[TARGETS];
    const trib_sketch_index_options options = {
        .directory = trib_scratch(""), .n_documents = MANY, .n_partitions = 3};
    CHECK(trib_sketch_index_open(&index, &options, NULL) == TRIB_OK);
    for (uint32_t d = 0; d < MANY; d++) n_ngrams[d] = 100;
    for (uint32_t t = 0; t < TARGETS; t++) {
        target[t] = 60000 * t;
        for (uint64_t h = 0; h <= t; h++) { /* all documents after the h-th hold n-gram h */
            const trib_sketch_entry entry = {h << 60, target[t], 1};
            CHECK(trib_sketch_index_add(&index, &entry, 1, NULL) == TRIB_OK);
        }
    }
    CHECK(trib_sketch_index_build(&index, 1, NULL) == TRIB_OK);
    const trib_candidate_search search = {
        .ngrams = &index, .n_ngrams = n_ngrams, .rate = 1, .n_threads = 2};
    CHECK(trib_candidates_find(all, target, TARGETS, &search, NULL) == TRIB_OK);
    for (uint32_t t = 0; t < TARGETS; t++) {
        CHECK(trib_candidates_find(&one, &target[t], 1, &search, NULL) == TRIB_OK);
        CHECK(all[t].n == TARGETS - 1 && one.n == TARGETS - 1);
        EXPECT(memcmp(all[t].candidate, one.candidate, one.n * sizeof *one.candidate) == 0);
        trib_candidate_list_release(&one);
        trib_candidate_list_release(&all[t]);
    }
}

/* ---- Failures -------------------------------------------------------------------------------- */

static trib_status find_all(void *context, trib_error *error) {
    trib_candidate_list list[N] = {{0}};
    const trib_status status = trib_candidates_find(list, every, N, context, error);
    for (uint32_t t = 0; status != TRIB_OK && t < N; t++)
        EXPECT(list[t].candidate == NULL && list[t].n == 0);
    release(list);
    return status;
}

TEST(what_fails_leaves_no_lists) {
    OPENED(trib_sketch_index) other = {0};
    drawn_corpus *corpus = draw(9);
    drawn_index *index = drawn_corpus_index(corpus, 1, 0, 2, 1);
    trib_candidate_search search = search_of(index, corpus, 1);
    search.n_threads = 2;
    EXPECT(trib_fail_every_allocation(find_all, &search) > N);
    EXPECT(trib_stop_at_every_look(find_all, &search) == N);
    search.rate = 3;
    EXPECT(find_all(&search, NULL) == TRIB_INTERNAL);
    search.rate = 0;
    EXPECT(find_all(&search, NULL) == TRIB_INTERNAL);
    search.rate = 1;
    const trib_sketch_index_options options = {.directory = trib_scratch(""), .n_documents = 2};
    CHECK(trib_sketch_index_open(&other, &options, NULL) == TRIB_OK);
    search.runs = &other;
    EXPECT(find_all(&search, NULL) == TRIB_INTERNAL);
    search.runs = NULL;
    search.ngrams = &other;
    EXPECT(find_all(&search, NULL) == TRIB_INTERNAL);
}
