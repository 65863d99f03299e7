/* references.c - lists of references, how those of a passage are written, and how they are found by
 * a pattern: the text is decoded line by line into the UTF-16 that ICU's regular expressions match,
 * with the byte of each unit in the file, so that a place is right in every encoding. */
#include "base/internal.h"
#include "pipeline/text/markup.h"

#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/uregex.h>
#include <unicode/ustring.h>

/* ---- Lists ----------------------------------------------------------------------------------- */

/* The label without white space at its ends and with single spaces; returns its length. */
static size_t clean(char out[TRIB_LABEL_MOST + 1], const char *label, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        const bool is_white = (unsigned char)label[i] <= ' ' || label[i] == 0x7F;
        if (is_white && (n == 0 || out[n - 1] == ' ')) continue;
        if (n == TRIB_LABEL_MOST) { /* not within a character */
            while (n > 0 && ((unsigned char)label[i] & 0xC0) == 0x80) i--, n--;
            break;
        }
        out[n++] = is_white ? ' ' : label[i];
    }
    while (n > 0 && out[n - 1] == ' ') n--;
    out[n] = '\0';
    return n;
}

trib_status trib_references_add(trib_references *references, size_t from, size_t to,
                                const char *label, size_t length, trib_error *error) {
    static const char what[] = "the references of a text";
    char text[TRIB_LABEL_MOST + 1];
    const size_t n = clean(text, label, length);
    const trib_reference_mark *last =
        references->n > 0 ? &references->mark[references->n - 1] : NULL;
    if (last ? strcmp(references->labels.text + last->label, text) == 0 : n == 0) return TRIB_OK;
    if (last && from < last->to) from = last->to;
    if (to < from) to = from;
    trib_status *const failure = &references->labels.failure;
    const size_t at = references->labels.length;
    if (*failure == TRIB_OK)
        *failure = TRIB_GROW(&references->mark, &references->cap, references->n + 1, what, error);
    trib_buffer_add(&references->labels, text, n + 1, error);
    if (*failure == TRIB_OK)
        references->mark[references->n++] = (trib_reference_mark){from, to, at};
    return *failure;
}

TRIB_SEARCH(marks_up_to, trib_reference_mark, size_t, x->from <= key);

const char *trib_references_at(const trib_references *references, size_t byte) {
    const size_t n = marks_up_to(references->mark, references->n, byte);
    return n > 0 ? references->labels.text + references->mark[n - 1].label : "";
}

void trib_references_release(trib_references *references) {
    trib_free(references->mark);
    trib_buffer_release(&references->labels);
    *references = (trib_references){0};
}

void trib_reference_join(char out[TRIB_REFERENCE_MAX], const char *first, const char *last) {
    static const char separators[] = ":., /-";
    size_t same = 0, n_common = 0;
    for (; first[n_common] && first[n_common] == last[n_common]; n_common++)
        if (strchr(separators, first[n_common])) same = n_common + 1;
    const bool is_counted =
        (same == strlen("page ") && strncmp(first, "page ", same) == 0) ||
        (same == strlen("paragraph ") && strncmp(first, "paragraph ", same) == 0);
    if (!first[n_common] && !last[n_common]) snprintf(out, TRIB_REFERENCE_MAX, "%s", first);
    else if (strchr(first + same, ' ') || strchr(last + same, ' ') || !first[same] || !last[same])
        snprintf(out, TRIB_REFERENCE_MAX, "%s \xE2\x80\x93 %s", first, last);
    else if (is_counted)
        snprintf(out, TRIB_REFERENCE_MAX, "%.*ss %s\xE2\x80\x93%s", (int)same - 1, first,
                 first + same, last + same);
    else snprintf(out, TRIB_REFERENCE_MAX, "%s\xE2\x80\x93%s", first, last + same);
}

/* ---- Schemes --------------------------------------------------------------------------------- */

enum { LEVELS = sizeof((trib_reference_scheme *)0)->pattern / sizeof(char *) - 1 };

/* A heading stands alone in its line, or before a title after a full stop or the like. */
#define NUMBER "(?:[ivxlcdm]+|\\d+)"
#define ENDS   "(?=\\s*(?:[.,:;\\u2014-]|$))"

