/* pools.c - the texts from which planted corpora are cut. A pool is first freed of the passages
 * that stand in it twice, so that no source holds what another text holds unless it was planted;
 * then blocks of it go to the half `tune` and to the half `judge` in turn. So the halves have the
 * same kinds of text and no passage in common. */
#include "base/internal.h"
#include "tests/validate/validate.h"

enum { BLOCK = 500 }; /* words */

void add_pool(pool_table *pools, const char *line) {
    if (pools->n == MAX_POOLS) fail("more than %d pools", MAX_POOLS);
    pool *p = &pools->pool[pools->n++];
    if (sscanf(line, "pool %31s %31s %31s %zu", p->name, p->kind, p->language, &p->passage) != 4 ||
        p->passage == 0)
        fail("cannot read: %s", line);
}

typedef struct window {
    uint64_t hash;
    size_t at;
} window;

static int by_hash(const void *a, const void *b) {
    const window *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Removes from a text every passage of `passage` words or more that it holds earlier too. */
static void remove_repeated(word_list *text, size_t passage) {
    const size_t n = text->n >= passage ? text->n - passage + 1 : 0;
    window *list = new_array(n, sizeof *list);
    uint8_t *repeated = new_array(text->n, 1);
    for (size_t i = 0; i < n; i++)
        list[i] = (window){trib_hash_bytes(text->word + i, passage * sizeof *text->word), i};
    qsort(list, n, sizeof *list, by_hash);
    for (size_t i = 1; i < n; i++)
        if (list[i].hash == list[i - 1].hash) memset(repeated + list[i].at, 1, passage);
    size_t n_left = 0;
    for (size_t i = 0; i < text->n; i++)
        if (!repeated[i]) text->word[n_left++] = text->word[i];
    text->n = n_left;
    free(list);
    free(repeated);
}

static void divide(pool *p, const word_list *text) {
    for (int h = 0; h < 2; h++) {
        word_list *half = &p->half[h];
        half->word = new_array(2 * text->n, sizeof *half->word);
        for (size_t i = 0; i < text->n; i++)
            if (i / BLOCK % 2 == (size_t)h) half->word[half->n++] = text->word[i];
        p->n_half[h] = half->n;
        memcpy(half->word + half->n, half->word, half->n * sizeof *half->word);
        half->n *= 2;
    }
}

/* Ends the program when the halves have a passage of DISJOINT words in common. */
static void check_disjoint(const pool *p) {
    enum { DISJOINT = 20 };
    size_t n = 0;
    window *list = new_array(p->n_half[0], sizeof *list);
    for (size_t i = 0; i + DISJOINT <= p->n_half[0]; i++)
        list[n++] = (window){trib_hash_bytes(p->half[0].word + i, DISJOINT * sizeof(uint32_t)), 0};
    qsort(list, n, sizeof *list, by_hash);
    for (size_t i = 0; n > 0 && i + DISJOINT <= p->n_half[1]; i++) {
        const window wanted = {trib_hash_bytes(p->half[1].word + i, DISJOINT * sizeof(uint32_t)),
                               0};
        if (bsearch(&wanted, list, n, sizeof *list, by_hash))
            fail("the halves of the pool %s share a passage of %d words", p->name, DISJOINT);
    }
    free(list);
}

pool *get_pool(pool_table *pools, const char *name, const char *directory) {
    size_t i = 0;
    while (i < pools->n && strcmp(pools->pool[i].name, name) != 0) i++;
    if (i == pools->n) fail("the ladder names a pool '%s' and does not describe it", name);
    pool *p = &pools->pool[i];
    if (!p->was_read) {
        char path[1024];
        word_list text = {0};
        snprintf(path, sizeof path, "%s/%s.txt", directory, name);
        p->was_read = true;
        p->is_missing = !read_words(&text, &p->words, path);
        if (p->is_missing)
            fprintf(stderr, "validate: no text %s: the corpora of %s are left out\n", path, name);
        p->n_words = text.n;
        remove_repeated(&text, p->passage);
        p->n_removed = p->n_words - text.n;
        divide(p, &text);
        check_disjoint(p);
        trib_free(text.word);
    }
    return p->is_missing ? NULL : p;
}

void release_pools(pool_table *pools) {
    for (size_t i = 0; i < pools->n; i++) {
        trib_intern_release(&pools->pool[i].words);
        free(pools->pool[i].half[0].word);
        free(pools->pool[i].half[1].word);
    }
    *pools = (pool_table){0};
}
