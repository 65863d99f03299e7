/* command.c - reads a command line by the table of commands and flags. */
#include "pipeline/program/command.h"

#include <omp.h>

#include "pipeline/config/config.h"
#include "pipeline/config/yaml.h"
#include "pipeline/support/memory_limit.h"

/* ---- Flags ----------------------------------------------------------------------------------- */

const trib_command *trib_command_find(const trib_command_table *table, const char *word,
                                      const char *next) {
    for (const trib_command *command = table->command; command->name; command++) {
        const char *rest = trib_command_rest(command, word);
        if (rest && (*rest ? next && strcmp(rest, next) == 0 : true)) return command;
    }
    return NULL;
}

const char *trib_command_rest(const trib_command *command, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(command->name, word, length) != 0) return NULL;
    return command->name[length] == ' ' ? command->name + length + 1
           : command->name[length]      ? NULL
                                        : "";
}

bool trib_command_is_group(const trib_command_table *table, const char *word) {
    bool found = false;
    for (const trib_command *command = table->command; command->name; command++) {
        const char *rest = trib_command_rest(command, word);
        found = found || (rest && *rest);
    }
    return found;
}

const trib_flag *trib_flag_find(const trib_command_table *table, const trib_command *command,
                                const char *name, size_t length, char letter) {
    const trib_flag *const tables[] = {table->flag, command ? command->flag : NULL};
    for (size_t i = 0; i < 2; i++)
        for (const trib_flag *flag = tables[i]; flag && flag->name; flag++)
            if (length > 0 ? strncmp(flag->name, name, length) == 0 && !flag->name[length]
                           : flag->letter == letter)
                return flag;
    return NULL;
}

/* The position of `word` in "a|b|c", from 1; 0 when it is not one of them. */
static int choice(const char *choices, const char *word) {
    const size_t length = strlen(word);
    for (int n = 1; *choices; n++) {
        const size_t span = strcspn(choices, "|");
        if (span == length && strncmp(choices, word, length) == 0) return n;
        choices += span + (choices[span] == '|');
    }
    return 0;
}

/* `value` is borrowed; the key and the flag are copied. */
static trib_status add_setting(trib_command_line *line, const char *flag, const char *key,
                               size_t key_length, const char *value, trib_error *error) {
    const trib_status status =
        TRIB_GROW(&line->setting, &line->setting_cap, line->n_settings + 1, "the settings", error);
    if (status != TRIB_OK) return status;
    line->setting[line->n_settings++] = (trib_setting){
        trib_arena_copy(&line->arena, key, key_length), value, trib_arena_text(&line->arena, flag)};
    return trib_arena_check(&line->arena, error);
}

static trib_status add_item(trib_buffer *list, const char *text, trib_error *error) {
    trib_buffer_print(list, error, "%s", list->length > 0 ? ", " : "[");
    return trib_yaml_quote(list, text, true, error);
}

static trib_status set_flag(trib_command_line *line, const trib_flag *flag, const char *argument,
                            trib_error *error) {
    void *field = (char *)line + flag->field;
    char from[1024];
    const char *equals;
    switch (flag->kind) {
    case TRIB_FLAG_SWITCH:
        *(bool *)field = true;
        break;
    case TRIB_FLAG_TEXT:
        if (!*argument)
            return trib_fail(error, TRIB_USAGE, "%s needs %s; it is empty", flag->name,
                             flag->argument);
        *(const char **)field = argument;
        break;
    case TRIB_FLAG_WHOLE:
        if (!trib_read_uint(argument, field) || *(uint64_t *)field == 0 ||
            *(uint64_t *)field > 65536)
            return trib_fail(error, TRIB_USAGE, "%s needs a whole number from 1 to 65536, not '%s'",
                             flag->name, argument);
        break;
    case TRIB_FLAG_CHOICE:
        *(int *)field = choice(flag->argument, argument);
        if (*(int *)field == 0)
            return trib_fail(error, TRIB_USAGE, "%s must be one of %s, not '%s'", flag->name,
                             flag->argument, argument);
        break;
    case TRIB_FLAG_ITEM:
        return add_item(field, argument, error);
    case TRIB_FLAG_SETTING:
        equals = strchr(argument, '=');
        if (!equals || equals == argument)
            return trib_fail(error, TRIB_USAGE,
                             "--set needs KEY=VALUE, as in --set cp.rank=50, not '%s'", argument);
        snprintf(from, sizeof from, "--set %s", argument);
        return add_setting(line, from, argument, (size_t)(equals - argument), equals + 1, error);
    }
    return TRIB_OK;
}

