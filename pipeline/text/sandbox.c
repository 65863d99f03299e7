/* sandbox.c - what a program that converts a foreign file may still do: read the folders of the
 * system and its own, its standard input, and write its two pipes. Landlock (Linux 5.13) forbids
 * other files, seccomp the network, other processes and the parts of the kernel that no converter
 * needs. Where the kernel has neither, the limits of programs.c remain. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* syscall, O_PATH */
#endif
#include "pipeline/text/programs.h"

#include <unistd.h>

#include "base/system.h"
#include "pipeline/text/archive.h"

bool trib_program_find(char file[TRIB_CODE_FOLDER], const char *name) {
    if (strchr(name, '/')) return snprintf(file, TRIB_CODE_FOLDER, "%s", name) < TRIB_CODE_FOLDER;
    for (const char *path = getenv("PATH"); path && *path; path += *path == ':') {
        const int length = (int)strcspn(path, ":");
        const int n = snprintf(file, TRIB_CODE_FOLDER, "%.*s/%s", length, path, name);
        path += length;
        if (n > 0 && n < TRIB_CODE_FOLDER && trib_disk_may(file, X_OK)) return true;
    }
    return false;
}

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* ---- Files: Landlock ------------------------------------------------------------------------- */

/* From the manual of Landlock, since older systems have no header of it. These calls have the same
 * numbers on all processors. */
enum {
    CREATE_RULES = 444,
    ADD_RULE = 445,
    ENTER_RULES = 446,
    CLOSE_RANGE = 436,
    CLOSE_AT_EXEC = 4,
    RULE_BELOW = 1, /* a folder, and all below it */
    EXECUTE = 1 << 0,
    WRITE = 1 << 1,
    READ = 1 << 2,
    LIST = 1 << 3
};
typedef struct rules {
    uint64_t files, network, scope; /* what is forbidden but for the rules */
} rules;
#pragma pack(push, 1)
typedef struct rule {
    uint64_t allowed;
    int32_t folder;
} rule;
#pragma pack(pop)

static long landlock_version(void) { return syscall(CREATE_RULES, NULL, 0, 1); }

/* Allows what is named, if it is there. */
static void allow(int to, const char *path, bool is_folder, uint64_t what) {
    const rule one = {what, trib_disk_open(path, O_PATH | (is_folder ? O_DIRECTORY : 0))};
    if (one.folder >= 0) {
        syscall(ADD_RULE, to, RULE_BELOW, &one, 0);
        close(one.folder);
    }
}

static void allow_folder(int to, const char *folder, const char *below) {
    char path[TRIB_CODE_FOLDER + 64];
    snprintf(path, sizeof path, "%s%s", folder, below);
    allow(to, path, true, EXECUTE | READ | LIST);
}

/* The folder of a program, and what was installed beside it. */
static void allow_home(int to, char *file) {
    static const char *const beside[] = {
        "", "/../lib", "/../lib64", "/../libexec", "/../share/pandoc", "/../share/poppler"};
    char *const slash = strrchr(file, '/');
    if (!slash) return;
    *slash = '\0';
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) allow_folder(to, file, beside[i]);
}

int trib_sandbox_make(const char *program) {
    static const char folders[] =
        "/usr /bin /sbin /lib /lib32 /lib64 /nix/store /gnu/store /etc/fonts "
        "/etc/alternatives /opt/homebrew /var/cache/fontconfig",
                      files[] = "/etc/ld.so.cache /etc/ld.so.preload /etc/localtime "
                                "/etc/ld-musl-x86_64.path /etc/ld-musl-aarch64.path "
                                "/dev/urandom /dev/random /dev/zero";
    const long version = landlock_version();
    if (version < 1 || !trib_budget_now().sandbox) return -1;
    const int n_rights = version == 1 ? 13 : version == 2 ? 14 : version < 5 ? 15 : 16;
    const rules all = {(UINT64_C(1) << n_rights) - 1, version < 4 ? 0 : 3, version < 6 ? 0 : 3};
    const size_t n_all = version < 4 ? 8 : version < 6 ? 16 : sizeof all;
    const int to = (int)syscall(CREATE_RULES, &all, n_all, 0);
    if (to < 0) return -1;
    char file[TRIB_CODE_FOLDER], real[TRIB_CODE_FOLDER];
    int n;
    for (const char *at = folders; sscanf(at, "%63s%n", file, &n) == 1; at += n)
        allow_folder(to, file, "");
    for (const char *at = files; sscanf(at, "%63s%n", file, &n) == 1; at += n)
        allow(to, file, false, READ);
    allow(to, "/dev/null", false, READ | WRITE);
    if (trib_program_find(file, program)) {
        if (realpath(file, real)) allow_home(to, real);
        allow_home(to, file);
    }
    for (const char *at = getenv("LD_LIBRARY_PATH"); at && *at; at += *at == ':') {
        n = (int)strcspn(at, ":");
        snprintf(file, sizeof file, "%.*s", n, at);
        if (n > 0 && n < TRIB_CODE_FOLDER) allow_folder(to, file, "");
        at += n;
    }
    return to;
}

/* ---- Calls of the system: seccomp ------------------------------------------------------------ */

#if defined(__x86_64__)
#define PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PROCESSOR AUDIT_ARCH_AARCH64
#endif

