/* vocabulary.c - tests of the vocabulary of words that have norms: what is counted, shown and left
 * out. */
#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/run/experiment.h"

TESTS(stages, vocabulary);

enum { N_TEXTS = 3 };

/* The words that the next fixtures hold in memory; 0: as usual. */
static uint32_t most_words;

/* The texts have these languages; NULL: none. */
static void open_fixture_of(trib_experiment *f, const char *const text[N_TEXTS],
                            const char *const language[N_TEXTS], const char *tokens) {
    static const char *const stages[] = {"corpus", "tokens", "vocabulary"};
    trib_error error = {0};
    GIVEN(trib_buffer) yaml = {0};
    for (int d = 0; d < N_TEXTS; d++) {
        char name[32];
        snprintf(name, sizeof name, "vocabulary%d.txt", d);
        write_scratch(name, text[d], strlen(text[d]));
    }
    trib_buffer_print(&yaml, NULL,
                      "tributary: 1\ntokens: %s\ntensor: {n: 2}\ncorpus:\n"
                      "  target: vocabulary0\n  documents:\n",
                      tokens);
    for (int d = 0; d < N_TEXTS; d++)
        trib_buffer_print(&yaml, NULL, "    - {file: vocabulary%d.txt, language: %s}\n", d,
                          language ? language[d] : "en");
    trib_experiment_open(f, yaml.text, 2);
    if (most_words > 0) f->run.most_words = most_words;
    EXPECT_OK(trib_experiment_stages(&f->run, stages, 2, &error));
    EXPECT((f->run.word_counts.runs.n > 0) == (most_words == 1) || most_words > 1);
    EXPECT_OK(trib_experiment_stages(&f->run, stages + 2, 1, &error));
}

static void open_fixture(trib_experiment *f, const char *const text[N_TEXTS], const char *tokens) {
    open_fixture_of(f, text, NULL, tokens);
}

/* The vocabulary as "word=count/documents", and the words of a text by the words shown for them,
 * with | at breaks. */
static void describe(const trib_run *run, trib_buffer *text) {
    const trib_vocab *vocab = &run->vocab;
    trib_buffer_clear(text);
    for (uint32_t id = 0; id < vocab->n_words; id++)
        CHECK(trib_buffer_print(text, NULL, "%s%s=%llu/%u", id ? " " : "", vocab->word[id],
                                (unsigned long long)vocab->count[id],
                                vocab->n_documents[id]) == TRIB_OK);
}

static void describe_text(const trib_run *run, uint32_t d, trib_buffer *text) {
    OPENED(trib_words_cursor) cursor = {0};
    trib_placed_word word;
    trib_buffer_clear(text);
    CHECK(trib_words_cursor_open(&cursor, &run->words.document[d], NULL) == TRIB_OK);
    for (size_t i = 0; i < run->words.document[d].n_tokens; i++) {
        CHECK(trib_words_cursor_at(&cursor, i, &word, NULL) == TRIB_OK);
        CHECK(trib_buffer_print(text, NULL, "%s%s%s@%zu-%zu", i ? " " : "",
                                word.after_break ? "|" : "",
                                word.id == TRIB_NO_WORD ? "-" : run->vocab.word[word.id],
                                word.offset, word.end) == TRIB_OK);
    }
}

static void expect_vocabulary(const trib_run *run, const char *wanted) {
    GIVEN(trib_buffer) text = {0};
    describe(run, &text);
    EXPECT_TEXT(text.text, wanted);
}

static void expect_words(const trib_run *run, uint32_t d, const char *wanted) {
    GIVEN(trib_buffer) text = {0};
    describe_text(run, d, &text);
    EXPECT_TEXT(text.text, wanted);
}

static const char *const letters[N_TEXTS] = {"Haue loue, have.\n\nvpon", "haue haue upon",
                                             "love love upon have"};

