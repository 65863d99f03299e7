/* job.c - the run of a project: a process of its own, which holds a lock while it lives. Its
 * messages and its result are files in the folder of the state, so that a server that is started
 * anew finds the run again, and a server that ends, or is killed, does not end it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* F_OFD_GETLK */
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipeline/app/exchange.h"

#ifdef F_OFD_SETLK
#define GET_LOCK F_OFD_GETLK
#define SET_LOCK F_OFD_SETLK
#else
#define GET_LOCK F_GETLK
#define SET_LOCK F_SETLK
#endif

enum { NONE = -1 };

/* ---- Its files ------------------------------------------------------------------------------- */

static const char *job_file(trib_exchange *x, const char *ending) {
    return trib_arena_print(&x->arena, "%s/%s.%s", x->app->state, x->project->id, ending);
}

/* Whether a process holds the lock. */
static bool is_running(trib_exchange *x) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int file = x->app->state ? trib_disk_open(job_file(x, "lock"), O_RDWR) : -1;
    const bool is = file >= 0 && fcntl(file, GET_LOCK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (file >= 0) close(file);
    return is;
}

/* What is stored of the run: its process, and how it ended. NULL: there was none. */
static json_t *read_record(trib_exchange *x) {
    json_t *record = NULL;
    if (!x->app->state || !trib_disk_is_file(job_file(x, "job"))) return NULL;
    if (trib_json_load(&record, job_file(x, "job"), NULL) != TRIB_OK) return NULL;
    return record;
}

static trib_status write_record(const char *path, pid_t process, int result, trib_error *error) {
    char text[96];
    const int n =
        snprintf(text, sizeof text, "{\"process\": %d, \"result\": %d}\n", (int)process, result);
    return trib_write_whole(path, text, (size_t)n, error);
}

/* ---- What it does ---------------------------------------------------------------------------- */

/* How a run ended whose lock is free: by its exit status where this server saw it, else by its
 * result. */
static const char *state_of(trib_exchange *x, const json_t *record, json_t *job) {
    json_t *result = NULL;
    const json_int_t exit_status = json_integer_value(json_object_get(record, "result"));
    (void)trib_json_load(&result, job_file(x, "result"), NULL);
    const char *folder = trib_json_get_text(result, "directory"), *slash = strrchr(folder, '/');
    const bool is_done = exit_status == 0 || (exit_status == NONE && *folder);
    if (is_done && *folder)
        json_object_set_new(job, "run", trib_json_text(slash ? slash + 1 : folder));
    json_decref(result);
    if (is_done) return "finished";
    return exit_status == NONE || exit_status > 128 || exit_status == 75 ? "stopped" : "failed";
}

trib_status trib_app_job_get(trib_exchange *x, trib_error *error) {
    json_t *record = read_record(x), *job = json_object();
    trib_buffer progress = {0};
    if (!record) return trib_app_answer(x, error, "o", job);
    (void)trib_read_whole(job_file(x, "progress"), &progress, NULL);
    const char *state = !is_running(x)          ? state_of(x, record, job)
                        : x->project->is_paused ? "paused"
                                                : "running";
    json_object_set_new(job, "state", json_string(state));
    json_object_set_new(job, "progress", trib_json_text(progress.length > 0 ? progress.text : ""));
    json_decref(record);
    trib_buffer_release(&progress);
    return trib_app_answer(x, error, "o", job);
}

/* ---- Start, pause, stop ---------------------------------------------------------------------- */

/* A process to wait for. */
typedef struct watched {
    pid_t process;
    char record[TRIB_PATH_MAX];
} watched;

/* Waits for the end of a run in a thread of its own, and records it. */
static void *watch(void *context) {
    watched *w = context;
    int result = 0;
    while (waitpid(w->process, &result, 0) < 0 && errno == EINTR) continue;
    (void)write_record(w->record, w->process,
                       WIFEXITED(result) ? WEXITSTATUS(result) : 128 + WTERMSIG(result), NULL);
    trib_free(w);
    return NULL;
}

