/* date_words.c - cuts a written date into its parts, and knows the words in it. Names of months are
 * those of ICU; the few other words are listed here. And what is shown of a date. */
#include "pipeline/config/date.h"
#include "pipeline/config/date_parts.h"

#include <ctype.h>
#include <pthread.h>
#include <strings.h>

#include <unicode/uchar.h>
#include <unicode/udat.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>

#include "base/base.h"

/* ---- Months ---------------------------------------------------------------------------------- */

enum { MONTHS = 12, NAME = 32 };
static const char *const languages[] = {"en", "de", "de_AT", "fr", "es", "it", "la", "pt", "nl"};
enum { LANGUAGES = sizeof languages / sizeof *languages };
static char names[LANGUAGES][MONTHS][NAME]; /* folded, UTF-8; "" where ICU knows none */

/* Folds a text to lower case. false when it is too long. */
static bool fold(char *to, int32_t cap, const UChar *from, int32_t length) {
    UChar folded[TRIB_DATE_BYTES];
    UErrorCode code = U_ZERO_ERROR;
    const int32_t n =
        u_strFoldCase(folded, TRIB_DATE_BYTES, from, length, U_FOLD_CASE_DEFAULT, &code);
    u_strToUTF8(to, cap, NULL, folded, n, &code);
    return U_SUCCESS(code) && code != U_STRING_NOT_TERMINATED_WARNING;
}

/* Loads the names once; a language without names has none. */
static void load_names(void) {
    for (size_t l = 0; l < LANGUAGES; l++) {
        UErrorCode code = U_ZERO_ERROR;
        UDateFormat *format =
            udat_open(UDAT_NONE, UDAT_LONG, languages[l], NULL, 0, NULL, 0, &code);
        for (int32_t m = 0; m < MONTHS && U_SUCCESS(code); m++) {
            UChar name[NAME];
            const int32_t n = udat_getSymbols(format, UDAT_STANDALONE_MONTHS, m, name, NAME, &code);
            if (U_FAILURE(code) || !fold(names[l][m], NAME, name, n)) names[l][m][0] = '\0';
        }
        udat_close(format);
    }
}

static size_t count_letters(const char *word) {
    size_t n = 0;
    for (; *word; word++) n += ((unsigned char)*word & 0xC0) != 0x80;
    return n;
}

int trib_date_month(const char *word) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const size_t length = strlen(word);
    int found = 0;
    if (count_letters(word) < 3) return 0;
    if (pthread_once(&once, load_names) != 0) return 0;
    for (size_t l = 0; l < LANGUAGES; l++)
        for (int m = 0; m < MONTHS; m++) {
            if (strncmp(names[l][m], word, length) != 0) continue;
            if (names[l][m][length] == '\0') return m + 1;
            if (found != 0 && found != m + 1) return 0;
            found = m + 1;
        }
    return found == 0 && strcmp(word, "sept") == 0 ? 9 : found;
}

/* ---- Other words ----------------------------------------------------------------------------- */

static const struct {
    unsigned meaning;
    const char *words; /* folded, each between blanks */
} meanings[] = {
    {TRIB_DATE_ABOUT, " c ca circa cca about around approx approximately probably possibly perhaps "
                      "est estimated um etwa gegen wohl vermutlich vers environ hacia verso fl "},
    {TRIB_DATE_LEAD, " anno domini the le on in im am den printed published written spring summer "
                     "autumn winter fr\xC3\xBChling sommer herbst "},
    {TRIB_DATE_BEFORE, " before vor avant antes prima ante "},
    {TRIB_DATE_AFTER, " after nach apr\xC3\xA8s despu\xC3\xA9s dopo post "},
    {TRIB_DATE_UNTIL, " to until till through by bis jusque hasta fino "},
    {TRIB_DATE_SINCE, " from since seit ab depuis desde "},
    {TRIB_DATE_BETWEEN, " from between von zwischen entre fra tra de dal in "},
    {TRIB_DATE_AND, " and or und oder et ou y o e a \xC3\xA0 al "},
    {TRIB_DATE_NOT, " not nicht non "},
    {TRIB_DATE_OF, " of the de del di du des dem d "},
    {TRIB_DATE_ORDINAL, " st nd rd th er re e eme \xC3\xA8me \xC2\xBA \xC2\xAA o "},
    {TRIB_DATE_CENTURY, " century cent centuries jh jhd jhdt jahrhundert jahrhunderts si\xC3\xA8"
                        "cle siecle s siglo sec secolo saec saeculum saeculo s\xC3\xA9"
                        "culo \xD0\xB2\xD0\xB5\xD0\xBA \xD0\xB2\xD0\xB5\xD0\xBA\xD0\xB0 "},
    {TRIB_DATE_EARLY, " early beginning first fr\xC3\xBChes anfang d\xC3\xA9"
                      "but inizio principios "},
    {TRIB_DATE_MIDDLE, " mid middle mitte milieu met\xC3\xA0 mediados "},
    {TRIB_DATE_LATE, " late end second sp\xC3\xA4tes ende fin fine finales "},
    {TRIB_DATE_HALF, " half h\xC3\xA4"
                     "lfte moiti\xC3\xA9 mitad "},
    {TRIB_DATE_BC, " bc bce "},
    {TRIB_DATE_AD, " ad ce "},
};

