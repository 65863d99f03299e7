/* rtf.c - reads RTF: groups in braces, control words that begin with a backslash, and text, whose
 * bytes mean what the code page of the current font says. */
#include "pipeline/text/text_formats.h"

#include <limits.h>
#include <unicode/ucnv.h>
#include <unicode/utf8.h>

enum { DEPTH_MOST = 4096, PENDING_MOST = 256, FONTS_MOST = 1 << 16, WORD_MAX = 33 };

/* What holds in a group; a group begins with what holds around it. */
typedef struct group {
    uint32_t font;
    uint32_t n_fallback; /* \uc: characters after \u that repeat it */
    bool is_skipped;     /* a destination that is not read */
    bool is_hidden, is_deleted, is_superscript;
    bool is_fonts;     /* the table of fonts */
    bool is_note;      /* a note begins with this group */
    bool is_ignorable; /* \* was read, and the destination is not known yet */
} group;

typedef struct reader {
    trib_text_target target;
    trib_error *error;
    trib_status status; /* the first failure besides those to add to the text */
    const char *name, *at, *end;
    group *group; /* [n_groups], the innermost last */
    size_t n_groups, cap;
    uint16_t *code_page; /* [n_fonts] code page of each font; 0: the default */
    size_t n_fonts, fonts_cap;
    uint32_t default_font, font_defined;
    uint16_t default_page;
    char pending[PENDING_MOST]; /* [n_pending] bytes in code page `page`, not decoded yet */
    size_t n_pending;
    uint16_t page;
    bool needs_trail;      /* the last pending byte is the first half of a character */
    bool ends_superscript; /* a number in superscript was added last */
    uint32_t n_skipped;    /* characters to skip, after \u */
    uint32_t high;         /* first half of a surrogate pair, or 0 */
} reader;

static group *inner(reader *r) { return &r->group[r->n_groups - 1]; }

static bool is_read(reader *r) {
    const group *g = inner(r);
    return !g->is_skipped && !g->is_hidden && !g->is_deleted && !g->is_fonts;
}

/* ---- Characters ------------------------------------------------------------------------------ */

enum { SYMBOLS = 42 }; /* the "code page" of fonts whose characters are pictures */

static void name_of_page(char name[32], uint16_t page) {
    static const struct {
        uint16_t page;
        const char *name;
    } names[] = {{10000, "macintosh"},
                 {10004, "x-mac-arabic"},
                 {10006, "x-mac-greek"},
                 {10007, "x-mac-cyrillic"},
                 {10029, "x-mac-centraleurroman"},
                 {10081, "x-mac-turkish"},
                 {65001, "UTF-8"},
                 {1361, "windows-949"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].page == page) {
            snprintf(name, 32, "%s", names[i].name);
            return;
        }
    UErrorCode code = U_ZERO_ERROR;
    snprintf(name, 32, "%s%u", page >= 1250 && page <= 1258 ? "windows-" : "cp", (unsigned)page);
    UConverter *converter = ucnv_open(name, &code);
    if (U_FAILURE(code)) snprintf(name, 32, "windows-1252");
    ucnv_close(converter);
}

static bool is_lead(uint16_t page, unsigned char byte) {
    if (page == 932) return (byte >= 0x81 && byte <= 0x9F) || (byte >= 0xE0 && byte <= 0xFC);
    const bool is_double = page == 936 || page == 949 || page == 950 || page == 1361;
    return is_double && byte >= 0x81 && byte <= 0xFE;
}

static uint16_t page_of_font(const reader *r, uint32_t font) {
    const uint16_t page = font < r->n_fonts ? r->code_page[font] : 0;
    return page ? page : r->default_page;
}

/* Adds text in UTF-8. A number in superscript is set apart from the words around it. */
static void add_utf8(reader *r, const char *text, size_t length) {
    const bool is_digit = length > 0 && text[0] >= '0' && text[0] <= '9';
    const bool is_number = inner(r)->is_superscript && (is_digit || r->ends_superscript);
    if (length > 0 && is_number != r->ends_superscript)
        trib_text_target_space(&r->target, r->error);
    if (length > 0) r->ends_superscript = is_number;
    trib_text_target_add(&r->target, text, length, r->error);
}

/* Decodes the pending bytes. */
static void flush(reader *r) {
    TRIB_OWNED(trib_buffer) utf8 = {0};
    char encoding[32];
    if (r->n_pending > 0 && r->page != SYMBOLS && r->status == TRIB_OK) {
        name_of_page(encoding, r->page);
        r->status = trib_excerpt(&utf8, encoding, r->pending, r->n_pending, r->error);
        if (utf8.length > 0) add_utf8(r, utf8.text, utf8.length);
    }
    r->n_pending = 0;
    r->needs_trail = false;
}

