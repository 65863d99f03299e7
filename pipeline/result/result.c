/* result.c - opens a result, and reads its targets. */
#include "pipeline/result/result.h"

#include <jansson.h>

#include "pipeline/result/fields.h"
#include "pipeline/result/shown.h"
#include "pipeline/support/path.h"
#include "pipeline/support/utf8.h"

enum { MANY = 40 }; /* targets; of more, lists read only the longest passages */

/* ---- Opening --------------------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b) {
    return strcmp((*(const trib_document_record *const *)a)->id,
                  (*(const trib_document_record *const *)b)->id);
}

trib_status trib_result_complete(trib_result *result, trib_error *error) {
    const trib_document_records *const documents = &result->documents;
    result->by_id = trib_arena_new(&result->arena, documents->n, sizeof *result->by_id);
    for (size_t d = 0; result->by_id && d < documents->n; d++)
        result->by_id[d] = &documents->item[d];
    if (result->by_id && documents->n > 1)
        qsort(result->by_id, documents->n, sizeof *result->by_id, compare_ids);
    return trib_arena_check(&result->arena, error);
}

/* Says where a text is no JSON, as the parser of JSON finds it. */
static trib_status damaged(const char *name, const char *text, size_t length, trib_error *error) {
    json_error_t wrong = {0};
    json_t *const json = json_loadb(length > 0 ? text : "", length, 0, &wrong);
    const bool is_json = json != NULL;
    json_decref(json);
    if (is_json || wrong.line < 0)
        return trib_fail(error, TRIB_INPUT, "%s: not the JSON of a run", name);
    return trib_fail(error, TRIB_INPUT, "%s:%d:%d: not the JSON of a run: %s", name, wrong.line,
                     wrong.column, wrong.text);
}

trib_status trib_record_read_file(trib_record_reader reader, const char *name,
                                  const trib_record_type *type, void *record, trib_error *error) {
    const char *const text = reader.at;
    const bool is_read = trib_record_read(&reader, type, record);
    const trib_status status = trib_arena_check(reader.arena, error);
    if (status == TRIB_MEMORY) return trib_fail(error, status, "%s: out of memory", name);
    if (status != TRIB_OK) return status;
    if (!is_read) return damaged(name, text, (size_t)(reader.end - text), error);
    return *(uint64_t *)trib_field_of(&type->field[0], record) == 1
               ? TRIB_OK
               : trib_fail(error, TRIB_INPUT, "%s: not of schema 1, which this version reads",
                           name);
}

/* Reads the members of a result that is zeroed but for what they lie in. */
static trib_status read_members(trib_result *result, const char *name, const char *text,
                                size_t length, trib_error *error) {
    const trib_record_reader reader = {
        .at = text, .end = text + length, .arena = &result->arena, .file = &result->file};
    const trib_status status =
        trib_record_read_file(reader, name, &trib_type_result, result, error);
    trib_mapped_file_rest(&result->file);
    return status == TRIB_OK ? trib_result_complete(result, error) : status;
}

trib_status trib_result_read(trib_result *result, const char *name, const char *text, size_t length,
                             trib_error *error) {
    *result = (trib_result){0};
    return read_members(result, name, text, length, error);
}

trib_status trib_result_open(trib_result *result, const char *run_directory, trib_error *error) {
    char path[TRIB_PATH_MAX];
    trib_error ignored;
    *result = (trib_result){0};
    if (snprintf(path, sizeof path, "%s/influence.json", run_directory) >= (int)sizeof path)
        return trib_fail(error, TRIB_USAGE, "%s: path too long", run_directory);
    if (!trib_disk_has(path))
        return trib_fail(error, TRIB_USAGE, "%s: no finished run here (no influence.json)",
                         run_directory);
    if (trib_mapped_file_open(&result->file, path, &ignored) == TRIB_OK)
        return read_members(result, path, result->file.bytes, result->file.length, error);
    const trib_status status = trib_read_whole(path, &result->text, error);
    return status == TRIB_OK
               ? read_members(result, path, result->text.text ? result->text.text : "",
                              result->text.length, error)
               : status;
}

void trib_result_release(trib_result *result) {
    trib_arena_release(&result->arena);
    trib_mapped_file_close(&result->file);
    trib_buffer_release(&result->text);
    *result = (trib_result){0};
}

const char *trib_result_utf8(trib_arena *arena, const char *bytes) {
    const size_t length = strlen(bytes);
    size_t n = 0, step = 1;
    while (n < length && step > 0) n += step = trib_utf8_length(bytes + n, length - n);
    if (n == length) return trib_arena_copy(arena, bytes, length);
    char *const text = trib_arena_new(arena, length + 1, sizeof "\\xNN" - 1);
    for (size_t i = 0, at = 0; text && i < length; i++)
        at += (size_t)sprintf(text + at, (unsigned char)bytes[i] < 0x80 ? "%c" : "\\x%02X",
                              (unsigned)(unsigned char)bytes[i]);
    return text ? text : "";
}

/* ---- Targets --------------------------------------------------------------------------------- */

static const trib_target_record *read_target(const trib_result *result, size_t t, bool is_lean,
                                             trib_arena *arena) {
    static const trib_target_record none = {.target = "", .floor_from = ""};
    const trib_target_text *const text = &result->targets.item[t];
    trib_target_record *const target = trib_arena_new(arena, 1, sizeof *target);
    if (!target) return &none;
    trib_record_reader reader = {.at = text->json,
                                 .end = text->json + text->length,
                                 .arena = arena,
                                 .only = result->headline,
                                 .is_lean = is_lean};
    if (!trib_record_read(&reader, &trib_type_target, target))
        trib_arena_fail(arena, TRIB_INPUT, "influence.json: not the JSON of a run");
    trib_result_rest(&result->file, t + 1);
    return arena->failure.status == TRIB_OK ? target : &none;
}

const trib_target_record *trib_target_read(const trib_result *result, size_t t, trib_arena *arena) {
    return read_target(result, t, false, arena);
}

const trib_target_record *trib_target_read_lean(const trib_result *result, size_t t,
                                                trib_arena *arena) {
    const trib_target_record *const target = read_target(result, t, true, arena);
    for (size_t e = 0; result->targets.n > MANY && e < target->evidence.n; e++)
        trib_passages_keep_longest(&target->evidence.item[e].passages);
    return target;
}

const trib_passage_record *trib_passage_read(const trib_result *result, const char *json,
                                             size_t length, size_t n, trib_arena *arena) {
    static trib_place_record nowhere;
    static const trib_passage_record none = {.id = "", .target = &nowhere, .source = &nowhere};
    trib_passage_record *const passage = trib_arena_new(arena, 1, sizeof *passage);
    trib_record_reader reader = {.at = json, .end = json + length, .arena = arena};
    if (!passage) return &none;
    if (!trib_record_read(&reader, &trib_type_passage, passage))
        trib_arena_fail(arena, TRIB_INPUT, "influence.json: not the JSON of a run");
    trib_result_rest(&result->file, n + 1);
    return arena->failure.status == TRIB_OK ? passage : &none;
}
