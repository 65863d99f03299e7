/* words.c - tests of the file that holds the words of a document. */
#include "pipeline/store/words.h"
#include "tests/test.h"

TESTS(store, words);

/* A word of a text, as it should come back. */
typedef struct heard {
    char text[24];
    uint64_t offset;
    uint32_t n_bytes;
    bool after_break;
} heard;

static const trib_words_about about = {
    .counts = {.n_bytes = 1000000, .n_words = 7, .n_dropped_numbers = 300, .n_replaced = 1},
    .cuts = {{17, 2, 3}, {0, 0, 0}, {70000, 900, 11}, 1},
    .encoding = "windows-1252",
    .remark = "no end is marked",
    .remark_line = 12};

static trib_status write_words(const heard *word, size_t n, trib_words_writer *writer,
                               trib_writer *out, trib_error *error) {
    trib_status status = trib_words_begin(writer, out, NULL, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++) {
        const trib_token token = {word[i].text, strlen(word[i].text), word[i].offset,
                                  word[i].n_bytes, word[i].after_break};
        status = trib_words_add(writer, &token, error);
    }
    return status == TRIB_OK ? trib_words_end(writer, &about, error) : status;
}

/* Reads words from .. n - 1 one by one and looks whether they are those. */
static trib_status expect_words(const trib_words *words, const heard *word, size_t from,
                                trib_error *error) {
    GIVEN(trib_words_block) block = {0}, ids = {0};
    trib_status status = trib_words_block_init(&block, error);
    if (status != TRIB_OK) return status;
    status = trib_words_block_init(&ids, error);
    ids.ids_only = true;
    EXPECT(strcmp(words->about.encoding, about.encoding) == 0);
    EXPECT(strcmp(words->about.remark, about.remark) == 0);
    EXPECT(words->about.remark_line == 12 && words->about.cuts.after.n_lines == 900 &&
           words->about.cuts.after.n_words == 11);
    EXPECT(words->about.counts.n_dropped_numbers == 300);
    for (uint64_t i = from; i < words->n_tokens && status == TRIB_OK; i++) {
        status = trib_words_at(words, i, &block, error);
        if (status == TRIB_OK) status = trib_words_at(words, i, &ids, error);
        if (status != TRIB_OK) break;
        const size_t k = (size_t)(i - block.first);
        CHECK(ids.id[k] == block.id[k] && ids.after_break[k] == block.after_break[k]);
        CHECK(block.id[k] < words->n_words);
        CHECK(strcmp(trib_words_spelling(words, block.id[k]), word[i].text) == 0);
        CHECK(block.offset[k] == word[i].offset && block.length[k] == word[i].n_bytes);
        CHECK((block.after_break[k] != 0) == word[i].after_break);
    }
    return status;
}

/* Words of n random kinds, most of them as they stand in a plain text. */
static heard *draw(size_t n, uint64_t seed) {
    heard *word = NULL;
    uint64_t end = 0;
    trib_random random;
    trib_random_seed(&random, seed);
    CHECK(trib_new(&word, n, sizeof *word, "words", NULL) == TRIB_OK);
    for (size_t i = 0; i < n; i++) {
        const uint64_t kind = trib_random_below(&random, 3000);
        const bool plain = trib_random_below(&random, 4) > 0;
        snprintf(word[i].text, sizeof word[i].text, "w%llu",
                 (unsigned long long)(kind * kind / 3000));
        word[i].offset = end + (plain ? 1 : trib_random_below(&random, 300));
        word[i].n_bytes =
            (uint32_t)(plain ? strlen(word[i].text) : trib_random_below(&random, 200));
        word[i].after_break = !plain && trib_random_below(&random, 5) == 0;
        end = word[i].offset + word[i].n_bytes;
    }
    return word;
}

