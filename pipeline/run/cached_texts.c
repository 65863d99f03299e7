/* cached_texts.c - what is cached of a text: its words, the hash of its n-grams, and its possible
 * allusions. */
#include "pipeline/run/cached.h"

#include <unicode/uversion.h>

#include "pipeline/stages/tensors.h"
#include "pipeline/text/input.h"
#include "pipeline/text/text_formats.h"

/* ---- Words ----------------------------------------------------------------------------------- */

/* The words of a document are cached as the file of words.h. The key identifies the bytes of the
 * document and how they are cut into words. When the words are cached, the document is not
 * unpacked, decoded or read again. */

static bool is_read(const trib_run *run, uint32_t d) { return !run->corpus.document[d].rejected; }

/* The key: the bytes of the document, its kind, the version of its reader, its language and the
 * settings. */
static void add_text(const trib_run *run, uint32_t d, trib_identity *key) {
    const trib_document *document = &run->corpus.document[d];
    const trib_corpus_document *about = document->about;
    UVersionInfo version;
    char icu[U_MAX_VERSION_STRING_LENGTH];
    u_getVersion(version);
    u_versionToString(version, icu);
    trib_identity_add(key, "file %s\nkind %s\nreader ICU %s ", document->sha256, document->kind,
                      icu);
    if (key->failure.status == TRIB_OK)
        (void)trib_text_format_print_reader(&key->text, document->kind, &key->failure);
    const char *markup = run->env.config->corpus.edition.rules;
    if (markup) trib_identity_add(key, "\nmarkup %s", markup);
    trib_identity_add(key, "\nlanguage %s\nencoding %s\n", about->language ? about->language : "",
                      about->encoding ? about->encoding : "");
}

static const trib_given given_tokens[] = {TRIB_GIVEN(corpus.encoding, corpus.max_strip),
                                          TRIB_GIVEN(tokens.locale, tokens.break_at),
                                          {0, 0}};

const trib_cached_row trib_cached_tokens = {.stage = "tokens",
                                            .given = given_tokens,
                                            .count = trib_cached_documents,
                                            .is_kept = is_read,
                                            .key = add_text,
                                            .name = trib_cached_id};

/* Sets *good to whether the words can be opened, and then *n_words to their number. */
static trib_status look_at(const trib_reader *reader, uint64_t from, uint64_t length, bool *good,
                           uint64_t *n_words, trib_error *error) {
    trib_error failure = {0};
    trib_words words;
    const trib_status status = trib_words_open(&words, reader, from, length, &failure);
    *good = status == TRIB_OK;
    if (status == TRIB_OK) *n_words = words.n_tokens;
    if (status == TRIB_OK) trib_words_close(&words);
    if (status == TRIB_OK || status == TRIB_INPUT) return TRIB_OK;
    if (error) *error = failure;
    return status;
}

static trib_status take_words(void *context, uint32_t d, trib_writer *out,
                              const trib_reader *reader, bool *taken, uint64_t *n_words,
                              trib_error *error) {
    const trib_run *run = context;
    const uint64_t from = out->n_written;
    uint64_t length = 0;
    TRIB_OWNED(trib_buffer) key = {0};
    *taken = false;
    if (run->corpus.document[d].rejected) return TRIB_OK;
    trib_status status = trib_cached_key(run, &trib_cached_tokens, d, &key, error);
    if (status == TRIB_OK) *taken = trib_cache_copy(run->cache, "tokens", &key, out, &length);
    if (status == TRIB_OK && *taken) {
        status = trib_writer_flush(out, error);
        if (status == TRIB_OK) status = look_at(reader, from, length, taken, n_words, error);
        if (status == TRIB_OK && !*taken)
            trib_cache_report(run->cache, "tokens", &key, "its contents are invalid");
    }
    return status;
}

static trib_status put_words(void *context, uint32_t d, trib_error *error) {
    const trib_run *run = context;
    const trib_document *document = &run->corpus.document[d];
    const trib_document_words *words = &run->words.document[d];
    const trib_cache_piece piece = {words->file, words->from, words->size};
    const bool is_same =
        trib_byte_source_stamp(document->about->path, document->has_pages) == document->stamp;
    return run->is_dry || !is_same
               ? TRIB_OK
               : trib_cached_put_piece(run, &trib_cached_tokens, d, piece, error);
}

trib_words_source trib_cached_words(trib_run *run) {
    return (trib_words_source){.context = run, .take = take_words, .put = put_words};
}

