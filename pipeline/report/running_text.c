/* running_text.c - read/ID.json: the text of a target in blocks of one or a few paragraphs, each
 * cut into pieces of which every second one is word for word that of a source; and for each passage
 * the words of the source around it. The text of a source that is no target is made in the same
 * way: its passages are those of the targets, and the other text is the target.
 *
 * The runs are the passages. Where those of several texts overlap, the one that is credited with
 * the largest part of each of its words has them. */

#include "pipeline/config/config.h"
#include "pipeline/report/reading.h"

/* A passage with the text on its other side. */
typedef struct shown {
    const trib_passages *all; /* of its target and source */
    const trib_passage *passage;
    uint32_t other;  /* document number */
    uint32_t number; /* in the order of the text, from 1 */
} shown;
TRIB_RECORD_LIST(shown_list, shown);

/* The text while it is made. */
typedef struct making {
    trib_quotes *quotes;
    const trib_corpus *corpus;
    uint32_t document;                 /* its number */
    const trib_target_results *target; /* NULL: it is only a source */
    trib_running_text *made;
    trib_arena *arena, scratch; /* for what is made; for what is not needed afterwards */
    trib_decoded_text text;
    shown_list passages; /* in the order of the text */
    uint32_t *owner;     /* [n words] number of the passage that has the word, from 1; 0: none */
    uint8_t *agrees;     /* [n words] the word is word for word the other text's */
    uint32_t *beside;    /* [n words] number of the word in the other text, from 0 */
    uint32_t *number;    /* [n_documents] place in "sources" */
} making;

/* ---- Passages -------------------------------------------------------------------------------- */

/* The part of a passage's words that falls to its source. */
static double part_of(const trib_passage *passage) {
    return passage->mass / (double)passage->n_words;
}

static int by_strength(const void *a, const void *b) {
    const trib_passage *x = ((const shown *)a)->passage, *y = ((const shown *)b)->passage;
    const uint32_t s = ((const shown *)a)->other, r = ((const shown *)b)->other;
    if (part_of(x) != part_of(y)) return part_of(x) < part_of(y) ? 1 : -1;
    if (x->n_words != y->n_words) return x->n_words < y->n_words ? 1 : -1;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return s == r ? (x->source > y->source) - (x->source < y->source) : s < r ? -1 : 1;
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = ((const shown *)a)->number, y = ((const shown *)b)->number;
    return (x > y) - (x < y);
}

static int by_source(const void *a, const void *b) {
    const shown *x = a, *y = b;
    if (x->passage->source != y->passage->source)
        return x->passage->source < y->passage->source ? -1 : 1;
    return x->other != y->other ? (x->other > y->other) - (x->other < y->other) : by_number(a, b);
}

static bool is_same(const trib_shared_run *run) {
    return run->kind == TRIB_EQUAL || run->kind == TRIB_MOVED;
}

/* In `agrees`: the first word of a unit that is translated. */
enum { BEGINS_UNIT = 2 };

/* Gives a passage the words that no other has. */
static void take_words(making *m, const shown *of) {
    const uint32_t *const held = m->quotes->document[m->document].held,
                          *const there = m->quotes->document[of->other].held;
    for (uint32_t r = 0; r < of->passage->n_runs; r++) {
        const trib_shared_run *run = &of->all->run[of->passage->first_run + r];
        const uint32_t first = m->target ? run->target : run->source,
                       other = m->target ? run->source : run->target;
        const bool is_unit = run->kind == TRIB_TRANSLATED;
        const uint32_t n = trib_run_words(of->all, of->passage, r, !m->target);
        for (uint32_t k = 0; k < n && first != UINT32_MAX; k++) {
            const uint32_t w = held[first + k];
            if (m->owner[w] > 0 && m->owner[w] != of->number) continue;
            m->owner[w] = of->number;
            m->agrees[w] = is_unit ? k == 0 ? BEGINS_UNIT : 1 : is_same(run);
            if (m->agrees[w]) m->beside[w] = there[is_unit ? other : other + k];
        }
    }
}

