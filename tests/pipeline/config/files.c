/* files.c - tests of the files that keys name. */
#include "tests/pipeline/config/loading.h"

static void a_run_needs_the_file(void) {
    char text[256], wanted[256];
    loaded result;
    snprintf(text, sizeof text, GOOD "%s\n", trib_case_text("line"));
    load_for_run(&result, "e.yaml", text, NULL, 0);
    snprintf(wanted, sizeof wanted,
             "%s names a file that cannot be read: gone.txt: No such file or directory; write the "
             "file or correct its path",
             trib_case_text("at"));
    expect_one_error(&result, wanted);
    release_loaded(&result);
    load_text(&result, "e.yaml", text, NULL, 0); /* not for a run */
    EXPECT_TEXT(result.said, "");
    release_loaded(&result);
}

static void a_run_takes_files_that_are_there(void) {
    char path[4096];
    loaded result;
    write_scratch("there.txt", "word\n", 5);
    load_for_run(&result, "e.yaml",
                 GOOD "tokens: {stop: {de: there.txt, fr: 9}, variants: there.txt, transform: "
                      "latin}\nvocabulary: {file: there.txt}\n",
                 NULL, 0);
    EXPECT_TEXT(result.said, "");
    release_loaded(&result);
    snprintf(path, sizeof path, "%s", trib_scratch("gone.txt"));
    load_for_run(&result, "e.yaml", GOOD,
                 &(trib_setting){"tokens.stop", path, "--set tokens.stop=gone.txt"}, 1);
    EXPECT_TEXT(result.said,
                "--set tokens.stop=gone.txt: error: 'tokens.stop' names a file that cannot be "
                "read: gone.txt: No such file or directory; write the file or correct its path\n");
    release_loaded(&result);
}

CU_TestInfo trib_tests_config_files[] = {
    {"tests/pipeline/config/files.txt [named]", a_run_needs_the_file},
    {"a run takes files that are there", a_run_takes_files_that_are_there},
    CU_TEST_INFO_NULL,
};
