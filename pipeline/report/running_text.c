/* running_text.c - read/ID.json: the text of a target in blocks of one or a few paragraphs, each
 * cut into pieces of which every second one is word for word that of a source; and for each passage
 * the words of the source around it.
 *
 * The runs are the passages. Where those of several sources overlap, the one that is credited with
 * the largest part of each of its words has them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/report/reading.h"

/* A passage with its source. */
typedef struct shown {
    const trib_passages *all; /* of its source */
    const trib_passage *passage;
} shown;
TRIB_RECORD_LIST(shown_list, shown);

/* The target while its text is made. */
typedef struct making {
    trib_quotes *quotes;
    const trib_corpus *corpus;
    uint32_t target; /* document number */
    trib_running_text *made;
    trib_arena *arena, scratch; /* for what is made; for what is not needed afterwards */
    trib_decoded_text text;
    shown_list passages; /* in the order of the target */
    uint32_t *owner;     /* [n words] number of the passage that has the word, from 1; 0: none */
    uint8_t *agrees;     /* [n words] the word is word for word the source's */
    uint32_t *number;    /* [n_documents] place in "sources" */
} making;

/* ---- Passages -------------------------------------------------------------------------------- */

/* The part of a passage's words that falls to its source. */
static double part_of(const trib_passage *passage) {
    return passage->mass / (double)passage->n_words;
}

static int by_strength(const void *a, const void *b) {
    const trib_passage *x = ((const shown *)a)->passage, *y = ((const shown *)b)->passage;
    const uint32_t s = ((const shown *)a)->all->source, r = ((const shown *)b)->all->source;
    if (part_of(x) != part_of(y)) return part_of(x) < part_of(y) ? 1 : -1;
    if (x->n_words != y->n_words) return x->n_words < y->n_words ? 1 : -1;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return s == r ? (x->source > y->source) - (x->source < y->source) : s < r ? -1 : 1;
}

static int by_number(const void *a, const void *b) {
    const trib_passage *x = ((const shown *)a)->passage, *y = ((const shown *)b)->passage;
    return (x->number > y->number) - (x->number < y->number);
}

static bool is_same(const trib_shared_run *run) {
    return run->kind == TRIB_EQUAL || run->kind == TRIB_MOVED;
}

/* Gives a passage the words that no other has; the number of those word for word. */
static size_t take_words(making *m, const shown *of, uint32_t number) {
    const uint32_t *const held = m->quotes->document[m->target].held;
    size_t n = 0;
    for (uint32_t r = 0; r < of->passage->n_runs; r++) {
        const trib_shared_run *run = &of->all->run[of->passage->first_run + r];
        for (uint32_t k = run->target; k < run->target + run->n; k++) {
            if (m->owner[held[k]] > 0 && m->owner[held[k]] != number) continue;
            m->owner[held[k]] = number;
            m->agrees[held[k]] = is_same(run);
            n += is_same(run);
        }
    }
    return n;
}

/* Lists the passages that have words word for word in the text, and gives them these. */
static trib_status list_passages(making *m, const trib_findings *findings, trib_error *error) {
    shown_list all = {0};
    trib_status status = TRIB_OK;
    for (uint32_t s = 0; findings->passages && s < findings->n_sources && status == TRIB_OK; s++) {
        const trib_passages *const passages = &findings->passages[s];
        if (passages->n > 0) status = trib_quotes_prepare(m->quotes, passages->source, error);
        for (size_t p = 0; p < passages->n && status == TRIB_OK; p++) {
            shown *const one = trib_arena_append(&m->scratch, &all, sizeof *one);
            if (one) *one = (shown){passages, &passages->passage[p]};
        }
    }
    if (status == TRIB_OK) status = trib_arena_check(&m->scratch, error);
    if (status != TRIB_OK || all.n == 0) return status;
    qsort(all.item, all.n, sizeof *all.item, by_strength);
    for (size_t p = 0; p < all.n; p++)
        if (take_words(m, &all.item[p], (uint32_t)p + 1) > 0)
            all.item[m->passages.n++] = all.item[p];
    m->passages.item = all.item;
    memset(m->owner, 0, m->text.n * sizeof *m->owner);
    for (size_t p = 0; p < m->passages.n; p++)
        (void)take_words(m, &all.item[p], all.item[p].passage->number);
    qsort(all.item, m->passages.n, sizeof *all.item, by_number);
    return TRIB_OK;
}

