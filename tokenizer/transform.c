/* transform.c - rewrites the letters of a word by a transform of ICU (utrans.h): one of its own,
 * the rules of a file, or some of our presets, one after the other. A word is transformed alone, so
 * that ^ and $ in rules are its ends. */
#include "tokenizer/norms.h"
#include "tokenizer/token.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

/* Rules are applied from left to right; of several that match, the first in the list counts. */
const trib_transform_preset trib_transform_presets[] = {
    {"latin", "u and v, i and j are one letter", "v > u; j > i; V > U; J > I; ", "vujiVUJI"},
    {"early-english",
     "long s; vv is w; u and v, i and j as today (haue, vpon, iustice); y or w with a raised e, t "
     "or ch",
     "\\u017F > s; vv > w; VV > W; Vv > W; "
     "y[\\u1D49\\u0364] > the; y[\\u1D57\\u036D] > that; w[\\u1D57\\u036D] > with; "
     "w\\u1D9C\\u02B0 > which; "
     "^ { v } [bcdfghjklmnpqrstwxz] > u; ^ { V } [bcdfghjklmnpqrstwxzBCDFGHJKLMNPQRSTWXZ] > U; "
     "[aeiouyAEIOUY] { u } [aeiouy] > v; "
     "^ { i } [aeou] > j; ^ { I } [aeouAEOU] > J; ",
     NULL},
    {"ligatures", "ae for \xC3\xA6, oe for \xC5\x93",
     "\\u00E6 > ae; \\u00C6 > AE; \\u0153 > oe; \\u0152 > OE; ", ""},
    {"fold-accents", "letters without accents and other marks: e for \xC3\xA9",
     ":: NFD; [\\u0300-\\u036F] > ; :: NFC; ", ""},
    {"greek-bare", "Greek without accents, breathings and iota subscript; one sigma",
     ":: NFD; [\\u0300-\\u036F\\u1FBD\\u1FBF\\u1FFE] > ; \\u03C2 > \\u03C3; \\u03F2 > \\u03C3; "
     ":: NFC; ",
     ""},
    {"arabic-bare",
     "Arabic without vowel signs and tatweel; one alif, one ya, ta marbuta as ha, kaf and ya of "
     "Persian as in Arabic",
     "[\\u0610-\\u061A\\u0640\\u064B-\\u065F\\u0670\\u06D6-\\u06ED] > ; "
     "[\\u0622\\u0623\\u0625\\u0671] > \\u0627; [\\u0649\\u06CC] > \\u064A; "
     "\\u0629 > \\u0647; \\u06A9 > \\u0643; ",
     ""},
    {"hebrew-bare", "Hebrew without points and accents",
     ":: NFD; [\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7] > ; :: NFC; ", ""},
    {"russian", "Russian as before 1918 and as today; no stress marks; \xD0\xB5 for \xD1\x91",
     "[\\u0300\\u0301] > ; \\u0451 > \\u0435; \\u0401 > \\u0415; \\u0463 > \\u0435; "
     "\\u0462 > \\u0415; [\\u0456\\u0475] > \\u0438; [\\u0406\\u0474] > \\u0418; "
     "\\u0473 > \\u0444; \\u0472 > \\u0424; [\\u044A\\u042A] } $ > ; ",
     ""},
    {"han", "simplified and traditional Chinese characters", ":: Hant-Hans; ", ""},
    {"letters",
     "letters without marks, in lower case; u and v, i and j are one letter; ss for \xC3\x9F, ae "
     "for \xC3\xA6, oe for \xC5\x93",
     ":: NFKD; [:^ccc=0:] > ; :: Lower; \\u00DF > ss; \\u00E6 > ae; \\u0153 > oe; v > u; j > i; ",
     "*vuji"},
    {NULL, NULL, NULL, NULL},
};

struct trib_transform {
    UTransliterator *rules; /* NULL: of presets that are not loaded yet */
    char *presets;          /* their rules; NULL: there are none */
    bool is_letters;        /* the preset `letters` alone, which needs no rules */
    char ascii[128];        /* what each character becomes; ascii[1] 0: it depends on others */
    UChar *word, *other;    /* [cap], [other_cap] scratch */
    char *text;             /* [text_cap] the transformed word */
    size_t cap, other_cap, text_cap;
};

