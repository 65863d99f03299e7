/* versions.c - versions with planted changes along a known tree: the apparatus has exactly these
 * changes, the stemma is the tree when there are enough of them, and says nothing otherwise; every
 * file of a collation can be read back. */
#include "tests/test.h"

#include <unistd.h>

#include "tests/pipeline/report/page.h"
#include "tests/pipeline/run/experiment.h"

TESTS(report, versions);

enum { WORDS = 1800, PARAGRAPH = 90, MOST = 6, APART = 5, WORD = 24 };

/* Versions of a text of WORDS places, each of which has a word, and maybe one that was inserted
 * after it. */
typedef struct planted {
    size_t n;             /* versions */
    const size_t *parent; /* [n] before it; of the first itself */
    size_t n_changes;     /* of each but the first */
    char word[MOST][WORDS][2][WORD];
    bool is_changed[WORDS]; /* in some version */
    size_t n_places;
    size_t n_words; /* that are written; 0: all */
} planted;

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* A word of five syllables, which differs with its number. */
static void set_word(char to[WORD], uint64_t number) {
    static const char consonants[] = "bcdfghjklmnprstvwz", vowels[] = "aeiou";
    size_t n = 0;
    for (int i = 0; i < 5; i++, number /= 7) {
        to[n++] = consonants[(number * 5 + (uint64_t)i) % 18];
        to[n++] = vowels[number % 5];
    }
    snprintf(to + n, WORD - n, "%c", consonants[number % 18]);
}

/* Plants the changes: by turns a word that is replaced, left out, or inserted. No two are near each
 * other, and none is undone. */
static void plant(planted *p, const size_t *parent, size_t n, size_t n_changes, uint64_t seed) {
    uint64_t state = seed;
    memset(p, 0, sizeof *p);
    p->parent = parent;
    p->n = n;
    for (size_t i = 0; i < WORDS; i++) set_word(p->word[0][i][0], next_random(&state) % 700);
    for (size_t v = 1; v < n; v++) {
        memcpy(p->word[v], p->word[parent[v]], sizeof p->word[v]);
        for (size_t c = 0; c < n_changes; c++) {
            size_t at;
            do at = (2 + next_random(&state) % (WORDS / APART - 4)) * APART;
            while (p->is_changed[at] || at % PARAGRAPH == 0 || at % PARAGRAPH > PARAGRAPH - 3);
            p->is_changed[at] = true;
            p->n_places++;
            if (c % 3 == 2) set_word(p->word[v][at][1], 1000000 + 13 * p->n_places);
            else if (c % 3 == 1) p->word[v][at][0][0] = '\0';
            else set_word(p->word[v][at][0], 1000000 + 13 * p->n_places);
        }
    }
}

/* The text of a version, with one blank line between paragraphs. */
static const char *text_of(const planted *p, size_t v, char *to) {
    char *at = to;
    for (size_t i = 0; i < (p->n_words > 0 ? p->n_words : WORDS); i++)
        for (size_t k = 0; k < 2; k++)
            if (*p->word[v][i][k])
                at += sprintf(at, "%s%s",
                              at == to             ? ""
                              : i % PARAGRAPH || k ? " "
                                                   : ".\n\n",
                              p->word[v][i][k]);
    strcpy(at, ".\n");
    return to;
}

/* Runs the versions, v0, v1, ...; returns influence.json. */
static json_t *run(const planted *p, const char *name, bool is_dated) {
    static char text[WORDS * 2 * WORD];
    char yaml[2000], file[32];
    int n = snprintf(yaml, sizeof yaml,
                     "tributary: 1\nreport: {formats: [html, json, csv, tei, alignments]}\n"
                     "influence: {methods: [traced], bootstrap: 0}\n"
                     "corpus:\n  target: all\n  near_duplicate: 0\n  documents:\n");
    for (size_t v = 0; v < p->n; v++) {
        snprintf(file, sizeof file, "v%zu.txt", v);
        trib_write_scratch(file, text_of(p, v, text));
        n += snprintf(yaml + n, sizeof yaml - (size_t)n, "    - {id: v%zu, file: v%zu.txt%s", v, v,
                      is_dated ? ", date: " : "}\n");
        if (is_dated) n += snprintf(yaml + n, sizeof yaml - (size_t)n, "\"%zu\"}\n", 1601 + v);
    }
    return trib_experiment_of(name, yaml);
}

