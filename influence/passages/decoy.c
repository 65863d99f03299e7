/* decoy.c - targets that copy nothing, for influence.null: shuffles the words of a target, and
 * measures it in the target's place. */
#include "influence/order.h"
#include "influence/passages/passages.h"

enum { LONGEST_BLOCK = 4 }; /* words */

/* The words around a pair of adjacent words, wherever the sources hold it. */
typedef struct surroundings {
    uint32_t before, after; /* the first words found */
    bool has_before, has_after;
    bool differs_before, differs_after; /* another word was found later */
} surroundings;

static void note(uint32_t next, uint32_t *first, bool *has, bool *differs) {
    if (next == TRIB_BREAK) return;
    if (!*has) *first = next;
    else if (*first != next) *differs = true;
    *has = true;
}

/* The different pairs of adjacent words of the target. */
typedef struct target_pairs {
    uint32_t *position; /* [pairs of the word orders] 1 + position among the n, or 0; or NULL: */
    trib_hacoo table;   /* they are its entries */
    size_t n;
} target_pairs;

static trib_status list_pairs(target_pairs *pairs, const trib_influence_case *c,
                              const trib_word_order *target, trib_error *error) {
    const uint32_t n = c->n_words > 0 ? c->n_words : 1;
    trib_status status =
        c->orders ? TRIB_NEW(&pairs->position, c->orders->n_pairs, "pairs of words", error)
                  : trib_hacoo_init(&pairs->table, 2, (const uint32_t[]){n, n}, NULL, error);
    for (size_t i = 1; i < target->n && status == TRIB_OK; i++) {
        const uint32_t *pair = target->word + i - 1;
        if (pair[0] == TRIB_BREAK || pair[1] == TRIB_BREAK) continue;
        if (!c->orders) status = trib_hacoo_add(&pairs->table, pair, 1, error);
        else if (pairs->position[target->pair[i]] == 0)
            pairs->position[target->pair[i]] = (uint32_t)++pairs->n;
    }
    if (!c->orders) pairs->n = pairs->table.nnz;
    return status;
}

/* The position of the pair of words i - 1 and i among the target's, or TRIB_NO_ENTRY. */
static size_t find_pair(const target_pairs *pairs, const trib_word_order *order, size_t i) {
    const uint32_t *pair = order->word + i - 1;
    if (pair[0] == TRIB_BREAK || pair[1] == TRIB_BREAK) return TRIB_NO_ENTRY;
    if (!pairs->position) return trib_hacoo_find(&pairs->table, pair);
    const uint32_t position = pairs->position[order->pair[i]];
    return position > 0 ? position - 1 : TRIB_NO_ENTRY;
}

/* Adds the places of a source's text to the surroundings of the pairs. */
static void note_source(surroundings *around, const target_pairs *pairs,
                        const trib_word_order *order) {
    for (size_t i = 1; i < order->n; i++) {
        const size_t p = find_pair(pairs, order, i);
        if (p == TRIB_NO_ENTRY) continue;
        surroundings *s = &around[p];
        if (i > 1) note(order->word[i - 2], &s->before, &s->has_before, &s->differs_before);
        if (i + 1 < order->n) note(order->word[i + 1], &s->after, &s->has_after, &s->differs_after);
    }
}

/* Sets *order to the words of a document: those of the case's word orders, or *own. */
static trib_status find_order(const trib_word_order **order, trib_word_order *own,
                              const trib_influence_case *c, uint32_t document, trib_error *error) {
    *order = c->orders ? &c->orders->document[document] : own;
    return c->orders ? TRIB_OK : trib_word_order_read(own, &c->document[document], error);
}

