/* run.c - tests of the stages and of the run directory, on our own small corpus: ferry has 36 words
 * and 34 3-grams, of which 8 stand in harbour ("grey boats lean on the quiet water", "the keeper of
 * the light"), 5 in mill ("and his daughter sings to the river") and none in both. */
#include "tests/test.h"

#include <jansson.h>
#include <strings.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include "pipeline/run/reread.h"
#include "tests/pipeline/run/experiment.h"
#include "tests/pipeline/support/pack.h"

TESTS(run, run);

static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};

static trib_status start(trib_experiment *e, const trib_setting *setting, size_t n_settings,
                         const char *directory, int n_threads, trib_error *error) {
    return trib_experiment_start(e, "configs/toy.yaml", setting, n_settings, directory, n_threads,
                                 error);
}

static bool has_sources(void) {
    if (access("configs/toy.yaml", R_OK) == 0) return true;
    trib_skip("configs/toy.yaml is not in this directory");
    return false;
}

/* The number of the document with this id. */
static uint32_t number_of(const trib_run *run, const char *id) {
    uint32_t d = 0;
    while (d < run->corpus.n_documents && strcmp(run->corpus.document[d].about->id, id) != 0) d++;
    CHECK(d < run->corpus.n_documents);
    return d;
}

static double share_of(const trib_experiment *e, const char *method, const char *source) {
    const trib_influence *influence = trib_experiment_shares(e, method);
    CHECK(influence != NULL);
    for (size_t s = 0; s < influence->n_sources; s++)
        if (influence->source[s] == number_of(&e->run, source)) return influence->share[s];
    return NAN;
}

TEST(the_small_corpus_has_the_shares_counted_by_hand) {
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    if (!has_sources()) return;
    EXPECT_OK(start(&e, NULL, 0, trib_scratch("by-hand"), 2, &error));
    CHECK(e.run.corpus.n_targets == 1 && e.run.corpus.n_documents == 3);
    const uint32_t d = number_of(&e.run, "ferry");
    const trib_counts *ferry = &e.run.tensors.document[d];
    EXPECT(e.run.words.document[d].n_tokens == 36 && ferry->n_ngrams == 34 &&
           ferry->ngrams.total == 34);
    static const char *const methods[] = {"containment", "split"};
    for (size_t i = 0; i < 2; i++) {
        EXPECT_NEAR(share_of(&e, methods[i], "harbour"), 8 / 34.0, 1e-15);
        EXPECT_NEAR(share_of(&e, methods[i], "mill"), 5 / 34.0, 1e-15);
        EXPECT_NEAR(trib_experiment_shares(&e, methods[i])->author, 21 / 34.0, 1e-15);
    }
}

TEST(every_phrase_of_the_evidence_is_attested) {
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    if (!has_sources()) return;
    EXPECT_OK(start(&e, NULL, 0, trib_scratch("attested"), 1, &error));
    const trib_findings *target = &e.run.findings[0];
    static const struct {
        const char *source;
        size_t n_phrases;
    } wanted[] = {{"harbour", 8}, {"mill", 5}};
    for (uint32_t s = 0; s < target->n_sources; s++) {
        const trib_evidence *evidence = &target->evidence[s];
        EXPECT(evidence->source == number_of(&e.run, wanted[s].source));
        EXPECT(evidence->n_phrases == wanted[s].n_phrases);
        double mass = 0;
        for (size_t p = 0; p < evidence->n_phrases; p++) {
            EXPECT(evidence->phrase[p].in_target == 1 && evidence->phrase[p].in_source == 1);
            mass += evidence->phrase[p].mass;
        }
        EXPECT_NEAR(mass, evidence->share, 1e-12);
        EXPECT_NEAR(evidence->share, trib_experiment_shares(&e, "traced")->share[s], 1e-12);
    }
}

TEST(factors_that_are_all_zero_leave_everything_to_the_author) {
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    const trib_setting crushed[] = {{"cp.solver", "hals", "a test"},
                                    {"cp.rank", "4", "a test"},
                                    {"cp.l1", "1e9", "a test"},
                                    {"influence.headline", "lowe", "a test"}};
    if (!has_sources()) return;
    EXPECT_OK(start(&e, crushed, 4, trib_scratch("crushed"), 1, &error));
    EXPECT(e.run.distances.factors.n == 0 && e.run.warnings.n > 0);
    static const char *const methods[] = {"lowe", "lowe-soft"};
    for (size_t i = 0; i < 2; i++) {
        EXPECT(trib_experiment_shares(&e, methods[i])->author == 1);
        EXPECT(share_of(&e, methods[i], "harbour") == 0);
    }
}

