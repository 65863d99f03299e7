/* mets.c - the pages of a text that a METS file lists. Its fileSec lists groups of files: one has
 * the texts of the pages, others their pictures. Its structMap has an element for each page, which
 * names files of several groups. */
#include "pipeline/text/input.h"

#include <ctype.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/internal.h"
#include "pipeline/support/path.h"
#include "pipeline/text/elements.h"

bool trib_mets_begins(const char *first, size_t n) {
    bool is_comment = false;
    for (size_t i = 0; i + 5 < n; i++) {
        if (memcmp(first + i, is_comment ? "-->" : "<!--", is_comment ? 3 : 4) == 0)
            is_comment = !is_comment;
        if (is_comment || first[i] != '<' || !isalpha((unsigned char)first[i + 1])) continue;
        size_t end = i + 1; /* the first element is the root */
        while (end < n && !strchr(" \t\r\n/>", first[end])) end++;
        const size_t length = end - i - 1;
        const char *name = first + end - 4;
        return end < n && length >= 4 && memcmp(name, "mets", 4) == 0 &&
               (length == 4 || name[-1] == ':');
    }
    return false;
}

void trib_mets_release(trib_mets *mets) {
    for (size_t i = 0; i < mets->n; i++) trib_free(mets->page[i].file);
    trib_free(mets->page);
    *mets = (trib_mets){0};
}

typedef struct reading {
    trib_mets *mets;
    const char *name;     /* of the METS file */
    const xmlNode *files; /* fileSec */
    const xmlNode *group; /* whose files are the texts */
    trib_intern id;       /* of these files */
    const xmlNode **file; /* [id.n_words] */
    size_t cap;
} reading;

/* Where a file is, or "". */
static const char *href_of(const xmlNode *file) {
    const xmlNode *at = trib_node_below(file, NULL, "FLocat");
    return at ? trib_node_attribute(at, "href") : "";
}

/* Whether a file is one that pages are read from. */
static bool is_text(const xmlNode *file) {
    const char *href = href_of(file);
    return trib_name_ends(href, strlen(href), ".xml .hocr .html .htm .xhtml");
}

static void choose_group(reading *r) {
    bool is_full = false;
    for (const xmlNode *at = NULL; (at = trib_node_below(r->files, at, "file")) && !is_full;) {
        const xmlNode *group = at->parent;
        while (group && !trib_node_is(group, "fileGrp")) group = group->parent;
        if (!group || !is_text(at)) continue;
        is_full = strcasecmp(trib_node_attribute(group, "USE"), "FULLTEXT") == 0;
        r->group = group;
    }
}

static trib_status add_page(reading *r, const xmlNode *file, const char *label, trib_error *error) {
    trib_mets *mets = r->mets;
    const char *href = href_of(file);
    const unsigned long line = (unsigned long)xmlGetLineNo(file);
    if (strncmp(href, "file://./", 9) == 0) href += 9;
    trib_status status =
        TRIB_GROW(&mets->page, &mets->cap, mets->n + 1, "the pages of a text", error);
    if (status != TRIB_OK) return status;
    trib_mets_page *page = &mets->page[mets->n];
    *page = (trib_mets_page){.line = (uint32_t)line};
    snprintf(page->label, sizeof page->label, "%s", label);
    status = trib_copy(&page->file, href, error);
    if (status != TRIB_OK) return status;
    mets->n++;
    trib_decode_percents(page->file);
    if (strstr(href, "://"))
        return trib_fail(error, TRIB_INPUT,
                         "%s:%lu: the page '%s' is not in the folder of this file; fetch it and "
                         "name it relative to the folder",
                         r->name, line, href);
    if (trib_path_leads_out(page->file))
        return trib_fail(error, TRIB_INPUT,
                         "%s:%lu: the page '%s' leads out of the folder of this file; move it "
                         "there and name it relative to the folder",
                         r->name, line, href);
    return TRIB_OK;
}

/* ---- Pages ----------------------------------------------------------------------------------- */

