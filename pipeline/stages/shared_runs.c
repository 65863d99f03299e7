/* shared_runs.c - one vocabulary from the sorted runs of words of several processes. Each process
 * has written the words of its own documents to a scratch file. Rank 0 maps these files, merges all
 * runs as if they were its own, and writes the vocabulary to a file that every rank maps. So no
 * rank holds the words in its memory, and only the ids of each rank's own words are sent. */
#include "pipeline/stages/shared_words.h"

#include <stdio.h>
#include <string.h>

#include "pipeline/support/path.h"

/* A complete file of a rank, and how many arrays of it others need. */
typedef struct shared_file {
    char path[TRIB_PATH_MAX];
    uint64_t size, n;
} shared_file;

static trib_status describe_file(trib_spill *spill, uint64_t n, shared_file *file,
                                 trib_error *error) {
    const trib_status status = trib_writer_sync(&spill->writer, error);
    if (status != TRIB_OK) return status;
    *file = (shared_file){.size = spill->writer.n_written, .n = n};
    const int length = snprintf(file->path, sizeof file->path, "%s", spill->writer.temporary);
    return length < (int)sizeof file->path
               ? TRIB_OK
               : trib_fail(error, TRIB_OUTPUT, "%.200s...: path too long", spill->writer.temporary);
}

static trib_status invalid_file(const shared_file *file, trib_error *error) {
    return trib_fail(error, TRIB_INTERNAL,
                     "%s, a scratch file of another process, is invalid; are all machines and "
                     "programs of one kind?",
                     file->path);
}

/* Whether n words of n_text bytes with their NULs can be read. */
static bool are_words(const char *text, uint64_t n, uint64_t n_text) {
    return text && n > 0 && n <= n_text && text[n_text - 1] == '\0';
}

uint64_t trib_share_n_words(const trib_comm *comm, const trib_word_counts *counts) {
    uint64_t all = 0;
    for (int rank = 0; rank < comm->size; rank++) {
        const trib_intern *words =
            counts->spellings.norms ? &counts->spellings.intern : &counts->intern;
        uint64_t n = (uint64_t)counts->runs.n_ids + words->n_words;
        trib_comm_share(comm, rank, &n, sizeof n);
        all += n;
    }
    return all;
}

/* ---- Collecting the runs --------------------------------------------------------------------- */

/* The place of a run in the file of its rank. */
typedef struct run_place {
    uint64_t word, text, n_text;
    uint64_t n;
} run_place;

/* The runs of all ranks, on rank 0. */
typedef struct collected {
    trib_word_runs all;
    trib_spill *file;  /* [comm->size] */
    uint32_t *n_words; /* [comm->size] words of all runs of a rank */
    int n_files;       /* files that are mapped */
} collected;

static void release(collected *c) {
    for (int r = 0; r < c->n_files; r++) trib_spill_close(&c->file[r]);
    trib_free(c->file);
    trib_free(c->n_words);
    trib_word_runs_release(&c->all);
}

static void locate_runs(const trib_word_runs *runs, run_place *place) {
    for (size_t i = 0; i < runs->n; i++) {
        const trib_word_run *run = &runs->run[i];
        place[i] = (run_place){trib_spill_place(&runs->spill, run->word),
                               trib_spill_place(&runs->spill, run->text), run->n_text, run->n};
    }
}

/* Rank 0 maps the file of a rank and adds its runs. */
static trib_status add_runs(collected *c, const shared_file *file, const run_place *place,
                            trib_error *error) {
    const int rank = c->n_files;
    trib_spill *spill = &c->file[rank];
    trib_word_runs *all = &c->all;
    trib_status status = trib_spill_attach(spill, file->path, file->size, error);
    if (status != TRIB_OK) return status;
    c->n_files++;
    status = trib_grow(&all->run, &all->cap, all->n + (size_t)file->n, sizeof *all->run,
                       "runs of words", error);
    for (uint64_t i = 0; i < file->n && status == TRIB_OK; i++) {
        const run_place *at = &place[i];
        if (at->n == 0) continue;
        if (at->n > UINT32_MAX / 2 - all->n_ids) return trib_word_runs_fail_number(error);
        const trib_word_run run = {trib_spill_array(spill, at->text, at->n_text, 1),
                                   trib_spill_array(spill, at->word, at->n, sizeof *run.word),
                                   (uint32_t)at->n, (size_t)at->n_text};
        if (!run.word || !are_words(run.text, at->n, at->n_text)) return invalid_file(file, error);
        all->run[all->n++] = run;
        all->n_ids += run.n;
        c->n_words[rank] += run.n;
    }
    return status;
}

