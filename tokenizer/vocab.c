/* vocab.c - assigns the final word ids: the most frequent word first, ties by code point (the order
 * of UTF-8 bytes). Ids thus depend on the corpus alone, not on the order in which its documents
 * were read. */
#include "base/internal.h"
#include "tokenizer/token.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/word_runs.h"

#include <assert.h>

#define HEADER "id\tword\tcount\tdocuments"

/* ---- Building -------------------------------------------------------------------------------- */

/* A word that may enter the vocabulary. */
typedef struct candidate {
    const char *word;
    uint64_t first_bytes; /* of the word */
    uint64_t count;
    uint32_t n_documents;
    uint32_t provisional; /* its id in intern, or TRIB_NO_WORD when it does not occur */
} candidate;

TRIB_ORDER(commonest_first, candidate, TRIB_DOWN(count) ?: TRIB_UP(first_bytes) ?:
           strcmp(x->word, y->word));

static void sort_candidates(candidate *list, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) list[i].first_bytes = trib_first_bytes(list[i].word);
    if (n > 1) qsort(list, n, sizeof *list, commonest_first);
}

static uint32_t fixed_candidates(candidate *list, const trib_intern *intern, const uint64_t *count,
                                 const uint32_t *n_documents, const trib_vocab_options *options) {
    const trib_intern *fixed = options->fixed;
    for (uint32_t i = 0; i < fixed->n_words; i++) {
        const char *word = trib_intern_word(fixed, i);
        const uint32_t p = trib_intern_find(intern, word, strlen(word));
        const bool occurs = p != TRIB_NO_WORD;
        list[i] = (candidate){.word = word,
                              .count = occurs ? count[p] : 0,
                              .n_documents = occurs ? n_documents[p] : 0,
                              .provisional = p};
    }
    sort_candidates(list, fixed->n_words);
    return fixed->n_words;
}

static uint32_t frequent_candidates(candidate *list, const trib_intern *intern,
                                    const uint64_t *count, const uint32_t *n_documents,
                                    const trib_vocab_options *options) {
    uint32_t n = 0;
    for (uint32_t p = 0; p < intern->n_words; p++)
        if (count[p] >= options->min_count && n_documents[p] >= options->min_documents)
            list[n++] = (candidate){.word = trib_intern_word(intern, p),
                                    .count = count[p],
                                    .n_documents = n_documents[p],
                                    .provisional = p};
    sort_candidates(list, n);
    return options->size > 0 && options->size < n ? options->size : n;
}

static trib_status allocate_in_file(trib_vocab *vocab, size_t n, size_t n_text, bool have_norms,
                                    const char *scratch, trib_error *error) {
    const size_t n_norms = have_norms ? n : 0;
    const size_t each = sizeof *vocab->word + sizeof *vocab->count + sizeof *vocab->n_documents;
    trib_status status = trib_scratch_array_open(
        &vocab->file, n * each + n_norms * sizeof *vocab->norm + n_text, 1, scratch, error);
    if (status != TRIB_OK) return status;
    vocab->count = vocab->file.bytes;
    vocab->word = (char **)(vocab->count + n);
    vocab->norm = have_norms ? vocab->word + n : NULL;
    vocab->n_documents = (uint32_t *)(vocab->word + n + n_norms);
    vocab->text = (char *)(vocab->n_documents + n);
    return TRIB_OK;
}

trib_status trib_vocab_allocate(trib_vocab *vocab, size_t n, size_t n_text, bool have_norms,
                                const char *scratch, trib_error *error) {
    static const char what[] = "the vocabulary";
    if (scratch) return allocate_in_file(vocab, n, n_text, have_norms, scratch, error);
    trib_status status = TRIB_NEW(&vocab->word, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&vocab->count, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&vocab->n_documents, n, what, error);
    return status == TRIB_OK ? trib_new(&vocab->text, n_text, 1, what, error) : status;
}

/* Gives the next id to a word and copies it to `text`. Returns the place for the next word. */
static char *append(trib_vocab *vocab, char *text, const char *word, uint64_t count,
                    uint32_t n_documents) {
    const size_t size = strlen(word) + 1;
    const uint32_t id = vocab->n_words++;
    vocab->word[id] = memcpy(text, word, size);
    vocab->count[id] = count;
    vocab->n_documents[id] = n_documents;
    return text + size;
}

