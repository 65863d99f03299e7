/* marked.c - plain text with marks, of formats that are known by their content: OpenITI, Kanripo,
 * WikiExtractor, TREC, Aozora, CoNLL-U and vertical text. */
#include <unicode/ucnv.h>
#include <unicode/uregex.h>
#include <unicode/ustring.h>

#include "pipeline/support/utf8.h"
#include "pipeline/text/text_formats.h"
#include "tokenizer/tokenizer.h"

bool trib_bytes_hold(const char *at, size_t length, const char *word) {
    const size_t n = strlen(word);
    while (length >= n) {
        const char *const next = memchr(at, *word, length - n + 1);
        if (!next) return false;
        if (memcmp(next, word, n) == 0) return true;
        length -= (size_t)(next - at) + 1;
        at = next + 1;
    }
    return false;
}

/* The encoding of bytes that are not UTF-8, as corpus.encoding says or, with "auto", as they look;
 * NULL: that of no text with marks. */
static const char *other_encoding(char name[TRIB_ENCODING_MAX], const char *bytes, size_t n,
                                  const char *encoding) {
    const char *utf16 =
        encoding ? trib_utf16_find(bytes, n < TRIB_TEXT_FORMAT_BYTES ? n : TRIB_TEXT_FORMAT_BYTES)
                 : NULL;
    if (!encoding || utf16) return utf16;
    if (ucnv_compareNames(encoding, "utf-8") == 0 || trib_is_utf8(bytes, n)) return NULL;
    if (strcmp(encoding, "auto") != 0) return encoding;
    trib_encoding_guess(name, bytes, n);
    return name;
}

/* A text in UTF-16 for ICU, and room for another of this length. */
typedef struct wide {
    UChar *at, *other;
    int32_t n, cap;
} wide;

static trib_status widen(wide *to, const char *text, size_t length, trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    *to = (wide){.cap = (int32_t)length + 8};
    if (length > INT32_MAX / 4)
        return trib_fail(error, TRIB_INPUT, "a text with marks is larger than 512 MiB; cut it");
    trib_status status = trib_new(&to->at, (size_t)to->cap, sizeof *to->at, "a text", error);
    if (status == TRIB_OK)
        status = trib_new(&to->other, (size_t)to->cap, sizeof *to->at, "a text", error);
    if (status == TRIB_OK)
        u_strFromUTF8WithSub(to->at, to->cap, &to->n, text, (int32_t)length, 0xFFFD, NULL, &code);
    return status;
}

/* Opens a pattern on a text; to be closed whatever the code. */
static URegularExpression *open_pattern(const wide *text, const char *pattern, UErrorCode *code) {
    UChar unit[512];
    int32_t n = 0;
    u_strFromUTF8(unit, 512, &n, pattern, -1, code);
    URegularExpression *regex = uregex_open(unit, n, 0, NULL, code);
    uregex_setText(regex, text->at, text->n, code);
    return regex;
}

/* Replaces a pattern in a text; without `with`, says whether the text has it. */
static bool apply(wide *text, const char *pattern, const char *with) {
    UErrorCode code = U_ZERO_ERROR;
    UChar replacement[16], *const at = text->at;
    int32_t n = 0, n_with = 0;
    u_strFromUTF8(replacement, 16, &n_with, with ? with : "", -1, &code);
    URegularExpression *regex = open_pattern(text, pattern, &code);
    bool is_good = with || uregex_find(regex, 0, &code);
    if (with) n = uregex_replaceAll(regex, replacement, n_with, text->other, text->cap, &code);
    uregex_close(regex);
    if (with && U_SUCCESS(code)) *text = (wide){text->other, at, n, text->cap};
    return is_good && U_SUCCESS(code);
}

static trib_status add_wide(trib_buffer *to, const wide *text, trib_error *error) {
    return trib_excerpt(to, "UTF16_PlatformEndian", (const char *)text->at,
                        sizeof *text->at * (size_t)text->n, error);
}

