/* parallels.c - tests of stage parallels: features of words (word_features.c), units of texts
 * and the list of a target (allusions.c). */
#include "pipeline/stages/allusions.h"
#include "tests/pipeline/run/experiment.h"

TESTS(stages, parallels);

static void write_file(const char *name, const char *text) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, trib_scratch(name), NULL) == TRIB_OK);
    trib_write_text(&writer, text);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
}

/* Opens a run of the texts a (the target), b and, unless NULL, c. `settings` are keys of the
 * section parallels. */
static void open_run(trib_experiment *e, const char *settings, const char *encoding, const char *a,
                     const char *b, const char *c) {
    static const char *const stages[] = {"corpus", "tokens", "vocabulary"};
    char yaml[1024];
    trib_error error = {0};
    write_file("a.txt", a);
    write_file("b.txt", b);
    if (c) write_file("c.txt", c);
    snprintf(yaml, sizeof yaml,
             "tributary: 1\ncorpus: {encoding: %s, target: a, documents: [a.txt, b.txt%s]}\n"
             "parallels: {%s}\n",
             encoding, c ? ", c.txt" : "", settings);
    trib_experiment_open(e, yaml, 1);
    EXPECT_OK(trib_experiment_stages(&e->run, stages, 3, &error));
}

/* ---- Units ----------------------------------------------------------------------------------- */

/* Expects the units of a text: their first words and numbers of words, as "0+2 2+3". */
static void expect_units(const char *settings, const char *encoding, const char *text,
                         const char *wanted) {
    GIVEN(trib_experiment) e = {0};
    GIVEN(trib_text_units) units = {0};
    char found[256] = "";
    trib_error error = {0};
    open_run(&e, settings, encoding, text, "some other text that is read beside it", NULL);
    EXPECT_OK(trib_text_units_read(&units, &e.config, &e.run.corpus, &e.run.words, 0, &error));
    for (uint32_t u = 0; u < units.text.n_units; u++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%u+%u", u ? " " : "",
                 units.unit[u].first, units.unit[u].n);
    EXPECT_TEXT(found, wanted);
}

TEST(units_end_where_the_setting_says) {
    static const char text[] = "One two; three four.\nFive,\nsix: seven\n\nEight nine";
    expect_units("unit: phrases", "utf-8", text, "0+2 2+2 4+2 6+1 7+2");
    expect_units("unit: sentences", "utf-8", text, "0+4 4+3 7+2");
    expect_units("unit: lines", "utf-8", text, "0+4 4+1 5+2 7+2");
    expect_units("unit: windows, window: 4", "utf-8", text, "0+4 2+4 4+4 6+3");
    expect_units("unit: windows, window: 20", "utf-8", text, "0+9");
}

TEST(marks_of_other_scripts_and_encodings_end_units) {
    expect_units("unit: phrases", "utf-8",
                 "\xCE\xB1\xCE\xB2\xCE\xB3 \xCE\xB4\xCE\xB5\xC2\xB7 \xCE\xB6\xCE\xB7", "0+2 2+1");
    expect_units("unit: phrases", "iso-8859-1", "caf\xE9 noir; th\xE9 \xE0 la menthe", "0+2 2+4");
}

TEST(a_phrase_without_an_end_is_cut) {
    char text[1024] = "";
    for (int i = 0; i < 250; i++) strcat(text, "so ");
    expect_units("unit: phrases", "utf-8", text, "0+200 200+50");
}

/* ---- Features -------------------------------------------------------------------------------- */

/* Expects the features of a word of the text, as "a b". */
static void expect_features(const char *settings, const char *text, const char *word,
                            const char *wanted) {
    GIVEN(trib_experiment) e = {0};
    GIVEN(trib_word_features) features = {0};
    char found[256] = "";
    trib_error error = {0};
    open_run(&e, settings, "utf-8", text, "some other text that is read beside it", NULL);
    EXPECT_OK(trib_word_features_build(&features, &e.config, &e.run.vocab, &error));
    for (uint32_t id = 0; id < e.run.vocab.n_words; id++)
        if (strcmp(e.run.vocab.word[id], word) == 0)
            for (size_t f = features.features_from[id]; f < features.features_from[id + 1]; f++)
                snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s %llu",
                         *found ? ", " : "", trib_intern_word(&features.names, features.feature[f]),
                         (unsigned long long)features.count[features.feature[f]]);
    EXPECT_TEXT(found, wanted);
}

