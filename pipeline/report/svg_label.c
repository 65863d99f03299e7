/* svg_label.c - text in the charts: its width, and a shorter form of a text that is too long. */
#include <stdio.h>

#include "pipeline/report/svg.h"

/* The width of a character in letters: 0 for combining characters, 2 for the scripts of East
 * Asia. */
static unsigned width_of(const unsigned char *at) {
    if (at[0] == 0xCC || (at[0] == 0xCD && at[1] < 0xB0)) return 0;
    return at[0] >= 0xE3 ? 2 : at[0] == 0xE1 && at[1] >= 0x84 && at[1] < 0x88 ? 2 : 1;
}

unsigned trib_svg_letters(const char *text) {
    unsigned width = 0;
    for (size_t i = 0; text[i]; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            width += width_of((const unsigned char *)text + i);
    return width;
}

/* The length in bytes of a character together with the combining characters after it. */
static size_t character_at(const char *text) {
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80 ||
           (text[length] && width_of((const unsigned char *)text + length) == 0))
        length++;
    return length;
}

/* How many bytes at the start of `text`, a label, are at most `letters` wide. */
static size_t within(const char *text, unsigned letters) {
    enum { MOST = 110 };
    size_t length = 0;
    unsigned width = 0;
    while (text[length] && length < MOST) {
        const size_t next = length + character_at(text + length);
        width += width_of((const unsigned char *)text + length);
        if (width > letters || next > MOST) break;
        length = next;
    }
    return length;
}

/* Returns `text`, or in `cut` a form at most `letters` wide, with an ellipsis just before its
 * end, because many titles differ only there. */
static const char *shortened(char cut[256], const char *text, unsigned letters) {
    if (!text[within(text, letters)]) return text;
    const unsigned after = letters < 6 ? 0 : letters < 12 ? (letters - 1) / 2 : letters / 3;
    const char *end = text;
    for (unsigned width = trib_svg_letters(text); width > after; end += character_at(end))
        width -= width_of((const unsigned char *)end);
    snprintf(cut, 256, "%.*s\xE2\x80\xA6%.*s",
             (int)within(text, letters > after ? letters - after - 1 : 0), text,
             (int)within(end, after), end);
    return cut;
}

void trib_svg_label(trib_html *html, const char *class_name, double x, double y, const char *text,
                    unsigned letters) {
    char cut[256];
    trib_html_open(html, "text", class_name);
    trib_svg_number(html, "x", x);
    trib_svg_number(html, "y", y);
    trib_html_text(html, shortened(cut, text, letters));
    trib_html_end(html);
}
