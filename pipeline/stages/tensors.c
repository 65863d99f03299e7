/* tensors.c - stage tensors: counts the n-grams of every document in a HaCOO tensor over the
 * document's own word ids, commonest first. Only this file converts a full window of n ids to a
 * coordinate of n indices. */
#include "pipeline/stages/tensors.h"

#include "base/internal.h"
#include "pipeline/config/config.h"

#include <pthread.h>

/* The first size of a table is for half as many n-grams as words, as in running text, and at most
 * this number, since a long text repeats itself. */
enum { FIRST_TABLE = 1 << 20 };

/* A word of one document while the document's ids are assigned. */
typedef struct local_word {
    uint32_t id;    /* vocabulary id */
    uint32_t place; /* word number in the document's file; for <other>, any such word */
    uint64_t count;
    uint64_t first_bytes; /* of the text */
    const char *text, *norm;
} local_word;

/* Sorts by descending count in the document, then by code point (the byte order of UTF-8) of the
 * spelling and the norm: other texts decide the order of ids. */
TRIB_ORDER(by_frequency, local_word, TRIB_DOWN(count) ?: TRIB_UP(first_bytes) ?:
           strcmp(x->text, y->text) ?: strcmp(x->norm, y->norm));

/* Lists the words of the document that are in the vocabulary, with <other> once for all others, and
 * returns their number. */
static uint32_t list_words(const trib_vocab *vocab, const uint32_t *id_of, const trib_words *words,
                           local_word *list) {
    uint32_t n = 0, other = TRIB_NO_WORD;
    for (uint32_t w = 0; w < words->n_words; w++) {
        const uint32_t id = id_of[w];
        if (id == TRIB_NO_WORD) continue;
        if (id == vocab->other && other != TRIB_NO_WORD) {
            list[other].count += words->count[w];
            continue;
        }
        if (id == vocab->other) other = n;
        list[n++] = (local_word){id,
                                 w,
                                 words->count[w],
                                 trib_first_bytes(vocab->word[id]),
                                 vocab->word[id],
                                 trib_vocab_norm(vocab, id)};
    }
    return n;
}

TRIB_ORDER(by_id, local_word, TRIB_UP(id) ?: TRIB_UP(place));

/* Makes the spellings of one norm one word of the list, with the number of the first of them.
 * place[w] becomes the number of the word that stands for the w-th word of the document. */
static uint32_t merge_spellings(local_word *list, uint32_t n, uint32_t *place) {
    uint32_t n_merged = 0;
    if (n > 0) qsort(list, n, sizeof *list, by_id);
    for (uint32_t i = 0; i < n; i++) {
        const local_word word = list[i];
        if (n_merged > 0 && list[n_merged - 1].id == word.id) {
            list[n_merged - 1].count += word.count;
        } else {
            list[n_merged++] = word;
        }
        place[word.place] = list[n_merged - 1].place;
    }
    return n_merged;
}

/* Assigns the document's own ids, commonest word first. counts->word[own id] is the vocabulary id;
 * own[w] is the own id of the w-th word of the document's file, or TRIB_NO_WORD. *other is the own
 * id of <other>, or TRIB_NO_WORD. */
