/* rejected.c - tests of documents that cannot be used: all are found, with the reason, and a run
 * without them is the run that never knew them. */
#include "pipeline/run/run.h"

#include <unistd.h>

#include "pipeline/support/json.h"
#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/support/pack.h"

TESTS(run, rejected);

#define HERON "the grey heron stood in the reeds and the grey heron waited all day for a fish\n"
#define TERN  "a tern saw that the grey heron stood in the reeds and waited all day for a fish\n"
#define FERRY "the ferry waited all day for a fish and the keeper of the light saw that the tern\n"

/* The documents in two lists: of all, and of what can be used. */
static const char good[] = "{file: ferry.txt, date: '1903'}, {file: heron.txt, date: '1901'}, "
                           "{file: tern.txt, date: '1902'}";
static const char bad[] = ", {file: empty.txt, date: '1899'}, {file: latin.txt, date: '1902'}, "
                          "{file: missing.txt, date: '1900'}, {file: numbers.txt, date: '1950'}, "
                          "{file: packed.txt, date: '1800'}, {file: short.txt, date: '1901'}, "
                          "{file: stripped.txt, date: '1903'}";
enum { N_GOOD = 3, N_BAD = 7 };

static void write_texts(void) {
    static const char cut[] = "\x1F\x8B\x08\0\0\0\0\0\0\x03\x4B";
    static const char book[] = "*** START OF THE PROJECT GUTENBERG EBOOK X ***\na b c d\n"
                               "*** END OF THE PROJECT GUTENBERG EBOOK X ***\n" HERON HERON;
    write_scratch("heron.txt", HERON, strlen(HERON));
    write_scratch("tern.txt", TERN, strlen(TERN));
    write_scratch("ferry.txt", FERRY, strlen(FERRY));
    write_scratch("empty.txt", "", 0);
    write_scratch("latin.txt", "where a caf\xE9 is\n", 16);
    write_scratch("numbers.txt", "1 2 3 4 5\n", 10);
    write_scratch("short.txt", "two words\n", 10);
    write_scratch("packed.txt", cut, sizeof cut - 1);
    write_scratch("stripped.txt", book, strlen(book));
    remove(trib_scratch("missing.txt"));
}

typedef struct experiment {
    loaded loaded;
    trib_log *log;
    trib_run run;
    trib_status status;
    trib_error error;
} experiment;

static void start(experiment *e, const char *documents, const char *more, const char *settings,
                  const char *directory, int n_threads) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    const trib_run_options options = {.directory = {.path = directory}, .n_threads = n_threads};
    GIVEN(trib_buffer) text = {0};
    *e = (experiment){0};
    trib_json_open();
    EXPECT(trib_buffer_print(&text, NULL,
                             "tributary: 1\nname: x\n"
                             "influence: {methods: [traced, anchored, split]}\n"
                             "report: {formats: [html, json, csv, tensors]}\ncorpus:\n"
                             "  target: all\n  order: by-date\n  strip: gutenberg\n  %s\n"
                             "  documents: [%s%s]\n",
                             settings, documents, more) == TRIB_OK);
    load_text(&e->loaded, "refused.yaml", text.text, NULL, 0);
    EXPECT_STATUS(e->loaded.status, TRIB_OK, e->loaded.error);
    CHECK(trib_log_open(&e->log, &silent, NULL) == TRIB_OK);
    e->status = trib_run_execute(&e->run, &e->loaded.config, &options, e->log, &e->error);
}

static void finish(experiment *e) {
    trib_run_release(&e->run);
    trib_log_close(e->log);
    release_loaded(&e->loaded);
}

static void expect_rows(const char *path, const char *const wanted[], size_t n) {
    GIVEN(trib_buffer) table = {0};
    trib_read_bytes(path, &table);
    for (size_t i = 0; i < n; i++)
        if (!strstr(table.text, wanted[i])) EXPECT_TEXT(table.text, wanted[i]);
    size_t n_refused = 0;
    for (const char *at = table.text; (at = strstr(at, "\trefused\t")); at++) n_refused++;
    EXPECT(n_refused == n);
}

static const char *const rows[N_BAD] = {
    "\nempty.txt\tempty\trefused\ttext\t\t0\t\t\t",
    "\nlatin.txt\tlatin\trefused\ttext\t\t16\t\t\t",
    "\nmissing.txt\tmissing\trefused\t\t\t0\t\t\t",
    "\nnumbers.txt\tnumbers\trefused\ttext\t\t10\t\t\t",
    "\npacked.txt\tpacked\trefused\tgzip text\t\t11\t\t\t",
    "\nshort.txt\tshort\trefused\ttext\t\t10\t\t\t",
    "\nstripped.txt\tstripped\trefused\ttext\t\t258\t\t\t",
};

