/* names.c - tests of names that a person writes: ids and normal forms, "did you mean", and the
 * document that is meant. */
#include "pipeline/support/names.h"

#include "tests/pipeline/config/loading.h"

/* ---- Ids and normal forms -------------------------------------------------------------------- */

static void a_name_becomes_an_id(void) {
    const char *name = trib_case_text("name");
    GIVEN(trib_buffer) id = {0};
    trib_error error = {0};
    const trib_id_from from = {name, strlen(name), *trib_case_text("codes") != '\0'};
    EXPECT_OK(trib_id_add(&id, from, &error));
    EXPECT_TEXT(id.text, trib_case_text("id"));
    EXPECT(id.text && trib_id_is_written_right(id.text));
}

static void a_name_is_composed_and_folded(void) {
    char *copy = NULL;
    CHECK(trib_name_composed(&copy, trib_case_text("text"), NULL) == TRIB_OK);
    EXPECT_TEXT(copy, trib_case_text("composed"));
    trib_free(copy);
    CHECK(trib_name_folded(&copy, trib_case_text("text"), NULL) == TRIB_OK);
    EXPECT_TEXT(copy, trib_case_text("folded"));
    trib_free(copy);
}

static void an_id_is_cut_between_characters(void) {
    GIVEN(trib_buffer) id = {0};
    char name[3 * 100 + 1] = "";
    for (int i = 0; i < 100; i++) strcat(name, "孔");
    CHECK(trib_id_add(&id, (trib_id_from){name, strlen(name), false}, NULL) == TRIB_OK);
    EXPECT(id.length == 198);
    EXPECT(trib_id_is_written_right(id.text));
}

