/* command.h - the program `tributary`: reading a command line, the types of the tables of commands
 * and flags, and the commands, each in a file of this room. The tables are in commands.txt; the
 * help, the manual page and the completion of shells are made from them. For a new flag add a field
 * to trib_command_line here and a flag to commands.txt; for a new command declare its function
 * below, write it in a file here, and add it to commands.txt. */
#ifndef TRIBUTARY_PROGRAM_COMMAND_H
#define TRIBUTARY_PROGRAM_COMMAND_H

#include "base/arena.h"
#include "pipeline/comm/comm.h"
#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/support/log.h"
#include "pipeline/support/path.h"

/* The words of a command line. The tables of flags say which flag sets which field. `{0}` is
 * valid and empty. */
typedef struct trib_command_line {
    const struct trib_command_table *table; /* the tables that it was read with */
    const struct trib_command *command;     /* the command that it names; NULL: none */
    const char *program;                    /* argv[0], for messages that show a command to type */
    trib_comm comm;                         /* the processes of this run */
    trib_log *log;                          /* for messages */
    trib_writer
        *out; /* for the result; it goes to standard output when the command has succeeded */
    const char *directory; /* -C */
    uint64_t n_threads;    /* -j; 0: resources.threads */
    int kernels;           /* a set of them + 2; 0: not given, 1: auto */
    const char *seed;      /* --seed: sets cp.seed, after every --set */
    /* [n_settings] --set and --seed; a later one overrides an earlier one */
    trib_setting *setting;
    size_t n_settings, setting_cap;
    bool quiet, verbose;
    int log_level; /* a trib_log_level + 1; 0: not given */
    int progress;  /* a trib_show + 1; 0: not given */
    int color;     /* a trib_color + 1; 0: not given */
    bool json, strict, help;
    const char *cache_directory; /* --cache-dir */
    bool no_cache;
    const char *older_than, *max_size; /* cache gc */
    const char *output;                /* -o */
    const char *until;
    trib_buffer targets; /* run --target, a YAML list: sets corpus.target after every --set */
    const char *from;    /* cp: the .ktns file to start from */
    const char *missing; /* cp: the tensor file whose cells are not known */
    bool dry_run, resume, print_config;
    bool collect, keep_going;        /* sweep */
    const char *shard;               /* sweep: "I/N" */
    const char *judgements;          /* report, publish */
    uint64_t year;                   /* publish; 0: that of the program */
    const char *source, *target;     /* explain */
    bool account;                    /* ingest */
    bool repair;                     /* index check */
    const char *dictionary, *learnt; /* translations */
    uint64_t top;
    int base, form;        /* choices of `tensor`, numbered from 1; 0: not given */
    const char *words;     /* --words */
    const char *tolerance; /* --tolerance */
    /* the first word of a command of two words, until its second word is read */
    const char *group;
    const char *mirror, *wait, *timeout;               /* fetch */
    const char *catalogue, *language, *texts, *layout; /* fetch */
    const char *listen;                                /* app */
    uint64_t port;                                     /* app; 0: a free one */
    bool read_only, no_browser;                        /* app */
    /* [n_operands] the arguments that are not flags, without the name of the command; the
     * pointers point into argv */
    const char **operand;
    size_t n_operands, operand_cap;
    trib_arena arena;  /* texts of settings, and runs that stand in place of folders */
    trib_names sealed; /* runs whose folders are sealed until the line is released */
} trib_command_line;

/* How the argument of a flag is converted and stored in its field of trib_command_line. */
typedef enum {
    TRIB_FLAG_SWITCH,
    TRIB_FLAG_TEXT,
    TRIB_FLAG_WHOLE,
    TRIB_FLAG_CHOICE,
    TRIB_FLAG_ITEM, /* may be repeated: adds a text to a YAML list */
    TRIB_FLAG_SETTING
} trib_flag_kind;

typedef struct trib_flag {
    const char *name; /* "--threads"; NULL ends a table */
    char letter;      /* 'j'; 0: none */
    /* the argument as help shows it: "N", or for a choice "auto|bar|plain"; NULL for a switch */
    const char *argument;
    trib_flag_kind kind;
    size_t field; /* offset of the field in trib_command_line */
    const char *help;
} trib_flag;

/* Runs a command. */
typedef trib_status trib_command_work(const trib_command_line *line, trib_error *error);

/* The work of a command `tensor` (tools.h). */
struct trib_tensor_job;
typedef trib_status trib_tensor_work(struct trib_tensor_job *job, trib_error *error);

typedef struct trib_command {
    const char *name; /* one word, or two: "tensor stats"; NULL ends the table */
    const char *operands;
    size_t n_min, n_max;
    const char *help;      /* one line of help */
    const char *more;      /* a paragraph of help */
    const trib_flag *flag; /* the flags of this command alone; NULL: none */
    trib_command_work *work;
    trib_tensor_work *tensor; /* what trib_command_tensor does; NULL: of another command */
} trib_command;

