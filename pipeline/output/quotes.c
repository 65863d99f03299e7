/* quotes.c - the part of influence.json about passages: parts of the target that resemble parts of
 * a source, in the spelling of the files. */
#include <pthread.h>
#include <unicode/uchar.h>

#include "pipeline/config/config.h"
#include "pipeline/output/result.h"
#include "pipeline/support/utf8.h"

enum { SNIPPET_WORDS = 60, N_STRIP = 120 };

/* ---- From n-grams to words ------------------------------------------------------------------- */

/* Whether n-gram k of a document has all words but the first of the one before it, as where words
 * are put in order from n-grams. */
static bool overlaps(const trib_quoted *q, size_t k, uint32_t n) {
    return k > 0 && memcmp(q->word + q->end[k - 1] + 2 - n, q->word + q->end[k] + 1 - n,
                           (n - 1) * sizeof *q->word) == 0;
}

/* Lists the words that n-grams have, in their order. */
static trib_status list_held(trib_quoted *to, size_t n_tokens, size_t n_ngrams, uint32_t n,
                             trib_error *error) {
    const trib_status status = TRIB_NEW(&to->held, n_tokens, "the places of words", error);
    size_t at = 0; /* the place of the last word but n - 1 */
    for (size_t k = 0; status == TRIB_OK && k < n_ngrams; k++) {
        at = k == 0 ? 0 : at + (overlaps(to, k, n) ? 1 : n);
        for (uint32_t m = 0; m < n; m++) to->held[at + m] = to->end[k] + 1 - n + m;
    }
    return status;
}

/* Finds the byte range of every word of a document and the last word of every n-gram by sliding the
 * window over the words again. */
static trib_status list_places(const trib_run_results *results, uint32_t d, trib_quoted *to,
                               trib_error *error) {
    const trib_document_words *document = &results->words->document[d];
    /* a command that compares words alone has no n-grams */
    const size_t n_ngrams = results->tensors->document ? results->tensors->document[d].n_ngrams : 0;
    TRIB_OPENED(trib_words_cursor) text = {0};
    trib_ngram window;
    trib_placed_word word;
    size_t n = 0;
    trib_status status = trib_words_cursor_open(&text, document, error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&to->place, document->n_tokens, "the places of words", error);
    if (status == TRIB_OK) status = TRIB_NEW(&to->word, document->n_tokens, "the words", error);
    if (status == TRIB_OK) status = TRIB_NEW(&to->end, n_ngrams, "the places of n-grams", error);
    trib_ngram_init(&window, results->config->tensor.n);
    for (size_t i = 0; status == TRIB_OK && i < document->n_tokens; i++) {
        status = trib_words_cursor_at(&text, i, &word, error);
        if (status != TRIB_OK) break;
        to->place[i] = (trib_word_place){word.offset, word.end};
        to->word[i] = word.id;
        if (word.after_break) trib_ngram_break(&window);
        if (n_ngrams > 0 && trib_ngram_push(&window, word.id)) to->end[n++] = (uint32_t)i;
    }
    return status == TRIB_OK
               ? list_held(to, document->n_tokens, n, results->config->tensor.n, error)
               : status;
}

static void release_quoted(trib_quoted *document) {
    trib_text_release(&document->text);
    TRIB_FREE(document->place, document->word, document->end, document->held);
    *document = (trib_quoted){0};
}

trib_status trib_quotes_open(trib_quotes *quotes, const trib_run_results *results,
                             trib_error *error) {
    enum { MOST = 128 << 20 };
    *quotes = (trib_quotes){.results = results, .most_bytes = MOST};
    return TRIB_NEW(&quotes->document, results->corpus->n_documents, "texts to quote", error);
}

static void release_all(trib_quotes *quotes) {
    for (uint32_t d = 0; quotes->document && d < quotes->results->corpus->n_documents; d++)
        release_quoted(&quotes->document[d]);
    quotes->n_bytes = 0;
}

static pthread_mutex_t entering = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one_left = PTHREAD_COND_INITIALIZER;

void trib_quotes_enter(trib_quotes *quotes) {
    pthread_mutex_lock(&entering);
    while (quotes->n_bytes > quotes->most_bytes && quotes->n_inside > 0)
        pthread_cond_wait(&one_left, &entering);
    if (quotes->n_bytes > quotes->most_bytes) release_all(quotes);
    quotes->n_inside++;
    pthread_mutex_unlock(&entering);
}

