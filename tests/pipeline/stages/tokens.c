/* tokens.c - tests of the stages tokens and vocabulary: whatever the threads, the same words, ids,
 * warnings and failures. */
#include "base/internal.h"
#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/run/experiment.h"

TESTS(stages, tokens);

enum { N_TEXTS = 12 };

/* The words that the next readings hold in memory; 0: as usual. */
static uint32_t most_words;

/* The texts have random words. */
static void write_texts(void) {
    trib_random random;
    trib_random_seed(&random, 3);
    for (int d = 0; d < N_TEXTS; d++) {
        char name[32];
        GIVEN(trib_buffer) text = {0};
        const uint64_t n = 1 + trib_random_below(&random, d % 3 ? 300 : 20000);
        for (uint64_t i = 0; i < n; i++) {
            static const char *const between[] = {" ", " ", " ", ", ", ".\n", "\n\n"};
            const uint64_t word = trib_random_below(&random, 1 + trib_random_below(&random, 2000));
            EXPECT(trib_buffer_print(&text, NULL, "%c%llux%s", d % 2 ? 'a' : 'B',
                                     (unsigned long long)word,
                                     between[trib_random_below(&random, 6)]) == TRIB_OK);
        }
        for (int i = 0; i < d % 4; i++) EXPECT(trib_buffer_add(&text, "\xFF ", 2, NULL) == TRIB_OK);
        snprintf(name, sizeof name, "t%02d.txt", d);
        write_scratch(name, text.text, text.length);
    }
}

/* Opens an experiment on these texts; `missing` (-1: none) and the one three behind it are left out
 * of the folder. */
static void open_fixture(trib_experiment *f, int missing) {
    GIVEN(trib_buffer) text = {0};
    write_texts();
    trib_buffer_print(&text, NULL,
                      "tributary: 1\ntokens: {break_at: [paragraph]}\ncorpus:\n"
                      "  on_invalid: replace\n  target: t00\n  documents: [");
    for (int d = 0; d < N_TEXTS; d++)
        trib_buffer_print(&text, NULL, "%st%02d.txt", d ? ", " : "", d);
    trib_buffer_print(&text, NULL, "]\n");
    trib_experiment_open(f, text.text, 1);
    for (int d = missing; d >= 0 && d < N_TEXTS; d += 3) {
        char name[32];
        snprintf(name, sizeof name, "t%02d.txt", d);
        CHECK(remove(trib_scratch(name)) == 0);
    }
}

static trib_status read_texts(trib_experiment *f, int n_threads, trib_error *error) {
    const uint32_t n = (uint32_t)f->config.corpus.n_documents;
    trib_run_init(&f->run, &f->config, f->log, n_threads);
    if (most_words > 0) f->run.most_words = most_words;
    const trib_status status = TRIB_NEW(&f->run.corpus.document, n, "documents", error);
    if (status != TRIB_OK) return status;
    f->run.corpus.n_documents = n;
    for (uint32_t d = 0; d < n; d++)
        f->run.corpus.document[d].about = &f->config.corpus.document[d];
    return trib_run_stage(&f->run, "tokens", error);
}

/* Every word of every text, in words, places and breaks; ids by `id_too`. */
static uint64_t hash_of(const trib_run *run) {
    uint64_t hash = 0;
    for (uint32_t d = 0; d < run->corpus.n_documents; d++) {
        OPENED(trib_words_cursor) text = {0};
        CHECK(trib_words_cursor_open(&text, &run->words.document[d], NULL) == TRIB_OK);
        for (size_t i = 0; i < run->words.document[d].n_tokens; i++) {
            trib_placed_word word;
            CHECK(trib_words_cursor_at(&text, i, &word, NULL) == TRIB_OK);
            const uint64_t all[] = {hash, word.id, word.offset, word.end, word.after_break};
            hash = trib_checksum(all, sizeof all);
        }
    }
    return hash;
}

