/* allusions.c - the possible allusions of a target, which are no part of a share. */
#include <stdint.h>
#include <string.h>

#include "pipeline/output/result.h"
#include "pipeline/summary/page.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

enum { FEW = 5 };

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

/* Adds lines that show a pair. */
static trib_status describe(trib_buffer *text, const char *target, const json_t *pair,
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

json_t *trib_summary_wanted_allusions(const trib_summary_options *options, const json_t *target) {
    const json_t *all = json_object_get(target, "parallels");
    const size_t most = options->top > 0 ? options->top : options->source ? SIZE_MAX : FEW;
    json_t *wanted = json_array();
    for (size_t i = 0; i < json_array_size(all) && json_array_size(wanted) < most; i++) {
        json_t *pair = json_array_get(all, i);
        if (!options->source || strcmp(trib_json_get_text(pair, "source"), options->source) == 0)
            json_array_append(wanted, pair);
    }
    return wanted;
}

void trib_summary_allusions(trib_summary_page *p, const json_t *target) {
    json_t *pairs = trib_summary_wanted_allusions(p->options, target);
    if (json_array_size(pairs) > 0) {
        trib_summary_put(p, "\n");
        trib_summary_wrap(p, 2, trib_summary_dim(p),
                          "possible allusions (a ranking, not shares), the first %zu",
                          json_array_size(pairs));
    }
    for (size_t i = 0; i < json_array_size(pairs) && p->status == TRIB_OK; i++)
        p->status = describe(p->text, trib_json_get_text(target, "target"),
                             json_array_get(pairs, i), p->error);
    json_decref(pairs);
}
