/* tensors.c - tests of pipeline/stages/tensors.c: n-grams with gaps, against their definition. */
#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/run/experiment.h"

TESTS(stages, tensors);

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
        GIVEN(trib_buffer) file = {0};
        for (unsigned p = 0; p < PARAGRAPHS; p++, trib_buffer_print(&file, NULL, "\n\n"))
            for (unsigned i = 0; i < texts[t].n[p]; i++)
                trib_buffer_print(&file, NULL, "w%c%c ", 'a' + texts[t].word[p][i] / 26,
                                  'a' + texts[t].word[p][i] % 26);
        snprintf(name, sizeof name, "skip%u.txt", t);
        write_scratch(name, file.text, file.length);
    }
}

static const char *write_config(unsigned skip) {
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "tributary: 1\nname: skip\ncorpus:\n  documents:\n"
             "    - {id: t0, file: skip0.txt}\n    - {id: t1, file: skip1.txt}\n"
             "    - {id: t2, file: skip2.txt}\n"
             "  target: t2\ntokens: {break_at: [paragraph]}\ntensor: {skip: %u}\n"
             "influence: {methods: [traced, runs, containment, split, anchored, lowe]}\n"
             "cp: {solver: fibre, rank: all}\n",
             skip);
    write_scratch("skip.yaml", yaml, strlen(yaml));
    return trib_scratch("skip.yaml");
}

static void run(trib_experiment *e, unsigned skip, int n_threads) {
    char name[32], path[2048], directory[2048];
    trib_error error = {0};
    snprintf(name, sizeof name, "skip-%u-%d", skip, n_threads);
    snprintf(directory, sizeof directory, "%s", trib_scratch(name));
    snprintf(path, sizeof path, "%s", write_config(skip));
    EXPECT_OK(trib_experiment_start(e, path, NULL, 0, directory, n_threads, &error));
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

/* ---- Tests ----------------------------------------------------------------------------------- */

enum { MOST = 9 * PARAGRAPHS * LONGEST };

TEST(the_counts_are_those_of_the_definition) {
    static unsigned list[MOST][N_MODES];
    text texts[N_TEXTS];
    invent(texts);
    write_texts(texts);
    for (unsigned skip = 1; skip <= TRIB_MAX_SKIP; skip += 3) {
        GIVEN(trib_experiment) e = {0};
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
    }
}

TEST(methods_that_count_read_them_and_others_do_not) {
    static unsigned list[N_TEXTS][MOST][N_MODES];
    size_t n[N_TEXTS];
    text texts[N_TEXTS];
    GIVEN(trib_experiment) e = {0}, plain = {0};
    invent(texts);
    write_texts(texts);
    for (unsigned t = 0; t < N_TEXTS; t++) n[t] = list_skips(&texts[t], 2, list[t]);
    run(&plain, 0, 1);
    run(&e, 2, 1);
    for (unsigned s = 0; s < 2; s++) {
        size_t n_shared = 0;
        for (size_t k = 0; k < n[2]; k++) n_shared += count_of(list[s], n[s], list[2][k]) > 0;
        EXPECT_NEAR(trib_experiment_shares(&e, "containment")->share[s],
                    (double)n_shared / (double)n[2], 1e-15);
        EXPECT(trib_experiment_shares(&e, "split")->share[s] !=
               trib_experiment_shares(&plain, "split")->share[s]);
        EXPECT(trib_experiment_shares(&e, "anchored")->share[s] !=
               trib_experiment_shares(&plain, "anchored")->share[s]);
        EXPECT(trib_experiment_shares(&e, "lowe")->share[s] !=
               trib_experiment_shares(&plain, "lowe")->share[s]);
        EXPECT(trib_experiment_shares(&e, "traced")->share[s] ==
               trib_experiment_shares(&plain, "traced")->share[s]);
        EXPECT(trib_experiment_shares(&e, "traced")->low[s] ==
               trib_experiment_shares(&plain, "traced")->low[s]);
        EXPECT(trib_experiment_shares(&e, "runs")->share[s] ==
               trib_experiment_shares(&plain, "runs")->share[s]);
    }
    EXPECT(trib_experiment_shares(&plain, "anchored")->low != NULL &&
           trib_experiment_shares(&e, "anchored")->low == NULL);
}
