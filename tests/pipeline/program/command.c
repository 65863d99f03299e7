/* command.c - tests of reading a command line, and of estimate.c and summary.c, whose results
 * commands print. */
#include "pipeline/program/command.h"
#include "tests/test.h"

#include "pipeline/config/config.h"
#include "pipeline/output/summary.h"
#include "pipeline/run/run.h"

TESTS(program, command);

enum { MAX_WORDS = 32 };

/* Reads "tributary" and the words of `text`, which are separated by spaces. */
static trib_status read_line(trib_command_line *line, const char *text, trib_error *error) {
    static char copy[512];
    static char *word[MAX_WORDS + 1];
    int n = 0;
    snprintf(copy, sizeof copy, "tributary %s", text);
    for (char *at = strtok(copy, " "); at && n < MAX_WORDS; at = strtok(NULL, " ")) word[n++] = at;
    return trib_command_line_read(line, &trib_commands, n, word, error);
}

TEST(flags_fill_their_fields) {
    GIVEN(trib_command_line) line = {0};
    trib_error error = {0};
    EXPECT_STATUS(
        read_line(&line,
                  "-qC dir --set cp.rank=3 run -j4 a.yaml --set=x=y=z --output=out --resume "
                  "--progress json --color never --seed 7",
                  &error),
        TRIB_OK, error);
    EXPECT_TEXT(line.command->name, "run");
    EXPECT_TEXT(line.directory, "dir");
    EXPECT(line.quiet && line.resume && !line.dry_run && !line.json && line.n_threads == 4);
    EXPECT(line.progress - 1 == TRIB_SHOW_JSON && line.color - 1 == TRIB_COLOR_NEVER);
    EXPECT(line.n_operands == 1 && line.n_settings == 3);
    EXPECT_TEXT(line.operand[0], "a.yaml");
    EXPECT_TEXT(line.output, "out");
    EXPECT_TEXT(line.setting[0].key, "cp.rank");
    EXPECT_TEXT(line.setting[0].value, "3");
    EXPECT_TEXT(line.setting[0].from, "--set cp.rank=3");
    EXPECT_TEXT(line.setting[1].value, "y=z");
    EXPECT_TEXT(line.setting[2].key, "cp.seed"); /* --seed overrides every --set */
    EXPECT_TEXT(line.setting[2].value, "7");
}

TEST(two_dashes_end_the_flags) {
    GIVEN(trib_command_line) line = {0};
    EXPECT(read_line(&line, "explain -- --odd-name", NULL) == TRIB_OK);
    EXPECT_TEXT(line.operand[0], "--odd-name");
    trib_command_line_release(&line);
    EXPECT(read_line(&line, "check -", NULL) == TRIB_OK);
    EXPECT_TEXT(line.operand[0], "-");
}

TEST(negative_numbers_are_not_flags) {
    GIVEN(trib_command_line) line = {0};
    EXPECT(read_line(&line, "tensor mask x.tns -q gt -3", NULL) == TRIB_OK);
    EXPECT(line.quiet && line.n_operands == 3);
    EXPECT_TEXT(line.operand[2], "-3");
    trib_command_line_release(&line);
    EXPECT(read_line(&line, "tensor find x.tns le -.5", NULL) == TRIB_OK);
    EXPECT_TEXT(line.operand[2], "-.5");
    trib_command_line_release(&line);
    EXPECT(read_line(&line, "tensor find x.tns -x3", NULL) == TRIB_USAGE);
}

TEST(a_command_may_have_two_words) {
    GIVEN(trib_command_line) line = {0};
    trib_error error = {0};
    EXPECT(read_line(&line, "-q tensor norm x.tns", NULL) == TRIB_OK);
    EXPECT_TEXT(line.command->name, "tensor norm");
    EXPECT(line.n_operands == 1);
    trib_command_line_release(&line);
    EXPECT(read_line(&line, "tensor --json norm norm", NULL) == TRIB_OK);
    EXPECT_TEXT(line.command->name, "tensor norm");
    EXPECT_TEXT(line.operand[0], "norm");
    EXPECT(line.json);
    trib_command_line_release(&line);
    EXPECT(read_line(&line, "tensor --help", NULL) == TRIB_OK);
    EXPECT(!line.command);
    EXPECT_TEXT(line.group, "tensor");
    trib_command_line_release(&line);
    EXPECT_STATUS(read_line(&line, "norm x.tns", &error), TRIB_USAGE, error);
    trib_command_line_release(&line);
    EXPECT_STATUS(read_line(&line, "tensor nrom x.tns", &error), TRIB_USAGE, error);
    EXPECT_TEXT(error.message, "unknown command 'tensor nrom'; did you mean 'norm'?");
}

