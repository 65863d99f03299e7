/* parallels.c - possible allusions in influence.json and parallels.tsv: both places of a pair as
 * the files spell them, with the words that they share marked. */

#include "pipeline/output/result.h"
#include "pipeline/output/result_files.h"
#include "pipeline/support/tables.h"

static const char *id_of(const trib_run_results *results, uint32_t document) {
    return results->corpus->document[document].about->id;
}

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
    uint8_t *marked = NULL;
    trib_status status = TRIB_NEW(&marked, unit->n, "a quotation", error);
    for (size_t i = 0; status == TRIB_OK && i < pair->n_words; i++)
        marked[(in_source ? word[i].source : word[i].target) - unit->first] = 1;
    if (status == TRIB_OK)
        status = trib_quote_words(made, arena, quotes,
                                  in_source ? source_of(target, pair) : target->about->document,
                                  unit->first, unit->n, marked, error);
    trib_free(marked);
    return status;
}

/* Fills in pair i of a target; the words that both places share, the rarest first. */
static trib_status fill_pair(trib_parallel_record *record, trib_arena *arena, trib_quotes *quotes,
                             const trib_target_results *target, size_t i, trib_error *error) {
    const trib_allusions *const list = target->allusions;
    const trib_allusion *const pair = &list->pair[i];
    *record = (trib_parallel_record){.rank = i + 1,
                                     .score = pair->score,
                                     .source = id_of(quotes->results, source_of(target, pair)),
                                     .distance = pair->n_words > 1 ? pair->distance : TRIB_ABSENT,
                                     .cosine = pair->cosine};
    for (size_t w = 0; w < pair->n_words; w++) {
        const trib_allusion_word *const word = &list->word[pair->first_word + w];
        trib_shared_word_record *const shared =
            trib_arena_append(arena, &record->shared, sizeof *shared);
        if (shared)
            *shared = (trib_shared_word_record){list->text.text + word->feature, word->count,
                                                word->target + 1, word->source + 1};
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

/* Writes the place of a pair in one text: first word, words, first byte, end, text. */
static void write_place(trib_writer *writer, const trib_place_record *place, trib_arena *arena) {
    const uint64_t numbers[] = {place->first, place->words, place->from, place->to};
    const char *text = "";
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        trib_print(writer, "\t%llu", (unsigned long long)numbers[i]);
    trib_write_text(writer, "\t");
    for (size_t i = 0; i < place->text.n; i++)
        text = trib_arena_print(arena, "%s%s", text, place->text.item[i]);
    trib_write_tab_cell(writer, text);
}

/* Writes the features as "arma 12; vir 33". */
static void write_shared(trib_writer *writer, const trib_shared_word_records *shared) {
    for (size_t i = 0; i < shared->n; i++) {
        trib_write_text(writer, i > 0 ? "; " : "");
        trib_write_tab_cell(writer, shared->item[i].feature);
        trib_print(writer, " %llu", (unsigned long long)shared->item[i].count);
    }
}

static void write_pair(trib_writer *writer, const char *target, const trib_parallel_record *pair,
                       trib_arena *arena) {
    trib_print(writer, "%s\t%llu\t", target, (unsigned long long)pair->rank);
    trib_write_number(writer, pair->score);
    trib_print(writer, "\t%s", pair->source);
    write_place(writer, pair->in_target, arena);
    write_place(writer, pair->in_source, arena);
    trib_write_text(writer, "\t");
    write_shared(writer, &pair->shared);
    trib_write_text(writer, "\t");
    if (pair->distance != TRIB_ABSENT)
        trib_print(writer, "%llu", (unsigned long long)pair->distance);
    trib_write_text(writer, "\t");
    trib_write_number(writer, pair->cosine);
    trib_write_text(writer, "\n");
}

trib_status trib_parallels_write(const void *what, trib_writer *writer, trib_error *error) {
    const trib_run_results *results = what;
    trib_quotes quotes;
    trib_status status = trib_quotes_open(&quotes, results, error);
    trib_write_text(writer, "target\trank\tscore\tsource\ttarget_first\ttarget_words\ttarget_from\t"
                            "target_to\ttarget_text\tsource_first\tsource_words\tsource_from\t"
                            "source_to\tsource_text\tshared\tdistance\tcosine\n");
    for (uint32_t t = 0; t < results->corpus->n_targets; t++) {
        const trib_target_results *target = &results->target[t];
        for (size_t i = 0; status == TRIB_OK && i < target->allusions->n; i++) {
            trib_parallel_record pair;
            trib_arena arena = {0};
            status = fill_pair(&pair, &arena, &quotes, target, i, error);
            if (status == TRIB_OK) status = trib_arena_check(&arena, error);
            if (status == TRIB_OK)
                write_pair(writer, id_of(results, target->about->document), &pair, &arena);
            if (status == TRIB_OK) status = trib_arena_check(&arena, error);
            trib_arena_release(&arena);
        }
    }
    trib_quotes_close(&quotes);
    return status;
}
