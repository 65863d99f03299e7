/* phrasing.c - families of phrasing. Pairs of words at most TRIB_PHRASING_REACH apart are counted
 * in a table text x first word x second word, which CP-APR decomposes by the Kullback-Leibler
 * divergence (decomp/apr.c) from several random starts.
 *
 * Words that stand everywhere are left out: a word counts when it is not among the commonest and
 * its occurrences lie closer together than by chance, by the residual inverse document frequency
 * (Church and Gale 1995) over windows of WINDOW words. */
#include "pipeline/stages/phrasing.h"

#include "base/internal.h"
#include "decomp/decomp.h"
#include "pipeline/config/date.h"

enum {
    WINDOW = 100,      /* words */
    MOST_WORDS = 8192, /* that count */
    ITERATIONS = 40,
    STARTS = 3, /* decompositions, of which the closest is used */
    TOP_WORDS = 10,
    TOP_PHRASES = 6,
    TOP_TEXTS = 5,
    TOP_PLACES = 2, /* words in place of another; of the first N_PLACED words */
    N_PLACED = 4,
    PLACE_WORDS = 60 /* among these first words of a family */
};
#define LEAST_BURST  .1   /* residual inverse document frequency, bits */
#define MOST_COMMON  .001 /* of all words */
#define LEAST_COSINE .8   /* of words in each other's place */

static const char caveat[] =
    "A family says that its words stand within three words of each other in its texts. It does not "
    "say who took them from whom, that they mean the same in two texts, or that a text is about "
    "them. Another number of families or other starts divide the words differently: trust what "
    "several of them show. Words in each other's place have the same neighbours; opposites have, "
    "too.";

/* What is in the works. */
typedef struct making {
    trib_phrasing_record *out;
    trib_arena *arena; /* of what is found */
    const trib_corpus *corpus;
    const trib_corpus_words *words;
    const trib_phrasing_words *names;
    trib_phrasing_options options;
    /* the text that was read last: numbers of its words, and whether each follows a break */
    uint32_t *text;
    bool *after_break;
    size_t n_text, text_cap, break_cap;
    uint64_t *count;     /* [names->n] occurrences */
    uint32_t *n_windows; /* [names->n] windows with the word */
    uint32_t *seen;      /* [names->n] the last one, from 1 */
    uint32_t *place;     /* [names->n] number among the words that count; UINT32_MAX: none */
    uint32_t *chosen;    /* [n_chosen] the words that count, the commonest first */
    uint32_t n_chosen;
    trib_hacoo pairs; /* text x first x second */
    trib_hacoo all;   /* first x second, over all texts */
    uint32_t *pair;   /* [pairs.nnz] entry of `all` */
    trib_ktensor k;
    double *model;       /* [pairs.nnz] the sum of all families */
    double *weight;      /* [most of words, texts and pairs] of a family */
    uint32_t *phrase;    /* [n_families][TOP_PHRASES] its commonest pairs, entries of `all` */
    uint32_t *n_phrases; /* [n_families] */
    uint32_t *number;    /* [all.nnz] of the pairs of phrases, from 1; 0: of none */
    uint32_t n_numbers;
    trib_hacoo forms; /* number - 1 x the two words between, from 1; 0: none */
    trib_pool pool;
} making;

/* ---- Words ----------------------------------------------------------------------------------- */

static trib_status read_text(making *m, uint32_t d, trib_error *error) {
    const trib_document_words *document = &m->words->document[d];
    trib_words_cursor cursor;
    trib_placed_word word;
    trib_status status = trib_words_cursor_open(&cursor, document, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&m->text, &m->text_cap, document->n_tokens, "a text", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&m->after_break, &m->break_cap, document->n_tokens, "a text", error);
    for (size_t i = 0; status == TRIB_OK && i < document->n_tokens; i++) {
        status = trib_words_cursor_at(&cursor, i, &word, error);
        if (status != TRIB_OK) break;
        const bool is_known = word.id != UINT32_MAX && word.id != m->names->other;
        m->text[i] = !is_known            ? UINT32_MAX
                     : m->names->spelling ? m->names->spelling[word.id].norm
                                          : word.id;
        m->after_break[i] = word.after_break;
    }
    m->n_text = document->n_tokens;
    trib_words_cursor_close(&cursor);
    return status;
}

