/* app.c - `tributary app`: serves the application for people without a terminal. */
#include <unistd.h>

#include "pipeline/app/app.h"
#include "pipeline/program/command.h"

trib_status trib_command_app(const trib_command_line *line, trib_error *error) {
    trib_app_options options = {.folder = line->n_operands > 0 ? line->operand[0] : NULL,
                                .address = line->listen,
                                .port = (uint16_t)line->port,
                                .read_only = line->read_only,
                                .no_browser = line->no_browser,
                                .has_publish = trib_command_find(line->table, "publish", NULL),
                                .out = STDOUT_FILENO};
    if (line->port > UINT16_MAX)
        return trib_fail(error, TRIB_USAGE, "--port: %llu is no port; name one from 1 to 65535",
                         (unsigned long long)line->port);
    trib_log_catch_signals(line->log, 0);
    return trib_app_serve(&options, error);
}
