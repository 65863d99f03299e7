/* archive.c - reads the members of a zip or tar file. */
#include "pipeline/text/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#include "base/system.h"

bool trib_archive_is_named(const char *path) {
    return trib_name_ends(path, strlen(path),
                          ".zip .tar .tar.gz .tgz .tar.bz2 .tbz2 .tbz .tar.xz .txz .tar.zst "
                          ".tar.zstd");
}

/* ---- By libarchive --------------------------------------------------------------------------- */

enum { BLOCK = 1 << 16 };

static trib_status damaged(const trib_archive *archive, trib_error *error) {
    const char *why = archive_error_string(archive->reader);
    if (archive->failure.status != TRIB_OK) /* the file could not be read */
        return trib_fail(error, archive->failure.status, "%s", archive->failure.message);
    return trib_fail(error, TRIB_INPUT, "%s: cannot be read as a zip or tar%s%s", archive->name,
                     why ? ": " : "", why ? why : "");
}

static trib_status begin(trib_archive *archive, const char *name, trib_error *error) {
    *archive = (trib_archive){.name = name, .reader = archive_read_new(), .stored = {.file = -1}};
    if (!archive->reader) return trib_fail(error, TRIB_MEMORY, "%s: no memory to unpack it", name);
    archive_read_support_format_zip_seekable(archive->reader);
    archive_read_support_format_tar(archive->reader);
    archive_read_support_format_empty(archive->reader);
    return TRIB_OK;
}

/* Hands the next bytes to libarchive. It has no filters of its own here: so a file is unpacked
 * once, however often it was packed, and what is skipped is counted, too. */
static la_ssize_t give_bytes(struct archive *reader, void *context, const void **bytes) {
    trib_archive *a = context;
    const uint64_t left = a->n_file - a->position;
    size_t got = left < BLOCK ? (size_t)left : BLOCK;
    *bytes = a->block;
    trib_status status = trib_stop_check(&a->failure);
    if (status != TRIB_OK) {
    } else if (a->unpacked.packing) {
        const bool is_first = a->unpacked.n_out == 0;
        status = trib_unpacked_read(&a->unpacked, a->block, BLOCK, &got, &a->failure);
        if (status == TRIB_OK && is_first &&
            trib_packing_name((unsigned char *)a->block,
                              got < TRIB_PACKING_BYTES ? got : TRIB_PACKING_BYTES))
            status = trib_fail(&a->failure, TRIB_INPUT,
                               "%s: is packed more than once; unpack it by hand", a->name);
    } else {
        status = trib_reader_at(&a->stored, a->position, a->block, got, &a->failure);
        a->position += got;
    }
    if (status == TRIB_OK) return (la_ssize_t)got;
    archive_set_error(reader, EIO, "%s", a->failure.message);
    return -1;
}

static la_int64_t skip_bytes(struct archive *reader, void *context, la_int64_t n) {
    trib_archive *a = context;
    const uint64_t left = a->n_file - a->position, asked = n > 0 ? (uint64_t)n : 0;
    (void)reader;
    a->position += asked < left ? asked : left;
    return (la_int64_t)(asked < left ? asked : left);
}

static la_int64_t seek_bytes(struct archive *reader, void *context, la_int64_t n, int whence) {
    trib_archive *a = context;
    const uint64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? a->position : a->n_file;
    (void)reader;
    if (n < 0 ? (uint64_t)-n > from : (uint64_t)n > a->n_file - from) return ARCHIVE_FATAL;
    a->position = from + (uint64_t)n;
    return (la_int64_t)a->position;
}

