/* planting.c - planted corpora: generates a target from runs of words of known sources and of an
 * author's own text, so that the results of a method can be compared with the truth. Random numbers
 * are drawn in a fixed order, so a seed gives the same target on every machine. */
#include "tests/planting/planting.h"

/* A word of the target, and where its text holds it. */
typedef struct word {
    uint32_t id, place;
    bool altered;
} word;

/* The state of the generator: the words written so far, in order of their runs before the runs are
 * shuffled. The arena, which becomes that of the target, keeps the first failure. */
typedef struct planting {
    const trib_synth_plan *plan;
    trib_random random;
    trib_arena *arena;
    trib_synth_run *run; /* `first` is a position in `word` */
    size_t n_runs;
    word *word;
    size_t n_words;
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

static void add_word(planting *p, word one) {
    word *added = trib_arena_append(p->arena, &p->word, sizeof *added);
    if (added) *added = one;
}

/* Appends n words of `text` from `place` on, continuing at its beginning after its end. */
static void add_run(planting *p, uint32_t source, const trib_synth_text *text, size_t place,
                    size_t n) {
    trib_synth_run *run = trib_arena_append(p->arena, &p->run, sizeof *run);
    if (run) *run = (trib_synth_run){source, p->n_words, n, place % text->n};
    for (size_t i = 0; i < n; i++) {
        const size_t at = (place + i) % text->n;
        add_word(p, (word){.id = text->word[at], .place = (uint32_t)at});
    }
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
static void leave_out_and_insert(planting *p, const word *was, size_t n) {
    trib_synth_run *run = &p->run[p->n_runs - 1];
    p->n_words = run->first;
    for (size_t i = 0; i < n; i++) {
        const bool is_left_out =
            p->plan->deleted > 0 && trib_random_unit(&p->random) < p->plan->deleted;
        if (!is_left_out || i == 0) add_word(p, was[i]);
        if (p->plan->inserted > 0 && trib_random_unit(&p->random) < p->plan->inserted)
            add_word(p, own_word(p));
    }
    run->n = p->n_words - run->first;
}

/* Shuffles the pieces of the last run. */
static void move_pieces(planting *p, const word *was) {
    const trib_synth_run *run = &p->run[p->n_runs - 1];
    const size_t piece = p->plan->piece, n_pieces = (run->n + piece - 1) / piece;
    size_t *order = trib_arena_new(p->arena, n_pieces, sizeof *order), n = 0;
    if (!order) return;
    for (size_t k = 0; k < n_pieces; k++) order[k] = k * piece;
    shuffle(&p->random, order, n_pieces, sizeof *order);
    for (size_t k = 0; k < n_pieces; k++)
        for (size_t i = order[k]; i < order[k] + piece && i < run->n; i++)
            p->word[run->first + n++] = was[i];
}

/* The words of the last run, copied. NULL after a failure. */
static const word *last_words(const planting *p) {
    const trib_synth_run *run = &p->run[p->n_runs - 1];
    word *copy = trib_arena_new(p->arena, run->n, sizeof *copy);
    if (copy) memcpy(copy, p->word + run->first, run->n * sizeof *copy);
    return copy;
}

/* Alters the last run by the plan. Only what the plan asks for draws random numbers. */
static void alter_run(planting *p) {
    const trib_synth_plan *plan = p->plan;
    const word *was;
    if (plan->noise > 0) replace_words(p);
    if ((plan->deleted > 0 || plan->inserted > 0) && (was = last_words(p)) != NULL)
        leave_out_and_insert(p, was, p->run[p->n_runs - 1].n);
    if (plan->piece > 0 && p->arena->failure.status == TRIB_OK && (was = last_words(p)) != NULL)
        move_pieces(p, was);
}

/* Appends n words of one source: cells of a grid, drawn without replacement until all are used. */
static void plant_source(planting *p, uint32_t s, size_t n) {
    const trib_synth_text *source = &p->plan->source[s];
    const size_t length = p->plan->run_length;
    const size_t repeats = p->plan->repeats > 0 ? p->plan->repeats : 1;
    const size_t n_cells = source->n / length > 0 ? source->n / length : 1;
    uint32_t *cell = trib_arena_new(p->arena, n_cells, sizeof *cell);
    size_t n_left = 0;
    while (n > 0 && p->arena->failure.status == TRIB_OK) {
        if (n_left == 0) {
            for (n_left = 0; n_left < n_cells; n_left++) cell[n_left] = (uint32_t)n_left;
            shuffle(&p->random, cell, n_cells, sizeof *cell);
        }
        const size_t place = cell[--n_left] * length;
        for (size_t time = 0; time < repeats && n > 0; time++) {
            size_t k = length < n ? length : n;
            if (source->n < k) k = source->n;
            n -= k;
            add_run(p, s, source, place, k);
            if (p->arena->failure.status == TRIB_OK) alter_run(p);
        }
    }
}

/* Fills the rest of the target with consecutive runs of the author's own text. */
static void plant_own(planting *p) {
    const trib_synth_text *own = &p->plan->own;
    size_t n = p->plan->n_words > p->n_words ? p->plan->n_words - p->n_words : 0;
    size_t place = own->n > n ? (size_t)trib_random_below(&p->random, own->n - n) : 0;
    while (n > 0) {
        const size_t k = p->plan->run_length < n ? p->plan->run_length : n;
        add_run(p, (uint32_t)p->plan->n_sources, own, place, k);
        place += k;
        n -= k;
    }
}

/* Shuffles the runs and copies their words into the target. */
static void join_runs(trib_synth *synth, planting *p) {
    shuffle(&p->random, p->run, p->n_runs, sizeof *p->run);
    synth->word = trib_arena_new(p->arena, p->n_words, sizeof *synth->word);
    synth->altered = trib_arena_new(p->arena, p->n_words, 1);
    synth->place = trib_arena_new(p->arena, p->n_words, sizeof *synth->place);
    if (!synth->place) return;
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
    *synth = (trib_synth){0};
    planting p = {.plan = plan, .arena = &synth->arena};
    trib_status status = check_plan(plan, error);
    if (status != TRIB_OK) return status;
    trib_random_seed(&p.random, plan->seed);
    for (size_t s = 0; s < plan->n_sources; s++)
        plant_source(&p, (uint32_t)s, (size_t)rint(plan->fraction[s] * (double)plan->n_words));
    if (synth->arena.failure.status == TRIB_OK) plant_own(&p);
    if (synth->arena.failure.status == TRIB_OK) join_runs(synth, &p);
    status = trib_arena_check(&synth->arena, error);
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
    trib_arena_release(&synth->arena);
    *synth = (trib_synth){0};
}
