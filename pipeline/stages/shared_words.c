/* shared_words.c - what processes tell each other of their documents' words. The vocabularies are added pairwise, in a binomial
 * tree (Thakur, Rabenseifner & Gropp 2005): of K processes none adds more than log2 K vocabularies to its own, and
 * each gives its own once. Counts are whole numbers, whose sums know no order, and words are numbered by count and spelling, which
 * no two words share: so nothing in the result tells who added what to what, and it is what one process alone finds. */
#include "pipeline/stages/shared_words.h"

#include <string.h>

#include "pipeline/run/rejected.h"
#include "pipeline/support/pack.h"

static trib_status makes_no_sense(const trib_run *run, int from, trib_error *error) {
    return trib_fail(error, TRIB_INTERNAL,
                     "rank %d has got from rank %d what makes no sense; are all machines and "
                     "programs of one kind?",
                     run->team.rank, from);
}

/* ---- What was found of the documents ---------------------------------------------------------------------------------- */

static void pack_text(trib_pack *out, const char *text) {
    trib_pack_u64(out, strlen(text));
    trib_pack_array(out, text, strlen(text), 1);
}

static void unpack_text(trib_unpack *in, char *text, size_t size) {
    const uint64_t n = trib_unpack_u64(in);
    trib_unpack_expect(in, n < size);
    if (in->is_wrong) return;
    trib_unpack_into(in, text, (size_t)n, 1);
    text[n] = '\0';
}

static void pack_document(const trib_run_document *document, const trib_words_about *about,
                          trib_pack *out) {
    pack_text(out, document->refused ? document->refused : "");
    if (document->refused) return;
    trib_pack_u64(out, document->n_tokens);
    trib_pack_u32(out, document->n_words);
    trib_pack_array(out, &about->counts, 1, sizeof about->counts);
    trib_pack_array(out, &about->cuts, 1, sizeof about->cuts);
    trib_pack_u64(out, about->remark_line);
    pack_text(out, about->encoding);
    pack_text(out, about->remark);
}

static trib_status unpack_document(trib_run_document *document, trib_words_about *about,
                                   trib_unpack *in, trib_error *error) {
    trib_error why = {.status = TRIB_INPUT};
    unpack_text(in, why.message, sizeof why.message);
    if (*why.message) return trib_run_reject(document, &why, error);
    document->n_tokens = (size_t)trib_unpack_u64(in);
    document->n_words = trib_unpack_u32(in);
    trib_unpack_into(in, &about->counts, 1, sizeof about->counts);
    trib_unpack_into(in, &about->cuts, 1, sizeof about->cuts);
    about->remark_line = trib_unpack_u64(in);
    unpack_text(in, about->encoding, sizeof about->encoding);
    unpack_text(in, about->remark, sizeof about->remark);
    return TRIB_OK;
}

static trib_status share_found_of(trib_run *run, int from, trib_words_about *about,
                                  trib_error *error) {
    const trib_comm *team = &run->team;
    trib_pack pack = {0};
    for (uint32_t d = 0; d < run->n_documents && team->rank == from; d++)
        if (run->document[d].rank == from) pack_document(&run->document[d], &about[d], &pack);
    if (error && pack.failure.status != TRIB_OK) *error = pack.failure;
    trib_status status = trib_comm_agree(team, pack.failure.status, error);
    if (status == TRIB_OK) status = trib_comm_give(team, from, &pack.bytes, error);
    if (status == TRIB_OK && team->rank != from) {
        trib_unpack in = {.at = pack.bytes.text, .end = pack.bytes.text + pack.bytes.length};
        for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++)
            if (run->document[d].rank == from)
                status = unpack_document(&run->document[d], &about[d], &in, error);
        if (status == TRIB_OK && !trib_unpack_is_whole(&in))
            status = makes_no_sense(run, from, error);
    }
    trib_pack_release(&pack);
    return trib_comm_agree(team, status, error);
}

