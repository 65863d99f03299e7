/* rooms.c - the folders of the sources are rooms, one above the other. What a file includes, and
 * what its object file calls, lies in its own room or in one that its room may use; and within a
 * room no files need each other in a circle. The calls are read from the object files by nm, so a
 * shared header cannot hide one. Reads the sources from the directory the tests are started in, and
 * the objects from the folder that holds the test program. */
#include "tests/test.h"

#include <glob.h>
#include <limits.h>
#include <unistd.h>

#include "base/system.h"

TESTS(base, rooms);

/* The rooms, lowest first, and whom each may use besides itself. "*" is every room before it. */
static const struct {
    const char *folder, *uses;
} rooms[] = {
    {"base", ""},
    {"tensor", "base"},
    {"tensor/formats", "base tensor"},
    {"tokenizer", "base"},
    {"decomp", "base tensor tensor/formats"},
    {"influence/factors", "base tensor decomp"},
    {"influence", "base tensor tensor/formats decomp influence/factors"},
    {"influence/passages", "base tensor influence"},
    {"influence/candidates", "base tensor influence"},
    {"pipeline/support", "base decomp"},
    {"pipeline/result", "base pipeline/support"},
    {"pipeline/comm", "base influence influence/candidates pipeline/support"},
    {"pipeline/text", "base tokenizer pipeline/support"},
    {"pipeline/config", "base tensor tensor/formats tokenizer decomp influence/factors influence "
                        "pipeline/support pipeline/comm pipeline/text"},
    {"pipeline/store",
     "base tensor tokenizer decomp pipeline/support pipeline/text pipeline/config"},
    {"pipeline/stages", "base tensor tensor/formats tokenizer decomp influence/factors influence "
                        "influence/passages influence/candidates pipeline/support pipeline/result "
                        "pipeline/comm pipeline/text pipeline/config pipeline/store"},
    {"pipeline/output",
     "base tensor tensor/formats tokenizer decomp influence/factors influence influence/passages "
     "pipeline/support pipeline/result pipeline/comm pipeline/text pipeline/config pipeline/store "
     "pipeline/stages"},
    {"pipeline/report", "base tokenizer influence influence/passages pipeline/support "
                        "pipeline/result pipeline/config pipeline/stages pipeline/output"},
    {"pipeline/run", "*"},
    {"pipeline/index", "*"},
    {"pipeline/library", "*"},
    {"pipeline/app", "*"},
    {"pipeline/program", "*"},
};
enum { N_ROOMS = sizeof rooms / sizeof *rooms, MOST_FILES = 65 };

/* Files of one room that need each other, and why that is better than not. At most 5. */
static const struct {
    const char *one, *other;
} pairs[] = {
    {NULL, NULL},
};

static int room_of(const char *folder, size_t length) {
    for (int r = 0; r < N_ROOMS; r++)
        if (strlen(rooms[r].folder) == length && strncmp(rooms[r].folder, folder, length) == 0)
            return r;
    return -1;
}

static bool list_holds(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

static bool may_use(int user, int used) {
    if (user == used) return true;
    return strcmp(rooms[user].uses, "*") == 0 ? used < user
                                              : list_holds(rooms[user].uses, rooms[used].folder);
}

/* ---- Folders and includes -------------------------------------------------------------------- */

TEST(every_folder_is_a_room_and_none_is_empty_or_crowded) {
    char pattern[64];
    glob_t found = {0};
    if (access("base/base.h", R_OK) != 0) {
        trib_skip("the sources are not in this directory");
        return;
    }
    for (int r = 0; r < N_ROOMS; r++) {
        snprintf(pattern, sizeof pattern, "%s/*.[ch]", rooms[r].folder);
        const bool is_there = glob(pattern, 0, NULL, &found) == 0;
        if (!is_there) fprintf(stderr, "%s: is empty\n", rooms[r].folder);
        if (found.gl_pathc > MOST_FILES)
            fprintf(stderr, "%s: has %zu files\n", rooms[r].folder, found.gl_pathc);
        EXPECT(is_there && found.gl_pathc <= MOST_FILES);
        globfree(&found);
    }
    static const char *const sources[] = {"*/*.c", "tensor/*/*.c", "influence/*/*.c",
                                          "pipeline/*/*.c"};
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        if (glob(sources[s], 0, NULL, &found) != 0) continue;
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const char *path = found.gl_pathv[i], *slash = strrchr(path, '/');
            const bool is_known =
                strncmp(path, "tests/", 6) == 0 || strncmp(path, "examples/", 9) == 0 ||
                strncmp(path, "build", 5) == 0 || room_of(path, (size_t)(slash - path)) >= 0;
            if (!is_known) fprintf(stderr, "%s: lies in no room\n", path);
            EXPECT(is_known);
        }
        globfree(&found);
    }
}