TEST(any_number_of_threads_gives_the_same_ids) {
    static const int threads[] = {1, 2, 7, 50};
    uint64_t first = 0, counts = 0;
    for (size_t t = 0; t < 4; t++) {
        GIVEN(trib_experiment) f = {0};
        trib_error error = {0};
        open_fixture(&f, -1);
        EXPECT_OK(read_texts(&f, threads[t], &error));
        const uint32_t n = f.run.word_counts.intern.n_words;
        const uint64_t words = hash_of(&f.run);
        const uint64_t sums =
            trib_checksum(f.run.word_counts.count, n * sizeof *f.run.word_counts.count) ^
            trib_checksum(f.run.word_counts.n_documents, n * sizeof(uint32_t)) ^
            trib_checksum(f.run.word_counts.intern.text, f.run.word_counts.intern.n_text);
        if (t == 0) first = words, counts = sums;
        EXPECT(words == first && sums == counts);
        EXPECT(f.run.warnings.n == 9); /* of every text but the 1st, 5th and 9th, in their order */
        EXPECT(strstr(f.run.warnings.text[0], "t01.txt: 1 invalid") != NULL);
        EXPECT(strstr(f.run.warnings.text[2], "t03.txt: 3 invalid") != NULL);
        EXPECT(strstr(f.run.warnings.text[8], "t11.txt: 3 invalid") != NULL);
    }
}

/* Ids by an array of all words, counted one by one. */
TEST(ids_and_counts_are_those_of_reading_one_by_one) {
    GIVEN(trib_experiment) f = {0};
    trib_error error = {0};
    open_fixture(&f, -1);
    EXPECT_OK(read_texts(&f, 2, &error));
    const trib_run *run = &f.run;
    uint64_t *count = NULL;
    uint32_t seen = 0;
    CHECK(trib_new(&count, run->word_counts.intern.n_words, sizeof *count, "counts", NULL) ==
          TRIB_OK);
    for (uint32_t d = 0; d < N_TEXTS; d++) {
        OPENED(trib_words_cursor) text = {0};
        CHECK(trib_words_cursor_open(&text, &run->words.document[d], NULL) == TRIB_OK);
        EXPECT(text.words.n_tokens == run->words.document[d].counts.n_words);
        for (size_t i = 0; i < run->words.document[d].n_tokens; i++) {
            trib_placed_word word;
            CHECK(trib_words_cursor_at(&text, i, &word, NULL) == TRIB_OK);
            CHECK(word.id <= seen); /* in order of first appearance */
            seen += word.id == seen;
            count[word.id]++;
        }
    }
    EXPECT(seen == run->word_counts.intern.n_words);
    EXPECT(memcmp(count, run->word_counts.count, seen * sizeof *count) == 0);
    trib_free(count);
    EXPECT_OK(trib_run_stage(&f.run, "vocabulary", &error));
    for (uint32_t i = 1; i < f.run.vocab.n_words; i++)
        EXPECT(f.run.vocab.count[i] <= f.run.vocab.count[i - 1]);
    EXPECT(f.run.word_counts.count == NULL && f.run.word_counts.intern.n_words == 0);
}

TEST(every_document_that_cannot_be_used_is_named) {
    static const int threads[] = {1, 2, 7};
    for (size_t t = 0; t < 3; t++) {
        GIVEN(trib_experiment) f = {0};
        trib_error error = {0};
        open_fixture(&f, 4);
        EXPECT_STATUS(read_texts(&f, threads[t], &error), TRIB_INPUT, error);
        EXPECT(strstr(error.message, "3 of 12 documents cannot be used") != NULL);
        CHECK(f.run.corpus.n_rejected == 3);
        EXPECT(strstr(f.run.corpus.rejected[0].why, "t04.txt: cannot be opened") != NULL);
        EXPECT(strstr(f.run.corpus.rejected[2].why, "t10.txt: cannot be opened") != NULL);
        EXPECT(f.run.warnings.n == 7); /* of the others */
    }
}

/* One line, one word of it of ten million letters. */
TEST(a_word_of_ten_million_letters_is_a_word) {
    enum { LETTERS = 10000000 };
    GIVEN(trib_experiment) f = {0};
    trib_error error = {0};
    GIVEN(trib_buffer) text = {0};
    GIVEN(trib_owned_text) letters = NULL;
    CHECK(trib_new(&letters, LETTERS, 1, "letters", NULL) == TRIB_OK);
    memset(letters, 'a', LETTERS);
    CHECK(trib_buffer_add(&text, "before ", 7, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&text, letters, LETTERS, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&text, " behind", 7, NULL) == TRIB_OK);
    open_fixture(&f, -1);
    write_scratch("t00.txt", text.text, text.length);
    EXPECT_OK(read_texts(&f, 2, &error));
    EXPECT(f.run.words.document[0].n_tokens == 3);
    OPENED(trib_words_cursor) words = {0};
    trib_placed_word word;
    CHECK(trib_words_cursor_open(&words, &f.run.words.document[0], NULL) == TRIB_OK);
    CHECK(trib_words_cursor_at(&words, 1, &word, NULL) == TRIB_OK);
    EXPECT(word.offset == 7 && word.end == 7 + LETTERS);
    EXPECT(strlen(trib_intern_word(&f.run.word_counts.intern, word.id)) == LETTERS);
}

