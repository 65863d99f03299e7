/* finds_list.c - all passages of all pairs in one list, the rarest first, and that list as JSON for
 * the script. The rarity of a passage is a sum over its words, so a long passage of rare words
 * comes before a short one. The JSON is inside a single page, or in files of its own, which the
 * page loads when they are needed. A script element loads such a file also from a disk, where a
 * browser refuses other requests. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/date.h"
#include "pipeline/report/finds.h"
#include "pipeline/support/html.h"

/* Orders by descending rarity, then length; ties are in the order of the result. A rarity that is
 * not known counts as 0. */
static int compare_finds(const void *a, const void *b) {
    const trib_find *x = a, *y = b;
    const double left = isnan(x->rarity) ? 0 : x->rarity, right = isnan(y->rarity) ? 0 : y->rarity;
    if (left != right) return left < right ? 1 : -1;
    if (x->shared != y->shared) return x->shared < y->shared ? 1 : -1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool is_judged(const trib_report *report) { return report->result->judgements != NULL; }

/* The largest number of finds that the report has. */
static size_t most_finds(const trib_report *report) {
    if (is_judged(report)) return SIZE_MAX;
    return report->is_many ? (size_t)TRIB_FINDS_MOST * TRIB_FINDS_FILES : TRIB_FINDS_MOST;
}

static void sort_finds(trib_report *report) {
    if (report->n_finds > 1)
        qsort(report->find, report->n_finds, sizeof *report->find, compare_finds);
    const size_t most = most_finds(report);
    if (report->n_finds > most) report->n_finds = most;
}

/* The weakest finds are left out from time to time. */
static trib_status add_find(trib_report *report, const trib_find *find, trib_error *error) {
    if (find->shared == 0 || find->source == report->result->documents.n) return TRIB_OK;
    if (report->n_finds / 2 == most_finds(report)) sort_finds(report);
    const trib_status status =
        TRIB_GROW(&report->find, &report->finds_cap, report->n_finds + 1, "the finds", error);
    if (status != TRIB_OK) return status;
    report->find[report->n_finds] = *find;
    report->find[report->n_finds++].number = report->n_all_finds++;
    return TRIB_OK;
}

trib_status trib_report_finds_add(trib_report *report, size_t target,
                                  const trib_target_record *record, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t e = 0; e < record->evidence.n; e++) {
        const trib_evidence_record *const source = &record->evidence.item[e];
        const size_t place = trib_report_place(report, source->source);
        for (size_t p = 0; p < source->passages.n && status == TRIB_OK; p++) {
            const trib_passage_record *const passage = &source->passages.item[p];
            const trib_find find = {.passage = report->has_details ? passage : NULL,
                                    .json = passage->json,
                                    .length = passage->length,
                                    .target = &report->targets[target],
                                    .source = place,
                                    .rarity = passage->rarity,
                                    .shared = passage->shared};
            status = add_find(report, &find, error);
        }
    }
    return status;
}

trib_status trib_report_finds_finish(trib_report *report, trib_error *error) {
    sort_finds(report);
    for (size_t f = 0; f < report->n_finds && (f < TRIB_FINDS_LISTED || is_judged(report)); f++) {
        trib_find *const find = &report->find[f];
        if (!find->passage)
            find->passage =
                trib_passage_read(report->result, find->json, find->length, f, &report->own);
    }
    return trib_arena_check(&report->own, error);
}

void trib_find_id(const trib_find *find, char id[TRIB_FIND_ID_MAX]) {
    const char *given = find->passage->id;
    if (*given) {
        snprintf(id, TRIB_FIND_ID_MAX, "%s", given);
        for (char *c = id; *c; c++) /* an id in HTML has no spaces */
            if (*c == ' ') *c = '-';
    } else
        snprintf(id, TRIB_FIND_ID_MAX, "%s-%" PRIu64 "-%zu-%" PRIu64, find->target->id,
                 find->passage->target->first, find->source, find->passage->source->first);
}

/* ---- The list as JSON ------------------------------------------------------------------------ */

/* Returns the index of a shared piece of `pieces` with this text; 0 when there is none. */
static size_t find_piece(const trib_texts *pieces, const char *text) {
    for (size_t i = 1; i < pieces->n; i += 2)
        if (strcmp(pieces->item[i], text) == 0) return i;
    return 0;
}

/* Writes the pieces of one side. `other`: the pieces of the other side, which is already written;
 * NULL: none is. */
static void write_pieces(trib_writer *writer, const trib_place_record *side,
                         const trib_texts *other) {
    trib_write_text(writer, ",[");
    for (size_t i = 0; i < side->text.n; i++) {
        const char *text = side->text.item[i];
        const size_t same = other && i % 2 == 1 ? find_piece(other, text) : 0;
        if (i > 0) trib_write_text(writer, ",");
        if (same > 0) trib_print(writer, "%zu", same);
        else trib_write_script_text(writer, text);
    }
    if (side->cut) trib_write_text(writer, ",true");
    trib_write_text(writer, "]");
}

static void write_find(const trib_report *report, const trib_find *find, trib_writer *writer) {
    const trib_place_record *const side[] = {find->passage->target, find->passage->source};
    const double mass = find->passage->mass;
    char id[TRIB_FIND_ID_MAX], text[TRIB_FIXED_MAX];
    trib_find_id(find, id);
    trib_write_text(writer, "[");
    trib_write_script_text(writer, id);
    trib_print(writer, ",%zu,%zu,%" PRIu64, trib_report_place(report, find->target->id),
               find->source, find->shared);
    trib_print(writer, ",%s", isnan(find->rarity) ? "null" : trib_fixed(text, find->rarity, 2));
    trib_print(writer, ",%s", trib_fixed(text, isnan(mass) ? 0 : 100 * mass, 3));
    for (size_t s = 0; s < 2; s++)
        trib_print(writer, ",%" PRIu64 ",%" PRIu64, side[s]->first, side[s]->words);
    write_pieces(writer, side[0], NULL);
    write_pieces(writer, side[1], &side[0]->text);
    const bool has_references = side[0]->reference || side[1]->reference;
    for (size_t s = 0; s < 2 && has_references; s++) {
        trib_write_text(writer, ",");
        trib_write_script_text(writer, trib_report_text(side[s]->reference));
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
    trib_write_text(writer, "\"texts\":[");
    for (size_t d = 0; d < report->result->documents.n; d++) {
        const trib_document_record *const document = &report->result->documents.item[d];
        const char *const texts[] = {document->id, document->title, document->author};
        trib_write_text(writer, d > 0 ? ",\n[" : "\n[");
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            trib_write_script_text(writer, texts[i]);
            trib_write_text(writer, ",");
        }
        write_date(writer, trib_report_text(document->date));
        trib_write_text(writer, trib_report_is_target(report, document->id) ? ",1" : ",0");
        const char *language = trib_report_language(report, document);
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
        trib_arena arena = {0};
        trib_write_text(writer, f > first ? ",\n" : "\n");
        if (!find.passage)
            find.passage = trib_passage_read(report->result, find.json, find.length, f, &arena);
        write_find(report, &find, writer);
        if (writer->failure.status == TRIB_OK) (void)trib_arena_check(&arena, &writer->failure);
        trib_arena_release(&arena);
    }
    trib_write_text(writer, "]}");
}
