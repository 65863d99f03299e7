/* completion.c - `tributary completion SHELL` prints a short script, which asks this program for
 * the words that fit; `tributary completion words WORD...` answers it from the tables of
 * commands, flags, stages and keys. Every script passes the words after the program's name, the
 * last one being the word at the cursor. The answer has a line "word<TAB>help" for each candidate,
 * and a line "/files" or "/directories" where a path fits. */

#include "pipeline/config/keys.h"
#include "pipeline/program/command.h"
#include "pipeline/run/run.h"

/* ---- Candidates ------------------------------------------------------------------------------ */

/* The word to complete, and the writer that receives the answer. */
typedef struct place {
    const char *word;
    const char *before; /* the part of the typed word that each candidate repeats: "--set=" */
    trib_writer *out;
    const trib_command_table *table;
} place;

/* Writes prefix + candidate when it begins with the typed word. `more` is appended: "=" where a
 * value follows. */
static void offer(const place *at, const char *prefix, const char *candidate, size_t length,
                  const char *more, const char *help) {
    const size_t before = strlen(prefix), typed = strlen(at->word);
    if (typed < before ? strncmp(prefix, at->word, typed) != 0
                       : strncmp(prefix, at->word, before) != 0 || typed - before > length ||
                             strncmp(candidate, at->word + before, typed - before) != 0)
        return;
    trib_print(at->out, "%s%s%.*s%s\t%s\n", at->before, prefix, (int)length, candidate, more,
               help ? help : "");
}

/* Offers the alternatives of "a|b|c" or "[a|b]". */
static void offer_choices(const place *at, const char *prefix, const char *choices) {
    while (*choices) {
        const size_t length = strcspn(choices, "|[] ");
        if (length > 0) offer(at, prefix, choices, length, "", NULL);
        choices += length + (choices[length] != '\0');
    }
}

/* Offers the first words of commands, each once; or the second words after `group`. */
static void offer_words(const place *at, const char *group) {
    const trib_command *const first = at->table->command;
    for (const trib_command *command = first; command->name; command++) {
        const char *rest = group ? trib_command_rest(command, group) : command->name;
        const size_t length = rest ? strcspn(rest, " ") : 0;
        const bool again = command > first && !group && rest[length] &&
                           strncmp(command[-1].name, rest, length + 1) == 0;
        if (length > 0 && !again)
            offer(at, "", rest, length, "", rest[length] ? NULL : command->help);
    }
}

static void offer_commands(const place *at) {
    const char *topic;
    offer_words(at, NULL);
    for (size_t t = 0; (topic = trib_help_topic(t)); t++)
        offer(at, "", topic, strlen(topic), "", NULL);
}

static void offer_stages(const place *at) {
    for (const trib_stage_row *stage = trib_stage_rows; stage->name; stage++)
        offer(at, "", stage->name, strlen(stage->name), "", stage->help);
}

/* Offers keys or, when the word contains '=', the values of the key before it. */
static void offer_settings(const place *at) {
    const char *equals = strchr(at->word, '=');
    for (const trib_key *key = trib_keys; key->path; key++) {
        const size_t length = strlen(key->path);
        char prefix[128];
        if (!equals) {
            offer(at, "", key->path, length, "=", key->help);
            continue;
        }
        if ((size_t)(equals - at->word) != length || strncmp(at->word, key->path, length) != 0)
            continue;
        const int n = snprintf(prefix, sizeof prefix, "%s=", key->path);
        if (n < 0 || (size_t)n >= sizeof prefix) continue;
        if (key->word) offer(at, prefix, key->word, strlen(key->word), "", NULL);
        for (size_t i = 0; trib_key_choice_at(key, i).name; i++) {
            const trib_choice choice = trib_key_choice_at(key, i);
            offer(at, prefix, choice.name, strlen(choice.name), "", choice.help);
        }
    }
}

/* Offers candidates for an argument or operand, which the tables describe by its first word in
 * capitals. */
