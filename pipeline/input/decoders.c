/* decoders.c - the table of decoders, which convert files with markup to text. To support a new
 * format, add a file, a declaration in markup.h and a row here, and remove the format's row in
 * unreadable_formats.c. */
#include "pipeline/input/markup.h"

#include <string.h>
#include <strings.h>

#include "pipeline/input/packing.h"

static const trib_markup_row rows[] = {
    {"PDF", ".pdf", trib_pdf_text, trib_pdf_print_reader},
    {"HTML", ".html", trib_html_page_text, trib_xml_print_reader},
    {"HTML", ".htm", trib_html_page_text, trib_xml_print_reader},
    {"XHTML", ".xhtml", trib_xml_text, trib_xml_print_reader},
    {"XML", ".xml", trib_xml_text, trib_xml_print_reader},
    {"TEI", ".tei", trib_xml_text, trib_xml_print_reader},
    {"EPUB", ".epub", trib_epub_text, trib_xml_print_reader},
};

static bool ends(const char *path, size_t length, const char *ending) {
    const size_t n = strlen(ending);
    return length >= n && strncasecmp(path + length - n, ending, n) == 0;
}

trib_status trib_markup_print_reader(trib_buffer *to, const char *kind, trib_error *error) {
    const char *space = strrchr(kind, ' '), *name = space ? space + 1 : kind;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return rows[i].print_reader(to, error);
    return TRIB_OK;
}

const trib_markup_row *trib_markup_find(const char *path, const unsigned char *first, size_t n) {
    const size_t length = trib_unpacked_name_length(path);
    if (n >= 5 && memcmp(first, "%PDF-", 5) == 0) return rows;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ends(path, length, rows[i].ending)) return &rows[i];
    return NULL;
}
