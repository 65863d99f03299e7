/* places.c - the phrases of a passage, or words, are looked up; places that lie close in one text,
 * as they do in the passage, are a region. */
#include "pipeline/index/search.h"

enum {
    FREQUENT = 2500,             /* a phrase in more places is counted, not listed */
    MOST_PLACES = 20000,         /* places that are looked at, those of rare phrases first */
    SHORT = 64,                  /* of a passage of so many words the words are looked up */
    WORD_PLACES = 5000,          /* until they have so many places, rare ones first */
    EVERY_PHRASE = 1000,         /* of a passage of so many words every phrase is looked up */
    GAP_BYTES = 512,             /* about as long as the words between two runs */
    LEAST_WEIGHT = 26,           /* of a region: two words, or one in less than 64 places */
    NEAR_BYTES = TRIB_UNIT + 64, /* between the starts of a short passage by two of its places */
};

/* ---- The passage ----------------------------------------------------------------------------- */

trib_status trib_search_begin(search *s, const trib_index *index, const trib_config *config,
                              const trib_buffer *passage, trib_findings_list *list,
                              trib_error *error) {
    trib_hashed_words *const words = &list->passage.words;
    *list = (trib_findings_list){0};
    *s = (search){.index = index,
                  .list = list,
                  .reader = {.config = config},
                  .passage_bytes = passage->length,
                  .most_word_places = WORD_PLACES};
    for (size_t k = 0; k < index->n; k++) trib_segment_scatter(&index->segment[k]);
    s->reader.words.spellings = &s->list->arena;
    const trib_status status =
        trib_word_reader_read(&s->reader, "the passage", "UTF-8", passage, 0, error);
    list->passage.config = config;
    *words = s->reader.words;
    s->reader.words = (trib_hashed_words){0};
    s->is_short = words->n <= SHORT;
    if (status == TRIB_OK && words->n < TRIB_PHRASE_WORDS)
        return trib_fail(error, TRIB_USAGE,
                         "the passage has %zu words with letters; give at least %d, so that it can "
                         "be told from other passages",
                         words->n, TRIB_PHRASE_WORDS);
    return status == TRIB_OK ? trib_arena_check(&list->arena, error) : status;
}

void trib_search_release(search *s) {
    trib_word_reader_close(&s->reader);
    trib_buffer_release(&s->bytes);
    TRIB_FREE(s->phrase, s->hit, s->region, s->match);
}

/* ---- Places ---------------------------------------------------------------------------------- */

TRIB_ORDER(by_rarity, phrase, TRIB_UP(n) ?: TRIB_UP(asked));
TRIB_ORDER(by_asked_phrase, trib_frequent_phrase, TRIB_UP(asked));
TRIB_ORDER(by_start, hit, TRIB_UP(segment) ?: TRIB_UP(start) ?: TRIB_UP(asked));

trib_status trib_search_add(search *s, size_t asked, uint32_t hash, uint32_t n_words,
                            trib_error *error) {
    static const char what[] = "the passage";
    const trib_status status = TRIB_GROW(&s->phrase, &s->phrase_cap, s->n_phrases + 1, what, error);
    if (status != TRIB_OK) return status;
    s->phrase[s->n_phrases++] = (phrase){hash, (uint32_t)asked, n_words, 0};
    for (size_t k = 0; k < s->index->n; k++)
        trib_segment_announce_hash(&s->index->segment[k], hash);
    return TRIB_OK;
}

static trib_status take_phrase(void *context, size_t i, uint32_t hash, trib_error *error) {
    return trib_search_add(context, i, hash, TRIB_PHRASE_WORDS, error);
}

static void take_place(void *context, uint32_t place) {
    search *const s = context;
    phrase *const p = s->looked_up;
    const trib_segment *const segment = &s->index->segment[s->segment];
    if (segment->n_removed > 0 && segment->is_removed[trib_segment_text_at(segment, place)]) return;
    if (p->n++ >= MOST_PLACES || s->status != TRIB_OK) return;
    s->status =
        TRIB_APPEND(&s->hit, &s->n_hits, &s->hit_cap, "places of phrases", s->error,
                    &(hit){s->segment, place, p->asked, p->n_words, 0,
                           place + s->passage_bytes - s->list->passage.words.from[p->asked]});
}

/* Looks up a phrase in all segments. Of a frequent one only the number of places is kept, of a
 * frequent word nothing. */
