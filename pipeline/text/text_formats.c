/* text_formats.c - what a file is, by its name and its first bytes. The table of formats is
 * text_formats.txt: a new one is a decoder, its declaration and a row. */
#include "pipeline/text/text_formats.h"

#include <strings.h>
#include <unicode/ucnv.h>

#include "pipeline/support/utf8.h"
#include "pipeline/text/archive.h"
#include "pipeline/text/programs.h"
#include "tokenizer/tokenizer.h"

bool trib_mediawiki_export_is(trib_markup_bytes file) {
    enum { MOST = 1024 };
    return trib_bytes_hold(file.at, file.length < MOST ? file.length : MOST, "<mediawiki");
}

trib_status trib_any_xml_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return trib_mediawiki_export_is(file) ? trib_mediawiki_export_text(to, file, error)
                                          : trib_xml_text(to, file, error);
}

/* ---- By the first bytes ---------------------------------------------------------------------- */

static bool begins(const trib_text_format *format, const char *first, size_t n) {
    for (size_t m = 0; m < 2; m++) {
        const char *magic = format->magic[m];
        const size_t length = magic ? strlen(magic) : 0;
        if (magic && n >= format->at + length &&
            strncasecmp(first + format->at, magic, length) == 0 &&
            (!format->within || trib_bytes_hold(first, n, format->within)))
            return true;
    }
    return false;
}

const trib_text_format *trib_text_format_called(const char *name) {
    const trib_text_format *row = trib_text_formats;
    while (name && row->name && strcmp(row->name, name) != 0) row++;
    return name && row->name ? row : NULL;
}

/* The format of UTF-16, which has a byte order mark or may be the encoding; NULL: it is none. */
static const char *find_wide(const char *first, size_t n, const char *encoding) {
    const bool may_be = encoding && n >= 4 &&
                        (strcmp(encoding, "auto") == 0 || !trib_encoding_is_of_bytes(encoding) ||
                         (*first & 0xFE) == 0xFE || memcmp(first, "\0\0\xFE\xFF", 4) == 0);
    const char *found = may_be ? trib_utf16_find(first, n) : NULL;
    return !found ? NULL : found[4] == '1' ? "UTF-16" : "UTF-32";
}

const trib_text_format *trib_text_format_marked(const char *first, size_t n, const char *encoding) {
    const trib_marked_format *marked = trib_marked_of(first, n, encoding);
    return trib_text_format_called(marked ? marked->name : find_wide(first, n, encoding));
}

const trib_text_format *trib_text_format_named(const char *path, const unsigned char *first,
                                               size_t n) {
    const size_t length = trib_unpacked_name_length(path);
    const trib_text_format *named = NULL;
    for (const trib_text_format *format = trib_text_formats; format->name; format++) {
        if (format->is_sure && begins(format, (const char *)first, n)) return format;
        if (!named && trib_name_ends(path, length, format->endings)) named = format;
    }
    return named;
}

trib_status trib_text_format_check(const trib_text_format *named, const char *path,
                                   const char *first, size_t n, trib_error *error) {
    const bool is_misnamed = named && named->use == TRIB_TEXT_FORMAT_SEVERAL &&
                             !trib_name_ends(path, strlen(path), named->endings);
    const trib_text_format *found =
        is_misnamed || (named && named->use == TRIB_TEXT_FORMAT_REFUSED) ? named : NULL;
    const bool is_decoded = named && named->use == TRIB_TEXT_FORMAT_DECODED;
    if (n >= 3 && memcmp(first, "\xEF\xBB\xBF", 3) == 0) first += 3, n -= 3;
    for (const trib_text_format *format = trib_text_formats; format->name && !found; format++)
        if ((!is_decoded || format->use == TRIB_TEXT_FORMAT_REFUSED) && begins(format, first, n))
            found = format;
    if (!found) return TRIB_OK;
    if (found->use == TRIB_TEXT_FORMAT_REFUSED)
        return trib_fail(error, TRIB_INPUT, "%s: is %s, which is not read: %s", path, found->name,
                         found->remedy);
    return trib_fail(error, TRIB_INPUT,
                     "%s: is %s, but its name does not say so: give it a name that ends in %.*s",
                     path, found->name, (int)strcspn(found->endings, " "), found->endings);
}

/* ---- The reader ------------------------------------------------------------------------------ */

trib_status trib_text_format_print_reader(trib_buffer *to, const char *kind, trib_error *error) {
    const char *space = strrchr(kind, ' '), *name = space ? space + 1 : kind;
    const trib_status status =
        trib_buffer_print(to, error, "decoders %d ", (int)TRIB_DECODERS_VERSION);
    const trib_text_format *format = trib_text_format_called(name);
    if (status != TRIB_OK || !format || !format->read) return status;
    if (format->decoder) return trib_buffer_print(to, error, "%s", format->decoder);
    return strstr(format->reader, "libxml2") ? trib_xml_print_reader(to, error)
                                             : trib_program_print(to, format->reader, error);
}

/* ---- Text that was encoded twice ------------------------------------------------------------- */

/* Whether a text becomes UTF-8 when it is written in another encoding: at least eight characters,
 * and three for each run of bytes that does not. */
static bool becomes_utf8(const char *text, size_t n, const char *encoding) {
    enum { MOST = 8192 };
    char bytes[2 * MOST];
    bool was_bad = false;
    size_t n_good = 0, n_bad = 0;
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(encoding, &code);
    const int32_t length = ucnv_fromAlgorithmic(converter, UCNV_UTF8, bytes, (int32_t)sizeof bytes,
                                                text, (int32_t)(n < MOST ? n : MOST), &code);
    ucnv_close(converter);
    for (int32_t i = 0; U_SUCCESS(code) && i < length;) {
        const size_t step = trib_utf8_length(bytes + i, (size_t)(length - i));
        const bool is_bad = step == 0 || bytes[i] == 0x1A;
        n_good += step > 1, n_bad += is_bad && !was_bad, was_bad = is_bad;
        i += step > 0 ? (int32_t)step : 1;
    }
    return U_SUCCESS(code) && n_good >= 8 && 3 * n_bad <= n_good;
}

