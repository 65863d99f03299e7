/* text_formats.c - tests of the table of formats: by name, by first bytes, compressed, and files
 * that only look like one of them. */
#include "tests/pipeline/support/pack.h"

#include "pipeline/text/input.h"
#include "pipeline/text/text_formats.h"

TESTS(text, text_formats);

/* The first row that has the first ending of this one. */
static const trib_text_format *owner(const trib_text_format *row) {
    char path[64];
    snprintf(path, sizeof path, "old/heron%.*s.gz", (int)strcspn(row->endings, " "), row->endings);
    return trib_text_format_named(path, NULL, 0);
}

TEST(every_row_is_complete) {
    for (const trib_text_format *row = trib_text_formats; row->name; row++) {
        const bool is_refused = row->use == TRIB_TEXT_FORMAT_REFUSED;
        EXPECT(!strchr(row->name, ' ') && row->left_out != NULL);
        EXPECT(row->read || !row->decoder);
        EXPECT(!row->read || row->use == TRIB_TEXT_FORMAT_DECODED);
        EXPECT((row->remedy != NULL) == is_refused && (row->reader != NULL) == !is_refused);
        EXPECT(!is_refused || *row->left_out);
        EXPECT(*row->endings ? owner(row) == row : !row->read);
    }
}

/* PAGE XML, for example, gave another text after a change of this program, but had the same key. */
TEST(the_reader_of_each_kind_has_the_version_of_this_program) {
    static const char *const kinds[] = {"text", "table",     "JSON Lines", "HTML", "gzip XML",
                                        "EPUB", "RTF",       "USFM",       "SRT",  "PDF",
                                        "DOCX", "gzip text", "WebVTT"};
    char wanted[32];
    snprintf(wanted, sizeof wanted, "decoders %d ", (int)TRIB_DECODERS_VERSION);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        GIVEN(trib_buffer) key = {0};
        EXPECT(trib_text_format_print_reader(&key, kinds[k], NULL) == TRIB_OK);
        EXPECT(key.text && strncmp(key.text, wanted, strlen(wanted)) == 0);
    }
}

/* A name that the table refuses, whatever the contents. */
static void expect_refused_name(const char *path, const char *name) {
    const trib_text_format *found = trib_text_format_named(path, NULL, 0);
    EXPECT_TEXT(found ? found->name : "", name);
    EXPECT(found && found->use == TRIB_TEXT_FORMAT_REFUSED);
}

/* What the first bytes of a file say against its name: the beginning of a message, or nothing. */
CASES("tests/pipeline/text/text_formats.txt [first]", a_file_is_what_its_name_says) {
    size_t n;
    const char *path = trib_case_text("path"), *bytes = trib_case_bytes("bytes", &n),
               *says = trib_case_text("says");
    trib_error error = {0};
    const trib_text_format *named = trib_text_format_named(path, (const unsigned char *)bytes, n);
    const trib_status status = trib_text_format_check(named, path, bytes, n, &error);
    EXPECT_STATUS(status, *says ? TRIB_INPUT : TRIB_OK, error);
    error.message[strlen(says) < sizeof error.message ? strlen(says) : 0] = '\0';
    EXPECT_TEXT(error.message, says);
}

CASES("tests/pipeline/text/text_formats.txt [marked]", marks_are_no_words) {
    an_address_has_a_text();
}

/* Aozora files are in Shift_JIS. */
TEST(marks_are_found_in_the_encoding_of_the_text) {
    static const char bytes[] = "\x8E\x52\x81\x73\x82\xE2\x82\xDC\x81\x74\x81\x6D\x81\x94\x88\xEA"
                                "\x81\x6E\x82\xD6\n";
    trib_write_bytes(trib_scratch("s.txt"), bytes, sizeof bytes - 1);
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    const trib_input_options options = {.encoding = "shift_jis"};
    EXPECT_OK(trib_input_open(&input, trib_scratch("s.txt"), NULL, &options, &error));
    EXPECT_TEXT(input.made.text.text, "\u5C71\u3078\n");
}

