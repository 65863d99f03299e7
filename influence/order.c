/* order.c - restores the words of a document from its n-grams in text order: each n-gram adds its
 * last word to the previous one. Pairs and triples of adjacent words are numbered once for all
 * documents, so that they can be counted in plain arrays. At the end: the same texts for `extent`,
 * as words that look alike and their stems. */
#include "influence/order.h"
#include "base/internal.h"
#include "influence/extent.h"

enum { MOST_EXPECTED = 1 << 20 };

trib_status trib_word_order_read(trib_word_order *order, const trib_influence_document *document,
                                 trib_error *error) {
    const uint32_t n_modes = document->counts->n_modes;
    uint32_t last[TRIB_MAX_MODES], index[TRIB_MAX_MODES];
    *order = (trib_word_order){.n_ngrams = document->n_ngrams};
    trib_status status = TRIB_NEW(&order->word, trib_product(document->n_ngrams, n_modes + 1),
                                  "words in order", error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&order->place, document->n_ngrams, "words in order", error);
    if (status != TRIB_OK) {
        trib_word_order_release(order);
        return status;
    }
    for (size_t k = 0; k < document->n_ngrams; k++) {
        trib_hacoo_entry(document->counts, document->sequence[k], index);
        const bool overlaps = k > 0 && memcmp(last + 1, index, (n_modes - 1) * sizeof *index) == 0;
        if (k > 0 && !overlaps) order->word[order->n++] = TRIB_BREAK;
        for (uint32_t m = overlaps ? n_modes - 1 : 0; m < n_modes; m++)
            order->word[order->n++] = document->word[index[m]];
        order->place[k] = order->n - n_modes;
        memcpy(last, index, n_modes * sizeof *index);
    }
    return TRIB_OK;
}

void trib_word_order_release(trib_word_order *order) {
    TRIB_FREE(order->word, order->place, order->pair, order->triple, order->recurring);
    *order = (trib_word_order){0};
}

/* ---- Of many documents ----------------------------------------------------------------------- */

/* Reads one document into arrays of exactly its size, because they live as long as the run. */
static trib_status read_exactly(trib_word_order *order, const trib_influence_document *document,
                                trib_error *error) {
    static const char what[] = "words in order";
    TRIB_OWNED(trib_word_order) wide = {0};
    trib_status status = trib_word_order_read(&wide, document, error);
    *order = (trib_word_order){.n = wide.n, .n_ngrams = wide.n_ngrams, .place = wide.place};
    wide.place = NULL;
    if (status == TRIB_OK) status = trib_new(&order->word, wide.n, sizeof *wide.word, what, error);
    if (status == TRIB_OK) status = trib_new(&order->pair, wide.n, sizeof *wide.pair, what, error);
    if (status == TRIB_OK)
        status = trib_new(&order->triple, wide.n, sizeof *wide.triple, what, error);
    if (status == TRIB_OK && wide.n > 0) memcpy(order->word, wide.word, wide.n * sizeof *wide.word);
    return status;
}

/* Sets number[i] to the number of the pair (before[i - 1], word i). With words in `before` it
 * numbers pairs of words, with pairs it numbers triples. */
static trib_status number_words(trib_hacoo *table, const trib_word_order *order,
                                const uint32_t before[], uint32_t number[], trib_error *error) {
    trib_hacoo_stream stream;
    trib_status status = TRIB_OK;
    trib_hacoo_stream_init(&stream, table, number);
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        uint32_t index[] = {i > 0 ? before[i - 1] : TRIB_NO_NUMBER, order->word[i]};
        const bool is_whole = index[0] != TRIB_NO_NUMBER && index[1] != TRIB_BREAK;
        if (!is_whole) index[0] = index[1] = 0; /* pushed with count 0, so it gets no number */
        status = trib_hacoo_stream_push(&stream, index, is_whole, error);
    }
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

/* Lists the words in the middle of windows that can occur again. */
static trib_status find_recurring(trib_word_order *order, const trib_hacoo *triples,
                                  trib_error *error) {
    size_t n_triples = 0, cap = 0; /* triples in a row up to this word that occur again */
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        const uint32_t triple = order->triple[i];
        n_triples =
            triple != TRIB_NO_NUMBER && trib_hacoo_count(triples, triple) > 1 ? n_triples + 1 : 0;
        if (n_triples < TRIB_RECURRING - 2) continue;
        status =
            TRIB_GROW(&order->recurring, &cap, order->n_recurring + 1, "words in order", error);
        if (status == TRIB_OK) order->recurring[order->n_recurring++] = (uint32_t)i - 1;
    }
    return status;
}

