/* layers.c - the sources hold to their order: a folder includes only folders below it, one file calls malloc, only
 * pipeline prints or reads the clock. Reads the sources from the directory the tests are started in. */
#include "tests/test.h"

#include <glob.h>

/* What each folder may include, and itself. */
static const struct {
    const char *folder, *below;
} layers[] = {
    {"base", "base"},
    {"tensor", "base tensor"},
    {"tokenizer", "base tokenizer"},
    {"decomp", "base tensor decomp"},
    {"influence", "base tensor decomp influence"},
    {"pipeline", "base tensor tokenizer decomp influence pipeline"},
};

/* Calls `see` with every line of every source of a folder. */
static size_t for_every_line(const char *folder,
                             void (*see)(const char *folder, const char *file, const char *line)) {
    char pattern[64], line[4096];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/*.[ch]", folder);
    if (glob(pattern, 0, NULL, &found) != 0) return 0;
    const size_t n = found.gl_pathc;
    for (size_t i = 0; i < n; i++) {
        FILE *file = fopen(found.gl_pathv[i], "r");
        while (file && fgets(line, sizeof line, file)) see(folder, found.gl_pathv[i], line);
        if (file) fclose(file);
    }
    globfree(&found);
    return n;
}

static bool list_holds(const char *list, const char *word, size_t length) {
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

static void check_include(const char *folder, const char *file, const char *line) {
    char included[64];
    if (sscanf(line, "#include \"%63[^/]/", included) != 1) return;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        if (strcmp(layers[i].folder, folder) != 0) continue;
        const bool allowed = list_holds(layers[i].below, included, strlen(included));
        if (!allowed) fprintf(stderr, "%s: includes upwards: %s", file, line);
        EXPECT(allowed);
    }
}

static void includes_point_down_only(void) {
    size_t n = 0;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        n += for_every_line(layers[i].folder, check_include);
    if (n == 0) trib_skip("the sources are not in this directory");
}

/* Whether a line calls a function of this name. */
static bool calls(const char *line, const char *function) {
    const size_t length = strlen(function);
    for (const char *at = strstr(line, function); at; at = strstr(at + 1, function)) {
        const char before = at == line ? ' ' : at[-1];
        if (at[length] == '(' && !strchr("_abcdefghijklmnopqrstuvwxyz0123456789\"", before))
            return true;
    }
    return false;
}

static void check_calls(const char *file, const char *line, const char *const *forbidden) {
    for (; *forbidden; forbidden++) {
        const bool called = calls(line, *forbidden);
        if (called) fprintf(stderr, "%s: calls %s: %s", file, *forbidden, line);
        EXPECT(!called);
    }
}

static void check_allocation(const char *folder, const char *file, const char *line) {
    static const char *const forbidden[] = {"malloc", "calloc", "realloc",
                                            "strdup", "alloca", NULL};
    (void)folder;
    if (strcmp(file, "base/memory.c") != 0) check_calls(file, line, forbidden);
}

static void only_memory_c_allocates(void) {
    size_t n = 0;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        n += for_every_line(layers[i].folder, check_allocation);
    if (n == 0) trib_skip("the sources are not in this directory");
}

static void check_quiet(const char *folder, const char *file, const char *line) {
    static const char *const forbidden[] = {"printf",        "puts", "fprintf", "fputs", "time",
                                            "clock_gettime", "exit", "abort",   NULL};
    (void)folder;
    check_calls(file, line, forbidden);
}

static void only_pipeline_prints_or_reads_the_clock(void) {
    size_t n = 0;
    for (size_t i = 0; i + 1 < sizeof layers / sizeof *layers; i++)
        n += for_every_line(layers[i].folder, check_quiet);
    if (n == 0) trib_skip("the sources are not in this directory");
}

/* jansson leaves out a number that is not finite; trib_json_real remembers it. */
static void check_reals(const char *folder, const char *file, const char *line) {
    static const char *const forbidden[] = {"json_real", NULL};
    (void)folder;
    if (strcmp(file, "pipeline/json.c") == 0) return;
    check_calls(file, line, forbidden);
    const bool is_packed = strstr(line, "s:f,") || strstr(line, "s:f}");
    if (is_packed) fprintf(stderr, "%s: packs a number by jansson: %s", file, line);
    EXPECT(!is_packed);
}

static void only_json_c_makes_json_of_real_numbers(void) {
    if (for_every_line("pipeline", check_reals) == 0)
        trib_skip("the sources are not in this directory");
}

CU_TestInfo trib_tests_layers[] = {
    {"includes point down only", includes_point_down_only},
    {"only memory.c allocates", only_memory_c_allocates},
    {"only pipeline prints or reads the clock", only_pipeline_prints_or_reads_the_clock},
    {"only json.c makes JSON of real numbers", only_json_c_makes_json_of_real_numbers},
    CU_TEST_INFO_NULL,
};