/* Adds what a target shares with a source. */
static trib_status add_passages(making *m, shown_list *all, const trib_passages *passages,
                                uint32_t other, trib_error *error) {
    if (passages->n == 0) return TRIB_OK;
    for (size_t p = 0; p < passages->n; p++) {
        shown *const one = trib_arena_append(&m->scratch, all, sizeof *one);
        if (!one) break;
        *one = (shown){passages, &passages->passage[p], other, passages->passage[p].number};
    }
    return trib_quotes_prepare(m->quotes, other, error);
}

/* Lists the passages, and gives them their words. */
static trib_status list_passages(making *m, trib_error *error) {
    const trib_target_results *const target = m->quotes->results->target;
    shown_list all = {0};
    trib_status status = TRIB_OK;
    for (uint32_t t = 0; t < m->corpus->n_targets; t++) {
        const trib_findings *const findings = target[t].findings;
        if (!findings->passages || (m->target && m->target != &target[t])) continue;
        for (uint32_t s = 0; s < findings->n_sources && status == TRIB_OK; s++) {
            const trib_passages *const passages = &findings->passages[s];
            if (m->target) status = add_passages(m, &all, passages, passages->source, error);
            else if (passages->source == m->document)
                status = add_passages(m, &all, passages, target[t].about->document, error);
        }
    }
    if (status == TRIB_OK) status = trib_arena_check(&m->scratch, error);
    if (status != TRIB_OK || all.n == 0) return status;
    if (!m->target) qsort(all.item, all.n, sizeof *all.item, by_source);
    for (size_t p = 0; !m->target && p < all.n; p++) all.item[p].number = (uint32_t)p + 1;
    qsort(all.item, all.n, sizeof *all.item, by_strength);
    for (size_t p = 0; p < all.n; p++) take_words(m, &all.item[p]);
    qsort(all.item, all.n, sizeof *all.item, by_number);
    m->passages = all;
    return TRIB_OK;
}

