/* parallels.c - possible allusions in influence.json and parallels.tsv: both places of a pair as
 * the files spell them, with the words that they share marked. */
#include <string.h>

#include "pipeline/output/result.h"
#include "pipeline/support/tables.h"
#include "pipeline/support/terminal.h"

static const char *id_of(const trib_run_results *results, uint32_t document) {
    return results->corpus->document[document].about->id;
}

/* The document of the source of a pair. */
static uint32_t source_of(const trib_target_results *target, const trib_allusion *pair) {
    return target->about->source[pair->from];
}

/* Quotes one side of a pair. */
static trib_status make_place(json_t **made, trib_quotes *quotes, const trib_target_results *target,
                              const trib_allusion *pair, bool in_source, trib_error *error) {
    const trib_parallel_unit *unit = in_source ? &pair->source : &pair->target;
    const trib_allusion_word *word = target->allusions->word + pair->first_word;
    uint8_t *marked = NULL;
    trib_status status = trib_new(&marked, unit->n, sizeof *marked, "a quotation", error);
    for (size_t i = 0; status == TRIB_OK && i < pair->n_words; i++)
        marked[(in_source ? word[i].source : word[i].target) - unit->first] = 1;
    if (status == TRIB_OK)
        status = trib_quote_words(made, quotes,
                                  in_source ? source_of(target, pair) : target->about->document,
                                  unit->first, unit->n, marked, error);
    trib_free(marked);
    return status;
}

/* Lists the words that both places share, the rarest first. */
static json_t *make_shared(const trib_allusions *list, const trib_allusion *pair) {
    json_t *shared = json_array();
    for (size_t i = 0; i < pair->n_words; i++) {
        const trib_allusion_word *word = &list->word[pair->first_word + i];
        json_array_append_new(shared, json_pack("{s:s, s:I, s:I, s:I}", "feature",
                                                list->text.text + word->feature, "count",
                                                (json_int_t)word->count, "target_word",
                                                (json_int_t)word->target + 1, "source_word",
                                                (json_int_t)word->source + 1));
    }
    return shared;
}

static trib_status make_pair(json_t **made, trib_quotes *quotes, const trib_target_results *target,
                             size_t i, trib_error *error) {
    const trib_allusion *pair = &target->allusions->pair[i];
    json_t *object = json_object(), *here = NULL, *there = NULL;
    *made = object;
    json_object_set_new(object, "rank", json_integer((json_int_t)i + 1));
    trib_json_set_real(object, "score", pair->score);
    json_object_set_new(object, "source",
                        json_string(id_of(quotes->results, source_of(target, pair))));
    json_object_set_new(object, "shared", make_shared(target->allusions, pair));
    json_object_set_new(object, "distance",
                        pair->n_words > 1 ? json_integer((json_int_t)pair->distance) : json_null());
    trib_json_set_real(object, "cosine", pair->cosine);
    trib_status status = make_place(&here, quotes, target, pair, false, error);
    if (status == TRIB_OK) status = make_place(&there, quotes, target, pair, true, error);
    if (here) json_object_set_new(object, "in_target", here);
    if (there) json_object_set_new(object, "in_source", there);
    return status;
}

trib_status trib_result_add_parallels(json_t *object, trib_quotes *quotes,
                                      const trib_target_results *target, size_t most,
                                      trib_error *error) {
    const size_t n = target->allusions->n;
    json_t *list = json_array();
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < n && i < most && status == TRIB_OK; i++) {
        json_t *pair = NULL;
        status = make_pair(&pair, quotes, target, i, error);
        json_array_append_new(list, pair);
    }
    json_object_set_new(object, "n_parallels", json_integer((json_int_t)n));
    json_object_set_new(object, "parallels", list);
    return status;
}

/* ---- The terminal ---------------------------------------------------------------------------- */

/* Adds a place: its words, and its text with the shared words in brackets. */
static trib_status describe_place(trib_buffer *to, const char *id, const json_t *place,
                                  trib_error *error) {
    char clean[1 << 13];
    trib_buffer text = {0};
    const json_t *pieces = json_object_get(place, "text");
    const long long first = (long long)json_integer_value(json_object_get(place, "first")),
                    words = (long long)json_integer_value(json_object_get(place, "words"));
    trib_status status = trib_buffer_add(&text, "", 0, error);
    for (size_t i = 0; i < json_array_size(pieces) && status == TRIB_OK; i++)
        status = trib_buffer_print(&text, error, i % 2 == 1 ? "[%s]" : "%s",
                                   json_string_value(json_array_get(pieces, i)));
    if (status == TRIB_OK) {
        trib_clean(clean, sizeof clean, text.text, text.length, false);
        status = trib_buffer_print(to, error, "    %s, words %lld to %lld:\n", id, first,
                                   first + words - 1);
    }
    if (status == TRIB_OK && *clean) status = trib_buffer_print(to, error, "      %s\n", clean);
    trib_buffer_release(&text);
    return status;
}

