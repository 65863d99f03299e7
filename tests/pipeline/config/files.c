/* files.c - tests of pipeline/config/files.c. */
#include "tests/pipeline/config/loading.h"

static void a_run_needs_the_files_that_keys_name(void) {
    static const struct {
        const char *line, *at;
    } row[] = {
        {"tokens: {stop: gone.txt}", "5:16: error: 'tokens.stop'"},
        {"tokens:\n  stop:\n    de: there.txt\n    fr: gone.txt", "8:9: error: 'tokens.stop'"},
        {"tokens: {variants: gone.txt}", "5:20: error: 'tokens.variants'"},
        {"tokens: {transform: gone.txt}", "5:21: error: 'tokens.transform'"},
        {"vocabulary: {file: gone.txt}", "5:20: error: 'vocabulary.file'"},
        {"parallels: {lemmas: gone.txt}", "5:21: error: 'parallels.lemmas'"},
        {"report: {commonplaces: gone.txt}", "5:24: error: 'report.commonplaces'"},
    };
    write_scratch("there.txt", "word\n", 5);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[256], wanted[256], *lines;
        loaded result;
        snprintf(text, sizeof text, GOOD "%s\n", row[i].line);
        load_for_run(&result, "e.yaml", text, NULL, 0);
        EXPECT(result.n_errors == 1);
        lines = strchr(result.said, '\n');
        CHECK(lines != NULL);
        *lines = '\0';
        snprintf(wanted, sizeof wanted,
                 "e.yaml:%s names a file that cannot be read: gone.txt: No such file or directory; "
                 "write the file or correct its path",
                 row[i].at);
        EXPECT_TEXT(result.said, wanted);
        release_loaded(&result);
        load_text(&result, "e.yaml", text, NULL, 0); /* not for a run */
        EXPECT_TEXT(result.said, "");
        release_loaded(&result);
    }
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
    {"a run needs the files that keys name", a_run_needs_the_files_that_keys_name},
    {"a run takes files that are there", a_run_takes_files_that_are_there},
    CU_TEST_INFO_NULL,
};
