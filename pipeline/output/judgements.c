/* judgements.c - judgements of passages, which the report saves as CSV (judge.js):
 * reads them and reduces a result to the passages that were accepted. */

#include "pipeline/output/result.h"
#include "pipeline/text/table.h"

/* The columns of the file, in the order of the words of a key; the last may be absent. */
enum { KEY = 6, JUDGEMENT = 6, NOTE = 7, N_COLUMNS = 8 };
static const char *const columns[N_COLUMNS] = {"target",      "source",       "target_first",
                                               "target_last", "source_first", "source_last",
                                               "judgement",   "note"};

/* The state of reading the file. */
typedef struct table {
    const char *name;
    trib_cells cells;
    size_t line;                 /* of the row that was read last, from 1 */
    size_t place[N_COLUMNS];     /* the column of each name, or SIZE_MAX */
    size_t n_columns;            /* of the header */
    trib_buffer cell[N_COLUMNS]; /* of the row, by name */
} table;

/* Reads a cell; *ends: the row ends after it. */
static trib_status read_cell(table *t, bool *ends, trib_error *error) {
    const trib_status status = trib_cells_next(&t->cells, error);
    *ends = t->cells.row_ends;
    if (status == TRIB_OK && t->cells.complaint)
        return trib_fail(error, TRIB_INPUT, "%s:%zu: %s", t->name, t->line, t->cells.complaint);
    return status;
}

/* Reads the names of the columns. */
static trib_status read_header(table *t, trib_error *error) {
    bool ends = false;
    trib_status status = TRIB_OK;
    for (size_t c = 0; c < N_COLUMNS; c++) t->place[c] = SIZE_MAX;
    t->line = 1;
    for (; !ends && status == TRIB_OK; t->n_columns++) {
        status = read_cell(t, &ends, error);
        for (size_t c = 0; status == TRIB_OK && c < N_COLUMNS; c++)
            if (strcmp(t->cells.cell.text, columns[c]) == 0) t->place[c] = t->n_columns;
    }
    for (size_t c = 0; status == TRIB_OK && c < NOTE; c++)
        if (t->place[c] == SIZE_MAX)
            status =
                trib_fail(error, TRIB_INPUT,
                          "%s:1: no column '%s'; take a file that the report of the run saved, "
                          "or name the columns in the first line: target, source, "
                          "target_first, target_last, source_first, source_last, judgement, "
                          "note",
                          t->name, columns[c]);
    return status;
}

/* Reads a row into t->cell; *is_empty: the line has no text. */
static trib_status read_row(table *t, bool *is_empty, trib_error *error) {
    bool ends = false;
    size_t n = 0;
    trib_status status = TRIB_OK;
    t->line = t->cells.line;
    *is_empty = true;
    for (size_t c = 0; c < N_COLUMNS; c++) trib_buffer_clear(&t->cell[c]);
    for (; !ends && status == TRIB_OK; n++) {
        status = read_cell(t, &ends, error);
        *is_empty = *is_empty && t->cells.cell.length == 0;
        for (size_t c = 0; c < N_COLUMNS && status == TRIB_OK; c++)
            if (t->place[c] == n)
                status =
                    trib_buffer_add(&t->cell[c], t->cells.cell.text, t->cells.cell.length, error);
    }
    if (status == TRIB_OK && !*is_empty && n != t->n_columns)
        status = trib_fail(error, TRIB_INPUT,
                           "%s:%zu: %zu cells, but the first line has %zu; write a text with a "
                           "comma or a quote between quotes",
                           t->name, t->line, n, t->n_columns);
    return status;
}

static const char *cell_of(const table *t, size_t column) {
    return t->cell[column].text ? t->cell[column].text : "";
}

/* Appends the key of a passage: both ids and the first and last word in both. */
static trib_status add_key(trib_buffer *key, const char *target, const char *source,
                           const double word[4], trib_error *error) {
    trib_buffer_clear(key);
    return trib_buffer_print(key, error, "%s %s %.0f %.0f %.0f %.0f", target, source, word[0],
                             word[1], word[2], word[3]);
}

/* Makes the key of the row, and checks its cells. */
static trib_status read_key(const table *t, trib_buffer *key, trib_error *error) {
    double word[4];
    for (size_t w = 0; w < 4; w++) {
        const char *text = cell_of(t, 2 + w);
        if (!trib_read_double(text, &word[w]) || !(word[w] >= 1) || word[w] != floor(word[w]))
            return trib_fail(error, TRIB_INPUT,
                             "%s:%zu: '%.100s' in column %s is not the number of a word; words are "
                             "counted from 1",
                             t->name, t->line, text, columns[2 + w]);
    }
    const char *judgement = cell_of(t, JUDGEMENT);
    if (*judgement && strcmp(judgement, "accepted") != 0 && strcmp(judgement, "rejected") != 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s:%zu: '%.100s' is no judgement; write accepted or rejected, or leave "
                         "the cell empty",
                         t->name, t->line, judgement);
    return add_key(key, cell_of(t, 0), cell_of(t, 1), word, error);
}

