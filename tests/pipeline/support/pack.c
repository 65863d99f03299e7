/* pack.c - makes archives in tests, and checks the text read from them. */
#include "tests/pipeline/support/pack.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/text/input.h"
#include "pipeline/text/text_formats.h"

#include <archive.h>
#include <archive_entry.h>

static bool ends(const char *path, const char *ending) {
    const size_t length = strlen(path), n = strlen(ending);
    return length >= n && strcmp(path + length - n, ending) == 0;
}

static bool is_packed(const char *path) {
    return ends(path, ".epub") || ends(path, ".xlsx") || ends(path, ".odt") || ends(path, ".docx");
}

bool pack_files(const char *path, const packed_file files[], size_t n) {
    struct archive *a = archive_write_new();
    CHECK(a != NULL);
    bool can = true;
    if (ends(path, ".zip") || is_packed(path)) archive_write_set_format_zip(a);
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

static packed_file member[16]; /* [n_members] */
static size_t n_members;

static int add_member(const char *path, const struct stat *about, int kind, struct FTW *place) {
    trib_buffer bytes = {0};
    (void)about, (void)place;
    if (kind != FTW_F) return 0;
    CHECK(n_members < sizeof member / sizeof *member);
    trib_read_bytes(path, &bytes);
    const char *name = path + strlen(trib_scratch(""));
    member[n_members++] = (packed_file){strdup(name + strspn(name, "/")), bytes.text};
    return 0;
}

/* Makes an archive of all files in the scratch directory. */
static void pack_scratch(const char *path) {
    n_members = 0;
    CHECK(nftw(trib_scratch(""), add_member, 16, 0) == 0);
    CHECK(pack_files(path, member, n_members));
    for (size_t i = 0; i < n_members; i++) {
        free((char *)(uintptr_t)member[i].name);
        trib_free((char *)(uintptr_t)member[i].text);
    }
}

const char *make_program(const char *lines) {
    char text[700];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", lines);
    const char *path = trib_scratch_below("programs/program");
    trib_write_bytes(path, text, strlen(text));
    CHECK(chmod(path, 0700) == 0);
    return path;
}

static trib_status read_input(const char *path, trib_buffer *text, trib_error *error) {
    OPENED(trib_input) input = {0};
    trib_status status = trib_input_open(&input, path, NULL, NULL, error);
    if (status != TRIB_OK) return status;
    status = trib_input_all(&input, text, error);
    return status;
}

void expect_input(const char *path, const char *wanted) {
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    EXPECT_OK(read_input(path, &text, &error));
    EXPECT_TEXT(text.text ? text.text : "", wanted);
}

void expect_no_input(const char *path, const char *holds) {
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    EXPECT_STATUS(read_input(path, &text, &error), TRIB_INPUT, error);
    if (!strstr(error.message, holds)) EXPECT_TEXT(error.message, holds);
}

void an_address_has_a_text(void) {
    const char *address = trib_case_text("address"), *path = trib_scratch(address);
    if (is_packed(address) && access(path, F_OK) != 0) pack_scratch(path);
    if (*trib_case_text("says")) expect_no_input(path, trib_case_text("says"));
    else expect_input(path, trib_case_text("text"));
}

/* The value of an option in "a.html notes=keep speakers=drop"; "" when it is not set. Valid until
 * the next call but three. */
static const char *option(const char *options, const char *name) {
    static char values[4][64];
    static unsigned turn;
    char *value = values[turn++ % 4], with[64];
    snprintf(with, sizeof with, " %s=", name);
    const char *at = strstr(options, with);
    *value = '\0';
    if (at) snprintf(value, 64, "%.*s", (int)strcspn(at + strlen(with), " "), at + strlen(with));
    return value;
}

/* Expects for each "WORD=REFERENCE|" the reference at the first such word. */
static void expect_references(const trib_markup_text *to, const char *wanted) {
    for (size_t n; *wanted; wanted += n + (wanted[n] == '|')) {
        char word[64];
        n = strcspn(wanted, "|");
        snprintf(word, sizeof word, "%.*s", (int)n, wanted);
        char *equals = strchr(word, '=');
        CHECK(equals != NULL);
        *equals = '\0';
        const char *at = strstr(to->text.text, word);
        CHECK(at != NULL);
        EXPECT_TEXT(trib_references_at(&to->references, (size_t)(at - to->text.text)), equals + 1);
    }
}

void expect_decoded(const char *file, const char *bytes, size_t n, const decoded *wanted) {
    char name[64], witness[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, " "), file);
    snprintf(witness, sizeof witness, "%s", option(file, "witness"));
    const char *notes = option(file, "notes");
    trib_markup_text to = {
        .notes = strcmp(notes, "keep") == 0 ? TRIB_NOTES_KEEP
                 : *notes                   ? TRIB_NOTES_SEPARATE
                                            : TRIB_NOTES_DROP,
        .edition = {.reading = *option(file, "reading") ? TRIB_FORM_REGULARISED : TRIB_FORM_SOURCE,
                    .witness = witness,
                    .drops_speakers = *option(file, "speakers"),
                    .drops_stage = *option(file, "stage_directions"),
                    .min_confidence = strtod(option(file, "min_confidence"), NULL)},
        .on_invalid = *option(file, "on_invalid") ? TRIB_INVALID_REPLACE : TRIB_INVALID_ERROR};
    trib_error error = {0};
    const trib_text_format *format = trib_text_format_named(name, NULL, 0);
    CHECK(format && format->read);
    to.format = format->name;
    trib_status status = format->read(&to, (trib_markup_bytes){name, bytes, n}, &error);
    if (status == TRIB_OK) status = trib_markup_finish(&to, &error);
    if (status == TRIB_OK) {
        EXPECT_TEXT(to.text.text ? to.text.text : "", wanted->text);
        EXPECT_TEXT(to.remark, wanted->said);
        EXPECT(to.n_replaced == wanted->n_replaced);
        expect_references(&to, wanted->references);
    } else {
        EXPECT_STATUS(status, TRIB_INPUT, error);
        if (!*wanted->said || !strstr(error.message, wanted->said))
            EXPECT_TEXT(error.message, wanted->said);
    }
    trib_markup_release(&to);
}

void a_file_is_decoded(void) {
    const decoded wanted = {trib_case_text("text"), trib_case_text("said"),
                            trib_case_text("references"), (uint64_t)trib_case_number("replaced")};
    size_t n;
    const char *bytes = trib_case_bytes("bytes", &n);
    expect_decoded(trib_case_text("file"), bytes, n, &wanted);
}