/* Counts the words of all texts, and in how many of the windows each stands. */
static trib_status count_words(making *m, uint64_t *total, uint32_t *n_windows, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < m->words->n_documents && status == TRIB_OK; d++) {
        status = read_text(m, d, error);
        for (size_t i = 0; i < m->n_text && status == TRIB_OK; i++) {
            const uint32_t w = m->text[i];
            *n_windows += i % WINDOW == 0;
            if (w >= m->names->n) continue;
            m->count[w]++;
            m->n_windows[w] += m->seen[w] != *n_windows;
            m->seen[w] = *n_windows;
        }
        *total += m->n_text;
    }
    return status;
}

/* A word that counts. */
typedef struct candidate {
    uint64_t count;
    uint32_t word;
    const char *name;
} candidate;

TRIB_ORDER(by_count, candidate, TRIB_DOWN(count) ?: strcmp(x->name, y->name));

/* Whether a word returns often, is not among the commonest, and comes in bursts. */
static bool tells(const making *m, uint32_t w, uint64_t total, uint32_t n_windows) {
    const uint64_t least = total / 50000 < 3 ? 3 : total / 50000 > 10 ? 10 : total / 50000;
    const double count = (double)m->count[w], windows = n_windows;
    if (m->count[w] < least || count > MOST_COMMON * (double)total) return false;
    const double expected = windows * (1 - trib_exponential(-count / windows));
    return trib_logarithm(expected / m->n_windows[w]) >= LEAST_BURST * trib_logarithm(2);
}

static trib_status choose_words(making *m, uint64_t total, uint32_t n_windows, trib_error *error) {
    trib_pool own = {.error = error};
    candidate *list = trib_pool_new(&own, m->names->n, sizeof *list, "words");
    size_t n = 0;
    for (uint32_t w = 0; w < m->names->n && own.status == TRIB_OK; w++) {
        m->place[w] = UINT32_MAX;
        if (m->count[w] > 0 && tells(m, w, total, n_windows))
            list[n++] = (candidate){m->count[w], w, m->names->name[w]};
    }
    if (n > 1) qsort(list, n, sizeof *list, by_count);
    m->n_chosen = n < MOST_WORDS ? (uint32_t)n : MOST_WORDS;
    for (uint32_t i = 0; i < m->n_chosen; i++) {
        m->place[list[i].word] = i;
        m->chosen[i] = list[i].word;
    }
    trib_pool_release(&own);
    if (own.status == TRIB_OK && m->n_chosen < TRIB_PHRASING_LEAST_WORDS)
        return trib_fail(error, TRIB_INPUT,
                         "families of phrasing need at least %d words that return and do not stand "
                         "everywhere, and these texts have %u: give more or longer texts",
                         TRIB_PHRASING_LEAST_WORDS, (unsigned)m->n_chosen);
    return own.status;
}

