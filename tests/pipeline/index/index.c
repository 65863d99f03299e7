/* index.c - tests of libraries: what is found in them, and what a damaged or disturbed one does. */
#include <unistd.h>

#include "pipeline/index/index.h"
#include "pipeline/library/find.h"
#include "tests/pipeline/program/program.h"

TESTS(index, index);

enum { N_TEXTS = 9, N_WORDS = 160, VOCABULARY = 600 };

/* Word i of text t: "wabc", the same everywhere. */
static void spell(char word[8], int t, int i) {
    trib_random random;
    trib_random_seed(&random, (uint64_t)t * 100000 + (uint64_t)i);
    uint64_t number = trib_random_below(&random, VOCABULARY);
    snprintf(word, 8, "w%c%c%c", (char)('a' + number % 10), (char)('a' + number / 10 % 10),
             (char)('a' + number / 100));
}

/* Writes words from .. from + n - 1 of a text; every `every`-th is another word (0: none). */
static void write_words(trib_buffer *to, int t, int from, int n, int every) {
    for (int i = from; i < from + n; i++) {
        char word[8];
        spell(word, t, i);
        if (every > 0 && (i - from) % every == every - 1) snprintf(word, sizeof word, "zzz");
        CHECK(trib_buffer_print(to, NULL, "%s%s", i > from ? i % 12 == 0 ? "\n" : " " : "", word) ==
              TRIB_OK);
    }
}

/* Writes the folder `texts` with t0.txt and so on. */
static void write_texts(void) {
    for (int t = 0; t < N_TEXTS; t++) {
        char name[32];
        GIVEN(trib_buffer) text = {0};
        snprintf(name, sizeof name, "texts/t%d.txt", t);
        write_words(&text, t, 0, N_WORDS, 0);
        trib_write_bytes(trib_scratch_below(name), text.text, text.length);
    }
}

/* Does the work of a command; each % is the scratch directory. */
static trib_status run(const char *format, trib_error *error) {
    char words[2048];
    size_t n = 0;
    for (; *format; format++)
        n += (size_t)snprintf(words + n, sizeof words - n, *format == '%' ? "%s" : "%.1s",
                              *format == '%' ? trib_scratch("") : format);
    return trib_program_do(words, error);
}

static void do_it(const char *format) {
    trib_error error = {0};
    EXPECT_OK(run(format, &error));
}

/* Writes passage.txt and does a command with it. */
static void look_up(const trib_buffer *passage, const char *command) {
    trib_write_bytes(trib_scratch("passage.txt"), passage->text, passage->length);
    do_it(command);
}

static void expect_output(const char *part) {
    GIVEN(trib_buffer) out = {0};
    trib_read_bytes(trib_scratch("stdout"), &out);
    if (!strstr(out.text, part)) printf("%s: %s\n", part, out.text);
    EXPECT(strstr(out.text, part) != NULL);
}

/* Does a command, which says something. */
static void expect_said(const char *command, const char *part) {
    do_it(command);
    expect_output(part);
}

/* Finds a passage by a command, whose output holds a part. */
static void expect_found(const char *passage, const char *command, const char *part) {
    trib_write_scratch("passage.txt", passage);
    expect_said(command, part);
}

/* An open library with its settings. */
typedef struct open_library {
    char folder[4096];
    trib_index index;
    trib_config config;
} open_library;

static trib_status open_it(open_library *l, const char *name, trib_error *error) {
    *l = (open_library){0};
    snprintf(l->folder, sizeof l->folder, "%s", trib_scratch(name));
    trib_status status = trib_index_open(&l->index, l->folder, TRIB_INDEX_READ, error);
    return status == TRIB_OK ? trib_config_load(&l->config, NULL, NULL, 0, NULL, NULL, error)
                             : status;
}

static void close_it(open_library *l) {
    trib_index_close(&l->index);
    trib_config_release(&l->config);
}

