/* word_runs.c - tests of tokenizer/word_runs.c: the vocabulary merged from runs is the one that
 * trib_vocab_build makes from a single table of the same words. */
#include "tokenizer/word_runs.h"
#include "tests/test.h"

TESTS(tokenizer, word_runs);

/* Counts of the words of some documents: in one table, and in a table that is moved to a file after
 * every `most` words. */
typedef struct both {
    trib_intern one, some;
    uint64_t count[4000], some_count[4000];
    uint32_t n_documents[4000], some_documents[4000];
    uint32_t id[20000], run_id[20000]; /* of each word that was added, by either numbering */
    size_t n;
    trib_word_runs runs;
    uint32_t most;
} both;

static uint32_t count_in(trib_intern *intern, uint64_t *count, uint32_t *n_documents,
                         const char *word, uint64_t times) {
    const uint32_t n = intern->n_words;
    uint32_t id = 0;
    CHECK(trib_intern_add(intern, word, strlen(word), &id, NULL) == TRIB_OK);
    if (id == n) count[id] = n_documents[id] = 0;
    count[id] += times;
    n_documents[id]++;
    return id;
}

static void move(both *b) {
    trib_error error = {0};
    EXPECT_OK(trib_word_runs_add(&b->runs, b->some.n_words, b->some.text, b->some.n_text,
                                 b->some_count, b->some_documents, trib_scratch(""), &error));
    trib_intern_clear(&b->some);
}

/* Adds a word that occurs `times` times in a document. */
static void add(both *b, const char *word, uint64_t times) {
    if (b->some.n_words >= b->most) move(b);
    b->id[b->n] = count_in(&b->one, b->count, b->n_documents, word, times);
    b->run_id[b->n++] =
        b->runs.n_ids + count_in(&b->some, b->some_count, b->some_documents, word, times);
}

static void expect_same(const both *b, const trib_vocab *x, const trib_vocab *y,
                        const uint32_t *x_id, const uint32_t *y_id) {
    CHECK(x->n_words == y->n_words);
    EXPECT(x->other == y->other && x->n_tokens == y->n_tokens && x->n_other == y->n_other);
    for (uint32_t i = 0; i < x->n_words; i++) {
        EXPECT_TEXT(y->word[i], x->word[i]);
        EXPECT(x->count[i] == y->count[i] && x->n_documents[i] == y->n_documents[i]);
        EXPECT(y->word[i] == (i > 0 ? y->word[i - 1] + strlen(y->word[i - 1]) + 1 : y->text));
    }
    for (size_t i = 0; i < b->n; i++) EXPECT(x_id[b->id[i]] == y_id[b->run_id[i]]);
}

static void compare(both *b, const trib_vocab_options *options) {
    GIVEN(trib_vocab) whole = {0}, merged = {0};
    OPENED(trib_scratch_array) merged_id = {0};
    trib_error error = {0};
    uint32_t whole_id[4000];
    const trib_status status =
        trib_vocab_build(&whole, &b->one, b->count, b->n_documents, options, whole_id, NULL);
    EXPECT(trib_word_runs_merge(&b->runs, options, trib_scratch(""), &merged, &merged_id, &error) ==
           status);
    if (status == TRIB_OK) expect_same(b, &whole, &merged, whole_id, merged_id.bytes);
    else EXPECT(strstr(error.message, "no word is left in the vocabulary: of ") != NULL);
}

/* The list becomes a run, with ids behind those of all words. */
static void compare_with_list(both *b) {
    static const uint64_t none[8];
    static const uint32_t nowhere[8];
    const trib_vocab_options all[] = {{.wildcard = true}, {.size = 1, .min_count = 1 << 20}};
    GIVEN(trib_intern) list = {0};
    trib_error error = {0};
    uint32_t id;
    for (uint32_t w = 0; w < b->one.n_words && list.n_words < 6; w += 1 + b->one.n_words / 6) {
        const char *word = trib_intern_word(&b->one, w);
        CHECK(trib_intern_add(&list, word, strlen(word), &id, NULL) == TRIB_OK);
    }
    CHECK(trib_intern_add(&list, "not in any text", 15, &id, NULL) == TRIB_OK);
    CHECK(trib_intern_add(&list, "\x01", 1, &id, NULL) == TRIB_OK);
    EXPECT_OK(trib_word_runs_add(&b->runs, list.n_words, list.text, list.n_text, none, nowhere,
                                 trib_scratch(""), &error));
    for (int i = 0; i < 2; i++) {
        trib_vocab_options options = all[i];
        options.fixed = &list;
        compare(b, &options);
    }
}

