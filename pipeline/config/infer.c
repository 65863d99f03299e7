/* infer.c - what no list says of a document: title, author and date from the header of its TEI or
 * from the properties of its file, and its date from its file name. An archive is read once for the
 * headers of all its members. */
#include <sys/stat.h>

#include "base/internal.h"
#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/text/input.h"
#include "pipeline/text/spool.h"
#include "pipeline/text/tei.h"

const char *trib_from_text(trib_from from) {
    static const char *const texts[] = {"list", "header", "file name", "properties", "text"};
    return texts[from];
}

static bool is_date(const char *text) {
    double year, end;
    return *text && trib_date_read(text, &year, &end);
}

static void set_date(trib_corpus_document *document, trib_from from, const char *text,
                     trib_arena *arena) {
    (void)trib_date_read(text, &document->year, &document->year_end);
    document->date = trib_arena_print(arena, "%s", text);
    document->date_from = from;
}

/* Gives a document what is known of it and what it lacks; `title`: whether it lacks a title. */
static void fill(trib_corpus_document *document, const trib_tei_about *about, trib_from from,
                 bool author, bool title, trib_arena *arena) {
    if (!document->date && *about->date) set_date(document, from, about->date, arena);
    if (author && !document->author && *about->author) {
        document->author = trib_arena_print(arena, "%s", about->author);
        document->author_from = from;
    }
    if (title && *about->title) {
        document->title = trib_arena_print(arena, "%s", about->title);
        document->title_from = from;
    }
}

/* ---- Headers of TEI -------------------------------------------------------------------------- */

void trib_listing_header(trib_listing *listing, trib_listed *listed, const trib_tei_about *about) {
    fill(&listed->about, about, TRIB_FROM_HEADER, true, !listed->has_title, listing->arena);
    listed->has_title = listed->has_title || *about->title;
}

static void release_shelf(trib_tei_shelf *shelf) {
    trib_arena_release(&shelf->arena);
    *shelf = (trib_tei_shelf){0};
}

static trib_status summarise(trib_tei_shelf *shelf, trib_tei_summary *to,
                             const trib_tei_texts *texts, const trib_buffer *first,
                             trib_error *error) {
    const size_t n_header = first->length < TRIB_HEADER_BYTES ? first->length : TRIB_HEADER_BYTES;
    trib_arena *const arena = &shelf->arena;
    trib_tei_about *about = trib_arena_new(arena, texts->n > 0 ? texts->n : 1, sizeof *about);
    const char **around = trib_arena_new(arena, texts->n_around, sizeof *around);
    trib_status status = trib_arena_check(arena, error);
    if (status != TRIB_OK) return status;
    *to = (trib_tei_summary){to->name, about, around, texts->n, texts->n_around};
    for (size_t i = 0; i < texts->n_around; i++) around[i] = trib_tei_texts_around(texts, i);
    if (texts->n == 0 && n_header > 0)
        status = trib_tei_header(about, first->text, n_header, is_date, error);
    for (size_t i = 0; i < texts->n && status == TRIB_OK; i++)
        status = trib_tei_texts_about(texts, i, &about[i], is_date, error);
    return status;
}

/* Keeps a failure other than that a file cannot be read: that is reported when it is read. */
static void keep_failure(trib_tei_shelf *shelf, const trib_error *why) {
    if (why->status != TRIB_OK && why->status != TRIB_INPUT)
        trib_arena_fail(&shelf->arena, why->status, "%s", why->message);
}

/* Adds the summary of a file on disk (`archive` NULL, `name` ""), or of the current member. */
static void add_summary(trib_tei_shelf *shelf, trib_archive *archive, const char *name) {
    trib_tei_texts texts = {0};
    trib_buffer first = {0};
    trib_error why = {0};
    trib_tei_summary *added = trib_arena_append(&shelf->arena, &shelf->item, sizeof *added);
    if (!added) return;
    added->name = trib_arena_print(&shelf->arena, "%s", name);
    trib_status status = archive ? trib_tei_member_open(&texts, &first, archive, name, &why)
                                 : trib_tei_file_open(&texts, &first, shelf->path, &why);
    if (status == TRIB_OK) (void)summarise(shelf, added, &texts, &first, &why);
    trib_tei_texts_close(&texts);
    trib_buffer_release(&first);
    keep_failure(shelf, &why);
}

