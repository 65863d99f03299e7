/* golden.c - runs the whole program. Each directory of tests/golden has a shell script, `cmd`,
 * which runs $TRIBUTARY in a copy of the directory, and the expected `stdout`, `stderr` and
 * `status`. Times and memory are masked. TRIBUTARY_GOLDEN_UPDATE=1 overwrites the expected files
 * with the actual output: look at the difference before you commit it. */
#include "tests/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system.h"

/* The scripts use $TRIBUTARY without quotes, so a path with a space is replaced by a link in the
 * scratch directory. */
static const char *without_space(const char *path) {
    static char name[PATH_MAX];
    if (!strchr(path, ' ')) return path;
    mkdir(trib_scratch("no-space"), 0700);
    snprintf(name, sizeof name, "%s%s", trib_scratch("no-space"), strrchr(path, '/'));
    unlink(name);
    return symlink(path, name) == 0 ? name : NULL;
}

/* The absolute path of the program: $TRIBUTARY, or its place in the build. */
static const char *program(void) {
    static char path[PATH_MAX];
    const char *told = getenv("TRIBUTARY");
    if (told && *told) return realpath(told, path) ? without_space(path) : NULL;
    if (!realpath(trib_program_file(), path) || strlen(path) + 20 > sizeof path) return NULL;
    for (int level = 0; level < 2; level++) {
        char *slash = strrchr(path, '/');
        if (!slash) return NULL;
        *slash = '\0';
    }
    strcat(path, "/tributary");
    return access(path, X_OK) == 0 ? without_space(path) : NULL;
}

/* Runs a shell command line in `directory`; returns its exit status. */
static int shell(const char *line, const char *directory, const char *out, const char *err) {
    char corpora[PATH_MAX] = "";
    const char *path = program(); /* before the child process changes its directory */
    if (!realpath("corpora", corpora)) *corpora = '\0';
    const pid_t child = path ? fork() : -1;
    if (child == 0) {
        const int in = open("/dev/null", O_RDONLY);
        const int to = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int errors = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (in < 0 || to < 0 || errors < 0 || chdir(directory) != 0) _exit(126);
        dup2(in, STDIN_FILENO);
        dup2(to, STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        char cache[PATH_MAX] = "";
        if (!getcwd(cache, sizeof cache - 8)) _exit(126);
        strcat(cache, "-cache"); /* a cache for each case, beside its directory */
        setenv("XDG_CACHE_HOME", cache, 1);
        setenv("TRIBUTARY", path, 1);
        setenv("CORPORA", corpora, 1);
        setenv("LC_ALL", "C", 1);
        setenv("TERM", "dumb", 1);
        unsetenv("COLUMNS");
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Replaces by "*" what differs between machines or changes with every new key: the rest of a
 * line after "done in", and the values of some JSON members. */
static void mask(char *text) {
    static const char *const varying[] = {"done in ", "\"seconds\": ", "\"peak_bytes\": "};
    char *to = text;
    for (char *line = text; *line;) {
        char *end = line + strcspn(line, "\n");
        char *stop = NULL;
        for (size_t v = 0; v < sizeof varying / sizeof *varying && !stop; v++) {
            char *found = strstr(line, varying[v]);
            if (found && found < end && (v > 0 || found == line)) stop = found + strlen(varying[v]);
        }
        const size_t n = (size_t)((stop ? stop : end) - line);
        memmove(to, line, n);
        to += n;
        if (stop) *to++ = '*';
        line = end;
        if (*line) *to++ = *line++;
    }
    *to = '\0';
}

/* Whether a line reports the progress of a stage: "factors: 50 %, 0:01 left". */
static bool is_progress(const char *line) {
    const size_t stage = strspn(line, "abcdefghijklmnopqrstuvwxyz");
    if (stage == 0 || strncmp(line + stage, ": ", 2) != 0) return false;
    const char *share = line + stage + 2;
    const size_t digits = strspn(share, "0123456789");
    return digits > 0 && strncmp(share + digits, " %, ", 4) == 0;
}

/* Removes the lines that report progress: a stage writes them only where it takes seconds. */
static void drop_progress(char *text) {
    char *to = text;
    for (char *line = text; *line;) {
        const size_t length = strcspn(line, "\n"), n = length + (line[length] == '\n');
        if (!is_progress(line)) {
            memmove(to, line, n);
            to += n;
        }
        line += n;
    }
    *to = '\0';
}

static char *read_text(const char *path) {
    trib_reader reader;
    trib_buffer text = {0};
    if (trib_reader_open(&reader, path, NULL) == TRIB_OK) {
        (void)trib_reader_all(&reader, &text, NULL);
        trib_reader_close(&reader);
    }
    if (!text.text) (void)trib_buffer_add(&text, "", 0, NULL);
    return text.text;
}

static void write_text(const char *path, const char *text) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, path, NULL) == TRIB_OK);
    trib_write_text(&writer, text);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
}

/* Compares one of the three outputs of a case. */
static void compare(const char *name, const char *what, char *actual) {
    char path[PATH_MAX], where[PATH_MAX];
    snprintf(path, sizeof path, "tests/golden/%s/%s", name, what);
    snprintf(where, sizeof where, "%s", path);
    drop_progress(actual);
    mask(actual);
    if (getenv("TRIBUTARY_GOLDEN_UPDATE")) write_text(path, actual);
    char *wanted = read_text(path);
    trib_expect_text(actual, wanted, where, path, 1);
    trib_free(wanted);
    trib_free(actual);
}

static void run_case(const char *name) {
    char line[PATH_MAX + 64], out[PATH_MAX], err[PATH_MAX], scratch[PATH_MAX], number[16];
    CHECK(program() != NULL);
    /* a folder that no other test uses */
    snprintf(line, sizeof line, "golden-%s", name);
    snprintf(scratch, sizeof scratch, "%s", trib_scratch(line));
    snprintf(out, sizeof out, "%s", trib_scratch("golden-stdout"));
    snprintf(err, sizeof err, "%s", trib_scratch("golden-stderr"));
    snprintf(line, sizeof line, "cp -R 'tests/golden/%s' '%s'", name, scratch);
    CHECK(shell(line, ".", out, err) == 0);
    snprintf(number, sizeof number, "%d\n", shell(". ./cmd", scratch, out, err));
    compare(name, "stdout", read_text(out));
    compare(name, "stderr", read_text(err));
    char *status = NULL;
    CHECK(trib_copy_text(&status, number, strlen(number), NULL) == TRIB_OK);
    compare(name, "status", status);
}

#define GOLDEN(name, fact)                                                                         \
    static void name(void) { run_case(#name); }
#include "tests/golden/cases.def"
#undef GOLDEN

/* A directory without a row would never run. */
static void every_case_has_a_row(void) {
    static const char *const rows[] = {
#define GOLDEN(name, fact) #name,
#include "tests/golden/cases.def"
#undef GOLDEN
    };
    DIR *directory = opendir("tests/golden");
    CHECK(directory != NULL);
    for (struct dirent *entry; (entry = readdir(directory));) {
        bool found = strchr(entry->d_name, '.') != NULL;
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            found = found || strcmp(rows[r], entry->d_name) == 0;
        if (!found) fprintf(stderr, "tests/golden/%s has no row in cases.def\n", entry->d_name);
        EXPECT(found);
    }
    closedir(directory);
}

CU_TestInfo trib_tests_program_golden[] = {{"every case has a row", every_case_has_a_row},
#define GOLDEN(name, fact) {fact, name},
#include "tests/golden/cases.def"
#undef GOLDEN
                                           CU_TEST_INFO_NULL};