TEST(help_needs_no_operands) {
    GIVEN(trib_command_line) line = {0};
    EXPECT(read_line(&line, "run --help", NULL) == TRIB_OK && line.help);
    trib_command_line_release(&line);
    EXPECT(read_line(&line, "--version", NULL) == TRIB_OK);
    EXPECT_TEXT(line.command->name, "version");
}

TEST(every_choice_of_a_flag_has_its_enum_s_value) {
    static const struct {
        const char *words;
        int progress, log_level; /* plus 1 */
    } cases[] = {
        {"help --progress auto", TRIB_SHOW_AUTO + 1, 0},
        {"help --progress bar", TRIB_SHOW_BAR + 1, 0},
        {"help --progress plain", TRIB_SHOW_PLAIN + 1, 0},
        {"help --progress json", TRIB_SHOW_JSON + 1, 0},
        {"help --progress none", TRIB_SHOW_NONE + 1, 0},
        {"help --log-level=error", 0, TRIB_LOG_ERROR + 1},
        {"help --log-level=warning", 0, TRIB_LOG_WARNING + 1},
        {"help --log-level=info", 0, TRIB_LOG_INFO + 1},
        {"help --log-level=debug", 0, TRIB_LOG_DEBUG + 1},
    };
    trib_command_line line;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EXPECT(read_line(&line, cases[i].words, NULL) == TRIB_OK);
        EXPECT(line.progress == cases[i].progress && line.log_level == cases[i].log_level);
        trib_command_line_release(&line);
    }
}

static trib_status read_and_release(void *context, trib_error *error) {
    GIVEN(trib_command_line) line = {0};
    (void)context;
    const trib_status status = read_line(&line, "run x.yaml --set a=b --set c=d --seed 3", error);
    return status;
}

TEST(reading_survives_every_failed_allocation) {
    EXPECT(trib_fail_every_allocation(read_and_release, NULL) > 3);
}

/* Counted by hand: 6000 bytes are 1000 words; 1.01 * 1000^0.981 = 885.8 different 3-grams. */
TEST(an_estimate_follows_the_sizes) {
    trib_corpus_document document[2] = {{.id = NULL}};
    trib_config config = {0};
    trib_estimate estimate;
    const uint64_t n_bytes[2] = {6000, 0};
    config.corpus.document = document;
    config.corpus.n_documents = 2;
    config.tensor.n = 3;
    trib_estimate_make(&estimate, &config, n_bytes);
    EXPECT(estimate.n_bytes == 6000);
    EXPECT_NEAR(estimate.n_tokens, 1000, 1e-9);
    EXPECT_NEAR(estimate.nnz, 885.8, 0.1);
    EXPECT_NEAR(estimate.memory, 1.35e7 + 27 * 1000, 10);
    config.influence.method[0] = trib_influence_method_find("lowe");
    config.influence.n_methods = 1;
    config.cp.rank = 10;
    config.cp.iterations = config.cp.restarts = config.cp.sweeps = 1;
    EXPECT(trib_estimate_bytes("a.txt", 100) == 100 && trib_estimate_bytes("a.txt.gz", 100) == 270);
    const double before = estimate.seconds;
    trib_estimate_make(&estimate, &config, n_bytes);
    EXPECT(estimate.seconds > before && estimate.memory > 1.35e7 + 63000);
    /* five million words where a text of 50 MB usually has a hundred thousand */
    const double usual = estimate.memory;
    config.cp.rank = 50;
    trib_estimate_add_words(&estimate, &config, 6000, 400);
    EXPECT(estimate.memory == usual); /* not far more than usual */
    trib_estimate_add_words(&estimate, &config, 50000000, 5000000);
    EXPECT(estimate.memory > 7e9 && estimate.memory < 2.7e10);
}

