/* spool.c - tests of documents in archives that are unpacked at once: they have the same bytes and
 * errors as when read one by one. */
#include "pipeline/text/spool.h"

#include <unistd.h>

#include "pipeline/text/input.h"
#include "tests/pipeline/support/pack.h"

TESTS(text, spool);

static void expect_same(trib_spool_of_texts *spool, const char *path) {
    OPENED(trib_byte_source) one = {0}, other = {0};
    trib_error error[2] = {{0}, {0}};
    const trib_status status = trib_byte_source_open(&one, path, NULL, &error[0]);
    EXPECT(trib_byte_source_open(&other, path, spool, &error[1]) == status);
    EXPECT_TEXT(error[1].message, error[0].message);
    if (status != TRIB_OK) return;
    EXPECT(one.bytes.length == other.bytes.length && one.kind == other.kind);
    EXPECT(one.format == other.format);
    if (one.bytes.length > 0)
        EXPECT(memcmp(one.bytes.text, other.bytes.text, one.bytes.length) == 0);
    EXPECT_TEXT(other.reader.name, path);
}

/* Documents and their spool. `{0}` has none. */
typedef struct documents {
    trib_spool_of_texts spool;
    char *path[320];
    size_t n;
} documents;

/* Adds an address in the scratch directory. */
static void add(documents *d, const char *name) {
    CHECK(trib_copy(&d->path[d->n], trib_scratch(name), NULL) == TRIB_OK);
    CHECK(trib_spool_of_texts_add(&d->spool, d->path[d->n++], NULL) == TRIB_OK);
}

static void release(documents *d) {
    trib_spool_of_texts_close(&d->spool);
    while (d->n > 0) trib_free(d->path[--d->n]);
}

/* Expects that all documents are read as without the spool, in so many passes and alone. */
static void expect_read(documents *d, uint64_t n_passes, uint64_t n_alone) {
    trib_spool_of_texts_arrange(&d->spool);
    for (size_t i = d->n; i-- > 0;) expect_same(&d->spool, d->path[i]);
    EXPECT(d->spool.n_passes == n_passes && d->spool.n_alone == n_alone);
    release(d);
}

TEST(lines_are_read_once) {
    enum { N = 300 };
    GIVEN(trib_buffer) lines = {0};
    documents d = {.n = 0};
    char name[64];
    for (int i = 0; i < N; i++)
        EXPECT(trib_buffer_print(&lines, NULL,
                                 i == 7   ? "no JSON\n"
                                 : i == 9 ? "{\"title\": %d}\n"
                                          : "{\"text\": \"a fish %d \\u00e9 b\"}\n",
                                 i) == TRIB_OK);
    trib_write_bytes(trib_scratch("l.jsonl"), lines.text, lines.length);
    for (int i = 0; i < N + 2; i++) {
        snprintf(name, sizeof name, "l.jsonl/%d", i < N ? N - i : i == N ? 1 : N + 1);
        add(&d, name);
    }
    trib_spool_of_texts_arrange(&d.spool);
    EXPECT(d.spool.n == N + 1); /* line 1 was added twice, and there is no line 301 */
    /* line 8 is not JSON, 10 has no text, 301 does not exist */
    expect_read(&d, 1, 1);
}

TEST(only_texts_inside_files_are_in_the_spool) {
    OPENED(trib_spool_of_texts) spool = {0};
    bool is_there = true;
    trib_write_bytes(trib_scratch("alone.txt"), "alone", 5);
    EXPECT(trib_spool_of_texts_add(&spool, "-", NULL) == TRIB_OK);
    EXPECT(trib_spool_of_texts_add(&spool, trib_scratch("alone.txt"), NULL) == TRIB_OK);
    EXPECT(trib_spool_of_texts_add(&spool, "nowhere/at.txt", NULL) == TRIB_OK);
    trib_spool_of_texts_arrange(&spool);
    EXPECT(spool.n == 0);
    EXPECT(trib_spool_of_texts_take(&spool, "nowhere/at.txt", NULL, &is_there, NULL) == TRIB_OK);
    EXPECT(!is_there);
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
        {"kept.xml",
         "<TEI><text><body><pb n='7'/><p>one<note>apart</note> \xC3\xA9</p></body></text></TEI>",
         "one \xC3\xA9\n\n\napart\n\n", "p. 7"},
        {"kept.txt", "caf\xE9 two\n", "caf\xE9 two\n", ""}};
    const trib_input_options options = {.notes = TRIB_NOTES_SEPARATE};
    const ways *w = context;
    trib_status status = TRIB_OK;
    for (size_t r = 0; r < sizeof rows / sizeof *rows && status == TRIB_OK; r++) {
        char path[4096];
        OPENED(trib_spool_of_texts) spool = {.keeps_texts = w->keeps};
        snprintf(path, sizeof path, "%s", trib_scratch(rows[r].name));
        trib_write_bytes(path, rows[r].bytes, strlen(rows[r].bytes));
        status = trib_spool_of_texts_add(&spool, path, error);
        for (int i = 0; i < 2 && status == TRIB_OK; i++) {
            OPENED(trib_input) input = {0};
            GIVEN(trib_buffer) text = {0};
            status = trib_input_open(&input, path, &spool, &options, error);
            if (status == TRIB_OK) status = trib_input_all(&input, &text, error);
            if (status == TRIB_OK) {
                EXPECT_TEXT(text.text, rows[r].text);
                EXPECT_TEXT(trib_references_at(&input.made.references, 1), rows[r].reference);
                EXPECT(input.is_markup == (r + 1 < sizeof rows / sizeof *rows));
                EXPECT(input.made.parts.n == (input.is_markup ? 2 : 0));
            }
            if (w->removes) unlink(path);
        }
    }
    return status;
}

