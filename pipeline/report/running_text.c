/* running_text.c - read/ID.json: the text of a target in blocks of one or a few paragraphs, each
 * cut into pieces of which every second one is traced to a source; and for each traced run the
 * words of the source around it.
 *
 * With the method `traced` the runs are those of the trace; runs of one source are joined where few
 * words lie between them in both texts. Without it they are the passages; where those of several
 * sources overlap, the one with more shared n-grams has the words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/report/reading.h"

/* Words of a target that are traced to words of one source. */
typedef struct traced_run {
    size_t first, n;               /* words of the target, from 0 */
    uint32_t source;               /* number of the document */
    size_t source_first, source_n; /* its words, from 0 */
    double probability;            /* mean probability that they were copied; NaN: not known */
} traced_run;

/* The target while its text is made. */
typedef struct making {
    trib_quotes *quotes;
    const trib_corpus *corpus;
    uint32_t target; /* document number */
    trib_running_text *made;
    trib_arena *arena, scratch; /* for what is made; for what is not needed afterwards */
    trib_decoded_text text;
    traced_run *run; /* [n_runs] in the order of the target; no word is in two of them */
    size_t n_runs;
    uint32_t *owner;  /* [n words] number of the run + 1; 0: none */
    uint8_t *agrees;  /* [n words] the word agrees with the source */
    uint32_t *number; /* [n_documents] place in "sources" */
} making;

/* ---- Words that agree ------------------------------------------------------------------------ */

typedef struct pair {
    const uint32_t *own, *theirs; /* ids of the words */
    size_t n, m;
    uint32_t wildcard; /* stands for different words */
} pair;

static bool agree(const pair *p, size_t i, size_t j) {
    return i < p->n && j < p->m && p->own[i] == p->theirs[j] && p->own[i] != p->wildcard &&
           p->own[i] != TRIB_NO_WORD;
}

/* Finds the nearest place after (i, j) where `least` words in a row agree. */
static bool find_next(const pair *p, size_t least, size_t *i, size_t *j) {
    enum { FARTHEST = 24 }; /* words of both texts together */
    for (size_t all = 1; all <= FARTHEST; all++)
        for (size_t k = 0; k <= all; k++) {
            const size_t x = *i + k, y = *j + all - k;
            if (!agree(p, x, y) || (least > 1 && !agree(p, x + 1, y + 1))) continue;
            *i = x;
            *j = y;
            return true;
        }
    return false;
}

/* Marks the words of a run that agree: own[run->n] of the target and theirs[run->source_n] of the
 * source, both 0 before. Words that agree are in the same order in both. O(words). */
static void align(const making *m, const traced_run *run, uint8_t *own, uint8_t *theirs) {
    const pair p = {m->quotes->document[m->target].word + run->first,
                    m->quotes->document[run->source].word + run->source_first, run->n,
                    run->source_n, m->quotes->results->vocab->other};
    for (size_t i = 0, j = 0; i < p.n && j < p.m; i++, j++) {
        if (!agree(&p, i, j) && !find_next(&p, 2, &i, &j) && !find_next(&p, 1, &i, &j)) continue;
        own[i] = theirs[j] = 1;
    }
}

/* ---- Runs of the trace ----------------------------------------------------------------------- */

/* Whether a run follows another of the same source after few words of both texts. */
static bool follows(const traced_run *run, const traced_run *before) {
    const size_t end = before->first + before->n,
                 source_end = before->source_first + before->source_n;
    return run->source == before->source && run->first <= end + TRIB_LONGEST_GAP &&
           run->source_first >= source_end && run->source_first <= source_end + TRIB_LONGEST_GAP;
}

/* Joins a run to the one before it. */
static void join(traced_run *to, const traced_run *run) {
    const double n = (double)(to->n + run->n);
    to->probability = ((double)to->n * to->probability + (double)run->n * run->probability) / n;
    to->n = run->first + run->n - to->first;
    to->source_n = run->source_first + run->source_n - to->source_first;
}

static trib_status list_trace(making *m, const trib_target *target, const trib_findings *findings,
                              trib_error *error) {
    const uint32_t before = m->quotes->results->config->tensor.n - 1, /* words of an n-gram */
        *own = m->quotes->document[m->target].end;
    m->run = trib_arena_new(&m->scratch, findings->n_trace, sizeof *m->run);
    for (size_t i = 0; m->run && i < findings->n_trace; i++) {
        const trib_traced_run *traced = &findings->trace[i];
        const uint32_t source = target->source[traced->source];
        const trib_status status = trib_quotes_prepare(m->quotes, source, error);
        if (status != TRIB_OK) return status;
        const uint32_t *theirs = m->quotes->document[source].end;
        const size_t first = own[traced->target] - before,
                     source_first = theirs[traced->place] - before;
        const traced_run one = {first,
                                own[traced->target + traced->n - 1] - first + 1,
                                source,
                                source_first,
                                theirs[traced->place + traced->n - 1] - source_first + 1,
                                traced->probability};
        if (m->n_runs > 0 && follows(&one, &m->run[m->n_runs - 1]))
            join(&m->run[m->n_runs - 1], &one);
        else m->run[m->n_runs++] = one;
    }
    return trib_arena_check(&m->scratch, error);
}

