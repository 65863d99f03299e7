/* languages.c - the languages of the texts: guesses those that are asked for, finds the languages
 * whose stems tokens.stem asks for, and whether words have norms by the language of their text. */

#include "pipeline/config/loading.h"
#include "pipeline/support/pack.h"
#include "pipeline/text/spool.h"
#include "tokenizer/language.h"
#include "tokenizer/tokenizer.h"

/* ---- Guessing -------------------------------------------------------------------------------- */

enum { GUESSED_FROM = 1 << 18 }; /* bytes at the beginning of a text */

static bool is_guessed(const trib_config *config, const char *language) {
    return strcmp(language ? language : config->tokens.locale, TRIB_LANGUAGE_GUESSED) == 0;
}

/* Reads the beginning of a text. *encoding is set to NULL, UTF-8, for text made from markup. Of a
 * file that cannot be read, `text` has what could be read. TRIB_MEMORY; TRIB_INTERRUPTED. */
static trib_status read_beginning(const trib_config *config, const trib_corpus_document *document,
                                  trib_spool_of_texts *spool, trib_buffer *text,
                                  const char **encoding, trib_error *error) {
    const trib_input_options options = trib_config_input_options(config, document);
    trib_input input;
    trib_error why = {0};
    size_t got = 1;
    *encoding = trib_config_encoding(config, document);
    trib_buffer_clear(text);
    if (!document->path) return TRIB_OK;
    trib_status status = trib_input_open(&input, document->path, spool, &options, &why);
    const bool is_open = status == TRIB_OK;
    if (is_open && input.is_markup) *encoding = NULL;
    while (status == TRIB_OK && got > 0 && text->length < GUESSED_FROM) {
        char bytes[8192];
        status = trib_input_read(&input, bytes, sizeof bytes, &got, &why);
        if (status == TRIB_OK) status = trib_buffer_add(text, bytes, got, &why);
    }
    if (is_open) trib_input_close(&input);
    return status == TRIB_MEMORY || status == TRIB_INTERRUPTED
               ? trib_fail(error, status, "%s", why.message)
               : TRIB_OK;
}

static trib_status guess_language(const trib_config *config, const trib_guesser *guesser,
                                  const trib_corpus_document *document, trib_spool_of_texts *spool,
                                  trib_buffer *text, char code[TRIB_LANGUAGE_MAX],
                                  trib_error *error) {
    const char *encoding;
    const trib_status status = read_beginning(config, document, spool, text, &encoding, error);
    return status == TRIB_OK ? trib_guesser_guess(guesser, encoding, text->text ? text->text : "",
                                                  text->length, code, error)
                             : status;
}

/* The first of the n documents that a rank guesses; those of rank `size` would begin at n. */
static uint32_t first_of(const trib_comm *comm, int rank, uint32_t n) {
    return comm->size > 1 ? (uint32_t)((uint64_t)n * (unsigned)rank / (unsigned)comm->size)
                          : n * (unsigned)rank;
}

/* Registers the documents that are guessed with a spool, so that an archive is unpacked once. */
static trib_status open_spool(trib_spool_of_texts *spool, const trib_config *config, uint32_t from,
                              uint32_t to, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t d = from; d < to && status == TRIB_OK; d++) {
        const trib_corpus_document *document = &config->corpus.document[d];
        if (document->path && is_guessed(config, document->language))
            status = trib_spool_of_texts_add(spool, document->path, error);
    }
    trib_spool_of_texts_arrange(spool);
    return status;
}

/* Guesses the languages of this rank's share of the texts into code[n_documents]. */
static trib_status guess_own(const trib_loading *l, const trib_guesser *guesser,
                             char code[][TRIB_LANGUAGE_MAX]) {
    const trib_config *config = l->config;
    const uint32_t n = config->corpus.n_documents;
    const uint32_t from = first_of(&l->comm, l->comm.rank, n);
    const uint32_t to = first_of(&l->comm, l->comm.rank + 1, n);
    TRIB_OWNED(trib_buffer) text = {0};
    TRIB_OPENED(trib_spool_of_texts) spool = {0};
    trib_status status = open_spool(&spool, config, from, to, &l->config->arena.failure);
    for (uint32_t d = from; d < to && status == TRIB_OK; d++) {
        const trib_corpus_document *document = &config->corpus.document[d];
        if (is_guessed(config, document->language))
            status = guess_language(config, guesser, document, &spool, &text, code[d],
                                    &l->config->arena.failure);
    }
    return status;
}

/* What a rank guessed. */
typedef struct guesses {
    const trib_loading *l;
    char (*code)[TRIB_LANGUAGE_MAX]; /* [n_documents] */
} guesses;

static void pack_guesses(void *context, int from, trib_pack *pack) {
    const guesses *g = context;
    const uint32_t n = g->l->config->corpus.n_documents, first = first_of(&g->l->comm, from, n);
    trib_pack_bytes(pack, g->code + first,
                    (first_of(&g->l->comm, from + 1, n) - first) * sizeof *g->code);
}

