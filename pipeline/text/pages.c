/* pages.c - the pages of a text that a METS file lists: each in a file of its own. */
#include "pipeline/text/byte_source.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/internal.h"
#include "pipeline/support/path.h"
#include "pipeline/text/archive.h"

/* Reads a file of METS as a whole; *is_mets is false, and nothing is read, for any other. */
static trib_status read_mets(trib_buffer *file, const char *path, trib_reader *reader,
                             bool *is_mets, trib_error *error) {
    enum { FIRST = 4096 };
    char first[FIRST];
    uint64_t size = 0;
    const size_t length = strlen(path);
    *is_mets = false;
    if (length < 5 || strcasecmp(path + length - 4, ".xml") != 0 ||
        trib_reader_size(reader, &size, &(trib_error){0}) != TRIB_OK) /* it is no regular file */
        return TRIB_OK;
    const size_t n = size < FIRST ? (size_t)size : FIRST;
    const trib_status status = trib_reader_at(reader, 0, first, n, error);
    *is_mets = status == TRIB_OK && trib_mets_begins(first, n);
    return *is_mets ? trib_reader_all(reader, file, error) : status;
}

/* Lists the pages of a METS file, with paths as their files. */
static trib_status list_pages(trib_mets *mets, const char *path, const trib_buffer *file,
                              trib_error *error) {
    char *folder = NULL;
    const trib_markup_bytes bytes = {path, file->text ? file->text : "", file->length};
    trib_status status = trib_mets_read(mets, bytes, error);
    if (status == TRIB_OK) status = trib_path_directory(&folder, path, error);
    for (size_t i = 0; i < mets->n && status == TRIB_OK; i++) {
        char *joined = NULL;
        status = trib_path_join(&joined, folder, mets->page[i].file, error);
        if (status != TRIB_OK) break;
        trib_free(mets->page[i].file);
        mets->page[i].file = joined;
    }
    trib_free(folder);
    return status;
}

/* Adds the stamp of a page to that of the pages before it. */
static uint64_t add_stamp(uint64_t stamp, const trib_mets_page *page) {
    const uint64_t both[] = {stamp, trib_address_stamp(page->file)};
    return trib_hash_bytes(both, sizeof both);
}

static trib_status add_page(trib_buffer *bytes, trib_mets_page *page, const char *path,
                            trib_error *error) {
    struct stat about;
    const unsigned line = (unsigned)page->line;
    if (stat(page->file, &about) != 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s:%u: the page '%s' is missing; put it there, or remove it from this "
                         "file",
                         path, line, page->file);
    if (!S_ISREG(about.st_mode))
        return trib_fail(error, TRIB_INPUT, "%s:%u: the page '%s' is not a file", path, line,
                         page->file);
    if ((uint64_t)about.st_size > TRIB_UNPACKED_MOST - bytes->length)
        return trib_fail(error, TRIB_INPUT, "%s: its pages have more than 64 GiB", path);
    page->from = bytes->length;
    const trib_status status = trib_read_whole(page->file, bytes, error);
    page->to = bytes->length;
    return status;
}

trib_status trib_byte_source_add_pages(trib_byte_source *source, const char *path,
                                       trib_error *error) {
    trib_buffer file = {0};
    bool is_mets = false;
    if (source->is_utf8 || source->bytes.length > 0 || strcmp(path, "-") == 0) return TRIB_OK;
    trib_status status = read_mets(&file, path, &source->reader, &is_mets, error);
    if (status == TRIB_OK && is_mets) status = list_pages(&source->mets, path, &file, error);
    for (size_t i = 0; i < source->mets.n && status == TRIB_OK; i++) {
        source->stamp = add_stamp(source->stamp, &source->mets.page[i]);
        status = add_page(&file, &source->mets.page[i], path, error);
    }
    if (status != TRIB_OK || !is_mets) {
        trib_buffer_release(&file);
        return status;
    }
    const char *name = source->reader.name;
    trib_reader_close(&source->reader);
    source->bytes = file;
    trib_reader_memory(&source->reader, name, source->bytes.text, source->bytes.length);
    return TRIB_OK;
}

uint64_t trib_byte_source_stamp(const char *path, bool has_pages) {
    uint64_t stamp = trib_address_stamp(path);
    trib_mets mets = {0};
    trib_buffer file = {0};
    trib_error unused = {0};
    if (has_pages && stamp != 0 && trib_read_whole(path, &file, &unused) == TRIB_OK &&
        list_pages(&mets, path, &file, &unused) == TRIB_OK)
        for (size_t i = 0; i < mets.n; i++) stamp = add_stamp(stamp, &mets.page[i]);
    trib_mets_release(&mets);
    trib_buffer_release(&file);
    return stamp;
}
