/* excerpt.c - reads part of a file as UTF-8 text, for quotations after the words have been
 * counted. */
#include "tokenizer/tokenizer.h"

#include <unicode/ucnv.h>
#include <unicode/ustring.h>

trib_status trib_excerpt(trib_buffer *utf8, const char *encoding, const char *bytes, size_t n_bytes,
                         trib_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    UChar *units = NULL;
    char *text = NULL;
    int32_t n_units = 0, length = 0;
    if (n_bytes > INT32_MAX / 4)
        return trib_fail(error, TRIB_INTERNAL, "an excerpt of %zu bytes is too long", n_bytes);
    UConverter *converter = ucnv_open(encoding ? encoding : "UTF-8", &code);
    trib_status status = TRIB_NEW(&units, 2 * n_bytes + 2, "an excerpt", error);
    if (status == TRIB_OK) status = trib_new(&text, 6 * n_bytes + 8, 1, "an excerpt", error);
    if (status == TRIB_OK) {
        n_units = ucnv_toUChars(converter, units, (int32_t)(2 * n_bytes + 2), bytes,
                                (int32_t)n_bytes, &code);
        u_strToUTF8WithSub(text, (int32_t)(6 * n_bytes + 8), &length, units, n_units, 0xFFFD, NULL,
                           &code);
        status = U_SUCCESS(code)
                     ? trib_buffer_add(utf8, text, (size_t)length, error)
                     : trib_fail(error, TRIB_INTERNAL, "an excerpt cannot be decoded as %s: %s",
                                 encoding ? encoding : "UTF-8", u_errorName(code));
    }
    if (converter) ucnv_close(converter);
    TRIB_FREE(units, text);
    return status;
}
