/* allusions.c - stage parallels: searches the pairs of places of a target and each of its sources
 * that may be allusions, and joins them in one ranked list. */
#include "pipeline/stages/allusions.h"
#include "pipeline/config/config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(TRIB_NO_FORM == TRIB_NO_WORD, "a word outside the vocabulary has no form");

void trib_allusions_release(trib_allusions *allusions) {
    TRIB_FREE(allusions->pair, allusions->word);
    trib_buffer_release(&allusions->text);
    *allusions = (trib_allusions){0};
}

trib_status trib_allusion_search_open(trib_allusion_search *search, const trib_environment *env,
                                      const trib_corpus *corpus, const trib_corpus_words *words,
                                      const trib_vocab *vocab, trib_error *error) {
    *search = (trib_allusion_search){.env = env, .corpus = corpus, .words = words, .vocab = vocab};
    const trib_status status =
        TRIB_NEW(&search->document, corpus->n_documents, "the documents", error);
    return status == TRIB_OK
               ? trib_word_features_build(&search->features, env->config, vocab, error)
               : status;
}

void trib_allusion_search_close(trib_allusion_search *search) {
    for (uint32_t d = 0; search->document && d < search->corpus->n_documents; d++)
        trib_text_units_release(&search->document[d]);
    trib_free(search->document);
    trib_word_features_release(&search->features);
    *search = (trib_allusion_search){0};
}

static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

/* Sets *text to a document in units, which is read on first use and not changed afterwards. */
static trib_status text_of(trib_allusion_search *search, uint32_t d,
                           const trib_parallel_text **text, trib_error *error) {
    trib_text_units *units = &search->document[d];
    trib_status status = TRIB_OK;
    pthread_mutex_lock(&reading);
    if (!units->is_read)
        status = trib_text_units_read(units, search->env->config, search->corpus, search->words, d,
                                      error);
    pthread_mutex_unlock(&reading);
    *text = &units->text;
    return status;
}

/* ---- The list of a target -------------------------------------------------------------------- */

/* By descending score, then by source and place. */
static int by_rank(const void *a, const void *b) {
    const trib_allusion *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->target.first != y->target.first) return x->target.first < y->target.first ? -1 : 1;
    return (x->source.first > y->source.first) - (x->source.first < y->source.first);
}

/* Adds the pairs found in source number `from` of the target. A word's feature is a number until
 * the list is complete. */
static trib_status add_pairs(trib_allusions *list, const trib_parallels *found, uint32_t from,
                             const trib_parallel_text *target, const trib_parallel_text *source,
                             const uint64_t *count, trib_error *error) {
    trib_status status =
        TRIB_GROW(&list->pair, &list->cap, list->n + found->n, "possible allusions", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&list->word, &list->word_cap, list->n_words + found->n_matches,
                           "possible allusions", error);
    for (size_t i = 0; status == TRIB_OK && i < found->n; i++) {
        const trib_parallel *pair = &found->pair[i];
        list->pair[list->n++] = (trib_allusion){.score = pair->score,
                                                .cosine = pair->cosine,
                                                .target = target->unit[pair->target],
                                                .source = source->unit[pair->source],
                                                .from = from,
                                                .distance = pair->distance,
                                                .first_word = list->n_words + pair->first_match,
                                                .n_words = pair->n_matches};
    }
    for (size_t i = 0; status == TRIB_OK && i < found->n_matches; i++) {
        const trib_parallel_match *match = &found->match[i];
        list->word[list->n_words + i] = (trib_allusion_word){count[match->feature], match->feature,
                                                             match->target, match->source};
    }
    if (status == TRIB_OK) list->n_words += found->n_matches;
    return status;
}

/* Sorts the pairs and removes all but the best `most`, with their words. */
static trib_status cut_list(trib_allusions *list, size_t most, trib_error *error) {
    trib_allusion_word *word = NULL;
    size_t n = 0;
    if (list->n > 1) qsort(list->pair, list->n, sizeof *list->pair, by_rank);
    if (list->n > most) list->n = most;
    for (size_t i = 0; i < list->n; i++) n += list->pair[i].n_words;
    const trib_status status = TRIB_NEW(&word, n, "possible allusions", error);
    n = 0;
    for (size_t i = 0; status == TRIB_OK && i < list->n; i++) {
        trib_allusion *pair = &list->pair[i];
        memcpy(word + n, list->word + pair->first_word, pair->n_words * sizeof *word);
        pair->first_word = n;
        n += pair->n_words;
    }
    if (status != TRIB_OK) return status;
    trib_free(list->word);
    list->word = word;
    list->n_words = list->word_cap = n;
    return TRIB_OK;
}

/* Stores the names of the features, and where each begins in place of its number. */
static trib_status name_features(trib_allusions *list, const trib_word_features *features,
                                 trib_error *error) {
    size_t *place = NULL; /* [n_features] 1 + place in the text; 0: not yet there */
    trib_status status =
        TRIB_NEW(&place, features->lexicon.n_features, "possible allusions", error);
    for (size_t i = 0; status == TRIB_OK && i < list->n_words; i++) {
        const size_t feature = list->word[i].feature;
        if (place[feature] == 0) {
            const char *name = trib_intern_word(&features->names, (uint32_t)feature);
            place[feature] = list->text.length + 1;
            status = trib_buffer_add(&list->text, name, strlen(name) + 1, error);
        }
        list->word[i].feature = place[feature] - 1;
    }
    trib_free(place);
    return status;
}

trib_status trib_allusions_find(trib_allusion_search *search, uint32_t t, int n_threads,
                                trib_progress progress, trib_allusions *allusions,
                                trib_error *error) {
    const trib_config *config = search->env->config;
    const trib_target *target = &search->corpus->target[t];
    const trib_parallel_options options = {.distance = config->parallels.distance,
                                           .top = config->parallels.top,
                                           .overlap = config->parallels.unit == TRIB_UNIT_WINDOWS,
                                           .n_threads = n_threads};
    const size_t most = TRIB_ALLUSION_SOURCES * options.top;
    const trib_parallel_lexicon *lexicon = &search->features.lexicon;
    const trib_parallel_text *own = NULL, *source = NULL;
    trib_status status = text_of(search, target->document, &own, error);
    for (uint32_t s = 0; s < target->n_sources && status == TRIB_OK; s++) {
        trib_parallels found = {0};
        status = text_of(search, target->source[s], &source, error);
        if (status == TRIB_OK)
            status = trib_parallels_find(&found, lexicon, own, source, &options, progress, error);
        if (status == TRIB_OK)
            status = add_pairs(allusions, &found, s, own, source, lexicon->count, error);
        if (status == TRIB_OK && allusions->n > 2 * most) status = cut_list(allusions, most, error);
        trib_parallels_release(&found);
    }
    if (status == TRIB_OK) status = cut_list(allusions, most, error);
    if (status == TRIB_OK) status = name_features(allusions, &search->features, error);
    if (status != TRIB_OK) trib_allusions_release(allusions);
    return status;
}
