/* finds_data.c - the list of all finds as JSON for the script: inside a single page, or in a file
 * of its own, which the page loads when it is needed. A script element loads such a file also from
 * a disk, where a browser refuses other requests. */
#include <math.h>
#include <string.h>

#include "pipeline/report/finds.h"

/* Returns whether UTF-8 text begins with a character that ends a line in JavaScript (U+2028,
 * U+2029) or changes the direction of what follows (U+202A to U+202E, U+2066 to U+2069). */
static bool begins_with_control(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    return c[0] == 0xE2 && ((c[1] == 0x80 && c[2] >= 0xA8 && c[2] <= 0xAE) ||
                            (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
}

/* Writes a string literal that is valid in JSON, in JavaScript, and inside a script element. A text
 * longer than LONGEST bytes is shortened, before a character. */
enum { LONGEST = 16 << 10 };
static void write_string(trib_writer *writer, const char *text) {
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

/* Returns the index of a shared piece of `pieces` with this text; `n` when there is none. */
static size_t find_piece(const json_t *pieces, const char *text) {
    const size_t n = json_array_size(pieces);
    for (size_t i = 1; i < n; i += 2)
        if (strcmp(json_string_value(json_array_get(pieces, i)), text) == 0) return i;
    return n;
}

/* Writes the pieces of one side. `other`: the pieces of the other side, which is already written;
 * NULL: none is. */
static void write_pieces(trib_writer *writer, const json_t *side, const json_t *other) {
    const json_t *pieces = json_object_get(side, "text");
    const char *text;
    trib_write_text(writer, ",[");
    for (size_t i = 0; i < json_array_size(pieces); i++) {
        text = json_string_value(json_array_get(pieces, i));
        const size_t same = other && i % 2 == 1 ? find_piece(other, text) : 0;
        if (i > 0) trib_write_text(writer, ",");
        if (same > 0 && same < json_array_size(other)) trib_print(writer, "%zu", same);
        else write_string(writer, text);
    }
    if (trib_json_get_flag(side, "cut")) trib_write_text(writer, ",true");
    trib_write_text(writer, "]");
}

static void write_find(const trib_report *report, const trib_find *find, trib_writer *writer) {
    const json_t *target = json_object_get(find->passage, "target"),
                 *source = json_object_get(find->passage, "source");
    char id[TRIB_FIND_ID_MAX], text[TRIB_FIXED_MAX];
    trib_find_id(find, id);
    trib_write_text(writer, "[");
    write_string(writer, id);
    trib_print(writer, ",%zu,%zu,%.0f", trib_report_place(report, find->target->id), find->source,
               find->shared);
    trib_print(writer, ",%s", isnan(find->rarity) ? "null" : trib_fixed(text, find->rarity, 2));
    trib_print(writer, ",%s", trib_fixed(text, isnan(find->mass) ? 0 : 100 * find->mass, 3));
    const json_t *const side[] = {target, source};
    for (size_t s = 0; s < 2; s++)
        trib_print(writer, ",%.0f,%.0f", trib_json_get_number(side[s], "first"),
                   trib_json_get_number(side[s], "words"));
    write_pieces(writer, target, NULL);
    write_pieces(writer, source, json_object_get(target, "text"));
    trib_write_text(writer, "]");
}

void trib_report_finds_data(const trib_report *report, trib_writer *writer) {
    static const char *const members[] = {"id", "title", "author", "date"};
    trib_write_text(writer, "{\"texts\":[");
    for (size_t d = 0; d < report->n_documents; d++) {
        trib_write_text(writer, d > 0 ? ",\n[" : "\n[");
        for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
            if (m > 0) trib_write_text(writer, ",");
            write_string(writer, trib_json_get_text(report->document[d], members[m]));
        }
        const bool is_target =
            trib_report_is_target(report, trib_json_get_text(report->document[d], "id"));
        trib_write_text(writer, is_target ? ",1]" : ",0]");
    }
    trib_write_text(writer, "],\"finds\":[");
    for (size_t f = 0; f < report->n_finds; f++) {
        trib_write_text(writer, f > 0 ? ",\n" : "\n");
        write_find(report, &report->find[f], writer);
    }
    trib_write_text(writer, "]}");
}
