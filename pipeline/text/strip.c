/* strip.c - the table of strippers; markup.c removes what they do not keep. The only one finds the
 * texts between the boilerplate of Project Gutenberg, in the forms used since the 1990s:
 *
 *   HEADER  The Project Gutenberg Etext of ..., may be repeated below
 *   OPEN    ***START**THE SMALL PRINT! ...
 *   START   *END*THE SMALL PRINT! ..., or *** START OF TH(IS|E) PROJECT GUTENBERG EBOOK ...
 *           Produced by ... [Transcriber's note: ...] the text <<THIS ELECTRONIC VERSION ...>> the
 *           text, Transcriber's Notes ...
 *   END     End of (the) Project Gutenberg(')s Etext ..., *** END OF TH(IS|E) PROJECT GUTENBERG
 *           EBOOK ..., or THE FULL PROJECT GUTENBERG LICENSE
 *
 * One file may contain several such texts, and any of these lines may be missing. A text extends
 * from a START (or from the top of the file, when an END comes first) to the next END, or to the
 * HEADER or OPEN that precedes the next START. */
#include "pipeline/text/strip.h"

#include "base/internal.h"

enum {
    HEADER_LINES = 120,   /* at most, between two STARTs of the same header */
    NOTE_LINES = 60,      /* at most, in a note without brackets */
    NOTE_BYTES = 1 << 14, /* at most, in a note with brackets */
    CREDIT_LINES = 25,    /* at most, in a paragraph of credits */
    BACK_LINES = 400      /* at most, in a note at the end */
};

/* ---- Lines ----------------------------------------------------------------------------------- */

/* A line: text[from..next), with its line end; at[length] without surrounding white space. */
typedef struct line {
    size_t from, next;
    const char *at;
    size_t length;
} line;

static bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The bytes of the line end before a place, or 0. */
static size_t end_before(const char *text, size_t at) {
    for (size_t n = 1; n <= 3 && n <= at; n++)
        if (trib_line_end(text, at - n, at) == n) return n;
    return 0;
}

/* The end of a range without the white space at its end. */
static size_t trim(const char *text, size_t from, size_t to) {
    for (size_t n = 1; n > 0 && to > from; to -= n)
        n = is_white(text[to - 1]) ? 1 : end_before(text + from, to - from);
    return to;
}

static line line_at(const char *text, size_t from, size_t to) {
    const char *const end = memchr(text + from, '\n', to - from);
    size_t next = end ? (size_t)(end - text) + 1 : to, stop = next;
    for (const char *rare = "\r\xC2\xE2"; *rare; rare++) /* most lines have none of them */
        for (size_t i = from; i < stop; i++) {
            const char *at = memchr(text + i, *rare, stop - i);
            if (!at) break;
            i = (size_t)(at - text);
            const size_t n = trib_line_end(text, i, to);
            if (n > 0) stop = i, next = i + n;
        }
    line l = {.from = from, .next = next, .at = text + from, .length = stop - from};
    if (from == 0 && l.length >= 3 && memcmp(l.at, "\xEF\xBB\xBF", 3) == 0)
        l.at += 3, l.length -= 3;
    while (l.length > 0 && is_white(*l.at)) l.at++, l.length--;
    while (l.length > 0 && is_white(l.at[l.length - 1])) l.length--;
    return l;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c; }

/* The length of one of these phrases, between which '|' stands, at the beginning of a line or a
 * paragraph, ignoring case; 0: it begins with none. The phrases are in lower case; a space stands
 * for a line end, too. */
static size_t begins(line l, const char *phrases) {
    for (const char *at = phrases;; at++) {
        const size_t n = strcspn(at, "|");
        size_t i = 0, j = 0;
        for (; i < n && j < l.length; i++, j++) {
            if (at[i] == ' ' && is_white(l.at[j]))
                while (j + 1 < l.length && is_white(l.at[j + 1])) j++;
            else if (lower(l.at[j]) != at[i]) break;
        }
        if (i == n) return j;
        at += n;
        if (!*at) return 0;
    }
}

static bool contains(line l, const char *phrases) {
    for (; l.length > 0; l.at++, l.length--)
        if (begins(l, phrases)) return true;
    return false;
}

static line without(line l, size_t n) { return (line){.at = l.at + n, .length = l.length - n}; }

/* The part of the line after a phrase, or the whole line when it does not begin with the phrase. */
static line after(line l, const char *phrase) { return without(l, begins(l, phrase)); }