/* The commands and flags that a command line can contain. */
typedef struct trib_command_table {
    const trib_command *command; /* ends with a row whose name is NULL */
    const trib_flag *flag;       /* flags that every command accepts */
} trib_command_table;
extern const trib_command_table trib_commands; /* made from commands.txt */

/* Reads a command line. Returns TRIB_USAGE, with the mistake and the word that was probably meant,
 * for a line that is wrong; `line` then contains what was read before the mistake. */
trib_status trib_command_line_read(trib_command_line *line, const trib_command_table *table,
                                   int argc, char **argv, trib_error *error);
void trib_command_line_release(trib_command_line *line);
/* Looks for --progress alone, in a command line that is wrong somewhere before it, so that the
 * error is shown in the form which the user asked for. */
void trib_command_find_progress(trib_command_line *line, int argc, char **argv);
/* The number of threads: -j, else resources.threads, else one for each processor. */
int trib_command_threads(const trib_command_line *line, const trib_config *config);
/* Limits the memory of the process to resources.memory and to what the container or ulimit -v
 * leaves. For commands that are a single stage; a run sets its own limit. */
void trib_command_limit_memory(const trib_command_line *line, const trib_config *config);

/* The command named `word`, or "word next" (`next` may be NULL); NULL when there is none. */
const trib_command *trib_command_find(const trib_command_table *table, const char *word,
                                      const char *next);
/* The part of the command's name after `word`: "" when the name is `word`, its second word, or
 * NULL when the name begins with another word. */
const char *trib_command_rest(const trib_command *command, const char *word);
/* Finds a flag of all commands, or of `command` (may be NULL), by its long name of `length` bytes
 * or, when `length` is 0, by its letter. NULL when there is none. */
const trib_flag *trib_flag_find(const trib_command_table *table, const trib_command *command,
                                const char *name, size_t length, char letter);
/* Whether `word` is the first word of commands of two words. */
bool trib_command_is_group(const trib_command_table *table, const char *word);

/* The commands. Commands that differ little share a file. */
trib_command_work trib_command_run, trib_command_sweep, trib_command_check, trib_command_init,
    trib_command_report, trib_command_explain, trib_command_read, trib_command_cp,
    trib_command_version, trib_command_help, trib_command_cache_ls, trib_command_cache_gc,
    trib_command_verify, trib_command_compare, trib_command_cite, trib_command_kwic,
    trib_command_doctor, trib_command_completion, trib_command_ingest, trib_command_tokens,
    trib_command_fetch_gutenberg, trib_command_tensor, trib_command_documents,
    trib_command_index_add, trib_command_index_remove, trib_command_index_ls,
    trib_command_index_check, trib_command_index_gc, trib_command_index_find, trib_command_phrasing,
    trib_command_translations, trib_command_table_learn, trib_command_table_join, trib_command_app,
    trib_command_publish;

/* Loads the experiment of the operands from `first` on: the one that is named, or one about the
 * files and folders, of which texts that cannot be read are left out; languages are guessed when
 * `first` is 0. `more` settings come before those of the line (documents.c). */
trib_status trib_texts_load(trib_config *config, const trib_command_line *line, size_t first,
                            const trib_setting *more, size_t n_more, trib_error *error);

/* ---- Help (help.c) --------------------------------------------------------------------------- */

/* The i-th topic of help, each once; NULL when there are fewer. */
const char *trib_help_topic(size_t i);
/* Writes the help of one command; of the whole program when `command` is NULL. */
void trib_help_page(const trib_command_table *table, const trib_command *command, trib_writer *out);
/* Writes the help of the commands of two words that begin with `word`. */
void trib_help_group(const trib_command_table *table, const char *word, trib_writer *out);

/* The scripts of completion/, embedded by the build: name of the shell, script. Ends with a row
 * whose name is NULL. */
extern const trib_embedded_file trib_completions[];

/* ---- The experiment that a command line of `run` means (experiment.c) ------------------------ */

/* The files that `tributary init` writes, corpora/carrow-bay, embedded by the build. Ends with a
 * row whose name is NULL. */
extern const trib_embedded_file trib_small_corpus[];

/* The configuration that a command line names, or one about the texts that it names. `{0}` is
 * empty. */
typedef struct trib_experiment_named {
    char *path;       /* of the configuration */
    char *folder;     /* of an experiment about texts; NULL: a configuration was named */
    trib_draft draft; /* of an experiment about texts */
} trib_experiment_named;
/* Finds the experiment. Of texts, writes its YAML into the folder, except in a dry run; an
 * experiment.yaml that differs is renamed. All ranks must call it. */
trib_status trib_experiment_find(trib_experiment_named *named, const trib_command_line *line,
                                 trib_error *error);
void trib_experiment_named_release(trib_experiment_named *named);

#endif
