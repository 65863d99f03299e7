/* names.c - names that a person writes. ICU knows the properties of characters. */
#include "pipeline/support/names.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "pipeline/support/utf8.h"

/* ---- Did you mean ---------------------------------------------------------------------------- */

enum { MAX_WORD = TRIB_GUESS_MAX - 1 };

/* Optimal string alignment distance by its recurrence, with three rows. Both words have at most
 * MAX_WORD bytes. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[3][MAX_WORD + 1];
    const size_t n = strlen(b);
    for (size_t j = 0; j <= n; j++) row[0][j] = j;
    size_t i = 0;
    for (; a[i]; i++) {
        size_t *now = row[(i + 1) % 3];
        const size_t *before = row[i % 3], *two_before = row[(i + 2) % 3];
        now[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t best = before[j] + (a[i] != b[j]);
            if (before[j + 1] + 1 < best) best = before[j + 1] + 1;
            if (now[j] + 1 < best) best = now[j] + 1;
            const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            if (swapped && two_before[j - 1] + 1 < best) best = two_before[j - 1] + 1;
            now[j + 1] = best;
        }
    }
    return row[i % 3][n];
}

void trib_guess_try(trib_guess *guess, const char *candidate) {
    const size_t length = strlen(guess->word);
    if (length > MAX_WORD || strlen(candidate) > MAX_WORD) return;
    const bool begins = length > 2 && strncmp(guess->word, candidate, length) == 0;
    const size_t distance = begins ? 1 : edit_distance(guess->word, candidate);
    const size_t most = length < 6 ? 1 + (length > 3) : length / 3;
    if (distance > most || distance >= strlen(candidate)) return;
    if (*guess->best && distance >= guess->distance) return;
    snprintf(guess->best, sizeof guess->best, "%s", candidate);
    guess->distance = distance;
}

const char *trib_guess_hint(trib_guess *guess) {
    if (!*guess->best) return "";
    snprintf(guess->hint, sizeof guess->hint, "; did you mean '%s'?", guess->best);
    return guess->hint;
}

/* ---- Characters of ids ----------------------------------------------------------------------- */

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
    TRIB_FREED(UChar *) units = NULL;
    UErrorCode code = U_ZERO_ERROR;
    int32_t length = 0;
    *copy = NULL;
    if (n > INT32_MAX / (GROWS * BYTES + 1)) return trib_copy_text(copy, text, n, error);
    trib_status status = TRIB_NEW(&units, 2 * (size_t)cap, "a name", error);
    if (status == TRIB_OK) status = trib_new(copy, BYTES * (size_t)cap, 1, "a name", error);
    if (status != TRIB_OK) return status;
    UChar *const other = units + cap;
    u_strFromUTF8(units, cap, &length, text, (int32_t)n, &code);
    length = folds
                 ? fold(other, units, length, cap, &code)
                 : unorm2_normalize(unorm2_getNFCInstance(&code), units, length, other, cap, &code);
    u_strToUTF8(*copy, BYTES * cap, &length, other, length, &code);
    if (U_FAILURE(code)) memcpy(*copy, text, n + 1); /* not UTF-8 */
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

/* ---- The document that a person means -------------------------------------------------------- */

/* How well a name fits a document, the best first. */
typedef enum {
    ID,
    TITLE,
    FILE_NAME,
    ID_FOLDED,
    TITLE_FOLDED,
    FILE_FOLDED,
    START,
    START_FOLDED,
    NO
} fit;

