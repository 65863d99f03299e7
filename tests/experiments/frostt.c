/* frostt.c - the tensors of FROSTT that [C] measures: read from a folder that holds them, else
 * drawn at random. */
#include "tests/experiments/experiment.h"

#include <dirent.h>
#include <unistd.h>

/* Dimensions and nonzeros as published; table 2.5 of [C] leaves the words of enron out. */
const synthetic experiment_frostt[] = {
    {"uber", SYNTHETIC_FILLED, 4, {183, 24, 1140, 1717}, 3309490, 0},
    {"nell-2", SYNTHETIC_FILLED, 3, {12092, 9184, 28818}, 76879419, 0},
    {"enron", SYNTHETIC_FILLED, 4, {6066, 5699, 244268, 1176}, 54202099, 0},
    {"chicago", SYNTHETIC_FILLED, 4, {6186, 24, 77, 32}, 5330673, 0},
    {"nips", SYNTHETIC_FILLED, 4, {2482, 2862, 14036, 17}, 3101609, 0},
    {"lbnl", SYNTHETIC_FILLED, 5, {1605, 4198, 1631, 4209, 868131}, 1698825, 0},
    {NULL, SYNTHETIC_FILLED, 0, {0}, 0, 0},
};

/* What FROSTT calls a file, where that is another name. */
static const struct {
    const char *name, *stem;
} stems[] = {{"chicago", "chicago-crime-comm"}, {"lbnl", "lbnl-network"}};
enum { N_STEMS = sizeof stems / sizeof *stems };
static const char *const endings[] = {".tns", ".tns.gz"};

static const char *folder; /* NULL: all tensors are drawn */

static bool is_file_of(const char *name, const char *file) {
    char wanted[64];
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        snprintf(wanted, sizeof wanted, "%s%s", name, endings[e]);
        if (strcmp(file, wanted) == 0) return true;
        for (size_t s = 0; s < N_STEMS; s++) {
            snprintf(wanted, sizeof wanted, "%s%s", stems[s].stem, endings[e]);
            if (strcmp(stems[s].name, name) == 0 && strcmp(file, wanted) == 0) return true;
        }
    }
    return false;
}

static void refuse(const char *format, const char *file) {
    trib_buffer message = {0};
    trib_buffer_print(&message, &bench_error, format, folder, file);
    for (const synthetic *what = experiment_frostt; what->name; what++)
        trib_buffer_print(&message, &bench_error, " %s", what->name);
    bench_fail(message.text);
}

/* The file of a tensor in the folder, in `path`, or false. */
static bool find_file(const char *name, char path[], size_t size) {
    DIR *directory = folder ? opendir(folder) : NULL;
    bool is_there = false;
    for (const struct dirent *entry; directory && !is_there && (entry = readdir(directory));) {
        is_there = is_file_of(name, entry->d_name);
        if (is_there) snprintf(path, size, "%s/%s", folder, entry->d_name);
    }
    if (directory) closedir(directory);
    return is_there;
}

void experiment_frostt_in(const char *path) {
    folder = path;
    DIR *directory = opendir(path);
    if (!directory) refuse("FROSTT=%s%s: no such folder; it holds .tns or .tns.gz files of:", "");
    size_t n_known = 0;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const char *ending = strstr(entry->d_name, ".tns");
        bool is_known = !ending;
        for (const synthetic *what = experiment_frostt; what->name && ending; what++)
            is_known = is_known || is_file_of(what->name, entry->d_name);
        if (!is_known)
            refuse("FROSTT=%s: '%s' is not the file of a known tensor, which are:", entry->d_name);
        n_known += ending != NULL;
    }
    closedir(directory);
    if (n_known == 0) refuse("FROSTT=%s%s: no .tns or .tns.gz file is there of:", "");
}

/* `n` entries of `from` drawn at random, in random order; `from` is released. */
static void draw_entries(trib_hacoo *from, size_t n) {
    trib_hacoo drawn;
    trib_random random;
    uint32_t *order = bench_new(from->nnz, sizeof *order), index[TRIB_MAX_MODES];
    trib_random_seed(&random, 7);
    for (size_t e = 0; e < from->nnz; e++) {
        const size_t at = (size_t)trib_random_below(&random, e + 1);
        order[e] = order[at];
        order[at] = (uint32_t)e;
    }
    bench_must(trib_hacoo_init(&drawn, from->n_modes, from->dim, NULL, &bench_error));
    for (size_t i = 0; i < n && i < from->nnz; i++) {
        const uint32_t count = trib_hacoo_entry(from, order[i], index);
        bench_must(trib_hacoo_add(&drawn, index, count, &bench_error));
    }
    free(order);
    trib_hacoo_release(from);
    *from = drawn;
}

static void read_file(trib_hacoo *table, const synthetic *what, const char *path) {
    trib_reader reader;
    double *values = NULL;
    bench_must(trib_reader_open(&reader, path, &bench_error));
    bench_must(trib_tns_read(table, &values, &reader, NULL, NULL, &bench_error));
    trib_reader_close(&reader);
    trib_free(values);
    if (table->n_modes == what->n_modes) return;
    bench_must(trib_fail(&bench_error, TRIB_INPUT, "%s: %u modes; %s has %u", path, table->n_modes,
                         what->name, what->n_modes));
}

bool experiment_tensor(trib_hacoo *table, const synthetic *what, size_t at_most) {
    char path[4096];
    if (find_file(what->name, path, sizeof path)) {
        read_file(table, what, path);
        if (at_most > 0 && at_most < table->nnz) draw_entries(table, at_most);
        return true;
    }
    synthetic smaller = *what;
    smaller.nnz = experiment_size(at_most > 0 && at_most < what->nnz ? at_most : what->nnz);
    bench_must(synthetic_make(table, &smaller, 1, &bench_error));
    if (table->nnz != smaller.nnz) bench_fail("not the nonzeros asked for");
    return false;
}
