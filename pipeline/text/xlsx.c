/* xlsx.c - the text of a workbook, a zip of XML (ECMA-376 part 1, section 18): xl/workbook.xml
 * names the sheets in order, xl/_rels/workbook.xml.rels their files, xl/sharedStrings.xml has the
 * texts of cells, and xl/styles.xml says which numbers are dates. */
#include "pipeline/text/text_formats.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pipeline/text/archive.h"
#include "pipeline/text/sheet.h"

bool trib_xlsx_is_named(const char *path) {
    const size_t n = strlen(path);
    return n > 5 &&
           (strcasecmp(path + n - 5, ".xlsx") == 0 || strcasecmp(path + n - 5, ".xlsm") == 0);
}

#ifdef TRIB_WITH_XML

static trib_status broken(const trib_workbook *book, const char *why, trib_error *error) {
    return trib_fail(error, TRIB_INPUT, "%s: cannot be read as XLSX: %s", book->file.name, why);
}

/* ---- Its files ------------------------------------------------------------------------------- */

/* Parses a member. *doc is NULL when the workbook has none with this name. */
static trib_status open_member(const trib_workbook *book, const char *name, xmlDoc **doc,
                               trib_error *error) {
    trib_archive archive;
    trib_member member = {0};
    trib_buffer bytes = {0};
    trib_status status =
        trib_archive_memory(&archive, book->file.name, book->file.at, book->file.length, error);
    *doc = NULL;
    if (status != TRIB_OK) return status;
    while ((status = trib_archive_next(&archive, &member, error)) == TRIB_OK && member.name) {
        if (!member.is_file || strcmp(member.name, name) != 0) continue;
        status = trib_archive_read(&archive, &bytes, error);
        if (status == TRIB_OK) {
            char shown[512];
            snprintf(shown, sizeof shown, "%s/%.200s", book->file.name, name);
            status = trib_xml_document(
                doc, (trib_markup_bytes){shown, bytes.text ? bytes.text : "", bytes.length}, error);
        }
        break;
    }
    trib_archive_close(&archive);
    trib_buffer_release(&bytes);
    return status;
}

/* The name of the file of a sheet: its id in the workbook leads to the target of a relation. */
static bool find_sheet(const xmlDoc *relations, const char *id, char name[256]) {
    const xmlNode *root = relations ? xmlDocGetRootElement((xmlDoc *)(uintptr_t)relations) : NULL;
    for (const xmlNode *r = NULL; (r = trib_node_below(root, r, "Relationship")) != NULL;) {
        if (strcmp(trib_node_attribute(r, "Id"), id) != 0) continue;
        const char *target = trib_node_attribute(r, "Target");
        snprintf(name, 256, "%s%s", *target == '/' ? "" : "xl/", target + (*target == '/'));
        return true;
    }
    return false;
}

/* ---- The workbook ---------------------------------------------------------------------------- */

static trib_status open_workbook(trib_workbook *book, trib_markup_bytes file, trib_error *error) {
    *book = (trib_workbook){.file = file};
    trib_status status = TRIB_OK;
    if (file.length < 4 || memcmp(file.at, "PK\3\4", 4) != 0)
        return broken(book, "it is no zip archive", error);
    status = open_member(book, "xl/workbook.xml", &book->sheets, error);
    if (status == TRIB_OK && !book->sheets) return broken(book, "it has no xl/workbook.xml", error);
    if (status == TRIB_OK)
        status = open_member(book, "xl/_rels/workbook.xml.rels", &book->relations, error);
    if (status == TRIB_OK)
        status = open_member(book, "xl/sharedStrings.xml", &book->strings, error);
    if (status == TRIB_OK) status = open_member(book, "xl/styles.xml", &book->styles, error);
    return status == TRIB_OK ? trib_workbook_index(book, error) : status;
}

static void close_workbook(trib_workbook *book) {
    xmlDoc *const doc[] = {book->sheets, book->relations, book->strings, book->styles};
    for (size_t i = 0; i < sizeof doc / sizeof *doc; i++)
        if (doc[i]) xmlFreeDoc(doc[i]);
    trib_workbook_release(book);
}

/* Calls `take` for each sheet that is not hidden, or only for the first. */
static trib_status for_sheets(trib_workbook *book, bool is_first_only, trib_sheet_use *take,
                              void *context, trib_error *error) {
    const xmlNode *root = xmlDocGetRootElement(book->sheets);
    trib_status status = TRIB_OK;
    size_t n = 0;
    for (const xmlNode *s = NULL;
         status == TRIB_OK && (s = trib_node_below(root, s, "sheet")) != NULL;) {
        xmlDoc *sheet = NULL;
        char name[256];
        const char *state = trib_node_attribute(s, "state");
        if (strcmp(state, "hidden") == 0 || strcmp(state, "veryHidden") == 0) continue;
        if (!find_sheet(book->relations, trib_node_attribute(s, "id"), name))
            return broken(book, "a sheet has no file", error);
        status = open_member(book, name, &sheet, error);
        if (status == TRIB_OK && !sheet) status = broken(book, "a sheet is missing", error);
        if (status == TRIB_OK) status = take(context, book, xmlDocGetRootElement(sheet), error);
        if (sheet) xmlFreeDoc(sheet);
        n++;
        if (is_first_only) break;
    }
    return status == TRIB_OK && n == 0 ? broken(book, "it has no sheet", error) : status;
}

/* ---- As text, and as a table ----------------------------------------------------------------- */

static trib_status add_text(void *context, const trib_workbook *book, const xmlNode *sheet,
                            trib_error *error) {
    trib_markup_text *to = context;
    const trib_status status = trib_sheet_write(&to->text, book, sheet, '\t', error);
    return status == TRIB_OK ? trib_text_end(&to->text, TRIB_FLOW_PARAGRAPH, error) : status;
}

static trib_status add_table(void *context, const trib_workbook *book, const xmlNode *sheet,
                             trib_error *error) {
    return trib_sheet_write(context, book, sheet, ',', error);
}

trib_status trib_xlsx_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    trib_workbook book;
    trib_status status = open_workbook(&book, file, error);
    if (status == TRIB_OK) status = for_sheets(&book, false, add_text, to, error);
    close_workbook(&book);
    return status;
}

trib_status trib_xlsx_table(trib_buffer *to, trib_markup_bytes file, trib_error *error) {
    trib_workbook book;
    trib_status status = open_workbook(&book, file, error);
    if (status == TRIB_OK) status = for_sheets(&book, true, add_table, to, error);
    close_workbook(&book);
    return status;
}

#else

trib_status trib_xlsx_table(trib_buffer *to, trib_markup_bytes file, trib_error *error) {
    (void)to;
    return trib_fail(error, TRIB_INPUT,
                     "%s: is XLSX, which this build cannot read: install libxml2 (Debian: "
                     "libxml2-dev) and build again, or save it as \"CSV UTF-8\"",
                     file.name);
}

trib_status trib_xlsx_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    return trib_xlsx_table(&to->text, file, error);
}

#endif
