/* database.c - tests of pipeline/output/database.c. */
#include "tests/test.h"

TESTS(output, database);

#include <sqlite3.h>

#include "pipeline/config/config.h"
#include "tests/pipeline/run/experiment.h"

/* The text `new` copies a sentence of `old`. */
static void write_experiment(void) {
    static const char copied[] =
        "the keeper of the lamp went down to the grey water with a rope and a lantern at dawn";
    char text[1024];
    snprintf(text, sizeof text,
             "Once upon a time, %s. Nobody saw him again before winter came over the hills.",
             copied);
    trib_write_scratch("old.txt", text);
    snprintf(text, sizeof text,
             "It is said that %s! His daughter wrote this in a book that was lost in a fire.",
             copied);
    trib_write_scratch("new.txt", text);
    trib_write_scratch(
        "database.yaml",
        "tributary: 1\nname: database\n"
        "corpus:\n  documents:\n"
        "    - {id: new, file: new.txt, title: \"New 'book'\", author: N, date: '1900'}\n"
        "    - {id: old, file: old.txt, date: '-0029', role: source}\n"
        "  target: [new]\n  order: by-date\n"
        "influence: {methods: [traced, split]}\n"
        "report: {formats: [json, csv, sqlite]}\n");
}

/* Returns the values of the first row of a query as "type value; ...". */
static const char *ask(sqlite3 *db, const char *sql) {
    static char answer[1024];
    sqlite3_stmt *query = NULL;
    answer[0] = '\0';
    CHECK(sqlite3_prepare_v2(db, sql, -1, &query, NULL) == SQLITE_OK);
    CHECK(sqlite3_step(query) == SQLITE_ROW);
    for (int i = 0; i < sqlite3_column_count(query); i++) {
        const unsigned char *value = sqlite3_column_text(query, i);
        const size_t used = strlen(answer);
        snprintf(answer + used, sizeof answer - used, "%s%s", i > 0 ? "; " : "",
                 value ? (const char *)value : "NULL");
    }
    sqlite3_finalize(query);
    return answer;
}

TEST(the_database_holds_the_tables_with_their_types) {
    trib_error error = {0};
    sqlite3 *db = NULL;
    json_t *result = NULL;
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", trib_scratch("a database"));
    write_experiment();
    EXPECT_OK(trib_experiment_do(&result, trib_scratch("database.yaml"), directory, &error));
    CHECK(sqlite3_open_v2(trib_scratch("a database/results.sqlite"), &db, SQLITE_OPEN_READONLY,
                          NULL) == SQLITE_OK);
    EXPECT_TEXT(ask(db, "PRAGMA integrity_check"), "ok");
    EXPECT_TEXT(ask(db, "SELECT name, headline FROM run"), "database; traced");
    EXPECT_TEXT(ask(db, "SELECT title, author, year, words, is_target FROM documents WHERE id = "
                        "'new'"),
                "New 'book'; N; 1900; 36; 1");
    EXPECT_TEXT(ask(db, "SELECT title, author, year, is_target FROM documents WHERE id = 'old'"),
                "old; NULL; -29; 0");
    EXPECT_TEXT(ask(db, "SELECT DISTINCT typeof(share), typeof(below_floor), typeof(low), "
                        "typeof(group_id) FROM shares"),
                "real; integer; real; null");
    EXPECT_TEXT(ask(db, "SELECT round(sum(share), 9), count(*) FROM shares"), "2.0; 4");
    EXPECT_TEXT(ask(db, "SELECT target, source, source_year, years FROM findings"),
                "new; old; -29; 1929");
    EXPECT_TEXT(ask(db, "SELECT count(*), max(phrase) FROM phrases"), "17; with a rope");
    EXPECT_TEXT(ask(db, "SELECT count(*) FROM source_groups"), "0");
    EXPECT_TEXT(ask(db, "SELECT shared, target_word, target_words, typeof(rarity), notable, "
                        "source_from_character, target_text FROM passages_found"),
                "19; 5; 19; real; 1; 18; the keeper of the lamp went down to the grey water with a "
                "rope and a "
                "lantern at dawn");
    sqlite3_close(db);
    json_decref(result);
}

static trib_status make_database(void *directory, trib_error *error) {
    return trib_experiment_do(NULL, trib_scratch("database.yaml"), directory, error);
}

TEST(every_failing_allocation_is_reported) {
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", trib_scratch("a failing database"));
    write_experiment();
    EXPECT(trib_fail_every_allocation(make_database, directory) > 100);
}
