/* spellings_chosen.c - whatever the runs in which spellings lie, what is shown, left out and
 * reported is what a slow twin finds in a table of all of them. */
#include "pipeline/stages/spellings.h"
#include "tests/test.h"

TESTS(stages, spellings_chosen);

enum { N = 200, N_NORMS = 30, N_LISTED = 5 }; /* spellings; norms at most, and of a list */

/* A spelling in the texts of a language. */
typedef struct entry {
    uint32_t language;
    char text[8], norm[8];
    uint64_t count;
    uint32_t n_documents;
    bool is_left_out;
} entry;

typedef struct fixture {
    trib_spellings s;
    entry entry[N];
    trib_word_runs runs;
    trib_merged_words all;
} fixture;

/* ---- Spellings in runs ----------------------------------------------------------------------- */

/* Whether entry i is the same spelling as another one of its run. */
static bool is_again(const fixture *f, uint32_t i, uint32_t n_of_run) {
    for (uint32_t j = i / n_of_run * n_of_run; j < i; j++)
        if (f->entry[j].language == f->entry[i].language &&
            strcmp(f->entry[j].text, f->entry[i].text) == 0)
            return true;
    return false;
}

/* Each spelling belongs to one norm of its language, and some are their norms. */
static void make_entries(fixture *f, uint32_t n_of_run, trib_random *random) {
    for (uint32_t i = 0; i < N; i += !is_again(f, i, n_of_run)) {
        entry *e = &f->entry[i];
        const unsigned spelling = (unsigned)trib_random_below(random, 2 * N);
        e->language = (uint32_t)trib_random_below(random, f->s.n_languages);
        const unsigned norm = (spelling + e->language) % N_NORMS;
        snprintf(e->text, sizeof e->text, "%c%u", "ab\xC3"[spelling % 3], spelling);
        snprintf(e->norm, sizeof e->norm, "%c%u", "ab\xC3"[norm % 3], norm);
        e->count = 1 + trib_random_below(random, 4);
        e->n_documents = 1 + (uint32_t)trib_random_below(random, 2);
    }
}

/* Sets key[16] to a word in the texts of a language. */
static void set_key(fixture *f, uint32_t language, const char *word, char *key) {
    const char *text;
    size_t n;
    CHECK(trib_spellings_key(&f->s, language, word, strlen(word), &text, &n, NULL) == TRIB_OK);
    snprintf(key, 16, "%.*s", (int)n, text);
}

static void write_run(fixture *f, uint32_t first, uint32_t n) {
    GIVEN(trib_buffer) keys = {0};
    trib_error error = {0};
    uint64_t count[N];
    uint32_t n_documents[N];
    for (uint32_t i = 0; i < n; i++) {
        const entry *e = &f->entry[first + i];
        char norm[16], spelling[16];
        uint32_t id;
        set_key(f, e->language, e->norm, norm);
        set_key(f, e->language, e->text, spelling);
        CHECK(trib_spellings_find(&f->s, spelling, strlen(spelling), &id, NULL) == TRIB_OK);
        CHECK(id == i);
        CHECK(trib_spellings_sort_key(&f->s, id, norm, &keys, NULL) == TRIB_OK);
        count[i] = e->count;
        n_documents[i] = e->n_documents;
    }
    EXPECT_OK(trib_word_runs_add(&f->runs, n, keys.text, keys.length, count, n_documents,
                                 trib_scratch(""), &error));
    trib_spellings_forget(&f->s);
}

/* The 3 most frequent norms of two languages are left out, and of all languages the norms of the
 * first N_LISTED entries. */
static void open_fixture(fixture *f, uint32_t n_languages, uint32_t n_of_run, uint64_t seed) {
    trib_random random;
    trib_error error = {0};
    *f = (fixture){.s = {.n_languages = n_languages}};
    trib_random_seed(&random, seed);
    make_entries(f, n_of_run, &random);
    for (uint32_t i = 0; i < N; i += n_of_run) write_run(f, i, n_of_run < N - i ? n_of_run : N - i);
    EXPECT_OK(trib_word_runs_join(&f->runs, trib_scratch(""), &f->all, &error));
    CHECK(trib_new(&f->s.n_commonest, n_languages, sizeof(uint32_t), "languages", NULL) == TRIB_OK);
    for (uint32_t k = 0; k < n_languages; k++) {
        f->s.n_commonest[k] = k == 0 || k == 2 ? 3 : 0;
        for (uint32_t i = 0; i < N_LISTED; i++) {
            char key[16];
            uint32_t id;
            set_key(f, k, f->entry[i].norm, key);
            CHECK(trib_intern_add(&f->s.stop, key, strlen(key), &id, NULL) == TRIB_OK);
        }
    }
}

static void close_fixture(fixture *f) {
    trib_spellings_release(&f->s);
    trib_merged_words_close(&f->all);
    trib_word_runs_release(&f->runs);
}

/* ---- The twin -------------------------------------------------------------------------------- */

