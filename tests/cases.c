/* cases.c - tests that are data: what goes in and what comes out, in a file of cases.
 *
 *     [rtf: notes text wanted]
 *     # what the cases that follow show
 *     drop
 *     {\\rtf1\\ansi caf\\'e9}
 *     café\n
 *
 *     keep
 *     ...
 *
 * A case is lines without an empty line between them, one for each field of its group. Lines that
 * are missing are empty, and so is a line ""; a line = is that of the case before. @NAME BYTES is a
 * file in the scratch directory, which has no other when the case begins. Escapes: \n \r \t \\
 * \xHH, and \ at the end of a line, where the next goes on. A row {"tests/FILE.txt [rtf]", test} in
 * the table of a suite calls the test with each case of the group; trib_case_text and its like tell
 * what the case is.
 */
#include "tests/suite.h"

enum { MOST_LINES = 24, MOST_FILES = 16 };

typedef struct line {
    const char *text;
    size_t length;
} line;

struct trib_test_case {
    char name[256], group[64], fields[256];
    line lines[MOST_LINES], files[MOST_FILES][2]; /* of files: name, bytes */
    unsigned n_lines, n_files;
    bool is_wrong;
    CU_TestFunc test;
    trib_test_case *next;
};

const trib_test_case *trib_case_now;

/* A file of cases, the rest of which is to be read. */
typedef struct source {
    const char *path;
    char *at;
    unsigned line; /* of `at` */
    char group[64], fields[256], title[160];
    bool in_comment;
} source;

static unsigned hex(char c) {
    const char *digits = "0123456789abcdef", *found = c ? strchr(digits, c) : NULL;
    return found ? (unsigned)(found - digits) : 0;
}

/* Decodes up to `end` or the end of the line, in place, and goes past it. */
static line decode(source *s, char end) {
    char *const from = s->at, *to = from;
    const bool is_empty = strncmp(from, "\"\"\n", 3) == 0;
    while (*s->at && *s->at != '\n' && *s->at != end) {
        const char escape = *s->at == '\\' ? s->at[1] : '\0';
        const bool is_byte = escape == 'x' && s->at[2] && s->at[3];
        if (is_byte) *to++ = (char)(16 * hex(s->at[2]) + hex(s->at[3]));
        else if (escape != '\n')
            *to++ = escape == 'n'   ? '\n'
                    : escape == 'r' ? '\r'
                    : escape == 't' ? '\t'
                    : escape        ? escape
                                    : *s->at;
        s->line += escape == '\n';
        s->at += is_byte ? 4 : escape ? 2 : 1;
    }
    s->line += *s->at == '\n';
    s->at += *s->at != '\0';
    if (is_empty) to = from;
    *to = '\0';
    return (line){from, (size_t)(to - from)};
}

static void read_group(source *s) {
    const line head = decode(s, '\n');
    if (sscanf(head.text, "[%63[^]:]%*[:] %255[^]]", s->group, s->fields) < 2) *s->fields = '\0';
    *s->title = '\0';
}

/* Reads the line at which the source is. */
static void read_line(source *s, trib_test_case *c, const trib_test_case *before) {
    const char first = *s->at;
    const bool continues = s->in_comment;
    s->in_comment = first == '#';
    if (first == '[') {
        read_group(s);
    } else if (first == '#') {
        const line comment = decode(s, '\n');
        const size_t from = strspn(comment.text, "# ");
        if (!continues) snprintf(s->title, sizeof s->title, "%.150s", comment.text + from);
    } else if (first == '@' && c->n_files < MOST_FILES) {
        s->at++;
        const bool has_bytes = s->at[strcspn(s->at, " \n")] == ' ';
        c->files[c->n_files][0] = decode(s, ' ');
        c->files[c->n_files++][1] = has_bytes ? decode(s, '\n') : (line){"", 0};
    } else {
        if (c->n_lines == 0)
            snprintf(c->name, sizeof c->name, "%s:%u: %s", s->path, s->line,
                     *s->title ? s->title : s->group);
        const bool is_same = strncmp(s->at, "=\n", 2) == 0;
        const line got = decode(s, '\n');
        c->is_wrong = c->is_wrong || c->n_lines == MOST_LINES || (is_same && !before);
        if (!c->is_wrong) c->lines[c->n_lines] = is_same ? before->lines[c->n_lines] : got;
        c->n_lines += !c->is_wrong;
    }
}

/* Reads the next case. False when there is none. */
static bool read_case(source *s, trib_test_case *c, const trib_test_case *before) {
    while (*s->at && !(*s->at == '\n' && c->n_lines > 0)) {
        if (*s->at != '\n') read_line(s, c, before);
        else s->at++, s->line++, s->in_comment = false;
    }
    unsigned n_fields = *s->fields != '\0';
    for (const char *at = s->fields; *at; at++) n_fields += *at == ' ';
    c->is_wrong = c->is_wrong || c->n_lines > n_fields;
    strcpy(c->group, s->group);
    strcpy(c->fields, s->fields);
    return c->n_lines > 0;
}

