/* write.c - writes records as JSON, by the table of fields: indented, and from a depth on with each
 * value on one line. */
#include <inttypes.h>

#include "pipeline/result/fields.h"
#include "pipeline/result/result.h"
#include "pipeline/support/json.h"

/* Values deeper than LINES are on one line; of many targets those deeper than LINES_OF_MANY, and
 * without spaces: indentation would be an eighth of the file. A list of plain values is on one line
 * from the depth of LISTS on. */
enum { MANY = 40, LINES = 6, LINES_OF_MANY = 3, LISTS = 4, DEPTH_OF_TARGETS = 2 };

typedef struct output {
    trib_writer *writer;
    size_t lines;
    const char *comma, *colon;
    const char *not_finite; /* the first number that is not finite; NULL: none */
} output;

static output make_output(trib_writer *writer, size_t lines) {
    const bool is_tight = lines < LINES;
    return (output){writer, lines, is_tight ? "," : ", ", is_tight ? ":" : ": ", NULL};
}

static size_t lines_of(size_t n_targets) { return n_targets > MANY ? LINES_OF_MANY : LINES; }

static void write_record(output *out, const trib_record_type *type, const void *record,
                         size_t depth, bool is_keyed);

/* ---- Layout ---------------------------------------------------------------------------------- */

static void break_line(const output *out, size_t depth) {
    if (depth > out->lines) return;
    trib_write_text(out->writer, "\n");
    for (; depth > 0; depth--) trib_write_text(out->writer, " ");
}

/* Begins item n of a list or an object at a depth. */
static void begin_item(const output *out, size_t n, size_t depth, bool one_line) {
    if (n > 0) trib_write_text(out->writer, one_line ? out->comma : ",");
    if (!one_line) break_line(out, depth + 1);
}

static void begin_member(const output *out, size_t n, const char *key, size_t depth) {
    begin_item(out, n, depth, depth >= out->lines);
    trib_write_json(out->writer, key);
    trib_write_text(out->writer, out->colon);
}