TEST(all_are_found_before_the_run_ends) {
    static const char *const why[N_BAD] = {
        "empty.txt: is empty; ",
        "latin.txt: byte 11 (line 1) is not UTF-8",
        "missing.txt: cannot be opened: No such file or directory",
        "numbers.txt: holds no word; ",
        "packed.txt: ends within its gzip data",
        "short.txt: holds no 3-gram (2 words); ",
        "more than corpus.max_strip (0.5) allows; ",
    };
    for (int n_threads = 1; n_threads <= 7; n_threads += 6) {
        experiment e;
        write_texts();
        char directory[4096];
        snprintf(directory, sizeof directory, "%s", trib_scratch("all-refused"));
        start(&e, good, bad, "on_error: refuse", directory, n_threads);
        EXPECT_STATUS(e.status, TRIB_INPUT, e.error);
        EXPECT_TEXT(e.error.message,
                    "7 of 10 documents cannot be used; mend or remove them, or go on without them "
                    "by corpus.on_error: skip");
        EXPECT(e.run.corpus.n_rejected == N_BAD);
        for (uint32_t r = 0; r < N_BAD && r < e.run.corpus.n_rejected; r++)
            EXPECT(strstr(e.run.corpus.rejected[r].why, why[r]) != NULL);
        char table[5000];
        snprintf(table, sizeof table, "%s/inputs.tsv", directory);
        expect_rows(table, rows, N_BAD);
        finish(&e);
    }
}

/* Both are read as they are written. */
static void expect_same_file(const char *one, const char *other, const char *name) {
    char path[2][5000];
    trib_buffer bytes[2] = {{0}, {0}};
    snprintf(path[0], sizeof path[0], "%s/%s", one, name);
    snprintf(path[1], sizeof path[1], "%s/%s", other, name);
    for (int i = 0; i < 2; i++) trib_read_bytes(path[i], &bytes[i]);
    EXPECT(bytes[0].length > 0 && bytes[0].length == bytes[1].length &&
           memcmp(bytes[0].text, bytes[1].text, bytes[0].length) == 0);
    for (int i = 0; i < 2; i++) trib_buffer_release(&bytes[i]);
}

TEST(without_them_a_run_is_that_of_the_others) {
    static const char *const files[] = {"vocab.tsv", "influence.csv", "phrases.csv",
                                        "tensors/tern.fragment", "tensors/tern.words"};
    char one[4096], other[4096], table[5000];
    snprintf(one, sizeof one, "%s", trib_scratch("skipped"));
    snprintf(other, sizeof other, "%s", trib_scratch("never-knew"));
    experiment a, b;
    write_texts();
    start(&a, good, bad, "on_error: skip", one, 2);
    EXPECT_STATUS(a.status, TRIB_OK, a.error);
    start(&b, good, "", "on_error: refuse", other, 1);
    EXPECT_STATUS(b.status, TRIB_OK, b.error);
    EXPECT(a.run.corpus.n_documents == N_GOOD && a.run.corpus.n_targets == N_GOOD &&
           a.run.corpus.n_rejected == N_BAD);
    EXPECT(b.run.corpus.n_rejected == 0 && a.run.warnings.n >= N_BAD + b.run.warnings.n - 1);
    EXPECT(strstr(a.run.warnings.text[1], "'empty' is left out: ") != NULL ||
           strstr(a.run.warnings.text[0], "'empty' is left out: ") != NULL);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_same_file(one, other, files[i]);
    snprintf(table, sizeof table, "%s/inputs.tsv", one);
    expect_rows(table, rows, N_BAD);
    finish(&a);
    finish(&b);
}

TEST(a_run_needs_a_target_that_is_left) {
    experiment e;
    write_texts();
    start(&e, "{file: empty.txt, date: '1900'}", ", {file: short.txt, date: '1901'}",
          "on_error: skip", trib_scratch("none-left"), 1);
    EXPECT_STATUS(e.status, TRIB_INPUT, e.error);
    EXPECT_TEXT(e.error.message, "no target is left: corpus.on_error: skip left out all of them");
    finish(&e);
}

/* What ended for its texts holds nothing of worth: another run takes its place. Any other run is
 * renamed, and stays where it is while a text is wrong. */
