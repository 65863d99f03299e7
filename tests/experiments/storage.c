/* storage.c - writing, reading and size of five organisations on three patterns in 2, 3 and 4 modes: figures 3 to 5 and table
 * IV of [S], the score there. */
#include "tests/experiments/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N_ORGANISATIONS = 5, N_METRICS = 3 };

/* The dimensions of table II of [S]; the nonzeros of its densities where they are below a million, fewer else. */
static const synthetic patterns[] = {
    {"band, 2 modes", SYNTHETIC_BAND, 2, {8192, 8192}, 0, 36},
    {"band, 3 modes", SYNTHETIC_BAND, 3, {512, 512, 512}, 0, 19},
    {"band, 4 modes", SYNTHETIC_BAND, 4, {128, 128, 128, 128}, 0, 10},
    {"random, 2 modes", SYNTHETIC_RANDOM, 2, {8192, 8192}, 664000, 0},
    {"random, 3 modes", SYNTHETIC_RANDOM, 3, {512, 512, 512}, 664000, 0},
    {"random, 4 modes", SYNTHETIC_RANDOM, 4, {128, 128, 128, 128}, 664000, 0},
    {"mixed, 2 modes", SYNTHETIC_MIXED, 2, {8192, 8192}, 127500, 0},
    {"mixed, 3 modes", SYNTHETIC_MIXED, 3, {512, 512, 512}, 255000, 0},
    {"mixed, 4 modes", SYNTHETIC_MIXED, 4, {128, 128, 128, 128}, 564000, 0},
};
enum { N_PATTERNS = sizeof patterns / sizeof *patterns };

typedef struct storing {
    const trib_hacoo *table;
    trib_fragment_options options;
    char path[64];
    trib_box box; /* from the middle, a tenth of every mode */
    uint64_t n_bytes;
    size_t n_found;
} storing;

static void write_fragment(void *context) {
    storing *s = context;
    trib_writer writer;
    trib_error error = {0};
    bench_check(trib_writer_open(&writer, s->path, &error), &error);
    bench_check(trib_fragment_write(s->table, &s->options, &writer, &error), &error);
    s->n_bytes = writer.n_written;
    bench_check(trib_writer_commit(&writer, NULL, &error), &error);
}

static void read_region(void *context) {
    storing *s = context;
    trib_fragment fragment;
    trib_hacoo found;
    trib_error error = {0};
    bench_check(trib_fragment_open(&fragment, s->path, &error), &error);
    bench_check(trib_fragment_region(&fragment, 1, &s->box, &found, NULL, &error), &error);
    s->n_found = found.nnz;
    trib_hacoo_release(&found);
    trib_fragment_close(&fragment);
}

/* value[organisation][metric] of one pattern. */
static void try_pattern(const synthetic *what, const char *folder,
                        double value[N_ORGANISATIONS][N_METRICS]) {
    trib_hacoo table;
    storing s[N_ORGANISATIONS];
    experiment_way writing[N_ORGANISATIONS], reading[N_ORGANISATIONS];
    trib_error error = {0};
    bench_check(synthetic_make(&table, what, 1, &error), &error);
    for (size_t i = 0; i < N_ORGANISATIONS; i++) {
        s[i] = (storing){.table = &table, .options = {.organisation = &trib_organisations[i]}};
        snprintf(s[i].path, sizeof s[i].path, "%s/%zu.fragment", folder, i);
        for (uint32_t m = 0; m < table.n_modes; m++) {
            s[i].box.lower[m] = table.dim[m] / 2;
            s[i].box.upper[m] = table.dim[m] / 2 + table.dim[m] / 10;
        }
        writing[i] = (experiment_way){write_fragment, &s[i], 0};
        reading[i] = (experiment_way){read_region, &s[i], 0};
    }
    experiment_time(writing, N_ORGANISATIONS, 5);
    experiment_time(reading, N_ORGANISATIONS, 5);
    for (size_t i = 0; i < N_ORGANISATIONS; i++) {
        if (s[i].n_found != s[0].n_found)
            bench_check(TRIB_INTERNAL, &(trib_error){.message = "the regions differ"});
        value[i][0] = 1e3 * writing[i].processor;
        value[i][1] = (double)s[i].n_bytes / (double)table.nnz;
        value[i][2] = 1e3 * reading[i].processor;
        unlink(s[i].path);
    }
    trib_hacoo_release(&table);
}

static void print_head(const char *first) {
    printf("| %s |", first);
    for (size_t i = 0; i < N_ORGANISATIONS; i++) printf(" `%s` |", trib_organisations[i].name);
    puts("\n| --- | --- | --- | --- | --- | --- |");
}

void experiment_storage(const experiment_texts *texts) {
    static const char *const metric[] = {"write, ms", "bytes per nonzero", "read a region, ms"};
    static double value[N_PATTERNS][N_ORGANISATIONS][N_METRICS];
    double score[N_ORGANISATIONS] = {0};
    char folder[] = "/tmp/tributary-storage-XXXXXX";
    (void)texts;
    if (!mkdtemp(folder)) bench_check(TRIB_OUTPUT, &(trib_error){.message = "no folder in /tmp"});
    for (size_t p = 0; p < N_PATTERNS; p++) try_pattern(&patterns[p], folder, value[p]);
    rmdir(folder);
    for (size_t k = 0; k < N_METRICS; k++) {
        double of_metric[N_ORGANISATIONS] = {0};
        print_head(metric[k]);
        for (size_t p = 0; p < N_PATTERNS; p++) {
            double most = 0;
            printf("| %s |", patterns[p].name);
            for (size_t i = 0; i < N_ORGANISATIONS; i++) {
                printf(" %.2f |", value[p][i][k]);
                if (value[p][i][k] > most) most = value[p][i][k];
            }
            puts("");
            for (size_t i = 0; i < N_ORGANISATIONS; i++)
                of_metric[i] += value[p][i][k] / most / N_PATTERNS;
        }
        printf("| **score** |");
        for (size_t i = 0; i < N_ORGANISATIONS; i++) {
            printf(" %.2f |", of_metric[i]);
            score[i] += of_metric[i] / N_METRICS;
        }
        puts("\n");
    }
    print_head("all three");
    printf("| **score** |");
    for (size_t i = 0; i < N_ORGANISATIONS; i++) printf(" %.2f |", score[i]);
    puts("\n");
}