static trib_status number_words(const trib_vocab *vocab, const uint32_t *id_of,
                                const trib_words *words, bool has_norms, trib_counts *counts,
                                uint32_t *own, uint32_t *other, trib_error *error) {
    local_word *list = NULL;
    uint32_t *place = NULL; /* [n_words] with norms: the word that stands for each */
    uint32_t n = 0;
    trib_status status = TRIB_NEW(&list, words->n_words, "a document's words", error);
    if (status == TRIB_OK && has_norms)
        status = TRIB_NEW(&place, words->n_words, "a document's words", error);
    if (status == TRIB_OK) {
        n = list_words(vocab, id_of, words, list);
        for (uint32_t w = 0; w < words->n_words && has_norms; w++) place[w] = w;
        if (has_norms) n = merge_spellings(list, n, place);
        if (n > 0) qsort(list, n, sizeof *list, by_frequency);
        status = TRIB_NEW(&counts->word, n, "a document's words", error);
    }
    *other = TRIB_NO_WORD;
    if (status == TRIB_OK) {
        counts->n_local = n;
        for (uint32_t w = 0; w < words->n_words; w++) own[w] = TRIB_NO_WORD;
        for (uint32_t i = 0; i < n; i++) {
            counts->word[i] = list[i].id;
            own[list[i].place] = i;
            if (list[i].id == vocab->other) *other = i;
        }
        for (uint32_t w = 0; w < words->n_words && *other != TRIB_NO_WORD; w++)
            if (id_of[w] == vocab->other) own[w] = *other;
        for (uint32_t w = 0; w < words->n_words && has_norms; w++) own[w] = own[place[w]];
    }
    TRIB_FREE(place, list);
    return status;
}

/* Consecutive words without a break, and their windows that are not counted yet. */
typedef struct stretch {
    trib_hacoo_stream stream;
    uint32_t n;      /* order of the n-grams */
    uint32_t other;  /* own id of <other> */
    size_t length;   /* ids in `id`; the first n-1 may belong to windows already counted */
    size_t n_common; /* ids since the last <other>, at most n */
    uint64_t n_ngrams, n_wild;
    uint32_t skip; /* largest gap */
    trib_skip_ngrams window;
    trib_hacoo_stream skips; /* with skip > 0 */
    uint32_t id[TRIB_WORDS_BLOCK + TRIB_MAX_NGRAM];
} stretch;

/* Counts the pending windows and keeps the last n-1 ids for the next ones. */
static trib_status count_windows(stretch *s, trib_error *error) {
    if (s->length < s->n) return TRIB_OK;
    const size_t n_windows = s->length - s->n + 1;
    const trib_status status = trib_hacoo_stream_windows(&s->stream, s->length, s->id, error);
    s->n_ngrams += n_windows;
    memmove(s->id, s->id + n_windows, (s->n - 1) * sizeof *s->id);
    s->length = s->n - 1;
    return status;
}

/* Counts the n-grams with gaps that end at a word. The gaps of a single word are none. */
static trib_status count_skips(stretch *s, uint32_t id, trib_error *error) {
    uint32_t ngram[TRIB_MAX_NGRAM];
    trib_status status = TRIB_OK;
    trib_skip_push(&s->window, id);
    for (uint32_t gap = 0; gap <= (s->n > 1 ? s->skip : 0) && status == TRIB_OK; gap++) {
        if (!trib_skip_read(&s->window, gap, ngram)) break;
        status = trib_hacoo_stream_push(&s->skips, ngram, 1, error);
    }
    return status;
}

static trib_status end_stretch(stretch *s, trib_error *error) {
    const trib_status status = count_windows(s, error);
    trib_skip_break(&s->window);
    s->length = 0;
    s->n_common = s->n;
    return status;
}

/* Adds the words of a block, converted to the document's own ids. */
static trib_status add_block(stretch *s, const trib_words_block *block, const uint32_t *own,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t k = 0; k < block->n && status == TRIB_OK; k++) {
        const uint32_t id = own[block->id[k]];
        if (block->after_break[k] || id == TRIB_NO_WORD) status = end_stretch(s, error);
        if (id == TRIB_NO_WORD) continue;
        if (s->skip > 0 && status == TRIB_OK) status = count_skips(s, id, error);
        s->id[s->length++] = id;
        if (s->other == TRIB_NO_WORD) continue;
        s->n_common = id == s->other ? 0 : s->n_common + (s->n_common < s->n);
        s->n_wild += s->n_common < s->n && s->length >= s->n;
    }
    return status == TRIB_OK ? count_windows(s, error) : status;
}

