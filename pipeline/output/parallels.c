/* parallels.c - possible allusions in influence.json and parallels.tsv: both places of a pair as
 * the files spell them, with the words that they share marked. */

#include "pipeline/output/result.h"
#include "pipeline/output/result_files.h"

/* The document of the source of a pair. */
static uint32_t source_of(const trib_target_results *target, const trib_allusion *pair) {
    return target->about->source[pair->from];
}

/* Quotes one side of a pair. */
static trib_status make_place(trib_place_record **made, trib_arena *arena, trib_quotes *quotes,
                              const trib_target_results *target, const trib_allusion *pair,
                              bool in_source, trib_error *error) {
    const trib_parallel_unit *unit = in_source ? &pair->source : &pair->target;
    const trib_allusion_word *word = target->allusions->word + pair->first_word;
    TRIB_FREED(uint8_t *) marked = NULL;
    trib_status status = TRIB_NEW(&marked, unit->n, "a quotation", error);
    for (size_t i = 0; status == TRIB_OK && i < pair->n_words; i++)
        marked[(in_source ? word[i].source : word[i].target) - unit->first] = 1;
    if (status == TRIB_OK)
        status = trib_quote_words(made, arena, quotes,
                                  in_source ? source_of(target, pair) : target->about->document,
                                  unit->first, unit->n, marked, error);
    return status;
}

/* Fills in pair i of a target; the words that both places share, the rarest first. */
static trib_status fill_pair(trib_parallel_record *record, trib_arena *arena, trib_quotes *quotes,
                             const trib_target_results *target, size_t i, trib_error *error) {
    const trib_allusions *const list = target->allusions;
    const trib_allusion *const pair = &list->pair[i];
    *record =
        (trib_parallel_record){.rank = i + 1,
                               .score = pair->score,
                               .source = trib_results_id(quotes->results, source_of(target, pair)),
                               .distance = pair->n_words > 1 ? pair->distance : TRIB_ABSENT,
                               .cosine = pair->cosine};
    for (size_t w = 0; w < pair->n_words; w++) {
        const trib_allusion_word *const word = &list->word[pair->first_word + w];
        TRIB_ADD(
            arena, &record->shared, trib_shared_word_record,
            {list->text.text + word->feature, word->count, word->target + 1, word->source + 1});
    }
    const trib_status status =
        make_place(&record->in_target, arena, quotes, target, pair, false, error);
    return status == TRIB_OK
               ? make_place(&record->in_source, arena, quotes, target, pair, true, error)
               : status;
}

static bool is_within(const trib_parallel_unit *unit, const trib_quoted *quoted,
                      const trib_passage *passage, bool in_source) {
    size_t first, last;
    trib_quotes_span(quoted, passage, in_source, &first, &last);
    return unit->first >= first && unit->first + unit->n - 1 <= last;
}

/* Whether both places of a pair lie in one passage, which shows more than the pair. */
static trib_status find_in_passages(bool *found, trib_quotes *quotes,
                                    const trib_target_results *target, const trib_allusion *pair,
                                    trib_error *error) {
    const uint32_t own = target->about->document, source = source_of(target, pair);
    *found = false;
    if (!target->findings->passages || target->findings->passages[pair->from].n == 0)
        return TRIB_OK;
    const trib_passages *const passages = &target->findings->passages[pair->from];
    trib_status status = trib_quotes_prepare(quotes, own, error);
    if (status == TRIB_OK) status = trib_quotes_prepare(quotes, source, error);
    for (size_t p = 0; p < passages->n && status == TRIB_OK && !*found; p++)
        *found = is_within(&pair->target, &quotes->document[own], &passages->passage[p], false) &&
                 is_within(&pair->source, &quotes->document[source], &passages->passage[p], true);
    return status;
}

trib_status trib_result_add_parallels(trib_target_record *record, trib_arena *arena,
                                      trib_quotes *quotes, const trib_target_results *target,
                                      size_t most, trib_error *error) {
    const size_t n = target->allusions->n;
    trib_status status = TRIB_OK;
    record->n_parallels = n;
    trib_arena_list(arena, &record->parallels);
    for (size_t i = 0; i < n && record->parallels.n < most && status == TRIB_OK; i++) {
        bool is_in_passage;
        status =
            find_in_passages(&is_in_passage, quotes, target, &target->allusions->pair[i], error);
        if (status != TRIB_OK || is_in_passage) continue;
        trib_parallel_record *const pair =
            trib_arena_append(arena, &record->parallels, sizeof *pair);
        status = pair ? fill_pair(pair, arena, quotes, target, i, error)
                      : trib_arena_check(arena, error);
    }
    return status;
}

/* ---- parallels.tsv --------------------------------------------------------------------------- */

static trib_cell text_of(const trib_place_record *place, trib_arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < place->text.n; i++)
        text = trib_arena_print(arena, "%s%s", text, place->text.item[i]);
    return trib_text_cell(text);
}

/* The features as "arma 12; vir 33". */
static trib_cell list_shared(const trib_shared_word_records *shared, trib_arena *arena) {
    const char *list = "";
    for (size_t i = 0; i < shared->n; i++)
        list = trib_arena_print(arena, "%s%s%s %llu", list, i > 0 ? "; " : "",
                                shared->item[i].feature, (unsigned long long)shared->item[i].count);
    return trib_text_cell(list);
}

static trib_status put_pair(trib_rows *rows, const char *target, const trib_parallel_record *pair,
                            trib_arena *arena, trib_error *error) {
    const trib_place_record *const own = pair->in_target, *const theirs = pair->in_source;
    const trib_cell text = text_of(own, arena), source_text = text_of(theirs, arena),
                    shared = list_shared(&pair->shared, arena);
    const trib_status status = trib_arena_check(arena, error);
    if (status == TRIB_OK)
        TRIB_PUT_ROW(
            rows, trib_text_cell(target), trib_count_cell(pair->rank),
            trib_number_cell(pair->score), trib_text_cell(pair->source),
            trib_count_cell(own->first), trib_count_cell(own->words), trib_count_cell(own->from),
            trib_count_cell(own->to), text, trib_count_cell(theirs->first),
            trib_count_cell(theirs->words), trib_count_cell(theirs->from),
            trib_count_cell(theirs->to), source_text, shared,
            pair->distance == TRIB_ABSENT ? trib_empty_cell() : trib_count_cell(pair->distance),
            trib_number_cell(pair->cosine));
    return status;
}

static trib_status write_parallels(const trib_run_results *results, trib_rows *rows,
                                   trib_error *error) {
    TRIB_OPENED(trib_quotes) quotes = {0};
    trib_status status = trib_quotes_open(&quotes, results, error);
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        for (size_t i = 0; status == TRIB_OK && i < target->allusions->n; i++) {
            trib_parallel_record pair;
            TRIB_OWNED(trib_arena) arena = {0};
            status = fill_pair(&pair, &arena, &quotes, target, i, error);
            if (status == TRIB_OK) status = trib_arena_check(&arena, error);
            if (status == TRIB_OK)
                status = put_pair(rows, trib_results_id(results, target->about->document), &pair,
                                  &arena, error);
        }
    }
    return status;
}

const trib_result_table trib_table_parallels = {
    "target #rank %score source #target_first #target_words #target_from #target_to target_text "
    "#source_first #source_words #source_from #source_to source_text shared #distance %cosine",
    NULL, write_parallels, true};
