/* run_names.c - finds a text of a finished run by its names. */
#include "pipeline/output/run_names.h"

#include <stdio.h>

#include "pipeline/support/names.h"
#include "pipeline/support/path.h"

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

static trib_called target_at(const void *of, size_t i) {
    const trib_result *result = of;
    const char *id = result->targets.item[i].id;
    const trib_document_record *document = trib_result_document_of(result, id);
    return (trib_called){id, document ? document->title : "", document ? document->file : ""};
}

trib_status trib_result_find_target(const trib_result *result, const char *run, const char *name,
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

trib_status trib_result_find_document(const trib_result *result, const char *run, const char *name,
                                      const char **id, trib_error *error) {
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
