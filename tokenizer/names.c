/* names.c - checks the names of locales and encodings, suggests the nearest known name for an
 * unknown one, and converts ICU's error codes to ours. Tells by the first bytes of a file whether
 * it is text at all, and whether it is UTF-16 without a byte order mark: texts in encodings of
 * bytes have hardly any control bytes; in UTF-16 of an alphabet every other byte is the number of
 * its block, which is a control byte. */
#include "tokenizer/token.h"

#include <ctype.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
#include <unicode/utf16.h>

#include "tokenizer/language.h"

enum { NAME_MAX_LENGTH = 40, MAX_DISTANCE = 2 };

trib_status trib_icu_status(UErrorCode code, const char *what, trib_error *error) {
    if (U_SUCCESS(code)) return TRIB_OK;
    const bool memory = code == U_MEMORY_ALLOCATION_ERROR;
    return trib_fail(error, memory ? TRIB_MEMORY : TRIB_INTERNAL, "ICU failed (%s): %s", what,
                     u_errorName(code));
}

trib_status trib_units_reserve(units *text, size_t length, trib_error *error) {
    if (length > INT32_MAX / 4)
        return trib_fail(error, TRIB_MEMORY, "out of memory: a text of %zu UTF-16 units", length);
    return TRIB_GROW(&text->at, &text->cap, length, "text as UTF-16", error);
}

static int lower(char c) { return tolower((unsigned char)c); }

/* Levenshtein distance, ignoring letter case, in one row of its table. MAX_DISTANCE + 1 for names
 * that are too long. */
static size_t distance(const char *a, const char *b) {
    const size_t n_a = strlen(a), n_b = strlen(b);
    size_t row[NAME_MAX_LENGTH + 1];
    if (n_a > NAME_MAX_LENGTH || n_b > NAME_MAX_LENGTH) return MAX_DISTANCE + 1;
    for (size_t j = 0; j <= n_b; j++) row[j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            size_t best = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n_b];
}

/* A suggestion for `name` must be nearer than this: one that shares no letter is none. */
static size_t too_far(const char *name) {
    const size_t n = strlen(name);
    return n <= MAX_DISTANCE ? n : MAX_DISTANCE + 1;
}

/* ---- Locales --------------------------------------------------------------------------------- */

/* The code of the language whose English name is nearest to `name`, or NULL. */
static const char *nearest_language(const char *name) {
    const char *nearest = NULL;
    size_t best = too_far(name);
    for (const char *const *code = uloc_getISOLanguages(); *code; code++) {
        UChar display[NAME_MAX_LENGTH + 1];
        char text[NAME_MAX_LENGTH + 1];
        UErrorCode failure = U_ZERO_ERROR;
        const int32_t n = uloc_getDisplayLanguage(*code, "en", display, NAME_MAX_LENGTH, &failure);
        bool is_ascii = U_SUCCESS(failure) && n <= NAME_MAX_LENGTH;
        for (int32_t i = 0; is_ascii && i < n; i++) {
            is_ascii = display[i] < 0x80;
            text[i] = (char)display[i];
        }
        if (!is_ascii) continue;
        text[n] = '\0';
        const size_t d = distance(name, text);
        if (d < best) best = d, nearest = *code;
    }
    return nearest;
}

static bool is_language(const char *language) {
    bool known = strcmp(language, "") == 0 || strcmp(language, "root") == 0;
    for (const char *const *code = uloc_getISOLanguages(); *code && !known; code++)
        known = strcmp(language, *code) == 0;
    return known;
}

trib_status trib_check_locale(const char *locale, char name[ULOC_FULLNAME_CAPACITY],
                              trib_error *error) {
    char language[ULOC_LANG_CAPACITY] = "";
    UErrorCode code = U_ZERO_ERROR;
    int32_t n_parsed = 0;
    bool good = true;
    if (strchr(locale, '-')) {
        uloc_forLanguageTag(locale, name, ULOC_FULLNAME_CAPACITY, &n_parsed, &code);
        good = (size_t)n_parsed == strlen(locale);
    } else {
        uloc_canonicalize(locale, name, ULOC_FULLNAME_CAPACITY, &code);
    }
    if (good && U_SUCCESS(code)) uloc_getLanguage(name, language, ULOC_LANG_CAPACITY, &code);
    if (good && U_SUCCESS(code) && code != U_STRING_NOT_TERMINATED_WARNING && is_language(language))
        return TRIB_OK;
    const char *nearest = nearest_language(locale);
    if (!nearest)
        return trib_fail(
            error, TRIB_CONFIG,
            "unknown locale '%s'; set tokens.locale to a language tag such as en or pt-BR", locale);
    return trib_fail(error, TRIB_CONFIG, "unknown locale '%s'; did you mean '%s'?", locale,
                     nearest);
}

trib_status trib_language_check(const char *language, trib_error *error) {
    char name[ULOC_FULLNAME_CAPACITY];
    const trib_status status = trib_check_locale(language, name, NULL);
    if (status == TRIB_OK && *name) return TRIB_OK;
    if (status != TRIB_OK && status != TRIB_CONFIG)
        return trib_fail(error, status, "out of memory: the name of a language");
    const char *nearest = strlen(language) > 3 ? nearest_language(language) : NULL;
    if (!nearest)
        return trib_fail(error, TRIB_CONFIG,
                         "unknown language '%s'; write its tag, such as en or pt-BR", language);
    return trib_fail(error, TRIB_CONFIG, "unknown language '%s'; did you mean '%s'?", language,
                     nearest);
}

