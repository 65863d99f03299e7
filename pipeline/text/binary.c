/* binary.c - files that are not texts, by their first bytes. */
#include "pipeline/text/text_formats.h"

#include <string.h>
#include <unicode/ucnv.h>

#include "tokenizer/tokenizer.h"

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
    const bool is_found = utf16 && encoding && ucnv_compareNames(encoding, "auto") == 0;
    if (utf16 && !is_found)
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
