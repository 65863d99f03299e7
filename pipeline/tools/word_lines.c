/* word_lines.c - reads the words of a tensor from a file with one word on each line. */
#include "pipeline/tools/word_lines.h"

#include <string.h>

static trib_status take_lines(trib_intern *words, const char *path, uint32_t n,
                              const trib_buffer *text, trib_error *error) {
    const char *at = text->text ? text->text : "", *end = at + text->length;
    for (uint32_t i = 0; i < n; i++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = stop ? (size_t)(stop - at) : 0;
        uint32_t id = 0;
        if (length == 0)
            return trib_fail(error, TRIB_INPUT, "%s:%u: a word is missing: the tensor has %u", path,
                             (unsigned)i + 1, (unsigned)n);
        const trib_status status = trib_intern_add(words, at, length, &id, error);
        if (status != TRIB_OK) return status;
        if (id < i)
            return trib_fail(error, TRIB_INPUT, "%s:%u: the same word as in line %u", path,
                             (unsigned)i + 1, (unsigned)id + 1);
        at = stop + 1;
    }
    if (at == end) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT, "%s: has more words than the tensor's %u", path,
                     (unsigned)n);
}

trib_status trib_word_lines_read(trib_intern *words, const char *path, uint32_t n,
                                 trib_error *error) {
    trib_buffer text = {0};
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK) status = take_lines(words, path, n, &text, error);
    trib_buffer_release(&text);
    return status;
}
