/* table_lines.c - reads the lines of a table or list in UTF-8. */
#include "tokenizer/norms.h"
#include "tokenizer/utf.h"

#include <string.h>

trib_status trib_table_lines(const char *path, trib_line_sink sink, void *context,
                             trib_error *error) {
    trib_buffer text = {0};
    size_t number = 0, at = 0;
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK && text.length >= 3 && memcmp(text.text, "\xEF\xBB\xBF", 3) == 0) at = 3;
    while (status == TRIB_OK && at < text.length) {
        const char *line = text.text + at;
        const char *feed = memchr(line, '\n', text.length - at);
        size_t length = feed ? (size_t)(feed - line) : text.length - at;
        at += length + 1;
        number++;
        if (length > 0 && line[length - 1] == '\r') length--;
        if (length == 0 || *line == '#') continue;
        if (!utf8_is_valid(line, length) || memchr(line, '\0', length))
            status = trib_fail(error, TRIB_CONFIG, "%s:%zu: not UTF-8; save the file in UTF-8",
                               path, number);
        else status = sink(context, line, length, number, error);
    }
    trib_buffer_release(&text);
    return status;
}
