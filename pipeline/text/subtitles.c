/* subtitles.c - reads subtitles line by line. A cue is a line with times, before it possibly a
 * number or name, and the lines after it up to an empty one. In SRT, whose writers are careless,
 * any other line is text, too. */
#include "pipeline/text/text_formats.h"

#include <unicode/utf8.h>

/* A line of the file, without its end. */
typedef struct line {
    const char *at;
    size_t n;
} line;

/* Takes the next line; false at the end of the file. */
static bool next_line(line *next, const char **at, const char *end) {
    if (*at == end) return false;
    const size_t length = (size_t)(end - *at);
    size_t n = 0, n_end = 0;
    while (n < length && (n_end = trib_line_end(*at, n, length)) == 0) n++;
    *next = (line){*at, n};
    *at += n + n_end;
    return true;
}

static bool is_blank(line l) {
    for (size_t i = 0; i < l.n; i++)
        if (l.at[i] != ' ' && l.at[i] != '\t') return false;
    return true;
}

/* Whether a line has the times of a cue: "00:01:14,440 --> 00:01:15,760". */
static bool is_times(line l) {
    size_t i = 0;
    while (i < l.n && (l.at[i] == ' ' || l.at[i] == '\t')) i++;
    const size_t from = i;
    while (i < l.n && ((l.at[i] >= '0' && l.at[i] <= ':') || l.at[i] == '.' || l.at[i] == ',')) i++;
    if (i == from) return false;
    while (i < l.n && (l.at[i] == ' ' || l.at[i] == '\t')) i++;
    return l.n - i >= 3 && memcmp(l.at + i, "-->", 3) == 0;
}

/* Marks the time at which a cue begins, without fractions of a second. */
static void mark_time(trib_markup_text *to, line l, trib_error *error) {
    size_t from = 0, n = 0;
    while (from < l.n && (l.at[from] == ' ' || l.at[from] == '\t')) from++;
    while (from + n < l.n &&
           ((l.at[from + n] >= '0' && l.at[from + n] <= '9') || l.at[from + n] == ':'))
        n++;
    trib_references_add(&to->references, to->text.length, to->text.length, l.at + from, n, error);
}

/* What is left of a line whose tags are left out. */
typedef struct rest {
    const char *at, *end;
    bool has_no_close[2]; /* no '>' follows, no '}' follows */
} rest;

/* The length of the tag or of the code of SubRip that begins here; 0: none does. */
static size_t tag_length(rest *r) {
    const char *from = r->at;
    const size_t left = (size_t)(r->end - from);
    if (left < 3 || (*from != '<' && (*from != '{' || from[1] != '\\'))) return 0;
    const bool is_code = *from == '{';
    const bool is_tag = is_code || from[1] == '/' || (from[1] >= '0' && from[1] <= '9') ||
                        ((from[1] | 0x20) >= 'a' && (from[1] | 0x20) <= 'z');
    if (!is_tag || r->has_no_close[is_code]) return 0;
    const char *close = memchr(from, is_code ? '}' : '>', left);
    r->has_no_close[is_code] = close == NULL;
    return close ? (size_t)(close - from) + 1 : 0;
}

/* Reads a reference such as "&#8217;" or "&#x2019;" and makes its character; the length of the
 * reference, or 0 when there is none. */
static size_t number_length(const rest *r, char character[8]) {
    uint8_t utf8[U8_MAX_LENGTH];
    const size_t left = (size_t)(r->end - r->at);
    const bool is_hex = left > 3 && (r->at[2] | 0x20) == 'x';
    const char *at = r->at + (is_hex ? 3 : 2), *const digits = at;
    uint32_t value = 0;
    size_t n = 0;
    if (left < 4 || r->at[1] != '#') return 0;
    for (; at < r->end && at - digits < 7; at++) {
        const char c = (char)(*at | 0x20);
        if (c >= '0' && c <= '9') value = value * (is_hex ? 16 : 10) + (uint32_t)(c - '0');
        else if (is_hex && c >= 'a' && c <= 'f') value = value * 16 + (uint32_t)(c - 'a' + 10);
        else break;
    }
    if (at == digits || at == r->end || *at != ';' || value < 0x20 || !U_IS_UNICODE_CHAR(value))
        return 0;
    U8_APPEND_UNSAFE(utf8, n, value);
    memcpy(character, utf8, n);
    character[n] = '\0';
    return (size_t)(at + 1 - r->at);
}

/* The length of the reference to a character that begins here, and the character; else 0. */
static size_t reference_length(const rest *r, char character[8]) {
    static const struct {
        const char *entity, *text;
    } entities[] = {{"&amp;", "&"},  {"&lt;", "<"},   {"&gt;", ">"},       {"&quot;", "\""},
                    {"&apos;", "'"}, {"&nbsp;", " "}, {"&lrm;", "\u200E"}, {"&rlm;", "\u200F"}};
    if (*r->at != '&') return 0;
    for (size_t e = 0; e < sizeof entities / sizeof *entities; e++) {
        const size_t n = strlen(entities[e].entity);
        if ((size_t)(r->end - r->at) < n || memcmp(r->at, entities[e].entity, n) != 0) continue;
        snprintf(character, 8, "%s", entities[e].text);
        return n;
    }
    return number_length(r, character);
}

/* Appends the text of a line, without tags, and with references to characters replaced. */
static void add_line(trib_buffer *text, line l, trib_error *error) {
    rest r = {.at = l.at, .end = l.at + l.n};
    while (r.at < r.end) {
        char character[8] = {*r.at};
        size_t n = tag_length(&r);
        if (n == 0) {
            n = reference_length(&r, character);
            trib_buffer_add(text, character, n > 0 ? strlen(character) : 1, error);
        }
        r.at += n > 0 ? n : 1;
    }
    trib_text_end(text, TRIB_FLOW_LINE, error);
}

static trib_status read_cues(trib_markup_text *to, const trib_buffer *page, bool is_webvtt,
                             size_t *n_cues, trib_error *error) {
    const char *at = page->text ? page->text : "", *const end = at + page->length;
    bool is_in_cue = false, was_blank = true;
    line l, after;
    while (next_line(&l, &at, end)) {
        const char *ahead = at;
        const bool is_name = was_blank && next_line(&after, &ahead, end) && is_times(after);
        was_blank = is_blank(l);
        if (was_blank) is_in_cue = false;
        else if (is_times(l)) {
            is_in_cue = true;
            ++*n_cues;
            mark_time(to, l, error);
        } else if (!is_name && (is_in_cue || (!is_webvtt && *n_cues > 0)))
            add_line(&to->text, l, error);
    }
    return trib_markup_status(to);
}

trib_status trib_subtitles_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    const bool is_webvtt = strcmp(to->format, "WebVTT") == 0;
    trib_buffer page = {0};
    size_t n_cues = 0;
    trib_status status = trib_html_decode(to, &page, file, false, error);
    if (status == TRIB_OK) status = read_cues(to, &page, is_webvtt, &n_cues, error);
    trib_buffer_release(&page);
    if (status == TRIB_OK && n_cues == 0)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: has no line with the times of a subtitle (00:01:14%s440 --> "
                           "00:01:15%s760); if it is plain text, give it a name that ends in .txt",
                           file.name, is_webvtt ? "." : ",", is_webvtt ? "." : ",");
    return status == TRIB_OK ? trib_markup_check(to, file.name, error) : status;
}