static trib_status find_words(making *m, trib_error *error) {
    const uint32_t n = m->names->n;
    const char *what = "families of phrasing";
    uint64_t total = 0;
    uint32_t n_windows = 0;
    m->count = trib_pool_new(&m->pool, n, sizeof *m->count, what);
    m->n_windows = trib_pool_new(&m->pool, n, sizeof *m->n_windows, what);
    m->seen = trib_pool_new(&m->pool, n, sizeof *m->seen, what);
    m->place = trib_pool_new(&m->pool, n, sizeof *m->place, what);
    m->chosen = trib_pool_new(&m->pool, MOST_WORDS, sizeof *m->chosen, what);
    if (m->pool.status != TRIB_OK) return m->pool.status;
    const trib_status status = count_words(m, &total, &n_windows, error);
    return status == TRIB_OK ? choose_words(m, total, n_windows, error) : status;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static uint32_t place_at(const making *m, size_t i) {
    return m->text[i] < m->names->n ? m->place[m->text[i]] : UINT32_MAX;
}

/* A pair of words of the text that was read. */
typedef struct found_pair {
    size_t first, second; /* places in the text */
    uint32_t text, x, y;  /* numbers */
} found_pair;
typedef trib_status (*pair_work)(making *m, const found_pair *pair, trib_error *error);

/* Calls `work` for every pair of different words that count, of all texts. */
static trib_status each_pair(making *m, pair_work work, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < m->words->n_documents && status == TRIB_OK; d++) {
        status = read_text(m, d, error);
        for (size_t i = 0; i < m->n_text && status == TRIB_OK; i++) {
            found_pair pair = {.first = i, .text = d, .x = place_at(m, i)};
            if (pair.x == UINT32_MAX) continue;
            for (size_t j = i + 1; j <= i + TRIB_PHRASING_REACH && j < m->n_text; j++) {
                if (m->after_break[j] || status != TRIB_OK) break;
                pair.second = j;
                pair.y = place_at(m, j);
                if (pair.y != UINT32_MAX && pair.y != pair.x) status = work(m, &pair, error);
            }
        }
    }
    return status;
}

static trib_status add_pair(making *m, const found_pair *pair, trib_error *error) {
    return trib_hacoo_add(&m->pairs, (uint32_t[]){pair->text, pair->x, pair->y}, 1, error);
}

static trib_status count_pairs(making *m, trib_error *error) {
    const uint32_t dim[] = {m->words->n_documents, m->n_chosen, m->n_chosen};
    trib_status status = trib_hacoo_init(&m->pairs, 3, dim, NULL, error);
    if (status == TRIB_OK) status = trib_hacoo_init(&m->all, 2, dim + 1, NULL, error);
    if (status == TRIB_OK) status = each_pair(m, add_pair, error);
    if (status == TRIB_OK) status = TRIB_NEW(&m->pair, m->pairs.nnz, "pairs", error);
    for (size_t e = 0; e < m->pairs.nnz && status == TRIB_OK; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t n = trib_hacoo_entry(&m->pairs, e, index);
        status = trib_hacoo_add(&m->all, index + 1, n, error);
        m->pair[e] = (uint32_t)trib_hacoo_find(&m->all, index + 1);
    }
    return status;
}

/* ---- The decomposition ----------------------------------------------------------------------- */

/* Sets profile[n_chosen] to the part of each word in family r. */
static void fill_profile(const making *m, uint32_t r, double *profile) {
    const trib_ktensor *k = &m->k;
    for (uint32_t i = 0; i < m->n_chosen; i++)
        profile[i] =
            (k->factor[1][(size_t)i * k->rank + r] + k->factor[2][(size_t)i * k->rank + r]) / 2;
}

static trib_status fit(making *m, trib_error *error) {
    const trib_cp_options options = {.rank = m->options.rank,
                                     .iterations = ITERATIONS,
                                     .restarts = STARTS,
                                     .seed = m->options.seed,
                                     .n_threads = m->options.n_threads,
                                     .progress = m->options.progress};
    TRIB_OWNED(trib_tensor) x = {0};
    trib_status status = trib_tensor_build(&x, trib_format_find("coo"), &m->pairs, NULL,
                                           m->options.n_threads, error);
    if (status == TRIB_OK)
        status =
            trib_cp_of_starts(&m->k, &x, &options, &m->out->divergence, &m->out->agreement, error);
    return status;
}

/* ---- What a family is ------------------------------------------------------------------------ */

/* Finds the places of the k largest values above 0, the largest first, ties by place. Returns their
 * number. */
