/* doctor.c - `tributary version` prints the versions of the program and its libraries, and the
 * kernels in use; `tributary doctor` reports what this machine has, what is missing, and the
 * command that gets it. */
#include <archive.h>
#include <jansson.h>
#include <libxml/xmlversion.h>
#include <nettle/version.h>
#include <omp.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unicode/uversion.h>
#include <unistd.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

#include "base/internal.h"
#include "base/system.h"
#include "decomp/blas.h"
#include "pipeline/program/command.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/json.h"
#include "pipeline/support/memory_limit.h"
#include "pipeline/text/apart.h"
#include "pipeline/text/programs.h"

#ifdef TRIB_WITH_CURL
#include <curl/curlver.h>
#else
#define LIBCURL_VERSION NULL
#endif
#define WRITTEN(number)        #number
#define WITH_DOT(major, minor) WRITTEN(major) "." WRITTEN(minor)
#define NETTLE                 WITH_DOT(NETTLE_VERSION_MAJOR, NETTLE_VERSION_MINOR)
#ifdef TRIB_WITH_TEXTCAT
#include <exttextcat-version.h>
#else
#define EXTTEXTCAT_VERSION NULL
#endif

#ifndef TRIB_MICROHTTPD_VERSION
#define TRIB_MICROHTTPD_VERSION NULL
#endif

/* Libraries: what each is for, its version in this build (NULL: it was not there) and
 * its Debian package. */
static const struct extra {
    const char *feature, *library, *package, *version;
} extras[] = {
    {"compressed tensors", "zlib", "zlib1g-dev", ZLIB_VERSION},
    {"compressed fragments", "zstd", "libzstd-dev", ZSTD_VERSION_STRING},
    {"compressed corpora", "libarchive", "libarchive-dev", ARCHIVE_VERSION_ONLY_STRING},
    {"fetching texts", "libcurl", "libcurl4-openssl-dev", LIBCURL_VERSION},
    {"TEI, EPUB and HTML", "libxml2", "libxml2-dev", LIBXML_DOTTED_VERSION},
    {"results.sqlite", "libsqlite3", "libsqlite3-dev", SQLITE_VERSION},
    {"faster SHA-256", "nettle", "nettle-dev", NETTLE},
    {"guessed languages", "libexttextcat", "libexttextcat-dev", EXTTEXTCAT_VERSION},
    {"the application", "libmicrohttpd", "libmicrohttpd-dev", TRIB_MICROHTTPD_VERSION},
    {"several machines", "MPI", "libopenmpi-dev", NULL},
};
enum { N_EXTRAS = sizeof extras / sizeof *extras };

static bool is_mpi(const struct extra *extra) { return strcmp(extra->library, "MPI") == 0; }

/* The version; that of MPI in tributary-mpi. */
static const char *version_of(const struct extra *extra) {
    return is_mpi(extra) ? trib_comm_library() : extra->version;
}

/* ---- version --------------------------------------------------------------------------------- */

enum { N_LIBRARIES = 6 };

struct library {
    const char *name;
    char version[64];
};

static void libraries(struct library library[N_LIBRARIES]) {
    UVersionInfo icu;
    u_getVersion(icu);
    library[0].name = "ICU";
    u_versionToString(icu, library[0].version);
    library[1].name = "libyaml";
    snprintf(library[1].version, sizeof library[1].version, "%s", yaml_get_version_string());
    library[2].name = "OpenBLAS"; /* "OpenBLAS 0.3.21 DYNAMIC_ARCH ..." */
    const bool has_blas = trib_blas_load(NULL) == TRIB_OK;
    const char *blas = has_blas ? trib_blas.openblas_get_config() : "not-installed";
    if (strncmp(blas, "OpenBLAS ", 9) == 0) blas += 9;
    snprintf(library[2].version, sizeof library[2].version, "%.*s", (int)strcspn(blas, " "), blas);
    library[3].name = "jansson";
    snprintf(library[3].version, sizeof library[3].version, "%s", jansson_version_str());
    library[4].name = "OpenMP"; /* the year and month of the standard */
    snprintf(library[4].version, sizeof library[4].version, "%d", _OPENMP);
    library[5].name = "compiler";
    snprintf(library[5].version, sizeof library[5].version, "%.60s", __VERSION__);
}

static trib_status version_json(const struct library *library, trib_writer *out,
                                trib_error *error) {
    json_t *with = json_object(), *without = json_array();
    for (int i = 0; i < N_LIBRARIES; i++)
        json_object_set_new(with, library[i].name, trib_json_text(library[i].version));
    for (const struct extra *extra = extras; extra < extras + N_EXTRAS; extra++)
        if (version_of(extra))
            json_object_set_new(with, extra->library, trib_json_text(version_of(extra)));
        else
            json_array_append_new(without,
                                  json_pack("{s:s, s:s, s:s}", "feature", extra->feature, "library",
                                            extra->library, "package", extra->package));
    return trib_json_print(out, error, "{s:s, s:s?, s:s, s:o, s:o}", "version", TRIB_VERSION,
                           "commit", *trib_commit ? trib_commit : NULL, "kernels",
                           trib_kernel_set(), "libraries", with, "absent", without);
}