/* Opens a file of the run anew. */
static int open_new(trib_exchange *x, const char *ending) {
    return trib_disk_open(job_file(x, ending), O_RDWR | O_CREAT | O_TRUNC);
}

/* Starts the process, which inherits the lock. */
static trib_status start(trib_exchange *x, int lock, trib_error *error) {
    int file[4] = {trib_disk_open("/dev/null", O_RDONLY), open_new(x, "result"),
                   open_new(x, "progress"), lock};
    watched *w = NULL;
    int process = 0;
    pthread_t thread;
    trib_status status = TRIB_NEW(&w, 1, "a run", error);
    if (status == TRIB_OK && (file[1] < 0 || file[2] < 0))
        status = trib_fail(error, TRIB_OUTPUT, "%s: cannot be written: %s", x->app->state,
                           strerror(errno));
    if (status == TRIB_OK) snprintf(w->record, sizeof w->record, "%s", job_file(x, "job"));
    if (status == TRIB_OK)
        status = trib_app_start(&process, x, NULL,
                                TRIB_WORDS("run", "--progress", "json", "--json", "--verbose",
                                           "--resume", TRIB_APP_EXPERIMENT),
                                file, error);
    if (status == TRIB_OK) {
        w->process = process;
        status = write_record(w->record, process, NONE, error);
        if (pthread_create(&thread, NULL, watch, w) == 0) pthread_detach(thread);
    } else trib_free(w);
    for (int i = 0; i < 3; i++)
        if (file[i] >= 0) close(file[i]);
    return status;
}

trib_status trib_app_run_post(trib_exchange *x, trib_error *error) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (!x->app->state)
        return trib_fail(error, TRIB_OUTPUT, "neither HOME nor XDG_STATE_HOME is set");
    trib_status status = trib_directory_create(x->app->state, error);
    if (status != TRIB_OK) return status;
    pthread_mutex_lock(&x->app->lock);
    const int lock = trib_disk_open(job_file(x, "lock"), O_RDWR | O_CREAT);
    if (lock < 0)
        status = trib_fail(error, TRIB_OUTPUT, "%s: cannot be written: %s", job_file(x, "lock"),
                           strerror(errno));
    else if (fcntl(lock, SET_LOCK, &whole) != 0)
        status = trib_app_refuse(x, 409, error,
                                 "a run of this project is going on; wait for its "
                                 "end, or stop it");
    if (status == TRIB_OK) status = start(x, lock, error);
    if (status == TRIB_OK) x->project->is_paused = false;
    if (lock >= 0) close(lock);
    pthread_mutex_unlock(&x->app->lock);
    if (status != TRIB_OK) return status;
    x->status = 202;
    return trib_app_job_get(x, error);
}

trib_status trib_app_job_post(trib_exchange *x, trib_error *error) {
    static const struct {
        const char *action;
        int signal[2];
    } actions[] = {{"pause", {SIGSTOP, 0}}, {"resume", {SIGCONT, 0}}, {"stop", {SIGTERM, SIGCONT}}};
    const char *action = trib_json_get_text(x->json, "action");
    size_t a = 0;
    while (a < 3 && strcmp(actions[a].action, action) != 0) a++;
    if (a == 3) return trib_app_refuse(x, 400, error, "'action' is pause, resume or stop");
    pthread_mutex_lock(&x->app->lock);
    json_t *record = read_record(x);
    const pid_t process = (pid_t)json_integer_value(json_object_get(record, "process"));
    const bool runs = record && process > 1 && is_running(x);
    for (int i = 0; runs && i < 2 && actions[a].signal[i]; i++)
        kill(-process, actions[a].signal[i]);
    if (runs) x->project->is_paused = a == 0;
    json_decref(record);
    pthread_mutex_unlock(&x->app->lock);
    return runs ? trib_app_job_get(x, error)
                : trib_app_refuse(x, 409, error, "no run of this project is going on");
}