/* Reads all rows: {"KEY": {"judgement", "note", "line"}}. */
static trib_status read_rows(table *t, json_t *judged, trib_error *error) {
    trib_buffer key = {0};
    trib_status status = read_header(t, error);
    while (status == TRIB_OK && t->cells.at < t->cells.end) {
        bool is_empty = false;
        status = read_row(t, &is_empty, error);
        if (status != TRIB_OK || is_empty) continue;
        status = read_key(t, &key, error);
        if (status != TRIB_OK) break;
        const json_t *before = json_object_get(judged, key.text);
        if (before) {
            status = trib_fail(error, TRIB_INPUT,
                               "%s:%zu: line %lld judges the same passage; remove one of the two",
                               t->name, t->line,
                               (long long)json_integer_value(json_object_get(before, "line")));
            break;
        }
        const char *note = cell_of(t, NOTE);
        if (note[0] == '\'' && note[1] != '\0' && strchr("=+-@\t\r", note[1])) note++;
        json_object_set_new(judged, key.text,
                            json_pack("{s:o, s:o, s:I}", "judgement",
                                      trib_json_text(cell_of(t, JUDGEMENT)), "note",
                                      trib_json_text(note), "line", (json_int_t)t->line));
    }
    trib_buffer_release(&key);
    return status;
}

/* Reads the file into an object as read_rows does. */
static trib_status read_file(const char *file, json_t *judged, trib_error *error) {
    static const char mark[] = "\xEF\xBB\xBF"; /* a byte order mark, which spreadsheets write */
    trib_buffer text = {0};
    table t = {.name = file};
    trib_status status = trib_read_whole(file, &text, error);
    if (status == TRIB_OK) {
        const size_t n_mark = text.length >= 3 && memcmp(text.text, mark, 3) == 0 ? 3 : 0;
        trib_cells_begin(&t.cells, text.text ? text.text + n_mark : "", text.length - n_mark, 0);
        status = read_rows(&t, judged, error);
    }
    for (size_t c = 0; c < N_COLUMNS; c++) trib_buffer_release(&t.cell[c]);
    trib_cells_release(&t.cells);
    trib_buffer_release(&text);
    return status;
}

/* ---- The result ------------------------------------------------------------------------------ */

/* The change. */
typedef struct judging {
    json_t *judged; /* as read_rows makes it, without the passages that were found */
    trib_judgements_record counts;
} judging;

/* Returns whether a passage was accepted, and adds its note. Removes and counts its judgement. */
static bool take(judging *by, const char *key, trib_passage_record *passage, trib_arena *arena) {
    const json_t *judgement = json_object_get(by->judged, key);
    const char *is = trib_json_get_text(judgement, "judgement"),
               *note = trib_json_get_text(judgement, "note");
    const bool accepted = strcmp(is, "accepted") == 0;
    by->counts.accepted += accepted;
    by->counts.rejected += strcmp(is, "rejected") == 0;
    if (accepted && *note) passage->note = trib_arena_copy(arena, note, strlen(note));
    json_object_del(by->judged, key);
    return accepted;
}

/* Reduces the passages of a target to the accepted ones. */
static trib_status judge_target(void *context, trib_target_record *target, trib_arena *arena,
                                trib_error *error) {
    trib_buffer key = {0};
    trib_status status = TRIB_OK;
    for (size_t e = 0; e < target->evidence.n; e++) {
        trib_evidence_record *const about = &target->evidence.item[e];
        size_t n = 0;
        for (size_t p = 0; p < about->passages.n && status == TRIB_OK; p++) {
            trib_passage_record *const passage = &about->passages.item[p];
            const trib_place_record *const side[2] = {passage->target, passage->source};
            double word[4];
            for (size_t s = 0; s < 2; s++) {
                word[2 * s] = (double)side[s]->first;
                word[2 * s + 1] = word[2 * s] + (double)side[s]->words - 1;
            }
            status = add_key(&key, target->target, about->source ? about->source : "", word, error);
            if (status == TRIB_OK && take(context, key.text, passage, arena))
                about->passages.item[n++] = *passage;
        }
        about->n_passages = about->passages.n = n;
    }
    trib_buffer_release(&key);
    return status;
}

/* Fails for the first row that is not about a passage of the run. */
static trib_status check_rest(const char *file, json_t *judged, trib_error *error) {
    json_int_t first = 0;
    const char *key;
    json_t *judgement;
    json_object_foreach(judged, key, judgement) {
        const json_int_t line = json_integer_value(json_object_get(judgement, "line"));
        if (first == 0 || line < first) first = line;
    }
    if (first == 0) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT,
                     "%s:%lld: the report of this run lists no such passage; judgements are about "
                     "one run, so save them again in its report, or remove the line",
                     file, (long long)first);
}

trib_status trib_result_judge(trib_result *result, const char *file, trib_error *error) {
    trib_json_begin();
    judging by = {.judged = json_object()};
    trib_status status = read_file(file, by.judged, error);
    if (status == TRIB_OK) status = trib_json_check(file, error);
    if (status == TRIB_OK) status = trib_result_change(result, judge_target, &by, error);
    if (status == TRIB_OK) status = check_rest(file, by.judged, error);
    json_decref(by.judged);
    if (status != TRIB_OK) return status;
    result->judgements = trib_arena_new(&result->arena, 1, sizeof by.counts);
    if (result->judgements) *result->judgements = by.counts;
    return trib_arena_check(&result->arena, error);
}
