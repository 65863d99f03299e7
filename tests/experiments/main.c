/* main.c - experiments [ONLY=NAME] TEXT...: runs the experiments, or the one of that name. */
#include "tests/experiments/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    const char *name, *title;
    void (*run)(const experiment_texts *texts);
} experiments[] = {
    {"hash", "How well the hash functions spread", experiment_hash},
    {"insertion", "Inserting random elements", experiment_insertion},
    {"mttkrp", "MTTKRP in every mode", experiment_mttkrp},
    {"documents", "Building document tensors", experiment_documents},
    {"hicoo", "What makes HiCOO fast and small", experiment_hicoo},
    {"storage", "The storage study", experiment_storage},
    {"fragments", "Fragments of text tensors", experiment_fragments},
};

const synthetic experiment_frostt[] = {
    {"uber", SYNTHETIC_ZIPF, 4, {183, 24, 1140, 1717}, 3309490, 0},
    {"nell-2", SYNTHETIC_ZIPF, 3, {12092, 9184, 28818}, 3000000, 0},
    {"enron", SYNTHETIC_ZIPF, 4, {6066, 5699, 244268, 1176}, 3000000, 0},
    {"chicago", SYNTHETIC_ZIPF, 4, {6186, 24, 77, 32}, 5330673, 0},
    {"nips", SYNTHETIC_ZIPF, 4, {2482, 2862, 14036, 17}, 3101609, 0},
    {"lbnl", SYNTHETIC_ZIPF, 5, {1605, 4198, 1631, 4209, 868131}, 1698825, 0},
    {NULL, SYNTHETIC_ZIPF, 0, {0}, 0, 0},
};

static double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double experiment_processor(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

void bench_check(trib_status status, const trib_error *error) {
    if (status == TRIB_OK) return;
    fprintf(stderr, "experiments: %s\n", error->message);
    exit(EXIT_FAILURE);
}

void *bench_new(size_t n, size_t size) {
    void *pointer = calloc(n > 0 ? n : 1, size);
    if (!pointer) bench_check(TRIB_MEMORY, &(trib_error){.message = "no memory"});
    return pointer;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void experiment_time(experiment_way way[], size_t n, int repetitions) {
    const size_t rounds = (size_t)repetitions;
    double *processor = bench_new(n * rounds, sizeof *processor);
    for (size_t i = 0; i < rounds; i++)
        for (size_t w = 0; w < n; w++) {
            const double start = experiment_processor();
            way[w].run(way[w].context);
            processor[w * rounds + i] = experiment_processor() - start;
        }
    for (size_t w = 0; w < n; w++) {
        qsort(processor + w * rounds, rounds, sizeof *processor, ascending);
        way[w].processor = processor[w * rounds + rounds / 2];
    }
    free(processor);
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

int main(int argc, char **argv) {
    experiment_texts texts = {0};
    static char name[N_TEXTS][64];
    const char *only = NULL;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "ONLY=", 5) == 0) only = argv[i] + 5;
        else if (texts.n < N_TEXTS && has_bytes(argv[i])) {
            bench_text *text = &texts.text[texts.n];
            bench_text_open(text, argv[i]);
            snprintf(name[texts.n], sizeof name[0], "%s", text->name); /* the next will reuse it */
            text->name = name[texts.n++];
        }
    if (texts.n == 0) bench_text_open(&texts.text[texts.n++], NULL);
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++) {
        if (only && !strstr(experiments[i].name, only)) continue;
        const double start = seconds_of(CLOCK_MONOTONIC);
        printf("## %s: `make experiments ONLY=%s`\n\n", experiments[i].title, experiments[i].name);
        experiments[i].run(&texts);
        fflush(stdout);
        fprintf(stderr, "%s: %.0f s\n", experiments[i].name, seconds_of(CLOCK_MONOTONIC) - start);
    }
    for (size_t t = 0; t < texts.n; t++) bench_text_close(&texts.text[t]);
    return EXIT_SUCCESS;
}
