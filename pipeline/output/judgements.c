/* judgements.c - judgements of passages, which the report saves as CSV (judge.js): reads those of
 * one judge or several, reduces a result to the passages that were accepted, and takes those that
 * were rejected out of its numbers. */

#include "pipeline/output/result.h"
#include "pipeline/text/table.h"

/* The columns of the file, in the order of the words of a key; the last three may be absent. */
enum { KEY = 6, JUDGEMENT = 6, NOTE = 7, JUDGE = 8, TAGS = 9, N_COLUMNS = 10 };
static const char *const columns[N_COLUMNS] = {
    "target",      "source",    "target_first", "target_last", "source_first",
    "source_last", "judgement", "note",         "judge",       "tags"};

/* The state of reading the file. */
typedef struct table {
    const char *name;
    const char *judge; /* of a row without one */
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

/* Adds the row to judged: {"KEY": {"JUDGE": {"judgement", "note", "tags", "line", "file"}}}. */
static trib_status add_row(const table *t, const char *key, json_t *judged, trib_error *error) {
    const char *judge = *cell_of(t, JUDGE) ? cell_of(t, JUDGE) : t->judge, *note = cell_of(t, NOTE);
    json_t *all = json_object_get(judged, key);
    if (!all) json_object_set_new(judged, key, all = json_object());
    const json_t *before = json_object_get(all, judge);
    if (before)
        return trib_fail(error, TRIB_INPUT,
                         "%s:%zu: line %lld of %s judges the same passage for the same judge; "
                         "remove one of the two, or name the judges in a column 'judge'",
                         t->name, t->line,
                         (long long)json_integer_value(json_object_get(before, "line")),
                         trib_json_get_text(before, "file"));
    if (note[0] == '\'' && note[1] != '\0' && strchr("=+-@\t\r", note[1])) note++;
    json_object_set_new(all, judge,
                        json_pack("{s:o, s:o, s:o, s:I, s:o}", "judgement",
                                  trib_json_text(cell_of(t, JUDGEMENT)), "note",
                                  trib_json_text(note), "tags", trib_json_text(cell_of(t, TAGS)),
                                  "line", (json_int_t)t->line, "file", trib_json_text(t->name)));
    return TRIB_OK;
}

static trib_status read_rows(table *t, json_t *judged, trib_error *error) {
    TRIB_OWNED(trib_buffer) key = {0};
    trib_status status = read_header(t, error);
    while (status == TRIB_OK && t->cells.at < t->cells.end) {
        bool is_empty = false;
        status = read_row(t, &is_empty, error);
        if (status != TRIB_OK || is_empty) continue;
        status = read_key(t, &key, error);
        if (status == TRIB_OK) status = add_row(t, key.text, judged, error);
    }
    return status;
}

/* Adds the rows of a file to `judged`. */
static trib_status read_file(const char *file, const char *judge, json_t *judged,
                             trib_error *error) {
    static const char mark[] = "\xEF\xBB\xBF"; /* a byte order mark, which spreadsheets write */
    TRIB_OWNED(trib_buffer) text = {0};
    table t = {.name = file, .judge = judge};
    trib_status status = trib_read_whole(file, &text, error);
    if (status == TRIB_OK) {
        const size_t n_mark = text.length >= 3 && memcmp(text.text, mark, 3) == 0 ? 3 : 0;
        trib_cells_begin(&t.cells, text.text ? text.text + n_mark : "", text.length - n_mark, 0);
        status = read_rows(&t, judged, error);
    }
    for (size_t c = 0; c < N_COLUMNS; c++) trib_buffer_release(&t.cell[c]);
    trib_cells_release(&t.cells);
    return status;
}

/* ---- The result ------------------------------------------------------------------------------ */

/* The change. */
typedef struct judging {
    trib_result *result;
    json_t *judged; /* as add_row makes it, without the passages that were found */
    trib_judgements_record counts;
} judging;

enum verdict { OPEN, ACCEPTED, REJECTED, DISPUTED };

static enum verdict verdict_of(const json_t *judgement) {
    const char *is = trib_json_get_text(judgement, "judgement");
    return strcmp(is, "accepted") == 0 ? ACCEPTED : strcmp(is, "rejected") == 0 ? REJECTED : OPEN;
}

/* Returns what all judges say of a passage or a possible allusion, and adds their notes and tags to
 * *note of one that is accepted. Removes and counts its judgements. */
static enum verdict take(judging *by, const char *key, const char **note_of, trib_arena *arena) {
    unsigned said = OPEN; /* the bits of all verdicts */
    const char *judge, *notes = "";
    json_t *judgement;
    json_object_foreach(json_object_get(by->judged, key), judge, judgement) {
        const char *const note = trib_json_get_text(judgement, "note");
        const char *const tags = trib_json_get_text(judgement, "tags");
        said |= verdict_of(judgement);
        if (*note || *tags)
            notes = trib_arena_print(arena, "%s%s%s%s%s%s", notes, *notes ? "; " : "", note,
                                     *tags ? *note ? " [" : "[" : "", tags, *tags ? "]" : "");
    }
    by->counts.passages++;
    by->counts.accepted += said == ACCEPTED;
    by->counts.rejected += said == REJECTED;
    by->counts.disputed += said == DISPUTED;
    if (said == ACCEPTED && *notes) *note_of = notes;
    json_object_del(by->judged, key);
    return said;
}

/* Takes mass out of a share, which has no interval then; returns how much it was. */
static double take_out(double *share, double *low, double *high, double mass) {
    const double taken = fmin(*share, mass);
    *share -= taken;
    *low = *high = (double)NAN;
    return taken;
}

static bool is_among(const trib_texts *members, const char *source) {
    for (size_t m = 0; m < members->n; m++)
        if (strcmp(members->item[m], source) == 0) return true;
    return false;
}

/* Takes the mass of rejected passages out of the edge from the source; one that falls below the
 * floor is none. The paths along the edges are no longer known. */
static void lower_edge(trib_graph_record *graph, const trib_target_record *target,
                       const char *source, double mass) {
    size_t n = 0;
    if (!graph) return;
    for (size_t e = 0; e < graph->edges.n; e++) {
        trib_edge_record *const edge = &graph->edges.item[e];
        const bool is_it = strcmp(edge->target, target->target) == 0 &&
                           (strcmp(edge->source, source) == 0 || is_among(&edge->members, source));
        if (is_it) (void)take_out(&edge->share, &edge->low, &edge->high, mass);
        if (!is_it || edge->share > target->floor) graph->edges.item[n++] = *edge;
    }
    graph->edges.n = n;
    graph->paths.n = 0;
}

/* Takes the mass of rejected passages out of the share of the source by the headline method, and as
 * large a part out of its words that are the same. What is taken out is the author's. */
static void lower(const judging *by, trib_target_record *target, trib_evidence_record *about,
                  double mass) {
    const double left = about->share > mass ? 1 - mass / about->share : 0;
    about->share *= left;
    about->strip = (trib_whole_numbers){0};
    for (size_t m = 0; m < target->methods.n; m++) {
        trib_influence_record *const method = &target->methods.item[m];
        const bool is_headline = strcmp(method->method, by->result->headline) == 0;
        for (size_t s = 0; s < method->shares.n; s++) {
            trib_share_record *const share = &method->shares.item[s];
            if (strcmp(share->source, about->source) != 0) continue;
            if (strcmp(method->method, "verbatim") == 0) share->share *= left;
            if (!is_headline) continue;
            const double taken = take_out(&share->share, &share->low, &share->high, mass);
            share->below_floor = share->share <= target->floor;
            if (!share->group) method->author += taken;
        }
        for (size_t g = 0; g < method->groups.n && is_headline; g++) {
            trib_group_record *const group = &method->groups.item[g];
            if (!is_among(&group->members, about->source)) continue;
            method->author += take_out(&group->share, &group->low, &group->high, mass);
            group->below_floor = group->share <= target->floor;
        }
    }
    lower_edge(by->result->graph, target, about->source, mass);
}

/* Finds what is said of a passage between the places. */
static trib_status judge_places(enum verdict *is, judging *by, const trib_target_record *target,
                                const char *source, const trib_place_record *here,
                                const trib_place_record *there, const char **note,
                                trib_arena *arena, trib_error *error) {
    const trib_place_record *const side[2] = {here, there};
    TRIB_OWNED(trib_buffer) key = {0};
    double word[4];
    for (size_t s = 0; s < 2; s++) {
        word[2 * s] = (double)side[s]->first;
        word[2 * s + 1] = word[2 * s] + (double)side[s]->words - 1;
    }
    const trib_status status = add_key(&key, target->target, source ? source : "", word, error);
    if (status == TRIB_OK) *is = take(by, key.text, note, arena);
    return status;
}

/* Reduces the passages and the possible allusions of a target to the accepted ones, and its shares
 * by the rejected ones. */
static trib_status judge_target(void *context, trib_target_record *target, trib_arena *arena,
                                trib_error *error) {
    trib_parallel_records *const pairs = &target->parallels;
    size_t n_pairs = 0;
    enum verdict verdict = OPEN;
    trib_status status = TRIB_OK;
    for (size_t e = 0; e < target->evidence.n; e++) {
        trib_evidence_record *const about = &target->evidence.item[e];
        double rejected = 0;
        size_t n = 0, n_rejected = 0, n_translated = 0;
        for (size_t p = 0; p < about->passages.n && status == TRIB_OK; p++) {
            trib_passage_record *const passage = &about->passages.item[p];
            status = judge_places(&verdict, context, target, about->source, passage->target,
                                  passage->source, &passage->note, arena, error);
            if (verdict == REJECTED && passage->mass > 0) rejected += passage->mass;
            n_translated += passage->translated; /* which have no mass */
            n_rejected += verdict == REJECTED && !passage->translated;
            if (verdict == ACCEPTED) about->passages.item[n++] = *passage;
        }
        /* what is not listed is weaker than what is */
        if (n_rejected > 0 && n_rejected + n_translated == about->passages.n) rejected = HUGE_VAL;
        if (rejected > 0 && about->source) lower(context, target, about, rejected);
        about->n_passages = about->passages.n = n;
    }
    for (size_t p = 0; p < pairs->n && status == TRIB_OK; p++) {
        trib_parallel_record *const pair = &pairs->item[p];
        status = judge_places(&verdict, context, target, pair->source, pair->in_target,
                              pair->in_source, &pair->note, arena, error);
        if (verdict == ACCEPTED) pairs->item[n_pairs++] = *pair;
    }
    pairs->n = target->n_parallels = n_pairs;
    if (n_pairs == 0) *pairs = (trib_parallel_records){0};
    return status;
}

/* Fails for the first row that is not about a passage of the run. */
static trib_status check_rest(json_t *judged, trib_error *error) {
    const json_t *first = NULL;
    const char *key, *judge;
    json_t *all, *row;
    json_object_foreach(judged, key, all) json_object_foreach(all, judge, row) {
        if (!first || json_integer_value(json_object_get(row, "line")) <
                          json_integer_value(json_object_get(first, "line")))
            first = row;
    }
    if (!first) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT,
                     "%s:%lld: the report of this run lists no such passage; judgements are about "
                     "one run, so save them again in its report, or remove the line",
                     trib_json_get_text(first, "file"),
                     (long long)json_integer_value(json_object_get(first, "line")));
}