/* Gives each word the place of its passage in the list. */
static void number_words(making *m) {
    for (size_t w = 0; w < m->text.n; w++) {
        size_t low = 0, high = m->passages.n;
        while (m->owner[w] > 0 && low < high) {
            const size_t middle = low + (high - low) / 2;
            if (m->passages.item[middle].number < m->owner[w]) low = middle + 1;
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
    const trib_quoted *const quoted = &m->quotes->document[m->document];
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
        while (next < end && m->agrees[next] && m->agrees[next] != BEGINS_UNIT &&
               m->owner[next] == m->owner[w])
            next++;
        add_references(made, m, at, first, w);
        add_piece(made, m, at, m->text.start[w]);
        add_references(made, m, m->text.start[w], w > block->first ? w : w + 1, next);
        first = next;
        add_piece(made, m, m->text.start[w], m->text.end[next - 1]);
        uint64_t *const passage = trib_arena_append(m->arena, &made->passages, sizeof *passage),
                        *const beside = trib_arena_append(m->arena, &made->beside, sizeof *beside);
        if (passage) *passage = m->owner[w];
        if (beside) *beside = (uint64_t)m->beside[w] + 1;
        at = m->text.end[next - 1];
    }
    add_references(made, m, at, first, block->first + block->n);
    add_piece(made, m, at, block->to);
    made->starts = make_starts(m, block);
    made->reference = reference_of(m, m->document, block->first, 1);
    made->wrapped = block->is_wrapped;
    made->omitted = block->is_omitted;
}

/* ---- Passages and sources -------------------------------------------------------------------- */

/* The words of the other text quoted before and after a passage. With many targets they are as few
 * as on the other pages. */
static size_t context_of(const trib_run_results *results) {
    enum { CONTEXT = 30, MANY = 12 };
    const size_t few = results->config->report.context_words;
    return results->corpus->n_targets > MANY || few > CONTEXT ? few : CONTEXT;
}

/* Quotes the words first .. last of the other text of a passage with their context: pieces of
 * which every second one is word for word in this text. */
static trib_status quote_other(trib_texts *text, making *m, const shown *of, size_t first,
                               size_t last, trib_error *error) {
    const uint32_t *const held = m->quotes->document[of->other].held;
    const size_t n_words = m->quotes->results->words->document[of->other].n_tokens,
                 context = context_of(m->quotes->results),
                 before = first < context ? first : context, rest = n_words - last - 1,
                 n = before + last - first + 1 + (rest < context ? rest : context);
    uint8_t *const marked = trib_arena_new(&m->scratch, n, 1);
    trib_place_record *place = NULL;
    if (!marked) return trib_arena_check(&m->scratch, error);
    for (uint32_t r = 0; r < of->passage->n_runs; r++) {
        const trib_shared_run *run = &of->all->run[of->passage->first_run + r];
        const uint32_t there = m->target ? run->source : run->target;
        const bool is_unit = run->kind == TRIB_TRANSLATED;
        const uint32_t n_here = trib_run_words(of->all, of->passage, r, m->target);
        for (uint32_t k = 0; (is_same(run) || is_unit) && k < n_here; k++)
            marked[before + held[there + k] - first] =
                is_unit ? k == 0 ? TRIB_SHARED_FIRST : TRIB_SHARED_WITH_GAP : TRIB_SHARED;
    }
    trib_status status =
        trib_quote_words(&place, m->arena, m->quotes, of->other, first - before, n, marked, error);
    if (status == TRIB_OK) status = trib_arena_check(m->arena, error);
    if (status == TRIB_OK) *text = place->text;
    return status;
}

static trib_status make_passage(making *m, const shown *of, trib_error *error) {
    const bool is_source = !m->target;
    size_t first, last, other_first, other_last;
    trib_running_passage *const made =
        trib_arena_append(m->arena, &m->made->passages, sizeof *made);
    if (!made) return trib_arena_check(m->arena, error);
    trib_quotes_span(&m->quotes->document[m->document], of->passage, is_source, &first, &last);
    trib_quotes_span(&m->quotes->document[of->other], of->passage, !is_source, &other_first,
                     &other_last);
    /* words of the target, of which two may be one word of the source */
    const size_t n = last - first + 1, n_equal = of->passage->n_equal,
                 n_altered = of->passage->is_translated ? 0 : of->passage->n_words - n_equal,
                 agree = n_equal < n ? n_equal : n;
    *made = (trib_running_passage){
        .source = m->number[of->other],
        .first = first + 1,
        .words = n,
        .source_first = other_first + 1,
        .source_words = other_last - other_first + 1,
        .agree = agree,
        .altered = n_altered < n - agree ? n_altered : n - agree,
        .reference = reference_of(m, m->document, first, n),
        .source_reference = reference_of(m, of->other, other_first, other_last - other_first + 1),
        .translated = of->passage->is_translated,
        .probability = rint(1e6 * of->passage->belief) / 1e6}; /* in millionths */
    return quote_other(&made->text, m, of, other_first, other_last, error);
}

/* Sets the words of the text that fall to each text on the other side: of a target the share of a
 * source by `extent`, or, where that is not among the methods, the sum of its passages; of a source
 * the words of its own passages. */
static void weigh(const making *m, double *words) {
    const trib_run_results *const results = m->quotes->results;
    const trib_influence *extent = NULL;
    for (uint32_t i = 0; m->target && i < results->config->influence.n_methods; i++)
        if (strcmp(m->target->shares->influence[i].method->name, "extent") == 0)
            extent = &m->target->shares->influence[i];
    for (uint32_t s = 0; extent && s < m->target->findings->n_sources; s++)
        words[m->target->about->source[s]] = extent->share[s] * (double)m->text.n;
    for (size_t w = 0; !m->target && w < m->text.n; w++)
        if (m->owner[w] > 0 && !m->passages.item[m->owner[w] - 1].passage->is_translated)
            words[m->passages.item[m->owner[w] - 1].other]++;
    for (size_t p = 0; !extent && m->target && p < m->passages.n; p++) {
        const trib_passages *const all = m->passages.item[p].all;
        double sum = 0;
        for (size_t q = 0; q < all->n; q++) sum += all->passage[q].mass;
        words[m->passages.item[p].other] = sum * (double)m->text.n;
    }
}

/* Lists the texts on the other side, those with the most words first, and sets their places in the
 * list. */
static void make_sources(making *m) {
    const uint32_t n = m->corpus->n_documents;
    size_t *const n_passages = trib_arena_new(&m->scratch, n, sizeof *n_passages);
    double *const words = trib_arena_new(&m->scratch, n, sizeof *words);
    if (!n_passages || !words) return;
    weigh(m, words);
    for (size_t p = 0; p < m->passages.n; p++) n_passages[m->passages.item[p].other]++;
    for (;;) { /* the next largest; there are few */
        uint32_t best = n;
        for (uint32_t d = 0; d < n; d++)
            if (n_passages[d] > 0 && (best == n || words[d] > words[best])) best = d;
        if (best == n) break;
        m->number[best] = (uint32_t)m->made->sources.n;
        trib_running_source *const source =
            trib_arena_append(m->arena, &m->made->sources, sizeof *source);
        if (!source) break;
        *source = (trib_running_source){m->corpus->document[best].about->id,
                                        (uint64_t)round(words[best]), n_passages[best]};
        n_passages[best] = 0;
    }
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Decodes the text and lists its passages. */
static trib_status begin(making *m, trib_error *error) {
    const trib_run_results *const results = m->quotes->results;
    const trib_document_words *const words = &results->words->document[m->document];
    const trib_quoted *const quoted = &m->quotes->document[m->document];
    trib_status status = trib_quotes_prepare(m->quotes, m->document, error);
    if (status == TRIB_OK)
        status = trib_decode_text(&m->text, &m->scratch, &quoted->text.bytes, words->encoding,
                                  quoted->place, words->n_tokens, error);
    if (status != TRIB_OK) return status;
    m->owner = trib_arena_new(&m->scratch, m->text.n, sizeof *m->owner);
    m->agrees = trib_arena_new(&m->scratch, m->text.n, 1);
    m->beside = trib_arena_new(&m->scratch, m->text.n, sizeof *m->beside);
    m->number = trib_arena_new(&m->scratch, m->corpus->n_documents, sizeof *m->number);
    if (!m->number) return trib_arena_check(&m->scratch, error);
    const trib_status listed = list_passages(m, error);
    if (listed == TRIB_OK) number_words(m);
    return listed;
}

trib_status trib_running_text_make(trib_running_text *made, trib_arena *arena, trib_quotes *quotes,
                                   uint32_t document, trib_error *error) {
    const trib_corpus *const corpus = quotes->results->corpus;
    making m = {
        .quotes = quotes, .corpus = corpus, .document = document, .made = made, .arena = arena};
    trib_text_block block = {0};
    for (uint32_t t = 0; t < corpus->n_targets; t++)
        if (corpus->target[t].document == document) m.target = &quotes->results->target[t];
    trib_status status = begin(&m, error);
    *made = (trib_running_text){
        .schema = 1, .target = corpus->document[document].about->id, .words = m.text.n};
    if (status == TRIB_OK) make_sources(&m);
    if (status == TRIB_OK) status = trib_arena_check(&m.scratch, error);
    for (size_t p = 0; p < m.passages.n && status == TRIB_OK; p++)
        status = make_passage(&m, &m.passages.item[p], error);
    while (status == TRIB_OK && trib_text_block_next(&m.text, &block)) make_block(&m, &block);
    if (status == TRIB_OK) status = trib_arena_check(arena, error);
    trib_buffer_release(&m.text.text);
    trib_arena_release(&m.scratch);
    return status;
}

trib_status trib_running_texts_list(uint32_t **document, size_t *n, const trib_run_results *results,
                                    trib_error *error) {
    const trib_corpus *const corpus = results->corpus;
    *n = 0;
    if (!trib_results_have_texts(results)) return TRIB_OK;
    const trib_status status = TRIB_NEW(document, corpus->n_documents, "texts to read", error);
    for (uint32_t t = 0; status == TRIB_OK && t < corpus->n_targets; t++)
        (*document)[(*n)++] = corpus->target[t].document;
    if (status != TRIB_OK || corpus->n_targets > TRIB_REPORT_TARGETS) return status;
    for (uint32_t d = 0; d < corpus->n_documents; d++) {
        bool is_target = false, is_source = false;
        for (uint32_t t = 0; t < corpus->n_targets; t++) {
            const trib_findings *const findings = results->target[t].findings;
            is_target = is_target || corpus->target[t].document == d;
            for (uint32_t s = 0; findings->passages && s < findings->n_sources; s++)
                is_source =
                    is_source || (findings->passages[s].source == d && findings->passages[s].n > 0);
        }
        if (is_source && !is_target) (*document)[(*n)++] = d;
    }
    return TRIB_OK;
}
