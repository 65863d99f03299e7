/* phrases_file.c - reads phrases.csv, because influence.json contains only the strongest
 * phrases. */
#include "pipeline/output/phrases_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "influence/evidence.h"
#include "pipeline/support/json.h"
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

static json_t *phrase_of(const csv *file) {
    json_t *phrase = json_object(), *words = json_array();
    const char *text = text_of(file, PHRASE);
    for (const char *word = text; *word;) {
        const size_t n = strcspn(word, " ");
        json_array_append_new(words, json_stringn(word, n));
        word += n + (word[n] == ' ');
    }
    json_object_set_new(phrase, "words", words);
    for (int c = IN_TARGET; c <= IN_OTHERS; c++)
        json_object_set_new(phrase, columns[c],
                            json_integer(strtoll(file->cell[c].text, NULL, 10)));
    trib_json_set_real(phrase, "mass", strtod(file->cell[MASS].text, NULL));
    return phrase;
}

/* Returns the evidence of a pair in the result, or NULL if it has none or was not asked for. */
static json_t *evidence_of(const json_t *result, const char *target, const char *source) {
    const json_t *one = trib_json_find(json_object_get(result, "targets"), "target", target);
    return trib_json_find(json_object_get(one, "evidence"), "source", source);
}

typedef struct ranked {
    json_t *phrase;
    double weight;
    size_t place;
} ranked;

static int by_weight(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
    return x->place < y->place ? -1 : 1;
}

/* Sorts phrases in the order of trib_evidence_rank. */
static trib_status arrange(json_t **phrases, size_t n_documents, trib_error *error) {
    const size_t n = json_array_size(*phrases);
    ranked *list = NULL;
    const trib_status status = TRIB_NEW(&list, n, "the phrases", error);
    if (status != TRIB_OK) return status;
    json_t *sorted = json_array();
    for (size_t p = 0; p < n; p++) {
        json_t *one = json_array_get(*phrases, p);
        const trib_phrase about = {.n_other_documents = (uint32_t)json_integer_value(
                                       json_object_get(one, "other_documents"))};
        list[p] = (ranked){one,
                           json_number_value(json_object_get(one, "mass")) *
                               trib_phrase_weight(&about, n_documents),
                           p};
    }
    if (n > 1) qsort(list, n, sizeof *list, by_weight);
    for (size_t p = 0; p < n; p++) json_array_append(sorted, list[p].phrase);
    trib_free(list);
    json_decref(*phrases);
    *phrases = sorted;
    return TRIB_OK;
}

/* Replaces the strongest phrases of a pair by all of its phrases, which include the stop
 * phrases. */
static trib_status put(json_t *evidence, json_t *phrases, size_t n_documents, trib_error *error) {
    const size_t n = json_array_size(phrases);
    const size_t n_known = json_array_size(json_object_get(evidence, "phrases")) +
                           json_array_size(json_object_get(evidence, "commonplaces"));
    trib_status status = TRIB_OK;
    if (evidence && n > n_known) {
        const json_int_t n_all = json_integer_value(json_object_get(evidence, "n_phrases")) +
                                 json_integer_value(json_object_get(evidence, "n_commonplaces"));
        status = arrange(&phrases, n_documents, error);
        json_object_set(evidence, "phrases", phrases);
        json_object_set_new(evidence, "n_phrases", json_integer(n_all));
        json_object_del(evidence, "n_commonplaces");
        json_object_del(evidence, "commonplaces");
    }
    json_decref(phrases);
    return status;
}

/* Reads the phrases of the requested pairs. The lines of a pair are consecutive. */
static trib_status read_lines(csv *file, json_t *result, const char *target, const char *source,
                              trib_error *error) {
    const size_t n_documents = json_array_size(json_object_get(result, "documents"));
    json_t *evidence = NULL, *phrases = json_array();
    trib_buffer now = {0}; /* the target of `phrases` */
    bool is_there = true;
    trib_status status = trib_buffer_add(&now, "", 0, error);
    while (status == TRIB_OK && (status = next_line(file, &is_there, error)) == TRIB_OK &&
           is_there) {
        const char *id = text_of(file, TARGET);
        if (strcmp(text_of(file, SOURCE), source) != 0 || (target && strcmp(id, target) != 0))
            continue;
        if (strcmp(now.text, id) != 0) {
            status = put(evidence, phrases, n_documents, error);
            phrases = json_array();
            evidence = evidence_of(result, id, source);
            trib_buffer_clear(&now);
            if (status == TRIB_OK) status = trib_buffer_add(&now, id, strlen(id), error);
        }
        json_array_append_new(phrases, phrase_of(file));
    }
    trib_buffer_release(&now);
    if (status == TRIB_OK) return put(evidence, phrases, n_documents, error);
    json_decref(phrases);
    return status;
}

trib_status trib_phrases_take(json_t *result, const char *directory, const char *target,
                              const char *source, trib_error *error) {
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
    if (status == TRIB_OK) status = read_lines(file, result, target, source, error);
    trib_reader_close(&file->reader);
    for (int c = 0; c < N_COLUMNS; c++) trib_buffer_release(&file->cell[c]);
done:
    trib_free(file);
    trib_buffer_release(&path);
    return status;
}
