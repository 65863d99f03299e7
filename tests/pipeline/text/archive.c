/* archive.c - tests of reading members of zip and tar files, also damaged ones. */
#include "pipeline/text/archive.h"

#include "pipeline/text/input.h"
#include "tests/pipeline/support/pack.h"

TESTS(text, archive);

TEST(archives_are_recognised_by_name) {
    static const char *const yes[] = {"a.zip",    "a.ZIP", "x/a.tar",
                                      "a.tar.gz", "a.tgz", "a.tar.zst"};
    static const char *const no[] = {"a.txt", "a.gz", "zip", ".zip", "a.zip.txt", ""};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) EXPECT(trib_archive_is_named(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) EXPECT(!trib_archive_is_named(no[i]));
}

TEST(files_that_unpack_too_far_are_rejected) {
    trib_error error = {0};
    EXPECT(trib_unpacked_check("a", 0, TRIB_UNPACKED_FREE, 0, &error) == TRIB_OK);
    EXPECT(trib_unpacked_check("a", 1 << 20, TRIB_UNPACKED_FREE + 1, 0, &error) == TRIB_OK);
    EXPECT(trib_unpacked_check("a", 1, TRIB_UNPACKED_FREE + 1, 0, &error) == TRIB_INPUT);
    EXPECT_TEXT(error.message, "a: unpacks to more than 1000 times its size; if it is a text, "
                               "unpack it by hand");
    EXPECT(trib_unpacked_check("a", TRIB_UNPACKED_MOST, TRIB_UNPACKED_MOST + 1, 0, &error) ==
           TRIB_INPUT);
    EXPECT_TEXT(error.message, "a: unpacks to more than 64 GiB; is this a text?");
}

static const char *const kinds[] = {"a.zip",     "a.tar",    "a.tar.gz",
                                    "a.tar.bz2", "a.tar.xz", "a.tar.zst"};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const packed_file books[] = {{"books/", NULL},
                                    {"books/one.txt", "the grey heron\n"},
                                    {"books/two.html", "<p>the <b>ferry</b>"},
                                    {"books/none.txt", ""},
                                    {"gr\xC3\xBC"
                                     "n.txt",
                                     "green"}};

TEST(members_of_every_kind_of_archive_are_read) {
    char path[4200];
    for (size_t k = 0; k < N_KINDS; k++) {
        const char *archive = trib_scratch(kinds[k]);
        if (!pack_files(archive, books, sizeof books / sizeof *books)) continue;
        snprintf(path, sizeof path, "%s/books/one.txt", archive);
        expect_input(path, "the grey heron\n");
        snprintf(path, sizeof path, "%s/books/two.html", archive);
        expect_input(path, "the ferry\n\n");
        snprintf(path, sizeof path, "%s/books/none.txt", archive);
        expect_input(path, "");
        snprintf(path, sizeof path,
                 "%s/gr\xC3\xBC"
                 "n.txt",
                 archive);
        expect_input(path, "green");
        snprintf(path, sizeof path, "%s/books", archive);
        expect_no_input(path, "contains no file 'books'; it contains 'books/one.txt', ");
        snprintf(path, sizeof path, "%s/three.txt", archive);
        expect_no_input(path, "contains no file 'three.txt'");
    }
}

TEST(a_zip_with_another_name_is_rejected) {
    GIVEN(trib_buffer) bytes = {0};
    if (!pack_files(trib_scratch("a.zip"), books, 2)) return;
    trib_read_bytes(trib_scratch("a.zip"), &bytes);
    trib_write_bytes(trib_scratch("b.txt"), bytes.text, bytes.length);
    expect_no_input(trib_scratch("b.txt"), "is zip, but its name does not say so");
    expect_no_input(trib_scratch("a.zip"), "is an archive of texts; name one of them ('");
    expect_no_input(trib_scratch("b.txt/books/one.txt"), "neither an archive (.zip, .tar), nor");
}