TEST(what_is_mended_runs_in_the_same_place) {
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", trib_scratch("mended"));
    experiment e;
    write_texts();
    start(&e, good, ", {file: short.txt, date: '1901'}", "on_error: refuse", directory, 1);
    EXPECT_STATUS(e.status, TRIB_INPUT, e.error);
    EXPECT(strstr(e.error.message, "short.txt: holds no 3-gram") != NULL);
    finish(&e);
    write_scratch("short.txt", FERRY HERON, strlen(FERRY HERON));
    start(&e, good, ", {file: short.txt, date: '1901'}", "on_error: refuse", directory, 1);
    EXPECT_STATUS(e.status, TRIB_OK, e.error);
    finish(&e);
    EXPECT(access(trib_scratch("mended.1"), F_OK) != 0);
    write_scratch("short.txt", TERN, strlen(TERN));
    start(&e, good, ", {file: short.txt, date: '1901'}", "on_error: refuse", directory, 1);
    EXPECT_STATUS(e.status, TRIB_OK, e.error);
    finish(&e);
    EXPECT(access(trib_scratch("mended.1/status"), F_OK) == 0);
    write_scratch("short.txt", "", 0); /* then it is the text that is wrong */
    start(&e, good, ", {file: short.txt, date: '1901'}", "on_error: refuse", directory, 1);
    EXPECT_STATUS(e.status, TRIB_INPUT, e.error);
    finish(&e);
    EXPECT(access(trib_scratch("mended.2"), F_OK) != 0);
    expect_rows(trib_scratch("mended/inputs.tsv"), NULL, 0);
}

/* Six documents of which 1, 2 and 5 are refused; targets 0 (of 1, 5), 2, 4 (of 0, 2, 3). */
static trib_status settle(void *context, trib_error *error) {
    enum { N = 6 };
    static const uint32_t sources[3][3] = {{1, 5}, {0}, {0, 2, 3}}, n_sources[] = {2, 1, 3};
    trib_log *log = context;
    trib_config config = {.corpus = {.skips_refused = true}};
    trib_corpus_document about[N] = {{.id = (char[]){"a"}}, {.id = (char[]){"b"}},
                                     {.id = (char[]){"c"}}, {.id = (char[]){"d"}},
                                     {.id = (char[]){"e"}}, {.id = (char[]){"f"}}};
    GIVEN(trib_run) run = {0};
    trib_run_init(&run, &config, log, 1);
    trib_status status = trib_new(&run.corpus.document, N, sizeof *run.corpus.document, "", error);
    if (status == TRIB_OK)
        status = trib_new(&run.corpus.target, N, sizeof *run.corpus.target, "", error);
    if (status == TRIB_OK)
        status = trib_new(&run.corpus.arrival, N, sizeof *run.corpus.arrival, "", error);
    run.corpus.n_documents = status == TRIB_OK ? N : 0;
    for (uint32_t d = 0; d < run.corpus.n_documents; d++) {
        run.corpus.document[d].about = &about[d];
        run.corpus.arrival[d] = N - 1 - d;
    }
    for (uint32_t t = 0; t < 3 && status == TRIB_OK; t++) {
        trib_target *target = &run.corpus.target[run.corpus.n_targets++];
        target->document = 2 * t;
        status = trib_new(&target->source, N, sizeof *target->source, "", error);
        if (status != TRIB_OK) break;
        target->n_sources = n_sources[t];
        memcpy(target->source, sources[t], sizeof sources[t]);
    }
    static const uint32_t refused[] = {1, 2, 5};
    for (size_t i = 0; i < 3 && status == TRIB_OK; i++)
        status = trib_document_reject(&run.corpus.document[refused[i]],
                                      &(trib_error){.message = "why"}, error);
    if (status == TRIB_OK) status = trib_run_finish_rejected(&run, error);
    if (status == TRIB_OK) {
        EXPECT(run.corpus.n_documents == 3 && run.corpus.n_targets == 2 &&
               run.corpus.n_rejected == 3);
        EXPECT(run.corpus.document[0].about == &about[0] &&
               run.corpus.document[1].about == &about[3] &&
               run.corpus.document[2].about == &about[4]);
        EXPECT(run.corpus.rejected[0].about == &about[1] &&
               run.corpus.rejected[2].about == &about[5]);
        EXPECT(run.corpus.arrival[0] == 2 && run.corpus.arrival[1] == 1 &&
               run.corpus.arrival[2] == 0);
        EXPECT(run.corpus.target[0].document == 0 && run.corpus.target[0].n_sources == 0);
        EXPECT(run.corpus.target[1].document == 2 && run.corpus.target[1].n_sources == 2);
        EXPECT(run.corpus.target[1].source[0] == 0 && run.corpus.target[1].source[1] == 1);
        EXPECT(run.warnings.n == 4); /* three are left out, one has no source */
    }
    return status;
}

TEST(documents_targets_and_sources_are_numbered_anew) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    trib_log *log = NULL;
    trib_error error = {0};
    CHECK(trib_log_open(&log, &silent, NULL) == TRIB_OK);
    EXPECT_OK(settle(log, &error));
    EXPECT(trib_fail_every_allocation(settle, log) > 10);
    trib_log_close(log);
}
