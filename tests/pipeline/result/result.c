/* result.c - tests of the room pipeline/result: the table of fields makes records with every member
 * set, which are written and read back. */
#include "tests/test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/result/fields.h"
#include "pipeline/result/result.h"
#include "pipeline/result/shown.h"

TESTS(result, result);

/* ---- Records with every member --------------------------------------------------------------- */

/* Numbers the values, so that no two are equal. */
static unsigned n_values;

static void fill(trib_arena *arena, const trib_record_type *type, void *record);

static void fill_list(trib_arena *arena, const trib_field *field, void *list) {
    for (int i = 0; i < 2; i++) {
        n_values++;
        if (field->type == TRIB_FIELD_TEXTS)
            *(const char **)trib_arena_append(arena, list, sizeof(char *)) =
                trib_arena_print(arena, "%u\xC3\xA9\n\"\x01\\", n_values);
        else if (field->type == TRIB_FIELD_COUNTS)
            *(uint64_t *)trib_arena_append(arena, list, sizeof(uint64_t)) = n_values;
        else if (field->type == TRIB_FIELD_NUMBERS)
            *(double *)trib_arena_append(arena, list, sizeof(double)) =
                i == 0 && field->when == TRIB_FIELD_NULL ? (double)NAN : n_values;
        else if (field->of != &trib_type_target)
            fill(arena, field->of, trib_arena_append(arena, list, field->of->size));
    }
}

static void fill(trib_arena *arena, const trib_record_type *type, void *record) {
    trib_record_begin(type, record);
    for (size_t i = 0; i < type->n; i++) {
        const trib_field *const field = &type->field[i];
        void *const member = trib_field_of(field, record);
        n_values++;
        if (field->type == TRIB_FIELD_TEXT)
            *(const char **)member = trib_arena_print(arena, "%s %u", field->name, n_values);
        else if (field->type == TRIB_FIELD_FLAG) *(bool *)member = true;
        else if (field->type == TRIB_FIELD_COUNT) *(uint64_t *)member = n_values;
        else if (field->type == TRIB_FIELD_NUMBER) *(double *)member = n_values / 8.0;
        else if (field->type == TRIB_FIELD_SETTINGS) {
            static const char *const keys[] = {"name", "a.x", "a.y", "b.x", "z"};
            for (size_t s = 0; s < sizeof keys / sizeof *keys; s++) {
                trib_setting_record *const setting =
                    trib_arena_append(arena, member, sizeof *setting);
                *setting = (trib_setting_record){keys[s], "v"};
            }
        } else if (field->type == TRIB_FIELD_RECORD) {
            void *const part = trib_record_new(arena, field->of);
            fill(arena, field->of, part);
            memcpy(member, &part, sizeof part);
        } else {
            fill_list(arena, field, member);
        }
    }
}

/* What a function writes. */
static char *written(const trib_result *result, const trib_target_record *target, size_t n,
                     size_t *length) {
    char path[4096];
    trib_writer writer;
    trib_error error = {0};
    trib_buffer text = {0};
    snprintf(path, sizeof path, "%s/written", trib_scratch(""));
    CHECK(trib_writer_open(&writer, path, &error) == TRIB_OK);
    EXPECT_OK(target ? trib_target_write(target, n, &writer, &error)
                     : trib_result_write(result, &writer, &error));
    CHECK(trib_writer_commit(&writer, NULL, &error) == TRIB_OK);
    CHECK(trib_read_whole(path, &text, &error) == TRIB_OK);
    (void)unlink(path);
    *length = text.length;
    return text.text;
}

