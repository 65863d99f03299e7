/* shared_vocabulary.c - one vocabulary of the words of several processes.
 *
 * The words of each process lie in sorted runs in a scratch file of its own. Rank 0 maps these
 * files, merges all runs as if they were its own, and writes the vocabulary to a file that every
 * rank maps. So no rank holds the words in its memory, and only the ids of each rank's own words
 * are sent. Words are numbered by count and spelling, which is unique: the result is the same for
 * any number of processes. */
#include "pipeline/stages/document_words.h"

#include "pipeline/support/pack.h"
#include "pipeline/support/path.h"

/* ---- Runs of words in files ------------------------------------------------------------------ */

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
    TRIB_FREE(c->file, c->n_words);
    trib_word_runs_release(&c->all);
}

/* The runs that a rank tells rank 0 of. */
typedef struct telling {
    trib_word_runs *own;
    shared_file file; /* of `own` */
    collected *to;
} telling;

/* Adds a run of a file. */
static trib_status add_run(collected *c, int rank, const shared_file *file, const run_place *at,
                           trib_error *error) {
    trib_spill *spill = &c->file[rank];
    trib_word_runs *all = &c->all;
    if (at->n == 0) return TRIB_OK;
    if (at->n > UINT32_MAX / 2 - all->n_ids) return trib_word_runs_fail_number(error);
    const trib_word_run run = {trib_spill_array(spill, at->text, at->n_text, 1),
                               trib_spill_array(spill, at->word, at->n, sizeof *run.word),
                               (uint32_t)at->n, (size_t)at->n_text};
    if (!run.word || !are_words(run.text, at->n, at->n_text)) return invalid_file(file, error);
    all->run[all->n++] = run;
    all->n_ids += run.n;
    c->n_words[rank] += run.n;
    return TRIB_OK;
}

/* Maps the file of a rank, and makes room for its runs. */
static trib_status attach_runs(collected *c, int rank, const shared_file *file, trib_error *error) {
    const trib_status status = trib_spill_attach(&c->file[rank], file->path, file->size, error);
    if (status != TRIB_OK) return status;
    c->n_files++;
    return TRIB_GROW(&c->all.run, &c->all.cap, c->all.n + (size_t)file->n, "runs of words", error);
}

static void pack_runs(void *context, int rank, trib_pack *pack) {
    const telling *t = context;
    const trib_spill *spill = &t->own->spill;
    shared_file file = t->file;
    TRIB_PACK(pack, file);
    trib_pack_expect(pack, memchr(file.path, 0, sizeof file.path) &&
                               file.n <= (uint64_t)(pack->end - pack->at) / sizeof(run_place));
    if (pack->reads && trib_pack_is_good(pack))
        (void)attach_runs(t->to, rank, &file, &pack->failure);
    for (uint64_t i = 0; i < file.n && trib_pack_is_good(pack); i++) {
        const trib_word_run *run = pack->reads ? NULL : &t->own->run[i];
        run_place place = {0};
        if (run)
            place = (run_place){trib_spill_place(spill, run->word),
                                trib_spill_place(spill, run->text), run->n_text, run->n};
        TRIB_PACK(pack, place);
        if (pack->reads && trib_pack_is_good(pack))
            (void)add_run(t->to, rank, &file, &place, &pack->failure);
    }
}

/* Rank 0 maps its own file, too. */
static trib_status add_own_runs(telling *t, trib_error *error) {
    TRIB_OWNED(trib_pack) pack = {0};
    pack_runs(t, 0, &pack);
    trib_status status = trib_pack_check(&pack, error);
    trib_pack own = trib_pack_reading(pack.bytes.text, pack.bytes.length);
    if (status == TRIB_OK) pack_runs(t, 0, &own);
    return status == TRIB_OK ? trib_pack_check(&own, error) : status;
}

/* Rank 0 collects the runs of all ranks, its own first. */
static trib_status collect(const trib_comm *comm, trib_status status, trib_word_runs *own,
                           collected *c, trib_error *error) {
    const size_t n = comm->rank == 0 ? (size_t)comm->size : 0;
    telling t = {.own = own, .to = c};
    if (status == TRIB_OK) status = TRIB_NEW(&c->file, n, "runs of words", error);
    if (status == TRIB_OK) status = TRIB_NEW(&c->n_words, n, "runs of words", error);
    if (status == TRIB_OK) status = describe_file(&own->spill, own->n, &t.file, error);
    if (status == TRIB_OK && comm->rank == 0) status = add_own_runs(&t, error);
    return trib_comm_tell_all(comm, status, true, pack_runs, &t, error);
}

