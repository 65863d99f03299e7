/* archive.c - reads the members of a zip or tar file, and compressed files. */
#include "pipeline/text/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <stdatomic.h>
#include <strings.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

bool trib_name_ends(const char *name, size_t length, const char *endings) {
    for (const char *at = endings; *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        if (length > n && strncasecmp(name + length - n, at, n) == 0) return true;
        at += n;
    }
    return false;
}

bool trib_archive_is_named(const char *path) {
    return trib_name_ends(path, strlen(path),
                          ".zip .tar .tar.gz .tgz .tar.bz2 .tbz2 .tbz .tar.xz .txz .tar.zst "
                          ".tar.zstd");
}

/* ---- The budget ------------------------------------------------------------------------------ */

static struct {
    _Atomic uint64_t unpacked, members, parts, programs;
    atomic_bool sandbox;
} budget = {UINT64_C(1) << 40, 1 << 20, 1 << 14, UINT64_C(1) << 40, true};
static _Atomic uint64_t n_spent; /* bytes unpacked */

void trib_budget_begin(const trib_budget *given) {
    budget.unpacked = given->unpacked;
    budget.members = given->members;
    budget.parts = given->parts;
    budget.programs = given->programs;
    budget.sandbox = given->sandbox;
    n_spent = 0;
}

trib_budget trib_budget_now(void) {
    return (trib_budget){budget.unpacked, budget.members, budget.parts, budget.programs,
                         budget.sandbox};
}

uint64_t trib_budget_unpacked(void) { return atomic_load(&n_spent); }

trib_status trib_parts_check(const char *name, const char *parts, uint64_t n, trib_error *error) {
    if (n <= budget.parts) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT,
                     "%s: has more than %llu %s; split it, or raise resources.parts", name,
                     (unsigned long long)budget.parts, parts);
}

trib_status trib_unpacked_check(const char *name, uint64_t n_file, uint64_t n_out, uint64_t n_new,
                                trib_error *error) {
    if (n_out > TRIB_UNPACKED_MOST)
        return trib_fail(error, TRIB_INPUT, "%s: unpacks to more than 64 GiB; is this a text?",
                         name);
    if (n_out > TRIB_UNPACKED_FREE && n_out / TRIB_UNPACKED_RATIO > n_file)
        return trib_fail(error, TRIB_INPUT,
                         "%s: unpacks to more than %llu times its size; if it is a text, unpack it "
                         "by hand",
                         name, (unsigned long long)TRIB_UNPACKED_RATIO);
    if (atomic_fetch_add(&n_spent, n_new) + n_new > budget.unpacked)
        return trib_fail(error, TRIB_MEMORY,
                         "%s: the run has unpacked more than %g GiB, all files together; raise "
                         "resources.unpacked, or unpack the texts by hand",
                         name, (double)budget.unpacked / 0x1p30);
    return TRIB_OK;
}

/* ---- The table of compressions --------------------------------------------------------------- */

typedef struct packing_row {
    const char *name, *ending;
    unsigned char magic[8];
    size_t n_magic;
    int (*unpack)(struct archive *archive); /* NULL: trib_reader decompresses it */
    int code;                               /* of the filter */
} packing_row;

static const packing_row packings[] = {
    {"gzip", ".gz", {0x1F, 0x8B}, 2, NULL, 0},
    {"bzip2", ".bz2", "BZh", 3, archive_read_support_filter_bzip2, ARCHIVE_FILTER_BZIP2},
    {"xz",
     ".xz",
     {0xFD, '7', 'z', 'X', 'Z', 0},
     6,
     archive_read_support_filter_xz,
     ARCHIVE_FILTER_XZ},
    {"zstd",
     ".zst",
     {0x28, 0xB5, 0x2F, 0xFD},
     4,
     archive_read_support_filter_zstd,
     ARCHIVE_FILTER_ZSTD},
};

size_t trib_unpacked_name_length(const char *path) {
    const size_t length = strlen(path);
    for (size_t p = 0; p < sizeof packings / sizeof *packings; p++)
        if (trib_name_ends(path, length, packings[p].ending))
            return length - strlen(packings[p].ending);
    return length;
}

/* "BZh", the block size, and the first half of "1AY&SY", which begins a block or ends an empty
 * file. */
static bool is_bzip2(const unsigned char *bytes, size_t n) {
    return n == 8 && bytes[3] >= '1' && bytes[3] <= '9' &&
           (memcmp(bytes + 4, "1AY&", 4) == 0 || memcmp(bytes + 4, "\x17\x72\x45\x38", 4) == 0);
}

