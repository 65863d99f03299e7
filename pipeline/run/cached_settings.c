/* cached_settings.c - which settings change the result of which stage. */
#include <string.h>

#include "pipeline/run/cached.h"

/* Keys, or sections of keys ("cp."), and the stages and methods that read them. Settings of earlier
 * stages are not listed, since the key of a stage contains the results of those stages. A key
 * without a row counts as read by every stage. */
static const struct {
    const char *key, *stages;
} touches[] = {
    {"preset", ""},
    {"name", "report"},
    {"corpus.target", "corpus"},
    {"corpus.order", "corpus"},
    {"corpus.on_error", "corpus"},
    {"corpus.near_duplicate", "report"},
    {"corpus.reference", "report"},
    {"corpus.", "tokens"},
    {"tokens.transform", "vocabulary"}, /* the key of a text's n-grams has a hash of the norms */
    {"tokens.variants", "vocabulary"},
    {"tokens.stem", "vocabulary"},
    {"tokens.stop", "vocabulary"},
    {"tokens.", "tokens"},
    {"vocabulary.", "vocabulary"},
    {"tensor.n", "tensors"},
    {"tensor.skip", "tensors"},
    {"tensor.format", "factors"},
    {"tensor.block", "factors"},
    {"tensor.superblock", "factors"},
    {"tensor.fragment", "report"},
    {"tensor.reads", "report"},
    {"tensor.", "tensors factors"},
    {"cp.seed", "factors traced anchored"},
    {"cp.", "factors"},
    {"influence.methods", "influence"},
    {"influence.headline", "evidence"},
    {"influence.floor", "evidence"},
    {"influence.threshold", "lowe"},
    {"influence.background", "anchored"},
    {"influence.background_of", "anchored"},
    {"influence.bootstrap", "traced anchored"},
    {"influence.formula", "traced anchored lowe-matched split containment runs"},
    {"influence.close", "traced runs"},
    {"influence.run", "runs"},
    {"influence.null", "influence"}, /* cached_influence.c adds it to the key of the headline */
    {"influence.shortlist", "traced anchored lowe-matched"},
    {"influence.candidates", "candidates"},
    {"parallels.", "parallels"},
    {"report.top_phrases", "evidence report"},
    {"report.", "report"},
};

static bool is_among(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncmp(at, word, length) == 0) return true;
    return false;
}

bool trib_cached_depends(const char *stage, const char *key) {
    for (size_t i = 0; i < sizeof touches / sizeof *touches; i++) {
        const size_t length = strlen(touches[i].key);
        const bool is_section = touches[i].key[length - 1] == '.';
        if (is_section ? strncmp(touches[i].key, key, length) == 0
                       : strcmp(touches[i].key, key) == 0)
            return is_among(touches[i].stages, stage);
    }
    return true;
}

void trib_cached_add_word(trib_sha256 *hash, const trib_vocab *vocab, uint32_t id) {
    trib_sha256_add(hash, vocab->word[id], strlen(vocab->word[id]) + 1);
    if (vocab->norm) trib_sha256_add(hash, vocab->norm[id], strlen(vocab->norm[id]) + 1);
}

/* The state of adding settings to a text. */
typedef struct lines {
    const char *stage;
    trib_buffer *to;
    trib_error failure;
} lines;

static void add_line(void *context, const char *key, const char *value, bool is_default,
                     bool changes_result) {
    lines *l = context;
    (void)is_default;
    if (l->failure.status != TRIB_OK || !changes_result) return;
    if (trib_cached_depends(l->stage, key))
        (void)trib_buffer_print(l->to, &l->failure, "%s %s\n", key, value);
}

trib_status trib_cached_settings(const trib_config *config, const char *stage, trib_buffer *to,
                                 trib_error *error) {
    lines l = {.stage = stage, .to = to};
    const trib_status status = trib_config_each(config, add_line, &l, error);
    if (status == TRIB_OK && l.failure.status != TRIB_OK && error) *error = l.failure;
    return status == TRIB_OK ? l.failure.status : status;
}
