/* looks.c - tests of what `tokens.transform: auto` takes, and when it takes nothing. */
#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/run/experiment.h"

TESTS(stages, looks);

/* Writes a text so often that it says something. */
static void write_often(const char *file, const char *text) {
    GIVEN(trib_buffer) all = {0};
    for (int i = 0; i < 40; i++) CHECK(trib_buffer_print(&all, NULL, "%s\n", text) == TRIB_OK);
    write_scratch(file, all.text, all.length);
}

static trib_status read_texts(void *context, trib_error *error) {
    trib_experiment *f = context;
    trib_run_init(&f->run, &f->config, f->log, 1);
    trib_status status = trib_run_stage(&f->run, "corpus", error);
    return status == TRIB_OK ? trib_run_stage(&f->run, "tokens", error) : status;
}

static void open_texts(trib_experiment *f, const char *setting) {
    char yaml[256];
    snprintf(yaml, sizeof yaml,
             "tributary: 1\ncorpus: {target: all, documents: [one.txt, two.txt]}\n%s\n", setting);
    trib_experiment_open(f, yaml, 1);
}

/* Some texts, and what is taken for both together: the same, whichever is first. */
CASES("tests/pipeline/stages/looks.txt [taken]", what_texts_need_is_taken) {
    const char *const text[] = {trib_case_text("has"), trib_case_text("lacks")};
    const char *const wanted = trib_case_text("taken"), *const shown = trib_case_text("shown");
    for (int turn = 0; turn < 2; turn++) {
        GIVEN(trib_experiment) f = {0};
        trib_error error = {0};
        write_often("one.txt", text[turn]);
        write_often("two.txt", text[1 - turn]);
        open_texts(&f, "");
        EXPECT_OK(read_texts(&f, &error));
        const trib_taken *taken = &f.run.words.taken;
        const char *const now = f.run.env.config->tokens.transform;
        EXPECT_TEXT(taken->transform ? taken->transform : "", wanted);
        EXPECT_TEXT(now, *wanted ? wanted : "auto");
        if (*wanted) EXPECT(taken->n > 0 && strstr(taken->line[0], shown));
        for (size_t i = 0; i < taken->n && !*wanted; i++) /* others tell of the equivalence */
            EXPECT(!strstr(taken->line[i], "tokens.transform"));
        EXPECT((strcmp(f.run.env.config->hash, f.config.hash) != 0) == (*wanted != '\0'));
        EXPECT_OK(trib_run_stage(&f.run, "vocabulary", &error));
        EXPECT(f.run.words.changes.has_norms == (*wanted != '\0'));
    }
}

TEST(nothing_is_taken_unless_it_is_auto) {
    GIVEN(trib_experiment) f = {0};
    write_often("one.txt", "l'\xC3\xA9t\xC3\xA9 pass\xC3\xA9 avec des arbres");
    write_often("two.txt", "l'ete passe avec des arbres");
    open_texts(&f, "tokens: {transform: null}");
    EXPECT(read_texts(&f, NULL) == TRIB_OK && f.run.words.taken.n == 0);
    EXPECT(!f.run.chosen && f.run.corpus.asked[strlen(f.run.corpus.hash)] == 'j');
}

static trib_status read_and_release(void *context, trib_error *error) {
    trib_experiment *f = context;
    const trib_status status = read_texts(f, error);
    if (status == TRIB_OK) EXPECT(f->run.words.taken.n == 2);
    trib_run_release(&f->run);
    return status;
}

TEST(every_failed_allocation_is_reported) {
    GIVEN(trib_experiment) f = {0};
    write_often("one.txt", "l'\xC3\xA9t\xC3\xA9 pass\xC3\xA9 avec des arbres");
    write_often("two.txt", "l'ete passe avec des ar-\nbres");
    open_texts(&f, "");
    EXPECT(trib_fail_every_allocation(read_and_release, &f) > 50);
}

/* Words that a line end divides are joined if one line of 50 ends so. */
TEST(divided_words_are_joined_where_there_are_many) {
    GIVEN(trib_experiment) f = {0};
    trib_error error = {0};
    write_often("one.txt", "the won-\nderful wonderful people");
    write_often("two.txt", "the wonderful people");
    open_texts(&f, "");
    EXPECT_OK(read_texts(&f, &error));
    EXPECT(f.run.words.document[0].n_divided == 40 && f.run.words.document[0].n_words == 3);
    EXPECT(f.run.words.document[1].n_divided == 0 && f.run.words.taken.n_joined == 1);
    EXPECT(f.run.env.config->corpus.has_joined && f.run.words.taken.n == 1);
    EXPECT(strcmp(f.run.env.config->hash, f.config.hash) != 0);
}

/* Five texts of which some begin, or end, with the same words. */
static void read_notices(trib_experiment *f, int with_it, int n_words) {
    static const char notice[] = "Home News Shop About us Contact the makers of this site";
    GIVEN(trib_buffer) text = {0};
    for (int d = 0; d < 5; d++) {
        char name[16];
        text.length = 0;
        if (d < with_it) trib_buffer_print(&text, NULL, "%s\n", notice);
        for (int w = 0; w < n_words; w++)
            trib_buffer_print(&text, NULL, "%c%c%c ", 'a' + d, 'a' + w / 26 % 26, 'a' + w % 26);
        if (d < with_it - 1) trib_buffer_print(&text, NULL, "\n%s\n", notice);
        snprintf(name, sizeof name, "%d.txt", d);
        write_scratch(name, text.text, text.length);
    }
    trib_experiment_open(f,
                         "tributary: 1\ncorpus: {target: all, documents: "
                         "[0.txt, 1.txt, 2.txt, 3.txt, 4.txt]}\n",
                         1);
    trib_error error = {0};
    EXPECT_OK(read_texts(f, &error));
}

TEST(words_that_most_texts_begin_or_end_with_are_said) {
    static const char beginning[] = "4 of 5 texts have \"home news shop about us contact\" near "
                                    "their beginning: ";
    GIVEN(trib_experiment) f = {0};
    read_notices(&f, 4, 300); /* four begin with it; three end with it: too few */
    EXPECT(f.run.words.taken.n == 1 && strstr(f.run.words.taken.line[0], beginning));
    EXPECT(strstr(f.run.words.taken.line[0], "`influence.formula: 3`") != NULL);
    trib_experiment_release(&f);
    read_notices(&f, 5, 300);
    EXPECT(f.run.words.taken.n == 2 && strstr(f.run.words.taken.line[1], "4 of 5"));
    EXPECT(strstr(f.run.words.taken.line[1], "near their end") != NULL);
    trib_experiment_release(&f);
    read_notices(&f, 3, 300);
    EXPECT(f.run.words.taken.n == 0);
    trib_experiment_release(&f);
    read_notices(&f, 5, 20); /* these words are the texts */
    EXPECT(f.run.words.taken.n == 0);
}
