/* script_text.c - see script_text.h. */
#include "pipeline/support/script_text.h"

#include <string.h>

/* Returns whether UTF-8 text begins with a character that ends a line in JavaScript (U+2028,
 * U+2029) or changes the direction of what follows (U+202A to U+202E, U+2066 to U+2069). */
static bool begins_with_control(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    return c[0] == 0xE2 && ((c[1] == 0x80 && c[2] >= 0xA8 && c[2] <= 0xAE) ||
                            (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
}

enum { LONGEST = 16 << 10 };

void trib_write_script_text(trib_writer *writer, const char *text) {
    trib_write_text(writer, "\"");
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (at - text >= LONGEST && (c & 0xC0) != 0x80) {
            trib_write_text(writer, " \xE2\x80\xA6");
            break;
        }
        if (begins_with_control(at)) {
            trib_write_text(writer, "\\uFFFD"); /* as in the text of a page */
            at += 2;
        } else if (c < 0x20 || strchr("\"\\<>&", c)) {
            trib_print(writer, "\\u%04X", (unsigned)c);
        } else trib_write(writer, at, 1);
    }
    trib_write_text(writer, "\"");
}
