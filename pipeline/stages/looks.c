/* looks.c - which texts are spelt in which way, and which transforms make texts of one language
 * comparable. The words of a text are looked at once (trib_words_look): whether it has accents, old
 * u and v, and so on. If one text has what another lacks, the words of both are compared: written
 * without such differences, are the words that show them as common in the other text as words that
 * do not? In a text of another language they are not. */
#include "pipeline/stages/tokens.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include "pipeline/stages/folds.h"
#include "pipeline/support/pack.h"
#include "pipeline/support/utf8.h"

/* ---- What a word shows ----------------------------------------------------------------------- */

enum sign {
    LATIN, /* scripts */
    UVIJ,  /* any of these letters */
    GREEK,
    HEBREW,
    ARABIC,
    CYRILLIC,
    HAN,
    KANA,
    ENGLISH,     /* `the` or `and` */
    V_INSIDE,    /* a v that is not the first letter */
    U_BETWEEN,   /* a u between vowels */
    V_CONSONANT, /* a v that is the first letter, before a consonant */
    J,
    I_VOWEL, /* an i that is the first letter, before a vowel */
    LIGATURE,
    ACCENT, /* on a Latin letter */
    GREEK_ACCENT,
    BREATHING, /* or another mark that modern Greek has not */
    POINTS,
    VOWEL_SIGNS,
    PERSIAN, /* kaf or ya as in Persian */
    ARABIAN, /* as in Arabic */
    HAMZA,   /* on or below an alif */
    YAT,
    YO,
    STRESS,
    TRADITIONAL,
    SIMPLIFIED,
    N_SIGNS,
    NONE
};

#define SIGN(sign) (UINT32_C(1) << (sign))

/* Common Chinese characters of which each has another simplified form, and these forms. */
static const uint16_t traditional[] = {
    0x500B, 0x5011, 0x554F, 0x5C0D, 0x5E2B, 0x611B, 0x6230, 0x6642, 0x66F8, 0x6771, 0x70BA,
    0x73FE, 0x767C, 0x7D93, 0x807D, 0x898B, 0x89AA, 0x8A71, 0x8A9E, 0x8AAA, 0x8AB0, 0x8ACB,
    0x8B80, 0x8B93, 0x8ECA, 0x8ECD, 0x9019, 0x9032, 0x904E, 0x9060, 0x9084, 0x9577, 0x9580,
    0x958B, 0x9593, 0x95DC, 0x96E3, 0x982D, 0x98A8, 0x98DB, 0x99AC, 0x9B5A, 0x9CE5, 0x9F8D};
static const uint16_t simplified[] = {
    0x4E1C, 0x4E2A, 0x4E3A, 0x4E66, 0x4EB2, 0x4EEC, 0x5173, 0x519B, 0x53D1, 0x542C, 0x5934,
    0x5BF9, 0x5E08, 0x5F00, 0x6218, 0x65F6, 0x7231, 0x73B0, 0x7ECF, 0x89C1, 0x8BA9, 0x8BDD,
    0x8BED, 0x8BF4, 0x8BF7, 0x8BFB, 0x8C01, 0x8F66, 0x8FC7, 0x8FD8, 0x8FD9, 0x8FDB, 0x8FDC,
    0x957F, 0x95E8, 0x95EE, 0x95F4, 0x96BE, 0x98CE, 0x98DE, 0x9A6C, 0x9C7C, 0x9E1F, 0x9F99};

