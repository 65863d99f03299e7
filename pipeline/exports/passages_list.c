/* passages_list.c - goes through the shared passages of a result. */
#include "pipeline/exports/passages_list.h"

#include "pipeline/support/json.h"

/* Visits the passages of a target with one source. */
static trib_status each_of_source(const json_t *target, const json_t *evidence,
                                  trib_passage_visit visit, void *context, trib_error *error) {
    trib_listed_passage one = {.target = trib_json_get_text(target, "target"),
                               .source = trib_json_get_text(evidence, "source")};
    const json_t *passage;
    size_t p;
    trib_status status = TRIB_OK;
    json_array_foreach(json_object_get(evidence, "passages"), p, passage) {
        one.id = trib_json_get_text(passage, "id");
        one.passage = passage;
        status = visit(context, &one, error);
        if (status != TRIB_OK) break;
    }
    return status;
}

trib_status trib_passages_each(const json_t *result, trib_passage_visit visit, void *context,
                               trib_error *error) {
    const json_t *target, *evidence;
    size_t t, e;
    trib_status status = TRIB_OK;
    json_array_foreach(json_object_get(result, "targets"), t, target)
        json_array_foreach(json_object_get(target, "evidence"), e, evidence) if (status == TRIB_OK)
            status = each_of_source(target, evidence, visit, context, error);
    return status;
}

/* The pieces of a quotation are the words before, and in turn shared words and words between them;
 * the last piece is the words after. */
trib_status trib_passage_text(const json_t *side, int part, trib_buffer *text, trib_error *error) {
    const json_t *pieces = json_object_get(side, "text");
    const size_t n = json_array_size(pieces), last = n > 0 ? n - 1 : 0;
    const size_t from = part < 0    ? 0
                        : part == 0 ? 1
                                    : last,
                 to = part < 0    ? 1
                      : part == 0 ? last
                                  : n;
    trib_status status = trib_buffer_print(text, error, "%s", "");
    trib_buffer_clear(text);
    for (size_t i = from; i < to && i < n && status == TRIB_OK; i++) {
        const char *piece = json_string_value(json_array_get(pieces, i));
        status = trib_buffer_print(text, error, "%s", piece ? piece : "");
    }
    return status;
}
