/* main.c - experiments [ONLY=NAME] [QUICK=1] [FROSTT=FOLDER] TEXT...: runs the experiments, or
 * those of that name or publication, and prints their tables. */
#include "tests/experiments/experiment.h"

static const struct {
    const char *name, *publication, *title;
    void (*run)(const experiment_texts *texts);
} experiments[] = {
    {"hash", "charles", "How well the hash functions spread", experiment_hash},
    {"insertion", "charles", "Inserting random elements", experiment_insertion},
    {"mttkrp", "charles", "MTTKRP in every mode", experiment_mttkrp},
    {"documents", "charles", "Building document tensors", experiment_documents},
    {"hicoo", "li", "What makes HiCOO fast and small", experiment_hicoo},
    {"storage", "dong", "The storage study", experiment_storage},
    {"lowe", "lowe", "The three stories of the influence model", experiment_lowe},
    {"fragments", "dong", "Fragments of text tensors", experiment_fragments},
};
enum { N_EXPERIMENTS = sizeof experiments / sizeof *experiments };

static bool quick;
bool experiment_quick(void) { return quick; }
size_t experiment_size(size_t n) { return quick && n > QUICK_NONZEROS ? QUICK_NONZEROS : n; }

double experiment_less(double ours, double theirs) { return 100 * (1 - ours / theirs); }

const char *experiment_verdict(size_t n_same, size_t n) {
    static char partly[4][64]; /* those of one sentence */
    static size_t next;
    if (n == 0) return "cannot be told";
    if (quick) return "proves nothing (QUICK=1)";
    if (n_same == n) return "agrees";
    if (n_same == 0) return "does not agree";
    char *text = partly[next++ % 4];
    snprintf(text, sizeof partly[0], "agrees in %zu of %zu", n_same, n);
    return text;
}

double experiment_processor(void) { return bench_seconds(CLOCK_PROCESS_CPUTIME_ID); }

/* In huge pages, as the program's own memory is: small ones would be half of what a scattered read
 * takes. What trib_new_aligned gives is malloc's, and free takes it. */
void *bench_new(size_t n, size_t size) {
    void *pointer = NULL;
    bench_must(trib_new_aligned(&pointer, n > 0 ? n : 1, size, "an experiment", &bench_error));
    return pointer;
}

experiment_seconds experiment_now(void) {
    return (experiment_seconds){bench_seconds(CLOCK_MONOTONIC), experiment_processor()};
}

void experiment_time(experiment_way way[], size_t n, int repetitions) {
    const size_t rounds = quick ? 1 : (size_t)repetitions;
    double *processor = bench_new(n * rounds, sizeof *processor);
    double *passed = bench_new(n * rounds, sizeof *passed);
    for (size_t i = 0; i < rounds; i++)
        for (size_t w = 0; w < n; w++) {
            const experiment_seconds start = experiment_now();
            way[w].run(way[w].context);
            const experiment_seconds end = experiment_now();
            processor[w * rounds + i] = end.processor - start.processor;
            passed[w * rounds + i] = end.wall - start.wall;
        }
    for (size_t w = 0; w < n; w++) {
        way[w].processor = bench_median(processor + w * rounds, rounds);
        way[w].wall = bench_median(passed + w * rounds, rounds);
    }
    free(processor);
    free(passed);
}

double *experiment_factors(const trib_hacoo *table, uint32_t rank, double *factor[]) {
    trib_random random;
    uint32_t largest = 0;
    trib_random_seed(&random, 3);
    for (uint32_t m = 0; m < table->n_modes; m++) {
        const size_t size = (size_t)table->dim[m] * rank;
        factor[m] = bench_new(size, sizeof *factor[m]);
        for (size_t i = 0; i < size; i++) factor[m][i] = trib_random_unit(&random);
        if (table->dim[m] > largest) largest = table->dim[m];
    }
    return bench_new((size_t)largest * rank, sizeof(double));
}

static bool has_bytes(const char *path) {
    trib_reader reader;
    char byte;
    size_t got = 0;
    if (trib_reader_open(&reader, path, NULL) != TRIB_OK) return false;
    const trib_status status = trib_reader_read(&reader, &byte, 1, &got, NULL);
    trib_reader_close(&reader);
    return status == TRIB_OK && got > 0;
}

static bool is_wanted(size_t i, const char *only) {
    return !only || strcmp(experiments[i].name, only) == 0 ||
           strcmp(experiments[i].publication, only) == 0;
}

/* Ends the program when no experiment is called `only`. */
static void check_name(const char *only) {
    char names[256] = "", message[512];
    for (size_t i = 0; i < N_EXPERIMENTS; i++) {
        if (is_wanted(i, only)) return;
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, " %s", experiments[i].name);
    }
    snprintf(message, sizeof message,
             "no experiment is called '%s'; there are%s, and charles, li, dong for all of a "
             "publication",
             only, names);
    bench_fail(message);
}

static void run(size_t i, const experiment_texts *texts) {
    const experiment_seconds start = experiment_now();
    experiments[i].run(texts);
    fflush(stdout);
    fprintf(stderr, "%s: %.0f s, %.0f of the processor\n", experiments[i].name,
            experiment_now().wall - start.wall, experiment_processor() - start.processor);
}

int main(int argc, char **argv) {
    experiment_texts texts = {0};
    static char name[N_TEXTS][64];
    const char *only = NULL;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "ONLY=", 5) == 0) only = argv[i] + 5;
        else if (strcmp(argv[i], "QUICK=1") == 0) quick = true;
        else if (strncmp(argv[i], "FROSTT=", 7) == 0) experiment_frostt_in(argv[i] + 7);
        else if (texts.n < N_TEXTS && has_bytes(argv[i])) {
            bench_text *text = &texts.text[texts.n];
            bench_text_open(text, argv[i]);
            snprintf(name[texts.n], sizeof name[0], "%s", text->name); /* the next will reuse it */
            text->name = name[texts.n++];
        }
    check_name(only);
    if (texts.n == 0) bench_text_open(&texts.text[texts.n++], NULL);
    for (size_t t = 0; quick && t < texts.n; t++)
        if (texts.text[t].n_words > QUICK_WORDS) texts.text[t].n_words = QUICK_WORDS;
    for (size_t i = 0; i < N_EXPERIMENTS; i++) {
        if (!is_wanted(i, only)) continue;
        printf("# %s: `make experiments ONLY=%s`\n\n", experiments[i].title, experiments[i].name);
        run(i, &texts);
        puts("");
    }
    for (size_t t = 0; t < texts.n; t++) bench_text_close(&texts.text[t]);
    return EXIT_SUCCESS;
}