static int compare_units(const void *a, const void *b) {
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static bool is_among(const uint16_t *list, size_t n, UChar32 c) {
    const uint16_t unit = (uint16_t)c;
    return c <= 0xFFFF && bsearch(&unit, list, n, sizeof *list, compare_units);
}

static bool has_marks(UChar32 c) {
    UErrorCode code = U_ZERO_ERROR;
    UChar parts[8];
    const UNormalizer2 *nfd = unorm2_getNFDInstance(&code);
    return U_SUCCESS(code) && unorm2_getDecomposition(nfd, c, parts, 8, &code) >= 0;
}

/* What single characters show. The first row that has a character counts. */
static const struct {
    uint16_t first, last;
    uint32_t signs;
} characters[] = {
    {0xC6, 0xC6, SIGN(LATIN) | SIGN(LIGATURE)},
    {0xE6, 0xE6, SIGN(LATIN) | SIGN(LIGATURE)},
    {0x152, 0x153, SIGN(LATIN) | SIGN(LIGATURE)},
    {0xC0, 0x24F, SIGN(LATIN)},
    {0x1E00, 0x1EFF, SIGN(LATIN)},
    {0x370, 0x3FF, SIGN(GREEK)},
    {0x1F00, 0x1FFF, SIGN(GREEK) | SIGN(GREEK_ACCENT) | SIGN(BREATHING)},
    {0x401, 0x401, SIGN(CYRILLIC) | SIGN(YO)},
    {0x451, 0x451, SIGN(CYRILLIC) | SIGN(YO)},
    {0x462, 0x463, SIGN(CYRILLIC) | SIGN(YAT)},
    {0x400, 0x52F, SIGN(CYRILLIC)},
    {0x5D0, 0x5EA, SIGN(HEBREW)},
    {0x591, 0x5BD, SIGN(POINTS)},
    {0x5BF, 0x5C7, SIGN(POINTS)},
    {0x622, 0x623, SIGN(ARABIC) | SIGN(HAMZA)},
    {0x625, 0x625, SIGN(ARABIC) | SIGN(HAMZA)},
    {0x643, 0x643, SIGN(ARABIC) | SIGN(ARABIAN)},
    {0x64A, 0x64A, SIGN(ARABIC) | SIGN(ARABIAN)},
    {0x6A9, 0x6A9, SIGN(ARABIC) | SIGN(PERSIAN)},
    {0x6CC, 0x6CC, SIGN(ARABIC) | SIGN(PERSIAN)},
    {0x620, 0x63F, SIGN(ARABIC)},
    {0x641, 0x64A, SIGN(ARABIC)},
    {0x671, 0x6D3, SIGN(ARABIC)},
    {0x64B, 0x65F, SIGN(VOWEL_SIGNS)},
    {0x670, 0x670, SIGN(VOWEL_SIGNS)},
    {0x3041, 0x30FF, SIGN(KANA)},
    {0x4E00, 0x9FFF, SIGN(HAN)},
};

/* What a character beyond ASCII shows in a word that has shown `before`. */
static uint32_t signs_of_character(UChar32 c, uint32_t before) {
    size_t row = 0;
    if (c >= 0x300 && c <= 0x36F)
        return (before & SIGN(LATIN) ? SIGN(ACCENT) : 0) |
               (before & SIGN(GREEK) ? SIGN(GREEK_ACCENT) : 0) |
               (before & SIGN(CYRILLIC) && c <= 0x301 ? SIGN(STRESS) : 0);
    while (row < sizeof characters / sizeof *characters &&
           (c < characters[row].first || c > characters[row].last))
        row++;
    if (row == sizeof characters / sizeof *characters) return 0;
    const uint32_t signs = characters[row].signs;
    if (signs == SIGN(LATIN) && has_marks(c)) return signs | SIGN(ACCENT);
    if (signs == SIGN(GREEK) && has_marks(c)) return signs | SIGN(GREEK_ACCENT);
    if (signs != SIGN(HAN)) return signs;
    const size_t n = sizeof traditional / sizeof *traditional;
    if (is_among(traditional, n, c)) return signs | SIGN(TRADITIONAL);
    return is_among(simplified, n, c) ? signs | SIGN(SIMPLIFIED) : signs;
}

static bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

static bool is_vowel(char c) {
    static const uint32_t vowels = 1 << 1 | 1 << 5 | 1 << 9 | 1 << 15 | 1 << 21 | 1 << 25;
    return is_letter(c) && (vowels >> (c & 31) & 1);
}

/* What a u, v, i or j at place i of a word shows. */
static uint32_t signs_of_letter(const char *word, size_t i, size_t length) {
    const char c = (char)(word[i] | 0x20), next = i + 1 < length ? word[i + 1] : '\0';
    uint32_t signs = SIGN(UVIJ);
    if (c == 'j') signs |= SIGN(J);
    if (c == 'v' && i > 0) signs |= SIGN(V_INSIDE);
    if (c == 'v' && i == 0 && is_letter(next) && !is_vowel(next)) signs |= SIGN(V_CONSONANT);
    if (c == 'u' && i > 0 && is_vowel(word[i - 1]) && is_vowel(next)) signs |= SIGN(U_BETWEEN);
    if (c == 'i' && i == 0 && is_vowel(next)) signs |= SIGN(I_VOWEL);
    return signs;
}

static uint32_t signs_of(const char *word, size_t length) {
    static const uint32_t uvij = 1 << 9 | 1 << 10 | 1 << 21 | 1 << 22;
    unsigned has_letters = 0, has_uvij = 0, bytes = 0;
    for (size_t i = 0; i < length; i++) { /* most words show nothing else */
        const unsigned c = (unsigned char)word[i], is_ascii = (c | 0x20) - 'a' < 26;
        bytes |= c;
        has_letters |= is_ascii;
        has_uvij |= is_ascii & uvij >> (c & 31);
    }
    uint32_t signs = has_letters ? SIGN(LATIN) : 0;
    for (size_t i = 0; i < length && (has_uvij || bytes >= 0x80);) {
        if ((unsigned char)word[i] >= 0x80) {
            const UChar32 c = trib_utf8_next(word, length, &i);
            signs |= c < 0 ? 0 : signs_of_character(c, signs);
        } else {
            if (is_letter(word[i]) && (uvij >> (word[i] & 31) & 1))
                signs |= signs_of_letter(word, i, length);
            i++;
        }
    }
    if (length == 3 && (memcmp(word, "the", 3) == 0 || memcmp(word, "and", 3) == 0))
        signs |= SIGN(ENGLISH);
    return signs;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* How many of 10 000 words in the script of a row show a sign, at least or at most. */
typedef struct part {
    enum sign sign; /* NONE: whatever they show */
    unsigned of_10000;
} part;

/* A way of spelling that some texts have, and others have not. */
static const struct {
    const char *preset; /* the transform that takes the difference away (tokenizer/transform.c) */
    const char *what;   /* what such texts have, for messages */
    enum sign script;
    int is_english;         /* 1: only in English; 0: not in English; -1: in any language */
    part least, most;       /* what texts show that have it: `least` at least, `most` at most */
    part other, other_most; /* and those that have not, in the same way */
    uint32_t shows, others; /* words that show it; words that show none of `others` cannot */
} rows[] = {
#define PARTS(a, n_a, b, n_b, c, n_c, d, n_d)                                                      \
    {a, n_a}, {b, n_b}, {c, n_c}, { d, n_d }
#define OLD_UV     SIGN(U_BETWEEN) | SIGN(V_CONSONANT), SIGN(UVIJ)
#define OLD_I      SIGN(I_VOWEL), SIGN(UVIJ)
#define ONLY(sign) SIGN(sign), SIGN(sign)
/* texts that have a sign at least so often, and others that have it at most so often */
#define MARKS(sign, often, rarely) PARTS(sign, often, NONE, 0, NONE, 0, sign, rarely)
    {"early-english", "the old u and v", LATIN, 1,
     PARTS(U_BETWEEN, 50, V_INSIDE, 100, V_INSIDE, 100, V_CONSONANT, 20), OLD_UV},
    {"early-english", "i for j", LATIN, 1, PARTS(I_VOWEL, 20, J, 5, J, 20, I_VOWEL, 20), OLD_I},
    {"latin", "the old u and v", LATIN, 0,
     PARTS(U_BETWEEN, 50, V_INSIDE, 30, V_INSIDE, 100, V_CONSONANT, 20), OLD_UV},
    {"latin", "i for j", LATIN, 0, PARTS(I_VOWEL, 30, J, 3, J, 30, I_VOWEL, 50), OLD_I},
    {"ligatures", "ligatures", LATIN, -1, MARKS(LIGATURE, 20, 1), ONLY(LIGATURE)},
    {"fold-accents", "accents", LATIN, -1, MARKS(ACCENT, 150, 5), ONLY(ACCENT)},
    {"greek-bare", "accents", GREEK, -1, MARKS(GREEK_ACCENT, 3000, 300), ONLY(GREEK_ACCENT)},
    {"greek-bare", "breathings", GREEK, -1,
     PARTS(BREATHING, 1000, NONE, 0, GREEK_ACCENT, 3000, BREATHING, 50), ONLY(BREATHING)},
    {"hebrew-bare", "points", HEBREW, -1, MARKS(POINTS, 2000, 200), ONLY(POINTS)},
    {"arabic-bare", "vowel signs", ARABIC, -1, MARKS(VOWEL_SIGNS, 1500, 500), ONLY(VOWEL_SIGNS)},
    {"arabic-bare", "the kaf and ya of Persian", ARABIC, -1,
     PARTS(PERSIAN, 300, ARABIAN, 30, ARABIAN, 300, PERSIAN, 30), ONLY(PERSIAN)},
    {"arabic-bare", "hamza on alif", ARABIC, -1, MARKS(HAMZA, 300, 5), ONLY(HAMZA)},
    {"russian", "yat", CYRILLIC, -1, MARKS(YAT, 100, 1), ONLY(YAT)},
    {"russian", "\xD1\x91", CYRILLIC, -1, MARKS(YO, 50, 1), ONLY(YO)},
    {"russian", "stress marks", CYRILLIC, -1, MARKS(STRESS, 300, 2), ONLY(STRESS)},
    {"han", "traditional characters", HAN, -1,
     PARTS(TRADITIONAL, 300, SIMPLIFIED, 30, SIMPLIFIED, 300, TRADITIONAL, 30), ONLY(TRADITIONAL)},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* ---- Looking at a text ----------------------------------------------------------------------- */

enum { WORDS_LEAST = 100 }; /* of a script, so that a text says something about it */

static bool is_most(const uint64_t c[N_SIGNS], enum sign script, part p) {
    return p.sign == NONE || c[p.sign] * 10000 <= p.of_10000 * c[script];
}

static bool is_least(const uint64_t c[N_SIGNS], enum sign script, part p) {
    return p.sign == NONE || c[p.sign] * 10000 >= p.of_10000 * c[script];
}

void trib_words_look(const trib_words *words, trib_looks *looks) {
    uint64_t c[N_SIGNS] = {0};
    *looks = (trib_looks){0, 0};
    for (uint32_t w = 0; w < words->n_words; w++) {
        uint32_t signs =
            signs_of(trib_words_spelling(words, w), words->start[w + 1] - words->start[w] - 1);
        for (unsigned s = 0; signs; s++, signs >>= 1)
            if (signs & 1) c[s] += words->count[w];
    }
    const int is_english = c[ENGLISH] * 100 >= 3 * c[LATIN];
    const bool is_japanese = c[KANA] * 20 > c[HAN];
    for (unsigned r = 0; r < N_ROWS; r++) {
        const enum sign script = rows[r].script;
        if (c[script] < WORDS_LEAST || (script == HAN && is_japanese) ||
            (rows[r].is_english >= 0 && rows[r].is_english != is_english))
            continue;
        if (is_least(c, script, rows[r].least) && is_most(c, script, rows[r].most))
            looks->has |= UINT32_C(1) << r;
        else if (is_least(c, script, rows[r].other) && is_most(c, script, rows[r].other_most))
            looks->lacks |= UINT32_C(1) << r;
    }
}

/* ---- Comparing texts ------------------------------------------------------------------------- */

enum { ENOUGH = 1 << 16 }; /* different words that are compared */

/* How many words of a text that has what a row says show it, and cannot show it, and how many of
 * these are words of texts that have it not. */
typedef struct tally {
    uint64_t shows, both_show, cannot, both_cannot;
} tally;

/* What was found for a row. */
typedef struct found {
    uint32_t document; /* the first one that needs the transform; UINT32_MAX: none */
    char example[40];  /* its most frequent word that shows it and has another spelling elsewhere */
} found;

typedef struct choosing {
    const trib_corpus *corpus;
    trib_corpus_words *words;
    uint32_t wanted;         /* the rows of which one text has what another has not */
    trib_transform *letters; /* writes a word without differences */
    /* the words of texts that have not what a row says, with a bit for each such row */
    trib_fold_sample own, all; /* of this rank; of all */
    found found[N_ROWS];
    trib_error *error;
} choosing;

/* Calls `visit` with the words of a document that are long enough not to be alike by chance: 4
 * letters in Latin and the like, 3 in other scripts. */
static trib_status each_word(choosing *c, const trib_document_words *document,
                             trib_status (*visit)(choosing *c, const trib_looks *looks,
                                                  uint64_t number, const char *word, uint64_t count,
                                                  void *to),
                             void *to) {
    const trib_looks looks = {document->looks.has & c->wanted, document->looks.lacks & c->wanted};
    trib_words words;
    trib_status status = trib_document_words_open(document, &words, c->error);
    if (status != TRIB_OK) return status;
    for (uint32_t w = 0; w < words.n_words && status == TRIB_OK; w++) {
        const char *word = trib_words_spelling(&words, w);
        char letters[TRIB_FOLD_MAX];
        size_t n = 0;
        status = trib_fold(c->letters, word, letters, &n, c->error);
        if (status == TRIB_OK && n >= ((unsigned char)*word < 0xD6 ? 4 : 6))
            status = visit(c, &looks, trib_fold_number(letters, n), word, words.count[w], to);
    }
    trib_words_close(&words);
    return status;
}

static trib_status add_word(choosing *c, const trib_looks *looks, uint64_t number, const char *word,
                            uint64_t count, void *to) {
    const uint32_t signs = signs_of(word, strlen(word));
    trib_sampled_fold fold = {number, 0};
    (void)count;
    for (unsigned r = 0; r < N_ROWS; r++)
        if ((looks->lacks >> r & 1) && !(signs & rows[r].shows)) fold.bits |= UINT32_C(1) << r;
    return fold.bits ? trib_fold_sample_add(to, &fold, c->error) : TRIB_OK;
}

/* The tallies of a document, and the example of each row. */
typedef struct tallies {
    tally of[N_ROWS];
    uint64_t count[N_ROWS]; /* of the example */
    char example[N_ROWS][sizeof((found *)0)->example];
} tallies;

static trib_status tally_word(choosing *c, const trib_looks *looks, uint64_t number,
                              const char *word, uint64_t count, void *to) {
    tallies *t = to;
    const size_t length = strlen(word);
    const uint32_t signs = signs_of(word, length);
    const uint64_t there = trib_fold_sample_find(&c->all, number);
    if (number > c->all.below) return TRIB_OK;
    for (unsigned r = 0; r < N_ROWS; r++) {
        const bool both = there >> r & 1;
        if (!(looks->has >> r & 1) || !(signs & SIGN(rows[r].script))) continue;
        if (signs & rows[r].shows) {
            t->of[r].shows += count;
            t->of[r].both_show += both ? count : 0;
            if (!both || count <= t->count[r] || length >= sizeof t->example[r]) continue;
            t->count[r] = count;
            memcpy(t->example[r], word, length + 1);
        } else if (!(signs & rows[r].others)) {
            t->of[r].cannot += count;
            t->of[r].both_cannot += both ? count : 0;
        }
    }
    return TRIB_OK;
}

/* Whether words that show what a row says are as common in texts that have it not as words that
 * cannot show it, of which many are: these are texts in the same language. Where nearly every word
 * shows it there is nothing to compare with. */
static bool is_needed(const tally *t) {
    if (t->both_show < 10 || 10 * t->both_show < t->shows) return false;
    if (t->cannot * 4 < t->shows) return 4 * t->both_show >= t->shows;
    return 9 * t->both_cannot >= 2 * t->cannot &&
           3 * t->both_show * t->cannot >= t->both_cannot * t->shows;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

static void pack_words(void *context, int from, trib_pack *pack) {
    choosing *c = context;
    trib_fold_sample got = c->own;
    (void)from;
    if (pack->reads) got = (trib_fold_sample){0};
    trib_pack_list(pack, &got.word, &got.n, sizeof *got.word, "words to compare");
    for (size_t i = 0; i < got.n && trib_pack_is_good(pack); i++)
        (void)trib_fold_sample_add(&c->all, &got.word[i], &pack->failure);
    if (pack->reads) trib_free(got.word);
}

static void pack_found(void *context, int from, trib_pack *pack) {
    choosing *c = context;
    (void)from;
    for (unsigned r = 0; r < N_ROWS && trib_pack_is_good(pack); r++) {
        found one = c->found[r];
        TRIB_PACK(pack, one);
        trib_pack_expect(pack, memchr(one.example, 0, sizeof one.example));
        if (one.document < c->found[r].document) c->found[r] = one;
    }
}

/* Appends "ID" or "ID and 3 more": the texts that have what a row says, or have it not. */
static void list_texts(const choosing *c, trib_buffer *to, unsigned r, bool have) {
    const char *first = "";
    uint32_t n = 0;
    for (uint32_t d = 0; d < c->words->n_documents; d++) {
        const trib_looks *looks = &c->words->document[d].looks;
        if (!((have ? looks->has : looks->lacks) >> r & 1)) continue;
        if (n++ == 0) first = c->corpus->document[d].about->id;
    }
    trib_buffer_print(to, c->error, "%s", first);
    if (n > 1) trib_buffer_print(to, c->error, " and %u more", (unsigned)(n - 1));
}

/* Says why a row is taken. */
static trib_status say(const choosing *c, unsigned r) {
    TRIB_OWNED(trib_buffer) text = {0};
    trib_transform *transform = NULL;
    const char *example = c->found[r].example, *norm = NULL;
    size_t n = 0;
    trib_status status = trib_transform_open(&transform, rows[r].preset, NULL, c->error);
    if (status == TRIB_OK)
        status = trib_transform_do(transform, example, strlen(example), &norm, &n, c->error);
    trib_buffer_print(&text, c->error, "tokens.transform: %s, because some texts have %s (",
                      rows[r].preset, rows[r].what);
    list_texts(c, &text, r, true);
    trib_buffer_print(&text, c->error, ") and others have not (");
    list_texts(c, &text, r, false);
    trib_buffer_print(&text, c->error, ")");
    if (*example) trib_buffer_print(&text, c->error, ": %s", example);
    if (norm && strcmp(norm, example) != 0)
        trib_buffer_print(&text, c->error, " counts as %s", norm);
    trib_buffer_print(&text, c->error, "; `tokens.transform: null` undoes it");
    if (status == TRIB_OK) status = text.failure;
    if (status == TRIB_OK) status = trib_taken_say(&c->words->taken, text.text, c->error);
    trib_transform_close(transform);
    return status;
}

static trib_status take(choosing *c) {
    TRIB_OWNED(trib_buffer) list = {0};
    const char *last = "";
    trib_status status = TRIB_OK;
    for (unsigned r = 0; r < N_ROWS && status == TRIB_OK; r++) {
        const bool is_taken =
            c->found[r].document < UINT32_MAX || (rows[r].script == HAN && c->wanted >> r & 1);
        if (!is_taken) continue;
        status = say(c, r);
        if (status == TRIB_OK && strcmp(last, rows[r].preset) != 0)
            status = trib_buffer_print(&list, c->error, "%s%s", *last ? ", " : "", rows[r].preset);
        last = rows[r].preset;
    }
    if (status == TRIB_OK && list.length > 0)
        status = trib_copy_text(&c->words->taken.transform, list.text, list.length, c->error);
    return status;
}

/* Compares the words of a document with those of the texts that have not what it has. */
static trib_status compare_document(choosing *c, uint32_t d) {
    tallies t = {.count = {0}};
    const trib_status status = each_word(c, &c->words->document[d], tally_word, &t);
    for (unsigned r = 0; r < N_ROWS && status == TRIB_OK; r++)
        if (c->found[r].document == UINT32_MAX && is_needed(&t.of[r])) {
            c->found[r].document = d;
            memcpy(c->found[r].example, t.example[r], sizeof t.example[r]);
        }
    return status;
}

/* Compares the texts of all ranks. */
static trib_status compare_all(choosing *c, const trib_comm *comm, trib_status status) {
    const uint32_t n = c->words->n_documents;
    const trib_document_words *document = c->words->document;
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++)
        if (document[d].rank == comm->rank && (document[d].looks.lacks & c->wanted))
            status = each_word(c, &document[d], add_word, &c->own);
    trib_fold_sample_settle(&c->own);
    if (comm->size > 1) status = trib_comm_tell_all(comm, status, false, pack_words, c, c->error);
    else c->all = c->own, c->own = (trib_fold_sample){0};
    trib_fold_sample_settle(&c->all);
    for (uint32_t d = 0; d < n && status == TRIB_OK; d++)
        if (document[d].rank == comm->rank && (document[d].looks.has & c->wanted))
            status = compare_document(c, d);
    return trib_comm_tell_all(comm, status, false, pack_found, c, c->error);
}

trib_status trib_looks_choose(const trib_environment *env, trib_status status,
                              const trib_corpus *corpus, trib_corpus_words *words,
                              trib_error *error) {
    choosing c = {.corpus = corpus, .words = words, .error = error};
    trib_looks all = {0, 0};
    uint64_t n = 0;
    for (uint32_t d = 0; d < words->n_documents && status == TRIB_OK; d++) {
        n += words->document[d].n_words;
        all.has |= words->document[d].looks.has;
        all.lacks |= words->document[d].looks.lacks;
    }
    c.wanted = all.has & all.lacks;
    if (status == TRIB_OK && !c.wanted) return TRIB_OK; /* the same on every rank */
    c.own.below = c.all.below = n > ENOUGH ? UINT64_MAX / n * ENOUGH : UINT64_MAX;
    for (unsigned r = 0; r < N_ROWS; r++) c.found[r].document = UINT32_MAX;
    if (status == TRIB_OK)
        status = trib_transform_open(&c.letters, "arabic-bare, greek-bare, russian, letters", NULL,
                                     error);
    status = compare_all(&c, env->comm, status);
    if (status == TRIB_OK) status = take(&c);
    trib_transform_close(c.letters);
    TRIB_FREE(c.own.word, c.all.word);
    return status;
}
