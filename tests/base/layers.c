/* layers.c - rules that the sources keep: one file calls malloc, only pipeline prints or reads the
 * clock, comments keep to 100 columns. And a page that a program writes has the text of its frame.
 * Reads the sources from the directory the tests are started in. */
#include "tests/test.h"

#include <glob.h>

TESTS(base, layers);

/* The folders whose code neither prints nor reads the clock, and those that may. */
static const char *const folders[] = {"base",   "tensor",    "tensor/formats", "tokenizer",
                                      "decomp", "influence", "influence/*",    "pipeline/*"};
enum { N_FOLDERS = sizeof folders / sizeof *folders };

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

TEST(only_memory_c_allocates) {
    size_t n = 0;
    for (size_t i = 0; i < N_FOLDERS; i++) n += for_every_line(folders[i], check_allocation);
    if (n == 0) trib_skip("the sources are not in this directory");
}

static void check_quiet(const char *folder, const char *file, const char *line) {
    static const char *const forbidden[] = {"printf",        "puts", "fprintf", "fputs", "time",
                                            "clock_gettime", "exit", "abort",   NULL};
    (void)folder;
    check_calls(file, line, forbidden);
}

TEST(only_pipeline_prints_or_reads_the_clock) {
    size_t n = 0;
    for (size_t i = 0; i + 1 < N_FOLDERS; i++) n += for_every_line(folders[i], check_quiet);
    if (n == 0) trib_skip("the sources are not in this directory");
}

/* Functions of the C library whose last digit differs between processors, and sums whose order is
 * chosen by the compiler. Estimates, choices of formats and charts may use them. */
static void check_numbers(const char *folder, const char *file, const char *line) {
    static const char *const forbidden[] = {"exp",  "log", "pow",   "log2", "log10", "cbrt",
                                            "tanh", "sin", "hypot", "fma",  "expf",  NULL};
    static const char *const may[] = {"base/number.c", "pipeline/run/estimate.c",
                                      "pipeline/program/check.c"};
    (void)folder;
    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        if (strcmp(file, may[i]) == 0) return;
    const char *text = line + strspn(line, " "), *comment = strstr(line, "/*");
    char code[4096];
    snprintf(code, sizeof code, "%.*s", comment ? (int)(comment - line) : (int)strlen(line), line);
    if (strncmp(text, "* ", 2) != 0 && *text != '"') check_calls(file, code, forbidden);
    const bool is_free = strstr(line, "simd reduction(+") != NULL;
    if (is_free) fprintf(stderr, "%s: adds in an order of the compiler: %s", file, line);
    EXPECT(!is_free);
}

TEST(numbers_are_the_same_on_every_processor) {
    size_t n = 0;
    for (size_t i = 0; i < N_FOLDERS; i++) n += for_every_line(folders[i], check_numbers);
    if (n == 0) trib_skip("the sources are not in this directory");
}

/* jansson leaves out a number that is not finite; trib_json_real remembers it. */
static void check_reals(const char *folder, const char *file, const char *line) {
    static const char *const forbidden[] = {"json_real", NULL};
    (void)folder;
    if (strcmp(file, "pipeline/support/json.c") == 0) return;
    check_calls(file, line, forbidden);
    const bool is_packed = strstr(line, "s:f,") || strstr(line, "s:f}");
    if (is_packed) fprintf(stderr, "%s: packs a number by jansson: %s", file, line);
    EXPECT(!is_packed);
}

TEST(only_json_c_makes_json_of_real_numbers) {
    if (for_every_line("pipeline/*", check_reals) == 0)
        trib_skip("the sources are not in this directory");
}

/* A stage hands its status on to the next call of all processes (comm.h). */
static void check_agreement(const char *folder, const char *file, const char *line) {
    static const char *const forbidden[] = {"trib_comm_agree", NULL};
    (void)folder;
    if (strncmp(file, "pipeline/comm/", 14) != 0 && strcmp(file, "pipeline/run/execute.c") != 0)
        check_calls(file, line, forbidden);
}

TEST(only_comm_and_the_executor_agree) {
    if (for_every_line("pipeline/*", check_agreement) == 0)
        trib_skip("the sources are not in this directory");
}

/* Whether a file defines the function: a line that begins with a type and has its name. */
static bool defines(const char *path, const char *function) {
    char line[4096], kernel[100];
    bool found = false;
    FILE *file = fopen(path, "r");
    snprintf(kernel, sizeof kernel, ", %s,", function);
    while (file && fgets(line, sizeof line, file))
        found = found || (strchr("/# \t}\n", line[0]) == NULL &&
                          (calls(line, function) || strstr(line, kernel)));
    if (file) fclose(file);
    return found;
}

