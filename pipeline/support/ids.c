/* ids.c - characters of ids, normal forms of names. ICU knows the properties of characters. */
#include "pipeline/support/ids.h"

#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "pipeline/support/utf8.h"

/* What a character is in an id. Letters, marks on them and digits of all scripts are those that
 * Unicode allows in identifiers (XID_Continue, UAX #31). */
typedef enum {
    OTHER,
    PLAIN,    /* a letter or digit, or '_', '.', '-' */
    MARK,     /* a mark on the letter before it; an id cannot begin with it */
    INVISIBLE /* not part of an id, and not seen: a joiner, a soft hyphen */
} id_character;

static id_character kind_of(UChar32 c) {
    if (c < 0) return OTHER;
    if (c < 0x80) return u_isalnum(c) || c == '_' || c == '.' || c == '-' ? PLAIN : OTHER;
    if (u_hasBinaryProperty(c, UCHAR_XID_CONTINUE))
        return U_MASK(u_charType(c)) & U_GC_M_MASK ? MARK : PLAIN;
    return u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ? INVISIBLE : OTHER;
}

bool trib_id_is_written_right(const char *id) {
    const size_t length = strlen(id);
    for (size_t at = 0; at < length;) {
        const bool is_first = at == 0;
        const id_character kind = kind_of(trib_utf8_next(id, length, &at));
        if (kind != PLAIN && (kind != MARK || is_first)) return false;
    }
    return length > 0;
}

/* ---- Normal forms ---------------------------------------------------------------------------- */

static bool is_ascii(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80) return false;
    return true;
}

/* Folds the UTF-16 text `from` to `to`, of `cap` units each, and returns its length. Canonical
 * decomposition comes first: some letters fold differently with the marks after them. */
static int32_t fold(UChar *to, UChar *from, int32_t length, int32_t cap, UErrorCode *code) {
    const UNormalizer2 *const apart = unorm2_getNFDInstance(code);
    length = unorm2_normalize(apart, from, length, to, cap, code);
    length = u_strFoldCase(from, cap, to, length, U_FOLD_CASE_DEFAULT, code);
    return unorm2_normalize(unorm2_getNFCInstance(code), from, length, to, cap, code);
}

/* Copies a text in NFC, folded or not. A character grows to at most 18 units of UTF-16 (UAX #15 and
 * UAX #44: fourfold by decomposition, threefold by folding), and a unit to 3 bytes of UTF-8. */
static trib_status copy_normal(char **copy, const char *text, bool folds, trib_error *error) {
    enum { GROWS = 18, BYTES = 3 };
    const size_t n = strlen(text);
    const int32_t cap = (int32_t)(GROWS * n + 1);
    UChar *units = NULL;
    UErrorCode code = U_ZERO_ERROR;
    int32_t length = 0;
    *copy = NULL;
    if (n > INT32_MAX / (GROWS * BYTES + 1)) return trib_copy_text(copy, text, n, error);
    trib_status status = TRIB_NEW(&units, 2 * (size_t)cap, "a name", error);
    if (status == TRIB_OK) status = trib_new(copy, BYTES * (size_t)cap, 1, "a name", error);
    if (status != TRIB_OK) goto done;
    UChar *const other = units + cap;
    u_strFromUTF8(units, cap, &length, text, (int32_t)n, &code);
    length = folds
                 ? fold(other, units, length, cap, &code)
                 : unorm2_normalize(unorm2_getNFCInstance(&code), units, length, other, cap, &code);
    u_strToUTF8(*copy, BYTES * cap, &length, other, length, &code);
    if (U_FAILURE(code)) memcpy(*copy, text, n + 1); /* not UTF-8 */
done:
    trib_free(units);
    return status;
}

trib_status trib_name_composed(char **copy, const char *text, trib_error *error) {
    return is_ascii(text) ? trib_copy(copy, text, error) : copy_normal(copy, text, false, error);
}

trib_status trib_name_folded(char **copy, const char *text, trib_error *error) {
    if (!is_ascii(text)) return copy_normal(copy, text, true, error);
    const trib_status status = trib_copy(copy, text, error);
    for (char *at = *copy; status == TRIB_OK && *at; at++)
        if (*at >= 'A' && *at <= 'Z') *at = (char)(*at - 'A' + 'a');
    return status;
}

/* ---- Ids from names -------------------------------------------------------------------------- */

/* Writes the character at from->name[*at] as ids allow it to `piece`, and moves *at after it: the
 * character itself, '_', '_' and its code point, or nothing. `id` is what was made so far; `joins`:
 * a run of other characters is one '_'. */
static void put_character(char piece[16], const trib_id_from *from, bool joins, size_t *at,
                          const trib_buffer *id) {
    const size_t begin = *at;
    const UChar32 c = trib_utf8_next(from->name, from->length, at);
    id_character kind = kind_of(c);
    const bool is_composed =
        c < 0x80 || u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK) == UNORM_YES;
    if ((kind == MARK && id->length == 0) || (from->codes && !is_composed)) kind = OTHER;
    const bool is_joined =
        joins && !from->codes && id->length > 0 && id->text[id->length - 1] == '_';
    if (kind == PLAIN || kind == MARK)
        snprintf(piece, 16, "%.*s", (int)(*at - begin), from->name + begin);
    else if (from->codes && c != '/') snprintf(piece, 16, "_%x", c < 0 ? 0xFFFDU : (unsigned)c);
    else snprintf(piece, 16, "%s", is_joined || kind == INVISIBLE ? "" : "_");
}

trib_status trib_id_add(trib_buffer *id, trib_id_from from, trib_error *error) {
    char *given = NULL, *composed = NULL;
    trib_status status = trib_buffer_add(id, "", 0, error);
    if (status == TRIB_OK) status = trib_copy_text(&given, from.name, from.length, error);
    if (status == TRIB_OK) status = trib_name_composed(&composed, given, error);
    if (status == TRIB_OK && !from.codes) from.name = composed, from.length = strlen(composed);
    const bool joins = status == TRIB_OK && !is_ascii(given);
    for (size_t at = 0; at < from.length && status == TRIB_OK;) {
        char piece[16];
        put_character(piece, &from, joins, &at, id);
        if (id->length + strlen(piece) > TRIB_ID_MOST) break;
        status = trib_buffer_add(id, piece, strlen(piece), error);
    }
    if (status == TRIB_OK && id->length == 0) status = trib_buffer_add(id, "_", 1, error);
    TRIB_FREE(given, composed);
    return status;
}