/* Takes account of a byte of text. */
static void add_byte(reader *r, unsigned char byte) {
    if (r->n_skipped > 0) {
        r->n_skipped--;
        return;
    }
    r->high = 0;
    if (!is_read(r)) return;
    const uint16_t page = page_of_font(r, inner(r)->font);
    if ((page != r->page && !r->needs_trail) || r->n_pending == PENDING_MOST) flush(r);
    if (r->n_pending == 0) r->page = page;
    r->needs_trail = !r->needs_trail && is_lead(r->page, byte);
    r->pending[r->n_pending++] = (char)byte;
    if (r->n_pending >= PENDING_MOST - 2 && !r->needs_trail) flush(r);
}

static void add_character(reader *r, uint32_t c) {
    uint8_t utf8[U8_MAX_LENGTH];
    size_t n = 0;
    flush(r);
    if (!is_read(r)) return;
    if (c >= 0xD800 && c <= 0xDBFF) {
        r->high = c;
        return;
    }
    if (c >= 0xDC00 && c <= 0xDFFF)
        c = r->high ? 0x10000 + ((r->high - 0xD800) << 10) + (c - 0xDC00) : 0xFFFD;
    r->high = 0;
    if (c >= '\t' && c <= '\r') c = ' '; /* \u10: a line end written by its number */
    if (c < 0x20 || (c >= 0xF000 && c <= 0xF0FF)) return; /* a character of a symbol font */
    U8_APPEND_UNSAFE(utf8, n, c);
    add_utf8(r, (const char *)utf8, n);
}

static void end_flow(reader *r, trib_text_flow flow) {
    flush(r);
    r->ends_superscript = false;
    if (is_read(r)) trib_text_target_end(&r->target, flow, r->error);
}

/* ---- Fonts ----------------------------------------------------------------------------------- */

static uint16_t page_of_charset(long charset) {
    static const struct {
        uint8_t charset;
        uint16_t page;
    } pages[] = {{0, 1252},   {2, SYMBOLS}, {77, 10000}, {128, 932},  {129, 949},
                 {130, 1361}, {134, 936},   {136, 950},  {161, 1253}, {162, 1254},
                 {163, 1258}, {177, 1255},  {178, 1256}, {186, 1257}, {204, 1251},
                 {222, 874},  {238, 1250},  {254, 437},  {255, 850}};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (pages[i].charset == charset) return pages[i].page;
    return 0;
}

/* Sets the code page of the font that the table of fonts is defining. */
static void set_page(reader *r, uint16_t page) {
    const uint32_t font = r->font_defined;
    if (font >= FONTS_MOST || r->status != TRIB_OK) return;
    r->status = TRIB_GROW(&r->code_page, &r->fonts_cap, font + 1, "fonts", r->error);
    if (r->status != TRIB_OK) return;
    while (r->n_fonts <= font) r->code_page[r->n_fonts++] = 0;
    r->code_page[font] = page;
}

/* ---- Control words --------------------------------------------------------------------------- */

typedef enum {
    SKIP,      /* a destination that is not read */
    READ,      /* a destination that is read, also in one that is not */
    NOTE,      /* a note */
    FONTS,     /* the table of fonts */
    CHARACTER, /* `value` is a character */
    LINE,
    PARAGRAPH,
    PAGE,    /* `value` is the default code page */
    SETTING, /* see set */
    FALLBACK,
    UNICODE,
    BINARY
} meaning;