/* Names the judges, and, of two, computes how far they agree beyond chance (Cohen 1960). */
static void compare_judges(judging *by, trib_arena *arena) {
    enum { MOST = 8 };
    double n[3][3] = {{0}}, sum = 0, by_chance = 0;
    const char *name[MOST] = {NULL}, *key, *judge;
    size_t n_judges = 0;
    json_t *all, *row;
    json_object_foreach(by->judged, key, all) {
        enum verdict is[MOST] = {OPEN};
        json_object_foreach(all, judge, row) {
            size_t j = 0;
            while (j < n_judges && strcmp(name[j], judge) != 0) j++;
            if (j == MOST) continue;
            if (j == n_judges) name[n_judges++] = trib_arena_text(arena, judge);
            is[j] = verdict_of(row);
        }
        n[is[0]][is[1]]++;
    }
    for (size_t j = 0; j < n_judges && arena->failure.status == TRIB_OK; j++)
        by->counts.judges = j == 0 ? name[0]
                                   : trib_arena_print(arena, "%s%s%s", by->counts.judges,
                                                      j + 1 < n_judges ? ", " : " and ", name[j]);
    by->counts.kappa = (double)NAN;
    if (n_judges != 2) return;
    for (unsigned i = ACCEPTED; i <= REJECTED; i++) sum += n[i][ACCEPTED] + n[i][REJECTED];
    for (unsigned i = ACCEPTED; i <= REJECTED; i++)
        by_chance +=
            (n[i][ACCEPTED] + n[i][REJECTED]) / sum * ((n[ACCEPTED][i] + n[REJECTED][i]) / sum);
    by->counts.both = (uint64_t)sum;
    if (sum > 0 && by_chance < 1)
        by->counts.kappa =
            ((n[ACCEPTED][ACCEPTED] + n[REJECTED][REJECTED]) / sum - by_chance) / (1 - by_chance);
}

