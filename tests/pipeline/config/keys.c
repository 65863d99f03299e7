/* keys.c - tests of the table of keys: every row is set in a file and by --set. */
#include "tests/pipeline/config/loading.h"

#include "tests/pipeline/program/program.h"

TESTS(config, keys);

/* A value for every key, and its printed form when that differs. */
static const struct {
    const char *path, *value, *printed;
} values[] = {
    {"preset", "lowe-2018", NULL},
    {"name", "a name", NULL},
    {"report.doubtful", "true", NULL},
    {"corpus.manifest", "m.tsv", NULL},
    {"corpus.glob", "\"*.text\"", NULL},
    {"corpus.library", "letters", NULL},
    {"corpus.root", ".", NULL},
    {"corpus.target", "[b]", NULL},
    {"corpus.order", "by-date", NULL},
    {"corpus.encoding", "windows-1252", NULL},
    {"corpus.strip", "[gutenberg]", NULL},
    {"corpus.max_strip", "0.75", NULL},
    {"corpus.near_duplicate", "0.5", NULL},
    {"corpus.on_invalid", "replace", NULL},
    {"corpus.notes", "separate", NULL},
    {"corpus.join_hyphens", "true", NULL},
    {"corpus.reading", "regularised", NULL},
    {"corpus.witness", "B", NULL},
    {"corpus.speakers", "drop", NULL},
    {"corpus.stage_directions", "drop", NULL},
    {"corpus.min_confidence", "0.5", NULL},
    {"corpus.markup", "/markup.yaml", NULL},
    {"corpus.reference", "bible-verse", NULL},
    {"corpus.links", "follow", NULL},
    {"corpus.on_error", "skip", NULL},
    {"tokens.locale", "de", NULL},
    {"tokens.normalize", "nfkc", NULL},
    {"tokens.case", "none", NULL},
    {"tokens.equivalence", "none", NULL},
    {"tokens.apostrophes", "split", NULL},
    {"tokens.hyphens", "join", NULL},
    {"tokens.numbers", "class", NULL},
    {"tokens.break_at", "[paragraph, sentence]", NULL},
    {"tokens.transform", "latin", NULL},
    {"tokens.variants", "/variants.tsv", NULL},
    {"tokens.stem", "german", NULL},
    {"tokens.stop", "\"100\"", NULL},
    {"vocabulary.size", "600", NULL},
    {"vocabulary.min_count", "2", NULL},
    {"vocabulary.min_documents", "3", NULL},
    {"vocabulary.oov", "break", NULL},
    {"vocabulary.file", "/words.txt", NULL},
    {"tensor.n", "5", NULL},
    {"tensor.skip", "2", NULL},
    {"tensor.format", "coo", NULL},
    {"tensor.hash", "morton", NULL},
    {"tensor.load", "1.25", NULL},
    {"tensor.buckets", "4096", NULL},
    {"tensor.block", "64", NULL},
    {"tensor.superblock", "1024", NULL},
    {"tensor.fragment", "csf", NULL},
    {"tensor.reads", "points", NULL},
    {"cp.solver", "apr", NULL},
    {"cp.start", "random", NULL},
    {"cp.rank", "7", NULL},
    {"cp.max_rank", "70", NULL},
    {"cp.sweeps", "4", NULL},
    {"cp.iterations", "12", NULL},
    {"cp.tolerance", "1.0e-6", "1e-06"},
    {"cp.restarts", "3", NULL},
    {"cp.seed", "18446744073709551615", NULL},
    {"cp.kkt", "0.001", NULL},
    {"cp.l1", "0.5", NULL},
    {"cp.l2", "[2, 0.5, 0]", NULL},
    {"cp.fixed", "[1, 3]", "[\"1\", \"3\"]"},
    {"cp.extrapolation", "nesterov", NULL},
    {"cp.precision", "single", NULL},
    {"cp.lift", "0", NULL},
    {"influence.methods", "[traced, anchored, lowe]", NULL},
    {"influence.headline", "split", NULL},
    {"influence.threshold", "0.4", NULL},
    {"influence.background", "0", NULL},
    {"influence.background_of", "corpus", NULL},
    {"influence.floor", "0", NULL},
    {"influence.bootstrap", "0", NULL},
    {"influence.shortlist", "12", NULL},
    {"influence.candidates", "9", NULL},
    {"influence.formula", "7", NULL},
    {"influence.run", "12", NULL},
    {"influence.null", "true", NULL},
    {"parallels.unit", "lines", NULL},
    {"parallels.feature", "words", NULL},
    {"parallels.lemmas", "/lemmas.tsv", NULL},
    {"parallels.language", "german", NULL},
    {"parallels.letters", "4", NULL},
    {"parallels.spelling", "latin", NULL},
    {"parallels.distance", "0", NULL},
    {"parallels.window", "20", NULL},
    {"parallels.top", "7", NULL},
    {"translations.search", "all", NULL},
    {"translations.dictionary", "/words.tsv", NULL},
    {"translations.table", "/table.tsv", NULL},
    {"translations.power", "true", NULL},
    {"corpus.title", "Letters", NULL},
    {"corpus.editors", "\"Brook, Ada; The Archive\"", NULL},
    {"corpus.license", "CC-BY-4.0", NULL},
    {"corpus.address", "\"https://example.org/site/\"", NULL},
    {"report.formats", "[html]", NULL},
    {"report.top_phrases", "5", NULL},
    {"report.commonplace", "0.25", NULL},
    {"report.commonplaces", "/common.txt", NULL},
    {"report.context_words", "0", NULL},
    {"report.target_pages", "1", NULL},
    {"report.text", "none", NULL},
    {"report.spreadsheet_safe", "false", NULL},
    {"resources.threads", "2", NULL},
    {"resources.memory", "2048 MiB", "\"2 GiB\""},
    {"resources.time", "90s", "\"90 s\""},
    {"resources.unpacked", "2048 MiB", "\"2 GiB\""},
    {"resources.members", "7", NULL},
    {"resources.parts", "7", NULL},
    {"resources.sandbox", "false", NULL},
    {"resources.kernels", "portable", NULL},
    {"output", "here", NULL},
};

