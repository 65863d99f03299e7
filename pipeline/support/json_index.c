/* json_index.c - sorts the objects of a JSON list by their ids, and searches them. */
#include <stdlib.h>
#include <string.h>

#include "pipeline/support/json.h"

static int compare_id(const void *id, const void *item) {
    return strcmp(id, trib_json_get_text(*(const json_t *const *)item, "id"));
}

static int compare_items(const void *a, const void *b) {
    return compare_id(trib_json_get_text(*(const json_t *const *)a, "id"), b);
}

trib_status trib_json_index_open(trib_json_index *index, const json_t *list, trib_error *error) {
    const size_t n = json_array_size(list);
    *index = (trib_json_index){0};
    const trib_status status = TRIB_NEW(&index->item, n, "an index of ids", error);
    if (status != TRIB_OK) return status;
    index->n = n;
    for (size_t i = 0; i < n; i++) index->item[i] = json_array_get(list, i);
    if (n > 1) qsort(index->item, n, sizeof *index->item, compare_items);
    return TRIB_OK;
}

size_t trib_json_index_place(const trib_json_index *index, const char *id) {
    const json_t **found =
        index->n == 0 || !id ? NULL
                             : bsearch(id, index->item, index->n, sizeof *index->item, compare_id);
    return found ? (size_t)(found - index->item) : index->n;
}

const json_t *trib_json_index_find(const trib_json_index *index, const char *id) {
    const size_t place = trib_json_index_place(index, id);
    return place < index->n ? index->item[place] : NULL;
}

const char *trib_json_index_title(const trib_json_index *index, const char *id) {
    const char *title = trib_json_get_text(trib_json_index_find(index, id), "title");
    return *title ? title : id;
}

void trib_json_index_close(trib_json_index *index) {
    trib_free(index->item);
    *index = (trib_json_index){0};
}