/* Gives each word the place of its passage in the list. */
static void number_words(making *m) {
    for (size_t w = 0; w < m->text.n; w++) {
        size_t low = 0, high = m->passages.n;
        while (m->owner[w] > 0 && low < high) {
            const size_t middle = low + (high - low) / 2;
            if (m->passages.item[middle].passage->number < m->owner[w]) low = middle + 1;
            else high = middle;
        }
        if (m->owner[w] > 0) m->owner[w] = (uint32_t)low + 1;
    }
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* The reference of n words of a document; NULL where there is none. */
static const char *reference_of(const making *m, uint32_t document, size_t first, size_t n) {
    char reference[TRIB_REFERENCE_MAX];
    trib_quote_reference(reference, m->quotes, document, first, first + n - 1);
    return *reference ? trib_arena_copy(m->arena, reference, strlen(reference)) : NULL;
}

/* Adds a number to the code of where words begin (docs/run-directory.md). */
static void add_number(trib_buffer *code, size_t number, trib_error *failure) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    enum { MORE = 63 }; /* '_' adds 63 and continues */
    for (; number >= MORE; number -= MORE) (void)trib_buffer_add(code, &digits[MORE], 1, failure);
    (void)trib_buffer_add(code, &digits[number], 1, failure);
}

/* Makes the code of where the words of a block begin: how many begin where they are expected, the
 * step to the next one that does not, and so on. */
static const char *make_starts(const making *m, const trib_text_block *block) {
    const char *text = m->text.text.text;
    trib_buffer code = {0};
    size_t at = block->from, n_expected = 0;
    for (size_t w = 0; w < block->n; w++) {
        const size_t start = m->text.start[block->first + w];
        if (start == trib_text_next_word(text, at, block->to, w > 0)) {
            n_expected++;
        } else {
            add_number(&code, n_expected, &m->arena->failure);
            add_number(&code, trib_utf16_length(text + at, start - at), &m->arena->failure);
            n_expected = 0;
        }
        at = start;
    }
    if (n_expected > 0) add_number(&code, n_expected, &m->arena->failure);
    const char *const starts = trib_arena_copy(m->arena, code.text, code.length);
    trib_buffer_release(&code);
    return starts;
}

static void add_piece(trib_running_block *to, const making *m, size_t from, size_t end) {
    trib_texts_add(m->arena, &to->text,
                   trib_arena_copy(m->arena, m->text.text.text + from, end - from));
}

/* Adds where the reference changes in the piece that begins at byte `at` and is added next, for the
 * words first .. end - 1. The first word of a block has no entry: its reference is that of the
 * block. */
static void add_references(trib_running_block *to, const making *m, size_t at, size_t first,
                           size_t end) {
    const trib_quoted *const quoted = &m->quotes->document[m->target];
    for (size_t w = first; w < end; w++) {
        const char *before = trib_text_reference_at(&quoted->text, quoted->place[w - 1].offset),
                   *reference = trib_text_reference_at(&quoted->text, quoted->place[w].offset);
        if (!reference || (before && strcmp(reference, before) == 0)) continue;
        trib_running_reference *const one =
            trib_arena_append(m->arena, &to->references, sizeof *one);
        if (!one) return;
        *one = (trib_running_reference){trib_arena_copy(m->arena, reference, strlen(reference)),
                                        to->text.n, m->text.start[w] - at};
    }
}

