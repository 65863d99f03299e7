/* status.c - the table of statuses, and the error record that carries a status with its reason. */
#include "base/base.h"
#include "base/internal.h"

#include <pthread.h>

static const trib_status_row statuses[TRIB_N_STATUSES] = {
    [TRIB_OK] = {"ok", 0, "done (\"nothing found\" is a result)"},
    [TRIB_INTERNAL] = {"internal", 1, "internal error"},
    [TRIB_OUTPUT] = {"output", 1, "output cannot be written"},
    [TRIB_USAGE] = {"usage", 2, "usage, or the output directory is refused"},
    [TRIB_CONFIG] = {"configuration", 3,
                     "configuration missing, unreadable or wrong; no target; a missing date under "
                     "order: by-date"},
    [TRIB_INPUT] =
        {"input", 4,
         "a document missing, unreadable, empty, undecodable; no word or no n-gram at all"},
    [TRIB_STRICT] = {"strict", 5, "a warning under --strict"},
    [TRIB_MEMORY] = {"memory", 6, "no memory, or a limit of `resources` is reached"},
    [TRIB_PARTIAL] = {"partial", 7, "part of a sweep failed"},
    [TRIB_DIFFERS] = {"differs", 8, "verify or compare found a difference"},
    [TRIB_REQUEUE] = {"requeue", 75,
                      "stopped by time limit or SIGUSR1 with a checkpoint: run again"},
    [TRIB_INTERRUPTED] = {"interrupted", 130, "stopped by SIGINT"},
    [TRIB_TERMINATED] = {"terminated", 143, "stopped by SIGTERM or SIGHUP"},
};

const trib_status_row *trib_status_get(trib_status status) {
    return &statuses[(unsigned)status < TRIB_N_STATUSES ? status : TRIB_INTERNAL];
}

/* Cuts a message that was too long before the first incomplete UTF-8 character. */
static void cut_at_character(char *message, int printed) {
    if (printed < TRIB_MESSAGE_MAX) return;
    size_t end = TRIB_MESSAGE_MAX - 1;
    size_t start = end;
    while (start > 0 && ((unsigned char)message[start - 1] & 0xC0) == 0x80) start--;
    if (start > 0 && (unsigned char)message[start - 1] >= 0xC0) message[start - 1] = '\0';
}

trib_status trib_fail(trib_error *error, trib_status status, const char *format, ...) {
    if (!error) return status;
    char message[TRIB_MESSAGE_MAX]; /* the arguments may point into error->message */
    va_list arguments;
    va_start(arguments, format);
    cut_at_character(message, vsnprintf(message, sizeof message, format, arguments));
    va_end(arguments);
    error->status = status;
    memcpy(error->message, message, sizeof message);
    return status;
}

trib_status trib_error_prefix(trib_error *error, const char *format, ...) {
    if (!error) return TRIB_INTERNAL;
    char prefix[TRIB_MESSAGE_MAX], message[TRIB_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    cut_at_character(prefix, vsnprintf(prefix, sizeof prefix, format, arguments));
    va_end(arguments);
    memcpy(message, error->message, sizeof message);
    size_t used = strlen(prefix);
    int printed =
        snprintf(error->message, sizeof error->message, "%s: %.*s", prefix,
                 (int)(sizeof message - used > 2 ? sizeof message - used - 2 : 0), message);
    cut_at_character(error->message, printed);
    return error->status;
}

static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;

void trib_keep_first(size_t task, trib_status one, const trib_error *failure, size_t *failed,
                     trib_status *status, trib_error *error) {
    if (one == TRIB_OK) return;
    pthread_mutex_lock(&joining);
    if (task < *failed) {
        *failed = task;
        *status = one;
        if (error) *error = *failure;
    }
    pthread_mutex_unlock(&joining);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

_Atomic int trib_kernels;
static int best_kernels;
static _Atomic int standard_kernels;
static const char *const kernel_sets[] = {"portable", "avx2", "avx512"};

__attribute__((constructor)) static void find_kernels(void) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(TRIB_PORTABLE)
    __builtin_cpu_init();
#define HAS(name) __builtin_cpu_supports(name)
    if (HAS("avx2") && HAS("bmi") && HAS("bmi2") && HAS("fma")) best_kernels = TRIB_AVX2;
    if (best_kernels && HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") &&
        HAS("avx512vl"))
        best_kernels = TRIB_AVX512;
#endif
    standard_kernels = best_kernels;
    trib_kernels = best_kernels;
}

trib_status trib_kernels_choose(int set, bool as_standard, trib_error *error) {
    if (set < 0) set = standard_kernels;
    if (set > best_kernels)
        return trib_fail(error, TRIB_USAGE,
                         "there are no kernels %s here; the best that this processor has, and this "
                         "program has for it, are %s",
                         kernel_sets[set], kernel_sets[best_kernels]);
    if (as_standard) standard_kernels = set;
    trib_kernels = set;
    return TRIB_OK;
}

const char *trib_kernel_set(void) { return kernel_sets[trib_kernels]; }
