/* find.c - a passage is looked up in a library. Its phrases lead to places; places that lie close
 * in one text are a region; in the regions with most of them, runs of equal words grow from the
 * places along their diagonals, and the best chain of runs in the same order is what was found. */
#include "pipeline/index/index.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/stages/text.h"
#include "pipeline/stages/tokens.h"

enum {
    FREQUENT = 2500,     /* a phrase in more places is counted, not listed */
    MOST_PLACES = 20000, /* places that are looked at, those of rare phrases first */
    MOST_REGIONS = 200,  /* regions that are read, those with most places first */
    EVERY_PHRASE = 1000, /* of a passage of so many words every phrase is looked up */
    LEAST_EQUAL = 8,     /* equal words of what is found; fewer if the passage has fewer */
    EQUAL = 2,           /* the score of an equal word, of another, and where a run ends */
    OTHER = -3,
    STOP = 12,
    LONGEST_GAP = 40,   /* words between two runs, in either text */
    MOST_MATCHES = 1000 /* in one region */
};

/* A place with a phrase of the passage. */
typedef struct hit {
    uint32_t segment, place, asked;
} hit;
/* A phrase of the passage. */
typedef struct phrase {
    uint32_t hash, asked;
    size_t first, n; /* its places among the hits */
} phrase;
/* Places that lie close in one text. */
typedef struct region {
    size_t first, n; /* of the hits */
    uint32_t segment;
    size_t text;
} region;
/* Words that are equal along a diagonal, with some that are not between. */
typedef struct match {
    uint32_t asked, word, n; /* word: among the words of the region that have letters */
    uint32_t n_equal;
    double best;             /* equal words of the best chain that ends here */
    size_t before;           /* the match before it in that chain, or SIZE_MAX */
} match;

/* A search. */
typedef struct search {
    const trib_index *index;
    trib_findings_list *list;
    trib_transform *transform;
    phrase *phrase;
    hit *hit;
    region *region;
    size_t n_phrases, phrase_cap, n_hits, hit_cap, n_regions, region_cap;
    uint32_t segment; /* that is being looked at */
    trib_status status;
    trib_error *error;
    /* the text that is open */
    trib_reader reader;
    trib_words words;
    trib_words_block block;
    const trib_segment *open;
    size_t open_text;
    /* the words of a region that have letters */
    uint32_t *hash, *number;
    size_t n_words, word_cap, number_cap;
    match *match;
    size_t n_matches, match_cap;
} search;

/* ---- The passage ----------------------------------------------------------------------------- */

static trib_status take_word(void *context, const trib_token *token, trib_error *error) {
    search *const s = context;
    trib_findings_list *const l = s->list;
    uint32_t hash = 0;
    trib_status status = trib_word_hash(s->transform, token->text, &hash, error);
    if (status != TRIB_OK || hash == 0) return status;
    status = TRIB_GROW(&l->word, &l->word_cap, (size_t)l->n_words + 1, "the passage", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&l->hash, &l->hash_cap, (size_t)l->n_words + 1, "the passage", error);
    if (status != TRIB_OK) return status;
    l->word[l->n_words] = (char *)(uintptr_t)trib_arena_copy(&l->arena, token->text, token->length);
    l->hash[l->n_words++] = hash;
    return l->arena.failure.status;
}

static trib_status read_passage(search *s, const trib_config *config, const char *passage,
                                size_t length, trib_error *error) {
    trib_token_options options = trib_config_token_options(config);
    trib_tokenizer *tokenizer = NULL;
    options.encoding = NULL;
    trib_status status = trib_transform_open(&s->transform, "letters", NULL, error);
    if (status == TRIB_OK) status = trib_tokenizer_open(&tokenizer, &options, error);
    if (status != TRIB_OK) return status;
    trib_tokenizer_begin(tokenizer, "the passage", take_word, s);
    status = trib_tokenizer_feed(tokenizer, passage, length, error);
    const trib_status ended = trib_tokenizer_end(tokenizer, NULL, status == TRIB_OK ? error : NULL);
    trib_tokenizer_close(tokenizer);
    if (status == TRIB_OK) status = ended;
    if (status == TRIB_OK && s->list->n_words < TRIB_PHRASE_WORDS)
        status = trib_fail(error, TRIB_USAGE,
                           "the passage has %u words with letters; give at least %d, so that it can "
                           "be told from other passages",
                           (unsigned)s->list->n_words, TRIB_PHRASE_WORDS);
    return status;
}

