/* request.c - what a request is taken apart into, and how one key of an experiment is changed. */
#include "tests/pipeline/app/client.h"

TESTS(app, request);

static trib_status read_one(void *context, trib_error *error) {
    trib_arena arena = {0};
    trib_app_address address;
    const trib_status status = trib_app_address_read(&address, &arena, context, error);
    if (status == TRIB_OK) (void)trib_app_clean_name(&arena, address.part[0]);
    const trib_status kept = trib_arena_check(&arena, error);
    trib_arena_release(&arena);
    return kept != TRIB_OK ? kept : status;
}

TEST(an_address_is_parts_and_parameters) {
    trib_arena arena = {0};
    trib_app_address a;
    trib_error error = {0};
    EXPECT_OK(
        trib_app_address_read(&a, &arena, "/run/3f/%E5%8F%A4%20b?x=1+2&y&z=%26", &arena.failure));
    EXPECT(a.n_parts == 3 && a.n_parameters == 3);
    EXPECT_TEXT(a.part[2], "\xE5\x8F\xA4 b");
    EXPECT_TEXT(trib_app_parameter_of(&a, "x"), "1 2");
    EXPECT_TEXT(trib_app_parameter_of(&a, "y"), "");
    EXPECT_TEXT(trib_app_parameter_of(&a, "z"), "&");
    EXPECT(trib_app_parameter_of(&a, "w") == NULL);
    static const char *const wrong[] = {
        "",      "*",     "a",       "http://a/", "//",     "/a//b",
        "/./a",  "/a/..", "/%2e%2e", "/a%2fb",    "/%",     "/%4",
        "/%00a", "/%ff",  "/\xff",   "/a?%zz=1",  "/a?b=%", "/1/2/3/4/5/6/7/8/9/10/11/12/13"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        EXPECT(trib_app_address_read(&a, &arena, wrong[i], &error) == TRIB_USAGE);
    trib_arena_release(&arena);
    char some[] = "/one/two?a=b&c=d";
    EXPECT(trib_fail_every_allocation(read_one, some) > 0);
}

TEST(secrets_are_equal_or_not) {
    EXPECT(trib_app_same("abc", "abc"));
    EXPECT(!trib_app_same("abd", "abc") && !trib_app_same("ab", "abc") &&
           !trib_app_same("", "abc"));
    EXPECT(!trib_app_same("abcd", "abc") && !trib_app_same(NULL, "abc"));
}

TEST(names_of_files_are_cleaned) {
    static const char *const cases[][2] = {
        {"a.txt", "a.txt"},
        {"../../etc/passwd", "passwd"},
        {"a\\b:c*?\"<>|.txt", "a_b_c______.txt"},
        {".hidden", "_hidden"},
        {"-rf", "_rf"},
        {"a\nb\tc\x1b[1m", "a_b_c_[1m"},
        {"\xE2\x80\xAEtxt.exe", "_txt.exe"},
        {"\xE5\x8F\xA4\xE6\x96\x87.txt", "\xE5\x8F\xA4\xE6\x96\x87.txt"},
        {"\xD7\xA9\xD7\x9C.txt", "\xD7\xA9\xD7\x9C.txt"},
        {"a. ", "a"},
        {"...", "_"},
        {"", "text"}};
    trib_arena arena = {0};
    char lengthy[1000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EXPECT_TEXT(trib_app_clean_name(&arena, cases[i][0]), cases[i][1]);
    memset(lengthy, 'a', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    EXPECT(strlen(trib_app_clean_name(&arena, lengthy)) == TRIB_APP_NAME);
    trib_arena_release(&arena);
}

/* ---- One key of an experiment ---------------------------------------------------------------- */

typedef struct edit {
    const char *before, *key, *value, *after; /* after NULL: refused */
} edit;

static trib_status set_one(void *context, trib_error *error) {
    const edit *e = context;
    trib_buffer to = {0};
    const trib_status status = trib_app_yaml_set(&to, e->before, e->key, e->value, error);
    if (status == TRIB_OK) EXPECT_TEXT(to.text, e->after);
    trib_buffer_release(&to);
    return status;
}

TEST(one_key_changes_and_all_else_stays) {
    static const edit edits[] = {
        {"a: 1 # x\ncorpus:\n  target: [b]  # c\n  order: any\n", "target", "all",
         "a: 1 # x\ncorpus:\n  target: all  # c\n  order: any\n"},
        {"corpus:\n    # first\n    order: any\nname: q\n", "target", "all",
         "corpus:\n    target: all\n    # first\n    order: any\nname: q\n"},
        {"corpus:\n  documents:\n    - {id: a,\n       file: b}  # c\n\n    - d\n  # e\n  order: "
         "any\n",
         "documents", NULL, "corpus:\n  # e\n  order: any\n"},
        {"corpus:\n  documents:\n  - a\n  - b\n  glob: x\n", "documents", NULL,
         "corpus:\n  glob: x\n"},
        {"name: q", "manifest", "m.csv", "name: q\n\ncorpus:\n  manifest: m.csv\n"},
        {"corpus:\n", "manifest", "m.csv", "corpus:\n  manifest: m.csv\n"},
        {"corpus: # all\nname: q\n", "manifest", "m.csv",
         "corpus: # all\n  manifest: m.csv\nname: q\n"},
        {"corpus:\n  target: 'a # b' # c\n", "target", "all", "corpus:\n  target: all # c\n"},
        {"name: corpus\nother:\n  target: x\n", "target", NULL,
         "name: corpus\nother:\n  target: x\n"},
        {"corpus: {target: all}\n", "target", "x", NULL}};
    trib_error error = {0};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        edit one = edits[i];
        EXPECT_STATUS(set_one(&one, &error), one.after ? TRIB_OK : TRIB_CONFIG, error);
    }
    edit one = edits[0];
    EXPECT(trib_fail_every_allocation(set_one, &one) > 0);
}
