/* phrases_file.c - reads phrases.csv, because influence.json contains only the strongest
 * phrases. */
#include "pipeline/output/phrases_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "influence/evidence.h"
#include "pipeline/support/path.h"

enum { TARGET, SOURCE, PHRASE, IN_TARGET, IN_SOURCE, IN_OTHERS, MASS, N_PHRASES, N_COLUMNS };
static const char *const columns[N_COLUMNS] = {"target",       "source",       "phrase",
                                               "target_count", "source_count", "other_documents",
                                               "mass",         "phrases"};

/* The state of the reader: CSV by RFC 4180, as tables.c writes it. */
typedef struct csv {
    trib_reader reader;
    const char *path;
    char block[1 << 16];
    size_t at, end; /* in block */
    trib_buffer cell[N_COLUMNS];
    uint64_t line;
} csv;

static trib_status next_byte(csv *file, int *byte, trib_error *error) {
    if (file->at == file->end) {
        const trib_status status =
            trib_reader_read(&file->reader, file->block, sizeof file->block, &file->end, error);
        if (status != TRIB_OK) return status;
        file->at = 0;
    }
    *byte = file->at < file->end ? (unsigned char)file->block[file->at++] : -1;
    return TRIB_OK;
}

static trib_status damaged(const csv *file, trib_error *error) {
    return trib_fail(error, TRIB_INPUT,
                     "%s:%llu: not a line of phrases; the file was altered ('tributary verify' "
                     "says which are)",
                     file->path, (unsigned long long)file->line);
}

/* Reads a line into the cells; *is_there is false at the end of the file. */
static trib_status next_line(csv *file, bool *is_there, trib_error *error) {
    size_t c = 0;
    int byte = 0;
    bool quoted = false, was_quoted = false, any = false;
    trib_status status = TRIB_OK;
    file->line++;
    for (size_t i = 0; i < N_COLUMNS; i++) {
        trib_buffer_clear(&file->cell[i]);
        if (status == TRIB_OK) status = trib_buffer_add(&file->cell[i], "", 0, error);
    }
    while (status == TRIB_OK && (status = next_byte(file, &byte, error)) == TRIB_OK && byte >= 0) {
        const char character = (char)byte;
        any = true;
        if (byte == '"') {
            /* a quote inside a quoted cell is doubled: the second one opens the cell again */
            if (!quoted && was_quoted)
                status = trib_buffer_add(&file->cell[c], &character, 1, error);
            quoted = !quoted;
            was_quoted = true;
        } else if (byte == ',' && !quoted) {
            if (++c == N_COLUMNS) return damaged(file, error);
            was_quoted = false;
        } else if (byte == '\n' && !quoted) {
            break;
        } else if (file->cell[c].length < TRIB_PATH_MAX * 4) {
            status = trib_buffer_add(&file->cell[c], &character, 1, error);
        }
    }
    *is_there = any;
    if (status == TRIB_OK && any && c + 1 != N_COLUMNS) return damaged(file, error);
    return status;
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
        if (pair) pair->target = trib_arena_copy(arena, id, strlen(id));
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

static trib_status read_lines(csv *file, trib_pair_phrases *pairs, const char *target,
                              const char *source, trib_error *error) {
    bool is_there = true;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && (status = next_line(file, &is_there, error)) == TRIB_OK && is_there)
        if (strcmp(text_of(file, SOURCE), source) == 0 &&
            (!target || strcmp(text_of(file, TARGET), target) == 0))
            add_phrase(pairs, file);
    return status == TRIB_OK ? trib_arena_check(&pairs->arena, error) : status;
}

trib_status trib_phrases_read(trib_pair_phrases *pairs, const char *directory, const char *target,
                              const char *source, trib_error *error) {
    *pairs = (trib_pair_phrases){.source = source};
    trib_buffer path = {0};
    csv *file = NULL;
    bool is_there = false;
    trib_status status = trib_buffer_print(&path, error, "%s/phrases.csv", directory);
    if (status != TRIB_OK || access(path.text, F_OK) != 0) goto done;
    status = TRIB_NEW(&file, 1, "phrases.csv", error);
    if (status == TRIB_OK) file->path = path.text;
    if (status == TRIB_OK) status = trib_reader_open(&file->reader, path.text, error);
    if (status != TRIB_OK) goto done;
    status = next_line(file, &is_there, error);
    for (int c = 0; c < N_COLUMNS && status == TRIB_OK; c++)
        if (strcmp(file->cell[c].text, columns[c]) != 0) status = damaged(file, error);
    if (status == TRIB_OK) status = read_lines(file, pairs, target, source, error);
    trib_reader_close(&file->reader);
    for (int c = 0; c < N_COLUMNS; c++) trib_buffer_release(&file->cell[c]);
done:
    trib_free(file);
    trib_buffer_release(&path);
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

static int by_weight(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
    return x->phrase < y->phrase ? -1 : 1; /* as in the file */
}

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