/* A document during counting. */
typedef struct counting {
    const trib_read_texts *texts;
    bool in_order; /* fill `sequence` */
    const trib_config *config;
    const trib_corpus_document *about;
    const trib_document_words *words;
    const trib_words *file; /* the opened file of `words` */
} counting;

/* Slides the window over the document's words and counts the n-grams in its table. */
static trib_status count_ngrams(const counting *c, trib_counts *counts, const uint32_t *own,
                                uint32_t other, trib_error *error) {
    TRIB_OWNED(trib_words_block) block = {0};
    stretch *s = NULL;
    trib_status status = trib_words_block_init(&block, error);
    if (status == TRIB_OK) status = TRIB_NEW(&s, 1, "a block of words", error);
    if (status == TRIB_OK && c->in_order)
        status = TRIB_NEW(&counts->sequence, c->words->n_tokens, "n-grams in order", error);
    if (status == TRIB_OK) {
        s->n = c->config->tensor.n;
        s->other = other;
        s->n_common = s->n;
        s->skip = c->config->tensor.skip;
        trib_hacoo_stream_init(&s->stream, &counts->ngrams, counts->sequence);
        trib_hacoo_stream_init(&s->skips, &counts->skips, NULL);
        trib_skip_init(&s->window, s->n);
    }
    block.ids_only = true;
    for (uint64_t i = 0; i < c->file->n_tokens && status == TRIB_OK; i += block.n) {
        status = trib_words_at(c->file, i, &block, error);
        if (status == TRIB_OK) status = trib_stop_check(error);
        if (status == TRIB_OK) status = add_block(s, &block, own, error);
    }
    if (status == TRIB_OK) status = trib_hacoo_stream_flush(&s->stream, error);
    if (status == TRIB_OK && s->skip > 0) status = trib_hacoo_stream_flush(&s->skips, error);
    if (status == TRIB_OK) {
        counts->n_ngrams = (size_t)s->n_ngrams;
        counts->n_wildcard_ngrams = s->n_wild;
    }
    trib_free(s);
    return status;
}

trib_status trib_fail_no_ngram(const trib_config *config, const trib_corpus_document *about,
                               uint64_t n_words, trib_error *error) {
    const unsigned n = config->tensor.n, n_found = (unsigned)n_words;
    const char *s = n_found == 1 ? "" : "s";
    if (config->corpus.n_documents == 0)
        return trib_fail(error, TRIB_INPUT, "%s: holds no %u-gram (%u word%s); lower tensor.n",
                         about->path, n, n_found, s);
    if (n_words == 0)
        return trib_fail(error, TRIB_INPUT,
                         "%s: holds no word; remove '%s' from the documents or give it a text",
                         about->path, about->id);
    return trib_fail(
        error, TRIB_INPUT,
        "%s: holds no %u-gram (%u word%s); give it more text, remove '%s' or lower tensor.n",
        about->path, n, n_found, s, about->id);
}

static trib_status count_document(const counting *c, trib_counts *counts, trib_error *error) {
    const uint32_t n = c->config->tensor.n;
    const size_t n_tokens = c->words->n_tokens;
    const uint32_t *const id_of = c->file->id;
    uint32_t dim[TRIB_MAX_MODES], *own = NULL, other = TRIB_NO_WORD;
    trib_hacoo_options options = {.hash = c->config->tensor.hash,
                                  .load = c->config->tensor.load,
                                  .n_buckets = (size_t)c->config->tensor.buckets,
                                  .expected =
                                      n_tokens / 2 < FIRST_TABLE ? n_tokens / 2 : FIRST_TABLE};
    trib_status status = TRIB_NEW(&own, c->file->n_words, "a document's words", error);
    if (status == TRIB_OK)
        status = number_words(c->texts->vocab, id_of, c->file, c->texts->words->changes.has_norms,
                              counts, own, &other, error);
    if (status != TRIB_OK) goto done;
    for (uint32_t m = 0; m < n; m++) dim[m] = counts->n_local;
    if (counts->n_local > 0) status = trib_hacoo_init(&counts->ngrams, n, dim, &options, error);
    if (status ==
        TRIB_MEMORY) { /* too many n-grams expected for the memory: start small and let it grow */
        options.expected = 0;
        status = trib_hacoo_init(&counts->ngrams, n, dim, &options, error);
    }
    options.expected = 0;
    if (counts->n_local > 0 && status == TRIB_OK && c->config->tensor.skip > 0)
        status = trib_hacoo_init(&counts->skips, n, dim, &options, error);
    if (counts->n_local > 0 && status == TRIB_OK)
        status = count_ngrams(c, counts, own, other, error);
    if (status == TRIB_OK && counts->n_ngrams == 0)
        status = trib_fail_no_ngram(c->config, c->about, c->words->n_tokens, error);
done:
    trib_free(own);
    return status;
}

