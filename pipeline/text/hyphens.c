/* hyphens.c - finds the heads of pages, then the divided words, and joins these. */
#include "base/internal.h"
#include "pipeline/text/strip.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "pipeline/support/utf8.h"
#include "tokenizer/tokenizer.h"

void trib_joined_release(trib_joined *joined) {
    trib_text_ranges_release(&joined->heads);
    trib_text_ranges_release(&joined->hyphens);
    *joined = (trib_joined){0};
}

/* ---- Pages ----------------------------------------------------------------------------------- */

enum {
    ENDS = 3,        /* lines at the begin and at the end of a page that can be heads */
    HEAD_MOST = 120, /* bytes of a head */
    OFTEN = 3        /* pages that have the same head */
};

/* The lines of a page that can be heads, from its begin and from its end; empty lines are not
 * counted. */
typedef struct page {
    trib_range first[ENDS], last[ENDS];
    size_t n_first, n_last;
    bool is_marked; /* begins with a line of HathiTrust, which is not among them */
} page;

typedef struct pages {
    page *page; /* [n] */
    size_t n, cap;
    trib_text_ranges *heads;
    const char *text;
    trib_error *error;
    trib_status status; /* the first failure besides those to add a head */
} pages;

/* Whether a line is "## p. xiii (#17) ####", which HathiTrust writes before each page. */
static bool is_mark(const char *line, size_t n) {
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\r')) n--;
    return n > 8 && memcmp(line, "## p. ", 6) == 0 && line[n - 1] == '#' &&
           memchr(line, '(', n) != NULL;
}

static void add_page(pages *all, bool is_marked) {
    if (all->status == TRIB_OK)
        all->status = TRIB_APPEND(&all->page, &all->n, &all->cap, "pages", all->error,
                                  &(page){.is_marked = is_marked});
}

static void add_line(page *p, trib_range line) {
    if (p->n_first < ENDS) p->first[p->n_first++] = line;
    if (p->n_last == ENDS) memmove(p->last, p->last + 1, (ENDS - 1) * sizeof *p->last);
    else p->n_last++;
    p->last[p->n_last - 1] = line;
}

/* Collects the lines at the ends of pages; the lines of HathiTrust are heads. */
static void find_pages(pages *all, size_t length) {
    const char *text = all->text;
    add_page(all, false);
    for (size_t at = 0; at < length && all->status == TRIB_OK;) {
        if (text[at] == '\f') {
            add_page(all, false);
            at++;
            continue;
        }
        size_t end = at;
        while (end < length && !trib_line_end(text, end, length) && text[end] != '\f') end++;
        size_t from = at, to = end;
        while (from < to && strchr(" \t\r", text[from]) && text[from]) from++;
        while (to > from && strchr(" \t\r", text[to - 1]) && text[to - 1]) to--;
        if (is_mark(text + from, to - from)) {
            add_page(all, true);
            trib_text_ranges_add(all->heads, from, to, all->error);
        } else if (to > from) add_line(&all->page[all->n - 1], (trib_range){from, to});
        at = end + (end < length ? trib_line_end(text, end, length) : 0);
    }
}

/* Makes the form of a line in which two heads are the same: small letters, '#' for each number. The
 * length is 0 for a line that is too long for a head, or has neither letter nor number. */
static size_t form_of(char form[HEAD_MOST], const char *text, trib_range line) {
    size_t n = 0;
    bool has_any = false;
    if (line.to - line.from > HEAD_MOST) return 0;
    for (size_t i = line.from; i < line.to; i++) {
        const unsigned char c = (unsigned char)text[i];
        const bool is_digit = c >= '0' && c <= '9';
        has_any = has_any || is_digit || c >= 0x80 || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        if (is_digit && n > 0 && form[n - 1] == '#') continue;
        if (c == ' ' && n > 0 && form[n - 1] == ' ') continue;
        form[n++] = is_digit ? '#' : c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : (char)c;
    }
    return has_any ? n : 0;
}

/* Steps over the letters of one decimal place of a Roman numeral, where `one`, `five` and `ten` are
 * I, V and X, or X, L and C. Printers write four alike, too: "xviiii". */
