/* decode.c - converts the bytes of a document to UTF-8 and UTF-16, and records the position of each
 * character in the file.
 *
 * Text in UTF-8 is copied to the waiting text unchanged. It is validated when a run of it is
 * converted to UTF-16; a run of ASCII needs no check. Any other encoding goes through an ICU
 * converter first, and every byte of the resulting UTF-8 records where its character begins in the
 * file. */
#include "tokenizer/norms.h"
#include "tokenizer/token.h"
#include "tokenizer/tokenizer.h"

#include <unicode/ucnv.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

enum { PIECE = 256, REPLACEMENT = 0xFFFD, MIN_NULS = 16, HEAD = 4096 };

/* ---- One document ---------------------------------------------------------------------------- */

static trib_status open_converter(decoder *in, const char *encoding, trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    in->converter = ucnv_open(encoding, &code);
    if (code == U_FILE_ACCESS_ERROR || code == U_ILLEGAL_ARGUMENT_ERROR)
        return trib_unknown_encoding(encoding, error);
    if (U_SUCCESS(code))
        ucnv_setToUCallBack(in->converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &code);
    in->is_of_one_byte = U_SUCCESS(code) && ucnv_getMaxCharSize(in->converter) == 1;
    return trib_icu_status(code, "opening a converter", error);
}

trib_status trib_decoder_open(decoder *in, const char *encoding, trib_invalid on_invalid,
                              trib_error *error) {
    *in = (decoder){.on_invalid = on_invalid};
    in->detect = encoding && ucnv_compareNames(encoding, "auto") == 0;
    if (!encoding || in->detect || ucnv_compareNames(encoding, "UTF-8") == 0) return TRIB_OK;
    return open_converter(in, encoding, error);
}

trib_status trib_encoding_check(const char *encoding, trib_error *error) {
    decoder in;
    const trib_status status = trib_decoder_open(&in, encoding, TRIB_INVALID_ERROR, error);
    trib_decoder_close(&in);
    return status;
}

void trib_decoder_close(decoder *in) {
    if (in->converter) ucnv_close(in->converter);
    TRIB_FREE(in->text, in->origin);
    *in = (decoder){0};
}

void trib_decoder_begin(decoder *in, const char *name) {
    if (in->detect && in->converter) { /* it belongs to the previous document */
        ucnv_close(in->converter);
        in->converter = NULL;
        in->is_of_one_byte = false;
    }
    if (in->converter) ucnv_reset(in->converter);
    in->name = name;
    in->found[0] = '\0';
    in->length = 0;
    in->start = in->n_fed = in->n_lines = in->n_replaced = in->lead_origin = 0;
    in->n_nul[0] = in->n_nul[1] = in->n_utf8 = 0;
    in->is_not_utf8 = false;
    in->n_to_come = 0;
    in->lead = 0;
}

/* Counts in blocks whose count fits a byte, so that many bytes are compared at once. */
static uint64_t count_newlines(const char *text, size_t n) {
    enum { RUN = 128 };
    uint64_t n_lines = 0;
    size_t i = 0;
    for (; i + RUN <= n; i += RUN) {
        uint8_t few = 0;
        for (size_t k = 0; k < RUN; k++) few = (uint8_t)(few + (text[i + k] == '\n'));
        n_lines += few;
    }
    for (; i < n; i++) n_lines += text[i] == '\n';
    return n_lines;
}

void trib_decoder_drop(decoder *in, size_t n) {
    if (n == 0) return;
    in->n_lines += count_newlines(in->text, n);
    const size_t left = in->length - n;
    memmove(in->text, in->text + n, left + 1);
    if (in->converter) memmove(in->origin, in->origin + n, left * sizeof *in->origin);
    in->start += n;
    in->length = left;
}

uint64_t trib_decoder_place(const decoder *in, size_t at) {
    if (!in->converter) return in->start + at;
    return at < in->length ? in->origin[at] : in->n_fed;
}

/* ---- Errors in a file ------------------------------------------------------------------------ */

#define REMEDY "set corpus.encoding to auto, or give this document `encoding: %s`"

/* The likely encoding of the line around an invalid byte. Latin texts have few bytes above 7F; of
 * these, 80..9F are controls in ISO 8859-1 but quotes and dashes in windows-1252. Where such bytes
 * are many, ICU examines the line. */
