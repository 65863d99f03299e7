/* library.c - tests of the functions for programs that use the library, on configs/toy.yaml, whose
 * shares are counted by hand in tests/pipeline/run/run.c. */
#include "tests/test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipeline/library/tributary.h"
#include "pipeline/support/json.h"

TESTS(library, library);

static bool has_sources(void) {
    if (access("configs/toy.yaml", R_OK) == 0) return true;
    trib_skip("configs/toy.yaml is not in this directory");
    return false;
}

static const char *const with_everything[] = {"report.formats=[html, json, csv, factors, npy]",
                                              NULL};

static trib_status run_toy(const char *directory, const char *const settings[],
                           const trib_callbacks *callbacks, trib_results **results,
                           trib_error *error) {
    trib_experiment *experiment;
    trib_status status =
        trib_experiment_load(&experiment, "configs/toy.yaml", settings, callbacks, error);
    const trib_experiment_options options = {
        .directory = directory, .resume = true, .n_threads = 2, .callbacks = callbacks};
    if (status == TRIB_OK) status = trib_experiment_run(experiment, &options, results, error);
    trib_experiment_close(experiment);
    return status;
}

/* The results of a run, which the caller closes; NULL where the sources are missing. */
static trib_results *results_of(const char *directory, const char *const settings[]) {
    trib_results *results = NULL;
    trib_error error = {0};
    if (!has_sources()) return NULL;
    EXPECT_STATUS(run_toy(trib_scratch(directory), settings, NULL, &results, &error), TRIB_OK,
                  error);
    CHECK(results != NULL);
    return results;
}

static double share_of(const trib_results *results, const char *method, const char *source) {
    size_t n = 0;
    const trib_result_share *share = trib_results_shares(results, &n);
    const uint32_t document = trib_results_find(results, source);
    for (size_t i = 0; i < n; i++)
        if (share[i].source == document && strcmp(share[i].method, method) == 0)
            return share[i].share;
    return NAN;
}

TEST(an_experiment_runs_and_its_shares_are_read) {
    trib_results *results = results_of("library", NULL);
    size_t n = 0;
    if (!results) return;
    const trib_result_document *document = trib_results_documents(results, &n);
    CHECK(n == 3);
    EXPECT_TEXT(document[0].id, "ferry");
    EXPECT_TEXT(document[1].id, "harbour");
    EXPECT(document[0].is_target && !document[1].is_target && document[0].floor >= 0);
    EXPECT(document[0].n_words == 36 && document[0].n_ngrams == 34 && isnan(document[1].floor));
    EXPECT_NEAR(share_of(results, "split", "harbour"), 8.0 / 34, 1e-12);
    EXPECT_NEAR(share_of(results, "split", "mill"), 5.0 / 34, 1e-12);
    EXPECT_NEAR(share_of(results, "split", "no such text"), 21.0 / 34, 1e-12); /* the author */
    EXPECT_TEXT(trib_results_directory(results), trib_scratch("library"));
    EXPECT_TEXT(trib_results_name(results), "toy");
    EXPECT(trib_results_find(results, "mill") == 2);
    trib_results_close(results);
}

TEST(phrases_and_passages_are_read) {
    static const char *const all[] = {"report.doubtful=true", NULL};
    trib_results *results = results_of("evidence", all);
    size_t n = 0;
    bool found = false;
    if (!results) return;
    const trib_result_phrase *phrase = trib_results_phrases(results, &n);
    for (size_t i = 0; i < n; i++)
        found = found || (strcmp(phrase[i].text, "lean on the") == 0 && phrase[i].source == 1 &&
                          phrase[i].target == 0 && phrase[i].in_target == 1 &&
                          phrase[i].in_source == 1 && phrase[i].mass > 0);
    EXPECT(found);
    const trib_result_passage *passage = trib_results_passages(results, &n);
    CHECK(n >= 2);
    EXPECT(passage[0].source == 1 && passage[0].target == 0);
    EXPECT(passage[0].n_shared > 2 && passage[0].first >= 1 &&
           passage[0].n_words >= passage[0].n_shared &&
           passage[0].n_source_words >= passage[0].n_shared);
    EXPECT(strstr(passage[0].text, "on the quiet water") != NULL);
    EXPECT(strstr(passage[0].source_text, "on the quiet water") != NULL);
    trib_results_close(results);
}