static uint32_t largest(const double value[], size_t n, uint32_t k, uint32_t best[]) {
    uint32_t n_best = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(value[i] > 0) || (n_best == k && value[i] <= value[best[k - 1]])) continue;
        uint32_t at = n_best < k ? n_best++ : k - 1;
        for (; at > 0 && value[best[at - 1]] < value[i]; at--) best[at] = best[at - 1];
        best[at] = (uint32_t)i;
    }
    return n_best;
}

static const char *name_of(const making *m, uint32_t i) { return m->names->name[m->chosen[i]]; }

static void add_item(making *m, trib_item_records *list, const char *item, double value) {
    trib_item_record *const row = trib_arena_append(m->arena, list, sizeof *row);
    if (row) *row = (trib_item_record){item, value};
}

static double part_of(const trib_ktensor *k, const uint32_t index[], uint32_t r) {
    double product = k->lambda[r];
    for (uint32_t m = 0; m < 3; m++) product *= k->factor[m][(size_t)index[m] * k->rank + r];
    return product;
}

/* Sets weight[all.nnz] to how often each pair of words is expected in family r. */
static void weigh_pairs(making *m, uint32_t r) {
    memset(m->weight, 0, m->all.nnz * sizeof *m->weight);
    for (size_t e = 0; e < m->pairs.nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t n = trib_hacoo_entry(&m->pairs, e, index);
        const double part = part_of(&m->k, index, r);
        if (part > 0) m->weight[m->pair[e]] += n * part / m->model[e];
    }
}

/* Adds the words of a phrase as the text has them. */
static trib_status add_form(making *m, const found_pair *pair, trib_error *error) {
    const size_t e = trib_hacoo_find(&m->all, (uint32_t[]){pair->x, pair->y});
    const uint32_t number = e < m->all.nnz ? m->number[e] : 0;
    uint32_t index[TRIB_PHRASING_REACH] = {number - 1, 0, 0};
    if (number == 0) return TRIB_OK;
    for (size_t i = pair->first + 1; i < pair->second; i++) {
        if (m->text[i] >= m->names->n) return TRIB_OK;
        index[i - pair->first] = m->text[i] + 1;
    }
    return trib_hacoo_add(&m->forms, index, 1, error);
}

/* Chooses the commonest pairs of each family, and counts how texts have them. */
static trib_status find_phrases(making *m, trib_error *error) {
    const uint32_t rank = m->k.rank, n = m->names->n + 1;
    const char *what = "phrases";
    m->phrase = trib_pool_new(&m->pool, (size_t)rank * TOP_PHRASES, sizeof *m->phrase, what);
    m->n_phrases = trib_pool_new(&m->pool, rank, sizeof *m->n_phrases, what);
    m->number = trib_pool_new(&m->pool, m->all.nnz, sizeof *m->number, what);
    m->model = trib_pool_new(&m->pool, m->pairs.nnz, sizeof *m->model, what);
    if (m->pool.status != TRIB_OK) return m->pool.status;
    for (size_t e = 0; e < m->pairs.nnz; e++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(&m->pairs, e, index);
        for (uint32_t r = 0; r < rank; r++) m->model[e] += part_of(&m->k, index, r);
    }
    for (uint32_t r = 0; r < rank; r++) {
        uint32_t *const chosen = m->phrase + (size_t)r * TOP_PHRASES;
        weigh_pairs(m, r);
        m->n_phrases[r] = largest(m->weight, m->all.nnz, TOP_PHRASES, chosen);
        for (uint32_t i = 0; i < m->n_phrases[r]; i++)
            if (m->number[chosen[i]] == 0) m->number[chosen[i]] = ++m->n_numbers;
    }
    trib_status status =
        trib_hacoo_init(&m->forms, 3, (uint32_t[]){rank * TOP_PHRASES, n, n}, NULL, error);
    return status == TRIB_OK ? each_pair(m, add_form, error) : status;
}