TRIB_ORDER(by_name, trib_tei_summary, strcmp(x->name, y->name));

/* Reads the files of TEI in an archive, as far as the archive can be read. */
static void fill_shelf(trib_tei_shelf *shelf) {
    trib_archive archive;
    trib_member member = {0};
    trib_error why = {0};
    if (trib_archive_open(&archive, shelf->path, &why) == TRIB_OK) {
        while (shelf->arena.failure.status == TRIB_OK &&
               trib_archive_next(&archive, &member, &why) == TRIB_OK && member.name)
            if (member.is_file && trib_tei_file_is_named(member.name))
                add_summary(shelf, &archive, member.name);
        trib_archive_close(&archive);
    }
    keep_failure(shelf, &why);
    if (shelf->n > 1) qsort(shelf->item, shelf->n, sizeof *shelf->item, by_name);
}

static const trib_tei_summary *find_file(trib_listing *listing, const char *path) {
    struct stat file;
    trib_tei_shelf *shelf = &listing->file;
    if (!shelf->path || strcmp(shelf->path, path) != 0) {
        release_shelf(shelf);
        if (!trib_tei_file_is_named(path) || trib_disk_about(path, &file) != 0 ||
            !S_ISREG(file.st_mode))
            return NULL;
        shelf->path = trib_arena_print(&shelf->arena, "%s", path);
        add_summary(shelf, NULL, "");
        (void)trib_arena_check(&shelf->arena, &listing->arena->failure);
    }
    return shelf->n > 0 ? &shelf->item[0] : NULL;
}

static const trib_tei_summary *find_member(trib_listing *listing, const char *path,
                                           const char *member) {
    const trib_tei_summary wanted = {.name = member};
    trib_tei_shelf *shelf = NULL;
    for (size_t i = 0; i < listing->n_shelves && !shelf; i++)
        if (strcmp(listing->shelf[i].path, path) == 0) shelf = &listing->shelf[i];
    if (!shelf) {
        shelf = trib_arena_append(listing->arena, &listing->shelf, sizeof *shelf);
        if (!shelf) return NULL;
        shelf->path = trib_arena_print(&shelf->arena, "%s", path);
        fill_shelf(shelf);
        (void)trib_arena_check(&shelf->arena, &listing->arena->failure);
    }
    return shelf->n > 0 ? bsearch(&wanted, shelf->item, shelf->n, sizeof *shelf->item, by_name)
                        : NULL;
}

const trib_tei_summary *trib_listing_tei(trib_listing *listing, const char *path,
                                         uint64_t *number) {
    const size_t n_file = trib_address_split(path);
    const char *part = path + n_file + 1; /* where n_file > 0 */
    *number = 0;
    if (n_file == 0) return find_file(listing, path);
    const char *file = trib_arena_copy(listing->arena, path, n_file);
    if (!trib_archive_is_named(file))
        return trib_read_uint(part, number) && *number > 0 ? find_file(listing, file) : NULL;
    size_t n_member = trib_tei_file_split(part);
    if (n_member > 0) (void)trib_read_uint(part + n_member + 1, number);
    if (*number == 0) n_member = strlen(part); /* no text has this number */
    const char *member = trib_arena_copy(listing->arena, part, n_member);
    return trib_tei_file_is_named(member) ? find_member(listing, file, member) : NULL;
}

void trib_listing_close_tei(trib_listing *listing) {
    release_shelf(&listing->file);
    for (size_t i = 0; i < listing->n_shelves; i++) release_shelf(&listing->shelf[i]);
    listing->shelf = NULL;
    listing->n_shelves = 0;
}

/* ---- File names ------------------------------------------------------------------------------ */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Reads digits and the hyphens between them as a date from the year 1000 to 2099: "1843",
 * "1843-03-05", "1843-44", or "18430305". */
static bool read_number(char date[TRIB_DATE_FROM_NAME], const char *at, size_t n) {
    double first, last;
    if (n < 4 || n > 10 || (at[0] != '1' && strncmp(at, "20", 2) != 0)) return false;
    if (n == 8 && !memchr(at, '-', n))
        snprintf(date, TRIB_DATE_FROM_NAME, "%.4s-%.2s-%.2s", at, at + 4, at + 6);
    else snprintf(date, TRIB_DATE_FROM_NAME, "%.*s", (int)n, at);
    if (strcspn(date, "-") != 4) return false;
    return trib_date_years(date, &first, &last) && first >= 1000 && last < 2100;
}

