/* naming.c - ids and titles made from the names of files. An id is as short as it can be: the name
 * without its ending. Where two documents would have the same one, those that were made get longer:
 * with the ending, with the folders, and with the codes of the characters an id cannot have. A
 * title is the name as it is. */
#include "pipeline/config/documents.h"
#include "pipeline/support/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char trib_id_characters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

/* What an id is made of, shortest first. */
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

/* Bytes of a name without its ending; a number ("GFDL-1.2") is none. */
static size_t stem_of(const char *name) {
    const char *slash = strrchr(name, '/');
    const char *last = slash ? slash + 1 : name, *dot = strrchr(last, '.');
    const bool is_number = dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")];
    return dot && dot > last && !is_number ? (size_t)(dot - name) : strlen(name);
}

/* The next character as an id has it: itself, '_', or with its code. Returns the bytes it takes in
 * `from`. */
static size_t put_character(char to[16], const char *from, bool codes) {
    size_t n = trib_utf8_length(from, strlen(from));
    if (n == 0) n = 1;
    if (strchr(trib_id_characters, *from)) snprintf(to, 16, "%c", *from);
    else if (!codes || *from == '/') snprintf(to, 16, "_");
    else {
        unsigned code = (unsigned char)*from;
        if (n > 1) code &= 0x7FU >> n;
        for (size_t i = 1; i < n; i++) code = code << 6 | ((unsigned char)from[i] & 0x3F);
        snprintf(to, 16, "_%x", code);
    }
    return n;
}

/* The id of `length` bytes of a name. */
static trib_status make_id(trib_buffer *id, const char *name, size_t length, bool codes,
                           trib_error *error) {
    trib_status status = trib_buffer_add(id, "", 0, error);
    for (size_t i = 0; i < length && status == TRIB_OK;) {
        char piece[16];
        i += put_character(piece, name + i, codes);
        if (id->length + strlen(piece) > TRIB_ID_MOST) break;
        status = trib_buffer_add(id, piece, strlen(piece), error);
    }
    return status;
}

trib_status trib_listing_make_id(char **id, const char *file, trib_error *error) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    trib_buffer text = {0};
    if (strcmp(file, "-") == 0) name = "standard-input";
    const trib_status status = make_id(&text, name, stem_of(name), false, error);
    *id = text.text;
    return status;
}

trib_status trib_listing_name(trib_listed *listed, trib_error *error) {
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
    if (status == TRIB_OK) status = make_id(&id, name, length, forms[listed->form].codes, error);
    if (status == TRIB_OK) status = trib_buffer_add(&title, name, length, error);
    trib_free(document->id);
    document->id = id.text;
    if (!listed->has_title) {
        trib_free(document->title);
        document->title = title.text;
    } else trib_buffer_release(&title);
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

/* Whether all of [from, to) are the same file: no name tells them apart. */
static bool is_one_file(const trib_listed *item, size_t from, size_t to) {
    for (size_t i = from + 1; i < to; i++)
        if (!item[i].about.file || !item[from].about.file ||
            strcmp(item[i].about.file, item[from].about.file) != 0)
            return false;
    return true;
}

/* Makes the ids longer that more than one has; *any says whether there was one. */
static trib_status lengthen(trib_listing *listing, bool *any, trib_error *error) {
    trib_listed *const item = listing->item;
    trib_status status = TRIB_OK;
    *any = false;
    for (size_t from = 0, to; from < listing->n && status == TRIB_OK; from = to) {
        for (to = from + 1; to < listing->n; to++)
            if (strcmp(item[to].about.id, item[from].about.id) != 0) break;
        if (to == from + 1 || is_one_file(item, from, to)) continue;
        char *same = NULL; /* the id itself goes with the first that gets another */
        status = trib_copy_text(&same, item[from].about.id, strlen(item[from].about.id), error);
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
    for (int round = 0; any && round <= N_FORMS && status == TRIB_OK; round++) {
        qsort(listing->item, listing->n, sizeof *listing->item, by_id);
        status = lengthen(listing, &any, error);
    }
    qsort(listing->item, listing->n, sizeof *listing->item, by_id);
    return status;
}
