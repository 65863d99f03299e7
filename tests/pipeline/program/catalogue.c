/* catalogue.c - tests of years and editions in the catalogue of Project Gutenberg. The golden case
 * `catalogue` tests the command. */
#include "pipeline/program/fetch.h"

#include "tests/test.h"

TESTS(program, catalogue);

#define HEADER "Text#,Type,Language,Title,Authors\n"

static const char *put(const char *text) {
    const char *path = trib_scratch("pg_catalog.csv");
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
    return path;
}

static trib_log *open_log(void) {
    trib_log *log = NULL;
    const trib_log_options options = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    CHECK(trib_log_open(&log, &options, NULL) == TRIB_OK);
    return log;
}

CASES("tests/pipeline/program/catalogue.txt [authors]",
      the_latest_birth_of_those_who_chose_the_words_counts) {
    char text[256];
    GIVEN(trib_catalogue) catalogue = {0};
    trib_error error = {0};
    trib_log *log = open_log();
    const bool is_dated = *trib_case_text("born");
    snprintf(text, sizeof text, HEADER "7,Text,en,T,\"%s\"\n", trib_case_text("authors"));
    EXPECT_STATUS(trib_catalogue_read(&catalogue, put(text), "en", log, &error), TRIB_OK, error);
    CHECK(catalogue.n == 1);
    EXPECT_TEXT(catalogue.entry[0].author, trib_case_text("names"));
    EXPECT(catalogue.entry[0].is_dated == is_dated);
    EXPECT(!is_dated || catalogue.entry[0].born == trib_case_number("born"));
    trib_log_close(log);
}

/* Reads the catalogue, gives every entry but number 1 a file, and groups. */
static trib_status group(void *context, trib_error *error) {
    trib_catalogue *catalogue = context;
    trib_log *log = NULL;
    const trib_log_options options = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    trib_status status = trib_log_open(&log, &options, error);
    trib_catalogue_release(catalogue);
    if (status == TRIB_OK)
        status = trib_catalogue_read(catalogue, trib_scratch("pg_catalog.csv"), NULL, log, error);
    for (size_t i = 0; i < catalogue->n; i++)
        if (catalogue->entry[i].number > 1) catalogue->entry[i].file = "x";
    if (status == TRIB_OK) status = trib_catalogue_group(catalogue, error);
    trib_log_close(log);
    return status;
}

TEST(editions_have_equal_people_and_titles) {
    static const uint64_t wanted[] = {0, 0, 2, 0, 2, 0};
    GIVEN(trib_catalogue) catalogue = {0};
    put(HEADER "6,Text,en,The Bay,\"Adams, Jane, 1801-1850; Roe, R., 1900- [Translator]\"\n"
               "5,Text,en,\"THE\n\"\"Bay\"\"\",\"Adams, Jane, 1801?-1850\"\n"
               "4,Text,en,The Bay: Volume 2,\"Adams, Jane, 1801-1850\"\n"
               "3,Text,en,The bay,\"Adams, Jane, 1801-1850; Gray, M. [Illustrator]\"\n"
               "2,Text,en,The Bay,\"Adams, Jane, 1801-1850\"\n"
               "1,Text,en,The Bay,\"Adams, Jane, 1801-1850\"\n");
    CHECK(trib_fail_every_allocation(group, &catalogue) > 5);
    CHECK(catalogue.n == 6);
    for (size_t i = 0; i < 6; i++) EXPECT(catalogue.entry[i].edition_of == wanted[i]);
}
