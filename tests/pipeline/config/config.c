/* config.c - tests of pipeline/config/config.c and check.c: precedence, the exact wording of
 * errors, writing a configuration and loading it again, files that keys name, malformed files. */
#include "tests/pipeline/config/loading.h"

#include <sys/stat.h>
#include <unistd.h>

TESTS(config, config);

/* A line of YAML, which replaces a line of GOOD or follows them, causes an error. */
CASES("tests/pipeline/config/config.txt [wording]", a_line_is_an_error) {
    LOADED(result);
    char text[512];
    snprintf(text, sizeof text, "%s%s\n", GOOD, trib_case_text("line"));
    load_text(&result, "e.yaml", text, NULL, 0);
    expect_one_error(&result, trib_case_text("says"));
}

CASES("tests/pipeline/config/config.txt [setting]", a_setting_is_checked) {
    LOADED(result);
    char from[256];
    const trib_setting setting = {trib_case_text("key"), trib_case_text("value"), from};
    snprintf(from, sizeof from, "--set %s=%s", setting.key, setting.value);
    load_text(&result, "e.yaml", GOOD, &setting, 1);
    EXPECT_TEXT(result.said, trib_case_text("says"));
}

TEST(all_errors_are_reported_at_once) {
    LOADED(result);
    load_text(&result, "e.yaml",
              "tributary: 2\ncp: {rank: 0, seed: many}\nnonsense: 1\ncorpus: {documents: [{id: a, "
              "file: a}, "
              "{id: a}], target: [b]}\noutput: '{x}'\n",
              NULL, 0);
    EXPECT(result.n_errors == 8);
    EXPECT(result.config.path == NULL && result.config.corpus.document == NULL);
    EXPECT(strstr(result.error.message, "e.yaml: 8 errors") != NULL);
}

TEST(files_that_are_not_experiments_are_rejected) {
    expect_diagnostics("tributary: 2\ncorpus: {documents: [a.txt], target: a}\n",
                       "e.yaml:1:12: error: 'tributary' must be 1, the version of the format that "
                       "tributary " TRIB_VERSION " reads, not '2'\n"
                       "    1 | tributary: 2\n      |            ^\n");
    LOADED(result);
    load_file(&result, trib_scratch("none.yaml"), NULL, 0);
    EXPECT_TEXT(result.said, "none.yaml: error: cannot be opened: No such file or directory\n");
    release_loaded(&result);
    load_file(&result, trib_scratch(""), NULL, 0);
    EXPECT(result.status == TRIB_CONFIG && strstr(result.said, "is a directory"));
}

TEST(later_wins) {
    LOADED(result);
    const trib_setting setting[] = {{"cp.rank", "7", NULL}, {"cp.rank", "8", NULL}};
    load_text(&result, "e.yaml", GOOD, NULL, 0);
    EXPECT(result.config.cp.rank == TRIB_RANK_BUDGET && result.config.cp.sweeps == 2);
    release_loaded(&result);
    load_text(&result, "e.yaml", GOOD "preset: lowe-2018\n", NULL, 0);
    EXPECT(result.config.cp.rank == 150 && result.config.cp.sweeps == 5 &&
           result.config.vocabulary.size == 600 && result.config.vocabulary.wildcard);
    EXPECT_TEXT(result.config.influence.headline->name, "lowe");
    release_loaded(&result);
    load_text(&result, "e.yaml", GOOD "cp: {rank: 9}\npreset: lowe-2018\n", NULL, 0);
    EXPECT(result.config.cp.rank == 9 && result.config.cp.sweeps == 5);
    release_loaded(&result);
    load_text(&result, "e.yaml", GOOD "cp: {rank: 9}\npreset: lowe-2018\n", setting, 2);
    EXPECT(result.config.cp.rank == 8 && result.config.cp.sweeps == 5);
    release_loaded(&result);
    load_text(&result, "e.yaml", GOOD "preset: lowe-2018\n",
              &(trib_setting){"preset", "charles-2023", NULL}, 1);
    EXPECT(result.config.cp.rank == 50 && result.config.cp.sweeps == 2 &&
           result.config.tensor.load == 0.6 && result.config.tensor.buckets == 512);
    EXPECT_TEXT(result.config.tensor.hash->name, "digits");
    EXPECT(result.config.tokens.apostrophes == TRIB_APOSTROPHES_JOIN &&
           result.config.tokens.hyphens == TRIB_HYPHENS_JOIN);
}

