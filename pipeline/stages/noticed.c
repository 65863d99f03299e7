/* noticed.c - words that most texts of a corpus begin, or end, with: a licence, a menu, the heading
 * of a site. Each is a line for the reader. */
#include "pipeline/stages/tokens.h"

#include <string.h>

enum {
    FEW = 4,          /* texts at least */
    RUN = 6,          /* words that are the same */
    LEAST = 200,      /* words of a text of which the first 20 are a small part */
    LOOKED_AT = 1000, /* texts */
};

/* A run of words: how many texts have it, and the last of them. */
typedef struct run {
    uint32_t n, last;
} run;

/* Adds the runs of RUN words of text number `text`, from 1. */
static trib_status add_runs(trib_intern *words, run **list, size_t *cap, const char *at,
                            uint32_t text, trib_error *error) {
    const char *begin[RUN] = {at};
    trib_status status = TRIB_OK;
    for (size_t n = 0; status == TRIB_OK && *at; n++) {
        uint32_t id = 0;
        begin[n % RUN] = at;
        at += strcspn(at, " ");
        const char *const from = begin[(n + 1) % RUN];
        if (n + 1 >= RUN) {
            const uint32_t n_runs = words->n_words;
            status = trib_intern_add(words, from, (size_t)(at - from), &id, error);
            if (status == TRIB_OK) status = TRIB_GROW(list, cap, (size_t)id + 1, "runs", error);
            if (status != TRIB_OK) return status;
            if (id == n_runs) (*list)[id] = (run){0};
            (*list)[id].n += (*list)[id].last != text;
            (*list)[id].last = text;
        }
        at += *at == ' ';
    }
    return status;
}

/* Says which words many texts begin, or end, with. */
static trib_status say_repeated(trib_corpus_words *words, bool at_end, trib_error *error) {
    TRIB_OWNED(trib_intern) runs = {0};
    run *list = NULL;
    uint32_t most = 0, n = 0;
    size_t cap = 0;
    TRIB_OWNED(trib_buffer) line = {0};
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < words->n_documents && n < LOOKED_AT && status == TRIB_OK; d++) {
        const trib_account *const account = &words->document[d].account;
        if (words->document[d].n_tokens < LEAST) continue;
        status = add_runs(&runs, &list, &cap, at_end ? account->ends : account->begins, ++n, error);
    }
    for (uint32_t id = 1; status == TRIB_OK && id < runs.n_words; id++)
        if (list[id].n > list[most].n) most = id;
    if (status == TRIB_OK && runs.n_words > 0 && list[most].n >= FEW && list[most].n * 2 >= n) {
        status = trib_buffer_print(
            &line, error,
            "%u of %u texts have \"%s\" near their %s: if it is a notice and no part of the texts, "
            "cut it, or leave out what so many texts share with `influence.formula: %u`",
            (unsigned)list[most].n, (unsigned)n, trib_intern_word(&runs, most),
            at_end ? "end" : "beginning", (unsigned)list[most].n - 1);
        if (status == TRIB_OK) status = trib_taken_say(&words->taken, line.text, error);
    }
    trib_free(list);
    return status;
}

/* Says which texts begin with the notice of a library of scans. */
static trib_status say_notices(const trib_corpus *corpus, trib_corpus_words *words,
                               trib_error *error) {
    static const char *const of[] = {"Google Books", "the Internet Archive", "HathiTrust"};
    static const char *const sign[] = {"digital copy of a book that was preserved for generations",
                                       "digitized by the internet archive", "hdl.handle.net"};
    trib_status status = TRIB_OK;
    for (uint32_t d = 0; d < words->n_documents; d++)
        for (size_t i = 0; i < 3 && status == TRIB_OK; i++) {
            char line[200];
            if (!strstr(words->document[d].account.begins, sign[i])) continue;
            snprintf(line, sizeof line, "%.80s: the notice of %s is read as text: cut it",
                     corpus->document[d].about->file, of[i]);
            status = trib_taken_say(&words->taken, line, error);
        }
    return status;
}

trib_status trib_notice(const trib_corpus *corpus, trib_corpus_words *words, trib_error *error) {
    trib_status status = say_notices(corpus, words, error);
    if (status == TRIB_OK) status = say_repeated(words, false, error);
    return status == TRIB_OK ? say_repeated(words, true, error) : status;
}
