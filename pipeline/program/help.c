/* help.c - `tributary help`: makes its pages from the tables of commands, flags, stages, methods
 * and the others. */
#include <strings.h>

#include "pipeline/config/keys.h"
#include "pipeline/program/command.h"
#include "pipeline/run/run.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"
#include "pipeline/text/elements.h"
#include "pipeline/text/text_formats.h"

enum { WIDTH = 80, MAX_ROWS = 160 };

/* ---- Layout ---------------------------------------------------------------------------------- */

/* Writes `text` from column `indent` on, broken at spaces before column WIDTH. The caller has
 * moved to that column in the first line. */
static void write_wrapped(trib_writer *out, const char *text, size_t indent) {
    TRIB_OWNED(trib_buffer) lines = {0};
    if (trib_wrap(&lines, text, indent, WIDTH, NULL) == TRIB_OK)
        trib_write(out, lines.text, lines.length);
}

/* Writes " name help" with the help in a column of its own; below the name when the name is too
 * long. */
static void write_row(trib_writer *out, const char *name, size_t name_columns, const char *help) {
    char padded[512];
    const size_t indent = 2 + name_columns + 2;
    if (trib_columns(name) > name_columns) trib_print(out, "  %s\n%*s", name, (int)indent, "");
    else trib_print(out, "  %s  ", trib_pad(padded, sizeof padded, name, name_columns, false));
    write_wrapped(out, help, indent);
}

static void write_flags(trib_writer *out, const char *title, const trib_flag *flag) {
    if (!flag) return;
    trib_print(out, "\n%s\n", title);
    for (; flag->name; flag++) {
        char name[128], letter[8] = "    ";
        if (flag->letter) snprintf(letter, sizeof letter, "-%c, ", flag->letter);
        snprintf(name, sizeof name, "%s%s%s%s", letter, flag->name, flag->argument ? " " : "",
                 flag->argument ? flag->argument : "");
        write_row(out, name, 22, flag->help);
    }
}

/* One line on the commands that begin with `word`. */
static const char *about_group(const char *word) {
    static const char *const groups[][2] = {{"index", "libraries of texts"},
                                            {"table", "tables of words that translate"},
                                            {"tensor", "sparse tensors in files"},
                                            {"fetch", "texts from the network"},
                                            {"cache", "the cache of results"}};
    size_t g = 0;
    while (g + 1 < sizeof groups / sizeof *groups && strcmp(groups[g][0], word) != 0) g++;
    return groups[g][1];
}

/* Writes the row of a command. Commands with the same first word have one row, in place of the
 * first. */
static void write_command(trib_writer *out, const trib_command_table *table,
                          const trib_command *command) {
    char name[96], help[512];
    const int length = (int)strcspn(command->name, " ");
    snprintf(name, sizeof name, "%.*s", length, command->name);
    if (!command->name[length]) {
        snprintf(name, sizeof name, "%s %s", command->name, command->operands);
        write_row(out, name, 22, command->help);
        return;
    }
    if (command > table->command && trib_command_rest(command - 1, name)) return;
    int used = snprintf(help, sizeof help, "%s; 'tributary help %s': ", about_group(name), name);
    for (const trib_command *row = command; row->name && trib_command_rest(row, name); row++)
        used += snprintf(help + used, sizeof help - (size_t)used, "%s%s", row > command ? ", " : "",
                         trib_command_rest(row, name));
    snprintf(name + length, sizeof name - (size_t)length, " WORD ...");
    write_row(out, name, 22, help);
}

void trib_help_group(const trib_command_table *table, const char *word, trib_writer *out) {
    trib_print(out, "tributary %s WORD [FLAG]...\n\n", word);
    for (const trib_command *command = table->command; command->name; command++) {
        char name[96];
        if (!trib_command_rest(command, word)) continue;
        snprintf(name, sizeof name, "%s %s", command->name, command->operands);
        write_row(out, name, 30, command->help);
    }
    trib_print(out, "\nMore on each: tributary help %s WORD\n", word);
}

void trib_help_page(const trib_command_table *table, const trib_command *command,
                    trib_writer *out) {
    if (command) {
        trib_print(out, "tributary %s%s%s%s\n\n", command->name, *command->operands ? " " : "",
                   command->operands, " [FLAG]...");
        write_wrapped(out, command->more, 0);
        write_flags(out, "Flags", command->flag);
        trib_write_text(out, "\nFlags of every command: tributary help\n");
        return;
    }
    trib_write_text(
        out, "tributary COMMAND [FLAG]...\n\n"
             "Which earlier texts flow into this one, how much, and through which passages?\n"
             "\nCommands\n");
    for (command = table->command; command->name; command++) write_command(out, table, command);
    write_flags(out, "Flags of every command, before or after it", table->flag);
    trib_write_text(
        out, "\nTopics of help: inputs, formats, solvers, methods, stages, keys, exit\n"
             "To begin: tributary run TARGET SOURCE...; with texts of ours: tributary init\n");
}