/* Numbers the n words of `list`, then <other>, and fills final_id. */
static trib_status number(trib_vocab *vocab, const candidate *list, uint32_t n,
                          const trib_intern *intern, const uint64_t *count,
                          const uint32_t *n_documents, const trib_vocab_options *options,
                          uint32_t *final_id, trib_error *error) {
    size_t n_text = sizeof TRIB_OTHER_WORD;
    for (uint32_t i = 0; i < n; i++) n_text += strlen(list[i].word) + 1;
    const trib_status status =
        trib_vocab_allocate(vocab, (size_t)n + 1, n_text, false, NULL, error);
    if (status != TRIB_OK) return status;

    for (uint32_t p = 0; p < intern->n_words; p++) final_id[p] = TRIB_NO_WORD;
    char *text = vocab->text;
    for (uint32_t i = 0; i < n; i++) {
        if (list[i].provisional != TRIB_NO_WORD) final_id[list[i].provisional] = i;
        text = append(vocab, text, list[i].word, list[i].count, list[i].n_documents);
    }
    uint32_t n_left_out = 0, widest = 0;
    for (uint32_t p = 0; p < intern->n_words; p++) {
        vocab->n_tokens += count[p];
        if (final_id[p] != TRIB_NO_WORD) continue;
        n_left_out++;
        vocab->n_other += count[p];
        if (n_documents[p] > widest) widest = n_documents[p];
    }
    if (options->wildcard && n_left_out > 0) {
        vocab->other = n;
        append(vocab, text, TRIB_OTHER_WORD, vocab->n_other, widest);
        for (uint32_t p = 0; p < intern->n_words; p++)
            if (final_id[p] == TRIB_NO_WORD) final_id[p] = n;
    }
    return TRIB_OK;
}

trib_status trib_vocab_fail_minima(const trib_vocab_options *options, unsigned long n_words,
                                   trib_error *error) {
    if (options->n_left_out > 0)
        return trib_fail(error, TRIB_CONFIG,
                         "no word is left in the vocabulary: tokens.stop leaves out %lu of %lu "
                         "words; choose a smaller number or a shorter list",
                         (unsigned long)options->n_left_out, n_words + options->n_left_out);
    return trib_fail(error, TRIB_CONFIG,
                     "no word is left in the vocabulary: of %lu words none has "
                     "vocabulary.min_count %llu and vocabulary.min_documents %lu",
                     n_words, (unsigned long long)options->min_count,
                     (unsigned long)options->min_documents);
}

trib_status trib_vocab_build(trib_vocab *vocab, const trib_intern *intern, const uint64_t *count,
                             const uint32_t *n_documents, const trib_vocab_options *options,
                             uint32_t *final_id, trib_error *error) {
    *vocab = (trib_vocab){.other = TRIB_NO_WORD};
    const trib_intern *fixed = options->fixed;
    candidate *list = NULL;
    trib_status status =
        TRIB_NEW(&list, fixed ? fixed->n_words : intern->n_words, "the vocabulary", error);
    if (status == TRIB_OK) {
        const uint32_t n = (fixed ? fixed_candidates : frequent_candidates)(list, intern, count,
                                                                            n_documents, options);
        status = n == 0
                     ? trib_vocab_fail_minima(options, intern->n_words, error)
                     : number(vocab, list, n, intern, count, n_documents, options, final_id, error);
    }
    trib_free(list);
    if (status != TRIB_OK) trib_vocab_release(vocab);
    return status;
}

size_t trib_vocab_text_size(const trib_vocab *vocab) {
    if (vocab->n_words == 0) return 0;
    const char *const last = vocab->word[vocab->n_words - 1];
    return (size_t)(last - vocab->text) + strlen(last) + 1;
}

void trib_vocab_release(trib_vocab *vocab) {
    const bool is_in_file = vocab->file.bytes || vocab->shared.n_segments > 0;
    TRIB_FREE(is_in_file ? NULL : vocab->word, is_in_file ? NULL : vocab->count,
              is_in_file ? NULL : vocab->n_documents, is_in_file ? NULL : vocab->text);
    trib_scratch_array_close(&vocab->file);
    trib_spill_close(&vocab->shared);
    *vocab = (trib_vocab){.other = TRIB_NO_WORD};
}

/* ---- As text --------------------------------------------------------------------------------- */

/* Writes a whole number and the character after it. A vocabulary has many, and trib_print takes
 * several times as long. */
static void write_number(trib_writer *writer, uint64_t value, char after) {
    char digits[21]; /* of 64 bits, and `after` */
    size_t at = sizeof digits;
    digits[--at] = after;
    do digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    trib_write(writer, digits + at, sizeof digits - at);
}