bool trib_transform_is_file(const char *asked) {
    static const char *const endings[] = {".txt", ".rules"};
    const size_t length = strlen(asked);
    bool is_file = false;
    for (size_t i = 0; i < 2; i++) {
        const size_t n = strlen(endings[i]);
        is_file = is_file || (length > n && strcmp(asked + length - n, endings[i]) == 0);
    }
    return is_file;
}

static trib_status report_failure(const char *asked, const char *path, const UParseError *place,
                                  UErrorCode code, trib_error *error) {
    TRIB_OWNED(trib_buffer) names = {0};
    char before[4 * U_PARSE_CONTEXT_LEN] = "";
    UErrorCode ignored = U_ZERO_ERROR;
    if (code == U_MEMORY_ALLOCATION_ERROR)
        return trib_fail(error, TRIB_MEMORY, "out of memory: the rules of a transform");
    if (path) {
        u_strToUTF8(before, (int32_t)sizeof before, NULL, place->preContext, -1, &ignored);
        return trib_fail(error, TRIB_CONFIG,
                         "%s: not rules of an ICU transform (%s after '%s'); see "
                         "https://unicode-org.github.io/icu/userguide/transforms/general/rules",
                         path, u_errorName(code), before);
    }
    for (const trib_transform_preset *p = trib_transform_presets; p->name; p++)
        trib_buffer_print(&names, error, "%s, ", p->name);
    trib_status status = names.failure;
    if (status == TRIB_OK)
        status = trib_fail(error, TRIB_CONFIG,
                           "ICU knows no transform '%s' (%s); choose one of %sone of ICU's such as "
                           "'Latin-ASCII' or 'NFD; [:M:] Remove; NFC', or a file of rules that "
                           "ends in .txt or .rules",
                           asked, u_errorName(code), names.text);
    return status;
}

/* Opens a transform: rules if there are any, otherwise an ICU name. */
static trib_status open_rules(trib_transform *t, const char *asked, const char *path,
                              const char *rules, size_t length, trib_error *error) {
    static const UChar own_name[] = {'w', 'o', 'r', 'd', 0};
    units text = {0};
    UParseError place = {0};
    UErrorCode code = U_ZERO_ERROR;
    trib_status status = trib_units_reserve(&text, length + 1, error);
    if (status != TRIB_OK) return status;
    u_strFromUTF8(text.at, (int32_t)length + 1, &text.length, rules, (int32_t)length, &code);
    const bool has_rules = rules != asked;
    if (U_SUCCESS(code))
        t->rules =
            has_rules
                ? utrans_openU(own_name, -1, UTRANS_FORWARD, text.at, text.length, &place, &code)
                : utrans_openU(text.at, text.length, UTRANS_FORWARD, NULL, 0, &place, &code);
    trib_free(text.at);
    return U_SUCCESS(code) ? TRIB_OK : report_failure(asked, path, &place, code, error);
}

/* Adds what a preset does to ASCII. */
static void add_ascii(char ascii[128], const char *pairs) {
    char one[128];
    if (!pairs) memset(ascii, 0, 128);
    if (!pairs || !ascii[1]) return;
    for (int c = 0; c < 128; c++)
        one[c] = (char)(*pairs == '*' && c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c);
    for (pairs += *pairs == '*'; *pairs; pairs += 2)
        for (int c = 0; c < 128; c++)
            if (one[c] == pairs[0]) one[c] = pairs[1];
    for (int c = 0; c < 128; c++) ascii[c] = one[(int)ascii[c]];
}

/* Appends the rules of presets, whose names have commas between them. *are_presets: `asked` is such
 * a list. */
static trib_status list_rules(trib_buffer *rules, char ascii[128], const char *asked,
                              bool *are_presets, trib_error *error) {
    trib_status status = TRIB_OK;
    *are_presets = true;
    for (int c = 0; c < 128; c++) ascii[c] = (char)c;
    for (const char *at = asked; *are_presets && status == TRIB_OK;) {
        const size_t n = strcspn(at, ", ");
        const trib_transform_preset *p = trib_transform_presets;
        while (p->name && (strlen(p->name) != n || memcmp(p->name, at, n) != 0)) p++;
        *are_presets = p->name != NULL;
        if (p->name)
            status =
                trib_buffer_print(rules, error, "%s%s", at > asked ? ":: Null; " : "", p->rules);
        if (p->name) add_ascii(ascii, p->ascii);
        at += n;
        if (!*at) break;
        at += strspn(at, ", ");
    }
    return status;
}