/* Adds the phrases of a family in the form that most texts have. */
static void add_phrases(making *m, uint32_t r, trib_item_records *list) {
    for (uint32_t i = 0; i < m->n_phrases[r]; i++) {
        const uint32_t pair = m->phrase[(size_t)r * TOP_PHRASES + i];
        uint32_t ends[TRIB_MAX_MODES], index[TRIB_MAX_MODES], best[TRIB_MAX_MODES], most = 0;
        for (size_t e = 0; e < m->forms.nnz; e++) {
            const uint32_t n = trib_hacoo_entry(&m->forms, e, index);
            if (index[0] + 1 != m->number[pair] || n <= most) continue;
            memcpy(best, index, sizeof best);
            most = n;
        }
        if (most == 0) continue;
        trib_hacoo_entry(&m->all, pair, ends);
        const char *const *name = m->names->name;
        const char *phrase =
            trib_arena_print(m->arena, "%s%s%s%s%s %s", name_of(m, ends[0]), best[1] ? " " : "",
                             best[1] ? name[best[1] - 1] : "", best[2] ? " " : "",
                             best[2] ? name[best[2] - 1] : "", name_of(m, ends[1]));
        add_item(m, list, phrase, most);
    }
}

/* The cosine of two words, each as the roots of the parts of the families in its occurrences as the
 * first and as the second of a pair. */
static double likeness(const trib_ktensor *k, uint32_t x, uint32_t y) {
    double cosine = 0;
    for (uint32_t m = 1; m <= 2; m++) {
        const double *a = k->factor[m] + (size_t)x * k->rank,
                     *b = k->factor[m] + (size_t)y * k->rank;
        double both = 0, of_a = 0, of_b = 0;
        for (uint32_t r = 0; r < k->rank; r++) {
            both += k->lambda[r] * sqrt(a[r] * b[r]);
            of_a += k->lambda[r] * a[r];
            of_b += k->lambda[r] * b[r];
        }
        if (of_a > 0 && of_b > 0) cosine += both / sqrt(of_a * of_b) / 2;
    }
    return cosine;
}

/* Whether two words stand side by side more often than once: then they are not in each other's
 * place. */
static bool are_neighbours(const making *m, uint32_t x, uint32_t y) {
    return trib_hacoo_get(&m->all, (uint32_t[]){x, y}) +
               trib_hacoo_get(&m->all, (uint32_t[]){y, x}) >
           1;
}

/* Adds the words that stand in the place of the first words of a family, which are word[n]. */
static void add_places(making *m, const uint32_t word[], uint32_t n, trib_item_records *list) {
    for (uint32_t i = 0; i < n && i < N_PLACED; i++) {
        double cosine[PLACE_WORDS];
        uint32_t best[TOP_PLACES];
        for (uint32_t j = 0; j < n; j++) {
            cosine[j] = j == i ? 0 : likeness(&m->k, word[i], word[j]);
            if (cosine[j] < LEAST_COSINE || are_neighbours(m, word[i], word[j])) cosine[j] = 0;
        }
        const uint32_t n_best = largest(cosine, n, TOP_PLACES, best);
        for (uint32_t j = 0; j < n_best; j++)
            add_item(m, list,
                     trib_arena_print(m->arena, "%s: %s", name_of(m, word[i]),
                                      name_of(m, word[best[j]])),
                     cosine[best[j]]);
    }
}

/* Sets the years between which the middle 80 % of a family lie, from weight[n_texts]. */
static void set_years(const making *m, trib_phrasing_family_record *family,
                      const uint32_t order[]) {
    double whole = 0, sum = 0;
    family->first_year = family->last_year = NAN;
    for (uint32_t d = 0; d < m->corpus->n_documents; d++)
        if (!isnan(m->corpus->document[d].about->year)) whole += m->weight[d];
    for (uint32_t i = 0; i < m->corpus->n_documents && whole > 0; i++) {
        const trib_corpus_document *about = m->corpus->document[order[i]].about;
        const double year = trib_date_point(about->year, about->year_end);
        if (isnan(year)) continue;
        sum += m->weight[order[i]];
        if (isnan(family->first_year) && sum >= .1 * whole) family->first_year = floor(year);
        if (isnan(family->last_year) && sum >= .9 * whole) family->last_year = floor(year);
    }
}

