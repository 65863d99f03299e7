/* main.c - calls trib_main, after a check of the limit of address space and a setting of OpenBLAS.
 *
 * OpenBLAS, while it is loaded, starts a thread for every processor, each with 128 MiB of address
 * space. Under a limit of address space (ulimit -v) a thread that gets none asks again for ever.
 * The program needs only one thread of BLAS, and exits with an error where not even one such buffer
 * fits. */

#include "base/system.h"
#include "pipeline/config/config.h"
#include "pipeline/text/apart.h"

#if defined(__linux__) && !defined(TRIB_PORTABLE)
#include <sys/resource.h>
#include <unistd.h>

static void check_address_space(void) {
    /* OpenBLAS and the libraries that it needs, one buffer, stacks, and the program itself */
    static const unsigned long long needed = 320ULL << 20;
    static const char refused[] = "error: the limit of address space (ulimit -v) leaves less than "
                                  "320 MiB to work in; raise it, or lift it with "
                                  "ulimit -v unlimited\n";
    struct rlimit limit;
    uint64_t used, resident;
    trib_process_memory(&used, &resident);
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= used + needed)
        return;
    (void)!write(STDERR_FILENO, refused, sizeof refused - 1);
    _exit(trib_status_get(TRIB_MEMORY)->exit_status);
}

static void check_stack(void) {
    static const char refused[] = "error: the limit of the stack (ulimit -s) is less than 256 KiB; "
                                  "raise it, as with ulimit -s 8192\n";
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= 256 << 10) return;
    (void)!write(STDERR_FILENO, refused, sizeof refused - 1);
    _exit(trib_status_get(TRIB_MEMORY)->exit_status);
}
#else
static void check_address_space(void) {}
static void check_stack(void) {}
#endif

int main(int argc, char **argv) {
    check_stack();
    check_address_space();
    if (argc == 3 && strcmp(argv[1], TRIB_APART_WORD) == 0) return trib_apart_serve(argv[2]);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    trib_apart_begin(TRIB_APART_SECONDS);
    const int status = trib_main(argc, argv);
    trib_apart_end();
    return status;
}
