/* tokens.c - stages tokens and vocabulary: every text is tokenised once into provisional ids, which are renumbered in
 * place when the vocabulary is known. */
#include "pipeline/input.h"
#include "pipeline/run.h"

#include <stdio.h>
#include <string.h>

/* Where the words of one document go. */
typedef struct collection {
    trib_intern *intern;
    trib_run_document *document;
    const trib_kept *kept; /* what the words are in; empty: the whole file */
    size_t range;          /* of `kept` the last word was in */
    size_t token_cap, offset_cap, length_cap, break_cap;
} collection;

/* Whether something was cut between a word and the one before. */
static bool passes_cut(collection *c, uint64_t offset) {
    const size_t before = c->range;
    while (c->range + 1 < c->kept->n && c->kept->range[c->range + 1].from <= offset) c->range++;
    return c->range > before;
}

static trib_status collect(void *context, const trib_token *token, trib_error *error) {
    collection *c = context;
    trib_run_document *d = c->document;
    const size_t n = d->n_tokens;
    uint32_t id = 0;
    trib_status status = trib_intern_add(c->intern, token->text, token->length, &id, error);
    if (status == TRIB_OK)
        status = trib_grow(&d->token, &c->token_cap, n + 1, sizeof *d->token, "tokens", error);
    if (status == TRIB_OK)
        status = trib_grow(&d->offset, &c->offset_cap, n + 1, sizeof *d->offset, "tokens", error);
    if (status == TRIB_OK)
        status = trib_grow(&d->length, &c->length_cap, n + 1, sizeof *d->length, "tokens", error);
    if (status == TRIB_OK)
        status = trib_grow(&d->after_break, &c->break_cap, n + 1, 1, "tokens", error);
    if (status != TRIB_OK) return status;
    d->token[n] = id;
    d->offset[n] = token->offset;
    d->length[n] = token->n_bytes;
    const bool cut = passes_cut(c, token->offset);
    d->after_break[n] = token->after_break || (cut && n > 0);
    d->n_tokens++;
    return TRIB_OK;
}

/* Feeds a file as it comes. */
static trib_status feed_file(trib_tokenizer *tokenizer, trib_input *input, trib_error *error) {
    char block[1 << 16];
    size_t got = 0;
    trib_status status = TRIB_OK;
    while (status == TRIB_OK &&
           (status = trib_input_read(input, block, sizeof block, &got, error)) == TRIB_OK &&
           got > 0)
        status = trib_tokenizer_feed(tokenizer, block, got, error);
    return status;
}

static uint64_t in_all(const trib_cuts *cuts) {
    return cuts->before.n_bytes + cuts->between.n_bytes + cuts->behind.n_bytes;
}

static trib_status tell_cuts(trib_run *run, const trib_run_document *document,
                             const trib_kept *kept, trib_error *error) {
    const trib_cuts *cuts = &document->cuts;
    const char *path = document->about->path;
    char between[96] = "";
    if (cuts->n_texts > 1)
        snprintf(between, sizeof between, ", %llu (%llu) between its %u texts",
                 (unsigned long long)cuts->between.n_bytes,
                 (unsigned long long)cuts->between.n_lines, (unsigned)cuts->n_texts);
    if (in_all(cuts) == 0)
        trib_log_say(run->log, TRIB_LOG_INFO, "%s: nothing to strip was found", path);
    else
        trib_log_say(run->log, TRIB_LOG_INFO,
                     "%s: stripped %llu bytes (%llu lines) before the text%s, %llu (%llu) behind",
                     path, (unsigned long long)cuts->before.n_bytes,
                     (unsigned long long)cuts->before.n_lines, between,
                     (unsigned long long)cuts->behind.n_bytes,
                     (unsigned long long)cuts->behind.n_lines);
    if (!kept->remark) return TRIB_OK;
    return trib_run_warn(run, error, "%s:%llu: %s", path, (unsigned long long)kept->line,
                         kept->remark);
}

/* Feeds a whole file from which something is stripped; `kept` says what. */
static trib_status feed_stripped(trib_run *run, trib_tokenizer *tokenizer, trib_input *input,
                                 trib_run_document *document, trib_kept *kept, trib_error *error) {
    const trib_text_list *names = &run->config->corpus.strip;
    trib_buffer text = {0};
    trib_status status = trib_input_all(input, &text, error);
    for (uint32_t i = 0; i < names->n && status == TRIB_OK; i++) {
        trib_kept_release(kept);
        status = trib_strip(kept, &document->cuts, trib_stripper_find(names->item[i]),
                            run->config->corpus.max_strip, document->about->path, text.text,
                            text.length, error);
    }
    if (status == TRIB_OK) status = tell_cuts(run, document, kept, error);
    if (status == TRIB_OK) status = trib_tokenizer_feed(tokenizer, text.text, text.length, error);
    trib_buffer_release(&text);
    return status;
}

/* What reads the words: `utf8` is for texts that were marked up. */
typedef struct tokenizer_pair {
    trib_tokenizer *file, *utf8;
} tokenizer_pair;