/* ---- Places ---------------------------------------------------------------------------------- */

static trib_status take_phrase(void *context, size_t i, uint32_t hash, trib_error *error) {
    search *const s = context;
    static const char what[] = "the passage";
    const trib_status status = TRIB_GROW(&s->phrase, &s->phrase_cap, s->n_phrases + 1, what, error);
    if (status == TRIB_OK)
        s->phrase[s->n_phrases++] = (phrase){.hash = hash, .asked = (uint32_t)i};
    return status;
}

static void take_place(void *context, uint32_t place) {
    search *const s = context;
    phrase *const p = &s->phrase[s->n_phrases];
    const trib_segment *const segment = &s->index->segment[s->segment];
    if (segment->n_removed > 0 && segment->is_removed[trib_segment_text_at(segment, place)]) return;
    if (p->n++ >= FREQUENT || s->status != TRIB_OK) return;
    s->status = TRIB_GROW(&s->hit, &s->hit_cap, s->n_hits + 1, "places of phrases", s->error);
    if (s->status == TRIB_OK) s->hit[s->n_hits++] = (hit){s->segment, place, p->asked};
}

/* Looks up a phrase in all segments. Of a frequent one only the number of places is kept. */
static trib_status look_up(search *s, size_t i, trib_error *error) {
    trib_findings_list *const l = s->list;
    phrase *const p = &s->phrase[i];
    p->first = s->n_hits;
    s->n_phrases = i; /* for take_place */
    trib_status status = TRIB_OK;
    for (s->segment = 0; s->segment < s->index->n && status == TRIB_OK; s->segment++) {
        status = trib_segment_places(&s->index->segment[s->segment], p->hash, take_place, s, error);
        if (status == TRIB_OK) status = s->status;
    }
    if (status != TRIB_OK || p->n <= FREQUENT) return status;
    s->n_hits = p->first;
    status = TRIB_GROW(&l->frequent, &l->frequent_cap, l->n_frequent + 1, "phrases", error);
    if (status == TRIB_OK)
        l->frequent[l->n_frequent++] = (trib_frequent_phrase){p->asked, p->n};
    p->n = 0;
    return status;
}

static int by_rarity(const void *a, const void *b) {
    const phrase *const x = a, *const y = b;
    if (x->n != y->n) return x->n < y->n ? -1 : 1;
    return (x->asked > y->asked) - (x->asked < y->asked);
}

static int by_place(const void *a, const void *b) {
    const hit *const x = a, *const y = b;
    if (x->segment != y->segment) return x->segment < y->segment ? -1 : 1;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return (x->asked > y->asked) - (x->asked < y->asked);
}

/* Keeps the places of the rarest phrases, in the order of the texts. */
static trib_status choose_places(search *s, trib_error *error) {
    hit *hits = NULL;
    size_t n = 0;
    trib_status status = TRIB_NEW(&hits, s->n_hits, "places of phrases", error);
    if (status != TRIB_OK) return status;
    qsort(s->phrase, s->n_phrases, sizeof *s->phrase, by_rarity);
    for (size_t i = 0; i < s->n_phrases; i++) {
        const phrase *const p = &s->phrase[i];
        if (n > 0 && n + p->n > MOST_PLACES) {
            s->list->n_unread += p->n;
            continue;
        }
        if (p->n > 0) memcpy(hits + n, s->hit + p->first, p->n * sizeof *hits);
        n += p->n;
    }
    if (n > 0) qsort(hits, n, sizeof *hits, by_place);
    trib_free(s->hit);
    s->hit = hits;
    s->n_hits = n;
    return TRIB_OK;
}