/* ---- Topics ---------------------------------------------------------------------------------- */

struct row {
    char name[40];
    char help[512];
};

/* Fills at most MAX_ROWS rows and returns their number. */
typedef size_t gather(struct row row[MAX_ROWS]);

static void set_row(struct row *row, const char *name, const char *help) {
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->help, sizeof row->help, "%s", help);
}

static size_t formats(struct row *row) {
    size_t n = 0;
    for (; n < MAX_ROWS && trib_formats[n]; n++)
        set_row(&row[n], trib_formats[n]->name, trib_formats[n]->help);
    return n;
}

/* A function that lists a table whose rows have a name and a help, and whose last row has name
 * NULL. */
#define LIST(function, table)                                                                      \
    static size_t function(struct row *row) {                                                      \
        size_t n = 0;                                                                              \
        for (; n < MAX_ROWS && (table)[n].name; n++)                                               \
            set_row(&row[n], (table)[n].name, (table)[n].help);                                    \
        return n;                                                                                  \
    }
LIST(hashes, trib_hashes)
LIST(solvers, trib_solvers)
LIST(starts, trib_starts)
LIST(methods, trib_influence_methods)
LIST(stages, trib_stage_rows)
LIST(presets, trib_presets)

static size_t statuses(struct row *row) {
    size_t n = 0;
    for (; n < TRIB_N_STATUSES; n++) {
        const trib_status_row *status = trib_status_get((trib_status)n);
        char number[24];
        snprintf(number, sizeof number, "%d", status->exit_status);
        set_row(&row[n], number, status->meaning);
    }
    return n;
}

/* What a key is for, its values and its default: "components of each decomposition; default
 * 100". */
static void describe_key(const trib_key *key, char *text, size_t size) {
    int used = snprintf(text, size, "%s", key->help);
    for (size_t i = 0; used > 0 && (size_t)used < size; i++) {
        const char *choice = trib_key_choice_at(key, i).name;
        if (!choice) break;
        used += snprintf(text + used, size - (size_t)used, "%s%s", i == 0 ? ": " : "|", choice);
    }
    if (key->standard && *key->standard && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "; default %s", key->standard);
}

static size_t keys(struct row *row) {
    size_t n = 0;
    for (; n < MAX_ROWS && trib_keys[n].path; n++) {
        set_row(&row[n], trib_keys[n].path, "");
        describe_key(&trib_keys[n], row[n].help, sizeof row[n].help);
    }
    return n;
}

static size_t inputs(struct row *row) {
    size_t n = 0;
    for (; n < MAX_ROWS && trib_text_formats[n].name; n++) {
        const trib_text_format *format = &trib_text_formats[n];
        const bool is_refused = format->use == TRIB_TEXT_FORMAT_REFUSED;
        char help[512];
        const char *ending = *format->endings ? format->endings : "(by its contents)";
        if (is_refused) snprintf(help, sizeof help, "%s: not read: %s", ending, format->remedy);
        else
            snprintf(help, sizeof help, "%s: read by %s%s%s", ending, format->reader,
                     *format->left_out ? "; left out: " : "", format->left_out);
        set_row(&row[n], format->name, help);
    }
    return n;
}

static const struct topic {
    const char *name, *title;
    gather *gather;
} topics[] = {
    {"inputs", "Files that are read, and files that are not (documents)", inputs},
    {"formats", "Formats of a tensor (tensor.format)", formats},
    {"formats", "Hashes of HaCOO (tensor.hash)", hashes},
    {"solvers", "Solvers of the decomposition (cp.solver)", solvers},
    {"solvers", "Starts (cp.start)", starts},
    {"methods", "Methods of influence (influence.methods, influence.headline)", methods},
    {"stages", "Stages of a run, in order (--until)", stages},
    {"keys", "Keys of a configuration (--set KEY=VALUE)", keys},
    {"keys", "Presets (preset)", presets},
    {"exit", "Exit statuses", statuses},
};
enum { N_TOPICS = sizeof topics / sizeof *topics };

const char *trib_help_topic(size_t i) {
    for (size_t t = 0; t < N_TOPICS; t++)
        if ((t == 0 || strcmp(topics[t].name, topics[t - 1].name) != 0) && i-- == 0)
            return topics[t].name;
    return NULL;
}

/* A key for programs: what it may be set to. */
static json_t *about_key(const trib_key *key) {
    char range[TRIB_RANGE_MAX] = "";
    json_t *choices = json_array(), *words = json_array();
    for (size_t i = 0; trib_key_choice_at(key, i).name; i++)
        json_array_append_new(choices,
                              json_pack("{s:s, s:s*}", "name", trib_key_choice_at(key, i).name,
                                        "help", trib_key_choice_at(key, i).help));
    if (key->word && !key->row) json_array_append_new(words, json_string(key->word));
    for (size_t i = 0; i < sizeof key->other / sizeof *key->other && key->other[i].word; i++)
        json_array_append_new(words, json_string(key->other[i].word));
    if (key->most > key->least && !key->type->unit) trib_key_range(key, range);
    return json_pack("{s:s, s:s, s:s, s:s++, s:o, s:o}", "name", key->path, "help", key->help,
                     "default", key->standard, "type", key->type->what, *range ? " " : "", range,
                     "choices", choices, "words", words);
}