TEST(spellings_of_a_norm_are_one_word_shown_by_the_commonest) {
    GIVEN(trib_experiment) f = {0};
    open_fixture(&f, letters, "{transform: early-english}");
    expect_vocabulary(&f.run, "haue=5/3 love=3/2 upon=3/3");
    EXPECT(f.run.vocab.n_tokens == 11 && f.run.vocab.other == TRIB_NO_WORD);
    expect_words(&f.run, 0, "haue@0-4 love@5-9 haue@11-15 upon@18-22");
    const trib_word_changes *changes = &f.run.words.changes;
    EXPECT(changes->has_norms && changes->n_spellings == 6 && changes->n_words == 3);
    EXPECT(changes->n_changed == 3 && changes->n_changed_tokens == 5 && changes->n == 3);
    EXPECT_TEXT(changes->change[0].from, "haue");
    EXPECT_TEXT(changes->change[0].norm, "have");
    EXPECT_TEXT(changes->change[0].shown, "haue");
    EXPECT(changes->change[0].count == 3 && changes->change[1].count == 1);
    EXPECT_TEXT(changes->change[1].from, "loue");
}

TEST(without_norms_words_are_as_written) {
    GIVEN(trib_experiment) f = {0};
    open_fixture(&f, letters, "{stem: none}");
    expect_vocabulary(&f.run, "haue=3/2 have=2/2 love=2/1 upon=2/2 loue=1/1 vpon=1/1");
    EXPECT(!f.run.words.changes.has_norms && f.run.words.changes.n == 0);
}

TEST(words_left_out_leave_their_neighbours_adjacent) {
    static const char *const tokens[] = {"{transform: early-english, stop: vocabulary_stop.txt}",
                                         "{transform: early-english, stop: 1}",
                                         "{transform: early-english, stop: \"1\"}"};
    for (size_t i = 0; i < 3; i++) {
        GIVEN(trib_experiment) f = {0};
        write_scratch("vocabulary_stop.txt", "haue\nnever\n", 11);
        open_fixture(&f, letters, tokens[i]);
        expect_vocabulary(&f.run, "love=3/2 upon=3/3");
        EXPECT(f.run.vocab.n_tokens == 6 && f.run.vocab.n_other == 0);
        expect_words(&f.run, 0, "love@5-9 upon@18-22");
        EXPECT(f.run.words.changes.n_left_out == 1 && f.run.words.changes.n_left_out_tokens == 5);
    }
}

/* "upon" and "urn" occur three times; a last spelling "vpon" would come after "urn". */
TEST(equally_frequent_words_are_left_out_by_the_spelling_shown) {
    static const char *const texts[N_TEXTS] = {"upon upon urn vpon", "urn urn a", "a b"};
    GIVEN(trib_experiment) f = {0};
    open_fixture(&f, texts, "{transform: early-english, stop: 1}");
    expect_vocabulary(&f.run, "urn=3/2 a=2/2 b=1/1");
}

TEST(a_break_before_a_word_left_out_lies_before_the_next) {
    static const char *const texts[N_TEXTS] = {"one two\n\nthe one the two", "one two", "the one"};
    GIVEN(trib_experiment) f = {0};
    write_scratch("vocabulary_the.txt", "the\n", 4);
    open_fixture(&f, texts, "{break_at: [paragraph], stop: vocabulary_the.txt}");
    expect_words(&f.run, 0, "one@0-3 two@4-7 |one@13-16 two@21-24");
}

TEST(a_text_counts_its_spellings_together) {
    GIVEN(trib_experiment) f = {0};
    trib_error error = {0};
    open_fixture(&f, letters, "{transform: early-english}");
    EXPECT_OK(trib_run_stage(&f.run, "tensors", &error));
    const trib_counts *counts = &f.run.tensors.document[0];
    EXPECT(counts->n_local == 3 && counts->n_ngrams == 3 && counts->ngrams.nnz == 3);
    /* have, twice, is the commonest word of the text */
    EXPECT_TEXT(f.run.vocab.word[counts->word[0]], "haue");
}

static const char *const bilingual[N_TEXTS] = {"houses the running house", "Haus und running die",
                                               "der die H\u00e4user und das die"};
static const char *const languages[N_TEXTS] = {"en", "de", "de"};