/* How many words of text t are found for a passage; 0: the text is not found. */
static uint32_t n_equal(const open_library *l, const trib_buffer *passage, int t,
                        trib_status *status) {
    char id[16];
    uint32_t n = 0;
    GIVEN(trib_findings_list) list = {0};
    trib_error error = {0};
    snprintf(id, sizeof id, "t%d", t);
    *status = trib_index_find(&l->index, &l->config, passage, &list, &error);
    for (size_t i = 0; i < list.n && *status == TRIB_OK; i++) {
        trib_indexed_text about;
        *status = trib_segment_about(list.found[i].segment, list.found[i].text, &about, NULL);
        if (*status == TRIB_OK && strcmp(about.id, id) == 0 && list.found[i].n_equal > n)
            n = list.found[i].n_equal;
    }
    return n;
}

TEST(every_run_of_eight_words_is_found) {
    open_library l;
    trib_error error = {0};
    trib_status status;
    write_texts();
    do_it("index add %/all %/texts");
    EXPECT_OK(open_it(&l, "all", &error));
    for (int t = 0; t < N_TEXTS; t++)
        for (int i = 0; i + 8 <= N_WORDS; i++) {
            GIVEN(trib_buffer) passage = {0};
            write_words(&passage, t, i, 8, 0);
            EXPECT(n_equal(&l, &passage, t, &status) == 8);
            EXPECT(status == TRIB_OK);
        }
    close_it(&l);
}

TEST(words_that_were_altered_stand_in_brackets) {
    GIVEN(trib_buffer) passage = {0};
    write_texts();
    do_it("index add %/altered %/texts");
    write_words(&passage, 4, 30, 36, 12);
    look_up(&passage, "find %/altered %/passage.txt");
    expect_output(": 33 of 36 words");
    char word[8], wanted[16];
    spell(word, 4, 41);
    snprintf(wanted, sizeof wanted, " [%s] ", word);
    expect_output(wanted);
}

/* Of 12 words four are altered so that no three in succession are left, or all are shuffled. */
TEST(short_passages_of_which_a_third_is_altered_are_found_and_shuffled_ones_are_not) {
    static const int altered[][4] = {{2, 5, 8, 11}, {1, 4, 7, 10}, {0, 3, 6, 9}, {2, 4, 7, 9}};
    open_library l;
    trib_error error = {0};
    trib_status status;
    int n_found = 0, n = 0;
    write_texts();
    do_it("index add %/short %/texts");
    EXPECT_OK(open_it(&l, "short", &error));
    for (int t = 0; t < N_TEXTS; t++)
        for (int i = 0; i + 12 <= N_WORDS; i += 11, n++) {
            GIVEN(trib_buffer) passage = {0}, shuffled = {0};
            for (int w = 0; w < 12; w++) {
                char word[8];
                bool is_altered = false;
                for (int a = 0; a < 4; a++) is_altered = is_altered || altered[n % 4][a] == w;
                spell(word, is_altered ? 999 : t, i + w);
                CHECK(trib_buffer_print(&passage, NULL, "%s ", word) == TRIB_OK);
                spell(word, t, i + w * 5 % 12);
                CHECK(trib_buffer_print(&shuffled, NULL, "%s ", word) == TRIB_OK);
            }
            n_found += n_equal(&l, &passage, t, &status) >= 8;
            EXPECT(n_equal(&l, &shuffled, t, &status) == 0);
        }
    close_it(&l);
    EXPECT(n_found >= n * 97 / 100);
}

TEST(a_passage_that_no_text_holds_is_not_found) {
    trib_buffer passage = {0};
    write_texts();
    do_it("index add %/none %/texts");
    write_words(&passage, 777, 0, 60, 0);
    look_up(&passage, "find %/none %/passage.txt");
    expect_output("No text of the library holds this passage.");
    trib_buffer_release(&passage);
    trib_error error = {0};
    trib_write_scratch("passage.txt", "four words are few");
    EXPECT_REFUSED(run("find %/none %/passage.txt", &error), TRIB_USAGE,
                   "the passage has 4 words with letters; give at least 5, so that it can be told "
                   "from other passages");
}