TEST(words_come_back_as_they_were) {
    static const size_t sizes[] = {0, 1, 2, 4095, 4096, 4097, 20000};
    GIVEN(trib_words_writer) writer = {0};
    trib_writer out;
    OPENED(trib_reader) reader = {0};
    trib_error error = {0};
    uint64_t from[8] = {0};
    const char *const path = trib_scratch("words");
    EXPECT_OK(trib_writer_open(&out, path, &error));
    for (size_t s = 0; s < 7; s++) { /* one behind the other */
        heard *word = draw(sizes[s], s);
        EXPECT_OK(write_words(word, sizes[s], &writer, &out, &error));
        from[s + 1] = out.n_written;
        trib_free(word);
    }
    EXPECT_OK(trib_writer_commit(&out, NULL, &error));
    EXPECT_OK(trib_reader_open(&reader, path, &error));
    for (size_t s = 7; s-- > 0;) {
        OPENED(trib_words) words = {0};
        heard *word = draw(sizes[s], s);
        EXPECT_OK(trib_words_open(&words, &reader, from[s], from[s + 1] - from[s], &error));
        CHECK(words.n_tokens == sizes[s]);
        EXPECT_OK(expect_words(&words, word, 0, &error));
        EXPECT_OK(expect_words(&words, word, sizes[s] / 2, &error));
        uint64_t n = 0;
        for (uint32_t id = 0; id < words.n_words; id++) n += words.count[id];
        EXPECT(n == sizes[s]);
        trib_free(word);
    }
}

/* Something was cut before the third and before the fifth word, and before the first. */
TEST(every_part_of_a_text_begins_after_a_break) {
    static const heard word[] = {{"a", 5, 1, false},
                                 {"b", 7, 1, false},
                                 {"c", 20, 1, true},
                                 {"d", 22, 1, false},
                                 {"e", 30, 1, true}};
    static trib_range range[] = {{5, 10}, {18, 19}, {20, 23}, {30, 31}};
    const trib_text_ranges parts = {.range = range, .n = 4};
    GIVEN(trib_words_writer) writer = {0};
    OPENED(trib_words) words = {0};
    trib_writer out;
    OPENED(trib_reader) reader = {0};
    trib_error error = {0};
    const char *const path = trib_scratch("parts");
    EXPECT_OK(trib_writer_open(&out, path, &error));
    EXPECT_OK(trib_words_begin(&writer, &out, &parts, &error));
    for (size_t i = 0; i < 5; i++) {
        const trib_token token = {word[i].text, 1, word[i].offset, 1, false};
        EXPECT_OK(trib_words_add(&writer, &token, &error));
    }
    EXPECT_OK(trib_words_end(&writer, &about, &error));
    const uint64_t size = out.n_written;
    EXPECT_OK(trib_writer_commit(&out, NULL, &error));
    EXPECT_OK(trib_reader_open(&reader, path, &error));
    EXPECT_OK(trib_words_open(&words, &reader, 0, size, &error));
    EXPECT_OK(expect_words(&words, word, 0, &error));
}

static const heard cats[] = {{"the", 0, 3, false},
                             {"cat", 4, 3, false},
                             {"the", 9, 3, true},
                             {"don't", 13, 7, false}}; /* with an apostrophe of three bytes */

/* A file of the four words above, in memory. */
static void write_cats(trib_buffer *file) {
    GIVEN(trib_words_writer) writer = {0};
    trib_writer out;
    OPENED(trib_reader) reader = {0};
    trib_error error = {0};
    const char *const path = trib_scratch("cats");
    EXPECT_OK(trib_writer_open(&out, path, &error));
    EXPECT_OK(write_words(cats, 4, &writer, &out, &error));
    EXPECT_OK(trib_writer_commit(&out, NULL, &error));
    EXPECT_OK(trib_reader_open(&reader, path, &error));
    EXPECT_OK(trib_reader_all(&reader, file, &error));
}

TEST(a_word_takes_a_byte_or_a_few) {
    GIVEN(trib_buffer) file = {0};
    write_cats(&file);
    static const char wanted[] = "\1\0\0" /* the, where the file begins */
                                 "\2"     /* cat, behind a space */
                                 "\1\5\0" /* the, two bytes on, behind a break */
                                 "\5\2\4" /* don't, longer by two */
                                 "\4\3"   /* 4 words, of which 3 are different */
                                 "\3the\2\3cat\1\5don't\1";
    CHECK(file.length > sizeof wanted);
    EXPECT(memcmp(file.text, wanted, sizeof wanted - 1) == 0);
}

/* Whether all of a file in memory can be read. */
static trib_status read_all(const char *bytes, size_t length, trib_error *error) {
    trib_reader reader;
    OPENED(trib_words) words = {0};
    GIVEN(trib_words_block) block = {0};
    trib_reader_memory(&reader, "some words", bytes, length);
    trib_status status = trib_words_open(&words, &reader, 0, length, error);
    if (status != TRIB_OK) return status;
    status = trib_words_block_init(&block, error);
    for (uint64_t i = 0; i < words.n_tokens && status == TRIB_OK; i++)
        status = trib_words_at(&words, i, &block, error);
    return status;
}

