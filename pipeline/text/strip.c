/* strip.c - the table of strippers, and the removal of what they do not keep. */
#include "pipeline/text/strip.h"

#include <string.h>

const trib_stripper trib_strippers[] = {
    {"gutenberg", "header, licence, credits and transcriber's notes of Project Gutenberg",
     trib_gutenberg_find},
    {NULL, NULL, NULL},
};

const trib_stripper *trib_stripper_find(const char *name) {
    const trib_stripper *stripper = trib_strippers;
    while (stripper->name && strcmp(stripper->name, name) != 0) stripper++;
    return stripper->name ? stripper : NULL;
}

static void count(trib_cut *cut, const char *text, size_t from, size_t to, size_t length) {
    cut->n_bytes += to - from;
    for (size_t i = from; i < to; i++) cut->n_lines += text[i] == '\n';
    if (to > from && to == length && text[to - 1] != '\n') cut->n_lines++;
}

/* Overwrites a range with spaces. Line ends remain, so that later text keeps its line number. */
static void blank(char *text, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        if (text[i] != '\n') text[i] = ' ';
}

trib_status trib_strip(trib_text_ranges *kept, trib_cuts *cuts, const trib_stripper *stripper,
                       double max, const char *name, char *text, size_t length, trib_error *error) {
    *cuts = (trib_cuts){0};
    const trib_status status = stripper->find(kept, name, text, length, error);
    if (status != TRIB_OK) return status;
    if (kept->n == 0)
        return trib_fail(
            error, TRIB_INPUT,
            "%s: nothing is left when %s is stripped; is it only a licence? remove the "
            "document, or leave out corpus.strip",
            name, stripper->name);
    size_t at = 0;
    for (size_t r = 0; r <= kept->n; r++) {
        const size_t to = r < kept->n ? kept->range[r].from : length;
        count(r == 0        ? &cuts->before
              : r < kept->n ? &cuts->between
                            : &cuts->after,
              text, at, to, length);
        if (r < kept->n) at = kept->range[r].to;
    }
    cuts->n_texts = (uint32_t)kept->n;
    const double n_cut =
        (double)(cuts->before.n_bytes + cuts->between.n_bytes + cuts->after.n_bytes);
    if (n_cut > max * (double)length)
        return trib_fail(error, TRIB_INPUT,
                         "%s: stripping %s would cut %.0f of %zu bytes, more than corpus.max_strip "
                         "(%g) allows; look at the file, then raise corpus.max_strip or leave out "
                         "corpus.strip",
                         name, stripper->name, n_cut, length, max);
    at = 0;
    for (size_t r = 0; r <= kept->n; r++) {
        blank(text, at, r < kept->n ? kept->range[r].from : length);
        if (r < kept->n) at = kept->range[r].to;
    }
    return TRIB_OK;
}