static line after_any_of(line l, const char *characters) {
    while (l.length > 0 && strchr(characters, *l.at)) l = without(l, 1);
    return l;
}

/* ---- Marks ----------------------------------------------------------------------------------- */

typedef enum { NO_MARK, HEADER, OPEN, START, END } kind;

typedef struct mark {
    kind kind;
    size_t from, to;      /* byte range, to the end of a line */
    uint64_t line;        /* from 1 */
    size_t next[END + 1]; /* index of the first mark of each kind at or after this one; n: none */
} mark;

typedef struct mark_list {
    mark *at;
    size_t n, cap;
} mark_list;

static kind kind_of_starred(line l, size_t n_stars) {
    if (contains(l, "small print")) {
        if (begins(l, "end")) return START;
        if (begins(l, "start")) return OPEN;
    }
    if (n_stars < 2) return NO_MARK;
    if (begins(l, "start:") && contains(l, "license")) return END;
    if (!contains(l, "project gutenberg")) return NO_MARK;
    return begins(l, "start of ") ? START : begins(l, "end of ") ? END : NO_MARK;
}

static bool is_end(line l) {
    static const char translated[] =
        "ende dieses |ende des |ende von |fin de |fin du |fine di |fine del ";
    static const char files[] = " etext| ebook| e-text|(tm) e|'s |\xE2\x80\x99s ";
    const line of = after(l, "the ");
    if (*l.at >= 'a' && *l.at <= 'z') return false; /* within a sentence */
    if (begins(of, "end of ")) {
        const line whose = after(after(after(of, "end of "), "the "), "this ");
        return begins(whose, "project gutenberg") &&
               begins(after(whose, "project gutenberg"), files);
    }
    if (begins(l, translated)) return contains(l, "gutenberg") && contains(l, "proje");
    return begins(l, "updated editions will replace the previous one") ||
           (begins(l, "the full project gutenberg") && l.at[4] == 'F');
}

static bool is_header(line l) {
    static const char names[] =
        "'s |\xE2\x80\x99s | etext| ebook| e-text| edition| presents| release ";
    if (begins(l, "this ebook is for the use of anyone")) return true;
    l = after(l, "the ");
    return begins(l, "project gutenberg") && begins(after(l, "project gutenberg"), names);
}

static kind kind_of(line l) {
    if (l.length == 0) return NO_MARK;
    const line plain = after_any_of(l, "*[ ");
    const char first = plain.length > 0 ? lower(*plain.at) : '\0';
    if (!first || !strchr("efpstu", first))
        return NO_MARK; /* all phrases begin with one of these letters; most lines do not */
    if (*l.at == '*') {
        size_t n_stars = 0;
        while (n_stars < l.length && l.at[n_stars] == '*') n_stars++;
        const kind k = kind_of_starred(plain, n_stars);
        if (k != NO_MARK) return k;
    }
    return is_end(plain) ? END : is_header(plain) ? HEADER : NO_MARK;
}

/* The end of a START, which may span several lines until its closing asterisks. */
static size_t start_end(const char *text, line l, size_t to) {
    if (!begins(after_any_of(l, "* "), "start of ")) return l.next;
    line last = l;
    for (int n = 0; n < 4 && last.length > 0; n++) {
        if (last.length > 3 && memcmp(last.at + last.length - 3, "***", 3) == 0) return last.next;
        if (last.next == to) break;
        last = line_at(text, last.next, to);
        if (kind_of(last) != NO_MARK) break;
    }
    return l.next;
}

static trib_status list_marks(mark_list *marks, const char *text, size_t length,
                              trib_error *error) {
    trib_status status = TRIB_OK;
    uint64_t number = 1;
    for (size_t at = 0; at < length && status == TRIB_OK; number++) {
        const line l = line_at(text, at, length);
        const kind k = kind_of(l);
        at = l.next;
        if (k == NO_MARK) continue;
        status = TRIB_APPEND(
            &marks->at, &marks->n, &marks->cap, "the marks of a text", error,
            &(mark){k, l.from, k == START ? start_end(text, l, length) : l.next, number, {0}});
    }
    size_t next[END + 1];
    for (size_t k = 0; k <= END; k++) next[k] = marks->n;
    for (size_t i = marks->n; i-- > 0;) {
        next[marks->at[i].kind] = i;
        memcpy(marks->at[i].next, next, sizeof next);
    }
    return status;
}

/* ---- Credits and notes above the title ------------------------------------------------------- */