trib_status trib_transform_open(trib_transform **transform, const char *asked, const char *path,
                                trib_error *error) {
    trib_buffer text = {0};
    bool are_presets = false;
    *transform = NULL;
    trib_status status = TRIB_NEW(transform, 1, "a transform", error);
    if (status == TRIB_OK)
        status = list_rules(&text, (*transform)->ascii, asked, &are_presets, error);
    const bool is_file = !are_presets && path && trib_transform_is_file(asked);
    const char *rules = asked;
    size_t length = strlen(rules);
    if (status == TRIB_OK && is_file) {
        trib_buffer_clear(&text);
        status = trib_read_whole(path, &text, error);
        rules = text.text ? text.text : "";
        length = text.length;
        if (length >= 3 && memcmp(rules, "\xEF\xBB\xBF", 3) == 0) rules += 3, length -= 3;
    }
    if (status == TRIB_OK && are_presets && text.text) {
        (*transform)->is_letters = strcmp(asked, "letters") == 0;
        (*transform)->presets = text.text;
        return TRIB_OK;
    }
    if (status == TRIB_OK) {
        (*transform)->ascii[1] = 0;
        status = open_rules(*transform, asked, is_file ? path : NULL, rules, length, error);
    }
    trib_buffer_release(&text);
    if (status == TRIB_OK) return TRIB_OK;
    trib_transform_close(*transform);
    *transform = NULL;
    return status;
}

void trib_transform_close(trib_transform *transform) {
    if (!transform) return;
    if (transform->rules) utrans_close(transform->rules);
    TRIB_FREE(transform->presets, transform->word, transform->other, transform->text, transform);
}

/* Does to t->word[0..n) what the rules of `letters` say; ICU needs 10 ms before its first rule.
 * t->other has as much room as t->word. */
static UErrorCode write_letters(trib_transform *t, int32_t n, int32_t *n_needed) {
    UErrorCode code = U_ZERO_ERROR;
    const int32_t cap = (int32_t)t->cap;
    int32_t n_bare = 0, to = 0;
    *n_needed = unorm2_normalize(unorm2_getNFKDInstance(&code), t->word, n, t->other, cap, &code);
    for (int32_t at = 0, n_units; U_SUCCESS(code) && at < *n_needed; at += n_units) {
        const UChar unit = t->other[at];
        n_units = U16_IS_LEAD(unit) && at + 1 < *n_needed && U16_IS_TRAIL(t->other[at + 1]) ? 2 : 1;
        const UChar32 letter =
            n_units == 2 ? U16_GET_SUPPLEMENTARY(unit, t->other[at + 1]) : (UChar32)unit;
        if (u_getCombiningClass(letter) != 0) continue;
        u_memmove(t->other + n_bare, t->other + at, n_units);
        n_bare += n_units;
    }
    if (U_SUCCESS(code)) *n_needed = u_strToLower(t->word, cap, t->other, n_bare, "", &code);
    if (U_SUCCESS(code) && 2 * *n_needed > cap) *n_needed *= 2, code = U_BUFFER_OVERFLOW_ERROR;
    for (int32_t at = 0; U_SUCCESS(code) && at < *n_needed; at++) {
        static const char pairs[] = "ss"
                                    "ae"
                                    "oe";
        const UChar unit = t->word[at];
        const char *const two = unit == 0xDF    ? pairs
                                : unit == 0xE6  ? pairs + 2
                                : unit == 0x153 ? pairs + 4
                                                : NULL;
        t->other[to++] = two ? (UChar)*two : unit == 'v' ? 'u' : unit == 'j' ? 'i' : unit;
        if (two) t->other[to++] = (UChar)two[1];
    }
    if (U_FAILURE(code)) return code;
    u_memcpy(t->word, t->other, to);
    *n_needed = to;
    return code;
}