TEST(texts_are_added_once_replaced_and_removed) {
    write_texts();
    expect_said("index add %/kept %/texts", "9 texts added, 0 changed, 0 as before, 0 refused");
    trib_write_scratch("texts/t3.txt", "now quite another text stands in this file instead of it");
    trib_write_bytes(trib_scratch("texts/t9.txt"), "\0\1\2\3\0\0\1", 7);
    expect_said("index add %/kept %/texts", "0 texts added, 1 changed, 8 as before, 1 refused");
    expect_found("another text stands in this file", "find %/kept %/passage.txt", "6 of 6 words");
    expect_said("index ls %/kept", "\t11\tt3\t");
    do_it("index remove %/kept t3");
    expect_said("find %/kept %/passage.txt", "No text");
    do_it("index gc %/kept");
    expect_said("find %/kept %/passage.txt", "No text");
    expect_said("index check %/kept", "whole");
    trib_error error = {0};
    EXPECT(run("index remove %/kept t3", &error) == TRIB_USAGE);
    unlink(trib_scratch("texts/t9.txt"));
}

TEST(texts_that_are_added_one_by_one_are_found_as_those_added_together) {
    GIVEN(trib_buffer) one = {0}, all = {0};
    write_texts();
    do_it("index add %/together %/texts");
    for (int t = 0; t < N_TEXTS; t++) {
        char words[64];
        snprintf(words, sizeof words, "index add %%/single %%/texts/t%d.txt", t);
        do_it(words);
    }
    for (int t = 0; t < N_TEXTS; t++) {
        trib_buffer passage = {0};
        write_words(&passage, t, 20, 100, 9);
        trib_write_bytes(trib_scratch("passage.txt"), passage.text, passage.length);
        trib_buffer_release(&passage);
        trib_buffer_clear(&one), trib_buffer_clear(&all);
        do_it("find %/single %/passage.txt --json");
        trib_read_bytes(trib_scratch("stdout"), &one);
        do_it("find %/together %/passage.txt --json");
        trib_read_bytes(trib_scratch("stdout"), &all);
        EXPECT_TEXT(one.text, all.text);
    }
    open_library l;
    trib_error error = {0};
    EXPECT_OK(open_it(&l, "single", &error));
    EXPECT(l.index.n < 4); /* small segments were joined */
    close_it(&l);
}

TEST(every_encoding_and_spelling_of_a_text_is_found) {
    static const char latin[] =
        "L'\xE9t\xE9 vient apr\xE8s le printemps, et la moisson apr\xE8s l'\xE9t\xE9.\r\n";
    static const char units[] = "\xFF\xFEi\0n\0 \0t\0h\0e\0 \0e\0n\0d\0 \0a\0l\0l\0 \0r\0o\0a\0d\0s"
                                "\0 \0l\0e\0a\0d\0 \0h\0o\0m\0e\0 \0a\0g\0a\0i\0n\0";
    trib_write_bytes(trib_scratch_below("spelt/latin.txt"), latin, sizeof latin - 1);
    trib_write_bytes(trib_scratch_below("spelt/units.txt"), units, sizeof units - 1);
    trib_write_scratch("spelt/old.txt", "one\r\ntwo three\r\nVpon the ſea a ſhip did iourney vnto "
                                        "the hauen of her loue");
    do_it("index add %/spellings %/spelt --set corpus.encoding=auto");
    expect_found("vient après le printemps et la moisson après l’été",
                 "find %/spellings %/passage.txt",
                 "vient après le printemps, et la moisson après l'été");
    expect_found("in the end all roads lead home", "find %/spellings %/passage.txt",
                 "units, line 1: 7 of 7 words");
    expect_found("upon the sea a ship did journey unto the haven of her love",
                 "find %/spellings %/passage.txt", "old, line 3: 13 of 13 words");
}