/* The end of the lines from `from` on that are blank, or that are not. */
static size_t skip_lines(const char *text, size_t from, size_t to, bool are_blank,
                         size_t *n_lines) {
    for (*n_lines = 0; from < to; ++*n_lines) {
        const line l = line_at(text, from, to);
        if ((l.length == 0) != are_blank) break;
        from = l.next;
    }
    return from;
}

static size_t paragraph_end(const char *text, size_t from, size_t to, size_t *n_lines) {
    return skip_lines(text, from, to, false, n_lines);
}

static size_t skip_blank(const char *text, size_t from, size_t to, size_t *n_lines) {
    return skip_lines(text, from, to, true, n_lines);
}

/* Whether a note about the file begins at a line, or below a rule: "+----+". *is_heading: the line
 * says no more than that. */
static bool is_note(const char *text, size_t from, size_t to, bool *is_heading) {
    static const char notes[] =
        "transcriber's note|transcriber\xE2\x80\x99s note|transcribers' note|"
        "transcribers note|transcribers\xE2\x80\x99 note|transcriber note|transcription note|"
        "redactor's note|redactor\xE2\x80\x99s note|note: project guten|note: images of|e-text "
        "editor's note";
    const line l = line_at(text, from, to);
    line rest = after_any_of(l, "[{(*_+=|-~ ");
    if (l.length > 0 && rest.length == 0 && l.next < to)
        rest = after_any_of(line_at(text, l.next, to), "|*_ ");
    const size_t n = begins(rest, notes);
    *is_heading = n > 0 && after_any_of(without(rest, n), "sS:.]})*_+=|-~ ").length == 0;
    return n > 0;
}

/* Whether a paragraph says who made the file: "Produced by Ann", "This etext was prepared by". */
static bool is_credit(line l) {
    static const char verbs[] =
        "produced |prepared |transcribed |scanned |digitized |digitised |created |proofed |"
        "html version |ocr |typed ";
    static const char things[] =
        "this etext |this ebook |this e-text |this file |this electronic |e-text |etext |"
        "ebook ";
    l = after_any_of(l, "[(*_ ");
    if (begins(l, things)) return contains(l, " by |prepared|produced");
    if (!begins(l, verbs)) return false;
    while (l.length > 0 && !begins(l, " by ")) l = without(l, 1);
    l = after(l, " by "); /* a name, not "by the gods" */
    return begins(l, "an anonymous|the online|the volunteer|the people at") ||
           (l.length > 0 && (lower(*l.at) != *l.at || (unsigned char)*l.at >= 0x80));
}

/* Whether a paragraph credits the makers of the file. With `after_credit`, also whether it
 * continues such a paragraph. */
static bool is_about_file(const char *text, size_t from, size_t to, bool after_credit) {
    static const char team[] = "proofreading team|proofreaders team";
    static const char more[] = "and |(this |http|from |(http|with |[";
    static const char signs[] = "proofread|pgdp|http|page images|images generously|made available|"
                                "gutenberg|volunteer|thanks to|this file|internet archive";
    static const char files[] = " etext of | ebook of | e-text of | edition of | presents";
    line l = line_at(text, from, to);
    l.length = trim(text, from, to) - (size_t)(l.at - text); /* the whole paragraph */
    line end = l;
    while (end.length > 4 && strchr("./)", end.at[end.length - 1])) end.length--;
    if (is_credit(l) || (after_credit && begins(l, more) && contains(l, signs))) return true;
    if (contains(l, team) && begins(without(end, end.length - 4), "team|.net")) return true;
    l = after(l, "the ");
    const line of = after(l, "project gutenberg");
    return begins(l, "project gutenberg") &&
           (begins(of, files) || (begins(of, "'s |\xE2\x80\x99s ") && contains(of, ", by ")));
}

/* The end of a note: its closing bracket, or the next two empty lines. */
static size_t note_end(const char *text, size_t from, size_t to) {
    const line first = line_at(text, from, to);
    size_t n_lines = 0, n_blank = 0, at = from, end = from;
    int depth = 0;
    for (size_t i = from; *first.at == '[' && i < to && i < from + NOTE_BYTES; i++) {
        depth += (text[i] == '[') - (text[i] == ']');
        if (depth == 0 && text[i] == ']') return line_at(text, i, to).next;
    }
    while (at < to && n_blank < 2 && n_lines < NOTE_LINES) {
        size_t n = 0;
        end = paragraph_end(text, at, to, &n);
        n_lines += n;
        at = skip_blank(text, end, to, &n_blank);
        n_lines += n_blank;
    }
    return n_lines < NOTE_LINES ? end : paragraph_end(text, from, to, &n_lines);
}