/* Writes a valid configuration with one key set in its section. */
static void make_text(char *text, size_t size, const char *path, const char *value) {
    const char *dot = strchr(path, '.'), *name = dot ? dot + 1 : path;
    const trib_key *key = trib_key_find(path);
    const bool in_corpus = strncmp(path, "corpus.", 7) == 0;
    int length = snprintf(text, size, "tributary: 1\ncorpus:\n");
    if (key->effect != TRIB_KEY_LISTING || strcmp(path, "corpus.library") == 0)
        length +=
            snprintf(text + length, size - (size_t)length,
                     "  documents: [{file: a.text, date: '1900'}, {file: b.text, date: '1901'}]\n");
    if (strcmp(path, "cp.precision") == 0) /* cp.precision: single is valid only with this format */
        length +=
            snprintf(text + length, size - (size_t)length, "  target: a\ntensor: {format: rows}\n");
    else if (strcmp(path, "corpus.target") != 0)
        length += snprintf(text + length, size - (size_t)length, "  target: a\n");
    if (in_corpus) snprintf(text + length, size - (size_t)length, "  %s: %s\n", name, value);
    else if (dot)
        snprintf(text + length, size - (size_t)length, "%.*s: {%s: %s}\n", (int)(dot - path), path,
                 name, value);
    else snprintf(text + length, size - (size_t)length, "%s: %s\n", path, value);
}

static void expect_value(const loaded *result, const char *path, const char *wanted) {
    GIVEN(trib_buffer) text = {0};
    if (result->status != TRIB_OK) EXPECT_TEXT(result->said, path);
    CHECK(result->status == TRIB_OK);
    CHECK(trib_key_print(trib_key_find(path), &result->config, false, &text, NULL) == TRIB_OK);
    EXPECT_TEXT(text.text, wanted);
}