unsigned trib_date_meanings(const char *word) {
    char wanted[TRIB_DATE_WORD + 2] = " ";
    unsigned found = 0;
    if (!*word) return 0;
    strcat(strcat(wanted, word), " ");
    for (size_t m = 0; m < sizeof meanings / sizeof *meanings; m++)
        if (strstr(meanings[m].words, wanted)) found |= meanings[m].meaning;
    return found;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Writes the letters that mean the same to people as one: dashes, blanks. Drops brackets and signs
 * of doubt. Returns the new length. */
static int32_t unify(UChar *text, int32_t n) {
    int32_t length = 0;
    for (int32_t i = 0; i < n; i++) {
        const UChar c = text[i];
        if (c < 128 && strchr("[]()?~%<>", (char)c) && c != 0) continue;
        if (c == 0xAD || c == 0x200B || c == 0xFEFF || c == 0xA9) continue;
        const bool is_dash = (c >= 0x2010 && c <= 0x2015) || c == 0x2212;
        const int32_t digit = u_charDigitValue(c);
        if (c == 0x5E74) continue; /* "year" in Chinese and Japanese */
        text[length++] = digit >= 0           ? (UChar)('0' + digit)
                         : is_dash            ? '-'
                         : u_isUWhiteSpace(c) ? ' '
                         : c == 0x2019        ? '\''
                                              : c;
    }
    return length;
}

/* Reads digits, and signs for those that are unknown: "187X", "187u", "18--". */
static const char *cut_number(trib_date_part *part, const char *text) {
    part->number = 0;
    for (; *text >= '0' && *text <= '9' && part->n_digits < 6; text++, part->n_digits++)
        part->number = part->number * 10 + (*text - '0');
    const size_t n = strspn(text, "xu-");
    const bool is_unknown =
        n > 0 && part->n_digits > 0 && part->n_digits + n == 4 && !isalnum((unsigned char)text[n]);
    for (const char *end = text + n; is_unknown && text < end;
         text++, part->n_digits++, part->n_unknown++)
        part->number *= 10;
    return text;
}

/* The year of a title page, "mdccclxxi"; 0: the word is none. */
static int year_of_roman(const char *word) {
    static const char letters[] = "mdclxvi";
    static const int values[] = {1000, 500, 100, 50, 10, 5, 1, 0};
    const size_t n = strlen(word);
    int year = 0;
    if (n < 3 || *word != 'm' || !strchr("mdc", word[1]) || strspn(word, letters) != n) return 0;
    for (size_t i = 0; i < n; i++) {
        const int value = values[strchr(letters, word[i]) - letters];
        const int next = word[i + 1] ? values[strchr(letters, word[i + 1]) - letters] : 0;
        year += value < next ? -value : value;
    }
    return year >= 1400 && year < 2100 ? year : 0;
}

/* Reads letters. The full stop after them belongs to them. NULL: there are too many. */
static const char *cut_word(trib_date_part *part, const char *text) {
    const uint8_t *bytes = (const uint8_t *)text;
    size_t n = 0;
    for (UChar32 c; text[n] != '\0';) {
        int32_t next = (int32_t)n;
        U8_NEXT(bytes, next, -1, c);
        if (c < 0 || !(u_isalpha(c) || c == 0xBA || c == 0xAA)) break;
        n = (size_t)next;
    }
    part->number = -1;
    if (n == 0 || n >= TRIB_DATE_WORD) return NULL;
    memcpy(part->word, text, n);
    const int year = year_of_roman(part->word);
    if (year > 0) *part = (trib_date_part){.number = year, .n_digits = 4};
    return text + n + (text[n] == '.');
}

size_t trib_date_cut(trib_date_part part[TRIB_DATE_PARTS], const char *text) {
    UChar wide[TRIB_DATE_BYTES];
    char folded[4 * TRIB_DATE_BYTES];
    int32_t length = 0;
    UErrorCode code = U_ZERO_ERROR;
    size_t n = 0;
    u_strFromUTF8(wide, TRIB_DATE_BYTES - 1, &length, text, -1, &code);
    if (U_FAILURE(code) || !fold(folded, (int32_t)sizeof folded, wide, unify(wide, length)))
        return 0;
    for (const char *at = folded; *(at += strspn(at, " '"));) {
        if (n == TRIB_DATE_PARTS) return 0;
        trib_date_part *next = &part[n++];
        *next = (trib_date_part){0};
        if (*at >= '0' && *at <= '9') at = cut_number(next, at);
        else if (strchr("-/.,", *at)) next->sign = *at++;
        else at = cut_word(next, at);
        if (!at) return 0;
    }
    return n;
}

/* ---- Showing and placing them ---------------------------------------------------------------- */

bool trib_date_is_estimated(const char *text) { return strncasecmp(text, "est.", 4) == 0; }

void trib_date_close(double *year, double *year_end) {
    if (isinf(*year)) *year = *year_end - 1;
    if (isinf(*year_end)) *year_end = *year + 1;
}

double trib_date_point(double year, double year_end) {
    trib_date_close(&year, &year_end);
    return year_end - year > 1 ? (year + (year_end - 1)) / 2 : year;
}