static trib_status find_places(search *s, trib_error *error) {
    trib_findings_list *const l = s->list;
    trib_status status = trib_phrases_choose(l->hash, l->n_words, l->n_words <= EVERY_PHRASE,
                                             take_phrase, s, error);
    const size_t n = s->n_phrases;
    s->error = error;
    for (size_t i = 0; i < n && status == TRIB_OK; i++) status = look_up(s, i, error);
    s->n_phrases = n;
    return status == TRIB_OK ? choose_places(s, error) : status;
}

/* ---- Regions --------------------------------------------------------------------------------- */

static int by_hits(const void *a, const void *b) {
    const region *const x = a, *const y = b;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static trib_status find_regions(search *s, trib_error *error) {
    const uint32_t reach = s->list->n_words / 2 + LONGEST_GAP;
    trib_status status = TRIB_OK;
    for (size_t i = 0, end; i < s->n_hits && status == TRIB_OK; i = end) {
        const trib_segment *const segment = &s->index->segment[s->hit[i].segment];
        const size_t text = trib_segment_text_at(segment, s->hit[i].place);
        const uint64_t last = segment->text[text].first_word + segment->text[text].n_words;
        for (end = i + 1; end < s->n_hits && s->hit[end].segment == s->hit[i].segment &&
                          s->hit[end].place < last &&
                          s->hit[end].place - s->hit[end - 1].place <= reach;)
            end++;
        status = TRIB_GROW(&s->region, &s->region_cap, s->n_regions + 1, "regions", error);
        if (status == TRIB_OK)
            s->region[s->n_regions++] = (region){i, end - i, s->hit[i].segment, text};
    }
    if (s->n_regions > 0) qsort(s->region, s->n_regions, sizeof *s->region, by_hits);
    return status;
}

static void close_text(search *s) {
    trib_words_close(&s->words);
    s->open = NULL;
}

static trib_status open_text(search *s, const trib_segment *segment, size_t text,
                             trib_error *error) {
    if (s->open == segment && s->open_text == text) return TRIB_OK;
    close_text(s);
    s->block.n = 0;
    const trib_status status =
        trib_segment_words(segment, text, &s->reader, &s->words, error);
    if (status != TRIB_OK) return status;
    s->open = segment;
    s->open_text = text;
    return TRIB_OK;
}

/* Reads the words from .. end - 1 of the open text that have letters. */
static trib_status read_words(search *s, uint64_t from, uint64_t end, trib_error *error) {
    static const char what[] = "words of a text";
    const size_t most = (size_t)(end - from);
    trib_status status = TRIB_GROW(&s->hash, &s->word_cap, most, what, error);
    if (status == TRIB_OK) status = TRIB_GROW(&s->number, &s->number_cap, most, what, error);
    s->n_words = 0;
    for (uint64_t i = from; i < end && status == TRIB_OK; i++) {
        status = trib_words_at(&s->words, i, &s->block, error);
        if (status != TRIB_OK) break;
        uint32_t hash;
        const uint32_t id = s->block.id[i - s->block.first];
        status = trib_word_hash(s->transform, trib_words_spelling(&s->words, id), &hash, error);
        s->hash[s->n_words] = hash;
        s->number[s->n_words] = (uint32_t)i;
        s->n_words += hash != 0;
    }
    return status;
}

/* The place of word number `number` among the words of the region. */
static size_t word_at(const search *s, uint32_t number) {
    size_t low = 0, high = s->n_words;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->number[middle] < number) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* How many words to go from a place, forwards (step 1) or backwards (-1), to the best score. */
static size_t grow(const search *s, size_t asked, size_t word, int step) {
    const uint32_t *const a = s->list->hash, *const b = s->hash;
    const size_t n_a = s->list->n_words, n_b = s->n_words;
    int score = 0, best = 0;
    size_t n = 0, at_best = 0;
    while (step > 0 ? asked + n < n_a && word + n < n_b : n < asked && n < word) {
        const bool is_equal =
            step > 0 ? a[asked + n] == b[word + n] : a[asked - 1 - n] == b[word - 1 - n];
        n++;
        score += is_equal ? EQUAL : OTHER;
        if (score > best) best = score, at_best = n;
        if (score <= best - STOP) break;
    }
    return at_best;
}

/* The equal words among the first n of a match. */
static uint32_t count_equal(const search *s, const match *m, uint32_t n) {
    uint32_t n_equal = 0;
    for (uint32_t i = 0; i < n; i++)
        n_equal += s->list->hash[m->asked + i] == s->hash[m->word + i];
    return n_equal;
}

/* Adds what grows from a place, unless it is there. */
static trib_status add_match(search *s, const hit *h, uint64_t first_word, trib_error *error) {
    const size_t word = word_at(s, (uint32_t)(h->place - first_word));
    const size_t asked = h->asked;
    if (word >= s->n_words || s->n_matches == MOST_MATCHES) return TRIB_OK;
    for (size_t i = 0; i < s->n_matches; i++) {
        const match *const m = &s->match[i];
        if (asked >= m->asked && asked < m->asked + m->n &&
            word - m->word == asked - m->asked && word >= m->word)
            return TRIB_OK;
    }
    const size_t back = grow(s, asked, word, -1), n = grow(s, asked, word, 1);
    if (back + n == 0) return TRIB_OK;
    const trib_status status =
        TRIB_GROW(&s->match, &s->match_cap, s->n_matches + 1, "equal words", error);
    if (status != TRIB_OK) return status;
    match *const m = &s->match[s->n_matches++];
    *m = (match){.asked = (uint32_t)(asked - back),
                 .word = (uint32_t)(word - back),
                 .n = (uint32_t)(back + n)};
    m->n_equal = count_equal(s, m, m->n);
    return TRIB_OK;
}

static int by_asked(const void *a, const void *b) {
    const match *const x = a, *const y = b;
    if (x->asked != y->asked) return x->asked < y->asked ? -1 : 1;
    return (x->word > y->word) - (x->word < y->word);
}

/* How many words of `next` lie in what `last` covers in either text. */
static uint32_t overlap(const match *last, const match *next) {
    const uint32_t a = last->asked + last->n, b = last->word + last->n;
    const uint32_t in_a = a > next->asked ? a - next->asked : 0;
    const uint32_t in_b = b > next->word ? b - next->word : 0;
    return in_a > in_b ? in_a : in_b;
}

/* Finds the chain of matches in the same order with most equal words; returns its last match. */
static size_t best_chain(search *s) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < s->n_matches; i++) {
        match *const m = &s->match[i];
        if (m->n == 0) continue;
        m->best = m->n_equal;
        m->before = SIZE_MAX;
        for (size_t k = 0; k < i; k++) {
            const match *const l = &s->match[k];
            if (l->n == 0 || l->word >= m->word || l->asked >= m->asked) continue;
            const uint32_t in = overlap(l, m);
            if (in >= m->n || m->asked + in > l->asked + l->n + LONGEST_GAP ||
                m->word + in > l->word + l->n + LONGEST_GAP)
                continue;
            const double sum = l->best + m->n_equal - count_equal(s, m, in) - .5;
            if (sum > m->best) m->best = sum, m->before = k;
        }
        if (best == SIZE_MAX || m->best > s->match[best].best) best = i;
    }
    return best;
}

