/* translated.c - what is translated in pairs of texts: the pair of `tributary translations`, and
 * the pairs of a run whose languages differ. In a run the passages join those that texts share: a
 * run of words of the kind TRIB_TRANSLATED stands for a unit of each text. They have no part in a
 * share. */
#include <string.h>

#include "base/internal.h"
#include "pipeline/config/config.h"
#include "pipeline/stages/evidence.h"
#include "pipeline/stages/translations.h"
#include "tokenizer/language.h"

enum { TIMES_CHANCE = 3, FEW_TEXTS = 50 };
static const double ONE_LANGUAGE = .7; /* shared words of texts in which nothing is looked for */
static const char what[] = "translated passages";

/* ---- Pairs ----------------------------------------------------------------------------------- */

/* The share of the words of the target that have seeds, or are their own. */
static double find_share(const trib_units *target, const trib_word_table *seeds, bool are_own) {
    const size_t n_words = target->start[target->n];
    size_t n = 0;
    for (size_t w = 0; w < n_words; w++) {
        const uint32_t word = target->word[w];
        size_t e = seeds->start[word];
        while (are_own && e < seeds->start[word + 1] && seeds->pair[e].source != word) e++;
        n += e < seeds->start[word + 1];
    }
    return n > 0 ? (double)n / (double)n_words : 0;
}

/* ---- What could be found --------------------------------------------------------------------- */

/* Ten passages of six units of the source, as far as words of the target stand for theirs. */
enum { PLANTS = 10, LENGTH = 6 };

/* A target with passages planted in it: `of` has the units of the plants in the source, and
 * UINT32_MAX elsewhere. */
typedef struct planting {
    trib_units units;
    uint32_t *of; /* [units.n] */
    trib_random random;
} planting;

/* Plants a unit: each word of the source becomes one that stands for it, as often as that is sure,
 * or else any word of the target. */
static void plant(planting *made, const trib_unit_texts *texts, const trib_word_table *inverse,
                  uint32_t unit) {
    const trib_units *const target = texts->target, *const source = texts->source;
    size_t n = made->units.start[made->units.n];
    for (size_t w = source->start[unit]; w < source->start[unit + 1]; w++) {
        const size_t *const entry = inverse->start + source->word[w];
        size_t e = entry[0];
        double left = trib_random_unit(&made->random);
        for (; e < entry[1] && left >= (double)inverse->pair[e].weight; e++)
            left -= (double)inverse->pair[e].weight;
        made->units.word[n++] =
            e < entry[1] ? inverse->pair[e].source
                         : target->word[trib_random_below(&made->random, target->start[target->n])];
    }
    made->of[made->units.n++] = unit;
    made->units.start[made->units.n] = n;
}

static trib_status plant_all(planting *made, const trib_unit_texts *texts,
                             const trib_word_table *inverse, trib_error *error) {
    const trib_units *const target = texts->target, *const source = texts->source;
    const size_t n = (size_t)target->n + PLANTS * LENGTH,
                 n_words = target->start[target->n] + source->start[source->n];
    trib_status status = TRIB_NEW(&made->units.start, n + 1, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&made->units.word, n_words, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&made->of, n, what, error);
    trib_random_seed(&made->random, 1);
    for (uint32_t u = 0, k = 0; u <= target->n && status == TRIB_OK; u++) {
        for (; k < PLANTS && u >= (uint64_t)(k + 1) * target->n / (PLANTS + 1); k++)
            for (uint32_t i = 0; i < LENGTH; i++)
                plant(made, texts, inverse, (uint32_t)((uint64_t)k * source->n / PLANTS) + i);
        if (u == target->n) break;
        const size_t at = made->units.start[made->units.n],
                     length = target->start[u + 1] - target->start[u];
        if (length > 0)
            memcpy(made->units.word + at, target->word + target->start[u],
                   length * sizeof *target->word);
        made->of[made->units.n++] = UINT32_MAX;
        made->units.start[made->units.n] = at + length;
    }
    return status;
}

