/* spool.c - tests of documents in archives that are unpacked at once: they have the same bytes and
 * errors as when read one by one. */
#include "pipeline/text/spool.h"

#include <stdio.h>
#include <unistd.h>

#include "pipeline/text/input.h"
#include "tests/pipeline/support/pack.h"

TESTS(text, spool);

static void expect_same(trib_spool_of_texts *spool, const char *path) {
    trib_byte_source one, other;
    trib_error error[2] = {{0}, {0}};
    const trib_status status = trib_byte_source_open(&one, path, NULL, &error[0]);
    EXPECT(trib_byte_source_open(&other, path, spool, &error[1]) == status);
    EXPECT_TEXT(error[1].message, error[0].message);
    if (status != TRIB_OK) return;
    EXPECT(one.bytes.length == other.bytes.length && one.is_utf8 == other.is_utf8);
    EXPECT(one.is_tei == other.is_tei);
    if (one.bytes.length > 0)
        EXPECT(memcmp(one.bytes.text, other.bytes.text, one.bytes.length) == 0);
    EXPECT_TEXT(other.reader.name, path);
    trib_byte_source_close(&one);
    trib_byte_source_close(&other);
}

/* An address in the scratch directory, to be freed by the caller. */
static char *address(const char *name) {
    char *copy = NULL;
    const char *path = trib_scratch(name);
    CHECK(trib_copy_text(&copy, path, strlen(path), NULL) == TRIB_OK);
    return copy;
}

TEST(lines_are_read_once) {
    enum { N = 300 };
    trib_buffer lines = {0};
    trib_spool_of_texts spool = {0};
    char name[64], *path[N + 2];
    for (int i = 0; i < N; i++)
        EXPECT(trib_buffer_print(&lines, NULL,
                                 i == 7   ? "no JSON\n"
                                 : i == 9 ? "{\"title\": %d}\n"
                                          : "{\"text\": \"a fish %d \\u00e9 b\"}\n",
                                 i) == TRIB_OK);
    trib_write_bytes(trib_scratch("l.jsonl"), lines.text, lines.length);
    for (int i = 0; i < N + 2; i++) {
        snprintf(name, sizeof name, "l.jsonl/%d", i < N ? N - i : i == N ? 1 : N + 1);
        path[i] = address(name);
        CHECK(trib_spool_of_texts_add(&spool, path[i], NULL) == TRIB_OK);
    }
    trib_spool_of_texts_arrange(&spool);
    EXPECT(spool.n == N + 1); /* line 1 was added twice, and there is no line 301 */
    for (int i = 0; i < N + 2; i++) expect_same(&spool, path[i]);
    /* line 8 is not JSON, 10 has no text, 301 does not exist */
    EXPECT(spool.n_passes == 1 && spool.n_alone == 3);
    trib_spool_of_texts_close(&spool);
    for (int i = 0; i < N + 2; i++) trib_free(path[i]);
    trib_buffer_release(&lines);
}

TEST(only_texts_inside_files_are_in_the_spool) {
    trib_spool_of_texts spool = {0};
    bool is_there = true;
    trib_write_bytes(trib_scratch("alone.txt"), "alone", 5);
    EXPECT(trib_spool_of_texts_add(&spool, "-", NULL) == TRIB_OK);
    EXPECT(trib_spool_of_texts_add(&spool, trib_scratch("alone.txt"), NULL) == TRIB_OK);
    EXPECT(trib_spool_of_texts_add(&spool, "nowhere/at.txt", NULL) == TRIB_OK);
    trib_spool_of_texts_arrange(&spool);
    EXPECT(spool.n == 0);
    EXPECT(trib_spool_of_texts_take(&spool, "nowhere/at.txt", NULL, &is_there, NULL) == TRIB_OK);
    EXPECT(!is_there);
    trib_spool_of_texts_close(&spool);
}

/* Whether texts are kept, and whether the file is removed after the first reading. */
typedef struct ways {
    bool keeps, removes;
} ways;

