/* called.c - finds the document that a person means by an id, a title, the name of a file, or the
 * beginning of one of these. */
#include "pipeline/support/called.h"

#include <string.h>

#include "pipeline/support/guess.h"
#include "pipeline/support/ids.h"

/* How well a name fits a document, the best first. */
typedef enum {
    ID,
    TITLE,
    FILE_NAME,
    ID_FOLDED,
    TITLE_FOLDED,
    FILE_FOLDED,
    START,
    START_FOLDED,
    NO
} fit;

/* ---- One document ---------------------------------------------------------------------------- */

static const char *last_part(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Whether a text ends with an address, at the beginning of one of its folders. */
static bool ends_in_address(const char *text, size_t n_text, const char *address, size_t n) {
    return n <= n_text && memcmp(text + n_text - n, address, n) == 0 &&
           (n == n_text || text[n_text - n - 1] == '/');
}

/* Whether a name is that of a file, with or without the ending of the file. Either may have folders
 * that the other has not. */
static bool is_of_file(const char *name, const char *file) {
    const char *dot = strrchr(last_part(file), '.');
    const size_t n_name = strlen(name), n_file = strlen(file),
                 n_stem = dot && dot > last_part(file) ? (size_t)(dot - file) : n_file;
    return ends_in_address(file, n_file, name, n_name) ||
           ends_in_address(file, n_stem, name, n_name) ||
           ends_in_address(name, n_name, file, n_file) ||
           ends_in_address(name, n_name, file, n_stem);
}

static bool begins(const char *text, const char *name) {
    return strncmp(text, name, strlen(name)) == 0;
}

/* How a name fits; `folded`: the name and what the document is called are folded. */
static fit fit_of(const trib_called *called, const char *name, bool folded) {
    if (strcmp(called->id, name) == 0) return folded ? ID_FOLDED : ID;
    if (strcmp(called->title, name) == 0) return folded ? TITLE_FOLDED : TITLE;
    if (is_of_file(name, called->file)) return folded ? FILE_FOLDED : FILE_NAME;
    return begins(called->id, name) || begins(called->title, name) ||
                   begins(last_part(called->file), name)
               ? (folded ? START_FOLDED : START)
               : NO;
}

static trib_status folded_fit(const trib_called *called, const char *name, fit *how,
                              trib_error *error) {
    char *id = NULL, *title = NULL, *file = NULL;
    trib_status status = trib_name_folded(&id, called->id, error);
    if (status == TRIB_OK) status = trib_name_folded(&title, called->title, error);
    if (status == TRIB_OK) status = trib_name_folded(&file, called->file, error);
    if (status == TRIB_OK) *how = fit_of(&(trib_called){id, title, file}, name, true);
    TRIB_FREE(id, title, file);
    return status;
}

/* ---- All documents --------------------------------------------------------------------------- */

/* A search for one name. */
typedef struct search {
    const trib_called_list *list;
    const char *name;
    char *folded;        /* the name */
    unsigned char *fits; /* [list->n] the best fit of each, a `fit` */
    size_t n[NO + 1];    /* of each fit: documents */
    size_t first[NO + 1];
    fit best;
} search;

static trib_called called_at(const search *s, size_t i) {
    trib_called called = s->list->at(s->list->of, i);
    if (!called.title) called.title = "";
    if (!called.file) called.file = "";
    return called;
}

static void note(search *s, size_t i, fit how) {
    if (s->n[how]++ == 0) s->first[how] = i;
    s->fits[i] = (unsigned char)how;
    if (how < s->best) s->best = how;
}

/* Compares the name with all documents as it is written, then folded where it is not exact. */
static trib_status compare(search *s, trib_error *error) {
    const char *name = strncmp(s->name, "./", 2) == 0 ? s->name + 2 : s->name;
    trib_status status = TRIB_NEW(&s->fits, s->list->n, "documents", error);
    if (status == TRIB_OK) status = trib_name_folded(&s->folded, name, error);
    s->best = NO;
    for (size_t i = 0; status == TRIB_OK && *name && i < s->list->n; i++) {
        const trib_called called = called_at(s, i);
        note(s, i, fit_of(&called, name, false));
    }
    for (size_t i = 0; status == TRIB_OK && *name && s->best > FILE_NAME && i < s->list->n; i++) {
        const trib_called called = called_at(s, i);
        fit how = NO;
        status = folded_fit(&called, s->folded, &how, error);
        if (how < s->fits[i]) note(s, i, how);
    }
    return status;
}

static bool is_best(const void *context, size_t i) {
    const search *s = context;
    return s->fits[i] == s->best;
}

trib_status trib_called_print(const trib_called_list *list,
                              bool (*is_in)(const void *context, size_t i), const void *context,
                              trib_buffer *out, trib_error *error) {
    enum { SHOWN = 20, BYTES = 800 };
    size_t n = 0, n_shown = 0, n_bytes = 0;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < list->n && status == TRIB_OK; i++) {
        if (is_in && !is_in(context, i)) continue;
        const char *id = list->at(list->of, i).id;
        n_bytes += strlen(id) + 2;
        if (n++ == n_shown && n_shown < SHOWN && n_bytes < BYTES) {
            status = trib_buffer_print(out, error, "%s%s", n_shown > 0 ? ", " : "", id);
            n_shown++;
        }
    }
    return status == TRIB_OK && n > n_shown
               ? trib_buffer_print(out, error, " and %zu more", n - n_shown)
               : status;
}

/* Says that no document has the name: with the most similar name, otherwise with all ids. */
static trib_status fail_with_none(const search *s, trib_error *error) {
    trib_guess guess = {.word = s->name};
    trib_buffer ids = {0};
    for (size_t i = 0; i < s->list->n; i++) {
        const trib_called called = called_at(s, i);
        trib_guess_try(&guess, called.id);
        trib_guess_try(&guess, called.title);
        trib_guess_try(&guess, last_part(called.file));
    }
    trib_status status = trib_called_print(s->list, NULL, NULL, &ids, error);
    if (status == TRIB_OK)
        status = trib_fail(error, TRIB_USAGE, "'%.200s' is not %s%s%s", s->name, s->list->what,
                           *guess.best      ? trib_guess_hint(&guess)
                           : ids.length > 0 ? "; write one of: "
                                            : "",
                           *guess.best || ids.length == 0 ? "" : ids.text);
    trib_buffer_release(&ids);
    return status;
}

static trib_status fail_with_several(const search *s, trib_error *error) {
    trib_buffer ids = {0};
    trib_status status = trib_called_print(s->list, is_best, s, &ids, error);
    if (status == TRIB_OK)
        status = trib_fail(error, TRIB_USAGE, "'%.200s' fits %zu documents; write one of: %s",
                           s->name, s->n[s->best], ids.text);
    trib_buffer_release(&ids);
    return status;
}

trib_status trib_called_find(const trib_called_list *list, const char *name, size_t *found,
                             trib_error *error) {
    search s = {.list = list, .name = name};
    trib_status status = compare(&s, error);
    *found = 0;
    if (status == TRIB_OK && s.best == NO) status = fail_with_none(&s, error);
    else if (status == TRIB_OK && s.n[s.best] > 1) status = fail_with_several(&s, error);
    else if (status == TRIB_OK) *found = s.first[s.best];
    TRIB_FREE(s.folded, s.fits);
    return status;
}
