/* tensors.c - tests of pipeline/stages/tensors.c: n-grams with gaps, against their definition. */
#include "tests/test.h"

#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/run/run.h"

enum { N_TEXTS = 3, N_WORDS = 30, PARAGRAPHS = 12, LONGEST = 14, N_MODES = 3 };

/* The words of a text, as numbers, in paragraphs of n[p] words. */
typedef struct text {
    unsigned word[PARAGRAPHS][LONGEST], n[PARAGRAPHS];
} text;

/* Text 2 takes whole paragraphs of text 0, with every fifth word replaced. */
static void invent(text texts[N_TEXTS]) {
    trib_random random;
    trib_random_seed(&random, 11);
    for (unsigned t = 0; t < N_TEXTS; t++)
        for (unsigned p = 0; p < PARAGRAPHS; p++) {
            texts[t].n[p] = 1 + (unsigned)trib_random_below(&random, LONGEST);
            for (unsigned i = 0; i < LONGEST; i++)
                texts[t].word[p][i] = (unsigned)trib_random_below(&random, N_WORDS);
            if (t != 2 || p % 3 > 0) continue;
            texts[t].n[p] = texts[0].n[p];
            for (unsigned i = 0; i < LONGEST; i++)
                if (i % 5 != 4) texts[t].word[p][i] = texts[0].word[p][i];
        }
}

static void write_texts(const text texts[N_TEXTS]) {
    for (unsigned t = 0; t < N_TEXTS; t++) {
        char name[32];
        snprintf(name, sizeof name, "skip%u.txt", t);
        FILE *file = fopen(trib_scratch(name), "w");
        CHECK(file != NULL);
        for (unsigned p = 0; p < PARAGRAPHS; p++, fputs("\n\n", file))
            for (unsigned i = 0; i < texts[t].n[p]; i++)
                fprintf(file, "w%c%c ", 'a' + texts[t].word[p][i] / 26,
                        'a' + texts[t].word[p][i] % 26);
        CHECK(fclose(file) == 0);
    }
}

static const char *write_config(unsigned skip) {
    const char *path = trib_scratch("skip.yaml");
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fprintf(file, "tributary: 1\nname: skip\ncorpus:\n  documents:\n");
    for (unsigned t = 0; t < N_TEXTS; t++)
        fprintf(file, "    - {id: t%u, file: skip%u.txt}\n", t, t);
    fprintf(file,
            "  target: t2\ntokens: {break_at: [paragraph]}\ntensor: {skip: %u}\n"
            "influence: {methods: [traced, runs, containment, split, anchored, lowe]}\n"
            "cp: {solver: fibre, rank: all}\n",
            skip);
    CHECK(fclose(file) == 0);
    return path;
}

typedef struct experiment {
    trib_config config;
    trib_log *log;
    trib_run run;
} experiment;

static void run(experiment *e, unsigned skip, int n_threads) {
    static const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    char name[32], path[2048], directory[2048];
    snprintf(name, sizeof name, "skip-%u-%d", skip, n_threads);
    snprintf(directory, sizeof directory, "%s", trib_scratch(name));
    snprintf(path, sizeof path, "%s", write_config(skip));
    const trib_run_options options = {.directory = {.path = directory, .resume = true},
                                      .n_threads = n_threads};
    trib_error error = {0};
    *e = (experiment){0};
    CHECK(trib_log_open(&e->log, &silent, &error) == TRIB_OK);
    EXPECT_STATUS(trib_config_load(&e->config, path, NULL, 0, NULL, NULL, &error), TRIB_OK, error);
    EXPECT_STATUS(trib_run_execute(&e->run, &e->config, &options, e->log, &error), TRIB_OK, error);
}

static void finish(experiment *e) {
    trib_run_release(&e->run);
    trib_config_release(&e->config);
    trib_log_close(e->log);
}

/* ---- The definition -------------------------------------------------------------------------- */

