/* languages.c - the languages whose stems tokens.stem asks for: with `auto`, those of the texts. */
#include <string.h>

#include "pipeline/config/loading.h"
#include "tokenizer/language.h"

/* Adds a language to a list, by its code and separated by spaces, unless the list has it. *clash
 * receives a language of the list that is written in the same script, if there is one. */
static trib_status add_language(trib_buffer *list, const char *language,
                                char clash[TRIB_LANGUAGE_MAX], char code[TRIB_LANGUAGE_MAX],
                                trib_error *error) {
    trib_language_code(code, language);
    for (const char *at = list->text ? list->text : ""; *at;) {
        char other[TRIB_LANGUAGE_MAX] = "";
        const size_t n = strcspn(at, " ");
        memcpy(other, at, n);
        if (strcmp(other, code) == 0) return TRIB_OK;
        if (!*clash && trib_languages_share_script(other, code))
            memcpy(clash, other, TRIB_LANGUAGE_MAX);
        at += n + (at[n] == ' ');
    }
    return trib_buffer_print(list, error, "%s%s", list->length > 0 ? " " : "", code);
}

trib_status trib_loading_stems(trib_loading *l) {
    trib_config *config = l->config;
    trib_buffer list = {0};
    char clash[TRIB_LANGUAGE_MAX] = "", code[TRIB_LANGUAGE_MAX] = "";
    const char *stem = config->tokens.stem, *last = NULL;
    trib_status status = TRIB_OK;
    if (strcmp(stem, "auto") != 0)
        return trib_copy_text(&config->tokens.stems, stem, strlen(stem), l->error);
    for (uint32_t d = 0; d < config->corpus.n_documents && !*clash && status == TRIB_OK; d++) {
        const char *language = trib_config_language(config, &config->corpus.document[d]);
        if (last && strcmp(last, language) == 0) continue;
        status = add_language(&list, language, clash, code, l->error);
        last = language;
    }
    if (!last && status == TRIB_OK)
        status = add_language(&list, config->tokens.locale, clash, code, l->error);
    if (*clash)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "tokens.stem", 0),
                      "'tokens.stem: auto' cannot tell words of '%s' from words of '%s', which are "
                      "written alike; name one language, or 'none'",
                      clash, code);
    config->tokens.stems = list.text;
    return status;
}