static void write_topic(const struct topic *topic, trib_writer *out, json_t *document) {
    struct row row[MAX_ROWS];
    const size_t n = topic->gather(row);
    if (document) {
        json_t *rows = json_array();
        for (size_t i = 0; i < n; i++)
            json_array_append_new(
                rows, topic->gather == keys
                          ? about_key(&trib_keys[i])
                          : json_pack("{s:s, s:s}", "name", row[i].name, "help", row[i].help));
        json_object_set_new(document, topic->title, rows);
        return;
    }
    size_t columns = 4;
    for (size_t i = 0; i < n; i++)
        if (trib_columns(row[i].name) > columns) columns = trib_columns(row[i].name);
    trib_print(out, "%s\n", topic->title);
    for (size_t i = 0; i < n; i++) write_row(out, row[i].name, columns, row[i].help);
}

static void write_rows(trib_writer *out, trib_piece table, trib_buffer *help, trib_error *error) {
    for (trib_rule rule; trib_rule_next(&table, &rule);) {
        char is[40];
        snprintf(is, sizeof is, "%.*s", (int)rule.is.n, rule.is.at);
        trib_buffer_clear(help);
        for (trib_piece name; trib_piece_next(&rule.elements, &name, " \r\n");)
            trib_buffer_print(help, error, "%.*s ", (int)name.n, name.at);
        if (rule.when.n > 0)
            trib_buffer_print(help, error, "(%.*s)", (int)rule.when.n, rule.when.at);
        if (help->text) write_row(out, is, 16, help->text);
    }
}

/* Writes the tables of a vocabulary of markup, and what their words mean. */
static trib_status write_vocabulary(const char *name, trib_writer *out, trib_error *error) {
    const trib_vocabulary *vocabulary = trib_vocabularies;
    const trib_vocabulary *const end = vocabulary + trib_n_vocabularies;
    trib_guess guess = {.word = name};
    for (; vocabulary < end && strcasecmp(vocabulary->name, name) != 0; vocabulary++)
        trib_guess_try(&guess, vocabulary->name);
    if (vocabulary == end)
        return trib_fail(error, TRIB_USAGE, "there is no table of '%s'%s", name,
                         trib_guess_hint(&guess));
    TRIB_OWNED(trib_buffer) help = {0};
    trib_print(out, "How elements of %s are read (condition); corpus.markup adds rows\n",
               vocabulary->name);
    trib_piece tables = {vocabulary->tables, strlen(vocabulary->tables)}, table;
    while (trib_piece_next(&tables, &table, " "))
        write_rows(out, trib_markup_table(table), &help, error);
    trib_write_text(out, "\n");
    for (const char *at = trib_markup_table((trib_piece){"common", 6}).at; *at == '#';) {
        const size_t n = strcspn(at, "\n") + 1;
        trib_write(out, at + (at[1] == ' ' ? 2 : 1), n - (at[1] == ' ' ? 2 : 1));
        at += n;
    }
    return help.failure;
}

static trib_status unknown_topic(const trib_command *command, const char *name, trib_error *error) {
    trib_guess guess = {.word = name};
    for (; command->name; command++) trib_guess_try(&guess, command->name);
    for (size_t t = 0; t < N_TOPICS; t++) trib_guess_try(&guess, topics[t].name);
    return trib_fail(error, TRIB_USAGE, "no help on '%s'%s", name, trib_guess_hint(&guess));
}

/* ---- The command ----------------------------------------------------------------------------- */

trib_status trib_command_help(const trib_command_line *line, trib_error *error) {
    const char *name = line->n_operands > 0 ? line->operand[0] : NULL;
    size_t n_written = 0;
    if (!name) {
        trib_help_page(line->table, NULL, line->out);
        return TRIB_OK;
    }
    const char *next = line->n_operands > 1 ? line->operand[1] : NULL;
    if (next && strcmp(name, "inputs") == 0) return write_vocabulary(next, line->out, error);
    const trib_command *command = trib_command_find(line->table, name, next);
    if (command || trib_command_is_group(line->table, name)) {
        if (command) trib_help_page(line->table, command, line->out);
        else trib_help_group(line->table, name, line->out);
        return TRIB_OK;
    }
    json_t *document = line->json ? json_pack("{s:i}", "schema", 1) : NULL;
    for (size_t t = 0; t < N_TOPICS; t++)
        if (strcmp(topics[t].name, name) == 0) {
            if (n_written++ > 0 && !document) trib_write_text(line->out, "\n");
            write_topic(&topics[t], line->out, document);
        }
    if (n_written > 0) return document ? trib_json_write(document, line->out, error) : TRIB_OK;
    json_decref(document);
    return unknown_topic(line->table->command, name, error);
}
