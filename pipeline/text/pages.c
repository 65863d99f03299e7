/* pages.c - the pages of one text that lie in a folder or an archive, a file each: an export of
 * HathiTrust, kraken or Transkribus, whose names say their order. Pictures are no pages, and of the
 * texts of different kinds, such as a page as ALTO and as plain text, the most frequent kind is
 * read. METS, which names the pages, needs none of this (mets.c). */
#include <ctype.h>
#include <errno.h>

#include "base/internal.h"
#include "base/system.h"
#include "pipeline/text/input.h"
#include "pipeline/text/text_formats.h"

bool trib_pages_are_named(const char *path) {
    char file[4096];
    const size_t n = strlen(path);
    if (n < 2 || n >= sizeof file || path[n - 1] != '/') return false;
    snprintf(file, sizeof file, "%.*s", (int)(n - 1), path);
    return trib_disk_is_folder(file) || (trib_archive_is_named(file) && trib_disk_is_file(file));
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* Compares names as people order them: a number by its value. */
static int natural(const char *a, const char *b) {
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0"), b += strspn(b, "0");
            const size_t n_a = strspn(a, "0123456789"), n_b = strspn(b, "0123456789");
            const int order = n_a != n_b ? (n_a > n_b) - (n_a < n_b) : strncmp(a, b, n_a);
            if (order != 0) return order;
            a += n_a, b += n_b;
        } else if (*a++ != *b++) return (unsigned char)a[-1] - (unsigned char)b[-1];
    }
    return (*a != '\0') - (*b != '\0');
}

static int by_name(const void *a, const void *b) {
    const char *one = ((const trib_mets_page *)a)->file, *other = ((const trib_mets_page *)b)->file;
    const int order = natural(one, other);
    return order != 0 ? order : strcmp(one, other);
}

static const char *const kinds[] = {".xml", ".hocr", ".html .htm .xhtml", ".txt .text .asc"};
enum { N_KINDS = sizeof kinds / sizeof *kinds, DEPTH_MOST = 8 };

static size_t kind_of(const char *name) {
    size_t k = 0;
    while (k < N_KINDS && !trib_name_ends(name, strlen(name), kinds[k])) k++;
    return k;
}

static trib_status add_name(trib_mets *pages, const char *folder, const char *name,
                            trib_error *error) {
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    if (kind_of(name) == N_KINDS || *last == '.' || strncmp(name, "__MACOSX/", 9) == 0)
        return TRIB_OK;
    trib_buffer file = {0};
    trib_status status = TRIB_GROW(&pages->page, &pages->cap, pages->n + 1, "pages", error);
    if (status == TRIB_OK) status = trib_buffer_print(&file, error, "%s%s", folder, name);
    if (status == TRIB_OK) pages->page[pages->n++] = (trib_mets_page){.file = file.text};
    return status;
}

static trib_status list_folder(trib_mets *pages, const char *folder, unsigned depth,
                               trib_error *error) {
    TRIB_OWNED(trib_arena) arena = {0};
    trib_names here = {0};
    trib_status status = TRIB_OK;
    if (!trib_disk_list(folder, &here, &arena) && arena.failure.status == TRIB_OK)
        status = trib_fail(error, TRIB_INPUT, "%s: cannot be listed: %s", folder, strerror(errno));
    for (size_t i = 0; i < here.n && status == TRIB_OK; i++) {
        const char *inner = trib_arena_print(&arena, "%s%s/", folder, here.name[i]);
        if (arena.failure.status != TRIB_OK) break;
        if (trib_disk_is_folder(inner)) {
            if (depth < DEPTH_MOST && here.name[i][0] != '.')
                status = list_folder(pages, inner, depth + 1, error);
        } else status = add_name(pages, folder, here.name[i], error);
    }
    return status == TRIB_OK ? trib_arena_check(&arena, error) : status;
}

static trib_status list_archive(trib_mets *pages, const char *path, const char *file,
                                trib_error *error) {
    TRIB_OPENED(trib_archive) archive = {0};
    trib_member member = {0};
    trib_status status = trib_archive_open(&archive, file, error);
    if (status != TRIB_OK) return status;
    while ((status = trib_archive_next(&archive, &member, error)) == TRIB_OK && member.name)
        if (member.is_file && (status = add_name(pages, path, member.name, error)) != TRIB_OK)
            break;
    return status;
}

/* Whether two names differ only after their last dot. */
static bool is_same_page(const char *a, const char *b) {
    const size_t n = (size_t)(strrchr(a, '.') - a);
    return (size_t)(strrchr(b, '.') - b) == n && memcmp(a, b, n) == 0;
}

/* Keeps one kind of pages, in their order; of a page that Transkribus has as ALTO and as PAGE the
 * latter. Counts the other files, but for the same pages. */
static void choose(trib_mets *pages) {
    size_t count[N_KINDS] = {0}, best = 0, n = 0;
    bool has_page = false;
    const char *last = NULL;
    for (size_t i = 0; i < pages->n; i++) {
        count[kind_of(pages->page[i].file)]++;
        has_page = has_page || strstr(pages->page[i].file, "/page/");
    }
    for (size_t k = 1; k < N_KINDS; k++)
        if (count[k] > count[best]) best = k;
    if (pages->n > 0) qsort(pages->page, pages->n, sizeof *pages->page, by_name);
    for (size_t i = 0; i < pages->n; i++) {
        char *const file = pages->page[i].file;
        const char *next = i + 1 < pages->n ? pages->page[i + 1].file : NULL;
        if (has_page && strstr(file, "/alto/")) trib_free(file);
        else if (kind_of(file) != best) {
            pages->n_others += !(last && is_same_page(file, last)) &&
                               !(next && kind_of(next) == best && is_same_page(file, next));
            trib_free(file);
        } else pages->page[n++] = pages->page[i], last = file;
    }
    pages->n = n;
}