/* Reads the files. Of several, one without initials is that of its own judge, named after it. */
static trib_status read_files(const char *files, json_t *judged, trib_error *error) {
    TRIB_OWNED(trib_buffer) name = {0};
    trib_status status = TRIB_OK;
    for (const char *at = files; at && status == TRIB_OK;) {
        const char *const comma = strchr(at, ',');
        trib_buffer_clear(&name);
        status = trib_buffer_add(&name, at, comma ? (size_t)(comma - at) : strlen(at), error);
        if (status != TRIB_OK) break;
        const char *const slash = strrchr(name.text, '/'), *base = slash ? slash + 1 : name.text;
        status = read_file(name.text, strchr(files, ',') ? base : "", judged, error);
        at = comma ? comma + 1 : NULL;
    }
    return status;
}

trib_status trib_result_judge(trib_result *result, const char *files, trib_error *error) {
    trib_json_begin();
    judging by = {.result = result, .judged = json_object()};
    trib_status status = read_files(files, by.judged, error);
    if (status == TRIB_OK) status = trib_json_check(files, error);
    if (status == TRIB_OK) compare_judges(&by, &result->arena);
    if (status == TRIB_OK) status = trib_result_change(result, judge_target, &by, error);
    if (status == TRIB_OK) status = check_rest(by.judged, error);
    json_decref(by.judged);
    if (status != TRIB_OK) return status;
    result->judgements = trib_arena_new(&result->arena, 1, sizeof by.counts);
    if (result->judgements) *result->judgements = by.counts;
    return trib_arena_check(&result->arena, error);
}
