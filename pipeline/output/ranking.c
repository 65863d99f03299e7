/* ranking.c - ranks the sources of a target by what `split`, `traced` and the titles say
 * together. */
#include "base/internal.h"
#include "pipeline/output/output.h"

#include "pipeline/config/config.h"
#include "pipeline/stages/tokens.h"

enum { NAME_WORDS = 50 };

static const trib_influence *find_method(const trib_config *config, const trib_shares *shares,
                                         const char *name) {
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        if (strcmp(config->influence.method[i]->name, name) == 0) return &shares->influence[i];
    return NULL;
}

static bool has_method(const trib_config *config, const char *name) {
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        if (strcmp(config->influence.method[i]->name, name) == 0) return true;
    return false;
}

bool trib_ranking_is_possible(const trib_config *config) {
    return has_method(config, "traced") && has_method(config, "split");
}

/* ---- The names of the documents -------------------------------------------------------------- */

/* Reading the names: words get numbers as they come. */
typedef struct reading {
    trib_document_names *names;
    trib_intern intern; /* of the words of titles */
    size_t n;           /* words listed */
} reading;

static trib_status list_word(reading *r, uint32_t word, trib_error *error) {
    trib_document_names *names = r->names;
    const trib_status status = TRIB_GROW(&names->word, &names->cap, r->n + 1, "titles", error);
    if (status != TRIB_OK) return status;
    names->word[r->n++] = word;
    if (word >= names->n_words) names->n_words = (size_t)word + 1;
    return TRIB_OK;
}

static trib_status take_title_word(void *context, const trib_token *token, trib_error *error) {
    reading *r = context;
    uint32_t word = 0;
    const trib_status status =
        trib_intern_add(&r->intern, token->text, token->length, &word, error);
    return status == TRIB_OK ? list_word(r, word, error) : status;
}

static trib_status read_title(reading *r, trib_tokenizer *tokenizer, const char *title,
                              trib_error *error) {
    trib_tokenizer_begin(tokenizer, "a title", take_title_word, r);
    (void)trib_tokenizer_feed(tokenizer, title, strlen(title), error);
    return trib_tokenizer_end(tokenizer, NULL, error); /* its failure, too */
}

/* The first words of all texts. */
typedef struct heads {
    const trib_run_results *results;
    uint32_t *word; /* [n_documents][NAME_WORDS] or TRIB_NO_WORD */
} heads;

/* Reads the first words of document d. Most of the time is spent opening its words. */
static trib_status read_head(void *context, size_t d, trib_error *error) {
    const heads *h = context;
    const trib_document_words *document = &h->results->words->document[d];
    uint32_t *head = h->word + d * NAME_WORDS;
    TRIB_OPENED(trib_words_cursor) text = {0};
    trib_placed_word word;
    for (size_t i = 0; i < NAME_WORDS; i++) head[i] = TRIB_NO_WORD;
    if (!document->file) return TRIB_OK;
    trib_status status = trib_words_cursor_open(&text, document, error);
    for (size_t i = 0; status == TRIB_OK && i < document->n_tokens && i < NAME_WORDS; i++) {
        status = trib_words_cursor_at(&text, i, &word, error);
        if (status == TRIB_OK) head[i] = word.id;
    }
    return status;
}

static trib_status list_head(reading *r, const uint32_t *head, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < NAME_WORDS && status == TRIB_OK; i++)
        if (head[i] != TRIB_NO_WORD) status = list_word(r, head[i], error);
    return status;
}

/* Sorts the words listed from `first` on and keeps one of each. */
static void keep_distinct(reading *r, size_t first) {
    const size_t n = r->n - first;
    size_t n_kept = 0;
    if (n == 0) return; /* there may be no list yet */
    uint32_t *word = r->names->word + first;
    qsort(word, n, sizeof *word, trib_by_uint32);
    for (size_t i = 0; i < n; i++)
        if (n_kept == 0 || word[n_kept - 1] != word[i]) word[n_kept++] = word[i];
    r->n = first + n_kept;
}

static trib_status read_titles(reading *r, const trib_run_results *results, trib_error *error) {
    const trib_corpus *corpus = results->corpus;
    trib_token_options options = trib_config_token_options(results->config);
    trib_tokenizer *tokenizer = NULL;
    options.encoding = NULL; /* titles come from the configuration, which is UTF-8 */
    trib_status status = trib_tokenizer_open(&tokenizer, &options, error);
    for (uint32_t d = 0; d < corpus->n_documents && status == TRIB_OK; d++) {
        const size_t first = r->n;
        status = read_title(r, tokenizer, corpus->document[d].about->title, error);
        keep_distinct(r, first);
        r->names->start[d + 1] = r->n;
    }
    trib_tokenizer_close(tokenizer);
    return status;
}