static trib_status load_and_write(void *context, trib_error *error) {
    const trib_setting setting[] = {{"cp.rank", "9", "--set"}, {"corpus.target", "[a]", "--set"}};
    GIVEN(trib_config) config = {0};
    GIVEN(trib_buffer) text = {0};
    trib_status status = trib_config_load(&config, context, setting, 2, NULL, NULL, error);
    if (status == TRIB_OK) status = trib_config_print(&config, TRIB_CONFIG_MARKED, &text, error);
    return status;
}

TEST(settings_alone_are_a_configuration) {
    LOADED(result);
    const trib_setting setting[] = {{"tensor.n", "2", "--set tensor.n=2"},
                                    {"preset", "charles-2023", "--set preset=charles-2023"}};
    const trib_setting wrong[] = {{"tensor.n", "9", "--set tensor.n=9"},
                                  {"cp.rank", "all", "--set cp.rank=all"}};
    load_file(&result, NULL, setting, 2);
    EXPECT_TEXT(result.said, "");
    EXPECT(result.config.tensor.n == 2 && result.config.tensor.load == 0.6);
    EXPECT(result.config.corpus.n_documents == 0);
    EXPECT_TEXT(result.config.directory, ".");
    release_loaded(&result);
    load_file(&result, NULL, wrong, 2);
    EXPECT_TEXT(result.said, "--set tensor.n=9: error: 'tensor.n' must be from 1 to "
                             "8, not '9'\n--set cp.rank=all: error: rank 'all' needs solver fibre, "
                             "not hals\n");
    EXPECT_TEXT(result.error.message, "settings: 2 errors");
    release_loaded(&result);
    EXPECT(trib_fail_every_allocation(load_and_write, NULL) > 50);
}

TEST(words_of_yaml_1_1_are_words) {
    LOADED(result);
    load_text(&result, "e.yaml", GOOD "tokens: {locale: no}\n", NULL, 0);
    EXPECT_TEXT(result.said, "");
    CHECK(result.status == TRIB_OK);
    EXPECT_TEXT(result.config.tokens.locale, "no");
}

TEST(aliases_stand_for_their_values) {
    LOADED(result);
    load_text(&result, "e.yaml",
              "tributary: 1\ncorpus: {documents: [&x a.txt, b.txt], target: &t [a]}\n"
              "cp: {rank: &n 7, sweeps: *n}\n",
              NULL, 0);
    CHECK(result.status == TRIB_OK);
    EXPECT(result.config.cp.rank == 7 && result.config.cp.sweeps == 7);
}

TEST(names_and_paths_come_from_the_files) {
    LOADED(result);
    char here[4096];
    CHECK(getcwd(here, sizeof here) != NULL);
    mkdir(trib_scratch("sub"), 0700);
    load_text(&result, "sub/my.study.yaml", GOOD "vocabulary: {file: w.txt}\n",
              &(trib_setting){"corpus.root", "texts", NULL}, 1);
    CHECK(result.status == TRIB_OK);
    EXPECT_TEXT(result.config.name, "my.study");
    EXPECT_TEXT(result.config.directory, trib_scratch("sub"));
    EXPECT_TEXT(result.config.vocabulary.file, "w.txt");
    EXPECT_TEXT(result.config.vocabulary.path, trib_scratch("sub/w.txt"));
    char root[4200], path[4300];
    snprintf(root, sizeof root, "%s/texts", here);
    snprintf(path, sizeof path, "%s/a.txt", root);
    EXPECT_TEXT(result.config.corpus.root, root);
    EXPECT_TEXT(result.config.corpus.document[0].path, path);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_config(const trib_config *config, const char *path, unsigned how,
                         char sha256[TRIB_SHA256_TEXT]) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, path, NULL) == TRIB_OK);
    trib_config_write(config, &writer, how);
    CHECK(trib_writer_commit(&writer, sha256, NULL) == TRIB_OK);
}

static void expect_equal(const trib_config *a, const trib_config *b) {
    GIVEN(trib_buffer) p = {0}, q = {0};
    CHECK(trib_config_print(a, 0, &p, NULL) == TRIB_OK);
    CHECK(trib_config_print(b, 0, &q, NULL) == TRIB_OK);
    EXPECT_TEXT(p.text, q.text);
    EXPECT_TEXT(a->hash, b->hash);
    CHECK(a->corpus.n_documents == b->corpus.n_documents);
    for (uint32_t d = 0; d < a->corpus.n_documents; d++)
        EXPECT_TEXT(a->corpus.document[d].path, b->corpus.document[d].path);
}