/* influence.json with n targets and every member. The caller frees it. */
static char *make_json(size_t n, size_t *length) {
    trib_result result = {0};
    GIVEN(trib_arena) arena = {0};
    n_values = 0;
    fill(&arena, &trib_type_result, &result);
    result.schema = 1;
    for (size_t t = 0; t < n; t++) {
        trib_target_text *const text = trib_arena_append(&arena, &result.targets, sizeof *text);
        trib_target_record target = {0};
        size_t written_length = 0;
        fill(&arena, &trib_type_target, &target);
        result.headline = target.methods.item[0].method;
        char *const json = written(NULL, &target, n, &written_length);
        text->json = trib_arena_copy(&arena, json, written_length);
        text->length = written_length;
        trib_free(json);
    }
    char *const json = written(&result, NULL, n, length);
    return json;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void expect_round_trip(size_t n) {
    size_t length = 0, again = 0;
    char *const json = make_json(n, &length);
    GIVEN(trib_result) result = {0};
    trib_error error = {0};
    EXPECT_OK(trib_result_read(&result, "x", json, length, &error));
    CHECK(result.targets.n == n);
    char *const twice = written(&result, NULL, n, &again);
    EXPECT(length == again && memcmp(json, twice, length) == 0);
    trib_free(twice);
    for (size_t t = 0; t < n; t++) {
        GIVEN(trib_arena) arena = {0};
        const trib_target_record *const target = trib_target_read(&result, t, &arena);
        EXPECT_OK(trib_arena_check(&arena, &error));
        EXPECT(trib_result_target_place(&result, target->target) == t);
        char *const text = written(NULL, target, n, &again);
        EXPECT(again == result.targets.item[t].length &&
               memcmp(text, result.targets.item[t].json, again) == 0);
        trib_free(text);
        const trib_target_record *const lean = trib_target_read_lean(&result, t, &arena);
        EXPECT(!lean->own && lean->matches.n == 0 && lean->parallels.n == 0);
        EXPECT(lean->evidence.n == 2 && lean->evidence.item[0].phrases.n == 0);
        EXPECT(lean->evidence.item[1].passages.n == (n > 40 ? 1 : 2));
    }
    trib_free(json);
}

TEST(every_member_is_read_as_it_was_written) {
    expect_round_trip(2);
    expect_round_trip(41);
}

TEST(records_are_found_by_their_ids) {
    size_t length = 0;
    char *const json = make_json(1, &length);
    GIVEN(trib_result) result = {0};
    trib_error error = {0};
    EXPECT_OK(trib_result_read(&result, "x", json, length, &error));
    for (size_t d = 0; d < result.documents.n; d++) {
        const trib_document_record *const document = &result.documents.item[d];
        EXPECT(trib_result_document_of(&result, document->id) == document);
        EXPECT_TEXT(trib_result_title(&result, document->id), document->title);
    }
    EXPECT(trib_result_document_of(&result, "no") == NULL &&
           !trib_result_document_of(&result, NULL));
    EXPECT_TEXT(trib_result_title(&result, "no"), "no");
    EXPECT_TEXT(trib_result_setting(&result, "a.y"), "v");
    EXPECT_TEXT(trib_result_setting(&result, "name"), "v");
    EXPECT_TEXT(trib_result_setting(&result, "a.no"), "");
    trib_free(json);
}

TEST(what_is_absent_is_known) {
    static const char json[] =
        "{\"schema\":1,\"new\":[{\"x\":[-9223372036854775808,9223372036854775807,-2.5e3,"
        "\"\\uD83D\\uDE00\\/\"]},true,null],\"corpus\":3,"
        "\"documents\":[{\"id\":\"\\u00e9\\ud83d\\ude00\",\"date\":null,\"words\":7}],"
        "\"targets\":[{\"target\":\"t\",\"evidence\":[{\"source\":\"s\",\"passages\":[{}]}]}]}";
    GIVEN(trib_result) result = {0};
    trib_error error = {0};
    GIVEN(trib_arena) arena = {0};
    EXPECT_OK(trib_result_read(&result, "x", json, sizeof json - 1, &error));
    EXPECT(result.corpus && isnan(result.corpus->wildcard_tokens) && !result.graph);
    EXPECT_TEXT(result.documents.item[0].id, "\xC3\xA9\xF0\x9F\x98\x80");
    EXPECT_TEXT(result.documents.item[0].title, "");
    EXPECT(!result.documents.item[0].date && result.documents.item[0].words == 7);
    const trib_target_record *const target = trib_target_read(&result, 0, &arena);
    EXPECT(target->admissible == TRIB_ABSENT && isnan(target->floor) && !target->distances);
    EXPECT(target->evidence.item[0].passages.item[0].source->first == 0);
    EXPECT(trib_shown_passages_choose(&result, target, NULL).longest.passage == NULL);
}

TEST(an_integer_has_64_bits_with_a_sign) {
    static const char *const numbers[] = {"9223372036854775808", "-9223372036854775809",
                                          "18446744073709551616"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char json[64];
        GIVEN(trib_result) result = {0};
        const int length = snprintf(json, sizeof json, "{\"schema\":1,\"x\":%s}", numbers[i]);
        EXPECT(trib_result_read(&result, "x", json, (size_t)length, NULL) == TRIB_INPUT);
    }
}

TEST(damage_is_an_error) {
    static const char *const wrong[] = {"",
                                        "[",
                                        "{\"a\":}",
                                        "{\"schema\":1}x",
                                        "{\"schema\":01}",
                                        "{\"a\":\"",
                                        "{\"a\":1e}",
                                        "{\"a\":\"\\u12\"}",
                                        "{\"a\":\"\\ud800\"}",
                                        "{\"a\":nul}",
                                        "{\"a\" 1}",
                                        "{\"a\":[1 2]}",
                                        "{\"a\":\"\xFF\"}",
                                        "{\"schema\":2}",
                                        "{\"a\":1,}",
                                        "{a:1}",
                                        "{\"a\":\"\n\"}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        GIVEN(trib_result) result = {0};
        trib_error error = {0};
        EXPECT_STATUS(trib_result_read(&result, "x", wrong[i], strlen(wrong[i]), &error),
                      TRIB_INPUT, error);
    }
    char *const deep = calloc(1, 2001);
    CHECK(deep != NULL);
    memset(deep, '[', 2000);
    GIVEN(trib_result) result = {0};
    EXPECT(trib_result_read(&result, "x", deep, 2000, NULL) == TRIB_INPUT);
    free(deep);
}

TEST(no_prefix_of_a_result_is_one) {
    size_t length = 0;
    char *const json = make_json(1, &length);
    for (size_t n = 0; n + 1 < length; n += 1 + n / 64) {
        GIVEN(trib_result) result = {0};
        EXPECT(trib_result_read(&result, "x", json, n, NULL) == TRIB_INPUT);
    }
    trib_free(json);
}

/* influence.json of a run, whose end is replaced. Returns the folder. */
static const char *write_run(const char *folder, size_t cut, const char *last) {
    size_t length = 0;
    char *const json = make_json(41, &length);
    const char *const directory = trib_scratch(folder);
    char path[4096];
    CHECK(mkdir(directory, 0777) == 0);
    snprintf(path, sizeof path, "%s/influence.json", directory);
    FILE *const file = fopen(path, "w");
    CHECK(file && fwrite(json, 1, length - cut, file) == length - cut && fputs(last, file) >= 0 &&
          fclose(file) == 0);
    trib_free(json);
    return directory;
}

/* Of two members of a name the last counts; one whose key has escapes is not known. */
TEST(files_are_opened) {
    static const struct {
        const char *last;
        size_t n;
    } cases[] = {{"}\n", 41}, {",\"targets\":[0,0,0]}\n", 3}, {",\"t\\u0061rgets\":[0]}\n", 41}};
    GIVEN(trib_result) result = {0};
    trib_error error = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char folder[16];
        snprintf(folder, sizeof folder, "run %zu", i);
        EXPECT_OK(trib_result_open(&result, write_run(folder, 2, cases[i].last), &error));
        EXPECT(result.targets.n == cases[i].n);
        trib_result_release(&result);
    }
    EXPECT_STATUS(trib_result_open(&result, write_run("damaged", 40, "#####"), &error), TRIB_INPUT,
                  error);
    EXPECT(strstr(error.message, "damaged/influence.json:") && strstr(error.message, ": not the "));
    trib_result_release(&result);
    EXPECT_STATUS(trib_result_open(&result, trib_scratch("no run"), &error), TRIB_USAGE, error);
}

