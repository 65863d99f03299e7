/* passages_tsv.c - passages.tsv: a row for every passage of every pair that the run has found. Of a
 * short target the file has a row for each place; tables that leave nothing out have all rows. */
#include "pipeline/output/table_rows.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/output/result.h"

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
    uint32_t n_left_out;      /* passages at its place without a row */
} numbered;

/* Sets *list to the passages of a target by their numbers, which run from 1 to *n. */
static trib_status list_by_number(numbered **list, size_t *n, const trib_findings *findings,
                                  trib_error *error) {
    *n = 0;
    for (uint32_t s = 0; s < findings->n_sources; s++)
        for (size_t p = 0; p < findings->passages[s].n; p++)
            *n += findings->passages[s].passage[p].number > 0;
    const trib_status status = TRIB_NEW(list, *n, "passages.tsv", error);
    if (status != TRIB_OK) return status;
    for (uint32_t s = 0; s < findings->n_sources; s++) {
        const trib_passages *passages = &findings->passages[s];
        for (size_t p = 0; p < passages->n; p++)
            if (passages->passage[p].number > 0)
                (*list)[passages->passage[p].number - 1] =
                    (numbered){&passages->passage[p], passages, 0};
    }
    return TRIB_OK;
}

/* By descending shared words, then by descending rarity, then by number. */
static int by_strength(const void *a, const void *b) {
    const trib_passage *x = ((const numbered *)a)->passage, *y = ((const numbered *)b)->passage;
    if (x->n_words != y->n_words) return x->n_words > y->n_words ? -1 : 1;
    if (x->rarity != y->rarity) return x->rarity > y->rarity ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b) {
    const trib_passage *x = ((const numbered *)a)->passage, *y = ((const numbered *)b)->passage;
    return (x->number > y->number) - (x->number < y->number);
}

/* Drops the passages at places of the target that stronger ones show: those with more than half of
 * their n-grams in passages before them. The first of these counts them. */
static trib_status keep_places(numbered *list, size_t *n, size_t n_tokens, trib_error *error) {
    size_t *shown_by = NULL; /* [n_tokens] of each n-gram: 1 + place in the list; 0: none */
    size_t n_kept = 0;
    if (*n < 2) return TRIB_OK;
    const trib_status status = TRIB_NEW(&shown_by, n_tokens, "places of passages", error);
    if (status != TRIB_OK) return status;
    qsort(list, *n, sizeof *list, by_strength);
    for (size_t i = 0; i < *n; i++) {
        const trib_passage *passage = list[i].passage;
        size_t *by = shown_by + passage->target, n_shown = 0, first = 0;
        for (size_t k = 0; k < passage->n_target; k++) {
            n_shown += by[k] > 0;
            if (first == 0) first = by[k];
        }
        if (n_shown * 2 > passage->n_target) {
            list[first - 1].n_left_out++;
            continue;
        }
        list[n_kept++] = list[i];
        for (size_t k = 0; k < passage->n_target; k++)
            if (by[k] == 0) by[k] = n_kept;
    }
    qsort(list, n_kept, sizeof *list, by_number);
    trib_free(shown_by);
    *n = n_kept;
    return TRIB_OK;
}

/* A row while it is written. */
typedef struct row {
    trib_rows *rows;
    trib_quotes *quotes;
    trib_buffer text;
    bool is_short;      /* the target is, and an equal text is not repeated */
    trib_buffer before; /* its last target_text */
} row;

/* One side of a passage: the words first .. last of a document. */
typedef struct side {
    uint32_t document;
    size_t first, last;
} side;

static side make_side(const row *to, uint32_t document, size_t first, size_t n) {
    const trib_quoted *quoted = &to->quotes->document[document];
    return (side){document, quoted->end[first] - (to->quotes->results->config->tensor.n - 1),
                  quoted->end[first + n - 1]};
}

static void put_words(row *to, const side *s) {
    trib_put_count(to->rows, s->first + 1);
    trib_put_count(to->rows, s->last - s->first + 1);
}

/* Puts the bytes and the characters of a side, and its reference. */
static void put_place(row *to, const side *s) {
    const trib_quoted *quoted = &to->quotes->document[s->document];
    const size_t from = quoted->place[s->first].offset, end = quoted->place[s->last].end;
    char reference[TRIB_REFERENCE_MAX];
    trib_put_count(to->rows, from);
    trib_put_count(to->rows, end);
    if (quoted->text.n_lines == 0) {
        trib_put_nothing(to->rows, 3);
        return;
    }
    trib_put_count(to->rows, trib_text_character_at(&quoted->text, from));
    trib_put_count(to->rows, trib_text_character_at(&quoted->text, end));
    trib_quote_reference(reference, to->quotes, s->document, s->first, s->last);
    trib_put_text(to->rows, reference);
}

/* Puts the text of a side. For a short target, a text equal to the last target_text is left out. */
static trib_status put_quotation(row *to, const side *s, trib_error *error) {
    to->text.length = 0;
    trib_status status =
        trib_quote_plainly(&to->text, to->quotes, s->document, s->first, s->last, error);
    const size_t n = to->text.length;
    const bool is_repeated = to->is_short && n > 0 && n == to->before.length &&
                             memcmp(to->text.text, to->before.text, n) == 0;
    trib_put_text(to->rows, n > 0 && !is_repeated ? to->text.text : NULL);
    return status;
}

