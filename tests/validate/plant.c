/* plant.c - the documents of a planted corpus: sources cut from a half of a pool, or taken in part
 * from one another, and a target of their words and an author's. */
#include "base/internal.h"
#include "tests/planting/planting.h"
#include "tests/validate/validate.h"

enum { OWN = 30000, PASSAGE = 100, LONGEST_WORD = 512 }; /* words, words, bytes */

/* The next n words of the half from *at on, which moves behind them. */
static word_list cut(const plan *p, size_t *at, size_t n) {
    const word_list view = {.word = p->from->half[p->c->judge].word + *at, .n = n};
    *at = (*at + n) % p->from->n_half[p->c->judge];
    return view;
}

/* How many words the author's own text has: what the sources leave, OWN at most. */
static size_t length_of_own(const plan *p) {
    const size_t n = p->from->n_half[p->c->judge], wanted = p->c->n_words * 3 / 2;
    size_t n_sources = 0;
    for (size_t s = 0; s < p->c->n_sources; s++) n_sources += p->length[s];
    size_t own = wanted > OWN ? wanted : OWN;
    if (n_sources + own > n) own = n > n_sources ? n - n_sources : 0;
    if (own <= p->c->n_words)
        fail("%s: half of the pool %s has %zu words, too few", p->c->name, p->from->name, n);
    return own;
}

/* Replaces passages of a source by those that another holds at the same places, spread evenly. */
static void derive(plan *p, size_t s, const word_list *own, trib_random *random) {
    const derivation *d = &p->derived[s];
    const word_list *from = &p->document[d->from];
    word_list *to = &p->document[s], copy = {.n = to->n};
    copy.word = new_array(copy.n, sizeof *copy.word);
    memcpy(copy.word, to->word, copy.n * sizeof *copy.word);
    for (size_t i = 0; i < copy.n && i < from->n; i++) {
        const double k = (double)(i / PASSAGE) * d->fraction;
        if ((size_t)(k + d->fraction + 1e-9) == (size_t)(k + 1e-9)) continue;
        copy.word[i] = trib_random_unit(random) < d->noise
                           ? own->word[trib_random_below(random, own->n)]
                           : from->word[i];
    }
    *to = copy;
    p->is_own[s] = true;
}

/* Makes a source that says its first words again and again. */
static void repeat(plan *p, size_t s) {
    const word_list *from = &p->document[s];
    word_list copy = {.word = new_array(from->n, sizeof *copy.word), .n = from->n};
    for (size_t i = 0; i < copy.n; i++) copy.word[i] = from->word[i % (copy.n / p->times[s])];
    p->document[s] = copy;
    p->is_own[s] = true;
}

/* ---- Decoys ---------------------------------------------------------------------------------- */

