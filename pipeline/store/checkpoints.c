/* checkpoints.c - checkpoints of decompositions. They decide how much work is repeated, but never
 * change a result. */
#include "pipeline/store/checkpoints.h"
#include "base/internal.h"

#include <dirent.h>

#define FOLDER  "checkpoints"
#define SOONEST 10.0 /* shortest time between two checkpoints, in seconds */
#define SHARE   50.0 /* shortest time between them / time to write one */

static TRIB_PRINTF(3, 4) trib_status
    name_path(char path[TRIB_PATH_MAX], trib_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(path, TRIB_PATH_MAX, format, arguments);
    va_end(arguments);
    return n >= 0 && n < TRIB_PATH_MAX
               ? TRIB_OK
               : trib_fail(error, TRIB_OUTPUT, "%.200s...: path too long", path);
}

static trib_status save(void *context, const trib_cp_state *state, trib_error *error) {
    trib_kept_checkpoint *u = context;
    const double now = trib_log_seconds(u->log);
    const bool stops = trib_log_stopped(u->log, NULL) != TRIB_OK;
    if (state->is_done) return TRIB_OK;
    if (!stops && now - u->saved < fmax(SOONEST, SHARE * u->cost)) return TRIB_OK;
    const trib_status status = trib_checkpoint_write(state, u->work.text, u->path, error);
    u->saved = trib_log_seconds(u->log);
    u->cost = u->saved - now;
    return status;
}

/* Reads the checkpoint if there is one. If it cannot be used, the decomposition starts from the
 * beginning. */
static trib_status find(trib_kept_checkpoint *u, trib_error *error) {
    trib_reader reader;
    trib_error why = {0};
    if (!trib_disk_has(u->path)) return TRIB_OK;
    trib_status status = trib_reader_open_file(&reader, u->path, &why);
    if (status == TRIB_OK) {
        status = trib_checkpoint_read(&u->checkpoint, u->work.text, &reader, &why);
        trib_reader_close(&reader);
    }
    if (status == TRIB_MEMORY) return trib_fail(error, status, "%s", why.message);
    if (status != TRIB_OK)
        trib_log_say(u->log, TRIB_LOG_INFO, "%s: begun anew: %s", u->path, why.message);
    return TRIB_OK;
}

trib_status trib_checkpoints_begin(trib_kept_checkpoint *u, const trib_checkpoints *checkpoints,
                                   const char *name, trib_cp_options *options, trib_error *error) {
    const char *const directory = checkpoints->directory;
    *u = (trib_kept_checkpoint){.log = checkpoints->log};
    if (!directory) return TRIB_OK;
    u->saved = trib_log_seconds(u->log);
    trib_status status = name_path(u->path, error, "%s/" FOLDER, directory);
    if (status == TRIB_OK) status = trib_directory_create(u->path, error);
    if (status == TRIB_OK)
        status = name_path(u->path, error, "%s/" FOLDER "/%s.checkpoint", directory, name);
    if (status == TRIB_OK)
        status = trib_buffer_print(&u->work, error, TRIB_VERSION " %s %s %s", trib_kernel_set(),
                                   checkpoints->hash, name);
    if (status == TRIB_OK) status = find(u, error);
    if (status != TRIB_OK) return status;
    options->hook = (trib_cp_hook){save, u};
    if (u->checkpoint.number) options->resume = &u->checkpoint.state;
    return TRIB_OK;
}

void trib_kept_checkpoint_release(trib_kept_checkpoint *u) {
    trib_checkpoint_release(&u->checkpoint);
    trib_buffer_release(&u->work);
}

trib_status trib_checkpoints_remove(const char *directory, trib_error *error) {
    char path[TRIB_PATH_MAX], file[TRIB_PATH_MAX];
    const trib_status status = name_path(path, error, "%s/" FOLDER, directory);
    TRIB_OWNED(trib_arena) arena = {0};
    trib_names names;
    if (status == TRIB_OK && trib_disk_list(path, &names, &arena)) {
        for (size_t i = 0; i < names.n; i++)
            if (names.name[i][0] != '.' &&
                snprintf(file, sizeof file, "%s/%s", path, names.name[i]) < (int)sizeof file)
                (void)trib_disk_remove(file);
        (void)trib_disk_remove_folder(path);
        trib_sync_name(path);
    }
    return status;
}
