/* language.c - tests of pipeline/stages/language.c: a corpus by date whose targets share one
 * background. */
#include "tests/pipeline/config/loading.h"

#include "pipeline/config/config.h"
#include "pipeline/output/result.h"
#include "pipeline/run/run.h"
#include "pipeline/stages/influence.h"
#include "pipeline/store/cache.h"

TESTS(stages, language);

enum { N = 5 };

/* 60 words of a small language, other ones for every document; the last but one copies the
 * first. */
static void write_document(int d) {
    char name[32];
    GIVEN(trib_buffer) text = {0};
    trib_random random;
    snprintf(name, sizeof name, "language%d.txt", d);
    trib_random_seed(&random, (uint64_t)(d == N - 2 ? 1 : d + 1));
    for (int i = 0; i < 160; i++) {
        const uint64_t a = trib_random_below(&random, 12), b = trib_random_below(&random, 12);
        trib_buffer_print(&text, NULL, "w%c%c ", (char)('a' + a * b / 12),
                          (char)('a' + d * (i % 9 == 0)));
    }
    write_scratch(name, text.text, text.length);
}

/* The configuration of the first n documents, in any order of the list. */
static void write_config(char path[4200], int n, const char *order, const char *settings) {
    static const int listed[N] = {2, 0, 3, 1, 4};
    GIVEN(trib_buffer) yaml = {0};
    trib_buffer_print(&yaml, NULL,
                      "tributary: 1\ncorpus:\n  target: all\n  order: %s\n  documents:\n", order);
    for (int i = 0; i < N; i++)
        if (listed[i] < n)
            trib_buffer_print(&yaml, NULL, "    - {id: d%d, file: language%d.txt, date: \"%d\"}\n",
                              listed[i], listed[i], 1800 + listed[i]);
    trib_buffer_print(&yaml, NULL,
                      "influence: {methods: [anchored], headline: anchored, bootstrap: 9%s}\n",
                      settings);
    write_scratch("language.yaml", yaml.text, yaml.length);
    snprintf(path, 4200, "%s", trib_scratch("language.yaml"));
}

/* What a run finds, until its shares. */
typedef struct found {
    const char *kept; /* set before: the folder of its cache, or NULL */
    trib_config config;
    trib_log *log;
    trib_cache *cache;
    trib_run run;
} found;

static trib_status measure(found *f, const char *path, const char *directory, int n_threads,
                           trib_error *error) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    trib_run_options options = {.directory = {.path = directory, .resume = true},
                                .until = "influence",
                                .n_threads = n_threads};
    const char *kept = f->kept;
    *f = (found){.kept = kept};
    trib_json_open();
    trib_status status = trib_log_open(&f->log, &silent, error);
    if (status == TRIB_OK && kept) status = trib_cache_open(&f->cache, kept, f->log, error);
    options.cache = f->cache;
    if (status == TRIB_OK) status = trib_config_load(&f->config, path, NULL, 0, NULL, NULL, error);
    if (status == TRIB_OK) status = trib_run_execute(&f->run, &f->config, &options, f->log, error);
    return status;
}

static void begin(found *f, int n, const char *order, const char *settings, int n_threads) {
    static int n_runs;
    char path[4200], name[32], directory[4096];
    trib_error error = {0};
    snprintf(name, sizeof name, "language %d", n_runs++);
    snprintf(directory, sizeof directory, "%s", trib_scratch(name));
    for (int d = 0; d < N; d++) write_document(d);
    write_config(path, n, order, settings);
    EXPECT_OK(measure(f, path, directory, n_threads, &error));
    CHECK(f->run.corpus.n_targets == (uint32_t)n);
}

static bool is_shared(const found *f) {
    return trib_config_shares_background(&f->config, f->run.corpus.n_targets,
                                         f->run.corpus.n_documents);
}

static void end(found *f) {
    trib_run_release(&f->run);
    trib_config_release(&f->config);
    trib_cache_close(f->cache);
    trib_log_close(f->log);
}

static const trib_influence *of(const found *f, const char *id) {
    for (uint32_t t = 0; t < f->run.corpus.n_targets; t++)
        if (strcmp(f->run.corpus.document[f->run.corpus.target[t].document].about->id, id) == 0)
            return &f->run.shares[t].influence[0];
    return NULL;
}

static void expect_same(const found *a, const found *b, const char *id) {
    const trib_influence *x = of(a, id), *y = of(b, id);
    CHECK(x && y && x->n_sources == y->n_sources);
    EXPECT(x->background == y->background && x->author == y->author);
    for (size_t s = 0; s < x->n_sources; s++) {
        EXPECT_TEXT(a->run.corpus.document[x->source[s]].about->id,
                    b->run.corpus.document[y->source[s]].about->id);
        EXPECT(x->share[s] == y->share[s]);
        EXPECT(x->low[s] == y->low[s] && x->high[s] == y->high[s]);
    }
}

