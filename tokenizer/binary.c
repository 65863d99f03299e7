/* binary.c - whether the first bytes of a file are text at all, and whether they are UTF-16 without
 * a byte order mark. Texts in encodings of bytes have hardly any control bytes. In UTF-16 of an
 * alphabet every other byte is the number of its block, which is a control byte. */
#include "tokenizer/tokenizer.h"

#include <string.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/utf16.h>

/* Escapes and shifts of ISO 2022, and the end of a file in DOS, occur in texts. */
static bool is_control(unsigned char c) {
    return c < 9 || (c > 13 && c < 32 && !strchr("\x0E\x0F\x1A\x1B", c)) || c == 127;
}

bool trib_bytes_are_binary(const char *bytes, size_t n) {
    enum { ONE_OF = 20 };
    size_t n_control = 0;
    for (size_t i = 0; i < n; i++) n_control += is_control((unsigned char)bytes[i]);
    return n_control * ONE_OF > n;
}

/* Counts the white space of UTF-16 text; 0 if the bytes are not such text. */
static size_t count_spaces(const unsigned char *bytes, size_t n, bool is_big) {
    enum { ONE_OF = 100 };
    size_t n_units = 0, n_spaces = 0, n_wrong = 0;
    uint32_t lead = 0;
    for (size_t i = 0; i + 1 < n; i += 2, n_units++) {
        const uint32_t unit = is_big ? (uint32_t)bytes[i] << 8 | bytes[i + 1]
                                     : (uint32_t)bytes[i + 1] << 8 | bytes[i];
        const bool is_space = unit == ' ' || unit == '\n';
        n_spaces += is_space;
        if (lead) n_wrong += !U16_IS_TRAIL(unit);
        else if (U16_IS_TRAIL(unit)) n_wrong++;
        else if (!is_space && unit != '\r' && unit != '\t' && unit != '\f' && !U16_IS_LEAD(unit))
            n_wrong += !u_isdefined((UChar32)unit) || u_iscntrl((UChar32)unit);
        lead = !lead && U16_IS_LEAD(unit) ? unit : 0;
    }
    return n_wrong * ONE_OF > n_units ? 0 : n_spaces;
}

const char *trib_utf16_find(const char *bytes, size_t n) {
    enum { LEAST = 16, ONE_OF = 50 };
    const unsigned char *const from = (const unsigned char *)bytes;
    if (n < LEAST) return NULL;
    if (memcmp(bytes, "\xFF\xFE", 2) == 0) return "UTF-16LE";
    if (memcmp(bytes, "\xFE\xFF", 2) == 0) return "UTF-16BE";
    if (!trib_bytes_are_binary(bytes, n)) return NULL;
    const size_t little = count_spaces(from, n, false), big = count_spaces(from, n, true);
    const size_t most = little > big ? little : big;
    if (most * ONE_OF * 2 < n) return NULL;
    return little > big ? "UTF-16LE" : "UTF-16BE";
}

bool trib_encoding_is_of_bytes(const char *encoding) {
    UErrorCode code = U_ZERO_ERROR;
    if (!encoding || ucnv_compareNames(encoding, "auto") == 0) return true;
    UConverter *converter = ucnv_open(encoding, &code);
    if (U_FAILURE(code)) return false;
    const UConverterType type = ucnv_getType(converter);
    const bool is_of_bytes =
        ucnv_getMinCharSize(converter) == 1 && type != UCNV_SCSU && type != UCNV_BOCU1;
    ucnv_close(converter);
    return is_of_bytes;
}