trib_status trib_share_found_words(trib_run *run, trib_words_about *about, trib_error *error) {
    trib_status status = TRIB_OK;
    for (int rank = 0; run->team.size > 1 && rank < run->team.size && status == TRIB_OK; rank++)
        status = share_found_of(run, rank, about, error);
    return status;
}

/* ---- Adding vocabularies ----------------------------------------------------------------------------------------------- */

/* Words with their counts as they travel: how many, the bytes of their spellings, these with a NUL behind each, then of each how
 * often it occurs and in how many documents. */
static void pack_words(trib_pack *out, uint32_t n, const char *text, size_t n_text,
                       const uint64_t *count, const uint32_t *n_documents) {
    trib_pack_varint(out, n);
    trib_pack_varint(out, n_text);
    trib_pack_array(out, text, n_text, 1);
    for (uint32_t i = 0; i < n; i++) {
        trib_pack_varint(out, count[i]);
        trib_pack_varint(out, n_documents[i]);
    }
}

/* The spellings of words that have travelled. */
typedef struct spellings {
    const char *at, *end;
    uint32_t n; /* words */
} spellings;

static spellings unpack_spellings(trib_unpack *in) {
    const uint64_t n = trib_unpack_varint(in), n_text = trib_unpack_varint(in);
    trib_unpack_expect(in, n < TRIB_NO_WORD && n_text <= (uint64_t)(in->end - in->at));
    if (in->is_wrong) return (spellings){0};
    in->at += n_text;
    return (spellings){in->at - n_text, in->at, (uint32_t)n};
}

/* The next word and its length, or NULL where there is none. */
static const char *next_word(spellings *s, size_t *length, trib_unpack *in) {
    const char *const word = s->at;
    const char *const nul = word < s->end ? memchr(word, '\0', (size_t)(s->end - word)) : NULL;
    trib_unpack_expect(in, nul != NULL);
    if (!nul) return NULL;
    *length = (size_t)(nul - word);
    s->at = nul + 1;
    return word;
}

static trib_status add_words(trib_run *run, int from, const trib_buffer *bytes, trib_error *error) {
    trib_unpack in = {.at = bytes->text, .end = bytes->text + bytes->length};
    spellings s = unpack_spellings(&in);
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < s.n && status == TRIB_OK && !in.is_wrong; i++) {
        size_t length = 0;
        uint32_t id;
        const char *const word = next_word(&s, &length, &in);
        const uint64_t count = trib_unpack_varint(&in), n_documents = trib_unpack_varint(&in);
        if (in.is_wrong) break;
        status = trib_run_add_word(run, word, length, count, (uint32_t)n_documents, &id, error);
    }
    return status == TRIB_OK && !trib_unpack_is_whole(&in) ? makes_no_sense(run, from, error)
                                                           : status;
}

/* One level of the tree: the ranks that are an odd multiple of `step` give all they have to the one `step` before. */
static trib_status add_level(trib_run *run, int step, trib_error *error) {
    const trib_comm *team = &run->team;
    const int place = team->rank % (2 * step);
    const bool gives = place == step, takes = place == 0 && step < team->size - team->rank;
    trib_pack pack = {0};
    trib_buffer *const bytes = &pack.bytes;
    uint64_t n = 0;
    trib_status status = TRIB_OK;
    if (gives) {
        pack_words(&pack, run->intern.n_words, run->intern.text, run->intern.n_text,
                   run->word_count, run->word_documents);
        status = pack.failure.status;
        if (error && status != TRIB_OK) *error = pack.failure;
        n = bytes->length;
        trib_comm_send(team, team->rank - step, &n, sizeof n);
    }
    if (takes) {
        trib_comm_receive(team, team->rank + step, &n, sizeof n);
        status =
            trib_grow(&bytes->text, &bytes->cap, (size_t)n + 1, 1, "another rank's words", error);
        bytes->length = (size_t)n;
    }
    status = trib_comm_agree(team, status, error);
    if (status == TRIB_OK && gives) trib_comm_send(team, team->rank - step, bytes->text, (size_t)n);
    if (status == TRIB_OK && takes) {
        trib_comm_receive(team, team->rank + step, bytes->text, (size_t)n);
        status = add_words(run, team->rank + step, bytes, error);
    }
    trib_pack_release(&pack);
    return trib_comm_agree(team, status, error);
}