static void ids_are_letters_digits_and_three_signs(void) {
    static const char *const right[] = {"a", "_.-", "Émile", "李白", "١", "ক্ষ"};
    static const char *const wrong[] = {"",      "a b",      "a/b",      "a\u2013b", "\u0301a",
                                        "a\xC3", "a\u200cb", "a\u202eb", "€"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        EXPECT(trib_id_is_written_right(right[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        EXPECT(!trib_id_is_written_right(wrong[i]));
}

static trib_status make_names(void *none, trib_error *error) {
    GIVEN(trib_buffer) id = {0};
    GIVEN(trib_owned_text) folded = NULL;
    (void)none;
    trib_status status = trib_id_add(&id, (trib_id_from){"Émile Zola", 11, false}, error);
    if (status == TRIB_OK) status = trib_name_folded(&folded, "Émile", error);
    return status;
}

/* ---- Did you mean ---------------------------------------------------------------------------- */

static void a_guess_needs_few_changes(void) {
    static const char *const words[] = {"threshold", "rank", "hals", "fibre", "lowe-2018"};
    trib_guess guess = {.word = trib_case_text("word")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) trib_guess_try(&guess, words[i]);
    EXPECT_TEXT(guess.best, trib_case_text("best"));
}

/* ---- The document that is meant -------------------------------------------------------------- */

static const trib_called corpus[] = {
    {"Brief_09_Müller", "Brief 09 – Müller", "letters/Brief 09 – Müller.docx"},
    {"Brief_10", "Brief 10", "letters/Brief 10.docx"},
    {"Emma", "Sense and Sensibility", "austen/sense.txt"},
    {"emma2", "Emma", "austen/emma.txt"},
    {"ode", "Ode", "keats/ode.tar.gz"},
    {"ode2", "Ode", "pindar/ode.xml"},
    {"Чехов", "Чехов", "Чехов.txt"},
    {"孔子", "孔子", "孔子.txt"},
};
enum { N = sizeof corpus / sizeof *corpus };

static trib_called called_at(const void *of, size_t i) { return ((const trib_called *)of)[i]; }

static const trib_called_list list = {N, called_at, corpus, "a document of the corpus"};

static void a_name_means_a_document(void) {
    const char *says = trib_case_text("says");
    size_t found = N;
    trib_error error = {0};
    const trib_status status = trib_called_find(&list, trib_case_text("name"), &found, &error);
    EXPECT_STATUS(status, *says ? TRIB_USAGE : TRIB_OK, error);
    if (status == TRIB_OK) EXPECT_TEXT(corpus[found].id, trib_case_text("id"));
    else EXPECT_TEXT(error.message, says);
}

static void of_many_documents_the_first_are_listed(void) {
    static const char id[43][4] = {"x"};
    trib_called many[43];
    trib_error error = {0};
    size_t found;
    for (size_t i = 0; i < 43; i++) many[i] = (trib_called){id[0], NULL, NULL};
    const trib_called_list all = {43, called_at, many, "a target of the run"};
    EXPECT(trib_called_find(&all, "y?y?", &found, &error) == TRIB_USAGE);
    EXPECT_TEXT(error.message, "'y?y?' is not a target of the run; write one of: x, x, x, x, x, x, "
                               "x, x, x, x, x, x, x, x, x, x, x, x, x, x and 23 more");
}

/* A target may be named in each of these ways; the configuration has its id. */
static void a_target_gets_its_id(void) {
    static const struct {
        const char *target, *wanted;
    } cases[] = {{"Brief 09 – Müller", "Brief_09_Müller"},
                 {"[brief 09, Чехов.txt]", "Brief_09_Müller Чехов"},
                 {"all", "all"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        loaded result;
        char text[512], ids[512] = "";
        snprintf(text, sizeof text,
                 "tributary: 1\ncorpus: {target: %s, documents: [Brief 09 – Müller.txt, Чехов.txt, "
                 "孔子.txt]}\n",
                 cases[i].target);
        load_text(&result, "d.yaml", text, NULL, 0);
        EXPECT_TEXT(result.said, "");
        for (uint32_t t = 0; t < result.config.corpus.target.n; t++)
            snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s%s", t > 0 ? " " : "",
                     result.config.corpus.target.item[t]);
        EXPECT_TEXT(ids, cases[i].wanted);
        release_loaded(&result);
    }
    expect_diagnostics(
        "tributary: 1\ncorpus: {documents: [Чехов.txt, b.txt], target: [Чехов, Чех]}\n",
        "e.yaml:2:50: error: corpus.target names the document 'Чехов' twice\n"
        "    2 | corpus: {documents: [Чехов.txt, b.txt], target: [Чехов, Чех]}\n"
        "      |                                                  ^~~~~\n");
    expect_diagnostics("tributary: 1\ncorpus: {documents: [b1.txt, b2.txt], target: b}\n",
                       "e.yaml:2:47: error: target 'b' fits 2 documents; write one of: b1, b2\n"
                       "    2 | corpus: {documents: [b1.txt, b2.txt], target: b}\n"
                       "      |                                               ^\n");
}

static trib_status find_one(void *none, trib_error *error) {
    size_t found;
    (void)none;
    return trib_called_find(&list, "BRIEF 1", &found, error);
}

static void every_allocation_may_fail(void) {
    EXPECT(trib_fail_every_allocation(make_names, NULL) > 3);
    EXPECT(trib_fail_every_allocation(find_one, NULL) > 10);
}

CU_TestInfo trib_tests_support_names[] = {
    {"tests/pipeline/support/names.txt [id]", a_name_becomes_an_id},
    {"tests/pipeline/support/names.txt [copies]", a_name_is_composed_and_folded},
    {"an id is cut between characters", an_id_is_cut_between_characters},
    {"ids are letters, digits and three signs", ids_are_letters_digits_and_three_signs},
    {"tests/pipeline/support/names.txt [guess]", a_guess_needs_few_changes},
    {"tests/pipeline/support/names.txt [called]", a_name_means_a_document},
    {"of many documents the first are listed", of_many_documents_the_first_are_listed},
    {"a target gets its id", a_target_gets_its_id},
    {"every allocation may fail", every_allocation_may_fail},
    CU_TEST_INFO_NULL};
