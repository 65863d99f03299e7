/* real_files.c - files of other people: what a reader of them sees is read, and nothing else. Their
 * list is MANIFEST.tsv in corpora/formats of the shared corpora: expressions that must be read and
 * that must not, in words, separated by " | ". */
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "pipeline/input/hyphens.h"
#include "pipeline/input/input.h"
#include "tests/test.h"

/* Appends the words of a text, each with a space before it; one more space ends them. */
static void add_words(trib_buffer *to, const char *text, size_t length) {
    bool is_in_word = false;
    CHECK(length < INT32_MAX);
    for (int32_t i = 0, n = (int32_t)length; i < n;) {
        const int32_t from = i;
        UChar32 c;
        U8_NEXT((const uint8_t *)text, i, n, c);
        if (c < 0 || u_charType(c) == U_FORMAT_CHAR) continue;
        const bool is_word = u_isalnum(c) || (U_GET_GC_MASK(c) & (U_GC_M_MASK | U_GC_N_MASK)) != 0;
        if (is_word && !is_in_word) CHECK(trib_buffer_add(to, " ", 1, NULL) == TRIB_OK);
        if (is_word) CHECK(trib_buffer_add(to, text + from, (size_t)(i - from), NULL) == TRIB_OK);
        is_in_word = is_word;
    }
    CHECK(trib_buffer_add(to, " ", 1, NULL) == TRIB_OK);
}

/* Expects each expression of a list in the words, or none of them. */
static void expect_list(const char *file, const trib_buffer *words, char *list, bool is_there) {
    for (char *at = list; at && *at;) {
        char *end = strstr(at, " | ");
        trib_buffer wanted = {0};
        add_words(&wanted, at, end ? (size_t)(end - at) : strlen(at));
        const bool found = strstr(words->text, wanted.text) != NULL;
        EXPECT(wanted.length > 1);
        if (found != is_there) {
            char what[300];
            snprintf(what, sizeof what, "%s:%.200s", file, wanted.text);
            EXPECT_TEXT(what, is_there ? "is read" : "is not read");
        }
        trib_buffer_release(&wanted);
        at = end ? end + 3 : NULL;
    }
}

static void expect_refused(const char *kind, const char *path) {
    trib_input input;
    trib_error error = {0};
    EXPECT_STATUS(trib_input_open(&input, path, NULL, NULL, &error), TRIB_INPUT, error);
    if (!strstr(error.message, kind)) EXPECT_TEXT(error.message, kind);
}

static void read_row(char *cell[7]) {
    trib_input input;
    trib_error error = {0};
    trib_joined joined = {0};
    trib_buffer text = {0}, words = {0};
    char path[4096];
    snprintf(path, sizeof path, "corpora/formats/%s", cell[0]);
    snprintf(path, sizeof path, "%s", trib_shared(path));
    if (strncmp(cell[5], "(refuse", 7) == 0) {
        expect_refused(cell[1], path);
        return;
    }
    const trib_status status = trib_input_open(&input, path, NULL, NULL, &error);
    EXPECT_STATUS(status, TRIB_OK, error);
    if (status != TRIB_OK) return;
    EXPECT(trib_input_all(&input, &text, NULL) == TRIB_OK);
    EXPECT(trib_join_hyphens(&joined, text.text, text.length, NULL) == TRIB_OK);
    add_words(&words, text.text, text.length);
    expect_list(cell[0], &words, cell[5], true);
    expect_list(cell[0], &words, cell[6], false);
    trib_input_close(&input);
    trib_joined_release(&joined);
    trib_buffer_release(&text);
    trib_buffer_release(&words);
}

/* Reads the files of these kinds; a kind ends with a space. */
static void read_kinds(const char *kinds) {
    trib_buffer list = {0};
    const char *path = trib_shared("corpora/formats/MANIFEST.tsv");
    if (!path) return;
    CHECK(trib_read_whole(path, &list, NULL) == TRIB_OK);
    char *save = NULL;
    for (char *line = strtok_r(list.text, "\r\n", &save); line;
         line = strtok_r(NULL, "\r\n", &save)) {
        char *cell[7] = {line};
        for (int c = 1; c < 7; c++) {
            cell[c] = strchr(cell[c - 1], '\t');
            if (cell[c]) *cell[c]++ = '\0';
            else cell[c] = cell[c - 1] + strlen(cell[c - 1]);
        }
        char kind[80];
        snprintf(kind, sizeof kind, " %s ", cell[1]);
        if (strstr(kinds, kind)) read_row(cell);
    }
    trib_buffer_release(&list);
}

static void documents_that_pandoc_reads(void) {
    if (system("command -v pandoc >/dev/null 2>&1") != 0) {
        trib_skip("pandoc is not installed");
        return;
    }
    read_kinds(" DOCX ODT LATEX MARKDOWN ");
}

static void rtf(void) { read_kinds(" RTF "); }

static void tables_and_subtitles(void) { read_kinds(" CSV TSV SRT VTT WEBVTT "); }

static void text_of_recognisers(void) { read_kinds(" TXT OCR "); }

static void recognised_pages(void) { read_kinds(" ALTO 2  ALTO 3  PAGE 2013  PAGE 2019  HOCR "); }

static void editions_and_books(void) {
    read_kinds(" TEI EEBO-TCP drama  TEI EEBO-TCP  TEI critical edition  TEI Perseus (chapter, "
               "section)  TEI Perseus (book, chapter, section)  TEI Perseus verse (book, poem, "
               "line)  TEI drama (DraCor)  USFM  EPUB 2  EPUB 3 ");
}

static void formats_that_are_not_read(void) { read_kinds(" DOC MOBI "); }

CU_TestInfo trib_tests_decoders_real_files[] = {
    {"documents that pandoc reads", documents_that_pandoc_reads},
    {"RTF", rtf},
    {"tables and subtitles", tables_and_subtitles},
    {"text of recognisers", text_of_recognisers},
    {"recognised pages", recognised_pages},
    {"editions and books", editions_and_books},
    {"formats that are not read", formats_that_are_not_read},
    CU_TEST_INFO_NULL};
