/* finds_list.c - all passages of all pairs in one list, the rarest first, and that list as JSON for
 * the script. The rarity of a passage is a sum over its words, so a long passage of rare words
 * comes before a short one. The JSON is inside a single page, or in files of its own, which the
 * page loads when they are needed. A script element loads such a file also from a disk, where a
 * browser refuses other requests. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/date.h"
#include "pipeline/report/finds.h"
#include "pipeline/support/html.h"

static double first_of(const json_t *passage, const char *side) {
    return trib_json_get_number(json_object_get(passage, side), "first");
}

static trib_find make_find(const trib_report_target *target, size_t source, const json_t *passage) {
    return (trib_find){.passage = passage,
                       .target = target,
                       .source = source,
                       .shared = trib_json_get_number(passage, "shared"),
                       .rarity = trib_json_get_number(passage, "rarity"),
                       .mass = trib_json_get_number(passage, "mass")};
}

/* Orders by descending rarity, then length; ties are in the order of the result. A rarity that is
 * not known counts as 0. */
static int compare_finds(const void *a, const void *b) {
    const trib_find *x = a, *y = b;
    const double left = isnan(x->rarity) ? 0 : x->rarity, right = isnan(y->rarity) ? 0 : y->rarity;
    if (left != right) return left < right ? 1 : -1;
    if (x->shared != y->shared) return x->shared < y->shared ? 1 : -1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The largest number of finds that the report has. */
static size_t most_finds(const trib_report *report) {
    if (json_object_get(report->result, "judgements")) return SIZE_MAX;
    return report->is_many ? (size_t)TRIB_FINDS_MOST * TRIB_FINDS_FILES : TRIB_FINDS_MOST;
}

static void sort_finds(trib_report *report) {
    if (report->n_finds > 1)
        qsort(report->find, report->n_finds, sizeof *report->find, compare_finds);
    const size_t most = most_finds(report);
    if (report->n_finds > most) report->n_finds = most;
}

/* The weakest finds are left out from time to time. */
static trib_status add_find(trib_report *report, size_t *cap, trib_find find, trib_error *error) {
    if (!(find.shared > 0) || find.source == report->documents.n) return TRIB_OK;
    if (report->n_finds / 2 == most_finds(report)) sort_finds(report);
    const trib_status status =
        TRIB_GROW(&report->find, cap, report->n_finds + 1, "the finds", error);
    if (status != TRIB_OK) return status;
    find.number = report->n_all_finds++;
    report->find[report->n_finds++] = find;
    return TRIB_OK;
}

static trib_status read_target(trib_report *report, const trib_report_target *target, size_t *cap,
                               trib_error *error) {
    const json_t *evidence = json_object_get(target->json, "evidence");
    trib_status status = TRIB_OK;
    for (size_t e = 0; e < json_array_size(evidence); e++) {
        const json_t *source = json_array_get(evidence, e),
                     *passages = json_object_get(source, "passages");
        const size_t place = trib_report_place(report, trib_json_get_text(source, "source"));
        for (size_t p = 0; p < json_array_size(passages) && status == TRIB_OK; p++)
            status =
                add_find(report, cap, make_find(target, place, json_array_get(passages, p)), error);
    }
    return status;
}

/* ---- Stored targets -------------------------------------------------------------------------- */

static trib_status parse(json_t **value, trib_json_span text, trib_error *error) {
    return trib_json_span_parse(value, text, "influence.json", error);
}

/* Reads the passages with one source, and remembers their texts. */
static trib_status read_stored_source(trib_report *report, const trib_report_target *target,
                                      trib_json_span source, size_t *cap, trib_error *error) {
    trib_json_items items = trib_json_items_of(trib_json_span_member(source, "passages"));
    trib_json_span key, value;
    json_t *id = NULL, *passage = NULL;
    trib_status status = parse(&id, trib_json_span_member(source, "source"), error);
    const size_t place = trib_report_place(report, json_is_string(id) ? json_string_value(id) : "");
    json_decref(id);
    while (status == TRIB_OK && trib_json_items_next(&items, &key, &value)) {
        status = parse(&passage, value, error);
        if (status != TRIB_OK) break;
        trib_find find = make_find(target, place, passage);
        find.passage = NULL;
        find.text = value;
        status = add_find(report, cap, find, error);
        json_decref(passage);
    }
    return status;
}

static trib_status read_stored_target(trib_report *report, size_t t, size_t *cap,
                                      trib_error *error) {
    trib_json_items items =
        trib_json_items_of(trib_json_span_member(report->stored->texts.text[t], "evidence"));
    trib_json_span key, source;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && trib_json_items_next(&items, &key, &source))
        status = read_stored_source(report, &report->targets[t], source, cap, error);
    trib_json_texts_rest_after(&report->stored->texts, t);
    return status;
}

