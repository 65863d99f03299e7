/* phrases_file.c - reads phrases.csv, because influence.json contains only the strongest
 * phrases. */
#include "base/internal.h"
#include "pipeline/output/summary.h"

#include "base/system.h"
#include "influence/evidence.h"
#include "pipeline/text/table.h"

enum { TARGET, SOURCE, PHRASE, IN_TARGET, IN_SOURCE, IN_OTHERS, MASS, N_PHRASES, N_COLUMNS };
static const char *const columns[N_COLUMNS] = {"target",       "source",       "phrase",
                                               "target_count", "source_count", "other_documents",
                                               "mass",         "phrases"};

/* The state of the reader. */
typedef struct csv {
    trib_mapped_file file;
    const char *path;
    trib_cells cells;
    uint32_t line;               /* of the row that was read last */
    trib_buffer cell[N_COLUMNS]; /* of that row */
} csv;

static trib_status damaged(const csv *file, trib_error *error) {
    return trib_fail(error, TRIB_INPUT,
                     "%s:%u: not a line of phrases; the file was altered ('tributary verify' "
                     "says which are)",
                     file->path, (unsigned)file->line);
}

static trib_status next_row(csv *file, trib_error *error) {
    file->line = file->cells.line;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        const trib_status status = trib_cells_next(&file->cells, error);
        if (status != TRIB_OK) return status;
        if (file->cells.complaint || file->cells.row_ends != (c + 1 == N_COLUMNS))
            return damaged(file, error);
        const trib_buffer read = file->cell[c];
        file->cell[c] = file->cells.cell;
        file->cells.cell = read;
    }
    return TRIB_OK;
}

/* Returns the text of a cell without the apostrophe that prevents spreadsheets from treating it as
 * a formula. */
static const char *text_of(const csv *file, int column) {
    const char *text = file->cell[column].text;
    return text[0] == '\'' && text[1] && strchr("=+-@\t\r", text[1]) ? text + 1 : text;
}

/* The phrases of a target. The lines of a pair are consecutive. */
static void add_phrase(trib_pair_phrases *pairs, const csv *file) {
    trib_arena *const arena = &pairs->arena;
    const char *const id = text_of(file, TARGET);
    trib_phrases_of_pair *pair = pairs->n > 0 ? &pairs->item[pairs->n - 1] : NULL;
    if (!pair || strcmp(pair->target, id) != 0) {
        pair = trib_arena_append(arena, &pairs->item, sizeof *pair);
        if (pair) pair->target = trib_arena_text(arena, id);
    }
    trib_phrase_record *const phrase =
        pair ? trib_arena_append(arena, &pair->phrases, sizeof *phrase) : NULL;
    if (!phrase) return;
    *phrase =
        (trib_phrase_record){.target_count = strtoull(file->cell[IN_TARGET].text, NULL, 10),
                             .source_count = strtoull(file->cell[IN_SOURCE].text, NULL, 10),
                             .other_documents = strtoull(file->cell[IN_OTHERS].text, NULL, 10),
                             .mass = strtod(file->cell[MASS].text, NULL)};
    for (const char *word = text_of(file, PHRASE); *word;) {
        const size_t n = strcspn(word, " ");
        trib_texts_add(arena, &phrase->words, trib_arena_copy(arena, word, n));
        word += n + (word[n] == ' ');
    }
}

static trib_status read_rows(csv *file, trib_pair_phrases *pairs, const char *target,
                             const char *source, trib_error *error) {
    trib_status status = next_row(file, error);
    for (int c = 0; c < N_COLUMNS && status == TRIB_OK; c++)
        if (strcmp(file->cell[c].text, columns[c]) != 0) status = damaged(file, error);
    while (status == TRIB_OK && file->cells.at < file->cells.end) {
        status = next_row(file, error);
        if (status == TRIB_OK && strcmp(text_of(file, SOURCE), source) == 0 &&
            (!target || strcmp(text_of(file, TARGET), target) == 0))
            add_phrase(pairs, file);
    }
    return status == TRIB_OK ? trib_arena_check(&pairs->arena, error) : status;
}

trib_status trib_phrases_read(trib_pair_phrases *pairs, const char *directory, const char *target,
                              const char *source, trib_error *error) {
    *pairs = (trib_pair_phrases){.source = source};
    csv file = {.path = trib_arena_print(&pairs->arena, "%s/phrases.csv", directory)};
    trib_status status = trib_arena_check(&pairs->arena, error);
    if (status != TRIB_OK || !trib_disk_has(file.path)) return status;
    status = trib_mapped_file_open(&file.file, file.path, error);
    if (status != TRIB_OK) return status;
    trib_cells_begin(&file.cells, file.file.bytes, file.file.length, ',');
    status = read_rows(&file, pairs, target, source, error);
    for (int c = 0; c < N_COLUMNS; c++) trib_buffer_release(&file.cell[c]);
    trib_cells_release(&file.cells);
    trib_mapped_file_close(&file.file);
    return status;
}

void trib_phrases_release(trib_pair_phrases *pairs) {
    trib_arena_release(&pairs->arena);
    *pairs = (trib_pair_phrases){0};
}

typedef struct ranked {
    const trib_phrase_record *phrase;
    double weight;
} ranked;

TRIB_ORDER(by_weight, ranked, TRIB_DOWN(weight) ?: TRIB_UP(phrase));

void trib_phrases_put(const trib_pair_phrases *pairs, const char *target,
                      trib_evidence_record *evidence, size_t n_documents, trib_arena *arena) {
    const trib_phrase_records *all = NULL;
    if (!evidence->source || strcmp(evidence->source, pairs->source) != 0) return;
    for (size_t i = 0; i < pairs->n && !all; i++)
        if (strcmp(pairs->item[i].target, target) == 0) all = &pairs->item[i].phrases;
    if (!all || all->n <= evidence->phrases.n + evidence->commonplaces.n) return;
    ranked *const list = trib_arena_new(arena, all->n, sizeof *list);
    trib_phrase_record *const sorted = trib_arena_new(arena, all->n, sizeof *sorted);
    if (!list || !sorted) return;
    for (size_t p = 0; p < all->n; p++) {
        const trib_phrase_record *const one = &all->item[p];
        const trib_phrase about = {.n_other_documents = (uint32_t)one->other_documents};
        list[p] = (ranked){one, one->mass * trib_phrase_weight(&about, n_documents)};
    }
    qsort(list, all->n, sizeof *list, by_weight);
    for (size_t p = 0; p < all->n; p++) sorted[p] = *list[p].phrase;
    evidence->phrases = (trib_phrase_records){sorted, all->n};
    evidence->n_phrases += evidence->n_commonplaces;
    evidence->n_commonplaces = 0;
    evidence->commonplaces = (trib_phrase_records){0};
}