/* ---- The vocabulary in a file that all ranks map --------------------------------------------- */

/* The vocabulary in a file, and where its arrays lie there. */
typedef struct shared_vocab {
    trib_vocab *vocab; /* of this rank */
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
    *to = (shared_vocab){.vocab = vocab,
                         .n_text = (size_t)(last - merged->text) + strlen(last) + 1,
                         .n_tokens = merged->n_tokens,
                         .n_other = merged->n_other,
                         .other = merged->other,
                         .have_norms = merged->norm != NULL,
                         .has_twins = merged->has_twins};
    trib_status status = trib_spill_open(spill, scratch, true, error);
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
static trib_status map_vocab(const shared_vocab *from, trib_error *error) {
    trib_vocab *vocab = from->vocab;
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

static void pack_vocab(void *context, int rank, trib_pack *pack) {
    shared_vocab *at = context;
    trib_vocab *const own = at->vocab;
    (void)rank;
    TRIB_PACK(pack, *at);
    at->vocab = own;
    if (pack->reads && trib_pack_is_good(pack)) (void)map_vocab(at, &pack->failure);
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

static trib_status share_vocab(const trib_comm *comm, trib_status status, const trib_vocab *merged,
                               trib_vocab *vocab, const char *scratch, trib_error *error) {
    shared_vocab at = {.vocab = vocab};
    if (status == TRIB_OK && comm->rank == 0)
        status = write_vocab(merged, vocab, scratch, &at, error);
    status = trib_comm_tell(comm, status, 0, false, pack_vocab, &at, error);
    return status == TRIB_OK ? list_words(&at, vocab, scratch, error) : status;
}

/* ---- Ids ------------------------------------------------------------------------------------- */

/* Ids on their way to the array that has room for them. */
typedef struct received {
    uint32_t *id;
    size_t n, most;
} received;

static trib_status take_ids(void *context, const void *item, size_t n, trib_error *error) {
    received *to = context;
    if (n > to->most - to->n) return trib_fail(error, TRIB_INTERNAL, "too many ids of words");
    memcpy(to->id + to->n, item, n * sizeof *to->id);
    to->n += n;
    return TRIB_OK;
}

/* Rank 0 sends each rank the ids of its words; all[] has those of all ranks in their order. */
static trib_status share_ids(const trib_comm *comm, trib_status status, const uint32_t *all,
                             const uint32_t *n_words, uint32_t n_own, const char *scratch,
                             trib_scratch_array *final_id, trib_error *error) {
    const size_t n_ranks = (size_t)comm->size;
    const void **item = NULL;
    size_t *n = NULL;
    if (status == TRIB_OK) status = TRIB_NEW(&item, n_ranks, "word ids", error);
    if (status == TRIB_OK) status = TRIB_NEW(&n, n_ranks, "word ids", error);
    if (status == TRIB_OK)
        status = trib_scratch_array_open(final_id, n_own, sizeof(uint32_t), scratch, error);
    for (size_t r = 0; status == TRIB_OK && comm->rank == 0 && r < n_ranks; all += n_words[r++]) {
        item[r] = all;
        n[r] = n_words[r];
    }
    received to = {final_id->bytes, 0, n_own};
    status = trib_comm_exchange(comm, status, item, n, sizeof *all, take_ids, &to, error);
    TRIB_FREE(item, n);
    return status;
}

trib_status trib_share_word_runs(const trib_comm *comm, trib_status status, trib_word_runs *own,
                                 trib_runs_merge merge, void *context, const char *scratch,
                                 trib_vocab *vocab, trib_scratch_array *final_id,
                                 trib_error *error) {
    if (comm->size <= 1)
        return status == TRIB_OK ? merge(context, own, vocab, final_id, error) : status;
    collected c = {.n_files = 0};
    trib_vocab merged = {.other = TRIB_NO_WORD};
    trib_scratch_array all_ids = {0};
    *vocab = merged;
    *final_id = all_ids;
    status = collect(comm, status, own, &c, error);
    if (status == TRIB_OK && comm->rank == 0)
        status = merge(context, &c.all, &merged, &all_ids, error);
    status = share_vocab(comm, status, &merged, vocab, scratch, error);
    status =
        share_ids(comm, status, all_ids.bytes, c.n_words, own->n_ids, scratch, final_id, error);
    if (status != TRIB_OK) trib_vocab_release(vocab);
    trib_vocab_release(&merged);
    trib_scratch_array_close(&all_ids);
    release(&c);
    return status;
}
