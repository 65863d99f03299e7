/* find.c - a passage is looked up in a library. Its phrases lead to places; places that lie close
 * in one text, as they do in the passage, are a region; in the regions with most of them, and the
 * rarest, runs of equal words grow from the places along their diagonals, and the best chain of
 * runs in the same order is what was found. Of a short passage, whose phrases may all be altered,
 * the words are looked up, too. */
#include "pipeline/index/search.h"

enum {
    MOST_REGIONS = 200, /* regions that are read, those with most places first */
    LEAST_EQUAL = 8,    /* equal words of what is found; fewer if the passage has fewer */
    EQUAL = 2,          /* the score of an equal word, of another, and where a run ends */
    OTHER = -3,
    STOP = 12,
    BRIEF = 24, /* in a passage of so many words another word counts less */
    OTHER_BRIEF = -1,
    SURE = 3,           /* fewer equal words that are shifted against others count less */
    LONGEST_GAP = 40,   /* words between two runs, in either text */
    GAP_BYTES = 512,    /* about as long as that */
    REACH = 300,        /* bytes of a text that are read around a place at first, */
    EDGE = 2,           /* unless words so near to their ends were compared */
    WEAK = 50,          /* a region without a phrase and with less is weak, */
    WEAK_PART = 3,      /* or with less than this part of the most; */
    MOST_WEAK = 30,     /* so many are read */
    MOST_MATCHES = 1000 /* in one region */
};

/* ---- Regions --------------------------------------------------------------------------------- */

/* Sets the bytes that are read around the hits of a region: as many as the passage may have, but at
 * most `reach` before and after. */
static void set_bytes(const search *s, region *r, uint64_t reach) {
    const trib_segment_text *const text = &s->index->segment[r->segment].text[r->text];
    const uint64_t *const of = s->list->passage.words.from;
    uint64_t from = UINT64_MAX, end = 0; /* of the passage */
    r->from = UINT64_MAX;
    r->end = 0;
    for (size_t i = r->first; i < r->first + r->n; i++) {
        const uint64_t at = s->hit[i].place - text->first_byte, asked = of[s->hit[i].asked];
        const uint64_t before = asked * 3 / 2 + GAP_BYTES, near = before < reach ? before : reach;
        const uint64_t after = (s->passage_bytes - asked) * 3 / 2 + GAP_BYTES;
        const uint64_t next = after < reach + TRIB_UNIT ? after : reach + TRIB_UNIT;
        if ((at > before ? at - before : 0) < from) from = at > before ? at - before : 0;
        if ((at > near ? at - near : 0) < r->from) r->from = at > near ? at - near : 0;
        if (at + after > end) end = at + after;
        if (at + next > r->end) r->end = at + next;
    }
    r->is_cut = from < r->from;
    r->is_open = r->end < end && r->end < text->n_bytes;
}

TRIB_ORDER(by_first_hit, region, TRIB_UP(first));

/* Keeps the regions that are read, and announces them. Those of one text follow each other. */
static void choose_regions(search *s) {
    const uint32_t most = s->n_regions > 0 ? s->region->weight : 0;
    size_t n = 0, n_weak = 0;
    for (size_t i = 0; i < s->n_regions; i++) {
        region one = s->region[i];
        const bool is_weak = one.weight < WEAK || one.weight < most / WEAK_PART;
        if (!one.has_phrase && is_weak && ++n_weak > MOST_WEAK) continue;
        if (i >= MOST_REGIONS + n_weak) {
            s->list->n_unread += one.has_phrase ? one.n : 0;
            continue;
        }
        one.rank = (uint32_t)n;
        set_bytes(s, &one, REACH);
        trib_segment_announce_bytes(&s->index->segment[one.segment], one.text, one.from, one.end);
        s->region[n++] = one;
    }
    s->n_regions = n;
    if (n > 0) qsort(s->region, n, sizeof *s->region, by_first_hit);
}

TRIB_SEARCH(first_word, uint64_t, uint64_t, *x < key);

/* How many words to go from a place, forwards (step 1) or backwards (-1), to the best score. */
static size_t grow(search *s, size_t asked, size_t word, int step) {
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
    s->is_too_short = s->is_too_short || (step > 0 ? s->read->is_open && word + n + EDGE >= n_b
                                                   : s->read->is_cut && word <= n + EDGE);
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
    *f = (trib_found){.segment = &s->index->segment[r->segment],
                      .text = r->text,
                      .first_run = l->n_runs,
                      .family = r->rank};
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
    uint64_t from = r->from, end = r->end;
    if (s->bytes.length == 0 || s->held.segment != r->segment || s->held.text != r->text ||
        s->held.from / TRIB_PIECE != from / TRIB_PIECE ||
        (s->held.end - 1) / TRIB_PIECE != (end - 1) / TRIB_PIECE) {
        trib_buffer_clear(&s->bytes);
        const trib_status status =
            trib_segment_bytes(segment, r->text, from, end, &s->bytes, &s->skipped, error);
        if (status != TRIB_OK) return status;
        s->held = *r;
    }
    const uint64_t skipped = s->skipped;
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
static trib_status read_region(search *s, region *r, trib_error *error) {
    const size_t n = s->list->passage.words.n, least = n < LEAST_EQUAL ? n : LEAST_EQUAL;
    const trib_segment *const segment = &s->index->segment[r->segment];
    const uint64_t base = segment->text[r->text].first_byte;
    trib_indexed_text about; /* what is said of the text is checked */
    trib_status status = trib_segment_about(segment, r->text, &about, error);
    s->read = r;
    s->is_too_short = true;
    for (uint64_t reach = REACH; s->is_too_short && status == TRIB_OK; reach = UINT32_MAX) {
        set_bytes(s, r, reach);
        s->is_too_short = false;
        s->n_matches = 0;
        status = read_words(s, r, error);
        for (size_t i = 0; i < r->n && status == TRIB_OK; i++)
            status = add_matches(s, &s->hit[r->first + i], base, error);
    }
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
    search s;
    trib_status status = trib_search_begin(&s, index, config, passage, list, error);
    if (status == TRIB_OK) status = trib_search_add_passage(&s, error);
    if (status == TRIB_OK) status = trib_search_regions(&s, error);
    if (status == TRIB_OK) choose_regions(&s);
    for (size_t i = 0; i < s.n_regions && status == TRIB_OK; i++)
        status = read_region(&s, &s.region[i], error);
    if (status == TRIB_OK) trib_found_settle(list);
    trib_search_release(&s);
    return status;
}

void trib_findings_list_release(trib_findings_list *list) {
    trib_word_reader_close(&list->passage);
    trib_arena_release(&list->arena);
    TRIB_FREE(list->found, list->run, list->frequent);
    *list = (trib_findings_list){0};
}
