/* translated.c - a passage in another language is looked up in a library. Words that may stand for
 * its own, by a dictionary, by a table or because they are spelt alike, lead to regions, as its own
 * do in find.c. The text around the heaviest ones is compared with it unit by unit, as `tributary
 * translations` does (influence/translations.h). */
#include "pipeline/index/search.h"
#include "pipeline/stages/folds.h"
#include "pipeline/stages/translations.h"
#include "tokenizer/language.h"

enum {
    WORD_PLACES = 20000, /* of words that may stand for others, rare ones first */
    MOST_COMPARED = 24,  /* regions, */
    PARTS = 24,          /* of a weight, for a chance of 1 in e */
    LEAST_MET = 5,       /* words of what is found that may stand for each other */
    PART = 3,            /* but for those with less than this part of the most weight */
    AROUND = 32 << 10    /* at least so many bytes of a text are compared before and after one */
};

/* A passage that is looked up. */
typedef struct translating {
    search search;
    const trib_config *config;
    const trib_buffer *passage;
    const char *language, *const *dictionary;
    trib_intern words; /* of the passage; word i is of[i] */
    uint32_t *of;
} translating;

/* Adds a word that may stand for one of the passage, wherever that is. */
static trib_status take_meaning(void *context, uint32_t word, const char *meaning,
                                trib_error *error) {
    translating *const t = context;
    const trib_hashed_words *const words = &t->search.list->passage.words;
    char letters[TRIB_FOLD_MAX];
    size_t n = 0;
    trib_status status = trib_fold(t->search.reader.transform, meaning, letters, &n, error);
    const uint32_t hash = (uint32_t)trib_fold_number(letters, n);
    for (size_t i = 0; i < words->n && n > 0 && status == TRIB_OK; i++)
        if (t->of[i] == word)
            status = trib_search_add(&t->search, i, trib_phrase_hash(&hash, 1), 1, error);
    return status;
}

/* Adds all words that may stand for those of the passage. */
static trib_status add_words(translating *t, trib_error *error) {
    const trib_hashed_words *const words = &t->search.list->passage.words;
    trib_status status = TRIB_NEW(&t->of, words->n, "the passage", error);
    for (size_t i = 0; i < words->n && status == TRIB_OK; i++) {
        const char *const word = words->spelling[i];
        status = trib_intern_add(&t->words, word, strlen(word), &t->of[i], error);
        if (status == TRIB_OK)
            status = trib_search_add(&t->search, i, trib_phrase_hash(&words->hash[i], 1), 1, error);
    }
    for (int k = 0; k < 2 && status == TRIB_OK; k++)
        if (t->dictionary[k])
            status = trib_dictionary_translate(t->dictionary[k], &t->words, t->config, take_meaning,
                                               t, error);
    return status;
}

/* ---- Regions --------------------------------------------------------------------------------- */

TRIB_ORDER(by_weight, region, TRIB_DOWN(weight) ?: TRIB_UP(first));

/* Finds for each place the region that begins with it: how improbable it is that the words of the
 * passage are met there, as a logarithm. */