static void check_include(int room, const char *file, const char *line) {
    char included[128];
    if (sscanf(line, "#include \"%127[^\"]", included) != 1) return;
    const char *slash = strrchr(included, '/');
    const int used = slash ? room_of(included, (size_t)(slash - included)) : -1;
    if (used < 0 && strncmp(included, "tests/", 6) != 0)
        fprintf(stderr, "%s: includes from no room: %s", file, line);
    const bool allowed = used >= 0 && may_use(room, used);
    if (!allowed) fprintf(stderr, "%s: may not include: %s", file, line);
    EXPECT(allowed);
}

TEST(includes_point_down_only) {
    char pattern[64], line[4096];
    glob_t found = {0};
    if (access("base/base.h", R_OK) != 0) {
        trib_skip("the sources are not in this directory");
        return;
    }
    for (int r = 0; r < N_ROOMS; r++) {
        snprintf(pattern, sizeof pattern, "%s/*.[ch]", rooms[r].folder);
        if (glob(pattern, 0, NULL, &found) != 0) continue;
        for (size_t i = 0; i < found.gl_pathc; i++) {
            FILE *file = fopen(found.gl_pathv[i], "r");
            while (file && fgets(line, sizeof line, file))
                check_include(r, found.gl_pathv[i], line);
            if (file) fclose(file);
        }
        globfree(&found);
    }
}

/* ---- Suites ---------------------------------------------------------------------------------- */

/* Whether suites.def has a row for an array of tests. Rows of optional libraries count too. */
static bool has_row(const char *suite) {
    char line[256], folder[64], name[64], row[160];
    bool is_there = false;
    FILE *file = fopen("tests/suites.def", "r");
    while (file && !is_there && fgets(line, sizeof line, file)) {
        if (sscanf(line, " SUITE(%63[a-z_], %63[a-z0-9_])", folder, name) != 2) continue;
        snprintf(row, sizeof row, "%s_%s", folder, name);
        is_there = strcmp(row, suite) == 0;
    }
    if (file) fclose(file);
    return is_there;
}

TEST(every_file_of_tests_has_its_row) {
    static const char *const folders[] = {"tests/*/*.c", "tests/*/*/*.c"};
    char line[4096], suite[128];
    size_t n_suites = 0;
    glob_t found = {0};
    if (access("tests/suites.def", R_OK) != 0) {
        trib_skip("the sources are not in this directory");
        return;
    }
    for (size_t s = 0; s < sizeof folders / sizeof *folders; s++)
        CHECK(glob(folders[s], s > 0 ? GLOB_APPEND : 0, NULL, &found) == 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "r");
        while (file && fgets(line, sizeof line, file)) {
            if (sscanf(line, "CU_TestInfo trib_tests_%127[a-z0-9_]", suite) != 1) continue;
            n_suites++;
            if (!has_row(suite))
                fprintf(stderr, "%s: has no row in tests/suites.def\n", found.gl_pathv[i]);
            EXPECT(has_row(suite));
        }
        if (file) fclose(file);
    }
    globfree(&found);
    EXPECT(n_suites > 0);
}