/* Rank 0 receives the runs of rank `from`. */
static trib_status collect_from(const trib_comm *comm, int from, trib_word_runs *own, collected *c,
                                trib_error *error) {
    shared_file file = {.size = 0};
    run_place *place = NULL;
    trib_status status =
        comm->rank == from ? describe_file(&own->spill, own->n, &file, error) : TRIB_OK;
    status = trib_comm_agree(comm, status, error);
    if (status != TRIB_OK) return status;
    trib_comm_share(comm, from, &file, sizeof file);
    status = trib_new(&place, (size_t)file.n, sizeof *place, "runs of words", error);
    status = trib_comm_agree(comm, status, error);
    if (status == TRIB_OK) {
        if (comm->rank == from) locate_runs(own, place);
        trib_comm_share_large(comm, from, place, (size_t)file.n * sizeof *place);
        if (comm->rank == 0) status = add_runs(c, &file, place, error);
        status = trib_comm_agree(comm, status, error);
    }
    trib_free(place);
    return status;
}

static trib_status collect(const trib_comm *comm, trib_word_runs *own, collected *c,
                           trib_error *error) {
    const size_t n = comm->rank == 0 ? (size_t)comm->size : 0;
    trib_status status = trib_new(&c->file, n, sizeof *c->file, "runs of words", error);
    if (status == TRIB_OK)
        status = trib_new(&c->n_words, n, sizeof *c->n_words, "runs of words", error);
    status = trib_comm_agree(comm, status, error);
    for (int from = 0; from < comm->size && status == TRIB_OK; from++)
        status = collect_from(comm, from, own, c, error);
    return status;
}

/* ---- The vocabulary in a file that all ranks map --------------------------------------------- */

/* The vocabulary in a file, and where its arrays lie there. */
typedef struct shared_vocab {
    shared_file file;
    uint64_t text, n_text, count, n_documents; /* places; n_text is a number of bytes */
    uint64_t n_tokens, n_other;
    uint32_t other;
    bool have_norms, has_twins; /* after the words, `text` has their norms */
} shared_vocab;

/* Rank 0 writes the merged vocabulary to a file, which lasts as long as *vocab, its copy there. */
static trib_status write_vocab(const trib_vocab *merged, trib_vocab *vocab, const char *scratch,
                               shared_vocab *to, trib_error *error) {
    trib_spill *const spill = &vocab->shared;
    const size_t n = merged->n_words;
    const char *const last = merged->norm ? merged->norm[n - 1] : merged->word[n - 1];
    *to = (shared_vocab){.n_text = (size_t)(last - merged->text) + strlen(last) + 1,
                         .n_tokens = merged->n_tokens,
                         .n_other = merged->n_other,
                         .other = merged->other,
                         .have_norms = merged->norm != NULL,
                         .has_twins = merged->has_twins};
    trib_status status = trib_spill_open_named(spill, scratch, error);
    if (status == TRIB_OK)
        status = trib_spill_put(spill, merged->text, (size_t)to->n_text, &vocab->text, error);
    if (status == TRIB_OK)
        status =
            trib_spill_put(spill, merged->count, n * sizeof *merged->count, &vocab->count, error);
    if (status == TRIB_OK)
        status = trib_spill_put(spill, merged->n_documents, n * sizeof *merged->n_documents,
                                &vocab->n_documents, error);
    if (status != TRIB_OK) return status;
    to->text = trib_spill_place(spill, vocab->text);
    to->count = trib_spill_place(spill, vocab->count);
    to->n_documents = trib_spill_place(spill, vocab->n_documents);
    return describe_file(spill, n, &to->file, error);
}

/* The other ranks map the file. */
static trib_status map_vocab(const shared_vocab *from, trib_vocab *vocab, trib_error *error) {
    trib_spill *const spill = &vocab->shared;
    const uint64_t n = from->file.n;
    const trib_status status = trib_spill_attach(spill, from->file.path, from->file.size, error);
    if (status != TRIB_OK) return status;
    vocab->text = trib_spill_array(spill, from->text, from->n_text, 1);
    vocab->count = trib_spill_array(spill, from->count, n, sizeof *vocab->count);
    vocab->n_documents = trib_spill_array(spill, from->n_documents, n, sizeof *vocab->n_documents);
    return vocab->count && vocab->n_documents && are_words(vocab->text, n, from->n_text)
               ? TRIB_OK
               : invalid_file(&from->file, error);
}

