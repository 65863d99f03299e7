/* families.c - the families of passages as people read them: who holds the words, the earliest
 * first, and whether the target says that it quotes them. */
#include <unicode/uchar.h>

#include "pipeline/config/config.h"
#include "pipeline/output/result.h"
#include "pipeline/support/utf8.h"

enum {
    NEAR = 30,       /* words on each side in which a name or a verb of saying is sought */
    AROUND = 60,     /* words on each side in which quotation marks are sought */
    NAME_LEAST = 4,  /* characters of a word of a title that names the text */
    NAME_PART = 1000 /* a name is at most one word in so many of the corpus */
};

/* Verbs of saying, between spaces: English, Latin, German, French, Spanish, Italian, Portuguese,
 * Dutch, Greek. */
static const char sayings[] =
    " said says saith sayeth wrote writes written quoth quotes quoted spake speaketh declares "
    "declared tells reads according observes remarked "
    "inquit ait dicit dixit dicitur dictum scribit scripsit scriptum inquiunt dicunt testatur "
    "sagt sagte spricht sprach schreibt schrieb geschrieben heißt zitiert "
    "dit disait disent écrit écrivait déclare selon "
    "dice dijo escribe escribió escrito según afirma "
    "disse scrive scrisse scritto secondo diz escreve escreveu escrito segundo "
    "zegt zei schrijft schreef geschreven volgens "
    "λέγει φησί φησίν εἶπεν εἶπε ἔφη γράφει γέγραπται λέγων ";

/* ---- Attributed ------------------------------------------------------------------------------ */

/* Whether a name has this word, with a capital letter where the script has them; `last`: as its
 * last one, or as the one before a comma. */
static bool has_word(const char *name, const char *word, bool last) {
    const size_t length = name ? strlen(name) : 0, n = strlen(word);
    bool is_inside = false, is_same = false, is_found = false;
    for (size_t at = 0, w = 0; at <= length && !is_found;) {
        const bool is_end = at == length;
        const UChar32 c = is_end ? 0 : trib_utf8_next(name, length, &at);
        at += is_end;
        if (c > 0 && u_isalnum(c)) {
            if (!is_inside) w = 0, is_same = !u_islower(c);
            const UChar32 other = w < n ? trib_utf8_next(word, n, &w) : 0;
            is_same = is_same && other > 0 && u_foldCase(c, 0) == u_foldCase(other, 0);
            is_inside = true;
            continue;
        }
        is_found = is_inside && is_same && w == n && (!last || c == 0 || c == ',');
        is_inside = false;
    }
    return is_found;
}

/* A family and where it stands. */
typedef struct place {
    const trib_quotes *quotes;
    const trib_quoted *text; /* of the target */
    const trib_corpus_document *about;
    size_t first, last, n_tokens;
    const uint32_t *witness; /* [n] */
    size_t n;
} place;

/* Whether a word names one of the witnesses, and not the target itself. */
static bool is_name(const place *p, uint32_t id) {
    const trib_run_results *const results = p->quotes->results;
    const trib_vocab *const vocab = results->vocab;
    const char *const word = vocab->word[id];
    if (vocab->count[id] > vocab->n_tokens / NAME_PART + NAME_LEAST || strlen(word) < NAME_LEAST ||
        has_word(p->about->title, word, false) || has_word(p->about->author, word, false))
        return false;
    for (size_t i = 0; i < p->n; i++) {
        const trib_corpus_document *const about = results->corpus->document[p->witness[i]].about;
        if (has_word(about->author, word, true) || has_word(about->title, word, false)) return true;
    }
    return false;
}

static bool is_saying(const place *p, uint32_t id) {
    char word[32];
    const char *const text = p->quotes->results->vocab->word[id];
    return snprintf(word, sizeof word, " %s ", text) < (int)sizeof word && strstr(sayings, word);
}

/* The word beside the place, the nearest first, for which a test holds; NULL: none. */
static const char *nearest(const place *p, bool (*holds)(const place *p, uint32_t id)) {
    const trib_vocab *const vocab = p->quotes->results->vocab;
    for (size_t k = 1; k <= NEAR; k++) {
        const size_t at[] = {p->first - k, p->last + k};
        for (size_t i = 0; i < 2; i++) {
            const uint32_t id = at[i] < p->n_tokens ? p->text->word[at[i]] : TRIB_NO_WORD;
            if (id < vocab->n_words && id != vocab->other && holds(p, id)) return vocab->word[id];
        }
    }
    return NULL;
}

/* ---- Quoted ---------------------------------------------------------------------------------- */

typedef enum mark { NO_MARK, OPENS, CLOSES, EITHER } mark;

/* What a character is where its neighbours do not tell. */
static mark mark_of(UChar32 c) {
    const int8_t type = u_charType(c);
    if (c == '"' || c == 0xFF02) return EITHER;
    if (c == 0x201E || c == 0x300C || c == 0x300E || type == U_INITIAL_PUNCTUATION) return OPENS;
    return c == 0x300D || c == 0x300F || type == U_FINAL_PUNCTUATION ? CLOSES : NO_MARK;
}

/* How the words of a place stand between quotation marks. */
typedef struct marks {
    mark last;
    size_t n_open;            /* marks like 6, of which those like 9 are else apostrophes */
    size_t n_inside, n_since; /* words inside; since the last mark */
} marks;

