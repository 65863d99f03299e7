/* header.c - completes a document that is a file of TEI, or a text in one, from its header, where
 * the listing has no title, author or date. An archive is read once for all its members. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pipeline/config/documents.h"
#include "pipeline/text/tei_file.h"

static bool is_date(const char *text) {
    double year, end;
    return *text && trib_date_read(text, &year, &end);
}

static trib_status set(char **to, const char *text, trib_error *error) {
    trib_free(*to);
    *to = NULL;
    return trib_copy(to, text, error);
}

trib_status trib_listing_header(trib_listed *listed, const trib_tei_about *about,
                                trib_error *error) {
    trib_corpus_document *document = &listed->about;
    trib_status status = TRIB_OK;
    if (!listed->has_title && *about->title) {
        listed->has_title = true;
        document->title_from = TRIB_FROM_HEADER;
        status = set(&document->title, about->title, error);
    }
    if (!document->author && *about->author && status == TRIB_OK) {
        document->author_from = TRIB_FROM_HEADER;
        status = set(&document->author, about->author, error);
    }
    if (!document->date && *about->date && status == TRIB_OK) {
        (void)trib_date_read(about->date, &document->year, &document->year_end);
        document->date_from = TRIB_FROM_HEADER;
        status = set(&document->date, about->date, error);
    }
    return status;
}

/* ---- Summaries ------------------------------------------------------------------------------- */

static void release_shelf(trib_tei_shelf *shelf) {
    for (size_t i = 0; i < shelf->n; i++) {
        TRIB_FREE(shelf->item[i].name, shelf->item[i].about, shelf->item[i].around);
    }
    TRIB_FREE(shelf->item, shelf->path);
    *shelf = (trib_tei_shelf){0};
}

static trib_status summarise(trib_tei_summary *to, const trib_tei_texts *texts,
                             const trib_buffer *first, trib_error *error) {
    const size_t n = texts->n > 0 ? texts->n : 1;
    const size_t n_header = first->length < TRIB_HEADER_BYTES ? first->length : TRIB_HEADER_BYTES;
    trib_status status = TRIB_NEW(&to->about, n, "headers", error);
    if (texts->n_around > 0 && status == TRIB_OK)
        status = TRIB_NEW(&to->around, texts->n_around, "names", error);
    if (status != TRIB_OK) return status;
    to->n_texts = texts->n;
    to->n_around = texts->n_around;
    for (size_t i = 0; i < texts->n_around; i++) to->around[i] = trib_tei_texts_around(texts, i);
    if (texts->n == 0)
        return n_header > 0 ? trib_tei_header(to->about, first->text, n_header, is_date, error)
                            : TRIB_OK;
    for (size_t i = 0; i < texts->n && status == TRIB_OK; i++)
        status = trib_tei_texts_about(texts, i, &to->about[i], is_date, error);
    return status;
}

/* Adds the summary of a file on disk (`archive` NULL, `name` ""), or of the current member. A file
 * that cannot be read has none: that is reported when it is read. */
static trib_status add_summary(trib_tei_shelf *shelf, trib_archive *archive, const char *name,
                               trib_error *error) {
    trib_tei_texts texts = {0};
    trib_buffer first = {0};
    trib_error why = {0};
    trib_status status = TRIB_GROW(&shelf->item, &shelf->cap, shelf->n + 1, "files of TEI", error);
    if (status != TRIB_OK) return status;
    trib_tei_summary *added = &shelf->item[shelf->n];
    *added = (trib_tei_summary){0};
    status = trib_copy(&added->name, name, error);
    if (status != TRIB_OK) return status;
    shelf->n++;
    status = archive ? trib_tei_member_open(&texts, &first, archive, name, &why)
                     : trib_tei_file_open(&texts, &first, shelf->path, &why);
    if (status == TRIB_OK) status = summarise(added, &texts, &first, &why);
    trib_tei_texts_close(&texts);
    trib_buffer_release(&first);
    return status == TRIB_OK || status == TRIB_INPUT ? TRIB_OK
                                                     : trib_fail(error, status, "%s", why.message);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const trib_tei_summary *)a)->name, ((const trib_tei_summary *)b)->name);
}