TEST(factors_are_read) {
    trib_results *results = results_of("factors", with_everything);
    trib_error error = {0};
    trib_ktensor k;
    trib_ktns_words words;
    size_t n = 0;
    if (!results) return;
    const trib_result_document *document = trib_results_documents(results, &n);
    EXPECT_STATUS(trib_results_factors(results, 0, &k, &words, &error), TRIB_OK, error);
    EXPECT(k.rank > 0 && k.rank == document[0].rank && words.n == k.dim[0]);
    EXPECT_NEAR(k.fit, document[0].fit, 0);
    trib_ktensor_release(&k);
    trib_ktns_words_release(&words);
    EXPECT(trib_results_factors(results, 3, &k, &words, NULL) == TRIB_USAGE);
    trib_results_close(results);
}

TEST(what_a_run_did_not_write_is_an_error_that_says_what_to_ask_for) {
    static const char *const json[] = {"report.formats=[json]", NULL};
    trib_results *results = results_of("json", json);
    trib_error error = {0};
    trib_ktensor k;
    trib_ktns_words words;
    if (!results) return;
    EXPECT(trib_results_factors(results, 0, &k, &words, &error) == TRIB_USAGE);
    EXPECT(strstr(error.message, "put 'factors' into report.formats") != NULL);
    trib_results_close(results);
    EXPECT(trib_results_open(&results, trib_scratch(""), &error) == TRIB_USAGE && !results);
}

/* ---- Configurations -------------------------------------------------------------------------- */

TEST(a_configuration_comes_from_memory) {
    static const char yaml[] = "tributary: 1\n"
                               "corpus:\n"
                               "  documents:\n"
                               "    - {id: one, file: one.txt}\n"
                               "    - {id: two, file: two.txt}\n"
                               "  target: [two]\n";
    static const char *const settings[] = {"tensor.n=2", "cp.rank=3", "cp.rank=4", NULL};
    char name[4096];
    trib_experiment *experiment;
    trib_results *results = NULL;
    trib_writer writer;
    trib_buffer text = {0};
    trib_error error = {0};
    size_t n = 0;
    snprintf(name, sizeof name, "%s", trib_scratch("in-memory.yaml"));
    const char *const files[] = {"one.txt", "two.txt"};
    for (size_t i = 0; i < 2; i++)
        trib_write_scratch(files[i], i == 0 ? "a b c d e f" : "x a b c y");
    EXPECT_STATUS(trib_experiment_parse(&experiment, name, yaml, settings, NULL, &error), TRIB_OK,
                  error);
    CHECK(experiment != NULL);
    EXPECT(trib_writer_open(&writer, trib_scratch("written.yaml"), &error) == TRIB_OK);
    trib_experiment_write(experiment, &writer);
    EXPECT(trib_writer_commit(&writer, NULL, &error) == TRIB_OK);
    trib_read_bytes(trib_scratch("written.yaml"), &text);
    EXPECT(strstr(text.text, "  rank: 4\n") != NULL && strstr(text.text, "  n: 2\n") != NULL);
    trib_buffer_release(&text);
    const trib_experiment_options options = {.directory = trib_scratch("from-memory")};
    EXPECT_STATUS(trib_experiment_run(experiment, &options, &results, &error), TRIB_OK, error);
    CHECK(results != NULL);
    EXPECT_NEAR(share_of(results, "split", "one"), .5, 1e-12); /* of x-a a-b b-c c-y */
    EXPECT(trib_results_documents(results, &n)[0].n_words == 6);
    trib_results_close(results);
    trib_experiment_close(experiment);
}