TEST(a_place_is_cited_by_the_references_of_its_text) {
    static const char verses[] =
        "\\id MAT\n\\c 3\n\\p\n\\v 1 In those days came the baptist preaching\n"
        "\\v 2 in the wilderness of a far away land and saying\n";
    static const char marks[] = "[7]\nIn those days came\n[8]\nthe baptist preaching in the "
                                "wilderness\n[9]\nof a far away land\n";
    trib_write_bytes(trib_scratch_below("cited/matthew.usfm"), verses, sizeof verses - 1);
    do_it("index add %/cited-library %/cited");
    trib_write_bytes(trib_scratch_below("cited/paged.txt"), marks, sizeof marks - 1);
    do_it("index add %/cited-library %/cited --set corpus.reference=^.([0-9]+).");
    do_it("index gc %/cited-library");
    expect_found("came the baptist preaching in the wilderness of a far",
                 "find %/cited-library %/passage.txt", "matthew, MAT 3:1\u20132: 10 of 10 words");
    expect_output("paged, 7\u20139: 10 of 10 words");
    expect_said("find %/cited-library %/passage.txt --json", "\"reference\": \"MAT 3:1\u20132\"");
}

/* Damages one byte of a file, and sees that no answer is wrong: each is right or an error. */
static void flip(const char *file, long at, const trib_buffer *passage) {
    GIVEN(trib_buffer) bytes = {0};
    open_library l;
    trib_error error = {0};
    trib_status status;
    trib_read_bytes(file, &bytes);
    bytes.text[at] ^= 4;
    trib_write_bytes(file, bytes.text, bytes.length);
    status = open_it(&l, "flipped", &error);
    if (status == TRIB_OK) {
        const uint32_t n = n_equal(&l, passage, 5, &status);
        EXPECT(status == TRIB_INPUT || (status == TRIB_OK && n == 40));
        close_it(&l);
    } else EXPECT(status == TRIB_INPUT);
    status = run("index check %/flipped", &error);
    EXPECT(status == TRIB_DIFFERS || status == TRIB_INPUT);
    bytes.text[at] ^= 4;
    trib_write_bytes(file, bytes.text, bytes.length);
}

TEST(a_flipped_bit_is_noticed_and_gives_no_wrong_answer) {
    GIVEN(trib_buffer) passage = {0}, bytes = {0};
    char file[4096], manifest[4096];
    write_texts();
    do_it("index add %/flipped %/texts");
    write_words(&passage, 5, 60, 40, 0);
    snprintf(file, sizeof file, "%s", trib_scratch("flipped/1.segment"));
    snprintf(manifest, sizeof manifest, "%s", trib_scratch("flipped/MANIFEST"));
    trib_read_bytes(file, &bytes);
    const long step = trib_is_slow() ? 211 : 23;
    for (long at = 3; at < (long)bytes.length; at += step) flip(file, at, &passage);
    for (long at = 0; at < 60; at += 7) flip(manifest, at, &passage);
}

