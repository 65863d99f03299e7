/* library.c - chooses the texts of a library that a run reads. The share of a target that a source
 * explains is estimated as stage candidates does (influence/candidates), from the phrases that the
 * library has instead of samples of n-grams: each is divided among the texts that hold it, by the
 * density with which they do. */
#include "pipeline/stages/library.h"

#include <omp.h>

#include "base/internal.h"
#include "pipeline/config/config.h"
#include "pipeline/stages/phrases.h"

enum { FREQUENT = 2500, EVERY_PHRASE = 1000, SHARE_BITS = 20 };

/* Numbers of documents. */
typedef struct numbers {
    uint32_t *item; /* [n] */
    size_t n, cap;
} numbers;
/* A source while it is weighed. */
typedef struct weighed {
    uint64_t mass;
    uint32_t n_phrases, document;
} weighed;
/* A text that holds a phrase. */
typedef struct holder {
    size_t segment, text;
    uint64_t weight; /* occurrences of the phrase in 2^32 words */
} holder;
/* The work of a thread. */
typedef struct desk {
    const struct choice *choice;
    trib_word_reader reader;
    trib_buffer bytes;
    numbers phrase;  /* hashes */
    holder *holder;  /* [n_holders] */
    weighed *found;  /* [n_found] */
    uint32_t *place; /* [n] of each document in `found`, from 1; 0: it is not there */
    size_t n_holders, holder_cap, n_found, found_cap, n_places;
    size_t segment; /* that is looked at */
    trib_status status;
    trib_error *error;
} desk;
/* Where a document is in the library. */
typedef struct spot {
    const trib_segment *segment; /* NULL: it is elsewhere */
    size_t text;
} spot;
/* The choice of texts. */
typedef struct choice {
    const trib_environment *env;
    const trib_corpus_document *document; /* [n] of the configuration */
    uint32_t n;
    uint32_t *target; /* [n_targets] their numbers */
    numbers *sources; /* [n_targets] */
    size_t n_targets;
    /* Of the library that is looked at: */
    trib_index index;
    trib_config own, config; /* of the library; of the run, with the words of the library */
    spot *spot;              /* [n] */
    uint32_t **number;       /* [index.n][n_texts] of the documents; UINT32_MAX: not listed */
    desk *desk;              /* [n_threads] */
} choice;

static trib_status add_number(numbers *to, uint32_t number, trib_error *error) {
    return TRIB_APPEND(&to->item, &to->n, &to->cap, "the sources", error, &number);
}

/* ---- A target -------------------------------------------------------------------------------- */

static trib_status take_phrase(void *context, size_t phrase, uint32_t hash, trib_error *error) {
    (void)phrase;
    return add_number(&((desk *)context)->phrase, hash, error);
}

static void take_place(void *context, uint32_t place) {
    desk *const d = context;
    const trib_segment *const segment = &d->choice->index.segment[d->segment];
    const size_t text = trib_segment_text_at(segment, place);
    holder *const last = d->n_holders > 0 ? &d->holder[d->n_holders - 1] : NULL;
    if (d->status != TRIB_OK || segment->is_removed[text] || d->n_places++ >= FREQUENT) return;
    const uint64_t weight = (UINT64_C(1) << 32) / (segment->text[text].n_words + 1);
    if (last && last->segment == d->segment && last->text == text) {
        last->weight += weight;
        return;
    }
    d->status = TRIB_APPEND(&d->holder, &d->n_holders, &d->holder_cap, "the sources", d->error,
                            &(holder){d->segment, text, weight});
}

/* Divides a phrase that the target has `count` times among the texts that hold it. */
static trib_status divide(desk *d, uint32_t target, uint64_t count, trib_error *error) {
    uint64_t sum = 0;
    trib_status status = TRIB_OK;
    for (size_t h = 0; h < d->n_holders; h++)
        if (d->choice->number[d->holder[h].segment][d->holder[h].text] != target)
            sum += d->holder[h].weight;
    for (size_t h = 0; h < d->n_holders && status == TRIB_OK; h++) {
        const uint32_t document = d->choice->number[d->holder[h].segment][d->holder[h].text];
        if (document == UINT32_MAX || document == target) continue;
        if (d->place[document] == 0) {
            status = TRIB_GROW(&d->found, &d->found_cap, d->n_found + 1, "the sources", error);
            if (status != TRIB_OK) break;
            d->found[d->n_found++] = (weighed){.document = document};
            d->place[document] = (uint32_t)d->n_found;
        }
        weighed *const one = &d->found[d->place[document] - 1];
        const double part = (double)d->holder[h].weight / (double)sum;
        one->mass += count * (uint64_t)(part * (UINT64_C(1) << SHARE_BITS));
        one->n_phrases++;
    }
    return status;
}

