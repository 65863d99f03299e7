/* text.c - the text of a document, its lines and its characters. A bit for every byte says whether
 * a character begins there, so that the characters before any byte are counted in constant time. */
#include "pipeline/stages/text.h"
#include "base/internal.h"

#include <unicode/ucnv.h>

#include "pipeline/config/config.h"
#include "pipeline/config/documents.h"
#include "pipeline/stages/tokens.h"

/* ---- Lines and characters -------------------------------------------------------------------- */

static bool is_utf8(const char *encoding) {
    return !encoding || strcmp(encoding, "UTF-8") == 0 || strcmp(encoding, "US-ASCII") == 0;
}

static trib_status add_line(trib_document_text *text, size_t from, trib_error *error) {
    return TRIB_APPEND(&text->line, &text->n_lines, &text->cap, "the lines of a text", error,
                       &from);
}

/* Marks the characters of UTF-8: all bytes but those that continue one. */
static void mark_utf8(trib_document_text *text) {
    for (size_t i = 0; i < text->bytes.length; i++)
        text->begins[i / 64] |= (uint64_t)(((unsigned char)text->bytes.text[i] & 0xC0) != 0x80)
                                << i % 64;
}

/* Where the same bytes stand for two characters, the second counts as beginning a byte later. */
static void mark(trib_document_text *text, size_t byte) {
    const bool is_second = text->begins[byte / 64] >> byte % 64 & 1;
    byte += is_second;
    text->begins[byte / 64] |= (uint64_t)1 << byte % 64;
}

/* Marks the characters of a text by the offsets of its UTF-16 units, and finds its lines. A unit
 * without an offset belongs to bytes that were read before. */
static trib_status mark_converted(trib_document_text *text, trib_error *error) {
    enum { PIECE = 1 << 20, N_UNITS = 4096 };
    const char *const bytes = text->bytes.text, *at = bytes, *const end = at + text->bytes.length;
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(text->encoding, &code);
    UChar before = 0;
    trib_status status = TRIB_OK;
    while (U_SUCCESS(code) && status == TRIB_OK) {
        UChar unit[N_UNITS], *last = unit;
        int32_t offset[N_UNITS];
        const char *const from = at, *const stop = end - at > PIECE ? at + PIECE : end;
        ucnv_toUnicode(converter, &last, unit + N_UNITS, &at, stop, offset, stop == end, &code);
        for (const UChar *u = unit; u < last && status == TRIB_OK; before = *u++) {
            const int32_t o = offset[u - unit];
            const size_t byte = (size_t)(from - bytes) + (size_t)(o >= 0         ? o
                                                                  : from > bytes ? -1
                                                                                 : 0);
            if (U16_IS_TRAIL(*u) && U16_IS_LEAD(before)) continue;
            if (trib_ends_line(before) && !(before == '\r' && *u == '\n'))
                status = add_line(text, byte, error);
            mark(text, byte);
        }
        if (code == U_BUFFER_OVERFLOW_ERROR) code = U_ZERO_ERROR;
        else if (at == end) break;
    }
    if (converter) ucnv_close(converter);
    if (status == TRIB_OK && trib_ends_line(before))
        status = add_line(text, text->bytes.length, error);
    if (U_SUCCESS(code)) return status;
    return trib_fail(error, TRIB_INTERNAL, "a text cannot be decoded as %s: %s", text->encoding,
                     u_errorName(code));
}

static trib_status find_characters(trib_document_text *text, trib_error *error) {
    static const char what[] = "the characters of a text";
    const size_t n = text->bytes.length / 64 + 1;
    trib_status status = TRIB_NEW(&text->begins, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&text->n_before, n, what, error);
    if (status == TRIB_OK && is_utf8(text->encoding)) mark_utf8(text);
    else if (status == TRIB_OK && text->bytes.length > 0) status = mark_converted(text, error);
    for (size_t i = 1; i < n && status == TRIB_OK; i++)
        text->n_before[i] =
            text->n_before[i - 1] + (size_t)__builtin_popcountll(text->begins[i - 1]);
    return status;
}