TEST(a_damaged_library_is_repaired_without_the_damaged_text) {
    GIVEN(trib_buffer) bytes = {0}, passage = {0};
    open_library l;
    trib_error error = {0};
    trib_status status;
    write_texts();
    do_it("index add %/broken %/texts");
    trib_read_bytes(trib_scratch("broken/1.segment"), &bytes);
    bytes.text[3] ^= 4; /* the first text */
    trib_write_bytes(trib_scratch("broken/1.segment"), bytes.text, bytes.length);
    EXPECT(run("index check %/broken", &error) == TRIB_DIFFERS);
    do_it("index check %/broken --repair");
    do_it("index check %/broken");
    EXPECT_OK(open_it(&l, "broken", &error));
    write_words(&passage, 5, 60, 40, 0);
    EXPECT(n_equal(&l, &passage, 5, &status) == 40);
    trib_buffer_clear(&passage);
    write_words(&passage, 0, 60, 40, 0);
    EXPECT(n_equal(&l, &passage, 0, &status) == 0);
    close_it(&l);
    expect_said("index add %/broken %/texts", "1 texts added, 0 changed, 8 as before");
    trib_write_bytes(trib_scratch("broken/2.segment"), "short", 5);
    EXPECT(run("find %/broken %/passage.txt", &error) == TRIB_INPUT);
    do_it("index check %/broken --repair");
    expect_said("index add %/broken %/texts", "8 texts added, 0 changed, 1 as before");
}

TEST(what_a_killed_writer_left_is_removed) {
    write_texts();
    do_it("index add %/killed %/texts");
    trib_write_scratch("killed/7.segment", "half");
    trib_write_scratch("killed/2.segment" TRIB_WRITER_SUFFIX "abcdef", "half");
    expect_said("index check %/killed", "whole");
    do_it("index remove %/killed t1");
    EXPECT(access(trib_scratch("killed/7.segment"), F_OK) != 0);
    EXPECT(access(trib_scratch("killed/2.segment" TRIB_WRITER_SUFFIX "abcdef"), F_OK) != 0);
}

TEST(a_library_of_an_earlier_version_is_refused_and_not_repaired) {
    GIVEN(trib_buffer) segment = {0}, after = {0};
    trib_error error = {0};
    write_texts();
    do_it("index add %/earlier %/texts");
    trib_read_bytes(trib_scratch("earlier/1.segment"), &segment);
    trib_write_scratch("earlier/MANIFEST", "tributary library 1\nsegment 1\nsum 0\n");
    static const char *const commands[] = {"find %/earlier five words of a passage",
                                           "index add %/earlier %/texts",
                                           "index check %/earlier --repair", "index gc %/earlier"};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        EXPECT_STATUS(run(commands[c], &error), TRIB_INPUT, error);
        EXPECT(strstr(error.message, "made by another version of this program; make the library "
                                     "again, in another folder") != NULL);
    }
    trib_read_bytes(trib_scratch("earlier/1.segment"), &after);
    EXPECT(after.length == segment.length);
}

TEST(one_program_writes_at_a_time_and_any_reads) {
    char folder[4096]; /* lives longer than what was opened there */
    OPENED(trib_index) writer = {0};
    trib_error error = {0};
    write_texts();
    do_it("index add %/shared %/texts");
    snprintf(folder, sizeof folder, "%s", trib_scratch("shared"));
    EXPECT_OK(trib_index_open(&writer, folder, TRIB_INDEX_WRITE, &error));
    EXPECT(run("index add %/shared %/texts", &error) == TRIB_USAGE);
    do_it("index ls %/shared");
    trib_write_bytes(trib_scratch_below("other/file.txt"), "x", 1);
    EXPECT(run("index add %/other %/texts", &error) == TRIB_USAGE);
    EXPECT(run("find %/other some words that are not in any library", &error) == TRIB_INPUT);
}

static trib_status attempt(void *context, trib_error *error) {
    CHECK(system(trib_scratch("again")) == 0);
    return run(context, error);
}