bool trib_date_of_name(char date[TRIB_DATE_FROM_NAME], const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    size_t n_dates = 0;
    bool has_letters = false, is_whole = false;
    for (size_t i = 0, n; i < length; i += n) {
        n = 1;
        has_letters = has_letters || is_letter(name[i]);
        if (!is_digit(name[i]) || (i > 0 && is_letter(name[i - 1]))) continue;
        while (i + n < length && (is_digit(name[i + n]) ||
                                  (name[i + n] == '-' && i + n + 1 < length && /* not at the end */
                                   is_digit(name[i + n + 1]))))
            n++;
        char found[TRIB_DATE_FROM_NAME];
        if ((i + n < length && is_letter(name[i + n])) || !read_number(found, name + i, n))
            continue;
        if (n_dates++ == 0) strcpy(date, found);
        is_whole = strlen(found) == 10;
    }
    /* a number alone, such as "1342.txt", may be that of the text in a library */
    return n_dates == 1 && (has_letters || is_whole);
}

/* ---- Properties ------------------------------------------------------------------------------ */

/* Reads the properties of the file of a document; there are none when it cannot be read, which is
 * reported when its words are read. */
static void read_properties(trib_tei_about *about, const trib_corpus_document *document,
                            trib_spool_of_texts *spool, trib_arena *arena) {
    trib_byte_source source = {0};
    trib_buffer bytes = {0};
    trib_error why = {0};
    char first[5] = "";
    size_t n = 0;
    *about = (trib_tei_about){0};
    trib_status status = trib_byte_source_open(&source, document->path, spool, &why);
    if (status == TRIB_OK) status = trib_reader_peek(&source.reader, first, sizeof first, &n, &why);
    const bool has_some =
        n == sizeof first && (memcmp(first, "PK\3\4", 4) == 0 || memcmp(first, "%PDF-", 5) == 0);
    if (status == TRIB_OK && has_some) status = trib_reader_all(&source.reader, &bytes, &why);
    if (status == TRIB_OK && bytes.length > 0)
        status = trib_file_properties(
            about, (trib_markup_bytes){document->path, bytes.text, bytes.length}, is_date, &why);
    trib_byte_source_close(&source);
    trib_buffer_release(&bytes);
    if (status == TRIB_MEMORY) trib_arena_fail(arena, status, "%s", why.message);
}

static bool has_file(const trib_corpus_document *document) {
    return document->file && document->path && strcmp(document->file, "-") != 0;
}

void trib_document_name_date(trib_corpus_document *document, trib_arena *arena) {
    char date[TRIB_DATE_FROM_NAME];
    if (has_file(document) && !document->date && trib_date_of_name(date, document->file))
        set_date(document, TRIB_FROM_FILE_NAME, date, arena);
}

trib_status trib_documents_infer(trib_config *config, bool is_all, trib_error *error) {
    TRIB_OPENED(trib_spool_of_texts) spool = {0};
    trib_arena *const arena = &config->arena;
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < config->corpus.n_documents && status == TRIB_OK; d++) {
        trib_corpus_document *document = &config->corpus.document[d];
        trib_document_name_date(document, arena);
        if (has_file(document) && (is_all || !document->date))
            status = trib_spool_of_texts_add(&spool, document->path, error);
    }
    trib_spool_of_texts_arrange(&spool);
    for (uint32_t d = 0; d < config->corpus.n_documents && status == TRIB_OK; d++) {
        trib_corpus_document *document = &config->corpus.document[d];
        trib_tei_about about;
        if (!has_file(document) || (!is_all && document->date)) continue;
        read_properties(&about, document, &spool, arena);
        fill(document, &about, TRIB_FROM_PROPERTIES, is_all,
             is_all && document->title_from == TRIB_FROM_FILE_NAME, arena);
        status = trib_arena_check(arena, error);
    }
    return status == TRIB_OK ? trib_arena_check(arena, error) : status;
}
