/* allusions.c - stage parallels: cuts the documents into places, searches the pairs of places of a
 * target and each of its sources that may be allusions, and joins them in one ranked list. */
#include "pipeline/stages/allusions.h"
#include "base/internal.h"

#include <pthread.h>
#include <strings.h>

#include "pipeline/config/config.h"
#include "pipeline/stages/text.h"

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

/* ---- Units ----------------------------------------------------------------------------------- */

/* A phrase without an end, as in a list or a table, is cut after so many words. */
enum { LONGEST = 200 };

/* Whether UTF-8 text contains one of the marks, which are separated by spaces. */
static bool has_mark(const char *text, size_t length, const char *marks) {
    for (const char *mark = marks; *mark; mark += *mark == ' ') {
        const size_t n = strcspn(mark, " ");
        for (size_t i = 0; i + n <= length; i++)
            if (text[i] == *mark && memcmp(text + i, mark, n) == 0) return true;
        mark += n;
    }
    return false;
}

/* Whether a line without words lies in the text. */
static bool has_empty_line(const char *text, size_t length) {
    const char *first = length > 0 ? memchr(text, '\n', length) : NULL;
    return first && memchr(first + 1, '\n', length - (size_t)(first + 1 - text));
}

/* The marks of the end of a sentence, and those that end a phrase besides, in Latin, Greek, Arabic,
 * Devanagari, Chinese and Japanese. */
static const char full_stops[] = ". ? ! \xCD\xBE \xD8\x9F \xDB\x94 \xE0\xA5\xA4 \xE3\x80\x82 "
                                 "\xEF\xBC\x81 \xEF\xBC\x9F \xE2\x80\xA6",
                  half_stops[] = "; : \xC2\xB7 \xCE\x87 \xD8\x9B \xEF\xBC\x9A \xEF\xBC\x9B";

/* Whether the text between two words ends a unit. */
static bool ends_unit(trib_unit unit, const char *between, size_t length) {
    switch (unit) {
    case TRIB_UNIT_LINES:
        return length > 0 && memchr(between, '\n', length);
    case TRIB_UNIT_PHRASES:
        if (has_mark(between, length, half_stops)) return true;
        return has_mark(between, length, full_stops) || has_empty_line(between, length);
    case TRIB_UNIT_SENTENCES:
        return has_mark(between, length, full_stops) || has_empty_line(between, length);
    case TRIB_UNIT_WINDOWS:
    case TRIB_UNIT_NONE:
        break;
    }
    return false;
}

/* A document while it is cut. */
typedef struct cutting {
    const trib_config *config;
    const char *encoding;    /* NULL: UTF-8 */
    trib_document_text text; /* its bytes */
    trib_buffer decoded;     /* scratch */
    trib_text_units *units;
    uint32_t n_units;
    size_t unit_cap;
} cutting;

static trib_status look_between(cutting *c, size_t from, size_t to, bool *ends, trib_error *error) {
    trib_status status = TRIB_OK;
    if (to > c->text.bytes.length) to = c->text.bytes.length;
    if (from + 1 >= to) { /* a space at most; but lines may end */
        *ends = from < to && c->text.bytes.text[from] == '\n' &&
                c->config->parallels.unit == TRIB_UNIT_LINES;
        return TRIB_OK;
    }
    const char *between = c->text.bytes.text + from;
    size_t length = to - from;
    if (c->encoding) {
        trib_buffer_clear(&c->decoded);
        status = trib_excerpt(&c->decoded, c->encoding, between, length, error);
        between = c->decoded.text ? c->decoded.text : "";
        length = c->decoded.length;
    }
    *ends = ends_unit(c->config->parallels.unit, between, length);
    return status;
}

static trib_status add_unit(cutting *c, size_t first, size_t n, trib_error *error) {
    const trib_status status =
        TRIB_GROW(&c->units->unit, &c->unit_cap, (size_t)c->n_units + 1, "units", error);
    if (status == TRIB_OK)
        c->units->unit[c->n_units++] = (trib_parallel_unit){(uint32_t)first, (uint32_t)n};
    return status;
}

/* Cuts the text into windows that overlap by half. */
static trib_status add_windows(cutting *c, size_t n_words, trib_error *error) {
    const size_t n = c->config->parallels.window, step = n / 2;
    trib_status status = TRIB_OK;
    for (size_t first = 0; status == TRIB_OK && first < n_words; first += step) {
        status = add_unit(c, first, n < n_words - first ? n : n_words - first, error);
        if (first + n >= n_words) break; /* the rest would lie within this window */
    }
    return status;
}

/* Reads the words, and ends a unit wherever the text between two words says so. */
static trib_status cut(cutting *c, const trib_document_words *words, trib_error *error) {
    const bool is_window = c->config->parallels.unit == TRIB_UNIT_WINDOWS;
    trib_words_cursor cursor = {0};
    trib_placed_word word;
    size_t first = 0, end = 0;
    trib_status status = trib_words_cursor_open(&cursor, words, error);
    for (size_t i = 0; status == TRIB_OK && i < words->n_tokens; i++) {
        status = trib_words_cursor_at(&cursor, i, &word, error);
        if (status != TRIB_OK) break;
        bool ends = i - first >= LONGEST || (i > 0 && word.after_break);
        if (i > 0 && !is_window && !ends) status = look_between(c, end, word.offset, &ends, error);
        if (status == TRIB_OK && ends && !is_window) {
            status = add_unit(c, first, i - first, error);
            first = i;
        }
        end = word.end;
        c->units->form[i] = word.id;
    }
    if (status == TRIB_OK && is_window) status = add_windows(c, words->n_tokens, error);
    else if (status == TRIB_OK && first < words->n_tokens)
        status = add_unit(c, first, words->n_tokens - first, error);
    trib_words_cursor_close(&cursor);
    return status;
}

trib_status trib_text_units_read(trib_text_units *units, const trib_config *config,
                                 const trib_corpus *corpus, const trib_corpus_words *words,
                                 uint32_t d, trib_error *error) {
    const trib_document_words *document = &words->document[d];
    cutting c = {.config = config, .units = units};
    if (strcasecmp(document->encoding, "UTF-8") != 0) c.encoding = document->encoding;
    *units = (trib_text_units){0};
    if (document->n_tokens >= UINT32_MAX)
        return trib_fail(error, TRIB_INPUT, "%s: parallels reads texts of at most %u words",
                         corpus->document[d].about->path, (unsigned)UINT32_MAX - 1);
    trib_status status = TRIB_NEW(&units->form, document->n_tokens, "words", error);
    if (status == TRIB_OK && config->parallels.unit != TRIB_UNIT_WINDOWS)
        status = trib_text_read_bytes(&c.text, config, corpus, d, error);
    if (status == TRIB_OK) status = cut(&c, document, error);
    trib_text_release(&c.text);
    trib_buffer_release(&c.decoded);
    if (status != TRIB_OK) {
        trib_text_units_release(units);
        return status;
    }
    units->text = (trib_parallel_text){units->form, document->n_tokens, units->unit, c.n_units};
    units->is_read = true;
    return TRIB_OK;
}

void trib_text_units_release(trib_text_units *units) {
    TRIB_FREE(units->form, units->unit);
    *units = (trib_text_units){0};
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
TRIB_ORDER(by_rank, trib_allusion,
           TRIB_DOWN(score) ?: TRIB_UP(from) ?: TRIB_UP(target.first) ?: TRIB_UP(source.first));

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
