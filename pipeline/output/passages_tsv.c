/* passages_tsv.c - passages.tsv: a row for every passage of every pair that the run has found. Of a
 * short target the file has a row for each place; tables that leave nothing out have all rows. And
 * families.tsv: a row for every place of a target that sources hold, with its witnesses. */

#include "base/internal.h"
#include "pipeline/config/config.h"
#include "pipeline/output/result.h"
#include "pipeline/output/result_files.h"

static bool is_there(const trib_run_results *results) {
    for (uint32_t t = 0; t < results->corpus->n_targets; t++)
        if (results->target[t].findings && results->target[t].findings->passages &&
            results->words->document[results->target[t].about->document].file)
            return true;
    return false;
}

/* A passage and its source. */
typedef struct numbered {
    const trib_passage *passage;
    const trib_passages *all; /* of its source */
    uint32_t n_left_out;      /* other passages of its family, without a row */
} numbered;

TRIB_ORDER(by_number, numbered, TRIB_UP(passage->number));

/* Sets *list to the passages of a target in its order; `are_few`: to the first of each family. */
static trib_status list_passages(numbered **list, size_t *n, const trib_findings *findings,
                                 bool are_few, trib_error *error) {
    const trib_families *const families = &findings->families;
    const trib_status status = TRIB_NEW(list, families->n_members, "passages.tsv", error);
    *n = 0;
    if (status != TRIB_OK) return status;
    for (size_t f = 0; f < families->n; f++)
        for (uint32_t i = 0; i < (are_few ? 1 : families->family[f].n); i++) {
            const trib_family_member *const member =
                &families->member[families->family[f].first + i];
            const trib_passages *const all = &findings->passages[member->source];
            (*list)[(*n)++] = (numbered){&all->passage[member->passage], all,
                                         are_few ? families->family[f].n - 1 : 0};
        }
    if (*n > 1) qsort(*list, *n, sizeof **list, by_number);
    return TRIB_OK;
}

/* What rows are made with. */
typedef struct row {
    trib_rows *rows;
    trib_quotes *quotes;
    trib_buffer text[2]; /* quotations of the target and the source */
    bool is_short;       /* the target is, and an equal text is not repeated */
    trib_buffer before;  /* its last target_text */
} row;

/* One side of a passage: the words first .. last of a document, and its place there. */
typedef struct side {
    uint32_t document;
    size_t first, last;
    size_t from, end;        /* bytes */
    trib_cell characters[2]; /* as the bytes */
    trib_cell reference;
    char text[TRIB_REFERENCE_MAX]; /* of the reference */
} side;

static void find_side(side *s, const row *to, uint32_t document, const trib_passage *passage,
                      bool in_source) {
    const trib_quoted *quoted = &to->quotes->document[document];
    *s = (side){.document = document};
    trib_quotes_span(quoted, passage, in_source, &s->first, &s->last);
    s->from = quoted->place[s->first].offset;
    s->end = quoted->place[s->last].end;
    s->characters[0] = s->characters[1] = s->reference = trib_empty_cell();
    if (quoted->text.n_lines == 0) return;
    s->characters[0] = trib_count_cell(trib_text_character_at(&quoted->text, s->from));
    s->characters[1] = trib_count_cell(trib_text_character_at(&quoted->text, s->end));
    trib_quote_reference(s->text, to->quotes, document, s->first, s->last);
    s->reference = trib_text_cell(s->text);
}

/* Quotes a side. For a short target, a text equal to the last target_text is left out. */
static trib_status quote(trib_cell *cell, row *to, const side *s, trib_buffer *text,
                         trib_error *error) {
    text->length = 0;
    const trib_status status =
        trib_quote_plainly(text, to->quotes, s->document, s->first, s->last, error);
    const size_t n = text->length;
    const bool is_repeated = to->is_short && n > 0 && n == to->before.length &&
                             memcmp(text->text, to->before.text, n) == 0;
    *cell = trib_text_cell(n > 0 && !is_repeated ? text->text : NULL);
    return status;
}