static trib_status find_regions(translating *t, trib_error *error) {
    search *const s = &t->search;
    const uint64_t reach = s->passage_bytes / 3 + TRIB_UNIT;
    uint64_t n_bytes = 0;
    /* [words of the passage] hits in the region; places of all that it may stand for; its weight */
    uint32_t *seen = NULL;
    uint64_t *n_places = NULL;
    trib_status status = trib_search_places(s, error);
    for (size_t k = 0; k < s->index->n; k++) n_bytes += s->index->segment[k].end.n_bytes;
    const double n_regions = (double)(n_bytes / reach + 1);
    if (status == TRIB_OK) status = TRIB_NEW(&seen, s->list->passage.words.n, "places", error);
    if (status == TRIB_OK) status = TRIB_NEW(&n_places, s->list->passage.words.n, "places", error);
    for (size_t i = 0; i < s->n_phrases && status == TRIB_OK; i++)
        n_places[t->of[s->phrase[i].asked]] += s->phrase[i].n;
    for (size_t i = 0; i < s->n_hits && status == TRIB_OK; i++) {
        const double chance = (double)n_places[t->of[s->hit[i].asked]] / n_regions;
        s->hit[i].weight = chance < 1 ? (uint32_t)(PARTS * -trib_logarithm(chance)) : 0;
    }
    region one = {.n = 0};
    for (size_t i = 0, end = 0; i < s->n_hits && status == TRIB_OK; i++) {
        if (end < i) end = i;
        const hit *const first = &s->hit[i];
        const trib_segment *const segment = &s->index->segment[first->segment];
        one.first = i;
        one.segment = first->segment;
        one.text = trib_segment_text_at(segment, first->place);
        const trib_segment_text *const text = &segment->text[one.text];
        for (; end < s->n_hits && s->hit[end].segment == first->segment &&
               s->hit[end].place - text->first_byte < text->n_bytes &&
               s->hit[end].start - first->start <= reach;
             end++) {
            const hit *const h = &s->hit[end];
            if (seen[t->of[h->asked]]++ == 0) one.weight += h->weight;
        }
        if (end == i) continue; /* damaged: what is said of the text is checked later */
        one.n = end - i;
        status = TRIB_APPEND(&s->region, &s->n_regions, &s->region_cap, "regions", error, &one);
        if (--seen[t->of[first->asked]] == 0) one.weight -= first->weight;
    }
    if (s->n_regions > 0) qsort(s->region, s->n_regions, sizeof *s->region, by_weight);
    TRIB_FREE(seen, n_places);
    return status;
}

TRIB_SEARCH(first_word, uint64_t, uint64_t, *x < key);

/* The words asked .. end - 1 of the passage that may stand for words of bytes of a segment. */
static size_t count_met(const translating *t, uint32_t segment, uint64_t from, uint64_t to,
                        size_t asked, size_t end) {
    const search *const s = &t->search;
    size_t n = 0;
    for (size_t w = asked; w < end; w++) {
        size_t i = 0;
        while (i < s->n_hits && (s->hit[i].asked != w || s->hit[i].segment != segment ||
                                 s->hit[i].place + TRIB_UNIT <= from || s->hit[i].place >= to))
            i++;
        n += i < s->n_hits;
    }
    return n;
}

/* Adds a passage of the text that translates units of what is looked up. */
static trib_status add_found(translating *t, const region *r, const trib_translated_pair *pair,
                             const trib_translated_passage *p, uint64_t skipped,
                             trib_error *error) {
    const trib_unit_text *const asked = &pair->text[0], *const text = &pair->text[1];
    trib_findings_list *const l = t->search.list;
    const trib_hashed_words *const words = &l->passage.words;
    const size_t first = first_word(words->from, words->n, asked->from[p->first]);
    const size_t end = first_word(words->from, words->n, asked->end[p->last]);
    const size_t n = text->units.start[p->to + 1] - text->units.start[p->from];
    const uint64_t from = skipped + text->from[p->from], to = skipped + text->end[p->to];
    const uint64_t base = t->search.index->segment[r->segment].text[r->text].first_byte;
    const trib_found found = {
        .segment = &t->search.index->segment[r->segment],
        .text = r->text,
        .asked = (uint32_t)first,
        .n_asked = (uint32_t)(end - first),
        .n_words = (uint32_t)n,
        .n_equal = (uint32_t)count_met(t, r->segment, base + from, base + to, first, end),
        .from = from,
        .end = to,
        .first_run = l->n_runs,
        .n_runs = 1};
    const trib_found_run run = {found.asked, found.n_asked, 0, found.from, found.end};
    if (found.n_equal < LEAST_MET) return TRIB_OK;
    trib_status status = TRIB_APPEND(&l->found, &l->n, &l->cap, "what was found", error, &found);
    return status == TRIB_OK
               ? TRIB_APPEND(&l->run, &l->n_runs, &l->run_cap, "what was found", error, &run)
               : status;
}