/* Makes the reference of a page: its printed number where it has one, otherwise its order. */
static void make_label(char label[TRIB_METS_LABEL], const xmlNode *page, size_t order) {
    const char *printed = trib_node_attribute(page, "ORDERLABEL");
    const char *given = trib_node_attribute(page, "ORDER");
    bool has_any = false;
    for (const char *c = printed; *c; c++)
        has_any = has_any || isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80;
    if (has_any && strcasecmp(printed, "uncounted") != 0 && strlen(printed) < 32)
        snprintf(label, TRIB_METS_LABEL, "p. %s", printed);
    else if (*given && strlen(given) < 12) snprintf(label, TRIB_METS_LABEL, "page %s", given);
    else snprintf(label, TRIB_METS_LABEL, "page %zu", order);
}

/* Collects the files of the group by their ids. */
static trib_status list_files(reading *r, trib_error *error) {
    trib_status status = TRIB_OK;
    for (const xmlNode *at = NULL;
         status == TRIB_OK && (at = trib_node_below(r->group, at, "file"));) {
        const char *id = trib_node_attribute(at, "ID");
        const uint32_t n = r->id.n_words;
        uint32_t number = 0;
        if (!is_text(at)) continue;
        status = TRIB_GROW(&r->file, &r->cap, (size_t)n + 1, "pages", error);
        if (status == TRIB_OK) status = trib_intern_add(&r->id, id, strlen(id), &number, error);
        if (status == TRIB_OK && number == n) r->file[n] = at;
    }
    return status;
}

/* Adds the page of each pointer of a structMap that names a file with a text. */
static trib_status add_pages(reading *r, const xmlNode *map, trib_error *error) {
    const xmlNode *at = NULL, *page = NULL;
    size_t n_pages = 0;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && (at = trib_node_below(map, at, NULL))) {
        const char *id = trib_node_attribute(at, "FILEID");
        char label[TRIB_METS_LABEL];
        if (!*id || (!trib_node_is(at, "fptr") && !trib_node_is(at, "area"))) continue;
        const xmlNode *holder = at->parent;
        while (holder != map && !trib_node_is(holder, "div")) holder = holder->parent;
        if (holder != page) page = holder, n_pages++;
        const uint32_t number = trib_intern_find(&r->id, id, strlen(id));
        make_label(label, page, n_pages);
        if (number != UINT32_MAX) status = add_page(r, r->file[number], label, error);
    }
    return status;
}

static const xmlNode *physical_map(const xmlNode *root) {
    const xmlNode *first = NULL;
    for (const xmlNode *at = root->children; at; at = at->next) {
        if (!trib_node_is(at, "structMap")) continue;
        if (strcasecmp(trib_node_attribute(at, "TYPE"), "PHYSICAL") == 0) return at;
        if (!first) first = at;
    }
    return first;
}

static trib_status read_pages(reading *r, const xmlNode *root, trib_error *error) {
    const xmlNode *map = physical_map(root);
    trib_status status = TRIB_OK;
    r->files = trib_node_child(root, "fileSec");
    if (r->files) choose_group(r);
    if (r->group) status = list_files(r, error);
    if (r->group && map && status == TRIB_OK) status = add_pages(r, map, error);
    size_t n = 0;
    if (r->group && !map)
        for (const xmlNode *at = NULL;
             status == TRIB_OK && (at = trib_node_below(r->group, at, "file"));) {
            char label[TRIB_METS_LABEL];
            snprintf(label, sizeof label, "page %zu", ++n);
            if (is_text(at)) status = add_page(r, at, label, error);
        }
    if (status == TRIB_OK) status = trib_parts_check(r->name, "pages", r->mets->n, error);
    if (status != TRIB_OK || r->mets->n > 0) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%s: names no text of a page (ALTO, PAGE or hOCR: .xml, .hocr, .html)",
                     r->name);
}

static trib_status work(void *record, trib_markup_bytes file, trib_error *error) {
    reading r = {.mets = record, .name = file.name};
    trib_status status = trib_html_check_attributes(file, false, error);
    if (status == TRIB_OK && file.length > INT32_MAX)
        status = trib_fail(error, TRIB_INPUT, "%s: is larger than 2 GiB", file.name);
    if (status != TRIB_OK) return status;
    xmlDoc *doc = trib_xml_parse(file.at, file.length, NULL, XML_PARSE_BIG_LINES);
    status = trib_xml_check(doc, file.name, error);
    if (status == TRIB_OK) status = read_pages(&r, xmlDocGetRootElement(doc), error);
    trib_intern_release(&r.id);
    trib_free(r.file);
    if (doc) xmlFreeDoc(doc);
    return status;
}