/* The estimate for a target of 14 000 words and a source of 150 000, by 3-grams. */
static trib_estimate estimate_of_two(trib_config config) {
    trib_corpus_document document[2] = {{.id = "a", .role = TRIB_ROLE_SOURCE}, {.id = "b"}};
    const char *targets[] = {"b"};
    trib_estimate estimate;
    const uint64_t n_bytes[2] = {900000, 84000};
    config.corpus.target = (trib_text_list){targets, 1};
    config.corpus.document = document;
    config.corpus.n_documents = 2;
    config.tensor.n = 3;
    trib_estimate_make(&estimate, &config, n_bytes);
    return estimate;
}

/* 600 words of 8636 leave q = .2 unknown, so two 3-grams are the same with probability (q^2 +
 * .018)^3. */
TEST(a_small_vocabulary_raises_the_estimate_for_traced) {
    trib_config config = {0};
    config.influence.method[0] = trib_influence_method_find("traced");
    config.influence.n_methods = 1;
    const trib_estimate whole = estimate_of_two(config);
    config.vocabulary.size = 600;
    const trib_estimate broken = estimate_of_two(config);
    config.vocabulary.wildcard = true;
    const trib_estimate cut = estimate_of_two(config);
    EXPECT(cut.memory > whole.memory + 3e7 && cut.memory < whole.memory + 9e7);
    EXPECT(cut.seconds > whole.seconds);
    EXPECT_NEAR(broken.memory, whole.memory, 1);
}

/* Counted by hand: 14 000 words of the target meet 150 000 words of its source. Windows overlap, so
 * that they take more than twice the time and nearly twice the memory of lines. */
TEST(possible_allusions_raise_the_estimate) {
    trib_config config = {0};
    config.parallels.unit = TRIB_UNIT_NONE;
    const trib_estimate without = estimate_of_two(config);
    config.parallels.unit = TRIB_UNIT_LINES;
    const trib_estimate lines = estimate_of_two(config);
    config.parallels.unit = TRIB_UNIT_WINDOWS;
    const trib_estimate windows = estimate_of_two(config);
    EXPECT_NEAR(lines.seconds - without.seconds, 0.87 * 0.399, 1e-9);
    EXPECT_NEAR(windows.seconds - without.seconds, 0.87 * 0.987, 1e-9);
    EXPECT_NEAR(lines.memory - without.memory, 170 * 150000 + 5 * 164000, 1);
    EXPECT_NEAR(windows.memory - without.memory, 320 * 150000 + 5 * 164000, 1);
}

/* Counted by hand: the target has 20 sources of 1000 words with 885.8 different 3-grams each, of
 * which candidates leave 5. The n-grams are not in memory. */
TEST(candidates_lower_the_estimate) {
    enum { N = 21 };
    trib_corpus_document document[N] = {{.id = "b"}};
    const char *targets[] = {"b"};
    trib_config config = {0};
    trib_estimate all, five, enough;
    uint64_t n_bytes[N];
    for (int d = 0; d < N; d++) n_bytes[d] = 6000;
    for (int d = 1; d < N; d++) document[d].role = TRIB_ROLE_SOURCE;
    config.corpus.target = (trib_text_list){targets, 1};
    config.corpus.document = document;
    config.corpus.n_documents = N;
    config.tensor.n = 3;
    config.parallels.unit = TRIB_UNIT_LINES;
    config.influence.method[0] = trib_influence_method_find("split");
    config.influence.n_methods = 1;
    trib_estimate_make(&all, &config, n_bytes);
    config.influence.candidates = 5;
    trib_estimate_make(&five, &config, n_bytes);
    config.influence.candidates = N;
    trib_estimate_make(&enough, &config, n_bytes);
    EXPECT(all.n_candidates == 0 && five.n_candidates == 5);
    EXPECT_NEAR(five.seconds - all.seconds, 0.87 * (4.9e-8 * 5 * 885.8 - 1.9e-10 * 1000 * 15000),
                1e-7);
    EXPECT_NEAR(enough.seconds - all.seconds, 0.87 * 4.9e-8 * 20 * 885.8, 1e-7);
    EXPECT_NEAR(five.memory - all.memory, 1.2e7 + (8 - 27) * 21000 + 3 * five.nnz - (0.4e6 - 4e4),
                1);
    EXPECT_NEAR(enough.memory, five.memory, 1);
    document[1].role = TRIB_ROLE_DECOY; /* is measured besides */
    config.influence.candidates = 5;
    trib_estimate_make(&five, &config, n_bytes);
    EXPECT_NEAR(enough.seconds - five.seconds,
                0.87 * (4.9e-8 * 14 * 885.8 + 1.9e-10 * 1000 * 14000), 1e-7);
}

