/* fetch.c - `tributary fetch gutenberg`: fetches e-texts by number from a mirror and writes a
 * manifest, or makes a manifest of a mirror from its catalogue. */

#include "pipeline/program/catalogue.h"
#include "pipeline/program/command.h"
#include "pipeline/program/download.h"

/* Reads a number of seconds; *seconds keeps its value when `given` is NULL. */
static trib_status read_seconds(double *seconds, const char *flag, const char *given,
                                trib_error *error) {
    if (!given || (trib_read_double(given, seconds) && *seconds >= 0 && *seconds <= 3600))
        return TRIB_OK;
    return trib_fail(error, TRIB_USAGE, "%s needs seconds from 0 to 3600, not '%s'", flag, given);
}

static trib_status make_manifest(const trib_command_line *line, trib_log *log, trib_writer *out,
                                 trib_error *error) {
    const trib_catalogue_choice choice = {.catalogue = line->catalogue,
                                          .language = line->language,
                                          .texts = line->texts,
                                          .layout = line->layout,
                                          .manifest =
                                              line->output ? line->output : "gutenberg.tsv"};
    if (line->n_operands > 0)
        return trib_fail(error, TRIB_USAGE,
                         "--catalogue fetches nothing, so it takes no number such as '%s'",
                         line->operand[0]);
    const trib_status status = trib_catalogue_manifest(&choice, log, error);
    if (status == TRIB_OK) trib_print(out, "%s\n", choice.manifest);
    return status;
}

trib_status trib_command_fetch_gutenberg(const trib_command_line *line, trib_log *log,
                                         trib_writer *out, trib_error *error) {
    if (line->catalogue) return make_manifest(line, log, out, error);
    if (line->n_operands == 0 || line->language || line->texts || line->layout)
        return trib_fail(error, TRIB_USAGE,
                         line->n_operands == 0
                             ? "fetch gutenberg needs the numbers of texts, or --catalogue"
                             : "--language, --texts and --layout need --catalogue");
    const char *directory = line->output ? line->output : "gutenberg";
    const char *mirror = line->mirror ? line->mirror : TRIB_GUTENBERG_MIRROR;
    double wait = 2, timeout = 60;
    trib_fetch fetch = {0};
    uint64_t number = 0;
    trib_status status = read_seconds(&wait, "--wait", line->wait, error);
    if (status == TRIB_OK) status = read_seconds(&timeout, "--timeout", line->timeout, error);
    for (size_t i = 0; i < line->n_operands && status == TRIB_OK; i++)
        if (!trib_read_uint(line->operand[i], &number) || number == 0 || number >= 100000000)
            status = trib_fail(
                error, TRIB_USAGE,
                "'%s' is not the number of an e-text; of gutenberg.org/ebooks/1342 it is 1342",
                line->operand[i]);
    if (status == TRIB_OK)
        status = trib_fetch_open(&fetch, log, wait, timeout < 1 ? 1 : (long)timeout, error);
    if (status == TRIB_OK) trib_log_catch_signals(log, 0);
    size_t n_failed = 0;
    for (size_t i = 0; i < line->n_operands && status == TRIB_OK; i++) {
        trib_error why = {0};
        trib_read_uint(line->operand[i], &number);
        status = trib_fetch_etext(&fetch, mirror, directory, number, &why);
        if (status == TRIB_INPUT) { /* continue: the other texts may exist */
            trib_log_say(log, TRIB_LOG_ERROR, "%s", why.message);
            n_failed++;
            status = TRIB_OK;
        } else if (status != TRIB_OK) status = trib_fail(error, status, "%s", why.message);
    }
    if (status == TRIB_OK && n_failed < line->n_operands)
        trib_print(out, "%s/gutenberg.yaml\n", directory);
    if (status == TRIB_OK && n_failed > 0)
        status = trib_fail(error, TRIB_INPUT, "%zu of %zu texts could not be fetched", n_failed,
                           line->n_operands);
    trib_fetch_close(&fetch);
    return status;
}
