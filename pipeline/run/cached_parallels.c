/* cached_parallels.c - the cached possible allusions of a target. They depend on the texts of the
 * target and its sources, on which words are equal or left out (tokens.*), on how often every word
 * occurs in the corpus, and on the table of lemmas. */
#include <string.h>

#include "pipeline/run/cached.h"

trib_status trib_cached_print_lexicon(trib_run *run, trib_error *error) {
    const char *path = run->env.config->parallels.lemmas_path;
    trib_buffer table = {0};
    trib_identity lexicon = {0};
    const trib_status status = path ? trib_read_whole(path, &table, error) : TRIB_OK;
    trib_identity_hash(&lexicon, run->words.changes.hash, sizeof run->words.changes.hash);
    for (uint32_t id = 0; id < run->vocab.n_words; id++) {
        trib_identity_hash_word(&lexicon, &run->vocab, id);
        trib_identity_hash(&lexicon, &run->vocab.count[id], sizeof run->vocab.count[id]);
    }
    if (table.length > 0) trib_identity_hash(&lexicon, table.text, table.length);
    trib_buffer_release(&table);
    const trib_status hashed = trib_identity_close_hash(&lexicon, run->lexicon, error);
    return status == TRIB_OK ? hashed : status;
}

/* What the words of the target and of its sources depend on. */
static void add_key(const trib_run *run, uint32_t t, trib_identity *key) {
    const trib_target *target = &run->corpus.target[t];
    for (uint32_t s = 0; s <= target->n_sources; s++) {
        const uint32_t d = s < target->n_sources ? target->source[s] : target->document;
        trib_identity one = {0};
        trib_cached_tokens.key(run, d, &one);
        trib_identity_hash(key, one.text.text, one.text.length);
        if (trib_identity_close(&one, &key->failure) != TRIB_OK) return;
    }
    trib_identity_end_hash(key, "sources");
    trib_identity_add(key, "lexicon %s\n", run->lexicon);
}

static void pack(const trib_run *run, uint32_t t, trib_pack *out) {
    const trib_allusions *list = &run->allusions[t];
    trib_pack_u64(out, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const trib_allusion *pair = &list->pair[i];
        const uint32_t numbers[] = {pair->target.first, pair->target.n, pair->source.first,
                                    pair->source.n,     pair->from,     pair->distance};
        trib_pack_double(out, pair->score);
        trib_pack_double(out, pair->cosine);
        trib_pack_array(out, numbers, sizeof numbers / sizeof *numbers, sizeof *numbers);
        trib_pack_u64(out, pair->n_words);
    }
    trib_pack_u64(out, list->n_words);
    for (size_t i = 0; i < list->n_words; i++) {
        trib_pack_u64(out, list->word[i].count);
        trib_pack_u64(out, list->word[i].feature);
        trib_pack_u32(out, list->word[i].target);
        trib_pack_u32(out, list->word[i].source);
    }
    trib_pack_u64(out, list->text.length);
    trib_pack_array(out, list->text.text, list->text.length, 1);
}

enum { PAIR_BYTES = 48, WORD_BYTES = 24 };

/* Reads a number of items of at least `bytes` bytes each. */
static size_t count_of(trib_unpack *in, size_t bytes) {
    const uint64_t n = trib_unpack_u64(in);
    trib_unpack_expect(in, n <= (size_t)(in->end - in->at) / bytes);
    return in->is_wrong ? 0 : (size_t)n;
}

static bool is_within(const trib_parallel_unit *unit, size_t n_words) {
    return unit->n > 0 && unit->first < n_words && unit->n <= n_words - unit->first;
}

/* Whether a pair and its words lie within the texts. */
static bool is_sound(const trib_run *run, const trib_target *target, const trib_allusions *list,
                     const trib_allusion *pair) {
    if (pair->from >= target->n_sources || pair->n_words == 0) return false;
    const size_t n_own = run->words.document[target->document].n_tokens,
                 n_source = run->words.document[target->source[pair->from]].n_tokens;
    bool holds = is_within(&pair->target, n_own) && is_within(&pair->source, n_source);
    for (size_t i = 0; holds && i < pair->n_words; i++) {
        const trib_allusion_word *word = &list->word[pair->first_word + i];
        holds = word->target >= pair->target.first && word->source >= pair->source.first &&
                word->target - pair->target.first < pair->target.n &&
                word->source - pair->source.first < pair->source.n &&
                word->feature < list->text.length;
    }
    return holds;
}

