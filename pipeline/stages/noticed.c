/* noticed.c - words that most texts of a corpus begin, or end, with: a licence, a menu, a heading of
 * a site. Each is a line for the reader. */
#include "pipeline/stages/tokens.h"

#include <string.h>

enum { FEW = 4, RUN = 6, LOOKED_AT = 1000 };

/* Adds every run of RUN words of a text; n_texts has how often each occurs. */
static trib_status add_runs(trib_intern *runs, uint32_t **n_texts, size_t *cap, const char *text,
                            trib_error *error) {
    const char *begin[RUN] = {text};
    trib_status status = TRIB_OK;
    for (size_t n = 0; status == TRIB_OK && *text; n++) {
        uint32_t id = 0;
        const uint32_t n_runs = runs->n_words;
        begin[n % RUN] = text;
        text += strcspn(text, " ");
        const char *const from = begin[(n + 1) % RUN];
        if (n + 1 >= RUN) {
            status = trib_intern_add(runs, from, (size_t)(text - from), &id, error);
            if (status == TRIB_OK) status = TRIB_GROW(n_texts, cap, (size_t)id + 1, "runs", error);
            if (status == TRIB_OK) (*n_texts)[id] = id == n_runs ? 1 : (*n_texts)[id] + 1;
        }
        text += *text == ' ';
    }
    return status;
}

/* Says which words many texts begin, or end, with. */
static trib_status say_repeated(trib_corpus_words *words, bool at_end, trib_error *error) {
    const uint32_t n = words->n_documents < LOOKED_AT ? words->n_documents : LOOKED_AT;
    trib_intern runs = {0};
    uint32_t *n_texts = NULL, most = 0;
    size_t cap = 0;
    trib_buffer line = {0};
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++) {
        const trib_account *const account = &words->document[d].account;
        status = add_runs(&runs, &n_texts, &cap, at_end ? account->ends : account->begins, error);
    }
    for (uint32_t id = 1; status == TRIB_OK && id < runs.n_words; id++)
        if (n_texts[id] > n_texts[most]) most = id;
    if (status == TRIB_OK && runs.n_words > 0 && n_texts[most] >= FEW && n_texts[most] * 2 >= n) {
        status = trib_buffer_print(
            &line, error,
            "%u of %u texts have \"%s\" near their %s: if it is a notice and no part of the texts, "
            "cut it, or leave out what so many texts share with `influence.formula: %u`",
            (unsigned)n_texts[most], (unsigned)n, trib_intern_word(&runs, most),
            at_end ? "end" : "beginning", (unsigned)n_texts[most] - 1);
        if (status == TRIB_OK) status = trib_taken_say(&words->taken, line.text, error);
    }
    trib_intern_release(&runs);
    trib_free(n_texts);
    trib_buffer_release(&line);
    return status;
}

trib_status trib_notice(trib_corpus_words *words, trib_error *error) {
    const trib_status status = say_repeated(words, false, error);
    return status == TRIB_OK ? say_repeated(words, true, error) : status;
}