TEST(utf16_and_utf32_are_read_by_their_marks) {
    static const struct {
        const char *bytes, *encoding, *text;
        size_t n;
    } files[] = {
        {"\xFF\xFE\xFC\0\r\0\n\0h\0\xE9\0r\0o\0n\0", "utf-8", "\u00FC\r\nh\u00E9ron", 18},
        {"\xFE\xFF\0a\0 \0b\0 \0c\0 \0d\0e", "windows-1252", "a b c de", 18},
        {"\xFF\xFE\0\0\xFC\0\0\0 \0\0\0b\0\0", "auto", "\u00FC b", 16},
        {"\0\0\xFE\xFF\0\0\0\xFC\0\0\0 \0\0\0b", "utf-8", "\u00FC b", 16},
        {"a\0 \0b\0 \0c\0 \0\xAD\0 \0c\0d\0\n\0", "auto", "a b c \u00AD cd\n", 22},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        OPENED(trib_input) input = {0};
        trib_error error = {0};
        const trib_input_options options = {.encoding = files[i].encoding};
        trib_write_bytes(trib_scratch("u.txt"), files[i].bytes, files[i].n);
        EXPECT_OK(trib_input_open(&input, trib_scratch("u.txt"), NULL, &options, &error));
        EXPECT_TEXT(input.made.text.text, files[i].text);
    }
}

TEST(each_of_several_texts_has_the_encoding_and_the_account_of_a_file) {
    trib_write_scratch("two", "<DOC>\n<DOCNO> 1 </DOCNO>\n<TEXT>\nA bay.\n</TEXT>\n</DOC>\n<DOC>\n"
                              "<DOCNO> 2 </DOCNO>\n<TEXT>\nCaf\xE9.\n</TEXT>\n</DOC>\n");
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    char kind[TRIB_KIND_MAX];
    const trib_input_options options = {.encoding = "windows-1252"};
    EXPECT_OK(trib_input_open(&input, trib_scratch("two/2"), NULL, &options, &error));
    EXPECT_TEXT(input.made.text.text, "\nCaf\u00E9.\n\n\n");
    EXPECT_TEXT(input.kind, "TREC");
    EXPECT_TEXT(input.made.remark, "");
    EXPECT(input.made.account.counts.others_out > 0);
    trib_input_kind(kind, trib_scratch("two/2"), &input.source, NULL, 0);
    EXPECT_TEXT(kind, "TREC");
    expect_no_input(trib_scratch("two/2"), "two/2: byte 35 (line 4) is not UTF-8");
    expect_input(trib_scratch("two/1"), "\nA bay.\n\n\n");
}

TEST(several_texts_in_an_archive_are_read_as_one_with_a_warning) {
    static const char texts[] = "<DOC>\n<DOCNO> 1 </DOCNO>\n<TEXT>\nA bay.\n</TEXT>\n</DOC>\n"
                                "<DOC>\n<DOCNO> 2 </DOCNO>\n<TEXT>\nA port.\n</TEXT>\n</DOC>\n";
    static const char *const path[] = {"a.zip/t.txt", "t.txt"};
    const packed_file files[] = {{"t.txt", texts}};
    CHECK(pack_files(trib_scratch("a.zip"), files, 1));
    trib_write_scratch("t.txt", texts);
    for (size_t i = 0; i < 2; i++) {
        OPENED(trib_input) input = {0};
        trib_error error = {0};
        EXPECT_OK(trib_input_open(&input, trib_scratch(path[i]), NULL, NULL, &error));
        EXPECT_TEXT(input.made.text.text, "\nA bay.\n\n\n\nA port.\n\n\n");
        EXPECT_TEXT(input.made.remark, i == 0
                                           ? "has 2 texts, which are read as one; a file outside "
                                             "an archive is as many documents"
                                           : "");
    }
}