/* ---- N-grams --------------------------------------------------------------------------------- */

/* The fingerprint of a text is a hash of its n-gram counts. It is part of the keys of all stages
 * after tensors. The fingerprint is cached, because hashing the counts takes as long as counting.
 * The counts are not cached: counting the n-grams of the cached words is as fast as reading counts,
 * and the words need a quarter of the disk space. */

/* Adds which words of the document are in the vocabulary, which are <other>, and what makes two
 * words one. */
static void add_cut(const trib_run *run, uint32_t d, trib_identity *key) {
    const trib_document_words *document = &run->words.document[d];
    trib_words words;
    if (key->failure.status != TRIB_OK ||
        trib_document_words_open(document, &words, &key->failure) != TRIB_OK)
        return;
    const uint32_t *const id = words.id;
    trib_identity_hash(key, run->words.changes.hash, sizeof run->words.changes.hash);
    for (uint32_t w = 0; w < words.n_words; w++) {
        const bool is_word = id[w] != TRIB_NO_WORD && id[w] != run->vocab.other;
        trib_identity_hash(key, id[w] == TRIB_NO_WORD ? "-" : is_word ? "w" : "o", 1);
        if (is_word && run->words.changes.has_norms) /* the whole corpus chose the spelling */
            trib_identity_hash_word(key, &run->vocab, id[w]);
    }
    trib_words_close(&words);
    trib_identity_end_hash(key, "cut");
}

static bool wants_order(const trib_run *run) {
    return !run->tensors_are_last && trib_config_wants_order(run->env.config);
}

static void add_counts(const trib_run *run, uint32_t d, trib_identity *key) {
    add_text(run, d, key);
    add_cut(run, d, key);
    trib_identity_add(key, "order %d\n", (int)wants_order(run));
}

static void hash_counts(trib_identity *print, const trib_hacoo *counts) {
    for (size_t e = 0; e < counts->nnz; e++) {
        uint32_t entry[TRIB_MAX_MODES + 1];
        entry[counts->n_modes] = trib_hacoo_entry(counts, e, entry);
        trib_identity_hash(print, entry, (counts->n_modes + 1) * sizeof *entry);
    }
}

/* Hashes the number of words, the document's vocabulary from the most frequent word on, and its
 * n-grams with their counts in the order they first appear. For methods that use the order of the
 * text, a second hash adds the sequence of n-grams. */
static trib_status print_document(trib_run *run, uint32_t d, trib_error *error) {
    const trib_counts *document = &run->tensors.document[d];
    trib_fingerprint *print = &run->fingerprint[d];
    const uint64_t sizes[] = {run->words.document[d].n_tokens, document->n_local,
                              document->ngrams.nnz};
    trib_identity counts = {0}, order = {0};
    trib_identity_hash(&counts, sizes, sizeof sizes);
    for (uint32_t i = 0; i < document->n_local; i++)
        trib_identity_hash_word(&counts, &run->vocab, document->word[i]);
    hash_counts(&counts, &document->ngrams);
    if (document->skips.n_modes > 0) hash_counts(&counts, &document->skips);
    const trib_status status = trib_identity_close_hash(&counts, print->counts, error);
    if (status != TRIB_OK || !document->sequence) return status;
    trib_identity_hash(&order, print->counts, TRIB_SHA256_TEXT);
    trib_identity_hash(&order, document->sequence, document->n_ngrams * sizeof *document->sequence);
    return trib_identity_close_hash(&order, print->order, error);
}

static trib_status print_part(trib_run *run, uint32_t d, int n_threads, trib_progress progress,
                              trib_error *error) {
    (void)n_threads;
    (void)progress;
    trib_status status = trib_counts_hold(&run->tensors, d, error);
    if (status != TRIB_OK) return status;
    status = print_document(run, d, error);
    trib_counts_drop(&run->tensors, d);
    return status;
}

/* Marks the input as invalid unless `print` is a hash (is_there) or empty (otherwise). */
static void expect_print(trib_pack *pack, const char print[TRIB_SHA256_TEXT], bool is_there) {
    const size_t wanted = is_there ? TRIB_SHA256_TEXT - 1 : 0;
    trib_pack_expect(pack, print[TRIB_SHA256_TEXT - 1] == '\0' &&
                               strspn(print, "0123456789abcdef") == wanted &&
                               print[wanted] == '\0');
}

