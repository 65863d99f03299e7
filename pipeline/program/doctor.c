/* doctor.c - `tributary doctor`: reports what this machine has, what is missing, and the command
 * that gets it. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/system.h"
#include "decomp/blas.h"
#include "pipeline/program/command.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/json.h"
#include "pipeline/support/memory_limit.h"
#include "pipeline/support/path.h"

/* One finding. */
typedef struct finding {
    const char *what;
    bool good;
    char found[256], remedy[256];
} finding;

enum { MAX_FINDINGS = 24 };
typedef struct findings {
    finding finding[MAX_FINDINGS];
    size_t n;
} findings;

/* Adds what was found, and what to do when it is not good (NULL: nothing). */
TRIB_PRINTF(5, 6)
static void add(findings *all, const char *what, bool good, const char *remedy, const char *format,
                ...) {
    finding *one = &all->finding[all->n < MAX_FINDINGS ? all->n++ : MAX_FINDINGS - 1];
    va_list arguments;
    *one = (finding){.what = what, .good = good};
    va_start(arguments, format);
    vsnprintf(one->found, sizeof one->found, format, arguments);
    va_end(arguments);
    if (!good && remedy)
        snprintf(one->remedy, sizeof one->remedy, "%.*s", (int)sizeof one->remedy - 1, remedy);
}

static void look_at_processor(findings *all) {
    const bool vectors = strcmp(trib_kernel_set(), "portable") != 0;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int used = omp_get_max_threads();
    char remedy[128];
    trib_error error = {0};
    add(all, "kernels", true, NULL, "%s%s", trib_kernel_set(),
        vectors ? "" : " (no AVX2: two to four times slower)");
    snprintf(remedy, sizeof remedy,
             "OMP_NUM_THREADS asks for more than there are; unset it or use -j %ld", online);
    add(all, "threads", used <= online, remedy, "%d of %ld processors", used, online);
    const bool has_blas = trib_blas_load(&error) == TRIB_OK;
    const char *config = has_blas ? trib_blas.openblas_get_config() : "not installed";
    add(all, "BLAS", has_blas, error.message, "%.*s", (int)strcspn(config, "\n"), config);
}

static void look_at_memory(findings *all) {
    const double gib = 1024.0 * 1024 * 1024, free_bytes = (double)trib_available_memory();
    const double container = (double)trib_memory_container();
    struct rlimit limit;
    if (free_bytes > 0)
        add(all, "memory", free_bytes >= gib / 2,
            "a run of a few books takes 0.1 to 0.3 GiB: close other programs, or set "
            "resources.memory",
            "%.1f GiB available", free_bytes / gib);
    if (container > 0)
        add(all, "container", container >= gib / 2,
            "a run of a few books takes 0.1 to 0.3 GiB: give the container more, as with docker "
            "run --memory 2g",
            "%.2f GiB of memory (control group)", container / gib);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        add(all, "memory limit", (double)limit.rlim_cur >= gib, "raise it: ulimit -v unlimited",
            "%.1f GiB of address space", (double)limit.rlim_cur / gib);
}

static void look_at_directory(findings *all, const char *what, const char *path,
                              const char *remedy) {
    struct statvfs about;
    if (access(path, W_OK | X_OK) != 0) {
        add(all, what, false, remedy, "%s cannot be written to", path);
    } else if (statvfs(path, &about) == 0) {
        const double gib = (double)about.f_bavail * (double)about.f_frsize / (1024.0 * 1024 * 1024);
        add(all, what, gib >= 0.1, "free some space there", "%s, %.1f GiB free", path, gib);
    } else add(all, what, true, NULL, "%s", "");
}

/* The program creates the cache's directory when it first stores something. Until then the
 * nearest directory that exists decides whether that will work. */