static trib_status add_run(search *s, uint32_t asked, uint32_t word, trib_error *error) {
    trib_findings_list *const l = s->list;
    trib_found *const f = &l->found[l->n];
    const uint32_t number = s->number[word];
    trib_found_run *last = l->n_runs > f->first_run ? &l->run[l->n_runs - 1] : NULL;
    f->n_equal++;
    if (last && last->asked + last->n == asked && last->word + last->n == number) {
        last->n++;
        return TRIB_OK;
    }
    const trib_status status = TRIB_GROW(&l->run, &l->run_cap, l->n_runs + 1, "equal words", error);
    if (status == TRIB_OK) l->run[l->n_runs++] = (trib_found_run){asked, number, 1};
    return status;
}

/* Makes a finding of the chain that ends with match `end`; its matches are used up. */
static trib_status add_found(search *s, size_t end, trib_error *error) {
    trib_findings_list *const l = s->list;
    size_t order[MOST_MATCHES], n = 0;
    for (size_t i = end; i != SIZE_MAX; i = s->match[i].before)
        order[n++] = i;
    trib_status status = TRIB_GROW(&l->found, &l->cap, l->n + 1, "what was found", error);
    if (status != TRIB_OK) return status;
    trib_found *const f = &l->found[l->n];
    *f = (trib_found){.segment = s->open, .text = s->open_text, .first_run = l->n_runs};
    uint32_t asked = 0, word = 0; /* ends of what is covered so far */
    while (n > 0 && status == TRIB_OK) {
        match *const m = &s->match[order[--n]];
        const match before = {.asked = 0, .word = 0, .n = 0};
        match covered = before;
        covered.asked = asked, covered.word = word;
        for (uint32_t i = asked + word > 0 ? overlap(&covered, m) : 0;
             i < m->n && status == TRIB_OK; i++)
            if (l->hash[m->asked + i] == s->hash[m->word + i])
                status = add_run(s, m->asked + i, m->word + i, error);
        asked = m->asked + m->n, word = m->word + m->n;
        m->n = 0;
    }
    f->n_runs = l->n_runs - f->first_run;
    if (f->n_runs == 0) return status;
    const trib_found_run first = l->run[f->first_run], last = l->run[l->n_runs - 1];
    f->asked = first.asked;
    f->n_asked = last.asked + last.n - first.asked;
    f->word = first.word;
    f->n_words = last.word + last.n - first.word;
    l->n += status == TRIB_OK;
    return status;
}

