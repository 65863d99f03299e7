/* command_cite.c - `tributary cite`: what a paper says about a run: a BibTeX entry for the program, and a paragraph of
 * methods with the numbers that matter. */
#include <stdio.h>
#include <string.h>

#include "pipeline/command.h"
#include "pipeline/json.h"
#include "pipeline/result.h"

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

static const json_t *setting(const json_t *result, const char *section, const char *key) {
    return json_object_get(json_object_get(json_object_get(result, "configuration"), section), key);
}

static long long whole(const json_t *value) { return (long long)json_integer_value(value); }

static void write_bibtex(trib_writer *out, const json_t *result) {
    trib_print(out,
               "@software{tributary,\n"
               "  title   = {tributary: which earlier texts flow into this one},\n"
               "  author  = {{The tributary developers}},\n"
               "  version = {%s},\n"
               "  note    = {run %.16s}\n"
               "}\n",
               text_of(result, "version"), text_of(result, "hash"));
}

/* "Mark .164 (.157 to .171)" for every source above the floor. */
static void write_shares(trib_buffer *text, const json_t *target, const json_t *method,
                         trib_error *error) {
    size_t s, n = 0;
    json_t *share;
    json_array_foreach(json_object_get(method, "shares"), s, share) {
        const json_t *low = json_object_get(share, "low"), *high = json_object_get(share, "high");
        if (json_is_true(json_object_get(share, "below_floor"))) continue;
        (void)trib_buffer_print(text, error, "%s%s %.3f", n++ > 0 ? ", " : "",
                                text_of(share, "source"),
                                json_number_value(json_object_get(share, "share")));
        if (json_is_number(low) && json_is_number(high))
            (void)trib_buffer_print(text, error, " (90 %% interval %.3f to %.3f)",
                                    json_number_value(low), json_number_value(high));
    }
    if (n == 0) (void)trib_buffer_print(text, error, "no source above the noise floor");
    (void)trib_buffer_print(text, error, " (floor %.3f)",
                            json_number_value(json_object_get(target, "floor")));
}

/* The paragraph; a failed addition is seen by the last one. */
static trib_status make_paragraph(trib_buffer *text, const json_t *result, trib_error *error) {
    const json_t *corpus = json_object_get(result, "corpus");
    json_t *target;
    const char *headline = text_of(result, "headline");
    const char *n = json_string_value(setting(result, "tensor", "n"));
    size_t t;
    (void)trib_buffer_print(
        text, error,
        "Shares of influence were estimated with tributary %s (method %s) on %zu documents of %lld "
        "words in all, over a vocabulary of %lld words. Texts were cut into words by ICU (locale "
        "%s, case "
        "%s, hyphens %s, numbers %s) and counted as overlapping %s-grams.",
        text_of(result, "version"), headline, json_array_size(json_object_get(result, "documents")),
        whole(json_object_get(corpus, "tokens")), whole(json_object_get(corpus, "vocabulary")),
        json_string_value(setting(result, "tokens", "locale")),
        json_string_value(setting(result, "tokens", "case")),
        json_string_value(setting(result, "tokens", "hyphens")),
        json_string_value(setting(result, "tokens", "numbers")), n ? n : "?");
    json_array_foreach(json_object_get(result, "targets"), t, target) {
        const json_t *found = json_object_get(json_object_get(target, "methods"), headline);
        (void)trib_buffer_print(text, error, " Of %s: ", text_of(target, "target"));
        write_shares(text, target, found, error);
        (void)trib_buffer_print(text, error, "; not explained by any source %.3f.",
                                json_number_value(json_object_get(found, "author")));
    }
    return trib_buffer_print(
        text, error,
        " Shared phrases do not prove reading: a common third source looks the same, and "
        "paraphrase is not seen. Configuration and inputs have the SHA-256 %s.",
        text_of(result, "hash"));
}

trib_status trib_command_cite(const trib_command_line *line, trib_log *log, trib_writer *out,
                              trib_error *error) {
    json_t *result = NULL;
    trib_buffer text = {0};
    (void)log;
    trib_status status = trib_result_load(&result, line->operand[0], error);
    if (status == TRIB_OK) status = make_paragraph(&text, result, error);
    if (status == TRIB_OK) {
        write_bibtex(out, result);
        trib_print(out, "\n%s\n", text.text);
    }
    trib_buffer_release(&text);
    json_decref(result);
    return status;
}
