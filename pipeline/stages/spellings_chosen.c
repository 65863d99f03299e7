/* spellings_chosen.c - the spelling that stands for each norm, the words that are left out, and the
 * most frequent changes. The spellings of the corpus lie in a file, sorted by the keys of
 * trib_spellings_sort_key, so that memory holds one norm at a time, and the most frequent ones that
 * tokens.stop leaves out. */
#include "base/internal.h"
#include "pipeline/stages/spellings.h"

/* ---- Spellings of a norm --------------------------------------------------------------------- */

static bool ends(char c) { return c == '\0' || c == *TRIB_KEY_PART; }

/* Orders two parts of keys by their bytes. */
static int compare(const char *a, const char *b) {
    while (*a == *b && !ends(*a)) a++, b++;
    const unsigned char x = ends(*a) ? 0 : (unsigned char)*a, y = ends(*b) ? 0 : (unsigned char)*b;
    return (x > y) - (x < y);
}

static size_t length_of(const char *part) { return strcspn(part, TRIB_KEY_PART); }

static const char *spelling_in(const char *key) { return key + length_of(key) + 1; }

static uint32_t language_in(const trib_spellings *s, const char *key) {
    return trib_spellings_language_of(s, key + strlen(key) - trib_spellings_prefix(s));
}

/* A spelling of a norm. */
typedef struct spelt {
    const char *text, *norm; /* parts of a key */
    const char *shown;       /* the spelling that stands for the norm */
    uint64_t count;
} spelt;

/* Whether spelling a is to be shown rather than b. */
static bool is_before(const spelt *a, const spelt *b) {
    if (!b->text || a->count != b->count) return a->count > b->count;
    const int order = compare(a->text, b->text);
    return order != 0 ? order < 0 : compare(a->norm, b->norm) < 0;
}

static bool is_changed(const spelt *s) { return compare(s->text, s->norm) != 0; }

/* A norm in the texts of one language. */
typedef struct of_language {
    uint64_t count; /* 0: it is in none of them */
    uint32_t n_documents;
    bool is_left_out;
    spelt best; /* the most frequent spelling */
} of_language;

/* Reads one norm after another. */
typedef struct norm_reader {
    const trib_spellings *s;
    const trib_merged_words *all;
    of_language *of;   /* [n_languages] */
    const char *norm;  /* the key of its first spelling */
    uint32_t from, to; /* its spellings */
    const char *next;  /* the key of spelling `to` */
} norm_reader;

static void restart(norm_reader *r) {
    r->to = 0;
    r->next = r->all->text.bytes;
}

static trib_status open_reader(norm_reader *r, const trib_spellings *s,
                               const trib_merged_words *all, trib_error *error) {
    *r = (norm_reader){.s = s, .all = all};
    restart(r);
    return TRIB_NEW(&r->of, s->n_languages, "the norms of words", error);
}

/* Returns false after the last norm. */
static bool read_norm(norm_reader *r) {
    const uint64_t *const count = r->all->count.bytes;
    const uint32_t *const n_documents = r->all->n_documents.bytes;
    if (r->to == r->all->n) return false;
    memset(r->of, 0, r->s->n_languages * sizeof *r->of);
    r->norm = r->next;
    r->from = r->to;
    do {
        const spelt now = {.text = spelling_in(r->next), .norm = r->norm, .count = count[r->to]};
        of_language *of = &r->of[language_in(r->s, r->next)];
        of->count += now.count;
        of->n_documents += n_documents[r->to];
        if (is_before(&now, &of->best)) of->best = now;
        r->next += strlen(r->next) + 1;
    } while (++r->to < r->all->n && compare(r->next, r->norm) == 0);
    return true;
}

/* Sets *key to the norm that was read, as it is counted in a language. */
static trib_status key_of(trib_spellings *s, uint32_t language, const char *norm, const char **key,
                          size_t *n, trib_error *error) {
    return trib_spellings_key(s, language, norm, length_of(norm), key, n, error);
}

