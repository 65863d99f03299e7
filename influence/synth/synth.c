/* synth.c - planted corpora: generates a target from runs of words of known sources and of an
 * author's own text, so that the results of a method can be compared with the truth. Random numbers
 * are drawn in a fixed order, so a seed gives the same target on every machine. The last part
 * shuffles the words of a target, for influence.null. */
#include "influence/synth/synth.h"
#include "influence/order.h"

#include <math.h>
#include <string.h>

/* A word of the target, and where its text holds it. */
typedef struct word {
    uint32_t id, place;
    bool altered;
} word;

/* The state of the generator: the words written so far, in order of their runs before the runs are
 * shuffled. */
typedef struct planting {
    const trib_synth_plan *plan;
    trib_random random;
    trib_synth_run *run; /* [n_runs]; `first` is a position in `word` */
    size_t n_runs, run_cap;
    word *word;
    size_t n_words, word_cap;
    uint32_t *cell; /* scratch: cells of a source not drawn yet */
    word *scratch;  /* of a run */
    size_t cell_cap, scratch_cap;
} planting;

static void shuffle(trib_random *random, void *array, size_t n, size_t size) {
    unsigned char swap[sizeof(trib_synth_run)], *at = array;
    for (size_t i = n; i-- > 1;) {
        const size_t j = (size_t)trib_random_below(random, i + 1);
        memcpy(swap, at + i * size, size);
        memmove(at + i * size, at + j * size, size);
        memcpy(at + j * size, swap, size);
    }
}

/* Appends n words of `text` from `place` on, continuing at its beginning after its end. */
static trib_status add_run(planting *p, uint32_t source, const trib_synth_text *text, size_t place,
                           size_t n, trib_error *error) {
    static const char what[] = "a planted text";
    trib_status status =
        trib_grow(&p->run, &p->run_cap, p->n_runs + 1, sizeof *p->run, what, error);
    if (status == TRIB_OK)
        status = trib_grow(&p->word, &p->word_cap, p->n_words + n, sizeof *p->word, what, error);
    if (status != TRIB_OK) return status;
    p->run[p->n_runs++] = (trib_synth_run){source, p->n_words, n, place % text->n};
    for (size_t i = 0; i < n; i++) {
        const size_t at = (place + i) % text->n;
        p->word[p->n_words++] = (word){.id = text->word[at], .place = (uint32_t)at};
    }
    return TRIB_OK;
}

/* A random word of the author's text. */
static word own_word(planting *p) {
    const trib_synth_text *own = &p->plan->own;
    return (word){.id = own->word[trib_random_below(&p->random, own->n)], .altered = true};
}

/* Replaces each word of the last run, with probability `noise`. */
static void replace_words(planting *p) {
    const trib_synth_run *run = &p->run[p->n_runs - 1];
    for (size_t i = run->first; i < run->first + run->n; i++) {
        if (!(trib_random_unit(&p->random) < p->plan->noise)) continue;
        const word new = own_word(p);
        if (new.id != p->word[i].id) p->word[i] = new;
    }
}

/* Leaves words of the last run out, and inserts others; at least its first word stays. */
static trib_status leave_out_and_insert(planting *p, trib_error *error) {
    trib_synth_run *run = &p->run[p->n_runs - 1];
    const size_t n = run->n;
    trib_status status =
        trib_grow(&p->scratch, &p->scratch_cap, n, sizeof *p->scratch, "a planted run", error);
    if (status == TRIB_OK)
        status = trib_grow(&p->word, &p->word_cap, p->n_words + n, sizeof *p->word,
                           "a planted text", error);
    if (status != TRIB_OK) return status;
    memcpy(p->scratch, p->word + run->first, n * sizeof *p->scratch);
    p->n_words = run->first;
    for (size_t i = 0; i < n; i++) {
        const bool is_left_out =
            p->plan->deleted > 0 && trib_random_unit(&p->random) < p->plan->deleted;
        if (!is_left_out || i == 0) p->word[p->n_words++] = p->scratch[i];
        if (p->plan->inserted > 0 && trib_random_unit(&p->random) < p->plan->inserted)
            p->word[p->n_words++] = own_word(p);
    }
    run->n = p->n_words - run->first;
    return TRIB_OK;
}