trib_status trib_text_find_lines(trib_document_text *text, trib_error *error) {
    const size_t n = text->bytes.length;
    trib_status status = add_line(text, 0, error);
    for (size_t i = 0; i < n && is_utf8(text->encoding) && status == TRIB_OK;) {
        const size_t n_end = trib_line_end(text->bytes.text, i, n);
        i += n_end > 0 ? n_end : 1;
        if (n_end > 0) status = add_line(text, i, error);
    }
    return status == TRIB_OK ? find_characters(text, error) : status;
}

TRIB_SEARCH(lines_up_to, size_t, size_t, *x <= key);

size_t trib_text_line_at(const trib_document_text *text, size_t byte) {
    return lines_up_to(text->line, text->n_lines, byte);
}

size_t trib_text_character_at(const trib_document_text *text, size_t byte) {
    const uint64_t before = ((uint64_t)1 << byte % 64) - 1;
    return text->n_before[byte / 64] +
           (size_t)__builtin_popcountll(text->begins[byte / 64] & before);
}

/* ---- References ------------------------------------------------------------------------------ */

void trib_text_reference(char reference[TRIB_REFERENCE_MAX], const trib_document_text *text,
                         size_t from, size_t end) {
    const char *first = trib_references_at(&text->references, from),
               *last = trib_references_at(&text->references, end > from ? end - 1 : from);
    reference[0] = '\0';
    if (*first && *last) trib_reference_join(reference, first, last);
    if (*reference || !text->has_numbers) return;
    const size_t at = trib_text_line_at(text, from),
                 to = trib_text_line_at(text, end > from ? end - 1 : from);
    if (at == to) snprintf(reference, TRIB_REFERENCE_MAX, "line %zu", at);
    else snprintf(reference, TRIB_REFERENCE_MAX, "lines %zu\xE2\x80\x93%zu", at, to);
}

const char *trib_text_reference_at(const trib_document_text *text, size_t byte) {
    const char *reference = trib_references_at(&text->references, byte);
    return *reference ? reference : NULL;
}

/* Finds the references of the text by the pattern of its document; without one they are those of
 * its markup, which are moved. */
static trib_status find_references(trib_document_text *text, const char *pattern,
                                   trib_references *of_markup, const char *name,
                                   trib_error *error) {
    const bool is_one =
        text->n_lines < 2 || (text->n_lines == 2 && text->line[1] == text->bytes.length);
    text->has_numbers = !is_one && (!pattern || strcmp(pattern, "none") != 0);
    if (pattern)
        return trib_references_find(&text->references, pattern, name, text->encoding,
                                    text->bytes.text, text->bytes.length, error);
    text->references = *of_markup;
    *of_markup = (trib_references){0};
    return TRIB_OK;
}

/* Puts spaces in the place of references that stand in the text and have no letter, such as the
 * numbers of verses: they are shown beside it. */
static void hide_references(trib_document_text *text) {
    for (size_t m = 0; m < text->references.n; m++) {
        const trib_reference_mark *mark = &text->references.mark[m];
        bool is_plain = mark->to <= text->bytes.length;
        for (size_t i = mark->from; i < mark->to && is_plain; i++) {
            const char c = text->bytes.text[i];
            is_plain = c >= ' ' && c < 0x7F && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        }
        if (is_plain && mark->to > mark->from)
            memset(text->bytes.text + mark->from, ' ', mark->to - mark->from);
    }
}

/* ---- The text -------------------------------------------------------------------------------- */

static trib_status read_bytes(trib_document_text *text, trib_references *of_markup,
                              const trib_config *config, const trib_corpus *corpus, uint32_t d,
                              trib_error *error) {
    const trib_document *document = &corpus->document[d];
    const trib_input_options options = trib_config_input_options(config, document->about);
    trib_input input;
    trib_status status =
        trib_input_open(&input, document->about->path, corpus->spool, &options, error);
    if (status != TRIB_OK) return status;
    status = trib_input_all(&input, &text->bytes, error);
    *of_markup = input.made.references;
    input.made.references = (trib_references){0};
    trib_input_close(&input);
    return status == TRIB_OK ? trib_document_check_unchanged(document, error) : status;
}