TEST(a_text_is_stemmed_by_its_own_language) {
    GIVEN(trib_experiment) f = {0};
    GIVEN(trib_buffer) text = {0};
    open_fixture_of(&f, bilingual, languages, "{stem: auto}");
    describe(&f.run, &text);
    /* English "running" is a form of run, and German "running" a word of its own */
    EXPECT_TEXT(text.text, "die=3/2 haus=2/2 house=2/1 und=2/2 das=1/1 der=1/1 running=1/1 "
                           "running=1/1 the=1/1");
    EXPECT_TEXT(trib_vocab_norm(&f.run.vocab, 6), "run");
    EXPECT_TEXT(trib_vocab_norm(&f.run.vocab, 7), "running");
    expect_words(&f.run, 2, "der@0-3 die@4-7 haus@8-15 und@16-19 das@20-23 die@24-27");
}

/* Expects the words that are left of bilingual texts. */
static void expect_left(const char *tokens, const char *wanted, uint64_t n_left_out) {
    GIVEN(trib_experiment) f = {0};
    open_fixture_of(&f, bilingual, languages, tokens);
    expect_vocabulary(&f.run, wanted);
    EXPECT(f.run.words.changes.n_left_out == n_left_out);
}

TEST(words_are_left_out_by_the_language_of_their_text) {
    static const char list[] = "die\nrunning\nh\u00e4user\n";
    write_scratch("vocabulary_de.txt", list, sizeof list - 1);
    expect_left("{stem: auto, stop: 1}",
                "haus=2/2 und=2/2 das=1/1 der=1/1 running=1/1 running=1/1 "
                "the=1/1",
                2);
    expect_left("{stop: 1}",
                "running=2/2 und=2/2 das=1/1 der=1/1 haus=1/1 houses=1/1 h\u00e4user=1/1 "
                "the=1/1",
                2);
    expect_left("{stem: auto, stop: {de: vocabulary_de.txt}}",
                "house=2/1 und=2/2 das=1/1 der=1/1 running=1/1 the=1/1", 3);
    expect_left("{stem: auto, stop: {en: 1, de: 2}}",
                "und=2/2 das=1/1 der=1/1 running=1/1 running=1/1 the=1/1", 3);
    expect_left("{stem: auto, stop: vocabulary_de.txt}",
                "house=2/1 und=2/2 das=1/1 der=1/1 the=1/1", 4);
}

TEST(a_listed_word_has_the_norms_of_all_languages) {
    static const char list[] = "running\nhouses\nnever\n";
    write_scratch("vocabulary_list.txt", list, sizeof list - 1);
    expect_left("{stem: auto}\nvocabulary: {file: vocabulary_list.txt, oov: break}",
                "house=2/1 running=1/1 running=1/1 never=0/0", 0);
}

TEST(words_spelt_alike_are_ordered_by_their_norms) {
    static const char *const text[N_TEXTS] = {"alter alt", "alter alter alter generations",
                                              "alter alter alter alter alter generations"};
    static const char *const language[N_TEXTS] = {"en", "de", "en"};
    GIVEN(trib_experiment) f = {0};
    trib_error error = {0};
    open_fixture_of(&f, text, language, "{stem: auto}");
    EXPECT_OK(trib_run_stage(&f.run, "tensors", &error));
    /* other texts make "alter" more frequent than "alt", which German texts spell "alter" */
    EXPECT_TEXT(trib_vocab_norm(&f.run.vocab, 0), "alter");
    EXPECT_TEXT(trib_vocab_name(&f.run.vocab, 0), "alter");
    EXPECT_TEXT(trib_vocab_name(&f.run.vocab, 1), "alt");
    const trib_counts *counts = &f.run.tensors.document[0];
    EXPECT_TEXT(trib_vocab_norm(&f.run.vocab, counts->word[0]), "alt");
    EXPECT_TEXT(trib_vocab_norm(&f.run.vocab, counts->word[1]), "alter");
    const trib_word_changes *changes = &f.run.words.changes;
    EXPECT(changes->n == 3);
    EXPECT_TEXT(changes->change[1].norm, "generat");
    EXPECT_TEXT(changes->change[2].norm, "generation");
}