/* a->stored is open. */
static trib_status open_stored(trib_archive *a, trib_error *error) {
    trib_status status = trib_new(&a->block, BLOCK, 1, "unpacking", error);
    if (status == TRIB_OK) status = trib_reader_size(&a->stored, &a->n_file, error);
    if (status == TRIB_OK) status = trib_unpacked_open(&a->unpacked, &a->stored, error);
    if (status != TRIB_OK) return status;
    archive_read_set_read_callback(a->reader, give_bytes);
    archive_read_set_callback_data(a->reader, a);
    if (!a->unpacked.packing) {
        archive_read_set_skip_callback(a->reader, skip_bytes);
        archive_read_set_seek_callback(a->reader, seek_bytes);
    }
    const int result = archive_read_open1(a->reader);
    return result == ARCHIVE_OK && a->failure.status == TRIB_OK ? TRIB_OK : damaged(a, error);
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

/* ---- Apart (apart.h) ------------------------------------------------------------------------- */

static trib_status work_open(void *record, trib_markup_bytes file, trib_error *error) {
    trib_archive *const a = record;
    const trib_status status = begin(a, file.name, error);
    trib_reader_memory(&a->stored, file.name, file.at, file.length);
    return status == TRIB_OK ? open_stored(a, error) : status;
}

static trib_status work_next(void *record, trib_markup_bytes file, trib_error *error) {
    trib_archive *const a = record;
    a->name = a->stored.name = file.name;
    return trib_archive_next(a, &a->now, error);
}

static trib_status work_read(void *record, trib_markup_bytes file, trib_error *error) {
    trib_archive *const a = record;
    a->name = a->stored.name = file.name;
    trib_buffer_clear(&a->bytes);
    return trib_archive_read_some(a, &a->bytes, a->most, error);
}

static void pack_most(trib_pack *pack, void *record) {
    trib_archive *const a = record;
    TRIB_PACK(pack, a->most);
    TRIB_PACK(pack, a->n_out);
}

static void pack_bytes(trib_pack *pack, void *record) {
    trib_archive *const a = record;
    TRIB_PACK(pack, a->n_out);
    trib_pack_buffer(pack, &a->bytes);
}

static void pack_member(trib_pack *pack, void *record) {
    trib_archive *const a = record;
    char *name = (char *)(uintptr_t)a->now.name;
    trib_pack_bool(pack, &a->now.is_file);
    trib_pack_bool(pack, &a->now.is_folder);
    trib_pack_string(pack, &name);
    if (!pack->reads) return;
    trib_free(a->now_name);
    a->now_name = name;
    trib_pack_expect(pack, !name || !leads_out(name));
    a->now.name = a->member = trib_pack_is_good(pack) ? name : NULL;
}

static void release(void *record) { trib_archive_close(record); }

#define ROW .release = release, .size = sizeof(trib_archive), .leaves = true
static const trib_apart_work apart_open = {work_open, ROW};
static const trib_apart_work apart_next = {work_next, .answer = pack_member, ROW, .goes_on = true};
static const trib_apart_work apart_read = {work_read, pack_most, pack_bytes, ROW, .goes_on = true};

static trib_status open_apart(trib_archive *a, trib_error *error) {
    uint64_t size = 0;
    const trib_status status = trib_reader_size(&a->stored, &size, error);
    const trib_markup_bytes file = {a->name, "", (size_t)size};
    return status == TRIB_OK
               ? trib_apart_continue(&a->apart, &apart_open, a, file, a->stored.file, error)
               : status;
}

/* As trib_archive_read_some. */
static trib_status read_apart(trib_archive *a, trib_buffer *to, size_t most, trib_error *error) {
    enum { AT_ONCE = 1 << 22 };
    trib_status status = TRIB_OK;
    for (a->most = 0; status == TRIB_OK && most > 0 && a->bytes.length >= a->most;) {
        trib_buffer_clear(&a->bytes);
        a->most = most < AT_ONCE ? most : AT_ONCE;
        status = trib_apart_continue(&a->apart, &apart_read, a, (trib_markup_bytes){a->name, "", 0},
                                     -1, error);
        if (status == TRIB_OK) status = trib_buffer_add(to, a->bytes.text, a->bytes.length, error);
        most -= a->bytes.length < most ? a->bytes.length : most;
    }
    return status;
}

trib_status trib_archive_open(trib_archive *archive, const char *path, trib_error *error) {
    trib_apart_process *apart;
    trib_status status = trib_apart_open(&apart, error);
    const trib_status begun = begin(archive, path, status == TRIB_OK ? error : NULL);
    if (status == TRIB_OK) status = begun;
    archive->apart = apart;
    if (status == TRIB_OK) status = trib_reader_open_file(&archive->stored, path, error);
    if (status == TRIB_OK)
        status = apart ? open_apart(archive, error) : open_stored(archive, error);
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

trib_status trib_archive_next(trib_archive *archive, trib_member *member, trib_error *error) {
    struct archive_entry *entry = NULL;
    *member = (trib_member){0};
    /* an archive may have many members that are skipped */
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK && archive->apart) {
        status = trib_apart_continue(&archive->apart, &apart_next, archive,
                                     (trib_markup_bytes){archive->name, "", 0}, -1, error);
        if (status == TRIB_OK) *member = archive->now;
        return status;
    }
    if (status != TRIB_OK) return status;
    /* libarchive converts names in UTF-8 to the locale, and has none for what that lacks */
    const locale_t utf8 = trib_utf8_locale();
    const locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    const int result = archive_read_next_header(archive->reader, &entry);
    const bool is_read = result == ARCHIVE_OK || result == ARCHIVE_WARN;
    if (is_read) member->name = archive_entry_pathname(entry);
    if (utf8) uselocale(before);
    if (result == ARCHIVE_EOF) return TRIB_OK;
    if (!is_read) return damaged(archive, error);
    if (!member->name) member->name = archive_entry_pathname_utf8(entry);
    member->is_file = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry);
    member->is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (++archive->n_members > trib_budget_now().members)
        return trib_fail(error, TRIB_INPUT,
                         "%s: contains more than %llu files; unpack it, or raise resources.members",
                         archive->name, (unsigned long long)trib_budget_now().members);
    if (!member->name)
        return trib_fail(error, TRIB_INPUT, "%s: file %u in it has a name that cannot be read",
                         archive->name, (unsigned)archive->n_members);
    while (strncmp(member->name, "./", 2) == 0) member->name += 2;
    if (leads_out(member->name))
        return trib_fail(error, TRIB_INPUT,
                         "%s: contains '%.200s', a name that points outside the archive; do not "
                         "trust this archive",
                         archive->name, member->name);
    archive->member = member->name;
    archive->is_locked = archive_entry_is_encrypted(entry);
    return TRIB_OK;
}

