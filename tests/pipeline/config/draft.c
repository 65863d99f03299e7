/* draft.c - tests of experiments that are drafted for texts. */
#include "pipeline/config/config.h"

#include <sys/stat.h>

#include "tests/pipeline/config/loading.h"

TESTS(config, draft);

static void complain(void *context, bool is_error, const char *message) {
    (void)is_error;
    (void)trib_buffer_print(context, NULL, "%s\n", message);
}

/* Drafts an experiment about texts in the scratch directory and expects lines of its YAML, or the
 * errors where it has none. */
static trib_status draft(const char *const *name, size_t n, const char *wanted) {
    char path[4][512];
    const char *text[4];
    GIVEN(trib_draft) made = {.n_documents = 0};
    GIVEN(trib_buffer) said = {0};
    trib_error error = {0};
    const trib_draft_request request = {.text = text,
                                        .n_texts = n,
                                        .folder = trib_scratch("made"),
                                        .makes_folder = true,
                                        .name = "x",
                                        .output = "run",
                                        .heading = "# by hand\n"};
    for (size_t i = 0; i < n; i++) {
        snprintf(path[i], sizeof path[i], "%s", trib_scratch(name[i]));
        text[i] = path[i];
    }
    const trib_status status = trib_draft_make(&made, &request, complain, &said, &error);
    const char *is = status == TRIB_OK ? made.yaml.text : said.text ? said.text : error.message;
    EXPECT(strstr(is, wanted) != NULL);
    if (!strstr(is, wanted)) EXPECT_TEXT(is, wanted);
    return status;
}

TEST(a_target_is_not_its_own_source) {
    mkdir(trib_scratch("desk"), 0777);
    write_scratch("desk/one.txt", "1", 1);
    write_scratch("desk/two.txt", "2", 1);
    write_scratch("three.txt", "3", 1);
    EXPECT(draft((const char *[]){"desk/two.txt", "desk/", "three.txt"}, 3,
                 "    - {id: one, file: ../desk/one.txt, role: source}\n"
                 "    - {id: three, file: ../three.txt, role: source}\n"
                 "    - {id: two, file: ../desk/two.txt, role: target}\n"
                 "  order: any") == TRIB_OK);
}

TEST(texts_that_all_have_a_date_are_read_in_its_order) {
    static const char old[] = "{\"text\": \"a\", \"id\": \"a\", \"date\": 1871}\n"
                              "{\"text\": \"b\", \"id\": \"b\", \"date\": \"1884-02\"}\n";
    static const char guess[] = "{\"text\": \"c\", \"id\": \"c\", \"date\": \"est. 1880\"}\n";
    mkdir(trib_scratch("dated"), 0777);
    write_scratch("dated/a.jsonl", old, sizeof old - 1);
    EXPECT(draft((const char *[]){"dated"}, 1, "  order: by-date") == TRIB_OK);
    EXPECT(draft((const char *[]){"dated"}, 1,
                 "    - {id: a.a, file: ../dated/a.jsonl/1, date: \"1871\"}\n") == TRIB_OK);
    write_scratch("dated/b.jsonl", guess, sizeof guess - 1); /* an estimate is not certain */
    EXPECT(draft((const char *[]){"dated"}, 1, "  order: any") == TRIB_OK);
}

TEST(what_is_no_text_is_reported) {
    write_scratch("alone.txt", "1", 1);
    EXPECT(draft((const char *[]){"alone.txt"}, 1, "a text alone has nothing") == TRIB_USAGE);
    EXPECT(draft((const char *[]){"alone.txt", "alonr.txt"}, 2, "alone.txt'?") == TRIB_INPUT);
    EXPECT(draft((const char *[]){"alone.txt", "zzz"}, 2, "no such file or folder\n") ==
           TRIB_INPUT);
}

TEST(an_experiment_is_told_by_its_first_key) {
    static const char yes[] = "\xEF\xBB\xBFtributary: 1\n",
                      later[] = "# x\nname: a\ntributary: 1\n",
                      prose[] = "The river has a tributary: the Lowe.\n";
    write_scratch("yes", yes, sizeof yes - 1);
    write_scratch("later", later, sizeof later - 1);
    write_scratch("prose", prose, sizeof prose - 1);
    EXPECT(trib_draft_is_experiment(trib_scratch("yes")));
    EXPECT(trib_draft_is_experiment(trib_scratch("later")));
    EXPECT(!trib_draft_is_experiment(trib_scratch("prose")));
    EXPECT(!trib_draft_is_experiment(trib_scratch("nowhere")));
    EXPECT(!trib_draft_is_experiment(trib_scratch("")));
}