void trib_quotes_leave(trib_quotes *quotes) {
    pthread_mutex_lock(&entering);
    quotes->n_inside--;
    pthread_cond_broadcast(&one_left);
    pthread_mutex_unlock(&entering);
}

void trib_quotes_close(trib_quotes *quotes) {
    release_all(quotes);
    trib_free(quotes->document);
    *quotes = (trib_quotes){0};
}

/* Reads a document's words and its text. */
static trib_status read_document(trib_quoted *to, const trib_run_results *results, uint32_t d,
                                 trib_error *error) {
    const trib_status status = list_places(results, d, to, error);
    return status == TRIB_OK && results->config->report.text != TRIB_TEXT_NONE
               ? trib_text_read(&to->text, results->config, results->corpus, results->words, d,
                                error)
               : status;
}

/* Memory of a text that was read, without its lines. */
static size_t size_of(const trib_quoted *document, const trib_document_words *words) {
    const size_t of_word =
        sizeof *document->place + sizeof *document->word + 2 * sizeof *document->end;
    return document->is_read ? document->text.bytes.length + words->n_tokens * of_word : 0;
}

static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

trib_status trib_quotes_prepare(trib_quotes *quotes, uint32_t d, trib_error *error) {
    trib_quoted *document = &quotes->document[d];
    trib_status status = TRIB_OK;
    pthread_mutex_lock(&reading);
    if (!document->is_read) {
        status = read_document(document, quotes->results, d, error);
        if (status == TRIB_OK) document->is_read = true;
        else release_quoted(document);
        pthread_mutex_lock(&entering);
        quotes->n_bytes += size_of(document, &quotes->results->words->document[d]);
        pthread_mutex_unlock(&entering);
    }
    pthread_mutex_unlock(&reading);
    return status;
}

/* ---- Quotations ------------------------------------------------------------------------------ */

/* The words first .. last of a document. shared[last - first + 1] marks the words that are in
 * shared runs (trib_shared_mark). */
typedef struct stretch {
    uint32_t document;
    size_t first, last;
    size_t context; /* words quoted before and after */
    uint8_t *shared;
} stretch;

/* Whether a passage of this many words is quoted in part: with report.text snippets, and in a large
 * corpus. */
static bool is_cut(const trib_run_results *results, size_t n_words) {
    return n_words > SNIPPET_WORDS && (results->config->report.text == TRIB_TEXT_SNIPPETS ||
                                       results->corpus->candidates.most > 0);
}

trib_status trib_quote_plainly(trib_buffer *to, const trib_quotes *quotes, uint32_t document,
                               size_t first, size_t last, trib_error *error) {
    const trib_quoted *quoted = &quotes->document[document];
    if (quotes->results->config->report.text == TRIB_TEXT_NONE) return TRIB_OK;
    if (is_cut(quotes->results, last - first + 1)) last = first + SNIPPET_WORDS - 1;
    return trib_text_quote(to, &quoted->text, quoted->place[first].offset, quoted->place[last].end,
                           error);
}

void trib_quote_reference(char reference[TRIB_REFERENCE_MAX], const trib_quotes *quotes,
                          uint32_t document, size_t first, size_t last) {
    const trib_quoted *quoted = &quotes->document[document];
    trib_text_reference(reference, &quoted->text, quoted->place[first].offset,
                        quoted->place[last].end);
}

/* Appends the text between two bytes to the list of pieces. */
static trib_status add_piece(trib_texts *pieces, trib_arena *arena, const trib_quotes *quotes,
                             uint32_t d, size_t from, size_t to_byte, trib_error *error) {
    TRIB_OWNED(trib_buffer) piece = {0};
    const trib_status status =
        trib_text_quote(&piece, &quotes->document[d].text, from, to_byte, error);
    if (status == TRIB_OK)
        trib_texts_add(arena, pieces, trib_result_utf8(arena, piece.text ? piece.text : ""));
    return status;
}

/* Appends what stands between two words but is no word of the run, such as a number that was
 * dropped: the values of its digits and letters in small letters, and where white space is. */