static int by_pair(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t pair_at(const word_list *text, size_t i) {
    return (uint64_t)text->word[i] << 32 | text->word[i + 1];
}

/* Reshuffles a target in blocks of common language: it is cut wherever two words stand together
 * that stand together in no source. */
static void shuffle_blocks(word_list *target, const word_list source[], size_t n_sources,
                           trib_random *random) {
    size_t n = 0, n_pairs = 0, n_blocks = 0;
    for (size_t s = 0; s < n_sources; s++) n += source[s].n;
    uint64_t *pair = new_array(n, sizeof *pair);
    for (size_t s = 0; s < n_sources; s++)
        for (size_t i = 0; i + 1 < source[s].n; i++) pair[n_pairs++] = pair_at(&source[s], i);
    qsort(pair, n_pairs, sizeof *pair, by_pair);
    size_t *block = new_array(target->n + 1, sizeof *block);
    uint32_t *word = new_array(target->n, sizeof *word);
    for (size_t i = 0; i < target->n; i++) {
        const uint64_t before = i > 0 ? pair_at(target, i - 1) : 0;
        if (i == 0 || !bsearch(&before, pair, n_pairs, sizeof *pair, by_pair))
            block[n_blocks++] = i;
    }
    block[n_blocks] = target->n;
    size_t *order = new_array(n_blocks, sizeof *order), filled = 0;
    for (size_t k = 0; k < n_blocks; k++) order[k] = k;
    for (size_t k = n_blocks; k-- > 1;) {
        const size_t other = (size_t)trib_random_below(random, k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    for (size_t k = 0; k < n_blocks; k++)
        for (size_t i = block[order[k]]; i < block[order[k] + 1]; i++)
            word[filled++] = target->word[i];
    memcpy(target->word, word, filled * sizeof *word);
    free(pair);
    free(block);
    free(word);
    free(order);
}

/* ---- Characters ------------------------------------------------------------------------------ */

static size_t length_of_character(const char *at) {
    size_t n = 1;
    while (((unsigned char)at[n] & 0xC0) == 0x80) n++;
    return n;
}

/* A character of a word, by its number. */
static const char *find_character(const char *word, size_t number) {
    for (; number > 0; number--) word += length_of_character(word);
    return word;
}

static size_t count_characters(const char *word) {
    size_t n = 0;
    for (; *word; word += length_of_character(word)) n++;
    return n;
}

/* Writes a word in which every character is, with a probability, a random one of the author's. */
static void misread(char *out, const char *word, double probability, const plan *p,
                    const word_list *own, trib_random *random) {
    size_t used = 0;
    for (; *word && used + 8 < LONGEST_WORD; word += length_of_character(word)) {
        const char *from = word;
        if (trib_random_unit(random) < probability) {
            const uint32_t id = own->word[trib_random_below(random, own->n)];
            const char *other = trib_intern_word(&p->from->words, id);
            from =
                find_character(other, (size_t)trib_random_below(random, count_characters(other)));
        }
        const size_t n = length_of_character(from);
        memcpy(out + used, from, n);
        used += n;
    }
    out[used] = '\0';
}

/* Writes an English word as it was spelled about 1600, with a probability: v for u at its
 * beginning, u for v within, i for j, ie for y and a mute e at its end. */
static void spell(char *out, const char *word, double probability, trib_random *random) {
    snprintf(out, LONGEST_WORD - 2, "%s", word);
    if (!(trib_random_unit(random) < probability)) return;
    size_t n = strlen(out);
    for (size_t i = 0; i < n; i++) {
        if (out[i] == 'j') out[i] = 'i';
        else if (out[i] == 'u' && i == 0) out[i] = 'v';
        else if (out[i] == 'v' && i > 0) out[i] = 'u';
    }
    if (n > 2 && out[n - 1] == 'y') strcpy(out + n - 1, "ie");
    else if (n > 2 && strchr("dkmnprt", out[n - 1])) strcpy(out + n, "e");
}

static void change_characters(plan *p, word_list *target, const word_list *own, const char *kind,
                              double probability, trib_random *random) {
    char out[LONGEST_WORD];
    for (size_t i = 0; i < target->n; i++) {
        const char *word = trib_intern_word(&p->from->words, target->word[i]);
        if (strcmp(kind, "misread") == 0) misread(out, word, probability, p, own, random);
        else spell(out, word, probability, random);
        must(trib_intern_add(&p->from->words, out, strlen(out), &target->word[i], &validate_error));
    }
}

/* ---- A corpus -------------------------------------------------------------------------------- */

/* Which sources hold the same passages: those taken from one another. */
static void find_groups(plan *p) {
    known_case *c = p->c;
    for (size_t s = 0; s < c->n_sources; s++) {
        c->group[s] = p->derived[s].is_derived ? c->group[p->derived[s].from] : s;
        if (p->derived[s].is_derived) c->is_grouped[s] = c->is_grouped[c->group[s]] = true;
    }
}

static void plant_target(plan *p, const word_list *own, uint64_t seed) {
    known_case *c = p->c;
    char kind[32] = "";
    double much = 0, truth[N_UNITS][MAX_SOURCES + 1] = {{0}};
    trib_synth_text source[MAX_SOURCES];
    TRIB_OWNED(trib_synth) planted = {0};
    (void)sscanf(c->change, "%31[a-z]=%lf", kind, &much);
    const bool revises = strcmp(kind, "revise") == 0;
    c->is_revised = revises || (strcmp(kind, "reorder") == 0 && much < 8) ||
                    (strcmp(kind, "replace") == 0 && much > .4);
    for (size_t s = 0; s < c->n_sources; s++)
        source[s] = (trib_synth_text){p->document[s].word, p->document[s].n};
    const trib_synth_plan how = {.source = source,
                                 .fraction = p->fraction,
                                 .n_sources = c->n_sources,
                                 .own = {own->word, own->n},
                                 .n_words = c->n_words,
                                 .run_length = c->run_length,
                                 .repeats = c->n_repeats,
                                 .noise = strcmp(kind, "replace") == 0 || revises ? much : 0,
                                 .deleted = strcmp(kind, "delete") == 0 ? much
                                            : revises                   ? much / 2
                                                                        : 0,
                                 .inserted = strcmp(kind, "insert") == 0 ? much
                                             : revises                   ? much / 2
                                                                         : 0,
                                 .piece = strcmp(kind, "reorder") == 0 ? (size_t)much
                                          : revises && much > .2       ? 10
                                                                       : 0,
                                 .seed = seed};
    must(trib_synth_plant(&planted, &how, &validate_error));
    trib_synth_truth(&planted, c->n_sources, N_GRAM, truth[IN_WORDS], truth[IN_NGRAMS]);
    for (size_t r = 0; r < planted.n_runs; r++)
        for (size_t i = planted.run[r].first; i < planted.run[r].first + planted.run[r].n; i++)
            truth[WORD_FOR_WORD][planted.altered[i] ? c->n_sources : planted.run[r].source] +=
                1 / (double)planted.n_words;
    for (int u = 0; u < N_UNITS; u++) {
        memcpy(c->truth[u], truth[u], c->n_sources * sizeof truth[u][0]);
        c->author[u] = truth[u][c->n_sources];
    }
    word_list *target = &p->document[c->n_sources];
    *target =
        (word_list){.word = new_array(planted.n_words, sizeof *target->word), .n = planted.n_words};
    memcpy(target->word, planted.word, planted.n_words * sizeof *target->word);
    p->is_own[c->n_sources] = true;
    trib_random random;
    trib_random_seed(&random, seed + 1);
    c->is_respelled = strcmp(kind, "misread") == 0 || strcmp(kind, "spelling") == 0;
    if (c->is_respelled) change_characters(p, target, own, kind, much, &random);
    if (strcmp(kind, "shuffle") == 0) shuffle_blocks(target, p->document, c->n_sources, &random);
}

void plant(plan *p) {
    known_case *c = p->c;
    char name[128];
    const int length = snprintf(name, sizeof name, "%s %s", c->name, c->judge ? "judge" : "tune");
    const uint64_t seed = trib_hash_bytes(name, (size_t)length);
    trib_random random;
    trib_random_seed(&random, seed);
    size_t at = (size_t)trib_random_below(&random, p->from->n_half[c->judge]);
    const size_t n_own = length_of_own(p);
    const word_list own = cut(p, &at, n_own);
    for (size_t s = 0; s < c->n_sources; s++) {
        p->document[s] = cut(p, &at, p->length[s]);
        snprintf(c->source[s], sizeof c->source[s], "s%zu", s);
        if (p->derived[s].is_derived) derive(p, s, &own, &random);
        if (p->times[s] > 1) repeat(p, s);
    }
    find_groups(p);
    plant_target(p, &own, seed);
}