TEST(a_text_is_decoded_once) {
    trib_error error = {0};
    EXPECT_OK(decode_twice(&(ways){true, true}, &error));
    EXPECT(decode_twice(&(ways){false, true}, &error) == TRIB_INPUT);
    EXPECT(trib_fail_every_allocation(decode_twice, &(ways){true, false}) > 5);
}

TEST(a_file_of_tei_is_parsed_once) {
    enum { N = 40 };
    GIVEN(trib_buffer) file = {0};
    documents d = {.n = 0};
    char name[64];
    EXPECT(trib_buffer_print(&file, NULL, "<TEI><text><group>") == TRIB_OK);
    for (int i = 0; i < N; i++)
        EXPECT(trib_buffer_print(&file, NULL, "<text><p>poem %d</p></text>", i) == TRIB_OK);
    EXPECT(trib_buffer_print(&file, NULL, "</group></text></TEI>") == TRIB_OK);
    trib_write_bytes(trib_scratch("v.xml"), file.text, file.length);
    for (int i = 0; i < N + 1; i++) {
        snprintf(name, sizeof name, "v.xml/%d", N + 1 - i);
        add(&d, name);
    }
    expect_read(&d, 1, 1); /* there is no text 41 */
}

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
    documents d = {.n = 0};
    CHECK(pack_files(trib_scratch("t.tar.gz"), files, 4));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) add(&d, names[i]);
    /* there is no text 3, bad.xml is not XML, and none.xml does not exist */
    expect_read(&d, 1, 2);
}

enum { N_BOOKS = 200 };
static const char *const kinds[] = {"s.zip",     "s.tar",    "s.tar.gz",
                                    "s.tar.bz2", "s.tar.xz", "s.tar.zst"};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

typedef struct books {
    packed_file file[N_BOOKS];
    char name[N_BOOKS][32], text[N_BOOKS][64];
    documents all;
} books;

/* Makes an archive of n books with names in no particular order; a hundredth of them are empty.
 * False where this libarchive does not support the format. */
static bool make_books(books *b, const char *archive, size_t n) {
    char name[128];
    b->all = (documents){.n = 0};
    for (size_t i = 0; i < n; i++) {
        snprintf(b->name[i], sizeof b->name[i], "b%03zu.txt", i * 77 % N_BOOKS);
        b->text[i][0] = '\0';
        if (i % 100) snprintf(b->text[i], sizeof b->text[i], "book %zu of a spool\n", i);
        b->file[i] = (packed_file){b->name[i], b->text[i]};
    }
    if (!pack_files(trib_scratch(archive), b->file, n)) return false;
    for (size_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s/%s", archive, b->name[i]);
        add(&b->all, name);
    }
    trib_spool_of_texts_arrange(&b->all.spool);
    return true;
}

TEST(an_archive_is_unpacked_once_for_any_order_of_reads) {
    books b;
    for (size_t k = 0; k < N_KINDS; k++) {
        uint64_t n_bytes = 0;
        if (!make_books(&b, kinds[k], N_BOOKS)) continue;
        for (size_t i = 0; i < N_BOOKS; i++) n_bytes += strlen(b.text[i]);
        for (size_t i = N_BOOKS; i-- > 0;) expect_same(&b.all.spool, b.all.path[i]);
        EXPECT(b.all.spool.scratch.n_written == n_bytes);
        expect_read(&b.all, 1, 0);
    }
}

