/* language.c - the scripts of languages, by ICU; stems of words, by libstemmer, whose rules are
 * chosen by the script of a word and the language of its text. */
#include "tokenizer/language.h"

#include <ctype.h>
#include <libstemmer.h>
#include <unicode/uloc.h>
#include <unicode/uscript.h>

#include "tokenizer/token.h"

enum { SCRIPTS_MOST = 8 };

/* The scripts of a language. */
typedef struct scripts {
    UScriptCode code[SCRIPTS_MOST];
    int32_t n; /* 0: not known */
} scripts;

struct trib_language_stemmer {
    trib_stemmer *stemmer; /* NULL: the language has none */
    scripts scripts;
};

void trib_language_code(char code[TRIB_LANGUAGE_MAX], const char *language) {
    UErrorCode failed = U_ZERO_ERROR;
    const int32_t n = uloc_getLanguage(language, code, TRIB_LANGUAGE_MAX, &failed);
    if (U_FAILURE(failed) || n >= TRIB_LANGUAGE_MAX) snprintf(code, TRIB_LANGUAGE_MAX, "und");
}

static scripts scripts_of(const char *language) {
    scripts s = {.n = 0};
    /* ICU has the scripts of their inscriptions */
    if (strcmp(language, "grc") == 0) language = "el";
    if (strcmp(language, "non") == 0) language = "is";
    UErrorCode failed = U_ZERO_ERROR;
    s.n = uscript_getCode(language, s.code, SCRIPTS_MOST, &failed);
    if (U_FAILURE(failed)) s.n = 0;
    return s;
}

static bool has_script(const scripts *s, UScriptCode code) {
    for (int32_t i = 0; i < s->n; i++)
        if (s->code[i] == code) return true;
    return false;
}

bool trib_languages_share_script(const char *one, const char *other) {
    const scripts a = scripts_of(one), b = scripts_of(other);
    bool shares = a.n == 0 || b.n == 0;
    for (int32_t i = 0; i < a.n && !shares; i++) shares = has_script(&b, a.code[i]);
    return shares;
}

/* The script of the first letter that has one. */
static UScriptCode script_of(const char *word, size_t length) {
    for (size_t at = 0; at < length;) {
        UErrorCode failed = U_ZERO_ERROR;
        const int32_t c = utf8_next(word, &at, length);
        const UScriptCode code = c < 0 ? USCRIPT_COMMON : uscript_getScript(c, &failed);
        if (U_SUCCESS(failed) && code != USCRIPT_COMMON && code != USCRIPT_INHERITED) return code;
    }
    return USCRIPT_COMMON;
}

/* Opens the stemmer of a language. If it has none, keeps the reason in *why. */
static trib_status open_one(trib_stemmers *stemmers, const char *language, trib_error *why) {
    struct trib_language_stemmer *item = &stemmers->item[stemmers->n++];
    const trib_status status = trib_stemmer_open(&item->stemmer, language, why);
    item->scripts = scripts_of(language);
    return status == TRIB_CONFIG ? TRIB_OK : status;
}

trib_status trib_stemmers_open(trib_stemmers *stemmers, const char *languages, trib_error *error) {
    const size_t most = strlen(languages) / 2 + 1;
    trib_error why = {0};
    bool has_some = false;
    *stemmers = (trib_stemmers){0};
    trib_status status = TRIB_NEW(&stemmers->item, most, "stems", error);
    for (const char *at = languages; *at && status == TRIB_OK;) {
        char language[32];
        const size_t length = strcspn(at, " ");
        snprintf(language, sizeof language, "%.*s", (int)length, at);
        status = open_one(stemmers, language, &why);
        if (status != TRIB_OK) trib_fail(error, status, "%s", why.message);
        has_some = has_some || stemmers->item[stemmers->n - 1].stemmer;
        at += length + (at[length] == ' ');
    }
    if (status == TRIB_OK && !has_some) status = trib_fail(error, TRIB_CONFIG, "%s", why.message);
    if (status != TRIB_OK) trib_stemmers_close(stemmers);
    return status;
}

void trib_stemmers_close(trib_stemmers *stemmers) {
    for (size_t i = 0; i < stemmers->n; i++) trib_stemmer_close(stemmers->item[i].stemmer);
    trib_free(stemmers->item);
    *stemmers = (trib_stemmers){0};
}

/* The number of the language whose stemmer a word gets; n: of none. */
static size_t language_of(const trib_stemmers *stemmers, uint32_t language, const char *word,
                          size_t length) {
    const size_t n = stemmers->n;
    size_t found = n;
    if (n <= 1) return 0;
    const UScriptCode code = script_of(word, length);
    const scripts *const own = language < n ? &stemmers->item[language].scripts : NULL;
    if (own && (own->n == 0 || has_script(own, code))) return language;
    for (size_t i = 0; i < n; i++) {
        if (!has_script(&stemmers->item[i].scripts, code)) continue;
        if (found < n) return n;
        found = i;
    }
    return found;
}

trib_status trib_stemmers_stem(const trib_stemmers *stemmers, uint32_t language, const char *word,
                               size_t length, const char **stem, size_t *n, trib_error *error) {
    const size_t i = language_of(stemmers, language, word, length);
    *n = 0;
    return i < stemmers->n && stemmers->item[i].stemmer
               ? trib_stemmer_stem(stemmers->item[i].stemmer, word, length, stem, n, error)
               : TRIB_OK;
}

/* ---- Stems ----------------------------------------------------------------------------------- */

/* libstemmer does not say whether it lacks the language or memory: then English fails too. */
static trib_status report_failure(const char *language, trib_error *error) {
    TRIB_OWNED(trib_buffer) names = {0};
    trib_stemmer *english = sb_stemmer_new("english", NULL);
    const char **name = sb_stemmer_list();
    if (!english) return trib_fail(error, TRIB_MEMORY, "out of memory: the rules of stems");
    trib_stemmer_close(english);
    for (size_t i = 0; name[i]; i++)
        trib_buffer_print(&names, error, "%s%s", i > 0 ? ", " : "", name[i]);
    trib_status status = names.failure;
    if (status == TRIB_OK)
        status =
            trib_fail(error, TRIB_CONFIG, "no stems for the language '%s'; there are some for %s",
                      language, names.text);
    return status;
}

trib_status trib_stemmer_open(trib_stemmer **stemmer, const char *language, trib_error *error) {
    char name[32] = "";
    const size_t length = strcspn(language, "-_@"); /* "de-AT" is "de" */
    if (length < sizeof name)
        for (size_t i = 0; i < length; i++) name[i] = (char)tolower((unsigned char)language[i]);
    *stemmer = sb_stemmer_new(name, NULL);
    return *stemmer ? TRIB_OK : report_failure(language, error);
}

void trib_stemmer_close(trib_stemmer *stemmer) { sb_stemmer_delete(stemmer); }

trib_status trib_stemmer_stem(trib_stemmer *stemmer, const char *word, size_t length,
                              const char **stem, size_t *n, trib_error *error) {
    *stem = (const char *)sb_stemmer_stem(stemmer, (const sb_symbol *)word, (int)length);
    *n = *stem ? (size_t)sb_stemmer_length(stemmer) : 0;
    return *stem ? TRIB_OK : trib_fail(error, TRIB_MEMORY, "out of memory: the stem of a word");
}