/* ---- Runs of the passages -------------------------------------------------------------------- */

/* A passage, and what decides between two. */
typedef struct candidate {
    traced_run run;
    size_t n_shared; /* n-grams */
} candidate;
TRIB_RECORD_LIST(candidates, candidate);

static int by_strength(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->n_shared != y->n_shared) return x->n_shared < y->n_shared ? 1 : -1;
    if (x->run.first != y->run.first) return x->run.first < y->run.first ? -1 : 1;
    if (x->run.source != y->run.source) return x->run.source < y->run.source ? -1 : 1;
    return x->run.source_first < y->run.source_first ? -1
                                                     : x->run.source_first > y->run.source_first;
}

static int by_place(const void *a, const void *b) {
    const traced_run *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* The n-grams that a passage has at least. One of a single n-gram is listed as a phrase only; with
 * many targets most passages of two are found by chance, and the pages would be twice as large. */
static size_t least_shared(const trib_corpus *corpus) {
    enum { MANY = 12, LEAST = 2, LEAST_OF_MANY = 3 };
    return corpus->n_targets > MANY ? LEAST_OF_MANY : LEAST;
}

/* Adds the passages with one source. */
static trib_status add_passages(candidates *to, making *m, const trib_passages *passages,
                                trib_error *error) {
    const uint32_t before = m->quotes->results->config->tensor.n - 1;
    const trib_status status = trib_quotes_prepare(m->quotes, passages->source, error);
    if (status != TRIB_OK) return status;
    const uint32_t *own = m->quotes->document[m->target].end,
                   *theirs = m->quotes->document[passages->source].end;
    for (size_t p = 0; p < passages->n; p++) {
        const trib_passage *passage = &passages->passage[p];
        if (passage->n_shared < least_shared(m->corpus)) continue;
        const size_t first = own[passage->target] - before,
                     last = own[passage->target + passage->n_target - 1],
                     source_first = theirs[passage->source] - before,
                     source_last = theirs[passage->source + passage->n_source - 1];
        candidate *const one = trib_arena_append(&m->scratch, to, sizeof *one);
        if (!one) break;
        *one = (candidate){{first, last - first + 1, passages->source, source_first,
                            source_last - source_first + 1, NAN},
                           passage->n_shared};
    }
    return trib_arena_check(&m->scratch, error);
}

/* Reduces a run to the longest part of it whose words no other run has. */
static void keep_free(traced_run *run, const uint8_t *taken) {
    size_t first = run->first, n = 0;
    const size_t end = run->first + run->n;
    for (size_t w = run->first, from = w; w <= end; w++)
        if (w == end || taken[w]) {
            if (w - from > n) first = from, n = w - from;
            from = w + 1;
        }
    run->first = first;
    run->n = n;
}

/* Cuts a run to the words from the first to the last that agree, in both texts. */
static void trim(making *m, traced_run *run) {
    uint8_t *const own = trib_arena_new(&m->scratch, run->n + run->source_n, 1);
    if (!own) return;
    uint8_t *const theirs = own + run->n;
    align(m, run, own, theirs);
    size_t end = run->n, source_end = run->source_n, first = 0, source_first = 0;
    while (end > 0 && !own[end - 1]) end--;
    while (source_end > 0 && !theirs[source_end - 1]) source_end--;
    while (first < end && !own[first]) first++;
    while (source_first < source_end && !theirs[source_first]) source_first++;
    run->first += first;
    run->source_first += source_first;
    run->n = end - first;
    run->source_n = source_end - source_first;
}

static trib_status list_passages(making *m, const trib_findings *findings, trib_error *error) {
    const uint32_t least = m->quotes->results->config->tensor.n;
    candidates found = {0};
    trib_status status = TRIB_OK;
    for (uint32_t s = 0; findings->passages && s < findings->n_sources && status == TRIB_OK; s++)
        if (findings->passages[s].n > 0)
            status = add_passages(&found, m, &findings->passages[s], error);
    if (status != TRIB_OK) return status;
    m->run = trib_arena_new(&m->scratch, found.n, sizeof *m->run);
    uint8_t *const taken = trib_arena_new(&m->scratch, m->text.n, 1);
    if (found.n > 0) qsort(found.item, found.n, sizeof *found.item, by_strength);
    for (size_t i = 0; taken && i < found.n; i++) {
        traced_run one = found.item[i].run;
        keep_free(&one, taken);
        if (one.n < least) continue;
        trim(m, &one);
        if (one.n < least) continue;
        memset(taken + one.first, 1, one.n);
        m->run[m->n_runs++] = one;
    }
    if (m->n_runs > 0) qsort(m->run, m->n_runs, sizeof *m->run, by_place);
    return trib_arena_check(&m->scratch, error);
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

/* Makes a block. Words of one run that stand side by side are one piece. */
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

/* The words of the source quoted before and after a run. With many targets they are as few as on
 * the other pages. */
static size_t context_of(const trib_run_results *results) {
    enum { CONTEXT = 30, MANY = 12 };
    const size_t few = results->config->report.context_words;
    return results->corpus->n_targets > MANY || few > CONTEXT ? few : CONTEXT;
}

/* Quotes the source of a run with its context: pieces of which every second one agrees. */
static trib_status quote_source(trib_texts *text, making *m, const traced_run *run,
                                const uint8_t *theirs, trib_error *error) {
    const size_t n_words = m->quotes->results->words->document[run->source].n_tokens,
                 context = context_of(m->quotes->results),
                 before = run->source_first < context ? run->source_first : context,
                 rest = n_words - run->source_first - run->source_n,
                 n = before + run->source_n + (rest < context ? rest : context);
    uint8_t *const marked = trib_arena_new(&m->scratch, n, 1);
    trib_place_record *place = NULL;
    if (!marked) return trib_arena_check(&m->scratch, error);
    memcpy(marked + before, theirs, run->source_n);
    trib_status status = trib_quote_words(&place, m->arena, m->quotes, run->source,
                                          run->source_first - before, n, marked, error);
    if (status == TRIB_OK) status = trib_arena_check(m->arena, error);
    if (status == TRIB_OK) *text = place->text;
    return status;
}

static trib_status make_passage(making *m, size_t r, trib_error *error) {
    const traced_run *run = &m->run[r];
    uint8_t *const theirs = trib_arena_new(&m->scratch, run->source_n, 1), *const own = m->agrees +
                                                                                        run->first;
    trib_running_passage *const made =
        trib_arena_append(m->arena, &m->made->passages, sizeof *made);
    if (!theirs) return trib_arena_check(&m->scratch, error);
    if (!made) return trib_arena_check(m->arena, error);
    align(m, run, own, theirs);
    *made = (trib_running_passage){
        .source = m->number[run->source],
        .first = run->first + 1,
        .words = run->n,
        .source_first = run->source_first + 1,
        .source_words = run->source_n,
        .reference = reference_of(m, m->target, run->first, run->n),
        .source_reference = reference_of(m, run->source, run->source_first, run->source_n),
        .probability = rint(1e6 * run->probability) / 1e6}; /* in millionths, as in the trace */
    for (size_t w = 0; w < run->n; w++) {
        m->owner[run->first + w] = (uint32_t)r + 1;
        made->agree += own[w];
    }
    return quote_source(&made->text, m, run, theirs, error);
}

/* Lists the sources, those with the most words first, and sets their places in the list. */
static void make_sources(making *m) {
    const uint32_t n = m->corpus->n_documents;
    size_t *const n_words = trib_arena_new(&m->scratch, n, sizeof *n_words),
                  *const n_runs = trib_arena_new(&m->scratch, n, sizeof *n_runs);
    for (size_t r = 0; r < m->n_runs && n_runs; r++) {
        n_words[m->run[r].source] += m->run[r].n;
        n_runs[m->run[r].source]++;
    }
    while (n_runs) { /* the next largest; there are few */
        uint32_t most = 0;
        for (uint32_t d = 1; d < n; d++)
            if (n_words[d] > n_words[most]) most = d;
        if (n_words[most] == 0) break;
        m->number[most] = (uint32_t)m->made->sources.n;
        trib_running_source *const source =
            trib_arena_append(m->arena, &m->made->sources, sizeof *source);
        if (!source) break;
        *source =
            (trib_running_source){m->corpus->document[most].about->id, n_words[most], n_runs[most]};
        n_words[most] = 0;
    }
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Decodes the text and lists its runs. */
static trib_status begin(making *m, uint32_t t, trib_error *error) {
    const trib_run_results *const results = m->quotes->results;
    const trib_document_words *const words = &results->words->document[m->target];
    const trib_quoted *const quoted = &m->quotes->document[m->target];
    const trib_findings *const findings = results->target[t].findings;
    trib_status status = trib_quotes_prepare(m->quotes, m->target, error);
    if (status == TRIB_OK)
        status = trib_decode_text(&m->text, &m->scratch, &quoted->text.bytes, words->encoding,
                                  quoted->place, words->n_tokens, error);
    if (status != TRIB_OK) return status;
    m->owner = trib_arena_new(&m->scratch, m->text.n, sizeof *m->owner);
    m->agrees = trib_arena_new(&m->scratch, m->text.n, 1);
    m->number = trib_arena_new(&m->scratch, m->corpus->n_documents, sizeof *m->number);
    if (!m->number) return trib_arena_check(&m->scratch, error);
    return trib_method_of_trace(results->config)
               ? list_trace(m, &m->corpus->target[t], findings, error)
               : list_passages(m, findings, error);
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
    if (status == TRIB_OK) make_sources(&m);
    if (status == TRIB_OK) status = trib_arena_check(&m.scratch, error);
    for (size_t r = 0; r < m.n_runs && status == TRIB_OK; r++) status = make_passage(&m, r, error);
    while (status == TRIB_OK && trib_text_block_next(&m.text, &block)) make_block(&m, &block);
    if (status == TRIB_OK) status = trib_arena_check(arena, error);
    trib_buffer_release(&m.text.text);
    trib_arena_release(&m.scratch);
    return status;
}