/* ---- Listed words ---------------------------------------------------------------------------- */

/* Sets id[list->n_words][n_languages] to the numbers of the norms of the words in `norms`. */
static trib_status find_norms(trib_spellings *s, const trib_intern *list, trib_intern *norms,
                              uint32_t *id, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < (size_t)list->n_words * s->n_languages && status == TRIB_OK; i++) {
        const char *word = trib_intern_word(list, (uint32_t)(i / s->n_languages)), *norm = NULL;
        size_t n = 0;
        status = trib_spellings_key(s, (uint32_t)(i % s->n_languages), word, strlen(word), &word,
                                    &n, error);
        if (status == TRIB_OK) status = trib_spellings_norm(s, word, n, &norm, &n, error);
        if (status == TRIB_OK) status = trib_intern_add(norms, norm, n, &id[i], error);
    }
    return status;
}

static trib_status find_occurring(trib_spellings *s, const trib_merged_words *all,
                                  const trib_intern *norms, bool *occurs, trib_error *error) {
    norm_reader r;
    trib_status status = open_reader(&r, s, all, error);
    while (status == TRIB_OK && read_norm(&r))
        for (uint32_t k = 0; k < s->n_languages && status == TRIB_OK; k++) {
            const char *key;
            size_t n;
            if (r.of[k].count == 0) continue;
            status = key_of(s, k, r.norm, &key, &n, error);
            const uint32_t id = status == TRIB_OK ? trib_intern_find(norms, key, n) : TRIB_NO_WORD;
            if (id != TRIB_NO_WORD) occurs[id] = true;
        }
    trib_free(r.of);
    return status;
}

/* Adds the norms of a word, whose numbers are id[n_languages]. */
static trib_status add_norms(const trib_spellings *s, const trib_intern *norms, const bool *occurs,
                             const uint32_t *id, trib_intern *made, trib_error *error) {
    bool has_some = false;
    trib_status status = TRIB_OK;
    for (uint32_t k = 0; k <= s->n_languages && status == TRIB_OK; k++) {
        const uint32_t norm = id[k % s->n_languages];
        const char *word = trib_intern_word(norms, norm) + trib_spellings_prefix(s);
        uint32_t number;
        if (k == s->n_languages ? has_some : !occurs[norm]) continue;
        has_some = true;
        status = trib_intern_add(made, word, strlen(word), &number, error);
    }
    return status;
}

trib_status trib_spellings_list(trib_spellings *s, const trib_merged_words *all, trib_intern *list,
                                trib_error *error) {
    const size_t n = s->n_languages;
    trib_intern norms = {0}, made = {0};
    uint32_t *id = NULL;
    bool *occurs = NULL;
    trib_status status = TRIB_NEW(&id, list->n_words * n, "a list of words", error);
    if (status == TRIB_OK) status = find_norms(s, list, &norms, id, error);
    if (status == TRIB_OK) status = TRIB_NEW(&occurs, norms.n_words, "a list of words", error);
    if (status == TRIB_OK && n > 1 && list->n_words > 0)
        status = find_occurring(s, all, &norms, occurs, error);
    for (uint32_t i = 0; i < list->n_words && status == TRIB_OK; i++)
        status = add_norms(s, &norms, occurs, &id[i * n], &made, error);
    trib_intern_release(&norms);
    trib_intern_release(list);
    TRIB_FREE(id, occurs);
    *list = made;
    return status;
}

/* ---- Words left out -------------------------------------------------------------------------- */

typedef struct ranked {
    uint64_t count;
    const char *shown, *norm; /* parts of a key */
} ranked;

/* The most frequent norms of a language, and some others. */
typedef struct ranking {
    ranked *list;
    size_t n, cap;
} ranking;

TRIB_ORDER(commonest_first, ranked, TRIB_DOWN(count) ?: compare(x->shown, y->shown));