/* Where the words of a document stand in its file. */
TEST(every_token_keeps_its_place_in_the_file) {
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    OPENED(trib_reader) reader = {0};
    GIVEN(trib_buffer) text = {0};
    if (!has_sources()) return;
    EXPECT_OK(start(&e, NULL, 0, trib_scratch("places"), 1, &error));
    const uint32_t d = number_of(&e.run, "ferry");
    const trib_document_words *ferry = &e.run.words.document[d];
    CHECK(trib_reader_open(&reader, e.run.corpus.document[d].about->path, &error) == TRIB_OK);
    CHECK(trib_reader_all(&reader, &text, &error) == TRIB_OK);
    OPENED(trib_words_cursor) words = {0};
    CHECK(trib_words_cursor_open(&words, ferry, &error) == TRIB_OK);
    for (size_t i = 0; i < ferry->n_tokens; i++) {
        trib_placed_word at;
        CHECK(trib_words_cursor_at(&words, i, &at, &error) == TRIB_OK);
        const char *word = e.run.vocab.word[at.id];
        EXPECT(at.end - at.offset == strlen(word) && at.end <= text.length);
        EXPECT(strncasecmp(text.text + at.offset, word, at.end - at.offset) == 0);
    }
}

TEST(the_result_is_what_the_run_found) {
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    char directory[4096];
    if (!has_sources()) return;
    snprintf(directory, sizeof directory, "%s", trib_scratch("result"));
    EXPECT_OK(start(&e, NULL, 0, directory, 1, &error));
    json_t *result = trib_experiment_result(directory);
    json_t *target = json_array_get(json_object_get(result, "targets"), 0);
    EXPECT_TEXT(json_string_value(json_object_get(target, "target")), "ferry");
    EXPECT_TEXT(json_string_value(json_object_get(result, "hash")), e.run.corpus.hash);
    json_t *containment = json_object_get(json_object_get(target, "methods"), "containment");
    json_t *shares = json_object_get(containment, "shares");
    EXPECT(json_array_size(shares) == 2);
    EXPECT(json_real_value(json_object_get(json_array_get(shares, 0), "share")) ==
           share_of(&e, "containment", "harbour"));
    EXPECT(json_array_size(json_object_get(result, "documents")) == 3);
    json_t *curve = json_object_get(json_object_get(target, "distances"), "author");
    EXPECT(json_array_size(curve) == 101);
    EXPECT_NEAR(json_real_value(json_array_get(curve, 10)),
                trib_experiment_shares(&e, "lowe")->author, 1e-12);
    json_decref(result);
}

/* Whether two files hold the same bytes. */
static bool same_file(const char *a, const char *b) {
    trib_buffer text[2] = {{0}};
    const char *path[2] = {a, b};
    bool read = true;
    for (int i = 0; i < 2; i++) {
        trib_reader reader;
        read = read && trib_reader_open(&reader, path[i], NULL) == TRIB_OK;
        read = read && trib_reader_all(&reader, &text[i], NULL) == TRIB_OK;
        if (read) trib_reader_close(&reader);
    }
    const bool same = read && text[0].length == text[1].length &&
                      memcmp(text[0].text, text[1].text, text[0].length) == 0;
    for (int i = 0; i < 2; i++) trib_buffer_release(&text[i]);
    return same;
}

TEST(seven_threads_write_the_bytes_of_one) {
    char directory[2][2048], sums[2][4096];
    trib_error error = {0};
    if (!has_sources()) return;
    for (int i = 0; i < 2; i++) {
        GIVEN(trib_experiment) e = {0};
        snprintf(directory[i], sizeof directory[i], "%s", trib_scratch(i ? "seven" : "one"));
        EXPECT_OK(start(&e, NULL, 0, directory[i], i ? 7 : 1, &error));
        snprintf(sums[i], sizeof sums[i], "%.2000s/SHA256SUMS", directory[i]);
    }
    EXPECT(same_file(sums[0], sums[1]));
}