const trib_reference_scheme trib_reference_schemes[] = {
    {"none", "no references, and no line numbers either", {NULL}},
    {"line", "line numbers", {NULL}},
    {"paragraph", "numbers of paragraphs, which empty lines separate", {NULL}},
    {"bible-verse",
     "`3:7`, also in braces or brackets, anywhere in a line",
     {"(?<![\\d:.])[{\\[]?(\\d{1,3}:\\d{1,3})(?![\\d:])[}\\]]?", NULL}},
    {"act-scene",
     "lines such as `ACT II` and `SCENE 1. A street.`",
     {"(?i)^\\s*(act(?:us)?\\s+(?:" NUMBER "|\\w+us))" ENDS,
      "(?i)^\\s*(sc(?:o|\\u0153)?en[ea]\\s+(?:" NUMBER "|\\w+a))" ENDS, NULL}},
    {"chapter",
     "lines such as `BOOK II` and `CHAPTER 4. The Whale`, and parts, volumes, cantos and letters",
     {"(?i)^\\s*((?:book|part|volume)\\s+" NUMBER ")" ENDS,
      "(?i)^\\s*((?:chapter|canto|letter)\\s+" NUMBER ")" ENDS, NULL}},
    {NULL, NULL, {NULL}},
};

TRIB_FIND(trib_reference_scheme_find, trib_reference_scheme, trib_reference_schemes);

/* ---- Compiling ------------------------------------------------------------------------------- */

static const char *what_is_wrong(UErrorCode code) {
    switch (code) {
    case U_REGEX_MISMATCHED_PAREN:
        return "a parenthesis has no partner";
    case U_REGEX_MISSING_CLOSE_BRACKET:
        return "a bracket '[' is not closed";
    case U_REGEX_BAD_ESCAPE_SEQUENCE:
        return "the letter after a backslash has no meaning";
    case U_REGEX_BAD_INTERVAL:
    case U_REGEX_MAX_LT_MIN:
    case U_REGEX_NUMBER_TOO_BIG:
        return "the numbers in braces must be {from,to}";
    case U_REGEX_LOOK_BEHIND_LIMIT:
        return "a look-behind must have a limited length";
    case U_REGEX_INVALID_BACK_REF:
        return "it refers to a group that it does not have";
    default:
        return "it is not a regular expression";
    }
}

/* Compiles a regular expression in UTF-8. */
static trib_status compile(URegularExpression **made, const char *pattern, trib_error *error) {
    enum { LONGEST = 1000 }; /* units */
    UChar unit[LONGEST + 1];
    int32_t n = 0;
    UErrorCode code = U_ZERO_ERROR;
    UParseError place = {0};
    *made = NULL;
    u_strFromUTF8(unit, LONGEST, &n, pattern, -1, &code);
    if (code == U_BUFFER_OVERFLOW_ERROR)
        return trib_fail(error, TRIB_CONFIG, "it is longer than %d characters", LONGEST);
    if (U_FAILURE(code)) return trib_fail(error, TRIB_CONFIG, "it is not UTF-8");
    if (n == 0) return trib_fail(error, TRIB_CONFIG, "it is empty");
    *made = uregex_open(unit, n, 0, &place, &code);
    if (U_SUCCESS(code)) return TRIB_OK;
    uregex_close(*made);
    *made = NULL;
    if (code == U_MEMORY_ALLOCATION_ERROR)
        return trib_fail(error, TRIB_MEMORY, "out of memory: the pattern of references");
    return trib_fail(error, TRIB_CONFIG, "%s, at character %d", what_is_wrong(code),
                     (int)place.offset);
}

trib_status trib_reference_check(const char *pattern, trib_error *error) {
    URegularExpression *made = NULL;
    if (trib_reference_scheme_find(pattern)) return TRIB_OK;
    const trib_status status = compile(&made, pattern, error);
    uregex_close(made);
    return status;
}

/* ---- Matching -------------------------------------------------------------------------------- */

