/* vocab.c - tests of tokenizer/vocab.c. */
#include "tests/test.h"
#include "tokenizer/tokenizer.h"

TESTS(tokenizer, vocab);

/* Seven words of a small corpus of two documents. */
enum { N_WORDS = 7 };
static const char *const words[N_WORDS] = {
    "zebra", "the", "\xC3\xA9t\xC3\xA9", "apple", "\xF0\x9D\x92\x9C", "cat", "\xEF\xBD\x81"};
static const uint64_t counts[N_WORDS] = {2, 9, 2, 2, 1, 5, 1};
static const uint32_t documents[N_WORDS] = {1, 2, 2, 1, 1, 2, 1};

static void fill(trib_intern *intern, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t id = 0;
        CHECK(trib_intern_add(intern, list[i], strlen(list[i]), &id, NULL) == TRIB_OK);
    }
}

/* The vocabulary as text: "word=count/documents ..." */
static void describe(const trib_vocab *vocab, trib_buffer *text) {
    trib_buffer_clear(text);
    for (uint32_t id = 0; id < vocab->n_words; id++)
        CHECK(trib_buffer_print(text, NULL, "%s%s=%llu/%u", id ? " " : "", vocab->word[id],
                                (unsigned long long)vocab->count[id],
                                vocab->n_documents[id]) == TRIB_OK);
}

/* Builds from the small corpus, compares the result, and checks final_id and the sums against the
 * definition. */
static void expect_vocab(const trib_vocab_options *options, const char *wanted) {
    GIVEN(trib_intern) intern = {0};
    GIVEN(trib_vocab) vocab = {0};
    trib_error error = {0};
    GIVEN(trib_buffer) text = {0};
    uint32_t final_id[N_WORDS];
    fill(&intern, words, N_WORDS);
    EXPECT_OK(trib_vocab_build(&vocab, &intern, counts, documents, options, final_id, &error));
    describe(&vocab, &text);
    EXPECT_TEXT(text.text, wanted);
    uint64_t n_other = 0;
    for (uint32_t p = 0; p < N_WORDS; p++) {
        const bool out = final_id[p] == vocab.other;
        if (out) n_other += counts[p];
        else EXPECT_TEXT(vocab.word[final_id[p]], words[p]);
    }
    EXPECT(vocab.n_tokens == 22 && vocab.n_other == n_other);
    trib_vocab_release(&vocab);
}

TEST(words_are_numbered_by_count_then_by_code_point) {
    expect_vocab(&(trib_vocab_options){0},
                 "the=9/2 cat=5/2 apple=2/1 zebra=2/1 \xC3\xA9t\xC3\xA9=2/2 \xEF\xBD\x81=1/1 "
                 "\xF0\x9D\x92\x9C=1/1");
    expect_vocab(&(trib_vocab_options){.wildcard = true},
                 "the=9/2 cat=5/2 apple=2/1 zebra=2/1 \xC3\xA9t\xC3\xA9=2/2 \xEF\xBD\x81=1/1 "
                 "\xF0\x9D\x92\x9C=1/1");
}

TEST(size_and_minima_leave_words_out) {
    expect_vocab(&(trib_vocab_options){.size = 2}, "the=9/2 cat=5/2");
    expect_vocab(&(trib_vocab_options){.size = 3, .wildcard = true},
                 "the=9/2 cat=5/2 apple=2/1 <other>=6/2");
    expect_vocab(&(trib_vocab_options){.min_count = 5, .wildcard = true},
                 "the=9/2 cat=5/2 <other>=8/2");
    expect_vocab(&(trib_vocab_options){.min_count = 2, .min_documents = 2},
                 "the=9/2 cat=5/2 \xC3\xA9t\xC3\xA9=2/2");
}

TEST(a_fixed_list_alone_determines_the_vocabulary) {
    GIVEN(trib_intern) fixed = {0};
    static const char *const list[] = {"dog", "cat", "bee", "the"};
    fill(&fixed, list, 4);
    expect_vocab(&(trib_vocab_options){.fixed = &fixed, .size = 1, .min_count = 50},
                 "the=9/2 cat=5/2 bee=0/0 dog=0/0");
    expect_vocab(&(trib_vocab_options){.fixed = &fixed, .wildcard = true},
                 "the=9/2 cat=5/2 bee=0/0 dog=0/0 <other>=8/2");
}