TEST(a_name_in_utf8_is_read_in_any_locale) {
    static const char zip[] =
        "PK\3\4\x14\0\0\x08\0\0\0\0\x21\0\xf1\x86\x6c\x7a\3\0\0\0\3\0\0\0\6\0\0\0\xc3\xbc.txtone"
        "PK\1\2\x14\3\x14\0\0\x08\0\0\0\0\x21\0\xf1\x86\x6c\x7a\3\0\0\0\3\0\0\0\6\0\0\0\0\0\0\0\0"
        "\0\0\0\x80\1\0\0\0\0\xc3\xbc.txtPK\5\6\0\0\0\0\1\0\1\0\x34\0\0\0\x27\0\0\0\0\0";
    trib_write_bytes(trib_scratch("u.zip"), zip, sizeof zip - 1);
    expect_input(trib_scratch("u.zip/\xC3\xBC.txt"), "one");
}

/* Reads every member. */
static trib_status read_all(const char *path, trib_error *error) {
    OPENED(trib_archive) archive = {0};
    trib_member member = {0};
    GIVEN(trib_buffer) text = {0};
    trib_status status = trib_archive_open(&archive, path, error);
    if (status != TRIB_OK) return status;
    do {
        status = trib_archive_next(&archive, &member, error);
        if (status == TRIB_OK && member.name && member.is_file)
            status = trib_archive_read(&archive, &text, error);
    } while (status == TRIB_OK && member.name);
    return status;
}

TEST(damaged_and_truncated_archives_are_rejected) {
    for (size_t k = 0; k < N_KINDS; k++) {
        trib_buffer bytes = {0};
        trib_error error = {0};
        char path[4096];
        GIVEN(trib_owned_text) text = NULL;
        trib_random random;
        snprintf(path, sizeof path, "%s", trib_scratch(kinds[k]));
        CHECK(trib_new(&text, 30001, 1, "", NULL) == TRIB_OK);
        trib_random_seed(&random, 1);
        for (size_t i = 0; i < 30000; i++) text[i] = (char)('a' + trib_random_below(&random, 26));
        if (pack_files(path, (packed_file[]){{"a.txt", text}, {"b.txt", text}}, 2)) {
            EXPECT_OK(read_all(path, &error));
            trib_read_bytes(path, &bytes);
            for (size_t i = 1; i < 8; i++) { /* a truncated tar may lack only padding */
                trib_write_bytes(path, bytes.text, (bytes.length - 12000) * i / 8);
                EXPECT_STATUS(read_all(path, &error), TRIB_INPUT, error);
                EXPECT(strncmp(error.message, path, strlen(path)) == 0);
            }
            memset(bytes.text, 0xFF, bytes.length);
            trib_write_bytes(path, bytes.text, bytes.length);
            EXPECT_STATUS(read_all(path, &error), TRIB_INPUT, error);
            trib_write_bytes(path, "just a text that is no archive\n", 31);
            EXPECT_STATUS(read_all(path, &error), TRIB_INPUT, error);
            trib_buffer_release(&bytes);
        }
    }
    expect_no_input(trib_scratch("missing.zip/a.txt"), "cannot be opened");
}

TEST(names_that_point_outside_are_rejected) {
    static const char *const names[] = {"../x.txt", "/etc/x.txt", "a/../../x.txt", "a/.."};
    trib_error error = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < 2; k++) {
            const char *path = trib_scratch(kinds[k]);
            const packed_file files[] = {{"good.txt", "good"}, {names[i], "bad"}};
            CHECK(pack_files(path, files, 2));
            EXPECT_STATUS(read_all(path, &error), TRIB_INPUT, error);
            EXPECT(strstr(error.message, "points outside the archive; do not trust this archive") !=
                   NULL);
        }
    const char *path = trib_scratch("a.tar");
    CHECK(pack_files(path, (packed_file[]){{"./a..b/..c.txt", "good"}}, 1));
    expect_input(trib_scratch("a.tar/a..b/..c.txt"), "good");
}

