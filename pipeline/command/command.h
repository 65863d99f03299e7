/* command.h - what the command line asked for, and the commands that do it. Private to pipeline. */
#ifndef TRIBUTARY_COMMAND_COMMAND_H
#define TRIBUTARY_COMMAND_COMMAND_H

#include "pipeline/comm/communicator.h"
#include "pipeline/config/config.h"
#include "pipeline/support/log.h"

/* Everything a command line can say; flags fill it through the tables of commands and flags. `{0}`
 * is empty. */
typedef struct trib_command_line {
    const struct trib_command_table *table; /* by which it was read */
    const char *program;                    /* argv[0], for messages that say what to type */
    trib_comm team;                         /* who does it */
    const char *directory;                  /* -C */
    uint64_t n_threads;                     /* -j; 0: as configured */
    const char *seed;                       /* --seed: cp.seed, over every --set */
    trib_setting *setting;                  /* [n_settings] of --set and --seed, later ones win */
    size_t n_settings, setting_cap;
    bool quiet, verbose;
    int log_level; /* a trib_log_level + 1; 0: not said */
    int progress;  /* a trib_show + 1 */
    int color;     /* a trib_color + 1 */
    bool json, strict, help;
    const char *cache_directory; /* --cache-dir */
    bool no_cache;
    const char *older_than, *max_size; /* cache gc */
    const char *output;                /* -o */
    const char *until;
    const char *from; /* cp: a .ktns to begin with */
    bool dry_run, resume, print_config, markdown, man;
    bool collect, keep_going; /* sweep */
    const char *shard;        /* sweep: "I/N" */
    const char *threshold;
    const char *source, *target; /* explain */
    uint64_t top;
    int base, form;        /* choices of `tensor`, from 1; 0: not said */
    const char *words;     /* --words */
    const char *tolerance; /* --tolerance */
    bool nearest;          /* distance */
    const char *group;     /* the first word of a command of two, while the second is not known */
    const char *run, *noise, *n;         /* synth */
    const char *mirror, *wait, *timeout; /* fetch */
    /* [n_operands] what is not a flag, without the command's name; borrowed from argv */
    const char **operand;
    size_t n_operands, operand_cap;
} trib_command_line;

/* How a flag's argument is read into its field of trib_command_line. */
typedef enum {
    TRIB_FLAG_SWITCH,
    TRIB_FLAG_TEXT,
    TRIB_FLAG_WHOLE,
    TRIB_FLAG_CHOICE,
    TRIB_FLAG_SETTING
} trib_flag_kind;

typedef struct trib_flag {
    const char *name; /* "--threads"; ends a table when NULL */
    char letter;      /* 'j', or 0 */
    /* shown in help: "N"; for a choice: "auto|bar|plain"; NULL for a switch */
    const char *argument;
    trib_flag_kind kind;
    size_t field; /* offset in trib_command_line */
    const char *help;
} trib_flag;

/* Does a command. What it finds goes to `out`, standard output, which is committed afterwards;
 * everything else to the log. */
typedef trib_status trib_command_work(const trib_command_line *line, trib_log *log,
                                      trib_writer *out, trib_error *error);

typedef struct trib_command {
    const char *name; /* one word, or two: "tensor stats"; ends the table when NULL */
    const char *operands;
    size_t n_min, n_max;
    const char *help;      /* one line */
    const char *more;      /* a paragraph */
    const trib_flag *flag; /* its own; NULL: none */
    trib_command_work *work;
} trib_command;

/* Everything that can be said on a command line. */
typedef struct trib_command_table {
    const trib_command *command; /* ends with a row whose name is NULL */
    const trib_flag *flag;       /* of every command */
} trib_command_table;
extern const trib_command_table trib_commands; /* commands.c */

/* Reads a command line. *command is NULL when it names none. TRIB_USAGE with what is wrong and what
 * was probably meant; what was read before is filled in even then. */
trib_status trib_command_line_read(trib_command_line *line, const trib_command_table *table,
                                   const trib_command **command, int argc, char **argv,
                                   trib_error *error);
void trib_command_line_release(trib_command_line *line);
/* Where a command line is wrong before --progress: looks for that flag alone, so that the error is
 * shown as it asks. */
void trib_command_find_progress(trib_command_line *line, int argc, char **argv);
/* -j, or as configured, or all there are. */
int trib_command_threads(const trib_command_line *line, const trib_config *config);
/* From now on the program keeps to resources.memory, and to what the container or ulimit -v leaves:
 * for commands of a single stage. */
void trib_command_limit_memory(const trib_command_line *line, const trib_config *config);

/* The row named `word`, or "word next" (`next` may be NULL); NULL when there is none. */
const trib_command *trib_command_find(const trib_command_table *table, const char *word,
                                      const char *next);
/* What follows `word` in the name of a command: "" when it is all of it, the second word, or
 * NULL. */
const char *trib_command_rest(const trib_command *command, const char *word);
/* Whether commands of two words begin with `word`. */
bool trib_command_is_group(const trib_command_table *table, const char *word);

/* The commands, a file each, or a file for those that belong together. */
trib_command_work trib_command_run, trib_command_sweep, trib_command_check, trib_command_init,
    trib_command_report, trib_command_explain, trib_command_cp, trib_command_synth,
    trib_command_version, trib_command_help, trib_command_cache_ls, trib_command_cache_gc,
    trib_command_verify, trib_command_compare, trib_command_cite, trib_command_kwic,
    trib_command_doctor, trib_command_completion, trib_command_ingest, trib_command_tokens,
    trib_command_vocab, trib_command_distance, trib_command_influence, trib_command_fetch_gutenberg,
    trib_command_tensor_build, trib_command_tensor_convert, trib_command_tensor_check,
    trib_command_tensor_stats, trib_command_tensor_get, trib_command_tensor_slice,
    trib_command_tensor_ttv, trib_command_tensor_ttm, trib_command_tensor_add,
    trib_command_tensor_subtract, trib_command_tensor_times, trib_command_tensor_pair,
    trib_command_tensor_find, trib_command_tensor_mask, trib_command_tensor_inner,
    trib_command_tensor_reduce, trib_command_tensor_norm, trib_command_tensor_compare;

#define TRIB_GUTENBERG_MIRROR "https://aleph.pglaf.org"
/* The manual page, in roff. */
void trib_help_man(const trib_command_table *table, trib_writer *out);
/* "components of each decomposition; default 100": what a key is for, its values, its default. */
struct trib_key;
void trib_help_key(const struct trib_key *key, char *text, size_t size);
/* The i-th topic of help, each once; NULL behind the last. */
const char *trib_help_topic(size_t i);
/* A library that need not be there. */
typedef struct trib_extra {
    const char *feature, *library, *package, *version; /* version NULL: not in this build */
} trib_extra;
enum { TRIB_N_EXTRAS = 6 };
extern const trib_extra trib_extras[TRIB_N_EXTRAS];
const char *trib_extra_version(int i); /* of row i, of MPI in tributary-mpi */
/* The page of one command; of the whole program when it is NULL. */
void trib_help_page(const trib_command_table *table, const trib_command *command, trib_writer *out);
/* The commands of two words that begin with `word`. */
void trib_help_group(const trib_command_table *table, const char *word, trib_writer *out);

#endif