static void offer_argument(const place *at, const char *argument) {
    static const struct {
        const char *stands;
        void (*offer)(const place *at);
        const char *files;
    } kinds[] = {{"DIR", NULL, "/directories\n"},  {"RUN", NULL, "/directories\n"},
                 {"FILE", NULL, "/files\n"},       {"CONFIG", NULL, "/files\n"},
                 {"TEXT", NULL, "/files\n"},       {"WORDS", NULL, "/files\n"},
                 {"TENSOR", NULL, "/files\n"},     {"KTNS", NULL, "/files\n"},
                 {"TARGET", NULL, "/files\n"},     {"OWN", NULL, "/files\n"},
                 {"STAGE", offer_stages, NULL},    {"KEY=VALUE", offer_settings, NULL},
                 {"COMMAND", offer_commands, NULL}};
    argument += strspn(argument, "[");
    if (*argument >= 'a' && *argument <= 'z') {
        offer_choices(at, "", argument);
        return;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strncmp(argument, kinds[k].stands, strlen(kinds[k].stands)) != 0) continue;
        if (kinds[k].offer) kinds[k].offer(at);
        else trib_write_text(at->out, kinds[k].files);
    }
}

/* The flag that a word names in full: "--set", or "-o". */
static const trib_flag *flag_of(const place *at, const trib_command *command, const char *word) {
    if (word[1] == '-') return trib_flag_find(at->table, command, word, strlen(word), 0);
    return word[1] && !word[2] ? trib_flag_find(at->table, command, word, 0, word[1]) : NULL;
}

static void offer_flags(const place *at, const trib_flag *flag) {
    for (; flag && flag->name; flag++)
        offer(at, "", flag->name, strlen(flag->name), "", flag->help);
}

/* Completes word[n], the word at the cursor. */
static void answer(const trib_command_table *table, const char *const word[], size_t n,
                   trib_writer *out) {
    place at = {n > 0 ? word[n - 1] : "", "", out, table};
    char before[64] = "";
    const trib_command *command = NULL;
    const char *group = NULL;
    const trib_flag *waiting = NULL; /* the flag whose argument is at the cursor */
    for (size_t i = 0; i + 1 < n; i++) {
        if (waiting) {
            waiting = NULL;
        } else if (word[i][0] == '-') {
            waiting = flag_of(&at, command, word[i]);
            if (waiting && !waiting->argument) waiting = NULL;
        } else if (!command) {
            command = group ? trib_command_find(at.table, group, word[i])
                            : trib_command_find(at.table, word[i], NULL);
            group = !group && !command && trib_command_is_group(at.table, word[i]) ? word[i] : NULL;
        }
    }
    const size_t n_name = strcspn(at.word, "=");
    if (!waiting && at.word[0] == '-' && at.word[n_name] && n_name + 1 < sizeof before) {
        memcpy(before, at.word, n_name); /* --flag=value */
        waiting = flag_of(&at, command, before);
        before[n_name] = '=';
        at.before = before;
        at.word += n_name + 1;
        if (!waiting || !waiting->argument) return;
    }
    if (waiting) {
        offer_argument(&at, waiting->argument);
    } else if (at.word[0] == '-') {
        if (command) offer_flags(&at, command->flag);
        offer_flags(&at, at.table->flag);
    } else if (command) {
        offer_argument(&at, command->operands);
    } else {
        offer_words(&at, group);
    }
}

trib_status trib_command_completion(const trib_command_line *line, trib_error *error) {
    const char *shell = line->operand[0];
    if (strcmp(shell, "words") == 0) {
        answer(line->table, line->operand + 1, line->n_operands - 1, line->out);
        return TRIB_OK;
    }
    for (const trib_embedded_file *script = trib_completions; script->name; script++)
        if (strcmp(script->name, shell) == 0) {
            trib_write(line->out, script->bytes, script->n_bytes);
            return TRIB_OK;
        }
    return trib_fail(error, TRIB_USAGE,
                     "no completion for '%s'; there is one for bash, zsh and fish", shell);
}