const char *trib_encoded_twice(const char *text, size_t n) {
    static const struct {
        const char *encoding, *sign[8]; /* what UTF-8 that is read in it often has */
    } pages[] = {{"windows-1252",
                  {"\u00C3", "\u00E2\u20AC", "\u00D0", "\u00CE", "\u00D8", "\u00D7", "\u00E5\u00A4",
                   "\u00E7\u0161"}},
                 {"ISO-8859-1",
                  {"\u00C3", "\u00E2\xC2\x80", "\u00D0", "\u00CE", "\u00D8", "\u00E0\u00A4",
                   "\u00E3\xC2\x81", "\u00E5\u00A4"}},
                 {"IBM437", {"\u251C", "\u0393\u00C7"}},
                 {"IBM850", {"\u251C", "\u00D4\u00C7"}},
                 {"macintosh", {"\u221A", "\u201A\u00C4"}},
                 {"windows-1251", {"\u0420\u0455", "\u0432\u0402"}},
                 {"GBK", {"\u951B", "\u9286", "\u6D93", "\u9428"}},
                 {"Big5", {"\u5697", "\u929D", "\u7665"}},
                 {"Shift_JIS", {"\u7E3A"}}};
    for (size_t p = 0; p < sizeof pages / sizeof *pages; p++)
        for (size_t i = 0; i < 8 && pages[p].sign[i]; i++)
            if (trib_bytes_hold(text, n, pages[p].sign[i]) &&
                becomes_utf8(text, n, pages[p].encoding))
                return pages[p].encoding;
    return NULL;
}

bool trib_is_misread(const char *text, size_t n) {
    size_t n_letters = 0, n_accents = 0;
    for (size_t i = 0; i < n; i++) {
        n_accents += text[i] == '\xC3'; /* U+00C0 to U+00FF */
        n_letters += (text[i] | 0x20) >= 'a' && (text[i] | 0x20) <= 'z';
    }
    return n_accents >= 50 && n_accents > 3 * n_letters;
}

/* ---- Files that are no texts ----------------------------------------------------------------- */

/* The first bytes of files that people keep beside their texts. Texts can begin with some of them,
 * so that they count only where there are control bytes, too. */
static const struct {
    const char *magic;
    uint8_t length, at;
    const char *what;
} signatures[] = {
    {"\x89PNG\r\n", 6, 0, "a PNG image"},
    {"\xFF\xD8\xFF", 3, 0, "a JPEG image"},
    {"GIF8", 4, 0, "a GIF image"},
    {"II*\0", 4, 0, "a TIFF image"},
    {"MM\0*", 4, 0, "a TIFF image"},
    {"WEBP", 4, 8, "a WebP image"},
    {"AT&TFORM", 8, 0, "a DjVu file"},
    {"ID3", 3, 0, "an MP3 recording"},
    {"\xFF\xFB", 2, 0, "an MP3 recording"},
    {"OggS", 4, 0, "an Ogg recording"},
    {"fLaC", 4, 0, "a FLAC recording"},
    {"WAVE", 4, 8, "a WAV recording"},
    {"AVI ", 4, 8, "an AVI film"},
    {"ftyp", 4, 4, "an MP4 film or recording"},
    {"\x7F"
     "ELF",
     4, 0, "a program (ELF)"},
    {"\xCF\xFA\xED\xFE", 4, 0, "a program (Mach-O)"},
    {"MZ\x90\0", 4, 0, "a program (EXE)"},
    {"SQLite format 3\0", 16, 0, "an SQLite database"},
    {"7z\xBC\xAF\x27\x1C", 6, 0, "a 7z archive"},
    {"Rar!\x1A\x07", 6, 0, "a RAR archive"},
    {"wOFF", 4, 0, "a font"},
    {"OTTO\0", 5, 0, "a font"},
    {"\0\1\0\0\0", 5, 0, "a font"},
};

trib_status trib_text_check_not_binary(const char *path, const char *first, size_t n,
                                       const char *encoding, trib_error *error) {
    for (size_t s = 0; s < sizeof signatures / sizeof *signatures; s++)
        if (n >= (size_t)signatures[s].at + signatures[s].length &&
            memcmp(first + signatures[s].at, signatures[s].magic, signatures[s].length) == 0 &&
            trib_bytes_are_binary(first, n))
            return trib_fail(error, TRIB_INPUT,
                             "%s: is %s, not a text; remove it from the documents, or convert it "
                             "to text",
                             path, signatures[s].what);
    if (!trib_encoding_is_of_bytes(encoding)) return TRIB_OK;
    const char *utf16 = trib_utf16_find(first, n);
    if (utf16 && !find_wide(first, n, encoding ? encoding : "utf-8"))
        return trib_fail(error, TRIB_INPUT,
                         "%s: is %s, not %s; set corpus.encoding to auto, or give this document "
                         "`encoding: %s`",
                         path, utf16, encoding ? encoding : "utf-8",
                         strcmp(utf16, "UTF-16LE") == 0 ? "utf-16le" : "utf-16be");
    if (utf16 || !trib_bytes_are_binary(first, n)) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT,
                     "%s: is not a text: it has many control bytes; remove it from the documents, "
                     "or convert it to text",
                     path);
}