/* Cites a page by the number at the end of its name, else by its order. */
static void make_label(trib_mets_page *page, size_t order) {
    const char *slash = strrchr(page->file, '/'), *dot = strrchr(slash ? slash : page->file, '.');
    const char *from = dot ? dot : page->file;
    while (from > page->file && isdigit((unsigned char)from[-1])) from--;
    unsigned long long number = dot > from ? strtoull(from, NULL, 10) : 0;
    if (number == 0 || dot - from > 9) number = order;
    snprintf(page->label, sizeof page->label, "page %llu", number);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static trib_status read_folder(trib_mets *pages, trib_buffer *bytes, const char *path,
                               bool follows_links, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < pages->n && status == TRIB_OK; i++) {
        char target[TRIB_CODE_FOLDER];
        trib_mets_page *const page = &pages->page[i];
        if (!follows_links && trib_disk_links_out(path, page->file, target))
            return trib_fail(error, TRIB_INPUT,
                             "%s: is a link to '%s', outside its folder; copy the page there, or "
                             "read it with corpus.links: follow",
                             page->file, target);
        page->from = bytes->length;
        status = trib_read_whole(page->file, bytes, error);
        page->to = bytes->length;
        if (status == TRIB_OK) status = trib_stop_check(error);
        if (status == TRIB_OK && bytes->length > TRIB_UNPACKED_MOST)
            status = trib_fail(error, TRIB_INPUT, "%s: its pages have more than 64 GiB", path);
    }
    return status;
}

static trib_status read_archive(trib_mets *pages, trib_buffer *bytes, const char *path,
                                const char *file, trib_error *error) {
    TRIB_OPENED(trib_archive) archive = {0};
    trib_member member = {0};
    TRIB_OWNED(trib_buffer) name = {0};
    trib_status status = trib_archive_open(&archive, file, error);
    if (status != TRIB_OK) return status;
    while (status == TRIB_OK && (status = trib_archive_next(&archive, &member, error)) == TRIB_OK &&
           member.name) {
        trib_buffer_clear(&name);
        if (!member.is_file) continue;
        status = trib_buffer_print(&name, error, "%s%s", path, member.name);
        const trib_mets_page wanted = {.file = name.text};
        trib_mets_page *page = status == TRIB_OK && pages->n > 0
                                   ? bsearch(&wanted, pages->page, pages->n, sizeof wanted, by_name)
                                   : NULL;
        if (!page) continue;
        page->from = bytes->length;
        status = trib_archive_read(&archive, bytes, error);
        page->to = bytes->length;
    }
    return status;
}

/* Whether the begin of a file of XML is that of a page. */
static bool is_page(const char *at, size_t n) {
    static const char *const roots[] = {"<alto", ":alto", "<PcGts", ":PcGts", "<TEI", "<html"};
    enum { FIRST = 2000 };
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (trib_bytes_hold(at, n < FIRST ? n : FIRST, roots[i])) return true;
    return false;
}

/* Leaves out files of XML that are no pages, and numbers the others. */
static void sort_out(trib_mets *pages, const trib_buffer *bytes) {
    const char *const text = bytes->text ? bytes->text : "";
    size_t n = 0;
    for (size_t i = 0; i < pages->n; i++) {
        trib_mets_page *page = &pages->page[i];
        if (kind_of(page->file) == 0 && !is_page(text + page->from, page->to - page->from)) {
            const char *slash = strrchr(page->file, '/');
            pages->n_others +=
                strcmp(slash, "/metadata.xml") != 0 && strcmp(slash, "/mets.xml") != 0;
            trib_free(page->file);
        } else {
            pages->page[n++] = *page;
            make_label(&pages->page[n - 1], n);
        }
    }
    pages->n = n;
}

trib_status trib_pages_read(trib_mets *pages, trib_buffer *bytes, const char *path,
                            bool follows_links, trib_error *error) {
    TRIB_FREED(char *) file = NULL;
    trib_status status = trib_copy_text(&file, path, strlen(path) - 1, error);
    const bool is_folder = status == TRIB_OK && trib_disk_is_folder(file);
    if (status == TRIB_OK)
        status =
            is_folder ? list_folder(pages, path, 0, error) : list_archive(pages, path, file, error);
    if (status == TRIB_OK) choose(pages);
    if (status == TRIB_OK) status = trib_parts_check(path, "pages", pages->n, error);
    if (status == TRIB_OK && bytes) {
        status = is_folder ? read_folder(pages, bytes, path, follows_links, error)
                           : read_archive(pages, bytes, path, file, error);
        if (status == TRIB_OK) sort_out(pages, bytes);
        if (status == TRIB_OK && pages->n == 0)
            status = trib_fail(error, TRIB_INPUT,
                               "%s: has no page: a file of ALTO, PAGE, TEI, hOCR, HTML or plain "
                               "text for each",
                               path);
    }
    return status;
}