/* The second reading finds a text that was kept although the file is gone. */
static trib_status decode_twice(void *context, trib_error *error) {
    static const struct {
        const char *name, *bytes, *text, *reference;
    } rows[] = {
#ifdef TRIB_WITH_XML
        {"kept.xml",
         "<TEI><text><body><pb n='7'/><p>one<note>apart</note> \xC3\xA9</p></body></text></TEI>",
         "one \xC3\xA9\n\n\napart\n\n", "p. 7"},
#endif
        {"kept.txt", "caf\xE9 two\n", "caf\xE9 two\n", ""}};
    const trib_input_options options = {.notes = TRIB_NOTES_SEPARATE};
    const ways *w = context;
    trib_status status = TRIB_OK;
    for (size_t r = 0; r < sizeof rows / sizeof *rows && status == TRIB_OK; r++) {
        char path[4096];
        trib_spool_of_texts spool = {.keeps_texts = w->keeps};
        snprintf(path, sizeof path, "%s", trib_scratch(rows[r].name));
        trib_write_bytes(path, rows[r].bytes, strlen(rows[r].bytes));
        status = trib_spool_of_texts_add(&spool, path, error);
        for (int i = 0; i < 2 && status == TRIB_OK; i++) {
            trib_input input;
            trib_buffer text = {0};
            status = trib_input_open(&input, path, &spool, &options, error);
            if (status == TRIB_OK) status = trib_input_all(&input, &text, error);
            if (status == TRIB_OK) {
                EXPECT_TEXT(text.text, rows[r].text);
                EXPECT_TEXT(trib_references_at(&input.made.references, 1), rows[r].reference);
                EXPECT(input.is_markup == (r + 1 < sizeof rows / sizeof *rows));
                EXPECT(input.made.parts.n == (input.is_markup ? 2 : 0));
            }
            trib_input_close(&input);
            trib_buffer_release(&text);
            if (w->removes) unlink(path);
        }
        trib_spool_of_texts_close(&spool);
    }
    return status;
}

TEST(a_text_is_decoded_once) {
    trib_error error = {0};
    EXPECT_STATUS(decode_twice(&(ways){true, true}, &error), TRIB_OK, error);
    EXPECT(decode_twice(&(ways){false, true}, &error) == TRIB_INPUT);
    EXPECT(trib_fail_every_allocation(decode_twice, &(ways){true, false}) > 5);
}

#ifdef TRIB_WITH_XML

TEST(a_file_of_tei_is_parsed_once) {
    enum { N = 40 };
    trib_buffer file = {0};
    trib_spool_of_texts spool = {0};
    char name[64], *path[N + 1];
    EXPECT(trib_buffer_print(&file, NULL, "<TEI><text><group>") == TRIB_OK);
    for (int i = 0; i < N; i++)
        EXPECT(trib_buffer_print(&file, NULL, "<text><p>poem %d</p></text>", i) == TRIB_OK);
    EXPECT(trib_buffer_print(&file, NULL, "</group></text></TEI>") == TRIB_OK);
    trib_write_bytes(trib_scratch("v.xml"), file.text, file.length);
    for (int i = 0; i < N + 1; i++) {
        snprintf(name, sizeof name, "v.xml/%d", N + 1 - i);
        path[i] = address(name);
        CHECK(trib_spool_of_texts_add(&spool, path[i], NULL) == TRIB_OK);
    }
    trib_spool_of_texts_arrange(&spool);
    for (int i = 0; i < N + 1; i++) expect_same(&spool, path[i]);
    EXPECT(spool.n_passes == 1 && spool.n_alone == 1); /* there is no text 41 */
    trib_spool_of_texts_close(&spool);
    for (int i = 0; i < N + 1; i++) trib_free(path[i]);
    trib_buffer_release(&file);
}

#ifdef TRIB_WITH_ARCHIVE