/* ---- Encodings ------------------------------------------------------------------------------- */

trib_status trib_unknown_encoding(const char *encoding, trib_error *error) {
    const char *nearest = NULL;
    size_t best = too_far(encoding);
    for (int32_t i = 0; i < ucnv_countAvailable(); i++) {
        const char *converter = ucnv_getAvailableName(i);
        UErrorCode code = U_ZERO_ERROR;
        const uint16_t n_aliases = ucnv_countAliases(converter, &code);
        for (uint16_t j = 0; U_SUCCESS(code) && j < n_aliases; j++) {
            const char *alias = ucnv_getAlias(converter, j, &code);
            const size_t d = U_SUCCESS(code) && alias ? distance(encoding, alias) : best;
            if (d < best) best = d, nearest = alias;
        }
    }
    if (!nearest)
        return trib_fail(
            error, TRIB_CONFIG,
            "unknown encoding '%s'; set corpus.encoding to utf-8, auto or an ICU converter name",
            encoding);
    return trib_fail(error, TRIB_CONFIG, "unknown encoding '%s'; did you mean '%s'?", encoding,
                     nearest);
}

/* ---- The first bytes of a file --------------------------------------------------------------- */

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
            n_wrong += !u_isdefined((UChar32)unit) || u_charType((UChar32)unit) == U_CONTROL_CHAR;
        lead = !lead && U16_IS_LEAD(unit) ? unit : 0;
    }
    return n_wrong * ONE_OF > n_units ? 0 : n_spaces;
}

const char *trib_utf16_find(const char *bytes, size_t n) {
    enum { LEAST = 16, ONE_OF = 50 };
    const unsigned char *const from = (const unsigned char *)bytes;
    if (n < LEAST) return NULL;
    if (memcmp(bytes, "\xFF\xFE\0", 4) == 0) return "UTF-32LE";
    if (memcmp(bytes, "\0\0\xFE\xFF", 4) == 0) return "UTF-32BE";
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

/* ---- The likely encoding --------------------------------------------------------------------- */

/* Whether a character stands in a word, perhaps in a wrong encoding. */
static bool is_inside(UChar c) { return u_isalpha(c) || (c >= 0x80 && !u_isspace(c)); }

/* How well bytes look in an encoding: characters beyond ASCII count for it, but capitals after
 * small letters, and signs inside words that are no quotes or dashes, against it. */
static int32_t score_of(const char *encoding, const char *bytes, size_t n) {
    enum { MOST = 8192, AGAINST = 4 };
    UChar unit[MOST];
    int32_t sum = 0;
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(encoding, &code);
    const bool is_of_one_byte = U_SUCCESS(code) && ucnv_getMaxCharSize(converter) == 1;
    const int32_t length =
        ucnv_toUChars(converter, unit, MOST, bytes, (int32_t)(n < MOST ? n : MOST), &code);
    ucnv_close(converter);
    if (!is_of_one_byte) return MOST;
    for (int32_t i = 1; U_SUCCESS(code) && i + 1 < length; i++) {
        const UChar left = unit[i - 1], c = unit[i], right = unit[i + 1];
        const uint32_t mark =
            U_GC_PD_MASK | U_GC_PI_MASK | U_GC_PF_MASK | U_GC_PS_MASK | U_GC_ZS_MASK;
        const bool is_sign = !u_isalpha(c) && c != 0xB7 && c != 0x2026 &&
                             !(U_GET_GC_MASK(c) & mark) && is_inside(left) && is_inside(right);
        sum += c < 0x80 ? 0 : is_sign || (u_isupper(c) && u_islower(left)) ? -AGAINST : 1;
    }
    return sum;
}

void trib_encoding_guess(char name[TRIB_ENCODING_MAX], const char *bytes, size_t n) {
    /* those of DOS and of the Macintosh, which ICU does not look for */
    static const char *const others[] = {"macintosh", "IBM850",         "IBM852",   "IBM866",
                                         "IBM737",    "x-mac-cyrillic", "x-mac-ce", "x-mac-greek"};
    UErrorCode code = U_ZERO_ERROR;
    UCharsetDetector *detector = ucsdet_open(&code);
    ucsdet_setText(detector, bytes, n < INT32_MAX ? (int32_t)n : INT32_MAX, &code);
    const UCharsetMatch *match = U_SUCCESS(code) ? ucsdet_detect(detector, &code) : NULL;
    snprintf(name, TRIB_ENCODING_MAX, "%s", match ? ucsdet_getName(match, &code) : "UTF-8");
    ucsdet_close(detector);
    int32_t best = score_of(name, bytes, n);
    if (best > 0) best += best / 3; /* ICU is right as a rule */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const int32_t score = score_of(others[i], bytes, n);
        if (score >= 0 && score > best)
            best = score, snprintf(name, TRIB_ENCODING_MAX, "%s", others[i]);
    }
}