/* Counts the plants of which a passage has a unit at its place. */
static uint32_t count_found(const planting *made, const trib_translations *found) {
    uint32_t n = 0, counted = UINT32_MAX; /* the last plant that was counted */
    for (size_t k = 0; k < found->n; k++)
        for (uint32_t p = 0; p < found->passage[k].n_pairs; p++) {
            const trib_unit_pair *const pair = &found->pair[found->passage[k].first_pair + p];
            uint32_t first = pair->target; /* of the plant */
            if (made->of[pair->target] != pair->source) continue;
            while (first > 0 && made->of[first - 1] + 1 == made->of[first]) first--;
            n += first != counted;
            counted = first;
        }
    return n;
}

/* Measures how many planted passages are found. */
static trib_status find_power(trib_translated *about, const trib_unit_texts *texts,
                              const trib_word_table *seeds, trib_error *error) {
    planting made = {.of = NULL};
    trib_translations found = {0};
    TRIB_OWNED(trib_word_table) inverse = {0};
    trib_status status = TRIB_OK;
    if (texts->source->n < PLANTS * LENGTH || texts->target->start[texts->target->n] == 0)
        return TRIB_OK;
    for (size_t i = 0; i < seeds->n && status == TRIB_OK; i++)
        status = trib_word_table_add(&inverse, seeds->pair[i].source, seeds->pair[i].target,
                                     seeds->pair[i].weight, error);
    if (status == TRIB_OK) status = trib_word_table_settle(&inverse, texts->n_words, error);
    if (status == TRIB_OK) status = plant_all(&made, texts, &inverse, error);
    const trib_unit_texts planted = {&made.units, texts->source, texts->n_words, texts->n_threads};
    if (status == TRIB_OK) status = trib_translations_find(&found, &planted, seeds, error);
    if (status == TRIB_OK) {
        about->n_planted = PLANTS;
        about->n_recovered = count_found(&made, &found);
    }
    trib_translations_release(&found);
    TRIB_FREE(made.units.start, made.units.word, made.of);
    return status;
}

/* ---- A pair ---------------------------------------------------------------------------------- */

trib_status trib_translated_compare(trib_translated_pair *p, const trib_config *config,
                                    const char *const dictionary[2], int n_threads,
                                    trib_error *error) {
    for (int k = 0; k < 2; k++) p->about.n_units[k] = p->text[k].units.n;
    const trib_unit_texts texts = {&p->text[0].units, &p->text[1].units, p->words.n_words,
                                   n_threads};
    trib_translated *const about = &p->about;
    trib_word_table seeds = {0};
    trib_status status =
        trib_translation_seeds(&seeds, &texts, config, &p->words, dictionary, 2, error);
    if (status == TRIB_OK) {
        about->seeded = find_share(texts.target, &seeds, false);
        about->shared = find_share(texts.target, &seeds, true);
    }
    if (status == TRIB_OK && about->shared < ONE_LANGUAGE) {
        status = trib_units_take_verbatim(&p->text[0].units, texts.source, &about->n_verbatim,
                                          texts.n_words, error);
        if (status == TRIB_OK) status = trib_translations_find(&p->found, &texts, &seeds, error);
        if (status == TRIB_OK && config->translations.power)
            status = find_power(about, &texts, &seeds, error);
    }
    trib_word_table_release(&seeds);
    about->n_passages = (uint32_t)p->found.n;
    about->n_covered = p->found.n_covered;
    about->n_by_chance = (uint32_t)p->found.n_by_chance;
    about->n_covered_by_chance = p->found.n_covered_by_chance;
    about->is_evidence = about->n_covered > TIMES_CHANCE * about->n_covered_by_chance;
    return status;
}

trib_status trib_translated_find(trib_translated_pair *made, const trib_config *config,
                                 const trib_corpus *corpus, const trib_corpus_words *words,
                                 uint32_t target, uint32_t source, const char *const dictionary[2],
                                 int n_threads, trib_error *error) {
    trib_status status = TRIB_OK;
    made->about.source = source;
    for (int k = 0; k < 2 && status == TRIB_OK; k++)
        status = trib_unit_text_read(&made->text[k], config, corpus, words,
                                     k == 0 ? target : source, &made->words, error);
    return status == TRIB_OK ? trib_translated_compare(made, config, dictionary, n_threads, error)
                             : status;
}

void trib_translated_release(trib_translated_pair *made) {
    trib_translations_release(&made->found);
    trib_unit_text_release(&made->text[0]);
    trib_unit_text_release(&made->text[1]);
    trib_intern_release(&made->words);
    *made = (trib_translated_pair){0};
}