static trib_status quote_both(trib_cell text[2], row *to, const side *own, const side *theirs,
                              trib_error *error) {
    trib_status status = quote(&text[0], to, own, &to->text[0], error);
    if (status == TRIB_OK && to->is_short && to->text[0].length > 0) {
        trib_buffer_clear(&to->before);
        status = trib_buffer_add(&to->before, to->text[0].text, to->text[0].length, error);
    }
    return status == TRIB_OK ? quote(&text[1], to, theirs, &to->text[1], error) : status;
}

/* The rarest words of a passage, separated by spaces. */
static const char *list_rarest(trib_arena *arena, const trib_vocab *vocab,
                               const trib_passage *passage) {
    const char *list = "";
    for (uint32_t i = 0; i < passage->n_rarest; i++)
        list = trib_arena_print(arena, "%s%s%s", list, i > 0 ? " " : "",
                                vocab->word[passage->rarest[i]]);
    return list;
}

static trib_status put_passage(row *to, uint32_t target, const numbered *of, trib_error *error) {
    const trib_run_results *results = to->quotes->results;
    const trib_passage *passage = of->passage;
    const char *id = trib_results_id(results, target);
    TRIB_OWNED(trib_arena) arena = {0};
    trib_cell text[2];
    side own, theirs;
    trib_status status = trib_quotes_prepare(to->quotes, of->all->source, error);
    if (status != TRIB_OK) return status;
    find_side(&own, to, target, passage, false);
    find_side(&theirs, to, of->all->source, passage, true);
    const char *const number = trib_arena_print(&arena, "%s:%u", id, (unsigned)passage->number),
                      *const rarest = list_rarest(&arena, results->vocab, passage);
    status = quote_both(text, to, &own, &theirs, error);
    if (status == TRIB_OK) status = trib_arena_check(&arena, error);
    if (status == TRIB_OK)
        TRIB_PUT_ROW(
            to->rows, trib_text_cell(number), trib_text_cell(id),
            trib_text_cell(trib_results_id(results, of->all->source)),
            trib_count_cell(own.first + 1), trib_count_cell(own.last - own.first + 1),
            trib_count_cell(theirs.first + 1), trib_count_cell(theirs.last - theirs.first + 1),
            trib_count_cell(passage->n_equal), trib_number_cell(passage->rarity),
            trib_text_cell(rarest), trib_flag_cell(passage->is_notable),
            trib_number_cell(passage->mass), trib_count_cell(own.from), trib_count_cell(own.end),
            own.characters[0], own.characters[1], own.reference, trib_count_cell(theirs.from),
            trib_count_cell(theirs.end), theirs.characters[0], theirs.characters[1],
            theirs.reference, text[0], text[1], trib_count_cell(of->n_left_out),
            trib_count_cell(passage->n_words),
            trib_number_cell(passage->mass * (double)results->words->document[target].n_tokens),
            trib_number_cell(passage->belief), trib_number_cell(passage->score),
            trib_count_cell(passage->family), trib_flag_cell(passage->is_translated));
    return status;
}

static trib_status put_passages(row *to, uint32_t target, const trib_findings *findings,
                                trib_error *error) {
    TRIB_FREED(numbered *) list = NULL;
    size_t n = 0;
    trib_buffer_clear(&to->before);
    trib_status status = list_passages(&list, &n, findings, to->is_short, error);
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        status = put_passage(to, target, &list[i], error);
    return status;
}

