/* stored_result.c - the JSON texts of many targets, and their targets without details. */
#include "pipeline/output/stored_result.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/output/parts.h"
#include "pipeline/support/path.h"

static const char name[] = "influence.json";

static trib_status map_file(trib_stored_targets *stored, int file, size_t length, const char *path,
                            trib_error *error) {
    if (length == 0) return TRIB_OK;
    void *map = mmap(NULL, length, PROT_READ, MAP_SHARED, file, 0);
    if (map == MAP_FAILED)
        return trib_fail(error, TRIB_MEMORY, "out of address space: %zu bytes of %s: %s", length,
                         path, strerror(errno));
    stored->texts.map = map;
    stored->texts.n_mapped = length;
    return TRIB_OK;
}

void trib_stored_release(trib_stored_targets *stored) {
    if (stored->texts.map) munmap(stored->texts.map, stored->texts.n_mapped);
    trib_free(stored->texts.text);
    *stored = (trib_stored_targets){0};
}

/* ---- Targets --------------------------------------------------------------------------------- */

/* The target of a result that has all. */
static trib_status take_known(const json_t *result, size_t t, json_t **target) {
    *target = json_incref(json_array_get(json_object_get(result, "targets"), t));
    return TRIB_OK;
}

trib_status trib_stored_target(const trib_stored_targets *stored, const json_t *result, size_t t,
                               json_t **target, trib_error *error) {
    if (!stored || stored->n == 0) return take_known(result, t, target);
    const trib_status status = trib_json_span_parse(target, stored->texts.text[t], name, error);
    trib_json_texts_rest_after(&stored->texts, t);
    return status;
}

/* Parses a passage and removes its texts. */
static trib_status read_passage(trib_json_span text, json_t **passage, trib_error *error) {
    const trib_status status = trib_json_span_parse(passage, text, name, error);
    json_object_del(json_object_get(*passage, "target"), "text");
    json_object_del(json_object_get(*passage, "source"), "text");
    return status;
}

/* Puts a passage in place of another if it is longer. */
static void keep_longer(json_t **longest, json_t *passage) {
    if (*longest && !trib_passage_is_longer(passage, *longest)) return;
    json_decref(*longest);
    *longest = json_incref(passage);
}

/* Reads the passages with a source that can be the longest of the target: the longest, and the
 * longest notable one. */
static trib_status read_passages(trib_json_span list, json_t **kept, trib_error *error) {
    trib_json_items items = trib_json_items_of(list);
    trib_json_span key, value;
    json_t *longest = NULL, *notable = NULL;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && trib_json_items_next(&items, &key, &value)) {
        json_t *passage = NULL;
        status = read_passage(value, &passage, error);
        if (status == TRIB_OK) keep_longer(&longest, passage);
        if (status == TRIB_OK && trib_passage_is_notable(passage)) keep_longer(&notable, passage);
        json_decref(passage);
    }
    *kept = json_array();
    if (longest) json_array_append(*kept, longest);
    if (notable && notable != longest) json_array_append(*kept, notable);
    json_decref(longest);
    json_decref(notable);
    return status;
}

static trib_status add_source(json_t *list, trib_json_span text, trib_error *error) {
    const trib_json_span passages = trib_json_span_member(text, "passages");
    json_t *id = NULL, *kept = NULL;
    trib_status status =
        trib_json_span_parse(&id, trib_json_span_member(text, "source"), name, error);
    if (status == TRIB_OK) status = read_passages(passages, &kept, error);
    if (status == TRIB_OK) {
        json_t *source = json_object();
        json_object_set(source, "source", id);
        if (passages.at) json_object_set(source, "passages", kept);
        json_array_append_new(list, source);
    }
    json_decref(id);
    json_decref(kept);
    return status;
}

static trib_status add_sources(json_t *lean, trib_json_span text, trib_error *error) {
    trib_json_items items = trib_json_items_of(text);
    trib_json_span key, value;
    json_t *list = json_array();
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && trib_json_items_next(&items, &key, &value))
        status = add_source(list, value, error);
    json_object_set_new(lean, "evidence", list);
    return status;
}

/* Adds a member with its own name. */
static trib_status add_member(json_t *object, trib_json_span key, trib_json_span value,
                              trib_error *error) {
    json_t *word = NULL, *member = NULL;
    trib_status status = trib_json_span_parse(&word, key, name, error);
    if (status == TRIB_OK) status = trib_json_span_parse(&member, value, name, error);
    if (status == TRIB_OK) json_object_set(object, json_string_value(word), member);
    json_decref(word);
    json_decref(member);
    return status;
}

static trib_status add_headline(json_t *lean, trib_json_span methods, const char *headline,
                                trib_error *error) {
    const trib_json_span shares = trib_json_span_member(methods, headline);
    json_t *method = NULL, *list = json_object();
    const trib_status status =
        shares.at ? trib_json_span_parse(&method, shares, name, error) : TRIB_OK;
    if (method) json_object_set_new(list, headline, method);
    json_object_set_new(lean, "methods", list);
    return status;
}

/* Parses a target without its details. */
static trib_status parse_lean(trib_json_span target, const char *headline, json_t *lean,
                              trib_error *error) {
    static const char *const details[] = {"\"own\"", "\"matches\"", "\"distances\"",
                                          "\"parallels\"", "\"ranking\""};
    trib_json_items items = trib_json_items_of(target);
    trib_json_span key, value;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && trib_json_items_next(&items, &key, &value)) {
        bool is_detail = false;
        for (size_t i = 0; i < sizeof details / sizeof *details; i++)
            is_detail = is_detail || trib_json_span_is(key, details[i]);
        if (is_detail) continue;
        if (trib_json_span_is(key, "\"evidence\"")) status = add_sources(lean, value, error);
        else if (trib_json_span_is(key, "\"methods\""))
            status = add_headline(lean, value, headline, error);
        else status = add_member(lean, key, value, error);
    }
    if (status == TRIB_OK && (!items.is_object || items.is_wrong))
        status = trib_fail(error, TRIB_INPUT, "%s: not the JSON of a run", name);
    return status == TRIB_OK ? trib_json_check(name, error) : status;
}