static void end_items(const output *out, size_t n, const char *close, size_t depth, bool one_line) {
    if (n > 0 && !one_line) break_line(out, depth);
    trib_write_text(out->writer, close);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void write_count(const output *out, uint64_t count) {
    /* exact as a double; written without printf. Beyond 2^63, as a seed may be, most readers of
     * JSON know no integer, so the same 64 bits are written with a sign. */
    if (count < (uint64_t)1 << 53) trib_write_number(out->writer, (double)count);
    else trib_print(out->writer, "%" PRId64, (int64_t)count);
}

/* A number has a point or an exponent, so that it is read back as a real one. */
static void write_number(output *out, double value, const trib_field *field) {
    char text[TRIB_NUMBER_MAX];
    if (!isfinite(value)) {
        if (field->when != TRIB_FIELD_NULL && !out->not_finite) out->not_finite = field->name;
        trib_write_text(out->writer, "null");
        return;
    }
    trib_write_text(out->writer, trib_number(text, value));
    if (!strpbrk(text, ".e")) trib_write_text(out->writer, ".0");
}

/* Settings without a section stand by themselves, those of a section in an object. */
static void write_settings(const output *out, const trib_setting_records *list, size_t depth) {
    size_t n = 0, n_sections = 0, before = 0; /* settings of this section; bytes of its name */
    trib_write_text(out->writer, "{");
    for (size_t i = 0; i < list->n; i++) {
        const char *const key = list->item[i].key, *const point = strchr(key, '.');
        const size_t length = point ? (size_t)(point - key) : 0;
        const bool is_next = i == 0 || length != before || length == 0 ||
                             memcmp(key, list->item[i - 1].key, length) != 0;
        if (is_next && before > 0) end_items(out, n, "}", depth + 1, depth + 1 >= out->lines);
        if (is_next && length > 0) {
            char section[64] = "";
            memcpy(section, key, length < sizeof section ? length : sizeof section - 1);
            begin_member(out, n_sections++, section, depth);
            trib_write_text(out->writer, "{");
        }
        n = is_next ? 0 : n;
        if (length > 0) begin_member(out, n++, point + 1, depth + 1);
        else begin_member(out, n_sections++, key, depth);
        trib_write_json(out->writer, list->item[i].value);
        before = length;
    }
    if (before > 0) end_items(out, n, "}", depth + 1, depth + 1 >= out->lines);
    end_items(out, n_sections, "}", depth, depth >= out->lines);
}

static void write_map(output *out, const trib_field *field, const trib_texts *list, size_t depth) {
    const char *const item = (const char *)list->item;
    trib_write_text(out->writer, "{");
    for (size_t i = 0; i < list->n; i++) {
        const void *const record = item + i * field->of->size;
        begin_member(out, i, *(const char *const *)record, depth);
        write_record(out, field->of, record, depth + 1, true);
    }
    end_items(out, list->n, "}", depth, depth >= out->lines);
}

static void write_list(output *out, const trib_field *field, const void *member, size_t depth) {
    trib_texts list;
    memcpy(&list, member, sizeof list);
    const bool is_plain = field->type < TRIB_FIELD_RECORDS,
               one_line = depth >= out->lines || (depth >= LISTS && is_plain);
    trib_write_text(out->writer, "[");
    for (size_t i = 0; i < list.n; i++) {
        begin_item(out, i, depth, one_line);
        switch (field->type) {
        case TRIB_FIELD_TEXTS:
            trib_write_json(out->writer, list.item[i]);
            break;
        case TRIB_FIELD_COUNTS:
            write_count(out, ((const trib_whole_numbers *)member)->item[i]);
            break;
        case TRIB_FIELD_NUMBERS:
            write_number(out, ((const trib_reals *)member)->item[i], field);
            break;
        case TRIB_FIELD_TARGETS: {
            const trib_target_text *const text = &((const trib_target_texts *)member)->item[i];
            trib_write(out->writer, text->json, text->length);
            break;
        }
        default:
            write_record(out, field->of, (const char *)list.item + i * field->of->size, depth + 1,
                         false);
        }
    }
    end_items(out, list.n, "]", depth, one_line);
}

/* Writes the member of a record that a field describes. */
static void write_value(output *out, const trib_field *field, const void *record, size_t depth) {
    const void *const member = trib_field_of(field, record);
    const bool is_list = field->type >= TRIB_FIELD_TEXTS;
    if (field->type == TRIB_FIELD_FLAG)
        trib_write_text(out->writer, *(const bool *)member ? "true" : "false");
    else if (trib_field_is_absent(field, record) && field->type != TRIB_FIELD_NUMBER &&
             (field->when == TRIB_FIELD_NULL || !is_list))
        trib_write_text(out->writer, "null");
    else if (field->type == TRIB_FIELD_TEXT)
        trib_write_json(out->writer, *(const char *const *)member);
    else if (field->type == TRIB_FIELD_COUNT) write_count(out, *(const uint64_t *)member);
    else if (field->type == TRIB_FIELD_NUMBER) write_number(out, *(const double *)member, field);
    else if (field->type == TRIB_FIELD_RECORD)
        write_record(out, field->of, *(void *const *)member, depth, false);
    else if (field->type == TRIB_FIELD_MAP) write_map(out, field, member, depth);
    else if (field->type == TRIB_FIELD_SETTINGS) write_settings(out, member, depth);
    else write_list(out, field, member, depth);
}

/* Writes the members of a record, of which *n were written before, all but its key in a map. */
static void write_members(output *out, const trib_record_type *type, const void *record,
                          size_t depth, bool is_keyed, size_t *n) {
    const bool is_row = type->form == TRIB_RECORD_ROW;
    for (size_t i = is_keyed ? 1 : 0; i < type->n; i++) {
        const trib_field *const field = &type->field[i];
        if (!trib_field_is_written(type, field, record)) continue;
        if (field->type == TRIB_FIELD_MEMBERS) {
            write_members(out, field->of, trib_field_of(field, record), depth, false, n);
            continue;
        }
        if (is_row) begin_item(out, (*n)++, depth, depth >= out->lines || depth >= LISTS);
        else begin_member(out, (*n)++, field->name, depth);
        write_value(out, field, record, depth + 1);
    }
}

/* Writes a record; is_keyed: its first member is its key in a map. */
static void write_record(output *out, const trib_record_type *type, const void *record,
                         size_t depth, bool is_keyed) {
    const bool is_row = type->form == TRIB_RECORD_ROW,
               one_line = depth >= out->lines || (is_row && depth >= LISTS);
    size_t n = 0;
    if (type->form == TRIB_RECORD_VALUE) {
        write_value(out, &type->field[type->n - 1], record, depth);
        return;
    }
    trib_write_text(out->writer, is_row ? "[" : "{");
    write_members(out, type, record, depth, is_keyed, &n);
    end_items(out, n, is_row ? "]" : "}", depth, one_line);
}

static trib_status finish(const output *out, const char *name, trib_error *error) {
    return out->not_finite ? trib_fail(error, TRIB_INTERNAL, "%s: the number '%s' is not finite",
                                       name, out->not_finite)
                           : TRIB_OK;
}

trib_status trib_record_write(const trib_record_type *type, const void *record, size_t lines,
                              trib_writer *writer, trib_error *error) {
    output out = make_output(writer, lines);
    write_record(&out, type, record, 0, false);
    trib_write_text(writer, "\n");
    return finish(&out, writer->path, error);
}

trib_status trib_result_write(const trib_result *result, trib_writer *writer, trib_error *error) {
    return trib_record_write(&trib_type_result, result, lines_of(result->targets.n), writer, error);
}

trib_status trib_manifest_write(const trib_manifest_record *manifest, trib_writer *writer,
                                trib_error *error) {
    return trib_record_write(&trib_type_manifest, manifest, LINES, writer, error);
}

trib_status trib_summary_record_write(const trib_summary_record *summary, trib_writer *writer,
                                      trib_error *error) {
    return trib_record_write(&trib_type_summary, summary, LINES, writer, error);
}

trib_status trib_phrasing_write(const trib_phrasing_record *phrasing, trib_writer *writer,
                                trib_error *error) {
    const trib_families_record families = {1, *phrasing};
    return trib_record_write(&trib_type_families, &families, LINES, writer, error);
}

trib_status trib_target_write(const trib_target_record *target, size_t n_targets,
                              trib_writer *writer, trib_error *error) {
    output out = make_output(writer, lines_of(n_targets));
    write_record(&out, &trib_type_target, target, DEPTH_OF_TARGETS, false);
    return finish(&out, "influence.json", error);
}

/* ---- The members of records: what is absent, and what is written ----------------------------- */

bool trib_field_is_absent(const trib_field *field, const void *record) {
    const void *const member = trib_field_of(field, record);
    switch (field->type) {
    case TRIB_FIELD_FLAG:
        return !*(const bool *)member;
    case TRIB_FIELD_COUNT:
        return *(const uint64_t *)member == TRIB_ABSENT;
    case TRIB_FIELD_NUMBER:
        return isnan(*(const double *)member);
    case TRIB_FIELD_MEMBERS:
        return false;
    default: { /* a pointer, or a list that begins with one */
        void *pointer;
        memcpy(&pointer, member, sizeof pointer);
        return !pointer;
    }
    }
}

bool trib_field_is_written(const trib_record_type *type, const trib_field *field,
                           const void *record) {
    if (field->with)
        for (size_t i = 0; i < type->n; i++)
            if (strcmp(type->field[i].name, field->with) == 0 &&
                trib_field_is_absent(&type->field[i], record))
                return false;
    if (field->when == TRIB_FIELD_POSITIVE)
        return *(const uint64_t *)trib_field_of(field, record) > 0;
    return field->when != TRIB_FIELD_IF || !trib_field_is_absent(field, record);
}

void trib_record_begin(const trib_record_type *type, void *record) {
    for (size_t i = 0; i < type->n; i++) {
        const trib_field *const field = &type->field[i];
        void *const member = trib_field_of(field, record);
        const bool may_lack = field->when == TRIB_FIELD_IF || field->when == TRIB_FIELD_NULL;
        if (field->type == TRIB_FIELD_NUMBER) *(double *)member = (double)NAN;
        else if (field->type == TRIB_FIELD_TEXT) *(const char **)member = may_lack ? NULL : "";
        else if (field->type == TRIB_FIELD_COUNT && may_lack) *(uint64_t *)member = TRIB_ABSENT;
    }
}

void *trib_record_new(trib_arena *arena, const trib_record_type *type) {
    void *const record = trib_arena_new(arena, 1, type->size);
    if (record) trib_record_begin(type, record);
    return record;
}