/* Intervals and passages need the n-grams in their order: intervals are drawn from blocks of
 * consecutive n-grams, and passages consist of them. A shuffled target is made of the words in
 * order, which the n-grams give. */
bool trib_config_wants_order(const trib_config *config) {
    bool wanted = config->influence.null;
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        wanted = wanted || config->influence.method[i]->has_evidence ||
                 config->influence.method[i]->needs_order;
    return wanted;
}

trib_status trib_tensors_count(const trib_read_texts *texts, bool in_order, uint32_t d,
                               trib_counts *counts, trib_error *error) {
    trib_words file;
    trib_status status = trib_document_words_open(&texts->words->document[d], &file, error);
    if (status != TRIB_OK) return status;
    const counting one = {.texts = texts,
                          .in_order = in_order,
                          .config = texts->env->config,
                          .about = texts->corpus->document[d].about,
                          .words = &texts->words->document[d],
                          .file = &file};
    status = count_document(&one, counts, error);
    trib_words_close(&file);
    return status;
}

/* Moves the data of a document that later stages read to a file. TRIB_MEMORY if the data cannot be
 * mapped; `counts` is then as good as before. */
static trib_status spill_document(trib_tensors *tensors, trib_counts *counts, bool is_shared,
                                  const char *scratch, trib_error *error) {
    trib_spill *spill = &tensors->spill;
    uint32_t *word = NULL, *sequence = NULL;
    trib_status status = TRIB_OK;
    if (!spill->writer.path) status = trib_spill_open(spill, scratch, is_shared, error);
    if (tensors->is_packed && status == TRIB_OK) {
        status = trib_counts_pack(tensors, (uint32_t)(counts - tensors->document), error);
        tensors->n_spilled += status == TRIB_OK;
        return status;
    }
    if (status == TRIB_OK)
        status = trib_spill_put(spill, counts->word, counts->n_local * sizeof *counts->word, &word,
                                error);
    if (status == TRIB_OK && counts->sequence)
        status = trib_spill_put(spill, counts->sequence,
                                counts->n_ngrams * sizeof *counts->sequence, &sequence, error);
    if (status == TRIB_OK && counts->skips.n_modes > 0)
        status = trib_hacoo_spill(&counts->skips, spill, error);
    /* last, since ngrams.is_spilled says that word and sequence are in the file, too */
    if (status == TRIB_OK) status = trib_hacoo_spill(&counts->ngrams, spill, error);
    if (status != TRIB_OK) return status;
    TRIB_FREE(counts->word, counts->sequence);
    counts->word = word;
    counts->sequence = sequence;
    tensors->n_spilled++;
    return TRIB_OK;
}

static pthread_mutex_t spilling = PTHREAD_MUTEX_INITIALIZER;