/* The occurrences of a spelling of a norm, or with text NULL of all its spellings, in texts of a
 * language, or with UINT32_MAX of all languages in which the norm is left out, or is not. */
static uint64_t sum_of(const fixture *f, const char *norm, const char *text, uint32_t language,
                       bool is_left_out) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < N; i++) {
        const entry *e = &f->entry[i];
        if (strcmp(e->norm, norm) == 0 && (!text || strcmp(e->text, text) == 0) &&
            (language == UINT32_MAX ? e->is_left_out == is_left_out : e->language == language))
            sum += e->count;
    }
    return sum;
}

/* The most frequent spelling, of equals the first. */
static const char *best_of(const fixture *f, const char *norm, uint32_t language) {
    const char *best = NULL;
    uint64_t most = 0;
    for (uint32_t i = 0; i < N; i++) {
        const char *text = f->entry[i].text;
        const uint64_t count =
            strcmp(f->entry[i].norm, norm) == 0 ? sum_of(f, norm, text, language, false) : 0;
        if (count > most || (best && count == most && count > 0 && strcmp(text, best) < 0))
            best = text, most = count;
    }
    return best;
}

static bool is_listed(const fixture *f, const char *norm) {
    for (int i = 0; i < N_LISTED; i++)
        if (strcmp(f->entry[i].norm, norm) == 0) return true;
    return false;
}

/* Whether an entry has a norm that no earlier entry of its language has. */
static bool is_first(const fixture *f, uint32_t i) {
    for (uint32_t j = 0; j < i; j++)
        if (f->entry[j].language == f->entry[i].language &&
            strcmp(f->entry[j].norm, f->entry[i].norm) == 0)
            return false;
    return true;
}

static void leave_out(fixture *f) {
    uint64_t sum[N];
    const char *best[N];
    bool are_first[N];
    for (uint32_t i = 0; i < N; i++) {
        const entry *e = &f->entry[i];
        are_first[i] = is_first(f, i);
        sum[i] = sum_of(f, e->norm, NULL, e->language, false);
        best[i] = best_of(f, e->norm, e->language);
    }
    for (uint32_t i = 0; i < N; i++) {
        entry *e = &f->entry[i];
        uint32_t n_before = 0;
        for (uint32_t j = 0; j < N; j++)
            n_before += are_first[j] && f->entry[j].language == e->language &&
                        (sum[j] > sum[i] || (sum[j] == sum[i] && strcmp(best[j], best[i]) < 0));
        e->is_left_out = n_before < f->s.n_commonest[e->language] || is_listed(f, e->norm);
    }
}

/* ---- Comparing ------------------------------------------------------------------------------- */

typedef struct taken {
    const fixture *f;
    char norm[N][8]; /* those that are not left out */
    uint32_t n;
} taken;

static trib_status take(void *context, const trib_chosen *chosen, trib_error *error) {
    taken *t = context;
    char norm[8], shown[8];
    uint32_t n_documents = 0;
    (void)error;
    snprintf(norm, sizeof norm, "%.*s", (int)chosen->norm_length, chosen->norm);
    for (uint32_t i = 0; i < N; i++)
        if (!t->f->entry[i].is_left_out && strcmp(t->f->entry[i].norm, norm) == 0)
            n_documents += t->f->entry[i].n_documents;
    EXPECT(chosen->count == sum_of(t->f, norm, NULL, UINT32_MAX, false));
    EXPECT(chosen->n_documents == n_documents);
    EXPECT((chosen->shown != NULL) == (n_documents > 0));
    if (n_documents == 0) return TRIB_OK;
    snprintf(shown, sizeof shown, "%.*s", (int)chosen->shown_length, chosen->shown);
    EXPECT_TEXT(shown, best_of(t->f, norm, UINT32_MAX));
    snprintf(t->norm[t->n++], sizeof norm, "%s", norm);
    return TRIB_OK;
}

/* Whether no earlier entry is the same spelling of the same norm, left out or not alike. */
static bool is_new(const fixture *f, uint32_t i) {
    const entry *e = &f->entry[i];
    for (const entry *x = f->entry; x < e; x++)
        if (strcmp(x->norm, e->norm) == 0 && strcmp(x->text, e->text) == 0 &&
            x->is_left_out == e->is_left_out)
            return false;
    return true;
}

static uint64_t count_of(const fixture *f, const entry *e) {
    return sum_of(f, e->norm, e->text, UINT32_MAX, e->is_left_out);
}