/* ---- Symbols --------------------------------------------------------------------------------- */

enum { MAX_OBJECTS = 1024, MAX_SYMBOLS = 1 << 15, MAX_NAME = 96 };

typedef struct object {
    char name[MAX_NAME]; /* "base/buffer" */
    int room;
    bool is_done; /* it needs no file of its room but such that are done */
} object;

typedef struct symbol {
    char name[MAX_NAME];
    int object;
} symbol;

typedef struct symbols {
    object object[MAX_OBJECTS];
    symbol defined[MAX_SYMBOLS], used[MAX_SYMBOLS];
    int n_objects, n_defined, n_used;
} symbols;

static int by_name(const void *a, const void *b) {
    return strcmp(((const symbol *)a)->name, ((const symbol *)b)->name);
}

/* The folder of the build: the test program is BUILD/tests/run. */
static bool find_build(char *build, size_t size) {
    char path[PATH_MAX];
    if (!realpath(trib_program_file(), path) || strlen(path) >= size) return false;
    strcpy(build, path);
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(build, '/');
        if (!slash) return false;
        *slash = '\0';
    }
    return true;
}

/* A line of nm: "BUILD/base/buffer.o: trib_buffer_add T 0 1f", or "... U". */
static void add_line(symbols *s, int room, const char *line, size_t n_build) {
    char path[512], name[MAX_NAME], kind;
    if (sscanf(line, "%511[^:]: %95s %c", path, name, &kind) != 3) return;
    char *end = strrchr(path, '.');
    if (!end || strlen(path) <= n_build || strncmp(name, "trib_", 5) != 0) return;
    *end = '\0';
    const char *object_name = path + n_build + 1;
    if (strcmp(object_name, "pipeline/comm/mpi") == 0) return; /* takes the place of alone.c */
    char source[600];
    snprintf(source, sizeof source, "%s.c", object_name);
    if (access(source, R_OK) != 0) return; /* generated, or left from a source that moved */
    if (s->n_objects == 0 || strcmp(s->object[s->n_objects - 1].name, object_name) != 0) {
        CHECK(s->n_objects < MAX_OBJECTS);
        object *o = &s->object[s->n_objects++];
        snprintf(o->name, sizeof o->name, "%s", object_name);
        o->room = room;
    }
    symbol *list = kind == 'U' ? s->used : s->defined;
    int *n = kind == 'U' ? &s->n_used : &s->n_defined;
    CHECK(*n < MAX_SYMBOLS);
    snprintf(list[*n].name, MAX_NAME, "%s", name);
    list[(*n)++].object = s->n_objects - 1;
}

/* false, with the test marked as skipped, when they cannot be read. */
static bool read_symbols(symbols *s) {
    char build[512], command[1024], line[1024];
    if (!find_build(build, sizeof build) || strchr(build, '\'')) {
        trib_skip("the objects are not beside the test program");
        return false;
    }
    for (int r = 0; r < N_ROOMS; r++) {
        if (access(rooms[r].folder, R_OK) != 0) break;
        snprintf(command, sizeof command, "nm -P -A -g '%s/%s'/*.o 2>/dev/null", build,
                 rooms[r].folder);
        FILE *nm = popen(command, "r");
        CHECK(nm != NULL);
        const int before = s->n_objects;
        while (fgets(line, sizeof line, nm)) add_line(s, r, line, strlen(build));
        pclose(nm);
        if (s->n_objects == before) {
            trib_skip("nm shows no symbols of the objects beside the test program");
            return false;
        }
    }
    qsort(s->defined, (size_t)s->n_defined, sizeof *s->defined, by_name);
    return true;
}

/* The object that defines what is used; -1: none of ours. */
static int definer(const symbols *s, const symbol *used) {
    const symbol *found =
        bsearch(used, s->defined, (size_t)s->n_defined, sizeof *s->defined, by_name);
    return found ? found->object : -1;
}