trib_status trib_archive_read_some(trib_archive *archive, trib_buffer *to, size_t most,
                                   trib_error *error) {
    char block[1 << 14];
    const size_t before = to->length;
    trib_status status = TRIB_OK;
    if (archive->apart) return read_apart(archive, to, most, error);
    if (archive->is_locked)
        return trib_fail(error, TRIB_INPUT, "%s: '%.200s' in it is encrypted; unpack it",
                         archive->name, archive->member);
    while (status == TRIB_OK && to->length - before < most) {
        const la_ssize_t n = archive_read_data(archive->reader, block, sizeof block);
        if (n == 0) break;
        if (n < 0 && archive->failure.status == TRIB_OK)
            return trib_fail(error, TRIB_INPUT, "%s: '%.200s' in it is damaged: %s", archive->name,
                             archive->member, archive_error_string(archive->reader));
        if (n < 0) return damaged(archive, error);
        archive->n_out += (uint64_t)n;
        status = trib_stop_check(error);
        if (status == TRIB_OK)
            status = trib_unpacked_check(archive->name, archive->n_file, archive->n_out,
                                         (uint64_t)n, error);
        if (status == TRIB_OK) status = trib_buffer_add(to, block, (size_t)n, error);
    }
    return status;
}

void trib_archive_close(trib_archive *archive) {
    if (archive->reader) archive_read_free(archive->reader);
    trib_unpacked_close(&archive->unpacked);
    if (archive->stored.name) trib_reader_close(&archive->stored);
    trib_free(archive->block);
    trib_apart_close(&archive->apart);
    trib_buffer_release(&archive->bytes);
    trib_free(archive->now_name);
    *archive = (trib_archive){0};
}

/* ---- Members --------------------------------------------------------------------------------- */

trib_status trib_archive_read(trib_archive *archive, trib_buffer *to, trib_error *error) {
    return trib_archive_read_some(archive, to, SIZE_MAX, error);
}

/* Appends the contents of the member with this name. `others` gets the names of some before it. */
static trib_status find_member(trib_archive *archive, const char *wanted, trib_buffer *to,
                               bool *is_there, trib_buffer *others, trib_error *error) {
    enum { SHOWN = 5 };
    trib_member member = {0};
    size_t n = 0;
    trib_status status = TRIB_OK;
    *is_there = false;
    while ((status = trib_archive_next(archive, &member, error)) == TRIB_OK && member.name) {
        if (!member.is_file) continue;
        *is_there = strcmp(member.name, wanted) == 0;
        if (*is_there) return trib_archive_read(archive, to, error);
        if (n < SHOWN)
            status = trib_buffer_print(others, error, "%s'%.80s'", n > 0 ? ", " : "", member.name);
        else if (n == SHOWN) status = trib_buffer_print(others, error, ", ...");
        n++;
        if (status != TRIB_OK) break;
    }
    return status;
}

trib_status trib_archive_member(const char *path, const char *member, trib_buffer *to,
                                trib_error *error) {
    trib_archive archive;
    TRIB_OWNED(trib_buffer) others = {0};
    bool is_there = false;
    trib_status status = trib_archive_open(&archive, path, error);
    if (status != TRIB_OK) return status;
    status = find_member(&archive, member, to, &is_there, &others, error);
    if (status == TRIB_OK && !is_there)
        status = trib_fail(error, TRIB_INPUT, "%s: contains no file '%s'; it contains %s", path,
                           member, others.text ? others.text : "none");
    trib_archive_close(&archive);
    return status;
}

trib_status trib_archive_memory_member(const char *name, const void *bytes, size_t length,
                                       const char *member, trib_buffer *to, bool *is_there,
                                       trib_error *error) {
    trib_archive archive;
    TRIB_OWNED(trib_buffer) others = {0};
    *is_there = false;
    trib_status status = trib_archive_memory(&archive, name, bytes, length, error);
    if (status != TRIB_OK) return status;
    status = find_member(&archive, member, to, is_there, &others, error);
    trib_archive_close(&archive);
    return status;
}