void trib_mets_pack(trib_pack *pack, void *mets) {
    trib_mets *const m = mets;
    trib_pack_number(pack, &m->page, &m->n, sizeof *m->page, 1, "pages");
    for (size_t i = 0; i < m->n; i++) {
        trib_mets_page *const page = &m->page[i];
        trib_pack_string(pack, &page->file);
        trib_pack_text(pack, page->label, sizeof page->label);
        TRIB_PACK(pack, page->line);
        TRIB_PACK(pack, page->from);
        TRIB_PACK(pack, page->to);
        trib_pack_expect(pack, page->file != NULL);
    }
}

static void release(void *record) { trib_mets_release(record); }

trib_status trib_mets_read(trib_mets *mets, trib_markup_bytes file, trib_error *error) {
    static const trib_apart_work by = {work, NULL, trib_mets_pack, release, sizeof *mets, 0, 0};
    const trib_status status = trib_apart_do(&by, mets, file, error);
    for (size_t i = 0; status == TRIB_OK && i < mets->n; i++)
        if (trib_path_leads_out(mets->page[i].file))
            return trib_fail(error, TRIB_INPUT, "%s: names a page outside its folder", file.name);
    return status;
}

/* ---- The files of the pages ------------------------------------------------------------------ */

/* Reads a file of METS as a whole; *is_mets is false, and nothing is read, for any other. */
static trib_status read_mets(trib_buffer *file, const char *path, trib_reader *reader,
                             bool *is_mets, trib_error *error) {
    enum { FIRST = 4096 };
    char first[FIRST];
    uint64_t size = 0;
    *is_mets = false;
    if (!trib_name_ends(path, strlen(path), ".xml") ||
        trib_reader_size(reader, &size, &(trib_error){0}) != TRIB_OK) /* it is no regular file */
        return TRIB_OK;
    const size_t n = size < FIRST ? (size_t)size : FIRST;
    const trib_status status = trib_reader_at(reader, 0, first, n, error);
    *is_mets = status == TRIB_OK && trib_mets_begins(first, n);
    return *is_mets ? trib_reader_all(reader, file, error) : status;
}

/* Lists the pages of a METS file, with paths as their files. */
static trib_status list_pages(trib_mets *mets, const char *path, const trib_buffer *file,
                              trib_error *error) {
    TRIB_FREED(char *) folder = NULL;
    const trib_markup_bytes bytes = {path, file->text ? file->text : "", file->length};
    trib_status status = trib_mets_read(mets, bytes, error);
    if (status == TRIB_OK) status = trib_path_directory(&folder, path, error);
    for (size_t i = 0; i < mets->n && status == TRIB_OK; i++) {
        char *joined = NULL;
        status = trib_path_join(&joined, folder, mets->page[i].file, error);
        if (status != TRIB_OK) break;
        trib_free(mets->page[i].file);
        mets->page[i].file = joined;
    }
    return status;
}

/* Adds the stamp of a page to that of the pages before it. */
static uint64_t add_stamp(uint64_t stamp, const trib_mets_page *page) {
    const uint64_t both[] = {stamp, trib_address_stamp(page->file)};
    return trib_hash_bytes(both, sizeof both);
}

/* Pages that are named again cost their bytes again. */
typedef struct page_count {
    trib_intern seen; /* device and number of the files so far */
    uint64_t n_mets;  /* bytes of the METS file */
    uint64_t n_again; /* bytes of pages that were named before */
} page_count;

static trib_status count_page(page_count *count, const struct stat *about,
                              const trib_mets_page *page, const char *path, trib_error *error) {
    char key[64];
    uint32_t id = 0;
    const uint32_t n_seen = count->seen.n_words;
    const int n = snprintf(key, sizeof key, "%llx:%llx", (unsigned long long)about->st_dev,
                           (unsigned long long)about->st_ino);
    trib_status status = trib_intern_add(&count->seen, key, (size_t)n, &id, error);
    if (status != TRIB_OK || id == n_seen) return status;
    const uint64_t size = (uint64_t)about->st_size;
    count->n_again += size;
    status = trib_unpacked_check(path, count->n_mets, count->n_again, size, error);
    if (status != TRIB_INPUT) return status;
    return trib_fail(error, TRIB_INPUT,
                     "%s:%u: names the page '%s' again, after %llu MiB of pages that were named "
                     "before; name each page once",
                     path, (unsigned)page->line, page->file,
                     (unsigned long long)(count->n_again >> 20));
}

