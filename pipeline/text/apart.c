/* apart.c - starts the processes that work apart, sends them works, and does them there. */
#include "pipeline/text/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL /* not on macOS, where there is no sandbox */
#define MSG_NOSIGNAL 0
#endif
#ifndef SOCK_CLOEXEC
#define SOCK_CLOEXEC 0
#endif

#include "base/system.h"
#include "pipeline/support/signals.h"
#include "pipeline/text/archive.h"
#include "pipeline/text/programs.h"

enum { LEAST_MEMORY = 1 << 30 };

/* What comes before the bytes of a work, and of an answer. The process executes the same program,
 * so that functions and rows lie at the same distance from trib_apart_serve in both. */
typedef struct request {
    intptr_t work;
    size_t n_name, n_ask, n_bytes;
    bool is_mapped; /* the bytes are those of the descriptor that comes with it */
    unsigned seconds;
    trib_budget budget;
    uint64_t n_spent;
} request;
typedef struct reply {
    size_t n_bytes;
    uint64_t n_spent;
    trib_status status;
    trib_error error;
} reply;

struct trib_apart_process {
    int socket;
    pid_t id;
    trib_apart_process *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static trib_apart_process *idle;
static trib_apart_process lost;        /* stands for one that has ended */
static unsigned seconds_each;          /* 0: nothing is done apart */
static const char *_Atomic no_sandbox; /* why; NULL: there is one, or it is unknown */

void trib_pack_string(trib_pack *pack, char **text) {
    size_t n = !pack->reads && *text ? strlen(*text) + 1 : 0;
    trib_pack_list(pack, text, &n, 1, "a text");
    if (pack->reads && n > 0) trib_pack_expect(pack, (*text)[n - 1] == '\0');
}

void trib_pack_buffer(trib_pack *pack, void *buffer) {
    trib_buffer *const b = buffer;
    size_t n = b->length;
    TRIB_PACK(pack, n);
    if (!pack->reads) trib_pack_bytes(pack, b->text, n);
    trib_pack_expect(pack, n <= (size_t)(pack->end - pack->at));
    if (!pack->reads || !trib_pack_is_good(pack)) return;
    (void)trib_buffer_add(b, pack->at, n, &pack->failure);
    pack->at += n;
}

void trib_pack_function(trib_pack *pack, void (**function)(void)) {
    intptr_t distance = *function ? (intptr_t)*function - (intptr_t)trib_apart_serve : 0;
    TRIB_PACK(pack, distance);
    *function = distance ? (void (*)(void))((intptr_t)trib_apart_serve + distance) : NULL;
}

void trib_apart_release_buffer(void *buffer) { trib_buffer_release(buffer); }

/* ---- Both ends ------------------------------------------------------------------------------- */

/* Sends or receives n bytes, and the descriptor, if any. False when the other end is closed, or
 * when this program is asked to stop; a process that does not answer until a time is killed. */
static bool carry(const trib_apart_process *p, void *bytes, size_t n, bool sends, int *descriptor,
                  double until) {
    while (n > 0) {
        union {
            struct cmsghdr head;
            char space[64]; /* more than CMSG_SPACE(sizeof(int)), which macOS has no constant for */
        } with = {{0}};
        struct iovec part = {bytes, n};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
        if (descriptor)
            message.msg_control = &with, message.msg_controllen = CMSG_SPACE(sizeof(int));
        if (descriptor && sends) {
            with.head.cmsg_level = SOL_SOCKET;
            with.head.cmsg_type = SCM_RIGHTS;
            with.head.cmsg_len = CMSG_LEN(sizeof(int));
            memcpy(CMSG_DATA(&with.head), descriptor, sizeof *descriptor);
        }
        const ssize_t done =
            sends ? sendmsg(p->socket, &message, MSG_NOSIGNAL) : recvmsg(p->socket, &message, 0);
        if (done > 0) {
            if (descriptor && !sends && message.msg_controllen >= CMSG_LEN(sizeof(int)))
                memcpy(descriptor, CMSG_DATA(&with.head), sizeof *descriptor);
            bytes = (char *)bytes + done, n -= (size_t)done, descriptor = NULL;
        } else if (done == 0 || (errno != EAGAIN && errno != EINTR) || trib_stop_asked()) {
            return false;
        } else if (trib_monotonic_seconds() > until) {
            kill(p->id, SIGPROF); /* it does nothing */
        }
    }
    return true;
}

/* Receives n bytes into a buffer. */
static bool receive(const trib_apart_process *p, trib_buffer *to, size_t n, double until) {
    trib_buffer_clear(to);
    if (n > TRIB_UNPACKED_MOST) return false;
    to->failure = trib_grow(&to->text, &to->cap, n + 1, 1, "a text", NULL);
    if (to->failure != TRIB_OK) return false;
    to->length = n;
    to->text[n] = '\0';
    return carry(p, to->text, n, false, NULL, until);
}

/* ---- The program ----------------------------------------------------------------------------- */

/* Ends a process, and says how it ended. */
static int end(trib_apart_process *process) {
    int result = 0;
    kill(process->id, SIGKILL); /* unless it has ended already */
    close(process->socket);
    while (waitpid(process->id, &result, 0) < 0 && errno == EINTR) continue;
    trib_free(process);
    return result;
}

static int spawn(pid_t *id, int socket) {
    char number[24], word[] = TRIB_APART_WORD, name[] = "tributary";
    char *arguments[] = {name, word, number, NULL};
    extern char **environ;
    posix_spawn_file_actions_t files;
    snprintf(number, sizeof number, "%llu", (unsigned long long)trib_budget_now().programs);
    posix_spawn_file_actions_init(&files);
    int failure = posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
    if (failure == 0)
        failure = posix_spawn(id, trib_program_file(), &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

/* Starts a process, which says first whether it is in a sandbox; NULL when it is not. */
static trib_status start(trib_apart_process **process, trib_error *error) {
    const struct timeval moment = {0, 100000}; /* between two looks whether to stop */
    int ends[2] = {-1, -1};
    intptr_t why = 0; /* there is no sandbox */
    trib_status status = TRIB_NEW(process, 1, "a process", error);
    if (status != TRIB_OK) return status;
    int failure = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
    if (failure == 0) failure = spawn(&(*process)->id, ends[1]);
    if (ends[1] >= 0) close(ends[1]);
    (*process)->socket = ends[0];
    if (failure == 0) {
        setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof moment);
        setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &moment, sizeof moment);
        const bool says = carry(*process, &why, sizeof why, false, NULL, HUGE_VAL);
        if (says && why == 0) return TRIB_OK;
        (void)end(*process);
        no_sandbox = says ? (const char *)((intptr_t)trib_apart_serve + why)
                          : "the process for it ends at once";
    } else {
        if (ends[0] >= 0) close(ends[0]);
        trib_free(*process);
        if (failure == ENOENT) no_sandbox = "/proc is not there";
    }
    *process = NULL;
    return no_sandbox ? trib_stop_check(error)
                      : trib_fail(error, TRIB_MEMORY,
                                  "no process can be started to read texts in: %s; raise the "
                                  "limits of processes and files (ulimit), or set "
                                  "resources.sandbox to false",
                                  strerror(failure));
}

trib_status trib_apart_open(trib_apart_process **process, trib_error *error) {
    *process = NULL;
    if (seconds_each == 0 || no_sandbox || !trib_budget_now().sandbox) return TRIB_OK;
    pthread_mutex_lock(&lock);
    *process = idle;
    if (idle) idle = idle->next;
    pthread_mutex_unlock(&lock);
    return *process ? TRIB_OK : start(process, error);
}

void trib_apart_close(trib_apart_process **process) {
    if (*process && *process != &lost) {
        pthread_mutex_lock(&lock);
        (*process)->next = idle;
        idle = *process;
        pthread_mutex_unlock(&lock);
    }
    *process = NULL;
}

void trib_apart_begin(unsigned seconds) { seconds_each = seconds; }

void trib_apart_end(void) {
    for (trib_apart_process *next; idle; idle = next) {
        next = idle->next;
        (void)end(idle);
    }
    seconds_each = 0;
}

const char *trib_apart_refused(void) {
    trib_apart_process *process = NULL;
    if (trib_apart_open(&process, NULL) != TRIB_OK) return "no process can be started";
    const char *const why = process ? NULL : no_sandbox ? no_sandbox : "it is turned off";
    trib_apart_close(&process);
    return why;
}

/* Ends a process that did not do its work, or does not answer rightly, and says so. */
static trib_status fail(trib_apart_process **process, const char *name, trib_error *error) {
    const trib_status stopped = trib_stop_check(error);
    const int result = end(*process);
    *process = &lost;
    if (stopped != TRIB_OK) return stopped;
    if (WIFSIGNALED(result) && WTERMSIG(result) == SIGPROF)
        return trib_fail(error, TRIB_INPUT,
                         "%s: reading it took more than %u seconds of processor time; convert it "
                         "to plain text",
                         name, seconds_each);
    return trib_fail(error, TRIB_INPUT,
                     "%s: cannot be read: the process that decodes it was ended by signal %d; "
                     "convert it to plain text",
                     name, WIFSIGNALED(result) ? WTERMSIG(result) : 0);
}

trib_status trib_apart_continue(trib_apart_process **process, const trib_apart_work *work,
                                void *record, trib_markup_bytes file, int descriptor,
                                trib_error *error) {
    TRIB_OWNED(trib_buffer) received = {0};
    trib_pack ask = {0};
    reply back;
    if (*process == &lost)
        return trib_fail(error, TRIB_INPUT, "%s: the process that decodes it has ended", file.name);
    if (work->ask) work->ask(&ask, record);
    request head = {.work = (intptr_t)work - (intptr_t)trib_apart_serve,
                    .n_name = strlen(file.name),
                    .n_ask = ask.bytes.length,
                    .n_bytes = file.length,
                    .is_mapped = descriptor >= 0 && file.length > 0,
                    .seconds = seconds_each,
                    .budget = trib_budget_now(),
                    .n_spent = trib_budget_unpacked()};
    const double until = trib_monotonic_seconds() + 4.0 * seconds_each;
    trib_status status = trib_pack_check(&ask, error);
    const bool goes_on =
        status == TRIB_OK &&
        carry(*process, &head, sizeof head, true, head.is_mapped ? &descriptor : NULL, until) &&
        carry(*process, (void *)(uintptr_t)file.name, head.n_name, true, NULL, until) &&
        carry(*process, ask.bytes.text, head.n_ask, true, NULL, until) &&
        carry(*process, (void *)(uintptr_t)file.at, head.is_mapped ? 0 : file.length, true, NULL,
              until) &&
        carry(*process, &back, sizeof back, false, NULL, until) &&
        receive(*process, &received, back.n_bytes, until);
    trib_pack_release(&ask);
    if (status != TRIB_OK) return status;
    if (!goes_on) status = fail(process, file.name, error);
    if (received.failure != TRIB_OK)
        status = trib_fail(error, TRIB_MEMORY, "out of memory: the text of %s", file.name);
    if (status != TRIB_OK) return status;
    trib_budget_spend(back.n_spent);
    back.error.message[sizeof back.error.message - 1] = '\0';
    if (back.status != TRIB_OK)
        return trib_fail(error, back.status == TRIB_MEMORY ? TRIB_MEMORY : TRIB_INPUT, "%s",
                         back.error.message);
    trib_pack answer = trib_pack_reading(received.text, received.length);
    if (work->answer) work->answer(&answer, record);
    status = trib_pack_check(&answer, error);
    return status != TRIB_OK || trib_pack_is_whole(&answer) ? status
                                                            : fail(process, file.name, error);
}

trib_status trib_apart_do(const trib_apart_work *work, void *record, trib_markup_bytes file,
                          trib_error *error) {
    trib_apart_process *process = NULL;
    trib_status status = trib_apart_open(&process, error);
    if (status != TRIB_OK) return status;
    if (!process) return work->work(record, file, error);
    status = trib_apart_continue(&process, work, record, file, -1, error);
    trib_apart_close(&process);
    return status;
}

/* ---- The process apart ----------------------------------------------------------------------- */

/* A process that uses so much time is ended by the signal. */
static void set_timer(unsigned seconds) {
    const struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

/* The bytes of a file whose descriptor came; they may be used until the next one comes. */
static const char *map(int descriptor, size_t n) {
    static void *mapped;
    static size_t n_mapped;
    if (mapped) munmap(mapped, n_mapped);
    mapped = mmap(NULL, n, PROT_READ, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) mapped = NULL;
    n_mapped = n;
    close(descriptor);
    return mapped;
}

/* The record of the works, if one was left. */
static void *record;
static void (*release)(void *record);

static void forget(void) {
    if (record) release(record);
    trib_free(record);
    record = NULL;
}

static trib_status work_on(const trib_apart_work *work, trib_buffer part[3], const request *head,
                           int descriptor, trib_pack *answer, trib_error *error) {
    const trib_markup_bytes file = {part[0].text,
                                    head->is_mapped ? map(descriptor, head->n_bytes) : part[2].text,
                                    head->n_bytes};
    trib_status status = TRIB_OK;
    if (!file.at) return trib_fail(error, TRIB_INPUT, "%s: cannot be read", file.name);
    if (!work->goes_on) forget();
    if (!record) status = trib_new(&record, 1, work->size, "a text", error);
    release = work->release;
    trib_pack ask = trib_pack_reading(part[1].text, part[1].length);
    if (status == TRIB_OK && work->ask) work->ask(&ask, record);
    if (status == TRIB_OK) status = trib_pack_check(&ask, error);
    if (status == TRIB_OK) status = work->work(record, file, error);
    if (status == TRIB_OK && work->answer) work->answer(answer, record);
    if (status == TRIB_OK) status = trib_pack_check(answer, error);
    if (!work->leaves) forget();
    return status;
}

static bool serve(const trib_apart_process *program, trib_buffer part[3]) {
    request head;
    int descriptor = -1;
    reply back = {0};
    trib_pack answer = {0};
    if (!carry(program, &head, sizeof head, false, &descriptor, HUGE_VAL)) return false;
    const size_t n[] = {head.n_name, head.n_ask, head.is_mapped ? 0 : head.n_bytes};
    for (size_t i = 0; i < 3; i++)
        if (!receive(program, &part[i], n[i], HUGE_VAL)) return false;
    trib_budget_begin(&head.budget);
    trib_budget_spend(head.n_spent);
    set_timer(head.seconds);
    back.status = work_on((const trib_apart_work *)((intptr_t)trib_apart_serve + head.work), part,
                          &head, descriptor, &answer, &back.error);
    set_timer(0);
    back.n_spent = trib_budget_unpacked() - head.n_spent;
    back.n_bytes = answer.bytes.length;
    const bool goes_on = carry(program, &back, sizeof back, true, NULL, HUGE_VAL) &&
                         carry(program, answer.bytes.text, back.n_bytes, true, NULL, HUGE_VAL);
    trib_pack_release(&answer);
    return goes_on;
}

int trib_apart_serve(const char *memory) {
    const trib_apart_process program = {.socket = STDIN_FILENO};
    uint64_t most = 0;
    trib_buffer part[3] = {{0}};
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    signal(SIGPROF, SIG_DFL);
    setpgid(0, 0); /* Ctrl-C is for the program alone */
    (void)trib_read_uint(memory, &most);
    if (most < LEAST_MEMORY) most = LEAST_MEMORY;
    trib_program_limit(RLIMIT_DATA, most, most);
    trib_program_limit(RLIMIT_FSIZE, 0, 0);
    trib_program_limit(RLIMIT_CORE, 0, 0);
    const int nowhere = trib_disk_open("/dev/null", O_RDWR);
    for (int file = STDOUT_FILENO; nowhere >= 0 && file <= STDERR_FILENO; file++)
        (void)dup2(nowhere, file);
    (void)trib_utf8_locale(); /* is a file */
    const char *const why = trib_sandbox_enter_apart();
    intptr_t distance = why ? (intptr_t)why - (intptr_t)trib_apart_serve : 0;
    bool goes_on = carry(&program, &distance, sizeof distance, true, NULL, HUGE_VAL) && !why;
    while (goes_on) goes_on = serve(&program, part);
    return 0;
}
