/* stem.c - stems of words, by libstemmer. */
#include "tokenizer/language.h"

#include <ctype.h>
#include <libstemmer.h>
#include <string.h>

/* libstemmer does not say whether it lacks the language or memory: then English fails too. */
static trib_status report_failure(const char *language, trib_error *error) {
    trib_buffer names = {0};
    trib_stemmer *english = sb_stemmer_new("english", NULL);
    const char **name = sb_stemmer_list();
    if (!english) return trib_fail(error, TRIB_MEMORY, "out of memory: the rules of stems");
    trib_stemmer_close(english);
    trib_status status = TRIB_OK;
    for (size_t i = 0; name[i] && status == TRIB_OK; i++)
        status = trib_buffer_print(&names, error, "%s%s", i > 0 ? ", " : "", name[i]);
    if (status == TRIB_OK)
        status =
            trib_fail(error, TRIB_CONFIG, "no stems for the language '%s'; there are some for %s",
                      language, names.text);
    trib_buffer_release(&names);
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
