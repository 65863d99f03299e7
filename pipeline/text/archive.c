/* archive.c - reads the members of a zip or tar file. */
#include "pipeline/text/archive.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool ends(const char *path, const char *ending) {
    const size_t length = strlen(path), n = strlen(ending);
    return length > n && strcasecmp(path + length - n, ending) == 0;
}

bool trib_archive_is_named(const char *path) {
    static const char *const endings[] = {".zip",     ".tar",     ".tar.gz",  ".tgz",
                                          ".tar.bz2", ".tbz2",    ".tbz",     ".tar.xz",
                                          ".txz",     ".tar.zst", ".tar.zstd"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends(path, endings[i])) return true;
    return false;
}

trib_status trib_unpacked_check(const char *name, uint64_t n_file, uint64_t n_out,
                                trib_error *error) {
    if (n_out > TRIB_UNPACKED_MOST)
        return trib_fail(error, TRIB_INPUT, "%s: unpacks to more than 64 GiB; is this a text?",
                         name);
    if (n_out > TRIB_UNPACKED_FREE && n_out / TRIB_UNPACKED_RATIO > n_file)
        return trib_fail(error, TRIB_INPUT,
                         "%s: unpacks to more than %llu times its size; if it is a text, unpack it "
                         "by hand",
                         name, (unsigned long long)TRIB_UNPACKED_RATIO);
    return TRIB_OK;
}

#ifdef TRIB_WITH_ARCHIVE
#include <archive.h>
#include <archive_entry.h>

static trib_status damaged(const trib_archive *archive, trib_error *error) {
    const char *why = archive_error_string(archive->reader);
    return trib_fail(error, TRIB_INPUT, "%s: cannot be read as a zip or tar%s%s", archive->name,
                     why ? ": " : "", why ? why : "");
}

/* Enables formats and filters, except filters that would run a program. */
static trib_status begin(trib_archive *archive, const char *name, trib_error *error) {
    *archive = (trib_archive){.name = name, .reader = archive_read_new()};
    if (!archive->reader) return trib_fail(error, TRIB_MEMORY, "%s: no memory to unpack it", name);
    archive_read_support_format_zip_seekable(archive->reader);
    archive_read_support_format_tar(archive->reader);
    archive_read_support_format_empty(archive->reader);
    if (archive_read_support_filter_gzip(archive->reader) != ARCHIVE_OK ||
        archive_read_support_filter_bzip2(archive->reader) != ARCHIVE_OK ||
        archive_read_support_filter_xz(archive->reader) != ARCHIVE_OK ||
        archive_read_support_filter_zstd(archive->reader) != ARCHIVE_OK)
        /* the message about an unsupported filter comes later, for archives that need it */
        archive_clear_error(archive->reader);
    return TRIB_OK;
}

trib_status trib_archive_open(trib_archive *archive, const char *path, trib_error *error) {
    struct stat about;
    trib_status status = begin(archive, path, error);
    if (status == TRIB_OK &&
        archive_read_open_filename(archive->reader, path, 1 << 16) != ARCHIVE_OK)
        status = damaged(archive, error);
    if (status == TRIB_OK && stat(path, &about) == 0) archive->n_file = (uint64_t)about.st_size;
    if (status != TRIB_OK) trib_archive_close(archive);
    return status;
}

trib_status trib_archive_memory(trib_archive *archive, const char *name, const void *bytes,
                                size_t length, trib_error *error) {
    trib_status status = begin(archive, name, error);
    if (status == TRIB_OK && archive_read_open_memory(archive->reader, bytes, length) != ARCHIVE_OK)
        status = damaged(archive, error);
    archive->n_file = length;
    if (status != TRIB_OK) trib_archive_close(archive);
    return status;
}

/* Whether a name contains the part "..", or is absolute. */
static bool leads_out(const char *name) {
    if (name[0] == '/' || name[0] == '\\') return true;
    for (const char *part = name; *part;) {
        const size_t n = strcspn(part, "/\\");
        if (n == 2 && part[0] == '.' && part[1] == '.') return true;
        part += n + (part[n] != '\0');
    }
    return false;
}