TEST(a_vocabulary_without_words_is_rejected) {
    trib_intern intern = {0}, fixed = {0};
    trib_vocab vocab = {0};
    trib_error error = {0};
    uint32_t final_id[N_WORDS];
    EXPECT_STATUS(
        trib_vocab_build(&vocab, &intern, NULL, NULL, &(trib_vocab_options){0}, NULL, &error),
        TRIB_CONFIG, error);
    fill(&intern, words, N_WORDS);
    EXPECT_STATUS(trib_vocab_build(&vocab, &intern, counts, documents,
                                   &(trib_vocab_options){.min_count = 10, .wildcard = true},
                                   final_id, &error),
                  TRIB_CONFIG, error);
    EXPECT_TEXT(
        error.message,
        "no word is left in the vocabulary: of 7 words none has vocabulary.min_count 10 and "
        "vocabulary.min_documents 0");
    EXPECT_STATUS(trib_vocab_build(&vocab, &intern, counts, documents,
                                   &(trib_vocab_options){.fixed = &fixed}, final_id, &error),
                  TRIB_CONFIG, error);
    trib_intern_release(&intern);
}

TEST(a_written_vocabulary_reads_back_as_a_list) {
    GIVEN(trib_intern) intern = {0}, list = {0};
    GIVEN(trib_vocab) vocab = {0};
    trib_error error = {0};
    uint32_t final_id[N_WORDS];
    fill(&intern, words, N_WORDS);
    CHECK(trib_vocab_build(&vocab, &intern, counts, documents,
                           &(trib_vocab_options){.size = 3, .wildcard = true}, final_id,
                           NULL) == TRIB_OK);
    trib_writer writer;
    const char *path = trib_scratch("vocab.tsv");
    CHECK(trib_writer_open(&writer, path, NULL) == TRIB_OK);
    trib_vocab_write(&vocab, &writer);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);

    OPENED(trib_reader) reader = {0};
    GIVEN(trib_buffer) text = {0};
    CHECK(trib_reader_open(&reader, path, NULL) == TRIB_OK);
    EXPECT(trib_reader_all(&reader, &text, NULL) == TRIB_OK);
    EXPECT_TEXT(text.text, "id\tword\tcount\tdocuments\n0\tthe\t9\t2\n1\tcat\t5\t2\n"
                           "2\tapple\t2\t1\n3\t<other>\t6\t2\n");
    trib_reader_close(&reader);
    CHECK(trib_reader_open(&reader, path, NULL) == TRIB_OK);
    EXPECT_OK(trib_vocab_read_list(&list, &reader, &error));
    EXPECT(list.n_words == 3);
    EXPECT_TEXT(trib_intern_word(&list, 2), "apple");
}

static trib_status read_text(trib_intern *list, const char *text, trib_error *error) {
    trib_reader reader;
    trib_reader_memory(&reader, "words.txt", text, strlen(text));
    return trib_vocab_read_list(list, &reader, error);
}

TEST(a_plain_list_has_one_word_a_line) {
    GIVEN(trib_intern) list = {0};
    trib_error error = {0};
    EXPECT_OK(read_text(&list,
                        "\xEF\xBB\xBFthe\r\n# a comment\n\n  cat \t 17\nthe\n<other>\n"
                        "\xC3\xA9t\xC3\xA9",
                        &error));
    CHECK(list.n_words == 3);
    EXPECT_TEXT(trib_intern_word(&list, 0), "the");
    EXPECT_TEXT(trib_intern_word(&list, 1), "cat");
    EXPECT_TEXT(trib_intern_word(&list, 2), "\xC3\xA9t\xC3\xA9");
}

TEST(invalid_lists_are_rejected_with_file_and_line) {
    GIVEN(trib_intern) list = {0};
    trib_error error = {0};
    EXPECT_STATUS(read_text(&list, "# nothing\n\n", &error), TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, "words.txt: the word list has no words");
    EXPECT_STATUS(read_text(&list, "", &error), TRIB_CONFIG, error);
    EXPECT_STATUS(read_text(&list, "a\nb\x92\n", &error), TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, "words.txt:2: a word list must be UTF-8");
    EXPECT_STATUS(read_text(&list, "a\nb\1c\n", &error), TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, "words.txt:2: a word contains a control character");
    EXPECT_STATUS(read_text(&list, "id\tword\tcount\tdocuments\n0\tthe\t1\t1\ncat\n", &error),
                  TRIB_CONFIG, error);
    EXPECT_TEXT(error.message, "words.txt:3: no word found: a line of a vocabulary is id, word, "
                               "count, documents, separated by tabs");
}

static trib_status build_and_read(void *context, trib_error *error) {
    trib_intern *intern = context, list = {0};
    GIVEN(trib_vocab) vocab = {0};
    uint32_t final_id[N_WORDS];
    trib_status status = read_text(&list, "the\ncat\n", error);
    if (status == TRIB_OK)
        status = trib_vocab_build(&vocab, intern, counts, documents,
                                  &(trib_vocab_options){.fixed = &list, .wildcard = true}, final_id,
                                  error);
    trib_intern_release(&list);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    GIVEN(trib_intern) intern = {0};
    fill(&intern, words, N_WORDS);
    EXPECT(trib_fail_every_allocation(build_and_read, &intern) > 6);
}