/* Compares the passage with the bytes r->from .. r->end of a text. */
static trib_status compare(translating *t, const region *r, const char *language,
                           trib_error *error) {
    const trib_segment *const segment = &t->search.index->segment[r->segment];
    const trib_corpus_document about[2] = {
        {.path = "the passage", .language = (char *)(uintptr_t)t->language},
        {.path = segment->path, .language = *language ? (char *)(uintptr_t)language : NULL}};
    trib_translated_pair pair = {.about = {0}};
    trib_buffer *const bytes = &pair.text[1].text.bytes;
    uint64_t skipped = 0;
    trib_status status =
        trib_buffer_add(&pair.text[0].text.bytes, t->passage->text, t->passage->length, error);
    if (status == TRIB_OK)
        status = trib_segment_bytes(segment, r->text, r->from, r->end, bytes, &skipped, error);
    for (int k = 0; k < 2 && status == TRIB_OK; k++) {
        pair.text[k].text.encoding = "UTF-8";
        status = trib_text_find_lines(&pair.text[k].text, error);
        if (status == TRIB_OK)
            status = trib_unit_text_cut(&pair.text[k], t->config, &about[k], &pair.words, error);
    }
    if (status == TRIB_OK && pair.text[1].units.n > 0)
        status = trib_translated_compare(&pair, t->config, t->dictionary, 1, error);
    for (size_t k = 0; k < pair.found.n && pair.about.is_evidence && status == TRIB_OK; k++)
        status = add_found(t, r, &pair, &pair.found.passage[k], skipped, error);
    trib_translated_release(&pair);
    return status;
}

/* Compares the passage with what is around a region, unless that was done, or the text is in the
 * language of the passage. *n counts what was compared, the first regions of the search. */
static trib_status compare_region(translating *t, region r, size_t *n, trib_error *error) {
    const search *const s = &t->search;
    const trib_segment *const segment = &s->index->segment[r.segment];
    const uint64_t base = segment->text[r.text].first_byte;
    uint64_t first = UINT64_MAX, last = 0;
    char code[2][TRIB_LANGUAGE_MAX];
    trib_indexed_text about;
    const trib_status status = trib_segment_about(segment, r.text, &about, error);
    if (status != TRIB_OK) return status;
    for (size_t i = r.first; i < r.first + r.n; i++) {
        if (s->hit[i].place - base < first) first = s->hit[i].place - base;
        if (s->hit[i].place - base > last) last = s->hit[i].place - base;
    }
    for (size_t i = 0; i < *n; i++)
        if (s->region[i].segment == r.segment && s->region[i].text == r.text &&
            s->region[i].from <= first && s->region[i].end >= last)
            return TRIB_OK;
    trib_language_code(code[0], t->language);
    trib_language_code(code[1], about.language);
    if (strcmp(code[0], code[1]) == 0) return TRIB_OK;
    r.from = first > AROUND ? first - AROUND : 0;
    r.end = last + AROUND;
    s->region[(*n)++] = r;
    return compare(t, &r, about.language, error);
}

trib_status trib_index_find_translated(const trib_index *index, const trib_config *config,
                                       const trib_buffer *passage, const char *language,
                                       const char *const dictionary[2], trib_findings_list *list,
                                       trib_error *error) {
    translating t = {
        .config = config, .passage = passage, .language = language, .dictionary = dictionary};
    size_t n = 0;
    trib_status status = trib_search_begin(&t.search, index, config, passage, list, error);
    t.search.most_word_places = WORD_PLACES;
    list->is_translated = true;
    if (status == TRIB_OK) status = add_words(&t, error);
    if (status == TRIB_OK) status = find_regions(&t, error);
    const uint32_t least = t.search.n_regions > 0 ? t.search.region->weight / PART : 0;
    for (size_t i = 0; i < t.search.n_regions && n < MOST_COMPARED && status == TRIB_OK; i++) {
        if (t.search.region[i].weight < least) break;
        status = compare_region(&t, t.search.region[i], &n, error);
    }
    if (status == TRIB_OK) trib_found_settle(list);
    trib_intern_release(&t.words);
    trib_free(t.of);
    trib_search_release(&t.search);
    return status;
}
