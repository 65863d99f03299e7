/* decoy_null.c - measures a shuffled target in the place of a target (influence.null).
 *
 * A concordance and word orders of all documents number what the documents hold. The shuffled text
 * is none of them, so its n-grams and pairs of words are looked up in tables of these numbers, once
 * for all documents instead of once in each. */
#include "influence/order.h"
#include "influence/passages/decoy.h"

#include <string.h>

/* ---- Tables of numbers ----------------------------------------------------------------------- */

/* Numbers were given in order of first appearance, so a new n-gram has the next number. */
static trib_status table_ngrams(trib_hacoo *table, const trib_concordance *k,
                                const trib_influence_document document[], uint32_t n_words,
                                trib_error *error) {
    uint32_t dim[TRIB_MAX_MODES];
    uint32_t next = 0;
    if (k->n_documents == 0) return TRIB_OK;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) dim[m] = n_words > 0 ? n_words : 1;
    trib_status status = trib_hacoo_init(table, document[0].counts->n_modes, dim,
                                         &(trib_hacoo_options){.expected = k->n_ngrams}, error);
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, table, NULL);
    for (size_t d = 0; d < k->n_documents && status == TRIB_OK; d++)
        for (size_t e = 0; e < document[d].counts->nnz && status == TRIB_OK; e++) {
            uint32_t index[TRIB_MAX_MODES];
            if (k->number[k->first[d] + e] != next) continue;
            next++;
            trib_hacoo_entry(document[d].counts, e, index);
            for (uint32_t m = 0; m < table->n_modes; m++) index[m] = document[d].word[index[m]];
            status = trib_hacoo_stream_push(&stream, index, 1, error);
        }
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

/* The same for pairs of words, or for triples: pairs and words. */
static trib_status table_words(trib_hacoo *table, const trib_word_orders *orders, bool is_triples,
                               uint32_t n_words, trib_error *error) {
    const uint32_t n = n_words > 0 ? n_words : 1;
    uint32_t next = 0;
    trib_status status = trib_hacoo_init(
        table, 2, (const uint32_t[]){is_triples ? UINT32_MAX : n, n},
        &(trib_hacoo_options){.expected = is_triples ? orders->n_triples : orders->n_pairs}, error);
    trib_hacoo_stream stream;
    trib_hacoo_stream_init(&stream, table, NULL);
    for (size_t d = 0; d < orders->n_documents && status == TRIB_OK; d++) {
        const trib_word_order *order = &orders->document[d];
        const uint32_t *number = is_triples ? order->triple : order->pair;
        const uint32_t *before = is_triples ? order->pair : order->word;
        for (size_t i = 1; i < order->n && status == TRIB_OK; i++) {
            if (number[i] != next) continue;
            next++;
            status = trib_hacoo_stream_push(
                &stream, (const uint32_t[]){before[i - 1], order->word[i]}, 1, error);
        }
    }
    return status == TRIB_OK ? trib_hacoo_stream_flush(&stream, error) : status;
}

trib_status trib_number_tables_build(trib_number_tables *tables,
                                     const trib_concordance *concordance,
                                     const trib_word_orders *orders,
                                     const trib_influence_document document[], uint32_t n_words,
                                     trib_error *error) {
    *tables = (trib_number_tables){0};
    trib_status status = table_ngrams(&tables->ngrams, concordance, document, n_words, error);
    if (status == TRIB_OK) status = table_words(&tables->pairs, orders, false, n_words, error);
    if (status == TRIB_OK) status = table_words(&tables->triples, orders, true, n_words, error);
    if (status != TRIB_OK) trib_number_tables_release(tables);
    return status;
}

void trib_number_tables_release(trib_number_tables *tables) {
    trib_hacoo_release(&tables->ngrams);
    trib_hacoo_release(&tables->pairs);
    trib_hacoo_release(&tables->triples);
    *tables = (trib_number_tables){0};
}

/* ---- The shuffled target --------------------------------------------------------------------- */

/* The case of a shuffled target. The members are what the case borrows. */
typedef struct shuffled_case {
    trib_influence_case c;
    trib_influence_document *document; /* [n_documents] */
    trib_concordance concordance;
    trib_word_orders orders;
    trib_word_order *order; /* [n_documents] all but the target's are borrowed */
} shuffled_case;

/* Adds the holders of one n-gram: itself, and those of number g but the target. */
static trib_status add_holders(trib_concordance *k, size_t *cap, const trib_influence_case *c,
                               uint32_t g, uint32_t count, trib_error *error) {
    const size_t e = k->n_ngrams++, first = g == TRIB_NO_NUMBER ? 0 : c->concordance->start[g],
                 end = g == TRIB_NO_NUMBER ? 0 : c->concordance->start[g + 1];
    size_t at = k->start[e];
    const trib_status status =
        TRIB_GROW(&k->holder, cap, at + (end - first) + 1, "the concordance", error);
    if (status != TRIB_OK) return status;
    size_t h = first;
    for (; h < end && c->concordance->holder[h].document < c->target; h++)
        k->holder[at++] = c->concordance->holder[h];
    k->holder[at++] = (trib_holder){c->target, count};
    if (h < end && c->concordance->holder[h].document == c->target) h++;
    for (; h < end; h++) k->holder[at++] = c->concordance->holder[h];
    k->start[e + 1] = at;
    k->number[e] = (uint32_t)e;
    k->number_of_all[e] = g;
    return TRIB_OK;
}