TEST(texts_of_tei_in_an_archive_are_read_once) {
    static const char one[] = "<teiCorpus><TEI><text>one</text></TEI><TEI><text>two</text></TEI>"
                              "</teiCorpus>";
    const packed_file files[] = {{"a.xml", one},
                                 {"b.xml", "<TEI><text>alone</text></TEI>"},
                                 {"bad.xml", "<TEI><text><text>"},
                                 {"folder.xml/7", "no text of TEI"}};
    static const char *const names[] = {
        "t.tar.gz/a.xml/2",   "t.tar.gz/a.xml/1",    "t.tar.gz/b.xml",       "t.tar.gz/a.xml/3",
        "t.tar.gz/bad.xml/1", "t.tar.gz/none.xml/1", "t.tar.gz/folder.xml/7"};
    enum { N = sizeof names / sizeof *names };
    trib_spool_of_texts spool = {0};
    char *path[N];
    CHECK(pack_files(trib_scratch("t.tar.gz"), files, 4));
    for (int i = 0; i < N; i++) {
        path[i] = address(names[i]);
        CHECK(trib_spool_of_texts_add(&spool, path[i], NULL) == TRIB_OK);
    }
    trib_spool_of_texts_arrange(&spool);
    for (int i = 0; i < N; i++) expect_same(&spool, path[i]);
    /* there is no text 3, bad.xml is not XML, and none.xml does not exist */
    EXPECT(spool.n_passes == 1 && spool.n_alone == 3);
    trib_spool_of_texts_close(&spool);
    for (int i = 0; i < N; i++) trib_free(path[i]);
}

#endif
#endif

#ifdef TRIB_WITH_ARCHIVE

enum { N_BOOKS = 200 };
static const char *const kinds[] = {"s.zip",     "s.tar",    "s.tar.gz",
                                    "s.tar.bz2", "s.tar.xz", "s.tar.zst"};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

typedef struct books {
    packed_file file[N_BOOKS];
    char name[N_BOOKS][32], text[N_BOOKS][64], *path[N_BOOKS];
} books;

/* Makes names in no particular order; a hundredth of the files are empty. */
static void make_books(books *b, const char *archive) {
    char name[128];
    for (int i = 0; i < N_BOOKS; i++) {
        snprintf(b->name[i], sizeof b->name[i], "b%03d.txt", i * 77 % N_BOOKS);
        b->text[i][0] = '\0';
        if (i % 100) snprintf(b->text[i], sizeof b->text[i], "book %d of a spool\n", i);
        b->file[i] = (packed_file){b->name[i], b->text[i]};
        snprintf(name, sizeof name, "%s/%s", archive, b->name[i]);
        b->path[i] = address(name);
    }
}

static void release_books(books *b) {
    for (int i = 0; i < N_BOOKS; i++) trib_free(b->path[i]);
}

static void add_books(trib_spool_of_texts *spool, const books *b) {
    for (int i = 0; i < N_BOOKS; i++)
        CHECK(trib_spool_of_texts_add(spool, b->path[i], NULL) == TRIB_OK);
    trib_spool_of_texts_arrange(spool);
}

TEST(an_archive_is_unpacked_once_for_any_order_of_reads) {
    for (size_t k = 0; k < N_KINDS; k++) {
        books b;
        trib_spool_of_texts spool = {0};
        make_books(&b, kinds[k]);
        if (pack_files(trib_scratch(kinds[k]), b.file, N_BOOKS)) {
            uint64_t n_bytes = 0;
            add_books(&spool, &b);
            for (int i = N_BOOKS - 1; i >= 0; i--) expect_same(&spool, b.path[i]);
            for (int i = 0; i < N_BOOKS; i++) n_bytes += strlen(b.text[i]);
            EXPECT(spool.n_passes == 1 && spool.n_alone == 0);
            EXPECT(spool.scratch.n_written == n_bytes);
        }
        trib_spool_of_texts_close(&spool);
        release_books(&b);
    }
}