/* Parses the finds that the first page has; they live in report->rows. */
static trib_status parse_listed(trib_report *report, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t f = 0; f < report->n_finds && f < TRIB_FINDS_LISTED && status == TRIB_OK; f++) {
        json_t *passage = NULL;
        status = parse(&passage, report->find[f].text, error);
        report->find[f].passage = passage;
        if (passage) json_array_append_new(report->rows, passage);
    }
    return status;
}

trib_status trib_report_finds_read(trib_report *report, trib_error *error) {
    trib_status status = TRIB_OK;
    size_t cap = 0;
    trib_json_begin();
    for (size_t t = 0; t < report->n_all_targets && status == TRIB_OK; t++)
        status = report->stored ? read_stored_target(report, t, &cap, error)
                                : read_target(report, &report->targets[t], &cap, error);
    if (status != TRIB_OK) return status;
    sort_finds(report);
    if (report->stored) status = parse_listed(report, error);
    return status == TRIB_OK ? trib_json_check("the finds", error) : status;
}

void trib_find_id(const trib_find *find, char id[TRIB_FIND_ID_MAX]) {
    const char *given = trib_json_get_text(find->passage, "id");
    if (*given) {
        snprintf(id, TRIB_FIND_ID_MAX, "%s", given);
        for (char *c = id; *c; c++) /* an id in HTML has no spaces */
            if (*c == ' ') *c = '-';
    } else
        snprintf(id, TRIB_FIND_ID_MAX, "%s-%.0f-%zu-%.0f", find->target->id,
                 first_of(find->passage, "target"), find->source,
                 first_of(find->passage, "source"));
}

/* ---- The list as JSON ------------------------------------------------------------------------ */

/* Returns the index of a shared piece of `pieces` with this text; `n` when there is none. */
static size_t find_piece(const json_t *pieces, const char *text) {
    const size_t n = json_array_size(pieces);
    for (size_t i = 1; i < n; i += 2)
        if (strcmp(json_string_value(json_array_get(pieces, i)), text) == 0) return i;
    return n;
}

/* Writes the pieces of one side. `other`: the pieces of the other side, which is already written;
 * NULL: none is. */
static void write_pieces(trib_writer *writer, const json_t *side, const json_t *other) {
    const json_t *pieces = json_object_get(side, "text");
    const char *text;
    trib_write_text(writer, ",[");
    for (size_t i = 0; i < json_array_size(pieces); i++) {
        text = json_string_value(json_array_get(pieces, i));
        const size_t same = other && i % 2 == 1 ? find_piece(other, text) : 0;
        if (i > 0) trib_write_text(writer, ",");
        if (same > 0 && same < json_array_size(other)) trib_print(writer, "%zu", same);
        else trib_write_script_text(writer, text);
    }
    if (trib_json_get_flag(side, "cut")) trib_write_text(writer, ",true");
    trib_write_text(writer, "]");
}