static trib_status rename_target(void *context, trib_target_record *target, trib_arena *arena,
                                 trib_error *error) {
    size_t *const n = context;
    if (++*n == 3) return trib_fail(error, TRIB_USAGE, "the third");
    target->target = trib_arena_print(arena, "new %zu", *n);
    target->floor = (double)NAN; /* may lack */
    return TRIB_OK;
}

TEST(targets_are_changed) {
    trib_error error = {0};
    for (size_t n = 2; n < 4; n++) {
        size_t length = 0, n_changed = 0;
        char *const json = make_json(n, &length);
        GIVEN(trib_result) result = {0};
        GIVEN(trib_arena) arena = {0};
        EXPECT_OK(trib_result_read(&result, "x", json, length, &error));
        EXPECT_STATUS(trib_result_change(&result, rename_target, &n_changed, &error),
                      n == 2 ? TRIB_OK : TRIB_USAGE, error);
        if (n == 2) {
            EXPECT_TEXT(result.targets.item[1].id, "new 2");
            const trib_target_record *const target = trib_target_read(&result, 1, &arena);
            EXPECT_TEXT(target->target, "new 2");
            EXPECT(isnan(target->floor) && target->evidence.n == 2);
        }
        trib_free(json);
    }
}

/* The targets are put in any order, and stand in that of the result. */
TEST(targets_are_put_in_any_order) {
    enum { N = 7 };
    static const char *const id[N] = {"a", "b", "c", "d", "e", "f", "g"};
    uint32_t order[N];
    GIVEN(trib_target_store) store = {0};
    GIVEN(trib_result) result = {0};
    trib_error error = {0};
    EXPECT_OK(trib_target_store_open(&store, trib_scratch(""), N, &error));
    for (uint32_t i = 0; i < N; i++) {
        const uint32_t t = (i * 3) % N;
        const trib_target_record target = {
            .target = id[N - 1 - t], .floor_from = "rule", .admissible = TRIB_ABSENT};
        EXPECT_OK(trib_target_store_put(&store, t, &target, &error));
        order[i] = N - 1 - i;
    }
    EXPECT_OK(trib_target_store_finish(&store, order, &result, &error));
    trib_target_store_release(&store);
    CHECK(result.targets.n == N);
    for (size_t t = 0; t < N; t++) {
        GIVEN(trib_arena) arena = {0};
        EXPECT_TEXT(trib_target_read(&result, t, &arena)->target, id[t]);
    }
    const trib_target_record wrong = {.target = "", .floor = (double)NAN};
    EXPECT_OK(trib_target_store_open(&store, trib_scratch(""), 1, &error));
    EXPECT_STATUS(trib_target_store_put(&store, 0, &wrong, &error), TRIB_INTERNAL, error);
    EXPECT_TEXT(error.message, "influence.json: the number 'floor' is not finite");
}

typedef struct text {
    const char *json;
    size_t length;
} text;

static trib_status attempt(void *context, trib_error *error) {
    const text *const from = context;
    GIVEN(trib_result) result = {0};
    GIVEN(trib_arena) arena = {0};
    trib_status status = trib_result_read(&result, "x", from->json, from->length, error);
    if (status == TRIB_OK) {
        const trib_target_record *const target = trib_target_read(&result, 0, &arena);
        (void)trib_shown_shares_make(&result, trib_target_headline(&result, target), true, &arena);
        (void)trib_shown_passages_choose(&result, target, NULL);
        status = trib_arena_check(&arena, error);
    }
    return status;
}

TEST(every_allocation_may_fail) {
    text from;
    char *const json = make_json(1, &from.length);
    from.json = json;
    EXPECT(trib_fail_every_allocation(attempt, &from) > 3);
    trib_free(json);
}
