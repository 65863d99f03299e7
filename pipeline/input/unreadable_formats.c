/* unreadable_formats.c - the table of formats that this program knows but does not read. */
#include "pipeline/input/unreadable_formats.h"

#include <string.h>
#include <strings.h>

#include "pipeline/input/packing.h"

#define CONVERT_DOCUMENT                                                                           \
    "save it as plain text (UTF-8) in a word processor, or convert it with pandoc "                \
    "(`pandoc FILE -t plain --wrap=none -o FILE.txt`)"
#define CONVERT_SUBTITLES "remove the numbers and times, and save the words as plain text"
#define CONVERT_TABLE                                                                              \
    "if it lists documents, name it in corpus.manifest; if it contains texts, write them as JSON " \
    "Lines, {\"id\": ..., \"text\": ...}"
#define CONVERT_BOOK "convert it to EPUB (Calibre: `ebook-convert FILE FILE.epub`)"
#define ZIP          "PK\3\4"

const trib_unreadable trib_unreadable_formats[] = {
    {"DOCX", ".docx .docm .dotx .dotm", ZIP, "[Content_Types].xml", NULL, "DOCX is not read",
     CONVERT_DOCUMENT, 0, false},
    {"ODT", ".odt .ott .fodt .sxw", ZIP, "application/vnd.oasis.opendocument", NULL,
     "ODT is not read", CONVERT_DOCUMENT, 0, false},
    {"DOC", ".doc .dot", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", NULL, NULL, "DOC is not read",
     "save it as plain text (UTF-8) in a word processor; if it is plain text, give it a name that "
     "ends in .txt",
     0, false},
    {"RTF", ".rtf", "{\\rtf", NULL, NULL, "RTF is not read", CONVERT_DOCUMENT, 0, false},
    {"MOBI", ".mobi .azw .azw3 .prc .kfx", "BOOKMOBI", NULL, NULL, "MOBI is not read", CONVERT_BOOK,
     60, false},
    {"FictionBook", ".fb2 .fbz", NULL, NULL, "FictionBook", "FictionBook is not read", CONVERT_BOOK,
     0, false},
    {"LaTeX", ".tex .latex .ltx", "\\documentclass", NULL, NULL, "LaTeX is not read",
     "convert it with pandoc (`pandoc FILE -t plain --wrap=none -o FILE.txt`)", 0, false},
    {"CSV", ".csv", NULL, NULL, NULL, "CSV is not read", CONVERT_TABLE, 0, false},
    {"TSV", ".tsv .tab", NULL, NULL, NULL, "TSV is not read", CONVERT_TABLE, 0, false},
    {"SRT subtitles", ".srt", NULL, NULL, NULL, "SRT subtitles are not read", CONVERT_SUBTITLES, 0,
     false},
    {"WebVTT subtitles", ".vtt", "WEBVTT", NULL, NULL, "WebVTT subtitles are not read",
     CONVERT_SUBTITLES, 0, false},
    {"hOCR", ".hocr", "<", "ocr-system", NULL, "hOCR is not read",
     "convert it to plain text (hocr-tools: `hocr-lines FILE`) or to ALTO, which is read", 0,
     false},
    {"hOCR", "", "<", "ocr_page", NULL, "hOCR is not read",
     "convert it to plain text (hocr-tools: `hocr-lines FILE`) or to ALTO, which is read", 0,
     false},
    {"PAGE XML", "", NULL, NULL, "PcGts", "PAGE XML is not read",
     "export it as plain text, or as ALTO, which is read", 0, false},
    {"USFM", ".usfm .sfm", "\\id ", NULL, NULL, "USFM is not read",
     "convert it to OSIS, which is read, or to plain text", 0, false},
    {"a zip", "", ZIP, "application/epub+zip", NULL, "",
     "if it is a book, give it a name that ends in .epub", 0, true},
    {"a tar", "", "ustar", NULL, NULL, "", "give it a name that ends in .tar", 257, true},
    {"XML", "", "<?xml", NULL, NULL, "", "give it a name that ends in .xml, or .xhtml", 0, true},
    {"HTML", "", "<!DOCTYPE html", NULL, NULL, "", "give it a name that ends in .html", 0, true},
    {"HTML", "", "<html", NULL, NULL, "", "give it a name that ends in .html", 0, true},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, false},
};

static bool ends(const char *path, size_t length, const char *ending, size_t n) {
    return length > n && strncasecmp(path + length - n, ending, n) == 0;
}

const trib_unreadable *trib_unreadable_named(const char *path) {
    const size_t length = trib_unpacked_name_length(path);
    for (const trib_unreadable *format = trib_unreadable_formats; format->name; format++)
        for (const char *at = format->endings; *at; at += strspn(at, " ")) {
            const size_t n = strcspn(at, " ");
            if (ends(path, length, at, n)) return format;
            at += n;
        }
    return NULL;
}

static bool holds(const char *bytes, size_t length, const char *word) {
    const size_t n = strlen(word);
    for (size_t i = 0; i + n <= length; i++)
        if (memcmp(bytes + i, word, n) == 0) return true;
    return false;
}

const trib_unreadable *trib_unreadable_find(const char *path, bool is_named, const char *first,
                                            size_t n) {
    const trib_unreadable *named = trib_unreadable_named(path);
    if (named) return named;
    if (n >= 3 && memcmp(first, "\xEF\xBB\xBF", 3) == 0) first += 3, n -= 3;
    for (const trib_unreadable *format = trib_unreadable_formats; format->name; format++) {
        if (!format->magic || (is_named && format->is_misnamed)) continue;
        const size_t length = strlen(format->magic);
        if (n < format->at + length || strncasecmp(first + format->at, format->magic, length) != 0)
            continue;
        if (!format->within || holds(first, n, format->within)) return format;
    }
    return NULL;
}

const trib_unreadable *trib_unreadable_root(const char *element) {
    for (const trib_unreadable *format = trib_unreadable_formats; format->name; format++)
        if (format->root && strcmp(format->root, element) == 0) return format;
    return NULL;
}

trib_status trib_unreadable_refuse(const trib_unreadable *format, const char *path,
                                   trib_error *error) {
    if (format->is_misnamed)
        return trib_fail(error, TRIB_INPUT, "%s: is %s, but its name does not say so: %s", path,
                         format->name, format->remedy);
    return trib_fail(error, TRIB_INPUT, "%s: is %s, which is not read: %s", path, format->name,
                     format->remedy);
}