TEST(threads_share_the_spool) {
    books b;
    trib_spool_of_texts spool = {0};
    size_t n_right = 0;
    make_books(&b, "s.tar.gz");
    if (!pack_files(trib_scratch("s.tar.gz"), b.file, N_BOOKS)) return;
    add_books(&spool, &b);
#pragma omp parallel for schedule(dynamic, 1) num_threads(7) reduction(+ : n_right)
    for (int i = 0; i < N_BOOKS; i++) {
        trib_buffer text = {0};
        bool is_there = false;
        n_right += trib_spool_of_texts_take(&spool, b.path[i], &text, &is_there, NULL) == TRIB_OK &&
                   is_there && text.length == strlen(b.text[i]) &&
                   memcmp(text.text, b.text[i], text.length) == 0;
        trib_buffer_release(&text);
    }
    EXPECT(n_right == N_BOOKS && spool.n_passes == 1 && spool.n_alone == 0);
    trib_spool_of_texts_close(&spool);
    release_books(&b);
}

/* As when read one by one, files before the damage are read, and those after it are rejected. */
TEST(a_damaged_archive_has_the_same_errors_without_the_spool) {
    static const char *const damaged[] = {"s.tar", "s.tar.gz", "s.zip"};
    for (size_t k = 0; k < 3; k++) {
        books b;
        trib_spool_of_texts spool = {0};
        trib_buffer bytes = {0};
        make_books(&b, damaged[k]);
        if (pack_files(trib_scratch(damaged[k]), b.file, N_BOOKS)) {
            trib_read_bytes(trib_scratch(damaged[k]), &bytes);
            trib_write_bytes(trib_scratch(damaged[k]), bytes.text, bytes.length / 2 + 100);
            add_books(&spool, &b);
            for (int i = 0; i < N_BOOKS; i += 3) expect_same(&spool, b.path[i]);
            EXPECT(spool.n_passes == 1 && spool.n_alone > 10);
        }
        trib_buffer_release(&bytes);
        trib_spool_of_texts_close(&spool);
        release_books(&b);
    }
}

TEST(a_single_document_is_read_alone) {
    trib_spool_of_texts spool = {0};
    books b;
    make_books(&b, "s.tar");
    CHECK(pack_files(trib_scratch("s.tar"), b.file, N_BOOKS));
    CHECK(trib_spool_of_texts_add(&spool, b.path[5], NULL) == TRIB_OK);
    trib_spool_of_texts_arrange(&spool);
    expect_same(&spool, b.path[5]);
    EXPECT(spool.n_passes == 0 && spool.n_alone == 1);
    trib_spool_of_texts_close(&spool);
    release_books(&b);
}

TEST(without_disk_space_each_document_is_read_alone) {
    books b;
    trib_spool_of_texts spool = {0};
    const char *before = getenv("TMPDIR");
    char kept[4096];
    snprintf(kept, sizeof kept, "%s", before ? before : "");
    make_books(&b, "s.tar");
    CHECK(pack_files(trib_scratch("s.tar"), b.file, N_BOOKS));
    add_books(&spool, &b);
    setenv("TMPDIR", "tests/nowhere at all", 1);
    for (int i = 0; i < 20; i++) expect_same(&spool, b.path[i]);
    if (before) setenv("TMPDIR", kept, 1);
    else unsetenv("TMPDIR");
    EXPECT(spool.n_passes == 0 && spool.n_alone == 20);
    trib_spool_of_texts_close(&spool);
    release_books(&b);
}

static trib_status take(void *context, trib_error *error) {
    const books *b = context;
    trib_spool_of_texts spool = {0};
    trib_status status = TRIB_OK;
    for (int i = 0; i < 3 && status == TRIB_OK; i++)
        status = trib_spool_of_texts_add(&spool, b->path[i], error);
    trib_spool_of_texts_arrange(&spool);
    for (int i = 0; i < 3 && status == TRIB_OK; i++) {
        trib_byte_source stored;
        status = trib_byte_source_open(&stored, b->path[i], &spool, error);
        if (status == TRIB_OK) trib_byte_source_close(&stored);
    }
    trib_spool_of_texts_close(&spool);
    return status;
}

TEST(every_allocation_may_fail) {
    books b;
    make_books(&b, "s.tar");
    CHECK(pack_files(trib_scratch("s.tar"), b.file, 5));
    EXPECT(trib_fail_every_allocation(take, &b) > 5);
    release_books(&b);
}

#endif
