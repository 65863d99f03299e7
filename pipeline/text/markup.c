/* markup.c - the text of a file with markup: its lines and notes, its end; and what strip.h removes
 * from any text. */
#include "pipeline/text/strip.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

bool trib_is_among(const char *words, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = words; n > 0 && (at = strstr(at, word)); at++)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

static int hex(char c) {
    const char lower = (char)(c | 0x20);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void trib_decode_percents(char *name) {
    char *to = name;
    for (const char *at = name; *at; at++) {
        const bool coded = at[0] == '%' && hex(at[1]) >= 0 && hex(at[2]) >= 0;
        *to++ = coded ? (char)(hex(at[1]) * 16 + hex(at[2])) : *at;
        if (coded) at += 2;
    }
    *to = '\0';
}

trib_status trib_text_ranges_add(trib_text_ranges *kept, size_t from, size_t to,
                                 trib_error *error) {
    if (kept->failure == TRIB_OK)
        kept->failure =
            TRIB_GROW(&kept->range, &kept->cap, kept->n + 1, "what is kept of a text", error);
    if (kept->failure == TRIB_OK) kept->range[kept->n++] = (trib_range){from, to};
    return kept->failure;
}

void trib_text_ranges_release(trib_text_ranges *kept) {
    trib_free(kept->range);
    *kept = (trib_text_ranges){0};
}

trib_status trib_text_end(trib_buffer *text, trib_text_flow flow, trib_error *error) {
    size_t n = 0;
    if (flow == TRIB_FLOW_NONE || text->length == 0) return text->failure;
    while (n < text->length && n < 2 && text->text[text->length - 1 - n] == '\n') n++;
    const size_t wanted = flow == TRIB_FLOW_PARAGRAPH ? 2 : 1;
    return n < wanted ? trib_buffer_add(text, "\n\n", wanted - n, error) : text->failure;
}

trib_status trib_text_space(trib_buffer *text, size_t from, trib_error *error) {
    return text->length == from || strchr(" \n", text->text[text->length - 1])
               ? text->failure
               : trib_buffer_add(text, " ", 1, error);
}

void trib_text_trim(trib_buffer *text, size_t from) {
    while (text->length > from && strchr(" \n", text->text[text->length - 1]))
        text->text[--text->length] = '\0';
}

void trib_text_join(trib_buffer *text, size_t from) {
    static const char *const hyphens[] = {"-", "\xC2\xAD", "\xC2\xAC", "\xE2\x80\x90",
                                          "\xE2\xB8\x97"};
    trib_text_trim(text, from);
    for (size_t i = 0; i < sizeof hyphens / sizeof *hyphens; i++) {
        const size_t n = strlen(hyphens[i]);
        if (text->length <= from + n || memcmp(text->text + text->length - n, hyphens[i], n) != 0 ||
            !trib_is_of_word(trib_last_character(text->text, text->length - n)))
            continue;
        text->length -= n;
        break;
    }
    if (text->text) text->text[text->length] = '\0';
}

UChar32 trib_last_character(const char *text, size_t length) {
    UChar32 c = -1;
    int32_t at = length < INT32_MAX ? (int32_t)length : 0;
    if (at > 0) U8_PREV((const uint8_t *)text, 0, at, c);
    return c;
}

UChar32 trib_first_character(const char *text) {
    UChar32 c = -1;
    int32_t at = 0;
    if (*text) U8_NEXT((const uint8_t *)text, at, -1, c);
    return c;
}

bool trib_is_of_word(UChar32 c) {
    return c >= 0 && (u_isalnum(c) || (U_GET_GC_MASK(c) & U_GC_M_MASK));
}

/* Whether text in a script that writes no spaces between words: Chinese, Thai. */
static bool is_spaceless(UChar32 c) {
    UErrorCode code = U_ZERO_ERROR;
    return uscript_breaksBetweenLetters(uscript_getScript(c, &code));
}

/* Whether a word or a sentence may end with a character, but not one that joins words. */
static bool may_end(UChar32 c) {
    const int8_t type = u_charType(c);
    return trib_is_of_word(c) || (c < 128 && strchr(".,;:!?", (int)c)) ||
           type == U_END_PUNCTUATION || (type == U_FINAL_PUNCTUATION && c != 0x2019);
}

bool trib_text_needs_space(const trib_buffer *text, const char *next, bool only_capital) {
    const UChar32 before = text->length > 0 ? trib_last_character(text->text, text->length) : -1;
    const UChar32 after = trib_first_character(next);
    if (before < 0 || after < 0 || !may_end(before)) return false;
    return only_capital ? u_isupper(after) && !u_isupper(before)
                        : u_isalnum(after) && !(is_spaceless(before) && is_spaceless(after));
}

trib_status trib_markup_end_note(trib_markup_text *to, size_t *from, trib_error *error) {
    trib_buffer *apart = &to->apart;
    size_t length = apart->length;
    while (length > *from && strchr(" \n", apart->text[length - 1])) length--;
    if (length > *from) trib_text_ranges_add(&to->parts, *from, length, error);
    trib_text_end(apart, TRIB_FLOW_PARAGRAPH, error);
    *from = apart->length;
    return trib_markup_status(to);
}

void trib_markup_count_note(trib_markup_text *to, trib_buffer *text, size_t from) {
    const bool is_dropped = to->notes == TRIB_NOTES_DROP;
    uint64_t *n = is_dropped ? &to->account.counts.notes_out : &to->account.counts.notes;
    *n += trib_words_in(text->text ? text->text + from : "", text->length - from);
    if (!is_dropped || !text->text) return;
    text->length = from;
    text->text[from] = '\0';
}

trib_status trib_markup_status(const trib_markup_text *to) {
    return to->text.failure != TRIB_OK    ? to->text.failure
           : to->apart.failure != TRIB_OK ? to->apart.failure
           : to->parts.failure != TRIB_OK ? to->parts.failure
                                          : to->references.labels.failure;
}

trib_status trib_markup_check(const trib_markup_text *to, const char *name, trib_error *error) {
    return to->text.length == 0 && to->apart.length == 0
               ? trib_fail(error, TRIB_INPUT, "%s: contains no text", name)
               : TRIB_OK;
}

trib_status trib_markup_finish(trib_markup_text *to, trib_error *error) {
    trib_text_ranges parts = {0};
    const size_t body = to->text.length;
    if (to->parts.n == 0) return TRIB_OK;
    if (body > 0) {
        trib_text_ranges_add(&parts, 0, body, error);
        trib_buffer_add(&to->text, "\n", 1, error);
    }
    const size_t from = to->text.length;
    /* the last reference of the text does not hold for the notes */
    trib_references_add(&to->references, from, from, "", 0, error);
    for (size_t p = 0; p < to->parts.n; p++)
        trib_text_ranges_add(&parts, from + to->parts.range[p].from, from + to->parts.range[p].to,
                             error);
    trib_buffer_add(&to->text, to->apart.text, to->apart.length, error);
    trib_text_ranges_release(&to->parts);
    trib_buffer_release(&to->apart);
    to->parts = parts;
    return trib_markup_status(to);
}

void trib_markup_release(trib_markup_text *to) {
    trib_buffer_release(&to->text);
    trib_buffer_release(&to->apart);
    trib_text_ranges_release(&to->parts);
    trib_references_release(&to->references);
    trib_buffer_release(&to->divided);
    *to = (trib_markup_text){0};
}

/* ---- Text and notes -------------------------------------------------------------------------- */

static trib_buffer *buffer_of(trib_text_target *target) {
    trib_markup_text *to = target->to;
    return target->n_notes > 0 && to->notes != TRIB_NOTES_KEEP ? &to->apart : &to->text;
}

void trib_text_target_add(trib_text_target *target, const char *text, size_t length,
                          trib_error *error) {
    trib_buffer_add(buffer_of(target), text, length, error);
}

void trib_text_target_space(trib_text_target *target, trib_error *error) {
    trib_buffer *text = buffer_of(target);
    trib_text_space(text, text == &target->to->apart ? target->from : 0, error);
}

void trib_text_target_end(trib_text_target *target, trib_text_flow flow, trib_error *error) {
    trib_buffer *text = buffer_of(target);
    if (flow == TRIB_FLOW_NONE) return;
    if (target->n_notes > 0 && target->to->notes == TRIB_NOTES_KEEP)
        trib_text_target_space(target, error);
    else if (text != &target->to->apart || text->length > target->from)
        trib_text_end(text, flow, error);
}

void trib_text_target_begin_note(trib_text_target *target, trib_error *error) {
    const trib_notes notes = target->to->notes;
    if (target->n_notes > 0 || notes == TRIB_NOTES_KEEP) trib_text_target_space(target, error);
    if (target->n_notes++ == 0) target->from = buffer_of(target)->length;
}

void trib_text_target_end_note(trib_text_target *target, trib_error *error) {
    trib_markup_text *to = target->to;
    if (target->n_notes == 1) trib_markup_count_note(to, buffer_of(target), target->from);
    target->n_notes--;
    if (to->notes == TRIB_NOTES_KEEP || target->n_notes > 0) trib_text_target_space(target, error);
    else if (to->notes == TRIB_NOTES_SEPARATE) trib_markup_end_note(to, &target->from, error);
}

/* ---- Stripping (strip.h) --------------------------------------------------------------------- */

static void count(trib_cut *cut, const char *text, size_t from, size_t to, size_t length) {
    size_t end = 0; /* of the last line */
    cut->n_bytes += to - from;
    cut->n_words += trib_words_in(text + from, to - from);
    for (size_t i = from, n; i<to; i += n> 0 ? n : 1)
        if ((n = trib_line_end(text, i, length)) > 0 && i + n <= to) {
            cut->n_lines++;
            end = i + n;
        }
    if (to > from && to == length && end < length) cut->n_lines++;
}

/* Overwrites a range with spaces. Line ends remain, so that later text keeps its line number; of
 * CRLF the LF. */
static void blank(char *text, size_t from, size_t to) {
    for (size_t i = from, n; i<to; i += n> 0 ? n : 1) {
        n = trib_line_end(text, i, to);
        if (n == 0 || text[i + n - 1] == '\n') text[i] = text[i] == '\n' ? '\n' : ' ';
    }
}

trib_status trib_strip(trib_text_ranges *kept, trib_cuts *cuts, const trib_stripper *stripper,
                       double max, const char *name, char *text, size_t length, trib_error *error) {
    *cuts = (trib_cuts){0};
    const trib_status status = stripper->find(kept, name, text, length, error);
    if (status != TRIB_OK) return status;
    if (kept->n == 0)
        return trib_fail(
            error, TRIB_INPUT,
            "%s: nothing is left when %s is stripped; is it only a licence? remove the "
            "document, or leave out corpus.strip",
            name, stripper->name);
    size_t at = 0;
    for (size_t r = 0; r <= kept->n; r++) {
        const size_t to = r < kept->n ? kept->range[r].from : length;
        count(r == 0        ? &cuts->before
              : r < kept->n ? &cuts->between
                            : &cuts->after,
              text, at, to, length);
        if (r < kept->n) at = kept->range[r].to;
    }
    cuts->n_texts = (uint32_t)kept->n;
    const double n_cut =
        (double)(cuts->before.n_bytes + cuts->between.n_bytes + cuts->after.n_bytes);
    if (n_cut > max * (double)length)
        return trib_fail(error, TRIB_INPUT,
                         "%s: stripping %s would cut %.0f of %zu bytes, more than corpus.max_strip "
                         "(%g) allows; look at the file, then raise corpus.max_strip or leave out "
                         "corpus.strip",
                         name, stripper->name, n_cut, length, max);
    at = 0;
    for (size_t r = 0; r <= kept->n; r++) {
        blank(text, at, r < kept->n ? kept->range[r].from : length);
        if (r < kept->n) at = kept->range[r].to;
    }
    return TRIB_OK;
}
