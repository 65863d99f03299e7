/* running_text.c - read/ID.json: the text of a target in blocks of one or a few paragraphs, each
 * cut into pieces of which every second one is traced to a source; and for each traced run the
 * words of the source around it. */
#include "pipeline/report/reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/config/config.h"

/* The target while its blocks are made. */
typedef struct making {
    trib_quotes *quotes;
    uint32_t target; /* document number */
    trib_decoded_text text;
    trib_text_run *run;
    size_t n_runs;
    uint32_t *owner;  /* [n words] number of the run + 1; 0: none */
    uint8_t *agrees;  /* [n words] the word agrees with the source */
    uint32_t *number; /* [n_documents] place in "sources" */
} making;

/* Sets the reference of n words of a document, if there is one. */
static void set_reference(json_t *object, const char *key, const making *m, uint32_t document,
                          size_t first, size_t n) {
    char reference[TRIB_REFERENCE_MAX];
    trib_quote_reference(reference, m->quotes, document, first, first + n - 1);
    if (*reference) trib_json_set_text(object, key, reference);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Adds a number to the code of where words begin (docs/run-directory.md). */
static trib_status add_number(trib_buffer *code, size_t number, trib_error *error) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    enum { MORE = 63 }; /* '_' adds 63 and continues */
    trib_status status = TRIB_OK;
    for (; number >= MORE && status == TRIB_OK; number -= MORE)
        status = trib_buffer_add(code, &digits[MORE], 1, error);
    return status == TRIB_OK ? trib_buffer_add(code, &digits[number], 1, error) : status;
}

/* Makes the code of where the words of a block begin: how many begin where they are expected, the
 * step to the next one that does not, and so on. */
static trib_status make_starts(json_t *object, const making *m, const trib_text_block *block,
                               trib_error *error) {
    const char *text = m->text.text.text;
    trib_buffer code = {0};
    trib_status status = TRIB_OK;
    size_t at = block->from, n_expected = 0;
    for (size_t w = 0; w < block->n && status == TRIB_OK; w++) {
        const size_t start = m->text.start[block->first + w];
        if (start == trib_text_next_word(text, at, block->to, w > 0)) {
            n_expected++;
        } else {
            status = add_number(&code, n_expected, error);
            if (status == TRIB_OK)
                status = add_number(&code, trib_utf16_length(text + at, start - at), error);
            n_expected = 0;
        }
        at = start;
    }
    if (status == TRIB_OK && n_expected > 0) status = add_number(&code, n_expected, error);
    trib_json_set_text(object, "starts", code.text ? code.text : "");
    trib_buffer_release(&code);
    return status;
}

static void add_piece(json_t *pieces, const making *m, size_t from, size_t to) {
    json_array_append_new(pieces, json_stringn(m->text.text.text + from, to - from));
}

/* The reference of a word; where no reference holds, NULL. */
static const char *reference_of(const making *m, size_t word) {
    const trib_quoted *quoted = &m->quotes->document[m->target];
    return trib_text_reference_at(&quoted->text, quoted->place[word].offset);
}

/* Adds where in the pieces from `at` on, of which the first has number `piece`, the reference
 * changes: [reference, number of the piece, byte of it], for the words first .. end - 1. The first
 * word of a block has no entry: its reference is that of the block. */
static void add_references(json_t *references, const making *m, size_t piece, size_t at,
                           size_t first, size_t end) {
    for (size_t w = first; w < end; w++) {
        const char *reference = w > 0 ? reference_of(m, w) : NULL,
                   *before = w > 0 ? reference_of(m, w - 1) : NULL;
        if (!reference || (before && strcmp(reference, before) == 0)) continue;
        json_array_append_new(references, json_pack("[s, I, I]", reference, (json_int_t)piece,
                                                    (json_int_t)(m->text.start[w] - at)));
    }
}

/* Makes the block {"first", "words", "starts", "text", "passages", "reference", "references",
 * "wrapped", "omitted"}. Words of one run that stand side by side are one piece. */
