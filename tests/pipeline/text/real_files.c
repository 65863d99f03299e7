/* real_files.c - files of other people: `tributary ingest` writes what a reader of them sees, and
 * nothing else. Their list is MANIFEST.tsv in corpora/formats of the shared corpora: expressions
 * that must be read and that must not, in words, separated by " | ". */
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>

#include "tests/pipeline/program/program.h"
#include "tests/test.h"

TESTS(text, real_files);

/* The same text in Unicode's form C, to be freed: the files and the list write accents in various
 * ways. */
static char *compose(const char *text, size_t length, size_t *n) {
    UErrorCode why = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFCInstance(&why);
    const int32_t most = (int32_t)(3 * length + 1);
    int32_t n_units = 0, n_bytes = 0;
    CHECK(length < INT32_MAX / 8);
    UChar *units = malloc((size_t)most * sizeof *units);
    UChar *composed = malloc((size_t)most * sizeof *composed);
    char *to = malloc((size_t)most * 3);
    CHECK(units && composed && to);
    u_strFromUTF8(units, most, &n_units, text, (int32_t)length, &why);
    n_units = unorm2_normalize(form, units, n_units, composed, most, &why);
    u_strToUTF8(to, most * 3, &n_bytes, composed, n_units, &why);
    CHECK(U_SUCCESS(why));
    free(units);
    free(composed);
    *n = (size_t)n_bytes;
    return to;
}

/* Appends the words of a text, each with a space before it; one more space ends them. */
static void add_words(trib_buffer *to, const char *written, size_t n_written) {
    bool is_in_word = false;
    size_t length = 0;
    GIVEN(owned_text) text = compose(written, n_written, &length);
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
        GIVEN(trib_buffer) wanted = {0};
        add_words(&wanted, at, end ? (size_t)(end - at) : strlen(at));
        const bool found = strstr(words->text, wanted.text) != NULL;
        EXPECT(wanted.length > 1);
        if (found != is_there) {
            char what[300];
            snprintf(what, sizeof what, "%s:%.200s", file, wanted.text);
            EXPECT_TEXT(what, is_there ? "is read" : "is not read");
        }
        at = end ? end + 3 : NULL;
    }
}

static void read_row(const char *file, const char *kind, char *expect, char *expect_not) {
    trib_error error = {0};
    GIVEN(trib_buffer) text = {0}, words = {0};
    char name[300], command[512];
    snprintf(name, sizeof name, "corpora/formats/%s", file);
    snprintf(command, sizeof command, "ingest %s -o - --set corpus.join_hyphens=true",
             trib_shared(name));
    const trib_status status = trib_program_do(command, &error);
    if (strncmp(expect, "(refuse", 7) == 0) {
        EXPECT_STATUS(status, TRIB_INPUT, error);
        if (!strstr(error.message, kind)) EXPECT_TEXT(error.message, kind);
        return;
    }
    EXPECT_OK(status);
    if (status != TRIB_OK) return;
    CHECK(trib_read_whole(trib_scratch("stdout"), &text, NULL) == TRIB_OK);
    add_words(&words, text.text, text.length);
    expect_list(file, &words, expect, true);
    expect_list(file, &words, expect_not, false);
}

/* Whether pandoc reads files of a kind. */
static bool is_of_pandoc(const char *kind) {
    static const char *const kinds[] = {"DOCX", "ODT", "LATEX", "MARKDOWN"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0) return true;
    return false;
}

/* Reads all files that pandoc reads, or all others. */
static void read_rows(bool of_pandoc) {
    GIVEN(trib_buffer) list = {0};
    const char *path = trib_shared("corpora/formats/MANIFEST.tsv");
    if (!path) return;
    CHECK(trib_read_whole(path, &list, NULL) == TRIB_OK);
    char *save = NULL;
    (void)strtok_r(list.text, "\r\n", &save);
    for (char *line = strtok_r(NULL, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save)) {
        char *cell[7] = {line};
        for (int c = 1; c < 7; c++) {
            cell[c] = strchr(cell[c - 1], '\t');
            if (cell[c]) *cell[c]++ = '\0';
            else cell[c] = cell[c - 1] + strlen(cell[c - 1]);
        }
        if (is_of_pandoc(cell[1]) == of_pandoc) read_row(cell[0], cell[1], cell[5], cell[6]);
    }
}

TEST(documents_that_pandoc_reads) {
    if (system("command -v pandoc >/dev/null 2>&1") == 0) read_rows(true);
    else trib_skip("pandoc is not installed");
}

TEST(all_other_files) { read_rows(false); }