/* Puts what `put` puts of each target with passages. */
static trib_status put_targets(const trib_run_results *results, trib_rows *rows,
                               trib_status (*put)(row *to, uint32_t target,
                                                  const trib_findings *findings, trib_error *error),
                               trib_error *error) {
    TRIB_OPENED(trib_quotes) quotes = {0};
    row to = {.rows = rows, .quotes = &quotes};
    trib_status status = trib_quotes_open(&quotes, results, error);
    for (uint32_t t = 0; t < results->corpus->n_targets && status == TRIB_OK; t++) {
        const trib_target_results *target = &results->target[t];
        const uint32_t d = target->about->document;
        if (target->findings->families.n == 0 || !results->words->document[d].file) continue;
        to.is_short = rows->leaves_out && trib_target_is_short(results, target);
        trib_quotes_enter(&quotes);
        status = trib_quotes_prepare(&quotes, d, error);
        if (status == TRIB_OK) status = put(&to, d, target->findings, error);
        trib_quotes_leave(&quotes);
        trib_results_rest(results, t);
    }
    for (size_t i = 0; i < 2; i++) trib_buffer_release(&to.text[i]);
    trib_buffer_release(&to.before);
    return status;
}

static trib_status write_passages(const trib_run_results *results, trib_rows *rows,
                                  trib_error *error) {
    return put_targets(results, rows, put_passages, error);
}

bool trib_passage_files_are_there(const trib_run_results *results) {
    bool is_any = false;
    for (uint32_t t = 0; t < results->corpus->n_targets; t++)
        is_any = is_any || results->target[t].findings->families.n > 0;
    return is_any;
}

const trib_result_table trib_table_passages = {
    "id target source #target_word #target_words #source_word #source_words #shared %rarity "
    "rarest ?notable %mass #target_from #target_to #target_from_character "
    "#target_to_character target_reference #source_from #source_to #source_from_character "
    "#source_to_character source_reference target_text source_text #left_out #words %credited "
    "%belief %score #family ?translated",
    is_there, write_passages, true};

/* ---- families.tsv ---------------------------------------------------------------------------- */

static trib_status put_family(row *to, uint32_t target, const trib_findings *findings, size_t f,
                              trib_error *error) {
    const trib_quotes *const quotes = to->quotes;
    const trib_family_member *const best =
        &findings->families.member[findings->families.family[f].first];
    const char *const id = trib_results_id(quotes->results, target), *list = "";
    trib_family_record *family = NULL;
    TRIB_OWNED(trib_buffer) text = {0};
    TRIB_OWNED(trib_arena) arena = {0};
    trib_status status = trib_family_make(&family, &arena, quotes, target, findings, f, error);
    if (status == TRIB_OK && !to->is_short)
        status = trib_quote_plainly(&text, quotes, target, family->first - 1,
                                    family->first + family->words - 2, error);
    for (size_t i = 0; status == TRIB_OK && i < family->witnesses.n; i++)
        list =
            trib_arena_print(&arena, "%s%s%s", list, i > 0 ? "; " : "", family->witnesses.item[i]);
    const char *const passage =
        trib_arena_print(&arena, "%s:%u", id,
                         (unsigned)findings->passages[best->source].passage[best->passage].number);
    if (status == TRIB_OK) status = trib_arena_check(&arena, error);
    if (status == TRIB_OK)
        TRIB_PUT_ROW(
            to->rows, trib_text_cell(id), trib_count_cell(family->number),
            trib_count_cell(family->first), trib_count_cell(family->words), trib_text_cell(passage),
            trib_count_cell(findings->families.family[f].n_places),
            trib_count_cell(findings->families.family[f].n), trib_count_cell(family->witnesses.n),
            trib_text_cell(list), trib_count_cell(family->documents), trib_text_cell(family->said),
            trib_text_cell(family->by), trib_text_cell(text.text));
    return status;
}

static trib_status put_families(row *to, uint32_t target, const trib_findings *findings,
                                trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t f = 0; f < findings->families.n && status == TRIB_OK; f++)
        status = put_family(to, target, findings, f, error);
    return status;
}

static trib_status write_families(const trib_run_results *results, trib_rows *rows,
                                  trib_error *error) {
    return put_targets(results, rows, put_families, error);
}

const trib_result_table trib_table_families = {
    "target #family #word #words passage #places #passages #sources witnesses #documents said "
    "by text",
    trib_passage_files_are_there, write_families, true};
