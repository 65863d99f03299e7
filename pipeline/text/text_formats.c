/* text_formats.c - the table of formats. A new one is a decoder, its declaration and a row. */
#include "pipeline/text/text_formats.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unicode/ucnv.h>

#include "pipeline/support/utf8.h"
#include "pipeline/text/archive.h"
#include "pipeline/text/programs.h"
#include "tokenizer/tokenizer.h"

#define CONVERT_DOCUMENT                                                                           \
    "save it as DOCX, ODT or plain text (UTF-8) in a word processor; if it is plain text, give "   \
    "it "                                                                                          \
    "a name that ends in .txt"
#define CONVERT_BOOK "convert it to EPUB (Calibre: `ebook-convert FILE FILE.epub`)"
#define ZIP          "PK\3\4"

#define TEXT    .use = TRIB_TEXT_FORMAT_TEXT
#define DECODED .use = TRIB_TEXT_FORMAT_DECODED
#define SEVERAL .use = TRIB_TEXT_FORMAT_SEVERAL
#define REFUSED .use = TRIB_TEXT_FORMAT_REFUSED
#define PANDOC  .reader = "pandoc", .read = trib_pandoc_text
#define MARKED  DECODED, .reader = "ICU", .read = trib_marked_text, .decoder = "marked"

static trib_status read_xml(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    enum { MOST = 1024 };
    return trib_bytes_hold(file.at, file.length < MOST ? file.length : MOST, "<mediawiki")
               ? trib_mediawiki_export_text(to, file, error)
               : trib_xml_text(to, file, error);
}

