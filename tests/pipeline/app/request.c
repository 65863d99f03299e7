/* request.c - what a request is taken apart into. */
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