/* Transforms t->word[0..n) in place; *n_needed receives the units that it needs. */
static UErrorCode rewrite(trib_transform *t, int32_t n, int32_t *n_needed) {
    UErrorCode code = U_ZERO_ERROR;
    int32_t limit = n;
    if (t->is_letters) return write_letters(t, n, n_needed);
    *n_needed = n;
    utrans_transUChars(t->rules, t->word, n_needed, (int32_t)t->cap, 0, &limit, &code);
    return code;
}

/* Writes a word in UTF-16 to t->word; *n receives its units. Most words are ASCII, for which ICU's
 * function is slow. */
static UErrorCode widen(trib_transform *t, const char *word, size_t length, int32_t *n) {
    UErrorCode code = U_ZERO_ERROR;
    size_t i = 0;
    for (; i < length && (unsigned char)word[i] < 0x80; i++) t->word[i] = (UChar)word[i];
    *n = (int32_t)length;
    if (i < length) u_strFromUTF8(t->word, (int32_t)t->cap, n, word, (int32_t)length, &code);
    return code;
}

/* Writes t->word[0..n) in UTF-8 to t->text, with a NUL; *n_bytes receives its length. */
static UErrorCode narrow(trib_transform *t, int32_t n, int32_t *n_bytes) {
    UErrorCode code = U_ZERO_ERROR;
    int32_t i = 0;
    for (; i < n && t->word[i] < 0x80; i++) t->text[i] = (char)t->word[i];
    t->text[i] = '\0';
    *n_bytes = n;
    if (i < n) u_strToUTF8(t->text, (int32_t)t->text_cap, n_bytes, t->word, n, &code);
    return code;
}

/* Transforms a word of ASCII alone. *is_done: it was one, and its characters do not depend on each
 * other. */
static trib_status transform_ascii(trib_transform *t, const char *word, size_t length,
                                   bool *is_done, trib_error *error) {
    const trib_status status =
        trib_grow(&t->text, &t->text_cap, length + 1, 1, "a transformed word", error);
    size_t i = 0;
    for (; status == TRIB_OK && t->ascii[1] && i < length && (unsigned char)word[i] < 0x80; i++)
        t->text[i] = t->ascii[(int)word[i]];
    *is_done = status == TRIB_OK && i == length && length > 0;
    if (*is_done) t->text[i] = '\0';
    return status;
}

trib_status trib_transform_do(trib_transform *t, const char *word, size_t length, const char **to,
                              size_t *n, trib_error *error) {
    int32_t n_units = 0, n_bytes = 0;
    UErrorCode code = U_BUFFER_OVERFLOW_ERROR;
    *to = word;
    *n = length;
    if (length > INT32_MAX / 16) return TRIB_OK; /* no word */
    bool is_done;
    trib_status ready = transform_ascii(t, word, length, &is_done, error);
    if (is_done) *to = t->text;
    if (ready == TRIB_OK && !is_done && !t->rules && !t->is_letters)
        ready = open_rules(t, "", NULL, t->presets, strlen(t->presets), error);
    if (ready != TRIB_OK || is_done) return ready;
    for (size_t cap = 2 * length + 32; code == U_BUFFER_OVERFLOW_ERROR; cap = 2 * (size_t)n_units) {
        trib_status status = TRIB_GROW(&t->word, &t->cap, cap, "a transformed word", error);
        if (status == TRIB_OK)
            status = TRIB_GROW(&t->other, &t->other_cap, t->cap, "a transformed word", error);
        if (status != TRIB_OK) return status;
        code = widen(t, word, length, &n_units);
        if (U_SUCCESS(code)) code = rewrite(t, n_units, &n_units);
    }
    if (U_SUCCESS(code) && n_units > 0) {
        const trib_status status = trib_grow(&t->text, &t->text_cap, 3 * (size_t)n_units + 1, 1,
                                             "a transformed word", error);
        if (status != TRIB_OK) return status;
        code = narrow(t, n_units, &n_bytes);
    }
    if (U_FAILURE(code)) return trib_icu_status(code, "transforming a word", error);
    if (n_bytes > 0) *to = t->text, *n = (size_t)n_bytes;
    return TRIB_OK;
}