TEST(threads_share_the_spool) {
    books b;
    trib_spool_of_texts *const spool = &b.all.spool;
    size_t n_right = 0;
    if (!make_books(&b, "s.tar.gz", N_BOOKS)) return;
#pragma omp parallel for schedule(dynamic, 1) num_threads(7) reduction(+ : n_right)
    for (int i = 0; i < N_BOOKS; i++) {
        GIVEN(trib_buffer) text = {0};
        bool is_there = false;
        n_right +=
            trib_spool_of_texts_take(spool, b.all.path[i], &text, &is_there, NULL) == TRIB_OK &&
            is_there && text.length == strlen(b.text[i]) &&
            memcmp(text.text, b.text[i], text.length) == 0;
    }
    EXPECT(n_right == N_BOOKS && spool->n_passes == 1 && spool->n_alone == 0);
    release(&b.all);
}

/* As when read one by one, files before the damage are read, and those after it are rejected. */
TEST(a_damaged_archive_has_the_same_errors_without_the_spool) {
    static const char *const damaged[] = {"s.tar", "s.tar.gz", "s.zip"};
    books b;
    for (size_t k = 0; k < 3; k++) {
        GIVEN(trib_buffer) bytes = {0};
        if (!make_books(&b, damaged[k], N_BOOKS)) continue;
        trib_read_bytes(trib_scratch(damaged[k]), &bytes);
        trib_write_bytes(trib_scratch(damaged[k]), bytes.text, bytes.length / 2 + 100);
        for (int i = 0; i < N_BOOKS; i += 3) expect_same(&b.all.spool, b.all.path[i]);
        EXPECT(b.all.spool.n_passes == 1 && b.all.spool.n_alone == 0);
        release(&b.all);
    }
}

/* Each has the error that it has alone, and the others are read in the same pass. */
TEST(a_damaged_member_costs_itself_alone) {
    books b;
    GIVEN(trib_buffer) bytes = {0};
    size_t n_damaged = 0;
    if (!make_books(&b, "s.zip", N_BOOKS)) return;
    trib_read_bytes(trib_scratch("s.zip"), &bytes);
    for (size_t i = 0; i + 4 < bytes.length; i++)
        if (i % 16 == 0 && memcmp(bytes.text + i, "PK", 2) != 0 && n_damaged < 20 && i > 2000)
            for (size_t k = 0; k < 3 && memcmp(bytes.text + i + k, "PK", 2) != 0; k++)
                n_damaged += k == 0, bytes.text[i + k] ^= 0x55, i += k == 2 ? 300 : 0;
    trib_write_bytes(trib_scratch("s.zip"), bytes.text, bytes.length);
    for (size_t i = b.all.n; i-- > 0;) expect_same(&b.all.spool, b.all.path[i]);
    EXPECT(b.all.spool.n_passes == 1 && b.all.spool.n_alone < n_damaged && b.all.spool.n_why > 0);
    release(&b.all);
}

TEST(a_single_document_is_read_alone) {
    books b;
    CHECK(make_books(&b, "s.tar", N_BOOKS));
    release(&b.all);
    add(&b.all, "s.tar/b005.txt");
    expect_read(&b.all, 0, 1);
}

TEST(without_disk_space_each_document_is_read_alone) {
    books b;
    const char *before = getenv("TMPDIR");
    char kept[4096];
    snprintf(kept, sizeof kept, "%s", before ? before : "");
    CHECK(make_books(&b, "s.tar", 20));
    setenv("TMPDIR", "tests/nowhere at all", 1);
    expect_read(&b.all, 0, 20);
    if (before) setenv("TMPDIR", kept, 1);
    else unsetenv("TMPDIR");
}

static trib_status take(void *context, trib_error *error) {
    const books *b = context;
    OPENED(trib_spool_of_texts) spool = {0};
    trib_status status = TRIB_OK;
    for (int i = 0; i < 3 && status == TRIB_OK; i++)
        status = trib_spool_of_texts_add(&spool, b->all.path[i], error);
    trib_spool_of_texts_arrange(&spool);
    for (int i = 0; i < 3 && status == TRIB_OK; i++) {
        trib_byte_source stored;
        status = trib_byte_source_open(&stored, b->all.path[i], &spool, error);
        if (status == TRIB_OK) trib_byte_source_close(&stored);
    }
    return status;
}

TEST(every_allocation_may_fail) {
    books b;
    CHECK(make_books(&b, "s.tar", 5));
    EXPECT(trib_fail_every_allocation(take, &b) > 5);
    release(&b.all);
}
