/* pack.c - makes archives in tests, and checks the text read from them. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/input/input.h"

void write_bytes(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK(fwrite(bytes, 1, length, file) == length);
    CHECK(fclose(file) == 0);
}

void read_bytes(const char *path, trib_buffer *bytes) {
    trib_reader reader;
    CHECK(trib_reader_open(&reader, path, NULL) == TRIB_OK);
    CHECK(trib_reader_all(&reader, bytes, NULL) == TRIB_OK);
    trib_reader_close(&reader);
}

#ifdef TRIB_WITH_ARCHIVE
#include <archive.h>
#include <archive_entry.h>

static bool ends(const char *path, const char *ending) {
    const size_t length = strlen(path), n = strlen(ending);
    return length >= n && strcmp(path + length - n, ending) == 0;
}

bool pack_files(const char *path, const packed_file files[], size_t n) {
    struct archive *a = archive_write_new();
    CHECK(a != NULL);
    bool can = true;
    if (ends(path, ".zip") || ends(path, ".epub")) archive_write_set_format_zip(a);
    else archive_write_set_format_pax_restricted(a);
    if (ends(path, ".gz")) can = archive_write_add_filter_gzip(a) == ARCHIVE_OK;
    if (ends(path, ".bz2")) can = archive_write_add_filter_bzip2(a) == ARCHIVE_OK;
    if (ends(path, ".xz")) can = archive_write_add_filter_xz(a) == ARCHIVE_OK;
    if (ends(path, ".zst")) can = archive_write_add_filter_zstd(a) == ARCHIVE_OK;
    if (can) CHECK(archive_write_open_filename(a, path) == ARCHIVE_OK);
    for (size_t i = 0; i < n && can; i++) {
        struct archive_entry *entry = archive_entry_new();
        CHECK(entry != NULL);
        const size_t length = files[i].text ? strlen(files[i].text) : 0;
        archive_entry_set_pathname(entry, files[i].name);
        archive_entry_set_filetype(entry, files[i].text ? AE_IFREG : AE_IFDIR);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, (la_int64_t)length);
        /* ARCHIVE_WARN for names beyond ASCII */
        CHECK(archive_write_header(a, entry) >= ARCHIVE_WARN);
        if (length > 0) CHECK(archive_write_data(a, files[i].text, length) == (la_ssize_t)length);
        archive_entry_free(entry);
    }
    if (can) CHECK(archive_write_close(a) == ARCHIVE_OK);
    archive_write_free(a);
    return can;
}

#endif

static trib_status read_input(const char *path, trib_buffer *text, trib_error *error) {
    trib_input input;
    trib_status status = trib_input_open(&input, path, NULL, NULL, error);
    if (status != TRIB_OK) return status;
    status = trib_input_all(&input, text, error);
    trib_input_close(&input);
    return status;
}

void expect_input(const char *path, const char *wanted) {
    trib_buffer text = {0};
    trib_error error = {0};
    EXPECT_STATUS(read_input(path, &text, &error), TRIB_OK, error);
    EXPECT_TEXT(text.text ? text.text : "", wanted);
    trib_buffer_release(&text);
}

void expect_no_input(const char *path, const char *holds) {
    trib_buffer text = {0};
    trib_error error = {0};
    EXPECT_STATUS(read_input(path, &text, &error), TRIB_INPUT, error);
    if (!strstr(error.message, holds)) EXPECT_TEXT(error.message, holds);
    trib_buffer_release(&text);
}