/* Reads a region and finds what it has of the passage. */
static trib_status read_region(search *s, const region *r, trib_error *error) {
    const trib_segment *const segment = &s->index->segment[r->segment];
    const trib_segment_text *const text = &segment->text[r->text];
    const uint64_t margin = s->list->n_words + LONGEST_GAP;
    const uint32_t least = s->list->n_words < LEAST_EQUAL ? s->list->n_words : LEAST_EQUAL;
    trib_status status = open_text(s, segment, r->text, error);
    if (status != TRIB_OK) return status;
    const uint64_t first = s->hit[r->first].place - text->first_word;
    const uint64_t last = s->hit[r->first + r->n - 1].place - text->first_word;
    const uint64_t end = last + margin < s->words.n_tokens ? last + margin : s->words.n_tokens;
    status = read_words(s, first > margin ? first - margin : 0, end, error);
    s->n_matches = 0;
    for (size_t i = 0; i < r->n && status == TRIB_OK; i++)
        status = add_match(s, &s->hit[r->first + i], text->first_word, error);
    if (s->n_matches > 0) qsort(s->match, s->n_matches, sizeof *s->match, by_asked);
    while (status == TRIB_OK) {
        const size_t best = best_chain(s);
        if (best == SIZE_MAX || s->match[best].best < least - .5) break;
        status = add_found(s, best, error);
        if (status == TRIB_OK && s->list->found[s->list->n - 1].n_equal < least) s->list->n--;
    }
    return status;
}

/* ---- The list -------------------------------------------------------------------------------- */

static int by_text(const trib_found *x, const trib_found *y) {
    trib_indexed_text a, b;
    if (trib_segment_about(x->segment, x->text, &a, NULL) != TRIB_OK ||
        trib_segment_about(y->segment, y->text, &b, NULL) != TRIB_OK)
        return 0;
    return strcmp(a.id, b.id);
}