/* Shuffles the pieces of the last run. */
static trib_status move_pieces(planting *p, trib_error *error) {
    const trib_synth_run *run = &p->run[p->n_runs - 1];
    const size_t piece = p->plan->piece, n_pieces = (run->n + piece - 1) / piece;
    size_t *order = NULL, n = 0;
    trib_status status =
        trib_grow(&p->scratch, &p->scratch_cap, run->n, sizeof *p->scratch, "a planted run", error);
    if (status == TRIB_OK) status = trib_new(&order, n_pieces, sizeof *order, "a run", error);
    if (status != TRIB_OK) return status;
    memcpy(p->scratch, p->word + run->first, run->n * sizeof *p->scratch);
    for (size_t k = 0; k < n_pieces; k++) order[k] = k * piece;
    shuffle(&p->random, order, n_pieces, sizeof *order);
    for (size_t k = 0; k < n_pieces; k++)
        for (size_t i = order[k]; i < order[k] + piece && i < run->n; i++)
            p->word[run->first + n++] = p->scratch[i];
    trib_free(order);
    return TRIB_OK;
}

/* Alters the last run by the plan. Only what the plan asks for draws random numbers. */
static trib_status alter_run(planting *p, trib_error *error) {
    const trib_synth_plan *plan = p->plan;
    trib_status status = TRIB_OK;
    if (plan->noise > 0) replace_words(p);
    if (plan->deleted > 0 || plan->inserted > 0) status = leave_out_and_insert(p, error);
    if (status == TRIB_OK && plan->piece > 0) status = move_pieces(p, error);
    return status;
}

/* Appends n words of one source: cells of a grid, drawn without replacement until all are used. */
static trib_status plant_source(planting *p, uint32_t s, size_t n, trib_error *error) {
    const trib_synth_text *source = &p->plan->source[s];
    const size_t length = p->plan->run_length;
    const size_t repeats = p->plan->repeats > 0 ? p->plan->repeats : 1;
    const size_t n_cells = source->n / length > 0 ? source->n / length : 1;
    size_t n_left = 0;
    trib_status status =
        trib_grow(&p->cell, &p->cell_cap, n_cells, sizeof *p->cell, "cells of a source", error);
    while (status == TRIB_OK && n > 0) {
        if (n_left == 0) {
            for (n_left = 0; n_left < n_cells; n_left++) p->cell[n_left] = (uint32_t)n_left;
            shuffle(&p->random, p->cell, n_cells, sizeof *p->cell);
        }
        const size_t place = p->cell[--n_left] * length;
        for (size_t time = 0; time < repeats && n > 0 && status == TRIB_OK; time++) {
            size_t k = length < n ? length : n;
            if (source->n < k) k = source->n;
            n -= k;
            status = add_run(p, s, source, place, k, error);
            if (status == TRIB_OK) status = alter_run(p, error);
        }
    }
    return status;
}

/* Fills the rest of the target with consecutive runs of the author's own text. */
static trib_status plant_own(planting *p, trib_error *error) {
    const trib_synth_text *own = &p->plan->own;
    size_t n = p->plan->n_words > p->n_words ? p->plan->n_words - p->n_words : 0;
    size_t place = own->n > n ? (size_t)trib_random_below(&p->random, own->n - n) : 0;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK && n > 0) {
        const size_t k = p->plan->run_length < n ? p->plan->run_length : n;
        status = add_run(p, (uint32_t)p->plan->n_sources, own, place, k, error);
        place += k;
        n -= k;
    }
    return status;
}