/* The numbers of the report. The n-th change is what n changes are before. */
static void expect_changes(const fixture *f, const taken *t, const trib_word_changes *changes) {
    uint64_t n_spellings = 0, n_changed = 0, n_tokens = 0, n_left_out = 0, n_left_tokens = 0;
    uint32_t n_shown = 0;
    for (uint32_t i = 0; i < N; i++) {
        const entry *e = &f->entry[i];
        const bool is_changed = strcmp(e->text, e->norm) != 0;
        uint32_t n_before = 0;
        n_left_out += e->is_left_out && is_first(f, i);
        n_left_tokens += e->is_left_out ? e->count : 0;
        n_tokens += is_changed ? e->count : 0;
        n_spellings += is_new(f, i);
        n_changed += is_new(f, i) && is_changed;
        if (!is_changed || e->is_left_out || !is_new(f, i)) continue;
        for (uint32_t j = 0; j < N; j++) {
            const entry *x = &f->entry[j];
            if (x->is_left_out || !is_new(f, j) || strcmp(x->text, x->norm) == 0) continue;
            const uint64_t a = count_of(f, x), b = count_of(f, e);
            const int order = strcmp(x->text, e->text);
            n_before +=
                a > b || (a == b && (order < 0 || (order == 0 && strcmp(x->norm, e->norm) < 0)));
        }
        if (n_before >= TRIB_CHANGES_SHOWN) continue;
        const trib_change *change = &changes->change[n_before];
        n_shown++;
        EXPECT_TEXT(change->from, e->text);
        EXPECT_TEXT(change->norm, e->norm);
        EXPECT_TEXT(change->shown, best_of(f, e->norm, UINT32_MAX));
        EXPECT(change->count == count_of(f, e));
    }
    EXPECT(changes->n_spellings == n_spellings && changes->n_words == t->n + n_left_out);
    EXPECT(changes->n_changed == n_changed && changes->n_changed_tokens == n_tokens);
    EXPECT(changes->n_left_out == n_left_out && changes->n_left_out_tokens == n_left_tokens);
    EXPECT(changes->n == n_shown && n_shown == TRIB_CHANGES_SHOWN);
}

static void compare(uint32_t n_languages, uint32_t n_of_run, uint64_t seed) {
    static fixture f;
    static taken t;
    static char last[TRIB_SHA256_TEXT]; /* other words were left out */
    uint32_t number[N], n_norms = 0;
    GIVEN(trib_word_changes) changes = {0};
    trib_error error = {0};
    open_fixture(&f, n_languages, n_of_run, seed);
    leave_out(&f);
    t = (taken){.f = &f};
    EXPECT_OK(trib_spellings_choose(&f.s, &f.all, take, &t, number, &changes, &error));
    expect_changes(&f, &t, &changes);
    EXPECT(strcmp(last, changes.hash) != 0);
    memcpy(last, changes.hash, sizeof last);
    for (uint32_t i = 0; i < N; i++) {
        const entry *e = &f.entry[i];
        const uint32_t at = number[((const uint32_t *)f.all.of.bytes)[i]];
        EXPECT((at == TRIB_LEFT_OUT) == e->is_left_out);
        if (!e->is_left_out) EXPECT_TEXT(t.norm[at], e->norm);
        bool is_norm = !e->is_left_out; /* the first entry of its norm */
        for (uint32_t j = 0; j < i; j++)
            is_norm = is_norm && (f.entry[j].is_left_out || strcmp(f.entry[j].norm, e->norm) != 0);
        n_norms += is_norm;
    }
    EXPECT(t.n == n_norms && n_norms > N_NORMS / 2);
    close_fixture(&f);
}

TEST(the_choice_is_that_of_a_table_of_all_spellings) {
    static const uint32_t n_of_run[] = {1, 7, 50, N}, languages[] = {1, 2, 3, 300};
    for (size_t k = 0; k < 4; k++)
        for (size_t r = 0; r < 4; r++) compare(languages[k], n_of_run[r], 4 * k + r);
}

/* The first run shows one spelling, the second another, and both together a third. */
TEST(runs_choose_a_spelling_together) {
    static const struct {
        const char *text;
        uint64_t count;
    } row[] = {{"haue", 5}, {"have", 3}, {"hav", 4}, {"have", 3}, {"haue", 1}};
    static fixture f;
    static taken t;
    trib_error error = {0};
    GIVEN(trib_word_changes) changes = {0};
    uint32_t number[3], n_commonest = 0;
    f = (fixture){.s = {.n_languages = 1, .n_commonest = &n_commonest}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        f.entry[i] = (entry){.norm = "have", .count = row[i].count, .n_documents = 1};
        snprintf(f.entry[i].text, sizeof f.entry[i].text, "%s", row[i].text);
    }
    write_run(&f, 0, 2);
    write_run(&f, 2, 2);
    write_run(&f, 4, 1);
    CHECK(trib_word_runs_join(&f.runs, trib_scratch(""), &f.all, NULL) == TRIB_OK);
    EXPECT(f.all.n == 3);
    t = (taken){.f = &f};
    EXPECT_OK(trib_spellings_choose(&f.s, &f.all, take, &t, number, &changes, &error));
    EXPECT(t.n == 1 && changes.n == 2 && changes.n_spellings == 3);
    EXPECT_TEXT(changes.change[0].shown, "haue"); /* 6, as have, and first by code point */
    f.s.n_commonest = NULL;
    close_fixture(&f);
}