TRIB_ORDER(by_mass, weighed, TRIB_DOWN(mass) ?: TRIB_UP(document));
TRIB_ORDER(by_phrases, weighed, TRIB_DOWN(n_phrases) ?: TRIB_DOWN(mass) ?: TRIB_UP(document));

/* Adds the best of what was found to the sources of target t. */
static trib_status rank(desk *d, const choice *c, size_t t, trib_error *error) {
    const trib_config *const config = c->env->config;
    const size_t most = trib_config_candidates(&c->config);
    size_t n = 0;
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < d->n_found; i++) {
        const weighed one = d->found[i];
        d->place[one.document] = 0;
        if (trib_config_is_source(config, &c->document[one.document], &c->document[c->target[t]]))
            d->found[n++] = one;
    }
    d->n_found = 0;
    if (n > 1) qsort(d->found, n, sizeof *d->found, by_mass);
    if (n > most + 1) qsort(d->found + most, n - most, sizeof *d->found, by_phrases);
    if (n > most + most / 4 + 1) n = most + most / 4 + 1;
    for (size_t i = 0; i < n && status == TRIB_OK; i++)
        status = add_number(&c->sources[t], d->found[i].document, error);
    return status;
}

/* Reads the words of a document. *is_there is false, without failure, when it cannot be read, which
 * stage corpus or tokens says. */
static trib_status read_words(desk *d, uint32_t target, bool *is_there, trib_error *error) {
    const spot *const at = &d->choice->spot[target];
    const trib_document document = {.about = &d->choice->document[target]};
    trib_error why = {0};
    trib_buffer_release(&d->bytes);
    trib_status status = TRIB_OK;
    if (at->segment) {
        status = trib_segment_bytes(at->segment, at->text, 0, UINT64_MAX, &d->bytes, NULL, error);
        return status == TRIB_OK ? trib_word_reader_read(&d->reader, document.about->path, "UTF-8",
                                                         &d->bytes, 0, error)
                                 : status;
    }
    status = trib_word_reader_document(&d->reader, &document, NULL, &d->bytes, &why);
    *is_there = status == TRIB_OK;
    if (status == TRIB_INPUT) return TRIB_OK;
    if (status != TRIB_OK && error) *error = why;
    return status;
}

static trib_status look_up(void *context, size_t t, trib_error *error) {
    choice *const c = context;
    desk *const d = &c->desk[omp_get_thread_num()];
    const uint32_t target = c->target[t];
    bool is_there = true;
    trib_status status = trib_stop_check(error);
    if (status == TRIB_OK) status = read_words(d, target, &is_there, error);
    if (status != TRIB_OK || !is_there) return status;
    d->phrase.n = 0;
    d->error = error;
    status = trib_phrases_choose(d->reader.words.hash, d->reader.words.n,
                                 d->reader.words.n <= EVERY_PHRASE, take_phrase, d, error);
    const uint32_t *const hash = d->phrase.item;
    const size_t n = d->phrase.n;
    if (n > 1) qsort(d->phrase.item, n, sizeof *hash, trib_by_uint32);
    for (size_t i = 0, end; i < n && status == TRIB_OK; i = end) {
        for (end = i + 1; end < n && hash[end] == hash[i];) end++;
        d->n_holders = d->n_places = 0;
        for (d->segment = 0; d->segment < c->index.n && status == TRIB_OK; d->segment++) {
            status =
                trib_segment_places(&c->index.segment[d->segment], hash[i], take_place, d, error);
            if (status == TRIB_OK) status = d->status;
        }
        if (status == TRIB_OK && d->n_places <= FREQUENT)
            status = divide(d, target, end - i, error);
    }
    return status == TRIB_OK ? rank(d, c, t, error) : status;
}

/* ---- A library ------------------------------------------------------------------------------- */

