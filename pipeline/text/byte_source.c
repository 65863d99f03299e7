/* byte_source.c - opens the bytes at an address. */
#include "pipeline/text/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/support/path.h"
#include "pipeline/text/archive.h"
#include "pipeline/text/spool.h"
#include "pipeline/text/table.h"
#include "pipeline/text/tei.h"

/* ---- Standard input -------------------------------------------------------------------------- */

/* Copies the bytes of a pipe or terminal to a temporary file, which becomes standard input. */
static trib_status spool_input(trib_error *error) {
    char block[1 << 14];
    trib_reader reader;
    size_t got = 0;
    uint64_t n = 0;
    int file = -1;
    trib_status status = trib_unnamed_file_open(&file, error);
    if (status == TRIB_OK) status = trib_reader_open(&reader, "-", error);
    while (status == TRIB_OK) {
        status = trib_reader_read(&reader, block, sizeof block, &got, error);
        if (status != TRIB_OK || got == 0) break;
        status = trib_unnamed_file_add(file, block, got, error);
        if ((n += got) > TRIB_UNPACKED_MOST)
            status = trib_fail(error, TRIB_INPUT, "standard input: is more than 64 GiB");
    }
    if (status == TRIB_OK && dup2(file, STDIN_FILENO) < 0)
        status =
            trib_fail(error, TRIB_INPUT, "standard input: cannot be copied to a temporary file: %s",
                      strerror(errno));
    if (file >= 0) close(file);
    return status;
}

static trib_status open_input(trib_byte_source *source, trib_error *error) {
    struct stat about;
    if (fstat(STDIN_FILENO, &about) != 0)
        return trib_fail(error, TRIB_INPUT, "standard input: cannot be read: %s", strerror(errno));
    trib_status status = S_ISREG(about.st_mode) ? TRIB_OK : spool_input(error);
    /* a file opened by this name has its own position, which begins at 0 */
    if (status == TRIB_OK) status = trib_reader_open(&source->reader, "/dev/fd/0", error);
    if (status == TRIB_OK) source->reader.name = "standard input";
    return status;
}

/* ---- Files and what is in them --------------------------------------------------------------- */

static trib_status open_part(trib_byte_source *source, const char *path, size_t n_file,
                             trib_spool_of_texts *spool, trib_error *error) {
    char file[4096];
    const char *part = path + n_file + 1;
    memcpy(file, path, n_file);
    file[n_file] = '\0';
    bool is_there = false;
    trib_status status = TRIB_OK;
    source->is_utf8 = trib_jsonl_is_named(file);
    source->is_row = source->is_utf8 && trib_jsonl_is_table(file);
    const bool may_be_text = trib_archive_is_named(file) && trib_tei_file_split(part) > 0;
    source->is_tei = trib_tei_file_is_named(file);
    if (spool) status = trib_spool_of_texts_take(spool, path, &source->bytes, &is_there, error);
    if (status != TRIB_OK || is_there) {
    } else if (source->is_utf8) {
        status = trib_jsonl_text(file, part, &source->bytes, error);
    } else if (source->is_tei || may_be_text) {
        status = trib_tei_file_text(file, part, &source->bytes, error);
    } else if (trib_archive_is_named(file)) {
        status = trib_archive_member(file, part, &source->bytes, error);
    } else
        status = trib_fail(error, TRIB_INPUT,
                           "%s: there is no '%s' in a file that is neither an archive (.zip, "
                           ".tar), nor JSON Lines (.jsonl), nor a table (.csv, .tsv), nor TEI "
                           "(.xml, .tei)",
                           file, part);
    source->is_tei = source->is_tei || (may_be_text && trib_tei_file_is_made(&source->bytes));
    if (status == TRIB_OK)
        trib_reader_memory(&source->reader, path, source->bytes.text, source->bytes.length);
    return status;
}

trib_status trib_byte_source_open(trib_byte_source *source, const char *path,
                                  trib_spool_of_texts *spool, trib_error *error) {
    *source = (trib_byte_source){.reader = {.file = -1}, .stamp = trib_address_stamp(path)};
    const size_t n_file = strcmp(path, "-") == 0 ? 0 : trib_address_split(path);
    const trib_status status = strcmp(path, "-") == 0 ? open_input(source, error)
                               : n_file > 0 ? open_part(source, path, n_file, spool, error)
                                            : trib_reader_open(&source->reader, path, error);
    if (status != TRIB_OK) trib_byte_source_close(source);
    return status;
}

void trib_byte_source_close(trib_byte_source *source) {
    if (source->reader.name) trib_reader_close(&source->reader);
    trib_buffer_release(&source->bytes);
    trib_mets_release(&source->mets);
    *source = (trib_byte_source){.reader = {.file = -1}};
}
