/* usfm.c - the text of USFM (Unified Standard Format Markers, version 3, United Bible Societies):
 * the books of a Bible, with book, chapter and verse as references, "RUT 1:8".
 *
 * A marker is a backslash and a word. Of a paragraph or a line it stands before the text; of
 * characters there is one before and one after it, "\nd Lord\nd*". What the reader of a page does
 * not see is not read: identification, remarks, numbers, figures, attributes of words ("|lemma=x").
 * Footnotes and cross-references are notes. */
#include "pipeline/text/text_formats.h"

typedef enum { INLINE, LINE, PARAGRAPH, SKIP_LINE, SKIP_SPAN, NOTE, PART_OF_NOTE } role;

/* Markers without their numbers, as in "q2". Those that are not listed are inline. */
static const struct {
    role role;
    const char *names;
} markers[] = {
    /* a line that is not read */
    {SKIP_LINE, "id ide usfm sts rem h toc toca cp cl r mr sr restore"},
    /* a span that is not read, up to its end marker */
    {SKIP_SPAN, "fig va vp ca rq"},
    /* notes, and their own reference and marks */
    {NOTE, "f fe ef x ex"},
    {PART_OF_NOTE, "fr fv xo"},
    /* text on lines and in paragraphs of its own */
    {LINE, "c q qr qc qm qd nb ph li lh lf lim tr th tc thr tcr io ili iq"},
    {PARAGRAPH,
     "qa b p m po pr cls pmo pm pmc pmr pi mi pc mt mte ms s sp sd d ip is im imt iot ie"},
};

/* State while a file is read. */
typedef struct reading {
    trib_markup_text *to;
    trib_error *error;
    const char *at, *end;
    char book[8], chapter[16];
    size_t from;     /* start of the current note in to->apart */
    size_t in;       /* and in to->text */
    bool is_in_note; /* text goes where notes go */
    bool is_unread;  /* text is not read, up to the next marker of a note */
} reading;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static role role_of(const char *name, size_t n) {
    char word[8] = "";
    if (n >= sizeof word) return INLINE;
    memcpy(word, name, n);
    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++)
        if (trib_is_among(markers[i].names, word)) return markers[i].role;
    return INLINE;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static trib_buffer *target(const reading *r) {
    return r->is_in_note && r->to->notes != TRIB_NOTES_KEEP ? &r->to->apart : &r->to->text;
}

static void end_flow(const reading *r, trib_text_flow flow) {
    trib_buffer *text = target(r);
    while (text->length > 0 && text->text[text->length - 1] == ' ')
        text->text[--text->length] = '\0';
    trib_text_end(text, flow, r->error);
}

/* Whether the next marker ends a span or a milestone, whose attributes may stand before it. */
static bool is_before_end(const reading *r) {
    const char *name = memchr(r->at, '\\', (size_t)(r->end - r->at));
    if (!name) return false;
    if (++name < r->end && *name == '+') name++;
    const char *at = name;
    while (at < r->end && is_letter(*at)) at++;
    const role what = role_of(name, (size_t)(at - name));
    while (at < r->end && is_digit(*at)) at++;
    return at < r->end && *at == '*' && what != NOTE;
}

/* Appends the text up to the next marker. White space is made one space or line end; "~" is a
 * space that does not break, "//" a line break that is optional. */
static void add_text(reading *r) {
    const bool has_attributes = is_before_end(r);
    trib_buffer *text = target(r);
    bool is_attribute = false; /* after "|", up to the marker */
    for (; r->at < r->end && *r->at != '\\'; r->at++) {
        const char c = *r->at;
        is_attribute = is_attribute || (c == '|' && has_attributes);
        if (r->is_unread || is_attribute) continue;
        const bool is_break = c == '/' && r->at + 1 < r->end && r->at[1] == '/';
        if (is_break) r->at++;
        if (is_white(c) || is_break) {
            if (text->length > 0 && !strchr(" \n", text->text[text->length - 1]))
                trib_buffer_add(text, c == '\n' ? "\n" : " ", 1, r->error);
        } else if (c == '~') trib_buffer_add(text, "\xC2\xA0", 2, r->error);
        else trib_buffer_add(text, &c, 1, r->error);
    }
}

/* ---- Markers --------------------------------------------------------------------------------- */

/* Reads the word after a marker, such as the number of a verse, and the space after it. */
static void read_word(reading *r, char *word, size_t size) {
    size_t n = 0;
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
    for (; r->at < r->end && !is_white(*r->at) && *r->at != '\\'; r->at++)
        if (n + 1 < size) word[n++] = *r->at;
    word[n] = '\0';
    if (r->at < r->end && *r->at == ' ') r->at++;
}

static void skip_line(reading *r) {
    while (r->at < r->end && *r->at != '\n') r->at++;
}

/* Skips a span with its end marker, "\fig ... \fig*"; only to the end of the line when it has
 * none. */