static size_t roman_place(const char *at, size_t n, char one, char five, char ten) {
    size_t i = 0;
    if (n > 1 && at[0] == one && (at[1] == five || at[1] == ten)) return 2;
    if (n > 0 && at[0] == five) i++;
    for (size_t k = 0; k < 4 && i < n && at[i] == one; k++) i++;
    return i;
}

/* Whether letters are a Roman numeral up to 499, all small or all capital. */
static bool is_roman(const char *at, size_t n) {
    char small[12];
    size_t i = 0;
    if (n == 0 || n > sizeof small) return false;
    for (size_t k = 0; k < n; k++) {
        if ((at[k] & 0x20) != (at[0] & 0x20)) return false;
        small[k] = (char)(at[k] | 0x20);
    }
    while (i < n && i < 4 && small[i] == 'c') i++;
    i += roman_place(small + i, n - i, 'x', 'l', 'c');
    i += roman_place(small + i, n - i, 'i', 'v', 'x');
    return i == n;
}

/* Whether a line is only the number of a page: "41", "xiii", "- 12 -", "Page 2". */
static bool is_number(const char *text, trib_range line) {
    static const char around[] = " -.[]()";
    size_t from = line.from, to = line.to, n_digits = 0, n_other = 0;
    if (to - from > 5 &&
        (memcmp(text + from, "Page ", 5) == 0 || memcmp(text + from, "page ", 5) == 0))
        from += 5;
    while (from < to && text[from] && strchr(around, text[from])) from++;
    while (to > from && text[to - 1] && strchr(around, text[to - 1])) to--;
    for (size_t i = from; i < to; i++) {
        if (text[i] >= '0' && text[i] <= '9') n_digits++;
        else if (!strchr(around, text[i]) || !text[i]) n_other++;
    }
    if (n_digits == 0) return is_roman(text + from, to - from);
    return n_other == 0 && n_digits <= 6;
}

/* The pages that have a form. */
typedef struct count {
    uint32_t n;  /* pages */
    size_t last; /* the last one of them */
} count;

/* The pages that have each form of a line at their begin, or at their end. */
typedef struct forms {
    trib_intern intern;
    count *of; /* [cap] by id */
    size_t cap;
} forms;

/* Counts the page at a place, which has the form of a line, once. */
static void count_form(pages *all, forms *f, trib_range line, size_t place) {
    char form[HEAD_MOST];
    uint32_t id = 0;
    const size_t n = form_of(form, all->text, line);
    if (n == 0 || memchr(form, '\0', n) || all->status != TRIB_OK) return;
    const uint32_t had = f->intern.n_words;
    all->status = trib_intern_add(&f->intern, form, n, &id, all->error);
    if (all->status == TRIB_OK)
        all->status = TRIB_GROW(&f->of, &f->cap, (size_t)id + 1, "heads", all->error);
    if (all->status != TRIB_OK) return;
    if (id == had) f->of[id] = (count){1, place};
    else if (f->of[id].last != place) f->of[id] = (count){f->of[id].n + 1, place};
}

static bool is_often(const forms *f, const char *text, trib_range line) {
    char form[HEAD_MOST];
    const size_t n = form_of(form, text, line);
    const uint32_t id = n > 0 ? trib_intern_find(&f->intern, form, n) : UINT32_MAX;
    return id != UINT32_MAX && f->of[id].n >= OFTEN;
}

TRIB_ORDER(by_start, trib_range, TRIB_UP(from));

/* Adds a line of a page if it is a head: one that occurs often, or a number that no other line
 * separates from the end of the page. */
static bool add_head(pages *all, const forms *f, trib_range line, bool *is_outermost) {
    const bool is_head =
        is_often(f, all->text, line) || (*is_outermost && is_number(all->text, line));
    *is_outermost = *is_outermost && is_head;
    if (is_head) trib_text_ranges_add(all->heads, line.from, line.to, all->error);
    return is_head;
}