static void add_family(making *m, uint32_t r, const uint32_t by_date[], double total) {
    const uint32_t n_texts = m->words->n_documents;
    trib_phrasing_family_record *const family =
        trib_arena_append(m->arena, &m->out->families, sizeof *family);
    uint32_t best[PLACE_WORDS], text[TOP_TEXTS];
    if (!family) return;
    family->share = m->k.lambda[r] / total;
    fill_profile(m, r, m->weight);
    const uint32_t n_words = largest(m->weight, m->n_chosen, PLACE_WORDS, best);
    for (uint32_t i = 0; i < n_words && i < TOP_WORDS; i++)
        add_item(m, &family->words, name_of(m, best[i]), m->weight[best[i]]);
    add_phrases(m, r, &family->phrases);
    for (uint32_t d = 0; d < n_texts; d++) m->weight[d] = m->k.factor[0][(size_t)d * m->k.rank + r];
    set_years(m, family, by_date);
    const uint32_t n = largest(m->weight, n_texts, TOP_TEXTS, text);
    for (uint32_t i = 0; i < n; i++)
        add_item(m, &family->texts, m->corpus->document[text[i]].about->id, m->weight[text[i]]);
    add_places(m, best, n_words, &family->places);
}

static trib_status describe(making *m, trib_error *error) {
    trib_phrasing_record *p = m->out;
    size_t most = m->all.nnz > m->n_chosen ? m->all.nnz : m->n_chosen;
    uint32_t *by_date = NULL;
    double total = 0;
    p->texts = m->words->n_documents;
    p->words = m->n_chosen;
    p->pairs = m->pairs.nnz;
    p->cannot_show = caveat;
    if (p->texts > most) most = p->texts;
    m->weight = trib_pool_new(&m->pool, most, sizeof *m->weight, "families of phrasing");
    trib_status status = m->pool.status;
    if (status == TRIB_OK) status = find_phrases(m, error);
    if (status == TRIB_OK) status = trib_corpus_by_date(m->corpus, &by_date, error);
    for (uint32_t r = 0; r < m->k.rank; r++) total += m->k.lambda[r];
    for (uint32_t r = 0; r < m->k.rank && status == TRIB_OK; r++) add_family(m, r, by_date, total);
    trib_free(by_date);
    return status == TRIB_OK ? trib_arena_check(m->arena, error) : status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

trib_status trib_phrasing_make(trib_phrasing_record *phrasing, trib_arena *arena,
                               const trib_corpus *corpus, const trib_corpus_words *words,
                               const trib_phrasing_words *names,
                               const trib_phrasing_options *options, trib_error *error) {
    making m = {.out = phrasing,
                .arena = arena,
                .corpus = corpus,
                .words = words,
                .names = names,
                .options = *options,
                .pool = {.error = error}};
    *phrasing = (trib_phrasing_record){0};
    if (m.options.rank == 0) m.options.rank = TRIB_PHRASING_RANK;
    trib_status status = find_words(&m, error);
    if (status == TRIB_OK) status = count_pairs(&m, error);
    if (status == TRIB_OK) status = fit(&m, error);
    if (status == TRIB_OK) status = describe(&m, error);
    trib_ktensor_release(&m.k);
    trib_hacoo_release(&m.pairs);
    trib_hacoo_release(&m.all);
    trib_hacoo_release(&m.forms);
    TRIB_FREE(m.text, m.after_break, m.pair);
    trib_pool_release(&m.pool);
    return status;
}
