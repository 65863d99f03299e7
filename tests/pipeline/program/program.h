/* program.h - runs the program's commands inside the test, so that their allocations can fail. */
#ifndef TRIBUTARY_TEST_PROGRAM_H
#define TRIBUTARY_TEST_PROGRAM_H

#include "pipeline/program/command.h"
#include "pipeline/support/json.h"
#include "tests/test.h"

enum { TRIB_PROGRAM_WORDS = 16 };

/* Does the work of "tributary WORDS" and returns its status. */
static inline trib_status trib_program_do(void *context, trib_error *error) {
    char words[2048];
    char *word[TRIB_PROGRAM_WORDS + 1] = {"tributary"};
    int n = 1;
    snprintf(words, sizeof words, "%s", (const char *)context);
    for (char *at = strtok(words, " "); at && n < TRIB_PROGRAM_WORDS; at = strtok(NULL, " "))
        word[n++] = at;
    trib_command_line line = {0};
    trib_writer out = {.file = -1};
    const trib_log_options quiet = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    trib_json_open();
    trib_status status = trib_command_line_read(&line, &trib_commands, n, word, error);
    if (status == TRIB_OK) status = trib_log_open(&line.log, &quiet, error);
    if (status == TRIB_OK) status = trib_writer_open(&out, trib_scratch("stdout"), error);
    line.out = &out;
    if (status == TRIB_OK) status = line.command->work(&line, error);
    if (status == TRIB_OK) status = trib_writer_commit(&out, NULL, error);
    else trib_writer_abandon(&out);
    trib_log_close(line.log);
    trib_command_line_release(&line);
    return status;
}

#endif