trib_status trib_parallel_describe(trib_buffer *text, const char *target, const json_t *pair,
                                   trib_error *error) {
    const json_t *shared = json_object_get(pair, "shared"),
                 *distance = json_object_get(pair, "distance");
    trib_status status = trib_buffer_print(
        text, error,
        "%lld. score %.2f, shared:", (long long)json_integer_value(json_object_get(pair, "rank")),
        json_real_value(json_object_get(pair, "score")));
    for (size_t i = 0; i < json_array_size(shared) && status == TRIB_OK; i++) {
        const json_t *word = json_array_get(shared, i);
        char clean[256];
        const char *feature = trib_json_get_text(word, "feature");
        trib_clean(clean, sizeof clean, feature, strlen(feature), false);
        status = trib_buffer_print(text, error, "%s %s (%lld)", i > 0 ? "," : "", clean,
                                   (long long)json_integer_value(json_object_get(word, "count")));
    }
    if (status == TRIB_OK && json_is_integer(distance))
        status = trib_buffer_print(text, error, ", distance %lld",
                                   (long long)json_integer_value(distance));
    if (status == TRIB_OK) status = trib_buffer_add(text, "\n", 1, error);
    if (status == TRIB_OK)
        status = describe_place(text, target, json_object_get(pair, "in_target"), error);
    return status == TRIB_OK ? describe_place(text, trib_json_get_text(pair, "source"),
                                              json_object_get(pair, "in_source"), error)
                             : status;
}

/* ---- parallels.tsv --------------------------------------------------------------------------- */

/* Writes the place of a pair in one text: first word, words, first byte, end, text. */
static trib_status write_place(trib_writer *writer, const json_t *place, trib_error *error) {
    static const char *const numbers[] = {"first", "words", "from", "to"};
    const json_t *pieces = json_object_get(place, "text");
    trib_buffer text = {0};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        trib_print(writer, "\t%lld",
                   (long long)json_integer_value(json_object_get(place, numbers[i])));
    trib_write_text(writer, "\t");
    for (size_t i = 0; i < json_array_size(pieces) && status == TRIB_OK; i++)
        status =
            trib_buffer_print(&text, error, "%s", json_string_value(json_array_get(pieces, i)));
    if (text.text) trib_write_tab_cell(writer, text.text);
    trib_buffer_release(&text);
    return status;
}

/* Writes the features as "arma 12; vir 33". */
static void write_shared(trib_writer *writer, const json_t *shared) {
    for (size_t i = 0; i < json_array_size(shared); i++) {
        const json_t *word = json_array_get(shared, i);
        trib_write_text(writer, i > 0 ? "; " : "");
        trib_write_tab_cell(writer, json_string_value(json_object_get(word, "feature")));
        trib_print(writer, " %lld", (long long)json_integer_value(json_object_get(word, "count")));
    }
}

static trib_status write_pair(trib_writer *writer, const char *target, const json_t *pair,
                              trib_error *error) {
    const json_t *distance = json_object_get(pair, "distance");
    trib_print(writer, "%s\t%lld\t", target,
               (long long)json_integer_value(json_object_get(pair, "rank")));
    trib_write_number(writer, json_real_value(json_object_get(pair, "score")));
    trib_print(writer, "\t%s", json_string_value(json_object_get(pair, "source")));
    trib_status status = write_place(writer, json_object_get(pair, "in_target"), error);
    if (status == TRIB_OK) status = write_place(writer, json_object_get(pair, "in_source"), error);
    trib_write_text(writer, "\t");
    write_shared(writer, json_object_get(pair, "shared"));
    trib_write_text(writer, "\t");
    if (json_is_integer(distance))
        trib_print(writer, "%lld", (long long)json_integer_value(distance));
    trib_write_text(writer, "\t");
    trib_write_number(writer, json_real_value(json_object_get(pair, "cosine")));
    trib_write_text(writer, "\n");
    return status;
}

trib_status trib_parallels_write(const void *what, trib_writer *writer, trib_error *error) {
    const trib_run_results *results = what;
    trib_quotes quotes;
    trib_status status = trib_quotes_open(&quotes, results, error);
    trib_write_text(writer, "target\trank\tscore\tsource\ttarget_first\ttarget_words\ttarget_from\t"
                            "target_to\ttarget_text\tsource_first\tsource_words\tsource_from\t"
                            "source_to\tsource_text\tshared\tdistance\tcosine\n");
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        for (size_t i = 0; status == TRIB_OK && i < target->allusions->n; i++) {
            json_t *pair = NULL;
            status = make_pair(&pair, &quotes, target, i, error);
            if (status == TRIB_OK)
                status = write_pair(writer, id_of(results, target->about->document), pair, error);
            json_decref(pair);
        }
    }
    trib_quotes_close(&quotes);
    return status;
}