/* In Turkish the small letter of I has no dot. */
TEST(a_document_is_read_by_the_rules_of_its_language) {
    static const char yaml[] = "tributary: 1\ntensor: {n: 1}\ncorpus:\n  target: a\n  documents:\n"
                               "    - {id: a, file: a.txt, language: tr}\n"
                               "    - {id: b, file: b.txt}\n"
                               "    - {id: c, file: c.txt, language: tur}\n";
    static const char *const wanted[] = {"\u0131l\u0131k", "ilik", "\u0131l\u0131k"};
    trib_error error = {0};
    for (int n_threads = 1; n_threads <= 3; n_threads += 2) {
        GIVEN(trib_experiment) f = {0};
        for (int d = 0; d < 3; d++)
            write_scratch((const char *const[]){"a.txt", "b.txt", "c.txt"}[d], "ILIK\n", 5);
        trib_experiment_open(&f, yaml, 1);
        EXPECT_OK(read_texts(&f, n_threads, &error));
        for (uint32_t d = 0; d < 3; d++) {
            const trib_document_words *words = &f.run.words.document[d];
            uint32_t *id = NULL;
            EXPECT_OK(trib_document_words_ids(words, &id, &error));
            EXPECT_TEXT(trib_intern_word(&f.run.word_counts.intern, id[0]), wanted[d]);
            trib_free(id);
        }
    }
}

/* A hash of the vocabulary and of the words of every text by its ids. */
static uint64_t hash_of_vocabulary(const trib_run *run) {
    const trib_vocab *vocab = &run->vocab;
    const char *last = vocab->word[vocab->n_words - 1];
    const size_t n_text = (size_t)(last - vocab->text) + strlen(last) + 1;
    const uint64_t all[] = {vocab->n_words,
                            vocab->other,
                            vocab->n_tokens,
                            vocab->n_other,
                            trib_checksum(vocab->count, vocab->n_words * sizeof *vocab->count),
                            trib_checksum(vocab->n_documents, vocab->n_words * sizeof(uint32_t)),
                            trib_checksum(vocab->text, n_text),
                            hash_of(run)};
    return trib_checksum(all, sizeof all);
}

TEST(words_that_go_to_a_file_give_the_same_vocabulary) {
    static const uint32_t most[] = {UINT32_MAX, 1, 50, 900, 1500};
    static const int threads[] = {1, 7, 2, 5, 3};
    uint64_t first[3];
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        for (uint32_t minimum = 0; minimum < 3; minimum++) {
            GIVEN(trib_experiment) f = {0};
            trib_error error = {0};
            open_fixture(&f, -1);
            f.config.vocabulary.min_count = minimum;
            f.config.vocabulary.size = minimum == 2 ? 100 : 0;
            f.config.vocabulary.wildcard = minimum == 2;
            most_words = most[i];
            EXPECT_OK(read_texts(&f, threads[i], &error));
            EXPECT((f.run.word_counts.runs.n > 0) == (i > 0));
            EXPECT_OK(trib_run_stage(&f.run, "vocabulary", &error));
            const uint64_t hash = hash_of_vocabulary(&f.run);
            if (i == 0) first[minimum] = hash;
            EXPECT(hash == first[minimum]);
        }
    most_words = 0;
}

static trib_status attempt(void *context, trib_error *error) {
    trib_experiment *f = context;
    const trib_status status = read_texts(f, 1, error);
    const trib_status then =
        status == TRIB_OK ? trib_run_stage(&f->run, "vocabulary", error) : status;
    trib_run_release(&f->run);
    return then;
}

TEST(every_allocation_may_fail) {
    GIVEN(trib_experiment) f = {0};
    open_fixture(&f, -1);
    EXPECT(trib_fail_every_allocation(attempt, &f) > 50);
    most_words = 500;
    EXPECT(trib_fail_every_allocation(attempt, &f) > 50);
    most_words = 0;
}
