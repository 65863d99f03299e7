/* checkpoints.c - checkpoints of the decompositions of a run. They decide when work is done again, never what comes out. */
#include "pipeline/run/checkpoints.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/output/directory.h"

#define FOLDER  "checkpoints"
#define SOONEST 10.0 /* seconds between two */
#define SHARE   50.0 /* times what writing one takes */

static trib_status save(void *context, const trib_cp_state *state, trib_error *error) {
    trib_checkpoints *u = context;
    const double now = trib_log_seconds(u->run->log);
    const bool stops = trib_log_stopped(u->run->log, NULL) != TRIB_OK;
    if (state->is_done) return TRIB_OK;
    if (!stops && now - u->saved < fmax(SOONEST, SHARE * u->cost)) return TRIB_OK;
    const trib_status status = trib_checkpoint_write(state, u->work.text, u->path, error);
    u->saved = trib_log_seconds(u->run->log);
    u->cost = u->saved - now;
    return status;
}

/* What cannot be gone on from is begun anew. */
static trib_status find(trib_checkpoints *u, trib_error *error) {
    trib_reader reader;
    trib_error why = {0};
    if (access(u->path, F_OK) != 0) return TRIB_OK;
    trib_status status = trib_reader_open_file(&reader, u->path, &why);
    if (status == TRIB_OK) {
        status = trib_checkpoint_read(&u->checkpoint, u->work.text, &reader, &why);
        trib_reader_close(&reader);
    }
    if (status == TRIB_MEMORY) return trib_fail(error, status, "%s", why.message);
    if (status != TRIB_OK)
        trib_log_say(u->run->log, TRIB_LOG_INFO, "%s: begun anew: %s", u->path, why.message);
    return TRIB_OK;
}

trib_status trib_checkpoints_begin(trib_checkpoints *u, const trib_run *run, const char *name,
                                   trib_cp_options *options, trib_error *error) {
    *u = (trib_checkpoints){.run = run, .saved = trib_log_seconds(run->log)};
    if (!run->is_open) return TRIB_OK;
    trib_status status = trib_run_path(run, u->path, error, FOLDER);
    if (status == TRIB_OK) status = trib_directory_create(u->path, error);
    if (status == TRIB_OK)
        status = trib_run_path(run, u->path, error, FOLDER "/%s.checkpoint", name);
    if (status == TRIB_OK)
        status = trib_buffer_print(&u->work, error, TRIB_VERSION " %s %s %s", trib_kernel_set(),
                                   run->hash, name);
    if (status == TRIB_OK) status = find(u, error);
    if (status != TRIB_OK) return status;
    options->hook = (trib_cp_hook){save, u};
    if (u->checkpoint.number) options->resume = &u->checkpoint.state;
    return TRIB_OK;
}

void trib_checkpoints_release(trib_checkpoints *u) {
    trib_checkpoint_release(&u->checkpoint);
    trib_buffer_release(&u->work);
}

trib_status trib_checkpoints_over(const trib_run *run, trib_error *error) {
    return run->is_open ? trib_checkpoints_forget(run, error) : TRIB_OK;
}

trib_status trib_checkpoints_forget(const trib_run *run, trib_error *error) {
    char path[TRIB_PATH_MAX], file[TRIB_PATH_MAX];
    const trib_status status = trib_run_path(run, path, error, FOLDER);
    DIR *directory = status == TRIB_OK ? opendir(path) : NULL;
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.' &&
            snprintf(file, sizeof file, "%s/%s", path, entry->d_name) < (int)sizeof file)
            (void)unlink(file);
    if (directory) {
        closedir(directory);
        (void)rmdir(path);
        trib_sync_name(path);
    }
    return status;
}
