/* decoded_text.c - decodes a text for reading, and finds its paragraphs. */
#include "pipeline/report/reading.h"

#include <strings.h>

#include "pipeline/support/utf8.h"

size_t trib_utf16_length(const char *text, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        n += (byte & 0xC0) != 0x80;
        n += byte >= 0xF0;
    }
    return n;
}

static size_t count_characters(const char *text, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

/* ---- Words where they are expected ----------------------------------------------------------- */

enum { OTHER, APOSTROPHE, DIGIT, LETTER };

/* The class of the character at `text`, of which *n receives the bytes. Every character from U+00C0
 * on is a letter but for the blocks of punctuation at U+2000 and U+3000. */
static int class_of(const char *text, size_t left, size_t *n) {
    const unsigned char byte = (unsigned char)*text;
    *n = byte < 0x80 ? 1 : trib_utf8_length(text, left);
    if (*n <= 1) {
        *n = 1;
        return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ? LETTER
               : byte >= '0' && byte <= '9'                                 ? DIGIT
               : byte == '\''                                               ? APOSTROPHE
                                                                            : OTHER;
    }
    if (*n == 3 && memcmp(text, "\xE2\x80\x99", 3) == 0) return APOSTROPHE;
    if (byte == 0xC2 || (byte == 0xE2 && (unsigned char)text[1] == 0x80) ||
        (byte == 0xE2 && (unsigned char)text[1] == 0x81 && (unsigned char)text[2] < 0xB0) ||
        (byte == 0xE3 && (unsigned char)text[1] == 0x80))
        return OTHER;
    return LETTER;
}

size_t trib_text_next_word(const char *text, size_t at, size_t to, bool inside) {
    size_t n, start = to;
    for (; inside && at < to && class_of(text + at, to - at, &n) != OTHER; at += n) continue;
    for (; at < to; at += n) {
        const int class = class_of(text + at, to - at, &n);
        if (class == OTHER) start = to;
        else if (class != APOSTROPHE && start == to) start = at;
        if (class == LETTER) return start;
    }
    return to;
}

/* ---- Decoding -------------------------------------------------------------------------------- */

/* Whether a text is valid UTF-8, as most are: then its places stay the same. */
static bool is_utf8(const trib_buffer *bytes, const char *encoding) {
    return (strcasecmp(encoding, "UTF-8") == 0 || strcasecmp(encoding, "UTF8") == 0) &&
           trib_is_utf8(bytes->text, bytes->length);
}

static trib_status take_as_it_is(trib_decoded_text *to, const trib_buffer *bytes,
                                 const trib_word_place *place, size_t n, trib_error *error) {
    for (size_t w = 0; w < n; w++) {
        to->start[w] = place[w].offset < bytes->length ? place[w].offset : bytes->length;
        to->end[w] = place[w].end < bytes->length ? place[w].end : bytes->length;
    }
    return trib_buffer_add(&to->text, bytes->text, bytes->length, error);
}

/* Appends the bytes from .. end, decoded. */
static trib_status add(trib_buffer *to, const trib_buffer *bytes, size_t from, size_t end,
                       const char *encoding, trib_error *error) {
    if (end > bytes->length) end = bytes->length; /* the file has been truncated since */
    return from < end ? trib_excerpt(to, encoding, bytes->text + from, end - from, error) : TRIB_OK;
}

/* Decodes a text in another encoding, or with invalid bytes, word by word. */
static trib_status decode_words(trib_decoded_text *to, const trib_buffer *bytes,
                                const char *encoding, const trib_word_place *place, size_t n,
                                trib_error *error) {
    enum { HEAD = 4096, TAIL = 256 }; /* bytes before and after the words */
    const size_t first = n > 0 ? place[0].offset : 0;
    size_t at = first <= HEAD ? 0 : first;
    trib_status status = TRIB_OK;
    for (size_t w = 0; w < n && status == TRIB_OK; w++) {
        status = add(&to->text, bytes, at, place[w].offset, encoding, error);
        to->start[w] = to->text.length;
        if (status == TRIB_OK)
            status = add(&to->text, bytes, place[w].offset, place[w].end, encoding, error);
        to->end[w] = to->text.length;
        at = place[w].end;
    }
    return status == TRIB_OK ? add(&to->text, bytes, at, at + TAIL, encoding, error) : status;
}

/* Replaces control characters, so that a browser counts as we do: it reads CR LF as one, and the
 * pages have no marks that change the direction of the following text (html.h). */
static void clean(trib_buffer *text) {
    unsigned char *at = (unsigned char *)text->text;
    for (size_t i = 0; i < text->length; i++, at++) {
        if (*at == '\r') *at = at[1] == '\n' ? ' ' : '\n';
        else if ((*at < 0x20 && *at != '\n') || *at == 0x7F) *at = ' ';
        else if (*at == 0xC2 && at[1] < 0xA0) at[1] = 0xA0; /* a no-break space */
        else if (*at == 0xE2 && ((at[1] == 0x80 && at[2] >= 0xAA && at[2] <= 0xAE) ||
                                 (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9)))
            memcpy(at, "\xEF\xBF\xBD", 3);
    }
}

static bool is_white(char c) { return c == ' ' || c == '\n'; }

/* Finds the part that is read: from the beginning of the first word's line to the end of the last
 * word's. */
static void find_ends(trib_decoded_text *text) {
    const char *bytes = text->text.text;
    if (text->n == 0) return;
    text->from = text->start[0];
    text->to = text->end[text->n - 1];
    while (text->from > 0 && bytes[text->from - 1] != '\n') text->from--;
    while (text->to < text->text.length && bytes[text->to] != '\n') text->to++;
    if (text->from == 0 && strncmp(bytes, "\xEF\xBB\xBF", 3) == 0) text->from = 3;
    if (text->from > text->start[0]) text->from = text->start[0];
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Learns from the lengths of the lines whether a line is a paragraph, and how long a full line is:
 * one of 20 lines that another follows is at least as long. */
static void measure_lines(trib_decoded_text *text) {
    enum { LONGEST = 400, PARAGRAPH = 90, NARROWEST = 50, WIDEST = 120 };
    size_t of_length[LONGEST + 1] = {0}, n_lines = 0, n_filled = 0, n_characters = 0;
    const char *at = text->text.text + text->from, *const end = text->text.text + text->to;
    if (text->n == 0) return;
    for (const char *next; at < end; at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        if (!next) next = end;
        const size_t length = count_characters(at, (size_t)(next - at));
        if (length == 0) continue;
        n_lines++;
        n_characters += length;
        if (next + 1 >= end || next[1] == '\n') continue; /* the last line of a paragraph */
        of_length[length < LONGEST ? length : LONGEST]++;
        n_filled++;
    }
    size_t longer = 0, full = LONGEST;
    while (full > 0 && 20 * (longer += of_length[full]) < n_filled) full--;
    text->full_line = n_filled > 0 && full >= NARROWEST && full <= WIDEST ? full : 0;
    text->line_is_block = n_lines > 0 && n_characters / n_lines > PARAGRAPH;
}

/* Whether every line of a block is so long that the first word of the next line would not fit. */
static bool lines_are_filled(const trib_decoded_text *text, const trib_text_block *block) {
    const char *at = text->text.text + block->from, *const end = text->text.text + block->to;
    if (text->full_line == 0 || !memchr(at, '\n', (size_t)(end - at))) return false;
    for (const char *next; (next = memchr(at, '\n', (size_t)(end - at))); at = next + 1) {
        const size_t length = count_characters(at, (size_t)(next - at)),
                     word = strcspn(next + 1, " \n");
        if (length + 1 + count_characters(next + 1, word) + 2 < text->full_line) return false;
    }
    return true;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Sizes of a block in words: from LONG on it ends with a line, from LONGER on with a sentence.
 * A gap of STRIPPED bytes between two words is left out. */
enum { LONG = 250, LONGER = 500, LONGEST = 1000, STRIPPED = 2000 };

static const char *find_blank_line(const char *from, const char *to) {
    for (const char *line = from; (line = memchr(line, '\n', (size_t)(to - line)));) {
        const char *next = line + 1;
        while (next < to && *next == ' ') next++;
        if (next < to && *next == '\n') return line;
        line++;
    }
    return NULL;
}

/* Returns where a sentence ends between two words, after its last white space. NULL: nowhere. */
static const char *find_sentence(const char *from, const char *to) {
    bool ends = false;
    for (const char *c = from; c < to; c++)
        ends = ends || strchr(".!?", *c) || strncmp(c, "\xE3\x80\x82", 3) == 0;
    return ends ? to : NULL;
}

/* Returns where a block with n words so far ends in the gap after them; NULL: it continues. */
static const char *find_end(const trib_decoded_text *text, size_t n, const char *from,
                            const char *to) {
    const char *end = find_blank_line(from, to);
    if (!end && (n >= LONG || text->line_is_block)) end = memchr(from, '\n', (size_t)(to - from));
    if (!end && n >= LONGER) end = find_sentence(from, to);
    if (!end && n >= LONGEST) end = to;
    if (end != to) return end;
    /* before marks that open the next word, such as quotation marks */
    for (const char *c = to; c > from; c--)
        if (is_white(c[-1])) return c;
    return to;
}

static void trim(const char *bytes, trib_text_block *block) {
    while (block->from < block->to && is_white(bytes[block->from])) block->from++;
    while (block->to > block->from && is_white(bytes[block->to - 1])) block->to--;
}

bool trib_text_block_next(const trib_decoded_text *text, trib_text_block *block) {
    const char *bytes = text->text.text;
    const size_t first = block->first + block->n;
    if (first >= text->n) return false;
    const bool was_omitted = first > 0 && block->next + STRIPPED < text->start[first];
    *block = (trib_text_block){.first = first, .from = first > 0 ? block->next : text->from};
    if (was_omitted) {
        block->is_omitted = true;
        block->from = text->start[first];
        while (bytes[block->from - 1] != '\n' && text->start[first] - block->from < STRIPPED)
            block->from--;
        while (((unsigned char)bytes[block->from] & 0xC0) == 0x80) block->from++;
    }
    size_t w = first + 1;
    const char *end = NULL;
    for (; w < text->n && !end; w++) {
        const char *from = bytes + text->end[w - 1], *to = bytes + text->start[w];
        end = find_end(text, w - first, from, to);
        if (!end && to - from > STRIPPED) end = from;
    }
    if (end) w--;
    block->n = w - first;
    block->to = end ? (size_t)(end - bytes) : text->to;
    block->next = block->to;
    if (block->to < text->end[w - 1]) block->to = text->end[w - 1];
    trim(bytes, block);
    block->is_wrapped = lines_are_filled(text, block);
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

trib_status trib_decode_text(trib_decoded_text *decoded, trib_arena *arena,
                             const trib_buffer *bytes, const char *encoding,
                             const trib_word_place *place, size_t n, trib_error *error) {
    *decoded = (trib_decoded_text){.start = trib_arena_new(arena, n, sizeof *decoded->start),
                                   .end = trib_arena_new(arena, n, sizeof *decoded->end),
                                   .n = n};
    trib_status status = trib_arena_check(arena, error);
    if (status == TRIB_OK && bytes->length > 0)
        status = is_utf8(bytes, encoding) ? take_as_it_is(decoded, bytes, place, n, error)
                                          : decode_words(decoded, bytes, encoding, place, n, error);
    if (status != TRIB_OK) return status;
    if (decoded->text.length > 0) clean(&decoded->text);
    find_ends(decoded);
    measure_lines(decoded);
    return TRIB_OK;
}