/* Reads the files of TEI in an archive, as far as the archive can be read. */
static trib_status fill_shelf(trib_tei_shelf *shelf, trib_error *error) {
    trib_archive archive;
    trib_member member = {0};
    trib_error why = {0};
    trib_status status = trib_archive_open(&archive, shelf->path, &why);
    if (status == TRIB_OK) {
        while ((status = trib_archive_next(&archive, &member, &why)) == TRIB_OK && member.name)
            if (member.is_file && trib_tei_file_is_named(member.name) &&
                (status = add_summary(shelf, &archive, member.name, &why)) != TRIB_OK)
                break;
        trib_archive_close(&archive);
    }
    if (shelf->n > 1) qsort(shelf->item, shelf->n, sizeof *shelf->item, by_name);
    return status == TRIB_OK || status == TRIB_INPUT ? TRIB_OK
                                                     : trib_fail(error, status, "%s", why.message);
}

/* ---- Finding them ---------------------------------------------------------------------------- */

static trib_status find_file(trib_listing *listing, const char *path,
                             const trib_tei_summary **summary, trib_error *error) {
    struct stat file;
    trib_tei_shelf *shelf = &listing->file;
    trib_status status = TRIB_OK;
    if (!shelf->path || strcmp(shelf->path, path) != 0) {
        release_shelf(shelf);
        if (!trib_tei_file_is_named(path) || stat(path, &file) != 0 || !S_ISREG(file.st_mode))
            return TRIB_OK;
        status = trib_copy(&shelf->path, path, error);
        if (status == TRIB_OK) status = add_summary(shelf, NULL, "", error);
    }
    if (status == TRIB_OK && shelf->n > 0) *summary = &shelf->item[0];
    return status;
}

static trib_status find_member(trib_listing *listing, const char *path, char *member,
                               const trib_tei_summary **summary, trib_error *error) {
    const trib_tei_summary wanted = {.name = member};
    trib_tei_shelf *shelf = NULL;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < listing->n_shelves && !shelf; i++)
        if (strcmp(listing->shelf[i].path, path) == 0) shelf = &listing->shelf[i];
    if (!shelf) {
        status = TRIB_GROW(&listing->shelf, &listing->shelf_cap, listing->n_shelves + 1, "archives",
                           error);
        if (status != TRIB_OK) return status;
        shelf = &listing->shelf[listing->n_shelves++];
        *shelf = (trib_tei_shelf){0};
        status = trib_copy(&shelf->path, path, error);
        if (status == TRIB_OK) status = fill_shelf(shelf, error);
    }
    if (status == TRIB_OK && shelf->n > 0)
        *summary = bsearch(&wanted, shelf->item, shelf->n, sizeof *shelf->item, by_name);
    return status;
}

trib_status trib_listing_tei(trib_listing *listing, const char *path,
                             const trib_tei_summary **summary, uint64_t *number,
                             trib_error *error) {
    trib_buffer file = {0}, member = {0};
    const size_t n_file = trib_address_split(path);
    const char *part = path + n_file + 1; /* where n_file > 0 */
    *summary = NULL;
    *number = 0;
    if (n_file == 0) return find_file(listing, path, summary, error);
    trib_status status = trib_buffer_add(&file, path, n_file, error);
    if (status == TRIB_OK && trib_archive_is_named(file.text)) {
        size_t n_member = trib_tei_file_split(part);
        if (n_member > 0) (void)trib_read_uint(part + n_member + 1, number);
        if (*number == 0) n_member = 0; /* no text has this number */
        status = trib_buffer_add(&member, part, n_member > 0 ? n_member : strlen(part), error);
        if (status == TRIB_OK && member.length > 0 && trib_tei_file_is_named(member.text))
            status = find_member(listing, file.text, member.text, summary, error);
    } else if (status == TRIB_OK && trib_read_uint(part, number) && *number > 0)
        status = find_file(listing, file.text, summary, error);
    trib_buffer_release(&file);
    trib_buffer_release(&member);
    return status;
}

void trib_listing_close_tei(trib_listing *listing) {
    release_shelf(&listing->file);
    for (size_t i = 0; i < listing->n_shelves; i++) release_shelf(&listing->shelf[i]);
    trib_free(listing->shelf);
    listing->shelf = NULL;
    listing->n_shelves = listing->shelf_cap = 0;
}