static trib_status look_at_cache(findings *all, const trib_command_line *line, trib_log *log,
                                 trib_error *error) {
    trib_cache *cache = NULL;
    const trib_status status = trib_cache_open(&cache, line->cache_directory, log, error);
    if (status != TRIB_OK) return status;
    if (cache) {
        char path[4096];
        snprintf(path, sizeof path, "%s", trib_cache_directory(cache));
        for (char *slash; access(path, F_OK) != 0 && (slash = strrchr(path, '/'));)
            slash[slash == path] = '\0';
        look_at_directory(all, "cache", access(path, F_OK) == 0 ? path : ".",
                          "name another directory with --cache-dir DIR");
    } else {
        add(all, "cache", false, "name a directory with --cache-dir DIR",
            "no directory: neither HOME nor XDG_CACHE_HOME is set");
    }
    trib_cache_close(cache);
    return TRIB_OK;
}

/* Whether $PATH has a directory with this program. */
static bool is_program(const char *name) {
    const char *path = getenv("PATH");
    char file[4096];
    for (; path && *path; path += *path == ':') {
        const size_t length = strcspn(path, ":");
        const int n = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (n > 0 && (size_t)n < sizeof file && access(file, X_OK) == 0) return true;
        path += length;
    }
    return false;
}

static void look_at_extras(findings *all) {
    static const struct {
        const char *name, *feature, *package;
    } programs[] = {{"pdftotext", "PDF documents", "poppler-utils"},
                    {"pandoc", "DOCX, ODT, LaTeX and Markdown documents", "pandoc"},
                    {"bible", "the King James Bible of make demo", "bible-kjv"}};
    char remedy[256];
    for (int i = 0; i < TRIB_N_EXTRAS; i++) {
        const trib_extra *extra = &trib_extras[i];
        const char *version = trib_extra_version(i);
        snprintf(remedy, sizeof remedy, "apt-get install %s, then %s", extra->package,
                 strcmp(extra->library, "MPI") == 0 ? "make mpi, which makes tributary-mpi"
                                                    : "make");
        add(all, extra->feature, version != NULL, remedy, "%s%s%s%s",
            version ? "" : "built without ", extra->library, version ? " " : "",
            version ? version : "");
    }
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        const bool is_there = is_program(programs[p].name);
        snprintf(remedy, sizeof remedy, "apt-get install %s", programs[p].package);
        add(all, programs[p].feature, is_there, remedy, "%s%s", is_there ? "" : "no ",
            programs[p].name);
    }
}

trib_status trib_command_doctor(const trib_command_line *line, trib_log *log, trib_writer *out,
                                trib_error *error) {
    findings all = {0};
    look_at_processor(&all);
    look_at_memory(&all);
    look_at_directory(
        &all, "this directory", ".",
        "change to another directory with -C DIR, or name the run directory with -o DIR");
    look_at_directory(&all, "temporary files", trib_path_temporary(),
                      "set TMPDIR to a directory that can be written to");
    const trib_status status = look_at_cache(&all, line, log, error);
    if (status != TRIB_OK) return status;
    look_at_extras(&all);
    if (line->json) {
        json_t *list = json_array();
        for (size_t i = 0; i < all.n; i++)
            json_array_append_new(list,
                                  json_pack("{s:s, s:b, s:o, s:o}", "what", all.finding[i].what,
                                            "good", (int)all.finding[i].good, "found",
                                            trib_json_text(all.finding[i].found), "remedy",
                                            trib_json_text(all.finding[i].remedy)));
        return trib_json_write(
            json_pack("{s:i, s:s, s:o}", "schema", 1, "version", TRIB_VERSION, "findings", list),
            out, error);
    }
    for (size_t i = 0; i < all.n; i++) {
        const finding *one = &all.finding[i];
        trib_print(out, "%-7s  %-34s %s\n", one->good ? "ok" : "missing", one->what, one->found);
        if (*one->remedy) trib_print(out, "         -> %s\n", one->remedy);
    }
    return TRIB_OK;
}
