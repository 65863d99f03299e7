/* quotes.c - tests of pipeline/output/quotes.c: every word a report quotes stands in the files at
 * the place it names, in both texts. */
#include "tests/test.h"

#include <ctype.h>
#include <jansson.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/output/result.h"
#include "pipeline/run/run.h"
#include "tests/pipeline/run/experiment.h"

TESTS(output, quotes);

typedef struct experiment {
    trib_config config;
    trib_log *log;
    trib_run run;
    json_t *result;
} experiment;

static void start(experiment *e, const char *config, const char *name, const trib_setting *setting,
                  size_t n_settings) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    const trib_run_options options = {.directory = {.path = trib_scratch(name), .resume = true}};
    trib_error error = {0};
    *e = (experiment){0};
    trib_json_open();
    EXPECT_OK(trib_log_open(&e->log, &silent, &error));
    EXPECT_OK(trib_config_load(&e->config, config, setting, n_settings, NULL, NULL, &error));
    EXPECT_OK(trib_run_execute(&e->run, &e->config, &options, e->log, &error));
    e->result = trib_experiment_result(options.directory.path);
    CHECK(e->result != NULL);
}

static void finish(experiment *e) {
    json_decref(e->result);
    trib_run_release(&e->run);
    trib_config_release(&e->config);
    trib_log_close(e->log);
}

static uint32_t document_of(const experiment *e, const json_t *id) {
    for (uint32_t d = 0; d < e->run.corpus.n_documents; d++)
        if (strcmp(e->run.corpus.document[d].about->id, json_string_value(id)) == 0) return d;
    CHECK(false);
    return 0;
}

/* Word i of a document. */
static trib_placed_word place_of(const trib_document_words *document, size_t i) {
    OPENED(trib_words_cursor) text = {0};
    trib_placed_word word;
    CHECK(trib_words_cursor_open(&text, document, NULL) == TRIB_OK);
    CHECK(trib_words_cursor_at(&text, i, &word, NULL) == TRIB_OK);
    return word;
}

/* How often a document holds these words in a row. */
static int times(const experiment *e, uint32_t d, const json_t *words) {
    const trib_document_words *document = &e->run.words.document[d];
    const size_t n = json_array_size(words);
    int found = 0;
    OPENED(trib_words_cursor) text = {0};
    trib_placed_word word;
    CHECK(trib_words_cursor_open(&text, document, NULL) == TRIB_OK);
    for (size_t i = 0; i + n <= document->n_tokens; i++) {
        size_t same = 0;
        for (; same < n; same++) {
            CHECK(trib_words_cursor_at(&text, i + same, &word, NULL) == TRIB_OK);
            if (strcmp(e->run.vocab.word[word.id],
                       json_string_value(json_array_get(words, same))) != 0)
                break;
        }
        found += same == n;
    }
    return found;
}

/* The file from the first byte of word `first` on begins with `piece`, white space apart. */
static bool stands_there(const char *file, size_t offset, const char *piece) {
    for (file += offset; *piece; piece++) {
        if (isspace((unsigned char)*piece)) continue;
        while (isspace((unsigned char)*file)) file++;
        if (*file++ != *piece) return false;
    }
    return true;
}

/* Every piece follows the one before in the file, and the second begins the shared words at the
 * place named. */
static void check_side(const experiment *e, const json_t *side, const json_t *id) {
    const uint32_t d = document_of(e, id);
    const trib_document_words *document = &e->run.words.document[d];
    const json_t *pieces = json_object_get(side, "text");
    const size_t first = (size_t)json_integer_value(json_object_get(side, "first")) - 1;
    GIVEN(trib_buffer) file = {0};
    OPENED(trib_reader) reader = {0};
    trib_error error = {0};
    EXPECT_OK(trib_reader_open(&reader, e->run.corpus.document[d].about->path, &error));
    EXPECT_OK(trib_reader_all(&reader, &file, &error));
    CHECK(json_array_size(pieces) >= 3 && json_array_size(pieces) % 2 == 1);
    GIVEN(trib_buffer) all = {0};
    for (size_t p = 1; p < json_array_size(pieces); p++) {
        const char *piece = json_string_value(json_array_get(pieces, p));
        CHECK(trib_buffer_add(&all, piece, strlen(piece), NULL) == TRIB_OK);
    }
    EXPECT(stands_there(file.text, place_of(document, first).offset, all.text));
    const char *before = json_string_value(json_array_get(pieces, 0));
    const size_t context = e->config.report.context_words;
    EXPECT(stands_there(file.text, place_of(document, first > context ? first - context : 0).offset,
                        before));
}