trib_status trib_share_added_vocabularies(trib_run *run, trib_error *error) {
    trib_status status = TRIB_OK;
    for (int step = 1; step < run->team.size && status == TRIB_OK; step *= 2)
        status = add_level(run, step, error);
    return status;
}

/* ---- One vocabulary for all -------------------------------------------------------------------------------------------- */

static void pack_vocabulary(const trib_vocab *vocab, trib_pack *out) {
    const char *const last = vocab->word[vocab->n_words - 1]; /* there is one, or no vocabulary */
    trib_pack_u32(out, vocab->other);
    trib_pack_u64(out, vocab->n_tokens);
    trib_pack_u64(out, vocab->n_other);
    pack_words(out, vocab->n_words, vocab->text, (size_t)(last - vocab->text) + strlen(last) + 1,
               vocab->count, vocab->n_documents);
}

static trib_status unpack_vocabulary(trib_vocab *vocab, trib_unpack *in, trib_error *error) {
    vocab->other = trib_unpack_u32(in);
    vocab->n_tokens = trib_unpack_u64(in);
    vocab->n_other = trib_unpack_u64(in);
    spellings s = unpack_spellings(in);
    const size_t n_text = (size_t)(s.end - s.at);
    trib_status status = trib_new(&vocab->word, s.n, sizeof *vocab->word, "the vocabulary", error);
    if (status == TRIB_OK)
        status = trib_new(&vocab->count, s.n, sizeof *vocab->count, "the vocabulary", error);
    if (status == TRIB_OK)
        status =
            trib_new(&vocab->n_documents, s.n, sizeof *vocab->n_documents, "the vocabulary", error);
    if (status == TRIB_OK) status = trib_new(&vocab->text, n_text, 1, "the vocabulary", error);
    if (status != TRIB_OK || n_text == 0) return status;
    memcpy(vocab->text, s.at, n_text);
    for (char *word = vocab->text; vocab->n_words < s.n && !in->is_wrong; vocab->n_words++) {
        size_t length = 0;
        next_word(&s, &length, in);
        vocab->word[vocab->n_words] = word;
        vocab->count[vocab->n_words] = trib_unpack_varint(in);
        vocab->n_documents[vocab->n_words] = (uint32_t)trib_unpack_varint(in);
        word += length + 1;
    }
    return status;
}

/* The vocabulary's ids of this rank's words. */
static void number_words(const trib_run *run, uint32_t *final_id) {
    const trib_vocab *vocab = &run->vocab;
    for (uint32_t p = 0; p < run->intern.n_words; p++) final_id[p] = vocab->other;
    for (uint32_t id = 0; id < vocab->n_words; id++) {
        if (id == vocab->other) continue;
        const uint32_t p = trib_intern_find(&run->intern, vocab->word[id], strlen(vocab->word[id]));
        if (p != TRIB_NO_WORD) final_id[p] = id;
    }
}

trib_status trib_share_vocabulary(trib_run *run, uint32_t *final_id, trib_error *error) {
    const trib_comm *team = &run->team;
    trib_pack pack = {0};
    if (team->size <= 1) return TRIB_OK;
    if (team->rank == 0) pack_vocabulary(&run->vocab, &pack);
    if (error && pack.failure.status != TRIB_OK) *error = pack.failure;
    trib_status status = trib_comm_agree(team, pack.failure.status, error);
    if (status == TRIB_OK) status = trib_comm_give(team, 0, &pack.bytes, error);
    if (status == TRIB_OK && team->rank > 0) {
        trib_unpack in = {.at = pack.bytes.text, .end = pack.bytes.text + pack.bytes.length};
        status = unpack_vocabulary(&run->vocab, &in, error);
        if (status == TRIB_OK && !trib_unpack_is_whole(&in)) status = makes_no_sense(run, 0, error);
        if (status == TRIB_OK) number_words(run, final_id);
    }
    trib_pack_release(&pack);
    return trib_comm_agree(team, status, error);
}