/* Sets joins[i] where words i - 1 and i of the target are a turn of phrase of the sources. */
static trib_status find_turns_of_phrase(uint8_t *joins, const trib_influence_case *c,
                                        trib_error *error) {
    TRIB_OWNED(trib_word_order) of_target = {0};
    const trib_word_order *target;
    target_pairs pairs = {0};
    surroundings *around = NULL;
    trib_status status = find_order(&target, &of_target, c, c->target, error);
    if (status == TRIB_OK) status = list_pairs(&pairs, c, target, error);
    if (status == TRIB_OK) status = TRIB_NEW(&around, pairs.n, "pairs of words", error);
    for (size_t s = 0; s < c->n_sources && status == TRIB_OK; s++) {
        TRIB_OWNED(trib_word_order) of_source = {0};
        const trib_word_order *source;
        if (c->source[s] == c->target) continue;
        status = find_order(&source, &of_source, c, c->source[s], error);
        if (status == TRIB_OK) note_source(around, &pairs, source);
    }
    for (size_t i = 1; i < target->n && status == TRIB_OK; i++) {
        const size_t p = find_pair(&pairs, target, i);
        if (p != TRIB_NO_ENTRY) joins[i] = around[p].differs_before && around[p].differs_after;
    }
    TRIB_FREE(around, pairs.position);
    trib_hacoo_release(&pairs.table);
    return status;
}

/* A block of words that stay together. */
typedef struct block {
    size_t first, n; /* position in the target, and words */
} block;

/* Cuts the words into blocks. */
static size_t cut_blocks(block *blocks, const trib_word_order *order, const uint8_t *joins) {
    size_t n = 0;
    for (size_t i = 0; i < order->n; i++) {
        if (order->word[i] == TRIB_BREAK) continue;
        if (n > 0 && joins[i] && blocks[n - 1].n < LONGEST_BLOCK) blocks[n - 1].n++;
        else blocks[n++] = (block){i, 1};
    }
    return n;
}

/* Writes the words in a random order of their blocks; a break stays where it is. */
static void permute_blocks(uint32_t *text, block *blocks, size_t n_blocks,
                           const trib_word_order *order, uint64_t seed) {
    trib_random random;
    size_t at = 0;
    trib_random_seed(&random, seed);
    for (size_t i = n_blocks; i-- > 1;) {
        const size_t j = (size_t)trib_random_below(&random, i + 1);
        const block other = blocks[i];
        blocks[i] = blocks[j];
        blocks[j] = other;
    }
    for (size_t i = 0; i < order->n; i++) text[i] = order->word[i];
    for (size_t b = 0; b < n_blocks; b++)
        for (size_t i = 0; i < blocks[b].n; i++) {
            while (order->word[at] == TRIB_BREAK) at++;
            text[at++] = order->word[blocks[b].first + i];
        }
}