TEST(older_documents_alone_are_sources_by_date) {
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    const trib_setting by_date[] = {{"corpus.order", "by-date", "a test"},
                                    {"influence.methods", "[split]", "a test"},
                                    {"influence.headline", "split", "a test"},
                                    {"corpus.target", "all", "a test"}};
    e = (trib_experiment){0};
    CHECK(trib_log_open(&e.log, &silent, &error) == TRIB_OK);
    if (trib_shared("corpora/licences/GPL-2.txt") == NULL || !has_sources()) {
        trib_experiment_release(&e);
        return;
    }
    char root[4096];
    snprintf(root, sizeof root, "%s", trib_shared("corpora/licences"));
    /* the manifest names licences/ID.txt below corpora/texts; the shared copies lie in a folder of
     * the same name */
    root[strlen(root) - strlen("/licences")] = '\0';
    const trib_setting settings[] = {
        by_date[0], by_date[1], by_date[2], by_date[3], {"corpus.root", root, "a test"}};
    EXPECT_OK(
        trib_config_load(&e.config, "configs/licences.yaml", settings, 5, NULL, NULL, &error));
    const trib_run_options options = {
        .directory = {.path = trib_scratch("by-date")}, .n_threads = 1, .until = "influence"};
    EXPECT_OK(trib_run_execute(&e.run, &e.config, &options, e.log, &error));
    for (uint32_t t = 0; t < e.run.corpus.n_targets; t++)
        for (uint32_t s = 0; s < e.run.corpus.target[t].n_sources; s++)
            EXPECT(e.run.corpus.document[e.run.corpus.target[t].source[s]].about->year_end <=
                   e.run.corpus.document[e.run.corpus.target[t].document].about->year);
}

static trib_status run_in_place(void *context, trib_error *error) {
    GIVEN(trib_experiment) e = {0};
    const trib_setting setting[] = {{"cp.rank", "4", "a test"},
                                    {"influence.bootstrap", "3", "a test"}};
    const trib_status status = start(&e, setting, 2, context, 1, error);
    return status;
}

TEST(every_failing_allocation_of_a_run_is_reported) {
    char directory[4096];
    if (!has_sources()) return;
    snprintf(directory, sizeof directory, "%s", trib_scratch("a failing run"));
    EXPECT(trib_fail_every_allocation(run_in_place, directory) > 100);
}

TEST(a_share_that_is_not_finite_is_in_no_file) {
    static const char *const files[] = {"influence.csv", "influence.json", "report.html"};
    static const double values[] = {(double)NAN, (double)INFINITY};
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    trib_result result;
    char path[4096];
    if (!has_sources()) return;
    EXPECT_OK(start(&e, NULL, 0, trib_scratch("not finite run"), 1, &error));
    trib_result_release(&e.run.result);
    for (size_t i = 0; i < 2; i++) {
        e.run.shares[0].influence[0].share[0] = values[i];
        for (size_t f = 0; f < 3; f++) {
            CHECK(trib_directory_path(&e.run.directory, path, &error, "%s", files[f]) == TRIB_OK);
            EXPECT(i == 1 || unlink(path) == 0);
        }
        EXPECT_STATUS(trib_run_stage(&e.run, "report", &error), TRIB_INTERNAL, error);
        EXPECT_STATUS(trib_run_make_result(&e.run, &result, &error), TRIB_INTERNAL, error);
        EXPECT_TEXT(error.message, "influence.json: the number 'share' is not finite");
        EXPECT(result.documents.n == 0);
        for (size_t f = 0; f < 3; f++) {
            CHECK(trib_directory_path(&e.run.directory, path, &error, "%s", files[f]) == TRIB_OK);
            EXPECT(access(path, F_OK) != 0);
        }
    }
}

/* The hashes of the files of a run, without those of files that name the time. */
static void read_sums(const char *folder, trib_buffer *sums) {
    char path[4096];
    GIVEN(trib_buffer) all = {0};
    snprintf(path, sizeof path, "%s/SHA256SUMS", trib_scratch(folder));
    CHECK(trib_read_whole(path, &all, NULL) == TRIB_OK);
    CHECK(trib_buffer_add(&all, "", 1, NULL) == TRIB_OK);
    for (char *line = strtok(all.text, "\n"); line; line = strtok(NULL, "\n"))
        if (!strstr(line, "manifest.json"))
            CHECK(trib_buffer_print(sums, NULL, "%s\n", line) == TRIB_OK);
}