TEST(words_have_the_features_of_the_setting) {
    static const char text[] =
        "Arma virumque cano; iuvat armaque neque \xC3\xA9t\xC3\xA9rnel uirum";
    expect_features("unit: lines, feature: words", text, "virumque", "virumque 1");
    expect_features("unit: lines", text, "virumque", "virum 1");
    expect_features("unit: lines, letters: 3", text, "\xC3\xA9t\xC3\xA9rnel",
                    "\xC3\xA9t\xC3\xA9 1");
    expect_features("unit: lines, spelling: latin", text, "virumque", "uirum 2");
    expect_features("unit: lines, spelling: latin, letters: 9", text, "armaque", "arma 2");
    expect_features("unit: lines, feature: stems, language: it", text, "cano", "can 1");
    expect_features("unit: lines, feature: stems, language: it, spelling: latin", text, "armaque",
                    "arma 2");
    write_file("lemmas.tsv", "form\tlemmas\r\n# Latin\narma\tarma armo\r\nVirum\tignored\n"
                             "virum\tvir virus\nneque\tneque\nvirum\tlater\n");
    expect_features("unit: lines, lemmas: lemmas.tsv", text, "arma", "arma 1, armo 1");
    expect_features("unit: lines, lemmas: lemmas.tsv", text, "virumque", "virumque 1");
    expect_features("unit: lines, lemmas: lemmas.tsv, spelling: latin", text, "virumque",
                    "uir 2, uirus 2");
    expect_features("unit: lines, lemmas: lemmas.tsv, spelling: latin", text, "neque", "neque 1");
    expect_features("unit: lines, lemmas: lemmas.tsv, spelling: latin", text, "cano", "cano 1");
    expect_features("unit: lines, lemmas: lemmas.tsv, feature: letters", text, "arma", "arma 1");
}

/* ---- The list -------------------------------------------------------------------------------- */

static const char ode[] = "grey tide and copper lantern. nobody came. a heron slept",
                  epic[] = "the lantern of copper. herons came. the tide was grey",
                  psalm[] = "copper tide. lantern";

static trib_status find(void *context, trib_error *error) {
    trib_experiment *e = context;
    OPENED(trib_allusion_search) search = {0};
    GIVEN(trib_allusions) list = {0};
    trib_status status = trib_allusion_search_open(&search, &e->run.env, &e->run.corpus,
                                                   &e->run.words, &e->run.vocab, error);
    if (status == TRIB_OK)
        status = trib_allusions_find(&search, 0, 1, (trib_progress){0}, &list, error);
    for (size_t i = 0; status == TRIB_OK && i < list.n; i++) {
        const trib_allusion *pair = &list.pair[i];
        EXPECT(i == 0 || pair[-1].score >= pair->score);
        EXPECT(pair->from < 2 && pair->n_words > 0);
        for (size_t w = pair->first_word; w < pair->first_word + pair->n_words; w++) {
            EXPECT(list.word[w].target - pair->target.first < pair->target.n);
            EXPECT(list.word[w].source - pair->source.first < pair->source.n);
            EXPECT(strlen(list.text.text + list.word[w].feature) > 0);
        }
    }
    if (status == TRIB_OK) {
        EXPECT(list.n == 4); /* two of each source */
        EXPECT(list.pair[0].n_words >= 2 && list.word[0].count >= 1);
    }
    return status;
}

TEST(the_best_pairs_of_every_source_make_one_list) {
    GIVEN(trib_experiment) e = {0};
    trib_error error = {0};
    open_run(&e, "unit: phrases, top: 2", "utf-8", ode, epic, psalm);
    EXPECT_OK(find(&e, &error));
}

TEST(failures_are_reported) {
    GIVEN(trib_experiment) e = {0};
    open_run(&e, "unit: phrases, top: 2", "utf-8", ode, epic, psalm);
    EXPECT(trib_fail_every_allocation(find, &e) > 20);
}