/* The text of a file of the run. */
static char *file_of(const char *name, const char *file) {
    static char text[1 << 20];
    char path[4096];
    snprintf(path, sizeof path, "%s/versions/%s", trib_scratch(name), file);
    FILE *in = fopen(path, "r");
    CHECK(in != NULL);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

static const size_t tree[MOST] = {0, 0, 1, 1, 3, 0}, chain[] = {0, 0, 1, 2};

/* ---- The apparatus --------------------------------------------------------------------------- */

TEST(the_apparatus_has_exactly_the_planted_changes) {
    static planted p;
    plant(&p, tree, MOST, 30, 7);
    json_decref(run(&p, "versions apparatus", true));
    char *line = strtok(file_of("versions apparatus", "v0.csv"), "\n");
    EXPECT_TEXT(line, "place,paragraph,kind,v0,v1,v2,v3,v4,v5");
    for (size_t i = 0, place = 0; i < WORDS; i++) {
        char expected[400];
        bool is_inserted = false, is_replaced = false;
        if (!p.is_changed[i]) continue;
        for (size_t v = 1; v < p.n; v++) {
            is_inserted = is_inserted || *p.word[v][i][1];
            is_replaced =
                is_replaced || (*p.word[v][i][0] && strcmp(p.word[v][i][0], p.word[0][i][0]) != 0);
        }
        int n = snprintf(expected, sizeof expected, "%zu,%zu,%s", ++place, i / PARAGRAPH + 1,
                         is_inserted   ? "added"
                         : is_replaced ? "changed"
                                       : "left out");
        for (size_t v = 0; v < p.n; v++)
            n += snprintf(expected + n, sizeof expected - (size_t)n, ",%s",
                          p.word[v][i][is_inserted]);
        line = strtok(NULL, "\n");
        CHECK(line != NULL);
        EXPECT_TEXT(line, expected);
    }
    EXPECT(strtok(NULL, "\n") == NULL);
}

/* A paragraph that stands elsewhere, and one that is left out. */
TEST(moved_and_long_stretches_are_one_place_each) {
    static planted p;
    static char word[PARAGRAPH][2][WORD];
    plant(&p, chain, 3, 0, 11);
    memcpy(word, p.word[1][4 * PARAGRAPH], sizeof word);
    memmove(p.word[1][4 * PARAGRAPH], p.word[1][5 * PARAGRAPH], 6 * sizeof word);
    memcpy(p.word[1][10 * PARAGRAPH], word, sizeof word);
    memset(p.word[2][12 * PARAGRAPH], 0, sizeof word);
    json_decref(run(&p, "versions moved", true));
    char *const table = file_of("versions moved", "v0.csv");
    EXPECT(trib_page_count(table, ",moved,") == 2);
    EXPECT(trib_page_count(table, ",left out,") == 1);
    EXPECT(trib_page_count(table, "\n") == 4);
}

/* ---- The stemma ------------------------------------------------------------------------------ */

/* The cells of the row of a version in the table of the page. */
static const char *cell_of(const char *page, size_t row, size_t cell) {
    static char text[4][200];
    static size_t n;
    const char *at = strstr(page, "<tbody>");
    for (size_t i = 0; at && i <= row; i++) at = strstr(at + 1, "<tr>");
    for (size_t i = 0; at && i <= cell; i++) at = strstr(at + 1, "<td");
    CHECK(at != NULL);
    sscanf(strchr(at, '>') + 1, "%199[^<]", text[++n % 4]);
    return text[n % 4];
}

TEST(the_stemma_is_the_planted_tree) {
    static planted p;
    static const char sigils[] = "ABCDEF";
    for (uint64_t seed = 1; seed < 4; seed++) {
        char name[40];
        snprintf(name, sizeof name, "versions tree %d", (int)seed);
        plant(&p, tree, MOST, 24, seed);
        json_decref(run(&p, name, true));
        const char *const page = file_of(name, "v0.html");
        EXPECT(trib_page_fault(page) == NULL);
        EXPECT(trib_page_count(page, "<path class=\"told\"") == MOST - 2);
        for (size_t v = 1; v < MOST; v++) {
            EXPECT(*cell_of(page, v, 5) == sigils[tree[v]]);
            EXPECT_TEXT(cell_of(page, v, 6),
                        v == 1 ? "the only earlier one" : "told by the readings");
        }
    }
}

/* The same tree without its direction: each edge is there, from one of its ends or the other. */
TEST(without_dates_the_stemma_has_no_direction) {
    static planted p;
    plant(&p, chain, 4, 24, 5);
    json_decref(run(&p, "versions undated", false));
    const char *const page = file_of("versions undated", "v0.html");
    EXPECT(strstr(page, "they do not tell which is earlier") != NULL);
    for (size_t v = 1; v < 4; v++) EXPECT(*cell_of(page, v, 5) == "ABC"[chain[v]]);
}

TEST(few_changes_tell_no_descent) {
    static planted p;
    plant(&p, tree, MOST, 3, 9);
    json_decref(run(&p, "versions few", true));
    const char *const page = file_of("versions few", "v0.html");
    EXPECT(strstr(page, "The readings do not tell, so no tree is drawn.") != NULL);
    EXPECT(strstr(page, "class=\"stemma\"") == NULL);
}

/* ---- The files ------------------------------------------------------------------------------- */

TEST(the_table_of_collatex_has_every_text) {
    static planted p;
    static char text[WORDS * 2 * WORD], read[WORDS * 2 * WORD];
    plant(&p, tree, MOST, 12, 3);
    json_decref(run(&p, "versions json", true));
    json_t *const table = json_loads(file_of("versions json", "v0.json"), 0, NULL);
    CHECK(table != NULL && json_array_size(json_object_get(table, "table")) == MOST);
    for (size_t v = 0; v < MOST; v++) {
        const json_t *const row = json_array_get(json_object_get(table, "table"), v);
        EXPECT(json_array_size(row) ==
               json_array_size(json_array_get(json_object_get(table, "table"), 0)));
        read[0] = '\0';
        for (size_t s = 0, n = 0; s < json_array_size(row); s++)
            for (size_t i = 0; i < json_array_size(json_array_get(row, s)); i++)
                n += (size_t)sprintf(read + n, "%s",
                                     json_string_value(json_object_get(
                                         json_array_get(json_array_get(row, s), i), "t")));
        text_of(&p, v, text);
        for (char *c = text; (c = strstr(c, "\n\n"));)
            memmove(c, " ", 1), memmove(c + 1, c + 2, strlen(c + 1));
        text[strlen(text) - 2] = '\0'; /* what follows the last word is in no cell */
        EXPECT_TEXT(read, text);
    }
    json_decref(table);
}

/* Read as a text of TEI with corpus.witness, the collation is each of the versions. */
TEST(the_tei_is_valid_and_holds_every_text) {
    static planted p;
    plant(&p, tree, MOST, 12, 3);
    json_decref(run(&p, "versions tei", true));
    char command[9000], yaml[5000];
    snprintf(command, sizeof command,
             "xmllint --noout --relaxng tests/pipeline/report/collation.rng '%s/versions/"
             "v0.tei.xml' 2>&1 | grep -v validates",
             trib_scratch("versions tei"));
    if (system("command -v xmllint > /dev/null") == 0) EXPECT(system(command) != 0);
    for (size_t v = 0; v < MOST; v++) {
        snprintf(yaml, sizeof yaml,
                 "tributary: 1\ninfluence: {methods: [verbatim, traced], bootstrap: 0}\n"
                 "corpus:\n  witness: %c\n  target: tei\n  documents:\n"
                 "    - {id: tei, file: 'versions tei/versions/v0.tei.xml'}\n"
                 "    - {id: text, file: v%zu.txt}\n",
                 "ABCDEF"[v], v);
        json_t *const result = trib_experiment_of(NULL, yaml);
        const json_t *const documents = json_object_get(result, "documents");
        const json_t *const shares = json_object_get(
            json_object_get(
                json_object_get(json_array_get(json_object_get(result, "targets"), 0), "methods"),
                "verbatim"),
            "shares");
        EXPECT(json_integer_value(json_object_get(json_array_get(documents, 0), "words")) ==
               json_integer_value(json_object_get(json_array_get(documents, 1), "words")));
        EXPECT_NEAR(json_number_value(json_object_get(json_array_get(shares, 0), "share")), 1,
                    1e-6);
        json_decref(result);
    }
}

/* ---- Without versions ------------------------------------------------------------------------ */

/* Leaves the places from .. end - 1 of a version alone. */
static void leave(planted *p, size_t v, size_t from, size_t end) {
    for (size_t i = 0; i < WORDS; i++)
        if (i < from || i >= end) p->word[v][i][0][0] = '\0';
}

static size_t n_version_groups(const planted *p, const char *name) {
    json_t *const result = run(p, name, true);
    const size_t n = json_array_size(json_object_get(result, "versions"));
    json_decref(result);
    return n;
}

TEST(an_abridged_text_is_a_version_and_parts_of_a_collection_are_not) {
    static planted p;
    plant(&p, chain, 2, 0, 23);
    leave(&p, 1, 0, WORDS * 2 / 5);
    EXPECT(n_version_groups(&p, "versions abridged") == 1);
    plant(&p, chain, 3, 0, 23);
    leave(&p, 1, 0, WORDS * 2 / 5);
    leave(&p, 2, WORDS * 3 / 5, WORDS);
    EXPECT(n_version_groups(&p, "versions collected") == 0);
}

/* All words of a text, in paragraphs that are put in another order. */
TEST(the_passages_of_versions_stand_in_one_order) {
    static planted p;
    enum { PARAGRAPHS = WORDS / PARAGRAPH };
    plant(&p, chain, 2, 0, 24);
    for (size_t i = 0; i < PARAGRAPHS; i++)
        memcpy(p.word[1][i * PARAGRAPH], p.word[0][(PARAGRAPHS - 1 - i) * PARAGRAPH],
               PARAGRAPH * sizeof p.word[0][0]);
    EXPECT(n_version_groups(&p, "versions in disorder") == 0);
}

/* A third of one text stands in the other, and two thirds of its own. */
TEST(texts_that_share_a_third_are_no_versions) {
    static planted p, other;
    char path[4096];
    plant(&p, chain, 2, 0, 21);
    plant(&other, chain, 2, 0, 22);
    memcpy(p.word[1], other.word[0], sizeof p.word[1] * 13 / 20);
    json_t *const result = run(&p, "versions none", true);
    EXPECT(json_object_get(result, "versions") == NULL);
    snprintf(path, sizeof path, "%s/versions", trib_scratch("versions none"));
    EXPECT(access(path, F_OK) != 0);
    json_decref(result);
}

static trib_status run_small(void *context, trib_error *error) {
    (void)context;
    return trib_experiment_do(NULL, trib_scratch("e.yaml"), trib_scratch("versions failing"),
                              error);
}

TEST(every_failing_allocation_is_reported) {
    static planted p;
    plant(&p, chain, 2, 2, 2);
    p.n_words = 100;
    json_decref(run(&p, "versions whole", true));
    EXPECT(trib_fail_every_allocation(run_small, NULL) > 100);
}