static trib_status unpack_pairs(trib_allusions *list, trib_unpack *in, trib_error *error) {
    const size_t n = count_of(in, PAIR_BYTES);
    const trib_status status = TRIB_NEW(&list->pair, n, "possible allusions", error);
    if (status != TRIB_OK) return status;
    list->n = list->cap = n;
    for (size_t i = 0; i < n; i++) {
        trib_allusion *pair = &list->pair[i];
        uint32_t x[6] = {0};
        pair->score = trib_unpack_double(in);
        pair->cosine = trib_unpack_double(in);
        trib_unpack_into(in, x, 6, sizeof *x);
        pair->target = (trib_parallel_unit){x[0], x[1]};
        pair->source = (trib_parallel_unit){x[2], x[3]};
        pair->from = x[4];
        pair->distance = x[5];
        pair->n_words = (size_t)trib_unpack_u64(in);
    }
    return TRIB_OK;
}

static trib_status unpack_words(trib_allusions *list, trib_unpack *in, trib_error *error) {
    const size_t n = count_of(in, WORD_BYTES);
    trib_status status = TRIB_NEW(&list->word, n, "possible allusions", error);
    if (status != TRIB_OK) return status;
    list->n_words = list->word_cap = n;
    for (size_t i = 0; i < n; i++) {
        trib_allusion_word *word = &list->word[i];
        word->count = trib_unpack_u64(in);
        word->feature = (size_t)trib_unpack_u64(in);
        word->target = trib_unpack_u32(in);
        word->source = trib_unpack_u32(in);
    }
    const size_t length = count_of(in, 1);
    if (length > 0) status = trib_buffer_add(&list->text, in->at, length, error);
    in->at += length;
    trib_unpack_expect(in, length == 0 || list->text.text[length - 1] == '\0');
    return status;
}

static trib_status unpack(trib_run *run, uint32_t t, trib_unpack *in, trib_error *error) {
    trib_allusions *list = &run->allusions[t];
    size_t n = 0;
    trib_status status = unpack_pairs(list, in, error);
    if (status == TRIB_OK) status = unpack_words(list, in, error);
    for (size_t i = 0; status == TRIB_OK && !in->is_wrong && i < list->n; i++) {
        trib_allusion *pair = &list->pair[i];
        pair->first_word = n;
        trib_unpack_expect(in, pair->n_words <= list->n_words - n);
        if (in->is_wrong) break;
        n += pair->n_words;
        trib_unpack_expect(in, is_sound(run, &run->corpus.target[t], list, pair));
    }
    trib_unpack_expect(in, n == list->n_words);
    return status;
}

static void forget(trib_run *run, uint32_t t) { trib_allusions_release(&run->allusions[t]); }

static trib_status search(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                          trib_error *error) {
    return trib_allusions_find(&run->search, t, n_threads, progress, &run->allusions[t], error);
}

static uint64_t size(const void *context, uint32_t t) {
    const trib_run *run = context;
    return run->words.document[run->corpus.target[t].document].n_tokens;
}

static const trib_given given[] = {TRIB_GIVEN(corpus.encoding, corpus.max_strip),
                                   TRIB_GIVEN(tokens.locale, tokens.break_at),
                                   TRIB_GIVEN(parallels, parallels),
                                   {0, 0}};

const trib_cached_row trib_cached_parallels = {.stage = "parallels",
                                               .given = given,
                                               .count = trib_cached_targets,
                                               .size = size,
                                               .work = search,
                                               .key = add_key,
                                               .name = trib_cached_target_id,
                                               .pack = pack,
                                               .unpack = unpack,
                                               .forget = forget};