static const char *guess(const decoder *in, size_t at, char name[TRIB_ENCODING_MAX]) {
    const unsigned char *const text = (const unsigned char *)in->text;
    const unsigned next = at + 1 < in->length ? text[at + 1] : 0;
    if (in->start + at == 0 && text[at] == 0xFF && next == 0xFE) return "UTF-16LE";
    if (in->start + at == 0 && text[at] == 0xFE && next == 0xFF) return "UTF-16BE";
    size_t from = at, to = at, n_high = 0, n_control = 0;
    while (from > 0 && text[from - 1] != '\n') from--;
    while (to < in->length && text[to] != '\n') to++;
    for (size_t i = from; i < to; i++) {
        n_high += text[i] >= 0x80;
        n_control += text[i] >= 0x80 && text[i] < 0xA0;
    }
    if (3 * n_high > to - from && to - from >= 16) {
        trib_encoding_guess(name, in->text + from, to - from);
        if (strcmp(name, "UTF-8") != 0) return name;
    }
    return n_control > 0 ? "windows-1252" : "iso-8859-1";
}

static trib_status invalid_utf8(const decoder *in, size_t at, trib_error *error) {
    char name[TRIB_ENCODING_MAX];
    uint64_t line = in->n_lines + 1;
    for (size_t i = 0; i < at; i++) line += in->text[i] == '\n';
    if (in->detect)
        return trib_fail(error, TRIB_INPUT,
                         "%s: byte %llu (line %llu) is not UTF-8 (0x%02X), as the rest of the text "
                         "is; set corpus.on_invalid to replace",
                         in->name, (unsigned long long)(in->start + at), (unsigned long long)line,
                         (unsigned)(unsigned char)in->text[at]);
    const char *const likely = guess(in, at, name);
    return trib_fail(error, TRIB_INPUT,
                     "%s: byte %llu (line %llu) is not UTF-8 (0x%02X, likely %s); " REMEDY,
                     in->name, (unsigned long long)(in->start + at), (unsigned long long)line,
                     (unsigned)(unsigned char)in->text[at], likely, likely);
}

static trib_status invalid_bytes(const decoder *in, uint64_t at, const char *bytes, int n_bytes,
                                 trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    const char *encoding = ucnv_getName(in->converter, &code);
    uint64_t line = in->n_lines + 1;
    for (size_t i = 0; i < in->length; i++) line += in->text[i] == '\n';
    char hex[3 * 8 + 1] = "";
    for (int i = 0; i < n_bytes && i < 8; i++)
        for (int j = 0; j < 2; j++)
            hex[2 * i + j] = "0123456789ABCDEF"[(unsigned char)bytes[i] >> (j ? 0 : 4) & 15];
    return trib_fail(error, TRIB_INPUT,
                     "%s: byte %llu (line %llu) is not %s (0x%s); set corpus.encoding to auto, or "
                     "give this document an `encoding` of its own",
                     in->name, (unsigned long long)at, (unsigned long long)line,
                     U_SUCCESS(code) ? encoding : "text", hex);
}

/* Rejects UTF-16 without a byte order mark. Latin text in it is valid UTF-8, but every word would
 * be one letter long. */
static trib_status reject_utf16(const decoder *in, trib_error *error) {
    const uint64_t even = in->n_nul[0], odd = in->n_nul[1];
    const uint64_t most = even > odd ? even : odd, least = even > odd ? odd : even;
    if (most < MIN_NULS || most < in->n_fed / 4 || least > most / 8) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT,
                     "%s: not UTF-8 (every other byte is 0, likely UTF-16%s); " REMEDY, in->name,
                     even > odd ? "BE" : "LE", even > odd ? "UTF-16BE" : "UTF-16LE");
}

/* ---- To UTF-8 -------------------------------------------------------------------------------- */

static trib_status reserve(decoder *in, size_t more, trib_error *error) {
    return trib_grow(&in->text, &in->cap, in->length + more + 1, 1, "a text", error);
}

