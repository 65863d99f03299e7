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
#include "pipeline/command/command.h"
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

static finding *add(findings *all, const char *what, bool good) {
    finding *one = &all->finding[all->n < MAX_FINDINGS ? all->n++ : MAX_FINDINGS - 1];
    *one = (finding){.what = what, .good = good};
    return one;
}

static void look_at_processor(findings *all) {
    const bool vectors = strcmp(trib_kernel_set(), "portable") != 0;
    finding *kernels = add(all, "kernels", true);
    snprintf(kernels->found, sizeof kernels->found, "%s%s", trib_kernel_set(),
             vectors ? "" : " (no AVX2: two to four times slower)");
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int used = omp_get_max_threads();
    finding *threads = add(all, "threads", used <= online);
    snprintf(threads->found, sizeof threads->found, "%d of %ld processors", used, online);
    if (!threads->good)
        snprintf(threads->remedy, sizeof threads->remedy,
                 "OMP_NUM_THREADS asks for more than there are; unset it or use -j %ld", online);
    trib_error error;
    finding *blas = add(all, "BLAS", trib_blas_load(&error) == TRIB_OK);
    const char *config = blas->good ? trib_blas.openblas_get_config() : "not installed";
    snprintf(blas->found, sizeof blas->found, "%.*s", (int)strcspn(config, "\n"), config);
    if (!blas->good)
        snprintf(blas->remedy, sizeof blas->remedy, "%.*s", (int)sizeof blas->remedy - 1,
                 error.message);
}

static void look_at_memory(findings *all) {
    const double gib = 1024.0 * 1024 * 1024, free_bytes = (double)trib_available_memory();
    if (free_bytes > 0) {
        finding *memory = add(all, "memory", free_bytes >= gib / 2);
        snprintf(memory->found, sizeof memory->found, "%.1f GiB available", free_bytes / gib);
        if (!memory->good)
            snprintf(memory->remedy, sizeof memory->remedy,
                     "a run of a few books takes 0.1 to 0.3 GiB: close other programs, or set "
                     "resources.memory");
    }
    const double container = (double)trib_memory_container();
    if (container > 0) {
        finding *limited = add(all, "container", container >= gib / 2);
        snprintf(limited->found, sizeof limited->found, "%.2f GiB of memory (control group)",
                 container / gib);
        if (!limited->good)
            snprintf(limited->remedy, sizeof limited->remedy,
                     "a run of a few books takes 0.1 to 0.3 GiB: give the container more, as with "
                     "docker run --memory 2g");
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        finding *limited = add(all, "memory limit", (double)limit.rlim_cur >= gib);
        snprintf(limited->found, sizeof limited->found, "%.1f GiB of address space",
                 (double)limit.rlim_cur / gib);
        if (!limited->good)
            snprintf(limited->remedy, sizeof limited->remedy, "raise it: ulimit -v unlimited");
    }
}

static void look_at_directory(findings *all, const char *what, const char *path,
                              const char *remedy) {
    struct statvfs about;
    const bool writable = access(path, W_OK | X_OK) == 0;
    finding *one = add(all, what, writable);
    if (!writable) {
        snprintf(one->found, sizeof one->found, "%s cannot be written to", path);
        snprintf(one->remedy, sizeof one->remedy, "%s", remedy);
    } else if (statvfs(path, &about) == 0) {
        const double gib = (double)about.f_bavail * (double)about.f_frsize / (1024.0 * 1024 * 1024);
        one->good = gib >= 0.1;
        snprintf(one->found, sizeof one->found, "%s, %.1f GiB free", path, gib);
        if (!one->good) snprintf(one->remedy, sizeof one->remedy, "free some space there");
    }
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
        finding *none = add(all, "cache", false);
        snprintf(none->found, sizeof none->found,
                 "no directory: neither HOME nor XDG_CACHE_HOME is set");
        snprintf(none->remedy, sizeof none->remedy, "name a directory with --cache-dir DIR");
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
    for (int i = 0; i < TRIB_N_EXTRAS; i++) {
        const trib_extra *extra = &trib_extras[i];
        const char *version = trib_extra_version(i);
        finding *one = add(all, extra->feature, version != NULL);
        if (version) {
            snprintf(one->found, sizeof one->found, "%s %s", extra->library, version);
        } else {
            snprintf(one->found, sizeof one->found, "built without %s", extra->library);
            snprintf(one->remedy, sizeof one->remedy, "apt-get install %s, then %s", extra->package,
                     strcmp(extra->library, "MPI") == 0 ? "make mpi, which makes tributary-mpi"
                                                        : "make");
        }
    }
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        finding *one = add(all, programs[p].feature, is_program(programs[p].name));
        snprintf(one->found, sizeof one->found, "%s%s", one->good ? "" : "no ", programs[p].name);
        if (!one->good)
            snprintf(one->remedy, sizeof one->remedy, "apt-get install %s", programs[p].package);
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
