/* account.c - counts for the account of a text while it is read. */
#include "pipeline/text/account.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "pipeline/support/utf8.h"

const trib_account_column trib_account_columns[TRIB_ACCOUNT_COLUMNS] = {
#define ROW(name, title, what) {#name, title, what},
    TRIB_ACCOUNT_COUNTS(ROW){"left_out", "Left out", "elements that are not read, words"},
    {"unknown", "Unknown", "elements that no table of markup names, times"},
    {"begins", "Begins", "the first words"},
    {"ends", "Ends", "the last words"}};

uint64_t trib_words_in(const char *text, size_t length) {
    enum { LETTERS = 2 }; /* of a word, in a script without spaces */
    uint64_t n = 0, n_spaceless = 0;
    bool is_in_word = false;
    for (size_t i = 0; i < length;) {
        UErrorCode code = U_ZERO_ERROR;
        UChar32 c = (unsigned char)text[i];
        if (c >= 0x80) c = trib_utf8_next(text, length, &i);
        else i++;
        const bool is_letter = c < 0x80 ? (c | 0x20) >= 'a' && (c | 0x20) <= 'z' : u_isalpha(c);
        const bool has_no_spaces =
            c >= 0xE00 && is_letter && uscript_breaksBetweenLetters(uscript_getScript(c, &code));
        n += is_letter && !is_in_word && !has_no_spaces;
        n_spaceless += has_no_spaces;
        is_in_word = is_letter || (is_in_word && c >= 0x80 && !u_isspace(c)) || c == '\'';
    }
    return n + (n_spaceless + LETTERS - 1) / LETTERS;
}

void trib_named_count_add(trib_named_count list[TRIB_ACCOUNT_NAMES], const char *name, uint64_t n) {
    size_t i = 0;
    const size_t most = sizeof list->name - 1;
    while (i < TRIB_ACCOUNT_NAMES && *list[i].name && strncmp(list[i].name, name, most) != 0) i++;
    if (i == TRIB_ACCOUNT_NAMES || n == 0) return;
    if (!*list[i].name) snprintf(list[i].name, sizeof list->name, "%.*s", (int)most, name);
    list[i].n += (uint32_t)n;
}

/* Writes a list: "<teiHeader> 812, <fw> 20". */
static void list(char text[TRIB_ACCOUNT_TEXT], const trib_named_count *named) {
    int length = 0;
    for (size_t i = 0; i < TRIB_ACCOUNT_NAMES && *named[i].name; i++)
        length += snprintf(text + length, TRIB_ACCOUNT_TEXT - (size_t)length, "%s<%.24s> %lu",
                           i > 0 ? ", " : "", named[i].name, (unsigned long)named[i].n);
}

void trib_account_cell(char text[TRIB_ACCOUNT_TEXT], const trib_account *account, size_t column) {
    const size_t texts = column - TRIB_ACCOUNT_ROWS;
    text[0] = '\0';
    if (column < TRIB_ACCOUNT_ROWS)
        snprintf(text, TRIB_ACCOUNT_TEXT, "%llu",
                 (unsigned long long)trib_account_count(&account->counts, column));
    else if (texts < 2) list(text, texts == 0 ? account->left_out : account->unknown);
    else snprintf(text, TRIB_ACCOUNT_TEXT, "%.319s", texts == 2 ? account->begins : account->ends);
}

/* ---- Signs in a text ------------------------------------------------------------------------- */

/* What markup is written with, when it is read as words. */
static const struct {
    char first;
    const char *second; /* a letter: any */
    const char *name, *remedy;
} signs[TRIB_ACCOUNT_SIGNS] = {
    {'<', "a/!", "<p>", "give the file a name that ends in .html or .xml"},
    {'\\', "a", "\\name", "give the file a name that ends in .tex or .rtf"},
    {'[', "[", "[[", "give the file a name that ends in .wiki"},
    {'{', "{", "{{", "give the file a name that ends in .wiki"},
    {']', "(", "](", "give the file a name that ends in .md"},
    {'&', "a#", "&name;", "decode its entities"},
};

void trib_account_scan(trib_account *account, const char *text, size_t length) {
    enum { LONG = 1 << 15 };
    static const char lost[] = "\xEF\xBF\xBD";
    const char *const end = text + length;
    for (const char *at = text;
         (at = memchr(at, (unsigned char)lost[0], (size_t)(end - at))) != NULL; at++)
        account->counts.lost += end - at > 2 && at[1] == lost[1] && at[2] == lost[2];
    /* of a long block, a quarter stands for the whole */
    const uint32_t weight = length < LONG ? 1 : 4;
    const char *const stop = text + length / weight;
    for (size_t s = 0; s < TRIB_ACCOUNT_SIGNS; s++)
        for (const char *at = text; (at = memchr(at, signs[s].first, (size_t)(stop - at))); at++) {
            const char c = at + 1 < end ? at[1] : '\0';
            const bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            const char next = *signs[s].second == 'a' && is_letter ? 'a' : c;
            const uint32_t n = next && strchr(signs[s].second, next) ? weight : 0;
            account->sign[s] += n;
            account->counts.signs += n;
        }
}

bool trib_account_doubt(const trib_account *account, uint64_t n_words, trib_buffer *why,
                        trib_error *error) {
    const trib_account_counts *n = &account->counts;
    size_t most = 0;
    for (size_t s = 1; s < TRIB_ACCOUNT_SIGNS; s++)
        if (account->sign[s] > account->sign[most]) most = s;
    if (n->lost >= 8 && n->lost * 5 > n_words)
        trib_buffer_print(why, error,
                          "a large part of the characters is lost; set corpus.encoding to auto, or "
                          "to the encoding of the file");
    else if (n->signs >= 20 && n->signs * 30 > n_words)
        trib_buffer_print(why, error,
                          "markup is read as words: it has %llu signs such as %s; %s, or take the "
                          "markup out",
                          (unsigned long long)n->signs, signs[most].name, signs[most].remedy);
    else if (account->most_common >= 60 && account->least_common * 5 < account->most_common)
        trib_buffer_print(why, error,
                          "its parts seem to be in different languages; if they are different "
                          "texts, put each into a file of its own");
    return why->length > 0;
}