static void compare_all(both *b) {
    static const uint32_t sizes[] = {0, 1, 5, 300, 100000}, documents[] = {0, 1, 2, 3, 1000};
    static const uint64_t counts[] = {0, 1, 2, 70000, 1 << 20};
    move(b);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            for (int wildcard = 0; wildcard < 2; wildcard++) {
                trib_vocab_options options = {
                    .size = sizes[i], .min_count = counts[k], .wildcard = wildcard};
                compare(b, &options);
                options.min_count = counts[k % 2];
                options.min_documents = documents[k];
                compare(b, &options);
            }
    compare_with_list(b);
    trib_word_runs_release(&b->runs);
    trib_intern_release(&b->one);
    trib_intern_release(&b->some);
}

/* Words of any bytes but NUL, and so short that many occur again; some are frequent. */
static void random_word(trib_random *random, char *word) {
    const uint64_t length = 1 + trib_random_below(random, 3), letters = length < 3 ? 255 : 4;
    for (uint64_t i = 0; i < length; i++)
        word[i] = (char)(unsigned char)(255 - trib_random_below(random, letters));
    word[length] = '\0';
}

TEST(merged_runs_are_the_vocabulary_of_one_table) {
    static const uint32_t limits[] = {1, 2, 7, 100, 4000};
    static both b;
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
        trib_random random;
        trib_random_seed(&random, 11 + l);
        b = (both){.most = limits[l]};
        for (int i = 0; i < 3000; i++) {
            char word[8];
            random_word(&random, word);
            const uint64_t often = trib_random_below(&random, 50) == 0 ? 140000 : 2;
            if (b.one.n_words < 3900) add(&b, word, 1 + trib_random_below(&random, often));
        }
        compare_all(&b);
    }
}

/* Words of one run only, of each of several, and twice in one document; long ones; prefixes. */
TEST(words_of_several_runs_are_one_word) {
    static both b;
    static char huge[100001];
    memset(huge, 'z', sizeof huge - 1);
    b = (both){.most = 2};
    const char *const words[] = {"once", "b",    "every", "\xFF\x01", "every", huge, "onc", "every",
                                 "b",    "last", huge,    "\xFF",     "every", "a",  "on"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) add(&b, words[i], i == 3 ? 2 : 1);
    EXPECT(b.runs.n > 4);
    compare_all(&b);
}

/* Words "spelling\1norm" with 1, 2, 3, ... occurrences, in runs of two. */
static void add_spelt(trib_word_runs *runs, const char *const word[], uint32_t n) {
    trib_error error = {0};
    for (uint32_t i = 0; i < n; i += 2) {
        GIVEN(trib_buffer) text = {0};
        const uint64_t count[] = {i + 1, i + 2};
        const uint32_t in[] = {1, 1}, n_here = n - i < 2 ? n - i : 2;
        for (uint32_t k = 0; k < n_here; k++)
            CHECK(trib_buffer_add(&text, word[i + k], strlen(word[i + k]) + 1, NULL) == TRIB_OK);
        EXPECT_OK(trib_word_runs_add(runs, n_here, text.text, text.length, count, in,
                                     trib_scratch(""), &error));
    }
}

/* The vocabulary as "word(norm)=count", with * if two words have one spelling. */
static void expect_spelt(const trib_word_runs *runs, const trib_vocab_options *options,
                         const char *wanted) {
    GIVEN(trib_vocab) vocab = {0};
    OPENED(trib_scratch_array) id = {0};
    trib_error error = {0};
    GIVEN(trib_buffer) text = {0};
    EXPECT_OK(trib_word_runs_merge(runs, options, trib_scratch(""), &vocab, &id, &error));
    for (uint32_t i = 0; i < vocab.n_words; i++)
        CHECK(trib_buffer_print(&text, NULL, "%s(%s)=%d ", vocab.word[i], vocab.norm[i],
                                (int)vocab.count[i]) == TRIB_OK);
    CHECK(trib_buffer_add(&text, "*", vocab.has_twins, NULL) == TRIB_OK);
    EXPECT_TEXT(text.text, wanted);
    EXPECT(trib_vocab_text_size(&vocab) == (size_t)(vocab.norm[0] - vocab.text));
}

