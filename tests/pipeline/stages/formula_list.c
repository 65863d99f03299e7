/* formula_list.c - tests of pipeline/stages/formula_list.c: of very many passages the longest are
 * listed, in little memory. */
#include "tests/test.h"

#include "pipeline/stages/formula_list.h"

TESTS(stages, formula_list);

enum { N_WORDS = 1000, MANY_PASSAGES = 700000, DIGITS = 2, LEAST = 4, LONGEST = 40 };

static char text[N_WORDS][8];
static const char *word_text[N_WORDS];

/* Passage i in the order in which passages are found: its length and documents vary. */
static size_t length_of(size_t i) { return LEAST + i * 7919 % (LONGEST - LEAST); }
static uint32_t documents_of(size_t i) { return (uint32_t)(100 + i * 31 % 97); }

static void open_list(trib_formula_list *list) {
    for (size_t w = 0; w < N_WORDS; w++) {
        snprintf(text[w], sizeof text[w], "%03zu", w);
        word_text[w] = text[w];
    }
    trib_formula_list_open(list, word_text);
}

/* The last two words of a passage are its number. */
static trib_status add(trib_formula_list *list, size_t i, uint32_t t, trib_error *error) {
    const trib_formula passage = {.document = t,
                                  .n_words = length_of(i),
                                  .n_documents = documents_of(i),
                                  .hash = i * 0x9E3779B97F4A7C15u};
    uint32_t *word = NULL;
    const trib_status status = trib_formula_list_room(list, passage.n_words, &word, error);
    if (status != TRIB_OK) return status;
    for (size_t w = 0; w < passage.n_words; w++) word[w] = (uint32_t)(w * w % N_WORDS);
    word[passage.n_words - DIGITS] = (uint32_t)(i / N_WORDS);
    word[passage.n_words - 1] = (uint32_t)(i % N_WORDS);
    return trib_formula_list_add(list, &passage, t, error);
}

/* All passages of one length have the same words but for their numbers. */
static int by_rank(const void *a, const void *b) {
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    if (length_of(i) != length_of(j)) return length_of(i) < length_of(j) ? 1 : -1;
    if (documents_of(i) != documents_of(j)) return documents_of(i) < documents_of(j) ? 1 : -1;
    return i < j ? -1 : i > j;
}

static size_t number_of(const trib_formula_list *list, size_t p) {
    const uint32_t *end = list->word + list->start[p + 1];
    return (size_t)end[-2] * N_WORDS + end[-1];
}

/* Target 0 has every passage, and target 1 each third of them, twice. */
TEST(of_many_passages_the_longest_are_listed) {
    enum { MOST_BYTES = 16 << 20 };
    size_t *rank = NULL;
    GIVEN(trib_formula_list) list = {0};
    trib_error error = {0};
    CHECK(trib_new(&rank, MANY_PASSAGES, sizeof *rank, "a test", &error) == TRIB_OK);
    for (size_t i = 0; i < MANY_PASSAGES; i++) rank[i] = i;
    qsort(rank, MANY_PASSAGES, sizeof *rank, by_rank);
    open_list(&list);
    const uint64_t before = trib_memory_in_use();
    for (size_t i = 0; i < MANY_PASSAGES; i++) EXPECT_OK(add(&list, i, 0, &error));
    for (size_t i = 0; i < MANY_PASSAGES; i += 3)
        for (size_t k = 0; k < 2; k++) EXPECT_OK(add(&list, i, 1, &error));
    EXPECT(trib_memory_in_use() - before < MOST_BYTES);
    EXPECT_OK(trib_formula_list_finish(&list, &error));
    CHECK(list.n == TRIB_FORMULAS_MOST);
    for (size_t p = 0; p < list.n; p++) {
        const trib_formula *passage = &list.passage[p];
        CHECK(number_of(&list, p) == rank[p]);
        EXPECT(passage->n_words == length_of(rank[p]) && passage->document == 0);
        EXPECT(passage->n_targets == (rank[p] % 3 == 0 ? 2 : 1));
    }
    trib_free(rank);
}

TEST(a_few_passages_are_all_listed) {
    GIVEN(trib_formula_list) list = {0};
    trib_error error = {0};
    open_list(&list);
    EXPECT_OK(trib_formula_list_finish(&list, &error));
    EXPECT(list.n == 0);
    for (size_t i = 0; i < 3; i++)
        for (uint32_t t = 0; t < 2; t++) EXPECT_OK(add(&list, i, t, &error));
    EXPECT_OK(trib_formula_list_finish(&list, &error));
    EXPECT(list.n == 3);
    EXPECT(list.passage[0].n_words == length_of(1) && list.passage[2].n_targets == 2);
}

static trib_status fill(void *context, trib_error *error) {
    GIVEN(trib_formula_list) list = {0};
    trib_status status = TRIB_OK;
    (void)context;
    open_list(&list);
    for (size_t i = 0; i < 2 * TRIB_FORMULAS_MOST && status == TRIB_OK; i++)
        status = add(&list, i, 0, error);
    if (status == TRIB_OK) status = trib_formula_list_finish(&list, error);
    EXPECT(status != TRIB_OK || list.n == TRIB_FORMULAS_MOST);
    return status;
}

TEST(a_list_without_memory_is_released) { EXPECT(trib_fail_every_allocation(fill, NULL) > 10); }