/* The words of every second piece in small letters, each between spaces. */
static void list_shared(const json_t *side, char text[8192]) {
    const json_t *const pieces = json_object_get(side, "text");
    size_t n = 0;
    text[n++] = ' ';
    for (size_t p = 1; p < json_array_size(pieces); p += 2) {
        for (const char *at = json_string_value(json_array_get(pieces, p)); *at; at++)
            if (isalnum((unsigned char)*at)) text[n++] = (char)tolower((unsigned char)*at);
            else if (text[n - 1] != ' ' && *at != '\'') text[n++] = ' ';
        if (text[n - 1] != ' ') text[n++] = ' ';
        CHECK(n + 1000 < 8192);
    }
    text[n] = '\0';
}

/* Each shared word of one side is one of the other, which may be cut earlier. */
static void check_pair(const json_t *left, const json_t *right) {
    static char text[2][8192];
    const json_t *const side[2] = {left, right};
    for (int s = 0; s < 2; s++) list_shared(side[s], text[s]);
    for (int s = 0; s < 2; s++) {
        if (json_is_true(json_object_get(side[1 - s], "cut"))) continue;
        for (char *at = text[s]; at[1]; at = strchr(at + 1, ' ')) {
            char *const end = strchr(at + 1, ' ') + 1, after = *end;
            *end = '\0';
            EXPECT(strstr(text[1 - s], at) != NULL);
            *end = after;
        }
    }
}

/* A phrase has the counts it says in the target and, unless it is the author's own, in the
 * source. */
static void check_phrase(const experiment *e, const json_t *phrase, const json_t *own,
                         const json_t *theirs) {
    const json_t *words = json_object_get(phrase, "words");
    const json_t *others = json_object_get(phrase, "other_documents");
    int n_others = 0;
    EXPECT(times(e, document_of(e, own), words) ==
           json_integer_value(json_object_get(phrase, "target_count")));
    if (theirs)
        EXPECT(times(e, document_of(e, theirs), words) ==
               json_integer_value(json_object_get(phrase, "source_count")));
    for (uint32_t d = 0; d < e->run.corpus.n_documents && others; d++) {
        const char *id = e->run.corpus.document[d].about->id;
        const bool is_either = strcmp(id, json_string_value(own)) == 0 ||
                               (theirs && strcmp(id, json_string_value(theirs)) == 0);
        n_others += !is_either && times(e, d, words) > 0;
    }
    if (others) EXPECT(n_others == json_integer_value(others));
}

/* The author's own phrases stand in no source, and those of a factor's card in both texts. */
static size_t check_cards(const experiment *e, const json_t *target) {
    const json_t *own = json_object_get(target, "target");
    size_t s, p, m, n_checked = 0;
    json_t *source, *phrase, *match;
    json_array_foreach(json_object_get(json_object_get(target, "own"), "phrases"), p, phrase) {
        check_phrase(e, phrase, own, NULL);
        json_array_foreach(json_object_get(target, "evidence"), s, source) {
            const uint32_t there = document_of(e, json_object_get(source, "source"));
            EXPECT(times(e, there, json_object_get(phrase, "words")) == 0);
        }
        n_checked++;
    }
    json_array_foreach(json_object_get(target, "matches"), m, match) {
        json_array_foreach(json_object_get(match, "phrases"), p, phrase) {
            check_phrase(e, phrase, own, json_object_get(match, "source"));
            n_checked++;
        }
    }
    return n_checked;
}

static size_t check_result(const experiment *e) {
    size_t t, s, p, n_checked = 0;
    json_t *target, *source, *item;
    json_array_foreach(json_object_get(e->result, "targets"), t, target) {
        const json_t *own = json_object_get(target, "target");
        EXPECT(check_cards(e, target) > 0);
        json_array_foreach(json_object_get(target, "evidence"), s, source) {
            const json_t *theirs = json_object_get(source, "source");
            json_array_foreach(json_object_get(source, "phrases"), p, item) {
                check_phrase(e, item, own, theirs);
            }
            json_array_foreach(json_object_get(source, "passages"), p, item) {
                check_side(e, json_object_get(item, "target"), own);
                check_side(e, json_object_get(item, "source"), theirs);
                check_pair(json_object_get(item, "target"), json_object_get(item, "source"));
                n_checked++;
            }
            if (json_object_get(source, "strip"))
                EXPECT(json_array_size(json_object_get(source, "strip")) == 120);
        }
    }
    return n_checked;
}