trib_status trib_tensors_spill(trib_tensors *tensors, uint32_t d, uint64_t beyond, bool is_shared,
                               const char *scratch, trib_error *error) {
    trib_status status = TRIB_OK;
    pthread_mutex_lock(&spilling);
    if (beyond > 0 && trib_memory_in_use() > beyond)
        status = spill_document(tensors, &tensors->document[d], is_shared, scratch, error);
    pthread_mutex_unlock(&spilling);
    return status == TRIB_MEMORY ? TRIB_OK : status;
}

void trib_counts_release(trib_counts *counts) {
    if (!counts->ngrams.is_spilled) {
        TRIB_FREE(counts->word, counts->sequence);
    }
    trib_hacoo_release(&counts->ngrams);
    trib_hacoo_release(&counts->skips);
    counts->sequence = counts->word = NULL;
}

trib_status trib_tensors_init(trib_tensors *tensors, uint32_t n_documents, bool has_skips,
                              trib_error *error) {
    trib_status status = TRIB_NEW(&tensors->document, n_documents, "the documents", error);
    if (status == TRIB_OK) tensors->n_documents = n_documents;
    if (status == TRIB_OK) status = TRIB_NEW(&tensors->resting, 1, "the documents", error);
    if (status == TRIB_OK) status = TRIB_NEW(&tensors->view, n_documents, "the documents", error);
    if (status == TRIB_OK && has_skips)
        status = TRIB_NEW(&tensors->skip_view, n_documents, "the documents", error);
    if (status == TRIB_OK) status = TRIB_NEW(&tensors->size, n_documents, "the documents", error);
    return status == TRIB_OK ? TRIB_NEW(&tensors->owner, n_documents, "the documents", error)
                             : status;
}

void trib_tensors_finish_one(trib_tensors *tensors, const trib_corpus_words *words, uint32_t d) {
    const trib_counts *counts = &tensors->document[d];
    tensors->size[d] = (trib_counts_size){counts->n_local, counts->ngrams.nnz};
    tensors->view[d] = (trib_influence_document){.counts = &counts->ngrams,
                                                 .word = counts->word,
                                                 .n_local = counts->n_local,
                                                 .n_words = words->document[d].n_tokens,
                                                 .sequence = counts->sequence,
                                                 .n_ngrams = counts->n_ngrams};
    if (!tensors->skip_view) return;
    tensors->skip_view[d] = tensors->view[d];
    tensors->skip_view[d].counts = trib_counts_table(counts);
    tensors->skip_view[d].sequence = NULL;
    tensors->skip_view[d].n_ngrams = (size_t)trib_counts_table(counts)->total;
}

void trib_tensors_finish(trib_tensors *tensors, const trib_corpus_words *words) {
    for (uint32_t d = 0; d < tensors->n_documents; d++) {
        const trib_counts *counts = &tensors->document[d];
        tensors->n_ngrams += counts->n_ngrams;
        tensors->n_wildcard_ngrams += counts->n_wildcard_ngrams;
        trib_tensors_finish_one(tensors, words, d);
    }
}

void trib_tensors_rest(const trib_tensors *tensors) {
    trib_spill_rest(&tensors->spill);
    for (int rank = 0; rank < tensors->n_shared; rank++) trib_spill_rest(&tensors->shared[rank]);
}

void trib_tensors_release(trib_tensors *tensors) {
    trib_unpacked_release(tensors);
    trib_free(tensors->resting);
    for (uint32_t d = 0; d < tensors->n_documents; d++) trib_counts_release(&tensors->document[d]);
    TRIB_FREE(tensors->document, tensors->view, tensors->skip_view, tensors->size, tensors->owner);
    trib_spill_close(&tensors->spill);
    for (int rank = 0; rank < tensors->n_shared; rank++) trib_spill_close(&tensors->shared[rank]);
    trib_free(tensors->shared);
    *tensors = (trib_tensors){0};
}

uint64_t trib_tensors_size(const void *tensors, uint32_t d) {
    return trib_counts_table(&((const trib_tensors *)tensors)->document[d])->nnz;
}
