/* version.c - `tributary version`: prints the versions of the program and its libraries, and the
 * kernels in use. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unicode/uversion.h>
#include <yaml.h>

#include "base/internal.h"
#include "decomp/blas.h"
#include "pipeline/program/command.h"
#include "pipeline/support/json.h"

#ifdef TRIB_WITH_ZLIB
#include <zlib.h>
#else
#define ZLIB_VERSION NULL
#endif
#ifdef TRIB_WITH_ZSTD
#include <zstd.h>
#else
#define ZSTD_VERSION_STRING NULL
#endif
#ifdef TRIB_WITH_ARCHIVE
#include <archive.h>
#else
#define ARCHIVE_VERSION_ONLY_STRING NULL
#endif
#ifdef TRIB_WITH_CURL
#include <curl/curlver.h>
#else
#define LIBCURL_VERSION NULL
#endif
#ifdef TRIB_WITH_XML
#include <libxml/xmlversion.h>
#else
#define LIBXML_DOTTED_VERSION NULL
#endif
#ifdef TRIB_WITH_SQLITE
#include <sqlite3.h>
#else
#define SQLITE_VERSION NULL
#endif
#ifdef TRIB_WITH_NETTLE
#include <nettle/version.h>
#define WRITTEN(number)        #number
#define WITH_DOT(major, minor) WRITTEN(major) "." WRITTEN(minor)
#define NETTLE                 WITH_DOT(NETTLE_VERSION_MAJOR, NETTLE_VERSION_MINOR)
#else
#define NETTLE NULL
#endif
#ifdef TRIB_WITH_TEXTCAT
#include <exttextcat-version.h>
#else
#define EXTTEXTCAT_VERSION NULL
#endif

/* Optional libraries: what each is for, its version in this build (NULL: it was not there) and
 * its Debian package. */
const trib_extra trib_extras[TRIB_N_EXTRAS] = {
    {"compressed tensors", "zlib", "zlib1g-dev", ZLIB_VERSION},
    {"compressed fragments", "zstd", "libzstd-dev", ZSTD_VERSION_STRING},
    {"compressed corpora", "libarchive", "libarchive-dev", ARCHIVE_VERSION_ONLY_STRING},
    {"fetching texts", "libcurl", "libcurl4-openssl-dev", LIBCURL_VERSION},
    {"TEI, EPUB and HTML", "libxml2", "libxml2-dev", LIBXML_DOTTED_VERSION},
    {"results.sqlite", "libsqlite3", "libsqlite3-dev", SQLITE_VERSION},
    {"faster SHA-256", "nettle", "nettle-dev", NETTLE},
    {"guessed languages", "libexttextcat", "libexttextcat-dev", EXTTEXTCAT_VERSION},
    {"several machines", "MPI", "libopenmpi-dev", NULL},
};

const char *trib_extra_version(int i) {
    const bool is_mpi = strcmp(trib_extras[i].library, "MPI") == 0;
    return is_mpi ? trib_comm_library() : trib_extras[i].version;
}

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

trib_status trib_command_version(const trib_command_line *line, trib_log *log, trib_writer *out,
                                 trib_error *error) {
    struct library library[N_LIBRARIES];
    (void)log;
    libraries(library);
    if (line->json) {
        json_t *with = json_object(), *without = json_array();
        for (int i = 0; i < N_LIBRARIES; i++)
            json_object_set_new(with, library[i].name, trib_json_text(library[i].version));
        for (int i = 0; i < TRIB_N_EXTRAS; i++)
            if (trib_extra_version(i))
                json_object_set_new(with, trib_extras[i].library,
                                    trib_json_text(trib_extra_version(i)));
            else
                json_array_append_new(without, json_pack("{s:s, s:s, s:s}", "feature",
                                                         trib_extras[i].feature, "library",
                                                         trib_extras[i].library, "package",
                                                         trib_extras[i].package));
        return trib_json_write(json_pack("{s:i, s:s, s:s?, s:s, s:o, s:o}", "schema", 1, "version",
                                         TRIB_VERSION, "commit", *trib_commit ? trib_commit : NULL,
                                         "kernels", trib_kernel_set(), "libraries", with, "absent",
                                         without),
                               out, error);
    }
    trib_print(out, "tributary %s\n\n  %-12s %s\n  %-12s %s\n", TRIB_VERSION, "commit",
               *trib_commit ? trib_commit : "not recorded", "kernels", trib_kernel_set());
    for (int i = 0; i < N_LIBRARIES; i++)
        trib_print(out, "  %-12s %s\n", library[i].name, library[i].version);
    for (int i = 0; i < TRIB_N_EXTRAS; i++)
        if (trib_extra_version(i))
            trib_print(out, "  %-12s %s\n", trib_extras[i].library, trib_extra_version(i));
    const char *title = "\nNot in this build (each with its Debian package):\n";
    for (int i = 0; i < TRIB_N_EXTRAS; i++) {
        if (trib_extra_version(i)) continue;
        trib_print(out, "%s  %-22s %s\n", title, trib_extras[i].feature, trib_extras[i].package);
        title = "";
    }
    return TRIB_OK;
}