/* Gives the texts that are guessed their languages, or none. */
static void guess_all(trib_loading *l, const trib_guesser *guesser) {
    trib_config *config = l->config;
    trib_arena *const arena = &config->arena;
    const uint32_t n = config->corpus.n_documents;
    char(*code)[TRIB_LANGUAGE_MAX] = NULL;
    trib_status status = TRIB_NEW(&code, n, "languages", &arena->failure);
    if (status == TRIB_OK && guesser->classifier) status = guess_own(l, guesser, code);
    guesses all = {l, code};
    status = trib_comm_tell_all(&l->comm, status, false, pack_guesses, &all, &arena->failure);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        trib_corpus_document *document = &config->corpus.document[d];
        if (!is_guessed(config, document->language)) continue;
        document->language_from = TRIB_FROM_TEXT;
        document->language = *code[d] ? trib_arena_print(arena, "%s", code[d]) : NULL;
    }
    trib_free(code);
}

/* Sets tokens.locale to the language of most documents. */
static void choose_locale(trib_config *config) {
    const uint32_t n_documents = config->corpus.n_documents;
    trib_error *const error = &config->arena.failure;
    const char *best = "en";
    TRIB_OWNED(trib_intern) languages = {0};
    uint32_t *count = NULL, n_best = 0;
    trib_status status = TRIB_NEW(&count, n_documents, "languages", error);
    for (uint32_t d = 0; d < n_documents && status == TRIB_OK; d++) {
        const char *language = config->corpus.document[d].language;
        uint32_t id = 0;
        if (!language) continue;
        status = trib_intern_add(&languages, language, strlen(language), &id, error);
        if (status == TRIB_OK) count[id]++;
    }
    for (uint32_t i = 0; i < languages.n_words; i++) {
        const char *language = trib_intern_word(&languages, i);
        if (count[i] > n_best || (count[i] == n_best && strcmp(language, best) < 0))
            best = language, n_best = count[i];
    }
    config->tokens.locale = trib_arena_print(&config->arena, "%s", best);
    trib_free(count);
}

/* Where the documents are listed: the list in the file, or the key that names another list. */
static trib_place place_of_documents(const trib_loading *l) {
    return l->documents ? trib_yaml_place(&l->file, l->documents)
                        : trib_loading_place(l, "corpus.manifest", 0);
}

void trib_loading_languages(trib_loading *l) {
    trib_config *config = l->config;
    const bool has_locale = strcmp(config->tokens.locale, TRIB_LANGUAGE_GUESSED) != 0;
    TRIB_OPENED(trib_guesser) guesser = {0};
    trib_error why = {0};
    const char *asking = NULL; /* the first document with `language: auto` */
    bool is_any = false;
    trib_status opened = TRIB_OK;
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        const trib_corpus_document *document = &config->corpus.document[d];
        if (!is_guessed(config, document->language)) continue;
        if (document->language && !asking) asking = document->id;
        is_any = true;
    }
    if (is_any) opened = trib_guesser_open(&guesser, &why);
    if (is_any) guess_all(l, &guesser);
    if (opened != TRIB_OK && !has_locale)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "tokens.locale", 0),
                      "'tokens.locale: auto': %s", why.message);
    if (opened != TRIB_OK && asking)
        trib_diagnose(&l->diagnostics, place_of_documents(l), "'language: auto' of '%s': %s",
                      asking, why.message);
    if (!has_locale && trib_loading_goes_on(l)) choose_locale(config);
}

/* ---- Stems and words left out ---------------------------------------------------------------- */

/* The languages of the texts, by their codes and separated by spaces. */
typedef struct languages {
    trib_buffer list;
    uint32_t n;
    bool are_alike; /* two of them are written in the same script */
} languages;

/* Adds a language to a list, unless the list has it. */
static trib_status add_language(languages *all, const char *language, trib_error *error) {
    trib_buffer *list = &all->list;
    char code[TRIB_LANGUAGE_MAX] = "";
    bool is_alike = false;
    trib_language_code(code, language);
    for (const char *at = list->text ? list->text : ""; *at;) {
        char other[TRIB_LANGUAGE_MAX] = "";
        const size_t n = strcspn(at, " ");
        memcpy(other, at, n);
        if (strcmp(other, code) == 0) return TRIB_OK;
        is_alike = is_alike || trib_languages_share_script(other, code);
        at += n + (at[n] == ' ');
    }
    all->are_alike = all->are_alike || is_alike;
    all->n++;
    return trib_buffer_print(list, error, "%s%s", list->length > 0 ? " " : "", code);
}

/* Whether the texts of each language have norms or words left out of their own. */
static bool differ_by_language(const trib_config *config, const languages *all) {
    const trib_stop_list *stop = &config->tokens.stop;
    bool is_by_language = all->are_alike && strcmp(config->tokens.stem, "auto") == 0;
    for (size_t i = 0; i < stop->n; i++)
        is_by_language =
            is_by_language || stop->item[i].language || trib_stop_count(&stop->item[i]) > 0;
    return all->n > 1 && is_by_language;
}

void trib_loading_stems(trib_loading *l) {
    trib_config *config = l->config;
    trib_error *const error = &config->arena.failure;
    languages all = {.n = 0};
    const char *last = NULL;
    trib_status status = error->status;
    for (uint32_t d = 0; d < config->corpus.n_documents && status == TRIB_OK; d++) {
        const char *language = trib_config_language(config, &config->corpus.document[d]);
        if (last && strcmp(last, language) == 0) continue;
        status = add_language(&all, language, error);
        last = language;
    }
    if (!last && status == TRIB_OK) (void)add_language(&all, config->tokens.locale, error);
    const char *const list = trib_kept(&config->arena, all.list.text);
    config->tokens.stems = strcmp(config->tokens.stem, "auto") == 0 ? list : config->tokens.stem;
    if (differ_by_language(config, &all) || all.n == 1) config->tokens.languages = list;
}