static trib_status number_all(trib_word_orders *orders, uint32_t n_words, trib_error *error) {
    const uint32_t n = n_words > 0 ? n_words : 1;
    TRIB_OWNED(trib_hacoo) pairs = {0}, triples = {0};
    trib_hacoo_options options = {0};
    for (size_t d = 0; d < orders->n_documents; d++) options.expected += orders->document[d].n;
    if (options.expected > MOST_EXPECTED) options.expected = MOST_EXPECTED;
    trib_status status = trib_hacoo_init(&pairs, 2, (const uint32_t[]){n, n}, &options, error);
    if (status == TRIB_OK)
        status = trib_hacoo_init(&triples, 2, (const uint32_t[]){UINT32_MAX, n}, &options, error);
    for (size_t d = 0; d < orders->n_documents && status == TRIB_OK; d++) {
        trib_word_order *order = &orders->document[d];
        status = number_words(&pairs, order, order->word, order->pair, error);
        if (status == TRIB_OK)
            status = number_words(&triples, order, order->pair, order->triple, error);
    }
    for (size_t d = 0; d < orders->n_documents && status == TRIB_OK; d++)
        status = find_recurring(&orders->document[d], &triples, error);
    orders->n_pairs = pairs.nnz;
    orders->n_triples = triples.nnz;
    return status;
}

trib_status trib_word_orders_build(trib_word_orders *orders,
                                   const trib_influence_document document[], size_t n_documents,
                                   const uint32_t *among, size_t n_among, uint32_t n_words,
                                   trib_error *error) {
    *orders = (trib_word_orders){.n_documents = n_documents};
    trib_status status = TRIB_NEW(&orders->document, n_documents, "texts", error);
    for (size_t i = 0; i < (among ? n_among : n_documents) && status == TRIB_OK; i++) {
        const size_t d = among ? among[i] : i;
        status = read_exactly(&orders->document[d], &document[d], error);
    }
    if (status == TRIB_OK) status = number_all(orders, n_words, error);
    if (status != TRIB_OK) trib_word_orders_release(orders);
    return status;
}

void trib_word_orders_release(trib_word_orders *orders) {
    for (size_t d = 0; orders->document && d < orders->n_documents; d++)
        trib_word_order_release(&orders->document[d]);
    if (orders->folded) trib_arena_release(&orders->folded->arena);
    TRIB_FREE(orders->document, orders->folded);
    *orders = (trib_word_orders){0};
}

/* ---- Texts for extent ------------------------------------------------------------------------ */

/* Sorts the places of a text by the TRIB_LONGEST stems from there on, by counting (a radix sort
 * from the last stem to the first). What is beyond the end comes first. */
static void sort_places(trib_folded_text *text, uint32_t n_stems, trib_arena *arena) {
    TRIB_OWNED(trib_arena) scratch = {0};
    const uint32_t n = text->n, n_keys = n_stems + 1;
    uint32_t *from = trib_arena_new(arena, n, sizeof *from);
    uint32_t *to = trib_arena_new(&scratch, n, sizeof *to);
    uint32_t *end = trib_arena_new(&scratch, (size_t)n_keys + 1, sizeof *end);
    if (!to || !end) trib_arena_fail(arena, TRIB_MEMORY, "%s", scratch.failure.message);
    if (arena->failure.status != TRIB_OK) return;
    text->sorted = from;
    for (uint32_t j = 0; j < n; j++) from[j] = j;
    for (uint32_t k = TRIB_LONGEST; k-- > 0;) {
        memset(end, 0, ((size_t)n_keys + 1) * sizeof *end);
        for (uint32_t j = 0; j < n; j++) end[(j + k < n ? text->stem[j + k] + 1 : 0) + 1]++;
        for (uint32_t key = 0; key < n_keys; key++) end[key + 1] += end[key];
        for (uint32_t r = 0; r < n; r++) {
            const uint32_t j = from[r];
            to[end[j + k < n ? text->stem[j + k] + 1 : 0]++] = j;
        }
        uint32_t *const other = from;
        from = to;
        to = other;
    }
    if (text->sorted != from) memcpy(text->sorted, from, n * sizeof *from);
    for (uint32_t key = 1; key < n_keys; key++) text->n_own += end[key] > end[key - 1];
    text->own = trib_arena_new(arena, text->n_own, sizeof *text->own);
    text->begin = trib_arena_new(arena, (size_t)text->n_own + 1, sizeof *text->begin);
    if (!text->own || !text->begin) return;
    for (uint32_t key = 1, k = 0; key < n_keys; key++) {
        if (end[key] == end[key - 1]) continue;
        text->own[k] = key - 1;
        text->begin[k++] = end[key - 1];
    }
    text->begin[text->n_own] = n;
}