TEST(what_is_damaged_or_cut_is_refused) {
    GIVEN(trib_buffer) file = {0};
    trib_error error = {0};
    write_cats(&file);
    EXPECT_OK(read_all(file.text, file.length, &error));
    for (size_t i = 0; i < file.length; i++) {
        file.text[i] ^= 0x10;
        CHECK(read_all(file.text, file.length, &error) == TRIB_INPUT);
        file.text[i] ^= 0x10;
        CHECK(read_all(file.text, i, &error) == TRIB_INPUT);
    }
    EXPECT_TEXT(error.message, "some words: does not hold the words of a text");
    file.text[file.length - 24] = 2;
    EXPECT_STATUS(read_all(file.text, file.length, &error), TRIB_INPUT, error);
    EXPECT_TEXT(error.message, "some words: words of version 2, this program reads version 1");
    EXPECT_STATUS(read_all("some text", 9, &error), TRIB_INPUT, error);
    EXPECT_TEXT(error.message, "some words: does not hold the words of a text");
}

/* Ids as a vocabulary may give them; every third word is in none. */
static uint32_t number_of(uint32_t w) { return w % 3 == 2 ? TRIB_NO_WORD : 100 * w; }

/* The numbered file of words that are open. */
static trib_status number_words(const trib_words *words, trib_buffer *file, trib_error *error) {
    TRIB_FREED(uint32_t *) id = NULL;
    trib_status status = trib_new(&id, words->n_words, sizeof *id, "ids", error);
    for (uint32_t w = 0; w < words->n_words && status == TRIB_OK; w++) id[w] = number_of(w);
    return status == TRIB_OK ? trib_words_number(words, id, file, error) : status;
}

/* Looks whether the numbered file in memory from byte `from` on tells of these words all but their
 * spelling. */
static trib_status expect_numbered(const trib_words *words, const trib_buffer *file, size_t from,
                                   trib_error *error) {
    trib_reader reader;
    OPENED(trib_words) numbered = {0};
    GIVEN(trib_words_block) a = {0}, b = {0};
    trib_reader_memory(&reader, "numbers", file->text, file->length);
    trib_status status =
        trib_words_open_numbered(&numbered, &reader, from, file->length - from, error);
    if (status != TRIB_OK) return status;
    status = trib_words_block_init(&a, error);
    if (status == TRIB_OK) status = trib_words_block_init(&b, error);
    EXPECT(!numbered.text && numbered.n_tokens == words->n_tokens);
    CHECK(numbered.n_words == words->n_words);
    for (uint32_t w = 0; w < words->n_words; w++)
        CHECK(numbered.id[w] == number_of(w) && numbered.count[w] == words->count[w]);
    for (uint64_t i = 0; i < words->n_tokens && status == TRIB_OK; i++) {
        status = trib_words_at(words, i, &a, error);
        if (status == TRIB_OK) status = trib_words_at(&numbered, i, &b, error);
        if (status != TRIB_OK) break;
        const size_t k = (size_t)(i - a.first);
        CHECK(a.first == b.first && a.n == b.n && a.id[k] == b.id[k]);
        CHECK(a.offset[k] == b.offset[k] && a.length[k] == b.length[k]);
        CHECK(a.after_break[k] == b.after_break[k]);
    }
    EXPECT_TEXT(numbered.about.remark, words->about.remark);
    return status;
}

TEST(a_numbered_file_tells_all_but_the_spelling) {
    static const size_t sizes[] = {0, 1, 4096, 20000};
    GIVEN(trib_words_writer) writer = {0};
    trib_error error = {0};
    for (size_t s = 0; s < 4; s++) {
        trib_writer out;
        OPENED(trib_reader) reader = {0};
        OPENED(trib_words) words = {0};
        GIVEN(trib_buffer) file = {0};
        uint64_t size = 0;
        const char *const path = trib_scratch("spelt");
        heard *word = draw(sizes[s], s);
        EXPECT_OK(trib_writer_open(&out, path, &error));
        EXPECT_OK(write_words(word, sizes[s], &writer, &out, &error));
        EXPECT_OK(trib_writer_commit(&out, NULL, &error));
        EXPECT_OK(trib_reader_open(&reader, path, &error));
        EXPECT_OK(trib_reader_size(&reader, &size, &error));
        EXPECT_OK(trib_words_open(&words, &reader, 0, size, &error));
        EXPECT_OK(number_words(&words, &file, &error));
        const size_t from = file.length;
        EXPECT_OK(number_words(&words, &file, &error)); /* behind it, again */
        EXPECT(from * 2 == file.length && memcmp(file.text, file.text + from, from) == 0);
        EXPECT_OK(expect_numbered(&words, &file, from, &error));
        EXPECT(s == 0 || file.length < 2 * size);
        EXPECT_STATUS(trib_words_open_numbered(&(trib_words){0}, &reader, 0, size, &error),
                      TRIB_INPUT, error);
        trib_free(word);
    }
}