void trib_vocab_write(const trib_vocab *vocab, trib_writer *writer) {
    trib_write_text(writer, HEADER "\n");
    for (uint32_t id = 0; id < vocab->n_words; id++) {
        write_number(writer, id, '\t');
        trib_write_text(writer, vocab->word[id]);
        trib_write_text(writer, "\t");
        write_number(writer, vocab->count[id], '\t');
        write_number(writer, vocab->n_documents[id], '\n');
    }
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Adds the word of the line [line, end), if it has one. */
static trib_status read_line(trib_intern *words, const char *line, const char *end, bool is_table,
                             const char *name, size_t number_of_line, trib_error *error) {
    if (!utf8_is_valid(line, (size_t)(end - line)))
        return trib_fail(error, TRIB_CONFIG, "%s:%zu: a word list must be UTF-8", name,
                         number_of_line);
    if (is_table && line < end && *line != '\r') {
        const char *tab = memchr(line, '\t', (size_t)(end - line));
        if (!tab)
            return trib_fail(
                error, TRIB_CONFIG,
                "%s:%zu: no word found: a line of a vocabulary is id, word, count, documents, "
                "separated by tabs",
                name, number_of_line);
        line = tab + 1;
    }
    while (line < end && is_blank(*line)) line++;
    const char *tab = line < end ? memchr(line, '\t', (size_t)(end - line)) : NULL;
    if (tab) end = tab;
    while (line < end && is_blank(end[-1])) end--;
    const size_t length = (size_t)(end - line);
    if (length == 0 || (*line == '#' && !is_table)) return TRIB_OK;
    if (length == strlen(TRIB_OTHER_WORD) && memcmp(line, TRIB_OTHER_WORD, length) == 0)
        return TRIB_OK;
    for (const char *at = line; at < end; at++)
        if ((unsigned char)*at < ' ')
            return trib_fail(error, TRIB_CONFIG, "%s:%zu: a word contains a control character",
                             name, number_of_line);
    uint32_t id = 0;
    return trib_intern_add(words, line, length, &id, error);
}

trib_status trib_vocab_read_list(trib_intern *words, trib_reader *reader, trib_error *error) {
    TRIB_OWNED(trib_buffer) list = {0};
    bool is_table = false;
    trib_status status = trib_reader_all(reader, &list, error);
    const char *line = list.text, *const last = list.text ? list.text + list.length : NULL;
    if (list.length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) line += 3;
    for (size_t n = 1; status == TRIB_OK && line < last; n++) {
        const char *newline = memchr(line, '\n', (size_t)(last - line));
        const char *const end = newline ? newline : last;
        if (n == 1 && strncmp(line, HEADER, strlen(HEADER)) == 0) is_table = true;
        else status = read_line(words, line, end, is_table, reader->name, n, error);
        line = end + 1;
    }
    if (status == TRIB_OK && words->n_words == 0)
        status = trib_fail(error, TRIB_CONFIG, "%s: the word list has no words", reader->name);
    return status;
}

trib_status trib_vocab_read_file(trib_intern *words, const char *path, trib_error *error) {
    TRIB_OPENED(trib_reader) reader = {0};
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    return trib_vocab_read_list(words, &reader, error);
}

/* ---- Windows of word ids --------------------------------------------------------------------- */

void trib_ngram_init(trib_ngram *window, uint32_t n) {
    assert(n >= 1 && n <= TRIB_MAX_NGRAM);
    *window = (trib_ngram){.n = n};
}

void trib_ngram_break(trib_ngram *window) { window->n_held = 0; }

bool trib_ngram_push(trib_ngram *window, uint32_t id) {
    if (id == TRIB_NO_WORD) {
        trib_ngram_break(window);
        return false;
    }
    if (window->n_held == window->n) {
        for (uint32_t i = 1; i < window->n; i++) window->id[i - 1] = window->id[i];
        window->n_held--;
    }
    window->id[window->n_held++] = id;
    return window->n_held == window->n;
}

void trib_skip_init(trib_skip_ngrams *window, uint32_t n) {
    assert(n >= 1 && n <= TRIB_MAX_NGRAM);
    *window = (trib_skip_ngrams){.n = n};
}

void trib_skip_break(trib_skip_ngrams *window) { window->n_held = 0; }

void trib_skip_push(trib_skip_ngrams *window, uint32_t id) {
    window->id[window->n_held++ % TRIB_SKIP_HELD] = id;
}

bool trib_skip_read(const trib_skip_ngrams *window, uint32_t gap, uint32_t ngram[]) {
    assert(gap <= TRIB_MAX_SKIP);
    const uint64_t step = gap + 1, length = (window->n - 1) * step + 1;
    if (window->n_held < length) return false;
    const uint64_t first = window->n_held - length;
    for (uint32_t m = 0; m < window->n; m++)
        ngram[m] = window->id[(first + m * step) % TRIB_SKIP_HELD];
    return true;
}
