/* compare.c - `tributary compare`: lists the differences of two runs in program, settings,
 * inputs and shares. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/command/command.h"
#include "pipeline/output/stored_result.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

/* Shares that differ by less count as equal: processors round differently. */
#define SAME 1e-9

/* The differences: printed as they are found, or collected for JSON. */
typedef struct differences {
    trib_writer *out; /* NULL: collected only */
    json_t *list;
    const char *title; /* heading of the current part, until its first difference is printed */
} differences;

/* Prints a text of a run on one line of the terminal. */
static void print_text(trib_writer *out, const char *text) {
    char clean[1 << 14];
    const bool is_cut = trib_clean(clean, sizeof clean, text, strlen(text), false) < strlen(text);
    trib_print(out, "%s%s", clean, is_cut ? " ..." : "");
}

/* The number of decimals at which two numbers look different. */
static int decimals_of(const json_t *a, const json_t *b) {
    const bool are_near =
        json_is_real(a) && json_is_real(b) && fabs(json_real_value(a) - json_real_value(b)) < 1e-4;
    return are_near ? 10 : 4;
}

/* Prints a value for readers, which is shorter than its JSON. */
static void print_value(trib_writer *out, const json_t *value, int decimals) {
    if (!value) trib_write_text(out, "absent");
    else if (json_is_string(value)) print_text(out, json_string_value(value));
    else if (json_is_real(value)) trib_print(out, "%.*f", decimals, json_real_value(value));
    else trib_print(out, "%lld", (long long)json_integer_value(value));
}

/* Records a difference. Takes ownership of `a` and `b`; NULL stands for a value that is missing. */
static void differ(differences *d, const char *part, const char *what, json_t *a, json_t *b) {
    if (d->out) {
        if (!d->title || strcmp(d->title, part) != 0) trib_print(d->out, "%s\n", part);
        d->title = part;
        char clean[500], cell[1600];
        trib_clean(clean, sizeof clean, what, strlen(what), false);
        const bool is_long = trib_columns(clean) > 32;
        trib_print(d->out, "  %s ",
                   is_long ? clean : trib_pad(cell, sizeof cell, clean, 32, false));
        print_value(d->out, a, decimals_of(a, b));
        trib_write_text(d->out, " -> ");
        print_value(d->out, b, decimals_of(a, b));
        trib_write_text(d->out, "\n");
    }
    json_array_append_new(d->list,
                          json_pack("{s:s, s:s, s:o, s:o}", "part", part, "what", what, "first",
                                    a ? a : json_null(), "second", b ? b : json_null()));
}

static void compare_value(differences *d, const char *part, const char *what, json_t *a,
                          json_t *b) {
    if (json_is_number(a) && json_is_number(b)
            ? fabs(json_number_value(a) - json_number_value(b)) <= SAME
            : json_equal(a, b) || (!a && !b))
        return;
    differ(d, part, what, json_incref(a), json_incref(b));
}

/* Compares the members of two objects; a section of settings is compared key by key, as
 * SECTION.KEY. */
static void compare_settings(differences *d, json_t *a, json_t *b, const char *prefix) {
    const char *key;
    json_t *value;
    char name[160];
    json_object_foreach(a, key, value) {
        json_t *other = json_object_get(b, key);
        snprintf(name, sizeof name, "%s%s", prefix, key);
        if (json_is_object(value) && json_is_object(other) && !*prefix) {
            snprintf(name, sizeof name, "%s.", key);
            compare_settings(d, value, other, name);
        } else {
            compare_value(d, "settings", name, value, other);
        }
    }
    json_object_foreach(b, key, value) {
        snprintf(name, sizeof name, "%s%s", prefix, key);
        if (!json_object_get(a, key)) compare_value(d, "settings", name, NULL, value);
    }
}

static void compare_documents(differences *d, const json_t *a, const json_t *b) {
    size_t i;
    json_t *document;
    json_array_foreach(a, i, document) {
        const char *id = json_string_value(json_object_get(document, "id"));
        json_t *other = trib_json_find(b, "id", id);
        if (!other) differ(d, "inputs", id ? id : "?", json_string("there"), NULL);
        else if (!json_equal(json_object_get(document, "sha256"), json_object_get(other, "sha256")))
            differ(d, "inputs", id, json_incref(json_object_get(document, "sha256")),
                   json_incref(json_object_get(other, "sha256")));
    }
    json_array_foreach(b, i, document) {
        const char *id = json_string_value(json_object_get(document, "id"));
        if (!trib_json_find(a, "id", id))
            differ(d, "inputs", id ? id : "?", NULL, json_string("there"));
    }
}