#ifdef PROCESSOR
#define FIELD(name)         BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define ANSWER(errno_)      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (errno_))
#define ALLOW               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define IF(test, k, n)      BPF_JUMP(BPF_JMP | (test) | BPF_K, k, 0, n) /* else skips n */
#define ONE(number)         IF(BPF_JEQ, number, 1), ANSWER(EPERM)
#define REFUSE(a, b, c, d)  ONE(a), ONE(b), ONE(c), ONE(d)
#define MAY(number)         IF(BPF_JEQ, number, 1), ALLOW
#define ALLOWED(a, b, c, d) MAY(a), MAY(b), MAY(c), MAY(d)
/* Refuses the calls of another processor, and loads the number. */
#define BEGIN                                                                                      \
    FIELD(arch), IF(BPF_JEQ, PROCESSOR, 1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), ANSWER(EPERM),    \
        FIELD(nr)
#define NAMESPACES      0x7E020000 /* the flags of clone that make one */
#define NEW_CALLS_FIRST 424        /* to NEW_CALLS_LAST: signals by descriptor, io_uring, mounts */
#define NEW_CALLS_LAST  433
#define CLONE3          435
#define X32             0x40000000

static struct sock_filter instructions[] = {
    BEGIN,
    IF(BPF_JGE, X32, 1),
    ANSWER(EPERM),
    IF(BPF_JEQ, CLONE3, 1), /* its flags cannot be seen: programs then take clone */
    ANSWER(ENOSYS),
    IF(BPF_JGE, NEW_CALLS_FIRST, 2),
    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, NEW_CALLS_LAST, 1, 0),
    ANSWER(EPERM),
    REFUSE(SYS_socket, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev),
    REFUSE(SYS_kcmp, SYS_shmget, SYS_semget, SYS_msgget),
    REFUSE(SYS_mq_open, SYS_mount, SYS_umount2, SYS_pivot_root),
    REFUSE(SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf),
    REFUSE(SYS_perf_event_open, SYS_userfaultfd, SYS_fanotify_init, SYS_keyctl),
    REFUSE(SYS_add_key, SYS_request_key, SYS_open_by_handle_at, SYS_init_module),
    REFUSE(SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot),
    REFUSE(SYS_swapon, SYS_swapoff, SYS_sethostname, SYS_clock_settime),
    REFUSE(SYS_settimeofday, SYS_personality, SYS_quotactl, SYS_acct),
    IF(BPF_JEQ, SYS_clone, 3),
    FIELD(args[0]), /* the low half, on these processors */
    IF(BPF_JSET, NAMESPACES, 1),
    ANSWER(EPERM),
    ALLOW,
};
static const struct sock_fprog filter = {sizeof instructions / sizeof *instructions, instructions};

static bool has_filter(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }
static void enter_filter(void) { prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0); }
#else
static bool has_filter(void) { return false; }
static void enter_filter(void) {}
#endif

/* Only calls of the system: the new process still has the memory of its parent. */
void trib_sandbox_enter(int rules_made) {
    syscall(CLOSE_RANGE, 3U, ~0U, CLOSE_AT_EXEC);
    if (!trib_budget_now().sandbox || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    if (rules_made >= 0) syscall(ENTER_RULES, rules_made, 0);
    enter_filter();
}

/* Watchers of memory and threads need more calls of the system than these. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_WATCHED
#endif
#endif

#if defined(PROCESSOR) && !defined(IS_WATCHED)
/* What a process may do that has its work sent: use memory, its socket, and end. */
static struct sock_filter few[] = {
    BEGIN,
    ALLOWED(SYS_sendmsg, SYS_recvmsg, SYS_close, SYS_brk),
    ALLOWED(SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex),
    ALLOWED(SYS_setitimer, SYS_clock_gettime, SYS_getrandom, SYS_exit_group),
    IF(BPF_JEQ, SYS_mmap, 4),
    FIELD(args[2]),
    IF(BPF_JSET, PROT_EXEC, 1),
    ANSWER(EPERM),
    ALLOW,
    ANSWER(EPERM),
};

const char *trib_sandbox_enter_apart(void) {
    const struct sock_fprog calls = {sizeof few / sizeof *few, few};
    const rules none = {READ | WRITE | LIST | EXECUTE, 0, 0};
    const int to = (int)syscall(CREATE_RULES, &none, sizeof none.files, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "the system refuses it";
    if (to >= 0) syscall(ENTER_RULES, to, 0);
    if (syscall(CLOSE_RANGE, 3U, ~0U, 0) != 0) /* before Linux 5.9 */
        for (int file = 3; file < 1024; file++) close(file);
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &calls, 0, 0) == 0
               ? NULL
               : "the system has no seccomp";
}
#else
const char *trib_sandbox_enter_apart(void) { return "this build has none"; }
#endif

const char *trib_sandbox_kind(void) {
    static const char *const kinds[2][2] = {{NULL, "seccomp"},
                                            {"Landlock", "Landlock and seccomp"}};
    return kinds[landlock_version() >= 1][has_filter()];
}
#else
int trib_sandbox_make(const char *program) { return program ? -1 : -1; }
void trib_sandbox_enter(int rules) { (void)rules; }
const char *trib_sandbox_kind(void) { return NULL; }
const char *trib_sandbox_enter_apart(void) { return "it needs Linux"; }
#endif
