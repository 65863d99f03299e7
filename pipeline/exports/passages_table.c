/* passages_table.c - the shared passages of influence.json as a table. */
#include "pipeline/exports/passages_list.h"
#include "pipeline/exports/rows.h"
#include "pipeline/support/json.h"

static bool has_passages(const trib_run_results *results) { return results->json != NULL; }

/* Adds a whole number, or an empty cell where the passage has none. */
static void put_member(trib_rows *rows, const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    if (json_is_integer(value)) trib_put_count(rows, (uint64_t)json_integer_value(value));
    else trib_put_nothing(rows, 1);
}

/* The rows and scratch memory. */
typedef struct listing {
    trib_rows *rows;
    trib_buffer text;
} listing;

static trib_status put_side(listing *to, const json_t *side, trib_error *error) {
    static const char *const member[] = {"first", "words", "from", "to"};
    for (size_t i = 0; i < sizeof member / sizeof *member; i++)
        put_member(to->rows, side, member[i]);
    const trib_status status = trib_passage_text(side, 0, &to->text, error);
    if (status == TRIB_OK) trib_put_text(to->rows, to->text.text);
    return status;
}

static trib_status put_passage(void *context, const trib_listed_passage *one, trib_error *error) {
    listing *to = context;
    trib_put_text(to->rows, one->id);
    trib_put_text(to->rows, one->target);
    trib_put_text(to->rows, one->source);
    put_member(to->rows, one->passage, "shared");
    trib_put_number(to->rows, trib_json_get_number(one->passage, "mass"));
    trib_status status = put_side(to, json_object_get(one->passage, "target"), error);
    if (status == TRIB_OK) status = put_side(to, json_object_get(one->passage, "source"), error);
    if (status == TRIB_OK) trib_end_row(to->rows);
    return status;
}

static trib_status write_passages(const trib_run_results *results, trib_rows *rows,
                                  trib_error *error) {
    listing to = {.rows = rows};
    const trib_status status = trib_passages_each(results->json, put_passage, &to, error);
    trib_buffer_release(&to.text);
    return status;
}

const trib_table trib_table_passages = {"passages",
                                        {{"id", TRIB_CELL_TEXT},
                                         {"target", TRIB_CELL_TEXT},
                                         {"source", TRIB_CELL_TEXT},
                                         {"shared", TRIB_CELL_COUNT},
                                         {"mass", TRIB_CELL_NUMBER},
                                         {"target_first", TRIB_CELL_COUNT},
                                         {"target_words", TRIB_CELL_COUNT},
                                         {"target_from", TRIB_CELL_COUNT},
                                         {"target_to", TRIB_CELL_COUNT},
                                         {"target_text", TRIB_CELL_TEXT},
                                         {"source_first", TRIB_CELL_COUNT},
                                         {"source_words", TRIB_CELL_COUNT},
                                         {"source_from", TRIB_CELL_COUNT},
                                         {"source_to", TRIB_CELL_COUNT},
                                         {"source_text", TRIB_CELL_TEXT}},
                                        has_passages,
                                        write_passages,
                                        false};