trib_status trib_translated_say(trib_buffer *to, const trib_translated *a, const char *target,
                                const char *source, trib_error *error) {
    const unsigned n = a->n_units[0];
    if (a->shared >= ONE_LANGUAGE)
        return trib_buffer_print(to, error,
                                 "%s: %.0f %% of its words stand in %s, so both are in one "
                                 "language; `tributary run` finds what they share.",
                                 target, 100 * a->shared, source);
    if (a->n_passages == 0)
        trib_buffer_print(to, error,
                          "%s: no passage translated from %s was found; %.0f %% of its words have "
                          "a counterpart there to begin with. What would help: longer texts, a "
                          "dictionary, a table that another translation has taught (`tributary "
                          "help translations`).",
                          target, source, 100 * a->seeded);
    else
        trib_buffer_print(
            to, error,
            "%s: %.1f %% of its %u units stand in %u passage%s translated from %s. Taught on the "
            "units of %s in random order, the same procedure found %u (%.1f %%)%s.",
            target, 100.0 * a->n_covered / n, n, (unsigned)a->n_passages,
            a->n_passages == 1 ? "" : "s", source, source, (unsigned)a->n_by_chance,
            100.0 * a->n_covered_by_chance / n,
            a->is_evidence ? "" : ", so the passages may be chance, and are not shown");
    if (a->n_verbatim > 0)
        trib_buffer_print(to, error,
                          " %u units stand word for word in %s and were left out; `tributary run` "
                          "finds them.",
                          (unsigned)a->n_verbatim, source);
    if (a->n_planted > 0)
        trib_buffer_print(to, error,
                          " Of %u passages made of words with counterparts and planted in it, %u "
                          "were found.",
                          (unsigned)a->n_planted, (unsigned)a->n_recovered);
    return to->failure;
}

/* ---- The pairs of a run ---------------------------------------------------------------------- */

/* The first byte of each word that an n-gram has, in the order of a text: such words are numbered
 * in passages. `{0}` is empty. */
typedef struct held_words {
    size_t *from; /* [n] */
    size_t n;
} held_words;

static trib_status list_held(held_words *held, const trib_read_texts *texts, uint32_t d,
                             trib_error *error) {
    const trib_document_words *const document = &texts->words->document[d];
    trib_words_cursor cursor = {0};
    trib_ngram window;
    size_t *from = NULL;
    const uint32_t n = texts->env->config->tensor.n;
    trib_status status = trib_words_cursor_open(&cursor, document, error);
    if (status == TRIB_OK) status = TRIB_NEW(&from, document->n_tokens, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&held->from, document->n_tokens, what, error);
    trib_ngram_init(&window, n);
    for (size_t i = 0, next = 0; i < document->n_tokens && status == TRIB_OK; i++) {
        trib_placed_word word;
        status = trib_words_cursor_at(&cursor, i, &word, error);
        if (status != TRIB_OK) break;
        from[i] = word.offset;
        if (word.after_break) trib_ngram_break(&window);
        if (!trib_ngram_push(&window, word.id)) continue;
        if (next + n < i + 1) next = i + 1 - n;
        while (next <= i) held->from[held->n++] = from[next++];
    }
    trib_words_cursor_close(&cursor);
    trib_free(from);
    return status;
}

TRIB_SEARCH(words_before, size_t, size_t, *x < key);

/* The words of units first .. last of a text: their numbers begin .. end - 1. */
static void find_words(const held_words *held, const trib_unit_text *text, uint32_t first,
                       uint32_t last, uint32_t *begin, uint32_t *end) {
    *begin = (uint32_t)words_before(held->from, held->n, text->from[first]);
    *end = (uint32_t)words_before(held->from, held->n, text->end[last]);
}

