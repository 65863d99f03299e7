/* sweep.h - many runs of one experiment under different settings. It may use pipeline/report for
 * the page of several runs, pipeline/output for their results, and every room below them; the
 * command that runs the members is pipeline/program/sweep.c. The section of the configuration is
 * read in sweep.c, and tables and page are written in collect.c: a
 * new column of sweep.csv or members.csv belongs there.
 *
 *     sweep:
 *       grid:                   # every combination of these values, the last key fastest
 *         cp.rank: [10, 50]
 *         influence.methods: [lowe, [lowe, anchored]]
 *       list:                                  # and these
 *         - {preset: lowe-2018}
 *       exclude:                               # but none of these combinations
 *         - {cp.rank: 50, influence.methods: lowe}
 *       failures: 0                            # how many members may fail before the sweep stops
 *
 * A member is a run in DIRECTORY/runs/SETTINGS-HASH, whose file `status` has the state of the run.
 * The sweep stores no other state, so shards need no knowledge of each other. */
#ifndef TRIBUTARY_RUN_SWEEP_H
#define TRIBUTARY_RUN_SWEEP_H

#include "base/arena.h"
#include "pipeline/config/keys.h"

enum { TRIB_SWEEP_KEYS = 16, TRIB_SWEEP_MEMBERS = 10000 };

typedef struct trib_sweep_member {
    /* [n_keys] value of every key in printed form; NULL: as in the file */
    const char *value[TRIB_SWEEP_KEYS];
    const char *title;           /* "cp.rank=10, tensor.n=2" */
    const char *name;            /* of its run directory, without the path */
    const char *directory;       /* its run directory */
    char hash[TRIB_SHA256_TEXT]; /* of its configuration */
    trib_setting *setting;       /* [n_settings] those of the command line, then its own */
    size_t n_settings;
} trib_sweep_member;

/* `{0}` is empty. */
typedef struct trib_sweep {
    const trib_key *key[TRIB_SWEEP_KEYS]; /* [n_keys] the keys that vary, in order of appearance */
    uint32_t n_keys;
    trib_sweep_member *member; /* [n_members] */
    size_t n_members;
    uint64_t n_failures; /* how many members may fail */
    double time;         /* resources.time of the first member: the limit of the whole command */
    const char *directory;
    trib_arena arena; /* the members and their texts */
} trib_sweep;

/* Reads the section `sweep` of the experiment at `path` and loads the configuration of every member
 * once, so that all mistakes are found before the first run. `setting`, which is borrowed: the
 * command line's settings for all members. `directory` NULL: config.output with "sweep" for its
 * {hash8}. Every mistake is a diagnostic; the status then is TRIB_CONFIG. */
trib_status trib_sweep_load(trib_sweep *sweep, const char *path, const trib_setting *setting,
                            size_t n_settings, const char *directory,
                            trib_config_diagnostic complain, void *context, trib_error *error);
void trib_sweep_release(trib_sweep *sweep);

/* The members of shard `number` (from 1) of `n`: every n-th. */
typedef struct trib_shard {
    uint64_t number, n;
} trib_shard;
static inline bool trib_shard_holds(trib_shard shard, size_t member) {
    return member % shard.n == shard.number - 1;
}
/* Reads "I/N"; when `text` is NULL, the variables that Slurm sets for the task of an array, else
 * one shard of one. *from_slurm tells which. */
trib_status trib_shard_read(trib_shard *shard, const char *text, bool *from_slurm,
                            trib_error *error);

/* The state of a member. */
typedef enum { TRIB_MEMBER_ABSENT, TRIB_MEMBER_UNFINISHED, TRIB_MEMBER_COMPLETE } trib_member_state;
trib_member_state trib_sweep_state(const trib_sweep_member *member);
const char *trib_sweep_state_name(trib_member_state state);

/* Writes into the sweep's directory members.csv (a row for every member), sweep.csv (a row for
 * every share of every complete member, after the member's settings) and sweep.html (the members
 * side by side). *n_complete: the number of complete members. */
trib_status trib_sweep_collect(const trib_sweep *sweep, size_t *n_complete, trib_error *error);

#endif