/* Takes a mark; words stand inside after one that opens, or before one that closes. */
static void take_mark(marks *m, mark kind) {
    if (m->last == OPENS || kind == CLOSES) m->n_inside += m->n_since;
    m->n_since = 0;
    m->last = kind;
}

/* Takes the marks of what stands between two words. */
static void take_gap(marks *m, const char *gap, size_t n) {
    UChar32 before = 'a', next;
    for (size_t i = 0, at; i < n; before = next) {
        next = trib_utf8_next(gap, n, &i);
        at = i;
        mark kind = next > 0 ? mark_of(next) : NO_MARK;
        const UChar32 after = at < n ? trib_utf8_next(gap, n, &at) : 'a';
        if (kind == NO_MARK) continue;
        const bool is_begun = u_isUWhiteSpace(before) || (before < 128 && strchr("([-", before)),
                   is_ended = u_isUWhiteSpace(after) || (after < 128 && strchr(".,;:!?)", after));
        if (next == 0x2019 && (m->n_open == 0 || !is_ended)) continue;
        if (next == 0x2018 || next == 0x2019) m->n_open = next == 0x2018;
        else if (is_begun != is_ended) kind = is_begun ? OPENS : CLOSES;
        if (kind == EITHER) kind = m->last == OPENS ? CLOSES : OPENS;
        take_mark(m, kind);
    }
}

/* Whether more than half of the words stand in quotation marks. */
static trib_status find_marks(bool *is_quoted, const place *p, trib_error *error) {
    const trib_document_text *const text = &p->text->text;
    const size_t from = p->first > AROUND ? p->first - AROUND : 0,
                 end = p->last + AROUND < p->n_tokens ? p->last + AROUND : p->n_tokens - 1;
    marks m = {0};
    trib_buffer gap = {0};
    trib_status status = TRIB_OK;
    for (size_t w = from; w <= end + 1 && w <= p->n_tokens && status == TRIB_OK; w++) {
        const size_t at = w > 0 ? p->text->place[w - 1].end : 0,
                     to = w < p->n_tokens ? p->text->place[w].offset : text->bytes.length;
        if (to > at + 1 && to <= text->bytes.length && to - at < 1 << 12) {
            trib_buffer_clear(&gap);
            status = trib_excerpt(&gap, text->encoding, text->bytes.text + at, to - at, error);
            take_gap(&m, gap.text, gap.length);
        }
        m.n_since += w >= p->first && w <= p->last;
    }
    if (m.last == OPENS) take_mark(&m, NO_MARK);
    trib_buffer_release(&gap);
    *is_quoted = m.n_inside * 2 > p->last - p->first + 1;
    return status;
}

/* ---- A family -------------------------------------------------------------------------------- */

/* Lists the documents that hold a family, the earliest first. */
static uint32_t *list_witnesses(trib_arena *arena, const trib_run_results *results,
                                const trib_findings *findings, const trib_family *family,
                                size_t *n) {
    uint32_t *const list = trib_arena_new(arena, family->n, sizeof *list);
    const trib_document *const document = results->corpus->document;
    *n = 0;
    for (uint32_t i = 0; list && i < family->n; i++) {
        const uint32_t d =
            findings->passages[findings->families.member[family->first + i].source].source;
        size_t at = *n;
        while (at > 0 && list[at - 1] != d &&
               trib_document_is_earlier(&document[d], &document[list[at - 1]]))
            at--;
        if (at > 0 && list[at - 1] == d) continue;
        for (size_t k = (*n)++; k > at; k--) list[k] = list[k - 1];
        list[at] = d;
    }
    return list;
}

trib_status trib_family_make(trib_family_record **made, trib_arena *arena,
                             const trib_quotes *quotes, uint32_t target,
                             const trib_findings *findings, size_t f, trib_error *error) {
    const trib_run_results *const results = quotes->results;
    const trib_family *const family = &findings->families.family[f];
    place p = {.quotes = quotes,
               .text = &quotes->document[target],
               .about = results->corpus->document[target].about,
               .n_tokens = results->words->document[target].n_tokens};
    bool is_quoted = false;
    trib_family_record *const record = trib_arena_new(arena, 1, sizeof *record);
    *made = record;
    p.witness = list_witnesses(arena, results, findings, family, &p.n);
    trib_status status = trib_arena_check(arena, error);
    if (status != TRIB_OK) return status;
    p.first = p.text->held[family->target];
    p.last = p.text->held[family->target + family->n_target - 1];
    *record = (trib_family_record){.number = f + 1,
                                   .first = p.first + 1,
                                   .words = p.last - p.first + 1,
                                   .places = family->n_places > 1 ? family->n_places : TRIB_ABSENT,
                                   .documents =
                                       family->n_documents > p.n ? family->n_documents : p.n + 1};
    for (size_t i = 0; i < p.n; i++)
        trib_texts_add(arena, &record->witnesses,
                       results->corpus->document[p.witness[i]].about->id);
    if (results->config->report.text == TRIB_TEXT_NONE) return TRIB_OK;
    status = find_marks(&is_quoted, &p, error);
    record->by = nearest(&p, is_name);
    if (!record->by) record->by = nearest(&p, is_saying);
    record->said = is_quoted ? "quoted" : record->by ? "attributed" : "silent";
    return status;
}