static trib_status open_numbered(const char *bytes, size_t length, trib_error *error) {
    trib_reader reader;
    trib_words words;
    trib_reader_memory(&reader, "numbers", bytes, length);
    const trib_status status = trib_words_open_numbered(&words, &reader, 0, length, error);
    if (status == TRIB_OK) trib_words_close(&words);
    return status;
}

static trib_status number_and_read(void *context, trib_error *error) {
    const trib_buffer *spelt = context;
    trib_reader reader;
    OPENED(trib_words) words = {0};
    GIVEN(trib_buffer) file = {0};
    trib_reader_memory(&reader, "words", spelt->text, spelt->length);
    trib_status status = trib_words_open(&words, &reader, 0, spelt->length, error);
    if (status != TRIB_OK) return status;
    status = number_words(&words, &file, error);
    return status == TRIB_OK ? expect_numbered(&words, &file, 0, error) : status;
}

TEST(a_numbered_file_that_is_damaged_is_refused) {
    GIVEN(trib_buffer) spelt = {0}, file = {0};
    trib_reader reader;
    OPENED(trib_words) words = {0};
    trib_error error = {0};
    write_cats(&spelt);
    trib_reader_memory(&reader, "words", spelt.text, spelt.length);
    EXPECT_OK(trib_words_open(&words, &reader, 0, spelt.length, &error));
    EXPECT_OK(number_words(&words, &file, &error));
    /* the, cat, don't: id + 1, length, count, behind 10 bytes of blocks and two numbers */
    EXPECT(memcmp(file.text + 12, "\1\3\2\145\3\1\0\5\1", 9) == 0);
    EXPECT_OK(open_numbered(file.text, file.length, &error));
    for (size_t i = 0; i < file.length; i++) {
        file.text[i] ^= 0x10;
        CHECK(i < 10 || open_numbered(file.text, file.length, &error) == TRIB_INPUT);
        file.text[i] ^= 0x10;
        CHECK(open_numbered(file.text, i, &error) == TRIB_INPUT);
    }
    EXPECT_STATUS(read_all(file.text, file.length, &error), TRIB_INPUT, error);
    EXPECT_TEXT(error.message, "some words: words of version 2, this program reads version 1");
    EXPECT(trib_fail_every_allocation(number_and_read, &spelt) > 10);
}

static trib_status write_and_read(void *context, trib_error *error) {
    GIVEN(trib_words_writer) writer = {0};
    trib_writer out;
    OPENED(trib_reader) reader = {0};
    trib_words words;
    const char *const path = context;
    trib_status status = trib_writer_open(&out, path, error);
    if (status != TRIB_OK) return status;
    status = write_words(cats, 4, &writer, &out, error);
    if (status == TRIB_OK) status = trib_writer_commit(&out, NULL, error);
    else trib_writer_abandon(&out);
    if (status != TRIB_OK) return status;
    status = trib_reader_open(&reader, path, error);
    uint64_t size = 0;
    if (status == TRIB_OK) status = trib_reader_size(&reader, &size, error);
    if (status == TRIB_OK) status = trib_words_open(&words, &reader, 0, size, error);
    if (status == TRIB_OK) {
        status = expect_words(&words, cats, 0, error);
        trib_words_close(&words);
    }
    return status;
}

TEST(every_allocation_may_fail) {
    EXPECT(trib_fail_every_allocation(write_and_read, (void *)(uintptr_t)trib_scratch("failing")) >
           10);
}

TEST(a_full_disk_is_told_while_words_come) {
    heard *word = draw(40000, 1);
    GIVEN(trib_words_writer) writer = {0};
    trib_writer out;
    trib_error error = {0};
    EXPECT_OK(trib_writer_open(&out, "/dev/full", &error));
    EXPECT_STATUS(write_words(word, 40000, &writer, &out, &error), TRIB_OUTPUT, error);
    trib_writer_abandon(&out);
    trib_free(word);
}