static const char *last_part(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Whether a text ends with an address, at the beginning of one of its folders. */
static bool ends_in_address(const char *text, size_t n_text, const char *address, size_t n) {
    return n <= n_text && memcmp(text + n_text - n, address, n) == 0 &&
           (n == n_text || text[n_text - n - 1] == '/');
}

/* Whether a name is that of a file, with or without the ending of the file. Either may have folders
 * that the other has not. */
static bool is_of_file(const char *name, const char *file) {
    const char *dot = strrchr(last_part(file), '.');
    const size_t n_name = strlen(name), n_file = strlen(file),
                 n_stem = dot && dot > last_part(file) ? (size_t)(dot - file) : n_file;
    return ends_in_address(file, n_file, name, n_name) ||
           ends_in_address(file, n_stem, name, n_name) ||
           ends_in_address(name, n_name, file, n_file) ||
           ends_in_address(name, n_name, file, n_stem);
}

static bool begins(const char *text, const char *name) {
    return strncmp(text, name, strlen(name)) == 0;
}

/* How a name fits; `folded`: the name and what the document is called are folded. */
static fit fit_of(const trib_called *called, const char *name, bool folded) {
    if (strcmp(called->id, name) == 0) return folded ? ID_FOLDED : ID;
    if (strcmp(called->title, name) == 0) return folded ? TITLE_FOLDED : TITLE;
    if (is_of_file(name, called->file)) return folded ? FILE_FOLDED : FILE_NAME;
    return begins(called->id, name) || begins(called->title, name) ||
                   begins(last_part(called->file), name)
               ? (folded ? START_FOLDED : START)
               : NO;
}

static trib_status folded_fit(const trib_called *called, const char *name, fit *how,
                              trib_error *error) {
    char *id = NULL, *title = NULL, *file = NULL;
    trib_status status = trib_name_folded(&id, called->id, error);
    if (status == TRIB_OK) status = trib_name_folded(&title, called->title, error);
    if (status == TRIB_OK) status = trib_name_folded(&file, called->file, error);
    if (status == TRIB_OK) *how = fit_of(&(trib_called){id, title, file}, name, true);
    TRIB_FREE(id, title, file);
    return status;
}

/* A search for one name. */
typedef struct search {
    const trib_called_list *list;
    const char *name;
    char *folded;        /* the name */
    unsigned char *fits; /* [list->n] the best fit of each, a `fit` */
    size_t n[NO + 1];    /* of each fit: documents */
    size_t first[NO + 1];
    fit best;
} search;

static trib_called called_at(const search *s, size_t i) {
    trib_called called = s->list->at(s->list->of, i);
    if (!called.title) called.title = "";
    if (!called.file) called.file = "";
    return called;
}

static void note(search *s, size_t i, fit how) {
    if (s->n[how]++ == 0) s->first[how] = i;
    s->fits[i] = (unsigned char)how;
    if (how < s->best) s->best = how;
}

/* Compares the name with all documents as it is written, then folded where it is not exact. */
static trib_status compare(search *s, trib_error *error) {
    const char *name = strncmp(s->name, "./", 2) == 0 ? s->name + 2 : s->name;
    trib_status status = TRIB_NEW(&s->fits, s->list->n, "documents", error);
    if (status == TRIB_OK) status = trib_name_folded(&s->folded, name, error);
    s->best = NO;
    for (size_t i = 0; status == TRIB_OK && *name && i < s->list->n; i++) {
        const trib_called called = called_at(s, i);
        note(s, i, fit_of(&called, name, false));
    }
    for (size_t i = 0; status == TRIB_OK && *name && s->best > FILE_NAME && i < s->list->n; i++) {
        const trib_called called = called_at(s, i);
        fit how = NO;
        status = folded_fit(&called, s->folded, &how, error);
        if (how < s->fits[i]) note(s, i, how);
    }
    return status;
}

static bool is_best(const void *context, size_t i) {
    const search *s = context;
    return s->fits[i] == s->best;
}

trib_status trib_called_print(const trib_called_list *list,
                              bool (*is_in)(const void *context, size_t i), const void *context,
                              trib_buffer *out, trib_error *error) {
    enum { SHOWN = 20, BYTES = 800 };
    size_t n = 0, n_shown = 0, n_bytes = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (is_in && !is_in(context, i)) continue;
        const char *id = list->at(list->of, i).id;
        n_bytes += strlen(id) + 2;
        if (n++ == n_shown && n_shown < SHOWN && n_bytes < BYTES)
            trib_buffer_print(out, error, "%s%s", n_shown++ > 0 ? ", " : "", id);
    }
    if (n > n_shown) trib_buffer_print(out, error, " and %zu more", n - n_shown);
    return out->failure;
}

/* The most similar name of a document, as a hint; "" when there is none. */
static const char *hint_of(const search *s, trib_guess *guess) {
    for (size_t i = 0; i < s->list->n; i++) {
        const trib_called called = called_at(s, i);
        trib_guess_try(guess, called.id);
        trib_guess_try(guess, called.title);
        trib_guess_try(guess, last_part(called.file));
    }
    return trib_guess_hint(guess);
}

/* Says that several documents have the name, or none: with the most similar name, otherwise with
 * all ids. */
static trib_status fail_to_find(const search *s, trib_error *error) {
    const bool is_none = s->best == NO;
    trib_guess guess = {.word = s->name};
    TRIB_OWNED(trib_buffer) ids = {0};
    trib_status status = trib_called_print(s->list, is_none ? NULL : is_best, s, &ids, error);
    const char *hint = is_none ? hint_of(s, &guess) : "";
    const bool has_list = !*hint && ids.length > 0;
    if (status == TRIB_OK && is_none)
        status = trib_fail(error, TRIB_USAGE, "'%.200s' is not %s%s%s%s", s->name, s->list->what,
                           hint, has_list ? "; write one of: " : "", has_list ? ids.text : "");
    else if (status == TRIB_OK)
        status = trib_fail(error, TRIB_USAGE, "'%.200s' fits %zu documents; write one of: %s",
                           s->name, s->n[s->best], ids.text);
    return status;
}

trib_status trib_called_find(const trib_called_list *list, const char *name, size_t *found,
                             trib_error *error) {
    search s = {.list = list, .name = name};
    trib_status status = compare(&s, error);
    *found = 0;
    if (status == TRIB_OK && (s.best == NO || s.n[s.best] > 1)) status = fail_to_find(&s, error);
    else if (status == TRIB_OK) *found = s.first[s.best];
    TRIB_FREE(s.folded, s.fits);
    return status;
}