static trib_status look_up(search *s, phrase *p, trib_error *error) {
    trib_findings_list *const l = s->list;
    const bool is_word = p->n_words == 1;
    const size_t first = s->n_hits;
    trib_status status = TRIB_OK;
    if (is_word && (p->n > MOST_PLACES || s->n_word_places > s->most_word_places)) return TRIB_OK;
    s->looked_up = p;
    p->n = 0;
    for (s->segment = 0; s->segment < s->index->n && status == TRIB_OK; s->segment++) {
        status = trib_segment_places(&s->index->segment[s->segment], p->hash, take_place, s, error);
        if (status == TRIB_OK) status = s->status;
    }
    for (size_t i = first; i < s->n_hits; i++)
        s->hit[i].weight = (uint32_t)__builtin_clz((unsigned)p->n);
    if (is_word) s->n_word_places += p->n;
    if (is_word || status != TRIB_OK) return status;
    if (p->n <= FREQUENT && (first == 0 || s->n_hits <= MOST_PLACES)) return TRIB_OK;
    s->n_hits = first;
    if (p->n <= FREQUENT) l->n_unread += p->n;
    if (p->n <= FREQUENT) return TRIB_OK;
    status = TRIB_APPEND(&l->frequent, &l->n_frequent, &l->frequent_cap, "phrases", error,
                         &(trib_frequent_phrase){p->asked, p->n});
    return status;
}

trib_status trib_search_add_passage(search *s, trib_error *error) {
    const trib_hashed_words *const words = &s->list->passage.words;
    trib_status status =
        trib_phrases_choose(words->hash, words->n, words->n <= EVERY_PHRASE, take_phrase, s, error);
    for (size_t i = 0; i < words->n && s->is_short && status == TRIB_OK; i++)
        status = trib_search_add(s, i, trib_phrase_hash(&words->hash[i], 1), 1, error);
    return status;
}

trib_status trib_search_places(search *s, trib_error *error) {
    trib_findings_list *const l = s->list;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < s->n_phrases; i++)
        for (size_t k = 0; k < s->index->n; k++)
            s->phrase[i].n += trib_segment_most_places(&s->index->segment[k], s->phrase[i].hash);
    if (s->n_phrases > 0) qsort(s->phrase, s->n_phrases, sizeof *s->phrase, by_rarity);
    s->error = error;
    for (size_t i = 0; i < s->n_phrases && status == TRIB_OK; i++)
        status = look_up(s, &s->phrase[i], error);
    if (s->n_hits > 0) qsort(s->hit, s->n_hits, sizeof *s->hit, by_start);
    if (l->n_frequent > 0) qsort(l->frequent, l->n_frequent, sizeof *l->frequent, by_asked_phrase);
    return status;
}

/* ---- Regions --------------------------------------------------------------------------------- */

TRIB_ORDER(by_weight, region, TRIB_DOWN(weight) ?: TRIB_UP(first));

trib_status trib_search_regions(search *s, trib_error *error) {
    const uint64_t reach = s->is_short ? NEAR_BYTES : s->passage_bytes / 2 + GAP_BYTES;
    size_t *seen = NULL; /* the last region with a word of the passage, by its first hit, from 1 */
    trib_status status = trib_search_places(s, error);
    if (status == TRIB_OK) status = TRIB_NEW(&seen, s->list->passage.words.n, "regions", error);
    for (size_t i = 0, end; i < s->n_hits && status == TRIB_OK; i = end) {
        const trib_segment *const segment = &s->index->segment[s->hit[i].segment];
        region one = {.first = i,
                      .segment = s->hit[i].segment,
                      .text = trib_segment_text_at(segment, s->hit[i].place)};
        const uint64_t base = segment->text[one.text].first_byte;
        for (end = i; end < s->n_hits && s->hit[end].segment == one.segment &&
                      s->hit[end].place - base < segment->text[one.text].n_bytes &&
                      (end == i || s->hit[end].start - s->hit[end - 1].start <= reach);
             end++) {
            size_t *const last = &seen[s->hit[end].asked];
            if (*last != i + 1) one.weight += s->hit[end].weight;
            *last = i + 1;
            one.has_phrase = one.has_phrase || s->hit[end].n_words > 1;
        }
        if (end == i)
            status = trib_fail(error, TRIB_INPUT,
                               "%s: what it says of a text is damaged; `tributary index check "
                               "--repair` saves the texts that are whole",
                               segment->path);
        one.n = end - i;
        if (status != TRIB_OK || (!one.has_phrase && one.weight < LEAST_WEIGHT)) continue;
        status = TRIB_APPEND(&s->region, &s->n_regions, &s->region_cap, "regions", error, &one);
    }
    trib_free(seen);
    if (s->n_regions > 0) qsort(s->region, s->n_regions, sizeof *s->region, by_weight);
    return status;
}