trib_status trib_text_read_bytes(trib_document_text *text, const trib_config *config,
                                 const trib_corpus *corpus, uint32_t d, trib_error *error) {
    return read_bytes(text, &text->references, config, corpus, d, error);
}

trib_status trib_text_read(trib_document_text *text, const trib_config *config,
                           const trib_corpus *corpus, const trib_corpus_words *words, uint32_t d,
                           trib_error *error) {
    const trib_corpus_document *about = corpus->document[d].about;
    TRIB_OWNED(trib_references) of_markup = {0};
    text->encoding = words->document[d].encoding;
    trib_status status = read_bytes(text, &of_markup, config, corpus, d, error);
    if (status == TRIB_OK) status = trib_text_find_lines(text, error);
    if (status == TRIB_OK)
        status = find_references(text, trib_config_reference(config, about), &of_markup,
                                 about->path, error);
    if (config->tokens.numbers == TRIB_NUMBERS_DROP) hide_references(text);
    return status;
}

void trib_text_release(trib_document_text *text) {
    trib_buffer_release(&text->bytes);
    TRIB_FREE(text->line, text->begins, text->n_before);
    trib_references_release(&text->references);
    *text = (trib_document_text){0};
}

trib_status trib_text_quote(trib_buffer *to, const trib_document_text *text, size_t from,
                            size_t end, trib_error *error) {
    TRIB_OWNED(trib_buffer) decoded = {0};
    if (end > text->bytes.length) end = text->bytes.length;
    if (from >= end) return TRIB_OK;
    trib_status status =
        trib_excerpt(&decoded, text->encoding, text->bytes.text + from, end - from, error);
    for (size_t i = 0; status == TRIB_OK && i < decoded.length; i++) {
        const bool white = strchr(" \t\r\n\f\v", decoded.text[i]) && decoded.text[i];
        if (white && to->length > 0 && to->text[to->length - 1] == ' ') continue;
        status = trib_buffer_add(to, white ? " " : &decoded.text[i], 1, error);
    }
    return status;
}

bool trib_config_strips_auto(const trib_config *config) {
    const trib_text_list *names = &config->corpus.strip;
    return names->n == 1 && strcmp(names->item[0], "auto") == 0;
}

trib_status trib_config_strip(const trib_config *config, const char *path, trib_buffer *text,
                              const trib_text_ranges *parts, trib_text_ranges *kept,
                              trib_cuts *cuts, trib_error *error) {
    const trib_text_list *names = &config->corpus.strip;
    const size_t length = parts->n > 0 ? parts->range[0].to : text->length;
    trib_status status = TRIB_OK;
    const bool is_auto = trib_config_strips_auto(config);
    for (uint32_t i = 0; i < names->n && status == TRIB_OK; i++) {
        if (is_auto && !trib_gutenberg_is_in(text->text, length)) break;
        trib_text_ranges_release(kept);
        status = trib_strip(kept, cuts, trib_stripper_find(names->item[i]),
                            config->corpus.max_strip, path, text->text, length, error);
        if (!is_auto || status != TRIB_INPUT) continue;
        trib_text_ranges_release(kept);
        kept->remark = "has a licence of Project Gutenberg, which is read, since more than "
                       "corpus.max_strip would be cut, or its borders are not clear; cut it by "
                       "hand, or raise corpus.max_strip";
        *cuts = (trib_cuts){0};
        status = TRIB_OK;
    }
    if (status == TRIB_OK && kept->n == 0 && length > 0)
        status = trib_text_ranges_add(kept, 0, length, error);
    for (size_t p = 1; p < parts->n && status == TRIB_OK; p++)
        status = trib_text_ranges_add(kept, parts->range[p].from, parts->range[p].to, error);
    return status;
}