trib_status trib_archive_next(trib_archive *archive, trib_member *member, trib_error *error) {
    struct archive_entry *entry = NULL;
    *member = (trib_member){0};
    /* an archive may have many members that are skipped */
    const trib_status status = trib_stop_check(error);
    if (status != TRIB_OK) return status;
    const int result = archive_read_next_header(archive->reader, &entry);
    if (result == ARCHIVE_EOF) return TRIB_OK;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return damaged(archive, error);
    /* NULL when the name has characters outside this locale */
    member->name = archive_entry_pathname(entry);
    if (!member->name) member->name = archive_entry_pathname_utf8(entry);
    member->is_file = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry);
    member->is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (++archive->n_members > TRIB_MEMBERS_MOST)
        return trib_fail(error, TRIB_INPUT, "%s: contains more than %d files; unpack it",
                         archive->name, (int)TRIB_MEMBERS_MOST);
    if (!member->name)
        return trib_fail(error, TRIB_INPUT, "%s: file %u in it has a name that cannot be read",
                         archive->name, (unsigned)archive->n_members);
    while (strncmp(member->name, "./", 2) == 0) member->name += 2;
    if (leads_out(member->name))
        return trib_fail(error, TRIB_INPUT,
                         "%s: contains '%.200s', a name that points outside the archive; do not "
                         "trust this archive",
                         archive->name, member->name);
    if (archive_entry_is_encrypted(entry))
        return trib_fail(error, TRIB_INPUT, "%s: '%.200s' in it is encrypted; unpack it",
                         archive->name, member->name);
    return TRIB_OK;
}

trib_status trib_archive_read_some(trib_archive *archive, trib_buffer *to, size_t most,
                                   trib_error *error) {
    char block[1 << 14];
    const size_t before = to->length;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && to->length - before < most) {
        const la_ssize_t n = archive_read_data(archive->reader, block, sizeof block);
        if (n == 0) break;
        if (n < 0) return damaged(archive, error);
        archive->n_out += (uint64_t)n;
        status = trib_stop_check(error);
        if (status == TRIB_OK)
            status = trib_unpacked_check(archive->name, archive->n_file, archive->n_out, error);
        if (status == TRIB_OK) status = trib_buffer_add(to, block, (size_t)n, error);
    }
    return status;
}

void trib_archive_close(trib_archive *archive) {
    if (archive->reader) archive_read_free(archive->reader);
    *archive = (trib_archive){0};
}

#else

trib_status trib_archive_open(trib_archive *archive, const char *path, trib_error *error) {
    *archive = (trib_archive){0};
    return trib_fail(error, TRIB_INPUT,
                     "%s: is an archive, which this build cannot read: install libarchive (Debian: "
                     "libarchive-dev) and build again, or unpack it",
                     path);
}

trib_status trib_archive_memory(trib_archive *archive, const char *name, const void *bytes,
                                size_t length, trib_error *error) {
    (void)bytes, (void)length;
    return trib_archive_open(archive, name, error);
}

trib_status trib_archive_next(trib_archive *archive, trib_member *member, trib_error *error) {
    *member = (trib_member){0};
    return trib_fail(error, TRIB_INTERNAL, "%s: is not open", archive->name ? archive->name : "");
}

trib_status trib_archive_read_some(trib_archive *archive, trib_buffer *to, size_t most,
                                   trib_error *error) {
    (void)to, (void)most;
    return trib_fail(error, TRIB_INTERNAL, "%s: is not open", archive->name ? archive->name : "");
}

void trib_archive_close(trib_archive *archive) { *archive = (trib_archive){0}; }

#endif

trib_status trib_archive_read(trib_archive *archive, trib_buffer *to, trib_error *error) {
    return trib_archive_read_some(archive, to, SIZE_MAX, error);
}

trib_status trib_archive_member(const char *path, const char *member, trib_buffer *to,
                                trib_error *error) {
    enum { SHOWN = 5 };
    trib_archive archive;
    trib_member found = {0};
    trib_buffer list = {0};
    size_t n = 0;
    trib_status status = trib_archive_open(&archive, path, error);
    if (status != TRIB_OK) return status;
    while ((status = trib_archive_next(&archive, &found, error)) == TRIB_OK && found.name) {
        if (!found.is_file) continue;
        if (strcmp(found.name, member) == 0) break;
        if (n++ < SHOWN)
            status = trib_buffer_print(&list, error, "%s'%.80s'", n > 1 ? ", " : "", found.name);
        if (status != TRIB_OK) break;
    }
    if (status == TRIB_OK && found.name) status = trib_archive_read(&archive, to, error);
    else if (status == TRIB_OK)
        status = trib_fail(error, TRIB_INPUT, "%s: contains no file '%s'; it contains %s%s", path,
                           member, n ? list.text : "none", n > SHOWN ? ", ..." : "");
    trib_archive_close(&archive);
    trib_buffer_release(&list);
    return status;
}