static trib_status make_block(json_t *blocks, const making *m, const trib_text_block *block,
                              trib_error *error) {
    json_t *object = json_object(), *pieces = json_array(), *passages = json_array(),
           *references = json_array();
    size_t at = block->from, first = block->first + 1; /* the next word to look for a reference */
    json_array_append_new(blocks, object);
    trib_json_set_count(object, "first", block->first + 1);
    trib_json_set_count(object, "words", block->n);
    for (size_t w = block->first, end = block->first + block->n; w < end;) {
        size_t next = w + 1;
        if (m->agrees[w]) {
            while (next < end && m->agrees[next] && m->owner[next] == m->owner[w]) next++;
            add_references(references, m, json_array_size(pieces), at, first, w);
            add_piece(pieces, m, at, m->text.start[w]);
            add_references(references, m, json_array_size(pieces), m->text.start[w],
                           w > block->first ? w : w + 1, next);
            first = next;
            add_piece(pieces, m, m->text.start[w], m->text.end[next - 1]);
            json_array_append_new(passages, json_integer((json_int_t)m->owner[w]));
            at = m->text.end[next - 1];
        }
        w = next;
    }
    add_references(references, m, json_array_size(pieces), at, first, block->first + block->n);
    add_piece(pieces, m, at, block->to);
    const trib_status status = make_starts(object, m, block, error);
    json_object_set_new(object, "text", pieces);
    if (json_array_size(passages) > 0) json_object_set(object, "passages", passages);
    json_decref(passages);
    set_reference(object, "reference", m, m->target, block->first, 1);
    if (json_array_size(references) > 0) json_object_set(object, "references", references);
    json_decref(references);
    if (block->is_wrapped) json_object_set_new(object, "wrapped", json_true());
    if (block->is_omitted) json_object_set_new(object, "omitted", json_true());
    return status;
}

static trib_status make_blocks(json_t *object, const making *m, trib_error *error) {
    json_t *blocks = json_array();
    trib_text_block block = {0};
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && trib_text_block_next(&m->text, &block))
        status = make_block(blocks, m, &block, error);
    json_object_set_new(object, "blocks", blocks);
    return status;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* The words of the source quoted before and after a run. With many targets they are as few as on
 * the other pages. */
static size_t context_of(const trib_run_results *results) {
    enum { CONTEXT = 30, MANY = 12 };
    const size_t few = results->config->report.context_words;
    return results->corpus->n_targets > MANY || few > CONTEXT ? few : CONTEXT;
}

/* Quotes the source of a run with its context: pieces of which every second one agrees. */
static trib_status quote_source(json_t *object, const making *m, const trib_text_run *run,
                                const uint8_t *theirs, trib_error *error) {
    const size_t n_words = m->quotes->results->words->document[run->source].n_tokens,
                 context = context_of(m->quotes->results),
                 before = run->source_first < context ? run->source_first : context,
                 rest = n_words - run->source_first - run->source_n,
                 n = before + run->source_n + (rest < context ? rest : context);
    trib_place_record *place = NULL;
    trib_arena arena = {0};
    uint8_t *marked = NULL;
    trib_status status = trib_new(&marked, n, 1, "a passage", error);
    if (status == TRIB_OK) {
        memcpy(marked + before, theirs, run->source_n);
        status = trib_quote_words(&place, &arena, m->quotes, run->source,
                                  run->source_first - before, n, marked, error);
    }
    if (status == TRIB_OK) status = trib_arena_check(&arena, error);
    if (status == TRIB_OK && place->text.item) {
        json_t *text = json_array();
        for (size_t i = 0; i < place->text.n; i++)
            json_array_append_new(text, json_string(place->text.item[i]));
        json_object_set_new(object, "text", text);
    }
    trib_arena_release(&arena);
    trib_free(marked);
    return status;
}

static trib_status make_run(json_t *passages, making *m, size_t r, trib_error *error) {
    const trib_text_run *run = &m->run[r];
    json_t *object = json_object();
    uint8_t *theirs = NULL, *own = m->agrees + run->first;
    size_t n_agree = 0;
    trib_status status = trib_new(&theirs, run->source_n, 1, "a passage", error);
    if (status == TRIB_OK) trib_text_run_align(run, m->quotes, m->target, own, theirs);
    for (size_t w = 0; w < run->n; w++) {
        m->owner[run->first + w] = (uint32_t)r + 1;
        n_agree += own[w];
    }
    trib_json_set_count(object, "source", m->number[run->source]);
    trib_json_set_count(object, "first", run->first + 1);
    trib_json_set_count(object, "words", run->n);
    trib_json_set_count(object, "source_first", run->source_first + 1);
    trib_json_set_count(object, "source_words", run->source_n);
    trib_json_set_count(object, "agree", n_agree);
    set_reference(object, "reference", m, m->target, run->first, run->n);
    set_reference(object, "source_reference", m, run->source, run->source_first, run->source_n);
    if (!isnan(run->probability)) /* in millionths, as in the trace */
        trib_json_set_real(object, "probability", rint(1e6 * run->probability) / 1e6);
    if (status == TRIB_OK) status = quote_source(object, m, run, theirs, error);
    json_array_append_new(passages, object);
    trib_free(theirs);
    return status;
}