static trib_status read_page(trib_buffer *bytes, page_count *count, trib_mets_page *page,
                             const char *path, trib_error *error) {
    struct stat about;
    const unsigned line = (unsigned)page->line;
    if (trib_disk_about(page->file, &about) != 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s:%u: the page '%s' is missing; put it there, or remove it from this "
                         "file",
                         path, line, page->file);
    if (!S_ISREG(about.st_mode))
        return trib_fail(error, TRIB_INPUT, "%s:%u: the page '%s' is not a file", path, line,
                         page->file);
    if ((uint64_t)about.st_size > TRIB_UNPACKED_MOST - bytes->length)
        return trib_fail(error, TRIB_INPUT, "%s: its pages have more than 64 GiB", path);
    trib_status status = count_page(count, &about, page, path, error);
    page->from = bytes->length;
    if (status == TRIB_OK) status = trib_read_whole(page->file, bytes, error);
    page->to = bytes->length;
    return status;
}

/* Refuses a page that leads out of the folder of its METS file by a link. */
static trib_status check_page(const trib_mets_page *page, const char *path, trib_error *error) {
    char target[TRIB_CODE_FOLDER], *folder = NULL;
    trib_status status = trib_path_directory(&folder, path, error);
    if (status == TRIB_OK && trib_disk_links_out(folder, page->file, target))
        status = trib_fail(error, TRIB_INPUT,
                           "%s:%u: the page '%s' is a link to '%s', outside '%s'; copy the page "
                           "there, or read it with corpus.links: follow",
                           path, (unsigned)page->line, page->file, target, folder);
    trib_free(folder);
    return status;
}

trib_status trib_byte_source_add_pages(trib_byte_source *source, const char *path,
                                       bool follows_links, trib_error *error) {
    trib_buffer file = {0};
    bool is_mets = false;
    const bool are_named = trib_pages_are_named(path);
    if (source->kind || source->bytes.length > 0 || strcmp(path, "-") == 0) return TRIB_OK;
    trib_status status = are_named
                             ? trib_pages_read(&source->mets, &file, path, follows_links, error)
                             : read_mets(&file, path, &source->reader, &is_mets, error);
    if (status == TRIB_OK && is_mets) status = list_pages(&source->mets, path, &file, error);
    page_count count = {.n_mets = file.length};
    for (size_t i = 0; i < source->mets.n && status == TRIB_OK; i++) {
        source->stamp = add_stamp(source->stamp, &source->mets.page[i]);
        if (are_named) continue;
        if (!follows_links) status = check_page(&source->mets.page[i], path, error);
        if (status == TRIB_OK)
            status = read_page(&file, &count, &source->mets.page[i], path, error);
    }
    trib_intern_release(&count.seen);
    if (status != TRIB_OK || !(is_mets || are_named)) {
        trib_buffer_release(&file);
        return status;
    }
    const char *name = source->reader.name;
    trib_reader_close(&source->reader);
    source->bytes = file;
    trib_reader_memory(&source->reader, name, source->bytes.text, source->bytes.length);
    return TRIB_OK;
}

uint64_t trib_byte_source_stamp(const char *path, bool has_pages) {
    uint64_t stamp = trib_address_stamp(path);
    TRIB_OWNED(trib_mets) mets = {0};
    TRIB_OWNED(trib_buffer) file = {0};
    trib_error unused = {0};
    const bool is_listed =
        has_pages && stamp != 0 &&
        (trib_pages_are_named(path) ? trib_pages_read(&mets, NULL, path, true, &unused)
         : trib_read_whole(path, &file, &unused) == TRIB_OK
             ? list_pages(&mets, path, &file, &unused)
             : TRIB_INPUT) == TRIB_OK;
    if (is_listed)
        for (size_t i = 0; i < mets.n; i++) stamp = add_stamp(stamp, &mets.page[i]);
    return stamp;
}