/* Reduces a ranking to the first `most` norms. */
static void cut(ranking *of, size_t most) {
    if (of->n > 1) qsort(of->list, of->n, sizeof *of->list, commonest_first);
    if (of->n > most) of->n = most;
}

/* Adds the norm that was read to the ranking of each language that has it. */
static trib_status rank(const norm_reader *r, ranking *of, trib_error *error) {
    for (uint32_t k = 0; k < r->s->n_languages; k++) {
        const size_t most = r->s->n_commonest[k];
        if (most == 0 || r->of[k].count == 0) continue;
        if (of[k].n >= 2 * most) cut(&of[k], most);
        const trib_status status =
            TRIB_GROW(&of[k].list, &of[k].cap, of[k].n + 1, "the most frequent words", error);
        if (status != TRIB_OK) return status;
        of[k].list[of[k].n++] = (ranked){r->of[k].count, r->of[k].best.text, r->norm};
    }
    return TRIB_OK;
}

/* Adds the most frequent norms of each language to those that are left out. */
static trib_status find_commonest(trib_spellings *s, norm_reader *r, trib_error *error) {
    ranking *of = NULL;
    bool has_some = false;
    for (uint32_t k = 0; k < s->n_languages; k++) has_some = has_some || s->n_commonest[k] > 0;
    if (!has_some) return TRIB_OK;
    trib_status status = TRIB_NEW(&of, s->n_languages, "the most frequent words", error);
    while (status == TRIB_OK && read_norm(r)) status = rank(r, of, error);
    for (uint32_t k = 0; of && k < s->n_languages; k++) {
        cut(&of[k], s->n_commonest[k]);
        for (size_t i = 0; i < of[k].n && status == TRIB_OK; i++) {
            const char *key;
            size_t n;
            uint32_t id;
            status = key_of(s, k, of[k].list[i].norm, &key, &n, error);
            if (status == TRIB_OK) status = trib_intern_add(&s->stop, key, n, &id, error);
        }
        trib_free(of[k].list);
    }
    trib_free(of);
    return status;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

typedef struct choice {
    trib_spellings *s;
    norm_reader r;
    uint32_t *number;
    uint32_t n_numbered; /* norms so far that are not left out */
    trib_sha256 hash;    /* of the norms and the words left out */
    trib_word_changes *changes;
    spelt top[TRIB_CHANGES_SHOWN]; /* the most frequent changes */
    uint32_t n_top;
} choice;

/* Adds up the norm over the languages in which it is not left out. */
static trib_status sum_up(choice *c, trib_chosen *norm, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t k = 0; k < c->s->n_languages && status == TRIB_OK; k++) {
        of_language *of = &c->r.of[k];
        const char *key;
        size_t n;
        if (of->count == 0) continue;
        status = key_of(c->s, k, c->r.norm, &key, &n, error);
        if (status != TRIB_OK) break;
        of->is_left_out = trib_intern_find(&c->s->stop, key, n) != TRIB_NO_WORD;
        if (!of->is_left_out) {
            norm->count += of->count;
            norm->n_documents += of->n_documents;
            continue;
        }
        c->changes->n_left_out++;
        c->changes->n_left_out_tokens += of->count;
        trib_sha256_add(&c->hash, key, n);
        trib_sha256_add(&c->hash, "", 1);
    }
    c->changes->n_words += norm->n_documents > 0;
    return status;
}

static void count_change(trib_word_changes *changes, const spelt *s) {
    if (s->count == 0) return;
    changes->n_spellings++;
    if (!is_changed(s)) return;
    changes->n_changed++;
    changes->n_changed_tokens += s->count;
}