trib_status trib_stored_lean(const trib_stored_targets *stored, const json_t *result, size_t t,
                             json_t **lean, trib_error *error) {
    if (!stored || stored->n == 0) return take_known(result, t, lean);
    *lean = json_object();
    const trib_status status =
        parse_lean(stored->texts.text[t], trib_json_get_text(result, "headline"), *lean, error);
    trib_json_texts_rest_after(&stored->texts, t);
    if (status == TRIB_OK) return TRIB_OK;
    json_decref(*lean);
    *lean = NULL;
    return status;
}

/* ---- influence.json of a run ----------------------------------------------------------------- */

/* Maps influence.json. Nothing is mapped when the file is absent or empty. */
static trib_status map_run(trib_stored_targets *stored, const char *run_directory,
                           trib_error *error) {
    char path[TRIB_PATH_MAX];
    struct stat about;
    trib_status status = TRIB_OK;
    if (snprintf(path, sizeof path, "%s/%s", run_directory, name) >= (int)sizeof path)
        return TRIB_OK; /* trib_result_load reports it */
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return TRIB_OK;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        status = map_file(stored, file, (size_t)about.st_size, path, error);
    close(file);
    return status;
}

/* Reads the id of a target to a list. */
static trib_status read_id(trib_json_span target, json_t *targets, trib_error *error) {
    json_t *id = NULL;
    const trib_status status =
        trib_json_span_parse(&id, trib_json_span_member(target, "target"), name, error);
    if (status == TRIB_OK) json_array_append_new(targets, json_pack("{s:o}", "target", id));
    return status;
}

/* Finds the targets, and reads their ids to the result. */
static trib_status list_targets(trib_stored_targets *stored, trib_json_items *members,
                                json_t *result, trib_error *error) {
    trib_json_items items = trib_json_items_of(members->rest);
    trib_json_span key, value;
    json_t *targets = json_array();
    size_t cap = 0;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && trib_json_items_next(&items, &key, &value)) {
        status = TRIB_GROW(&stored->texts.text, &cap, stored->n + 1, name, error);
        if (status == TRIB_OK) status = read_id(value, targets, error);
        if (status == TRIB_OK) stored->texts.text[stored->n] = value;
        trib_json_texts_rest_after(&stored->texts, stored->n++);
    }
    json_object_set_new(result, "targets", targets);
    trib_json_items_leave(members, &items);
    return status;
}

/* Reads the members of the result, of the targets only the ids. Stops after few targets. */
static trib_status read_members(trib_stored_targets *stored, json_t *result, trib_error *error) {
    trib_json_items items = trib_json_items_of(
        (trib_json_span){stored->texts.map, stored->texts.map + stored->texts.n_mapped});
    trib_json_span key, value;
    bool are_few = false;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && !are_few && trib_json_items_next_key(&items, &key)) {
        const json_t *const listed = json_object_get(result, "targets");
        if (!listed && trib_json_span_is(key, "\"targets\"")) {
            status = list_targets(stored, &items, result, error);
            are_few = stored->n <= TRIB_ALL_WRITTEN;
        } else if (trib_json_items_value(&items, &value)) {
            status = add_member(result, key, value, error);
            /* two members "targets", of which one may be written with escapes: the last counts */
            items.is_wrong = items.is_wrong || json_object_get(result, "targets") != listed;
        }
    }
    if (status == TRIB_OK && items.is_wrong)
        status = trib_fail(error, TRIB_INPUT, "%s: not the JSON of a run", name);
    return status == TRIB_OK ? trib_json_check(name, error) : status;
}

trib_status trib_stored_open(trib_stored_targets *stored, json_t **result,
                             const char *run_directory, trib_error *error) {
    *stored = (trib_stored_targets){0};
    *result = NULL;
    trib_json_begin();
    trib_status status = map_run(stored, run_directory, error);
    if (status == TRIB_OK && stored->texts.map) {
        *result = json_object();
        status = read_members(stored, *result, error);
        trib_json_texts_rest(&stored->texts);
        if (status == TRIB_OK && stored->n > TRIB_ALL_WRITTEN &&
            json_integer_value(json_object_get(*result, "schema")) == 1)
            return TRIB_OK;
        json_decref(*result);
        *result = NULL;
    }
    trib_stored_release(stored);
    /* of a damaged file, the parser of the whole finds the place */
    return status == TRIB_OK || status == TRIB_INPUT
               ? trib_result_load(result, run_directory, error)
               : status;
}

/* ---- The record ------------------------------------------------------------------------------ */

static int add_text(const char *bytes, size_t n, void *text) {
    return trib_buffer_add(text, bytes, n, NULL) == TRIB_OK ? 0 : -1;
}

trib_status trib_stored_record(trib_result *record, trib_buffer *text, const json_t *result,
                               trib_error *error) {
    *record = (trib_result){0};
    if (json_dump_callback(result, add_text, text, JSON_COMPACT) != 0)
        return trib_fail(error, TRIB_MEMORY, "out of memory: %s", name);
    return trib_result_read(record, name, text->text, text->length, error);
}
