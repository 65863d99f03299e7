/* archive.c - any bytes as a zip or tar file: it is rejected, or names of members stay inside the
 * archive and their sizes within the limits. */
#include "pipeline/text/archive.h"
#include "tests/fuzz/fuzz.h"

static void check_name(const char *name) {
    FUZZ_CHECK(name[0] != '/' && name[0] != '\\');
    for (const char *at = name; (at = strstr(at, "..")); at++) {
        const bool begins = at == name || at[-1] == '/' || at[-1] == '\\',
                   ends = at[2] == '\0' || at[2] == '/' || at[2] == '\\';
        FUZZ_CHECK(!(begins && ends));
    }
}

FUZZ_TARGET(archive) {
    trib_archive archive;
    trib_member member = {0};
    trib_status status = trib_archive_memory(&archive, "x", bytes, size, NULL);
    while (status == TRIB_OK) {
        TRIB_OWNED(trib_buffer) text = {0};
        status = trib_archive_next(&archive, &member, NULL);
        if (status != TRIB_OK || !member.name) break;
        check_name(member.name);
        FUZZ_CHECK(!(member.is_file && member.is_folder));
        if (member.is_file) status = trib_archive_read(&archive, &text, NULL);
        if (status == TRIB_OK)
            FUZZ_CHECK(text.length <= archive.n_out &&
                       archive.n_out / TRIB_UNPACKED_RATIO <= size + TRIB_UNPACKED_FREE);
    }
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_INPUT || status == TRIB_MEMORY);
    trib_archive_close(&archive);
}