/* Rows "| what | file | function |" of a page. */
TEST(the_functions_the_model_names_are_there) {
    char line[4096], path[128], function[64];
    size_t n = 0;
    FILE *page = fopen("docs/model.md", "r");
    if (!page) {
        trib_skip("the documents are not in this directory");
        return;
    }
    EXPECT(!defines("influence/lowe.c", "trib_lowe_a") && !defines("no/such.c", "main"));
    while (fgets(line, sizeof line, page)) {
        if (sscanf(line, "| %*[^|]| %127[a-z_/.] | %63[a-z_0-9] |", path, function) != 2) continue;
        if (!strstr(path, ".c")) continue;
        if (!defines(path, function))
            fprintf(stderr, "docs/model.md: %s has no %s\n", path, function);
        EXPECT(defines(path, function));
        n++;
    }
    EXPECT(n >= 8);
    fclose(page);
}

/* Characters, not bytes. */
static size_t columns(const char *line) {
    size_t n = 0;
    for (; *line && *line != '\n'; line++) n += ((unsigned char)*line & 0xC0) != 0x80;
    return n;
}

static void check_columns(const char *folder, const char *file, const char *line) {
    (void)folder;
    const char *text = line + strspn(line, " ");
    const bool is_comment = strncmp(text, "/*", 2) == 0 || strncmp(text, "* ", 2) == 0;
    const bool is_short = columns(line) <= 100 || (!is_comment && strchr(line, '"'));
    if (!is_short) fprintf(stderr, "%s: over 100 columns: %s", file, line);
    EXPECT(is_short);
}

/* Files that are not C: scripts, which may have no extension, and style sheets; of a Makefile and
 * the like the comments. */
static void check_other(const char *path) {
    static const char *const extensions[] = {".py", ".js", ".css", ".cc", NULL};
    char line[1 << 14];
    bool is_whole = false, has_comments = false;
    const char *slash = strrchr(path, '/'), *point = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; point && extensions[i]; i++)
        is_whole = is_whole || strcmp(point, extensions[i]) == 0;
    if (point && !is_whole) return;
    FILE *file = fopen(path, "r");
    for (size_t n = 0; file && fgets(line, sizeof line, file); n++) {
        if (n == 0) {
            is_whole = is_whole || strncmp(line, "#!", 2) == 0;
            has_comments = line[0] == '#';
        }
        if (!is_whole && !(has_comments && line[strspn(line, " \t")] == '#')) continue;
        if (columns(line) > 100) fprintf(stderr, "%s: over 100 columns: %s", path, line);
        EXPECT(columns(line) <= 100);
    }
    if (file) fclose(file);
}

/* Prose and headings: not code, tables or pictures. */
static void check_page(const char *path) {
    char line[1 << 14];
    bool is_code = false;
    FILE *page = fopen(path, "r");
    while (page && fgets(line, sizeof line, page)) {
        if (strncmp(line, "```", 3) == 0) is_code = !is_code;
        const bool is_prose = !is_code && !strchr("|!", line[0]) && strncmp(line, "    ", 4);
        const bool is_short = !is_prose || columns(line) <= 100;
        if (!is_short) fprintf(stderr, "%s: over 100 columns: %s", path, line);
        EXPECT(is_short);
    }
    if (page) fclose(page);
}

TEST(lines_keep_to_100_columns) {
    static const char *const more[] = {"tests", "tests/*", "tests/*/*", "examples"};
    static const char *const pages[] = {"*.md", "docs/*.md", "docs/*/*.md", "tests/*.md"};
    static const char *const others[] = {"Makefile",
                                         "tests/*",
                                         ".ci/*",
                                         "tests/*/*",
                                         "corpora/*",
                                         "pipeline/*/*",
                                         "pipeline/report/files/*",
                                         "packaging/*/*"};
    size_t n = 0;
    for (size_t i = 0; i < N_FOLDERS; i++) n += for_every_line(folders[i], check_columns);
    if (n == 0) trib_skip("the sources are not in this directory");
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) for_every_line(more[i], check_columns);
    for (size_t p = 0; p < sizeof pages / sizeof *pages; p++) {
        glob_t found = {0};
        if (glob(pages[p], 0, NULL, &found) != 0) continue;
        for (size_t i = 0; i < found.gl_pathc; i++) check_page(found.gl_pathv[i]);
        globfree(&found);
    }
    for (size_t p = 0; p < sizeof others / sizeof *others; p++) {
        glob_t found = {0};
        if (glob(others[p], 0, NULL, &found) != 0) continue;
        for (size_t i = 0; i < found.gl_pathc; i++) check_other(found.gl_pathv[i]);
        globfree(&found);
    }
}