static const packing_row *packing_of(const unsigned char *bytes, size_t n) {
    for (size_t p = 0; p < sizeof packings / sizeof *packings; p++)
        if (n >= packings[p].n_magic && memcmp(bytes, packings[p].magic, packings[p].n_magic) == 0)
            return packings[p].magic[0] == 'B' && !is_bzip2(bytes, n) ? NULL : &packings[p];
    return NULL;
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

static trib_status open_stored(trib_archive *a, trib_error *error) {
    trib_status status = trib_new(&a->block, BLOCK, 1, "unpacking", error);
    if (status == TRIB_OK) status = trib_reader_open_file(&a->stored, a->name, error);
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

trib_status trib_archive_open(trib_archive *archive, const char *path, trib_error *error) {
    trib_status status = begin(archive, path, error);
    if (status == TRIB_OK) status = open_stored(archive, error);
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
    /* libarchive converts names in UTF-8 to the locale, and has none for what that lacks */
    const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    const int result = archive_read_next_header(archive->reader, &entry);
    const bool is_read = result == ARCHIVE_OK || result == ARCHIVE_WARN;
    if (is_read) member->name = archive_entry_pathname(entry);
    if (utf8) uselocale(before), freelocale(utf8);
    if (result == ARCHIVE_EOF) return TRIB_OK;
    if (!is_read) return damaged(archive, error);
    if (!member->name) member->name = archive_entry_pathname_utf8(entry);
    member->is_file = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry);
    member->is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (++archive->n_members > budget.members)
        return trib_fail(error, TRIB_INPUT,
                         "%s: contains more than %llu files; unpack it, or raise resources.members",
                         archive->name, (unsigned long long)budget.members);
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
    *archive = (trib_archive){0};
}

static la_ssize_t read_packed(struct archive *archive, void *context, const void **bytes) {
    trib_unpacked *u = context;
    size_t got = 0;
    *bytes = u->block;
    if (trib_reader_read(u->reader, u->block, BLOCK, &got, &u->failure) == TRIB_OK)
        return (la_ssize_t)got;
    archive_set_error(archive, EIO, "%s", u->failure.message);
    return -1;
}

static trib_status damaged_packing(const trib_unpacked *u, trib_error *error) {
    const char *why = archive_error_string(u->archive);
    if (u->failure.status != TRIB_OK) /* the file could not be read */
        return trib_fail(error, u->failure.status, "%s", u->failure.message);
    return trib_fail(error, TRIB_INPUT, "%s: its %s data are damaged or cut%s%s", u->reader->name,
                     u->packing, why ? ": " : "", why ? why : "");
}

static trib_status open_packed(trib_unpacked *u, const packing_row *packing, trib_error *error) {
    struct archive_entry *entry;
    trib_status status = trib_new(&u->block, BLOCK, 1, "unpacking", error);
    if (status != TRIB_OK) return status;
    u->archive = archive_read_new();
    if (!u->archive)
        return trib_fail(error, TRIB_MEMORY, "%s: no memory to unpack it", u->reader->name);
    /* one filter alone; the other one would run a program */
    if (packing->unpack(u->archive) != ARCHIVE_OK ||
        archive_read_append_filter(u->archive, packing->code) != ARCHIVE_OK)
        return trib_fail(error, TRIB_INPUT,
                         "%s: is packed by %s, which this libarchive cannot read; unpack it",
                         u->reader->name, packing->name);
    archive_read_support_format_raw(u->archive);
    archive_read_support_format_empty(u->archive);
    /* libarchive takes damage at the beginning for the end */
    if (archive_read_open(u->archive, u, NULL, read_packed, NULL) != ARCHIVE_OK ||
        archive_errno(u->archive) != 0)
        return damaged_packing(u, error);
    const int result = archive_read_next_header(u->archive, &entry);
    u->is_over = result == ARCHIVE_EOF; /* the file was not compressed */
    return result == ARCHIVE_OK || result == ARCHIVE_EOF ? TRIB_OK : damaged_packing(u, error);
}

static trib_status unpack(trib_unpacked *u, void *bytes, size_t size, size_t *got,
                          trib_error *error) {
    if (u->is_over) return TRIB_OK;
    const la_ssize_t n = archive_read_data(u->archive, bytes, size);
    if (n < 0) return damaged_packing(u, error);
    *got = (size_t)n;
    return TRIB_OK;
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

/* ---- Compressed files ------------------------------------------------------------------------ */

const char *trib_packing_name(const unsigned char *first, size_t n) {
    const packing_row *packing = packing_of(first, n);
    return packing ? packing->name : NULL;
}

trib_status trib_unpacked_open(trib_unpacked *u, trib_reader *reader, trib_error *error) {
    unsigned char first[TRIB_PACKING_BYTES] = {0};
    size_t n = 0;
    *u = (trib_unpacked){.reader = reader};
    const trib_status status = trib_reader_peek(reader, first, sizeof first, &n, error);
    const packing_row *packing = status == TRIB_OK ? packing_of(first, n) : NULL;
    if (!packing) return status;
    u->packing = packing->name;
    /* the size of a pipe is unknown; only the limit on the total size applies */
    if (trib_reader_size(reader, &u->n_file, NULL) != TRIB_OK)
        u->n_file = TRIB_UNPACKED_MOST / TRIB_UNPACKED_RATIO;
    return packing == packings ? trib_reader_unpack(reader, error) : open_packed(u, packing, error);
}

trib_status trib_unpacked_read(trib_unpacked *u, void *bytes, size_t size, size_t *got,
                               trib_error *error) {
    *got = 0;
    const trib_status status = u->archive ? unpack(u, bytes, size, got, error)
                                          : trib_reader_read(u->reader, bytes, size, got, error);
    u->n_out += *got;
    return status == TRIB_OK && u->packing
               ? trib_unpacked_check(u->reader->name, u->n_file, u->n_out, *got, error)
               : status;
}

trib_status trib_unpacked_add(trib_unpacked *unpacked, trib_buffer *to, size_t most,
                              trib_error *error) {
    char block[1 << 14];
    size_t got = 1;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && got > 0 && to->length < most) {
        const size_t left = most - to->length;
        status = trib_unpacked_read(unpacked, block, left < sizeof block ? left : sizeof block,
                                    &got, error);
        if (status == TRIB_OK) status = trib_buffer_add(to, block, got, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
    }
    return status;
}

void trib_unpacked_close(trib_unpacked *u) {
    if (u->archive) archive_read_free(u->archive);
    trib_free(u->block);
    *u = (trib_unpacked){0};
}