/* Reads the words of the target in its own ids. */
static trib_status read_own(trib_word_order *order, const trib_influence_document *target,
                            trib_error *error) {
    trib_influence_document own = *target;
    TRIB_FREED(uint32_t *) same = NULL;
    trib_status status = TRIB_NEW(&same, target->n_local, "words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < target->n_local; i++) same[i] = i;
    own.word = same;
    return trib_word_order_read(order, &own, error);
}

/* Counts the n-grams of the new order at the places of the old ones. */
static trib_status count_decoy(trib_decoy *decoy, const trib_influence_document *target,
                               const trib_word_order *order, const uint32_t *text,
                               trib_error *error) {
    trib_hacoo_stream stream;
    trib_status status =
        trib_hacoo_init(&decoy->counts, target->counts->n_modes, target->counts->dim, NULL, error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&decoy->sequence, order->n_ngrams, "a shuffled target", error);
    if (status != TRIB_OK) return status;
    trib_hacoo_stream_init(&stream, &decoy->counts, decoy->sequence);
    for (size_t k = 0; k < order->n_ngrams && status == TRIB_OK; k++)
        status = trib_hacoo_stream_push(&stream, text + order->place[k], 1, error);
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

/* Every document must have its n-grams in order. */
static trib_status check_order(const trib_influence_case *c, trib_error *error) {
    for (size_t s = 0; s <= c->n_sources; s++) {
        const uint32_t d = s < c->n_sources ? c->source[s] : c->target;
        if (!c->document[d].sequence && c->document[d].n_ngrams > 0)
            return trib_fail(error, TRIB_INTERNAL,
                             "a shuffled target needs the n-grams of document %u in order", d);
    }
    return TRIB_OK;
}

trib_status trib_decoy_make(trib_decoy *decoy, const trib_influence_case *c, uint64_t seed,
                            trib_error *error) {
    static const char what[] = "a shuffled target";
    const trib_influence_document *target = &c->document[c->target];
    trib_word_order order = {0};
    uint8_t *joins = NULL;
    block *blocks = NULL;
    uint32_t *text = NULL;
    *decoy = (trib_decoy){0};
    trib_status status = check_order(c, error);
    if (status == TRIB_OK) status = read_own(&order, target, error);
    if (status == TRIB_OK) status = TRIB_NEW(&joins, order.n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&blocks, order.n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&text, order.n, what, error);
    if (status == TRIB_OK) status = find_turns_of_phrase(joins, c, error);
    if (status != TRIB_OK) goto done;
    decoy->n_blocks = cut_blocks(blocks, &order, joins);
    permute_blocks(text, blocks, decoy->n_blocks, &order, seed);
    status = count_decoy(decoy, target, &order, text, error);
    decoy->document = *target;
    decoy->document.counts = &decoy->counts;
    decoy->document.sequence = decoy->sequence;
done:
    TRIB_FREE(joins, blocks, text);
    trib_word_order_release(&order);
    if (status != TRIB_OK) trib_decoy_release(decoy);
    return status;
}

void trib_decoy_release(trib_decoy *decoy) {
    trib_hacoo_release(&decoy->counts);
    trib_free(decoy->sequence);
    *decoy = (trib_decoy){0};
}

/* ---- In the place of the target -------------------------------------------------------------- */

/* The case of a shuffled target. The members are what the case borrows. */
typedef struct shuffled_case {
    trib_influence_case c;
    trib_influence_document *document; /* [n_documents] */
    trib_concordance concordance;
} shuffled_case;

/* Makes the case from that of the target. The concordance and the word orders of all documents do
 * not know the shuffled text, so its n-grams are looked up in the other documents. */
static trib_status make_case(shuffled_case *to, const trib_influence_case *c,
                             const trib_influence_document *shuffled, int n_threads,
                             trib_error *error) {
    *to = (shuffled_case){.c = *c};
    trib_status status = TRIB_NEW(&to->document, c->n_documents, "documents", error);
    if (status != TRIB_OK) return status;
    memcpy(to->document, c->document, c->n_documents * sizeof *to->document);
    to->document[c->target] = *shuffled;
    to->c.document = to->document;
    to->c.concordance = &to->concordance;
    to->c.orders = NULL;
    to->c.other = NULL;
    return c->frequent
               ? trib_concordance_of_case(&to->concordance, &to->c, n_threads, error)
               : trib_concordance_of_target(&to->concordance, to->document, c->n_documents,
                                            c->n_words, c->target, NULL, 0, n_threads, error);
}

/* Sets the largest and the mean share. */
static void summarize(trib_influence_null *null, const trib_influence *shares) {
    null->source = UINT32_MAX;
    for (uint32_t s = 0; s < shares->n_sources; s++) {
        const double share = trib_influence_group_share(shares, s);
        null->mean += shares->share[s] / (double)shares->n_sources;
        if (!(share > null->largest)) continue;
        null->largest = share;
        null->source = s;
    }
}

trib_status trib_influence_null_measure(trib_influence_null *null,
                                        const trib_influence_method *method,
                                        const trib_influence_case *c,
                                        const trib_influence_options *options, trib_error *error) {
    trib_influence_options plain = *options;
    shuffled_case shuffled = {0};
    TRIB_OWNED(trib_influence) shares = {0};
    TRIB_OWNED(trib_decoy) decoy = {0};
    *null = (trib_influence_null){0};
    plain.bootstrap = 0;
    if (method->needs_factors) return TRIB_OK;
    trib_status status = trib_decoy_make(&decoy, c, options->seed, error);
    if (status == TRIB_OK)
        status = make_case(&shuffled, c, &decoy.document, options->n_threads, error);
    if (status == TRIB_OK)
        status = trib_influence_measure(&shares, method, &shuffled.c, &plain, error);
    if (status == TRIB_OK) {
        *null = (trib_influence_null){
            .is_measured = true, .n_blocks = decoy.n_blocks, .seed = options->seed};
        summarize(null, &shares);
    }
    trib_concordance_release(&shuffled.concordance);
    trib_free(shuffled.document);
    return status;
}