static trib_status read_document(trib_run *run, const tokenizer_pair *tokenizers,
                                 trib_run_document *document, trib_error *error) {
    trib_kept kept = {0};
    collection c = {.intern = &run->intern, .document = document, .kept = &kept};
    trib_input input;
    trib_status status = trib_input_open(&input, document->about->path, error);
    if (status != TRIB_OK) return status;
    trib_tokenizer *const tokenizer = input.is_markup ? tokenizers->utf8 : tokenizers->file;
    trib_tokenizer_begin(tokenizer, document->about->path, collect, &c);
    status = run->config->corpus.strip.n > 0
                 ? feed_stripped(run, tokenizer, &input, document, &kept, error)
                 : feed_file(tokenizer, &input, error);
    const trib_status ended =
        trib_tokenizer_end(tokenizer, &document->counts, status == TRIB_OK ? error : NULL);
    if (status == TRIB_OK) status = ended;
    trib_input_close(&input);
    trib_kept_release(&kept);
    if (status != TRIB_OK) return status;
    snprintf(document->encoding, sizeof document->encoding, "%s",
             trib_tokenizer_encoding(tokenizer));
    if (strcmp(run->config->corpus.encoding, "auto") == 0)
        trib_log_say(run->log, TRIB_LOG_INFO, "%s: is %s", document->about->path,
                     document->encoding);
    if (document->n_tokens == 0)
        return run->config->corpus.n_documents == 0
                   ? trib_fail(error, TRIB_INPUT, "%s: holds no word", document->about->path)
                   : trib_fail(
                         error, TRIB_INPUT,
                         "%s: holds no word; remove '%s' from the documents or give it a text",
                         document->about->path, document->about->id);
    if (document->counts.n_replaced > 0)
        status =
            trib_run_warn(run, error, "%s: %llu invalid byte sequences were replaced by U+FFFD",
                          document->about->path, (unsigned long long)document->counts.n_replaced);
    return status;
}

static bool list_holds(const trib_text_list *list, const char *item) {
    for (uint32_t i = 0; i < list->n; i++)
        if (strcmp(list->item[i], item) == 0) return true;
    return false;
}

trib_token_options trib_config_token_options(const trib_config *config) {
    return (trib_token_options){
        .locale = config->tokens.locale,
        .encoding = config->corpus.encoding,
        .normalize = config->tokens.normalize,
        .letter_case = config->tokens.letter_case,
        .apostrophes = config->tokens.apostrophes,
        .hyphens = config->tokens.hyphens,
        .numbers = config->tokens.numbers,
        .break_at_sentence = list_holds(&config->tokens.break_at, "sentence"),
        .break_at_paragraph = list_holds(&config->tokens.break_at, "paragraph"),
        .on_invalid = config->corpus.on_invalid,
    };
}

trib_status trib_stage_tokens(trib_run *run, trib_error *error) {
    trib_token_options options = trib_config_token_options(run->config);
    const trib_progress progress = trib_log_progress(run->log);
    tokenizer_pair tokenizers = {0};
    trib_status status = trib_tokenizer_open(&tokenizers.file, &options, error);
    options.encoding = NULL;
    if (status == TRIB_OK) status = trib_tokenizer_open(&tokenizers.utf8, &options, error);
    for (uint32_t d = 0; d < run->n_documents && status == TRIB_OK; d++) {
        status = read_document(run, &tokenizers, &run->document[d], error);
        if (status == TRIB_OK && !trib_progress_tick(&progress, d + 1, run->n_documents))
            status = trib_log_stopped(run->log, error);
    }
    trib_tokenizer_close(tokenizers.file);
    trib_tokenizer_close(tokenizers.utf8);
    return status;
}

static trib_status read_list(trib_intern *words, const char *path, trib_error *error) {
    trib_reader reader;
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    status = trib_vocab_read_list(words, &reader, error);
    trib_reader_close(&reader);
    return status;
}

/* count[id] occurrences and n_documents[id] documents of every provisional id. */
static void count_words(const trib_run *run, uint64_t *count, uint32_t *n_documents,
                        uint32_t *seen) {
    for (uint32_t d = 0; d < run->n_documents; d++)
        for (size_t i = 0; i < run->document[d].n_tokens; i++) {
            const uint32_t id = run->document[d].token[i];
            count[id]++;
            if (seen[id] == d + 1) continue;
            seen[id] = d + 1;
            n_documents[id]++;
        }
}

trib_status trib_stage_vocabulary(trib_run *run, trib_error *error) {
    const trib_config *config = run->config;
    const size_t n = run->intern.n_words;
    uint64_t *count = NULL;
    uint32_t *n_documents = NULL, *seen = NULL, *final_id = NULL;
    trib_intern fixed = {0};
    trib_status status = trib_new(&count, n, sizeof *count, "word counts", error);
    if (status == TRIB_OK)
        status = trib_new(&n_documents, n, sizeof *n_documents, "word counts", error);
    if (status == TRIB_OK) status = trib_new(&seen, n, sizeof *seen, "word counts", error);
    if (status == TRIB_OK) status = trib_new(&final_id, n, sizeof *final_id, "word ids", error);
    if (status == TRIB_OK && config->vocabulary.file)
        status = read_list(&fixed, config->vocabulary.path, error);
    if (status != TRIB_OK) goto done;
    count_words(run, count, n_documents, seen);
    const trib_vocab_options options = {
        .size = config->vocabulary.size,
        .min_count = config->vocabulary.min_count,
        .min_documents = config->vocabulary.min_documents,
        .wildcard = config->vocabulary.wildcard,
        .fixed = config->vocabulary.file ? &fixed : NULL,
    };
    status =
        trib_vocab_build(&run->vocab, &run->intern, count, n_documents, &options, final_id, error);
    if (status != TRIB_OK) goto done;
    for (uint32_t d = 0; d < run->n_documents; d++)
        for (size_t i = 0; i < run->document[d].n_tokens; i++)
            run->document[d].token[i] = final_id[run->document[d].token[i]];
    trib_intern_release(&run->intern);
done:
    trib_intern_release(&fixed);
    trib_free(final_id);
    trib_free(seen);
    trib_free(n_documents);
    trib_free(count);
    return status;
}