/* The best first: most equal words, then fewest others; of equal ones the earliest text. */
static int by_worth(const void *a, const void *b) {
    const trib_found *const x = a, *const y = b;
    if (x->n_equal != y->n_equal) return x->n_equal > y->n_equal ? -1 : 1;
    const uint32_t m = x->n_asked + x->n_words, n = y->n_asked + y->n_words;
    if (m != n) return m < n ? -1 : 1;
    const double u = x->segment->text[x->text].year, v = y->segment->text[y->text].year;
    if (isnan(u) != isnan(v)) return isnan(u) ? 1 : -1;
    if (!isnan(u) && u != v) return u < v ? -1 : 1;
    const int by = by_text(x, y);
    return by != 0 ? by : (x->word > y->word) - (x->word < y->word);
}

/* Whether two findings hold the same words: half of the shorter one in common. */
static bool are_family(const trib_found *x, const trib_found *y) {
    const uint32_t from = x->asked > y->asked ? x->asked : y->asked;
    const uint32_t a = x->asked + x->n_asked, b = y->asked + y->n_asked, end = a < b ? a : b;
    const uint32_t shorter = x->n_asked < y->n_asked ? x->n_asked : y->n_asked;
    return end > from && 2 * (end - from) >= shorter;
}

/* Sorts what was found, drops what a better finding covers in the same text, and numbers families
 * by their best member. */
static void settle(trib_findings_list *l) {
    size_t n = 0;
    uint32_t n_families = 0;
    if (l->n > 0) qsort(l->found, l->n, sizeof *l->found, by_worth);
    for (size_t i = 0; i < l->n; i++) {
        trib_found f = l->found[i];
        bool is_there = false;
        f.family = UINT32_MAX;
        for (size_t k = 0; k < n && !is_there; k++) {
            const trib_found *const o = &l->found[k];
            is_there = o->segment == f.segment && o->text == f.text &&
                       f.word < o->word + o->n_words && o->word < f.word + f.n_words;
            if (f.family == UINT32_MAX && are_family(o, &f)) f.family = o->family;
        }
        if (is_there) continue;
        if (f.family == UINT32_MAX) f.family = n_families++;
        l->found[n++] = f;
    }
    l->n = n;
}

/* ---- Quotations ------------------------------------------------------------------------------ */

static trib_status place_of(search *s, uint64_t i, uint64_t *from, uint64_t *end,
                            trib_error *error) {
    const trib_status status = trib_words_at(&s->words, i, &s->block, error);
    if (status != TRIB_OK) return status;
    *from = s->block.offset[i - s->block.first];
    *end = *from + s->block.length[i - s->block.first];
    return TRIB_OK;
}

/* Reads the pieces with the bytes from .. end - 1 of a text; *skipped: bytes before them. */
static trib_status read_pieces(const trib_found *f, uint64_t from, uint64_t end,
                               trib_document_text *text, uint64_t *skipped, trib_error *error) {
    const trib_segment_text *const t = &f->segment->text[f->text];
    trib_status status = TRIB_OK;
    *skipped = from / TRIB_PIECE * TRIB_PIECE;
    for (uint64_t i = from / TRIB_PIECE; i * TRIB_PIECE < end && i < t->n_pieces &&
                                         status == TRIB_OK; i++)
        status = trib_segment_unpack(f->segment, (size_t)(t->piece + i), &text->bytes, error);
    return status;
}