/* All cases of a file, read once. NULL when there is none. */
static trib_test_case *cases_of(const char *path) {
    static struct {
        char path[200];
        trib_test_case *first;
    } known[64];
    size_t k = 0;
    while (k < 63 && *known[k].path && strcmp(known[k].path, path) != 0) k++;
    if (*known[k].path) return known[k].first;
    trib_buffer text = {0}; /* the cases are parts of it */
    snprintf(known[k].path, sizeof known[k].path, "%s", path);
    if (trib_read_whole(path, &text, NULL) != TRIB_OK) return NULL;
    source s = {.path = known[k].path, .at = text.text, .line = 1};
    trib_test_case *c = NULL;
    for (trib_test_case **to = &known[k].first, *before = NULL;; before = c, to = &c->next) {
        if (!(c = calloc(1, sizeof *c))) return NULL;
        if (read_case(&s, c, before)) *to = c;
        else return free(c), known[k].first;
    }
}

/* ---- The tests of a suite -------------------------------------------------------------------- */

static void no_file(void) { trib_skip("the file of cases is not in this directory"); }

static void no_test(void) { CU_FAIL_FATAL("a group of cases has no test, or a test no group"); }

static void add(trib_suite *suite, size_t *n, CU_TestInfo test, const trib_test_case *of) {
    const size_t size = (*n + 2) * sizeof test;
    CU_TestInfo *tests = realloc(suite->tests, size);
    if (tests) suite->tests = tests;
    const trib_test_case **cases = realloc(suite->cases, (*n + 2) * sizeof *cases);
    if (cases) suite->cases = cases;
    if (!tests || !cases) abort();
    suite->cases[*n] = of;
    suite->tests[(*n)++] = test;
    suite->tests[*n] = (CU_TestInfo)CU_TEST_INFO_NULL;
}

/* The group that the row of a suite names, and the path of its file; NULL: it names none. */
static const char *group_of(const CU_TestInfo *row, char path[200]) {
    const char *group = strstr(row->pName, ".txt [");
    if (group) snprintf(path, 200, "%.*s", (int)(group + 4 - row->pName), row->pName);
    return group ? group + 6 : NULL;
}

static void run_case(void) {
    const trib_test_case *c = trib_case_now;
    trib_scratch_empty();
    CHECK(!c->is_wrong); /* it has more lines than its group has fields */
    for (unsigned i = 0; i < c->n_files; i++) {
        const line *name = &c->files[i][0], *bytes = &c->files[i][1];
        trib_write_bytes(trib_scratch_below(name->text), bytes->text, bytes->length);
    }
    c->test();
}

void trib_suite_expand(trib_suite *suite) {
    CU_TestInfo *const rows = suite->tests;
    size_t n = 0;
    char path[200];
    suite->tests = NULL;
    for (const CU_TestInfo *row = rows; row->pName; row++) {
        const char *group = group_of(row, path);
        const size_t before = n;
        for (trib_test_case *c = group ? cases_of(path) : NULL; c; c = c->next) {
            const size_t length = strlen(c->group);
            if (strncmp(c->group, group, length) != 0 || strcmp(group + length, "]") != 0) continue;
            add(suite, &n, (CU_TestInfo){c->name, run_case}, c);
            c->test = row->pTestFunc;
        }
        if (!group) add(suite, &n, *row, NULL);
        else if (n == before)
            add(suite, &n, (CU_TestInfo){row->pName, cases_of(path) ? no_test : no_file}, NULL);
    }
    for (const CU_TestInfo *row = rows; row->pName; row++)
        for (trib_test_case *c = group_of(row, path) ? cases_of(path) : NULL; c; c = c->next) {
            if (!c->test) add(suite, &n, (CU_TestInfo){c->name, no_test}, NULL);
            c->test = c->test ? c->test : no_test;
        }
}

/* ---- The running case ------------------------------------------------------------------------ */

const char *trib_case_bytes(const char *field, size_t *n) {
    const trib_test_case *c = trib_case_now;
    const size_t length = strlen(field);
    unsigned f = 0;
    for (const char *at = c->fields; at; f++) {
        if (strncmp(at, field, length) == 0 && strchr(" ", at[length])) {
            *n = f < c->n_lines ? c->lines[f].length : 0;
            return f < c->n_lines ? c->lines[f].text : "";
        }
        at = strchr(at, ' ');
        at += at != NULL;
    }
    CU_FAIL_FATAL("a test asks for a field that its group has");
    return "";
}

const char *trib_case_text(const char *field) {
    size_t n;
    return trib_case_bytes(field, &n);
}

double trib_case_number(const char *field) { return strtod(trib_case_text(field), NULL); }