TEST(every_key_is_set_by_file_and_by_setting) {
    write_scratch("m.tsv", "file\na.txt\n", 11);
    write_scratch("a.text", "x", 1);
    write_scratch("c.text", "y", 1);
    char add[512];
    snprintf(add, sizeof add, "index add %s", trib_scratch("letters"));
    snprintf(add + strlen(add), sizeof add - strlen(add), " %s", trib_scratch("c.text"));
    CHECK(trib_program_do(add, NULL) == TRIB_OK);
    const size_t n = sizeof values / sizeof *values;
    for (const trib_key *key = trib_keys; key->path; key++) {
        size_t i = 0;
        while (i < n && strcmp(values[i].path, key->path) != 0) i++;
        CHECK(i < n);
        char text[512];
        LOADED(result);
        const char *printed = values[i].printed ? values[i].printed : values[i].value;
        EXPECT(strcmp(printed, key->standard) != 0);
        make_text(text, sizeof text, key->path, values[i].value);
        load_text(&result, "k.yaml", text, NULL, 0);
        expect_value(&result, key->path, printed);
        release_loaded(&result);
        if (key->type == &trib_key_path || strcmp(key->path, "output") == 0) continue;
        make_text(text, sizeof text, key->path, key->standard);
        const trib_setting setting = {key->path, values[i].value, NULL};
        load_text(&result, "k.yaml", text, &setting, 1);
        expect_value(&result, key->path, printed);
    }
}

TEST(paths_in_settings_are_relative_to_the_current_directory) {
    static const char *const keys[] = {"corpus.root", "vocabulary.file", "output"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        LOADED(result);
        GIVEN(trib_buffer) value = {0};
        load_text(&result, "k.yaml", GOOD, &(trib_setting){keys[i], "x", NULL}, 1);
        CHECK(result.status == TRIB_OK);
        CHECK(trib_key_print(trib_key_find(keys[i]), &result.config, false, &value, NULL) ==
              TRIB_OK);
        EXPECT(strstr(value.text, "/x") != NULL && strchr("/\"", value.text[0]));
    }
}

TEST(defaults_are_printed_as_in_the_table) {
    LOADED(result);
    load_text(&result, "k.yaml", GOOD, NULL, 0);
    CHECK(result.status == TRIB_OK);
    for (const trib_key *key = trib_keys; key->path; key++)
        if (strcmp(key->path, "name") != 0 && strcmp(key->path, "corpus.target") != 0)
            expect_value(&result, key->path, key->standard);
}

TEST(json_output_quotes_every_text) {
    static const char *const cases[][2] = {
        {"influence.methods",
         "[\"extent\", \"verbatim\", \"traced\", \"lowe\", \"lowe-soft\", \"anchored\", "
         "\"split\", \"containment\"]"},
        {"cp.solver", "\"hals\""},
        {"cp.rank", "\"budget\""},
        {"vocabulary.size", "\"all\""},
        {"vocabulary.file", "null"},
        {"corpus.order", "\"any\""}};
    LOADED(result);
    load_text(&result, "k.yaml", GOOD, NULL, 0);
    CHECK(result.status == TRIB_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GIVEN(trib_buffer) text = {0};
        CHECK(trib_key_print(trib_key_find(cases[i][0]), &result.config, true, &text, NULL) ==
              TRIB_OK);
        EXPECT_TEXT(text.text, cases[i][1]);
    }
}

TEST(long_lists_are_rejected) {
    GIVEN(trib_buffer) text = {0};
    trib_buffer_print(&text, NULL, GOOD "tokens: {break_at: [x");
    for (int i = 0; i < 4096; i++) trib_buffer_print(&text, NULL, ", x%d", i);
    trib_buffer_print(&text, NULL, "]}\n");
    LOADED(result);
    load_text(&result, "k.yaml", text.text, NULL, 0);
    EXPECT(result.n_errors == 1 &&
           strstr(result.said, "error: 'tokens.break_at' has more than 4096 items"));
}

TEST(every_row_is_complete) {
    for (const trib_key *key = trib_keys; key->path; key++) {
        EXPECT(key->type && key->standard && key->help && *key->help);
        EXPECT(trib_key_find(key->path) == key); /* paths of keys are unique */
        EXPECT(strlen(key->path) < 64 && !strchr(key->help, '|'));
        const char *dot = strchr(key->path, '.');
        char section[64] = "";
        if (dot) snprintf(section, sizeof section, "%.*s", (int)(dot - key->path), key->path);
        EXPECT(!dot || trib_is_section(section));
        EXPECT(trib_key_is_in(key, section));
    }
    for (const trib_preset *preset = trib_presets; preset->name; preset++)
        for (size_t i = 0; preset->setting[i].key; i++)
            EXPECT(trib_key_find(preset->setting[i].key) != NULL);
}