/* A search in a text. */
typedef struct search {
    URegularExpression *level[LEVELS]; /* NULL: there is none */
    char label[LEVELS][TRIB_LABEL_MOST + 1];
    trib_references *to;
    const char *name;
    UChar *unit;  /* [n] of the line, without its end */
    size_t *byte; /* [n + 1] where each unit begins in the file, and the end */
    size_t n, unit_cap, byte_cap, line;
    bool counts_paragraphs, is_after_blank;
    size_t n_paragraphs;
    uint64_t n_steps, most_steps; /* of 10 000 states that a match returns to */
} search;

/* ICU calls this after each such step, but not within the first of a line. */
static UBool go_on(const void *context, int32_t steps) {
    search *s = (search *)(uintptr_t)context;
    (void)steps;
    return ++s->n_steps <= s->most_steps;
}

static trib_status too_long(const search *s, UErrorCode code, trib_error *error) {
    if (code == U_MEMORY_ALLOCATION_ERROR)
        return trib_fail(error, TRIB_MEMORY, "out of memory: the references of a text");
    return trib_fail(error, TRIB_CONFIG,
                     "%s:%zu: the pattern of corpus.reference takes too long on this line; write "
                     "it without nested repetitions such as (a*)*",
                     s->name, s->line);
}

/* Adds the references of a level for the match that was found. */
static trib_status add_match(search *s, size_t level, trib_error *error) {
    enum { UNITS = 256 }; /* of a label that is read; it is cut afterwards */
    URegularExpression *pattern = s->level[level];
    UErrorCode code = U_ZERO_ERROR;
    char text[3 * UNITS + 1], whole[LEVELS * (TRIB_LABEL_MOST + 2)] = "";
    const int32_t n_groups = uregex_groupCount(pattern, &code),
                  from = uregex_start(pattern, 0, &code), to = uregex_end(pattern, 0, &code);
    int32_t first = from, after = to, n = 0;
    for (int32_t g = 1; g <= n_groups; g++) {
        const int32_t start = uregex_start(pattern, g, &code);
        if (start < 0 || start == uregex_end(pattern, g, &code)) continue;
        first = start;
        after = uregex_end(pattern, g, &code);
        break;
    }
    if (after - first > UNITS) after = first + UNITS;
    u_strToUTF8WithSub(text, sizeof text - 1, &n, s->unit + first, after - first, 0xFFFD, NULL,
                       &code);
    if (U_FAILURE(code) || n == 0) return TRIB_OK;
    clean(s->label[level], text, (size_t)n);
    for (size_t inner = level + 1; inner < LEVELS; inner++) s->label[inner][0] = '\0';
    for (size_t l = 0, length = 0; l <= level; l++)
        if (s->label[l][0])
            length += (size_t)snprintf(whole + length, sizeof whole - length, "%s%s",
                                       length > 0 ? ", " : "", s->label[l]);
    return trib_references_add(s->to, s->byte[from], s->byte[to], whole, strlen(whole), error);
}

/* Begins a paragraph with this line if the last line was blank. */
static trib_status count_paragraph(search *s, trib_error *error) {
    char label[TRIB_LABEL_MOST];
    size_t i = 0;
    while (i < s->n && u_isUWhiteSpace(s->unit[i])) i++;
    const bool is_first = s->is_after_blank && i < s->n;
    s->is_after_blank = i == s->n;
    if (!is_first) return TRIB_OK;
    const int length = snprintf(label, sizeof label, "paragraph %zu", ++s->n_paragraphs);
    return trib_references_add(s->to, s->byte[0], s->byte[0], label, (size_t)length, error);
}

static trib_status match_line(search *s, trib_error *error) {
    trib_status status = s->counts_paragraphs ? count_paragraph(s, error) : TRIB_OK;
    s->line++;
    for (size_t l = 0; l < LEVELS && s->level[l] && status == TRIB_OK; l++) {
        UErrorCode code = U_ZERO_ERROR;
        uregex_setText(s->level[l], s->unit, (int32_t)s->n, &code);
        while (status == TRIB_OK && uregex_findNext(s->level[l], &code) && U_SUCCESS(code))
            status = add_match(s, l, error);
        if (status == TRIB_OK && U_FAILURE(code)) status = too_long(s, code, error);
    }
    s->n = 0;
    return status;
}