TEST(a_member_that_unpacks_too_far_is_rejected) {
    const size_t length = (1 << 26) + (1 << 20);
    GIVEN(trib_owned_text) blank = NULL;
    CHECK(trib_new(&blank, length + 1, 1, "", NULL) == TRIB_OK);
    memset(blank, ' ', length);
    if (pack_files(trib_scratch("bomb.tar.zst"), (packed_file[]){{"a.txt", blank}}, 1))
        expect_no_input(trib_scratch("bomb.tar.zst/a.txt"), "more than 1000 times its size");
}

TEST(what_is_skipped_counts_and_a_second_packing_is_not_unpacked) {
    const size_t length = (1 << 26) + (1 << 20);
    GIVEN(trib_owned_text) blank = NULL;
    CHECK(trib_new(&blank, length + 1, 1, "", NULL) == TRIB_OK);
    memset(blank, ' ', length);
    const packed_file files[] = {{"a.txt", blank}, {"b.txt", "the grey heron"}};
    for (size_t k = 2; k < N_KINDS; k++) {
        char path[4200];
        if (!pack_files(trib_scratch(kinds[k]), files, 2)) continue;
        snprintf(path, sizeof path, "%s/b.txt", trib_scratch(kinds[k]));
        if (strcmp(kinds[k], "a.tar.xz") != 0 && strcmp(kinds[k], "a.tar.gz") != 0)
            expect_no_input(path, "more than 1000 times its size");
        GIVEN(trib_buffer) bytes = {0};
        trib_writer twice = {0};
        trib_read_bytes(trib_scratch(kinds[k]), &bytes);
        CHECK(trib_writer_open(&twice, trib_scratch("twice.tar.gz"), NULL) == TRIB_OK);
        trib_writer_pack(&twice);
        trib_write(&twice, bytes.text, bytes.length);
        CHECK(trib_writer_commit(&twice, NULL, NULL) == TRIB_OK);
        expect_no_input(trib_scratch("twice.tar.gz/b.txt"), "is packed more than once");
    }
}

TEST(a_run_has_one_budget) {
    const trib_budget whole = trib_budget_now();
    trib_budget small = whole;
    trib_error error = {0};
    const char *path = trib_scratch("a.tar.gz");
    CHECK(pack_files(path, books, sizeof books / sizeof *books));
    small.unpacked = 100000;
    trib_budget_begin(&small);
    EXPECT_OK(read_all(path, &error));
    EXPECT(trib_budget_unpacked() > 0);
    trib_status status = TRIB_OK;
    for (int i = 0; i < 50 && status == TRIB_OK; i++) status = read_all(path, &error);
    EXPECT_STATUS(status, TRIB_MEMORY, error); /* no document of it is skipped for that */
    EXPECT(strstr(error.message, "all files together; raise resources.unpacked") != NULL);
    small = whole;
    small.members = 3;
    trib_budget_begin(&small);
    EXPECT_STATUS(read_all(path, &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "contains more than 3 files; unpack it, or raise") != NULL);
    trib_budget_begin(&whole);
}

static trib_status read_once(void *context, trib_error *error) {
    OPENED(trib_input) input = {0};
    GIVEN(trib_buffer) text = {0};
    trib_status status = trib_input_open(&input, context, NULL, NULL, error);
    if (status == TRIB_OK) status = trib_input_all(&input, &text, error);
    return status;
}

TEST(reading_can_be_stopped) {
    char path[4096];
    CHECK(pack_files(trib_scratch("a.zip"), books, sizeof books / sizeof *books));
    snprintf(path, sizeof path, "%s", trib_scratch("a.zip/books/two.html"));
    EXPECT(trib_stop_at_every_look(read_once, path) >= 4); /* one per member and one per block */
}

TEST(every_allocation_may_fail) {
    char path[4096];
    CHECK(pack_files(trib_scratch("a.zip"), books, sizeof books / sizeof *books));
    snprintf(path, sizeof path, "%s", trib_scratch("a.zip/books/one.txt"));
    trib_fail_every_allocation(read_once, path);
}