static trib_status add_dropped(trib_buffer *to, const trib_quotes *quotes, uint32_t d, size_t from,
                               size_t to_byte, trib_error *error) {
    const trib_document_text *text = &quotes->document[d].text;
    const unsigned char *const bytes = (const unsigned char *)text->bytes.text;
    TRIB_OWNED(trib_buffer) decoded = {0};
    bool is_after_space = false;
    if (to_byte > text->bytes.length) to_byte = text->bytes.length;
    size_t first = from;
    while (first < to_byte && bytes[first] < 0x80 && !u_isalnum(bytes[first])) first++;
    if (first >= to_byte) return TRIB_OK; /* as between most words */
    trib_status status =
        trib_excerpt(&decoded, text->encoding, text->bytes.text + from, to_byte - from, error);
    for (size_t i = 0; i < decoded.length && status == TRIB_OK;) {
        const UChar32 c = trib_utf8_next(decoded.text, decoded.length, &i);
        const int32_t digit = c > 0 ? u_charDigitValue(c) : -1;
        if (c > 0 && u_isalnum(c))
            status = trib_buffer_print(to, error, "%s%x,", is_after_space ? " " : "",
                                       digit >= 0 ? (unsigned)digit
                                                  : (unsigned)u_foldCase(c, U_FOLD_CASE_DEFAULT));
        is_after_space = c > 0 && u_isUWhiteSpace(c);
    }
    return status;
}

/* Appends the pieces of the words from s->first to `last`, beginning at *byte, and moves *byte to
 * the end of the last complete piece. A shared piece ends after its last word, and before a dropped
 * number that the other text does not have. */
static trib_status add_pieces(trib_texts *pieces, trib_arena *arena, const trib_quotes *quotes,
                              const stretch *s, size_t last, size_t *byte, trib_error *error) {
    const trib_word_place *place = quotes->document[s->document].place;
    TRIB_OWNED(trib_buffer) dropped = {0};
    bool shared = false;
    trib_status status = TRIB_OK;
    for (size_t w = s->first; w <= last + 1 && status == TRIB_OK; w++) {
        const bool now = w <= last && s->shared[w - s->first];
        bool skips = false;
        if (now && shared && s->shared[w - s->first] != TRIB_SHARED_WITH_GAP) {
            status = add_dropped(&dropped, quotes, s->document, place[w - 1].end, place[w].offset,
                                 error);
            skips = dropped.length > 0 || s->shared[w - s->first] == TRIB_SHARED_FIRST;
            trib_buffer_clear(&dropped);
        }
        if (shared && (!now || skips) && status == TRIB_OK) {
            status = add_piece(pieces, arena, quotes, s->document, *byte, place[w - 1].end, error);
            *byte = place[w - 1].end;
        }
        if (now && (!shared || skips) && status == TRIB_OK) {
            status = add_piece(pieces, arena, quotes, s->document, *byte, place[w].offset, error);
            *byte = place[w].offset;
        }
        shared = now;
    }
    return status;
}

/* Makes the pieces [before, shared, between, shared, ..., after]; every second piece is in both
 * texts. The text between words is included, and up to s->context words on each side. */
static trib_status quote(trib_texts *pieces, trib_arena *arena, const trib_quotes *quotes,
                         const stretch *s, trib_error *error) {
    const trib_document_words *document = &quotes->results->words->document[s->document];
    const size_t from = s->first > s->context ? s->first - s->context : 0;
    const trib_word_place *place = quotes->document[s->document].place;
    size_t last = s->last, byte = place[from].offset;
    const bool is_part = is_cut(quotes->results, last - s->first + 1);
    if (is_part) last = s->first + SNIPPET_WORDS - 1;
    size_t end = is_part ? last : last + s->context;
    if (end >= document->n_tokens) end = document->n_tokens - 1;
    const trib_status status = add_pieces(pieces, arena, quotes, s, last, &byte, error);
    return status == TRIB_OK
               ? add_piece(pieces, arena, quotes, s->document, byte, place[end].end, error)
               : status;
}

static trib_status make_place(trib_place_record **made, trib_arena *arena,
                              const trib_quotes *quotes, const stretch *s, trib_error *error) {
    char reference[TRIB_REFERENCE_MAX];
    trib_place_record *const place = trib_arena_new(arena, 1, sizeof *place);
    *made = place;
    if (!place) return trib_arena_check(arena, error);
    *place = (trib_place_record){.first = s->first + 1,
                                 .words = s->last - s->first + 1,
                                 .cut = is_cut(quotes->results, s->last - s->first + 1),
                                 .from = TRIB_ABSENT,
                                 .to = TRIB_ABSENT};
    trib_quote_reference(reference, quotes, s->document, s->first, s->last);
    if (reference[0]) place->reference = trib_arena_print(arena, "%s", reference);
    return quotes->results->config->report.text == TRIB_TEXT_NONE
               ? TRIB_OK
               : quote(&place->text, arena, quotes, s, error);
}