trib_status trib_marked_group(trib_buffer *group, const char *pattern, const trib_buffer *text,
                              trib_error *error) {
    wide all = {0};
    UErrorCode code = U_ZERO_ERROR;
    trib_status status = widen(&all, text->text, text->length, error);
    URegularExpression *regex = status == TRIB_OK ? open_pattern(&all, pattern, &code) : NULL;
    trib_buffer_clear(group);
    if (regex && uregex_find(regex, 0, &code)) {
        const int32_t n = uregex_group(regex, 1, all.other, all.cap, &code);
        const wide found = {all.other, NULL, U_SUCCESS(code) ? n : 0, 0};
        status = add_wide(group, &found, error);
    }
    uregex_close(regex);
    TRIB_FREE(all.at, all.other);
    return status;
}

const trib_marked_format *trib_marked_of(const char *first, size_t n, const char *encoding) {
    wide head = {0};
    TRIB_OWNED(trib_buffer) utf8 = {0};
    const trib_marked_format *found = NULL;
    char name[TRIB_ENCODING_MAX];
    encoding = other_encoding(name, first, n, encoding);
    if (encoding && trib_excerpt(&utf8, encoding, first, n, NULL) == TRIB_OK && utf8.text)
        first = utf8.text, n = utf8.length;
    for (const trib_marked_format *f = trib_marked_formats; f->name && !found; f++) {
        bool is_it = trib_bytes_hold(first, n, f->sign[0]) ||
                     (f->sign[1] && trib_bytes_hold(first, n, f->sign[1]));
        if (is_it && !head.cap)
            is_it = widen(&head, first, n, NULL) == TRIB_OK && apply(&head, "\\r\\n?", "\n");
        if (is_it && apply(&head, f->is, NULL)) found = f;
    }
    TRIB_FREE(head.at, head.other);
    return found;
}

trib_status trib_marked_decode(trib_markup_text *to, trib_buffer *page, trib_markup_bytes file,
                               trib_error *error) {
    char name[TRIB_ENCODING_MAX];
    const char *encoding = other_encoding(name, file.at, file.length, to->encoding);
    if (!encoding) return trib_html_decode(to, page, file, false, error);
    const trib_status status = trib_excerpt(page, encoding, file.at, file.length, error);
    const size_t mark = page->length >= 3 && memcmp(page->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    if (mark > 0) memmove(page->text, page->text + mark, (page->length -= mark) + 1);
    return status;
}

trib_status trib_utf16_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    const trib_status status = trib_marked_decode(to, &to->text, file, error);
    return status == TRIB_OK ? trib_markup_check(to, file.name, error) : status;
}

trib_status trib_marked_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    wide text = {0};
    TRIB_OWNED(trib_buffer) page = {0};
    const trib_marked_format *f = trib_marked_formats;
    size_t n_texts = 0;
    while (strcmp(f->name, to->format) != 0) f++;
    trib_status status = trib_marked_decode(to, &page, file, error);
    const char *const bytes = page.text ? page.text : "";
    if (status == TRIB_OK) status = widen(&text, bytes, page.length, error);
    bool is_good = status == TRIB_OK && apply(&text, "\\r\\n?", "\n");
    if (is_good && f->must) is_good = apply(&text, f->must, NULL);
    for (size_t r = 0; f->rule[r][0] && is_good; r++)
        is_good = apply(&text, f->rule[r][0], f->rule[r][1]);
    if (is_good) status = add_wide(&to->text, &text, error);
    else if (status == TRIB_OK)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: is not %s, or cannot be read as such; make it plain text",
                           file.name, to->format);
    const uint64_t n_all = trib_words_in(bytes, page.length);
    const uint64_t n_read = trib_words_in(to->text.text ? to->text.text : "", to->text.length);
    if (n_all > n_read) to->account.counts.others_out += n_all - n_read;
    for (const char *at = bytes; f->text[0] && (at = strstr(at, f->text[0])); at++) n_texts++;
    if (n_texts > 1 && !to->is_file)
        snprintf(to->remark, sizeof to->remark,
                 "has %zu texts, which are read as one; a file outside an archive is as many "
                 "documents",
                 n_texts);
    TRIB_FREE(text.at, text.other);
    return status == TRIB_OK ? trib_markup_check(to, file.name, error) : status;
}
