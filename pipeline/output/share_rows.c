/* share_rows.c - selects the sources of a target that have a row, and the extent of their listings.
 * All code that writes shares uses these functions. */
#include "pipeline/config/config.h"
#include "pipeline/output/output.h"

/* The largest shares are found by inserting each share above 0 into a list of the largest so far,
 * in descending order. */
trib_share_rows trib_share_rows_of(const trib_corpus *corpus, const trib_target_results *target,
                                   const trib_influence *influence) {
    size_t largest[TRIB_LARGEST_WRITTEN], n = 0;
    trib_share_rows rows = {0};
    if (!trib_target_is_brief(target)) return rows;
    const double *share = influence->share;
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (!(share[s] > 0)) continue;
        if (n == TRIB_LARGEST_WRITTEN && share[s] <= share[largest[n - 1]]) continue;
        size_t at = n < TRIB_LARGEST_WRITTEN ? n++ : n - 1;
        for (; at > 0 && share[largest[at - 1]] < share[s]; at--) largest[at] = largest[at - 1];
        largest[at] = s;
    }
    if (n > 0) {
        rows.least = share[largest[n - 1]];
        rows.last = largest[n - 1];
    }
    for (size_t s = 0; s < influence->n_sources; s++) {
        if (!(share[s] > 0) || trib_has_row(corpus, target, influence, &rows, s)) continue;
        rows.n_left_out++;
        rows.left_out += share[s];
    }
    return rows;
}

bool trib_has_row(const trib_corpus *corpus, const trib_target_results *target,
                  const trib_influence *influence, const trib_share_rows *rows, size_t s) {
    const double share = influence->share[s];
    if (!trib_target_is_brief(target) ||
        corpus->document[influence->source[s]].about->role == TRIB_ROLE_DECOY)
        return true;
    if (!(share > 0)) return false;
    return share > rows->least || (share == rows->least && s <= rows->last) ||
           !trib_below_floor(target->shares, s);
}

trib_extent trib_target_extent(const trib_run_results *results, const trib_target_results *target) {
    enum { WORDS_PER_SOURCE = 200, WORDS_PER_PHRASE = 50 };
    enum { NOTABLE_SOURCES = 1000, NOTABLE_PASSAGES = 100, OF_CANDIDATES = 10 };
    const size_t top = results->config->report.top_phrases;
    const size_t n_words = results->words->document[target->about->document].n_tokens;
    trib_extent most = {SIZE_MAX, top, top, NOTABLE_SOURCES, NOTABLE_PASSAGES};
    if (!trib_target_is_brief(target)) return most;
    most.sources = n_words < WORDS_PER_SOURCE ? 1 : n_words / WORDS_PER_SOURCE;
    if (most.phrases > n_words / WORDS_PER_PHRASE) most.phrases = n_words / WORDS_PER_PHRASE;
    if (most.phrases < TRIB_NOISE_PHRASES && top >= TRIB_NOISE_PHRASES)
        most.phrases = TRIB_NOISE_PHRASES;
    if (most.passages > most.sources) most.passages = most.sources;
    if (results->corpus->candidates.most > 0) {
        if (most.sources > OF_CANDIDATES) most.sources = OF_CANDIDATES;
        most.notable_sources = most.notable_passages = OF_CANDIDATES;
    }
    return most;
}

bool trib_target_is_short(const trib_run_results *results, const trib_target_results *target) {
    return trib_target_is_brief(target) &&
           results->words->document[target->about->document].n_tokens < TRIB_SHORT_WORDS;
}

static bool are_too_short(const trib_run_results *results) {
    const trib_corpus *corpus = results->corpus;
    uint64_t n_words = 0;
    for (uint32_t t = 0; t < corpus->n_targets; t++)
        n_words += results->words->document[corpus->target[t].document].n_tokens;
    return results->config->report.target_pages == 0 &&
           trib_texts_are_short(corpus->n_targets, n_words);
}

bool trib_results_have_texts(const trib_run_results *results) {
    const trib_config *config = results->config;
    return trib_config_has_target_pages(config, results->corpus->n_targets) &&
           config->report.html && config->report.text == TRIB_TEXT_FULL && !are_too_short(results);
}