/* Adds a passage: a run for each of its pairs, which goes on to the next in both texts. */
static trib_status add_passage(trib_passages *to, size_t *run_cap, const trib_translated_pair *p,
                               const held_words held[2], size_t k, trib_error *error) {
    const trib_translated_passage *const found = &p->found.passage[k];
    trib_passage made = {
        .first_run = (uint32_t)to->n_runs, .belief = 1, .is_clear = true, .is_translated = true};
    uint32_t begin[2], end[2];
    trib_status status = TRIB_OK;
    for (uint32_t i = found->n_pairs; i > 0 && status == TRIB_OK; i--) {
        const trib_unit_pair *const pair = &p->found.pair[found->first_pair + found->n_pairs - i];
        find_words(&held[0], &p->text[0], pair->target, pair->target, &begin[0], &end[0]);
        find_words(&held[1], &p->text[1], pair->source, pair->source, &begin[1], &end[1]);
        if (begin[0] == end[0] || begin[1] == end[1]) continue; /* no n-gram has its words */
        trib_shared_run *const before = made.n_runs > 0 ? &to->run[to->n_runs - 1] : NULL;
        if (before) before->n = begin[0] - before->target;
        else made.target = begin[0], made.source = begin[1];
        made.n_target = made.n_words = end[0] - made.target;
        made.n_source = end[1] - made.source;
        made.n_runs++;
        status =
            TRIB_APPEND(&to->run, &to->n_runs, run_cap, what, error,
                        &(trib_shared_run){begin[0], begin[1], end[0] - begin[0], TRIB_TRANSLATED});
    }
    return made.n_runs > 0 && status == TRIB_OK
               ? TRIB_APPEND(&to->passage, &to->n, &to->cap, what, error, &made)
               : status;
}

/* Whether translated passages are looked for in a pair of documents. */
static bool is_wanted(const trib_config *config, const trib_corpus *corpus, uint32_t target,
                      uint32_t source) {
    char code[2][TRIB_LANGUAGE_MAX];
    if (config->translations.search == TRIB_TRANSLATIONS_ALL) return true;
    if (config->translations.search == TRIB_TRANSLATIONS_NONE || corpus->n_documents > FEW_TEXTS ||
        corpus->candidates.most > 0)
        return false;
    trib_language_code(code[0], trib_config_language(config, corpus->document[target].about));
    trib_language_code(code[1], trib_config_language(config, corpus->document[source].about));
    return strcmp(code[0], code[1]) != 0;
}

static trib_status add_pair(const trib_measure_inputs *inputs, uint32_t target, uint32_t source,
                            trib_passages *passages, trib_translated *about, int n_threads,
                            trib_error *error) {
    const trib_config *const config = inputs->env->config;
    const char *const dictionary[] = {config->translations.dictionary_path,
                                      config->translations.table_path};
    held_words held[2] = {{0}};
    trib_translated_pair pair = {0};
    size_t run_cap = passages->n_runs;
    passages->source = source;
    trib_status status = trib_translated_find(&pair, config, inputs->corpus, inputs->texts->words,
                                              target, source, dictionary, n_threads, error);
    if (status == TRIB_OK && pair.about.is_evidence)
        status = list_held(&held[0], inputs->texts, target, error);
    if (status == TRIB_OK && pair.about.is_evidence)
        status = list_held(&held[1], inputs->texts, source, error);
    for (size_t k = 0; k < pair.found.n && pair.about.is_evidence && status == TRIB_OK; k++)
        status = add_passage(passages, &run_cap, &pair, held, k, error);
    *about = pair.about;
    trib_translated_release(&pair);
    TRIB_FREE(held[0].from, held[1].from);
    return status;
}

trib_status trib_translations_add(const trib_measure_inputs *inputs, uint32_t t,
                                  trib_findings *findings, int n_threads, trib_error *error) {
    const trib_target *const target = &inputs->corpus->target[t];
    trib_status status = TRIB_OK;
    if (!findings->passages || findings->is_spilled || findings->translated) return TRIB_OK;
    for (uint32_t s = 0; s < target->n_sources && status == TRIB_OK; s++) {
        const uint32_t source = target->source[s];
        if (inputs->corpus->document[source].about->role == TRIB_ROLE_DECOY ||
            !is_wanted(inputs->env->config, inputs->corpus, target->document, source))
            continue;
        if (!findings->translated)
            status = TRIB_NEW(&findings->translated, target->n_sources, what, error);
        if (status == TRIB_OK)
            status = add_pair(inputs, target->document, source, &findings->passages[s],
                              &findings->translated[findings->n_translated++], n_threads, error);
    }
    return status;
}