/* Appends a character that begins at `origin` in the file. */
static trib_status add_character(decoder *in, UChar32 c, uint64_t origin, trib_error *error) {
    trib_status status = reserve(in, 4, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&in->origin, &in->origin_cap, in->length + 4, "a text", error);
    if (status != TRIB_OK) return status;
    const size_t begin = in->length;
    U8_APPEND_UNSAFE((uint8_t *)in->text, in->length, (uint32_t)c);
    in->text[in->length] = '\0';
    for (size_t i = begin; i < in->length; i++) in->origin[i] = origin;
    return TRIB_OK;
}

/* Appends one UTF-16 unit from a converter. The two halves of a surrogate pair may come in separate
 * calls. */
static trib_status add_unit(decoder *in, UChar unit, uint64_t origin, trib_error *error) {
    const uint32_t lead = in->lead;
    trib_status status = TRIB_OK;
    in->lead = 0;
    if (lead && U16_IS_TRAIL(unit))
        return add_character(in, U16_GET_SUPPLEMENTARY(lead, unit), in->lead_origin, error);
    if (lead) status = add_character(in, REPLACEMENT, in->lead_origin, error);
    if (status != TRIB_OK) return status;
    if (U16_IS_LEAD(unit)) {
        in->lead = unit;
        in->lead_origin = origin;
        return TRIB_OK;
    }
    return add_character(in, U16_IS_TRAIL(unit) ? REPLACEMENT : unit, origin, error);
}

/* Converts up to PIECE bytes: few enough that the result fits `unit` in any encoding. */
static trib_status convert(decoder *in, const char *bytes, size_t n_bytes, bool last,
                           trib_error *error) {
    UChar unit[8 * PIECE];
    int32_t offset[8 * PIECE];
    const char *source = bytes, *const limit = bytes + n_bytes;
    trib_status status = TRIB_OK;
    UErrorCode code;
    do {
        code = U_ZERO_ERROR;
        const int32_t pending = ucnv_toUCountPending(in->converter, &code);
        const uint64_t began = in->n_fed - (pending > 0 ? (uint64_t)pending : 0);
        const char *const from = source;
        UChar *target = unit;
        code = U_ZERO_ERROR;
        ucnv_toUnicode(in->converter, &target, unit + 8 * PIECE, &source, limit, offset, last,
                       &code);
        for (UChar *u = unit; u < target && status == TRIB_OK; u++) {
            const int32_t o = offset[u - unit];
            status = add_unit(in, *u, o < 0 ? began : in->n_fed + (uint64_t)o, error);
        }
        in->n_fed += (uint64_t)(source - from);
        if (status == TRIB_OK && U_FAILURE(code)) {
            char wrong[16];
            int8_t n_wrong = sizeof wrong;
            UErrorCode unknown = U_ZERO_ERROR;
            ucnv_getInvalidChars(in->converter, wrong, &n_wrong, &unknown);
            const bool is_invalid = code == U_ILLEGAL_CHAR_FOUND || code == U_INVALID_CHAR_FOUND ||
                                    code == U_TRUNCATED_CHAR_FOUND ||
                                    code == U_ILLEGAL_ESCAPE_SEQUENCE ||
                                    code == U_UNSUPPORTED_ESCAPE_SEQUENCE;
            if (!is_invalid || U_FAILURE(unknown))
                return trib_icu_status(code, "converting a text", error);
            const uint64_t at = in->n_fed - (uint64_t)n_wrong;
            if (in->on_invalid == TRIB_INVALID_ERROR)
                return invalid_bytes(in, at, wrong, n_wrong, error);
            status = add_unit(in, REPLACEMENT, at, error);
            in->n_replaced++;
        }
    } while (status == TRIB_OK && (source < limit || (U_FAILURE(code) && last)));
    return status;
}

/* Follows bytes that are read in an encoding of one byte a character as if they were UTF-8. */
static void follow_utf8(decoder *in, const unsigned char *bytes, size_t n_bytes) {
    for (size_t i = 0; i < n_bytes && !in->is_not_utf8; i++) {
        const unsigned char c = bytes[i];
        if (in->n_to_come > 0) {
            in->is_not_utf8 = (c & 0xC0) != 0x80;
            in->n_utf8 += --in->n_to_come == 0;
        } else if (c >= 0x80) {
            in->n_to_come = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
            in->is_not_utf8 = c < 0xC2 || c > 0xF4;
        }
    }
}