/* Finds the documents among the texts of the library, by their ids; those that are listed as files,
 * such as a target that is in the library, by these. */
static trib_status find_documents(choice *c, const char *folder, trib_error *error) {
    TRIB_OWNED(trib_intern) ids = {0};
    numbers of_id = {0};
    trib_indexed_text about;
    uint32_t id = 0;
    trib_status status = TRIB_NEW(&c->number, c->index.n, "the texts of a library", error);
    for (uint32_t d = 0; d < c->n && status == TRIB_OK; d++) {
        const trib_corpus_document *const document = &c->document[d];
        c->spot[d] = (spot){0};
        char *file = NULL;
        if (document->library && strcmp(document->library, folder) != 0) continue;
        if (!document->library) status = trib_address_settle(&file, document->path, error);
        if (status != TRIB_OK) break;
        const char *const name = file ? file : strrchr(document->path, '/') + 1;
        status = trib_intern_add(&ids, name, strlen(name), &id, error);
        if (status == TRIB_OK && id == of_id.n) status = add_number(&of_id, d, error);
        trib_free(file);
    }
    for (size_t i = 0; i < c->index.n && status == TRIB_OK; i++) {
        const trib_segment *const s = &c->index.segment[i];
        const size_t n = (size_t)s->end.n_texts;
        status = TRIB_NEW(&c->number[i], n, "the texts of a library", error);
        for (size_t k = 0; k < n && status == TRIB_OK; k++) {
            c->number[i][k] = UINT32_MAX;
            if (s->is_removed[k]) continue;
            status = trib_segment_about(s, k, &about, error);
            if (status != TRIB_OK) break;
            id = trib_intern_find(&ids, about.file, strlen(about.file));
            const bool is_file = id != TRIB_NO_WORD;
            if (!is_file) id = trib_intern_find(&ids, about.id, strlen(about.id));
            if (id == TRIB_NO_WORD) continue;
            c->number[i][k] = of_id.item[id];
            if (!is_file) c->spot[of_id.item[id]] = (spot){s, k};
        }
    }
    trib_free(of_id.item);
    return status;
}

static trib_status open_desks(choice *c, trib_error *error) {
    const int n_threads = c->env->n_threads;
    trib_status status = TRIB_NEW(&c->desk, (size_t)n_threads, "the sources", error);
    for (int i = 0; i < n_threads && status == TRIB_OK; i++) {
        c->desk[i].choice = c;
        c->desk[i].reader.config = &c->config;
        status = TRIB_NEW(&c->desk[i].place, c->n, "the sources", error);
    }
    return status;
}

static void close_library(choice *c) {
    for (int i = 0; c->desk && i < c->env->n_threads; i++) {
        desk *const d = &c->desk[i];
        trib_word_reader_close(&d->reader);
        trib_buffer_release(&d->bytes);
        TRIB_FREE(d->phrase.item, d->holder, d->found, d->place);
    }
    for (size_t i = 0; c->number && i < c->index.n; i++) trib_free(c->number[i]);
    TRIB_FREE(c->desk, c->number);
    trib_config_release(&c->own);
    trib_index_close(&c->index);
    c->desk = NULL;
    c->number = NULL;
}

static trib_status look_in(choice *c, const char *folder, trib_error *error) {
    const trib_workers workers = trib_environment_workers(c->env);
    trib_status status = trib_index_open(&c->index, folder, TRIB_INDEX_READ, error);
    if (status != TRIB_OK) return status;
    status = trib_config_load(&c->own, NULL, c->index.set, c->index.n_set, NULL, NULL, error);
    c->config = *c->env->config;
    c->config.corpus.is_chosen = true;
    c->config.tokens = c->own.tokens;
    if (status == TRIB_OK) status = find_documents(c, folder, error);
    if (status == TRIB_OK) status = open_desks(c, error);
    if (status == TRIB_OK) status = trib_tasks_do(&workers, c->n_targets, look_up, c, error);
    close_library(c);
    return status;
}

/* ---- The documents --------------------------------------------------------------------------- */