TEST(words_have_the_norms_of_their_runs) {
    static const char *const words[] = {"b\1a", "alter\1alter", "ab\1ab", "alter\1alt", "a\1x\1y"};
    trib_vocab_options options = {.have_norms = true};
    GIVEN(trib_intern) list = {0};
    GIVEN(trib_word_runs) runs = {0};
    uint32_t id;
    add_spelt(&runs, words, 5);
    expect_spelt(&runs, &options, "a(x\1y)=5 alter(alt)=4 ab(ab)=3 alter(alter)=2 b(a)=1 *");
    options.size = 3;
    options.wildcard = true;
    expect_spelt(&runs, &options, "a(x\1y)=5 alter(alt)=4 ab(ab)=3 <other>(<other>)=3 ");
    CHECK(trib_intern_add(&list, "alt", 3, &id, NULL) == TRIB_OK);
    CHECK(trib_intern_add(&list, "a", 1, &id, NULL) == TRIB_OK);
    options.fixed = &list;
    options.wildcard = false;
    expect_spelt(&runs, &options, "alter(alt)=4 b(a)=1 ");
}

TEST(words_of_equal_counts_are_ordered_by_spelling_and_then_by_norm) {
    static const char *const words[] = {"b\1a", "a\1c", "ab\1a1", "a\1b"};
    static const uint64_t count[] = {9, 9, 9, 9};
    static const uint32_t n_documents[] = {1, 1, 1, 1};
    GIVEN(trib_buffer) text = {0};
    GIVEN(trib_word_runs) runs = {0};
    for (int i = 0; i < 4; i++)
        CHECK(trib_buffer_add(&text, words[i], strlen(words[i]) + 1, NULL) == TRIB_OK);
    CHECK(trib_word_runs_add(&runs, 4, text.text, text.length, count, n_documents, trib_scratch(""),
                             NULL) == TRIB_OK);
    expect_spelt(&runs, &(trib_vocab_options){.have_norms = true},
                 "a(b)=9 a(c)=9 ab(a1)=9 b(a)=9 *");
}

static trib_status attempt(void *context, trib_error *error) {
    trib_intern *intern = context;
    static const uint64_t count[] = {3, 1 << 17, 1};
    static const uint32_t n_documents[] = {1, 2, 1};
    GIVEN(trib_word_runs) runs = {0};
    GIVEN(trib_vocab) vocab = {0};
    OPENED(trib_scratch_array) final_id = {0};
    trib_status status = TRIB_OK;
    for (int i = 0; i < 3 && status == TRIB_OK; i++)
        status = trib_word_runs_add(&runs, intern->n_words, intern->text, intern->n_text, count,
                                    n_documents, trib_scratch(""), error);
    if (status == TRIB_OK)
        status =
            trib_word_runs_merge(&runs, &(trib_vocab_options){.wildcard = true, .min_count = 2},
                                 trib_scratch(""), &vocab, &final_id, error);
    if (status == TRIB_OK) EXPECT(vocab.n_words == 3 && vocab.count[0] == 3 << 17);
    return status;
}

TEST(every_allocation_may_fail) {
    GIVEN(trib_intern) intern = {0};
    static const char *const words[] = {"one", "two", "three"};
    uint32_t id;
    for (int i = 0; i < 3; i++)
        CHECK(trib_intern_add(&intern, words[i], strlen(words[i]), &id, NULL) == TRIB_OK);
    EXPECT(trib_fail_every_allocation(attempt, &intern) > 10);
}

TEST(a_folder_that_cannot_be_written_is_an_error) {
    GIVEN(trib_word_runs) runs = {0};
    trib_error error = {0};
    EXPECT(trib_word_runs_add(&runs, 1, "one", 4, (uint64_t[]){1}, (uint32_t[]){1},
                              "/nowhere/at/all", &error) == TRIB_OUTPUT);
    EXPECT(runs.n == 0 && runs.n_ids == 0);
}