static void read_text(trib_folded_text *text, const trib_word_order *order, const trib_folds *folds,
                      trib_arena *arena) {
    uint32_t n = 0, n_words = 0;
    text->word = trib_arena_new(arena, order->n, sizeof *text->word);
    text->stem = trib_arena_new(arena, order->n, sizeof *text->stem);
    text->order = trib_arena_new(arena, order->n, sizeof *text->order);
    if (!text->word || !text->stem || !text->order) return;
    for (size_t i = 0; i < order->n; i++) {
        const uint32_t word = order->word[i];
        const uint32_t fold = word < folds->n_words ? folds->fold[word] : TRIB_NO_FOLD;
        n_words += word != TRIB_BREAK;
        if (fold == TRIB_NO_FOLD) continue;
        text->order[n] = n_words - 1;
        text->word[n] = fold;
        text->stem[n++] = folds->stem[fold];
    }
    text->n = n;
    sort_places(text, folds->n_stems, arena);
}

/* A window of the texts, by the hash of its stems. */
typedef struct slot {
    uint64_t hash;
    uint32_t n;      /* times that the texts hold it, at most 2; 0: the slot is empty */
    uint32_t number; /* + 1; 0: it has none yet */
} slot;

/* Finds the windows of all texts that are held more than once, and numbers them. */
static void find_windows(trib_folded_texts *texts) {
    TRIB_OWNED(trib_arena) scratch = {0};
    size_t n_slots = 64, n_words = 0, w = 0;
    for (size_t t = 0; t < texts->n_texts; t++) n_words += texts->text[t].n;
    while (n_slots / 2 < n_words) n_slots *= 2;
    slot *const table = trib_arena_new(&scratch, n_slots, sizeof *table);
    size_t *const at = trib_arena_new(&scratch, n_words, sizeof *at); /* the slot of each window */
    for (size_t t = 0; table && at && t < texts->n_texts; t++) {
        const trib_folded_text *const text = &texts->text[t];
        for (uint32_t i = TRIB_WINDOW - 1; i < text->n; i++) {
            const uint64_t hash =
                trib_hash_bytes(text->stem + i + 1 - TRIB_WINDOW, TRIB_WINDOW * sizeof *text->stem);
            size_t k = hash & (n_slots - 1);
            while (table[k].n > 0 && table[k].hash != hash) k = (k + 1) & (n_slots - 1);
            table[k] = (slot){hash, table[k].n > 0 ? 2 : 1, 0};
            at[w++] = k;
        }
    }
    w = 0;
    for (size_t t = 0; table && at && t < texts->n_texts; t++) {
        trib_folded_text *const text = &texts->text[t];
        const size_t first = w;
        for (uint32_t i = TRIB_WINDOW - 1; i < text->n; i++)
            text->n_windows += table[at[w++]].n > 1;
        text->window = trib_arena_new(&texts->arena, text->n_windows, sizeof *text->window);
        if (!text->window) return;
        w = first, text->n_windows = 0;
        for (uint32_t i = TRIB_WINDOW - 1; i < text->n; i++) {
            slot *const here = &table[at[w++]];
            if (here->n < 2) continue;
            if (here->number == 0) here->number = ++texts->n_windows;
            text->window[text->n_windows++] = (trib_window){.end = i, .number = here->number - 1};
        }
    }
    uint16_t *const n = trib_arena_new(&scratch, texts->n_windows, sizeof *n);
    for (size_t t = 0; n && t < texts->n_texts; t++) {
        trib_folded_text *const text = &texts->text[t];
        for (uint32_t k = 0; k < text->n_windows; k++) {
            uint16_t *const before = &n[text->window[k].number];
            text->window[k].nth = *before < UINT16_MAX ? (*before)++ : UINT16_MAX;
        }
        for (uint32_t k = 0; k < text->n_windows; k++) n[text->window[k].number] = 0;
    }
    if (scratch.failure.status != TRIB_OK)
        trib_arena_fail(&texts->arena, scratch.failure.status, "%s", scratch.failure.message);
}