static trib_status unknown_flag(const trib_command_table *table, const trib_command *command,
                                const char *name, size_t length, trib_error *error) {
    const trib_flag *const tables[] = {table->flag, command ? command->flag : NULL};
    char word[64];
    trib_guess guess = {.word = word};
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    if (strcmp(word, "--add-to") == 0 || strcmp(word, "--only-changed") == 0)
        return trib_fail(error, TRIB_USAGE,
                         "%s is gone: keep texts that grow in number in a library (`tributary "
                         "index add LIBRARY TEXT...`), and run on it (`tributary run TARGET "
                         "LIBRARY`), which reads only the target and its sources",
                         word);
    for (size_t t = 0; t < 2; t++)
        for (const trib_flag *flag = tables[t]; flag && flag->name; flag++)
            trib_guess_try(&guess, flag->name);
    return trib_fail(error, TRIB_USAGE, "unknown flag '%.*s'%s%s%s", (int)length, name,
                     command ? " of " : "", command ? command->name : "", trib_guess_hint(&guess));
}

/* Reads argv[*i], which begins with '-', into the fields of its flags. A last flag that needs an
 * argument takes argv[*i + 1]. */
static trib_status read_flags(trib_command_line *line, int *i, int argc, char **argv,
                              trib_error *error) {
    const trib_command *command = line->command;
    const char *text = argv[*i];
    const bool is_long = text[1] == '-';
    trib_status status = TRIB_OK;
    for (const char *at = text + 1; status == TRIB_OK && *at;) {
        const size_t length = is_long ? strcspn(text, "=") : 0;
        const trib_flag *flag = trib_flag_find(line->table, command, text, length, *at);
        if (!flag) {
            const char one[] = {'-', *at, '\0'};
            return unknown_flag(line->table, command, is_long ? text : one, is_long ? length : 2,
                                error);
        }
        const char *argument = is_long ? text + length + (text[length] == '=') : at + 1;
        at = is_long ? "" : at + 1;
        if (flag->kind == TRIB_FLAG_SWITCH) {
            if (is_long && text[length] == '=')
                return trib_fail(error, TRIB_USAGE, "%s takes no value", flag->name);
        } else {
            at = "";
            if (is_long ? text[length] != '=' : !*argument) {
                if (*i + 1 >= argc)
                    return trib_fail(error, TRIB_USAGE, "%s needs %s", flag->name, flag->argument);
                argument = argv[++*i];
            }
        }
        status = set_flag(line, flag, argument, error);
    }
    return status;
}

static trib_status unknown_command(const trib_command *command, const char *name,
                                   trib_error *error) {
    const bool was_part_of_run = strcmp(name, "influence") == 0 || strcmp(name, "parallels") == 0;
    trib_guess guess = {.word = was_part_of_run ? "run" : name};
    for (; command->name; command++) trib_guess_try(&guess, command->name);
    const char *hint = trib_guess_hint(&guess);
    return trib_fail(error, TRIB_USAGE, "unknown command '%s'%s", name,
                     *hint ? hint : "; 'tributary help' lists them");
}

/* The error for a `group` whose second word is missing or unknown. */
static trib_status unknown_second(const trib_command *command, const char *group, const char *word,
                                  trib_error *error) {
    trib_guess guess = {.word = word ? word : ""};
    char list[256] = "";
    for (; command->name; command++) {
        const char *rest = trib_command_rest(command, group);
        if (!rest) continue;
        trib_guess_try(&guess, rest);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", rest);
    }
    if (!word) return trib_fail(error, TRIB_USAGE, "%s needs a second word: %s", group, list);
    const char *hint = trib_guess_hint(&guess);
    return *hint ? trib_fail(error, TRIB_USAGE, "unknown command '%s %s'%s", group, word, hint)
                 : trib_fail(error, TRIB_USAGE, "unknown command '%s %s'; the commands are %s",
                             group, word, list);
}

/* Reads the command that begins at argv[*i], the first word that is not a flag. Advances *i when
 * the name of the command has two words. */
static trib_status read_command(trib_command_line *line, int *i, int argc, char **argv,
                                trib_error *error) {
    const char *word = line->group ? line->group : argv[*i];
    const char *next = line->group ? argv[*i] : *i + 1 < argc ? argv[*i + 1] : NULL;
    line->command = trib_command_find(line->table, word, next);
    if (line->command) {
        *i += !line->group && *trib_command_rest(line->command, word) != '\0';
        return TRIB_OK;
    }
    if (line->group || !trib_command_is_group(line->table, word))
        return line->group ? unknown_second(line->table->command, word, next, error)
                           : unknown_command(line->table->command, word, error);
    line->group = word; /* flags may stand before the second word */
    return TRIB_OK;
}