/* Shuffles the runs and copies their words into the target. */
static trib_status join_runs(trib_synth *synth, planting *p, trib_error *error) {
    shuffle(&p->random, p->run, p->n_runs, sizeof *p->run);
    trib_status status =
        trib_new(&synth->word, p->n_words, sizeof *synth->word, "a planted text", error);
    if (status == TRIB_OK)
        status = trib_new(&synth->altered, p->n_words, 1, "a planted text", error);
    if (status == TRIB_OK)
        status = trib_new(&synth->place, p->n_words, sizeof *synth->place, "a planted text", error);
    if (status != TRIB_OK) return status;
    for (size_t r = 0; r < p->n_runs; r++) {
        trib_synth_run *run = &p->run[r];
        const word *from = p->word + run->first;
        run->first = synth->n_words;
        for (size_t i = 0; i < run->n; i++) {
            synth->word[synth->n_words] = from[i].id;
            synth->altered[synth->n_words] = from[i].altered;
            synth->place[synth->n_words++] = from[i].place;
        }
    }
    synth->run = p->run;
    synth->n_runs = p->n_runs;
    p->run = NULL;
    return TRIB_OK;
}

static trib_status check_plan(const trib_synth_plan *plan, trib_error *error) {
    double sum = 0;
    if (plan->n_words == 0 || plan->run_length == 0)
        return trib_fail(error, TRIB_USAGE,
                         "a planted text needs at least one word, and runs of at least one word");
    const struct {
        const char *name;
        double value;
    } chance[] = {{"noise", plan->noise}, {"delete", plan->deleted}, {"insert", plan->inserted}};
    for (size_t i = 0; i < sizeof chance / sizeof *chance; i++)
        if (!(chance[i].value >= 0 && chance[i].value <= 1))
            return trib_fail(error, TRIB_USAGE, "%s must be from 0 to 1, not %g", chance[i].name,
                             chance[i].value);
    for (size_t s = 0; s < plan->n_sources; s++) {
        if (!(plan->fraction[s] >= 0 && plan->fraction[s] <= 1))
            return trib_fail(error, TRIB_USAGE, "a fraction must be from 0 to 1, not %g",
                             plan->fraction[s]);
        if (plan->source[s].n == 0 || plan->source[s].n > UINT32_MAX)
            return trib_fail(error, TRIB_USAGE, "source %zu holds %zu words", s + 1,
                             plan->source[s].n);
        sum += rint(plan->fraction[s] * (double)plan->n_words);
    }
    if (sum > (double)plan->n_words)
        return trib_fail(error, TRIB_USAGE, "the fractions add up to %g, more than 1",
                         sum / (double)plan->n_words);
    if (plan->own.n == 0 && (sum < (double)plan->n_words || plan->noise > 0 || plan->inserted > 0))
        return trib_fail(error, TRIB_USAGE, "the author's own text holds no word");
    return TRIB_OK;
}

trib_status trib_synth_plant(trib_synth *synth, const trib_synth_plan *plan, trib_error *error) {
    planting p = {.plan = plan};
    *synth = (trib_synth){0};
    trib_status status = check_plan(plan, error);
    trib_random_seed(&p.random, plan->seed);
    for (size_t s = 0; status == TRIB_OK && s < plan->n_sources; s++)
        status = plant_source(&p, (uint32_t)s,
                              (size_t)rint(plan->fraction[s] * (double)plan->n_words), error);
    if (status == TRIB_OK) status = plant_own(&p, error);
    if (status == TRIB_OK) status = join_runs(synth, &p, error);
    trib_free(p.run);
    trib_free(p.word);
    trib_free(p.scratch);
    trib_free(p.cell);
    if (status != TRIB_OK) trib_synth_release(synth);
    return status;
}

void trib_synth_truth(const trib_synth *synth, size_t n_sources, uint32_t n, double *words,
                      double *ngrams) {
    const size_t n_windows = synth->n_words >= n ? synth->n_words - n + 1 : 0;
    for (size_t s = 0; s <= n_sources; s++) words[s] = ngrams[s] = 0;
    for (size_t r = 0; r < synth->n_runs; r++) {
        const trib_synth_run *run = &synth->run[r];
        words[run->source] += (double)run->n;
        if (run->source == n_sources) continue;
        size_t unbroken = 0; /* words up to here as the source holds them */
        for (size_t i = run->first; i < run->first + run->n; i++) {
            const bool follows = unbroken > 0 && synth->place[i] == synth->place[i - 1] + 1;
            unbroken = synth->altered[i] ? 0 : follows ? unbroken + 1 : 1;
            ngrams[run->source] += unbroken >= n;
        }
    }
    double copied = 0;
    for (size_t s = 0; s < n_sources; s++) copied += ngrams[s];
    ngrams[n_sources] = (double)n_windows - copied;
    for (size_t s = 0; s <= n_sources; s++) {
        words[s] /= synth->n_words > 0 ? (double)synth->n_words : 1;
        ngrams[s] /= n_windows > 0 ? (double)n_windows : 1;
    }
}

