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

TEST(the_latest_birth_of_those_who_chose_the_words_counts) {
    static const struct {
        const char *authors, *names;
        bool is_dated;
        int born;
    } cases[] = {
        {"Dickens, Charles, 1812-1870", "Dickens, Charles", true, 1812},
        {"Dickens, Charles, 1812-1870; Leech, John, 1817-1864 [Illustrator]", "Dickens, Charles",
         true, 1812},
        {"Collins, W., 1824-1889; Dickens, C., 1812-1870", "Collins, W.; Dickens, C.", true, 1824},
        {"Homer, 751? BCE-651? BCE; Butler, Samuel, 1835-1902 [Translator]", "Homer", true, 1835},
        {"Butler, Samuel, 1835-1902 [Translator]", "", true, 1835},
        {"Virgil, 71 BCE-20 BCE", "Virgil", true, -70},
        {"Nobody, A., -1801", "Nobody, A.", false, 0},
        {"Living, A., 1950-", "Living, A.", true, 1950},
        {"Bede, the Venerable, Saint, 673-735", "Bede, the Venerable, Saint", true, 673},
        {"Smith, J., active 12th century", "Smith, J., active 12th century", false, 0},
        {"United States. Army-Navy, 1-A", "United States. Army-Navy, 1-A", false, 0},
        {"Anonymous", "Anonymous", false, 0},
        {"; ;", "", false, 0},
        {"", "", false, 0},
    };
    trib_log *log = open_log();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        trib_catalogue catalogue = {0};
        trib_error error = {0};
        snprintf(text, sizeof text, HEADER "7,Text,en,T,\"%s\"\n", cases[i].authors);
        EXPECT_STATUS(trib_catalogue_read(&catalogue, put(text), "en", log, &error), TRIB_OK,
                      error);
        CHECK(catalogue.n == 1);
        EXPECT_TEXT(catalogue.entry[0].author, cases[i].names);
        EXPECT(catalogue.entry[0].is_dated == cases[i].is_dated);
        EXPECT(!cases[i].is_dated || catalogue.entry[0].born == cases[i].born);
        trib_catalogue_release(&catalogue);
    }
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
    trib_catalogue catalogue = {0};
    put(HEADER "6,Text,en,The Bay,\"Adams, Jane, 1801-1850; Roe, R., 1900- [Translator]\"\n"
               "5,Text,en,\"THE\n\"\"Bay\"\"\",\"Adams, Jane, 1801?-1850\"\n"
               "4,Text,en,The Bay: Volume 2,\"Adams, Jane, 1801-1850\"\n"
               "3,Text,en,The bay,\"Adams, Jane, 1801-1850; Gray, M. [Illustrator]\"\n"
               "2,Text,en,The Bay,\"Adams, Jane, 1801-1850\"\n"
               "1,Text,en,The Bay,\"Adams, Jane, 1801-1850\"\n");
    CHECK(trib_fail_every_allocation(group, &catalogue) > 5);
    CHECK(catalogue.n == 6);
    for (size_t i = 0; i < 6; i++) EXPECT(catalogue.entry[i].edition_of == wanted[i]);
    trib_catalogue_release(&catalogue);
}