static void write_find(const trib_report *report, const trib_find *find, trib_writer *writer) {
    const json_t *target = json_object_get(find->passage, "target"),
                 *source = json_object_get(find->passage, "source");
    char id[TRIB_FIND_ID_MAX], text[TRIB_FIXED_MAX];
    trib_find_id(find, id);
    trib_write_text(writer, "[");
    trib_write_script_text(writer, id);
    trib_print(writer, ",%zu,%zu,%.0f", trib_report_place(report, find->target->id), find->source,
               find->shared);
    trib_print(writer, ",%s", isnan(find->rarity) ? "null" : trib_fixed(text, find->rarity, 2));
    trib_print(writer, ",%s", trib_fixed(text, isnan(find->mass) ? 0 : 100 * find->mass, 3));
    const json_t *const side[] = {target, source};
    for (size_t s = 0; s < 2; s++)
        trib_print(writer, ",%.0f,%.0f", trib_json_get_number(side[s], "first"),
                   trib_json_get_number(side[s], "words"));
    write_pieces(writer, target, NULL);
    write_pieces(writer, source, json_object_get(target, "text"));
    const bool has_references =
        json_object_get(target, "reference") || json_object_get(source, "reference");
    for (size_t s = 0; s < 2 && has_references; s++) {
        trib_write_text(writer, ",");
        trib_write_script_text(writer, trib_json_get_text(side[s], "reference"));
    }
    trib_write_text(writer, "]");
}

size_t trib_report_n_finds_files(const trib_report *report) {
    if (!report->is_many || report->n_finds == 0) return 1;
    return (report->n_finds + TRIB_FINDS_MOST - 1) / TRIB_FINDS_MOST;
}

/* Writes a date; one that is not in the form of ISO 8601 as [first year, last year, the year that
 * it is counted under], where an open end is null. */
static void write_date(trib_writer *writer, const char *date) {
    double first, last, year, year_end;
    if (!*date || trib_date_is_iso(date) || !trib_date_years(date, &first, &last) ||
        !trib_date_read(date, &year, &year_end)) {
        trib_write_script_text(writer, date);
        return;
    }
    if (isinf(first)) trib_write_text(writer, "[null");
    else trib_print(writer, "[%.0f", first);
    if (isinf(last)) trib_write_text(writer, ",null");
    else trib_print(writer, ",%.0f", last);
    trib_print(writer, ",%.0f]", floor(trib_date_point(year, year_end)));
}

static void write_texts(const trib_report *report, trib_writer *writer) {
    static const char *const members[] = {"id", "title", "author"};
    trib_write_text(writer, "\"texts\":[");
    for (size_t d = 0; d < report->documents.n; d++) {
        trib_write_text(writer, d > 0 ? ",\n[" : "\n[");
        for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
            if (m > 0) trib_write_text(writer, ",");
            trib_write_script_text(writer,
                                   trib_json_get_text(report->documents.item[d], members[m]));
        }
        trib_write_text(writer, ",");
        write_date(writer, trib_json_get_text(report->documents.item[d], "date"));
        const bool is_target =
            trib_report_is_target(report, trib_json_get_text(report->documents.item[d], "id"));
        trib_write_text(writer, is_target ? ",1" : ",0");
        const char *language = trib_report_language(report, report->documents.item[d]);
        if (*language) {
            trib_write_text(writer, ",");
            trib_write_script_text(writer, language);
        }
        trib_write_text(writer, "]");
    }
    trib_write_text(writer, "],");
}

void trib_report_finds_data(const trib_report *report, size_t file, trib_writer *writer) {
    const size_t first = file * TRIB_FINDS_MOST, n_files = trib_report_n_finds_files(report);
    const size_t end = file + 1 < n_files ? first + TRIB_FINDS_MOST : report->n_finds;
    trib_write_text(writer, "{");
    if (file == 0 && end < report->n_all_finds)
        trib_print(writer, "\"all\":%zu,", report->n_all_finds);
    if (file == 0 && n_files > 1) trib_print(writer, "\"files\":%zu,", n_files);
    if (file == 0) write_texts(report, writer);
    trib_write_text(writer, "\"finds\":[");
    for (size_t f = first; f < end; f++) {
        trib_find find = report->find[f];
        json_t *passage = NULL;
        trib_write_text(writer, f > first ? ",\n" : "\n");
        if (!find.passage && parse(&passage, find.text, &writer->failure) != TRIB_OK) return;
        if (passage) find.passage = passage;
        write_find(report, &find, writer);
        json_decref(passage);
        if (report->stored) trib_json_texts_rest_after(&report->stored->texts, f);
    }
    trib_write_text(writer, "]}");
}