TEST(the_error_of_a_configuration_quotes_what_is_wrong) {
    static const char *const wrong[] = {"cp.rnk=3", NULL}, *const bare[] = {"cp.rank", NULL};
    trib_experiment *experiment;
    trib_error error = {0};
    if (!has_sources()) return;
    EXPECT(trib_experiment_load(&experiment, "configs/toy.yaml", wrong, NULL, &error) ==
           TRIB_CONFIG);
    EXPECT(!experiment);
    EXPECT(strstr(error.message, "1 error\n") && strstr(error.message, "did you mean 'rank'"));
    EXPECT(trib_experiment_load(&experiment, "configs/toy.yaml", bare, NULL, &error) == TRIB_USAGE);
    EXPECT_TEXT(error.message, "setting 'cp.rank': is not KEY=VALUE");
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

typedef struct listener {
    char stages[256];    /* as they begin */
    const char *stop_at; /* the stage that is stopped, or NULL */
    unsigned n_messages, n_ends;
} listener;

static void hear(void *context, const char *level, const char *text) {
    listener *l = context;
    l->n_messages += *level && *text;
}

static bool see(void *context, const char *stage, double share) {
    listener *l = context;
    EXPECT(share >= 0 && share <= 1);
    if (share >= 1) l->n_ends++;
    if (share <= 0 && !strstr(l->stages, stage))
        snprintf(l->stages + strlen(l->stages), sizeof l->stages - strlen(l->stages), "%s ", stage);
    return !l->stop_at || strcmp(l->stop_at, stage) != 0;
}

TEST(progress_and_messages_go_to_the_caller_and_nothing_is_printed) {
    listener l = {0};
    const trib_callbacks callbacks = {hear, see, &l};
    trib_error error = {0};
    trib_buffer printed = {0};
    if (!has_sources()) return;
    fflush(NULL);
    FILE *caught = fopen(trib_scratch("printed"), "w");
    const int out = dup(STDOUT_FILENO), bad = dup(STDERR_FILENO);
    (void)dup2(fileno(caught), STDOUT_FILENO);
    (void)dup2(fileno(caught), STDERR_FILENO);
    const trib_status status = run_toy(trib_scratch("heard"), NULL, &callbacks, NULL, &error);
    fflush(NULL);
    (void)dup2(out, STDOUT_FILENO);
    (void)dup2(bad, STDERR_FILENO);
    close(out);
    close(bad);
    fclose(caught);
    EXPECT_STATUS(status, TRIB_OK, error);
    EXPECT_TEXT(l.stages, "corpus tokens vocabulary tensors factors distances influence evidence "
                          "report ");
    EXPECT(l.n_messages > 8 && l.n_ends >= 9);
    trib_read_bytes(trib_scratch("printed"), &printed);
    EXPECT(printed.length == 0);
    trib_buffer_release(&printed);
}

TEST(a_run_that_was_stopped_goes_on_and_leaves_nothing_in_the_process) {
    listener l = {.stop_at = "influence"};
    const trib_callbacks callbacks = {hear, see, &l};
    trib_results *results = NULL;
    trib_error error = {0};
    struct sigaction before, after;
    if (!has_sources()) return;
    sigaction(SIGTERM, NULL, &before);
    (void)trib_memory_limit(UINT64_C(1) << 40);
    EXPECT(run_toy(trib_scratch("library stopped"), NULL, &callbacks, &results, &error) ==
           TRIB_INTERRUPTED);
    EXPECT(!results && strstr(error.message, "stopped by the caller") != NULL);
    EXPECT(!trib_stop_asked());
    EXPECT(trib_memory_limit(0) == UINT64_C(1) << 40);
    sigaction(SIGTERM, NULL, &after);
    EXPECT(before.sa_handler == after.sa_handler);
    EXPECT_STATUS(run_toy(trib_scratch("library stopped"), NULL, NULL, &results, &error), TRIB_OK,
                  error);
    CHECK(results != NULL);
    EXPECT_NEAR(share_of(results, "split", "harbour"), 8.0 / 34, 1e-12);
    trib_results_close(results);
}

/* ---- Several at once, and without memory ----------------------------------------------------- */

typedef struct beside {
    char directory[4096];
    double share;
    trib_status status;
} beside;

static void *run_beside(void *context) {
    beside *b = context;
    trib_results *results = NULL;
    b->status = run_toy(b->directory, NULL, NULL, &results, NULL);
    b->share = results ? share_of(results, "split", "mill") : NAN;
    trib_results_close(results);
    return NULL;
}

TEST(two_runs_at_the_same_time_do_not_meet) {
    beside b[2] = {{.share = 0}, {.share = 0}};
    pthread_t thread[2];
    if (!has_sources()) return;
    (void)trib_memory_limit(0); /* a test before may have left one */
    for (size_t i = 0; i < 2; i++) {
        snprintf(b[i].directory, sizeof b[i].directory, "%s-%zu", trib_scratch("beside"), i);
        CHECK(pthread_create(&thread[i], NULL, run_beside, &b[i]) == 0);
    }
    for (size_t i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        EXPECT(b[i].status == TRIB_OK);
        EXPECT_NEAR(b[i].share, 5.0 / 34, 1e-12);
    }
    EXPECT(trib_memory_limit(0) == 0);
}

/* A program that runs experiments while it is told of the progress of one. */
typedef struct within {
    const char *directory; /* of the run that tells */
    trib_status same, other;
    trib_error error; /* of the run into the same directory */
    double share;     /* of the run into another one */
    bool has_run;
} within;

static bool run_within(void *context, const char *stage, double share) {
    within *w = context;
    trib_results *results = NULL;
    (void)share;
    if (w->has_run || strcmp(stage, "influence") != 0) return true;
    w->has_run = true;
    w->same = run_toy(w->directory, NULL, NULL, NULL, &w->error);
    w->other = run_toy(trib_scratch("within-other"), NULL, NULL, &results, NULL);
    w->share = results ? share_of(results, "split", "mill") : NAN;
    trib_results_close(results);
    return true;
}

TEST(a_callback_may_run_another_experiment_and_not_the_one_it_is_told_of) {
    char directory[4096];
    within w = {.directory = directory};
    const trib_callbacks callbacks = {NULL, run_within, &w};
    trib_results *results = NULL;
    trib_error error = {0};
    if (!has_sources()) return;
    snprintf(directory, sizeof directory, "%s", trib_scratch("within"));
    EXPECT_STATUS(run_toy(directory, NULL, &callbacks, &results, &error), TRIB_OK, error);
    CHECK(w.has_run && results != NULL);
    EXPECT_NEAR(share_of(results, "split", "mill"), 5.0 / 34, 1e-12);
    trib_results_close(results);
    EXPECT(w.same == TRIB_USAGE && strstr(w.error.message, directory) != NULL);
    EXPECT(w.other == TRIB_OK);
    EXPECT_NEAR(w.share, 5.0 / 34, 1e-12);
}

/* Threads of a process do not survive its fork. */
TEST(a_forked_process_runs_an_experiment) {
    beside b = {.share = 0};
    int status = -1;
    if (!has_sources()) return;
#if defined __has_feature
#if __has_feature(thread_sanitizer)
    trib_skip("the thread sanitizer ends forked processes that start threads");
    return;
#endif
#endif
    snprintf(b.directory, sizeof b.directory, "%s", trib_scratch("before-fork"));
    run_beside(&b); /* with two threads */
    EXPECT(b.status == TRIB_OK);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        snprintf(b.directory, sizeof b.directory, "%s", trib_scratch("forked"));
        run_beside(&b);
        _exit(b.status == TRIB_OK && fabs(b.share - 5.0 / 34) < 1e-12 ? 7 : 8);
    }
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static trib_status open_and_read(void *context, trib_error *error) {
    trib_results *results = NULL;
    TRIB_OWNED(trib_ktensor) k = {0};
    TRIB_OWNED(trib_ktns_words) words = {0};
    trib_status status = trib_results_open(&results, context, error);
    if (status == TRIB_OK) status = trib_results_factors(results, 0, &k, &words, error);
    trib_results_close(results);
    return status;
}

TEST(reading_survives_every_failing_allocation) {
    char directory[4096];
    trib_error error = {0};
    if (!has_sources()) return;
    trib_json_open(); /* what jansson allocates fails, too */
    snprintf(directory, sizeof directory, "%s", trib_scratch("no-memory"));
    EXPECT_STATUS(run_toy(directory, with_everything, NULL, NULL, &error), TRIB_OK, error);
    EXPECT(trib_fail_every_allocation(open_and_read, directory) > 8);
}

/* Two sources with the same words, and a third one. */
TEST(groups_are_read) {
    static const char song[] = "the copper lantern swung above the grey tide and nobody came home "
                               "before the heron slept beside the empty harbour wall";
    trib_experiment *experiment = NULL;
    trib_results *results = NULL;
    trib_error error = {0};
    size_t n = 0, n_grouped = 0;
    trib_write_scratch("one.txt", song);
    trib_write_scratch("two.txt", song);
    trib_write_scratch("three.txt",
                       "a baker counts his loaves at dawn beside the empty oven, and sings");
    trib_write_scratch("late.txt", song);
    trib_write_scratch("groups.yaml",
                       "tributary: 1\ncorpus: {target: late, documents: [one.txt, two.txt, "
                       "three.txt, late.txt]}\n");
    EXPECT_STATUS(
        trib_experiment_load(&experiment, trib_scratch("groups.yaml"), NULL, NULL, &error), TRIB_OK,
        error);
    const trib_experiment_options options = {.directory = trib_scratch("groups")};
    EXPECT_STATUS(trib_experiment_run(experiment, &options, &results, &error), TRIB_OK, error);
    trib_experiment_close(experiment);
    CHECK(results != NULL);
    const uint32_t one = trib_results_find(results, "one"), two = trib_results_find(results, "two");
    const trib_result_share *share = trib_results_shares(results, &n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(share[i].method, "traced") != 0) continue;
        if (share[i].source != one && share[i].source != two) {
            EXPECT(share[i].group == share[i].source && share[i].group_share == share[i].share);
            continue;
        }
        EXPECT(share[i].group == one && share[i].group_share > 0.9);
        EXPECT(share[i].group_low <= share[i].group_share);
        n_grouped++;
    }
    EXPECT(n_grouped == 2);
    trib_results_close(results);
}