static trib_status read_document(trib_folded_text *text, const trib_influence_case *c, uint32_t d,
                                 const trib_folds *folds, trib_arena *arena, trib_error *error) {
    TRIB_OWNED(trib_word_order) own = {0};
    trib_status status = c->orders ? TRIB_OK : trib_word_order_read(&own, &c->document[d], error);
    if (status == TRIB_OK)
        read_text(text, c->orders ? &c->orders->document[d] : &own, folds, arena);
    return status == TRIB_OK ? trib_arena_check(arena, error) : status;
}

/* Folds in which every word stands for itself, and none is close to another. */
static const trib_folds *no_folds(trib_folded_texts *texts, uint32_t n_words) {
    uint32_t *number = trib_arena_new(&texts->arena, n_words, sizeof *number);
    for (uint32_t w = 0; number && w < n_words; w++) number[w] = w;
    texts->own = (trib_folds){.n_words = n_words,
                              .fold = number,
                              .n_folds = n_words,
                              .stem = number,
                              .n_stems = n_words > 0 ? n_words : 1};
    return &texts->own;
}

trib_status trib_word_orders_fold(trib_word_orders *orders, const trib_folds *folds,
                                  trib_error *error) {
    trib_folded_texts *texts = NULL;
    const trib_influence_case all = {.orders = orders};
    trib_status status = TRIB_NEW(&texts, 1, "folded texts", error);
    if (status != TRIB_OK) return status;
    texts->folds = folds;
    texts->n_texts = orders->n_documents;
    texts->text = trib_arena_new(&texts->arena, texts->n_texts, sizeof *texts->text);
    status = trib_arena_check(&texts->arena, error);
    for (uint32_t d = 0; d < texts->n_texts && status == TRIB_OK; d++)
        status = read_document(&texts->text[d], &all, d, folds, &texts->arena, error);
    if (status == TRIB_OK) find_windows(texts);
    if (status == TRIB_OK) status = trib_arena_check(&texts->arena, error);
    if (status == TRIB_OK) orders->folded = texts;
    else trib_arena_release(&texts->arena), trib_free(texts);
    return status;
}

trib_status trib_extent_texts_fold(trib_extent_texts *texts, const trib_influence_case *c,
                                   trib_error *error) {
    const trib_folded_texts *const all = c->orders ? c->orders->folded : NULL;
    trib_folded_texts *const own = &texts->read;
    bool is_source = false; /* the target, too: its windows count twice then */
    for (size_t s = 0; s < c->n_sources; s++) is_source = is_source || c->source[s] == c->target;
    texts->n_texts = own->n_texts = c->n_sources + 1;
    texts->text = own->text = trib_arena_new(&own->arena, own->n_texts, sizeof *own->text);
    if (all && all->folds == c->folds && !is_source) {
        for (size_t t = 0; own->text && t < own->n_texts; t++)
            own->text[t] = all->text[t == 0 ? c->target : c->source[t - 1]];
        texts->folds = all->folds;
        texts->n_windows = all->n_windows;
        return trib_arena_check(&own->arena, error);
    }
    texts->folds = own->folds = c->folds ? c->folds : no_folds(own, c->n_words);
    trib_status status = trib_arena_check(&own->arena, error);
    for (size_t t = 0; status == TRIB_OK && t < own->n_texts; t++)
        status = read_document(&own->text[t], c, t == 0 ? c->target : c->source[t - 1], own->folds,
                               &own->arena, error);
    if (status == TRIB_OK) find_windows(own);
    texts->n_windows = own->n_windows;
    return status == TRIB_OK ? trib_arena_check(&own->arena, error) : status;
}
