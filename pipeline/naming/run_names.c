/* run_names.c - finds a text of a finished run by its names. */
#include "pipeline/naming/run_names.h"

#include <stdio.h>

#include "pipeline/naming/called.h"
#include "pipeline/support/path.h"

/* A list of objects that have an id, and the documents that say what they are called. */
typedef struct called {
    const json_t *list;
    const char *key; /* of the id */
    trib_json_index documents;
} called;

static trib_called called_at(const void *of, size_t i) {
    const called *c = of;
    const char *id = trib_json_get_text(json_array_get(c->list, i), c->key);
    const json_t *document = trib_json_index_find(&c->documents, id);
    return (trib_called){id, trib_json_get_text(document, "title"),
                         trib_json_get_text(document, "file")};
}

/* Says that the name of a target is needed. */
static trib_status ask(const trib_called_list *list, const char *run, trib_error *error) {
    trib_buffer ids = {0};
    trib_status status = trib_called_print(list, NULL, NULL, &ids, error);
    if (status == TRIB_OK)
        status = trib_fail(error, TRIB_USAGE, "%s has %zu targets; name one of: %s", run, list->n,
                           ids.text ? ids.text : "");
    trib_buffer_release(&ids);
    return status;
}

/* Finds an object of the list `key` by the name of its document, whose id is its member `of`. */
static trib_status find(const json_t *result, const char *key, const char *of, const char *run,
                        const char *name, const char **id, trib_error *error) {
    called c = {.list = json_object_get(result, key), .key = of};
    char what[TRIB_PATH_MAX + 32];
    snprintf(what, sizeof what, "a %s of %s", *key == 't' ? "target" : "text", run);
    const trib_called_list list = {json_array_size(c.list), called_at, &c, what};
    size_t place = 0;
    trib_status status =
        trib_json_index_open(&c.documents, json_object_get(result, "documents"), error);
    if (status == TRIB_OK && !name && list.n != 1) status = ask(&list, run, error);
    else if (status == TRIB_OK && name) status = trib_called_find(&list, name, &place, error);
    trib_json_index_close(&c.documents);
    *id = status == TRIB_OK ? trib_json_get_text(json_array_get(c.list, place), of) : NULL;
    return status;
}

trib_status trib_result_find_target(const json_t *result, const char *run, const char *name,
                                    const char **id, trib_error *error) {
    return find(result, "targets", "target", run, name, id, error);
}

static trib_called target_at(const void *of, size_t i) {
    const trib_result *result = of;
    const char *id = result->targets.item[i].id;
    const trib_document_record *document = trib_result_document_of(result, id);
    return (trib_called){id, document ? document->title : "", document ? document->file : ""};
}

trib_status trib_result_find_target_of(const trib_result *result, const char *run, const char *name,
                                       const char **id, trib_error *error) {
    char what[TRIB_PATH_MAX + 32];
    snprintf(what, sizeof what, "a target of %s", run);
    const trib_called_list list = {result->targets.n, target_at, result, what};
    size_t place = 0;
    trib_status status = TRIB_OK;
    if (!name && list.n != 1) status = ask(&list, run, error);
    else if (name) status = trib_called_find(&list, name, &place, error);
    *id = status == TRIB_OK ? result->targets.item[place].id : NULL;
    return status;
}

static trib_called document_at(const void *of, size_t i) {
    const trib_document_record *const document = &((const trib_result *)of)->documents.item[i];
    return (trib_called){document->id, document->title, document->file};
}

trib_status trib_result_find_document_of(const trib_result *result, const char *run,
                                         const char *name, const char **id, trib_error *error) {
    char what[TRIB_PATH_MAX + 32];
    size_t place = 0;
    *id = NULL;
    if (!name) return TRIB_OK;
    snprintf(what, sizeof what, "a text of %s", run);
    const trib_called_list list = {result->documents.n, document_at, result, what};
    const trib_status status = trib_called_find(&list, name, &place, error);
    if (status == TRIB_OK) *id = result->documents.item[place].id;
    return status;
}

trib_status trib_result_find_document(const json_t *result, const char *run, const char *name,
                                      const char **id, trib_error *error) {
    *id = NULL;
    return name ? find(result, "documents", "id", run, name, id, error) : TRIB_OK;
}