void trib_synth_release(trib_synth *synth) {
    trib_free(synth->word);
    trib_free(synth->altered);
    trib_free(synth->place);
    trib_free(synth->run);
    *synth = (trib_synth){0};
}

/* ---- Shuffled targets ------------------------------------------------------------------------ */

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
        c->orders ? trib_new(&pairs->position, c->orders->n_pairs, sizeof *pairs->position,
                             "pairs of words", error)
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
    trib_word_order of_target = {0};
    const trib_word_order *target;
    target_pairs pairs = {0};
    surroundings *around = NULL;
    trib_status status = find_order(&target, &of_target, c, c->target, error);
    if (status == TRIB_OK) status = list_pairs(&pairs, c, target, error);
    if (status == TRIB_OK)
        status = trib_new(&around, pairs.n, sizeof *around, "pairs of words", error);
    for (size_t s = 0; s < c->n_sources && status == TRIB_OK; s++) {
        trib_word_order of_source = {0};
        const trib_word_order *source;
        if (c->source[s] == c->target) continue;
        status = find_order(&source, &of_source, c, c->source[s], error);
        if (status == TRIB_OK) note_source(around, &pairs, source);
        trib_word_order_release(&of_source);
    }
    for (size_t i = 1; i < target->n && status == TRIB_OK; i++) {
        const size_t p = find_pair(&pairs, target, i);
        if (p != TRIB_NO_ENTRY) joins[i] = around[p].differs_before && around[p].differs_after;
    }
    trib_free(around);
    trib_free(pairs.position);
    trib_hacoo_release(&pairs.table);
    trib_word_order_release(&of_target);
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
    shuffle(&random, blocks, n_blocks, sizeof *blocks);
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
    uint32_t *same = NULL;
    trib_status status = trib_new(&same, target->n_local, sizeof *same, "words", error);
    if (status != TRIB_OK) return status;
    for (uint32_t i = 0; i < target->n_local; i++) same[i] = i;
    own.word = same;
    status = trib_word_order_read(order, &own, error);
    trib_free(same);
    return status;
}

/* Counts the n-grams of the new order at the places of the old ones. */
static trib_status count_decoy(trib_decoy *decoy, const trib_influence_document *target,
                               const trib_word_order *order, const uint32_t *text,
                               trib_error *error) {
    trib_hacoo_stream stream;
    trib_status status =
        trib_hacoo_init(&decoy->counts, target->counts->n_modes, target->counts->dim, NULL, error);
    if (status == TRIB_OK)
        status = trib_new(&decoy->sequence, order->n_ngrams, sizeof *decoy->sequence,
                          "a shuffled target", error);
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
    if (status == TRIB_OK) status = trib_new(&joins, order.n, sizeof *joins, what, error);
    if (status == TRIB_OK) status = trib_new(&blocks, order.n, sizeof *blocks, what, error);
    if (status == TRIB_OK) status = trib_new(&text, order.n, sizeof *text, what, error);
    if (status == TRIB_OK) status = find_turns_of_phrase(joins, c, error);
    if (status != TRIB_OK) goto done;
    decoy->n_blocks = cut_blocks(blocks, &order, joins);
    permute_blocks(text, blocks, decoy->n_blocks, &order, seed);
    status = count_decoy(decoy, target, &order, text, error);
    decoy->document = *target;
    decoy->document.counts = &decoy->counts;
    decoy->document.sequence = decoy->sequence;
done:
    trib_free(joins);
    trib_free(blocks);
    trib_free(text);
    trib_word_order_release(&order);
    if (status != TRIB_OK) trib_decoy_release(decoy);
    return status;
}

void trib_decoy_release(trib_decoy *decoy) {
    trib_hacoo_release(&decoy->counts);
    trib_free(decoy->sequence);
    *decoy = (trib_decoy){0};
}
