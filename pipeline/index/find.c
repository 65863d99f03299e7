/* find.c - a passage is looked up in a library. Its phrases lead to places; places that lie close
 * in one text, as they do in the passage, are a region; in the regions with most of them, and the
 * rarest, runs of equal words grow from the places along their diagonals, and the best chain of
 * runs in the same order is what was found. Of a short passage, whose phrases may all be altered,
 * the words are looked up, too. */
#include "base/internal.h"
#include "pipeline/index/index.h"

enum {
    FREQUENT = 2500,     /* a phrase in more places is counted, not listed */
    MOST_PLACES = 20000, /* places that are looked at, those of rare phrases first */
    SHORT = 64,          /* of a passage of so many words the words are looked up */
    WORD_PLACES = 5000,  /* until they have so many places, rare ones first */
    MOST_REGIONS = 200,  /* regions that are read, those with most places first */
    EVERY_PHRASE = 1000, /* of a passage of so many words every phrase is looked up */
    LEAST_EQUAL = 8,     /* equal words of what is found; fewer if the passage has fewer */
    EQUAL = 2,           /* the score of an equal word, of another, and where a run ends */
    OTHER = -3,
    STOP = 12,
    BRIEF = 24, /* in a passage of so many words another word counts less */
    OTHER_BRIEF = -1,
    SURE = 3,                    /* fewer equal words that are shifted against others count less */
    LONGEST_GAP = 40,            /* words between two runs, in either text */
    GAP_BYTES = 512,             /* about as long as that */
    LEAST_WEIGHT = 26,           /* of a region: two words, or one in less than 64 places */
    WEAK = 50,                   /* a region without a phrase and with less is weak, */
    WEAK_PART = 3,               /* or with less than this part of the most; */
    MOST_WEAK = 30,              /* so many are read */
    NEAR_BYTES = TRIB_UNIT + 64, /* between the starts of a short passage by two of its places */
    MOST_MATCHES = 1000          /* in one region */
};

/* A place with a phrase of the passage. */
typedef struct hit {
    uint32_t segment, place, asked, n_words, weight;
    uint64_t start; /* where the passage would begin, from that far before the segment */
} hit;
/* A phrase of the passage, or a word of it. */
typedef struct phrase {
    uint32_t hash, asked, n_words;
    size_t n; /* places; before they are read, at most so many */
} phrase;
/* Places that lie close in one text. */
typedef struct region {
    size_t first, n; /* of the hits */
    uint32_t segment, weight;
    size_t text;
    bool has_phrase;
} region;
/* Words that are equal along a diagonal, with some that are not between. */
typedef struct match {
    uint32_t asked, word, n; /* word: among the words of the region that have letters */
    uint32_t n_equal;
    double best;   /* equal words of the best chain that ends here */
    size_t before; /* the match before it in that chain, or SIZE_MAX */
    bool is_new;   /* `best` was set in this round */
} match;

/* A search. */
typedef struct search {
    const trib_index *index;
    trib_findings_list *list;
    uint64_t passage_bytes;
    trib_word_reader reader; /* its words: those of a region */
    trib_buffer bytes;
    phrase *phrase;
    hit *hit;
    region *region;
    size_t n_phrases, phrase_cap, n_hits, hit_cap, n_regions, region_cap;
    bool is_short;
    uint64_t n_word_places;
    uint32_t segment;  /* that is being looked at, */
    phrase *looked_up; /* and what is looked up */
    trib_status status;
    trib_error *error;
    match *match;
    size_t n_matches, match_cap;
} search;

/* ---- The passage ----------------------------------------------------------------------------- */

static trib_status read_passage(search *s, const trib_config *config, const trib_buffer *passage,
                                trib_error *error) {
    trib_word_reader *const reader = &s->list->passage;
    *reader = (trib_word_reader){.config = config};
    reader->words.spellings = &s->list->arena;
    const trib_status status =
        trib_word_reader_read(reader, "the passage", "UTF-8", passage, 0, error);
    if (status == TRIB_OK && reader->words.n < TRIB_PHRASE_WORDS)
        return trib_fail(error, TRIB_USAGE,
                         "the passage has %zu words with letters; give at least %d, so that it can "
                         "be told from other passages",
                         reader->words.n, TRIB_PHRASE_WORDS);
    return status == TRIB_OK ? trib_arena_check(&s->list->arena, error) : status;
}

/* ---- Places ---------------------------------------------------------------------------------- */

TRIB_ORDER(by_rarity, phrase, TRIB_UP(n) ?: TRIB_UP(asked));
TRIB_ORDER(by_asked_phrase, trib_frequent_phrase, TRIB_UP(asked));
TRIB_ORDER(by_start, hit, TRIB_UP(segment) ?: TRIB_UP(start) ?: TRIB_UP(asked));