/* Skips credits and notes about the file. Returns where the text begins. */
static size_t skip_front(const char *text, size_t from, size_t to) {
    bool after_credit = false, is_heading = false;
    for (;;) {
        size_t n_lines = 0;
        from = skip_blank(text, from, to, &n_lines);
        if (from == to) return to;
        const size_t end = paragraph_end(text, from, to, &n_lines);
        if (is_note(text, from, to, &is_heading)) {
            from = note_end(text, from, to);
            after_credit = false;
        } else if (n_lines <= CREDIT_LINES && is_about_file(text, from, end, after_credit)) {
            from = end;
            after_credit = true;
        } else if (begins(line_at(text, from, to), "[illustration") &&
                   (n_lines = skip_blank(text, end, to, &n_lines)) < to &&
                   is_note(text, n_lines, to, &is_heading)) {
            from = end; /* a note may follow the picture of the cover */
        } else return from;
    }
}

/* ---- Notes below and within the text --------------------------------------------------------- */

/* Where a note about the file begins that extends to the end of the text, or `to`. It has brackets
 * or is one paragraph; or it has a heading, and no gap after which the text may go on. */
static size_t find_back(const char *text, size_t from, size_t to) {
    size_t at = to, n_lines = 0, n_blank = 0;
    bool is_heading = false;
    while (at > from && to - at <= (to - from) / 2 && n_lines < BACK_LINES)
        n_lines += trib_line_end(text, --at, to) > 0;
    for (size_t end = at; at < to; at = skip_blank(text, end, to, &n_blank)) {
        end = paragraph_end(text, at, to, &n_lines);
        if (at == from || !is_note(text, at, to, &is_heading)) continue;
        const bool is_one = !is_heading && *line_at(text, at, to).at != '[';
        size_t last = is_one || is_heading ? end : note_end(text, at, to);
        last = skip_blank(text, last, to, &n_blank);
        for (n_blank = 0; is_heading && last < to && n_blank < 2;)
            last = skip_blank(text, paragraph_end(text, last, to, &n_lines), to, &n_blank);
        if (last == to) return at;
    }
    return to;
}