/* Inserts a changed spelling into its place among the most frequent ones. */
static void insert_change(choice *c, const spelt *s) {
    spelt *const top = c->top;
    if (s->count == 0 || !is_changed(s)) return;
    if (c->n_top == TRIB_CHANGES_SHOWN && !is_before(s, &top[c->n_top - 1])) return;
    uint32_t at = c->n_top < TRIB_CHANGES_SHOWN ? c->n_top++ : c->n_top - 1;
    for (; at > 0 && is_before(s, &top[at - 1]); at--) top[at] = top[at - 1];
    top[at] = *s;
}

/* Goes through the spellings of the norm. Returns the one to be shown, or NULL if the norm is left
 * out of the texts of all languages. */
static const char *read_spellings(choice *c) {
    const norm_reader *r = &c->r;
    const uint64_t *const count = r->all->count.bytes;
    const char *key = r->norm;
    spelt best = {0};
    for (uint32_t i = r->from; i < r->to;) {
        const spelt here = {.text = spelling_in(key), .norm = r->norm};
        spelt same[2] = {here, here}; /* in languages in which the norm is counted, is left out */
        do {
            const bool is_left_out = r->of[language_in(c->s, key)].is_left_out;
            same[is_left_out].count += count[i];
            c->number[i] = is_left_out ? TRIB_LEFT_OUT : c->n_numbered;
            key += strlen(key) + 1;
        } while (++i < r->to && compare(spelling_in(key), here.text) == 0);
        for (int k = 0; k < 2; k++) count_change(c->changes, &same[k]);
        if (is_before(&same[0], &best)) best = same[0];
        insert_change(c, &same[0]);
    }
    for (uint32_t k = 0; k < c->n_top; k++)
        if (c->top[k].norm == r->norm) c->top[k].shown = best.text;
    return best.text;
}

static trib_status choose(choice *c, trib_chosen_sink take, void *context, trib_error *error) {
    trib_chosen norm = {.norm = c->r.norm, .norm_length = length_of(c->r.norm)};
    const trib_status status = sum_up(c, &norm, error);
    if (status != TRIB_OK) return status;
    norm.shown = read_spellings(c);
    if (norm.shown) norm.shown_length = length_of(norm.shown);
    c->n_numbered += norm.n_documents > 0;
    return take(context, &norm, error);
}

static trib_status copy(char **to, const char *part, trib_error *error) {
    return trib_copy_text(to, part, length_of(part), error);
}

static trib_status list_changes(const choice *c, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t k = 0; k < c->n_top && status == TRIB_OK; k++) {
        trib_change *change = &c->changes->change[c->changes->n++];
        change->count = c->top[k].count;
        status = copy(&change->from, c->top[k].text, error);
        if (status == TRIB_OK) status = copy(&change->norm, c->top[k].norm, error);
        if (status == TRIB_OK) status = copy(&change->shown, c->top[k].shown, error);
    }
    return status;
}

trib_status trib_spellings_choose(trib_spellings *s, const trib_merged_words *all,
                                  trib_chosen_sink take, void *context, uint32_t *number,
                                  trib_word_changes *changes, trib_error *error) {
    choice c = {.s = s, .number = number, .changes = changes};
    trib_status status = open_reader(&c.r, s, all, error);
    if (status == TRIB_OK) status = find_commonest(s, &c.r, error);
    trib_sha256_add(&c.hash, s->hash, sizeof s->hash);
    restart(&c.r);
    while (status == TRIB_OK && read_norm(&c.r)) status = choose(&c, take, context, error);
    changes->has_norms = true;
    changes->n_words += changes->n_left_out; /* a norm may be left out of one language alone */
    trib_sha256_end(&c.hash, changes->hash);
    if (status == TRIB_OK) status = list_changes(&c, error);
    trib_free(c.r.of);
    return status;
}

void trib_word_changes_release(trib_word_changes *changes) {
    for (uint32_t k = 0; k < changes->n; k++) {
        TRIB_FREE(changes->change[k].from, changes->change[k].norm, changes->change[k].shown);
    }
    *changes = (trib_word_changes){0};
}
