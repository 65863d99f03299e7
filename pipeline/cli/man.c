/* man.c - `tributary help --man`: makes the manual page, in roff, from the tables of commands,
 * flags, keys and exit statuses. */
#include <stdio.h>

#include "pipeline/command/command.h"
#include "pipeline/config/keys.h"

/* Writes text for troff: escapes backslashes, hyphens, which must stay ASCII, and a control
 * character at the start of a line. */
static void write_roff(trib_writer *out, const char *text) {
    if (*text == '.' || *text == '\'') trib_write_text(out, "\\&");
    for (; *text; text++) {
        if (*text == '\\') trib_write_text(out, "\\e");
        else if (*text == '-') trib_write_text(out, "\\-");
        else if (*text == '`') continue; /* the help of keys marks code with backquotes */
        else trib_write(out, text, 1);
    }
}

/* Writes a tagged paragraph: `tag` in bold, `argument` in italics, then `text`. */
static void write_item(trib_writer *out, const char *tag, const char *argument, const char *text) {
    trib_write_text(out, ".TP\n\\fB");
    write_roff(out, tag);
    trib_write_text(out, "\\fR");
    if (argument && *argument) {
        trib_write_text(out, " \\fI");
        write_roff(out, argument);
        trib_write_text(out, "\\fR");
    }
    trib_write_text(out, "\n");
    write_roff(out, text);
    trib_write_text(out, "\n");
}

static void write_flags(trib_writer *out, const trib_flag *flag) {
    for (; flag && flag->name; flag++) {
        char tag[64];
        if (flag->letter) snprintf(tag, sizeof tag, "-%c, %s", flag->letter, flag->name);
        else snprintf(tag, sizeof tag, "%s", flag->name);
        write_item(out, tag, flag->argument, flag->help);
    }
}

void trib_help_key(const trib_key *key, char *text, size_t size) {
    int used = snprintf(text, size, "%s", key->help);
    for (size_t i = 0; used > 0 && (size_t)used < size; i++) {
        const char *choice = trib_key_choice_at(key, i).name;
        if (!choice) break;
        used += snprintf(text + used, size - (size_t)used, "%s%s", i == 0 ? ": " : "|", choice);
    }
    if (key->standard && *key->standard && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "; default %s", key->standard);
}

static void write_keys(trib_writer *out) {
    for (const trib_key *key = trib_keys; key->path; key++) {
        char text[512];
        trib_help_key(key, text, sizeof text);
        write_item(out, key->path, NULL, text);
    }
}

void trib_help_man(const trib_command_table *table, trib_writer *out) {
    trib_print(out,
               ".TH TRIBUTARY 1 \"\" \"tributary %s\"\n.SH NAME\ntributary \\- which earlier texts "
               "flow into this one, how much, and through which phrases\n.SH SYNOPSIS\n.B "
               "tributary\n.I COMMAND\n.RI [ FLAG ]...\n.SH COMMANDS\n",
               TRIB_VERSION);
    for (const trib_command *command = table->command; command->name; command++) {
        write_item(out, command->name, command->operands, command->more);
        if (!command->flag) continue;
        trib_write_text(out, ".RS\n");
        write_flags(out, command->flag);
        trib_write_text(out, ".RE\n");
    }
    trib_write_text(out, ".SH FLAGS OF EVERY COMMAND\n");
    write_flags(out, table->flag);
    trib_write_text(out, ".SH CONFIGURATION\nA configuration is YAML; every key can also be given "
                         "as\n.BR \\-\\-set \" KEY=VALUE\" .\n");
    write_keys(out);
    trib_write_text(out, ".SH EXIT STATUS\n");
    for (unsigned s = 0; s < TRIB_N_STATUSES; s++) {
        const trib_status_row *row = trib_status_get((trib_status)s);
        char number[24];
        snprintf(number, sizeof number, "%d", row->exit_status);
        write_item(out, number, NULL, row->meaning);
    }
    trib_write_text(out, ".SH EXAMPLE\n.nf\ntributary init\ntributary run experiment.yaml\n.fi\n");
}
