/* find.c - finds the records of a result by their ids, and its texts by their names. */

#include "pipeline/result/result.h"
#include "pipeline/support/names.h"
#include "pipeline/support/path.h"

/* ---- Records by their ids -------------------------------------------------------------------- */

size_t trib_result_target_place(const trib_result *result, const char *id) {
    size_t t = 0;
    while (t < result->targets.n && strcmp(result->targets.item[t].id, id) != 0) t++;
    return t;
}

static int compare_id(const void *id, const void *document) {
    return strcmp(id, (*(const trib_document_record *const *)document)->id);
}

const trib_document_record *trib_result_document_of(const trib_result *result, const char *id) {
    const size_t n = result->documents.n;
    const trib_document_record **const found =
        id && n > 0 ? bsearch(id, result->by_id, n, sizeof *result->by_id, compare_id) : NULL;
    return found ? *found : NULL;
}

const char *trib_result_title(const trib_result *result, const char *id) {
    const trib_document_record *const document = trib_result_document_of(result, id);
    return document && *document->title ? document->title : id;
}

const char *trib_result_setting(const trib_result *result, const char *key) {
    for (size_t i = 0; i < result->configuration.n; i++)
        if (strcmp(result->configuration.item[i].key, key) == 0)
            return result->configuration.item[i].value;
    return "";
}

const char *trib_result_corpus_title(const trib_result *result) {
    const char *const title = trib_result_setting(result, "corpus.title");
    return *title ? title : *result->name ? result->name : "an experiment";
}

const trib_influence_record *trib_target_method(const trib_target_record *target,
                                                const char *name) {
    for (size_t m = 0; m < target->methods.n; m++)
        if (strcmp(target->methods.item[m].method, name) == 0) return &target->methods.item[m];
    return NULL;
}

const trib_influence_record *trib_target_headline(const trib_result *result,
                                                  const trib_target_record *target) {
    return trib_target_method(target, result->headline);
}

const trib_share_record *trib_method_share(const trib_influence_record *method,
                                           const char *source) {
    for (size_t s = 0; method && s < method->shares.n; s++)
        if (strcmp(method->shares.item[s].source, source) == 0) return &method->shares.item[s];
    return NULL;
}

const trib_evidence_record *trib_target_evidence(const trib_target_record *target,
                                                 const char *source) {
    for (size_t e = 0; e < target->evidence.n; e++) {
        const char *const id = target->evidence.item[e].source;
        if (id && strcmp(id, source) == 0) return &target->evidence.item[e];
    }
    return NULL;
}

const trib_group_record *trib_method_group(const trib_influence_record *method, const char *first) {
    for (size_t g = 0; g < method->groups.n; g++) {
        const trib_texts *const members = &method->groups.item[g].members;
        if (members->n > 0 && strcmp(members->item[0], first) == 0) return &method->groups.item[g];
    }
    return NULL;
}

/* ---- Texts by their names -------------------------------------------------------------------- */

/* Says that the name of a target is needed. */
static trib_status ask(const trib_called_list *list, const char *run, trib_error *error) {
    TRIB_OWNED(trib_buffer) ids = {0};
    trib_status status = trib_called_print(list, NULL, NULL, &ids, error);
    if (status == TRIB_OK)
        status = trib_fail(error, TRIB_USAGE, "%s has %zu targets; name one of: %s", run, list->n,
                           ids.text ? ids.text : "");
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