static trib_status read_heads(reading *r, const trib_run_results *results, trib_error *error) {
    const uint32_t n = results->corpus->n_documents;
    heads h = {.results = results};
    trib_status status =
        trib_new(&h.word, n, NAME_WORDS * sizeof *h.word, "the first words of texts", error);
    if (status == TRIB_OK) status = trib_tasks_do(&results->workers, n, read_head, &h, error);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        const size_t first = r->n;
        status = list_head(r, h.word + (size_t)d * NAME_WORDS, error);
        keep_distinct(r, first);
        r->names->start[d + 1] = r->n;
    }
    trib_free(h.word);
    return status;
}

static trib_status weigh(trib_document_names *names, uint32_t n_documents, trib_error *error) {
    trib_status status = TRIB_NEW(&names->weight, names->n_words, "titles", error);
    if (status == TRIB_OK) status = TRIB_NEW(&names->norm, n_documents, "titles", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < names->start[n_documents]; i++) names->weight[names->word[i]]++;
    for (size_t w = 0; w < names->n_words; w++)
        if (names->weight[w] > 0) names->weight[w] = trib_logarithm(n_documents / names->weight[w]);
    for (uint32_t d = 0; d < n_documents; d++) {
        double sum = 0;
        for (size_t i = names->start[d]; i < names->start[d + 1]; i++)
            sum += names->weight[names->word[i]];
        names->norm[d] = sqrt(sum);
    }
    return TRIB_OK;
}

trib_status trib_document_names_read(trib_document_names *names, const trib_run_results *results,
                                     trib_error *error) {
    const trib_corpus *corpus = results->corpus;
    reading r = {.names = names};
    *names = (trib_document_names){.are_titles = trib_corpus_has_titles(corpus)};
    if (!trib_ranking_is_possible(results->config)) return TRIB_OK;
    trib_status status = TRIB_NEW(&names->start, (size_t)corpus->n_documents + 1, "titles", error);
    if (status == TRIB_OK)
        status =
            names->are_titles ? read_titles(&r, results, error) : read_heads(&r, results, error);
    if (status == TRIB_OK) status = weigh(names, corpus->n_documents, error);
    trib_intern_release(&r.intern);
    if (status != TRIB_OK) trib_document_names_release(names);
    return status;
}

void trib_document_names_release(trib_document_names *names) {
    TRIB_FREE(names->start, names->word, names->weight, names->norm);
    *names = (trib_document_names){0};
}

/* The likeness of two documents' names, 0 to 1: the weights of the words that name both, over the
 * product of the norms. */
static double likeness_of(const trib_document_names *names, uint32_t a, uint32_t b) {
    const double norm = names->norm[a] * names->norm[b];
    double both = 0;
    size_t i = names->start[a], j = names->start[b];
    while (i < names->start[a + 1] && j < names->start[b + 1]) {
        const uint32_t x = names->word[i], y = names->word[j];
        if (x == y) both += names->weight[x];
        i += x <= y;
        j += y <= x;
    }
    return norm > 0 ? both / norm : 0;
}

/* ---- The ranking ----------------------------------------------------------------------------- */

/* Descending score, ties by position. */
TRIB_ORDER(by_score, trib_rank, TRIB_DOWN(score) ?: TRIB_UP(source));

trib_status trib_ranking_make(trib_rank **list, size_t *n, const trib_run_results *results,
                              const trib_target_results *target, trib_error *error) {
    const trib_document_names *names = results->names;
    const size_t n_sources = target->about->n_sources;
    *list = NULL;
    *n = 0;
    if (!names || !names->norm || n_sources == 0) return TRIB_OK;
    const trib_influence *split = find_method(results->config, target->shares, "split");
    const trib_influence *traced = find_method(results->config, target->shares, "traced");
    const trib_status status = TRIB_NEW(list, n_sources, "the ranking", error);
    if (status != TRIB_OK) return status;
    for (size_t s = 0; s < n_sources; s++) {
        const double likeness =
            likeness_of(names, target->about->document, target->about->source[s]);
        const double score = split->share[s] * (1 + traced->share[s]) * (0.5 + likeness);
        const bool is_decoy =
            results->corpus->document[target->about->source[s]].about->role == TRIB_ROLE_DECOY;
        /* shares that are not finite are refused where they are written */
        if (score > 0 && isfinite(score) && !is_decoy) (*list)[(*n)++] = (trib_rank){s, score};
    }
    if (*n > 1) qsort(*list, *n, sizeof **list, by_score);
    if (trib_target_is_brief(target) && *n > TRIB_LARGEST_WRITTEN) *n = TRIB_LARGEST_WRITTEN;
    return TRIB_OK;
}