static const char result_text[] =
    "{'schema': 1, 'headline': 'anchored', 'documents': [{'id': 'a', 'title': 'First\\u001b[2J'}, "
    "{'id': 't', "
    "'title': 'Target'}], 'targets': [{'target': 't', 'floor': 0.015, 'floor_from': 'rule', "
    "'methods': "
    "{'anchored': {'author': 0.7, 'shares': [{'source': 'b', 'share': 0.01, 'below_floor': true, "
    "'decoy': true}, {'source': 'a', 'share': 0.29, 'below_floor': false, 'decoy': false}]}}, "
    "'evidence': [{'source': 'a', 'n_phrases': 2, 'phrases': [{'words': ['and', 'so', 'on'], "
    "'target_count': 2, 'source_count': 3, 'other_documents': 0}, {'words': ['so', 'on', 'and'], "
    "'target_count': 1, 'source_count': 1, 'other_documents': 4}]}]}]}";

/* Reads a result; apostrophes stand for quotation marks. */
static trib_result result_of(const char *json) {
    static char text[sizeof result_text];
    trib_result result;
    for (size_t i = 0; i <= strlen(json); i++) text[i] = json[i] == '\'' ? '"' : json[i];
    CHECK(trib_result_read(&result, "x", text, strlen(text), NULL) == TRIB_OK);
    return result;
}

TEST(the_table_is_eighty_columns_wide) {
    GIVEN(trib_result) found = result_of(result_text);
    GIVEN(trib_buffer) text = {0};
    const trib_summary_options options = {0};
    CHECK(trib_summary_write(&found, &options, &text, NULL) == TRIB_OK);
    EXPECT_TEXT(text.text,
                "Target                                                               by anchored\n"
                "  First\\x1B[2J                     29.0 %  \u201cand so on\u201d\n"
                "  1 source below the floor          1.0 %\n"
                "  the author's own and common      70.0 %\n");
}

TEST(a_source_is_shown_alone_and_an_unknown_one_is_an_error) {
    GIVEN(trib_result) found = result_of(result_text);
    trib_summary_target_records targets = {0};
    GIVEN(trib_arena) arena = {0};
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    const trib_summary_options options = {.phrases = true, .source = "a"};
    const trib_summary_options wrong = {.phrases = true, .source = "aa"};
    CHECK(trib_summary_write(&found, &options, &text, NULL) == TRIB_OK);
    EXPECT(strstr(text.text, "so on and") && !strstr(text.text, "author"));
    EXPECT_STATUS(trib_summary_write(&found, &wrong, &text, &error), TRIB_USAGE, error);
    EXPECT_STATUS(trib_summary_targets(&found, &wrong, &targets, &arena, &error), TRIB_USAGE,
                  error);
    EXPECT(targets.n == 0);
    CHECK(trib_summary_targets(&found, &options, &targets, &arena, &error) == TRIB_OK);
    CHECK(targets.n == 1);
    EXPECT(targets.item[0].shares.n == 1 && targets.item[0].evidence.n == 1);
}

TEST(a_result_of_the_wrong_shape_does_no_harm) {
    static const char *const shapes[] = {
        "{'schema': 1}", "{'schema': 1, 'targets': 3}", "{'schema': 1, 'targets': [3, {}, null]}",
        "{'schema': 1, 'headline': 1, 'targets': [{'methods': []}]}"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        GIVEN(trib_result) broken = result_of(shapes[i]);
        trib_summary_target_records targets = {0};
        GIVEN(trib_arena) arena = {0};
        GIVEN(trib_buffer) text = {0};
        const trib_summary_options options = {.phrases = true};
        EXPECT(trib_summary_write(&broken, &options, &text, NULL) == TRIB_OK);
        EXPECT(trib_summary_targets(&broken, &options, &targets, &arena, NULL) == TRIB_OK);
    }
}