TEST(calls_point_down_only) {
    symbols *s = calloc(1, sizeof *s);
    CHECK(s != NULL);
    int n_between = 0, n_up = 0;
    const bool is_read = read_symbols(s);
    for (int u = 0; is_read && u < s->n_used; u++) {
        const int d = definer(s, &s->used[u]);
        if (d < 0) continue;
        const object *user = &s->object[s->used[u].object], *used = &s->object[d];
        n_between += user->room != used->room;
        if (may_use(user->room, used->room)) continue;
        fprintf(stderr, "%s.c: may not call %s of %s.c\n", user->name, s->used[u].name, used->name);
        n_up++;
    }
    EXPECT(n_up == 0);
    if (is_read) EXPECT(n_between > 1000);
    free(s);
}

/* ---- The door to the disk -------------------------------------------------------------------- */

/* What opens a file by its name, asks about it, or changes it, in the C library and in others. All
 * but the names in `allowed` lie behind base/disk.c. */
static const char *const behind[] = {"open",
                                     "openat",
                                     "creat",
                                     "fopen",
                                     "freopen",
                                     "stat",
                                     "lstat",
                                     "statx",
                                     "fstatat",
                                     "access",
                                     "faccessat",
                                     "opendir",
                                     "scandir",
                                     "nftw",
                                     "fts_open",
                                     "rename",
                                     "renameat",
                                     "renameat2",
                                     "unlink",
                                     "unlinkat",
                                     "remove",
                                     "rmdir",
                                     "mkdir",
                                     "mkdirat",
                                     "mkdtemp",
                                     "mkstemp",
                                     "mkostemp",
                                     "tmpfile",
                                     "symlink",
                                     "symlinkat",
                                     "link",
                                     "linkat",
                                     "readlink",
                                     "readlinkat",
                                     "chmod",
                                     "fchmodat",
                                     "chown",
                                     "utimes",
                                     "utimensat",
                                     "truncate",
                                     "mknod",
                                     "mkfifo",
                                     "realpath",
                                     "glob",
                                     "json_load_file",
                                     "json_dump_file",
                                     "archive_read_open_filename",
                                     "xmlReadFile",
                                     "gzopen",
                                     "sqlite3_open"};
static const struct {
    const char *object, *name, *why;
} allowed[] = {
    {"base/disk", "", "it is the door"},
    {"base/system", "fopen", "/proc, for memory.c, which the door needs"},
    {"base/system", "realpath", "the folder of the program"},
    {"pipeline/app/projects", "realpath", "a name only"},
    {"pipeline/config/corpus_section", "glob", "names only"},
    {"pipeline/config/draft", "realpath", "a name only"},
    {"pipeline/program/experiment", "realpath", "a name only"},
    {"pipeline/support/path", "realpath", "names only"},
    {"pipeline/text/address", "realpath", "a name only"},
    {"pipeline/text/sandbox", "realpath", "a name only"},
    {"tokenizer/guess", "access", "which of two folders of the installation is there"},
    {"pipeline/text/archive", "archive_read_open_filename", "the door has looked at it before"},
};

/* The name of a function as the source has it: "open" of "open64@GLIBC_2.2.5", "__open_2" or
 * "__xstat64". */
static void set_plain_name(char *name) {
    static const char *const ends[] = {"_chk", "_2", "64"};
    name[strcspn(name, "@")] = '\0';
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        const size_t n = strlen(name), n_end = strlen(ends[e]);
        if (n > n_end && strcmp(name + n - n_end, ends[e]) == 0) name[n - n_end] = '\0';
    }
    const size_t skip = strspn(name, "_");
    const bool is_old = skip > 0 && name[skip] == 'x' && strstr(name, "stat");
    memmove(name, name + skip + is_old, strlen(name + skip + is_old) + 1);
}

static bool is_behind(const char *name) {
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        if (strcmp(name, behind[i]) == 0) return true;
    return false;
}