/* Runs an experiment that holds `most` words in memory. Returns its files as read_sums does. */
static void run_with_words(uint32_t most, const trib_setting *setting, size_t n,
                           trib_buffer *sums) {
    static int n_runs = 0;
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    char path[4096], folder[32];
    snprintf(folder, sizeof folder, "words-%d", n_runs++);
    snprintf(path, sizeof path, "%s", trib_scratch(folder));
    const trib_run_options options = {
        .directory = {.path = path}, .n_threads = 2, .most_words = most};
    trib_json_open();
    CHECK(trib_log_open(&e.log, &silent, &error) == TRIB_OK);
    CHECK(trib_config_load(&e.config, "configs/toy.yaml", setting, n, NULL, NULL, &error) ==
          TRIB_OK);
    EXPECT_OK(trib_run_execute(&e.run, &e.config, &options, e.log, &error));
    EXPECT((e.run.vocab.file.bytes != NULL) == (most > 0 || n > 0));
    EXPECT((e.run.vocab.norm != NULL) == (n > 0));
    read_sums(folder, sums);
}

TEST(words_that_go_to_a_file_change_no_file_of_a_run) {
    static const trib_setting setting[] = {{"tokens.transform", "early-english", "a test"},
                                           {"tokens.stem", "en", "a test"},
                                           {"tokens.stop", "3", "a test"}};
    static const struct {
        size_t first, n; /* settings */
    } row[] = {{0, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 3}};
    static const uint32_t most[] = {1, 10, 20};
    if (!has_sources()) return;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        GIVEN(trib_buffer) wanted = {0};
        run_with_words(0, &setting[row[r].first], row[r].n, &wanted);
        EXPECT(strstr(wanted.text, "vocab.tsv") != NULL);
        for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
            GIVEN(trib_buffer) sums = {0};
            run_with_words(most[i], &setting[row[r].first], row[r].n, &sums);
            EXPECT_TEXT(sums.text, wanted.text);
        }
    }
}

/* kwic and trace find words there. */
TEST(words_that_are_read_again_stay_in_memory) {
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    OPENED(trib_reread) texts = {0};
    if (!has_sources()) return;
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", trib_scratch("read again"));
    EXPECT_OK(start(&e, NULL, 0, directory, 1, &error));
    GIVEN(trib_result) result = {0};
    EXPECT_OK(trib_result_open(&result, directory, &error));
    const trib_reread_options options = {
        .command = "kwic", .directory = directory, .result = &result};
    EXPECT_OK(trib_reread_open(&texts, &options, e.log, &error));
    EXPECT(texts.run.word_counts.most_words == 0);
    EXPECT(texts.run.word_counts.intern.n_words == e.run.vocab.n_words);
}

#ifdef __linux__
/* Whatever is written, each text is opened once to be hashed and once to be decoded; before, the
 * list of documents looks at its begin: at the header of TEI, and for marks of several texts. */
TEST(each_text_is_decoded_once) {
    static const char *const text[] = {
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc/></teiHeader><text><body><p>"
        "the grey boats lean on the quiet water and the boats wait</p></body></text></TEI>",
        "all the grey boats lean on the quiet water of the river",
        "tributary: 1\n"
        "corpus: {documents: [{id: a, file: a.xml}, {id: b, file: b.txt}], target: all}\n"
        "tensor: {n: 2}\nreport: {formats: [html, json, csv, trace, sqlite, tei, alignments]}\n"};
    static const char *const file[] = {"a.xml", "b.txt", "e.yaml"};
    static const int wanted[] = {3, 3};
    char path[3][4096], directory[4096];
    int watch[2], n_opened[2] = {0};
    trib_error error = {0};
    char bytes[1 << 14] __attribute__((aligned(8)));
    const int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    CHECK(queue >= 0);
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s", trib_scratch(file[i]));
        trib_write_bytes(path[i], text[i], strlen(text[i]));
        /* equal events that follow each other would be one */
        if (i < 2) watch[i] = inotify_add_watch(queue, path[i], IN_OPEN | IN_ACCESS | IN_CLOSE);
    }
    snprintf(directory, sizeof directory, "%s", trib_scratch("decoded once"));
    EXPECT_OK(trib_experiment_do(NULL, path[2], directory, &error));
    for (ssize_t n; (n = read(queue, bytes, sizeof bytes)) > 0;)
        for (ssize_t at = 0; at < n;) {
            const struct inotify_event *event = (const void *)(bytes + at);
            for (int i = 0; i < 2; i++)
                n_opened[i] += event->wd == watch[i] && (event->mask & IN_OPEN);
            at += (ssize_t)(sizeof *event + event->len);
        }
    close(queue);
    for (int i = 0; i < 2; i++) EXPECT(n_opened[i] == wanted[i]);
}
#endif
