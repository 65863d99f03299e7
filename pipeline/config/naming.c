/* naming.c - makes ids and titles from file names. An id is as short as possible: the name without
 * its extension. When two documents would have the same id, those made from file names become
 * longer: with the extension, with the folders, or with the code points of characters that an id
 * cannot contain. A title is the unchanged name. */
#include "pipeline/config/documents.h"

#include <stdlib.h>
#include <string.h>

/* The parts of an id, shortest form first. */
static const struct {
    bool ending, folders, codes;
} forms[] = {{false, false, false}, {true, false, false}, {false, true, false},
             {true, true, false},   {false, false, true}, {true, true, true}};
enum { N_FORMS = sizeof forms / sizeof *forms };

bool trib_listing_longer(trib_listed *listed) {
    if (listed->form + 1U >= N_FORMS) return false;
    listed->form++;
    return true;
}

/* Length of a name without its extension. A number is not an extension ("GFDL-1.2"). */
static size_t stem_of(const char *name) {
    const char *slash = strrchr(name, '/');
    const char *last = slash ? slash + 1 : name, *dot = strrchr(last, '.');
    const bool is_number = dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")];
    return dot && dot > last && !is_number ? (size_t)(dot - name) : strlen(name);
}

const char *trib_id_why_not(const char *id) {
    static const struct {
        const char *id, *why;
    } reserved[] = {{"author", "it means the part that no source explains"},
                    {"formula", "it means the part that very many documents hold"},
                    {"all", "it means every document"},
                    {".", "it is the name of a folder"},
                    {"..", "it is the name of a folder"}};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(id, reserved[i].id) == 0) return reserved[i].why;
    return strlen(id) > TRIB_ID_MOST ? "it is longer than 200 bytes" : NULL;
}

trib_status trib_listing_make_id(char **id, const char *file, trib_error *error) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    trib_buffer text = {0};
    if (strcmp(file, "-") == 0) name = "standard-input";
    const trib_status status =
        trib_id_add(&text, (trib_id_from){name, stem_of(name), false}, error);
    *id = text.text;
    return status;
}

/* Makes the id of a document in its current form, and its title when none was given. */
static trib_status name_once(trib_listed *listed, trib_error *error) {
    trib_corpus_document *document = &listed->about;
    const char *file = document->file;
    const char *name = file + (forms[listed->form].folders ? 0 : listed->name_at);
    trib_buffer id = {0}, title = {0};
    if (strcmp(file, "-") == 0) name = "standard-input";
    const size_t length = forms[listed->form].ending ? strlen(name) : stem_of(name);
    trib_status status = TRIB_OK;
    if (listed->before) status = trib_buffer_print(&id, error, "%s.", listed->before);
    if (status == TRIB_OK && listed->before)
        status = trib_buffer_print(&title, error, "%s.", listed->before);
    if (status == TRIB_OK)
        status = trib_id_add(&id, (trib_id_from){name, length, forms[listed->form].codes}, error);
    if (status == TRIB_OK) status = trib_buffer_add(&title, name, length, error);
    trib_free(document->id);
    document->id = id.text;
    if (!listed->has_title) {
        trib_free(document->title);
        document->title = title.text;
    } else trib_buffer_release(&title);
    return status;
}

trib_status trib_listing_name(trib_listed *listed, trib_error *error) {
    trib_corpus_document *document = &listed->about;
    trib_buffer id = {0};
    trib_status status = name_once(listed, error);
    while (status == TRIB_OK && trib_id_why_not(document->id) && trib_listing_longer(listed))
        status = name_once(listed, error);
    if (status != TRIB_OK || !trib_id_why_not(document->id)) return status;
    status = trib_buffer_print(&id, error, "%.*s_", TRIB_ID_MOST - 1, document->id);
    trib_free(document->id);
    document->id = id.text;
    return status;
}

/* ---- Two of a name --------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b) {
    const trib_listed *p = a, *q = b;
    const int order = strcmp(p->about.id, q->about.id);
    if (order != 0) return order;
    if (p->place.line != q->place.line) return p->place.line < q->place.line ? -1 : 1;
    if (p->place.column != q->place.column) return p->place.column < q->place.column ? -1 : 1;
    return strcmp(p->about.file ? p->about.file : "", q->about.file ? q->about.file : "");
}

/* Whether all of [from, to) are the same file, so that no name distinguishes them. */
static bool is_one_file(const trib_listed *item, size_t from, size_t to) {
    for (size_t i = from + 1; i < to; i++)
        if (!item[i].about.file || !item[from].about.file ||
            strcmp(item[i].about.file, item[from].about.file) != 0)
            return false;
    return true;
}

/* Makes ids longer that several documents share. Sets *any when there was such an id. */
static trib_status lengthen(trib_listing *listing, bool *any, trib_error *error) {
    trib_listed *const item = listing->item;
    trib_status status = TRIB_OK;
    *any = false;
    for (size_t from = 0, to; from < listing->n && status == TRIB_OK; from = to) {
        for (to = from + 1; to < listing->n; to++)
            if (strcmp(item[to].about.id, item[from].about.id) != 0) break;
        if (to == from + 1 || is_one_file(item, from, to)) continue;
        char *same = NULL; /* a copy, since the first document that is renamed frees this id */
        status = trib_copy(&same, item[from].about.id, error);
        for (size_t i = from; i < to && status == TRIB_OK; i++) {
            if (!item[i].is_made) continue;
            while (status == TRIB_OK && strcmp(item[i].about.id, same) == 0 &&
                   trib_listing_longer(&item[i])) {
                status = trib_listing_name(&item[i], error);
                *any = true;
            }
        }
        trib_free(same);
    }
    return status;
}

trib_status trib_listing_tell_apart(trib_listing *listing, trib_error *error) {
    bool any = true;
    trib_status status = TRIB_OK;
    if (listing->n == 0) return TRIB_OK;
    for (int round = 0; any && round <= N_FORMS && status == TRIB_OK; round++) {
        qsort(listing->item, listing->n, sizeof *listing->item, by_id);
        status = lengthen(listing, &any, error);
    }
    qsort(listing->item, listing->n, sizeof *listing->item, by_id);
    return status;
}
