/* main.c - calls trib_main, after a check that must come before the libraries start.
 *
 * OpenBLAS, while it is loaded, starts a thread for every processor, each with 128 MiB of
 * address space. Under a limit of address space (ulimit -v) a thread that gets none asks again
 * for ever. The program needs only one thread of BLAS, so under such a limit it executes itself
 * once more with OPENBLAS_NUM_THREADS=1, and exits with an error where not even one such buffer
 * fits. Functions in .preinit_array run before the libraries are initialised. */
#include "pipeline/config/config.h"

#if defined(__linux__) && defined(__ELF__) && !defined(TRIB_PORTABLE)
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The address space in use, in bytes. */
static unsigned long long in_use(void) {
    char text[64] = "";
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t n = file < 0 ? 0 : read(file, text, sizeof text - 1);
    unsigned long long pages = 0;
    if (file >= 0) close(file);
    for (ssize_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        pages = 10 * pages + (unsigned long long)(text[i] - '0');
    return pages * 4096; /* a lower bound: pages may be larger on other machines */
}

static void limit_openblas(int argc, char **argv, char **environment) {
    enum { MOST = 1000 };
    static const unsigned long long needed =
        256ULL << 20; /* one buffer of OpenBLAS, stacks, and the program itself */
    static const char one[] = "OPENBLAS_NUM_THREADS=";
    static char setting[] = "OPENBLAS_NUM_THREADS=1", *with[MOST + 2];
    static const char refused[] = "error: the limit of address space (ulimit -v) leaves less than "
                                  "256 MiB to work in; raise it, or lift it with "
                                  "ulimit -v unlimited\n";
    struct rlimit limit;
    size_t n = 0;
    (void)argc;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    if (limit.rlim_cur < in_use() + needed) {
        (void)!write(STDERR_FILENO, refused, sizeof refused - 1);
        _exit(trib_status_get(TRIB_MEMORY)->exit_status);
    }
    for (; environment[n] && n < MOST; n++) {
        if (strncmp(environment[n], one, sizeof one - 1) == 0) return;
        with[n] = environment[n];
    }
    with[n] = setting;
    if (!environment[n]) execve("/proc/self/exe", argv, with);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = limit_openblas;
#endif

int main(int argc, char **argv) { return trib_main(argc, argv); }