static const char full[] =
    "tributary: 1\npreset: charles-2023\nname: \"a: b\"\n"
    "corpus:\n  root: some where\n  order: by-date\n  target: all\n  documents:\n"
    "    - {id: x.1, file: 'x \"1\".txt', title: \"\xC3\x89t\xC3\xA9, tome 1\", author: 'A, B', "
    "date: -0043-03-15}\n"
    "    - {file: y.txt, date: 1623-11, role: decoy}\n"
    "cp: {rank: all, solver: fibre}\ninfluence: {background: 7, methods: [split, traced]}\n"
    "resources: {memory: 1.5 GiB, time: 90 min}\nreport: {formats: [csv]}\n"
    "tokens: {break_at: paragraph}\noutput: out/{name}\n";

TEST(a_written_configuration_loads_to_the_same) {
    char original[4096], copy[4096], sha256[TRIB_SHA256_TEXT];
    snprintf(original, sizeof original, "%s", trib_scratch("full.yaml"));
    snprintf(copy, sizeof copy, "%s", trib_scratch("copy.yaml"));
    for (unsigned how = 0; how < 4; how++) {
        LOADED(first);
        LOADED(second);
        load_text(&first, "full.yaml", full, NULL, 0);
        EXPECT_TEXT(first.said, "");
        CHECK(first.status == TRIB_OK);
        EXPECT(first.config.resources.memory == UINT64_C(3) << 29);
        EXPECT(first.config.resources.time == 5400);
        write_config(&first.config, copy, how, sha256);
        if (how == TRIB_CONFIG_RESULT) EXPECT_TEXT(sha256, first.config.hash);
        load_file(&second, copy, NULL, 0);
        EXPECT_TEXT(second.said, "");
        CHECK(second.status == TRIB_OK);
        EXPECT_TEXT(second.config.hash, first.config.hash);
        if (!(how & TRIB_CONFIG_RESULT)) expect_equal(&first.config, &second.config);
    }
}

/* In a copy of the folder, so that a test that is ended leaves nothing behind. */
TEST(every_experiment_in_configs_loads_and_reads_back) {
    static const char *const names[] = {"toy",         "gospels",    "parallels", "licences",
                                        "shakespeare", "conference", NULL};
    char path[4096];
    snprintf(path, sizeof path, "cp -R configs '%s' && ln -s \"$PWD/corpora\" '%s'",
             trib_scratch("configs"), trib_scratch("corpora"));
    CHECK(system(path) == 0);
    for (size_t i = 0; names[i]; i++) {
        LOADED(first);
        LOADED(second);
        snprintf(path, sizeof path, "%s/%s.yaml", trib_scratch("configs"), names[i]);
        load_file(&first, path, NULL, 0);
        EXPECT_TEXT(first.said, "");
        CHECK(first.status == TRIB_OK);
        EXPECT_TEXT(first.config.name, names[i]);
        snprintf(path, sizeof path, "%s/%s.copy.yaml", trib_scratch("configs"), names[i]);
        write_config(&first.config, path, TRIB_CONFIG_MARKED, NULL);
        load_file(&second, path, NULL, 0);
        CHECK(second.status == TRIB_OK);
        expect_equal(&first.config, &second.config);
    }
}

TEST(the_hash_covers_keys_that_can_change_a_result) {
    LOADED(plain);
    LOADED(other);
    static const trib_setting same[] = {{"resources.threads", "7", NULL},
                                        {"resources.memory", "1 GiB", NULL},
                                        {"resources.time", "1 h", NULL},
                                        {"output", "elsewhere", NULL},
                                        {"corpus.root", "elsewhere", NULL}};
    load_text(&plain, "e.yaml", GOOD, NULL, 0);
    load_text(&other, "e.yaml", GOOD, same, sizeof same / sizeof *same);
    CHECK(other.status == TRIB_OK);
    EXPECT_TEXT(other.config.hash, plain.config.hash);
    release_loaded(&other);
    load_text(&other, "e.yaml", GOOD, &(trib_setting){"cp.seed", "2", NULL}, 1);
    EXPECT(strcmp(other.config.hash, plain.config.hash) != 0);
    release_loaded(&other);
    load_text(&other, "e.yaml",
              "tributary: 1\nname: e\ncorpus: {target: [a], documents: [b.txt, a.txt]}\n", NULL, 0);
    EXPECT_TEXT(other.config.hash, plain.config.hash);
}