/* Remembers the text put last, a target_text. */
static trib_status remember(row *to, trib_error *error) {
    if (!to->is_short || to->text.length == 0) return TRIB_OK;
    trib_buffer_clear(&to->before);
    return trib_buffer_add(&to->before, to->text.text, to->text.length, error);
}

/* Puts the rarest words of a passage, separated by spaces. */
static trib_status put_rarest(row *to, const trib_passage *passage, trib_error *error) {
    const trib_vocab *vocab = to->quotes->results->vocab;
    trib_status status = TRIB_OK;
    to->text.length = 0;
    for (uint32_t i = 0; i < passage->n_rarest && status == TRIB_OK; i++)
        status = trib_buffer_print(&to->text, error, "%s%s", i > 0 ? " " : "",
                                   vocab->word[passage->rarest[i]]);
    trib_put_text(to->rows, to->text.text);
    return status;
}

static trib_status put_passage(row *to, uint32_t target, const numbered *of, trib_error *error) {
    const trib_run_results *results = to->quotes->results;
    const trib_passage *passage = of->passage;
    const char *id = results->corpus->document[target].about->id;
    trib_status status = trib_quotes_prepare(to->quotes, of->all->source, error);
    if (status != TRIB_OK) return status;
    const side own = make_side(to, target, passage->target, passage->n_target),
               theirs = make_side(to, of->all->source, passage->source, passage->n_source);
    status = trib_buffer_print(&to->text, error, "%s:%u", id, (unsigned)passage->number);
    trib_put_text(to->rows, to->text.text);
    trib_put_text(to->rows, id);
    trib_put_text(to->rows, results->corpus->document[of->all->source].about->id);
    put_words(to, &own);
    put_words(to, &theirs);
    trib_put_count(to->rows, trib_quotes_count_shared(to->quotes, target, of->all, passage));
    trib_put_number(to->rows, passage->rarity);
    if (status == TRIB_OK) status = put_rarest(to, passage, error);
    trib_put_flag(to->rows, passage->is_notable);
    trib_put_number(to->rows, passage->mass);
    put_place(to, &own);
    put_place(to, &theirs);
    if (status == TRIB_OK) status = put_quotation(to, &own, error);
    if (status == TRIB_OK) status = remember(to, error);
    if (status == TRIB_OK) status = put_quotation(to, &theirs, error);
    trib_put_count(to->rows, of->n_left_out);
    trib_end_row(to->rows);
    to->text.length = 0;
    return status;
}

static trib_status write_passages(const trib_run_results *results, trib_rows *rows,
                                  trib_error *error) {
    trib_quotes quotes;
    row to = {.rows = rows, .quotes = &quotes};
    trib_status status = trib_quotes_open(&quotes, results, error);
    for (uint32_t t = 0; t < results->corpus->n_targets && status == TRIB_OK; t++) {
        const trib_target_results *target = &results->target[t];
        const uint32_t d = target->about->document;
        numbered *list = NULL;
        size_t n = 0;
        if (!target->findings->passages || !results->words->document[d].file) continue;
        trib_quotes_enter(&quotes);
        status = list_by_number(&list, &n, target->findings, error);
        to.is_short = rows->leaves_out && trib_target_is_short(results, target);
        trib_buffer_clear(&to.before);
        if (status == TRIB_OK && to.is_short)
            status = keep_places(list, &n, results->words->document[d].n_tokens, error);
        if (status == TRIB_OK && n > 0) status = trib_quotes_prepare(&quotes, d, error);
        for (size_t i = 0; i < n && status == TRIB_OK; i++)
            status = put_passage(&to, d, &list[i], error);
        trib_quotes_leave(&quotes);
        trib_free(list);
        trib_results_rest(results, t);
    }
    trib_buffer_release(&to.text);
    trib_buffer_release(&to.before);
    trib_quotes_close(&quotes);
    return status;
}

const trib_table trib_table_passages = {"passages",
                                        {{"id", TRIB_CELL_TEXT},
                                         {"target", TRIB_CELL_TEXT},
                                         {"source", TRIB_CELL_TEXT},
                                         {"target_word", TRIB_CELL_COUNT},
                                         {"target_words", TRIB_CELL_COUNT},
                                         {"source_word", TRIB_CELL_COUNT},
                                         {"source_words", TRIB_CELL_COUNT},
                                         {"shared", TRIB_CELL_COUNT},
                                         {"rarity", TRIB_CELL_NUMBER},
                                         {"rarest", TRIB_CELL_TEXT},
                                         {"notable", TRIB_CELL_FLAG},
                                         {"mass", TRIB_CELL_NUMBER},
                                         {"target_from", TRIB_CELL_COUNT},
                                         {"target_to", TRIB_CELL_COUNT},
                                         {"target_from_character", TRIB_CELL_COUNT},
                                         {"target_to_character", TRIB_CELL_COUNT},
                                         {"target_reference", TRIB_CELL_TEXT},
                                         {"source_from", TRIB_CELL_COUNT},
                                         {"source_to", TRIB_CELL_COUNT},
                                         {"source_from_character", TRIB_CELL_COUNT},
                                         {"source_to_character", TRIB_CELL_COUNT},
                                         {"source_reference", TRIB_CELL_TEXT},
                                         {"target_text", TRIB_CELL_TEXT},
                                         {"source_text", TRIB_CELL_TEXT},
                                         {"left_out", TRIB_CELL_COUNT}},
                                        is_there,
                                        write_passages,
                                        true};