static trib_status convert_all(decoder *in, const char *bytes, size_t n_bytes, trib_error *error) {
    trib_status status = TRIB_OK;
    while (n_bytes > 0 && status == TRIB_OK) {
        const size_t n = n_bytes < PIECE ? n_bytes : PIECE;
        status = convert(in, bytes, n, false, error);
        bytes += n;
        n_bytes -= n;
    }
    return status;
}

trib_status trib_decoder_feed(decoder *in, const char *bytes, size_t n_bytes, trib_error *error) {
    if (in->is_of_one_byte) follow_utf8(in, (const unsigned char *)bytes, n_bytes);
    if (in->converter) return convert_all(in, bytes, n_bytes, error);
    trib_status status = reserve(in, n_bytes, error);
    if (status != TRIB_OK) return status;
    for (const char *nul = bytes, *const end = bytes + n_bytes;
         (nul = memchr(nul, '\0', (size_t)(end - nul))); nul++)
        in->n_nul[(in->n_fed + (uint64_t)(nul - bytes)) & 1]++;
    memcpy(in->text + in->length, bytes, n_bytes);
    in->length += n_bytes;
    in->text[in->length] = '\0';
    in->n_fed += n_bytes;
    return TRIB_OK;
}

/* Whether a text is damaged UTF-8 rather than text in another encoding: most of its bytes above 7F
 * form valid UTF-8 characters, which hardly happens in other encodings. */
static bool is_damaged_utf8(const char *text, size_t length) {
    enum { MIN_GOOD = 8, RATIO = 10 };
    size_t n_good = 0, n_bad = 0;
    for (size_t i = 0; i < length;) {
        const int32_t c = utf8_next(text, &i, length);
        n_good += c >= 0x80;
        n_bad += c < 0;
    }
    return n_good >= MIN_GOOD && n_good >= RATIO * n_bad;
}

/* Chooses the encoding at the end of the document for `encoding: auto`: UTF-8 if the text is valid
 * in it, otherwise the most likely one according to ICU. */
static trib_status choose_encoding(decoder *in, trib_error *error) {
    const bool utf16 = reject_utf16(in, NULL) != TRIB_OK;
    const char *encoding = trib_utf16_find(in->text, in->length < HEAD ? in->length : HEAD);
    if (in->length == 0) return TRIB_OK;
    if (!utf16 && !encoding && !strstr(in->text, "\x1B$") && /* of ISO 2022 */
        (utf8_is_valid(in->text, in->length) || is_damaged_utf8(in->text, in->length)))
        return TRIB_OK;
    if (utf16) encoding = in->n_nul[0] > in->n_nul[1] ? "UTF-16BE" : "UTF-16LE";
    snprintf(in->found, sizeof in->found, "%s", encoding ? encoding : "");
    if (!encoding) trib_encoding_guess(in->found, in->text, in->length);
    if (strcmp(in->found, "UTF-8") == 0) strcpy(in->found, "windows-1252");
    char *const bytes = in->text;
    const size_t n_bytes = in->length;
    in->text = NULL;
    in->length = in->cap = 0;
    in->n_fed = 0;
    trib_status status = open_converter(in, in->found, error);
    if (status == TRIB_OK) status = convert_all(in, bytes, n_bytes, error);
    trib_free(bytes);
    return status;
}

trib_status trib_decoder_end(decoder *in, trib_error *error) {
    trib_status status = TRIB_OK;
    if (in->detect) status = choose_encoding(in, error);
    else if (!in->converter && in->on_invalid == TRIB_INVALID_ERROR)
        status = reject_utf16(in, error);
    if (status == TRIB_OK && in->converter) status = convert(in, "", 0, true, error);
    if (status == TRIB_OK && in->lead) {
        in->lead = 0;
        status = add_character(in, REPLACEMENT, in->lead_origin, error);
    }
    if (status == TRIB_OK) status = reserve(in, 0, error);
    if (status == TRIB_OK) in->text[in->length] = '\0';
    return status;
}

/* ---- To UTF-16 ------------------------------------------------------------------------------- */

/* Underscores are markup. A lone one becomes a character that UAX #29 ignores: `_one_` is the
 * word one, `_Pequod_'s` is Pequod's, and foo_bar is foobar. Several in a row are a blank to fill
 * in and separate words like spaces. */