/* ---- Words by number --------------------------------------------------------------------------------------------------- */

/* Numbered words of several documents, one behind the other, on their way to all. */
typedef struct parcel {
    trib_pack sizes; /* bytes of each */
    trib_buffer bytes;
} parcel;

/* The first document of a rank from d on, or n_documents. */
static uint32_t next_of(const trib_run *run, int rank, uint32_t d) {
    while (d < run->n_documents && run->document[d].rank != rank) d++;
    return d;
}

/* Fills a parcel with the documents of this rank from d on, as many as go at once. */
static trib_status fill(const trib_run *run, uint32_t d, parcel *p, trib_error *error) {
    enum { AT_ONCE = 8 << 20 }; /* bytes, of which a document may have more */
    trib_status status = TRIB_OK;
    for (; d < run->n_documents && p->bytes.length < AT_ONCE && status == TRIB_OK;
         d = next_of(run, run->team.rank, d + 1)) {
        const trib_run_document *document = &run->document[d];
        const size_t before = p->bytes.length;
        trib_words words;
        status = trib_run_words(document, &words, error);
        if (status != TRIB_OK) break;
        status = trib_words_number(&words, document->id, &p->bytes, error);
        trib_words_close(&words);
        trib_pack_u64(&p->sizes, p->bytes.length - before);
    }
    if (status == TRIB_OK && (status = p->sizes.failure.status) != TRIB_OK && error)
        *error = p->sizes.failure;
    return status;
}

/* Puts what another rank has sent behind the words that the first thread has. */
static trib_status put_away(trib_run *run, uint32_t d, int from, const parcel *p,
                            trib_error *error) {
    trib_run_spill *spill = &run->spill[0];
    trib_unpack in = {.at = p->sizes.bytes.text,
                      .end = p->sizes.bytes.text + p->sizes.bytes.length};
    uint64_t left = p->bytes.length;
    for (; in.at < in.end && !in.is_wrong; d = next_of(run, from, d + 1)) {
        const uint64_t size = trib_unpack_u64(&in);
        trib_unpack_expect(&in, d < run->n_documents && size <= left);
        if (in.is_wrong) break;
        run->document[d].words = &spill->reader;
        run->document[d].words_from = spill->writer.n_written + p->bytes.length - left;
        run->document[d].words_size = size;
        run->document[d].is_numbered = true;
        left -= size;
    }
    if (in.is_wrong || left > 0) return makes_no_sense(run, from, error);
    trib_write(&spill->writer, p->bytes.text, p->bytes.length);
    return trib_writer_flush(&spill->writer, error);
}

/* One parcel of a rank's documents from *d on, which is moved behind them. */
static trib_status share_parcel(trib_run *run, int from, uint32_t *d, trib_error *error) {
    const trib_comm *team = &run->team;
    parcel p = {0};
    trib_status status = team->rank == from ? fill(run, *d, &p, error) : TRIB_OK;
    status = trib_comm_agree(team, status, error);
    if (status == TRIB_OK) status = trib_comm_give(team, from, &p.sizes.bytes, error);
    if (status == TRIB_OK) status = trib_comm_give(team, from, &p.bytes, error);
    if (status == TRIB_OK && team->rank != from) status = put_away(run, *d, from, &p, error);
    for (size_t n = p.sizes.bytes.length / sizeof(uint64_t); n > 0 && *d < run->n_documents; n--)
        *d = next_of(run, from, *d + 1);
    trib_buffer_release(&p.bytes);
    trib_pack_release(&p.sizes);
    return trib_comm_agree(team, status, error);
}

trib_status trib_comm_share_words(trib_run *run, trib_error *error) {
    trib_status status = TRIB_OK;
    for (int rank = 0; run->team.size > 1 && rank < run->team.size && status == TRIB_OK; rank++)
        for (uint32_t d = next_of(run, rank, 0); d < run->n_documents && status == TRIB_OK;)
            status = share_parcel(run, rank, &d, error);
    return status;
}