/* "twice" is the encoding in which the UTF-8 of the text was read. */
CASES("tests/pipeline/text/text_formats.txt [twice]", a_text_encoded_twice_is_reported) {
    const char *text = trib_case_text("text"), *twice = trib_case_text("twice");
    OPENED(trib_input) input = {0};
    trib_error error = {0};
    char wanted[64] = "";
    if (*twice)
        snprintf(wanted, sizeof wanted, "was encoded twice: its UTF-8 was read as %s ", twice);
    trib_write_bytes(trib_scratch("t.txt"), text, strlen(text));
    EXPECT_OK(trib_input_open(&input, trib_scratch("t.txt"), NULL, NULL, &error));
    if (*wanted) input.made.remark[strlen(wanted)] = '\0';
    EXPECT_TEXT(input.made.remark, wanted);
}

TEST(the_extension_of_a_compression_is_ignored) {
    static const struct {
        const char *path;
        size_t length;
    } row[] = {{"a.txt", 5},    {"a.txt.gz", 5}, {"a.txt.BZ2", 5}, {"b/a.xz", 3}, {"a.zst", 1},
               {"a.gz.zst", 4}, {".gz", 3},      {"", 0},          {"gz", 2}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        EXPECT(trib_unpacked_name_length(row[i].path) == row[i].length);
}

TEST(formats_are_refused_by_name) {
    expect_refused_name("a.DOC", "DOC");
    expect_refused_name("x/a.mobi.xz", "MOBI");
    expect_refused_name("books.zip/a.azw3", "MOBI");
}

TEST(errors_name_the_format) {
    static const char rtf[] = "{\\rtf1 heron}", page[] = "<html><p>heron</html>";
    trib_write_bytes(trib_scratch("a.txt"), rtf, sizeof rtf - 1);
    expect_no_input(
        trib_scratch("a.txt"),
        "a.txt: is RTF, but its name does not say so: give it a name that ends in .rtf");
    trib_write_bytes(trib_scratch("b.txt"), page, sizeof page - 1);
    expect_no_input(
        trib_scratch("b.txt"),
        "b.txt: is HTML, but its name does not say so: give it a name that ends in .html");
    trib_write_bytes(trib_scratch("d.doc"), "a heron", 7);
    expect_no_input(
        trib_scratch("d.doc"),
        "d.doc: is DOC, which is not read: save it as DOCX, ODT or plain text (UTF-8) in "
        "a word processor; if it is plain text, give it a name that ends in .txt");
}

/* A text longer than the bytes that are examined is read completely, and no byte twice. */
TEST(examined_bytes_are_read_too) {
    GIVEN(trib_buffer) text = {0};
    for (int i = 0; i < 3 * TRIB_TEXT_FORMAT_BYTES; i++)
        CHECK(trib_buffer_print(&text, NULL, "%c", 'a' + i % 23) == TRIB_OK);
    for (size_t n = 0; n <= text.length; n += TRIB_TEXT_FORMAT_BYTES / 2) {
        trib_write_bytes(trib_scratch("long.txt"), text.text, n);
        GIVEN(trib_buffer) part = {0};
        CHECK(trib_buffer_add(&part, text.text, n, NULL) == TRIB_OK);
        expect_input(trib_scratch("long.txt"), part.text ? part.text : "");
    }
}

TEST(an_archive_is_rejected_and_all_rows_are_read) {
    trib_write_bytes(trib_scratch("l.jsonl"), "{\"text\": \"heron\"}\n{\"text\": \"reed\"}\n", 35);
    expect_input(trib_scratch("l.jsonl"), "heron\n\nreed\n\n");
    expect_input(trib_scratch("l.jsonl/1"), "heron");
    trib_write_bytes(trib_scratch("t.tar.gz"), "heron", 5);
    expect_no_input(trib_scratch("t.tar.gz"), "t.tar.gz: is an archive of texts; name one of them");
}
