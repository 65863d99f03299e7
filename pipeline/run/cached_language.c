/* cached_language.c - the cached common language of several targets, identified by the documents
 * that have been added to it. */
#include "pipeline/run/cached.h"
#include "pipeline/stages/language.h"
#include "pipeline/stages/packed_counts.h"

bool trib_cached_language_is_shared(const trib_run *run) {
    return trib_config_shares_background(run->env.config, run->corpus.n_targets,
                                         run->corpus.n_documents);
}

uint32_t trib_cached_language_n_before(const trib_run *run, uint32_t t) {
    return trib_language_n_before(run->env.config, &run->corpus, &run->corpus.target[t]);
}

/* Adds the first n documents in the order of arrival. */
static void add_first(const trib_run *run, uint32_t n, trib_identity *key) {
    for (uint32_t i = 0; i < n; i++)
        trib_identity_hash(key, run->fingerprint[run->corpus.arrival[i]].counts, TRIB_SHA256_TEXT);
    trib_identity_add(key, "background of %u %s: ", (unsigned)n,
                      trib_language_is_by_date(run->env.config) ? "by date" : "at once");
    trib_identity_end_hash(key, "documents");
}

void trib_cached_language_print(const trib_run *run, uint32_t t, trib_identity *key) {
    if (trib_cached_language_is_shared(run))
        add_first(run, trib_cached_language_n_before(run, t), key);
    else trib_identity_add(key, "background of the target\n");
}

/* ---- The cached language --------------------------------------------------------------------- */

/* Stored with the shares: when a document is added, only its own shares must be computed. */
static const char folder[] = "influence";

static trib_status key_of(const trib_run *run, uint32_t n, trib_identity *key, trib_error *error) {
    const trib_status status = trib_cache_begin_key(run->cache, folder, &key->text, error);
    trib_identity_add(key, "language of %d components\n",
                      (int)run->env.config->influence.background);
    add_first(run, n, key);
    if (status == TRIB_OK && key->failure.status != TRIB_OK && error) *error = key->failure;
    return status == TRIB_OK ? key->failure.status : status;
}

static void pack(const trib_common_language *language, trib_pack *out) {
    trib_pack_u32(out, language->n);
    trib_pack_u32(out, language->n_rows);
    trib_pack_u64(out, language->n_documents);
    trib_pack_u64(out, language->n_tokens);
    trib_pack_array(out, language->total, language->n, sizeof *language->total);
    for (uint32_t i = 0; i < language->n_rows; i++) {
        const trib_language_row *row = &language->row[i];
        trib_pack_u32(out, row->n);
        trib_pack_array(out, row->mass, (size_t)language->n_modes * row->n, sizeof *row->mass);
    }
}

/* Reads an entry into an empty language. The first n documents decide which words have rows. */
static trib_status unpack(trib_common_language *language, const trib_run *run, uint32_t n,
                          trib_unpack *in, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        const uint32_t d = run->corpus.arrival[i];
        if (trib_tensors_counted(&run->tensors)[d].counts->total == 0) continue;
        status = trib_counts_hold(&run->tensors, d, error);
        if (status != TRIB_OK) break;
        status =
            trib_common_language_number(language, &trib_tensors_counted(&run->tensors)[d], error);
        trib_counts_drop(&run->tensors, d);
    }
    language->n = trib_unpack_u32(in);
    trib_unpack_expect(in, trib_unpack_u32(in) == language->n_rows);
    language->n_documents = (size_t)trib_unpack_u64(in);
    language->n_tokens = trib_unpack_u64(in);
    if (status == TRIB_OK)
        status = trib_unpack_array(in, &language->total, language->n, sizeof *language->total,
                                   "the background", error);
    for (uint32_t i = 0; i < language->n_rows && status == TRIB_OK && !in->is_wrong; i++) {
        trib_language_row *row = &language->row[i];
        const uint32_t n_here = trib_unpack_u32(in);
        trib_unpack_expect(in, n_here <= language->n);
        if (in->is_wrong) break;
        status = trib_unpack_array(in, &row->mass, (size_t)language->n_modes * n_here,
                                   sizeof *row->mass, "the background", error);
        row->n = n_here;
    }
    return status;
}

/* Reads the cached language of as many of the first `most` documents as possible. */
trib_status trib_cached_language_take(const trib_run *run, trib_common_language *language,
                                      uint32_t *n_arrived, uint32_t most, trib_error *error) {
    trib_status status = TRIB_OK;
    bool taken = false;
    for (uint32_t n = most; run->cache && n > 0 && status == TRIB_OK && !taken; n--) {
        trib_identity key = {0};
        trib_cache_entry entry = {0};
        status = key_of(run, n, &key, error);
        if (status == TRIB_OK && trib_cache_has(run->cache, folder, &key.text))
            status = trib_cache_find(run->cache, folder, &key.text, &entry, &taken, error);
        if (status == TRIB_OK && taken) {
            status = unpack(language, run, n, &entry.result, error);
            taken = trib_unpack_is_whole(&entry.result);
            if (status == TRIB_OK && !taken) {
                trib_cache_report(run->cache, folder, &key.text, "its contents are invalid");
                trib_common_language_release(language);
                status = trib_common_language_init(language, run->env.config->tensor.n,
                                                   run->vocab.n_words, error);
            }
        }
        if (taken) *n_arrived = n;
        trib_cache_entry_release(&entry);
        (void)trib_identity_close(&key, NULL);
    }
    return status;
}

trib_status trib_cached_language_put(const trib_run *run, const trib_common_language *language,
                                     uint32_t n_arrived, trib_error *error) {
    trib_identity key = {0};
    trib_buffer about = {0};
    trib_pack result = {0};
    trib_status status = key_of(run, n_arrived, &key, error);
    if (status == TRIB_OK) status = trib_buffer_print(&about, error, "part the common language\n");
    if (status == TRIB_OK && !trib_cache_has(run->cache, folder, &key.text)) {
        pack(language, &result);
        status = trib_cache_put(run->cache, folder, &key.text, &about, &result, error);
    }
    trib_pack_release(&result);
    trib_buffer_release(&about);
    (void)trib_identity_close(&key, NULL);
    return status;
}