/* Makes a block. Words of one passage that stand side by side are one piece. */
static void make_block(const making *m, const trib_text_block *block) {
    trib_running_block *const made = trib_arena_append(m->arena, &m->made->blocks, sizeof *made);
    size_t at = block->from, first = block->first + 1; /* the next word to look for a reference */
    if (!made) return;
    made->first = block->first + 1;
    made->words = block->n;
    for (size_t w = block->first, end = block->first + block->n, next; w < end; w = next) {
        next = w + 1;
        if (!m->agrees[w]) continue;
        while (next < end && m->agrees[next] && m->owner[next] == m->owner[w]) next++;
        add_references(made, m, at, first, w);
        add_piece(made, m, at, m->text.start[w]);
        add_references(made, m, m->text.start[w], w > block->first ? w : w + 1, next);
        first = next;
        add_piece(made, m, m->text.start[w], m->text.end[next - 1]);
        uint64_t *const passage = trib_arena_append(m->arena, &made->passages, sizeof *passage);
        if (passage) *passage = m->owner[w];
        at = m->text.end[next - 1];
    }
    add_references(made, m, at, first, block->first + block->n);
    add_piece(made, m, at, block->to);
    made->starts = make_starts(m, block);
    made->reference = reference_of(m, m->target, block->first, 1);
    made->wrapped = block->is_wrapped;
    made->omitted = block->is_omitted;
}

/* ---- Passages and sources -------------------------------------------------------------------- */

/* The words of the source quoted before and after a passage. With many targets they are as few as
 * on the other pages. */
static size_t context_of(const trib_run_results *results) {
    enum { CONTEXT = 30, MANY = 12 };
    const size_t few = results->config->report.context_words;
    return results->corpus->n_targets > MANY || few > CONTEXT ? few : CONTEXT;
}

/* Quotes the words first .. last of a passage's source with their context: pieces of which every
 * second one is word for word in the target. */
static trib_status quote_source(trib_texts *text, making *m, const shown *of, size_t first,
                                size_t last, trib_error *error) {
    const uint32_t source = of->all->source;
    const uint32_t *const held = m->quotes->document[source].held;
    const size_t n_words = m->quotes->results->words->document[source].n_tokens,
                 context = context_of(m->quotes->results), n_source = last - first + 1,
                 before = first < context ? first : context, rest = n_words - last - 1,
                 n = before + n_source + (rest < context ? rest : context);
    uint8_t *const marked = trib_arena_new(&m->scratch, n, 1);
    trib_place_record *place = NULL;
    if (!marked) return trib_arena_check(&m->scratch, error);
    for (uint32_t r = 0; r < of->passage->n_runs; r++) {
        const trib_shared_run *run = &of->all->run[of->passage->first_run + r];
        for (uint32_t k = 0; is_same(run) && k < run->n; k++)
            marked[before + held[run->source + k] - first] = 1;
    }
    trib_status status =
        trib_quote_words(&place, m->arena, m->quotes, source, first - before, n, marked, error);
    if (status == TRIB_OK) status = trib_arena_check(m->arena, error);
    if (status == TRIB_OK) *text = place->text;
    return status;
}

static trib_status make_passage(making *m, const shown *of, trib_error *error) {
    const uint32_t source = of->all->source;
    size_t first, last, source_first, source_last;
    trib_running_passage *const made =
        trib_arena_append(m->arena, &m->made->passages, sizeof *made);
    if (!made) return trib_arena_check(m->arena, error);
    trib_quotes_span(&m->quotes->document[m->target], of->passage, false, &first, &last);
    trib_quotes_span(&m->quotes->document[source], of->passage, true, &source_first, &source_last);
    *made = (trib_running_passage){
        .source = m->number[source],
        .first = first + 1,
        .words = last - first + 1,
        .source_first = source_first + 1,
        .source_words = source_last - source_first + 1,
        .agree = of->passage->n_equal,
        .altered = of->passage->n_words - of->passage->n_equal,
        .reference = reference_of(m, m->target, first, last - first + 1),
        .source_reference = reference_of(m, source, source_first, source_last - source_first + 1),
        .probability = rint(1e6 * of->passage->belief) / 1e6}; /* in millionths */
    return quote_source(&made->text, m, of, source_first, source_last, error);
}

/* The part of the target that falls to a source: its share by `extent`, or, where that is not among
 * the methods, the sum of its passages. */