/* Finds the words, and then the norms, in the mapped text. */
static trib_status list_words(const shared_vocab *from, trib_vocab *vocab, const char *scratch,
                              trib_error *error) {
    const size_t n = (size_t)from->file.n, n_all = from->have_norms ? 2 * n : n;
    const trib_status status =
        trib_scratch_array_open(&vocab->file, n_all, sizeof *vocab->word, scratch, error);
    if (status != TRIB_OK) return status;
    vocab->word = vocab->file.bytes;
    vocab->norm = from->have_norms ? vocab->word + n : NULL;
    vocab->n_words = (uint32_t)n;
    vocab->other = from->other;
    vocab->n_tokens = from->n_tokens;
    vocab->n_other = from->n_other;
    vocab->has_twins = from->has_twins;
    char *at = vocab->text;
    size_t n_found = 0;
    for (; n_found < n_all && at < vocab->text + from->n_text; at += strlen(at) + 1)
        vocab->word[n_found++] = at;
    trib_scratch_array_rest(&vocab->file);
    trib_spill_rest(&vocab->shared);
    return n_found == n_all ? TRIB_OK : invalid_file(&from->file, error);
}

static trib_status share_vocab(const trib_comm *comm, const trib_vocab *merged, trib_vocab *vocab,
                               const char *scratch, trib_error *error) {
    shared_vocab at = {.n_text = 0};
    trib_status status =
        comm->rank == 0 ? write_vocab(merged, vocab, scratch, &at, error) : TRIB_OK;
    status = trib_comm_agree(comm, status, error);
    if (status != TRIB_OK) return status;
    trib_comm_share(comm, 0, &at, sizeof at);
    if (comm->rank > 0) status = map_vocab(&at, vocab, error);
    if (status == TRIB_OK) status = list_words(&at, vocab, scratch, error);
    return trib_comm_agree(comm, status, error);
}

/* ---- Ids ------------------------------------------------------------------------------------- */

/* Rank 0 sends each rank the ids of its words; all[] has those of all ranks in their order. */
static trib_status share_ids(const trib_comm *comm, const uint32_t *all, const uint32_t *n_words,
                             uint32_t n_own, const char *scratch, trib_scratch_array *final_id,
                             trib_error *error) {
    trib_status status = trib_scratch_array_open(final_id, n_own, sizeof(uint32_t), scratch, error);
    status = trib_comm_agree(comm, status, error);
    if (status != TRIB_OK) return status;
    if (comm->rank > 0) {
        trib_comm_receive(comm, 0, final_id->bytes, n_own * sizeof(uint32_t));
        return TRIB_OK;
    }
    memcpy(final_id->bytes, all, n_own * sizeof *all);
    for (int r = 0; r < comm->size; all += n_words[r++])
        if (r > 0) trib_comm_send(comm, r, all, n_words[r] * sizeof *all);
    return TRIB_OK;
}

trib_status trib_share_word_runs(const trib_comm *comm, trib_word_runs *own, trib_runs_merge merge,
                                 void *context, const char *scratch, trib_vocab *vocab,
                                 trib_scratch_array *final_id, trib_error *error) {
    if (comm->size <= 1) return merge(context, own, vocab, final_id, error);
    collected c = {.n_files = 0};
    trib_vocab merged = {.other = TRIB_NO_WORD};
    trib_scratch_array all_ids = {0};
    *vocab = merged;
    *final_id = all_ids;
    trib_status status = collect(comm, own, &c, error);
    if (status == TRIB_OK && comm->rank == 0)
        status = merge(context, &c.all, &merged, &all_ids, error);
    status = trib_comm_agree(comm, status, error);
    if (status == TRIB_OK) status = share_vocab(comm, &merged, vocab, scratch, error);
    if (status == TRIB_OK)
        status = share_ids(comm, all_ids.bytes, c.n_words, own->n_ids, scratch, final_id, error);
    if (status != TRIB_OK) trib_vocab_release(vocab);
    trib_vocab_release(&merged);
    trib_scratch_array_close(&all_ids);
    release(&c);
    return status;
}