static trib_status check_operands(const trib_command_line *line, trib_error *error) {
    const trib_command *command = line->command;
    if (line->n_operands < command->n_min)
        return trib_fail(error, TRIB_USAGE, "%s needs %s; 'tributary help %s' explains it",
                         command->name, command->operands, command->name);
    if (line->n_operands > command->n_max)
        return trib_fail(error, TRIB_USAGE, "%s takes no '%s'; 'tributary help %s' explains it",
                         command->name, line->operand[command->n_max], command->name);
    return TRIB_OK;
}

/* "-3" and "-.5" are numbers: no flag begins with a digit or a point. */
static bool is_negative(const char *word) { return strchr("0123456789.", word[1]) != NULL; }

/* Adds the settings of --seed and --target, after every --set. */
static trib_status add_flags_of_settings(trib_command_line *line, trib_error *error) {
    trib_status status = TRIB_OK;
    char from[64];
    if (line->seed) {
        snprintf(from, sizeof from, "--seed %s", line->seed);
        status = add_setting(line, from, "cp.seed", strlen("cp.seed"), line->seed, error);
    }
    if (status != TRIB_OK || line->targets.length == 0) return status;
    status = trib_buffer_add(&line->targets, "]", 1, error);
    return status == TRIB_OK ? add_setting(line, "--target", "corpus.target",
                                           strlen("corpus.target"), line->targets.text, error)
                             : status;
}

trib_status trib_command_line_read(trib_command_line *line, const trib_command_table *table,
                                   int argc, char **argv, trib_error *error) {
    *line = (trib_command_line){.table = table, .program = argc > 0 ? argv[0] : "tributary"};
    trib_status status = TRIB_OK;
    bool flags_ended = false;
    for (int i = 1; i < argc && status == TRIB_OK; i++) {
        if (!flags_ended && strcmp(argv[i], "--") == 0) {
            flags_ended = true;
        } else if (!flags_ended && !line->command && strcmp(argv[i], "--version") == 0) {
            line->command = trib_command_find(table, "version", NULL);
        } else if (!flags_ended && argv[i][0] == '-' && argv[i][1] &&
                   !(line->command && is_negative(argv[i]))) {
            status = read_flags(line, &i, argc, argv, error);
        } else if (!line->command) {
            status = read_command(line, &i, argc, argv, error);
        } else {
            status = TRIB_APPEND(&line->operand, &line->n_operands, &line->operand_cap,
                                 "the command line", error, &argv[i]);
        }
    }
    if (status == TRIB_OK) status = add_flags_of_settings(line, error);
    if (status != TRIB_OK || line->help) return status;
    if (line->command) return check_operands(line, error);
    return line->group ? unknown_second(table->command, line->group, NULL, error) : TRIB_OK;
}

void trib_command_line_release(trib_command_line *line) {
    for (size_t i = 0; i < line->sealed.n; i++) trib_disk_unseal(line->sealed.name[i]);
    TRIB_FREE(line->setting, line->operand);
    trib_arena_release(&line->arena);
    trib_buffer_release(&line->targets);
    *line = (trib_command_line){0};
}

void trib_command_find_progress(trib_command_line *line, int argc, char **argv) {
    static const char name[] = "--progress";
    const trib_flag *flag = trib_flag_find(line->table, NULL, name, sizeof name - 1, 0);
    for (int i = 1; i < argc && line->progress == 0 && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], name, sizeof name - 1) != 0) continue;
        const char *rest = argv[i] + sizeof name - 1;
        if (*rest == '=') line->progress = choice(flag->argument, rest + 1);
        else if (!*rest && i + 1 < argc) line->progress = choice(flag->argument, argv[i + 1]);
    }
}

/* ---- Threads and memory ---------------------------------------------------------------------- */

int trib_command_threads(const trib_command_line *line, const trib_config *config) {
    const int asked = line->n_threads ? (int)line->n_threads : config->resources.threads;
    return trib_memory_threads(asked > 0 ? asked : omp_get_max_threads());
}

void trib_command_limit_memory(const trib_command_line *line, const trib_config *config) {
    trib_memory_limit(
        trib_memory_allowed(config->resources.memory, trib_command_threads(line, config), 1));
}