trib_status trib_command_version(const trib_command_line *line, trib_error *error) {
    struct library library[N_LIBRARIES];
    libraries(library);
    if (line->json) return version_json(library, line->out, error);
    trib_print(line->out, "tributary %s\n\n  %-12s %s\n  %-12s %s\n", TRIB_VERSION, "commit",
               *trib_commit ? trib_commit : "not recorded", "kernels", trib_kernel_set());
    for (int i = 0; i < N_LIBRARIES; i++)
        trib_print(line->out, "  %-12s %s\n", library[i].name, library[i].version);
    for (const struct extra *extra = extras; extra < extras + N_EXTRAS; extra++)
        if (version_of(extra))
            trib_print(line->out, "  %-12s %s\n", extra->library, version_of(extra));
    const char *title = "\nNot in this build (each with its Debian package):\n";
    for (const struct extra *extra = extras; extra < extras + N_EXTRAS; extra++) {
        if (version_of(extra)) continue;
        trib_print(line->out, "%s  %-22s %s\n", title, extra->feature, extra->package);
        title = "";
    }
    return TRIB_OK;
}

/* ---- doctor ---------------------------------------------------------------------------------- */

/* One finding. */
typedef struct finding {
    const char *what;
    bool good;
    char found[256], remedy[256];
} finding;

enum { MAX_FINDINGS = 28 };
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
    if (!trib_disk_may(path, W_OK | X_OK)) {
        add(all, what, false, remedy, "%s cannot be written to", path);
    } else if (statvfs(path, &about) == 0) {
        const double gib = (double)about.f_bavail * (double)about.f_frsize / (1024.0 * 1024 * 1024);
        add(all, what, gib >= 0.1, "free some space there", "%s, %.1f GiB free", path, gib);
    } else add(all, what, true, NULL, "%s", "");
}

/* The program creates the cache's directory when it first stores something. Until then the
 * nearest directory that exists decides whether that will work. */
static trib_status look_at_cache(findings *all, const trib_command_line *line, trib_error *error) {
    trib_cache *cache = NULL;
    const trib_status status = trib_cache_open(&cache, line->cache_directory, line->log, error);
    if (status != TRIB_OK) return status;
    if (cache) {
        char path[4096];
        snprintf(path, sizeof path, "%s", trib_cache_directory(cache));
        for (char *slash; !trib_disk_has(path) && (slash = strrchr(path, '/'));)
            slash[slash == path] = '\0';
        look_at_directory(all, "cache", trib_disk_has(path) ? path : ".",
                          "name another directory with --cache-dir DIR");
    } else {
        add(all, "cache", false, "name a directory with --cache-dir DIR",
            "no directory: neither HOME nor XDG_CACHE_HOME is set");
    }
    trib_cache_close(cache);
    return TRIB_OK;
}

static void look_at_extras(findings *all) {
    static const struct {
        const char *name, *feature, *package;
    } programs[] = {{"pdftotext", "PDF documents", "poppler-utils"},
                    {"pandoc", "LaTeX, Markdown, Org and MediaWiki", "pandoc"},
                    {"bible", "the King James Bible of make demo", "bible-kjv"}};
    char remedy[256], file[TRIB_CODE_FOLDER];
    for (const struct extra *extra = extras; extra < extras + N_EXTRAS; extra++) {
        const char *version = version_of(extra);
        snprintf(remedy, sizeof remedy, "apt-get install %s, then %s", extra->package,
                 is_mpi(extra) ? "make mpi, which makes tributary-mpi" : "make");
        add(all, extra->feature, version != NULL, remedy, "%s%s%s%s",
            version ? "" : "built without ", extra->library, version ? " " : "",
            version ? version : "");
    }
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        const bool is_there = trib_program_find(file, programs[p].name);
        snprintf(remedy, sizeof remedy, "apt-get install %s", programs[p].package);
        add(all, programs[p].feature, is_there, remedy, "%s%s", is_there ? "" : "no ",
            programs[p].name);
    }
    const char *const kind = trib_sandbox_kind(), *const why = trib_apart_refused();
    add(all, "sandbox of readers", !why,
        "use Linux on x86-64 or arm64, with seccomp; until then, read files of strangers elsewhere",
        "%s%s", why ? "none: " : "XML, HTML and archives are parsed apart, under ",
        why    ? why
        : kind ? kind
               : "");
    add(all, "sandbox of these programs", kind && strstr(kind, "Landlock"),
        "use Linux 5.13 or later, with Landlock; until then, convert files of strangers elsewhere",
        "%s", kind ? kind : "neither Landlock nor seccomp");
}

trib_status trib_command_doctor(const trib_command_line *line, trib_error *error) {
    findings all = {0};
    look_at_processor(&all);
    look_at_memory(&all);
    look_at_directory(
        &all, "this directory", ".",
        "change to another directory with -C DIR, or name the run directory with -o DIR");
    look_at_directory(&all, "temporary files", trib_path_temporary(),
                      "set TMPDIR to a directory that can be written to");
    const trib_status status = look_at_cache(&all, line, error);
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
        return trib_json_print(line->out, error, "{s:s, s:o}", "version", TRIB_VERSION, "findings",
                               list);
    }
    for (size_t i = 0; i < all.n; i++) {
        const finding *one = &all.finding[i];
        trib_print(line->out, "%-7s  %-34s %s\n", one->good ? "ok" : "missing", one->what,
                   one->found);
        if (*one->remedy) trib_print(line->out, "         -> %s\n", one->remedy);
    }
    return TRIB_OK;
}