/* Appends the words of what was found: runs of equal words as they stand, others in brackets. */
static trib_status quote_words(search *s, const trib_found *f, const trib_document_text *text,
                               uint64_t skipped, trib_buffer *quote, trib_error *error) {
    uint64_t at = 0;
    trib_status status = TRIB_OK;
    for (size_t r = 0; r < f->n_runs && status == TRIB_OK; r++) {
        const trib_found_run *const run = &s->list->run[f->first_run + r];
        uint64_t from, end, last, unused;
        status = place_of(s, run->word, &from, &unused, error);
        if (status == TRIB_OK) status = place_of(s, run->word + run->n - 1, &last, &end, error);
        if (status != TRIB_OK) break;
        const bool between = r > 0 && run->word > run[-1].word + run[-1].n;
        if (r > 0) {
            trib_buffer_print(quote, error, between ? " [" : " ");
            if (between) {
                uint64_t first, stop;
                status = place_of(s, run[-1].word + run[-1].n, &first, &unused, error);
                if (status == TRIB_OK) status = place_of(s, run->word - 1, &unused, &stop, error);
                if (status == TRIB_OK)
                    status = trib_text_quote(quote, text, (size_t)(first - skipped),
                                             (size_t)(stop - skipped), error);
                trib_buffer_print(quote, error, "] ");
            }
        }
        if (status == TRIB_OK)
            status = trib_text_quote(quote, text, (size_t)(from - skipped),
                                     (size_t)(end - skipped), error);
        at = end;
    }
    (void)at;
    return status;
}

static trib_status quote(search *s, trib_found *f, trib_error *error) {
    trib_indexed_text about;
    trib_document_text text = {0};
    trib_buffer words = {0};
    uint64_t from = 0, end = 0, skipped = 0, unused;
    trib_status status = open_text(s, f->segment, f->text, error);
    if (status == TRIB_OK) status = trib_segment_about(f->segment, f->text, &about, error);
    if (status == TRIB_OK) status = place_of(s, f->word, &from, &unused, error);
    if (status == TRIB_OK) status = place_of(s, f->word + f->n_words - 1, &unused, &end, error);
    if (status == TRIB_OK) status = read_pieces(f, from, end, &text, &skipped, error);
    if (status == TRIB_OK) {
        const trib_segment_text *const t = &f->segment->text[f->text];
        const uint64_t line = f->segment->piece[t->piece + from / TRIB_PIECE].line;
        text.encoding = *about.encoding ? about.encoding : NULL;
        f->line = line == UINT64_MAX ? 0 : line + 1;
        for (size_t i = 0; f->line > 0 && i < from - skipped && i < text.bytes.length; i++)
            f->line += trib_line_end(text.bytes.text, i, text.bytes.length) > 0 &&
                       !(text.bytes.text[i] == '\r' && text.bytes.text[i + 1] == '\n');
        status = quote_words(s, f, &text, skipped, &words, error);
    }
    if (status == TRIB_OK) f->quote = trib_arena_copy(&s->list->arena, words.text ? words.text : "", words.length);
    trib_text_release(&text);
    trib_buffer_release(&words);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

trib_status trib_index_find(const trib_index *index, const trib_config *config, const char *passage,
                            size_t length, trib_findings_list *list, trib_error *error) {
    search s = {.index = index, .list = list};
    *list = (trib_findings_list){0};
    trib_status status = read_passage(&s, config, passage, length, error);
    if (status == TRIB_OK) status = trib_words_block_init(&s.block, error);
    if (status == TRIB_OK) status = find_places(&s, error);
    if (status == TRIB_OK) status = find_regions(&s, error);
    for (size_t i = 0; i < s.n_regions && status == TRIB_OK; i++)
        if (i < MOST_REGIONS) status = read_region(&s, &s.region[i], error);
        else list->n_unread += s.region[i].n;
    if (status == TRIB_OK) settle(list);
    for (size_t i = 0; i < list->n && status == TRIB_OK; i++)
        status = quote(&s, &list->found[i], error);
    close_text(&s);
    trib_words_block_release(&s.block);
    trib_transform_close(s.transform);
    TRIB_FREE(s.phrase, s.hit, s.region, s.hash, s.number, s.match);
    if (status == TRIB_OK && list->arena.failure.status != TRIB_OK)
        status = trib_fail(error, list->arena.failure.status, "%s", list->arena.failure.message);
    return status;
}

void trib_findings_list_release(trib_findings_list *list) {
    trib_arena_release(&list->arena);
    TRIB_FREE(list->word, list->hash, list->found, list->run, list->frequent);
    *list = (trib_findings_list){0};
}