static size_t n_visited, n_changed;
static void visit(void *context, const char *key, const char *value, bool is_default,
                  bool changes_result) {
    (void)context;
    EXPECT(trib_key_find(key) != NULL && *value);
    EXPECT(changes_result == (trib_key_find(key)->effect == TRIB_KEY_RESULT));
    n_visited++;
    if (!is_default) n_changed++;
}

TEST(each_visits_every_key_and_knows_the_defaults) {
    LOADED(result);
    size_t n_keys = 0;
    while (trib_keys[n_keys].path) n_keys++;
    n_visited = n_changed = 0;
    load_text(&result, "e.yaml", GOOD "cp: {rank: 9}\n", NULL, 0);
    CHECK(trib_config_each(&result.config, visit, NULL, NULL) == TRIB_OK);
    EXPECT(n_visited == n_keys && n_changed == 3); /* name, target, rank */
}

/* ---- Files that keys name ------------------------------------------------------------------- */

CASES("tests/pipeline/config/files.txt [named]", a_run_needs_the_file) {
    char text[256], wanted[256];
    LOADED(result);
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
}

TEST(a_run_takes_files_that_are_there) {
    char path[4096];
    LOADED(result);
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
}

/* ---- Against accidents ----------------------------------------------------------------------- */

TEST(garbled_files_never_crash) {
    trib_random random;
    trib_random_seed(&random, 14);
    const size_t length = sizeof full - 1;
    static const char interesting[] = "{}[]:,-#&*!|>'\"%@`\n \t\\0~\xC3\xFF";
    for (int turn = 0; turn < 1500; turn++) {
        char text[sizeof full + 64];
        size_t n = length;
        memcpy(text, full, length);
        for (uint64_t k = 1 + trib_random_below(&random, 4); k > 0; k--) {
            const size_t at = trib_random_below(&random, n);
            const uint64_t what = trib_random_below(&random, 4);
            const char byte = interesting[trib_random_below(&random, sizeof interesting - 1)];
            const size_t run = 1 + trib_random_below(&random, 12);
            if (what == 0 && n > at + run) {
                memmove(text + at, text + at + run, n - at - run);
                n -= run;
            } else if (what == 1 && n + run < sizeof text && at + run <= n) {
                memmove(text + at + run, text + at, n - at);
                n += run;
            } else {
                text[at] = what == 2 ? byte : (char)trib_random_below(&random, 256);
            }
        }
        char path[4096];
        LOADED(result);
        write_scratch("garbled.yaml", text, n);
        snprintf(path, sizeof path, "%s", trib_scratch("garbled.yaml"));
        load_file(&result, path, NULL, 0);
        EXPECT(result.status == TRIB_OK || result.status == TRIB_CONFIG);
    }
}

TEST(every_failing_allocation_is_reported) {
    static const char *const corpora[] = {"documents: [a.txt, {id: b, file: b.txt, date: '1900'}]",
                                          "manifest: m.yaml", "manifest: m.csv", "glob: '*.txt'"};
    mkdir(trib_scratch("f"), 0700);
    write_scratch("f/a.txt", "x", 1);
    write_scratch("f/b.txt", "x", 1);
    write_scratch("f/m.yaml", "documents: [a.txt, b.txt]\n", 26);
    write_scratch("f/m.csv", "file,title\na.txt,\"A, a\"\nb.txt,\n", 31);
    for (size_t i = 0; i < sizeof corpora / sizeof *corpora; i++) {
        char text[512], path[4096];
        snprintf(text, sizeof text,
                 "tributary: 1\nvocabulary: {file: w.txt}\ncorpus:\n  target: a\n  %s\n",
                 corpora[i]);
        write_scratch("f/e.yaml", text, strlen(text));
        snprintf(path, sizeof path, "%s", trib_scratch("f/e.yaml"));
        EXPECT(trib_fail_every_allocation(load_and_write, path) > 100);
    }
}

CASES("tests/pipeline/config/config.txt [diagnostics]", a_configuration_is_diagnosed) {
    expect_diagnostics(trib_case_text("yaml"), trib_case_text("says"));
}