static double share_of(const making *m, const trib_target_results *target, uint32_t s) {
    const trib_passages *const passages = &target->findings->passages[s];
    double sum = 0;
    for (uint32_t i = 0; i < m->quotes->results->config->influence.n_methods; i++)
        if (strcmp(target->shares->influence[i].method->name, "extent") == 0)
            return target->shares->influence[i].share[s];
    for (size_t p = 0; p < passages->n; p++) sum += passages->passage[p].mass;
    return sum;
}

/* Lists the sources of the passages, those with the most words first, and sets their places in the
 * list. */
static void make_sources(making *m, const trib_target_results *target) {
    const uint32_t n = target->findings->passages ? target->findings->n_sources : 0;
    size_t *const n_passages =
        trib_arena_new(&m->scratch, m->corpus->n_documents, sizeof *n_passages);
    for (size_t p = 0; p < m->passages.n && n_passages; p++)
        n_passages[m->passages.item[p].all->source]++;
    while (n_passages) { /* the next largest; there are few */
        double most = -1;
        uint32_t best = 0;
        for (uint32_t s = 0; s < n; s++) {
            const uint32_t d = target->about->source[s];
            if (n_passages[d] == 0 || !(share_of(m, target, s) > most)) continue;
            most = share_of(m, target, s);
            best = d;
        }
        if (most < 0) break;
        m->number[best] = (uint32_t)m->made->sources.n;
        trib_running_source *const source =
            trib_arena_append(m->arena, &m->made->sources, sizeof *source);
        if (!source) break;
        *source =
            (trib_running_source){m->corpus->document[best].about->id,
                                  (uint64_t)round(most * (double)m->text.n), n_passages[best]};
        n_passages[best] = 0;
    }
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Decodes the text and lists its passages. */
static trib_status begin(making *m, uint32_t t, trib_error *error) {
    const trib_run_results *const results = m->quotes->results;
    const trib_document_words *const words = &results->words->document[m->target];
    const trib_quoted *const quoted = &m->quotes->document[m->target];
    trib_status status = trib_quotes_prepare(m->quotes, m->target, error);
    if (status == TRIB_OK)
        status = trib_decode_text(&m->text, &m->scratch, &quoted->text.bytes, words->encoding,
                                  quoted->place, words->n_tokens, error);
    if (status != TRIB_OK) return status;
    m->owner = trib_arena_new(&m->scratch, m->text.n, sizeof *m->owner);
    m->agrees = trib_arena_new(&m->scratch, m->text.n, 1);
    m->number = trib_arena_new(&m->scratch, m->corpus->n_documents, sizeof *m->number);
    if (!m->number) return trib_arena_check(&m->scratch, error);
    const trib_status listed = list_passages(m, results->target[t].findings, error);
    if (listed == TRIB_OK) number_words(m);
    return listed;
}

trib_status trib_running_text_make(trib_running_text *made, trib_arena *arena, trib_quotes *quotes,
                                   uint32_t t, trib_error *error) {
    const trib_corpus *const corpus = quotes->results->corpus;
    const uint32_t target = corpus->target[t].document;
    making m = {.quotes = quotes, .corpus = corpus, .target = target, .made = made, .arena = arena};
    trib_text_block block = {0};
    trib_status status = begin(&m, t, error);
    *made = (trib_running_text){
        .schema = 1, .target = corpus->document[target].about->id, .words = m.text.n};
    if (status == TRIB_OK) make_sources(&m, &quotes->results->target[t]);
    if (status == TRIB_OK) status = trib_arena_check(&m.scratch, error);
    for (size_t p = 0; p < m.passages.n && status == TRIB_OK; p++)
        status = make_passage(&m, &m.passages.item[p], error);
    while (status == TRIB_OK && trib_text_block_next(&m.text, &block)) make_block(&m, &block);
    if (status == TRIB_OK) status = trib_arena_check(arena, error);
    trib_buffer_release(&m.text.text);
    trib_arena_release(&m.scratch);
    return status;
}