/* Adds a unit that begins at a byte of the file to the line, or matches the line that it ends. */
static trib_status take(search *s, UChar unit, size_t byte, bool *was_return, trib_error *error) {
    enum { LINE_MOST = 1 << 24 }; /* units; a longer line is cut */
    const bool is_end = trib_ends_line(unit);
    trib_status status = TRIB_GROW(&s->unit, &s->unit_cap, s->n + 1, "a line of a text", error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&s->byte, &s->byte_cap, s->n + 2, "a line of a text", error);
    if (status != TRIB_OK) return status;
    s->byte[s->n] = byte;
    if (is_end && !(unit == '\n' && *was_return)) status = match_line(s, error);
    *was_return = unit == '\r';
    if (unit == 0x2029) s->is_after_blank = true;
    if (is_end || (unit == 0xFEFF && byte == 0)) return status;
    s->unit[s->n++] = unit;
    s->byte[s->n] = byte;
    return s->n < LINE_MOST ? TRIB_OK : match_line(s, error);
}

static trib_status read_lines(search *s, UConverter *converter, const char *text, size_t length,
                              trib_error *error) {
    enum { BLOCK = 4096 };
    UChar unit[BLOCK];
    int32_t offset[BLOCK];
    const char *at = text, *const end = text + length;
    bool was_return = false;
    size_t last = 0; /* the byte of the last unit */
    trib_status status = TRIB_OK;
    for (UErrorCode code = U_BUFFER_OVERFLOW_ERROR;
         code == U_BUFFER_OVERFLOW_ERROR && status == TRIB_OK;) {
        UChar *to = unit;
        const char *const from = at;
        const char *const until = (size_t)(end - at) > BLOCK ? at + BLOCK : end;
        code = U_ZERO_ERROR;
        ucnv_toUnicode(converter, &to, unit + BLOCK, &at, until, offset, until == end, &code);
        for (size_t i = 0; i < (size_t)(to - unit) && status == TRIB_OK; i++) {
            if (offset[i] >= 0) last = (size_t)(from - text) + (size_t)offset[i];
            status = take(s, unit[i], last, &was_return, error);
        }
        if (code == U_MEMORY_ALLOCATION_ERROR)
            return trib_fail(error, TRIB_MEMORY, "out of memory: %s", s->name);
        if (at < end) code = U_BUFFER_OVERFLOW_ERROR; /* more blocks */
    }
    if (status == TRIB_OK && s->n > 0) {
        s->byte[s->n] = length;
        status = match_line(s, error);
    }
    return status;
}

trib_status trib_references_find(trib_references *references, const char *pattern, const char *name,
                                 const char *encoding, const char *text, size_t length,
                                 trib_error *error) {
    const trib_reference_scheme *scheme = trib_reference_scheme_find(pattern);
    UErrorCode code = U_ZERO_ERROR;
    /* 20 states for each byte, and a second of work */
    search s = {.to = references,
                .name = name,
                .most_steps = 2000 + length / 500,
                .counts_paragraphs = strcmp(pattern, "paragraph") == 0,
                .is_after_blank = true};
    trib_status status = TRIB_OK;
    if (!scheme) status = compile(&s.level[0], pattern, error);
    for (size_t l = 0; scheme && scheme->pattern[l] && status == TRIB_OK; l++)
        status = compile(&s.level[l], scheme->pattern[l], error);
    for (size_t l = 0; l < LEVELS && s.level[l] && U_SUCCESS(code); l++)
        uregex_setMatchCallback(s.level[l], go_on, &s, &code);
    const bool is_needed = s.level[0] || s.counts_paragraphs;
    UConverter *converter = is_needed ? ucnv_open(encoding ? encoding : "UTF-8", &code) : NULL;
    if (status == TRIB_OK && U_FAILURE(code))
        status = trib_fail(error, TRIB_MEMORY, "%s: no converter from %s can be opened", name,
                           encoding ? encoding : "UTF-8");
    if (status == TRIB_OK && converter) status = read_lines(&s, converter, text, length, error);
    for (size_t l = 0; l < LEVELS; l++) uregex_close(s.level[l]);
    if (converter) ucnv_close(converter);
    TRIB_FREE(s.unit, s.byte);
    return status;
}