/* Alone, the first text shows "vpon" and the second "upon". */
TEST(texts_choose_the_spelling_together) {
    static const char *const texts[N_TEXTS] = {"vpon vpon vpon upon upon have", "upon upon haue",
                                               "have vpon"};
    GIVEN(trib_experiment) f = {0};
    open_fixture(&f, texts, "{transform: early-english}");
    expect_vocabulary(&f.run, "upon=8/3 have=3/3");
    EXPECT(f.run.words.changes.change[0].count == 4 && f.run.words.changes.n == 2);
    EXPECT_TEXT(f.run.words.changes.change[0].from, "vpon");
    EXPECT_TEXT(f.run.words.changes.change[0].shown, "upon");
}

TEST(words_in_files_give_the_same_vocabulary) {
    for (most_words = 1; most_words <= 5; most_words += 4) {
        texts_choose_the_spelling_together();
        words_spelt_alike_are_ordered_by_their_norms();
        a_text_is_stemmed_by_its_own_language();
        words_are_left_out_by_the_language_of_their_text();
        a_listed_word_has_the_norms_of_all_languages();
        spellings_of_a_norm_are_one_word_shown_by_the_commonest();
        without_norms_words_are_as_written();
        words_left_out_leave_their_neighbours_adjacent();
        equally_frequent_words_are_left_out_by_the_spelling_shown();
        a_break_before_a_word_left_out_lies_before_the_next();
        a_text_counts_its_spellings_together();
    }
    most_words = 0;
}

/* The hash of all that the stage has made. */
static void hash_vocabulary(const trib_run *run, char hash[TRIB_SHA256_TEXT]) {
    const trib_word_changes *changes = &run->words.changes;
    GIVEN(trib_buffer) text = {0};
    trib_sha256 sum = {0};
    describe(run, &text);
    trib_sha256_add(&sum, text.text, text.length);
    for (uint32_t id = 0; id < run->vocab.n_words; id++)
        trib_sha256_add(&sum, trib_vocab_norm(&run->vocab, id),
                        strlen(trib_vocab_norm(&run->vocab, id)) + 1);
    for (uint32_t d = 0; d < N_TEXTS; d++) {
        describe_text(run, d, &text);
        trib_sha256_add(&sum, text.text, text.length);
    }
    for (uint32_t i = 0; i < changes->n; i++) {
        const trib_change *change = &changes->change[i];
        trib_buffer_clear(&text);
        CHECK(trib_buffer_print(&text, NULL, "%s %s %s %llu", change->from, change->norm,
                                change->shown, (unsigned long long)change->count) == TRIB_OK);
        trib_sha256_add(&sum, text.text, text.length);
    }
    const uint64_t numbers[] = {changes->n_spellings, changes->n_words,
                                changes->n_changed,   changes->n_changed_tokens,
                                changes->n_left_out,  changes->n_left_out_tokens,
                                run->vocab.n_tokens,  run->vocab.n_other,
                                run->vocab.other,     run->vocab.has_twins};
    trib_sha256_add(&sum, numbers, sizeof numbers);
    trib_sha256_add(&sum, changes->hash, sizeof changes->hash);
    trib_sha256_end(&sum, hash);
}

/* A text of random words in the spelling of 1600. */
static void random_text(trib_random *random, trib_buffer *text) {
    static const char *const stem[] = {"lou", "lov", "vp", "up", "iust", "just", "hous", "run"};
    static const char *const ending[] = {"", "e", "es", "ing", "on", "er"};
    for (int i = 0; i < 400; i++)
        CHECK(trib_buffer_print(text, NULL, "%s%s%c%s", stem[trib_random_below(random, 8)],
                                ending[trib_random_below(random, 6)],
                                'a' + (char)trib_random_below(random, 5),
                                trib_random_below(random, 9) ? " " : ".\n\n") == TRIB_OK);
}