void trib_quotes_span(const trib_quoted *quoted, const trib_passage *passage, bool in_source,
                      size_t *first, size_t *last) {
    const size_t at = in_source ? passage->source : passage->target;
    *first = quoted->held[at];
    *last = quoted->held[at + (in_source ? passage->n_source : passage->n_target) - 1];
}

/* Marks n words, which have numbers held[n], as a unit that is translated: a piece of its own. */
static void mark_unit(const stretch *s, const uint32_t held[], uint32_t n) {
    for (size_t w = held[0]; w <= held[n - 1]; w++)
        s->shared[w - s->first] = w == held[0] ? TRIB_SHARED_FIRST : TRIB_SHARED_WITH_GAP;
}

/* Marks the words of a passage that are word for word the same in both texts, and those before
 * which both texts have the same numbers, or other words that were dropped. */
static trib_status mark_same(stretch *own, stretch *theirs, const trib_quotes *quotes,
                             const trib_passages *passages, const trib_passage *passage,
                             trib_error *error) {
    const trib_quoted *a = &quotes->document[own->document],
                      *b = &quotes->document[theirs->document];
    TRIB_OWNED(trib_buffer) ours = {0}, other = {0};
    trib_status status = TRIB_OK;
    for (size_t r = 0; r < passage->n_runs; r++) {
        const trib_shared_run *run = &passages->run[passage->first_run + r];
        if (run->kind == TRIB_TRANSLATED) {
            mark_unit(own, a->held + run->target, run->n);
            mark_unit(theirs, b->held + run->source,
                      trib_run_words(passages, passage, (uint32_t)r, true));
        }
        if (run->kind != TRIB_EQUAL && run->kind != TRIB_MOVED) continue;
        for (size_t w = 0; w < run->n && status == TRIB_OK; w++) {
            const size_t t = a->held[run->target + w], s = b->held[run->source + w];
            uint8_t *const here = &own->shared[t - own->first],
                           *const there = &theirs->shared[s - theirs->first];
            *here = *there = 1;
            if (w == 0 || a->held[run->target + w - 1] + 1 != t ||
                b->held[run->source + w - 1] + 1 != s)
                continue;
            trib_buffer_clear(&ours);
            trib_buffer_clear(&other);
            status = add_dropped(&ours, quotes, own->document, a->place[t - 1].end,
                                 a->place[t].offset, error);
            if (status != TRIB_OK || ours.length == 0) continue;
            status = add_dropped(&other, quotes, theirs->document, b->place[s - 1].end,
                                 b->place[s].offset, error);
            if (status == TRIB_OK && other.length == ours.length &&
                memcmp(ours.text, other.text, ours.length) == 0)
                *here = *there = TRIB_SHARED_WITH_GAP;
        }
    }
    return status;
}

static trib_status open_stretch(stretch *s, const trib_quotes *quotes, uint32_t d,
                                const trib_passage *passage, bool in_source, trib_error *error) {
    *s = (stretch){.document = d, .context = quotes->results->config->report.context_words};
    trib_quotes_span(&quotes->document[d], passage, in_source, &s->first, &s->last);
    return trib_new(&s->shared, s->last - s->first + 1, 1, "a passage", error);
}

static trib_status add_passage(trib_passage_records *list, trib_arena *arena,
                               const trib_quotes *quotes, uint32_t target,
                               const trib_passages *passages, const trib_passage *passage,
                               trib_error *error) {
    const trib_run_results *results = quotes->results;
    const uint32_t source = passages->source;
    stretch own = {0}, theirs = {0};
    trib_passage_record *const record = trib_arena_append(arena, list, sizeof *record);
    if (!record) return trib_arena_check(arena, error);
    *record = (trib_passage_record){.id = trib_arena_print(arena, "%s:%u",
                                                           trib_results_id(results, target),
                                                           (unsigned)passage->number),
                                    .words = passage->n_words,
                                    .shared = passage->n_equal,
                                    .mass = passage->mass,
                                    .belief = passage->belief,
                                    .rarity = passage->rarity,
                                    .notable = passage->is_notable,
                                    .translated = passage->is_translated};
    for (uint32_t i = 0; i < passage->n_rarest; i++)
        trib_texts_add(arena, &record->rarest, results->vocab->word[passage->rarest[i]]);
    const uint32_t t = trib_corpus_target_of(results->corpus, target);
    trib_status status = TRIB_OK;
    if (passage->family > 0 && t < results->corpus->n_targets)
        status = trib_family_make(&record->family, arena, quotes, target,
                                  results->target[t].findings, passage->family - 1, error);
    if (status == TRIB_OK) status = open_stretch(&own, quotes, target, passage, false, error);
    if (status == TRIB_OK) status = open_stretch(&theirs, quotes, source, passage, true, error);
    if (status == TRIB_OK) status = mark_same(&own, &theirs, quotes, passages, passage, error);
    if (status == TRIB_OK) status = make_place(&record->target, arena, quotes, &own, error);
    if (status == TRIB_OK) status = make_place(&record->source, arena, quotes, &theirs, error);
    TRIB_FREE(own.shared, theirs.shared);
    return status;
}