static trib_status add_phrase(search *s, size_t asked, uint32_t hash, uint32_t n_words,
                              trib_error *error) {
    static const char what[] = "the passage";
    const trib_status status = TRIB_GROW(&s->phrase, &s->phrase_cap, s->n_phrases + 1, what, error);
    if (status != TRIB_OK) return status;
    phrase *const p = &s->phrase[s->n_phrases++];
    *p = (phrase){hash, (uint32_t)asked, n_words, 0};
    for (size_t k = 0; k < s->index->n; k++)
        p->n += trib_segment_most_places(&s->index->segment[k], hash);
    return TRIB_OK;
}

static trib_status take_phrase(void *context, size_t i, uint32_t hash, trib_error *error) {
    return add_phrase(context, i, hash, TRIB_PHRASE_WORDS, error);
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
    if (is_word && (p->n > MOST_PLACES || s->n_word_places > WORD_PLACES)) return TRIB_OK;
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

/* Looks up the phrases, and the words of a short passage, rare ones first. */
static trib_status find_places(search *s, trib_error *error) {
    const trib_hashed_words *const words = &s->list->passage.words;
    trib_findings_list *const l = s->list;
    trib_status status =
        trib_phrases_choose(words->hash, words->n, words->n <= EVERY_PHRASE, take_phrase, s, error);
    for (size_t i = 0; i < words->n && s->is_short && status == TRIB_OK; i++)
        status = add_phrase(s, i, trib_phrase_hash(&words->hash[i], 1), 1, error);
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

static trib_status find_regions(search *s, trib_error *error) {
    const uint64_t reach = s->is_short ? NEAR_BYTES : s->passage_bytes / 2 + GAP_BYTES;
    size_t *seen = NULL; /* the last region with a word of the passage, by its first hit, from 1 */
    trib_status status = TRIB_NEW(&seen, s->list->passage.words.n, "regions", error);
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

TRIB_SEARCH(first_word, uint64_t, uint64_t, *x < key);

/* How many words to go from a place, forwards (step 1) or backwards (-1), to the best score. */
static size_t grow(const search *s, size_t asked, size_t word, int step) {
    const trib_hashed_words *const x = &s->list->passage.words, *const y = &s->reader.words;
    const uint32_t *const a = x->hash, *const b = y->hash;
    const size_t n_a = x->n, n_b = y->n;
    int score = 0, best = 0;
    size_t n = 0, at_best = 0;
    while (step > 0 ? asked + n < n_a && word + n < n_b : n < asked && n < word) {
        const bool is_equal =
            step > 0 ? a[asked + n] == b[word + n] : a[asked - 1 - n] == b[word - 1 - n];
        n++;
        score += is_equal ? EQUAL : n_a <= BRIEF ? OTHER_BRIEF : OTHER;
        if (score > best) best = score, at_best = n;
        if (score <= best - STOP) break;
    }
    return at_best;
}

/* Whether words i of a match are equal. */
static bool are_equal(const search *s, const match *m, uint32_t i) {
    return s->list->passage.words.hash[m->asked + i] == s->reader.words.hash[m->word + i];
}

/* The equal words among the first n of a match. */
static uint32_t count_equal(const search *s, const match *m, uint32_t n) {
    uint32_t n_equal = 0;
    for (uint32_t i = 0; i < n; i++) n_equal += are_equal(s, m, i);
    return n_equal;
}

/* Adds what grows from two equal words, unless it is there. */
static trib_status add_match(search *s, size_t asked, size_t word, trib_error *error) {
    if (s->n_matches == MOST_MATCHES) return TRIB_OK;
    for (size_t i = 0; i < s->n_matches; i++) {
        const match *const m = &s->match[i];
        if (asked >= m->asked && asked < m->asked + m->n && word - m->word == asked - m->asked &&
            word >= m->word)
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

/* Adds what grows from a place of a text, which begins at byte `first` of the segment. */
static trib_status add_matches(search *s, const hit *h, uint64_t first, trib_error *error) {
    const trib_hashed_words *const x = &s->list->passage.words, *const y = &s->reader.words;
    const uint64_t from = h->place - first;
    trib_status status = TRIB_OK;
    for (size_t w = first_word(y->from, y->n, from);
         w + h->n_words <= y->n && y->from[w] < from + TRIB_UNIT && status == TRIB_OK; w++)
        if (memcmp(x->hash + h->asked, y->hash + w, h->n_words * sizeof *x->hash) == 0)
            status = add_match(s, h->asked, w, error);
    return status;
}

TRIB_ORDER(by_asked, match, TRIB_UP(asked) ?: TRIB_UP(word));

/* How many words of `next` lie in what `last` covers in either text. */
static uint32_t overlap(const match *last, const match *next) {
    const uint32_t a = last->asked + last->n, b = last->word + last->n;
    const uint32_t in_a = a > next->asked ? a - next->asked : 0;
    const uint32_t in_b = b > next->word ? b - next->word : 0;
    return in_a > in_b ? in_a : in_b;
}

/* Sets the best chain that ends with match i, over the matches from `first` on before it. */
static void set_best(search *s, size_t i, size_t first) {
    match *const m = &s->match[i];
    m->best = m->n_equal;
    m->before = SIZE_MAX;
    for (size_t k = first; k < i; k++) {
        const match *const l = &s->match[k];
        if (l->n == 0 || l->word >= m->word || l->asked >= m->asked) continue;
        const uint32_t in = overlap(l, m);
        if (in >= m->n || m->asked + in > l->asked + l->n + LONGEST_GAP ||
            m->word + in > l->word + l->n + LONGEST_GAP)
            continue;
        const uint32_t n_equal = m->n_equal - count_equal(s, m, in);
        const bool is_shifted = m->word - m->asked != l->word - l->asked;
        const double sum = l->best + n_equal - (is_shifted && n_equal < SURE ? 1.5 : .5);
        if (sum > m->best) m->best = sum, m->before = k;
    }
}

/* Finds the chain of matches in the same order with most equal words; returns its last match. After
 * the first round only chains that went through used matches are sought again. */
static size_t best_chain(search *s, bool is_first) {
    size_t best = SIZE_MAX, first = 0;
    uint32_t longest = 0;
    for (size_t i = 0; i < s->n_matches; i++)
        if (s->match[i].n > longest) longest = s->match[i].n;
    for (size_t i = 0; i < s->n_matches; i++) {
        match *const m = &s->match[i];
        const match *const l = m->before < i ? &s->match[m->before] : NULL;
        /* too far away for the longest */
        while (s->match[first].asked + longest + LONGEST_GAP < m->asked) first++;
        m->is_new = is_first || (l && (l->n == 0 || l->is_new));
        if (m->n == 0) continue;
        if (m->is_new) set_best(s, i, first);
        if (best == SIZE_MAX || m->best > s->match[best].best) best = i;
    }
    return best;
}

static trib_status add_run(search *s, uint32_t asked, uint32_t word, trib_error *error) {
    trib_findings_list *const l = s->list;
    trib_found *const f = &l->found[l->n];
    const trib_hashed_words *const words = &s->reader.words;
    trib_found_run *const last = l->n_runs > f->first_run ? &l->run[l->n_runs - 1] : NULL;
    f->n_equal++;
    if (last && last->asked + last->n == asked && last->word + last->n == word) {
        last->n++;
        last->end = words->end[word];
        return TRIB_OK;
    }
    const trib_status status = TRIB_APPEND(&l->run, &l->n_runs, &l->run_cap, "equal words", error,
                                           &(trib_found_run){.asked = asked,
                                                             .n = 1,
                                                             .word = word,
                                                             .from = words->from[word],
                                                             .end = words->end[word]});
    return status;
}

/* Makes a finding of the chain that ends with match `end`; its matches are used up. */
static trib_status add_found(search *s, const region *r, size_t end, trib_error *error) {
    trib_findings_list *const l = s->list;
    size_t order[MOST_MATCHES], n = 0;
    for (size_t i = end; i != SIZE_MAX; i = s->match[i].before) order[n++] = i;
    trib_status status = TRIB_GROW(&l->found, &l->cap, l->n + 1, "what was found", error);
    if (status != TRIB_OK) return status;
    trib_found *const f = &l->found[l->n];
    *f = (trib_found){
        .segment = &s->index->segment[r->segment], .text = r->text, .first_run = l->n_runs};
    uint32_t asked = 0, word = 0; /* ends of what is covered so far */
    while (n > 0 && status == TRIB_OK) {
        match *const m = &s->match[order[--n]];
        const match covered = {.asked = asked, .word = word};
        for (uint32_t i = overlap(&covered, m); i < m->n && status == TRIB_OK; i++)
            if (are_equal(s, m, i)) status = add_run(s, m->asked + i, m->word + i, error);
        asked = m->asked + m->n, word = m->word + m->n;
        m->n = 0;
    }
    f->n_runs = l->n_runs - f->first_run;
    if (f->n_runs == 0) return status;
    const trib_found_run first = l->run[f->first_run], last = l->run[l->n_runs - 1];
    f->asked = first.asked;
    f->n_asked = last.asked + last.n - first.asked;
    f->from = first.from;
    f->end = last.end;
    f->n_words = last.word + last.n - first.word;
    for (size_t i = f->first_run; i < l->n_runs; i++) l->run[i].word -= first.word;
    l->n += status == TRIB_OK;
    return status;
}

/* Reads the words around the places of a region. */
static trib_status read_words(search *s, const region *r, trib_error *error) {
    const trib_segment *const segment = &s->index->segment[r->segment];
    const uint64_t base = segment->text[r->text].first_byte;
    const uint64_t *const of = s->list->passage.words.from;
    uint64_t skipped, from = UINT64_MAX, end = 0;
    for (size_t i = r->first; i < r->first + r->n; i++) {
        const uint64_t at = s->hit[i].place - base, asked = of[s->hit[i].asked];
        const uint64_t before = asked * 3 / 2 + GAP_BYTES;
        const uint64_t after = (s->passage_bytes - asked) * 3 / 2 + GAP_BYTES;
        if (at + after > end) end = at + after;
        if ((at > before ? at - before : 0) < from) from = at > before ? at - before : 0;
    }
    trib_buffer_clear(&s->bytes);
    trib_status status =
        trib_segment_bytes(segment, r->text, from, end, &s->bytes, &skipped, error);
    if (status != TRIB_OK) return status;
    from = from > skipped ? from - skipped : 0;
    while (from > 0 && from < s->bytes.length && s->bytes.text[from - 1] != ' ' &&
           s->bytes.text[from - 1] != '\n')
        from++;
    end -= skipped;
    if (end > s->bytes.length) end = s->bytes.length;
    if (from > end) from = end;
    const trib_buffer part = {.text = s->bytes.text ? s->bytes.text + from : NULL,
                              .length = (size_t)(end - from)};
    return trib_word_reader_read(&s->reader, segment->path, "UTF-8", &part, skipped + from, error);
}

/* Reads a region and finds what it has of the passage. */
static trib_status read_region(search *s, const region *r, trib_error *error) {
    const size_t n = s->list->passage.words.n, least = n < LEAST_EQUAL ? n : LEAST_EQUAL;
    const trib_segment *const segment = &s->index->segment[r->segment];
    const uint64_t base = segment->text[r->text].first_byte;
    trib_indexed_text about; /* what is said of the text is checked */
    trib_status status = trib_segment_about(segment, r->text, &about, error);
    if (status == TRIB_OK) status = read_words(s, r, error);
    s->n_matches = 0;
    for (size_t i = 0; i < r->n && status == TRIB_OK; i++)
        status = add_matches(s, &s->hit[r->first + i], base, error);
    if (s->n_matches > 0) qsort(s->match, s->n_matches, sizeof *s->match, by_asked);
    for (bool is_first = true; status == TRIB_OK; is_first = false) {
        const size_t best = best_chain(s, is_first);
        if (best == SIZE_MAX || s->match[best].best < (double)least - .5) break;
        const size_t n_found = s->list->n;
        status = add_found(s, r, best, error);
        if (s->list->n > n_found && s->list->found[n_found].n_equal < least) s->list->n = n_found;
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

trib_status trib_index_find(const trib_index *index, const trib_config *config,
                            const trib_buffer *passage, trib_findings_list *list,
                            trib_error *error) {
    search s = {.index = index,
                .list = list,
                .reader = {.config = config},
                .passage_bytes = passage->length};
    *list = (trib_findings_list){0};
    for (size_t k = 0; k < index->n; k++) trib_mapped_file_scatter(&index->segment[k].file);
    trib_status status = read_passage(&s, config, passage, error);
    s.is_short = list->passage.words.n <= SHORT;
    if (status == TRIB_OK) status = find_places(&s, error);
    if (status == TRIB_OK) status = find_regions(&s, error);
    for (size_t i = 0, n_weak = 0; i < s.n_regions && status == TRIB_OK; i++) {
        const region *const one = &s.region[i];
        const bool is_weak = one->weight < WEAK || one->weight < s.region->weight / WEAK_PART;
        if (!one->has_phrase && is_weak && ++n_weak > MOST_WEAK) continue;
        if (i < MOST_REGIONS + n_weak) status = read_region(&s, one, error);
        else list->n_unread += one->has_phrase ? one->n : 0;
    }
    if (status == TRIB_OK) trib_found_settle(list);
    trib_word_reader_close(&s.reader);
    trib_buffer_release(&s.bytes);
    TRIB_FREE(s.phrase, s.hit, s.region, s.match);
    return status;
}

void trib_findings_list_release(trib_findings_list *list) {
    trib_word_reader_close(&list->passage);
    trib_arena_release(&list->arena);
    TRIB_FREE(list->found, list->run, list->frequent);
    *list = (trib_findings_list){0};
}