static void pack_print(trib_run *run, uint32_t d, trib_pack *pack) {
    trib_fingerprint *print = &run->fingerprint[d];
    TRIB_PACK(pack, print->counts);
    TRIB_PACK(pack, print->order);
    expect_print(pack, print->counts, true);
    expect_print(pack, print->order, wants_order(run));
}

static void forget_print(trib_run *run, uint32_t d) {
    run->fingerprint[d] = (trib_fingerprint){.counts = ""};
}

static uint64_t n_nonzeros(const void *run, uint32_t d) {
    return ((const trib_run *)run)->tensors.document[d].ngrams.nnz;
}

static const int *owner_of(const trib_run *run) { return run->tensors.owner; }

static const trib_given given_tensors[] = {TRIB_GIVEN(corpus.encoding, corpus.max_strip),
                                           TRIB_GIVEN(tokens.locale, tokens.break_at),
                                           TRIB_GIVEN(tensor.n, tensor.buckets),
                                           {0, 0}};

const trib_cached_row trib_cached_tensors = {.stage = "tensors",
                                             .note =
                                                 "by their hashes; counting is as fast as reading",
                                             .given = given_tensors,
                                             .count = trib_cached_documents,
                                             .size = n_nonzeros,
                                             .owner = owner_of,
                                             .work = print_part,
                                             .key = add_counts,
                                             .name = trib_cached_id,
                                             .pack = pack_print,
                                             .forget = forget_print};

/* ---- Possible allusions ---------------------------------------------------------------------- */

/* They depend on the texts of the target and its sources, on which words are equal or left out
 * (tokens.*), on how often every word occurs in the corpus, and on the table of lemmas. */

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
static void add_allusions(const trib_run *run, uint32_t t, trib_identity *key) {
    const trib_target *target = &run->corpus.target[t];
    for (uint32_t s = 0; s <= target->n_sources; s++) {
        const uint32_t d = s < target->n_sources ? target->source[s] : target->document;
        trib_identity one = {0};
        add_text(run, d, &one);
        trib_identity_hash(key, one.text.text, one.text.length);
        if (trib_identity_close(&one, &key->failure) != TRIB_OK) return;
    }
    trib_identity_end_hash(key, "sources");
    trib_identity_add(key, "lexicon %s\n", run->lexicon);
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

static void pack_allusions(trib_run *run, uint32_t t, trib_pack *pack) {
    trib_allusions *list = &run->allusions[t];
    size_t n = 0;
    TRIB_PACK_LIST(pack, list->pair, list->n, "possible allusions");
    TRIB_PACK_LIST(pack, list->word, list->n_words, "possible allusions");
    TRIB_PACK_LIST(pack, list->text.text, list->text.length, "possible allusions");
    if (!pack->reads) return;
    list->cap = list->n;
    list->word_cap = list->n_words;
    list->text.cap = list->text.length;
    trib_pack_expect(pack, list->text.length == 0 || !list->text.text[list->text.length - 1]);
    for (size_t i = 0; i < list->n && trib_pack_is_good(pack); n += list->pair[i++].n_words) {
        const trib_allusion *pair = &list->pair[i];
        trib_pack_expect(pack, pair->first_word == n && pair->n_words <= list->n_words - n &&
                                   is_sound(run, &run->corpus.target[t], list, pair));
    }
    trib_pack_expect(pack, n == list->n_words);
}

static void forget_allusions(trib_run *run, uint32_t t) {
    trib_allusions_release(&run->allusions[t]);
}

static trib_status search(trib_run *run, uint32_t t, int n_threads, trib_progress progress,
                          trib_error *error) {
    return trib_allusions_find(&run->search, t, n_threads, progress, &run->allusions[t], error);
}

static uint64_t n_tokens(const void *context, uint32_t t) {
    const trib_run *run = context;
    return run->words.document[run->corpus.target[t].document].n_tokens;
}

static const trib_given given_parallels[] = {TRIB_GIVEN(corpus.encoding, corpus.max_strip),
                                             TRIB_GIVEN(tokens.locale, tokens.break_at),
                                             TRIB_GIVEN(parallels, parallels),
                                             {0, 0}};

const trib_cached_row trib_cached_parallels = {.stage = "parallels",
                                               .given = given_parallels,
                                               .count = trib_cached_targets,
                                               .size = n_tokens,
                                               .work = search,
                                               .key = add_allusions,
                                               .name = trib_cached_target_id,
                                               .pack = pack_allusions,
                                               .forget = forget_allusions};