/* Lists the skip-grams of a text: every gap from 0 to skip, at every word of every paragraph. */
static size_t list_skips(const text *from, unsigned skip, unsigned list[][N_MODES]) {
    size_t n = 0;
    for (unsigned gap = 0; gap <= skip; gap++)
        for (unsigned p = 0; p < PARAGRAPHS; p++)
            for (unsigned i = 0; i + (N_MODES - 1) * (gap + 1) < from->n[p]; i++, n++)
                for (unsigned m = 0; m < N_MODES; m++)
                    list[n][m] = from->word[p][i + m * (gap + 1)];
    return n;
}

static size_t count_of(unsigned list[][N_MODES], size_t n, const unsigned *ngram) {
    size_t n_equal = 0;
    for (size_t k = 0; k < n; k++) n_equal += memcmp(list[k], ngram, sizeof *list) == 0;
    return n_equal;
}

static const trib_influence *by_method(const experiment *e, const char *method) {
    for (uint32_t i = 0; i < e->config.influence.n_methods; i++)
        if (strcmp(e->config.influence.method[i]->name, method) == 0)
            return &e->run.shares[0].influence[i];
    return NULL;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

enum { MOST = 9 * PARAGRAPHS * LONGEST };

static void the_counts_are_those_of_the_definition(void) {
    static unsigned list[MOST][N_MODES];
    text texts[N_TEXTS];
    invent(texts);
    write_texts(texts);
    for (unsigned skip = 1; skip <= TRIB_MAX_SKIP; skip += 3) {
        experiment e;
        run(&e, skip, 1);
        for (uint32_t d = 0; d < N_TEXTS; d++) {
            const trib_counts *counts = &e.run.tensors.document[d];
            const size_t n = list_skips(&texts[d], skip, list);
            EXPECT(counts->skips.total == n && n > counts->n_ngrams);
            for (size_t k = 0; k < counts->skips.nnz; k++) {
                uint32_t index[TRIB_MAX_MODES];
                unsigned ngram[N_MODES];
                const uint32_t count = trib_hacoo_entry(&counts->skips, k, index);
                for (unsigned m = 0; m < N_MODES; m++) {
                    const char *word = e.run.vocab.word[counts->word[index[m]]];
                    ngram[m] = (unsigned)(word[1] - 'a') * 26 + (unsigned)(word[2] - 'a');
                }
                EXPECT(count_of(list, n, ngram) == count);
            }
        }
        finish(&e);
    }
}

static void methods_that_count_read_them_and_others_do_not(void) {
    static unsigned list[N_TEXTS][MOST][N_MODES];
    size_t n[N_TEXTS];
    text texts[N_TEXTS];
    experiment e, plain;
    invent(texts);
    write_texts(texts);
    for (unsigned t = 0; t < N_TEXTS; t++) n[t] = list_skips(&texts[t], 2, list[t]);
    run(&plain, 0, 1);
    run(&e, 2, 1);
    for (unsigned s = 0; s < 2; s++) {
        size_t n_shared = 0;
        for (size_t k = 0; k < n[2]; k++) n_shared += count_of(list[s], n[s], list[2][k]) > 0;
        EXPECT_NEAR(by_method(&e, "containment")->share[s], (double)n_shared / (double)n[2], 1e-15);
        EXPECT(by_method(&e, "split")->share[s] != by_method(&plain, "split")->share[s]);
        EXPECT(by_method(&e, "anchored")->share[s] != by_method(&plain, "anchored")->share[s]);
        EXPECT(by_method(&e, "lowe")->share[s] != by_method(&plain, "lowe")->share[s]);
        EXPECT(by_method(&e, "traced")->share[s] == by_method(&plain, "traced")->share[s]);
        EXPECT(by_method(&e, "traced")->low[s] == by_method(&plain, "traced")->low[s]);
        EXPECT(by_method(&e, "runs")->share[s] == by_method(&plain, "runs")->share[s]);
    }
    EXPECT(by_method(&plain, "anchored")->low != NULL && by_method(&e, "anchored")->low == NULL);
    finish(&e);
    finish(&plain);
}

CU_TestInfo trib_tests_stages_tensors[] = {
    {"the counts are those of the definition", the_counts_are_those_of_the_definition},
    {"methods that count read them, and others do not",
     methods_that_count_read_them_and_others_do_not},
    CU_TEST_INFO_NULL,
};