/* Compares the shares of one target by one method. */
static void compare_method(differences *d, const char *target, const char *method, const json_t *a,
                           const json_t *b) {
    size_t i;
    json_t *share;
    char what[400];
    const json_t *const lists[] = {json_object_get(a, "shares"), json_object_get(b, "shares")};
    json_array_foreach(lists[0], i, share) {
        const char *source = json_string_value(json_object_get(share, "source"));
        const json_t *other = trib_json_find(lists[1], "source", source);
        snprintf(what, sizeof what, "%s %s %s", target, method, source ? source : "?");
        compare_value(d, "shares", what, json_object_get(share, "share"),
                      json_object_get(other, "share"));
    }
    json_array_foreach(lists[1], i, share) {
        const char *source = json_string_value(json_object_get(share, "source"));
        snprintf(what, sizeof what, "%s %s %s", target, method, source ? source : "?");
        if (!trib_json_find(lists[0], "source", source))
            compare_value(d, "shares", what, NULL, json_object_get(share, "share"));
    }
    snprintf(what, sizeof what, "%s %s author", target, method);
    compare_value(d, "shares", what, json_object_get(a, "author"), json_object_get(b, "author"));
    snprintf(what, sizeof what, "%s %s formula", target, method);
    compare_value(d, "shares", what, json_object_get(a, "formula"), json_object_get(b, "formula"));
}

/* A run that is compared. */
typedef struct side {
    json_t *result;
    trib_stored_targets stored; /* the details of its targets */
} side;

/* Compares two targets with one id, by every method that both have. */
static trib_status compare_target(differences *d, const char *id, const side *first, size_t t,
                                  const side *second, size_t u, trib_error *error) {
    json_t *a = NULL, *b = NULL, *shares;
    const char *method;
    trib_status status = trib_stored_target(&first->stored, first->result, t, &a, error);
    if (status == TRIB_OK)
        status = trib_stored_target(&second->stored, second->result, u, &b, error);
    json_object_foreach(json_object_get(a, "methods"), method, shares) {
        const json_t *same = json_object_get(json_object_get(b, "methods"), method);
        if (same) compare_method(d, id, method, shares, same);
    }
    json_decref(a);
    json_decref(b);
    return status;
}

/* The place of an object with this id in the list; the size of the list: there is none. */
static size_t place_of(const json_t *list, const char *id) {
    size_t i = 0;
    while (i < json_array_size(list) &&
           strcmp(trib_json_get_text(json_array_get(list, i), "target"), id) != 0)
        i++;
    return i;
}

static trib_status compare_targets(differences *d, const side *first, const side *second,
                                   trib_error *error) {
    const json_t *a = json_object_get(first->result, "targets"),
                 *b = json_object_get(second->result, "targets");
    trib_status status = TRIB_OK;
    size_t i;
    json_t *target;
    json_array_foreach(a, i, target) {
        const char *id = trib_json_get_text(target, "target");
        const size_t other = place_of(b, id);
        if (other == json_array_size(b)) differ(d, "targets", id, json_string("there"), NULL);
        else if (status == TRIB_OK) status = compare_target(d, id, first, i, second, other, error);
    }
    json_array_foreach(b, i, target) {
        const char *id = json_string_value(json_object_get(target, "target"));
        if (!trib_json_find(a, "target", id))
            differ(d, "targets", id ? id : "?", NULL, json_string("there"));
    }
    return status;
}

trib_status trib_command_compare(const trib_command_line *line, trib_log *log, trib_writer *out,
                                 trib_error *error) {
    side run[2] = {0};
    differences d = {.out = line->json ? NULL : out, .list = json_array()};
    (void)log;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < 2 && status == TRIB_OK; i++)
        status = trib_stored_open(&run[i].stored, &run[i].result, line->operand[i], error);
    const json_t *first = run[0].result, *second = run[1].result;
    if (status == TRIB_OK) {
        compare_value(&d, "program", "version", json_object_get(first, "version"),
                      json_object_get(second, "version"));
        compare_settings(&d, json_object_get(first, "configuration"),
                         json_object_get(second, "configuration"), "");
        compare_documents(&d, json_object_get(first, "documents"),
                          json_object_get(second, "documents"));
        status = compare_targets(&d, &run[0], &run[1], error);
        if (status == TRIB_OK && trib_json_failed()) /* the list of differences may be incomplete */
            status = trib_fail(error, TRIB_MEMORY, "out of memory: the differences");
    }
    if (status == TRIB_OK) {
        if (line->json)
            status = trib_json_write(json_pack("{s:i, s:O}", "schema", 1, "differences", d.list),
                                     out, error);
        else if (json_array_size(d.list) == 0) trib_write_text(out, "the two runs say the same\n");
    }
    if (status == TRIB_OK && json_array_size(d.list) > 0)
        status = trib_fail(error, TRIB_DIFFERS, "%zu difference%s", json_array_size(d.list),
                           json_array_size(d.list) == 1 ? "" : "s");
    json_decref(d.list);
    for (size_t i = 0; i < 2; i++) {
        json_decref(run[i].result);
        trib_stored_release(&run[i].stored);
    }
    return status;
}