trib_status trib_quote_words(trib_place_record **made, trib_arena *arena, trib_quotes *quotes,
                             uint32_t document, size_t first, size_t n, uint8_t *marked,
                             trib_error *error) {
    const stretch words = {
        .document = document, .first = first, .last = first + n - 1, .shared = marked};
    trib_status status = trib_quotes_prepare(quotes, document, error);
    if (status == TRIB_OK) status = make_place(made, arena, quotes, &words, error);
    if (status != TRIB_OK) return status;
    const trib_word_place *place = quotes->document[document].place;
    (*made)->from = place[words.first].offset;
    (*made)->to = place[words.last].end;
    return TRIB_OK;
}

/* ---- Distribution along the target ----------------------------------------------------------- */

/* Lists, for each of N_STRIP equal parts of the target, the percentage of its words that lie in
 * passages. */
static void fill_strip(trib_whole_numbers *strip, trib_arena *arena, const trib_passages *passages,
                       const trib_quoted *target, size_t n_words) {
    size_t n_in[N_STRIP] = {0}, all[N_STRIP] = {0};
    for (size_t i = 0; i < n_words; i++) all[i * N_STRIP / n_words]++;
    for (size_t r = 0; r < passages->n_runs; r++)
        for (size_t k = 0; k < passages->run[r].n; k++)
            n_in[target->held[passages->run[r].target + k] * N_STRIP / n_words]++;
    *strip = (trib_whole_numbers){trib_arena_new(arena, N_STRIP, sizeof *strip->item), N_STRIP};
    for (size_t b = 0; b < N_STRIP && strip->item; b++)
        if (all[b] > 0) strip->item[b] = (uint64_t)lround(100.0 * (double)n_in[b] / (double)all[b]);
}

trib_status trib_result_add_passages(trib_evidence_record *record, trib_arena *arena,
                                     trib_quotes *quotes, uint32_t target,
                                     const trib_passages *passages, bool has_strip,
                                     const uint8_t *is_shown, trib_error *error) {
    const trib_run_results *results = quotes->results;
    const uint32_t t = trib_corpus_target_of(results->corpus, target);
    const trib_target_results *about = t < results->corpus->n_targets ? &results->target[t] : NULL;
    trib_extent most = {.passages = results->config->report.top_phrases,
                        .notable_passages = SIZE_MAX};
    if (about) most = trib_target_extent(results, about);
    size_t n_shown = 0;
    trib_status status = trib_quotes_prepare(quotes, target, error);
    if (status == TRIB_OK) status = trib_quotes_prepare(quotes, passages->source, error);
    trib_arena_list(arena, &record->passages);
    for (size_t p = 0; p < passages->n && status == TRIB_OK; p++) {
        const trib_passage *passage = &passages->passage[p];
        record->n_passages++;
        record->n_notable += passage->is_notable;
        if (is_shown && is_shown[passage->family - 1] > 0) {
            record->n_same_places++;
            continue;
        }
        const bool is_extra = passage->is_translated ||
                              (passage->is_notable && record->n_notable <= most.notable_passages);
        if (n_shown >= most.passages && !is_extra) continue;
        status = add_passage(&record->passages, arena, quotes, target, passages, passage, error);
        n_shown++;
    }
    if (status == TRIB_OK && has_strip && (!about || !trib_target_is_short(results, about)))
        fill_strip(&record->strip, arena, passages, &quotes->document[target],
                   results->words->document[target].n_tokens);
    return status;
}