/* ---- Reports about a text -------------------------------------------------------------------- */

static trib_status report_cuts(const trib_environment *env, const char *path,
                               const trib_words_about *about, trib_error *error) {
    const trib_cuts *cuts = &about->cuts;
    char between[96] = "";
    if (cuts->n_texts > 1)
        snprintf(between, sizeof between, ", %llu (%llu) between its %u texts",
                 (unsigned long long)cuts->between.n_bytes,
                 (unsigned long long)cuts->between.n_lines, (unsigned)cuts->n_texts);
    const bool is_auto = trib_config_strips_auto(env->config);
    const uint64_t n_cut = cuts->before.n_bytes + cuts->between.n_bytes + cuts->after.n_bytes;
    if (n_cut > 0)
        trib_log_say(env->log, TRIB_LOG_INFO,
                     "%s: stripped %llu bytes (%llu lines) before the text%s, %llu (%llu) behind%s",
                     path, (unsigned long long)cuts->before.n_bytes,
                     (unsigned long long)cuts->before.n_lines, between,
                     (unsigned long long)cuts->after.n_bytes,
                     (unsigned long long)cuts->after.n_lines,
                     is_auto ? "; `corpus.strip: []` undoes it" : "");
    else if (!is_auto)
        trib_log_say(env->log, TRIB_LOG_INFO, "%s: nothing to strip was found", path);
    if (!*about->remark || about->remark_line == 0) return TRIB_OK;
    return trib_warnings_add(env->warnings, error, "%s:%llu: %s", path,
                             (unsigned long long)about->remark_line, about->remark);
}

/* The remark on a text with the licence of Project Gutenberg, of which the first is named. */
const char trib_licence_remark[] =
    "has the header and licence of Project Gutenberg, which are read as "
    "its words, as in other such "
    "texts, if any; set corpus.strip to auto";

static bool is_licence_said(const trib_warnings *warnings, const char *remark) {
    bool is_said = false;
    for (size_t w = 0; w < warnings->n && !is_said && strcmp(remark, trib_licence_remark) == 0; w++)
        is_said = strstr(warnings->text[w], trib_licence_remark) != NULL;
    return is_said;
}

trib_status trib_words_report(const trib_environment *env, const trib_document *document,
                              trib_document_words *words, const trib_words_about *about,
                              trib_error *error) {
    const char *path = document->about->path;
    trib_status status = TRIB_OK;
    words->counts = about->counts;
    words->cuts = about->cuts;
    memcpy(words->encoding, about->encoding, sizeof words->encoding);
    words->n_divided = about->n_divided;
    words->account = about->account;
    if (env->config->report.text == TRIB_TEXT_NONE)
        words->account.begins[0] = words->account.ends[0] = '\0';
    if (env->config->corpus.strip.n > 0) status = report_cuts(env, path, about, error);
    if (status == TRIB_OK && *about->remark && about->remark_line == 0 &&
        !is_licence_said(env->warnings, about->remark))
        status = trib_warnings_add(env->warnings, error, "%s: %s", path, about->remark);
    if (status != TRIB_OK) return status;
    if (strcmp(trib_config_encoding(env->config, document->about), "auto") == 0)
        trib_log_say(env->log, TRIB_LOG_DEBUG, "%s: is %s", path, about->encoding);
    if (words->n_tokens == 0) return trib_fail(error, TRIB_INPUT, "%s: holds no word", path);
    if (about->counts.n_replaced > 0)
        status = trib_warnings_add(env->warnings, error,
                                   "%s: %llu invalid byte sequences were replaced by U+FFFD", path,
                                   (unsigned long long)about->counts.n_replaced);
    TRIB_OWNED(trib_buffer) why = {0};
    if (trib_account_doubt(&about->account, words->n_tokens, &why, error))
        status = trib_warnings_add(env->warnings, error, "%s: %s", path, why.text);
    if (why.failure != TRIB_OK) status = why.failure;
    return status;
}