/* Makes the concordance of the shuffled target from that of all documents. */
static trib_status find_holders(trib_concordance *k, const trib_influence_case *c,
                                const trib_influence_document *shuffled, trib_error *error) {
    static const char what[] = "the concordance";
    const size_t nnz = shuffled->counts->nnz;
    size_t cap = 0;
    *k = (trib_concordance){.n_documents = c->n_documents, .of_all = c->concordance};
    trib_status status = TRIB_NEW(&k->first, k->n_documents + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&k->number, nnz, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&k->number_of_all, nnz, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&k->start, nnz + 2, what, error);
    for (size_t d = c->target; d < k->n_documents && status == TRIB_OK; d++) k->first[d + 1] = nnz;
    for (size_t e = 0; e < nnz && status == TRIB_OK; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t count = trib_hacoo_entry(shuffled->counts, e, index);
        for (uint32_t m = 0; m < shuffled->counts->n_modes; m++)
            index[m] = shuffled->word[index[m]];
        const size_t g = trib_hacoo_find(&c->tables->ngrams, index);
        status = add_holders(k, &cap, c, g == TRIB_NO_ENTRY ? TRIB_NO_NUMBER : (uint32_t)g, count,
                             error);
    }
    return status;
}

/* Sets number[i] to the number of the pair (before[i - 1], word i) in the table, or to one of its
 * own from the size of the table on. */
static trib_status number_words(uint32_t number[], size_t *n_numbers, const trib_word_order *order,
                                const uint32_t before[], const trib_hacoo *table,
                                trib_error *error) {
    trib_hacoo own = {0};
    trib_status status = trib_hacoo_init(&own, 2, table->dim, NULL, error);
    for (size_t i = 0; i < order->n && status == TRIB_OK; i++) {
        const uint32_t index[] = {i > 0 ? before[i - 1] : TRIB_NO_NUMBER, order->word[i]};
        number[i] = TRIB_NO_NUMBER;
        if (index[0] == TRIB_NO_NUMBER || index[1] == TRIB_BREAK) continue;
        size_t found = trib_hacoo_find(table, index);
        if (found == TRIB_NO_ENTRY) {
            status = trib_hacoo_add(&own, index, 1, error);
            if (status == TRIB_OK) found = table->nnz + trib_hacoo_find(&own, index);
        }
        number[i] = (uint32_t)found;
    }
    *n_numbers = table->nnz + own.nnz;
    trib_hacoo_release(&own);
    return status;
}

/* Puts the words of the shuffled target in the place of the target's. */
static trib_status order_words(shuffled_case *to, const trib_influence_case *c,
                               const trib_influence_document *shuffled, trib_error *error) {
    static const char what[] = "words in order";
    trib_status status = TRIB_NEW(&to->order, c->n_documents, what, error);
    if (status != TRIB_OK) return status;
    memcpy(to->order, c->orders->document, c->n_documents * sizeof *to->order);
    to->orders = (trib_word_orders){.n_documents = c->n_documents, .document = to->order};
    trib_word_order *order = &to->order[c->target];
    status = trib_word_order_read(order, shuffled, error);
    if (status == TRIB_OK) status = trib_new(&order->pair, order->n, sizeof(uint32_t), what, error);
    if (status == TRIB_OK)
        status = trib_new(&order->triple, order->n, sizeof(uint32_t), what, error);
    if (status == TRIB_OK)
        status = number_words(order->pair, &to->orders.n_pairs, order, order->word,
                              &c->tables->pairs, error);
    return status == TRIB_OK ? number_words(order->triple, &to->orders.n_triples, order,
                                            order->pair, &c->tables->triples, error)
                             : status;
}

static void release_case(shuffled_case *of) {
    trib_concordance_release(&of->concordance);
    if (of->order) trib_word_order_release(&of->order[of->c.target]);
    TRIB_FREE(of->order, of->document);
}

/* Makes the case from that of the target. Without tables the words are looked up in every
 * document. */
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
    if (c->frequent) return trib_concordance_of_case(&to->concordance, &to->c, n_threads, error);
    if (!c->tables)
        return trib_concordance_of_target(&to->concordance, to->document, c->n_documents,
                                          c->n_words, c->target, NULL, 0, n_threads, error);
    to->c.orders = &to->orders;
    status = find_holders(&to->concordance, c, shuffled, error);
    return status == TRIB_OK ? order_words(to, c, shuffled, error) : status;
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
    trib_influence shares = {0};
    trib_decoy decoy = {0};
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
    trib_influence_release(&shares);
    release_case(&shuffled);
    trib_decoy_release(&decoy);
    return status;
}