/* The first notice of World Library in a text, or `to`; *end is where it ends. */
static size_t find_notice(const char *text, size_t from, size_t to, size_t *end) {
    static const char notices[] = "<<this electronic|<<this etext|<<this e-text|<<this file";
    size_t n_lines = 0;
    for (; from < to; from++) {
        if (text[from] != '<' || !begins((line){.at = text + from, .length = to - from}, notices))
            continue;
        *end = paragraph_end(text, from, to, &n_lines);
        for (size_t i = from; i + 1 < to && i < from + NOTE_BYTES; i++)
            if (memcmp(text + i, ">>", 2) == 0) return *end = i + 2, from;
        return from;
    }
    return to;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static bool is_blank(const char *text, size_t from, size_t to) {
    if (from == 0 && to >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) from = 3;
    return trim(text, from, to) == from;
}

/* Adds text[from..to) to the kept ranges, without surrounding empty lines, notices and a note at
 * the end. With a START, also without credits and notes before the title. */
static trib_status keep(trib_text_ranges *kept, const char *text, size_t from, size_t to,
                        bool is_started, trib_error *error) {
    size_t n_lines = 0, next = from;
    trib_status status = TRIB_OK;
    from = is_started ? skip_front(text, from, to) : skip_blank(text, from, to, &n_lines);
    to = find_back(text, from, to);
    for (; from < to && status == TRIB_OK; from = skip_blank(text, next, to, &n_lines)) {
        size_t end = find_notice(text, from, to, &next);
        if (end == to) next = to;
        end = trim(text, from, end);
        if (end > from) status = trib_text_ranges_add(kept, from, end, error);
    }
    return status;
}

/* State while the marks are read in order. */
typedef struct place {
    bool in_text, is_started; /* a START was read */
    size_t from;              /* where the text begins */
    uint64_t line;            /* line of its START */
} place;

/* Whether a file begins with a header. */
static bool is_headed(const mark *first, const char *text) {
    return first->kind == HEADER && is_blank(text, 0, first->from);
}

/* Whether a HEADER or OPEN, which can also be part of a header, ends the text before it. */
static bool ends_text(const place *p, const mark_list *marks, size_t i, const char *text,
                      size_t length) {
    const mark *m = &marks->at[i];
    const size_t start = m->next[START], end = m->next[END];
    if (!p->in_text) return false;
    if (m->kind == HEADER)
        return p->is_started && start < end && m->line - p->line > HEADER_LINES / 4;
    if (p->is_started) return m->line - p->line > HEADER_LINES;
    /* the small print may also follow the text */
    const mark *next = start + 1 < marks->n ? &marks->at[start + 1] : NULL;
    return !is_headed(&marks->at[0], text) &&
           (start == marks->n || (is_blank(text, marks->at[start].to, next ? next->from : length) &&
                                  (!next || next->kind != START)));
}

/* Adds a remark that the end of the header is not marked. */
static void remark_header(trib_text_ranges *kept, const mark *first, const char *text) {
    if (!is_headed(first, text)) return;
    kept->remark = "a Project Gutenberg header begins here and its end is not marked: it is kept";
    kept->line = first->line;
}

static trib_status read_mark(trib_text_ranges *kept, place *p, const mark_list *marks, size_t i,
                             const char *name, const char *text, size_t length, trib_error *error) {
    const mark *m = &marks->at[i];
    bool ends = m->kind == END && p->in_text;
    if (m->kind == HEADER || m->kind == OPEN) ends = ends_text(p, marks, i, text, length);
    if (m->kind == START) ends = p->is_started && p->in_text && m->line - p->line > HEADER_LINES;
    if (m->kind == END && p->in_text && !p->is_started) {
        const size_t start = m->next[START];
        if (start < marks->n && m->next[HEADER] > start && m->next[OPEN] > start)
            return trib_fail(error, TRIB_INPUT,
                             "%s: line %llu ends a Project Gutenberg text, but only line %llu "
                             "begins one; cut the file by hand and leave out corpus.strip",
                             name, (unsigned long long)m->line,
                             (unsigned long long)marks->at[start].line);
        remark_header(kept, &marks->at[0], text);
    }
    trib_status status = TRIB_OK;
    if (ends) status = keep(kept, text, p->from, m->from, p->is_started, error);
    if (m->kind == START) {
        const bool is_last = i + 1 == marks->n || marks->at[i + 1].next[START] == marks->n;
        if (is_last && kept->n > 0 && is_blank(text, m->to, length)) p->in_text = false;
        else *p = (place){true, true, m->to, m->line};
    } else if (m->kind == END || m->kind == OPEN || ends) {
        /* the rest of an opened header is not text, whatever follows */
        p->in_text = p->is_started = false;
    }
    return status;
}

static trib_status find_gutenberg(trib_text_ranges *kept, const char *name, const char *text,
                                  size_t length, trib_error *error) {
    mark_list all = {0};
    place p = {.in_text = true};
    trib_status status = list_marks(&all, text, length, error);
    size_t unused = 0;
    if (status == TRIB_OK && all.n == 0 && find_notice(text, 0, length, &unused) == length) {
        if (length > 0) status = trib_text_ranges_add(kept, 0, length, error);
    } else {
        for (size_t i = 0; i < all.n && status == TRIB_OK; i++)
            status = read_mark(kept, &p, &all, i, name, text, length, error);
        if (p.in_text && status == TRIB_OK) {
            status = keep(kept, text, p.from, length, p.is_started, error);
            if (p.is_started) {
                kept->remark = "a Project Gutenberg text begins here and its end is not marked: "
                               "all that follows is kept";
                kept->line = p.line;
            } else if (all.n > 0) remark_header(kept, &all.at[0], text);
        }
    }
    trib_free(all.at);
    return status;
}

/* ---- Stripping ------------------------------------------------------------------------------- */

const trib_stripper trib_strippers[] = {
    {"gutenberg", "header, licence, credits and transcriber's notes of Project Gutenberg",
     find_gutenberg},
    {"auto", "as `gutenberg`, in texts that have its marks, but no more than `max_strip`",
     find_gutenberg},
    {NULL, NULL, NULL},
};

TRIB_FIND(trib_stripper_find, trib_stripper, trib_strippers);

/* Whether text has boilerplate of Project Gutenberg: a START or an END. */
bool trib_gutenberg_is_in(const char *text, size_t length) {
    for (size_t at = 0; at < length; at++) {
        const char *found = memchr(text + at, 'G', length - at);
        if (!found) return false;
        at = (size_t)(found - text);
        size_t from = at;
        if (!begins((line){.at = found, .length = length - at}, "gutenberg")) continue;
        while (from > 0 && at - from < 200 && end_before(text, from) == 0) from--;
        const kind k = kind_of(line_at(text, from, length));
        if (k == START || k == END) return true;
    }
    return false;
}