static const struct control {
    meaning what;
    uint32_t value;
    const char *words;
} controls[] = {
    {FONTS, 0, "fonttbl"},
    {SKIP, 0,
     "colortbl stylesheet info pict header headerl headerr headerf footer footerl footerr footerf "
     "listtext pntext fldinst annotation shprslt upr xe tc rxe filetbl revtbl nonshppict"},
    {READ, 0, "ud shptxt"},
    {NOTE, 0, "footnote"},
    {PARAGRAPH, 0, "par sect page"},
    {LINE, 0, "line cell row nestcell nestrow"},
    {CHARACTER, ' ', "tab emspace enspace qmspace"},
    {CHARACTER, 0x2014, "emdash"},
    {CHARACTER, 0x2013, "endash"},
    {CHARACTER, 0x2018, "lquote"},
    {CHARACTER, 0x2019, "rquote"},
    {CHARACTER, 0x201C, "ldblquote"},
    {CHARACTER, 0x201D, "rdblquote"},
    {CHARACTER, 0x2022, "bullet"},
    {CHARACTER, 0x200D, "zwj"},
    {CHARACTER, 0x200C, "zwnj"},
    {PAGE, 1252, "ansi"},
    {PAGE, 10000, "mac"},
    {PAGE, 437, "pc"},
    {PAGE, 850, "pca"},
    {PAGE, 0, "ansicpg"},
    {FALLBACK, 0, "uc"},
    {UNICODE, 0, "u"},
    {BINARY, 0, "bin"},
    {SETTING, 'f', "f"},
    {SETTING, 'd', "deff"},
    {SETTING, 'c', "fcharset"},
    {SETTING, 'p', "cpg"},
    {SETTING, '0', "plain"},
    {SETTING, 'v', "v"},
    {SETTING, 'x', "deleted"},
    {SETTING, 's', "super"},
    {SETTING, 'n', "nosupersub sub"},
};

/* Changes what holds in the group. `has_value`: a number follows the control word. */
static void set(reader *r, char what, long value, bool has_value) {
    group *g = inner(r);
    const bool is_on = !has_value || value != 0;
    const uint32_t font = value >= 0 ? (uint32_t)value : 0;
    if (what == 'f' && g->is_fonts) {
        r->font_defined = value >= 0 && value < FONTS_MOST ? font : FONTS_MOST;
    } else if (what == 'c' && g->is_fonts) {
        set_page(r, page_of_charset(value));
    } else if (what == 'p' && g->is_fonts) {
        set_page(r, value > 0 && value <= UINT16_MAX ? (uint16_t)value : 0);
    } else if (what == 'f') {
        g->font = font;
    } else if (what == 'd') {
        r->default_font = g->font = font;
    } else if (what == '0') {
        g->font = r->default_font;
        g->is_hidden = g->is_deleted = g->is_superscript = false;
    } else if (what == 'v') {
        g->is_hidden = is_on;
    } else if (what == 'x') {
        g->is_deleted = is_on;
    } else if (what == 's' || what == 'n') {
        g->is_superscript = is_on && what == 's';
    }
}

/* A note begins with the current group, unless this group is part of one. */
static void begin_note(reader *r) {
    group *g = inner(r);
    flush(r);
    if (g->is_skipped || g->is_note) return;
    r->ends_superscript = g->is_superscript = false;
    g->is_note = true;
    trib_text_target_begin_note(&r->target, r->error);
}

/* Skips the bytes after \\bin. */
static void skip_binary(reader *r, long n) {
    if (n > r->end - r->at)
        r->status = trib_fail(
            r->error, TRIB_INPUT,
            "%s: is damaged: \\bin announces more bytes than the %lld that are left; save it "
            "again in a word processor",
            r->name, (long long)(r->end - r->at));
    else if (n > 0) r->at += n;
}

static void obey(reader *r, const struct control *control, long value, bool has_value) {
    group *g = inner(r);
    switch (control->what) {
    case SKIP:
    case READ:
        g->is_skipped = control->what == SKIP;
        break;
    case NOTE:
        begin_note(r);
        break;
    case FONTS:
        g->is_fonts = true;
        break;
    case CHARACTER:
        add_character(r, control->value);
        break;
    case LINE:
    case PARAGRAPH:
        end_flow(r, control->what == LINE ? TRIB_FLOW_LINE : TRIB_FLOW_PARAGRAPH);
        break;
    case PAGE:
        if (control->value) r->default_page = (uint16_t)control->value;
        else if (value > 0 && value <= UINT16_MAX) r->default_page = (uint16_t)value;
        break;
    case SETTING:
        set(r, (char)control->value, value, has_value);
        break;
    case FALLBACK:
        g->n_fallback = value >= 0 && value < 64 ? (uint32_t)value : 1;
        break;
    case UNICODE:
        add_character(r, (uint32_t)(value < 0 ? value + 65536 : value) & 0xFFFF);
        r->n_skipped = g->n_fallback;
        break;
    case BINARY:
        skip_binary(r, value);
        break;
    }
}

