/* check.c - `tributary check` finds what `tributary run` rejects: same status, same messages. */
#include "tests/test.h"

#include <sys/stat.h>

#include "pipeline/program/command.h"
#include "pipeline/support/json.h"

/* ---- One command ----------------------------------------------------------------------------- */

static void collect(void *context, const char *level, const char *text) {
    if (strcmp(level, "error") == 0)
        CHECK(trib_buffer_print(context, NULL, "%s\n", text) == TRIB_OK);
}

/* Does `tributary --no-cache COMMAND FILE [-o DIRECTORY]`; `said` receives every error. */
static trib_status do_command(const char *command, const char *file, const char *directory,
                              trib_buffer *said) {
    const char *words[] = {"tributary", "--no-cache", command, file, directory ? "-o" : NULL,
                           directory};
    const trib_log_sink sink = {.message = collect, .context = said};
    GIVEN(trib_command_line) line = {0};
    trib_log *log = NULL;
    trib_writer out = {.file = -1};
    trib_error error = {0};
    char *word[7] = {0};
    for (int i = 0; i < 6; i++) word[i] = (char *)(uintptr_t)words[i];
    trib_json_open();
    CHECK(trib_command_line_read(&line, &trib_commands, directory ? 6 : 4, word, &error) ==
          TRIB_OK);
    CHECK(trib_log_open_sink(&log, TRIB_LOG_ERROR, &sink, &error) == TRIB_OK);
    CHECK(trib_writer_open(&out, trib_scratch("stdout"), &error) == TRIB_OK);
    line.log = log;
    line.out = &out;
    const trib_status status = line.command->work(&line, &error);
    trib_writer_abandon(&out);
    if (status != TRIB_OK) CHECK(trib_buffer_print(said, NULL, "%s\n", error.message) == TRIB_OK);
    trib_log_close(log);
    return status;
}

static void write_file(const char *name, const char *bytes, size_t n) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, trib_scratch(name), NULL) == TRIB_OK);
    trib_write(&writer, bytes, n);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
}

/* ---- Bad inputs ------------------------------------------------------------------------------ */

#define BYTES(text) text, sizeof(text) - 1
#define PROSE       "the brown fox walks over the hill and the brown dog sleeps\n"

/* A run of a.txt and the document `file`; `more` is added to its configuration. */
static void check_and_run_agree_on_a_bad_input(void) {
    GIVEN(trib_buffer) yaml = {0}, checked = {0}, ran = {0};
    write_file("a.txt", BYTES(PROSE));
    CHECK(trib_buffer_print(
              &yaml, NULL,
              "tributary: 1\ncorpus: {documents: [a.txt, {id: b, file: %s}], target: a}\n"
              "influence: {methods: [split], headline: split}\n%s",
              trib_case_text("file"), trib_case_text("more")) == TRIB_OK);
    write_file("bad.yaml", yaml.text, yaml.length);
    const trib_status status = do_command("check", trib_scratch("bad.yaml"), NULL, &checked),
                      as_run =
                          do_command("run", trib_scratch("bad.yaml"), trib_scratch("run"), &ran);
    CHECK(checked.text && ran.text);
    EXPECT_TEXT(trib_status_get(status)->name, trib_case_text("status"));
    EXPECT(as_run == status);
    if (!strstr(checked.text, trib_case_text("said")))
        EXPECT_TEXT(checked.text, trib_case_text("said"));
    EXPECT_TEXT(checked.text, ran.text);
}

static void check_names_every_text_that_cannot_be_used(void) {
    GIVEN(trib_buffer) said = {0};
    write_file("a.txt", BYTES(PROSE));
    write_file("latin1.txt", BYTES("Das M\344dchen l\344uft nach Hause\n"));
    write_file("blank.txt", BYTES(" \n"));
    write_file("three.yaml",
               BYTES("tributary: 1\ncorpus: {documents: [a.txt, latin1.txt, blank.txt, gone.txt], "
                     "target: a}\n"));
    EXPECT(do_command("check", trib_scratch("three.yaml"), NULL, &said) == TRIB_INPUT);
    CHECK(said.text != NULL);
    EXPECT(strstr(said.text, "latin1.txt: ") != NULL);
    EXPECT(strstr(said.text, "blank.txt: holds no word") != NULL);
    EXPECT(strstr(said.text, "gone.txt: ") != NULL);
    EXPECT(strstr(said.text, "3 of 4 documents cannot be used") != NULL);
}

CU_TestInfo trib_tests_program_check[] = {
    {"tests/pipeline/program/check.txt [bad]", check_and_run_agree_on_a_bad_input},
    {"check names every text that cannot be used", check_names_every_text_that_cannot_be_used},
    CU_TEST_INFO_NULL};