/* The same for the targets of the first n documents. */
static void expect_all_same(const found *a, const found *b, int n) {
    for (int d = 0; d < n; d++)
        expect_same(a, b, (const char *[]){"d0", "d1", "d2", "d3", "d4"}[d]);
}

TEST(a_later_document_changes_no_bit_of_an_earlier_target) {
    found few = {0}, all = {0};
    begin(&few, N - 1, "by-date", ", background_of: corpus", 1);
    begin(&all, N, "by-date", ", background_of: corpus", 7);
    expect_all_same(&few, &all, N - 1);
    EXPECT(of(&all, "d3")->n_sources == 3 && of(&all, "d3")->background > 1);
    EXPECT(few.run.background[0].row[0] == NULL);
    end(&few);
    end(&all);
}

TEST(threads_change_no_bit) {
    static const char *const order[] = {"any", "by-date"};
    for (int o = 0; o < 2; o++) {
        found one = {0}, seven = {0};
        begin(&one, N, order[o], ", background_of: corpus", 1);
        begin(&seven, N, order[o], ", background_of: corpus", 7);
        expect_all_same(&one, &seven, N);
        end(&one);
        end(&seven);
    }
}

/* With target: all and order: any every target and its sources are the whole corpus: one background
 * does for all. It is that of every target but for rounding, when B is the same. By date a few
 * documents have a background each. */
TEST(equal_pools_have_one_background) {
    found own = {0}, automatic = {0}, shared = {0};
    begin(&own, N, "any", ", background: 3, background_of: target", 1);
    begin(&automatic, N, "any", ", background: 3", 1);
    begin(&shared, N, "any", ", background: 3, background_of: corpus", 1);
    EXPECT(is_shared(&automatic) && !is_shared(&own));
    for (uint32_t t = 0; t < N; t++) {
        const char *id = own.run.corpus.document[own.run.corpus.target[t].document].about->id;
        expect_same(&shared, &automatic, id);
        for (size_t s = 0; s < N - 1; s++)
            EXPECT_NEAR(of(&shared, id)->share[s], of(&own, id)->share[s], 1e-4);
    }
    end(&own);
    end(&automatic);
    end(&shared);
}

TEST(few_documents_by_date_have_a_background_each) {
    found own = {0}, automatic = {0};
    begin(&own, N, "by-date", ", background: 3, background_of: target", 1);
    begin(&automatic, N, "by-date", ", background: 3", 1);
    EXPECT(!is_shared(&automatic));
    expect_all_same(&own, &automatic, N);
    end(&own);
    end(&automatic);
}

/* One more document costs its own part: the language is taken up where it was left. */
TEST(a_language_is_taken_up_from_the_cache) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", trib_scratch("language cache"));
    for (int n = N - 2; n <= N; n++) {
        found kept = {.kept = folder}, anew = {0};
        begin(&kept, n, "by-date", ", background_of: corpus", 1);
        begin(&anew, n, "by-date", ", background_of: corpus", 1);
        for (uint32_t t = 0; t < (uint32_t)n; t++) {
            const bool is_new =
                n == N - 2 || kept.run.corpus.target[t].document == kept.run.corpus.arrival[n - 1];
            EXPECT(kept.run.shares[t].influence[0].is_brief == !is_new);
        }
        expect_all_same(&kept, &anew, n);
        end(&kept);
        end(&anew);
    }
}

/* By date the last target has the documents that every target has without dates, but not their
 * background. */
TEST(a_cache_knows_backgrounds_by_date_from_others) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", trib_scratch("language cache 3"));
    found dated = {.kept = folder}, kept = {.kept = folder}, anew = {0};
    begin(&dated, N, "by-date", ", background_of: corpus", 1);
    begin(&kept, N, "any", ", background_of: corpus", 1);
    begin(&anew, N, "any", ", background_of: corpus", 1);
    expect_all_same(&kept, &anew, N);
    end(&dated);
    end(&kept);
    end(&anew);
}

/* A background that was kept of shares which are gone, or damaged, is made anew. */
TEST(without_the_shares_the_language_begins_anew) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", trib_scratch("language cache 2"));
    found kept = {.kept = folder}, anew = {0}, more = {.kept = folder};
    begin(&kept, N, "by-date", ", background_of: corpus", 1);
    begin(&more, N, "by-date", ", shortlist: 2, background_of: corpus", 1);
    begin(&anew, N, "by-date", ", shortlist: 2, background_of: corpus", 1);
    expect_all_same(&more, &anew, N);
    end(&kept);
    end(&more);
    end(&anew);
}

static char configuration[4200], in[4096];

static trib_status attempt(void *context, trib_error *error) {
    found f = {0};
    (void)context;
    const trib_status status = measure(&f, configuration, in, 1, error);
    end(&f);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    for (int d = 0; d < N; d++) write_document(d);
    write_config(configuration, 3, "by-date", ", background_of: corpus");
    snprintf(in, sizeof in, "%s", trib_scratch("a failing language"));
    EXPECT(trib_fail_every_allocation(attempt, NULL) > 100);
}