TEST(every_failing_allocation_is_reported) {
    char script[4096];
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", trib_scratch(""));
    write_texts();
    trib_buffer passage = {0};
    write_words(&passage, 2, 40, 60, 9);
    trib_write_bytes(trib_scratch("passage.txt"), passage.text, passage.length);
    trib_buffer_release(&passage);
    do_it("index add %/memory %/texts/t1.txt %/texts/t2.txt %/texts/t3.txt");
    snprintf(script, sizeof script, "#!/bin/sh\nrm -rf %s/fresh; cp -r %s/memory %s/fresh\n",
             folder, folder, folder);
    trib_write_scratch("again", script);
    snprintf(script, sizeof script, "chmod +x %s/again", folder);
    CHECK(system(script) == 0);
    static const char *const commands[] = {
        "index add %/fresh %/texts/t4.txt", "index remove %/fresh t2",
        "index ls %/fresh --json",          "index check %/fresh",
        "find %/fresh %/passage.txt",       "find %/fresh %/passage.txt --json"};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
        EXPECT(trib_fail_every_allocation(attempt, (void *)(uintptr_t)commands[c]) > 10);
}

TEST(other_programs_find_passages_by_the_library) {
    trib_library *library;
    const trib_library_place *place;
    trib_error error = {0};
    GIVEN(trib_buffer) passage = {0};
    size_t n;
    write_texts();
    do_it("index add %/public %/texts");
    EXPECT_OK(trib_library_open(&library, trib_scratch("public"), &error));
    write_words(&passage, 6, 10, 20, 0);
    EXPECT_OK(trib_library_find(library, passage.text, passage.length, &place, &n, &error));
    CHECK(n == 1);
    EXPECT_TEXT(place->id, "t6");
    EXPECT(place->n_equal == 20 && place->first == 0 && place->line == 1);
    EXPECT(trib_library_find(library, "few words", 9, &place, &n, &error) == TRIB_USAGE);
    EXPECT(n == 0 && place == NULL);
    trib_library_close(library);
    EXPECT(trib_library_open(&library, trib_scratch("texts"), &error) == TRIB_INPUT);
    EXPECT(library == NULL);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static trib_status choose(void *context, trib_error *error) {
    GIVEN(trib_chosen_texts) chosen = {0};
    const trib_status status = trib_chosen_texts_find(&chosen, context, error);
    return status;
}

TEST(the_sources_of_a_target_are_chosen_whatever_fails) {
    GIVEN(trib_config) config = {0};
    trib_error error = {0};
    GIVEN(trib_buffer) text = {0};
    write_texts();
    write_words(&text, 4, 30, 36, 0);
    write_words(&text, 7, 10, 20, 9);
    trib_write_bytes(trib_scratch("target.txt"), text.text, text.length);
    do_it("index add %/one %/texts/t0.txt %/texts/t4.txt");
    do_it("index add %/two %/texts/t7.txt %/texts/t5.txt %/texts/t6.txt");
    trib_write_scratch("two.yaml", "tributary: 1\ncorpus: {documents: [{file: target.txt, role: "
                                   "target}, one, two, texts/t1.txt]}\n");
    EXPECT_OK(trib_config_load(&config, trib_scratch("two.yaml"), NULL, 0, NULL, NULL, &error));
    const trib_comm alone = {.size = 1};
    const trib_log_options silent = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    trib_environment env = {
        .config = &config, .comm = &alone, .n_threads = 2, .scratch = trib_scratch("")};
    CHECK(trib_log_open(&env.log, &silent, NULL) == TRIB_OK);
    /* without a file a log keeps its lines in memory, and loses them where there is none */
    EXPECT_OK(trib_log_to_file(env.log, trib_scratch("log.jsonl"), &error));
    GIVEN(trib_chosen_texts) chosen = {0};
    EXPECT_OK(trib_chosen_texts_find(&chosen, &env, &error));
    CHECK(chosen.n == 4);
    static const char *const ids[] = {"t1", "t4", "t7", "target"};
    for (uint32_t d = 0; d < chosen.n; d++) EXPECT_TEXT(chosen.document[d].id, ids[d]);
    CHECK(chosen.document[3].n_sources == 3);
    for (uint32_t i = 0; i < 3; i++) EXPECT(chosen.document[3].source[i] == &chosen.document[i]);
    EXPECT(trib_fail_every_allocation(choose, &env) > 40);
    trib_log_close(env.log);
}