static bool is_allowed(const char *object_name, const char *name) {
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strcmp(allowed[i].object, object_name) == 0 &&
            (!*allowed[i].name || strcmp(allowed[i].name, name) == 0))
            return true;
    return false;
}

TEST(only_the_door_opens_files) {
    char build[512], command[1024], line[1024], path[512], name[MAX_NAME], source[600];
    char old[] = "__xstat64@GLIBC_2.2.5", fortified[] = "__open64_2";
    set_plain_name(old);
    set_plain_name(fortified);
    EXPECT_TEXT(old, "stat");
    EXPECT_TEXT(fortified, "open");
    if (!find_build(build, sizeof build) || strchr(build, '\'') || access("base", R_OK) != 0) {
        trib_skip("the objects are not beside the test program");
        return;
    }
    size_t n_at_door = 0;
    for (int r = 0; r < N_ROOMS; r++) {
        snprintf(command, sizeof command, "nm -P -A -u '%s/%s'/*.o 2>/dev/null", build,
                 rooms[r].folder);
        FILE *nm = popen(command, "r");
        CHECK(nm != NULL);
        while (fgets(line, sizeof line, nm)) {
            if (sscanf(line, "%511[^:]: %95s", path, name) != 2 || !strrchr(path, '.')) continue;
            *strrchr(path, '.') = '\0';
            const char *object_name = path + strlen(build) + 1;
            snprintf(source, sizeof source, "%s.c", object_name);
            set_plain_name(name);
            if (!is_behind(name) || access(source, R_OK) != 0) continue;
            n_at_door += strcmp(object_name, "base/disk") == 0;
            if (!is_allowed(object_name, name))
                fprintf(stderr, "%s.c: calls %s; base/disk.c has what it needs\n", object_name,
                        name);
            EXPECT(is_allowed(object_name, name));
        }
        pclose(nm);
    }
    EXPECT(n_at_door > 5);
}

static bool is_pair(const char *a, const char *b) {
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs && pairs[p].one; p++)
        if ((strcmp(pairs[p].one, a) == 0 && strcmp(pairs[p].other, b) == 0) ||
            (strcmp(pairs[p].one, b) == 0 && strcmp(pairs[p].other, a) == 0))
            return true;
    return false;
}

/* Whether used symbol u leads to another file of the same room that is not done. */
static bool waits(const symbols *s, int u) {
    const int d = definer(s, &s->used[u]), from = s->used[u].object;
    return d >= 0 && d != from && s->object[d].room == s->object[from].room &&
           !s->object[d].is_done && !is_pair(s->object[from].name, s->object[d].name);
}

/* Files that wait for no other are done, one round after the other; those left in the end wait for
 * each other. */
TEST(no_files_of_a_room_need_each_other_in_a_circle) {
    symbols *s = calloc(1, sizeof *s);
    CHECK(s != NULL);
    int n_circling = 0;
    const bool is_read = read_symbols(s);
    for (bool goes_on = is_read; goes_on;) {
        bool waiting[MAX_OBJECTS] = {false};
        goes_on = false;
        for (int u = 0; u < s->n_used; u++)
            if (waits(s, u)) waiting[s->used[u].object] = true;
        for (int o = 0; o < s->n_objects; o++)
            if (!waiting[o] && !s->object[o].is_done) goes_on = s->object[o].is_done = true;
    }
    for (int u = 0; is_read && u < s->n_used; u++) {
        if (s->object[s->used[u].object].is_done || !waits(s, u)) continue;
        fprintf(stderr, "%s.c: in or before a circle: calls %s of %s.c\n",
                s->object[s->used[u].object].name, s->used[u].name,
                s->object[definer(s, &s->used[u])].name);
        n_circling++;
    }
    EXPECT(n_circling == 0);
    EXPECT(sizeof pairs / sizeof *pairs <= 5);
    free(s);
}
