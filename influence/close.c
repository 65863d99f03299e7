/* close.c - finds pairs of close words by deletion neighbourhoods. */
#include "influence/close.h"
#include "base/internal.h"

enum {
    MOST_CHARACTERS = 40, /* longer words are close to none */
    MOST_EDITS = 2,
    MOST_OF_KEY = 400, /* words with one common word by deletions; with more, it says nothing */
    MOST_CLOSE = 256,  /* close words of a word */
    TIMES_RARER = 10,  /* of a pair from which edits are learnt */
    N_EDITS = 1 << 12  /* places of the table of edits */
};

/* What an edit that was never learnt is worth, in pairs of words. */
static const double UNSEEN = 0.5;
/* What the forms of a word that the vocabulary lacks are worth, for each of its characters: a
 * character can be misread as about so many others. Chosen on the planted corpora
 * (docs/same-word.md). */
static const double LACKING = 60;
/* A second edit makes a pair less likely by this factor. */
static const double SECOND = 0.1;

typedef struct characters {
    uint32_t at[MOST_CHARACTERS];
    unsigned n;
} characters;

/* A word and one of the words that deletions make of it, as a hash. */
typedef struct key {
    uint64_t hash;
    uint32_t word;
} key;

/* A directed pair: `word` may be misread as `as`. */
typedef struct pair {
    uint32_t word, as;
    float weight;
} pair;

typedef struct search {
    const char *const *word;
    const uint64_t *count;
    uint32_t n, other;
    key *keys;
    size_t n_keys, key_cap;
    pair *pairs;
    size_t n_pairs, pair_cap;
    double learnt[N_EDITS]; /* pairs by the edit between them */
    double n_learnt;
} search;

/* Decodes UTF-8, which the tokeniser wrote; 0 characters if there are too many. */
static characters decode(const char *text) {
    characters c = {.n = 0};
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const unsigned n_more = *s >= 0xF0 ? 3 : *s >= 0xE0 ? 2 : *s >= 0xC0 ? 1 : 0;
        uint32_t code = n_more == 0 ? *s : *s & (0x3Fu >> n_more);
        s++;
        for (unsigned i = 0; i < n_more && *s; i++) code = code << 6 | (*s++ & 0x3F);
        if (c.n == MOST_CHARACTERS) return (characters){.n = 0};
        c.at[c.n++] = code;
    }
    return c;
}

/* Two edits in words of three letters find more of a copy, but too many chance runs
 * (make validate). */
static unsigned edits_allowed(unsigned n) { return n < 2 ? 0 : n < 4 ? 1 : MOST_EDITS; }

/* ---- Deletion neighbourhoods ----------------------------------------------------------------- */