/* Adds "sources", by the number of words that are traced to them, and sets their places in it. */
static trib_status make_sources(json_t *object, making *m, trib_error *error) {
    const trib_run_results *results = m->quotes->results;
    const uint32_t n = results->corpus->n_documents;
    json_t *sources = json_array();
    size_t *n_words = NULL, *n_runs = NULL;
    trib_status status = trib_new(&n_words, n, sizeof *n_words, "the sources", error);
    if (status == TRIB_OK) status = trib_new(&n_runs, n, sizeof *n_runs, "the sources", error);
    for (size_t r = 0; r < m->n_runs && status == TRIB_OK; r++) {
        n_words[m->run[r].source] += m->run[r].n;
        n_runs[m->run[r].source]++;
    }
    while (status == TRIB_OK) { /* the next largest; there are few */
        uint32_t most = 0;
        for (uint32_t d = 1; d < n; d++)
            if (n_words[d] > n_words[most]) most = d;
        if (n_words[most] == 0) break;
        json_t *source = json_object();
        trib_json_set_text(source, "source", results->corpus->document[most].about->id);
        trib_json_set_count(source, "words", n_words[most]);
        trib_json_set_count(source, "passages", n_runs[most]);
        m->number[most] = (uint32_t)json_array_size(sources);
        json_array_append_new(sources, source);
        n_words[most] = 0;
    }
    json_object_set_new(object, "sources", sources);
    trib_free(n_words);
    trib_free(n_runs);
    return status;
}

/* ---- The file -------------------------------------------------------------------------------- */

static trib_status open_making(making *m, trib_quotes *quotes, uint32_t t, trib_error *error) {
    const trib_corpus *corpus = quotes->results->corpus;
    *m = (making){.quotes = quotes, .target = corpus->target[t].document};
    const trib_document_words *words = &quotes->results->words->document[m->target];
    const trib_quoted *quoted = &quotes->document[m->target];
    trib_status status = trib_text_runs_list(&m->run, &m->n_runs, quotes, t, error);
    if (status == TRIB_OK)
        status = trib_decode_text(&m->text, &quoted->text.bytes, words->encoding, quoted->place,
                                  words->n_tokens, error);
    if (status == TRIB_OK)
        status = trib_new(&m->owner, words->n_tokens, sizeof *m->owner, "the traced words", error);
    if (status == TRIB_OK)
        status = trib_new(&m->agrees, words->n_tokens, 1, "the traced words", error);
    if (status == TRIB_OK)
        status = trib_new(&m->number, corpus->n_documents, sizeof *m->number, "the sources", error);
    return status;
}

trib_status trib_running_text_make(json_t **made, trib_quotes *quotes, uint32_t t,
                                   trib_error *error) {
    making m;
    json_t *object = json_object(), *passages = json_array();
    trib_json_begin();
    trib_status status = open_making(&m, quotes, t, error);
    trib_json_set_count(object, "schema", 1);
    trib_json_set_text(object, "target", quotes->results->corpus->document[m.target].about->id);
    trib_json_set_count(object, "words", m.text.n);
    if (status == TRIB_OK) status = make_sources(object, &m, error);
    for (size_t r = 0; r < m.n_runs && status == TRIB_OK; r++)
        status = make_run(passages, &m, r, error);
    json_object_set_new(object, "passages", passages);
    if (status == TRIB_OK) status = make_blocks(object, &m, error);
    trib_decoded_text_release(&m.text);
    trib_free(m.run);
    trib_free(m.owner);
    trib_free(m.agrees);
    trib_free(m.number);
    trib_error lacks = {0};
    if (trib_json_check("read/", &lacks) != TRIB_OK && status == TRIB_OK) {
        status = lacks.status;
        if (error) *error = lacks;
    }
    if (status == TRIB_OK) *made = object;
    else json_decref(object);
    return status;
}

static trib_status parse(json_t **made, const char *name, const trib_buffer *text,
                         trib_error *error) {
    json_error_t wrong;
    *made = json_loadb(text->length > 0 ? text->text : "", text->length, 0, &wrong);
    if (trib_json_failed() || (!*made && json_error_code(&wrong) == json_error_out_of_memory)) {
        /* jansson reports a string that it could not allocate as a syntax error */
        json_decref(*made);
        *made = NULL;
        return trib_fail(error, TRIB_MEMORY, "%s: out of memory", name);
    }
    if (!*made)
        return trib_fail(error, TRIB_INPUT, "%s:%d:%d: not the JSON of a run: %s", name, wrong.line,
                         wrong.column, wrong.text);
    if (json_integer_value(json_object_get(*made, "schema")) == 1) return TRIB_OK;
    json_decref(*made);
    *made = NULL;
    return trib_fail(error, TRIB_INPUT, "%s: not of schema 1, which this version reads", name);
}

trib_status trib_running_text_load(json_t **made, const char *run_directory, const char *target,
                                   trib_error *error) {
    char path[TRIB_PATH_MAX];
    trib_buffer text = {0};
    *made = NULL;
    if (snprintf(path, sizeof path, "%s/read/%s.json", run_directory, target) >= (int)sizeof path)
        return trib_fail(error, TRIB_USAGE, "%s: path too long", run_directory);
    if (access(path, F_OK) != 0) return TRIB_OK;
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK) status = parse(made, path, &text, error);
    trib_buffer_release(&text);
    return status;
}