/* Reads a control word; r->at is at its first letter. */
static void read_word(reader *r) {
    char word[WORD_MAX] = "";
    size_t n = 0;
    long value = 0;
    while (r->at < r->end && ((*r->at | 0x20) >= 'a' && (*r->at | 0x20) <= 'z')) {
        if (n + 1 < WORD_MAX) word[n++] = *r->at;
        r->at++;
    }
    word[n] = '\0';
    const bool is_negative =
        r->at + 1 < r->end && *r->at == '-' && r->at[1] >= '0' && r->at[1] <= '9';
    if (is_negative) r->at++;
    const char *digits = r->at;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        if (value < INT_MAX / 16) value = value * 10 + (*r->at - '0');
    const bool has_value = r->at > digits;
    if (r->at < r->end && *r->at == ' ') r->at++;
    const bool was_ignorable = inner(r)->is_ignorable;
    inner(r)->is_ignorable = false;
    const struct control *control = NULL;
    for (size_t i = 0; i < sizeof controls / sizeof *controls && !control; i++)
        if (trib_is_among(controls[i].words, word)) control = &controls[i];
    if (r->n_skipped > 0 && (!control || control->what != UNICODE)) {
        r->n_skipped--;
        return;
    }
    r->n_skipped = 0;
    if (was_ignorable && (!control || (control->what != READ && control->what != NOTE)))
        inner(r)->is_skipped = true;
    if (control) obey(r, control, is_negative ? -value : value, has_value);
}

static int hex(char c) {
    const char lower = (char)(c | 0x20);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Reads a control word or symbol; r->at is at its backslash. */
static void read_control(reader *r) {
    if (++r->at == r->end) return;
    const char c = *r->at;
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
        read_word(r);
        return;
    }
    r->at++;
    if (c == '\'') {
        const int first = r->at < r->end ? hex(r->at[0]) : -1;
        const int second = r->end - r->at > 1 ? hex(r->at[1]) : -1;
        if (first < 0 || second < 0) return;
        r->at += 2;
        add_byte(r, (unsigned char)(first << 4 | second));
    } else if (c == '*') inner(r)->is_ignorable = true;
    else if (c == '\n' || c == '\r') end_flow(r, TRIB_FLOW_PARAGRAPH);
    else if (c == '\\' || c == '{' || c == '}') add_byte(r, (unsigned char)c);
    else if (c == '~' || c == '_') add_byte(r, c == '~' ? ' ' : '-');
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static void begin_group(reader *r) {
    if (r->n_groups > 0) flush(r);
    if (r->status == TRIB_OK && r->n_groups == DEPTH_MOST)
        r->status = trib_fail(r->error, TRIB_INPUT,
                              "%s: has groups in more than %d groups, which no text needs; save it "
                              "again in a word processor",
                              r->name, (int)DEPTH_MOST);
    if (r->status == TRIB_OK)
        r->status = TRIB_GROW(&r->group, &r->cap, r->n_groups + 1, "groups", r->error);
    if (r->status != TRIB_OK) return;
    r->group[r->n_groups] = r->n_groups > 0 ? *inner(r) : (group){.n_fallback = 1};
    r->group[r->n_groups].is_note = r->group[r->n_groups].is_ignorable = false;
    r->n_groups++;
    r->n_skipped = 0;
}

static void end_group(reader *r) {
    flush(r);
    if (inner(r)->is_note) {
        r->ends_superscript = false;
        trib_text_target_end_note(&r->target, r->error);
    }
    if (r->n_groups > 1) r->n_groups--; /* the outermost one ends with the file */
    else inner(r)->is_note = false;
    r->n_skipped = 0;
}

static void read_all(reader *r) {
    begin_group(r);
    while (r->status == TRIB_OK && r->at < r->end) {
        const char c = *r->at;
        if (c == '\\') {
            read_control(r);
            continue;
        }
        r->at++;
        if (c == '{') begin_group(r);
        else if (c == '}') end_group(r);
        else if (c == '\t') add_character(r, ' ');
        else if (c != '\n' && c != '\r' && c != '\0') add_byte(r, (unsigned char)c);
    }
    while (r->status == TRIB_OK && r->n_groups > 1) end_group(r);
    if (r->status == TRIB_OK) end_group(r);
}

trib_status trib_rtf_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    reader r = {.target = {.to = to},
                .error = error,
                .name = file.name,
                .at = file.at,
                .end = file.at + file.length,
                .default_page = 1252};
    if (file.length < 5 || memcmp(file.at, "{\\rtf", 5) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: is not RTF: it does not begin with {\\rtf",
                         file.name);
    read_all(&r);
    TRIB_FREE(r.group, r.code_page);
    trib_text_end(&to->text, TRIB_FLOW_LINE, error);
    const trib_status status = r.status == TRIB_OK ? trib_markup_status(to) : r.status;
    return status == TRIB_OK ? trib_markup_check(to, file.name, error) : status;
}
