/* planting.c - planted corpora: generates a target from runs of words of known sources and of an
 * author's own text, so that the results of a method can be compared with the truth. Random numbers
 * are drawn in a fixed order, so a seed gives the same target on every machine. */
#include "tests/planting/planting.h"

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
