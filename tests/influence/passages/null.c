/* null.c - tests of influence/passages/decoy.c: a shuffled target is found by the numbers of all
 * documents as it is found by a search of each document. */
#include "influence/passages/passages.h"
#include "tests/influence/texts.h"

TESTS(passages, null);

enum { N_TEXTS = 5 };

/* A corpus of texts that copy each other, and everything that its case can borrow. */
typedef struct inputs {
    trib_texts *corpus;
    trib_concordance concordance;
    trib_word_orders orders;
    trib_number_tables tables;
} inputs;

static void open_inputs(inputs *in) {
    trib_error error = {0};
    in->corpus = trib_texts_invented(3, 900, ".0123");
    const trib_influence_case c = trib_texts_case(in->corpus, 0);
    EXPECT_STATUS(trib_concordance_build(&in->concordance, c.document, N_TEXTS, c.n_words, &error),
                  TRIB_OK, error);
    EXPECT_STATUS(
        trib_word_orders_build(&in->orders, c.document, N_TEXTS, NULL, 0, c.n_words, &error),
        TRIB_OK, error);
    EXPECT_STATUS(trib_number_tables_build(&in->tables, &in->concordance, &in->orders, c.document,
                                           c.n_words, &error),
                  TRIB_OK, error);
}

static void close_inputs(inputs *in) {
    trib_number_tables_release(&in->tables);
    trib_word_orders_release(&in->orders);
    trib_concordance_release(&in->concordance);
}

/* Measures a target by a method with all that the case can borrow, and with none of it. */
static void compare(inputs *in, const char *method, trib_influence_case c, uint32_t shortlist) {
    const trib_influence_method *row = trib_influence_method_find(method);
    const trib_influence_options options = {
        .shortlist = shortlist, .run = 4, .seed = 3, .n_threads = 1};
    trib_influence_null alone, fast;
    trib_error error = {0};
    EXPECT_STATUS(trib_influence_null_measure(&alone, row, &c, &options, &error), TRIB_OK, error);
    c.concordance = &in->concordance;
    c.orders = &in->orders;
    c.tables = &in->tables;
    EXPECT_STATUS(trib_influence_null_measure(&fast, row, &c, &options, &error), TRIB_OK, error);
    EXPECT(alone.largest == fast.largest && alone.mean == fast.mean);
    EXPECT(alone.source == fast.source && alone.n_blocks == fast.n_blocks);
    EXPECT(fast.is_measured && fast.n_blocks > 0 && fast.mean > 0);
}

TEST(numbers_change_nothing) {
    static const char *const methods[] = {"traced", "split", "containment", "anchored"};
    inputs in;
    open_inputs(&in);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (uint32_t target = 0; target < N_TEXTS; target += 2)
            for (uint32_t formula = 0; formula <= 3; formula += 3) {
                trib_influence_case c = trib_texts_case(in.corpus, target);
                c.formula = formula;
                compare(&in, methods[m], c, formula);
            }
    close_inputs(&in);
}

TEST(the_target_may_be_among_its_sources) {
    inputs in;
    open_inputs(&in);
    const trib_influence_case c = trib_texts_case_of_all(in.corpus, 2);
    compare(&in, "traced", c, 0);
    compare(&in, "split", c, 0);
    close_inputs(&in);
}

TEST(a_table_finds_every_number) {
    inputs in;
    uint32_t index[TRIB_MAX_MODES];
    open_inputs(&in);
    EXPECT(in.tables.ngrams.nnz == in.concordance.n_ngrams);
    EXPECT(in.tables.pairs.nnz == in.orders.n_pairs);
    EXPECT(in.tables.triples.nnz == in.orders.n_triples);
    for (uint32_t d = 0; d < N_TEXTS; d++)
        for (size_t e = 0; e < in.corpus->counts[d].nnz; e++) {
            const trib_influence_document *document = &in.corpus->document[d];
            trib_hacoo_entry(document->counts, e, index);
            for (uint32_t m = 0; m < 3; m++) index[m] = document->word[index[m]];
            EXPECT(trib_hacoo_find(&in.tables.ngrams, index) ==
                   in.concordance.number[in.concordance.first[d] + e]);
        }
    close_inputs(&in);
}

/* The context is the case. */
static trib_status try_null(void *context, trib_error *error) {
    const trib_influence_options options = {.seed = 1, .n_threads = 1};
    trib_influence_null null;
    return trib_influence_null_measure(&null, trib_influence_method_find("traced"), context,
                                       &options, error);
}

/* The context is the corpus. */
static trib_status try_tables(void *context, trib_error *error) {
    inputs *in = context;
    trib_number_tables tables;
    const trib_influence_case c = trib_texts_case(in->corpus, 0);
    const trib_status status = trib_number_tables_build(&tables, &in->concordance, &in->orders,
                                                        c.document, c.n_words, error);
    trib_number_tables_release(&tables);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    inputs in;
    open_inputs(&in);
    trib_influence_case c = trib_texts_case(in.corpus, 0);
    EXPECT(trib_fail_every_allocation(try_tables, &in) > 3);
    c.concordance = &in.concordance;
    c.orders = &in.orders;
    c.tables = &in.tables;
    EXPECT(trib_fail_every_allocation(try_null, &c) > 20);
    close_inputs(&in);
}