static void add_heads(pages *all, const page *p, const forms *top, const forms *bottom) {
    size_t past = 0; /* end of the last head at the begin */
    bool is_outermost = true;
    for (size_t i = 0; i < p->n_first; i++)
        if (add_head(all, top, p->first[i], &is_outermost)) past = p->first[i].to;
    is_outermost = true;
    for (size_t i = p->n_last; i-- > 0 && p->last[i].from >= past;)
        add_head(all, bottom, p->last[i], &is_outermost);
}

static trib_status find_heads(trib_text_ranges *heads, const char *text, size_t length,
                              trib_error *error) {
    pages all = {.heads = heads, .text = text, .error = error};
    forms top = {0}, bottom = {0};
    find_pages(&all, length);
    for (size_t p = 0; p < all.n && all.n > 1; p++) {
        const page *one = &all.page[p];
        for (size_t i = 0; i < one->n_first; i++) count_form(&all, &top, one->first[i], p);
        for (size_t i = 0; i < one->n_last; i++) count_form(&all, &bottom, one->last[i], p);
    }
    for (size_t p = 0; p < all.n && all.n > 1 && all.status == TRIB_OK; p++)
        add_heads(&all, &all.page[p], &top, &bottom);
    if (heads->n > 1) qsort(heads->range, heads->n, sizeof *heads->range, by_start);
    trib_intern_release(&top.intern);
    trib_intern_release(&bottom.intern);
    TRIB_FREE(top.of, bottom.of, all.page);
    return all.status == TRIB_OK ? heads->failure : all.status;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* A divided word. */
typedef struct divided {
    trib_range first, second; /* its halves; the hyphen and the line end are between them */
    bool is_soft;             /* the hyphen is written only where a word is divided */
} divided;

typedef struct words {
    const char *text;
    size_t length;
    const trib_text_ranges *heads;
    trib_intern intern; /* words and, with their hyphens, compounds; small letters */
    divided *divided;   /* [n] */
    size_t n, cap;
    trib_buffer key;
    trib_error *error;
    trib_status status; /* the first failure */
} words;

static bool is_letter(UChar32 c) { return u_isalpha(c) || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

static UChar32 character(const words *w, size_t at, size_t *after) {
    int32_t i = 0;
    UChar32 c = U_SENTINEL;
    const uint8_t *text = (const uint8_t *)w->text + at;
    const size_t left = w->length - at;
    if (left > 0) U8_NEXT(text, i, left < 8 ? (int32_t)left : 8, c);
    *after = at + (size_t)i;
    return c;
}

/* The end of the word that begins at a place; the place itself when none does. */
static size_t end_of_word(const words *w, size_t at) {
    size_t after;
    while (is_letter(character(w, at, &after))) at = after;
    return at;
}

static void add_to_key(words *w, trib_range part) {
    for (size_t at = part.from, after; at < part.to; at = after) {
        uint8_t utf8[U8_MAX_LENGTH];
        size_t n = 0;
        const uint32_t c = (uint32_t)u_foldCase(character(w, at, &after), U_FOLD_CASE_DEFAULT);
        U8_APPEND_UNSAFE(utf8, n, c);
        trib_buffer_add(&w->key, (const char *)utf8, n, w->error);
    }
}

/* Makes the key of a word, or of two parts with `between` between them. */
static void set_key(words *w, trib_range first, const char *between, const trib_range *second) {
    trib_buffer_clear(&w->key);
    add_to_key(w, first);
    trib_buffer_add(&w->key, between, strlen(between), w->error);
    if (second) add_to_key(w, *second);
    if (w->status == TRIB_OK) w->status = w->key.failure;
}

static void add_key(words *w) {
    uint32_t id;
    if (w->status == TRIB_OK)
        w->status = trib_intern_add(&w->intern, w->key.text, w->key.length, &id, w->error);
}

/* Whether the text has a word, or two parts with `between` between them. */
static bool has(words *w, trib_range first, const char *between, const trib_range *second) {
    set_key(w, first, between, second);
    return w->status == TRIB_OK &&
           trib_intern_find(&w->intern, w->key.text, w->key.length) != UINT32_MAX;
}

TRIB_SEARCH(first_head, trib_range, size_t, x->to <= key);

/* The head of a page that begins at or after a place; its end when it is before `at`. */
static const trib_range *head_at(const trib_text_ranges *heads, size_t at) {
    const size_t i = first_head(heads->range, heads->n, at);
    return i < heads->n ? &heads->range[i] : NULL;
}

/* Finds where the word that a hyphen divides goes on: on the next line, or past the heads between
 * two pages. false when it does not. */
static bool find_rest(const words *w, size_t at, size_t *rest) {
    enum { GAP_MOST = 2000 };
    const size_t from = at;
    size_t n_lines = 0, after;
    bool has_page = false;
    for (; at < w->length && at - from < GAP_MOST; at++) {
        const trib_range *head = head_at(w->heads, at);
        const char c = w->text[at];
        const size_t n_end = trib_line_end(w->text, at, w->length);
        if (head && head->from == at && n_lines > 0) {
            at = head->to - 1;
            has_page = true;
        } else if (c == '\f') {
            has_page = true;
            n_lines++;
        } else if (n_end > 0) {
            at += n_end - 1;
            n_lines++;
        } else if (c != ' ' && c != '\t') break;
    }
    if (character(w, at, &after) == 0x2E17) at = after; /* some printers repeat it */
    *rest = at;
    return n_lines == 1 || (n_lines > 1 && has_page);
}

/* Whether two halves can be one word: the second begins with a small letter, or the first is in
 * capitals. */
static bool can_be_one(const words *w, trib_range first, size_t rest) {
    size_t after, n = 0;
    const UChar32 c = character(w, rest, &after);
    if (!is_letter(c) || !u_isupper(c)) return is_letter(c);
    for (size_t at = first.from; at < first.to; at = after, n++)
        if (u_islower(character(w, at, &after))) return false;
    return n > 1;
}

/* Collects the words and the divided words of the text. */
static void find_words(words *w) {
    bool is_second = false; /* the word is the second half of a divided one */
    for (size_t at = 0, after; at < w->length && w->status == TRIB_OK;) {
        const trib_range *head = head_at(w->heads, at);
        if (head && head->from <= at) {
            at = head->to;
            continue;
        }
        const trib_range word = {at, end_of_word(w, at)};
        if (word.to == at) {
            (void)character(w, at, &after);
            at = after;
            is_second = false;
            continue;
        }
        size_t rest = 0;
        const UChar32 hyphen = character(w, word.to, &after);
        const trib_range second = {after, trib_is_hyphen(hyphen) ? end_of_word(w, after) : after};
        at = word.to;
        if (trib_is_hyphen(hyphen) && find_rest(w, after, &rest) && can_be_one(w, word, rest)) {
            w->status = TRIB_APPEND(
                &w->divided, &w->n, &w->cap, "words", w->error,
                &(divided){word, {rest, end_of_word(w, rest)}, trib_is_divider(hyphen)});
            at = rest;
            is_second = true;
            continue;
        }
        if (trib_is_hyphen(hyphen) && second.to > second.from) {
            set_key(w, word, "-", &second);
            add_key(w);
            at = after;
        } else if (!is_second) {
            set_key(w, word, "", NULL);
            add_key(w);
        }
        is_second = false;
    }
}

static bool is_one_word(words *w, const divided *d) {
    const bool joined = has(w, d->first, "", &d->second);
    const bool compound = has(w, d->first, "-", &d->second);
    const bool halves = has(w, d->first, "", NULL) && has(w, d->second, "", NULL);
    return d->is_soft || joined || (!compound && !halves);
}

/* Overwrites bytes, of which there are at least two, with characters that are not part of words and
 * that the tokeniser does not count: U+206F and U+061C. */
static void fill(char *at, size_t n) {
    if (n % 2 == 1) {
        memcpy(at, "\xE2\x81\xAF", 3);
        at += 3, n -= 3;
    }
    for (; n > 0; at += 2, n -= 2) memcpy(at, "\xD8\x9C", 2);
}

trib_status trib_join_hyphens(trib_joined *joined, char *text, size_t length, trib_error *error) {
    words w = {.text = text, .length = length, .heads = &joined->heads, .error = error};
    if (!trib_is_utf8(text, length)) {
        joined->hyphens.remark = "is not UTF-8: words divided at line ends are not joined";
        return TRIB_OK;
    }
    w.status = find_heads(&joined->heads, text, length, error);
    find_words(&w);
    for (size_t i = 0; i < w.n && w.status == TRIB_OK; i++)
        if (is_one_word(&w, &w.divided[i]) && w.status == TRIB_OK)
            w.status = trib_text_ranges_add(&joined->hyphens, w.divided[i].first.to,
                                            w.divided[i].second.from, error);
    joined->n_divided = w.n;
    for (size_t i = 0; i < joined->heads.n && w.status == TRIB_OK; i++) {
        const trib_range head = joined->heads.range[i];
        joined->n_head_words += trib_words_in(text + head.from, head.to - head.from);
        memset(text + head.from, ' ', head.to - head.from);
    }
    for (size_t i = 0; i < joined->hyphens.n && w.status == TRIB_OK; i++) {
        const trib_range gap = joined->hyphens.range[i];
        fill(text + gap.from, gap.to - gap.from);
    }
    trib_intern_release(&w.intern);
    trib_free(w.divided);
    trib_buffer_release(&w.key);
    return w.status;
}

/* ---- Line ends ------------------------------------------------------------------------------- */

bool trib_line_ends_divide(const trib_line_ends *ends) {
    return (ends->n_divided >= 4 && ends->n_divided * 50 >= ends->n_lines) || ends->n_pages >= 3;
}

/* Whether a line ends with a letter and one of the hyphens that trib_join_hyphens knows. */
static bool ends_divided(const char line[TRIB_LINE_END]) {
    static const char *const hyphens[] = {"-", "\xC2\xAC", "\xC2\xAD", "\xE2\x80\x90",
                                          "\xE2\xB8\x97"};
    const size_t n = TRIB_LINE_END - (line[TRIB_LINE_END - 1] == '\r');
    for (size_t i = 0; i < sizeof hyphens / sizeof *hyphens; i++) {
        const size_t at = n - strlen(hyphens[i]);
        const unsigned char letter = (unsigned char)line[at - 1];
        if (memcmp(line + at, hyphens[i], n - at) == 0)
            return letter >= 0x80 || ((letter | 0x20) >= 'a' && (letter | 0x20) <= 'z');
    }
    return false;
}

void trib_line_ends_count(trib_line_ends *ends, const char *text, size_t n) {
    enum { LONG = 1024 }; /* bytes in which a text has an LF, or other line ends */
    const bool has_feeds = n < LONG || memchr(text, '\n', n);
    for (size_t at = 0; at < n;) {
        char before[TRIB_LINE_END];
        while (ends->is_divided && at < n && (text[at] == ' ' || text[at] == '\t')) at++;
        if (at == n) break;
        ends->n_pages += text[at] == '#' && n - at >= 6 && memcmp(text + at, "## p. ", 6) == 0;
        ends->n_divided +=
            ends->is_divided && ((text[at] >= 'a' && text[at] <= 'z') || (text[at] & 0x80));
        ends->is_divided = false;
        size_t n_end = 1;
        const char *stop = memchr(text + at, '\n', n - at);
        for (size_t i = at; !stop && !has_feeds && i < n; i++)
            if ((n_end = trib_line_end(text, i, n)) > 0) stop = text + i;
        if (!stop) break;
        const size_t end = (size_t)(stop - text);
        for (size_t k = 1; k <= TRIB_LINE_END; k++)
            before[TRIB_LINE_END - k] =
                k <= end ? text[end - k] : ends->last[TRIB_LINE_END + end - k];
        ends->n_lines++;
        ends->is_divided = ends_divided(before);
        at = end + n_end;
    }
    const size_t n_new = n < TRIB_LINE_END ? n : TRIB_LINE_END;
    memmove(ends->last, ends->last + n_new, TRIB_LINE_END - n_new);
    memcpy(ends->last + TRIB_LINE_END - n_new, text + n - n_new, n_new);
}