static uint64_t hash_without(const characters *c, unsigned a, unsigned b) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (unsigned i = 0; i < c->n; i++) {
        if (i == a || i == b) continue;
        hash = (hash ^ c->at[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash;
}

static trib_status add_key(search *s, uint64_t hash, uint32_t word, trib_error *error) {
    const trib_status status =
        TRIB_GROW(&s->keys, &s->key_cap, s->n_keys + 1, "close words", error);
    if (status == TRIB_OK) s->keys[s->n_keys++] = (key){hash, word};
    return status;
}

static trib_status add_word(search *s, uint32_t word, trib_error *error) {
    const characters c = decode(s->word[word]);
    const unsigned edits = edits_allowed(c.n), none = MOST_CHARACTERS;
    if (edits == 0 || word == s->other || s->count[word] == 0) return TRIB_OK;
    trib_status status = add_key(s, hash_without(&c, none, none), word, error);
    for (unsigned a = 0; a < c.n && status == TRIB_OK; a++) {
        status = add_key(s, hash_without(&c, a, none), word, error);
        for (unsigned b = a + 1; b < c.n && edits > 1 && status == TRIB_OK; b++)
            status = add_key(s, hash_without(&c, a, b), word, error);
    }
    return status;
}

TRIB_ORDER(by_hash, key, TRIB_UP(hash) ?: TRIB_UP(word));

/* ---- Edits ----------------------------------------------------------------------------------- */

/* Edits that make one word the other: each has the two characters, 0 for none. */
typedef struct edits {
    uint32_t from[MOST_EDITS], to[MOST_EDITS];
    unsigned n; /* MOST_EDITS + 1: too many */
} edits;

/* Finds the fewest edits by trying them from the first difference on. */
static edits find_edits(const uint32_t *a, unsigned n_a, const uint32_t *b, unsigned n_b,
                        unsigned most) {
    while (n_a > 0 && n_b > 0 && *a == *b) a++, b++, n_a--, n_b--;
    while (n_a > 0 && n_b > 0 && a[n_a - 1] == b[n_b - 1]) n_a--, n_b--;
    edits best = {.n = MOST_EDITS + 1};
    if (n_a == 0 && n_b == 0) return (edits){.n = 0};
    if (most == 0 || n_a > n_b + most || n_b > n_a + most) return best;
    for (int kind = 0; kind < 3; kind++) {
        const unsigned from = kind != 2, to = kind != 1; /* replaced, deleted, inserted */
        if (n_a < from || n_b < to) continue;
        edits rest = find_edits(a + from, n_a - from, b + to, n_b - to, most - 1);
        if (rest.n + 1 >= best.n || rest.n + 1 > most) continue;
        rest.from[rest.n] = from ? *a : 0;
        rest.to[rest.n] = to ? *b : 0;
        rest.n++;
        best = rest;
    }
    return best;
}

static size_t place_of(uint32_t from, uint32_t to) {
    const uint64_t h = ((uint64_t)from << 32 | to) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(h >> 52);
}

/* Returns the edits between two words, or more than are allowed. */
static edits compare(const search *s, uint32_t word, uint32_t as) {
    const characters a = decode(s->word[word]), b = decode(s->word[as]);
    const unsigned shorter = a.n < b.n ? a.n : b.n;
    return find_edits(a.at, a.n, b.at, b.n, edits_allowed(shorter));
}

static void learn(search *s, uint32_t word, uint32_t as, const edits *e) {
    if (e->n != 1 || s->count[word] < TIMES_RARER * s->count[as]) return;
    s->learnt[place_of(e->from[0], e->to[0])]++;
    s->n_learnt++;
}

static double weigh(const search *s, const edits *e) {
    double weight = e->n > 1 ? SECOND : 1;
    for (unsigned i = 0; i < e->n; i++)
        weight *=
            (s->learnt[place_of(e->from[i], e->to[i])] + UNSEEN) / (s->n_learnt / N_EDITS + UNSEEN);
    return weight;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static trib_status add_pair(search *s, uint32_t word, uint32_t as, trib_error *error) {
    const trib_status status =
        TRIB_GROW(&s->pairs, &s->pair_cap, s->n_pairs + 1, "close words", error);
    if (status == TRIB_OK) s->pairs[s->n_pairs++] = (pair){word, as, 0};
    return status;
}

/* Adds the pairs of words with one key; a pair may be found by several keys. */
static trib_status add_pairs(search *s, trib_error *error) {
    trib_status status = TRIB_OK;
    if (s->n_keys > 0) qsort(s->keys, s->n_keys, sizeof *s->keys, by_hash);
    for (size_t k = 0, end; k < s->n_keys && status == TRIB_OK; k = end) {
        for (end = k + 1; end < s->n_keys && s->keys[end].hash == s->keys[k].hash;) end++;
        if (end - k > MOST_OF_KEY) continue;
        for (size_t i = k; i < end && status == TRIB_OK; i++)
            for (size_t j = i + 1; j < end && status == TRIB_OK; j++)
                if (s->keys[i].word != s->keys[j].word)
                    status = add_pair(s, s->keys[i].word, s->keys[j].word, error);
    }
    return status;
}

TRIB_ORDER(by_words, pair, TRIB_UP(word) ?: TRIB_UP(as));

TRIB_ORDER(by_weight, pair, TRIB_UP(word) ?: TRIB_DOWN(weight) ?: TRIB_UP(as));

/* Keeps the pairs that are close, each once in both directions, with their weights. */
static trib_status weigh_pairs(search *s, trib_error *error) {
    size_t n = 0;
    if (s->n_pairs > 0) qsort(s->pairs, s->n_pairs, sizeof *s->pairs, by_words);
    for (size_t i = 0; i < s->n_pairs; i++) {
        const pair p = s->pairs[i];
        if (n > 0 && s->pairs[n - 1].word == p.word && s->pairs[n - 1].as == p.as) continue;
        const edits e = compare(s, p.word, p.as);
        if (e.n == 0 || e.n > MOST_EDITS) continue;
        const edits back = compare(s, p.as, p.word);
        learn(s, p.word, p.as, &e);
        learn(s, p.as, p.word, &back);
        s->pairs[n++] = p;
    }
    s->n_pairs = n;
    for (size_t i = 0; i < n; i++) {
        const uint32_t word = s->pairs[i].word, as = s->pairs[i].as;
        const trib_status status = add_pair(s, as, word, error);
        if (status != TRIB_OK) return status;
    }
    for (size_t i = 0; i < s->n_pairs; i++) {
        const edits e = compare(s, s->pairs[i].word, s->pairs[i].as);
        s->pairs[i].weight = (float)weigh(s, &e);
    }
    return TRIB_OK;
}

/* Keeps the most likely close words of every word, and lists them by number. */
static size_t choose(search *s) {
    size_t n = 0, of_word = 0;
    if (s->n_pairs > 0) qsort(s->pairs, s->n_pairs, sizeof *s->pairs, by_weight);
    for (size_t i = 0; i < s->n_pairs; i++) {
        of_word = i > 0 && s->pairs[i - 1].word == s->pairs[i].word ? of_word + 1 : 0;
        if (of_word < MOST_CLOSE) s->pairs[n++] = s->pairs[i];
    }
    if (n > 0) qsort(s->pairs, n, sizeof *s->pairs, by_words);
    return n;
}

static trib_status fill(trib_close_words *close, const search *s, size_t n, trib_error *error) {
    static const char what[] = "close words";
    trib_status status = TRIB_NEW(&close->start, (size_t)s->n + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&close->word, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&close->chance, n, what, error);
    if (status != TRIB_OK) return status;
    close->n_words = s->n;
    for (size_t i = 0; i < n; i++) close->start[s->pairs[i].word + 1]++;
    for (uint32_t w = 0; w < s->n; w++) close->start[w + 1] += close->start[w];
    for (uint32_t w = 0; w < s->n; w++) {
        double sum = LACKING * decode(s->word[w]).n;
        for (size_t i = close->start[w]; i < close->start[w + 1]; i++) sum += s->pairs[i].weight;
        for (size_t i = close->start[w]; i < close->start[w + 1]; i++) {
            close->word[i] = s->pairs[i].as;
            close->chance[i] = (float)(s->pairs[i].weight / sum);
        }
    }
    return TRIB_OK;
}

trib_status trib_close_words_find(trib_close_words *close, const char *const word[],
                                  const uint64_t count[], uint32_t n, uint32_t other,
                                  trib_error *error) {
    search *s = NULL;
    *close = (trib_close_words){0};
    trib_status status = TRIB_NEW(&s, 1, "close words", error);
    if (status != TRIB_OK) return status;
    s->word = word;
    s->count = count;
    s->n = n;
    s->other = other;
    for (uint32_t w = 0; w < n && status == TRIB_OK; w++) status = add_word(s, w, error);
    if (status == TRIB_OK) status = add_pairs(s, error);
    trib_free(s->keys); /* freed first, since the pairs need the memory */
    if (status == TRIB_OK) status = weigh_pairs(s, error);
    if (status == TRIB_OK) status = fill(close, s, choose(s), error);
    TRIB_FREE(s->pairs, s);
    if (status != TRIB_OK) trib_close_words_release(close);
    return status;
}

void trib_close_words_release(trib_close_words *close) {
    TRIB_FREE(close->start, close->word, close->chance);
    *close = (trib_close_words){0};
}