static UChar underscore(const char *text, size_t at, size_t from, size_t to) {
    const bool more = (at > from && text[at - 1] == '_') || (at + 1 < to && text[at + 1] == '_');
    return more ? ' ' : TRIB_MARKUP;
}

trib_status trib_decoder_utf16(decoder *in, size_t from, size_t to, units *run, uint32_t **place,
                               size_t *place_cap, trib_error *error) {
    const size_t length = to - from; /* UTF-16 never has more units than UTF-8 has bytes */
    trib_status status = trib_units_reserve(run, length, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(place, place_cap, length + 1, "the places of a text", error);
    if (status != TRIB_OK) return status;
    UChar *unit = run->at;
    uint32_t *where = *place;
    for (size_t i = from; i < to;) {
        const size_t at = i;
        int32_t c = utf8_next(in->text, &i, to);
        if (c < 0) {
            if (in->on_invalid == TRIB_INVALID_ERROR) return invalid_utf8(in, at, error);
            in->n_replaced++;
            c = REPLACEMENT;
        }
        if (c == '_') c = underscore(in->text, at, from, to);
        *where++ = (uint32_t)(at - from);
        if (c > 0xFFFF) {
            *unit++ = U16_LEAD(c);
            *where++ = (uint32_t)(at - from);
            c = U16_TRAIL(c);
        }
        *unit++ = (UChar)c;
    }
    *where = (uint32_t)length;
    run->length = (int32_t)(unit - run->at);
    return TRIB_OK;
}

/* ---- Excerpts -------------------------------------------------------------------------------- */

trib_status trib_excerpt(trib_buffer *utf8, const char *encoding, const char *bytes, size_t n_bytes,
                         trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    TRIB_FREED(UChar *) utf16 = NULL;
    TRIB_FREED(char *) text = NULL;
    int32_t n_units = 0, length = 0;
    if (n_bytes > INT32_MAX / 4)
        return trib_fail(error, TRIB_INTERNAL, "an excerpt of %zu bytes is too long", n_bytes);
    UConverter *converter = ucnv_open(encoding ? encoding : "UTF-8", &code);
    trib_status status = TRIB_NEW(&utf16, 2 * n_bytes + 2, "an excerpt", error);
    if (status == TRIB_OK) status = trib_new(&text, 6 * n_bytes + 8, 1, "an excerpt", error);
    if (status == TRIB_OK) {
        n_units = ucnv_toUChars(converter, utf16, (int32_t)(2 * n_bytes + 2), bytes,
                                (int32_t)n_bytes, &code);
        u_strToUTF8WithSub(text, (int32_t)(6 * n_bytes + 8), &length, utf16, n_units, 0xFFFD, NULL,
                           &code);
        status = U_SUCCESS(code)
                     ? trib_buffer_add(utf8, text, (size_t)length, error)
                     : trib_fail(error, TRIB_INTERNAL, "an excerpt cannot be decoded as %s: %s",
                                 encoding ? encoding : "UTF-8", u_errorName(code));
    }
    if (converter) ucnv_close(converter);
    return status;
}

/* ---- Lines of a table ------------------------------------------------------------------------ */

trib_status trib_table_lines(const char *path, trib_line_sink sink, void *context,
                             trib_error *error) {
    TRIB_OWNED(trib_buffer) text = {0};
    size_t number = 0, at = 0;
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK && text.length >= 3 && memcmp(text.text, "\xEF\xBB\xBF", 3) == 0) at = 3;
    while (status == TRIB_OK && at < text.length) {
        const char *line = text.text + at;
        const char *feed = memchr(line, '\n', text.length - at);
        size_t length = feed ? (size_t)(feed - line) : text.length - at;
        at += length + 1;
        number++;
        if (length > 0 && line[length - 1] == '\r') length--;
        if (length == 0 || *line == '#') continue;
        if (!utf8_is_valid(line, length) || memchr(line, '\0', length))
            status = trib_fail(error, TRIB_CONFIG, "%s:%zu: not UTF-8; save the file in UTF-8",
                               path, number);
        else status = sink(context, line, length, number, error);
    }
    return status;
}