/* The first row whose bytes match decides, so a row with `within` comes before one without. */
const trib_text_format trib_text_formats[] = {
    {"text", ".txt .text .asc", TEXT, .reader = "ICU", .left_out = ""},
    {"PDF", ".pdf", DECODED, .magic = {"%PDF-"}, .is_sure = true, .reader = "pdftotext",
     .left_out = "pictures, page breaks", .read = trib_pdf_text},
    {"hOCR", ".hocr", DECODED, .reader = "libxml2",
     .left_out = "running heads, page numbers, pictures, words below corpus.min_confidence",
     .read = trib_html_page_text},
    {"HTML", ".html .htm", DECODED, .magic = {"<!DOCTYPE html", "<html"}, .reader = "libxml2",
     .left_out = "head, scripts, styles, navigation, page numbers; notes by corpus.notes",
     .read = trib_html_page_text},
    {"XHTML", ".xhtml", DECODED, .reader = "libxml2", .left_out = "as in HTML",
     .read = trib_xml_text},
    {"FictionBook", ".fb2", DECODED, .magic = {"<"}, .within = "<FictionBook", PANDOC,
     .left_out = "description, pictures; notes by corpus.notes"},
    {"FBZ", ".fbz", REFUSED, .left_out = "FBZ is not read",
     .remedy = "unpack it (`unzip FILE`), and name the .fb2 file in it"},
    {"DocBook", ".dbk .docbook", DECODED, .magic = {"<"}, .within = "docbook.org/ns/docbook",
     PANDOC, .left_out = "info, pictures; notes by corpus.notes"},
    {"XML", ".xml", DECODED, .magic = {"<?xml"}, .reader = "libxml2",
     .left_out = "comments, processing instructions", .read = read_xml},
    {"TEI", ".tei", DECODED, .reader = "libxml2",
     .left_out = "header, running heads, gaps; notes by corpus.notes, forms of a choice by "
                 "corpus.reading, readings by corpus.witness",
     .read = trib_xml_text},
    {"OSIS", "", DECODED, .reader = "libxml2", .left_out = "header; notes by corpus.notes"},
    {"ALTO", "", DECODED, .reader = "libxml2",
     .left_out = "margins, running titles, page numbers, words below corpus.min_confidence"},
    {"PAGE", "", DECODED, .reader = "libxml2",
     .left_out = "headers, footers, page numbers, catch-words, signatures, words below "
                 "corpus.min_confidence; footnotes and marginalia by corpus.notes"},
    {"MediaWiki-export", "", DECODED, .reader = "pandoc",
     .left_out = "all but titles and texts of pages; as in MediaWiki"},
    {"METS", "", DECODED, .reader = "libxml2",
     .left_out = "all but the text of its pages (ALTO, PAGE, hOCR), of which it is as in these"},
    {"EPUB", ".epub", DECODED, .magic = {ZIP}, .within = "application/epub+zip",
     .reader = "libarchive, libxml2", .left_out = "navigation, styles, pictures; as in HTML",
     .read = trib_epub_text},
    {"USFM", ".usfm .sfm", DECODED, .magic = {"\\id "}, .reader = "tributary",
     .left_out = "identification, remarks, numbers, figures, attributes; notes by corpus.notes",
     .read = trib_usfm_text, .decoder = "usfm"},
    {"JSON-Lines", ".jsonl .ndjson", SEVERAL, .reader = "jansson",
     .left_out = "keys other than text, id, title, author, date, role"},
    {"DOCX", ".docx .docm .dotx .dotm", DECODED, .magic = {ZIP}, .within = "[Content_Types].xml",
     PANDOC,
     .left_out = "headers, footers, comments, deleted text, formulas; notes by corpus.notes"},
    {"XLSX", ".xlsx .xlsm", DECODED, .magic = {ZIP}, .within = "xl/workbook.xml",
     .reader = "libarchive, libxml2",
     .left_out = "formulas (their results are read), hidden sheets, names of sheets, comments",
     .read = trib_xlsx_text},
    {"PPTX", ".pptx .pptm .ppsx .ppt .pps .odp .key", REFUSED, .left_out = "slides are not read",
     .remedy = "save it as PDF or as plain text (UTF-8)"},
    {"Pages", ".pages", REFUSED, .left_out = "files of Pages are not read",
     .remedy = "export it as DOCX, EPUB or plain text in Pages"},
    {"spreadsheet", ".xls .xlt .xlsb .ods .numbers", REFUSED,
     .left_out = "only XLSX of spreadsheets is read",
     .remedy = "save it as XLSX or as \"CSV UTF-8\""},
    {"ODT", ".odt .ott", DECODED, .magic = {ZIP}, .within = "application/vnd.oasis.opendocument",
     PANDOC, .left_out = "as in DOCX"},
    {"FODT", ".fodt .sxw", REFUSED, .left_out = "FODT is not read", .remedy = CONVERT_DOCUMENT},
    {"zip", ".zip", SEVERAL, .magic = {ZIP, "PK\5\6"}, .reader = "libarchive", .left_out = ""},
    {"tar", ".tar .tgz .tbz2 .txz", SEVERAL, .magic = {"ustar"}, .at = 257, .reader = "libarchive",
     .left_out = "links, devices"},
    {"RTF", ".rtf", DECODED, .magic = {"{\\rtf"}, .reader = "ICU",
     .left_out = "as in DOCX; hidden text, labels of lists", .read = trib_rtf_text,
     .decoder = "RTF"},
    {"LaTeX", ".tex .latex .ltx", DECODED, .magic = {"\\documentclass"}, PANDOC,
     .left_out = "preamble, formulas, citations, unknown macros (reported); notes by corpus.notes"},
    {"Markdown", ".md .markdown", DECODED, PANDOC,
     .left_out = "front matter, formulas, citations, pictures; notes by corpus.notes"},
    {"Org", ".org", DECODED, PANDOC, .left_out = "as in Markdown"},
    {"MediaWiki", ".wiki .mediawiki", DECODED, PANDOC,
     .left_out = "templates, categories, pictures; notes by corpus.notes"},
    {"CSV", ".csv", SEVERAL, .reader = "ICU",
     .left_out = "columns other than the text, id, title, author, date (year), role"},
    {"TSV", ".tsv .tab", SEVERAL, .reader = "ICU", .left_out = "as in CSV"},
    {"SRT", ".srt", DECODED, .reader = "ICU", .left_out = "numbers, times, tags",
     .read = trib_subtitles_text, .decoder = "subtitles"},
    {"WebVTT", ".vtt", DECODED, .magic = {"WEBVTT"}, .reader = "ICU",
     .left_out = "as in SRT; speakers, settings, comments", .read = trib_subtitles_text,
     .decoder = "subtitles"},
    {"OpenITI", ".openiti", MARKED, .left_out = "header, page numbers, milestones, tags"},
    {"mandoku", ".mandoku", MARKED, .left_out = "header, page marks"},
    {"WikiExtractor", ".wikiextractor", MARKED, .left_out = "the tags around each text"},
    {"TREC", ".trec", MARKED, .left_out = "all but the elements TEXT"},
    {"Aozora", ".aozora", MARKED,
     .left_out = "the list of signs, ruby, notes of the typist, colophon"},
    {"CoNLL-U", ".conllu .conll", MARKED, .left_out = "all but the forms of the words"},
    {"vertical", ".vrt .vert .tt", MARKED, .left_out = "tags, and all columns but the first"},
    {"JSON", ".json", SEVERAL, .reader = "jansson",
     .left_out = "as in JSON-Lines; all but objects with a text, in arrays or by their ids"},
    {"Beta-Code", ".beta", REFUSED, .left_out = "Beta Code is not read",
     .remedy = "convert it to Greek letters (UTF-8), as beta2unicode does"},
    {"DOC", ".doc .dot", REFUSED, .magic = {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"},
     .left_out = "DOC is not read", .remedy = CONVERT_DOCUMENT},
    {"MOBI", ".mobi .azw .azw3 .prc .kfx", REFUSED, .magic = {"BOOKMOBI"}, .at = 60,
     .left_out = "MOBI is not read", .remedy = CONVERT_BOOK},
    {.name = NULL},
};

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

const trib_text_format *trib_text_format_marked(const char *first, size_t n, const char *encoding) {
    const char *name = trib_marked_name(first, n, encoding);
    const trib_text_format *row = trib_text_formats;
    while (name && strcmp(row->name, name) != 0) row++;
    return name ? row : NULL;
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
    const trib_text_format *format = trib_text_formats;
    while (format->name && strcmp(format->name, name) != 0) format++;
    if (status != TRIB_OK || !format->read) return status;
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
    } pages[] = {
        {"windows-1252", {"\u00C3", "\u00E2\u20AC", "\u00D0", "\u00CE", "\u00D8", "\u00D7"}},
        {"ISO-8859-1",
         {"\u00C3", "\u00E2\xC2\x80", "\u00D0", "\u00CE", "\u00D8", "\u00E0\u00A4",
          "\u00E3\xC2\x81"}},
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