static void skip_span(reading *r, const char *name, size_t n) {
    for (; r->at < r->end && *r->at != '\n'; r->at++)
        if (*r->at == '\\' && (size_t)(r->end - r->at) > n + 1 && memcmp(r->at + 1, name, n) == 0 &&
            r->at[n + 1] == '*') {
            r->at += n + 2;
            return;
        }
}

/* Marks the place where a verse or a chapter begins. */
static void mark(const reading *r, const char *verse) {
    char label[64];
    const size_t place = r->to->text.length;
    const int n = snprintf(label, sizeof label, "%s%s%s%s%s", r->book, *r->book ? " " : "",
                           r->chapter, *verse ? ":" : "", verse);
    trib_references_add(&r->to->references, place, place, label, (size_t)n, r->error);
}

static void end_note(reading *r) {
    if (!r->is_in_note) return;
    trib_markup_count_note(r->to, target(r), r->to->notes == TRIB_NOTES_KEEP ? r->in : r->from);
    if (r->to->notes == TRIB_NOTES_KEEP) trib_buffer_add(&r->to->text, " ", 1, r->error);
    if (r->to->notes == TRIB_NOTES_SEPARATE) {
        trib_text_trim(&r->to->apart, r->from);
        trib_markup_end_note(r->to, &r->from, r->error);
    }
    r->is_in_note = r->is_unread = false;
}

static void begin_note(reading *r) {
    char caller[16];
    end_note(r);
    read_word(r, caller, sizeof caller); /* "+", "-", or a letter */
    r->is_in_note = true;
    r->in = r->to->text.length;
    if (r->to->notes == TRIB_NOTES_KEEP) trib_text_space(&r->to->text, 0, r->error);
}

/* Handles the marker at r->at and steps over it. */
static void read_marker(reading *r) {
    const char *name = ++r->at;
    char word[16];
    if (r->at < r->end && *r->at == '+') name = ++r->at; /* a marker in another one */
    while (r->at < r->end && is_letter(*r->at)) r->at++;
    const size_t n = (size_t)(r->at - name);
    while (r->at < r->end && (is_digit(*r->at) || *r->at == '-')) r->at++;
    /* a milestone, "\qt-s |who="Pilate"\*" */
    if (r->at < r->end && r->at[-1] == '-' && (*r->at == 's' || *r->at == 'e')) r->at++;
    const role what = role_of(name, n);
    if (r->at < r->end && *r->at == '*') {
        r->at++;
        if (what == PART_OF_NOTE) r->is_unread = false;
        if (what == NOTE) end_note(r);
        return;
    }
    if (what == SKIP_LINE && r->is_in_note) skip_line(r);
    if (n == 1 && *name == 'v') {
        end_note(r);
        read_word(r, word, sizeof word);
        mark(r, word);
        return;
    }
    if (r->at < r->end && is_white(*r->at) && *r->at != '\n') r->at++; /* ends the marker */
    if (what == NOTE) {
        begin_note(r);
        return;
    }
    r->is_unread = r->is_in_note && what == PART_OF_NOTE;
    if (what == SKIP_SPAN) skip_span(r, name, n);
    if (what == INLINE || what == PART_OF_NOTE || what == SKIP_SPAN) return;
    end_note(r);
    if (n == 2 && memcmp(name, "id", 2) == 0) {
        read_word(r, r->book, sizeof r->book);
        r->chapter[0] = '\0';
        mark(r, "");
    }
    if (n == 1 && *name == 'c') {
        read_word(r, r->chapter, sizeof r->chapter);
        mark(r, "");
    }
    if (what == SKIP_LINE) skip_line(r);
    else end_flow(r, what == PARAGRAPH ? TRIB_FLOW_PARAGRAPH : TRIB_FLOW_LINE);
}

/* Makes each line end, "\r\n" or "\r", a "\n". */
static void unify_line_ends(trib_buffer *text) {
    size_t n = 0;
    for (size_t i = 0; i < text->length; i++) {
        if (text->text[i] == '\r' && i + 1 < text->length && text->text[i + 1] == '\n') continue;
        text->text[n++] = text->text[i] == '\r' ? '\n' : text->text[i];
    }
    if (text->length > 0) text->text[n] = '\0';
    text->length = n;
}

trib_status trib_usfm_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    TRIB_OWNED(trib_buffer) utf8 = {0};
    trib_status status = trib_html_decode(to, &utf8, file, false, error);
    unify_line_ends(&utf8);
    const char *text = utf8.text ? utf8.text : "";
    reading r = {.to = to, .error = error, .at = text, .end = text + utf8.length};
    while (r.at < r.end && status == TRIB_OK)
        if (*r.at == '\\') read_marker(&r);
        else add_text(&r);
    end_note(&r);
    end_flow(&r, TRIB_FLOW_LINE);
    return status == TRIB_OK ? trib_markup_status(to) : status;
}