/* Each setting alone and all together, by one language and three, with each kind of vocabulary. */
TEST(many_runs_give_what_one_gives) {
    static const char *const tokens[] = {
        "{transform: early-english}",
        "{stem: LANGUAGES}",
        "{variants: variants.tsv}",
        "{stop: vocabulary_stop.txt}",
        "{stop: 7}",
        "{transform: early-english, stem: LANGUAGES, variants: variants.tsv, stop: 9}"};
    static const char *const vocabularies[] = {"{}", "{size: 50, oov: wildcard}",
                                               "{min_count: 6, oov: break}",
                                               "{file: vocabulary_list.txt, oov: wildcard}"};
    static const char variants[] = "louea\thousa\nvpb\tupb\niustingc\tjustc\n";
    static const char list[] = "louea\nhousingb\nrunsd\nnever\nvpb\n";
    static const char *const three[N_TEXTS] = {"en", "de", "fr"};
    trib_buffer text[N_TEXTS] = {{0}};
    trib_random random;
    trib_random_seed(&random, 8);
    for (int d = 0; d < N_TEXTS; d++) random_text(&random, &text[d]);
    const char *const texts[N_TEXTS] = {text[0].text, text[1].text, text[2].text};
    write_scratch("variants.tsv", variants, sizeof variants - 1);
    write_scratch("vocabulary_list.txt", list, sizeof list - 1);
    write_scratch("vocabulary_stop.txt", "louea\nruna\nvpesb\n", 17);
    for (size_t t = 0; t < 6; t++)
        for (size_t v = 0; v < 4; v++)
            for (int n_languages = 1; n_languages <= 3; n_languages += 2) {
                static const uint32_t most[] = {0, 1, 60};
                char settings[256], hash[3][TRIB_SHA256_TEXT];
                const char *at = strstr(tokens[t], "LANGUAGES");
                snprintf(settings, sizeof settings, "%.*s%s%s\nvocabulary: %s",
                         (int)(at ? at - tokens[t] : (long)strlen(tokens[t])), tokens[t],
                         at ? (n_languages > 1 ? "auto" : "en") : "",
                         at ? at + strlen("LANGUAGES") : "", vocabularies[v]);
                for (size_t i = 0; i < 3; i++) {
                    GIVEN(trib_experiment) f = {0};
                    most_words = most[i];
                    open_fixture_of(&f, texts, n_languages > 1 ? three : NULL, settings);
                    hash_vocabulary(&f.run, hash[i]);
                    EXPECT_TEXT(hash[i], hash[0]);
                }
            }
    most_words = 0;
    for (int d = 0; d < N_TEXTS; d++) trib_buffer_release(&text[d]);
}

/* When memory is short, a thread adds a spelling and fails to add its norm; then it tries again. */
TEST(a_spelling_without_its_norm_is_not_moved) {
    GIVEN(trib_experiment) f = {0};
    trib_error error = {0};
    GIVEN(trib_word_counts) counts = {0};
    uint32_t id;
    open_fixture(&f, letters, "{transform: early-english}");
    EXPECT_OK(trib_spellings_open(&counts.spellings, &f.config, &error));
    EXPECT_OK(trib_word_counts_add_spelling(&counts, "haue", 4, 1, &id, &error));
    EXPECT_OK(trib_spellings_find(&counts.spellings, "loue", 4, &id, &error));
    EXPECT_OK(trib_word_counts_move(&counts, trib_scratch(""), &error));
    EXPECT(counts.runs.n_ids == 1 && trib_word_counts_n(&counts) == 0);
    EXPECT_TEXT(counts.runs.run[0].text, "have\xFFhaue");
}

static trib_status attempt(void *context, trib_error *error) {
    static const char *const stages[] = {"corpus", "tokens", "vocabulary"};
    const trib_experiment *f = context;
    GIVEN(trib_run) run = {0};
    trib_run_init(&run, &f->config, f->log, 1);
    run.most_words = most_words;
    const trib_status status = trib_experiment_stages(&run, stages, 3, error);
    return status;
}

TEST(every_allocation_may_fail) {
    static const char *const settings[] = {
        "{transform: early-english, stop: 1}",
        "{stem: auto, stop: 1}\nvocabulary: {file: vocabulary_list.txt, oov: break}"};
    write_scratch("vocabulary_list.txt", "running\nnever\n", 14);
    for (int i = 0; i < 2; i++) {
        GIVEN(trib_experiment) f = {0};
        most_words = 2;
        open_fixture_of(&f, bilingual, i > 0 ? languages : NULL, settings[i]);
        EXPECT(trib_fail_every_allocation(attempt, &f) > 50);
    }
    most_words = 0;
}