/* Lists the documents that are read, and the sources of each target among them. */
static trib_status keep(const choice *c, trib_chosen_texts *chosen, trib_error *error) {
    const trib_config *const config = c->env->config;
    uint32_t *number = NULL, n = 0; /* number[d]: from 1, of those that are read */
    trib_status status = TRIB_NEW(&number, c->n, "the documents", error);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < c->n; d++) number[d] = !c->document[d].library;
    for (size_t t = 0; t < c->n_targets; t++) {
        number[c->target[t]] = 1;
        for (size_t i = 0; i < c->sources[t].n; i++) number[c->sources[t].item[i]] = 1;
        for (uint32_t d = 0; d < c->n && status == TRIB_OK; d++)
            if (!c->document[d].library &&
                trib_config_is_source(config, &c->document[d], &c->document[c->target[t]]))
                status = add_number(&c->sources[t], d, error);
    }
    for (uint32_t d = 0; d < c->n; d++)
        if (number[d] > 0) number[d] = ++n;
    chosen->document = trib_arena_new(&chosen->arena, n, sizeof *chosen->document);
    for (uint32_t d = 0; d < c->n && chosen->document; d++)
        if (number[d] > 0) chosen->document[number[d] - 1] = c->document[d];
    for (size_t t = 0; t < c->n_targets && chosen->document && status == TRIB_OK; t++) {
        trib_corpus_document *const to = &chosen->document[number[c->target[t]] - 1];
        const numbers *const from = &c->sources[t];
        const trib_corpus_document **const source =
            trib_arena_new(&chosen->arena, from->n, sizeof *source);
        if (!source) break;
        if (from->n > 1) qsort(from->item, from->n, sizeof *from->item, trib_by_uint32);
        for (size_t i = 0; i < from->n; i++)
            source[i] = &chosen->document[number[from->item[i]] - 1];
        to->source = source;
        to->n_sources = (uint32_t)from->n;
    }
    chosen->n = n;
    trib_free(number);
    return status == TRIB_OK ? trib_arena_check(&chosen->arena, error) : status;
}

static trib_status choose(choice *c, trib_chosen_texts *chosen, trib_error *error) {
    const trib_config *const config = c->env->config;
    struct {
        const char **folder;
        size_t n;
    } seen = {0};
    trib_status status = TRIB_NEW(&c->target, c->n, "the targets", error);
    if (status == TRIB_OK) status = TRIB_NEW(&c->spot, c->n, "the documents", error);
    for (uint32_t d = 0; d < c->n && status == TRIB_OK; d++)
        if (trib_config_is_target(config, &c->document[d])) c->target[c->n_targets++] = d;
    if (status == TRIB_OK) status = TRIB_NEW(&c->sources, c->n_targets, "the targets", error);
    for (uint32_t d = 0; d < c->n && status == TRIB_OK; d++) {
        const char *const folder = c->document[d].library;
        size_t i = 0;
        while (folder && i < seen.n && strcmp(seen.folder[i], folder) != 0) i++;
        if (!folder || i < seen.n) continue;
        const char **const added = trib_arena_append(&chosen->arena, &seen, sizeof *added);
        if (added) *added = folder;
        status = trib_arena_check(&chosen->arena, error);
        if (status == TRIB_OK) status = look_in(c, folder, error);
    }
    return status == TRIB_OK ? keep(c, chosen, error) : status;
}

trib_status trib_chosen_texts_find(trib_chosen_texts *chosen, const trib_environment *env,
                                   trib_error *error) {
    choice c = {
        .env = env, .document = env->config->corpus.document, .n = env->config->corpus.n_documents};
    bool has_library = false;
    *chosen = (trib_chosen_texts){0};
    for (uint32_t d = 0; d < c.n; d++) has_library = has_library || c.document[d].library;
    if (!has_library) return TRIB_OK;
    const trib_status status = choose(&c, chosen, error);
    for (size_t t = 0; c.sources && t < c.n_targets; t++) trib_free(c.sources[t].item);
    TRIB_FREE(c.target, c.sources, c.spot);
    if (status == TRIB_OK)
        trib_log_say(env->log, TRIB_LOG_INFO,
                     "library: %u of %u texts are read, the targets and those that hold most of "
                     "their phrases",
                     (unsigned)chosen->n, (unsigned)c.n);
    return status;
}

void trib_chosen_texts_release(trib_chosen_texts *chosen) {
    trib_arena_release(&chosen->arena);
    *chosen = (trib_chosen_texts){0};
}