TEST(what_is_quoted_stands_in_both_texts) {
    static const trib_setting settings[] = {{"report.doubtful", "true", "test"},
                                            {"report.text", "full", "test"},
                                            {"influence.methods", "[traced]", "test"}};
    static const struct {
        const char *config, *name;
        size_t n_settings;
    } reports[] = {{"configs/toy.yaml", "toy", 1},
                   {"corpora/carrow-bay/experiment.yaml", "carrow", 0},
                   {"corpora/carrow-bay/experiment.yaml", "carrow-full", 3}};
    for (size_t r = 0; r < sizeof reports / sizeof *reports; r++) {
        experiment e;
        if (access(reports[r].config, R_OK) != 0) {
            trib_skip("the configurations are not in this directory");
            return;
        }
        start(&e, reports[r].config, reports[r].name, settings, reports[r].n_settings);
        EXPECT(check_result(&e) >= 2);
        finish(&e);
    }
}

TEST(nothing_is_quoted_where_it_may_not_be) {
    static const trib_setting none[] = {{"report.text", "none", "test"},
                                        {"report.doubtful", "true", "test"}};
    experiment e;
    if (access("configs/toy.yaml", R_OK) != 0) {
        trib_skip("configs/toy.yaml is not in this directory");
        return;
    }
    start(&e, "configs/toy.yaml", "no-text", none, 2);
    char *all = json_dumps(e.result, 0);
    CHECK(all != NULL);
    EXPECT(strstr(all, "\"passages\"") && strstr(all, "\"first\""));
    EXPECT(!strstr(all, "\"text\": ["));
    trib_raw_free(all);
    finish(&e);
}

/* Numbers are no words here, so that two texts share a run across numbers that differ. */
TEST(numbers_that_differ_are_not_marked) {
    static const char *const files[][2] = {
        {"old.txt",
         "In the year ending June 30, 1894, the sea took 1,200 boats and the old wall of 7 men.\n"},
        {"new.txt",
         "So in the year ending June 30, 1895, the sea took 99 boats and the old wall of 7 men.\n"},
        {"numbers.yaml",
         "tributary: 1\ncorpus: {target: [new], documents: [{id: old, file: old.txt},"
         " {id: new, file: new.txt}]}\ninfluence: {methods: [split, anchored], headline: "
         "split, bootstrap: 0, background: 0}\n"}};
    for (size_t i = 0; i < 3; i++) trib_write_scratch(files[i][0], files[i][1]);
    experiment e;
    start(&e, trib_scratch("numbers.yaml"), "numbers", NULL, 0);
    EXPECT(check_result(&e) == 1);
    const json_t *target = json_array_get(json_object_get(e.result, "targets"), 0);
    const json_t *source = json_array_get(json_object_get(target, "evidence"), 0);
    const json_t *passage = json_array_get(json_object_get(source, "passages"), 0);
    const json_t *text = json_object_get(json_object_get(passage, "target"), "text");
    static const char *const wanted[] = {"So ",         "in the year ending June",
                                         " 30, 1895, ", "the sea took",
                                         " 99 ",        "boats and the old wall of 7 men"};
    CHECK(json_array_size(text) == 7);
    for (size_t i = 0; i < 6; i++)
        EXPECT_TEXT(json_string_value(json_array_get(text, i)), wanted[i]);
    finish(&e);
}

/* With room for one byte, texts are released between two uses, and never within one. */
TEST(texts_are_released_between_uses) {
    experiment e;
    trib_run_results results;
    trib_quotes quotes;
    start(&e, "configs/toy.yaml", "released", NULL, 0);
    CHECK(trib_run_collect(&e.run, &results, NULL) == TRIB_OK);
    CHECK(trib_quotes_open(&quotes, &results, NULL) == TRIB_OK);
    quotes.most_bytes = 1;
    trib_quotes_enter(&quotes);
    CHECK(trib_quotes_prepare(&quotes, 0, NULL) == TRIB_OK);
    CHECK(trib_quotes_prepare(&quotes, 1, NULL) == TRIB_OK);
    EXPECT(quotes.document[0].is_read && quotes.document[1].is_read);
    trib_quotes_leave(&quotes);
    trib_quotes_enter(&quotes);
    EXPECT(!quotes.document[0].is_read && !quotes.document[1].is_read);
    CHECK(trib_quotes_prepare(&quotes, 1, NULL) == TRIB_OK);
    EXPECT(!quotes.document[0].is_read && quotes.document[1].is_read);
    trib_quotes_leave(&quotes);
    quotes.most_bytes = SIZE_MAX;
    trib_quotes_enter(&quotes);
    EXPECT(quotes.document[1].is_read);
    trib_quotes_leave(&quotes);
    trib_quotes_close(&quotes);
    trib_free(results.target);
    finish(&e);
}
